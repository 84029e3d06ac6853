"""What battles are worth to a bot: both kinds worked out to their end, by totals and tables, and kept.

Everything is counted in victory points from the Tyranids' side: an area that falls is worth a point to them and a
counter a part of one, so that one scale compares areas, counters and the points for the Avatar and the Wraithguard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from .book import ALL, Book, Outcome
from .catalogue import Unit
from .effects import GrantReroll, MultiplyValues
from .state import ELDAR, TYRANID, DoomState, Options
from .values import summed

FACES = 6
KEPT = 200_000
"""How many results are kept at most."""
GROUND, GROUND_STRENGTH = 0.10, 0.0125
"""What an Eldar ground force is worth, and each point of its attack and defence."""
SHIP, SHIP_STRENGTH = 0.03, 0.012
"""What a ship is worth, and each point of its combat value."""
GIFT = 0.3
"""What a special counter is worth for its gift."""
HORDE, HORDE_STRENGTH = 0.05, 0.005
"""What a Tyranid counter is worth, and each point of its attack and defence."""


class Beast(NamedTuple):
    """A Tyranid counter in a battle on the Craftworld: its worth and its figures."""

    worth: float
    attack: int
    defence: int


class Vessel(NamedTuple):
    """An Eldar counter in a battle in space: its worth and its combat value, doublings included."""

    worth: float
    combat: int


def gives_reroll(effects: Iterable[object]) -> bool:
    """Say whether a counter with these effects gives its side a re-roll."""
    return any(isinstance(effect, GrantReroll) for effect in effects)


def unit_worth(unit: Unit) -> float:
    """Return what an Eldar counter is worth, the points that its loss gives included."""
    gifts = any(isinstance(effect, GrantReroll | MultiplyValues) for effect in unit.effects)
    if unit.group == "ship":
        return SHIP + SHIP_STRENGTH * unit.combat
    strength = GROUND + GROUND_STRENGTH * (unit.attack + unit.defence) if unit.attack or unit.defence else 0.0
    return strength + unit.points + GIFT * gifts


def beast_worth(attack: int, defence: int) -> float:
    """Return what a Tyranid counter is worth while the lid gives it back."""
    return HORDE + HORDE_STRENGTH * (attack + defence)


class Odds:
    """Expected results of battles under the tables of one book and the options of one game."""

    def __init__(self, book: Book, options: Options) -> None:
        self.book = book
        self.state = DoomState(options=options)
        self.worth = {id: unit_worth(unit) for id, unit in book.units.items()}
        first: dict[str, str] = {}
        self.twin = {id: first.setdefault(unit.kind, id) for id, unit in book.units.items()}
        """The first unit of a unit's kind: units of a kind are as good as each other."""
        self.vessels = {id: Vessel(self.worth[id], unit.combat) for id, unit in book.units.items()}
        """Each unit in space with nobody beside it who doubles it."""
        self.leaders = frozenset(
            id for id, unit in book.units.items() if any(isinstance(effect, MultiplyValues) for effect in unit.effects)
        )
        """The units that double others."""
        self.seers = frozenset(id for id, unit in book.units.items() if gives_reroll(unit.effects))
        """The Eldar units that give a re-roll."""
        self.minds = frozenset(id for id, counter in book.counters.items() if gives_reroll(counter.effects))
        """The Tyranid counters that give a re-roll."""
        self._totals: dict[tuple[tuple[str, ...], bool], tuple[int, int]] = {}
        self._columns: dict[str, tuple[str, ...]] = {}
        self._results: dict[tuple[str, int], Outcome] = {}
        self._sieges: dict[object, float] = {}
        self._clashes: dict[object, float] = {}

    # On the Craftworld

    def company(self, units: Sequence[str]) -> tuple[str, ...]:
        """Return units as a battle on the Craftworld counts them: by kind, the worthiest first."""
        worth = self.worth
        return tuple(sorted((self.twin[id] for id in units), key=lambda id: (-worth[id], id)))

    def totals(self, company: tuple[str, ...], walls: bool) -> tuple[int, int]:
        """Return the attack and the defence of a company, behind walls or not (DOE-CW-1, DOE-FORT-1)."""
        key = (company, walls)
        found = self._totals.get(key)
        if found is None:
            book, state = self.book, self.state
            found = self._totals[key] = (
                summed(book, state, company, "attack", False),
                summed(book, state, company, "defence", walls),
            )
        return found

    def siege(
        self, company: tuple[str, ...], pack: tuple[Beast, ...], stake: float, walls: bool, side: str, holder: str = ""
    ) -> float:
        """Return what a siege is worth to the Tyranids in which `side` attacks now or leaves.

        `stake` is what the area is worth, which falls if it has walls and no Eldar are left. Both sides attack in turn
        and lose what is worth least; each may leave when its turn has come. `holder` has a re-roll.
        """
        if not company:
            return stake if walls and pack else 0.0
        if not pack:
            return 0.0
        value = self.assault(company, pack, stake, walls, side, holder)
        return min(value, stake if walls else 0.0) if side == ELDAR else max(value, 0.0)

    def assault(
        self, company: tuple[str, ...], pack: tuple[Beast, ...], stake: float, walls: bool, side: str, holder: str = ""
    ) -> float:
        """Return what a siege is worth to the Tyranids in which `side` attacks now, well or ill."""
        if not company or not pack:
            return self.siege(company, pack, stake, walls, side, holder)
        key = (company, pack, stake, walls, side, holder)
        found = self._sieges.get(key)
        if found is None:
            if len(self._sieges) > KEPT:
                self._sieges.clear()
            attack, defence = self.totals(company, walls)
            if side == ELDAR:
                column = self.book.odds(attack, sum(beast.defence for beast in pack), self.state.options)
            else:
                column = self.book.odds(sum(beast.attack for beast in pack), defence, self.state.options)
            found = self._sieges[key] = self.cast(column, company, pack, stake, walls, side, holder)
        return found

    def cast(
        self, column: str, company: tuple[str, ...], pack: tuple[Beast, ...], stake: float, walls: bool, side: str,
        holder: str,
    ) -> float:  # fmt: skip
        """Return what the die of a battle is worth to the Tyranids before it is rolled; `holder` has a re-roll."""
        if column not in self.book.catalogue.craftworld.columns:
            return self.read(column, 0, company, pack, stake, walls, side, holder)
        codes = self._columns.get(column)
        if codes is None:
            rolls = range(1, FACES + 1)
            codes = self._columns[column] = tuple(self.book.result(column, roll).code for roll in rolls)
        worth = {
            code: self.read(column, codes.index(code) + 1, company, pack, stake, walls, side, holder)
            for code in dict.fromkeys(codes)
        }
        values = [worth[code] for code in codes]
        return again(values, {ELDAR: min, TYRANID: max}.get(holder))

    def read(
        self, column: str, roll: int, company: tuple[str, ...], pack: tuple[Beast, ...], stake: float, walls: bool,
        side: str, holder: str,
    ) -> float:  # fmt: skip
        """Return what a battle is worth to the Tyranids that came to that roll: its losses and what follows."""
        result = self._results.get((column, roll))
        if result is None:
            result = self._results[column, roll] = self.book.result(column, roll)
        eldar, tyranid = (result.attacker, result.defender) if side == ELDAR else (result.defender, result.attacker)
        left = company[: max(0, len(company) - (len(company) if eldar == ALL else eldar))]
        rest = pack[: max(0, len(pack) - (len(pack) if tyranid == ALL else tyranid))]
        value = 0.0
        for id in company[len(left) :]:
            value += self.worth[id]
        for beast in pack[len(rest) :]:
            value -= beast.worth
        next = TYRANID if side == ELDAR else ELDAR
        return value + self.siege(left, rest, stake, walls, next, holder)

    # In space

    def hits(self, total: int) -> tuple[int, ...]:
        """Return what each roll destroys, from 1 up (DOE-SPACE-8)."""
        return tuple(self.book.fire(total, roll) for roll in range(1, FACES + 1))

    def clash(self, fleet: tuple[Vessel, ...], swarms: int, prize: float, holder: str, flee: bool) -> float:
        """Return what a battle in space is worth to the Eldar, from the beginning of a round to its end.

        `fleet` goes from the worthiest down, and what is worth least is lost first. Each Swarm destroyed is worth
        `prize`. After each round the Eldar stay if that is worth more, or if they cannot `flee`.
        """
        if not fleet or not swarms:
            return 0.0
        key = (fleet, swarms, prize, holder, flee)
        found = self._clashes.get(key)
        if found is None:
            if len(self._clashes) > KEPT:
                self._clashes.clear()
            found = self._clashes[key] = self._round(fleet, swarms, prize, holder, flee)
        return found

    def _round(self, fleet: tuple[Vessel, ...], swarms: int, prize: float, holder: str, flee: bool) -> float:
        value, nothing = 0.0, 0.0
        for hits, chance in self._volley(sum(vessel.combat for vessel in fleet), holder, ELDAR):
            left = max(0, swarms - hits)
            value += chance * prize * (swarms - left)
            if not left:
                continue
            for losses, likely in self._volley(self._swarm() * left, holder, TYRANID):
                if losses == 0 and left == swarms:
                    nothing += chance * likely
                else:
                    value += chance * likely * self.reply(fleet, left, losses, prize, holder, flee)
        if nothing >= 1 or (flee and value <= 0):
            return value
        # A round without effect brings the same question again: stay once, stay always.
        return value / (1 - nothing)

    def reply(
        self, fleet: tuple[Vessel, ...], swarms: int, losses: int, prize: float, holder: str, flee: bool
    ) -> float:
        """Return what is to come for the Eldar when the Swarms' fire has destroyed so many of a fleet."""
        kept = fleet[: max(0, len(fleet) - losses)]
        on = self.clash(kept, swarms, prize, holder, flee)
        return max(on, 0.0 if flee else on) - sum(vessel.worth for vessel in fleet[len(kept) :])

    def fired(self, fleet: tuple[Vessel, ...], swarms: int, hits: int, prize: float, holder: str, flee: bool) -> float:
        """Return what is to come for the Eldar when their own fire has destroyed so many of the Swarms."""
        left = max(0, swarms - hits)
        value = prize * (swarms - left)
        if left:
            for losses, likely in self._volley(self._swarm() * left, holder, TYRANID):
                value += likely * self.reply(fleet, left, losses, prize, holder, flee)
        return value

    def _swarm(self) -> int:
        return next(iter(self.book.counters.values())).swarm

    def _volley(self, total: int, holder: str, side: str) -> tuple[tuple[int, float], ...]:
        wish = "" if not holder else "many" if holder == side else "few"
        return volley(self.hits(total), wish)


@lru_cache(maxsize=64)
def volley(hits: tuple[int, ...], wish: str) -> tuple[tuple[int, float], ...]:
    """Return how likely each number of hits is, if a die that is worse than the mean for who wishes is rolled again.

    `wish` is `many`, `few`, or empty where nobody has a re-roll.
    """
    share, mean = 1 / len(hits), sum(hits) / len(hits)
    poor = {number for number in hits if (number < mean if wish == "many" else number > mean) and wish}
    once = sum(number in poor for number in hits) * share
    chances: dict[int, float] = {}
    for number in hits:
        chances[number] = chances.get(number, 0.0) + share * (once if number in poor else 1.0 + once)
    return tuple(sorted(chances.items()))


def again(values: Sequence[float], choose: Callable[[float, float], float] | None) -> float:
    """Return what a die is worth whose faces are worth `values`, if its owner may have it rolled again."""
    mean = sum(values) / len(values)
    return mean if choose is None else sum(choose(value, mean) for value in values) / len(values)


@lru_cache(maxsize=16)
def odds_of(book: Book, options: Options) -> Odds:
    """Return the odds for a book and options; the same ones for the same."""
    return Odds(book, options)
