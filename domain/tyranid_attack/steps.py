"""What may still be to do in a game: the steps of the stack, and the questions among them."""

from __future__ import annotations

from ..events import Question, Step

Point = tuple[int, int]

# Set-up


class Buy(Question, frozen=True):
    """Which kinds does the Marine player buy? (TA-BUY-1)"""


class Deploy(Question, frozen=True):
    """Which Marine is deployed next? (TA-SETUP-16)"""


class DeployOn(Question, frozen=True):
    """Where does that Marine start? (TA-SETUP-16 to -18)"""

    model: str


# Turns


class MarinePart(Step, frozen=True):
    """A turn begins with the Marine part (TA-TURN-1)."""

    number: int


class TyranidPart(Step, frozen=True):
    """The Tyranid part begins (TA-TURN-1)."""


class Free(Question, frozen=True):
    """Which model is taken up next, or what else is done? (TA-TURN-3, TA-TURN-5)"""

    side: str


class Acting(Question, frozen=True):
    """What does the model that is taken up do next?"""

    side: str
    model: str


class Aim(Question, frozen=True):
    """At which empty square is the shot aimed? `weapon` is a gun's word or `hellfire` (TA-WEAP-11, TA-BIO-3)."""

    side: str
    model: str
    weapon: str


class FollowUp(Question, frozen=True):
    """Does the model press on after a won round, and against whom? (TA-FOLLOW-1)"""

    side: str
    model: str


class EndPart(Step, frozen=True):
    """A part of a turn ends (TA-WIN-3)."""

    side: str


class Reinforce(Question, frozen=True):
    """Is the die for a reinforcement rolled? (TA-REINF-1)"""


class Enter(Question, frozen=True):
    """Which model enters, and where? `fresh`: it may act in this part (TA-REINF-2, TA-REINF-6)."""

    fresh: bool = False


# Exploration


class Explore(Step, frozen=True):
    """The exploration sequence, up to its template (TA-EXPL-4 to -9)."""


class PlaceTemplate(Question, frozen=True):
    """Where does the template of that objective stand? (TA-OBJ-2)"""

    objective: str


class Defend(Step, frozen=True):
    """The die for the defenders of a section (TA-OBJ-6)."""

    section: int


class NextTile(Step, frozen=True):
    """The Marine player takes the next location tile (TA-EXPL-10)."""


class TurnCard(Step, frozen=True):
    """The card of the explored section is turned (TA-EXPL-11)."""


class Effects(Step, frozen=True):
    """The effects of a card from number `first` on (TA-CARD-1)."""

    card: str
    first: int = 0


class CardDone(Step, frozen=True):
    """The card goes where it says, and the exploration is over (TA-EXPL-12)."""

    card: str


class Put(Question, frozen=True):
    """Which Tyranid is placed next? (TA-CARD-2, TA-OBJ-7)

    `slots` are left; `apart` is the distance from every Marine; `kinds` are kinds that may be placed (none: all but
    blobs). `reason` is `card` or `defender`, `rule` the rule that places them.
    """

    section: int
    slots: int
    apart: int = 0
    kinds: tuple[str, ...] = ()
    reason: str = "card"
    rule: str = "TA-CARD-2"


class PutOn(Question, frozen=True):
    """Where does that Tyranid stand? The rest is as in `Put` (TA-CARD-2, TA-OBJ-7)."""

    model: str
    section: int
    apart: int = 0
    reason: str = "card"
    rule: str = "TA-CARD-2"


class LayCyst(Question, frozen=True):
    """Where does the next of `count` cysts open?"""

    section: int
    count: int
    apart: int = 0


class Found(Question, frozen=True):
    """Where do Marines found by a card stand? `kinds` are those still to be placed, around `near` (TA-CARD-3)."""

    kinds: tuple[str, ...]
    near: Point
    fresh: bool = False


# Interruptions


class Arm(Question, frozen=True):
    """Which heavy weapon does a Dreadnought about to stand on `at` carry next? (TA-DREAD-4)"""

    model: str
    at: Point
    arms: tuple[str, ...] = ()
    reason: str = "card"
    rule: str = "TA-CARD-2"


class Return(Question, frozen=True):
    """Which lost Scout comes back, and where? `count` may still come (TA-SPEC-1, TA-SPEC-2)."""

    squares: tuple[Point, ...]
    count: int


class Drop(Question, frozen=True):
    """Which heavy weapon does a hurt Dreadnought lose? (TA-DREAD-6)"""

    model: str


AnyStep = (
    Buy | Deploy | DeployOn | MarinePart | TyranidPart | Free | Acting | Aim | FollowUp | EndPart | Reinforce | Enter | Explore
    | PlaceTemplate | Defend | NextTile | TurnCard | Effects | CardDone | Put | PutOn | LayCyst | Found | Arm | Return | Drop
)  # fmt: skip
STEPS: tuple[type[Step], ...] = (
    Buy, Deploy, DeployOn, MarinePart, TyranidPart, Free, Acting, Aim, FollowUp, EndPart, Reinforce, Enter, Explore, PlaceTemplate,
    Defend, NextTile, TurnCard, Effects, CardDone, Put, PutOn, LayCyst, Found, Arm, Return, Drop,
)  # fmt: skip
