"""Level 2, The Elite Hunters: its set-up, the console that Lictors hold shut, how it ends, and its Lictor cards."""

from __future__ import annotations

from itertools import product

import pytest
from helpers import CATALOGUE, Level, drawn, laid, of, the

from warptape.domain.chance import Table
from warptape.domain.events import BagFilled, CounterDrawn, DeckShuffled, DiceRolled
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.events import (
    ActionSpent,
    ActivationDeckBuilt,
    BulkheadOpened,
    BulkheadStayedSealed,
    ConsoleActivated,
    ConsoleTried,
    CounterDestroyed,
    CounterMoved,
    CounterPlaced,
    CounterTaken,
    InfestationResolved,
    LevelEnded,
    LevelStarted,
    MarineStruck,
    MarineTakenOut,
    MarineWounded,
    ObjectiveLaid,
    SpecialsDrawn,
    VesselLaid,
)
from warptape.domain.space_marine_adventures.state import LevelState, Options, bag_size, cards_left

ELITE = Options(level=2)
POOL = ("SP-01", "SP-07", "SP-20", "SP-12", "SP-05", "SP-16", "SP-28", "SP-24")
LINES = (
    "board 1-up",
    "enter A",
    "squad MAX ADR RAP VOR",
    "deploy RAP=V1 MAX=V2 ADR=V3 VOR=V4",
    "equip MAX=SP-24 ADR=SP-20 RAP=SP-07 VOR=SP-12",
)
ENTRIES = ("f3", "l4", "d6", "h6", "c10", "h10")
"""The xenos entries 1 to 6 of face 1-up; its console is on f8."""
BULKHEADS = ("bulkhead-1", "bulkhead-3", "bulkhead-2")
"""Under B, C and D: the one at C opens."""
CLAWS = "INF-2-23"
SWEEP = "INF-2-17"
LULL = "INF-2-28"
"""The card that costs each Marine an action: it moves and wounds nobody."""


def begun(lictor: int) -> Match:
    """A Level 2 that has been set up, the die for the Lictor having come up so."""
    match = Match(RULESET, Table([str(lictor), *POOL]), ELITE)
    for line in LINES:
        match.act(line)
    return match


def state_of(match: Match) -> LevelState:
    state: LevelState = match.state
    return state


def result(level: Level) -> tuple[str, str]:
    """Why the level ended and its result, empty while it goes on."""
    ended = level.state.ended
    assert (ended is None) == (level.referee.decision is not None)
    return ("", "") if ended is None else (ended.reason, ended.result)


# Set-up


def test_sma_setup2_1_hulk_squad_decks_and_cards_as_at_level_1() -> None:
    """SMA-SETUP2-1: three sealed bulkheads and the console, four Marines, 12 activation cards, two specials each."""
    match = begun(1)
    state = state_of(match)
    assert the(match.events, LevelStarted).mission == "mission-2"
    assert (state.sealed, state.exit, state.console) == (("B", "C", "D"), "", False)
    console = the(match.events, ObjectiveLaid)
    assert (console.square, console.side) == ("f8", "console")
    assert {code: marine.square for code, marine in state.marines.items()} == {
        "MAX": "V2",
        "ADR": "V3",
        "RAP": "V1",
        "VOR": "V4",
    }
    shown = [CATALOGUE.activation[card].shows for card in the(match.events, ActivationDeckBuilt).cards]
    assert sorted(shown) == sorted(["maximus", "adrix", "raphael", "vorne"] * 2 + ["tyranid"] * 4)
    assert the(match.events, SpecialsDrawn).cards == POOL
    assert state.marines["ADR"].cards == ["SP-20"]


@pytest.mark.parametrize("value", range(1, 7))
def test_sma_setup2_2_a_lictor_on_the_entry_rolled_and_termagants_on_the_others(value: int) -> None:
    match = begun(value)
    die = the(match.events, DiceRolled)
    assert (die.stream, die.values, die.rule) == ("die/team", (value,), "SMA-SETUP2-2")
    placed = {event.square: event.kind for event in of(match.events, CounterPlaced)}
    wanted = dict.fromkeys(ENTRIES, "termagant") | {ENTRIES[value - 1]: "lictor"}
    assert (placed, list(placed)) == (wanted, list(ENTRIES))
    assert {square: creature.kind for square, creature in state_of(match).tyranids.items()} == wanted


