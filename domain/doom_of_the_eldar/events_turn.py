"""Events of the set-up, of turns and phases, of the assault and of movement."""

from __future__ import annotations

from typing import ClassVar

from ..secrets import Sealed, bare, hidden
from ..words import sentence
from .facts import SIDES, Fact, Names, agree
from .state import PHASES, WARP_GATE, DoomState, Ending

PHASE_NAMES = dict(
    zip(
        PHASES,
        (
            "Tyranid reinforcements", "Tyranid movement", "Tyranid combat",
            "Eldar special actions", "Eldar movement", "Eldar combat",
        ),
        strict=True,
    )
)  # fmt: skip

# Set-up


class UnitsBoxed(Fact, frozen=True):
    """These units start in a box, or (an empty box) wait to be set up."""

    units: tuple[str, ...]
    box: str

    def apply(self, state: DoomState) -> None:
        state.units.update(dict.fromkeys(self.units, self.box))
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        if not self.box:
            return ""
        who = names.units(self.units)
        where = "at the Warp Gate" if self.box == WARP_GATE else names.box(self.box)
        return sentence(f"{who} {agree(who, 'waits', 'wait')} {where}.")


class UnitPlaced(Fact, frozen=True):
    """A unit is set up in an area."""

    unit: str
    area: str

    def apply(self, state: DoomState) -> None:
        state.units[self.unit] = self.area
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        unit = names.unit(self.unit)
        return sentence(f"{unit} {agree(unit, 'takes', 'take')} station at {names.area(self.area)}.")


class UnitsPlaced(Fact, frozen=True):
    """Units are set up in an area together, as the quick start has them."""

    units: tuple[str, ...]
    area: str

    def apply(self, state: DoomState) -> None:
        state.units.update(dict.fromkeys(self.units, self.area))
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        who = names.units(self.units)
        return sentence(f"{who} {agree(who, 'takes', 'take')} station at {names.area(self.area)}.")


class SetupFinished(Fact, frozen=True):
    """Each of these areas is fortified, the lid is filled, and `order` is the mine's order until another is given."""

    fortified: tuple[str, ...]
    lid: int
    order: int = 3

    def apply(self, state: DoomState) -> None:
        state.fortified, state.order = list(self.fortified), self.order

    def words(self, state: DoomState, names: Names) -> str:
        return f"All {len(self.fortified)} areas of the Craftworld are fortified; {self.lid} Swarms wait in the dark."


# Turns and phases


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    heading: ClassVar[str] = "round"
    turn: int

    def apply(self, state: DoomState) -> None:
        state.turn = self.turn
        state.loud = False

    def words(self, state: DoomState, names: Names) -> str:
        return f"Turn {self.turn}."


class PhaseBegan(Fact, frozen=True):
    """A phase begins: nothing has moved, fought, been used or placed in it."""

    heading: ClassVar[str] = "turn"
    phase: str

    def apply(self, state: DoomState) -> None:
        state.phase = self.phase
        state.moved, state.fought, state.used, state.placed = [], [], [], []

    def words(self, state: DoomState, names: Names) -> str:
        return f"{PHASE_NAMES[self.phase]}."


class QuietTurnsCounted(Fact, frozen=True):
    """So many quiet turns have run since the assault ended (DOE-END-3)."""

    count: int

    def apply(self, state: DoomState) -> None:
        state.quiet = self.count

    def words(self, state: DoomState, names: Names) -> str:
        return f"Quiet turns running since the assault ended: {self.count}." if self.count else ""


# The assault


class ReinforcementsRolled(Fact, frozen=True):
    """Two dice fell for reinforcements; `due` Swarms come (0 when the assault ends)."""

    dice: tuple[int, int]
    due: int

    def words(self, state: DoomState, names: Names) -> str:
        due = "1 Swarm is" if self.due == 1 else f"{self.due or 'no'} Swarms are"
        return f"The Tyranids roll {self.dice[0]} and {self.dice[1]}: {due} due."


class MarkerMoved(Fact, frozen=True):
    """The Assault Marker advances along the track."""

    start: int
    to: int

    def apply(self, state: DoomState) -> None:
        state.marker = self.to

    def words(self, state: DoomState, names: Names) -> str:
        return f"The Assault Marker goes from {self.start} to {self.to}."


class SwarmArrived(Fact, frozen=True):
    """A counter drawn from the lid enters a sector on top of its stack, under a fresh token."""

    token: str
    roll: int
    area: str

    def apply(self, state: DoomState) -> None:
        state.stacks.setdefault(self.area, []).append(self.token)
        state.tokens += 1
        state.stacks_changed()

    def words(self, state: DoomState, names: Names) -> str:
        return f"{sentence(names.known(state, self.token))} enters {names.area(self.area)} (rolled {self.roll})."


class ReinforcementsLost(Fact, frozen=True):
    """The lid was short: so many reinforcements are lost."""

    mark: ClassVar[str] = "loss"
    count: int

    def words(self, state: DoomState, names: Names) -> str:
        return f"The lid is empty; {self.count} {'is' if self.count == 1 else 'are'} lost."


