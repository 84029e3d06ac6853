"""The laws of secrets: views and redaction, questions, and that nothing a seat sees depends on what it must not know."""

from __future__ import annotations

from collections import Counter
from typing import Any

import laws
import pytest
import secret_laws
from eager import eager
from hive import BOOK, of, play
from hive_options import OPTIONS
from hive_twins import unseen
from two_worlds import worlds_look_alike

from warptape.domain.chance import Luck
from warptape.domain.events import CardDrawn, CardRevealed
from warptape.domain.referee import Match
from warptape.domain.secrets import SEALED, Sealed, bare, redact, view
from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack.events_ship import PeekRolled, TileShown, TileTaken
from warptape.domain.tyranid_attack.state import CARDS, MARINES, TILES, TYRANID, HiveState, Options

SETS = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


# The laws


@SETS
def test_what_a_seat_sees_is_the_fold_of_its_redacted_log(options: Options) -> None:
    """At every event of whole games, for both seats and a spectator."""
    games = [laws.whole(RULESET, f"secret {number}", options, 700, eager) for number in range(3)]
    assert sum(secret_laws.view_law(RULESET, match.events) for match in games) >= 3


def test_what_a_seat_sees_is_the_fold_of_its_redacted_log_through_json() -> None:
    events = laws.whole(RULESET, "t24", OPTIONS["plain"], 500, eager).events
    assert secret_laws.view_law(RULESET, events, through_json=True) > 2


@SETS
def test_every_view_asks_the_same(options: Options) -> None:
    """Whether, whom and what the rules ask is the same in every seat's view."""
    asked = Counter[str]()
    for number in (17, 24):
        asked += secret_laws.every_view_asks_the_same(RULESET, f"t{number}", options, eager)
    assert min(asked[name] for name in ("Free", "Acting", "Reinforce")) > 10
    assert asked["PlaceTemplate"] + asked["Put"] > 0


@SETS
def test_nothing_a_seat_sees_depends_on_what_it_must_not_know(options: Options) -> None:
    """Two worlds that differ only in hidden facts look alike until a genuine reveal."""
    count = Counter[str]()
    for number in (3, 17, 24):
        count += secret_laws.non_interference(RULESET, f"t{number}", options, 450, eager)
    assert count["same"] > 10 * count["told"] > 0
    assert count["impossible"] < count["same"] / 50


@pytest.mark.slow
@SETS
def test_secrets_hold_over_many_games(options: Options) -> None:
    for number in range(60):
        seed = f"many {number}"
        secret_laws.view_law(RULESET, laws.whole(RULESET, seed, options, 3000, eager).events)
        secret_laws.every_view_asks_the_same(RULESET, seed, options, eager)
        secret_laws.non_interference(RULESET, seed, options, 3000, eager)


# What is shown and said in two worlds


def texts(state: HiveState, luck: Luck) -> list[str]:
    """Lines that somebody may type to find something out: right ones and wrong ones."""
    ship = BOOK.ship(state)
    squares = [ship.name(square) for square in ship.floor]
    everyone = [*state.models, *state.pool[:3], *state.lost[:2], *state.reserve[:2], "GE1", "SC1"]
    found = ["end", "done", "roll", "skip", "stop", "ready", "order rush", "order fire", "take A1", "use", "place"]
    for _ in range(5):
        a, b, square = luck.choice(everyone), luck.choice(everyone), luck.choice(squares)
        objective = luck.choice([*BOOK.catalogue.objectives])
        found += [f"use {a}", f"move {a} {square}", f"move {square}", f"shoot {a} {b}", f"shoot {a} {objective}"]
        found += [f"fight {a} {b}", f"follow {b}", f"melta {a} {objective}", f"hellfire {a} {b}", f"place {a} {square}"]
        found += [f"enter {a} {square}", f"cyst {square}", f"template {square}", f"return {a} {square}", f"order {a}"]
    return found


@pytest.mark.parametrize("options", ["plain", "returns"])
@pytest.mark.parametrize("seat", [MARINES, TYRANID])
def test_boards_menus_and_answers_are_the_same_in_two_worlds(seat: str, options: str) -> None:
    """What a seat is shown, offered and told, refusals, errors and suggestions included, says nothing hidden."""
    luck, differed, compared = Luck("worlds", seat), 0, 0
    for number in (17, 24):
        for match in laws.played(RULESET, f"t{number}", OPTIONS[options], 450, eager):
            state = match.state
            if state.decisions % 40 == 0 and state.pending:
                lines = texts(state, Luck(f"{number}", state.decisions))
                differed += worlds_look_alike(RULESET, state, seat, luck, lines)
                compared += 1
    assert compared > 12
    assert differed > (8 if seat == TYRANID else -1)


def known(state: HiveState) -> dict[tuple[str, int], Any]:
    """What was seen of every place of a shuffle, by whoever has seen it."""
    return {(name, place): bare(item) for name, deck in state.chance.decks.items() for place, item in deck.seen.items()}


