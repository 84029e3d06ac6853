"""Builds an archive and follows its sources: what is new in a store or file is put in once, whatever interrupts it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
import sqlite_utils

from ...domain.errors import StoreError, WarptapeError
from ...replays.game import Game
from ...replays.library import Library
from ...replays.processes import in_order
from ...replays.shelf import Shelf
from ...replays.store import Store, open_store
from ...replays.tape import Tape
from .rows import Rows, project
from .tables import BY_NAME, TABLES, TRACKING, VERSION, VIEWS

ROWS_A_TRANSACTION = 20_000
"""After about so many rows what was put in is made safe: few enough to lose, enough to be fast."""


class Task(msgspec.Struct, frozen=True):
    """A game to project: the one with the id `game` of a store, or the log file at `path`."""

    source: str
    game: str = ""
    store: str = ""
    path: str = ""


class Projected(msgspec.Struct, frozen=True):
    """What came of a task: the game's id, how far it goes, and its rows; or the error that kept it out."""

    task: Task
    game: str
    length: int = 0
    head: str = ""
    finished: bool = False
    rows: Rows = {}
    error: str = ""


class Followed(msgspec.Struct):
    """What a run changed: games put in, put in anew, taken out, left as they were; rows; and what could not be read."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    rows: int = 0
    failed: list[str] = []

    def text(self) -> str:
        """Return it as a sentence."""
        parts = [
            (self.added, "added"),
            (self.updated, "updated"),
            (self.removed, "removed"),
            (self.unchanged, "unchanged"),
        ]
        said = ", ".join(f"{count} {what}" for count, what in parts if count) or "nothing to do"
        return f"{said}; {self.rows:,} rows written." if self.rows else f"{said}."


class Archive:
    """An analysis database: a context manager that closes it. A file that is none, or of another form, is refused.

    Raises StoreError when the file cannot be opened, is no archive, or was made by another version.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self.connection = sqlite3.connect(self.path, isolation_level=None, timeout=60)
            self.connection.execute("PRAGMA journal_mode = WAL")
            # What is lost when the power fails is built again.
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self.db = sqlite_utils.Database(self.connection, execute_plugins=False)
            self._open()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"The archive {path} cannot be opened: {error}.") from error

    def _open(self) -> None:
        names = set(self.db.table_names())
        if not names:
            self._create()
        found = self._value("form") if "archive" in names or not names else None
        if found is None:
            raise StoreError(f"{self.path} is a database, but no archive. Name another file.")
        if found != str(VERSION):
            raise StoreError(
                f"The archive {self.path} was made by another version of warptape. Delete it and build it again: all of it "
                "comes from your games."
            )

    def _create(self) -> None:
        """Make all tables at once, or none."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in filter(None, (part.strip() for part in TRACKING.split(";"))):
                self.connection.execute(statement)
            for table in TABLES:
                self.connection.execute(table.sql())
                for column in table.indexes:
                    self.connection.execute(f"CREATE INDEX [{table.name}_{column}] ON [{table.name}] ([{column}])")
            for statement in FULL_TEXT:
                self.connection.execute(statement)
            for name, select in VIEWS.items():
                self.connection.execute(f"CREATE VIEW [{name}] AS {select.strip()}")
            self.connection.execute("INSERT INTO archive VALUES ('form', ?)", (str(VERSION),))
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise

    def _value(self, name: str) -> str | None:
        row = self.connection.execute("SELECT value FROM archive WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    # Following

    def follow(
        self, library: Library[Any], url: str = "", jobs: int = 1, done: Callable[[], None] = lambda: None
    ) -> Followed:
        """Put in all that is new in a store, take out what was deleted there, and leave the rest as it is.

        `url` is where other processes find the store, of which `jobs` share the work; without it this one does it all.
        """
        store, source = library.store, library.store.name
        known = self._known(source)
        shelves = {shelf.id: shelf for shelf in library.games()}
        followed = Followed()
        tasks = []
        for game in sorted(shelves):
            if known.get(game) == (shelves[game].length, shelves[game].head):
                followed.unchanged += 1
                done()
            else:
                tasks.append(Task(source, game, url))
        gone = sorted(known.keys() - shelves.keys())
        self._put(source, projected(tasks, jobs if url else 1, {url: store}), known, followed, done, gone)
        return followed

    def add_files(self, paths: Iterable[str], jobs: int = 1, done: Callable[[], None] = lambda: None) -> Followed:
        """Put the games of log files in; a file that was put in and has not changed is left as it is."""
        followed = Followed()
        tasks = [Task(FILES, path=path) for path in paths]
        self._put(FILES, projected(tasks, jobs, {}), self._known(FILES), followed, done, ())
        return followed

    def _known(self, source: str) -> dict[str, tuple[int, str]]:
        found = self.connection.execute("SELECT game, length, head FROM tracking WHERE source = ?", (source,))
        return {game: (length, head) for game, length, head in found}

    def _put(
        self,
        source: str,
        games: Iterator[Projected],
        known: dict[str, tuple[int, str]],
        followed: Followed,
        done: Callable[[], None],
        gone: Sequence[str],
    ) -> None:
        """Put games in, some a transaction: each with its tracking, so that every one is in whole and once, or not at all."""
        execute, open_rows = self.connection.execute, 0
        try:
            execute("BEGIN IMMEDIATE")
            for game in gone:
                self._take_out(game)
                followed.removed += 1
            for one in games:
                done()
                if one.error:
                    followed.failed.append(one.error)
                    continue
                if known.get(one.game) == (one.length, one.head):
                    followed.unchanged += 1
                    continue
                self._take_out(one.game)
                count = self._insert(source, one)
                followed.updated += one.game in known
                followed.added += one.game not in known
                followed.rows += count
                known[one.game] = (one.length, one.head)
                open_rows += count
                if open_rows >= ROWS_A_TRANSACTION:
                    execute("COMMIT")
                    execute("BEGIN IMMEDIATE")
                    open_rows = 0
            execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"The archive {self.path} cannot be written: {error}.") from error
        finally:
            if self.connection.in_transaction:
                execute("ROLLBACK")

    def _insert(self, source: str, one: Projected) -> int:
        count = 0
        for name, rows in one.rows.items():
            if rows:
                self.connection.executemany(BY_NAME[name].insert(), rows)
                count += len(rows)
        self.connection.execute(
            "INSERT INTO tracking VALUES (?, ?, ?, ?, ?)", (source, one.game, one.length, one.head, int(one.finished))
        )
        return count

    def _take_out(self, game: str) -> None:
        for table in TABLES:
            column = "id" if table.name == "games" else "game"
            self.connection.execute(f"DELETE FROM [{table.name}] WHERE [{column}] = ?", (game,))
        self.connection.execute("DELETE FROM tracking WHERE game = ?", (game,))


FILES = "files"
"""The source that log files are tracked under: each by the digest of its chain."""

FULL_TEXT = (
    "CREATE VIRTUAL TABLE story_fts USING fts5 (text, content='story', tokenize='porter unicode61')",
    "CREATE TRIGGER story_in AFTER INSERT ON story BEGIN "
    "INSERT INTO story_fts (rowid, text) VALUES (new.rowid, new.text); END",
    "CREATE TRIGGER story_out AFTER DELETE ON story BEGIN "
    "INSERT INTO story_fts (story_fts, rowid, text) VALUES ('delete', old.rowid, old.text); END",
)


def projected(tasks: Sequence[Task], jobs: int, stores: dict[str, Store]) -> Iterator[Projected]:
    """Yield what comes of each task, in order; `jobs` processes share them, each with a connection of its own."""
    if jobs > 1 and len(tasks) > 1:
        yield from in_order(_projected, tasks, min(jobs, len(tasks)))
        return
    for task in tasks:
        yield _projected(task, stores)


_opened: dict[str, Store] = {}


def _projected(task: Task, stores: dict[str, Store] | None = None) -> Projected:
    """Project one game; an error is returned, so that one bad log does not stop the others."""
    label = task.path or task.game
    try:
        if task.path:
            library: Library[Game]
            with Library(":memory:") as library:
                shelf: Shelf = library.load(task.path).shelf
                return _whole(task, Tape(library.store, shelf), _identity(shelf))
        kept = _opened if stores is None else stores
        if task.store not in kept:
            kept[task.store] = open_store(task.store)
        store = kept[task.store]
        return _whole(task, Tape(store, store.shelf(task.game)), task.game)
    except WarptapeError as error:
        return Projected(task, label, error=f"{label}: {error}")


def _whole(task: Task, tape: Tape, game: str) -> Projected:
    rows = project(tape, game)
    shelf = tape.shelf
    return Projected(task, game, shelf.length, shelf.head, bool(rows["games"][0][14]), rows)


def _identity(shelf: Shelf) -> str:
    """Return an id for the game of a file: the beginning of its chain's digest, the same wherever it is read."""
    return shelf.head[:16]
