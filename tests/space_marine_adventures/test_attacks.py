"""Attacks and their dice: W3, resilience, bonuses, second rolls, destroyed counters, and creatures that only stand."""

from __future__ import annotations

import pytest
from helpers import LULL, chamber, drawn, laid, names, of, the

from warptape.domain.events import CounterReturned, DiceRolled
from warptape.domain.space_marine_adventures.events import (
    ActionSpent,
    AttackDeclared,
    AttackMissed,
    CounterDestroyed,
    CounterMoved,
    CounterPlaced,
    MarineStruck,
    MarineWounded,
    ResilienceRaised,
    RolledAgain,
)


def test_w3_raphael_attacks() -> None:
    """SMA-SEE-1, SMA-RNG-1, SMA-ATK-1 to -3: three Moves, two Tyranids he cannot reach, one he destroys."""
    level = laid("fx-raphael", turn="RAP")
    for square in ("b4", "b3", "c3"):
        level.do(f"mv {square}")
    assert level.left == 1
    assert level.why("at f2") == "SMA-SEE-1"
    assert level.why("at c5") == "SMA-RNG-1"
    counter = level.state.tyranids["d3"].counter
    assert counter not in level.bag
    events = level.do("at d3", 5)
    attack = the(events, AttackDeclared)
    assert (attack.modifier, attack.need, attack.distance) == (1, 3, 1)
    assert the(events, CounterDestroyed).square == "d3"
    assert counter in level.bag
    assert level.left == 0
    assert level.state.turn is not None
    assert level.state.turn.free_moves == 1
    assert sorted(level.tyranids) == ["c5", "f2"]


@pytest.mark.parametrize(("symbol", "need"), [("T", 3), ("G", 4), ("X", 5)])
def test_sma_atk_2_the_result_has_to_reach_the_resilience(symbol: str, need: int) -> None:
    for die in range(1, 7):
        level = drawn(chamber(4, 1, b2="M", d2=symbol), turn="MAX")
        events = level.do("at d2", die)
        assert ("d2" in level.tyranids) == (die < need)
        assert len(of(events, AttackMissed)) == (die < need)
        assert the(events, AttackDeclared).need == need


def test_sma_atk_1_an_attack_is_one_action_at_one_tyranid() -> None:
    level = drawn(chamber(4, 4, b2="M", d2="T", b4="T"), turn="MAX")
    events = level.do("at d2", 3)
    assert the(events, ActionSpent).amount == 1
    assert level.tyranids == {"b4": "termagant"}
    assert level.why("at d2") == "SMA-ATK-1"
    assert level.why("at c3") == "SMA-ATK-1"
    assert level.left == 3


@pytest.mark.parametrize(("symbol", "code"), [("M", "MAX"), ("A", "ADR"), ("R", "RAP"), ("L", "LUK"), ("V", "VOR")])
def test_sma_gen_4_every_marine_rolls_his_own_die(symbol: str, code: str) -> None:
    level = drawn(chamber(3, 1, b2=symbol, c2="G"), turn=code)
    events = level.do("at c2", *([6, 6] if code == "VOR" else [6]))
    assert the(events, DiceRolled).stream == f"die/{code.lower()}"
    struck = drawn(chamber(3, 1, b2=symbol, c2="T"))
    assert the(struck.infest("INF-1-17", 6), DiceRolled).stream == f"die/{code.lower()}"


def test_sma_gen_5_a_roll_for_no_marine_has_no_marines_die() -> None:
    level = laid("1-up", marines={"MAX": "h2"}, tyranids={})
    events = level.infest("INF-1-13", "T01", 4, "T02")
    assert the(events, DiceRolled).stream == "die/team"
    assert sorted(level.tyranids) == ["f8", "h6"]


def test_sma_gen_6_there_is_no_facing() -> None:
    """Having moved east he attacks west, north and south alike."""
    level = drawn(chamber(5, 5, b4="T", d4="A", e2="T", e6="T"), turn="ADR")
    level.do("mv e4")
    assert level.legal("at") == {"at b4", "at e2", "at e6"}


def test_sma_atk_3_the_counter_goes_back_at_once_and_may_be_drawn_again() -> None:
    level = drawn("#######\n#M.T.1#\n#######", turn="MAX", bag=[])
    counter = level.state.tyranids["d2"].counter
    events = level.do("at d2", 3)
    assert names(events)[-2:] == ["CounterDestroyed", "CounterReturned"]
    assert the(events, CounterReturned).token == counter
    assert level.bag == [counter]
    level.do("end")
    placed = the(level.infest("INF-1-01", counter), CounterPlaced)
    assert (placed.counter, placed.square) == (counter, "f2")
    assert level.bag == []


