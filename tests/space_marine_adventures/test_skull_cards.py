"""The six skull cards, each carried out on a board that shows what it does, and the further card that each turns over."""

from __future__ import annotations

from typing import Any

import pytest
from campaigns import QUIET, revealed
from card_scenes import (
    ENTRIES,
    ON_THE_TILE,
    Scene,
    board_of,
    charges,
    dice,
    placed,
    scene_of,
    struck,
)
from helpers import CATALOGUE, Level, chamber, of, the

from warptape.domain.events import CounterDrawn
from warptape.domain.space_marine_adventures.events import (
    CounterTaken,
    InfestationResolved,
    LevelEnded,
    PrimeHealed,
    ReinforcementBlocked,
)
from warptape.domain.space_marine_adventures.state import cards_left


def after(card: str) -> str:
    """The card that is turned over next: one that harms nobody."""
    return QUIET[CATALOGUE.infestation[card].level]


def skull(level: Level, card: str, *chance: object) -> list[Any]:
    """Turn over a skull card, and then the quiet one it asks for: two cards of the deck are gone."""
    deck = cards_left(level.state)
    events = level.infest(card, *chance, after(card))
    assert revealed(events) == [event.card for event in of(events, InfestationResolved)] == [card, after(card)]
    assert deck - cards_left(level.state) == 2
    assert (level.asked, level.state.more, level.state.card) == ("Ready", 0, "")
    return events


def hive_frenzy(card: str) -> None:
    """Charge up to six squares, then claws on 1 to 4."""
    for die, wounds in ((4, 1), (5, 0)):
        level = scene_of(card, chamber(9, 3, b2="M", i2="T", b4="A", j4="G", f3="R"), skulls=[card])
        events = skull(level, card, die)
        assert charges(events) == [("i2", "c2")]
        assert dice(events) == [("die/max", (die,))]
        assert [level.wounds(code) for code in ("MAX", "ADR", "RAP")] == [wounds, 0, 0]
        assert placed(events) == {}
    for symbol in "TGX":
        for start, comes in (("i2", True), ("j2", False)):
            level = scene_of(card, chamber(9, 1, b2="M", **{start: symbol}), skulls=[card])
            events = skull(level, card, *([4] if comes else []))
            assert (charges(events), level.wounds("MAX")) == (([(start, "c2")], 1) if comes else ([], 0))
    level = scene_of(card, chamber(9, 1, b2="M", c2="T", e2="A", f2="G", h2="R", i2="X"), skulls=[card])
    assert [way for _, way in struck(skull(level, card, 4, 4, 4))] == ["claws"] * 3


def brood_explosion(card: str) -> None:
    """All six entries in their order; a Marine on one is struck; with an empty bag there is no other half."""
    level = board_of(card, marines=ON_THE_TILE, skulls=[card])
    counters = ["T01", "G01", "T02", "G02", "T03", "G03"]
    events = skull(level, card, *counters)
    assert list(placed(events).items()) == list(zip(ENTRIES.values(), counters, strict=True))
    level = board_of(card, marines={"MAX": "d6", "ADR": "V1"}, skulls=[card])
    events = skull(level, card, *counters)
    assert struck(events) == [("MAX", "counter")]
    assert list(placed(events).values()) == ["T01", "G01", "G02", "T03", "G03"]
    level = board_of(card, marines={"MAX": "h3"}, tyranids={"h6": "termagant"}, bag=[], skulls=[card])
    events = skull(level, card)
    assert {event.reason for event in of(events, ReinforcementBlocked)} <= {"bag_empty", "wall"}
    assert (placed(events), charges(events), dice(events)) == ({}, [], [])


def unseen_killers(card: str) -> None:
    """A Lictor beside each Marine, in roster order; who has no room is wounded, but not on the entry tile; no claws."""
    level = scene_of(card, "#########\n#M.#A#.R#\n#########", skulls=[card])
    events = skull(level, card)
    assert list(placed(events).items()) == [("c2", "L01"), ("g2", "L02")]
    assert {event.kind for event in of(events, CounterTaken)} == {"lictor"}
    assert (struck(events), dice(events)) == ([("ADR", "ambush")], [])
    level = board_of(card, marines=ON_THE_TILE, skulls=[card])
    events = skull(level, card)
    assert (placed(events), struck(events)) == ({"h1": "L01"}, [])
    # One Lictor is left in the bag: beside the next Marine any counter comes.
    level = scene_of(card, "#########\n#M.#A#.R#\n#########", skulls=[card], bag=["L05", "T12"])
    events = skull(level, card, "T12")
    assert list(placed(events).items()) == [("c2", "L05"), ("g2", "T12")]
    assert the(events, CounterDrawn).item == "T12"
    events = skull(scene_of(card, "#########\n#M.#A#.R#\n#########", skulls=[card], bag=[]), card)
    assert (placed(events), struck(events)) == ({}, [])


