"""Every infestation card of Level 2 carried out on a board that shows what it does, both halves of those that have two."""

from __future__ import annotations

import pytest
from card_scenes import (
    ENTRIES,
    Scene,
    ambush_then_claws,
    board_of,
    branching,
    chameleon_killer,
    charge_of,
    charges,
    choking_spores,
    claws_on,
    counter_in_the_bag,
    dice,
    dropped_from_above,
    empty_bag,
    empty_lairs_fill,
    entries,
    erratic_spoor,
    hardened_chitin,
    placed,
    scene_of,
    struck,
    volley,
)
from helpers import CATALOGUE, chamber, of

from warptape.domain.space_marine_adventures.events import CounterTaken


def guarded_cogitator(card: str) -> None:
    """On the console; around it if a creature stands there; on the Marine who does, and then nothing stays."""
    squad = {"MAX": "V1"}
    events = board_of(card, marines=squad).infest(card, "G01")
    assert placed(events) == {"f8": "G01"}
    level = board_of(card, marines=squad, tyranids={"f8": "termagant"})
    assert list(placed(level.infest(card, "G01", "G02", "G03")).items()) == [
        ("f7", "G01"),
        ("g8", "G02"),
        ("f9", "G03"),
    ]
    level = board_of(card, marines={"MAX": "f8"})
    events = level.infest(card, "G01")
    assert (struck(events), placed(events), level.wounds("MAX")) == ([("MAX", "counter")], {}, 1)


def pheromone_hunt(card: str) -> None:
    """A Lictor on the entry rolled; Lictors charge six squares, others do not, and nobody claws."""
    picture = chamber(9, 3, b2="M", b4="A", f4="T")
    numbers = {"4": "i2", "5": "j2"}
    level = scene_of(card, picture, entries=numbers)
    events = level.infest(card, 4)
    assert [event.kind for event in of(events, CounterTaken)] == ["lictor"]
    assert (placed(events), charges(events)) == ({"i2": "L01"}, [("i2", "c2")])
    assert dice(events) == [("die/team", (4,))]
    assert level.tyranids == {"c2": "lictor", "f4": "termagant"}
    level = scene_of(card, picture, entries=numbers)
    events = level.infest(card, 5)
    assert (placed(events), charges(events)) == ({"j2": "L01"}, []), "seven squares are too far"
    # Without a Lictor in the bag any counter comes, and stays; one on the board charges all the same.
    events = scene_of(card, chamber(9, 3, b2="M", b4="A", h4="X"), entries=numbers, bag=["G01"]).infest(card, 4, "G01")
    assert (placed(events), charges(events)) == ({"i2": "G01"}, [("h4", "c4")])
    events = scene_of(card, chamber(9, 3, b2="M", b4="A", h4="X"), entries=numbers, bag=[]).infest(card, 4)
    assert (placed(events), charges(events)) == ({}, [("h4", "c4")])


def hunters_close_in(card: str) -> None:
    """With a Lictor on the board Lictors charge twelve squares and claw on 1 to 4; without one a Lictor comes."""
    for start, comes in (("o2", True), ("p2", False)):
        for die, wounds in ((4, 1), (5, 0)) if comes else ((0, 0),):
            level = scene_of(
                card,
                chamber(15, 5, b2="M", b4="A", e4="T", b6="R", e6="G", i6="L", j6="T", n6="V", o6="G", **{start: "X"}),
            )
            events = level.infest(card, *([die] if comes else []))
            # The Termagants and Genestealers neither charge nor claw.
            assert charges(events) == ([(start, "c2")] if comes else [])
            assert dice(events) == ([("die/max", (die,))] if comes else [])
            assert (level.wounds("MAX"), placed(events)) == (wounds, {})
    level = scene_of(card, chamber(9, 1, b2="M", e2="T"), entries={"3": "j2"})
    events = level.infest(card, 3)
    assert (placed(events), charges(events), dice(events)) == ({"j2": "L01"}, [], [("die/team", (3,))])
    events = scene_of(card, chamber(9, 1, b2="M", e2="T"), entries={"3": "j2"}, bag=[]).infest(card, 3)
    assert (placed(events), charges(events)) == ({}, [])


