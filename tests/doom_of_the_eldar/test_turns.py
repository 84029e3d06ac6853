"""Turns and phases: their order, and nothing out of its phase."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from doom import of, play
from laws import whole

from warptape.domain.doom_of_the_eldar import RULESET, steps
from warptape.domain.doom_of_the_eldar.events import (
    AssaultEnded,
    BattleBegan,
    CounterMoved,
    GameEnded,
    PhaseBegan,
    SpecialActionUsed,
    SwarmArrived,
    TurnBegan,
    UnitConverted,
)
from warptape.domain.doom_of_the_eldar.state import Options
from warptape.domain.events import Event
from warptape.domain.referee import Referee

PHASES = [
    "tyranid_reinforcement", "tyranid_movement", "tyranid_combat", "eldar_special", "eldar_movement", "eldar_combat",
]  # fmt: skip
SEEDS = range(12)


@cache
def log(seed: int) -> Sequence[Event]:
    return whole(RULESET, f"turns {seed}", Options(setup="quickstart")).events


@pytest.mark.parametrize("seed", SEEDS)
def test_doe_seq_1_a_turn_is_six_phases_in_this_order(seed: int) -> None:
    """DOE-SEQ-1, over whole games; DOE-REINF-6: once the assault is over a turn has five."""
    turns: list[list[str]] = []
    over = 0
    for event in log(seed):
        if isinstance(event, TurnBegan):
            turns.append([])
            assert event.turn == len(turns)
        elif isinstance(event, PhaseBegan):
            turns[-1].append(event.phase)
        elif isinstance(event, AssaultEnded):
            over = len(turns)
    assert len(turns) > 2
    for number, phases in enumerate(turns, 1):
        full = PHASES[1:] if over and number > over else PHASES
        assert phases == (full if number < len(turns) else full[: len(phases)])
    assert isinstance(log(seed)[-1], GameEnded) or isinstance(log(seed)[-2], GameEnded)


@pytest.mark.parametrize("seed", SEEDS)
def test_doe_seq_2_nothing_is_done_out_of_its_phase(seed: int) -> None:
    """DOE-SEQ-2, over whole games: what happens belongs to the phase that has begun."""
    allowed = {
        SwarmArrived: {"tyranid_reinforcement"},
        CounterMoved: {"tyranid_movement", "eldar_movement"},
        BattleBegan: {"tyranid_combat", "eldar_combat"},
        SpecialActionUsed: {"eldar_special"},
        UnitConverted: {"eldar_special"},
    }
    phase, met = "", set()
    for event in log(seed):
        if isinstance(event, PhaseBegan):
            phase = event.phase
        elif type(event) in allowed:
            met.add(type(event))
            assert phase in allowed[type(event)], event
        if isinstance(event, CounterMoved):
            assert event.id.startswith("#") == (phase == "tyranid_movement")
        if isinstance(event, BattleBegan):
            assert event.attacker == phase.split("_")[0]
    assert {SwarmArrived, CounterMoved, BattleBegan} <= met


def test_doe_seq_2_a_phase_is_finished_before_the_next_begins() -> None:
    """No battle before the movement is ended, no special action before every battle is fought."""
    game = play(eldar={"n2": "WSH1", "tears": "GUA1", "s4": "WSH2"}, tyranid={"s1": "TH1", "souls": "TH2", "s4": "TH3"})
    assert game.why("fight s4") == "DOE-SEQ-2"
    game.do("mv #01 n2")
    assert not of(game.log, BattleBegan)
    assert game.why("fight n2") == "DOE-SEQ-2"
    game.do("mv #02 tears")
    game.do("end")
    assert set(game.legal()) == {"fight tears", "fight n2", "fight s4"}
    assert game.why("mv #03 n4") == "DOE-SEQ-2"
    assert game.why("end") == "DOE-COMBAT-1"
    assert [event.phase for event in of(game.log, PhaseBegan)] == ["tyranid_combat"]


def test_doe_seq_2_what_the_eldar_do_has_its_phase() -> None:
    facts = {"eldar": {"n2": "WSH1", "shrine": "GUA1"}, "tyranid": {"s1": "TH1"}}
    special = play("eldar_special", **facts)
    assert special.why("mv WSH1 n3") == "DOE-SEQ-2"
    assert special.why("fight n2") == "DOE-SEQ-2"
    movement = play("eldar_movement", **facts)
    assert movement.why("use spear") == "DOE-SPEC-1"
    assert movement.why("fight s1") == "DOE-SEQ-2"
    movement.do("mv WSH1 s1")
    movement.do("end")
    assert of(movement.log, BattleBegan)
    for game, line in ((special, "mv #01 n1"), (play("eldar_movement", **facts), "mv #01 n1")):
        refusal = game.refusal(line, seat="tyranid")
        assert refusal is not None
        assert "for eldar to decide" in refusal.reason


def test_doe_seq_2_each_phase_begins_with_nothing_moved() -> None:
    """Who moved in one turn may move in the next: DOE-MOVE-1, DOE-MOVE-5 hold for the phase alone."""
    game = play("eldar_movement", eldar={"shrine": "GUA1 GUA2"}, tyranid={"s1": "TH1 TH2"}, lid=())
    game.do("mv GUA1 spear")
    assert game.why("mv GUA1 tears") == "DOE-MOVE-5"
    game.do("end", 1, 2)
    assert game.asked == "Order"
    game.do("mine 3")
    game.do("mv #01 s2")
    assert game.why("mv #01 s1") == "DOE-MOVE-5"
    game.do("end")
    assert game.asked == "Special"
    game.do("end")
    assert game.why("mv GUA1 tears") == ""
    assert game.state.turn == 2


@pytest.mark.parametrize("phase", PHASES[1:])
def test_doe_seq_1_who_is_asked_in_which_phase(phase: str) -> None:
    """DOE-SEQ-1: each phase belongs to one player, who chooses what is moved, fought or used."""
    facts = {"eldar": {"n2": "WSH1 WSH2", "n5": "SHA1", "shrine": "GUA1"}, "tyranid": {"n2": "TH1", "n5": "TH2"}}
    game = play(phase, **facts)
    assert game.seat == phase.split("_")[0]
    question = {"movement": steps.Movement, "combat": steps.Combat, "special": steps.Special}[phase.split("_")[1]]
    assert game.asked == question.__name__
    referee = Referee(RULESET, game.state, game.table)
    assert referee.decision is not None
    assert all(referee.refusal(game.seat, action) is None for action in referee.decision.actions)
