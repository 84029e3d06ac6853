"""Games in the middle, for tests: played by notation, with chance entered."""

from __future__ import annotations

from typing import Any, TypeVar

from warptape.domain.chance import Draw, Fate, Pick, Roll, Table
from warptape.domain.errors import IllegalAction
from warptape.domain.events import Event
from warptape.domain.referee import Referee
from warptape.domain.rules import Refusal, Ruleset
from warptape.domain.states import ChanceState

E = TypeVar("E", bound=Event)


class Entered(Table):
    """Outcomes that a test enters; when they have run out, those of a fixed seed: what follows is not its business."""

    def __init__(self) -> None:
        super().__init__()
        self.fate = Fate("what follows")

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        return super().roll(chance, request) if self.left else self.fate.roll(chance, request)

    def card(self, chance: ChanceState, request: Draw) -> str:
        return super().card(chance, request) if self.left else self.fate.card(chance, request)

    def counter(self, chance: ChanceState, request: Pick) -> str:
        return super().counter(chance, request) if self.left else self.fate.counter(chance, request)


class Played:
    """A game being played: `do` takes a line with the outcomes of chance, `why` says which rule refuses one.

    The seat is the one that must decide, unless it is named. Outcomes are entered in the order in which they are asked
    for: dice, cards and counters by their ids; after them come those of a fixed seed, so that a batch which runs
    on into the next turn needs no more than the test is about.
    """

    def __init__(self, state: Any, rules: Ruleset) -> None:
        self.rules = rules
        self.table = Entered()
        self.referee = Referee(rules, state, self.table)
        self.log: list[Event] = []

    @property
    def state(self) -> Any:
        """The position."""
        return self.referee.state

    @property
    def seat(self) -> str:
        """Who must decide; empty when the game is over."""
        return self.referee.decision.seat if self.referee.decision else ""

    @property
    def asked(self) -> str:
        """The name of the question that is asked; empty when the game is over."""
        return type(self.state.pending[-1]).__name__ if self.state.pending else ""

    def legal(self) -> list[str]:
        """The notation of every legal action."""
        decision = self.referee.decision
        return [self.rules.notation(self.state, action) for action in decision.actions] if decision else []

    def do(self, line: str, *chance: object, seat: str = "") -> list[Event]:
        """Take the actions of a line and return what happened; every outcome must be asked for."""
        who = seat or self.seat
        self.table.left = [str(outcome) for outcome in chance]
        happened: list[Event] = []
        for action in self.rules.parse(self.state, who, line):
            happened += self.referee.take(who, action)
        assert not self.table.left, f"nothing asked for {self.table.left}"
        self.log += happened
        return happened

    def refusal(self, line: str, seat: str = "") -> Refusal | None:
        """Why a line of one action is refused, None when it is legal; the position stays as it is."""
        who = seat or self.seat
        try:
            actions = self.rules.parse(self.state, who, line)
        except IllegalAction as error:
            return error.refusal
        probe = Referee(self.rules, self.state.copy(), Entered())
        for number, action in enumerate(actions, 1):
            refusal = probe.refusal(who, action)
            if refusal is not None:
                return refusal
            if number < len(actions):
                probe.take(who, action)
        return None

    def why(self, line: str, seat: str = "") -> str:
        """The ID of the rule that refuses a line; empty when the line is legal."""
        refusal = self.refusal(line, seat)
        return "" if refusal is None else refusal.rule or f"no rule: {refusal.reason}"


def of(events: list[Event], kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]
