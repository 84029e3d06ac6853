"""Reinforcements, square by square: what a card brings, along which lines, whom it strikes, and a bag that runs short."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from helpers import CATALOGUE, chamber, drawn, laid, names, of, the

from warptape.domain.chance import Fate, Pick
from warptape.domain.errors import ImpossibleOutcome
from warptape.domain.events import CounterDrawn, CounterReturned, Event
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.events import (
    CounterPlaced,
    LevelEnded,
    MarineStruck,
    MarineTakenOut,
    MarineWounded,
    ReinforcementBlocked,
    WoundPrevented,
)
from warptape.domain.space_marine_adventures.state import Creature, Options

ONE, TWO, ONE_AND_THREE, FOUR = "INF-1-01", "INF-1-02", "INF-1-07", "INF-1-04"
TEAM = Options(short_bag="team")


def placed(events: Iterable[Event]) -> dict[str, str]:
    """Counter by square, in the order in which they came."""
    return {event.square: event.counter for event in of(events, CounterPlaced)}


def blocked(events: Iterable[Event]) -> list[tuple[str, str, str]]:
    """Where nothing came, why, and by which rule."""
    return [(event.square, event.reason, event.rule) for event in of(events, ReinforcementBlocked)]


def draws(events: Iterable[Event]) -> list[object]:
    """The counters drawn from the bag, in order."""
    return [event.item for event in of(events, CounterDrawn)]


# One square


def test_w10_an_empty_entry_gets_one_random_counter() -> None:
    """W10: SMA-REIN-1, SMA-REIN-2."""
    level = laid(marines={"MAX": "V1", "ADR": "V2"})
    events = level.infest(ONE, "G03")
    assert placed(events) == {"f3": "G03"}
    assert the(events, CounterDrawn).rule == "SMA-REIN-1"
    assert the(events, CounterPlaced).rule == "SMA-REIN-2"
    assert level.tyranids == {"f3": "genestealer"}
    assert "G03" not in level.bag


def test_sma_rein_1_any_counter_in_the_bag_may_be_drawn_and_no_other() -> None:
    held = ["T01", "T02", "G01"]
    for counter in held:
        assert placed(laid(marines={"MAX": "V1"}, bag=held).infest(ONE, counter)) == {"f3": counter}
    with pytest.raises(ImpossibleOutcome, match="T03"):
        laid(marines={"MAX": "V1"}, bag=held).infest(ONE, "T03")
    chance = laid(marines={"MAX": "V1"}, bag=held).state.chance
    found = [Fate(f"bag {seed}").counter(chance, Pick("creatures")) for seed in range(300)]
    assert all(70 < found.count(counter) < 130 for counter in held)


def test_e8_sma_rein_6_a_marine_on_the_square_is_wounded_and_no_counter_stays() -> None:
    level = laid(marines={"MAX": "f3", "ADR": "h2"}, bag=["T07"])
    events = level.infest(ONE, "T07")
    struck = the(events, MarineStruck)
    assert (struck.marine, struck.square, struck.counter, struck.rule) == ("MAX", "f3", "T07", "SMA-REIN-6")
    assert (level.wounds("MAX"), level.wounds("ADR")) == (1, 0)
    assert level.tyranids == {}
    assert level.bag == ["T07"]


def test_e9_sma_rein_7_an_empty_bag_brings_nothing_and_strikes_nobody() -> None:
    """E9: SMA-REIN-13."""
    level = laid(marines={"MAX": "f3", "ADR": "h2"}, bag=[])
    events = level.infest(ONE_AND_THREE)
    assert blocked(events) == [("f3", "bag_empty", "SMA-REIN-13"), ("d6", "bag_empty", "SMA-REIN-7")]
    assert (level.wounds("MAX"), level.tyranids, draws(events)) == (0, {}, [])


def test_e9_sma_rein_7_with_an_empty_bag_a_house_card_has_a_second_half() -> None:
    """E9: charge, then claws on 1 or 2, and no strike at the entry."""
    level = laid(marines={"MAX": "l4", "ADR": "V1"}, tyranids={"i4": "termagant"}, bag=[])
    events = level.infest(TWO, 2)
    assert level.tyranids == {"k4": "termagant"}
    assert the(events, MarineStruck).way == "claws"
    assert level.wounds("MAX") == 1


def test_the_option_that_lets_an_empty_bag_strike() -> None:
    """Ruling 27, the other way than SMA-REIN-13: `empty_bag_strikes`."""
    level = laid(marines={"MAX": "f3", "ADR": "h2"}, bag=[], options=Options(empty_bag_strikes=True))
    events = level.infest(ONE_AND_THREE)
    struck = the(events, MarineStruck)
    assert (struck.marine, struck.counter) == ("MAX", "")
    assert level.wounds("MAX") == 1
    assert blocked(events) == [("d6", "bag_empty", "SMA-REIN-7")]


def test_e16_sma_rein_8_the_console_square_takes_a_counter_or_strikes_who_works_it() -> None:
    level = laid(marines={"MAX": "V1", "ADR": "V2"})
    assert placed(level.infest("INF-1-13", "T01", 4, "T02")) == {"f8": "T01", "h6": "T02"}
    level = laid(marines={"MAX": "f8", "ADR": "V2"})
    events = level.infest("INF-1-13", "T01", 4, "T02")
    assert the(events, MarineStruck).square == "f8"
    assert level.wounds("MAX") == 1
    assert level.tyranids == {"h6": "termagant"}
    assert "T01" in level.bag


# Around a held square


def test_w4_the_reinforcement_example() -> None:
    """W4: SMA-REIN-1 to -6, SMA-REIN-11, SMA-REIN-12."""
    level = laid("fx-reinforce")
    assert level.tyranids == {"e4": "termagant", "f4": "termagant"}
    events = level.infest(ONE_AND_THREE, "T05", "T06", "G01", "G02")
    assert draws(events) == ["T05", "T06", "G01", "G02"]
    assert placed(events) == {"b2": "T05", "e3": "T06", "g4": "G01"}
    struck = the(events, MarineStruck)
    assert (struck.marine, struck.square, struck.counter) == ("LUK", "d4", "G02")
    assert [(e.marine, e.wounds, e.rule) for e in of(events, MarineWounded)] == [("LUK", 1, "SMA-WND-1")]
    assert len(level.tyranids) == 5
    assert blocked(events) == []
    assert "G02" in level.bag
    assert not {"T05", "T06", "G01"} & {*level.bag}


def test_sma_rein_3_a_held_square_gives_one_counter_a_side_and_none_for_itself() -> None:
    """SMA-REIN-10, SMA-REIN-11, SMA-REIN-15: north, east, south, west, no diagonals."""
    level = drawn(chamber(5, 5, d4="T", b2="M"), entries={"1": "d4"})
    events = level.infest(ONE, "T02", "T03", "T04", "T05")
    assert list(placed(events).items()) == [("d3", "T02"), ("e4", "T03"), ("d5", "T04"), ("c4", "T05")]
    assert len(level.tyranids) == 5


def test_sma_rein_3_the_prime_holds_a_square_like_any_tyranid() -> None:
    level = drawn(chamber(5, 5, d4="T", b2="M"), entries={"1": "d4"})
    level.state.tyranids["d4"] = Creature("P", "prime")
    assert list(placed(level.infest(ONE, "T02", "T03", "T04", "T05"))) == ["d3", "e4", "d5", "c4"]


@pytest.mark.parametrize("face", CATALOGUE.faces)
def test_e15_a_reinforcement_at_the_objective_closes_in_around_the_prime(face: str) -> None:
    """E15, on the faces of Level 1: one counter on each floor square beside it, none on wall sides."""
    level = laid(face, marines={"MAX": "V4"})
    square = level.state.objective
    level.state.tyranids[square] = Creature("P", "prime")
    ground = level.rules.book.ground(level.state)
    beside = [ground.names[there] for there in ground.neighbours[ground.index[square]]]
    assert len(beside) == {"1-down": 4, "3-down": 4}.get(face, 3)
    counters = [f"G0{n}" for n, _ in enumerate(beside, 1)]
    events = level.infest("INF-1-13", *counters, 1, "T01")
    assert list(placed(events).items())[: len(beside)] == list(zip(beside, counters, strict=True))
    assert level.tyranids[square] == "prime"


def test_sma_rein_4_a_line_goes_on_over_tyranids_to_the_first_square_without_one() -> None:
    level = drawn(chamber(7, 1, d2="T", e2="G", f2="T", b2="M"), entries={"1": "d2"})
    events = level.infest(ONE, "T05", "T06")
    assert placed(events) == {"g2": "T05", "c2": "T06"}


def test_e10_sma_rein_5_nothing_comes_where_a_line_reaches_wall_and_nothing_is_drawn() -> None:
    """E10: SMA-REIN-11."""
    level = drawn(
        """
        ########
        ####.###
        #TTTT.M#
        ####.###
        ########
        """,
        entries={"1": "e3"},
    )
    events = level.infest(ONE, "T05", "T06", "T07")
    assert list(placed(events)) == ["e2", "f3", "e4"]
    assert draws(events) == ["T05", "T06", "T07"]
    assert blocked(events) == [("b3", "wall", "SMA-REIN-5")]


@pytest.mark.parametrize(("line_marine", "wounds"), [("hit", 1), ("skip", 0)])
def test_e11_sma_rein_14_a_line_over_two_tyranids_ends_on_a_marine(line_marine: str, wounds: int) -> None:
    """E11, and ruling 28 either way: `line_marine`."""
    options = Options(line_marine=line_marine)  # type: ignore[arg-type]
    level = drawn(chamber(6, 1, c2="M", d2="T", e2="T", f2="T"), entries={"1": "f2"}, options=options)
    events = level.infest(ONE, "T07", *(["T08"] if wounds else []))
    assert placed(events) == {"g2": "T07"}
    assert level.wounds("MAX") == wounds
    assert "b2" not in level.tyranids
    if wounds:
        assert the(events, MarineStruck).rule == "SMA-REIN-14"
        assert "T08" in level.bag
    else:
        assert blocked(events) == [("c2", "marine", "SMA-REIN-14")]
        assert draws(events) == ["T07"]


def test_line_marine_skip_spares_nobody_on_the_first_square() -> None:
    """Ruling 28 speaks of a Marine beyond the first square (SMA-REIN-14); W4's is on it (SMA-REIN-6)."""
    level = drawn(chamber(3, 1, b2="M", c2="T"), entries={"1": "c2"}, options=Options(line_marine="skip"))
    events = level.infest(ONE, "T07", "T08")
    assert placed(events) == {"d2": "T07"}
    assert level.wounds("MAX") == 1


