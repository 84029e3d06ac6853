"""Reinforcements and the Wave Assault Track: what is due, what comes, how the marker goes, and when it all ends."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from doom import Play, lid, of, play
from laws import played

from warptape.domain.chance import Fate
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events import (
    AssaultEnded,
    GameEnded,
    MarkerMoved,
    PhaseBegan,
    ReinforcementsLost,
    ReinforcementsRolled,
    SwarmArrived,
    SwarmRevealed,
    TurnBegan,
)
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, Options, lid_size
from warptape.domain.events import ActionTaken, CounterDrawn, DiceRolled, Event
from warptape.domain.referee import Match
from warptape.domain.secrets import knows, view

FIFTEEN = Options(track_layout="rows_of_15")
DRAWN = Options(track_advance="drawn")
ROLLS = list(product(range(1, 7), repeat=2))


def turn(*chance: object, tyranid: dict[str, str] | None = None, **facts: Any) -> tuple[Play, list[Event]]:
    """Go from the end of turn 1 into turn 2, whose reinforcements are rolled with these outcomes."""
    game = play("eldar_movement", eldar={"shrine": "GUA1"}, tyranid=tyranid or {"s1": "TH1"}, **facts)
    events = game.do("end", *chance)
    return game, events


def arrivals(*swarms: tuple[str, int]) -> list[object]:
    """The outcomes for Swarms that come: the counter, then the die of its sector."""
    return [outcome for swarm in swarms for outcome in swarm]


# What comes


def test_doe_reinf_1_two_dice_say_how_many_swarms_are_due() -> None:
    game, events = turn(2, 1, *arrivals(("HM", 4), ("RW2", 6), ("SM", 4)))
    (dice,) = [event for event in of(events, DiceRolled) if event.purpose == "reinforcements"]
    assert (dice.stream, dice.sides, dice.values) == ("tyranid", 6, (2, 1))
    (rolled,) = of(events, ReinforcementsRolled)
    assert (rolled.dice, rolled.due) == ((2, 1), 3)
    assert len(of(events, SwarmArrived)) == 3
    assert game.state.marker == 3


def test_doe_reinf_2_each_is_drawn_at_random_from_the_lid() -> None:
    """DOE-REINF-2: one by one, without putting back; who draws what nobody but the Tyranid sees (DOE-REVEAL-3)."""
    game, events = turn(1, 2, *arrivals(("HM", 4), ("RW2", 6), ("SM", 4)))
    drawn = of(events, CounterDrawn)
    assert [event.item for event in drawn] == ["HM", "RW2", "SM"]
    assert all(event.seen_by == (TYRANID,) and event.rule == "DOE-REINF-2" for event in drawn)
    assert not {"HM", "RW2", "SM"} & lid(game.state)
    assert lid_size(game.state) == 22 - 1 - 3
    assert [game.state.counter(token) for token in ("#02", "#03", "#04")] == ["HM", "RW2", "SM"]


def test_doe_reinf_3_a_short_lid_gives_what_there_is() -> None:
    """DOE-REINF-3, DOE-TRACK-2, worked example 15: lid 3, roll 9: 3 arrive, 6 are lost, the marker goes 9 on."""
    game, events = turn(4, 5, *arrivals(("TH2", 1), ("GH1", 2), ("FS", 3)), lid=("TH2", "GH1", "FS"), marker=20)
    assert len(of(events, SwarmArrived)) == 3
    assert [event.count for event in of(events, ReinforcementsLost)] == [6]
    assert [(event.start, event.to) for event in of(events, MarkerMoved)] == [(20, 29)]
    assert lid(game.state) == set()
    assert game.state.over == 0


def test_doe_reinf_3_what_is_lost_is_lost() -> None:
    """DOE-REINF-3: the remainder does not come later, though the lid is filled again by losses."""
    game, _ = turn(6, 5, *arrivals(("TH2", 4)), lid=("TH2",))
    game.do("mine 3")
    game.do("end")
    game.do("end")
    events = game.do("end", 1, 2)
    assert not of(events, SwarmArrived)
    assert [event.count for event in of(events, ReinforcementsLost)] == [3]


@pytest.mark.parametrize("die", range(1, 7))
def test_doe_reinf_4_each_counter_enters_the_sector_of_its_die(die: int) -> None:
    """DOE-REINF-4, DOE-LOSS-6: Swarm side up, on top of its sector's stack."""
    other = die % 6 + 1
    game, events = turn(1, 2, *arrivals(("HT", die), ("HM", other), ("TH4", die)), tyranid={f"s{die}": "TH1"})
    arrived = of(events, SwarmArrived)
    assert [(event.token, event.roll, event.area) for event in arrived] == [
        ("#02", die, f"s{die}"), ("#03", other, f"s{other}"), ("#04", die, f"s{die}"),
    ]  # fmt: skip
    assert game.state.stacks == {f"s{die}": ["#01", "#02", "#04"], f"s{other}": ["#03"]}
    assert game.state.face == {}
    assert [event.subject for event in of(events, DiceRolled) if event.purpose == "sector"] == ["#02", "#03", "#04"]


