"""Figures about many games: shares with confidence intervals, and means."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

Z95 = 1.959963984540054
"""The standard normal quantile of a 95 % interval, both sides together."""


class Share(msgspec.Struct, frozen=True):
    """How often something came up: `count` of `total`, the share, and its interval from `low` to `high` (0 to 1)."""

    count: int
    total: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})"


def wilson(count: int, total: int, z: float = Z95) -> Share:
    """Return a share with its Wilson score interval; without any observation the interval is everything.

    >>> str(wilson(61, 100))
    '61.0 % (51.2 to 70.0)'
    """
    if total <= 0:
        return Share(count, 0, 0.0, 0.0, 1.0)
    p = count / total
    spread = z * z / total
    middle = (p + spread / 2) / (1 + spread)
    half = z * math.sqrt(p * (1 - p) / total + spread / (4 * total)) / (1 + spread)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Share(count, total, p, low if count else 0.0, high if count < total else 1.0)


def shares(counts: Mapping[str, int], total: int | None = None) -> dict[str, Share]:
    """Return the share of each name, the most frequent first; `total` is the sum unless it is given."""
    whole = sum(counts.values()) if total is None else total
    return {name: wilson(count, whole) for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))}


def mean(total: int, count: int) -> float:
    """Return a mean, 0 of nothing."""
    return total / count if count else 0.0
