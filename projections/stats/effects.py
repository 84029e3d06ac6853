"""What cards, orders, weapons and units were used for, and how games went in which they were."""

from __future__ import annotations

import math

import msgspec

from ..statistics import Share, wilson
from .games import LINE, Games


class Effect(msgspec.Struct, frozen=True):
    """How often a `seat` won with and without something: shares of finished games, and the difference with its interval.

    `difference` is None where either never happened; its interval, `low` to `high`, is Newcombe's. It says what went
    together, not what caused what: a card that is played in need is played in games that are going badly.
    """

    seat: str
    with_it: Share
    without: Share
    difference: float | None
    low: float | None
    high: float | None


class Use(msgspec.Struct, frozen=True):
    """A card, an order or an ability: used by a `side` (empty: it belongs to nobody) so often, in so many games.

    `fights` are those that were fought with it, of which `successes` came off and `open` stayed open; `caused` is what was
    lost through it, in wounds or steps. `item` is an id, `name` what it is called. `effect` is that of games in which it was used.
    """

    ruleset: str
    side: str
    item: str
    uses: int
    games: int
    fights: int
    successes: int
    open: int
    success: Share
    caused: int
    effect: Effect
    name: str = ""


class Weapon(msgspec.Struct, frozen=True):
    """What attacks were made with: how many, how many came off, and what was lost by them."""

    ruleset: str
    side: str
    weapon: str
    fights: int
    successes: int
    open: int
    success: Share
    caused: int
    name: str = ""


class Unit(msgspec.Struct, frozen=True):
    """A kind of unit: in how many games it did or suffered anything, its moves, attacks and losses.

    `attacked` is how often it was attacked, `caused` what others lost through it, `suffered` and `lost` what it lost itself:
    wounds or steps, and how many left the board.
    """

    ruleset: str
    side: str
    unit: str
    games: int
    moves: int
    fights: int
    successes: int
    open: int
    success: Share
    attacked: int
    caused: int
    suffered: int
    lost: int
    effect: Effect
    name: str = ""


FIGHTS = "count(*), ifnull(sum(success), 0), sum(success IS NULL)"


