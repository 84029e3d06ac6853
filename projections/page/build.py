"""Puts a replay page together: markup, style, script and the packed game, in one file that asks nothing of a network."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from ... import __version__
from ...domain.errors import BadLog, NotAllowed
from ..palette import TONES
from ..render_html import ROLES, sides
from ..svg_pen import FONT, uses, variables
from ..typeset import clean
from .views import Content, Curve, content

if TYPE_CHECKING:
    from ...replays.address import Address
    from ...replays.luck import Analysis
    from ...replays.tape import Tape

SCRIPTS = ("check.js", "tape.js", "time.js", "canvas.js", "story.js", "page.js")
"""The parts of the script that any page has, in order."""

OPEN = "open.js"
"""The last part of the script in a file: it opens the game that lies there."""

LIVE = ("wire.js", "acting.js", "live.js")
"""The last parts of the script of a page that goes on with a game on a server."""

WITHOUT = {
    False: "The game is in this file, and a script in it shows it: allow scripts for this page. It asks nothing of the network.",
    True: "A script shows the game: allow scripts for this page. It asks nobody but the server it came from.",
}
"""What stands there where no script may run, by whether the page is live."""

ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='1' y='6' width='30' height='20' rx='4' "
    "fill='#0b6fa8'/><path d='M6 12h20v8H6z' fill='#fffdf8'/><circle cx='11' cy='16' r='2.6' fill='#23262b'/>"
    "<circle cx='21' cy='16' r='2.6' fill='#23262b'/></svg>"
)


def page(
    tape: Tape,
    *,
    at: int | str | Address | None = None,
    seat: str | None = None,
    title: str = "",
    lines: bool = True,
    analysis: Analysis | Mapping[str, Any] | None = None,
    done: Callable[[int], None] = lambda moments: None,
) -> str:
    """Return a game as a page of HTML that shows all of it by itself: board, story, lines, seats, and a check of the log.

    It opens at a position or address (default: the start). With a `seat` it holds what that seat knew and nothing else; of
    a finished game without one everything, as each seat knew it too. `title` stands above it in place of the game's name;
    without `lines` only the line that the game is on is there. `analysis` is one of `game.analyse`, or the data that
    `warptape analyse --json` prints: its curve is shown. `done` hears how many moments were drawn.

    Raises BadAddress, NotAllowed for a seat that is not or a curve in a seat's file, BadLog for data that is no analysis.
    """
    if seat is not None and seat not in tape.shelf.seats:
        raise NotAllowed(f"This game has no seat '{seat}'. Its seats: {', '.join(tape.shelf.seats)}.")
    if analysis is not None and (seat is not None or tape.seen_as is not None) and tape.ruleset.secretive:
        raise NotAllowed("A curve is played out from what is really there: it does not go into a file for one seat.")
    start = None if at is None else tape.locate(at)
    curve = (
        None if analysis is None else _curve(tape, analysis)
    )  # first: what is refused is refused before all is drawn
    found, pool = content(tape, start, seat, title, lines=lines, done=done)
    found.curve = curve
    return _page(found, pool.roles)


def _page(found: Content, roles: set[tuple[str, str]]) -> str:
    packed = base64.b64encode(gzip.compress(msgspec.json.encode(found), 9, mtime=0)).decode()
    return frame(f"{found.title} · {found.about}", script(OPEN), roles=roles, packed=packed)


def script(*more: str) -> str:
    """Return the script that any page has, with other parts of it at its end."""
    return "".join(_file(name) for name in (*SCRIPTS, *more))


def frame(
    title: str,
    script: str,
    *,
    roles: set[tuple[str, str]] | None = None,
    packed: str = "",
    connect: str = "",
    live: bool = False,
) -> str:
    """Return the markup of a page around a script, which is the only one that may run in it.

    `roles` are the colours of what is drawn (None: all there are, for a page that does not know yet what comes), `packed`
    is the game that lies in it, compressed and as base64. `connect` says as a policy's `connect-src` what the page may ask
    of a network, nothing by default. A `live` page has what is needed to play as well.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    style = _file("page.css") + (_file("live.css") if live else "")
    values = {
        "TITLE": escape(clean(title)),
        "VERSION": escape(__version__),
        "DIGEST": f"sha256-{digest}",
        "CONNECT": escape(f" connect-src {connect};" if connect else ""),
        "ICON": escape(ICON.replace("#", "%23").replace("<", "%3C").replace(">", "%3E")),
        "STYLE": f"{_colours({(use, role) for use in 'fise' for role in TONES} if roles is None else roles)}\n{style}",
        "WITHOUT": WITHOUT[live],
        "ACTING": _file("acting.html") if live else "",
        "LIVE": _file("live.html") if live else "",
        "TAPE": packed,
        "SCRIPT": script,
    }
    parts = _file("page.html").split("$$")
    return "".join(values[part] if number % 2 else part for number, part in enumerate(parts))


