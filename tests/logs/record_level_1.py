"""Records `space-marine-adventures-format-1.tape.jsonl` and its story: a whole game, some of it played by hand.

python tests/logs/record_level_1.py

Only for as long as format 1 is not released: after that the file is never written again, whatever the rules become.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import warptape
from warptape.replays.writing import Desk

FILE = Path(__file__).parent / "space-marine-adventures-format-1.tape.jsonl"


class FixedDesk(Desk):
    """A clock that ticks once a look, and one id."""

    ticks = 0

    def now(self) -> str:
        self.ticks += 1
        return (datetime(2025, 1, 1, 19) + timedelta(seconds=7 * self.ticks)).isoformat(timespec="milliseconds") + "Z"

    def new_id(self) -> str:
        return "hu1k234567"


def record() -> warptape.Game:
    """Play the game: setting up by hand with second thoughts, then the bot, with three turns by hand."""
    store = warptape.Store(":memory:", FixedDesk())
    game = store.new("space-marine-adventures", seed="cargo 34", name="Cargo Heart", person="Ann")
    for line in ("board 1-down", "enter B", "squad MAX ADR LUK VOR"):
        game.act(line, person="Ann")
    game.undo(person="Ben", reason="Raphael knows this ship")
    game.act("squad MAX ADR RAP VOR", person="Ben")
    game.note("Raphael goes first: he has to be near them to hurt them.", person="Ben")
    game.act("deploy RAP=V1 MAX=V2 ADR=V3 VOR=V4", person="Ann")
    game.act("equip MAX=SP-14", person="Ann")
    game.run({"team": "sensible"}, 45)
    bold = game.act("at h6", person="Ann")
    game.undo(person="Ben", reason="the console first")
    game.act("mv g7", person="Ben")
    game.undo(person="Ann", reason="he shoots as well as before")
    again = game.act("at h6", person="Ann")
    assert again.events[1:] == bold.events[1:], "the dice are the same"
    game.undo(person="Ben")
    game.redo(person="Ann")
    game.run({"team": "sensible"}, 6)
    here = game.tip
    game.rewind("@r2", person="Ben", reason="what if we had hurried?")
    game.run({"team": "random"}, 12)
    game.rewind(here, person="Ann", reason="no")
    game.note("Hurrying would not have helped.", person="Ann")
    game.run({"team": "sensible"})
    return game


def main() -> None:
    """Write the file and the story beside it."""
    game = record()
    assert game.outcome is not None, "the game is not over"
    FILE.unlink(missing_ok=True)
    game.export(FILE)
    story = game.transcript("txt", variations=True)
    FILE.with_name(f"{FILE.name}.txt").write_text(story, encoding="utf-8")
    print(f"{game.length} events, {game.outcome.words or game.outcome.result}: {game.outcome.reason}.")


if __name__ == "__main__":
    main()
