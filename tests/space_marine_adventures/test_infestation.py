"""Every infestation card of Level 1 carried out on a board that shows what it does, and each of its primitives at its limits."""

from __future__ import annotations

import pytest
from card_scenes import (
    ON_THE_TILE,
    Scene,
    all_claw,
    branching,
    charge_of,
    charges,
    choking_spores,
    claws_on,
    counter_in_the_bag,
    dice,
    dropped_from_above,
    empty_bag,
    entries,
    hardened_chitin,
    placed,
    struck,
    volley,
)
from helpers import CATALOGUE, Level, chamber, drawn, laid, names, of, the

from warptape.domain.events import CounterDrawn
from warptape.domain.space_marine_adventures.events import (
    AttackDeclared,
    InfestationResolved,
    InfestationRevealed,
    LevelEnded,
    MarineWounded,
    TurnEnded,
    TurnStarted,
)
from warptape.domain.space_marine_adventures.state import Options
from warptape.domain.space_marine_adventures.steps import Carry

# The cards, one scene each; those with a second half for an empty bag have a second test below


def nest_at_the_console(card: str) -> None:
    level = laid(marines=ON_THE_TILE, tyranids={"f8": "termagant"})
    events = level.infest(card, "G01", "G02", "G03", 5, "G04")
    assert list(placed(events)) == ["f7", "g8", "f9", "c10"]
    assert dice(events) == [("die/team", (5,))]


APART = """
##########
#M#..TA..#
#.#.######
#...######
##########
"""
"""The objective is on d2: 6 steps to walk for Maximus, 3 for Adrix, and what stands on the way is no matter."""


def out_of_the_vents(card: str) -> None:
    level = drawn(APART, objective="d2")
    events = level.infest(card, "T05", 3)
    assert placed(events) == {"h2": "T05"}
    assert dice(events) == [("die/adr", (3,))]
    assert struck(events) == [("ADR", "claws")]
    all_claw(card, 3)


def stalked_from_behind(card: str) -> None:
    level = drawn(APART, objective="d2")
    events = level.infest(card, "T05", 4, 4)
    assert placed(events) == {"b3": "T05"}
    assert dice(events) == [("die/max", (4,)), ("die/adr", (4,))]
    assert struck(events) == []
    all_claw(card, 3)


def cut_off(card: str) -> None:
    level = drawn(chamber(9, 1, b2="M", c2="A", d2="R", i2="L"))
    level.infest(card)
    assert level.legal() == {"pick h2", "pick j2"}
    events = level.do("pick j2", "T01", "T02")
    assert (placed(events), struck(events)) == ({"j2": "T01", "h2": "T02"}, [])


def eerie_silence(card: str) -> None:
    level = drawn(chamber(3, 1, b2="M", c2="T"), entries={"1": "d2"})
    assert names(level.infest(card)) == [
        "ActionTaken",
        "CardDrawn",
        "ActivationRevealed",
        "CardDrawn",
        "InfestationRevealed",
        "InfestationResolved",
        "ActivationPiled",
    ]


SCENES: dict[str, Scene] = {
    "INF-1-01": entries(1),
    "INF-1-02": entries(2),
    "INF-1-03": entries(3),
    "INF-1-04": entries(4),
    "INF-1-05": entries(5),
    "INF-1-06": entries(6),
    "INF-1-07": entries(1, 3),
    "INF-1-08": entries(2, 5),
    "INF-1-09": entries(4, 6),
    "INF-1-10": entries(1, 6),
    "INF-1-11": entries(2, 4),
    "INF-1-12": hardened_chitin,
    "INF-1-13": nest_at_the_console,
    "INF-1-14": dropped_from_above,
    "INF-1-15": out_of_the_vents,
    "INF-1-16": cut_off,
    "INF-1-17": claws_on(3),
    "INF-1-18": claws_on(4),
    "INF-1-19": charge_of(6),
    "INF-1-20": charge_of(4),
    "INF-1-21": volley("T", 5, 4),
    "INF-1-22": stalked_from_behind,
    "INF-1-23": choking_spores,
    "INF-1-24": eerie_silence,
}


