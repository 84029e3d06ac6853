"""Artifacts: found, borne, handed over, left behind and taken; what each is worth."""

from __future__ import annotations

import pytest
from drill import dead, words
from hive import RULESET, at, of, play

from warptape.domain.tyranid_attack.actions import Take
from warptape.domain.tyranid_attack.events_model import (
    ArtifactDropped,
    ArtifactFound,
    ArtifactGiven,
    ArtifactTaken,
)
from warptape.domain.tyranid_attack.events_turn import BlastRolled, Fought, Shot

AWAY = {"SC6": "1:h6"}


# Finding


@pytest.mark.parametrize(("card", "number"), [("EX-10", 1), ("EX-11", 2), ("EX-12", 3), ("EX-13", 4)])
def test_ta_art_2_w_18_the_counter_goes_to_the_model_that_opened_the_section(card: str, number: int) -> None:
    """TA-ART-2, W-18: the card stays open."""
    p = play(models={"SC2": "5:e2", **AWAY, "SC1": "3:b9"}, card=card, tile="LOC-2")
    happened = p.do("move SC2 6:e11")
    assert of(happened, ArtifactFound)[0].number == number
    assert p.state.models["SC2"].artifacts == [number]
    if number in (2, 4):  # their keepers are near
        p.do("place GE1 6:g4")
    assert p.state.kept == [card]
    assert not p.state.discards


def test_ta_art_3_w_18_the_combi_weapon_adds_two_dice() -> None:
    """TA-ART-3: a Scout's two dice become four; they may be split as before."""
    p = play(models={"SC2": "2:e6", "GE1": "2:i5", "GE2": "2:i6", **AWAY}, artifacts={"SC2": [4]})
    assert p.why("shoot SC2 GE1*3 GE2*1") == ""
    assert of(p.do("shoot SC2 GE1", 1, 2, 3, 4), Shot)[0].rolls == (1, 2, 3, 4)


def test_ta_art_1_it_works_for_the_rest_of_the_game() -> None:
    p = play(models={"SC2": "2:b5", "GE1": "2:m5", **AWAY}, artifacts={"SC2": [4]})
    p.do("shoot SC2 GE1", 1, 1, 1, 1)
    p.do("done SC2")
    p.do("end")
    p.do("skip")
    p.do("end")
    assert p.state.turn == 2
    assert len(of(p.do("shoot SC2 GE1", 1, 1, 1, 1), Shot)[0].rolls) == 4


def test_ta_art_11_its_dice_go_to_the_normal_shot_only() -> None:
    """TA-ART-11: a flamer's neighbours get two dice as before, hellfire none, the fist two."""
    p = play(models={"TF1": "2:b5", "GE1": "2:h5", "SC1": "2:i5", **AWAY}, artifacts={"TF1": [4]})
    happened = p.do("shoot TF1 GE1", 1, 1, 1, 1, 2, 2)
    assert len(of(happened, Shot)[0].rolls) == 4
    assert of(happened, BlastRolled)[0].rolls == (2, 2)
    q = play(models={"HV1": "2:b5", "GE1": "2:h5", "SC1": "2:i5", **AWAY}, artifacts={"HV1": [4]})
    assert of(q.do("hellfire HV1 GE1", 3), BlastRolled)[0].rolls == (3,)
    r = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY}, artifacts={"SC1": [4]})
    assert of(r.do("fight SC1 GE1", 6, 1, 1, 1, 1, 1), Fought)[0].attack == (6, 1)


# What each is worth


def test_artifact_1_adds_two_to_the_score_attacking_and_defending() -> None:
    """Card EX-10: on top of the weapon; also against blobs and templates."""
    p = play(models={"SG1": "2:e5", "GE1": "2:f5", **AWAY}, artifacts={"SG1": [1]})
    assert of(p.do("fight SG1 GE1", 1, 1, 1, 1, 1, 1), Fought)[0].attack_bonus == 3
    q = play("tyranid", models={"SC1": "2:e5", "GE1": "2:f5", "GE8": "2:m9"}, artifacts={"SC1": [1]})
    assert of(q.do("fight GE1 SC1", 3, 1, 1, 1, 1, 1), Fought)[0].winner == "none"


