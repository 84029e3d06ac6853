"""The Dreadnought: three slots, one square, three weapons, three life points."""

from __future__ import annotations

import pytest
from drill import dead, dice, hurt, words
from hive import BOOK, RULESET, Play, at, of, play

from warptape.domain.tyranid_attack.actions import EnterModel, UseModel
from warptape.domain.tyranid_attack.events_model import ModelPlaced, WeaponDropped, WeaponSpent
from warptape.domain.tyranid_attack.events_turn import BlastRolled, Fought, Shot
from warptape.domain.tyranid_attack.state import Options
from warptape.domain.tyranid_attack.steps import Put

AWAY = {"SC6": "1:h6"}
OWNED = Options(extra_tyranids="dreadnought=1")
BOLTER, LAUNCHER, PLASMA, FLAME = "dn_heavy_bolter", "dn_missile_launcher", "dn_plasma_cannon", "dn_flame_cannon"


def placing(slots: int) -> Play:
    """So many slots are to be placed on section 5."""
    return play("tyranid", models={"SC1": "1:h6", "GE1": "2:m9"}, options=OWNED, pending=[Put(section=5, slots=slots)])


@pytest.mark.parametrize(("slots", "rule"), [(1, "TA-DREAD-2"), (2, "TA-DREAD-2"), (3, ""), (4, "")])
def test_ta_dread_1_ta_dread_2_it_counts_as_three(slots: int, rule: str) -> None:
    """TA-DREAD-1, TA-DREAD-2, W-19, W-20."""
    p = placing(slots)
    assert p.why("place DN1 5:h6") == rule


def test_ta_dread_1_w_19_of_four_it_and_one_other() -> None:
    p = placing(4)
    p.do("place DN1 5:h6")
    p.do(f"arm DN1 {BOLTER}")
    p.do(f"arm DN1 {BOLTER}")
    assert p.asked == "Put"
    p.do("place GE2 5:g6")
    assert p.asked != "Put"


def test_ta_dread_2_not_by_the_reinforcement_roll() -> None:
    p = play("reinforce", models={"SC1": "1:h6", "GE1": "2:m9"}, options=OWNED)
    p.do("roll", 6)
    for square in BOOK.ship(p.state).outer:
        refusal = RULESET.refusal(p.state, "tyranid", EnterModel("DN1", square))
        assert refusal is not None
        assert refusal.rule == "TA-DREAD-2"


def test_ta_dread_3_it_stands_on_one_square() -> None:
    p = play("tyranid", models={"DN1": "2:e5", "SC1": "2:g5", "GE8": "2:m9"}, arms={"DN1": [BOLTER, BOLTER]})
    assert p.why("fight DN1 SC1") == "TA-HTH-1"
    assert p.why("move DN1 2:f6") == ""


def test_ta_dread_4_armed_before_it_is_placed() -> None:
    """TA-DREAD-4, TA-DREAD-8: two weapons, twice the same allowed; it is on no square before."""
    p = placing(3)
    p.do("place DN1 5:h6")
    assert p.asked == "Arm"
    assert "DN1" not in p.state.models
    p.do(f"arm DN1 {PLASMA}")
    assert "DN1" not in p.state.models
    placed = of(p.do(f"arm DN1 {PLASMA}"), ModelPlaced)[0]
    assert (placed.arms, placed.life) == ((PLASMA, PLASMA), 3)
    assert at(p.state, "DN1") == "5:h6"
    assert p.state.models["DN1"].arms == {1: PLASMA, 2: PLASMA}


def test_ta_dread_4_each_question_says_which_weapon_it_is_about() -> None:
    p = placing(3)
    p.do("place DN1 5:h6")
    asked = []
    for _ in range(2):
        decision = RULESET.decision(p.state)
        assert decision is not None
        asked.append(decision.prompt)
        p.do(f"arm DN1 {FLAME}")
    assert asked == ["Which is the first heavy weapon of DN1?", "Which is the other heavy weapon of DN1?"]


