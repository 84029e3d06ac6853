"""The store on a PostgreSQL server, in one schema; imported only when a `postgresql://` URL is opened."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, cast

import psycopg
from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from eventsourcing.postgres import PostgresDatastore, PostgresProcessRecorder
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Identifier
from psycopg_pool import PoolClosed

from ..domain.errors import StoreError
from . import migrations
from .postgres_place import PATIENCE, place_of
from .reader import Busy, Clash, Cursor, NoRoom, ReadOnly, gathered
from .shelf import Row
from .store import Store

LOCK = 0x7761727074617065  # the advisory lock of those who make tables: "warptape"
BUSY = (psycopg.errors.LockNotAvailable, psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)
READ_ONLY = (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.InsufficientPrivilege)
TABLES = (  # of version 1; what came later stands in migrations.py
    'CREATE TABLE warptape_games (number BIGSERIAL PRIMARY KEY, id TEXT COLLATE "C" NOT NULL UNIQUE,'
    ' name TEXT COLLATE "C" NOT NULL UNIQUE, ruleset TEXT NOT NULL, ruleset_version TEXT NOT NULL, content TEXT NOT NULL,'
    ' created TEXT COLLATE "C" NOT NULL, changed TEXT COLLATE "C" NOT NULL, first BIGINT NOT NULL,'
    " length BIGINT NOT NULL, head TEXT NOT NULL, outcome TEXT NOT NULL,"
    ' parent TEXT COLLATE "C" REFERENCES warptape_games (id), seats TEXT NOT NULL, lineage TEXT NOT NULL,'
    " secrets TEXT NOT NULL, key_public INTEGER NOT NULL, extra TEXT NOT NULL)",
    "CREATE INDEX warptape_games_parent ON warptape_games (parent) WHERE parent IS NOT NULL",
    "CREATE INDEX warptape_games_newest ON warptape_games (changed, created, number)",
    "CREATE INDEX warptape_rewinds ON stored_events (originator_id, originator_version) WHERE topic = 'Rewound'",
    "CREATE INDEX warptape_versions ON stored_events (originator_id, originator_version)"
    " WHERE topic IN ('GameOpened', 'VersionChanged')",
    "CREATE TABLE warptape_keys (game TEXT, key TEXT, position BIGINT NOT NULL, PRIMARY KEY (game, key))",
    "CREATE TABLE warptape_contents (digest TEXT PRIMARY KEY, data BYTEA NOT NULL)",
    "CREATE TABLE warptape_snapshots (game TEXT, schema TEXT, position BIGINT, data BYTEA NOT NULL,"
    " PRIMARY KEY (game, schema, position))",
    "CREATE TABLE warptape_store (version INTEGER NOT NULL)",
)


@functools.lru_cache(maxsize=256)
def translate(sql: str, schema: str) -> bytes:
    """The store's SQL for PostgreSQL: `%s` for `?`, and its tables named with the schema they stand in."""
    table = r"(?<=FROM )|(?<=INTO )|(?<=UPDATE )|(?<=JOIN )|(?<=TABLE )|(?<=REFERENCES )|(?<= ON )"
    sql = re.sub(
        rf"(?:{table})(warptape_(?:games|keys|contents|snapshots|store|tokens)|stored_events)\b", rf"{schema}.\1", sql
    )
    return sql.replace("%", "%%").replace("?", "%s").encode()


class PostgresCursor:
    """A cursor in a pipeline: statements travel together, and asking for a result waits for them."""

    def __init__(self, raw: psycopg.Cursor[tuple[object, ...]], schema: str, pipeline: psycopg.Pipeline | None) -> None:
        self.raw = raw
        self._schema = schema
        self._pipeline = pipeline

    def execute(self, sql: str, params: Sequence[object] = (), /) -> object:
        return self.raw.execute(translate(sql, self._schema), params)

    def sync(self) -> None:
        """Wait for what was sent; a statement that failed raises its error here."""
        if self._pipeline is not None:
            self._pipeline.sync()

    @property
    def rowcount(self) -> int:
        self.sync()
        return self.raw.rowcount

    def fetchone(self) -> tuple[object, ...] | None:
        return self.raw.fetchone()

    def fetchall(self) -> list[tuple[object, ...]]:
        return self.raw.fetchall()


