"""Reactions nested five deep: stored, restored, re-run and audited at every decision, and set up by hand."""

from __future__ import annotations

from typing import Any

import laws
import msgspec
import nested
import pytest

from warptape.domain.chance import Fate, Luck, Table
from warptape.domain.errors import NeedsOutcome
from warptape.domain.events import Awaiting, DiceRolled
from warptape.domain.referee import Match, Referee, choose

DUEL = nested.RULESET


def deepest_games(count: int) -> list[Match]:
    """Games of wizards who react whenever they can, mixed with random ones."""
    found = []
    for number in range(count):
        match = Match(DUEL, Fate(f"deep {number}"), nested.DuelOptions(life=4, mana=9), luck=f"deep {number}")
        while match.decision is not None:
            bot = ("random", "eager", "eager")[number % 3]
            match.act(choose(DUEL, match.state, match.decision, bot, match.luck))
        found.append(match)
    return found


def test_at_every_decision_the_game_goes_on_from_its_stored_state() -> None:
    deepest, decisions = 0, 0
    for match in deepest_games(12):
        again = Match(DUEL, Fate("other"), nested.DuelOptions(life=4, mana=9))
        for batch in laws.batches(match.events)[1:]:
            laws.state_keeps(DUEL, again)
            laws.continued(DUEL, again, match.events[len(again.events) :])
            deepest = max(deepest, len(again.state.pending))
            decisions += 1
            again.events += batch
            for event in batch:
                event.apply(again.state)
            again.referee.reset(again.state)
        assert again.state == match.state
        laws.audited(DUEL, match.events)
    assert deepest >= 7
    assert decisions > 200


def test_many_random_games_are_audited_from_every_stored_state() -> None:
    for match in deepest_games(150):
        laws.audited(DUEL, match.events)


def test_going_on_from_a_stored_state_needs_no_history() -> None:
    """Fate goes on from the counters in the state: a restored game plays as the live one."""
    for seed in range(10):
        for match in laws.played(DUEL, f"fate {seed}"):
            if match.decision is None:
                continue
            action = Luck(f"fate {seed}", match.state.decisions).choice(match.decision.actions)
            one = Referee(DUEL, laws.restored(DUEL, match.state), Fate(f"fate {seed}"))
            other = Referee(DUEL, laws.restored(DUEL, match.state), Fate(f"fate {seed}"))
            assert one.take(match.decision.seat, action) == other.take(match.decision.seat, action)
            assert one.state == other.state


def set_up(outcomes: str, *pending: Any, **facts: Any) -> Referee:
    """A position set up by hand, with the dice that will fall."""
    state = nested.DuelState(options=nested.DuelOptions(), turn=3, life=[3, 3], mana=[5, 5], pending=list(pending))
    for name, value in facts.items():
        setattr(state, name, value)
    return Referee(DUEL, laws.restored(DUEL, state), Table(outcomes.split()))


FIVE_DEEP = (
    nested.TurnOver(who=0),
    nested.Impact(who=0, power=2),
    nested.Counters(who=1, level=1),
    nested.Counters(who=0, level=2),
    nested.Counters(who=1, level=3),
    nested.React(who=0, level=3),
)


def test_five_reactions_settle_from_the_last_to_the_first() -> None:
    """Blue's second counter holds (5), so red's counter to the first is broken; the first fails its die (2): the spell
    lives, wounds once (1, 6), and blue is asked about a ward after five settled reactions."""
    referee = set_up("5 2 1 6", *FIVE_DEEP)
    batch = referee.take("red", nested.NO)
    assert [type(event).__name__ for event in batch] == [
        "ActionTaken",
        "DiceRolled",
        "Broken",
        "DiceRolled",
        "DiceRolled",
        "Awaiting",
    ]
    assert [event.values for event in batch if isinstance(event, DiceRolled)] == [(5,), (2,), (1, 6)]
    assert batch[-1] == Awaiting(keep=1, push=(nested.Wounds(who=1, left=0), nested.Ward(who=1)))
    assert referee.state.broken == [2]
    assert referee.decision is not None
    assert referee.decision.seat == "blue"