def test_sma_atk_4_bonuses_are_added_and_no_natural_result_decides_by_itself() -> None:
    lucky = drawn(chamber(3, 1, b2="R", c2="T"), turn="RAP", cards={"RAP": "SP-17"})
    lucky.do("sp SP-17")
    events = lucky.do("at c2", 1)
    assert the(events, AttackDeclared).modifier == 2
    assert lucky.tyranids == {}
    unlucky = drawn(chamber(3, 1, b2="M", c2="X"), turn="MAX", hardened={"lictor": 2})
    assert the(unlucky.do("at c2", 6), AttackDeclared).need == 7
    assert unlucky.tyranids == {"c2": "lictor"}


def test_sma_atk_5_he_need_not_take_the_nearest() -> None:
    level = drawn(chamber(6, 4, b2="M", c3="T", f2="G"), turn="MAX")
    assert level.legal("at") == {"at c3", "at f2"}
    level.do("at f2", 4)
    assert level.tyranids == {"c3": "termagant"}


def test_e28_both_dice_of_vorne_are_rolled_again() -> None:
    """E28: SMA-ATK-6, SMA-ABIL-VOR: wounded, two dice for his first Attack, one for the second."""
    level = drawn(chamber(5, 1, b2="v", d2="G"), turn="VOR", cards={"VOR": "SP-20"})
    level.do("at d2", 2, 3)
    assert level.legal() == {"react SP-20", "pass"}
    events = level.do("react SP-20", 1, 3)
    assert the(events, RolledAgain).replaced == (2, 3)
    assert the(events, DiceRolled).values == (1, 3)
    assert level.tyranids == {"d2": "genestealer"}
    assert the(level.do("at d2", 4), DiceRolled).count == 1
    assert level.tyranids == {}


def test_e29_no_die_is_rolled_again_twice() -> None:
    """E29: SMA-ATK-6: after Adrix's own second roll the Litany is not asked for."""
    level = drawn(chamber(5, 1, b2="A", d2="G"), turn="ADR", cards={"ADR": "SP-20"})
    level.do("at d2", 1)
    assert level.legal() == {"react SP-20", "react ability", "pass"}
    level.do("react ability", 2)
    assert level.asked == "Turn"
    assert level.why("react SP-20") == "SMA-ATK-6"
    assert level.state.marines["ADR"].cards == ["SP-20"]
    other = drawn(chamber(5, 1, b2="A", d2="G"), turn="ADR", cards={"ADR": "SP-20"})
    other.do("at d2", 1)
    other.do("react SP-20", 1)
    assert other.why("react ability") == "SMA-ATK-6"


def test_sma_atk_6_the_second_roll_stands_even_if_it_is_worse() -> None:
    level = drawn(chamber(5, 1, b2="M", d2="X"), turn="MAX", cards={"MAX": "SP-20 SP-21"})
    level.do("at d2", 4)
    events = level.do("react SP-21", 1)
    assert the(events, AttackMissed)
    assert level.asked == "Turn"
    assert level.why("react SP-20") == "SMA-ATK-6"
    level.do("at d2", 4)
    level.do("react SP-20", 5)
    assert level.tyranids == {}


def test_e40_hardened_chitin() -> None:
    """E40: the Lictor needs 6; when the round is over, 5 again (SMA-ATK-2)."""
    level = drawn(chamber(6, 1, b2="A", e2="X"), activation=["act-tyranid-1", "act-adrix-1"])
    assert the(level.infest("INF-1-12"), ResilienceRaised).plus == 1
    level.turn("ADR")
    assert the(level.do("at e2", 5), AttackDeclared).need == 6
    level.do("pass")
    assert level.tyranids == {"e2": "lictor"}
    level.do("end")
    assert level.state.round == 2
    level.turn("ADR")
    assert the(level.do("at e2", 5), AttackDeclared).need == 5
    assert level.tyranids == {}


def test_sma_atk_7_creatures_only_stand_unless_a_card_says_otherwise() -> None:
    level = drawn(chamber(4, 4, b2="M", c2="T", b3="G", e5="X"))
    before = level.tyranids
    log = level.infest(LULL)
    for _ in range(2):
        log += level.turn("MAX") + level.do("end")
    assert level.tyranids == before
    assert level.wounds("MAX") == 0
    for kind in (CounterMoved, MarineStruck, MarineWounded):
        assert not of(log, kind)