class PostgresStore(Store):
    """A store in one schema of a PostgreSQL database (`?schema=NAME`, made if missing; `public` by default)."""

    schema: str
    """The schema that its tables stand in."""

    shut = "LOCK TABLE warptape_games IN SHARE ROW EXCLUSIVE MODE"
    tables = TABLES
    merge = "(secrets::jsonb || ?::jsonb)::text"

    def __init__(self, url: str) -> None:
        self.place = place_of(url)
        self.name, self.schema = self.place.name, self.place.schema
        self._connect: dict[str, Any] = {**self.place.parameters, "row_factory": dict_row}
        self._create_tables()
        self.datastore = self._datastore()
        try:
            self.recorder: PostgresProcessRecorder = PostgresProcessRecorder(self.datastore)
        except (psycopg.Error, EventSourcingError) as error:
            self.close()
            raise self._explain(error) from error

    def _datastore(self) -> PostgresDatastore:
        """The library's datastore: its pool opens when it is first used."""
        datastore = PostgresDatastore(
            *("", "", "", "", ""),
            connect_timeout=PATIENCE,
            idle_in_transaction_session_timeout=3 * PATIENCE,
            max_overflow=9,
            lock_timeout=PATIENCE,
            schema=self.schema,
            originator_id_type="text",
        )
        # The library takes five parameters of a connection; the URL may hold any (sslmode, a service, options).
        datastore.pool.kwargs = self._connect
        return datastore

    def _create_tables(self) -> None:
        """Make schema and tables once, or bring them to today's version: under an advisory lock, all or nothing."""
        try:
            with psycopg.connect(**self._connect, autocommit=True) as connection:
                if self._version(connection) is None:
                    with self._alone(connection) as cursor:
                        if self._version(connection) is None:  # otherwise another start made them while we waited
                            self._make(connection)
                            migrations.make(cursor)
                version = migrations.checked(self.name, self._version(connection))
                migrations.upgrade(partial(self._alone, connection), self.name, version)
        except (psycopg.Error, EventSourcingError) as error:
            raise self._explain(error) from error

    @contextmanager
    def _alone(self, connection: psycopg.Connection[DictRow]) -> Iterator[Cursor]:
        """One transaction of the only process that makes or changes tables now."""
        try:
            with connection.transaction(), connection.cursor(row_factory=tuple_row) as raw:
                raw.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
                yield PostgresCursor(raw, self.schema, None)
        except psycopg.Error as error:
            raise self._explain(error) from error

    def _make(self, connection: psycopg.Connection[DictRow]) -> None:
        """Make the schema and the tables of version 1."""
        if self._exists(connection, "stored_events") or self._exists(connection, "warptape_games"):
            raise StoreError(
                f"The schema {self.schema!r} of {self.name} holds the events of another program;"
                " choose another with ?schema=NAME."
            )
        if self.schema != "public":
            connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(self.schema)))
        # The constructor looks for its types through the pool, so it gets one that it may throw away.
        with self._datastore() as datastore, connection.cursor() as cursor:
            recorder = PostgresProcessRecorder(datastore)
            for statement in recorder.sql_create_statements:
                if "CREATE TYPE" in statement.as_string():
                    cursor.execute(statement)
            recorder._create_table(cursor)
            for table in TABLES:
                cursor.execute(translate(table, self.schema))

    def _exists(self, connection: psycopg.Connection[DictRow], table: str) -> bool:
        query = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s"
        return connection.execute(query, (self.schema, table)).fetchone() is not None

    def _version(self, connection: psycopg.Connection[DictRow]) -> object:
        if not self._exists(connection, "warptape_store"):
            return None
        found = connection.execute(translate("SELECT version FROM warptape_store", self.schema)).fetchone()
        return found["version"] if found else None

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Cursor]:
        """Return what `Reader.transaction` says."""
        try:
            with self.datastore.get_connection() as connection:
                if not write:  # one statement: a transaction of its own
                    with connection.cursor(row_factory=tuple_row) as raw:
                        yield PostgresCursor(raw, self.schema, None)
                    return
                with (
                    connection.pipeline() as pipeline,
                    connection.transaction(),
                    connection.cursor(row_factory=tuple_row) as raw,
                ):
                    cursor = PostgresCursor(raw, self.schema, pipeline)
                    yield cursor
                    cursor.sync()
        except (psycopg.Error, EventSourcingError, UnicodeError) as error:
            if isinstance(error, (psycopg.OperationalError, OperationalError)):
                with suppress(psycopg.Error):
                    self.datastore.pool.check()  # one lost connection is told of, not each of the pool in turn
            raise self._explain(error) from error

    def _insert(self, cursor: Cursor, game: str, rows: Sequence[Row]) -> None:
        assert isinstance(cursor, PostgresCursor)
        events = [StoredEvent(game, position, kind, data) for position, kind, data in rows]
        self.recorder._insert_stored_events(cast("psycopg.Cursor[DictRow]", cursor.raw), events)
        cursor.sync()

    def tell(self, cursor: Cursor, game: str) -> None:
        """Do what `Store.tell` says."""
        cursor.execute("SELECT pg_notify(?, ?)", (self.recorder.channel_name, game))

    def shape(self) -> dict[str, set[str]]:
        """Return what `Reader.shape` says."""
        with self.transaction(write=False) as cursor:
            cursor.execute(
                "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = ?"
                " UNION ALL SELECT '', indexname FROM pg_catalog.pg_indexes WHERE schemaname = ?",
                (self.schema, self.schema),
            )
            return gathered(cursor.fetchall())

    def at_hand(self) -> bool:
        """Return what `Store.at_hand` says."""
        return self.datastore.pool.get_stats().get("pool_available", 0) > 0

    def close(self) -> None:
        """Close all connections."""
        with suppress(psycopg.Error, EventSourcingError):
            self.datastore.close()

    def _explain(self, error: Exception) -> StoreError:
        """The sentence for an error of psycopg or of the library."""
        if isinstance(error, UnicodeError):
            return StoreError("A text for the store is not valid Unicode; nothing was recorded.")
        said = self.place.said(error)
        cause = error if isinstance(error, psycopg.Error) else error.__cause__
        if isinstance(cause, PoolClosed):
            return StoreError(f"The store {self.name} is closed.")
        if isinstance(error, (psycopg.IntegrityError, IntegrityError)):
            return Clash(f"The store {self.name} refused a row: {said}.")
        if isinstance(cause, READ_ONLY):
            return ReadOnly(f"The store {self.name} may only be read: {said}.")
        if isinstance(cause, BUSY):
            return Busy(f"The store {self.name} is in use by another program ({said}); try again.")
        if isinstance(cause, psycopg.errors.DiskFull):
            return NoRoom(f"The disk of the store {self.name} is full ({said}); nothing was recorded.")
        if isinstance(error, (psycopg.OperationalError, OperationalError)):
            return StoreError(f"The store {self.name} does not answer: {said}.")
        return StoreError(f"The store {self.name} failed: {said}.")
