"""Wounds and what may be done about them: sides of a datacard, Marines taken out, and the windows of a wound."""

from __future__ import annotations

import pytest
from helpers import chamber, drawn, laid, names, of, the

from warptape.domain.events import Event
from warptape.domain.space_marine_adventures.events import (
    AllowanceChanged,
    CounterPlaced,
    LevelEnded,
    MarineHealed,
    MarineStruck,
    MarineTakenOut,
    MarineWounded,
    SpecialDiscarded,
    SpecialPlayed,
    TurnEnded,
    TurnStarted,
    WoundPrevented,
)
from warptape.domain.space_marine_adventures.steps import Wound

CLAWS, HARD_CLAWS, ONE, VOLLEY = "INF-1-17", "INF-1-18", "INF-1-01", "INF-1-21"
REFRACTOR_1, REFRACTOR_2, SHIELD, NARTHECIUM = "SP-07", "SP-08", "SP-09", "SP-05"
SIDES = {"MAX": (4, 3), "ADR": (4, 3), "RAP": (4, 3), "LUK": (4, 3), "VOR": (3, 2)}


# Sides of a datacard


@pytest.mark.parametrize("code", SIDES)
def test_sma_wnd_1_the_first_wound_turns_the_datacard_to_its_wounded_side(code: str) -> None:
    healthy, wounded = SIDES[code]
    level = drawn(chamber(4, 1, c2=code[0], d2="T"))
    turn = the(level.turn(code), TurnStarted)
    assert (turn.allowance, turn.side) == (healthy, "healthy")
    level.do("end")
    events = level.infest(CLAWS, 3)
    wound = the(events, MarineWounded)
    assert (wound.marine, wound.wounds, wound.rule) == (code, 1, "SMA-WND-1")
    assert not of(events, MarineTakenOut)
    assert level.at(code) == "c2"
    turn = the(level.turn(code), TurnStarted)
    assert (turn.allowance, turn.side) == (wounded, "wounded")


def test_sma_wnd_2_the_second_wound_takes_him_off_the_board() -> None:
    level = drawn(chamber(5, 1, c2="v", d2="T", f2="M"), cards={"VOR": "SP-01"})
    events = level.infest(CLAWS, 1)
    assert the(events, MarineWounded).wounds == 2
    out = the(events, MarineTakenOut)
    assert (out.marine, out.square, out.rule) == ("VOR", "c2", "SMA-WND-2")
    assert the(events, SpecialDiscarded).rule == "SMA-SPEC-4"
    assert (level.at("VOR"), level.wounds("VOR"), level.state.marines["VOR"].cards) == ("", 2, [])
    assert level.state.used == ["SP-01"]
    # His square is floor like any other now.
    level.turn("MAX")
    level.do("at d2", 6)
    level.do("mv e2")
    level.do("mv d2")
    level.do("mv c2")
    assert level.at("MAX") == "c2"


def test_sma_wnd_2_the_level_ends_with_the_last_of_them() -> None:
    """SMA-END-1: all out of action, at once."""
    level = drawn(chamber(4, 1, b2="m", c2="T", d2="v"))
    events = level.infest(CLAWS, 1, 1)
    assert [event.marine for event in of(events, MarineTakenOut)] == ["MAX", "VOR"]
    ended = the(events, LevelEnded)
    assert (ended.reason, ended.result, ended.on_exit, ended.in_play) == ("all_out", "loss", 0, 0)
    assert names(events)[-3:] == ["MarineTakenOut", "LevelEnded", "Awaiting"]
    assert "InfestationResolved" not in names(events)


@pytest.mark.parametrize("counter", ["T05", "G01", "L01"])
def test_sma_wnd_3_every_strike_is_one_wound_whatever_the_creature(counter: str) -> None:
    level = laid(marines={"MAX": "f3", "ADR": "V1"}, bag=[counter])
    assert the(level.infest(ONE, counter), MarineWounded).wounds == 1


def test_e14_sma_wnd_3_one_card_may_wound_a_marine_twice() -> None:
    """E14: the creature that appears beside him strikes him too."""
    level = drawn(
        """
        #####
        #M#A#
        #T#.#
        #####
        """,
        objective="b3",
    )
    events = level.infest("INF-1-15", 1)
    assert [event.way for event in of(events, MarineStruck)] == ["ambush", "claws"]
    assert [event.wounds for event in of(events, MarineWounded)] == [1, 2]
    assert level.at("MAX") == ""