def no_escape(card: str) -> None:
    """With a Lictor all charge six squares and Lictors claw on 1 to 5; without one a Lictor drops on the rearmost."""
    for die, wounds in ((5, 1), (6, 0)):
        level = scene_of(card, chamber(9, 5, b2="M", i2="X", b4="A", i4="T", b6="R", i6="G"))
        events = level.infest(card, die)
        assert charges(events) == [("i2", "c2"), ("i4", "c4"), ("i6", "c6")]
        assert dice(events) == [("die/max", (die,))]
        assert (level.wounds("MAX"), level.wounds("ADR"), placed(events)) == (wounds, 0, {})
    assert charges(scene_of(card, chamber(9, 1, b2="M", j2="X")).infest(card)) == []
    level = scene_of(card, chamber(9, 1, b2="M", e2="T", g2="A"), objective="j2")
    events = level.infest(card)
    assert (placed(events), charges(events), dice(events)) == ({"c2": "L01"}, [], [])
    assert (struck(events), level.asked) == ([], "Ready"), "one beside one Marine, and that is all"
    # No room beside the rearmost: a wound, but not on the entry tile and not with an empty bag.
    walled = "########\n#M#.A..#\n########"
    assert struck(scene_of(card, walled, objective="g2").infest(card)) == [("MAX", "ambush")]
    events = scene_of(card, walled, objective="g2", bag=[]).infest(card)
    assert (struck(events), placed(events)) == ([], {})
    level = board_of(card, marines={"MAX": "V4", "ADR": "f7"}, tyranids={"V3": "termagant"})
    assert struck(level.infest(card)) == []


SCENES: dict[str, Scene] = {
    "INF-2-01": entries(1, 4),
    "INF-2-02": entries(2, 6),
    "INF-2-03": entries(3, 5),
    "INF-2-04": entries(1, 2),
    "INF-2-05": entries(5, 6),
    "INF-2-06": entries(3, 4),
    "INF-2-07": entries(1, 3, 6),
    "INF-2-08": entries(2, 4, 5),
    "INF-2-09": entries(1, 5),
    "INF-2-10": entries(2, 3),
    "INF-2-11": entries(4, 6),
    "INF-2-12": erratic_spoor,
    "INF-2-13": empty_lairs_fill,
    "INF-2-14": guarded_cogitator,
    "INF-2-15": chameleon_killer,
    "INF-2-16": pheromone_hunt,
    "INF-2-17": hunters_close_in,
    "INF-2-18": no_escape,
    "INF-2-19": dropped_from_above,
    "INF-2-20": ambush_then_claws(nearest=False, count=2),
    "INF-2-21": ambush_then_claws(nearest=True, count=2),
    "INF-2-22": volley("X", 6, 3),
    "INF-2-23": claws_on(3),
    "INF-2-24": claws_on(4),
    "INF-2-25": volley("T", 5, 3),
    "INF-2-26": charge_of(6),
    "INF-2-27": charge_of(8),
    "INF-2-28": choking_spores,
    "INF-2-29": hardened_chitin,
}


@pytest.mark.parametrize("card", SCENES)
def test_sma_inf_1_a_card_of_level_2_does_what_its_text_says(card: str) -> None:
    SCENES[card](card)


def test_the_scenes_are_the_whole_deck_of_level_2() -> None:
    assert tuple(SCENES) == CATALOGUE.decks[2]
    assert len(SCENES) == 29


# The second half for an empty bag

BRANCHING = branching(2)


def test_the_cards_of_level_2_that_only_place_have_a_second_half() -> None:
    """Ruling 49: all that do nothing but place, whoever comes."""
    assert [f"INF-2-{n:02}" for n in (*range(1, 15), 19)] == BRANCHING


@pytest.mark.parametrize("card", BRANCHING)
def test_with_an_empty_bag_tyranids_charge_and_claw_instead_at_level_2(card: str) -> None:
    """E9, SMA-REIN-7, SMA-INF-1."""
    empty_bag(card)


@pytest.mark.parametrize("card", BRANCHING)
def test_with_a_counter_in_the_bag_nothing_charges_at_level_2(card: str) -> None:
    """SMA-INF-1."""
    counter_in_the_bag(card)


def test_a_lictor_is_struck_with_as_any_counter_where_a_marine_stands_on_its_entry() -> None:
    """INF-2-16, SMA-REIN-6, SMA-REIN-12: the Lictor that strikes goes back in the bag; none is there to charge."""
    level = board_of("INF-2-16", marines={"MAX": ENTRIES[4], "ADR": "V1"})
    events = level.infest("INF-2-16", 4)
    assert struck(events) == [("MAX", "counter")]
    assert (placed(events), charges(events), level.tyranids) == ({}, [], {})
    assert "L01" in level.bag


def test_a_lictor_that_comes_to_a_held_entry_is_as_many_as_there_are_sides() -> None:
    """INF-2-17, its second half, and SMA-REIN-3: a Lictor for each side while the bag has them, then any counter."""
    level = board_of("INF-2-17", marines={"MAX": "V1"}, tyranids={"d6": "T01"}, bag=["L05", "T12", "T11"])
    events = level.infest("INF-2-17", 3, "T12", "T11")
    assert list(placed(events).items()) == [("d5", "L05"), ("e6", "T12"), ("d7", "T11")]
    assert level.tyranids["d6"] == "termagant"
