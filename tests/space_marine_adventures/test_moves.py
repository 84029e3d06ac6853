"""Moves and the actions they take: the worked examples W1, W5 and W6, runs through Marines, free Moves."""

from __future__ import annotations

import pytest
from helpers import CATALOGUE, Level, chamber, drawn, laid, names, of, the

from warptape.domain.space_marine_adventures.events import (
    ActionSpent,
    AllowanceChanged,
    FreeActionsLapsed,
    FreeActionSpent,
    MarineMoved,
    TurnEnded,
    TurnStarted,
)
from warptape.domain.space_marine_adventures.steps import Wound

CORRIDOR = """
#########
#MAL....#
#########
"""


# The Move


def test_w1_the_move_example() -> None:
    """SMA-MOVE-1 to -5: Maximus on d3 between a Termagant, a wall and Adrix."""
    level = laid("fx-move", turn="MAX", actions=2)
    assert level.why("mv d2") == "SMA-MOVE-3"
    assert level.why("mv c2") == "SMA-MOVE-1"
    assert level.why("mv d4") == "SMA-MOVE-2"
    assert level.why("mv e3") == "SMA-MOVE-4"
    assert level.legal("mv") == {"mv c3", "mv f3"}
    events = level.do("mv e3>f3")
    assert level.at("MAX") == "f3"
    assert level.at("ADR") == "e3"
    assert the(events, MarineMoved).path == ("e3", "f3")
    assert the(events, ActionSpent).amount == 2


def test_w1_with_one_action_left() -> None:
    """SMA-MOVE-5: the crossing may not be begun."""
    level = laid("fx-move", turn="MAX", actions=1)
    assert level.why("mv e3>f3") == "SMA-MOVE-5"
    assert level.why("mv f3") == "SMA-MOVE-5"
    assert level.legal("mv") == {"mv c3"}
    assert the(level.do("mv c3"), ActionSpent).amount == 1
    assert level.at("MAX") == "c3"


def test_sma_move_1_goes_to_the_four_sides_only() -> None:
    level = drawn(chamber(5, 5, d4="M"), turn="MAX")
    assert level.legal("mv") == {"mv d3", "mv e4", "mv d5", "mv c4"}
    for square in ("c3", "e3", "c5", "e5", "d2", "f4", "d4"):
        assert level.why(f"mv {square}") == "SMA-MOVE-1", square


def test_sma_move_2_neither_wall_nor_a_sealed_bulkhead() -> None:
    level = laid("1-up", marines={"MAX": "l10", "ADR": "h1"}, turn="MAX")
    assert level.why("mv m10") == "SMA-MOVE-2"
    refusal = level.refusal("mv m10")
    assert refusal is not None
    assert "bulkhead" in refusal.reason
    assert level.why("mv k10") == "SMA-MOVE-2"
    assert level.legal("mv") == {"mv l9", "mv l11"}
    opened = laid("1-up", marines={"MAX": "l10", "ADR": "h1"}, exit="B", turn="MAX")
    opened.do("mv m10")
    assert opened.at("MAX") == "m10"


@pytest.mark.parametrize("picture", ["#MT..#", "#MG..#", "#MX..#"])
def test_sma_move_3_neither_onto_nor_through_a_tyranid(picture: str) -> None:
    level = drawn(f"######\n{picture}\n######", turn="MAX")
    assert level.why("mv c2") == "SMA-MOVE-3"
    assert level.why("mv c2>d2") == "SMA-MOVE-3"
    assert level.legal("mv") == set()


def test_sma_move_4_a_run_may_not_end_on_a_marine() -> None:
    level = drawn(CORRIDOR, turn="MAX")
    assert level.why("mv c2") == "SMA-MOVE-4"
    assert level.why("mv c2>d2") == "SMA-MOVE-4"
    assert level.why("mv d2") == "SMA-MOVE-4"


def test_e6_through_two_marines_in_one_command() -> None:
    """E6: SMA-MOVE-6."""
    level = drawn(CORRIDOR, turn="MAX")
    assert level.legal("mv") == {"mv e2"}
    events = level.do("mv c2>d2>e2")
    assert level.at("MAX") == "e2"
    assert the(events, ActionSpent).amount == 3
    assert level.left == 1
    assert len(of(events, MarineMoved)) == 1


