"""The abilities of the five datacards, healthy and wounded, in their Marine's turn and outside it."""

from __future__ import annotations

import pytest
from helpers import chamber, drawn, names, of, the

from warptape.domain.events import DiceRolled
from warptape.domain.space_marine_adventures.events import (
    ActionSpent,
    AttackDeclared,
    CounterDestroyed,
    FreeActionGranted,
    FreeActionsLapsed,
    FreeActionSpent,
    MarineMoved,
    TurnEnded,
)
from warptape.domain.space_marine_adventures.state import Options
from warptape.domain.space_marine_adventures.steps import Wound


@pytest.mark.parametrize(
    ("symbol", "code", "line", "rule"),
    [
        ("A", "ADR", "cmd MAX", "SMA-ABIL-MAX"),
        ("M", "MAX", "gr d2", "SMA-ABIL-LUK"),
        ("V", "VOR", "gr d2", "SMA-ABIL-LUK"),
        ("R", "RAP", "cmd ADR", "SMA-ABIL-MAX"),
    ],
)
def test_sma_abil_0_nobody_has_another_marines_ability(symbol: str, code: str, line: str, rule: str) -> None:
    others = {"A": {"c5": "M"}, "R": {"c5": "A"}}.get(symbol, {})
    assert drawn(chamber(4, 4, b2=symbol, d2="T", **others), turn=code).why(line) == rule


def test_sma_abil_0_the_side_that_is_up_counts() -> None:
    """Raphael's free Move is on his healthy side only; healed in his turn he has it at once."""
    level = drawn(chamber(4, 4, b2="r", c2="T", b3="T"), turn="RAP", cards={"RAP": "SP-05"})
    assert not of(level.do("at c2", 2), FreeActionGranted)
    level.do("sp SP-05 RAP")
    assert the(level.do("at b3", 2), FreeActionGranted).rule == "SMA-ABIL-RAP"


# Maximus


def test_sma_abil_max_a_comrade_moves_for_nothing() -> None:
    level = drawn(chamber(4, 4, b2="M", e5="A"), turn="MAX")
    events = level.do("cmd ADR")
    assert not of(events, ActionSpent)
    assert the(events, FreeActionGranted).count == 1
    assert level.asked == "Free"
    assert level.legal() == {"free mv e4", "free mv d5", "pass"}
    events = level.do("free mv e4")
    assert the(events, MarineMoved).marine == "ADR"
    assert level.asked == "Turn"
    assert level.left == 4
    assert level.why("cmd ADR") == "SMA-ABIL-MAX"
    level.do("end")
    level.turn("MAX")
    assert level.why("cmd ADR") == ""


def test_sma_abil_max_or_attacks_said_in_one_line() -> None:
    level = drawn(chamber(4, 4, b2="M", e5="A", e3="T"), turn="MAX")
    events = level.do("cmd ADR at e3", 3)
    assert the(events, CounterDestroyed).by == "ADR"
    assert the(events, FreeActionSpent).kind == "any"
    assert the(events, DiceRolled).stream == "die/adr"
    assert (level.asked, level.left) == ("Turn", 4)
    moved = drawn(chamber(4, 4, b2="M", e5="A", e3="T"), turn="MAX")
    moved.do("cmd ADR mv d5")
    assert moved.at("ADR") == "d5"


def test_sma_abil_max_wounded_the_order_costs_an_action() -> None:
    level = drawn(chamber(4, 4, b2="m", e5="A"), turn="MAX")
    assert the(level.do("cmd ADR"), ActionSpent).left == 2
    spent = drawn(chamber(4, 4, b2="m", e5="A"), turn="MAX", actions=0, cards={"MAX": "SP-24"})
    assert spent.why("cmd ADR") == "SMA-ABIL-MAX"
    healthy = drawn(chamber(4, 4, b2="M", e5="A"), turn="MAX", actions=0)
    assert healthy.why("cmd ADR") == ""


