"""The Spore Mine: its standing order in space, the choice on the Craftworld, and what a burst costs."""

from __future__ import annotations

import pytest
from doom import lid, of, play

from warptape.domain.doom_of_the_eldar.events_battle import (
    BattleEnded,
    MineDetonated,
    OddsResult,
    RoundBegan,
    TotalsSet,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.steps import Order
from warptape.domain.events import CounterRevealed
from warptape.domain.secrets import redact


@pytest.mark.parametrize("phase", ["tyranid_combat", "eldar_combat"])
def test_doe_mine_1_example_36_three_counters_set_it_off_unasked(phase: str) -> None:
    """DOE-MINE-1: in either Combat phase; it goes to the lid and soaks up no hit."""
    game = play(phase, eldar={"n2": "WSH1 WSH2 FAR"}, tyranid={"n2": "TH1 SM"})
    happened = game.do("fight n2")
    assert [(one.token, one.area, one.rule) for one in of(happened, MineDetonated)] == [("#02", "n2", "DOE-MINE-1")]
    assert [one.item for one in of(happened, CounterRevealed)] == ["SM"]
    assert not of(happened, TotalsSet), "before any fire"
    assert "SM" in lid(game.state)
    assert game.state.stacks["n2"] == ["#01"]
    assert (game.seat, game.legal()) == ("eldar", ["lose WSH1", "lose WSH2", "lose FAR"])
    game.do("lose FAR", 4)  # 12 at a 4: one hit, and that is the last Swarm
    assert [one.token for one in of(game.log, TyranidDestroyed)] == ["#01"]
    assert game.state.units["FAR"] == "out"


def test_doe_mine_1_example_36_two_counters_and_nothing_happens_or_shows() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1 WSH2"}, tyranid={"n2": "SM TH1"})
    happened = game.do("fight n2", 1, 1)
    assert not of(happened, MineDetonated)
    assert of(happened, TotalsSet)[1].total == 20
    assert "SM" not in repr([redact(event, "eldar") for event in happened])
    happened = game.do("stay", 4, 1)
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#02"]
    happened = game.do("stay", 4)
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#01"]
    assert not of(game.log, CounterRevealed), "it died as a Swarm"


@pytest.mark.parametrize("order", range(6))
def test_doe_mine_1_the_standing_order(order: int) -> None:
    """DOE-MINE-1: 0 is never, N from N counters on."""
    ships = ["WSH1", "WSH2", "WSH3", "NWG1"]
    for count in range(1, 5):
        game = play("tyranid_combat", eldar={"n2": " ".join(ships[:count])}, tyranid={"n2": "SM TH1"}, order=order)
        assert bool(of(game.do("fight n2"), MineDetonated)) == (0 < order <= count)


def test_doe_mine_1_characters_count() -> None:
    for eldar, bursts in (("WSH1 FAR YRI", True), ("WSH1 FAR", False)):
        game = play("eldar_combat", eldar={"n2": eldar}, tyranid={"n2": "SM TH1"})
        assert bool(of(game.do("fight n2"), MineDetonated)) == bursts


@pytest.mark.parametrize(("line", "bursts"), [("mine 0", False), ("mine 2", True), ("mine 3", False)])
def test_doe_mine_1_the_order_of_this_turn_counts(line: str, bursts: bool) -> None:
    game = play("tyranid_movement", eldar={"n2": "WSH1 WSH2"}, tyranid={"n2": "SM TH1"}, pending=[Order()])
    game.do(line)
    assert bool(of(game.do("end"), MineDetonated)) == bursts


def test_doe_mine_1_too_few_in_the_first_round_are_too_few_in_the_second() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1 WSH2 NWG1 NWG2"}, tyranid={"n2": "TH1 SM"}, order=5)
    assert not of(game.do("fight n2", 1, 1), MineDetonated)
    assert not of(game.do("stay", 1, 1), MineDetonated)


def test_doe_mine_1_a_second_round_with_it_still_there_is_a_second_look() -> None:
    """DOE-MINE-1: every round begins with it, whatever went before."""
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2"}, tyranid={"n2": "SM TH1"}, order=0)
    game.do("fight n2", 1, 1)
    game.state.order = 2  # no game does that between two rounds: the Eldar only grow fewer, so the first look decides
    happened = game.do("stay")
    assert [one.number for one in of(happened, RoundBegan)] == [2]
    assert [one.token for one in of(happened, MineDetonated)] == ["#01"]
    assert game.asked == "Lose"


def test_doe_mine_1_it_may_kill_the_last_ship_and_end_the_battle() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "SM TH1"}, order=1)
    happened = game.do("fight n2")
    assert [one.unit for one in of(happened, UnitDestroyed)] == ["WSH1"]
    assert not of(happened, TotalsSet)
    assert of(happened, BattleEnded)[0].outcome == "tyranid"
    assert game.state.stacks["n2"] == ["#02"]


