"""Losses: who chooses them, where they go, and what is shown of them."""

from __future__ import annotations

import pytest
from doom import lid, of, play

from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events_battle import (
    FireRead,
    OddsResult,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.state import Options
from warptape.domain.events import CounterRevealed
from warptape.domain.secrets import redact


def test_doe_loss_1_each_player_chooses_his_own() -> None:
    game = play("tyranid_combat", eldar={"tears": "EXA GUA1"}, tyranid={"tears": "TH1 RW1"}, devastated=["tears"])
    game.do("fight tears", 4)  # 19 against 12: 1-1, BC
    assert (game.seat, game.legal()) == ("eldar", ["lose EXA", "lose GUA1"])
    assert game.why("lose TH1") == "DOE-LOSS-1"
    assert game.why("lose GUA2") == "DOE-LOSS-1"
    assert game.why("lose GUA1", "tyranid") != ""
    game.do("lose EXA")
    assert (game.seat, game.legal()) == ("tyranid", ["lose TH1", "lose RW1"])
    assert game.why("lose GUA1") == "DOE-LOSS-1"
    happened = game.do("lose RW1")
    assert game.state.eldar["tears"] == ["GUA1"]
    assert game.state.stacks["tears"] == ["#01"]
    assert of(happened, TyranidDestroyed)[0].rule == "DOE-LOSS-1"


@pytest.mark.parametrize("line", ["rr", "keep", "stay", "retreat n1", "fight n2", "end", "det", "hold"])
def test_doe_loss_1_nothing_else_is_an_answer(line: str) -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 NWG1"}, tyranid={"n2": "TH1 SM"}, order=0)
    game.do("fight n2", 1, 4)  # 20 at a 4: one ship
    assert game.asked == "Lose"
    if line == "det":
        line = "det #02"
    assert game.why(line).startswith("DOE-")


def test_doe_loss_2_6_example_35_swarms_die_from_the_top_down() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 SHA1 SHA2 SHA3 GHO"}, tyranid={"n2": "HT RW1 TH1"})
    happened = game.do("fight n2", 4, 1)  # 35 at a 4: two
    assert of(happened, FireRead)[0].destroyed == 2
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#03", "#02"]
    assert {one.rule for one in of(happened, TyranidDestroyed)} == {"DOE-LOSS-2"}
    assert game.state.stacks["n2"] == ["#01"]


def test_doe_loss_6_the_last_to_enter_lies_on_top() -> None:
    """DOE-LOSS-2, DOE-LOSS-6: the Tyranid orders a stack by the order of his moves."""
    game = play("tyranid_movement", eldar={"n2": "WSH1 SHA1 NWG1"}, tyranid={"n2": "RW1", "n1": "HT", "n3": "TH1"})
    game.do("mv #03 n2")
    game.do("mv #02 n2")
    assert game.state.stacks["n2"] == ["#01", "#03", "#02"]
    happened = game.do("end", 3, 1)  # 15 at a 3: one
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#02"]
    assert game.state.stacks["n2"] == ["#01", "#03"]


def test_doe_loss_6_what_leaves_and_comes_back_lies_on_top() -> None:
    game = play("tyranid_movement", tyranid={"n2": "RW1 HT TH1"})
    game.do("mv #01 n3")
    assert game.state.stacks["n2"] == ["#02", "#03"], "the others keep their order"
    again = play("tyranid_movement", tyranid={"n2": "HT TH1", "n3": "RW1"})
    again.do("mv #03 n2")
    assert again.state.stacks["n2"] == ["#01", "#02", "#03"]


def test_doe_loss_3_destroyed_tyranids_go_back_to_the_lid() -> None:
    """DOE-LOSS-3, DOE-REINF-5: face down or face up, and drawn again they come under another token."""
    game = play("tyranid_combat", eldar={"n2": "WSH1", "tears": "GUA1"}, tyranid={"n2": "TH1", "tears": "TH2"})
    assert not {"TH1", "TH2"} & lid(game.state)
    game.do("fight n2", 6, 3)  # the last battle follows by itself: BC
    assert {"TH1", "TH2"} <= lid(game.state)
    assert (game.state.face, game.state.swarms) == ({}, {})
    turn = play("eldar_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1"}, lid=[])
    turn.do("fight n2", 6, 1, 2, "TH1", 4)
    assert turn.state.swarms == {"#02": "s4"}
    assert turn.state.counter("#02") == "TH1"


def test_doe_loss_4_destroyed_eldar_go_to_the_box_of_their_kind() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1 RGH"}, tyranid={"n2": "TH1 TH2 TH3"})
    happened = game.do("fight n2", 1, 6)  # 30 at a 6: both ships
    assert {one.unit: one.to for one in of(happened, UnitDestroyed)} == {
        "WSH1": "destroyed_spacecraft",
        "RGH": "destroyed_spacecraft",
    }
    assert game.state.units["RGH"] == "destroyed_spacecraft"
    ground = play("tyranid_combat", eldar={"tears": "GUA1 RAI1"}, tyranid={"tears": "TH1 TH2"}, devastated=["tears"])
    happened = ground.do("fight tears", 6)
    assert {one.unit: one.to for one in of(happened, UnitDestroyed)} == {
        "GUA1": "destroyed_ground",
        "RAI1": "destroyed_ground",
    }
    assert ground.state.units["GUA1"] == "destroyed_ground"


