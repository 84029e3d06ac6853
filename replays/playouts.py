"""Playing a position out: bots finish the game many times, and the shares of wins say what the position is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import msgspec

from ..domain.chance import Draw, Fate, Pick, Roll, Salt, permutation
from ..domain.errors import WarptapeError
from ..domain.referee import Referee, choose
from ..domain.rules import Ruleset
from ..domain.secrets import bare
from ..domain.states import ChanceState, Shuffled

LONGEST = 20_000
"""Decisions after which a playout counts for nobody."""

Given = tuple[int, ...] | str
"""What chance gave once: the values of a roll, or the card or counter of a draw."""

Outcomes = tuple[Given, ...]
"""What chance gave, in order."""


class Value(msgspec.Struct, frozen=True):
    """What a position is worth: who won each of its playouts.

    `results` holds a number for each playout, in the order of the seeds, whose bit i is set where `seats[i]` won; a draw is
    nobody's. `exact` says that the game is over there, so that one result is all there is to know.
    """

    seats: tuple[str, ...]
    results: tuple[int, ...]
    exact: bool = False

    @property
    def playouts(self) -> int:
        """How many playouts there were."""
        return len(self.results)

    def wins(self, seat: str) -> int:
        """Return how many playouts a seat won."""
        bit = 1 << self.seats.index(seat)
        return sum(1 for result in self.results if result & bit)

    def share(self, seat: str) -> float:
        """Return the share of playouts that a seat won, 0 to 1."""
        return self.wins(seat) / len(self.results)

    def error(self, seat: str) -> float:
        """Return the standard error of a share; it is 0 only where the game is over."""
        if self.exact:
            return 0.0
        count = len(self.results) + 2  # one win and one defeat more than were seen: 40 of 40 are no certainty
        share = (self.wins(seat) + 1) / count
        return math.sqrt(share * (1 - share) / count)

    def first(self, count: int) -> Value:
        """Return what the first playouts alone say."""
        return self if len(self.results) <= count else Value(self.seats, self.results[:count], self.exact)

    def minus(self, other: Value, seat: str) -> Estimate:
        """Return by how much this is worth more to a seat, and the standard error of that.

        Values of the same seeds are compared playout by playout, where what both have in common cancels out.
        """
        mean = self.share(seat) - other.share(seat)
        if len(self.results) != len(other.results) or self.exact or other.exact:
            return Estimate(mean, math.hypot(self.error(seat), other.error(seat)))
        bit, count = 1 << self.seats.index(seat), len(self.results) + 2
        apart = sum(1 for mine, theirs in zip(self.results, other.results, strict=True) if (mine ^ theirs) & bit)
        return Estimate(mean, math.sqrt(max(0.0, (apart + 2) / count - mean * mean) / count))


class Estimate(msgspec.Struct, frozen=True):
    """A figure that was found by playouts, and its standard error."""

    mean: float
    error: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether it lies beyond the noise: further from 0 than 1.96 standard errors."""
        return abs(self.mean) > 1.96 * self.error


class Imagined:
    """A source of chance for games that are only imagined: known outcomes first, in order, and then those of a seed.

    One seed gives the same dice, cards and counters at any position of a game, as far as they are asked for alike, so what
    differs between two positions is not a matter of luck. What somebody has seen stays where it is; what lies on the other
    places is dealt from the seed alone, never from the game's own fate.
    """

    def __init__(self, seed: str, outcomes: Outcomes = ()) -> None:
        self.left = list(outcomes)
        self._key = Salt(seed=seed).key
        self._fate = Fate({0: Salt(seed=seed)})
        self._deals: dict[str, _Deal] = {}

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        """Return the values of the dice asked for."""
        if self.left:
            return tuple(self.left.pop(0))  # type: ignore[arg-type]
        return self._fate.roll(chance, request)

    def card(self, chance: ChanceState, request: Draw) -> str:
        """Return what lies on a place that nobody has seen."""
        if self.left:
            return str(self.left.pop(0))
        deal = self._deals.get(request.deck)
        if deal is None:
            deal = self._deals[request.deck] = _Deal(self._key, request.deck, chance.decks[request.deck])
        return deal.card(chance.decks[request.deck], request.place)

    def counter(self, chance: ChanceState, request: Pick) -> str:
        """Return a counter out of the bag."""
        return str(self.left.pop(0)) if self.left else self._fate.counter(chance, request)