@pytest.mark.parametrize("value", range(1, 7))
def test_sma_setup2_3_seven_termagants_five_genestealers_four_lictors_in_the_bag(value: int) -> None:
    match = begun(value)
    inside = state_of(match).chance.bags["creatures"].inside()
    assert [sum(one[0] == kind for one in inside) for kind in "TGL"] == [7, 5, 4]
    on_board = {creature.counter for creature in state_of(match).tyranids.values()}
    assert not on_board & {*inside}
    assert on_board == {"L01", "T01", "T02", "T03", "T04", "T05"}
    assert len(on_board | {*inside}) == 22
    assert the(match.events, BagFilled).rule == "SMA-SETUP2-3"


def test_sma_setup2_4_the_29_cards_of_level_2() -> None:
    match = begun(4)
    (deck,) = (event for event in of(match.events, DeckShuffled) if event.deck == "infestation")
    assert deck.items == CATALOGUE.decks[2] == tuple(f"INF-2-{number:02}" for number in range(1, 30))
    assert cards_left(state_of(match)) == 29
    assert not of(match.events, CounterDrawn), "the briefing of Level 2 places nothing"


# The console


@pytest.mark.parametrize(
    ("killed", "die", "works"), [(0, 6, False), (2, 6, True), (3, 5, True), (5, 4, False), (5, 5, True)]
)
def test_e22_sma_con_7_a_try_counts_the_lictors_destroyed(killed: int, die: int, works: bool) -> None:
    """E22: 8 is needed; each Lictor destroyed adds 1, three at most."""
    level = laid(marines={"MAX": "f8"}, turn="MAX", options=ELITE, kills={"lictor": killed, "termagant": 4})
    events = level.do("con", die, *(BULKHEADS if works else ()))
    tried = the(events, ConsoleTried)
    assert (tried.total, tried.need, tried.success) == (die + min(killed, 3), 8, works)
    assert tried.rule == "SMA-CON-7"
    assert level.state.console is works


@pytest.mark.parametrize(("killed", "die"), [*product(range(6), range(1, 7))])
def test_sma_con_7_every_die_with_every_number_of_lictors(killed: int, die: int) -> None:
    level = laid(marines={"ADR": "f8"}, turn="ADR", options=ELITE, kills={"lictor": killed})
    works = die >= {0: 8, 1: 7, 2: 6}.get(killed, 5)
    events = level.do("con", die, *(BULKHEADS if works else ()))
    assert bool(of(events, ConsoleActivated)) is works


def test_sma_con_7_lictors_destroyed_on_the_way_are_counted_and_nothing_else() -> None:
    """Two Lictors and a Genestealer fall; 6 on the die makes 8, and the bonus of a card comes on top."""
    level = laid(
        marines={"ADR": "f8", "VOR": "V1"},
        tyranids={"f7": "lictor", "g8": "lictor", "f9": "genestealer"},
        turn="ADR",
        cards={"ADR": "SP-24"},
        options=ELITE,
    )
    level.do("sp SP-24")
    for square, die in (("f7", 5), ("g8", 6), ("f9", 4)):
        the(level.do(f"at {square}", die), CounterDestroyed)
    assert level.state.kills == {"lictor": 2, "genestealer": 1}
    events = level.do("con", 5)
    assert (the(events, ConsoleTried).total, level.state.console) == (7, False)
    assert the(level.do("con", 6, *BULKHEADS), ConsoleTried).total == 8


def test_sma_con_7_a_card_bonus_is_added_to_that_of_the_kills() -> None:
    """Rite of Override is no kill: it counts beside the three at most."""
    level = laid(marines={"MAX": "f8"}, turn="MAX", cards={"MAX": "SP-22"}, options=ELITE, kills={"lictor": 4})
    level.do("sp SP-22")
    assert the(level.do("con", 3, *BULKHEADS), ConsoleTried).total == 8


