"""Checks outcomes of chance: could the recorded one be, and is it the one that the key gives?"""

from __future__ import annotations

from typing import Any, Literal

from ..domain.chance import Draw, Fate, Pick, Roll
from ..domain.events import (
    CardDrawn,
    CardRevealed,
    CounterDrawn,
    CounterReturned,
    CounterRevealed,
    DeckShuffled,
    DiceRolled,
    Event,
)
from ..domain.secrets import Sealed, bare
from ..domain.states import ChanceState

Proof = Literal["proven", "possible", "sealed", "told"]
"""An outcome that follows from the key; one that could be, without a key to prove it; one that this log hides; or no
new outcome at all (a shuffle, something shown to more seats)."""


class Wrong(Exception):
    """The recorded outcome cannot be; the text says why."""


def examine(chance: ChanceState, event: Event, fate: Fate | None) -> Proof | None:
    """Return how far an event of chance is proven, given what chance remembered just before; None for other events.

    `fate` knows the key in force, or is None where there is none. Raises Wrong for what cannot be.
    """
    check = CHECKS.get(type(event))
    return None if check is None else check(chance, event, fate)


def _roll(chance: ChanceState, event: DiceRolled, fate: Fate | None) -> Proof:
    if event.count < 1 or event.sides < 1:
        raise Wrong(f"{event.count} dice of {event.sides} sides were rolled")
    if isinstance(event.values, Sealed):
        return "sealed"
    values = list(event.values)
    if len(values) != event.count or not all(1 <= value <= event.sides for value in values):
        raise Wrong(f"{event.count} dice of {event.sides} sides cannot show {values}")
    if fate is None:
        return "possible"
    due = list(fate.roll(chance, Roll(event.stream, event.sides, event.count)))
    if due != values:
        raise Wrong(f"the key gives {due} for these dice ({event.stream}), and the log has {values}")
    return "proven"


def _card(chance: ChanceState, event: CardDrawn, fate: Fate | None) -> Proof:
    deck = chance.decks.get(event.deck)
    if deck is None or not 0 <= event.place < len(deck.items):
        raise Wrong(f"there is no place {event.place} in a shuffle '{event.deck}'")
    if event.place in deck.seen:
        raise Wrong(f"place {event.place} of '{event.deck}' had been seen before")
    if isinstance(event.item, Sealed):
        return "sealed"
    if event.item not in deck.left():
        raise Wrong(f"the card '{event.item}' was not in the deck '{event.deck}' any more")
    if fate is None or any(isinstance(bare(deck.seen.get(place)), Sealed) for place in deck.fixed):
        return "possible"
    due = fate.card(chance, Draw(event.deck, event.place))
    if due != event.item:
        raise Wrong(f"the key puts '{due}' on place {event.place} of '{event.deck}', and the log has '{event.item}'")
    return "proven"


def _card_again(chance: ChanceState, event: CardRevealed, fate: Fate | None) -> Proof:
    deck = chance.decks.get(event.deck)
    if deck is None or event.place not in deck.seen:
        raise Wrong(f"place {event.place} of '{event.deck}' had not been seen before")
    return _same(bare(deck.seen[event.place]), event.item, f"place {event.place} of '{event.deck}'")


def _counter(chance: ChanceState, event: CounterDrawn, fate: Fate | None) -> Proof:
    bag = chance.bags.get(event.bag)
    if bag is None or event.token in bag.out or bag.size() < 1:
        raise Wrong(f"no counter '{event.token}' can leave the bag '{event.bag}' now")
    if isinstance(event.item, Sealed):
        return "sealed"
    if event.item not in bag.inside():
        raise Wrong(f"the counter '{event.item}' was not in the bag '{event.bag}'")
    if fate is None or any(isinstance(bare(item), Sealed) for item in bag.out.values()):
        return "possible"
    due = fate.counter(chance, Pick(event.bag))
    if due != event.item:
        raise Wrong(f"the key gives the counter '{due}' from '{event.bag}', and the log has '{event.item}'")
    return "proven"


def _counter_again(chance: ChanceState, event: CounterRevealed, fate: Fate | None) -> Proof:
    bag = chance.bags.get(event.bag)
    if bag is None or event.token not in bag.out:
        raise Wrong(f"no counter '{event.token}' is out of the bag '{event.bag}'")
    return _same(bare(bag.out[event.token]), event.item, f"the counter '{event.token}'")


def _counter_back(chance: ChanceState, event: CounterReturned, fate: Fate | None) -> Proof:
    bag = chance.bags.get(event.bag)
    if bag is None or event.token not in bag.out:
        raise Wrong(f"no counter '{event.token}' is out of the bag '{event.bag}'")
    return "told"


def _shuffle(chance: ChanceState, event: DeckShuffled, fate: Fate | None) -> Proof:
    due = chance.ordinals.get(event.deck, 0) + 1
    if event.ordinal != due:
        raise Wrong(f"this is shuffle {due} of '{event.deck}', not {event.ordinal}")
    return "told"


def _same(before: Any, now: Any, what: str) -> Proof:
    if not isinstance(before, Sealed) and not isinstance(now, Sealed) and before != now:
        raise Wrong(f"{what} was '{before}' when it was first seen, and is shown as '{now}'")
    return "told"


CHECKS: dict[type[Event], Any] = {
    DiceRolled: _roll,
    CardDrawn: _card,
    CardRevealed: _card_again,
    CounterDrawn: _counter,
    CounterRevealed: _counter_again,
    CounterReturned: _counter_back,
    DeckShuffled: _shuffle,
}
