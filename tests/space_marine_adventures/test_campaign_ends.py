"""A level of a campaign that ends in the midst of something: a run, a free action, a card, a deck that has run out."""

from __future__ import annotations

from typing import Any

import pytest
from campaigns import CAMPAIGN, campaign, entered, into, last_card, last_step, revealed, standing
from helpers import LULL, Level, laid, names, of, the

from warptape.domain.events import Awaiting, Event
from warptape.domain.space_marine_adventures.events import (
    ActivationPiled,
    FreeActionsLapsed,
    InfestationResolved,
    LevelCleared,
    LevelEnded,
    LevelStarted,
    MarineMoved,
    MarineTakenOut,
    RoundStarted,
    TurnEnded,
)

SETTING_UP = ["ChooseBoard", "ChooseEntry", "CallMarine", "Populate", "EquipSquad", "Begin", "Ready"]
"""What is to be done for the next level, in this order."""


def pending(level: Level) -> list[str]:
    """What is still to do, the next first."""
    return [type(step).__name__ for step in level.state.pending][::-1]


def on(level: Level, events: list[Event]) -> None:
    """The level is completed in these events, nothing of it is left to do, and the next one can be played."""
    assert the(events, LevelEnded).result == "completed"
    kinds = names(events)
    assert kinds[kinds.index("LevelEnded") :][-3:] == ["LevelCleared", "LevelStarted", "Awaiting"]
    assert pending(level) == SETTING_UP
    assert of(events, Awaiting)
    state = level.state
    assert state.ended is None
    assert (state.turn, state.free, state.activation, state.card, state.more) == (None, None, "", "", 0)
    into(level)
    assert (level.asked, state.round) == ("Ready", 1)
    level.turn(level.state.squad[0])
    assert level.left == level.rules.book.side(state, level.state.squad[0]).actions


def test_a_run_through_marines_onto_the_tile() -> None:
    """SMA-MOVE-6, SMA-END-5: the run ends on X3, and the level with it, though actions are left."""
    level = laid(marines={"MAX": "m10", "ADR": "X1", "RAP": "X2"}, out=["LUK"], exit="B", turn="MAX", options=CAMPAIGN)
    events = level.do("mv X1>X2>X3")
    assert the(events, MarineMoved).path == ("X1", "X2", "X3")
    assert not of(events, TurnEnded)
    on(level, events)


def test_an_order_of_maximus_takes_the_last_one_there() -> None:
    """SMA-ABIL-MAX: a free Move inside his turn: both are over."""
    level = laid(marines={"MAX": "X2", "ADR": "m10", "RAP": "X3"}, out=["LUK"], exit="B", turn="MAX", options=CAMPAIGN)
    events = level.do("cmd ADR mv X1")
    assert the(events, FreeActionsLapsed).marine == "ADR"
    assert not of(events, TurnEnded)
    on(level, events)


def test_a_free_move_on_overwatch_with_an_attack_left() -> None:
    """SMA-ABIL-RAP, SMA-ACT-7: between turns; the free Attack that is left lapses."""
    level = laid(
        marines={"RAP": "m10", "ADR": "X2", "MAX": "X3"},
        out=["LUK"],
        tyranids={"X1": "termagant"},
        exit="B",
        cards={"RAP": "SP-28"},
        options=CAMPAIGN,
    )
    level.do("sp SP-28")
    level.do("free at X1", 6)
    events = level.do("free mv X1")
    assert the(events, FreeActionsLapsed).count == 1
    on(level, events)


def test_free_moves_and_bonuses_of_a_turn_end_with_the_level() -> None:
    """SMA-ACT-7: Maximus has free Moves and actions left when he steps on the tile."""
    level = last_step(1, free_moves=3, actions=4)
    events = level.do("mv X1")
    assert not of(events, TurnEnded)
    assert not of(events, ActivationPiled)
    on(level, events)


def test_a_teleport_onto_the_tile() -> None:
    """SMA-END-5: after each action, a special card included; the card is used up."""
    level = laid(
        marines={"MAX": "h2", "ADR": "X2", "RAP": "X3"},
        out=["LUK"],
        exit="B",
        turn="MAX",
        cards={"MAX": "SP-26"},
        options=campaign(used_cards="out_for_campaign"),
    )
    events = level.do("sp SP-26 X4")
    assert the(events, LevelCleared).keep == ("SP-26",)
    on(level, events)


def test_e54_a_straggler_taken_out_in_mid_card_of_a_campaign() -> None:
    """E54: SMA-END-5: the second step is carried out, then the level is completed; the wound of it goes over."""
    level = laid(
        marines={"MAX": "X1", "ADR": "X3", "RAP": "f3"},
        wounded=["RAP"],
        out=["LUK"],
        tyranids={"f2": "termagant", "f4": "termagant", "X2": "termagant"},
        exit="B",
        options=CAMPAIGN,
    )
    events = level.infest("INF-1-15", 1, 6)
    assert names(events).index("MarineTakenOut") < names(events).index("DiceRolled") < names(events).index("LevelEnded")
    assert (the(events, LevelEnded).reason, the(events, LevelEnded).on_exit) == ("all_on_exit", 2)
    assert level.state.fallen == ("RAP", "LUK")
    on(level, events)
    assert (level.wounds("MAX"), level.wounds("ADR")) == (1, 0)


