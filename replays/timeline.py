"""The tree of lines in one log: which events a position rests on, and what undo and redo go to.

If event p is `Rewound(to=q)` the state at p is the state at q; otherwise it is event p applied to the state at p-1.
So a position's line is a list of spans of the log, found by jumping back over the rewinds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec


class Span(msgspec.Struct, frozen=True):
    """Positions `first` to `last`, both included."""

    first: int
    last: int


Older = Callable[[int, int], Sequence[tuple[int, int]]]
"""Gives the last rewinds, (position, to), below a position and at most so many, the last first."""


class Tree:
    """The rewinds of one log of `length` events, kept in step with the log by `rewound`.

    Those that `older` gives are fetched when a question needs them, a few at first and twice as many each time: a long
    log opens as fast as a short one.
    """

    def __init__(self, rewinds: Iterable[tuple[int, int]] = (), length: int = 0, older: Older | None = None) -> None:
        self._at: list[int] = []
        self._to: list[int] = []
        self._older = older
        self._known = length
        self._most = 16
        self.length = length
        for position, to in rewinds:
            self.rewound(position, to)

    def rewound(self, position: int, to: int) -> None:
        """Take note of the event `Rewound(to=to)` at `position`, the latest so far."""
        self._at.append(position)
        self._to.append(to)

    def _last(self, position: int) -> tuple[int, int] | None:
        """Return the last rewind at or below a position."""
        while True:
            index = bisect_right(self._at, position) - 1
            if index >= 0:
                return self._at[index], self._to[index]
            if not self._fetch():
                return None

    def _fetch(self) -> bool:
        """Fetch some of the rewinds that are not known yet; say whether there may be more."""
        if self._older is None:
            return False
        found = self._older(self._known, self._most)
        if len(found) < self._most:
            self._older = None
        self._at[:0] = [at for at, _ in reversed(found)]
        self._to[:0] = [to for _, to in reversed(found)]
        self._known, self._most = (found[-1][0] if found else 0), self._most * 2
        return True

    @property
    def rewinds(self) -> list[tuple[int, int]]:
        """All rewinds as (position, to), in log order."""
        while self._fetch():
            pass
        return list(zip(self._at, self._to, strict=True))

    def resolve(self, position: int) -> int:
        """Return the position whose event last changed anything here: never a rewind."""
        passed = []
        while (found := self._last(position)) is not None and found[0] == position:
            passed.append(position)
            position = found[1]
        for at in passed[:-1]:  # a rewind to a rewind goes where that goes: a chain of them is walked once
            self._to[bisect_right(self._at, at) - 1] = position
        return position

    def back(self, position: int) -> Iterator[Span]:
        """Yield the spans of the line that ends at a position, the latest first."""
        while (found := self._last(position)) is not None:
            at, to = found
            if at < position:
                yield Span(at + 1, position)
            position = to
        yield Span(0, position)

    def line(self, position: int) -> list[Span]:
        """Return the spans of the line that ends at a position, in order."""
        return list(self.back(position))[::-1]

    def on_line(self, position: int, tip: int) -> bool:
        """Say whether an event lies on the line that ends at `tip`."""
        for span in self.back(tip):
            if span.first <= position:
                return position <= span.last
        return False

    def last_on_line(self, positions: list[int], tip: int) -> int | None:
        """Return the last of some sorted positions that lies on the line that ends at `tip`."""
        for span in self.back(tip):
            index = bisect_right(positions, span.last) - 1
            if index < 0:
                return None
            if positions[index] >= span.first:
                return positions[index]
        return None

    def before(self, position: int, tip: int) -> int:
        """Return the position before one on the line that ends at `tip`; -1 before the opening."""
        spans = self.back(tip)
        for span in spans:
            if span.first <= position <= span.last:
                if position > span.first:
                    return position - 1
                earlier = next(spans, None)
                return earlier.last if earlier is not None else -1
        raise ValueError(f"@{position} is not on the line that ends at @{tip}")

    def tips(self) -> list[int]:
        """Return the ends of all lines in log order, and where the game stands if that is in the middle of one."""
        ends: set[int] = set()
        first, parent = 0, -1
        for at, to in [*self.rewinds, (self.length, -1)]:
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
