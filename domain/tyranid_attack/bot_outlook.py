"""A position as a bot judges it: what models are worth, who can strike where, and how far it is to what is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from . import bot_odds as odds
from . import effects as e
from .book import Book
from .bot_odds import Round
from .bot_sight import under_fire
from .endings import marines, tyranids
from .reach import unexplored
from .records import Profile
from .ship import AROUND, Ship
from .shooting import is_template
from .state import MARINES, HiveState, Point

TEMPLATE, LAST = 4.0, 40.0
"""What a template is worth, in Scouts, and the one that wins the game."""
NEAR = 0.7
"""How much more an enemy is worth that can strike or shoot in its next part."""
FEWER = 0.4
"""What the hive loses with a Tyranid that comes back, compared to its worth."""
FAR_AWAY = 99
"""How far it is to what no way leads to."""
SCOUT_DICE, SCOUT_ARMOUR = 2, 4
"""What a Tyranid's worth is measured against."""


class Shooter(NamedTuple):
    """A Marine who may shoot: where he is, how far he shoots at once and after a move, and how he misses what armour.

    `near` are the squares he comes near to, as bits of the ship's plane.
    """

    at: Point
    range: int
    reach: int
    near: int
    misses: tuple[float, ...]


class Danger(NamedTuple):
    """The squares, as bits, on which a Tyranid may take a Marine's life point, how likely it does, and which one it is."""

    squares: int
    chance: float
    foe: str


