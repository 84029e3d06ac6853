"""The exploration sequence: what sets it off, what each step does, and what happens to those who stand in its way."""

from __future__ import annotations

import pytest
from hive import BOOK, at, of, play
from hull import FIXED, NEAR, explore, hull, moves, names

from warptape.domain.events import CardDrawn, DeckShuffled
from warptape.domain.states import Shuffled
from warptape.domain.tyranid_attack.actions import UseModel
from warptape.domain.tyranid_attack.events_model import (
    ArtifactsGone,
    ModelKilled,
    ModelsLost,
)
from warptape.domain.tyranid_attack.events_ship import (
    CardLaid,
    CardPutAway,
    CardTurned,
    CystGone,
    DeckMade,
    EntryAreaSet,
    ExplorationEnded,
    ExplorationTriggered,
    PeekRolled,
    SectionEntered,
    SectionLaid,
    SectionRemoved,
    TileShown,
    TileTaken,
)
from warptape.domain.tyranid_attack.state import FaceDown, Options

# What sets it off


def test_ta_expl_1_a_section_is_unexplored_while_a_card_lies_on_it() -> None:
    p = play(models=NEAR, active="SC1", options=FIXED)
    assert {*p.state.cards} == {6}
    p, events = explore()
    assert {*p.state.cards} == {1}  # the new front; 6 is explored
    assert [card.section for card in of(events, CardTurned)] == [6]


def test_ta_expl_2_a_marine_that_moves_onto_it_triggers() -> None:
    _, events = explore()
    (trigger,) = of(events, ExplorationTriggered)
    assert (trigger.model, trigger.section) == ("SC1", 6)


def test_ta_expl_2_tyranids_never_do() -> None:
    p = play("tyranid", models={"GE1": "5:e2", "SC1": "1:b6"}, active="GE1")
    events = p.do("move GE1 6:e10")
    assert not of(events, ExplorationTriggered)
    assert not of(events, SectionRemoved)
    assert {*p.state.cards} == {6}


def test_ta_expl_3_it_first_finishes_its_move_and_attack() -> None:
    p = play(models={**NEAR, "GE1": "6:e7"}, active="SC1", card="EX-01", options=FIXED)
    p.do("move SC1 6:e10")
    assert p.state.active == "SC1"
    events = p.do("shoot SC1 GE1", 1, 2, 3)  # two dice, then the way of the new front
    assert [event.laid.section for event in of(events, SectionLaid)] == [1]
    assert of(events, ExplorationEnded)


def test_e_7_ta_expl_13_a_shared_square_counts() -> None:
    p = play(models=NEAR, active="SC1", card="EX-01", options=FIXED)
    events = p.do("move SC1 5:e1", 3)
    (trigger,) = of(events, ExplorationTriggered)
    assert trigger.at == hull(p).at("6:e11")
    assert of(events, CardTurned)


def test_e_8_there_and_back_in_one_move_triggers() -> None:
    """TA-EXPL-13: it needs the steps within one move, and the word `enter`."""
    p = play(models=NEAR, active="SC1", card="EX-01", options=FIXED)
    assert ("5:e2", "enter") in moves(p)
    assert p.why("move SC1 5:e2") == "TA-MOVE-1"
    events = p.do("move SC1 5:e2 enter", 3)
    assert of(events, ExplorationTriggered)
    assert at(p.state, "SC1") == "5:e2"
    p = play(models={"SC1": "5:h4", "SC2": "4:b6"}, active="SC1", options=FIXED)
    assert ("5:h4", "enter") not in moves(p)  # 5 squares there, 5 back


def test_ta_expl_13_any_square_entered_on_the_way_counts() -> None:
    p = play(layout="1N 4N 3N 5N 2N 6N", models={"SC1": "2:d2", "SC2": "4:b6"}, active="SC1", card="EX-01",
             options=FIXED)  # fmt: skip
    events = p.do("move SC1 2:f2 enter", 3)
    (trigger,) = of(events, ExplorationTriggered)
    assert trigger.at == hull(p).at("6:e11")
    assert at(p.state, "SC1") == "2:f2"


def test_e_9_standing_there_when_the_front_is_laid_alongside_is_no_trigger() -> None:
    """TA-EXPL-13: his next step onto another square of it is one."""
    models = {"SC1": "5:e2", "SC2": "6:o6"}
    p, _ = explore(6, models=models)  # the new front lies to the right of section 6
    assert hull(p).floor[p.state.models["SC2"].at] == [6, 1]
    assert p.state.trigger is None
    while p.state.turn == 1:
        p.do({"Free": "end", "Reinforce": "skip"}[p.asked])
    p.do("use SC2")
    p.do("done")
    assert {*p.state.cards} == {1}
    p.do("end")
    p.do("skip")
    p.do("use SC2")
    events = p.do("move SC2 1:b6")
    (trigger,) = of(events, ExplorationTriggered)
    assert (trigger.model, trigger.section, trigger.at) == ("SC2", 1, hull(p).at("1:b6"))


