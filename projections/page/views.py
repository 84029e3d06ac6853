"""What the file of a replay page holds of a game, as plain data: all that is new since before the opening, and its front."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ...replays.story import Story
from ...replays.tape import Tape
from ...replays.viewer import Viewer
from ..typeset import clean
from .news import News, gathered
from .pool import Pool


class Curve(msgspec.Struct):
    """What the game was worth, by seat: of each point the position and the shares with their bounds, each in thousandths."""

    seats: list[str]
    points: list[tuple[int, list[tuple[int, int, int]]]]
    playouts: int
    luck: list[tuple[int, str]]
    choices: list[tuple[int, str]]


class Content(News):
    """All that a page holds of a game when it is opened; what `news` gives can be added to it.

    `start` is the position it opens at, `seats` are ids, names and holders.
    """

    title: str
    about: str
    seen_as: str
    start: int
    seats: list[tuple[str, str, str]]
    curve: Curve | None = None


def content(
    tape: Tape,
    start: int | None = None,
    seat: str | None = None,
    title: str = "",
    *,
    lines: bool = True,
    done: Callable[[int], None] = lambda moments: None,
) -> tuple[Content, Pool]:
    """Return what a page holds, without curve, and what its drawings are made of.

    With a `seat`, and of a log that holds what one seat knew, nothing else is in it: no other view, no log. Without `lines`
    nothing that was taken back is, and so no log. `done` hears of moments drawn.
    """
    pool = Pool()
    names = {one.id: one.name for one in tape.ruleset.seats(tape.options)}
    ways = [way for way in Viewer(tape).ways() if lines or way.line.current]
    found = gathered(tape, pool, -1, seat, ways, anew=True, left=lines, done=done)
    front = Story(tape, tape.tip, seat).front()
    holders = zip(tape.shelf.seats, [holder for _, holder in front.seats], strict=True)
    return Content(
        **msgspec.structs.asdict(found),
        title=clean(title) or tape.shelf.name,
        about=tape.ruleset.title,
        seen_as=front.seen_as,
        start=0 if start is None else tape.tree.resolve(start),
        seats=[(id, names.get(id, id), holder) for id, holder in holders],
    ), pool


def moments(tape: Tape, lines: bool = True) -> int:
    """Return about how many moments there are to draw, for a bar."""
    return tape.length if lines else sum(span.last - span.first + 1 for span in tape.tree.line(tape.tip))
