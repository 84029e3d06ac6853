"""Hand-to-hand rounds, follow-ups and life points, checked against a resolution of their own."""

from __future__ import annotations

import random

import pytest
from drill import dead, dice, everyone, hurt, words
from hive import BOOK, RULESET, of, play

from warptape.domain.chance import Fate
from warptape.domain.referee import Referee
from warptape.domain.tyranid_attack.actions import Fight, Melta
from warptape.domain.tyranid_attack.events_model import LifeLost, ModelKilled, ModelPlaced
from warptape.domain.tyranid_attack.events_turn import FollowUpDeclined, Fought
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import Options

AWAY = {"SC6": "1:h6"}
FAR = {"GE8": "2:m9"}


# Rounds


@pytest.mark.parametrize(("place", "rule"), [("2:f5", ""), ("2:f6", ""), ("2:g5", "TA-HTH-1"), ("2:e7", "TA-HTH-1")])
def test_ta_hth_1_only_an_adjacent_enemy_corners_included(place: str, rule: str) -> None:
    assert play(models={"SC1": "2:e5", "GE1": place, **AWAY}).why("fight SC1 GE1") == rule


def test_ta_hth_1_not_a_friend_nor_somebody_who_is_not_there() -> None:
    p = play(models={"SC1": "2:e5", "SC2": "2:f5", "GE1": "2:m9", **AWAY})
    assert p.why("fight SC1 SC2") == "TA-HTH-1"
    assert p.why("fight SC1 GE5") == "TA-HTH-1"


def test_ta_hth_2_it_is_never_compulsory() -> None:
    """TA-HTH-2: beside an enemy a model may move off, shoot, or do nothing."""
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY})
    p.do("use SC1")
    assert {"done", "move", "shoot", "fight"} <= words(p)
    p.do("done SC1")
    assert "GE1" in p.state.models


def test_ta_hth_3_each_keeps_its_best_die() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", **AWAY})
    happened = p.do("fight SC1 GE1", 6, 1, 5, 5, 5, 5)
    assert [len(rolls) for rolls in dice(happened)] == [2, 4]
    assert of(happened, Fought)[0].winner == "attacker"


def test_ta_hth_4_e_15_bonuses_are_added_and_the_higher_score_wins() -> None:
    """E-15: a Sergeant's 4+1 beats a Warrior's 3+1; he may follow up if another enemy is there."""
    p = play(models={"SG1": "2:e5", "BO1": "2:f5", "GE1": "2:d5", **AWAY})
    happened = p.do("fight SG1 BO1", 2, 4, 3, 3, 1, 2)
    assert dead(happened) == ["BO1"]
    assert p.asked == "FollowUp"
    assert p.why("follow SG1 GE1") == ""


def test_ta_hth_5_the_loser_loses_a_life_point_the_attacker_as_well_as_the_target() -> None:
    """TA-HTH-5, ruling G-46: armour plays no part."""
    p = play(models={"SG1": "2:e5", "BO1": "2:f5", **AWAY})
    happened = p.do("fight SG1 BO1", 1, 1, 6, 1, 1, 1)
    assert hurt(happened) == [("SG1", 1)]
    assert not dead(happened)
    q = play(models={"TE1": "2:e5", "GE1": "2:f5", **AWAY})
    assert dead(q.do("fight TE1 GE1", 1, 1, 4, 1, 1, 1)) == ["TE1"]


def test_ta_hth_6_e_14_equal_scores_both_lose_one() -> None:
    """TA-HTH-6, TA-FOLLOW-4, E-14."""
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", **AWAY})
    happened = p.do("fight SC1 GE1", 3, 5, 5, 2, 2, 1)
    assert sorted(dead(happened)) == ["GE1", "SC1"]
    assert p.asked == "Free"


def test_ta_hth_6_e_17_a_tie_with_two_lives() -> None:
    """E-17: the Sergeant has one of his two lives left, his foe both of its."""
    p = play(models={"SG1": "2:e5", "BB1": "2:f5", **AWAY}, life={"SG1": 1})
    happened = p.do("fight SG1 BB1", 5, 1, 5, 1, 1, 1)
    assert dead(happened) == ["SG1"]
    assert hurt(happened) == [("BB1", 1)]


