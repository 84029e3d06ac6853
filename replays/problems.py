"""Errors over the line: each `WarptapeError` as JSON, its HTTP status, and the same error again on the other side."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..domain import errors
from ..domain.chance import Draw, Pick, Reveal, Roll, Shuffle
from ..domain.errors import NotAllowed, StoreError, WarptapeError
from ..domain.rules import Refusal
from .reader import NoRoom
from .wire import WireRow


class NoAccess(WarptapeError):
    """The service knows no such token: it is missing, wrong, or was revoked."""


class NotYours(NotAllowed):
    """The token does not open that: it is for another game, or for another role."""


class BadRequest(WarptapeError):
    """A request is not of the form that the service reads."""


class BadName(StoreError):
    """A game cannot be called that."""


class TooLarge(WarptapeError):
    """A request has more bytes than the service takes."""


class TooMany(WarptapeError):
    """Too many requests or streams at once; `retry_after` are the seconds to wait."""

    retry_after = 1


class Unavailable(StoreError):
    """The service cannot answer now: it is shutting down, or its store is in trouble; `retry_after` are seconds."""

    retry_after = 2


class TooLong(Unavailable):
    """The service gave a request up because it took too long."""


class Problem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An error as the service answers it.

    `code` is the name of the error's class in kebab case and `message` its text; the other fields are the error's own. Of a
    conflict `rows` are those that the caller may see from `expected` on.
    """

    code: str
    message: str
    refusal: Refusal | None = None
    text: str | None = None
    column: int | None = None
    suggestion: str | None = None
    line: int | None = None
    position: int | None = None
    expected: int | None = None
    actual: int | None = None
    rows: list[WireRow] | None = None
    request: dict[str, Any] | None = None
    possible: list[str] | None = None
    hint: str | None = None
    number: int | None = None
    count: int | None = None
    entered: str | None = None
    retry_after: int | None = None


STATUS: dict[type[WarptapeError], int] = {
    WarptapeError: 400,
    errors.IllegalAction: 422,
    errors.BadNotation: 400,
    errors.BadLog: 400,
    errors.BadAddress: 400,
    errors.ContentError: 400,
    errors.OptionError: 400,
    errors.UnknownRuleset: 400,
    errors.UnknownGame: 404,
    errors.AmbiguousGame: 404,
    errors.StoreError: 503,
    errors.Conflict: 409,
    errors.NameTaken: 409,
    errors.NotAllowed: 422,
    errors.NeedsOutcome: 422,
    errors.ImpossibleOutcome: 422,
    errors.RulesetCrash: 500,
    NoAccess: 401,
    NotYours: 403,
    BadRequest: 400,
    BadName: 400,
    NoRoom: 507,
    TooLarge: 413,
    TooMany: 429,
    Unavailable: 503,
    TooLong: 504,
}
"""The HTTP status of each error; of a class that is not here, that of its nearest base."""

REQUESTS = {cls.__name__: cls for cls in (Roll, Shuffle, Draw, Pick, Reveal)}
CODES = {re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower(): cls for cls in STATUS}
_code = {cls: code for code, cls in CODES.items()}
_OWN = tuple(field.name for field in msgspec.structs.fields(Problem) if field.name not in ("code", "message", "rows"))


def known(error: WarptapeError) -> type[WarptapeError]:
    """Return the class of an error that both sides know: its own or the nearest base."""
    return next(cls for cls in type(error).__mro__ if cls in STATUS)


def status(error: WarptapeError) -> int:
    """Return the HTTP status of an error."""
    return STATUS[known(error)]


def problem(error: WarptapeError, rows: list[WireRow] | None = None) -> Problem:
    """Return an error as it is sent; of a conflict with the rows since."""
    found = Problem(code=_code[known(error)], message=str(error), rows=rows)
    for name in _OWN:
        value = getattr(error, name, None)
        if name == "request" and value is not None:
            value = {"kind": type(value).__name__, **msgspec.to_builtins(value)}
        if value is not None:
            setattr(found, name, list(value) if isinstance(value, tuple) else value)
    return found


def raised(found: Problem) -> WarptapeError:
    """Return the error that a problem stands for: of the same class, with the same text and fields."""
    cls = CODES.get(found.code, WarptapeError)
    error = cls.__new__(cls)  # the text is there already, and what makes it is not
    Exception.__init__(error, found.message)
    for name in _OWN:
        setattr(error, name, getattr(found, name))
    if found.possible is not None:
        error.possible = tuple(found.possible)  # type: ignore[attr-defined]
    if found.request is not None:
        fields = dict(found.request)
        kind = REQUESTS.get(str(fields.pop("kind", "")))
        error.request = None if kind is None else msgspec.convert(fields, kind)  # type: ignore[attr-defined]
    return error


def read_problem(data: bytes) -> Problem | None:
    """Return the problem in the body of an answer; None where there is none, as from something between."""
    try:
        return msgspec.json.decode(data, type=Problem)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
