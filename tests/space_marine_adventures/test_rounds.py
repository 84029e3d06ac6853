"""Rounds: the activation deck, whose card gives whom a turn, infestation cards that are never reshuffled, their end."""

from __future__ import annotations

import pytest
from helpers import CATALOGUE, LULL, Level, chamber, drawn, laid, names, of, the

from warptape.domain.chance import Draw, Fate
from warptape.domain.errors import ImpossibleOutcome
from warptape.domain.events import CardDrawn, DeckShuffled, Event
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.events import (
    ActivationPiled,
    ActivationRevealed,
    InfestationCancelled,
    InfestationResolved,
    InfestationRevealed,
    LevelEnded,
    MarineTakenOut,
    RoundEnded,
    RoundStarted,
    SpecialDiscarded,
    TurnEnded,
    TurnStarted,
)
from warptape.domain.space_marine_adventures.positions import position
from warptape.domain.space_marine_adventures.state import Options

TWO = {"MAX": "V1", "VOR": "V2"}
DRAW_NEEDED = Options(deck_out="draw_needed")


def quiet_round(level: Level) -> list[Event]:
    """Turn over every activation card of a round in which nothing happens, and return all events."""
    happened: list[Event] = []
    round_ = level.state.round
    lulls = [card for card in CATALOGUE.decks[1] if card in ("INF-1-12", "INF-1-17", "INF-1-23", LULL)]
    while level.state.round == round_ and level.asked:
        card = level.state.chance.decks[f"activation/{round_}"].left()[0]
        happened += level.do("next", card, *([lulls.pop()] if "tyranid" in card else []))
        if level.asked == "Turn":
            happened += level.do("end")
    return happened


# The activation deck


def test_sma_round_1_each_round_starts_with_the_deck_shuffled_face_down() -> None:
    level = laid(marines=TWO)
    assert level.state.chance.decks["activation/1"].seen == {}
    events = quiet_round(level)
    assert [event.round for event in of(events, RoundStarted)] == [2]
    shuffled = the(events, DeckShuffled)
    assert (shuffled.deck, shuffled.ordinal, shuffled.rule) == ("activation", 2, "SMA-ROUND-1")
    assert sorted(shuffled.items) == sorted(level.state.deck)
    assert level.state.chance.decks["activation/2"].seen == {}
    tops = {Fate(f"top {seed}").card(level.state.chance, Draw("activation/2", 0)) for seed in range(80)}
    assert tops == {*level.state.deck}


def test_sma_round_2_the_top_card_is_turned_over_resolved_and_piled() -> None:
    level = laid(marines=TWO)
    events = level.do("next", "act-vorne-2")
    assert names(events) == ["ActionTaken", "CardDrawn", "ActivationRevealed", "TurnStarted", "Awaiting"]
    drawn_card = the(events, CardDrawn)
    assert (drawn_card.deck, drawn_card.place, drawn_card.item) == ("activation/1", 0, "act-vorne-2")
    assert level.state.activation == "act-vorne-2"
    events = level.do("end")
    assert the(events, ActivationPiled).card == "act-vorne-2"
    assert level.state.activation == ""
    assert the(level.do("next", "act-maximus-1"), CardDrawn).place == 1
    level.do("end")
    with pytest.raises(ImpossibleOutcome, match="act-vorne-2"):
        level.do("next", "act-vorne-2")


def test_sma_round_2_a_turn_comes_first() -> None:
    level = laid(marines=TWO, turn="MAX")
    assert level.why("next") == "SMA-ROUND-2"
    level.do("end")
    assert level.why("next") == ""
    assert level.why("end") == "SMA-ROUND-2"


def test_sma_round_3_a_marines_card_gives_that_marine_a_turn() -> None:
    level = laid(marines={**TWO, "ADR": "V3"}, wounded=["ADR"])
    assert level.why("mv h1") == "SMA-ROUND-3"
    assert level.why("con") == "SMA-ROUND-3"
    for card, code, allowance, side in (
        ("act-maximus-1", "MAX", 4, "healthy"),
        ("act-adrix-1", "ADR", 3, "wounded"),
        ("act-vorne-2", "VOR", 3, "healthy"),
        ("act-maximus-2", "MAX", 4, "healthy"),
    ):
        events = level.do("next", card)
        assert the(events, ActivationRevealed).shows == code
        turn = the(events, TurnStarted)
        assert (turn.marine, turn.allowance, turn.side) == (code, allowance, side)
        assert the(level.do("end"), TurnEnded).reason == "ended"


