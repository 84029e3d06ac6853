"""What a replay page shows of a game, as plain data: views by seat, boards of every moment, lines, curve and log."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from ...replays.beats import Beat
from ...replays.lines import Way
from ...replays.story import Story
from ...replays.tape import Tape
from ...replays.told import amid
from ...replays.viewer import TARGETS, Viewer, Where
from ..boards import draw
from ..typeset import clean
from .pool import Change, Drawn, Pool, changes

LEFT = {"undo": "taken back", "redo": "left for what had been taken back before", "rewind": "left by a rewind"}


class View(msgspec.Struct):
    """A game as one seat knew it (`seat` empty: all that the file holds).

    `beats` are the moments of the story: position, text, what begins there, 1 where somebody decided, notes, take-backs.
    `boards` are where each moment ends: position, who is to decide or how the game ended (a text), and the board.
    `targets` gives the positions that can be jumped to, by kind, `lasts` each line's last action in words.
    """

    seat: str
    name: str
    beats: list[tuple[int, str, str, int, tuple[str, ...], tuple[str, ...]]]
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


class Curve(msgspec.Struct):
    """What the game was worth, by seat: of each point the position and the shares with their bounds, each in thousandths."""

    seats: list[str]
    points: list[tuple[int, list[tuple[int, int, int]]]]
    playouts: int
    luck: list[tuple[int, str]]
    choices: list[tuple[int, str]]


class Content(msgspec.Struct):
    """All that a page holds of a game."""

    title: str
    about: str
    ending: str
    seen_as: str
    start: int
    over: bool
    seats: list[tuple[str, str, str]]
    views: list[View]
    lines: list[Branch]
    parts: list[str]
    texts: list[str]
    curve: Curve | None = None
    log: Log | None = None


def content(
    tape: Tape,
    start: int | None,
    seat: str | None,
    title: str,
    *,
    lines: bool,
    done: Callable[[int], None] = lambda moments: None,
) -> tuple[Content, Pool]:
    """Return what a page holds, without curve, and what its drawings are made of.

    With a `seat`, and of a log that holds what one seat knew, nothing else is in it: no other view, no log. `done` hears of
    moments drawn.
    """
    pool = Pool()
    over = tape.at().outcome is not None
    # The secret of chance, which the log of a finished game reveals, opens every seal: it is for files that hold all.
    whole = seat is None and tape.seen_as is None
    names = {one.id: one.name for one in tape.ruleset.seats(tape.options)}
    seats: list[str | None] = [seat]
    if whole and tape.ruleset.secretive:
        seats += list(names)
    ways = [way for way in Viewer(tape).ways() if lines or way.line.current]
    views = [_view(tape, pool, one, _called(tape, names, one), ways, done) for one in seats]
    front = Story(tape, tape.tip, seat).front()
    found = Content(
        title=clean(title) or tape.shelf.name,
        about=tape.ruleset.title,
        ending=front.ending,
        seen_as=front.seen_as,
        start=0 if start is None else tape.tree.resolve(start),
        over=over,
        seats=[
            (id, names.get(id, id), holder)
            for id, holder in zip(tape.shelf.seats, [h for _, h in front.seats], strict=True)
        ],
        views=views,
        lines=[_branch(tape, way) for way in ways],
        parts=pool.parts,
        texts=pool.texts,
        log=_log(tape) if whole else None,
    )
    return found, pool


def moments(tape: Tape, lines: bool = True) -> int:
    """Return about how many moments there are to draw, for a bar."""
    return tape.length if lines else sum(span.last - span.first + 1 for span in tape.tree.line(tape.tip))


def _called(tape: Tape, names: dict[str, str], seat: str | None) -> str:
    if seat is not None:
        return f"What {amid(names[seat])} knew"
    return "Everything" if tape.seen_as is None else f"What {amid(names.get(tape.seen_as, tape.seen_as))} knew"


def _view(tape: Tape, pool: Pool, seat: str | None, name: str, ways: list[Way], done: Callable[[int], None]) -> View:
    viewer = Viewer(tape, None, seat)
    beats: dict[int, Beat] = {}
    boards: dict[int, tuple[int, Drawn]] = {}
    targets: dict[str, set[int]] = {what: set() for what in TARGETS}
    for way in ways:
        viewer.switch(way.line.tip)
        for what in TARGETS:
            targets[what].update(viewer.targets(what))
        for _ in _walk(viewer, -1 if way.parent is None else viewer.course.floor(way.parts), beats):
            if viewer.position not in boards:
                scene = draw(tape.ruleset, viewer.shown)
                boards[viewer.position] = pool.text(_due(viewer, viewer.where())), pool.draw(scene)
                done(1)
    lasts = {way.line.tip: way.line.last for way in viewer.ways()}
    rows = changes(drawn for _, drawn in boards.values())
    return View(
        seat or "",
        name,
        [
            (beat.position, beat.text, beat.heading, int(beat.acts), beat.notes, beat.returns)
            for _, beat in sorted(beats.items())
        ],
        [[at, due, *row] for (at, (due, _)), row in zip(boards.items(), rows, strict=True)],
        {what: sorted(found) for what, found in targets.items() if found},
        [lasts.get(way.line.tip, "") for way in ways],
    )


def _walk(viewer: Viewer, after: int, beats: dict[int, Beat]) -> Iterator[None]:
    """Go through what a line has from a place on, and stop where each moment ends; the moments are put to the others."""
    viewer.first()
    ends = []
    for beat in viewer.beats.after(after):
        beats[beat.position] = beat
        ends.append(viewer.course.floor(beat.position) - 1)
    for end in [*(end for end in ends if end >= 0), len(viewer.course) - 1]:
        viewer.step(end - viewer.index)
        yield


def _due(viewer: Viewer, where: Where) -> str:
    """Return what is asked of whom, or how the game ended."""
    if where.outcome is not None:
        return f"The game is over: {where.outcome.words or where.outcome.result}"
    if where.decision is None:
        return ""
    names = {seat.id: seat.name for seat in viewer.tape.ruleset.seats(viewer.tape.options)}
    return f"{names.get(where.decision.seat, where.decision.seat)} to decide"


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


def _log(tape: Tape) -> Log:
    return Log([row.data.partition(b"\n")[0].decode() for row in tape.rows()], tape.shelf.head)
