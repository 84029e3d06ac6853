"""Games in the middle, for tests: set up by hand and played by notation with chance entered."""

from __future__ import annotations

from typing import Any

from played import Entered, Played, of

from warptape.domain.tyranid_attack import RULESET, TyranidAttack
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import HiveState

__all__ = ["BOOK", "Entered", "Play", "of", "play"]

BOOK = RULESET.book


class Play(Played):
    """A game of this ruleset being played."""

    def __init__(self, state: HiveState, rules: TyranidAttack = RULESET) -> None:
        super().__init__(state, rules)

    @property
    def state(self) -> HiveState:
        return self.referee.state  # type: ignore[no-any-return]


def play(side: str = "marines", **facts: Any) -> Play:
    """Begin from a position set up as `positions.position` says."""
    return Play(position(side, **facts))


def at(state: HiveState, name: str) -> str:
    """The name of the square that a model stands on; empty if it is not on the board."""
    model = state.models.get(name)
    return BOOK.ship(state).name(model.at) if model is not None else ""
