"""What each caller may see of a game: the one place that decides it.

Everything that is read for a caller is read from a `Window`: a store that holds of one game what one seat may know, cut
where a spectator's delay ends. It gives out the rows that the seat's export would hold, and nothing else is behind it, so
whatever is made of them (a board, a story, a legal action) tells no more than that export does.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NoReturn

import msgspec

from ..domain.errors import UnknownGame
from ..domain.secrets import PUBLIC
from ..replays.chain import HEAD_KINDS
from ..replays.codec import batch_digest
from ..replays.logfile import redacted
from ..replays.reader import Cursor, ReadOnly
from ..replays.rows import Rows
from ..replays.shelf import Row, Shelf
from ..replays.store import Store
from ..replays.tape import Tape
from ..replays.wire import UNTIL_THE_END
from .access import Caller

KEPT = 32 * 2**20
"""The bytes of snapshots of seats' views that a process keeps."""


class Seen(msgspec.Struct, frozen=True):
    """Whose knowledge a caller has (None: all of it), and how many events are visible."""

    seat: str | None
    stop: int


def seen(store: Store, shelf: Shelf, caller: Caller) -> Seen:
    """Return what a caller may see of a game as its record stands.

    When the game is over everybody sees what its finished log reveals.
    """
    held = shelf.extra.get("seat")  # of an imported log of one seat no more is here, and it is that seat's
    if shelf.outcome:
        return Seen(held, shelf.length)
    if caller.role == "spectator" and caller.delay:
        stop = 0 if caller.delay == UNTIL_THE_END else _settled(store, shelf, shelf.length - caller.delay)
        return Seen(PUBLIC, stop)
    if caller.sees_all:
        return Seen(held, shelf.length)
    return Seen(caller.seat if caller.role == "seat" else PUBLIC, shelf.length)


def _settled(store: Store, shelf: Shelf, most: int) -> int:
    """Return the end of the last batch that ends at or before a length: a delay shows no half of what happened."""
    if most <= 0:
        return 0
    head = next(Rows(store, shelf).newest(HEAD_KINDS, min(most, shelf.length - 1) + 1), None)
    return head.position if head is not None else 0


class Snapshots:
    """Snapshots of what seats know, in memory: a cache that a process can lose, the oldest first."""

    def __init__(self, most: int = KEPT) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str, str, int], bytes] = OrderedDict()
        self._size = 0

    def put(self, game: str, seat: str, schema: str, position: int, data: bytes) -> None:
        """Keep a snapshot."""
        with self._lock:
            self._size += len(data) - len(self._kept.pop((game, seat, schema, position), b""))
            self._kept[game, seat, schema, position] = data
            while self._size > self.most:
                self._size -= len(self._kept.popitem(last=False)[1])

    def get(self, game: str, seat: str, schema: str, most: int) -> tuple[int, bytes] | None:
        """Return the last snapshot at or below a position."""
        with self._lock:
            found = [key for key in self._kept if key[:3] == (game, seat, schema) and key[3] <= most]
            if not found:
                return None
            best = max(found, key=lambda key: key[3])
            self._kept.move_to_end(best)
            return best[3], self._kept[best]


