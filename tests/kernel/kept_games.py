"""Fixed games: their moves, and how they are told, which no later version may change unseen.

A module of a game lists its games and calls `main`: without options it plays the moves that are kept and prints the stories,
with `--write` it keeps those stories, with `--anew` the players play all games again and everything is kept. A line of moves
is a seat and what it does. Stories are told as the owner of the log knows the game, or as a seat does.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from laws import Chooser

import warptape
from warptape.domain.chance import Luck
from warptape.domain.events import ActionTaken


class Kept(NamedTuple):
    """A game that is kept: the stem of its file, seed, name, options, and who plays each seat when it is played anew."""

    stem: str
    seed: str
    name: str
    players: Mapping[str, str | Chooser]
    options: Mapping[str, str] = {}


class KeptGames:
    """The kept games of a ruleset in a folder, by names of their own.

    `stories` gives by the stem of a file the game that it tells, and the seat that it is told to (None: to the owner).
    """

    def __init__(
        self, ruleset: str, folder: Path, games: Mapping[str, Kept], stories: Mapping[str, tuple[str, str | None]]
    ) -> None:
        self.ruleset, self.folder, self.games, self.stories = ruleset, folder, games, stories
        self._played: dict[str, warptape.Game] = {}

    def new(self, which: str, **given: Any) -> warptape.Game:
        """Open one of the games."""
        kept = self.games[which]
        how = {"name": kept.name, "seed": kept.seed, "options": dict(kept.options), **given}
        store = how.pop("store", None) or warptape.Store(":memory:")
        game: warptape.Game = store.new(self.ruleset, **how)
        return game

    def moves(self, which: str) -> list[tuple[str, str]]:
        """The moves of a game that are kept: seat and line."""
        lines = (self.folder / f"{self.games[which].stem}.moves").read_text(encoding="utf-8").splitlines()
        return [(seat, line) for seat, _, line in (line.partition(" ") for line in lines)]

    def play(self, which: str) -> warptape.Game:
        """Play the moves of a game that are kept; it is played once, and whoever asks for it leaves it as it is."""
        if which not in self._played:
            game = self._played[which] = self.new(which)
            for seat, line in self.moves(which):
                game.act(line, seat=seat)
        return self._played[which]

    def anew(self, which: str) -> list[str]:
        """Have the players of a game play it, and return its moves."""
        game, lines, luck = self.new(which), list[str](), Luck(self.games[which].seed, "players")
        while game.decision is not None:
            before = game.state.copy()
            player = self.games[which].players[game.decision.seat]
            events: Sequence[Any]
            if callable(player):
                events = game.act(player(game, luck)).events  # type: ignore[arg-type]  # it has what a player looks at
            else:
                events = game.run({game.decision.seat: player}, 1)
            head = next(event for event in events if isinstance(event, ActionTaken))
            lines.append(f"{head.seat} {game.ruleset.notation(before, head.action)}")
        return lines

    def told(self, name: str) -> str:
        """A story as it is told now."""
        which, seat = self.stories[name]
        return self.play(which).transcript("txt", seat=seat)

    def was_told(self, name: str) -> str:
        """A story as it is kept."""
        return (self.folder / f"{name}.txt").read_text(encoding="utf-8")

    def main(self) -> None:
        """Print the stories, keep them (`--write`), or have all games played anew first (`--anew`)."""
        if "--anew" in sys.argv:
            self.folder.mkdir(exist_ok=True)
            for which, kept in self.games.items():
                lines = "".join(f"{line}\n" for line in self.anew(which))
                (self.folder / f"{kept.stem}.moves").write_text(lines, encoding="utf-8")
        for name in self.stories:
            story = self.told(name)
            if {"--anew", "--write"} & {*sys.argv}:
                (self.folder / f"{name}.txt").write_text(story, encoding="utf-8")
            else:
                print(story)