def test_sma_con_1_and_3_at_level_2_an_action_a_try_on_the_console_again_and_again() -> None:
    level = laid(marines={"VOR": "f7", "ADR": "V1"}, turn="VOR", options=ELITE, kills={"lictor": 2})
    assert level.why("con") == "SMA-CON-1"
    level.do("mv f8")
    for left in (1, 0):
        assert the(level.do("con", 5), ActionSpent).left == left
    assert (level.state.turn, level.state.sealed) == (None, ("B", "C", "D"))
    level.turn("VOR")
    the(level.do("con", 6, *BULKHEADS), ConsoleActivated)


def test_sma_con_4_5_and_6_at_level_2_one_exit_opens_and_the_console_falls_silent() -> None:
    level = laid(marines={"MAX": "f8", "ADR": "V1"}, turn="MAX", options=ELITE, kills={"lictor": 3})
    events = level.do("con", 5, *BULKHEADS)
    assert the(events, BulkheadOpened).label == "C"
    assert [event.label for event in of(events, BulkheadStayedSealed)] == ["B", "D"]
    tile = the(events, VesselLaid)
    assert (tile.tile, tile.label, tile.squares) == ("exit", "C", ("X1", "X2", "X3", "X4"))
    assert level.state.sealed == ("B", "D")
    assert the(events, ConsoleActivated).rule == "SMA-CON-7"
    assert level.why("con") == "SMA-CON-6"


def test_sma_atk_5_a_creature_on_the_console_is_shielded_by_nothing() -> None:
    """SMA-PRIME-4 and -5 are about the Prime: from 5 squares away, with another creature beside it, it is attacked."""
    level = laid(marines={"ADR": "f3"}, tyranids={"f8": "lictor", "f9": "termagant"}, turn="ADR", options=ELITE)
    assert level.why("at f8") == ""
    assert level.legal("at") == {"at f8"}


# How it ends


@pytest.mark.parametrize(("on_exit", "grade"), [(4, "major"), (3, "minor"), (2, "draw"), (1, "loss")])
def test_sma_end_8_all_on_the_exit_tile_scored_as_level_1(on_exit: int, grade: str) -> None:
    squad = ("ADR", "RAP", "LUK", "MAX")
    marines = {code: f"X{place}" for place, code in zip((4, 3, 2), squad[: on_exit - 1], strict=False)}
    out = squad[on_exit - 1 : 3]
    level = laid(marines={**marines, "MAX": "f13"}, out=out, exit="C", turn="MAX", options=ELITE)
    ended = the(level.do("mv X1"), LevelEnded)
    assert (ended.reason, ended.result, ended.on_exit, ended.rule) == ("all_on_exit", grade, on_exit, "SMA-END-8")
    assert level.referee.outcome is not None
    assert "damage" not in level.referee.outcome.figures


@pytest.mark.parametrize(("on_exit", "grade"), [(3, "minor"), (2, "draw"), (1, "loss"), (0, "loss")])
def test_sma_end_8_the_deck_runs_out(on_exit: int, grade: str) -> None:
    squad = ("MAX", "ADR", "RAP", "LUK")
    places = ["X4", "X3", "X2"][:on_exit] + ["V1", "V2", "V3", "V4"][: 4 - on_exit]
    level = laid(marines=dict(zip(squad, places, strict=True)), exit="C", infestation=[LULL], options=ELITE)
    events = level.infest(LULL)
    assert the(events, InfestationResolved).cards_left == 0
    assert result(level) == ("deck_out", grade)
    assert the(events, LevelEnded).rule == "SMA-END-8"


def test_sma_end_8_the_last_marine_out_ends_it_at_once() -> None:
    level = laid(marines={"MAX": "f8"}, wounded=["MAX"], tyranids={"f7": "lictor"}, options=ELITE)
    events = level.infest(CLAWS, 3)
    assert [type(event) for event in events if type(event) in (MarineTakenOut, InfestationResolved)] == [MarineTakenOut]
    assert result(level) == ("all_out", "loss")
    assert the(events, LevelEnded).rule == "SMA-END-8"


def test_sma_end_8_not_while_a_straggler_is_in_play() -> None:
    """As SMA-END-2 and SMA-END-6: three on the exit tile, one on the entry tile."""
    level = laid(marines={"MAX": "f13", "ADR": "X4", "RAP": "X3", "LUK": "V2"}, exit="C", turn="MAX", options=ELITE)
    level.do("mv X1")
    assert result(level) == ("", "")


# Lictors by name


