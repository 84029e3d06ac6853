"""Where a bot's Marines want to go: who works the console, where the others wait, how far the exit is."""

from __future__ import annotations

from functools import lru_cache

from ..geometry import Grid
from .bot_outlook import FULL_ROUND, Outlook, activations
from .field import Ground
from .state import LevelState, cards_left

IN_THE_WAY = 2
"""Steps that a Tyranid on the way costs beside the one onto its square."""
UNREACHED = 99.0
STEP = 0.175
"""What a step towards the console or the exit is worth, in wounds: low for a cautious squad, high for a daring one."""
WAITING_STEP = 0.05
"""What a step towards the place to wait is worth."""
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
    """Where one Marine wants to be: the cost of each square, and what a step nearer is worth in wounds."""

    def __init__(self, outlook: Outlook, code: str, left: int = 0) -> None:
        state, ground = outlook.state, outlook.ground
        hulk = ground.hulk
        here = outlook.standing[code]
        barred = frozenset(outlook.tyranids)
        self.leaving = bool(hulk.exit_tile)
        self.safe = here in hulk.on_exit_tile
        self.working = not self.leaving and code == worker(outlook)
        if self.leaving:
            taken = {square for mate, square in outlook.standing.items() if mate != code}
            free = frozenset(square for square in hulk.exit_tile if square not in taken)
            self.costs = costs(ground.grid, free or hulk.on_exit_tile, barred)
            self.step = STEP * hurry(outlook, code, self.costs[here], left)
        elif self.working:
            self.costs = costs(ground.grid, frozenset((outlook.console,)), barred)
            self.step = STEP
        else:
            self.costs = waiting(ground, candidates(state))
            self.step = WAITING_STEP
        self.distance = self.costs[here]

    def way(self, outlook: Outlook, here: int) -> int:
        """Return the square of the first Tyranid on the shortest way from a square, -1 if the way is clear."""
        if not (self.leaving or self.working):
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


def worker(outlook: Outlook) -> str:
    """Return who works the console: the Marine who needs the fewest turns to get there, the first of the squad if tied."""
    if outlook.console < 0 or not outlook.standing:
        return ""
    far = costs(outlook.ground.grid, frozenset((outlook.console,)), frozenset(outlook.tyranids))
    book, state = outlook.book, outlook.state
    ranks = {
        code: far[outlook.standing[code]] / book.side(state, code).actions
        for code in state.squad
        if code in outlook.standing
    }
    return min(ranks, key=ranks.__getitem__)


def hurry(outlook: Outlook, code: str, distance: float, left: int) -> float:
    """Return 1 when there is time for a Marine to reach the exit, up to 3 when there is hardly enough."""
    book, state = outlook.book, outlook.state
    own, tyranid = activations(book, state, code)
    rounds = max(0, cards_left(state) - tyranid) / FULL_ROUND
    actions = left + book.side(state, code).actions * (own + 2 * rounds)
    if distance <= 0.4 * actions:
        return 1.0
    return min(3.0, 1.0 + 4 * (distance / (actions or 1) - 0.4))
