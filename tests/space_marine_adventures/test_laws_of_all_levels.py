"""What holds at Levels 1 to 3 and in the campaign, over random games with sets of options that have all pairs of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Any

import campaigns
import games
import laws
import msgspec
import pytest
from helpers import CATALOGUE
from option_rows import GAMES, OPTION_SETS, ROWS, VALUES, pairs, typed
from out_of_place import anywhere

import warptape
from warptape.domain.chance import Fate, Luck
from warptape.domain.errors import WarptapeError
from warptape.domain.events import Action, ActionTaken, Awaiting, Event, Question
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.advanced import destroyed_at
from warptape.domain.space_marine_adventures.events import (
    EVENTS,
    BoardLaid,
    InfestationRevealed,
    LevelEnded,
    LevelStarted,
)
from warptape.domain.space_marine_adventures.state import PRIME, LevelState, Options
from warptape.domain.space_marine_adventures.steps import STEPS

SETS = pytest.mark.parametrize("name", OPTION_SETS)
BOOK = RULESET.book
ROSTER = {*BOOK.roster}
KINDS = {
    1: ("termagant", "genestealer"),
    2: ("termagant", "genestealer", "lictor"),
    3: ("termagant", "genestealer", "lictor"),
}
COUNTERS = {level: {c.id for c in CATALOGUE.counters.values() if c.kind in kinds} for level, kinds in KINDS.items()}
"""The creatures of each level."""
SETTING_UP = {"ChooseBoard", "ChooseEntry", "ChooseSquad", "DeploySquad", "CallMarine"}
"""The questions at which somebody may stand nowhere though he is well."""


def chance(name: str, number: int) -> Any:
    """What a game draws from: fate, but in every other campaign chance that is kind, so that it comes to Level 3."""
    kind = OPTION_SETS[name].mode == "campaign" and number % 2
    return campaigns.Kind() if kind else Fate(f"all {name} {number}")


def positions(name: str, number: int) -> Iterator[Match]:
    """A match at each of its decisions: by a squad that wants to win, each third time by one that does anything."""
    options = OPTION_SETS[name]
    if number % 3 == 2:
        return laws.played(RULESET, f"all {name} {number}", options)
    return games.played(f"all {name} {number}", options, chance(name, number))


@cache
def played(name: str) -> list[Match]:
    """Games with a set of options, to their end."""
    return [[*positions(name, number)][-1] for number in range(6)]


# What the games reach: a law that is never put to the test says nothing


def test_any_two_values_of_two_options_are_together_in_a_set() -> None:
    have = set().union(*(pairs(row) for row in ROWS))
    assert {
        (one, x, other, y) for one, other in combinations(VALUES, 2) for x in VALUES[one] for y in VALUES[other]
    } <= have
    assert laws.values_left_out(RULESET, OPTION_SETS.values()) == []
    assert {row["game"] for row in ROWS} == {*GAMES}


def test_the_games_reach_every_event_question_face_and_end() -> None:
    events, asked, faces = set[type[Event]](), set[type](), Counter[tuple[int, str]]()
    ends, results = set[tuple[int, str]](), set[str]()
    # A Prime that is hurt and healed is rare: it takes a card of its own.
    wounds_close = (games.whole(f"heal {number}", Options(level=3, skull_cards="all")) for number in range(20))
    for match in (*(match for name in OPTION_SETS for match in played(name)), *wounds_close):
        state = LevelState()
        for event in match.events:
            event.apply(state)
            events.add(type(event))
            if isinstance(event, Awaiting):
                asked |= {type(step) for step in event.push}
            elif isinstance(event, BoardLaid):
                faces[state.level, state.face] += 1
            elif isinstance(event, LevelEnded):
                ends.add((state.level, event.reason))
        assert match.outcome is not None
        results.add(match.outcome.result)
    assert {*EVENTS} - events == set()
    assert {step for step in STEPS if issubclass(step, Question)} - asked == set()
    assert {*faces} == {(level, face) for level in (1, 2, 3) for face in CATALOGUE.faces}
    ways = [(1, "all_on_exit"), (2, "all_on_exit"), (3, "prime_destroyed")]
    assert ends == {*ways, *((level, reason) for level in (1, 2, 3) for reason in ("all_out", "deck_out"))}
    assert results == {"major", "minor", "draw", "loss", "epic_victory", "campaign_lost"}


# Folding and replay


@SETS
def test_replay_equals_live_at_every_decision(name: str) -> None:
    """Through the log's bytes; and no event changes after it was recorded."""
    decoder, folded, count = msgspec.json.Decoder(RULESET.event_type), RULESET.state(), 0
    rows: list[bytes] = []
    for match in positions(name, 1):
        for event in match.events[count:]:
            rows.append(laws.encode(event))
            decoder.decode(rows[-1]).apply(folded)
        count = len(match.events)
        assert folded == match.state
    assert rows == [laws.encode(event) for event in match.events]


