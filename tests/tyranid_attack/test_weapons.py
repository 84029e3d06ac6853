"""Weapons: what they add, hellfire, flamer, deathspitter, plasma, melta-bombs, and how the options read them."""

from __future__ import annotations

import pytest
from drill import dead, dice, hurt, words
from hive import BOOK, of, play

from warptape.domain.events import Event
from warptape.domain.tyranid_attack.events_model import ModelKilled, WeaponSpent
from warptape.domain.tyranid_attack.events_ship import TemplateDestroyed
from warptape.domain.tyranid_attack.events_turn import BlastRolled, Fought, HellfireFired, MeltaUsed, Shot
from warptape.domain.tyranid_attack.state import Options

AWAY = {"SC6": "1:h6"}


def blasts(events: list[Event]) -> list[tuple[str, tuple[int, ...], int, bool]]:
    """Whom a blast reached, with what dice, against what, and whether it hit."""
    return [(event.model, event.rolls, event.need, event.hit) for event in of(events, BlastRolled)]


# Hand weapons


@pytest.mark.parametrize(
    ("name", "bonus"), [("SC1", 0), ("HV1", 0), ("MA1", 0), ("SG1", 1), ("TE1", 2), ("TF1", 2), ("CO1", 2)]
)
def test_ta_weap_3_ta_weap_4_ta_weap_5_what_hand_weapons_add(name: str, bonus: int) -> None:
    """TA-WEAP-3 knife, TA-WEAP-4 chainsword, TA-WEAP-5 glove and power axe: added to the kept die, attacking and defending."""
    p = play(models={name: "2:e5", "GE1": "2:f5", **AWAY})
    fought = of(p.do(f"fight {name} GE1", 3, 2, 1, 1, 1, 1), Fought)[0]
    assert (fought.attack_bonus, fought.axe) == (bonus, 0)
    q = play("tyranid", models={name: "2:e5", "GE1": "2:f5", "GE8": "2:m9"})
    assert of(q.do(f"fight GE1 {name}", 1, 1, 1, 6, 1, 1), Fought)[0].defence_bonus == bonus


def test_ta_weap_3_every_marine_has_a_weapon_for_hand_to_hand() -> None:
    marines = [one for one in BOOK.profiles.values() if one.side == "marine"]
    melee = {id for id, weapon in BOOK.catalogue.weapons.items() if weapon.kind == "melee"}
    assert len(marines) == 9
    assert all(one.hth >= 2 and melee & {*one.weapons} for one in marines)


@pytest.mark.parametrize(
    ("die", "added", "winner"), [(1, 0, "defender"), (2, 1, "none"), (3, 2, "attacker"), (6, 5, "attacker")]
)
def test_ta_weap_6_w_22_the_force_axe_adds_a_die_less_one(die: int, added: int, winner: str) -> None:
    p = play(models={"LI1": "2:e5", "GE1": "2:f5", **AWAY})
    fought = of(p.do("fight LI1 GE1", 3, 2, die, 4, 1, 1, 1), Fought)[0]
    assert (fought.axe, fought.attack_bonus, fought.winner) == (added, 0, winner)


def test_ta_weap_6_a_die_for_each_attack_follow_ups_included() -> None:
    p = play(models={"LI1": "2:e5", "GE1": "2:f5", "GE2": "2:f6", **AWAY})
    p.do("fight LI1 GE1", 6, 1, 1, 1, 1, 1, 1)
    happened = p.do("follow LI1 GE2", 2, 1, 6, 5, 1, 1, 1)
    assert of(happened, Fought)[0].axe == 5
    assert dead(happened) == ["GE2"]


def test_ta_weap_7_in_defence_the_axe_adds_nothing() -> None:
    p = play("tyranid", models={"LI1": "2:e5", "GE1": "2:f5", "GE8": "2:m9"})
    happened = p.do("fight GE1 LI1", 4, 1, 1, 1, 3, 3)
    fought = of(happened, Fought)[0]
    assert (fought.defence, fought.defence_bonus, fought.winner) == ((3, 3), 0, "attacker")
    assert hurt(happened) == [("LI1", 2)]


def test_force_axe_defends_it_adds_its_die_when_he_is_attacked() -> None:
    """Option `force_axe_defends`, ruling G-39."""
    p = play("tyranid", models={"LI1": "2:e5", "GE1": "2:f5", "GE8": "2:m9"}, options=Options(force_axe_defends=True))
    happened = p.do("fight GE1 LI1", 4, 1, 1, 1, 3, 3, 5)
    assert of(happened, Fought)[0].defence_bonus == 4
    assert dead(happened) == ["GE1"]


