"""The ground of one level: a face with its entry tile and, once laid, its exit tile, as one grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from ..geometry import EAST, NORTH, OFFSETS, SOUTH, WEST, Grid, Point, square_name
from .records import Face, Fixture, VesselTile

EDGES: Mapping[str, int] = {"A": NORTH, "B": EAST, "C": SOUTH, "D": WEST}
"""On which edge each entry/exit square lies, and so the way its tile sticks out."""


class Hulk:
    """One level's ground, immutable and equal only to itself; squares are numbers of `grid` (see `Grid`).

    `exits` gives the square of each label A to D, `xenos` the entry squares 1 to 6 in order (entry n is
    `xenos[n - 1]`), `entry_tile` the squares V1 to V4 and `exit_tile` X1 to X4, empty until it is laid. The same
    square of a face has the same number whatever tiles lie there. A layout of a worked example has no tiles and no
    exits, and -1 for the xenos entries and the objective it lacks.
    """

    def __init__(self, ground: str, grid: Grid, marks: Mapping[str, int], entry: str, exit_label: str | None) -> None:
        index = grid.index
        self.ground = ground
        self.grid = grid
        self.entry = entry
        self.exit = exit_label
        self.objective: int = marks.get("O", -1)
        self.xenos: tuple[int, ...] = tuple(marks.get(str(number), -1) for number in range(1, 7))
        self.exits: Mapping[str, int] = {label: marks[label] for label in EDGES if label in marks}
        self.labels: Mapping[int, str] = {square: label for label, square in self.exits.items()}
        self.entry_tile: tuple[int, ...] = tuple(index[f"V{n}"] for n in range(1, 5) if f"V{n}" in index)
        self.exit_tile: tuple[int, ...] = tuple(index[f"X{n}"] for n in range(1, 5) if f"X{n}" in index)
        self.on_entry_tile: frozenset[int] = frozenset(self.entry_tile)
        self.on_exit_tile: frozenset[int] = frozenset(self.exit_tile)

    def sealed(self, labels: Iterable[str]) -> Grid:
        """The grid with the exits of those labels sealed, that is solid; the same object for the same labels."""
        return self.grid.closed(self.exits[label] for label in labels)

    def __repr__(self) -> str:
        return f"<Hulk {self.ground}, in by {self.entry}, out by {self.exit or 'nowhere yet'}>"


def lay(face: Face, tiles: tuple[VesselTile, VesselTile], entry: str, exit_label: str | None) -> Hulk:
    """A face with the entry tile (the first of `tiles`) at `entry` and the exit tile at `exit_label`, if not None."""
    marks = symbols(face)
    places = {square_name(x, y): (x, y) for y in range(face.rows) for x in range(face.columns)}
    floor = [square_name(x, y) for x, y in floor_points(face)]
    for tile, label in zip(tiles, (entry, exit_label), strict=True):
        if label is not None:
            squares = tile_points(tile, label, marks[label])
            places.update(squares)
            floor.extend(squares)
    # The margin is the same whatever is laid, so that squares keep their numbers.
    margin = max(max(abs(part.ahead), abs(part.right)) for tile in tiles for part in tile.offsets)
    width, height = face.columns + 2 * margin, face.rows + 2 * margin
    grid = Grid(places, floor, left=-margin, top=-margin, width=width, height=height)
    squares_of = {symbol: grid.square(square_name(*point)) for symbol, point in marks.items()}
    return Hulk(face.id, grid, squares_of, entry, exit_label)


def lay_fixture(fixture: Fixture) -> Hulk:
    """The ground of a worked example; what stands on it is in the fixture's `marks`."""
    grid = Grid.from_rows(fixture.grid.split())
    marks = {number: grid.square(name) for number, name in fixture.entries.items()}
    return Hulk(fixture.id, grid, marks, "", None)


def symbols(face: Face) -> dict[str, Point]:
    """Column and row (from 0) of each symbol of a face other than wall and corridor."""
    return {symbol: (x, y) for y, line in enumerate(face.lines) for x, symbol in enumerate(line) if symbol not in "#."}


def floor_points(face: Face) -> list[Point]:
    """Column and row (from 0) of every square of a face that is not wall, in reading order."""
    return [(x, y) for y, line in enumerate(face.lines) for x, symbol in enumerate(line) if symbol != "#"]


def tile_points(tile: VesselTile, label: str, exit_point: Point) -> dict[str, Point]:
    """Where the squares of a tile lie, by name and in the order of their numbers, when it is laid at that exit."""
    ahead_x, ahead_y = OFFSETS[EDGES[label]]
    x, y = exit_point
    return {
        f"{tile.prefix}{part.square}": (
            x + ahead_x * part.ahead - ahead_y * part.right,
            y + ahead_y * part.ahead + ahead_x * part.right,
        )
        for part in sorted(tile.offsets, key=lambda part: part.square)
    }


def misplaced(face: Face, tiles: tuple[VesselTile, VesselTile]) -> Iterator[str]:
    """Reasons why vessel tiles do not fit a face: each joins the board by square 1 alone (SMA-COMP-5, SMA-MOVE-8)."""
    marks = symbols(face)
    floor = set(floor_points(face))
    grounds = {(tile.prefix, label): tile_points(tile, label, marks[label]) for tile in tiles for label in EDGES}
    for (prefix, label), strip in grounds.items():
        squares = set(strip.values())
        exit_point, first = marks[label], strip[f"{prefix}1"]
        if any(0 <= x < face.columns and 0 <= y < face.rows for x, y in squares):
            yield f"tile {prefix} at {label} would lie on the board"
        others = [set(other.values()) for (_, at), other in grounds.items() if at != label]
        for square in squares:
            touched = _touching(square, 8)
            wrong = touched & floor - ({exit_point} if square == first else set())
            if wrong or any(touched & other for other in others):
                yield f"tile {prefix} at {label} would touch more than its exit square"
                break
        if exit_point not in _touching(first, 4):
            yield f"tile {prefix} at {label} would not touch its exit square"


def _touching(square: Point, count: int) -> Set[Point]:
    return {(square[0] + x, square[1] + y) for x, y in OFFSETS[:count]}
