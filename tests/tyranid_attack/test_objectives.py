"""Objectives as they come up: which template, where it may stand, who defends it, and who may strike at it."""

from __future__ import annotations

from typing import Any

import pytest
from hive import BOOK, Play, of, play
from hull import FIXED, Point, choosing, hull, standing

from warptape.domain.tyranid_attack.actions import StandTemplate
from warptape.domain.tyranid_attack.events_model import ModelPlaced
from warptape.domain.tyranid_attack.events_ship import TemplatePlaced, TileShown
from warptape.domain.tyranid_attack.events_turn import DefendersRolled
from warptape.domain.tyranid_attack.state import Options

SIZES = {1: (3, 2), 2: (2, 2), 3: (2, 2), 4: (2, 2), 5: (3, 2), 6: (3, 2)}
NAMES = {1: "Dermal Sphincter", 2: "Sensory Cluster", 3: "Respiratory Vent", 4: "Teleporter Nexus",
         5: "Hive Mind Synapse", 6: "Energy Cortex"}  # fmt: skip


def rising(number: int, models: dict[str, str] | None = None, options: Options = FIXED, **facts: Any) -> Play:
    """The section of an objective has just become the front, and its tile was held: where does the template stand?"""
    others = [other for other in (6, 5, 4, 3, 2, 1) if other != number]
    back, front = others[0], others[1]
    rest = others[2:]
    layout = f"{number}N {rest[0]}N {rest[1]}N {rest[2]}N {front}N {back}N"
    placed = {"SC1": f"{front}:e2", "SC2": f"{rest[2]}:e2"} | (models or {})
    p = play(layout=layout, models=placed, active="SC1", tile=f"LOC-{number}", card="EX-01", options=options, **facts)
    p.do(f"move SC1 {back}:e10", 3, *(() if options.rotation == "fixed" else (2,)))
    return p


def spots(p: Play) -> set[tuple[Point, bool]]:
    decision = p.referee.decision
    assert decision is not None
    return {(action.corner, action.tall) for action in decision.actions if isinstance(action, StandTemplate)}


def covered(corner: Point, size: tuple[int, int], tall: bool) -> set[Point]:
    columns, rows = size[::-1] if tall else size
    return {(corner[0] + u, corner[1] + v) for u in range(columns) for v in range(rows)}


@pytest.mark.parametrize("number", SIZES)
@pytest.mark.parametrize("turned", [False, True])
def test_w_8_ta_obj_1_to_4_the_template_of_the_section_anywhere_on_its_floor(number: int, turned: bool) -> None:
    """TA-OBJ-1, TA-OBJ-2, TA-OBJ-3, TA-OBJ-4: wholly inside, turned or not; every spot there is."""
    p = rising(number, options=Options() if turned else FIXED)
    (shown,) = of(p.log, TileShown)
    assert (shown.section, shown.objective) == (number, f"OBJ-{number}")
    assert BOOK.catalogue.objectives[shown.objective].name == NAMES[number]
    assert p.seat == "tyranid"
    assert p.state.chain[-1].rotation == (180 if turned else 0)
    ship, size = hull(p), SIZES[number]
    left, top = ship.origin[number]
    inside = {(x, y) for x, y in ship.of(number) if 0 < x - left < 14 and 0 < y - top < 10}
    expected = {
        (corner, tall)
        for corner in inside
        for tall in ((False, True) if size[0] != size[1] else (False,))
        if covered(corner, size, tall) <= inside
    }
    assert spots(p) == expected
    assert len(expected) >= (32 if size == (3, 2) else 28)


def test_ta_obj_3_not_on_walls_half_squares_models_or_counters() -> None:
    p = rising(1)
    assert p.why("template OBJ-1 1:c5 wide") == ""
    assert p.why("template OBJ-1 1:e10 wide") == "TA-OBJ-3"  # partly wall
    assert p.why("template OBJ-1 1:e1 tall") == "TA-OBJ-3"  # a half square
    assert p.why("template OBJ-1 2:c5 wide") == "TA-OBJ-2"  # another section
    q = Play(p.state.copy())
    q.state.models["GE1"] = type(q.state.models["SC1"])("genestealer", hull(q).at("1:d5"), 1)
    q.state.changed()
    q.state.cysts, q.state.artifacts = [hull(q).at("1:j7")], {1: hull(q).at("1:k4")}
    q.referee.reset(q.state)
    taken = {hull(q).at(square) for square in ("1:d5", "1:j7", "1:k4")}
    assert spots(q) == {(corner, tall) for corner, tall in spots(p) if not covered(corner, (3, 2), tall) & taken}
    assert q.why("template OBJ-1 1:c5 wide") == "TA-OBJ-3"


def test_ta_obj_2_and_5_it_may_block_a_passage() -> None:
    """TA-OBJ-2, TA-OBJ-3, TA-OBJ-5: and until it is destroyed it stops movement and sight."""
    p = rising(2)
    (placed,) = of(p.do("template OBJ-2 2:d2 wide", 1), TemplatePlaced)
    assert {hull(p).name(square) for square in placed.squares} == {"2:d2", "2:e2", "2:d3", "2:e3"}
    assert not {*placed.squares} & BOOK.ship(p.state).floor
    facts: dict[str, Any] = {"layout": "1N 3N 4N 5N 2N 6N", "templates": {"OBJ-2": "2:d5"}}
    p = play(models={"SC1": "2:b5", "GE1": "2:n5"}, active="SC1", **facts)
    assert p.why("shoot SC1 GE1") == "TA-LOS-2"
    assert p.why("move SC1 2:d5") == "TA-MOVE-5"
    p = play(models={"SC1": "2:b5", "GE1": "2:n5"}, active="SC1", layout="1N 3N 4N 5N 2N 6N", destroyed=["OBJ-2"])
    assert (p.why("shoot SC1 GE1"), p.why("move SC1 2:d5")) == ("", "")