# Hellfire


def test_ta_weap_9_ta_weap_10_e_21_the_target_dies_and_each_neighbour_on_four() -> None:
    """TA-WEAP-9, TA-WEAP-10, TA-WEAP-12, TA-WEAP-20, E-21: friend or foe, from the top row, left to right."""
    models = {"HV1": "2:b5", "BO1": "2:h5", "SC1": "2:g4", "GE1": "2:i4", "SC2": "2:i6", **AWAY}
    p = play(models=models)
    happened = p.do("hellfire HV1 BO1", 4, 3, 6)
    assert dead(happened) == ["BO1", "SC1", "SC2"]
    assert blasts(happened) == [("SC1", (4,), 4, True), ("GE1", (3,), 4, False), ("SC2", (6,), 4, True)]
    assert of(happened, HellfireFired)[0].left == p.state.shells == 2
    assert "BO1" in p.state.pool
    assert {"SC1", "SC2"} <= {*p.state.lost}


def test_ta_weap_8_he_says_which_ammunition_before_rolling() -> None:
    """TA-WEAP-8: the two are actions of their own; a normal shot spends no shell."""
    p = play(models={"HV1": "2:b5", "GE1": "2:e5", **AWAY})
    p.do("use HV1")
    assert {"shoot", "hellfire"} <= words(p)
    p.do("shoot HV1 GE1", 1, 1, 1, 1)
    assert p.state.shells == 3


@pytest.mark.parametrize(
    ("side", "name"), [("marines", "SC1"), ("marines", "SG1"), ("marines", "HM1"), ("marines", "TE1")]
)
def test_ta_weap_8_e_24_only_a_scout_with_a_heavy_bolter(side: str, name: str) -> None:
    p = play(side, models={name: "2:b5", "GE1": "2:e5", **AWAY})
    assert p.why(f"hellfire {name} GE1") == "TA-WEAP-8"


def test_ta_weap_8_a_chaos_marine_has_none_for_his_heavy_bolter() -> None:
    p = play("tyranid", models={"CH1": "2:b5", "SC1": "2:e5", "GE8": "2:m9"}, active="CH1")
    assert p.why("shoot CH1 SC1") == ""
    assert p.why("hellfire CH1 SC1") == "TA-WEAP-8"


def test_ta_weap_11_ta_weap_20_e_22_at_an_empty_square_and_round_a_wall() -> None:
    """E-22: the Genestealer stands beside the square, hidden behind a wall."""
    p = play(models={"HV1": "5:h6", "GE1": "5:e2", **AWAY})
    assert p.why("shoot HV1 GE1") == "TA-LOS-2"
    happened = p.do("hellfire HV1 5:d3", 4)
    assert dead(happened) == ["GE1"]
    assert p.state.shells == 2


def test_ta_weap_12_e_23_there_are_three_shells() -> None:
    models = {"HV1": "2:b5", "GE1": "2:e5", **AWAY}
    for left in (3, 2, 1):
        p = play(models=models, shells=left)
        p.do("hellfire HV1 GE1")
        assert p.state.shells == left - 1
    assert play(models=models, shells=0).why("hellfire HV1 GE1") == "TA-WEAP-12"
    assert BOOK.catalogue.supplies["hellfire_shell"] == 3


@pytest.mark.parametrize(
    ("square", "rule"),
    [
        ("2:e5", "TA-WEAP-21"),  # a model stands there
        ("2:g7", "TA-WEAP-21"),  # a template
        ("5:e2", "TA-LOS-2"),
        ("2:d5", ""),
    ],
)
def test_ta_weap_21_an_empty_square_is_floor_in_sight_without_model_or_template(square: str, rule: str) -> None:
    p = play(models={"HV1": "2:b5", "GE1": "2:e5", **AWAY}, templates={"OBJ-2": "2:g7"})
    assert p.why(f"hellfire HV1 {square}") == rule


def test_ta_weap_21_the_square_must_be_in_range() -> None:
    """TA-WEAP-21, TA-SHOOT-3: a deathspitter reaches 24 squares, a lane of three sections is longer."""
    layout = "1N 5E 6E 3E 2E 4E"
    p = play("tyranid", layout=layout, models={"DS1": "1:a6", "GE8": "5:h4", "SC1": "2:h5"})
    lane = BOOK.ship(p.state)
    assert lane.name((24, 5)) == "5:k6"
    assert p.why("shoot DS1 5:k6") == ""
    assert p.why("shoot DS1 5:l6") == "TA-SHOOT-3"


