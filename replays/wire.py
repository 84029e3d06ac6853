"""What goes over the line between the game service and its clients: every request and answer, as JSON.

Paths are below `/v1`. Both sides use these types, so a field has one name and one meaning. Errors are in `problems`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from ..domain.rules import Outcome
from ..domain.secrets import PUBLIC
from .diff import Diff
from .findings import Report
from .lines import Line
from .notes import Note
from .shelf import Row

__all__ = ["PUBLIC", "Diff", "Line", "Note", "Report"]

Role = Literal["host", "arbiter", "seat", "spectator"]
UNTIL_THE_END = -1
"""The delay of a spectator who sees nothing before the game is over."""

KEY_HEADER = "Idempotency-Key"
ROWS_TYPE = "application/x-ndjson"
LOG_TYPE = "application/x-warptape-log"
"""What an export is, and the body of an import: a log file, not compressed."""


# Rows


NOTHING = msgspec.Raw(b"null")


class WireRow(msgspec.Struct, array_like=True, frozen=True):
    """One stored row as the caller may know it: `[position, kind, event, secrets or null]`.

    `public` are the event's bytes as they were recorded, over which chain and digests go; `beside` the disclosures.
    """

    position: int
    kind: str
    public: msgspec.Raw
    beside: msgspec.Raw


_row = msgspec.json.Decoder(WireRow)
_encode = msgspec.json.Encoder().encode


def to_wire(row: Row) -> WireRow:
    """Return a stored row as it is sent, byte for byte."""
    public, _, beside = row.data.partition(b"\n")
    return WireRow(row.position, row.kind, msgspec.Raw(public), msgspec.Raw(beside) if beside else NOTHING)


def from_wire(row: WireRow) -> Row:
    """Return a row as a store keeps it."""
    public, beside = bytes(row.public), bytes(row.beside)
    return Row(row.position, row.kind, public if beside == b"null" else public + b"\n" + beside)


def write_rows(rows: Iterable[Row]) -> Iterator[bytes]:
    """Yield a line of JSON a row, as `…/rows` streams them."""
    for row in rows:
        yield _encode(to_wire(row)) + b"\n"


def read_rows(lines: Iterable[str | bytes]) -> Iterator[Row]:
    """Yield the rows of such lines; raises msgspec.MsgspecError for a line that is none."""
    for line in lines:
        if line.strip():
            yield from_wire(_row.decode(line))


# Games


class Asked(msgspec.Struct, frozen=True):
    """Who is to decide: the seat, the question in words, and which of the people who share the seat (none: all)."""

    seat: str
    prompt: str = ""
    people: list[str] = []


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller may know of a game without a look at its events.

    `length`, `tip`, `head`, `changed`, `outcome` and `decision` are those of what the caller may see: a spectator's are as
    late as the spectator (`length` 0, `tip` -1 and `head` empty while nothing is to be seen). `sees` is whose knowledge the
    caller has: a seat, `everybody` for what is public, or empty for all of it. `parent` is the game this one was forked from, after its event `forked_at`; `redrawn` is the first position of which all
    is recorded. `arbiter` says what the arbiter of the game sees.
    """

    id: str
    name: str
    ruleset: str
    ruleset_version: str
    content: str
    created: str
    changed: str
    length: int
    tip: int
    head: str
    outcome: str
    seats: dict[str, str]
    policy: str
    chance: str
    arbiter: Literal["sees", "blind"]
    role: Role
    seat: str = ""
    sees: str = ""
    acts: list[str] = []
    person: str = ""
    delay: int = 0
    parent: str = ""
    forked_at: int = 0
    redrawn: int = 0
    key_public: bool = False
    decision: Asked | None = None
    ended: Outcome | None = None


class Games(msgspec.Struct, frozen=True):
    """A page of games, the last changed first; `next` is what `after` takes for the page that follows, empty at the end."""

    games: list[GameInfo]
    next: str = ""


class RulesetInfo(msgspec.Struct, frozen=True):
    """A ruleset that the service has; `seats` by id with their names, `options` by name with what they take in words."""

    id: str
    version: str
    title: str
    summary: str
    content: str
    secretive: bool
    seats: dict[str, str]
    options: dict[str, str]
    defaults: dict[str, Any]
    bots: list[str]


class CreateGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /v1/games`: start a game; the fields are those of `Library.new`.

    `content` are the files of the ruleset's content by name, where its own are not to be used. `sees` says whether the
    arbiter sees everything and may act for any seat (default: true exactly when the ruleset has no secrets). With a `key`, a
    word that only the caller knows, the same request again gets the first answer; so it is with `Fork` and `IssueToken`.
    """

    ruleset: str
    name: str = ""
    options: dict[str, str] = {}
    seats: dict[str, str] = {}
    undo: str = ""
    chance: str = "fate"
    seed: str = ""
    content: dict[str, str] | None = None
    outcomes: list[str] = []
    person: str = ""
    sees: bool | None = None
    key: str = ""


class Created(msgspec.Struct, frozen=True):
    """A new game, the token of its arbiter, and an invitation (a one-time code) for each seat that a person holds."""

    game: GameInfo
    arbiter: str
    invitations: dict[str, str]


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /v1/join`: exchange an invitation for a token; `name` is the person's, for the log.

    An invitation is used once; the same request again with the same `key`, a word that only the caller knows, gets the
    first answer.
    """

    invitation: str
    name: str = ""
    key: str = ""


class Joined(msgspec.Struct, frozen=True):
    """The token that an invitation gave, and what it opens."""

    game: str
    role: Role
    seat: str
    token: str
    name: str = ""


class Rename(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`PATCH /v1/games/{id}`: another name."""

    name: str


