"""What counters are worth in a battle: printed figures, copies, growth, doublings and fortifications."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .book import Book
from .catalogue import Counter, Unit
from .effects import CopyBestEnemy, GrantReroll, Grow, MultiplyValues, Stat
from .losses import fighters
from .state import ELDAR, TYRANID, DoomState


class Totals(NamedTuple):
    """What each side brings to a Craftworld battle."""

    attack: int
    defence: int


def factors(book: Book, here: Sequence[str], unit: Unit, stat: Stat) -> list[int]:
    """Return what a unit's figure is multiplied by: Avatar and Yriel beside it (DOE-AVA-1, DOE-YRIEL-5)."""
    return [
        effect.factor
        for id in here
        if id != unit.id
        for effect in book.units[id].effects
        if isinstance(effect, MultiplyValues) and unit.kind in effect.targets and stat in effect.stats
    ]


def multiplied(state: DoomState, figure: int, by: Iterable[int]) -> int:
    """Return a figure doubled so often: doublings multiply, or add (DOE-AVA-2, option `avatar_and_fort`)."""
    if state.options.avatar_and_fort == "add":
        return figure * (1 + sum(factor - 1 for factor in by))
    for factor in by:
        figure *= factor
    return figure


def summed(book: Book, state: DoomState, here: Sequence[str], stat: Stat, walls: bool) -> int:
    """Return the total of Eldar units that stand together, doubled behind walls (DOE-AVA-1, DOE-FORT-1, DOE-WRG-1)."""
    return sum(
        multiplied(state, getattr(unit, stat), [*factors(book, here, unit, stat), *([2] if walls else [])])
        for unit in map(book.units.__getitem__, here)
    )


def fleet(book: Book, state: DoomState, area: str) -> int:
    """Return the Eldar's total in a space area (DOE-SPACE-1, DOE-SPACE-10)."""
    return summed(book, state, state.eldar.get(area, []), "combat", False)


def swarms(book: Book, state: DoomState, area: str) -> int:
    """Return the Tyranids' total in a space area: the value of a Swarm for each, whatever it is (DOE-SPACE-3)."""
    # The value is printed on every back alike, so it may be read off any counter.
    return len(fighters(book, state, area)) * next(iter(book.counters.values())).swarm


def eldar_value(book: Book, state: DoomState, area: str, stat: Stat) -> int:
    """Return the Eldar's attack or defence in a Craftworld area; its walls double the defence (DOE-FORT-1)."""
    return summed(book, state, state.eldar.get(area, []), stat, stat == "defence" and area in state.fortified)


def horde_value(book: Book, state: DoomState, token: str, stat: Stat) -> int:
    """Return the attack or defence of a face-up token (DOE-FLESH-1, DOE-PROT-1)."""
    counter = book.counters[state.face[token]]
    for effect in counter.effects:
        if isinstance(effect, Grow):
            return effect.stages[state.stages.get(token, 0)][stat == "defence"]
        if isinstance(effect, CopyBestEnemy) and stat in effect.stats:
            prey: list[int] = [getattr(book.units[id], stat) for id in state.eldar.get(state.swarms[token], ())]
            return max([effect.minimum, *prey])
    figure: int = getattr(counter, stat)
    return figure


def craftworld(book: Book, state: DoomState, area: str, attacker: str) -> Totals:
    """Return both totals of a Craftworld battle (DOE-CW-1): copies, doublings, sums, fortification, in this order."""
    hordes = fighters(book, state, area)
    if attacker == ELDAR:
        return Totals(
            eldar_value(book, state, area, "attack"), sum(horde_value(book, state, id, "defence") for id in hordes)
        )
    return Totals(
        sum(horde_value(book, state, id, "attack") for id in hordes), eldar_value(book, state, area, "defence")
    )


def reroll_holder(book: Book, state: DoomState, area: str) -> str:
    """Return the seat that holds a re-roll in an area, empty if neither or both do (DOE-REROLL-1, -3, -6, DOE-FAR-1)."""
    sides = {ELDAR: state.eldar.get(area, []), TYRANID: fighters(book, state, area)}
    bearers: list[tuple[str, str, Unit | Counter]] = [(ELDAR, unit, book.units[unit]) for unit in sides[ELDAR]]
    bearers += [
        (TYRANID, token, book.counters[state.face[token]])
        for token in state.stacks.get(area, ())
        if token in state.face
    ]
    gifts: list[tuple[str, GrantReroll]] = []
    active = set()
    for side, id, bearer in bearers:
        found = [effect for effect in bearer.effects if isinstance(effect, GrantReroll)]
        given = [
            effect for effect in found if not effect.needs_other_fighter or any(other != id for other in sides[side])
        ]
        gifts += [(side, effect) for effect in given]
        if given == found:
            active.add(bearer.kind)
    holders = {side for side, effect in gifts if not active.intersection(effect.cancelled_by)}
    return holders.pop() if len(holders) == 1 else ""
