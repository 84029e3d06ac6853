"""The tree of lines in one log: which events a position rests on, and what undo and redo go to.

If event p is `Rewound(to=q)` the state at p is the state at q; otherwise it is event p applied to the state at p-1.
So a position's line is a list of spans of the log, found by jumping back over the rewinds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

import msgspec


class Span(msgspec.Struct, frozen=True):
    """Positions `first` to `last`, both included."""

    first: int
    last: int


class Tree:
    """The rewinds of one log of `length` events, kept in step with the log by `rewound` and `grow`."""

    def __init__(self, rewinds: Iterable[tuple[int, int]] = (), length: int = 0) -> None:
        self._at: list[int] = []
        self._to: list[int] = []
        self.length = length
        for position, to in rewinds:
            self.rewound(position, to)

    def rewound(self, position: int, to: int) -> None:
        """Take note of the event `Rewound(to=to)` at `position`, the latest so far."""
        self._at.append(position)
        self._to.append(to)

    @property
    def rewinds(self) -> list[tuple[int, int]]:
        """All rewinds as (position, to), in log order."""
        return list(zip(self._at, self._to, strict=True))

    def resolve(self, position: int) -> int:
        """Return the position whose event last changed anything here: never a rewind."""
        while True:
            index = bisect_right(self._at, position) - 1
            if index < 0 or self._at[index] != position:
                return position
            position = self._to[index]

    def back(self, position: int) -> Iterator[Span]:
        """Yield the spans of the line that ends at a position, the latest first."""
        while True:
            index = bisect_right(self._at, position) - 1
            if index < 0:
                yield Span(0, position)
                return
            at = self._at[index]
            if at < position:
                yield Span(at + 1, position)
            position = self._to[index]

    def line(self, position: int) -> list[Span]:
        """Return the spans of the line that ends at a position, in order."""
        return list(self.back(position))[::-1]

    def on_line(self, position: int, tip: int) -> bool:
        """Say whether an event lies on the line that ends at `tip`."""
        return any(span.first <= position <= span.last for span in self.back(tip))

    def last_on_line(self, positions: list[int], tip: int) -> int | None:
        """Return the last of some sorted positions that lies on the line that ends at `tip`."""
        for span in self.back(tip):
            index = bisect_right(positions, span.last) - 1
            if index >= 0 and positions[index] >= span.first:
                return positions[index]
        return None

    def before(self, position: int, tip: int) -> int:
        """Return the position before one on the line that ends at `tip`; -1 before the opening."""
        spans = list(self.back(tip))
        for number, span in enumerate(spans):
            if span.first <= position <= span.last:
                if position > span.first:
                    return position - 1
                return spans[number + 1].last if number + 1 < len(spans) else -1
        raise ValueError(f"@{position} is not on the line that ends at @{tip}")

    def tips(self) -> list[int]:
        """Return the ends of all lines in log order, and where the game stands if that is in the middle of one."""
        ends: set[int] = set()
        first, parent = 0, -1
        for at, to in [*zip(self._at, self._to, strict=True), (self.length, -1)]:
            if at > first:
                ends.discard(parent)
                ends.add(at - 1)
            first = at + 1
            if to >= 0:
                parent = self.resolve(to)
        if self.length:
            ends.add(self.resolve(self.length - 1))
        return sorted(ends)

    def meet(self, line: list[Span], tip: int) -> int:
        """Return the last position that a line, given by its spans, shares with the line that ends at `tip`."""
        firsts = [span.first for span in line]
        for span in self.back(tip):
            index = bisect_right(firsts, span.last) - 1
            if index >= 0 and line[index].last >= span.first:
                return min(line[index].last, span.last)
        return -1