class Window(Store):
    """A store as one caller may see it: one game and its ancestors' rows, redacted and cut; it cannot be written to."""

    def __init__(self, store: Store, shelf: Shelf, view: Seen, cache: Snapshots) -> None:
        self.inner = store
        self.view = view
        self.name = "the service"
        self.cache = cache
        self.record = self._shown(shelf)

    def _shown(self, shelf: Shelf) -> Shelf:
        """Return a game's record without its secrets, and as it stood where the view ends."""
        extra = {name: value for name, value in shelf.extra.items() if name in ("undo", "redrawn", "imported")}
        if self.view.seat is not None:
            extra["seat"] = self.view.seat
        record = msgspec.structs.replace(shelf, secrets={}, extra=extra, length=self.view.stop)
        if self.view.stop == shelf.length:
            return record
        rows = Rows(self.inner, record)
        last = next(rows.newest(HEAD_KINDS), None)
        head, changed = "", shelf.created
        if last is not None:
            head = batch_digest(row.data for row in rows.rows(last.position))
            changed = _timed.decode(last.data.partition(b"\n")[0]).time or changed
        return msgspec.structs.replace(record, head=head, changed=changed)

    def tape(self) -> Tape:
        """Return the game to read."""
        return Tape(self, self.record)

    # What is given out

    def _row(self, row: Row) -> Row:
        return row if self.view.seat is None else redacted(row, self.view.seat)

    def rows(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[Row]:
        """The rows as the seat may have them."""
        stop = self.view.stop if stop is None else min(stop, self.view.stop)
        return map(self._row, self.inner.rows(self._mine(game), start, stop))

    def chunks(self, game: str, start: int, stop: int) -> Iterator[Sequence[tuple[int, bytes]]]:
        """What `rows` gives, as lists of bare (position, data)."""
        for chunk in self.inner.chunks(self._mine(game), start, min(stop, self.view.stop)):
            yield [(at, self._row(Row(at, "", data)).data) for at, data in chunk]

    def kinds(self, game: str, kinds: Collection[str], start: int = 0, stop: int | None = None) -> list[Row]:
        """The rows of these kinds as the seat may have them."""
        stop = self.view.stop if stop is None else min(stop, self.view.stop)
        return list(map(self._row, self.inner.kinds(self._mine(game), kinds, start, stop)))

    def positions(self, game: str, kinds: Collection[str], start: int = 0, stop: int | None = None) -> list[int]:
        """The positions of the rows that `kinds` gives."""
        stop = self.view.stop if stop is None else min(stop, self.view.stop)
        return self.inner.positions(self._mine(game), kinds, start, stop)

    def rewinds(self, game: str, start: int, stop: int, most: int) -> list[tuple[int, bytes]]:
        """The position and bytes of the rewinds, the last first; they hold no secrets."""
        found = self.inner.rewinds(self._mine(game), start, min(stop, self.view.stop), most)
        return [(at, self._row(Row(at, "", data)).data) for at, data in found]

    def versions(self, game: str, start: int, stop: int) -> list[tuple[int, bytes]]:
        """The position and bytes of the openings and changes of version."""
        found = self.inner.versions(self._mine(game), start, min(stop, self.view.stop))
        return [(at, self._row(Row(at, "", data)).data) for at, data in found]

    def content(self, digest: str) -> bytes:
        """The content of the game."""
        if digest != self.record.content:
            raise ReadOnly("The game has no such content.")
        return self.inner.content(digest)

    def shelf(self, game: str) -> Shelf:
        """The game's record; raises UnknownGame for any other, and when it was deleted."""
        self.inner.shelf(self._mine(game))
        return self.record

    def snapshot(self, game: str, position_at_most: int, schema: str) -> tuple[int, bytes] | None:
        """The nearest snapshot of what the seat knows."""
        if self.view.seat is None:
            return self.inner.snapshot(self._mine(game), position_at_most, schema)
        return self.cache.get(self._mine(game), self.view.seat, schema, position_at_most)

    def put_snapshot(self, game: str, position: int, schema: str, data: bytes) -> bool:
        """Keep a snapshot of what the seat knows, in memory."""
        if self.view.seat is None:
            return self.inner.put_snapshot(self._mine(game), position, schema, data)
        self.cache.put(self._mine(game), self.view.seat, schema, position, data)
        return True

    def snapshots(self, game: str, schema: str) -> list[int]:
        """None: they are a cache of the service's, and not part of the game."""
        return []

    def _mine(self, game: str) -> str:
        if game != self.record.id and all(game != other for other, _ in self.record.lineage):
            raise UnknownGame("Only one game can be seen here.")
        return game

    # What is not there

    def find_key(self, game: str, key: str) -> int | None:
        """No key: they are for those who act."""
        return None

    def transaction(self, *, write: bool) -> AbstractContextManager[Cursor]:
        """Refused: whatever is not given out above is not to be seen."""
        self._refuse()

    def shape(self) -> dict[str, set[str]]:
        """Refused, as `transaction` is."""
        self._refuse()

    def _insert(self, cursor: Cursor, game: str, rows: Sequence[Row]) -> None:
        self._refuse()

    def close(self) -> None:
        """Nothing is held open here."""

    def _refuse(self) -> NoReturn:
        raise ReadOnly("This is what one caller may see of a game; it cannot be written to, or asked for more.")


class _Timed(msgspec.Struct):
    time: str = ""


_timed = msgspec.json.Decoder(_Timed)
