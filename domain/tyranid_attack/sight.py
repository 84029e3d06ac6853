"""Lines on the ship's plane: which squares one enters, and what all lines from a square reach."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ..geometry import crossing
from .plane import Plane
from .state import Point

ROW = 1024
"""More than any ship is wide, twice over."""


class Lines(dict[int, tuple[int, int]]):
    """Lines on planes of a width, by `ROW * rows + columns` from one end to the other.

    Each is the squares between its ends that it enters as bits, and where the lowest of them lies from the first end.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self._width = width

    def __missing__(self, key: int) -> tuple[int, int]:
        columns = (key + ROW // 2) % ROW - ROW // 2
        rows = (key - columns) // ROW
        east, south = (1 if columns > 0 else -1), (1 if rows > 0 else -1)
        width = self._width
        places = [south * v * width + east * u for u, v in crossing(abs(columns), abs(rows)).entered]
        low = min(places, default=0)
        mask = 0
        for place in places:
            mask |= 1 << (place - low)
        found = self[key] = mask, low
        return found


lines = cache(Lines)
"""The lines on planes of a width."""


def seen(plane: Plane, at: Point, squares: Iterable[Point], reach: int, stop: int) -> list[Point]:
    """Return those squares within a range to which a line enters none of a mask on its way (TA-LOS-1, -2, -4)."""
    known, here, (x, y) = lines(plane.width), plane.place(at), at
    found = []
    for square in squares:
        columns, rows = square[0] - x, square[1] - y
        if -reach <= columns <= reach and -reach <= rows <= reach:
            mask, low = known[rows * ROW + columns]
            if not mask << (here + low) & stop:
                found.append(square)
    return found


def reached(plane: Plane, at: Point, reach: int, stop: int) -> list[int]:
    """Return the places within a range, none of them of a mask, to which a line is open, in reading order.

    What `seen` says of each, worked out from near to far. A line to the square v rows and u columns away meets the
    squares with u + v = far at v / (u + v) * far rows, and enters the one it is less than half a row from. So a square
    that stops lines stops those between (v - 1/2) / far and (v + 1/2) / far, and `gaps` are what is left of 0 to 1.
    Fractions as small as these differ as floats exactly when they differ.
    """
    cells, here = f"{stop:b}"[::-1], plane.place(at)
    found = set()
    for east in (1, -1):
        for south in (plane.width, -plane.width):
            gaps, far, step = [(0.0, 1.0)], 0, south - east
            while gaps and far < 2 * reach:
                far += 1
                left = []
                for low, high in gaps:
                    for row in range(int(low * far), far + 1):
                        start, end = (row - 0.5) / far, (row + 0.5) / far
                        if start >= high:
                            break
                        if end <= low:
                            continue
                        place = here + far * east + row * step
                        if cells[place] == "1":
                            if start >= low:
                                left.append((low, start))
                            low = end
                        elif low <= row / far <= high and row <= reach and far - row <= reach:
                            found.add(place)
                    if low <= high:
                        left.append((low, high))
                gaps = left
    return sorted(found)
