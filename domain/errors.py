"""The tree of errors: everything warptape raises on purpose is a `WarptapeError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rules import Refusal


class WarptapeError(Exception):
    """The root of all errors a user can act on; its text is one or two plain sentences."""


class IllegalAction(WarptapeError):
    """The rules refuse the action; `refusal` cites the rule."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class BadNotation(WarptapeError):
    """The text is no action; `text` is what was typed, `column` (from 1) where it stops making sense."""

    def __init__(self, message: str, text: str = "", column: int = 1, suggestion: str = "") -> None:
        hint = f" Did you mean '{suggestion}'?" if suggestion else ""
        super().__init__(f"{message}{hint}")
        self.text = text
        self.column = column
        self.suggestion = suggestion


class BadLog(WarptapeError):
    """A log, a file or a stored event is damaged; `line` (from 1) and `position` say where, if known."""

    def __init__(self, message: str, line: int | None = None, position: int | None = None) -> None:
        where = f"Line {line}: " if line is not None else f"Event @{position}: " if position is not None else ""
        super().__init__(where + message)
        self.line = line
        self.position = position


class BadAddress(WarptapeError):
    """An address such as `last@d12` is malformed or names no position."""


class ContentError(WarptapeError):
    """A content file is wrong; the text names the file, the record and the reason."""


class OptionError(WarptapeError):
    """A game option is unknown or has a value outside its range."""


class UnknownRuleset(WarptapeError):
    """No installed ruleset has that id."""


class UnknownGame(WarptapeError):
    """No game on the shelf answers to that id, prefix or name."""


class AmbiguousGame(UnknownGame):
    """Several games on the shelf share that prefix or name."""


class StoreError(WarptapeError):
    """The store cannot be opened, read or written."""


class Conflict(StoreError):
    """Another writer was first: `expected` and `actual` are lengths of the log."""

    def __init__(self, message: str, expected: int, actual: int) -> None:
        super().__init__(message)
        self.expected = expected
        self.actual = actual


class NameTaken(StoreError):
    """Another game in the store has that name or id."""


class NotAllowed(WarptapeError):
    """The game's policy forbids it now: an undo past a reveal, a fork of an unfinished secret game."""


class NeedsOutcome(WarptapeError):
    """A game of entered chance lacks the result of a die or a draw; `request` says which and `possible` what it may be.

    `number` is which of several dice that one request asks for, from 1; `hint` follows the question in the message.
    """

    def __init__(
        self, what: str, request: object, possible: tuple[str, ...], hint: str = "", number: int = 1, count: int = 1
    ) -> None:
        which = f", die {number} of {count}" if count > 1 else ""
        super().__init__(f"What came out of {what}{which}? {hint}".rstrip())
        self.request, self.possible, self.hint = request, possible, hint
        self.number, self.count = number, count

    def put(self, what: str) -> NeedsOutcome:
        """Return the same error about what is asked for in other words."""
        return type(self)(what, self.request, self.possible, self.hint, self.number, self.count)


class ImpossibleOutcome(WarptapeError):
    """An entered or recorded result cannot be: a 7 on a die, a card that is not in the deck.

    Of one that was entered `request` says what was asked for; it is None for a recorded one.
    """

    def __init__(self, message: str, request: object = None, entered: str = "") -> None:
        super().__init__(message)
        self.request, self.entered = request, entered

    def put(self, what: str) -> ImpossibleOutcome:
        """Return the same error about what is asked for in other words."""
        return type(self)(f"'{self.entered}' cannot come out of {what} now.", self.request, self.entered)


class RulesetCrash(WarptapeError):
    """A ruleset failed while it resolved an action; nothing was recorded and the state is as it was.

    `report` is the file in which a report of it was written, empty where none was.
    """

    report: str = ""


class BotFailed(WarptapeError):
    """A program that plays a seat gave no answer that can be taken, in time or at all; it has not acted."""
