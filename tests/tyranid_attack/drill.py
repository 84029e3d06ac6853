"""What the tests of attacks look at: who has died, who was hurt, which dice were rolled, what a model may do."""

from __future__ import annotations

from hive import Play, of

from warptape.domain.events import DiceRolled, Event
from warptape.domain.tyranid_attack.events_model import LifeLost, ModelKilled
from warptape.domain.tyranid_attack.state import HiveState


def dead(events: list[Event]) -> list[str]:
    """The models that died, in order."""
    return [event.model for event in of(events, ModelKilled)]


def hurt(events: list[Event]) -> list[tuple[str, int]]:
    """The models that lost a life point and live, with what they have left."""
    return [(event.model, event.left) for event in of(events, LifeLost)]


def dice(events: list[Event], purpose: str = "") -> list[tuple[int, ...]]:
    """The dice that were rolled, throw by throw; only those of a purpose, if one is given."""
    return [event.values for event in of(events, DiceRolled) if not purpose or event.purpose == purpose]


def words(play: Play) -> set[str]:
    """What may be done now, by the first word of each line."""
    decision = play.referee.decision
    if decision is None:
        return set()
    return {str(type(action).__struct_config__.tag) for action in decision.actions}


def everyone(state: HiveState) -> list[str]:
    """Every model of the game, wherever it is: on the board, in a pool, to be found, lost, spent."""
    places = (state.models, state.pool, state.party, state.reserve, state.lost, state.blobs, state.spent)
    return sorted(name for place in places for name in place)
