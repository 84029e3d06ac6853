"""Squares, rays, sight at eight and at any angle, distances: exact positions, then laws on random boards."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warptape.domain.geometry import (
    DIRECTION_NAMES,
    EAST,
    NORTH,
    SOUTH_EAST,
    Corner,
    Grid,
    square_name,
)

BOTH, EITHER, OPEN = Corner.BOTH_FLANKS, Corner.EITHER_FLANK, Corner.OPEN


def board(text: str) -> Grid:
    return Grid.from_rows(text.split())


def names(grid: Grid, squares: tuple[int, ...] | None) -> str | None:
    return None if squares is None else " ".join(grid.name(square) for square in squares)


# Squares and names


def test_squares_sort_in_reading_order_and_answer_to_their_names() -> None:
    grid = board("..# #.. ...")
    assert names(grid, grid.squares) == "a1 b1 b2 c2 a3 b3 c3"
    assert grid.point(grid.square("c2")) == (2, 1)
    assert grid.name(grid.square("c1")) == "c1"
    assert grid.square("c1") not in grid.open


def test_columns_after_z_have_two_letters() -> None:
    assert [square_name(column, 0) for column in (0, 25, 26, 51, 52, 701, 702)] == [
        "a1", "z1", "aa1", "az1", "ba1", "zz1", "aaa1",
    ]  # fmt: skip


def test_neighbours_come_north_east_south_west_and_only_if_floor() -> None:
    grid = board("#.# ... #.#")
    assert names(grid, grid.neighbours[grid.square("b2")]) == "b1 c2 b3 a2"
    assert names(grid, grid.neighbours[grid.square("a2")]) == "b2"
    assert names(grid, grid.around[grid.square("a2")]) == "b2 b1 b3"
    assert grid.neighbours[grid.square("a1")] == ()


def test_a_row_does_not_run_on_into_the_next() -> None:
    grid = board("... ...")
    assert names(grid, grid.neighbours[grid.square("c1")]) == "c2 b1"
    assert names(grid, grid.ray(grid.square("b1"), EAST)) == "c1"


def test_a_square_outside_the_plane_or_on_another_is_refused() -> None:
    with pytest.raises(ValueError, match="outside the plane"):
        Grid({"a1": (2, 0)}, [], left=0, top=0, width=2, height=2)
    with pytest.raises(ValueError, match="same place"):
        Grid({"a1": (0, 0), "V1": (0, 0)}, [], left=0, top=0, width=2, height=2)
    with pytest.raises(ValueError, match="V1 has no place"):
        Grid({"a1": (0, 0)}, iter(["a1", "V1"]), left=0, top=0, width=2, height=2)
    with pytest.raises(ValueError, match="equally long"):
        Grid.from_rows(["..", "."])


def test_the_directions_are_found_and_only_exact_ones() -> None:
    grid = Grid.from_rows(["." * 7] * 7)
    centre = grid.square("d4")
    ends = {"n": "d1", "e": "g4", "s": "d7", "w": "a4", "ne": "f2", "se": "e5", "sw": "a7", "nw": "b2"}
    for name, end in ends.items():
        found = grid.direction(centre, grid.square(end))
        assert found is not None
        assert DIRECTION_NAMES[found] == name
    assert grid.direction(centre, grid.square("e6")) is None
    assert grid.direction(centre, centre) is None
    assert grid.span(centre, grid.square("e6")) == 2
    assert grid.span(grid.square("a1"), grid.square("g2")) == 6


# Closing squares


def test_a_closed_square_is_solid_and_the_same_closing_is_the_same_grid() -> None:
    grid = board("... .#. ...")
    gate = grid.square("b1")
    shut = grid.closed([gate])
    assert shut is grid.closed({gate})
    assert shut.closed(()) is grid
    assert names(shut, shut.ray(shut.square("a1"), EAST)) == ""
    assert names(grid, grid.ray(grid.square("a1"), EAST)) == "b1 c1"
    assert shut.walk(shut.square("a1"), shut.square("c1")) == 6
    assert shut.floor == grid.floor
    assert gate not in shut.open


def test_closing_a_wall_changes_nothing() -> None:
    grid = board("..# ...")
    assert grid.closed([grid.square("c1")]) is grid


# Eight directions


def test_a_diagonal_between_two_solids_is_shut_and_one_open_flank_opens_it() -> None:
    pinched, half, free = board(".# #."), board(".. #."), board(".. ..")
    for grid, verdicts in ((pinched, (True, False, False)), (half, (True, True, False)), (free, (True, True, True))):
        one, other = grid.square("a1"), grid.square("b2")
        for any_angle in (False, True):
            seen = tuple(grid.sight(corner, any_angle).sees(one, other) for corner in (OPEN, BOTH, EITHER))
            assert seen == verdicts


def test_a_blocker_on_a_flank_never_blocks_but_one_on_the_line_does() -> None:
    grid = board("... ... ...")
    sight = grid.sight()
    one, other = grid.square("a1"), grid.square("c3")
    assert sight.sees(one, other, {grid.square("b1"), grid.square("a2")})
    assert not sight.sees(one, other, {grid.square("b2")})
    assert sight.sees(one, other, {one, other})


def test_a_ray_ends_before_the_first_solid() -> None:
    grid = board("#.... ..... ...#. ....# .....")
    sight = grid.sight()
    assert names(grid, sight.rays(grid.square("a2"))[SOUTH_EAST]) == "b3 c4 d5"
    assert names(grid, sight.rays(grid.square("d5"))[NORTH]) == "d4"
    assert sight.between(grid.square("a2"), grid.square("c4")) == (grid.square("b3"),)
    assert sight.between(grid.square("a2"), grid.square("b4")) is None


def test_targets_are_the_nearest_of_each_line_within_reach() -> None:
    grid = Grid.from_rows(["." * 7] * 7)
    here = grid.square("d4")
    blockers = {grid.square(name): name for name in ("d3", "d1", "g4", "a7", "e6", "f2")}
    found = grid.sight().targets(here, blockers, 3)
    assert [(grid.name(square), distance) for square, distance in found] == [
        ("d3", 1), ("g4", 3), ("f2", 2), ("a7", 3),
    ]  # fmt: skip
    assert [grid.name(square) for square, _ in grid.sight().targets(here, blockers, 2)] == ["d3", "f2"]


# Any angle


@pytest.mark.parametrize(
    ("rows", "seen"),
    [
        (".. .. ..", True),  # the line from a1 to b3 enters a2 and b2, both open
        (".# .. #.", True),  # b1 and a3 are not on it
        (".. #. ..", False),  # a2 is
        (".. .# ..", False),  # so is b2
    ],
)
def test_a_knights_jump_enters_the_two_squares_between(rows: str, seen: bool) -> None:
    grid = board(rows)
    sight = grid.sight(any_angle=True)
    one, other = grid.square("a1"), grid.square("b3")
    assert sight.sees(one, other) is seen
    assert not grid.sight().sees(one, other)
    if seen:
        assert names(grid, sight.between(one, other)) == "a2 b2"
        assert names(grid, sight.between(other, one)) == "b2 a2"


def test_a_flat_line_through_corners_asks_the_flanks_at_each_of_them() -> None:
    # From a1 to d2 the line enters a1 b1, passes the corner between b1 and c2 and goes on through c2.
    grid = board("....  ....")
    line = grid.sight(any_angle=True).between(grid.square("a1"), grid.square("d2"))
    assert names(grid, line) == "b1 c2"
    one_wall, two_walls = board("..#. ...."), board("..#. .#..")
    for grid, verdicts in ((one_wall, (True, True, False)), (two_walls, (True, False, False))):
        ends = grid.square("a1"), grid.square("d2")
        assert tuple(grid.sight(corner, True).sees(*ends) for corner in (OPEN, BOTH, EITHER)) == verdicts


def test_a_square_touched_only_at_its_corner_is_not_entered() -> None:
    grid = board("....  ....")
    sight = grid.sight(any_angle=True)
    assert sight.sees(grid.square("a1"), grid.square("d2"), {grid.square("c1"), grid.square("b2")})
    assert not sight.sees(grid.square("a1"), grid.square("d2"), {grid.square("c2")})


def test_targets_at_any_angle_count_the_larger_of_columns_and_rows() -> None:
    grid = Grid.from_rows(["." * 7] * 7)
    blockers = frozenset(grid.square(name) for name in ("e6", "d6", "g5", "f7"))
    found = grid.sight(any_angle=True).targets(grid.square("d4"), blockers, 3)
    assert [(grid.name(square), distance) for square, distance in found] == [
        ("g5", 3), ("d6", 2), ("e6", 2),
    ]  # fmt: skip
    assert (
        names(grid, grid.sight(any_angle=True).between(grid.square("d4"), grid.square("f7"))) == "d5 e5 e6 f6"
    )  # so e6 hides f7


# Walking


def test_walking_goes_round_walls_and_not_through_barred_squares() -> None:
    grid = board("... .#. ..# ##.")
    start = grid.square("a1")
    assert grid.walk(start, grid.square("c2")) == 3
    assert grid.walk(start, grid.square("c4")) == -1
    assert grid.walk(start, start) == 0
    assert not grid.connected
    near = grid.within_walk(start, 3, {grid.square("b1")})
    assert {grid.name(square): steps for square, steps in near.items()} == {"a1": 0, "a2": 1, "a3": 2, "b3": 3}


def test_no_way_leads_from_a_wall() -> None:
    grid = board(".# ..")
    assert set(grid.distances(grid.square("b1"))) == {-1}


# Laws on random boards

SIZE = 6
boards = st.lists(st.text("..#", min_size=SIZE, max_size=SIZE), min_size=SIZE, max_size=SIZE).map(Grid.from_rows)
corners = st.sampled_from(list(Corner))
masks = st.frozensets(st.integers(0, SIZE * SIZE - 1), max_size=8)
laws = settings(max_examples=60, deadline=None)


def pairs(grid: Grid) -> list[tuple[int, int]]:
    return [(one, other) for one in grid.squares for other in grid.squares if one != other]


@laws
@given(boards, corners, st.booleans(), masks)
def test_what_one_sees_the_other_sees(grid: Grid, corner: Corner, any_angle: bool, blockers: frozenset[int]) -> None:
    forwards = Grid.from_rows(rows(grid)).sight(corner, any_angle)
    for one, other in pairs(grid):
        assert forwards.sees(one, other, blockers) == grid.sight(corner, any_angle).sees(other, one, blockers)


@laws
@given(boards, corners, st.booleans(), masks)
def test_a_wall_added_never_opens_a_line(grid: Grid, corner: Corner, any_angle: bool, walls: frozenset[int]) -> None:
    shut = grid.closed(walls)
    before, after = grid.sight(corner, any_angle), shut.sight(corner, any_angle)
    for one, other in pairs(shut):
        assert before.sees(one, other) or not after.sees(one, other)


@laws
@given(boards, corners, st.booleans(), masks)
def test_half_a_turn_of_the_board_changes_nothing(
    grid: Grid, corner: Corner, any_angle: bool, blockers: frozenset[int]
) -> None:
    turned = Grid.from_rows([row[::-1] for row in rows(grid)[::-1]])
    last = SIZE * SIZE - 1
    before, after = grid.sight(corner, any_angle), turned.sight(corner, any_angle)
    there = frozenset(last - square for square in blockers)
    for one, other in pairs(grid):
        assert before.sees(one, other, blockers) == after.sees(last - one, last - other, there)
        assert grid.walk(one, other) == turned.walk(last - one, last - other)


@laws
@given(boards, corners)
def test_along_the_eight_directions_both_ways_of_seeing_agree(grid: Grid, corner: Corner) -> None:
    for one, other in pairs(grid):
        eight, free = grid.sight(corner).between(one, other), grid.sight(corner, True).between(one, other)
        if grid.direction(one, other) is None:
            assert eight is None
        else:
            assert eight == free


@laws
@given(boards, corners, st.booleans(), masks, st.integers(1, SIZE))
def test_targets_are_exactly_what_is_seen_and_near(
    grid: Grid, corner: Corner, any_angle: bool, blockers: frozenset[int], reach: int
) -> None:
    sight = grid.sight(corner, any_angle)
    for square in grid.squares:
        wanted = {
            (there, grid.span(square, there))
            for there in blockers
            if there != square and sight.sees(square, there, blockers) and grid.span(square, there) <= reach
        }
        found = sight.targets(square, blockers, reach)
        assert set(found) == wanted
        assert len(found) == len(wanted)


@laws
@given(boards, masks)
def test_a_closed_grid_is_the_grid_drawn_with_those_walls(grid: Grid, walls: frozenset[int]) -> None:
    drawn = [list(row) for row in rows(grid)]
    for square in walls:
        drawn[square // SIZE][square % SIZE] = "#"
    fresh, shut = Grid.from_rows(["".join(row) for row in drawn]), grid.closed(walls)
    assert shut.open == fresh.open
    assert shut.neighbours == fresh.neighbours
    assert [shut.sight().rays(square) for square in shut.squares] == [
        fresh.sight().rays(square) for square in fresh.squares
    ]


@laws
@given(boards)
def test_walking_distance_is_a_metric_and_never_under_the_span(grid: Grid) -> None:
    for one, other in pairs(grid):
        assert grid.walk(one, other) == grid.walk(other, one)
        if (steps := grid.walk(one, other)) >= 0:
            assert steps >= grid.span(one, other)
            assert grid.within_walk(one, steps)[other] == steps
            assert other not in grid.within_walk(one, steps - 1)


def rows(grid: Grid) -> list[str]:
    return ["".join("." if row * SIZE + column in grid.open else "#" for column in range(SIZE)) for row in range(SIZE)]
