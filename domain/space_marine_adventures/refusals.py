"""Why an action is refused: the module that knows the step says so; what belongs to no step is said here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..events import Step
from ..rules import Refusal
from . import actions as act
from . import advanced, campaign, ready, setup, steps, turn
from .attacks import second_rolls
from .book import Book
from .infestation import stoppers
from .specials import explain_card
from .state import LevelState
from .wounds import explain_wound, shields

SETUP_ACTIONS = (act.LayBoard, act.Enter, act.Squad, act.Deploy, act.Equip)
SETUP_STEPS = (
    steps.ChooseChallenges,
    steps.ChooseBoard,
    steps.ChooseEntry,
    steps.ChooseSquad,
    steps.DeploySquad,
    steps.CallMarine,
    steps.ChooseSkulls,
    steps.EquipSquad,
)
WINDOWS: Mapping[type[Step], str] = {
    steps.RollFailed: "own_roll_failed",
    steps.Wound: "wound_self",
    steps.Revealed: "infestation_revealed",
}


def explain(book: Book, state: LevelState, step: Any, action: Any) -> Refusal:
    """Return why an action does not answer the step, for an action that it does not offer."""
    kind = type(step)
    found = advanced.explain(book, state, step, action) or campaign.explain(book, state, step, action)
    if found is not None:
        return found
    if kind in SETUP_STEPS:
        found = setup.explain_setup(book, state, step, action)
    elif isinstance(action, SETUP_ACTIONS):
        found = Refusal("SMA-SETUP-16", "the set-up is over")
    elif kind in WINDOWS:
        found = explain_window(book, state, step, action)
    else:
        handler = EXPLAIN.get(kind)
        found = handler(book, state, step, action) if handler is not None else None
    if found is not None:
        return found
    if isinstance(action, act.Pick | act.Order):
        return Refusal("SMA-INF-2", explain_choice(step, action))
    if isinstance(action, act.Pass):
        return Refusal("SMA-SPEC-1", "there is nothing to pass on")
    return Refusal("SMA-INF-2", "something has to be chosen first: `pick`, or `order` for cards")


def explain_window(book: Book, state: LevelState, step: Any, action: Any) -> Refusal | None:
    """Return why something is no answer in a reaction window (SMA-SPEC-1, SMA-SPEC-7)."""
    names = book.names
    if isinstance(action, act.Play):
        action = act.React(action.card)
        if action in _offered(book, state, step):
            return Refusal("SMA-SPEC-1", f"this is a reaction: `react {action.card}`")
    if not isinstance(action, act.React):
        return Refusal("SMA-SPEC-7", "a reaction is asked for first: `react` with a card, or `pass`")
    if action == act.ABILITY:
        if not isinstance(step, steps.RollFailed):
            return Refusal("SMA-ABIL-ADR", "there is no failed Attack die to roll again")
        return explain_ability(book, state, step)
    if isinstance(step, steps.Wound):
        refusal = explain_card(book, state, action.card, "", "")
        if action.card in book.windows and refusal is not None and refusal.rule == "SMA-SPEC-1":
            from_box = not any(action.card in marine.cards for marine in state.marines.values())
            return refusal if from_box else explain_wound(book, state, step, action.card)
        return refusal
    marine = step.marine if isinstance(step, steps.RollFailed) else ""
    refusal = explain_card(book, state, action.card, WINDOWS[type(step)], marine)
    return refusal or Refusal("SMA-SPEC-1", f"{names.card(action.card)} is of no use here")


def explain_ability(book: Book, state: LevelState, step: steps.RollFailed) -> Refusal:
    """Return why a datacard does not let a failed die be rolled again (SMA-ABIL-ADR, SMA-ACT-9)."""
    side, name = book.side(state, step.marine), book.names.marine(step.marine)
    if side.second_roll is None:
        return Refusal("SMA-ABIL-ADR", f"{name} has no such ability")
    if not step.own_turn:
        return Refusal("SMA-ACT-9", f"it is not {name}'s turn")
    if step.purpose != "attack":
        return Refusal(side.rule, "it is for Attack dice only")
    if state.turn is not None and state.turn.second_rolls >= side.second_roll.uses:
        return Refusal(side.rule, f"{name} has used it in this turn")
    return Refusal(side.rule, f"the target is nearer than {side.second_roll.min_distance} squares")


def explain_choice(step: Any, action: Any) -> str:
    """Return why a choice is none of those asked for."""
    if isinstance(action, act.Order):
        return "no cards are to be put in order now"
    if isinstance(step, steps.Tie):
        return f"{action.choice} is not one of {', '.join(step.marines)}"
    if isinstance(step, steps.Ambushed | steps.Place | steps.Spread):
        return f"{action.choice} is not one of the squares to choose from"
    return "nothing is to be picked now"


def _offered(book: Book, state: LevelState, step: Any) -> list[act.React]:
    if isinstance(step, steps.RollFailed):
        return second_rolls(book, state, step)
    return shields(book, state, step.marine) if isinstance(step, steps.Wound) else stoppers(book, state)


EXPLAIN: Mapping[type[Step], Callable[[Book, LevelState, Any, Any], Refusal | None]] = {
    steps.Ready: ready.explain_ready,
    steps.Turn: turn.explain_turn,
    steps.Free: turn.explain_free,
    steps.OrderCards: ready.explain_order,
}
