"""Whole games: what a reader can work out from the log alone, and four games that are kept, one for each way to end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import laws
import pytest
from eager import eager, hasty
from hive_games import KEPT
from hive_options import OPTIONS

from warptape.domain.events import ActionTaken, Event
from warptape.domain.referee import Match
from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack.actions import RollDie, Skip
from warptape.domain.tyranid_attack.events_model import ModelKilled, ModelPlaced, ModelsLost
from warptape.domain.tyranid_attack.events_ship import TemplateDestroyed, TemplateGone
from warptape.domain.tyranid_attack.events_turn import (
    END_REASONS,
    ActivationBegan,
    GameEnded,
    OrderPlayed,
    PartBegan,
    ReinforcementRolled,
    TurnBegan,
)
from warptape.domain.tyranid_attack.state import MARINES, TYRANID


@cache
def games() -> list[Match]:
    """Games at random with several sets of options."""
    plans = [(name, number, choose) for name in OPTIONS for number in (0, 2) for choose in (eager, hasty)]
    return [laws.whole(RULESET, f"game {number}", OPTIONS[name], 900, choose) for name, number, choose in plans]


def kinds(match: Match, *wanted: type[Event]) -> list[Any]:
    return [event for event in match.events if isinstance(event, wanted)]


def parts(match: Match) -> Iterator[tuple[PartBegan, list[Event]]]:
    """Each part of a turn with its events."""
    found: list[tuple[PartBegan, list[Event]]] = []
    for event in match.events:
        if isinstance(event, PartBegan):
            found.append((event, []))
        elif found:
            found[-1][1].append(event)
    return iter(found)


# What can be worked out again from the log


def test_the_games_come_to_every_end() -> None:
    assert {match.state.ended.reason for match in games() if match.state.ended} == {*END_REASONS}


def test_ta_turn_1_every_turn_has_the_marine_part_and_then_the_tyranid_part() -> None:
    for match in games():
        story = kinds(match, TurnBegan, PartBegan)
        numbers = [event.turn for event in story if isinstance(event, TurnBegan)]
        assert numbers == [*range(1, len(numbers) + 1)]
        sides = [event.side for event in story if isinstance(event, PartBegan)]
        assert sides == [MARINES, TYRANID] * (len(sides) // 2) + [MARINES] * (len(sides) % 2)


def test_ta_turn_4_no_model_is_taken_up_twice_in_a_part() -> None:
    """Unless it came (back) onto the board meanwhile."""
    for match in games():
        for _, events in parts(match):
            used: set[str] = set()
            for event in events:
                if isinstance(event, ActivationBegan):
                    assert event.model not in used
                    used.add(event.model)
                elif isinstance(event, ModelPlaced):
                    used.discard(event.model)


def test_ta_order_1_and_2_one_order_a_turn_and_each_card_once() -> None:
    for match in games():
        played = kinds(match, OrderPlayed)
        assert len({event.key for event in played}) == len(played) <= len(RULESET.book.catalogue.orders)
        for begun, events in parts(match):
            orders = [event for event in events if isinstance(event, OrderPlayed)]
            assert len(orders) <= (begun.side == MARINES)


def test_ta_reinf_1_a_reinforcement_is_decided_on_first_in_every_tyranid_part() -> None:
    for match in games():
        for begun, events in parts(match):
            if begun.side == TYRANID:
                heads = [event.action for event in events if isinstance(event, ActionTaken)]
                assert not heads or isinstance(heads[0], RollDie | Skip)
                assert not any(isinstance(head, RollDie | Skip) for head in heads[1:])
                assert sum(isinstance(event, ReinforcementRolled) for event in events) <= 1


def test_ta_reinf_1_3_4_the_total_is_the_die_with_what_helps_and_hinders() -> None:
    for match in games():
        for event in kinds(match, ReinforcementRolled):
            assert event.total == event.roll + sum(amount for _, amount in event.modifiers)
            assert event.granted == (event.total >= 5) or match.state.options.synapse == "six_only"


def test_ta_win_1_to_5_the_end_is_that_of_the_objectives_marines_and_turns() -> None:
    for match in games():
        destroyed = len(kinds(match, TemplateDestroyed))
        gone = sum(not event.back for event in kinds(match, TemplateGone))
        ended = kinds(match, GameEnded)
        if not ended:
            assert destroyed < 4
            assert gone < 3
            continue
        (end,) = ended
        limit = match.state.options.turn_limit
        due = {
            "templates": destroyed == 4,
            "templates_lost": destroyed < 4 and gone == 3,
            "no_marines": destroyed < 4 and gone < 3 and end.marines == 0,
            "turn_limit": destroyed < 4 and gone < 3 and match.state.turn == limit > 0,
        }
        assert due[end.reason]
        assert end.winner == (MARINES if destroyed == 4 else TYRANID)
        assert end.destroyed == destroyed


def test_marines_left_are_those_placed_less_those_dead_or_cut_off() -> None:
    for match in games():
        side = RULESET.book.side
        there: set[str] = set()
        for event in match.events:
            if isinstance(event, ModelPlaced):
                there |= {event.model}
            elif isinstance(event, ModelKilled):
                there -= {event.model}
            elif isinstance(event, ModelsLost):
                there -= {name for name, _ in event.models}
            elif type(event).__name__ == "ModelsDeployed":
                there |= {name for name, *_ in event.models}  # type: ignore[attr-defined]
        assert there == {*match.state.models}
        if match.state.ended:
            assert match.state.ended.marines == sum(side(name) == MARINES for name in there)


# Four games that are kept


@pytest.mark.parametrize("reason", KEPT.games)
def test_the_kept_games_end_as_their_names_say(reason: str) -> None:
    game = KEPT.play(reason)
    assert game.outcome is not None
    assert game.outcome.reason == END_REASONS[reason]
    assert game.outcome.result == (MARINES if reason == "templates" else TYRANID)
    assert game.audit().ok


@pytest.mark.parametrize("name", KEPT.stories)
def test_the_kept_games_are_told_as_they_were(name: str) -> None:
    """A change of these files is to be read: `python tests/tyranid_attack/hive_games.py --write`."""
    assert KEPT.told(name).splitlines() == KEPT.was_told(name).splitlines()


def test_the_story_told_to_the_tyranids_is_the_whole_one_without_the_marine_players_secrets() -> None:
    """Word for word but for what tiles show and cards are that were looked at: it adds nothing."""
    game = KEPT.play("templates")
    whole, part = (Counter(game.transcript("txt", seat=seat).split()) for seat in (None, "tyranid"))
    assert set(part - whole) <= {"Known", "to:", "The", "hive."}
    names = {word for card in RULESET.book.catalogue.cards.values() for word in card.name.split()}
    secret = {word.strip(".") for word in whole - part}
    assert secret <= {*names, "It", "shows", "section", "is", *"123456"}
    assert {"It", "shows", "is"} <= secret


def test_no_sentence_of_a_kept_game_says_what_the_one_before_it_says() -> None:
    for reason in KEPT.games:
        told = [one.text for one in KEPT.play(reason).log() if one.text]
        assert not [text for text, other in pairwise(told) if text == other]
