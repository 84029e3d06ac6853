"""How likely chance alone is to give what was seen: chi-square and runs tests, and how much it takes to see a bias."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

POWER = 0.8
"""How often a bias is to be found where there is one, for the number of dice it takes."""


def gamma_tail(a: float, x: float) -> float:
    """Return the upper regularized incomplete gamma function Q(a, x) of a > 0 and x >= 0, from 1 down to 0.

    By its series below a + 1 and by its continued fraction above (Lentz), as in Numerical Recipes 6.2.

    >>> round(gamma_tail(0.5, 1.920729), 6)
    0.05
    """
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - scale * total)
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 10_000):
        step = i * (a - i)
        b += 2
        d = 1 / (step * d + b or 1e-300)
        c = b + step / c or 1e-300
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return min(1.0, scale * h)


def chi_square_tail(x: float, freedom: int) -> float:
    """Return how likely a chi-square variable with so many degrees of freedom is to reach x.

    >>> round(chi_square_tail(11.0705, 5), 4)
    0.05
    """
    return gamma_tail(freedom / 2, x / 2)


class Fit(NamedTuple):
    """A chi-square test of counts against equal shares: the statistic, its degrees of freedom and its p-value."""

    statistic: float
    freedom: int
    p: float


def evenness(counts: Sequence[int]) -> Fit:
    """Return the chi-square test of counts that should be equal; there are two or more, and something was counted."""
    expected = sum(counts) / len(counts)
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    return Fit(statistic, len(counts) - 1, chi_square_tail(statistic, len(counts) - 1))


class Runs(NamedTuple):
    """A Wald-Wolfowitz test of what lies high and low in order: how many runs there are, how many are due, the p-value.

    `p` is None where there are fewer than ten of either: nothing can be told then.
    """

    high: int
    low: int
    runs: int
    expected: float
    p: float | None


def runs_test(orders: Iterable[Iterable[bool]]) -> Runs:
    """Return the runs test of several sequences together (two-sided, by the normal approximation).

    Each has its own runs, due by its own counts of high and low; in what order the sequences come does not matter.
    """
    low = high = runs = 0
    expected = variance = 0.0
    for order in orders:
        counts, last = [0, 0], None
        for one in order:
            counts[one] += 1
            runs += one is not last
            last = one
        n = sum(counts)
        if n:
            due = 2 * counts[0] * counts[1] / n + 1
            expected += due
            variance += (due - 1) * (due - 2) / (n - 1) if n > 1 else 0.0
        low, high = low + counts[0], high + counts[1]
    p = None
    if min(low, high) >= 10 and variance > 0:
        p = math.erfc(abs(runs - expected) / math.sqrt(2 * variance))
    return Runs(high, low, runs, expected, p)


def chi_square_limit(p: float, freedom: int) -> float:
    """Return the value that a chi-square variable exceeds with the probability p."""
    low, high = 0.0, 1.0
    while chi_square_tail(high, freedom) > p:
        low, high = high, high * 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, freedom) > p else (low, middle)
    return (low + high) / 2


@cache
def shift_to_tell(p: float, freedom: int, power: float = POWER) -> float:
    """Return the noncentrality at which a chi-square test at the level p finds a bias so often.

    The noncentral tail is the Poisson mixture of central ones; counts of n dice have n times the sum of the squared
    differences of the shares over the fair share.
    """
    limit = chi_square_limit(p, freedom)

    def found(shift: float) -> float:
        total, weight = 0.0, math.exp(-shift / 2)
        for j in range(int(shift) + 100):
            total += weight * chi_square_tail(limit, freedom + 2 * j)
            weight *= shift / 2 / (j + 1)
        return total

    low, high = 0.0, 1.0
    while found(high) < power:
        low, high = high, high * 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if found(middle) < power else (low, middle)
    return high


def dice_to_tell(sides: int, excess: float, p: float) -> int:
    """Return how many dice it takes to find, four times in five, a side that comes up too often by a share of itself.

    `excess` 0.25 is a side that comes up a quarter more often than it should, the others fewer by as much together.

    >>> 1000 < dice_to_tell(6, 0.25, 0.05) < 1100
    True
    """
    return math.ceil(shift_to_tell(p, sides - 1) * (sides - 1) / excess**2)


def excess_to_tell(sides: int, dice: int, p: float) -> float:
    """Return by which share of itself a side must come up too often to be found by so many dice, four times in five."""
    return math.sqrt(shift_to_tell(p, sides - 1) * (sides - 1) / dice)
