"""What the handlers of one process work with: the store, the tokens, the open games, and who waits for news."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from ..domain.errors import BadAddress, BadLog, RulesetCrash, StoreError, WarptapeError
from ..replays import migrations
from ..replays.address import Address, parse_address
from ..replays.game import Game
from ..replays.problems import BadName, Unavailable, status
from ..replays.reader import NoRoom
from ..replays.rows import Rows
from ..replays.shelf import Row, Shelf, check_name
from ..replays.store import Store
from ..replays.tape import Tape
from ..replays.wire import UNTIL_THE_END, Asked, GameInfo, WireRow, to_wire
from ..replays.writing import Desk
from .access import ALL, ARBITER, SEAT, Access, Caller
from .following import Follower
from .hub import Hub
from .issuing import is_free
from .limits import Rate, Streams
from .metrics import Metrics
from .seeing import Snapshots, Window, seen
from .settings import Settings
from .standing import Standings
from .tables import Tables

MOST_ROWS, MOST_BYTES = 1000, 2**20
"""What one answer to a change holds of the log; `rows` gives what follows."""

FEW = 20
"""So many rows are read at once."""

FULL = "The disk of the service is full. Who runs it must make room; with the same key nothing is done twice."
TROUBLE = "The service's store does not answer just now. Try again soon: with the same key nothing is done twice."


class Service:
    """One process of the service over a store that it shares with others."""

    def __init__(self, store: Store, settings: Settings | None = None, desk: Desk | None = None) -> None:
        self.store = store
        self.settings = settings or Settings()
        self.desk = desk or Desk()
        self.access = Access(store, self.desk.now)
        self.tables = Tables(store, self.desk, self.settings.games, self.settings.patience)
        self.snapshots = Snapshots()
        self.standings = Standings()
        self.hub = Hub()
        self.streams = Streams(self.settings.streams, self.settings.streams_each)
        self.token_rate = Rate(self.settings.token_rate)
        self.address_rate = Rate(self.settings.address_rate)
        self.create_rate = Rate(self.settings.create_rate)
        self.follower = Follower(store, self.hub, self.settings.poll, self.settings.look)
        self.metrics = Metrics(self)

    @property
    def closing(self) -> bool:
        """Whether no new work is taken any more."""
        return self.hub.closing

    def start(self) -> None:
        """Begin to serve, in the event loop that runs."""
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(self.settings.threads, "warptape"))
        self.hub.start()
        self.follower.start()

    async def stop(self) -> None:
        """End the streams, and stop following."""
        self.hub.close()
        await asyncio.to_thread(self.follower.stop)

    def version(self) -> int:
        """Return the version of the store's tables; raises StoreError when it does not answer."""
        with self.store.transaction(write=False) as cursor:
            return migrations.checked(self.store.name, migrations.found(cursor))

    # What a caller sees

    def window(self, game: str, caller: Caller) -> Window:
        """Return the store as a caller may see it; raises UnknownGame."""
        shelf = self.store.shelf(game)
        return Window(self.store, shelf, seen(self.store, shelf, caller), self.snapshots)

    def tape(self, game: str, caller: Caller) -> Tape:
        """Return a game to read, as a caller may see it; raises UnknownGame, BadAddress while nothing is to be seen."""
        window = self.window(game, caller)
        if window.view.stop == 0:
            when = "when it is over" if caller.delay == UNTIL_THE_END else f"{caller.delay} events late"
            raise BadAddress(f"Nothing of this game is to be seen yet: it is shown {when}.")
        return window.tape()

    def info(self, game: str, caller: Caller) -> GameInfo:
        """Return what a caller may know of a game without its events."""
        shelf = self.store.shelf(game)
        window = Window(self.store, shelf, seen(self.store, shelf, caller), self.snapshots)
        record = window.record
        standing = self.standings.of(window)
        sees = self.access.sees(game)
        return GameInfo(
            id=record.id,
            name=record.name,
            ruleset=record.ruleset,
            ruleset_version=record.ruleset_version,
            content=record.content,
            created=record.created,
            changed=record.changed,
            length=record.length,
            tip=-1 if standing is None else standing.tip,
            head=record.head,
            outcome=record.outcome,
            seats=record.seats,
            policy=record.extra.get("undo", "free"),
            chance="" if standing is None else standing.chance,
            arbiter="sees" if sees else "blind",
            role="spectator" if caller.role == "anybody" else caller.role,
            seat="" if caller.seat == ALL else caller.seat,
            sees=window.view.seat or "",
            acts=acts(record, caller),
            person=caller.label,
            delay=caller.delay,
            parent=record.parent or "" if record.first < record.length else "",
            forked_at=record.first - 1 if record.parent and record.first < record.length else 0,
            redrawn=int(record.extra.get("redrawn", 0)),
            key_public=record.key_public and record.length == shelf.length,
            decision=None if standing is None else standing.decision,
            ended=None if standing is None else standing.ended,
        )

    # Answers

    def rows(self, game: str, caller: Caller, start: int, stop: int | None = None) -> list[WireRow]:
        """Return the rows that a caller may see, as they are sent: the first ones, if that would be too much to send."""
        window = self.window(game, caller)
        end = window.view.stop if stop is None else min(stop, window.view.stop)
        found, size = list[WireRow](), 0
        for row in by_few(window, start, min(end, start + MOST_ROWS)):
            found.append(to_wire(row))
            size += len(row.data)
            if size > MOST_BYTES:
                break
        return found

    def decision(self, game: Game) -> Asked | None:
        """Return who must decide in a game that is held; that and the question are for everybody."""
        standing = self.standings.held(game)
        return None if standing is None else standing.decision

    def go_on(self, game: str) -> None:
        """Let a bot act whose answer was cut off, its process having been killed and nobody having asked again.

        Where somebody holds the game, or anything fails, it is left as it is: whoever acts next finds out.
        """
        with suppress(WarptapeError):
            shelf = self.store.shelf(game)
            if all(map(is_free, shelf.seats.values())) or shelf.outcome or shelf.extra.get("seat"):
                return  # nobody is a bot, nothing is to be done, or no more than one seat's knowledge is here
            standing = self.standings.of(self.window(game, Caller(ARBITER, game, ALL)))
            asked = None if standing is None else standing.decision
            if asked is None or is_free(shelf.seats.get(asked.seat, "")):
                return
            with self.tables.at(game, wait=False) as table:
                events, length = table.play_bots(), table.length
            self.metrics.events.inc(len(events))
            self.hub.wake(game, length)


