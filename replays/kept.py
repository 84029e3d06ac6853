"""Chance for decisions that are taken again: outcomes are noted as they are drawn, and kept where still asked for."""

from __future__ import annotations

from collections.abc import Iterable

from ..domain.chance import Chance, Draw, Luck, Pick, Roll
from ..domain.errors import ImpossibleOutcome
from ..domain.events import CardDrawn, CounterDrawn, DiceRolled, Event
from ..domain.secrets import Sealed
from ..domain.states import ChanceState
from .reported import OutcomeEvent


class Noted:
    """A source of chance that keeps in `drawn` what another one gave, as the events that would have recorded it."""

    def __init__(self, source: Chance) -> None:
        self.source = source
        self.drawn: list[OutcomeEvent] = []

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        values = self.source.roll(chance, request)
        about = {"purpose": request.purpose, "subject": request.subject, "rule": request.rule}
        self.drawn.append(
            DiceRolled(request.stream, request.sides, values, request.count, seen_by=request.seen_by, **about)
        )
        return values

    def card(self, chance: ChanceState, request: Draw) -> str:
        item = self.source.card(chance, request)
        about = {"purpose": request.purpose, "subject": request.subject, "rule": request.rule}
        self.drawn.append(CardDrawn(request.deck, request.place, item, seen_by=request.seen_by, **about))
        return item

    def counter(self, chance: ChanceState, request: Pick) -> str:
        item = self.source.counter(chance, request)
        about = {"purpose": request.purpose, "subject": request.subject, "rule": request.rule}
        self.drawn.append(CounterDrawn(request.bag, request.token or item, item, seen_by=request.seen_by, **about))
        return item


class Kept:
    """Recorded outcomes by what was asked: dice by stream, cards by deck, counters by bag, each in the order recorded.

    A card is preferred that was drawn from the very place, and only what the deck or the bag still holds is given.
    `luck` gives what was never recorded; without it that raises ImpossibleOutcome.
    """

    def __init__(self, events: Iterable[Event] = (), luck: Luck | None = None) -> None:
        self.luck = luck
        self._dice: dict[tuple[str, int], list[int]] = {}
        self._cards: dict[str, list[CardDrawn]] = {}
        self._counters: dict[str, list[str]] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Take another recorded event; what is sealed, or is no outcome, tells nothing."""
        if type(event) is DiceRolled and not isinstance(event.values, Sealed):
            self._dice.setdefault((event.stream, event.sides), []).extend(event.values)
        elif type(event) is CardDrawn and not isinstance(event.item, Sealed):
            self._cards.setdefault(_name(event.deck), []).append(event)
        elif type(event) is CounterDrawn and not isinstance(event.item, Sealed):
            self._counters.setdefault(event.bag, []).append(event.item)

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        kept = self._dice.get((request.stream, request.sides), [])
        values = kept[: request.count]
        if len(values) < request.count:
            luck = self._new(f"dice of {request.stream}")
            values += [luck.below(request.sides) + 1 for _ in range(request.count - len(values))]
        del kept[: request.count]
        return tuple(values)

    def card(self, chance: ChanceState, request: Draw) -> str:
        left = chance.decks[request.deck].left()
        kept = self._cards.get(_name(request.deck), [])
        exact = [card for card in kept if (card.deck, card.place) == (request.deck, request.place)]
        for card in (*exact, *kept):
            if card.item in left:
                kept.remove(card)
                return str(card.item)
        return str(self._new(f"cards of {request.deck}").choice(left))

    def counter(self, chance: ChanceState, request: Pick) -> str:
        inside = chance.bags[request.bag].inside()
        kept = self._counters.get(request.bag, [])
        for item in kept:
            if item in inside:
                kept.remove(item)
                return item
        return str(self._new(f"counters of {request.bag}").choice(inside))

    def _new(self, what: str) -> Luck:
        if self.luck is None:
            raise ImpossibleOutcome(f"no more {what} were recorded")
        return self.luck


class Joined:
    """One source of chance first, and another where that one has nothing left."""

    def __init__(self, first: Chance, then: Chance) -> None:
        self.first, self.then = first, then

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        try:
            return self.first.roll(chance, request)
        except ImpossibleOutcome:
            return self.then.roll(chance, request)

    def card(self, chance: ChanceState, request: Draw) -> str:
        try:
            return self.first.card(chance, request)
        except ImpossibleOutcome:
            return self.then.card(chance, request)

    def counter(self, chance: ChanceState, request: Pick) -> str:
        try:
            return self.first.counter(chance, request)
        except ImpossibleOutcome:
            return self.then.counter(chance, request)


def _name(deck: str) -> str:
    return deck.rpartition("/")[0]