def test_sma_wnd_4_a_healed_marine_is_healthy_again() -> None:
    level = drawn(chamber(5, 2, b2="m", c2="A"), turn="ADR", cards={"ADR": NARTHECIUM})
    assert level.legal("sp") == {f"sp {NARTHECIUM} MAX"}
    events = level.do(f"sp {NARTHECIUM} MAX")
    assert the(events, MarineHealed).rule == "SMA-WND-4"
    assert not of(events, AllowanceChanged)
    level.do("end")
    assert the(level.turn("MAX"), TurnStarted).allowance == 4


def test_sma_wnd_4_healing_himself_gives_the_actions_of_the_healthy_side_at_once() -> None:
    """SMA-ACT-8: what he has spent stays spent."""
    level = drawn(chamber(5, 2, b2="m"), turn="MAX", cards={"MAX": NARTHECIUM})
    level.do("mv c2")
    level.do("mv d2")
    assert level.left == 1
    changed = the(level.do(f"sp {NARTHECIUM} MAX"), AllowanceChanged)
    assert (changed.allowance, changed.left, changed.cause) == (4, 2, "healed")
    assert level.left == 2


def test_sma_wnd_2_taken_out_in_his_own_turn_he_has_it_no_longer() -> None:
    """SMA-ROUND-2: the turn ends, and his activation card goes on the pile."""
    level = drawn(chamber(5, 2, b2="m", e2="A"), cards={"MAX": REFRACTOR_1})
    level.turn("MAX")
    level.state.pending.append(Wound(marine="MAX", cause=CLAWS))
    level.referee.reset(level.state)
    events = level.do("pass")
    assert the(events, MarineTakenOut).marine == "MAX"
    assert (the(events, TurnEnded).reason, level.state.turn, level.state.activation) == ("out", None, "")
    assert level.asked == "Ready"


def test_sma_wnd_5_a_marine_out_of_action_never_comes_back() -> None:
    level = drawn(chamber(5, 3, b2="M", d2="V"), out=["ADR"], turn="MAX", cards={"MAX": f"{NARTHECIUM} SP-23"})
    assert level.why(f"sp {NARTHECIUM} ADR") == "SMA-SPEC-5"
    assert level.why("cmd ADR") == "SMA-WND-5"
    assert level.why("sp SP-23 ADR") == "SMA-SPEC-5"
    level.do("end")
    level.turn("ADR")
    assert (level.asked, level.at("ADR"), level.wounds("ADR")) == ("Ready", "", 2)


# The windows of a wound


@pytest.mark.parametrize("way", ["counter", "ambush", "claws", "spines"])
def test_a_wound_of_any_sort_may_be_prevented(way: str) -> None:
    """SMA-SPEC-7: `wound_self` and `wound_near`; the datacard is not touched before."""
    cards = {"MAX": REFRACTOR_1, "ADR": SHIELD}
    maps = {
        "counter": (chamber(3, 1, b2="M", c2="A"), ONE, ("T05",)),
        "ambush": ("#####\n##M##\n##A##\n#####", "INF-1-14", ()),
        "claws": (chamber(3, 2, b2="M", c2="A", b3="T"), CLAWS, (1,)),
        "spines": (chamber(6, 2, b2="M", b3="A", e2="T", d3="G"), VOLLEY, (1,)),
    }
    picture, card, chance = maps[way]
    for answer, wounds in ((REFRACTOR_1, 0), (SHIELD, 0), ("", 1)):
        level = drawn(picture, cards=cards, entries={"1": "c2" if way == "ambush" else "b2"})
        events = level.infest(card, *chance)
        assert the(events, MarineStruck).way == way
        assert not of(events, MarineWounded)
        assert level.state.pending[-1] == Wound(marine="MAX", cause=card)
        assert level.legal() == {f"react {REFRACTOR_1}", f"react {SHIELD}", "pass"}
        events = level.do(f"react {answer}" if answer else "pass")
        assert level.wounds("MAX") == wounds
        if answer:
            assert the(events, SpecialPlayed).card == answer
            assert the(events, WoundPrevented).by == answer
            assert level.state.used == [answer]
        else:
            assert of(events, SpecialPlayed) == []
            assert level.state.used == []


def test_several_refractor_fields_are_asked_one_wound_at_a_time() -> None:
    level = drawn(chamber(3, 2, b2="M", b3="T"), cards={"MAX": f"{REFRACTOR_1} {REFRACTOR_2}"})
    level.infest(CLAWS, 1)
    assert level.legal() == {f"react {REFRACTOR_1}", f"react {REFRACTOR_2}", "pass"}
    level.do(f"react {REFRACTOR_2}")
    assert (level.asked, level.state.marines["MAX"].cards) == ("Ready", [REFRACTOR_1])
    level.infest(HARD_CLAWS, 4)
    level.do(f"react {REFRACTOR_1}")
    assert (level.wounds("MAX"), level.state.used) == (0, [REFRACTOR_2, REFRACTOR_1])