@cache
def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


OWN = (*ROLES, "mark", "mark.last", "badge", "token", "unit.blue", "unit.orange")
"""The roles that the page itself uses."""


def _colours(roles: set[tuple[str, str]]) -> str:
    """The colours of both palettes as variables, and the classes of boards and panels that use them."""
    named = {role for _, role in roles} | {*OWN, *sides()}
    dark = variables(named, dark=True)
    rules = [
        f":root{{color-scheme:light;--font:{FONT};{variables(named)}}}",
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}",
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}",
    ]
    rules += uses(roles, ".wt")
    rules += [f".panels .wt-t-{role}{{color:var(--wt-{role}-i)}}" for role in ROLES]
    for role in sides():
        name = role.replace(".", "-")
        rules.append(f".panels .wt-b-{name}>:first-child{{box-shadow:inset 5px 0 0 var(--wt-{name}-f)}}")
    return "\n".join(rules)


class _Share(msgspec.Struct):
    share: float
    low: float
    high: float


class _Point(msgspec.Struct):
    position: int
    shares: dict[str, _Share]


class _Roll(msgspec.Struct):
    positions: list[int]
    text: str
    changes: dict[str, dict[str, float]]


class _Choice(msgspec.Struct):
    position: int
    action: str
    better: str
    cost: float


class _Analysed(msgspec.Struct):
    seats: dict[str, str]
    playouts: int
    points: list[_Point]
    luck: list[_Roll] = []
    choices: list[_Choice] = []


def _curve(tape: Tape, analysis: Analysis | Mapping[str, Any]) -> Curve:
    """Return what is drawn of an analysis; raises BadLog for data that is none, or of another game."""
    from ...replays.luck import Analysis
    from ..analysis import curve

    data = curve(tape, analysis) if isinstance(analysis, Analysis) else analysis
    try:
        read = msgspec.convert(msgspec.to_builtins(data), _Analysed)
    except (msgspec.ValidationError, TypeError) as error:
        raise BadLog(f"This is no analysis of a game: {error}.") from error
    seats = list(read.seats)
    known = {one.id for one in tape.ruleset.seats(tape.options)}
    places = [point.position for point in read.points]
    if {*seats} != known or any({*point.shares} != known for point in read.points):
        raise BadLog("This is an analysis of another game: its seats are others.")
    if any(not 0 <= place < tape.length for place in places):
        raise BadLog("This is an analysis of another game: it has positions that this one has not.")
    points = [
        (
            point.position,
            [
                tuple(round(1000 * n) for n in (one.share, one.low, one.high))
                for one in map(point.shares.__getitem__, seats)
            ],
        )
        for point in read.points
    ]
    luck = [(roll.positions[0], f"{roll.text} ({_most(roll.changes)})") for roll in read.luck if roll.positions]
    choices = [
        (one.position, f"{one.action}: {one.better} was worth {100 * one.cost:.0f} % more") for one in read.choices
    ]
    return Curve(seats, points, read.playouts, luck, choices)  # type: ignore[arg-type]


def _most(changes: Mapping[str, Mapping[str, float]]) -> str:
    seat, change = max(changes.items(), key=lambda one: one[1].get("mean", 0.0))
    return f"{100 * change.get('mean', 0.0):+.0f} % for {seat}"
