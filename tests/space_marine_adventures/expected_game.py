"""A fixed game: its lines of notation, and the bytes of its events, which no later version may change.

    python tests/space_marine_adventures/expected_game.py           plays the lines and prints the events
    python tests/space_marine_adventures/expected_game.py --write   keeps them as what is expected

The digest of the content is left out: the texts of other levels may change without changing this game. So are the version
and options at their default: a later one may have more of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from warptape.domain.chance import Fate
from warptape.domain.events import GameOpened
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.state import Options

HERE = Path(__file__).parent / "expected"
LINES = HERE / "level_1.txt"
EVENTS = HERE / "level_1.jsonl"
SEED = "the fixed game"


def lines() -> list[str]:
    """The lines of notation of the game."""
    return LINES.read_text(encoding="utf-8").splitlines()


def play() -> Match:
    """Play the lines."""
    match = Match(RULESET, Fate(SEED))
    for line in lines():
        match.act(line)
    return match


def rows(match: Match) -> bytes:
    """The events of a match, a line of JSON each."""
    opening, *rest = match.events
    assert isinstance(opening, GameOpened)
    events = [msgspec.structs.replace(opening, content=""), *rest]
    return plain(b"".join(msgspec.json.encode(event) + b"\n" for event in events))


def kept() -> bytes:
    """The events that are expected."""
    return plain(EVENTS.read_bytes())


def plain(rows: bytes) -> bytes:
    """Rows without the version in the opening and its options that are at their default."""
    first, _, rest = rows.partition(b"\n")
    opening = msgspec.json.decode(first)
    default = msgspec.to_builtins(Options())
    del opening["version"]
    opening["options"] = {name: value for name, value in opening["options"].items() if value != default[name]}
    return msgspec.json.encode(opening) + b"\n" + rest


if __name__ == "__main__":
    if "--write" in sys.argv:
        EVENTS.write_bytes(rows(play()))
    else:
        sys.stdout.buffer.write(rows(play()))
