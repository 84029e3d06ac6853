"""The Python surface: `open`, `Store`, `Game` and `Position`, thin façades over the rooms."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from .projections.boards import draw
from .replays.game import Game as RecordedGame
from .replays.library import Library
from .replays.tape import Position as TapePosition


class Position(TapePosition):
    """A game as it stood after one event, with its board: `state`, `decision`, `outcome`, `board()`."""

    def board(self, seat: str | None = None) -> Any:
        """Return the drawing of the position, as the owner or one seat sees it.

        A Scene: print it, or take its `.svg()`, `.html()` or `.text()`; notebooks show it by themselves.
        """
        return draw(self.ruleset, self.view(seat), self.title)

    def _repr_html_(self) -> str:
        return str(self.board().html())


class Game(RecordedGame):
    """A recorded game to read and to play on; see the methods."""

    position_type: ClassVar[type[TapePosition]] = Position

    def board(self, seat: str | None = None) -> Any:
        """Return the drawing of the game as it stands now."""
        return draw(self.ruleset, self.at().view(seat), self.at().title)

    def __repr__(self) -> str:
        return f"<Game {self.name!r} of {self.ruleset.id} @{self.tip}>"

    def _repr_html_(self) -> str:
        return str(self.board().html())


class Store(Library[Game]):
    """The games of one store: `new`, `game`, `games`, `load`; a context manager that closes it."""

    game_type: ClassVar[type[RecordedGame]] = Game


def open(url: str | os.PathLike[str]) -> Store:
    """Open the store at a path or URL (`games.db`, `:memory:`, `postgresql://…`), and make it where it is missing.

    Raises StoreError, saying what is in the way.
    """
    return Store(url)
