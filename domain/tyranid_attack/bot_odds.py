"""Exact chances of dice: that a volley hits, and how a round of hand-to-hand ends."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

FACES = 6


class Round(NamedTuple):
    """How likely a round of hand-to-hand ends with a loss for the other side, for both, and for one's own side."""

    win: float
    draw: float
    loss: float


@lru_cache(maxsize=1024)
def hit(dice: int, bonus: int, need: int) -> float:
    """Return the chance that the best of some dice, with a bonus, reaches what is needed (TA-SHOOT-4)."""
    low = min(max(need - 1 - bonus, 0), FACES)
    return 1.0 - float((low / FACES) ** dice) if dice > 0 else 0.0


@lru_cache(maxsize=64)
def best(dice: int) -> tuple[float, ...]:
    """Return how likely each face from 1 to 6 is as the best of some dice; without dice the best is none of them."""
    if dice <= 0:
        return (0.0,) * FACES
    return tuple(((face / FACES) ** dice) - (((face - 1) / FACES) ** dice) for face in range(1, FACES + 1))


@lru_cache(maxsize=4096)
def duel(dice: int, bonus: int, against: int, theirs: int, axe: bool = False) -> Round:
    """Return how a round ends in which both keep their best die and add a bonus, one a die less 1 with an `axe`.

    Without dice a side has only its bonus (TA-HTH-3 to -6, TA-WEAP-6).
    """
    mine = _scores(dice, bonus, axe)
    yours = _scores(against, theirs, False)
    win = sum(p * q for score, p in mine.items() for other, q in yours.items() if score > other)
    draw = sum(p * q for score, p in mine.items() for other, q in yours.items() if score == other)
    return Round(win, draw, max(0.0, 1.0 - win - draw))


@lru_cache(maxsize=256)
def reach(dice: int, bonus: int, need: int, axe: bool = False) -> float:
    """Return the chance that a hand-to-hand score reaches what is needed (TA-OBJ-9, TA-BLOB-7)."""
    return sum(chance for score, chance in _scores(dice, bonus, axe).items() if score >= need)


def _scores(dice: int, bonus: int, axe: bool) -> dict[int, float]:
    if dice <= 0:
        return {bonus: 1.0}
    scores: dict[int, float] = {}
    for face, chance in enumerate(best(dice), 1):
        for more in range(FACES if axe else 1):
            score = face + bonus + more
            scores[score] = scores.get(score, 0.0) + chance / (FACES if axe else 1)
    return scores