def test_e_51_ta_expl_20_returned_on_it_is_not_moved_onto_it() -> None:
    """TA-EXPL-20, TA-SPEC-2: his first later step into any square of it triggers, though he stood there already."""
    p = play(layout="2N 3N 4N 5N 6N 1N", models={"SC1": "6:j2", "SC2": "6:g6", "HV1": "6:e3"}, lost=["SC3", "SC4"],
             templates={"OBJ-1": "1:d8"}, active="HV1", card="EX-01", options=FIXED)  # fmt: skip
    p.do("hellfire HV1 OBJ-1", 4, 2)
    assert p.asked == "Return"
    p.do("return SC3 1:d8")
    events = p.do("return SC4 1:f8")
    assert not of(events, ExplorationTriggered)
    while p.state.turn == 1:
        p.do({"Free": "end", "Reinforce": "skip", "Acting": "done"}[p.asked])
    assert {*p.state.cards} == {1}
    p.do("use SC3")
    events = p.do("move SC3 1:e8")
    (trigger,) = of(events, ExplorationTriggered)
    assert (trigger.model, trigger.section, trigger.at) == ("SC3", 1, hull(p).at("1:e8"))


# Step 1


def test_ta_expl_4_and_6_the_rear_section_goes_and_the_entry_area_moves_up() -> None:
    """TA-EXPL-4, TA-EXPL-6, TA-EXPL-19, W-7: it fills the cell of the section that is gone."""
    p, events = explore()
    assert [gone.section for gone in of(events, SectionRemoved)] == [1]
    assert [(entry.cell, entry.section) for entry in of(events, EntryAreaSet)] == [((0, 0), 2)]
    assert (p.state.chain[0].section, p.state.entry) == (2, (0, 0))
    assert [type(e) for e in events if isinstance(e, SectionRemoved | EntryAreaSet | SectionLaid | CardLaid | CardTurned)
            ] == [SectionRemoved, EntryAreaSet, SectionLaid, CardLaid, CardTurned]  # fmt: skip


def test_e_10_ta_expl_5_and_15_who_is_lost_and_who_stays() -> None:
    p, events = explore(models={"SC1": "5:e2", "SC2": "1:e1", "SC3": "1:e2", "GE1": "1:k10"})
    (lost,) = of(events, ModelsLost)
    assert {name for name, _ in lost.models} == {"SC3", "GE1"}
    assert lost.rule == "TA-EXPL-5"
    assert at(p.state, "SC2") == "2:e11"
    assert "SC3" in p.state.lost
    assert not of(events, ModelKilled)


def test_option_shared_square_survives() -> None:
    """TA-EXPL-15, ruling G-5: without it a model on a shared square goes with the section."""
    options = Options(rotation="fixed", shared_square_survives=False)
    p, events = explore(models={"SC1": "5:e2", "SC2": "1:e1", "SC3": "1:e2"}, options=options)
    (lost,) = of(events, ModelsLost)
    assert {name for name, _ in lost.models} == {"SC2", "SC3"}
    assert "SC2" not in p.state.models


def test_e_11_a_sergeant_lost_with_the_section_no_longer_counts() -> None:
    """TA-EXPL-16: he is lost and not killed, and leaves no artifact behind."""
    p, events = explore(models={**NEAR, "SG1": "1:b6"}, artifacts={"SG1": [1]})
    assert not of(events, ModelKilled)
    assert [gone.numbers for gone in of(events, ArtifactsGone)] == [(1,)]
    assert not p.state.artifacts
    assert "SG1" in p.state.lost
    assert p.why("order mark") == "TA-ORDER-5"  # it serves one Scout now
    assert p.why("order mark SC2") == ""


def test_ta_expl_16_counters_wholly_on_it_leave_play() -> None:
    """TA-EXPL-16: artifacts for good, cysts and blobs to the supply; those on a shared square stay."""
    models = {**NEAR, "AB1": "1:n6"}
    p, events = explore(models=models, cysts=["1:b6", "1:k1"], lying={1: "1:c6", 2: "1:e1"})
    assert [gone.numbers for gone in of(events, ArtifactsGone)] == [(1,)]
    assert {*p.state.artifacts} == {2}
    assert len(of(events, CystGone)) == 1
    assert [hull(p).name(square) for square in p.state.cysts] == ["2:k11"]
    assert p.state.cysts_left == 2
    assert "AB1" in p.state.blobs


