"""Shooting: figures, range, dice against armour, who can be shot at, and how the dice of bolters are shared out."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from drill import dead, dice, hurt, words
from hive import BOOK, RULESET, at, of, play

from warptape.domain.tyranid_attack.actions import FLOOR, AimAt, Hellfire, Shoot
from warptape.domain.tyranid_attack.events_turn import Fought, Shot

AWAY = {"SC6": "1:h6"}
"""Somebody far off, so that the part goes on."""


def test_ta_char_1_a_scout_moves_eight_squares_and_no_more() -> None:
    """TA-CHAR-1."""
    p = play(models={"SC1": "2:b5", **AWAY})
    assert p.why("move SC1 2:j5") == ""
    assert p.why("move SC1 2:k5") == "TA-MOVE-1"


@pytest.mark.parametrize(("roll", "hit"), [(4, False), (5, True), (6, True)])
def test_ta_char_2_a_die_must_reach_the_armour(roll: int, hit: bool) -> None:
    """TA-CHAR-2, TA-SHOOT-4: a Genestealer's armour is 5; one die of the two is enough."""
    p = play(models={"SC1": "2:b5", "GE1": "2:e5", **AWAY})
    happened = p.do("shoot SC1 GE1", 1, roll)
    shot = of(happened, Shot)[0]
    assert (shot.rolls, shot.need, shot.hit) == ((1, roll), 5, hit)
    assert dead(happened) == (["GE1"] if hit else [])
    assert ("GE1" in p.state.pool) == hit


@pytest.mark.parametrize(("name", "armour"), [("HB1", 2), ("AB1", 6), ("BO1", 6), ("DS1", 5), ("GE1", 5)])
def test_ta_char_6_the_same_dice_hit_whatever_has_lower_armour(name: str, armour: int) -> None:
    """TA-CHAR-6: higher is better, for armour too."""
    for roll in range(1, 7):
        p = play(models={"SC1": "2:b5", name: "2:e5", **AWAY})
        assert bool(dead(p.do(f"shoot SC1 {name}", 1, roll))) == (roll >= armour)


def test_ta_char_6_a_note_only_reminds() -> None:
    """TA-CHAR-6: nothing that the rules look up comes from a note."""
    text = RULESET.content.files["models.toml"]
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("note ="))
    assert bare != text
    other = RULESET.bound(type(RULESET.content)({**RULESET.content.files, "models.toml": bare}))
    assert other.book.guns == BOOK.guns
    facts = play(models={"DS1": "2:b5", "SC1": "2:e5", "GE1": "2:f5"}, side="tyranid")
    same = play(models={"DS1": "2:b5", "SC1": "2:e5", "GE1": "2:f5"}, side="tyranid", ruleset=other)
    assert words(facts) == words(same)


@pytest.mark.parametrize(
    ("shooter", "target", "rule"),
    [("5:b6", "5:n6", ""), ("5:b6", "5:o6", "TA-SHOOT-3"), ("5:a6", "5:o6", "TA-SHOOT-3")],
)
def test_ta_char_3_e_6_range_counts_from_the_next_square_to_the_target(shooter: str, target: str, rule: str) -> None:
    """TA-CHAR-3, TA-SHOOT-2, TA-SHOOT-3: a bolt pistol reaches 12 squares; the last example is E-6."""
    p = play(models={"SC1": shooter, "GE1": target, **AWAY})
    assert p.why("shoot SC1 GE1") == rule


def test_e_6_a_heavy_bolter_reaches_fourteen_squares() -> None:
    assert play(models={"HV1": "5:a6", "GE1": "5:o6", **AWAY}).why("shoot HV1 GE1") == ""


def test_ta_shoot_2_a_diagonal_square_counts_as_one() -> None:
    """TA-SHOOT-2, TA-BOARD-10: twelve columns and two rows are twelve squares, as far as a bolt pistol reaches."""
    p = play(models={"SC1": "2:b5", "GE1": "2:n7", **AWAY})
    assert p.why("shoot SC1 GE1") == ""


