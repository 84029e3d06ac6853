"""Moving a model that is taken up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..rules import Refusal, Script
from .actions import Move
from .book import Book
from .events_model import ModelMoved
from .events_ship import ExplorationTriggered
from .reach import ends, limit, refuse_end, unexplored, way
from .state import MARINES, Act, HiveState


def moves(book: Book, state: HiveState, name: str) -> Sequence[Move]:
    """Return the moves of a model (TA-MOVE-1)."""
    return ends(book, state, name)


def carry_out(book: Book, state: HiveState, name: str, action: Move) -> Script:
    """Move along the shortest way; the first step onto an unexplored section sets off its exploration (TA-TURN-8)."""
    closed = unexplored(book, state) if book.side(name) == MARINES and state.trigger is None else ()
    path = way(book, state, name, action.to, action.way)
    left = limit(book, state, name) - len(path)
    yield ModelMoved(name, path, _after(state.act(name), left), rule="TA-MOVE-1")
    entered = next((square for square in path if square in closed), None) if closed else None
    if entered is not None:
        section = next(number for number in state.cards if entered in book.ship(state).squares[number])
        yield ExplorationTriggered(name, section, entered, rule="TA-EXPL-2")


def _after(act: Act, left: int) -> Act:
    """Return what is left to a model that has moved, with `left` squares of the move unused (TA-ORDER-9 to -12)."""
    resumed = act.split and act.attacked and act.left > 0
    begun = act.split and not act.attacked  # only a move begun before the attack can be gone on with after it
    attacks = act.attacks
    if act.fired:
        attacks = 0  # a Dreadnought's attack ends with its move
    elif attacks > 1 or act.shots:
        attacks = 1 if not act.shots and attacks else 0  # the shots of Sustained Fire are for those that do not move
    return msgspec.structs.replace(
        act,
        fresh=False,
        moves=act.moves if resumed else act.moves - 1,
        left=left if begun else 0,
        split=begun,
        attacks=attacks,
        stepped=True,
    )


def explain(book: Book, state: HiveState, name: str, action: Move) -> Refusal | None:
    """Say why a model may not move so."""
    act = state.act(name)
    if not limit(book, state, name):
        if act.attacked and act.stepped:
            return Refusal("TA-TURN-7", f"{name} has moved and attacked: a move is made in one piece")
        return Refusal("TA-TURN-6", f"{name} has moved")
    return refuse_end(book, state, name, action.to, action.way)