def test_ta_slave_2_mind_slaves_lost_with_it_are_spent() -> None:
    """TA-EXPL-16, ruling G-20."""
    options = Options(rotation="fixed", extra_tyranids="android=1")
    p, _ = explore(models={**NEAR, "AN1": "1:n6", "TE1": "1:b6"}, options=options)
    assert {"AN1", "TE1"} <= {*p.state.spent}
    assert "AN1" not in p.state.pool


# Step 2


@pytest.mark.parametrize(("die", "cell"), [(1, (-1, -5)), (2, (-1, -5)), (3, (0, -6)), (4, (0, -6)), (5, (1, -5)),
                                           (6, (1, -5))])  # fmt: skip
def test_w_6_ta_expl_7_the_new_front_left_ahead_or_right_of_the_explored_section(
    die: int, cell: tuple[int, int]
) -> None:
    p, events = explore(die)
    (laid,) = of(events, SectionLaid)
    assert (laid.laid.section, laid.laid.cell, laid.rolls) == (1, cell, (die,))
    assert [one.section for one in p.state.chain] == [2, 3, 4, 5, 6, 1]


def test_ta_expl_7_blocked_ways_are_rolled_again() -> None:
    """TA-EXPL-7 (ruling G-11)."""
    p = play(layout="3N 4N 2N 1E 5S 6S", models={"SC1": "5:e10", "SC2": "1:b6"}, active="SC1", card="EX-01",
             options=FIXED)  # fmt: skip
    assert {one.section: one.cell for one in p.state.chain}[6] == (1, 0)
    events = p.do("move SC1 6:e2", 5, 6, 2)  # to the right lies the cell of the section just removed
    (laid,) = of(events, SectionLaid)
    assert (laid.rolls, laid.laid.cell, laid.laid.heading) == ((5, 6, 2), (2, 0), "E")


def test_ta_expl_19_the_removed_sections_cell_is_taken_by_the_entry_area() -> None:
    p = play(layout="3N 4N 2N 1E 5S 6S", models={"SC1": "5:e10", "SC2": "1:b6"}, active="SC1", card="EX-01",
             options=FIXED)  # fmt: skip
    p.do("move SC1 6:e2", 6, 3)
    assert (p.state.entry, p.state.chain[-1].cell) == ((0, 0), (1, 1))


def test_the_new_front_is_turned_at_random_or_not() -> None:
    """TA-BOARD-9."""
    for turn, rotation in ((1, 0), (2, 180)):
        _, events = explore(3, turn, options=Options())
        assert of(events, SectionLaid)[0].laid.rotation == rotation


# Step 3


def test_ta_expl_8_the_top_card_goes_face_down_unseen() -> None:
    p, events = explore()
    (laid,) = of(events, CardLaid)
    assert (laid.section, laid.card.place, laid.left) == (1, 1, 14)
    assert 1 not in p.state.chance.decks[p.state.deck].seen
    assert not [card for card in of(events, CardDrawn) if card.place == 1]
    assert not of(events, PeekRolled)


@pytest.mark.parametrize(("die", "seen"), [(4, True), (3, False)])
def test_w_17_the_sensory_cluster_destroyed_lets_him_look(die: int, seen: bool) -> None:
    """TA-SPEC-4: its die and success are public, the face is not."""
    p, events = explore(3, die, *(("EX-07",) if seen else ()), destroyed=["OBJ-2"])
    assert [(peek.roll, peek.seen) for peek in of(events, PeekRolled)] == [(die, seen)]
    drawn = [card for card in of(events, CardDrawn) if card.purpose == "peek"]
    assert [card.seen_by for card in drawn] == ([("marines",)] if seen else [])
    assert (1 in p.state.chance.decks[p.state.deck].seen) is seen


def test_e_46_ta_expl_17_the_discards_make_a_new_deck() -> None:
    """Nine are the fewest there can be; the face-down card keeps its place in the old shuffle."""
    p = play(models=NEAR, active="SC1", card="EX-01", options=FIXED)
    state = p.state
    cards = list(BOOK.catalogue.cards)
    out = {"EX-10", "EX-11", "EX-12", "EX-13", "EX-14", "EX-15"}
    turned = [card for card in cards if card != "EX-01"]
    state.chance.decks["cards/1"] = Shuffled(tuple(cards), dict(enumerate(turned)))
    state.cards, state.drawn = {6: FaceDown("cards/1", 15)}, 16
    state.kept = ["EX-10", "EX-11", "EX-12", "EX-13"]
    state.discards = [card for card in turned if card not in out]
    events = p.do("move SC1 6:e10", 3, "EX-01")
    (shuffled,) = of(events, DeckShuffled)
    (made,) = of(events, DeckMade)
    assert (made.count, {*shuffled.items}) == (9, {*cards} - out - {"EX-01"})
    assert [card.card for card in of(events, CardTurned)] == ["EX-01"]
    (laid,) = of(events, CardLaid)
    assert (laid.card.deck, laid.card.place, laid.left) == ("cards/2", 0, 8)
    assert p.state.discards == ["EX-01"]


