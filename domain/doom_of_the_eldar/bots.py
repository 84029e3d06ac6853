"""Bots: `random` does anything legal; `sensible` plays either seat by rules of thumb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..chance import Luck
from ..rules import Bot, Decision, Ruleset
from . import steps
from .actions import END, SetUnit


def random_bot(ruleset: Ruleset, state: Any, decision: Decision, luck: Luck) -> Any:
    """Choose any legal action, all equally likely; in the set-up, which could be changed for ever, place what is left."""
    actions = decision.actions
    if isinstance(state.pending[-1], steps.SetUp):
        if END in actions:
            return END
        actions = [one for one in actions if isinstance(one, SetUnit) and not state.units[one.unit]]
    return actions[luck.below(len(actions))]


BOTS: Mapping[str, Bot] = {"random": random_bot}
