"""Wizards' duel: spells, counters to counters, wards and curses, reactions nested five deep and deeper.

A spell is cast; the other may counter it, the caster may counter the counter, and so on. When nobody adds anything the
reactions are settled from the last to the first: each counter breaks what lies under it if its die says so and it was
not broken itself. A spell that lives wounds; each wound may be warded off by a die, and the caster may curse that die,
which rolls it again. Two ones of a great spell end the duel on the spot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from warptape.domain.chance import Luck, Roll
from warptape.domain.errors import BadNotation
from warptape.domain.events import Action, Event, Question, Step
from warptape.domain.happenings import Happening
from warptape.domain.rules import Decision, Drop, End, Outcome, Refusal, Ruleset, Script, Seat, do
from warptape.domain.states import State

SEATS = ("red", "blue")
DEEPEST = 6
"""No counter to a counter beyond this level."""


class DuelOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`life` and `mana` at the start; after `rounds` turns the better half wins."""

    life: Annotated[int, msgspec.Meta(ge=1, le=50)] = 6
    mana: Annotated[int, msgspec.Meta(ge=0, le=50)] = 5
    rounds: Annotated[int, msgspec.Meta(ge=1, le=500)] = 20


class Turn(Question, frozen=True):
    """What does this wizard do?"""

    who: int


class React(Question, frozen=True):
    """Does this wizard counter what was done at `level` (0: the spell)?"""

    who: int
    level: int


class Ward(Question, frozen=True):
    """Does this wizard ward off one wound?"""

    who: int


class Curse(Question, frozen=True):
    """Does this wizard make the other roll the ward again?"""

    who: int


class Counters(Step, frozen=True):
    """A counter takes effect, when all that was done upon it is settled."""

    who: int
    level: int


class Impact(Step, frozen=True):
    """The spell takes effect."""

    who: int
    power: int


class Wounds(Step, frozen=True):
    """Wounds still to be suffered, one at a time."""

    who: int
    left: int


class WardHolds(Step, frozen=True):
    """The ward's die counts, after a curse if there was one."""

    who: int


class TurnOver(Step, frozen=True):
    """The turn of this wizard ends."""

    who: int


class Cast(Action, frozen=True, tag="cast"):
    power: int


class Rest(Action, frozen=True, tag="rest"):
    pass


class Yes(Action, frozen=True, tag="yes"):
    """Counter, ward or curse, whatever is asked."""


class No(Action, frozen=True, tag="no"):
    pass


class DuelSet(Event, frozen=True):
    def apply(self, state: DuelState) -> None:
        state.life = [state.options.life] * 2
        state.mana = [state.options.mana] * 2


class TurnBegan(Event, frozen=True):
    heading: ClassVar[str] = "round"
    number: int

    def apply(self, state: DuelState) -> None:
        state.turn = self.number
        state.broken = []
        state.ward = 0

    def tell(self, state: DuelState) -> str:
        return f"Turn {self.number}."


class ManaChanged(Event, frozen=True):
    who: int
    by: int

    def apply(self, state: DuelState) -> None:
        state.mana[self.who] += self.by


class Broken(Event, frozen=True):
    """What was done at this level has no effect any more."""

    level: int

    def apply(self, state: DuelState) -> None:
        state.broken.append(self.level)

    def tell(self, state: DuelState) -> str:
        return "The spell is broken." if not self.level else f"Counter {self.level} is broken."


class WardRaised(Event, frozen=True):
    die: int

    def apply(self, state: DuelState) -> None:
        state.ward = self.die


class Wounded(Event, frozen=True):
    mark: ClassVar[str] = "loss"
    who: int

    def apply(self, state: DuelState) -> None:
        state.life[self.who] -= 1

    def tell(self, state: DuelState) -> str:
        return f"{SEATS[self.who]} is wounded."


class WizardFell(Event, frozen=True):
    mark: ClassVar[str] = "loss"
    who: int
    by: str

    def apply(self, state: DuelState) -> None:
        state.fallen = SEATS[self.who]
        state.end = self.by


