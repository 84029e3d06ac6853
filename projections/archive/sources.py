"""Where an archive gets games from: a store, a folder of log files, or files named one by one."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

import msgspec

from ... import __version__
from ...domain.errors import StoreError
from ...domain.rules import GROUP
from ...replays.paths import opened, typed
from ...replays.shelf import NAMES
from ...replays.store import Store
from .tables import VERSION

ENDINGS = (".tape.jsonl", ".tape.jsonl.gz")
FILES = "files"
"""The source of files that are named one by one: what is not named again stays as it is."""

COUNTED = tuple(number for number, name in enumerate(NAMES) if name not in ("secrets", "key_public"))
LINEAGE, LENGTH = NAMES.index("lineage"), NAMES.index("length")

_ancestors = msgspec.json.Decoder(list[tuple[str, int]])


class Found(msgspec.Struct, frozen=True):
    """A game of a source: what it is there, and a mark that changes whenever the game does.

    A file has no mark yet: that is worked out when it is read. `size` is about how many events it has.
    """

    item: str
    mark: str
    size: int


class Source(Protocol):
    """Where games come from. `name` is what the archive knows it by; `url` is where other processes find a store."""

    name: str
    url: str

    def count(self) -> int:
        """How many games there are."""
        ...

    def games(self) -> Iterator[Found]:
        """Yield the games, streaming."""
        ...

    def there(self, items: Collection[str]) -> set[str]:
        """Those of some items that are still there."""
        ...


class StoreSource:
    """All games of a store; without a `url`, as of one in memory, other processes cannot help."""

    def __init__(self, store: Store, url: str = "") -> None:
        self.store = store
        # One file is one source, however it is spelled: `games.db`, `../here/games.db`, a link to it.
        self.name = os.path.realpath(store.name) if os.path.isabs(store.name) else store.name
        self.url = "" if url == ":memory:" else url

    def count(self) -> int:
        """Return how many games there are."""
        return self.store.count()

    def games(self) -> Iterator[Found]:
        """Yield what the shelf says: a rename, other holders of seats and the end of an ancestor count as changes."""
        begin = stamp()
        for record in self.store.records():
            parts = [record[number] for number in COUNTED]
            if record[LINEAGE] != "[]":
                parts += sorted(self.store.which(_of(record[LINEAGE]), on=True))
            length = record[LENGTH]
            yield Found(record[0], _digest(begin, *parts), int(length) if length.isdigit() else 0)

    def there(self, items: Collection[str]) -> set[str]:
        """Return those of some items that are still there."""
        return self.store.which(items)


class FileSource:
    """Log files that are named one by one; none of them is ever gone."""

    url = ""

    def __init__(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        self.name = FILES
        self.paths = list(dict.fromkeys(os.path.abspath(typed(path)) for path in paths))

    def count(self) -> int:
        """Return how many games there are."""
        return len(self.paths)

    def games(self) -> Iterator[Found]:
        """Yield the games, streaming."""
        for path in self.paths:
            yield _file(path)

    def there(self, items: Collection[str]) -> set[str]:
        """Return those of some items that are still there."""
        return {*items}


class FolderSource:
    """The log files straight in a folder; raises StoreError when it cannot be read."""

    url = ""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.path.abspath(typed(path))

    def _paths(self) -> Iterator[str]:
        try:
            with os.scandir(self.name) as entries:
                yield from (entry.path for entry in entries if entry.name.endswith(ENDINGS))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise StoreError(f"The folder {self.name} cannot be read: {reason}.") from error

    def count(self) -> int:
        """Return how many games there are."""
        return sum(1 for _ in self._paths())

    def games(self) -> Iterator[Found]:
        """Yield the games, streaming."""
        for path in sorted(self._paths()):
            yield _file(path)

    def there(self, items: Collection[str]) -> set[str]:
        """Return those of some items that are still there."""
        return {item for item in items if os.path.lexists(item)}


def _file(path: str) -> Found:
    try:
        size = Path(path).stat().st_size
    except (OSError, ValueError):  # whoever reads it says so
        size = 0
    return Found(path, "", size // 200 + 1)


def file_mark(path: str) -> str:
    """Return the mark of a log file: a digest of its bytes. Raises OSError."""
    digest = hashlib.sha256(stamp().encode())
    with opened(Path(path)) as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()[:32]


@cache
def stamp() -> str:
    """Return what every mark rests on: with another warptape, or another package of rulesets, all is projected anew."""
    packages = sorted(
        f"{point.name} {point.dist.name if point.dist else ''} {point.dist.version if point.dist else ''}"
        for point in entry_points(group=GROUP)
    )
    return _digest(str(VERSION), __version__, *packages)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _of(lineage: str) -> list[str]:
    try:
        return [game for game, _ in _ancestors.decode(lineage)]
    except (msgspec.MsgspecError, RecursionError):  # damaged: whoever reads the game says so
        return []
