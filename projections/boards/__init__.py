"""Boards: one module a game turns a state into a scene; they are found by entry point, like rulesets."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from ...domain.errors import RulesetCrash, WarptapeError
from ...domain.rules import Ruleset

GROUP = "warptape.boards"
PLAIN = 100
"""The columns of a picture."""

Board = Callable[[Ruleset, Any, str], Any]
_loaded: dict[str, Board | None] = {}


def draw(ruleset: Ruleset, state: Any, title: str = "") -> Any:
    """Return the scene of a state (a seat's view shows what that seat may know); a table where a game has no board.

    Raises RulesetCrash for a state that it cannot draw.
    """
    if ruleset.id not in _loaded:
        points = {point.name: point for point in entry_points(group=GROUP)}
        _loaded[ruleset.id] = points[ruleset.id].load() if ruleset.id in points else None
    board = _loaded[ruleset.id]
    try:
        if board is not None:
            return board(ruleset, state, title)
        from ..scene import table

        return table(title or ruleset.title, ruleset.summarize(state))
    except WarptapeError:
        raise
    except Exception as error:
        raise RulesetCrash(
            f"The board of {title or ruleset.title} cannot be drawn ({type(error).__name__}: {error}). An audit says "
            "whether the log is to blame."
        ) from error


def picture(ruleset: Ruleset, state: Any) -> str:
    """Return the drawing of a state as plain text of a fixed width, for comparing; raises RulesetCrash as `draw` does."""
    return str(draw(ruleset, state).text(PLAIN, ascii_only=True))
