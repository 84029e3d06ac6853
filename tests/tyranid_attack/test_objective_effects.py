"""Objectives in play: how templates fall, and what each does while it stands and once it is destroyed."""

from __future__ import annotations

from typing import Any

import pytest
from drill import dead, dice, hurt, words
from hive import BOOK, Play, at, of, play

from warptape.domain.events import CardDrawn
from warptape.domain.tyranid_attack.events_model import ModelPlaced, ModelsCameRound, ModelWentProne
from warptape.domain.tyranid_attack.events_ship import (
    CystsClosed,
    PeekRolled,
    TemplateDestroyed,
    TemplateGone,
)
from warptape.domain.tyranid_attack.events_turn import (
    BlastRolled,
    CortexRolled,
    Fought,
    ReinforcementRolled,
    Shot,
    SphincterRolled,
    TemplateStruck,
)
from warptape.domain.tyranid_attack.state import Options

AWAY = {"SC6": "1:h6"}


def rolling_on(models: dict[str, str], **facts: Any) -> Play:
    """SC2 is about to open section 6: a card without effect, a tile of another section than the one laid anew."""
    return play(models={"SC2": "5:e2", **models}, card="EX-01", tile="LOC-2", **facts)


# How templates fall


@pytest.mark.parametrize(("roll", "falls"), [(5, False), (6, True)])
def test_ta_obj_8_a_template_is_shot_at_like_a_model_of_armour_6(roll: int, falls: bool) -> None:
    """TA-OBJ-8, TA-OBJ-11: a single success destroys it, and it goes to the Marine player."""
    p = play(models={"SC1": "2:b5", **AWAY}, templates={"OBJ-2": "2:f5"})
    happened = p.do("shoot SC1 OBJ-2", 1, roll)
    shot = of(happened, Shot)[0]
    assert (shot.need, shot.hit) == (6, falls)
    assert p.state.destroyed == (["OBJ-2"] if falls else [])
    assert [(event.by, event.total) for event in of(happened, TemplateDestroyed)] == ([("SC1", 1)] if falls else [])


@pytest.mark.parametrize(
    ("name", "rolls", "bonus", "axe", "falls"),
    [
        ("SC1", (5, 5), 0, 0, False),
        ("SC1", (1, 6), 0, 0, True),
        ("SG1", (5, 1), 1, 0, True),  # E-31
        ("SG1", (4, 4), 1, 0, False),
        ("TE1", (4, 1), 2, 0, True),
        ("TE1", (3, 3), 2, 0, False),
    ],
)
def test_ta_obj_9_e_31_a_score_of_six_destroys_it(
    name: str, rolls: tuple[int, int], bonus: int, axe: int, falls: bool
) -> None:
    p = play(models={name: "2:e5", **AWAY}, templates={"OBJ-2": "2:f5"})
    struck = of(p.do(f"fight {name} OBJ-2", *rolls), TemplateStruck)[0]
    assert (struck.rolls, struck.bonus, struck.axe, struck.need, struck.destroyed) == (rolls, bonus, axe, 6, falls)


@pytest.mark.parametrize(("die", "falls"), [(3, False), (4, True)])
def test_ta_obj_9_the_axe_die_counts_against_a_template(die: int, falls: bool) -> None:
    """TA-OBJ-9, TA-WEAP-6, ruling G-26."""
    p = play(models={"LI1": "2:e5", **AWAY}, templates={"OBJ-2": "2:f5"})
    struck = of(p.do("fight LI1 OBJ-2", 3, 1, die), TemplateStruck)[0]
    assert (struck.axe, struck.destroyed) == (die - 1, falls)


def test_ta_obj_9_it_must_be_adjacent() -> None:
    p = play(models={"SC1": "2:d5", **AWAY}, templates={"OBJ-2": "2:f5"})
    assert p.why("fight SC1 OBJ-2") == "TA-HTH-1"
    assert p.why("fight SC1 OBJ-4") == "TA-HTH-1"


def test_ta_obj_10_a_template_cannot_strike_back() -> None:
    p = play(models={"SC1": "2:e5", **AWAY}, templates={"OBJ-2": "2:f5"})
    happened = p.do("fight SC1 OBJ-2", 1, 1)
    assert len(dice(happened)) == 1
    assert not dead(happened)
    assert not hurt(happened)


