"""The ship read anew for tests: floor and names straight from the drawn grids, lines with fractions, ways by search."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from hive import Play, play

from warptape.domain.events import Event
from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack.actions import Move, PickModel, PutModel
from warptape.domain.tyranid_attack.state import Laid, Options

Point = tuple[int, int]
SHOWN = tomllib.loads(RULESET.packaged().files["sections.toml"])["section"]
GRIDS: dict[int, list[str]] = {one["number"]: one["grid"].split() for one in SHOWN}
STEPS: tuple[Point, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""North, north-east, east and so on: the order in which ties are settled."""


class Hull:
    """The squares of sections as they lie: to which sections each belongs, the nearest to the rear first."""

    def __init__(self, chain: Iterable[Laid]) -> None:
        self.floor: dict[Point, list[int]] = {}
        self.doors: dict[Point, list[int]] = {}
        self.origin: dict[int, Point] = {}
        for laid in chain:
            rows = GRIDS[laid.section]
            if laid.rotation == 180:
                rows = [row[::-1] for row in rows[::-1]]
            left, top = 14 * laid.cell[0], 10 * laid.cell[1]
            self.origin[laid.section] = left, top
            for y, row in enumerate(rows):
                for x, mark in enumerate(row):
                    if mark != "#":
                        self.floor.setdefault((left + x, top + y), []).append(laid.section)
                    if mark == "+":
                        self.doors.setdefault((left + x, top + y), []).append(laid.section)

    def at(self, name: str) -> Point:
        """The square of a name such as `4:e1`."""
        section, _, where = name.partition(":")
        left, top = self.origin[int(section)]
        return left + "abcdefghijklmno".index(where[0]), top + int(where[1:]) - 1

    def name(self, square: Point) -> str:
        """The name of a square by the section nearest to the rear."""
        section = self.floor[square][0]
        left, top = self.origin[section]
        return f"{section}:{'abcdefghijklmno'[square[0] - left]}{square[1] - top + 1}"

    def of(self, section: int) -> set[Point]:
        """The floor of a section."""
        return {square for square, sections in self.floor.items() if section in sections}


def hull(p: Play) -> Hull:
    """The ship of a game as it lies now."""
    return Hull(p.state.chain)


def gap(one: Point, to: Point) -> int:
    """How many squares apart two squares are."""
    return max(abs(one[0] - to[0]), abs(one[1] - to[1]))


def crossed(offset: Point) -> set[Point]:
    """Offsets of the squares whose inside the line from (0, 0) to an offset meets, its ends left out."""
    found = set()
    for u in range(min(0, offset[0]), max(0, offset[0]) + 1):
        for v in range(min(0, offset[1]), max(0, offset[1]) + 1):
            if (u, v) not in ((0, 0), offset) and _meets(offset, (u, v)):
                found.add((u, v))
    return found


def _meets(offset: Point, square: Point) -> bool:
    low, high, half = Fraction(0), Fraction(1), Fraction(1, 2)
    for way, centre in zip(offset, square, strict=True):
        if way == 0:
            if abs(centre) >= half:
                return False
            continue
        times = sorted(((centre - half) / way, (centre + half) / way))
        low, high = max(low, times[0]), min(high, times[1])
    return low < high


def moves(p: Play) -> set[tuple[str, str]]:
    """The ends of the moves that are legal now: square and kind of way."""
    decision = p.referee.decision
    assert decision is not None
    ship = hull(p)
    return {(ship.name(action.to), action.way) for action in decision.actions if isinstance(action, Move)}


def ends(p: Play) -> set[str]:
    """The squares where a move can end now."""
    return {square for square, _ in moves(p)}


def squares(p: Play, kind: type) -> set[str]:
    """The squares that actions of a kind name now."""
    decision = p.referee.decision
    assert decision is not None
    ship = hull(p)
    return {ship.name(action.at) for action in decision.actions if isinstance(action, kind)}


def names(p: Play, kind: type) -> set[str]:
    """The models that actions of a kind name now."""
    decision = p.referee.decision
    assert decision is not None
    return {action.model for action in decision.actions if isinstance(action, kind)}


def choosing(p: Play) -> set[str]:
    """The Tyranids of which one is placed next; the one that has been chosen, or chosen for want of others."""
    return {p.state.pending[-1].model} if p.asked == "PutOn" else names(p, PickModel)


def standing(p: Play) -> set[str]:
    """The squares on which the Tyranid that is placed next may stand."""
    if p.asked == "PutOn":
        return squares(p, PutModel)
    probe = Play(p.state.copy())
    assert probe.referee.decision is not None
    probe.referee.take(probe.seat, probe.referee.decision.actions[0])
    return squares(probe, PutModel)


FIXED = Options(rotation="fixed")
NEAR = {"SC1": "5:e2", "SC2": "4:b6"}
"""SC1 a step or two from the front, and somebody behind him."""


def explore(*chance: object, models: dict[str, str] | None = None, **facts: Any) -> tuple[Play, list[Event]]:
    """SC1 steps onto the front section, and the sequence runs."""
    facts = {"card": "EX-01", "options": FIXED, **facts}
    p = play(models=models or NEAR, active="SC1", **facts)
    return p, p.do("move SC1 6:e10", *(chance or (3,)))
