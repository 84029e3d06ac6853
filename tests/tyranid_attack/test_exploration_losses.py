"""Explorations that cost something: triggers that die or are lost, objectives that roll away."""

from __future__ import annotations

from hive import Play, at, of, play
from hull import FIXED, NEAR, explore, gap, hull

from warptape.domain.tyranid_attack.actions import StandTemplate
from warptape.domain.tyranid_attack.events_model import (
    ArtifactFound,
    ModelKilled,
    ModelsCameRound,
    ModelsLost,
)
from warptape.domain.tyranid_attack.events_ship import (
    CardLaid,
    CardTurned,
    ExplorationTriggered,
    SectionRemoved,
    TemplateGone,
    TileSetAside,
    TileShown,
    TilesMade,
    TileTaken,
)
from warptape.domain.tyranid_attack.events_turn import GameEnded, PartBegan
from warptape.domain.tyranid_attack.state import FaceDown, Options

# The trigger dies, or is lost


def test_e_12_ta_expl_14_the_trigger_dies_in_its_own_fight() -> None:
    """TA-EXPL-14, TA-ART-10: the sequence runs, and the artifact lies where it died."""
    p = play(models={**NEAR, "GE1": "6:e9"}, active="SC1", card="EX-12", options=FIXED)
    p.do("move SC1 6:e10")
    events = p.do("fight SC1 GE1", 1, 2, 6, 1, 1, 1, 3)
    assert [killed.model for killed in of(events, ModelKilled)] == ["SC1"]
    assert [gone.section for gone in of(events, SectionRemoved)] == [1]
    (found,) = of(events, ArtifactFound)
    assert (found.number, found.model, found.at, found.rule) == (3, "", hull(p).at("6:e10"), "TA-ART-10")
    assert p.state.artifacts == {3: hull(p).at("6:e10")}


def test_e_13_the_fourth_template_ends_the_game_before_any_exploration() -> None:
    p = play(layout="1N 3N 4N 5N 6N 2N", models={"SC1": "6:e2", "SC2": "4:b6"}, active="SC1",
             templates={"OBJ-2": "2:d9"}, destroyed=["OBJ-1", "OBJ-3", "OBJ-4"], card="EX-01",
             options=FIXED)  # fmt: skip
    p.do("move SC1 2:f10")
    events = p.do("melta SC1 OBJ-2")
    (ended,) = of(events, GameEnded)
    assert (ended.winner, ended.reason, ended.rule) == ("marines", "templates", "TA-WIN-1")
    assert not of(events, SectionRemoved)
    assert p.seat == ""


def test_e_52_ta_card_4_the_trigger_is_lost_with_the_rear_section() -> None:
    """TA-CARD-4, TA-ART-10: the counter lies on the first square of the explored section that he entered."""
    p = play(layout="3N 2N 4N 5E 1S 6S", models={"SC1": "6:a6", "SC2": "4:b6"}, active="SC1", card="EX-12",
             options=FIXED)  # fmt: skip
    assert hull(p).floor[p.state.models["SC1"].at] == [3, 6]  # the front lies beside the rear section 3
    events = p.do("move SC1 3:n6 enter", 3)  # onto 6:b6, and back across the shared square
    (trigger,) = of(events, ExplorationTriggered)
    (lost,) = of(events, ModelsLost)
    assert [name for name, _ in lost.models] == ["SC1"]
    (found,) = of(events, ArtifactFound)
    assert (found.number, found.model, found.at) == (3, "", trigger.at)
    assert 6 in hull(p).floor[trigger.at]


def test_e_53_the_last_marine_dies_and_the_card_brings_others() -> None:
    """TA-EXPL-14, TA-WIN-3: the sequence runs first, and play goes on."""
    for card, goes_on in (("EX-15", True), ("EX-01", False)):
        p = play(models={"SC1": "5:e2", "GE1": "6:e9"}, active="SC1", card=card, options=FIXED)
        p.do("move SC1 6:e10")
        events = p.do("fight SC1 GE1", 1, 2, 6, 1, 1, 1, 3)
        assert of(events, SectionRemoved)
        assert bool(of(events, GameEnded)) is not goes_on
        if goes_on:
            assert at(p.state, "LI1") == "6:e10"
            assert not of(events, GameEnded)
            assert [part.side for part in of(events, PartBegan)] == ["tyranid"]  # nobody fresh was left
        else:
            assert of(events, GameEnded)[0].reason == "no_marines"


