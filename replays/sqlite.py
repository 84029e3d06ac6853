"""The store in one SQLite file, or in memory: write-ahead log, every commit synchronised to the disk."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import cast

from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import ConnectionPoolClosedError, IntegrityError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteProcessRecorder,
)

from ..domain.errors import StoreError
from . import migrations
from .paths import typed
from .reader import Busy, Clash, Cursor, NoRoom, ReadOnly, gathered
from .shelf import Row
from .store import Store

MAGIC = b"SQLite format 3\0"  # how an SQLite file begins
PATIENCE = 10  # seconds to wait for another writer
TABLES = (  # of version 1; what came later stands in migrations.py
    "CREATE TABLE warptape_games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,"
    " ruleset TEXT NOT NULL, ruleset_version TEXT NOT NULL, content TEXT NOT NULL, created TEXT NOT NULL,"
    " changed TEXT NOT NULL, first INTEGER NOT NULL, length INTEGER NOT NULL, head TEXT NOT NULL,"
    " outcome TEXT NOT NULL, parent TEXT, seats TEXT NOT NULL, lineage TEXT NOT NULL, secrets TEXT NOT NULL,"
    " key_public INTEGER NOT NULL, extra TEXT NOT NULL)",
    "CREATE INDEX warptape_games_parent ON warptape_games (parent) WHERE parent IS NOT NULL",
    "CREATE INDEX warptape_games_newest ON warptape_games (changed, created, number)",
    "CREATE INDEX warptape_rewinds ON stored_events (originator_id, originator_version) WHERE topic = 'Rewound'",
    "CREATE INDEX warptape_versions ON stored_events (originator_id, originator_version)"
    " WHERE topic IN ('GameOpened', 'VersionChanged')",
    "CREATE TABLE warptape_keys (game TEXT, key TEXT, position INTEGER NOT NULL, PRIMARY KEY (game, key))"
    " WITHOUT ROWID",
    "CREATE TABLE warptape_contents (digest TEXT PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE warptape_snapshots (game TEXT, schema TEXT, position INTEGER, data BLOB NOT NULL,"
    " PRIMARY KEY (game, schema, position))",
)


class Pool(SQLiteConnectionPool):
    """The library's pool, with every commit on the disk and a cache of prepared statements (the library's holds one)."""

    def _create_connection(self) -> SQLiteConnection:
        connection = sqlite3.connect(
            self.db_name, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            if not self.is_sqlite_memory_mode:
                if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                    connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
        except BaseException:
            connection.close()
            raise
        connection.row_factory = sqlite3.Row  # the library's recorders read columns by name
        return SQLiteConnection(connection, max_age=self.max_age)


class Datastore(SQLiteDatastore):
    """The library's datastore on our pool, with text for ids."""

    def __init__(self, db_name: str) -> None:
        super().__init__(db_name, originator_id_type="text")
        self.pool = Pool(db_name=db_name, pool_timeout=PATIENCE)


