"""What was lost: by kind of unit, and by round of each level."""

from __future__ import annotations

import msgspec

from .games import LINE, Games


class Loss(msgspec.Struct, frozen=True):
    """What one kind of unit of a `side` (empty for none) lost: `amount` in wounds or steps, `lost` that left the board.

    `games` had such a loss; `per_game` is the amount over all games of the ruleset. `causes` is the amount by what or whom
    it came, the greatest first. `unit` is an id, `name` what it is called.
    """

    ruleset: str
    side: str
    unit: str
    times: int
    amount: int
    lost: int
    games: int
    per_game: float
    causes: dict[str, int]
    name: str = ""


class RoundLoss(msgspec.Struct, frozen=True):
    """What a side lost in a round of those `games` that got so far; round 0 is before the first.

    Rounds count within their `level`, which is 0 in games that have no more than one.
    """

    ruleset: str
    side: str
    level: int
    round: int
    games: int
    amount: int
    lost: int
    per_game: float


def losses_by_kind(games: Games) -> tuple[Loss, ...]:
    """Return the losses by ruleset, side and kind of unit, the greatest first."""
    causes: dict[tuple[str, str, str], dict[str, int]] = {}
    for ruleset, side, unit, cause, amount in games.rows(
        f"SELECT ruleset, side, unit, cause, sum(amount) AS amount FROM chosen JOIN losses ON game = id WHERE {LINE} "
        "GROUP BY 1, 2, 3, 4 ORDER BY amount DESC, cause"
    ):
        causes.setdefault((ruleset, side, unit), {})[cause] = amount
    rulesets = games.rulesets()
    return tuple(
        Loss(
            ruleset,
            side,
            unit,
            times,
            amount,
            lost,
            count,
            amount / rulesets[ruleset][0],
            causes[ruleset, side, unit],
            games.called(ruleset, unit),
        )
        for ruleset, side, unit, times, amount, lost, count in games.rows(
            "SELECT ruleset, side, unit, count(*), sum(amount) AS amount, sum(final) AS lost, count(DISTINCT game) "
            f"FROM chosen JOIN losses ON game = id WHERE {LINE} GROUP BY 1, 2, 3 "
            "ORDER BY ruleset, side, amount DESC, lost DESC, unit"
        )
    )


def losses_by_round(games: Games) -> tuple[RoundLoss, ...]:
    """Return the losses by ruleset, side, level and round, a row for every round that any game got to."""
    reached: dict[str, dict[tuple[int, int], int]] = {}
    for ruleset, level, rounds, count in games.rows(
        "SELECT ruleset, level, rounds, count(*) FROM ("
        "SELECT chosen.ruleset, 0 AS level, rounds FROM chosen JOIN games USING (id) WHERE levels = 0 UNION ALL "
        "SELECT chosen.ruleset, level, max(level_round) FROM chosen JOIN games USING (id) JOIN events ON game = games.id "
        "WHERE levels > 0 AND current GROUP BY games.id, level"
        ") GROUP BY 1, 2, 3"
    ):
        far = reached.setdefault(ruleset, {})
        for round in range(rounds + 1):
            far[level, round] = far.get((level, round), 0) + count
    found = {
        (ruleset, side, level, round): (amount, lost)
        for ruleset, side, level, round, amount, lost in games.rows(
            "SELECT ruleset, side, level, level_round, sum(amount), sum(final) FROM chosen JOIN losses ON game = id "
            f"WHERE {LINE} GROUP BY 1, 2, 3, 4"
        )
    }
    rows = []
    for ruleset, side in sorted({(ruleset, side) for ruleset, side, *_ in found}):
        for (level, round), count in sorted(reached[ruleset].items()):
            amount, lost = found.get((ruleset, side, level, round), (0, 0))
            if round or amount:
                rows.append(RoundLoss(ruleset, side, level, round, count, amount, lost, amount / count))
    return tuple(rows)
