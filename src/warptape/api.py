"""The Python surface: `open`, `Store`, `Game` and `Position`, thin façades over the rooms."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from .projections.boards import draw, picture
from .replays.crashes import UserDesk
from .replays.game import Game as RecordedGame
from .replays.library import Library
from .replays.tape import Position as TapePosition

if TYPE_CHECKING:
    from .projections.archive import Archive, Followed
    from .replays.address import Address
    from .replays.reported import BugReport
    from .replays.reproduce import Reproduction
    from .replays.shrink import Shrunk


class Position(TapePosition):
    """A game as it stood after one event, with its board: `state`, `decision`, `outcome`, `board()`."""

    def board(self, seat: str | None = None) -> Any:
        """Return the drawing of the position, as the owner or one seat sees it.

        A Scene: print it, or take its `.svg()`, `.html()` or `.text()`; notebooks show it by themselves.
        """
        return draw(self.ruleset, self.shown(seat), self.title)

    def _repr_html_(self) -> str:
        return str(self.board().html())


class Game(RecordedGame):
    """A recorded game to read and to play on; see the methods."""

    position_type: ClassVar[type[TapePosition]] = Position

    def board(self, seat: str | None = None) -> Any:
        """Return the drawing of the game as it stands now."""
        return draw(self.ruleset, self.at().view(seat), self.at().title)

    def report(
        self,
        path: str | os.PathLike[str],
        at: int | str | Address | None = None,
        *,
        message: str = "",
        action: str = "",
        seat: str | None = None,
        outcomes: Sequence[str] = (),
    ) -> Path:
        """Write a bug report that plays: the log up to a position or address, and what is wrong there; returns the path.

        With an `action`, in notation, it says what the rules make of it there; without one it is about the position, or
        about the event where `at` names one that followed from a decision. A `seat` makes it what that seat knows.
        `outcomes` are the results of an action where people enter them. Nothing is recorded, and nothing personal is
        in the file. Raises BadAddress, NotAllowed, NeedsOutcome, ImpossibleOutcome, StoreError.
        """
        from .replays.report import report

        return report(self, path, at, message=message, action=action, seat=seat, outcomes=outcomes, draw=picture)

    def __repr__(self) -> str:
        return f"<Game {self.name!r} of {self.ruleset.id} @{self.tip}>"

    def _repr_html_(self) -> str:
        return str(self.board().html())


class Store(Library[Game]):
    """The games of one store: `new`, `game`, `games`, `load`; a context manager that closes it."""

    game_type: ClassVar[type[RecordedGame]] = Game

    def archive(self, path: str | os.PathLike[str], *, jobs: int = 1) -> Followed:
        """Put all games into the archive at a path, made where it is missing, or what is new since the last time.

        `jobs` processes share the work, where others can open the store too. Returns what was changed, and in `failed` which
        games could not be read. Raises StoreError when the archive cannot be written.
        """
        from .projections.archive import Archive, StoreSource

        with Archive(path) as made:
            return made.follow(StoreSource(self.store, "" if "://" in self.store.name else self.store.name), jobs=jobs)


def open(url: str | os.PathLike[str]) -> Store:
    """Open the store at a path or URL (`games.db`, `:memory:`, `postgresql://…`), and make it where it is missing.

    When the engine fails on an action in it, a report writes itself into the user's data folder, or where the
    environment variable `WARPTAPE_REPORTS` says (`off`: nowhere). Raises StoreError, saying what is in the way.
    """
    return Store(url, UserDesk())


def archive(path: str | os.PathLike[str]) -> Archive:
    """Open an archive that `Store.archive` or `warptape archive build` made, to ask it questions: it cannot be written.

    A context manager that closes it. Raises StoreError when there is none, or another version made it.
    """
    from .projections.archive import Archive

    return Archive(path, readonly=True)


def read_report(path: str | os.PathLike[str]) -> BugReport:
    """Return what a bug report says; raises BadLog for a damaged file and for a log that is no report."""
    from .replays.report import read_report as read

    return read(path)


def reproduce(path: str | os.PathLike[str]) -> Reproduction:
    """Run the bug report in a file with the installed ruleset: is the failure reproduced, gone, or another one?

    Raises BadLog for a damaged file and for a log that is no report, UnknownRuleset.
    """
    from .replays.reproduce import reproduce as run

    return run(path, picture)


def shrink(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    predicate: Callable[[Path], bool] | None = None,
) -> Shrunk:
    """Write a report with fewer decisions that still fails in the same way, chance kept as it was recorded.

    `predicate` says of a candidate's file whether it still fails (default: whether the reported failure comes again).
    Raises BadLog, NotAllowed for a report that does not fail today or holds what one seat knew of a game with secrets.
    """
    from .replays.shrink import shrink as run

    return run(path, output, predicate=predicate, draw=picture)
