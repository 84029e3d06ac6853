"""Combat phases: which battles there are, who orders them, and what ends one."""

from __future__ import annotations

from typing import Any

import pytest
from doom import of, play

from warptape.domain.doom_of_the_eldar.events_battle import BattleBegan, BattleEnded, TotalsSet
from warptape.domain.doom_of_the_eldar.state import Options


@pytest.mark.parametrize(("phase", "seat"), [("tyranid_combat", "tyranid"), ("eldar_combat", "eldar")])
def test_doe_combat_1_everybody_in_contact_fights_whoever_moved_there(phase: str, seat: str) -> None:
    game = play(
        phase,
        eldar={"n2": "WSH1", "tears": "GUA1", "n5": "SHA1", "souls": "GUA2"},
        tyranid={"n2": "TH1", "tears": "TH2", "s5": "TH3", "dreams": "TH4"},
    )
    assert (game.seat, game.state.moved) == (seat, [])
    assert set(game.legal()) == {"fight tears", "fight n2"}, "in n5, s5, souls and dreams one side is alone"


def test_doe_combat_1_no_battle_is_left_out() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1", "tears": "GUA1"}, tyranid={"n2": "TH1", "tears": "TH2"})
    assert game.why("end") == "DOE-COMBAT-1"
    assert game.why("fight souls") == "DOE-COMBAT-1"
    game.do("fight tears", 3)  # 12 against 8: BC, both are lost; the other battle is the only one left, and begins
    assert game.state.battle is not None
    assert game.state.battle.area == "n2"


def test_doe_combat_2_everything_of_both_sides_takes_part() -> None:
    game = play(
        "eldar_combat", eldar={"tears": "GUA1 AVA FAR WRG"}, tyranid={"tears": "TH1 HM SM"}, devastated=["tears"]
    )
    began = of(game.do("fight tears", 6), BattleBegan)[0]
    assert set(began.eldar) == {"GUA1", "AVA", "FAR", "WRG"}
    assert began.tyranid == ("#01", "#02", "#03")
    assert began.rule == "DOE-COMBAT-1"


def test_doe_combat_3_the_phasing_player_orders_and_each_battle_is_finished_first() -> None:
    game = play(
        "tyranid_combat",
        eldar={"n2": "WSH1 WSH2", "tears": "GUA1", "n5": "SHA1"},
        tyranid={"n2": "TH1 TH2", "tears": "TH3", "n5": "TH4"},
    )
    assert game.why("fight n2", "eldar") != ""
    game.do("fight n2", 1, 6)  # 20 at 6: two of the two ships, none is asked for
    assert of(game.log, BattleEnded)[0].outcome == "tyranid"
    assert game.why("fight n2") == "DOE-COMBAT-3"
    assert set(game.legal()) == {"fight tears", "fight n5"}
    game.do("fight n5", 1, 1)  # nothing is hit: the Eldar may break off
    assert game.asked == "Retreat"
    assert game.why("fight tears", "eldar") == "DOE-SEQ-2"
    assert game.why("fight tears", "tyranid") != ""


def test_doe_combat_4_space_and_craftworld_have_their_own_combat() -> None:
    game = play("tyranid_combat", eldar={"s2": "WSH1", "tears": "GUA1"}, tyranid={"s2": "TH1", "tears": "TH2"})
    game.do("fight tears", 3, 1, 1)
    assert game.asked == "Retreat"
    kinds = {began.area: began.kind for began in of(game.log, BattleBegan)}
    assert kinds == {"tears": "craftworld", "s2": "space"}
    totals = of(game.log, TotalsSet)
    assert (totals[0].column, totals[0].defence) == ("1-1", 8)
    assert (totals[1].side, totals[1].column) == ("eldar", "5-9")


def test_doe_combat_5_a_hive_mind_alone_makes_no_battle() -> None:
    game = play(
        "eldar_combat",
        eldar={"tears": "GUA1", "souls": "GUA2", "n2": "WSH1"},
        tyranid={"tears": "HM", "souls": "TH1", "n2": "TH2"},
    )
    assert game.why("fight tears") == "DOE-COMBAT-5"
    assert set(game.legal()) == {"fight souls", "fight n2"}


def test_doe_combat_5_a_hidden_hive_mind_fights_as_a_swarm() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "HM"})
    assert game.legal() == ["fight n2"]


