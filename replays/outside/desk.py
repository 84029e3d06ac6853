"""The desk of a person who may start programs: it says which of them sits at which seat.

This is the only place that gives a game a program. A desk of another kind, such as that of a service, gives none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ..crashes import UserDesk

if TYPE_CHECKING:
    from pathlib import Path

    from .commands import Kept
    from .players import Pace, Player
    from .process import Command

LOG = "WARPTAPE_BOT_LOG"
"""The environment variable that names a file to which everything is added that programs are told and say."""


class ProgramDesk(UserDesk):
    """A desk with programs: those that this user has given to a game, or those given to every game.

    `everywhere` by seat holds for all games; without it commands are kept in `folder` (default: the user's own).
    """

    def __init__(self, everywhere: Mapping[str, Command] | None = None, folder: Path | None = None) -> None:
        self.pace: Pace | None = None
        self._everywhere = everywhere
        self._folder = folder
        self._commands: dict[str, dict[str, Command]] = {}
        self._players: dict[tuple[str, str], Player] = {}

    @property
    def _kept(self) -> Kept:
        from .commands import Kept, user_folder

        return Kept(self._folder or user_folder())

    def _of(self, game: str) -> Mapping[str, Command]:
        if self._everywhere is not None:
            return self._everywhere
        if game not in self._commands:
            self._commands[game] = self._kept.of(game)
        return self._commands[game]

    def player(self, game: str, seat: str) -> Player | None:
        """Return the program at a seat of a game; None where there is none, or where it was given up."""
        command = self._of(game).get(seat)
        if command is None:
            return None
        key = ("" if self._everywhere is not None else game, seat)
        player = self._players.get(key)
        if player is None:
            from .players import Pace, Player

            player = self._players[key] = Player(seat, command, self.pace or Pace(), _log)
        return None if player.given_up == game else player

    def seat(self, game: str, commands: Mapping[str, Command | None]) -> None:
        """Give programs to seats of a game, or (None) take them away, for this user and from now on; raises StoreError."""
        wanted = {**self._of(game)}
        for seat, command in commands.items():
            self._leave(game, seat)
            if command is None:
                wanted.pop(seat, None)
            else:
                wanted[seat] = command
        self._commands[game] = wanted
        self._kept.put(game, wanted)

    def inherit(self, parent: str, game: str, seats: Mapping[str, str]) -> None:
        """Give a fork the programs of its parent, for the seats that are still held by them; raises StoreError."""
        from ..takeback import EXEC

        found = {seat: one for seat, one in self._of(parent).items() if seats.get(seat) == EXEC + one.name}
        if found:
            self.seat(game, found)

    def forget(self, game: str) -> None:
        """Forget the programs of a game that was deleted."""
        self._commands.pop(game, None)
        self._kept.put(game, {})

    def _leave(self, game: str, seat: str) -> None:
        player = self._players.pop((game, seat), None)
        if player is not None:
            player.close()

    def close(self) -> None:
        """End all programs."""
        players, self._players = list(self._players.values()), {}
        for player in players:
            player.close()


def _log(seat: str, sign: str, line: bytes) -> None:
    """Add a line to the log that the user asked for, if any; a log that cannot be written stops nothing."""
    name = os.environ.get(LOG)
    if name:
        with suppress(OSError), open(name, "ab") as file:
            file.write(f"{seat} {sign} ".encode() + line + b"\n")
