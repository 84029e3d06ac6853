"""The hive in its part: shoot, strike where it can, and else keep out of sight as near as may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .actions import DONE, END, Move, UseModel
from .bot_attacks import Attack, blow, seen_from, strongest, volley, without
from .bot_outlook import FAR_AWAY, Outlook
from .fighting import can_strike
from .reach import flood, limit
from .ship import AROUND
from .shooting import guns
from .state import Point, distance

WORTH_WHILE = 0.05
"""What an attack must be worth to be made."""
MORE = 0.3
"""What each further Marine beside a square is worth to one that may follow up."""
NEARER = 0.03
"""What a step nearer to the Marines is worth."""
SPRING = 0.25
"""What it is worth to be near enough to strike in the next part."""
GAIN = 0.02
"""What another square must be better by to be moved to."""


class Brood:
    """The Tyranids' part as their player sees it."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.book, self.state = outlook.book, outlook.state
        self.prey = outlook.marines

    def free(self, actions: Sequence[Any]) -> Any:
        """Choose who acts next: the best attack first, guns before claws; then those that hide."""
        fresh = [action.model for action in actions if isinstance(action, UseModel)]
        plans = {name: self.plan(name) for name in fresh}
        able = [name for name in fresh if plans[name].value > WORTH_WHILE]
        if able:
            return UseModel(max(able, key=lambda name: plans[name].value + (name[:2] in _GUNS)))
        for name in fresh:
            if self.hide(name) != self.state.models[name].at:
                return UseModel(name)
        return END

    def acting(self, name: str, actions: Sequence[Any]) -> Any:
        """Choose what the model that is taken up does: attack, come where it can, or hide."""
        plan = self.plan(name)
        if plan.value > WORTH_WHILE and plan.action is not None:
            return plan.action
        if limit(self.book, self.state, name):
            square = self.hide(name)
            if square != self.state.models[name].at:
                return Move(square, "")
        return DONE

    # Attacks

    def plan(self, name: str) -> Attack:
        """Return the best attack of a model, from where it stands or after a move to where it can be made."""
        found = strongest(self.outlook, name)
        state = self.state
        if state.act(name).attacks <= 0 or not limit(self.book, state, name):
            return found
        if can_strike(self.book, state, name):
            found = self.charge(name, found)
        if found.value <= WORTH_WHILE and guns(self.book, state, name):
            found = self.stalk(name, found)
        return found

    def charge(self, name: str, found: Attack) -> Attack:
        """Return the best strike after a move, if it is better than what was found."""
        outlook, state = self.outlook, self.state
        zone, ways = outlook.zone(name), None
        fights = self.book.profiles[state.models[name].kind].hth > 0 or state.models[name].kind in self.book.acid
        if not fights:
            return found
        for target in self.prey:
            x, y = there = state.models[target].at
            if not zone & outlook.ship.plane.bit(there):
                continue
            value = blow(outlook, name, target)
            if value <= WORTH_WHILE:
                continue
            ways = ways or flood(self.book, state, name).avoid
            for u, v in AROUND:
                square = (x + u, y + v)
                if square in ways and (square not in state.at or square == state.models[name].at):
                    total = value + MORE * self.company(square, target)
                    if total > found.value + 1e-9:
                        here = square == state.models[name].at
                        found = Attack(total, found.action if here else Move(square, ""))
        return found

    def company(self, square: Point, target: str) -> int:
        """Return how many Marines besides the target stand next to a square."""
        models = self.state.models
        return sum(distance(models[name].at, square) <= 1 for name in self.prey if name != target)

    def stalk(self, name: str, found: Attack) -> Attack:
        """Return the best shot after a move, if it is better than what was found."""
        outlook, state = self.outlook, self.state
        (word, gun), *_ = guns(self.book, state, name).items()
        at = state.models[name].at
        block = without(state.at, at)
        for square in flood(self.book, state, name).avoid:
            if square in state.at:
                continue
            targets = seen_from(outlook, name, square, gun, block)
            if targets:
                value = volley(outlook, name, word, gun, targets).value - 0.3 * self.exposed(name, square)
                if value > found.value + 1e-9:
                    found = Attack(value, Move(square, ""))
        return found

    # Hiding

    def hide(self, name: str) -> Point:
        """Return where a model waits: out of sight, and near enough to strike."""
        at = self.state.models[name].at
        here = self.lair(name, at)
        best, top = at, here + GAIN
        if not limit(self.book, self.state, name):
            return at
        for square in flood(self.book, self.state, name).avoid:
            if square in self.state.at:
                continue
            value = self.lair(name, square)
            if value > top + 1e-9:
                best, top = square, value
        return best

    def lair(self, name: str, square: Point) -> float:
        """Return what it is worth to wait on a square."""
        outlook = self.outlook
        move = self.book.move(self.state.models[name])
        way = outlook.to_marines.get(square, FAR_AWAY)
        value = -NEARER * min(way, 60) - self.exposed(name, square) * (0.3 + outlook.stake(name))
        return value + SPRING * (way <= move + 1)

    def exposed(self, name: str, square: Point) -> float:
        """Return how likely a model on a square is shot in the next Marine part."""
        return exposed(self.outlook, square, self.book.armour_of(self.state.models[name]))


UNSEEN = 0.4
"""How likely a Marine who can come near a square will see it."""
_GUNS = ("DS", "HB", "HP", "AN", "CM", "CH", "CC", "NS", "DN")


def exposed(outlook: Outlook, square: Point, armour: int) -> float:
    """Return how likely a model of that armour is shot on a square: by those who see it, and who may come to see it."""
    found = outlook.exposures.get((square, armour))
    if found is None:
        found = outlook.exposures[square, armour] = _exposed(outlook, square, armour)
    return found


def _exposed(outlook: Outlook, square: Point, armour: int) -> float:
    safe = 1.0
    x, y = square
    sees, bit = outlook.ship.sees, outlook.ship.plane.bit(square)
    for shooter in outlook.shooters:
        u, v = shooter.at
        far = max(abs(u - x), abs(v - y))
        if far > shooter.reach:
            continue
        if far <= shooter.range and sees(shooter.at, square, ()):
            safe *= shooter.misses[armour]
        elif bit & shooter.near:
            safe *= 1 - UNSEEN * (1 - shooter.misses[armour])
    return 1 - safe
