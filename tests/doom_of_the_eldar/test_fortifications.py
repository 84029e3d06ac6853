"""Fortifications: what they are worth, and how they are wrecked for good."""

from __future__ import annotations

import pytest
from doom import of, play
from fights import totals

from warptape.domain.doom_of_the_eldar.events_battle import (
    AreaDevastated,
    BattleBegan,
    BattleEnded,
    OddsResult,
    TotalsSet,
    UnitDestroyed,
)


def test_doe_fort_1_example_17_the_defence_is_doubled_the_attack_is_not() -> None:
    assert totals("tyranid_combat", "GUA1", "TH1", fortified=True) == (12, 8)
    assert totals("tyranid_combat", "GUA1", "TH1", fortified=False) == (12, 4)
    assert totals("eldar_combat", "GUA1", "TH1", fortified=True) == (4, 12)
    assert totals("eldar_combat", "GUA1", "TH1", fortified=False) == (4, 12)


def test_doe_fort_1_all_eldar_there_are_doubled_and_no_tyranid_is() -> None:
    assert totals("tyranid_combat", "EXA FAL1 WRG", "TH1 GH1", fortified=True) == (24, 2 * (8 + 5 + 24))
    assert totals("eldar_combat", "EXA FAL1 WRG", "TH1 GH1", fortified=True) == (12 + 5 + 24, 20)


@pytest.mark.parametrize(("roll", "code"), [(1, "AA"), (6, "DD")])
def test_doe_fort_1_example_19_fortified_wraithguard_alone(roll: int, code: str) -> None:
    """DOE-FORT-1, DOE-FORT-3, DOE-WRG-1: 48; 36 against it is 1-2."""
    game = play("tyranid_combat", eldar={"tears": "WRG"}, tyranid={"tears": "TH1 TH2 TH3"})
    happened = game.do("fight tears", roll)
    found = of(happened, TotalsSet)[0]
    assert (found.total, found.defence, found.column) == (36, 48, "1-2")
    assert of(happened, OddsResult)[0].code == code
    if code == "AA":
        assert not game.state.stacks
        assert game.state.fortified.count("tears") == 1
    else:
        assert game.state.units["WRG"] == "out"
        assert [one.area for one in of(happened, AreaDevastated)] == ["tears"]


def test_doe_fort_2_a_fortification_is_no_loss() -> None:
    game = play("tyranid_combat", eldar={"tears": "GUA1 GUA2"}, tyranid={"tears": "TH1 TH2 TH3"})
    game.do("fight tears", 1)  # 36 against 16: 2-1, AD
    assert set(game.legal()) == {"lose TH1", "lose TH2", "lose TH3"}
    other = play("tyranid_combat", eldar={"tears": "GUA1 GUA2"}, tyranid={"tears": "TH1 TH2 TH3"})
    other.do("fight tears", 4)  # DD
    assert set(other.legal()) == {"lose GUA1", "lose GUA2"}
    other.do("lose GUA1")
    assert "tears" in other.state.fortified
    both = play("tyranid_combat", eldar={"tears": "GUA1 GUA2"}, tyranid={"tears": "TH1 TH2 TH3 HT"})
    happened = both.do("fight tears", 6)  # 54 against 16: 3-1, DA: the square falls only at the end of the phase
    kinds = [type(one).__name__ for one in happened]
    assert kinds.count("UnitDestroyed") == 2
    assert kinds.index("BattleEnded") < kinds.index("AreaDevastated")