def test_doe_mine_1_alone_it_leaves_nothing_to_fight() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1 WSH2 NWG1"}, tyranid={"n2": "SM HM"}, shown=["HM"])
    game.do("fight n2")
    happened = game.do("lose NWG1")
    assert not of(game.log, TotalsSet)
    assert of(happened, BattleEnded)[0].outcome == "eldar"
    assert game.state.stacks["n2"] == ["#02"], "a face-up Hive Mind aside"


def test_doe_mine_1_in_another_area_it_does_nothing() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1 WSH2 NWG1"}, tyranid={"n2": "TH1", "n3": "SM"})
    assert not of(game.do("fight n2", 1, 1), MineDetonated)


def test_doe_mine_1_several_choices_in_one_battle_keep_their_order() -> None:
    """DOE-MINE-1, DOE-REROLL-4, DOE-LOSS-1, DOE-SPACE-4: mine, die, die, loss, retreat."""
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 NWG1 FAR"}, tyranid={"n2": "TH1 TH2 SM"}, order=4)
    asked = []
    game.do("fight n2")
    for line, chance in (
        ("lose NWG1", (1,)),
        ("rr", (2, 2)),
        ("rr", (6,)),  # 20 at a 6: two
        ("lose WSH1 WSH2", ()),
        ("stay", (1,)),
        ("keep", (1,)),
        ("keep", ()),
    ):
        asked.append(game.asked)
        game.do(line, *chance)
    assert asked == ["Lose", "Reroll", "Reroll", "Lose", "Retreat", "Reroll", "Reroll"]
    assert game.asked == "Retreat"
    assert game.state.eldar["n2"] == ["FAR"]


def test_doe_mine_2_before_a_battle_that_the_tyranids_start() -> None:
    game = play("tyranid_combat", eldar={"tears": "EXA GUA1"}, tyranid={"tears": "TH1 SM"}, devastated=["tears"])
    game.do("fight tears")
    assert (game.seat, set(game.legal())) == ("tyranid", {"det SM", "hold"})
    assert game.why("det TH1") == "DOE-MINE-2"
    happened = game.do("det SM")
    assert [(one.token, one.rule) for one in of(happened, MineDetonated)] == [("#02", "DOE-MINE-2")]
    assert "SM" in lid(game.state)
    assert (game.seat, set(game.legal())) == ("eldar", {"lose EXA", "lose GUA1"})
    happened = game.do("lose GUA1", 4)  # 12 against 8: 1-1
    assert (of(happened, TotalsSet)[0].total, of(happened, TotalsSet)[0].defence) == (12, 8)


def test_doe_mine_2_held_it_adds_nothing_and_may_be_lost() -> None:
    game = play("tyranid_combat", eldar={"tears": "EXA GUA1"}, tyranid={"tears": "TH1 SM"}, devastated=["tears"])
    game.do("fight tears")
    happened = game.do("hold", 2)  # 12 against 12: 1-1, AD
    assert of(happened, TotalsSet)[0].total == 12
    assert set(game.legal()) == {"lose TH1", "lose SM"}
    game.do("lose SM")
    assert game.state.stacks["tears"] == ["#01"]


def test_doe_mine_2_no_order_counts_on_the_craftworld_and_no_question_in_eldar_combat() -> None:
    game = play("eldar_combat", eldar={"tears": "EXA GUA1 FAL1"}, tyranid={"tears": "TH1 SM"}, order=1)
    happened = game.do("fight tears", 3)
    assert not of(happened, MineDetonated)
    assert of(happened, TotalsSet)[0].defence == 12


def test_doe_mine_2_a_burst_that_leaves_one_side_nothing_ends_the_battle() -> None:
    last = play("tyranid_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "TH1 SM"})
    last.do("fight tears")
    happened = last.do("det SM")
    assert not of(happened, OddsResult)
    assert of(happened, BattleEnded)[0].outcome == "tyranid"
    alone = play("tyranid_combat", eldar={"tears": "GUA1 GUA2"}, tyranid={"tears": "SM HM"})
    alone.do("fight tears")
    alone.do("det SM")
    happened = alone.do("lose GUA2")
    assert not of(alone.log, OddsResult)
    assert of(happened, BattleEnded)[0].outcome == "eldar"


def test_doe_mine_2_held_alone_it_attacks_with_nothing() -> None:
    """DOE-MINE-2, DOE-CW-9."""
    game = play("tyranid_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "SM"})
    game.do("fight tears")
    happened = game.do("hold", 1)
    assert (of(happened, TotalsSet)[0].column, of(happened, OddsResult)[0].code) == ("1-3", "AA")
    assert not game.state.stacks


def test_doe_mine_1_out_of_a_battle_nothing_detonates() -> None:
    game = play("eldar_movement", eldar={"n2": "WSH1 WSH2 NWG1"}, tyranid={"n3": "SM", "tears": "TH1"})
    assert game.why("det #01") == "DOE-MINE-2"