def test_ta_follow_4_a_draw_ends_it_though_the_attacker_lives() -> None:
    p = play(models={"SG1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", **AWAY})
    happened = p.do("fight SG1 GE1", 4, 1, 5, 1, 1, 1)
    assert dead(happened) == ["GE1"]
    assert hurt(happened) == [("SG1", 1)]
    assert p.asked == "Acting"
    assert p.why("fight SG1 GE2") == "TA-ATT-1"


# Follow-ups


def test_ta_follow_1_ta_follow_3_on_and_on_until_no_enemy_is_adjacent() -> None:
    """TA-FOLLOW-1, TA-FOLLOW-3."""
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", "GE3": "2:e6", **AWAY})
    p.do("fight SC1 GE1", 6, 1, 1, 1, 1, 1)
    p.do("follow SC1 GE2", 6, 1, 1, 1, 1, 1)
    p.do("follow SC1 GE3", 6, 1, 1, 1, 1, 1)
    assert sorted(p.state.models) == ["SC1", "SC6"]
    assert p.asked == "Acting"  # he has not moved yet


def test_ta_follow_3_losing_a_round_ends_it() -> None:
    p = play(models={"SG1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", **AWAY})
    p.do("fight SG1 GE1", 6, 1, 1, 1, 1, 1)
    happened = p.do("follow SG1 GE2", 1, 1, 6, 1, 1, 1)
    assert hurt(happened) == [("SG1", 1)]
    assert p.asked == "Acting"


def test_ta_follow_3_he_may_decline() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", **AWAY})
    p.do("fight SC1 GE1", 6, 1, 1, 1, 1, 1)
    happened = p.do("stop SC1")
    assert of(happened, FollowUpDeclined)[0].model == "SC1"
    assert p.why("fight SC1 GE2") == "TA-ATT-1"
    assert p.why("move SC1 2:e7") == ""


def test_ta_follow_2_e_16_no_follow_up_in_the_enemys_part() -> None:
    p = play("tyranid", models={"GE1": "2:e5", "SC1": "2:f5", "GE2": "2:g5", **FAR})
    happened = p.do("fight GE1 SC1", 1, 1, 1, 1, 6, 1)
    assert dead(happened) == ["GE1"]
    assert p.asked == "Free"
    assert p.seat == "tyranid"


def test_ta_follow_5_any_adjacent_enemy_the_same_one_included() -> None:
    p = play(models={"SC1": "2:e5", "BB1": "2:f5", "GE1": "2:d5", "GE2": "2:g5", **AWAY})
    happened = p.do("fight SC1 BB1", 6, 1, 1, 1, 1, 1)
    assert hurt(happened) == [("BB1", 1)]
    assert p.why("follow SC1 BB1") == ""
    assert p.why("follow SC1 GE1") == ""
    assert p.why("follow SC1 GE2") == "TA-FOLLOW-5"
    assert p.why("move SC1 2:e7") != ""
    assert dead(p.do("follow SC1 BB1", 6, 1, 1, 1, 1, 1)) == ["BB1"]


def test_ta_follow_6_no_template_and_no_melta_bomb_in_a_follow_up() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", **AWAY}, templates={"OBJ-2": "2:e6"})
    p.do("fight SC1 GE1", 6, 1, 1, 1, 1, 1)
    assert p.asked == "FollowUp"
    assert p.why("follow SC1 OBJ-2") == "TA-FOLLOW-6"
    for action in (Melta("GE2"), Fight("OBJ-2"), Melta("OBJ-2")):
        refusal = RULESET.refusal(p.state, "marines", action)
        assert refusal is not None
        assert refusal.rule == "TA-FOLLOW-6"


