"""Reinforcements: the die and what changes it, where models enter, and the pool they come from and go back to."""

from __future__ import annotations

import pytest
from hive import BOOK, Play, at, of, play
from hull import FIXED, choosing, hull, names, squares

from warptape.domain.tyranid_attack.actions import EnterModel
from warptape.domain.tyranid_attack.events_model import ModelKilled, ModelPlaced, ModelsLost
from warptape.domain.tyranid_attack.events_ship import CystsClosed
from warptape.domain.tyranid_attack.events_turn import ReinforcementDeclined, ReinforcementLost, ReinforcementRolled
from warptape.domain.tyranid_attack.state import Options

EVERYWHERE = {"SC1": "1:h6", "SC2": "2:h6", "SC3": "3:h6", "SC4": "4:h6", "SC5": "5:h6", "SC6": "6:g6"}
"""Marines within 8 squares of every half square on the outer edge of a straight ship."""


def rolled(p: Play, die: int) -> ReinforcementRolled:
    (event,) = of(p.do("roll", die), ReinforcementRolled)
    return event


# The die


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_ta_reinf_1_five_or_more_brings_one_model(die: int) -> None:
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "4:b6"})
    event = rolled(p, die)
    assert (event.roll, event.modifiers, event.total, event.granted) == (die, (), die, die >= 5)
    assert p.asked == ("Enter" if die >= 5 else "Free")
    if die >= 5:
        assert len(of(p.do("enter GE2 6:e1"), ModelPlaced)) == 1
        assert p.asked == "Free"


def test_ta_reinf_1_he_may_let_it_be_and_it_is_rolled_once_at_the_start() -> None:
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "4:b6"})
    assert of(p.do("skip"), ReinforcementDeclined)
    assert p.why("roll") == "TA-REINF-1"
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "4:b6"})
    p.do("roll", 2)
    assert p.why("roll") == "TA-REINF-1"
    assert p.why("enter GE2 6:e1") == "TA-REINF-1"


def test_ta_reinf_2_he_picks_freely_among_his_models_out_of_play() -> None:
    """TA-REINF-2, TA-RECYC-2; TA-BLOB-1: no blobs."""
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "4:b6", "HP1": "4:n6"})
    p.do("roll", 6)
    assert {name[:2] for name in names(p, EnterModel)} == {"GE", "BO", "DS", "HB"}
    for name, rule in (("GE8", ""), ("BO2", ""), ("HB1", ""), ("HP1", "TA-REINF-2"), ("AB1", "TA-BLOB-1")):
        assert p.why(f"enter {name} 6:e1") == rule
    assert p.why("enter SC2 6:e1") == "TA-REINF-2"


def test_e_38_ta_reinf_3_two_more_when_no_tyranid_is_on_board() -> None:
    p = play("reinforce", models={"SC1": "1:b6"})
    event = rolled(p, 3)
    assert ([amount for _, amount in event.modifiers], event.total, event.granted) == ([2], 5, True)
    p = play("reinforce", models={"SC1": "1:b6"})
    assert not rolled(p, 2).granted


def test_e_39_ta_reinf_11_a_blob_counts_as_a_tyranid() -> None:
    p = play("reinforce", models={"SC1": "1:b6", "AB1": "4:b6"})
    event = rolled(p, 3)
    assert (event.modifiers, event.total, event.granted) == ((), 3, False)


@pytest.mark.parametrize(("die", "total", "granted"), [(5, 4, False), (6, 5, True)])
def test_w_24_ta_reinf_4_one_less_with_the_synapse_destroyed(die: int, total: int, granted: bool) -> None:
    """TA-REINF-4, TA-SPEC-9: with Tyranids on the board it takes a 6."""
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "4:b6"}, destroyed=["OBJ-5"])
    event = rolled(p, die)
    assert ([amount for _, amount in event.modifiers], event.total, event.granted) == ([-1], total, granted)


@pytest.mark.parametrize(("die", "granted"), [(3, False), (4, True)])
def test_ta_reinf_5_the_two_modifiers_together_make_it_a_four(die: int, granted: bool) -> None:
    p = play("reinforce", models={"SC1": "1:b6"}, destroyed=["OBJ-5"])
    event = rolled(p, die)
    assert sorted(amount for _, amount in event.modifiers) == [-1, 2]
    assert (event.total, event.granted) == (die + 1, granted)


