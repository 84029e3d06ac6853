"""What the seats can ask to do; tags are the words of the notation. Tyranid counters go by their tokens."""

from __future__ import annotations

from typing import ClassVar

from ..events import Action
from ..secrets import Sealed


class SetUnit(Action, frozen=True, tag="set"):
    """Set a unit up in an area, or move it there while setting up."""

    unit: str
    area: str


class QuickStart(Action, frozen=True, tag="quickstart"):
    """Set everything up as the quick start says."""


class End(Action, frozen=True, tag="end"):
    """Finish the set-up, the movement or the special actions."""


class GiveOrder(Action, frozen=True, tag="mine"):
    """Give the Spore Mine's standing order: detonate when that many Eldar counters are there; 0 is never."""

    secret: ClassVar[tuple[str, ...]] = ("order",)
    order: int | Sealed


class Move(Action, frozen=True, tag="mv"):
    """Move a unit or a token to an area."""

    id: str
    to: str


class ShowSwarm(Action, frozen=True, tag="reveal"):
    """Turn the Hive Mind face up in space."""

    token: str


class Give(Action, frozen=True, tag="trim"):
    """Give up a counter that is too many."""

    id: str


class Fight(Action, frozen=True, tag="fight"):
    """Fight the battle of that area now."""

    area: str


class Detonate(Action, frozen=True, tag="det"):
    """Detonate the Spore Mine."""

    token: str


class Hold(Action, frozen=True, tag="hold"):
    """Do not detonate it."""


class RollAgain(Action, frozen=True, tag="rr"):
    """Have the die rolled again."""


class Keep(Action, frozen=True, tag="keep"):
    """Let the die stand."""


class LoseCounter(Action, frozen=True, tag="lose"):
    """Lose that unit or token."""

    id: str


class RetreatTo(Action, frozen=True, tag="retreat"):
    """Break off to that area; `unit` is empty when all go there together."""

    area: str
    unit: str = ""


class Stay(Action, frozen=True, tag="stay"):
    """Fight another round."""


class Use(Action, frozen=True, tag="use"):
    """Use the special action of an area; `target` is the space area that the Shrine looks upon."""

    area: str
    target: str = ""


class HitSwarm(Action, frozen=True, tag="hit"):
    """Let the barrage destroy that Swarm."""

    token: str


class PlaceUnit(Action, frozen=True, tag="place"):
    """Bring that unit back in that area."""

    unit: str
    area: str


class Convert(Action, frozen=True, tag="conv"):
    """Take a unit off the map and put `taken` from its box in that area."""

    unit: str
    taken: str
    area: str


ACTIONS: tuple[type[Action], ...] = (
    SetUnit, QuickStart, End, GiveOrder, Move, ShowSwarm, Give, Fight, Detonate, Hold, RollAgain, Keep, LoseCounter,
    RetreatTo, Stay, Use, HitSwarm, PlaceUnit, Convert,
)  # fmt: skip
END, QUICKSTART, HOLD, ROLL_AGAIN, KEEP, STAY = End(), QuickStart(), Hold(), RollAgain(), Keep(), Stay()
