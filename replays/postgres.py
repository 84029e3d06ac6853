"""The store on a PostgreSQL server, in one schema; imported only when a `postgresql://` URL is opened."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, cast
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import psycopg
from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from eventsourcing.postgres import PostgresDatastore, PostgresProcessRecorder
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Identifier
from psycopg_pool import PoolClosed

from ..domain.errors import StoreError
from . import migrations
from .reader import Busy, Clash, Cursor, ReadOnly
from .shelf import Row
from .store import Store

PATIENCE = 10  # seconds to wait for a lock or a connection
LOCK = 0x7761727074617065  # the advisory lock of those who make tables: "warptape"
SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")
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

    merge = "(secrets::jsonb || ?::jsonb)::text"

    def __init__(self, url: str) -> None:
        self.name, self._password = mask(url)
        if wrong := [letter for letter in "@/?#" if letter in self._password]:
            raise StoreError(
                f"The password in {self.name} holds '{wrong[0]}': in a URL that is written %{ord(wrong[0]):02X}."
            )
        try:
            parts = urlsplit(url)
            query = parse_qsl(parts.query, keep_blank_values=True)
            self._schema = dict(query).get("schema") or "public"
            rest = urlencode([(key, value) for key, value in query if key != "schema"], quote_via=quote)
            info = conninfo_to_dict(urlunsplit(parts._replace(query=rest)))
        except (ValueError, psycopg.Error) as error:
            raise StoreError(f"{self.name} is not the URL of a PostgreSQL database: {self._said(error)}.") from error
        if not SCHEMA.fullmatch(self._schema):  # the library writes it unquoted in places
            raise StoreError(f"{self._schema!r} cannot be the schema of a store: use small letters, digits and '_'.")
        self._connect: dict[str, Any] = {"connect_timeout": PATIENCE, **info, "row_factory": dict_row}
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
            schema=self._schema,
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
                yield PostgresCursor(raw, self._schema, None)
        except psycopg.Error as error:
            raise self._explain(error) from error

    def _make(self, connection: psycopg.Connection[DictRow]) -> None:
        """Make the schema and the tables of version 1."""
        if self._exists(connection, "stored_events") or self._exists(connection, "warptape_games"):
            raise StoreError(
                f"The schema {self._schema!r} of {self.name} holds the events of another program;"
                " choose another with ?schema=NAME."
            )
        if self._schema != "public":
            connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(self._schema)))
        # The constructor looks for its types through the pool, so it gets one that it may throw away.
        with self._datastore() as datastore, connection.cursor() as cursor:
            recorder = PostgresProcessRecorder(datastore)
            for statement in recorder.sql_create_statements:
                if "CREATE TYPE" in statement.as_string():
                    cursor.execute(statement)
            recorder._create_table(cursor)
            for table in TABLES:
                cursor.execute(translate(table, self._schema))

    def _exists(self, connection: psycopg.Connection[DictRow], table: str) -> bool:
        query = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s"
        return connection.execute(query, (self._schema, table)).fetchone() is not None

    def _version(self, connection: psycopg.Connection[DictRow]) -> object:
        if not self._exists(connection, "warptape_store"):
            return None
        found = connection.execute(translate("SELECT version FROM warptape_store", self._schema)).fetchone()
        return found["version"] if found else None

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Cursor]:
        try:
            with self.datastore.get_connection() as connection:
                if not write:  # one statement: a transaction of its own
                    with connection.cursor(row_factory=tuple_row) as raw:
                        yield PostgresCursor(raw, self._schema, None)
                    return
                with (
                    connection.pipeline() as pipeline,
                    connection.transaction(),
                    connection.cursor(row_factory=tuple_row) as raw,
                ):
                    cursor = PostgresCursor(raw, self._schema, pipeline)
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

    def _tell(self, cursor: Cursor) -> None:
        cursor.execute(f'NOTIFY "{self.recorder.channel_name}"')

    def close(self) -> None:
        """Close all connections."""
        with suppress(psycopg.Error, EventSourcingError):
            self.datastore.close()

    def _said(self, error: Exception) -> str:
        """The first line of an error's text, without the password."""
        text = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        for written in {self._password, unquote(self._password)} - {""}:
            text = text.replace(written, "***")
        return text

    def _explain(self, error: Exception) -> StoreError:
        """The sentence for an error of psycopg or of the library."""
        if isinstance(error, UnicodeError):
            return StoreError("A text for the store is not valid Unicode; nothing was recorded.")
        said = self._said(error)
        cause = error if isinstance(error, psycopg.Error) else error.__cause__
        if isinstance(cause, PoolClosed):
            return StoreError(f"The store {self.name} is closed.")
        if isinstance(error, (psycopg.IntegrityError, IntegrityError)):
            return Clash(f"The store {self.name} refused a row: {said}.")
        if isinstance(cause, READ_ONLY):
            return ReadOnly(f"The store {self.name} may only be read: {said}.")
        if isinstance(cause, BUSY):
            return Busy(f"The store {self.name} is in use by another program ({said}); try again.")
        if isinstance(error, (psycopg.OperationalError, OperationalError)):
            return StoreError(f"The store {self.name} does not answer: {said}.")
        return StoreError(f"The store {self.name} failed: {said}.")


def mask(url: str) -> tuple[str, str]:
    """The URL with its password masked, and the password as written (empty when there is none).

    A password that holds what it may not, such as `/`, is found as well.
    """
    found = (
        re.match(r"[^:/]+://[^/?#]*?:(?P<password>[^/?#]*)@", url)
        or re.match(r"[^:/]+://[^/?#@]*?:(?P<password>(?!\d+/)[^?]*)@", url)
        or re.search(r"[?&]password=(?P<password>[^&]*)", url)
        or re.match(r"[^:/]+://[^/?#@]*?:(?P<password>(?!\d+/).*)@", url)
    )
    if found is None or not found["password"]:
        return url, ""
    start, end = found.span("password")
    return f"{url[:start]}***{url[end:]}", found["password"]
