"""A line of a game as a row of positions: the first, the second, and so on, whatever lies between them in the log."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from .timeline import Span


class Course:
    """The positions of a line, given by its spans in order; `course[3]` is the fourth of them."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._firsts = [span.first for span in spans]
        self._lasts = [span.last for span in spans]
        self._before = [0]
        for span in spans:
            self._before.append(self._before[-1] + span.last - span.first + 1)

    def __len__(self) -> int:
        return self._before[-1]

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < len(self):
            raise IndexError(index)
        number = bisect_right(self._before, index) - 1
        return self._firsts[number] + index - self._before[number]

    def __contains__(self, position: object) -> bool:
        return isinstance(position, int) and position >= 0 and self[self.floor(position)] == position

    def floor(self, position: int) -> int:
        """Return the place in the row of the last position that is not beyond the given one; 0 where all are."""
        number = bisect_right(self._firsts, position) - 1
        if number < 0:
            return 0
        return self._before[number] + min(position, self._lasts[number]) - self._firsts[number]
