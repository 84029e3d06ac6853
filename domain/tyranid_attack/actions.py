"""What the seats can ask to do; tags are the words of the notation. Squares are (x, y)."""

from __future__ import annotations

from ..events import Action

Point = tuple[int, int]
Target = str | Point
"""A model, an objective (`OBJ-1`), a square, or `FLOOR`."""
FLOOR = "floor"
"""As a target: an empty square, which is asked for next."""


class BuyKind(Action, frozen=True, tag="buy"):
    """Buy so many models of a kind."""

    kind: str
    count: int


class Ready(Action, frozen=True, tag="ready"):
    """Finish buying, deploying or bringing Scouts back."""


class DeployModel(Action, frozen=True, tag="deploy"):
    """Choose the Marine to deploy, or to deploy elsewhere."""

    model: str


class StandOn(Action, frozen=True, tag="at"):
    """Put the Marine that is being deployed on a square."""

    at: Point


class AutoDeploy(Action, frozen=True, tag="auto"):
    """Deploy everyone sensibly."""


class UseModel(Action, frozen=True, tag="use"):
    """Take a model up."""

    model: str


class PlayOrder(Action, frozen=True, tag="order"):
    """Play an order card; `scout` names the Scout it serves when no Sergeant is left."""

    key: str
    scout: str = ""


class EndPartNow(Action, frozen=True, tag="end"):
    """End the part: no other model acts."""


class Move(Action, frozen=True, tag="move"):
    """Move to a square; `way` is `enter` or `avoid` where both kinds of way lead there, else empty."""

    to: Point
    way: str = ""


class Shoot(Action, frozen=True, tag="shoot"):
    """Shoot: targets with their dice, in the order of the board; `weapon` is a Dreadnought's (`body`, `1`, `2`)."""

    volleys: tuple[tuple[Target, int], ...]
    weapon: str = ""


class Hellfire(Action, frozen=True, tag="hellfire"):
    """Fire a hellfire shell."""

    target: Target


class AimAt(Action, frozen=True, tag="aim"):
    """Aim the shot at an empty square."""

    at: Point


class Fight(Action, frozen=True, tag="fight"):
    """Attack hand to hand: an enemy model or a template."""

    target: str


class Follow(Action, frozen=True, tag="follow"):
    """Press on against an enemy."""

    target: str


class Stop(Action, frozen=True, tag="stop"):
    """Do not press on."""


class Melta(Action, frozen=True, tag="melta"):
    """Set a melta-bomb."""

    target: str


class Take(Action, frozen=True, tag="take"):
    """Take an artifact that lies on the model's square."""

    artifact: int


class Give(Action, frozen=True, tag="give"):
    """Hand an artifact over to an adjacent Marine."""

    model: str
    artifact: int


class Done(Action, frozen=True, tag="done"):
    """Finish with the model that is taken up."""


class RollDie(Action, frozen=True, tag="roll"):
    """Roll for a reinforcement."""


class Skip(Action, frozen=True, tag="skip"):
    """Do not roll."""


class EnterModel(Action, frozen=True, tag="enter"):
    """Bring a model in on a square."""

    model: str
    at: Point


class StandTemplate(Action, frozen=True, tag="template"):
    """Put the template with its north-west corner there; `tall`: turned by 90 degrees."""

    corner: Point
    tall: bool = False


class PickModel(Action, frozen=True, tag="pick"):
    """Choose the Tyranid to be placed."""

    model: str


class PutModel(Action, frozen=True, tag="place"):
    """Place a model on a square; of a Tyranid it is the one that was chosen."""

    model: str
    at: Point


class PutCyst(Action, frozen=True, tag="cyst"):
    """Open a cyst on a square."""

    at: Point


class ReturnScout(Action, frozen=True, tag="return"):
    """Bring a lost Scout back on a square."""

    model: str
    at: Point


class DropWeapon(Action, frozen=True, tag="drop"):
    """Lose the heavy weapon of that mount."""

    mount: int


class ArmWith(Action, frozen=True, tag="arm"):
    """Carry that heavy weapon."""

    weapon: str


ACTIONS: tuple[type[Action], ...] = (
    BuyKind, Ready, DeployModel, StandOn, AutoDeploy, UseModel, PlayOrder, EndPartNow, Move, Shoot, Hellfire, AimAt, Fight, Follow, Stop,
    Melta, Take, Give, Done, RollDie, Skip, EnterModel, StandTemplate, PickModel, PutModel, PutCyst, ReturnScout, DropWeapon,
    ArmWith,
)  # fmt: skip
READY, AUTO, END, STOP, DONE, ROLL, SKIP = (
    Ready(), AutoDeploy(), EndPartNow(), Stop(), Done(), RollDie(), Skip(),
)  # fmt: skip
