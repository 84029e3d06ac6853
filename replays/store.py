"""The event store: bytes in, bytes out, on the recorders of the eventsourcing library; it knows no ruleset."""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Self

from ..domain.errors import Conflict, NameTaken, NotAllowed, StoreError, UnknownGame
from ..domain.words import listed
from .migrations import STEPS
from .reader import CHUNK, Busy, Clash, Cursor, Reader, Stale, as_int
from .shelf import (
    COLUMNS,
    DELETED,
    NAMES,
    Row,
    Shelf,
    as_text,
    check_id,
    check_name,
    is_text,
    to_columns,
)

if TYPE_CHECKING:
    from eventsourcing.persistence import ProcessRecorder

__all__ = ["DELETED", "Row", "Shelf", "Store", "open_store"]


def open_store(url: str | os.PathLike[str]) -> Store:
    """Open, and create where it is missing, the store at a path or URL.

    `url` is the path of an SQLite file (`games.db`, `sqlite:///games.db`; missing folders are made), `:memory:`, or
    `postgresql://user:password@host:port/database`, where `?schema=NAME` selects a schema other than `public`.
    `https://…` is a game service, of which the store shows what the user's profiles open.

    Raises:
        StoreError: it cannot be opened, or belongs to another program; passwords in the message are masked.
    """
    text = os.fspath(url)
    if not is_text(text) or not text.strip():
        raise StoreError(f"{text!r} is not the path or URL of a store.")
    path = file_of(text)
    if path is not None:
        from .sqlite import SQLiteStore

        return SQLiteStore(path)
    scheme = text.partition("://")[0]
    if scheme.lower() in {"postgresql", "postgres"}:
        try:
            from .postgres import PostgresStore
        except ImportError as error:
            raise StoreError(
                f"A PostgreSQL store needs the psycopg package ({error}): pip install 'warptape[postgres]'."
            ) from error
        return PostgresStore(text)
    if scheme.lower() in {"https", "http"}:
        from .remote import needs_httpx

        with needs_httpx():
            from .remote.mirror import open_server
        return open_server(text)
    raise StoreError(
        f"A store is an SQLite path, ':memory:', or a URL of postgresql:// or https://; '{scheme}://' is none of them."
    )