def test_ta_dread_4_only_weapons_of_the_list() -> None:
    assert [*BOOK.heavies] == [BOLTER, LAUNCHER, PLASMA, FLAME]
    p = play("tyranid", models={"DN1": "2:b5", "SC1": "2:e5", "GE8": "2:m9"}, arms={"DN1": [BOLTER]})
    assert p.why("shoot DN1/2 SC1") == "TA-DREAD-4"


def test_ta_dread_8_figures() -> None:
    profile = BOOK.profiles["dreadnought"]
    assert (profile.move, profile.armour, profile.hth, profile.hth_bonus, profile.life) == (4, 6, 4, 0, 3)
    assert (profile.range, profile.fire) == (24, 2)
    figures = {
        id: (gun.range, gun.fire, gun.bonus, gun.split, gun.blast, gun.at_floor, gun.recharge)
        for id, gun in BOOK.heavies.items()
    }
    assert figures == {
        BOLTER: (48, 4, 0, True, 0, False, False),
        LAUNCHER: (72, 2, 0, False, 1, True, False),
        PLASMA: (24, 2, 2, False, 0, False, True),
        FLAME: (12, 2, 0, False, 2, False, False),
    }


def test_ta_dread_5_three_weapons_one_at_a_time() -> None:
    """TA-DREAD-5, TA-WEAP-1: at the same or different targets; bolters split."""
    models = {"DN1": "2:e6", "SC1": "2:i5", "SC2": "2:i6", "SC3": "2:i7", "SC4": "2:e7", "GE8": "2:m9", **AWAY}
    p = play("tyranid", models=models, arms={"DN1": [BOLTER, PLASMA]})
    assert dead(p.do("shoot DN1/1 SC1*3 SC2*1", 4, 1, 1, 4)) == ["SC1", "SC2"]
    assert dead(p.do("shoot DN1/2 SC3", 1, 2)) == ["SC3"]
    assert p.state.act("DN1").attacks == 1
    p.do("shoot DN1/body SC4", 1, 1)
    assert p.state.act("DN1").attacks == 0
    p.do("done DN1")
    assert p.why("use DN1") == "TA-TURN-4"


def test_ta_dread_9_e_62_each_weapon_takes_a_life_of_its_own() -> None:
    """TA-DREAD-9, TA-SHOOT-5, E-62: body bolters and weapon 1 kill a Sergeant; weapon 2 may name another."""
    models = {"DN1": "2:e6", "SG1": "2:i5", "SC2": "2:i6", **AWAY, "GE8": "2:m9"}
    p = play("tyranid", models=models, arms={"DN1": [BOLTER, PLASMA]})
    assert hurt(p.do("shoot DN1/body SG1*2", 6, 6)) == [("SG1", 1)]
    assert dead(p.do("shoot DN1/1 SG1*4", 6, 6, 6, 6)) == ["SG1"]
    assert p.why("shoot DN1/2 SC2") == ""
    assert p.why("shoot DN1/body SC2") == "TA-DREAD-9"
    assert p.why("shoot DN1/1 SC2*4") == "TA-DREAD-9"


def test_ta_dread_9_the_three_are_one_attack_before_or_after_the_move() -> None:
    """TA-DREAD-9: a move ends it, as does `done`; no fight beside it."""
    models = {"DN1": "2:e6", "SC2": "2:f6", **AWAY, "GE8": "2:m9"}
    p = play("tyranid", models=models, arms={"DN1": [BOLTER, PLASMA]})
    p.do("shoot DN1/body SC2", 1, 1)
    assert p.why("fight DN1 SC2") == "TA-DREAD-9"
    assert "fight" not in words(p)
    p.do("move DN1 2:e5")
    assert p.why("use DN1") == "TA-TURN-4"
    q = play("tyranid", models=models, arms={"DN1": [BOLTER, PLASMA]})
    q.do("move DN1 2:e5")
    q.do("shoot DN1/body SC2", 1, 1)
    assert q.why("move DN1 2:d5") == "TA-TURN-7"
    q.do("shoot DN1/1 SC2", 1, 1, 1, 1)
    q.do("shoot DN1/2 SC2", 1, 1)
    assert q.why("use DN1") == "TA-TURN-4"