@pytest.mark.parametrize("card", SCENES)
def test_sma_inf_1_a_card_does_what_its_text_says(card: str) -> None:
    SCENES[card](card)


def test_the_scenes_are_the_whole_deck_of_level_1() -> None:
    assert tuple(SCENES) == CATALOGUE.decks[1]
    assert len(SCENES) == 24


# The second half for an empty bag

BRANCHING = branching(1)


def test_the_cards_that_only_place_have_a_second_half() -> None:
    """Ruling 49: all but the two printed ones."""
    assert [f"INF-1-{n:02}" for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 13, 14, 16)] == BRANCHING


@pytest.mark.parametrize("card", BRANCHING)
def test_with_an_empty_bag_tyranids_charge_and_claw_instead(card: str) -> None:
    """E9, SMA-REIN-7, SMA-INF-1."""
    empty_bag(card)


@pytest.mark.parametrize("card", BRANCHING)
def test_with_a_counter_in_the_bag_nothing_charges(card: str) -> None:
    """SMA-INF-1."""
    counter_in_the_bag(card)


# Claws and spines


def test_claws_reach_no_further_than_an_edge_and_miss_who_is_out() -> None:
    level = drawn(chamber(4, 3, b2="M", c3="T", d4="A"), out=["LUK"])
    assert dice(level.infest("INF-1-18")) == []


def test_a_marine_who_falls_to_claws_does_not_spare_the_next() -> None:
    level = drawn(chamber(5, 1, b2="m", c2="T", d2="a", f2="R"))
    events = level.infest("INF-1-17", 1, 3)
    assert [(e.marine, e.wounds) for e in of(events, MarineWounded)] == [("MAX", 2), ("ADR", 2)]
    assert (level.at("MAX"), level.at("ADR"), level.asked) == ("", "", "Ready")


def test_spines_end_at_five_squares_at_walls_and_at_other_tyranids() -> None:
    """The line of sight is that of an Attack, either way round (SMA-SEE-4)."""
    level = drawn(chamber(7, 1, b2="T", h2="M"))
    assert dice(level.infest("INF-1-21")) == []
    level = drawn(chamber(7, 1, b2="T", d2="G", f2="M"))
    assert dice(level.infest("INF-1-21")) == []
    level = drawn(chamber(4, 4, b2="T", e5="M"))
    assert dice(level.infest("INF-1-21", 4)) == [("die/max", (4,))]
    level = drawn(chamber(7, 1, b2="T", h2="M"), options=Options(range_count="exclusive"))
    assert struck(level.infest("INF-1-21", 1)) == [("MAX", "spines")]


# Charge


def test_e41_a_charge_ends_before_the_marine_or_does_not_begin() -> None:
    """E41: range 4: a Marine 5 squares away is reached, one 6 away is not."""
    level = drawn(chamber(9, 1, b2="M", g2="G"))
    assert charges(level.infest("INF-1-20", 6)) == [("g2", "c2")]
    assert level.tyranids == {"c2": "genestealer"}
    level = drawn(chamber(9, 1, b2="M", h2="G"))
    assert charges(level.infest("INF-1-20")) == []


def test_charges_come_in_reading_order_of_where_the_creatures_stood() -> None:
    """The one in front is in the way of the one behind, or has just left, or has just come."""
    level = drawn(chamber(6, 1, b2="T", c2="G", f2="M"))
    assert charges(level.infest("INF-1-19", 6)) == [("c2", "e2")]
    level = drawn(chamber(6, 1, b2="M", e2="G", f2="T"))
    assert charges(level.infest("INF-1-19", 6)) == [("e2", "c2")]
    assert level.tyranids == {"c2": "genestealer", "f2": "termagant"}
    level = drawn(chamber(9, 3, c2="A", f2="T", b4="M", e4="T"))
    assert charges(level.infest("INF-1-19", 6, 6)) == [("f2", "d2"), ("e4", "c4")]


