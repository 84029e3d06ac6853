"""The tests of chance against published values, against exact distributions, and against dice that are known."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptape.projections.statistics import wilson
from warptape.projections.stats.dice import judged
from warptape.projections.stats.effects import difference
from warptape.projections.stats.significance import (
    chi_square_limit,
    chi_square_tail,
    dice_to_tell,
    evenness,
    excess_to_tell,
    gamma_tail,
    runs_test,
    shift_to_tell,
)


@pytest.mark.parametrize(
    ("x", "freedom", "p"),
    [
        (3.841459, 1, 0.05), (6.634897, 1, 0.01), (5.991465, 2, 0.05), (11.070498, 5, 0.05), (15.086272, 5, 0.01),
        (20.515, 5, 0.001), (1.145476, 5, 0.95), (30.143527, 19, 0.05), (124.342113, 100, 0.05), (77.929465, 100, 0.95),
    ],
)  # fmt: skip
def test_the_tail_of_chi_square_is_that_of_the_tables(x: float, freedom: int, p: float) -> None:
    """Critical values as printed in the NIST/SEMATECH handbook, 1.3.6.7.4."""
    assert chi_square_tail(x, freedom) == pytest.approx(p, rel=2e-4)
    assert chi_square_limit(p, freedom) == pytest.approx(x, rel=2e-4)


@given(st.integers(1, 40), st.floats(0.001, 200))
def test_the_gamma_tail_of_whole_numbers_is_a_sum_of_poisson_terms(a: int, x: float) -> None:
    exact = math.fsum(math.exp(k * math.log(x) - x - math.lgamma(k + 1)) for k in range(a))
    assert gamma_tail(a, x) == pytest.approx(exact, rel=1e-9, abs=1e-14)


def test_the_gamma_tail_of_a_half_is_the_error_function() -> None:
    for x in (0.0, 0.01, 0.4, 1.4, 1.6, 3.0, 20.0, 300.0):
        assert gamma_tail(0.5, x) == pytest.approx(math.erfc(math.sqrt(x)), rel=1e-10, abs=1e-300)


def test_counts_are_tested_as_in_the_textbook() -> None:
    fit = evenness([5, 8, 9, 8, 10, 20])  # chi-square 13.4 with 5 degrees of freedom: p 0.0199
    assert fit.statistic == pytest.approx(13.4)
    assert fit.freedom == 5
    assert fit.p == pytest.approx(0.0199, abs=0.0001)


@pytest.mark.parametrize(("high", "low"), [(10, 10), (12, 17), (40, 25)])
def test_runs_are_expected_as_often_as_the_exact_distribution_says(high: int, low: int) -> None:
    def ways(runs: int) -> int:
        half, odd = divmod(runs, 2)
        if not odd:
            return 2 * math.comb(high - 1, half - 1) * math.comb(low - 1, half - 1)
        return math.comb(high - 1, half) * math.comb(low - 1, half - 1) + math.comb(high - 1, half - 1) * math.comb(
            low - 1, half
        )

    total = math.comb(high + low, low)
    chances = {runs: ways(runs) / total for runs in range(2, high + low + 1)}
    assert sum(chances.values()) == pytest.approx(1)
    mean = sum(runs * p for runs, p in chances.items())
    variance = sum((runs - mean) ** 2 * p for runs, p in chances.items())
    found = runs_test([[True] * high + [False] * low])
    assert (found.high, found.low, found.runs) == (high, low, 2)
    assert found.expected == pytest.approx(mean)
    assert found.p == pytest.approx(math.erfc((mean - 2) / math.sqrt(2 * variance)))


def test_several_games_have_their_runs_each() -> None:
    games = [[True, True, False] * 5, [False] * 12, [True, False] * 9, []]
    found = runs_test(games)
    alone = [runs_test([game]) for game in games]
    assert found.runs == sum(one.runs for one in alone)
    assert found.expected == pytest.approx(sum(one.expected for one in alone))
    assert found == pytest.approx(runs_test(reversed(games)))


def test_few_runs_tell_nothing() -> None:
    assert runs_test([]).p is None
    assert runs_test([[True] * 9 + [False] * 50]).p is None
    assert runs_test([[True] * 100]).p is None


@pytest.mark.parametrize(("freedom", "shift"), [(1, 7.8489), (2, 9.6347), (5, 12.8276), (10, 16.2414)])
def test_the_bias_that_is_found_four_times_in_five_is_that_of_the_tables(freedom: int, shift: float) -> None:
    """Noncentralities for a power of 0.8 at 5 %, as G*Power and R's `pwr` give them."""
    assert shift_to_tell(0.05, freedom) == pytest.approx(shift, rel=2e-4)


def test_as_many_dice_as_it_takes_find_the_bias_about_four_times_in_five() -> None:
    many = dice_to_tell(6, 0.25, 0.025)
    assert excess_to_tell(6, many, 0.025) == pytest.approx(0.25, rel=0.001)
    luck = random.Random(4)
    sides = [1.0] * 5 + [1.25 * 5 / (6 - 1.25)]  # a six comes up a quarter more often than one time in six
    found = 0
    for _ in range(400):
        throws = luck.choices(range(6), sides, k=many)
        found += evenness([throws.count(side) for side in range(6)]).p < 0.025
    assert 0.72 < found / 400 < 0.88


def rolled(luck: random.Random, sides: list[float], many: int) -> tuple[list[int], list[list[bool]]]:
    throws = luck.choices(range(1, len(sides) + 1), sides, k=many)
    middle = (len(sides) + 1) / 2
    return [throws.count(side) for side in range(1, len(sides) + 1)], [[throw > middle for throw in throws]]


def test_fair_dice_are_found_fair_in_about_95_of_100_games() -> None:
    verdicts = [judged(6, False, *rolled(random.Random(seed), [1.0] * 6, 600)).verdict for seed in range(600)]
    assert 0.93 <= verdicts.count("fair") / 600 <= 0.985
    assert verdicts.count("unfair") <= 4


@pytest.mark.parametrize("sides", [[1, 1, 1, 1, 1, 1.6], [1.5, 1, 1, 1, 1, 0.5], [3, 2], [1.0] * 9 + [2.5]])
def test_loaded_dice_are_found(sides: list[float]) -> None:
    for seed in range(10):
        found = judged(len(sides), True, *rolled(random.Random(seed), sides, 2500))
        assert found.verdict == "unfair", found
        assert f"the {found.face} came up" in found.words or "rolls" in found.words


def test_dice_that_fall_evenly_but_in_a_pattern_are_found() -> None:
    swinging = judged(6, False, [50] * 6, [[True, False] * 150])
    assert swinging.verdict == "unfair"
    assert "alternate too often" in swinging.words
    streaky = judged(6, False, [50] * 6, [([True] * 15 + [False] * 15) * 10])
    assert streaky.verdict == "unfair"
    assert "too long in a row" in streaky.words
    assert streaky.p_even == pytest.approx(1)


def test_a_handful_of_dice_gets_no_verdict() -> None:
    found = judged(6, True, [29, 0, 0, 0, 0, 0], [[False] * 29])
    assert (found.verdict, found.p, found.p_even) == ("too few", None, None)
    assert found.needed == dice_to_tell(6, 0.25, 0.025)
    assert judged(6, True, [30, 0, 0, 0, 0, 0], [[False] * 30]).verdict == "unfair"


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """Newcombe 1998, method 10: 9/10 against 3/10."""
    apart, low, high = difference(wilson(9, 10), wilson(3, 10))
    assert (round(apart, 4), round(low, 4), round(high, 4)) == (0.6, 0.1705, 0.8090)
