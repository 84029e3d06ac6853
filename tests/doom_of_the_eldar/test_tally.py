"""What is counted of a game: moves, battles, losses and uses, and figures, as everybody and as a seat may know them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import laws
import pytest
import tally_laws
from option_sets import OPTIONS

from warptape.domain.chance import Fate
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar import events as e
from warptape.domain.doom_of_the_eldar.losses import fighters
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, DoomState
from warptape.domain.doom_of_the_eldar.tally import FORTIFICATION, SWARM
from warptape.domain.events import Event
from warptape.domain.referee import Match

BOOK = RULESET.book
SETS = pytest.mark.parametrize("name", OPTIONS)
SEATS = (ELDAR, TYRANID, "")


@cache
def played(name: str) -> list[tuple[Event, ...]]:
    """The logs of some games of a set of options, at random and by bots."""
    options = OPTIONS[name]
    matches = [laws.whole(RULESET, f"tally {number}", options) for number in range(2)]
    for seed, bots in enumerate((("sensible", "sensible"), ("random", "sensible"), ("sensible", "random"))):
        match = Match(RULESET, Fate(f"tally {seed}"), options, luck="tally")
        match.play(dict(zip((ELDAR, TYRANID), bots, strict=True)))
        matches.append(match)
    return [tuple(match.events) for match in matches]


def spots(state: DoomState) -> dict[str, str]:
    """Where everything on the map is; fortifications too, which go by their area."""
    found = {unit: place for unit, place in state.units.items() if place in BOOK.adjacent}
    return found | dict(state.swarms)


def health(state: DoomState) -> dict[str, int]:
    """What each can still lose: counters have one step."""
    return dict.fromkeys(spots(state), 1)


@SETS
def test_moves_and_losses_say_just_what_changed(name: str) -> None:
    counts: Counter[str] = Counter()
    for log in played(name):
        counts += tally_laws.everything_told(RULESET, log, spots, lambda _, area: (area,), health, (FORTIFICATION,))
    assert all(counts[kind] > 20 for kind in ("move", "fight", "loss", "use")), counts


@SETS
def test_fallen_areas_are_lost_fortifications(name: str) -> None:
    for log in played(name):
        lost = [
            one.who
            for _, _, found in tally_laws.tallied(RULESET, log)
            for one in found
            if one.kind == "loss" and one.unit == FORTIFICATION
        ]
        state: Any = RULESET.state()
        for event in log:
            event.apply(state)
        assert lost == state.devastated


@SETS
def test_a_fight_is_a_battle_that_the_attacker_has_won_or_not(name: str) -> None:
    won: Counter[tuple[str, bool | None]] = Counter()
    for log in played(name):
        began: list[e.BattleBegan] = []
        for state, event, found in tally_laws.tallied(RULESET, log):
            if isinstance(event, e.BattleBegan):
                began.append(event)
            for one in found:
                if one.kind == "fight":
                    first = began.pop()
                    assert (one.to, one.by, one.who, one.side) == (
                        first.area,
                        first.kind,
                        first.attacker,
                        first.attacker,
                    )
                    assert {one.who, one.target} == {ELDAR, TYRANID}
                    there = {
                        ELDAR: bool(state.eldar.get(one.to)),
                        TYRANID: bool(fighters(BOOK, state, one.to)),
                    }
                    assert one.success == (there[one.who] and not there[one.target])
                    won[one.who, one.success] += 1
        assert not began
    assert len(won) == 4


@SETS
def test_uses_are_special_actions_conversions_mines_and_yriel(name: str) -> None:
    for log in played(name):
        uses = Counter(
            one.by for _, _, found in tally_laws.tallied(RULESET, log) for one in found if one.kind == "use"
        )  # fmt: skip
        expected = Counter(event.action for event in log if isinstance(event, e.SpecialActionUsed))
        expected["conversion"] = sum(isinstance(event, e.UnitConverted) for event in log)
        expected["spore_mine"] = sum(isinstance(event, e.MineDetonated) for event in log)
        expected["yriel"] = sum(isinstance(event, e.YrielArrived) for event in log)
        assert uses == +expected


@SETS
def test_a_seat_is_told_the_sorts_of_swarms_that_it_knows_and_no_others(name: str) -> None:
    hidden: Counter[str] = Counter()
    for log in played(name):
        for seat in SEATS:
            for one, _ in tally_laws.seen_by(RULESET, log, seat, unknown=SWARM):
                assert one.who.startswith("#")
                hidden[seat] += 1
    assert hidden[""] >= hidden[ELDAR] > 0
    assert hidden[TYRANID] == 0


def test_what_the_shrine_has_seen_the_eldar_are_told_by_its_sort() -> None:
    """A swarm in space that they looked at has a sort for them, for a looker-on it has none."""
    seen = [
        sum(one.unit != SWARM for _, _, found in tally_laws.tallied(RULESET, log, seat) for one in found)
        for seat in (ELDAR, "")
        for log in [played("quick")[0]]
    ]
    assert seen[0] > seen[1]


@SETS
def test_figures_have_the_same_names_at_every_position(name: str) -> None:
    for log in played(name)[::3]:
        names = tally_laws.figures_keep_their_names(RULESET, log, ("", ELDAR))
        assert {"turn", "marker", "eldar_ships", "swarms", "hordes", "lid", "fortified", "eldar_points"} <= names


@SETS
def test_figures_agree_with_the_end(name: str) -> None:
    for log in played(name):
        state: Any = RULESET.state()
        for event in log:
            event.apply(state)
        figures, outcome = RULESET.figures(state), RULESET.outcome(state)
        assert outcome is not None
        assert (figures["eldar_points"], figures["tyranid_points"]) == (
            outcome.figures["eldar"], outcome.figures["tyranid"],
        )  # fmt: skip
        assert figures["fortified"] + figures["devastated"] == len(BOOK.craftworld)


@SETS
def test_places_are_areas_of_the_map(name: str) -> None:
    looked = sum(tally_laws.places_are_on_the_board(RULESET, log, 25) for log in played(name))
    assert looked > 40
