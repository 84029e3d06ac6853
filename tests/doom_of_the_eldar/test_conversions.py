"""Conversions between Guardians and spacecraft, and between Raiders and theirs."""

from __future__ import annotations

from typing import Any

import pytest
from doom import BOOK, Play, of, play
from hypothesis import given, settings
from hypothesis import strategies as st

from warptape.domain.doom_of_the_eldar.events_special import UnitConverted
from warptape.domain.doom_of_the_eldar.state import Options

SEPARATE = Options(repeat_conversion_pool="separate")

# The brief's words as data of its own: what touches what, which kinds pair, and the boxes.
SPACE_BY = {
    "spear": ("n1",), "tears": ("n1", "n2"), "redmoon": ("n1", "n6"), "souls": ("n2", "n3"), "singers": ("n5", "n6"),
    "shrine": (), "forests": (), "dreams": ("n3", "n4"), "nightmares": ("n4", "n5"),
}  # fmt: skip
HULL_BY = {
    "n1": ("spear", "tears", "redmoon"), "n2": ("tears", "souls"), "n3": ("souls", "dreams"),
    "n4": ("dreams", "nightmares"), "n5": ("nightmares", "singers"), "n6": ("singers", "redmoon"),
    **{f"s{n}": () for n in range(1, 7)},
}  # fmt: skip
GUARDIANS = tuple(f"GUA{n}" for n in range(1, 9))
SHIPS = ("GHO", *(f"{kind}{n}" for kind in ("WSH", "SHA", "NWG") for n in range(1, 5)))
RAIDERS = ("RAI1", "RAI2", "RAI3")
RAIDER_SHIPS = ("RGH", "RWS1", "RWS2")
OTHERS = ("EXA", "ASP1", "FAL1", "TIT", "AVA", "FAR", "YRI", "WRG")


def conversions(game: Play) -> list[str]:
    return sorted(line for line in game.legal() if line.startswith("conv "))


def expected(units: dict[str, str], placed: tuple[str, ...] = (), separate: bool = False) -> list[str]:
    """Every legal conversion, enumerated from the register's words (DOE-CONV-1 to -4)."""
    ships = {"destroyed_spacecraft"} | ({"converted_spacecraft"} if separate else set())
    ground = {"destroyed_ground"} | ({"converted_ground"} if separate else set())
    found = []
    for leaving, taking, near, boxes in (
        (GUARDIANS, SHIPS, SPACE_BY, ships),
        (SHIPS, GUARDIANS, HULL_BY, ground),
        (RAIDERS, RAIDER_SHIPS, SPACE_BY, ships),
        (RAIDER_SHIPS, RAIDERS, HULL_BY, ground | {"raider_conversion"}),
    ):
        found += [
            f"conv {unit} {taken} {area}"
            for unit in leaving
            if unit not in placed
            for taken in taking
            if units[taken] in boxes and taken not in placed
            for area in near.get(units[unit], ())
        ]
    return sorted(found)


# The two directions


def test_doe_conv_1_a_guardian_becomes_a_ship_beside_where_it_stood() -> None:
    game = play("eldar_special", eldar={"souls": "GUA4", "destroyed_spacecraft": "WSH2", "n6": "SHA1"})
    assert conversions(game) == ["conv GUA4 WSH2 n2", "conv GUA4 WSH2 n3"]
    (event,) = of(game.do("conv GUA4 WSH2 n3"), UnitConverted)
    assert (event.unit, event.to, event.taken, event.box, event.area) == (
        "GUA4", "destroyed_ground", "WSH2", "destroyed_spacecraft", "n3",
    )  # fmt: skip
    assert event.rule == "DOE-CONV-1"
    assert game.state.units["GUA4"] == "destroyed_ground"
    assert game.state.units["WSH2"] == "n3"


@pytest.mark.parametrize("area", ["shrine", "forests"])
def test_doe_conv_1_an_inner_area_touches_no_space_so_nothing_converts_there(area: str) -> None:
    """Case 31, first part (G-27)."""
    game = play("eldar_special", eldar={area: "GUA1", "destroyed_spacecraft": "WSH1"})
    assert conversions(game) == []
    for target in ("n1", "n2", "s1", "tears"):
        assert game.why(f"conv GUA1 WSH1 {target}") == "DOE-CONV-1"


