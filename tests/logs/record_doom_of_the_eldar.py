"""Records the two `doom-of-the-eldar-*-format-1.tape.jsonl` and their stories: whole games, one for each winner.

python tests/logs/record_doom_of_the_eldar.py

The moves are those of `tests/doom_of_the_eldar/expected`, with second thoughts. Only for as long as format 1 is not
released: after that the files are never written again, whatever the rules become.
"""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path

import warptape
from warptape.replays.writing import Desk

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "doom_of_the_eldar"))
PEOPLE = {"eldar": "Ann", "tyranid": "Ben"}


class FixedDesk(Desk):
    """A clock that ticks once a look, and one id a game."""

    def __init__(self, name: str) -> None:
        self.name, self.ticks = name, 0

    def now(self) -> str:
        self.ticks += 1
        return (datetime(2025, 1, 3, 19) + timedelta(seconds=7 * self.ticks)).isoformat(timespec="milliseconds") + "Z"

    def new_id(self) -> str:
        return self.name


def act(game: warptape.Game, moves: list[tuple[str, str]], count: int) -> None:
    """Take so many of the moves that are left."""
    for seat, line in moves[:count]:
        game.act(line, seat=seat, person=PEOPLE[seat])
    del moves[:count]


def until(moves: list[tuple[str, str]], seat: str, start: str) -> int:
    """The number of moves before the next one of a seat that begins so."""
    return next(number for number, move in enumerate(moves) if move[0] == seat and move[1].startswith(start))


def eldar() -> warptape.Game:
    """The Eldar win: set up by hand at first; what is taken back, the other has to agree to."""
    import expected_games

    store = warptape.Store(":memory:", FixedDesk("he2345678a"))
    game = store.new(
        "doom-of-the-eldar", seed=expected_games.GAMES["eldar"], name="The short siege", undo="consent", person="Ann"
    )
    moves = expected_games.moves("eldar")
    game.act("set shrine AVA", seat="eldar", person="Ann")
    game.act("set n1 GHO WSH1", seat="eldar", person="Ann")
    act(game, moves, until(moves, "tyranid", "mv"))
    act(game, moves, 2)
    game.ask_undo("tyranid", person="Ben")
    game.consent("eldar", True, person="Ann")
    game.act("mv #07 n1", seat="tyranid", person="Ben")
    game.ask_undo("tyranid", person="Ben")
    game.consent("eldar", True, person="Ann")
    game.act("mv #07 n6", seat="tyranid", person="Ben")
    act(game, moves, until(moves, "eldar", "use"))
    game.note("Where are they all going?", seat="eldar", person="Ann")
    act(game, moves, until(moves, "eldar", "fight"))
    act(game, moves, 1)
    game.ask_undo("eldar", person="Ann")
    game.consent("tyranid", False, person="Ben")
    act(game, moves, len(moves))
    return game


def tyranid() -> warptape.Game:
    """The Tyranids win: a rewind, what might have been, and a mine that was given another order."""
    import expected_games

    store = warptape.Store(":memory:", FixedDesk("ty2345678a"))
    game = store.new(
        "doom-of-the-eldar", seed=expected_games.GAMES["tyranid"], name="The long war", undo="free", person="Ben"
    )
    moves = expected_games.moves("tyranid")
    act(game, moves, until(moves, "tyranid", "mine"))
    game.act("mine 5", seat="tyranid", person="Ben")
    game.undo(person="Ben", reason="three will do")
    act(game, moves, until(moves, "tyranid", "mv PR"))
    here = game.tip
    game.rewind("@r2", person="Ann", reason="what if the fleet had stayed at home?")
    game.run({"eldar": "random", "tyranid": "random"}, 20)
    game.rewind(here, person="Ben", reason="it would not have helped")
    game.note("The Protoid is full grown now.", person="Ben")
    act(game, moves, until(moves, "eldar", "mv"))
    act(game, moves, 1)
    game.undo(person="Ann")
    game.redo(person="Ann")
    act(game, moves, len(moves))
    return game


def main() -> None:
    """Write the files and the stories beside them."""
    for winner, game in (("eldar", eldar()), ("tyranid", tyranid())):
        assert game.outcome is not None, "the game is not over"
        assert game.outcome.result == winner
        file = HERE / f"doom-of-the-eldar-{winner}-format-1.tape.jsonl"
        file.unlink(missing_ok=True)
        game.export(file)
        story = game.transcript("txt", variations=True)
        file.with_name(f"{file.name}.txt").write_text(story, encoding="utf-8")
        print(f"{game.length} events, {winner} {game.outcome.words}: {game.outcome.reason}.")


if __name__ == "__main__":
    main()
