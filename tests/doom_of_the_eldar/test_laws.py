"""What holds in every game, over whole random games with several sets of options: folding, legality, conservation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import laws
import msgspec
import pytest
from option_sets import OPTIONS

from warptape.domain.chance import Fate
from warptape.domain.content import Content
from warptape.domain.doom_of_the_eldar import RULESET, DoomOfTheEldar
from warptape.domain.doom_of_the_eldar.actions import ACTIONS, Convert, GiveOrder, LoseCounter, Move, ShowSwarm, Use
from warptape.domain.doom_of_the_eldar.catalogue import FILES
from warptape.domain.doom_of_the_eldar.events import EVENTS, ReinforcementsLost
from warptape.domain.doom_of_the_eldar.state import BOXES, DoomState, Options
from warptape.domain.doom_of_the_eldar.steps import STEPS
from warptape.domain.errors import ContentError
from warptape.domain.events import ActionTaken, Awaiting, CounterDrawn, CounterReturned, CounterRevealed, Question
from warptape.domain.referee import Match

BOOK = RULESET.book
SETS = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


@cache
def played(name: str) -> list[Match]:
    """Whole random games of a set of options."""
    options = OPTIONS[name]
    count = 5 if options.setup == "free" else 40
    return [laws.whole(RULESET, f"law {number}", options) for number in range(count)]


@pytest.fixture(params=OPTIONS)
def games(request: pytest.FixtureRequest) -> list[Match]:
    """Whole random games of one set of options."""
    return played(request.param)


# What the games below reach: a law that is never put to the test says nothing


def test_random_games_reach_every_kind_of_event_question_and_end() -> None:
    matches = [match for name in OPTIONS for match in played(name)]
    events = {type(event) for match in matches for event in match.events}
    steps = {type(step) for match in matches for e in match.events if isinstance(e, Awaiting) for step in e.push}
    assert {*EVENTS} - events <= {ReinforcementsLost}
    assert {cls for cls in STEPS if issubclass(cls, Question)} - steps == set()
    assert {match.state.ended.reason for match in matches} >= {"areas_lost", "tyranids_gone"}


# Folding


@SETS
def test_folding_the_log_gives_the_live_state_at_every_decision(options: Options) -> None:
    for number in range(1 if options.setup == "free" else 12):
        laws.replay_equals_live(RULESET, f"fold {number}", options)


@SETS
def test_states_are_kept_at_every_decision(options: Options) -> None:
    for match in laws.played(RULESET, "kept", options, limit=1500):
        laws.state_keeps(RULESET, match)


@SETS
def test_a_game_goes_on_from_any_decision_as_it_did(options: Options) -> None:
    events = laws.whole(RULESET, "on", options).events
    for number, match in enumerate(laws.played(RULESET, "on", options)):
        if number % 40 == 0:
            laws.continued(RULESET, match, events[len(match.events) :])


def test_every_action_gives_its_consequences_again_from_the_state_alone(games: list[Match]) -> None:
    for match in games[:10]:
        laws.audited(RULESET, match.events)


@SETS
def test_a_crash_in_mid_script_leaves_nothing(options: Options) -> None:
    assert laws.crash_leaves_nothing(RULESET, "crash", options, limit=60) > 60


def test_every_event_is_told(games: list[Match]) -> None:
    for match in games[:10]:
        laws.told(RULESET, match.events)


def test_fresh_states_are_apart() -> None:
    laws.fresh_states_are_apart(RULESET, "fresh", OPTIONS["quick"])


def test_replay_needs_no_content(games: list[Match]) -> None:
    """With every file of boards and counters empty a log gives the same state, and is told by ids."""
    bare = DoomOfTheEldar(Content(dict.fromkeys(FILES, "")))
    with pytest.raises(ContentError):
        _ = bare.book
    decode = msgspec.json.Decoder(bare.event_type).decode
    for match in games[:5]:
        state = bare.state()
        for event in match.events:
            read = decode(msgspec.json.encode(event))
            assert isinstance(bare.tell(state, read), str)
            read.apply(state)
        assert msgspec.json.encode(state) == msgspec.json.encode(match.state)


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    assert laws.deterministic("warptape.domain.doom_of_the_eldar:RULESET", ["one", "two"], limit=700)


# Legality


def odd() -> list[Any]:
    """Actions that no position allows, or few."""
    found: list[Any] = [
        GiveOrder(19),
        GiveOrder(-1),
        ShowSwarm("#01"),
        Use("spear", "n1"),
        Use("n1"),
        Move("AVA", "n1"),
    ]
    found += [Move("GUA1", "nowhere"), Move("NOBODY", "n1"), Move("#99", "n1"), LoseCounter("AVA"), LoseCounter("#01")]
    return [*found, Convert("GUA1", "WSH1", "n1"), Convert("WSH1", "GUA1", "souls"), Convert("X", "Y", "Z")]


@pytest.fixture(scope="module")
def tried() -> list[Any]:
    """Actions of every kind that were legal somewhere in some game, and odd ones."""
    found: dict[type, dict[Any, None]] = {}
    for options in OPTIONS.values():
        for number in range(3 if options.setup == "free" else 12):
            for match in laws.played(RULESET, f"tried {number}", options, limit=1500):
                for action in (*match.decision.actions[:2], *match.decision.actions[2:60:7]) if match.decision else ():
                    some = found.setdefault(type(action), {})
                    if len(some) < 12:
                        some[action] = None
    assert {*found} == {*ACTIONS}
    return [*odd(), *(action for some in found.values() for action in some)]


@SETS
def test_what_is_legal_is_exactly_what_is_not_refused(options: Options, tried: list[Any]) -> None:
    """DOE-SEQ-2: every kind of action is tried at every question that is met."""
    asked = Counter[str]()
    for match in laws.played(RULESET, "legal", options):
        step = type(match.state.pending[-1]).__name__ if match.state.pending else "over"
        asked[step] += 1
        if asked[step] <= 3 or match.state.decisions % 97 == 0:
            laws.legal_is_not_refused(RULESET, match, tried)


@SETS
def test_what_is_refused_leaves_nothing(options: Options, tried: list[Any]) -> None:
    for match in laws.played(RULESET, "refused", options, limit=900):
        if match.state.decisions % 60 == 0:
            laws.refused_leaves_nothing(RULESET, match, tried[::3])


@SETS
def test_what_is_refused_is_put_in_words_too(options: Options, tried: list[Any]) -> None:
    for match in laws.played(RULESET, "words", options, 600):
        if match.state.decisions % 50 == 0:
            laws.put_in_words(RULESET, match, tried[len(odd()) :])


@SETS
def test_every_answer_that_is_offered_can_be_given(options: Options) -> None:
    for match in laws.played(RULESET, "answers", options, limit=900):
        if match.state.decisions % 30 == 0:
            laws.every_answer_works(RULESET, match, "answers", most=25)


@SETS
def test_the_notation_of_every_action_parses_back_to_it(options: Options) -> None:
    for match in laws.played(RULESET, "notation", options, limit=1500):
        if options.setup == "quickstart" or match.state.decisions % 20 == 0:
            laws.notation_returns(RULESET, match, most=30)


# Conservation


def positions(match: Match) -> Iterator[tuple[DoomState, Any]]:
    """Every state of a game, after every event, with the event."""
    state = RULESET.state()
    for event in match.events:
        event.apply(state)
        yield state, event


def test_no_counter_is_lost_or_doubled(games: list[Match]) -> None:
    """DOE-LIST-1, DOE-LOSS-3: after every event each Tyranid counter is in the lid or on the map, each Eldar unit once."""
    for match in games[:12]:
        units = set(BOOK.units)
        places = {*BOOK.areas, *BOXES, ""}
        for state, event in positions(match):
            if "lid" not in state.chance.bags:
                continue
            bag = state.chance.bags["lid"]
            out = [state.counter(token) for token in bag.out]
            assert sorted([*out, *bag.inside()]) == sorted(bag.initial)
            assert set(state.units) == units
            assert set(state.units.values()) <= places
            if not isinstance(event, ActionTaken | CounterDrawn | CounterReturned) and not _between(event):
                assert set(state.swarms) == set(bag.out)
                assert sum(map(len, state.stacks.values())) == len(bag.out)
            assert set(state.face) <= set(state.swarms)
            assert set(state.stages) <= set(state.face)
            assert len(state.fortified) + len(state.devastated) in (0, 9)


def _between(event: Any) -> bool:
    """Whether a token is on its way between lid and map: it is drawn before it arrives, destroyed before it returns."""
    names = ("TyranidDestroyed", "MineDetonated", "SwarmBarraged", "CounterTrimmed", "HiveMindLost", "DiceRolled")
    return type(event).__name__ in names


def test_tokens_are_always_fresh_and_counted(games: list[Match]) -> None:
    """A token is never given twice, and they are counted in the order of the draws (DOE-REINF-2)."""
    for match in games:
        drawn = [e.token for e in match.events if isinstance(e, CounterDrawn) and not isinstance(e, CounterRevealed)]
        assert drawn == [f"#{number:02}" for number in range(1, len(drawn) + 1)]
        assert match.state.tokens == len(drawn)


def test_random_games_end(games: list[Match]) -> None:
    for match in games:
        assert match.outcome is not None
        assert match.state.ended is not None
        assert match.state.battle is None
        assert match.state.pending == []


def test_what_a_match_opens_with_is_not_changed_by_another() -> None:
    first = Match(RULESET, Fate("same"), OPTIONS["quick"])
    before = msgspec.json.encode(first.events)
    laws.whole(RULESET, "other", OPTIONS["quick"])
    assert msgspec.json.encode(Match(RULESET, Fate("same"), OPTIONS["quick"]).events) == before
