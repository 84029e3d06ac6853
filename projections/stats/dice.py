"""Whether the dice are fair: how often each side came up, and in what order high and low rolls came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

import msgspec

from ..statistics import Share, wilson
from .games import LINE, Games
from .significance import dice_to_tell, evenness, excess_to_tell, runs_test

LEVEL = 0.05
"""How often fair dice look unfair, by one of the two tests: each is held to half of it."""
CLEAR = 0.001
EXCESS = 0.25
"""The bias that the number of dice is given for: a side that comes up a quarter more often than it should."""
FEWEST = 5
"""So often each side is due before the test says anything."""


class Fairness(msgspec.Struct, frozen=True):
    """What the dice with so many `sides` say of themselves, those that fate drew or those `entered` by hand.

    `counts` is how often each side came up, from 1; `p_even` what the chi-square test of them gives, `p_order` the runs
    test: both None while there are too few. The order is that of each game; a roll of several dice is one roll in it, high
    or low by its sum, so that nothing hangs on the order in which dice of one roll are entered. `p` is that of both
    together. `face` is the side that is furthest from its share. `needed` dice find a side that comes up a quarter too
    often, four times in five; these dice find one that comes up too often by `finds` of its share. `verdict` is `too few`,
    `fair`, `doubtful` (p below 0.05) or `unfair` (below 0.001); `words` says it.
    """

    sides: int
    entered: bool
    rolls: int
    dice: int
    counts: tuple[int, ...]
    chi_square: float
    freedom: int
    p_even: float | None
    runs: int
    runs_expected: float
    p_order: float | None
    p: float | None
    face: int
    face_share: Share
    needed: int
    finds: float
    verdict: str
    words: str


class Dice(msgspec.Struct, frozen=True):
    """All dice, by sides and by where they come from.

    `repeats` is in how many games dice were left out because they have the same secret as those of another game: a fork
    that goes on with its parent's dice, or games of one seed. What was taken back is left out, too: there the same dice
    come again.
    """

    groups: tuple[Fairness, ...]
    repeats: int


def fairness(games: Games) -> Dice:
    """Return how the dice of the chosen games fell: of their current lines, each game's own, and known to all."""
    repeats = _repeats(games)
    fresh = (
        f"{LINE} AND NOT EXISTS (SELECT 1 FROM repeated WHERE repeated.game = {{0}}.game AND NOT {{0}}.entered "
        "AND (since IS NULL OR {0}.position < since))"
    )
    counts: dict[tuple[int, bool], dict[int, int]] = {}
    for sides, entered, value, count in games.rows(
        f"SELECT sides, entered, value, count(*) FROM chosen JOIN dice ON game = id WHERE {fresh.format('dice')} "
        "GROUP BY sides, entered, value"
    ):
        counts.setdefault((sides, bool(entered)), {})[value] = count
    groups = []
    for sides, entered in sorted(counts):
        totals = games.rows(
            f"SELECT game, total * 2 - count * (sides + 1) FROM chosen JOIN rolls ON game = id WHERE sides = ? AND entered = ? "
            f"AND total IS NOT NULL AND {fresh.format('rolls')} ORDER BY game, position",
            sides,
            int(entered),
        )
        found = counts[sides, entered]
        ordered = _Ordered(totals)
        groups.append(judged(sides, entered, [found.get(value, 0) for value in range(1, sides + 1)], ordered))
    return Dice(tuple(groups), repeats)


class _Ordered:
    """Rolls in order, game by game, high or low; those in the middle are counted and left out."""

    def __init__(self, above: Iterator[tuple[str, int]]) -> None:
        self.above = above
        self.rolls = 0

    def __iter__(self) -> Iterator[Iterator[bool]]:
        for _, totals in groupby(self.above, itemgetter(0)):
            yield self._game(totals)

    def _game(self, totals: Iterator[tuple[str, int]]) -> Iterator[bool]:
        for _, total in totals:
            self.rolls += 1
            if total:
                yield total > 0


def _repeats(games: Games) -> int:
    """Find games that share the secret of their dice with an earlier one; where they took a new salt, dice are their own."""
    games.connection.execute("DROP TABLE IF EXISTS temp.repeated")
    games.connection.execute("CREATE TEMP TABLE repeated (game TEXT PRIMARY KEY, since INTEGER) WITHOUT ROWID")
    games.connection.execute(
        f"""
        INSERT INTO repeated SELECT game, (
            SELECT min(position) FROM events WHERE game = again.game AND kind = 'Resalted' AND {LINE}
        ) FROM (
            SELECT game, row_number() OVER (
                PARTITION BY games.ruleset, json_extract(data, '$.commitment') ORDER BY opened, games.id
            ) AS number
            FROM chosen JOIN games USING (id) JOIN events ON game = games.id AND position = 0
            WHERE ifnull(json_extract(data, '$.commitment'), '') != ''
        ) AS again WHERE number > 1"""
    )
    count: int = next(games.rows("SELECT count(*) FROM repeated"))[0]
    return count


def judged(sides: int, entered: bool, counts: list[int], high: Iterable[Iterable[bool]]) -> Fairness:
    """Return the verdict on counts of each side and on high and low rolls in order, game by game."""
    dice = sum(counts)
    fit = evenness(counts)
    order = runs_test(high)
    enough = dice >= FEWEST * sides
    found = [p for p in (fit.p if enough else None, order.p) if p is not None]
    both = min(1.0, len(found) * min(found)) if enough else None
    face = max(range(sides), key=lambda side: (abs(counts[side] - dice / sides), -side)) + 1
    share = wilson(counts[face - 1], dice)
    needed = dice_to_tell(sides, EXCESS, LEVEL / 2)
    finds = excess_to_tell(sides, dice, LEVEL / 2)
    if both is None:
        verdict = "too few"
        words = f"Too few to tell: {FEWEST * sides} are the least, and a biased side takes many more."
    elif both >= LEVEL:
        verdict = "fair"
        words = f"Nothing speaks against them: of fair dice {_often(both)} look at least as odd."
    else:
        verdict = "unfair" if both < CLEAR else "doubtful"
        what = f"the {face} came up {100 * share.share:.1f} % of the time, not {100 / sides:.1f} %"
        if order.p is not None and order.p < fit.p:
            what = "high and low rolls " + (
                "alternate too often" if order.runs > order.expected else "come too long in a row"
            )
        first = "They are not fair" if verdict == "unfair" else "Doubtful"
        words = f"{first}: {what}; of fair dice {_often(both)} look as odd."
    return Fairness(
        sides, entered, high.rolls if isinstance(high, _Ordered) else order.high + order.low, dice, tuple(counts),
        fit.statistic, fit.freedom, fit.p if enough else None, order.runs, order.expected, order.p, both, face, share,
        needed, finds, verdict, words,
    )  # fmt: skip


def _often(p: float) -> str:
    """A probability as people say it: `38 %`, `1 in 250`."""
    if p >= 0.01:
        return f"{100 * p:.0f} %"
    return f"1 in {1 / p:,.0f}" if p > 1e-6 else "fewer than 1 in a million"
