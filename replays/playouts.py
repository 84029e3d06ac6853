"""Playing a position out: bots finish the game many times, and the shares of wins say what the position is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..domain.chance import Chance, Draw, Fate, Pick, Roll, Salt
from ..domain.referee import Referee, choose
from ..domain.rules import Ruleset
from ..domain.states import ChanceState

LONGEST = 20_000
"""Decisions after which a playout counts for nobody."""

Outcomes = tuple[tuple[int, ...] | str, ...]
"""What chance gave, in order: the values of a roll, or the card or counter of a draw."""


class Value(msgspec.Struct, frozen=True):
    """What a position is worth: of so many playouts, how often each seat won. A draw is nobody's."""

    playouts: int
    wins: dict[str, int] = {}

    def share(self, seat: str) -> float:
        """Return the share of playouts that a seat won; 0 of none."""
        return self.wins.get(seat, 0) / self.playouts if self.playouts else 0.0

    def plus(self, other: Value) -> Value:
        """Return both together."""
        seats = {*self.wins, *other.wins}
        wins = {seat: self.wins.get(seat, 0) + other.wins.get(seat, 0) for seat in sorted(seats)}
        return Value(self.playouts + other.playouts, wins)


class Forced:
    """A source of chance that gives known outcomes first, in order, and then asks another one."""

    def __init__(self, outcomes: Outcomes, then: Chance) -> None:
        self.left = list(outcomes)
        self.then = then

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        """Return the values of the dice asked for."""
        if self.left:
            values = self.left.pop(0)
            assert isinstance(values, tuple)
            return values
        return self.then.roll(chance, request)

    def card(self, chance: ChanceState, request: Draw) -> str:
        """Return what lies on a place that nobody has seen."""
        return self._item() or self.then.card(chance, request)

    def counter(self, chance: ChanceState, request: Pick) -> str:
        """Return a counter out of the bag."""
        return self._item() or self.then.counter(chance, request)

    def _item(self) -> str:
        if not self.left:
            return ""
        item = self.left.pop(0)
        assert isinstance(item, str)
        return item


def fresh(state: Any) -> Any:
    """Return a copy of a position whose unseen places may be dealt anew: what somebody has seen stays where it is."""
    copy = state.copy()
    chance: ChanceState = copy.chance
    places = chance.fixed()
    for name, deck in chance.decks.items():
        deck.fixed = places.get(name, ())
    return copy


def playout(
    rules: Ruleset,
    state: Any,
    bots: Mapping[str, str],
    seed: str,
    action: Any = None,
    outcomes: Outcomes = (),
) -> tuple[str, ...]:
    """Return the seats that win when bots play a position out; none for a draw.

    `action` is taken first, and what it asks of chance is `outcomes` as far as they go. The same seed gives the same dice
    and cards at any position of a game (common random numbers), as far as they are asked for alike.
    """
    copy = fresh(state)
    fate = Fate({copy.chance.epoch: Salt(seed=seed)})
    source: Chance = Forced(outcomes, fate) if outcomes else fate
    referee = Referee(rules, copy, source)
    decision = referee.decision
    if action is not None and decision is not None:
        referee.take(decision.seat, action)
    for _ in range(LONGEST):
        decision = referee.decision
        if decision is None:
            outcome = referee.outcome
            return outcome.winners if outcome is not None else ()
        chosen = choose(rules, referee.state, decision, bots[decision.seat], seed)
        referee.take(decision.seat, chosen)
    return ()


def worth(
    rules: Ruleset,
    state: Any,
    bots: Mapping[str, str],
    seeds: Sequence[str],
    action: Any = None,
    outcomes: Outcomes = (),
) -> Value:
    """Return what a position is worth, or an action in it, by one playout for each seed."""
    wins: dict[str, int] = {}
    for seed in seeds:
        for seat in playout(rules, state, bots, seed, action, outcomes):
            wins[seat] = wins.get(seat, 0) + 1
    return Value(len(seeds), dict(sorted(wins.items())))