def relentless_pursuit(card: str) -> None:
    """On every empty entry; a held one does not spread, and a Marine on one is left alone."""
    level = board_of(card, marines={"MAX": "l4", "ADR": "V1"}, tyranids={"d6": "termagant"}, skulls=[card])
    events = skull(level, card, "G01", "L01", "G02", "T12")
    assert list(placed(events).items()) == [("f3", "G01"), ("h6", "L01"), ("c10", "G02"), ("h10", "T12")]
    assert struck(events) == []
    level = board_of(card, marines=ON_THE_TILE, skulls=[card])
    assert list(placed(skull(level, card, "T01", "T02", "T03", "G01", "G02", "L01"))) == [*ENTRIES.values()]
    level = board_of(card, marines=ON_THE_TILE, skulls=[card], bag=["T11", "T12"])
    assert list(placed(skull(level, card, "T12", "T11"))) == ["f3", "l4"]


def hyper_regeneration(card: str) -> None:
    """One damage counter off the Prime; if there is none, creatures around it."""
    for damage in (1, 2):
        level = board_of(card, marines={"MAX": "V1"}, damage=damage, skulls=[card])
        events = skull(level, card)
        assert the(events, PrimeHealed).damage == level.state.damage == damage - 1
        assert placed(events) == {}
    level = board_of(card, marines={"MAX": "f9", "ADR": "V1"}, skulls=[card])
    events = skull(level, card, "T01", "G01", "L01")
    assert list(placed(events).items()) == [("f7", "T01"), ("g8", "G01")]
    assert (struck(events), of(events, PrimeHealed)) == ([("MAX", "counter")], [])
    events = skull(board_of(card, marines={"MAX": "f9", "ADR": "V1"}, skulls=[card], bag=[]), card)
    assert (placed(events), struck(events)) == ({}, [])


def wrath_of_the_hive_mind(card: str) -> None:
    """Whom the Prime sees within eight squares is wounded without a die; the next one behind him is too far."""
    units = {"b4": "R", "j2": "M", "k2": "A", "d3": "L", "d2": "v"}
    level = scene_of(card, chamber(10, 3, **units), objective="b2", skulls=[card])
    events = skull(level, card)
    assert dice(events) == []
    assert struck(events) == [("MAX", "spines"), ("RAP", "spines"), ("VOR", "spines")]
    assert [level.wounds(code) for code in level.state.squad] == [1, 0, 1, 0, 2], "Vorne was wounded before"
    level = scene_of(card, chamber(10, 3, d2="T", f2="M"), objective="b2", skulls=[card])
    assert struck(skull(level, card)) == []
    for other in "TGX":
        level = scene_of(card, chamber(8, 4, f2=other, f4="M"), objective="b5", skulls=[card])
        assert struck(skull(level, card)) == [], "what others see is no matter"


SCENES: dict[str, Scene] = {
    "ADV-1-1": hive_frenzy,
    "ADV-1-2": brood_explosion,
    "ADV-2-1": unseen_killers,
    "ADV-2-2": relentless_pursuit,
    "ADV-3-1": hyper_regeneration,
    "ADV-3-2": wrath_of_the_hive_mind,
}


@pytest.mark.parametrize("card", SCENES)
def test_sma_adv_3_a_skull_card_does_what_its_text_says(card: str) -> None:
    """SMA-INF-1: its own steps, then one more card is turned over."""
    SCENES[card](card)


def test_the_scenes_are_all_the_skull_cards() -> None:
    assert tuple(SCENES) == tuple(card for level in (1, 2, 3) for card in CATALOGUE.skull_cards[level])
    assert set(SCENES) == {card.id for card in CATALOGUE.infestation.values() if card.skull}
    assert len(SCENES) == 6


@pytest.mark.parametrize("card", SCENES)
def test_e45_the_canticle_on_a_skull_card_stops_its_further_card(card: str) -> None:
    """E45: none of its steps, no further card; it counts as turned over."""
    level = board_of(card, marines={"MAX": "f6"}, cards={"MAX": "SP-16"}, skulls=[card], damage=card == "ADV-3-1")
    before = level.tyranids
    deck = cards_left(level.state)
    level.infest(card)
    events = level.do("react SP-16")
    assert (revealed(events), level.asked, deck - cards_left(level.state)) == ([], "Ready", 1)
    assert (level.tyranids, level.wounds("MAX"), level.state.damage) == (before, 0, card == "ADV-3-1")


@pytest.mark.parametrize("card", SCENES)
def test_e46_the_further_card_has_its_own_window(card: str) -> None:
    """E46: the Canticle may be kept for the card that comes after."""
    level = board_of(
        card, marines={"MAX": "V2"}, cards={"MAX": "SP-16"}, skulls=[card], damage=card == "ADV-3-1", bag=[]
    )
    level.infest(card)
    level.do("pass", after(card))
    assert level.asked == "Revealed"
    events = level.do("react SP-16")
    assert not of(events, InfestationResolved)
    assert level.asked == "Ready"


@pytest.mark.parametrize("card", SCENES)
def test_ruling_33_a_skull_card_that_comes_last_asks_for_no_card_that_is_not_there(card: str) -> None:
    """SMA-END-3: the deck has run out with it."""
    level = board_of(card, marines={"MAX": "V1"}, infestation=[card], skulls=[card], damage=card == "ADV-3-1", bag=[])
    events = level.infest(card)
    assert (the(events, LevelEnded).reason, revealed(events), level.asked) == ("deck_out", [card], "")
