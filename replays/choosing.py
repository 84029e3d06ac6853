"""The legal actions of a decision, in notation and in words, without what who must decide may not know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..domain.rules import Decision, Ruleset

_BETWEEN = re.compile(r"[^\w:#-]+")
"""What stands between the names of a line of notation."""


def mentioned(notation: str) -> list[str]:
    """Return what a line of notation names, such as models and squares: its words but the first."""
    return _BETWEEN.split(notation)[1:]


class Listed(NamedTuple):
    """One legal action: its notation, in words, and whose part of a shared seat it is (empty: everybody's)."""

    notation: str
    words: str
    person: str = ""


def listed(
    rules: Ruleset,
    state: Any,
    decision: Decision,
    people: Mapping[str, Sequence[str]],
    actions: Iterable[Any] | None = None,
) -> Iterator[Listed]:
    """Yield the actions of a decision (or some of them), in its order; `people` share seats, by seat."""
    shown = rules.view(state, decision.seat) if rules.secretive else state
    shared = decision.seat in people
    for action in decision.actions if actions is None else actions:
        person = rules.person(state, action) if shared else ""
        yield Listed(rules.notation(shown, action), rules.describe(shown, action), person)
