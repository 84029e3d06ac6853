"""Plays a game as the first line of a file of expected bytes says, and prints that line and the bytes of its events.

Usage: playing.py FILE. The line is JSON: `ruleset`, `seed`, and what is wanted of `options`, `seats`, `undo`, `actions`
(notation, or `/undo`, `/redo`, `/rewind PLACE`, `/reroll SEED`, `/note TEXT`) and `bots` by seat, which then play on.
A new file needs only that line: `playing.py FILE > NEW` writes the rest.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from replay_model import bare_bytes

from warptape.replays.game import Game
from warptape.replays.library import Library


def play(plan: dict[str, Any]) -> bytes:
    """The bytes of all events of the game, one a line, times and digests aside."""
    with Library[Game](":memory:") as library:
        game = library.new(
            plan["ruleset"],
            seed=plan["seed"],
            options=plan.get("options"),
            seats=plan.get("seats"),
            undo=plan.get("undo", ""),
        )
        for text in plan.get("actions", []):
            word, _, rest = text.partition(" ")
            if word == "/undo":
                game.undo()
            elif word == "/redo":
                game.redo()
            elif word == "/rewind":
                game.rewind(rest)
            elif word == "/reroll":
                game.reroll(rest)
            elif word == "/note":
                game.note(rest)
            else:
                game.act(text)
        if plan.get("bots"):
            game.run(plan["bots"])
        return bare_bytes(game.rows())


if __name__ == "__main__":
    first = Path(sys.argv[1]).read_bytes().partition(b"\n")[0]
    sys.stdout.buffer.write(first + b"\n" + play(json.loads(first)))
