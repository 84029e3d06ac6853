"""What a bot buys, brings in and places: reinforcements, defenders, templates, cysts, those who return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import bot_odds as odds
from . import steps
from .actions import (
    READY,
    ArmWith,
    BuyKind,
    DropWeapon,
    EnterModel,
    PickModel,
    PutCyst,
    PutModel,
    ReturnScout,
    StandTemplate,
)
from .book import Book
from .bot_ambush import together
from .bot_outlook import FAR_AWAY, Outlook
from .exploration import spots
from .objectives import first_of_kind
from .placing import cyst_squares, doors, entering, free_squares, placeable
from .state import HiveState

PARTY = (("commander", 1), ("heavy_scout", 2), ("scout", 6))
"""Whom the bot buys, as far as the points go."""
RETURNING = ("SG", "HV", "SC")
"""Who comes back first."""


def buy(book: Book, state: HiveState, actions: Sequence[Any]) -> Any:
    """Choose the next purchase: those of the bot's party, in their order, as far as the points go (TA-BUY-1)."""
    for kind, count in PARTY:
        have = sum(name[:2] == book.catalogue.codes[kind] for name in state.party)
        for more in range(count - have, 0, -1):
            if BuyKind(kind, more) in actions:
                return BuyKind(kind, more)
    return READY if READY in actions else actions[0]


def enter(outlook: Outlook, step: steps.Enter) -> EnterModel:
    """Choose who enters and where (TA-REINF-2); by the roll it acts at once (TA-TURN-9)."""
    names, squares = entering(outlook.book, outlook.state), doors(outlook.book, outlook.state)
    return EnterModel(*together(outlook, names, squares, step.fresh))


def put(outlook: Outlook, step: steps.Put) -> PickModel:
    """Choose who is placed, with the square in mind (TA-CARD-2)."""
    squares = free_squares(outlook.book, outlook.state, step.section, step.apart)
    return PickModel(together(outlook, placeable(outlook.book, outlook.state, step), squares, False)[0])


def put_on(outlook: Outlook, step: steps.PutOn) -> PutModel:
    """Choose where it is placed (TA-CARD-2)."""
    squares = free_squares(outlook.book, outlook.state, step.section, step.apart)
    return PutModel(*together(outlook, (step.model,), squares, False))


def template(outlook: Outlook, step: steps.PlaceTemplate) -> StandTemplate:
    """Choose where a template stands: far from the Marines and seen from few squares (TA-OBJ-2)."""
    ship, best, top = outlook.ship, None, -1e9
    section = outlook.book.catalogue.objectives[step.objective].number
    gates = [square for square in ship.squares[section] if len(ship.sections[square]) > 1]
    for corner, tall, squares in spots(outlook.book, outlook.state, step.objective):
        way = min(outlook.to_marines.get(square, FAR_AWAY) for square in squares)
        seen = sum(ship.sees(gate, square, (), squares) for gate in gates for square in squares)
        value = 0.1 * min(way, 60) - 0.1 * seen
        if value > top + 1e-9:
            best, top = StandTemplate(corner, tall), value
    assert best is not None
    return best


def cyst(outlook: Outlook, step: steps.LayCyst) -> PutCyst:
    """Choose where a cyst opens: near the Marines, and not where they will soon stand (TA-CYST-1)."""
    squares = cyst_squares(outlook.book, outlook.state, step)
    return PutCyst(min(squares, key=lambda square: abs(outlook.to_marines.get(square, FAR_AWAY) - 5)))


def comes_back(outlook: Outlook, step: steps.Return) -> ReturnScout:
    """Choose the Scout who returns: Sergeants first (TA-SPEC-1)."""
    state = outlook.state
    names = first_of_kind(state.lost)
    name = min(names, key=lambda one: RETURNING.index(one[:2]) if one[:2] in RETURNING else len(RETURNING))
    return ReturnScout(name, next(square for square in step.squares if square not in state.at))


def found(outlook: Outlook, actions: Sequence[Any]) -> Any:
    """Choose where a found Marine stands: as far ahead as he may (TA-CARD-3)."""
    goal = outlook.goal
    return min(actions, key=lambda action: goal.get(action.at, FAR_AWAY))


def arm(outlook: Outlook, actions: Sequence[Any]) -> ArmWith:
    """Choose a Dreadnought's next weapon: what hits most at once (TA-DREAD-4)."""
    return max((action for action in actions if isinstance(action, ArmWith)), key=lambda a: force(outlook, a.weapon))


def drop(outlook: Outlook, step: steps.Drop, actions: Sequence[Any]) -> DropWeapon:
    """Choose the weapon that a hurt Dreadnought can best do without (TA-DREAD-6)."""
    arms = outlook.state.models[step.model].arms
    return min((a for a in actions if isinstance(a, DropWeapon)), key=lambda a: force(outlook, arms[a.mount]))


def force(outlook: Outlook, weapon: str) -> float:
    """Return what a heavy weapon is expected to do to Scouts in a turn."""
    gun = outlook.book.heavies[weapon]
    hits = gun.fire * odds.hit(1, gun.bonus, 4) if gun.split else odds.hit(gun.fire, gun.bonus, 4)
    return (hits + 0.3 * gun.blast) * (0.6 if gun.recharge else 1.0) * (0.7 if gun.range <= 12 else 1.0)


def sphincter(outlook: Outlook, step: steps.Return) -> Any:
    """Bring everybody back who may come (TA-SPEC-1)."""
    return comes_back(outlook, step) if outlook.state.lost else READY


def stand(outlook: Outlook, actions: Sequence[Any]) -> Any:
    """Choose where a Marine starts: the nearest to the unexplored section that is no nearer than need be (TA-SETUP-16)."""
    goal = outlook.goal
    return min(actions, key=lambda action: abs(goal.get(action.at, FAR_AWAY) - 3))
