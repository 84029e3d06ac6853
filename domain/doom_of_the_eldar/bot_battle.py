"""How a bot fights for either side: the order of battles, re-rolls, losses, retreats, mines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .actions import KEEP, ROLL_AGAIN, STAY, Detonate, Fight, LoseCounter, RetreatTo
from .bot_odds import FACES
from .bot_outlook import Outlook
from .state import ELDAR, TYRANID, Battle, other
from .steps import Lose, Reroll, Trim


def fight(outlook: Outlook, side: str, actions: Iterable[Any]) -> Fight:
    """Return the battle to fight first: in space before the Craftworld, the best one first."""
    return max((action for action in actions if isinstance(action, Fight)), key=lambda one: _due(outlook, side, one))


def _due(outlook: Outlook, side: str, action: Fight) -> tuple[bool, float]:
    area = action.area
    units = outlook.state.eldar[area]
    if area in outlook.book.deep:
        value = outlook.clash(area, units)
        return True, value if side == ELDAR else -value
    value = outlook.siege(area, units, outlook.foes[area], side)
    return False, value if side == TYRANID else -value


def battle_of(outlook: Outlook) -> Battle:
    """Return the battle that is on."""
    assert outlook.state.battle is not None
    return outlook.state.battle


def reroll(outlook: Outlook, step: Reroll) -> Any:
    """Have the die rolled again if that is better on average for the seat that may (DOE-REROLL-2)."""
    battle = battle_of(outlook)
    worths = [_worth(outlook, battle, roll) for roll in range(1, FACES + 1)]
    gain = sum(worths) / FACES - worths[battle.roll - 1]
    return ROLL_AGAIN if (gain if step.side == ELDAR else -gain) > 1e-9 else KEEP


def _worth(outlook: Outlook, battle: Battle, roll: int) -> float:
    """What a roll of the die on the table is worth to the Eldar."""
    odds, area = outlook.odds, battle.area
    units, tokens = outlook.state.eldar.get(area, []), outlook.foes.get(area, [])
    if battle.kind == "space":
        hits = outlook.book.fire(battle.total, roll)
        value = odds.fired if battle.side == ELDAR else odds.reply
        return value(outlook.fleet(units), len(tokens), hits, outlook.prize(area), battle.holder, True)
    return -odds.read(
        battle.column, roll, odds.company(units), outlook.pack(tokens, units), outlook.stakes[area],
        area in outlook.fort, battle.attacker, battle.holder,
    )  # fmt: skip


def lose(outlook: Outlook, step: Lose, actions: Iterable[Any]) -> LoseCounter:
    """Return the loss after which the battle stands best for its owner."""
    battle = battle_of(outlook)
    area, odds = battle.area, outlook.odds
    units, tokens = outlook.state.eldar.get(area, []), outlook.foes.get(area, [])
    next = other(battle.attacker)
    best: tuple[float, LoseCounter] | None = None
    met: dict[object, float] = {}
    for action in actions:
        id = action.id
        if step.side == ELDAR:
            key: object = odds.twin[id]
            if key not in met:
                left = [unit for unit in units if unit != id]
                after = (
                    outlook.clash(area, left)
                    if battle.kind == "space"
                    else -outlook.siege(area, left, tokens, next, forced=False)
                )
                met[key] = after - odds.worth[id]
        else:
            key = beast = outlook.beast(id, units)
            if key not in met:
                left = [token for token in tokens if token != id]
                met[key] = outlook.siege(area, units, left, next, forced=False) - beast.worth
        if best is None or met[key] > best[0]:
            best = met[key], action
    assert best is not None
    return best[1]


def retreat(outlook: Outlook, actions: Iterable[Any]) -> Any:
    """Fight on while that is worth more than to break off; else go where the fleet stands best (DOE-SPACE-4)."""
    area = battle_of(outlook).area
    units = outlook.state.eldar[area]
    ways = [action for action in actions if isinstance(action, RetreatTo)]
    if STAY in actions and (not ways or outlook.clash(area, units) > 0):
        return STAY
    return max(ways, key=lambda way: (haven(outlook, way.area), way.area))


def haven(outlook: Outlook, area: str) -> float:
    """Return how good an area without enemies is for a fleet to wait in: few Swarms beside it, friends, a forge."""
    book, foes = outlook.book, outlook.foes
    beside = sum(len(foes.get(next, ())) for next in book.near_space[area])
    friends = sum(outlook.book.units[id].combat for id in outlook.state.eldar.get(area, ()))
    return 0.05 * min(friends, 40) + 0.5 * bool(book.near_craftworld[area]) - 0.3 * beside


def mine(actions: Iterable[Any]) -> Any:
    """Let a Spore Mine burst: it is worth nothing else aboard the Craftworld (DOE-MINE-2)."""
    return next(action for action in actions if isinstance(action, Detonate))


def trim(outlook: Outlook, step: Trim, actions: Iterable[Any]) -> Any:
    """Give up what is worth least of what is too many (DOE-STACK-6)."""
    worth = outlook.odds.worth
    if step.side == ELDAR:
        return min(actions, key=lambda action: worth[action.id])
    return min(actions, key=lambda action: outlook.beast(action.id).worth)
