"""What holds in every level, over whole random games: folding, legality, conservation, secrecy, replay, the same bytes."""

from __future__ import annotations

import copy
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import Any

import expected_game
import games
import laws
import msgspec
import pytest
from helpers import CATALOGUE, laid, names, of
from out_of_place import nonsense

import warptape
from warptape.domain.chance import Fate, Luck, Table
from warptape.domain.errors import NeedsOutcome
from warptape.domain.events import (
    Action,
    ActionTaken,
    CardDrawn,
    CounterDrawn,
    DeckShuffled,
    DiceRolled,
    Event,
)
from warptape.domain.referee import Match, Referee
from warptape.domain.register import FILE, Rule, parse
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.events import (
    ADVANCED_EVENTS,
    CAMPAIGN_EVENTS,
    EVENTS,
    CounterPlaced,
    InfestationRevealed,
    LevelEnded,
    RoundStarted,
)
from warptape.domain.space_marine_adventures.state import LevelState, Options

encode = msgspec.json.encode
COUNTERS = sorted(c.id for c in CATALOGUE.counters.values() if c.kind in ("termagant", "genestealer"))


@pytest.fixture(scope="module")
def played() -> list[Match]:
    """A hundred and fifty games played to their end: by a squad that wants to win, and every fifth at random."""
    label = "law {}".format
    return [laws.whole(RULESET, label(n)) if n % 5 == 4 else games.whole(label(n)) for n in range(150)]


def positions(seed: str) -> Iterator[Match]:
    """A match at each of its decisions, by the squad that wants to win."""
    return games.played(seed)


# What the games below reach: a law that is never put to the test says nothing


def test_the_games_reach_every_face_every_ending_and_every_event_of_level_1(played: list[Match]) -> None:
    faces, endings, results, told = Counter[str](), Counter[str](), Counter[str](), set[str]()
    for match in played:
        ended = match.state.ended
        faces[match.state.face] += 1
        endings[ended.reason] += 1
        results[ended.result] += 1
        told |= {*names(match.events)}
    assert set(faces) == {*CATALOGUE.faces}
    assert set(endings) == {"all_out", "all_on_exit", "deck_out"}
    assert {"minor", "draw", "loss"} <= set(results)
    # Two more events belong to cards of other levels.
    others = {event.__name__ for event in (*ADVANCED_EVENTS, *CAMPAIGN_EVENTS)} | {"MoreInfestation", "CounterTaken"}
    assert {event.__name__ for event in EVENTS} - told == others


# Folding


def test_folding_the_log_gives_the_live_state(played: list[Match]) -> None:
    """Through JSON: at the end of every game, and at every decision of some; no event changes after it was recorded."""
    for seed in range(15):
        laws.replay_equals_live(RULESET, f"fold {seed}")
    decoder = msgspec.json.Decoder(RULESET.event_type)
    for match in played[:100]:
        folded = RULESET.state()
        for event in match.events:
            decoder.decode(encode(event)).apply(folded)
        assert folded == match.state
    for seed in range(15):
        folded, count = RULESET.state(), 0
        for match in positions(f"fold {seed}"):
            for event in match.events[count:]:
                event.apply(folded)
            count = len(match.events)
            assert folded == match.state


def test_folding_the_log_gives_the_live_state_at_every_event() -> None:
    """Scripts see, whenever they go on, a state that is the fold of some beginning of the log, in order."""
    watched, seen = copy.copy(RULESET), list[bytes]()

    def watching(state: LevelState, script: Any) -> Any:
        answer = None
        while True:
            try:
                item = script.send(answer)
            except StopIteration:
                return
            answer = yield item
            seen.append(encode(state))

    watched.resolve = lambda s, *args: watching(s, RULESET.resolve(s, *args))  # type: ignore[method-assign]
    watched.run = lambda s, *args: watching(s, RULESET.run(s, *args))  # type: ignore[method-assign]
    checked = 0
    for seed in range(4):
        match, luck = Match(watched, Fate(f"each {seed}")), Luck(f"each {seed}", "squad")
        while (decision := match.decision) is not None:
            folded = laws.restored(RULESET, match.state)
            seen.clear()
            batch = match.act(games.eager(match.state, decision, luck))
            prefixes = []
            for event in batch:
                event.apply(folded)
                prefixes.append(encode(folded))
            rest = iter(prefixes)
            assert all(snapshot in rest for snapshot in dict.fromkeys(seen))
            checked += len(seen)
    assert checked > 2000


def test_states_survive_json_at_every_decision() -> None:
    for seed in range(12):
        for match in positions(f"json {seed}"):
            laws.state_keeps(RULESET, match)


