"""The board of Space Marine Adventures: a state, or a view of one, as a Scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....domain.rules import Decision
from ....domain.space_marine_adventures.book import Book
from ....domain.space_marine_adventures.events_action import RESULTS
from ....domain.space_marine_adventures.state import LevelState
from ...scene import Key, Scene
from .hulk import Table
from .panels import panels
from .words import mission, short

SQUARE_ASKED = Key(text="can be chosen", glyph=" * ", role="mark")


def board(ruleset: Any, state: LevelState, title: str = "") -> Scene:
    """Return the scene of a level: the hulk with all that stands on it, the squad, the decks, the legal targets."""
    return draw(ruleset.book, state, title or ruleset.title, ruleset.decision(state))


def draw(book: Book, state: LevelState, title: str, decision: Decision | None = None) -> Scene:
    """Return the scene of a level from its content and its state; what a decision offers is marked on the board."""
    table = Table(book, state)
    cells, pieces = tuple(table.cells()), tuple(table.pieces())
    marks = tuple(table.marks(decision))
    return Scene(
        title=title,
        subtitle=". ".join(_subtitle(book, state, decision)),
        cells=cells,
        axes=table.axes(),
        pieces=pieces,
        marks=marks,
        panels=tuple(panels(book, state)),
        legend=(*table.legend(cells, pieces), *((SQUARE_ASKED,) if decision and marks else ())),
    )


def _subtitle(book: Book, state: LevelState, decision: Decision | None) -> Iterator[str]:
    briefing = mission(book, state)
    yield book.names.mission(briefing.id) if briefing else f"Level {state.level or state.options.levels[0]}"
    if state.face:
        yield book.names.face(state.face)
    if state.round:
        yield f"Round {state.round}"
    if state.ended:
        yield RESULTS.get(state.ended.result, state.ended.result).capitalize()
    elif state.turn:
        yield f"{short(book, state.turn.marine)} acts"
    elif decision and decision.prompt:
        yield decision.prompt
