"""What sections, objectives and location tiles must be like: one shape, floor that hangs together, room for templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..faults import Fault
from . import records as r

if TYPE_CHECKING:
    from .catalogue import Catalogue

FILE, OBJECTIVES = "sections.toml", "objectives.toml"
SIZE = {"columns": 15, "rows": 11, "pitch_x": 14, "pitch_y": 10, "rotations": (0, 180)}
"""The shape of all sections: names of squares and the frame of the board are made for it (TA-BOARD-5, TA-BOARD-6)."""
NUMBERS = range(1, 7)
"""The numbers of sections and of objectives."""
WALL, FLOOR, ENTRANCE = "#", ".", "+"
Square = tuple[int, int]


def numbers(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield sections, objectives and tiles that are not six, each with a number and an id of its own (TA-COMP-2)."""
    for file, table, count in (
        (FILE, "section", len(catalogue.sections)),
        (OBJECTIVES, "objective", len(catalogue.objectives)),
        (OBJECTIVES, "location_tile", len(catalogue.tiles)),
    ):
        if count != len(NUMBERS):
            yield Fault(f"there must be {len(NUMBERS)} records of {table}, not {count}.", file)
    ids: set[str] = set()
    for number, section in enumerate(catalogue.sections.values()):
        if section.number not in NUMBERS:
            yield Fault(f"sections are numbered 1 to 6, not {section.number}.", FILE, "section", number, "number")
        if section.id in ids:
            yield Fault(f"'{section.id}' is there twice; each must be unique.", FILE, "section", number, "id")
        ids.add(section.id)
    for number, objective in enumerate(catalogue.objectives.values()):
        if objective.number not in NUMBERS:
            reason = f"objectives are numbered 1 to 6, not {objective.number}."
            yield Fault(reason, OBJECTIVES, "objective", number, "number")
        if objective.id != f"OBJ-{objective.number}":  # so it is typed
            yield Fault(f"its id must be 'OBJ-{objective.number}'.", OBJECTIVES, "objective", number, "id")