@pytest.mark.parametrize(("name", "need"), [("SC1", 5), ("MA1", 6), ("TE1", 6)])
def test_artifact_2_raises_armour_up_to_six(name: str, need: int) -> None:
    """Card EX-11."""
    p = play("tyranid", models={name: "2:e5", "HB1": "2:m5", "GE8": "2:m9"}, artifacts={name: [2]})
    assert of(p.do(f"shoot HB1 {name}", 1, 1), Shot)[0].need == need


def test_artifact_3_adds_three_squares_to_the_move() -> None:
    """Card EX-12."""
    models = {"SC1": "2:b5", "GE1": "1:b8", **AWAY}
    assert play(models=models, artifacts={"SC1": [3]}).why("move SC1 2:m5") == ""
    assert play(models=models, artifacts={"SC1": [3]}).why("move SC1 2:n5") == "TA-MOVE-1"
    assert play(models=models).why("move SC1 2:k5") == "TA-MOVE-1"


def test_ta_art_9_a_model_may_bear_several() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY}, artifacts={"SC1": [1, 4]})
    assert len(of(p.do("shoot SC1 GE1", 1, 1, 1, 1), Shot)[0].rolls) == 4
    q = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY}, artifacts={"SC1": [1, 4]})
    assert of(q.do("fight SC1 GE1", 4, 1, 5, 1, 1, 1), Fought)[0].winner == "attacker"


# Handing over


def test_ta_art_4_both_give_up_their_attack() -> None:
    models = {"SC1": "2:e5", "SC2": "2:f5", "GE1": "2:m5", **AWAY}
    p = play(models=models, artifacts={"SC2": [4]})
    happened = p.do("give SC2 SC1 A4")
    assert [(event.giver, event.model, event.number) for event in of(happened, ArtifactGiven)] == [("SC2", "SC1", 4)]
    assert p.state.models["SC1"].artifacts == [4]
    assert p.state.models["SC2"].artifacts == []
    assert p.why("shoot SC2 GE1") == "TA-ATT-1"
    p.do("done SC2")
    p.do("use SC1")
    assert p.why("shoot SC1 GE1*4") == "TA-ATT-1"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("give SC2 SC1 A4", ""),
        ("give SC2 SC3 A4", "TA-ART-4"),  # not adjacent
        ("give SC2 SC1 A1", "TA-ART-4"),  # not his
        ("give SC2 GE1 A4", "TA-ART-4"),  # no Marine
        ("give SC2 SC2 A4", "TA-ART-4"),
        ("give SC2 SC4 A4", "TA-SPEC-13"),  # prone
    ],
)
def test_ta_art_4_to_an_adjacent_marine_who_is_up(line: str, rule: str) -> None:
    models = {"SC1": "2:e5", "SC2": "2:f5", "SC3": "2:h5", "SC4": "2:f6", "GE1": "2:g5", **AWAY}
    assert play(models=models, artifacts={"SC2": [4]}, prone=["SC4"]).why(line) == rule


def test_ta_art_5_e_42_the_receiver_may_be_finished_but_must_not_have_attacked() -> None:
    models = {"SC1": "2:e5", "SC2": "2:e6", "GE1": "2:m5", **AWAY}
    p = play(models=models, artifacts={"SC2": [4]})
    p.do("use SC1")
    p.do("done SC1")
    assert p.why("give SC2 SC1 A4") == ""
    p.do("give SC2 SC1 A4")
    assert p.state.models["SC1"].artifacts == [4]
    assert p.state.act("SC1").attacks == 0
    assert p.state.act("SC2").attacks == 0
    q = play(models=models, artifacts={"SC2": [4]})
    q.do("shoot SC1 GE1", 1, 1)
    q.do("done SC1")
    assert q.why("give SC2 SC1 A4") == "TA-ART-5"


def test_ta_art_5_the_giver_must_not_have_attacked_either() -> None:
    p = play(models={"SC1": "2:e5", "SC2": "2:f5", "GE1": "2:m5", **AWAY}, artifacts={"SC2": [4]})
    p.do("shoot SC2 GE1", 1, 1, 1, 1)
    assert p.why("give SC2 SC1 A4") == "TA-ATT-1"


