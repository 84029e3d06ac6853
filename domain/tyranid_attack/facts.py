"""The base of this game's events, and the names they are told with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..events import Event
from ..words import listed

Point = tuple[int, int]


class Names:
    """Names of things by the ids that events carry; these are the ids themselves, for telling without content."""

    def square(self, state: Any, square: Point) -> str:
        """Return the name of a square as the ship lies in that state."""
        return f"({square[0]},{square[1]})"

    def spot(self, state: Any, square: Point) -> str:
        """Return a square by all its names, for whoever may have typed any of them."""
        return self.square(state, square)

    def section(self, section: int) -> str:
        """Return the name of a section."""
        return f"section {section}"

    def kind(self, kind: str) -> str:
        """Return the name of a kind of model."""
        return kind.replace("_", " ")

    def objective(self, objective: str) -> str:
        """Return the name of an objective."""
        return objective

    def card(self, card: str) -> str:
        """Return the name of an exploration card."""
        return card

    def tile(self, tile: str) -> str:
        """Return what a location tile shows."""
        return tile

    def card_text(self, card: str) -> str:
        """Return what an exploration card says."""
        return ""

    def order(self, key: str) -> str:
        """Return the name of an order card."""
        return key

    def weapon(self, weapon: str) -> str:
        """Return the name of a weapon."""
        return weapon.replace("_", " ")

    def artifact(self, number: int) -> str:
        """Return the name of an artifact."""
        return f"artifact {number}"

    def called(self, id: str) -> str:
        """Return the name of anything that is counted, as a label rather than within a sentence."""
        return id

    def target(self, state: Any, target: str | Point) -> str:
        """Return how a target is called: a model, an objective or a square."""
        if not isinstance(target, str):
            return self.square(state, target)
        return self.objective(target) if target.startswith("OBJ-") else target


def thrown(dice: Iterable[int], bonus: int = 0) -> str:
    """Return dice as they fell, with what is added to each or to the best of them.

    >>> thrown((2, 5)), thrown((4,), 1)
    ('2 and 5', '4 (+1)')
    """
    return listed(map(str, dice)) + (f" ({bonus:+})" if bonus else "")


PLAIN = Names()
SIDES = {"marines": "the Space Marines", "tyranid": "the Tyranids"}
"""What the seats are called in a sentence."""


class Fact(Event, frozen=True):
    """An event of this game; `words` tells it with given names, `tell` without content."""

    def words(self, state: Any, names: Names) -> str:
        """Return one sentence, given the state just before; empty when a story leaves it out."""
        return ""

    def tell(self, state: Any) -> str:
        return self.words(state, PLAIN)