def test_doe_reinf_5_the_destroyed_come_again_under_another_token() -> None:
    """DOE-REINF-5: a counter barraged is in the lid and may be drawn in the next turn; no token is used twice."""
    game = play("eldar_special", eldar={"shrine": "GUA1"}, tyranid={"s1": "HT TH1"}, lid=("RW1",))
    game.do("use spear", 6)
    game.do("hit #01")
    assert lid(game.state) == {"RW1", "HT"}
    game.do("end")
    game.do("end", 1, 2, *arrivals(("HT", 2), ("RW1", 3)))
    assert game.state.counter("#03") == "HT"
    assert "#01" not in game.state.swarms
    assert game.state.swarms == {"#02": "s1", "#03": "s2", "#04": "s3"}


def test_doe_reinf_6_once_the_assault_is_over_the_phase_is_skipped() -> None:
    """DOE-REINF-6, DOE-TRACK-10: no roll, no phase, no matter what would have come; the game itself goes on."""
    game, events = turn(1, 1, marker=17)
    assert [event.phase for event in of(events, PhaseBegan)][-2:] == ["tyranid_reinforcement", "tyranid_movement"]
    for number in (3, 4, 5):
        game.do("mine 3")
        game.do("end")
        game.do("end")
        events = game.do("end")
        assert of(events, TurnBegan)[0].turn == number
        assert [event.phase for event in of(events, PhaseBegan)] == ["eldar_combat", "tyranid_movement"]
        assert not of(events, DiceRolled)
        assert game.seat == TYRANID
    assert (game.state.over, game.state.marker) == (2, 17)


# The track


def test_doe_track_0_the_marker_is_moved_for_the_eldar() -> None:
    """DOE-TRACK-0: nobody is asked between the roll and the marker."""
    _, events = turn(5, 6)
    assert [type(event) for event in events].index(MarkerMoved) > 0
    assert len(of(events, ActionTaken)) == 1


def test_doe_track_1_the_marker_advances_by_the_number_of_reinforcements() -> None:
    """DOE-TRACK-1, worked examples 1 and 2: 6 + 4 from 0 is 10, then 4 + 3 is 17."""
    game, events = turn(6, 4)
    assert of(events, ReinforcementsRolled)[0].due == len(of(events, SwarmArrived)) == game.state.marker == 10
    _, events = turn(4, 3, marker=10)
    assert [(event.start, event.to, event.rule) for event in of(events, MarkerMoved)] == [(10, 17, "DOE-TRACK-1")]


def test_doe_track_2_the_number_rolled_counts_or_the_number_drawn() -> None:
    """DOE-TRACK-2, and the option track_advance (G-10)."""
    for options, box in ((Options(), 29), (DRAWN, 23)):
        game, events = turn(4, 5, lid=("TH2", "GH1", "FS"), marker=20, options=options)
        assert game.state.marker == box
        assert [event.count for event in of(events, ReinforcementsLost)] == [6]
    empty, events = turn(4, 5, lid=(), marker=20, options=DRAWN)
    assert empty.state.marker == 20
    assert not of(events, MarkerMoved)


@pytest.mark.parametrize("double", range(1, 7))
def test_doe_track_4_in_box_17_only_double_1_is_listed(double: int) -> None:
    """DOE-TRACK-3, -4, -5, -6, -11, worked example 3."""
    game, events = turn(double, double, marker=17)
    ended = of(events, AssaultEnded)
    if double == 1:
        assert [(event.reason, event.box) for event in ended] == [("double", 17)]
        assert of(events, ReinforcementsRolled)[0].due == 0
        assert not of(events, SwarmArrived)
        assert not of(events, MarkerMoved)
        assert (game.state.marker, game.state.over) == (17, 2)
    else:
        assert not ended
        assert len(of(events, SwarmArrived)) == 2 * double
        assert game.state.marker == 17 + 2 * double
        assert game.state.over == 0


def test_doe_track_3_the_row_is_that_of_the_marker_before_it_moves() -> None:
    """DOE-TRACK-3, ruling G-11: from 19 a double 2 brings four Swarms, into row 2 that lists it; from 20 it ends."""
    game, events = turn(2, 2, marker=19)
    assert (game.state.marker, len(of(events, SwarmArrived)), game.state.over) == (23, 4, 0)
    game, events = turn(2, 2, marker=20)
    assert (game.state.marker, len(of(events, SwarmArrived)), game.state.over) == (20, 0, 2)


