"""Notes and tags: what people wrote on positions of a game, as the owner or one seat may read it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from ..domain.errors import BadAddress, NotAllowed
from ..domain.events import NoteAdded, NoteRemoved
from ..domain.secrets import Sealed
from .tape import Tape
from .told import plain

if TYPE_CHECKING:
    from .recording import Recorder

TAG = re.compile(r"[^\W_][\w.-]{0,39}\Z")
KINDS = frozenset(("NoteAdded", "NoteRemoved"))


class Note(msgspec.Struct, frozen=True):
    """A note: its own position in the log, the position `at` that it is on, and what it says.

    `on` is the position whose place in a story that is (another one where `at` is a rewind). `private` names the seat
    that alone may read it, `removed` is the position at which it was taken back, None while it stands.
    """

    position: int
    at: int
    on: int
    text: str
    tags: tuple[str, ...] = ()
    seat: str = ""
    person: str = ""
    time: str = ""
    private: str = ""
    removed: int | None = None

    @property
    def label(self) -> str:
        """The tags in brackets, empty where there are none."""
        return f"[{', '.join(self.tags)}]" if self.tags else ""


def notes(
    tape: Tape,
    seat: str | None = None,
    *,
    tags: Iterable[str] = (),
    start: int = 0,
    stop: int | None = None,
    removed: bool = False,
) -> list[Note]:
    """Return the notes of a game that a seat may read (None: the owner), in the order of the positions they are on.

    `tags` keeps those that have all of them, `start` those that were written from there on, `stop` leaves out what was
    written or taken back from there on; with `removed` those that were taken back are there as well.
    """
    wanted = {tag.casefold() for tag in tags}
    found: dict[int, Note] = {}
    for row in tape.kinds(KINDS, start, stop):
        event = tape.codec.decode(row.data, row.position, seat)
        if isinstance(event, NoteRemoved):
            old = found.get(event.note)
            if old is not None:
                found[event.note] = msgspec.structs.replace(old, removed=row.position)
        elif isinstance(event, NoteAdded) and not isinstance(event.text, Sealed):
            labels = () if isinstance(event.tags, Sealed) else event.tags
            found[row.position] = Note(
                row.position,
                event.at,
                tape.tree.resolve(event.at),
                plain(event.text),
                tuple(map(plain, labels)),
                event.seat,
                plain(event.person),
                event.time,
                " and ".join(event.seen_by or ()),
            )
    kept = [
        note
        for note in found.values()
        if (removed or note.removed is None) and wanted <= {tag.casefold() for tag in note.tags}
    ]
    return sorted(kept, key=lambda note: (note.at, note.position))


def note_at(tape: Tape, position: int) -> Note:
    """Return the note that was written at a position of the log.

    Raises BadAddress where none was, and NotAllowed where it was taken back.
    """
    found = {note.position: note for note in notes(tape, removed=True)}
    if position not in found:
        raise BadAddress(f"No note was written at @{position}: `warptape notes` lists them with their positions.")
    if (note := found[position]).removed is not None:
        raise NotAllowed(f"The note @{position} was taken back already, at @{note.removed}.")
    return note


def written(
    game: Recorder, at: int, text: str, tags: Iterable[str], seat: str, person: str, private: bool | None
) -> NoteAdded:
    """Return the event of a note; raises NotAllowed for one that is empty, ill tagged, or cannot be private.

    `private` None seals what a seat writes in an unfinished game with secrets: it may say what only that seat knows.
    """
    text = " ".join(text.split())
    labels = tuple(dict.fromkeys(tag.strip() for tag in tags))
    if not text and not labels:
        raise NotAllowed("A note needs some words, or a tag.")
    for tag in labels:
        if not TAG.match(tag):
            raise NotAllowed(f"'{tag}' is no tag: up to 40 letters, digits, '-', '.' or '_', without blanks.")
    over = game.referee.decision is None if game.seen_as is None else False
    if private is None:
        private = bool(seat) and game.ruleset.secretive and not over
    if private and not seat:
        raise NotAllowed("A private note belongs to a seat: say whose, with --as.")
    if private and over:
        raise NotAllowed("The game is over and its secret of chance is out: nothing can be kept private any more.")
    return NoteAdded(at=at, text=text, tags=labels, seat=seat, person=person, seen_by=(seat,) if private else None)


def removed(game: Recorder, place: int, seat: str, person: str) -> NoteRemoved:
    """Return the event that takes a note back; raises BadAddress, and NotAllowed for another seat's note."""
    note = note_at(game, place)
    if seat and note.seat != seat:
        whose = f"a note of {note.seat}" if note.seat else "a note that no seat wrote"
        raise NotAllowed(f"@{place} is {whose}: {seat} cannot take it back.")
    return NoteRemoved(note=place, seat=seat, person=person)
