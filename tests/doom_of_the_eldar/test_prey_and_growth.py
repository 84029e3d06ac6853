"""The Fleshstealer, which copies its prey, and the Protoid, which grows by killing."""

from __future__ import annotations

import pytest
from doom import lid, of, play, token
from fights import totals

from warptape.domain.doom_of_the_eldar.events_battle import (
    BattleEnded,
    MineDetonated,
    OddsResult,
    ProtoidGrew,
    TotalsSet,
)
from warptape.domain.doom_of_the_eldar.events_turn import SwarmRevealed
from warptape.domain.doom_of_the_eldar.state import Options


def test_doe_flesh_1_example_37_it_lands_as_8_8() -> None:
    game = play("tyranid_movement", tyranid={"n2": "FS"}, eldar={"tears": "GUA1"})
    shown = of(game.do("mv #01 tears", 3), SwarmRevealed)[0]
    assert (shown.counter, shown.attack, shown.defence) == ("FS", 8, 8)


@pytest.mark.parametrize(
    ("prey", "attack", "defence"),
    [
        ("GUA1 EXA", 12, 8),  # example 37
        ("GUA1 WRG", 24, 24),
        ("GUA1", 8, 8),
        ("AVA", 8, 8),
        ("KNI", 9, 8),
        ("TIT KNI", 12, 12),
        ("ASP1 AVA", 8, 8),  # printed figures, not doubled ones
        ("RAI1 YRI FAR", 8, 8),
    ],
)
def test_doe_flesh_1_each_figure_is_the_best_printed_one_there(prey: str, attack: int, defence: int) -> None:
    for fortified in (True, False):
        assert totals("tyranid_combat", prey, "FS", fortified=fortified)[0] == attack
        assert totals("eldar_combat", prey, "FS", fortified=fortified)[1] == defence
        assert totals("eldar_combat", prey, "FS TH1", fortified=fortified)[1] == defence + 12


def test_doe_flesh_1_what_is_dead_when_the_dice_fall_is_not_copied() -> None:
    """DOE-FLESH-1, DOE-MINE-2: the totals are set after the mine."""
    game = play("tyranid_combat", eldar={"tears": "GUA1 WRG"}, tyranid={"tears": "FS SM"})
    game.do("fight tears")
    game.do("det SM")
    happened = game.do("lose WRG", 3)
    assert (of(happened, TotalsSet)[0].total, of(happened, TotalsSet)[0].defence) == (8, 8)


def test_doe_prot_1_it_lands_at_6_6() -> None:
    game = play("tyranid_movement", tyranid={"n2": "PR"}, eldar={"tears": "GUA1"})
    shown = of(game.do("mv #01 tears", 3), SwarmRevealed)[0]
    assert (shown.counter, shown.attack, shown.defence) == ("PR", 6, 6)
    assert totals("tyranid_combat", "GUA1", "PR", fortified=True) == (6, 8)
    assert totals("eldar_combat", "GUA1", "PR", fortified=True) == (4, 6)


@pytest.mark.parametrize(("stage", "figures", "grown"), [(0, 6, (12, 12)), (1, 12, (24, 24)), (2, 24, None)])
def test_doe_prot_2_it_grows_one_stage_by_a_battle_that_killed(
    stage: int, figures: int, grown: tuple[int, int] | None
) -> None:
    """DOE-PROT-2, example 38: 6-6, 12-12, 24-24, and no further; whatever did the killing."""
    game = play(
        "tyranid_combat",
        eldar={"tears": "GUA1 TIT"},
        tyranid={"tears": "PR TH1"},
        stages={"PR": stage},
        devastated=["tears"],
    )
    game.do("fight tears", 5 if figures == 6 else 4)  # 18 and 24 against 16: 1-1, DD and BC; 36: 2-1, DD
    assert of(game.log, TotalsSet)[0].total == 12 + figures
    happened = game.do("lose GUA1")
    if game.asked == "Lose":
        happened += game.do("lose TH1")
    assert [(one.attack, one.defence) for one in of(happened, ProtoidGrew)] == ([grown] if grown else [])
    kinds = [type(one).__name__ for one in happened]
    if grown:
        assert kinds.index("ProtoidGrew") < kinds.index("BattleEnded")
    assert game.state.stages["#01"] == min(stage + 1, 2)


