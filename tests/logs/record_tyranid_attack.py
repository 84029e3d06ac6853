"""Records the two `tyranid-attack-*-format-1.tape.jsonl` and their stories: whole games, one for each winner.

python tests/logs/record_tyranid_attack.py

The moves are those of `tests/tyranid_attack/expected`, with second thoughts. Only for as long as format 1 is not released:
after that the files are never written again, whatever the rules become.
"""

from __future__ import annotations

import sys
from pathlib import Path

import warptape

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent / "tyranid_attack"))

from hive_games import KEPT
from recording import FixedDesk, Moves, keep

HERE = Path(__file__).parent
PEOPLE = {"marines": "Ann", "tyranid": "Ben"}


def marines() -> warptape.Game:
    """The Marines win: what is taken back after something was shown, the other has to agree to."""
    store = warptape.Store(":memory:", FixedDesk("sm2345678a"))
    game = KEPT.new("templates", store=store, name="The rolling ship", undo="consent", person="Ann")
    moves = Moves(game, KEPT.moves("templates"), PEOPLE)
    moves.up_to("marines", "use")
    game.act("use SC2", seat="marines", person="Ann")
    game.undo("marines", person="Ann")
    moves.act(2)
    game.ask_undo("marines", person="Ann")
    game.consent("tyranid", False, person="Ben")
    game.note("The Nexus, at once: what luck.", seat="marines", person="Ann")
    moves.up_to("tyranid", "roll")
    moves.act()
    game.ask_undo("tyranid", person="Ben")
    game.consent("marines", True, person="Ann")
    game.act("roll", seat="tyranid", person="Ben")
    moves.up_to("marines", "order")
    moves.act()
    game.undo("marines", person="Ann")
    game.redo("marines", person="Ann")
    moves.all()
    return game


def tyranid() -> warptape.Game:
    """The Tyranids win against a party that was bought: a rewind, and what might have been."""
    store = warptape.Store(":memory:", FixedDesk("tr2345678a"))
    game = KEPT.new("no_marines", store=store, name="Three against the ship", undo="free", person="Ben")
    moves = Moves(game, KEPT.moves("no_marines"), PEOPLE)
    game.act("buy scout 3", seat="marines", person="Ann")
    game.undo(person="Ann", reason="a Commander is worth five")
    moves.up_to("tyranid", "fight")
    moves.act()
    here = game.tip
    game.rewind("@r1", person="Ann", reason="what if they had stayed together?")
    game.run({"marines": "random", "tyranid": "random"}, 20)
    game.rewind(here, person="Ben", reason="it would not have helped")
    game.note("Two are left.", person="Ben")
    moves.up_to("tyranid", "follow")
    moves.act()
    game.undo(person="Ben")
    game.redo(person="Ben")
    moves.all()
    return game


if __name__ == "__main__":
    for winner, game in (("marines", marines()), ("tyranid", tyranid())):
        keep(game, winner, HERE / f"tyranid-attack-{winner}-format-1.tape.jsonl")
