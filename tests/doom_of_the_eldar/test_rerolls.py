"""Re-rolls: who holds one, which dice it is for, and that the second roll stands."""

from __future__ import annotations

import pytest
from doom import BOOK, Play, of, play

from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events_battle import (
    DieCast,
    FireRead,
    OddsResult,
    RerollDeclined,
    RoundBegan,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.facts import hits
from warptape.domain.doom_of_the_eldar.values import reroll_holder
from warptape.domain.events import Event


def dice(events: list[Event]) -> list[tuple[str, int, bool]]:
    return [(one.side, one.value, one.again) for one in events if isinstance(one, DieCast)]


@pytest.mark.parametrize("phase", ["tyranid_combat", "eldar_combat"])
def test_doe_reroll_1_the_farseer_gives_it_to_the_eldar_the_hive_mind_to_the_tyranids(phase: str) -> None:
    for units, swarms, holder in (("WSH1 FAR", "TH1", "eldar"), ("WSH1", "TH1 HM", "tyranid"), ("WSH1", "TH1", "")):
        game = play(phase, eldar={"n2": units}, tyranid={"n2": swarms}, shown=["HM"])
        game.do("fight n2", 1, *(() if holder else (1,)))
        assert game.asked == ("Reroll" if holder else "Retreat")
        assert game.seat == (holder or "eldar")
        if holder:
            assert set(game.legal()) == {"rr", "keep"}
            assert of(game.log, RoundBegan)[-1].holder == holder


@pytest.mark.parametrize("attacker", ["tyranid", "eldar"])
def test_doe_reroll_1_on_the_craftworld_too(attacker: str) -> None:
    for units, hordes, holder in (("GUA1 FAR", "TH1", "eldar"), ("GUA1", "TH1 HM", "tyranid"), ("GUA1", "TH1", "")):
        game = play(f"{attacker}_combat", eldar={"tears": units}, tyranid={"tears": hordes})
        happened = game.do("fight tears", 3)
        assert bool(of(happened, OddsResult)) == (not holder)
        if holder:
            assert (game.asked, game.seat) == ("Reroll", holder)


def test_doe_reroll_1_the_gift_is_for_the_area_it_is_in() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1", "n1": "FAR"}, tyranid={"n2": "TH1", "n3": "HM"}, shown=["HM"])
    game.do("fight n2", 1, 1)
    assert game.asked == "Retreat"


def test_doe_reroll_2_example_25_the_second_roll_stands_even_when_it_is_worse() -> None:
    """DOE-REROLL-2, DOE-REROLL-5: a Tyranid 5 into a 6; another re-roll is refused."""
    game = play("tyranid_combat", eldar={"n2": "WSH1 NWG1 FAR"}, tyranid={"n2": "TH1"})
    game.do("fight n2", 1)
    game.do("keep", 5)
    happened = game.do("rr", 6)
    assert dice(happened) == [("tyranid", 6, True)]
    assert of(happened, FireRead)[0].destroyed == 1
    assert game.asked == "Lose"
    assert game.why("rr") == "DOE-REROLL-5"
    game.do("lose NWG1")
    assert game.why("rr") == "DOE-REROLL-5"
    ground = play("eldar_combat", eldar={"tears": "GUA1 GUA2 FAR"}, tyranid={"tears": "TH1"})
    ground.do("fight tears", 5)
    happened = ground.do("rr", 4)  # 8 against 12 is 1-2: BC, and nothing but a choice of losses is asked
    assert of(happened, OddsResult)[0].code == "BC"
    assert ground.asked == "Lose"
    assert ground.why("rr") == "DOE-REROLL-5"


def test_doe_reroll_4_5_the_seat_is_told_what_the_die_gives_as_it_lies() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 FAR"}, tyranid={"n2": "TH1 TH2"})
    game.do("fight n2", 1)
    assert words(game) == ["Have the 1 rolled again", "Let the 1 stand: no hit"]
    happened = game.do("keep", 6)
    assert of(happened, FireRead)[0].destroyed == 0
    given = words(game)[1]
    happened = game.do("keep")
    assert given == f"Let the 6 stand: {hits(of(happened, FireRead)[0].destroyed)}"
    game = play("tyranid_combat", eldar={"tears": "GUA1 GUA2 FAR"}, tyranid={"tears": "TH1"})
    game.do("fight tears", 5)
    given = words(game)[1]
    happened = game.do("keep")
    code = of(happened, OddsResult)[0].code
    assert given == f"Let the 5 stand: {RULESET.names.result(code)}"
    assert len(RULESET.names.result(code)) > len(code)


def words(game: Play) -> list[str]:
    """What the seat that is asked about a re-roll reads in its menu."""
    decision = game.referee.decision
    assert decision is not None
    seen = RULESET.view(game.state, decision.seat)
    return [RULESET.describe(seen, action) for action in decision.actions]


def test_doe_reroll_3_example_24_both_cancel_each_other() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1 FAR"}, tyranid={"n2": "TH1 HM"}, shown=["HM"])
    game.do("fight n2", 1, 1)
    assert game.asked == "Retreat", "no re-roll of either die"
    ground = play("eldar_combat", eldar={"tears": "GUA1 FAR"}, tyranid={"tears": "TH1 HM"})
    assert of(ground.do("fight tears", 3), OddsResult)


def test_doe_reroll_6_example_24_a_hidden_hive_mind_neither_gives_nor_cancels() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1 FAR"}, tyranid={"n2": "TH1 HM"})
    game.do("fight n2", 1)
    assert (game.asked, game.seat) == ("Reroll", "eldar")
    without = play("tyranid_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1 HM"})
    without.do("fight n2", 1, 1)
    assert without.asked == "Retreat"


