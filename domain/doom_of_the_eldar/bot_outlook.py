"""A position as a bot judges it: what counters and areas are worth, which battles are due and what may come next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from .book import Book
from .bot_odds import Beast, Odds, Vessel, beast_worth, odds_of
from .effects import CopyBestEnemy, DestroySwarm, Grow, ReturnUnit, RevealTo
from .endings import points
from .losses import fighters
from .state import ELDAR, TYRANID, DoomState
from .values import factors, multiplied

AREA = 1.0
"""What an area is worth: the point it gives."""
RETURNS, TORPEDOES, VISION = 0.15, 0.05, -0.1
"""What the special action of an area is worth besides; the Shrine's fall brings Yriel."""
NEAR, FAR_OFF = 0.17, 0.13
"""What a Swarm beside the Craftworld is worth, and one farther off."""
PRESSED, AHEAD = 0.2, 0.1
"""How likely it is that those beside an area attack it next, and those two steps off the turn after."""
WAVE = 2
"""How many Swarms from farther off are reckoned with."""


FOREVER = 1.5
"""How much more a Tyranid counter is worth to the Eldar when the assault is over and nothing comes back."""
LAST = 0.5
"""How much it is worth to the Tyranids when it is over and they need points: no more than what it may gain yet."""


class Kin(NamedTuple):
    """What an unknown Swarm is reckoned to be: the mean of the lid."""

    attack: int
    defence: int