@pytest.mark.parametrize("name", ["GE1", "BO1", "AB1", "HC1"])
def test_ta_char_4_without_fire_there_is_no_shooting(name: str) -> None:
    p = play("tyranid", models={"SC1": "2:b5", name: "2:e5", "GE8": "2:n5"})
    assert p.why(f"shoot {name} SC1") == "TA-CHAR-4"


@pytest.mark.parametrize(("name", "fire"), [("HP1", 1), ("DS1", 2), ("HB1", 2)])
def test_ta_char_4_w_11_fire_is_the_number_of_dice(name: str, fire: int) -> None:
    """TA-CHAR-4, TA-COMP-4, TA-SHOOT-4: dice are never added up."""
    p = play("tyranid", models={"SC1": "2:b5", name: "2:e5", "GE8": "2:n5"})
    happened = p.do(f"shoot {name} SC1", *[1] * fire)
    assert of(happened, Shot)[0].rolls == (1,) * fire
    assert not dead(happened)


def test_w_11_three_dice_of_a_storm_bolter_are_not_added() -> None:
    """TA-COMP-4, TA-SHOOT-4: three threes are no nine."""
    p = play(models={"TE1": "2:b5", "GE1": "2:e5", **AWAY})
    happened = p.do("shoot TE1 GE1", 3, 3, 4)
    assert of(happened, Shot)[0].rolls == (3, 3, 4)
    assert not dead(happened)


def test_ta_char_5_hand_to_hand_dice_and_what_is_in_brackets() -> None:
    """TA-CHAR-5: the Sergeant 2D(+1), the bonesword Warrior 4D(+1)."""
    p = play(models={"SG1": "2:b5", "BO1": "2:c5", **AWAY})
    fought = of(p.do("fight SG1 BO1", 2, 4, 3, 3, 1, 2), Fought)[0]
    assert (fought.attack, fought.attack_bonus, fought.defence, fought.defence_bonus) == ((2, 4), 1, (3, 3, 1, 2), 1)


def test_ta_att_1_one_attack_either_a_shot_or_a_fight() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:k5", **AWAY})
    p.do("shoot SC1 GE1", 1, 1)
    assert p.why("shoot SC1 GE2") == "TA-ATT-1"
    assert p.why("fight SC1 GE1") == "TA-ATT-1"
    assert p.why("melta SC1 GE1") == "TA-ATT-1"
    assert p.why("move SC1 2:d5") == ""
    p.do("move SC1 2:d5")  # nothing is left: he is finished
    assert p.why("use SC1") == "TA-TURN-4"


def test_ta_att_1_the_attack_may_come_before_or_after_the_move() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:n5", **AWAY})
    p.do("move SC1 2:g5")
    assert p.why("shoot SC1 GE1") == ""
    q = play(models={"SC1": "2:e5", "GE1": "2:n5", **AWAY})
    q.do("shoot SC1 GE1", 1, 1)
    assert q.why("move SC1 2:g5") == ""


def test_ta_shoot_1_no_shot_without_sight() -> None:
    """TA-SHOOT-1: in range, but walls are in between."""
    p = play(models={"SC1": "1:b5", "GE1": "1:b8", **AWAY})
    assert p.why("shoot SC1 GE1") == ""
    q = play(models={"SC1": "5:e2", "GE1": "5:k2", **AWAY})
    assert q.why("shoot SC1 GE1") == "TA-LOS-2"


def test_ta_shoot_5_e_18_two_hits_take_one_life_point() -> None:
    p = play(models={"SC1": "2:b5", "BB1": "2:e5", **AWAY})
    assert (BOOK.profiles["bulwark_beast"].armour, p.state.models["BB1"].life) == (6, 2)
    happened = p.do("shoot SC1 BB1", 6, 6)
    assert hurt(happened) == [("BB1", 1)]
    assert not dead(happened)


def test_ta_shoot_6_an_adjacent_enemy_may_be_shot_at() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY})
    p.do("use SC1")
    assert {"shoot", "fight"} <= words(p)
    happened = p.do("shoot SC1 GE1", 5, 1)
    assert dead(happened) == ["GE1"]
    assert p.asked != "FollowUp"


