"""What differs between two positions, of one game or of two: the first event, and the state, value by value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from ..domain.events import (
    Event,
    GameForked,
    GameOpened,
    Head,
    KeyRevealed,
    NoteAdded,
    NoteRemoved,
    UndoAnswered,
    UndoAsked,
)
from ..domain.secrets import SEALED, Sealed, Secret, bare
from .address import Address
from .codec import kind
from .tape import Tape
from .told import sentence

UNSET = msgspec.UNSET
HIDDEN = "(hidden)"


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One value that differs: its path in the state, and what it is on the left and on the right (unset: not there)."""

    path: str
    left: Any = UNSET
    right: Any = UNSET

    def __str__(self) -> str:
        left, right = _shown(self.left), _shown(self.right)
        return f"{self.path}: {left} -> {right}"


class Side(msgspec.Struct, frozen=True):
    """One side of a difference: the game and position compared, and its first event that differs, if it has one."""

    game: str
    name: str
    position: int
    differs: int | None = None
    event: str = ""
    text: str = ""


class Diff(msgspec.Struct, frozen=True):
    """The difference of two positions.

    `common` counts the events that tell the same on both lines before the first that differs; heads that leave the board
    alone (notes, forks) and stamps (times, digests) do not count. `state` lists what differs in the states.
    """

    left: Side
    right: Side
    common: int
    state: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.state and self.left.differs is None and self.right.differs is None

    def text(self) -> str:
        """Return the difference as lines of plain text."""
        sides = [f"{side.name} @{side.position}" for side in (self.left, self.right)]
        lines = [f"{sides[0]} and {sides[1]}: " + ("no difference." if self.same else f"{self.common} events alike.")]
        if self.left.differs is not None or self.right.differs is not None:
            lines.append("The first event that differs:")
            lines += [f"  {mark} {_side(side)}" for mark, side in (("-", self.left), ("+", self.right))]
        if self.state:
            lines += [f"The states differ in {len(self.state)} value{'s' * (len(self.state) != 1)}:"]
            lines += [f"  {change}" for change in self.state]
        elif not self.same:
            lines.append("The states are the same.")
        return "\n".join(lines) + "\n"

    __str__ = text


def _side(side: Side) -> str:
    if side.differs is None:
        return "(the line ends here)"
    return f"@{side.differs} {side.event}{': ' if side.text else ''}{side.text}"


def _shown(value: Any) -> str:
    return "(nothing)" if value is UNSET else msgspec.json.encode(value).decode()


def diff(
    left: Tape,
    left_at: int | str | Address | None = None,
    right: Tape | None = None,
    right_at: int | str | Address | None = None,
    *,
    seat: str | None = None,
) -> Diff:
    """Return what differs between two positions; `right` is the same game when it is not given.

    Positions are numbers or addresses (default: now); `seat` compares what one seat may know. Raises BadAddress.
    """
    other = left if right is None else right
    ends = [tape.tip if at is None else tape.locate(at) for tape, at in ((left, left_at), (other, right_at))]
    common, mine, theirs = _part(left, ends[0], other, ends[1], seat)
    tips = [(tape, tape.tree.resolve(end)) for tape, end in zip((left, other), ends, strict=True)]
    states = [tape.state_at(tip) if seat is None else tape.ruleset.view(tape.state_at(tip), seat) for tape, tip in tips]
    if left.ruleset.id == other.ruleset.id:
        changes = tuple(compare(*states))
    else:
        changes = (Change("ruleset", left.ruleset.id, other.ruleset.id),)
    return Diff(_about(left, ends[0], mine, seat), _about(other, ends[1], theirs, seat), common, changes)


Place = tuple[int, Event] | None


def _part(left: Tape, left_tip: int, right: Tape, right_tip: int, seat: str | None) -> tuple[int, Place, Place]:
    """Return how many events are alike, and the first on each side that is not (None: that line ends)."""
    common = 0
    for mine, theirs in zip_longest(_telling(left, left_tip, seat), _telling(right, right_tip, seat)):
        if mine is None or theirs is None or not _alike(mine, left, theirs, right):
            return common, mine, theirs
        common += 1
    return common, None, None


def _alike(mine: tuple[int, Event], left: Tape, theirs: tuple[int, Event], right: Tape) -> bool:
    """Whether two events tell the same; what one log does not hold, as a fork as of a seat, is as good as any."""
    one, other = _meaning(mine[1]), _meaning(theirs[1])
    if one == other:
        return True
    if mine[0] >= left.whole_from and theirs[0] >= right.whole_from:
        return False
    return _compatible(msgspec.to_builtins(one), msgspec.to_builtins(other))


def _compatible(one: Any, other: Any) -> bool:
    if one == _SEALED or other == _SEALED:
        return True
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return all(_compatible(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        return all(map(_compatible, one, other))
    return bool(one == other)


_SEALED = msgspec.to_builtins(SEALED)


def _telling(tape: Tape, tip: int, seat: str | None) -> Iterator[tuple[int, Event]]:
    for position, event in tape.line(tip, seat=seat):
        if not isinstance(event, SILENT):
            yield position, event


SILENT = (GameForked, NoteAdded, NoteRemoved, UndoAsked, UndoAnswered, KeyRevealed)


def _meaning(event: Event) -> Event:
    """Return an event without the stamps of its recording."""
    if not isinstance(event, Head):
        return event
    bare_head = msgspec.structs.replace(event, time="", prev="", key="", person="")
    return msgspec.structs.replace(bare_head, software="") if isinstance(bare_head, GameOpened) else bare_head


def _about(tape: Tape, at: int, found: Place, seat: str | None) -> Side:
    if found is None:
        return Side(tape.shelf.id, tape.shelf.name, at)
    position, event = found
    before = tape.tree.before(position, at)
    state = tape.ruleset.state() if before < 0 else tape.state_at(before)
    seen = state if seat is None or before < 0 else tape.ruleset.view(state, seat)
    return Side(tape.shelf.id, tape.shelf.name, at, position, kind(event), sentence(tape, seen, event))


def compare(left: Any, right: Any, path: str = "") -> Iterator[Change]:
    """Yield what differs in two values, by path: `scores[0]`, `squad.max.square`, `chance.counters.die/max`."""
    left, right = bare(left), bare(right)
    if left is UNSET or right is UNSET or type(left) is not type(right) or not isinstance(left, _INNER):
        if left is UNSET or right is UNSET or type(left) is not type(right) or left != right:
            yield Change(path or "state", _value(left), _value(right))
        return
    if isinstance(left, msgspec.Struct):
        for name in left.__struct_fields__:
            yield from compare(getattr(left, name), getattr(right, name), f"{path}.{name}" if path else name)
    elif isinstance(left, dict):
        for key in [*left, *(key for key in right if key not in left)]:
            step = f"{path}.{key}" if path else str(key)
            yield from compare(left.get(key, UNSET), right.get(key, UNSET), step)
    else:
        for number, (mine, theirs) in enumerate(zip_longest(left, right, fillvalue=UNSET)):
            yield from compare(mine, theirs, f"{path}[{number}]")


_INNER = (msgspec.Struct, dict, list, tuple)


def _value(value: Any) -> Any:
    """Return a value as plain data, what is sealed as `HIDDEN`, a struct with its type."""
    if value is UNSET:
        return UNSET
    if isinstance(value, Sealed):
        return HIDDEN
    if isinstance(value, Secret):
        return _value(value.value)
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        named = {"type": tag} if tag else {}
        return named | {name: _value(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(key): _value(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_value(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [_value(item) for item in value]
    return msgspec.to_builtins(value)
