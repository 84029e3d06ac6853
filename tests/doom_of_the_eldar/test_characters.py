"""The Avatar, the Farseer, the Wraithguard, Yriel's doubling and the Hive Mind in battle."""

from __future__ import annotations

import pytest
from doom import lid, of, play
from fights import totals

from warptape.domain.doom_of_the_eldar.events_battle import (
    AreaDevastated,
    BattleBegan,
    BattleEnded,
    HiveMindLost,
    OddsResult,
    TotalsSet,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.events_turn import GameEnded
from warptape.domain.doom_of_the_eldar.state import Options


def test_doe_ava_1_he_doubles_aspect_warriors_and_nobody_else() -> None:
    assert totals("eldar_combat", "ASP1 ASP2 ASP3 AVA", "TH1", fortified=False) == (36, 12)
    assert totals("eldar_combat", "ASP1 ASP2 ASP3", "TH1", fortified=False) == (18, 12)
    assert totals("eldar_combat", "ASP1 GUA1 EXA AVA", "TH1", fortified=False) == (12 + 4 + 12, 12)
    game = play("eldar_combat", eldar={"tears": "ASP1", "shrine": "AVA"}, tyranid={"tears": "TH1"})
    assert of(game.do("fight tears", 3), TotalsSet)[0].total == 6, "only those stacked with him"


def test_doe_ava_2_example_18_defence_too_and_with_the_fortification() -> None:
    """DOE-AVA-2, option `avatar_and_fort` (G-22): 4 x 2 x 2 each, or threefold."""
    assert totals("tyranid_combat", "ASP1 ASP2 AVA", "TH1", fortified=True) == (12, 32)
    assert totals("tyranid_combat", "ASP1 ASP2 AVA", "TH1", fortified=False) == (12, 16)
    assert totals("tyranid_combat", "ASP1 ASP2", "TH1", fortified=True) == (12, 16)
    add = Options(avatar_and_fort="add")
    assert totals("tyranid_combat", "ASP1 ASP2 AVA", "TH1", fortified=True, options=add) == (12, 24)
    assert totals("tyranid_combat", "ASP1 ASP2 AVA", "TH1", fortified=False, options=add) == (12, 16)
    assert totals("tyranid_combat", "ASP1 GUA1 AVA", "TH1", fortified=True, options=add) == (12, 12 + 8)
    assert totals("eldar_combat", "ASP1 ASP2 AVA", "TH1", fortified=True, options=add) == (24, 12)


def test_doe_yriel_5_he_doubles_raiders_on_the_ground_as_the_avatar_does() -> None:
    """DOE-YRIEL-5, option `avatar_and_fort`."""
    assert totals("tyranid_combat", "RAI1 RAI2 YRI", "TH1", fortified=True) == (12, 32)
    assert totals("eldar_combat", "RAI1 RAI2 GUA1 YRI", "TH1", fortified=True) == (24, 12)
    add = Options(avatar_and_fort="add")
    assert totals("tyranid_combat", "RAI1 RAI2 YRI", "TH1", fortified=True, options=add) == (12, 24)


def test_doe_ava_2_he_adds_nothing_of_his_own() -> None:
    assert totals("tyranid_combat", "GUA1 AVA", "TH1", fortified=False) == (12, 4)
    assert totals("eldar_combat", "GUA1 AVA", "TH1", fortified=False) == (4, 12)


def test_example_20_the_avatar_alone_against_a_horde() -> None:
    """DOE-CW-9, DOE-VP-4: 3-1 on a 1 is BC, and both die."""
    game = play("tyranid_combat", eldar={"tears": "AVA"}, tyranid={"tears": "TH1"})
    happened = game.do("fight tears", 1)
    assert (of(happened, TotalsSet)[0].column, of(happened, OddsResult)[0].code) == ("3-1", "BC")
    assert [one.unit for one in of(happened, UnitDestroyed)] == ["AVA"]
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#01"]
    assert of(happened, BattleEnded)[0].outcome == "none"


def test_example_44_the_avatar_lost_with_the_last_horde_counts() -> None:
    """DOE-END-1, DOE-VP-4, ruling G-39: the end is tested when the battle is over, not between two losses."""
    game = play("eldar_combat", eldar={"tears": "AVA"}, tyranid={"tears": "TH1"}, over=3, turn=4, marker=45)
    happened = game.do("fight tears", 5)  # attack 0: 1-3, BC
    kinds = [type(one).__name__ for one in happened]
    assert kinds.index("TyranidDestroyed") < kinds.index("UnitDestroyed") < kinds.index("BattleEnded")
    ended = of(happened, GameEnded)[0]
    assert (ended.reason, ended.eldar, ended.tyranid, ended.parts["AVA"]) == ("tyranids_gone", 4, 1, 1)
    assert game.seat == ""


def test_doe_end_1_is_not_tested_between_two_battles_losses_but_after_each_battle() -> None:
    """DOE-END-1: the last battle of the phase that leaves a Tyranid elsewhere does not end the game."""
    game = play(
        "eldar_combat", eldar={"tears": "WRG", "n2": "GHO"}, tyranid={"tears": "SM", "n2": "TH1"}, over=3, turn=4
    )
    happened = game.do("fight tears", 6, 6)
    ended = [one.area for one in of(happened, BattleEnded)]
    assert ended == ["tears", "n2"]
    assert of(happened, GameEnded)[0].reason == "tyranids_gone"


def test_doe_far_1_no_value_in_space_or_on_the_craftworld() -> None:
    assert totals("tyranid_combat", "GUA1 FAR", "TH1", fortified=False) == (12, 4)
    assert totals("eldar_combat", "GUA1 FAR", "TH1", fortified=False) == (4, 12)
    game = play("eldar_combat", eldar={"n2": "WSH1 FAR"}, tyranid={"n2": "TH1"})
    assert of(game.do("fight n2", 1), TotalsSet)[0].total == 6


@pytest.mark.parametrize("roll", range(1, 7))
def test_doe_far_1_example_23_the_farseer_alone_on_a_fortified_square(roll: int) -> None:
    """DOE-CW-9, DOE-FORT-3: every result kills him; on 1 or 2 a Horde dies too; then the area falls."""
    game = play("tyranid_combat", eldar={"tears": "FAR"}, tyranid={"tears": "TH1 TH2"})
    game.do("fight tears", roll)
    game.do("keep")
    found = of(game.log, TotalsSet)[0]
    assert (found.defence, found.column, found.rule) == (0, "3-1", "DOE-CW-9")
    assert game.state.units["FAR"] == "out"
    assert (game.asked == "Lose") == (roll <= 2)
    if roll <= 2:
        assert game.seat == "tyranid"
        game.do("lose TH1")
    assert [one.area for one in of(game.log, AreaDevastated)] == ["tears"]


@pytest.mark.parametrize("lost", ["FAR", "GUA1"])
def test_doe_fort_5_example_23_beside_him_a_guardian_either_survivor_holds(lost: str) -> None:
    game = play("tyranid_combat", eldar={"tears": "FAR GUA1"}, tyranid={"tears": "TH1 TH2"})
    game.do("fight tears", 4)
    game.do("keep")
    assert of(game.log, TotalsSet)[0].defence == 8
    assert of(game.log, OddsResult)[0].code == "DD"
    assert set(game.legal()) == {"lose FAR", "lose GUA1"}
    game.do(f"lose {lost}")
    assert "tears" in game.state.fortified


def test_doe_wrg_1_twenty_four_each_way_and_no_further_rule() -> None:
    assert totals("eldar_combat", "WRG", "TH1", fortified=False) == (24, 12)
    assert totals("tyranid_combat", "WRG", "TH1", fortified=False) == (12, 24)
    game = play("tyranid_combat", eldar={"tears": "WRG ASP1 AVA"}, tyranid={"tears": "TH1"}, devastated=["tears"])
    assert of(game.do("fight tears", 3), TotalsSet)[0].defence == 24 + 8, "the Avatar does not double them"
    alone = play("tyranid_combat", eldar={"tears": "WRG"}, tyranid={"tears": "TH1"}, devastated=["tears"])
    alone.do("fight tears", 5)  # no re-roll is asked for; 1-2, BC: both are lost
    assert alone.state.units["WRG"] == "out"


def test_doe_hm_1_3_face_up_it_is_no_loss_and_no_part_of_a_total() -> None:
    game = play("tyranid_combat", eldar={"tears": "EXA TIT"}, tyranid={"tears": "HM TH1 RW1"}, devastated=["tears"])
    game.do("fight tears", 2)  # 19 against 20: 1-2, AD
    game.do("keep")
    found = of(game.log, TotalsSet)[0]
    assert (found.total, found.defence, found.column) == (19, 20, "1-2")
    assert (game.seat, game.asked) == ("tyranid", "Lose")
    assert game.why("lose HM") == "DOE-HM-3"
    defends = play("eldar_combat", eldar={"tears": "EXA TIT"}, tyranid={"tears": "HM TH1 RW1"}, devastated=["tears"])
    defends.do("fight tears", 5)  # 1-1: DD
    defends.do("keep")
    found = of(defends.log, TotalsSet)[0]
    assert (found.total, found.defence, found.column) == (24, 19, "1-1")
    assert set(defends.legal()) == {"lose TH1", "lose RW1"}
    assert defends.why("lose HM") == "DOE-HM-3"


def test_doe_hm_1_a_result_that_takes_all_leaves_it() -> None:
    for attacker, roll, hordes in (("eldar", 6, "HM HS1 RW1"), ("tyranid", 1, "HM HS1 RW1")):
        game = play(f"{attacker}_combat", eldar={"tears": "EXA WRG"}, tyranid={"tears": hordes})
        game.do("fight tears", roll)  # 36 against 13: 2-1, DA; 16 against 64: 1-3, AA
        happened = game.do("keep")
        assert [one.token for one in of(happened, TyranidDestroyed)] == ["#02", "#03"]
        assert of(happened, BattleEnded)[0].outcome == "eldar"
        assert game.state.swarms["#01"] == "tears"


def test_doe_hm_3_face_up_in_space_it_is_no_target_and_fires_nothing() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 WSH3 WSH4 GHO"}, tyranid={"n2": "TH1 TH2 HM"}, shown=["HM"])
    game.do("fight n2", 3)  # 32 at a 3: one, from the top, and that is not the Hive Mind
    happened = game.do("keep", 1)
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#02"]
    assert [(one.side, one.total) for one in of(happened, TotalsSet)] == [("tyranid", 10)]


def test_doe_hm_2_hidden_it_is_a_swarm_of_ten_and_dies_like_one() -> None:
    game = play("tyranid_combat", eldar={"n2": "GHO WSH1 NWG1"}, tyranid={"n2": "TH1 HM"})
    happened = game.do("fight n2", 3, 1)
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#02"]
    assert "HM" in lid(game.state)
    shot = play("eldar_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "HM"})
    assert of(shot.do("fight n2", 1, 1), TotalsSet)[1].total == 10
    barrage = play("eldar_special", eldar={"tears": "GUA1"}, tyranid={"s1": "HM TH1"})
    barrage.do("use tears", 6)
    barrage.do("hit #01")
    assert "HM" in lid(barrage.state)


def test_doe_hm_3_no_barrage_touches_it_face_up() -> None:
    game = play("eldar_special", eldar={"tears": "GUA1"}, tyranid={"s1": "HM TH1 TH2"}, shown=["HM"])
    game.do("use tears", 6)
    assert game.why("hit #01") == "DOE-HM-3"
    assert set(game.legal()) == {"hit #02", "hit #03"}


def test_doe_hm_2_hidden_it_moves_one_area_face_up_any_number() -> None:
    hidden = play("tyranid_movement", tyranid={"s2": "HM"})
    assert {line for line in hidden.legal() if line.startswith("mv")} == {
        f"mv #01 {to}" for to in ("n2", "n3", "s1", "s3")
    }
    shown = play("tyranid_movement", tyranid={"s2": "HM"}, shown=["HM"])
    assert "mv HM nightmares" in shown.legal()


def test_example_22_a_face_up_hive_mind_alone_holds_and_wrecks_nothing() -> None:
    """DOE-FORT-3, DOE-COMBAT-5, DOE-MOVE-7, DOE-MOVE-15."""
    game = play("eldar_movement", eldar={"shrine": "AVA"}, tyranid={"tears": "HM"})
    assert "tears" in game.state.fortified
    assert game.why("mv AVA shrine>tears>spear") == "DOE-MOVE-7"
    happened = game.do("mv AVA tears")
    assert not of(happened, BattleBegan)
    assert not of(happened, AreaDevastated)
    through = play("tyranid_movement", tyranid={"tears": "HM"}, eldar={"souls": "GUA1"})
    assert through.why("mv HM tears>spear>redmoon>singers") == ""


def test_doe_hm_4_example_40_a_face_up_hive_mind_is_ignored_when_the_end_is_tested() -> None:
    """DOE-HM-4, option `hive_mind_end` (G-15), ignored: the battle that takes the last other Tyranid ends the game."""
    for option in ("ignored", "counts", "dies_alone"):
        game = play(
            "tyranid_combat",
            eldar={"n2": "WSH1"},
            tyranid={"n2": "TH1", "tears": "HM"},
            over=3,
            turn=4,
            options=Options(hive_mind_end=option),
        )
        happened = game.do("fight n2", 6)
        assert bool(of(happened, GameEnded)) == (option == "ignored")
    hidden = play("tyranid_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1", "s4": "HM"}, over=3, turn=4)
    assert not of(hidden.do("fight n2", 6), GameEnded), "hidden it keeps the game going"


@pytest.mark.parametrize("phase", ["tyranid_combat", "eldar_combat"])
def test_doe_hm_4_dies_alone_among_eldar_at_the_end_of_a_combat_phase(phase: str) -> None:
    """Option `hive_mind_end`, dies_alone: then the end is tested."""
    game = play(
        phase,
        eldar={"n2": "WSH1", "tears": "GUA1"},
        tyranid={"n2": "TH1", "tears": "HM"},
        over=3,
        turn=4,
        options=Options(hive_mind_end="dies_alone"),
    )
    happened = game.do("fight n2", 6)
    kinds = [type(one).__name__ for one in happened]
    assert [(one.token, one.area) for one in of(happened, HiveMindLost)] == [("#02", "tears")]
    assert "HM" in lid(game.state)
    assert kinds.index("BattleEnded") < kinds.index("HiveMindLost") < kinds.index("GameEnded")
    assert of(happened, GameEnded)[0].reason == "tyranids_gone"


def test_doe_hm_4_dies_alone_only_there_and_then() -> None:
    """Option `hive_mind_end`, dies_alone: not without Eldar there, nor with another Tyranid there."""
    options = Options(hive_mind_end="dies_alone")
    apart = play("tyranid_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1", "tears": "HM"}, options=options)
    apart.do("fight n2", 6)
    assert apart.state.phase == "eldar_special"
    assert apart.state.face == {"#02": "HM"}
    beside = play("tyranid_combat", eldar={"tears": "WRG"}, tyranid={"tears": "HM RW1 RW2"}, options=options)
    beside.do("fight tears", 3)  # 14 against 48: 1-3, AD
    beside.do("keep")
    beside.do("lose RW1")
    assert beside.state.phase == "eldar_special"
    assert beside.state.stacks["tears"] == ["#01", "#03"]
    assert beside.state.eldar["tears"] == ["WRG"]


@pytest.mark.parametrize("option", ["ignored", "counts"])
def test_doe_hm_1_under_the_other_options_it_never_goes(option: str) -> None:
    game = play(
        "tyranid_combat",
        eldar={"n2": "WSH1", "tears": "GUA1"},
        tyranid={"n2": "TH1", "tears": "HM"},
        options=Options(hive_mind_end=option),  # type: ignore[arg-type]
    )
    assert not of(game.do("fight n2", 6), HiveMindLost)
    assert game.state.swarms["#02"] == "tears"
