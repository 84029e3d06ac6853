"""The Move: one square, or a run through Marines (SMA-MOVE-1 to SMA-MOVE-8)."""

from __future__ import annotations

from ..rules import Refusal, Script
from .actions import Move
from .events_action import MarineMoved
from .events_turn import ActionSpent, FreeActionSpent
from .field import Field
from .state import FreeRecord, LevelState, TurnRecord


def budget(record: TurnRecord | FreeRecord) -> int:
    """Return how many single Moves may still be made."""
    if isinstance(record, TurnRecord):
        return record.left + record.free_moves
    return record.moves + record.either


def moves(field: Field, start: int, steps: int, found: list[object]) -> None:
    """Add every legal Move from a square with `steps` single Moves to a list of actions."""
    if steps <= 0:
        return
    marines, tyranids = field.marines, field.tyranids
    ground = field.ground
    actions = ground.moves
    crossing: list[int] | None = None
    for there in ground.neighbours[start]:
        if there in tyranids:
            continue
        if there in marines:
            if crossing is None:
                crossing = [there]
            else:
                crossing.append(there)
        else:
            found.append(actions[there])
    if crossing is None or steps == 1:
        return
    neighbours = ground.neighbours
    seen = {start, *crossing, *neighbours[start]}
    for _ in range(steps - 1):
        beyond = []
        for here in crossing:
            for there in neighbours[here]:
                if there in seen or there in tyranids:
                    continue
                seen.add(there)
                if there in marines:
                    beyond.append(there)
                else:
                    found.append(actions[there])
        if not beyond:
            return
        crossing = beyond


def can_move(field: Field, start: int, steps: int) -> bool:
    """Say whether any Move is legal from a square."""
    found: list[object] = []
    moves(field, start, steps, found)
    return bool(found)


def route(field: Field, start: int, goal: int) -> tuple[int, ...]:
    """Return the squares of the shortest Move to a goal, the goal last: only Marines on the way; empty if there is none.

    The goal itself may hold anything.
    """
    came: dict[int, int] = {start: -1}
    edge = [start]
    while edge:
        beyond = []
        for here in edge:
            for there in field.ground.neighbours[here]:
                if there in came:
                    continue
                came[there] = here
                if there == goal:
                    path = [there]
                    while came[path[-1]] != start:
                        path.append(came[path[-1]])
                    return tuple(reversed(path))
                if there in field.marines:
                    beyond.append(there)
        edge = beyond
    return ()


def move(state: LevelState, field: Field, record: TurnRecord | FreeRecord, to: str) -> Script:
    """Make a Move: free ones are spent first (SMA-ACT-7)."""
    code = record.marine
    index, names = field.index, field.names
    start, goal = index[state.marines[code].square], index[to]
    path: tuple[str, ...]
    if goal in field.ground.neighbours[start]:
        path, steps = (to,), 1
    else:
        squares = route(field, start, goal)
        path, steps = tuple(names[square] for square in squares), len(squares)
    yield from spend(record, "move", steps)
    yield MarineMoved(code, path, to, rule="SMA-MOVE-1" if steps == 1 else "SMA-MOVE-4")


def spend(record: TurnRecord | FreeRecord, kind: str, amount: int) -> Script:
    """Spend actions: free ones of the kind, then those that may be either, then paid ones (SMA-ACT-7)."""
    code = record.marine
    if isinstance(record, TurnRecord):
        free = record.free_moves if kind == "move" else record.free_attacks
        if free:
            used = free if free < amount else amount
            yield FreeActionSpent(code, kind, used, free - used, rule="SMA-ACT-7")
            amount -= used
        if amount:
            yield ActionSpent(code, amount, record.left - amount, rule="SMA-ACT-1")
        return
    free = record.moves if kind == "move" else record.attacks
    if free:
        used = free if free < amount else amount
        yield FreeActionSpent(code, kind, used, free - used, rule="SMA-ACT-7")
        amount -= used
    if amount:
        yield FreeActionSpent(code, "any", amount, record.either - amount, rule="SMA-ACT-7")


def explain_move(state: LevelState, field: Field, record: TurnRecord | FreeRecord, action: Move) -> Refusal | None:
    """Return why a Move is not legal, None when it is."""
    here, there = field.index[state.marines[record.marine].square], field.index.get(action.to, -1)
    ground, to = field.ground, action.to
    if there < 0:
        return Refusal("SMA-MOVE-2", f"there is no square {to} here")
    if there == here:
        return Refusal("SMA-MOVE-1", f"he is on {to} already")
    if there not in ground.grid.open:
        what = "a sealed bulkhead" if there in ground.hulk.labels else "wall"
        return Refusal("SMA-MOVE-2", f"{to} is {what}")
    path = route(field, here, there)
    if not path:
        return Refusal("SMA-MOVE-1", f"a Move goes one square north, east, south or west, and {to} is not beside him")
    if there in field.tyranids:
        return Refusal("SMA-MOVE-3", f"a Tyranid is on {to}")
    if there in field.marines:
        return Refusal("SMA-MOVE-4", f"he may pass through a Space Marine but not stop on {to}")
    steps = budget(record)
    if len(path) <= steps:
        return None
    if len(path) > 1:
        return Refusal("SMA-MOVE-5", f"to come out on {to} takes {len(path)} Moves, and he has {steps}")
    if isinstance(record, FreeRecord):
        return Refusal("SMA-ACT-7", "none of his free actions may be a Move")
    return Refusal("SMA-ACT-1", "he has no action left")
