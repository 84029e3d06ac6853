"""The curve of a line: which of its positions are played out, first evenly, then where it changes most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from .allotting import Allotment, wideness
from .playouts import length, position
from .steps import Step
from .tape import Tape
from .valuing import Asker, Question

AT_ONCE = 50
"""Positions that are held in memory at once."""


class Curve:
    """The points of the line that ends at `line`, numbered from the one before its first step.

    At most `points` of them (None: all) are played out, each `few` times at first and some of them `playouts` times. Where
    the work is `shared` out, `allotment` has what is left of it. What is found lies in the asker under `("point", number)`.
    """

    def __init__(
        self,
        tape: Tape,
        line: int,
        steps: Sequence[Step],
        asker: Asker,
        *,
        points: int | None,
        few: int,
        playouts: int,
        shared: bool,
        expect: Callable[[int], None],
    ) -> None:
        self.tape, self.line, self.steps, self.asker = tape, line, steps, asker
        self.points, self.few, self.playouts = points, few, playouts
        self.expect = expect
        self.allotment = Allotment(len(steps), self._after_all()) if shared else None

    def _after_all(self) -> int:
        """Return how many decisions bots take from the end of the line on, by one playout."""
        state = self.tape.state_at(self.place(len(self.steps)))
        try:
            return length(self.asker.rules, state, self.asker.panel.bots, self.asker.panel.seed) if state.pending else 0
        except Exception:  # what is wrong there, the playouts say
            return 0

    @property
    def before(self) -> int:
        """The decisions before the first that is looked at."""
        return self.steps[0].number - 1 if self.steps else 0

    def place(self, point: int) -> int:
        """Return the position of a point of the curve."""
        if point:
            return self.steps[point - 1].end
        return self.tape.tree.before(self.steps[0].head, self.line) if self.steps else self.line

    def run(self) -> bool:
        """Play points of the line out, more where it changes most; returns False where that was stopped early."""
        last, allotment = len(self.steps), self.allotment
        most = min(last + 1, last + 1 if self.points is None else max(2, self.points))
        rough = most if most == last + 1 else max(2, most // 2)
        if allotment is not None:
            rough = min(rough, max(2, allotment.rough(most)))
        first = [number * last // max(1, rough - 1) for number in range(rough)]
        if not self.value(_halving(last, first), self.few):
            return False
        left, together = most - rough, max(1, most // 8)
        if allotment is not None:  # few at once: where there is less of it, work has to follow the change closely
            together = min(together, 2 + rough // 8)
        while left > 0 and (allotment is None or allotment.follows):
            found = self._halves(min(left, together))
            if not found:
                break
            left -= len(found)
            if not self.value(found, self.few):
                return False
        return allotment is None or self._surer(allotment)

    def _surer(self, allotment: Allotment) -> bool:
        """Play the start and those points more often of which least is known for what it takes, as long as work is left."""
        found, more = self.asker.found, self.playouts - self.few
        known = [number for number in range(len(self.steps) + 1) if ("point", number) in found]
        values = {number: found["point", number] for number in known}
        known = [number for number in known if not values[number].exact]
        known.sort(key=lambda number: (number != 0, -(wideness(values[number]) ** 2) / allotment.cost(number), number))
        return self.value([n for n in known if allotment.affords(allotment.cost(n, more))], self.playouts, spend=False)

    def _halves(self, most: int) -> list[int]:
        """Return the middles of those parts of the curve over which it changes most."""
        known = [number for number in range(len(self.steps) + 1) if ("point", number) in self.asker.found]
        wide = [(low, high) for low, high in pairwise(known) if high - low > 1]
        wide.sort(key=lambda ends: (-self.change(*ends), ends[0] - ends[1], ends))
        return [(low + high) // 2 for low, high in wide[:most]]

    def change(self, low: int, high: int) -> float:
        """Return how much two points of the curve differ for the seat for which they differ most."""
        before, after = self.asker.found["point", low], self.asker.found["point", high]
        return max(abs(after.share(seat) - before.share(seat)) for seat in self.asker.seats)

    def value(self, numbers: Iterable[int], playouts: int, *, spend: bool = True) -> bool:
        """Play some points out so many times; returns False where that was stopped early."""
        wanted = list(numbers)
        self.expect(len(wanted) * playouts)
        if self.allotment is not None and spend:
            self.allotment.spend(sum(self.allotment.cost(number, playouts) for number in wanted))
        return all(
            self.asker.ask(((("point", number), self._question(number)) for number in some), playouts)
            for some in batches(wanted)
        )

    def _question(self, number: int) -> Question:
        state = self.tape.state_at(self.place(number))
        return Question(position(state), over=not state.pending)


def batches(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield items by as many as are held in memory at once."""
    for at in range(0, len(items), AT_ONCE):
        yield items[at : at + AT_ONCE]


def _halving(last: int, among: Sequence[int] | None = None) -> list[int]:
    """Return 0 to `last`, or some of these numbers, so that any first part of it lies evenly: ends, middle, quarters."""
    numbers = list(range(last + 1)) if among is None else list(dict.fromkeys(among))
    found, ranges = [0, len(numbers) - 1], [(0, len(numbers) - 1)]
    for low, high in ranges:
        if high - low > 1:
            middle = (low + high) // 2
            found.append(middle)
            ranges += [(low, middle), (middle, high)]
    return list(dict.fromkeys(numbers[index] for index in found))