class _Deal:
    """One deal of a shuffle: a permutation in which what was seen is swapped onto its place.

    Equal items have numbers, and those seen take the lowest. So every deal that agrees with what was seen is as likely as any
    other, also where a card was forced onto a place on which the seed had put another one, and the rest stays as it was.
    """

    def __init__(self, key: str, name: str, deck: Shuffled) -> None:
        self._items = deck.items
        self._lying = permutation(key, f"shuffle/{name}", len(deck.items))
        self._known = 0
        self._numbers: dict[str, list[int]] = {}
        for number in range(len(deck.items) - 1, -1, -1):
            self._numbers.setdefault(deck.items[number], []).append(number)

    def card(self, deck: Shuffled, place: int) -> str:
        for seen in list(deck.seen)[self._known :]:  # in the order in which they were seen
            lying, number = self._lying, self._numbers[str(bare(deck.seen[seen]))].pop()
            there = lying.index(number)
            lying[there], lying[seen] = lying[seen], number
        self._known = len(deck.seen)
        return self._items[self._lying[place]]


class Asked(WarptapeError):
    """Chance was asked for something: `possible` lists what may come out, each as likely as any other; None: too much."""

    def __init__(self, possible: list[Given] | None) -> None:
        super().__init__("chance is asked")
        self.possible = possible


class Probe:
    """A source of chance that gives known outcomes, and raises Asked at what is asked for after them."""

    def __init__(self, outcomes: Outcomes, most: int) -> None:
        self.left = list(outcomes)
        self.most = most

    def roll(self, chance: ChanceState, request: Roll) -> Any:
        """Return the values of the dice asked for."""
        if self.left:
            return self.left.pop(0)
        few = request.sides**request.count <= self.most
        raise Asked([*product(range(1, request.sides + 1), repeat=request.count)] if few else None)

    def card(self, chance: ChanceState, request: Draw) -> Any:
        """Return what lies on a place that nobody has seen."""
        return self._item(chance.decks[request.deck].left())

    def counter(self, chance: ChanceState, request: Pick) -> Any:
        """Return a counter out of the bag."""
        return self._item(chance.bags[request.bag].inside())

    def _item(self, possible: Sequence[str]) -> Any:
        if self.left:
            return self.left.pop(0)
        raise Asked([*possible] if len(possible) <= self.most else None)


def position(state: Any) -> bytes:
    """Return a position in JSON as far as playouts depend on it: without what only the game's own fate needs."""
    copy = state.copy()
    copy.chance.epoch = 0
    for deck in copy.chance.decks.values():
        deck.fixed = ()
    return msgspec.json.encode(copy)


def possible(rules: Ruleset, state: Any, action: Any, outcomes: Outcomes = (), most: int = 256) -> tuple[Given, ...]:
    """Return all that chance may give next when an action is taken and has been given `outcomes`, as often as it is likely.

    Nothing where chance is asked for no more, or where there are more than `most` possibilities.
    Raises IllegalAction, RulesetCrash where today's rules do not take the action so.
    """
    decision = rules.decision(state)
    if decision is None:
        return ()
    referee = Referee(rules, state.copy(), Probe(outcomes, most))
    try:
        referee.take(decision.seat, action)
    except Asked as asked:
        return tuple(asked.possible or ())
    return ()


def playout(
    rules: Ruleset,
    state: Any,
    bots: Mapping[str, str],
    seed: str,
    action: Any = None,
    outcomes: Outcomes = (),
) -> tuple[str, ...]:
    """Return the seats that win when bots play a position out; none for a draw. The position is left as it is.

    `action` is taken first, and what it asks of chance is `outcomes` as far as they go. The same seed gives the same dice
    and cards at any position of a game (common random numbers), as far as they are asked for alike.

    Raises IllegalAction, RulesetCrash, and what a bot raises.
    """
    referee = _imagined(rules, state, seed, outcomes)
    decision = referee.decision
    if action is not None and decision is not None:
        referee.take(decision.seat, action)
    _finish(rules, referee, bots, seed)
    outcome = referee.outcome
    return outcome.winners if outcome is not None else ()


def length(rules: Ruleset, state: Any, bots: Mapping[str, str], seed: str) -> int:
    """Return how many decisions bots take to play a position out, by one playout; raises what `playout` raises."""
    return _finish(rules, _imagined(rules, state, seed), bots, seed)


def _imagined(rules: Ruleset, state: Any, seed: str, outcomes: Outcomes = ()) -> Referee:
    copy = state.copy()
    copy.chance.epoch = 0
    return Referee(rules, copy, Imagined(seed, outcomes))


def _finish(rules: Ruleset, referee: Referee, bots: Mapping[str, str], seed: str) -> int:
    """Have bots play to the end, or for as long as a playout may be; returns how many decisions they took."""
    for taken in range(LONGEST):
        decision = referee.decision
        if decision is None:
            return taken
        referee.take(decision.seat, choose(rules, referee.state, decision, bots[decision.seat], seed))
    return LONGEST


def won(seats: Sequence[str], winners: Sequence[str]) -> int:
    """Return winners as a result of `Value`."""
    return sum(1 << number for number, seat in enumerate(seats) if seat in winners)
