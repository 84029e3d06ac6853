"""Which games of an archive are counted: all of them, or those of a ruleset, with some options, with some holders."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Self

from .naming import name_of

LINE = "NOT inherited AND current"
"""What counts of a game's events: its current line, and of a fork only what is its own."""


class Games:
    """The chosen games of an archive, as the temporary table `chosen` (id, ruleset, finished); a context manager.

    `options` are options with the values they must have, `seats` seats with their holders (`human`, `bot:sensible`).
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        ruleset: str | None = None,
        options: Mapping[str, str] | None = None,
        seats: Mapping[str, str] | None = None,
    ) -> None:
        self.connection = connection
        where, values = ["1"], list[str]()
        if ruleset is not None:
            where.append("ruleset = ?")
            values.append(ruleset)
        for name, value in (options or {}).items():
            where.append("EXISTS (SELECT 1 FROM options WHERE game = games.id AND name = ? AND value = ?)")
            values += [name, value]
        for seat, holder in (seats or {}).items():
            where.append("EXISTS (SELECT 1 FROM seats WHERE game = games.id AND seat = ? AND holder = ?)")
            values += [seat, holder]
        self.close()
        connection.execute(
            "CREATE TEMP TABLE chosen (id TEXT PRIMARY KEY, ruleset TEXT, finished INTEGER) WITHOUT ROWID"
        )
        connection.execute(
            f"INSERT INTO chosen SELECT id, ruleset, finished FROM games WHERE {' AND '.join(where)}", values
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the choice."""
        for name in ("chosen", "repeated", "caused"):
            self.connection.execute(f"DROP TABLE IF EXISTS temp.{name}")

    def rows(self, sql: str, *values: Any) -> Iterator[Any]:
        """Run a query; `chosen` are the games it is about."""
        return iter(self.connection.execute(sql, values))

    def rulesets(self) -> dict[str, tuple[int, int]]:
        """Return by ruleset how many games there are, and how many of them are over."""
        found = self.rows("SELECT ruleset, count(*), sum(finished) FROM chosen GROUP BY ruleset ORDER BY ruleset")
        return {ruleset: (games, finished) for ruleset, games, finished in found}

    def seats(self) -> dict[str, list[str]]:
        """Return by ruleset its seats, in the order of the game."""
        found: dict[str, list[str]] = {}
        for ruleset, seat in self.rows(
            "SELECT ruleset, seat FROM seats JOIN chosen ON id = game GROUP BY ruleset, seat ORDER BY ruleset, min(seats.rowid)"
        ):
            found.setdefault(ruleset, []).append(seat)
        return found

    @cached_property
    def names(self) -> dict[str, dict[str, str]]:
        """By ruleset the common names of ids: where games with other content differ, that which most of them have."""
        found: dict[str, dict[str, str]] = {ruleset: {} for ruleset in self.rulesets()}
        for ruleset, id, name in self.rows(
            "SELECT chosen.ruleset, names.id, name FROM names JOIN chosen ON chosen.id = game GROUP BY 1, 2, 3 ORDER BY count(*), 3"
        ):
            found[ruleset][id] = name
        return found

    def called(self, ruleset: str, id: str) -> str:
        """Return the common name of an id in the games of a ruleset."""
        return name_of(self.names[ruleset], id)
