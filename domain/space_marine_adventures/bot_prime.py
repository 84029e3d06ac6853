"""How a bot goes for the Tyranid Prime: who clears which guard, from where the Prime is shot at, what a hit calls up."""

from __future__ import annotations

from functools import lru_cache

from . import effects as e
from .advanced import destroyed_at
from .bot_outlook import Outlook
from .bot_routes import costs
from .field import Ground

GUARD = 0.4
"""What the kill of one of several guards of the Prime is worth, in wounds; the last one opens it."""
LAST_GUARD = 0.8
"""What the kill of its last guard is worth."""
HIT = 1.5
"""What a damage counter on the Prime is worth."""
FINAL = 10.0
"""What the success is worth that destroys it."""
FARTHER = 2
"""Squares beyond the reach to the Prime from which its guards are still shot at."""
REPRISAL = 0.3
"""How many damage counters to expect before a Marine can step back."""


@lru_cache(maxsize=512)
def firing(ground: Ground, target: int, prime: int, reach: int, nearest: int) -> frozenset[int]:
    """Return the squares from which a target is seen on an empty board within `reach`, at most `nearest` from the Prime."""
    return frozenset(
        square
        for ray in ground.sight.rays(target)
        for square in ray
        if square != prime and ground.distance(square, target) <= reach and ground.distance(square, prime) <= nearest
    )


class Assault:
    """The Prime as the squad goes for it: its guards, and which squares each Marine should act from."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.prime = outlook.field.prime
        ground, tyranids = outlook.ground, outlook.tyranids
        # Nobody walks past the Prime.
        sealed = (ground.hulk.exits[label] for label in outlook.state.sealed)
        self.grid = ground.hulk.grid.closed((self.prime, *sealed))
        self.arms: tuple[int, ...] = tuple(ground.neighbours[self.prime])
        self.guards: tuple[int, ...] = tuple(square for square in self.arms if square in tyranids)
        self.left = destroyed_at(outlook.book, outlook.state) - outlook.state.damage
        prime = outlook.book.mission(outlook.state).prime
        self.reach = prime.max_distance
        self.claws = sum(effect.wound_on for effect in prime.on_damage if isinstance(effect, e.Claws)) / 6
        self.strikes = any(isinstance(effect, e.PlaceObjective) for effect in prime.on_damage)
        self._posts = self._assign()

    def posts(self, code: str) -> frozenset[int]:
        """Return the squares that a Marine should act from."""
        return self._posts[code]

    def _assign(self) -> dict[str, frozenset[int]]:
        """Give each guard to the Marine who needs the fewest turns to see it; the others go where they see any, or the Prime."""
        outlook = self.outlook
        book, state, tyranids = outlook.book, outlook.state, frozenset(outlook.tyranids)
        ranked, seen = [], {}
        for code, here in outlook.standing.items():
            side = book.side(state, code)
            seen[code] = firing(outlook.ground, self.prime, self.prime, side.range, self.reach)
            for guard in self.guards:
                squares = self._seen(guard, side.range)
                seen[code] |= squares
                if squares:
                    ranked.append((costs(self.grid, squares, tyranids)[here] / side.actions, code, guard, squares))
        ranked.sort(key=lambda one: one[0])
        found: dict[str, frozenset[int]] = {}
        taken: set[int] = set()
        for _, code, guard, squares in ranked:
            if code not in found and guard not in taken:
                found[code] = squares
                taken.add(guard)
        return seen | found

    def _seen(self, target: int, reach: int) -> frozenset[int]:
        sight, tyranids = self.outlook.ground.sight, self.outlook.tyranids
        squares = firing(self.outlook.ground, target, self.prime, reach, self.reach + FARTHER)
        return frozenset(
            square for square in squares if square not in tyranids and sight.sees(square, target, tyranids)
        )

    def value(self, target: int) -> float:
        """Return what a success against a Tyranid is worth to the attack on the Prime."""
        if target == self.prime:
            return FINAL if self.left <= 1 else HIT
        if target in self.guards:
            return LAST_GUARD if len(self.guards) == 1 else GUARD
        return 0.0

    def reprisal(self, square: int) -> float:
        """Return the wounds to expect on a square when the Prime is hurt and its brood closes in (SMA-PRIME-6)."""
        if self.left <= 1:
            return 0.0
        if square in self.arms:
            return REPRISAL * (self.strikes + self.claws)
        beside, tyranids = self.outlook.ground.neighbours[square], self.outlook.tyranids
        return REPRISAL * self.claws if any(there in self.arms or there in tyranids for there in beside) else 0.0