def test_ta_obj_11_a_melta_bomb_destroys_it() -> None:
    p = play(models={"SC1": "2:e5", **AWAY}, templates={"OBJ-2": "2:f5"})
    p.do("melta SC1 OBJ-2")
    assert p.state.destroyed == ["OBJ-2"]
    assert not p.state.templates


def test_ta_obj_12_only_marines_attack_templates() -> None:
    p = play(
        "tyranid", models={"HB1": "2:b5", "GE1": "2:e6", "SC1": "2:m9", "GE8": "2:m3"}, templates={"OBJ-2": "2:f5"}
    )
    assert p.why("shoot HB1 OBJ-2") == "TA-OBJ-12"
    assert p.why("fight GE1 OBJ-2") == "TA-OBJ-12"
    p.do("use GE1")
    assert "fight" not in words(p)


def test_ta_obj_12_blasts_from_the_side_do_not_harm_them() -> None:
    p = play(models={"HV1": "2:b5", "GE1": "2:e5", **AWAY}, templates={"OBJ-2": "2:f5"})
    happened = p.do("hellfire HV1 GE1")
    assert dead(happened) == ["GE1"]
    assert "OBJ-2" in p.state.templates


# 1: the Dermal Sphincter


def opened(die: int, count: int = 0, lost: tuple[str, ...] = ("SC2", "SG1", "HV1"), **facts: Any) -> Play:
    """A Scout has destroyed the Sphincter, and these were the dice for it."""
    p = play(models={"SC1": "2:b5", **AWAY}, templates={"OBJ-1": "2:f5"}, lost=lost, **facts)
    p.do("shoot SC1 OBJ-1", 6, 1, die, *([count] if count else []))
    return p


def test_ta_spec_1_on_a_three_nobody_returns() -> None:
    p = opened(3)
    assert p.asked == "Acting"
    assert of(p.log, SphincterRolled)[0].count == 0


def test_ta_spec_1_e_36_up_to_so_many_lost_scouts_of_any_kind() -> None:
    """TA-SPEC-1, TA-SPEC-2, TA-SPEC-3, E-36: a four, then a six; three are lost, six squares are free."""
    p = opened(4, 6)
    assert p.asked == "Return"
    assert p.seat == "marines"
    assert {line.split()[1] for line in p.legal() if line.startswith("return")} == {"SC2", "SG1", "HV1"}
    p.do("return SG1 2:f5")
    p.do("return HV1 2:h6")
    p.do("return SC2 2:g5")  # the last: no question is left
    assert p.asked == "Acting"
    assert at(p.state, "SG1") == "2:f5"
    assert p.state.models["SG1"].life == 2
    assert p.state.models["SG1"].artifacts == []
    assert not p.state.lost


def test_ta_spec_1_no_more_than_the_die_says() -> None:
    p = opened(6, 1)
    p.do("return SC2 2:f5")
    assert p.asked == "Acting"
    assert p.state.lost == ["SG1", "HV1"]


def test_ta_spec_1_he_may_stop_before() -> None:
    p = opened(6, 3)
    p.do("return SC2 2:f5")
    p.do("ready")
    assert p.asked == "Acting"
    assert p.state.lost == ["SG1", "HV1"]


def test_ta_spec_1_only_lost_scouts() -> None:
    p = opened(6, 3, lost=("SC2",), spent=("TE1",))
    assert p.why("return SC5 2:f5") == "TA-SPEC-1"
    assert p.why("return TE1 2:f5") == "TA-SPEC-1"


def test_ta_spec_2_on_squares_that_it_covered() -> None:
    p = opened(6, 3)
    assert p.why("return SC2 2:e5") == "TA-SPEC-2"
    p.do("return SC2 2:f5")
    assert p.why("return SG1 2:f5") == "TA-SPEC-2"


def test_ta_spec_2_they_neither_move_nor_attack_in_this_turn() -> None:
    """TA-SPEC-2, E-36: not fresh; in the next turn they act."""
    p = opened(6, 1)
    p.do("return SC2 2:f5")
    p.do("done SC1")
    assert p.why("use SC2") == "TA-TURN-4"
    assert p.state.act("SC2").attacks == 0
    p.do("end")
    p.do("skip")
    assert p.seat == "marines"
    assert p.why("move SC2 2:g5") == ""


