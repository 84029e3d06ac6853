"""Yriel and his Raiders: when they come, where, and what they are worth."""

from __future__ import annotations

import pytest
from doom import Play, of, play

from warptape.domain.doom_of_the_eldar.events_battle import AreaDevastated, BattleBegan, TotalsSet
from warptape.domain.doom_of_the_eldar.events_special import RaiderPoolOpened, YrielArrived
from warptape.domain.doom_of_the_eldar.events_turn import PhaseBegan, TurnBegan
from warptape.domain.doom_of_the_eldar.state import ELDAR, Options
from warptape.domain.events import ActionTaken, DiceRolled, Event

FOUR = ("YRI", "RGH", "RWS1", "RWS2")
GROUND = ("RAI1", "RAI2", "RAI3")


def on(game: Play, turn: int, phase: str) -> list[Event]:
    """Play on, nobody doing anything, until that phase of that turn asks something."""
    events: list[Event] = []
    while (game.state.turn, game.state.phase) != (turn, phase):
        events += game.do("end" if "end" in game.legal() or game.asked == "Order" else game.legal()[0])
    return events


def arrived(roll: int = 3) -> Play:
    """Turn 6, the Eldar Special Actions phase: the Shrine fell in the Eldar Combat phase of turn 5 (case 32)."""
    game = play(
        "eldar_movement",
        turn=5,
        over=4,
        eldar={"souls": "GUA1"},
        tyranid={"shrine": "TH1", "s3": "TH2 TH3"},
    )
    game.do("end")
    assert (game.state.turn, game.asked) == (6, "Order")
    game.do("end", roll)
    return game


# When


def test_doe_yriel_1_the_shrine_falls_in_eldar_combat_and_he_comes_in_the_next_turn() -> None:
    """Case 32: turn 5, so in the E Special Actions of turn 6; D6 3, all four in s3, though Swarms lie there."""
    game = arrived(3)
    (fallen,) = of(game.log, AreaDevastated)
    (came,) = of(game.log, YrielArrived)
    order = [event for event in game.log if event in (fallen, came) or isinstance(event, TurnBegan)]
    assert [type(event).__name__ for event in order] == ["AreaDevastated", "TurnBegan", "YrielArrived"]
    assert (game.state.turn, game.state.phase, game.seat) == (6, "eldar_special", ELDAR)
    assert (came.roll, came.area, came.units) == (3, "s3", FOUR)
    assert [game.state.units[unit] for unit in FOUR] == ["s3"] * 4
    assert len(game.state.stacks["s3"]) == 2


def test_doe_yriel_1_what_meets_in_the_sector_is_fought_in_eldar_combat() -> None:
    """Case 32, the end: fought unless moved off."""
    stays = arrived(3)
    stays.do("end")
    (battle,) = of(stays.do("end"), BattleBegan)
    assert (battle.area, {*battle.eldar}) == ("s3", {*FOUR})
    leaves = arrived(3)
    leaves.do("end")
    for unit in FOUR:
        leaves.do(f"mv {unit} s2")
    assert not of(leaves.do("end"), BattleBegan)


def test_doe_yriel_1_the_shrine_falls_in_tyranid_combat_and_he_comes_in_the_same_turn() -> None:
    """Case 33."""
    game = play("tyranid_movement", turn=5, over=4, eldar={"tears": "GUA1"}, tyranid={"souls": "TH1", "s6": "TH2"})
    game.do("mv TH1 shrine")
    events = game.do("end", 5)
    assert [event.area for event in of(events, AreaDevastated)] == ["shrine"]
    (came,) = of(events, YrielArrived)
    assert (came.area, game.state.turn, game.state.phase) == ("s5", 5, "eldar_special")


def test_doe_yriel_1_another_area_does_not_call_him() -> None:
    game = play("eldar_movement", turn=5, over=4, eldar={"n2": "GHO"}, tyranid={"forests": "TH1", "spear": "TH2"})
    game.do("end")
    assert {event.area for event in of(game.log, AreaDevastated)} == {"forests", "spear"}
    on(game, 6, "eldar_special")
    assert not of(game.log, YrielArrived)
    assert {game.state.units[unit] for unit in (*FOUR, *GROUND)} == {"aside"}


@pytest.mark.parametrize("roll", range(1, 7))
def test_doe_yriel_2_one_die_picks_the_sector_for_all_four(roll: int) -> None:
    game = arrived(roll)
    dice = [event for event in of(game.log, DiceRolled) if event.purpose == "yriel"]
    assert [event.values for event in dice] == [(roll,)]
    assert dice[0].rule == "DOE-YRIEL-2"
    assert {game.state.units[unit] for unit in FOUR} == {f"s{roll}"}


def test_doe_yriel_3_raider_ground_forces_wait_aside_until_a_raider_ship_converts() -> None:
    game = play("eldar_movement", turn=5, over=4, eldar={"souls": "GUA1"}, tyranid={"shrine": "TH1", "s6": "TH2"})
    assert {game.state.units[unit] for unit in GROUND} == {"aside"}
    game.do("end")
    game.do("end", 3)
    (pool,) = of(game.log, RaiderPoolOpened)
    assert pool.units == GROUND
    assert {game.state.units[unit] for unit in GROUND} == {"raider_conversion"}
    # They came in this phase, so they do not convert in it (DOE-CONV-3).
    assert game.why("conv RGH RAI1 dreams") == "DOE-CONV-3"
    game.do("end")
    game.do("mv RGH n4")
    on(game, 7, "eldar_special")
    assert {line for line in game.legal() if line.startswith("conv RGH")} == {
        f"conv RGH {unit} {area}" for unit in GROUND for area in ("dreams", "nightmares")
    }
    game.do("conv RGH RAI2 nightmares")
    assert game.state.units["RAI2"] == "nightmares"
    assert game.state.units["RGH"] == "destroyed_spacecraft"


