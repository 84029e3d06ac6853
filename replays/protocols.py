"""What a library of recorded games and a game in it promise, whatever they are kept in: a file, a database, a server.

`Library` and `Game` over SQLite and PostgreSQL, and their forms over HTTP, keep these promises; the tests in
tests/contract run over all of them, and a type checker compares the signatures.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, runtime_checkable

from ..domain.content import Content
from ..domain.rules import Decision, Outcome, Refusal, Ruleset
from .shelf import Shelf

if TYPE_CHECKING:
    from .findings import Report
    from .lines import Line
    from .notes import Note
    from .recording import Played
    from .tape import Position
    from .told import Told


class Table(Protocol):
    """A recorded game to read and to play on.

    What it shows is what whoever opened it may know: all of it, or one seat's knowledge (`seen_as`). Each change is
    recorded whole or not at all; of two who change a game at once one gets Conflict; the same `key` again changes nothing
    and returns what was recorded; `expect` is a position at which the board is as the caller knows it.
    """

    @property
    def id(self) -> str:
        """The game's id."""
        ...

    @property
    def name(self) -> str:
        """The game's name on the shelf."""
        ...

    @property
    def ruleset(self) -> Ruleset:
        """The rules, over the game's own content."""
        ...

    @property
    def seats(self) -> dict[str, str]:
        """Who holds each seat."""
        ...

    @property
    def policy(self) -> str:
        """The undo policy."""
        ...

    @property
    def length(self) -> int:
        """The number of events in the log."""
        ...

    @property
    def tip(self) -> int:
        """The position that the game stands at."""
        ...

    @property
    def seen_as(self) -> str | None:
        """Whose knowledge this is, when no more of the game is here."""
        ...

    @property
    def own_seat(self) -> str | None:
        """The seat for which alone the game is open here."""
        ...

    @property
    def state(self) -> Any:
        """The state now, as far as it is known here."""
        ...

    @property
    def decision(self) -> Decision | None:
        """Which seat must choose, and between what."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        ...

    @property
    def typed_chance(self) -> bool:
        """Whether people enter what dice and cards gave."""
        ...

    @property
    def reachable(self) -> bool:
        """Whether the store answered last."""
        ...

    @property
    def unsure(self) -> bool:
        """Whether the last change was given up before its answer came."""
        ...

    def refresh(self) -> None:
        """Read again what others have recorded."""
        ...

    def follow(self, wake: Callable[[], None]) -> Callable[[], None] | None:
        """Have `wake` called when somebody else changes the game; None where the store does not tell."""
        ...

    def refusal(self, action: Any, seat: str | None = None) -> Refusal | None:
        """Return why an action is not legal now."""
        ...

    def parse(self, text: str, seat: str | None = None) -> Sequence[Any]:
        """Return the actions that a line of notation stands for."""
        ...

    def act(
        self,
        what: Any,
        seat: str | None = None,
        *,
        person: str = "",
        key: str = "",
        expect: int | None = None,
        outcomes: Sequence[str] = (),
    ) -> Played:
        """Take an action, or a line of them."""
        ...

    def undo(
        self,
        seat: str | None = None,
        *,
        person: str = "",
        reason: str = "",
        reroll: bool = False,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Take back the last action."""
        ...

    def redo(self, seat: str | None = None, *, person: str = "", key: str = "", expect: int | None = None) -> Played:
        """Go back to the tip that was left last."""
        ...

    def rewind(
        self,
        place: Any,
        *,
        seat: str = "",
        person: str = "",
        reason: str = "",
        reroll: bool = False,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Go to any position."""
        ...

    def consent(
        self, seat: str, agree: bool = True, *, person: str = "", key: str = "", expect: int | None = None
    ) -> Played:
        """Answer the other seat's request to take something back."""
        ...

    def ask_undo(self, seat: str, *, person: str = "", key: str = "", expect: int | None = None) -> Played:
        """Ask the other seat to agree to taking something back."""
        ...

    def note(
        self,
        text: str,
        place: Any = None,
        *,
        tags: Sequence[str] = (),
        seat: str = "",
        person: str = "",
        private: bool | None = None,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Write a note on a position."""
        ...

    def remove_note(
        self, place: Any, *, seat: str = "", person: str = "", key: str = "", expect: int | None = None
    ) -> Played:
        """Take a note back."""
        ...

    def notes(self, seat: str | None = None, *, tags: Sequence[str] = ()) -> list[Note]:
        """Return the notes that stand."""
        ...

    def reroll(
        self,
        seed: str | None = None,
        *,
        reason: str = "",
        chance: str | None = None,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Give chance a new secret."""
        ...

    def fork(
        self,
        at: Any = None,
        *,
        name: str = "",
        seats: Mapping[str, str] | None = None,
        undo: str = "",
        reroll: bool = False,
        as_of: str | None = None,
    ) -> Self:
        """Start another game from a position."""
        ...

    def at(self, position: Any = None) -> Position:
        """Return the game as it stood at a position or address."""
        ...

    def lines(self, seat: str | None = None) -> list[Line]:
        """Return every way the game was played."""
        ...

    def log(self, seat: str | None = None) -> Iterator[Told]:
        """Yield the log in words."""
        ...

    def transcript(self, format: str = "md", *, at: Any = None, seat: str | None = None) -> str:
        """Return the game as a story."""
        ...

    def export(self, path: str | os.PathLike[str], seat: str | None = None) -> Path:
        """Write the game to a log file."""
        ...

    def audit(self, *, rules: bool = True, listing: bool = False) -> Report:
        """Check chain, form, secrets, chance and rules of what is known here."""
        ...


T_co = TypeVar("T_co", bound=Table, covariant=True)


@runtime_checkable
class Tables(Protocol[T_co]):
    """The games of one store; a context manager that closes it."""

    def __enter__(self) -> Self:
        """Return itself."""
        ...

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        ...

    def close(self) -> None:
        """Close the store; what was acknowledged is recorded."""
        ...

    def games(self, ruleset: str | None = None) -> list[Shelf]:
        """Return what the shelf says of every game, the last changed first."""
        ...

    def game(self, name: str = "last") -> T_co:
        """Return a game by id, prefix, name or `last`."""
        ...

    def new(
        self,
        rules: str | Ruleset,
        *,
        seed: str | None = None,
        options: Mapping[str, Any] | None = None,
        seats: Mapping[str, str] | None = None,
        name: str = "",
        chance: str = "fate",
        undo: str = "",
        content: Content | None = None,
        outcomes: Sequence[str] = (),
        person: str = "",
    ) -> T_co:
        """Start a game."""
        ...

    def load(self, path: str | os.PathLike[str], name: str = "") -> T_co:
        """Put the game in a log file on the shelf."""
        ...

    def rename(self, name: str, new: str) -> Shelf:
        """Give a game another name."""
        ...

    def delete(self, name: str, with_forks: bool = False) -> list[str]:
        """Delete a game."""
        ...

    def audit(self, name: str = "last", *, rules: bool = True, listing: bool = False) -> Report:
        """Audit a game without opening it."""
        ...