def test_ta_spec_1_the_question_comes_before_anything_else() -> None:
    """INT-1: a fight that destroyed it gives way to it, whoever stands beside."""
    p = play(models={"SC1": "2:e5", "GE1": "2:d5", **AWAY}, templates={"OBJ-1": "2:f5"}, lost=["SC2"])
    p.do("fight SC1 OBJ-1", 6, 1, 5, 2)
    assert words(p) == {"return", "ready"}
    assert p.why("end") != ""


def test_ta_spec_1_not_asked_with_the_fourth_template() -> None:
    p = play(
        models={"SC1": "2:b5", **AWAY}, templates={"OBJ-1": "2:f5"}, lost=["SC2"], destroyed=["OBJ-2", "OBJ-3", "OBJ-4"]
    )
    happened = p.do("shoot SC1 OBJ-1", 6, 1)
    assert not of(happened, SphincterRolled)
    assert p.state.ended is not None
    assert p.state.ended.winner == "marines"


# 2: the Sensory Cluster


@pytest.mark.parametrize(("die", "seen"), [(3, False), (4, True), (6, True)])
def test_ta_spec_4_w_17_a_die_for_each_card_taken(die: int, seen: bool) -> None:
    """TA-SPEC-4, W-17: on a four or more the Marine player, and he alone, sees it before it is laid."""
    p = rolling_on({"SC1": "3:b9"}, destroyed=["OBJ-2"])
    chance = [3, 1, die, *(["EX-06"] if seen else [])]
    happened = p.do("move SC2 6:e11", *chance)
    assert [(event.roll, event.seen) for event in of(happened, PeekRolled)] == [(die, seen)]
    draws = [event for event in of(happened, CardDrawn) if event.purpose == "peek"]
    assert [(event.item, event.seen_by) for event in draws] == ([("EX-06", ("marines",))] if seen else [])


def test_ta_spec_4_no_die_while_it_stands() -> None:
    p = rolling_on({"SC1": "3:b9"})
    assert not of(p.do("move SC2 6:e11", 3, 1), PeekRolled)


# 3: the Respiratory Vent

VENT = {"OBJ-3": "3:b3"}
"""In the north-west of section 3, out of every line used here."""


def test_ta_spec_5_e_32_only_adjacent_models_attack_a_model_on_its_section() -> None:
    p = play("tyranid", models={"HB1": "3:k8", "SC1": "3:n8", "GE8": "2:m9"}, templates=VENT)
    assert p.why("shoot HB1 SC1") == "TA-SPEC-5"
    q = play("tyranid", models={"HB1": "3:m8", "SC1": "3:n8", "GE8": "2:m9"}, templates=VENT)
    assert q.why("shoot HB1 SC1") == ""
    assert q.why("fight HB1 SC1") == ""


def test_ta_spec_6_it_shields_both_sides() -> None:
    p = play(models={"SC1": "3:k8", "HV1": "3:k9", "GE1": "3:n8", **AWAY}, templates=VENT)
    assert p.why("shoot SC1 GE1") == "TA-SPEC-5"
    assert p.why("hellfire HV1 GE1") == "TA-SPEC-5"


def test_ta_spec_6_e_32_shots_out_of_the_section_and_across_it_are_free() -> None:
    """TA-SPEC-6, E-32: out through the passage at e11, and from one side of the section to the other."""
    out = play(models={"SC1": "3:e9", "GE1": "2:e2", **AWAY}, templates=VENT)
    assert out.why("shoot SC1 GE1") == ""
    back = play("tyranid", models={"HB1": "2:e2", "SC1": "3:e9", "GE8": "2:m9"}, templates=VENT)
    assert back.why("shoot HB1 SC1") == "TA-SPEC-5"
    across = play(models={"HV1": "2:e2", "GE1": "4:e10", **AWAY}, templates=VENT)
    assert across.why("shoot HV1 GE1") == ""


def test_ta_spec_6_a_shared_square_is_on_the_section_too() -> None:
    p = play(models={"SC1": "2:e3", "GE1": "3:e11", **AWAY}, templates=VENT)
    assert at(p.state, "GE1") == "2:e1"
    assert p.why("shoot SC1 GE1") == "TA-SPEC-5"
    q = play(models={"SC1": "2:e2", "GE1": "3:e11", **AWAY}, templates=VENT)
    assert q.why("shoot SC1 GE1") == ""