@pytest.mark.parametrize(("die", "granted"), [(4, False), (5, False), (6, True)])
@pytest.mark.parametrize("alone", [True, False])
def test_option_synapse_six_only(die: int, granted: bool, alone: bool) -> None:
    """TA-REINF-5, ruling G-16, option `synapse`: nothing but a 6 once it is destroyed."""
    models = {"SC1": "1:b6"} if alone else {"SC1": "1:b6", "GE1": "4:b6"}
    p = play("reinforce", models=models, destroyed=["OBJ-5"], options=Options(synapse="six_only"))
    assert rolled(p, die).granted is granted
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "4:b6"}, options=Options(synapse="six_only"))
    assert rolled(p, 5).granted  # while it stands nothing is changed


# Where


def test_w_10_ta_reinf_6_more_than_8_squares_from_every_marine() -> None:
    p = play("reinforce", models={"SC1": "1:j6", "GE1": "4:b6"})
    p.do("roll", 5)
    assert p.why("enter GE2 1:a6") == ""  # 9 away
    assert p.why("enter GE2 1:o6") == "TA-REINF-6"  # 5 away
    p = play("reinforce", models={"SC1": "1:i6", "GE1": "4:b6"})
    p.do("roll", 5)
    assert p.why("enter GE2 1:a6") == "TA-REINF-6"  # 8 away
    (placed,) = of(p.do("enter GE2 6:k1"), ModelPlaced)
    assert (placed.model, placed.reason, at(p.state, "GE2")) == ("GE2", "reinforcement", "6:k1")


def test_ta_reinf_6_and_7_half_squares_on_the_outer_edge_and_no_others() -> None:
    """TA-REINF-6, TA-REINF-7: not the joined ones, not those facing the entry area, not other floor."""
    p = play("reinforce", models={"SC1": "3:h6", "GE1": "6:b6"})
    p.do("roll", 5)
    assert squares(p, EnterModel) == {
        "1:a6", "1:o6", "2:a6", "2:o6", "4:a6", "4:o6", "5:a6", "5:o6", "6:a6", "6:o6", "6:e1", "6:k1"
    }  # fmt: skip
    for square in ("1:e11", "1:k11", "1:e1", "5:e1", "1:b6", "2:f5"):
        assert p.why(f"enter GE2 {square}") == "TA-REINF-7"
    assert p.why("enter GE2 3:a6") == "TA-REINF-6"


def test_e_64_only_the_rear_section_closes_its_half_squares_to_the_entry_area() -> None:
    """TA-REINF-7: another section that borders the entry area's cell keeps its own."""
    p = play("reinforce", layout="1N 2E 3S 4S 5S 6S", models={"SC1": "6:j3", "GE1": "5:n6"})
    assert hull(p).at("3:a6") == (14, 15)
    p.do("roll", 5)
    assert p.why("enter GE2 3:a6") == ""
    assert p.why("enter GE2 1:e11") == "TA-REINF-7"


def test_ta_reinf_8_the_square_must_be_empty() -> None:
    p = play("reinforce", models={"SC1": "1:b6", "GE1": "6:e1"})
    p.do("roll", 5)
    assert p.why("enter GE2 6:e1") == "TA-REINF-8"
    assert "6:e1" not in squares(p, EnterModel)


def test_e_40_ta_reinf_9_with_no_way_in_it_is_lost() -> None:
    p = play("reinforce", models={**EVERYWHERE, "GE1": "5:f4"})
    events = p.do("roll", 6)
    assert [(lost.reason, lost.rule) for lost in of(events, ReinforcementLost)] == [("square", "TA-REINF-9")]
    assert p.asked == "Free"
    p = play("reinforce", models={**{k: v for k, v in EVERYWHERE.items() if k != "SC6"}, "GE1": "6:e1", "GE2": "6:k1",
                                  "GE3": "6:a6", "GE4": "6:o6"})  # fmt: skip
    assert of(p.do("roll", 6), ReinforcementLost)  # those that are far enough are taken


def test_ta_recyc_3_with_nobody_in_the_pool_it_is_lost() -> None:
    pool = play("reinforce", models={"SC1": "1:b6"}).state.pool
    p = play("reinforce", models={"SC1": "1:b6"}, spent=pool)
    assert [lost.reason for lost in of(p.do("roll", 6), ReinforcementLost)] == ["model"]


# Cysts


def test_ta_reinf_10_an_empty_cyst_at_any_distance() -> None:
    p = play("reinforce", models={**EVERYWHERE, "GE1": "5:f4", "GE2": "5:j4"}, cysts=["2:g6", "5:f4"])
    p.do("roll", 6)
    assert squares(p, EnterModel) == {"2:g6"}  # beside SC2; the other is plugged by a model
    assert p.why("enter GE3 5:f4") == "TA-REINF-10"
    p.do("enter GE3 2:g6")
    assert at(p.state, "GE3") == "2:g6"


