"""All events of this game."""

from __future__ import annotations

from .events_model import *  # noqa: F403
from .events_model import MODEL_EVENTS
from .events_ship import *  # noqa: F403
from .events_ship import SHIP_EVENTS
from .events_turn import *  # noqa: F403
from .events_turn import TURN_EVENTS
from .facts import Fact

EVENTS: tuple[type[Fact], ...] = (*SHIP_EVENTS, *MODEL_EVENTS, *TURN_EVENTS)