def test_ta_dread_9_after_a_fight_no_weapon_fires() -> None:
    models = {"DN1": "2:e6", "SG1": "2:f6", **AWAY, "GE8": "2:m9"}
    p = play("tyranid", models=models, arms={"DN1": [BOLTER, PLASMA]})
    p.do("fight DN1 SG1", 1, 1, 1, 4, 1, 1)
    p.do("stop DN1")
    assert p.why("shoot DN1/body SG1*2") == "TA-ATT-1"


def test_ta_dread_9_its_plasma_cannons_recharge_on_their_own() -> None:
    """TA-DREAD-9, TA-WEAP-19."""
    models = {"DN1": "2:e6", "CO1": "2:i6", **AWAY}
    p = play("tyranid", models=models, arms={"DN1": [PLASMA, PLASMA]}, turn=3)
    spent = of(p.do("shoot DN1/1 CO1", 1, 1), WeaponSpent)[0]
    assert (spent.mount, spent.ready) == (1, 5)
    p.do("done DN1")
    p.do("end")
    p.do("skip")
    assert p.state.turn == 4
    assert p.why("shoot DN1/1 CO1") == "TA-WEAP-19"
    assert p.why("shoot DN1/2 CO1") == ""


def test_ta_dread_8_its_launcher_bursts_and_may_be_aimed_at_the_floor() -> None:
    models = {"DN1": "2:b5", "SC1": "2:h5", "GE1": "2:i5", **AWAY, "GE8": "2:m9"}
    p = play("tyranid", models=models, arms={"DN1": [LAUNCHER, FLAME]})
    happened = p.do("shoot DN1/1 2:g5", 4)
    assert [(event.model, event.rolls) for event in of(happened, BlastRolled)] == [("SC1", (4,))]
    q = play("tyranid", models=models, arms={"DN1": [LAUNCHER, FLAME]})
    assert [event.rolls for event in of(q.do("shoot DN1/2 SC1", 1, 1, 1, 2), BlastRolled)] == [(1, 2)]
    r = play("tyranid", models=models, arms={"DN1": [LAUNCHER, FLAME]})
    assert r.why("shoot DN1/2 2:g5") == "TA-SHOOT-8"


def test_ta_dread_8_every_weapon_has_a_range_of_its_own() -> None:
    """A flame cannon reaches 12 squares where the body bolters reach 24."""
    models = {"DN1": "5:a6", "SC1": "5:n6", **AWAY, "GE8": "2:m9"}
    p = play("tyranid", models=models, arms={"DN1": [FLAME, PLASMA]})
    assert p.why("shoot DN1/1 SC1") == "TA-SHOOT-3"
    assert p.why("shoot DN1/2 SC1") == ""
    assert p.why("shoot DN1/body SC1") == ""


def test_ta_dread_6_ta_dread_7_e_48_a_tie_costs_a_weapon_before_anything_else() -> None:
    """E-48: the Tyranid player must drop one; its hand-to-hand dice stay four."""
    p = play(models={"SG1": "2:e5", "DN1": "2:f5", **AWAY}, arms={"DN1": [BOLTER, PLASMA]})
    happened = p.do("fight SG1 DN1", 4, 1, 5, 1, 1, 1)
    assert hurt(happened) == [("DN1", 2), ("SG1", 1)]
    assert (p.asked, p.seat) == ("Drop", "tyranid")
    assert RULESET.refusal(p.state, "marines", UseModel("SC6")) is not None
    assert p.why("drop DN1 2") == ""
    assert of(p.do("drop DN1 1"), WeaponDropped)[0].weapon == BOLTER
    assert p.state.models["DN1"].arms == {2: PLASMA}
    p.do("done SG1")
    assert p.seat == "marines"
    q = play("tyranid", models={"SG1": "2:e5", "DN1": "2:f5", **AWAY, "GE8": "2:m9"}, life={"DN1": 1})
    assert len(of(q.do("fight DN1 SG1", 1, 1, 1, 2, 1, 1), Fought)[0].attack) == 4


