"""Reinforcements: counters drawn for squares, lines around held squares, Marines struck (SMA-REIN-1 to SMA-REIN-17)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

from ..chance import Pick as PickCounter
from ..chance import Request, Roll
from ..events import CounterReturned, Event
from ..rules import Decision, Script, do
from .actions import Pick
from .book import Book
from .events_cards import CounterTaken, MarineStruck, ReinforcementBlocked
from .events_setup import CounterPlaced
from .field import Field
from .state import BAG, LevelState, bag_size
from .steps import Place, PlaceAtRolls, Spread, Wound


class Line(NamedTuple):
    """Where a line of reinforcement ends: a square (-1: nowhere), how far off, and what stopped it if nowhere."""

    square: int
    steps: int
    reason: str = ""
    last: int = -1


def line(field: Field, start: int, direction: int) -> Line:
    """Return where a line from a held square ends: the first square without a Tyranid (SMA-REIN-4, SMA-REIN-5)."""
    ground = field.ground
    here, count = start, 0
    while True:
        there = ground.grid.steps[here][direction]
        count += 1
        if there < 0:
            beyond = ground.hulk.grid.steps[here][direction]
            return Line(-1, count, "bulkhead" if beyond >= 0 else "wall", here)
        if there not in field.tyranids:
            return Line(there, count)
        here = there


def take(book: Book, state: LevelState, kind: str, cause: str) -> Generator[Request | Event, Any, str]:
    """Take a counter out of the bag, which is not empty: of that kind while there is one, else at random."""
    if kind != "bag":
        for counter in state.chance.bags[BAG].inside():
            if book.kinds[counter] == kind:
                yield CounterTaken(BAG, counter, kind, cause, rule="SMA-INF-1")
                return counter
    counter = yield PickCounter(BAG, purpose="reinforcement", subject=cause, rule="SMA-REIN-1")
    return str(counter)


def place(book: Book, state: LevelState, square: str, kind: str, cause: str) -> Script:
    """Draw a counter onto an empty square; with an empty bag nothing happens (SMA-REIN-2, SMA-REIN-7)."""
    if not bag_size(state):
        yield ReinforcementBlocked(square, "bag_empty", rule="SMA-REIN-7")
        return
    counter = yield from take(book, state, kind, cause)
    yield CounterPlaced(counter, book.kinds[counter], square, "bag", cause, rule="SMA-REIN-2")


def strike(book: Book, state: LevelState, square: str, code: str, kind: str, cause: str, rule: str) -> Script:
    """Strike the Marine on a square: the counter drawn goes back in the bag, whatever becomes of the wound."""
    if bag_size(state):
        counter = yield from take(book, state, kind, cause)
        yield MarineStruck(code, square, "counter", cause, counter, rule=rule)
        yield CounterReturned(BAG, counter, rule="SMA-REIN-12")
    elif state.options.empty_bag_strikes:
        yield MarineStruck(code, square, "counter", cause, rule=rule)
    else:
        yield ReinforcementBlocked(square, "bag_empty", rule="SMA-REIN-13")
        return
    yield do(Wound(marine=code, cause=cause))


def land(book: Book, state: LevelState, square: str, kind: str, cause: str, rule: str = "SMA-REIN-6") -> Script:
    """Bring a counter to a square without a Tyranid: it is placed there, or strikes the Marine who is."""
    for code, marine in state.marines.items():
        if marine.square == square:
            yield from strike(book, state, square, code, kind, cause, rule)
            return
    yield from place(book, state, square, kind, cause)


def reinforce(book: Book, state: LevelState, square: str, kind: str, cause: str) -> Script:
    """Carry a reinforcement out at one square (SMA-REIN-1)."""
    if square in state.tyranids:
        yield do(Spread(square=square, cause=cause, kind=kind))
        return
    ground = book.ground(state)
    if ground.index[square] not in ground.grid.open:
        yield ReinforcementBlocked(square, "bulkhead", rule="SMA-REIN-9")
        return
    yield from land(book, state, square, kind, cause)


def spread_along(book: Book, state: LevelState, step: Spread, direction: int) -> Script:
    """Bring a counter to the end of one line of a held square (SMA-REIN-3)."""
    field = book.field(state)
    found = line(field, field.index[step.square], direction)
    if found.square < 0:
        if found.steps > 1 or found.reason == "bulkhead":
            rule = "SMA-REIN-5" if found.reason == "wall" else "SMA-REIN-9"
            yield ReinforcementBlocked(field.names[found.last], found.reason, rule=rule)
        return
    square = field.names[found.square]
    if found.steps > 1 and found.square in field.marines and state.options.line_marine == "skip":
        yield ReinforcementBlocked(square, "marine", rule="SMA-REIN-14")
        return
    rule = "SMA-REIN-14" if found.steps > 1 else "SMA-REIN-6"
    yield from land(book, state, square, step.kind, step.cause, rule)


def due(state: LevelState, field: Field, square: str) -> int:
    """Return how many counters a reinforcement at a square would take now."""
    here = field.index[square]
    if here not in field.tyranids:
        return 1 if here in field.ground.grid.open else 0
    return len(open_lines(state, field, here, (0, 1, 2, 3)))


def open_lines(state: LevelState, field: Field, start: int, directions: tuple[int, ...]) -> dict[int, int]:
    """Return the directions that would take a counter now, with the square each ends on."""
    skip = state.options.line_marine == "skip"
    ends = {}
    for direction in directions:
        found = line(field, start, direction)
        if found.square >= 0 and not (skip and found.steps > 1 and found.square in field.marines):
            ends[direction] = found.square
    return ends


# The steps


def ask_place(book: Book, state: LevelState, step: Place) -> Decision | None:
    """Ask for the next square, only under `short_bag = team` and with too few counters for all squares due."""
    if state.options.short_bag != "team" or len(step.squares) < 2 or not bag_size(state):
        return None
    field = book.field(state)
    wanting = {square: due(state, field, square) for square in dict.fromkeys(step.squares)}
    choices = [square for square, count in wanting.items() if count]
    if len(choices) < 2 or sum(wanting.values()) <= bag_size(state):
        return None
    return Decision("team", [Pick(square) for square in choices], "The bag is short: which square comes first?")


def resolve_place(book: Book, state: LevelState, step: Place, action: Pick) -> Script:
    """Carry out the square picked before the others."""
    yield from place_next(book, state, step, action.choice)


def run_place(book: Book, state: LevelState, step: Place) -> Script:
    """Carry out the first square, then the others (SMA-REIN-15)."""
    yield from place_next(book, state, step, step.squares[0])


def place_next(book: Book, state: LevelState, step: Place, square: str) -> Script:
    """Carry out one square of a list and keep the others for later."""
    rest = list(step.squares)
    rest.remove(square)
    if rest:
        yield do(Place(squares=tuple(rest), cause=step.cause, kind=step.kind))
    yield from reinforce(book, state, square, step.kind, step.cause)


def ask_spread(book: Book, state: LevelState, step: Spread) -> Decision | None:
    """Ask for the next line, only under `short_bag = team` and with too few counters for all lines due."""
    if state.options.short_bag != "team" or len(step.directions) < 2 or not bag_size(state):
        return None
    field = book.field(state)
    ends = open_lines(state, field, field.index[step.square], step.directions)
    if len(ends) < 2 or len(ends) <= bag_size(state):
        return None
    return Decision("team", [Pick(field.names[end]) for end in ends.values()], "The bag is short: where first?")


def resolve_spread(book: Book, state: LevelState, step: Spread, action: Pick) -> Script:
    """Carry out the line that ends on the square picked before the others."""
    field = book.field(state)
    ends = open_lines(state, field, field.index[step.square], step.directions)
    direction = next(way for way, square in ends.items() if field.names[square] == action.choice)
    yield from spread_next(book, state, step, direction)


def run_spread(book: Book, state: LevelState, step: Spread) -> Script:
    """Carry out the first line, then the others: north, east, south, west (SMA-REIN-15)."""
    yield from spread_next(book, state, step, step.directions[0])


def spread_next(book: Book, state: LevelState, step: Spread, direction: int) -> Script:
    """Carry out one line and keep the others for later."""
    rest = tuple(way for way in step.directions if way != direction)
    if rest:
        yield do(Spread(square=step.square, cause=step.cause, kind=step.kind, directions=rest))
    yield from spread_along(book, state, step, direction)


def run_rolls(book: Book, state: LevelState, step: PlaceAtRolls) -> Script:
    """Roll for a xenos entry and carry out a reinforcement there before the next roll."""
    if step.count > 1:
        yield do(PlaceAtRolls(count=step.count - 1, cause=step.cause, kind=step.kind))
    (value,) = yield Roll("die/team", purpose="xenos entry", subject="team", rule="SMA-GEN-5")
    ground = book.ground(state)
    yield from reinforce(book, state, ground.names[ground.hulk.xenos[value - 1]], step.kind, step.cause)
