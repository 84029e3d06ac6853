"""How games end: the fourth template, no Marine left, three templates lost, the turn limit."""

from __future__ import annotations

from typing import Any

import pytest
from hive import Play, of, play
from hull import FIXED

from warptape.domain.events import Event
from warptape.domain.tyranid_attack.events_model import ModelKilled
from warptape.domain.tyranid_attack.events_ship import SectionRemoved, TemplateDestroyed, TemplateGone
from warptape.domain.tyranid_attack.events_turn import GameEnded, PartBegan, TurnBegan
from warptape.domain.tyranid_attack.state import Options


def ending(events: list[Event]) -> tuple[str, str, str]:
    """Who won, why, and by which rule."""
    (ended,) = of(events, GameEnded)
    return ended.winner, ended.reason, ended.rule


def last(p: Play) -> list[str]:
    outcome = p.referee.outcome
    assert outcome is not None
    return [*outcome.winners]


# The fourth template


@pytest.mark.parametrize("destroyed", [["OBJ-1"], ["OBJ-1", "OBJ-3"], ["OBJ-1", "OBJ-3", "OBJ-4"]])
def test_ta_win_1_the_marines_win_the_moment_the_fourth_template_is_destroyed(destroyed: list[str]) -> None:
    p = play(models={"SC1": "2:c5", "SC2": "1:b6", "GE1": "5:b6"}, templates={"OBJ-2": "2:d5"}, destroyed=destroyed,
             active="SC1", turn=7)  # fmt: skip
    events = p.do("melta SC1 OBJ-2")
    assert of(events, TemplateDestroyed)[0].total == len(destroyed) + 1
    if len(destroyed) < 3:
        assert not of(events, GameEnded)
        return
    assert ending(events) == ("marines", "templates", "TA-WIN-1")
    assert p.referee.decision is None
    assert last(p) == ["marines"]
    outcome = p.referee.outcome
    assert outcome is not None
    assert outcome.figures == {"turns": 7, "destroyed": 4, "marines_left": 2}


def test_ta_win_1_the_sphincter_as_the_fourth_asks_nothing_any_more() -> None:
    """INT-1: no dice are rolled and no Scout returns."""
    p = play(models={"SC1": "1:f5", "SC2": "2:b7"}, templates={"OBJ-1": "1:c5"}, lost=["SC3"],
             destroyed=["OBJ-2", "OBJ-3", "OBJ-4"], active="SC1")  # fmt: skip
    events = p.do("melta SC1 OBJ-1")
    assert ending(events)[:2] == ("marines", "templates")
    assert not [event for event in events if type(event).__name__ == "SphincterRolled"]


# No Marine left


def test_e_49_the_last_marine_dies_in_the_marine_part() -> None:
    """TA-WIN-2, TA-WIN-3: the part ends by itself, and with it the game."""
    p = play(models={"SC1": "2:b5", "GE1": "2:c5"}, templates={"OBJ-2": "2:h5"},
             destroyed=["OBJ-1", "OBJ-3", "OBJ-4"], active="SC1")  # fmt: skip
    events = p.do("fight SC1 GE1", 5, 3, 5, 2, 2, 1)
    assert {killed.model for killed in of(events, ModelKilled)} == {"SC1", "GE1"}
    assert ending(events) == ("tyranid", "no_marines", "TA-WIN-2")
    assert not of(events, PartBegan)
    assert last(p) == ["tyranid"]


def test_ta_win_2_the_last_marine_dies_in_the_tyranid_part() -> None:
    """TA-WIN-3: with nobody left the part ends by itself, whoever might still have acted."""
    p = play("tyranid", models={"SC1": "2:b5", "GE1": "2:c5", "GE2": "5:b6"}, active="GE1", turn=9)
    events = p.do("fight GE1 SC1", 6, 1, 1, 1, 2, 2)
    assert not of(events, GameEnded)  # it may still move; when it is done the part ends, though GE2 is fresh
    events = p.do("done")
    assert ending(events) == ("tyranid", "no_marines", "TA-WIN-2")
    assert not of(events, TurnBegan)