class Outlook:
    """A position with what a bot derives from it; made anew for every decision, and it sees what its state shows."""

    def __init__(self, book: Book, state: HiveState, seat: str) -> None:
        self.book = book
        self.state = state
        self.seat = seat
        self.ship: Ship = book.ship(state)
        self.marines = marines(book, state)
        self.tyranids = tyranids(book, state)
        self._zones: dict[str, int] = {}
        self._fires: dict[str, int] = {}

    # Worth

    def worth(self, name: str) -> float:
        """Return what a life point of a model is worth: a Scout is worth 1."""
        model = self.state.models[name]
        profile = self.book.profiles[model.kind]
        if profile.side == "marine":
            return profile.cost / 2 / profile.life + 0.2 * len(model.artifacts)
        return threat(self.book, profile)

    def stake(self, name: str) -> float:
        """Return what its side loses with a life point of a model: most Tyranids come back."""
        profile = self.book.profiles[self.state.models[name].kind]
        if profile.side == "marine":
            return self.worth(name)
        return self.worth(name) * (FEWER if profile.group in ("standard", "blob") else 0.7)

    def prize(self, target: str) -> float:
        """Return what it is worth to take a life point of a target, or to destroy a template."""
        if is_template(target):
            return LAST if len(self.state.destroyed) + 1 >= self.book.needed else TEMPLATE
        worth = self.worth(target)
        if self.seat == MARINES and (self.zone(target) | self.fire(target)) & self.stood_on:
            worth *= 1 + NEAR
        return worth

    # Chances

    def round(self, attacker: str, defender: str) -> Round:
        """Return how a round of hand-to-hand ends between two models on the board (TA-HTH-3 to -6, TA-BLOB-2, -7)."""
        book, models = self.book, self.state.models
        one, two = models[attacker], models[defender]
        if one.kind in book.acid or two.prone:
            return Round(1.0, 0.0, 0.0)
        dice, axe = self.dice(attacker), one.kind in book.psychic
        if two.kind in book.acid:
            return Round(odds.reach(dice, book.hth_bonus(one), book.armour, axe), 0.0, 0.0)
        return odds.duel(dice, book.hth_bonus(one), book.profiles[two.kind].hth, book.hth_bonus(two), axe)

    def strike(self, attacker: str) -> float:
        """Return the chance that a model destroys a template by hand (TA-OBJ-9)."""
        model = self.state.models[attacker]
        axe = model.kind in self.book.psychic
        return odds.reach(self.dice(attacker), self.book.hth_bonus(model), self.book.armour, axe)

    def dice(self, name: str) -> int:
        """Return the dice of a model in the rounds that it starts, an order's included (TA-ORDER-11)."""
        more = (effect.amount for effect in self.book.order_effects(self.state, name) if type(effect) is e.OrderHthDice)
        return self.book.profiles[self.state.models[name].kind].hth + sum(more)

    def need(self, target: str) -> int:
        """Return what a shot must reach (TA-CHAR-2)."""
        return self.book.armour if is_template(target) else self.book.armour_of(self.state.models[target])

    def clash(self, kind: str, target: str) -> float:
        """Return what a round of a Tyranid of a kind against a Marine is worth to the hive."""
        book, model, worth = self.book, self.state.models[target], self.worth(target)
        profile = book.profiles[kind]
        if kind in book.acid:
            return worth
        if not profile.hth:
            return 0.0
        if model.prone:
            return worth * model.life
        fate = odds.duel(profile.hth, profile.hth_bonus, book.profiles[model.kind].hth, book.hth_bonus(model))
        return (fate.win + fate.draw) * worth - (fate.draw + fate.loss) * FEWER * threat(book, profile)

    # Ways

    def zone(self, name: str) -> int:
        """Return the squares on which a model can strike somebody in its next part, if nobody stands in its way, as bits."""
        found = self._zones.get(name)
        if found is None:
            model = self.state.models[name]
            move = self.book.move(model) if not model.prone else 0
            found = self._zones[name] = within(self.ship, model.at, move + 1)
        return found

    @cached_property
    def stood_on(self) -> int:
        """The squares of the Marines, as bits."""
        return self.ship.plane.mask([self.state.models[name].at for name in self.marines])

    @cached_property
    def closed(self) -> frozenset[Point]:
        """The squares of the unexplored section."""
        return unexplored(self.book, self.state)

    @cached_property
    def to_templates(self) -> dict[Point, int]:
        """How many steps it is to a square beside a template on explored sections, by ways that do not enter the unexplored one."""
        found = [there for there in self.state.templates.values() if not self.closed.issuperset(there)]
        beside = {(x + u, y + v) for there in found for x, y in there for u, v in AROUND}
        start = tuple(sorted((beside & self.ship.floor) - self.closed))
        return steps(self.ship, start, FAR_AWAY, self.closed) if start else {}

    @cached_property
    def goal(self) -> dict[Point, int]:
        """How many steps it is to what the Marines want: a template if they are busy with one, else the unexplored section."""
        if self.busy:
            return self.to_templates
        return steps(self.ship, tuple(sorted(self.closed & self.ship.floor)), FAR_AWAY)

    @cached_property
    def _inward(self) -> dict[Point, int]:
        edge = [square for square in self.closed if len(self.ship.sections[square]) > 1]
        return steps(self.ship, tuple(sorted(edge)), FAR_AWAY)

    def steps_in(self, square: Point) -> int:
        """Return how deep in the unexplored section a square lies."""
        return self._inward.get(square, FAR_AWAY) + 1

    @cached_property
    def busy(self) -> bool:
        """Whether some Marine can come to a template on explored sections; one behind the unexplored section must wait."""
        return any(self.state.models[name].at in self.to_templates for name in self.marines)

    @cached_property
    def to_marines(self) -> dict[Point, int]:
        """How many steps it is to the nearest Marine, whoever stands in the way."""
        return steps(self.ship, tuple(sorted(self.state.models[name].at for name in self.marines)), FAR_AWAY)

    @cached_property
    def shooters(self) -> list[Shooter]:
        """The Marines who can still shoot in their part, with what they come near to; in the hive's part all in their next."""
        found = []
        for name in self.marines:
            model = self.state.models[name]
            gun = self.book.guns.get(model.kind)
            if gun is not None and not model.prone and self.state.act(name).fresh:
                move, fire = self.book.move(model), self.book.fire_of(model)
                misses = tuple(1 - odds.hit(fire, gun.bonus, armour) for armour in range(8))
                near = within(self.ship, model.at, move + 2)
                found.append(Shooter(model.at, gun.range, gun.range + move, near, misses))
        return found

    def fire(self, name: str) -> int:
        """Return the squares that a Tyranid can shoot at in its next part, if nobody stands in its way, as bits."""
        found = self._fires.get(name)
        if found is None:
            found, model = 0, self.state.models[name]
            gun = self.book.guns.get(model.kind)
            if gun is not None and not (gun.recharge and model.ready > self.state.turn):
                found = under_fire(self.ship, within(self.ship, model.at, self.book.move(model)), gun.range)
            self._fires[name] = found
        return found

    def dangers(self, name: str) -> list[Danger]:
        """Return what may take a life point of a Marine in the next Tyranid part."""
        book, models, found = self.book, self.state.models, []
        armour = book.armour_of(models[name])
        for foe in self.tyranids:
            fate = self.round(foe, name)
            found.append(Danger(self.zone(foe), (fate.win + fate.draw) / self.crowd[foe], foe))
            gun, fire = book.guns.get(models[foe].kind), self.fire(foe)
            if gun is not None and fire:
                among = max(1, (fire & self.stood_on).bit_count()) ** 0.5
                found.append(Danger(fire, odds.hit(gun.fire, gun.bonus, armour) / among, foe))
        return found

    @cached_property
    def crowd(self) -> dict[str, float]:
        """Among how many Marines each Tyranid may choose, damped: it does not strike them all."""
        return {foe: max(1, (self.zone(foe) & self.stood_on).bit_count()) ** 0.5 for foe in self.tyranids}

    @cached_property
    def exposures(self) -> dict[tuple[Point, int], float]:
        """How likely a Tyranid of an armour is shot on a square; kept as long as the Marines stand as they do."""
        key = ("exposed", tuple(self.shooters))
        found = self.ship.floods.setdefault(key, {})
        assert isinstance(found, dict)
        return found


