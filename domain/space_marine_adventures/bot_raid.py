"""Hit and run: step to where a shot is worth it, shoot, and step back while there are actions left."""

from __future__ import annotations

from .bot_turn import Acting

SHOT = 0.02
"""What a shot must be worth to be counted at all."""


def best_raid(acting: Acting) -> tuple[float, int]:
    """Return what the best raid gains over staying, in wounds, and the square to shoot from (-1: none is worth it)."""
    outlook, goal = acting.outlook, acting.goal
    field, grid = outlook.field, outlook.ground.grid
    here = acting.worth(acting.here, 0)
    best, post = 0.0, -1
    for square, far in grid.within_walk(acting.here, acting.steps - 1, outlook.tyranids).items():
        if square in field.marines or goal.costs[square]:
            continue
        shot = shot_from(acting, square)
        if shot <= SHOT:
            continue
        left = acting.steps - far
        gain = here - min(
            acting.worth(back, far + steps) - shot * (left - steps)
            for back, steps in grid.within_walk(square, left - 1, outlook.tyranids).items()
            if back not in field.marines or back == acting.here
        )
        if gain > best:
            best, post = gain, square
    return best, post


def shot_from(acting: Acting, square: int) -> float:
    """Return what one Attack from a square gains on average."""
    outlook = acting.outlook
    seen = outlook.book.targets(outlook.state, outlook.field, square, acting.side.range)
    return max((acting.attack_chance(there) * acting.value(there) for there, _ in seen), default=0.0)


def withdraws(acting: Acting, gain: float) -> bool:
    """Say whether it is time to step back instead of a shot that gains so much: another one would leave too few steps."""
    outlook = acting.outlook
    field, grid = outlook.field, outlook.ground.grid
    here = acting.worth(acting.here, 0)
    best, steps_back = here, 0
    for square, far in grid.within_walk(acting.here, acting.steps, outlook.tyranids).items():
        if square not in field.marines:
            worth = acting.worth(square, far)
            if worth < best - 0.01 * far:
                best, steps_back = worth, far
    return steps_back >= acting.steps and here - best > gain
