"""Events of rounds and turns: who may act, and what he has left."""

from __future__ import annotations

from typing import ClassVar

from .facts import Fact, Names
from .state import FreeRecord, LevelState, TurnRecord


class RoundStarted(Fact, frozen=True):
    """A round begins with a freshly shuffled activation deck."""

    heading: ClassVar[str] = "round"
    round: int

    def apply(self, state: LevelState) -> None:
        state.round = self.round

    def words(self, state: LevelState, names: Names) -> str:
        return f"Round {self.round}."


class RoundEnded(Fact, frozen=True):
    """The activation deck is empty: what lasts a round ends."""

    round: int

    def apply(self, state: LevelState) -> None:
        state.hardened = {}

    def words(self, state: LevelState, names: Names) -> str:
        return f"Round {self.round} is over."


class ActivationRevealed(Fact, frozen=True):
    """An activation card is turned over; `shows` is a Marine's code or `tyranid`."""

    card: str
    shows: str

    def apply(self, state: LevelState) -> None:
        state.activation = self.card

    def words(self, state: LevelState, names: Names) -> str:
        if self.shows == "tyranid":
            return "Activation: the Tyranids."
        marine = state.marines.get(self.shows)
        out = ", who is out of action" if marine is not None and not marine.square else ""
        return f"Activation: {names.marine(self.shows)}{out}."


class ActivationPiled(Fact, frozen=True):
    """The activation card is done with."""

    card: str

    def apply(self, state: LevelState) -> None:
        state.activation = ""


class TurnStarted(Fact, frozen=True):
    """A Marine has a turn of `allowance` actions; `spores` of his datacard's Actions are lost to it."""

    heading: ClassVar[str] = "turn"
    marine: str
    allowance: int
    side: str
    spores: int = 0

    def apply(self, state: LevelState) -> None:
        state.turn = TurnRecord(self.marine, self.allowance, spores=self.spores)
        state.marines[self.marine].spores = 0

    def words(self, state: LevelState, names: Names) -> str:
        actions = f"{self.allowance} action{'' if self.allowance == 1 else 's'}"
        return f"{names.marine(self.marine)} acts ({actions})."


class TurnEnded(Fact, frozen=True):
    """The turn is over: `ended` by the team, for want of anything to do (`no_action`), or the Marine is `out`."""

    marine: str
    reason: str

    def apply(self, state: LevelState) -> None:
        state.turn = None

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} is done."


class ActionSpent(Fact, frozen=True):
    """A Marine spends paid actions of his turn."""

    marine: str
    amount: int
    left: int

    def apply(self, state: LevelState) -> None:
        turn = state.turn
        assert turn is not None
        turn.spent += self.amount
        turn.second_roll = False


class FreeActionGranted(Fact, frozen=True):
    """A Marine has free actions: `move`, `attack`, or `any` of the two; outside his turn they open FREE."""

    marine: str
    kind: str
    count: int
    cause: str

    def apply(self, state: LevelState) -> None:
        turn = state.turn
        if turn is not None and turn.marine == self.marine:
            if self.kind == "move":
                turn.free_moves += self.count
            else:
                turn.free_attacks += self.count
            return
        if state.free is None:
            state.free = FreeRecord(self.marine)
        free = state.free
        if self.kind == "move":
            free.moves += self.count
        elif self.kind == "attack":
            free.attacks += self.count
        else:
            free.either += self.count

    def words(self, state: LevelState, names: Names) -> str:
        what = {"move": "free Move", "attack": "free Attack"}.get(self.kind, "free Move or Attack")
        several = "" if self.count == 1 else f" ({self.count} times)"
        return f"{names.marine(self.marine)} may take a {what}{several}."


class FreeActionSpent(Fact, frozen=True):
    """Free actions of a kind are used; `left` of that kind remain."""

    marine: str
    kind: str
    count: int
    left: int

    def apply(self, state: LevelState) -> None:
        free, turn = state.free, state.turn
        if free is not None and free.marine == self.marine:
            free.second_roll = False
            if self.kind == "move":
                free.moves -= self.count
            elif self.kind == "attack":
                free.attacks -= self.count
            else:
                free.either -= self.count
        elif turn is not None:
            turn.second_roll = False
            if self.kind == "move":
                turn.free_moves -= self.count
            else:
                turn.free_attacks -= self.count


class FreeActionsLapsed(Fact, frozen=True):
    """Free actions outside the Marine's turn are over; `count` of them were left."""

    marine: str
    count: int

    def apply(self, state: LevelState) -> None:
        state.free = None


class AllowanceChanged(Fact, frozen=True):
    """The Marine whose turn it is has another allowance; `extra` of it is new."""

    marine: str
    allowance: int
    left: int
    cause: str
    extra: int = 0

    def apply(self, state: LevelState) -> None:
        turn = state.turn
        assert turn is not None
        turn.allowance = self.allowance
        turn.extra += self.extra

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} now has {self.allowance} actions this turn, {self.left} of them left."


class TurnBonusGained(Fact, frozen=True):
    """The Marine adds to his Attack or console rolls until his turn ends."""

    marine: str
    attack_plus: int = 0
    console_plus: int = 0

    def apply(self, state: LevelState) -> None:
        turn = state.turn
        assert turn is not None
        turn.attack_plus += self.attack_plus
        turn.console_plus += self.console_plus


class AbilityUsed(Fact, frozen=True):
    """A Marine uses his datacard's ability: `command`, `grenade` or `second_roll`."""

    marine: str
    ability: str

    def apply(self, state: LevelState) -> None:
        turn = state.turn
        assert turn is not None
        if self.ability == "command":
            turn.commands += 1
        elif self.ability == "grenade":
            turn.grenades += 1
        else:
            turn.second_rolls += 1

    def words(self, state: LevelState, names: Names) -> str:
        what = {"command": "gives an order", "grenade": "throws a grenade"}.get(self.ability, "aims again")
        return f"{names.marine(self.marine)} {what}."


TURN_EVENTS = (
    RoundStarted,
    RoundEnded,
    ActivationRevealed,
    ActivationPiled,
    TurnStarted,
    TurnEnded,
    ActionSpent,
    FreeActionGranted,
    FreeActionSpent,
    FreeActionsLapsed,
    AllowanceChanged,
    TurnBonusGained,
    AbilityUsed,
)