def test_doe_track_5_an_unlisted_double_is_a_roll_like_any_other() -> None:
    """DOE-TRACK-5, worked example 14: marker 5, double 1: two Swarms, marker 7."""
    game, events = turn(1, 1, *arrivals(("HT", 2), ("SK", 5)), marker=5)
    assert (game.state.marker, len(of(events, SwarmArrived)), game.state.over) == (7, 2, 0)


def test_doe_track_6_the_double_that_ends_it_brings_nobody() -> None:
    """DOE-TRACK-6, worked example 14: marker 62, double 6: over, with no draw; the marker stays (DOE-TRACK-11)."""
    game, events = turn(6, 6, marker=62)
    assert not of(events, CounterDrawn)
    assert [(event.reason, event.box) for event in of(events, AssaultEnded)] == [("double", 62)]
    assert game.state.swarms == {"#01": "s1"}
    assert game.state.marker == 62


def test_doe_track_6_with_no_tyranid_left_the_game_ends_there() -> None:
    """DOE-TRACK-6, DOE-END-1: tested when the assault ends (G-39)."""
    game = play("eldar_movement", eldar={"shrine": "GUA1"}, marker=62)
    (end,) = of(game.do("end", 6, 6), GameEnded)
    assert (end.reason, end.eldar) == ("tyranids_gone", 6)


def test_doe_track_7_box_89_ends_the_assault() -> None:
    """DOE-TRACK-7, worked example 4: reached exactly, without a double."""
    game, events = turn(4, 5, marker=80)
    assert game.state.marker == 89
    assert [(event.reason, event.box) for event in of(events, AssaultEnded)] == [("track", 89)]
    assert len(of(events, SwarmArrived)) == 9
    assert game.state.over == 2
    near, events = turn(3, 5, marker=80)
    assert (near.state.marker, near.state.over) == (88, 0)


def test_doe_track_8_the_last_roll_brings_only_the_boxes_left() -> None:
    """DOE-TRACK-8, worked example 13: marker 84, roll 6 + 5: five come and stay, marker 89, assault over."""
    five = arrivals(("HT", 1), ("SK", 2), ("GP", 3), ("FS", 4), ("SM", 5))
    game, events = turn(6, 5, *five, marker=84)
    assert of(events, ReinforcementsRolled)[0].due == 5
    assert not of(events, ReinforcementsLost)
    assert (game.state.marker, game.state.over) == (89, 2)
    assert len(game.state.swarms) == 1 + 5
    kinds = [type(event) for event in events]
    assert kinds.index(AssaultEnded) > max(n for n, kind in enumerate(kinds) if kind is SwarmArrived)


def test_doe_track_8_the_end_of_the_track_and_a_short_lid() -> None:
    """DOE-TRACK-8, DOE-REINF-3: of the five that are due two come; by the option drawn the marker stops short."""
    for options, box, over in ((Options(), 89, 2), (DRAWN, 86, 0)):
        game, events = turn(6, 5, marker=84, lid=("HT", "SK"), options=options)
        assert len(of(events, SwarmArrived)) == 2
        assert [event.count for event in of(events, ReinforcementsLost)] == [3]
        assert (game.state.marker, game.state.over) == (box, over)


@pytest.mark.parametrize("options", [Options(), FIFTEEN])
def test_doe_track_9_all_boxes_and_all_rolls(options: Options) -> None:
    """DOE-TRACK-1 to -9, -11, ruling G-9: every box with every roll, against a formula of the rows.

    Rows of ten: row t ends on doubles 1 to t. Rows of fifteen (option track_layout): doubles 1 to t as well, and the
    rows are worth one point more.
    """
    size = 10 if options.track_layout == "rows_of_10" else 15
    for box in range(89):
        row = box // size
        points = row if size == 10 else row + 1
        assert RULESET.book.row(box, options).eldar_vp == points
        for first, second in ROLLS:
            game, events = turn(first, second, marker=box, lid=("HT", "SK", "RW1"), options=options)
            (rolled,) = of(events, ReinforcementsRolled)
            if first == second and first <= row:
                expected = (0, box, 0, 0, "double")
            else:
                due = min(first + second, 89 - box)
                come = min(due, 3)
                expected = (due, box + due, come, due - come, "track" if box + due == 89 else "")
            lost = sum(event.count for event in of(events, ReinforcementsLost))
            why = "".join(event.reason for event in of(events, AssaultEnded))
            found = (rolled.due, game.state.marker, len(of(events, SwarmArrived)), lost, why)
            assert found == expected, (box, first, second)
            assert bool(game.state.over) == bool(why)
    assert RULESET.book.row(89, options).eldar_vp == (8 if size == 10 else 6)