def test_sma_rein_17_a_line_turns_no_corner_and_further_tyranids_do_not_spread() -> None:
    level = drawn(
        """
        ########
        ##.#.#.#
        #M.TTT##
        ##.#.#.#
        ########
        """,
        entries={"1": "d3"},
    )
    events = level.infest(ONE, "T07")
    assert placed(events) == {"c3": "T07"}
    assert blocked(events) == [("f3", "wall", "SMA-REIN-5")]


def test_sma_rein_15_squares_come_in_the_order_of_the_card_each_on_the_board_as_it_then_is() -> None:
    """What is placed at entry 1 lies in the line of entry 3 a moment later."""
    level = drawn(chamber(5, 1, b2="M", d2="T"), entries={"1": "e2", "3": "d2"})
    events = level.infest(ONE_AND_THREE, "T05", "T06", "T07")
    assert list(placed(events).items()) == [("e2", "T05"), ("f2", "T06"), ("c2", "T07")]


def test_sma_rein_15_lines_of_a_second_held_entry_meet_what_the_first_one_brought() -> None:
    """d2 and b2 are held when the line west of entry 3 comes there, so that it reaches wall (SMA-REIN-5)."""
    level = drawn(chamber(7, 1, c2="T", e2="T", h2="M"), entries={"1": "c2", "3": "e2"})
    events = level.infest(ONE_AND_THREE, "T05", "T06", "T07")
    assert list(placed(events).items()) == [("d2", "T05"), ("b2", "T06"), ("f2", "T07")]
    assert blocked(events) == [("b2", "wall", "SMA-REIN-5")]


