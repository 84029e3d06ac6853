"""The base of this game's events, and the names they are told with."""

from __future__ import annotations

from typing import Any

from ..events import Event
from ..words import listed


class Names:
    """Names of things by the ids that events carry; these are the ids themselves, for telling without content."""

    def area(self, area: str) -> str:
        """Return the name of an area."""
        return area

    def unit(self, unit: str) -> str:
        """Return the name of an Eldar unit, with its code."""
        return unit

    def counter(self, counter: str) -> str:
        """Return the name of a Tyranid counter."""
        return counter

    def action(self, action: str) -> str:
        """Return the name of a special action."""
        return action

    def box(self, box: str) -> str:
        """Return the name of a box."""
        return box.replace("_", " ")

    def result(self, code: str) -> str:
        """Return the name of a result of the Craftworld table."""
        return code

    def called(self, id: str) -> str:
        """Return the name of anything that is counted, as a label rather than within a sentence."""
        return id

    def units(self, units: tuple[str, ...]) -> str:
        """Return the names of several units as one phrase."""
        return listed([self.unit(unit) for unit in units])

    def piece(self, state: Any, id: str) -> str:
        """Return how a unit or a token is called, as far as the holder of the state may say it openly."""
        if not id.startswith("#"):
            return self.unit(id)
        face = state.face.get(id)
        return f"{self.counter(face)} {id}" if face else f"Swarm {id}"

    def known(self, state: Any, id: str) -> str:
        """Return how a token is called, and what a Swarm is, as far as the holder of the state knows it."""
        counter = None if id in state.face else state.counter(id)
        return f"{self.piece(state, id)} ({self.counter(counter)})" if counter else self.piece(state, id)


PLAIN = Names()
SIDES = {"eldar": "the Eldar", "tyranid": "the Tyranids"}
"""What the seats are called in a sentence."""


def agree(words: str, one: str, many: str) -> str:
    """Return the form of a verb that fits its subject: `Guardians 6` and `A and B` take `many`, `Wraithship 1` `one`."""
    return many if words.rstrip(" #0123456789").endswith("s") or " and " in words else one


def hits(count: int) -> str:
    """Return a number of hits in words."""
    return "no hit" if not count else "1 hit" if count == 1 else f"{count} hits"


class Fact(Event, frozen=True):
    """An event of this game; `words` tells it with given names, `tell` without content."""

    def words(self, state: Any, names: Names) -> str:
        """Return one sentence, given the state just before; empty when a story leaves it out."""
        return ""

    def tell(self, state: Any) -> str:
        return self.words(state, PLAIN)