class Deleted(msgspec.Struct, frozen=True):
    """The ids of the games that were deleted."""

    games: list[str]


# Playing. Each change may carry `key` (or the header Idempotency-Key): the same key again changes nothing and gets the
# first answer; and `expect`, a position at which the board is as the caller knows it: a stale one is refused with 409.


class Change(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What every change may carry; `since` is how many rows the caller has: the answer holds those that follow."""

    seat: str | None = None
    person: str = ""
    key: str = ""
    expect: int | None = None
    since: int | None = None


class Act(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/act`: actions as notation or as JSON, all or none; `outcomes` where people enter dice and draws."""

    actions: list[str | dict[str, Any]]
    outcomes: list[str] = []


class Undo(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/undo`: take back the last action of the current line."""

    reason: str = ""
    reroll: bool = False


class Redo(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/redo`: go back to the tip that the last undo or rewind left."""


class Rewind(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/rewind`: go to the end of the batch at a position or address."""

    at: int | str
    reason: str = ""
    reroll: bool = False


class Consent(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/consent`: answer the other seat's request to take something back."""

    agree: bool = True


class AskUndo(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/ask-undo`: ask the other seat to agree to taking something back."""


class Reroll(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/reroll`: give chance a new secret from here on (arbiter)."""

    seed: str = ""
    reason: str = ""
    chance: str | None = None


class WriteNote(Change, kw_only=True, forbid_unknown_fields=True):
    """`POST …/notes`: write a note on a position or address (default: now)."""

    text: str
    at: int | str | None = None
    tags: list[str] = []
    private: bool | None = None


class RemoveNote(Change, kw_only=True, forbid_unknown_fields=True):
    """`DELETE …/notes/{position}`: take a note back; a DELETE has no body, so the fields are in the query."""


class Done(msgspec.Struct, frozen=True):
    """What a change recorded: the first `position`, how many events (`count`), the `length` of the log now.

    `rows` are those that the caller may see from `since` on (default: from `position`), at most 1000 and about a megabyte:
    `…/rows` gives those that follow. `repeated` says that the key was used before and nothing was done now.
    """

    position: int
    count: int
    length: int
    repeated: bool
    rows: list[WireRow]
    decision: Asked | None = None


class Fork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST …/fork`: another game from a moment of this one; the fields are those of `Game.fork`."""

    at: int | str | None = None
    name: str = ""
    seats: dict[str, str] | None = None
    undo: str = ""
    reroll: bool = False
    as_of: str | None = None
    key: str = ""


class Why(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST …/why`: ask whether an action is legal now."""

    action: str | dict[str, Any]
    seat: str | None = None


class Answer(msgspec.Struct, frozen=True):
    """Whether an action is legal; if not, the rule that forbids it and why."""

    legal: bool
    rule: str = ""
    reason: str = ""


class Choice(msgspec.Struct, frozen=True):
    """One legal action: its `number` from 1 among all, its notation, in words, and whose part of the seat it is."""

    number: int
    notation: str
    words: str
    person: str = ""


class Choices(msgspec.Struct, frozen=True):
    """A page of the legal actions: `total` match the filter, of `all` there are; `verbs` counts all by their first word.

    `names` are what those that match name, such as models and squares (none where there are too many to look through).
    """

    position: int
    seat: str
    prompt: str
    total: int
    all: int
    verbs: dict[str, int]
    actions: list[Choice]
    names: list[str] = []


class Sentence(msgspec.Struct, frozen=True):
    """One event of the log in words; `on_line` unless a take-back left it behind."""

    position: int
    kind: str
    text: str
    on_line: bool
    rule: str = ""
    entered: bool = False


# Tokens


class TokenInfo(msgspec.Struct, frozen=True):
    """A token of a game as its arbiter lists it; `fingerprint` names it for revoking and opens nothing."""

    fingerprint: str
    role: Literal["arbiter", "seat", "spectator", "invitation"]
    seat: str
    label: str
    delay: int
    created: str
    revoked: str = ""
    used: str = ""


class IssueToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST …/tokens`: a new token for a seat (the one before is revoked), a spectator or another arbiter.

    `invite` gives a one-time code instead, which `join` exchanges. `delay` is how many events a spectator is late, or -1
    until the game is over.
    """

    role: Literal["seat", "spectator", "arbiter"]
    seat: str = ""
    label: str = ""
    delay: int = 0
    invite: bool = False
    key: str = ""


class Issued(msgspec.Struct, frozen=True):
    """A token or an invitation, said once: the service keeps its digest only."""

    secret: str
    token: TokenInfo


class Revoked(msgspec.Struct, frozen=True):
    """The tokens that were revoked."""

    fingerprints: list[str]


# Events, as server-sent events


class RowsEvent(msgspec.Struct, frozen=True):
    """`event: rows`: what was recorded, from one end of a batch to another; the `id:` is the position of the last row."""

    rows: list[WireRow]
    length: int
    decision: Asked | None = None


class ChangedEvent(msgspec.Struct, frozen=True):
    """`event: changed`: the game's name, or what this token may see, is another now."""

    name: str
    sees: str = ""


class DeletedEvent(msgspec.Struct, frozen=True):
    """`event: deleted`: the game is gone; the stream ends."""

    game: str


class Health(msgspec.Struct, frozen=True):
    """`/health/live` and `/health/ready`: `ok`, or why not."""

    status: str
    store: str = ""
    schema: int = 0