def test_each_charge_is_run_on_the_board_as_it_then_is() -> None:
    """SMA-INF-1: e5 goes west first; so e7 has a way past e5, and d8 has none past d5 any more."""
    level = drawn(chamber(8, 8, e2="A", d2="R", c5="M", e5="T", e7="G", d8="T"))
    assert charges(level.infest("INF-1-19", 6, 6)) == [("e5", "d5"), ("e7", "e3")]
    assert level.tyranids == {"d5": "termagant", "d8": "termagant", "e3": "genestealer"}


def test_charges_from_a_tile_come_where_it_lies_on_the_plane() -> None:
    """X4 lies north of the first row."""
    level = laid(
        entry="C", exit="A", marines={"MAX": "h4", "ADR": "e2"}, tyranids={"b2": "termagant", "X4": "termagant"}
    )
    assert charges(level.infest("INF-1-19", 6, 6)) == [("X4", "h3"), ("b2", "d2")]


def test_the_nearest_marine_counts_and_north_goes_before_east_south_west() -> None:
    level = drawn(chamber(9, 9, f6="T", f3="M", i6="A", c6="R", f9="L"))
    assert charges(level.infest("INF-1-19", 6)) == [("f6", "f4")]
    level = drawn(chamber(9, 9, f6="T", f2="M", i6="A", c6="R", f9="L"))
    assert charges(level.infest("INF-1-19", 6)) == [("f6", "h6")]
    level = drawn(chamber(9, 9, f6="T", f2="M", j6="A", c6="R", f9="L"))
    assert charges(level.infest("INF-1-19", 6)) == [("f6", "f8")]
    level = drawn(chamber(9, 9, f6="T", f2="M", j6="A", c6="R", f10="L"))
    assert charges(level.infest("INF-1-19", 6)) == [("f6", "d6")]


def test_a_creature_beside_a_marine_stays_and_none_charges_along_a_diagonal() -> None:
    level = drawn(chamber(6, 4, b2="M", c2="T", g2="A", b5="G"))
    assert charges(level.infest("INF-1-19", 6)) == [("b5", "b3")]
    level = drawn(chamber(5, 5, b2="M", e5="T"))
    assert charges(level.infest("INF-1-19")) == []


def test_a_charge_runs_onto_the_entry_tile() -> None:
    level = laid(marines=ON_THE_TILE, tyranids={"h4": "genestealer", "i4": "termagant"})
    events = level.infest("INF-1-19", 6)
    assert charges(events) == [("h4", "h1")]
    assert dice(events) == [("die/max", (6,))]


# Ambushes


def test_sma_inf_2_the_team_picks_the_square_of_an_ambush() -> None:
    level = drawn(chamber(5, 3, d3="M"))
    level.infest("INF-1-15")
    assert level.legal() == {"pick d2", "pick e3", "pick d4", "pick c3"}
    assert level.why("pick d3") == "SMA-INF-2"
    assert level.why("pick MAX") == "SMA-INF-2"
    assert level.why("next") == "SMA-INF-2"
    events = level.do("pick c3", "T01", 3)
    assert placed(events) == {"c3": "T01"}
    assert struck(events) == [("MAX", "claws")]


def test_sma_inf_2_the_team_breaks_a_tie() -> None:
    level = drawn(chamber(9, 1, b2="M", j2="A", f2="R"), objective="f2")
    level.infest("INF-1-22")
    assert level.legal() == {"pick MAX", "pick ADR"}
    assert level.why("pick RAP") == "SMA-INF-2"
    assert level.why("pass") == "SMA-SPEC-1"
    assert placed(level.do("pick ADR", "T01", 6)) == {"i2": "T01"}