class SQLiteStore(Store):
    """A store in an SQLite file; `:memory:` is a database of its own, gone when the store is closed."""

    # SQLite keeps any type in any column: an event that another program wrote as text, or as nothing, is read as bytes
    # and judged as any other.
    notice = "rowid"
    payload = "IFNULL(CAST(state AS BLOB), x'')"

    tables = TABLES
    merge = "json_patch(secrets, ?)"

    def __init__(self, path: str) -> None:
        self.name = path
        if path == ":memory:":
            # A bare ":memory:" would be another database for each connection of the pool.
            self._database = f"file:warptape-{uuid.uuid4().hex}?mode=memory&cache=shared"
        else:
            file = typed(path).absolute()
            self.name = self._database = str(file)
            self._prepare(file)
        deadline = time.monotonic() + PATIENCE
        while True:
            # SQLite does not wait when two starts turn one new file to write-ahead logging: one is to try again. A
            # datastore whose first connection failed keeps its lock, hence a new one each time.
            self.datastore = Datastore(self._database)
            self.recorder: SQLiteProcessRecorder = SQLiteProcessRecorder(self.datastore)
            try:
                self._create_tables()
                return
            except Busy:
                self.close()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            except BaseException:
                self.close()
                raise

    def _prepare(self, file: Path) -> None:
        """Make the folder; look at a file before it is opened for writing, so that a foreign one is not touched."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.is_dir():
                raise StoreError(f"{file} is a folder; a store is a file.")
            if file.exists() and not file.is_file():
                raise StoreError(f"{file} is a pipe or a device; a store is a file.")
            if not file.exists() or file.stat().st_size == 0:
                return
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise StoreError(f"The store {file} cannot be opened: {reason} ({error.filename}).") from error
        try:
            if file.is_file():
                with file.open("rb") as start:
                    if start.read(len(MAGIC)) != MAGIC:  # SQLite would take a file of one byte for an empty one
                        raise StoreError(f"{self.name} is not a store: it is no SQLite file, or it is encrypted.")
            connection = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=PATIENCE)
            try:
                tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise self._explain(error) from error
        except OSError as error:
            raise StoreError(f"The store {file} cannot be opened: {(error.strerror or str(error)).lower()}.") from error
        if tables and "warptape_store" not in tables:
            raise self._foreign()

    def _create_tables(self) -> None:
        with self.transaction(write=False) as cursor:
            cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'warptape_store'")
            there = cursor.fetchone() is not None
        with self.transaction(write=not there) as cursor:
            if not there:
                cursor.execute("CREATE TABLE IF NOT EXISTS warptape_store (version INTEGER NOT NULL)")
            version = migrations.found(cursor)
            if version is None and not there:  # otherwise another start made them while we waited
                cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                if [name for (name,) in cursor.fetchall() if name != "warptape_store"]:
                    raise self._foreign()
                self.recorder._create_table(SQLiteCursor(cast(sqlite3.Cursor, cursor)))
                for statement in TABLES:
                    cursor.execute(statement)
                migrations.make(cursor)
                return
            known = migrations.checked(self.name, version)
        migrations.upgrade(partial(self.transaction, write=True), self.name, known)

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Cursor]:
        """Return what `Reader.transaction` says."""
        try:
            with self.datastore.transaction(commit=write) as wrapped:
                cursor = wrapped.sqlite_cursor
                cursor.row_factory = None  # plain tuples
                yield cursor
        except (sqlite3.Error, EventSourcingError, UnicodeError, OverflowError) as error:
            raise self._explain(error) from error

    def _insert(self, cursor: Cursor, game: str, rows: Sequence[Row]) -> None:
        events = [StoredEvent(game, position, kind, data) for position, kind, data in rows]
        self.recorder._insert_events(SQLiteCursor(cast(sqlite3.Cursor, cursor)), events)

    def shape(self) -> dict[str, set[str]]:
        """Return what `Reader.shape` says."""
        with self.transaction(write=False) as cursor:
            cursor.execute(
                "SELECT m.name, c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c"
                " WHERE m.type = 'table'"
                " UNION ALL SELECT '', name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            )
            return gathered(cursor.fetchall())

    def close(self) -> None:
        """Close all connections; a store in memory is gone."""
        with suppress(sqlite3.Error, EventSourcingError):
            self.datastore.close()

    def _foreign(self) -> StoreError:
        return StoreError(f"{self.name} is the database of another program; name another file for the store.")

    def _explain(self, error: Exception) -> StoreError:
        """The sentence for an error of sqlite3 or of the library."""
        text = str(error).lower()
        if isinstance(error, UnicodeError):
            return StoreError("A text for the store is not valid Unicode; nothing was recorded.")
        if isinstance(error, (sqlite3.IntegrityError, IntegrityError)):
            return Clash(f"The store {self.name} refused a row: {text}.")
        if isinstance(error, ConnectionPoolClosedError):
            return StoreError(f"The store {self.name} is closed.")
        if "locked" in text or "busy" in text or "timed out" in text:
            return Busy(f"The store {self.name} is in use by another program; try again.")
        if "not a database" in text:
            return StoreError(f"{self.name} is not a store: it is no SQLite file, or it is encrypted.")
        if "unable to open" in text:
            return StoreError(f"The store {self.name} cannot be opened: check that you may write there.")
        if "readonly" in text:
            return ReadOnly(f"The store {self.name} may only be read: check its permissions and its folder's.")
        if "full" in text:
            return NoRoom(f"The disk of the store {self.name} is full; nothing was recorded.")
        if "malformed" in text or "no such" in text:
            return StoreError(f"The store {self.name} is damaged: {text}.")
        return StoreError(f"The store {self.name} failed: {text or type(error).__name__}.")
