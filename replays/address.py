"""Addresses: `GAME@57` an event, `@d12` a decision, `@r3` a round, `@l2` a level, `@-5` decisions back, `@start`, `@end`."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from ..domain.errors import BadAddress

Kind = Literal["event", "decision", "round", "level", "back", "start", "end"]

PLACES = "@57 (event), @d12 (decision), @r3 (round), @l2 (level), @-5 (decisions back), @start, @end"
"""What an address may look like, for messages."""

_FORM = re.compile(
    r"(?:(?P<event>\d+)|d(?P<decision>\d+)|l(?P<level>\d+)(?:r(?P<within>\d+))?|r(?P<round>\d+)|-(?P<back>\d+)"
    r"|(?P<word>start|end))\Z"
)
_LETTERS = {"event": "", "decision": "d", "round": "r", "level": "l", "back": "-"}


class Address(msgspec.Struct, frozen=True):
    """A game as it was named (empty: the one at hand) and a place in it.

    `round` is that of a level (`@l2r3`), None for the level's start.
    """

    game: str
    kind: Kind = "end"
    number: int = 0
    round: int | None = None

    def __str__(self) -> str:
        letter = _LETTERS.get(self.kind)
        within = "" if self.round is None else f"r{self.round}"
        return f"{self.game}@{self.kind}" if letter is None else f"{self.game}@{letter}{self.number}{within}"


def parse_address(text: str) -> Address:
    """Return the address a text stands for; raises BadAddress, saying what an address looks like."""
    game, at, place = text.partition("@")
    if not text.strip():
        raise BadAddress("The name of the game is empty: type `last` for the game that was changed last.")
    if not at:
        return Address(game)
    match = _FORM.match(place.strip().lower())
    if match is None:
        raise BadAddress(f"'@{place}' is no place in a game. Use {PLACES.replace(', @end', ' or @end')}.")
    found = {name: value for name, value in match.groupdict().items() if value is not None}
    if "word" in found:
        return Address(game, found["word"])  # type: ignore[arg-type]
    if max(map(len, found.values())) > 12:
        raise BadAddress(f"'@{place}' is too large a number for a place in a game.")
    within = found.pop("within", None)
    (kind, number), *_ = found.items()
    return Address(game, kind, int(number), None if within is None else int(within))  # type: ignore[arg-type]
