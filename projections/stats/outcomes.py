"""How games ended, by what they have in common, and how long they took."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

import msgspec

from ..statistics import Share, shares, wilson
from .games import LINE, Games

MOST_VALUES = 12
"""An option with more values than that (names of people, lists of cards) is no way to part games."""


class Outcomes(msgspec.Struct, frozen=True):
    """How finished games ended: all of a ruleset, or those with the `value` of what they are parted `by`.

    `by` is empty for all, else the name of an option, `board`, or `seat SEAT` with its holders. `results` and `wins` (by
    seat) are shares with Wilson intervals.
    """

    ruleset: str
    by: str
    value: str
    games: int
    results: dict[str, Share]
    wins: dict[str, Share]


class Length(msgspec.Struct, frozen=True):
    """How many `decisions`, `rounds`, `events` or `seconds` finished games took, or what figures they ended with."""

    ruleset: str
    what: str
    games: int
    mean: float
    low: float
    median: float
    high: float
    least: float
    most: float


def outcomes(games: Games) -> tuple[Outcomes, ...]:
    """Return how the finished games ended: of each ruleset all, then by options that differ, by board, and by holders."""
    found = []
    seats = games.seats()
    for ruleset in games.rulesets():
        ways: list[tuple[str, str]] = [
            ("", f"SELECT id AS game, '' AS value FROM chosen WHERE ruleset = '{_q(ruleset)}'")
        ]
        ways += [
            (name, f"SELECT game, value FROM options WHERE name = '{_q(name)}'") for name in _options(games, ruleset)
        ]
        ways.append(("board", _boards()))
        ways += [
            (f"seat {seat}", f"SELECT game, holder AS value FROM seats WHERE seat = '{_q(seat)}'")
            for seat in seats.get(ruleset, ())
        ]
        for by, select in ways:
            parts = list(_parted(games, ruleset, by, select, seats.get(ruleset, ())))
            if not by or len(parts) > 1:
                found += parts
    return tuple(found)


def _parted(games: Games, ruleset: str, by: str, select: str, seats: Sequence[str]) -> Iterator[Outcomes]:
    """Yield the outcomes of the games that a select (game, value) puts together."""
    ours = f"({select}) AS part JOIN chosen ON chosen.id = part.game WHERE finished AND ruleset = ?"
    results: dict[str, dict[str, int]] = {}
    for value, result, count in games.rows(
        f"SELECT value, (SELECT result FROM games WHERE id = part.game), count(*) FROM {ours} GROUP BY 1, 2 ORDER BY 1",
        ruleset,
    ):
        results.setdefault(value, {})[result] = count
    wins = {
        (value, seat): won
        for value, seat, won in games.rows(
            f"SELECT value, seat, sum(won) FROM (SELECT part.game, value FROM {ours}) JOIN seats USING (game) GROUP BY 1, 2",
            ruleset,
        )
    }
    for value, counts in results.items():
        total = sum(counts.values())
        won = {seat: wilson(wins.get((value, seat), 0) or 0, total) for seat in seats}
        yield Outcomes(ruleset, by, value, total, shares(counts), won)


def _options(games: Games, ruleset: str) -> list[str]:
    """The options that part the games of a ruleset into a few sorts."""
    found = games.rows(
        "SELECT name FROM options JOIN chosen ON id = game WHERE ruleset = ? "
        "GROUP BY name HAVING count(DISTINCT value) BETWEEN 2 AND ? ORDER BY name",
        ruleset,
        MOST_VALUES,
    )
    return [name for (name,) in found]


def _boards() -> str:
    """Which board each game was played on, where it was only one."""
    return f"""
        SELECT game, min(board) AS value FROM (
            SELECT DISTINCT game, substr(spot, 1, instr(spot, ':') - 1) AS board FROM chosen JOIN moves ON game = id
            WHERE {LINE} AND spot != ''
        ) GROUP BY game HAVING count(*) = 1 AND min(board) != ''"""


def _q(text: str) -> str:
    return text.replace("'", "''")


def lengths(games: Games) -> tuple[Length, ...]:
    """Return how long finished games took and with what figures they ended, by ruleset."""
    found = []
    for ruleset in games.rulesets():
        kinds = {
            what: f"SELECT {what} FROM chosen JOIN games USING (id) "
            f"WHERE chosen.finished AND chosen.ruleset = ? AND {what} IS NOT NULL"
            for what in ("decisions", "rounds", "events", "seconds")
        }
        for what, select in kinds.items():
            found += _length(ruleset, what, [value for (value,) in games.rows(select, ruleset)])
        figures: dict[str, list[float]] = {}
        for name, value in games.rows(
            "SELECT name, value FROM chosen JOIN outcomes ON game = id WHERE finished AND ruleset = ? ORDER BY name",
            ruleset,
        ):
            figures.setdefault(name, []).append(value)
        for name, values in figures.items():
            if name not in kinds:
                found += _length(ruleset, name, values)
    return tuple(found)


def _length(ruleset: str, what: str, values: list[float]) -> list[Length]:
    if not values:
        return []
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    mean = statistics.fmean(values)
    return [Length(ruleset, what, len(values), mean, low, middle, high, min(values), max(values))]