def test_games_go_on_from_a_stored_state_as_they_did() -> None:
    for seed in range(4):
        events = games.whole(f"on {seed}").events
        for number, match in enumerate(positions(f"on {seed}")):
            if number % 12 == seed:
                laws.continued(RULESET, match, events[len(match.events) :])


def test_every_recorded_action_gives_its_consequences_again_from_the_state_alone(played: list[Match]) -> None:
    for match in played[:20]:
        laws.audited(RULESET, match.events)


def test_a_crash_in_mid_script_leaves_nothing() -> None:
    assert laws.crash_leaves_nothing(RULESET, "crash", limit=45) > 100


def test_fresh_states_are_apart_and_every_event_is_told(played: list[Match]) -> None:
    laws.fresh_states_are_apart(RULESET, "fresh")
    for match in played[:30]:
        laws.told(RULESET, match.events)


# Legality


def test_what_is_legal_is_exactly_what_is_not_refused() -> None:
    """Every refusal cites a rule of the register, and gives its reason."""
    tried, asked, reasons = nonsense(), Counter[str](), Counter[str]()
    known = {rule.id for rule in register()}
    for seed in range(16):
        here = Counter[str]()
        for match in positions(f"legal {seed}"):
            step = type(match.state.pending[-1]).__name__ if match.state.pending else "over"
            here[step] += 1
            # Some positions of each sort from every game: the first, and others far apart.
            if here[step] not in (1, 30):
                continue
            asked[step] += 1
            laws.legal_is_not_refused(RULESET, match, tried)
            for action in tried:
                refusal = RULESET.refusal(match.state, "team", action)
                if refusal is not None and match.decision is not None:
                    assert refusal.reason
                    assert refusal.rule in known, (step, action, refusal)
                    reasons[refusal.rule] += 1
    assert min(asked[kind] for kind in ("Turn", "Free", "Ready", "Ambushed", "Tie", "Wound", "RollFailed")) >= 5
    assert len(reasons) > 20


def register() -> tuple[Rule, ...]:
    """The rules of the game's register."""
    folder = Path(warptape.__file__).parent / "domain" / "space_marine_adventures"
    return parse((folder / FILE).read_text(encoding="utf-8"), FILE).rules


def test_every_answer_that_is_offered_can_be_taken() -> None:
    for seed in range(6):
        for number, match in enumerate(positions(f"answer {seed}")):
            if number % 6 == seed:
                laws.every_answer_works(RULESET, match, f"answer {seed}", most=25)


# Conservation


def test_counters_and_cards_are_neither_lost_nor_doubled(played: list[Match]) -> None:
    """SMA-SETUP-10, SMA-ATK-3, SMA-REIN-12, SMA-SPEC-3, SMA-ROUND-8: at every event of every game."""
    for match in played:
        state = LevelState()
        for event in match.events:
            event.apply(state)
            if state.chance.bags:
                board = [creature.counter for creature in state.tyranids.values()]
                inside = state.chance.bags["creatures"].inside()
                in_hand = len(COUNTERS) - len(board) - len(inside)
                assert len({*board, *inside}) == len(board) + len(inside)
                # Between two events one counter may be in somebody's hand: drawn, or just destroyed.
                assert in_hand in (0, 1)
                if type(event) is ActionTaken:
                    assert in_hand == 0
        assert sorted([*board, *inside]) == COUNTERS
        cards_are_where_they_belong(match)
        revealed = [event.card for event in of(match.events, InfestationRevealed)]
        assert len({*revealed}) == len(revealed)
        deck = match.state.chance.decks["infestation/1"]
        assert sorted([*deck.seen.values(), *deck.left()]) == sorted(CATALOGUE.decks[1])
        assert sorted([*revealed, *match.state.known]) == sorted(deck.seen.values())


def cards_are_where_they_belong(match: Match) -> None:
    """Of 28 special cards eight were drawn, four taken; each of these is in a hand or in the box, the rest is out."""
    state = match.state
    held = [card for marine in state.marines.values() for card in marine.cards]
    deck = state.chance.decks["specials/1"]
    assert len(deck.items) == 28
    assert len(deck.seen) == 8
    assert len(held) + len(state.used) == 4
    assert len({*held, *state.used}) == 4
    assert {*held, *state.used} <= {*deck.seen.values()}
    for marine in state.marines.values():
        assert (marine.square == "") == (marine.wounds == 2)
        assert not (marine.cards and marine.wounds == 2)


