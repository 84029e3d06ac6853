"""Whole games that are kept: a win and a loss of each level, one for each way it can end, and a campaign won and lost.

A log of each was recorded: it is read, audited and told, and the same lines give the same events today.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hulk_games import KEPT, log

import warptape
from warptape.domain.events import ActionTaken, Event, GameOpened
from warptape.domain.space_marine_adventures.events import ADVANCED_EVENTS, CAMPAIGN_EVENTS, EVENTS
from warptape.domain.space_marine_adventures.events_action import REASONS, RESULTS

KINDS = {event.__name__ for event in EVENTS}
ENDS = {
    (1, "all_on_exit", "major"), (1, "all_out", "loss"), (1, "deck_out", "loss"),
    (2, "all_on_exit", "minor"), (2, "all_out", "loss"), (2, "deck_out", "loss"),
    (3, "prime_destroyed", "major"), (3, "all_out", "loss"), (3, "deck_out", "draw"),
    (3, "prime_destroyed", "epic_victory"), (2, "all_out", "campaign_lost"),
}  # fmt: skip
"""Level, reason and result of each of the games, in their order."""


@cache
def played(which: str) -> Any:
    """A kept game, played again today."""
    return KEPT.play(which)


@pytest.fixture
def recorded(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The recorded log of a game."""
    with warptape.open(":memory:") as store:
        yield store.load(log(request.param))


every = pytest.mark.parametrize("which", KEPT.games)


def test_the_kept_games_come_to_every_end_of_every_level() -> None:
    """SMA-END-1 to SMA-END-10, SMA-CAMP-5, SMA-CAMP-21."""
    found = set()
    for which in KEPT.games:
        game = played(which)
        ended, outcome = game.state.ended, game.outcome
        found.add((game.state.level, ended.reason, outcome.result))
        assert outcome.reason == REASONS[ended.reason]
        assert outcome.words == RESULTS.get(outcome.result, "")
        assert bool(outcome.winners) == (outcome.result in ("major", "minor", "epic_victory"))
        assert which.startswith("campaign") == (game.state.options.mode == "campaign")
        assert which.startswith("campaign") or which == f"level_{game.state.level}_{ended.reason}"
    assert found == ENDS
    assert {reason for _, reason, _ in found} == {*REASONS}


def test_the_kept_games_show_most_of_what_can_happen() -> None:
    seen = {type(event).__name__ for which in KEPT.games for _, event in played(which).events()}
    wanted = {event.__name__ for event in (*ADVANCED_EVENTS, *CAMPAIGN_EVENTS)}
    assert wanted - seen <= {"PrimeHealed", "SkullCardsReplace", "ChallengeFailed"}
    assert len(KINDS & seen) > 0.85 * len(KINDS)


@every
def test_the_kept_games_are_told_as_they_were(which: str) -> None:
    """A change of these files is to be read: `python tests/space_marine_adventures/hulk_games.py --write`."""
    assert played(which).transcript("txt").splitlines() == KEPT.was_told(which).splitlines()


@every
def test_no_sentence_of_a_kept_game_says_what_the_one_before_it_says(which: str) -> None:
    """But that twice nothing comes to a square, of two creatures that would have."""
    told = [one.text for one in played(which).log() if one.text]
    assert not [text for text, other in pairwise(told) if text == other and not text.startswith("Nothing comes")]


@pytest.mark.parametrize("recorded", KEPT.games, indirect=True)
def test_a_recorded_log_passes_the_audit(recorded: Any) -> None:
    """Chain, chance and rules, over the content that the log holds."""
    report = recorded.audit()
    assert report.ok, report.text()
    counts = {row.check: row.count for row in report.rows}
    assert counts["rules"] > 120
    assert f"{counts['chance']} follow from the key" in report.text()


@pytest.mark.parametrize(("recorded", "which"), [(which, which) for which in KEPT.games], indirect=["recorded"])
def test_a_recorded_log_is_told_as_the_game_is(recorded: Any, which: str) -> None:
    assert recorded.transcript("txt") == KEPT.was_told(which)


@pytest.mark.parametrize(("recorded", "which"), [(which, which) for which in KEPT.games], indirect=["recorded"])
def test_the_same_lines_give_the_events_of_the_recorded_log(recorded: Any, which: str) -> None:
    """Event by event: only who typed a line and when is not in the moves."""
    today = [event for _, event in played(which).events()]
    then = [event for _, event in recorded.events()]
    for place, (one, other) in enumerate(zip(today, then, strict=True)):
        assert bare(one) == bare(other), f"@{place}"
    assert recorded.state == played(which).state


def bare(event: Event) -> Any:
    """An event without what belongs to its recording: person, time and digest of a head, the content of an opening."""
    if isinstance(event, GameOpened):
        return event.ruleset, event.options, event.commitment, [*event.seats]
    if isinstance(event, ActionTaken):
        return event.seat, event.action
    return event if event.__class__.__name__ != "KeyRevealed" else event.__class__.__name__


@pytest.mark.parametrize("which", ["campaign_won", "campaign_lost"])
def test_the_figures_of_a_campaign_count_all_its_levels(which: str) -> None:
    """Rounds and creatures destroyed of every level; the squad, the cards and the Prime as the last one left them."""
    game = played(which)
    kinds = [type(event).__name__ for _, event in game.events()]
    figures = game.outcome.figures
    assert figures["rounds"] == kinds.count("RoundStarted") > game.state.round
    assert figures["kills"] == kinds.count("CounterDestroyed") > sum(game.state.kills.values())
    assert figures["level"] == game.state.level
    assert ("on_exit" in figures, "damage" in figures) == (game.state.level < 3, game.state.level == 3)