class AssaultEnded(Fact, frozen=True):
    """No more reinforcements come: a listed double (`double`) or the end of the track (`track`)."""

    reason: str
    box: int

    def apply(self, state: DoomState) -> None:
        state.over = state.turn

    def words(self, state: DoomState, names: Names) -> str:
        why = "a double ended it" if self.reason == "double" else "the track is full"
        return f"The assault is over at box {self.box}: {why}."


class MineOrderSet(Fact, frozen=True):
    """The Spore Mine's standing order, known to the Tyranids alone."""

    secret: ClassVar[tuple[str, ...]] = ("order",)
    order: int | Sealed

    def apply(self, state: DoomState) -> None:
        state.order = hidden(self.order, self.seen_by)

    def words(self, state: DoomState, names: Names) -> str:
        # Given every turn: only a change is worth telling, and only to those who may know it.
        if isinstance(self.order, Sealed) or self.order == bare(state.order):
            return ""
        return f"The mine's standing order is {self.order}."


# Movement


class CounterMoved(Fact, frozen=True):
    """A unit or a token moves; a token lies on top of the stack it comes to (DOE-LOSS-6)."""

    id: str
    start: str
    to: str

    def apply(self, state: DoomState) -> None:
        if self.id in state.units:
            state.units[self.id] = self.to
            state.units_changed()
        else:
            take_off(state, self.id, self.start)
            state.stacks.setdefault(self.to, []).append(self.id)
        state.moved.append(self.id)

    def words(self, state: DoomState, names: Names) -> str:
        piece = names.piece(state, self.id)
        goes = agree(piece, "goes", "go")
        return sentence(f"{piece} {goes} from {names.area(self.start)} to {names.area(self.to)}.")


class SwarmRevealed(Fact, frozen=True):
    """A Swarm is turned to its Horde side; the figures are those printed on it, or of its first stage."""

    reveals: ClassVar[bool] = True
    token: str
    counter: str
    attack: int
    defence: int
    area: str

    def apply(self, state: DoomState) -> None:
        state.face[self.token] = self.counter

    def words(self, state: DoomState, names: Names) -> str:
        figures = f"{self.attack}-{self.defence}"
        return (
            f"Swarm {self.token} is revealed as {names.counter(self.counter)} ({figures}) at {names.area(self.area)}."
        )


class CounterTrimmed(Fact, frozen=True):
    """A counter too many is given up: a token to the lid, a unit to `to`."""

    mark: ClassVar[str] = "loss"
    id: str
    area: str
    to: str

    def apply(self, state: DoomState) -> None:
        remove(state, self.id, self.area, self.to)

    def words(self, state: DoomState, names: Names) -> str:
        piece = names.piece(state, self.id)
        return sentence(f"{piece} {agree(piece, 'is', 'are')} given up at {names.area(self.area)}: too many counters.")


# The end


class GameEnded(Fact, frozen=True):
    """The game is over: why, and the points (DOE-VP-1 to -7)."""

    reason: str
    eldar: int
    tyranid: int
    parts: dict[str, int]
    winner: str

    def apply(self, state: DoomState) -> None:
        state.battle = None
        state.ended = Ending(self.reason, self.eldar, self.tyranid, dict(self.parts), self.winner)

    def words(self, state: DoomState, names: Names) -> str:
        why = END_REASONS[self.reason]
        who = f"{SIDES[self.winner]} win" if self.winner else "it is a draw"
        return sentence(f"{why}: Eldar {self.eldar}, Tyranids {self.tyranid}; {who}.")


END_REASONS = {
    "tyranids_gone": "no Tyranids are left",
    "areas_lost": "all areas of the Craftworld are lost",
    "quiet_turns": "the war has gone quiet",
    "turn_bound": "the war has gone on too long",
}


def take_off(state: DoomState, token: str, area: str) -> None:
    """Take a token off the stack of an area."""
    stack = state.stacks[area]
    stack.remove(token)
    if not stack:
        del state.stacks[area]
    state.stacks_changed()


def remove(state: DoomState, id: str, area: str, to: str) -> None:
    """Take a unit to a box, or a token off the map, with all that is remembered of it, its growth too (DOE-PROT-3)."""
    if id in state.units:
        state.units[id] = to
        state.units_changed()
    else:
        take_off(state, id, area)
        state.face.pop(id, None)
        state.stages.pop(id, None)


TURN_EVENTS: tuple[type[Fact], ...] = (
    UnitsBoxed, UnitPlaced, UnitsPlaced, SetupFinished, TurnBegan, PhaseBegan, QuietTurnsCounted, ReinforcementsRolled,
    MarkerMoved, SwarmArrived, ReinforcementsLost, AssaultEnded, MineOrderSet, CounterMoved, SwarmRevealed,
    CounterTrimmed, GameEnded,
)  # fmt: skip