def test_no_two_units_share_a_square_and_all_stand_on_floor(played: list[Match]) -> None:
    for match in played[:60]:
        state = LevelState()
        for event in match.events:
            event.apply(state)
            if not state.squad:
                continue
            ground = RULESET.book.ground(state)
            standing = [marine.square for marine in state.marines.values() if marine.square]
            assert len({*standing}) == len(standing)
            assert not {*standing} & {*state.tyranids}
            assert all(ground.index[square] in ground.grid.open for square in (*standing, *state.tyranids))


def test_a_level_ends_within_six_rounds(played: list[Match]) -> None:
    """SMA-END-3, ruling 33: 24 cards at four a round; with `draw_needed` the seventh round begins."""
    for match in played:
        assert match.state.round <= 6
        assert len(of(match.events, LevelEnded)) == 1
        assert len(of(match.events, RoundStarted)) == match.state.round
        assert match.state.pending == []
        assert match.outcome is not None
    late = [games.whole(f"late {seed}", Options(deck_out="draw_needed")) for seed in range(12)]
    assert max(match.state.round for match in late) == 7
    for match in late:
        if match.state.ended.reason == "deck_out":
            assert match.state.round == 7
            assert len(of(match.events, InfestationRevealed)) == 24


@pytest.mark.parametrize(
    "options",
    [
        Options(special_pick="own_pair", sight="any_angle", range_count="exclusive"),
        Options(corner="either_flank", frag_needs_sight=False, blast_adjacent="eight"),
        Options(empty_bag_strikes=True, line_marine="skip", short_bag="team", deck_out="draw_needed"),
    ],
)
def test_the_laws_hold_under_the_other_options(options: Options) -> None:
    tried = nonsense()
    for seed in range(8):
        for number, match in enumerate(games.played(f"options {seed}", options)):
            if number % 40 == seed:
                laws.legal_is_not_refused(RULESET, match, tried)
                laws.state_keeps(RULESET, match)
        laws.audited(RULESET, match.events)
        cards_are_where_they_belong(match)


# Secrets from everyone

CARD_ID = re.compile(r'"(INF-\d-\d\d|SP-\d\d|act-[a-z]+-\d|bulkhead-\d)"')


def test_nothing_names_a_card_before_it_is_seen() -> None:
    """No event, no state, no decision, no sentence: only the public lists of what a deck or a bag is made of.

    Neither do the lists tell an order: they are the same in every game.
    """
    hidden = {card.name: card.id for card in CATALOGUE.infestation.values() if card.level == 1}
    for seed in range(25):
        state, seen, count = LevelState(), set[str](), 0
        for match in positions(f"hide {seed}"):
            for event in match.events[count:]:
                sentence = RULESET.tell(state, event)
                if isinstance(event, CardDrawn):
                    seen.add(str(event.item))
                elif isinstance(event, DeckShuffled):
                    assert event.items == public_list(event.deck, state)
                elif type(event).__name__ != "ActivationDeckBuilt":
                    assert {*CARD_ID.findall(encode(event).decode())} <= seen, event
                assert not {card for name, card in hidden.items() if name in sentence} - seen, sentence
                event.apply(state)
            count = len(match.events)
            kept = {item for deck in state.chance.decks.values() for item in deck.seen.values()}
            assert kept <= seen
            mentioned = CARD_ID.findall(encode(msgspec.structs.replace(state, chance=_no_chance(), deck=())).decode())
            assert {*mentioned} <= seen
            if match.decision is not None:
                texts = [match.decision.prompt, *(RULESET.describe(state, a) for a in match.decision.actions[:12])]
                assert not {card for name, card in hidden.items() if any(name in text for text in texts)} - seen


def _no_chance() -> Any:
    return type(RULESET.state().chance)()


def public_list(deck: str, state: LevelState) -> tuple[str, ...]:
    """What a deck is made of, as everybody knows."""
    made_of = {
        "bulkheads": tuple(CATALOGUE.bulkheads),
        "infestation": CATALOGUE.decks[1],
        "specials": tuple(CATALOGUE.specials),
    }
    return made_of.get(deck, state.deck)


def test_two_games_with_the_same_outcomes_so_far_are_the_same() -> None:
    """Whatever seed lies behind them: equal states, decisions and events at every decision.

    One game draws from its seed, the other is told the outcomes of the first as they come and knows no seed at all.
    """
    for seed in range(25):
        table, count = Table(), 0
        other: Match | None = None
        for match in positions(f"same {seed}"):
            batch = match.events[count:]
            count = len(match.events)
            table.left = [outcome for event in batch for outcome in outcomes(event)]
            if other is None:
                other = Match(RULESET, table)
                again = other.events
            else:
                assert isinstance(batch[0], ActionTaken)
                again = other.act(batch[0].action)
            assert table.left == []
            assert again == batch
            assert other.state == match.state
            laws.same_decision(other.decision, match.decision)


