"""Giving out tokens of a game and invitations to it: to its arbiter over HTTP, and to whoever has the store itself."""

from __future__ import annotations

from ..domain.errors import NotAllowed, OptionError
from ..domain.rules import ruleset
from ..replays.problems import NotYours
from ..replays.shelf import Shelf
from ..replays.store import Store
from ..replays.takeback import BOT
from ..replays.wire import UNTIL_THE_END, Issued, IssueToken, TokenInfo
from ..replays.writing import Desk
from .access import ALL, ARBITER, FRESH, SEAT, SPECTATOR, Access, Token
from .once import Once

LATEST = 10**9
"""The most events that a spectator may be late."""


def is_free(holder: str) -> bool:
    """Say whether a seat is not a bot's of this service: a person has it, or a program elsewhere that has its token."""
    return not holder.startswith(BOT)


def whole(shelf: Shelf) -> str:
    """Return the seat of a first arbiter's token where nobody said whether it sees everything: so where nothing is secret."""
    return "" if ruleset(shelf.ruleset).secretive else ALL


def issued(access: Access, shelf: Shelf, asked: IssueToken, arbiter: str, once: Once = FRESH) -> Issued:
    """Make a token, or an invitation to one; the token or invitation that a seat had before is revoked.

    `arbiter` is the seat in the token of another arbiter. Raises NotAllowed for a seat that is not there or is a bot's,
    OptionError.
    """
    seat = asked.seat
    if asked.role == SEAT:
        if seat not in shelf.seats:
            raise NotAllowed(f"This game has no seat '{seat[:40]}'. Its seats: {', '.join(shelf.seats)}.")
        if not is_free(shelf.seats[seat]):
            raise NotAllowed(f"A bot holds the seat {seat}: nobody else can have it.")
    elif seat:
        raise OptionError("Only the token of a seat names one.")
    elif asked.role == ARBITER:
        if asked.invite:
            raise OptionError("An arbiter gets a token, not an invitation.")
        seat = arbiter
    if not UNTIL_THE_END <= asked.delay <= LATEST or (asked.delay and asked.role != SPECTATOR):
        raise OptionError("A delay is a number of events, or -1 until the game is over, and only for spectators.")
    secret, token = access.issue(
        shelf.id, asked.role, seat, asked.label, asked.delay, invite=asked.invite, once=once
    )  # fmt: skip
    return Issued(secret, token.info)


def revoked(access: Access, game: str, fingerprint: str) -> list[Token]:
    """Revoke the token or invitation of a game that has this fingerprint; raises NotYours where none is alive."""
    found = access.revoke(game, fingerprint)
    if not found:
        raise NotYours("This game has no such token that is alive.")
    return found


class StoreTokens:
    """The tokens of the games in a store, for whoever has the store itself: who can read it needs no token to look inside.

    This is how a game that was not started over HTTP gets an arbiter and players, and one whose arbiter lost the token
    another.
    """

    def __init__(self, store: Store, desk: Desk) -> None:
        self.store = store
        self.access = Access(store, desk.now)

    def give(self, game: str, asked: IssueToken) -> Issued:
        """Make a token of a game, or an invitation to it: see `issued`. Another arbiter sees what the others see."""
        shelf = self.store.shelf(game)
        there = [one for one in self.access.listed(game) if one.role == ARBITER]
        return issued(self.access, shelf, asked, there[0].seat if there else whole(shelf))

    def tokens(self, game: str) -> list[TokenInfo]:
        """Return the tokens and invitations of a game, also those that were revoked or used."""
        return [one.info for one in self.access.listed(game)]

    def revoke(self, game: str, fingerprint: str) -> list[str]:
        """Revoke the token of a game that has this fingerprint; returns it; raises NotYours where none is alive."""
        return [one.info.fingerprint for one in revoked(self.access, game, fingerprint)]
