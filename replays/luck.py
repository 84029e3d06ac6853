"""Luck and skill: the curve of what a game was worth, and what chance and choice made of the decisions looked at closely."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from .playouts import Estimate, Value
from .told import amid

PLAYOUTS = 40
"""Playouts of a position, at most where nobody says how many: a share is then known to about 8 % (one standard error)."""

POINTS = 80
"""Points of the curve, at most; a line with no more decisions may have them all."""

CLOSE = 12
"""Decisions that are looked at closely, at most."""

TRIED = 3
"""Other actions that are tried at a decision: the bot's own choice, and some at random."""


class Point(msgspec.Struct, frozen=True):
    """What the game was worth after a decision (0: at the start), at a position of the log."""

    decision: int
    position: int
    value: Value


class Drawn(msgspec.Struct, frozen=True):
    """What chance gave at these positions of a decision, and by how much that changed what the game was worth, by seat."""

    positions: tuple[int, ...]
    luck: dict[str, Estimate]

    @property
    def most(self) -> Estimate:
        """How much it changed for the seat that it changed most for."""
        return max(self.luck.values(), key=lambda one: abs(one.mean))


class Tried(msgspec.Struct, frozen=True):
    """An action that might have been taken, and what it was worth."""

    notation: str
    value: Value


class Swing(msgspec.Struct, frozen=True):
    """A decision looked at closely: what the game was worth before and after, and what chance and choice made of that.

    `position` is that of its head, `end` the last of its batch. `chosen` is what the action was worth before chance spoke, over
    all that could come of its first roll or draw; `tried` what others would have been worth, the best first. `better` compares
    the best of those with the action by playouts of their own (the best of several is partly so by luck); None where none
    seemed better.
    """

    number: int
    position: int
    end: int
    seat: str
    notation: str
    before: Value
    after: Value
    chosen: Value
    draws: tuple[Drawn, ...] = ()
    tried: tuple[Tried, ...] = ()
    better: Estimate | None = None

    def luck(self, seat: str) -> Estimate:
        """Return what chance gave a seat: what came out, against what was to be expected of the action."""
        return self.after.minus(self.chosen, seat) if self.draws else Estimate(0.0)

    def choice(self, seat: str) -> Estimate:
        """Return what the action changed for a seat, against what bots would have made of the position."""
        return self.chosen.minus(self.before, seat)

    @property
    def cost(self) -> Estimate:
        """What the action gave away of its seat's chances against the best other one that was tried; 0 if none was better."""
        return self.better if self.better is not None and self.better.mean > 0 else Estimate(0.0)


class Totals(msgspec.Struct, frozen=True):
    """What made a seat's chances what they became: `start` + `luck` + `own` + `others` + `rest` = `end`.

    `luck` is what chance gave, `own` what the seat's choices changed, `others` what those of other seats did: against what
    bots would have done. `rest` is what changed between the decisions that were not looked at closely.
    """

    start: float
    end: float
    luck: float
    own: float
    others: float
    rest: float


class Analysis(msgspec.Struct, frozen=True):
    """What the decisions of a line were worth, by playouts of bots: from `few` to `playouts` of each position.

    `points` is the curve, in order, `swings` the decisions that were looked at closely, in order. `whole` is False where the
    work was stopped early. `skipped` says of decisions why they were left out: today's rules take them otherwise.
    """

    seats: dict[str, str]
    bots: dict[str, str]
    playouts: int
    decisions: int
    points: tuple[Point, ...]
    swings: tuple[Swing, ...]
    whole: bool = True
    skipped: dict[int, str] = {}
    few: int = 0

    def luckiest(self, count: int = 5, seat: str | None = None) -> list[tuple[Swing, Drawn]]:
        """Return the rolls and draws that changed most, with their decisions: for any seat, or those kindest to one.

        What lies within the noise is not among them.
        """
        found: list[tuple[float, Swing, Drawn]] = []
        for swing in self.swings:
            for drawn in swing.draws:
                change = drawn.most if seat is None else drawn.luck[seat]
                if change.sure and (seat is None or change.mean > 0):
                    found.append((-abs(change.mean), swing, drawn))
        found.sort(key=lambda one: (one[0], one[2].positions))
        return [(swing, drawn) for _, swing, drawn in found[:count]]

    def costliest(self, count: int = 5) -> list[Swing]:
        """Return the decisions that gave most away, the worst first: those whose cost lies beyond the noise."""
        return sorted((one for one in self.swings if one.cost.sure), key=lambda one: (-one.cost.mean, one.number))[
            :count
        ]

    def totals(self, seat: str) -> Totals | None:
        """Return what made a seat's chances what they became; None where the curve is not known."""
        if not self.points:
            return None
        start, end = self.points[0].value.share(seat), self.points[-1].value.share(seat)
        luck = math.fsum(one.luck(seat).mean for one in self.swings)
        own = math.fsum(one.choice(seat).mean for one in self.swings if one.seat == seat)
        others = math.fsum(one.choice(seat).mean for one in self.swings if one.seat != seat)
        rest = end - start - math.fsum(one.after.share(seat) - one.before.share(seat) for one in self.swings)
        return Totals(start, end, luck, own, others, rest)

    def along(self, seat: str, count: int) -> list[float]:
        """Return a seat's share at `count` moments evenly spaced over the decisions, straight lines between the points."""
        if not self.points:
            return []
        first, last = self.points[0].decision, self.points[-1].decision
        count = max(1, min(count, last - first + 1))
        found, index = [], 0
        for number in range(count):
            at = first + (last - first) * number / max(1, count - 1)
            while index + 2 < len(self.points) and self.points[index + 1].decision <= at:
                index += 1
            low, high = self.points[index], self.points[min(index + 1, len(self.points) - 1)]
            part = (at - low.decision) / (high.decision - low.decision) if high is not low else 0.0
            found.append(low.value.share(seat) * (1 - part) + high.value.share(seat) * part)
        return found

    def remarks(self, count: int = 5) -> dict[int, list[str]]:
        """Return what there is to say in the margin of the story, by position: the luckiest rolls, the costliest choices."""
        found: dict[int, list[str]] = {}
        for _, drawn in self.luckiest(count):
            found.setdefault(drawn.positions[-1], []).append(f"Luck: {self.told(drawn)}.")
        for swing in self.costliest(count):
            name, cost = self.seats[swing.seat], swing.cost
            found.setdefault(swing.position, []).append(
                f"Costly: '{swing.tried[0].notation}' was worth {100 * cost.mean:.0f} % more to {amid(name)} "
                f"(give or take {100 * cost.error:.0f})."
            )
        return found

    def told(self, drawn: Drawn) -> str:
        """Return by how much rolls or draws changed each seat's chances, in words, the largest first."""
        order = sorted(drawn.luck.items(), key=lambda item: (-abs(item[1].mean), item[0]))
        said = [f"{self.seats[seat]} {100 * change.mean:+.0f} %" for seat, change in order if round(100 * change.mean)]
        error = 100 * drawn.most.error
        return ", ".join(said) + (f" (give or take {error:.0f})" if round(error) else "")


BARS, DIGITS = "▁▂▃▄▅▆▇█", "0123456789"


def sparkline(shares: Sequence[float], marks: str = BARS) -> str:
    """Return shares from 0 to 1 as a row of bars, or of other marks from the lowest to the highest.

    >>> sparkline([0, 0.25, 0.5, 0.75, 1])
    '▁▃▅▆█'
    """
    return "".join(marks[min(len(marks) - 1, int(share * (len(marks) - 1) + 0.5))] for share in shares)