def test_a_ward_a_curse_and_the_step_that_runs_after_both() -> None:
    """Blue wards (6), red curses it (2): the ward fails, the wound counts, the turn ends, the next begins."""
    referee = set_up("6 2", nested.TurnOver(who=0), nested.Wounds(who=1, left=0), nested.Ward(who=1))
    assert referee.decision is not None
    assert referee.decision.seat == "blue"
    first = referee.take("blue", nested.YES)
    assert first[-1] == Awaiting(keep=2, push=(nested.WardHolds(who=1), nested.Curse(who=0)))
    assert referee.decision.seat == "red"
    second = referee.take("red", nested.YES)
    names = [type(event).__name__ for event in second]
    assert names == [
        *("ActionTaken", "ManaChanged", "DiceRolled", "WardRaised", "Wounded", "TurnEnded", "TurnBegan", "Awaiting")
    ]
    assert referee.state.life == [3, 2]
    assert referee.state.pending == [nested.TurnOver(who=1), nested.Turn(who=1)]


def test_a_single_answer_is_given_by_the_referee_and_not_logged() -> None:
    """Blue has no mana: to counter it could only say no, about a ward it is not asked at all, and on its turn it can
    only rest; so does red then. One batch, one action, up to the next choice."""
    referee = set_up("5 2 1", nested.TurnOver(who=0), nested.Turn(who=0), mana=[1, 0])
    batch = referee.take("red", nested.Cast(1))
    names = [type(event).__name__ for event in batch]
    assert names == [
        *("ActionTaken", "ManaChanged", "DiceRolled", "Wounded", "TurnEnded", "TurnBegan"),
        *("DiceRolled", "ManaChanged", "TurnEnded", "TurnBegan"),
        *("DiceRolled", "ManaChanged", "TurnEnded", "TurnBegan", "Awaiting"),
    ]
    assert referee.state.mana == [1, 2]
    assert referee.state.decisions == 1
    assert referee.decision is not None
    assert (referee.decision.seat, len(referee.decision.actions)) == ("blue", 3)


def test_drop_empties_the_stack_and_the_script_goes_on() -> None:
    referee = set_up("", *FIVE_DEEP[:1], nested.Wounds(who=1, left=4), nested.Ward(who=1), life=[3, 1])
    batch = referee.take("blue", nested.NO)
    assert [type(event).__name__ for event in batch] == ["ActionTaken", "Wounded", "WizardFell", "Awaiting"]
    assert batch[-1] == Awaiting()
    assert referee.state.pending == []
    assert referee.decision is None
    assert referee.outcome is not None
    assert (referee.outcome.winners, referee.outcome.reason) == (("red",), "wounds")


def test_end_closes_the_script_from_a_helper_deep_inside() -> None:
    """Two ones of a great spell: the script does not go on, although more was to follow."""
    referee = set_up("1 5 1", nested.TurnOver(who=0), nested.Impact(who=0, power=3), nested.React(who=1, level=0))
    batch = referee.take("blue", nested.NO)
    assert [type(event).__name__ for event in batch] == ["ActionTaken", "DiceRolled", "WizardFell", "Awaiting"]
    assert referee.state.pending == []
    assert referee.outcome is not None
    assert (referee.outcome.winners, referee.outcome.reason) == (("blue",), "backfire")


def test_a_refused_outcome_in_the_middle_of_the_nest_takes_everything_back() -> None:
    match = Match(DUEL, Table())
    match.act("cast 2")
    match.act("yes")
    match.act("yes")
    match.act("yes")
    assert len(match.state.pending) == 6
    before, count = msgspec.json.encode(match.state), len(match.events)
    for outcomes in ([], ["5"], ["5", "2"]):
        match.referee.chance = Table(outcomes)
        with pytest.raises(NeedsOutcome):
            match.act("no")
        assert msgspec.json.encode(match.state) == before
        assert len(match.events) == count
    match.referee.chance = Table(["5", "2", "1", "6"])
    assert match.act("no")[-1] == Awaiting(keep=1, push=(nested.Wounds(who=1, left=0), nested.Ward(who=1)))


def test_steps_are_part_of_the_log() -> None:
    """Every step of the stack is read back from the log's bytes as what it was."""
    steps = set()
    for match in deepest_games(20):
        decoder = msgspec.json.Decoder(DUEL.event_type)
        for event in match.events:
            again = decoder.decode(msgspec.json.encode(event))
            if isinstance(again, Awaiting):
                steps.update(type(step) for step in again.push)
    assert steps == {*DUEL.steps}
