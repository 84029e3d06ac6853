"""A line of notation while it is read: models, squares, templates and artifacts by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import lines
from ..errors import BadNotation, IllegalAction
from ..lines import Word
from ..rules import Refusal
from . import steps
from .actions import FLOOR, Target
from .book import Book
from .objectives import first_of_kind
from .reach import AVOID, ENTER
from .state import HiveState, Point

if TYPE_CHECKING:
    from .ruleset import TyranidAttack

WORD = re.compile(r"[^\s>,]+")
MODEL = re.compile(r"([a-z]{2})0*([1-9][0-9]?)", re.IGNORECASE)
SQUARE = re.compile(r"([0-9]{1,2}):([a-z])([0-9]{1,2})", re.IGNORECASE)
OBJECTIVE = re.compile(r"obj-?([0-9]{1,2})", re.IGNORECASE)
ARTIFACT = re.compile(r"a?([0-9]{1,2})", re.IGNORECASE)
SQUEEZED = re.compile(r"[^a-z0-9]+")


def squeezed(text: str) -> str:
    """Return a name without what stands between its words, in small letters."""
    return SQUEEZED.sub("", text.lower())


class Line(lines.Line):
    """A line being read, word by word, by what its seat may know; `step` is what is asked, if this seat is asked.

    `taken` is the model that the step is about: the one taken up, pressing on, being deployed, armed or hurt.
    """

    state: HiveState

    def __init__(self, ruleset: TyranidAttack, state: HiveState, seat: str, text: str, suggests: bool) -> None:
        super().__init__(ruleset, state, text, suggests, seat)
        self.ruleset = ruleset
        self.book: Book = ruleset.book
        self.words = self.split(WORD)
        self.step: Any = state.pending[-1] if self.decision is not None else None
        self.taken: str = getattr(self.step, "model", "")

    def reads(self, text: str) -> Sequence[Any]:
        from .notation import read

        return read(Line(self.ruleset, self.state, self.seat, text, suggests=False))

    # Models

    def find_model(self, text: str) -> str:
        """Return the name of a model of this game, on the board or not; empty if there is none of that name."""
        found = MODEL.fullmatch(text)
        name = f"{found[1].upper()}{found[2]}" if found else ""
        return name if name in self._everyone else ""

    @cached_property
    def _everyone(self) -> dict[str, None]:
        """Return the names of all models that this game has or may have."""
        state, book = self.state, self.book
        names = dict.fromkeys(
            (*state.models, *state.pool, *state.party, *state.reserve, *state.lost, *state.blobs, *state.spent)
        )
        for kind, count in book.roster(state.options).items():
            names.update(dict.fromkeys(book.members(kind, count)))
        return names

    def model(self, word: Word, candidates: Iterable[str] = ()) -> str:
        """Return a model by its name; raises BadNotation if there is none of that name."""
        found = self.find_model(word.text)
        if found:
            return found
        known = (*candidates, *self.state.models)
        named = f"There is no model '{word.text}'."
        raise self.no_model(word, known) or self.bad(named, word.column, word.text, known)

    def no_model(self, word: Word, candidates: Iterable[str] = ()) -> BadNotation | None:
        """Return the error for what reads like a model's name and is none of this game; None for anything else."""
        if not MODEL.fullmatch(word.text) or self.find_model(word.text):
            return None
        message = f"There is no model {word.text.upper()} in this game."
        return self.bad(message, word.column, word.text, candidates)

    def one_of(self, word: Word, names: Sequence[str]) -> str:
        """Return one of a supply by its name or by what its kind is called: the first of the kind if it is there.

        Models of a kind are the same to the rules. One that is not in the supply stays as it was typed, for the rules
        to refuse; of a kind that has none there the first is meant. Raises BadNotation if there is none of that name.
        """
        found = self.find_model(word.text)
        code = found[:2] or self.find_code(word.text)
        first = next((name for name in first_of_kind(names) if name[:2] == code), "")
        if first and (not found or found in names):
            return first
        return found or self.model(word._replace(text=f"{code}1") if code else word, names)

    def find_code(self, text: str) -> str:
        """Return the letters of a kind, given as they are or as its name; empty if there is no such kind."""
        if text.upper() in self.book.kinds:
            return text.upper()
        kind = self.find_kind(text)
        return self.book.catalogue.codes[kind] if kind else ""

    def find_kind(self, text: str) -> str:
        """Return a kind by its id, its letters or its name; empty if there is none."""
        if text.upper() in self.book.kinds:
            return self.book.kinds[text.upper()]
        wanted = squeezed(text)
        return next((id for id, one in self.book.profiles.items() if wanted in (squeezed(id), squeezed(one.name))), "")

    def own(self, name: str) -> bool:
        """Say whether a model is of the side that types the line (of the Marines, where no seat is named)."""
        return bool(name) and self.book.side(name) == (self.seat or getattr(self.step, "side", "marines"))

    def named(self, rest: Sequence[Word], length: int) -> Sequence[Word]:
        """Return the words without the name of the model that is asked about, which `length` words begin with.

        Raises IllegalAction if another is named while it is that model's turn (TA-TURN-3).
        """
        if len(rest) < length or not (name := self.find_model(rest[0].text)):
            return rest
        if self.taken and name != self.taken:
            what = "taken up: finish it first" if isinstance(self.step, steps.Acting | steps.Aim) else "asked about now"
            raise IllegalAction(Refusal("TA-TURN-3", f"{self.taken} is {what}"))
        return rest[1:]

    # Squares and other targets

    def find_square(self, word: Word) -> Point | None:
        """Return a square, wall or floor; None for what is no square's name. Raises BadNotation for one off the ship."""
        found = SQUARE.fullmatch(word.text)
        if found is None:
            return None
        ship = self.book.ship(self.state)
        section = int(found[1])
        if section not in ship.origins:
            there = ", ".join(str(laid.section) for laid in self.state.chain)
            raise self.bad(f"There is no section {section}: {there}.", word.column)
        square = ship.square(section, ord(found[2].lower()) - ord("a"), int(found[3]) - 1)
        if square is None:
            raise self.bad(f"There is no square '{word.text}': columns are a to o, rows 1 to 11.", word.column)
        return square

    def square(self, word: Word) -> Point:
        """Return a square; raises BadNotation for anything else."""
        found = self.find_square(word)
        if found is None:
            raise self.bad(f"'{word.text}' is no square: name section, column and row, as 4:e1.", word.column)
        return found

    def objective(self, word: Word) -> str:
        """Return an objective, `OBJ-1` or `obj1`; raises BadNotation for anything else."""
        found = OBJECTIVE.fullmatch(word.text)
        id = f"OBJ-{int(found[1])}" if found else ""
        if id not in self.book.catalogue.objectives:
            known = self.book.catalogue.objectives
            raise self.bad(f"There is no objective '{word.text}': {', '.join(known)}.", word.column, word.text, known)
        return id

    def target(self, word: Word) -> Target:
        """Return a model, an objective, a square or `FLOOR`; raises BadNotation for anything else."""
        if word.text.lower() == FLOOR:
            return FLOOR
        square = self.find_square(word)
        return self.enemy(word, "a model, an objective or a square") if square is None else square

    def enemy(self, word: Word, what: str = "a model or an objective") -> str:
        """Return a model or an objective; raises BadNotation for anything else."""
        if OBJECTIVE.fullmatch(word.text):
            return self.objective(word)
        found = self.find_model(word.text)
        if found:
            return found
        enemies = [name for name in self.state.models if not self.own(name)]
        candidates = (*enemies, *self.state.templates)
        message = f"'{word.text}' is no target: name {what}."
        raise self.no_model(word, candidates) or self.bad(message, word.column, word.text, candidates)

    def artifact(self, word: Word) -> int:
        """Return an artifact's number, given as `A4` or `4`; raises BadNotation for anything else."""
        found = ARTIFACT.fullmatch(word.text)
        if found is None or int(found[1]) not in self.book.catalogue.artifacts:
            known = [f"A{number}" for number in self.book.catalogue.artifacts]
            raise self.bad(f"There is no artifact '{word.text}': {', '.join(known)}.", word.column, word.text, known)
        return int(found[1])

    # Parts of lines

    def arrows(self) -> None:
        """Raise BadNotation for a `>` that does not stand between two squares of a path."""
        for found in re.finditer(">", self.text):
            before = self.text[: found.start()].split()[-1:]
            after = self.text[found.end() :].split()[:1]
            start = before[0].rpartition(">")[2] if before else ""
            end = after[0].partition(">")[0] if after else ""
            if not SQUARE.fullmatch(start) or not end or end.lower() in (ENTER, AVOID):
                rest = self.text[found.end() :].lstrip()
                less = f"{self.text[: found.start()].rstrip()}{'' if rest.startswith('>') else ' '}{rest}".strip()
                suggestion = less if self.suggests and self.readable(less) else ""
                message = "'>' stands between two squares of a path: 4:e1>4:e2."
                raise BadNotation(message, self.text, found.start() + 1, suggestion)

    def exactly(self, rest: Sequence[Word], count: int, form: str) -> Sequence[Word]:
        """Return as many words as asked for; raises BadNotation, naming the form, if there are fewer or more."""
        if len(rest) < count:
            raise self.bad(f"Say {form}.", self.end)
        self.none(rest[count:])
        return rest

    def acting(self) -> bool:
        """Say whether a model is taken up and may act now."""
        return isinstance(self.step, steps.Acting)
