"""Looks a store through: the database, each game's log and shelf, and the caches, which it can make anew.

Events, the shelf and content that is used are never changed, whatever is found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

import msgspec

from ..domain.errors import StoreError, UnknownGame, UnknownRuleset, WarptapeError
from ..domain.rules import ruleset
from . import checkup
from .audits import Audited, Task, run
from .checkup import guarded
from .complaints import Complaint, cache, damage, lost
from .findings import SNAPSHOT
from .reader import as_int
from .shelf import Shelf
from .store import Store
from .tape import Tape, opened, schema_of


class Doctor:
    """One visit to a store: `run` yields what is found, and sets right what is only a cache where `repair` says so.

    `url` is where other processes, `jobs` of them, find the store. `games` are ids and names; without them all games are
    looked at, and the database with them. `done` hears of each game. `looked` counts games.
    """

    def __init__(
        self,
        store: Store,
        url: str,
        games: Sequence[tuple[str, str]] = (),
        *,
        repair: bool = False,
        jobs: int = 1,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        self.store, self.url, self.games, self.repair, self.jobs, self.done = store, url, games, repair, jobs, done
        self.looked = 0
        self._stale = 0
        self._unknown: dict[str, int] = {}
        self._schemas: dict[str, str] = {}

    def run(self) -> Iterator[Complaint]:
        """Yield what is found: of the database first, then of the games, streaming."""
        if not self.games:
            for about, check in _of_the_database(self.store, self.repair):
                yield from guarded(about, check)
            for about, whole in (
                ("database", checkup.tables),
                ("events", checkup.strays),
                ("content", checkup.contents),
            ):
                yield from guarded(about, partial(whole, self.store, self.repair))
        yield from guarded("database", self._each)
        if self._stale:
            text = f"{self._stale} are of another version of their rules, and are not used"
            if self.repair:
                yield cache("snapshots", text, "they were thrown away")
            else:
                yield Complaint(
                    "note", "snapshots", text, "They only take space: `warptape doctor --repair` ends that."
                )
        for name, count in self._unknown.items():
            text = f"{name} is not installed: of {count} games only what all games share was looked at"
            yield Complaint("note", "rulesets", text)

    def _each(self) -> Iterator[Complaint]:
        waiting: deque[tuple[str, str]] = deque()

        def tasks() -> Iterator[Task]:
            for game, name in self.games or self.store.listed():
                waiting.append((game, name))
                yield Task(name, store=self.url, game=game, rules=False)

        for one in run(tasks(), self.jobs, self.done, {self.url: self.store}):
            game, name = waiting.popleft()
            self.looked += 1
            found = list(guarded("database", partial(self._game, game, name, one)))
            if found and self.store.which({game}):  # else it was deleted meanwhile
                yield from found

    def _game(self, game: str, name: str, audited: Audited) -> Iterator[Complaint]:
        yield from checkup.keys(self.store, game, name)
        yield from checkup.order(self.store, game, name)
        report = audited.report
        if report is None:
            yield damage("game", f"it could not be read: {audited.error}", lost(game), game=game, name=name)
            return
        shelf = self.store.shelf(game)
        family = list(_family(self.store, shelf))
        for text in family:
            yield damage("game", text, lost(game), game=game, name=name)
        own = [one for one in report.findings if one.cause == SNAPSHOT]
        logged = [one for one in report.findings if one.cause != SNAPSHOT]
        if logged:
            more = report.total - len(own) - 1
            text = f"{logged[0]}" + (f" (and {more} more)" if more > 0 else "")
            yield damage("game", text, lost(game), game=game, name=name)
        # What is wrong with an ancestor's snapshots is told of the ancestor, once.
        wrong = [one.position for one in own if one.position is not None and one.position >= shelf.first]
        yield from self._snapshots(shelf, wrong, sound=not logged and not family)

    def _snapshots(self, shelf: Shelf, wrong: Sequence[int], sound: bool) -> Iterator[Complaint]:
        """Yield what is wrong with the snapshots of a game, of which some are known to be."""
        schema = self._schema(shelf)
        if not schema:
            return
        stale = _others(self.store, shelf.id, schema)
        self._stale += stale
        if stale and self.repair:
            checkup.changed(
                self.store,
                "",
                "DELETE FROM warptape_snapshots WHERE game = ? AND schema <> ?",
                params=(shelf.id, schema),
            )
        decoder = msgspec.json.Decoder(ruleset(shelf.ruleset).state)
        positions = self.store.snapshots(shelf.id, schema)
        unread, outside, length = 0, 0, self.store.shelf(shelf.id).length  # after them: others may play on
        for position in positions:
            found = self.store.snapshot(shelf.id, position, schema)
            if found is None or found[0] != position:
                continue  # thrown away meanwhile
            outside += not shelf.first <= position < length
            unread += opened(found[1], decoder) is None
        texts = [
            (unread, "of {} snapshots the bytes are damaged, so they are not used"),
            (len(wrong), "{} snapshots are not what the log gives: every position after them is shown wrong"),
            (outside, "{} snapshots are of positions that the log does not have"),
        ]
        told = [text.format(count) for count, text in texts if count]
        if told:
            done = self._made_anew(shelf, sound) if self.repair else ""
            yield cache("snapshots", "; ".join(told), done, game=shelf.id, name=shelf.name)

    def _made_anew(self, shelf: Shelf, sound: bool) -> str:
        try:
            self.store.drop_snapshots(shelf.id)
        except StoreError:
            return ""
        if sound:
            with suppress(WarptapeError):
                tape = Tape(self.store, self.store.shelf(shelf.id))
                tape.state_at(tape.tip)
                return "they were thrown away and made anew"
        return "they were thrown away"

    def _schema(self, shelf: Shelf) -> str:
        """Return what today's snapshots of a game agree with; empty where its rules are not installed."""
        known = self._schemas.get(shelf.ruleset)
        if known is None:
            try:
                known = schema_of(ruleset(shelf.ruleset))
            except UnknownRuleset:
                known = ""
            self._schemas[shelf.ruleset] = known
        if not known:
            self._unknown[shelf.ruleset] = self._unknown.get(shelf.ruleset, 0) + 1
        return known


