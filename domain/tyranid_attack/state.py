"""The options and the position of a game, as plain data: squares are (x, y) in one frame that never shifts.

The section at cell (i, j) covers x 14i to 14i + 14 and y 10j to 10j + 10; x grows eastwards, y southwards.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ..secrets import Secret, bare
from ..states import State
from .steps import AnyStep

MARINES, TYRANID = "marines", "tyranid"
"""The seats."""
SECTIONS, CARDS, TILES = "sections", "cards", "tiles"
"""The decks."""
Point = tuple[int, int]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game may be played with; the first value of each is the ruling of the register.

    `warrior_boneswords`, `hybrid_arms` and `terminator_flamers` how models are armed; `shared_square_survives` whether a
    shared square outlives one of its sections; `rotation` and `sides` what is random in the set-up;
    `found_marines_act` whether found Marines act at once; `synapse` how it weakens reinforcements; `cyst_distance` how
    far from Marines a cyst must be; `corners` what a gap between two walls is; `deck_empty` and `cut_off_objective`
    what happens when cards run out and objectives roll away; `cloud_hides_template`, `force_axe_defends`, `kill_means`,
    `hellfire_vs_template`, `blast_needs_hit` and `blob_follow_up` how weapons are read; `turn_limit` (0: none);
    `party` and `points` how the Marines are raised; `extra_tyranids` models of the extra lists, as `android=2,dreadnought=1`.
    """

    warrior_boneswords: Annotated[int, msgspec.Meta(ge=0, le=6)] = 3
    hybrid_arms: Literal[
        "bolter,plasma", "bolter,chainsword", "plasma,chainsword", "bolter,bolter", "plasma,plasma",
        "chainsword,chainsword",
    ] = "bolter,plasma"  # fmt: skip
    terminator_flamers: Annotated[int, msgspec.Meta(ge=0, le=1)] = 1
    shared_square_survives: bool = True
    rotation: Literal["random", "fixed"] = "random"
    sides: Literal["roll", "fixed"] = "roll"
    found_marines_act: bool = False
    synapse: Literal["modifier", "six_only"] = "modifier"
    cyst_distance: Literal[0, 8] = 0
    corners: Literal["open", "sealed"] = "open"
    deck_empty: Literal["reshuffle", "no_card"] = "reshuffle"
    cut_off_objective: Literal["gone", "returns"] = "gone"
    cloud_hides_template: bool = False
    turn_limit: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 60
    force_axe_defends: bool = False
    kill_means: Literal["removed", "one_life"] = "removed"
    hellfire_vs_template: Literal["destroys", "no_effect"] = "destroys"
    blast_needs_hit: bool = False
    blob_follow_up: bool = True
    party: Literal["scouts", "points"] = "scouts"
    points: Annotated[int, msgspec.Meta(ge=1, le=200)] = 30
    extra_tyranids: str = ""


class Laid(msgspec.Struct, frozen=True):
    """A section as it lies: its cell, its turn (0 or 180), and the way in which the chain enters it (N, E, S, W)."""

    section: int
    cell: Point
    rotation: int
    heading: str


class FaceDown(msgspec.Struct, frozen=True):
    """A card that lies face down on a section: a place of a shuffle; no deck when it was laid without a card."""

    deck: str = ""
    place: int = 0


class Model(msgspec.Struct):
    """A model on the board. `life` are the life points left, `ready` the first turn in which its gun is charged again.

    `arms` are the heavy weapons that a Dreadnought has left, by mount (1, 2); `ready_arms` when they are charged.
    """

    kind: str
    at: Point
    life: int
    artifacts: list[int] = []
    prone: bool = False
    ready: int = 0
    arms: dict[int, str] = {}
    ready_arms: dict[int, int] = {}


class Act(msgspec.Struct):
    """What a model may still do in this part.

    `fresh`: it may be taken up. `moves` are whole moves left, `left` the squares of a move that has begun (0: none has).
    `attacks` are attacks left; `shots` says that shots were made, `stepped` that it has moved. `fired` are the weapons
    a Dreadnought has fired in the attack that goes on. `split` says that what is left of a move may follow the attack.
    `moved` says that the one move has begun and may not be gone on with after an attack.
    """

    fresh: bool = True
    moves: int = 1
    left: int = 0
    attacks: int = 1
    shots: int = 0
    stepped: bool = False
    attacked: bool = False
    split: bool = False
    fired: list[str] = []


class Served(msgspec.Struct, frozen=True):
    """The order card played in this turn and the models that it serves."""

    key: str
    models: tuple[str, ...]