def test_two_marines_are_as_far_from_each_other_and_one_alone_is_isolated() -> None:
    """Section 6.1 of the card texts: a tie for `isolated` is the team's to break (SMA-INF-2)."""
    level = drawn(chamber(9, 1, b2="M", f2="A"))
    level.infest("INF-1-16")
    assert level.legal() == {"pick MAX", "pick ADR"}
    level = drawn(chamber(3, 1, b2="M", d2="T"), out=["ADR"])
    assert placed(level.infest("INF-1-16", "T05")) == {"c2": "T05"}


def test_a_marine_is_isolated_by_the_way_to_walk_not_by_the_crow() -> None:
    """SMA-INF-1: Raphael is the farthest of them for a crow, 4 squares from Lukas; Maximus has 11 to walk to Raphael."""
    level = drawn(
        """
        ##########
        #M#AL...R#
        #.######.#
        #........#
        ##########
        """
    )
    events = level.infest("INF-1-16", "T01")
    assert placed(events) == {"b3": "T01"}
    assert struck(events) == [("MAX", "ambush")]


def test_e48_with_an_empty_bag_an_ambush_asks_nothing_and_the_claws_follow() -> None:
    """E48: no prompt for the tie either, and no wound for want of room."""
    level = drawn(chamber(5, 1, b2="M", c2="T", f2="A"), objective="d2", bag=[])
    events = level.infest("INF-1-22", 3)
    assert dice(events) == [("die/max", (3,))]
    assert struck(events) == [("MAX", "claws")]


def test_without_room_an_ambush_wounds_once_not_twice() -> None:
    """The wound of an ambush comes at most once a card (as in E49)."""
    level = drawn(
        """
        #######
        #M#.AR#
        #T#.###
        #######
        """
    )
    events = level.infest("INF-1-16")
    assert struck(events) == [("MAX", "ambush")]
    assert (level.wounds("MAX"), of(events, CounterDrawn)) == (1, [])


def test_the_wound_of_an_ambush_comes_once_a_card_not_once_a_level() -> None:
    """SMA-INF-1: a second card finds him hemmed in again."""
    level = drawn("########\n#M#AR..#\n########", objective="b2")
    for card, wounds in (("INF-1-15", 1), ("INF-1-16", 2)):
        events = level.infest(card)
        assert struck(events) == [("MAX", "ambush")]
        assert level.wounds("MAX") == wounds


def test_an_ambush_with_room_for_one_of_two_places_it_and_wounds() -> None:
    level = drawn(
        """
        #######
        #M#.AR#
        #.#.###
        #######
        """
    )
    events = level.infest("INF-1-16", "T01")
    assert placed(events) == {"b3": "T01"}
    assert struck(events) == [("MAX", "ambush")]


def test_on_the_entry_tile_want_of_room_harms_nobody() -> None:
    """The squad starts packed there: only V1 has an empty square beside it."""
    level = laid(marines=ON_THE_TILE)
    events = level.infest("INF-1-14", "T01")
    assert placed(events) == {"h1": "T01"}
    assert struck(events) == []
    level = laid(marines={"MAX": "V4", "ADR": "V3"}, tyranids={"V2": "termagant"})
    events = level.infest("INF-1-22", 6)
    assert dice(events) == [("die/adr", (6,))]
    assert struck(events) == []


def test_an_ambush_stops_when_the_bag_runs_out() -> None:
    level = drawn(
        """
        #######
        #M.#AR#
        #######
        """,
        bag=["T01"],
    )
    events = level.infest("INF-1-14", "T01")
    assert placed(events) == {"c2": "T01"}
    assert struck(events) == []