def test_e7_the_landing_square_holds_a_tyranid() -> None:
    """E7: SMA-MOVE-3."""
    level = drawn("########\n#MALT..#\n########", turn="MAX")
    assert level.why("mv c2>d2>e2") == "SMA-MOVE-3"
    assert level.why("mv e2") == "SMA-MOVE-3"
    assert level.legal("mv") == set()


def test_a_run_takes_the_shortest_way_through_marines() -> None:
    """SMA-MOVE-6: the end square alone names it, and a corner may be turned among Marines."""
    level = drawn("#####\n#MA.#\n#RL.#\n##V##\n##.##\n#####", turn="MAX")
    assert level.legal("mv") == {"mv d2", "mv d3", "mv c5"}
    events = level.do("mv c5")
    assert the(events, ActionSpent).amount == 4
    assert level.at("MAX") == "c5"


def test_sma_move_6_free_and_paid_moves_are_mixed_in_a_run() -> None:
    level = drawn("########\n#TRAL..#\n########", turn="RAP", actions=2)
    assert level.why("mv d2>e2>f2") == "SMA-MOVE-5"
    level = drawn("########\n#TRAL..#\n########", turn="RAP", actions=3)
    level.do("at b2", 2)
    refusal = drawn("########\n#RALV..#\n########", turn="RAP", actions=1, free_moves=2).refusal("mv c2>d2>e2>f2")
    assert refusal is not None
    assert refusal.reason == "to come out on f2 takes 4 Moves, and he has 3"
    events = level.do("mv d2>e2>f2")
    assert the(events, FreeActionSpent).count == 1
    assert the(events, ActionSpent).amount == 2
    assert level.at("RAP") == "f2"


def test_sma_move_6_nothing_is_done_between_the_steps_of_a_run() -> None:
    """A run is one decision: no question is asked and nothing happens between its steps."""
    level = drawn("########\n#MA.T..#\n########", turn="MAX")
    events = level.do("mv c2>d2")
    assert names(events) == ["ActionTaken", "ActionSpent", "MarineMoved"]


def test_sma_move_7_every_kind_of_floor_may_be_entered() -> None:
    """Entry/exit, xenos entry, console and vessel squares."""
    level = laid("1-up", marines={"MAX": "g2", "ADR": "e8"} | {"ADR": "f7"}, turn="MAX")
    level.do("mv h2")
    level.do("mv h1")
    level.do("mv V1")
    level.do("mv V2")
    assert level.at("MAX") == "V2"
    entry = laid("1-up", marines={"MAX": "f2", "ADR": "f7"}, turn="MAX")
    assert CATALOGUE.hulk("1-up", "A").xenos[0] == CATALOGUE.hulk("1-up", "A").grid.square("f3")
    entry.do("mv f3")
    assert entry.at("MAX") == "f3"
    console = laid("1-up", marines={"MAX": "f2", "ADR": "f7"}, turn="ADR")
    console.do("mv f8")
    assert console.at("ADR") == console.state.objective == "f8"
    tile = laid("1-up", marines={"MAX": "m10", "ADR": "h1"}, exit="B", turn="MAX")
    tile.do("mv X1")
    tile.do("mv X2")
    assert tile.at("MAX") == "X2"


def test_sma_move_8_a_tile_joins_the_board_at_its_first_square_only() -> None:
    level = laid("1-up", marines={"MAX": "h2", "ADR": "V1", "RAP": "V4"}, exit="B", turn="MAX")
    assert level.why("mv V1") == "SMA-MOVE-1"
    for code, ways in (("ADR", {"mv h1", "mv V2"}), ("RAP", {"mv V3"})):
        own = laid("1-up", marines={"MAX": "h2", "ADR": "V1", "RAP": "V4"}, exit="B", turn=code)
        assert own.legal("mv") == ways
    exit_tile = laid("1-up", marines={"MAX": "X1", "ADR": "h2"}, exit="B", turn="MAX")
    assert exit_tile.legal("mv") == {"mv m10", "mv X2"}


# Actions


