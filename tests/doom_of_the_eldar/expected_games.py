"""Two fixed games, one for each winner: their moves, and how they are told, which no later version may change unseen.

    python tests/doom_of_the_eldar/expected_games.py           plays the moves that are kept and prints the stories
    python tests/doom_of_the_eldar/expected_games.py --write   keeps the stories of the moves that are kept
    python tests/doom_of_the_eldar/expected_games.py --anew    has the bots play both games again, and keeps all of it

A line of moves is a seat and what it does. The stories are told as the owner of the log knows the game, and one of them
once more as the Eldar know it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import warptape
from warptape.domain.events import ActionTaken

HERE = Path(__file__).parent / "expected"
GAMES = {"eldar": "gold 5", "tyranid": "gold 4"}
"""The seed of the game that each seat wins."""
STORIES = {"eldar_wins": ("eldar", None), "eldar_wins_as_the_eldar_know_it": ("eldar", "eldar"), "tyranid_wins": ("tyranid", None)}  # fmt: skip
"""Each story: the winner of its game, and the seat that it is told to."""


def new(winner: str) -> warptape.Game:
    """Open one of the games."""
    return warptape.Store(":memory:").new("doom-of-the-eldar", seed=GAMES[winner], name=f"{winner.title()} victory")


def moves(winner: str) -> list[tuple[str, str]]:
    """The moves of a game that are kept: seat and line."""
    lines = (HERE / f"{winner}_wins.moves").read_text(encoding="utf-8").splitlines()
    return [(seat, line) for seat, _, line in (line.partition(" ") for line in lines)]


def play(winner: str) -> warptape.Game:
    """Play the moves of a game that are kept."""
    game = new(winner)
    for seat, line in moves(winner):
        game.act(line, seat=seat)
    return game


def anew(winner: str) -> list[str]:
    """Have the bots play a game, and return its moves."""
    game, lines = new(winner), []
    while game.decision is not None:
        before = game.state.copy()
        head = next(e for e in game.run({"eldar": "sensible", "tyranid": "sensible"}, 1) if isinstance(e, ActionTaken))
        lines.append(f"{head.seat} {game.ruleset.notation(before, head.action)}")
    return lines


if __name__ == "__main__":
    if "--anew" in sys.argv:
        for name in GAMES:
            (HERE / f"{name}_wins.moves").write_text("".join(f"{line}\n" for line in anew(name)), encoding="utf-8")
    for name, (winner, seat) in STORIES.items():
        story = play(winner).transcript("txt", seat=seat)
        if {"--anew", "--write"} & {*sys.argv}:
            (HERE / f"{name}.txt").write_text(story, encoding="utf-8")
        else:
            print(story)
