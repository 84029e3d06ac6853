"""Addresses: `GAME@57` an event, `@d12` a decision, `@r3` a round, `@-5` decisions back, `@start`, `@end`."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from ..domain.errors import BadAddress

Kind = Literal["event", "decision", "round", "back", "start", "end"]

_FORM = re.compile(r"(?:(?P<event>\d+)|d(?P<decision>\d+)|r(?P<round>\d+)|-(?P<back>\d+)|(?P<word>start|end))\Z")


class Address(msgspec.Struct, frozen=True):
    """A game as it was named (empty: the one at hand) and a place in it."""

    game: str
    kind: Kind = "end"
    number: int = 0

    def __str__(self) -> str:
        letter = {"event": "", "decision": "d", "round": "r", "back": "-"}.get(self.kind)
        return f"{self.game}@{self.kind}" if letter is None else f"{self.game}@{letter}{self.number}"


def parse_address(text: str) -> Address:
    """Return the address a text stands for; raises BadAddress, saying what an address looks like."""
    game, at, place = text.partition("@")
    if not text.strip():
        raise BadAddress("The name of the game is empty: type `last` for the game that was changed last.")
    if not at:
        return Address(game)
    match = _FORM.match(place.strip().lower())
    if match is None:
        raise BadAddress(
            f"'@{place}' is no place in a game. Use @57 (event), @d12 (decision), @r3 (round), @-5 (decisions back), "
            "@start or @end."
        )
    word = match["word"]
    if word:
        return Address(game, word)  # type: ignore[arg-type]
    kind = match.lastgroup
    number = match[kind] if kind else "0"
    if len(number) > 12:
        raise BadAddress(f"'@{place}' is too large a number for a place in a game.")
    return Address(game, kind, int(number))  # type: ignore[arg-type]