def test_e61_the_holder_of_the_shield_is_not_asked_for_himself_but_for_his_neighbour() -> None:
    """E61; and an answer that does not fit is refused with the reason."""
    level = drawn(chamber(3, 2, b2="M", c2="A", b3="T", c3="T"), cards={"ADR": f"{SHIELD} SP-20"})
    events = level.infest(CLAWS, 1)
    assert the(events, MarineStruck).marine == "MAX"
    assert level.legal() == {f"react {SHIELD}", "pass"}
    assert level.why("react SP-20") == "SMA-SPEC-1"
    assert level.why(f"react {REFRACTOR_1}") == "SMA-SPEC-1"
    assert level.why("react ability") == "SMA-ABIL-ADR"
    assert level.why(f"sp {SHIELD}") == "SMA-SPEC-1"
    for line in ("next", "mv d2", "end", "con"):
        assert level.why(line) == "SMA-SPEC-7"
    # Maximus is let down; the next die is Adrix's own, and nobody is asked for that wound.
    level.do("pass", 1)
    assert (level.wounds("MAX"), level.wounds("ADR"), level.asked) == (1, 1, "Ready")


def test_a_marine_who_is_out_shields_nobody() -> None:
    """SMA-SPEC-4: his cards went to the box with the wound before."""
    level = drawn(chamber(4, 2, b2="m", c2="A", b3="T", c3="T"), cards={"MAX": SHIELD})
    events = level.infest(CLAWS, 1, 1)
    assert [(event.marine, event.wounds) for event in of(events, MarineWounded)] == [("MAX", 2), ("ADR", 1)]
    assert level.asked == "Ready"
    assert level.state.used == [SHIELD]


def test_the_shield_of_a_marine_prevents_the_fall_of_the_next_one_in_the_same_card() -> None:
    """One prompt after the other, in the order of the roster."""
    level = drawn(chamber(4, 2, b2="m", c2="a", b3="T", c3="T"), cards={"MAX": SHIELD, "ADR": REFRACTOR_2})
    level.infest(CLAWS, 4, 1)
    assert level.state.pending[-1] == Wound(marine="ADR", cause=CLAWS)
    level.do(f"react {SHIELD}")
    assert (level.at("MAX"), level.at("ADR"), level.asked) == ("b2", "c2", "Ready")


def test_a_prevented_wound_of_a_short_card_lets_the_rest_of_it_come() -> None:
    """INF-1-07 with a Marine on entry 1: after the answer the second square is carried out."""
    level = laid(marines={"MAX": "f3", "ADR": "V1"}, cards={"MAX": REFRACTOR_1})
    level.infest("INF-1-07", "T05")
    assert level.asked == "Wound"
    events: list[Event] = level.do(f"react {REFRACTOR_1}", "T05")
    assert [(event.square, event.counter) for event in of(events, CounterPlaced)] == [("d6", "T05")]
    assert names(events)[-4:] == ["CounterPlaced", "InfestationResolved", "ActivationPiled", "Awaiting"]


# Second rolls


def test_litany_after_an_attack_and_a_console_try_in_one_turn() -> None:
    """SMA-ATK-6, SMA-SPEC-3: one die each, then the cards are gone."""
    level = drawn(chamber(4, 1, b2="M", c2="T"), objective="b2", turn="MAX", cards={"MAX": "SP-20 SP-21"})
    level.do("at c2", 2)
    assert level.legal() == {"react SP-20", "react SP-21", "pass"}
    assert level.why("react ability") == "SMA-ABIL-ADR"
    level.do("react SP-20", 3)
    assert level.tyranids == {}
    level.do("con", 5)
    assert level.legal() == {"react SP-21", "pass"}
    level.do("react SP-21", 5)
    assert not level.state.console
    assert level.state.used == ["SP-20", "SP-21"]
    assert level.why("react SP-21") == "SMA-SPEC-3"
    assert level.left == 2


def test_litany_is_kept_by_passing_and_asked_at_the_next_failure() -> None:
    level = drawn(chamber(4, 1, b2="M", c2="G"), turn="MAX", cards={"MAX": "SP-20"})
    level.do("at c2", 1)
    level.do("pass")
    assert (level.asked, level.left) == ("Turn", 3)
    level.do("at c2", 3)
    assert level.asked == "RollFailed"
    level.do("react SP-20", 4)
    assert level.tyranids == {}
