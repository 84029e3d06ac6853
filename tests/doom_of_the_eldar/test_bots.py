"""The bots: what they win, that they repeat themselves, what they see, and that no position is too odd for them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from warptape.domain.chance import Fate, Luck
from warptape.domain.doom_of_the_eldar import RULESET, steps
from warptape.domain.doom_of_the_eldar.bots import sensible
from warptape.domain.doom_of_the_eldar.state import DoomState, Options
from warptape.domain.events import Question
from warptape.domain.referee import Match

QUESTIONS = {step for step in steps.STEPS if issubclass(step, Question)}


def answer(state: DoomState) -> Any:
    """What the bot does in a position, seeing its seat's view; it must be legal and leave the position alone."""
    decision = RULESET.decision(state)
    assert decision is not None
    seen = RULESET.view(state, decision.seat)
    asked = RULESET.decision(seen)
    assert asked is not None
    before = seen.copy()
    action = sensible(RULESET, seen, asked, Luck("x"))
    assert action in decision.actions
    assert seen == before
    return action


def play(seed: str, options: Options | None = None, **bots: str) -> Match:
    match = Match(RULESET, Fate(seed), options, luck=seed)
    assert match.play({"eldar": "sensible", "tyranid": "sensible", **bots}) is not None
    return match


# Whole games


@pytest.mark.parametrize(("seat", "other"), [("eldar", "tyranid"), ("tyranid", "eldar")])
def test_it_beats_chance(seat: str, other: str) -> None:
    results = Counter(play(f"chance {n}", **{other: "random"}).outcome.result for n in range(20))  # type: ignore[union-attr]
    assert results[seat] >= 19


VARIANTS = [
    Options(),
    Options(track_advance="drawn", odds_below_table="annihilate", odds_above_table="annihilate"),
    Options(avatar_and_fort="add", hive_mind_end="counts", protoids_in_lid=3, retreat_together="each_chooses"),
    Options(
        hive_mind_end="dies_alone", knights_origin="iyanden", repeat_conversion_pool="separate", setup="quickstart"
    ),
    Options(stall_turns=0, track_layout="rows_of_15", eldar_sees_losses=True, retreat_together="each_chooses"),
]


def test_it_has_an_answer_to_every_question_anywhere() -> None:
    """From the positions of games that run wild, under all options: at each of them its action is legal."""
    met: Counter[type] = Counter()
    for n in range(40):
        luck = Luck("wild", n)
        match = Match(RULESET, Fate(f"wild {n}"), VARIANTS[n % len(VARIANTS)], keep=False)
        for _ in range(1500):
            if match.decision is None:
                break
            met[type(match.state.pending[-1])] += 1
            action = answer(match.state)
            wild = luck.below(3) == 0 and not isinstance(match.state.pending[-1], steps.SetUp)
            match.act(luck.choice(match.decision.actions) if wild else action)
        assert match.decision is None
    assert QUESTIONS - met.keys() == set()
