"""Squares as bits of one whole number, row by row: all squares of a set take a step at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .state import Point

WIDTHS = (60, 88)
"""Columns of a plane: four or six sections in a row, and a margin."""


class Plane:
    """The ship's squares, numbered row by row from the north-west, with a margin around them.

    `left` and `top` are the column and row of the first place; `floor` are the squares that may be stood on, as bits.
    """

    def __init__(self, left: int, top: int, width: int, floor: int, sealed: bool) -> None:
        self.left, self.top, self.width = left, top, width
        self.sealed = sealed
        self.floor = floor
        steps = (-width, 1 - width, 1, width + 1, width, width - 1, -1, -width - 1)
        self._steps = tuple((1 << (step + width + 1), step) for step in steps)
        self._ring = 7 | 5 << width | 7 << (2 * width)

    def place(self, square: Point) -> int:
        """Return the number of a square that the plane has."""
        return (square[1] - self.top) * self.width + square[0] - self.left

    def square(self, place: int) -> Point:
        """Return the square of a number."""
        row, column = divmod(place, self.width)
        return column + self.left, row + self.top

    def step(self, place: int, mask: int) -> int:
        """Return the first place of a mask that a step leads to, from the north clockwise; the step must exist."""
        if self.sealed:
            mask &= self.around(1 << place)
        near = mask >> (place - self.width - 1)
        for bit, step in self._steps:
            if near & bit:
                return place + step
        raise ValueError("no step leads there")

    def beside(self, mask: int, square: Point) -> int:
        """Return which of the squares of a mask lie next to one, whatever is between: as bits, but not of the plane."""
        return mask >> ((square[1] - self.top - 1) * self.width + square[0] - self.left - 1) & self._ring

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

    def nth(self, one: int, other: int, index: int) -> tuple[int, int]:
        """Return the place with so many before it in reading order, and how many of these are on the place itself.

        Places of both masks count twice.
        """
        both = one | other
        low = (both & -both).bit_length() - 1
        span = both.bit_length() - low
        one >>= low
        other >>= low
        while span > 1:
            half = span >> 1
            lowest = (1 << half) - 1
            here = one & lowest
            before = here.bit_count()
            if other:
                there = other & lowest
                before += there.bit_count()
            else:
                there = 0
            if index < before:
                one, other, span = here, there, half
            else:
                index -= before
                low += half
                one >>= half
                other >>= half
                span -= half
        return low, index

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
