"""Lanterns as its version 1 was: it recorded `tests/logs/older/lanterns-1.tape.jsonl`, and is kept to say how.

Each turn a player looks at a die in secret and bets on it in secret, or rests. The other may dare the bet: then it is
won by a die of 4 and more only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from warptape.domain.chance import Luck, Roll
from warptape.domain.errors import BadNotation
from warptape.domain.events import Action, Event, Question, Step
from warptape.domain.rules import Decision, Outcome, Refusal, Ruleset, Script, Seat, do
from warptape.domain.secrets import Sealed, Secret, bare, hidden
from warptape.domain.states import State

SEATS = ("p1", "p2")
AMOUNTS = (1, 2, 3)


class Options1(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game has so many rounds."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=100)] = 4


class Begin(Step, frozen=True):
    n: int


class Play(Question, frozen=True):
    who: int


class Dare(Question, frozen=True):
    who: int


class Settle(Step, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("amount",)
    who: int
    amount: int | Sealed


class Bet(Action, frozen=True, tag="bet"):
    secret: ClassVar[tuple[str, ...]] = ("amount",)
    amount: int | Sealed


class Rest(Action, frozen=True, tag="rest"):
    pass


class Yes(Action, frozen=True, tag="yes"):
    pass


class No(Action, frozen=True, tag="no"):
    pass


class RoundStarted(Event, frozen=True):
    heading: ClassVar[str] = "round"
    n: int

    def apply(self, state: Lanterns1State) -> None:
        state.round = self.n


class Peeked(Event, frozen=True):
    """A player has looked at the die."""

    secret: ClassVar[tuple[str, ...]] = ("pips",)
    who: int
    pips: int | Sealed

    def apply(self, state: Lanterns1State) -> None:
        state.pips = hidden(self.pips, self.seen_by)


class Lit(Event, frozen=True):
    """A lantern is lit, which changes nothing."""

    def tell(self, state: Lanterns1State) -> str:
        return "A lantern is lit."


class Dared(Event, frozen=True):
    yes: bool

    def apply(self, state: Lanterns1State) -> None:
        state.dared = self.yes


class Settled(Event, frozen=True):
    """The bet is shown, and won or not: two facts in one."""

    reveals: ClassVar[bool] = True
    who: int
    amount: int
    won: bool

    def apply(self, state: Lanterns1State) -> None:
        state.shown.append(self.amount)
        if self.won:
            state.points[self.who] += self.amount

    def tell(self, state: Lanterns1State) -> str:
        return f"{SEATS[self.who]} had bet {self.amount}."


class Lanterns1State(State):
    options: Options1 = Options1()
    pending: list[Begin | Play | Dare | Settle] = []
    round: int = 0
    points: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    pips: int | Secret = 0
    dared: bool = False
    shown: list[int] = []


BETS, REST, YES, NO = tuple(map(Bet, AMOUNTS)), Rest(), Yes(), No()


def random_bot(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
    return luck.choice(decision.actions)


class Lanterns1(Ruleset):
    id = "lanterns"
    version = "1"
    title = "Lanterns"
    state = Lanterns1State
    options = Options1
    private = True
    events = (RoundStarted, Peeked, Lit, Dared, Settled)
    actions = (Bet, Rest, Yes, No)
    steps = (Begin, Play, Dare, Settle)
    bots = {"random": random_bot}

    def seats(self, options: Options1) -> Sequence[Seat]:
        return [Seat(seat, f"Player {number}") for number, seat in enumerate(SEATS, 1)]

    def setup(self, state: Lanterns1State) -> Script:
        yield do(Begin(n=1))

    def ask(self, state: Lanterns1State, step: Any) -> Decision:
        if isinstance(step, Play):
            return Decision(SEATS[step.who], (*BETS, REST), "Bet or rest?")
        return Decision(SEATS[step.who], (YES, NO), "Dare it?")

    def explain(self, state: Lanterns1State, step: Any, action: Any) -> Refusal | None:
        if action in self.ask(state, step).actions:
            return None
        return Refusal("LAN-2", "a bet is 1, 2 or 3, and a dare yes or no")

    def resolve(self, state: Lanterns1State, step: Any, action: Any) -> Script:
        who = step.who
        match action:
            case Bet(amount=amount):
                yield Lit(rule="LAN-2")
                yield do(Dare(who=1 - who), Settle(who=who, amount=amount, seen_by=(SEATS[who],)))
            case Rest():
                yield do(Begin(n=state.round + 1))
            case _:
                yield Dared(action == YES, rule="LAN-3")

    def run(self, state: Lanterns1State, step: Any) -> Script:
        match step:
            case Begin(n=n) if n <= state.options.rounds:
                who = (n + 1) % 2
                mine = (SEATS[who],)
                yield RoundStarted(n, rule="LAN-1")
                (pips,) = yield Roll(f"die/{SEATS[who]}", purpose="peek", rule="LAN-1", seen_by=mine)
                yield Peeked(who, pips, rule="LAN-1", seen_by=mine)
                yield do(Play(who=who))
            case Settle(who=who, amount=amount):
                assert isinstance(amount, int)
                yield Settled(who, amount, not state.dared or bare(state.pips) >= 4, rule="LAN-4")
                yield do(Begin(n=state.round + 1))

    def outcome(self, state: Lanterns1State) -> Outcome | None:
        if state.round < state.options.rounds or state.pending:
            return None
        figures = dict(zip(SEATS, state.points, strict=True))
        best = max(state.points)
        winners = tuple(seat for seat, points in figures.items() if points == best)
        return Outcome("won" if len(winners) == 1 else "drawn", winners, "the lanterns are out", figures)

    def parse(self, state: Lanterns1State, seat: str, text: str) -> Sequence[Any]:
        match text.split():
            case ["bet", amount] if amount in "123":
                return [Bet(int(amount))]
            case ["rest"]:
                return [REST]
            case ["yes"]:
                return [YES]
            case ["no"]:
                return [NO]
        raise BadNotation("Type bet N, rest, yes or no.", text)

    def notation(self, state: Lanterns1State, action: Any) -> str:
        return f"bet {action.amount}" if isinstance(action, Bet) else str(type(action).__struct_config__.tag)