def test_the_last_card_of_the_deck() -> None:
    """SMA-END-4: the card is done with, then the level; the round is over with it."""
    level = last_card(1, standing(3), out=["LUK"], activation=["act-tyranid-1"])
    level.state.marines["RAP"].square = "h2"  # not all are on the tile
    level.state.moved()
    events = level.infest(LULL)
    assert names(events).index("InfestationResolved") < names(events).index("LevelEnded")
    assert the(events, LevelEnded).reason == "deck_out"
    assert not of(events, RoundStarted)
    on(level, events)


def test_a_skull_card_asks_for_more_than_the_deck_has() -> None:
    """SMA-ADV-3, ruling 33: what it asks for is forgotten with the level."""
    level = laid(
        marines={"MAX": "X1", "ADR": "X2", "RAP": "h2"},
        out=["LUK"],
        exit="B",
        bag=[],
        infestation=["ADV-1-2"],
        options=campaign(skull_cards="ADV-1-2"),
    )
    events = level.infest("ADV-1-2")
    assert level.state.more == 0
    on(level, events)


def test_all_on_the_tile_before_the_extra_card_of_a_skull_card() -> None:
    """SMA-END-5: the straggler is taken out by Hive Frenzy: the level ends, and no further card is turned over."""
    level = laid(
        marines={"MAX": "X1", "ADR": "X2", "RAP": "h2"},
        wounded=["RAP"],
        out=["LUK"],
        tyranids={"h3": "termagant"},
        exit="B",
        infestation=["ADV-1-1", LULL],
        options=CAMPAIGN,
    )
    events = level.infest("ADV-1-1", 1)
    assert the(events, MarineTakenOut).marine == "RAP"
    assert revealed(events) == ["ADV-1-1"]
    on(level, events)


def test_draw_needed_ends_the_level_when_a_card_is_wanted() -> None:
    """`deck_out = draw_needed`: the last card is resolved and play goes on; the next Tyranid card ends the level."""
    squares = {"MAX": "X1", "ADR": "X2", "RAP": "h2"}
    level = last_card(1, squares, out=["LUK"], options=campaign(deck_out="draw_needed"))
    assert of(level.infest(LULL), InfestationResolved)
    assert level.state.level == 1
    level.turn("RAP")
    level.do("end")
    events = level.do("next", level.unused("tyranid"))
    assert the(events, LevelEnded).reason == "deck_out"
    assert revealed(events) == []
    on(level, events)


def test_draw_needed_within_a_skull_card() -> None:
    """`deck_out = draw_needed`: the extra card is the one that is wanted."""
    level = last_card(
        1,
        {"MAX": "X1", "ADR": "X2", "RAP": "h2"},
        out=["LUK"],
        bag=[],
        options=campaign(deck_out="draw_needed", skull_cards="ADV-1-2"),
    )
    deck = level.state.chance.decks["infestation/1"]
    deck.items = ("ADV-1-2",)
    events = level.infest("ADV-1-2")
    assert names(events).index("InfestationResolved") < names(events).index("LevelEnded")
    on(level, events)


def test_the_canticle_on_the_last_card_of_a_level() -> None:
    """E31, SMA-CAMP-12: the level is over; the card that was used is drawn from again."""
    level = last_card(1, {"MAX": "X1", "ADR": "X2", "RAP": "h2"}, out=["LUK"], cards={"ADR": "SP-16 SP-01"})
    level.infest(LULL)
    assert level.asked == "Revealed"
    events = level.do("react SP-16")
    assert level.state.marines["ADR"].cards == ["SP-01"]
    on(level, events)


@pytest.mark.parametrize("marines", [{"MAX": "X1"}, {"MAX": "X1", "ADR": "h2"}])
def test_too_few_on_the_tile_lose_whatever_ends_the_level(marines: dict[str, str]) -> None:
    """SMA-CAMP-4, SMA-CAMP-5."""
    level = last_card(1, marines, out=["RAP", "LUK"])
    events = level.infest(LULL)
    assert the(events, LevelEnded).result == "campaign_lost"
    assert not of(events, LevelStarted)
    assert pending(level) == []


def test_nothing_of_the_old_level_can_be_done_at_the_next_board() -> None:
    """SMA-SETUP-16: before a board lies, no action of play and no choice of the old one is taken."""
    level = last_step(1, cards={"ADR": "SP-28 SP-14"})
    level.do("mv X1")
    for line in ("next", "end", "con", "pass", "sp SP-14", "sp SP-28", "react SP-16", "enter A", "cmd ADR"):
        assert level.why(line) == "SMA-SETUP-16", line
    assert level.why("squad MAX ADR RAP LUK") == "SMA-SETUP-17"
    for line in ("next", "end", "con", "sp SP-14"):
        entered_level = last_step(1, cards={"ADR": "SP-14"})
        entered_level.do("mv X1")
        entered(entered_level)
        assert entered_level.why(line) == "SMA-SETUP-16", line


def test_the_chance_of_a_level_is_not_that_of_the_next() -> None:
    """Decks of the old level are remembered, and never drawn from again; the bag is a new one."""
    level = last_step(1, infestation=["INF-1-01", "INF-1-02"], bag=["T01", "G01"])
    old: dict[str, Any] = {name: deck for name, deck in level.state.chance.decks.items() if deck.left()}
    assert {*old} == {"infestation/1", "activation/1"}
    level.do("mv X1")
    assert level.state.chance.bags == {}
    assert level.state.cleared == {"infestation": 1, "activation": 1, "bulkheads": 1}
    into(level)
    for name, deck in old.items():
        assert level.state.chance.decks[name] == deck
    for name in ("infestation", "activation", "bulkheads"):
        assert level.state.chance.ordinals[name] == 2
        assert f"{name}/2" in level.state.chance.decks
