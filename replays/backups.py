"""Backups: a store as one file, taken while others play, and put back in a new place."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from ..domain.errors import StoreError
from . import migrations
from .paths import typed
from .sqlite import MAGIC, PATIENCE, SQLiteStore
from .store import Store, file_of, open_store

PAGES = 2000
"""Pages copied at a time, between two words on how far it has come."""
DUMP = b"PGDMP"
"""How a dump of PostgreSQL begins."""

Told = Callable[[int, int], None]
"""Hears of pages done, and of how many there are."""


def _nobody(done: int, total: int) -> None:
    """Hears nothing."""


def backup(store: Store, path: str | os.PathLike[str] | None = None, told: Told = _nobody) -> Path:
    """Write all of a store to a file that is then there whole or not at all, and return its path.

    It holds what was recorded when the backup began; others may go on playing. Without a `path` it is named after the
    store and the time, in the current folder. Of a PostgreSQL store it is a dump of its schema (by `pg_dump`).

    Raises:
        StoreError: there is such a file already, the store is damaged, or the copy cannot be made.
    """
    in_file = isinstance(store, SQLiteStore)
    if in_file and not Path(store.name).is_file():
        raise StoreError("A store in memory is gone when it is closed: export its games instead.")
    target = typed(path) if path is not None else _named(store, in_file)
    if os.path.lexists(target):
        raise StoreError(f"There is a file {target} already; name another.")
    with _draft(target) as draft:
        if in_file:
            _copy(Path(store.name), draft, told)
            _checked(draft, target)
        else:
            from .dumps import dump

            dump(store, draft)
    return target


def restore(path: str | os.PathLike[str], url: str, told: Told = _nobody) -> Store:
    """Put a backup back as the store at a path or URL, where none is yet, and return that store, open.

    A backup by an older warptape is brought to today's version; that of a PostgreSQL store goes into a schema of the same
    name.

    Raises:
        StoreError: the file is no backup or is damaged, or there is something in its place.
    """
    source = typed(path)
    start = _start(source)
    path_there = file_of(url)
    if path_there is None:
        if not start.startswith(DUMP):
            raise StoreError(f"{source} is no dump of a PostgreSQL store, and {_masked(url)} takes nothing else.")
        from .dumps import load

        load(source, url)
        return open_store(url)
    if start.startswith(DUMP):
        raise StoreError(f"{source} is a dump of a PostgreSQL store: name a postgresql:// URL with --store.")
    if not start.startswith(MAGIC):
        raise StoreError(f"{source} is no backup of a store.")
    if path_there == ":memory:":
        raise StoreError("A store in memory is gone when it is closed: name a file with --store.")
    target = typed(path_there).absolute()
    for there in (target, *(Path(f"{target}{suffix}") for suffix in ("-wal", "-shm", "-journal"))):
        if os.path.lexists(there):
            raise StoreError(f"There is a file {there} already: move it away, or name another place with --store.")
    _checked(source, source)
    with _draft(target) as draft:
        _copy(source, draft, told)
        _checked(draft, source)
    return open_store(target)


def _named(store: Store, in_file: bool) -> Path:
    stem, ending = (Path(store.name).stem, "db") if in_file else ("warptape", "dump")
    return Path(f"{stem}-{datetime.now():%Y-%m-%d-%H%M%S}.{ending}")


def _masked(url: str) -> str:
    return url.partition("://")[0] + "://…"


def _start(source: Path) -> bytes:
    try:
        with source.open("rb") as file:
            return file.read(len(MAGIC))
    except OSError as error:
        raise StoreError(f"The backup {source} cannot be read: {(error.strerror or str(error)).lower()}.") from error


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """Give a file that nobody else may read; it becomes the target when all went well, and is gone otherwise."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        if os.path.lexists(target):
            raise StoreError(f"There is a file {target} by now; name another.")
        draft.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {(error.strerror or str(error)).lower()}.") from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                Path(f"{draft}{suffix}").unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not on every system
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _copy(source: Path, draft: Path, told: Told) -> None:
    """Copy all pages as they stand now; writers go on, and what they write is not in the copy."""

    def progress(status: int, left: int, total: int) -> None:
        told(total - left, total)

    try:
        with closing(_opened(source)) as here, closing(_opened(draft)) as there:
            here.execute("BEGIN")
            here.execute("SELECT COUNT(*) FROM warptape_store").fetchone()  # from here on it reads this moment
            here.backup(there, pages=PAGES, progress=progress)
            there.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    except sqlite3.Error as error:
        raise StoreError(f"The store {source} could not be copied: {error}.") from error


def _checked(file: Path, shown: Path) -> None:
    """Raise StoreError unless a file is a whole store of a version that is known here."""
    try:
        with closing(_opened(file)) as connection:
            (fault,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if fault != "ok":
                raise StoreError(f"{shown} is damaged: {' '.join(fault.split())}. `warptape doctor` says more.")
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'warptape_store'").fetchone():
                raise StoreError(f"{shown} is the database of another program.")
            found = connection.execute("SELECT version FROM warptape_store").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"{shown} is damaged: {error}.") from error
    migrations.checked(str(shown), found[0] if found else None)


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, isolation_level=None, timeout=PATIENCE)