class Trigger(msgspec.Struct, frozen=True):
    """An exploration that waits: who set it off, the section, the first square of it entered, and where it died or was lost."""

    model: str
    section: int
    first: Point


class Ending(msgspec.Struct, frozen=True):
    """How the game ended: `templates`, `no_marines`, `templates_lost` or `turn_limit`."""

    winner: str
    reason: str
    turn: int
    destroyed: int
    marines: int


class HiveState(State):
    """A game's position; `chance` in it holds the sections not laid yet, the cards and the tiles.

    `chain` are the sections, the rear first; `entry` is the cell of the entry area, `cards` what lies face down on
    which section. `deck` is the shuffle of cards in use and `drawn` how many of it were taken; `discards` the cards that
    a new one is made of. `stack` is the shuffle of tiles, `taken` how many were taken of it, `tile` the place of the one
    held (-1: none), `aside` tiles put aside. `models` are those on the board, `acts` what those that were touched may
    still do in this part, `active` the one that is taken up. `pool` are the Tyranids that may be placed, `party` the
    Marines still to be deployed, `reserve` those that cards may find, `lost` the Scouts that may return, `blobs` the blob counters left, `spent` models gone for
    good. `templates` are the squares of the objectives that stand, `destroyed` and `gone` those that do not any more.
    `cysts` are squares, `cysts_left` counters. `artifacts` are the squares of those that lie on the board. `orders` are
    the cards left. `trigger` is an exploration that waits, `death` where its trigger died. `shots` are the shots of the
    model that was taken up last, from where to where.
    """

    options: Options = Options()
    pending: list[AnyStep] = []
    turn: int = 0
    side: str = ""
    chain: list[Laid] = []
    entry: Point = (0, 1)
    cards: dict[int, FaceDown] = {}
    deck: str = ""
    drawn: int = 0
    discards: list[str] = []
    kept: list[str] = []
    stack: str = ""
    taken: int = 0
    tile: int = -1
    aside: list[str] = []
    models: dict[str, Model] = {}
    acts: dict[str, Act] = {}
    active: str = ""
    pool: list[str] = []
    party: list[str] = []
    reserve: list[str] = []
    lost: list[str] = []
    blobs: list[str] = []
    spent: list[str] = []
    templates: dict[str, tuple[Point, ...]] = {}
    destroyed: list[str] = []
    gone: list[str] = []
    cysts: list[Point] = []
    cysts_left: int = 0
    cysts_closed: bool = False
    artifacts: dict[int, Point] = {}
    orders: list[str] = []
    served: Served | None = None
    shells: int = 0
    bombs: int = 0
    points_left: int = 0
    trigger: Trigger | None = None
    death: Point | None = None
    shots: list[tuple[Point, Point]] = []
    ended: Ending | None = None

    def seen_card(self, lying: FaceDown) -> str:
        """Return the card that lies face down there, if a seat has looked at it and this state (or view) knows it."""
        deck = self.chance.decks.get(lying.deck)
        kept = deck.seen.get(lying.place) if deck is not None else None
        if isinstance(kept, Secret) and not kept.seen_by:  # laid out by hand, and nobody has looked
            return ""
        card = bare(kept)
        return card if isinstance(card, str) else ""

    def changed(self) -> None:
        """Forget what was derived from which models stand where: events that change that call it."""
        for name in ("standing", "crowd", "sides"):
            self.__dict__.pop(name, None)

    def moved(self, name: str, to: Point) -> None:
        """Put a model on the board on another square."""
        model, derived = self.models[name], self.__dict__
        derived.pop("standing", None)
        crowd = derived.get("crowd")
        if crowd is not None:
            crowd.move(model.at, to)
        model.at = to

    def relaid(self) -> None:
        """Forget what was derived from how the ship lies and where templates stand: events that change that call it."""
        for name in ("ship", "crowd"):
            self.__dict__.pop(name, None)

    @property
    def at(self) -> dict[Point, str]:
        """The model on each square that holds one; not to be changed."""
        found: dict[Point, str] | None = self.__dict__.get("standing")
        if found is None:
            found = {model.at: name for name, model in self.models.items()}
            self.__dict__["standing"] = found
        return found

    def act(self, name: str) -> Act:
        """Return what a model may still do in this part; not to be changed."""
        return self.acts.get(name) or _FRESH


_FRESH = Act()


def other(seat: str) -> str:
    """Return the enemy's seat."""
    return TYRANID if seat == MARINES else MARINES


def distance(one: Point, to: Point) -> int:
    """Return how many squares apart two squares are: the larger of columns and rows (TA-BOARD-10)."""
    columns, rows = abs(one[0] - to[0]), abs(one[1] - to[1])
    return columns if columns > rows else rows
