"""Counters that leave the map: where they go, and what is shown of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..chance import Reveal
from ..events import CounterReturned
from ..rules import Decision, Refusal, Script, do
from .actions import LoseCounter
from .book import Book
from .effects import Invulnerable
from .events_battle import TyranidDestroyed, UnitDestroyed
from .state import DESTROYED_GROUND, DESTROYED_SPACECRAFT, ELDAR, LID, OUT, DoomState
from .steps import Lose


def box(book: Book, unit: str) -> str:
    """Return the box that a lost Eldar unit goes to (DOE-LOSS-4, DOE-LOSS-7)."""
    return {"ship": DESTROYED_SPACECRAFT, "ground": DESTROYED_GROUND, "special": OUT}[book.units[unit].group]


def invulnerable(book: Book, state: DoomState, token: str) -> bool:
    """Say whether a token is never a loss, a target or part of a total: the face-up Hive Mind (DOE-HM-1, DOE-HM-3)."""
    face = state.face.get(token)
    return face is not None and any(isinstance(effect, Invulnerable) for effect in book.counters[face].effects)


def fighters(book: Book, state: DoomState, area: str) -> list[str]:
    """Return the tokens of an area that fight, bottom to top: all but a face-up Hive Mind (DOE-COMBAT-2, DOE-HM-3)."""
    return [token for token in state.stacks.get(area, ()) if not invulnerable(book, state, token)]


def lose_unit(book: Book, state: DoomState, unit: str, rule: str) -> Script:
    """Lose an Eldar unit (DOE-LOSS-4, DOE-LOSS-7)."""
    yield UnitDestroyed(unit, state.units[unit], box(book, unit), rule=rule)


def lose_token(state: DoomState, token: str, rule: str) -> Script:
    """Lose a Tyranid counter: it goes back to the lid, unseen if it was face down (DOE-LOSS-3, -8, DOE-REINF-5)."""
    yield from show(state, token)
    yield TyranidDestroyed(token, state.swarms[token], rule=rule)
    yield CounterReturned(LID, token, rule="DOE-LOSS-3")


def show(state: DoomState, token: str) -> Script:
    """Show a Swarm that is being lost, if the game is played so (option `eldar_sees_losses`, ruling G-13)."""
    if state.options.eldar_sees_losses and token not in state.face:
        yield Reveal(LID, token, "lost", rule="DOE-LOSS-8")


def candidates(book: Book, state: DoomState, side: str) -> Sequence[str]:
    """Return what a side may lose in the battle that is on: counters alone (DOE-LOSS-1, -7, DOE-FORT-2, DOE-HM-3)."""
    assert state.battle is not None
    area = state.battle.area
    return state.eldar.get(area, []) if side == ELDAR else fighters(book, state, area)


def ask_lose(book: Book, state: DoomState, step: Lose) -> Decision | None:
    """Ask which counter is lost next, if there is more than is due (DOE-LOSS-1, DOE-LOSS-5)."""
    found = candidates(book, state, step.side)
    if step.count <= 0 or len(found) <= step.count:
        return None
    due = f" ({step.count} to lose)" if step.count > 1 else ""
    return Decision(step.side, tuple(map(LoseCounter, found)), f"Which counter is lost?{due}")


def resolve_lose(book: Book, state: DoomState, step: Lose, action: LoseCounter) -> Script:
    """Lose the chosen counter, and ask for the next."""
    yield from lose(book, state, step.side, action.id)
    yield do(Lose(side=step.side, count=step.count - 1))


def run_lose(book: Book, state: DoomState, step: Lose) -> Script:
    """Lose everything, where no choice is left (DOE-LOSS-5)."""
    if step.count > 0:
        for id in tuple(candidates(book, state, step.side)):
            yield from lose(book, state, step.side, id)


def lose(book: Book, state: DoomState, side: str, id: str) -> Script:
    """Lose a counter of a side by the choice of its owner (DOE-LOSS-1)."""
    return lose_unit(book, state, id, "DOE-LOSS-1") if side == ELDAR else lose_token(state, id, "DOE-LOSS-1")


def explain_lose(book: Book, state: DoomState, step: Lose, action: object) -> Refusal | None:
    """Say why that counter cannot be lost."""
    if not isinstance(action, LoseCounter):
        return None
    assert state.battle is not None
    if action.id in state.stacks.get(state.battle.area, ()) and step.side != ELDAR:
        return Refusal("DOE-HM-3", "a face-up Hive Mind cannot be lost")
    where = book.names.area(state.battle.area)
    return Refusal("DOE-LOSS-1", f"{action.id} is none of the counters of that side in the battle at {where}")
