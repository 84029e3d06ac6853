"""Bots: `random` does anything legal, `sensible` plays the squad by rules of thumb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..chance import Luck
from ..rules import Bot, Decision, Ruleset
from . import actions as act
from . import bot_acting, bot_cards, bot_turn, steps
from .bot_plan import Plan
from .state import LevelState

if TYPE_CHECKING:
    from .ruleset import SpaceMarineAdventures

FRONT = ("RAP", "LUK", "MAX", "ADR", "VOR")
"""Who stands nearest to the board on the entry tile."""


def random_bot(ruleset: Ruleset, state: Any, decision: Decision, luck: Luck) -> Any:
    """Choose any legal action, all equally likely."""
    return decision.actions[luck.below(len(decision.actions))]


def sensible(ruleset: Ruleset, state: LevelState, decision: Decision, luck: Luck) -> Any:
    """Choose an action by rules of thumb; only board, entry and squad are left to luck.

    Kill what threatens the squad or stands in the way, send the best-placed Marine to the console, let the others wait
    out of harm's way near the middle of the exits that may open, then take the shortest way out. Every choice is worked
    out from the position alone, so any position will do.
    """
    step: Any = state.pending[-1]
    actions = decision.actions
    kind = type(step)
    if kind in (steps.ChooseBoard, steps.ChooseEntry, steps.ChooseSquad):
        return luck.choice(actions)
    if kind in (steps.ChooseChallenges, steps.ChooseSkulls, steps.CallMarine):
        # The first choice adds nothing to what the squad is up against, and calls for help.
        return actions[0]
    book = cast("SpaceMarineAdventures", ruleset).book
    if kind is steps.DeploySquad:
        return min(actions, key=lambda action: FRONT.index(action.marine) if action.marine in FRONT else len(FRONT))
    if kind is steps.EquipSquad:
        return bot_cards.equip(book, state, actions)
    if len(actions) == 1:
        return actions[0]
    outlook = Plan(book, state)
    if kind is steps.Turn:
        assert state.turn is not None
        acting = bot_turn.Acting(outlook, state.turn, actions)
        return bot_cards.own_turn(acting) or bot_acting.in_turn(acting) or act.END
    if kind is steps.Free:
        assert state.free is not None
        return bot_acting.outside(bot_turn.Acting(outlook, state.free, actions))
    if kind is steps.Ready:
        return bot_cards.between(outlook, actions)
    if kind is steps.RollFailed:
        return bot_cards.reroll(outlook, step, actions)
    if kind is steps.Revealed:
        return bot_cards.stop(outlook, step, actions)
    if kind is steps.Wound:
        return bot_cards.prevent(actions)
    if kind is steps.OrderCards:
        return bot_cards.order(outlook, step, actions)
    if kind is steps.Ambushed:
        return bot_cards.ambush(outlook, step, actions)
    if kind is steps.Tie:
        return bot_cards.tie(outlook, actions)
    return bot_cards.placed(outlook, actions)


BOTS: Mapping[str, Bot] = {"random": random_bot, "sensible": sensible}
