"""A server's games as a store: what a token may see of them, mirrored in memory and read with the code of any store.

A log only grows, so that what is here is never asked for again. What changes a game goes to the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn, TypeVar

import httpx
import msgspec

from ...domain.errors import NotAllowed, StoreError, UnknownGame, WarptapeError
from ..chain import Chain
from ..problems import NoAccess, NotYours
from ..shelf import COLUMNS, NAMES, Row, Shelf, to_columns
from ..sqlite import SQLiteStore
from ..wire import Deleted, Done, GameInfo, Games, Rename, from_wire, read_rows
from .line import Later, Line
from .passes import ROLES, Pass, Wallet, server_of, user_wallet

A = TypeVar("A")
PAGE = 100
"""Games asked for at a time."""
STEP = 500
"""Rows put into the mirror at a time."""


class _Head(msgspec.Struct):
    prev: str = ""
    time: str = ""


class _Key(msgspec.Struct):
    since: int
    nonce: str
    seed: str = ""


_head = msgspec.json.Decoder(_Head)
_key = msgspec.json.Decoder(_Key)


class _Mirrored:
    """One game of which rows are here: how many, as whose knowledge, and the chain as far as they go."""

    def __init__(self, sees: str, late: bool) -> None:
        self.sees = sees
        self.late = late
        self.length = 0
        self.changed = ""
        self.chain = Chain()
        self.secrets: dict[str, list[str]] = {}


class HttpStore(SQLiteStore):
    """The games that some passes open on a server; `name` is its URL.

    `shelf`, `find` and `shelves` ask the server, and bring the rows of the game that was asked for up to date; all other
    reading is done here. With `sees` that seat's pass is taken where there are several. Raises LineDown when no answer
    comes, NoAccess and NotYours for what no pass opens, and what any store raises.
    """

    def __init__(self, line: Line, wallet: Wallet, *, token: str = "", sees: str = "") -> None:
        super().__init__(":memory:")
        self.line = line
        self.name = line.server
        self.wallet = wallet
        self.token = token
        self.sees = sees
        self.infos: dict[str, GameInfo] = {}
        self._mirrored: dict[str, _Mirrored] = {}
        self._given: list[Pass] = []
        """What the server gave while this store is open: it counts before the token that was named."""

    def close(self) -> None:
        """Hang up; what was mirrored is gone."""
        self.line.close()
        super().close()

    # ------------------------------------------------------------------ passes

    def passes(self, game: str = "") -> list[Pass]:
        """Return the passes that open a game, the one to take first; without a game those of a host."""
        given = [one for one in self._given if one.game == game]
        if self.token:
            found = (
                [*given, Pass(token=self.token, game=game)] if game else [*given, Pass(token=self.token, role="host")]
            )
        else:
            found = [one for one in self.wallet.of(self.name) if one.game == game]
        return sorted(found, key=self._order)

    def _order(self, one: Pass) -> tuple[int, int]:
        wanted = 0 if self.sees and one.seat == self.sees else 1
        return wanted, ROLES.index(one.role) if one.role in ROLES else len(ROLES)

    def _known(self) -> list[Pass]:
        """Return the passes for games that are known by id."""
        return [one for one in (self._given if self.token else self.wallet.of(self.name)) if one.game]

    def keep(self, *passes: Pass) -> None:
        """Keep passes that the server has given, here and in the wallet."""
        self._given += passes
        self.wallet.add(self.name, *passes)

    def token_for(self, game: str, role: str = "") -> str:
        """Return the token for a game, that of a role before others; raises NoAccess where there is none."""
        found = self.passes(game)
        for one in found:
            if role and one.role == role:
                return one.token
        if not found:
            raise self.line.no_token()
        return found[0].token

    # ------------------------------------------------------------------ asking

    def ask(
        self, method: str, path: str, kind: type[A], *, game: str = "", role: str = "", **how: Any
    ) -> tuple[A, int]:
        """Return the answer to a request about a game, below its path, and how many times it was sent: see `Line.ask`."""
        where = f"games/{game}{f'/{path}' if path else ''}" if game else path
        return self.line.ask(method, where, kind, token=self.token_for(game, role), **how)

    def info(self, game: str) -> GameInfo:
        """Ask for what a game is like now."""
        try:
            found, _ = self.ask("GET", "", GameInfo, game=game)
        except UnknownGame:
            self._drop(game)
            raise
        self.infos[game] = found
        return found

    def _list(self, ruleset: str | None = None) -> None:
        """Ask for all games that the passes open, and put their records on the shelf here."""
        found: dict[str, GameInfo] = {}
        refused: list[WarptapeError] = []
        for game in dict.fromkeys(one.game for one in self._known()):
            try:
                found[game] = self.info(game)
            except (NoAccess, NotYours, UnknownGame) as error:  # revoked, or gone
                refused.append(error)
        for host in self.passes()[:1]:
            try:
                for info in self._pages(host.token):
                    found.setdefault(info.id, info)
            except NoAccess as error:
                refused.append(error)
        if not found and refused:
            raise refused[0]
        self.infos.update(found)
        ordered = sorted(found.values(), key=lambda info: (info.changed, info.created))
        with self.transaction(write=True) as cursor:
            cursor.execute("DELETE FROM warptape_games")
            for info in ordered:
                self._put(cursor, self._record(info, self._mirrored.get(info.id)))

    def _pages(self, token: str) -> Iterator[GameInfo]:
        after = "0"
        while after:
            page, _ = self.line.ask("GET", "games", Games, token=token, params={"limit": PAGE, "after": after})
            yield from page.games
            after = page.next

    # ------------------------------------------------------------------ the mirror

    def shelf(self, game: str) -> Shelf:
        """Ask for the record of a game, its rows here up to date; raises UnknownGame."""
        return self._caught_up(self.info(game))

    def _caught_up(self, info: GameInfo) -> Shelf:
        known = self._mirrored.get(info.id)
        if known is None or known.sees != info.sees or info.length < known.length:
            self._drop(info.id)
            known = self._mirrored[info.id] = _Mirrored(info.sees, bool(info.delay))
        if info.length > known.length:
            self._fetch(info.id, known, info.length)
        self._keep_content(info)
        shelf = self._record(info, known)
        with self.transaction(write=True) as cursor:
            cursor.execute("DELETE FROM warptape_games WHERE id = ?", (info.id,))
            self._put(cursor, shelf)
        self.infos[info.id] = info
        return _whole(shelf)

    def _fetch(self, game: str, known: _Mirrored, length: int) -> None:
        """Mirror the rows before `length` that are not here; a stream that breaks off goes on where it did."""
        clock = self.line.trying()
        token = self.token_for(game)
        while known.length < length:
            some: list[Row] = []
            try:
                params = {"start": known.length, "stop": length}
                with self.line.stream(f"games/{game}/rows", token=token, params=params) as answer:
                    for row in read_rows(answer.iter_lines()):
                        some.append(row)
                        if len(some) >= STEP:
                            self._take(game, known, some)
                            some = []
                self._take(game, known, some)
                if known.length < length:
                    raise httpx.RemoteProtocolError("the rows end early")
            except (httpx.TransportError, Later, msgspec.DecodeError) as error:
                self._take(game, known, some)
                clock.wait(error)

    def _take(self, game: str, known: _Mirrored, rows: Sequence[Row]) -> None:
        """Put rows into the mirror that follow on those here; raises StoreError when they do not."""
        if not rows:
            return
        for position, row in enumerate(rows, known.length):
            if row.position != position:
                raise StoreError(f"{self.line.host} gives event @{row.position} of a game where @{position} belongs.")
            public = row.data.partition(b"\n")[0]
            try:
                head = _head.decode(public)
                wrong = known.chain.feed(position, row.kind, head.prev, public)
                if row.kind == "KeyRevealed":
                    key = _key.decode(public)
                    known.secrets[str(key.since)] = [key.nonce, key.seed]
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise StoreError(f"{self.line.host} gives an event @{position} that is damaged: {error}.") from error
            if wrong:
                raise StoreError(f"What {self.line.host} gives does not hang together: {wrong}.")
            known.changed = head.time or known.changed
        with self.transaction(write=True) as cursor:
            self._insert(cursor, game, rows)
        known.length += len(rows)

    def _keep_content(self, info: GameInfo) -> None:
        """Have the content of a game here, unless it is that of the installed ruleset."""
        from ...domain.rules import installed, ruleset

        with self.transaction(write=False) as cursor:
            cursor.execute("SELECT 1 FROM warptape_contents WHERE digest = ?", (info.content,))
            if cursor.fetchone() is not None:
                return
        if info.ruleset in installed() and (rules := ruleset(info.ruleset)).content.digest == info.content:
            data = rules.content.encode()
        else:
            data, _ = self.ask("GET", "content", bytes, game=info.id)
        with self.transaction(write=True) as cursor:
            cursor.execute(
                "INSERT INTO warptape_contents (digest, data) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (info.content, data),
            )

    def _record(self, info: GameInfo, known: _Mirrored | None) -> Shelf:
        """Return the record of a game as the shelf here has it; a fork names its parent, and its rows are all its own."""
        extra = {"undo": info.policy}
        if info.sees:
            extra["seat"] = info.sees
        if info.redrawn:
            extra["redrawn"] = str(info.redrawn)
        forked = info.parent and info.forked_at < info.length
        return Shelf(
            id=info.id,
            name=info.name,
            ruleset=info.ruleset,
            ruleset_version=info.ruleset_version,
            content=info.content,
            created=info.created,
            changed=info.changed,
            length=info.length,
            head=info.head,
            outcome=info.outcome,
            seats=dict(info.seats),
            lineage=[(info.parent, info.forked_at)] if forked else [],
            secrets=dict(known.secrets) if known is not None else {},
            key_public=info.key_public,
            extra=extra,
        )

    def _put(self, cursor: Any, shelf: Shelf) -> None:
        places = ", ".join("?" * (len(NAMES) + 2))
        cursor.execute(
            f"INSERT INTO warptape_games ({COLUMNS}, first, parent) VALUES ({places}) ON CONFLICT DO NOTHING",
            (*to_columns(shelf), shelf.first, shelf.parent),
        )

    def _drop(self, game: str) -> None:
        self._mirrored.pop(game, None)
        self.infos.pop(game, None)
        with self.transaction(write=True) as cursor:
            for table, column in (
                ("stored_events", "originator_id"), ("warptape_snapshots", "game"), ("warptape_games", "id")
            ):  # fmt: skip
                cursor.execute(f"DELETE FROM {table} WHERE {column} = ?", (game,))

    def took(self, game: str, done: Done) -> Shelf | None:
        """Take the rows of an answer up, and return the record as it is now; None where the server must be asked for it.

        It must where rows are missing between, and where what this pass may see, or how the game stands on the shelf, may
        be another now.
        """
        known, info = self._mirrored.get(game), self.infos.get(game)
        if known is None or info is None or known.late:
            return None
        rows = [row for row in map(from_wire, done.rows) if row.position >= known.length]
        ends = any(row.kind == "KeyRevealed" for row in rows) or info.outcome or done.decision is None
        if ends or (rows and rows[0].position != known.length):
            return None
        self._take(game, known, rows)
        if known.length != done.length:
            return None
        self.infos[game] = info = msgspec.structs.replace(
            info, length=known.length, head=known.chain.head, changed=known.changed, decision=done.decision
        )
        shelf = self._record(info, known)
        with self.transaction(write=True) as cursor:
            cursor.execute("DELETE FROM warptape_games WHERE id = ?", (game,))
            self._put(cursor, shelf)
        return _whole(shelf)

    # ------------------------------------------------------------------ reading what only the server has

    def find(self, text: str) -> Shelf:
        """Return the game with an id, name, beginning of an id, or `last`; raises UnknownGame, AmbiguousGame."""
        for game in dict.fromkeys(one.game for one in self._known() if text in (one.game, one.name)):
            with suppress(NoAccess, NotYours, UnknownGame):
                info = self.info(game)
                if text in (info.id, info.name):
                    return self._caught_up(info)
        self._list()
        if text == "last":
            newest = super().shelves(limit=1)
            if not newest:
                raise self._unknown(text)
            found = newest[0]
        else:
            found = super().find(text)
        info = self.infos[found.id]
        return self.shelf(found.id) if info.role == "host" else self._caught_up(info)

    def shelves(self, *, ruleset: str | None = None, limit: int | None = None, offset: int = 0) -> list[Shelf]:
        """Return the records of all games that the passes open, the one changed last first."""
        self._list()
        return super().shelves(ruleset=ruleset, limit=limit, offset=offset)

    def listed(self) -> Iterator[tuple[str, str]]:
        """Yield the id and name of every game, the one changed last first."""
        self._list()
        return super().listed()

    def count(self) -> int:
        """Return how many games there are."""
        self._list()
        return super().count()

    def records(self) -> Iterator[tuple[str, ...]]:
        """Yield the columns of every game that can be looked into, as texts, its rows here up to date."""
        self._list()
        for game, _ in list(super().listed()):
            if self.passes(game):
                yield tuple(map(str, to_columns(self.shelf(game))))

    def names(self, beginning: str) -> set[str]:
        """Return the names of all games that begin with a text."""
        self._list()
        return super().names(beginning)

    # ------------------------------------------------------------------ writing

    def rename(self, game: str, name: str) -> None:
        """Give a game another name; raises NameTaken, UnknownGame, StoreError for a name that is not allowed."""
        self.ask("PATCH", "", GameInfo, game=game, role="arbiter", body=Rename(name))

    def delete(self, game: str, with_forks: bool = False) -> list[str]:
        """Delete a game, and on request its forks; returns the ids deleted; raises NotAllowed for one with forks."""
        found = self._deleted(game, with_forks)
        for one in found:
            self._drop(one)
            for kept in [kept for kept in self.wallet.of(self.name) if kept.game == one][:1]:
                self.wallet.remove(self.name, kept.game)
        return found

    def _deleted(self, game: str, with_forks: bool) -> list[str]:
        try:
            gone, _ = self.ask(
                "DELETE", "", Deleted, game=game, role="arbiter", params={"forks": "true" if with_forks else "false"}
            )
            return gone.games
        except (NoAccess, NotYours, UnknownGame):
            if self.line.tries < 2:
                raise
            return [game]  # an answer was lost: the tokens went with the game

    def create(self, shelf: Shelf, rows: Iterable[Row], content: bytes | None) -> None:
        """Refuse: the server makes its own games."""
        self._refuse()

    def append(self, game: str, expected: int, rows: Sequence[Row], **how: Any) -> None:
        """Refuse: the server records."""
        self._refuse()

    def find_key(self, game: str, key: str) -> int | None:
        """Return None: keys are the server's, which answers a key that was used with what was recorded."""
        return None

    def _refuse(self) -> NoReturn:
        raise NotAllowed(f"{self.line.host} records its games itself: nothing is written into them from here.")


def _whole(shelf: Shelf) -> Shelf:
    """Return a record by which all rows are the game's own, as those of one that was imported are."""
    return msgspec.structs.replace(shelf, lineage=[], extra={**shelf.extra, "imported": shelf.id})


def open_server(url: str) -> HttpStore:
    """Open the games of a server that the user's own passes open; raises StoreError."""
    return HttpStore(Line(server_of(url)), user_wallet())
