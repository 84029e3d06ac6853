"""The tables of an archive as files: CSV with the standard library, typed Parquet by DuckDB (extra `parquet`)."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...domain.errors import StoreError
from .build import Archive
from .tables import TABLES, Table

CHUNK = 10_000
"""Rows that are read and written at a time: memory does not grow with the archive."""
NULL = "\\N"
TYPES = {"TEXT": "VARCHAR", "INTEGER": "BIGINT", "REAL": "DOUBLE"}


def export_csv(archive: Archive, folder: str | os.PathLike[str], done: Callable[[], None] = lambda: None) -> list[Path]:
    """Write every table as `TABLE.csv` into a folder and return the paths; NULL and the empty text are both empty there.

    Raises StoreError when a file cannot be written.
    """
    written = []
    with _Folder(folder), _OneMoment(archive):
        for table in TABLES:
            target = _target(folder, f"{table.name}.csv")
            _write(target, table, _rows(archive, table), lambda row: row, head=True)
            written.append(target)
            done()
    return written


def export_parquet(
    archive: Archive, folder: str | os.PathLike[str], done: Callable[[], None] = lambda: None
) -> list[Path]:
    """Write every table as `TABLE.parquet`, typed, into a folder and return the paths.

    Raises StoreError when DuckDB is not installed or a file cannot be written.
    """
    try:
        import duckdb
    except ImportError as error:
        raise StoreError(
            f"Parquet is written by the package duckdb ({error}): pip install 'warptape[parquet]', or use --csv."
        ) from error
    written = []
    with _Folder(folder), _OneMoment(archive), tempfile.TemporaryDirectory(prefix="warptape-") as drafts:
        for table in TABLES:
            target, draft = _target(folder, f"{table.name}.parquet"), Path(drafts) / "rows.csv"
            _write(draft, table, _rows(archive, table), _marked, head=False)
            partial = target.with_name(f".{target.name}.{os.getpid()}.part")
            try:
                with duckdb.connect(":memory:") as base:
                    base.execute(_copy(table, draft, partial))
                partial.replace(target)
            except duckdb.Error as error:
                raise StoreError(f"{target} cannot be written: {error}") from error
            finally:
                with suppress(OSError):
                    partial.unlink(missing_ok=True)
            written.append(target)
            done()
    return written


class _Folder:
    """Turns what goes wrong with files into StoreError."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        try:
            Path(self.folder).mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            self.__exit__(None, error)

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        if isinstance(error, OSError | ValueError):
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise StoreError(f"The folder {os.fspath(self.folder)} cannot be written: {reason}.") from error


class _OneMoment:
    """One transaction, so that all tables are of the same moment, whoever follows meanwhile."""

    def __init__(self, archive: Archive) -> None:
        self.connection = archive.connection

    def __enter__(self) -> None:
        self.connection.execute("BEGIN")

    def __exit__(self, *_: object) -> None:
        self.connection.execute("ROLLBACK")


def _target(folder: str | os.PathLike[str], name: str) -> Path:
    return Path(folder) / name


def _rows(archive: Archive, table: Table) -> Iterator[list[tuple[Any, ...]]]:
    names = ", ".join(f"[{name}]" for name in table.names)
    cursor = archive.connection.execute(f"SELECT {names} FROM [{table.name}] ORDER BY {', '.join(table.key)}")
    while chunk := cursor.fetchmany(CHUNK):
        yield chunk


def _write(
    target: Path,
    table: Table,
    chunks: Iterable[list[tuple[Any, ...]]],
    change: Callable[[tuple[Any, ...]], Iterable[Any]],
    *,
    head: bool,
) -> None:
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with partial.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if head:
                writer.writerow(table.names)
            for chunk in chunks:
                writer.writerows(map(change, chunk))
        partial.replace(target)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _marked(row: tuple[Any, ...]) -> list[Any]:
    """A row whose NULLs are told from empty texts."""
    return [
        NULL if value is None else value.replace("\\", "\\\\") if isinstance(value, str) else value for value in row
    ]


def _copy(table: Table, draft: Path, target: Path) -> str:
    """The statement that turns a draft into Parquet: all read as text, then typed."""
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in table.names)
    values = ", ".join(
        f"""replace("{c.name}", '\\\\', '\\') AS "{c.name}\""""
        if c.type == "TEXT"
        else f"""CAST("{c.name}" AS {TYPES[c.type.partition(" ")[0]]}) AS "{c.name}\""""
        for c in table.columns
    )
    return (
        f"COPY (SELECT {values} FROM read_csv({_quoted(draft)}, header=false, auto_detect=false, delim=',', quote='\"', "
        f"escape='\"', nullstr='\\N', max_line_size=33554432, columns={{{columns}}})) TO {_quoted(target)} "
        "(FORMAT parquet, COMPRESSION zstd)"
    )


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
