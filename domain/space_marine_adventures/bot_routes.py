"""Where a bot's Marines want to go: who works the console, where the others wait, how far the exit is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..geometry import Grid
from .bot_aims import console_short, override
from .bot_outlook import a_round, activations
from .field import Ground
from .state import INFESTATION, LevelState, cards_left, pile

if TYPE_CHECKING:
    from .bot_plan import Plan

IN_THE_WAY = 2
"""Steps that a Tyranid on the way costs beside the one onto its square."""
UNREACHED = 99.0
STEP = 0.175
"""What a step towards the console or the exit is worth, in wounds: low for a cautious squad, high for a daring one."""
WAITING_STEP = 0.05
"""What a step towards the place to wait is worth."""
FIGHTING_STEP = 0.25
"""What a step towards a square to fight from is worth at first; twice that when the deck runs out."""
FAR_PREY = 12
"""Steps beyond which prey is let be."""
HELPED = 1.5
"""Turns that a card for the console is worth in the choice of who works it."""
ON_CONSOLE = 3.0
"""Steps by which those who wait keep off the console."""


@lru_cache(maxsize=1024)
def costs(grid: Grid, goals: frozenset[int], tyranids: frozenset[int]) -> tuple[float, ...]:
    """Return how many steps lead from each square to the nearest goal, more where Tyranids stand in the way."""
    found = [UNREACHED] * len(grid.names)
    levels: dict[int, list[int]] = {0: list(goals)}
    level = 0
    while levels:
        for square in levels.pop(level, ()):
            if found[square] <= level:
                continue
            found[square] = level
            # Leaving a square that a Tyranid holds has cost its destruction.
            onward = level + 1 + (IN_THE_WAY if square in tyranids else 0)
            for there in grid.neighbours[square]:
                if found[there] > onward:
                    levels.setdefault(onward, []).append(there)
        level += 1
    return tuple(found)


@lru_cache(maxsize=512)
def waiting(ground: Ground, labels: tuple[str, ...]) -> tuple[float, ...]:
    """Return how far each square is from the exits that may open, on average."""
    hulk = ground.hulk
    far = [hulk.grid.distances(hulk.exits[label]) for label in labels if label in hulk.exits]
    if not far:
        far = [hulk.grid.distances(hulk.objective)]
    found = [sum(distance[square] for distance in far) / len(far) for square in range(len(hulk.grid.names))]
    if hulk.objective >= 0:
        found[hulk.objective] += ON_CONSOLE
    return tuple(found)


def candidates(state: LevelState) -> tuple[str, ...]:
    """Return the exits that may be the one that opens, as far as anybody knows."""
    for label, face in state.peeked.items():
        if face == "open":
            return (label,)
    return tuple(label for label in state.bulkheads if label not in state.peeked)


class Goal:
    """Where one Marine wants to be: the cost of each square, and what a step nearer is worth in wounds.

    He is `leaving` once an exit is open and then `safe` on its tile; else he is `fighting` for what the mission wants
    destroyed, `working` the console, or waits.
    """

    def __init__(self, outlook: Plan, code: str, left: int = 0) -> None:
        hulk = outlook.ground.hulk
        here = outlook.standing[code]
        self.leaving = bool(hulk.exit_tile)
        self.safe = here in hulk.on_exit_tile
        posts = frozenset[int]() if self.leaving else self._posts(outlook, code)
        self.fighting = bool(posts)
        self.working = not (self.leaving or posts) and outlook.assault is None and code == worker(outlook)
        barred = frozenset(outlook.tyranids)
        grid = outlook.ground.grid
        if self.leaving:
            taken = {square for mate, square in outlook.standing.items() if mate != code}
            free = frozenset(square for square in hulk.exit_tile if square not in taken)
            self.costs = costs(grid, free or hulk.on_exit_tile, barred)
            self.step = STEP * hurry(outlook, code, self.costs[here], left)
        elif posts:
            self.costs = costs(grid if outlook.assault is None else outlook.assault.grid, posts, barred)
            self.step = FIGHTING_STEP * (1 + turned_over(outlook.state))
        elif self.working:
            self.costs = costs(grid, frozenset((outlook.console,)), barred)
            self.step = STEP
        else:
            self.costs = waiting(outlook.ground, candidates(outlook.state))
            self.step = WAITING_STEP
        self.distance = self.costs[here]

    def _posts(self, outlook: Plan, code: str) -> frozenset[int]:
        """Return the squares to fight from, none when there is something else to do."""
        if outlook.assault is not None:
            return outlook.assault.posts(code)
        if not outlook.prey:
            return frozenset()
        book, state, ground = outlook.book, outlook.state, outlook.ground
        if code == worker(outlook) and not console_short(book, state, override(book, state, code)):
            return frozenset()
        tyranids, reach = outlook.tyranids, book.side(state, code).range
        posts = frozenset(
            square
            for prey in outlook.prey
            for ray in ground.sight.rays(prey)
            for square in ray
            if square not in tyranids
            and ground.distance(square, prey) <= reach
            and ground.sight.sees(square, prey, tyranids)
        )
        far = costs(ground.grid, posts, frozenset(tyranids))[outlook.standing[code]]
        return posts if far <= FAR_PREY else frozenset()

    def way(self, outlook: Plan, here: int) -> int:
        """Return the square of the first Tyranid on the shortest way from a square, -1 if the way is clear."""
        if not (self.leaving or self.working or self.fighting):
            return -1
        far, neighbours = self.costs, outlook.ground.neighbours
        while far[here] > 0:
            onward = min(neighbours[here], key=far.__getitem__, default=here)
            if far[onward] >= far[here]:
                return -1
            if onward in outlook.tyranids:
                return onward
            here = onward
        return -1


def worker(outlook: Plan) -> str:
    """Return who works the console: the Marine who needs the fewest turns to get there, the first of the squad if tied."""
    if outlook.console < 0 or not outlook.standing:
        return ""
    far = costs(outlook.ground.grid, frozenset((outlook.console,)), frozenset(outlook.tyranids))
    book, state = outlook.book, outlook.state
    ranks = {
        code: far[outlook.standing[code]] / book.side(state, code).actions
        - (HELPED if override(book, state, code) else 0)
        for code in state.squad
        if code in outlook.standing
    }
    return min(ranks, key=ranks.__getitem__)


def turned_over(state: LevelState) -> float:
    """Return what part of the infestation deck has been turned over."""
    key = pile(state, INFESTATION)
    return 1 - cards_left(state) / len(state.chance.decks[key].items) if key else 1.0


def hurry(outlook: Plan, code: str, distance: float, left: int) -> float:
    """Return 1 when there is time for a Marine to reach the exit, up to 3 when there is hardly enough."""
    book, state = outlook.book, outlook.state
    own, tyranid = activations(book, state, code)
    rounds = max(0, cards_left(state) - tyranid) / a_round(book, state)
    actions = left + book.side(state, code).actions * (own + 2 * rounds)
    if distance <= 0.4 * actions:
        return 1.0
    return min(3.0, 1.0 + 4 * (distance / (actions or 1) - 0.4))
