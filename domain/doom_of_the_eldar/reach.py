"""Where a counter can move: allowances, forbidden areas, and enemies that end a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..rules import Refusal
from .book import Book
from .state import ELDAR, TYRANID, DoomState


class Mover(NamedTuple):
    """A counter that may move: from where, how many areas (0: any number), and in which domain.

    `rule` is the one that forbids it the other areas, empty where nothing is forbidden.
    """

    id: str
    side: str
    start: str
    allowance: int
    domain: str
    rule: str

    @property
    def pace(self) -> str:
        """The ID of the rule that says how far the counter moves."""
        return {0: "DOE-MOVE-2", 1: "DOE-MOVE-4"}.get(self.allowance, "DOE-MOVE-3")

    def forbids(self, book: Book, area: str) -> Refusal | None:
        """Return why the counter may never enter an area (DOE-MOVE-9, -10, -13); None where it may."""
        if self.domain == "anywhere" or (area in book.deep) == (self.domain == "space"):
            return None
        where = "space" if self.domain == "craftworld" else "areas of the Craftworld"
        return Refusal(self.rule, f"{self.id} never enters {where}")


def mover(book: Book, state: DoomState, id: str) -> Mover:
    """Return how a counter on the map moves (DOE-MOVE-2 to -4, -9 to -14, DOE-HM-2)."""
    unit = book.units.get(id)
    if unit is not None:
        rule = {"space": "DOE-MOVE-9", "craftworld": "DOE-MOVE-10", "anywhere": ""}[unit.domain]
        return Mover(id, ELDAR, state.units[id], unit.move, unit.domain, rule)
    face = state.face.get(id)
    if face is None:
        return Mover(id, TYRANID, state.swarms[id], 1, "anywhere", "")
    counter = book.counters[face]
    return Mover(id, TYRANID, state.swarms[id], counter.move, counter.domain, "DOE-MOVE-13")


def enemies(state: DoomState, side: str) -> frozenset[str]:
    """Return the areas (and boxes) that hold enemies of a side: who enters one ends the move (DOE-MOVE-7, -15)."""
    return frozenset(state.stacks) if side == ELDAR else frozenset(state.eldar)


def reach(book: Book, mover: Mover, blocked: frozenset[str]) -> tuple[str, ...]:
    """Return the areas that a counter can end its move in, in the order of the map (DOE-MOVE-6, -7, -8)."""
    if mover.allowance == 1:
        return book.steps[mover.start, mover.domain]
    key = (mover.start, mover.allowance, mover.domain, blocked)
    found = book.reached.get(key)
    if found is None:
        if len(book.reached) > 20_000:
            book.reached.clear()
        found = book.reached[key] = _search(book, mover, blocked)
    return found


def _search(book: Book, mover: Mover, blocked: frozenset[str]) -> tuple[str, ...]:
    met, edge, left = {mover.start}, [mover.start], mover.allowance or len(book.areas)
    while edge and left:
        left -= 1
        entered = []
        for area in edge:
            for next in book.steps[area, mover.domain]:
                if next not in met:
                    met.add(next)
                    if next not in blocked:
                        entered.append(next)
        edge = entered
    met.discard(mover.start)
    return tuple(area for area in book.areas if area in met)


def refuse_path(book: Book, state: DoomState, id: str, path: Sequence[str]) -> Refusal | None:
    """Return why a counter on the map may not take a path, area by area from the first it enters; None if it may."""
    found = mover(book, state, id)
    blocked = enemies(state, found.side)
    here = found.start
    for number, area in enumerate(path, 1):
        if area not in book.adjacent:
            return Refusal("DOE-MAP-1", f"there is no area {area}")
        if area not in book.adjacent[here]:
            return Refusal("DOE-MOVE-6", f"{area} is not adjacent to {here}")
        forbidden = found.forbids(book, area)
        if forbidden is not None:
            return forbidden
        if number > 1 and here in blocked:
            return Refusal("DOE-MOVE-7", f"{id} meets enemies at {here} and ends its move there")
        if number > 1 and found.side == TYRANID and id not in state.face and here not in book.deep:
            return Refusal("DOE-MOVE-17", f"{id} lands at {here}, and landing is its whole move")
        if found.allowance and number > found.allowance:
            far = "one area" if found.allowance == 1 else f"{found.allowance} areas"
            return Refusal(found.pace, f"{id} moves {far}")
        here = area
    return None
