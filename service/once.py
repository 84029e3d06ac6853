"""What is made once, however often it is asked for: ids and tokens that follow from the key of a request.

An answer may be lost. Who asks again with the same key, a word that nobody else has, gets the game, the token and the
invitations of the first answer: they are worked out anew, since the service keeps no token.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from ..domain.chance import Salt
from ..replays.problems import BadRequest
from ..replays.shelf import is_text
from ..replays.writing import Desk

LEAST, MOST = 22, 200
"""The letters of a key from which a token follows: fewer might be guessed."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Once:
    """What follows from a key for one caller and one purpose; of no key nothing follows, and all is random.

    Raises BadRequest for a key that might be guessed.
    """

    def __init__(self, key: str, *purpose: str) -> None:
        if key and (not LEAST <= len(key) <= MOST or not is_text(key)):
            raise BadRequest(f"A key is a random word of {LEAST} to {MOST} characters that nobody else knows.")
        self.key = key
        self.purpose = purpose

    def bytes(self, what: str) -> bytes:
        """Return 32 bytes for something that is made."""
        return hashlib.sha256("\0".join((self.key, *self.purpose, what)).encode()).digest()

    def secret(self, what: str, prefix: str) -> str | None:
        """Return the token or invitation for something that is made; None where no key was given."""
        if not self.key:
            return None
        return prefix + base64.urlsafe_b64encode(self.bytes(what)).rstrip(b"=").decode()

    def id(self) -> str:
        """Return the id of the game that is made."""
        number = int.from_bytes(self.bytes("game"), "big")
        found = []
        for _ in range(10):
            number, letter = divmod(number, len(LETTERS))
            found.append(LETTERS[letter])
        return "".join(found)

    def desk(self, desk: Desk) -> Desk:
        """Return the desk at which the game is made: the service's own, but for the id."""
        return OnceDesk(desk, self.id()) if self.key else desk


class OnceDesk(Desk):
    """A desk at which one game is begun, with an id that is known."""

    def __init__(self, desk: Desk, id: str) -> None:
        self.desk = desk
        self.id = id

    @property
    def reports(self) -> Path | None:
        """The folder for reports of what fails here."""
        return self.desk.reports

    def now(self) -> str:
        """Return the time."""
        return self.desk.now()

    def salt(self) -> Salt:
        """Return a secret that nobody knows."""
        return self.desk.salt()

    def new_id(self) -> str:
        """Return the id."""
        return self.id
