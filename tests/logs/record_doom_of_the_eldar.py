"""Records the two `doom-of-the-eldar-*-format-1.tape.jsonl` and their stories: whole games, one for each winner.

python tests/logs/record_doom_of_the_eldar.py

The moves are those of `tests/doom_of_the_eldar/expected`, with second thoughts. Only for as long as format 1 is not
released: after that the files are never written again, whatever the rules become.
"""

from __future__ import annotations

import sys
from pathlib import Path

import warptape

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "doom_of_the_eldar"))

from expected_games import KEPT
from recording import FixedDesk, Moves, keep

HERE = Path(__file__).parent
PEOPLE = {"eldar": "Ann", "tyranid": "Ben"}


def eldar() -> warptape.Game:
    """The Eldar win: set up by hand at first; what is taken back, the other has to agree to."""
    store = warptape.Store(":memory:", FixedDesk("he2345678a"))
    game = KEPT.new("eldar", store=store, name="The short siege", undo="consent", person="Ann")
    moves = Moves(game, KEPT.moves("eldar"), PEOPLE)
    game.act("set shrine AVA", seat="eldar", person="Ann")
    game.act("set n1 GHO WSH1", seat="eldar", person="Ann")
    moves.up_to("tyranid", "mv")
    moves.act(2)
    game.ask_undo("tyranid", person="Ben")
    game.consent("eldar", True, person="Ann")
    game.act("mv #07 n1", seat="tyranid", person="Ben")
    game.ask_undo("tyranid", person="Ben")
    game.consent("eldar", True, person="Ann")
    game.act("mv #07 n6", seat="tyranid", person="Ben")
    moves.up_to("eldar", "use")
    game.note("Where are they all going?", seat="eldar", person="Ann")
    moves.up_to("eldar", "fight")
    moves.act()
    game.ask_undo("eldar", person="Ann")
    game.consent("tyranid", False, person="Ben")
    moves.all()
    return game


def tyranid() -> warptape.Game:
    """The Tyranids win: a rewind, what might have been, and a mine that was given another order."""
    store = warptape.Store(":memory:", FixedDesk("ty2345678a"))
    game = KEPT.new("tyranid", store=store, name="The long war", undo="free", person="Ben")
    moves = Moves(game, KEPT.moves("tyranid"), PEOPLE)
    moves.up_to("tyranid", "mine")
    game.act("mine 5", seat="tyranid", person="Ben")
    game.undo(person="Ben", reason="three will do")
    moves.up_to("tyranid", "mv PR")
    here = game.tip
    game.rewind("@r2", person="Ann", reason="what if the fleet had stayed at home?")
    game.run({"eldar": "random", "tyranid": "random"}, 20)
    game.rewind(here, person="Ben", reason="it would not have helped")
    game.note("The Protoid is full grown now.", person="Ben")
    moves.up_to("eldar", "mv")
    moves.act()
    game.undo(person="Ann")
    game.redo(person="Ann")
    moves.all()
    return game


if __name__ == "__main__":
    for winner, game in (("eldar", eldar()), ("tyranid", tyranid())):
        keep(game, winner, HERE / f"doom-of-the-eldar-{winner}-format-1.tape.jsonl")