def test_e17_sma_round_4_the_card_of_a_marine_who_is_out_does_nothing() -> None:
    """E17: pile, nothing; his special cards are in the box (SMA-SPEC-4)."""
    level = drawn(chamber(4, 1, b2="m", c2="T", e2="A"), cards={"MAX": "SP-01 SP-07", "ADR": "SP-12"})
    level.infest("INF-1-17", 1)
    events = level.do("pass")
    assert the(events, MarineTakenOut).marine == "MAX"
    assert [(e.marine, e.card) for e in of(events, SpecialDiscarded)] == [("MAX", "SP-01"), ("MAX", "SP-07")]
    assert level.state.used == ["SP-01", "SP-07"]
    events = level.turn("MAX")
    assert names(events) == ["ActionTaken", "CardDrawn", "ActivationRevealed", "ActivationPiled"]
    assert the(events, ActivationPiled).rule == "SMA-ROUND-4"
    assert level.asked == "Ready"


def test_sma_round_5_a_tyranid_card_turns_over_the_top_infestation_card() -> None:
    level = laid(marines=TWO)
    events = level.do("next", "act-tyranid-3", LULL)
    assert the(events, ActivationRevealed).shows == "tyranid"
    _, infestation = of(events, CardDrawn)
    assert (infestation.deck, infestation.place) == ("infestation/1", 0)
    assert the(events, InfestationRevealed).card == LULL
    assert names(events)[-2:] == ["InfestationResolved", "ActivationPiled"]
    assert not of(events, TurnStarted)


def test_sma_round_6_the_round_ends_with_the_deck_and_the_pile_is_the_next_one() -> None:
    level = laid(marines=TWO)
    events = quiet_round(level)
    assert len(of(events, ActivationRevealed)) == 8
    told = [name for name in names(events) if name != "Awaiting"]
    assert told[-3:] == ["RoundEnded", "RoundStarted", "DeckShuffled"]
    assert the(events, RoundEnded).round == 1
    assert {event.card for event in of(events, ActivationPiled)} == {*the(events, DeckShuffled).items}
    assert level.state.round == 2


def test_sma_round_7_a_marine_taken_out_leaves_his_two_cards_in_the_deck() -> None:
    level = laid(marines={"VOR": "V2"}, out=["MAX", "ADR"])
    events = quiet_round(level)
    items = the(events, DeckShuffled).items
    assert sum(RULESET.book.shows[card] == "MAX" for card in items) == 2
    assert len(items) == 10
    assert len(of(events, TurnStarted)) == 2


# The infestation deck


def test_sma_round_8_a_card_is_fully_resolved_before_anything_else() -> None:
    level = drawn(chamber(5, 3, d3="M"), cards={"MAX": "SP-14 SP-16"})
    level.infest("INF-1-15")
    assert level.asked == "Revealed"
    level.do("pass")
    assert level.asked == "Ambushed"
    for line in ("next", "sp SP-14", "end", "mv d2"):
        assert level.why(line), line
    events = level.do("pick d2", "T01", 6)
    assert the(events, InfestationResolved).rule == "SMA-ROUND-8"
    assert level.why("next") == ""


def test_sma_round_8_an_infestation_card_comes_once_a_level_and_is_never_reshuffled() -> None:
    """Over whole games of the laziest squad: six rounds of four cards each, then the deck has run out (SMA-END-3)."""
    for seed in range(3):
        match = Match(RULESET, Fate(f"lazy {seed}"))
        while (decision := match.decision) is not None:
            calm = (act.NEXT, act.END, act.PASS)
            match.act(next((action for action in calm if action in decision.actions), decision.actions[0]))
        events = match.events
        cards = [event.card for event in of(events, InfestationRevealed)]
        assert len({*cards}) == len(cards)
        assert sum(event.deck == "infestation" for event in of(events, DeckShuffled)) == 1
        ended = the(events, LevelEnded)
        if ended.reason == "deck_out":
            assert sorted(cards) == sorted(CATALOGUE.decks[1])
            assert match.state.round == 6
            assert match.outcome is not None
            assert match.outcome.figures["cards_left"] == 0