def test_ta_win_3_prone_marines_are_on_the_board() -> None:
    p = play("tyranid", models={"SC1": "2:b5", "GE1": "5:b6"}, prone=["SC1"], templates={"OBJ-6": "6:j2"})
    events = p.do("end")
    assert not of(events, GameEnded)
    assert p.state.turn == 2
    assert (p.seat, p.asked) == ("tyranid", "Reinforce")  # nobody of the Marines can act: their part is over


def test_ta_win_2_the_last_marines_lost_with_the_rear_section() -> None:
    p = play(layout="3N 2N 4N 5E 1S 6S", models={"SC1": "6:a6", "SC2": "3:b6"}, active="SC1", card="EX-01",
             options=FIXED)  # fmt: skip
    events = p.do("move SC1 3:n6 enter", 3)
    assert of(events, SectionRemoved)
    assert ending(events)[:2] == ("tyranid", "no_marines")


# Templates lost


def test_e_58_ta_win_5_the_third_template_lost() -> None:
    """TA-WIN-5: at once, whatever was destroyed."""
    facts: dict[str, Any] = {"models": {"SC1": "5:e2", "SC2": "4:b6"}, "active": "SC1", "card": "EX-01"}
    p = play(templates={"OBJ-1": "1:c5"}, gone=["OBJ-2", "OBJ-3"], destroyed=["OBJ-4", "OBJ-5", "OBJ-6"],
             options=FIXED, **facts)  # fmt: skip
    events = p.do("move SC1 6:e10")
    assert of(events, TemplateGone)
    assert ending(events) == ("tyranid", "templates_lost", "TA-WIN-5")
    p = play(templates={"OBJ-1": "1:c5"}, gone=["OBJ-2"], options=FIXED, **facts)
    assert not of(p.do("move SC1 6:e10", 3), GameEnded)


def test_ta_win_5_not_with_the_option_returns() -> None:
    options = Options(rotation="fixed", cut_off_objective="returns")
    p = play(models={"SC1": "5:e2", "SC2": "4:b6"}, active="SC1", card="EX-01", templates={"OBJ-1": "1:c5"},
             gone=["OBJ-2", "OBJ-3"], options=options)  # fmt: skip
    assert not of(p.do("move SC1 6:e10", 3), GameEnded)


# The turn limit


@pytest.mark.parametrize(("turn", "limit", "over"), [(60, 60, True), (59, 60, False), (60, 0, False), (3, 3, True)])
def test_e_59_ta_win_4_the_turn_limit(turn: int, limit: int, over: bool) -> None:
    """TA-WIN-4, option `turn_limit`: three templates destroyed and five Marines alive do not help."""
    models = {"SC1": "2:b5", "SC2": "2:b7", "SC3": "1:b6", "SC4": "1:c6", "SG1": "1:d6", "GE1": "5:b6"}
    p = play("tyranid", models=models, destroyed=["OBJ-1", "OBJ-3", "OBJ-4"], turn=turn,
             options=Options(turn_limit=limit))  # fmt: skip
    events = p.do("end")
    if over:
        assert ending(events) == ("tyranid", "turn_limit", "TA-WIN-4")
        outcome = p.referee.outcome
        assert outcome is not None
        assert outcome.figures == {"turns": turn, "destroyed": 3, "marines_left": 5}
    else:
        assert [began.turn for began in of(events, TurnBegan)] == [turn + 1]


def test_ta_win_4_the_marine_part_of_the_last_turn_is_not_its_end() -> None:
    p = play(models={"SC1": "2:b5", "GE1": "5:b6"}, turn=60)
    events = p.do("end")
    assert not of(events, GameEnded)
    assert p.seat == "tyranid"
