"""How much an analysis plays out when nobody says how much: work that takes minutes, spent where it tells most."""

from __future__ import annotations

from .playouts import Value

FEW = 12
"""Playouts of each position at first."""

CLOSELY = 24
"""Playouts of each question about a decision that is looked at closely."""

CURVE, CLOSER = 180_000, 160_000
"""Decisions that bots take for the curve, and for the decisions looked at closely: one takes a thousandth of a second or two."""

ROUGH, TO_FOLLOW = 0.45, 0.75
"""Shares of the curve's work: for the first even points, and for these and those where the curve changes most."""

FEWEST = 9
"""Points that a curve has, whatever they take."""


class Allotment:
    """Work that is left, counted in decisions of bots: so an analysis comes to the same figures on every machine.

    `after` is how many decisions the bots take from the end of the line on, about; from a point of it, those that were
    taken in the game besides.
    """

    def __init__(self, decisions: int, after: int) -> None:
        self.decisions = decisions
        self.after = after
        self.left = float(CURVE)

    def cost(self, point: int, playouts: int = 1) -> int:
        """Return what playouts of a point of the curve take, about."""
        return playouts * (self.decisions - point + self.after + 1)

    def rough(self, most: int) -> int:
        """Return how many points lie evenly at first: as many as a good part of the work is enough for, at most so many."""
        mean = self.decisions / 2 + self.after + 1
        return min(most, max(FEWEST, int(ROUGH * CURVE / (FEW * mean))))

    def spend(self, work: float) -> None:
        """Take note of work that is done."""
        self.left -= work

    @property
    def follows(self) -> bool:
        """Whether there is work left to find out where the curve changes."""
        return self.left > (1 - TO_FOLLOW) * CURVE

    def closer(self) -> None:
        """Begin with the decisions that are looked at closely; what the curve left is theirs as well."""
        self.left = max(0.0, self.left) + CLOSER

    def affords(self, work: float) -> bool:
        """Whether so much work is left; then it is spent."""
        if work > self.left:
            return False
        self.left -= work
        return True


def wideness(value: Value) -> float:
    """Return how little is known of a value: the largest standard error of a seat's share."""
    return max(value.error(seat) for seat in value.seats)
