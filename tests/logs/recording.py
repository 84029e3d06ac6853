"""What the scripts share that record logs of kept games: a clock and ids that come out the same, moves taken bit by bit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import warptape
from warptape.replays.writing import Desk


class FixedDesk(Desk):
    """A clock that ticks once a look, and one id a game."""

    def __init__(self, name: str) -> None:
        self.name, self.ticks = name, 0

    def now(self) -> str:
        self.ticks += 1
        return (datetime(2025, 1, 3, 19) + timedelta(seconds=7 * self.ticks)).isoformat(timespec="milliseconds") + "Z"

    def new_id(self) -> str:
        return self.name


class Moves:
    """The moves of a kept game that are still to be taken, by the people who play its seats."""

    def __init__(self, game: warptape.Game, moves: list[tuple[str, str]], people: Mapping[str, str]) -> None:
        self.game, self.left, self.people = game, list(moves), people

    def act(self, count: int = 1) -> None:
        """Take so many of the moves that are left."""
        for seat, line in self.left[:count]:
            self.game.act(line, seat=seat, person=self.people[seat])
        del self.left[:count]

    def up_to(self, seat: str, start: str) -> None:
        """Take the moves before the next one of a seat that begins so."""
        self.act(next(number for number, move in enumerate(self.left) if move[0] == seat and move[1].startswith(start)))

    def all(self) -> None:
        """Take all that are left."""
        self.act(len(self.left))


def keep(game: warptape.Game, winner: str, file: Path) -> None:
    """Write a finished game into a file, and its story beside it."""
    assert game.outcome is not None, "the game is not over"
    assert game.outcome.result == winner
    file.unlink(missing_ok=True)
    game.export(file)
    story = game.transcript("txt", variations=True)
    file.with_name(f"{file.name}.txt").write_text(story, encoding="utf-8")
    print(f"{game.length} events, {winner} {game.outcome.words}: {game.outcome.reason}.")
