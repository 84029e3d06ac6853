"""A position in rows of words, for where no board is drawn."""

from __future__ import annotations

from ..secrets import Secret
from ..words import sentence
from .book import Book
from .endings import points
from .events_turn import PHASE_NAMES
from .state import BOXES, DoomState, lid_size
from .writing import piece


def summary(book: Book, state: DoomState) -> list[tuple[str, str]]:
    """Return label and text of each thing on the table, as far as the holder of the state (or view) may know it."""
    rows = []
    if state.turn:
        phase = PHASE_NAMES.get(state.phase, "")
        rows.append(("Turn", f"{state.turn}: {phase}" if phase else str(state.turn)))
    rows.append(("Wave Assault Track", _track(book, state)))
    eldar, parts = points(book, state)
    rows.append(("Points as they stand", f"Eldar {eldar}, Tyranids {sum(parts.values())}"))
    for area in book.areas:
        here = _area(book, state, area)
        if here:
            rows.append((f"{sentence(book.names.area(area))} ({area})", here))
    for box in BOXES:
        if state.eldar.get(box):
            rows.append((sentence(book.names.box(box)), " ".join(state.eldar[box])))
    if state.eldar.get(""):
        rows.append(("To be set up", " ".join(state.eldar[""])))
    rows.append(("In the lid", str(lid_size(state))))
    order = state.standing_order()
    if order is not None and isinstance(state.order, Secret):
        rows.append(("The mine's standing order", str(order) if order else "0 (never)"))
    if state.quiet:
        rows.append(("Quiet turns running", str(state.quiet)))
    return rows


def _track(book: Book, state: DoomState) -> str:
    row = book.row(state.marker, state.options)
    if state.over:
        return f"box {state.marker}; the assault ended in turn {state.over}"
    doubles = row.ending_doubles
    ends = f"double {', '.join(map(str, doubles))}" if doubles else "no double"
    return f"box {state.marker}; {ends} ends the assault"


def _area(book: Book, state: DoomState, area: str) -> str:
    """Say what stands in an area, Swarms bottom to top; empty for space that is empty."""
    words = []
    if area in state.fortified:
        words.append("fortified")
    elif area in state.devastated:
        words.append("devastated")
    sides = [
        " ".join(state.eldar.get(area, ())),
        " ".join(_token(state, token) for token in state.stacks.get(area, ())),
    ]
    words += [side for side in sides if side]
    return "; ".join(words)


def _token(state: DoomState, token: str) -> str:
    counter = state.counter(token)
    name = piece(state, token)
    return f"{name}[{counter}]" if counter and token not in state.face else name
