"""What an SQLite file is asked: its pages, its place on the disk, its write-ahead log."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from .checkup import FROM_BACKUP, changed
from .complaints import Complaint, cache, damage
from .sqlite import SQLiteStore

MOST = 10
"""Faults of the file that are told of: of one there are often many."""
ROOM = 64 * 2**20
"""Bytes that should be free beside a store, and that its write-ahead log may have."""
INDEX = ("from index", "in index")


def file(store: SQLiteStore, repair: bool) -> Iterator[Complaint]:
    """Yield what is wrong inside the file; a repair makes indexes anew, and no rows."""
    faults = [str(row[0]) for row in _asked(store, f"PRAGMA integrity_check({MOST})") if row[0] != "ok"]
    rest = [fault for fault in faults if not any(words in fault for words in INDEX)]
    if faults and not rest:
        text = f"an index does not fit its table ({faults[0]})"
        done = changed(store, "the indexes were made anew", "REINDEX") if repair else ""
        if done and [row for row in _asked(store, "PRAGMA integrity_check(1)") if row[0] != "ok"]:
            done = ""
        yield cache("database", text, done)
    for fault in rest:
        yield damage("database", f"the file is damaged: {' '.join(fault.split())}", FROM_BACKUP)
    for table, row, other, _ in _asked(store, "PRAGMA foreign_key_check"):
        yield damage("database", f"row {row} of {table} refers to nothing in {other}", FROM_BACKUP)


def _asked(store: SQLiteStore, sql: str) -> list[tuple[object, ...]]:
    with store.transaction(write=False) as cursor:
        cursor.execute(sql)
        return [tuple(row) for row in cursor.fetchall()]


def place(store: SQLiteStore, repair: bool) -> Iterator[Complaint]:
    """Yield what is wrong with the file's place: who may read and write it, the space beside it, its log."""
    path = Path(store.name)
    if not path.is_file():
        return  # it is in memory
    size = path.stat().st_size
    for what in (path, path.parent):
        if not os.access(what, os.W_OK):
            text = f"{what} may not be written by you, so nothing can be recorded"
            yield Complaint("risk", "place", text, "Change its permissions, or its owner.")
    mode = path.stat().st_mode
    if os.name == "posix" and mode & 0o022:
        text = f"others than you may write {path}"
        yield Complaint("risk", "place", text, f"`chmod go-w {path}` ends that.")
    elif os.name == "posix" and mode & 0o044:
        text = f"other users of this machine may read {path}, and the secrets of games in it"
        yield Complaint("note", "place", text, f"`chmod go= {path}` ends that.")
    free = shutil.disk_usage(path.parent).free
    if free < max(ROOM, size // 4):
        text = f"the disk has {free / 2**20:,.0f} MB left, and the store takes {size / 2**20:,.0f} MB"
        yield Complaint("risk", "place", text, "Make room: when the disk is full nothing can be recorded.")
    ((journal,),) = _asked(store, "PRAGMA journal_mode")
    if journal != "wal":
        text = f"the file has no write-ahead log (journal mode {journal}): readers keep writers waiting"
        yield Complaint("risk", "place", text, "Is it on a network drive? Keep it on a disk of this machine.")
    log = Path(f"{path}-wal")
    waiting = log.stat().st_size if log.exists() else 0
    if waiting > max(ROOM, size):
        text = f"the write-ahead log has grown to {waiting / 2**20:,.0f} MB: some program reads for very long"
        yield cache("place", text, _checkpointed(path) if repair else "")


def _checkpointed(path: Path) -> str:
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=1)) as connection:
            busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    except sqlite3.Error:
        return ""
    return "" if busy else "it was moved into the file"
