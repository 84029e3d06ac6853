"""Lanterns as it is today, version 3, with the upcasters that read what versions 1 and 2 recorded.

Since version 1 events, actions, steps and options have other names and fields, one event is two now, and one is gone.
Since version 2 `Scored` has its points in another field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from lanterns_1 import AMOUNTS, NO, REST, SEATS, YES, No, Rest, Yes, random_bot

from warptape.domain.chance import Roll
from warptape.domain.errors import BadNotation
from warptape.domain.events import Action, Event, Question, Step
from warptape.domain.rules import Decision, Outcome, Refusal, Ruleset, Script, Seat, do
from warptape.domain.secrets import Sealed, Secret, bare, hidden
from warptape.domain.states import State
from warptape.domain.upcasts import Plain, Upcasts


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game has so many turns."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=100)] = 4


class Begin(Step, frozen=True):
    number: int


class Turn(Question, frozen=True):
    player: int


class Challenge(Question, frozen=True):
    by: int


class Settle(Step, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("stake",)
    player: int
    stake: int | Sealed


class Stake(Action, frozen=True, tag="stake"):
    secret: ClassVar[tuple[str, ...]] = ("size",)
    size: int | Sealed


class TurnBegan(Event, frozen=True):
    heading: ClassVar[str] = "round"
    number: int

    def apply(self, state: LanternsState) -> None:
        state.turn = self.number

    def tell(self, state: LanternsState) -> str:
        return f"Turn {self.number}."


class DieRead(Event, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("value",)
    player: int
    value: int | Sealed

    def apply(self, state: LanternsState) -> None:
        state.value = hidden(self.value, self.seen_by)


class Challenged(Event, frozen=True):
    yes: bool

    def apply(self, state: LanternsState) -> None:
        state.challenged = self.yes


class StakeShown(Event, frozen=True):
    reveals: ClassVar[bool] = True
    player: int
    stake: int

    def apply(self, state: LanternsState) -> None:
        state.shown.append(self.stake)

    def tell(self, state: LanternsState) -> str:
        return f"{SEATS[self.player]} had staked {self.stake}."


class Scored(Event, frozen=True):
    player: int
    gained: int

    def apply(self, state: LanternsState) -> None:
        state.points[self.player] += self.gained

    def tell(self, state: LanternsState) -> str:
        return f"{SEATS[self.player]} has {state.points[self.player] + self.gained} points."


class LanternsState(State):
    options: Options = Options()
    pending: list[Begin | Turn | Challenge | Settle] = []
    turn: int = 0
    points: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    value: int | Secret = 0
    challenged: bool = False
    shown: list[int] = []


def moved(plain: Plain, kind: str = "", **fields: str) -> Plain:
    """Return what was of an older form with another type and other names of fields."""
    return {**{fields.get(name, name): value for name, value in plain.items()}, **({"type": kind} if kind else {})}


def settled(plain: Plain) -> list[Plain]:
    """Version 1 told in one event that a bet was shown and whether it was won."""
    player, stake, rule = plain["who"], plain["amount"], plain.get("rule", "")
    shown = {"type": "StakeShown", "player": player, "stake": stake, "rule": rule}
    scored = {"type": "Scored", "player": player, "points": stake, "rule": rule}
    return [shown, scored] if plain["won"] else [shown]


UPCASTERS = {
    "1": Upcasts(
        options=lambda plain: moved(plain, rounds="turns"),
        events={
            "RoundStarted": lambda plain: moved(plain, "TurnBegan", n="number"),
            "Peeked": lambda plain: moved(plain, "DieRead", who="player", pips="value"),
            "Lit": lambda plain: [],
            "Dared": lambda plain: moved(plain, "Challenged"),
            "Settled": settled,
        },
        actions={"bet": lambda plain: moved(plain, "stake", amount="size")},
        steps={
            "Begin": lambda plain: moved(plain, n="number"),
            "Play": lambda plain: moved(plain, "Turn", who="player"),
            "Dare": lambda plain: moved(plain, "Challenge", who="by"),
            "Settle": lambda plain: moved(plain, who="player", amount="stake"),
        },
    ),
    "2": Upcasts(events={"Scored": lambda plain: moved(plain, points="gained")}),
}


class Lanterns(Ruleset):
    id = "lanterns"
    version = "3"
    title = "Lanterns"
    state = LanternsState
    options = Options
    private = True
    events = (TurnBegan, DieRead, Challenged, StakeShown, Scored)
    actions = (Stake, Rest, Yes, No)
    steps = (Begin, Turn, Challenge, Settle)
    bots = {"random": random_bot}
    upcasters = UPCASTERS

    needed = 4
    """The die that wins a bet that was dared."""

    def seats(self, options: Options) -> Sequence[Seat]:
        return [Seat(seat, f"Player {number}") for number, seat in enumerate(SEATS, 1)]

    def setup(self, state: LanternsState) -> Script:
        yield do(Begin(number=1))

    def ask(self, state: LanternsState, step: Any) -> Decision:
        if isinstance(step, Turn):
            return Decision(SEATS[step.player], (*map(Stake, AMOUNTS), REST), "Stake or rest?")
        return Decision(SEATS[step.by], (YES, NO), "Dare it?")

    def explain(self, state: LanternsState, step: Any, action: Any) -> Refusal | None:
        if action in self.ask(state, step).actions:
            return None
        return Refusal("LAN-2", "a stake is 1, 2 or 3, and a dare yes or no")

    def resolve(self, state: LanternsState, step: Any, action: Any) -> Script:
        match action:
            case Stake(size=size):
                player = step.player
                mine = (SEATS[player],)
                yield do(Challenge(by=1 - player), Settle(player=player, stake=size, seen_by=mine))
            case Rest():
                yield do(Begin(number=state.turn + 1))
            case _:
                yield Challenged(action == YES, rule="LAN-3")

    def run(self, state: LanternsState, step: Any) -> Script:
        match step:
            case Begin(number=number) if number <= state.options.turns:
                player = (number + 1) % 2
                mine = (SEATS[player],)
                yield TurnBegan(number, rule="LAN-1")
                (value,) = yield Roll(f"die/{SEATS[player]}", purpose="peek", rule="LAN-1", seen_by=mine)
                yield DieRead(player, value, rule="LAN-1", seen_by=mine)
                yield do(Turn(player=player))
            case Settle(player=player, stake=stake):
                assert isinstance(stake, int)
                yield StakeShown(player, stake, rule="LAN-4")
                if not state.challenged or bare(state.value) >= self.needed:
                    yield Scored(player, stake, rule="LAN-4")
                yield do(Begin(number=state.turn + 1))

    def outcome(self, state: LanternsState) -> Outcome | None:
        if state.turn < state.options.turns or state.pending:
            return None
        figures = dict(zip(SEATS, state.points, strict=True))
        best = max(state.points)
        winners = tuple(seat for seat, points in figures.items() if points == best)
        return Outcome("won" if len(winners) == 1 else "drawn", winners, "the lanterns are out", figures)

    def parse(self, state: LanternsState, seat: str, text: str) -> Sequence[Any]:
        match text.split():
            case ["stake", size] if size in "123":
                return [Stake(int(size))]
            case ["rest"]:
                return [REST]
            case ["yes"]:
                return [YES]
            case ["no"]:
                return [NO]
        raise BadNotation("Type stake N, rest, yes or no.", text)

    def notation(self, state: LanternsState, action: Any) -> str:
        return f"stake {action.size}" if isinstance(action, Stake) else str(type(action).__struct_config__.tag)