def by_few(window: Window, start: int, stop: int) -> Iterator[Row]:
    """Yield the rows from `start` to `stop` - 1, of which few are in memory at once: each may be long."""
    log = Rows(window, window.record)
    for few in range(start, stop, FEW):
        yield from log.rows(few, min(few + FEW, stop))


def acts(shelf: Shelf, caller: Caller) -> list[str]:
    """Return the seats for which a caller may act."""
    people = [seat for seat, holder in shelf.seats.items() if is_free(holder)]
    if caller.role == SEAT:
        return [seat for seat in people if seat == caller.seat]
    return people if caller.sees_all and caller.role == ARBITER else []


def place(text: str | int | None) -> int | Address | None:
    """Return the place in a game that a text stands for: `57`, `d12`, `@d12`; raises BadAddress."""
    if text is None or isinstance(text, int):
        return text
    words = text.strip()
    if words.isascii() and words.isdigit() and len(words) < 12:
        return int(words)
    return parse_address(words if words.startswith("@") else f"@{words}")


def named(name: str) -> str:
    """Return a name that a game may have; raises BadName."""
    try:
        check_name(name)
    except StoreError as error:
        raise BadName(str(error)) from error
    return name


def is_full(error: BaseException | None) -> bool:
    """Say whether something failed because a disk is full, such as that of the files that are made on the way."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def guarded(error: WarptapeError) -> WarptapeError:
    """Return an error as a caller may hear it: one that comes from a fault here says so, and not with what data."""
    if isinstance(error, RulesetCrash):
        recorded = str(error).startswith("The action is recorded")
        return RulesetCrash(
            "The action is recorded, but the rules failed on the answer to it."
            if recorded
            else "The rules failed on this; nothing was recorded. Who runs the service can find out why."
        )
    if isinstance(error, BadLog):
        return RulesetCrash("The stored game is damaged there. Who runs the service can audit it.")
    if isinstance(error, NoRoom) or is_full(error.__cause__):
        return NoRoom(FULL)
    if isinstance(error, StoreError) and status(error) == 503 and not isinstance(error, Unavailable):
        return Unavailable(TROUBLE)
    return error