def test_ta_spec_6_it_shields_from_blasts_and_splinters_of_one_who_is_not_adjacent() -> None:
    """TA-SPEC-6: a shell into the floor reaches nobody; one beside the shooter does."""
    p = play(models={"HV1": "3:k8", "GE1": "3:n8", "GE2": "3:l9", **AWAY}, templates=VENT)
    happened = p.do("hellfire HV1 3:m8", 4)
    assert [event.model for event in of(happened, BlastRolled)] == ["GE2"]
    assert dead(happened) == ["GE2"]
    q = play("tyranid", models={"DS1": "3:k8", "SC1": "3:n8", "GE8": "2:m9"}, templates=VENT)
    assert not of(q.do("shoot DS1 3:m8"), BlastRolled)


def test_ta_spec_6_it_does_not_shield_the_template() -> None:
    p = play(models={"SC1": "3:g4", **AWAY}, templates=VENT)
    assert p.why("shoot SC1 OBJ-3") == ""


def test_cloud_hides_template_the_option() -> None:
    """Option `cloud_hides_template`, ruling G-34: then the Vent itself is attacked from beside alone."""
    options = Options(cloud_hides_template=True)
    far = play(models={"SC1": "3:g4", "HV1": "3:f5", **AWAY}, templates=VENT, options=options)
    assert far.why("shoot SC1 OBJ-3") == "TA-SPEC-5"
    assert far.why("hellfire HV1 OBJ-3") == "TA-SPEC-5"
    near = play(models={"SC1": "3:d4", **AWAY}, templates=VENT, options=options)
    assert near.why("shoot SC1 OBJ-3") == ""
    other = play(models={"SC1": "2:b5", **AWAY}, templates={"OBJ-2": "2:f5", **VENT}, options=options)
    assert other.why("shoot SC1 OBJ-2") == ""


def test_ta_spec_7_with_the_vent_destroyed_sight_is_normal() -> None:
    p = play("tyranid", models={"HB1": "3:k8", "SC1": "3:n8", "GE8": "2:m9"}, destroyed=["OBJ-3"])
    assert p.why("shoot HB1 SC1") == ""


# 4: the Teleporter Nexus


def test_ta_spec_8_e_37_with_the_nexus_destroyed_nothing_enters_by_a_cyst() -> None:
    p = play(models={"SC1": "2:b5", "GE1": "6:g4", **AWAY}, templates={"OBJ-4": "2:f5"}, cysts=["2:m9"])
    assert of(p.do("shoot SC1 OBJ-4", 6, 1), CystsClosed)
    p.do("done SC1")
    p.do("end")
    p.do("roll", 5)
    assert p.why("enter GE2 2:m9") == "TA-SPEC-8"
    q = play("reinforce", models={"SC1": "2:b5", "GE1": "6:g4"}, cysts=["2:m9"])
    q.do("roll", 5)
    assert q.why("enter GE2 2:m9") == ""


# 5: the Hive Mind Synapse


@pytest.mark.parametrize(("roll", "total", "granted"), [(5, 4, False), (6, 5, True)])
def test_ta_spec_9_the_synapse_is_worth_one_on_each_reinforcement(roll: int, total: int, granted: bool) -> None:
    """TA-SPEC-9, TA-REINF-4: from its destruction in play."""
    p = play(models={"SC1": "2:b5", "GE1": "6:g4", **AWAY}, templates={"OBJ-5": "2:f5"})
    p.do("shoot SC1 OBJ-5", 6, 1)
    p.do("done SC1")
    p.do("end")
    rolled = of(p.do("roll", roll), ReinforcementRolled)[0]
    assert (rolled.total, rolled.granted) == (total, granted)


# 6: the Energy Cortex

CORTEX = {"OBJ-6": "2:f5"}
"""Columns f to h, rows 5 and 6 of section 2."""


def throbs(models: dict[str, str], *chance: int, prone: tuple[str, ...] = ()) -> tuple[Play, list[CortexRolled]]:
    """Let the Tyranid part end, and return the throbs at the start of the next Marine part."""
    p = play("tyranid", models={**models, "GE8": "5:h6"}, templates=CORTEX, prone=prone)
    return p, of(p.do("end", *chance), CortexRolled)


