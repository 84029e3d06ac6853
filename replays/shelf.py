"""What stands on the shelf: one record a game, its stored rows, and the rules for ids and names."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from ..domain.errors import StoreError
from ..domain.words import listed

LONGEST_NAME = 80
ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
DELETED = "deleted"
"""The kind of the notice that a deleted game leaves in the notification log; its originator is `deleted:<game id>`."""


class Row(NamedTuple):
    """One stored event.

    `position` counts from 0 in the log of the game (a fork's own rows start after its fork point), `kind` is the
    event's tag, `data` its bytes: JSON, and after a line break the secrets that lie beside it, if any.
    """

    position: int
    kind: str
    data: bytes


class Shelf(msgspec.Struct):
    """What the store keeps of a game beside its events.

    `length` is the next free position, `head` the hex digest of the chain that covers the last batch, `created` and
    `changed` are ISO times in UTC. `lineage` names the ancestors of a fork, oldest first, each with the last position
    the fork takes from it. `secrets` maps the log position where a secret starts to its nonce and seed.
    """

    id: str
    name: str
    ruleset: str
    ruleset_version: str
    content: str
    created: str
    changed: str
    length: int
    head: str
    outcome: str = ""
    seats: dict[str, str] = {}
    lineage: list[tuple[str, int]] = []
    secrets: dict[str, list[str]] = {}
    key_public: bool = False
    extra: dict[str, str] = {}

    @property
    def first(self) -> int:
        """The position of the first event in this game's own log: 0, or one after the fork point."""
        return self.lineage[-1][1] + 1 if self.lineage else 0

    @property
    def parent(self) -> str | None:
        """The id of the game this one was forked from, or None."""
        return self.lineage[-1][0] if self.lineage else None


NAMES = tuple(field.name for field in msgspec.structs.fields(Shelf))
COLUMNS = ", ".join(NAMES)


def as_text(value: object) -> str:
    """The JSON text of a mapping or a list, as the shelf's columns hold it."""
    return msgspec.json.encode(value).decode()


def to_columns(shelf: Shelf) -> tuple[object, ...]:
    """The values of `COLUMNS`, in order."""
    values = (getattr(shelf, name) for name in NAMES)
    return tuple(int(v) if isinstance(v, bool) else v if isinstance(v, str | int) else as_text(v) for v in values)


def from_columns(values: Sequence[object]) -> Shelf:
    """The record whose `COLUMNS` hold these values.

    Raises:
        StoreError: the columns do not hold what the shelf writes.
    """
    record = dict(zip(NAMES, values, strict=True))
    try:
        for name in ("seats", "lineage", "secrets", "extra"):
            record[name] = msgspec.json.decode(str(record[name]))
        record["key_public"] = bool(record["key_public"])
        shelf = msgspec.convert(record, Shelf)
        wrong = _wrong(shelf)
    except (msgspec.MsgspecError, RecursionError) as error:
        wrong = str(error)
    if wrong:
        raise StoreError(f"The shelf's record of game {record['id']} is damaged: {wrong}.")
    return shelf


def _wrong(shelf: Shelf) -> str:
    """Why a record cannot be one that was written here, empty when it can."""
    if not all(at.isascii() and at.isdigit() and len(at) < 19 and len(pair) == 2 for at, pair in shelf.secrets.items()):
        return "a secret of chance stands under no position, or is no pair of nonce and seed"
    lent = [-1, *(last for _, last in shelf.lineage)]
    if any(last <= before for before, last in pairwise(lent)) or shelf.length <= lent[-1]:
        return "its length and its ancestors do not fit"
    return ""


def is_text(text: str) -> bool:
    """Whether both stores can hold the text: no NUL and no lone surrogate (an argument that was not UTF-8)."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def check_id(identifier: str) -> None:
    """Raises StoreError unless the text may be a game's id: 1 to 64 letters, digits, `_`, `-`; not `last`."""
    if not ID.fullmatch(identifier) or identifier == "last":
        raise StoreError(f"{identifier!r} cannot be the id of a game: use 1 to 64 letters, digits, '_' or '-'.")


def check_name(name: str) -> None:
    """Raises StoreError unless the text may be a game's name; the message says what is wrong with it."""
    if not name.strip():
        wrong = "it is empty"
    elif len(name) > LONGEST_NAME:
        wrong = f"it has {len(name)} characters, and {LONGEST_NAME} is the most"
    elif "@" in name:
        wrong = "'@' separates a game from a position"
    elif any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in name):
        wrong = "it holds a line break or another control character"
    elif name != name.strip():
        wrong = "it begins or ends with a space"
    elif name.startswith("-"):
        wrong = "a name that begins with '-' looks like an option"
    elif name.casefold() == "last":
        wrong = "'last' stands for the game changed last"
    else:
        return
    raise StoreError(f"{name!r} cannot be the name of a game: {wrong}.")


def unknown(text: str, names: Iterable[str]) -> str:
    """The sentence for a game that is not there, with the nearest names."""
    known = list(names)
    if not known:
        return "There are no games in this store yet."
    near = difflib.get_close_matches(text, known, n=3, cutoff=0.5)
    hint = f" Did you mean {listed([repr(name) for name in near], 'or')}?" if near else ""
    return f"No game in this store has the name, the id or the beginning of an id {text!r}.{hint}"