@SETS
def test_every_recorded_action_gives_its_consequences_again_from_the_state_alone(name: str) -> None:
    for match in played(name)[:3]:
        laws.audited(RULESET, match.events)
        laws.told(RULESET, match.events)


@SETS
def test_states_are_kept_and_games_go_on_from_them(name: str) -> None:
    """The decision is a function of the stored state, and the rest of the game follows from it."""
    events = played(name)[0].events
    for number, match in enumerate(positions(name, 0)):
        if number % 9 == 0:
            laws.state_keeps(RULESET, match)
        if number % 97 == 13:
            laws.continued(RULESET, match, events[len(match.events) :])


@SETS
def test_a_crash_in_mid_script_leaves_nothing(name: str) -> None:
    assert laws.crash_leaves_nothing(RULESET, f"crash {name}", OPTION_SETS[name], limit=25) > 40


# Legality


@SETS
def test_what_is_legal_is_exactly_what_is_not_refused(name: str) -> None:
    """At the first questions of each sort in each level; each refusal leaves nothing; what is offered can be taken."""
    odd = anywhere()
    for number in range(2):
        asked = Counter[tuple[int, str]]()
        for match in positions(name, number):
            step = type(match.state.pending[-1]).__name__ if match.state.pending else "over"
            asked[match.state.level, step] += 1
            if asked[match.state.level, step] not in (1, 20):
                continue
            laws.legal_is_not_refused(RULESET, match, odd[number::2])
            laws.notation_returns(RULESET, match)
            laws.every_answer_works(RULESET, match, f"answer {number}", most=8)
            laws.put_in_words(RULESET, match, can_be_typed(match, odd[:: 7 + number]))
            if number:
                laws.refused_leaves_nothing(RULESET, match, odd[::5])
        assert len(asked) > 8


def can_be_typed(match: Match, actions: list[Action]) -> list[Action]:
    """Those of some actions that a line names in this position, legal or not: the others are of no card or square here."""
    found = []
    for action in actions:
        with suppress(WarptapeError):
            found += RULESET.parse(match.state, "team", RULESET.notation(match.state, action))
    return found


# Conservation


@SETS
def test_nothing_is_lost_or_doubled(name: str) -> None:
    """Counters, special cards, infestation cards, Marines and squares, at every event; damage stays below what destroys."""
    for match in played(name):
        state, revealed = LevelState(), list[str]()
        for event in match.events:
            event.apply(state)
            if type(event) is LevelStarted:
                revealed = []
            elif type(event) is InfestationRevealed:
                revealed.append(event.card)
                assert len({*revealed}) == len(revealed)
            counters_are_kept(state, event)
            units_stand_apart(state)
            assert state.damage < (destroyed_at(BOOK, state) if state.level == 3 else 1)
            if type(event) is ActionTaken:
                marines_are_kept(state)
                cards_are_kept(state)
                decks_are_kept(state, revealed)


