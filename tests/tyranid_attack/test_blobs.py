"""Acid-blobs: where they come from, how they win, whom they turn, how they die."""

from __future__ import annotations

import pytest
from drill import dead, dice, everyone, hurt, words
from hive import BOOK, RULESET, at, of, play

from warptape.domain.tyranid_attack.actions import EnterModel, PutModel
from warptape.domain.tyranid_attack.events_model import ModelKilled, ModelPlaced
from warptape.domain.tyranid_attack.events_turn import AcidKill, Fought, Shot
from warptape.domain.tyranid_attack.state import Options
from warptape.domain.tyranid_attack.steps import Put

AWAY = {"SC6": "1:h6"}
FAR = {"GE8": "2:m9"}


def test_ta_blob_1_never_as_a_reinforcement() -> None:
    p = play("reinforce", models={"SC1": "1:h6", "GE1": "2:m9"})
    p.do("roll", 6)
    assert not any(line.split()[1].startswith("AB") for line in p.legal() if line.startswith("enter"))
    for square in BOOK.ship(p.state).outer:
        refusal = RULESET.refusal(p.state, "tyranid", EnterModel("AB1", square))
        assert refusal is not None
        assert refusal.rule == "TA-BLOB-1"


def test_ta_blob_1_never_as_a_defender() -> None:
    """TA-BLOB-1, TA-OBJ-7."""
    p = play("tyranid", models={"SC1": "1:h6", "GE1": "2:m9"}, pending=[Put(section=5, slots=3, reason="defender")])
    square = BOOK.ship(p.state).squares[5][0]
    refusal = RULESET.refusal(p.state, "tyranid", PutModel("AB1", square))
    assert refusal is not None
    assert refusal.rule == "TA-BLOB-1"


def test_ta_blob_1_ta_blob_4_by_a_card_and_then_they_act() -> None:
    """TA-BLOB-1, TA-BLOB-4: two on the section, four squares from every Marine; they act in the Tyranid part that follows."""
    p = play(models={"SC2": "5:e2", "SC1": "3:b9", **AWAY}, card="EX-07", tile="LOC-2")
    p.do("move SC2 6:e11")
    assert p.asked == "PutOn"  # there are no others of which one could be chosen
    assert p.why("place GE1 6:e4") != ""
    assert p.why("place AB1 6:f9") == "TA-BLOB-1"  # too near
    p.do("place AB1 6:e4")
    p.do("place AB2 6:f3")
    assert p.state.blobs == ["AB3", "AB4"]
    p.do("end")
    p.do("skip")
    assert p.why("move AB1 6:e3") == ""


def test_ta_blob_2_it_wins_without_dice() -> None:
    p = play("tyranid", models={"AB1": "2:e5", "CO1": "2:f5", **FAR, **AWAY})
    happened = p.do("fight AB1 CO1")
    assert not dice(happened)
    assert dead(happened) == ["CO1"]
    assert [(event.blob, event.victim) for event in of(happened, AcidKill)] == [("AB1", "CO1")]


def test_ta_blob_2_it_attacks_hand_to_hand_only() -> None:
    """TA-BLOB-2, TA-BLOB-6."""
    p = play("tyranid", models={"AB1": "2:e5", "SC1": "2:f5", "SC2": "2:k7", **FAR})
    assert p.why("shoot AB1 SC2") == "TA-CHAR-4"
    assert p.why("fight AB1 SC2") == "TA-HTH-1"
    p.do("use AB1")
    assert words(p) == {"fight", "move", "done"}


def test_ta_blob_3_ta_blob_4_the_victim_becomes_a_blob_that_waits() -> None:
    p = play("tyranid", models={"AB1": "2:e5", "SC1": "2:f5", **FAR, **AWAY})
    happened = p.do("fight AB1 SC1")
    placed = of(happened, ModelPlaced)[0]
    assert (placed.model, placed.reason, placed.fresh) == ("AB2", "blob", False)
    assert at(p.state, "AB2") == "2:f5"
    p.do("done AB1")
    assert p.why("use AB2") == "TA-TURN-4"
    p.do("end")
    p.do("end")
    p.do("skip")
    assert p.why("move AB2 2:g5") == ""  # in the next turn it acts


def test_ta_blob_5_tyranids_take_no_harm() -> None:
    """TA-BLOB-5: beside its own it does nothing, and there is nobody to attack."""
    p = play("tyranid", models={"AB1": "2:e5", "GE1": "2:f5", "SC1": "2:m5", **FAR})
    assert p.why("fight AB1 GE1") == "TA-HTH-1"
    p.do("move AB1 2:e7")
    assert "GE1" in p.state.models


@pytest.mark.parametrize(("square", "rule"), [("2:g5", ""), ("2:h5", "TA-MOVE-1")])
def test_ta_blob_6_it_moves_two_squares(square: str, rule: str) -> None:
    assert play("tyranid", models={"AB1": "2:e5", "SC1": "2:m5", **FAR}).why(f"move AB1 {square}") == rule


def test_ta_blob_6_its_armour_is_six() -> None:
    p = play(models={"SC1": "2:b5", "AB1": "2:e5", **AWAY})
    shot = of(p.do("shoot SC1 AB1", 5, 5), Shot)[0]
    assert (shot.need, shot.hit) == (6, False)


