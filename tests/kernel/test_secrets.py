"""Sealing, audiences and views on structs made for it: what is nested, what three seats know, what was tampered with."""

from __future__ import annotations

from typing import Any, ClassVar

import hidden
import msgspec
import nested
import pig
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptape.domain.chance import Draw, Fate, Luck, Pick, Reveal, Roll, Shuffle
from warptape.domain.errors import RulesetCrash
from warptape.domain.events import (
    Action,
    ActionTaken,
    Awaiting,
    BagFilled,
    CardDrawn,
    CardRevealed,
    CounterDrawn,
    CounterRevealed,
    DiceRolled,
    Event,
    Question,
    Step,
    fold,
)
from warptape.domain.referee import Match
from warptape.domain.rules import Decision, Outcome, Ruleset, Script, Seat, do
from warptape.domain.secrets import (
    SEALED,
    Disclosure,
    Sealed,
    Secret,
    all_know,
    bare,
    can_hide,
    digest,
    hides,
    knows,
    redact,
    seal,
    unseal,
    view,
    visible,
    widen,
)
from warptape.domain.secrets import (
    hidden as keep,
)
from warptape.domain.states import State

KEY = "k" * 64


class Part(msgspec.Struct, frozen=True):
    """Names no audience: the one of what holds it counts."""

    secret: ClassVar[tuple[str, ...]] = ("number",)
    name: str
    number: int | Sealed


class Own(msgspec.Struct, frozen=True):
    """Names its own audience."""

    secret: ClassVar[tuple[str, ...]] = ("words",)
    words: tuple[str, ...] | Sealed
    seen_by: tuple[str, ...] | None = None


