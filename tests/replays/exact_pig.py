"""The exact solution of Pig for two: what every position is worth to whose turn it is, by the value of a policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Key = tuple[int, int, int]
"""Own score, the other's score, points of the turn."""

Rolls = Callable[[Key], bool]
"""Whether a policy rolls on."""


def solved(goal: int, rolls: Rolls | None = None) -> dict[Key, float]:
    """Return the chance to win of whom it is to act, if both play so (None: as well as can be), by value iteration."""
    keys = [(i, j, k) for i in range(goal) for j in range(goal) for k in range(goal + 6 - i)]
    keys.sort(key=lambda key: (-key[0] - key[1], -key[2]))  # from the end, where most is settled
    worth = dict.fromkeys(keys, 0.5)
    while True:
        change = 0.0
        for key in keys:
            options = []
            if key[2] == 0 or rolls is None or rolls(key):
                options.append(rolled(worth, goal, key))
            if key[2] and (rolls is None or not rolls(key)):
                options.append(held(worth, goal, key))
            new = max(options)
            change = max(change, abs(new - worth[key]))
            worth[key] = new
        if change < 1e-9:
            return worth


def rolled(worth: dict[Key, float], goal: int, key: Key) -> float:
    """Return what a roll is worth, over all six faces."""
    i, j, _ = key
    return (1 - worth[j, i, 0] + sum(after(worth, goal, key, face) for face in range(2, 7))) / 6


def after(worth: dict[Key, float], goal: int, key: Key, face: int) -> float:
    """Return what a position is worth, to whose turn it was, once a face has come."""
    i, j, k = key
    if face == 1:
        return 1 - worth[j, i, 0]
    return 1.0 if i + k + face >= goal else worth[i, j, k + face]


def held(worth: dict[Key, float], goal: int, key: Key) -> float:
    """Return what holding is worth."""
    i, j, k = key
    return 1.0 if i + k >= goal else 1 - worth[j, i + k, 0]


def key_of(state: Any) -> Key:
    """Return the position of a state of Pig, from where it is to act."""
    player = state.pending[-1].player
    return state.scores[player], state.scores[1 - player], state.turn_total