def test_option_deck_empty_no_card() -> None:
    """TA-EXPL-17, ruling G-30: entering a section without a card runs the sequence without step 5."""
    p = play(models={**NEAR, "SC3": "6:k2"}, active="SC1", card="EX-01",
             options=Options(rotation="fixed", deck_empty="no_card"))  # fmt: skip
    p.state.drawn = 16
    p.state.discards = ["EX-03"]
    events = p.do("move SC1 6:e10", 3)
    (laid,) = of(events, CardLaid)
    assert (laid.section, laid.card.deck, laid.left) == (1, "", 0)
    assert not of(events, DeckShuffled)
    assert {*p.state.cards} == {1}
    p.do("use SC3")
    events = p.do("move SC3 1:k10", 3)
    assert [entered.section for entered in of(events, SectionEntered)] == [1]
    assert [gone.section for gone in of(events, SectionRemoved)] == [2]
    assert not of(events, CardTurned)
    assert {*p.state.cards} == {2}


# Step 4


def test_ta_expl_9_and_10_the_tile_of_the_new_front_is_shown_and_the_next_one_taken() -> None:
    p, events = explore(3, tile="LOC-1")
    (shown,) = of(events, TileShown)
    assert (shown.tile, shown.section, shown.objective) == ("LOC-1", 1, "OBJ-1")
    assert (p.seat, p.asked) == ("tyranid", "PlaceTemplate")
    p.do("template OBJ-1 1:c5 wide", 2)
    p.do("place GE1 1:b6")
    events = p.do("place BO1 1:n6", "LOC-4")
    assert [(taken.place, taken.left) for taken in of(events, TileTaken)] == [(1, 4)]
    assert of(events, CardTurned)  # step 5 comes after it
    held = p.state.chance.decks[p.state.stack].seen[p.state.tile]
    assert getattr(held, "value", held) == "LOC-4"


def test_ta_expl_9_another_section_shows_nothing() -> None:
    p, events = explore(3, tile="LOC-2")
    assert not of(events, TileShown)
    assert (p.state.tile, p.asked) == (0, "Free")


def test_e_54_a_tile_for_a_section_already_laid_waits_until_it_is_laid_again() -> None:
    """TA-EXPL-9, TA-EXPL-10: the new front included."""
    p, _ = explore(3, tile="LOC-1")
    p.do("template OBJ-1 1:c5 wide", 1)
    events = p.do("place GE1 1:b6", "LOC-6")  # 6 has just been explored
    assert not of(events, TileShown)
    assert not p.state.templates.keys() - {"OBJ-1"}
    p, events = explore(3, tile="LOC-6")
    assert not of(events, TileShown)


def test_ta_expl_10_with_the_stack_empty_none_is_taken() -> None:
    p, _ = explore(3, tile="LOC-1", tiles=[])
    p.do("template OBJ-1 1:c5 wide", 1)
    events = p.do("place GE1 1:b6")
    assert not of(events, TileTaken)
    assert p.state.tile == -1


# Step 5 and after


def test_ta_expl_11_the_card_of_the_explored_section_is_turned() -> None:
    p, events = explore()
    (turned,) = of(events, CardTurned)
    assert (turned.section, turned.card) == (6, "EX-01")
    assert [(put.card, put.to) for put in of(events, CardPutAway)] == [("EX-01", "discard")]
    assert p.state.discards == ["EX-01"]


def test_ta_expl_12_the_part_goes_on_with_the_models_not_yet_used() -> None:
    p, events = explore(models={**NEAR, "SC3": "3:b6"})
    assert of(events, ExplorationEnded)
    assert p.state.trigger is None
    assert (p.seat, p.asked) == ("marines", "Free")
    assert names(p, UseModel) == {"SC2", "SC3"}


def test_two_explorations_in_one_part() -> None:
    p, _ = explore(6, models={**NEAR, "SC2": "6:n6"})
    p.do("use SC2")
    events = p.do("move SC2 1:b6", 3)
    assert [gone.section for gone in of(events, SectionRemoved)] == [2]
    assert [one.section for one in p.state.chain] == [3, 4, 5, 6, 1, 2]
