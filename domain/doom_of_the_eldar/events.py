"""All events of this game."""

from __future__ import annotations

from .events_battle import *  # noqa: F403
from .events_battle import BATTLE_EVENTS
from .events_special import *  # noqa: F403
from .events_special import SPECIAL_EVENTS
from .events_turn import *  # noqa: F403
from .events_turn import TURN_EVENTS
from .facts import Fact

EVENTS: tuple[type[Fact], ...] = (*TURN_EVENTS, *BATTLE_EVENTS, *SPECIAL_EVENTS)
