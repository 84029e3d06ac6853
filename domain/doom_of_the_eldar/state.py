"""The options and the position of a game, as plain data: areas, Eldar units and Tyranid tokens by their ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from ..secrets import Secret, bare
from ..states import State
from .steps import AnyStep

ELDAR, TYRANID = "eldar", "tyranid"
"""The seats."""
LID = "lid"
"""The bag of Tyranid counters that are not on the map."""
DESTROYED_SPACECRAFT, DESTROYED_GROUND, OUT = "destroyed_spacecraft", "destroyed_ground", "out"
WARP_GATE, ASIDE, RAIDERS = "warp_gate", "aside", "raider_conversion"
CONVERTED_SPACECRAFT, CONVERTED_GROUND = "converted_spacecraft", "converted_ground"
BOXES = (
    DESTROYED_SPACECRAFT, DESTROYED_GROUND, CONVERTED_SPACECRAFT, CONVERTED_GROUND, OUT, WARP_GATE, ASIDE, RAIDERS,
)  # fmt: skip
"""Where an Eldar unit is when it is on no area; the two of converted counters are used under `separate` (G-27)."""
PHASES = (
    "tyranid_reinforcement", "tyranid_movement", "tyranid_combat", "eldar_special", "eldar_movement", "eldar_combat",
)  # fmt: skip
"""The phases of a turn in their order (DOE-SEQ-1)."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game may be played with; the first value of each is the ruling of the register.

    `track_advance` what the marker counts, `odds_below_table` and `odds_above_table` what happens off the Craftworld
    table, `avatar_and_fort` how doublings combine, `hive_mind_end` whether a lone Hive Mind keeps the game going,
    `protoids_in_lid` how many small Protoids there are, `knights_origin` where the Knights start, `stall_turns` how
    many quiet turns end the game, `repeat_conversion_pool` where converted counters go, `track_layout` the rows of the
    track, `setup` who sets the Eldar up, `retreat_together` where a retreat goes, `eldar_sees_losses` whether a Swarm
    lost in space is shown.
    """

    track_advance: Literal["rolled", "drawn"] = "rolled"
    odds_below_table: Literal["clamp", "annihilate"] = "clamp"
    odds_above_table: Literal["clamp", "annihilate"] = "clamp"
    avatar_and_fort: Literal["multiply", "add"] = "multiply"
    hive_mind_end: Literal["ignored", "counts", "dies_alone"] = "ignored"
    protoids_in_lid: Literal[1, 3] = 1
    knights_origin: Literal["green", "iyanden"] = "green"
    stall_turns: Literal[6, 0, 4, 10] = 6
    repeat_conversion_pool: Literal["printed", "separate"] = "printed"
    track_layout: Literal["rows_of_10", "rows_of_15"] = "rows_of_10"
    setup: Literal["free", "quickstart"] = "free"
    retreat_together: Literal["one_area", "each_chooses"] = "one_area"
    eldar_sees_losses: bool = False


class Battle(msgspec.Struct):
    """The battle that is being fought.

    `attacker` is the seat whose Combat phase it is. `side` is the seat whose die lies on the table (on the Craftworld
    always the attacker's), `total` its total, `defence` the defender's (Craftworld alone), `column` the column of the
    table, `roll` the die, `rerolled` whether it is a second roll. `killed` says that an Eldar counter was lost here,
    `fled` that the Eldar broke off.
    `holder` is the seat that holds a re-roll in this round, empty when none does (DOE-REROLL-1, -3).
    """

    area: str
    kind: str
    attacker: str
    round: int = 0
    side: str = ""
    total: int = 0
    defence: int = 0
    column: str = ""
    roll: int = 0
    rerolled: bool = False
    holder: str = ""
    killed: bool = False
    fled: bool = False


class Ending(msgspec.Struct, frozen=True):
    """How the game ended: `reason` is `tyranids_gone`, `areas_lost`, `quiet_turns` or `turn_bound`; the points.

    `parts` are the Tyranids' points by what gave them; `winner` is a seat, empty for a draw.
    """

    reason: str
    eldar: int
    tyranid: int
    parts: dict[str, int] = {}
    winner: str = ""


class DoomState(State):
    """A game's position; `chance` in it holds the lid and which token is which counter.

    `units` is where each Eldar unit is: an area, a box, or empty while it waits to be set up. `stacks` are the Tyranid
    tokens of each area, bottom to top; areas without any are absent. `face` is what the face-up tokens are, `stages`
    how far a face-up Protoid has grown (0 is absent). `tokens` counts the tokens ever given. `fortified` and
    `devastated` are Craftworld areas. `marker` is the box of the Assault Marker, `over` the turn in which the assault
    ended (0: it goes on). `order` is the Spore Mine's standing order. `moved`, `fought`, `used` and `placed` are what
    has moved, which areas have fought, which areas have made their special action, and which units came or converted,
    in this phase. `loud` says that this turn is none of the quiet ones, `quiet` how many of those ran up to now.
    `fallen` says that the Shrine is devastated and Yriel has not come yet.
    """

    options: Options = Options()
    pending: list[AnyStep] = []
    turn: int = 0
    phase: str = ""
    units: dict[str, str] = {}
    stacks: dict[str, list[str]] = {}
    face: dict[str, str] = {}
    stages: dict[str, int] = {}
    tokens: int = 0
    fortified: list[str] = []
    devastated: list[str] = []
    marker: int = 0
    over: int = 0
    order: int | Secret = 3
    moved: list[str] = []
    fought: list[str] = []
    used: list[str] = []
    placed: list[str] = []
    loud: bool = False
    quiet: int = 0
    fallen: bool = False
    battle: Battle | None = None
    ended: Ending | None = None

    def units_changed(self) -> None:
        """Forget what was derived from where the units are: events that change that call it."""
        self.__dict__.pop("here", None)

    def stacks_changed(self) -> None:
        """Forget what was derived from where the tokens are: events that change that call it."""
        self.__dict__.pop("spots", None)

    @property
    def eldar(self) -> dict[str, list[str]]:
        """The Eldar units of each area and box that holds any, in the order of `units`; not to be changed."""
        found: dict[str, list[str]] | None = self.__dict__.get("here")
        if found is None:
            found = {}
            for unit, place in self.units.items():
                found.setdefault(place, []).append(unit)
            self.__dict__["here"] = found
        return found

    @property
    def swarms(self) -> dict[str, str]:
        """The area of each Tyranid token on the map; not to be changed."""
        found: dict[str, str] | None = self.__dict__.get("spots")
        if found is None:
            found = {token: area for area, stack in self.stacks.items() for token in stack}
            self.__dict__["spots"] = found
        return found

    def counter(self, token: str) -> str | None:
        """Return what a token is, as far as the holder of this state (or view) knows; None when that is sealed."""
        if token in self.face:
            return self.face[token]
        known = bare(self.chance.bags[LID].out.get(token))
        return known if isinstance(known, str) else None

    def standing_order(self) -> int | None:
        """Return the Spore Mine's standing order; None in a view that may not know it (DOE-MINE-1)."""
        known = bare(self.order)
        return known if isinstance(known, int) else None


def other(seat: str) -> str:
    """Return the enemy's seat."""
    return TYRANID if seat == ELDAR else ELDAR


def lid_size(state: DoomState) -> int:
    """Return how many counters the lid holds; public."""
    return state.chance.bags[LID].size() if LID in state.chance.bags else 0


def face_down(state: DoomState, area: str) -> Iterator[str]:
    """Yield the Swarms of an area, bottom to top: the tokens that lie face down."""
    return (token for token in state.stacks.get(area, ()) if token not in state.face)
