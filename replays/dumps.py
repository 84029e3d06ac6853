"""Backups of a PostgreSQL store by the server's own programs, pg_dump and pg_restore."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from ..domain.errors import StoreError
from .postgres import PostgresStore
from .postgres_place import Place, place_of
from .store import Store

FOLDERS = Path("/usr/lib/postgresql")
"""Where systems like Debian put the programs of each version of PostgreSQL."""
TABLE = re.compile(r" TABLE (\S+) stored_events ")


def dump(store: Store, draft: Path) -> None:
    """Write the schema of a store to a file in pg_dump's own format; raises StoreError."""
    assert isinstance(store, PostgresStore)
    place = store.place
    _run(place, "pg_dump", "--format=custom", f"--schema={place.schema}", f"--file={draft}", *_as_anybody(place))


def load(source: Path, url: str) -> None:
    """Put a dump into the schema that a URL names, which must hold nothing yet; all or nothing. Raises StoreError."""
    place = place_of(url)
    table = TABLE.search(_run(place, "pg_restore", "--list", str(source)))
    if table is None:
        raise StoreError(f"{source} is no backup of a store.")
    if table[1] != place.schema:
        raise StoreError(f"{source} is of the schema {table[1]!r}: end the URL with ?schema={table[1]} to restore it.")
    try:
        with psycopg.connect(**place.parameters) as connection:
            there = "SELECT 1 FROM pg_tables WHERE schemaname = %s LIMIT 1"
            if connection.execute(there, (place.schema,)).fetchone() is not None:
                raise StoreError(
                    f"The schema {place.schema!r} of {place.name} has tables already: restore into a database without it."
                )
            connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(place.schema)))
    except psycopg.Error as error:
        raise StoreError(f"The database {place.name} cannot take the backup: {place.said(error)}.") from error
    how = (f"--schema={place.schema}", "--exit-on-error", "--single-transaction")
    _run(place, "pg_restore", *how, *_as_anybody(place), str(source))


def _as_anybody(place: Place) -> tuple[str, ...]:
    """The options for objects that belong to whoever restores them, and the database; the password is not among them."""
    parameters = {name: value for name, value in place.info.items() if name != "password"}
    return "--no-owner", "--no-privileges", f"--dbname={make_conninfo(**parameters)}"


def _run(place: Place, program: str, *arguments: str) -> str:
    environment = dict(os.environ)
    if "password" in place.info:
        environment["PGPASSWORD"] = str(place.info["password"])
    ended = subprocess.run(
        [found(program), *arguments], env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    if ended.returncode:
        said = (ended.stderr.strip().splitlines() or [f"it ended with {ended.returncode}"])[0]
        raise StoreError(f"{program} failed: {place.clean(said.removeprefix(f'{program}: ').rstrip('.'))}.")
    return ended.stdout


def found(program: str) -> str:
    """Return the path of a program of PostgreSQL, else raise StoreError with what to install."""
    installed = sorted(FOLDERS.glob(f"*/bin/{program}"), key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0))
    path = shutil.which(program) or (str(installed[-1]) if installed else None)
    if path is None:
        raise StoreError(f"A backup of a PostgreSQL store needs {program}: install the PostgreSQL client programs.")
    return path
