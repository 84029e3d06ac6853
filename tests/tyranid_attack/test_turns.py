"""Turns and parts: whose they are, one model at a time, once a part, and what waits for a model to be finished."""

from __future__ import annotations

from hive import at, of, play
from hull import FIXED, moves, names

from warptape.domain.tyranid_attack.actions import END, UseModel
from warptape.domain.tyranid_attack.events_model import ModelMoved, ModelPlaced
from warptape.domain.tyranid_attack.events_ship import ExplorationTriggered, SectionLaid
from warptape.domain.tyranid_attack.events_turn import ActivationEnded, PartBegan, TurnBegan
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, Act

APART = {"SC1": "2:b5", "SC2": "2:b7", "GE1": "5:f6", "GE2": "5:g6"}


def test_ta_turn_1_the_marine_part_then_the_tyranid_part_then_the_next_turn() -> None:
    p = play(models=APART, turn=4)
    assert p.seat == MARINES
    events = p.do("end")
    assert [part.side for part in of(events, PartBegan)] == [TYRANID]
    assert (p.seat, p.asked, p.state.turn) == (TYRANID, "Reinforce", 4)
    p.do("skip")
    events = p.do("end")
    assert [turn.turn for turn in of(events, TurnBegan)] == [5]
    assert [part.side for part in of(events, PartBegan)] == [MARINES]
    assert (p.seat, p.state.turn, p.state.side) == (MARINES, 5, MARINES)


def test_ta_turn_2_move_attack_both_in_either_order_or_nothing() -> None:
    near = {"SC1": "2:b5", "GE1": "2:h5", "SC2": "1:b6"}
    for lines in (["move SC1 2:c5"], ["shoot SC1 GE1"], ["move SC1 2:c5", "shoot SC1 GE1"],
                  ["shoot SC1 GE1", "move SC1 2:c5"], ["done SC1"]):  # fmt: skip
        p = play(models=near, active="SC1")
        for line in lines:
            p.do(line, *((1, 1) if line.startswith("shoot") else ()))
        if p.state.active:
            p.do("done")
        assert names(p, UseModel) == {"SC2"}
        assert at(p.state, "SC1") == ("2:c5" if "move SC1 2:c5" in lines else "2:b5")


def test_ta_turn_3_one_model_at_a_time() -> None:
    """TA-TURN-3: while one is taken up no other is, and the part does not end."""
    p = play(models=APART)
    p.do("use SC1")
    assert p.why("use SC2") == "TA-TURN-3"
    assert p.why("end") == "TA-TURN-3"
    p.do("done SC1")
    assert p.why("use SC2") == ""
    assert p.why("end") == ""


def test_ta_turn_4_a_finished_model_is_not_taken_up_again_in_that_part() -> None:
    p = play(models=APART)
    p.do("use SC1")
    p.do("done SC1")
    assert p.why("use SC1") == "TA-TURN-4"
    p.do("end")
    p.do("skip")
    p.do("end")
    assert p.why("use SC1") == ""  # the next turn


def test_ta_turn_4_a_model_that_can_do_nothing_more_is_closed_by_itself() -> None:
    """TA-TURN-4, E-19, E-20: moved 3 and attacked, without an order."""
    p = play(models={"SC1": "2:b5", "SC2": "1:b6", "GE1": "2:n5"}, active="SC1")
    p.do("move SC1 2:e5")
    events = p.do("shoot SC1 GE1", 1, 2)
    assert [end.model for end in of(events, ActivationEnded)] == ["SC1"]
    assert p.why("use SC1") == "TA-TURN-4"


def test_ta_turn_5_all_some_or_none_may_act() -> None:
    p = play(models=APART)
    decision = p.referee.decision
    assert decision is not None
    assert END in decision.actions
    assert names(p, UseModel) == {"SC1", "SC2"}
    p.do("end")
    p.do("skip")
    assert names(p, UseModel) == {"GE1", "GE2"}
    p.do("end")
    assert p.state.turn == 2


def test_ta_turn_2_nobody_takes_up_what_is_the_enemys_or_off_the_board() -> None:
    p = play(models=APART)
    assert p.why("use GE1") == "TA-TURN-2"
    assert p.why("use SC6") == "TA-TURN-2"


def test_ta_turn_6_one_move_a_turn() -> None:
    p = play(models={"SC1": "2:b5", "GE1": "2:n5"}, active="SC1")
    p.do("move SC1 2:c5")
    assert p.state.active == "SC1"  # he may still shoot
    assert not moves(p)
    assert p.why("move SC1 2:d5") == "TA-TURN-6"


def test_ta_turn_7_a_move_is_made_in_one_piece() -> None:
    """TA-TURN-7 and E-20: after a move and an attack what is left of the move is gone."""
    moved = Act(fresh=False, moves=0, attacks=0, stepped=True, attacked=True)
    p = play(models={"SC1": "2:e5", "GE1": "2:n5"}, active="SC1", acts={"SC1": moved})
    assert p.why("move SC1 2:f5") == "TA-TURN-7"
    p = play(models={"SC1": "2:e5", "GE1": "2:n5"}, active="SC1")
    p.do("shoot SC1 GE1", 1, 1)
    assert p.why("move SC1 2:f5") == ""  # the attack before the move is no split


def test_ta_turn_8_an_exploration_waits_until_its_trigger_is_finished() -> None:
    """TA-TURN-8, TA-EXPL-3, E-56: then all that waited is open."""
    models = {"SC1": "5:e2", "SC2": "4:b6", "SG1": "4:n6", "GE1": "6:e7"}
    p = play(models=models, active="SC1", card="EX-01", options=FIXED)
    events = p.do("move SC1 6:e10")
    assert [one.section for one in of(events, ExplorationTriggered)] == [6]
    assert not of(events, SectionLaid)
    assert (p.why("use SC2"), p.why("end"), p.why("order mark")) == ("TA-TURN-3", "TA-TURN-3", "TA-ORDER-8")
    events = p.do("done SC1", 3)
    assert [one.laid.section for one in of(events, SectionLaid)] == [1]
    assert (p.why("use SC2"), p.why("end"), p.why("order mark")) == ("", "", "")
    assert p.why("use SC1") == "TA-TURN-4"


def test_ta_turn_9_a_reinforcement_by_the_roll_acts_at_once() -> None:
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "5:f6"})
    p.do("roll", 5)
    (placed,) = of(p.do("enter GE2 6:e1"), ModelPlaced)
    assert placed.fresh
    assert names(p, UseModel) == {"GE1", "GE2"}
    p.do("move GE2 6:e2")
    assert at(p.state, "GE2") == "6:e2"


def test_ta_turn_9_models_placed_by_a_card_wait_for_their_own_part() -> None:
    p = play(models={"SC1": "5:e2", "SC2": "5:b6"}, active="SC1", card="EX-04", options=FIXED)
    p.do("move SC1 6:e10", 3)
    (placed,) = of(p.do("enter GE1 2:a6"), ModelPlaced)
    assert not placed.fresh
    p.do("enter GE2 2:o6")
    assert names(p, UseModel) == {"SC2"}
    p.do("end")
    p.do("skip")
    assert names(p, UseModel) == {"GE1", "GE2"}
    assert len(of(p.do("move GE1 2:b6"), ModelMoved)[0].path) == 1
