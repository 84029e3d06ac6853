"""The Python surface: `open`, `Store`, `Game` and `Position`, thin façades over the rooms."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from .domain.errors import StoreError
from .projections.boards import draw, picture
from .replays.crashes import UserDesk
from .replays.game import Game as RecordedGame
from .replays.library import Library
from .replays.tape import Position as TapePosition

if TYPE_CHECKING:
    from .projections.archive import Archive, Followed
    from .projections.stats import Statistics
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
        return str(self.board()._repr_html_())

    def _repr_svg_(self) -> str:
        return str(self.board().svg())


class Game(RecordedGame):
    """A recorded game to read and to play on; see the methods."""

    position_type: ClassVar[type[TapePosition]] = Position

    def board(self, seat: str | None = None) -> Any:
        """Return the drawing of the game as it stands now."""
        return draw(self.ruleset, self.at().view(seat), self.at().title)

    def page(
        self,
        path: str | os.PathLike[str],
        at: int | str | Address | None = None,
        *,
        seat: str | None = None,
        title: str = "",
        lines: bool = True,
        analysis: Any = None,
    ) -> Path:
        """Write the replay page, one HTML file that shows the game by itself, opened at a position; returns the path.

        With a `seat` it holds what that seat knew and nothing else; of a game that is not over leave it out only where
        whoever gets the file may know everything. See `warptape page` for the rest. Raises BadAddress, NotAllowed, BadLog for
        data that is no analysis, StoreError when the file cannot be written.
        """
        from .projections.page import page
        from .replays.paths import typed

        target = typed(path)
        text = page(self, at=at, seat=seat, title=title, lines=lines, analysis=analysis)
        try:
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            raise StoreError(f"{target} cannot be written: {(error.strerror or str(error)).lower()}.") from error
        return target

    def stats(
        self,
        at: int | str | Address | None = None,
        *,
        only: Collection[str] = (),
        svg: str | os.PathLike[str] | None = None,
    ) -> Statistics:
        """Return what the line that ends at a position says: dice, losses, cards, units, places; print it, or take its parts.

        Of a game with secrets that is not over only what everybody may know counts. `only` names the parts, `svg` is a
        folder to draw them into. Raises BadAddress, NeedsExtra where matplotlib is wanted and missing.
        """
        from .projections.stats.pictures import ask
        from .projections.stats.sources import archived_game

        with archived_game(self, None if at is None else self.locate(at)) as made:
            return ask(made.connection, lambda _: self.ruleset, only=only, svg=svg)

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

    def frame(self, name: str, *, library: str = "") -> Any:
        """Return a table of this game's archive as a data frame of Polars or pandas, as `Store.frame` does of all games."""
        from .projections.dataframes import check, data_frame
        from .projections.stats.sources import archived_game

        check(name, library)
        with archived_game(self) as made:
            return data_frame(made.connection, name, library)

    def __repr__(self) -> str:
        return f"<Game {self.name!r} of {self.ruleset.id} @{self.tip}>"

    def _repr_html_(self) -> str:
        return str(self.board()._repr_html_())

    def _repr_svg_(self) -> str:
        return str(self.board().svg())


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

    def frame(self, name: str, *, library: str = "") -> Any:
        """Return a table or view of the archive of all games as a data frame, such as `rolls`, `games` or `losses_by_unit`.

        It is of Polars or of pandas, whichever is installed (Polars first), or of the `library` named. For many games build an
        archive once and take the frames from that. Raises OptionError for a table that is not there, NotAllowed when neither
        library is installed.
        """
        from .projections.archive import Archive, StoreSource
        from .projections.dataframes import check, data_frame

        check(name, library)
        with Archive(":memory:") as made:
            made.follow(StoreSource(self.store))
            return data_frame(made.connection, name, library)

    def _repr_html_(self) -> str:
        from .projections.notebooks import shelf_html

        return shelf_html(self.games())

    def stats(
        self,
        *,
        ruleset: str | None = None,
        options: Mapping[str, str] | None = None,
        seats: Mapping[str, str] | None = None,
        only: Collection[str] = (),
        svg: str | os.PathLike[str] | None = None,
        jobs: int = 1,
    ) -> Statistics:
        """Return what all games say, as `warptape.archive(…).stats` does: for many games make an archive, which is faster.

        Games that cannot be read are left out. Raises UnknownGame when no game is left to count.
        """
        from .projections.archive import StoreSource
        from .projections.stats.pictures import ask
        from .projections.stats.sources import archived, rules_in

        url = "" if "://" in self.store.name else self.store.name
        with archived(StoreSource(self.store, url), jobs=jobs) as (made, _):
            rules = rules_in(self.store)
            return ask(made.connection, rules, ruleset=ruleset, options=options, seats=seats, only=only, svg=svg)


def open(url: str | os.PathLike[str], token: str | None = None, sees: str | None = None) -> Store:
    """Open the store at a path or URL (`games.db`, `:memory:`, `postgresql://…`), and make it where it is missing.

    `https://…` is a game service (`warptape serve`): its games are read and played with the same methods. `token` is what
    opens them (default: those that `join` and `new` have kept in the user's config folder), `sees` the seat whose token to
    take where there are several.

    When the engine fails on an action in it, a report writes itself into the user's data folder, or where the
    environment variable `WARPTAPE_REPORTS` says (`off`: nowhere). Raises StoreError, saying what is in the way.
    """
    text = os.fspath(url)
    if text.lower().startswith(("https://", "http://")):
        from .replays.remote import needs_httpx

        with needs_httpx():
            from .served import open_served
        return open_served(text, token, sees)
    if token is not None or sees is not None:
        raise StoreError("A token opens games on a server, at an https:// URL; a store of your own needs none.")
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
