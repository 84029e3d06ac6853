"""Pig, the dice game, as a ruleset from outside the package: roll and add, or hold; a 1 loses the turn's points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from warptape.domain.chance import Luck, Roll
from warptape.domain.errors import BadNotation
from warptape.domain.events import Action, Event, Question, Step
from warptape.domain.rules import Decision, Outcome, Refusal, Ruleset, Script, Seat, do
from warptape.domain.states import State


class PigOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`goal` points win; two to six players."""

    goal: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100
    players: Annotated[int, msgspec.Meta(ge=2, le=6)] = 2


class Turn(Question, frozen=True):
    player: int


class RollDie(Action, frozen=True, tag="roll"):
    pass


class Hold(Action, frozen=True, tag="hold"):
    pass


class TurnStarted(Event, frozen=True):
    heading: ClassVar[str] = "round"
    player: int

    def apply(self, state: PigState) -> None:
        state.turn_total = 0

    def tell(self, state: PigState) -> str:
        return f"Player {self.player + 1} takes a turn."


class PointsGathered(Event, frozen=True):
    points: int

    def apply(self, state: PigState) -> None:
        state.turn_total += self.points

    def tell(self, state: PigState) -> str:
        return f"The turn is worth {state.turn_total + self.points}."


class TurnLost(Event, frozen=True):
    mark: ClassVar[str] = "loss"

    def apply(self, state: PigState) -> None:
        state.turn_total = 0

    def tell(self, state: PigState) -> str:
        return f"A 1: {state.turn_total} points are lost."


class Banked(Event, frozen=True):
    player: int

    def apply(self, state: PigState) -> None:
        state.scores[self.player] += state.turn_total
        state.turn_total = 0

    def tell(self, state: PigState) -> str:
        return f"Player {self.player + 1} holds with {state.scores[self.player] + state.turn_total} points."


class GameSet(Event, frozen=True):
    def apply(self, state: PigState) -> None:
        state.scores = [0] * state.options.players


class PigState(State):
    options: PigOptions = PigOptions()
    pending: list[Turn] = []
    scores: list[int] = []
    turn_total: int = 0


ROLL, HOLD = RollDie(), Hold()
BOTH, ONLY_ROLL = (ROLL, HOLD), (ROLL,)


def random_bot(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
    return decision.actions[luck.below(len(decision.actions))]


def sensible_bot(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
    """Hold at 20, or as soon as holding wins."""
    player = state.pending[-1].player
    enough = state.turn_total >= 20 or state.scores[player] + state.turn_total >= state.options.goal
    return HOLD if enough else ROLL


class Pig(Ruleset):
    id = "pig"
    version = "1"
    title = "Pig"
    summary = "Roll and add, or hold; a 1 loses the turn's points."
    state = PigState
    options = PigOptions
    events = (TurnStarted, PointsGathered, TurnLost, Banked, GameSet)
    actions = (RollDie, Hold)
    steps = (Turn,)
    bots = {"random": random_bot, "sensible": sensible_bot}

    def seats(self, options: PigOptions) -> Sequence[Seat]:
        return [Seat(f"p{number}", f"Player {number}") for number in range(1, options.players + 1)]

    def setup(self, state: PigState) -> Script:
        yield GameSet(rule="PIG-1")
        yield TurnStarted(0, rule="PIG-1")
        yield do(Turn(player=0))

    def ask(self, state: PigState, step: Turn) -> Decision:
        return Decision(SEATS[step.player], BOTH if state.turn_total else ONLY_ROLL, "Roll or hold?", True)

    def explain(self, state: PigState, step: Turn, action: Any) -> Refusal | None:
        if action == HOLD and not state.turn_total:
            return Refusal("PIG-2", "there is nothing to hold yet")
        return None

    def resolve(self, state: PigState, step: Turn, action: Any) -> Script:
        player = step.player
        if action == ROLL:
            (value,) = yield ROLLS[player]
            if value > 1:
                yield PointsGathered(value, rule="PIG-1")
                yield do(step)
                return
            yield TurnLost(rule="PIG-3")
        else:
            yield Banked(player, rule="PIG-2")
            if state.scores[player] >= state.options.goal:
                return
        player = (player + 1) % state.options.players
        yield TurnStarted(player, rule="PIG-1")
        yield do(Turn(player=player))

    def run(self, state: PigState, step: Step) -> Script:
        raise AssertionError("Pig has no steps that are not questions")
        yield

    def outcome(self, state: PigState) -> Outcome | None:
        best = max(state.scores)
        if best < state.options.goal:
            return None
        winner = f"p{state.scores.index(best) + 1}"
        figures = {f"p{number}": score for number, score in enumerate(state.scores, 1)}
        return Outcome("won", (winner,), "the goal is reached", figures)

    def figures(self, state: PigState) -> dict[str, int]:
        scores = state.scores or [0] * state.options.players
        return {**{f"p{number}": score for number, score in enumerate(scores, 1)}, "turn_total": state.turn_total}

    def parse(self, state: PigState, seat: str, text: str) -> Sequence[Any]:
        words = {"roll": ROLL, "r": ROLL, "hold": HOLD, "h": HOLD}
        actions, column = [], 1
        for word in text.split(" "):
            if word and word.lower() not in words:
                raise BadNotation(f"'{word}' is no action of Pig: type roll or hold.", text, column)
            if word:
                actions.append(words[word.lower()])
            column += len(word) + 1
        if not actions:
            raise BadNotation("Type roll or hold.", text)
        return actions

    def notation(self, state: PigState, action: Any) -> str:
        return "roll" if action == ROLL else "hold"


SEATS = tuple(f"p{number}" for number in range(1, 7))
ROLLS = tuple(Roll(f"die/p{number}", purpose="pig", rule="PIG-1") for number in range(1, 7))
RULESET = Pig()
