"""The referee on its own: what scripts may yield, loops, drops, replay without rules, and speed's guard rails."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import laws
import msgspec
import nested
import pig
import pytest

from warptape.domain.chance import Draw, Fate, Pick, Reveal, Roll, Salt, Shuffle
from warptape.domain.content import Content
from warptape.domain.errors import IllegalAction, RulesetCrash
from warptape.domain.events import (
    CHANCE,
    HEADS,
    Action,
    ActionTaken,
    Awaiting,
    BagFilled,
    CardDrawn,
    CardRevealed,
    CounterDrawn,
    CounterReturned,
    CounterRevealed,
    DeckShuffled,
    DiceRolled,
    Event,
    GameForked,
    GameOpened,
    KeyRevealed,
    NoteAdded,
    Question,
    Resalted,
    Rewound,
    Step,
)
from warptape.domain.referee import ENDLESS, Match, Referee
from warptape.domain.rules import Decision, Do, Drop, End, Outcome, Ruleset, Script, Seat, do
from warptape.domain.states import State

encode = msgspec.json.encode


class Go(Action, frozen=True):
    pass


class Ask(Question, frozen=True):
    number: int = 0


class Then(Step, frozen=True):
    number: int = 0


class Undeclared(Step, frozen=True):
    pass


class Noted(Event, frozen=True):
    text: str

    def apply(self, state: Any) -> None:
        state.notes.append(self.text)


class Foreign(Event, frozen=True):
    """No event of the ruleset below."""


class Notes(State):
    pending: list[Ask | Then] = []
    notes: list[str] = []


class Rig(Ruleset):
    """Runs the scripts that a test gives it: `script` on an action, `steps_do` on a step."""

    id = "rig"
    version = "1"
    title = "Rig"
    state = Notes
    options = type("NoOptions", (msgspec.Struct,), {"__module__": __name__}, frozen=True)
    events = (Noted,)
    actions = (Go,)
    steps = (Ask, Then)

    def __init__(self, script: Any, on_step: Any = None, offers: Any = None, begin: Any = None) -> None:
        super().__init__()
        self.script, self.on_step, self.offers = script, on_step, (Go(),) if offers is None else offers
        self.begin = begin

    def seats(self, options: Any) -> list[Seat]:
        return [Seat("one", "One")]

    def setup(self, state: Any) -> Script:
        yield Noted("begun")
        if self.begin is not None:
            yield from self.begin()
        yield do(Ask())

    def ask(self, state: Any, step: Any) -> Decision:
        return Decision("one", self.offers, always=True)

    def resolve(self, state: Any, step: Any, action: Any) -> Script:
        yield from self.script(state, step)

    def run(self, state: Any, step: Any) -> Script:
        yield from self.on_step(state, step)

    def outcome(self, state: Any) -> Outcome:
        return Outcome("over")


def yields(*items: Any) -> Any:
    def script(state: Any, step: Any) -> Script:
        yield Noted("first")
        yield from items

    return script


def crash(ruleset: Rig, message: str) -> Match:
    """Take the action, see it crash with the message, and nothing left behind."""
    match = Match(ruleset, Fate("s"))
    before, count = encode(match.state), len(match.events)
    with pytest.raises(RulesetCrash, match=message):
        match.act(Go())
    assert encode(match.state) == before
    assert len(match.events) == count
    assert match.decision is not None
    return match


EVENTS_OF_OTHERS = [
    DiceRolled("die/a", 6, (6,)),
    CardDrawn("deck/1", 0, "x"),
    CardRevealed("deck/1", 0, "x"),
    CounterDrawn("bag", "t", "x"),
    CounterRevealed("bag", "t", "x"),
    DeckShuffled("deck", 1, ("x",)),
    ActionTaken(action=Go(), seat="one"),
    Awaiting(push=(Ask(),)),
    Rewound(to=0),
    GameForked(lineage=(("g", 1),)),
    NoteAdded(at=1, text="x"),
    Resalted(at=1, commitment="x"),
    KeyRevealed(since=0, nonce="", seed="s"),
    Foreign(),
]


@pytest.mark.parametrize("event", EVENTS_OF_OTHERS, ids=lambda event: type(event).__name__)
def test_a_script_cannot_make_the_events_of_chance_of_the_referee_or_of_other_games(event: Any) -> None:
    crash(Rig(yields(event)), "no event of its ruleset")


def test_the_list_of_forbidden_events_is_whole() -> None:
    tried = {type(event) for event in EVENTS_OF_OTHERS}
    assert set(CHANCE) <= tried
    assert tried >= {ActionTaken, Rewound, Resalted, KeyRevealed, NoteAdded, GameForked} & set(HEADS)


@pytest.mark.parametrize("event", [DiceRolled, CardDrawn, CounterRevealed, Rewound, Awaiting])
def test_a_ruleset_cannot_take_them_for_its_own(event: Any) -> None:
    class Loaded(event, frozen=True):  # type: ignore[misc]
        pass

    class Crooked(pig.Pig):
        events = (*pig.Pig.events, Loaded)

    with pytest.raises(TypeError, match="only the referee makes its kind"):
        Crooked()


@pytest.mark.parametrize("item", [None, 7, "text", Go(), Ask(), (Noted("x"),), Noted])
def test_what_is_no_request_is_no_request(item: Any) -> None:
    crash(Rig(yields(item)), "no event of its ruleset and no request")


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Roll("die/a", 1), "no dice to roll"),
        (Roll("die/a", 0), "no dice to roll"),
        (Roll("die/a", 257), "no dice to roll"),
        (Roll("die/a", count=-1), "no dice to roll"),
        (Roll("bag/b"), "none of dice"),
        (Roll("shuffle/deck/1"), "none of dice"),
        (Roll("Die"), "cannot name"),
        (Roll("die|a"), "cannot name"),
        (Roll("die/a\n"), "cannot name"),
        (Roll(""), "cannot name"),
        (Shuffle("A deck", ("x",)), "cannot name"),
        (Shuffle("deck", ("x",) * 257), "at most 256"),
        (Draw("deck/9", 0), "deck/9"),
        (Draw("deck/1", -1), "has no place -1"),
        (Draw("deck/1", 2), "has no place 2"),
        (Pick("bag", seen_by=("one",)), "needs a token"),
        (Pick("bag", "taken"), "is in use"),
        (Pick("empty", "t"), "is empty"),
        (Reveal("bag", "never"), "never"),
        (CounterReturned("bag", "never"), "never"),
    ],
    ids=str,
)
def test_impossible_requests_are_refused(request_: Any, message: str) -> None:
    def begin() -> Script:
        yield Shuffle("deck", ("x", "y"))
        yield BagFilled("bag", ("p", "q", "taken"), ("taken",))
        yield BagFilled("empty", ("z",), ("z",))

    ruleset = Rig(yields(request_), begin=begin)
    crash(ruleset, message)


def test_no_dice_are_no_event() -> None:
    answers = []

    def script(state: Any, step: Any) -> Script:
        answers.append((yield Roll("die/a", count=0)))

    match = Match(Rig(script), Fate("s"))
    assert [type(event) for event in match.act(Go())] == [ActionTaken, Awaiting]
    assert answers == [()]
    assert match.state.chance.counters == {}


# Circles


def test_steps_that_never_ask_are_caught() -> None:
    def again(state: Any, step: Any) -> Script:
        yield do(Then())

    crash(Rig(again, again), f"more than {ENDLESS} steps")


def test_a_script_that_never_ends_is_caught() -> None:
    def forever(state: Any, step: Any) -> Script:
        while True:
            yield Noted("again")

    crash(Rig(forever), f"more than {ENDLESS} times")


def test_a_question_without_an_answer_is_caught() -> None:
    ruleset = Rig(yields(do(Ask(number=1))))
    match = Match(ruleset, Fate("s"))
    ruleset.offers = ()
    decision = match.decision
    assert decision is not None
    before = encode(match.state)
    with pytest.raises(RulesetCrash, match="Ask has no legal answer"):
        match.act(Go())
    assert encode(match.state) == before


def test_an_undeclared_step_is_caught_before_it_is_logged() -> None:
    crash(Rig(yields(do(Ask(), Undeclared()))), "no step of this ruleset")


def test_a_failing_setup_is_a_crash_of_the_ruleset() -> None:
    def begin() -> Script:
        yield Noted("x")
        raise KeyError("board")

    with pytest.raises(RulesetCrash, match="failed to set up the game"):
        Match(Rig(yields(), begin=begin), Fate("s"))


def test_an_interrupt_leaves_nothing_and_is_passed_on() -> None:
    def script(state: Any, step: Any) -> Script:
        yield Noted("first")
        raise KeyboardInterrupt

    match = Match(Rig(script), Fate("s"))
    before = encode(match.state)
    with pytest.raises(KeyboardInterrupt):
        match.act(Go())
    assert encode(match.state) == before


def test_without_a_way_back_a_match_says_so() -> None:
    match = Match(Rig(yields(None)), Fate("s"), keep=False)
    with pytest.raises(RulesetCrash, match="kept no events"):
        match.act(Go())


# The stack


def test_steps_are_done_in_the_order_they_are_named() -> None:
    def on_step(state: Any, step: Any) -> Script:
        yield Noted(f"step {step.number}")
        if step.number == 1:
            yield do(Then(number=11), Then(number=12))

    match = Match(Rig(yields(do(Then(number=1), Then(number=2)), do(Then(number=0)), do(), Do(())), on_step), Fate("s"))
    match.act(Go())
    assert match.state.notes == ["begun", "first", "step 0", "step 1", "step 11", "step 12", "step 2"]


def test_awaiting_is_left_out_when_the_stack_is_as_it_was() -> None:
    match = Match(Rig(lambda state, step: iter([do(step)])), Fate("s"))
    for _ in range(3):
        assert [type(event) for event in match.act(Go())] == [ActionTaken]
    assert match.state.pending == [Ask()]
    equal = Match(Rig(yields(do(Ask(number=0)))), Fate("s"))
    assert [type(event) for event in equal.act(Go())] == [ActionTaken, Noted]


def test_awaiting_keeps_what_lies_below() -> None:
    state = Notes(pending=[Then(number=1), Then(number=2), Ask()])
    ruleset = Rig(yields(do(Ask(number=5))))
    batch = Referee(ruleset, state, Fate("s")).take("one", Go())
    assert batch[-1] == Awaiting(keep=2, push=(Ask(number=5),))
    assert state.pending == [Then(number=1), Then(number=2), Ask(number=5)]


def test_drop_forgets_what_was_pending_and_what_the_script_put_there() -> None:
    state = Notes(pending=[Then(number=1), Ask()])
    ruleset = Rig(yields(do(Then(number=7)), Drop(), Noted("after"), do(Ask(number=2))))
    batch = Referee(ruleset, state, Fate("s")).take("one", Go())
    assert batch[-1] == Awaiting(push=(Ask(number=2),))
    assert state.notes == ["first", "after"]
    assert state.pending == [Ask(number=2)]


def test_end_forgets_the_rest_of_the_script_too() -> None:
    closed = []

    def helper() -> Script:
        try:
            yield End()
        finally:
            closed.append("helper")

    def script(state: Any, step: Any) -> Script:
        yield do(Then(number=7))
        try:
            yield from helper()
        finally:
            closed.append("script")
        yield Noted("never")

    state = Notes(pending=[Then(number=1), Ask()])
    referee = Referee(Rig(script), state, Fate("s"))
    assert [type(event) for event in referee.take("one", Go())] == [ActionTaken, Awaiting]
    assert (state.pending, state.notes, closed) == ([], [], ["helper", "script"])
    assert referee.outcome == Outcome("over")
    with pytest.raises(IllegalAction, match="the game is over"):
        referee.take("one", Go())


# Replay without rules


def test_a_log_is_replayed_without_rules_content_or_chance() -> None:
    """In a fresh process: the ruleset's methods are gone, its content is gone, and every source of chance is gone."""
    match = laws.whole(nested.RULESET, "without rules")
    rows = [encode(event).decode() for event in match.events]
    script = """
import json, sys
import msgspec
import nested
from warptape.domain import chance, rules
decoder = msgspec.json.Decoder(nested.RULESET.event_type)
for name in ("setup", "ask", "explain", "resolve", "run", "outcome", "__init__", "seats"):
    delattr(nested.Duel, name) if name in vars(nested.Duel) else None
    setattr(rules.Ruleset, name, None)
nested.RULESET.content = None
for name in ("Fate", "Table", "Recorded", "number", "deal", "permutation"):
    setattr(chance, name, None)
state = nested.DuelState()
for row in json.load(sys.stdin):
    decoder.decode(row).apply(state)
sys.stdout.write(msgspec.json.encode(state).decode())
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=encode(rows).decode(),
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
    )
    assert done.stdout == encode(match.state).decode()


def test_the_opening_says_what_a_game_started_from() -> None:
    match = Match(pig.RULESET, Fate(Salt(nonce="0" * 32)), pig.PigOptions(goal=30, players=3))
    opening = match.events[0]
    assert isinstance(opening, GameOpened)
    assert opening.options == pig.PigOptions(goal=30, players=3)
    assert opening.content == Content({}).digest
    assert match.state.options == opening.options
    assert match.state.scores == [0, 0, 0]


def test_fresh_states_share_nothing() -> None:
    one, other = Notes(), Notes()
    one.notes.append("x")
    one.pending.append(Ask())
    one.chance.counters["die/a"] = 1
    assert (other.notes, other.pending, other.chance.counters) == ([], [], {})
    with pytest.raises(TypeError, match="mutable"):
        type("Shared", (State,), {"__annotations__": {"facts": Notes}, "facts": Notes()})


def test_a_copy_of_a_state_is_independent_and_leaves_caches_behind() -> None:
    state = Notes(pending=[Ask()], notes=["x"])
    DeckShuffled("deck", 1, ("a", "b")).apply(state)
    state.cache = 1  # type: ignore[attr-defined]
    copy = state.copy()
    assert copy == state
    assert not hasattr(copy, "cache")
    before = encode(state)
    copy.notes.append("y")
    copy.pending.clear()
    copy.chance.decks["deck/1"].seen[0] = "a"
    copy.chance.counters["die/a"] = 3
    assert encode(state) == before
