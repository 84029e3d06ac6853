"""What infestation cards can do beside what the printed decks ask of them: each primitive on a card rewritten for it."""

from __future__ import annotations

from typing import Any

from card_scenes import placed, struck
from helpers import TEXTS, Level, chamber, drawn, of, the

from warptape.domain.space_marine_adventures.events import (
    CounterTaken,
    InfestationResolved,
    InfestationRevealed,
    LevelEnded,
    MarineStruck,
)
from warptape.domain.space_marine_adventures.state import Options


def rewritten(picture: str, effect: str, **given: Any) -> Level:
    """A level whose card INF-1-24 does something else."""
    texts = {"infestation.toml": TEXTS["infestation.toml"].replace('{ op = "lull" }', effect, 1)}
    return drawn(picture, content=texts, **given)


def test_a_card_that_asks_for_a_kind_gets_it_while_the_bag_has_one() -> None:
    """No chance is asked while it does; then it is a random draw."""
    effect = '{ op = "place_entries", entries = [1, 2, 3], kind = "genestealer" }'
    entries = {"1": "d2", "2": "e2", "3": "f2"}
    level = rewritten(chamber(5, 1, b2="M"), effect, entries=entries, bag=["T05", "G02", "T06", "G04"])
    events = level.infest("INF-1-24", "T06")
    assert placed(events) == {"d2": "G02", "e2": "G04", "f2": "T06"}
    assert [event.counter for event in of(events, CounterTaken)] == ["G02", "G04"]
    assert level.bag == ["T05"]
    level = rewritten(chamber(5, 1, d2="M"), effect, entries={"1": "d2", "2": "e2", "3": "f2"}, bag=["G02"])
    assert [e.counter for e in of(level.infest("INF-1-24"), MarineStruck)] == ["G02"]
    assert level.tyranids == {"e2": "genestealer"}


def test_counters_on_empty_entries_in_their_order_until_there_are_enough() -> None:
    entries = {"1": "b2", "2": "c2", "3": "d2", "4": "e2", "5": "f2", "6": "g2"}
    effect = '{ op = "place_empty_entries", max = 2 }'
    level = rewritten(chamber(6, 1, b2="T", c2="M"), effect, entries=entries)
    assert placed(level.infest("INF-1-24", "G01", "G02")) == {"d2": "G01", "e2": "G02"}
    level = rewritten(chamber(6, 1, b2="T", c2="M"), effect, entries=entries, bag=["G01"])
    assert placed(level.infest("INF-1-24", "G01")) == {"d2": "G01"}


def test_rolls_for_entries_are_finished_one_by_one() -> None:
    effect = '{ op = "place_rolled", count = 2 }'
    level = rewritten(chamber(3, 1, b2="M"), effect, entries=dict.fromkeys("123456", "c2"))
    events = level.infest("INF-1-24", 3, "T01", 5, "T02", "T03")
    assert placed(events) == {"c2": "T01", "d2": "T02"}
    assert [event.marine for event in of(events, MarineStruck)] == ["MAX"]


def test_a_list_for_a_kind_on_the_board_or_not() -> None:
    """The board includes the vessel tiles."""
    lists = 'then = [{ op = "spores", who = "each", minus = 1 }], else = []'
    effect = f'{{ op = "branch", if_kind_on_board = "genestealer", {lists} }}'
    for symbol, spores in (("G", 1), ("T", 0)):
        level = rewritten(chamber(5, 1, b2="M", f2=symbol), effect)
        level.infest("INF-1-24")
        assert level.state.marines["MAX"].spores == spores


def test_a_list_for_an_empty_bag_goes_by_the_bag_when_the_card_is_turned_over() -> None:
    """SMA-INF-1: what the card's own first step takes out of it changes nothing."""
    lists = 'then = [{ op = "spores", who = "each", minus = 1 }], else = [{ op = "spores", who = "each", minus = 2 }]'
    effect = (
        f'{{ op = "place_entries", entries = [1], kind = "bag" }}, {{ op = "branch", if_bag_empty = true, {lists} }}'
    )
    for bag, spores in ((["T05"], 2), ([], 1)):
        level = rewritten(chamber(5, 1, b2="M"), effect, entries={"1": "f2"}, bag=bag)
        level.infest("INF-1-24", *bag)
        assert level.bag == []
        assert level.state.marines["MAX"].spores == spores


def test_spines_on_6_need_no_die() -> None:
    effect = '{ op = "spines", kinds = ["genestealer"], range = 2, wound_on = 6 }'
    level = rewritten(chamber(5, 1, b2="M", d2="G", f2="A"), effect)
    assert struck(level.infest("INF-1-24")) == [("MAX", "spines"), ("ADR", "spines")]
    level = rewritten(chamber(5, 1, b2="M", e2="G"), effect)
    assert struck(level.infest("INF-1-24")) == []


def test_further_cards_are_turned_over_one_by_one_each_with_its_own_window() -> None:
    """As E45 and E46: a card warded off asks for none; one that is asked for may be warded off alone."""
    effect = '{ op = "extra_infestation", count = 2 }'
    level = rewritten(chamber(3, 1, b2="M", c2="T"), effect)
    events = level.infest("INF-1-24", "INF-1-12", "INF-1-17", 6)
    assert [event.card for event in of(events, InfestationRevealed)] == ["INF-1-24", "INF-1-12", "INF-1-17"]
    assert len(of(events, InfestationResolved)) == 3
    assert (level.asked, level.state.more, level.state.activation) == ("Ready", 0, "")

    level = rewritten(chamber(3, 1, b2="M", c2="T"), effect, cards={"MAX": "SP-16"})
    level.infest("INF-1-24")
    events = level.do("react SP-16")
    assert (of(events, InfestationRevealed), level.asked) == ([], "Ready")

    level = rewritten(chamber(3, 1, b2="M", c2="T"), effect, cards={"MAX": "SP-16"})
    level.infest("INF-1-24")
    level.do("pass", "INF-1-18")
    assert level.asked == "Revealed"
    events = level.do("react SP-16", "INF-1-12")
    assert [event.card for event in of(events, InfestationRevealed)] == ["INF-1-12"]
    assert (level.wounds("MAX"), level.asked) == (0, "Ready")

    level = rewritten(chamber(3, 1, b2="M"), effect, infestation=["INF-1-24", "INF-1-12"])
    events = level.infest("INF-1-24", "INF-1-12")
    assert the(events, LevelEnded).reason == "deck_out"


def test_a_further_card_of_a_deck_that_is_empty() -> None:
    """Ruling 33: with `draw_needed` asking for one ends the level at once; else its last card has ended it."""
    effect = '{ op = "extra_infestation", count = 1 }'
    for deck_out in ("draw_needed", "last_resolved"):
        options = Options(deck_out=deck_out)  # type: ignore[arg-type]
        level = rewritten(chamber(3, 1, b2="M"), effect, infestation=["INF-1-24"], options=options)
        events = level.infest("INF-1-24")
        assert len(of(events, InfestationResolved)) == 1
        assert the(events, LevelEnded).reason == "deck_out"
        assert level.asked == ""