def test_ta_follow_6_e_31_a_template_destroyed_by_hand_gives_none() -> None:
    """TA-OBJ-9, TA-FOLLOW-6, E-31: a Sergeant needs a 5."""
    p = play(models={"SG1": "2:e5", "GE1": "2:f5", **AWAY}, templates={"OBJ-2": "2:e6"})
    p.do("fight SG1 OBJ-2", 5, 1)
    assert p.state.destroyed == ["OBJ-2"]
    assert p.asked == "Acting"


def test_ta_follow_6_e_34_killing_a_prone_marine_is_a_won_round() -> None:
    """TA-SPEC-12, TA-FOLLOW-6, E-34."""
    p = play("tyranid", models={"GE1": "2:e5", "SG1": "2:f5", "SC1": "2:d5", **FAR}, prone=["SG1"])
    happened = p.do("fight GE1 SG1")
    assert dead(happened) == ["SG1"]
    assert not dice(happened)
    assert p.asked == "FollowUp"
    assert p.why("follow GE1 SC1") == ""


def test_ta_follow_1_it_comes_at_once_before_anything_else() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", **AWAY})
    p.do("fight SC1 GE1", 6, 1, 1, 1, 1, 1)
    assert words(p) == {"follow", "stop"}
    assert p.why("use SC6") == "TA-TURN-3"
    assert p.why("end") != ""


# Life


def test_ta_life_1_w_14_a_sergeant_is_hit_twice() -> None:
    """TA-LIFE-1, TA-LIFE-3: one life left, and it stays so; then he is removed."""
    p = play("tyranid", models={"HB1": "2:b5", "SG1": "2:e5", "GE8": "2:m9", **AWAY})
    assert hurt(p.do("shoot HB1 SG1", 4, 4)) == [("SG1", 1)]
    p.do("done HB1")
    p.do("end")
    assert p.state.models["SG1"].life == 1
    p.do("end")
    p.do("skip")
    assert dead(p.do("shoot HB1 SG1", 4, 1)) == ["SG1"]
    assert "SG1" not in p.state.models


def test_ta_life_2_one_life_point_unless_listed_otherwise() -> None:
    several = {kind: one.life for kind, one in BOOK.profiles.items() if one.life != 1}
    assert several == {
        "scout_sergeant": 2, "librarian": 3, "commander": 6, "chaos_commander": 3, "bulwark_beast": 2, "dreadnought": 3,
    }  # fmt: skip


def test_ta_life_3_wound_counters_do_not_run_out() -> None:
    """TA-LIFE-3, TA-COMP-9: three counters, but four wounds stay."""
    life = {"SG1": 1, "SG2": 1, "CO1": 2, "LI1": 1}
    p = play(models={"SG1": "2:e5", "SG2": "2:c3", "CO1": "2:c9", "LI1": "2:m3", "BB1": "2:f5", **AWAY}, life=life)
    assert hurt(p.do("fight SG1 BB1", 6, 1, 1, 1, 1, 1)) == [("BB1", 1)]


# A resolution of its own


