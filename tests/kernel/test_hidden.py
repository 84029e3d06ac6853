"""The raid keeps its secrets: the view law and non-interference over hundreds of random games, in the long run thousands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import hidden
import laws
import msgspec
import pytest
import secret_laws
from hypothesis import given, settings
from hypothesis import strategies as st

from warptape.domain.chance import Fate, Luck, Reveal
from warptape.domain.events import (
    Awaiting,
    CardDrawn,
    CardRevealed,
    CounterRevealed,
    DeckShuffled,
    DiceRolled,
    Event,
)
from warptape.domain.referee import Match
from warptape.domain.rules import Decision, do
from warptape.domain.secrets import SEALED, Secret, bare, redact, seal, view

RAID = hidden.RULESET


def games(count: int) -> list[tuple[str, hidden.RaidOptions]]:
    """Seeds and options of many games, most of them short: secrets of one round meet those of the next."""
    return [(f"game {number}", hidden.RaidOptions(rounds=1 + number % 3, goal=6)) for number in range(count)]


def test_view_law_at_every_event() -> None:
    assert sum(secret_laws.view_law(RAID, laws.whole(RAID, *game).events) for game in games(150)) > 2_000


def test_view_law_through_json() -> None:
    for seed in range(12):
        secret_laws.view_law(RAID, laws.whole(RAID, f"json {seed}").events, through_json=True)


@settings(max_examples=25, deadline=None)
@given(seed=st.text(max_size=8), rounds=st.integers(1, 12), goal=st.integers(1, 50))
def test_secrets_hold_whatever_the_options(seed: str, rounds: int, goal: int) -> None:
    options = hidden.RaidOptions(rounds=rounds, goal=goal)
    secret_laws.view_law(RAID, laws.whole(RAID, seed, options).events)
    secret_laws.every_view_asks_the_same(RAID, seed, options)
    secret_laws.non_interference(RAID, seed, options)


def test_every_view_asks_the_same() -> None:
    asked = sum((secret_laws.every_view_asks_the_same(RAID, f"ask {seed}") for seed in range(100)), Counter[str]())
    assert min(asked[name] for name in ("WriteOrder", "Scout", "Storm", "Spring", "Again", "Losses")) > 30


def test_non_interference() -> None:
    count = sum((secret_laws.non_interference(RAID, *game) for game in games(200)), Counter[str]())
    assert count["same"] > 2_000
    assert count["told"] > 100
    assert count["impossible"] < count["same"] / 5


@pytest.mark.slow
def test_secrets_hold_over_thousands_of_games() -> None:
    long = [(f"long {number}", hidden.RaidOptions(rounds=12, goal=10)) for number in range(1500)]
    for game in [*games(1000), *long]:
        secret_laws.view_law(RAID, laws.whole(RAID, *game).events)
        secret_laws.non_interference(RAID, *game)
    for seed in range(300):
        secret_laws.every_view_asks_the_same(RAID, f"ask {seed}")


def test_the_game_does_all_it_is_for() -> None:
    """Every kind of secret occurs, in games both sides win."""
    kinds, winners, outlived = Counter[str](), Counter[str](), 0
    for seed in range(300):
        for match in laws.played(RAID, f"all {seed}"):
            state = match.state
            outlived += any(laid.deck != state.deck for laid in state.gates.values())
        kinds.update(type(event).__name__ for event in match.events)
        kinds["peeks"] += sum(isinstance(event, CardDrawn) and event.seen_by == ("raider",) for event in match.events)
        kinds["private dice"] += sum(isinstance(e, DiceRolled) and e.seen_by is not None for e in match.events)
        kinds["both know"] += sum(
            isinstance(event, CounterRevealed) and event.seen_by == ("raider", "warden") for event in match.events
        )
        winners[match.outcome.winners[0]] += 1  # type: ignore[union-attr]
    assert min(winners["raider"], winners["warden"]) > 50, winners
    assert outlived > 100
    for kind in ("AmbushSprung", "CardRevealed", "CounterReturned", "CounterRevealed", "Rerolled", "StakeShown"):
        assert kinds[kind] > 50, kind
    assert min(kinds[kind] for kind in ("peeks", "private dice", "both know", "OrdersShown")) > 50


def test_bots_of_a_secretive_game_see_their_view_only() -> None:
    seen: list[Any] = []

    def nosy(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
        seen.append((decision.seat, msgspec.json.encode(state)))
        assert view(state, decision.seat) == state
        return luck.choice(decision.actions)

    class Nosy(hidden.Raid):
        bots = {"nosy": nosy}

    for seed in range(10):
        assert Match(Nosy(), Fate(f"nosy {seed}")).play({"raider": "nosy", "warden": "nosy"}) is not None
    assert len(seen) > 200


def test_face_down_cards_outlive_a_reshuffle() -> None:
    """A card that the raider peeked at and that stays at its gate over a reshuffle is still that card."""
    found = 0
    for seed in range(200):
        events = laws.whole(RAID, f"outlive {seed}").events
        peeked: dict[tuple[str, int], str] = {}
        shuffles = 0
        for event in events:
            shuffles += isinstance(event, DeckShuffled)
            if isinstance(event, CardRevealed):
                assert peeked[event.deck, event.place] == event.item
                found += event.deck != f"gate/{shuffles}"
            elif isinstance(event, CardDrawn):
                assert isinstance(event.item, str)
                peeked[event.deck, event.place] = event.item
    assert found > 5


def position(**facts: Any) -> Match:
    """A game set up by hand: a fight at gate 2, where the raider's c1 storms with a stake of 3."""
    match = Match(RAID, Fate("by hand"))
    state = match.state
    state.orders = [Secret(facts.get("guarded", 2), ("warden",))]
    state.watch = Secret(3, ("warden",))
    state.fight = hidden.Fight(2, "c1")
    state.pending = [
        hidden.RoundOver(number=1),
        hidden.Clash(stake=3, seen_by=("raider",)),
        hidden.Spring(gate=2),
    ]
    match.referee.reset(laws.restored(RAID, state))
    return match


