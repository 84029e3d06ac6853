"""An archive of recorded games of all rulesets, for every test of statistics; nobody writes into it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warptape.projections.archive import Archive, FileSource, StoreSource
from warptape.projections.stats import Statistics, statistics
from warptape.replays import simulate
from warptape.replays.store import open_store

GAMES = (
    ("space-marine-adventures", 8, {}, {}),
    ("space-marine-adventures", 3, {"level": "3"}, {"team": "random"}),
    ("doom-of-the-eldar", 4, {}, {}),
    ("tyranid-attack", 3, {}, {}),
)
"""Rulesets, how many games of each, with which options and bots."""
LOGS = Path(__file__).parent.parent / "logs"


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of a store with games of all rulesets."""
    path = tmp_path_factory.mktemp("stats") / "games.db"
    for number, (ruleset, many, options, bots) in enumerate(GAMES):
        plan = simulate.plan(ruleset, f"stats {number}", bots, options, str(path))
        totals = simulate.Totals()
        for part in simulate.run(plan, many, 1):
            totals.add(part)
        assert totals.games == many
    return path


@pytest.fixture(scope="session")
def archive(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of an archive of those games."""
    path = tmp_path_factory.mktemp("stats") / "archive.db"
    with open_store(str(played)) as store, Archive(path) as made:
        assert made.follow(StoreSource(store, str(played))).failed == []
    return path


@pytest.fixture
def connection(archive: Path) -> Iterator[sqlite3.Connection]:
    """A connection to that archive, which cannot write."""
    with Archive(archive, readonly=True) as made:
        yield made.connection


@pytest.fixture(scope="session")
def found(archive: Path) -> Statistics:
    """What all of its games say."""
    with Archive(archive, readonly=True) as made:
        return statistics(made.connection)


@pytest.fixture
def of_logs(tmp_path: Path) -> Callable[..., Any]:
    """Gives the statistics of log files in `tests/logs`, which are the same for ever."""

    def count(*names: str, **how: Any) -> Statistics:
        with Archive(tmp_path / "logs.db") as made:
            followed = made.follow(FileSource([LOGS / name for name in names]))
            assert followed.failed == []
            return statistics(made.connection, **how)

    return count
