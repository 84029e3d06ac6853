"""Squares, lines of sight and distances on a bounded plane, exact and in whole numbers only.

A square is a small int, numbered row by row from the north-west corner of the plane, so that sorting squares puts
them in reading order. Everything a `Grid` works out is kept, and a square that becomes solid gives another `Grid`
(`closed`), so that what rules ask at every decision is a look-up. A mask of squares is anything with `in`: a set, a
frozenset, or a dict by square.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from math import gcd
from typing import NamedTuple

Point = tuple[int, int]
"""A place on the plane: column (growing eastwards) and row (growing southwards); may be negative."""

NORTH, EAST, SOUTH, WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST = range(8)
DIRECTION_NAMES = ("n", "e", "s", "w", "ne", "se", "sw", "nw")
OFFSETS: tuple[Point, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""Column and row step of each direction: the four straight ones first, each group clockwise."""


class Corner(StrEnum):
    """What stops a line that passes exactly through the corner of squares, given the two squares flanking it there."""

    OPEN = "open"
    BOTH_FLANKS = "both_flanks"
    EITHER_FLANK = "either_flank"


class Grid:
    """Named squares of which some are floor; immutable, and equal only to itself.

    `places` gives every named square (wall squares may have names too) its column and row; `floor` names those that
    are floor. The plane is `width` by `height` squares from column `left` and row `top`; two grids over the same plane
    number their squares alike. Anything that is not open floor is solid, off the plane as well.

    >>> board = Grid.from_rows(["#.#", "...", "#.#"])
    >>> [board.name(square) for square in board.neighbours[board.square("b2")]]
    ['b1', 'c2', 'b3', 'a2']

    Raises ValueError for a place outside the plane, two names on one place, or a floor square without a name.
    """

    def __init__(
        self, places: Mapping[str, Point], floor: Iterable[str], *, left: int, top: int, width: int, height: int
    ) -> None:
        names = [""] * (width * height)
        index: dict[str, int] = {}
        for name, (column, row) in places.items():
            if not (0 <= column - left < width and 0 <= row - top < height):
                raise ValueError(f"Square {name} lies outside the plane.")
            square = (row - top) * width + column - left
            if names[square]:
                raise ValueError(f"Squares {names[square]} and {name} lie on the same place.")
            names[square] = name
            index[name] = square
        wanted = frozenset(floor)
        unknown = sorted(wanted - index.keys())
        if unknown:
            raise ValueError(f"Floor square {unknown[0]} has no place.")
        self.left, self.top, self.width, self.height = left, top, width, height
        self.names: tuple[str, ...] = tuple(names)
        self.index: Mapping[str, int] = index
        self._open(frozenset(index[name] for name in wanted), frozenset(), {})

    def _open(self, floor: frozenset[int], solids: frozenset[int], family: dict[frozenset[int], Grid]) -> None:
        """Derive what depends on which squares are open."""
        self.floor = floor
        self.solids = solids
        self.open = floor - solids
        self._family = family
        family[solids] = self
        self._distances: dict[int, tuple[int, ...]] = {}
        self._sights: dict[tuple[Corner, bool], Sight] = {}
        nowhere: tuple[int, ...] = (-1,) * 8
        steps = [nowhere] * len(self.names)
        for square in self.open:
            steps[square] = tuple(self._step(square, direction) for direction in range(8))
        self.steps: tuple[tuple[int, ...], ...] = tuple(steps)
        self.around: tuple[tuple[int, ...], ...] = tuple(tuple(s for s in step if s >= 0) for step in steps)
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(tuple(s for s in step[:4] if s >= 0) for step in steps)

    def _step(self, square: int, direction: int) -> int:
        column, row = square % self.width + OFFSETS[direction][0], square // self.width + OFFSETS[direction][1]
        if not (0 <= column < self.width and 0 <= row < self.height):
            return -1
        there = row * self.width + column
        return there if there in self.open else -1

    @classmethod
    def from_rows(cls, rows: Iterable[str], wall: str = "#", margin: int = 0) -> Grid:
        """A grid drawn as text, north at the top: every character but `wall` is floor; named `a1` from the top left.

        `margin` leaves that many unnamed squares on each side. Raises ValueError for rows of different lengths.
        """
        lines = list(rows)
        width = len(lines[0]) if lines else 0
        if any(len(line) != width for line in lines):
            raise ValueError("The rows of a grid must be equally long.")
        places = {square_name(x, y): (x, y) for y in range(len(lines)) for x in range(width)}
        floor = [name for name, (x, y) in places.items() if lines[y][x] not in wall]
        span, depth = width + 2 * margin, len(lines) + 2 * margin
        return cls(places, floor, left=-margin, top=-margin, width=span, height=depth)

    def closed(self, solids: Iterable[int]) -> Grid:
        """The same squares with `solids` solid (and only these): one and the same grid for the same solids."""
        key = frozenset(solids) & self.floor
        found = self._family.get(key)
        if found is None:
            found = object.__new__(Grid)
            found.left, found.top, found.width, found.height = self.left, self.top, self.width, self.height
            found.names, found.index = self.names, self.index
            found._open(self.floor, key, self._family)
        return found

    def square(self, name: str) -> int:
        """The square of that name; raises KeyError if the plane has none (`index.get` finds without raising)."""
        return self.index[name]

    def name(self, square: int) -> str:
        """The name of a square, empty if it has none."""
        return self.names[square]

    def point(self, square: int) -> Point:
        """Column and row of a square, as `places` gave them."""
        return square % self.width + self.left, square // self.width + self.top

    @property
    def squares(self) -> tuple[int, ...]:
        """All open floor in reading order: north to south, then west to east."""
        return tuple(sorted(self.open))

    def span(self, one: int, other: int) -> int:
        """Squares from `one` to `other`, a diagonal step counting 1, walls ignored: the larger of columns and rows."""
        width = self.width
        columns, rows = abs(one % width - other % width), abs(one // width - other // width)
        return columns if columns > rows else rows

    def direction(self, one: int, other: int) -> int | None:
        """Which of the eight directions leads exactly from `one` to `other`; None if none does."""
        width = self.width
        columns, rows = other % width - one % width, other // width - one // width
        if (columns and rows and abs(columns) != abs(rows)) or columns == rows == 0:
            return None
        return OFFSETS.index(((columns > 0) - (columns < 0), (rows > 0) - (rows < 0)))

    def ray(self, square: int, direction: int, corner: Corner = Corner.BOTH_FLANKS) -> tuple[int, ...]:
        """The squares from the next one on, in that direction, up to what is solid or closes a corner."""
        return self.sight(corner).rays(square)[direction]

    def distances(self, square: int) -> tuple[int, ...]:
        """Walking distance from `square` to each square by its number: orthogonal steps over open floor; -1 for none."""
        found = self._distances.get(square)
        if found is None:
            far = [-1] * len(self.names)
            edge = [square] if square in self.open else []
            for start in edge:
                far[start] = 0
            while edge:
                beyond = []
                for here in edge:
                    for there in self.neighbours[here]:
                        if far[there] < 0:
                            far[there] = far[here] + 1
                            beyond.append(there)
                edge = beyond
            found = self._distances[square] = tuple(far)
        return found

    def walk(self, one: int, other: int) -> int:
        """Walking distance between two squares, -1 if no way leads there."""
        return self.distances(one)[other]

    def within_walk(self, square: int, limit: int, barred: Container[int] = ()) -> dict[int, int]:
        """Distance of every square that at most `limit` steps reach without entering a barred one; `square` is 0."""
        reached = {square: 0}
        edge = [square]
        for steps in range(1, limit + 1):
            beyond = []
            for here in edge:
                for there in self.neighbours[here]:
                    if there not in reached and there not in barred:
                        reached[there] = steps
                        beyond.append(there)
            if not beyond:
                break
            edge = beyond
        return reached

    @property
    def connected(self) -> bool:
        """Whether all open floor is one piece; a grid without any is."""
        start = next(iter(self.open), None)
        return start is None or all(self.distances(start)[square] >= 0 for square in self.open)

    def sight(self, corner: Corner = Corner.BOTH_FLANKS, any_angle: bool = False) -> Sight:
        """Who sees whom on this grid under that reading of the rules; kept, so asking again costs nothing."""
        key = (Corner(corner), any_angle)
        found = self._sights.get(key)
        if found is None:
            found = self._sights[key] = AnyAngleSight(self, key[0]) if any_angle else Sight(self, key[0])
        return found

    def __repr__(self) -> str:
        return f"<Grid {self.width}x{self.height}, {len(self.open)} of {len(self.floor)} floor squares open>"


class Sight:
    """Lines along the eight directions; `blockers` are squares whose occupant stops a line that goes on beyond.

    The squares at the two ends never block, and blockers flanking a corner never do; only solids close a corner.
    """

    def __init__(self, grid: Grid, corner: Corner) -> None:
        self.grid = grid
        self.corner = corner
        self._rays: dict[int, tuple[tuple[int, ...], ...]] = {}
        self._live: dict[int, tuple[tuple[int, ...], ...]] = {}
        self._between: dict[int, dict[int, tuple[int, ...] | None]] = {}

    def rays(self, square: int) -> tuple[tuple[int, ...], ...]:
        """Eight tuples by direction: the squares seen from `square` on an empty board, nearest first."""
        found = self._rays.get(square)
        if found is None:
            found = self._rays[square] = tuple(tuple(self._walk(square, direction)) for direction in range(8))
        return found

    def _walk(self, square: int, direction: int) -> Iterator[int]:
        steps, flanks = self.grid.steps, _FLANKS[direction]
        while (there := steps[square][direction]) >= 0:
            if flanks and self.pinched(steps[square][flanks[0]] < 0, steps[square][flanks[1]] < 0):
                return
            yield there
            square = there

    def pinched(self, one_solid: bool, other_solid: bool) -> bool:
        """Whether a line through a corner is stopped, by which of the two flanking squares are solid."""
        if self.corner is Corner.BOTH_FLANKS:
            return one_solid and other_solid
        return self.corner is Corner.EITHER_FLANK and (one_solid or other_solid)

    def between(self, one: int, other: int) -> tuple[int, ...] | None:
        """The squares a line from `one` to `other` enters between them; None if there is no line or solids stop it."""
        lines = self._between.get(one)
        if lines is None:
            lines = {there: ray[:n] for ray in self.rays(one) for n, there in enumerate(ray)}
            self._between[one] = lines
        return lines.get(other)

    def sees(self, one: int, other: int, blockers: Container[int] = ()) -> bool:
        """Whether a clear line joins two different squares."""
        line = self.between(one, other)
        if line is None:
            return False
        for square in line:  # noqa: SIM110 - a generator would cost more than the look-ups
            if square in blockers:
                return False
        return True

    def targets(self, square: int, blockers: Collection[int], reach: int) -> list[tuple[int, int]]:
        """Which blockers are seen from `square` within `reach` squares, each with its distance; nearest of each line."""
        rays = self._live.get(square)
        if rays is None:
            rays = self._live[square] = tuple(ray for ray in self.rays(square) if ray)
        found = []
        for ray in rays:
            for distance, there in enumerate(ray, 1):
                if there in blockers:
                    if distance <= reach:
                        found.append((there, distance))
                    break
        return found


class Crossing(NamedTuple):
    """What a line from (0, 0) to (x, y), both 0 or more, goes through: offsets of squares, from the nearest on.

    `entered` are the squares between the ends whose inside it enters. Each of `corners` is a square (u, v) at whose far
    corner the line passes exactly between two others, with the column and the row of those: (column, v) and (u, row).
    """

    entered: tuple[Point, ...]
    corners: tuple[tuple[Point, Point], ...]


@cache
def crossing(x: int, y: int) -> Crossing:
    """Return what a line between the centres of two squares goes through, `x` columns and `y` rows apart.

    The square at (u, v) is entered exactly when `2 * |x*v - y*u| < x + y`.

    >>> crossing(3, 1).entered, crossing(1, 1).corners
    (((1, 0), (2, 1)), (((0, 0), (1, 1)),))
    """
    # The squares with u + v = step lie on a diagonal that the line meets at v = step * y / (x + y). The one it is nearest
    # to is entered, and none where it passes right between two: that is the condition above with u = step - v.
    far = x + y
    entered = [(step - v, v) for step in range(1, far) for v, rest in [divmod(2 * step * y + far, 2 * far)] if rest]
    common = gcd(x, y)
    odd_x, odd_y = (x // common, y // common) if x and y else (0, 0)
    corners: list[tuple[Point, Point]] = []
    if odd_x % 2 and odd_y % 2:
        # Only then does the line meet corners, at odd multiples of half the reduced step.
        for n in range(1, 2 * common, 2):
            u, v = (n * odd_x - 1) // 2, (n * odd_y - 1) // 2
            corners.append(((u, v), (u + 1, v + 1)))
    return Crossing(tuple(entered), tuple(corners))


class AnyAngleSight(Sight):
    """Lines from centre to centre at any angle, stopped by every solid or blocker square whose inside they enter.

    `crossing` says which squares a line enters. Where it passes through a corner, the `Corner` rule decides.
    """

    def between(self, one: int, other: int) -> tuple[int, ...] | None:
        lines = self._between.get(one)
        if lines is None:
            lines = self._between[one] = {}
        try:
            return lines[other]
        except KeyError:
            line = lines[other] = self._line(one, other)
            # The line back is the same line: what one sees, the other sees.
            self._between.setdefault(other, {})[one] = None if line is None else line[::-1]
            return line

    def _line(self, one: int, other: int) -> tuple[int, ...] | None:
        grid, width = self.grid, self.grid.width
        if one == other or one not in grid.open or other not in grid.open:
            return None
        columns, rows = other % width - one % width, other // width - one // width
        east, south = (columns > 0) - (columns < 0), (rows > 0) - (rows < 0)
        x, y = abs(columns), abs(rows)
        line = crossing(x, y)
        entered = [one + south * v * width + east * u for u, v in line.entered]
        if any(square not in grid.open for square in entered):
            return None
        for (u, v), (beside, below) in line.corners:
            flanks = one + south * v * width + east * beside, one + south * below * width + east * u
            if self.pinched(flanks[0] not in grid.open, flanks[1] not in grid.open):
                return None
        return tuple(entered)

    def targets(self, square: int, blockers: Collection[int], reach: int) -> list[tuple[int, int]]:
        span = self.grid.span
        near = ((there, span(square, there)) for there in sorted(blockers))
        return [pair for pair in near if 0 < pair[1] <= reach and self.sees(square, pair[0], blockers)]


_FLANKS: tuple[tuple[int, int] | None, ...] = (
    None, None, None, None, (NORTH, EAST), (SOUTH, EAST), (SOUTH, WEST), (NORTH, WEST),
)  # fmt: skip


def square_name(column: int, row: int) -> str:
    """Column letter and row number from the north-west corner, both counted from 0: `(0, 0)` is `a1`.

    Columns after `z` go on with `aa`.
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return f"{letters}{row + 1}"
