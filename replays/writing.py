"""The desk a game is written at: clock, entropy and ids come from here, so that tests can bring their own."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from ..domain.chance import Salt
from ..domain.errors import NameTaken
from .shelf import LONGEST_NAME, Row, Shelf
from .store import Store


class Player(Protocol):
    """A program from outside that sits at a seat."""

    @property
    def holder(self) -> str:
        """What a game calls it: `exec:NAME`."""
        ...

    def choose(self, game: Any) -> Any:
        """Return the legal action that it takes in a game where its seat must decide; raises BotFailed."""
        ...

    def over(self, game: Any) -> None:
        """Tell it that a game is over."""
        ...


class Desk:
    """What recording needs from the world."""

    def player(self, game: str, seat: str) -> Player | None:
        """Return the program that sits at a seat of the game with that id; none does unless whoever sits here gave one."""
        return None

    def close(self) -> None:
        """Let go of what is not needed any more; the desk can be used again."""

    @property
    def reports(self) -> Path | None:
        """The folder for reports of what fails here; None where none are to be written."""
        return None

    def now(self) -> str:
        """Return the time, ISO 8601 in UTC with milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def salt(self) -> Salt:
        """Return a secret that nobody knows: 32 random hex digits."""
        return Salt(nonce=secrets.token_hex(16))

    def new_id(self) -> str:
        """Return an id for a game: ten letters and digits, none of them easily confused."""
        return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))

    def put_on_shelf(self, store: Store, shelf: Shelf, rows: Iterable[Row], content: bytes | None, base: str) -> None:
        """Create a game in the store, and where it has no name give it the first free one: `base`, `base 2`, …

        `rows` may be read more than once.
        Raises NameTaken when it has a name that another game has, and what the store raises.
        """
        if shelf.name:
            return store.create(shelf, rows, content)
        base, number = base[: LONGEST_NAME - 8].strip(), 0
        for _ in range(10):  # another start may take the name meanwhile
            taken = store.names(base)
            while not shelf.name or shelf.name in taken:
                number += 1
                shelf.name = base if number == 1 else f"{base} {number}"
            try:
                return store.create(shelf, rows, content)
            except NameTaken:
                shelf.name = ""
        raise NameTaken(f"No free name was found for another game of the name '{base}': give it one.")