def counters_are_kept(state: LevelState, event: Event) -> None:
    """SMA-SETUP-10, SMA-ATK-3, SMA-REIN-12: each is on the board or in the bag, or between two events in a hand."""
    if "creatures" not in state.chance.bags:
        return
    inside = state.chance.bags["creatures"].inside()
    board = [creature.counter for creature in state.tyranids.values() if creature.kind != PRIME]
    assert len({*board, *inside}) == len(board) + len(inside)
    assert {*board, *inside} <= COUNTERS[state.level]
    assert len(COUNTERS[state.level] - {*board, *inside}) <= (type(event) is not ActionTaken)


def units_stand_apart(state: LevelState) -> None:
    """No two on a square, all of them on floor."""
    standing = [marine.square for marine in state.marines.values() if marine.square]
    assert len({*standing}) == len(standing)
    assert not {*standing} & {*state.tyranids}
    if state.squad and state.face and state.entry:
        ground = BOOK.ground(state)
        assert all(ground.index[square] in ground.grid.open for square in (*standing, *state.tyranids))


def marines_are_kept(state: LevelState) -> None:
    """SMA-COMP-1, SMA-CAMP-13: each is in the squad, lost, or has not played; who is out of action is off the board."""
    assert {*state.squad} | {*state.gone} <= ROSTER
    assert not {*state.squad} & {*state.gone}
    assert len({*state.gone}) == len(state.gone)
    assert [*state.marines] == [*state.squad]
    deploying = bool(state.pending) and type(state.pending[-1]).__name__ in SETTING_UP
    for marine in state.marines.values():
        assert (marine.wounds >= 2) <= (marine.square == "")
        assert deploying or (marine.square == "") <= (marine.wounds >= 2)


def cards_are_kept(state: LevelState) -> None:
    """SMA-SPEC-3, SMA-CAMP-10: no special card is in two hands, or in a hand and in the box; who is out has none."""
    held = [card for marine in state.marines.values() for card in marine.cards]
    assert len({*held}) == len(held)
    assert {*held} <= {*CATALOGUE.specials}
    assert not {*held} & {*state.used}
    assert not {*held} & {*state.spent}
    assert all(not marine.cards for marine in state.marines.values() if marine.wounds >= 2)


def decks_are_kept(state: LevelState, revealed: list[str]) -> None:
    """SMA-ROUND-8: what was turned over or is known of the infestation deck is what was seen of it; the rest is left."""
    ordinal = state.chance.ordinals.get("infestation", 0)
    if ordinal <= state.cleared.get("infestation", 0):
        return
    deck = state.chance.decks[f"infestation/{ordinal}"]
    assert sorted([*deck.seen.values(), *deck.left()]) == sorted(deck.items)
    assert sorted([*revealed, *state.known]) == sorted(deck.seen.values())
    skulls = {*state.skulls}
    assert skulls <= {*deck.items}
    plain = {*CATALOGUE.decks[state.level]}
    assert {*deck.items} - skulls <= plain
    assert len(deck.items) == len(plain) + (len(skulls) if state.options.skull == "add" else 0)


# Undo


@SETS
def test_undo_and_redo_give_back_every_position(name: str) -> None:
    """Against two stacks of positions, over whole games at random; the audit finds nothing."""
    luck = Luck(name, "undo")
    with warptape.open(":memory:") as store:
        game: Any = store.new(
            "space-marine-adventures", seed=f"undo {name}", options=typed(OPTION_SETS[name]), undo="free"
        )
        done: list[LevelState] = [game.state.copy()]
        undone: list[LevelState] = []
        for _ in range(260):
            roll = luck.below(10)
            if roll == 0 and len(done) > 1:
                for _ in range(min(1 + luck.below(5), len(done) - 1)):
                    game.undo()
                    undone.append(done.pop())
                    assert game.state == done[-1]
            elif roll == 1 and undone:
                game.redo()
                done.append(undone.pop())
                assert game.state == done[-1]
            elif game.decision is not None:
                game.act(games.eager(game.state, game.decision, luck))
                undone = []
                done.append(game.state.copy())
        report = game.audit()
        assert report.ok, report.text()