def _others(store: Store, game: str, schema: str) -> int:
    with store.transaction(write=False) as cursor:
        cursor.execute("SELECT COUNT(*) FROM warptape_snapshots WHERE game = ? AND schema <> ?", (game, schema))
        row = cursor.fetchone()
    return as_int(row[0]) if row is not None else 0


def _family(store: Store, shelf: Shelf) -> Iterator[str]:
    """Yield what does not fit between a fork and its ancestors, and in how the shelf files it."""
    with store.transaction(write=False) as cursor:
        cursor.execute("SELECT first, parent FROM warptape_games WHERE id = ?", (shelf.id,))
        filed = cursor.fetchone()
    if filed is not None and tuple(filed) != (shelf.first, shelf.parent):
        yield f"the shelf files it under {filed[1]} from @{filed[0]} on, and its lineage says {shelf.parent}, @{shelf.first}"
    below: list[tuple[str, int]] = []
    for game, last in shelf.lineage:
        try:
            ancestor = store.shelf(game)
        except UnknownGame:
            yield f"its ancestor {game} is gone, and with it the events up to @{last}"
            return
        if [tuple(pair) for pair in ancestor.lineage] != below:
            yield f"its ancestor {game} comes from other games than it says"
        elif not ancestor.first <= last < ancestor.length:
            yield f"its ancestor {game} has no event @{last} of its own to be forked at"
        below.append((game, last))


def _of_the_database(store: Store, repair: bool) -> list[tuple[str, Callable[[], Iterator[Complaint]]]]:
    """Return the checks of the database that a store is in."""
    from .sqlite import SQLiteStore

    if isinstance(store, SQLiteStore):
        from . import checkup_sqlite

        return [
            ("database", partial(checkup_sqlite.file, store, repair)),
            ("place", partial(checkup_sqlite.place, store, repair)),
        ]
    from . import checkup_postgres
    from .postgres import PostgresStore

    assert isinstance(store, PostgresStore)
    return [("database", partial(checkup_postgres.schema, store, repair))]
