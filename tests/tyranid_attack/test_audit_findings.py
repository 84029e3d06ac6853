"""Deviations that a second engine, written from the rules alone, has found: each stays put right."""

from __future__ import annotations

from hive import BOOK, of, play

from warptape.domain.chance import Draw, Shuffle
from warptape.domain.tyranid_attack import cards, exploration
from warptape.domain.tyranid_attack.events_model import ModelKilled
from warptape.domain.tyranid_attack.events_ship import TemplateDestroyed
from warptape.domain.tyranid_attack.events_turn import BlastRolled, SphincterRolled
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import Act, Options, Trigger
from warptape.domain.tyranid_attack.steps import TurnCard


def test_ta_weap_20_and_spec_6_the_cloud_still_stops_the_blast_that_goes_with_the_shot_at_the_vent() -> None:
    """A template is removed after its blast (TA-WEAP-15, TA-SPEC-6): whom the Vent shields, it shields to the end."""
    for shot in ("shoot TF1 OBJ-3", "hellfire HV1 OBJ-3"):
        shooter = shot.split()[1]
        p = play(models={shooter: "3:b4", "GE1": "3:g5"}, active=shooter, templates={"OBJ-3": "3:e3"})
        happened = p.do(shot, *((6, 1) if shooter == "TF1" else ()))
        assert not of(happened, BlastRolled)
        assert p.state.destroyed == ["OBJ-3"]
        assert "GE1" in p.state.models


def test_ta_weap_15_the_neighbours_of_a_template_are_attacked_before_it_is_destroyed() -> None:
    """First the dice and the dead, then the template and what follows from it (TA-WEAP-20, TA-SPEC-1)."""
    for shot, dice in (("shoot TF1 OBJ-1", (6, 1, 5, 1)), ("hellfire HV1 OBJ-1", (4,))):
        shooter = shot.split()[1]
        p = play(models={shooter: "2:b5", "SC1": "2:h5"}, active=shooter, templates={"OBJ-1": "2:e5"}, lost=["SC2"])
        happened = p.do(shot, *dice, 4, 2)
        kinds = [type(event) for event in happened]
        order = [kinds.index(kind) for kind in (BlastRolled, ModelKilled, TemplateDestroyed, SphincterRolled)]
        assert order == sorted(order)
        assert p.asked == "Return"
        assert {"SC1", "SC2"} <= {*p.state.lost}


def test_ta_win_1_the_dead_of_the_last_shot_are_counted() -> None:
    """The shot that destroys the fourth template is resolved before the game is won (TA-WEAP-10, TA-WIN-1)."""
    p = play(
        models={"HV1": "2:b5", "SC1": "2:h5"},
        active="HV1",
        templates={"OBJ-2": "2:f5"},
        destroyed=["OBJ-1", "OBJ-4", "OBJ-5"],
        options=Options(),
    )
    p.do("hellfire HV1 OBJ-2", 4)
    assert p.state.ended is not None
    assert (p.state.ended.winner, p.state.ended.reason, p.state.ended.marines) == ("marines", "templates", 1)


def test_ta_art_5_a_scout_who_has_just_come_back_has_no_attack_to_give_up() -> None:
    """TA-SPEC-2: he neither moves nor attacks in this turn, so nothing is handed over to him (TA-ART-4, TA-ART-5)."""
    came_back = Act(fresh=False, moves=0, attacks=0)
    there = {"SC1": "2:b5", "SC2": "2:c5"}
    p = play(models=there, active="SC1", artifacts={"SC1": [4]}, acts={"SC2": came_back})
    assert p.why("give SC1 SC2 A4") == "TA-ART-5"
    assert play(models=there, active="SC1", artifacts={"SC1": [4]}).why("give SC1 SC2 A4") == ""


def test_ta_card_4_the_square_of_one_who_died_behind_the_ship_is_the_first_he_entered() -> None:
    """TA-CARD-4: where he died serves while it is on board, the first square of the section once it is not."""
    first, beside, away = (4, -50), (4, -44), (4, 300)
    state = position(trigger=Trigger("SC1", 6, first))
    state.death = beside
    assert cards.trigger_square(BOOK, state) == beside
    state.death = away
    assert cards.trigger_square(BOOK, state) == first


def test_ta_expl_18_no_new_stack_of_tiles_while_a_tile_is_held() -> None:
    options = Options(cut_off_objective="returns")
    held = position(tile="LOC-2", tiles=(), options=options, trigger=Trigger("SC1", 6, (4, -50)))
    empty = position(tiles=(), options=options, trigger=Trigger("SC1", 6, (4, -50)))
    for state, asked in ((held, Draw), (empty, Shuffle)):
        state.aside = ["LOC-1"]
        assert isinstance(next(exploration.run_turn(BOOK, state, TurnCard())), asked)
