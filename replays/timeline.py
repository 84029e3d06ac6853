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
        """Return the ends of all lines, in log order: where a rewind left, and the end of the log."""
        ends = [at - 1 for at in self._at if self.resolve(at - 1) == at - 1]
        if self.length:
            ends.append(self.resolve(self.length - 1))
        live = set(ends)
        # An end that another line runs through is no end.
        return sorted(tip for tip in live if not any(other != tip and self.on_line(tip, other) for other in live))