@pytest.mark.parametrize(("option", "left"), [("removed", None), ("one_life", 1)])
def test_ta_weap_13_kills_ignore_life_points(option: str, left: int | None) -> None:
    """TA-WEAP-13, option `kill_means`: hellfire, its splinters and melta-bombs."""
    options = Options(kill_means=option)  # type: ignore[arg-type]
    p = play(models={"HV1": "2:b5", "BB1": "2:h5", "SG1": "2:i5", **AWAY}, options=options)
    happened = p.do("hellfire HV1 BB1", 4)
    q = play(models={"SC1": "2:g5", "BB1": "2:h5", **AWAY}, options=options)
    bombed = q.do("melta SC1 BB1")
    if left is None:
        assert dead(happened) == ["BB1", "SG1"]
        assert dead(bombed) == ["BB1"]
    else:
        assert hurt(happened) == [("BB1", left), ("SG1", left)]
        assert hurt(bombed) == [("BB1", left)]


def test_ta_weap_14_a_shell_aimed_at_a_template_destroys_it() -> None:
    """TA-WEAP-14, TA-WEAP-20: the models next to any of its squares are its neighbours."""
    p = play(models={"HV1": "2:b5", "GE1": "2:g4", **AWAY}, templates={"OBJ-4": "2:h5"})
    happened = p.do("hellfire HV1 OBJ-4", 4)
    assert [(event.objective, event.total) for event in of(happened, TemplateDestroyed)] == [("OBJ-4", 1)]
    assert blasts(happened) == [("GE1", (4,), 4, True)]
    assert p.state.destroyed == ["OBJ-4"]


def test_hellfire_vs_template_no_effect_leaves_it_standing() -> None:
    """Option `hellfire_vs_template`, ruling G-40: the shell is spent, its splinters fly, the template stands."""
    p = play(
        models={"HV1": "2:b5", "GE1": "2:g4", **AWAY},
        templates={"OBJ-4": "2:h5"},
        options=Options(hellfire_vs_template="no_effect"),
    )
    happened = p.do("hellfire HV1 OBJ-4", 4)
    assert not of(happened, TemplateDestroyed)
    assert p.state.templates
    assert dead(happened) == ["GE1"]
    assert p.state.shells == 2


# Flamer


def test_ta_weap_15_w_21_two_dice_at_the_target_and_two_at_each_neighbour() -> None:
    """TA-WEAP-15, TA-WEAP-20, W-21: friend or foe, each against its own armour."""
    models = {"TF1": "2:b5", "GE1": "2:h5", "SC1": "2:g4", "BO1": "2:i4", "SC2": "2:i6", **AWAY}
    p = play(models=models)
    happened = p.do("shoot TF1 GE1", 5, 1, 4, 1, 5, 5, 3, 3)
    assert of(happened, Shot)[0].rolls == (5, 1)
    assert blasts(happened) == [("SC1", (4, 1), 4, True), ("BO1", (5, 5), 6, False), ("SC2", (3, 3), 4, False)]
    assert dead(happened) == ["GE1", "SC1"]


def test_ta_weap_15_a_flamer_is_not_aimed_at_an_empty_square() -> None:
    p = play(models={"TF1": "2:b5", "GE1": "2:h5", **AWAY})
    assert p.why("shoot TF1 2:e5") == "TA-SHOOT-8"


def test_ta_weap_15_e_63_a_flamer_at_the_sphincter_and_beside_it() -> None:
    """TA-WEAP-15, TA-WEAP-20, TA-OBJ-12, E-63."""
    template = {"OBJ-1": "2:g5"}
    p = play(models={"TF1": "2:g9", "SC1": "2:f5", "SC2": "2:j6", **AWAY}, templates=template)
    happened = p.do("shoot TF1 OBJ-1", 1, 1, 1, 2, 3, 1)
    assert of(happened, Shot)[0].target == "OBJ-1"
    assert blasts(happened) == [("SC1", (1, 2), 4, False), ("SC2", (3, 1), 4, False)]
    q = play(models={"TF1": "2:g9", "GE1": "2:g7", **AWAY}, templates=template)
    happened = q.do("shoot TF1 GE1", 6, 6)
    assert dead(happened) == ["GE1"]
    assert len(dice(happened)) == 1
    assert "OBJ-1" in q.state.templates


# Deathspitter


