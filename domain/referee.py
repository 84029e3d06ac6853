"""The referee: takes one action, checks it, runs its script and the steps it leaves, and hands back what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from .chance import STREAM, Chance, Draw, Luck, Pick, Request, Reveal, Roll, Shuffle
from .choices import sole
from .errors import IllegalAction, ImpossibleOutcome, NeedsOutcome, RulesetCrash, WarptapeError
from .events import (
    PLAIN,
    Action,
    ActionTaken,
    Awaiting,
    CardDrawn,
    CardRevealed,
    CounterDrawn,
    CounterRevealed,
    DeckShuffled,
    DiceRolled,
    Event,
    GameOpened,
    Question,
)
from .rules import Decision, Do, Drop, End, Outcome, Refusal, Ruleset, Script
from .secrets import Audience, Secret, bare, hides, widen
from .states import LARGEST, ChanceState

ENDLESS = 20_000
"""Steps in one batch, or requests of one script, after which a ruleset is held to run in circles."""
_GUARD = range(ENDLESS)


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
        self._events = frozenset((*ruleset.events, *PLAIN))
        self._steps = frozenset(ruleset.steps)
        self._open = not ruleset.secretive

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is on."""
        return self.ruleset.outcome(self.state) if self.decision is None else None

    def refusal(self, seat: str, action: Any) -> Refusal | None:
        """Return why the seat may not take the action now; None exactly when it may."""
        return self.ruleset.refusal(self.state, seat, action)

    def open(self, opening: GameOpened[Any]) -> list[Event]:
        """Open the game on a fresh state: the opening, then everything that happens before the first decision.

        Raises RulesetCrash when the ruleset fails, and what the source of chance raises; then this referee is of no
        more use.
        """
        events: list[Event] = [opening]
        try:
            opening.apply(self.state)
            self._play(self.ruleset.setup(self.state), [], events)
        except (NeedsOutcome, ImpossibleOutcome) as error:
            raise self._put(error) from None
        except WarptapeError:
            raise
        except Exception as error:
            raise RulesetCrash(
                f"The ruleset '{self.ruleset.id}' failed to set up the game ({type(error).__name__}: {error}); "
                "nothing was recorded."
            ) from error
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
        except (NeedsOutcome, ImpossibleOutcome) as error:
            wanted = self._put(error)
            self._recover()
            raise wanted from None
        except BaseException as error:
            self._recover()
            if isinstance(error, WarptapeError) or not isinstance(error, Exception):
                raise
            raise RulesetCrash(
                f"The ruleset '{self.ruleset.id}' failed on this action ({type(error).__name__}: {error}); "
                "nothing was recorded."
            ) from error
        return events

    def _put(self, error: NeedsOutcome | ImpossibleOutcome) -> NeedsOutcome | ImpossibleOutcome:
        """Return the error in the ruleset's words for what is asked for, if it has any."""
        what = self.ruleset.wanted(self.state, cast("Request", error.request)) if error.request else ""
        return error.put(what) if what else error

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
        for _ in _GUARD:
            if not stack:
                break
            step = stack[-1]
            if isinstance(step, Question):
                decision = ruleset.ask(state, step)
                if decision is None:
                    stack.pop()
                    self._run(ruleset.run(state, step), stack, events)
                elif not decision.actions:
                    raise RuntimeError(f"the question {type(step).__name__} has no legal answer")
                elif not decision.always and sole(decision.actions):
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
        if stack != pending or not self._open:
            self._await(stack, pending, events)
        self.decision = decision

    def _await(self, stack: list[Any], pending: list[Any], events: list[Event]) -> None:
        """Record by `Awaiting` what is on the stack now, if that is not what is pending."""
        keep = 0
        for old, new in zip(pending, stack, strict=False):
            # Steps with secrets count as changed even when they are equal: that they are would be told by no event.
            if old is not new and (old != new or hides(new)):
                break
            keep += 1
        if keep != len(stack) or keep != len(pending):
            waiting: Awaiting[Any] = Awaiting(keep=keep, push=tuple(stack[keep:]))
            for step in waiting.push:
                if type(step) not in self._steps:
                    raise TypeError(f"{step!r} is no step of this ruleset")
            waiting.apply(self.state)
            events.append(waiting)

    def _run(self, script: Script, stack: list[Any], events: list[Event]) -> None:
        state, send, append, answer = self.state, script.send, events.append, None
        own = self._events
        try:
            for _ in _GUARD:
                item: Any = send(answer)
                kind = type(item)
                if kind in own:
                    answer = None
                    item.apply(state)
                    append(item)
                elif kind is Do:
                    answer = None
                    if len(item.steps) == 1:
                        stack.append(item.steps[0])
                    else:
                        stack.extend(reversed(item.steps))
                elif kind in ANSWERS:
                    event, answer = ANSWERS[kind](self.chance, state.chance, item)
                    if event is not None:
                        if event.seen_by is not None and self._open:
                            raise TypeError(f"a ruleset that hides {item!r} must say so: private = True")
                        event.apply(state)
                        append(event)
                elif kind is Drop:
                    answer = None
                    stack.clear()
                elif kind is End:
                    stack.clear()
                    script.close()
                    return
                else:
                    raise TypeError(f"a script yielded {item!r}: it is no event of its ruleset and no request")
        except StopIteration:
            return
        raise RuntimeError(f"a script yielded more than {ENDLESS} times")