def test_e12_sma_rein_15_a_short_bag_serves_north_east_south_west() -> None:
    """E12: SMA-REIN-7."""
    level = drawn(chamber(5, 5, d4="T", b2="M"), entries={"1": "d4"}, bag=["T07", "T08"])
    events = level.infest(ONE, "T07", "T08")
    assert placed(events) == {"d3": "T07", "e4": "T08"}
    assert blocked(events) == [("d5", "bag_empty", "SMA-REIN-7"), ("c4", "bag_empty", "SMA-REIN-7")]


def test_short_bag_team_lets_the_team_choose_among_lines() -> None:
    """Ruling 29 in place of SMA-REIN-15: `short_bag = team`; each choice is made on the bag as it then is."""
    level = drawn(chamber(5, 5, d4="T", b2="M"), entries={"1": "d4"}, bag=["T07", "T08"], options=TEAM)
    level.infest(ONE)
    assert level.legal() == {"pick d3", "pick e4", "pick d5", "pick c4"}
    assert level.why("pick c3") == "SMA-INF-2"
    assert level.why("next") == "SMA-INF-2"
    assert placed(level.do("pick c4", "T07")) == {"c4": "T07"}
    assert level.legal() == {"pick d3", "pick e4", "pick d5"}
    events = level.do("pick d5", "T08")
    assert placed(events) == {"d5": "T08"}
    assert [square for square, *_ in blocked(events)] == ["d3", "e4"]
    assert level.asked == "Ready"


