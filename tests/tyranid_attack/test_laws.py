"""What holds in every game, over whole random games with several sets of options: folding, legality, conservation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import laws
import msgspec
import pytest
from drill import everyone
from eager import eager, hasty
from hive_options import OPTIONS

from warptape.domain.chance import Fate, Salt, deal
from warptape.domain.content import Content
from warptape.domain.errors import ContentError
from warptape.domain.events import Awaiting, Question
from warptape.domain.referee import Match
from warptape.domain.tyranid_attack import RULESET, TyranidAttack
from warptape.domain.tyranid_attack import actions as act
from warptape.domain.tyranid_attack.catalogue import FILES
from warptape.domain.tyranid_attack.events import EVENTS
from warptape.domain.tyranid_attack.events_model import ArtifactFound, ArtifactsGone, PartyBought, Supplied
from warptape.domain.tyranid_attack.events_ship import (
    CardLaid,
    CardPutAway,
    CardTurned,
    DeckMade,
    SectionEntered,
    SectionRemoved,
    TileSetAside,
    TileShown,
    TilesMade,
    TileTaken,
)
from warptape.domain.tyranid_attack.events_turn import ReinforcementLost
from warptape.domain.tyranid_attack.state import HiveState, Options
from warptape.domain.tyranid_attack.steps import STEPS, Acting

BOOK = RULESET.book
SETS = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
PLAYERS = {"eager": eager, "hasty": hasty, "anything": laws.anything}
LIMIT = 1200


@cache
def played(name: str) -> list[Match]:
    """Random games of a set of options, by each of the players in turn."""
    choosers = [eager, hasty, eager, eager, hasty, laws.anything, eager]
    return [laws.whole(RULESET, f"law {n}", OPTIONS[name], LIMIT, choose) for n, choose in enumerate(choosers)]


@pytest.fixture(params=OPTIONS)
def games(request: pytest.FixtureRequest) -> list[Match]:
    """Random games of one set of options, most of them to their end."""
    return played(request.param)


# What the games below reach: a law that is never put to the test says nothing


def test_every_value_of_every_option_is_in_one_of_the_sets() -> None:
    assert laws.values_left_out(RULESET, OPTIONS.values()) == []


def test_random_games_reach_every_kind_of_event_question_and_end() -> None:
    matches = [match for name in OPTIONS for match in played(name)]
    events = {type(event) for match in matches for event in match.events}
    steps = {type(step) for match in matches for e in match.events if isinstance(e, Awaiting) for step in e.push}
    assert {*EVENTS} - events <= {ReinforcementLost}
    assert {cls for cls in STEPS if issubclass(cls, Question)} - steps == set()
    ends = {match.state.ended.reason for match in matches if match.state.ended}
    assert ends == {"templates", "no_marines", "templates_lost", "turn_limit"}


# Folding


@SETS
def test_folding_the_log_gives_the_live_state_at_every_decision(options: Options) -> None:
    for number, choose in enumerate(PLAYERS.values()):
        laws.replay_equals_live(RULESET, f"fold {number}", options, 700, choose)


@SETS
def test_states_are_kept_at_every_decision(options: Options) -> None:
    for match in laws.played(RULESET, "kept", options, 1000, eager):
        if match.state.decisions % 3 == 0:
            laws.state_keeps(RULESET, match)


@SETS
def test_a_game_goes_on_from_any_decision_as_it_did(options: Options) -> None:
    events = laws.whole(RULESET, "on", options, LIMIT, eager).events
    for number, match in enumerate(laws.played(RULESET, "on", options, LIMIT, eager)):
        if number % 120 == 0:
            laws.continued(RULESET, match, events[len(match.events) :])


def test_every_action_gives_its_consequences_again_from_the_state_alone(games: list[Match]) -> None:
    for match in games[:3]:
        laws.audited(RULESET, match.events)


@SETS
def test_a_crash_in_mid_script_leaves_nothing(options: Options) -> None:
    assert laws.crash_leaves_nothing(RULESET, "crash", options, limit=60) > 60


def test_every_event_is_told(games: list[Match]) -> None:
    for match in games[:5]:
        laws.told(RULESET, match.events)


def test_fresh_states_are_apart() -> None:
    laws.fresh_states_are_apart(RULESET, "fresh", OPTIONS["plain"])


def test_replay_needs_no_content(games: list[Match]) -> None:
    """With every file of boards and models empty a log gives the same state, and is told by ids."""
    bare = TyranidAttack(Content(dict.fromkeys(FILES, "")))
    with pytest.raises(ContentError):
        _ = bare.book
    decode = msgspec.json.Decoder(bare.event_type).decode
    for match in games[:3]:
        state: Any = bare.state()
        for event in match.events:
            read = decode(msgspec.json.encode(event))
            assert isinstance(bare.tell(state, read), str)
            read.apply(state)
        assert msgspec.json.encode(state) == msgspec.json.encode(match.state)


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    assert laws.deterministic("warptape.domain.tyranid_attack:RULESET", ["one", "two"], limit=500)


# Legality


def odd() -> list[Any]:
    """Actions that no position allows, or few."""
    nowhere = (999, -999)
    found: list[Any] = [
        act.UseModel("SC9"),
        act.UseModel("XX1"),
        act.PlayOrder("nothing"),
        act.PlayOrder("rush", "GE1"),
    ]
    found += [act.Move(nowhere), act.Move((0, 0), "backwards"), act.AimAt(nowhere), act.StandOn(nowhere)]
    found += [act.Shoot((), ""), act.Shoot((("GE1", 0),)), act.Shoot((("GE1", 99),)), act.Shoot((("floor", 2),), "3")]
    found += [act.Shoot((("OBJ-9", 2),)), act.Shoot((("SC1", 1), ("SC1", 1))), act.Shoot(((nowhere, 2),), "body")]
    found += [act.Hellfire("XX1"), act.Hellfire(nowhere), act.Fight("SC1"), act.Fight("OBJ-9"), act.Melta("XX1")]
    found += [act.Follow("XX1"), act.Take(9), act.Give("SC1", 9), act.Give("XX1", 1), act.DeployModel("GE1")]
    found += [act.EnterModel("AB1", nowhere), act.EnterModel("XX1", nowhere), act.PutModel("DN9", nowhere)]
    found += [act.PickModel("XX1"), act.PickModel("DN1"), act.PickModel("AB1"), act.PickModel("SC1")]
    found += [act.PutCyst(nowhere), act.ReturnScout("SC1", nowhere), act.ReturnScout("XX1", nowhere)]
    found += [act.StandTemplate(nowhere), act.StandTemplate((0, 0), True), act.DropWeapon(3), act.ArmWith("nothing")]
    return [*found, act.BuyKind("scout", 0), act.BuyKind("genestealer", 1), act.BuyKind("x", -1)]


@pytest.fixture(scope="module")
def tried() -> list[Any]:
    """Actions of every kind that were legal somewhere in some game, and odd ones."""
    found: dict[type, dict[Any, None]] = {}
    for name in OPTIONS:
        for number in range(3):
            for match in laws.played(RULESET, f"tried {number}", OPTIONS[name], 800, eager):
                actions = match.decision.actions if match.decision else ()
                for action in (*actions[:2], *actions[2:60:7], *actions[-5:]):
                    some = found.setdefault(type(action), {})
                    if len(some) < 5:
                        some[action] = None
    assert {*found} == {*act.ACTIONS}
    return [*odd(), *(action for some in found.values() for action in some)]


@SETS
def test_what_is_legal_is_exactly_what_is_not_refused(options: Options, tried: list[Any]) -> None:
    """Every kind of action is tried at every question that is met."""
    asked = Counter[str]()
    for match in laws.played(RULESET, "legal", options, 1500, eager):
        step = type(match.state.pending[-1]).__name__ if match.state.pending else "over"
        asked[step] += 1
        if asked[step] <= 2 or match.state.decisions % 151 == 0:
            laws.legal_is_not_refused(RULESET, match, tried)


@SETS
def test_what_is_refused_leaves_nothing(options: Options, tried: list[Any]) -> None:
    for match in laws.played(RULESET, "refused", options, 600, eager):
        if match.state.decisions % 70 == 0:
            laws.refused_leaves_nothing(RULESET, match, tried[::4])


@SETS
def test_what_is_refused_is_put_in_words_too(options: Options, tried: list[Any]) -> None:
    for match in laws.played(RULESET, "words", options, 600, eager):
        if match.state.decisions % 50 == 0:
            laws.put_in_words(RULESET, match, tried[len(odd()) :])


@SETS
def test_every_answer_that_is_offered_can_be_given(options: Options) -> None:
    for match in laws.played(RULESET, "answers", options, 900, eager):
        if match.state.decisions % 25 == 0:
            laws.every_answer_works(RULESET, match, "answers", most=25)


@SETS
def test_no_question_has_more_than_some_hundreds_of_answers(options: Options) -> None:
    """But for the ways to share dice out, which nobody needs to see listed."""
    for match in laws.played(RULESET, "many", options, 500, eager):
        if match.decision is not None and not isinstance(match.state.pending[-1], Acting):
            assert len(match.decision.actions) < 500


@SETS
def test_the_notation_of_every_action_parses_back_to_it(options: Options) -> None:
    for match in laws.played(RULESET, "notation", options, 900, eager):
        if match.state.decisions % 7 == 0:
            laws.notation_returns(RULESET, match, most=25)


# Conservation


def positions(match: Match) -> Iterator[tuple[HiveState, Any]]:
    """Every state of a game, after every event, with the event."""
    state: Any = RULESET.state()
    for event in match.events:
        event.apply(state)
        yield state, event


def test_no_model_is_lost_or_doubled(games: list[Match]) -> None:
    """TA-COMP-8, TA-RECYC-1: after every event each model is on the board, or in one pool, once."""
    for match in games:
        before: list[str] = []
        for state, event in positions(match):
            names = everyone(state)
            assert len({*names}) == len(names)
            if not isinstance(event, Supplied | PartyBought):
                assert names == before
            before = names
            assert len(state.at) == len(state.models), "two models on one square"
        kinds = Counter(BOOK.kind(name) for name in before)
        roster = BOOK.roster(match.state.options)
        assert all(count == roster[kind] for kind, count in kinds.items() if BOOK.profiles[kind].side == "tyranid")
        assert all(count <= roster[kind] for kind, count in kinds.items())


def test_models_stand_on_floor_alive(games: list[Match]) -> None:
    """TA-BOARD-2, TA-OBJ-12, TA-LIFE-1: at every decision, on squares of the ship that no template takes up."""
    for match in games[:3]:
        ended = len(match.events)
        for number, (state, _) in enumerate(positions(match)):
            if (
                state.chain
                and (number % 5 == 0 or number == ended - 1)
                and len(state.chain) == len(BOOK.catalogue.sections)
            ):
                ship = BOOK.ship(state)
                for model in state.models.values():
                    assert model.at in ship.floor
                    assert 1 <= model.life <= BOOK.profiles[model.kind].life
                for squares in state.templates.values():
                    assert not {*squares} & {*ship.floor}


def test_sections_are_six_on_cells_of_their_own(games: list[Match]) -> None:
    """TA-BOARD-1, TA-EXPL-4, -7: no cell is taken twice, and between explorations all six lie there."""
    for match in games:
        for state, _ in positions(match):
            cells = [laid.cell for laid in state.chain]
            assert len({*cells}) == len(cells)
            assert len({laid.section for laid in state.chain}) == len(cells)
            if state.turn and state.trigger is None:
                assert len(cells) == len(BOOK.catalogue.sections)
                assert state.entry not in cells


def dealt(state: HiveState, seed: str) -> dict[str, tuple[str, ...]]:
    """What lies on every place of every shuffle that is remembered, seen or not."""
    return {name: deal(Salt(seed=seed).key, name, deck) for name, deck in state.chance.decks.items()}


CARDS_MOVE = (DeckMade, CardLaid, CardTurned, CardPutAway, SectionEntered, SectionRemoved)
TILES_MOVE = (TilesMade, TileTaken, TileShown, TileSetAside)
"""The events by which a card or a tile comes to lie somewhere else."""


def test_no_card_is_lost_or_doubled(games: list[Match]) -> None:
    """TA-EXPL-8, -12, -17: each card is in the deck, face down on a section, open, discarded, kept or removed, once."""
    everything = sorted(BOOK.catalogue.cards)
    for number, match in enumerate(games):
        removed: list[str] = []
        turned = ""
        for state, event in positions(match):
            if isinstance(event, CardTurned):
                turned = event.card
            elif isinstance(event, CardPutAway):
                assert event.card == turned
                turned = ""
                removed += [event.card] if event.to == "remove" else []
            if not isinstance(event, CARDS_MOVE):
                continue
            lying = [(card.deck, card.place) for card in state.cards.values() if card.deck]
            there = dealt(state, f"law {number}")
            cards = [there[deck][place] for deck, place in lying] + [*there[state.deck][state.drawn :]]
            cards += [*state.discards, *state.kept, *removed, *([turned] if turned else [])]
            assert sorted(cards) == everything


def test_no_tile_is_lost_or_doubled(games: list[Match]) -> None:
    """TA-SETUP-15, TA-EXPL-9, -10, -18: each tile is in the stack, held, shown, or put aside, once."""
    everything = sorted(BOOK.catalogue.tiles)
    for number, match in enumerate(games):
        shown: list[str] = []
        for state, event in positions(match):
            if isinstance(event, TileShown):
                shown.append(event.tile)
            elif isinstance(event, TileSetAside):
                shown.remove(event.tile)
            if not isinstance(event, TILES_MOVE):
                continue
            stack = dealt(state, f"law {number}")[state.stack] if state.stack in state.chance.decks else ()
            held = [stack[state.tile]] if state.tile >= 0 else []
            assert sorted([*stack[state.taken :], *held, *shown, *state.aside]) == everything


def test_counters_are_as_many_as_there_are(games: list[Match]) -> None:
    """TA-COMP-9, TA-ART-1, TA-ORDER-2: cysts, shells, bombs, order cards, artifacts, objectives."""
    supplies = BOOK.catalogue.supplies
    for match in games:
        found: set[int] = set()
        lost: set[int] = set()
        shells, bombs, orders = supplies["hellfire_shell"], supplies["melta_bomb"], len(BOOK.catalogue.orders)
        for state, event in positions(match):
            if isinstance(event, ArtifactFound):
                assert event.number not in found
                found.add(event.number)
            elif isinstance(event, ArtifactsGone):
                lost |= {*event.numbers}
            if not state.turn:
                continue
            assert len(state.cysts) + state.cysts_left == supplies["teleporter_cyst"]
            assert len({*state.cysts}) == len(state.cysts)
            assert 0 <= state.shells <= shells
            assert 0 <= state.bombs <= bombs
            assert len(state.orders) <= orders
            shells, bombs, orders = state.shells, state.bombs, len(state.orders)
            borne = [number for model in state.models.values() for number in model.artifacts]
            there = sorted([*borne, *state.artifacts, *lost])
            assert {*there} <= found
            assert len({*there}) == len(there)
            objectives = [*state.templates, *state.destroyed, *state.gone]
            assert len({*objectives}) == len(objectives) <= len(BOOK.catalogue.objectives)
        assert len(found) <= len(BOOK.catalogue.artifacts)


def test_games_that_are_over_wait_for_nobody(games: list[Match]) -> None:
    over = [match for match in games if match.outcome is not None]
    assert len(over) > len(games) / 2
    for match in over:
        assert match.state.ended is not None
        assert match.state.pending == []


def test_what_a_match_opens_with_is_not_changed_by_another() -> None:
    first = Match(RULESET, Fate("same"), OPTIONS["plain"])
    before = msgspec.json.encode(first.events)
    laws.whole(RULESET, "other", OPTIONS["plain"], 500, eager)
    assert msgspec.json.encode(Match(RULESET, Fate("same"), OPTIONS["plain"]).events) == before
