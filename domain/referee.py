"""The referee: takes one action, checks it, runs its script and the steps it leaves, and hands back what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .chance import Chance, Draw, Luck, Pick, Reveal, Roll, Shuffle
from .errors import IllegalAction, RulesetCrash, WarptapeError
from .events import (
    CHANCE,
    Action,
    ActionTaken,
    Awaiting,
    CardDrawn,
    CardRevealed,
    ChanceState,
    CounterDrawn,
    CounterRevealed,
    DeckShuffled,
    DiceRolled,
    Event,
    GameOpened,
    Question,
)
from .rules import Decision, Do, Drop, Outcome, Refusal, Ruleset, Script
from .secrets import bare, widen

ENDLESS = 20_000
"""Steps in one batch after which a ruleset is held to run in circles."""


class Referee:
    """One game in play: a state, the ruleset that governs it, and a source of chance.

    `state` changes only through events. `restore` gives back the state as it was when an action fails half way; without
    it the referee cannot be used after a crash.
    """

    def __init__(self, ruleset: Ruleset, state: Any, chance: Chance, restore: Callable[[], Any] | None = None) -> None:
        self.ruleset = ruleset
        self.state = state
        self.chance = chance
        self.decision: Decision | None = ruleset.decision(state)
        self._restore = restore

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is on."""
        return self.ruleset.outcome(self.state) if self.decision is None else None

    def refusal(self, seat: str, action: Any) -> Refusal | None:
        """Return why the seat may not take the action now; None exactly when it may."""
        return self.ruleset.refusal(self.state, seat, action)

    def open(self, opening: GameOpened[Any]) -> list[Event]:
        """Open the game on a fresh state: the opening, then everything that happens before the first decision."""
        events: list[Event] = [opening]
        opening.apply(self.state)
        self._play(self.ruleset.setup(self.state), [], events)
        return events

    def take(self, seat: str, action: Action) -> list[Event]:
        """Take an action for a seat and return its batch: a bare `ActionTaken`, then the consequences.

        Raises IllegalAction with the refusal, RulesetCrash when the ruleset fails, and what the source of chance
        raises; in all these cases nothing has happened.
        """
        decision = self.decision
        if decision is None or seat != decision.seat or action not in decision.actions:
            refusal = self.refusal(seat, action)
            raise IllegalAction(refusal or Refusal("", "that is not possible now"))
        state = self.state
        head = ActionTaken(action=action, seat=seat)
        events: list[Event] = [head]
        stack = state.pending[:-1]
        step = state.pending[-1]
        try:
            head.apply(state)
            self._play(self.ruleset.resolve(state, step, action), stack, events)
        except BaseException as error:
            self._recover()
            if isinstance(error, WarptapeError) or not isinstance(error, Exception):
                raise
            raise RulesetCrash(
                f"The ruleset '{self.ruleset.id}' failed on this action ({type(error).__name__}: {error}); "
                "nothing was recorded."
            ) from error
        return events

    def reset(self, state: Any) -> None:
        """Go on from another position."""
        self.state = state
        self.decision = self.ruleset.decision(state)

    def _recover(self) -> None:
        if self._restore is not None:
            self.reset(self._restore())

    def _play(self, script: Script, stack: list[Any], events: list[Event]) -> None:
        """Run a script, then the steps on the stack, until a question with a choice is on top or nothing is left."""
        ruleset, state = self.ruleset, self.state
        decision: Decision | None = None
        self._run(script, stack, events)
        for _ in range(ENDLESS):
            if not stack:
                break
            step = stack[-1]
            if isinstance(step, Question):
                decision = ruleset.ask(state, step)
                if decision is None:
                    stack.pop()
                    self._run(ruleset.run(state, step), stack, events)
                elif len(decision.actions) == 1 and not decision.always:
                    stack.pop()
                    self._run(ruleset.resolve(state, step, decision.actions[0]), stack, events)
                    decision = None
                else:
                    break
            else:
                stack.pop()
                self._run(ruleset.run(state, step), stack, events)
        else:
            raise RuntimeError(f"more than {ENDLESS} steps without a decision")
        pending = state.pending
        if stack != pending:
            keep = 0
            for old, new in zip(pending, stack, strict=False):
                if old != new:
                    break
                keep += 1
            waiting: Awaiting[Any] = Awaiting(keep=keep, push=tuple(stack[keep:]))
            waiting.apply(state)
            events.append(waiting)
        self.decision = decision

    def _run(self, script: Script, stack: list[Any], events: list[Event]) -> None:
        state, send, append, answer = self.state, script.send, events.append, None
        try:
            while True:
                item: Any = send(answer)
                kind = type(item)
                if kind is Do:
                    answer = None
                    if len(item.steps) == 1:
                        stack.append(item.steps[0])
                    else:
                        stack.extend(reversed(item.steps))
                elif kind in ANSWERS:
                    event, answer = ANSWERS[kind](self.chance, state.chance, item)
                    if event is not None:
                        event.apply(state)
                        append(event)
                elif kind is Drop:
                    answer = None
                    stack.clear()
                elif kind in ONLY_REFEREE or not isinstance(item, Event):
                    raise TypeError(f"a script yielded {item!r}: it is no event of a script and no request")
                else:
                    answer = None
                    item.apply(state)
                    append(item)
        except StopIteration:
            pass


