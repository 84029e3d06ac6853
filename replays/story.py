"""A line of a game as a story: headings, actions with what followed, margin notes, and what was taken back where."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

import msgspec

from ..domain.events import ActionTaken, Head, NoteAdded, NoteRemoved, Rewound
from ..domain.words import listed
from .lines import departures
from .luck import Analysis
from .notes import Note, notes
from .takeback import BOTS
from .tape import Tape
from .told import Told, amid, tell_line
from .told import actor as told_actor

BRIEF = 4
"""The decisions of an abandoned line that a footnote tells."""


class Heading(msgspec.Struct, frozen=True):
    """A part of the story begins, and `opens` says which: a `level`, a `round` or a `turn`.

    The widest that this story has is of `level` 1, what lies within it of 2, and so on.
    """

    level: int
    text: str
    opens: str = "round"


class Passage(msgspec.Struct, frozen=True):
    """What happened at once: who acted and the notation (empty for what nobody did), the sentences, the footnotes here."""

    actor: str
    notation: str
    sentences: tuple[str, ...]
    footnotes: tuple[int, ...] = ()


class Margin(msgspec.Struct, frozen=True):
    """A note that somebody wrote on what stands above it, with its tags."""

    text: str
    author: str
    tags: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The note with its tags in brackets."""
        return " ".join(filter(None, (self.text, f"[{', '.join(self.tags)}]" if self.tags else "")))


class Aside(msgspec.Struct, frozen=True):
    """An abandoned line, told in full: what became of it, and its items, one level in."""

    text: str
    items: tuple[Item, ...]


Item = Heading | Passage | Margin | Aside


class Curve(msgspec.Struct, frozen=True):
    """A seat's chances over the line: its name, shares from 0 to 1 at moments evenly apart, and what they came from."""

    name: str
    shares: tuple[float, ...]
    text: str


class Front(msgspec.Struct, frozen=True):
    """What stands at the head of a story: title, who sat where, how it ended, and whose knowledge it is told from.

    There are `curves` where the game was analysed.
    """

    title: str
    seats: tuple[tuple[str, str], ...]
    ending: str
    seen_as: str
    curves: tuple[Curve, ...] = ()


