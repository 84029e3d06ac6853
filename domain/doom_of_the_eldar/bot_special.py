"""How a bot makes the Eldar's special actions: visions, torpedoes, what comes back where, and conversions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .actions import END, Convert, HitSwarm, PlaceUnit, Use
from .bot_battle import haven
from .bot_outlook import Outlook
from .specials import conversions, uses
from .state import face_down

SALVAGE = 0.5
"""What of a unit's worth is left when it goes to a box from which it may come back."""
GAIN = 0.03
"""From how much gain on a unit converts."""


def special(outlook: Outlook) -> Any:
    """Return the next special action: what the areas can do, the vision first, then conversions that gain."""
    found = list(uses(outlook.book, outlook.state))
    looks = [use for use in found if use.target]
    if looks:
        return max(looks, key=lambda use: _unknown(outlook, use))
    return found[0] if found else convert(outlook) or END


def _unknown(outlook: Outlook, use: Use) -> tuple[bool, int]:
    """How much a vision of an area tells: of Swarms that may land next before others."""
    tokens = [token for token in face_down(outlook.state, use.target) if outlook.state.counter(token) is None]
    return bool(outlook.book.near_craftworld[use.target] and tokens), len(tokens)


def hit(outlook: Outlook, actions: Iterable[Any]) -> HitSwarm:
    """Return the Swarm that torpedoes should destroy: one that may land next, the strongest, the least guarded area."""
    book, state = outlook.book, outlook.state

    def harm(action: HitSwarm) -> tuple[float, str]:
        area = state.swarms[action.token]
        near = book.near_craftworld[area]
        weak = max((outlook.exposure(next, tuple(state.eldar.get(next, ()))) for next in near), default=0.0)
        return (1.0 if near else 0.0) + weak + outlook.beast(action.token).worth, action.token

    return max((action for action in actions if isinstance(action, HitSwarm)), key=harm)


def place(outlook: Outlook, actions: Iterable[Any]) -> PlaceUnit:
    """Return which unit comes back and where to: where the Craftworld is safer for it; ships to the fleet."""
    best: tuple[float, PlaceUnit | None] = (-99.0, None)
    met: dict[object, float] = {}
    for action in actions:
        key = (outlook.odds.twin[action.unit], action.area)
        if key not in met:
            met[key] = _placed(outlook, action)
        if best[1] is None or met[key] > best[0]:
            best = met[key], action
    assert best[1] is not None
    return best[1]


def _placed(outlook: Outlook, action: PlaceUnit) -> float:
    worth = outlook.odds.worth[action.unit]
    if action.area in outlook.book.deep:
        return 10 * worth + haven(outlook, action.area) - 2 * len(outlook.foes.get(action.area, ()))
    return 0.3 * worth + relief(outlook, action.unit, action.area)


def relief(outlook: Outlook, unit: str, area: str) -> float:
    """Return how much safer a Craftworld area is for one more unit; a full one gains nothing."""
    book = outlook.book
    here = tuple(outlook.state.eldar.get(area, ()))
    if sum(book.units[id].counts for id in here) >= book.limit:
        return -1.0
    return outlook.exposure(area, here) - outlook.exposure(area, (*here, unit))


def convert(outlook: Outlook) -> Convert | None:
    """Return the conversion that gains most, None if none gains enough (DOE-CONV-1, DOE-CONV-2)."""
    book, state, worth = outlook.book, outlook.state, outlook.odds.worth
    best: tuple[float, Convert | None] = (GAIN, None)
    met: set[object] = set()
    for unit, made in conversions(book, state):
        start = state.units[unit]
        for action in made:
            key = (outlook.odds.twin[unit], start, outlook.odds.twin[action.taken], action.area)
            if key in met:
                continue
            met.add(key)
            gain = -worth[unit] * (1 - SALVAGE)
            if action.area in book.deep:
                here = tuple(state.eldar[start])
                rest = tuple(id for id in here if id != unit)
                gain += outlook.exposure(start, here) - outlook.exposure(start, rest)
                gain += worth[action.taken] * SALVAGE
                gain -= 0.2 * len(outlook.foes.get(action.area, ()))
            else:
                gain += relief(outlook, action.taken, action.area) - (1 - SALVAGE) * worth[action.taken] * 0.2
            if gain > best[0]:
                best = gain, action
    return best[1]
