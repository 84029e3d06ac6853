"""The reading half of the event store: rows, the shelf, keys, content and snapshots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Protocol, cast

from ..domain.errors import AmbiguousGame, StoreError, UnknownGame
from ..domain.words import listed
from .shelf import COLUMNS, Row, Shelf, from_columns, is_text, unknown

CHUNK = 1000  # rows read at a time: memory stays constant and no connection is held between two chunks
MANY = 500  # games looked up at a time
as_row = partial(tuple.__new__, Row)  # Row._make without its frame: a third of the time of reading
NEWEST = "ORDER BY changed DESC, created DESC, number DESC"


class Clash(StoreError):
    """A unique key or a reference stood in the way."""


class Busy(StoreError):
    """Another writer held the store, or the database gave this one up."""


class ReadOnly(StoreError):
    """The store may be read and not written."""


class NoRoom(StoreError):
    """The disk of the store is full; nothing was recorded."""


class Stale(StoreError):
    """The guard of an append found the log other than expected."""


class Cursor(Protocol):
    """The part of a database cursor the store uses; SQL is written with `?`."""

    @property
    def rowcount(self) -> int: ...
    def execute(self, sql: str, params: Sequence[object] = ..., /) -> object: ...
    def fetchone(self) -> Sequence[object] | None: ...
    def fetchall(self) -> Sequence[Sequence[object]]: ...


class Reader(ABC):
    """What a store answers; nothing here changes anything. `name` is its path or URL, with any password masked."""

    name: str
    payload = "state"
    """The SQL for an event's bytes."""

    notice = "notification_id"
    """The SQL for the number of an event in the notification log."""

    @abstractmethod
    def transaction(self, *, write: bool) -> AbstractContextManager[Cursor]:
        """Return a context that gives a cursor, its SQL written with `?`, in one transaction.

        With `write` what was done is on the disk when the context ends, and undone when it raises; without, one
        statement is read. Errors leave it as StoreError, with Clash and Busy told apart.
        """

    @abstractmethod
    def shape(self) -> dict[str, set[str]]:
        """Return the names of the columns of each table, and under an empty name those of the indexes."""

    def rows(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[Row]:
        """The rows at positions `start` to `stop` - 1 of the game's own log, in order, in constant memory.

        Positions below `shelf.first` belong to an ancestor and are not here; an unknown game has no rows.
        """
        while stop is None or start < stop:
            size = CHUNK if stop is None else min(CHUNK, stop - start)
            with self.transaction(write=False) as cursor:
                cursor.execute(
                    f"SELECT originator_version, topic, {self.payload} FROM stored_events WHERE originator_id = ?"
                    " AND originator_version >= ? ORDER BY originator_version LIMIT ?",
                    (game, start, size),
                )
                chunk = cursor.fetchall()
            if stop is not None and chunk and as_int(chunk[-1][0]) >= stop:  # a fork's first rows, or a damaged log
                chunk = [row for row in chunk if as_int(row[0]) < stop]
            yield from map(as_row, chunk)
            if len(chunk) < size:
                return
            start = as_int(chunk[-1][0]) + 1

    def chunks(self, game: str, start: int, stop: int) -> Iterator[Sequence[tuple[int, bytes]]]:
        """What `rows` gives, as lists of bare (position, data): for folding, where each microsecond counts."""
        while start < stop:
            with self.transaction(write=False) as cursor:
                cursor.execute(
                    f"SELECT originator_version, {self.payload} FROM stored_events WHERE originator_id = ?"
                    " AND originator_version >= ? AND originator_version < ? ORDER BY originator_version LIMIT ?",
                    (game, start, stop, CHUNK),
                )
                chunk = cast("Sequence[tuple[int, bytes]]", cursor.fetchall())
            if not chunk:
                return
            yield chunk
            start = as_int(chunk[-1][0]) + 1

    def kinds(self, game: str, kinds: Collection[str], start: int = 0, stop: int | None = None) -> list[Row]:
        """The rows of these kinds at positions `start` to `stop` - 1 of the game's own log, in order."""
        return list(map(as_row, self._of_kinds(f"originator_version, topic, {self.payload}", game, kinds, start, stop)))

    def positions(self, game: str, kinds: Collection[str], start: int = 0, stop: int | None = None) -> list[int]:
        """The positions of the rows that `kinds` gives."""
        return [as_int(found[0]) for found in self._of_kinds("originator_version", game, kinds, start, stop)]

    def _of_kinds(
        self, columns: str, game: str, kinds: Collection[str], start: int, stop: int | None
    ) -> Sequence[Sequence[object]]:
        if not kinds:
            return []
        end = "" if stop is None else " AND originator_version < ?"
        with self.transaction(write=False) as cursor:
            cursor.execute(
                f"SELECT {columns} FROM stored_events WHERE originator_id = ? AND originator_version >= ?{end}"
                f" AND topic IN ({', '.join('?' * len(kinds))}) ORDER BY originator_version",
                (game, start, *(() if stop is None else (stop,)), *kinds),
            )
            return cursor.fetchall()

    def rewinds(self, game: str, start: int, stop: int, most: int) -> list[tuple[int, bytes]]:
        """The position and bytes of the rewinds at positions `start` to `stop` - 1, the last first, `most` of them.

        They have an index of their own: a game is opened, and any position found, without a look at the other rows.
        """
        with self.transaction(write=False) as cursor:
            cursor.execute(  # the kind stands in the text, or SQLite would not use the index
                f"SELECT originator_version, {self.payload} FROM stored_events"
                " WHERE originator_id = ? AND topic = 'Rewound'"
                " AND originator_version >= ? AND originator_version < ? ORDER BY originator_version DESC LIMIT ?",
                (game, start, stop, most),
            )
            return [(as_int(position), as_bytes(data)) for position, data in cursor.fetchall()]

    def versions(self, game: str, start: int, stop: int) -> list[tuple[int, bytes]]:
        """The position and bytes of the openings and changes of version at positions `start` to `stop` - 1, in order."""
        with self.transaction(write=False) as cursor:
            cursor.execute(  # as with rewinds, the kinds stand in the text
                f"SELECT originator_version, {self.payload} FROM stored_events"
                " WHERE originator_id = ? AND topic IN ('GameOpened', 'VersionChanged')"
                " AND originator_version >= ? AND originator_version < ? ORDER BY originator_version",
                (game, start, stop),
            )
            return [(as_int(position), as_bytes(data)) for position, data in cursor.fetchall()]

    def latest(self) -> int:
        """Return the newest number of the notification log; 0 while it is empty."""
        found = self._one(f"SELECT MAX({self.notice}) FROM stored_events", ())
        return 0 if found is None or found[0] is None else as_int(found[0])

    def changed_since(self, notification_id: int, limit: int) -> list[tuple[int, str, int]]:
        """Return what was recorded in any game after a number of the notification log: its number, game and position.

        In order, `limit` at most, without the events' bytes; numbers rise in the order in which the writers committed,
        so none comes later below one that was read. A deleted game's events are gone and leave one notice, under the
        originator `deleted:<game id>`.
        """
        with self.transaction(write=False) as cursor:
            cursor.execute(
                f"SELECT {self.notice}, originator_id, originator_version FROM stored_events"
                f" WHERE {self.notice} > ? ORDER BY {self.notice} LIMIT ?",
                (notification_id, limit),
            )
            return [(as_int(number), str(game), as_int(position)) for number, game, position in cursor.fetchall()]

    def find_key(self, game: str, key: str) -> int | None:
        """The position of the head that carries this idempotency key, or None."""
        if not is_text(key):
            return None
        found = self._one("SELECT position FROM warptape_keys WHERE game = ? AND key = ?", (game, key))
        return None if found is None else as_int(found[0])

    def content(self, digest: str) -> bytes:
        """The content kept under a digest; raises StoreError when there is none."""
        found = self._one("SELECT data FROM warptape_contents WHERE digest = ?", (digest,))
        if found is None:
            raise StoreError(f"The store has no content with the digest {digest!r}.")
        return as_bytes(found[0])

    def shelf(self, game: str) -> Shelf:
        """The record of the game with exactly this id; raises UnknownGame."""
        found = self._one(f"SELECT {COLUMNS} FROM warptape_games WHERE id = ?", (game,)) if is_text(game) else None
        if found is None:
            raise self._unknown(game)
        return from_columns(found)

    def shelves(self, *, ruleset: str | None = None, limit: int | None = None, offset: int = 0) -> list[Shelf]:
        """The records of all games, or of one ruleset's, the one changed last first."""
        where, params = ("", []) if ruleset is None else ("WHERE ruleset = ?", [ruleset])
        size = 2**62 if limit is None else limit
        return self._shelves(f"{where} {NEWEST} LIMIT ? OFFSET ?", (*params, size, offset))

    def listed(self) -> Iterator[tuple[str, str]]:
        """The id and name of every game, the one changed last first, also of those whose record is damaged.

        The order is that of the moment, and takes eight bytes a game; the rest streams.
        """
        numbers = array("q")
        with self.transaction(write=False) as cursor:
            cursor.execute(f"SELECT number FROM warptape_games {NEWEST}")
            while (row := cursor.fetchone()) is not None:
                numbers.append(as_int(row[0]))
        for first in range(0, len(numbers), MANY):
            some = numbers[first : first + MANY]
            with self.transaction(write=False) as cursor:
                places = ", ".join("?" * len(some))
                cursor.execute(f"SELECT number, id, name FROM warptape_games WHERE number IN ({places})", tuple(some))
                found = {number: (str(game), str(name)) for number, game, name in cursor.fetchall()}
            yield from (found[number] for number in some if number in found)

    def count(self) -> int:
        """How many games there are."""
        found = self._one("SELECT COUNT(*) FROM warptape_games", ())
        return 0 if found is None else as_int(found[0])

    def records(self) -> Iterator[tuple[str, ...]]:
        """The columns of every game's record as texts, the id first, in constant memory, also of damaged ones.

        In the order in which the games came; one that comes meanwhile may be missing.
        """
        number = -1
        while True:
            with self.transaction(write=False) as cursor:
                cursor.execute(
                    f"SELECT number, {COLUMNS} FROM warptape_games WHERE number > ? ORDER BY number LIMIT ?",
                    (number, CHUNK),
                )
                chunk = cursor.fetchall()
            for row in chunk:
                yield tuple(map(str, row[1:]))
            if len(chunk) < CHUNK:
                return
            number = as_int(chunk[-1][0])

    def which(self, games: Collection[str], *, on: bool = False) -> set[str]:
        """Those of some ids that games have; with `on` only of those that are not over."""
        if not games:
            return set()
        also = " AND outcome = ''" if on else ""
        with self.transaction(write=False) as cursor:
            cursor.execute(
                f"SELECT id FROM warptape_games WHERE id IN ({', '.join('?' * len(games))}){also}", tuple(games)
            )
            return {str(row[0]) for row in cursor.fetchall()}

    def lengths(self, games: Collection[str]) -> dict[str, int]:
        """The length of the log of those of some ids that games have."""
        if not games:
            return {}
        with self.transaction(write=False) as cursor:
            places = ", ".join("?" * len(games))
            cursor.execute(f"SELECT id, length FROM warptape_games WHERE id IN ({places})", tuple(games))
            return {str(game): as_int(length) for game, length in cursor.fetchall()}

    def find(self, text: str) -> Shelf:
        """The game with this id or name, the one whose id begins so, or for `last` the one changed last.

        Raises:
            UnknownGame: there is none; the text offers the nearest names.
            AmbiguousGame: several ids begin so; the text lists them.
        """
        if text == "last":
            newest = self.shelves(limit=1)
            if not newest:
                raise self._unknown(text)
            return newest[0]
        if not text or not is_text(text):
            raise self._unknown(text)
        exact = self._shelves("WHERE id = ? OR name = ?", (text, text))
        if exact:
            return exact[0]
        begun = self._shelves("WHERE id >= ? AND id < ? ORDER BY id LIMIT 7", (text, text + "\U0010ffff"))
        if not begun:
            raise self._unknown(text)
        if len(begun) > 1:
            shown = [f"{shelf.id} ({shelf.name})" for shelf in begun[:6]] + ["more"] * (len(begun) > 6)
            raise AmbiguousGame(f"{text!r} could be {listed(shown, 'or')}: type more of the id, or the name.")
        return begun[0]

    def names(self, beginning: str) -> set[str]:
        """The names of all games that begin with a text."""
        with self.transaction(write=False) as cursor:
            cursor.execute(
                "SELECT name FROM warptape_games WHERE name >= ? AND name < ?", (beginning, beginning + "\U0010ffff")
            )
            return {str(row[0]) for row in cursor.fetchall()}

    def children(self, game: str) -> list[str]:
        """The ids of the games forked directly from this one, oldest first."""
        with self.transaction(write=False) as cursor:
            cursor.execute("SELECT id FROM warptape_games WHERE parent = ? ORDER BY number", (game,))
            return [str(row[0]) for row in cursor.fetchall()]

    def _one(self, sql: str, params: Sequence[object]) -> Sequence[object] | None:
        with self.transaction(write=False) as cursor:
            cursor.execute(sql, params)
            return cursor.fetchone()

    def _shelves(self, clauses: str, params: Sequence[object]) -> list[Shelf]:
        with self.transaction(write=False) as cursor:
            cursor.execute(f"SELECT {COLUMNS} FROM warptape_games {clauses}", params)
            found = cursor.fetchall()
        return [from_columns(row) for row in found]

    def _unknown(self, text: str) -> UnknownGame:
        with self.transaction(write=False) as cursor:
            cursor.execute(f"SELECT name, id FROM warptape_games {NEWEST} LIMIT 1000")
            known = cursor.fetchall()
        return UnknownGame(unknown(text, (str(name) for pair in known for name in pair)))

    def snapshot(self, game: str, position_at_most: int, schema: str) -> tuple[int, bytes] | None:
        """The position and bytes of the nearest snapshot of this schema at or below a position, or None."""
        found = self._one(
            "SELECT position, data FROM warptape_snapshots WHERE game = ? AND schema = ? AND position <= ?"
            " ORDER BY position DESC LIMIT 1",
            (game, schema, position_at_most),
        )
        return None if found is None else (as_int(found[0]), as_bytes(found[1]))

    def snapshots(self, game: str, schema: str) -> list[int]:
        """The positions of which there are snapshots of this schema, in order."""
        with self.transaction(write=False) as cursor:
            cursor.execute(
                "SELECT position FROM warptape_snapshots WHERE game = ? AND schema = ? ORDER BY position",
                (game, schema),
            )
            return [as_int(found[0]) for found in cursor.fetchall()]


def gathered(pairs: Iterable[Sequence[object]]) -> dict[str, set[str]]:
    """Return the second parts of pairs by their first parts."""
    found: dict[str, set[str]] = {}
    for first, second in pairs:
        found.setdefault(str(first), set()).add(str(second))
    return found


def as_int(value: object) -> int:
    """A column that holds a whole number; raises StoreError where another program has put something else."""
    if not isinstance(value, int):
        raise StoreError(f"The store is damaged: {str(value)[:40]!r} stands where a whole number belongs.")
    return value


def as_bytes(value: object) -> bytes:
    """A column that holds bytes; raises StoreError where another program has put something else."""
    if not isinstance(value, bytes):
        raise StoreError(f"The store is damaged: {str(value)[:40]!r} stands where bytes belong.")
    return value