def file_of(url: str) -> str | None:
    """Return the path of the SQLite file that a path or URL names, or `:memory:`; None for a store on a server."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", url)
    if scheme is None or scheme[1].lower() == "sqlite":
        return re.sub(r"^(?i:sqlite)://(/|$)", "", url)
    return None


class Store(Reader):
    """A shelf of recorded games: their events, content, idempotency keys, access tokens and snapshots.

    Safe for several threads, and for several processes that each open their own. Every method raises StoreError
    when the database fails. `recorder` is the library's process recorder, for projections that follow the
    notification log and keep their tracking. `name` is the path or URL with any password masked.
    """

    recorder: ProcessRecorder
    shut = ""  # the SQL that keeps others from making games until a transaction ends, where a write alone does not
    tables: tuple[str, ...]  # the SQL that makes those of version 1
    merge: str  # the SQL that merges a JSON object, `?`, into the column secrets

    @abstractmethod
    def _insert(self, cursor: Cursor, game: str, rows: Sequence[Row]) -> None:
        """Insert rows through the library's recorder, in the cursor's transaction."""

    def tell(self, cursor: Cursor, game: str) -> None:
        """Let other processes know, when the transaction ends well, of a change of a game that inserts no event."""

    def statements(self) -> Iterator[str]:
        """Yield the SQL that makes its tables and indexes, but for those of the library."""
        yield from chain(self.tables, *STEPS)

    def at_hand(self) -> bool:
        """Say whether a transaction can begin without a new connection to a server."""
        return True

    @abstractmethod
    def close(self) -> None:
        """Close all connections; what was acknowledged is on disk already."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ writing

    def create(self, shelf: Shelf, rows: Iterable[Row], content: bytes | None) -> None:
        """Put a new game with its first rows on the shelf, all or nothing.

        `rows` start at `shelf.first` and end before `shelf.length`; they may come from an iterator, which is read in
        constant memory, inside the transaction: it must not use the store, and what it raises records nothing.
        `content` is kept once a digest; None says that the store has `shelf.content` already (or that the game has
        none).

        Raises:
            NameTaken: the id or the name is in use.
            UnknownGame: the parent of the fork is not here.
            StoreError: the name is not allowed, rows are missing, or the fork point is not in the parent's log.
        """
        check_id(shelf.id)
        check_name(shelf.name)
        places = ", ".join("?" * (len(NAMES) + 2))
        try:
            with self.transaction(write=True) as cursor:
                if content is not None:
                    cursor.execute(
                        "INSERT INTO warptape_contents (digest, data) VALUES (?, ?) ON CONFLICT DO NOTHING",
                        (shelf.content, content),
                    )
                cursor.execute(
                    f"INSERT INTO warptape_games ({COLUMNS}, first, parent) VALUES ({places})",
                    (*to_columns(shelf), shelf.first, shelf.parent),
                )
                self._check_new(cursor, shelf)
                position = shelf.first
                remaining = iter(rows)
                while chunk := list(islice(remaining, CHUNK)):
                    _check_positions(shelf.id, chunk, position)
                    self._insert(cursor, shelf.id, chunk)
                    position += len(chunk)
                if position == shelf.first:
                    self.tell(cursor, shelf.id)
                if position != shelf.length:
                    raise StoreError(
                        f"The shelf says {shelf.length} events for game {shelf.id}; the rows end elsewhere."
                    )
        except Clash as error:
            if shelf.parent is not None:
                self.shelf(shelf.parent)
            try:
                twin = f"the id {self.shelf(shelf.id).id} already"
            except UnknownGame:
                twin = f"the name {shelf.name!r} already: choose another one"
            raise NameTaken(f"There is a game with {twin}.") from error

    def _check_new(self, cursor: Cursor, shelf: Shelf) -> None:
        """Inside the transaction that inserts the game: its names, parent and content fit what is there."""
        _check_twin(cursor, shelf.id, shelf.name)
        if shelf.parent is not None:
            cursor.execute("SELECT first, length FROM warptape_games WHERE id = ?", (shelf.parent,))
            parent = cursor.fetchone()
            if parent is None:
                raise UnknownGame(f"The game {shelf.parent} this one is forked from is not in this store.")
            if not as_int(parent[0]) <= shelf.first - 1 < as_int(parent[1]):
                raise StoreError(f"Game {shelf.parent} has no event @{shelf.first - 1} of its own to fork at.")
        if shelf.content:
            cursor.execute("SELECT 1 FROM warptape_contents WHERE digest = ?", (shelf.content,))
            if cursor.fetchone() is None:
                raise StoreError(f"The store has no content with the digest {shelf.content}.")

    def append(
        self,
        game: str,
        expected: int,
        rows: Sequence[Row],
        *,
        head: str,
        changed: str,
        keys: Mapping[str, int] | None = None,
        outcome: str | None = None,
        key_public: bool | None = None,
        secrets: Mapping[str, list[str]] | None = None,
    ) -> None:
        """Record rows, one batch or several, at the end of a game's log: all or nothing, and durable on return.

        `expected` is the length the caller knows; `keys` maps idempotency keys to the positions of their heads.
        `outcome` and `key_public` replace the shelf's, `secrets` are added to the shelf's; None leaves them.

        Raises:
            Conflict: another writer was first, or a key was used before; nothing is recorded.
            UnknownGame: no game has that id.
            StoreError: the rows leave a gap, or the database fails; nothing is recorded.
        """
        if not rows:
            raise StoreError("A batch holds at least one event.")
        _check_positions(game, rows, expected)
        length = expected + len(rows)
        changes, values = ["length = ?", "head = ?", "changed = ?"], [length, head, changed]
        if outcome is not None:
            changes.append("outcome = ?")
            values.append(outcome)
        if key_public is not None:
            changes.append("key_public = ?")
            values.append(int(key_public))
        if secrets:
            changes.append(f"secrets = {self.merge}")
            values.append(as_text(secrets))
        for key, position in (keys or {}).items():
            if not is_text(key) or not expected <= position < length:
                raise StoreError(f"The idempotency key {key!r} is no plain text, or points outside its batch.")
        try:
            with self.transaction(write=True) as cursor:
                # A write comes first: SQLite takes its lock at once, where a read made into a write may only fail.
                cursor.execute(
                    f"UPDATE warptape_games SET {', '.join(changes)} WHERE id = ? AND length = ? AND (first = length"
                    " OR EXISTS (SELECT 1 FROM stored_events WHERE originator_id = ? AND originator_version = ?))",
                    (*values, game, expected, game, expected - 1),
                )
                if cursor.rowcount != 1:
                    raise Stale(game)
                for key, position in (keys or {}).items():
                    cursor.execute("INSERT INTO warptape_keys VALUES (?, ?, ?)", (game, key, position))
                self._insert(cursor, game, rows)
        except (Stale, Clash, Busy) as error:
            raise self._why(game, expected, keys or {}, error) from error

    def _why(self, game: str, expected: int, keys: Mapping[str, int], error: StoreError) -> StoreError:
        """The error to raise for an append that lost: found by looking at what is there now."""
        actual = self.shelf(game).length
        if actual != expected:
            now = f"it has {actual} events now, not {expected}"
            return Conflict(f"Another writer was first in game {game}: {now}.", expected, actual)
        for key in keys:
            used = self.find_key(game, key)
            if used is not None:
                return Conflict(f"The key {key!r} was used before, at event @{used}.", expected, actual)
        if isinstance(error, Busy):
            return error
        gap = f"event @{expected - 1} is missing, or a later one is there" if expected else "it has rows already"
        return StoreError(f"The log of game {game} is damaged ({gap}), so nothing was recorded.")

    def rename(self, game: str, name: str) -> None:
        """Give a game another name; raises NameTaken, UnknownGame, or StoreError for a name that is not allowed."""
        check_name(name)
        try:
            with self.transaction(write=True) as cursor:
                cursor.execute("UPDATE warptape_games SET name = ? WHERE id = ?", (name, game))
                found = cursor.rowcount == 1
                if found:
                    _check_twin(cursor, game, name)
                    self.tell(cursor, game)
        except Clash as error:
            raise NameTaken(f"There is a game with the name {name!r} already: choose another one.") from error
        if not found:
            raise self._unknown(game)

    def delete(self, game: str, with_forks: bool = False) -> list[str]:
        """Delete a game with its events, keys, tokens and snapshots, and on request all its forks; returns the ids deleted.

        Content stays, for other games. In the notification log each deleted game leaves one notice (`DELETED`):
        SQLite would give the numbers of deleted rows to new ones, which a projection would then miss.

        Raises:
            NotAllowed: the game has forks, which need its events, and `with_forks` is false; the text names them.
            UnknownGame: no game has that id.
        """
        try:
            with self.transaction(write=True) as cursor:
                cursor.execute("UPDATE warptape_games SET name = name WHERE id = ?", (game,))  # takes the lock
                found = cursor.rowcount == 1
                doomed = [game, *_descendants(cursor, game)] if found else []
                if len(doomed) > 1 and not with_forks:
                    raise _forked(game, doomed[1:])
                # All games before any events, as every writer locks them, so that no two wait for each other.
                for one in reversed(doomed):
                    cursor.execute("DELETE FROM warptape_games WHERE id = ?", (one,))
                for one in doomed:
                    self._clear(cursor, one)
        except Clash as error:  # PostgreSQL: a fork came while we deleted
            raise _forked(game, self.children(game)) from error
        if not found:
            raise self._unknown(game)
        return doomed

    def _clear(self, cursor: Cursor, game: str) -> None:
        """Delete what belongs to a game beside its shelf, and leave the notice."""
        notice = f"deleted:{game}"
        cursor.execute("SELECT MAX(originator_version) FROM stored_events WHERE originator_id = ?", (notice,))
        last = (cursor.fetchone() or (None,))[0]
        self._insert(cursor, notice, [Row(0 if last is None else as_int(last) + 1, DELETED, b"")])
        cursor.execute("DELETE FROM stored_events WHERE originator_id = ?", (game,))
        cursor.execute("DELETE FROM warptape_keys WHERE game = ?", (game,))
        cursor.execute("DELETE FROM warptape_tokens WHERE game = ?", (game,))
        cursor.execute("DELETE FROM warptape_snapshots WHERE game = ?", (game,))

    # ------------------------------------------------------------------ snapshots: a cache

    def put_snapshot(self, game: str, position: int, schema: str, data: bytes) -> bool:
        """Keep a snapshot, if the store can; returns whether it did. It never raises a StoreError: it is a cache."""
        with suppress(StoreError), self.transaction(write=True) as cursor:
            cursor.execute(
                "INSERT INTO warptape_snapshots (game, schema, position, data) SELECT id, ?, ?, ? FROM warptape_games"
                " WHERE id = ? ON CONFLICT (game, schema, position) DO UPDATE SET data = excluded.data",
                (schema, position, data, game),
            )
            return cursor.rowcount == 1
        return False

    def drop_snapshots(self, game: str | None = None) -> None:
        """Delete all snapshots, or one game's; nothing is lost but time."""
        with self.transaction(write=True) as cursor:
            if game is None:
                cursor.execute("DELETE FROM warptape_snapshots")
            else:
                cursor.execute("DELETE FROM warptape_snapshots WHERE game = ?", (game,))


