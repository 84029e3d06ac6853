"""What is new of a game since a position of its log: moments, boards and lines as plain data that a page can take in.

What a page holds from the start is the same: what is new since before the opening.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from ...domain.errors import BadAddress
from ...domain.events import NoteAdded, NoteRemoved, Rewound
from ...domain.secrets import Sealed
from ...replays.beats import Beat
from ...replays.lines import Way, trunk
from ...replays.story import Story
from ...replays.tape import Tape
from ...replays.told import amid
from ...replays.viewer import Viewer
from ..boards import draw
from .pool import Change, Drawn, Pool, changes, named

TARGETS = ("level", "round", "turn", "fight", "loss", "reveal")
"""What can be jumped to beside decisions, notes and take-backs, which the moments themselves tell of."""

LEFT = {"undo": "taken back", "redo": "left for what had been taken back before", "rewind": "left by a rewind"}

Row = tuple[int, str, str, int, tuple[str, ...], tuple[str, ...]]


class View(msgspec.Struct):
    """What is new of a game as one seat knew it (`seat` empty: all that the page may hold).

    `beats` are moments of the story, new ones and those that changed: position, text, what begins there, 1 where somebody
    decided, notes, take-backs; one that has no text, note or take-back any more is gone. `boards` are where moments end:
    position, who is to decide or how the game ended (a text), and the board, each as what differs from the one before it;
    the first from the board where the game stood so far. `targets` gives new positions that can be jumped to, by kind,
    `lasts` the last action in words of each of the lines that stand beside it.
    """

    seat: str
    name: str
    beats: list[Row]
    boards: list[list[int | Change]]
    targets: dict[str, list[int]]
    lasts: list[str]


class Branch(msgspec.Struct):
    """A line: its spans of the log, how deep it hangs in the tree, where it parts, how long it is, how it was left."""

    tip: int
    spans: list[tuple[int, int]]
    depth: int
    parts: int
    decisions: int
    own: int
    outcome: str
    left: str


class Log(msgspec.Struct):
    """The recording itself for checking: the bytes of each event that the chain covers, and the digest of the last batch."""

    events: list[str]
    head: str


class News(msgspec.Struct):
    """What is new of a game in the events after `since` up to `upto`, both positions of its log; all of it where that is -1.

    `lines` are all lines where they are told `anew`, because something was taken back or played again; otherwise just the
    one the game is on, which grew. `parts` and `texts` are what the numbers in `views` stand for, here and nowhere else.
    """

    since: int
    upto: int
    anew: bool
    lines: list[Branch]
    views: list[View]
    parts: list[str]
    texts: list[str]
    over: bool
    ending: str
    log: Log | None


def seen(tape: Tape, seat: str | None) -> list[str | None]:
    """Return whose views a page of a game has: of a seat its own, else all that the log holds and what each seat knew."""
    if whole(tape, seat) and tape.ruleset.secretive:
        return [None, *(one.id for one in tape.ruleset.seats(tape.options))]
    return [seat]


def whole(tape: Tape, seat: str | None) -> bool:
    """Say whether a page holds all of the log: the secret of chance that a finished game reveals opens every seal."""
    return seat is None and tape.seen_as is None


def news(tape: Tape, since: int, seat: str | None = None) -> News:
    """Return what a page that knows a game up to the position `since` of its log must take in to know all of it.

    It is for `seat`, or for a page that holds all. It costs as much as what is new, however long the game is, but for
    notes and take-backs, whose number counts where there are new ones. Raises BadAddress for a position that the log has
    not, or that lies in the midst of what was recorded at once.
    """
    if tape.batch_end(tape.inside(since)) != since:
        raise BadAddress(f"@{since} is in the midst of an action: what is new is told from the end of one.")
    if tape.kinds({"VersionChanged"}, since + 1):  # what was told before may read otherwise by the rules of today
        since = -1
    anew = since < 0 or bool(tape.kinds({"Rewound"}, since + 1))
    return gathered(tape, Pool(), since, seat, Viewer(tape).ways() if anew else [trunk(tape)], anew=anew)


def gathered(
    tape: Tape,
    pool: Pool,
    since: int,
    seat: str | None,
    ways: list[Way],
    *,
    anew: bool,
    left: bool = True,
    done: Callable[[int], None] = lambda moments: None,
) -> News:
    """Return what is new since a position (-1: all), drawn with a pool; without `left`, nothing of what was taken back."""
    touched = _touched(tape, since, seat) if since >= 0 and left else []
    names = {one.id: one.name for one in tape.ruleset.seats(tape.options)}
    paths = list(_paths(tape, since, every=anew and left))
    views = []
    for one in seen(tape, seat):
        reader = _Reader(tape, pool, one, since, left, done)
        for tip, after in paths:
            reader.follow(tip, after)
        for position in touched:
            reader.turn_to(position)
        views.append(reader.view(_called(tape, names, one), _lasts(tape, one, ways, anew)))
    parts, texts = pool.parts, pool.texts
    if since >= 0:
        parts, texts = named([view.boards for view in views], pool)
    log = None
    if left and whole(tape, seat):  # what was taken back is in the recording, and without it no chain is whole
        log = Log([row.data.partition(b"\n")[0].decode() for row in tape.rows(since + 1)], tape.shelf.head)
    return News(
        since, tape.length - 1, anew, [_branch(tape, way) for way in ways], views, parts, texts,
        tape.at().outcome is not None, Story(tape, tape.tip, seat).front().ending, log,
    )  # fmt: skip


def _paths(tape: Tape, since: int, every: bool) -> Iterator[tuple[int, int]]:
    """Yield the ends of the lines that have something new, each with the last position on it that is known by then."""
    tips = {tip for tip in tape.tree.tips() if tip > since} if every else set()
    known: dict[int, int] = {}  # by the first position of a stretch of the log between two rewinds: how far it is known
    for tip in sorted({*tips, tape.tip}):
        after = -1
        for span in tape.tree.back(tip):
            shared = min(span.last, max(known.get(span.first, -1), since))
            known[span.first] = max(known.get(span.first, -1), span.last)
            if shared >= span.first:
                after = shared
                break
        yield tip, after


def _touched(tape: Tape, since: int, seat: str | None) -> list[int]:
    """Return the positions up to `since` of which something was said or to which something was taken back after it."""
    found: set[int] = set()
    for row in tape.kinds({"NoteAdded", "NoteRemoved", "Rewound"}, since + 1):
        event = tape.codec.decode(row.data, row.position, seat)
        if isinstance(event, Rewound):
            found.add(tape.tree.resolve(row.position))
            continue
        note = tape.event(event.note, seat) if isinstance(event, NoteRemoved) else event
        if isinstance(note, NoteAdded) and not isinstance(note.text, Sealed):
            found.add(tape.tree.resolve(note.at))
    return sorted(position for position in found if position <= since)


class _Reader:
    """Collects what one seat is told and shown of a game from a position on."""

    def __init__(
        self, tape: Tape, pool: Pool, seat: str | None, since: int, left: bool, done: Callable[[int], None]
    ) -> None:
        self.tape, self.pool, self.seat, self.left, self.done = tape, pool, seat, left, done
        self.viewer = Viewer(tape, None, seat, since + 1)
        self.beats: dict[int, Row] = {}
        self.boards: dict[int, tuple[int, Drawn]] = {}
        self.targets: dict[str, set[int]] = {what: set() for what in TARGETS}
        self.known = 0  # the boards that a page has already: what comes first is told by what differs from it
        if since >= 0:
            self.viewer.switch(tape.tree.resolve(since))
            self.viewer.last()
            self.board(self.viewer)
            self.known = 1

    def follow(self, tip: int, after: int) -> None:
        """Take in what a line has after a position up to which it is known."""
        viewer = self.viewer
        viewer.switch(tip)
        for what in TARGETS:
            self.targets[what].update(at for at in viewer.targets(what) if at > after)
        ends = []
        for beat in viewer.beats.after(-1 if after < 0 else viewer.course.floor(after)):
            if self.take(beat):
                ends.append(viewer.course.floor(beat.position) - 1)
        for end in [*(end for end in ends if end >= 0), len(viewer.course) - 1]:
            viewer.step(end - viewer.index)
            self.board(viewer)

    def turn_to(self, position: int) -> None:
        """Take in an earlier moment on which something was written, or to which something was taken back."""
        viewer = Viewer(self.tape, None, self.seat)
        viewer.switch(position)
        viewer.last()
        if not self.take(next(viewer.beats.after(viewer.index - 1), None) or Beat(position, "")):
            self.beats[position] = (position, "", "", 0, (), ())
        if viewer.step(-1):  # where nothing was told before, the moment before this one ends here now
            self.board(viewer)

    def take(self, beat: Beat) -> bool:
        """Take in a moment; says whether it has anything to say here."""
        returns = beat.returns if self.left else ()
        if beat.text or beat.notes or returns:
            self.beats[beat.position] = (beat.position, beat.text, beat.heading, int(beat.acts), beat.notes, returns)
        return beat.position in self.beats

    def board(self, viewer: Viewer) -> None:
        """Draw the board where a viewer stands, if it is not there."""
        if viewer.position not in self.boards:
            scene = draw(self.tape.ruleset, viewer.shown)
            self.boards[viewer.position] = self.pool.text(_due(viewer)), self.pool.draw(scene)
            self.done(1)

    def view(self, name: str, lasts: list[str]) -> View:
        """Return all that was collected."""
        rows = changes(drawn for _, drawn in self.boards.values())
        boards = [[at, due, *row] for (at, (due, _)), row in zip(self.boards.items(), rows, strict=True)]
        targets = {what: sorted(found) for what, found in self.targets.items() if found}
        return View(
            self.seat or "", name, [row for _, row in sorted(self.beats.items())], boards[self.known :], targets, lasts
        )


def _lasts(tape: Tape, seat: str | None, ways: list[Way], anew: bool) -> list[str]:
    if not anew:
        return [trunk(tape, seat).line.last]
    lasts = {way.line.tip: way.line.last for way in Viewer(tape, None, seat).ways()}
    return [lasts.get(way.line.tip, "") for way in ways]


def _called(tape: Tape, names: dict[str, str], seat: str | None) -> str:
    if seat is not None:
        return f"What {amid(names[seat])} knew"
    return "Everything" if tape.seen_as is None else f"What {amid(names.get(tape.seen_as, tape.seen_as))} knew"


def _due(viewer: Viewer) -> str:
    """Return what is asked of whom, or how the game ended."""
    decision, outcome = viewer.due()
    if outcome is not None:
        return f"The game is over: {outcome.words or outcome.result}"
    if decision is None:
        return ""
    names = {seat.id: seat.name for seat in viewer.tape.ruleset.seats(viewer.tape.options)}
    return f"{names.get(decision.seat, decision.seat)} to decide"


def _branch(tape: Tape, way: Way) -> Branch:
    line = way.line
    left = ""
    if line.left:
        by = line.person or line.left_by
        left = (
            LEFT.get(line.left, line.left) + (f" by {by}" if by else "") + (f" ({line.reason})" if line.reason else "")
        )
    return Branch(
        line.tip,
        [(span.first, span.last) for span in tape.tree.line(line.tip)],
        way.depth,
        way.parts,
        line.decisions,
        way.own,
        line.outcome,
        left,
    )