KINDS = ("SC1", "HV1", "SG1", "TE1", "LI1", "CO1", "MA1", "GE1", "BO1", "DS1", "HB1", "HC1", "BB1", "CC1", "AN1", "DN1")
TABLE = {  # dice, bonus, life: from the force lists of the brief
    "SC": (2, 0, 1), "HV": (2, 0, 1), "SG": (2, 1, 2), "TE": (2, 2, 1), "LI": (2, 0, 3), "CO": (2, 2, 6),
    "MA": (2, 0, 1), "GE": (4, 0, 1), "BO": (4, 1, 1), "DS": (2, 0, 1), "HB": (2, 0, 1), "HC": (2, 1, 1),
    "BB": (4, 1, 2), "CC": (3, 0, 3), "AN": (1, 1, 1), "DN": (4, 0, 3),
}  # fmt: skip
MARINES = ("SC", "HV", "SG", "TE", "LI", "CO", "MA")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("axe_defends", [False, True])
def test_ta_hth_3_to_6_a_round_as_an_independent_resolution_has_it(seed: int, axe_defends: bool) -> None:
    """TA-HTH-3 to -6, TA-WEAP-6, TA-WEAP-7, TA-FOLLOW-1, -4: random pairs and dice against the printed procedure."""
    luck = random.Random(seed)
    for _ in range(30):
        side = luck.choice(("marines", "tyranid"))
        mine = [name for name in KINDS if (name[:2] in MARINES) == (side == "marines")]
        theirs = [name for name in KINDS if name not in mine]
        one, two = luck.choice(mine), luck.choice(theirs)
        lives = {name: luck.randint(1, TABLE[name[:2]][2]) for name in (one, two)}
        arms = {"DN1": ["dn_heavy_bolter", "dn_plasma_cannon"]}
        p = play(
            side,
            models={one: "2:e5", two: "2:f5", "SC6": "1:h6", "GE8": "1:m6"},
            life=lives,
            arms={name: weapons for name, weapons in arms.items() if name in (one, two)},
            options=Options(force_axe_defends=axe_defends),
        )
        a, b = TABLE[one[:2]], TABLE[two[:2]]
        attack, defence = [luck.randint(1, 6) for _ in range(a[0])], [luck.randint(1, 6) for _ in range(b[0])]
        axe = [luck.randint(1, 6)] if one == "LI1" else []
        guard = [luck.randint(1, 6)] if two == "LI1" and axe_defends else []
        score = sorted(attack)[-1] + a[1] + sum(axe) - len(axe)
        against = sorted(defence)[-1] + b[1] + sum(guard) - len(guard)
        happened = p.do(f"fight {one} {two}", *attack, *axe, *defence, *guard)
        left = dict(lives)
        if score >= against:
            left[two] -= 1
        if score <= against:
            left[one] -= 1
        assert {name: p.state.models[name].life if name in p.state.models else 0 for name in lives} == left
        assert sorted(dead(happened)) == sorted(name for name in lives if not left[name])
        lost = {event.model for event in of(happened, LifeLost)} | {event.model for event in of(happened, ModelKilled)}
        assert lost == {name for name in lives if left[name] < lives[name]}
        if score > against and left[two]:
            assert p.asked == ("Drop" if two == "DN1" else "FollowUp")
        if score <= against:
            assert p.asked != "FollowUp"


def test_ta_life_1_no_model_is_ever_lost_or_made() -> None:
    """TA-LIFE-1, TA-RECYC-1, TA-BLOB-8: over games at random every model is in one place, and what dies had no life left."""
    deaths = 0
    for seed in range(10):
        luck = random.Random(1000 + seed)
        names = [
            "SC1", "SC2", "SG1", "HV1", "TF1", "LI1", "CO1", "GE1", "GE2", "GE3", "BO1", "DS1", "HP1", "AB1", "AB2",
            "BB1", "CC1",
        ]  # fmt: skip
        ship = BOOK.ship(position())
        floor = [ship.name(square) for section in (2, 3) for square in ship.squares[section]]
        options = Options(extra_tyranids="bulwark_beast=1,chaos_commander=1")
        state = position(
            models=dict(zip(names, luck.sample(sorted({*floor}), len(names)), strict=True)),
            tile="LOC-1",
            options=options,
        )
        whole = everyone(state)
        referee = Referee(RULESET, state, Fate(f"life {seed}"))
        for _ in range(150):
            decision = referee.decision
            if decision is None:
                break
            listed = list(decision.actions)
            fierce = [one for one in listed if type(one).__name__ in ("Fight", "Follow", "Shoot", "Hellfire", "Melta")]
            lives = {name: model.life for name, model in state.models.items()}
            for event in referee.take(decision.seat, luck.choice(fierce or listed)):
                if isinstance(event, ModelPlaced):
                    lives[event.model] = event.life
                    assert event.life == BOOK.profiles[event.kind].life
                elif isinstance(event, LifeLost):
                    assert event.left == lives[event.model] - 1 > 0
                    lives[event.model] = event.left
                elif isinstance(event, ModelKilled):
                    deaths += 1
                    outright = event.cause in ("hellfire", "melta", "acid", "helpless")
                    assert lives.pop(event.model) == 1 or outright
            assert everyone(state) == whole
            assert all(model.life > 0 for model in state.models.values())
    assert deaths > 50