def test_ta_art_5_once_handed_on_it_is_not_handed_on_again_in_that_turn() -> None:
    """The receiver has given up his attack, so he gives nothing himself."""
    p = play(models={"SC1": "2:e5", "SC2": "2:f5", "SC3": "2:e7", **AWAY}, artifacts={"SC2": [4]})
    p.do("give SC2 SC1 A4")
    p.do("done SC2")
    p.do("use SC1")
    assert p.why("give SC1 SC3 A4") == "TA-ATT-1"
    assert words(p) == {"done", "move"}


def test_ta_art_5_the_receiver_may_still_move_and_uses_what_he_got_next_turn() -> None:
    p = play(models={"SC1": "2:b5", "SC2": "2:c5", "GE1": "1:b8", **AWAY}, artifacts={"SC2": [3]})
    p.do("give SC2 SC1 A3")
    p.do("done SC2")
    assert p.why("move SC1 2:m5") == ""  # from his next move on: eleven squares


# Left behind and taken


def test_ta_art_6_a_dead_bearers_artifacts_stay_in_his_square() -> None:
    p = play("tyranid", models={"SC1": "2:e5", "GE1": "2:f5", "GE8": "2:m9"}, artifacts={"SC1": [1, 3]})
    where = p.state.models["SC1"].at
    happened = p.do("fight GE1 SC1", 6, 6, 1, 1, 1, 1)
    assert dead(happened) == ["SC1"]
    assert [event.number for event in of(happened, ArtifactDropped)] == [1, 3]
    assert p.state.artifacts == {1: where, 3: where}


def test_ta_art_7_e_43_one_for_one_attack() -> None:
    """TA-ART-7, E-43: two lie there; he gets the one, the other stays."""
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY}, lying={1: "2:e5", 3: "2:e5"})
    happened = p.do("take SC1 A1")
    assert [(event.number, event.model) for event in of(happened, ArtifactTaken)] == [(1, "SC1")]
    assert [*p.state.artifacts] == [3]
    for line in ("take SC1 A3", "fight SC1 GE1", "shoot SC1 GE1"):
        assert p.why(line) == "TA-ATT-1"
    assert p.why("move SC1 2:e7") == ""


def test_ta_art_7_only_on_its_square_and_instead_of_attacking() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:m5", **AWAY}, lying={1: "2:f5"})
    assert p.why("take SC1 A1") == "TA-ART-7"
    assert p.why("take SC1 A2") == "TA-ART-7"
    p.do("move SC1 2:f5")
    assert p.why("take SC1 A1") == ""
    q = play(models={"SC1": "2:e5", "GE1": "2:m5", **AWAY}, lying={1: "2:e5"})
    q.do("shoot SC1 GE1", 1, 1)
    assert q.why("take SC1 A1") == "TA-ATT-1"


def test_ta_art_8_tyranids_neither_take_nor_use_them_but_may_stand_on_them() -> None:
    p = play("tyranid", models={"GE1": "2:e5", "SC1": "2:m5", "GE8": "2:m9"}, lying={1: "2:f5"})
    p.do("move GE1 2:f5")
    assert at(p.state, "GE1") == "2:f5"
    assert [*p.state.artifacts] == [1]
    q = play("tyranid", models={"GE1": "2:f5", "SC1": "2:g5", "GE8": "2:m9"}, lying={1: "2:f5"}, active="GE1")
    refusal = RULESET.refusal(q.state, "tyranid", Take(1))
    assert refusal is not None
    assert refusal.rule == "TA-ART-8"
    assert of(q.do("fight GE1 SC1", 1, 1, 1, 2, 6, 1), Fought)[0].attack_bonus == 0


def test_ta_art_10_a_trigger_that_dies_leaves_the_counter_where_it_died() -> None:
    """TA-ART-10, TA-CARD-4, E-12: the trigger loses the fight that it began on the new section."""
    p = play(models={"SC2": "5:e2", "GE1": "6:e10", **AWAY, "SC1": "3:b9"}, card="EX-12", tile="LOC-2")
    p.do("move SC2 6:e11")
    where = p.state.models["SC2"].at
    happened = p.do("fight SC2 GE1", 1, 1, 6, 1, 1, 1)
    assert dead(happened) == ["SC2"]
    found = of(happened, ArtifactFound)[0]
    assert (found.number, found.model, found.at) == (3, "", where)
    assert p.state.artifacts == {3: where}