@pytest.mark.parametrize(("rolls", "dies"), [((5, 6), True), ((5, 5), False)])
def test_ta_blob_7_e_30_a_marine_needs_a_six(rolls: tuple[int, int], dies: bool) -> None:
    """TA-BLOB-7, TA-BLOB-8, E-30: no defender dice; its counter goes back; he may follow up; else nothing."""
    p = play(models={"SC1": "2:e5", "AB1": "2:f5", "GE1": "2:d5", **AWAY})
    happened = p.do("fight SC1 AB1", *rolls)
    fought = of(happened, Fought)[0]
    assert (fought.defence, fought.need, fought.winner) == ((), 6, "attacker" if dies else "none")
    assert dead(happened) == (["AB1"] if dies else [])
    assert ("AB1" in p.state.blobs) == dies
    assert p.asked == ("FollowUp" if dies else "Acting")
    assert not hurt(happened)
    assert "SC1" in p.state.models


@pytest.mark.parametrize(
    ("name", "rolls", "dies"), [("SG1", (5, 1), True), ("TE1", (4, 1), True), ("TE1", (3, 3), False)]
)
def test_ta_blob_7_the_weapon_counts(name: str, rolls: tuple[int, int], dies: bool) -> None:
    p = play(models={name: "2:e5", "AB1": "2:f5", **AWAY})
    assert bool(dead(p.do(f"fight {name} AB1", *rolls))) == dies


def test_ta_blob_3_ta_blob_8_ta_blob_9_e_29_on_and_on_while_there_are_counters() -> None:
    """E-29: two blobs on the board; three Scouts beside one of them; the third victim leaves nothing behind."""
    models = {"AB1": "2:e5", "AB2": "2:k7", "SC1": "2:f5", "SC2": "2:f6", "SC3": "2:e6", **FAR, **AWAY}
    p = play("tyranid", models=models)
    p.do("fight AB1 SC1")
    assert p.asked == "FollowUp"
    p.do("follow AB1 SC2")
    assert p.state.blobs == []
    happened = p.do("follow AB1 SC3")
    assert dead(happened) == ["SC3"]
    assert not of(happened, ModelPlaced)
    assert sorted(name for name in p.state.models if name.startswith("AB")) == ["AB1", "AB2", "AB3", "AB4"]
    for name in ("AB3", "AB4"):
        assert not p.state.act(name).fresh
        assert not p.state.act(name).moves
        assert not p.state.act(name).attacks
    assert p.asked == "Acting"  # it has not moved


def test_ta_blob_8_a_killed_blobs_counter_may_be_used_again() -> None:
    p = play(models={"SC1": "2:e5", "AB1": "2:f5", "AB2": "2:m5", "AB3": "2:m7", "AB4": "2:m9", **AWAY})
    killed = of(p.do("fight SC1 AB1", 6, 1), ModelKilled)[0]
    assert killed.to == "blobs"
    assert p.state.blobs == ["AB1"]
    assert "AB1" not in p.state.pool


def test_blob_follow_up_false_it_stops_after_one_victim() -> None:
    """Option `blob_follow_up`, ruling G-42."""
    models = {"AB1": "2:e5", "SC1": "2:f5", "SC2": "2:f6", **FAR, **AWAY}
    p = play("tyranid", models=models, options=Options(blob_follow_up=False))
    p.do("fight AB1 SC1")
    assert p.asked == "Acting"
    assert p.why("fight AB1 SC2") == "TA-ATT-1"


def test_kill_means_one_life_acid_takes_a_life_point() -> None:
    """Option `kill_means`, ruling G-40: the victim lives on, and no blob takes its place."""
    p = play("tyranid", models={"AB1": "2:e5", "SG1": "2:f5", **FAR, **AWAY}, options=Options(kill_means="one_life"))
    happened = p.do("fight AB1 SG1")
    assert hurt(happened) == [("SG1", 1)]
    assert not of(happened, ModelPlaced)
    assert at(p.state, "SG1") == "2:f5"


def test_ta_weap_13_acid_ignores_life_points() -> None:
    p = play("tyranid", models={"AB1": "2:e5", "SG1": "2:f5", **FAR, **AWAY})
    assert dead(p.do("fight AB1 SG1")) == ["SG1"]
    assert at(p.state, "AB2") == "2:f5"


def test_a_prone_marine_is_dissolved_like_any_other() -> None:
    """TA-BLOB-2, TA-BLOB-3, TA-SPEC-12: acid comes first, so a blob takes his place."""
    p = play("tyranid", models={"AB1": "2:e5", "SC1": "2:f5", **FAR, **AWAY}, prone=["SC1"])
    p.do("fight AB1 SC1")
    assert at(p.state, "AB2") == "2:f5"


def test_ta_blob_7_a_mind_slave_never_meets_one() -> None:
    """TA-BLOB-5: to the Chaos Marine it is a friend."""
    p = play("tyranid", models={"CM1": "2:e5", "AB1": "2:f5", "SC1": "2:m5", **FAR})
    assert p.why("fight CM1 AB1") == "TA-HTH-1"
    assert p.why("shoot CM1 AB1") == "TA-SHOOT-8"


def test_ta_blob_8_conversion_keeps_all_models() -> None:
    p = play("tyranid", models={"AB1": "2:e5", "SC1": "2:f5", **FAR, **AWAY})
    whole = everyone(p.state)
    p.do("fight AB1 SC1")
    assert everyone(p.state) == whole
    assert "SC1" in p.state.lost


def test_ta_blob_3_the_victims_artifacts_lie_under_the_blob() -> None:
    """TA-ART-6, TA-ART-8."""
    p = play("tyranid", models={"AB1": "2:e5", "SC1": "2:f5", **FAR, **AWAY}, artifacts={"SC1": [2]})
    p.do("fight AB1 SC1")
    assert p.state.artifacts == {2: p.state.models["AB2"].at}