@pytest.mark.parametrize("landed", ["tyranid_movement", "eldar_movement"])
def test_doe_fort_3_5_example_21_the_lone_square_falls_at_the_end_of_either_combat_phase(landed: str) -> None:
    """DOE-FORT-3, DOE-FORT-4, DOE-FORT-5, DOE-FORT-6: no battle is fought for it."""
    if landed == "tyranid_movement":
        game = play(landed, eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1"})
        happened = game.do("mv #01 tears")
    else:
        game = play(landed, eldar={"tears": "GUA1"}, tyranid={"tears": "TH1"})
        happened = game.do("mv GUA1 shrine")
    assert not of(happened, BattleBegan)
    assert [(one.area, one.rule) for one in of(happened, AreaDevastated)] == [("tears", "DOE-FORT-3")]
    assert "tears" in game.state.devastated
    assert "tears" not in game.state.fortified


def test_doe_fort_3_not_before_the_end_of_the_phase() -> None:
    game = play(
        "tyranid_combat", eldar={"souls": "GUA1", "n2": "WSH1"}, tyranid={"tears": "TH1", "souls": "TH2", "n2": "TH3"}
    )
    happened = game.do("fight n2", 1, 1)
    assert not of(happened, AreaDevastated)
    game.do("retreat n1", 3)
    assert {one.area for one in of(game.log, AreaDevastated)} == {"tears"}


def test_doe_fort_3_5_one_eldar_counter_of_any_kind_prevents_it() -> None:
    for unit in ("GUA1", "FAR", "AVA", "WRG", "YRI"):
        game = play("tyranid_combat", eldar={"tears": f"{unit} ASP1"}, tyranid={"tears": "HT TH1 TH2 TH3"})
        game.do("fight tears", 4)
        if game.asked == "Reroll":
            game.do("keep")
        if game.asked == "Lose":
            game.do("lose ASP1" if game.seat == "eldar" else game.legal()[0])
        while game.asked == "Lose":
            game.do(game.legal()[0])
        assert of(game.log, BattleEnded)
        assert unit in game.state.eldar["tears"]
        assert "tears" in game.state.fortified


@pytest.mark.parametrize("counter", ["TH1", "SM", "PR", "FS", "RW1"])
def test_doe_fort_3_every_tyranid_but_the_hive_mind_wrecks_it(counter: str) -> None:
    game = play("tyranid_movement", eldar={"shrine": "GUA1"}, tyranid={"n2": counter})
    happened = game.do("mv #01 tears")
    assert [one.area for one in of(happened, AreaDevastated)] == ["tears"]
    mind = play("tyranid_movement", eldar={"shrine": "GUA1"}, tyranid={"n2": "HM"})
    assert not of(mind.do("mv #01 tears"), AreaDevastated)
    assert "tears" in mind.state.fortified
    with_it = play("tyranid_movement", eldar={"shrine": "GUA1"}, tyranid={"n2": f"HM {counter}"})
    with_it.do("mv #01 tears")
    assert [one.area for one in of(with_it.do("mv #02 tears"), AreaDevastated)] == ["tears"]


def test_doe_fort_4_it_stays_wrecked_when_the_eldar_come_back() -> None:
    game = play("eldar_movement", eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1"}, devastated=["tears"])
    happened = game.do("mv GUA1 tears")
    assert "tears" in game.state.devastated
    assert not of(happened, AreaDevastated)
    assert totals("tyranid_combat", "GUA1", "TH1", fortified=False) == (12, 4)
    again = play("eldar_movement", tyranid={"tears": "TH1"}, eldar={"shrine": "GUA1"}, devastated=["tears"])
    assert not of(again.do("end"), AreaDevastated), "a wrecked area is not wrecked again"


def test_doe_fort_5_an_area_lost_in_battle_falls_at_the_end_of_that_phase() -> None:
    for phase in ("tyranid_combat", "eldar_combat"):
        game = play(phase, eldar={"tears": "GUA1"}, tyranid={"tears": "TH1 TH2 TH3 TH4"})
        happened = game.do("fight tears", 4 if phase == "tyranid_combat" else 1)  # DD at 3-1, AA at 1-3
        assert [one.unit for one in of(happened, UnitDestroyed)] == ["GUA1"]
        assert [one.area for one in of(happened, AreaDevastated)] == ["tears"]


def test_doe_fort_6_a_square_alone_is_worth_nothing_and_makes_no_battle() -> None:
    game = play("tyranid_combat", eldar={"souls": "GUA1"}, tyranid={"tears": "TH1", "souls": "TH2"})
    assert game.legal() == ["fight souls"]
    assert game.why("fight tears") == "DOE-COMBAT-1"
    # Beside the Farseer alone its doubling gives nothing.
    assert totals("tyranid_combat", "FAR", "TH1", fortified=True) == (12, 0)