def test_doe_conv_1_the_ship_appears_in_adjacent_space_alone() -> None:
    game = play("eldar_special", eldar={"spear": "GUA1", "destroyed_spacecraft": "WSH1"})
    assert conversions(game) == ["conv GUA1 WSH1 n1"]
    for target in ("n2", "s1", "spear", "tears"):
        assert game.why(f"conv GUA1 WSH1 {target}") == "DOE-CONV-1"


def test_doe_conv_1_a_ship_that_is_not_in_the_box_does_not_appear() -> None:
    game = play("eldar_special", eldar={"spear": "GUA1", "destroyed_spacecraft": "WSH1", "n4": "WSH2"})
    assert game.why("conv GUA1 WSH2 n1") == "DOE-CONV-1"
    assert game.why("conv GUA2 WSH1 n1") == "DOE-CONV-1"


def test_doe_conv_2_a_ship_becomes_a_guardian_beside_where_it_stood() -> None:
    game = play("eldar_special", eldar={"n1": "NWG1", "destroyed_ground": "GUA7"})
    assert conversions(game) == [f"conv NWG1 GUA7 {area}" for area in ("redmoon", "spear", "tears")]
    (event,) = of(game.do("conv NWG1 GUA7 spear"), UnitConverted)
    assert (event.unit, event.to, event.taken, event.box, event.area) == (
        "NWG1", "destroyed_spacecraft", "GUA7", "destroyed_ground", "spear",
    )  # fmt: skip
    assert event.rule == "DOE-CONV-2"
    assert game.state.units["NWG1"] == "destroyed_spacecraft"
    assert game.state.units["GUA7"] == "spear"


@pytest.mark.parametrize("area", [f"s{n}" for n in range(1, 7)])
def test_doe_conv_2_a_ship_in_a_sector_touches_no_craftworld_area(area: str) -> None:
    """Case 31, second part."""
    game = play("eldar_special", eldar={area: "WSH1", "destroyed_ground": "GUA1"})
    assert conversions(game) == []
    for target in ("tears", "souls", "shrine", "n2"):
        assert game.why(f"conv WSH1 GUA1 {target}") == "DOE-CONV-2"


def test_doe_conv_2_a_guardian_that_is_not_in_the_box_does_not_appear() -> None:
    game = play("eldar_special", eldar={"n1": "WSH1", "spear": "GUA1", "destroyed_ground": "GUA2"})
    assert game.why("conv WSH1 GUA1 spear") == "DOE-CONV-2"
    assert game.why("conv WSH1 GUA2 shrine") == "DOE-CONV-2"


@pytest.mark.parametrize("phase", ["tyranid_movement", "eldar_movement"])
def test_doe_conv_1_and_2_conversions_are_made_in_the_special_actions_phase_alone(phase: str) -> None:
    game = play(phase, eldar={"spear": "GUA1", "destroyed_spacecraft": "WSH1"}, tyranid={"s4": "TH1"})
    assert game.why("conv GUA1 WSH1 n1") == "DOE-CONV-1"


