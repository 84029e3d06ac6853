"""Events of a Marine's actions, moves, attacks and the console, and the end of the level."""

from __future__ import annotations

from typing import ClassVar

from .facts import Fact, Names
from .state import PRIME, Ending, LevelState


def _signed(number: int) -> str:
    return f", {number:+d} to the roll" if number else ""


class MarineMoved(Fact, frozen=True):
    """A Marine moves; `path` holds every square he enters, the last of them `to`."""

    marine: str
    path: tuple[str, ...]
    to: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.marines[self.marine].square = self.to

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} moves to {self.to}."


class MarineRedeployed(Fact, frozen=True):
    """A Marine is put on another square without moving there."""

    marine: str
    to: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.marines[self.marine].square = self.to

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} appears on {self.to}."


class AttackDeclared(Fact, frozen=True):
    """A Marine attacks a counter: it falls if a die and `modifier` reach `need`.

    `cause` is `attack`, `grenade` or a special card's id.
    """

    mark: ClassVar[str] = "fight"
    marine: str
    counter: str
    kind: str
    square: str
    distance: int
    cause: str
    modifier: int
    need: int

    def apply(self, state: LevelState) -> None:
        turn = state.turn
        state.means = self.cause
        if self.cause == "attack" and turn is not None and turn.marine == self.marine:
            turn.attacks_made += 1

    def words(self, state: LevelState, names: Names) -> str:
        where = f"the {names.kind(self.kind)} on {self.square}"
        return f"{names.marine(self.marine)} attacks {where} (needs {self.need}{_signed(self.modifier)})."


class RolledAgain(Fact, frozen=True):
    """A failed die is rolled again, by a card or by the datacard's `ability`; the second roll replaces the first."""

    marine: str
    cause: str
    replaced: tuple[int, ...]

    def apply(self, state: LevelState) -> None:
        free, turn = state.free, state.turn
        state.means = self.cause
        if free is not None and free.marine == self.marine:
            free.second_roll = True
        elif turn is not None and turn.marine == self.marine:
            turn.second_roll = True

    def words(self, state: LevelState, names: Names) -> str:
        # Of his own ability the event before this one says so.
        return "" if self.cause == "ability" else f"{names.marine(self.marine)} rolls again."


class AttackMissed(Fact, frozen=True):
    """The attack does nothing."""

    marine: str
    counter: str

    def words(self, state: LevelState, names: Names) -> str:
        return "Missed."


class CounterDestroyed(Fact, frozen=True):
    """A creature is destroyed; its counter leaves the board."""

    mark: ClassVar[str] = "loss"
    counter: str
    kind: str
    square: str
    by: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        del state.tyranids[self.square]
        state.kills[self.kind] = state.kills.get(self.kind, 0) + 1

    def words(self, state: LevelState, names: Names) -> str:
        return f"The {names.kind(self.kind)} on {self.square} is destroyed."


class ConsoleTried(Fact, frozen=True):
    """A Marine tried the console."""

    marine: str
    total: int
    need: int
    success: bool

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} works the console: {self.total} (needs {self.need})."


class ConsoleActivated(Fact, frozen=True):
    """The console works; the bulkheads are turned over."""

    marine: str

    def apply(self, state: LevelState) -> None:
        state.console = True

    def words(self, state: LevelState, names: Names) -> str:
        return "The console answers."


class BulkheadOpened(Fact, frozen=True):
    """The bulkhead that opens lay here: its square is empty floor now."""

    label: str
    square: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.sealed = tuple(label for label in state.sealed if label != self.label)
        state.peeked[self.label] = "open"

    def words(self, state: LevelState, names: Names) -> str:
        return f"The bulkhead at {self.label} opens."


class BulkheadStayedSealed(Fact, frozen=True):
    """A bulkhead is sealed on both sides."""

    label: str

    def apply(self, state: LevelState) -> None:
        state.peeked[self.label] = "sealed"

    def words(self, state: LevelState, names: Names) -> str:
        return f"The bulkhead at {self.label} stays shut."


class BulkheadPeeked(Fact, frozen=True):
    """The hidden side of a bulkhead is known, `open` or `sealed`; it still lies sealed side up."""

    label: str
    face: str

    def apply(self, state: LevelState) -> None:
        state.peeked[self.label] = self.face

    def words(self, state: LevelState, names: Names) -> str:
        return f"Under the bulkhead at {self.label}: {self.face}."


class LevelEnded(Fact, frozen=True):
    """The level is over, and this is its result."""

    reason: str
    result: str
    on_exit: int
    in_play: int
    damage: int = 0

    def apply(self, state: LevelState) -> None:
        state.ended = Ending(self.reason, self.result, self.on_exit, self.in_play, self.damage)

    def words(self, state: LevelState, names: Names) -> str:
        why = REASONS.get(self.reason, self.reason)
        result = RESULTS.get(self.result, self.result)
        other = f"{self.on_exit} on the exit tile, "
        if state.level == 3:
            other = "" if self.reason == "prime_destroyed" else f"{self.damage} damage on the {names.kind(PRIME)}, "
        return f"The level ends ({why}): {result}, {other}{self.in_play} in play."


RESULTS = {
    "major": "major victory",
    "minor": "minor victory",
    "campaign_lost": "campaign lost",
    "epic_victory": "epic victory",
}
REASONS = {
    "all_out": "every Marine is out of action",
    "all_on_exit": "all who are left stand on the exit tile",
    "deck_out": "the infestation deck has run out",
    "prime_destroyed": "the Prime is destroyed",
}
ACTION_EVENTS = (
    MarineMoved,
    MarineRedeployed,
    AttackDeclared,
    RolledAgain,
    AttackMissed,
    CounterDestroyed,
    ConsoleTried,
    ConsoleActivated,
    BulkheadOpened,
    BulkheadStayedSealed,
    BulkheadPeeked,
    LevelEnded,
)
