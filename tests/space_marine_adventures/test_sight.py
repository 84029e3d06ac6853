"""Sight and range: W2, the edge cases about lines, and the options that read them otherwise."""

from __future__ import annotations

import pytest
from helpers import chamber, drawn, laid, the

from warptape.domain.space_marine_adventures.events import AttackDeclared
from warptape.domain.space_marine_adventures.state import Options

ANY_ANGLE, EITHER, EXCLUSIVE = (
    Options(sight="any_angle"),
    Options(corner="either_flank"),
    Options(range_count="exclusive"),
)


@pytest.mark.parametrize(("square", "distance"), [("e2", 3), ("h5", 3), ("c3", 2)])
def test_w2_the_attack_example(square: str, distance: int) -> None:
    """SMA-SEE-1, SMA-SEE-3, SMA-SEE-4, SMA-RNG-2: Adrix in the way hides nothing, the wall hides D."""
    level = laid("fx-sight", turn="MAX")
    assert level.legal("at") == {"at e2", "at h5", "at c3"}
    assert level.why("at b5") == "SMA-SEE-4"
    assert the(level.do(f"at {square}", 6), AttackDeclared).distance == distance


def test_sma_see_1_no_line_at_all() -> None:
    level = drawn("######\n#M####\n#..#T#\n#....#\n######", turn="MAX")
    assert level.why("at e3") == "SMA-SEE-1"
    assert level.legal("at") == set()


def test_sma_see_2_straight_means_eight_directions() -> None:
    ends = {"d2": "n", "f2": "ne", "f4": "e", "f6": "se", "d6": "s", "b6": "sw", "b4": "w", "b2": "nw"}
    level = drawn(chamber(5, 5, d4="A", **dict.fromkeys(ends, "T")), turn="ADR")
    assert level.legal("at") == {f"at {square}" for square in ends}
    assert drawn(chamber(5, 5, d4="A", c2="T"), turn="ADR").why("at c2") == "SMA-SEE-2"


def test_e5_a_knights_jump() -> None:
    """E5: SMA-SEE-2, and legal under `sight = any_angle`."""
    picture = chamber(4, 4, b2="M", d3="T")
    assert drawn(picture, turn="MAX").why("at d3") == "SMA-SEE-2"
    level = drawn(picture, turn="MAX", options=ANY_ANGLE)
    assert level.legal("at") == {"at d3"}
    assert the(level.do("at d3", 1), AttackDeclared).distance == 2


def test_any_angle_is_stopped_by_what_the_line_enters() -> None:
    """Ruling 13: walls and Tyranids on a square whose inside the line enters; the larger of rows and columns counts."""
    wall = drawn("######\n#M##.#\n##.T.#\n######", turn="MAX", options=ANY_ANGLE)
    assert wall.why("at d3") == "SMA-SEE-4"
    behind = drawn(chamber(5, 4, b2="M", c2="G", d3="T"), turn="MAX", options=ANY_ANGLE)
    assert behind.why("at d3") == "SMA-SEE-4"
    far = drawn(chamber(6, 4, b2="R", d3="T"), turn="RAP", options=ANY_ANGLE)
    assert far.why("at d3") == "SMA-RNG-1"


def test_sma_see_3_marines_hide_nothing() -> None:
    level = drawn("########\n#MARLT.#\n########", turn="MAX")
    assert level.legal("at") == {"at f2"}


def test_e4_only_the_nearer_of_two_in_a_line() -> None:
    """E4: SMA-SEE-4."""
    level = drawn("########\n#M.T.G.#\n########", turn="MAX")
    assert level.legal("at") == {"at d2"}
    assert level.why("at f2") == "SMA-SEE-4"
    level.do("at d2", 3)
    assert level.legal("at") == {"at f2"}


def test_sma_see_4_the_console_hides_nothing_and_a_wall_does() -> None:
    level = laid("1-up", marines={"VOR": "f6", "MAX": "h1"}, tyranids={"f10": "termagant"}, turn="VOR")
    assert level.state.objective == "f8"
    assert level.legal("at") == {"at f10"}
    assert drawn("#######\n#M.#T.#\n#.....#\n#######", turn="MAX").why("at e2") == "SMA-SEE-4"


def test_e1_one_open_flank_is_enough() -> None:
    """E1: SMA-SEE-5, SMA-RNG-2: a corner-touching target is at 1."""
    level = laid("fx-corner", turn="MAX")
    assert level.legal("at") == {"at c3"}
    assert the(level.do("at c3", 1), AttackDeclared).distance == 1


