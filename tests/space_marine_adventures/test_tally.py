"""What is counted of a level: moves, fights, losses and uses, and figures, over whole levels and campaigns."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import campaigns
import games
import laws
import pytest
import tally_laws

from warptape.domain.chance import Fate
from warptape.domain.events import Event
from warptape.domain.happenings import Happening
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import events as e
from warptape.domain.space_marine_adventures.advanced import destroyed_at
from warptape.domain.space_marine_adventures.effects import AutoHit
from warptape.domain.space_marine_adventures.state import PRIME, LevelState, Options
from warptape.domain.space_marine_adventures.tally import HEALTH

BOOK = RULESET.book
PLANS = {
    "level_1": Options(),
    "level_2": Options(level=2, challenges="all", skull_cards="all"),
    "level_3": Options(level=3, challenges="all"),
    "campaign": Options(mode="campaign", campaign_pass=1),
    "lined_up": Options(mode="campaign", dock="free_order", empty_bag_strikes=True, challenges="random"),
}
PLAN = pytest.mark.parametrize("plan", PLANS)


@cache
def played(plan: str) -> list[tuple[Event, ...]]:
    """The logs of some games: by a squad that wants to win, by the bot, at random, and with kind chance."""
    options = PLANS[plan]
    matches = [games.whole(f"tally {seed}", options) for seed in range(4)]
    matches += [laws.whole(RULESET, f"tally {seed}", options) for seed in range(2)]
    match = Match(RULESET, Fate("tally"), options, luck="tally")
    match.play({"team": "sensible"})
    matches.append(match)
    if plan in ("campaign", "lined_up"):
        matches.append(campaigns.kind("tally", options))
    return [tuple(match.events) for match in matches]


def spots(state: LevelState) -> dict[str, str]:
    """Where everything on the board is."""
    found = {code: one.square for code, one in state.marines.items() if one.square and one.wounds < HEALTH}
    return found | {creature.counter: square for square, creature in state.tyranids.items()}


def health(state: LevelState) -> dict[str, int]:
    """What each can still lose."""
    found = {code: HEALTH - one.wounds for code, one in state.marines.items() if one.square}
    for creature in state.tyranids.values():
        found[creature.counter] = destroyed_at(BOOK, state) - state.damage if creature.kind == PRIME else 1
    return found


def told(log: tuple[Event, ...], kind: str) -> list[tuple[Event, Happening]]:
    """What is told of one kind, each with its event."""
    return [(event, one) for _, event, found in tally_laws.tallied(RULESET, log) for one in found if one.kind == kind]


@PLAN
def test_moves_and_losses_say_just_what_changed(plan: str) -> None:
    counts: Counter[str] = Counter()
    for log in played(plan):
        counts += tally_laws.everything_told(RULESET, log, spots, lambda _, square: (square,), health)
    assert all(counts[kind] > 20 for kind in ("move", "fight", "loss", "use")), counts


@PLAN
def test_wounds_and_kills_add_up(plan: str) -> None:
    """Losses of Marines are their wounds, those of creatures the kills that the level counts."""
    for log in played(plan):
        state: Any = RULESET.state()
        kills: Counter[str] = Counter()
        wounds: Counter[str] = Counter()
        for event in log:
            event.apply(state)
            if isinstance(event, e.CounterDestroyed):
                kills[event.kind] += 1
            elif isinstance(event, e.MarineWounded):
                wounds[event.marine] += 1
        losses = [one for event, one in told(log, "loss") if not isinstance(event, e.MarineLeftBehind)]
        assert Counter(one.unit for one in losses if not one.side and one.unit != PRIME) == kills
        mine = Counter[str]()
        for one in losses:
            mine[one.unit] += one.amount if one.side == "team" else 0
        assert +mine == wounds
        assert sum(one.amount for one in losses if one.unit == PRIME) >= state.damage


@PLAN
def test_a_fight_is_a_roll_that_was_read(plan: str) -> None:
    """One for each attack and each second roll, and one for a card that hits without a die; a hit has its loss."""
    by: Counter[str] = Counter()
    for log in played(plan):
        under_way, means, last = False, "", None
        for state, event, found in tally_laws.tallied(RULESET, log):
            if isinstance(event, e.AttackDeclared):
                assert not under_way
                under_way, means = True, event.cause
            elif isinstance(event, e.RolledAgain):
                under_way, means = isinstance(last, e.AttackMissed), event.cause
            elif isinstance(event, e.SpecialPlayed):
                means = event.card
            elif isinstance(event, e.AttackMissed | e.ConsoleTried):
                last = event
            for one in found:
                if one.kind == "fight" and one.side == "team":
                    assert under_way or isinstance(BOOK.catalogue.specials[means].effects[0], AutoHit)
                    assert one.by == means
                    assert one.success == (not isinstance(event, e.AttackMissed))
                    assert state.tyranids[one.to].kind == one.target
                    if one.success:
                        assert [loss.by for loss in found if loss.kind == "loss"] == [one.who]
                    under_way = False
                    by[one.by] += 1
        assert not under_way
    assert by["attack"] > 20


@PLAN
def test_whoever_struck_is_named_by_the_fight_and_by_the_wound(plan: str) -> None:
    causes = Counter[str]()
    for log in played(plan):
        cause = ""
        for state, event, found in tally_laws.tallied(RULESET, log):
            for one in found:
                if isinstance(event, e.MarineStruck):
                    cause = event.cause
                    assert (one.kind, one.target, one.by) == ("fight", event.marine, cause)
                    assert one.to == state.marines[event.marine].square
                    causes[one.unit] += 1
                elif isinstance(event, e.MarineWounded):
                    assert one.by == cause
    assert causes


@PLAN
def test_uses_are_cards_abilities_challenges_and_tries_at_the_console(plan: str) -> None:
    for log in played(plan):
        expected = Counter(event.card for event in log if isinstance(event, e.SpecialPlayed | e.InfestationRevealed))
        expected.update(event.ability for event in log if isinstance(event, e.AbilityUsed))
        expected.update(event.challenge for event in log if isinstance(event, e.ChallengeTriggered))
        expected["console"] = sum(isinstance(event, e.ConsoleTried) for event in log)
        uses = [one for _, one in told(log, "use")]
        assert Counter(one.by for one in uses) == +expected
        assert all((one.side == "team") == (one.unit in BOOK.roster) for one in uses)


@PLAN
def test_figures_have_the_same_names_at_every_position(plan: str) -> None:
    for log in played(plan)[::3]:
        names = tally_laws.figures_keep_their_names(RULESET, log, ("", "team"))
        assert {"round", "marines", "tyranids", "bag", "infestation_cards", "kills"} <= names


@PLAN
def test_places_are_squares_of_the_board(plan: str) -> None:
    looked = sum(tally_laws.places_are_on_the_board(RULESET, log, 9) for log in played(plan))
    assert looked > 40


def test_a_looker_on_is_told_the_same() -> None:
    for log in played("level_2"):
        assert not list(tally_laws.seen_by(RULESET, log, ""))
