"""Squares as bits of one whole number, row by row: all squares of a set take a step at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from .state import Point

WIDTH = 88
"""Columns of a plane: six sections in a row, and a margin."""


class Plane:
    """The ship's squares, numbered row by row from the north-west, with a margin around them.

    `floor` are the squares that may be stood on, as bits.
    """

    def __init__(self, squares: Collection[Point], floor: Iterable[Point], sealed: bool) -> None:
        columns, rows = [x for x, _ in squares], [y for _, y in squares]
        self.left, self.top = min(columns) - 1, min(rows) - 1
        # The same for all ships that are not wider still, so that what is worked out for lines serves them all.
        self.width = max(WIDTH, max(columns) - self.left + 2)
        self.sealed = sealed
        self.floor = self.mask(floor)
        self.walls = (1 << ((max(rows) - self.top + 2) * self.width)) - 1 & ~self.mask(squares)
        """Everything of the plane that is no square of the ship."""

    def bit(self, square: Point) -> int:
        """Return the bit of a square; 0 for one that the plane does not have."""
        column, row = square[0] - self.left, square[1] - self.top
        return 1 << (row * self.width + column) if 0 <= column < self.width and row >= 0 else 0

    def mask(self, squares: Iterable[Point]) -> int:
        """Return squares as bits."""
        left, top, width = self.left, self.top, self.width
        found = 0
        for x, y in squares:
            found |= 1 << ((y - top) * width + x - left)
        return found

    def squares(self, mask: int) -> Iterator[Point]:
        """Yield the squares of a mask in reading order."""
        left, top, width = self.left, self.top, self.width
        while mask:
            lowest = mask & -mask
            row, column = divmod(lowest.bit_length() - 1, width)
            yield column + left, row + top
            mask ^= lowest

    def nth(self, mask: int, index: int) -> Point:
        """Return the square of a mask with so many before it in reading order."""
        low, span = 0, mask.bit_length()
        while span > 1:
            half = span >> 1
            part = (mask >> low) & ((1 << half) - 1)
            before = part.bit_count()
            if index < before:
                span = half
            else:
                index -= before
                low += half
                span -= half
        row, column = divmod(low, self.width)
        return column + self.left, row + self.top

    def around(self, mask: int) -> int:
        """Return the floor that a step from any of these squares leads to (TA-MOVE-2, TA-MOVE-8)."""
        width, floor = self.width, self.floor
        if not self.sealed:
            beside = mask << 1 | mask >> 1
            row = mask | beside
            return (beside | row << width | row >> width) & floor
        east, west = floor >> 1, floor << 1
        north, south = floor << width, floor >> width
        straight = mask << 1 | mask >> 1 | mask << width | mask >> width
        # A diagonal step is closed where both squares beside it are wall; they are looked at from where it starts.
        slant = (mask & (east | south)) << (width + 1) | (mask & (west | south)) << (width - 1)
        slant |= (mask & (east | north)) >> (width - 1) | (mask & (west | north)) >> (width + 1)
        return (straight | slant) & floor
