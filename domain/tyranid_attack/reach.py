"""Where a model can move, by which kind of way, and the way it takes."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple

from ..rules import Refusal
from .book import Book
from .ship import AROUND, Ship
from .state import MARINES, HiveState, Point, distance

ENTER, AVOID = "enter", "avoid"


class Flood(NamedTuple):
    """How many squares it takes to each square: without stepping into the unexplored section, and with it."""

    avoid: Mapping[Point, int]
    enter: Mapping[Point, int]


def unexplored(book: Book, state: HiveState) -> frozenset[Point]:
    """Return the squares of the unexplored section (TA-EXPL-1)."""
    ship = book.ship(state)
    return frozenset(square for section in state.cards for square in ship.squares.get(section, ()))


def enemies(book: Book, state: HiveState, side: str) -> frozenset[Point]:
    """Return the squares of a side's enemies (TA-MOVE-4)."""
    key = f"squares against {side}"
    found: frozenset[Point] | None = state.__dict__.get(key)
    if found is None or state.__dict__.get("counted") is not state.at:
        squares: dict[str, list[Point]] = {"marines": [], "tyranid": []}
        for name, model in state.models.items():
            squares["tyranid" if book.side(name) == "marines" else "marines"].append(model.at)
        for seat, there in squares.items():
            state.__dict__[f"squares against {seat}"] = frozenset(there)
        state.__dict__["counted"] = state.at
        found = state.__dict__[key]
    return found


def limit(book: Book, state: HiveState, name: str) -> int:
    """Return how many squares a model may move now, 0 if it may not (TA-MOVE-1, TA-TURN-6, TA-TURN-7)."""
    act = state.act(name)
    if act.split and act.attacked and act.left:
        return act.left
    return book.move(state.models[name]) if act.moves else 0


def flood(book: Book, state: HiveState, name: str) -> Flood:
    """Return how far squares are for a model: over friends, round enemies, walls and templates (TA-MOVE-1 to -8)."""
    reach = limit(book, state, name)
    side = book.side(name)
    ship = book.ship(state)
    closed = unexplored(book, state) if side == MARINES and state.trigger is None else _NOWHERE
    blocked = enemies(book, state, side)
    at = state.models[name].at
    key = (at, reach, closed, blocked)
    found = ship.floods.get(key)
    if found is None:
        if len(ship.floods) > 2_000:
            ship.floods.clear()
        found = ship.floods[key] = _search(ship, at, reach, closed, blocked)
    assert isinstance(found, Flood)
    return found


_NOWHERE: frozenset[Point] = frozenset()


def _search(ship: Ship, at: Point, reach: int, closed: Container[Point], blocked: Container[Point]) -> Flood:
    around = ship.around
    avoid: dict[Point, int] = {at: 0}
    enter: dict[Point, int] = {}
    edge, inside = [at], list[Point]()
    for steps in range(1, reach + 1):
        beyond, within = [], []
        for here in edge:
            for there in around[here]:
                if there in blocked:
                    continue
                if there in closed:
                    if there not in enter:
                        enter[there] = steps
                        within.append(there)
                elif there not in avoid:
                    avoid[there] = steps
                    beyond.append(there)
        for here in inside:
            for there in around[here]:
                if there not in enter and there not in blocked:
                    enter[there] = steps
                    within.append(there)
        edge, inside = beyond, within
        if not edge and not inside:
            break
    return Flood(avoid, enter)


def ends(book: Book, state: HiveState, name: str) -> list[tuple[Point, str]]:
    """Return where a move can end, with the kind of way where both kinds lead there, in reading order (TA-MOVE-3)."""
    if not limit(book, state, name):
        return []
    found = flood(book, state, name)
    taken, at = state.at, state.models[name].at
    avoid = [square for square in found.avoid if square not in taken]
    if not found.enter:
        return [(square, "") for square in sorted(avoid, key=_reading)]
    ways = []
    for square in sorted({*avoid, *found.enter}, key=_reading):
        if square in taken and square != at:
            continue
        if square == at:
            if square in found.enter:
                ways.append((square, ENTER))
        elif square in found.enter and square in found.avoid:
            ways += [(square, ENTER), (square, AVOID)]
        else:
            ways.append((square, ""))
    return ways


def _reading(square: Point) -> tuple[int, int]:
    return square[1], square[0]