def test_ta_spec_10_e_33_within_six_squares() -> None:
    """TA-SPEC-10, E-33: at six squares he rolls, at seven he does not; the distance is to the nearest square."""
    p, rolled = throbs({"SC1": "2:n5", "SC2": "1:f3"}, 2)
    assert BOOK.ship(p.state).name(p.state.templates["OBJ-6"][2]) == "2:h5"
    assert [(event.model, event.roll, event.out) for event in rolled] == [("SC1", 2, False)]


def test_ta_spec_10_a_die_each_in_order_and_only_a_one_is_bad() -> None:
    p, rolled = throbs({"SC2": "2:m5", "SC1": "2:c5", "SG1": "2:c7", "TE1": "2:m7"}, 6, 1, 2, 1)
    assert [(event.model, event.out) for event in rolled] == [
        ("SG1", False), ("SC1", True), ("SC2", False), ("TE1", True),
    ]  # fmt: skip
    assert {name for name, model in p.state.models.items() if model.prone} == {"SC1", "TE1"}
    assert [event.model for event in of(p.log, ModelWentProne)] == ["SC1", "TE1"]


def test_ta_spec_13_a_prone_marine_does_nothing_and_rolls_no_more() -> None:
    p, rolled = throbs({"SC1": "2:c5", "SC2": "2:m5"}, 3, prone=("SC1",))
    assert [event.model for event in rolled] == ["SC2"]
    for line in ("use SC1", "move SC1 2:c7", "shoot SC1 OBJ-6"):
        assert p.why(line) == "TA-SPEC-13"


def test_ta_spec_10_not_once_it_is_destroyed() -> None:
    p = play("tyranid", models={"SC1": "2:c5", "GE8": "5:h6"}, destroyed=["OBJ-6"])
    assert not of(p.do("end"), CortexRolled)


def test_ta_spec_11_they_come_round_at_once_and_may_act_in_that_part() -> None:
    """TA-SPEC-11, ruling G-24."""
    p = play(models={"SC1": "2:b5", "SC2": "2:m5", **AWAY}, templates=CORTEX, prone=["SC2"], artifacts={"SC2": [1]})
    assert p.why("use SC2") == "TA-SPEC-13"
    happened = p.do("shoot SC1 OBJ-6", 6, 1)
    assert of(happened, ModelsCameRound)[0].models == ("SC2",)
    p.do("done SC1")
    assert p.why("move SC2 2:m7") == ""
    assert p.state.models["SC2"].artifacts == [1]


def test_ta_spec_11_they_come_round_when_it_rolls_away() -> None:
    p = rolling_on({"SC1": "2:c5", "SC3": "3:b9"}, templates={"OBJ-6": "1:d6"}, prone=["SC1"])
    happened = p.do("move SC2 6:e11")
    assert of(happened, TemplateGone)[0].objective == "OBJ-6"
    assert of(happened, ModelsCameRound)[0].models == ("SC1",)


def test_ta_spec_12_e_34_he_dies_at_once_whatever_his_life_points() -> None:
    """TA-SPEC-12, E-34."""
    p = play("tyranid", models={"GE1": "2:e5", "CO1": "2:f5", "GE8": "2:m9", **AWAY}, prone=["CO1"])
    assert p.state.models["CO1"].life == 6
    happened = p.do("fight GE1 CO1")
    assert dead(happened) == ["CO1"]
    assert not dice(happened)
    fought = of(happened, Fought)[0]
    assert (fought.attack, fought.defence, fought.winner) == ((), (), "attacker")


def test_ta_spec_12_one_life_per_kill_does_not_help_him() -> None:
    """Option `kill_means` is about weapons: helpless is helpless."""
    options = Options(kill_means="one_life")
    p = play("tyranid", models={"GE1": "2:e5", "SG1": "2:f5", "GE8": "2:m9", **AWAY}, prone=["SG1"], options=options)
    assert dead(p.do("fight GE1 SG1")) == ["SG1"]


def test_ta_spec_3_returned_scouts_are_placed_with_full_life() -> None:
    p = opened(5, 2)
    placed = of(p.do("return SG1 2:f5"), ModelPlaced)[0]
    assert (placed.life, placed.fresh, placed.reason) == (2, False, "return")
