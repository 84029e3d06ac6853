"""Tokens: who a caller is. The store keeps the SHA-256 of each and nothing that opens anything."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Final, Literal, cast

import msgspec

from ..domain.errors import NotAllowed
from ..replays.problems import NoAccess, NotYours
from ..replays.reader import Cursor
from ..replays.store import Store
from ..replays.takeback import BOTS, is_holder
from ..replays.wire import TokenInfo
from .once import Once

HOST: Final = "host"
ARBITER: Final = "arbiter"
SEAT: Final = "seat"
SPECTATOR: Final = "spectator"
INVITATION: Final = "invitation"
Kind = Literal["host", "arbiter", "seat", "spectator", "invitation"]
ALL = "*"
"""What stands in place of a seat in the token of an arbiter that sees everything."""

COLUMNS = "digest, game, role, seat, label, delay, created, revoked, used"
LONGEST_LABEL = 80
PREFIX = {False: "wt_", True: "wi_"}
"""What tokens and invitations begin with."""
FRESH = Once("")
FINGERPRINT = 12


class Token(msgspec.Struct, frozen=True):
    """What is kept of a token; `revoked` and `used` are times, empty while it is neither."""

    digest: str
    game: str
    role: Kind
    seat: str
    label: str
    delay: int
    created: str
    revoked: str = ""
    used: str = ""

    @property
    def info(self) -> TokenInfo:
        """What the arbiter may know of it."""
        seat = "" if self.seat == ALL else self.seat
        role = cast('Literal["arbiter", "seat", "spectator", "invitation"]', self.role)
        return TokenInfo(
            self.digest[:FINGERPRINT], role, seat, self.label, self.delay, self.created, self.revoked, self.used
        )


class Caller(msgspec.Struct, frozen=True):
    """Who asks: the role, the game it is in (none for the host), the seat, and the person's name."""

    role: Literal["host", "arbiter", "seat", "spectator", "anybody"]
    game: str = ""
    seat: str = ""
    label: str = ""
    delay: int = 0
    digest: str = ""

    @property
    def sees_all(self) -> bool:
        """Whether nothing of the game is hidden from this caller."""
        return self.role == ARBITER and self.seat == ALL


ANYBODY = Caller("anybody")