# Templates that roll away


def test_e_45_ta_expl_18_a_template_on_the_rear_section_is_gone_for_good() -> None:
    p, events = explore(templates={"OBJ-1": "1:c5"}, tile="LOC-4")
    assert [(gone.objective, gone.back) for gone in of(events, TemplateGone)] == [("OBJ-1", False)]
    assert (p.state.templates, p.state.gone, p.state.destroyed) == ({}, ["OBJ-1"], [])
    assert not of(events, TileSetAside)
    assert not of(events, GameEnded)


def test_e_45_option_cut_off_objective_returns() -> None:
    """TA-EXPL-18, ruling G-31: the tile is put aside; a new stack is formed after step 4, when one is due."""
    options = Options(rotation="fixed", cut_off_objective="returns")
    p, events = explore(templates={"OBJ-1": "1:c5"}, tile="LOC-4", options=options)
    assert [(aside.tile, aside.objective) for aside in of(events, TileSetAside)] == [("LOC-1", "OBJ-1")]
    assert (p.state.aside, p.state.gone) == (["LOC-1"], [])
    assert not of(events, TilesMade)  # he still holds one
    # With the stack empty and no tile held the tiles put aside are shuffled, and the template does not come up at once.
    p = play(models=NEAR, active="SC1", templates={"OBJ-1": "1:c5"}, tiles=[], card="EX-01", options=options)
    events = p.do("move SC1 6:e10", 3)
    assert [made.count for made in of(events, TilesMade)] == [1]
    assert [taken.left for taken in of(events, TileTaken)] == [0]
    assert not of(events, TileShown)
    assert p.state.tile == 0
    kinds = [type(event) for event in events]
    assert kinds.index(CardLaid) < kinds.index(TilesMade) < kinds.index(CardTurned)


def test_the_returned_tile_brings_the_template_back_when_its_section_is_laid_again() -> None:
    """TA-EXPL-18: the template that went for good does not."""
    options = Options(rotation="fixed", cut_off_objective="returns")
    p = play(models=NEAR, active="SC1", templates={"OBJ-1": "1:c5"}, tiles=[], card="EX-01", options=options)
    p.do("move SC1 6:e10", 3)
    for number in range(5):  # on with the ship until section 1 is the rear, and then the front, again
        explore_next(p)
        assert p.state.chain[-1].section == number + 2
    assert p.state.chain[0].section == 1
    explore_next(p)
    assert (p.asked, p.state.chain[-1].section) == ("PlaceTemplate", 1)
    p.do("template OBJ-1 1:c5 wide", 1)
    assert {*p.state.templates} == {"OBJ-1"}


def explore_next(p: Play) -> None:
    """Let somebody open the front, whatever section it is, and turn a card without effect."""
    while p.asked == "Reinforce":
        p.do("skip")
    front, before = p.state.chain[-1], p.state.chain[-2]
    door = next(square for square, there in hull(p).floor.items() if {*there} == {front.section, before.section})
    inside = min((s for s in hull(p).of(before.section) if 0 < gap(s, door) <= 2), key=lambda s: gap(s, door))
    p.state.cards = {front.section: FaceDown("cards/1", 0)}  # "Still Air" once more
    p.state.models["SC1"].at = inside
    p.state.acts = {}
    p.state.changed()
    p.referee.reset(p.state)
    p.do("use SC1")
    p.do(f"move SC1 {hull(p).name(door)}", 3)


def test_ta_spec_11_a_cortex_that_rolls_away_lets_prone_marines_come_round() -> None:
    p = play(layout="6N 2N 3N 4N 5N 1N", models={"SC1": "5:e2", "SC2": "2:k11", "SC3": "2:b6"}, active="SC1",
             templates={"OBJ-6": "6:j2"}, prone=["SC2"], card="EX-01", options=FIXED)  # fmt: skip
    events = p.do("move SC1 1:e10", 3)
    assert [gone.objective for gone in of(events, TemplateGone)] == ["OBJ-6"]
    assert [came.models for came in of(events, ModelsCameRound)] == [("SC2",)]
    assert p.why("use SC2") == ""


def test_the_template_question_lists_every_spot() -> None:
    p, _ = explore(3, tile="LOC-1")
    decision = p.referee.decision
    assert decision is not None
    assert all(isinstance(action, StandTemplate) for action in decision.actions)
    assert len(decision.actions) >= 32
