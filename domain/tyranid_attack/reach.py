"""Where a model can move, by which kind of way, and the way it takes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..choices import Lazy
from ..rules import Refusal
from .actions import Move
from .book import Book
from .ship import Ship
from .state import MARINES, HiveState, Point, distance

ENTER, AVOID = "enter", "avoid"


class Flood(NamedTuple):
    """How many squares it takes to each square: without stepping into the unexplored section, and with it."""

    avoid: Mapping[Point, int]
    enter: Mapping[Point, int]


def unexplored(book: Book, state: HiveState) -> frozenset[Point]:
    """Return the squares of the unexplored section (TA-EXPL-1)."""
    ship, sections = book.ship(state), state.cards
    if len(sections) == 1:
        (section,) = sections
        return ship.ground(section)
    return frozenset[Point]().union(*map(ship.ground, sections))


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


def _search(ship: Ship, at: Point, reach: int, closed: frozenset[Point], blocked: frozenset[Point]) -> Flood:
    rings = ship.rings
    avoid: dict[Point, int] = {at: 0}
    enter: dict[Point, int] = {}
    edge: set[Point] = {at}
    inside: set[Point] = set()
    for steps in range(1, reach + 1):
        near = set[Point]().union(*[rings[here] for here in edge])
        near -= blocked
        within = near & closed if closed else set()
        near -= within
        near -= avoid.keys()
        if inside:
            within = within.union(*[rings[here] for here in inside]) - blocked
        within -= enter.keys()
        if not near and not within:
            break
        avoid.update(dict.fromkeys(near, steps))
        enter.update(dict.fromkeys(within, steps))
        edge, inside = near, within
    return Flood(avoid, enter)


class Ends(Lazy[Move]):
    """The moves of a model in reading order, with the kind of way where both kinds lead there (TA-MOVE-3).

    How many there are, and whether one is among them, is known without listing them.
    """

    def __init__(self, found: Flood, taken: Mapping[Point, str], at: Point) -> None:
        self._found, self._taken, self._at_square = found, taken, at
        self._listed: list[Move] | None = None

    def __len__(self) -> int:
        if self._listed is not None:
            return len(self._listed)
        avoid, enter = self._found.avoid, self._found.enter
        there = sum([(square in avoid) + (square in enter) for square in self._taken])
        return len(avoid) + len(enter) - there + (self._at_square in enter)

    def _list(self) -> list[Move]:
        if self._listed is None:
            self._listed = list(self._all())
        return self._listed

    def _all(self) -> Iterator[Move]:
        avoid, enter = self._found.avoid, self._found.enter
        for square in sorted({*avoid, *enter}, key=_reading):
            if square == self._at_square:
                if square in enter:
                    yield Move(square, ENTER)
            elif square in self._taken:
                continue
            elif square in enter and square in avoid:
                yield Move(square, ENTER)
                yield Move(square, AVOID)
            else:
                yield Move(square)

    def _at(self, index: int) -> Move:
        return self._list()[index]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._list())

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Move):
            return False
        square, avoid, enter = action.to, action.to in self._found.avoid, action.to in self._found.enter
        if square == self._at_square:
            return enter and action.way == ENTER
        if square in self._taken or not (avoid or enter):
            return False
        return action.way in ((ENTER, AVOID) if avoid and enter else ("",))


def ends(book: Book, state: HiveState, name: str) -> Sequence[Move]:
    """Return the moves of a model (TA-MOVE-1, TA-MOVE-3)."""
    if not limit(book, state, name):
        return ()
    return Ends(flood(book, state, name), state.at, state.models[name].at)


def _reading(square: Point) -> tuple[int, int]:
    return square[1], square[0]


def way(book: Book, state: HiveState, name: str, to: Point, kind: str) -> tuple[Point, ...]:
    """Return the shortest way of a kind, without its start; of several the one that goes north first, then clockwise."""
    found = flood(book, state, name)
    entering = kind == ENTER or (not kind and to not in found.avoid)
    around = book.ship(state).around
    closed = unexplored(book, state) if found.enter else _NOWHERE
    left = {False: found.avoid, True: found.enter}
    # From the end back: the places of each step that lie on a shortest way, each with whether it has entered by then.
    layers: list[set[Place]] = [{(to, entering)}]
    for steps in range(left[entering][to] - 1, -1, -1):
        layers.append(
            {
                (there, was)
                for square, inside in layers[-1]
                for there in around[square]
                for was in (_BOTH if square in closed else (inside,))
                if left[was].get(there, -1) == steps and (inside or not was)
            }
        )
    path = []
    here, inside = state.models[name].at, False
    for layer in layers[-2::-1]:
        for there in around[here]:
            now = inside or there in closed
            if (there, now) in layer:
                path.append(there)
                here, inside = there, now
                break
    return tuple(path)


Place = tuple[Point, bool]
"""A square, and whether the way has stepped into the unexplored section by then."""
_BOTH = (False, True)


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
    return (
        None if Move(to, kind) in ends(book, state, name) else Refusal("TA-EXPL-2", "both ways lead there: say which")
    )
