"""The hive ship as it lies: floor, shared squares, names, edges, distances and sight, worked out once a layout."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from functools import cache, cached_property

from ..geometry import crossing
from .catalogue import Catalogue
from .plane import Plane
from .state import Laid, Point

HEADINGS: dict[str, Point] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""The step to the next cell for each way of going."""
AROUND: tuple[Point, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight steps: north, then clockwise; the order in which ties between ways of a move are settled."""
READING: tuple[Point, ...] = tuple(sorted(AROUND, key=lambda step: (step[1], step[0])))
"""The eight neighbours from the top row down, each row from left to right (TA-WEAP-20)."""


def turned(heading: str, quarter: int) -> str:
    """Return the way after so many quarter turns to the right (TA-SETUP-10)."""
    return "NESW"[("NESW".index(heading) + quarter) % 4]


class _Around(dict[Point, tuple[Point, ...]]):
    """The steps from each square that has been asked about."""

    def __init__(self, floor: frozenset[Point], sealed: bool) -> None:
        super().__init__()
        self._floor, self._sealed = floor, sealed

    def __contains__(self, square: object) -> bool:
        return square in self._floor

    def __missing__(self, square: Point) -> tuple[Point, ...]:
        floor, (x, y) = self._floor, square
        if square not in floor:
            raise KeyError(square)
        steps = (
            (x, y - 1), (x + 1, y - 1), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x - 1, y + 1), (x - 1, y),
            (x - 1, y - 1),
        )  # fmt: skip
        found = tuple([step for step in steps if step in floor])
        if self._sealed:
            found = tuple((u, v) for u, v in found if u == x or v == y or (u, y) in floor or (x, v) in floor)
        self[square] = found
        return found


@cache
def _entered(width: int, columns: int, rows: int) -> tuple[int, int]:
    """The squares that a line so far enters as bits of a plane of that width, and where the lowest bit lies from the start."""
    east, south = (1 if columns > 0 else -1), (1 if rows > 0 else -1)
    places = [south * v * width + east * u for u, v in crossing(abs(columns), abs(rows)).entered]
    low = min(places, default=0)
    mask = 0
    for place in places:
        mask |= 1 << (place - low)
    return mask, low


class Ship:
    """Six sections on their lattice, with templates as walls; immutable, and the same object for the same layout.

    `floor` are the squares that may be stood on, `solid` those of templates, `sections` the numbers of the sections
    that each floor square belongs to, the nearest to the rear first, `squares` all floor squares of a section in
    reading order. `around` are the squares a step may lead to. `outer` are the half squares on the outer edge.
    """

    def __init__(
        self, catalogue: Catalogue, chain: Sequence[Laid], entry: Point, solid: frozenset[Point], sealed: bool
    ) -> None:
        geometry = catalogue.geometry
        self.chain = tuple(chain)
        self.solid = solid
        self.sealed = sealed
        wide, high = geometry.pitch_x, geometry.pitch_y
        self._entry = (entry[0] * wide, entry[1] * high, wide, high)
        self._columns, self._rows = geometry.columns, geometry.rows
        belongs: dict[Point, tuple[int, ...]] = {}
        self.squares: dict[int, tuple[Point, ...]] = {}
        self.origins: dict[int, Point] = {}
        doors: dict[Point, list[Laid]] = {}
        for laid in self.chain:
            left, top = laid.cell[0] * wide, laid.cell[1] * high
            self.origins[laid.section] = (left, top)
            floor_here, doors_here = ground(catalogue, laid.section, laid.rotation)
            places = tuple([(left + column, top + row) for column, row in floor_here])
            self.squares[laid.section] = places
            alone = (laid.section,)
            belongs.update([(place, belongs[place] + alone if place in belongs else alone) for place in places])
            for column, row in doors_here:
                doors.setdefault((left + column, top + row), []).append(laid)
        self.sections: dict[Point, tuple[int, ...]] = belongs
        self.bare: frozenset[Point] = frozenset(belongs)
        """Floor and the squares under templates."""
        self.floor: frozenset[Point] = self.bare - solid
        floor = self.floor
        self.around: dict[Point, tuple[Point, ...]] = _Around(floor, sealed)
        """The squares that a step from a floor square may lead to, from the north clockwise; worked out when asked for."""
        self.outer: tuple[Point, ...] = tuple(
            place
            for place, there in doors.items()
            if len(there) == 1 and not self._faces(there[0], place, entry, wide, high)
        )
        self._lines: dict[tuple[Point, Point], tuple[Point, ...] | None] = {}
        self.floods: dict[object, object] = {}
        """Kept searches for where models can move."""
        self._floors: dict[int, frozenset[Point]] = {}
        self._masks: dict[int, int] = {}
        self.plane = Plane(self.bare, floor, sealed)

    def in_entry(self, square: Point) -> bool:
        """Say whether a place lies within the entry area, which is no part of the board (TA-MOVE-7)."""
        left, top, wide, high = self._entry
        return left < square[0] < left + wide and top < square[1] < top + high

    def _faces(self, laid: Laid, place: Point, entry: Point, wide: int, high: int) -> bool:
        """Whether a half square of the rear section faces the entry area (TA-REINF-7)."""
        if laid is not self.chain[0]:
            return False
        left, top = self.origins[laid.section]
        column, row = entry[0] - laid.cell[0], entry[1] - laid.cell[1]
        if column:
            return place[0] == left + (0 if column < 0 else wide)
        return place[1] == top + (0 if row < 0 else high)

    def ground(self, section: int) -> frozenset[Point]:
        """Return the floor squares of a section, for membership; templates are on it."""
        found = self._floors.get(section)
        if found is None:
            found = self._floors[section] = frozenset(self.squares.get(section, ()))
        return found

    def mask(self, section: int) -> int:
        """Return the floor squares of a section as bits of the plane."""
        found = self._masks.get(section)
        if found is None:
            found = self._masks[section] = self.plane.mask(self.squares.get(section, ()))
        return found

    # Names

    def name(self, square: Point) -> str:
        """Return the name of a square, such as `4:e1`: that of the section nearest to the rear; its numbers off the ship."""
        numbers = self.sections.get(square) or [
            number
            for number, (left, top) in self.origins.items()
            if 0 <= square[0] - left < self._columns and 0 <= square[1] - top < self._rows
        ]
        if not numbers:
            return f"({square[0]},{square[1]})"
        left, top = self.origins[numbers[0]]
        return f"{numbers[0]}:{chr(ord('a') + square[0] - left)}{square[1] - top + 1}"

    def square(self, section: int, column: int, row: int) -> Point | None:
        """Return the square of a section at column and row (from 0); None for one that the section does not have."""
        origin = self.origins.get(section)
        if origin is None or not 0 <= column < self._columns or not 0 <= row < self._rows:
            return None
        return origin[0] + column, origin[1] + row

    def corner(self, section: int) -> Point:
        """Return the north-west square of a section."""
        return self.origins[section]

    # Sight

    @cached_property
    def reading(self) -> tuple[Point, ...]:
        """All floor squares in reading order."""
        return tuple(sorted(self.floor, key=lambda place: (place[1], place[0])))

    def clear(self, at: Point, reach: int, blockers: Mapping[Point, str]) -> list[Point]:
        """Return the empty floor squares within a range to which a line is clear, in reading order (TA-WEAP-21).

        What `sees` says of each, with all squares of a line looked at in one step.
        """
        plane = self.plane
        stop = plane.walls | plane.mask(self.solid) | plane.mask(blockers)
        width, (x, y) = plane.width, at
        here = (y - plane.top) * width + x - plane.left
        found = []
        for place in self.reading:
            columns, rows = place[0] - x, place[1] - y
            if -reach <= columns <= reach and -reach <= rows <= reach and (columns or rows) and place not in blockers:
                mask, low = _entered(width, columns, rows)
                if not (mask << (here + low)) & stop:
                    found.append(place)
        return [place for place in found if self.line(at, place) is not None] if self.sealed else found

    def line(self, one: Point, to: Point) -> tuple[Point, ...] | None:
        """Return the squares that a line enters between its ends, None where a wall closes it (TA-LOS-1, -2, -4, -5).

        Templates are among the squares: whether they block is for the caller.
        """
        key = (one, to)
        if key in self._lines:
            return self._lines[key]
        found = self._lines[key] = self._trace(one, to)
        self._lines[to, one] = None if found is None else found[::-1]
        return found

    def _trace(self, one: Point, to: Point) -> tuple[Point, ...] | None:
        columns, rows = to[0] - one[0], to[1] - one[1]
        east, south = (1 if columns > 0 else -1), (1 if rows > 0 else -1)
        line = crossing(abs(columns), abs(rows))
        x, y = one
        entered = []
        for u, v in line.entered:
            place = (x + east * u, y + south * v)
            if place not in self.bare:
                return None
            entered.append(place)
        if self.sealed:
            for (u, v), (beside, below) in line.corners:
                flanks = (x + east * beside, y + south * v), (x + east * u, y + south * below)
                if flanks[0] not in self.floor and flanks[1] not in self.floor:
                    return None
        return tuple(entered)

    def sees(self, one: Point, to: Point, blockers: Container[Point], own: Collection[Point] = ()) -> bool:
        """Say whether a line is clear of walls, templates (but for the squares `own`) and blockers (TA-LOS-2, -8)."""
        line = self.line(one, to)
        if line is None:
            return False
        for place in line:  # noqa: SIM110 - a generator would cost more than the look-ups
            if place in blockers or (place in self.solid and place not in own):
                return False
        return True


@cache
def ground(catalogue: Catalogue, section: int, rotation: int) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Return the floor of a section as it lies, in reading order, and its half squares: columns and rows from 0."""
    rows = list(catalogue.sections[section].rows)
    if rotation:
        rows = [row[::-1] for row in reversed(rows)]
    marks = [((column, row), mark) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark != "#"]
    return tuple(place for place, _ in marks), tuple(place for place, mark in marks if mark == "+")


class Yard:
    """Ships by their layout: a game comes back to the same ones at every rewind."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._ships: dict[object, Ship] = {}

    def ship(self, chain: Sequence[Laid], entry: Point, solid: Iterable[Point], sealed: bool) -> Ship:
        """Return the ship of a layout with templates on these squares."""
        squares = frozenset(solid)
        key = (tuple(chain), entry, squares, sealed)
        found = self._ships.get(key)
        if found is None:
            if len(self._ships) > 200:
                self._ships.clear()
            found = self._ships[key] = Ship(self._catalogue, chain, entry, squares, sealed)
        return found


def nearest(here: Point, squares: Iterable[Point]) -> int:
    """Return the distance to the nearest of some squares (TA-BOARD-10)."""
    x, y = here
    return min(max(abs(x - u), abs(y - v)) for u, v in squares)