def test_doe_prot_2_3_example_38_growing_and_dying_in_a_bloody_conflict() -> None:
    for lost, stages in (("TH1", {"#01": 1}), ("PR", {})):
        game = play("tyranid_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "PR TH1"})
        game.do("fight tears", 2)  # 18 against 8: 2-1, BC
        assert of(game.log, OddsResult)[0].code == "BC"
        happened = game.do(f"lose {lost}")
        assert bool(of(happened, ProtoidGrew)) == (lost != "PR")
        assert game.state.stages == stages
        assert ("PR" in lid(game.state)) == (lost == "PR")


def test_doe_prot_2_it_grows_on_the_defence_too() -> None:
    game = play("eldar_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "PR TH1"})
    happened = game.do("fight tears", 4)  # 4 against 18: 1-3, AD
    assert [(one.token, one.stage) for one in of(happened, ProtoidGrew)] == [("#01", 1)]
    later = play("eldar_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "PR"}, stages={"PR": 1})
    assert of(later.do("fight tears", 3), TotalsSet)[0].defence == 12


def test_doe_prot_2_example_38_a_mine_that_kills_feeds_it() -> None:
    game = play("tyranid_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "PR SM"})
    game.do("fight tears")
    happened = game.do("det SM")
    assert of(happened, MineDetonated)
    assert not of(happened, TotalsSet), "no roll"
    assert [(one.attack, one.defence) for one in of(happened, ProtoidGrew)] == [(12, 12)]


def test_doe_prot_2_once_in_a_battle_however_many_died() -> None:
    """Ruling G-26: the mine and the die in one battle are one stage."""
    game = play(
        "tyranid_combat", eldar={"tears": "GUA1 GUA2 GUA3"}, tyranid={"tears": "PR SM HT TH1"}, devastated=["tears"]
    )
    game.do("fight tears")
    game.do("det SM")
    happened = game.do("lose GUA1", 5)  # 36 against 8: 3-1, DA
    assert [one.stage for one in of(happened, ProtoidGrew)] == [1]


def test_doe_prot_2_no_growth_without_a_loss_or_in_another_area() -> None:
    game = play("tyranid_combat", eldar={"tears": "WRG"}, tyranid={"tears": "PR TH1"})
    game.do("fight tears", 3)  # 18 against 48: 1-3, AD
    game.do("lose TH1")
    assert not of(game.log, ProtoidGrew)
    far = play("tyranid_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "TH1 TH2", "souls": "PR"})
    assert not of(far.do("fight tears", 4), ProtoidGrew)


def test_doe_prot_2_hidden_in_space_it_does_not_grow() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "PR TH1 TH2"})
    happened = game.do("fight n2", 1, 6)
    assert of(happened, BattleEnded)[0].outcome == "tyranid"
    assert not of(happened, ProtoidGrew)
    assert game.state.stages == {}


def test_doe_prot_2_each_of_three_grows() -> None:
    """Option `protoids_in_lid` (G-4)."""
    game = play(
        "tyranid_combat",
        eldar={"tears": "GUA1"},
        tyranid={"tears": "PR1 PR2 PR3"},
        stages={"PR2": 1},
        options=Options(protoids_in_lid=3),
    )
    happened = game.do("fight tears", 5)  # 24 against 8: 3-1
    assert {one.token: one.stage for one in of(happened, ProtoidGrew)} == {"#01": 1, "#02": 2, "#03": 1}


def test_doe_prot_3_destroyed_at_any_stage_it_comes_again_small() -> None:
    for stage in (0, 1, 2):
        game = play(
            "eldar_combat",
            eldar={"tears": "EXA TIT WRG"},
            tyranid={"tears": "PR"},
            stages={"PR": stage},
            lid=[],
        )
        game.do("fight tears", 6, 1, 2, "PR", 2)
        assert game.state.stages == {}
        again = token(game.state, "PR")
        assert (again, game.state.swarms[again]) == ("#02", "s2")
