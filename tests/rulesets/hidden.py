"""The raid: two seats and every kind of secret in one small game.

The warden writes down in secret which of three gates is guarded, and rolls in secret how watchful its guard is. The
raider draws counters that only the raider sees (the warden sees their tokens), may peek at one of the cards that lie
face down at the gates, and storms a gate with one counter and a secret stake. Then the fight, with a re-roll for
either side; whoever loses it pays the stake: in gold, or in counters that the other seat chooses by their tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from warptape.domain.chance import Draw, Luck, Pick, Reveal, Roll, Shuffle
from warptape.domain.choices import Choices, Product
from warptape.domain.errors import BadNotation
from warptape.domain.events import Action, BagFilled, CounterReturned, Event, Question, Step
from warptape.domain.happenings import Happening
from warptape.domain.rules import Decision, End, Outcome, Refusal, Ruleset, Script, Seat, do
from warptape.domain.secrets import SEALED, Sealed, Secret, bare, hidden, knows
from warptape.domain.states import State

RAIDER, WARDEN = "raider", "warden"
GATES = STAKES = (1, 2, 3)
CREW = ("axe1", "axe2", "axe3", "decoy1", "decoy2", "mage1", "thug1", "thug2", "thug3", "thug4")
STRENGTH = {"axe": 2, "decoy": 0, "mage": 3, "thug": 1}
CARDS = ("gold", "gold", "gold", "calm", "calm", "alarm")
HAND = 3


class RaidOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The raider wins with `goal` gold within `rounds`."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=100)] = 8
    goal: Annotated[int, msgspec.Meta(ge=1, le=50)] = 6


class Laid(msgspec.Struct, frozen=True):
    """A card face down at a gate: a place of a shuffle, perhaps of an old one."""

    deck: str
    place: int


class Fight(msgspec.Struct, frozen=True):
    """The fight that is on: both dice, and what is added to them."""

    gate: int
    token: str
    raider: int = 0
    warden: int = 0
    plus: int = 0
    ambush: int = 0


# Steps


class Round(Step, frozen=True):
    number: int


class WriteOrder(Question, frozen=True):
    pass


class Scout(Question, frozen=True):
    pass


class Storm(Question, frozen=True):
    pass


class Spring(Question, frozen=True):
    """Asked always: that it is not asked would tell which gate is guarded."""

    gate: int


class Clash(Step, frozen=True):
    """The fight begins; the stake stays the raider's secret."""

    secret: ClassVar[tuple[str, ...]] = ("stake",)
    stake: int | Sealed


class Again(Question, frozen=True):
    """Does this seat roll its die again?"""

    seat: str