def test_short_bag_team_lets_the_team_choose_among_entries() -> None:
    """Ruling 29; with `nesw` the order on the card stands (SMA-REIN-15)."""
    for options, answer, square in ((TEAM, "pick d6", "d6"), (TEAM, "pick f3", "f3"), (Options(), "", "f3")):
        level = laid(marines={"MAX": "V1"}, bag=["T07"], options=options)
        if answer:
            level.infest(ONE_AND_THREE)
            assert level.legal() == {"pick d6", "pick f3"}
            events = level.do(answer, "T07")
        else:
            events = level.infest(ONE_AND_THREE, "T07")
        assert placed(events) == {square: "T07"}
        assert len(blocked(events)) == 1


def test_short_bag_team_asks_nothing_while_the_bag_is_large_enough_or_empty() -> None:
    """Ruling 29."""
    level = laid(marines={"MAX": "V1"}, bag=["T07", "T08"], options=TEAM)
    assert list(placed(level.infest(ONE_AND_THREE, "T07", "T08"))) == ["f3", "d6"]
    level = laid(marines={"MAX": "V1"}, bag=[], options=TEAM)
    assert len(blocked(level.infest(ONE_AND_THREE))) == 2
    assert level.asked == "Ready"


def test_short_bag_team_asks_again_for_the_last_two_lines() -> None:
    """Ruling 29: three counters for four sides, and the last one is still a choice."""
    level = drawn(chamber(5, 5, d4="T", b2="M"), entries={"1": "d4"}, bag=["T07", "T08", "T09"], options=TEAM)
    level.infest(ONE)
    level.do("pick e4", "T07")
    level.do("pick d3", "T08")
    assert level.legal() == {"pick d5", "pick c4"}
    events = level.do("pick c4", "T09")
    assert (placed(events), blocked(events)) == ({"c4": "T09"}, [("d5", "bag_empty", "SMA-REIN-7")])


def test_short_bag_team_counts_every_line_of_a_held_entry() -> None:
    """Ruling 29: W4 needs four counters; with three the team says which entry comes first."""
    level = laid("fx-reinforce", bag=["T05", "T06", "G01", "G02"], options=TEAM)
    assert len(draws(level.infest(ONE_AND_THREE, "T05", "T06", "G01", "G02"))) == 4
    level = laid("fx-reinforce", bag=["T05", "T06", "G01"], options=TEAM)
    level.infest(ONE_AND_THREE)
    assert level.legal() == {"pick b2", "pick e4"}
    # The counter that strikes goes back, so that there is one for the other entry after all.
    events = level.do("pick e4", "T05", "T06", "G01", "G01")
    assert placed(events) == {"e3": "T05", "g4": "T06", "b2": "G01"}
    assert level.wounds("LUK") == 1


