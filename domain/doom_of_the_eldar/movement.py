"""Movement of both sides, landings, and counters that are too many."""

from __future__ import annotations

from collections.abc import Sequence

from ..chance import Reveal
from ..choices import Choices, Keyed
from ..events import CounterReturned
from ..rules import Decision, Refusal, Script, do
from ..secrets import bare
from . import endings, losses
from .actions import END, End, Give, Move, ShowSwarm
from .book import Book
from .events_turn import CounterMoved, CounterTrimmed, SwarmRevealed
from .reach import Mover, enemies, mover, reach
from .state import ELDAR, LID, TYRANID, DoomState
from .steps import EndMovement, Movement, Trim


def ask_movement(book: Book, state: DoomState, step: Movement) -> Decision:
    """Ask what moves next: anything of the side that has not moved in this phase (DOE-MOVE-1, DOE-MOVE-5)."""
    blocked = enemies(state, step.side)
    moved, face, kept = state.moved, state.face, book.kept_moves
    moves: dict[str, Sequence[Move]] = {}
    places = state.swarms if step.side == TYRANID else state.units
    for id, place in places.items():
        if place in book.adjacent and id not in moved:
            # Who moves one area does not depend on the enemies: the same moves serve wherever those are.
            kind = face.get(id) if step.side == TYRANID else id
            key = (id, place, kind, blocked if kind in book.far else None)
            found = kept.get(key)
            if found is None:
                if len(kept) > 50_000:
                    kept.clear()
                targets = reach(book, mover(book, state, id), blocked)
                found = kept[key] = tuple(Move(id, to) for to in targets)
            moves[id] = found
    if not moves:
        return Decision(step.side, (END,), "What moves next?")
    show = reveals(book, state) if step.side == TYRANID else ()
    return Decision(step.side, Choices((END, *show), Keyed(moves, _mover_of)), "What moves next?")


def _mover_of(action: object) -> str | None:
    return action.id if isinstance(action, Move) else None


def movers(book: Book, state: DoomState, side: str) -> list[str]:
    """Return the counters of a side that are on the map, in order, whatever they show (DOE-MOVE-16)."""
    if side == TYRANID:
        return list(state.swarms)
    areas = book.adjacent
    return [unit for unit, place in state.units.items() if place in areas]


def reveals(book: Book, state: DoomState) -> tuple[ShowSwarm, ...]:
    """Return the Swarms in space that may be turned face up: the unmoved Hive Mind (DOE-REVEAL-2, DOE-REVEAL-5)."""
    return tuple(
        ShowSwarm(token)
        for token, item in state.chance.bags[LID].out.items()
        if bare(item) in book.shown
        and token not in state.face
        and token not in state.moved
        and state.swarms[token] in book.deep
    )


def resolve_movement(book: Book, state: DoomState, step: Movement, action: Move | ShowSwarm | End) -> Script:
    """Move a counter, turning a Swarm that lands face up (DOE-REVEAL-1), or turn the Hive Mind face up."""
    if isinstance(action, End):
        return
    if isinstance(action, Move):
        found = mover(book, state, action.id)
        yield CounterMoved(action.id, found.start, action.to, rule=found.pace)
        if step.side == TYRANID and action.id not in state.face and action.to not in book.deep:
            yield from turn_up(book, state, action.id, "DOE-REVEAL-1")
    else:
        yield from turn_up(book, state, action.token, "DOE-REVEAL-5")
    yield do(Movement(side=step.side))


def turn_up(book: Book, state: DoomState, token: str, rule: str) -> Script:
    """Turn a Swarm to its Horde side for good (DOE-REVEAL-4); the last Tyranid may so end the game (DOE-END-1)."""
    item = yield Reveal(LID, token, rule=rule)
    counter = book.counters[item]
    yield SwarmRevealed(token, item, counter.attack, counter.defence, state.swarms[token], rule=rule)
    yield from endings.check(book, state)


