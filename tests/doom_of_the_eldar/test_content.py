"""The content of Doom of the Eldar: what it holds, how it hangs together, and what the rules look up in it."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptape.domain.doom_of_the_eldar import effects
from warptape.domain.doom_of_the_eldar.book import ALL, Book
from warptape.domain.doom_of_the_eldar.catalogue import load
from warptape.domain.doom_of_the_eldar.checks_map import inside
from warptape.domain.doom_of_the_eldar.records import Region
from warptape.domain.doom_of_the_eldar.state import ASIDE, BOXES, WARP_GATE, DoomState, Options

CATALOGUE = load()
TEXTS = dict(CATALOGUE.content.files)
BOOK = Book(CATALOGUE)
AREAS = CATALOGUE.areas
SECTORS = ("s1", "s2", "s3", "s4", "s5", "s6")
INNER = ("shrine", "forests")
ADJACENT = {frozenset((id, other)) for id, area in AREAS.items() for other in area.adjacent}
IYANDEN = Options(knights_origin="iyanden")
THREE = Options(protoids_in_lid=3)


def pair(left: str, right: str) -> frozenset[str]:
    return frozenset((left, right))


# The counters


def test_the_packaged_catalogue_is_read_once() -> None:
    assert load() is CATALOGUE
    assert load(TEXTS) is not CATALOGUE


def test_doe_comp_1_an_oblong_is_a_spacecraft_with_one_number() -> None:
    for ship in CATALOGUE.ships.values():
        assert ship.shape == "oblong"
    for unit in CATALOGUE.units.values():
        assert (unit.combat > 0) == (unit.group == "ship")
        assert unit.group != "ship" or unit.attack == unit.defence == 0


def test_doe_comp_2_a_hexagon_is_a_ground_force_with_attack_and_defence() -> None:
    assert {ground.shape for ground in CATALOGUE.ground.values()} == {"hexagon"}
    assert all(unit.attack and unit.defence for unit in CATALOGUE.units.values() if unit.group == "ground")
    guardian = CATALOGUE.units["GUA1"]
    assert (guardian.attack, guardian.defence, guardian.combat) == (4, 4, 0)


def test_doe_comp_3_a_triangle_is_a_special_counter() -> None:
    triangles = [special.code for special in CATALOGUE.specials.values() if special.shape == "triangle"]
    assert triangles == [unit.id for unit in CATALOGUE.units.values() if unit.group == "special"]
    assert triangles == ["AVA", "FAR", "YRI", "WRG"]


def test_doe_comp_4_a_square_is_the_state_of_one_of_nine_craftworld_areas() -> None:
    assert len(BOOK.craftworld) == 9
    assert {"fortified", "devastated"} <= {field.name for field in msgspec.structs.fields(DoomState)}


def test_doe_comp_5_a_round_counter_is_a_swarm_of_ten_and_has_a_horde_side() -> None:
    assert {counter.swarm for counter in BOOK.counters.values()} == {10}
    assert {counter.kind: (counter.attack, counter.defence) for counter in BOOK.counters.values()} == {
        "hive_mind": (0, 0), "tyrant": (18, 18), "screamer": (16, 16), "patriarch": (14, 14), "fleshstealer": (8, 8),
        "spore_mine": (0, 0), "protoid": (6, 6), "horde": (12, 12), "genestealer": (12, 8), "slayer": (9, 6),
        "razorwing": (7, 7),
    }  # fmt: skip
    marked = {counter.id for counter in CATALOGUE.tyranids.values() if counter.special and counter.in_lid}
    assert marked == {special.id for special in CATALOGUE.specials.values() if special.shape == "round"}


def test_doe_comp_6_there_are_a_board_a_track_a_template_and_tables() -> None:
    assert len(AREAS) == 21
    assert CATALOGUE.track.last_box - CATALOGUE.track.first_box + 1 == 90
    assert {*CATALOGUE.track.destroyed_boxes, WARP_GATE} <= {*BOXES}
    assert len(CATALOGUE.craftworld.row) == len(CATALOGUE.deep_space.row) == 6


def test_doe_list_1_the_counters_add_up_to_30_16_22_and_24() -> None:
    """And with 4 special counters and 9 squares to the printed 83 (ruling G-3)."""
    groups = Counter(unit.group for unit in CATALOGUE.units.values())
    assert groups == {"ground": 30, "ship": 16, "special": 4}
    lid = sum(counter.count for counter in CATALOGUE.tyranids.values() if counter.in_lid)
    faces = sum(counter.count for counter in CATALOGUE.tyranids.values())
    assert (lid, faces) == (22, 24)
    printed = CATALOGUE.content.parsed("counters.toml")["printed_totals"]
    assert printed["stated_ground"] == groups["ground"]
    assert printed["stated_specials"] == groups["special"]
    assert printed["stated_swarm_backs"] == lid
    assert printed["stated_total"] == sum(groups.values()) + faces + len(BOOK.craftworld) == 83
    assert printed["stated_spacecraft"] == 18 > groups["ship"]


def test_doe_list_1_the_eldar_figures() -> None:
    assert {kind.code: (kind.count, kind.attack, kind.defence) for kind in CATALOGUE.ground.values()} == {
        "EXA": (1, 12, 8), "ASP": (5, 6, 4), "GUA": (8, 4, 4), "TIT": (1, 12, 12), "FAL": (4, 5, 5), "TEM": (1, 7, 5),
        "DST": (1, 6, 6), "ALA": (1, 4, 4), "KNI": (1, 9, 5), "HAR": (1, 8, 8), "ULT": (1, 5, 4), "SAI": (1, 5, 3),
        "BIE": (1, 5, 5), "RAI": (3, 5, 4),
    }  # fmt: skip
    assert {kind.code: (kind.count, kind.combat, kind.move) for kind in CATALOGUE.ships.values()} == {
        "GHO": (1, 8, 3), "WSH": (4, 6, 3), "SHA": (4, 5, 3), "NWG": (4, 4, 3), "RGH": (1, 8, 3), "RWS": (2, 6, 3),
    }  # fmt: skip
    assert [CATALOGUE.units["WRG"].attack, CATALOGUE.units["WRG"].defence] == [24, 24]
    assert sum(CATALOGUE.units[id].combat for id in ("RGH", "RWS1", "RWS2")) == 20


def test_doe_list_2_the_lid_holds_22_counters_with_one_small_protoid() -> None:
    """With the option protoids_in_lid there are three, and 24 counters (ruling G-4)."""
    assert len(BOOK.lid(Options())) == 22
    assert [id for id in BOOK.lid(Options()) if BOOK.counters[id].kind == "protoid"] == ["PR"]
    assert len(BOOK.lid(THREE)) == 24
    assert [id for id in BOOK.lid(THREE) if BOOK.counters[id].kind == "protoid"] == ["PR1", "PR2", "PR3"]
    aside = {(kind.attack, kind.defence) for kind in CATALOGUE.tyranids.values() if not kind.in_lid}
    (grow,) = BOOK.counters["PR"].effects
    assert isinstance(grow, effects.Grow)
    assert grow.stages == ((6, 6), (12, 12), (24, 24))
    assert {*grow.stages[1:]} == aside


def test_doe_ava_1_the_kinds_that_the_avatar_doubles_are_those_marked_as_aspect_warriors() -> None:
    """Ruling G-22: the five counters of that name."""
    marked = {kind for kind, record in CATALOGUE.ground.items() if record.aspect_warrior}
    (doubles,) = CATALOGUE.specials["avatar"].printed_effects
    assert isinstance(doubles, effects.MultiplyValues)
    assert {*doubles.targets} == marked == {"aspect"}
    assert sum(unit.kind in marked for unit in CATALOGUE.units.values()) == 5


def test_every_name_that_can_be_typed_is_one_things_whatever_its_case() -> None:
    names = [*AREAS, *CATALOGUE.units, *BOOK.counters]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9]*", name) for name in names)


def test_doe_mine_1_the_standing_order_at_the_start_is_that_of_the_content_and_18_is_the_most() -> None:
    orders = [
        effect.default_order
        for effect in BOOK.counters["SM"].effects
        if isinstance(effect, effects.Detonate) and effect.by == "standing_order"
    ]
    assert orders == [DoomState.__struct_defaults__[DoomState.__struct_fields__.index("order")]] == [3]
    assert sum(unit.domain != "craftworld" for unit in CATALOGUE.units.values()) == 18


# The map


def touching(left: Region, right: Region) -> bool:
    """Say whether two wedges share a border that has a length."""

    def overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
        return min(one[1], other[1]) > max(one[0], other[0])

    (a, b), (c, d) = left.angle, right.angle
    if left.ring[0] == right.ring[1] or left.ring[1] == right.ring[0]:
        return any(overlap((a, b), (c + turn, d + turn)) for turn in (-720, -360, 0, 360, 720))
    return overlap(left.ring, right.ring) and ((a - d) % 360 == 0 or (b - c) % 360 == 0)


def drawn() -> set[frozenset[str]]:
    """The pairs of areas that share a border with a length in the drawing in text."""
    lines = CATALOGUE.board.ascii.split("\n")
    lines = [line for line in lines if line]
    cells = {(x, y): mark for y, line in enumerate(lines) for x, mark in enumerate(line)}
    room: dict[tuple[int, int], str] = {}
    for start, mark in cells.items():
        if start in room or mark in "+-|":
            continue
        found, fresh = {start}, [start]
        while fresh:
            x, y = fresh.pop()
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if beside not in found and cells.get(beside, "+") not in "+-|":
                    found.add(beside)
                    fresh.append(beside)
        rows = sorted({y for _, y in found})
        words = " ".join("".join(cells[x, y] if (x, y) in found else " " for x in range(len(lines[y]))) for y in rows)
        (name,) = {word.replace("nightm.", "nightmares") for word in words.split()} & {*AREAS}
        room.update(dict.fromkeys(found, name))
    assert {*room.values()} == {*AREAS}
    touches = set()
    for (x, y), mark in cells.items():
        sides = {"|": ((x - 1, y), (x + 1, y)), "-": ((x, y - 1), (x, y + 1))}.get(mark, ())
        names = {room[side] for side in sides if side in room}
        if len(names) == 2:
            touches.add(frozenset(names))
    return touches


def steps(start: str, within: tuple[str, ...] = BOOK.areas) -> dict[str, int]:
    """Return how many steps each area is from one, along areas of a part."""
    found, edge = {start: 0}, [start]
    while edge:
        edge = [other for id in edge for other in AREAS[id].adjacent if other in within and other not in found]
        found.update({id: max(found.values()) + 1 for id in edge})
    return found


def test_doe_map_1_there_are_nine_craftworld_areas_six_near_ones_and_six_sectors() -> None:
    assert Counter(area.kind for area in AREAS.values()) == {"craftworld": 9, "space": 12}
    assert [id for id, area in AREAS.items() if area.sector] == [*SECTORS]
    assert tuple(BOOK.sectors[face - 1] for face in range(1, 7)) == SECTORS
    assert [AREAS[id].sector for id in SECTORS] == [1, 2, 3, 4, 5, 6]
    assert {*BOOK.space} - {*SECTORS} == {"n1", "n2", "n3", "n4", "n5", "n6"}


def test_doe_map_1_adjacency_is_symmetric() -> None:
    for id, area in AREAS.items():
        assert id not in area.adjacent
        assert all(id in AREAS[other].adjacent for other in area.adjacent)
        assert {*BOOK.adjacent[id]} == {*area.adjacent} == {*BOOK.near_space[id]} | {*BOOK.near_craftworld[id]}


def test_doe_map_1_areas_are_adjacent_just_where_their_wedges_touch() -> None:
    assert {pair(one.id, two.id) for one, two in combinations(AREAS.values(), 2) if touching(one, two)} == ADJACENT


def test_doe_map_1_the_wedges_make_up_the_whole_disc_without_overlap() -> None:
    covered = sum((area.ring[1] ** 2 - area.ring[0] ** 2) * (area.angle[1] - area.angle[0]) for area in AREAS.values())
    assert covered == pytest.approx(360)
    board = CATALOGUE.board
    for x in range(0, board.width, 35):
        for y in range(0, board.height, 25):
            assert sum(inside(board, area, (x, y)) for area in AREAS.values()) <= 1


def test_doe_map_1_the_drawing_in_text_shows_all_contacts_but_two() -> None:
    assert drawn() == ADJACENT - {pair("s1", "s6"), pair("s3", "s4")}
    assert "s1-s6 and s3-s4" in CATALOGUE.board.ascii_note


@pytest.mark.parametrize("part", [BOOK.craftworld, BOOK.space])
def test_doe_map_1_either_part_is_connected_and_three_steps_wide(part: tuple[str, ...]) -> None:
    ways = [steps(id, part) for id in part]
    assert all(way.keys() == {*part} for way in ways)
    assert max(max(way.values()) for way in ways) == 3


@pytest.mark.parametrize("sector", SECTORS)
def test_doe_map_1_each_sector_is_two_to_four_steps_from_the_hull_and_three_from_the_heart(sector: str) -> None:
    way = steps(sector)
    outer = {way[id] for id in BOOK.craftworld if id not in INNER}
    assert (min(outer), max(outer)) == (2, 4)
    assert [way[id] for id in INNER] == [3, 3]


def test_doe_map_1_only_the_shrine_and_the_forests_have_no_outer_hull() -> None:
    assert tuple(id for id in BOOK.craftworld if not BOOK.near_space[id]) == INNER


@pytest.mark.parametrize("area", AREAS.values(), ids=lambda area: area.id)
def test_doe_map_1_a_label_lies_in_its_own_wedge_alone(area: Region) -> None:
    assert [other.id for other in AREAS.values() if inside(CATALOGUE.board, other, area.label)] == [area.id]


# The tables


MIRROR = {"AA": "DA", "AD": "DD", "BC": "BC", "DD": "AD", "DA": "AA"}
ODDS = [(column, roll) for column in CATALOGUE.craftworld.columns for roll in range(1, 7)]


def test_doe_cw_6_columns_and_printed_rows() -> None:
    assert CATALOGUE.craftworld.columns == ("1-3", "1-2", "1-1", "2-1", "3-1")
    assert [" ".join(row.results) for row in CATALOGUE.craftworld.row[:4]] == [
        "AA AA AA AD BC", "AA AD AD BC BC", "AD AD BC BC DD", "AD BC BC DD DD",
    ]  # fmt: skip
    assert BOOK.result("1-1", 5).code == "DD"


@pytest.mark.parametrize(("column", "roll"), ODDS)
def test_doe_cw_7_swapping_sides_mirrors_the_table(column: str, roll: int) -> None:
    """Ruling G-7: odds and sides swapped, a roll of r becomes 7 - r, in all 30 cells."""
    assert len(ODDS) == 30
    swapped = "-".join(reversed(column.split("-")))
    # the table has 1-3 and 3-1 at its ends and 1-1 in the middle, so every column has its mirror
    assert BOOK.result(column, roll).code == MIRROR[BOOK.result(swapped, 7 - roll).code]


def test_doe_cw_4_what_the_results_cost() -> None:
    losses = {code: BOOK.result(code, 0)[1:] for code in MIRROR}
    assert losses == {"AA": (ALL, 0), "AD": (1, 0), "BC": (1, 1), "DD": (0, 1), "DA": (0, ALL)}


FIRE = [(column, roll) for column in range(9) for roll in range(1, 7)]


def test_doe_space_8_columns_and_printed_cells() -> None:
    assert [BOOK.fire_name(column) for column in range(9)] == [
        "0-4", "5-9", "10-14", "15-19", "20-29", "30-39", "40-49", "50-59", "60+",
    ]  # fmt: skip
    rows = {row.d6: row.destroyed for row in CATALOGUE.deep_space.row}
    assert rows[1] == (0, 0, 0, 0, 0, 1, 1, 1, 2)
    assert rows[2] == (0, 0, 0, 0, 1, 1, 1, 2, 2)
    assert (BOOK.fire(16, 4), BOOK.fire(10, 6)) == (1, 1)
    assert BOOK.fire(12, 4) >= 1


@pytest.mark.parametrize(("column", "roll"), FIRE)
def test_doe_space_9_every_cell_is_a_third_of_column_and_roll(column: int, roll: int) -> None:
    """Ruling G-8: (column + roll - 4) / 3, fractions dropped, columns counted from 1, never below 0, in all 54."""
    assert len(FIRE) == 54
    assert BOOK.fire(CATALOGUE.deep_space.band_low[column], roll) == max(0, (column + 1 + roll - 4) // 3)


@pytest.mark.parametrize("number", range(9))
def test_doe_track_9_a_row_of_ten_ends_on_doubles_up_to_its_number_and_is_worth_it(number: int) -> None:
    for box in range(10 * number, 10 * number + 10):
        row = BOOK.row(box, Options())
        assert row.boxes == (10 * number, 10 * number + 9)
        assert row.ending_doubles == tuple(range(1, min(number, 6) + 1))
        assert row.eldar_vp == number


def test_doe_track_9_both_layouts_agree_with_what_is_printed() -> None:
    """Ruling G-9: only double 1 in box 17; 4 points for 45 in rows of ten, and for rows of fifteen as well."""
    fifteen = Options(track_layout="rows_of_15")
    for options in (Options(), fifteen):
        assert BOOK.row(17, options).ending_doubles == (1,)
        assert BOOK.row(45, options).eldar_vp == 4
    assert [BOOK.row(box, fifteen).eldar_vp for box in (0, 14, 15, 89)] == [1, 1, 2, 6]


# The ready set-up


@pytest.mark.parametrize(("options", "count"), [(Options(), 37), (IYANDEN, 38)])
def test_doe_setup_5_the_ready_set_up_places_just_the_counters_that_must_be_placed(
    options: Options, count: int
) -> None:
    """DOE-SETUP-6 to -9: each where it may be, within the limit; 37 counters, or 38 with the Knights."""
    where = BOOK.quickstart(options)
    assert len(where) == count
    assert {*where} == {unit.id for unit in BOOK.units.values() if not BOOK.start(unit, options)}
    stacks: Counter[str] = Counter()
    for id, area in where.items():
        unit, kind = BOOK.units[id], AREAS[area].kind
        assert unit.domain in (kind, "anywhere")
        stacks[area] += kind == "craftworld" and unit.counts
    assert max(stacks.values()) <= BOOK.limit == 3
    assert all(stacks[area] for area in BOOK.craftworld)


def test_doe_setup_3_six_counters_wait_at_the_gate_and_seven_aside() -> None:
    """DOE-SETUP-2, -4."""
    boxes = Counter(BOOK.start(unit, Options()) for unit in BOOK.units.values())
    assert boxes == {"": 37, WARP_GATE: 6, ASIDE: 7}
    green = {unit.id for unit in BOOK.units.values() if BOOK.start(unit, Options()) == WARP_GATE}
    assert green == {"ALA", "KNI", "HAR", "ULT", "SAI", "BIE"}
    blue = {unit.id for unit in BOOK.units.values() if BOOK.start(unit, Options()) == ASIDE}
    assert blue == {"YRI", "RGH", "RWS1", "RWS2", "RAI1", "RAI2", "RAI3"}


# What the rules look up


@given(st.integers(min_value=0, max_value=2_000))
def test_doe_space_8_a_total_lies_in_one_column_and_that_is_its_own(total: int) -> None:
    """DOE-SPACE-10: a total of 0 lies in the first."""
    name = BOOK.fire_name(BOOK.fire_column(total))
    low, _, high = name.rstrip("+").partition("-")
    assert int(low) <= total
    assert name.endswith("+") or total <= int(high)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(1, 6))
def test_doe_space_9_more_fire_and_higher_rolls_never_destroy_less(total: int, more: int, roll: int) -> None:
    assert BOOK.fire(total, roll) <= BOOK.fire(total + more, roll)
    assert roll == 6 or BOOK.fire(total, roll) <= BOOK.fire(total, roll + 1)


TOTALS = st.integers(min_value=1, max_value=400)


@given(TOTALS, TOTALS)
def test_doe_cw_8_the_column_is_the_highest_not_above_the_true_ratio(attack: int, defence: int) -> None:
    """DOE-CW-2: with fractions dropped, an attack of at least the defence."""
    table = CATALOGUE.craftworld
    ratios = {name: Fraction(*map(int, name.split("-"))) for name in table.columns}
    true = Fraction(attack, defence)
    below = [name for name in table.columns if ratios[name] <= true]
    column = BOOK.odds(attack, defence, Options())
    assert column == (max(below, key=ratios.__getitem__) if below else "1-3")
    if attack >= defence:
        assert column == f"{min(attack // defence, 3)}-1"


@given(TOTALS, TOTALS)
def test_doe_cw_8_off_the_table_the_option_annihilates(attack: int, defence: int) -> None:
    """Ruling G-6: below 1-3 all attackers, from 4-1 all defenders; elsewhere the options change nothing."""
    true, plain = Fraction(attack, defence), BOOK.odds(attack, defence, Options())
    assert BOOK.odds(attack, defence, Options(odds_below_table="annihilate")) == (
        "AA" if true < Fraction(1, 3) else plain
    )
    assert BOOK.odds(attack, defence, Options(odds_above_table="annihilate")) == ("DA" if true >= 4 else plain)


@given(TOTALS, st.sampled_from(("clamp", "annihilate")), st.sampled_from(("clamp", "annihilate")))
def test_doe_cw_9_a_total_of_nothing_keeps_its_column(total: int, below: str, above: str) -> None:
    """Ruling G-17, whatever the options of ruling G-6 say."""
    options = msgspec.convert({"odds_below_table": below, "odds_above_table": above}, Options)
    assert BOOK.odds(total, 0, options) == BOOK.odds(0, 0, options) == "3-1"
    assert BOOK.odds(0, total, options) == "1-3"


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(10, 5, "2-1"), (9, 5, "1-1"), (36, 20, "1-1"), (10, 12, "1-2"), (4, 20, "1-3"), (60, 10, "3-1"), (36, 48, "1-2")],
)
def test_doe_cw_2_the_columns_of_the_examples(attack: int, defence: int, column: str) -> None:
    assert BOOK.odds(attack, defence, Options()) == column


@given(st.integers(0, 89), st.sampled_from(("rows_of_10", "rows_of_15")))
def test_doe_track_9_every_box_lies_in_one_row(box: int, layout: str) -> None:
    options = msgspec.convert({"track_layout": layout}, Options)
    rows = [row for row in CATALOGUE.layouts[layout] if row.boxes[0] <= box <= row.boxes[1]]
    assert rows == [BOOK.row(box, options)]


def test_the_look_ups_are_drawn_from_the_content() -> None:
    def book(file: str, old: str, new: str) -> Book:
        assert TEXTS[file].count(old) == 1
        return Book(load({**TEXTS, file: TEXTS[file].replace(old, new)}))

    fire = book("tables.toml", "destroyed = [1, 1, 1, 2,", "destroyed = [7, 1, 1, 2,")
    assert (BOOK.fire(3, 6), fire.fire(3, 6), fire.fire(3, 5)) == (1, 7, 0)
    bands = Book(
        load({**TEXTS, "tables.toml": TEXTS["tables.toml"].replace("[0, 5,", "[0, 6,").replace("[4, ", "[5, ")})
    )
    assert (BOOK.fire_name(BOOK.fire_column(5)), bands.fire_name(bands.fire_column(5))) == ("5-9", "0-5")
    odds = book("tables.toml", '["BC", "DD", "DA", "DA", "DA"]', '["BC", "DD", "DD", "DA", "DA"]')
    assert (BOOK.result("1-1", 6).code, odds.result("1-1", 6).code) == ("DA", "DD")
    losses = book("tables.toml", 'defender_losses = "all"', "defender_losses = 5")
    assert losses.result("DA", 0).defender == 5
    zero = book("tables.toml", 'defence_zero_column = "3-1"', 'defence_zero_column = "2-1"')
    assert zero.odds(4, 0, Options()) == "2-1"
    row = book("track.toml", "eldar_vp = 4 ", "eldar_vp = 40 ")
    assert (BOOK.row(45, Options()).eldar_vp, row.row(45, Options()).eldar_vp) == (4, 40)
    stack = book("setup.toml", "craftworld_stack = 3", "craftworld_stack = 5")
    assert stack.limit == 5