def test_sma_end_3_and_4_the_deck_has_run_out_when_its_last_card_is_resolved() -> None:
    """E18, SMA-END-4, and ruling 33 either way: `deck_out`."""
    marines = {"MAX": "X1", "ADR": "X2", "RAP": "X3", "LUK": "h4"}
    level = laid(entry="C", exit="A", marines=marines, infestation=["INF-1-23"])
    events = level.infest("INF-1-23")
    assert the(events, InfestationResolved).cards_left == 0
    ended = the(events, LevelEnded)
    assert (ended.reason, ended.result, ended.on_exit, ended.in_play) == ("deck_out", "minor", 3, 4)
    assert level.asked == ""

    level = laid(entry="C", exit="A", marines=marines, infestation=["INF-1-23"], options=DRAW_NEEDED)
    assert not of(level.infest("INF-1-23"), LevelEnded)
    assert level.asked == "Ready"
    level.turn("LUK")
    level.do("mv h3")
    level.do("end")
    events = level.do("next", level.unused("tyranid"))
    assert not of(events, InfestationRevealed)
    assert the(events, LevelEnded).reason == "deck_out"


def test_a_card_warded_off_counts_as_turned_over() -> None:
    """SMA-ROUND-8, E31: none of its steps, and it is out for the level; whoever is out of action wards nothing off."""
    level = drawn(
        chamber(3, 3, b2="M", b3="T", d4="A"), cards={"ADR": "SP-16"}, infestation=["INF-1-17", "INF-1-18", LULL]
    )
    level.infest("INF-1-17")
    assert level.legal() == {"react SP-16", "pass"}
    assert level.why("next") == "SMA-SPEC-7"
    assert level.why("react SP-07") == "SMA-SPEC-1"
    events = level.do("react SP-16")
    stopped = the(events, InfestationCancelled)
    assert (stopped.card, stopped.by, stopped.cards_left) == ("INF-1-17", "SP-16", 2)
    assert (level.wounds("MAX"), level.state.card, level.state.used) == (0, "", ["SP-16"])
    assert the(events, ActivationPiled).card
    with pytest.raises(ImpossibleOutcome, match="INF-1-17"):
        level.infest("INF-1-17")


def test_the_canticle_may_be_kept_for_a_worse_card() -> None:
    level = drawn(chamber(3, 3, b2="M", b3="T"), cards={"MAX": "SP-16"})
    level.infest("INF-1-17")
    level.do("pass", 6)
    assert level.state.marines["MAX"].cards == ["SP-16"]
    level.infest("INF-1-18")
    assert level.asked == "Revealed"
    level.do("react SP-16")
    assert level.wounds("MAX") == 0


def test_known_cards_are_turned_over_in_the_order_chosen_without_a_draw() -> None:
    level = drawn(chamber(3, 3, b2="M"), cards={"MAX": "SP-14"})
    level.do("sp SP-14", "INF-1-17", LULL, "INF-1-23")
    level.do("order 2 3 1")
    for card in (LULL, "INF-1-23", "INF-1-17"):
        events = level.do("next", level.unused("tyranid"))
        revealed = the(events, InfestationRevealed)
        assert (revealed.card, revealed.source) == (card, "known_top")
        assert [event.deck for event in of(events, CardDrawn)] == ["activation/1"]
    assert level.state.known == []
    assert the(level.infest("INF-1-12"), InfestationRevealed).source == "draw"


def test_what_a_position_says_has_been_seen_is_dealt_to_no_other_place() -> None:
    """SMA-ROUND-8, SMA-CON-4: a seeded source deals only the rest, whatever its seed."""
    for seed in range(20):
        state = position(marines={"MAX": "V1"}, known=[LULL, "INF-1-23"], peeked={"B": "sealed", "D": "open"})
        decks = state.chance.decks
        cards = [Fate(f"seen {seed}").card(state.chance, Draw("infestation/1", place)) for place in range(24)]
        assert cards[:2] == [LULL, "INF-1-23"]
        assert sorted(cards) == sorted(CATALOGUE.decks[1])
        rest = Fate(f"seen {seed}").card(state.chance, Draw("bulkheads/1", 1))
        assert [rest] == decks["bulkheads/1"].left()


def test_the_last_known_card_is_the_last_of_the_deck() -> None:
    """SMA-END-4 counts the known top too."""
    level = drawn(chamber(3, 3, b2="M"), known=[LULL, "INF-1-23"], infestation=[])
    level.do("next", level.unused("tyranid"))
    assert level.asked == "Ready"
    events = level.do("next", level.unused("tyranid"))
    assert the(events, LevelEnded).reason == "deck_out"