# Defenders


@pytest.mark.parametrize("die", [1, 3, 6])
def test_ta_obj_6_as_many_defenders_as_the_die_shows(die: int) -> None:
    p = rising(1)
    events = p.do("template OBJ-1 1:c5 wide", die)
    assert [rolled.roll for rolled in of(events, DefendersRolled)] == [die]
    free = [f"1:{column}6" for column in "ijklmn"]
    for number in range(die):
        assert p.asked == "Put"
        (placed,) = of(p.do(f"place GE{number + 1} {free[number]}"), ModelPlaced)
        assert (placed.reason, placed.fresh, placed.rule) == ("defender", False, "TA-OBJ-7")
    assert p.asked == "Free"


def test_ta_obj_7_on_empty_floor_one_to_a_square_and_no_blobs() -> None:
    """TA-OBJ-7, TA-BLOB-1: half squares are of the section too; the template's squares are not empty."""
    p = rising(1)
    p.do("template OBJ-1 1:c5 wide", 3)
    template = {f"1:{column}{row}" for column in "cde" for row in (5, 6)}
    every = {hull(p).name(square) for square in hull(p).of(1)}
    assert standing(p) == every - template
    assert {name[:2] for name in choosing(p)} == {"GE", "BO", "DS", "HB", "HP"}
    assert p.why("place AB1 1:i6") == "TA-BLOB-1"
    for square in ("1:c5", "1:e6", "6:b6"):
        assert p.why(f"place GE1 {square}") == "TA-OBJ-7"
    p.do("place GE1 1:i6")
    assert p.why("place GE2 1:i6") == "TA-OBJ-7"


def test_e_55_a_defender_may_stand_beside_a_marine() -> None:
    """TA-OBJ-6, TA-OBJ-7: only cards name a distance."""
    p = rising(1, models={"SC2": "6:e1"})
    p.do("template OBJ-1 1:c5 wide", 1)
    assert p.why("place GE1 1:e11") == "TA-OBJ-7"  # there he stands
    assert p.why("place GE1 1:e10") == ""


@pytest.mark.parametrize(("die", "others"), [(4, 1), (3, 0)])
def test_w_19_ta_dread_1_the_dreadnought_counts_as_three(die: int, others: int) -> None:
    """TA-DREAD-1, TA-DREAD-4: armed before it is placed, with twice the same if he likes."""
    p = rising(1, options=Options(rotation="fixed", extra_tyranids="dreadnought=1"))
    p.do("template OBJ-1 1:c5 wide", die)
    p.do("place DN1 1:i6")
    assert p.asked == "Arm"
    p.do("arm DN1 dn_heavy_bolter")
    (placed,) = of(p.do("arm DN1 dn_heavy_bolter"), ModelPlaced)
    assert (placed.model, placed.arms) == ("DN1", ("dn_heavy_bolter", "dn_heavy_bolter"))
    for number in range(others):
        p.do(f"place GE{number + 1} 1:k6")
    assert p.asked == "Free"


@pytest.mark.parametrize("die", [1, 2])
def test_w_20_ta_dread_2_not_where_one_or_two_may_be_placed(die: int) -> None:
    p = rising(1, options=Options(rotation="fixed", extra_tyranids="dreadnought=1"))
    p.do("template OBJ-1 1:c5 wide", die)
    assert p.why("place DN1 1:i6") == "TA-DREAD-2"
    assert "DN1" not in choosing(p)


def test_ta_slave_1_mind_slaves_may_defend() -> None:
    p = rising(1, options=Options(rotation="fixed", extra_tyranids="android=1,bulwark_beast=1"))
    p.do("template OBJ-1 1:c5 wide", 2)
    assert {"AN1", "BB1"} <= choosing(p)


def test_ta_recyc_3_defenders_as_far_as_the_pool_goes() -> None:
    spent = [name for name in play(models={"SC1": "1:b6"}).state.pool if name not in ("GE1", "BO2")]
    p = rising(1, spent=spent)
    p.do("template OBJ-1 1:c5 wide", 6)
    p.do("place GE1 1:i6")
    p.do("place BO2 1:k6")
    assert p.asked == "Free"


# Who may strike


def test_ta_obj_12_only_marines_attack_templates() -> None:
    layout = "1N 3N 4N 5N 2N 6N"
    facts: dict[str, Any] = {"layout": layout, "templates": {"OBJ-2": "2:d7"}}
    p = play("tyranid", models={"DS1": "2:d5", "GE1": "2:c7", "SC1": "1:b6"}, active="DS1", **facts)
    assert p.why("shoot DS1 OBJ-2") == "TA-OBJ-12"
    p.do("done")
    p.do("use GE1")
    assert p.why("fight GE1 OBJ-2") == "TA-OBJ-12"
    p = play(models={"SC1": "2:c7", "GE1": "6:b6"}, active="SC1", **facts)
    assert (p.why("shoot SC1 OBJ-2"), p.why("fight SC1 OBJ-2"), p.why("melta SC1 OBJ-2")) == ("", "", "")
