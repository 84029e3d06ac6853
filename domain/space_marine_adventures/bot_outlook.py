"""What a bot expects of the next infestation cards: where Marines would be wounded, from what everybody knows.

The composition of both decks is public and so is what has come up; nothing here looks at an order nobody has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from . import effects as e
from .book import Book
from .catalogue import Catalogue
from .field import Field
from .state import ACTIVATION, INFESTATION, Creature, LevelState, bag_size, pile

Tyranids = Mapping[int, Creature]
FULL_ROUND = 4
"""Tyranid activation cards of a round, before the deck is built."""
FARTHEST = 7
"""Squares from which on no infestation card brings a creature to a Marine, or its spines."""
DOUBLED = 1.5
"""What a wound weighs that takes a Marine out of action."""


class Forecast(NamedTuple):
    """What one infestation card does on average.

    `entries` and `objective` are reinforcements, `claws` the chance of a wound for a Marine beside a Tyranid. `charges`
    are a reach with the chance of a wound for one who is charged, `spines` kinds, a range and the chance for one who is
    seen. `ambush` is how many creatures appear beside each Marine.
    """

    entries: tuple[float, ...]
    objective: float
    claws: float
    charges: tuple[tuple[int, float], ...]
    spines: tuple[tuple[frozenset[str], int, float], ...]
    ambush: float


@lru_cache(maxsize=2048)
def forecast(catalogue: Catalogue, cards: tuple[str, ...], bag_empty: bool) -> Forecast:
    """Return what a card does on average that is any of these, equally likely."""
    entries, objective, claws, ambush = [0.0] * 6, 0.0, 0.0, 0.0
    charges: dict[int, float] = {}
    spines: dict[tuple[frozenset[str], int], float] = {}
    share = 1 / (len(cards) or 1)
    for card in cards:
        charged = 0
        for effect in _flat(catalogue.infestation[card].effects, bag_empty):
            if isinstance(effect, e.Claws):
                chance = share * effect.wound_on / 6
                claws += chance
                if charged:
                    charges[charged] = charges.get(charged, 0.0) + chance
            elif isinstance(effect, e.Charge):
                charged = effect.range
            elif isinstance(effect, e.Spines):
                key = (frozenset(effect.kinds), effect.range)
                spines[key] = spines.get(key, 0.0) + share * effect.wound_on / 6
            elif bag_empty:
                continue
            elif isinstance(effect, e.PlaceEntries):
                for number in effect.entries:
                    entries[number - 1] += share
            elif isinstance(effect, e.PlaceRolled):
                entries = [weight + share * effect.count / 6 for weight in entries]
            elif isinstance(effect, e.PlaceObjective):
                objective += share
            elif isinstance(effect, e.Ambush):
                ambush += share * (1 if effect.who == "each" else 0.25)
    reached = tuple(sorted(charges.items()))
    seen = tuple((kinds, reach, chance) for (kinds, reach), chance in spines.items())
    return Forecast(tuple(entries), objective, claws, reached, seen, ambush)


def _flat(effects: Iterable[e.InfestationEffect], bag_empty: bool) -> Iterable[e.InfestationEffect]:
    for effect in effects:
        if isinstance(effect, e.Branch):
            yield from _flat(effect.then if bag_empty and effect.if_bag_empty else effect.otherwise, bag_empty)
        else:
            yield effect


class Outlook:
    """A position as the squad judges it: how dangerous squares are and how much each Tyranid threatens.

    Danger is counted in wounds to be expected from one infestation card.
    """

    def __init__(self, book: Book, state: LevelState) -> None:
        self.book = book
        self.state = state
        self.field: Field = book.field(state)
        self.ground = self.field.ground
        self.tyranids: Tyranids = self.field.tyranids
        self.console = self.field.index.get(state.objective, -1)
        self.standing: dict[str, int] = {code: square for square, code in self.field.marines.items()}
        self.next = forecast(book.catalogue, coming(state), not bag_size(state))
        self.strikes = self._strikes(self.next, self.tyranids)
        self._threats: dict[int, float] = {}
        self._pain: dict[str, float] | None = None
        self._waits: dict[str, float] = {}

    def danger(self, square: int) -> float:
        """Return what a Marine on a square has to expect from the next card."""
        return self._danger(self.next, square, self.tyranids, self.strikes)

    def danger_without(self, square: int, gone: int) -> float:
        """Return the same as if the Tyranid on `gone` were destroyed."""
        tyranids = {s: creature for s, creature in self.tyranids.items() if s != gone}
        return self._danger(self.next, square, tyranids, self._strikes(self.next, tyranids))

    def weight(self, code: str) -> float:
        """Return what danger means to a Marine: cards until he acts again, more if a wound takes him out of action."""
        found = self._waits.get(code)
        if found is None:
            found = cards_before(self.book, self.state, code) * (DOUBLED if self.state.marines[code].wounds else 1.0)
            self._waits[code] = found
        return found

    def threat(self, target: int) -> float:
        """Return how much better off the squad would be without the Tyranid on a square."""
        found = self._threats.get(target)
        if found is None:
            if self._pain is None:
                self._pain = {code: self.danger(square) for code, square in self.standing.items()}
            tyranids = {s: creature for s, creature in self.tyranids.items() if s != target}
            strikes = self._strikes(self.next, tyranids)
            found = 0.0
            for code, square in self.standing.items():
                spared = self._pain[code] - self._danger(self.next, square, tyranids, strikes)
                if spared:
                    found += self.weight(code) * spared
            self._threats[target] = found
        return found

    def harm(self, card: str) -> float:
        """Return how many wounds a card would do as everybody stands now."""
        one = forecast(self.book.catalogue, (card,), not bag_size(self.state))
        strikes = self._strikes(one, self.tyranids)
        wounds = 0.0
        for code, square in self.standing.items():
            hurt = self._danger(one, square, self.tyranids, strikes)
            wounds += hurt * (DOUBLED if self.state.marines[code].wounds else 1.0)
        # Creatures that appear beside Marines, and claws at once, hurt those who stand clear as well.
        return wounds + one.ambush * (0.15 * len(self.standing) + one.claws)

    def _strikes(self, weights: Forecast, tyranids: Tyranids) -> dict[int, float]:
        """Return the squares where reinforcements would land, each with how many to expect."""
        hulk, steps = self.ground.hulk, self.ground.grid.steps
        found: dict[int, float] = {}
        for square, weight in zip((*hulk.xenos, self.console), (*weights.entries, weights.objective), strict=True):
            if not weight or square < 0:
                continue
            if square not in tyranids:
                found[square] = found.get(square, 0.0) + weight
                continue
            for direction in range(4):
                there = steps[square][direction]
                while there in tyranids:
                    there = steps[there][direction]
                if there >= 0:
                    found[there] = found.get(there, 0.0) + weight
        return found

    def _danger(self, weights: Forecast, square: int, tyranids: Tyranids, strikes: Mapping[int, float]) -> float:
        ground = self.ground
        total = strikes.get(square, 0.0)
        beside, room = False, False
        for there in ground.neighbours[square]:
            if there in tyranids:
                beside = True
            elif there not in self.field.marines:
                room = True
        if beside:
            total += weights.claws
        if not room:
            total += weights.ambush
        if not weights.spines and (beside or not weights.charges):
            return total
        width = ground.grid.width
        for target, distance in ground.sight.targets(square, tyranids, FARTHEST):
            kind = tyranids[target].kind
            if (
                not beside
                and weights.charges
                and (target % width == square % width or target // width == square // width)
            ):
                for reach, chance in weights.charges:
                    if distance - 1 <= reach:
                        total += chance
                beside = True
            for kinds, reach, chance in weights.spines:
                if distance <= reach and kind in kinds:
                    total += chance
        return total


def coming(state: LevelState) -> tuple[str, ...]:
    """Return the infestation cards that may be turned over next: the known top one, or all that nobody has seen."""
    if state.known:
        return (state.known[0],)
    key = pile(state, INFESTATION)
    if not key:
        return ()
    deck = state.chance.decks[key]
    seen = set(deck.seen.values())
    return tuple(card for card in deck.items if card not in seen)


def activations(book: Book, state: LevelState, code: str) -> tuple[int, int]:
    """Return how many cards of a Marine, and of the Tyranids, are still to come in this round."""
    key = pile(state, ACTIVATION)
    if not key:
        return 0, 0
    own = tyranid = 0
    for card in state.chance.decks[key].left():
        shows = book.shows[card]
        own += shows == code
        tyranid += shows == "tyranid"
    return own, tyranid


def cards_before(book: Book, state: LevelState, code: str) -> float:
    """Return how many infestation cards to expect before a Marine acts again."""
    own, tyranid = activations(book, state, code)
    return tyranid / (own + 1) if own else tyranid + a_round(book, state) / 3


def a_round(book: Book, state: LevelState) -> int:
    """Return how many infestation cards the next round will turn over; challenges may have added some."""
    usual = sum(book.shows[card] == "tyranid" for card in state.deck) or FULL_ROUND
    return usual + len(state.due)
