"""Games in which much happens: Marines who hurry on, and strike at objectives or leave them, and Tyranids who do anything."""

from __future__ import annotations

from typing import Any

from warptape.domain.chance import Luck
from warptape.domain.referee import Match
from warptape.domain.tyranid_attack.actions import AimAt, Fight, Melta, Move, Shoot, Take, UseModel
from warptape.domain.tyranid_attack.ship import nearest
from warptape.domain.tyranid_attack.state import MARINES, HiveState, Point
from warptape.domain.tyranid_attack.steps import Acting, Free


def eager(match: Match, luck: Luck) -> Any:
    """Choose at random, but more often than not what gets on: objectives that stand, else the unexplored section."""
    return _choose(match, luck, strike=True)


def hasty(match: Match, luck: Luck) -> Any:
    """Choose at random, but more often than not what leads to the unexplored section, past all objectives."""
    return _choose(match, luck, strike=False)


def _choose(match: Match, luck: Luck, strike: bool) -> Any:
    decision, state = match.decision, match.state
    assert decision is not None
    step: Any = state.pending[-1]
    actions = decision.actions
    if decision.seat == MARINES and luck.below(6):
        if isinstance(step, Free):
            uses = [action for action in actions if isinstance(action, UseModel)]
            return luck.choice(uses or list(actions))
        if isinstance(step, Acting):
            return _acting(state, step.model, list(actions), luck, strike)
    return luck.choice(actions)


def _acting(state: HiveState, name: str, actions: list[Any], luck: Luck, strike: bool) -> Any:
    strikes = [action for action in actions if strike and _strikes(action)]
    if strikes:
        return luck.choice(strikes)
    at, goals = state.models[name].at, _goals(state, strike)
    moves = [action for action in actions if isinstance(action, Move)]
    near = min(moves, key=lambda move: nearest(move.to, goals), default=None)
    if near is not None and nearest(near.to, goals) < nearest(at, goals):
        return near
    return luck.choice(actions)


def _strikes(action: Any) -> bool:
    """Whether an action is an attack on an objective, or takes up what lies there."""
    if isinstance(action, Shoot):
        return any(isinstance(target, str) and target.startswith("OBJ") for target, _ in action.volleys)
    if isinstance(action, Fight | Melta):
        return action.target.startswith("OBJ")
    return isinstance(action, Take | AimAt)


def _goals(state: HiveState, strike: bool) -> list[Point]:
    """The squares of the objectives that stand, or the middle of the front section."""
    found = [square for squares in state.templates.values() for square in squares] if strike else []
    i, j = state.chain[-1].cell
    return found or [(14 * i + 7, 10 * j + 5)]
