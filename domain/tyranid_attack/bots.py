"""Bots: `random` does anything legal; `sensible` plays either seat by rules of thumb and exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..chance import Luck
from ..rules import Bot, Decision, Ruleset
from . import bot_placing as placing
from . import steps
from .actions import AUTO, READY, ROLL
from .bot_attacks import aim_at, follow
from .bot_marines import Command
from .bot_outlook import Outlook
from .bot_tyranids import Brood
from .state import MARINES, HiveState

if TYPE_CHECKING:
    from .ruleset import TyranidAttack


def random_bot(ruleset: Ruleset, state: Any, decision: Decision, luck: Luck) -> Any:
    """Choose any legal action, all equally likely; the Marines are deployed by the program."""
    if isinstance(state.pending[-1], steps.Deploy):
        return AUTO if state.party else READY
    return decision.actions[luck.below(len(decision.actions))]


def sensible(ruleset: Ruleset, state: HiveState, decision: Decision, luck: Luck) -> Any:
    """Choose an action by rules of thumb, nothing of it by luck: any position will do, and what is sealed is not used."""
    step: Any = state.pending[-1]
    actions = decision.actions
    kind = type(step)
    if kind is steps.Deploy:
        return AUTO if state.party else READY
    if kind is steps.Reinforce:
        return ROLL
    book = cast("TyranidAttack", ruleset).book
    if kind is steps.Buy:
        return placing.buy(book, state, actions)
    outlook = Outlook(book, state, decision.seat)
    if kind is steps.Free:
        return Command(outlook).free(actions) if step.side == MARINES else Brood(outlook).free(actions)
    if kind is steps.Acting:
        hand = Command(outlook) if step.side == MARINES else Brood(outlook)
        return hand.acting(step.model, actions)
    if kind is steps.Aim:
        return aim_at(outlook, actions)
    if kind is steps.FollowUp:
        return follow(outlook, step.model, actions)
    if kind is steps.Enter:
        return placing.enter(outlook, step)
    if kind is steps.Put:
        return placing.put(outlook, step)
    if kind is steps.PutOn:
        return placing.put_on(outlook, step)
    if kind is steps.PlaceTemplate:
        return placing.template(outlook, step)
    if kind is steps.LayCyst:
        return placing.cyst(outlook, step)
    if kind is steps.Return:
        return placing.sphincter(outlook, step)
    if kind is steps.Found:
        return placing.found(outlook, actions)
    if kind is steps.Arm:
        return placing.arm(outlook, actions)
    if kind is steps.Drop:
        return placing.drop(outlook, step, actions)
    return placing.stand(outlook, actions)  # DeployOn


BOTS: Mapping[str, Bot] = {"random": random_bot, "sensible": sensible}