class Settle(Step, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("stake",)
    stake: int | Sealed


class Losses(Question, frozen=True):
    """The warden chooses what the raider loses."""

    left: int


class RoundOver(Step, frozen=True):
    number: int


# Actions


class Guard(Action, frozen=True, tag="guard"):
    secret: ClassVar[tuple[str, ...]] = ("gate",)
    gate: int | Sealed


class Peek(Action, frozen=True, tag="peek"):
    gate: int


class StormGate(Action, frozen=True, tag="storm"):
    secret: ClassVar[tuple[str, ...]] = ("stake",)
    gate: int
    token: str
    stake: int | Sealed


class Lose(Action, frozen=True, tag="lose"):
    token: str


class Spy(Action, frozen=True, tag="spy"):
    """Instead of a loss the warden looks at a counter."""

    token: str


class Word(Action, frozen=True, tag="word"):
    """`skip`, `rest`, `pass`, `ambush`, `reroll` or `keep`."""

    word: str


# Events


class RoundBegan(Event, frozen=True):
    heading: ClassVar[str] = "round"
    number: int

    def apply(self, state: RaidState) -> None:
        state.round = self.number
        state.rerolls = {RAIDER: 1, WARDEN: 1}

    def tell(self, state: RaidState) -> str:
        return f"Round {self.number}."


class WatchSet(Event, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("watch",)
    watch: int | Sealed

    def apply(self, state: RaidState) -> None:
        state.watch = hidden(self.watch, self.seen_by)


class OrderWritten(Event, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("gate",)
    gate: int | Sealed

    def apply(self, state: RaidState) -> None:
        state.orders.append(hidden(self.gate, self.seen_by))

    def tell(self, state: RaidState) -> str:
        return "The warden writes an order." if isinstance(self.gate, Sealed) else f"Gate {self.gate} is guarded."


class CounterTaken(Event, frozen=True):
    token: str

    def apply(self, state: RaidState) -> None:
        state.hand.append(self.token)
        state.tokens += 1


class CounterLost(Event, frozen=True):
    mark: ClassVar[str] = "loss"
    token: str

    def apply(self, state: RaidState) -> None:
        state.hand.remove(self.token)

    def tell(self, state: RaidState) -> str:
        return f"The raider loses {self.token}."


class CardLaid(Event, frozen=True):
    """The top card is laid face down at a gate; nobody sees it."""

    gate: int

    def apply(self, state: RaidState) -> None:
        state.gates[self.gate] = Laid(state.deck, state.top)
        state.top += 1


class DeckMade(Event, frozen=True):
    deck: str

    def apply(self, state: RaidState) -> None:
        state.deck, state.top, state.discards = self.deck, 0, []


class CardGone(Event, frozen=True):
    gate: int
    card: str

    def apply(self, state: RaidState) -> None:
        state.discards.append(self.card)
        del state.gates[self.gate]


class FightBegan(Event, frozen=True):
    mark: ClassVar[str] = "fight"
    fight: Fight

    def apply(self, state: RaidState) -> None:
        state.fight = self.fight

    def tell(self, state: RaidState) -> str:
        return f"{self.fight.token} storms gate {self.fight.gate}."


class AmbushSprung(Event, frozen=True):
    reveals: ClassVar[bool] = True
    gate: int
    watch: int

    def apply(self, state: RaidState) -> None:
        state.orders[-1], state.watch = self.gate, self.watch
        state.fight = msgspec.structs.replace(state.fight, ambush=self.watch)


class DiceRead(Event, frozen=True):
    raider: int = 0
    warden: int = 0
    plus: int = 0

    def apply(self, state: RaidState) -> None:
        changes = {name: value for name in ("raider", "warden", "plus") if (value := getattr(self, name))}
        state.fight = msgspec.structs.replace(state.fight, **changes)


class Rerolled(Event, frozen=True):
    seat: str

    def apply(self, state: RaidState) -> None:
        state.rerolls[self.seat] -= 1


class StakeShown(Event, frozen=True):
    reveals: ClassVar[bool] = True
    stake: int


class GoldTaken(Event, frozen=True):
    gold: int

    def apply(self, state: RaidState) -> None:
        state.gold += self.gold

    def tell(self, state: RaidState) -> str:
        return f"The raider takes {self.gold} gold."


class OrdersShown(Event, frozen=True):
    reveals: ClassVar[bool] = True
    gates: tuple[int, ...]
    watch: int

    def apply(self, state: RaidState) -> None:
        state.orders, state.watch = list(self.gates), self.watch


class RaidEnded(Event, frozen=True):
    winner: str

    def apply(self, state: RaidState) -> None:
        state.winner = self.winner


class RaidState(State):
    options: RaidOptions = RaidOptions()
    pending: list[Round | WriteOrder | Scout | Storm | Spring | Clash | Again | Settle | Losses | RoundOver] = []
    round: int = 0
    gold: int = 0
    rerolls: dict[str, int] = {}
    orders: list[int | Secret] = []
    watch: int | Secret = 0
    hand: list[str] = []
    tokens: int = 0
    gates: dict[int, Laid] = {}
    deck: str = ""
    top: int = 0
    discards: list[str] = []
    fight: Fight = Fight(0, "")
    winner: str = ""


SKIP, REST, PASS, AMBUSH, REROLL, KEEP = map(Word, ("skip", "rest", "pass", "ambush", "reroll", "keep"))
SECRET_TO_RAIDER, SECRET_TO_WARDEN = (RAIDER,), (WARDEN,)


def random_bot(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
    return luck.choice(decision.actions)


def bold_bot(ruleset: Any, state: Any, decision: Decision, luck: Luck) -> Any:
    """Storms with the strongest counter it knows of, and ambushes whenever it can."""
    if decision.seat == RAIDER and isinstance(state.pending[-1], Storm) and state.hand:
        strongest = max(state.hand, key=lambda token: STRENGTH[bare(state.chance.bags["crew"].out[token])[:-1]])
        return StormGate(luck.choice(GATES), strongest, 3)
    return AMBUSH if AMBUSH in decision.actions else luck.choice(decision.actions)


class Raid(Ruleset):
    id = "hidden"
    version = "1"
    title = "The raid"
    summary = "Hidden counters, face-down cards, secret orders and stakes."
    state = RaidState
    options = RaidOptions
    private = True
    events = (
        RoundBegan, WatchSet, OrderWritten, CounterTaken, CounterLost, CardLaid, DeckMade, CardGone, FightBegan,
        AmbushSprung, DiceRead, Rerolled, StakeShown, GoldTaken, OrdersShown, RaidEnded,
    )  # fmt: skip
    actions = (Guard, Peek, StormGate, Lose, Spy, Word)
    steps = (Round, WriteOrder, Scout, Storm, Spring, Clash, Again, Settle, Losses, RoundOver)
    bots = {"random": random_bot, "bold": bold_bot}

    def seats(self, options: RaidOptions) -> Sequence[Seat]:
        return [Seat(RAIDER, "The raider"), Seat(WARDEN, "The warden")]

    def setup(self, state: RaidState) -> Script:
        yield BagFilled("crew", CREW, rule="RAID-1")
        deck = yield Shuffle("gate", CARDS, rule="RAID-1")
        yield DeckMade(deck, rule="RAID-1")
        for gate in GATES:
            yield CardLaid(gate, rule="RAID-1")
        yield do(Round(number=1))

    def ask(self, state: RaidState, step: Any) -> Decision | None:
        match step:
            case WriteOrder():
                return Decision(WARDEN, tuple(map(Guard, GATES)), "Which gate is guarded?")
            case Scout():
                peeks = tuple(Peek(gate) for gate in GATES if not self._peeked(state, gate))
                return Decision(RAIDER, (*peeks, SKIP), "Peek at a card?")
            case Storm():
                storms = Product(StormGate, _split, GATES, tuple(state.hand), STAKES)
                return Decision(RAIDER, Choices((REST,), storms), "Storm a gate, or rest?")
            case Spring(gate=gate):
                right = bare(state.orders[-1]) == gate
                return Decision(WARDEN, (PASS, AMBUSH) if right else (PASS,), f"Ambush at gate {gate}?", always=True)
            case Again(seat=seat):
                return Decision(seat, (KEEP, REROLL), "Roll again?") if state.rerolls[seat] else None
            case Losses(left=left):
                if not left or not state.hand:
                    return None
                spies = tuple(Spy(token) for token in state.hand if not knows(self._counter(state, token), WARDEN))
                return Decision(WARDEN, (*map(Lose, state.hand), *spies), "What does the raider lose?")
        raise AssertionError(step)

    def _peeked(self, state: RaidState, gate: int) -> bool:
        laid = state.gates[gate]
        return laid.place in state.chance.decks[laid.deck].seen

    def _counter(self, state: RaidState, token: str) -> str | Secret:
        return state.chance.bags["crew"].out[token]

    def explain(self, state: RaidState, step: Any, action: Any) -> Refusal | None:
        match step, action:
            case Scout(), Peek(gate=gate) if gate in GATES:
                return (
                    Refusal("RAID-3", f"the card at gate {gate} was seen before") if self._peeked(state, gate) else None
                )
            case Storm(), StormGate(gate=gate, token=token, stake=stake):
                if token not in state.hand:
                    return Refusal("RAID-4", f"the raider has no counter {token}")
                if gate not in GATES or stake not in STAKES:
                    return Refusal("RAID-4", "there are gates 1 to 3 and stakes of 1 to 3")
                return None
            case Losses(), Lose(token=token) | Spy(token=token) if token not in state.hand:
                return Refusal("RAID-7", f"the raider has no counter {token}")
            case Spring(), Word("ambush") if bare(state.orders[-1]) != step.gate:
                return Refusal("RAID-5", "another gate is guarded")
        decision = self.ask(state, step)
        if decision is not None and action in decision.actions:
            return None
        return Refusal("RAID-2", "that is no answer to what is asked")

    def resolve(self, state: RaidState, step: Any, action: Any) -> Script:
        match step, action:
            case WriteOrder(), Guard(gate=gate):
                yield OrderWritten(gate, rule="RAID-2", seen_by=SECRET_TO_WARDEN)
            case Scout(), Peek(gate=gate):
                laid = state.gates[gate]
                yield Draw(laid.deck, laid.place, "peek", f"gate {gate}", "RAID-3", SECRET_TO_RAIDER)
            case Storm(), StormGate(gate=gate, token=token, stake=stake):
                yield FightBegan(Fight(gate, token), rule="RAID-4")
                yield do(Spring(gate=gate), Clash(stake=stake, seen_by=SECRET_TO_RAIDER))
            case Spring(), Word("ambush"):
                yield AmbushSprung(bare(state.orders[-1]), bare(state.watch), rule="RAID-5")
            case Again(seat=seat), Word("reroll"):
                yield Rerolled(seat, rule="RAID-6")
                (die,) = yield Roll(f"die/{seat}", purpose="reroll", rule="RAID-6")
                yield DiceRead(**{seat: die}, rule="RAID-6")
            case Losses(left=left), Lose(token=token):
                yield from self._lose(token)
                yield do(Losses(left=left - 1))
            case Losses(left=left), Spy(token=token):
                # Both seats know it then, and still it does not lie open.
                yield Reveal("crew", token, "spy", rule="RAID-7", seen_by=SECRET_TO_WARDEN)
                yield do(Losses(left=left - 1))

    def _lose(self, token: str) -> Script:
        yield CounterLost(token, rule="RAID-7")
        yield CounterReturned("crew", token, rule="RAID-7")

    def run(self, state: RaidState, step: Any) -> Script:
        match step:
            case Round(number=number):
                yield RoundBegan(number, rule="RAID-2")
                (watch,) = yield Roll("die/watch", 3, purpose="watch", rule="RAID-2", seen_by=SECRET_TO_WARDEN)
                yield WatchSet(watch, rule="RAID-2", seen_by=SECRET_TO_WARDEN)
                while len(state.hand) < HAND:
                    token = f"c{state.tokens + 1}"
                    yield Pick("crew", token, "crew", rule="RAID-2", seen_by=SECRET_TO_RAIDER)
                    yield CounterTaken(token, rule="RAID-2")
                yield do(WriteOrder(), Scout(), Storm(), RoundOver(number=number))
            case Clash(stake=stake):
                item = yield Reveal("crew", state.fight.token, "fight", rule="RAID-6")
                (raider,) = yield Roll("die/raider", purpose="fight", rule="RAID-6")
                (warden,) = yield Roll("die/warden", purpose="fight", rule="RAID-6")
                yield DiceRead(raider, warden, STRENGTH[item[:-1]], rule="RAID-6")
                # The stake moves on unread, under questions of both seats.
                yield do(Again(seat=RAIDER), Again(seat=WARDEN), Settle(stake=stake, seen_by=step.seen_by))
            case Settle(stake=stake):
                assert isinstance(stake, int)
                yield StakeShown(stake, rule="RAID-6")
                fight = state.fight
                if fight.raider + fight.plus > fight.warden + fight.ambush:
                    yield from self._plunder(state, fight.gate, stake)
                else:
                    yield do(Losses(left=stake))
            case RoundOver(number=number):
                if number == state.options.rounds:
                    yield from self._end(state, WARDEN)
                yield do(Round(number=number + 1))

    def _plunder(self, state: RaidState, gate: int, stake: int) -> Script:
        laid = state.gates[gate]
        card = yield Draw(laid.deck, laid.place, "plunder", f"gate {gate}", "RAID-8")
        yield CardGone(gate, card, rule="RAID-8")
        if state.top == len(state.chance.decks[state.deck].items):
            deck = yield Shuffle("gate", tuple(sorted(state.discards)), rule="RAID-8")
            yield DeckMade(deck, rule="RAID-8")
        yield CardLaid(gate, rule="RAID-8")
        if card == "gold":
            yield GoldTaken(stake, rule="RAID-8")
            if state.gold >= state.options.goal:
                yield from self._end(state, RAIDER)
        elif card == "alarm":
            yield do(Losses(left=1))

    def _end(self, state: RaidState, winner: str) -> Script:
        for token in state.hand:
            yield Reveal("crew", token, "end", rule="RAID-9")
        for gate, laid in state.gates.items():
            yield Draw(laid.deck, laid.place, "end", f"gate {gate}", rule="RAID-9")
        yield OrdersShown(tuple(map(bare, state.orders)), bare(state.watch), rule="RAID-9")
        yield RaidEnded(winner, rule="RAID-9")
        yield End()

    def determinize(self, seen: RaidState, seat: str, luck: Luck) -> RaidState:
        state: RaidState = super().determinize(seen, seat, luck)
        state.orders = [_guess(order, GATES, luck) for order in state.orders]
        state.watch = _guess(state.watch, (1, 2, 3), luck)
        state.pending = [
            msgspec.structs.replace(step, stake=luck.choice(STAKES))
            if isinstance(step, Clash | Settle) and step.stake == SEALED
            else step
            for step in state.pending
        ]
        return state

    def outcome(self, state: RaidState) -> Outcome | None:
        if not state.winner:
            return None
        reason = "gold enough" if state.winner == RAIDER else "the night is over"
        return Outcome("won", (state.winner,), reason, {"gold": state.gold, "round": state.round})

    def happenings(self, state: RaidState, event: Event) -> Sequence[Happening]:
        if isinstance(event, CounterLost):
            known = bare(state.chance.bags["crew"].out.get(event.token))
            sort = known.rstrip("0123456789") if isinstance(known, str) else "counter"
            return (Happening("loss", event.token, sort, RAIDER, final=True),)
        if isinstance(event, FightBegan):
            gate = str(event.fight.gate)
            return (Happening("fight", event.fight.token, side=RAIDER, to=gate, by="storm", target="gate"),)
        return ()

    def figures(self, state: RaidState) -> dict[str, int]:
        return {"round": state.round, "gold": state.gold, "hand": len(state.hand), "discards": len(state.discards)}

    def parse(self, state: RaidState, seat: str, text: str) -> Sequence[Any]:
        match text.lower().split():
            case ["guard", gate] if gate in "123":
                return [Guard(int(gate))]
            case ["peek", gate] if gate in "123":
                return [Peek(int(gate))]
            case ["storm", gate, token, stake] if gate in "123" and stake in "123":
                return [StormGate(int(gate), token, int(stake))]
            case ["lose", token]:
                return [Lose(token)]
            case ["spy", token]:
                return [Spy(token)]
            case [word] if Word(word) in (SKIP, REST, PASS, AMBUSH, REROLL, KEEP):
                return [Word(word)]
        raise BadNotation("Type guard G, peek G, skip, storm G TOKEN STAKE, rest, pass, ambush, keep, ...", text)

    def notation(self, state: RaidState, action: Any) -> str:
        if isinstance(action, Word):
            return action.word
        values = (getattr(action, name) for name in action.__struct_fields__)
        return " ".join([str(type(action).__struct_config__.tag), *("?" if v == SEALED else str(v) for v in values)])


def _split(action: Any) -> tuple[Any, ...] | None:
    return (action.gate, action.token, action.stake) if isinstance(action, StormGate) else None


def _guess(kept: Any, values: Sequence[int], luck: Luck) -> Any:
    if isinstance(kept, Secret) and kept.value == SEALED:
        return Secret(luck.choice(values), kept.seen_by)
    return kept


RULESET = Raid()
