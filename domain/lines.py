"""A line of notation while a game reads it: words with their columns, and errors that point at one and suggest better."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any, NamedTuple

from .errors import BadNotation, IllegalAction
from .rules import Decision, Ruleset


class Word(NamedTuple):
    """A word of a line and its column, from 1."""

    text: str
    column: int


class Line:
    """A line being read, word by word; a game's own kind says how another line is read (`reads`).

    `seat` is whose line it is: nothing that another seat may do is ever suggested to it (empty: whoever is asked).
    `suggests` is off while a suggestion is itself being tried.
    """

    def __init__(self, ruleset: Ruleset, state: Any, text: str, suggests: bool, seat: str = "") -> None:
        self.rules, self.state, self.text, self.suggests, self.seat = ruleset, state, text, suggests, seat
        self.words: list[Word] = []
        self.end = len(text) + 1

    @cached_property
    def decision(self) -> Decision | None:
        """The decision that the seat of the line is asked for; None when another seat is asked, or none."""
        decision = self.rules.decision(self.state)
        return decision if decision is None or self.seat in ("", decision.seat) else None

    def split(self, pattern: re.Pattern[str], start: int = 0) -> list[Word]:
        """Return what matches the pattern, from an index of the text on."""
        return [Word(found[0], found.start() + 1) for found in pattern.finditer(self.text, start)]

    def reads(self, text: str) -> Sequence[Any]:
        """Return the actions of another line at the same position, without suggestions; raises as `parse` does."""
        raise NotImplementedError

    def bad(self, message: str, column: int, word: str = "", candidates: Iterable[str] = ()) -> BadNotation:
        """Return the error; it suggests this line with `word` made the nearest candidate, or else a legal line."""
        suggestion = ""
        if self.suggests:
            known = {candidate.lower(): candidate for candidate in candidates}
            for close in get_close_matches(word.lower(), known, 3, 0.5) if word else ():
                line = self.text[: column - 1] + known[close] + self.text[column - 1 + len(word) :]
                if self.readable(line):
                    suggestion = line.strip()
                    break
            else:
                suggestion = self.nearest()
        return BadNotation(message, self.text, column, suggestion)

    def readable(self, text: str) -> bool:
        """Say whether a line can be read."""
        try:
            self.reads(text)
        except (BadNotation, IllegalAction):
            return False
        return True

    def nearest(self) -> str:
        """Return the notation of the legal action that looks most like the line, empty if none does."""
        actions = self.decision.actions if self.decision else ()
        lines = [self.rules.notation(self.state, action) for action in actions]
        return next(iter(get_close_matches(self.text.strip(), lines, 1, 0.5)), "")

    def legal(self, kind: type) -> list[Any]:
        """Return the legal actions of a kind."""
        return [action for action in self.decision.actions if type(action) is kind] if self.decision else []

    def one(self, rest: Sequence[Word], what: str) -> Word:
        """Return the only word that is left; raises BadNotation if there is none or another."""
        if not rest:
            raise self.bad(f"Say {what}.", self.end)
        self.none(rest[1:])
        return rest[0]

    def none(self, rest: Sequence[Word]) -> None:
        """Raise BadNotation if words are left."""
        if rest:
            raise self.bad(f"'{rest[0].text}' is too much here.", rest[0].column)
