"""Events of the Eldar special actions: what was used, what came back, conversions, and Yriel."""

from __future__ import annotations

from typing import ClassVar

from ..words import sentence
from .events_turn import remove
from .facts import Fact, Names, agree
from .state import RAIDERS, DoomState


class SpecialActionUsed(Fact, frozen=True):
    """An area makes its special action; `roll` is 0 where no die is asked for."""

    area: str
    action: str
    roll: int
    success: bool

    def apply(self, state: DoomState) -> None:
        state.used.append(self.area)

    def words(self, state: DoomState, names: Names) -> str:
        if not self.roll:
            return ""  # told by the event that follows
        how = f"rolled {self.roll}: {'success' if self.success else 'failure'}"
        return f"{sentence(names.area(self.area))}: {names.action(self.action)}, {how}."


class SwarmBarraged(Fact, frozen=True):
    """Torpedoes from an area destroy a Swarm in space."""

    mark: ClassVar[str] = "loss"
    area: str
    token: str
    at: str

    def apply(self, state: DoomState) -> None:
        remove(state, self.token, self.at, "")
        state.loud = True

    def words(self, state: DoomState, names: Names) -> str:
        target = names.known(state, self.token)
        return f"Torpedoes from {names.area(self.area)} destroy {target} at {names.area(self.at)}."


class UnitReturned(Fact, frozen=True):
    """A unit comes from a box to an area."""

    unit: str
    box: str
    area: str

    def apply(self, state: DoomState) -> None:
        state.units[self.unit] = self.area
        state.placed.append(self.unit)
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        unit, box = names.unit(self.unit), names.box(self.box)
        box = box if box.startswith("the ") else f"the {box}"
        return sentence(f"{unit} {agree(unit, 'comes', 'come')} back from {box} to {names.area(self.area)}.")


class StackScried(Fact, frozen=True):
    """The Eldar look at what the Swarms of an area are; what they are, the reveals before this say to them."""

    area: str
    tokens: tuple[str, ...]

    def words(self, state: DoomState, names: Names) -> str:
        found = [(token, state.counter(token)) for token in self.tokens]
        told = ", ".join(f"{token} is {names.counter(item)}" for token, item in found if item)
        return f"The Shrine looks upon {names.area(self.area)}{': ' + told if told else ''}."


class UnitConverted(Fact, frozen=True):
    """A unit stands down to a box, and another comes from its box to an area."""

    unit: str
    to: str
    taken: str
    box: str
    area: str

    def apply(self, state: DoomState) -> None:
        state.units[self.unit] = self.to
        state.units[self.taken] = self.area
        state.placed += [self.unit, self.taken]
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        unit, taken = names.unit(self.unit), names.unit(self.taken)
        return sentence(
            f"{unit} {agree(unit, 'stands', 'stand')} down; "
            f"{taken} {agree(taken, 'appears', 'appear')} at {names.area(self.area)}."
        )


class YrielArrived(Fact, frozen=True):
    """Yriel and his ships enter a sector."""

    roll: int
    area: str
    units: tuple[str, ...]

    def apply(self, state: DoomState) -> None:
        state.units.update(dict.fromkeys(self.units, self.area))
        state.placed += self.units
        state.fallen = False
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        return f"Yriel and his ships break into {names.area(self.area)} (rolled {self.roll})."


class RaiderPoolOpened(Fact, frozen=True):
    """The Raiders' ground forces wait to be converted from their ships."""

    units: tuple[str, ...]

    def apply(self, state: DoomState) -> None:
        state.units.update(dict.fromkeys(self.units, RAIDERS))
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        return "The Raiders' ground forces stand ready."


SPECIAL_EVENTS: tuple[type[Fact], ...] = (
    SpecialActionUsed, SwarmBarraged, UnitReturned, StackScried, UnitConverted, YrielArrived, RaiderPoolOpened,
)  # fmt: skip
