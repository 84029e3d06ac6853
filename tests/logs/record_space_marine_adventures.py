"""Records the two `space-marine-adventures-*-format-1.tape.jsonl*` and their stories: a level, and a campaign of three people.

python tests/logs/record_space_marine_adventures.py

The moves are those of `tests/space_marine_adventures/expected`, with second thoughts. Only for as long as format 1 is not
released: after that the files are never written again, whatever the rules become.
"""

from __future__ import annotations

import sys
from pathlib import Path

import warptape

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "space_marine_adventures"))

from hulk_games import KEPT
from recording import FixedDesk, Moves, keep

HERE = Path(__file__).parent
WAITING = ("next", "end", "next", "pass")


def level() -> warptape.Game:
    """Level 1: another squad at first, a shot that was taken back and taken again, and what might have been."""
    store = warptape.Store(":memory:", FixedDesk("sv2345678a"))
    game = KEPT.new("level_1_all_on_exit", store=store, name="All aboard", undo="free", person="Ann")
    moves = Moves(game, KEPT.moves("level_1_all_on_exit"), {"team": "Ann"})
    moves.up_to("team", "squad")
    game.act("squad MAX ADR LUK VOR", person="Ann")
    game.undo(person="Ben", reason="Raphael knows this ship")
    moves.act()
    game.note("Raphael goes first: he has to be near them to hurt them.", person="Ben")
    moves.up_to("team", "at")
    before = game.tip
    moves.act()
    shot = [event for _, event in game.events(before + 2)]
    game.undo(person="Ben", reason="should he not save his strength?")
    game.act("end", person="Ann")
    game.undo(person="Ann")
    again = game.act("at f10", person="Ann")
    assert list(again.events[1:]) == shot, "the dice are the same"
    game.undo(person="Ben")
    game.redo(person="Ann")
    moves.up_to("team", "con")
    here = game.tip
    game.rewind("@r2", person="Ben", reason="what if we had waited?")
    for line in WAITING:
        game.act(line, person="Ben")
    game.rewind(here, person="Ann", reason="no")
    game.note("Waiting would not have helped.", person="Ann")
    moves.all()
    return game


def campaign() -> warptape.Game:
    """A campaign won by three people who share the squad; they take back the end of a level, and go back to another."""
    store = warptape.Store(":memory:", FixedDesk("sc2345678a"))
    game = KEPT.new("campaign_won", store=store, name="Three ships", undo="free", person="Ann")
    moves = Moves(game, KEPT.moves("campaign_won"), {"team": ""})
    moves.act()
    moves.up_to("team", "board")
    game.undo(person="Cleo", reason="is everybody aboard?")
    game.redo(person="Cleo")
    moves.up_to("team", "call")
    game.act("nocall", person="Ben")
    game.undo(person="Ann", reason="three are not enough for this")
    game.note("Maximus, at last.", person="Ann")
    moves.up_to("team", "board")
    here = game.tip
    game.rewind("@l2r1", person="Ben", reason="somebody was left behind")
    for line in ("next", "end", "next"):
        game.act(line, person="Ben")
    game.rewind(here, person="Cleo", reason="he would have wanted us to go on")
    moves.all()
    return game


if __name__ == "__main__":
    keep(level(), "major", HERE / "space-marine-adventures-level-format-1.tape.jsonl")
    keep(campaign(), "epic_victory", HERE / "space-marine-adventures-campaign-format-1.tape.jsonl.gz")
