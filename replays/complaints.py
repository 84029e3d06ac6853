"""What a check of a store finds, in words that say what to do."""

from __future__ import annotations

from typing import Literal

import msgspec

Grade = Literal["note", "risk", "cache", "damage"]
"""`note`: nothing wrong; `risk`: nothing is lost yet; `cache`: what is made anew is wrong; `damage`: what is not."""


class Complaint(msgspec.Struct, frozen=True):
    """Something found in a store: how grave it is, what it is about, what it is, and what to do.

    `game` and `name` say of which game it is, where it is one's own. `done` says what a repair did about it, empty where
    nothing was done.
    """

    grade: Grade
    about: str
    text: str
    advice: str = ""
    game: str = ""
    name: str = ""
    done: str = ""

    @property
    def wrong(self) -> bool:
        """Whether something is wrong that was not set right."""
        return self.grade != "note" and not self.done

    def __str__(self) -> str:
        """Return it on one line: `damage  game 'first' (ab12): … What to do.`"""
        which = f"game '{self.name}' ({self.game})" if self.name else f"game {self.game}" if self.game else self.about
        after = f"Repaired: {self.done}." if self.done else self.advice
        return f"{which}: {self.text.rstrip('.')}. {after}".rstrip()


REPAIR = "`warptape doctor --repair` sets it right."


def cache(about: str, text: str, done: str, *, advice: str = REPAIR, game: str = "", name: str = "") -> Complaint:
    """Return a complaint about what is only a cache: repaired where `done` says so."""
    return Complaint("cache", about, text, advice, game, name, done)


def damage(about: str, text: str, advice: str, *, game: str = "", name: str = "") -> Complaint:
    """Return a complaint about what no repair may touch."""
    return Complaint("damage", about, text, advice, game, name)


def lost(game: str) -> str:
    """Return what to do about a damaged game."""
    return (
        f"`warptape audit {game}` says where. Take it from a backup: `warptape restore` that into another store, export the "
        "game there and import it here."
    )
