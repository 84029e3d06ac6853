"""Games that bots play are kept whole: every one of a store passes the audit, chain, chance and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from warptape.domain.rules import Ruleset
from warptape.replays import audits, simulate
from warptape.replays.library import Library
from warptape.replays.processes import cores

MANY = pytest.mark.parametrize("many", [8, pytest.param(1000, marks=pytest.mark.slow)])
"""How many games: a few at any time, many in a long run."""

CHECKED = ("chain", "chance", "rules")


class Table(NamedTuple):
    """Bots (`sensible` where none is named) and options of some of the games."""

    bots: dict[str, str] = {}
    options: dict[str, str] = {}


def recorded_and_sound(ruleset: Ruleset, tables: Sequence[Table], many: int, folder: Path) -> Counter[str]:
    """Have bots play `many` games, shared out evenly over the tables, into one store, and audit all that is in it.

    Returns how many games came to which result. Games of more than a hundred are played on all cores.
    """
    store, played, each = str(folder / "games.db"), simulate.Totals(), many // len(tables)
    jobs = cores() if many > 100 else 1
    for number, table in enumerate(tables):
        plan = simulate.plan(ruleset.id, f"{many}/{number}", table.bots, table.options, store)
        for part in simulate.run(plan, each + (number < many % len(tables)), jobs):
            played.add(part)
    assert played.failures == []
    assert played.games == many
    with Library(store) as kept:
        games = kept.games()
    assert len(games) == many
    summary = audits.Summary()
    for audited in audits.run([audits.Task(game.id, store=store, game=game.id) for game in games], jobs):
        summary.add(audited)
        report = audited.report
        assert report is not None
        assert report.ok, str(audited)
        assert {(row.verdict, row.count > 0) for row in report.rows if row.check in CHECKED} == {("ok", True)}
    assert summary.text() == f"All {many} are sound."
    return Counter(played.results)
