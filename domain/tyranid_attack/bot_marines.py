"""The boarding party in its part: shoot what is seen, gather before the next section, open it, and fire again."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property
from typing import Any

from . import bot_odds as odds
from .actions import DONE, END, Move, PlayOrder, Take, UseModel
from .bot_attacks import NOTHING, Attack, seen_from, strongest, volley, without
from .bot_outlook import FAR_AWAY, Outlook
from .fighting import can_strike
from .reach import ENTER, ends, flood, limit
from .shooting import guns
from .state import MARINES, Act, Point

WORTH_WHILE = 0.05
"""What an attack must be worth to be made."""
STEP = 0.05
"""What a step towards the goal is worth, in Scouts."""
PATIENCE, HASTE = 12, 8
"""From which turn on steps are worth more, and in how many turns as much again."""
HOLD = 3
"""How near the Marines come to a section that they do not open yet."""
CLOSE = 9
"""How near a Marine must be to count as gathered."""
GATHERED = 0.6
"""What part of the party must be gathered before a section is opened."""
READY = 4
"""How many others must not have acted yet when a section is opened, if there are so many."""
CROWDED, ARM = 0.1, 2
"""What it costs to stand within two squares of another Marine: one enemy could strike both."""
DEPTH = 0.12
"""What each step into an unexplored section costs him who opens it."""
CUT_OFF, LAGGING = 5.0, 0.3
"""What it costs to be on the rear section alone, in lives: when the next is opened, and else."""
ALONE = 0.06
"""What each square costs that a Marine is farther from the next one than need be."""
FRIENDS = 4
"""How near the next Marine should be."""
BEST = 24
"""For how many squares it is looked at what can be shot from there."""


class Command:
    """The Marines' part as their player sees it."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.book, self.state = outlook.book, outlook.state
        self.rear = (self.state.chain[0].section,)
        self.step = STEP * (1 + max(0, self.state.turn - PATIENCE) / HASTE)
        """What a step towards the goal is worth now: who waits for ever is overrun."""

    # Who acts

    def free(self, actions: Sequence[Any]) -> Any:
        """Choose an order, or who acts next: who shoots best, then who opens the section, then who leads the way."""
        fresh = [action.model for action in actions if isinstance(action, UseModel)]
        if not fresh:
            return END
        attacks = {name: strongest(self.outlook, name) for name in fresh}
        order = self.order(fresh, attacks)
        if order is not None and order in actions:
            return order
        first = max(fresh, key=lambda name: attacks[name].value)
        if attacks[first].value > WORTH_WHILE:
            return UseModel(first)
        opener = self.opener(fresh)
        if opener:
            return UseModel(opener)
        goal, models = self.outlook.goal, self.state.models
        return UseModel(min(fresh, key=lambda name: goal.get(models[name].at, FAR_AWAY)))

    def order(self, fresh: Sequence[str], attacks: dict[str, Attack]) -> PlayOrder | None:
        """Choose an order to play now; None where all are better kept."""
        state, outlook = self.state, self.outlook
        if state.served is not None or not state.orders or len(fresh) < 2:
            return None
        scout = ""
        if not any(state.models[name].kind in self.book.sergeants for name in outlook.marines):
            scouts = [name for name in fresh if self.book.kind(name) in self.book.scouts]
            scout = max(scouts, key=lambda name: attacks[name].value) if scouts else ""
            if len(fresh) - len(scouts) + bool(scout) < 2:
                return None
        firing = [name for name in fresh if attacks[name].value > 0.2 and self.book.guns.get(state.models[name].kind)]
        total = sum(attacks[name].value for name in firing)
        if len(firing) >= 3 and total > 2.0:
            for key in ("sustained", "mark"):
                if key in state.orders:
                    return PlayOrder(key, scout)
        striking = [name for name in fresh if outlook.busy and outlook.goal.get(state.models[name].at, FAR_AWAY) <= 8]
        if "blades" in state.orders and len(striking) >= 3:
            return PlayOrder("blades", scout)
        if "double" in state.orders and not outlook.tyranids and len(fresh) >= 5:
            ways = sorted(outlook.goal.get(state.models[name].at, FAR_AWAY) for name in fresh)
            if ways[len(ways) // 2] >= 8:
                return PlayOrder("double", scout)
        return None

    # Opening a section

    def opener(self, fresh: Sequence[str]) -> str:
        """Return who opens the unexplored section now; empty if nobody should."""
        if not self.ready(len(fresh) - 1):
            return ""
        able = [name for name in fresh if self.entering(name)]
        return min(able, key=self.price) if able else ""

    def price(self, name: str) -> tuple[float, int]:
        """Return what is risked with a Marine who opens a section, and how far he has to go."""
        return self.outlook.worth(name) * self.state.models[name].life, self.outlook.goal[self.state.models[name].at]

    def entering(self, name: str) -> bool:
        """Say whether a Marine can step into the unexplored section with a move."""
        way = self.outlook.goal.get(self.state.models[name].at, FAR_AWAY)
        return not self.outlook.busy and way <= limit(self.book, self.state, name) and bool(self.inward(name))

    def inward(self, name: str) -> bool:
        """Say whether a way of a Marine leads into the unexplored section."""
        return bool(flood(self.book, self.state, name).enter)

    def ready(self, others: int) -> bool:
        """Say whether the next section may be opened: the party is gathered and can answer what comes."""
        state, outlook = self.state, self.outlook
        if outlook.busy or state.trigger is not None:
            return False
        able = [name for name in outlook.marines if not state.models[name].prone]
        if not able:
            return False
        left = [name for name in able if outlook.ship.sections[state.models[name].at] == self.rear]
        weight = {name: 1.0 if self.book.move(state.models[name]) > 4 else 0.5 for name in able}
        near = [name for name in able if outlook.goal.get(state.models[name].at, FAR_AWAY) <= CLOSE]
        if state.options.turn_limit and state.turn > state.options.turn_limit * 2 // 3:
            return bool(near)
        if sum(outlook.worth(name) for name in left) >= 1:
            return False
        return sum(weight[name] for name in near) >= GATHERED * sum(weight.values()) and others >= min(
            READY, len(near) - 1
        )

    # What he does

    def acting(self, name: str, actions: Sequence[Any]) -> Any:
        """Choose what the Marine who is taken up does: attack if there is something, go where it is best, be done."""
        attack = strongest(self.outlook, name)
        act, at = self.state.act(name), self.state.models[name].at
        moving = limit(self.book, self.state, name)
        if attack.value > WORTH_WHILE and not (moving and act.attacks == 1 and self.better_beside(name, attack)):
            return attack.action
        if moving:
            others = sum(
                self.state.act(one).fresh and not self.state.models[one].prone and one != name
                for one in self.outlook.marines
            )
            square, way = self.choose(name, act, self.ready(others) and self.entering(name))
            if way == ENTER or square != at:
                return Move(square, way)
        if attack.value > 0:
            return attack.action
        if can_strike(self.book, self.state, name):
            for number, square in sorted(self.state.artifacts.items()):
                if square == at:
                    return Take(number)
        return DONE

    def better_beside(self, name: str, attack: Attack) -> bool:
        """Say whether a blow or bomb against a template within a move is worth more than an attack from here."""
        outlook = self.outlook
        if not outlook.busy or not can_strike(self.book, self.state, name):
            return False
        found = flood(self.book, self.state, name).avoid
        way = min((found.get(square, FAR_AWAY) for square in self.beside_templates), default=FAR_AWAY)
        return 0 < way < FAR_AWAY and self.at_template(name) > attack.value + 0.2

    @cached_property
    def beside_templates(self) -> list[Point]:
        """The free squares next to templates on explored sections."""
        if not self.outlook.busy:
            return []
        return [at for at, number in self.outlook.goal.items() if number == 0 and at not in self.state.at]

    def at_template(self, name: str) -> float:
        """Return what a Marine's attack on a template beside him is worth."""
        prizes = [self.outlook.prize(id) for id in self.state.templates]
        chance = self.outlook.strike(name)
        gun = guns(self.book, self.state, name).get("")
        if gun is not None:
            chance = max(chance, odds.hit(gun.fire, gun.bonus, self.book.armour))
        return max(chance * max(prizes), max(prizes) - 1.0 if self.state.bombs else 0.0)

    def choose(self, name: str, act: Act, opening: bool) -> tuple[Point, str]:
        """Return where a Marine moves and by which kind of way; his own square to stay."""
        state, outlook = self.state, self.outlook
        at = state.models[name].at
        found = flood(self.book, state, name)
        others = [state.models[one].at for one in outlook.marines if one != name]
        scored: list[tuple[float, Point, str]] = []
        ways = [(move.to, move.way) for move in ends(self.book, state, name)]
        if not opening:
            ways.append((at, ""))
        for square, way in ways:
            enters = way == ENTER or (not way and square not in found.avoid)
            if enters != opening:
                continue
            scored.append((self.place(name, square, others, opening), square, way))
        if not scored:
            return at, ""
        scored.sort(key=lambda item: (-item[0], item[1][1], item[1][0], item[2]))
        gun = guns(self.book, state, name).get("") if act.attacks > 0 else None
        block: Container[Point] = without(state.at, at)
        best = scored[0]
        top: tuple[float, Point, str] | None = None
        for value, square, way in scored[:BEST]:
            risk = outlook.risk(name, square) * outlook.worth(name)
            total = value - risk
            if act.attacks > 0:
                total += self.attack_from(name, square, gun, block).value
            if top is None or total > top[0] + 1e-9:
                top = (total, square, way)
        return (top or best)[1:]

    def attack_from(self, name: str, square: Point, gun: Any, block: Container[Point]) -> Attack:
        """Return what an attack from another square is worth."""
        outlook = self.outlook
        found = NOTHING
        if gun is not None and (outlook.tyranids or self.state.templates):
            found = volley(outlook, name, "", gun, seen_from(outlook, name, square, gun, block))
        if outlook.busy and outlook.goal.get(square) == 0 and can_strike(self.book, self.state, name):
            value = self.at_template(name)
            if value > found.value:
                found = Attack(value, None)
        return found

    def place(self, name: str, square: Point, others: Sequence[Point], opening: bool) -> float:
        """Return what it is worth to stand on a square: near the goal, loosely together."""
        outlook = self.outlook
        way = outlook.goal.get(square, FAR_AWAY)
        hold = 0 if outlook.busy else HOLD
        value = -self.step * max(way, hold)
        x, y = square
        nearest = FAR_AWAY
        for u, v in others:
            far = max(abs(u - x), abs(v - y))
            nearest = min(nearest, far)
            if far <= ARM:
                value -= CROWDED
        if FRIENDS < nearest < FAR_AWAY:
            value -= ALONE * (nearest - FRIENDS)
        if square in outlook.closed:
            value -= DEPTH * outlook.steps_in(square)
        if outlook.ship.sections[square] == self.rear:
            value -= outlook.worth(name) * (CUT_OFF if opening else LAGGING)
        return value


def command(outlook: Outlook) -> Command:
    """Return the command of the Marines; the outlook must be theirs."""
    assert outlook.seat == MARINES
    return Command(outlook)
