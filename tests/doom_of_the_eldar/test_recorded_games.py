"""Games that bots play are kept whole: every one of a store passes the audit, chain, chance and rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from warptape.domain.doom_of_the_eldar import RULESET
from warptape.replays import audits, simulate
from warptape.replays.library import Library
from warptape.replays.processes import cores

TABLES = [
    ({}, {}),
    ({"eldar": "random"}, {"setup": "quickstart"}),
    ({"eldar": "random", "tyranid": "random"}, {"setup": "quickstart", "stall_turns": "0"}),
    (
        {"tyranid": "random"},
        {"track_layout": "rows_of_15", "track_advance": "drawn", "retreat_together": "each_chooses",
         "repeat_conversion_pool": "separate", "eldar_sees_losses": "yes"},
    ),
]  # fmt: skip
"""Bots (`sensible` where none is named) and options; the games are shared out evenly."""

CHECKED = ("chain", "chance", "rules")


@pytest.mark.parametrize("many", [8, pytest.param(1000, marks=pytest.mark.slow)])
def test_games_of_bots_are_kept_and_pass_the_audit(many: int, tmp_path: Path) -> None:
    store, played, each = str(tmp_path / "games.db"), simulate.Totals(), many // len(TABLES)
    jobs = cores() if many > 100 else 1
    for number, (bots, options) in enumerate(TABLES):
        plan = simulate.plan(RULESET.id, f"{many}/{number}", bots, options, store)
        for part in simulate.run(plan, each, jobs):
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
    if many > 100:
        assert set(played.results) >= {"eldar", "tyranid"}, Counter(played.results)
