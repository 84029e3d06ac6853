"""The base of this game's events, and the names they are told with."""

from __future__ import annotations

from typing import Any

from ..events import Event
from ..words import listed


class Names:
    """Names of things by the ids that events carry; these are the ids themselves, for telling without content."""

    def marine(self, code: str) -> str:
        """Return the name of a Marine."""
        return code

    def card(self, card: str) -> str:
        """Return the name of a special, infestation or activation card."""
        return card

    def kind(self, kind: str) -> str:
        """Return the name of a kind of Tyranid."""
        return kind.capitalize()

    def counter(self, counter: str) -> str:
        """Return the name of what a counter shows."""
        return counter

    def face(self, face: str) -> str:
        """Return the name of a face of a board."""
        return face

    def mission(self, mission: str) -> str:
        """Return the name of a briefing."""
        return mission

    def called(self, id: str) -> str:
        """Return the name of anything that is counted, as a label rather than within a sentence."""
        return id

    def marines(self, codes: tuple[str, ...]) -> str:
        """Return the names of several Marines as one phrase."""
        return listed([self.marine(code) for code in codes])

    def cards(self, cards: tuple[str, ...]) -> str:
        """Return the names of several cards as one phrase."""
        return listed([self.card(card) for card in cards])

    def kinds(self, kinds: tuple[str, ...]) -> str:
        """Return the names of several kinds, in the plural, as one phrase."""
        return listed([self.kind(kind) + "s" for kind in kinds])


PLAIN = Names()


def a(noun: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


class Fact(Event, frozen=True):
    """An event of this game; `words` tells it with given names, `tell` without content."""

    def words(self, state: Any, names: Names) -> str:
        """Return one sentence, given the state just before; empty when a story leaves it out."""
        return ""

    def tell(self, state: Any) -> str:
        return self.words(state, PLAIN)
