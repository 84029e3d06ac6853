"""The story of one line in small pieces, told when they are looked at: a long game opens as fast as a short one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import cached_property

import msgspec

from ..domain.events import ActionTaken, NoteAdded, NoteRemoved, Rewound
from .course import Course
from .notes import notes
from .tape import Tape
from .told import Told, plain, tell_line

CHUNK = 96
"""The events that are told at once."""

KEPT = 48
"""The pieces that are kept after they were told."""


class Beat(msgspec.Struct, frozen=True):
    """A moment of a story: its position, what it says (may be empty), and what was written or taken back there.

    `heading` says what begins here, a `level`, a `round` or a `turn`; `acts` that somebody decided something.
    """

    position: int
    text: str
    heading: str = ""
    acts: bool = False
    notes: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return all that is said here, as one text each."""
        return [text for text in (self.text, *self.notes, *self.returns) if text]


class Margins:
    """What people wrote on positions of a game, and where it was taken back to, as one seat or the owner knows it.

    With `since`, only what was written and taken back from that position of the log on.
    """

    def __init__(self, tape: Tape, seat: str | None, since: int = 0) -> None:
        self.tape = tape
        self.seat = seat
        self.since = since

    @cached_property
    def notes(self) -> dict[int, tuple[str, ...]]:
        """The notes by the position they are written on."""
        found: dict[int, tuple[str, ...]] = {}
        for note in sorted(notes(self.tape, self.seat, start=self.since), key=lambda note: note.position):
            by = note.person or note.seat
            text = " ".join(filter(None, (f"Note{f' by {by}' if by else ''}:", note.text, note.label)))
            found[note.on] = (*found.get(note.on, ()), text)
        return found

    @cached_property
    def returns(self) -> dict[int, tuple[str, ...]]:
        """The take-backs by the position they went back to, in words that name the line they left."""
        tape, found = self.tape, dict[int, tuple[str, ...]]()
        for row in tape.kinds({"Rewound"}, self.since):
            event = tape.codec.decode(row.data, row.position, self.seat)
            assert isinstance(event, Rewound)
            if event.by == "redo":
                continue
            at, left = tape.tree.resolve(row.position), tape.tree.resolve(row.position - 1)
            why = f" ({event.reason})" if event.reason else ""
            words = "Taken back to here" if event.by == "undo" else "Rewound to here"
            found[at] = (*found.get(at, ()), plain(f"{words} from @{left}{why}."))
        return found


class Beats:
    """The moments of a line that have something to say, as one seat or the owner knows them, by pieces of `CHUNK` events.

    Notes and take-backs stand where they belong, not where they lie in the log.
    """

    def __init__(self, tape: Tape, course: Course, seat: str | None, margins: Margins) -> None:
        self.tape = tape
        self.course = course
        self.seat = seat
        self.margins = margins
        self._told: OrderedDict[int, list[Beat]] = OrderedDict()

    @property
    def pieces(self) -> int:
        """How many pieces the story has."""
        return -(-len(self.course) // CHUNK)

    def piece(self, number: int) -> list[Beat]:
        """Return the moments of a piece, in order; maybe none."""
        found = self._told.get(number)
        if found is None:
            first, last = number * CHUNK, min(len(self.course), (number + 1) * CHUNK) - 1
            told = tell_line(self.tape, self.course[last], self.course[first], self.seat)
            found = self._told[number] = [beat for one in told if (beat := self._beat(one)) is not None]
            if len(self._told) > KEPT:
                self._told.popitem(last=False)
        self._told.move_to_end(number)
        return found

    def _beat(self, told: Told) -> Beat | None:
        position, event = told.position, told.event
        notes, returns = self.margins.notes.get(position, ()), self.margins.returns.get(position, ())
        text = "" if isinstance(event, NoteAdded | NoteRemoved) else told.text
        if not (text or notes or returns):
            return None
        return Beat(position, text, self.tape.opens(event), isinstance(event, ActionTaken), notes, returns)

    def after(self, index: int) -> Iterator[Beat]:
        """Yield the moments that come after a place of the line, in order."""
        for number in range(max(index + 1, 0) // CHUNK, self.pieces):
            yield from (beat for beat in self.piece(number) if self.course.floor(beat.position) > index)

    def before(self, index: int) -> Iterator[Beat]:
        """Yield the moments that come before a place of the line, the latest first."""
        for number in range(min(index - 1, len(self.course) - 1) // CHUNK, -1, -1):
            yield from (beat for beat in reversed(self.piece(number)) if self.course.floor(beat.position) < index)