class Story:
    """The story of the line that ends at `tip`, as the owner or one seat knows it; what came after `until` is left out.

    An `analysis` adds curves and remarks in the margin. `items` streams; `footnotes` is complete once it is exhausted.
    """

    def __init__(
        self,
        tape: Tape,
        tip: int,
        seat: str | None = None,
        variations: bool = False,
        until: int | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        self.analysis = analysis
        self._remarks = analysis.remarks() if analysis is not None else {}
        self.tape = tape
        self.tip = tip
        self.until = tape.length - 1 if until is None else until
        self.seat = seat
        self.variations = variations
        self.footnotes: list[str] = []
        self.names = {one.id: one.name for one in tape.ruleset.seats(tape.options)}

    def front(self) -> Front:
        """Return what stands above the story."""
        tape, rules = self.tape, self.tape.ruleset
        place = tape.at(self.tip)
        state = place.view(self.seat)
        ending = "The game is open."
        try:
            outcome = None if state.pending else rules.outcome(state)
            if outcome is not None:
                who = " and ".join(self.names.get(winner, winner) for winner in outcome.winners)
                figures = ", ".join(
                    f"{self.names.get(name, name.replace('_', ' '))} {value}" for name, value in outcome.figures.items()
                )
                result = outcome.words or outcome.result
                ending = f"{who}: {result}" if who else result.capitalize()
                ending += f" ({outcome.reason})" if outcome.reason else ""
                ending += f"; {figures}." if figures else "."
            elif place.decision is not None:
                ending = (
                    f"The game is open: {amid(self.names.get(place.decision.seat, place.decision.seat))} must decide."
                )
        except Exception:  # rules may look at what this seat does not know
            pass
        seats = tuple((self.names.get(seat, seat), self._holder(seat)) for seat in tape.shelf.seats)
        seen_as = self.seat or tape.seen_as or ""
        name = tape.shelf.name  # a game that was given no name has the title for one
        title = name if name.startswith(rules.title) else f"{rules.title}: {name}"
        curves = curves_of(self.analysis) if self.analysis is not None else ()
        return Front(title, seats, ending, self.names.get(seen_as, seen_as), curves)

    def _holder(self, seat: str) -> str:
        """Return who holds a seat: the people who share it, where they are named."""
        holder, people = self.tape.shelf.seats[seat], self.tape.people.get(seat, ())
        return listed(people) if people and not holder.startswith(BOTS) else holder

    def items(self) -> Iterator[Item]:
        """Yield the story in order."""
        return self._told(self.tip, 0, asides=True)

    def _told(self, tip: int, start: int, *, asides: bool) -> Iterator[Item]:
        batch: list[Told] = []
        for told in tell_line(self.tape, tip, start, self.seat):
            if isinstance(told.event, Head) and batch:
                yield from self._batch(batch, asides)
                batch = []
            batch.append(told)
        if batch:
            yield from self._batch(batch, asides)

    def _batch(self, batch: list[Told], asides: bool) -> Iterator[Item]:
        head = batch[0].event
        here = [told.position for told in batch]
        left = [line for position in here for line in self._left.get(position, ())] if asides else []
        marks: list[int] = []
        for line in left:
            self.footnotes.append(self._why(line) if self.variations else f"{self._why(line)} {self._brief(line)}")
            marks.append(len(self.footnotes))
        parts: list[Heading | Passage] = []
        actor = notation = ""
        sentences: list[str] = []
        if isinstance(head, ActionTaken):
            actor = told_actor(self.tape, head, self.names.get(head.seat, head.seat))
            said = f"{told_actor(self.tape, head)}: "
            if batch[0].text.startswith(said):
                notation = batch[0].text.removeprefix(said)
            elif batch[0].text:
                sentences.append(batch[0].text)
        elif batch[0].text and not isinstance(head, NoteAdded | NoteRemoved | Rewound):
            sentences.append(batch[0].text)
        for told in batch[1:]:
            opens = self.tape.opens(told.event)
            if opens and told.text:
                if actor or sentences:
                    parts.append(Passage(actor, notation, tuple(sentences)))
                actor, notation, sentences = "", "", []
                parts.append(Heading(self.tape.divisions.index(opens) + 1, told.text.rstrip("."), opens))
            elif told.text:
                sentences.append(told.text)
        if actor or sentences or (marks and not any(isinstance(part, Passage) for part in parts)):
            parts.append(Passage(actor, notation, tuple(sentences)))
        last = max((n for n, part in enumerate(parts) if isinstance(part, Passage)), default=-1)
        for number, part in enumerate(parts):
            marked = isinstance(part, Passage) and number == last and marks
            yield msgspec.structs.replace(part, footnotes=tuple(marks)) if marked else part
        for position in here:
            for note in self._notes.get(position, ()):
                yield Margin(note.text, note.person or self.names.get(note.seat, note.seat), note.tags)
            for remark in self._remarks.get(position, ()) if asides else ():
                yield Margin(remark, "")
        if self.variations:
            for line in left:
                yield Aside(self._why(line), tuple(self._told(line.tip, line.start, asides=False)))

    # What was taken back

    @cached_property
    def _notes(self) -> dict[int, list[Note]]:
        """The notes by the position they are on, as they were written."""
        found: dict[int, list[Note]] = {}
        for note in sorted(notes(self.tape, self.seat, stop=self.until + 1), key=lambda note: note.position):
            found.setdefault(note.on, []).append(note)
        return found

    @cached_property
    def _left(self) -> dict[int, list[_Left]]:
        """The abandoned lines by the position after which they part from this one."""
        tree, tape = self.tape.tree, self.tape
        current = tree.line(self.tip)
        leaving = departures(tape)
        decided = [row.position for row in tape.kinds({"ActionTaken"}, 0, self.until)]
        found: dict[int, list[_Left]] = {}
        for tip in tree.tips():
            if tip > self.until:  # what came later is no part of this story
                break
            parts = tree.meet(current, tip)
            start = None
            for span in tree.back(tip):
                index = bisect_left(decided, max(span.first, parts + 1))
                if index < len(decided) and decided[index] <= span.last:
                    start = decided[index]
                if span.first <= parts + 1:
                    break
            if start is not None and parts != tip:
                found.setdefault(parts, []).append(_Left(tip, start, leaving[tip][1] if tip in leaving else None))
        return found

    def _why(self, line: _Left) -> str:
        rewound = line.rewound
        if rewound is None:
            return "Another line was left here."
        words = {"undo": "Taken back", "redo": "Left for what had been taken back before"}
        by = rewound.person or amid(self.names.get(rewound.seat, rewound.seat))
        why = f" ({rewound.reason})" if rewound.reason else ""
        return f"{words.get(rewound.by, 'Left by a rewind')}{f' by {by}' if by else ''}{why}."

    def _brief(self, line: _Left) -> str:
        """Return how an abandoned line would have gone, in a sentence or a few."""
        told: list[str] = []
        decisions = 0
        for item in self._told(line.tip, line.start, asides=False):
            if isinstance(item, Passage):
                decisions += bool(item.actor)
                if decisions <= BRIEF:
                    act = f"{item.actor}: {item.notation}." if item.notation else f"{item.actor}:" if item.actor else ""
                    told += [text for text in (act, *item.sentences) if text]
        more = f" And {decisions - BRIEF} more decisions." if decisions > BRIEF else ""
        return f"It went: {' '.join(told)}{more}"


def curves_of(analysis: Analysis) -> tuple[Curve, ...]:
    """Return the curves of an analysis, each with where it began and ended and what it came from."""
    found = []
    for seat, name in analysis.seats.items():
        totals = analysis.totals(seat)
        if totals is not None:
            parts = {
                "luck": totals.luck, "own choices": totals.own, "others' choices": totals.others,
                "not looked at closely": totals.rest,
            }  # fmt: skip
            said = ", ".join(f"{part} {100 * change:+.0f} %" for part, change in parts.items() if round(100 * change))
            text = f"{100 * totals.start:.0f} % to {100 * totals.end:.0f} %{f' ({said})' if said else ''}"
            found.append(Curve(name, tuple(analysis.along(seat, 60)), text))
    return tuple(found)


class _Left(msgspec.Struct, frozen=True):
    """An abandoned line: its last position, its first own action, and the event that left it."""

    tip: int
    start: int
    rewound: Rewound | None