def test_example_10_the_horde_that_survived_must_attack_unless_it_leaves() -> None:
    """DOE-COMBAT-1, DOE-AVA-1: 36 against 20 is 1-1; a 5 is DD."""
    game = play("eldar_combat", eldar={"tears": "ASP1 ASP2 ASP3 AVA"}, tyranid={"tears": "TH1 GH1"})
    happened = game.do("fight tears", 5)
    totals = of(happened, TotalsSet)[0]
    assert (totals.total, totals.defence, totals.column) == (36, 20, "1-1")
    assert (game.asked, game.seat) == ("Lose", "tyranid")
    happened = game.do("lose GH1", 1, 2, "RW1", 1, "RW2", 1, "RW3", 1)
    assert of(happened, BattleEnded)[0].outcome == "both"
    assert (game.state.stacks["tears"], game.asked) == (["#01"], "Order")
    leaves = play("tyranid_movement", eldar={"tears": "ASP1"}, tyranid={"tears": "TH1"})
    assert not of(leaves.do("mv TH1 spear"), BattleBegan)
    assert leaves.state.phase == "eldar_special"
    stays = play("tyranid_movement", eldar={"tears": "ASP1"}, tyranid={"tears": "TH1"})
    assert of(stays.do("end", 1), BattleBegan)[0].attacker == "tyranid"


def outcome(line: str, *chance: object, then: tuple[str, ...] = (), **facts: Any) -> str:
    game = play("tyranid_combat", **facts)
    game.do(line, *chance)
    for more in then:
        game.do(more)
    return of(game.log, BattleEnded)[0].outcome


def test_doe_combat_3_how_a_battle_ended_is_recorded() -> None:
    ship, guard = {"n2": "WSH1"}, {"tears": "GUA1"}
    assert outcome("fight n2", 6, eldar=ship, tyranid={"n2": "TH1"}) == "eldar"
    assert outcome("fight n2", 1, 6, eldar=ship, tyranid={"n2": "TH1"}) == "tyranid"
    assert outcome("fight n2", 1, 1, then=("retreat n1",), eldar=ship, tyranid={"n2": "TH1"}) == "retreat"
    assert outcome("fight tears", 3, eldar=guard, tyranid={"tears": "TH1"}) == "none"
    two = {"tears": "TH1 TH2"}  # 24 against 8: 3-1
    assert outcome("fight tears", 4, eldar=guard, tyranid=two) == "tyranid"
    assert outcome("fight tears", 1, then=("lose TH1",), eldar=guard, tyranid=two) == "tyranid"
    three = {"tears": "TH1 TH2 TH3"}  # 36 against 48: 1-2
    assert outcome("fight tears", 2, then=("lose TH1",), eldar={"tears": "WRG"}, tyranid=three) == "both"
    assert outcome("fight tears", 1, eldar={"tears": "WRG"}, tyranid=three) == "eldar"


def test_doe_space_4_a_retreat_is_an_outcome_of_its_own_whoever_goes_where() -> None:
    facts = {
        "eldar": {"n2": "WSH1 NWG1"},
        "tyranid": {"n2": "TH1"},
        "options": Options(retreat_together="each_chooses"),
    }
    assert outcome("fight n2", 1, 1, then=("retreat WSH1 n1, NWG1 s2",), **facts) == "retreat"
    # A mine that kills the only ship before any fire is no retreat.
    mine: dict[str, Any] = {"eldar": {"n2": "WSH1"}, "tyranid": {"n2": "SM TH1"}, "order": 1}
    assert outcome("fight n2", **mine) == "tyranid"
    alone: dict[str, Any] = {"eldar": {"n2": "WSH1"}, "tyranid": {"n2": "SM"}, "order": 1}
    assert outcome("fight n2", **alone) == "none"


def test_doe_combat_3_an_area_fights_once_in_a_phase_and_again_in_the_next() -> None:
    game = play("tyranid_combat", eldar={"tears": "WRG"}, tyranid={"tears": "TH1 TH2 TH3"})
    game.do("fight tears", 3)  # 36 against 48: 1-2, AD
    game.do("lose TH1")
    game.do("end")
    assert (game.state.phase, game.asked) == ("eldar_movement", "Movement")
    happened = game.do("end", 3)  # 24 against 24: 1-1, BC
    assert [(began.area, began.attacker) for began in of(happened, BattleBegan)] == [("tears", "eldar")]
    assert (game.asked, game.seat) == ("Lose", "tyranid")
