"""The boarding party in its part: shoot what is seen, gather before the next section, open it, and fire again."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from . import bot_odds as odds
from .actions import DONE, END, Move, PlayOrder, Take, UseModel
from .bot_attacks import NOTHING, Attack, seen_from, strongest, volley, without
from .bot_outlook import FAR_AWAY, Outlook
from .bot_sight import view
from .fighting import can_strike
from .reach import ENTER, ends, flood, limit
from .shooting import guns
from .state import Point

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
ALONE = 0.12
"""What each square costs that a Marine is farther from the next one than need be."""
FRIENDS = 3
"""How near the next Marine should be."""
BEST = 24
"""For how many squares it is looked at what can be shot from there, the most promising first."""
HOPE = 0.8
"""What an attack after a move counts, against one that can be made from where one stands."""


class Layer(NamedTuple):
    """What an attack on a target is worth, from which squares it can be made, as bits, and how likely it kills.

    Without a name the target is a template that is attacked from beside it.
    """

    value: float
    squares: int
    target: str
    chance: float


_NO_LAYER = Layer(0.0, 0, "nothing", 0.0)


class Stand(NamedTuple):
    """What it is worth to stand on a square, the square, and the kind of way there."""

    value: float
    at: Point
    way: str


class Command:
    """The Marines' part as their player sees it."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.book, self.state = outlook.book, outlook.state
        self._layers: dict[str, list[Layer]] = {}
        self._places: dict[tuple[str, bool], list[Stand]] = {}
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
        values = {name: max(attacks[name].value, HOPE * self.hope(name)) for name in fresh}
        first = max(fresh, key=lambda name: values[name])
        if values[first] > WORTH_WHILE:
            return UseModel(first)
        opener = self.opener(fresh)
        if opener:
            return UseModel(opener)
        goal, models = self.outlook.goal, self.state.models
        return UseModel(min(fresh, key=lambda name: goal.get(models[name].at, FAR_AWAY)))

    # What he could attack

    def layers(self, name: str) -> list[Layer]:
        """Return what the attacks of a Marine are worth and from where they can be made, the best first."""
        found = self._layers.get(name)
        if found is not None:
            return found
        outlook, ship, models, found = self.outlook, self.outlook.ship, self.state.models, []
        gun = guns(self.book, self.state, name).get("")
        if gun is not None:
            targets = [(foe, (models[foe].at,)) for foe in outlook.tyranids] + list(self.state.templates.items())
            for target, squares in targets:
                chance = odds.hit(gun.fire, gun.bonus, outlook.need(target))
                found.append(Layer(chance * outlook.prize(target), view(ship, squares, gun.range), target, chance))
        if self.beside_templates and can_strike(self.book, self.state, name):
            found.append(Layer(self.at_template(name), ship.plane.mask(self.beside_templates), "", 0.0))
        found.sort(key=lambda layer: -layer.value)
        self._layers[name] = found
        return found

    def hope(self, name: str) -> float:
        """Return what the best attack after a move may be worth."""
        if self.state.act(name).attacks <= 0 or not limit(self.book, self.state, name):
            return 0.0
        reached = flood(self.book, self.state, name).avoided
        return next((layer.value for layer in self.layers(name) if layer.squares & reached), 0.0)

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
        model = self.state.models[name]
        return self.outlook.worth(name) * model.life, self.outlook.goal.get(model.at, FAR_AWAY)

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
        if attack.value > WORTH_WHILE:
            if act.attacks == 1 and moving:
                after, first = self.choose(name, False, False), self.choose(name, False, True)
                if first.at != at and first.value > attack.value + after.value + 1e-9:
                    return Move(first.at, first.way)
            return attack.action
        if moving:
            stand = self.choose(name, self.opens(name), act.attacks > 0)
            if stand.way == ENTER or stand.at != at:
                return Move(stand.at, stand.way)
        if attack.value > 0:
            return attack.action
        if can_strike(self.book, self.state, name):
            for number, square in sorted(self.state.artifacts.items()):
                if square == at:
                    return Take(number)
        return DONE

    def opens(self, name: str) -> bool:
        """Say whether the Marine who is taken up opens the unexplored section: nobody cheaper can."""
        fresh = [
            one
            for one in self.outlook.marines
            if self.state.act(one).fresh and not self.state.models[one].prone and one != name
        ]
        if not self.ready(len(fresh)) or not self.entering(name):
            return False
        price = self.price(name)[0]
        return all(self.price(one)[0] >= price or not self.entering(one) for one in fresh)

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

    def choose(self, name: str, opening: bool, attacking: bool) -> Stand:
        """Return where a Marine moves; his own square to stay.

        `opening`: he steps into the unexplored section. `attacking`: what he may attack from there counts.
        """
        state, outlook = self.state, self.outlook
        at, worth, bit = state.models[name].at, outlook.worth(name), outlook.ship.plane.bit
        layers, dangers = self.layers(name) if attacking else [], outlook.dangers(name)
        scored: list[tuple[float, Stand]] = []
        for value, square, way in self.places(name, opening):
            place, safe = bit(square), 1.0
            layer = next((layer for layer in layers if layer.squares & place), _NO_LAYER)
            for squares, chance, foe in dangers:
                if squares & place:
                    safe *= 1 - chance * (1 - layer.chance if foe == layer.target else 1.0)
            value -= (1 - safe) * worth
            scored.append((value + layer.value, Stand(value, square, way)))
        if not scored:
            return Stand(-FAR_AWAY, at, "")
        scored.sort(key=lambda item: (-item[0], item[1].at[1], item[1].at[0], item[1].way))
        gun = guns(self.book, state, name).get("") if attacking else None
        block: Container[Point] = without(state.at, at)
        top: Stand | None = None
        for most, stand in scored[:BEST]:
            if top is not None and most <= top.value:
                break
            # From most squares nothing is in sight, whoever stands between; from these, whoever does is looked at.
            gain = self.attack_from(name, stand.at, gun, block).value if most > stand.value else 0.0
            if top is None or stand.value + gain > top.value + 1e-9:
                top = stand._replace(value=stand.value + gain)
        assert top is not None
        return top

    def places(self, name: str, opening: bool) -> list[Stand]:
        """Return where a Marine may move, and stay unless he opens, with what it is worth to stand there at no risk."""
        found = self._places.get((name, opening))
        if found is None:
            state = self.state
            avoid = flood(self.book, state, name).avoid
            others = [state.models[one].at for one in self.outlook.marines if one != name]
            ways = [(move.to, move.way) for move in ends(self.book, state, name)]
            if not opening:
                ways.append((state.models[name].at, ""))
            found = self._places[name, opening] = [
                Stand(self.place(name, square, others, opening), square, way)
                for square, way in ways
                if (way == ENTER or (not way and square not in avoid)) == opening
            ]
        return found

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
            far, rows = abs(u - x), abs(v - y)
            if rows > far:
                far = rows
            if far < nearest:
                nearest = far
            if far <= ARM:
                value -= CROWDED
        if FRIENDS < nearest < FAR_AWAY:
            value -= ALONE * (nearest - FRIENDS)
        if square in outlook.closed:
            value -= DEPTH * outlook.steps_in(square)
        if outlook.ship.sections[square] == self.rear:
            value -= outlook.worth(name) * (CUT_OFF if opening else LAGGING)
        return value