def test_w6_the_allowance_is_the_actions_figure() -> None:
    """SMA-ACT-1: Maximus 4, Vorne 3; on the wounded side one fewer (SMA-ABIL-0)."""
    figures = {
        code: the(drawn(f"####\n#{symbol}.#\n####").turn(code), TurnStarted).allowance
        for symbol, code in (("M", "MAX"), ("V", "VOR"), ("A", "ADR"), ("R", "RAP"), ("L", "LUK"))
    }
    assert figures == {"MAX": 4, "VOR": 3, "ADR": 4, "RAP": 4, "LUK": 4}
    wounded = {
        code: the(drawn(f"####\n#{symbol}.#\n####").turn(code), TurnStarted).allowance
        for symbol, code in (("m", "MAX"), ("v", "VOR"), ("a", "ADR"), ("r", "RAP"), ("l", "LUK"))
    }
    assert wounded == {code: actions - 1 for code, actions in figures.items()}


def test_sma_act_1_no_more_than_the_allowance() -> None:
    level = drawn(chamber(4, 4, b2="V"), turn="VOR", cards={"VOR": "SP-24"})
    for square in ("c2", "d2", "e2"):
        level.do(f"mv {square}")
    assert level.left == 0
    assert level.why("mv e3") == "SMA-ACT-1"
    assert level.legal() == {"sp SP-24", "end"}


def test_w5_a_free_action_is_not_counted() -> None:
    """W5: SMA-ACT-2: Raphael takes five actions, four of them paid."""
    level = drawn(chamber(5, 5, b2="R", c2="T"), turn="RAP")
    log = level.do("at c2", 5)
    for square in ("b3", "b4", "b5", "b6"):
        log += level.do(f"mv {square}")
    assert sum(event.amount for event in of(log, ActionSpent)) == 4
    assert [event.kind for event in of(log, FreeActionSpent)] == ["move"]
    assert len(of(log, MarineMoved)) == 4
    assert the(log, TurnEnded).reason == "no_action"


def test_sma_act_3_moves_and_attacks_are_always_there_and_cards_add_actions() -> None:
    level = drawn(chamber(4, 4, b2="L", d2="T", e5="M"), turn="LUK", cards={"LUK": "SP-03"})
    verbs = {line.split()[0] for line in level.legal()}
    assert verbs == {"mv", "at", "gr", "sp", "end"}
    plain = drawn(chamber(4, 4, b2="R", c2="T"), turn="RAP")
    assert {line.split()[0] for line in plain.legal()} == {"mv", "at", "end"}


def test_sma_act_4_any_order_any_mix_and_an_early_stop() -> None:
    level = drawn(chamber(6, 4, b2="A", e2="T", e3="G"), turn="ADR")
    level.do("at e2", 6)
    level.do("mv b3")
    level.do("at e3", 4)
    assert level.left == 1
    events = level.do("end")
    assert the(events, TurnEnded).reason == "ended"
    assert level.asked == "Ready"
    hemmed_in = drawn("#####\n#MT.#\n#####", turn="MAX")
    assert hemmed_in.legal() == {"at c2", "end"}
    assert the(hemmed_in.do("end"), TurnEnded).reason == "ended"


def test_sma_act_5_with_nothing_possible_the_turn_is_over() -> None:
    """SMA-ACT-6: walled in, with a Tyranid on a corner he does not see past, he has nothing to decide."""
    closed = drawn("####\n#R##\n##T#\n#.##\n####")
    events = closed.turn("RAP")
    assert the(events, TurnEnded).reason == "no_action"
    assert the(events, TurnEnded).rule == "SMA-ACT-6"
    assert closed.asked == "Ready"


def test_e60_a_playable_card_keeps_the_turn_open() -> None:
    """E60: SMA-ACT-5, SMA-ACT-6: no action is left, but a Frag Grenade has a target."""
    without = drawn(chamber(6, 3, b2="R", f2="T"), turn="RAP", actions=1, cards={"RAP": "SP-01"})
    assert the(without.do("mv b3"), TurnEnded).reason == "no_action"
    assert without.asked == "Ready"
    level = drawn(chamber(6, 3, b2="R", f3="T"), turn="RAP", actions=1, cards={"RAP": "SP-01"})
    level.do("mv b3")
    assert level.asked == "Turn"
    assert level.legal() == {"sp SP-01 f3", "end"}
    events = level.do("sp SP-01 f3", 1)
    assert the(events, TurnEnded).reason == "no_action"