def digest_of(secret: str) -> str:
    """Return what is kept of a token. It is looked up by its digest, so that the time of that tells nothing of it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Access:
    """The tokens of one store."""

    def __init__(self, store: Store, now: Callable[[], str]) -> None:
        self.store = store
        self.now = now

    def caller(self, secret: str) -> Caller:
        """Return whose token this is; raises NoAccess for one that is not known or was revoked."""
        found = self._find("WHERE digest = ?", digest_of(secret))
        if not found or found[0].revoked or found[0].role == INVITATION:
            raise NoAccess("This token opens nothing here: it is wrong, or it was revoked.")
        token = found[0]
        return Caller(token.role, token.game, token.seat, token.label, token.delay, token.digest)  # type: ignore[arg-type]

    def alive(self, digest: str) -> bool:
        """Say whether a token still opens something."""
        found = self._find("WHERE digest = ?", digest)
        return bool(found) and not found[0].revoked

    def sees(self, game: str) -> bool:
        """Say whether the game was made so that its arbiter sees everything."""
        return bool(self._find("WHERE game = ? AND role = ? AND seat = ?", game, ARBITER, ALL))

    def listed(self, game: str) -> list[Token]:
        """Return the tokens and invitations of a game, the oldest first."""
        return self._find("WHERE game = ? ORDER BY created, digest", game)

    def issue(
        self,
        game: str,
        role: Kind,
        seat: str = "",
        label: str = "",
        delay: int = 0,
        *,
        invite: bool = False,
        once: Once = FRESH,
    ) -> tuple[str, Token]:
        """Make a token, or an invitation to one, and return its secret with what is kept of it.

        A seat has one token that is alive, and one invitation: a new one revokes the one before. What follows from the
        key of `once` is made once. Raises NotAllowed for a label that is none.
        """
        label = check_label(label)
        fixed = once.secret(f"{role} {seat}", PREFIX[invite])
        if fixed is not None and (made := self._find("WHERE digest = ?", digest_of(fixed))):
            return fixed, made[0]
        secret = fixed or new_secret(invite)
        kept = INVITATION if invite else role
        token = Token(digest_of(secret), game, kept, seat, label, delay, self.now())
        with self.store.transaction(write=True) as cursor:
            _one_at_a_time(cursor, game)
            if (
                fixed is not None and (there := _found(cursor, token.digest)) is not None
            ):  # by the same request, just now
                return secret, there
            self._revoke(cursor, game, kept, seat)
            _insert(cursor, token)
        return secret, token

    def join(self, code: str, name: str, key: str = "") -> tuple[str, Token]:
        """Exchange an invitation for a token, once: with the same `key` again it is the same token.

        Raises NoAccess for an unknown one, NotYours for a used one, BadRequest for a key that might be guessed.
        """
        digest = digest_of(code)
        now = self.now()
        secret = Once(key, "join", code).secret("token", PREFIX[False]) or new_secret(False)
        if key and (made := self._find("WHERE digest = ?", digest_of(secret))):
            return secret, made[0]
        with self.store.transaction(write=True) as cursor:
            old = _found(cursor, digest)
            if old is not None:
                _one_at_a_time(cursor, old.game)
            cursor.execute(
                "UPDATE warptape_tokens SET used = ? WHERE digest = ? AND role = ? AND used = '' AND revoked = ''",
                (now, digest, INVITATION),
            )
            taken = cursor.rowcount == 1
            old = _found(cursor, digest)
            if key and not taken and (there := _found(cursor, digest_of(secret))) is not None:
                return secret, there  # by the same request, just now
            if taken and old is not None:
                role: Kind = SEAT if old.seat else SPECTATOR
                label = check_label(name) or old.label
                token = Token(digest_of(secret), old.game, role, old.seat, label, old.delay, now)
                self._revoke(cursor, old.game, role, old.seat)
                _insert(cursor, token)
                return secret, token
        if old is None or old.role != INVITATION or not old.used:
            raise NoAccess("The service knows no such invitation; it may have been taken back.")
        raise NotYours("This invitation was used already. Ask who set up the game for a new one.")

    def revoke(self, game: str, fingerprint: str) -> list[Token]:
        """Revoke the token of a game that has this fingerprint; returns those that were revoked now."""
        found = [one for one in self.listed(game) if one.digest[:FINGERPRINT] == fingerprint and not one.revoked]
        with self.store.transaction(write=True) as cursor:
            for one in found:
                cursor.execute("UPDATE warptape_tokens SET revoked = ? WHERE digest = ?", (self.now(), one.digest))
            if found:
                self.store.tell(cursor, game)  # other processes may have streams of theirs
        return found

    def new_host(self) -> str:
        """Make a token for the host, revoke those before, and return its secret."""
        secret = new_secret(False)
        with self.store.transaction(write=True) as cursor:
            cursor.execute("UPDATE warptape_tokens SET revoked = ? WHERE role = ? AND revoked = ''", (self.now(), HOST))
            _insert(cursor, Token(digest_of(secret), "", HOST, "", "", 0, self.now()))
        return secret

    def has_host(self) -> bool:
        """Say whether a host's token is alive."""
        return bool(self._find("WHERE role = ? AND revoked = ''", HOST))

    def _revoke(self, cursor: Cursor, game: str, role: Kind, seat: str) -> None:
        """Revoke what is alive of a seat; spectators and arbiters may be several."""
        if seat and role in (SEAT, INVITATION):
            cursor.execute(
                "UPDATE warptape_tokens SET revoked = ? WHERE game = ? AND role = ? AND seat = ? AND revoked = ''"
                " AND used = ''",
                (self.now(), game, role, seat),
            )
            if cursor.rowcount:
                self.store.tell(cursor, game)

    def _find(self, where: str, *params: object) -> list[Token]:
        with self.store.transaction(write=False) as cursor:
            cursor.execute(f"SELECT {COLUMNS} FROM warptape_tokens {where}", params)
            return list(map(_token, cursor.fetchall()))


def new_secret(invite: bool) -> str:
    """Return 256 random bits in letters; what they are for stands before them."""
    return PREFIX[invite] + secrets.token_urlsafe(32)


def check_label(label: str) -> str:
    """Return a person's name without what surrounds it; raises NotAllowed for one that is too long or not printable."""
    label = label.strip()
    check_person(label)
    return label


def check_person(name: str, program: bool = False) -> None:
    """Raise NotAllowed for a name of a person that is that of a bot: a log must not say that one acted where none did.

    With `program` it may be that of a program which its user lets play (`exec:NAME`).
    """
    if name.startswith(BOTS) and not (program and is_holder(name)):
        raise NotAllowed("'bot:' and 'exec:' begin the name of a bot, and it is a person who does it.")
    if len(name) > LONGEST_LABEL or not name.isprintable():
        raise NotAllowed(f"A name has at most {LONGEST_LABEL} characters, all of them printable.")


def _one_at_a_time(cursor: Cursor, game: str) -> None:
    """Wait until nobody else gives out tokens of a game: of two at once each would revoke what it finds, and both be good."""
    cursor.execute("UPDATE warptape_games SET id = id WHERE id = ?", (game,))


def _insert(cursor: Cursor, token: Token) -> None:
    values = msgspec.structs.astuple(token)
    cursor.execute(f"INSERT INTO warptape_tokens ({COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)


def _found(cursor: Cursor, digest: str) -> Token | None:
    cursor.execute(f"SELECT {COLUMNS} FROM warptape_tokens WHERE digest = ?", (digest,))
    row = cursor.fetchone()
    return None if row is None else _token(row)


def _token(row: object) -> Token:
    return msgspec.convert(dict(zip(COLUMNS.split(", "), cast("tuple[object, ...]", row), strict=True)), Token)
