"""The hive ship as it lies: floor, shared squares, names, edges, distances and sight, worked out once a layout."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from ..geometry import crossing
from . import sight
from .catalogue import Catalogue
from .plane import WIDTHS, Plane
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


class Ship:
    """Six sections on their lattice, with templates as walls; immutable, and the same object for the same layout.

    Its squares as bits of the plane are put together at once from those of the sections, all else when it is asked for:
    most layouts are played on for a few turns. `solid` are the squares of templates.
    """

    def __init__(
        self, catalogue: Catalogue, chain: Sequence[Laid], entry: Point, solid: frozenset[Point], sealed: bool
    ) -> None:
        geometry = catalogue.geometry
        self.chain = tuple(chain)
        self.solid = solid
        self.sealed = sealed
        self._catalogue = catalogue
        wide, high = geometry.pitch_x, geometry.pitch_y
        self._entry = (entry[0] * wide, entry[1] * high, wide, high)
        self._columns, self._rows = geometry.columns, geometry.rows
        self.origins: dict[int, Point] = {
            laid.section: (laid.cell[0] * wide, laid.cell[1] * high) for laid in self.chain
        }
        self._lines: dict[tuple[Point, Point], tuple[Point, ...] | None] = {}
        self.ways: dict[tuple[Point, int], Any] = {}
        """The last search for where a model can move, by its square and its move."""
        self.floods: dict[object, object] = {}
        """What else was searched for on this ship."""
        self._floors: dict[int, frozenset[Point]] = {}
        self._masks: dict[int, int] = {}
        self.plane = self._plane()

    def _plane(self) -> Plane:
        """Lay the sections on a plane; what is no floor on it is `opaque`, walls and templates."""
        catalogue, chain, origins = self._catalogue, self.chain, self.origins
        corners = origins.values()
        grounds = [ground(catalogue, laid.section, laid.rotation) for laid in chain]
        left, top = min(x for x, _ in corners) - 1, min(y for _, y in corners) - 1
        right = max(x + there.columns for (x, _), there in zip(corners, grounds, strict=True))
        bottom = max(y + there.rows for (_, y), there in zip(corners, grounds, strict=True))
        # The same for many ships, so that what is worked out for lines serves them all.
        width = next((width for width in WIDTHS if width > right - left), right - left + 1)
        bare = 0
        for laid, (x, y) in zip(chain, corners, strict=True):
            bits = _bits(catalogue, laid.section, laid.rotation, width) << (y - top) * width + x - left
            self._masks[laid.section] = bits
            bare |= bits
        plane = Plane(left, top, width, bare, self.sealed)
        floor = plane.floor = bare & ~plane.mask(self.solid)
        self.opaque = ((1 << ((bottom - top + 1) * width)) - 1) ^ floor
        return plane

    @cached_property
    def squares(self) -> dict[int, tuple[Point, ...]]:
        """All floor squares of a section in reading order, and those under templates."""
        found = {}
        for laid in self.chain:
            left, top = self.origins[laid.section]
            floor = ground(self._catalogue, laid.section, laid.rotation).floor
            found[laid.section] = tuple([(left + column, top + row) for column, row in floor])
        return found

    @cached_property
    def sections(self) -> dict[Point, tuple[int, ...]]:
        """The sections that each floor square belongs to, the nearest to the rear first."""
        belongs: dict[Point, tuple[int, ...]] = {}
        for section, places in self.squares.items():
            alone = (section,)
            belongs.update([(place, belongs[place] + alone if place in belongs else alone) for place in places])
        return belongs

    @cached_property
    def bare(self) -> frozenset[Point]:
        """Floor and the squares under templates."""
        return frozenset[Point]().union(*self.squares.values())

    @cached_property
    def floor(self) -> frozenset[Point]:
        """The squares that may be stood on."""
        return self.bare - self.solid if self.solid else self.bare

    @cached_property
    def behind(self) -> tuple[Point, ...]:
        """The squares of all sections but the last, each once, shared squares of the last not among them."""
        last = self.chain[-1].section
        return tuple(place for place, there in self.sections.items() if last not in there)

    @cached_property
    def around(self) -> dict[Point, tuple[Point, ...]]:
        """The squares that a step from a floor square may lead to, from the north clockwise; worked out when asked for."""
        return _Around(self.floor, self.sealed)

    @cached_property
    def outer(self) -> tuple[Point, ...]:
        """The half squares on the outer edge (TA-REINF-7)."""
        doors: dict[Point, list[Laid]] = {}
        for laid in self.chain:
            left, top = self.origins[laid.section]
            for column, row in ground(self._catalogue, laid.section, laid.rotation).doors:
                doors.setdefault((left + column, top + row), []).append(laid)
        return tuple(place for place, there in doors.items() if len(there) == 1 and not self._faces(there[0], place))

    def in_entry(self, square: Point) -> bool:
        """Say whether a place lies within the entry area, which is no part of the board (TA-MOVE-7)."""
        left, top, wide, high = self._entry
        return left < square[0] < left + wide and top < square[1] < top + high

    def _faces(self, laid: Laid, place: Point) -> bool:
        """Whether a half square of the rear section faces the entry area (TA-REINF-7)."""
        if laid is not self.chain[0]:
            return False
        (left, top), (west, north, wide, high) = self.origins[laid.section], self._entry
        if west != left:
            return place[0] == left + (0 if west < left else wide)
        return place[1] == top + (0 if north < top else high)

    def ground(self, section: int) -> frozenset[Point]:
        """Return the floor squares of a section, for membership; templates are on it."""
        found = self._floors.get(section)
        if found is None:
            found = self._floors[section] = frozenset(self.squares.get(section, ()))
        return found

    def mask(self, section: int) -> int:
        """Return the floor squares of a section as bits of the plane; templates are on it."""
        return self._masks.get(section, 0)

    # Names

    def name(self, square: Point) -> str:
        """Return the name of a square, such as `4:e1`: that of the section nearest to the rear; its numbers off the ship."""
        return self.all_names(square)[0]

    def all_names(self, square: Point) -> list[str]:
        """Return every name of a square: it has one in each section that it belongs to (TA-BOARD-7)."""
        numbers = self.sections.get(square) or [
            number
            for number, (left, top) in self.origins.items()
            if 0 <= square[0] - left < self._columns and 0 <= square[1] - top < self._rows
        ]
        if not numbers:
            return [f"({square[0]},{square[1]})"]
        lie = [(number, *self.origins[number]) for number in numbers]
        return [f"{number}:{chr(ord('a') + square[0] - left)}{square[1] - top + 1}" for number, left, top in lie]

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

    def clear(self, at: Point, reach: int, stop: int) -> list[Point]:
        """Return the squares within a range to which a line is clear, in reading order (TA-WEAP-21).

        `stop` is everything that stops a line, as bits of the plane: walls, templates and models.
        """
        return self._unsealed(at, list(map(self.plane.square, sight.reached(self.plane, at, reach, stop))))

    def seen(self, at: Point, squares: Iterable[Point], reach: int, stop: int) -> list[Point]:
        """Return those squares within a range to which a line is clear (TA-LOS-1 to -8); `stop` as for `clear`."""
        return self._unsealed(at, sight.seen(self.plane, at, squares, reach, stop))

    def _unsealed(self, at: Point, squares: list[Point]) -> list[Point]:
        """Return those squares to which no sealed corner closes the line."""
        return [square for square in squares if self.line(at, square) is not None] if self.sealed else squares

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


class Ground(NamedTuple):
    """A section as it lies: its floor in reading order and its half squares, columns and rows from 0, and its size."""

    floor: tuple[Point, ...]
    doors: tuple[Point, ...]
    columns: int
    rows: int


@cache
def ground(catalogue: Catalogue, section: int, rotation: int) -> Ground:
    """Return a section as it lies."""
    rows = list(catalogue.sections[section].rows)
    if rotation:
        rows = [row[::-1] for row in reversed(rows)]
    marks = [((column, row), mark) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark != "#"]
    doors = tuple(place for place, mark in marks if mark == "+")
    return Ground(tuple(place for place, _ in marks), doors, max(map(len, rows)), len(rows))


@cache
def _bits(catalogue: Catalogue, section: int, rotation: int, width: int) -> int:
    """The floor of a section as bits of a plane of that width, whose first place is the section's corner."""
    return sum(1 << (row * width + column) for column, row in ground(catalogue, section, rotation).floor)


class Yard:
    """The last ships by their layout: a game comes back to the same ones when it is rewound."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._ships: dict[object, Ship] = {}

    def ship(self, chain: Sequence[Laid], entry: Point, solid: Iterable[Point], sealed: bool) -> Ship:
        """Return the ship of a layout with templates on these squares."""
        squares = frozenset(solid)
        key = (tuple(chain), entry, squares, sealed)
        found = self._ships.get(key)
        if found is None:
            if len(self._ships) >= 12:
                del self._ships[next(iter(self._ships))]
            found = self._ships[key] = Ship(self._catalogue, chain, entry, squares, sealed)
        return found


def nearest(here: Point, squares: Iterable[Point]) -> int:
    """Return the distance to the nearest of some squares (TA-BOARD-10)."""
    x, y = here
    return min(max(abs(x - u), abs(y - v)) for u, v in squares)
