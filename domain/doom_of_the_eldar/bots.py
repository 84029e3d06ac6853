"""Bots: `random` does anything legal; `sensible` plays either seat by rules of thumb and exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..chance import Luck
from ..rules import Bot, Decision, Ruleset
from . import bot_battle, bot_special, bot_tyranid, steps
from .actions import END, QUICKSTART, SetUnit
from .bot_eldar import Command
from .bot_outlook import Outlook
from .state import ELDAR, DoomState

if TYPE_CHECKING:
    from .ruleset import DoomOfTheEldar


def random_bot(ruleset: Ruleset, state: Any, decision: Decision, luck: Luck) -> Any:
    """Choose any legal action, all equally likely; in the set-up, which could be changed for ever, place what is left."""
    actions = decision.actions
    if isinstance(state.pending[-1], steps.SetUp):
        if END in actions:
            return END
        actions = [one for one in actions if isinstance(one, SetUnit) and not state.units[one.unit]]
    return actions[luck.below(len(actions))]


def sensible(ruleset: Ruleset, state: DoomState, decision: Decision, luck: Luck) -> Any:
    """Choose an action by rules of thumb, nothing of it by luck: any position will do, and what is sealed is not used.

    Battles are worked out to their end under the tables; counters go where that gains most, one after the other.
    """
    step: Any = state.pending[-1]
    actions = decision.actions
    kind = type(step)
    if kind is steps.SetUp:
        return QUICKSTART if QUICKSTART in actions else END
    if kind is steps.Order:
        return bot_tyranid.order(actions)
    outlook = Outlook(cast("DoomOfTheEldar", ruleset).book, state, decision.seat)
    if kind is steps.Movement:
        return Command(outlook).move() if step.side == ELDAR else bot_tyranid.Brood(outlook).move()
    if kind is steps.Trim:
        return bot_battle.trim(outlook, step, actions)
    if kind is steps.Combat:
        return bot_battle.fight(outlook, step.side, actions)
    if kind is steps.Special:
        return bot_special.special(outlook)
    if kind is steps.Hit:
        return bot_special.hit(outlook, actions)
    if kind is steps.Return:
        return bot_special.place(outlook, actions)
    if kind is steps.Reroll:
        return bot_battle.reroll(outlook, step)
    if kind is steps.Lose:
        return bot_battle.lose(outlook, step, actions)
    if kind is steps.Mine:
        return bot_battle.mine(actions)
    return bot_battle.retreat(outlook, actions)  # Retreat, Scatter


BOTS: Mapping[str, Bot] = {"random": random_bot, "sensible": sensible}