class Outlook:
    """A position with what a bot derives from it; it is made anew for every decision and sees what its state shows."""

    def __init__(self, book: Book, state: DoomState, side: str) -> None:
        self.book = book
        self.state = state
        eldar, parts = points(book, state)
        self.lead = sum(parts.values()) - eldar
        """By how many points the Tyranids lead."""
        self.odds: Odds = odds_of(book, state.options)
        self.seers, self.minds = self.odds.seers, self.odds.minds
        self.over = bool(state.over)
        self.price = 1.0 if not self.over else LAST if side == TYRANID and self.lead <= 0 else FOREVER
        """What Tyranid counters are worth, compared to when the lid gives them back."""
        self.fort = frozenset(state.fortified)
        self.foes: dict[str, list[str]] = {area: fighters(book, state, area) for area in state.stacks}
        """The tokens of each area that fight."""
        self._known: dict[object, Beast] = {}
        self._kept: dict[object, float] = {}

    # Worth

    @cached_property
    def stakes(self) -> dict[str, float]:
        """What the fall of each area is worth to the Tyranids; nothing where it has fallen."""
        return {area: stake(self.book, area) if area in self.fort else 0.0 for area in self.book.craftworld}

    def prize(self, area: str) -> float:
        """Return what a Swarm destroyed in a space area is worth."""
        return (NEAR if self.book.near_craftworld[area] else FAR_OFF) * self.price

    @cached_property
    def typical(self) -> Kin:
        """What an unknown Swarm is reckoned to be."""
        counters = [c for c in self.book.counters.values() if c.attack]
        return Kin(
            round(sum(c.attack for c in counters) / len(counters)),
            round(sum(c.defence for c in counters) / len(counters)),
        )

    def beast(self, token: str, company: Sequence[str] = ()) -> Beast:
        """Return what a token is in a battle with these units, as far as the state shows it."""
        known = self.state.counter(token)
        if known is None:
            return self.generic
        counter = self.book.counters[known]
        attack, defence = counter.attack, counter.defence
        for effect in counter.effects:
            if isinstance(effect, Grow):
                attack, defence = effect.stages[self.state.stages.get(token, 0)]
            elif isinstance(effect, CopyBestEnemy):
                units = [self.book.units[id] for id in company]
                attack = max(effect.minimum, *(unit.attack for unit in units), 0)
                defence = max(effect.minimum, *(unit.defence for unit in units), 0)
        key = (attack, defence)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Beast(self.price * beast_worth(attack, defence), attack, defence)
        return found

    @cached_property
    def generic(self) -> Beast:
        """An unknown Swarm as it will land."""
        kin = self.typical
        return Beast(self.price * beast_worth(kin.attack, kin.defence), kin.attack, kin.defence)

    def pack(self, tokens: Iterable[str], company: Sequence[str] = ()) -> tuple[Beast, ...]:
        """Return tokens as a battle on the Craftworld counts them, the worthiest first."""
        return tuple(sorted((self.beast(token, company) for token in tokens), reverse=True))

    def fleet(self, units: Sequence[str]) -> tuple[Vessel, ...]:
        """Return Eldar units as a battle in space counts them, the worthiest first."""
        book, worth = self.book, self.odds.worth
        if self.odds.leaders.isdisjoint(units):
            return tuple(sorted(map(self.odds.vessels.__getitem__, units), reverse=True))
        vessels = []
        for id in units:
            unit = book.units[id]
            by = factors(book, units, unit, "combat") if unit.combat else ()
            vessels.append(Vessel(worth[id], multiplied(self.state, unit.combat, by)))
        vessels.sort(reverse=True)
        return tuple(vessels)

    def holder(self, units: Iterable[str], tokens: Iterable[str]) -> str:
        """Return who would hold the re-roll where these meet (DOE-REROLL-1, DOE-REROLL-3, DOE-REROLL-6)."""
        eldar = not self.seers.isdisjoint(units)
        face = self.state.face
        tyranid = any(face.get(token) in self.minds for token in tokens)
        return "" if eldar == tyranid else ELDAR if eldar else TYRANID

    # Battles

    def clash(self, area: str, units: Sequence[str], count: int | None = None, flee: bool = True) -> float:
        """Return what a battle of these units in a space area is worth to the Eldar; `count` Swarms, or those there."""
        if not units:
            return 0.0
        stack = self.state.stacks.get(area, ())
        number = len(self.foes.get(area, ())) if count is None else count
        return self.odds.clash(self.fleet(units), number, self.prize(area), self.holder(units, stack), flee)

    def siege(self, area: str, units: Sequence[str], tokens: Sequence[str], side: str, forced: bool = True) -> float:
        """Return what a siege of an area is worth to the Tyranids; `forced`: `side` attacks now, and does not leave."""
        odds = self.odds
        walls = area in self.fort
        fight = odds.assault if forced else odds.siege
        return fight(
            odds.company(units), self.pack(tokens, units), self.stakes[area], walls, side, self.holder(units, tokens)
        )

    # What the Eldar have to reckon with

    @cached_property
    def threats(self) -> dict[str, tuple[Beast, ...]]:
        """The Tyranids that may attack each Craftworld area next, the strongest attackers, as many as may stack."""
        found = {}
        book, foes = self.book, self.foes
        for area in book.craftworld:
            near = [self.beast(token) for next in book.adjacent[area] for token in foes.get(next, ())]
            near.sort(key=lambda beast: -beast.attack)
            found[area] = tuple(sorted(near[: book.limit], reverse=True))
        return found

    @cached_property
    def distant(self) -> dict[str, int]:
        """How many Swarms and Hordes are two steps from each Craftworld area."""
        book, foes = self.book, self.foes
        found = {}
        for area in book.craftworld:
            ring = {far for next in book.adjacent[area] for far in book.adjacent[next]} - {area, *book.adjacent[area]}
            found[area] = sum(len(foes.get(far, ())) for far in ring)
        return found

    def exposure(self, area: str, units: tuple[str, ...]) -> float:
        """Return what the Tyranids may expect of a Craftworld area that these units hold when the Eldar have moved.

        Where both sides are, the Eldar attack now; elsewhere the Tyranids may come.
        """
        odds = self.odds
        company = odds.company(units)
        key = (area, company)
        found = self._kept.get(key)
        if found is None:
            walls, stake = area in self.fort, self.stakes[area]
            here = self.foes.get(area)
            if here:
                holder = self.holder(units, self.state.stacks[area])
                found = odds.assault(company, self.pack(here, units), stake, walls, ELDAR, holder)
            else:
                found = 0.0
                seer = ELDAR if any(id in self.seers for id in units) else ""
                if self.threats[area]:
                    found += PRESSED * odds.siege(company, self.threats[area], stake, walls, TYRANID, seer)
                if self.distant[area]:
                    wave = (self.generic,) * min(WAVE, self.distant[area])
                    found += AHEAD * odds.siege(company, wave, stake, walls, TYRANID, seer)
            self._kept[key] = found
        return found


def stake(book: Book, area: str) -> float:
    """Return what an area that has not fallen is worth."""
    action = book.actions.get(area)
    if action is None:
        return AREA
    worth = AREA
    for effect in action.effect:
        if isinstance(effect, ReturnUnit):
            worth += RETURNS * len(action.success) / 3
        elif isinstance(effect, DestroySwarm):
            worth += TORPEDOES
        elif isinstance(effect, RevealTo):
            worth += VISION
    return worth