def test_spring_is_asked_whether_or_not_the_gate_is_guarded() -> None:
    guarded, other = position(guarded=2), position(guarded=3)
    assert guarded.decision is not None
    assert other.decision is not None
    assert list(guarded.decision.actions) == [hidden.PASS, hidden.AMBUSH]
    assert list(other.decision.actions) == [hidden.PASS]
    assert view(guarded.state, "raider") == view(other.state, "raider")
    raider = [redact(event, "raider") for event in guarded.act("pass")]
    assert raider == [redact(event, "raider") for event in other.act("pass")]
    refusal = other.ruleset.explain(position(guarded=3).state, hidden.Spring(gate=2), hidden.AMBUSH)
    assert str(refusal) == "refused RAID-5: another gate is guarded"


def test_the_stake_rides_on_the_stack_unseen() -> None:
    match = position()
    assert view(match.state, "warden").pending[1] == hidden.Clash(stake=SEALED, seen_by=("raider",))
    batch = match.act("pass")
    waiting = batch[-1]
    assert isinstance(waiting, Awaiting)
    sealed, beside = seal(waiting, 7, "key")
    assert [item.field for item in beside] == ["push.0.stake"]
    assert beside[0].seen_by == ("raider",)
    assert b'"stake":3' not in msgspec.json.encode(sealed)


def test_a_secret_step_that_stays_the_same_is_pushed_all_the_same() -> None:
    """Whether a secret changed must not show: an equal step with a secret is written again."""

    class Restless(hidden.Raid):
        def run(self, state: Any, step: Any) -> Any:
            if isinstance(step, hidden.Clash):
                yield do(hidden.Spring(gate=2), hidden.Clash(stake=self.next_stake, seen_by=step.seen_by))
                return
            yield from super().run(state, step)

        next_stake = 3

    shapes = []
    for stake in (3, 1):
        ruleset = Restless()
        ruleset.next_stake = stake
        match = Match(ruleset, Fate("s"))
        match.referee.reset(position().state)
        shapes.append([redact(event, "warden") for event in match.act("pass")])
    assert shapes[0] == shapes[1]
    assert isinstance(shapes[0][-1], Awaiting)