def test_doe_conv_1_and_2_enemies_in_either_area_do_not_prevent_it() -> None:
    """G-27; nor does devastation."""
    game = play(
        "eldar_special",
        eldar={"souls": "GUA1", "n5": "SHA1", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA2"},
        tyranid={"souls": "TH1", "n2": "TH2", "n5": "TH3", "singers": "TH4"},
        devastated=("souls", "singers"),
    )
    game.do("conv GUA1 WSH1 n2")
    game.do("conv SHA1 GUA2 singers")
    assert game.state.units["WSH1"] == "n2"
    assert game.state.units["GUA2"] == "singers"


# How often


def test_doe_conv_3_any_number_of_conversions() -> None:
    game = play(
        "eldar_special",
        eldar={
            "spear": "GUA1", "tears": "GUA2 GUA3", "souls": "GUA4", "destroyed_spacecraft": "WSH1 WSH2 WSH3 WSH4",
            "destroyed_ground": "GUA5", "n5": "SHA1",
        },
    )  # fmt: skip
    for line in ("conv GUA1 WSH1 n1", "conv GUA2 WSH2 n1", "conv GUA3 WSH3 n2", "conv GUA4 WSH4 n3"):
        game.do(line)
    game.do("conv SHA1 GUA5 singers")
    assert [game.state.units[f"WSH{n}"] for n in range(1, 5)] == ["n1", "n1", "n2", "n3"]
    assert game.state.eldar["destroyed_ground"] == ["GUA1", "GUA2", "GUA3", "GUA4"]


def test_doe_conv_3_a_converted_counter_does_not_convert_again() -> None:
    """Neither the one that appeared nor the one that stood down."""
    game = play(
        "eldar_special",
        eldar={"souls": "GUA1", "n5": "SHA1", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA2"},
    )
    game.do("conv GUA1 WSH1 n2")
    assert game.why("conv WSH1 GUA2 tears") == "DOE-CONV-3"
    assert game.why("conv SHA1 GUA1 singers") == "DOE-CONV-3"
    assert conversions(game) == ["conv SHA1 GUA2 nightmares", "conv SHA1 GUA2 singers"]


def test_doe_conv_3_a_repaired_ship_does_not_convert_in_the_same_phase() -> None:
    """Case 31, third part; in the next turn's phase it may."""
    game = play(
        "eldar_special",
        eldar={"n4": "GHO", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA1"},
        tyranid={"s1": "TH1"},
    )
    game.do("use souls", 4)
    game.do("place WSH1 n2")
    assert game.why("conv WSH1 GUA1 tears") == "DOE-CONV-3"
    assert conversions(game) == ["conv GHO GUA1 dreams", "conv GHO GUA1 nightmares"]
    later = play("eldar_special", eldar={"n2": "WSH1", "destroyed_ground": "GUA1"}, tyranid={"s1": "TH1"}, turn=2)
    assert later.why("conv WSH1 GUA1 tears") == ""


def test_doe_conv_3_a_mustered_guardian_does_not_convert_in_the_same_phase() -> None:
    game = play(
        "eldar_special",
        eldar={"n4": "GHO", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA1", "spear": "GUA2"},
    )
    game.do("use forests", 6)
    game.do("place GUA1 spear")
    assert game.why("conv GUA1 WSH1 n1") == "DOE-CONV-3"
    assert game.why("conv GUA2 WSH1 n1") == ""


def test_doe_conv_3_in_the_next_turn_it_may_convert_again() -> None:
    game = play(
        "eldar_special",
        eldar={"souls": "GUA1", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA2"},
        tyranid={"s5": "TH1"},
    )
    game.do("conv GUA1 WSH1 n3")
    game.do("end")
    while (game.state.turn, game.state.phase) != (2, "eldar_special"):
        game.do("end" if "end" in game.legal() else game.legal()[0])
    assert game.state.units["WSH1"] == "n3"
    assert game.why("conv WSH1 GUA1 dreams") == ""


# What pairs with what


def test_doe_conv_4_guardians_pair_with_iyandens_ships_alone() -> None:
    game = play(
        "eldar_special",
        eldar={"souls": "GUA1", "n2": "WSH1", "destroyed_spacecraft": "RGH RWS1", "destroyed_ground": "RAI1 ASP1 GUA2"},
    )
    assert conversions(game) == ["conv WSH1 GUA2 souls", "conv WSH1 GUA2 tears"]
    for line in ("conv GUA1 RGH n2", "conv GUA1 RWS1 n3", "conv WSH1 RAI1 tears", "conv WSH1 ASP1 tears"):
        assert game.why(line) == "DOE-CONV-4", line


def test_doe_conv_4_raiders_pair_with_raider_ships_alone_both_ways() -> None:
    """The way back is allowed too (G-28)."""
    game = play(
        "eldar_special",
        eldar={
            "dreams": "RAI1", "n4": "RGH", "destroyed_spacecraft": "RWS1 WSH1", "destroyed_ground": "RAI2 GUA1",
            "raider_conversion": "RAI3",
        },
    )  # fmt: skip
    assert conversions(game) == sorted([
        "conv RAI1 RWS1 n3", "conv RAI1 RWS1 n4", "conv RGH RAI2 dreams", "conv RGH RAI2 nightmares",
        "conv RGH RAI3 dreams", "conv RGH RAI3 nightmares",
    ])  # fmt: skip
    assert game.why("conv RAI1 WSH1 n3") == game.why("conv RGH GUA1 dreams") == "DOE-CONV-4"
    (ground,) = of(game.do("conv RGH RAI3 dreams"), UnitConverted)
    assert (ground.to, ground.box) == ("destroyed_spacecraft", "raider_conversion")
    (ship,) = of(game.do("conv RAI1 RWS1 n4"), UnitConverted)
    assert (ship.to, ship.box) == ("destroyed_ground", "destroyed_spacecraft")


@pytest.mark.parametrize("unit", OTHERS)
def test_doe_conv_4_nothing_else_converts(unit: str) -> None:
    game = play(
        "eldar_special",
        eldar={"souls": unit, "destroyed_spacecraft": "WSH1 RGH", "destroyed_ground": "GUA1 RAI1"},
        tyranid={"s1": "TH1"},
    )
    assert conversions(game) == []
    for taken, area in (("WSH1", "n2"), ("GUA1", "tears"), ("RGH", "n2"), ("RAI1", "tears")):
        assert game.why(f"conv {unit} {taken} {area}") == "DOE-CONV-4"


def test_doe_conv_4_raiders_cannot_be_had_while_they_are_aside() -> None:
    """Before Yriel comes his ground forces are not among what a conversion takes (DOE-YRIEL-3)."""
    game = play("eldar_special", eldar={"n4": "RGH", "n2": "GHO"}, tyranid={"s1": "TH1"})
    assert game.state.units["RAI1"] == "aside"
    assert conversions(game) == []
    assert game.why("conv RGH RAI1 dreams") == "DOE-CONV-2"


# The option repeat_conversion_pool (G-27)


def test_repeat_conversion_pool_separate_parks_converted_counters_where_conversions_reach() -> None:
    eldar = {"souls": "GUA1", "n5": "SHA1", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA2"}
    game = play("eldar_special", eldar=eldar, tyranid={"s2": "TH1"}, options=SEPARATE)
    (first,) = of(game.do("conv GUA1 WSH1 n2"), UnitConverted)
    (second,) = of(game.do("conv SHA1 GUA2 singers"), UnitConverted)
    assert (first.to, second.to) == ("converted_ground", "converted_spacecraft")
    game.do("end")
    while (game.state.turn, game.state.phase) != (2, "eldar_special"):
        game.do("end" if "end" in game.legal() else game.legal()[0])
    assert conversions(game) == expected(game.state.units, separate=True)
    assert "conv WSH1 GUA1 tears" in conversions(game)
    (back,) = of(game.do("conv GUA2 SHA1 n6"), UnitConverted)
    assert (back.to, back.box) == ("converted_ground", "converted_spacecraft")


# Against an enumeration of all there is

PLACES: dict[str, st.SearchStrategy[str]] = {
    **dict.fromkeys(GUARDIANS, st.sampled_from([*SPACE_BY, "destroyed_ground", "converted_ground"])),
    **dict.fromkeys(SHIPS, st.sampled_from([*HULL_BY, "destroyed_spacecraft", "converted_spacecraft"])),
    **dict.fromkeys(RAIDERS, st.sampled_from([*SPACE_BY, "destroyed_ground", "raider_conversion", "aside"])),
    **dict.fromkeys(RAIDER_SHIPS, st.sampled_from([*HULL_BY, "destroyed_spacecraft", "aside"])),
}


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries(PLACES), st.lists(st.sampled_from(sorted(PLACES)), max_size=6), st.booleans())
def test_doe_conv_1_to_4_what_is_legal_is_what_the_register_enumerates(
    units: dict[str, str], placed: list[str], separate: bool
) -> None:
    """Wherever the counters are: both parts of the map, boxes, reserve, aside; some came or converted already."""
    if not separate:
        units = {unit: place.replace("converted_", "destroyed_") for unit, place in units.items()}
    where: dict[str, list[str]] = {}
    for unit, place in units.items():
        where.setdefault(place, []).append(unit)
    facts: dict[str, Any] = {"eldar": {place: " ".join(there) for place, there in where.items()}}
    options = SEPARATE if separate else Options()
    game = play("eldar_special", placed=placed, options=options, tyranid={"s1": "TH1"}, **facts)
    assert conversions(game) == expected(units, tuple(placed), separate)


def test_the_figures_here_are_those_of_the_map() -> None:
    assert {area: {*near} for area, near in SPACE_BY.items()} == {
        area: {*BOOK.near_space[area]} for area in BOOK.craftworld
    }
    assert {area: {*near} for area, near in HULL_BY.items()} == {
        area: {*BOOK.near_craftworld[area]} for area in BOOK.space
    }
