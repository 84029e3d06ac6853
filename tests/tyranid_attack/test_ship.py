"""The ship on its lattice: passages, shared squares, names, distances, and sight against exact clipping."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hive import BOOK, Play, at, of, play
from hull import STEPS, Hull, Point, crossed, gap, hull

from warptape.domain.tyranid_attack.events_model import ModelMoved
from warptape.domain.tyranid_attack.ship import HEADINGS, Ship, nearest
from warptape.domain.tyranid_attack.state import Laid, Options, distance

SEALED = Options(corners="sealed")
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}
CURLED = "1N 2N 3E 4S 5E 6N"
"""A chain that curls: the fourth section lies beside the first."""


def layouts(count: int, seed: str) -> Iterator[tuple[list[Laid], Point]]:
    """Chains of six sections at random, each with the cell of its entry area."""
    luck = random.Random(seed)
    while count:
        numbers = luck.sample(range(1, 7), 6)
        laid = [Laid(numbers[0], (0, 0), luck.choice((0, 180)), "N")]
        for number in numbers[1:]:
            heading = luck.choice([way for way in "NESW" if way != BACK[laid[-1].heading]])
            step, (i, j) = HEADINGS[heading], laid[-1].cell
            laid.append(Laid(number, (i + step[0], j + step[1]), luck.choice((0, 180)), heading))
        if len({one.cell for one in laid} | {(0, 1)}) == 7:
            count -= 1
            yield laid, (0, 1)


def built(laid: list[Laid], entry: Point, sealed: bool = False, solid: frozenset[Point] = frozenset()) -> Ship:
    return Ship(BOOK.catalogue, laid, entry, solid, sealed)


# The lattice


def test_ta_board_2_and_6_long_sides_join_long_sides_and_facing_passages_meet() -> None:
    """TA-BOARD-2, TA-BOARD-6, TA-BOARD-7: whatever way round they lie, at e and k or at row 6, and nowhere else."""
    pairs = 0
    for laid, entry in layouts(60, "joins"):
        ship = built(laid, entry)
        for one in laid:
            for two in laid:
                (i, j), (u, v) = one.cell, two.cell
                both = {square for square, there in ship.sections.items() if {one.section, two.section} <= {*there}}
                if (u, v) == (i, j - 1):  # by the long sides
                    assert both == {(14 * i + 4, 10 * j), (14 * i + 10, 10 * j)}
                    pairs += 1
                elif (u, v) == (i + 1, j):  # by the short sides
                    assert both == {(14 * u, 10 * j + 5)}
                    pairs += 1
                elif abs(u - i) + abs(v - j) > 1:
                    assert not both
    assert pairs > 300


def test_ta_board_3_and_5_a_section_is_15_by_11_squares_and_neighbours_share_an_edge() -> None:
    """TA-BOARD-3, TA-BOARD-5: the floor is that of the drawings, laid 14 columns and 10 rows apart."""
    for laid, entry in layouts(30, "floor"):
        ship, drawn = built(laid, entry), Hull(laid)
        assert {square: list(there) for square, there in ship.sections.items()} == drawn.floor
        for one in laid:
            left, top = 14 * one.cell[0], 10 * one.cell[1]
            columns, rows = {x for x, _ in ship.squares[one.section]}, {y for _, y in ship.squares[one.section]}
            assert (min(columns), max(columns)) == (left, left + 14)
            assert (min(rows), max(rows)) == (top, top + 10)


def test_ta_board_7_a_shared_square_belongs_to_both_sections_and_has_two_names() -> None:
    p = play(models={"SC1": "2:e11", "GE1": "6:n6"}, active="SC1")
    assert BOOK.ship(p.state).sections[p.state.models["SC1"].at] == (1, 2)
    assert at(p.state, "SC1") == "1:e1"  # the section nearer to the rear
    for name in ("1:k1", "2:k11"):
        assert p.why(f"move SC1 {name}") == ""
    p.do("move SC1 2:k11")
    assert at(p.state, "SC1") == "1:k1"


def test_ta_board_8_sections_that_touch_are_connected_though_they_are_no_neighbours_in_the_chain() -> None:
    p = play("tyranid", layout=CURLED, models={"GE1": "1:n6", "SC1": "6:n6"}, active="GE1")
    assert hull(p).floor[hull(p).at("1:o6")] == [1, 4]
    (moved,) = of(p.do("move GE1 4:b6"), ModelMoved)
    assert len(moved.path) == 2
    p = play("tyranid", layout=CURLED, models={"DS1": "1:n6", "SC1": "4:b6"}, active="DS1")
    assert p.why("shoot DS1 SC1") == ""


def test_ta_board_10_distance_is_the_larger_of_columns_and_rows_walls_or_not() -> None:
    """TA-BOARD-10: as many steps as a model would need on open floor, in any direction."""
    apart = {(0, 0): 0}
    edge = [(0, 0)]
    for steps in range(1, 14):
        edge = [
            square for square in dict.fromkeys((x + u, y + v) for x, y in edge for u, v in STEPS) if square not in apart
        ]
        apart.update(dict.fromkeys(edge, steps))
    assert len(apart) == 27 * 27
    for (x, y), steps in apart.items():
        assert distance((3, -5), (3 + x, y - 5)) == distance((3 + x, y - 5), (3, -5)) == steps
    assert nearest((0, 0), [(4, 1), (-2, 3), (9, 0)]) == 3


def test_ta_board_11_adjacent_is_distance_1_corners_included_walls_notwithstanding() -> None:
    """TA-BOARD-11 and E-5: 3:f7 and 3:g6 touch at a corner between two walls."""
    for options in (Options(), SEALED):
        p = play(layout="3N 2N 1N 4N 5N 6N", models={"SC1": "3:f7", "GE1": "3:g6"}, active="SC1", options=options)
        assert p.why("fight SC1 GE1") == ""
    p = play(models={"SC1": "2:c5", "GE1": "2:d5", "GE2": "2:e5"}, active="SC1")
    assert p.why("fight SC1 GE1") == ""
    assert p.why("fight SC1 GE2") == "TA-HTH-1"


def test_e_5_the_corner_between_two_walls_open_and_sealed() -> None:
    """E-5, TA-LOS-4, TA-MOVE-8, option `corners`: a shot and a step there; the fight is always legal."""
    facts: dict[str, Any] = {"layout": "3N 2N 1N 4N 5N 6N", "active": "SC1"}
    p = play(models={"SC1": "3:f7", "GE1": "3:g6"}, **facts)
    assert (p.why("shoot SC1 GE1"), p.why("fight SC1 GE1")) == ("", "")
    p = play(models={"SC1": "3:f7", "GE1": "6:b6"}, **facts)
    assert p.why("move SC1 3:g6>3:h6") == ""
    assert len(of(p.do("move SC1 3:g6"), ModelMoved)[0].path) == 1
    p = play(models={"SC1": "3:f7", "GE1": "3:g6"}, options=SEALED, **facts)
    assert (p.why("shoot SC1 GE1"), p.why("fight SC1 GE1")) == ("TA-LOS-4", "")
    p = play(models={"SC1": "3:f7", "GE1": "6:b6"}, options=SEALED, **facts)
    assert p.why("move SC1 3:g6>3:h6") == "TA-MOVE-8"
    assert len(of(p.do("move SC1 3:g6"), ModelMoved)[0].path) == 3  # the way round, by e6 and f5


def test_a_square_is_named_by_the_section_nearest_to_the_rear_and_found_by_either_name() -> None:
    for laid, entry in layouts(20, "names"):
        ship, drawn = built(laid, entry), Hull(laid)
        assert {square: ship.name(square) for square in drawn.floor} == {s: drawn.name(s) for s in drawn.floor}
        for square, sections in drawn.floor.items():
            for section in sections:
                left, top = drawn.origin[section]
                assert ship.square(section, square[0] - left, square[1] - top) == square


def test_half_squares_on_the_outer_edge_are_those_that_join_nothing() -> None:
    """TA-REINF-7: and on the rear section, those that do not face the entry area."""
    for laid, _ in layouts(40, "edges"):
        drawn = Hull(laid)
        i, j = laid[0].cell
        facing = {
            (0, 1): {(14 * i + 4, 10 * j + 10), (14 * i + 10, 10 * j + 10)},
            (0, -1): {(14 * i + 4, 10 * j), (14 * i + 10, 10 * j)},
            (1, 0): {(14 * i + 14, 10 * j + 5)},
            (-1, 0): {(14 * i, 10 * j + 5)},
        }
        for step, closed in facing.items():
            cell = (i + step[0], j + step[1])
            if cell in {one.cell for one in laid}:
                continue
            alone = {
                square
                for square, there in drawn.doors.items()
                if len(there) == 1 and not (square in closed and there == [laid[0].section])
            }
            assert {*built(laid, cell).outer} == alone


# Sight, drawn


def board(drawing: str, sealed: bool = False) -> tuple[Ship, dict[str, list[Point]]]:
    """A ship of one section drawn as a board, and the squares of each mark on it; `t` and `T` are template."""
    rows = drawing.split()
    marks: dict[str, list[Point]] = {}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            marks.setdefault(mark, []).append((x, y))
    section = SimpleNamespace(rows=rows, grid="\n".join(rows))
    solid = frozenset(marks.get("t", []) + marks.get("T", []))
    return Ship(cast(Any, Drawn(section)), [Laid(1, (0, 0), 0, "N")], (0, 1), solid, sealed), marks


class Drawn:
    """As much of a catalogue as a ship needs."""

    def __init__(self, section: SimpleNamespace) -> None:
        self.geometry = SimpleNamespace(pitch_x=14, pitch_y=10, columns=15, rows=11)
        self.sections = {1: section}


REFERENCE = {
    "next to each other": ("AB", True, True),
    "along a row": ("A****B", True, True),
    "down a column": ("A * * B", True, True),
    "a wall on the row": ("A..#.B", False, False),
    "straight across a corner": ("A.. .*. ..B", True, True),
    "a wall on the diagonal": ("A.. .#. ..B", False, False),
    "between two walls that touch": ("A# #B", True, False),
    "past one wall's corner": ("A# .B", True, True),
    "the knight's line enters two squares": ("A*. .*B", True, True),
    "one of the two is wall": ("A#. ..B", False, False),
    "and so is the other": ("A.. .#B", False, False),
    "three across, one down (E-4)": ("A*.. ..*B", True, True),
    "squares that are only touched (E-3)": ("A*#. .#*B", True, False),
    "one touched square is wall": ("A*#. ..*B", True, True),
    "the second square entered is wall": ("A... ..#B", False, False),
    "four across, two down": ("A*... .***. ...*B", True, True),
    "walls beside it": ("A*### .***. ###*B", True, True),
    "five across, three down": ("A*.... .**... ...**. ....*B", True, True),
    "five across, three down, between walls": ("A*#### .**##. .##**. ####*B", True, False),
    "one across, three down": ("A. *. .* .B", True, True),
    "up and to the left": ("B*. .*A", True, True),
    "up and to the right": (".*B A*.", True, True),
    "off the board is wall": ("A .... ...B", False, False),
    "a model on the line": ("A.m.B", False, False),
    "a model beside the line": ("A***B .mm..", True, True),
    "a model only touched": ("A*m. .m*B", True, True),
    "a prone Marine on the line": ("A.p.B", True, True),
    "a cyst or an artifact on the line": ("A.c.B", True, True),
    "a template on the line": ("A.t.B", False, False),
    "two templates' corner": ("At tB", True, False),
    "a square of a template": ("A**BT ...TT", True, True),
    "its far square, behind its own": ("A.TB ..TT", True, True),
    "its far square, behind another": ("AtTB .tTT", False, False),
}  # fmt: skip
"""Shooter A, target B, squares entered `*`; what is seen with open corners, and with sealed ones."""


@pytest.mark.parametrize("name", REFERENCE)
def test_sight_on_boards_drawn(name: str) -> None:
    """TA-LOS-1 to TA-LOS-8; where B is part of a template `T`, its own squares do not hide it."""
    drawing, plain, closed = REFERENCE[name]
    for sealed, sees in ((False, plain), (True, closed)):
        ship, marks = board(drawing, sealed)
        (here,), (there,) = marks["A"], marks["B"]
        own = [*marks["T"], there] if "T" in marks else []
        assert ship.sees(here, there, {*marks.get("m", [])}, own) is sees
        assert ship.sees(there, here, {*marks.get("m", [])}, own) is sees
        if "*" in marks and sees:
            line = ship.line(here, there)
            assert line is not None
            assert {*line} == {*marks["*"]}


def test_the_whole_number_rule_is_exact_clipping_for_all_728_offsets_up_to_13_squares() -> None:
    """TA-LOS-4: a square is entered when the line passes through its inside; touching a corner is not entering."""
    ship, _ = board("\n".join(["." * 27] * 27))
    offsets = [(x, y) for x in range(-13, 14) for y in range(-13, 14) if (x, y) != (0, 0)]
    assert len(offsets) == 728
    for x, y in offsets:
        line = ship.line((13, 13), (13 + x, 13 + y))
        assert line is not None
        assert len(line) == len({*line})
        assert {(u - 13, v - 13) for u, v in line} == crossed((x, y)), (x, y)


def noise(luck: random.Random, share: float) -> list[str]:
    return ["".join("#" if luck.random() < share else "." for _ in range(11)) for _ in range(9)]


@pytest.mark.parametrize("sealed", [False, True])
def test_sight_on_boards_at_random(sealed: bool) -> None:
    """It is symmetric, a wall added never opens a line, and turning the board round changes nothing."""
    luck = random.Random(f"noise {sealed}")
    places = [(x, y) for y in range(9) for x in range(11)]
    closed = 0
    for _ in range(25):
        rows = noise(luck, 0.15)
        ship, _ = board("\n".join(rows), sealed)
        around, _ = board("\n".join(row[::-1] for row in rows[::-1]), sealed)
        wall = luck.choice([place for place in places if rows[place[1]][place[0]] == "."])
        more = [list(row) for row in rows]
        more[wall[1]][wall[0]] = "#"
        walled, _ = board("\n".join("".join(row) for row in more), sealed)
        templated = Ship(cast(Any, Drawn(SimpleNamespace(rows=rows))), [Laid(1, (0, 0), 0, "N")], (0, 1),
                         frozenset([wall]), sealed)  # fmt: skip
        for _ in range(120):
            one, two = luck.sample([place for place in places if rows[place[1]][place[0]] == "."], 2)
            sees = ship.sees(one, two, ())
            assert ship.sees(two, one, ()) is sees
            assert around.sees((10 - one[0], 8 - one[1]), (10 - two[0], 8 - two[1]), ()) is sees
            if wall not in (one, two):
                behind = walled.sees(one, two, ())
                assert sees or not behind
                assert templated.sees(one, two, ()) is behind  # a template is as good as a wall
                closed += sees and not behind
            on_the_way = {(one[0] + u, one[1] + v) for u, v in crossed((two[0] - one[0], two[1] - one[1]))}
            open_to_all = all(rows[y][x] == "." for x, y in on_the_way)
            assert sees is open_to_all or (sealed and open_to_all and not sees)
    assert closed > 20


def test_sealed_corners_only_ever_close_lines() -> None:
    luck = random.Random("corners")
    closed = 0
    for _ in range(40):
        rows = noise(luck, 0.3)
        (plain, _), (sealed, _) = board("\n".join(rows)), board("\n".join(rows), True)
        floor = [(x, y) for y in range(9) for x in range(11) if rows[y][x] == "."]
        for _ in range(60):
            one, two = luck.sample(floor, 2)
            assert plain.sees(one, two, ()) or not sealed.sees(one, two, ())
            closed += plain.sees(one, two, ()) and not sealed.sees(one, two, ())
    assert closed


def test_the_ship_turned_round_as_a_whole_is_the_same_ship() -> None:
    """Floor, steps, outer half squares and sight, with open and with sealed corners."""
    luck = random.Random("round")
    for laid, entry in layouts(12, "round"):
        back = [Laid(one.section, (-one.cell[0], -one.cell[1]), 180 - one.rotation, BACK[one.heading]) for one in laid]
        for sealed in (False, True):
            ship, around = built(laid, entry, sealed), built(back, (-entry[0], -entry[1]), sealed)
            assert {turn(square) for square in ship.floor} == around.floor
            assert {turn(square) for square in ship.outer} == {*around.outer}
            floor = sorted(ship.floor)
            for square in luck.sample(floor, 60):
                assert {turn(step) for step in ship.around[square]} == {*around.around[turn(square)]}
                other = luck.choice([one for one in floor if gap(one, square) < 15 and one != square])
                assert ship.sees(square, other, ()) is around.sees(turn(square), turn(other), ())


def turn(square: Point) -> Point:
    return 14 - square[0], 10 - square[1]


def test_ta_shoot_2_range_counts_the_target_and_not_the_shooter() -> None:
    """TA-SHOOT-3 and E-6: from 5:a6 to 5:o6 it is 14 squares, too far for a bolt pistol."""
    facts: dict[str, Any] = {"layout": "1N 5N 3N 4N 2N 6N"}
    for scout, rule in (("SC1", "TA-SHOOT-3"), ("HV1", "")):
        p = play(models={scout: "5:a6", "GE1": "5:o6"}, active=scout, **facts)
        assert p.why(f"shoot {scout} GE1") == rule
    for far, rule in (("5:m6", ""), ("5:n6", "TA-SHOOT-3")):  # 12 and 13 squares
        p = play(models={"SC1": "5:a6", "GE1": far}, active="SC1", **facts)
        assert p.why("shoot SC1 GE1") == rule


def test_the_helpers_and_the_engine_read_the_same_names() -> None:
    p: Play = play(layout=CURLED, models={"SC1": "3:b6", "GE1": "6:n6"}, active="SC1")
    drawn = hull(p)
    assert drawn.name(p.state.models["SC1"].at) == at(p.state, "SC1") == "3:b6"
