"""The file of an archive: opened, made where it is missing, and refused where it is something else."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...domain.errors import StoreError
from .tables import FULL_TEXT, TABLES, TRACKING, VERSION
from .views import VIEWS


def connected(path: Path, readonly: bool) -> sqlite3.Connection:
    """Return a connection to an archive; raises StoreError, as `Archive` says."""
    try:
        if readonly:
            uri = f"{path.absolute().as_uri()}?mode=ro"
            connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=60)
        else:
            connection = sqlite3.connect(path, isolation_level=None, timeout=60)
    except (sqlite3.Error, OSError, ValueError) as error:
        raise failed(path, error) from error
    try:
        _prepare(connection, path, readonly)
    except BaseException:
        connection.close()
        raise
    return connection


def failed(path: Path, error: Exception) -> StoreError:
    """Return what to say of an archive that SQLite cannot use."""
    text = str(error).lower()
    if "not a database" in text:
        return StoreError(f"{path} is no archive: it is no SQLite file.")
    if "unable to open" in text:
        return StoreError(f"The archive {path} cannot be opened: is it there, and may you write there?")
    if "locked" in text:
        return StoreError(f"The archive {path} is in use by another program; try again.")
    return StoreError(f"The archive {path} cannot be used: {text or type(error).__name__}.")


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction: a game is in with its tracking, whole and once, or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _prepare(connection: sqlite3.Connection, path: Path, readonly: bool) -> None:
    try:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if names and "archive" not in names:  # nothing of it was touched
            raise StoreError(f"{path} is a database, but no archive. Name another file.")
        if not readonly:
            _keep_a_log(connection)
            # What is lost when the power fails is built again.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA secure_delete = ON")
            if not names:
                _create(connection)
        found = connection.execute("SELECT value FROM archive WHERE name = 'form'").fetchone()
    except sqlite3.Error as error:
        raise failed(path, error) from error
    if found != (str(VERSION),):
        raise StoreError(
            f"The archive {path} was made by another version of warptape. Delete it and build it again: all of it "
            "comes from your games."
        )


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Have a write-ahead log, so that others read while this writes; SQLite does not wait when two begin with it."""
    for _ in range(100):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)
    raise sqlite3.OperationalError("database is locked")


def _create(connection: sqlite3.Connection) -> None:
    """Make all tables at once, or none."""
    with writing(connection):
        if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            return  # another process made them while we waited
        for statement in filter(None, (part.strip() for part in TRACKING.split(";"))):
            connection.execute(statement)
        for table in TABLES:
            connection.execute(table.sql())
            for column in table.indexes:
                connection.execute(f"CREATE INDEX [{table.name}_{column}] ON [{table.name}] ([{column}])")
        connection.execute(FULL_TEXT)
        for name, select in VIEWS.items():
            connection.execute(f"CREATE VIEW [{name}] AS {select.strip()}")
        connection.execute("INSERT INTO archive VALUES ('form', ?)", (str(VERSION),))