def test_doe_track_9_the_rows_of_ten() -> None:
    """DOE-TRACK-9: box 45 is worth 4 (worked example 11); row 0 lists no double, rows from 6 on all six."""
    rows = [RULESET.book.row(box, Options()) for box in range(90)]
    assert [row.eldar_vp for row in rows] == [box // 10 for box in range(90)]
    assert [len(row.ending_doubles) for row in rows] == [min(box // 10, 6) for box in range(90)]
    assert rows[45].eldar_vp == 4


def test_doe_track_10_the_game_goes_on_after_the_assault() -> None:
    game, events = turn(1, 1, marker=17)
    assert not of(events, GameEnded)
    assert (game.seat, game.asked) == (TYRANID, "Order")
    game.do("mine 3")
    game.do("mv #01 n1")
    game.do("end")
    assert game.seat == ELDAR


def test_doe_track_11_the_marker_keeps_its_place_for_the_points() -> None:
    """DOE-TRACK-11, DOE-VP-1: a double in box 39 leaves three points, though six would have led to row 4."""
    game = play("eldar_movement", eldar={"shrine": "GUA1"}, marker=39)
    (end,) = of(game.do("end", 3, 3), GameEnded)
    assert (game.state.marker, end.eldar) == (39, 3)


# Whole games


@pytest.mark.parametrize(
    "options",
    [
        Options(setup="quickstart"),
        Options(setup="quickstart", protoids_in_lid=3, eldar_sees_losses=True),
        Options(setup="quickstart", track_advance="drawn", track_layout="rows_of_15", hive_mind_end="dies_alone"),
        Options(setup="quickstart", knights_origin="iyanden", repeat_conversion_pool="separate"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_doe_reinf_5_counters_are_neither_made_nor_lost(options: Options, seed: int) -> None:
    """DOE-REINF-2, -5, DOE-LOSS-3: lid and map hold 22 (24) counters together at every decision of a game.

    And all 50 Eldar counters are in one place each, the nine squares too, and no token is used twice.
    """
    size = 24 if options.protoids_in_lid == 3 else 22
    tokens = 0
    for match in played(RULESET, f"conserved {seed}", options):
        state = match.state
        there = [state.counter(token) for token in state.swarms]
        assert len(there) + lid_size(state) == size
        assert len({*there} | lid(state)) == size
        assert state.chance.bags["lid"].out.keys() == state.swarms.keys()
        assert state.face.keys() <= state.swarms.keys()
        assert all(face == state.counter(token) for token, face in state.face.items())
        assert len(state.units) == 50
        assert sum(map(len, state.eldar.values())) == 50
        assert all(state.units.values())
        assert len(state.fortified) + len(state.devastated) == len({*state.fortified, *state.devastated}) == 9
        assert state.tokens >= tokens
        tokens = state.tokens
    arrived = [event.token for event in of(match.events, SwarmArrived)]
    assert arrived == [f"#{number:02}" for number in range(1, tokens + 1)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("options", [Options(setup="quickstart"), Options(setup="quickstart", track_advance="drawn")])
def test_doe_track_1_the_marker_is_the_sum_of_the_reinforcements(options: Options, seed: int) -> None:
    """DOE-REINF-1, -3, DOE-TRACK-1, -2: in whole games due = arrived + lost, and the marker counts the one or other."""
    match = Match(RULESET, Fate(f"sum {seed}"), options)
    match.play({ELDAR: "random", TYRANID: "random"})
    due = sum(event.due for event in of(match.events, ReinforcementsRolled))
    arrived = len(of(match.events, SwarmArrived))
    lost = sum(event.count for event in of(match.events, ReinforcementsLost))
    assert due == arrived + lost
    assert match.state.marker == (due if options.track_advance == "rolled" else arrived)
    assert len(of(match.events, AssaultEnded)) <= 1
    for event in of(match.events, MarkerMoved):
        assert event.start < event.to <= 89


def test_doe_reinf_2_the_eldar_see_tokens_and_sectors_alone() -> None:
    """DOE-REINF-2, DOE-REVEAL-3: of what was drawn the Eldar's view of the position holds nothing."""
    game, events = turn(1, 2, *arrivals(("HM", 4), ("RW2", 6), ("SM", 4)))
    other, _ = turn(1, 2, *arrivals(("TH3", 4), ("SM", 6), ("HT", 4)))
    assert view(game.state, ELDAR) == view(other.state, ELDAR)
    assert view(game.state, TYRANID) != view(other.state, TYRANID)
    assert not any(knows(kept, ELDAR) for kept in game.state.chance.bags["lid"].out.values())
    assert not of(events, SwarmRevealed)