def test_ta_shoot_7_the_entry_area_is_out_of_reach() -> None:
    """TA-SHOOT-7, TA-LOS-5: no square of its cell is a target, and no line goes through it."""
    p = play(models={"HV1": "1:e10", "SC6": "5:h6"}, active="HV1")
    p.referee.take("marines", Hellfire(FLOOR))
    assert p.referee.decision is not None
    aims = [action.at for action in p.referee.decision.actions]
    assert (4, 9) not in aims  # his own square
    assert (4, 10) in aims
    assert all(square[1] <= 10 for square in aims)  # the cell of the entry area begins at row 10, as its edge
    for square in ((4, 11), (4, 12), (10, 11)):
        refusal = RULESET.refusal(p.state, "marines", AimAt(square))
        assert refusal is not None
        assert refusal.rule == "TA-WEAP-21"
    seen = play(models={"HV1": "1:e11", "GE1": "1:k11", "SC6": "5:h6"})
    assert seen.why("shoot HV1 GE1") == "TA-LOS-2"


@pytest.mark.parametrize(
    ("side", "line", "rule"),
    [
        ("marines", "shoot SC1 SC2", "TA-SHOOT-8"),
        ("marines", "shoot SC1 GE5", "TA-SHOOT-8"),
        ("marines", "shoot SC1 OBJ-4", "TA-SHOOT-8"),
        ("marines", "shoot SC1 2:e5", "TA-SHOOT-8"),
        ("marines", "shoot SC1 OBJ-2", ""),
        ("tyranid", "shoot HB1 GE1", "TA-SHOOT-8"),
        ("tyranid", "shoot HB1 OBJ-2", "TA-OBJ-12"),
        ("tyranid", "shoot HB1 SC1", ""),
    ],
)
def test_ta_shoot_8_what_can_be_a_target(side: str, line: str, rule: str) -> None:
    models = {"SC1": "2:b5", "SC2": "2:c7", "HB1": "2:b7", "GE1": "2:n7", **AWAY}
    assert play(side, models=models, templates={"OBJ-2": "2:f5"}).why(line) == rule


def test_ta_shoot_9_a_prone_marine_is_shot_at_like_any_other() -> None:
    p = play("tyranid", models={"HB1": "2:b5", "SC1": "2:e5", "GE8": "2:n5", **AWAY}, prone=["SC1"])
    shot = of(p.do("shoot HB1 SC1", 3, 4), Shot)[0]
    assert (shot.need, shot.hit) == (4, True)


def test_w_12_both_dice_at_one_target_or_one_at_each() -> None:
    """TA-WEAP-1."""
    models = {"SC1": "2:e6", "GE1": "2:i5", "GE2": "2:i6", **AWAY}
    p = play(models=models)
    assert p.why("shoot SC1 GE1*2") == ""
    happened = p.do("shoot SC1 GE1*1 GE2*1", 5, 6)
    assert [(shot.target, shot.rolls) for shot in of(happened, Shot)] == [("GE1", (5,)), ("GE2", (6,))]
    assert dead(happened) == ["GE1", "GE2"]
    assert dead(play(models=models).do("shoot SC1 GE1*2", 5, 6)) == ["GE1"]


def test_ta_weap_1_every_target_must_be_seen_and_reached_by_itself() -> None:
    """TA-WEAP-1: one good target does not excuse another that is hidden or too far away."""
    p = play(models={"SC1": "5:b6", "GE1": "5:a6", "GE2": "5:e2", "GE3": "5:o6", **AWAY})
    assert p.why("shoot SC1 GE1*2") == ""
    assert p.why("shoot SC1 GE1*1 GE2*1") == "TA-LOS-2"
    assert p.why("shoot SC1 GE1*1 GE3*1") == "TA-SHOOT-3"


