"""Tables of the archive as data frames: of Polars or pandas, whichever is installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from ..domain.errors import NotAllowed, OptionError
from .archive.tables import BY_NAME
from .archive.views import VIEWS

LIBRARIES = ("polars", "pandas")
"""What a frame may be of, the first that is installed."""
TYPES = {"TEXT": str, "INTEGER": int, "REAL": float}


def data_frame(connection: Any, name: str, library: str = "") -> Any:
    """Return a table or view of an archive as a data frame of Polars or pandas.

    `library` is `polars` or `pandas` (default: whichever is installed, Polars first). Raises what `check` raises.
    """
    chosen = check(name, library)
    cursor = connection.execute(f"SELECT * FROM [{name}]")
    columns = [column[0] for column in cursor.description]
    return _frame(chosen, name, columns, cursor.fetchall())


def check(name: str, library: str = "") -> str:
    """Return the library that a frame of that table will be of.

    Raises OptionError for another name of a table or library, and NotAllowed when neither library is installed.
    """
    if name not in BY_NAME and name not in VIEWS:
        raise OptionError(f"There is no table '{name}'. Tables: {', '.join(BY_NAME)}. Views: {', '.join(VIEWS)}.")
    if library and library not in LIBRARIES:
        raise OptionError(f"Frames are of {' or '.join(LIBRARIES)}, not of '{library}'.")
    for one in [library] if library else LIBRARIES:
        if find_spec(one) is not None:
            return one
    wanted = library or " or ".join(LIBRARIES)
    raise NotAllowed(f"Frames need {wanted}, which is not installed: pip install {library or 'polars'}.")


def _frame(library: str, name: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Any:
    types = {column.name: TYPES[column.type.split()[0]] for column in BY_NAME[name].columns} if name in BY_NAME else {}
    if library == "polars":
        import polars

        kinds = {str: polars.String, int: polars.Int64, float: polars.Float64}
        schema = {column: kinds[types[column]] if column in types else None for column in columns}
        return polars.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None)
    import pandas  # type: ignore[import-untyped,unused-ignore]

    frame = pandas.DataFrame(rows, columns=list(columns))
    names = {str: "string", int: "Int64", float: "Float64"}
    return frame.astype({column: names[kind] for column, kind in types.items()})