def threat(book: Book, profile: Profile) -> float:
    """Return what a Tyranid of a kind is worth: how well it fights or shoots a Scout, and how fast it comes."""
    fight = 1.0 if profile.id in book.acid else odds.duel(profile.hth, profile.hth_bonus, SCOUT_DICE, 0).win
    fight *= (4 + profile.move) / 12
    gun = book.guns.get(profile.id)
    shot = 0.0
    if gun is not None:
        shot = odds.hit(gun.fire, gun.bonus, SCOUT_ARMOUR) * (0.6 if gun.recharge else 0.9) + 0.2 * bool(gun.blast)
    return max(fight, shot) + 0.2 * min(fight, shot)


def steps(ship: Ship, start: tuple[Point, ...], limit: int, closed: frozenset[Point] = frozenset()) -> dict[Point, int]:
    """Return how many steps it takes from the nearest of some squares to all others within a limit; kept.

    No step leads onto the squares `closed`.
    """
    key = ("steps", start, limit, closed)
    found = ship.floods.get(key)
    if found is None:
        found = ship.floods[key] = _spread(ship, start, limit, closed)
    assert isinstance(found, dict)
    return found


def _spread(ship: Ship, start: Iterable[Point], limit: int, closed: Iterable[Point]) -> dict[Point, int]:
    plane = ship.plane
    beyond = plane.mask(start)
    met = beyond | plane.mask(closed)
    found = dict.fromkeys(start, 0)
    for number in range(1, limit + 1):
        beyond = plane.around(beyond) & ~met
        if not beyond:
            break
        met |= beyond
        for square in plane.squares(beyond):
            found[square] = number
    return found


def within(ship: Ship, at: Point, limit: int) -> int:
    """Return the squares within so many steps of a square, whoever stands in the way, as bits; kept."""
    key = ("within", at, limit)
    found = ship.floods.get(key)
    if found is None:
        around = ship.plane.around
        met = edge = ship.plane.bit(at)
        for _ in range(limit):
            edge = around(edge) & ~met
            met |= edge
        found = ship.floods[key] = met
    assert isinstance(found, int)
    return found