class Effects:
    """Works out uses, weapons and units of the chosen games."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.seats = games.seats()
        self.won = {
            (ruleset, seat): (won, count)
            for ruleset, seat, won, count in games.rows(
                "SELECT ruleset, seat, sum(won), count(*) FROM chosen JOIN seats ON game = id WHERE finished GROUP BY 1, 2"
            )
        }
        self._blame()

    def _blame(self) -> None:
        """Say of every loss which kind of unit caused it and in what fight: temporary table `caused`.

        It is the kind of unit that the loss names, else that of the last attack of the same batch on what was lost; who
        loses by an attack of his own loses by the one he attacked. Otherwise it is nobody.
        """
        run = self.games.connection.execute
        run("DROP TABLE IF EXISTS temp.caused")
        run(
            f"""
            CREATE TEMP TABLE caused AS
            SELECT loss.game, loss.ruleset, loss.amount, loss.cause,
                   CASE WHEN kinds.unit IS NOT NULL THEN loss.cause
                        WHEN fight.who = loss.who THEN fight.target ELSE fight.unit END AS unit,
                   fight.cause AS weapon, fight.who IS NOT NULL AND fight.who != loss.who AS struck, fight.side AS side
            FROM (
                SELECT l.*, chosen.ruleset, (
                    SELECT f.rowid FROM fights AS f
                    WHERE f.game = l.game AND f.position BETWEEN e.batch AND l.position
                      AND (f.target = l.unit AND f.place = l.place OR f.who = l.who)
                    ORDER BY f.position DESC, f.number DESC LIMIT 1
                ) AS fought
                FROM chosen JOIN losses AS l ON l.game = chosen.id
                JOIN events AS e ON e.game = l.game AND e.position = l.position
                WHERE NOT l.inherited AND l.current
            ) AS loss
            LEFT JOIN fights AS fight ON fight.rowid = loss.fought
            LEFT JOIN (
                SELECT DISTINCT ruleset, unit FROM chosen JOIN fights ON game = id WHERE {LINE}
            ) AS kinds ON kinds.ruleset = loss.ruleset AND kinds.unit = loss.cause"""
        )

    def effect(self, ruleset: str, side: str, won: int, count: int) -> Effect:
        """Return how the seat of a side did in `count` games, of which it won `won`, against all the others."""
        seats = self.seats.get(ruleset, [])
        seat = side if side in seats else seats[0] if seats else ""
        all_won, every = self.won.get((ruleset, seat), (0, 0))
        one, other = wilson(won, count), wilson((all_won or 0) - won, every - count)
        if not count or every == count:
            return Effect(seat, one, other, None, None, None)
        return Effect(seat, one, other, *difference(one, other))

    def uses(self) -> tuple[Use, ...]:
        """Return what was used, by ruleset and side, the most frequent first."""
        fights = self._fights("cause")
        caused = self._sums(
            "SELECT ruleset, name, sum(amount) FROM (SELECT ruleset, cause AS name, amount FROM caused UNION ALL "
            "SELECT ruleset, weapon, amount FROM caused WHERE struck AND weapon != cause) GROUP BY 1, 2"
        )
        found = []
        for ruleset, side, item, uses, games, ended, won in self.games.rows(
            f"""
            SELECT u.ruleset, side, item, sum(uses), count(*), sum(finished), ifnull(sum(won), 0) FROM (
                SELECT ruleset, game, finished, side, item, count(*) AS uses FROM chosen JOIN uses ON game = id
                WHERE {LINE} GROUP BY game, side, item
            ) AS u LEFT JOIN seats ON seats.game = u.game AND seats.seat = {self._seat("u")} AND finished
            GROUP BY 1, 2, 3 ORDER BY u.ruleset, side, sum(uses) DESC, item"""
        ):
            fought, hit, open = fights.get((ruleset, item), (0, 0, 0))
            found.append(
                Use(
                    ruleset, side, item, uses, games, fought, hit, open, wilson(hit, fought - open),
                    caused.get((ruleset, item), 0), self.effect(ruleset, side, won, ended), self.games.called(ruleset, item),
                )
            )  # fmt: skip
        return tuple(found)

    def weapons(self) -> tuple[Weapon, ...]:
        """Return what attacks were made with, by ruleset and side, the most frequent first."""
        caused: dict[tuple[str, str, str], int] = {}
        for ruleset, side, weapon, amount in self.games.rows(
            "SELECT ruleset, side, weapon, sum(amount) FROM caused WHERE struck GROUP BY 1, 2, 3"
        ):
            caused[ruleset, side, weapon] = amount
        return tuple(
            Weapon(
                ruleset,
                side,
                cause,
                fought,
                hit,
                open,
                wilson(hit, fought - open),
                caused.get((ruleset, side, cause), 0),
                self.games.called(ruleset, cause),
            )
            for ruleset, side, cause, fought, hit, open in self.games.rows(
                f"SELECT ruleset, side, cause, {FIGHTS} FROM chosen JOIN fights ON game = id WHERE {LINE} GROUP BY 1, 2, 3 "
                "ORDER BY ruleset, side, count(*) DESC, cause"
            )
        )

    def units(self) -> tuple[Unit, ...]:
        """Return the kinds of units, by ruleset and side, those in most games first."""
        moves = self._counts("SELECT ruleset, side, unit, count(*)", "moves")
        fights = self._counts(f"SELECT ruleset, side, unit, {FIGHTS}", "fights")
        losses = self._counts("SELECT ruleset, side, unit, sum(amount), sum(final)", "losses")
        attacked = self._sums(
            f"SELECT ruleset, target, count(*) FROM chosen JOIN fights ON game = id WHERE {LINE} GROUP BY 1, 2"
        )
        caused = self._sums("SELECT ruleset, unit, sum(amount) FROM caused WHERE unit IS NOT NULL GROUP BY 1, 2")
        found = []
        for ruleset, side, unit, games, ended, won in self.games.rows(
            f"""
            SELECT there.ruleset, side, unit, count(*), sum(finished), ifnull(sum(won), 0) FROM (
                SELECT DISTINCT ruleset, game, finished, side, unit FROM chosen JOIN (
                    SELECT game, side, unit FROM moves WHERE {LINE} UNION ALL
                    SELECT game, side, unit FROM fights WHERE {LINE} UNION ALL
                    SELECT game, side, unit FROM losses WHERE {LINE}
                ) ON game = id
            ) AS there LEFT JOIN seats ON seats.game = there.game AND seats.seat = {self._seat("there")} AND finished
            GROUP BY 1, 2, 3 ORDER BY there.ruleset, side, count(*) DESC, unit"""
        ):
            key = (ruleset, side, unit)
            (moved,), (fought, hit, open) = moves.get(key, (0,)), fights.get(key, (0, 0, 0))
            suffered, lost = losses.get(key, (0, 0))
            found.append(
                Unit(
                    ruleset, side, unit, games, moved, fought, hit, open, wilson(hit, fought - open),
                    attacked.get((ruleset, unit), 0), caused.get((ruleset, unit), 0), suffered, lost,
                    self.effect(ruleset, side, won, ended), self.games.called(ruleset, unit),
                )
            )  # fmt: skip
        return tuple(found)

    def _seat(self, table: str) -> str:
        """Whose win counts: that of the seat a row belongs to, or of the game's first seat."""
        first = " ".join(
            f"WHEN '{ruleset}' THEN iif({table}.side IN ({_texts(seats)}), {table}.side, '{seats[0]}')"
            for ruleset, seats in self.seats.items()
        )
        return f"CASE {table}.ruleset {first} END" if first else "NULL"

    def _fights(self, column: str) -> dict[tuple[str, str], tuple[int, int, int]]:
        return {
            (ruleset, name): (count, hit, open)
            for ruleset, name, count, hit, open in self.games.rows(
                f"SELECT ruleset, {column}, {FIGHTS} FROM chosen JOIN fights ON game = id WHERE {LINE} GROUP BY 1, 2"
            )
        }

    def _counts(self, select: str, table: str) -> dict[tuple[str, str, str], tuple[int, ...]]:
        rows = self.games.rows(f"{select} FROM chosen JOIN {table} ON game = id WHERE {LINE} GROUP BY 1, 2, 3")
        return {(ruleset, side, unit): tuple(rest) for ruleset, side, unit, *rest in rows}

    def _sums(self, sql: str) -> dict[tuple[str, str], int]:
        return {(ruleset, name): value for ruleset, name, value in self.games.rows(sql)}


def _texts(values: list[str]) -> str:
    return ", ".join("'" + value.replace("'", "''") + "'" for value in values)


def difference(one: Share, other: Share) -> tuple[float, float, float]:
    """Return how much larger one share is than another, and the 95 % interval of that (Newcombe's, from Wilson's).

    >>> one, other = wilson(56, 70), wilson(48, 80)
    >>> tuple(round(part, 4) for part in difference(one, other))
    (0.2, 0.0524, 0.3339)
    """
    apart = one.share - other.share
    down = math.hypot(one.share - one.low, other.high - other.share)
    up = math.hypot(one.high - one.share, other.share - other.low)
    return apart, max(-1.0, apart - down), min(1.0, apart + up)
