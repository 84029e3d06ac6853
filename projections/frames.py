"""What somebody who watches a game sees beside the board: the story around a moment, and one line that says where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..replays.beats import Beat
from ..replays.viewer import Viewer
from .boards import draw
from .palette import Inks, style
from .typeset import clean, clip, pad, width, wrap

if TYPE_CHECKING:
    from rich.text import Text

STORY = 7
"""The lines of the story below a board."""


def board(viewer: Viewer, columns: int, *, ascii_only: bool = False, inks: Inks = "terminal") -> list[Text]:
    """Return the lines of the board as the viewer's seat knows it; raises RulesetCrash where it cannot be drawn."""
    scene = draw(viewer.tape.ruleset, viewer.shown, f"{viewer.tape.shelf.name} @{viewer.position}")
    text = scene.to_rich(columns, ascii_only=ascii_only, inks=inks)
    return list(text.split("\n", allow_blank=True))


def story(
    viewer: Viewer, columns: int, rows: int, *, ahead: bool = True, ascii_only: bool = False, inks: Inks = "terminal"
) -> list[Text]:
    """Return up to `rows` lines of the story around the current moment, which is marked and never cut short if it fits.

    What is to come is dim, and left out without `ahead`.
    """
    from rich.text import Text

    beats = viewer.story(rows, rows if ahead else 0)
    now = max((beat.position for beat in beats if beat.position <= viewer.position), default=-1)
    past: list[Text] = []
    current: list[Text] = []
    coming: list[Text] = []
    for beat in beats:
        here = beat.position == now
        lines = [
            Text(line, _tone(beat, viewer.position, here, inks)) for line in _lines(beat, columns, here, ascii_only)
        ]
        (current if here else past if beat.position < now else coming).extend(lines)
    current = current[:rows]
    room = rows - len(current)
    above = min(len(past), max(room - len(coming), room * 2 // 3))
    return [*past[len(past) - above :], *current, *coming[: room - above]]


def _lines(beat: Beat, columns: int, here: bool, ascii_only: bool) -> list[str]:
    sign = (">" if ascii_only else "▶") if here else " "
    inner = "" if beat.heading or beat.acts else "  "
    found: list[str] = []
    for text in beat.lines():
        for part in wrap(clean(text), max(columns - 8 - len(inner), 20)):
            found.append(f"{f'{sign}{beat.position:>5}' if not found else '      '}  {inner}{part}")
    return [line.encode("ascii", "replace").decode() for line in found] if ascii_only else found


def _tone(beat: Beat, position: int, here: bool, inks: Inks) -> str:
    if here:
        return "bold reverse" if inks == "terminal" else f"bold {style('mark', inks)}"
    if beat.position > position:
        return style("muted", inks)
    return style("title", inks) if beat.heading else style("page", inks)


def status(viewer: Viewer, columns: int) -> str:
    """Return where the viewer stands on one line: address, decision, what is due, round, whose knowledge, which line."""
    where = viewer.where()
    if where.outcome is not None:
        due = f"over: {where.outcome.words or where.outcome.result}"
    elif where.decision is not None:
        due = f"{where.decision.seat} to decide"
    else:
        due = "" if where.between else "…"
    seen = "" if viewer.seat is None else f"as {viewer.seat} knows it"
    current = viewer.tape.tree.on_line(viewer.tip, viewer.tape.tip)
    line = "" if current else f"on the line of @{viewer.tip}"
    parts = [f"@{where.position}/{where.last} d{where.decisions}", due, seen, line]
    parts += [where.level_text, where.round_text, where.turn_text]
    return clip(" · ".join(clean(text) for text in parts if text), columns)


def fitting(viewer: Viewer, columns: int = 100, most: int = 100) -> tuple[int, int]:
    """Return the columns and rows of a screen that holds the boards at the start, the end and in between."""
    here, last, tallest = viewer.index, len(viewer.course) - 1, 0
    for part in range(5):
        viewer.first()
        viewer.step(last * part // 4)
        tallest = max(tallest, len(board(viewer, columns)))
    viewer.first()
    viewer.step(here)
    return columns, max(24, min(most, tallest + STORY + 1))


def frame(viewer: Viewer, columns: int, rows: int) -> list[Text]:
    """Return exactly `rows` lines for a recording: the board from the top, the story up to now, and where it is."""
    from rich.text import Text

    told = story(viewer, columns, STORY, ahead=False)
    drawn = board(viewer, columns)[: rows - STORY - 1]
    drawn += [Text()] * (rows - STORY - 1 - len(drawn))
    told += [Text()] * (STORY - len(told))
    line = status(viewer, columns)
    return [*drawn, Text(pad(line, columns) if width(line) < columns else line, "reverse"), *told]
