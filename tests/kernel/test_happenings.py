"""What rulesets may tell for counting: nothing unless they say so, the same names always, and to a seat no more than it knows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import hidden
import laws
import nested
import pig
import pytest
import tally_laws

from warptape.domain.rules import Ruleset

RULESETS = pytest.mark.parametrize("ruleset", [pig.RULESET, hidden.RULESET, nested.RULESET], ids=lambda one: one.id)


@RULESETS
def test_figures_have_the_same_names_at_every_position(ruleset: Any) -> None:
    seats = ("", *(seat.id for seat in ruleset.seats(ruleset.options())))
    for seed in range(3):
        tally_laws.figures_keep_their_names(ruleset, laws.whole(ruleset, f"figures {seed}").events, seats)


def test_a_ruleset_that_says_nothing_tells_nothing() -> None:
    class Quiet(pig.Pig):
        figures = Ruleset.figures

    match = laws.whole(Quiet(), "quiet")
    assert match.ruleset.figures(match.state) == {}
    assert not [found for _, _, found in tally_laws.tallied(match.ruleset, match.events) if found]


def test_the_figures_of_pig_are_its_scores() -> None:
    match = laws.whole(pig.RULESET, "scores")
    assert match.outcome is not None
    figures = dict(pig.RULESET.figures(match.state))
    figures.pop("turn_total")
    assert figures == match.outcome.figures


def test_a_seat_is_told_of_secret_counters_by_the_sorts_that_it_knows() -> None:
    unknown: Counter[str] = Counter()
    for seed in range(10):
        events = laws.whole(hidden.RULESET, f"seen {seed}").events
        for seat in (hidden.RAIDER, hidden.WARDEN, ""):
            unknown[seat] += len(list(tally_laws.seen_by(hidden.RULESET, events, seat, unknown="counter")))
    assert unknown[""] >= unknown[hidden.WARDEN] > unknown[hidden.RAIDER] == 0
