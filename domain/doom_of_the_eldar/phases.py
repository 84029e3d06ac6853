"""Turns, their phases, and the Tyranid reinforcements with the Wave Assault Track."""

from __future__ import annotations

from collections.abc import Mapping

from ..chance import Pick, Roll
from ..rules import Decision, Refusal, Script, do
from . import endings
from .actions import GiveOrder
from .book import Book
from .effects import Deploy
from .events_special import RaiderPoolOpened, YrielArrived
from .events_turn import (
    AssaultEnded,
    MarkerMoved,
    MineOrderSet,
    PhaseBegan,
    ReinforcementsLost,
    ReinforcementsRolled,
    SwarmArrived,
    TurnBegan,
)
from .state import ELDAR, LID, PHASES, TYRANID, DoomState, lid_size
from .steps import AnyStep, Combat, EndCombat, EndMovement, EndTurn, Movement, Order, Phase, Special, Turn

STEPS_OF: Mapping[str, tuple[AnyStep, ...]] = {
    "tyranid_reinforcement": (),
    "tyranid_movement": (Order(), Movement(side=TYRANID), EndMovement(side=TYRANID)),
    "tyranid_combat": (Combat(side=TYRANID), EndCombat(side=TYRANID)),
    "eldar_special": (Special(),),
    "eldar_movement": (Movement(side=ELDAR), EndMovement(side=ELDAR)),
    "eldar_combat": (Combat(side=ELDAR), EndCombat(side=ELDAR)),
}
"""What is to be done in each phase."""


def run_turn(book: Book, state: DoomState, step: Turn) -> Script:
    """Begin a turn: six phases, and what is tested at its end (DOE-SEQ-1, DOE-SEQ-2)."""
    yield TurnBegan(step.number, rule="DOE-SEQ-1")
    yield do(*(Phase(phase=phase) for phase in PHASES), EndTurn(), Turn(number=step.number + 1))


def run_phase(book: Book, state: DoomState, step: Phase) -> Script:
    """Begin a phase; reinforcements are skipped once the assault is over (DOE-REINF-6)."""
    reinforcement = step.phase == "tyranid_reinforcement"
    if reinforcement and state.over:
        return
    yield PhaseBegan(step.phase, rule="DOE-SEQ-1")
    if reinforcement:
        yield from _reinforce(book, state)
    elif step.phase == "eldar_special" and state.fallen:
        yield from _yriel(book, state)
    steps = STEPS_OF[step.phase]
    if steps:
        yield do(*steps)


def _reinforce(book: Book, state: DoomState) -> Script:
    """Roll for reinforcements, move the marker and bring the Swarms (DOE-REINF-1 to -4, DOE-TRACK-0 to -8).

    What they are only the Tyranids see (DOE-REVEAL-3). On a double that ends the assault the marker stays where it is
    (DOE-TRACK-11).
    """
    options = state.options
    dice: tuple[int, int] = yield Roll("tyranid", 6, 2, "reinforcements", rule="DOE-REINF-1")
    doubles = book.row(state.marker, options).ending_doubles
    if dice[0] == dice[1] and dice[0] in doubles:
        yield ReinforcementsRolled(dice, 0, rule="DOE-TRACK-6")
        yield AssaultEnded("double", state.marker, rule="DOE-TRACK-3")
        yield from endings.check(book, state)
        return
    last = book.catalogue.track.auto_end_box
    due = min(sum(dice), last - state.marker)
    come = min(due, lid_size(state))
    rule = "DOE-TRACK-8" if due < sum(dice) else "DOE-TRACK-5" if dice[0] == dice[1] else "DOE-REINF-1"
    yield ReinforcementsRolled(dice, due, rule=rule)
    advance = due if options.track_advance == "rolled" else come
    if advance:
        rule = "DOE-TRACK-2" if come < due else "DOE-TRACK-1"
        yield MarkerMoved(state.marker, state.marker + advance, rule=rule)
    for _ in range(come):
        token = f"#{state.tokens + 1:02}"
        yield Pick(LID, token, rule="DOE-REINF-2", seen_by=(TYRANID,))
        (roll,) = yield Roll("tyranid", 6, 1, "sector", token, "DOE-REINF-4")
        yield SwarmArrived(token, roll, book.sectors[roll - 1], rule="DOE-REINF-4")
    if come < due:
        yield ReinforcementsLost(due - come, rule="DOE-REINF-3")
    if state.marker >= last:
        yield AssaultEnded("track", state.marker, rule="DOE-TRACK-7")
        yield from endings.check(book, state)


def _yriel(book: Book, state: DoomState) -> Script:
    """Bring Yriel and his ships, and open the Raiders' reserve (DOE-YRIEL-1 to -4)."""
    for trigger in book.catalogue.triggers:
        for effect in trigger.effect:
            if isinstance(effect, Deploy):
                (roll,) = yield Roll("eldar", 6, 1, "yriel", rule="DOE-YRIEL-2")
                yield YrielArrived(roll, book.sectors[roll - 1], effect.units, rule="DOE-YRIEL-1")
            else:
                yield RaiderPoolOpened(effect.units, rule="DOE-YRIEL-3")


# The Spore Mine's standing order


def ask_order(book: Book, state: DoomState, step: Order) -> Decision:
    """Ask for the standing order, every turn alike, wherever the mine is (DOE-MINE-1)."""
    return Decision(TYRANID, book.orders, "What is the Spore Mine's standing order?", always=True)


def resolve_order(book: Book, state: DoomState, step: Order, action: GiveOrder) -> Script:
    """Set the standing order, unseen by the Eldar (DOE-MINE-1)."""
    yield MineOrderSet(action.order, rule="DOE-MINE-1", seen_by=(TYRANID,))


def explain_order(book: Book, state: DoomState, step: Order, action: object) -> Refusal | None:
    """Say why there is no such order."""
    if isinstance(action, GiveOrder):
        most = len(book.orders) - 1
        return Refusal("DOE-MINE-1", f"the order is 0 (never) to {most}, all the Eldar that can meet in space")
    return Refusal("DOE-MINE-1", "first the Spore Mine's standing order is asked for")
