"""A position as the squad judges it, what the mission asks for included."""

from __future__ import annotations

from functools import cached_property

from .bot_aims import bounty, hunted, required
from .bot_outlook import Outlook
from .bot_prime import Assault
from .state import cards_left

TOO_LATE = 2
"""Infestation cards left from which on a challenge that is not met is given up."""


class Plan(Outlook):
    """An outlook on a position together with what is to be done in it."""

    @cached_property
    def assault(self) -> Assault | None:
        """How the squad goes for the Prime; None where there is none."""
        return Assault(self) if self.field.prime >= 0 else None

    @cached_property
    def prey(self) -> frozenset[int]:
        """The squares of Tyranids that the mission or a challenge wants destroyed."""
        return hunted(self)

    def holds(self, code: str) -> bool:
        """Say whether a Marine keeps off the exit tile, because the level would end with a challenge not met."""
        if not any(short for _, short in required(self.book, self.state)) or cards_left(self.state) <= TOO_LATE:
            return False
        tile = self.ground.hulk.on_exit_tile
        return all(square in tile for mate, square in self.standing.items() if mate != code)

    def value(self, target: int) -> float:
        """Return what the destruction of a Tyranid is worth, in wounds; of the Prime, a damage counter on it."""
        assault = self.assault
        if target == self.field.prime and assault is not None:
            return assault.value(target)
        worth = self.threat(target) + bounty(self, target)
        return worth + assault.value(target) if assault is not None else worth
