"""Bots: `random` does anything legal; `sensible` plays either seat by rules of thumb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..chance import Luck
from ..rules import Bot, Decision, Ruleset
from . import steps
from .actions import AUTO, READY


def random_bot(ruleset: Ruleset, state: Any, decision: Decision, luck: Luck) -> Any:
    """Choose any legal action, all equally likely; the Marines are deployed by the program."""
    if isinstance(state.pending[-1], steps.Deploy):
        return AUTO if state.party else READY
    return decision.actions[luck.below(len(decision.actions))]


BOTS: Mapping[str, Bot] = {"random": random_bot}
