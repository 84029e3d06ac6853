"""What is counted of a game: moves, fights, losses and uses, and figures, over games of many kinds."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import laws
import pytest
import tally_laws
from eager import eager, hasty
from hive_options import OPTIONS

from warptape.domain.chance import Fate
from warptape.domain.events import Event
from warptape.domain.referee import Match
from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack import events as e
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, HiveState, Point

BOOK = RULESET.book
SETS = pytest.mark.parametrize("name", OPTIONS)
ATTACKS = (
    e.Shot, e.BlastRolled, e.HellfireFired, e.MeltaUsed, e.Fought, e.TemplateStruck, e.AcidKill, e.CardAttacked,
)  # fmt: skip


@cache
def played(name: str) -> list[tuple[Event, ...]]:
    """The logs of some games of a set of options: by those who hurry on, at random, and by bots."""
    options = OPTIONS[name]
    matches = [
        laws.whole(RULESET, f"tally {number}", options, 1200, choose)
        for number, choose in enumerate((eager, hasty, laws.anything))
    ]
    match = Match(RULESET, Fate("tally"), options, luck="tally")
    match.play({MARINES: "sensible", TYRANID: "sensible"}, 1200)
    return [tuple(match.events) for match in (*matches, match)]


def spots(state: HiveState) -> dict[str, tuple[Point, ...]]:
    """The squares of every model and template on the board."""
    return {name: (model.at,) for name, model in state.models.items()} | state.templates


def health(state: HiveState) -> dict[str, int]:
    """What each can still lose."""
    return {name: model.life for name, model in state.models.items()} | dict.fromkeys(state.templates, 1)


def names(state: HiveState, spot: Any) -> list[str]:
    """What the place of a model or template may be called."""
    return [BOOK.names.square(state, square) for square in spot]


@SETS
def test_moves_and_losses_say_just_what_changed(name: str) -> None:
    counts: Counter[str] = Counter()
    for log in played(name):
        counts += tally_laws.everything_told(RULESET, log, spots, names, health)
    assert all(counts[kind] > 20 for kind in ("move", "fight", "loss", "use")), counts


@SETS
def test_life_lost_is_all_that_there_was(name: str) -> None:
    """The losses of a model between two entries are the life it came with, once it is gone."""
    for log in played(name):
        life: dict[str, int] = {}
        for _, event, found in tally_laws.tallied(RULESET, log):
            if isinstance(event, e.ModelPlaced):
                life[event.model] = event.life
            elif isinstance(event, e.ModelsDeployed):
                life |= {model: points for model, _, _, points in event.models}
            for one in found:
                if one.kind == "loss" and one.unit != "objective":
                    life[one.who] -= one.amount
                    assert (life[one.who] == 0) == one.final


@SETS
def test_each_attack_is_one_fight(name: str) -> None:
    """By the model that attacks; a burst is put down to who fired, even if he died of it."""
    by: Counter[str] = Counter()
    for log in played(name):
        fights, fired = 0, ""
        for state, event, found in tally_laws.tallied(RULESET, log):
            for one in found:
                if one.kind == "fight":
                    assert isinstance(event, ATTACKS)
                    fights += 1
                    by[one.by] += 1
                    if isinstance(event, e.Shot | e.HellfireFired):
                        fired = event.model
                    if one.unit != "card":
                        assert one.who == fired if isinstance(event, e.BlastRolled) else one.who in state.models
                        assert (one.unit, one.side) == (BOOK.kind(one.who), BOOK.side(one.who))
                    assert one.to
                    open_floor = isinstance(getattr(event, "target", ""), tuple)
                    assert (one.success is None) == (open_floor or not one.target)
        assert fights == sum(isinstance(event, ATTACKS) for event in log)
    assert len(by) > 4


@SETS
def test_what_an_attack_costs_follows_it(name: str) -> None:
    """A life lost is the fruit of the attack told last by that weapon, or of a round of hand-to-hand."""
    for log in played(name):
        won: set[str] = set()
        for _, event, found in tally_laws.tallied(RULESET, log):
            won |= {one.by for one in found if one.kind == "fight" and one.success is not None}
            for one in found:
                if one.kind == "loss" and one.unit != "objective" and not isinstance(event, e.ModelsLost):
                    assert CAUSES.get(one.by, one.by) in won


CAUSES = {"fight": "hand_to_hand", "helpless": "hand_to_hand", "hellfire": "hellfire_shell", "melta": "melta_bomb"}
"""What a loss is put down to, as the fight says it."""


@SETS
def test_uses_are_orders_cards_shells_bombs_and_cysts(name: str) -> None:
    for log in played(name):
        uses = Counter(
            one.by for _, _, found in tally_laws.tallied(RULESET, log) for one in found if one.kind == "use"
        )  # fmt: skip
        expected = Counter(event.key for event in log if isinstance(event, e.OrderPlayed))
        expected.update(event.card for event in log if isinstance(event, e.CardTurned))
        expected["hellfire_shell"] = sum(isinstance(event, e.HellfireFired) for event in log)
        expected["melta_bomb"] = sum(isinstance(event, e.MeltaUsed) for event in log)
        expected["teleporter_cyst"] = sum(isinstance(event, e.CystPlaced) for event in log)
        assert uses == +expected


@SETS
def test_figures_have_the_same_names_at_every_position(name: str) -> None:
    for log in played(name)[::3]:
        names = tally_laws.figures_keep_their_names(RULESET, log, ("", MARINES))
        assert {"turn", "marines", "tyranids", "marine_life", "objectives_destroyed", "cards_left"} <= names


@SETS
def test_figures_agree_with_the_end(name: str) -> None:
    for log in played(name):
        state: Any = RULESET.state()
        for event in log:
            event.apply(state)
        figures, outcome = RULESET.figures(state), RULESET.outcome(state)
        if outcome is not None:
            assert figures["objectives_destroyed"] == outcome.figures["destroyed"]
            assert figures["marines"] == outcome.figures["marines_left"]
            assert figures["turn"] == outcome.figures["turns"]


@SETS
def test_places_are_squares_of_the_ship_as_it_lies(name: str) -> None:
    looked = sum(tally_laws.places_are_on_the_board(RULESET, log, 40) for log in played(name))
    assert looked > 40


@SETS
def test_a_seat_and_a_looker_on_are_told_the_same(name: str) -> None:
    for log in played(name)[::2]:
        for seat in (MARINES, TYRANID, ""):
            assert not list(tally_laws.seen_by(RULESET, log, seat))
