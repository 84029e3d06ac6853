"""A part of a turn: models taken up one at a time, what each may do, and when it is finished."""

from __future__ import annotations

from typing import Any

from ..choices import Choices
from ..rules import Decision, Refusal, Script, do
from . import artifacts, endings, fighting, moves, objectives, orders, shooting
from .actions import (
    DONE,
    END,
    Done,
    EndPartNow,
    Fight,
    Give,
    Hellfire,
    Melta,
    Move,
    PlayOrder,
    Shoot,
    Take,
    UseModel,
)
from .book import Book
from .events_turn import ActivationBegan, ActivationEnded, PartBegan, TurnBegan
from .state import MARINES, TYRANID, HiveState
from .steps import Acting, Aim, EndPart, Explore, Free, MarinePart, Reinforce, TyranidPart

# Parts


def run_marine_part(book: Book, state: HiveState, step: MarinePart) -> Script:
    """Begin a turn: the Marine part, with the Cortex's throbs (TA-TURN-1, TA-SPEC-10)."""
    yield TurnBegan(step.number, rule="TA-TURN-1")
    yield PartBegan(MARINES, rule="TA-TURN-1")
    yield do(Free(side=MARINES), EndPart(side=MARINES), TyranidPart())
    yield from objectives.throb(book, state, endings.marines(book, state))


def run_tyranid_part(book: Book, state: HiveState, step: TyranidPart) -> Script:
    """Begin the Tyranid part with the die for a reinforcement (TA-TURN-1, TA-REINF-1)."""
    yield PartBegan(TYRANID, rule="TA-TURN-1")
    yield do(Reinforce(), Free(side=TYRANID), EndPart(side=TYRANID), MarinePart(number=state.turn + 1))


def run_end_part(book: Book, state: HiveState, step: EndPart) -> Script:
    """End a part; the Marines may be gone, or the turns used up (TA-WIN-2 to -4)."""
    yield from endings.check_marines(book, state)
    if step.side == TYRANID:
        yield from endings.check_limit(book, state)


# Taking up


def fresh(book: Book, state: HiveState, side: str) -> list[str]:
    """Return the models of a side that may be taken up (TA-TURN-4, TA-TURN-5, TA-SPEC-13)."""
    models, acts = state.models, state.acts
    return [
        name for name in book.sides(state)[side] if not models[name].prone and (name not in acts or acts[name].fresh)
    ]


def ask_free(book: Book, state: HiveState, step: Free) -> Decision | None:
    """Ask which model is taken up, or which order is played (TA-TURN-3, -5); with no Marine left nothing is (TA-WIN-3)."""
    if not endings.marines(book, state):
        return None
    uses = [UseModel(name) for name in fresh(book, state, step.side)]
    played = list(orders.orders(book, state)) if step.side == MARINES and uses else []
    return Decision(step.side, (END, *uses, *played), "Which model acts?")


def resolve_free(book: Book, state: HiveState, step: Free, action: UseModel | PlayOrder | EndPartNow) -> Script:
    """Take a model up, play an order, or end the part."""
    if isinstance(action, EndPartNow):
        return
    yield do(step)
    if isinstance(action, PlayOrder):
        yield from orders.play(book, state, action)
    else:
        yield ActivationBegan(action.model, rule="TA-TURN-3")
        yield do(Acting(side=step.side, model=action.model))


def explain_free(book: Book, state: HiveState, step: Free, action: object) -> Refusal | None:
    """Say why that model is not taken up, or that order not played."""
    if isinstance(action, PlayOrder):
        if step.side != MARINES:
            return Refusal("TA-ORDER-2", "orders are played in the Marine part")
        return orders.explain(book, state, action)
    if isinstance(action, UseModel):
        return _explain_use(book, state, step.side, action.model)
    return None


