"""The best attack of a model from where it stands, or from where it could: shots, shells, bombs and blows."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from . import bot_odds as odds
from . import effects as e
from .actions import STOP, AimAt, Fight, Follow, Hellfire, Melta, Shoot
from .book import Gun
from .bot_outlook import Outlook
from .fighting import beside, can_strike, templates_beside
from .objectives import shielded
from .shooting import aim, guns, is_template, model_targets, neighbours
from .state import MARINES, Point, distance

SHELL, BOMB = 1.0, 1.0
"""What a hellfire shell and a melta-bomb are worth as long as templates are to be destroyed."""


class Attack(NamedTuple):
    """What an attack is expected to be worth, and the action."""

    value: float
    action: Any


NOTHING = Attack(0.0, None)


def strongest(outlook: Outlook, name: str) -> Attack:
    """Return the best attack of a model from where it stands; NOTHING when none is worth while."""
    state = outlook.state
    found = NOTHING
    if state.act(name).attacks <= 0:
        return found
    for word, gun in guns(outlook.book, state, name).items():
        targets = model_targets(outlook.book, state, name, gun.range)
        found = better(found, volley(outlook, name, word, gun, targets))
        if gun.hellfire and state.shells:
            found = better(found, shell(outlook, targets))
    if can_strike(outlook.book, state, name):
        found = better(found, by_hand(outlook, name))
    return found


def better(one: Attack, other: Attack) -> Attack:
    """Return the attack that is worth more, the first of equals."""
    return other if other.value > one.value else one


def bonus(outlook: Outlook, name: str, gun: Gun) -> int:
    """Return what is added to each die of a model's shots, an order's bonus included (TA-ORDER-12)."""
    effects = outlook.book.order_effects(outlook.state, name)
    return gun.bonus + sum(effect.amount for effect in effects if type(effect) is e.OrderShotBonus)


def volley(outlook: Outlook, name: str, word: str, gun: Gun, targets: Iterable[Any]) -> Attack:
    """Return the best way to share a gun's dice out over targets, which are in the order of the board."""
    aims = [target for target in targets if isinstance(target, str)]
    if not aims:
        return NOTHING
    more = bonus(outlook, name, gun)
    prizes = {target: outlook.prize(target) for target in aims}
    if not gun.split:
        return max(
            (
                Attack(
                    odds.hit(gun.fire, more, outlook.need(target)) * prizes[target] + spray(outlook, gun, target),
                    Shoot(((target, gun.fire),), word),
                )
                for target in aims
            ),
            key=lambda attack: attack.value,
        )
    shares = dict.fromkeys(aims, 0)
    misses = {target: 1 - odds.hit(1, more, outlook.need(target)) for target in aims}
    value = 0.0
    for _ in range(gun.fire):
        target = max(aims, key=lambda one: prizes[one] * misses[one] ** shares[one] * (1 - misses[one]))
        value += prizes[target] * misses[target] ** shares[target] * (1 - misses[target])
        shares[target] += 1
    return Attack(value, Shoot(tuple((target, dice) for target, dice in shares.items() if dice), word))


def spray(outlook: Outlook, gun: Gun, target: str) -> float:
    """Return what a blast does to those next to its target: enemies less friends (TA-WEAP-15, -20)."""
    if not gun.blast:
        return 0.0
    state = outlook.state
    squares = state.templates[target] if is_template(target) else (state.models[target].at,)
    total = 0.0
    for name in neighbours(state, squares):
        chance = odds.hit(gun.blast, 0, outlook.need(name))
        friend = outlook.book.side(name) == outlook.seat
        total += chance * (-outlook.stake(name) if friend else outlook.prize(name))
    return total


def shell(outlook: Outlook, targets: Iterable[Any]) -> Attack:
    """Return the best target of a hellfire shell, less what the shell is worth (TA-WEAP-9, -10, -14)."""
    state, found = outlook.state, NOTHING
    for target in targets:
        if is_template(target):
            if state.options.hellfire_vs_template == "no_effect":
                continue
            squares, value = state.templates[target], outlook.prize(target)
        else:
            model = state.models[target]
            squares, value = (model.at,), outlook.prize(target) * model.life
        for name in neighbours(state, squares):
            friend = outlook.book.side(name) == MARINES
            value += 0.5 * (-outlook.stake(name) if friend else outlook.prize(name)) * state.models[name].life
        found = better(found, Attack(value - SHELL, Hellfire(target)))
    return found


def aim_at(outlook: Outlook, actions: Sequence[Any]) -> Any:
    """Choose the empty square to burst a shot on: many enemies beside it and few friends (TA-WEAP-11)."""
    state, models = outlook.state, outlook.state.models

    def value(action: AimAt) -> float:
        total = 0.0
        for name in neighbours(state, (action.at,)):
            friend = outlook.book.side(name) == outlook.seat
            total += -outlook.stake(name) * models[name].life if friend else outlook.prize(name)
        return total

    return max(actions, key=value)


def by_hand(outlook: Outlook, name: str) -> Attack:
    """Return the best blow or bomb of a model against those beside it (TA-HTH, TA-OBJ-9, TA-WEAP-16)."""
    book, state = outlook.book, outlook.state
    found = NOTHING
    bombs = state.bombs and book.side(name) == MARINES
    fights = book.profiles[state.models[name].kind].hth > 0 or state.models[name].kind in book.acid
    for target in beside(book, state, name):
        if fights:
            found = better(found, Attack(blow(outlook, name, target), Fight(target)))
        if bombs:
            lives = state.models[target].life
            found = better(found, Attack(outlook.prize(target) * lives - BOMB, Melta(target)))
    for target in templates_beside(book, state, name):
        if fights:
            found = better(found, Attack(outlook.strike(name) * outlook.prize(target), Fight(target)))
        if bombs:
            found = better(found, Attack(outlook.prize(target) - BOMB, Melta(target)))
    return found


def blow(outlook: Outlook, name: str, target: str) -> float:
    """Return what a round against an enemy is worth."""
    fate = outlook.round(name, target)
    prize, stake = outlook.prize(target), outlook.stake(name)
    if outlook.state.models[target].prone:
        prize *= outlook.state.models[target].life
    return (fate.win + fate.draw) * prize - (fate.draw + fate.loss) * stake


def seen_from(outlook: Outlook, name: str, at: Point, gun: Gun, block: Container[Point]) -> list[str]:
    """Return the enemies and templates that a model could shoot at from another square, in the order of the board."""
    book, state, ship = outlook.book, outlook.state, outlook.ship
    foes = outlook.tyranids if outlook.seat == MARINES else outlook.marines
    found = [
        foe
        for foe in foes
        if distance(at, state.models[foe].at) <= gun.range
        and ship.sees(at, state.models[foe].at, block)
        and not shielded(book, state, state.models[foe].at, at)
    ]
    if outlook.seat == MARINES:
        found += [id for id in state.templates if aim(book, state, at, id, gun.range) is not None]
    return found


def without(standing: Mapping[Point, str], at: Point) -> dict[Point, str]:
    """Return who stands where, less the model on one square."""
    return {square: name for square, name in standing.items() if square != at}


def follow(outlook: Outlook, name: str, actions: Sequence[Any]) -> Any:
    """Choose whom a model presses on against after a won round, or to stop (TA-FOLLOW-1)."""
    found = Attack(0.0, STOP)
    for action in actions:
        if isinstance(action, Follow):
            found = better(found, Attack(blow(outlook, name, action.target), action))
    return found.action
