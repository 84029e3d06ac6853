"""What tests of archives share: an archive as plain rows, a fresh one to compare with, and that nothing in it is broken."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from warptape.projections.archive import TABLES, Archive, Source
from warptape.projections.archive.tables import BY_NAME, Table

Rows = dict[str, list[tuple[Any, ...]]]
Sources = Callable[[], list[Source]]

_numbers = itertools.count()


def _rows(connection: sqlite3.Connection, table: Table) -> list[tuple[Any, ...]]:
    names = ", ".join(f"[{name}]" for name in (table.names[1:] if table.numbered else table.names))
    return connection.execute(f"SELECT {names} FROM [{table.name}] ORDER BY {', '.join(table.key)}").fetchall()


def column(table: str, name: str) -> int:
    """Where a column stands in the rows of a table."""
    return BY_NAME[table].names.index(name)


def dump(path: Path) -> Rows:
    """All rows, ordered by key, and what is tracked; without the numbers that SQLite gives sentences."""
    connection = sqlite3.connect(path)
    try:
        found = {table.name: _rows(connection, table) for table in TABLES}
        found["tracking"] = connection.execute("SELECT * FROM tracking ORDER BY source, item").fetchall()
    finally:
        connection.close()
    return found


def fresh(sources: Sources, folder: Path) -> Rows:
    """The rows of an archive that is built at once."""
    path = folder / f"fresh-{next(_numbers)}.db"
    with Archive(path) as archive:
        archive.follow(*sources())
    return dump(path)


def sound(path: Path) -> None:
    """SQLite finds nothing wrong: no row without its event or game, and full-text search holds the story as it is."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO story_fts (story_fts, rank) VALUES ('integrity-check', 1)")
        told = connection.execute("SELECT count(*) FROM story").fetchone()
        assert connection.execute("SELECT count(*) FROM story_fts_docsize").fetchone() == told
    finally:
        connection.close()


def same(path: Path, sources: Sources, folder: Path) -> None:
    """An archive holds what a fresh one holds, and is sound."""
    mine, theirs = dump(path), fresh(sources, folder)
    for table in theirs:
        assert mine[table] == theirs[table], table
    sound(path)