def test_groups_are_handled_in_roster_order_and_go_on_when_one_falls() -> None:
    level = drawn(
        """
        #########
        #R.##M.##
        ##a####L#
        #########
        """
    )
    events = level.infest("INF-1-14", "T01", "T02")
    assert placed(events) == {"g2": "T01", "c2": "T02"}
    assert struck(events) == [("RAP", "ambush"), ("LUK", "ambush")]
    level = drawn("#######\n#m#a#R#\n#######")
    events = level.infest("INF-1-14")
    assert [(e.marine, e.wounds) for e in of(events, MarineWounded)] == [("MAX", 2), ("ADR", 2), ("RAP", 1)]


# Spores and hardening


def test_e39_spores_add_up_but_not_below_no_action() -> None:
    """E39: a wounded Vorne twice hit by spores has free actions and cards all the same."""
    level = laid(marines={"VOR": "h4"}, wounded=["VOR"], spores={"VOR": 1}, cards={"VOR": "SP-10"})
    level.infest("INF-1-23")
    assert the(level.turn("VOR"), TurnStarted).allowance == 0
    assert level.legal() == {"sp SP-10", "end"}
    assert level.why("mv h3") == "SMA-ACT-1"
    level.do("sp SP-10")
    level.do("mv h3")
    assert level.at("VOR") == "h3"
    level = laid(marines={"VOR": "h4", "MAX": "V1"}, wounded=["VOR"], spores={"VOR": 2})
    level.infest("INF-1-23")
    events = level.turn("VOR")
    assert (the(events, TurnStarted).allowance, the(events, TurnEnded).reason) == (0, "no_action")
    assert level.state.marines["VOR"].spores == 0


def test_e40_hardened_chitin_lasts_to_the_end_of_the_round() -> None:
    """E40: a Lictor needs 6 of Adrix, and 5 again in the next round."""
    level = laid(marines={"ADR": "b2"}, tyranids={"e2": "lictor"}, activation=["act-tyranid-1", "act-adrix-1"])
    level.infest("INF-1-12")
    level.turn("ADR")
    assert the(level.do("at e2", 5), AttackDeclared).need == 6
    level.do("pass")
    assert "RoundEnded" in names(level.do("end"))
    level.turn("ADR")
    assert the(level.do("at e2", 5), AttackDeclared).need == 5
    assert level.tyranids == {}


def test_hardening_adds_up() -> None:
    level = laid(marines={"RAP": "b2"}, tyranids={"b3": "genestealer"}, hardened={"genestealer": 1})
    level.infest("INF-1-12")
    level.turn("RAP")
    assert the(level.do("at b3", 5), AttackDeclared).need == 6
    assert level.tyranids == {}


# The card as a whole


def test_e54_a_straggler_who_falls_in_mid_card_spares_the_others_nothing() -> None:
    """E54: SMA-END-5: the second step is carried out, then the level ends and is scored."""
    level = laid(
        entry="C",
        exit="A",
        marines={"MAX": "f7", "RAP": "X1", "LUK": "X2", "VOR": "X3"},
        wounded=["MAX"],
        tyranids={"f6": "termagant", "f8": "termagant", "h1": "genestealer"},
    )
    events = level.infest("INF-1-15", 3)
    assert struck(events) == [("MAX", "ambush"), ("RAP", "claws")]
    assert level.wounds("RAP") == 1
    ended = the(events, LevelEnded)
    assert (ended.reason, ended.result, ended.on_exit) == ("all_on_exit", "minor", 3)


def test_sma_inf_1_a_question_in_mid_card_is_a_position_that_goes_on_from_itself() -> None:
    """What is still to do of a card lies on the stack: the effect, and the step after it."""
    level = drawn(chamber(5, 3, d3="M"))
    level.infest("INF-1-15")
    assert level.state.pending[-2] == Carry(source="INF-1-15", path=(1,))
    assert level.state.card == "INF-1-15"
    again = Level(level.rules, level.state.copy())
    assert again.do("pick c3", "T01", 6) == level.do("pick c3", "T01", 6)
    assert of(again.log, InfestationResolved)[0].card == "INF-1-15"
    assert of(again.log, InfestationRevealed) == []