def test_doe_yriel_3_neither_forests_nor_gates_nor_forges_reach_the_waiting_raiders() -> None:
    game = play(
        "eldar_special",
        eldar={
            "souls": "GUA1",
            "s3": " ".join(FOUR),
            "raider_conversion": " ".join(GROUND),
            "destroyed_ground": "GUA2",
        },
        tyranid={"s6": "TH2"},
    )
    game.do("use dreams", 6)
    assert not {*GROUND} & {line.split()[1] for line in game.legal()}
    game.do("place HAR dreams")
    game.do("use forests", 6)
    assert {line.split()[1] for line in game.legal()} == {"GUA2"}


def test_doe_yriel_4_the_arrival_opens_the_phase_and_nobody_is_asked() -> None:
    game = arrived(3)
    names = [
        type(event).__name__
        for event in game.log
        if isinstance(event, PhaseBegan | DiceRolled | YrielArrived | RaiderPoolOpened | ActionTaken)
    ]
    start = names.index("YrielArrived")
    assert names[start - 2 : start + 2] == ["PhaseBegan", "DiceRolled", "YrielArrived", "RaiderPoolOpened"]
    assert names[-1] == "RaiderPoolOpened"
    assert [event.phase for event in of(game.log, PhaseBegan)][-1] == "eldar_special"


def test_doe_yriel_4_he_comes_once_in_a_game() -> None:
    """Not again in later turns, the Shrine as fallen as before, nor when he is lost."""
    game = arrived(1)
    on(game, 8, "eldar_movement")
    assert len(of(game.log, YrielArrived)) == 1
    lost = play(
        "eldar_movement", turn=7, over=4, eldar={"souls": "GUA1", "out": "YRI"}, devastated=("shrine",),
        tyranid={"shrine": "TH1"},
    )  # fmt: skip
    on(lost, 8, "eldar_special")
    assert not of(lost.log, YrielArrived)


# What he is worth


def space_total(area_units: str, elsewhere: str = "") -> tuple[int, str]:
    game = play("eldar_movement", eldar={"s3": area_units, "n6": f"GHO {elsewhere}".strip()}, tyranid={"s3": "TH1"})
    total = next(event for event in of(game.do("end"), TotalsSet) if event.side == ELDAR)
    return total.total, total.column


def test_doe_yriel_5_he_doubles_the_three_raider_ships() -> None:
    """Case 34: 2 x 20 = 40, column 40-49."""
    assert space_total("YRI RGH RWS1 RWS2") == (40, "40-49")


def test_doe_yriel_5_without_him_they_are_worth_20() -> None:
    assert space_total("RGH RWS1 RWS2", "YRI") == (20, "20-29")


def test_doe_yriel_5_iyandens_ships_are_not_doubled_and_his_own_value_is_0() -> None:
    assert space_total("YRI RGH WSH1") == (22, "20-29")
    assert space_total("YRI WSH1") == (6, "5-9")
    assert space_total("YRI") == (0, "0-4")


def craftworld_totals(phase: str, units: str, **more: object) -> tuple[int, int]:
    """Attack and defence of the battle at the Gate of Dreams against a Tyranid Horde (12-12)."""
    game = play(phase, eldar={"dreams": units, "n6": "SHA1"}, tyranid={"dreams": "TH1"}, **more)
    (totals,) = of(game.do("end"), TotalsSet)
    return totals.total, totals.defence


def test_doe_yriel_5_on_the_craftworld_he_doubles_raider_attack_and_defence() -> None:
    """A Raider is 5-4: 10 on the attack; on the defence 8, and 16 behind a fortification, for the two multiply."""
    assert craftworld_totals("eldar_movement", "RAI1 YRI") == (10, 12)
    assert craftworld_totals("eldar_movement", "RAI1 GUA1 YRI") == (14, 12)
    assert craftworld_totals("tyranid_movement", "RAI1 YRI", devastated=("dreams",)) == (12, 8)
    assert craftworld_totals("tyranid_movement", "RAI1 YRI") == (12, 16)
    assert craftworld_totals("tyranid_movement", "RAI1") == (12, 8)


def test_doe_yriel_5_under_avatar_and_fort_add_a_fortified_raider_defends_threefold() -> None:
    """G-22: x3 in place of x4, for Yriel's Raiders too."""
    add = Options(avatar_and_fort="add")
    assert craftworld_totals("tyranid_movement", "RAI1 YRI", options=add) == (12, 12)
    assert craftworld_totals("eldar_movement", "RAI1 YRI", options=add) == (10, 12)


def test_doe_yriel_5_alone_he_is_worth_nothing_on_the_craftworld() -> None:
    assert craftworld_totals("tyranid_movement", "YRI") == (12, 0)
    assert craftworld_totals("eldar_movement", "YRI") == (0, 12)