def explain_movement(book: Book, state: DoomState, step: Movement, action: object) -> Refusal | None:
    """Say why that may not move there, or not be turned face up."""
    if isinstance(action, ShowSwarm):
        if step.side != TYRANID:
            return Refusal("DOE-REVEAL-5", "the Hive Mind is turned face up in the Tyranid Movement phase")
        if action.token not in state.swarms:
            return Refusal("DOE-REVEAL-2", f"no Swarm {action.token} is on the map")
        if action.token in state.face:
            return Refusal("DOE-REVEAL-4", f"{action.token} lies face up already")
        if action.token in state.moved:
            return Refusal("DOE-REVEAL-5", f"{action.token} has moved: the Hive Mind is revealed before it moves")
        return Refusal("DOE-REVEAL-2", "only the Hive Mind may be turned face up in space")
    if not isinstance(action, Move):
        return None
    if action.id not in movers(book, state, step.side):
        return _not_there(book, state, step.side, action.id)
    if action.id in state.moved:
        last = state.moved[-1] == action.id
        why = "has moved in this phase" if last else "has moved, and another counter after it"
        return Refusal("DOE-MOVE-5", f"{action.id} {why}")
    if action.to not in book.adjacent:
        return Refusal("DOE-MAP-1", f"there is no area {action.to}")
    found = mover(book, state, action.id)
    if found.start == action.to:
        return Refusal("DOE-MOVE-6", f"{action.id} is at {action.to} already")
    return _refuse_target(book, state, step.side, found, action.to)


def _not_there(book: Book, state: DoomState, side: str, id: str) -> Refusal:
    if side == ELDAR and id in book.units:
        return Refusal("DOE-MOVE-1", f"{book.names.unit(id)} is not on the map")
    if id in state.swarms or id in book.units:
        return Refusal("DOE-MOVE-1", f"{id} is a counter of the enemy")
    return Refusal("DOE-MOVE-1", f"there is no counter {id} on the map")


def _refuse_target(book: Book, state: DoomState, side: str, found: Mover, to: str) -> Refusal | None:
    """Say why an area cannot be reached: by the shortest path, as if nobody stood in the way."""
    forbidden = found.forbids(book, to)
    if forbidden is not None:
        return forbidden
    free = reach(book, found, frozenset())
    if to in free:
        return Refusal("DOE-MOVE-7", f"enemies stand in the way to {to}, and whoever meets them ends the move there")
    far = "one area" if found.allowance == 1 else f"{found.allowance} areas"
    return Refusal(found.pace, f"{to} is too far: {found.id} moves {far}")


# Too many counters


def excess(book: Book, state: DoomState, side: str, area: str) -> list[str]:
    """Return the counters that count in an area if they are more than the limit, else none (DOE-STACK-1, -3, -4)."""
    if side == TYRANID:
        counting = [token for token in state.stacks.get(area, ()) if book.counts(state, token)]
    else:
        counting = [unit for unit in state.eldar.get(area, ()) if unit not in book.exempt]
    return counting if len(counting) > book.limit else []


def run_end_movement(book: Book, state: DoomState, step: EndMovement) -> Script:
    """Check the stacking limit at the end of the phase, in the whole Craftworld; space has none (DOE-STACK-2, -5)."""
    crowded = [area for area in book.craftworld if excess(book, state, step.side, area)]
    if crowded:
        yield do(*(Trim(side=step.side, area=area) for area in crowded))


def ask_trim(book: Book, state: DoomState, step: Trim) -> Decision | None:
    """Ask which counter too many is given up (DOE-STACK-6, DOE-STACK-7)."""
    found = excess(book, state, step.side, step.area)
    if not found:
        return None
    prompt = f"Too many counters at {book.names.area(step.area)}: which is given up?"
    return Decision(step.side, tuple(map(Give, found)), prompt)


def resolve_trim(book: Book, state: DoomState, step: Trim, action: Give) -> Script:
    """Give up a counter, until the limit is kept (DOE-STACK-7)."""
    if step.side == TYRANID:
        yield CounterTrimmed(action.id, step.area, LID, rule="DOE-STACK-7")
        yield CounterReturned(LID, action.id, rule="DOE-STACK-7")
    else:
        yield CounterTrimmed(action.id, step.area, losses.box(book, action.id), rule="DOE-STACK-7")
    yield do(step)


def run_trim(book: Book, state: DoomState, step: Trim) -> Script:
    """The limit is kept; the end of the game is tested here too (ruling G-39)."""
    yield from endings.check(book, state)


def explain_trim(book: Book, state: DoomState, step: Trim, action: object) -> Refusal | None:
    """Say why that counter is not to be given up."""
    if not isinstance(action, Give):
        return None
    there = (*state.eldar.get(step.area, ()), *state.stacks.get(step.area, ()))
    if action.id in there and (action.id in state.units) == (step.side == ELDAR):
        return Refusal("DOE-STACK-7", f"{action.id} does not count, so giving it up would cure nothing")
    return Refusal("DOE-STACK-6", f"{action.id} is none of that side's counters at {book.names.area(step.area)}")