def test_sma_abil_max_whom_no_order_can_go_to() -> None:
    level = drawn("#######\n#MA#.R#\n####T##\n#######", turn="MAX", out=["LUK"])
    assert level.why("cmd MAX") == "SMA-ABIL-MAX"
    assert level.why("cmd LUK") == "SMA-WND-5"
    assert level.why("cmd VOR") == "SMA-SETUP-5"
    assert level.why("cmd ADR") == "SMA-ABIL-MAX"
    assert level.why("cmd RAP") == ""


def test_passing_an_order_up_lapses_it() -> None:
    """SMA-ACT-7."""
    level = drawn(chamber(4, 4, b2="M", e5="A"), turn="MAX")
    level.do("cmd ADR")
    events = level.do("pass")
    assert the(events, FreeActionsLapsed).count == 1
    assert level.why("cmd ADR") == "SMA-ABIL-MAX"


# Adrix


def test_sma_abil_adr_one_failed_attack_is_rolled_again_in_a_turn() -> None:
    level = drawn(chamber(5, 1, b2="A", d2="T"), turn="ADR")
    level.do("at d2", 1)
    assert level.legal() == {"react ability", "pass"}
    level.do("react ability", 2)
    assert level.tyranids == {"d2": "termagant"}
    level.do("at d2", 2)
    assert level.asked == "Turn", "he has aimed again once in this turn"
    level.do("end")
    level.turn("ADR")
    level.do("at d2", 1)
    events = level.do("react ability", 3)
    assert the(events, CounterDestroyed).by == "ADR"


def test_sma_abil_adr_why_he_does_not_aim_again() -> None:
    reasons = []
    for symbol, square, misses in (("A", "e2", 2), ("a", "d2", 1)):
        level = drawn(chamber(6, 1, **{"b2": symbol, square: "T"}), turn="ADR", cards={"ADR": "SP-20"})
        for _ in range(misses - 1):
            level.do(f"at {square}", 1)
            level.do("react ability", 1)
        level.do(f"at {square}", 1)
        refusal = level.refusal("react ability")
        assert refusal is not None
        assert refusal.rule == "SMA-ABIL-ADR"
        reasons.append(refusal.reason)
    assert reasons == ["Brother Adrix has used it in this turn", "the target is nearer than 3 squares"]


def test_sma_abil_adr_healthy_he_aims_again_at_a_neighbour_however_squares_are_counted() -> None:
    """Only his wounded side asks for a distance; under `range_count = exclusive` a neighbour is at 0 (ruling 15)."""
    for options in (Options(), Options(range_count="exclusive")):
        level = drawn(chamber(5, 1, b2="A", c2="T"), turn="ADR", options=options)
        level.do("at c2", 1)
        assert level.legal() == {"react ability", "pass"}
        level.do("react ability", 3)
        assert level.tyranids == {}


def test_sma_abil_adr_passing_keeps_it_for_later() -> None:
    level = drawn(chamber(5, 1, b2="A", d2="T"), turn="ADR")
    level.do("at d2", 1)
    level.do("pass")
    assert level.tyranids == {"d2": "termagant"}
    level.do("at d2", 1)
    assert level.legal() == {"react ability", "pass"}


@pytest.mark.parametrize(("square", "asked"), [("d2", "Turn"), ("e2", "RollFailed"), ("f2", "RollFailed")])
def test_sma_abil_adr_wounded_at_three_squares_or_more(square: str, asked: str) -> None:
    level = drawn(chamber(6, 1, **{"b2": "a", square: "T"}), turn="ADR")
    level.do(f"at {square}", 1)
    assert level.asked == asked
    if asked == "Turn":
        near = drawn(chamber(6, 1, **{"b2": "a", square: "T"}), turn="ADR", cards={"ADR": "SP-20"})
        near.do(f"at {square}", 1)
        assert near.legal() == {"react SP-20", "pass"}
        assert near.why("react ability") == "SMA-ABIL-ADR"