def way(book: Book, state: HiveState, name: str, to: Point, kind: str) -> tuple[Point, ...]:
    """Return the shortest way of a kind, without its start; of several the one that goes north first, then clockwise."""
    found = flood(book, state, name)
    entering = kind == ENTER or (not kind and to not in found.avoid)
    ship = book.ship(state)
    closed = unexplored(book, state) if found.enter else _NOWHERE
    blocked = enemies(book, state, book.side(name))
    here, inside = state.models[name].at, False
    left = _back(ship, (to, entering), (here, False), closed, blocked)
    path = []
    while (here, inside) != (to, entering):
        for u, v in AROUND:
            there = (here[0] + u, here[1] + v)
            now = inside or there in closed
            if there in ship.around[here] and left.get((there, now), -1) == left[here, inside] - 1:
                path.append(there)
                here, inside = there, now
                break
    return tuple(path)


Place = tuple[Point, bool]
"""A square, and whether the way has stepped into the unexplored section by then."""


def _back(
    ship: Ship, goal: Place, start: Place, closed: Container[Point], blocked: Container[Point]
) -> dict[Place, int]:
    """Return how many steps the goal is away, for every place that is no farther than the start."""
    left = {goal: 0}
    edge = [goal]
    while start not in left:
        before: list[Place] = []
        for square, inside in edge:
            # A step onto a square of the section makes a way one that has entered it; no step undoes that.
            comes = (False, True) if square in closed else (inside,)
            for there in ship.around[square]:
                for was in comes:
                    place = (there, was)
                    if place in left or (there in blocked) or (not was and there in closed and place != start):
                        continue
                    left[place] = left[square, inside] + 1
                    before.append(place)
        if not before:
            raise ValueError(f"no way leads to {goal}")
        edge = before
    return left


def refuse_path(book: Book, state: HiveState, name: str, path: list[Point]) -> Refusal | None:
    """Return why a model may not take a path, square by square from the first it steps on; None if it may."""
    ship, names = book.ship(state), book.names
    blocked = enemies(book, state, book.side(name))
    here = state.models[name].at
    for number, there in enumerate(path, 1):
        shown = names.square(state, there)
        if distance(here, there) != 1:
            return Refusal("TA-MOVE-2", f"{shown} is not adjacent to {names.square(state, here)}")
        refusal = _refuse_square(book, state, there, blocked)
        if refusal is not None:
            return refusal
        if there not in ship.around[here]:
            return Refusal("TA-MOVE-8", f"the gap between two walls on the way to {shown} is closed")
        if number > limit(book, state, name):
            return Refusal("TA-MOVE-1", f"{name} moves {limit(book, state, name)} squares")
        here = there
    return None


def _refuse_square(book: Book, state: HiveState, square: Point, blocked: Container[Point]) -> Refusal | None:
    shown = book.names.square(state, square)
    ship = book.ship(state)
    if square not in ship.bare:
        return Refusal("TA-MOVE-6", f"{shown} is wall")
    if square in ship.solid:
        return Refusal("TA-MOVE-5", f"a template stands on {shown}")
    if square in blocked:
        return Refusal("TA-MOVE-4", f"an enemy stands on {shown}")
    return None


def refuse_end(book: Book, state: HiveState, name: str, to: Point, kind: str) -> Refusal | None:
    """Return why a model may not move to a square; None where it may."""
    shown = book.names.square(state, to)
    blocked = enemies(book, state, book.side(name))
    refusal = _refuse_square(book, state, to, blocked)
    if refusal is not None:
        return refusal
    found = flood(book, state, name)
    if to == state.models[name].at and not (kind == ENTER and to in found.enter):
        return Refusal("TA-MOVE-1", f"{name} is at {shown} already")
    if to in state.at and to != state.models[name].at:
        return Refusal("TA-MOVE-3", f"{state.at[to]} stands on {shown}: a move passes it and ends elsewhere")
    if to not in found.avoid and to not in found.enter:
        return Refusal("TA-MOVE-1", f"{shown} is more than {limit(book, state, name)} squares away for {name}")
    if kind == ENTER and to not in found.enter:
        return Refusal("TA-EXPL-2", f"no way to {shown} steps into the unexplored section")
    if kind == AVOID and to not in found.avoid:
        return Refusal("TA-EXPL-2", f"every way to {shown} steps into the unexplored section")
    return None if (to, kind) in ends(book, state, name) else Refusal("TA-EXPL-2", "both ways lead there: say which")