def _explain_use(book: Book, state: HiveState, side: str, name: str) -> Refusal | None:
    model = state.models.get(name)
    if model is None:
        return Refusal("TA-TURN-2", f"{name} is not on the board")
    if book.side(name) != side:
        return Refusal("TA-TURN-2", f"{name} is the enemy's")
    if model.prone:
        return Refusal("TA-SPEC-13", f"{name} lies prone")
    if not state.act(name).fresh:
        return Refusal("TA-TURN-4", f"{name} is finished in this part")
    return None


# Acting


def ask_acting(book: Book, state: HiveState, step: Acting) -> Decision | None:
    """Ask what the model that is taken up does (TA-TURN-2); a dead or prone one is finished."""
    name = step.model
    model = state.models.get(name)
    if model is None or model.prone:
        return None
    parts: list[Any] = [(DONE,)]
    if state.act(name).attacks > 0:
        if model.kind in book.guns or model.arms:
            parts += shooting.shots(book, state, name)
            parts.append(shooting.hellfires(book, state, name))
        if fighting.struck(book, state, name):
            parts += fighting.fights(book, state, name), fighting.meltas(book, state, name)
        if state.artifacts or model.artifacts:
            parts += artifacts.takes(book, state, name), artifacts.gives(book, state, name)
        parts = [part for part in parts if part]
    walks = moves.moves(book, state, name)
    if walks:
        parts.append(walks)
    return Decision(step.side, Choices(*parts) if len(parts) > 1 else parts[0], f"What does {name} do?")


def resolve_acting(book: Book, state: HiveState, step: Acting, action: Any) -> Script:
    """Carry out what the model does; it stays taken up until it is done (TA-TURN-3)."""
    name = step.model
    if isinstance(action, Done):
        yield from close(book, state, name)
        return
    yield do(step)
    if isinstance(action, Move):
        yield from moves.carry_out(book, state, name, action)
    elif isinstance(action, Shoot | Hellfire) and shooting.at_floor(action):
        word = action.weapon if isinstance(action, Shoot) else shooting.HELLFIRE
        yield do(Aim(side=step.side, model=name, weapon=word))
    elif isinstance(action, Shoot):
        yield from shooting.shoot(book, state, name, action)
    elif isinstance(action, Hellfire):
        yield from shooting.hellfire(book, state, name, action)
    elif isinstance(action, Fight):
        yield from fighting.fight(book, state, name, action.target)
    elif isinstance(action, Melta):
        yield from fighting.melta(book, state, name, action)
    elif isinstance(action, Take):
        yield from artifacts.take(book, state, name, action)
    else:
        yield from artifacts.give(book, state, name, action)


def run_acting(book: Book, state: HiveState, step: Acting) -> Script:
    """Finish a model that has died or passed out."""
    yield from close(book, state, step.model)


def close(book: Book, state: HiveState, name: str) -> Script:
    """Finish a model; an exploration that it set off comes now (TA-TURN-8, TA-EXPL-3, TA-EXPL-14)."""
    yield ActivationEnded(name, rule="TA-TURN-4")
    if state.trigger is not None:
        yield do(Explore())


EXPLAINED: dict[type, Any] = {
    Move: moves.explain,
    Shoot: shooting.explain_shot,
    Hellfire: shooting.explain_hellfire,
    Fight: fighting.explain_fight,
    Melta: fighting.explain_melta,
    Take: artifacts.explain_take,
    Give: artifacts.explain_give,
}


def explain_acting(book: Book, state: HiveState, step: Acting, action: object) -> Refusal | None:
    """Say why the model that is taken up may not do that."""
    if isinstance(action, UseModel) and action.model == step.model:
        return Refusal("TA-TURN-3", f"{step.model} is taken up already: say what it does")
    if isinstance(action, UseModel | EndPartNow):
        return Refusal("TA-TURN-3", f"{step.model} is taken up: finish it first")
    if isinstance(action, PlayOrder):
        return Refusal("TA-ORDER-8", f"{step.model} is taken up: no order is played before it is done")
    explain = EXPLAINED.get(type(action))
    found: Refusal | None = explain(book, state, step.model, action) if explain is not None else None
    return found