def test_ta_bio_1_boneswords_add_one_and_their_bearer_has_more_armour() -> None:
    p = play("tyranid", models={"BO1": "2:e5", "SC1": "2:f5", "GE8": "2:m9"})
    assert of(p.do("fight BO1 SC1", 1, 1, 1, 2, 1, 1), Fought)[0].attack_bonus == 1
    assert (BOOK.profiles["warrior_boneswords"].armour, BOOK.profiles["warrior_deathspitter"].armour) == (6, 5)


def test_ta_bio_2_e_25_a_miss_still_reaches_the_neighbours() -> None:
    """TA-BIO-2, TA-WEAP-20, E-25: two dice at the target, one at each model beside it, friend or foe."""
    models = {"DS1": "2:b5", "SC1": "2:h5", "GE1": "2:i5", "SC2": "2:g6", "GE8": "2:m9"}
    p = play("tyranid", models=models)
    happened = p.do("shoot DS1 SC1", 3, 3, 5, 4)
    assert of(happened, Shot)[0].hit is False
    assert blasts(happened) == [("GE1", (5,), 5, True), ("SC2", (4,), 4, True)]
    assert dead(happened) == ["GE1", "SC2"]


@pytest.mark.parametrize(("rolls", "reached"), [((3, 3), 0), ((3, 4), 1)])
def test_blast_needs_hit_a_miss_reaches_nobody(rolls: tuple[int, int], reached: int) -> None:
    """Option `blast_needs_hit`, ruling G-41."""
    models = {"DS1": "2:b5", "SC1": "2:h5", "GE1": "2:i5", "GE8": "2:m9"}
    p = play("tyranid", models=models, options=Options(blast_needs_hit=True))
    happened = p.do("shoot DS1 SC1", *rolls, *([1] if reached else []))
    assert len(blasts(happened)) == reached


def test_blast_needs_hit_an_empty_square_is_always_hit() -> None:
    """Option `blast_needs_hit`: an aim at an empty square spreads as before, hellfire too."""
    options = Options(blast_needs_hit=True)
    p = play("tyranid", models={"DS1": "2:b5", "SC1": "2:h5", "GE8": "2:m9"}, options=options)
    assert len(blasts(p.do("shoot DS1 2:g5", 1))) == 1
    q = play(models={"HV1": "2:b5", "GE1": "2:h5", **AWAY}, options=options)
    assert len(blasts(q.do("hellfire HV1 2:g5", 1))) == 1


def test_ta_bio_2_e_26_the_shooter_next_to_its_target_is_a_neighbour() -> None:
    """E-26: one die against its own armour 5."""
    p = play("tyranid", models={"DS1": "2:g5", "SC1": "2:h5", "GE8": "2:m9"})
    happened = p.do("shoot DS1 SC1", 1, 1, 5)
    assert blasts(happened) == [("DS1", (5,), 5, True)]
    assert dead(happened) == ["DS1"]


def test_ta_bio_3_at_an_empty_square() -> None:
    """TA-BIO-3: no dice for the square, one for each model beside it."""
    p = play("tyranid", models={"DS1": "2:b5", "SC1": "2:h5", "GE8": "2:m9"})
    happened = p.do("shoot DS1 2:g5", 4)
    assert of(happened, Shot)[0].rolls == ()
    assert blasts(happened) == [("SC1", (4,), 4, True)]
    assert p.why("use DS1") == "TA-TURN-3"  # it may still move


def test_ta_bio_4_w_13_a_deathspitter_warrior_rolls_two_dice_hand_to_hand() -> None:
    p = play("tyranid", models={"DS1": "2:e5", "SC1": "2:f5", "GE8": "2:m9"})
    fought = of(p.do("fight DS1 SC1", 2, 6, 5, 1), Fought)[0]
    assert (fought.attack, fought.winner) == ((2, 6), "attacker")


def test_ta_weap_20_the_eight_neighbours_through_walls_from_the_top_row() -> None:
    """TA-WEAP-20: h4 and h8 of section 2 are walls; who stands on every other neighbour is reached, in reading order."""
    around = {"GE1": "2:i6", "GE2": "2:g6", "GE3": "2:g4", "GE4": "2:i4", "GE5": "2:i5", "GE6": "2:h6"}
    p = play(models={"HV1": "2:b5", "GE7": "2:h5", **around, "GE8": "2:j5", **AWAY})
    happened = p.do("hellfire HV1 GE7", 1, 1, 1, 1, 1, 1)
    assert [model for model, *_ in blasts(happened)] == ["GE3", "GE4", "GE5", "GE2", "GE6", "GE1"]


# Plasma