# Each answers one kind of request for chance: the event to record (None: nobody learns anything), and the value.


def _roll(chance: Chance, remembered: ChanceState, ask: Roll) -> tuple[Event | None, tuple[int, ...]]:
    if ask.count < 1 or not 2 <= ask.sides <= LARGEST or ask.stream not in _streams:
        if ask.count == 0:
            return None, ()
        if ask.count < 0 or not 2 <= ask.sides <= LARGEST:
            raise ValueError(f"no dice to roll: {ask!r}")
        if ask.stream.startswith(("bag/", "shuffle/")):
            raise ValueError(f"the stream '{ask.stream}' is none of dice")
        _streams.add(_named(ask.stream))
    values = chance.roll(remembered, ask)
    event = DiceRolled(
        ask.stream, ask.sides, values, ask.count, ask.purpose, ask.subject, rule=ask.rule, seen_by=ask.seen_by
    )
    return event, values


def _shuffle(chance: Chance, remembered: ChanceState, ask: Shuffle) -> tuple[Event, str]:
    ordinal = remembered.ordinals.get(ask.deck, 0) + 1
    return DeckShuffled(_named(ask.deck), ordinal, ask.items, rule=ask.rule), f"{ask.deck}/{ordinal}"


def _draw(chance: Chance, remembered: ChanceState, ask: Draw) -> tuple[Event | None, str]:
    deck = remembered.decks[ask.deck]
    if not 0 <= ask.place < len(deck.items):
        raise ValueError(f"the deck '{ask.deck}' has no place {ask.place}")
    seen_by = ask.seen_by
    kept = deck.seen.get(ask.place)
    if kept is None:
        item = chance.card(remembered, ask)
        kind = CardDrawn
    else:
        item = bare(kept)
        if widen(kept, item, seen_by) == kept:
            return None, item
        seen_by = _union(kept, seen_by)
        kind = CardRevealed
    return kind(ask.deck, ask.place, item, ask.purpose, ask.subject, rule=ask.rule, seen_by=seen_by), item


def _pick(chance: Chance, remembered: ChanceState, ask: Pick) -> tuple[Event, str]:
    bag = remembered.bags[ask.bag]
    if not bag.size():
        raise ValueError(f"the bag '{ask.bag}' is empty")
    if not ask.token and ask.seen_by is not None:
        raise ValueError("a counter drawn in secret needs a token")
    item = chance.counter(remembered, ask)
    token = ask.token or item
    if token in bag.out:
        raise ValueError(f"the token '{token}' is in use")
    event = CounterDrawn(_named(ask.bag), token, item, ask.purpose, ask.subject, rule=ask.rule, seen_by=ask.seen_by)
    return event, item


def _reveal(chance: Chance, remembered: ChanceState, ask: Reveal) -> tuple[Event | None, str]:
    kept = remembered.bags[ask.bag].out[ask.token]
    item = bare(kept)
    if widen(kept, item, ask.seen_by) == kept:
        return None, item
    seen_by = _union(kept, ask.seen_by)
    return CounterRevealed(ask.bag, ask.token, item, ask.purpose, ask.subject, rule=ask.rule, seen_by=seen_by), item


def _union(kept: Any, seen_by: Audience) -> Audience:
    """Return who knows a kept value once these seats do too: the record of a reveal names them all."""
    if seen_by is None or not isinstance(kept, Secret):
        return None
    return tuple(sorted({*kept.seen_by, *seen_by}))


_streams: set[str] = set()
"""Names of streams of dice that were checked before."""


def _named(name: str) -> str:
    if not STREAM.match(name):
        raise ValueError(f"'{name}' cannot name a stream, a deck or a bag: a-z, 0-9 and . _ / - only")
    return name


ANSWERS: dict[type, Callable[[Chance, ChanceState, Any], tuple[Event | None, Any]]] = {
    Roll: _roll,
    Shuffle: _shuffle,
    Draw: _draw,
    Pick: _pick,
    Reveal: _reveal,
}


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
        self.events: list[Event] = []
        # The referee holds on to the log and not to the match: a game that nobody looks at any more is gone at once.
        self.referee = Referee(ruleset, ruleset.state(), chance, partial(_refold, ruleset, self.events, keep))
        opening: GameOpened[Any] = GameOpened(
            format=1, ruleset=ruleset.id, version=ruleset.version, content=ruleset.content.digest, options=options
        )
        self.events += self.referee.open(opening)

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


def _refold(ruleset: Ruleset, events: Sequence[Event], kept: bool) -> Any:
    if not kept:
        raise RulesetCrash("This match kept no events, so it cannot go on after a failed action.")
    state = ruleset.state()
    for event in events:
        event.apply(state)
    return state


def choose(ruleset: Ruleset, state: Any, decision: Decision, bot: str, luck: str) -> Any:
    """Return what a bot of the ruleset does: it sees its seat's view only, and is deterministic for `luck` and position."""
    seat = decision.seat
    if ruleset.secretive:
        # The decision too is that of the view: a list of actions may hold on to the state it came from.
        state = ruleset.view(state, seat)
        decision = ruleset.decision(state) or decision
    return ruleset.bots[bot](ruleset, state, decision, Luck(luck, f"{seat}|{state.decisions}"))