# Each answers one kind of request for chance: the event to record (None: nobody learns anything), and the value.


def _roll(chance: Chance, remembered: ChanceState, ask: Roll) -> tuple[Event, tuple[int, ...]]:
    values = chance.roll(remembered, ask)
    event = DiceRolled(
        ask.stream, ask.sides, values, ask.count, ask.purpose, ask.subject, rule=ask.rule, seen_by=ask.seen_by
    )
    return event, values


def _shuffle(chance: Chance, remembered: ChanceState, ask: Shuffle) -> tuple[Event, str]:
    ordinal = remembered.ordinals.get(ask.deck, 0) + 1
    return DeckShuffled(ask.deck, ordinal, ask.items, rule=ask.rule), f"{ask.deck}/{ordinal}"


def _draw(chance: Chance, remembered: ChanceState, ask: Draw) -> tuple[Event | None, str]:
    seen = remembered.decks[ask.deck].seen
    kind = CardRevealed if ask.place in seen else CardDrawn
    if kind is CardRevealed:
        item = bare(seen[ask.place])
        if widen(seen[ask.place], item, ask.seen_by) == seen[ask.place]:
            return None, item
    else:
        item = chance.card(remembered, ask)
    event = kind(ask.deck, ask.place, item, ask.purpose, ask.subject, rule=ask.rule, seen_by=ask.seen_by)
    return event, item


def _pick(chance: Chance, remembered: ChanceState, ask: Pick) -> tuple[Event, str]:
    item = chance.counter(remembered, ask)
    if not ask.token and ask.seen_by is not None:
        raise ValueError("a counter drawn in secret needs a token")
    token = ask.token or item
    if token in remembered.bags[ask.bag].out:
        raise ValueError(f"the token '{token}' is in use")
    event = CounterDrawn(ask.bag, token, item, ask.purpose, ask.subject, rule=ask.rule, seen_by=ask.seen_by)
    return event, item


def _reveal(chance: Chance, remembered: ChanceState, ask: Reveal) -> tuple[Event | None, str]:
    kept = remembered.bags[ask.bag].out[ask.token]
    item = bare(kept)
    if widen(kept, item, ask.seen_by) == kept:
        return None, item
    event = CounterRevealed(ask.bag, ask.token, item, ask.purpose, ask.subject, rule=ask.rule, seen_by=ask.seen_by)
    return event, item


ANSWERS: dict[type, Callable[[Chance, ChanceState, Any], tuple[Event | None, Any]]] = {
    Roll: _roll,
    Shuffle: _shuffle,
    Draw: _draw,
    Pick: _pick,
    Reveal: _reveal,
}
ONLY_REFEREE = frozenset(CHANCE)


class Match:
    """A game in memory, without a store: for tests, simulations and benchmarks.

    `events` is the whole log (heads bare); `bots` maps seats to bots' names of the ruleset.
    """

    def __init__(
        self, ruleset: Ruleset, chance: Chance, options: Any = None, *, keep: bool = True, luck: str = "luck"
    ) -> None:
        options = ruleset.options() if options is None else options
        self.ruleset = ruleset
        self.keep = keep
        self.luck = luck
        self.referee = Referee(ruleset, ruleset.state(), chance, self._refold)
        opening: GameOpened[Any] = GameOpened(
            format=1, ruleset=ruleset.id, version=ruleset.version, content=ruleset.content.digest, options=options
        )
        self.events: list[Event] = self.referee.open(opening)

    @property
    def state(self) -> Any:
        """The position."""
        return self.referee.state

    @property
    def decision(self) -> Decision | None:
        """What has to be decided, None when the game is over."""
        return self.referee.decision

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it is on."""
        return self.referee.outcome

    def act(self, text_or_action: Any, seat: str | None = None) -> list[Event]:
        """Take an action, or the actions a line of notation stands for, and return the events.

        Raises BadNotation, IllegalAction; a line that fails half way leaves its first actions taken.
        """
        who = seat if seat is not None else self.decision.seat if self.decision else ""
        actions = (
            self.ruleset.parse(self.state, who, text_or_action) if isinstance(text_or_action, str) else [text_or_action]
        )
        happened: list[Event] = []
        for action in actions:
            batch = self.referee.take(who, action)
            happened += batch
            if self.keep:
                self.events += batch
        return happened

    def play(self, bots: Mapping[str, str], limit: int = 100_000) -> Outcome | None:
        """Let bots play to the end, or for `limit` decisions; returns the outcome, None at the limit."""
        ruleset = self.ruleset
        for _ in range(limit):
            decision = self.referee.decision
            if decision is None:
                return self.outcome
            self.act(choose(ruleset, self.state, decision, bots[decision.seat], self.luck), decision.seat)
        return None

    def _refold(self) -> Any:
        if not self.keep:
            raise RulesetCrash("This match kept no events, so it cannot go on after a failed action.")
        state = self.ruleset.state()
        for event in self.events:
            event.apply(state)
        return state


def choose(ruleset: Ruleset, state: Any, decision: Decision, bot: str, luck: str) -> Any:
    """Return what a bot of the ruleset does: it sees its seat's view only, and is deterministic for `luck` and position."""
    seat = decision.seat
    return ruleset.bots[bot](
        ruleset,
        ruleset.view(state, seat) if ruleset.secretive else state,
        decision,
        Luck(luck, f"{seat}|{state.decisions}"),
    )