def geometry(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield a shape of sections other than the one the board is made for (TA-BOARD-1, TA-BOARD-5)."""
    shape = catalogue.geometry
    for key, wanted in SIZE.items():
        if getattr(shape, key) != wanted:
            shown = list(wanted) if isinstance(wanted, tuple) else wanted
            yield Fault(f"{key} must be {shown}.", FILE, "geometry", 0, key)
    for key, length, count in (
        ("long_side_entrances", shape.columns, 2),
        ("short_side_entrances", shape.rows, 1),
    ):
        places: tuple[int, ...] = getattr(shape, key)
        if len({*places}) != count or len(places) != count:
            yield Fault(f"there must be {count} on each such side.", FILE, "geometry", 0, key)
        if any(not 1 <= place <= length - 2 for place in places):
            yield Fault("entrances lie between the corners.", FILE, "geometry", 0, key)
        if {*places} != {length - 1 - place for place in places}:
            yield Fault("entrances must meet when a section is turned by 180 degrees.", FILE, "geometry", 0, key)
    if {*catalogue.legend} != {WALL, FLOOR, ENTRANCE}:
        yield Fault(f"it must explain {WALL} {FLOOR} {ENTRANCE} and no other mark.", FILE, "legend")


def entrances(shape: r.Geometry) -> set[Square]:
    """Return the local squares of the six passages (TA-BOARD-1)."""
    across = {(x, y) for x in shape.long_side_entrances for y in (0, shape.rows - 1)}
    return across | {(x, y) for y in shape.short_side_entrances for x in (0, shape.columns - 1)}


def floor(section: r.Section) -> set[Square]:
    """Return the local squares that are not wall, half squares included (TA-MOVE-6)."""
    return {(x, y) for y, row in enumerate(section.rows) for x, mark in enumerate(row) if mark != WALL}


def grids(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield grids of another shape, walls with other gaps than the entrances, and floor that cannot be reached.

    Floor that hangs together with sealed corners does so with open ones, and in either turn (TA-MOVE-8, TA-BOARD-9).
    """
    shape = catalogue.geometry
    doors = entrances(shape)
    for number, section in enumerate(catalogue.sections.values()):
        rows = section.rows
        if len(rows) != shape.rows or any(len(row) != shape.columns for row in rows):
            yield Fault(f"it must be {shape.rows} rows of {shape.columns} marks.", FILE, "section", number, "grid")
        for y, row in enumerate(rows):
            for x, mark in enumerate(row):
                if reason := _misplaced(mark, (x, y), doors, shape):
                    yield Fault(f"{named((x, y))}: {reason}", FILE, "section", number, "grid")
        found = reached(floor(section), sealed=True)
        for square in sorted(floor(section) - found, key=lambda square: square[::-1]):
            yield Fault(
                f"{named(square)} cannot be reached from {named(min(found))} with sealed corners.", FILE, "section",
                number, "grid",
            )  # fmt: skip


def _misplaced(mark: str, square: Square, doors: set[Square], shape: r.Geometry) -> str:
    if mark not in (WALL, FLOOR, ENTRANCE):
        return f"'{mark}' is no mark of a grid."
    if square in doors:
        return "" if mark == ENTRANCE else f"there must be an entrance, not '{mark}'."
    if mark == ENTRANCE:
        return "there is no entrance."
    edge = square[0] in (0, shape.columns - 1) or square[1] in (0, shape.rows - 1)
    return f"the edge must be wall, not '{mark}'." if edge and mark != WALL else ""


def named(square: Square) -> str:
    """Return what players call a local square: its column's letter and its row (TA-BOARD-5)."""
    return f"{chr(ord('a') + square[0])}{square[1] + 1}"


def reached(squares: set[Square], sealed: bool) -> set[Square]:
    """Return what can be reached from the first of the squares; sealed: not by a step between two that are missing."""
    start = min(squares)
    found, fresh = {start}, [start]
    while fresh:
        x, y = fresh.pop()
        for step in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            gap = step[0] != x and step[1] != y and (step[0], y) not in squares and (x, step[1]) not in squares
            if step in squares and step not in found and not (sealed and gap):
                found.add(step)
                fresh.append(step)
    return found


def objectives(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield objectives, tiles and sections that do not belong to each other by number (TA-OBJ-1)."""
    for number, section in enumerate(catalogue.sections.values()):
        if section.objective != f"OBJ-{section.number}":
            yield Fault(f"its objective must be 'OBJ-{section.number}'.", FILE, "section", number, "objective")
    for number, tile in enumerate(catalogue.tiles.values()):
        if tile.section not in NUMBERS:
            yield Fault(f"there is no section {tile.section}.", OBJECTIVES, "location_tile", number, "section")
        if tile.objective != f"OBJ-{tile.section}":
            reason = f"the objective of section {tile.section} is 'OBJ-{tile.section}'."
            yield Fault(reason, OBJECTIVES, "location_tile", number, "objective")
    told: set[int] = set()
    for number, tile in enumerate(catalogue.tiles.values()):
        if tile.section in told:
            reason = f"there is a tile of section {tile.section} already."
            yield Fault(reason, OBJECTIVES, "location_tile", number, "section")
        told.add(tile.section)


def places(section: r.Section, wide: int, high: int) -> list[Square]:
    """Return the north-west corners where a template of that size would lie on floor, off half squares (TA-OBJ-3)."""
    rows = section.rows
    return [
        (x, y)
        for y in range(len(rows) - high + 1)
        for x in range(len(rows[0]) - wide + 1)
        if all(rows[y + down][x + right] == FLOOR for down in range(high) for right in range(wide))
    ]


def room(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield templates without squares, and sections without a place for their own (TA-OBJ-2 to TA-OBJ-4)."""
    for number, objective in enumerate(catalogue.objectives.values()):
        if min(objective.size) < 1:
            yield Fault("a template covers at least one square.", OBJECTIVES, "objective", number, "size")
    for number, section in enumerate(catalogue.sections.values()):
        wide, high = catalogue.objectives[section.objective].size
        if not places(section, wide, high) and not places(section, high, wide):
            reason = f"there is no place for the template of {section.objective}, {wide} by {high} squares."
            yield Fault(reason, FILE, "section", number, "grid")