def test_short_bag_team_offers_no_line_that_takes_no_counter() -> None:
    """Rulings 28 and 29: a Marine far down a line is spared, so that line is none to choose, nor one to count."""
    options = Options(short_bag="team", line_marine="skip")
    picture = chamber(6, 5, d4="T", e4="T", f4="M", b2="A")
    level = drawn(picture, entries={"1": "d4"}, bag=["T07", "T08"], options=options)
    level.infest(ONE)
    assert level.legal() == {"pick d3", "pick d5", "pick c4"}
    events = level.do("pick d5", "T07")
    assert placed(events) == {"d5": "T07"}
    assert level.legal() == {"pick d3", "pick c4"}
    level = drawn(picture, entries={"1": "d4"}, bag=["T07", "T08", "T09"], options=options)
    events = level.infest(ONE, "T07", "T08", "T09")
    assert list(placed(events)) == ["d3", "d5", "c4"]
    near = drawn(chamber(3, 3, c3="T", d3="M"), entries={"1": "c3"}, bag=["T07"], options=options)
    near.infest(ONE)
    assert near.legal() == {"pick c2", "pick d3", "pick c4", "pick b3"}


# Bulkheads and tiles

COLUMN = ("h6", "h5", "h4", "h3", "h2")
"""From entry 4 of face 1-up north to the exit A, which is h1."""


def test_sma_rein_9_a_line_stops_at_a_sealed_bulkhead_as_at_wall() -> None:
    level = laid(entry="C", marines={"MAX": "V1"}, tyranids=dict.fromkeys(COLUMN, "termagant"))
    events = level.infest(FOUR, "T09", "T10")
    assert placed(events) == {"i6": "T09", "h7": "T10"}
    assert blocked(events) == [("h2", "bulkhead", "SMA-REIN-9")]


def test_e52_sma_rein_16_a_line_runs_on_over_the_entry_square_onto_the_entry_tile() -> None:
    """E52: SMA-REIN-8, SMA-REIN-14."""
    held = dict.fromkeys((*COLUMN, "h1"), "termagant")
    level = laid(marines={"MAX": "V2"}, tyranids=held)
    assert list(placed(level.infest(FOUR, "T09", "T10", "T11"))) == ["V1", "i6", "h7"]
    level = laid(marines={"MAX": "V1"}, tyranids=held)
    events = level.infest(FOUR, "T09", "T10", "T11")
    struck = the(events, MarineStruck)
    assert (struck.marine, struck.square, struck.rule) == ("MAX", "V1", "SMA-REIN-14")
    assert list(placed(events)) == ["i6", "h7"]


def test_e33_sma_rein_16_a_line_runs_through_the_open_exit_along_its_tile() -> None:
    """E33: SMA-REIN-14: it may end on X1 to X4, and strikes a Marine there."""
    held = [*COLUMN, "h1"]
    for square in ("X1", "X2", "X3", "X4"):
        level = laid(entry="C", exit="A", marines={"MAX": "V1"}, tyranids=dict.fromkeys(held, "termagant"))
        assert list(placed(level.infest(FOUR, "T12", "G01", "G02"))) == [square, "i6", "h7"]
        held.append(square)
    level = laid(entry="C", exit="A", marines={"MAX": "V1"}, tyranids=dict.fromkeys(held, "termagant"))
    events = level.infest(FOUR, "G01", "G02")
    assert blocked(events) == [("X4", "wall", "SMA-REIN-5")]
    level = laid(
        entry="C",
        exit="A",
        marines={"MAX": "X2", "ADR": "V1"},
        tyranids=dict.fromkeys((*COLUMN, "h1", "X1"), "termagant"),
    )
    level.infest(FOUR, "G01", "G02", "G03")
    assert level.wounds("MAX") == 1
    assert "X3" not in level.tyranids


