"""Every small ruleset obeys every law; and the laws catch rulesets that do not."""

from __future__ import annotations

from typing import Any

import hidden
import laws
import msgspec
import nested
import pig
import pytest

from warptape.domain.chance import Fate, Roll
from warptape.domain.errors import IllegalAction
from warptape.domain.referee import Match
from warptape.domain.rules import Decision

RULESETS = {"pig": pig.RULESET, "nested": nested.RULESET, "hidden": hidden.RULESET}


@pytest.fixture(params=RULESETS)
def ruleset(request: pytest.FixtureRequest) -> Any:
    return RULESETS[request.param]


def test_replay_equals_live(ruleset: Any) -> None:
    for seed in range(150):
        laws.replay_equals_live(ruleset, f"replay {seed}")


@pytest.mark.slow
def test_replay_equals_live_over_thousands_of_games(ruleset: Any) -> None:
    for seed in range(3000):
        laws.replay_equals_live(ruleset, f"replay {seed}")


def test_legal_is_not_refused_and_refused_leaves_nothing(ruleset: Any) -> None:
    actions = laws.pool(ruleset, ["a", "b", "c"])
    assert len(actions) >= 2
    for seed in range(2):
        for match in laws.played(ruleset, f"legal {seed}", limit=40):
            laws.legal_is_not_refused(ruleset, match, actions)
            laws.refused_leaves_nothing(ruleset, match, actions)


@pytest.mark.parametrize("action", [None, "roll", 7, hidden.SKIP, pig.ROLL, nested.REST, object()])
def test_what_is_no_action_is_refused(ruleset: Any, action: Any) -> None:
    match = Match(ruleset, Fate("s"))
    assert match.decision is not None
    if action in match.decision.actions:
        return
    before = msgspec.json.encode(match.state)
    with pytest.raises(IllegalAction):
        match.referee.take(match.decision.seat, action)
    assert msgspec.json.encode(match.state) == before


def test_every_answer_works(ruleset: Any) -> None:
    for seed in range(4):
        for match in laws.played(ruleset, f"answers {seed}", limit=60):
            laws.every_answer_works(ruleset, match, f"answers {seed}")


def test_crashed_leaves_nothing(ruleset: Any) -> None:
    assert sum(laws.crash_leaves_nothing(ruleset, f"crash {seed}") for seed in range(4)) > 100


def test_states_are_kept_at_every_decision(ruleset: Any) -> None:
    for seed in range(40):
        for match in laws.played(ruleset, f"state {seed}"):
            laws.state_keeps(ruleset, match)


def test_audited(ruleset: Any) -> None:
    for seed in range(40):
        laws.audited(ruleset, laws.whole(ruleset, f"audit {seed}").events)


def test_continued_from_every_decision(ruleset: Any) -> None:
    for seed in range(3):
        events = laws.whole(ruleset, f"on {seed}").events
        for match in laws.played(ruleset, f"on {seed}"):
            laws.continued(ruleset, match, events[len(match.events) :])


def test_notation_told_and_fresh(ruleset: Any) -> None:
    for seed in range(10):
        for match in laws.played(ruleset, f"notation {seed}"):
            laws.notation_returns(ruleset, match)
        laws.told(ruleset, match.events)
    laws.fresh_states_are_apart(ruleset, "fresh")


@pytest.mark.parametrize("name", RULESETS)
def test_bytes_do_not_depend_on_the_process(name: str) -> None:
    seeds = ["one", "two", "three"]
    assert laws.deterministic(f"{name}:RULESET", seeds) == laws.fingerprint(RULESETS[name], seeds)


def test_a_game_always_ends(ruleset: Any) -> None:
    for seed in range(20):
        match = laws.whole(ruleset, f"end {seed}")
        assert match.decision is None
        assert match.outcome is not None
        assert match.state.pending == []


# The laws are no decoration: each catches a ruleset that breaks it.


class Cheating(pig.Pig):
    """Changes the state behind the log's back."""

    def resolve(self, state: Any, step: Any, action: Any) -> Any:
        state.scores[0] += 1
        yield from super().resolve(state, step, action)


class Generous(pig.Pig):
    """Offers what its explanation refuses."""

    def ask(self, state: Any, step: Any) -> Decision:
        return Decision(pig.SEATS[step.player], pig.BOTH, "Roll or hold?", True)


class Peeking(pig.Pig):
    """Decides by what is not in its state."""

    asked = 0

    def ask(self, state: Any, step: Any) -> Decision:
        type(self).asked += 1
        return Decision(pig.SEATS[step.player], pig.BOTH if self.asked % 2 else pig.ONLY_ROLL, "", True)


class Unsettled(pig.Pig):
    """Rolls what it likes: chance that is not asked for again."""

    rolls = 0

    def resolve(self, state: Any, step: Any, action: Any) -> Any:
        type(self).rolls += 1
        yield Roll("die/extra", count=1 + self.rolls % 2)
        yield from super().resolve(state, step, action)


def test_the_laws_bite() -> None:
    with pytest.raises(AssertionError):
        laws.replay_equals_live(Cheating(), "s")
    with pytest.raises(AssertionError, match="explain differs"):
        laws.legal_is_not_refused(Generous(), Match(Generous(), Fate("s")), [])
    with pytest.raises(AssertionError):
        laws.state_keeps(Peeking(), Match(Peeking(), Fate("s")))
    match = laws.whole(Unsettled(), "s", limit=20)
    Unsettled.rolls = 1
    with pytest.raises((AssertionError, Exception), match="rules ask for"):
        laws.audited(Unsettled(), match.events)