def test_doe_loss_5_the_defender_chooses_first_and_excess_is_ignored() -> None:
    for attacker, first in (("tyranid", "eldar"), ("eldar", "tyranid")):
        game = play(
            f"{attacker}_combat",
            eldar={"tears": "ASP1 ASP2 ASP3"},
            tyranid={"tears": "RW1 RW2"},
            devastated=["tears"],
        )
        game.do("fight tears", 3)  # 14 against 12, or 18 against 14: 1-1, BC
        assert of(game.log, OddsResult)[0].code == "BC"
        assert game.seat == first
        game.do(game.legal()[0])
        assert game.seat == attacker
    space = play("tyranid_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1 TH2 TH3 TH4 GH1"}, order=0)
    happened = space.do("fight n2", 1, 6)
    assert of(happened, FireRead)[1].destroyed == 3
    assert [one.unit for one in of(happened, UnitDestroyed)] == ["WSH1"]
    eldar = play("tyranid_combat", eldar={"n2": "WSH1 WSH2 WSH3 GHO SHA1 SHA2"}, tyranid={"n2": "TH1"})
    happened = eldar.do("fight n2", 6)
    assert of(happened, FireRead)[0].destroyed == 2
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#01"]


def test_doe_loss_5_as_many_as_due_one_by_one_or_in_a_line() -> None:
    for lines in (["lose NWG1 NWG2"], ["lose NWG1", "lose NWG2"]):
        game = play("tyranid_combat", eldar={"n2": "WSH1 NWG1 NWG2"}, tyranid={"n2": "TH1 TH2 TH3 TH4"})
        game.do("fight n2", 1, 4)  # 40 at a 4: two
        assert game.why("lose NWG1 NWG1") == "DOE-LOSS-1"
        for line in lines:
            assert game.asked == "Lose"
            game.do(line)
        assert game.asked == "Retreat"
        assert game.state.eldar["n2"] == ["WSH1"]


@pytest.mark.parametrize("unit", ["AVA", "FAR", "WRG", "YRI"])
def test_doe_loss_7_characters_may_be_chosen_and_are_out_for_good(unit: str) -> None:
    game = play("tyranid_combat", eldar={"tears": f"GUA1 {unit}"}, tyranid={"tears": "TH1 TH2 TH3 TH4 HT"})
    game.do("fight tears", 4)
    if game.asked == "Reroll":
        game.do("keep")
    if unit == "WRG":
        # 66 against 56: 1-1, BC
        assert of(game.log, OddsResult)[0].code == "BC"
    game.do(f"lose {unit}")
    assert of(game.log, UnitDestroyed)[0].to == "out"
    assert game.state.units[unit] == "out"
    assert game.state.eldar["tears"] == ["GUA1"]


def test_doe_loss_8_a_swarm_lost_in_space_is_not_shown() -> None:
    """Ruling G-13, option `eldar_sees_losses`."""
    for shown in (False, True):
        game = play(
            "tyranid_combat",
            eldar={"n2": "WSH1"},
            tyranid={"n2": "HM"},
            options=Options(eldar_sees_losses=shown),
        )
        happened = game.do("fight n2", 6)
        told = [redact(event, "eldar") for event in happened]
        assert [one.token for one in of(happened, TyranidDestroyed)] == ["#01"]
        revealed = [event for event in told if isinstance(event, CounterRevealed)]
        assert [event.item for event in revealed] == (["HM"] if shown else [])
        assert ("HM" in repr(told)) == shown
        seen = RULESET.view(game.state, "eldar")
        assert seen.counter("#01") is None
        assert "HM" in lid(game.state)


def test_option_eldar_sees_losses_shows_every_swarm_lost_in_a_round() -> None:
    """DOE-LOSS-8, option `eldar_sees_losses`: what a burst mine was is shown anyhow, a Horde is seen already."""
    game = play(
        "tyranid_combat",
        eldar={"n2": "WSH1 WSH2 SHA1 SHA2 SHA3 GHO"},
        tyranid={"n2": "HT RW1 TH1"},
        options=Options(eldar_sees_losses=True),
    )
    happened = game.do("fight n2", 4, 1)
    assert [(one.token, one.item) for one in of(happened, CounterRevealed)] == [("#03", "TH1"), ("#02", "RW1")]
    ground = play(
        "tyranid_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "TH1"}, options=Options(eldar_sees_losses=True)
    )
    assert not of(ground.do("fight tears", 3), CounterRevealed)