def test_an_open_exit_takes_a_counter_like_any_floor() -> None:
    """SMA-REIN-9 speaks of sealed bulkheads only."""
    level = laid(entry="C", exit="A", marines={"MAX": "V1"}, tyranids=dict.fromkeys(COLUMN, "termagant"))
    assert list(placed(level.infest(FOUR, "T09", "T10", "T11"))) == ["h1", "i6", "h7"]


# What becomes of the counter that strikes


def test_e14_sma_rein_12_the_counter_goes_back_before_the_next_draw_and_may_come_again() -> None:
    """E14, SMA-WND-3: two lines of one card meet on one Marine; both strikes count."""
    level = drawn(
        """
        #######
        #TTMTT#
        ###A###
        #######
        """,
        entries={"1": "b2", "3": "f2"},
        bag=["G05"],
    )
    events = level.infest(ONE_AND_THREE, "G05", "G05")
    assert [(e.marine, e.counter) for e in of(events, MarineStruck)] == [("MAX", "G05"), ("MAX", "G05")]
    assert [e.wounds for e in of(events, MarineWounded)] == [1, 2]
    assert the(events, MarineTakenOut).square == "d2"
    assert level.bag == ["G05"]
    assert level.at("MAX") == ""


def test_e43_sma_rein_12_the_counter_goes_back_also_when_the_wound_is_prevented() -> None:
    """E43: Refractor Field against a drawn counter's strike."""
    level = laid(marines={"MAX": "f3", "ADR": "h2"}, cards={"MAX": "SP-07"}, bag=["T07"])
    struck = level.infest(ONE, "T07")
    assert names(struck)[-3:] == ["MarineStruck", "CounterReturned", "Awaiting"]
    events = level.do("react SP-07")
    assert the(events, WoundPrevented).by == "SP-07"
    assert (level.wounds("MAX"), level.tyranids, level.bag) == (0, {}, ["T07"])


def test_e44_sma_rein_12_nothing_is_placed_on_the_square_that_the_strike_emptied() -> None:
    """E44, SMA-WND-2: MarineWounded (2), MarineTakenOut, and the square stays empty."""
    level = laid(marines={"MAX": "f3", "ADR": "h2"}, wounded=["MAX"], bag=["T07", "T08"])
    events = level.infest(ONE, "T07")
    assert the(events, MarineWounded).wounds == 2
    assert the(events, MarineTakenOut).square == "f3"
    assert level.tyranids == {}
    assert level.bag == ["T07", "T08"]


def test_sma_rein_11_a_strike_takes_one_draw_and_no_more() -> None:
    level = laid(marines={"MAX": "f3", "ADR": "h2"})
    events = level.infest(ONE, "T07")
    assert draws(events) == ["T07"]
    assert [event.token for event in of(events, CounterReturned)] == ["T07"]


def test_e13_the_last_marine_falls_at_the_first_square_and_nothing_comes_to_the_second() -> None:
    """E13: SMA-END-1, SMA-END-5."""
    level = laid(marines={"MAX": "f3"}, wounded=["MAX"], out=["ADR", "RAP", "LUK"])
    events = level.infest(ONE_AND_THREE, "T07")
    ended = the(events, LevelEnded)
    assert (ended.reason, ended.result, ended.in_play) == ("all_out", "loss", 0)
    assert placed(events) == {}
    assert level.asked == ""


def test_reinforcements_are_told() -> None:
    """A story says what came, whom it struck, and where nothing came."""
    level = laid(marines={"MAX": "d6", "ADR": "V1"}, bag=["T10", "T11"])
    state, told = level.state.copy(), []
    for event in level.infest(ONE_AND_THREE, "T10", "T11"):
        told.append(RULESET.tell(state, event))
        event.apply(state)
    assert "A Termagant appears on f3." in told
    assert "Sergeant Maximus is struck on d6 by a Termagant." in told
    assert "The Termagant goes back in the bag." in told
    blank = laid(marines={"MAX": "V1"}, bag=[])
    event = the(blank.infest(ONE), ReinforcementBlocked)
    assert RULESET.tell(blank.state, event) == "Nothing comes to f3 (the bag is empty)."
