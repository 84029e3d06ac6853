"""The decisions of a line, one by one: who took which action where, and what chance gave in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ..domain.chance import OUTCOMES
from ..domain.events import ActionTaken, Head
from .playouts import Given
from .tape import Tape, blamed
from .upcasting import parts


class Step(msgspec.Struct, frozen=True):
    """A decision on the line: its batch, who took it, and what chance gave in it, by position."""

    number: int
    head: int
    end: int
    seat: str
    action: Any
    notation: str
    drawn: tuple[tuple[int, Given], ...]


def scan(tape: Tape, tip: int) -> Iterator[Step]:
    """Yield the decisions on a line; raises RulesetCrash where an event does not fit the position before it."""
    state, number, last = tape.ruleset.state(), 0, -1
    open_: tuple[int, ActionTaken[Any], str] | None = None
    drawn: list[tuple[int, Given]] = []
    inside = False
    for place, event in tape.line(tip):
        for part in parts(event):
            if isinstance(part, ActionTaken):
                if open_ is not None:
                    yield Step(number, open_[0], last, open_[1].seat, open_[1].action, open_[2], tuple(drawn))
                number, drawn, inside = number + 1, [], True
                open_ = (place, part, notation(tape.ruleset, state, part.action))
            elif isinstance(part, Head):
                inside = False
            elif type(part) in OUTCOMES and inside:
                drawn.append((place, _given(part)))
            with blamed(place):
                part.apply(state)
        last = place if inside else last
    if open_ is not None:
        yield Step(number, open_[0], last, open_[1].seat, open_[1].action, open_[2], tuple(drawn))


def _given(event: Any) -> Given:
    values: tuple[int, ...] | None = getattr(event, "values", None)
    return str(event.item) if values is None else values


def notation(rules: Any, state: Any, action: Any) -> str:
    """Return an action's notation, or its kind where it has none."""
    try:
        return str(rules.notation(state, action))
    except Exception:  # only a label: rules of today may not know the action
        return type(action).__name__