def outcomes(event: Event) -> list[str]:
    """What came out of chance in an event."""
    if isinstance(event, DiceRolled):
        assert isinstance(event.values, tuple)
        return [str(value) for value in event.values]
    if isinstance(event, CardDrawn | CounterDrawn):
        return [str(event.item)]
    return []


def accepted(state: LevelState, action: Action, *chance: str) -> bool:
    """Whether all these outcomes can come out of an action in a position (more may be asked for)."""
    table = Table(chance)
    with suppress(NeedsOutcome):
        Referee(RULESET, laws.restored(RULESET, state), table).take("team", action)
    return not table.left


def test_the_next_card_the_next_counter_and_the_bulkhead_that_opens_are_not_in_the_state() -> None:
    """Every unseen card may come next, every counter in the bag, and every bulkhead may be the one that opens."""
    match = next(
        match
        for match in positions("open")
        if match.state.round == 2 and type(match.state.pending[-1]).__name__ == "Ready"
    )
    chance = match.state.chance
    tyranid = next(card for card in chance.decks["activation/2"].left() if "tyranid" in card)
    left = chance.decks["infestation/1"].left()
    assert len(left) > 15
    assert all(accepted(match.state, act.NEXT, card) for card in chance.decks["activation/2"].left())
    assert all(accepted(match.state, act.NEXT, tyranid, card) for card in left)
    inside = chance.bags["creatures"].inside()
    entry = next(card for card in left if card in ("INF-1-01", "INF-1-07"))
    assert len(inside) > 5
    assert all(accepted(match.state, act.NEXT, tyranid, entry, counter) for counter in inside)
    opened = set()
    for order in permutations(CATALOGUE.bulkheads):
        level = laid(marines={"MAX": "f8"}, turn="MAX")
        level.do("con", 6, *order)
        opened.add(level.state.exit)
    assert opened == {"B", "C", "D"}


# Replay without rules and content

BARE = """
import sys, msgspec, warptape
from warptape.domain.space_marine_adventures import SpaceMarineAdventures
rules = SpaceMarineAdventures()
assert not any(rules.content.files.values())
decoder = msgspec.json.Decoder(rules.event_type)
state = rules.state()
for row in sys.stdin.buffer:
    event = decoder.decode(row)
    assert isinstance(event.tell(state), str)
    event.apply(state)
print(warptape.__file__)
sys.stdout.flush()
sys.stdout.buffer.write(msgspec.json.encode(state))
"""


def test_a_log_is_replayed_where_there_is_no_content(tmp_path: Path) -> None:
    """Every file of boards, cards and datacards is empty there: the log gives the same state, and is told by ids."""
    package = Path(warptape.__file__).parent
    here = tmp_path / "warptape"
    shutil.copytree(package, here, ignore=shutil.ignore_patterns("rules.toml", "__pycache__"))
    emptied = [file.write_text("") for file in (here / "domain" / "space_marine_adventures").rglob("*.toml")]
    assert len(emptied) == len(RULESET.content.files)
    for match in (games.whole("bare 1"), games.whole("bare 2"), expected_game.play()):
        log = b"".join(encode(event) + b"\n" for event in match.events)
        done = subprocess.run(
            [sys.executable, "-c", BARE],
            input=log,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        where, _, state = done.stdout.partition(b"\n")
        assert where.decode() == str(here / "__init__.py")
        assert state == encode(match.state)


# The same bytes


def test_a_fixed_game_gives_the_bytes_that_are_kept() -> None:
    match = expected_game.play()
    kept = expected_game.kept()
    for number, (row, expected) in enumerate(
        zip(expected_game.rows(match).splitlines(), kept.splitlines(), strict=True)
    ):
        assert row == expected, f"event {number} differs"
    ended = match.state.ended
    assert (ended.reason, ended.result) == ("all_on_exit", "minor")


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_a_fixed_game_gives_the_same_bytes_in_a_fresh_process(hash_seed: str) -> None:
    done = subprocess.run(
        [sys.executable, expected_game.__file__],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    )
    assert done.stdout == expected_game.kept()


def test_random_games_give_the_same_bytes_in_fresh_processes() -> None:
    seeds = ["one"]
    reference = "warptape.domain.space_marine_adventures:RULESET"
    assert laws.deterministic(reference, seeds) == laws.fingerprint(RULESET, seeds)


def test_the_set_up_places_the_same_counters_whatever_the_seed(played: list[Match]) -> None:
    laid_at_first = {
        tuple(event.counter for event in of(match.events, CounterPlaced) if event.cause == "setup") for match in played
    }
    assert laid_at_first == {("T01", "T02", "T03", "T04", "T05", "T06")}