def test_sma_act_5_a_free_move_keeps_the_turn_open() -> None:
    level = drawn(chamber(3, 3, b2="R", c2="T"), turn="RAP", actions=1)
    level.do("at c2", 2)
    assert level.left == 0
    assert level.legal() == {"mv b3", "mv c2", "end"}
    events = level.do("mv c2")
    assert the(events, TurnEnded).reason == "no_action"


def test_sma_act_7_a_free_action_is_used_before_a_paid_one() -> None:
    level = drawn(chamber(4, 4, b2="R", c2="T"), turn="RAP")
    level.do("at c2", 3)
    assert level.left == 3
    events = level.do("mv b3")
    assert of(events, ActionSpent) == []
    assert the(events, FreeActionSpent).left == 0
    assert level.left == 3
    assert the(level.do("mv b4"), ActionSpent).left == 2


def test_sma_act_7_a_free_move_is_no_attack_and_lapses_with_the_turn() -> None:
    level = drawn(chamber(4, 4, b2="R", c2="T", b3="G"), turn="RAP", actions=1)
    level.do("at c2", 3)
    assert level.left == 0
    assert level.why("at b3") == "SMA-ACT-1"
    level.do("end")
    level.turn("RAP")
    turn = level.state.turn
    assert turn is not None
    assert (turn.free_moves, turn.allowance) == (0, 4)


def test_sma_act_7_free_actions_outside_a_turn_lapse_with_pass() -> None:
    level = drawn(chamber(4, 4, b2="M", e5="A"), turn="MAX", cards={"MAX": "SP-23"})
    level.do("sp SP-23 ADR")
    level.do("free mv e4")
    events = level.do("pass")
    assert the(events, FreeActionsLapsed).count == 1
    assert level.state.free is None
    assert level.asked == "Turn"


def test_sma_act_8_healed_in_his_turn() -> None:
    """The allowance is the new side's at once; what was spent stays spent."""
    level = drawn(chamber(4, 4, b2="m"), turn="MAX", cards={"MAX": "SP-05"})
    level.do("mv b3")
    level.do("mv b4")
    assert level.left == 1
    events = level.do("sp SP-05 MAX")
    assert (the(events, AllowanceChanged).allowance, level.left) == (4, 2)


def test_e26_wounded_in_his_turn_after_three_actions() -> None:
    """E26: SMA-ACT-8: allowance 3, none left; free Moves, cards and `end` remain."""
    level = drawn(chamber(4, 4, b2="R", c2="T"), turn="RAP", cards={"RAP": "SP-07 SP-10"})
    level.do("at c2", 6)
    level.do("mv c2")
    level.do("mv d2")
    level.do("mv e2")
    assert level.left == 1
    struck(level, "RAP")
    events = level.do("pass")
    assert the(events, AllowanceChanged).allowance == 3
    assert level.left == 0
    assert level.legal() == {"sp SP-10", "end"}
    level.do("sp SP-10")
    level.do("mv e3")
    assert level.state.turn is not None
    assert level.state.turn.free_moves == 2


def test_sma_act_8_extra_actions_and_spores_stay_in_the_sum() -> None:
    level = drawn(chamber(4, 4, b2="M"), cards={"MAX": "SP-07 SP-24"})
    level.infest("INF-1-23")
    events = level.turn("MAX")
    assert (the(events, TurnStarted).allowance, the(events, TurnStarted).spores) == (3, 1)
    level.do("sp SP-24")
    assert level.left == 5
    struck(level, "MAX")
    level.do("pass")
    assert level.left == 3 + 2 - 1
    assert level.state.marines["MAX"].spores == 0


def test_sma_act_8_never_below_nothing() -> None:
    level = drawn(chamber(4, 4, b2="M"), turn="MAX", actions=0, cards={"MAX": "SP-07 SP-24"})
    struck(level, "MAX")
    level.do("pass")
    assert level.left == 0
    assert level.legal() == {"sp SP-24", "end"}
    level.do("sp SP-24")
    assert level.left == 1


def struck(level: Level, code: str) -> None:
    """That Marine is about to be wounded, in the middle of his turn; he holds a card, so it is asked about."""
    level.state.pending.append(Wound(marine=code, cause="INF-1-17"))
    level.referee.reset(level.state)