def test_e55_no_second_roll_outside_his_turn() -> None:
    """E55: SMA-ACT-9: Adrix ordered to attack has the Litany, not his ability; wounded Vorne rolls one die."""
    level = drawn(chamber(5, 4, b2="M", b4="A", d4="T"), turn="MAX", cards={"ADR": "SP-20"})
    level.do("cmd ADR at d4", 1)
    assert level.legal() == {"react SP-20", "pass"}
    assert level.why("react ability") == "SMA-ACT-9"
    level.do("react SP-20", 3)
    assert level.tyranids == {}
    for symbol, dice in (("v", 1), ("V", 2)):
        vorne = drawn(chamber(5, 4, b2="M", b4=symbol, d4="T"), turn="MAX")
        assert the(vorne.do("cmd VOR at d4", *[6] * dice), DiceRolled).count == dice


def test_sma_act_9_range_and_standing_bonus_of_the_current_side() -> None:
    """Raphael's +1 counts outside his turn, and so does Adrix's shorter range when wounded."""
    raphael = drawn(chamber(5, 4, b2="M", b4="R", c4="T"), turn="MAX")
    events = raphael.do("cmd RAP at c4", 2)
    assert the(events, AttackDeclared).modifier == 1
    assert raphael.tyranids == {}
    for symbol, why in (("A", ""), ("a", "SMA-RNG-1")):
        adrix = drawn(chamber(8, 4, b2="M", b4=symbol, h4="T"), turn="MAX")
        assert adrix.why("cmd ADR at h4") == why


# Raphael


@pytest.mark.parametrize("symbol", ["R", "r"])
def test_sma_abil_rap_adds_one_to_attacks(symbol: str) -> None:
    level = drawn(chamber(3, 1, b2=symbol, c2="G"), turn="RAP")
    level.do("at c2", 2)
    assert level.tyranids == {"c2": "genestealer"}
    level.do("at c2", 3)
    assert level.tyranids == {}


def test_sma_abil_rap_a_free_move_for_each_success() -> None:
    level = drawn(chamber(4, 4, b2="R", c2="T", b3="T", c3="G"), turn="RAP")
    assert not of(level.do("at c2", 1), FreeActionGranted)
    level.do("at c2", 2)
    level.do("at b3", 2)
    turn = level.state.turn
    assert turn is not None
    assert (turn.free_moves, level.left) == (2, 1)
    level.do("mv c2")
    level.do("mv d2")
    assert level.left == 1


def test_sma_abil_rap_the_free_move_stays_when_he_is_then_wounded() -> None:
    level = drawn(chamber(4, 4, b2="R", c2="T"), turn="RAP", cards={"RAP": "SP-07"})
    level.do("at c2", 2)
    level.state.pending.append(Wound(marine="RAP", cause="INF-1-17"))
    level.referee.reset(level.state)
    level.do("pass")
    assert level.wounds("RAP") == 1
    assert level.state.turn is not None
    assert (level.state.turn.free_moves, level.left) == (1, 2)


def test_e56_overwatch_gives_him_a_free_move_for_a_success() -> None:
    """E56: SMA-ABIL-RAP, SMA-SPEC-1, SMA-CON-8."""
    level = drawn(chamber(4, 4, b2="R", c2="T", b3="T"), cards={"RAP": "SP-28 SP-10"})
    level.do("sp SP-28")
    level.do("at c2", 2)
    free = level.state.free
    assert free is not None
    assert (free.moves, free.attacks) == (1, 1)
    assert level.legal() == {"free mv c2", "free at b3", "pass"}
    assert level.why("sp SP-10") == "SMA-SPEC-1"
    assert level.why("con") == "SMA-CON-8"
    assert level.why("gr b3") == "SMA-ACT-9"


def test_sma_act_7_his_free_move_is_used_before_a_free_action_that_may_be_either() -> None:
    """Combined Assault: a kill, the free Move for it, and the second action of the card is still there."""
    level = drawn(chamber(4, 4, b2="M", b4="R", c4="T", b5="T"), turn="MAX", cards={"MAX": "SP-23"})
    level.do("sp SP-23 RAP")
    level.do("free at c4", 2)
    assert the(level.do("free mv c4"), FreeActionSpent).kind == "move"
    level.do("free mv c5")
    assert (level.asked, level.at("RAP")) == ("Turn", "c5")


