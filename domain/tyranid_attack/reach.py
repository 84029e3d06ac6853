"""Where a model can move, by which kind of way, and the way it takes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property

from ..choices import Lazy
from ..rules import Refusal
from .actions import Move
from .book import Book
from .plane import Plane
from .ship import Ship
from .state import MARINES, HiveState, Point, distance

ENTER, AVOID = "enter", "avoid"


class Flood:
    """How many squares it takes to each square: without stepping into the unexplored section, and with it.

    Both are kept as the squares of each step, as bits; step 0 is the start.
    """

    def __init__(self, plane: Plane, avoiding: list[int], entering: list[int], avoided: int, entered: int) -> None:
        self.plane = plane
        self._avoiding, self._entering = avoiding, entering
        self.avoided, self.entered = avoided, entered

    def steps(self, square: Point, entering: bool) -> int:
        """Return how many steps a kind of way to a square takes, -1 if none leads there."""
        bit = self.plane.bit(square)
        for steps, mask in enumerate(self._entering if entering else self._avoiding):
            if mask & bit:
                return steps
        return -1

    def layers(self, square: Point, entering: bool, closed: int) -> list[tuple[int, int]]:
        """Return for each step of the shortest ways to a square the places they lie on: before entering, and after."""
        around, bit = self.plane.around, self.plane.bit(square)
        before, after = (0, bit) if entering else (bit, 0)
        found = [(before, after)]
        for steps in range(self.steps(square, entering) - 1, -1, -1):
            if after:
                # A step onto a square of the section makes a way one that has entered it; no step undoes that.
                stepped = around((before & ~closed) | (after & closed)) & self._avoiding[steps]
                before, after = stepped, around(after) & self._entering[steps]
            else:
                before = around(before) & self._avoiding[steps]
            found.append((before, after))
        return found[::-1]

    @cached_property
    def avoid(self) -> Mapping[Point, int]:
        """Steps to each square by ways that do not enter."""
        return self._steps(self._avoiding)

    @cached_property
    def enter(self) -> Mapping[Point, int]:
        """Steps to each square by ways that enter."""
        return self._steps(self._entering)

    def _steps(self, masks: list[int]) -> dict[Point, int]:
        return {square: steps for steps, mask in enumerate(masks) for square in self.plane.squares(mask)}


def unexplored(book: Book, state: HiveState) -> frozenset[Point]:
    """Return the squares of the unexplored section (TA-EXPL-1)."""
    ship, sections = book.ship(state), state.cards
    if len(sections) == 1:
        (section,) = sections
        return ship.ground(section)
    return frozenset[Point]().union(*map(ship.ground, sections))


def limit(book: Book, state: HiveState, name: str) -> int:
    """Return how many squares a model may move now, 0 if it may not (TA-MOVE-1, TA-TURN-6, TA-TURN-7)."""
    act = state.act(name)
    if act.split and act.attacked and act.left:
        return act.left
    return book.move(state.models[name]) if act.moves else 0


def flood(book: Book, state: HiveState, name: str) -> Flood:
    """Return how far squares are for a model: over friends, round enemies, walls and templates (TA-MOVE-1 to -8)."""
    return _flood(book, state, name, limit(book, state, name))


def _flood(book: Book, state: HiveState, name: str, reach: int) -> Flood:
    side = book.side(name)
    ship = book.ship(state)
    closed = _closed(ship, state) if side == MARINES and state.trigger is None else 0
    blocked = book.crowd(state).against(side)
    key = state.models[name].at, reach
    kept = ship.ways.get(key)
    if kept is not None and kept[0] == closed and kept[1] == blocked:
        return kept[2]  # type: ignore[no-any-return]
    for known, most in ((ship.ways, 60), (ship.floods, 2_000)):
        if len(known) > most:
            known.clear()
    found = _search(ship.plane, key[0], reach, closed, blocked)
    ship.ways[key] = closed, blocked, found
    return found


def _closed(ship: Ship, state: HiveState) -> int:
    """Return the squares of the unexplored section as bits."""
    if len(state.cards) == 1:
        (section,) = state.cards
        return ship.mask(section)
    found = 0
    for section in state.cards:
        found |= ship.mask(section)
    return found


def _search(plane: Plane, at: Point, reach: int, closed: int, blocked: int) -> Flood:
    around, open_ = plane.around, plane.floor & ~blocked
    edge, inside, entered = plane.bit(at), 0, 0
    whole = free = open_ & ~(edge & ~closed)
    avoiding, entering = [edge], [0]
    for _ in range(reach):
        near = around(edge) & free
        within = near & closed
        if within or inside:
            near ^= within
            if inside:
                within |= around(inside) & open_
            within &= ~entered
            entered |= within
        if not near and not within:
            break
        free ^= near
        avoiding.append(near)
        entering.append(within)
        edge, inside = near, within
    return Flood(plane, avoiding, entering, avoiding[0] | whole ^ free, entered)


class Ends(Lazy[Move]):
    """The moves of a model in reading order, with the kind of way where both kinds lead there (TA-MOVE-3).

    How many there are, and whether one is among them, is known without listing them.
    """

    def __init__(self, found: Flood, taken: int, at: Point) -> None:
        plane = self._plane = found.plane
        here = plane.bit(at)
        free = ~taken
        self._avoid = found.avoided & free
        self._enter = found.entered & (free | here)
        self._here = here

    def __len__(self) -> int:
        return self._avoid.bit_count() + self._enter.bit_count()

    def __bool__(self) -> bool:
        return bool(self._avoid or self._enter)

    def _at(self, index: int) -> Move:
        if index >= len(self):
            raise IndexError(f"no action has the index {index}")
        place, number = self._plane.nth(self._avoid, self._enter, index)
        return self._move(place, number)

    def _move(self, place: int, number: int) -> Move:
        bit = 1 << place
        if bit & self._avoid & self._enter:
            return Move(self._plane.square(place), AVOID if number else ENTER)
        return Move(self._plane.square(place), ENTER if bit == self._here else "")

    def __iter__(self) -> Iterator[Move]:
        bit = self._plane.bit
        for square in self._plane.squares(self._avoid | self._enter):
            if self._enter & bit(square):
                both = self._avoid & bit(square)
                yield Move(square, ENTER if both or bit(square) == self._here else "")
                if both:
                    yield Move(square, AVOID)
            else:
                yield Move(square)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Move):
            return False
        bit = self._plane.bit(action.to)
        avoid, enter = bool(bit & self._avoid), bool(bit & self._enter)
        if bit == self._here:
            return enter and action.way == ENTER
        if not (avoid or enter):
            return False
        return action.way in ((ENTER, AVOID) if avoid and enter else ("",))


def ends(book: Book, state: HiveState, name: str) -> Sequence[Move]:
    """Return the moves of a model (TA-MOVE-1, TA-MOVE-3)."""
    reach = limit(book, state, name)
    if not reach:
        return ()
    return Ends(_flood(book, state, name, reach), book.crowd(state).taken, state.models[name].at)


def way(book: Book, state: HiveState, name: str, to: Point, kind: str) -> tuple[Point, ...]:
    """Return the shortest way of a kind, without its start; of several the one that goes north first, then clockwise."""
    found = flood(book, state, name)
    plane = found.plane
    entering = kind == ENTER or (not kind and not found.avoided & plane.bit(to))
    closed = _closed(book.ship(state), state) if found.entered else 0
    path = []
    here, inside = plane.place(state.models[name].at), False
    for before, after in found.layers(to, entering, closed)[1:]:
        if closed:
            # What a step onto the section leads to is a way that has entered it.
            here = plane.step(here, after if inside else before & ~closed | after & closed)
            inside = inside or bool(closed >> here & 1)
        else:
            here = plane.step(here, before)
        path.append(here)
    return tuple(map(plane.square, path))


def refuse_path(book: Book, state: HiveState, name: str, path: list[Point]) -> Refusal | None:
    """Return why a model may not take a path, square by square from the first it steps on; None if it may."""
    ship, names = book.ship(state), book.names
    blocked = book.crowd(state).enemies(book.side(name))
    here = state.models[name].at
    for number, there in enumerate(path, 1):
        shown = names.spot(state, there)
        if distance(here, there) != 1:
            return Refusal("TA-MOVE-2", f"{shown} is not adjacent to {names.spot(state, here)}")
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
    shown = book.names.spot(state, square)
    ship = book.ship(state)
    if ship.in_entry(square):
        return Refusal("TA-MOVE-7", "nobody enters the entry area")
    if square not in ship.bare:
        return Refusal("TA-MOVE-6", f"{shown} is wall")
    if square in ship.solid:
        return Refusal("TA-MOVE-5", f"a template stands on {shown}")
    if square in blocked:
        return Refusal("TA-MOVE-4", f"an enemy stands on {shown}")
    return None


def refuse_end(book: Book, state: HiveState, name: str, to: Point, kind: str) -> Refusal | None:
    """Return why a model may not move to a square; None where it may."""
    shown = book.names.spot(state, to)
    blocked = book.crowd(state).enemies(book.side(name))
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