def _check_positions(game: str, rows: Sequence[Row], start: int) -> None:
    for position, row in enumerate(rows, start):
        if row.position != position:
            raise StoreError(f"Game {game} expects event @{position}, not @{row.position}: a log has no gaps.")


def _check_twin(cursor: Cursor, game: str, name: str) -> None:
    """No game's name is another's id, or `find` could mean either."""
    cursor.execute("SELECT id FROM warptape_games WHERE id <> ? AND (id = ? OR name = ?)", (game, name, game))
    if cursor.fetchone() is not None:
        raise NameTaken(f"{name!r} or {game} would be the name of one game and the id of another.")


def _descendants(cursor: Cursor, game: str) -> list[str]:
    """All forks, and forks of forks; parents before their children."""
    found = [game]  # grows while it is walked; in a damaged store parents may form a ring
    for parent in found:
        cursor.execute("SELECT id FROM warptape_games WHERE parent = ? ORDER BY id", (parent,))
        found += [child for (child,) in cursor.fetchall() if child not in found]  # type: ignore[misc]
    return found[1:]


def _forked(game: str, forks: Sequence[str]) -> NotAllowed:
    return NotAllowed(
        f"Game {game} has forks that need its events: {listed(forks) if forks else 'one made just now'}."
        " Delete them with it (`--with-forks`), or keep it."
    )
