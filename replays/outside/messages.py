"""What a bot from outside is told and what it answers: the types of the protocol, for pipes and for HTTP alike.

A message is one JSON object; its `type` says which. Secrets of others read `{"sealed": ""}`.
"""

from __future__ import annotations

from typing import Any

import msgspec

PROTOCOL = 1
"""The version of the protocol; it grows only when a bot written for it would no longer be understood."""

LISTED = 200
"""Legal actions that one message lists at the most."""

TOLD = 200
"""Events that one message tells at the most: the newest."""

LONGEST = 65536
"""Bytes of an answer, at the most."""

TRIES = 3
"""Answers to one question, the first included, before a bot is given up that says what cannot be done."""


class Named(msgspec.Struct, frozen=True):
    """Something with an id and a name to show."""

    id: str
    name: str


class Rules(msgspec.Struct, frozen=True):
    """What is played: id, version and title of the ruleset, and the digest of the boards and cards."""

    id: str
    version: str
    title: str
    content: str


class Limits(msgspec.Struct, frozen=True):
    """What holds for answers: `tries` to one question, `bytes` of a line, and how many actions and events are `listed`
    in one message.
    """

    tries: int = TRIES
    bytes: int = LONGEST
    listed: int = LISTED


class Choice(msgspec.Struct, frozen=True):
    """A legal action: its number from 0 in the whole list, the shortest notation, the same in words, and as data."""

    index: int
    notation: str
    words: str
    action: dict[str, Any]


class Clock(msgspec.Struct, frozen=True):
    """Milliseconds left for this answer, and for all answers in this game (null: no such limit, as over HTTP)."""

    answer: int | None
    game: int | None = None


class Happened(msgspec.Struct, frozen=True):
    """An event as the seat may know it: where it stands in the log, its kind, a sentence (may be empty), its data.

    `on_line` is false for what was taken back since.
    """

    position: int
    kind: str
    text: str
    on_line: bool
    event: dict[str, Any]


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: the result in the game's own word, the seats that won, the reason, figures by name."""

    result: str
    winners: tuple[str, ...]
    reason: str
    figures: dict[str, int]


class _Message(msgspec.Struct, frozen=True, tag_field="type"):
    pass


class Hello(_Message, frozen=True, tag="hello"):
    """A game begins, or goes on: nothing is asked yet.

    `luck` is a text of this game and seat to draw random numbers from, so that a game can be played again; `hidden` is
    what stands where a secret of others is.
    """

    protocol: int
    game: Named
    ruleset: Rules
    seat: Named
    seats: tuple[Named, ...]
    options: dict[str, Any]
    luck: str
    hidden: dict[str, str]
    limits: Limits


class Ask(_Message, frozen=True, tag="ask"):
    """A question. `id` names it, `position` is where the game stands, `view` the position as the seat may know it.

    `count` actions are legal; `actions` are the first of them, and `more` says that there are others. `since` tells what
    happened after the last question, without the `missed` oldest events.
    """

    id: int
    position: int
    seat: str
    prompt: str
    view: dict[str, Any]
    count: int
    actions: tuple[Choice, ...]
    more: bool
    since: tuple[Happened, ...]
    missed: int
    clock: Clock


class Listing(_Message, frozen=True, tag="actions"):
    """More of the legal actions of the question `id`, from number `first` on; it stays open."""

    id: int
    first: int
    count: int
    actions: tuple[Choice, ...]
    more: bool
    clock: Clock


class Refused(_Message, frozen=True, tag="refused"):
    """The answer to the question `id` does not do, and why; it stays open for `left` other answers (null: no limit, as
    over HTTP).

    `rule` is the ID of the rule that forbids the action, empty where the answer was no action at all.
    """

    id: int
    rule: str
    reason: str
    left: int | None
    clock: Clock


class Over(_Message, frozen=True, tag="over"):
    """The game is over; nothing is asked any more in it."""

    position: int
    outcome: Ending | None
    since: tuple[Happened, ...]
    missed: int


class Bye(_Message, frozen=True, tag="bye"):
    """Nothing follows: the program should end."""


Message = Hello | Ask | Listing | Refused | Over | Bye
"""All that a bot is told."""


class More(msgspec.Struct, frozen=True):
    """Which of the legal actions a bot would like to see: from number `first` on."""

    first: int = msgspec.field(name="from")


class Answer(msgspec.Struct, frozen=True):
    """What a bot answers: one of `action` (notation, or as data), `index` (a number in the list) and `list`.

    `id` is that of the question, if given: an answer to another one is passed over. Other fields are ignored.
    """

    action: str | dict[str, Any] | None = None
    index: int | None = None
    list: More | None = None
    id: int | None = None


_encode = msgspec.json.Encoder(order="deterministic").encode


def encode(message: Message) -> bytes:
    """Return a message as one line of JSON, without the line break; the same message gives the same bytes."""
    return _encode(message)
