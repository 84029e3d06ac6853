"""Games in the middle, for tests: set up by hand and played by notation with chance entered."""

from __future__ import annotations

from typing import Any

from played import Entered, Played, of

from warptape.domain.doom_of_the_eldar import RULESET, DoomOfTheEldar
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.state import DoomState

__all__ = ["BOOK", "Entered", "Play", "of", "play"]

BOOK = RULESET.book


class Play(Played):
    """A game of this ruleset being played."""

    def __init__(self, state: DoomState, rules: DoomOfTheEldar = RULESET) -> None:
        super().__init__(state, rules)

    @property
    def state(self) -> DoomState:
        return self.referee.state  # type: ignore[no-any-return]


def play(phase: str = "tyranid_movement", **facts: Any) -> Play:
    """Begin from a position set up as `positions.position` says."""
    return Play(position(phase, **facts))


def where(state: DoomState, unit: str) -> str:
    """Where a unit is."""
    return state.units[unit]


def token(state: DoomState, counter: str) -> str:
    """The token of a counter that is on the map."""
    return next(token for token in state.swarms if state.counter(token) == counter)


def lid(state: DoomState) -> set[str]:
    """What the lid holds."""
    return set(state.chance.bags["lid"].inside())