class Told(Event, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("text",)
    text: str | Sealed
    one: Part | None = None
    many: tuple[Part, ...] = ()
    deep: tuple[tuple[Own, ...], ...] = ()
    by_name: dict[str, Own] = {}

    def apply(self, state: Any) -> None:
        state.told.append(self)


class Order(Action, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("number",)
    to: str
    number: int | Sealed


class Holds(Step, frozen=True):
    """A step that keeps an action with a secret in it."""

    order: Order


class Wide(Step, frozen=True):
    secret: ClassVar[tuple[str, ...]] = ("word",)
    word: str | Sealed
    parts: tuple[Part, ...] = ()


class Facts(State):
    pending: list[Holds | Wide] = []
    told: list[Told] = []
    kept: dict[str, list[str | Secret]] = {}


EVENT = Told(
    "loud",
    one=Part("x", 1),
    many=(Part("y", 2), Part("z", 3)),
    deep=((Own(("p", "q")), Own(("r",), ("c",))), ()),
    by_name={"n": Own(("s",), ("a", "b"))},
    seen_by=("b", "a"),
)
FIELDS = {
    "text": ("a", "b"),
    "one.number": ("a", "b"),
    "many.0.number": ("a", "b"),
    "many.1.number": ("a", "b"),
    "deep.0.0.words": ("a", "b"),
    "deep.0.1.words": ("c",),
    "by_name.n.words": ("a", "b"),
}


def test_every_nested_secret_is_sealed_for_its_audience() -> None:
    sealed, beside = seal(EVENT, 4, KEY)
    assert {item.field: item.seen_by for item in beside} == FIELDS
    data = msgspec.json.encode(sealed)
    for value in (b"loud", b'"p"', b'"q"', b'"r"', b'"s"', b'"number":1', b'"number":2', b'"number":3'):
        assert value not in data
    assert data.count(b'{"sealed":"') == len(FIELDS)
    assert len({item.salt for item in beside}) == len(beside)
    again = msgspec.json.decode(data, type=Told)
    assert again == sealed
    for seat, count in (("a", 6), ("b", 6), ("c", 1), ("d", 0)):
        mine = visible(beside, seat)
        assert len(mine) == count
        assert unseal(again, mine) == redact(EVENT, seat)
    assert unseal(again, visible(beside, None)) == EVENT


def test_sealing_depends_on_the_key_the_position_and_the_field_and_on_nothing_else() -> None:
    first, again = seal(EVENT, 4, KEY), seal(EVENT, 4, KEY)
    assert msgspec.json.encode(first) == msgspec.json.encode(again)
    salts = {item.salt for _, beside in (first, seal(EVENT, 5, KEY), seal(EVENT, 4, "other")) for item in beside}
    assert len(salts) == 3 * len(FIELDS)
    assert seal(first[0], 9, "third") == (first[0], []), "what is sealed stays as it is"


def test_an_event_for_everybody_is_not_sealed() -> None:
    event = Told("loud", many=(Part("y", 2),))
    assert seal(event, 4, KEY) == (event, [])
    assert redact(event, "anyone") == event


def test_an_event_for_nobody_is_sealed_from_all_seats() -> None:
    event = Told("loud", seen_by=())
    sealed, beside = seal(event, 4, KEY)
    assert beside[0].seen_by == ()
    assert redact(event, "a").text == SEALED
    assert unseal(sealed, visible(beside, None)) == event


def test_an_action_is_sealed_to_the_seat_that_acted() -> None:
    taken: ActionTaken[Order] = ActionTaken(action=Order("n2", 7), seat="a")
    sealed, beside = seal(taken, 4, KEY)
    assert [(item.field, item.seen_by) for item in beside] == [("action.number", ("a",))]
    assert sealed.action.to == "n2"
    assert redact(taken, "b").action == Order("n2", SEALED)
    assert redact(taken, "a") == taken
    decoded = msgspec.json.decode(msgspec.json.encode(sealed), type=ActionTaken[Order])
    assert unseal(decoded, beside) == taken


def test_an_action_kept_elsewhere_needs_an_audience() -> None:
    """To keep it in the open by oversight is not possible: sealing refuses, and a view hides it from everybody."""
    waiting: Awaiting[Holds] = Awaiting(push=(Holds(order=Order("n2", 7)),))
    with pytest.raises(ValueError, match="have no audience"):
        seal(waiting, 4, KEY)
    state = Facts(pending=[Holds(order=Order("n2", 7))])
    assert view(state, "a").pending[0] == Holds(order=Order("n2", SEALED))
    named = Holds(order=Order("n2", 7), seen_by=("a",))
    assert view(Facts(pending=[named]), "a").pending == [named]
    assert view(Facts(pending=[named]), "b").pending == [Holds(order=Order("n2", SEALED), seen_by=("a",))]
    assert [item.seen_by for item in seal(Awaiting(push=(named,)), 4, KEY)[1]] == [("a",)]


def test_a_view_hides_what_a_step_holds_in_parts() -> None:
    """The parts of a step name no audience: they are hidden with it, in the state as in the log."""
    step = Wide(word="w", parts=(Part("x", 1),), seen_by=("a",))
    state = Facts()
    waiting: Awaiting[Wide] = Awaiting(push=(step,))
    waiting.apply(state)
    for seat in ("a", "b"):
        seen = Facts()
        redact(waiting, seat).apply(seen)
        assert seen == view(state, seat)
    assert view(state, "b").pending == [Wide(word=SEALED, parts=(Part("x", SEALED),), seen_by=("a",))]
    assert hides(step)
    assert not hides(Wide(word="w", parts=(Part("x", 1),)))


def test_secrets_in_lists_of_dicts_of_a_state_are_hidden() -> None:
    state = Facts(kept={"n1": ["open", Secret("shut", ("a",))], "n2": []})
    assert view(state, "a") is state
    seen = view(state, "b")
    assert seen.kept == {"n1": ["open", Secret(SEALED, ("a",))], "n2": []}
    assert state.kept["n1"][1] == Secret("shut", ("a",))
    for each in (state, seen):
        assert msgspec.json.decode(msgspec.json.encode(each), type=Facts) == each


@pytest.mark.parametrize("value", ["text", 7, 0, True, (), ("a", "b"), (1, 2), ("a", 1), SEALED])
def test_a_secret_of_any_kind_survives_a_stored_state(value: Any) -> None:
    state = Facts(kept={"n1": [Secret(value, ("a",))]})
    again = msgspec.json.decode(msgspec.json.encode(state), type=Facts)
    assert again == state
    assert type(again.kept["n1"][0].value) is type(value)  # type: ignore[union-attr]


def test_a_view_keeps_no_caches() -> None:
    state = Facts(kept={"n1": [Secret("shut", ("a",))]})
    state.cache = {"shut": 1}  # type: ignore[attr-defined]
    assert not hasattr(view(state, "b"), "cache")


# Audiences add up


def test_widening_adds_audiences_and_loses_no_knowledge() -> None:
    a = keep("x", ("a",))
    ab = widen(a, "x", ("b",))
    abc = widen(ab, "x", ("c",))
    assert abc == Secret("x", ("a", "b", "c"))
    assert widen(a, SEALED, ("b",)) == ab, "a seat that is not told keeps what it knows"
    assert widen(Secret(SEALED, ("a",)), SEALED, ("b",)) == Secret(SEALED, ("a", "b"))
    assert widen(Secret(SEALED, ("a",)), "x", ("b",)) == ab
    assert widen(abc, "x", None) == "x"
    assert widen("x", "x", ("a",)) == "x", "what is public stays public"
    assert keep("x", ("b", "a", "b")) == Secret("x", ("a", "b"))
    assert knows(abc, "c")
    assert not knows(ab, "c")
    assert all_know(ab, ("a", "b"))
    assert not all_know(ab, ("a", "c"))
    assert not all_know(abc, None), "three seats are not everybody: a spectator is none of them"
    assert bare(ab) == "x"


audiences = st.sets(st.sampled_from("abc")).map(lambda seats: tuple(sorted(seats)))


@given(st.lists(st.one_of(st.none(), audiences), min_size=1, max_size=5), st.sampled_from("abcd"))
def test_three_seats_know_what_they_were_shown(shown: list[tuple[str, ...] | None], seat: str) -> None:
    """Draws and reveals to seats in any order: the view law holds, and a seat knows exactly what it was shown."""
    state, mine = State(), State()
    fold([BagFilled("bag", ("x", "y"))], state)
    fold([BagFilled("bag", ("x", "y"))], mine)
    told: set[str] | None = set()
    for turn, seats in enumerate(shown):
        if turn and told is not None and seats is not None:
            seats = tuple(sorted(told | {*seats}))
        kind = CounterRevealed if turn else CounterDrawn
        event = kind("bag", "t", "x", seen_by=seats)
        sealed, beside = seal(event, turn, KEY)
        event.apply(state)
        unseal(sealed, visible(beside, seat)).apply(mine)
        told = None if told is None or seats is None else told | {*seats}
        assert view(state, seat) == mine
        assert (bare(mine.chance.bags["bag"].out["t"]) == "x") == (told is None or seat in told)
        assert mine.chance.bags["bag"].size() == 1


class Show(Action, frozen=True):
    request: str
    seats: tuple[str, ...] | None = None


class Wait(Question, frozen=True):
    pass


class Shows(Ruleset):
    """Does whatever a test asks of chance."""

    id = "shows"
    version = "1"
    title = "Shows"
    private = True
    state = State
    options = type("NoOptions", (msgspec.Struct,), {"__module__": __name__}, frozen=True)
    events = ()
    actions = (Show,)
    steps = (Wait,)
    answers: ClassVar[list[Any]] = []

    def seats(self, options: Any) -> list[Seat]:
        return [Seat(seat, seat) for seat in "abc"]

    def setup(self, state: Any) -> Script:
        yield Shuffle("deck", ("x", "y", "z"))
        yield BagFilled("bag", ("p", "q"))
        yield do(Wait())

    def ask(self, state: Any, step: Any) -> Decision:
        kinds = ("draw", "pick", "reveal", "roll")
        seats = (None, (), *((seat,) for seat in "abc"), ("a", "b"))
        return Decision("a", tuple(Show(kind, seen_by) for kind in kinds for seen_by in seats))

    def resolve(self, state: Any, step: Any, action: Any) -> Script:
        requests: dict[str, Any] = {
            "draw": Draw("deck/1", 0, seen_by=action.seats),
            "pick": Pick("bag", "t", seen_by=action.seats),
            "reveal": Reveal("bag", "t", seen_by=action.seats),
            "roll": Roll("die/a", seen_by=action.seats),
        }
        self.answers.append((yield requests[action.request]))
        yield do(step)

    def outcome(self, state: Any) -> Outcome | None:
        return None


def shown(match: Match, kind: str, seats: tuple[str, ...] | None = None) -> list[Event]:
    return match.act(Show(kind, seats))[1:]


def test_a_reveal_names_all_who_know_and_none_is_recorded_when_nobody_learns() -> None:
    match = Match(Shows(), Fate("s"))
    (drawn,) = shown(match, "draw", ("a",))
    assert isinstance(drawn, CardDrawn)
    assert shown(match, "draw", ("a",)) == []
    assert shown(match, "draw", ()) == []
    (revealed,) = shown(match, "draw", ("b",))
    assert isinstance(revealed, CardRevealed)
    assert (revealed.item, revealed.seen_by) == (drawn.item, ("a", "b"))
    assert redact(revealed, "a") == revealed, "who knew it before may read it in the log of the reveal too"
    (open_,) = shown(match, "draw")
    assert (open_.seen_by, match.state.chance.decks["deck/1"].seen) == (None, {0: drawn.item})
    assert shown(match, "draw", ("c",)) == []
    assert shown(match, "draw") == []
    assert Shows.answers[-1] == drawn.item


def test_counters_are_shown_in_the_same_way() -> None:
    match = Match(Shows(), Fate("s"))
    (drawn,) = shown(match, "pick", ())
    assert isinstance(drawn, CounterDrawn)
    (first,) = shown(match, "reveal", ("c",))
    (second,) = shown(match, "reveal", ("a",))
    assert [event.seen_by for event in (first, second)] == [("c",), ("a", "c")]
    assert shown(match, "reveal", ("c",)) == []
    (last,) = shown(match, "reveal")
    assert last.seen_by is None
    assert match.state.chance.bags["bag"].out == {"t": drawn.item}


def test_dice_may_be_rolled_in_secret() -> None:
    match = Match(Shows(), Fate("s"))
    (rolled,) = shown(match, "roll", ("b",))
    assert isinstance(rolled, DiceRolled)
    blind = redact(rolled, "a")
    assert blind.values == SEALED
    assert blind.tell(match.state) == "Dice were rolled, unseen."
    state = State()
    blind.apply(state)
    assert state.chance.counters == {"die/a": 1}
    assert unseal(*seal(rolled, 3, KEY)) == rolled


# What is not as it was sealed


def tampered() -> tuple[Told, Disclosure]:
    sealed, beside = seal(Told("loud", seen_by=("a",)), 4, KEY)
    return sealed, beside[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": "low"}, "does not fit its seal"),
        ({"value": None}, "does not fit its seal"),
        ({"salt": "0" * 32}, "does not fit its seal"),
        ({"salt": ""}, "does not fit its seal"),
        ({"field": "one.number"}, "no sealed field"),
        ({"field": "seen_by"}, "no sealed field"),
        ({"field": ""}, "no sealed field"),
        ({"seen_by": ("a", "b")}, "for other seats"),
        ({"seen_by": ()}, "for other seats"),
    ],
)
def test_a_tampered_secret_is_refused(change: dict[str, Any], message: str) -> None:
    sealed, item = tampered()
    with pytest.raises(ValueError, match=message):
        unseal(sealed, [msgspec.structs.replace(item, **change)])


def test_a_secret_given_twice_is_refused() -> None:
    sealed, item = tampered()
    with pytest.raises(ValueError, match="given twice"):
        unseal(sealed, [msgspec.structs.replace(item, value="low"), item])


def test_a_secret_of_what_is_not_sealed_is_refused() -> None:
    _, item = tampered()
    with pytest.raises(ValueError, match="no sealed field"):
        unseal(Told("loud", seen_by=("a",)), [item])


@pytest.mark.parametrize("value", [7, None, ["loud"], {"a": 1}, {"sealed": ""}, {"sealed": "0" * 64}])
def test_a_secret_of_another_kind_is_refused_even_with_a_good_digest(value: Any) -> None:
    """Whoever writes a log by hand can seal anything: it must still be what the field takes."""
    sealed, item = tampered()
    forged = msgspec.structs.replace(sealed, text=Sealed(digest(item.salt, value)))
    with pytest.raises(ValueError, match=r"of another kind|itself a seal"):
        unseal(forged, [msgspec.structs.replace(item, value=value)])


def test_what_is_read_back_is_of_the_fields_type() -> None:
    rolled = DiceRolled("die/a", 6, (3, 4), 2, seen_by=("a",))
    sealed, beside = seal(rolled, 1, KEY)
    stored = msgspec.json.decode(msgspec.json.encode(beside), type=list[Disclosure])
    assert stored[0].value == [3, 4]
    assert unseal(msgspec.json.decode(msgspec.json.encode(sealed), type=DiceRolled), stored) == rolled


# Which games have secrets


def test_a_game_is_secretive_when_anything_in_it_can_hide() -> None:
    assert hidden.RULESET.secretive
    assert Shows().secretive
    assert not pig.RULESET.secretive
    assert not nested.RULESET.secretive

    class OnlyInItsState(pig.Pig):
        state = Facts  # type: ignore[assignment]

    assert OnlyInItsState().secretive
    assert can_hide(Told)
    assert can_hide(Holds)
    assert not can_hide(nested.Wounded)


class Sly(pig.Pig):
    """Rolls in secret, and does not say so in its class."""

    def resolve(self, state: Any, step: Any, action: Any) -> Any:
        yield Roll("die/p1", seen_by=("p1",))
        yield from super().resolve(state, step, action)


def test_a_game_that_hides_must_say_so() -> None:
    """Else its bots would see whole states: the referee does not play it."""
    match = Match(Sly(), Fate("s"))
    with pytest.raises(RulesetCrash, match="private = True"):
        match.act("roll")


def test_a_bot_may_play_on_in_its_imagined_world() -> None:
    """A determinized state shares nothing with the game, with or without secrets."""
    for ruleset, texts in ((pig.RULESET, ("roll",)), (hidden.RULESET, ("guard 1",))):
        match = Match(ruleset, Fate("apart"))
        before = msgspec.json.encode(match.state)
        assert match.decision is not None
        seat = match.decision.seat
        world = ruleset.determinize(ruleset.view(match.state, seat), seat, Luck("bot"))
        other = Match(ruleset, Fate("bot's own"))
        other.referee.reset(world)
        for text in texts:
            other.act(text)
        assert msgspec.json.encode(match.state) == before
        assert msgspec.json.encode(other.state) != before