def test_doe_reroll_4_own_die_enemy_die_or_both_in_every_round() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 FAR"}, tyranid={"n2": "TH1 TH2"})
    game.do("fight n2", 1)
    happened = game.do("rr", 2, 6)
    assert dice(happened) == [("eldar", 2, True), ("tyranid", 6, False)]
    assert game.seat == "eldar"
    happened = game.do("rr", 1)
    assert dice(happened) == [("tyranid", 1, True)]
    assert [one.destroyed for one in of(game.log, FireRead)] == [0, 0]
    game.do("stay", 2)
    assert game.asked == "Reroll", "again in the second round"
    happened = game.do("keep", 4)
    assert [one.side for one in of(happened, RerollDeclined)] == ["eldar"]
    assert game.asked == "Reroll", "keeping the one takes nothing from the other"
    game.do("rr", 1)
    assert game.asked == "Retreat"
    game.do("stay", 1)
    happened = game.do("rr", 4)  # 12 at a 4: one
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#02"]


def test_doe_reroll_4_the_hive_mind_has_the_eldar_die_rolled_again() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 NWG1"}, tyranid={"n2": "TH1 HM"}, shown=["HM"])
    game.do("fight n2", 6)
    assert (game.asked, game.seat) == ("Reroll", "tyranid")
    assert game.why("rr", "eldar") != ""
    happened = game.do("rr", 3, 2)
    assert dice(happened) == [("eldar", 3, True), ("tyranid", 2, False)]
    assert game.seat == "tyranid"
    game.do("rr", 4)
    assert (game.asked, game.seat) == ("Lose", "eldar")


@pytest.mark.parametrize("attacker", ["tyranid", "eldar"])
def test_doe_reroll_5_on_the_craftworld_the_one_die_attacking_or_defending(attacker: str) -> None:
    for units, hordes, holder in (("GUA1 GUA2 FAR", "RW1", "eldar"), ("GUA1 GUA2", "RW1 HM", "tyranid")):
        game = play(f"{attacker}_combat", eldar={"tears": units}, tyranid={"tears": hordes}, devastated=["tears"])
        game.do("fight tears", 1)
        assert game.seat == holder
        happened = game.do("rr", 3)
        assert dice(happened)[:1] == [(attacker, 3, True)]
        # 7 against 8 is 1-2: AD; 8 against 7 is 1-1: BC.
        assert of(happened, OddsResult)[0].code == ("AD" if attacker == "tyranid" else "BC")


def test_doe_reroll_6_the_hive_mind_needs_another_tyranid_that_fights() -> None:
    for swarms, holder in (("HM", "eldar"), ("HM TH1", "")):
        game = play("eldar_combat", eldar={"n2": "WSH1 FAR"}, tyranid={"n2": swarms}, shown=["HM"])
        assert reroll_holder(BOOK, game.state, "n2") == holder
    alone = play("eldar_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "HM"}, shown=["HM"])
    assert reroll_holder(BOOK, alone.state, "n2") == ""


def test_doe_reroll_1_the_holder_after_the_farseer_is_lost() -> None:
    """DOE-REROLL-1, DOE-REROLL-3: from the next die on, the re-roll is whose bearer is left."""
    game = play("eldar_combat", eldar={"n2": "WSH1 FAR"}, tyranid={"n2": "TH1"})
    game.do("fight n2", 1)
    game.do("keep", 4)
    game.do("keep")
    game.do("lose FAR")
    game.do("stay", 1, 1)
    assert game.asked == "Retreat", "no re-roll without him"
    both = play("eldar_combat", eldar={"n2": "WSH1 FAR"}, tyranid={"n2": "TH1 HM"}, shown=["HM"])
    both.do("fight n2", 1, 4)
    both.do("lose FAR")
    happened = both.do("stay", 1)
    assert (both.asked, both.seat) == ("Reroll", "tyranid")
    assert [(one.number, one.holder) for one in of(happened, RoundBegan)] == [(2, "tyranid")]


def test_doe_reroll_1_a_mine_may_kill_the_farseer_before_the_dice() -> None:
    """DOE-REROLL-1, DOE-MINE-1, DOE-MINE-2: the holder is who has the bearer when the die is rolled."""
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 FAR"}, tyranid={"n2": "TH1 SM"})
    game.do("fight n2")
    assert game.asked == "Lose"
    happened = game.do("lose FAR", 1, 1)
    assert game.asked == "Retreat"
    assert [one.unit for one in of(happened, UnitDestroyed)] == ["FAR"]
    assert [(one.number, one.holder) for one in of(game.log, RoundBegan)] == [(1, "eldar"), (1, "")]
    ground = play("tyranid_combat", eldar={"tears": "GUA1 FAR"}, tyranid={"tears": "TH1 SM"})
    ground.do("fight tears")
    ground.do("det SM")
    assert of(ground.do("lose FAR", 3), OddsResult)


def test_doe_space_6_a_round_is_told_once() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 WSH3 FAR"}, tyranid={"n2": "TH1"})
    game.do("fight n2", 1)
    game.do("keep", 1)
    game.do("keep")
    happened = game.do("stay", 1)
    assert [(one.number, one.holder) for one in of(happened, RoundBegan)] == [(2, "eldar")]
