"""The ground of a level under its options, and who stands where on it: what rules look at, derived from a state."""

from __future__ import annotations

from ..geometry import Corner, Grid, Sight
from .actions import Attack, Move, Pick
from .hulk import Hulk
from .state import PRIME, Creature, LevelState


class Ground:
    """A hulk with some exits sealed, under the options of sight: immutable and kept as long as its book.

    Squares are numbers of `grid`. `uncounted` is what the option `range_count` takes off a count of squares. `moves`,
    `attacks` and `picks` hold the actions that name each square.
    """

    def __init__(self, hulk: Hulk, grid: Grid, state: LevelState) -> None:
        options = state.options
        self.hulk = hulk
        self.grid = grid
        self.any_angle = options.sight == "any_angle"
        self.corner = Corner(options.corner)
        self.sight: Sight = grid.sight(self.corner, self.any_angle)
        self.uncounted = 1 if options.range_count == "exclusive" else 0
        self.names = grid.names
        self.index = grid.index
        self.neighbours = grid.neighbours
        self.moves = tuple(Move(name) for name in grid.names)
        self.attacks = tuple(Attack(name) for name in grid.names)
        self.picks = tuple(Pick(name) for name in grid.names)

    def distance(self, one: int, other: int) -> int:
        """Return how many squares count from one square to the other (SMA-RNG-2)."""
        return self.grid.span(one, other) - self.uncounted


class Field:
    """A ground with its units: codes of Marines and creatures by square; it stays as it was made.

    `prime` is the square of the Tyranid Prime, -1 where there is none.
    """

    __slots__ = ("ground", "index", "marines", "names", "prime", "tyranids")

    def __init__(self, ground: Ground, state: LevelState) -> None:
        index = ground.index
        self.ground = ground
        self.index = index
        self.names = ground.names
        self.marines: dict[int, str] = {
            index[marine.square]: code for code, marine in state.marines.items() if marine.square
        }
        self.tyranids: dict[int, Creature] = {index[name]: creature for name, creature in state.tyranids.items()}
        target = state.tyranids.get(state.objective)
        self.prime = index[state.objective] if target is not None and target.kind == PRIME else -1

    def empty(self, square: int) -> bool:
        """Say whether a square is open floor without a unit."""
        return square in self.ground.grid.open and square not in self.marines and square not in self.tyranids

    def empty_beside(self, square: int) -> list[int]:
        """Return the empty squares adjacent to a square: north, east, south, west."""
        marines, tyranids = self.marines, self.tyranids
        return [s for s in self.ground.neighbours[square] if s not in marines and s not in tyranids]

    def seen(self, square: int, reach: int) -> list[tuple[int, int]]:
        """Return the Tyranids seen from a square at a count of `reach` squares at most, each with its count."""
        ground = self.ground
        if ground.uncounted:
            return [(s, d - 1) for s, d in ground.sight.targets(square, self.tyranids, reach + 1)]
        return ground.sight.targets(square, self.tyranids, reach)

    def sees(self, one: int, other: int) -> bool:
        """Say whether a clear line joins two squares (SMA-SEE-1 to SMA-SEE-6)."""
        return self.ground.sight.sees(one, other, self.tyranids)