class TurnEnded(Event, frozen=True):
    who: int


class DuelState(State):
    options: DuelOptions = DuelOptions()
    pending: list[Turn | React | Ward | Curse | Counters | Impact | Wounds | WardHolds | TurnOver] = []
    turn: int = 0
    life: list[int] = []
    mana: list[int] = []
    broken: list[int] = []
    ward: int = 0
    fallen: str = ""
    end: str = ""


YES, NO, REST = Yes(), No(), Rest()


def random_bot(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
    return luck.choice(decision.actions)


def eager_bot(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
    """Always adds the strongest reaction there is: the deepest stacks."""
    return YES if YES in decision.actions else decision.actions[0]


class Duel(Ruleset):
    id = "nested"
    version = "1"
    title = "Wizards' duel"
    summary = "Spells, counters to counters, wards and curses."
    state = DuelState
    options = DuelOptions
    events = (DuelSet, TurnBegan, ManaChanged, Broken, WardRaised, Wounded, WizardFell, TurnEnded)
    actions = (Cast, Rest, Yes, No)
    steps = (Turn, React, Ward, Curse, Counters, Impact, Wounds, WardHolds, TurnOver)
    bots = {"random": random_bot, "eager": eager_bot}

    def seats(self, options: DuelOptions) -> Sequence[Seat]:
        return [Seat("red", "The Red Wizard"), Seat("blue", "The Blue Wizard")]

    def setup(self, state: DuelState) -> Script:
        yield DuelSet(rule="DUEL-1")
        yield TurnBegan(1, rule="DUEL-1")
        yield do(Turn(who=0), TurnOver(who=0))

    def ask(self, state: DuelState, step: Any) -> Decision | None:
        seat, mana = SEATS[step.who], state.mana[step.who]
        match step:
            case Turn():
                spells = tuple(Cast(power) for power in (1, 2, 3) if power <= mana)
                return Decision(seat, (*spells, REST), "Cast a spell or rest?")
            case React(level=level):
                may = mana and level < DEEPEST
                return Decision(seat, (YES, NO) if may else (NO,), f"Counter level {level}?")
            case Ward():
                # A wizard without mana is not asked at all: the step runs on.
                return Decision(seat, (YES, NO), "Ward off the wound?") if mana else None
            case Curse():
                return Decision(seat, (YES, NO) if mana else (NO,), "Curse the ward?")
        raise AssertionError(step)

    def explain(self, state: DuelState, step: Any, action: Any) -> Refusal | None:
        seat, mana = SEATS[step.who], state.mana[step.who]
        if isinstance(step, Turn) != isinstance(action, Cast | Rest):
            return Refusal("DUEL-2", "a spell is cast or a rest taken on a turn, yes or no is the answer otherwise")
        if isinstance(action, Cast) and action.power not in (1, 2, 3):
            return Refusal("DUEL-2", "a spell has power 1, 2 or 3")
        if isinstance(action, Cast) and action.power > mana:
            return Refusal("DUEL-2", f"{seat} has mana {mana} only")
        if action == YES and not mana:
            return Refusal("DUEL-3", f"{seat} has no mana left")
        if action == YES and isinstance(step, React) and step.level >= DEEPEST:
            return Refusal("DUEL-3", f"no reaction goes deeper than level {DEEPEST}")
        return None

    def resolve(self, state: DuelState, step: Any, action: Any) -> Script:
        who = step.who
        match step, action:
            case Turn(), Cast(power=power):
                yield ManaChanged(who, -power, rule="DUEL-2")
                yield do(React(who=1 - who, level=0), Impact(who=who, power=power))
            case Turn(), Rest():
                (die,) = yield Roll(f"die/{SEATS[who]}", 3, purpose="rest", rule="DUEL-2")
                yield ManaChanged(who, die, rule="DUEL-2")
            case React(level=level), Yes():
                yield ManaChanged(who, -1, rule="DUEL-3")
                yield do(React(who=1 - who, level=level + 1), Counters(who=who, level=level + 1))
            case Ward(), Yes():
                yield ManaChanged(who, -1, rule="DUEL-4")
                (die,) = yield Roll(f"die/{SEATS[who]}", purpose="ward", rule="DUEL-4")
                yield WardRaised(die, rule="DUEL-4")
                yield do(Curse(who=1 - who), WardHolds(who=who))
            case Ward(), No():
                yield from self._wound(state, who)
            case Curse(), Yes():
                yield ManaChanged(who, -1, rule="DUEL-5")
                (die,) = yield Roll(f"die/{SEATS[1 - who]}", purpose="reroll", rule="DUEL-5")
                yield WardRaised(die, rule="DUEL-5")

    def run(self, state: DuelState, step: Any) -> Script:
        match step:
            case Counters(who=who, level=level):
                if level not in state.broken:
                    (die,) = yield Roll(f"die/{SEATS[who]}", purpose="counter", rule="DUEL-3")
                    if die >= 3:
                        yield Broken(level - 1, rule="DUEL-3")
            case Impact(who=who, power=power):
                if 0 not in state.broken:
                    dice = yield Roll(f"die/{SEATS[who]}", count=power, purpose="spell", rule="DUEL-2")
                    if power == 3 and dice.count(1) >= 2:
                        yield from self._fall(who, "backfire")
                    yield do(Wounds(who=1 - who, left=sum(die >= 3 for die in dice)))
            case Wounds(who=who, left=left):
                if left:
                    yield do(Ward(who=who), Wounds(who=who, left=left - 1))
            case Ward(who=who):
                yield from self._wound(state, who)
            case WardHolds(who=who):
                if state.ward < 4:
                    yield from self._wound(state, who)
            case TurnOver(who=who):
                yield TurnEnded(who, rule="DUEL-1")
                if state.turn < state.options.rounds:
                    yield TurnBegan(state.turn + 1, rule="DUEL-1")
                    yield do(Turn(who=1 - who), TurnOver(who=1 - who))

    def _wound(self, state: DuelState, who: int) -> Script:
        yield Wounded(who, rule="DUEL-4")
        if not state.life[who]:
            # The stack is dropped, and the script still says why.
            yield Drop()
            yield WizardFell(who, "wounds", rule="DUEL-6")

    def _fall(self, who: int, by: str) -> Script:
        yield WizardFell(who, by, rule="DUEL-6")
        yield End()
        raise AssertionError("nothing runs after the end")

    def outcome(self, state: DuelState) -> Outcome | None:
        if not state.fallen and (state.turn < state.options.rounds or state.pending):
            return None
        figures = dict(zip(SEATS, state.life, strict=True))
        if state.fallen:
            return Outcome("won", (SEATS[1 - SEATS.index(state.fallen)],), state.end, figures)
        best = max(state.life)
        winners = tuple(seat for seat, life in figures.items() if life == best)
        return Outcome("won" if len(winners) == 1 else "drawn", winners, "time", figures)

    def happenings(self, state: DuelState, event: Event) -> Sequence[Happening]:
        if isinstance(event, Wounded):
            seat = SEATS[event.who]
            return (Happening("loss", seat, "wizard", seat, by="spell", final=state.life[event.who] == 1),)
        return ()

    def figures(self, state: DuelState) -> dict[str, int]:
        lives, mana = state.life or [0, 0], state.mana or [0, 0]
        return {"life_red": lives[0], "life_blue": lives[1], "mana_red": mana[0], "mana_blue": mana[1]}

    def parse(self, state: DuelState, seat: str, text: str) -> Sequence[Any]:
        words = text.lower().split()
        match words:
            case ["yes" | "y"]:
                return [YES]
            case ["no" | "n"]:
                return [NO]
            case ["rest"]:
                return [REST]
            case ["cast", power] if power.isdecimal() and len(power) < 4:
                return [Cast(int(power))]
        raise BadNotation("Type cast POWER, rest, yes or no.", text)

    def notation(self, state: DuelState, action: Any) -> str:
        return f"cast {action.power}" if isinstance(action, Cast) else str(type(action).__struct_config__.tag)


RULESET = Duel()