def test_ta_reinf_10_a_marine_on_a_cyst_plugs_it() -> None:
    p = play("reinforce", models={**EVERYWHERE, "GE1": "5:f4"}, cysts=["2:h6"])
    assert of(p.do("roll", 6), ReinforcementLost)


@pytest.mark.parametrize(("square", "rule"), [("3:h6", "TA-REINF-10"), ("4:b2", "TA-REINF-10"), ("4:a6", "")])
def test_option_cyst_distance(square: str, rule: str) -> None:
    """TA-REINF-10, ruling G-18, option `cyst_distance`: with 8, more than 8 squares from every Marine."""
    models = {"SC1": "4:j6", "SC2": "3:b6", "GE1": "6:b6"}
    for options, expected in ((Options(), ""), (Options(cyst_distance=8), rule)):
        p = play("reinforce", models=models, cysts=[square], options=options)
        p.do("roll", 5)
        assert p.why(f"enter GE2 {square}") == expected


def test_e_37_ta_spec_8_no_entry_through_cysts_once_the_nexus_is_destroyed() -> None:
    p = play(models={"SC1": "4:f4", "GE1": "6:b6"}, templates={"OBJ-4": "4:g4"}, cysts=["4:b2"], active="SC1")
    assert of(p.do("melta SC1 OBJ-4"), CystsClosed)
    while p.seat == "marines":
        p.do("done" if p.state.active else "end")
    p.do("roll", 6)
    assert p.why("enter GE2 4:b2") == "TA-SPEC-8"
    assert "4:b2" not in squares(p, EnterModel)


# The pool


def test_e_41_all_eight_genestealers_are_on_the_board() -> None:
    """TA-REINF-2: nobody who is not in the pool enters or is placed."""
    stealers = {f"GE{n}": f"6:{square}" for n, square in enumerate(("d2", "e2", "f2", "g2", "k2", "l2", "e3", "f3"), 1)}
    p = play("reinforce", models={"SC1": "1:b6", **stealers})
    p.do("roll", 6)
    assert p.why("enter GE1 6:e1") == "TA-REINF-2"
    assert not any(name.startswith("GE") for name in names(p, EnterModel))
    p = play(models={"SC1": "5:e2", "SC2": "4:b6", **stealers}, active="SC1", card="EX-02", options=FIXED)
    p.do("move SC1 6:e10")
    p.do("done", 3, 4)
    assert p.why("place GE1 6:n6") == "TA-REINF-2"
    assert not any(name.startswith("GE") for name in choosing(p))


def test_ta_recyc_1_killed_tyranids_go_back_to_the_pool_and_return() -> None:
    p = play(models={"SC1": "2:b5", "SC2": "1:b6", "GE1": "2:f5"}, active="SC1")
    (killed,) = of(p.do("shoot SC1 GE1", 5, 1), ModelKilled)
    assert (killed.model, killed.to) == ("GE1", "pool")
    assert "GE1" in p.state.pool
    while p.seat == "marines":
        p.do("done" if p.state.active else "end")
    p.do("roll", 3)
    assert p.why("enter GE1 6:e1") == ""


def test_ta_recyc_1_those_lost_with_a_section_return_too() -> None:
    p = play(models={"SC1": "5:e2", "SC2": "4:b6", "GE1": "1:b6"}, active="SC1", card="EX-01", options=FIXED)
    (lost,) = of(p.do("move SC1 6:e10", 3), ModelsLost)
    assert lost.models == (("GE1", "pool"),)
    assert "GE1" in p.state.pool


def test_ta_recyc_2_and_3_he_chooses_freely_and_places_what_there_is() -> None:
    spent = [name for name in play(models={"SC1": "1:b6"}).state.pool if name not in ("BO1", "GE1", "GE2")]
    p = play(models={"SC1": "5:e2", "SC2": "4:b6"}, active="SC1", card="EX-05", spent=spent, options=FIXED)
    p.do("move SC1 6:e10", 3, 6)
    assert choosing(p) == {"BO1", "GE1"}  # one of each kind stands for the others
    p.do("place BO1 6:n6")
    p.do("place GE1 6:m6")
    p.do("place GE2 6:l6")
    assert p.asked == "Free"  # six were granted, three there were
    assert not p.state.pool


def test_ta_dread_2_the_dreadnought_does_not_come_by_the_roll() -> None:
    p = play("reinforce", models={"SC1": "1:b6"}, options=Options(extra_tyranids="dreadnought=1,android=1"))
    p.do("roll", 6)
    assert p.why("enter DN1 6:e1") == "TA-DREAD-2"
    assert p.why("enter AN1 6:e1") == ""
    assert BOOK.profiles["dreadnought"].slots == 3