# Lukas


def test_sma_abil_luk_the_grenade() -> None:
    """One action; a die against the target and each edge neighbour, N, E, S, W; nothing touches the dice."""
    level = drawn(
        chamber(6, 5, b4="L", e4="T", e3="G", f4="X", e5="T", d3="T"), turn="LUK", cards={"LUK": "SP-17 SP-20"}
    )
    level.do("sp SP-17")
    events = level.do("gr e4", 1, 4, 4, 3)
    assert [event.square for event in of(events, AttackDeclared)] == ["e4", "e3", "f4", "e5"]
    assert {event.modifier for event in of(events, AttackDeclared)} == {0}
    assert {event.stream for event in of(events, DiceRolled)} == {"die/luk"}
    assert level.tyranids == {"d3": "termagant", "e4": "termagant", "f4": "lictor"}
    assert level.asked == "Turn", "the Litany is not asked for"
    assert level.left == 3
    assert level.why("gr e4") == "SMA-ABIL-LUK"
    level.do("end")
    level.turn("LUK")
    assert level.why("gr e4") == ""


def test_sma_abil_luk_wounded_it_costs_two_actions() -> None:
    level = drawn(chamber(6, 1, b2="l", d2="T"), turn="LUK")
    assert the(level.do("gr d2", 3), ActionSpent).amount == 2
    assert level.left == 1
    short = drawn(chamber(6, 3, b2="l", d2="T", d3="T"), turn="LUK", actions=1)
    assert short.why("gr d2") == "SMA-ABIL-LUK"
    assert short.why("gr d3") == "SMA-SEE-2"


@pytest.mark.parametrize(
    ("square", "why"), [("e2", ""), ("f2", "SMA-ABIL-LUK"), ("d3", "SMA-SEE-2"), ("c3", "SMA-ATK-1")]
)
def test_sma_abil_luk_in_sight_within_three(square: str, why: str) -> None:
    picture = chamber(6, 3, b2="L", **({} if square == "c3" else {square: "T"}))
    assert drawn(picture, turn="LUK").why(f"gr {square}") == why


# Vorne


def test_sma_abil_vor_two_dice_and_the_higher_counts() -> None:
    level = drawn(chamber(6, 4, b2="V", e2="G", b5="T", e5="T"), turn="VOR")
    events = level.do("at e2", 1, 4)
    assert the(events, DiceRolled).values == (1, 4)
    assert the(level.do("at b5", 2, 1), DiceRolled).count == 2
    assert the(level.do("at e5", 3, 1), DiceRolled).count == 2
    assert level.tyranids == {"b5": "termagant"}


def test_sma_abil_vor_wounded_only_his_first_attack_of_a_turn() -> None:
    level = drawn(chamber(6, 4, b2="v", e2="X"), turn="VOR", cards={"VOR": "SP-12"})
    assert the(level.do("at e2", 1, 2), DiceRolled).count == 2
    level.do("sp SP-12")
    assert the(level.do("at e2", 1), DiceRolled).count == 1
    assert the(level.do("at e2", 1), DiceRolled).count == 1
    level.do("end")
    level.turn("VOR")
    assert the(level.do("at e2", 1, 5), DiceRolled).count == 2
    assert level.tyranids == {}


def test_sma_abil_vor_a_bonus_is_added_to_the_higher() -> None:
    level = drawn(chamber(6, 1, b2="V", e2="X"), turn="VOR", cards={"VOR": "SP-17"})
    level.do("sp SP-17")
    level.do("at e2", 4, 2)
    assert level.tyranids == {}


def test_the_turn_of_maximus_goes_on_after_the_order_of_his_last_action() -> None:
    """SMA-ACT-6: with nothing left after it the turn ends by itself."""
    level = drawn(chamber(4, 4, b2="m", e5="A"), turn="MAX", actions=1)
    events = level.do("cmd ADR mv e4")
    assert "FreeActionsLapsed" in names(events)
    assert the(events, TurnEnded).reason == "no_action"