@pytest.mark.parametrize("options", ["plain", "returns"])
def test_a_world_that_a_seat_imagines_is_a_whole_one(options: str) -> None:
    """`determinize` gives every hidden tile and card an item of its own, which is not known to be elsewhere."""
    luck, others = Luck("imagined"), Counter[str]()
    for number in (17, 24):
        for match in laws.played(RULESET, f"t{number}", OPTIONS[options], 450, eager):
            if match.state.decisions % 10 or not match.state.pending:
                continue
            state: HiveState = match.state
            world = secret_laws.determinized(RULESET, state, TYRANID, luck)
            true, imagined = known(state), known(world)
            assert imagined.keys() == true.keys()
            for name, deck in world.chance.decks.items():
                lying = [bare(item) for item in deck.seen.values()]
                assert len({*lying}) == len(lying)
                assert {*lying} <= {*deck.items}
                for place, item in view(state, TYRANID).chance.decks[name].seen.items():
                    if bare(item) is not SEALED:
                        assert imagined[name, place] == true[name, place]
                    elif imagined[name, place] != true[name, place]:
                        others[name.partition("/")[0]] += 1
    assert min(others[TILES], others[CARDS]) > 5


# Each hidden fact, by its rule


def test_ta_setup_15_only_the_marine_player_knows_the_tile_he_holds() -> None:
    """TA-SETUP-15, TA-EXPL-10: he alone sees it; that he holds one, and how many are left, everybody knows."""
    match = laws.whole(RULESET, "tile", limit=1)
    drawn = [event for event in of(match.events, CardDrawn) if event.deck.startswith(TILES)]
    assert [event.seen_by for event in drawn] == [(MARINES,)]
    assert isinstance(redact(drawn[0], TYRANID).item, Sealed)
    assert isinstance(redact(drawn[0], secret_laws.SPECTATOR).item, Sealed)
    assert redact(drawn[0], MARINES) == drawn[0]
    assert [event.left for event in of(match.events, TileTaken)] == [len(BOOK.catalogue.tiles) - 1]
    told = dict(RULESET.summarize(view(match.state, TYRANID)))
    assert told["The tile held"] == "face down"
    assert dict(RULESET.summarize(view(match.state, MARINES)))["The tile held"].startswith("section ")


def test_ta_expl_9_the_tile_is_shown_when_its_section_is_laid() -> None:
    """TA-EXPL-9: then, and not before, the Tyranid player sees it; the next one he does not."""
    shown = 0
    for number in range(6):
        match = laws.whole(RULESET, f"t{number}", OPTIONS["plain"], 500, eager)
        for at, event in enumerate(match.events):
            if isinstance(event, TileShown):
                before = match.events[at - 1]
                assert isinstance(before, CardRevealed)
                assert before.seen_by is None
                assert (before.item, before.deck.startswith(TILES)) == (event.tile, True)
                shown += 1
        held = [event for event in unseen(match.events) if event.deck.startswith(TILES)]
        assert len(held) == (match.state.tile >= 0)
    assert shown > 5


@pytest.mark.parametrize(("roll", "seen"), [(3, False), (4, True)])
def test_ta_spec_4_what_a_card_is_that_was_looked_at_shows_in_nothing_that_the_tyranids_see(
    roll: int, seen: bool
) -> None:
    """TA-SPEC-4: everybody sees the die and that a card was looked at; of two cards the Tyranids cannot tell which."""
    logs = []
    for card in ("EX-05", "EX-06"):
        p = play(models={"SC1": "5:e2", "SC6": "3:h6"}, destroyed=["OBJ-2"], card="EX-01", tile="LOC-2")
        happened = p.do("move SC1 6:e11", 3, 1, roll, *([card] if seen else []))
        assert [(die.roll, die.seen) for die in of(happened, PeekRolled)] == [(roll, seen)]
        assert (card in {event.item for event in of(happened, CardDrawn)}) == seen
        logs.append([redact(event, TYRANID) for event in happened])
    assert logs[0] == logs[1]


def test_what_lies_face_down_and_was_not_looked_at_is_in_no_state_at_all() -> None:
    """TA-EXPL-8: a card is fixed when somebody sees it, not when it is laid."""
    for match in laws.played(RULESET, "t3", OPTIONS["plain"], 220, eager):
        for card in match.state.cards.values():
            assert card.place not in match.state.chance.decks[card.deck].seen


def test_nothing_is_hidden_from_the_marine_player() -> None:
    """The Tyranid player has no secrets: models, pool and cysts are open (TA-RECYC-1)."""
    for number in (3, 24):
        match: Match = laws.whole(RULESET, f"t{number}", OPTIONS["plain"], 400, eager)
        assert view(match.state, MARINES) == match.state
        assert [redact(event, MARINES) for event in match.events] == match.events
