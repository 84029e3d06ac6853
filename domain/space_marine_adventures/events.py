"""All events of this game."""

from __future__ import annotations

from .events_action import *  # noqa: F403
from .events_action import ACTION_EVENTS
from .events_advanced import *  # noqa: F403
from .events_advanced import ADVANCED_EVENTS, CAMPAIGN_EVENTS
from .events_cards import *  # noqa: F403
from .events_cards import CARD_EVENTS
from .events_setup import *  # noqa: F403
from .events_setup import SETUP_EVENTS
from .events_turn import *  # noqa: F403
from .events_turn import TURN_EVENTS
from .facts import Fact

EVENTS: tuple[type[Fact], ...] = (
    *SETUP_EVENTS,
    *TURN_EVENTS,
    *ACTION_EVENTS,
    *CARD_EVENTS,
    *ADVANCED_EVENTS,
    *CAMPAIGN_EVENTS,
)