@pytest.mark.parametrize(("die", "hit"), [(1, False), (2, True)])
def test_ta_weap_18_one_die_and_two_are_added(die: int, hit: bool) -> None:
    p = play("tyranid", models={"HP1": "2:b5", "SC1": "2:e5", "GE8": "2:m9"})
    shot = of(p.do("shoot HP1 SC1", die), Shot)[0]
    assert (shot.rolls, shot.bonus, shot.need, shot.hit) == ((die,), 2, 4, hit)


def test_ta_weap_19_w_23_fired_in_turn_3_not_in_4_again_in_5() -> None:
    models = {"HP1": "2:b5", "SC1": "2:e5", "GE8": "2:m9", **AWAY}
    p = play("tyranid", models=models, turn=3)
    spent = of(p.do("shoot HP1 SC1", 1), WeaponSpent)
    assert [(event.model, event.ready) for event in spent] == [("HP1", 5)]
    assert p.state.models["HP1"].ready == 5
    for turn, rule in ((4, "TA-WEAP-19"), (5, "")):
        assert play("tyranid", models=models, turn=turn, ready={"HP1": 5}).why("shoot HP1 SC1") == rule


def test_ta_weap_19_through_two_turns_of_play() -> None:
    """TA-WEAP-19, W-23: the same game from turn 3 to turn 5."""
    p = play("tyranid", models={"HP1": "2:b5", "SC1": "2:e5", "SC6": "1:h6"}, turn=3)
    p.do("shoot HP1 SC1", 1)
    p.do("done HP1")
    rules = []
    for _ in range(2):
        p.do("end")
        p.do("skip")
        rules.append(p.why("shoot HP1 SC1"))
        if rules[-1]:
            p.do("end")
    assert rules == ["TA-WEAP-19", ""]
    assert p.state.turn == 5


def test_ta_weap_19_e_65_a_recycled_hybrid_comes_back_charged() -> None:
    p = play("reinforce", models={"SC1": "1:h6", "GE1": "6:h4"}, turn=4)
    p.do("roll", 5)
    p.do("enter HP1 6:e1")
    assert p.state.models["HP1"].ready == 0
    q = play("tyranid", models={"HP1": "2:b5", "SC1": "2:e5", "GE8": "2:m9"}, turn=4)
    assert q.why("shoot HP1 SC1") == ""


# Melta-bombs


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("melta SC1 GE1", ""),
        ("melta SC1 GE2", "TA-WEAP-16"),  # two squares away (E-28)
        ("melta SC1 SC2", "TA-WEAP-16"),  # a friend (E-28)
        ("melta SC1 OBJ-4", ""),
        ("melta SC1 OBJ-2", "TA-WEAP-16"),
    ],
)
def test_ta_weap_16_e_28_on_an_adjacent_enemy_or_template(line: str, rule: str) -> None:
    models = {"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:g5", "SC2": "2:d5", **AWAY}
    p = play(models=models, templates={"OBJ-4": "2:e6", "OBJ-2": "2:j5"})
    assert p.why(line) == rule


def test_ta_weap_16_a_tyranid_has_none() -> None:
    p = play("tyranid", models={"GE1": "2:e5", "SC1": "2:f5", "GE8": "2:m9"})
    assert p.why("melta GE1 SC1") == "TA-WEAP-16"


def test_ta_weap_16_it_destroys_its_target_and_nothing_else() -> None:
    """TA-WEAP-16, TA-WEAP-17, TA-FOLLOW-6: no dice, no neighbours, no follow-up; one bomb."""
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:f6", **AWAY})
    happened = p.do("melta SC1 GE1")
    assert dead(happened) == ["GE1"]
    assert not dice(happened)
    assert of(happened, MeltaUsed)[0].left == p.state.bombs == 1
    assert p.asked != "FollowUp"
    assert p.why("melta SC1 GE2") == "TA-ATT-1"


def test_ta_weap_17_there_are_two_bombs() -> None:
    models = {"SC1": "2:e5", "GE1": "2:f5", **AWAY}
    assert BOOK.catalogue.supplies["melta_bomb"] == 2
    assert play(models=models, bombs=1).why("melta SC1 GE1") == ""
    assert play(models=models, bombs=0).why("melta SC1 GE1") == "TA-WEAP-17"


def test_ta_weap_13_the_cause_of_death_is_told() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY})
    assert of(p.do("melta SC1 GE1"), ModelKilled)[0].cause == "melta"


def test_ta_weap_21_no_aim_at_ones_own_square() -> None:
    p = play(models={"HV1": "2:b5", "GE1": "2:e5", **AWAY})
    assert p.why("hellfire HV1 2:b5") == "TA-WEAP-21"