def test_e2_two_solid_flanks_shut_a_diagonal() -> None:
    """E2: SMA-SEE-5."""
    level = laid("fx-corner", turn="ADR")
    assert level.why("at f3") == "SMA-SEE-5"
    assert level.legal() == {"end"}


def test_e3_a_tyranid_on_a_flank_never_blocks() -> None:
    """E3: SMA-SEE-5."""
    level = drawn("#####\n#AG##\n##T.#\n#####", turn="ADR")
    assert level.legal("at") == {"at c2", "at c3"}


def test_corner_either_flank_shuts_what_one_open_flank_left_open() -> None:
    """Ruling 14, `corner = either_flank`: the position of E1 (SMA-SEE-5)."""
    picture = "#####\n#M.##\n##T.#\n#####"
    assert drawn(picture, turn="MAX").legal("at") == {"at c3"}
    level = drawn(picture, turn="MAX", options=EITHER)
    assert level.legal("at") == set()
    assert level.why("at c3") == "SMA-SEE-5"
    assert drawn(chamber(3, 3, b2="M", c3="T"), turn="MAX", options=EITHER).legal("at") == {"at c3"}


def test_corner_decides_under_any_angle_too() -> None:
    picture = "#####\n#M.##\n##T.#\n#####"
    for corner, seen in (("both_flanks", {"at c3"}), ("either_flank", set())):
        options = Options(sight="any_angle", corner=corner)  # type: ignore[arg-type]
        assert drawn(picture, turn="MAX", options=options).legal("at") == seen


def test_sma_see_6_lines_run_over_open_exits_and_tiles() -> None:
    squares = {"VOR": "l10", "MAX": "h2"}
    level = laid("1-up", marines=squares, tyranids={"X4": "termagant"}, exit="B", turn="VOR")
    assert level.legal("at") == {"at X4"}
    assert the(level.do("at X4", 1, 1), AttackDeclared).distance == 5
    entry = laid("1-up", marines={"ADR": "V4", "MAX": "l10"}, tyranids={"h2": "termagant"}, turn="ADR")
    assert entry.legal("at") == {"at h2"}
    assert the(entry.do("at h2", 3), AttackDeclared).distance == 5
    beyond = laid("1-up", marines={"VOR": "X1", "MAX": "h2"}, tyranids={"i10": "termagant"}, exit="B", turn="VOR")
    assert beyond.why("at i10") == "SMA-SEE-4", "k10 is wall"


def test_sma_rng_1_the_range_of_the_side_that_is_up() -> None:
    """Adrix reaches 6 squares, wounded 5."""
    for symbol, farthest in (("A", 6), ("a", 5), ("M", 4), ("m", 4), ("R", 1), ("L", 5), ("V", 8), ("v", 8)):
        code = {"A": "ADR", "M": "MAX", "R": "RAP", "L": "LUK", "V": "VOR"}[symbol.upper()]
        for distance in (farthest, farthest + 1):
            square = f"{chr(98 + distance)}2"
            level = drawn(chamber(10, 1, **{"b2": symbol, square: "T"}), turn=code)
            assert level.why(f"at {square}") == ("" if distance == farthest else "SMA-RNG-1"), (symbol, distance)


def test_sma_rng_2_the_targets_square_counts_and_a_diagonal_step_is_one() -> None:
    level = drawn(chamber(5, 5, b2="R", c3="T", d2="G"), turn="RAP")
    assert level.legal("at") == {"at c3"}
    assert level.why("at d2") == "SMA-RNG-1"
    diagonal = drawn(chamber(5, 5, b2="M", f6="T"), turn="MAX")
    assert the(diagonal.do("at f6", 1), AttackDeclared).distance == 4


def test_range_count_exclusive_leaves_the_targets_square_out() -> None:
    """Ruling 15, `range_count = exclusive`: Raphael reaches two squares, a grenade four."""
    picture = chamber(6, 6, b2="R", d2="T", b5="G")
    level = drawn(picture, turn="RAP", options=EXCLUSIVE)
    assert level.legal("at") == {"at d2"}
    assert level.why("at b5") == "SMA-RNG-1"
    assert the(level.do("at d2", 1), AttackDeclared).distance == 1
    far = drawn(chamber(8, 1, b2="L", f2="T"), turn="LUK", options=EXCLUSIVE)
    assert far.legal("gr") == {"gr f2"}
    assert drawn(chamber(8, 1, b2="L", f2="T"), turn="LUK").legal("gr") == set()