def test_ta_dread_6_the_weapon_goes_before_a_follow_up_is_asked_for() -> None:
    """TA-DREAD-6: before anything else, a won round's follow-up too."""
    p = play(models={"SG1": "2:e5", "DN1": "2:f5", **AWAY}, arms={"DN1": [BOLTER, PLASMA]})
    p.do("fight SG1 DN1", 6, 1, 1, 1, 1, 1)
    assert p.asked == "Drop"
    p.do("drop DN1 2")
    assert (p.asked, p.seat) == ("FollowUp", "marines")
    happened = p.do("follow SG1 DN1", 6, 1, 1, 1, 1, 1)
    assert hurt(happened) == [("DN1", 1)]
    assert of(happened, WeaponDropped)[0].mount == 1  # the second goes by itself
    assert p.asked == "FollowUp"
    assert dead(p.do("follow SG1 DN1", 6, 1, 1, 1, 1, 1)) == ["DN1"]
    assert "DN1" in p.state.spent
    assert "DN1" not in p.state.pool


@pytest.mark.parametrize("line", ["melta SC1 DN1", "hellfire HV1 DN1"])
def test_ta_dread_6_e_27_kill_effects_remove_it_outright(line: str) -> None:
    """TA-WEAP-13, TA-WEAP-16, E-27: three lives are no help, no weapon is dropped, one bomb or shell is spent."""
    p = play(models={"SC1": "2:e5", "HV1": "2:b5", "DN1": "2:f6", **AWAY}, arms={"DN1": [BOLTER, PLASMA]})
    if line.startswith("hellfire"):
        p = play(models={"SC1": "2:m9", "HV1": "2:b5", "DN1": "2:f5", **AWAY}, arms={"DN1": [BOLTER, PLASMA]})
    happened = p.do(line)
    assert dead(happened) == ["DN1"]
    assert not of(happened, WeaponDropped)
    assert p.state.bombs + p.state.shells == 4


def test_kill_means_one_life_it_loses_a_weapon_instead() -> None:
    """Option `kill_means`."""
    p = play(
        models={"SC1": "2:e5", "DN1": "2:f5", **AWAY},
        arms={"DN1": [BOLTER, PLASMA]},
        options=Options(kill_means="one_life"),
    )
    assert hurt(p.do("melta SC1 DN1")) == [("DN1", 2)]
    assert p.asked == "Drop"


def test_ta_dread_6_a_weapon_that_is_lost_fires_no_more() -> None:
    models = {"DN1": "2:e6", "SC1": "2:i6", **AWAY, "GE8": "2:m9"}
    p = play("tyranid", models=models, life={"DN1": 1})
    for word in ("1", "2"):
        assert p.why(f"shoot DN1/{word} SC1") == "TA-DREAD-4"
    assert of(p.do("shoot DN1/body SC1", 1, 1), Shot)[0].rolls == (1, 1)


def test_ta_dread_6_the_question_does_not_outlive_it() -> None:
    """Two shells in a row: nothing is asked about a Dreadnought that is gone."""
    p = play(models={"HV1": "2:b5", "DN1": "2:f5", **AWAY}, arms={"DN1": [BOLTER, PLASMA]})
    assert not dice(p.do("hellfire HV1 DN1"))
    assert p.asked == "Acting"


def test_ta_dread_1_placed_by_a_put_it_uses_three_slots() -> None:
    p = placing(6)
    p.do(f"place DN1 {BOOK.names.square(p.state, BOOK.ship(p.state).squares[5][20])}")
    p.do(f"arm DN1 {FLAME}")
    p.do(f"arm DN1 {LAUNCHER}")
    step = p.state.pending[-1]
    assert isinstance(step, Put)
    assert step.slots == 3
