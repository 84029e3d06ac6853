"""Events of setting a level up."""

from __future__ import annotations

from typing import ClassVar

from ..words import sentence
from .facts import Fact, Names, a
from .state import PRIME, Creature, LevelState, Marine


class LevelStarted(Fact, frozen=True):
    """A level begins with its briefing."""

    heading: ClassVar[str] = "level"
    level: int
    mission: str

    def apply(self, state: LevelState) -> None:
        state.level = self.level
        state.mission = self.mission
        state.ended = None

    def words(self, state: LevelState, names: Names) -> str:
        mission = names.mission(self.mission)
        return f"{mission}." if len(state.options.levels) > 1 else f"{mission} begins."


class BoardLaid(Fact, frozen=True):
    """A face of a board is laid."""

    face: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.face = self.face

    def words(self, state: LevelState, names: Names) -> str:
        return f"The space hulk is {names.face(self.face)}."


class VesselLaid(Fact, frozen=True):
    """The `entry` or `exit` tile is laid at an exit; `squares` from square 1 outwards."""

    tile: str
    label: str
    squares: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.moved()
        if self.tile == "entry":
            state.entry = self.label
        else:
            state.exit = self.label

    def words(self, state: LevelState, names: Names) -> str:
        return f"The {self.tile} tile is laid at {self.label}."


class BulkheadsLaid(Fact, frozen=True):
    """Bulkheads lie sealed side up at these exits, in the order of their places in the shuffle."""

    labels: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.bulkheads = self.labels
        state.sealed = self.labels

    def words(self, state: LevelState, names: Names) -> str:
        return f"Bulkheads seal {', '.join(self.labels)}."


class ObjectiveLaid(Fact, frozen=True):
    """The objective counter lies on its square, `console` or `prime` side up."""

    square: str
    side: str

    def apply(self, state: LevelState) -> None:
        state.objective = self.square
        if self.side == PRIME:
            state.moved()
            state.tyranids[self.square] = Creature("P", PRIME)

    def words(self, state: LevelState, names: Names) -> str:
        what = names.kind(PRIME) if self.side == PRIME else self.side
        return f"The {what} is on {self.square}."


class SquadChosen(Fact, frozen=True):
    """These Marines take part, all of them healthy."""

    marines: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.squad = self.marines
        state.marines = {code: Marine() for code in self.marines}

    def words(self, state: LevelState, names: Names) -> str:
        return f"The squad: {names.marines(self.marines)}."


class MarineDeployed(Fact, frozen=True):
    """A Marine stands on a square of the entry tile."""

    marine: str
    square: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.marines[self.marine].square = self.square

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} takes {self.square}."


class CounterPlaced(Fact, frozen=True):
    """A creature counter is put on the board, out of the `box` or the `bag`."""

    counter: str
    kind: str
    square: str
    source: str
    cause: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.tyranids[self.square] = Creature(self.counter, self.kind)

    def words(self, state: LevelState, names: Names) -> str:
        return f"{sentence(a(names.kind(self.kind)))} appears on {self.square}."


class SpecialsDrawn(Fact, frozen=True):
    """These special cards were drawn, two for each Marine in the order of the squad."""

    cards: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.pool = self.cards

    def words(self, state: LevelState, names: Names) -> str:
        return f"Special cards to choose from: {names.cards(self.cards)}."


class SpecialEquipped(Fact, frozen=True):
    """A Marine gets a special card."""

    marine: str
    card: str

    def apply(self, state: LevelState) -> None:
        state.marines[self.marine].cards.append(self.card)
        state.equipped.append(self.marine)

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} takes {names.card(self.card)}."


class SpecialsSetAside(Fact, frozen=True):
    """The special cards nobody took are out for the level."""

    cards: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.pool = ()


class ActivationDeckBuilt(Fact, frozen=True):
    """These activation cards are in play."""

    cards: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.deck = self.cards


SETUP_EVENTS = (
    LevelStarted,
    BoardLaid,
    VesselLaid,
    BulkheadsLaid,
    ObjectiveLaid,
    SquadChosen,
    MarineDeployed,
    CounterPlaced,
    SpecialsDrawn,
    SpecialEquipped,
    SpecialsSetAside,
    ActivationDeckBuilt,
)
