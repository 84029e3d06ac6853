"""Recorded `lanterns-1.tape.jsonl` and the story beside it, by version 1 of the test ruleset Lanterns.

PYTHONPATH=tests/replays python tests/logs/older/record_lanterns_1.py

The file is never written again: it is a log of an older schema, which every later version must read.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import lanterns_1

import warptape
from warptape.domain import rules
from warptape.replays.writing import Desk

FILE = Path(__file__).parent / "lanterns-1.tape.jsonl"


class FixedDesk(Desk):
    """A clock that ticks once a look, and one id."""

    ticks = 0

    def now(self) -> str:
        self.ticks += 1
        return (datetime(2025, 3, 1, 20) + timedelta(seconds=9 * self.ticks)).isoformat(timespec="milliseconds") + "Z"

    def new_id(self) -> str:
        return "lantern234"


def record() -> warptape.Game:
    """Play six of eight rounds, with a take-back, a note, and a dare that nobody has answered yet."""
    rules._loaded["lanterns"] = lanterns_1.Lanterns1()
    store = warptape.Store(":memory:", FixedDesk())
    game = store.new("lanterns", seed="paper moon", name="Paper Moon", options={"rounds": 8}, undo="free", person="Ann")
    for line in ("bet 2", "yes", "bet 3", "no", "rest"):
        game.act(line)
    game.undo(person="Ben", reason="not yet")
    for line in ("bet 1", "yes", "rest", "bet 2", "yes"):
        game.act(line)
    game.note("Two rounds to go.", person="Ann")
    game.act("bet 3")
    return game


if __name__ == "__main__":
    game = record()
    if FILE.exists():
        raise SystemExit(f"{FILE} is kept as it was recorded.")
    game.export(FILE, with_secret=True)
    print(f"{game.length} events.")
