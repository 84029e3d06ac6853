"""Builds an archive and follows its sources: what is new in a store or file is put in once, whatever interrupts it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from ...domain.errors import StoreError
from .opening import connected, failed, writing
from .projecting import Projected, Task, projected, seldom_collected
from .sources import Found, Source, StoreSource
from .tables import BY_NAME, TABLES

if TYPE_CHECKING:
    import sqlite_utils

    from ..stats import Statistics

ROWS_A_TRANSACTION = 20_000
"""After about so many rows what was put in is made safe: few enough to lose, enough to be fast."""
LOOKED_UP = 500
"""Games whose tracking is looked up at a time: memory does not grow with their number."""
UNFIT = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError, OverflowError, UnicodeError)
"""What SQLite raises for values that no table can hold, such as a number of more than 64 bits in a damaged log."""


class Followed(msgspec.Struct):
    """What a run changed: games put in, put in anew, taken out, left as they were; rows; and what could not be read.

    `copies` are games that are in another source as well, and stand in the archive as that one has them.
    """

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    copies: int = 0
    rows: int = 0
    failed: list[str] = []

    def text(self) -> str:
        """Return it as a sentence."""
        parts = [
            (self.added, "added"),
            (self.updated, "updated"),
            (self.removed, "removed"),
            (self.unchanged, "unchanged"),
            (self.copies, "there already from another source"),
            (len(self.failed), "not read"),
        ]
        said = ", ".join(f"{count:,} {what}" for count, what in parts if count) or "nothing to do"
        return f"{said}; {self.rows:,} rows written." if self.rows else f"{said}."


class Archive:
    """An analysis database: a context manager that closes it. It is made where it is missing.

    `connection` is to the file itself: ask it whatever you like, and write nothing. With `readonly` nothing can be
    written, and a missing file is not made. Raises StoreError when the file cannot be opened, is no archive, or was made
    by another version.
    """

    def __init__(self, path: str | os.PathLike[str], *, readonly: bool = False) -> None:
        self.path = Path(path)
        self._again = False
        self.connection = connected(self.path, readonly)

    @cached_property
    def db(self) -> sqlite_utils.Database:
        """The archive as sqlite-utils has it: `archive.db["games"].rows`, `archive.db.query(…)`."""
        import sqlite_utils

        return sqlite_utils.Database(self.connection, execute_plugins=False)

    def query(self, sql: str, params: Sequence[Any] | dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows that a question in SQL gives, as dicts; raises StoreError for one that SQLite refuses."""
        try:
            yield from self.db.query(sql, params)
        except sqlite3.Error as error:
            raise StoreError(f"The question cannot be answered: {error}.") from error

    def frame(self, name: str, *, library: str = "") -> Any:
        """Return a table or view as a data frame of Polars or pandas, as `Store.frame` does of the games of a store."""
        from ..dataframes import data_frame

        return data_frame(self.connection, name, library)

    def stats(
        self,
        *,
        ruleset: str | None = None,
        options: Mapping[str, str] | None = None,
        seats: Mapping[str, str] | None = None,
        only: Collection[str] = (),
        svg: str | os.PathLike[str] | None = None,
    ) -> Statistics:
        """Return what the games say: dice, outcomes, length, losses, cards, units, places; print it, or take its parts.

        Only of games of a ruleset, with some options, with some holders of seats; `only` names the parts. `svg` is a folder
        to draw them into. Raises UnknownGame when no game is left, NeedsExtra where matplotlib is wanted and missing.
        """
        from ..stats.pictures import ask

        return ask(self.connection, ruleset=ruleset, options=options, seats=seats, only=only, svg=svg)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    # Following

    def follow(
        self,
        *sources: Source,
        jobs: int = 1,
        expect: Callable[[int], None] = lambda count: None,
        done: Callable[[], None] = lambda: None,
    ) -> Followed:
        """Put in all that is new in these sources, take out what is gone there, and leave the rest as it is.

        A game that several sources have is in the archive once: whole rather than as one seat knows it, and as the
        source has it that has most of it. `jobs` processes share the work; `expect` hears how many games there are to look
        at, and `done` of each. A game that cannot be read is named in `failed`, stays as the archive has it, and stops no
        other. Raises StoreError when a store cannot be read or the archive cannot be written.
        """
        followed = Followed()
        try:
            for source in sources:
                expect(source.count())
                self._take_out_gone(source, followed)
            self._again = True
            for _ in range(3):  # a game that was taken out of one source may be put in from another
                if not self._again:
                    break
                self._again = False
                for source in sources:
                    with seldom_collected():
                        self._follow(source, jobs, followed, done)
                done = _nothing
        except sqlite3.Error as error:
            raise failed(self.path, error) from error
        return followed

    def _follow(self, source: Source, jobs: int, followed: Followed, done: Callable[[], None]) -> None:
        ready: list[Projected] = []
        rows = 0
        store = source.store if isinstance(source, StoreSource) else None
        alone = store is not None and not source.url
        with closing(projected(self._tasks(source, followed, done), 1 if alone else jobs, store)) as games:
            for one in games:
                done()
                if one.error:
                    followed.failed.append(f"{one.task.item}: {one.error}")
                elif one.unchanged:
                    followed.unchanged += done is not _nothing
                elif one.gone:
                    with writing(self.connection):
                        followed.removed += self._retire(source.name, one.task.item)
                else:
                    ready.append(one)
                    rows += 3 * one.length
                    if rows >= ROWS_A_TRANSACTION:
                        self._put(ready, followed)
                        ready, rows = [], 0
        self._put(ready, followed)

    def _tasks(self, source: Source, followed: Followed, done: Callable[[], None]) -> Generator[Task, None, None]:
        """Yield what is to be read of a source: that which is marked as the archive has it is not."""
        games = source.games()
        url = source.url or (source.name if isinstance(source, StoreSource) else "")
        while chunk := list(islice(games, LOOKED_UP)):
            known = self._marks(source.name, chunk)
            for found in chunk:
                mark = known.get(found.item, "")
                if found.mark and found.mark == mark:
                    followed.unchanged += done is not _nothing
                    done()
                else:
                    yield Task(source.name, found.item, found.mark, mark, url, found.size)

    def _marks(self, source: str, chunk: Sequence[Found]) -> dict[str, str]:
        places = ", ".join("?" * len(chunk))
        sql = f"SELECT item, mark FROM tracking WHERE source = ? AND item IN ({places})"
        return dict(self.connection.execute(sql, (source, *(found.item for found in chunk))).fetchall())

    def _take_out_gone(self, source: Source, followed: Followed) -> None:
        last = ""
        while True:
            sql = "SELECT item FROM tracking WHERE source = ? AND item > ? ORDER BY item LIMIT ?"
            items = [item for (item,) in self.connection.execute(sql, (source.name, last, LOOKED_UP))]
            if not items:
                return
            last = items[-1]
            gone = sorted({*items} - source.there(items))
            if gone:
                with writing(self.connection):
                    followed.removed += sum(self._retire(source.name, item) for item in gone)

    def forget(self, source: str, items: Iterable[str]) -> None:
        """Take items of a source out, so that the next run puts them in as they are then; raises StoreError."""
        try:
            for item in items:
                with writing(self.connection):
                    self._retire(source, item)
        except sqlite3.Error as error:
            raise failed(self.path, error) from error

    # Writing

    def _put(self, ready: Sequence[Projected], followed: Followed) -> None:
        """Put games in, all in one transaction; one that does not fit is left out."""
        counted = msgspec.structs.replace(followed, failed=list(followed.failed))
        try:
            with writing(self.connection):
                self._insert(ready, counted)
        except UNFIT as error:
            if len(ready) == 1:
                followed.failed.append(f"{ready[0].task.item}: it holds what no table can hold ({error}).")
                return
            for one in ready:
                self._put([one], followed)
            return
        for name in followed.__struct_fields__:
            setattr(followed, name, getattr(counted, name))

    def _insert(self, ready: Sequence[Projected], followed: Followed) -> None:
        rows: dict[str, list[tuple[Any, ...]]] = {table.name: [] for table in TABLES}
        tracking = []
        for one in ready:
            own = one.opened()
            wanted = self._settled(one, own, followed)
            if wanted is None:
                continue
            tracking.append((one.task.source, one.task.item, one.mark, one.game))
            if wanted:
                for name, some in own.items():
                    rows[name] += some
        self.connection.executemany("INSERT OR REPLACE INTO tracking VALUES (?, ?, ?, ?)", tracking)
        last = self.connection.execute("SELECT ifnull(max(id), 0) FROM story").fetchone()
        for name, some in rows.items():
            if some:
                self.connection.executemany(BY_NAME[name].insert(), some)
                followed.rows += len(some)
        if rows["story"]:  # at once: a trigger for each row takes ten times as long
            self.connection.execute("INSERT INTO story_fts (rowid, text) SELECT id, text FROM story WHERE id > ?", last)

    def _settled(self, one: Projected, rows: Any, followed: Followed) -> bool | None:
        """Make room for a game and return whether its rows are to be put in; None when not even its tracking is.

        What another process put in meanwhile stays, if it is as new.
        """
        execute, here = self.connection.execute, (one.task.source, one.task.item)
        before = execute("SELECT mark, game FROM tracking WHERE source = ? AND item = ?", here).fetchone()
        if before is not None and before[1] != one.game:  # a file of this name holds another game now
            self._retire(*here)
        sql = "SELECT found_in, found_as, events, seen_as FROM games WHERE id = ?"
        there = execute(sql, (one.game,)).fetchone()
        if there is None:
            followed.added += 1
            return True
        mine, theirs = (one.seen_as is None, one.length), (there[3] is None, there[2])
        if there[:2] == here:
            if before is not None and before[0] == one.mark:  # another process was faster
                followed.unchanged += 1
                return None
            if one.task.url and mine < theirs:  # or it read the game later: a game in a store only grows
                followed.unchanged += 1
                return None
            if mine < theirs:
                self._forget_marks(one.game)
            followed.updated += 1
        else:
            opening = execute("SELECT data FROM events WHERE game = ? AND position = 0", (one.game,)).fetchone()
            if opening != (rows["events"][0][-1],):
                followed.failed.append(
                    f"{one.task.item}: another game with the id {one.game} is in the archive already."
                )
                return None
            if mine < theirs or (mine == theirs and here > there[:2]):
                followed.copies += 1
                return False
            followed.updated += 1
        self._take_out(one.game)
        return True

    def _retire(self, source: str, item: str) -> int:
        """Take an item that is gone out, with the game if it is this source's; returns how many games that are."""
        execute = self.connection.execute
        found = execute("SELECT game FROM tracking WHERE source = ? AND item = ?", (source, item)).fetchone()
        if found is None:
            return 0
        execute("DELETE FROM tracking WHERE source = ? AND item = ?", (source, item))
        shown = execute("SELECT found_in, found_as FROM games WHERE id = ?", found).fetchone()
        if shown != (source, item):
            return 0
        self._take_out(found[0])
        self._forget_marks(found[0])
        return 1

    def _forget_marks(self, game: str) -> None:
        """Have every source that tracks a game read it again."""
        if self.connection.execute("UPDATE tracking SET mark = '' WHERE game = ?", (game,)).rowcount:
            self._again = True

    def _take_out(self, game: str) -> None:
        self.connection.execute(
            "INSERT INTO story_fts (story_fts, rowid, text) SELECT 'delete', id, text FROM story WHERE game = ?",
            (game,),
        )
        for table in TABLES:
            column = "id" if table.name == "games" else "game"
            self.connection.execute(f"DELETE FROM [{table.name}] WHERE [{column}] = ?", (game,))


def _nothing() -> None:
    """Hears of games that were counted before."""