@pytest.mark.parametrize("name", ["SC1", "HV1", "TE1", "LI1", "MA1", "SG1", "CO1"])
def test_ta_weap_1_bolters_spread_their_dice(name: str) -> None:
    """TA-WEAP-1: pistol, boltgun, storm bolter and heavy bolter."""
    p = play(models={name: "2:e6", "GE1": "2:i5", "GE2": "2:i6", **AWAY})
    fire = BOOK.guns[BOOK.kind(name)].fire
    assert p.why(f"shoot {name} GE1*{fire - 1} GE2*1") == ""


@pytest.mark.parametrize("name", ["TF1", "HM1"])
def test_ta_weap_1_other_weapons_do_not(name: str) -> None:
    """TA-WEAP-1, TA-WEAP-22: a flamer and a missile launcher have one target."""
    p = play(models={name: "2:e6", "GE1": "2:i5", "GE2": "2:i6", **AWAY})
    assert p.why(f"shoot {name} GE1*1 GE2*1") == "TA-WEAP-1"
    assert p.why(f"shoot {name} GE1") == ""


@pytest.mark.parametrize("line", ["HV1 GE1*3", "HV1 GE1*5", "HV1 GE1*2 GE2*1", "HV1 GE1*3 GE2*2"])
def test_ta_weap_2_the_dice_named_are_all_there_are(line: str) -> None:
    p = play(models={"HV1": "2:e6", "GE1": "2:i5", "GE2": "2:i6", **AWAY})
    assert p.why(f"shoot {line}") == "TA-WEAP-2"


def test_ta_weap_2_no_target_without_a_die_or_named_twice() -> None:
    p = play(models={"SC1": "2:e6", "GE1": "2:i5", "GE2": "2:i6", **AWAY}, active="SC1")
    for volleys in ((("GE1", 2), ("GE2", 0)), (("GE1", 1), ("GE1", 1)), (("GE1", 3), ("GE2", -1)), ()):
        refusal = RULESET.refusal(p.state, "marines", Shoot(volleys))
        assert refusal is not None
        assert refusal.rule == "TA-WEAP-2", volleys


@pytest.mark.parametrize(
    ("name", "targets", "fire"),
    [("SC1", 1, 2), ("SC1", 3, 2), ("TE1", 2, 3), ("TE1", 4, 3), ("HV1", 3, 4), ("HV1", 5, 4), ("LI1", 3, 3)],
)
def test_ta_weap_1_every_way_to_share_dice_out_is_there_and_no_other(name: str, targets: int, fire: int) -> None:
    """TA-WEAP-1, TA-WEAP-2 by brute force: every number of dice for every target, all that add up."""
    places = ["2:i5", "2:i6", "2:i7", "2:e5", "2:e7"]
    enemies = {f"GE{number}": place for number, place in enumerate(places[:targets], 1)}
    p = play(models={name: "2:e6", **enemies, **AWAY}, active=name)
    assert p.referee.decision is not None
    offered = [dict(action.volleys) for action in p.referee.decision.actions if isinstance(action, Shoot)]
    seen = [enemy for enemy in enemies if p.why(f"shoot {name} {enemy}*{fire}") == ""]
    assert len(seen) == targets
    expected: list[dict[Any, int]] = [
        {enemy: count for enemy, count in zip(seen, counts, strict=True) if count}
        for counts in product(range(fire + 1), repeat=len(seen))
        if sum(counts) == fire
    ]
    assert len(offered) == len(expected)
    assert all(offered.count(way) == 1 for way in expected)


def test_ta_weap_2_all_dice_are_rolled_before_anybody_dies() -> None:
    p = play(models={"TE1": "2:e6", "GE1": "2:i5", "GE2": "2:i6", "GE3": "2:i7", **AWAY})
    happened = p.do("shoot TE1 GE1*1 GE2*1 GE3*1", 5, 5, 5)
    kinds = [type(event).__name__ for event in happened]
    assert max(i for i, kind in enumerate(kinds) if kind == "Shot") < kinds.index("ModelKilled")
    assert len(dice(happened, "shot")) == 3
    assert at(p.state, "GE1") == ""