# The laws bite: each of these leaks in one way.


class AsksTheGuardOnly(hidden.Raid):
    def ask(self, state: Any, step: Any) -> Decision | None:
        if isinstance(step, hidden.Spring) and bare(state.orders[-1]) != step.gate:
            return None
        return super().ask(state, step)

    def run(self, state: Any, step: Any) -> Any:
        if isinstance(step, hidden.Spring):
            return
        yield from super().run(state, step)


class SkipsTheOnlyAnswer(hidden.Raid):
    def ask(self, state: Any, step: Any) -> Decision | None:
        decision = super().ask(state, step)
        return decision and msgspec.structs.replace(decision, always=False)


class PromptsTheSecret(hidden.Raid):
    def ask(self, state: Any, step: Any) -> Decision | None:
        decision = super().ask(state, step)
        if isinstance(step, hidden.Storm) and decision:
            return msgspec.structs.replace(decision, prompt=f"Guarded: {state.orders[-1]}")
        return decision


class WatchKnown(Event, frozen=True):
    even: bool


class TellsAboutTheWatch(hidden.Raid):
    events = (*hidden.Raid.events, WatchKnown)

    def resolve(self, state: Any, step: Any, action: Any) -> Any:
        if isinstance(step, hidden.Scout):
            yield WatchKnown(bare(state.watch) % 2 == 0)
        yield from super().resolve(state, step, action)


class CountsTheSecret(hidden.Raid):
    """Reveals in an order, or in a number, that depends on what is hidden."""

    def resolve(self, state: Any, step: Any, action: Any) -> Any:
        yield from super().resolve(state, step, action)
        if isinstance(step, hidden.WriteOrder):
            for token in state.hand[: bare(action.gate)]:
                yield Reveal("crew", token, seen_by=("raider",))
                yield WatchKnown(True)

    events = (*hidden.Raid.events, WatchKnown)


class KeepsInTheOpen(hidden.Raid):
    """Its order goes into the state without its audience."""

    def resolve(self, state: Any, step: Any, action: Any) -> Any:
        if isinstance(step, hidden.WriteOrder):
            yield hidden.OrderWritten(action.gate)
            return
        yield from super().resolve(state, step, action)


class WrittenBadly(hidden.OrderWritten, frozen=True, tag="WrittenBadly"):
    def apply(self, state: Any) -> None:
        state.orders.append(self.gate)


class AppliesInTheOpen(hidden.Raid):
    events = (*hidden.Raid.events, WrittenBadly)

    def resolve(self, state: Any, step: Any, action: Any) -> Any:
        if isinstance(step, hidden.WriteOrder):
            yield WrittenBadly(action.gate, seen_by=("warden",))
            return
        yield from super().resolve(state, step, action)


def over_seeds(law: Callable[[Any, str], Any], ruleset: Any) -> None:
    for seed in range(30):
        law(ruleset, f"leak {seed}")


@pytest.mark.parametrize("leak", [AsksTheGuardOnly, SkipsTheOnlyAnswer, PromptsTheSecret])
def test_asking_that_leaks_is_found(leak: Any) -> None:
    with pytest.raises(AssertionError, match=r"depends on a secret|Guarded"):
        over_seeds(secret_laws.every_view_asks_the_same, leak())


@pytest.mark.parametrize(
    "leak", [AsksTheGuardOnly, SkipsTheOnlyAnswer, TellsAboutTheWatch, CountsTheSecret, KeepsInTheOpen]
)
def test_events_that_leak_are_found(leak: Any) -> None:
    with pytest.raises(AssertionError, match=r"betrays a secret|depends on"):
        over_seeds(secret_laws.non_interference, leak())


def test_states_that_leak_are_found() -> None:
    with pytest.raises((AssertionError, msgspec.ValidationError)):
        secret_laws.view_law(AppliesInTheOpen(), laws.whole(AppliesInTheOpen(), "leak").events)