@pytest.mark.parametrize("tile", ["V2", "X2"])
def test_e51_a_lictor_on_a_vessel_tile_is_on_the_board(tile: str) -> None:
    """E51: INF-2-17 runs its first list: the Lictor charges, then claws; no die for an entry."""
    marines = {"MAX": "h3"} if tile == "V2" else {"MAX": "f12"}
    level = laid(marines=marines, tyranids={tile: "lictor"}, exit="C", options=ELITE)
    events = level.infest(SWEEP, 5)
    moved = the(events, CounterMoved)
    assert (moved.origin, moved.to) == (tile, "h2" if tile == "V2" else "f13")
    assert the(events, DiceRolled).stream == "die/max"
    assert not of(events, CounterPlaced)


def test_sma_inf_1_without_a_lictor_on_the_board_one_comes_to_an_entry_rolled() -> None:
    """INF-2-17, its second list: from the bag a Lictor is taken, whatever else is in it."""
    level = laid(marines={"MAX": "V1"}, tyranids={"f3": "genestealer"}, options=ELITE)
    events = level.infest(SWEEP, 5)
    assert the(events, CounterTaken).kind == "lictor"
    assert level.tyranids == {"f3": "genestealer", "c10": "lictor"}
    assert the(events, DiceRolled).stream == "die/team"


def test_sma_inf_1_with_all_lictors_gone_from_the_bag_any_counter_comes() -> None:
    """INF-2-17 with a bag of Termagants: the kind is taken if there is one, else a random draw."""
    level = laid(marines={"MAX": "V1"}, bag=["T07"], options=ELITE)
    events = level.infest(SWEEP, 2, "T07")
    assert the(events, CounterDrawn).item == "T07"
    assert level.tyranids == {"l4": "termagant"}


def test_e49_two_creatures_and_no_room_beside_him_wound_once() -> None:
    """E49: INF-2-20 and its ambush on the rearmost Marine, at the blind end of a corridor."""
    level = drawn("########\n#AM....#\n########", objective="g2", options=ELITE)
    events = level.infest("INF-2-20")
    struck = the(events, MarineStruck)
    assert (struck.marine, struck.way) == ("ADR", "ambush")
    assert (level.wounds("ADR"), len(of(events, MarineWounded))) == (1, 1)
    assert not of(events, CounterDrawn)


def test_e49_no_wound_on_the_entry_tile() -> None:
    """E49: on V3, between a comrade and a Termagant, the ambush does nothing; the card's claws follow."""
    level = laid(
        marines={"MAX": "f7", "ADR": "V1", "RAP": "V2", "LUK": "V3"}, tyranids={"V4": "termagant"}, options=ELITE
    )
    events = level.infest("INF-2-20", 6)
    assert not of(events, MarineStruck)
    assert not of(events, CounterDrawn)
    assert the(events, DiceRolled).stream == "die/luk"


def test_inf_2_22_only_what_a_lictor_sees_within_six_squares() -> None:
    """A Lictor sees along the corridor: the Marine at 6 rolls, the one at 7 and those that others see do not."""
    level = drawn("##########\n#X.....AM#\n##########", options=ELITE)
    events = level.infest("INF-2-22", 3)
    assert [event.marine for event in of(events, MarineStruck)] == ["ADR"]
    level = drawn("##########\n#T.....AM#\n##########", options=ELITE)
    assert not of(level.infest("INF-2-22"), DiceRolled)


def test_inf_2_18_in_both_its_halves() -> None:
    """With a Lictor all charge, then Lictors claw on 1 to 5; without one a Lictor comes to the rearmost."""
    level = drawn("##########\n#X....MA.#\n##########", objective="i2", entries={"1": "i2"}, options=ELITE)
    events = level.infest("INF-2-18", 5)
    assert the(events, CounterMoved).to == "f2"
    assert level.wounds("MAX") == 1
    level = drawn("##########\n#T.....MA#\n##########", objective="i2", options=ELITE)
    events = level.infest("INF-2-18")
    assert level.tyranids == {"b2": "termagant", "g2": "lictor"}


def test_the_bag_of_a_level_2_position_holds_what_the_board_does_not() -> None:
    level = laid(marines={"MAX": "V1"}, tyranids={"f3": "lictor", "l4": "termagant"}, options=ELITE)
    assert bag_size(level.state) == 20
