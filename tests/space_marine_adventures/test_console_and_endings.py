"""The console, the bulkheads and the exit tile; how the level ends and is scored (W7, W8, and the edge cases about them)."""

from __future__ import annotations

import pytest
from helpers import LULL, Level, laid, names, of, the

from warptape.domain.events import CardDrawn, DiceRolled
from warptape.domain.space_marine_adventures.events import (
    ActionSpent,
    BulkheadOpened,
    BulkheadStayedSealed,
    ConsoleActivated,
    ConsoleTried,
    InfestationResolved,
    LevelEnded,
    MarineTakenOut,
    TurnEnded,
    VesselLaid,
)
from warptape.domain.space_marine_adventures.state import Options

CLAWS = "INF-1-17"
BULKHEADS = ("bulkhead-1", "bulkhead-3", "bulkhead-2")
"""Under B, C and D: the one at C opens."""


def result(level: Level) -> tuple[str, str]:
    """Why the level ended and its result, empty if it goes on."""
    ended = level.state.ended
    assert (ended is None) == (level.referee.decision is not None)
    return ("", "") if ended is None else (ended.reason, ended.result)


# The console


def test_w7_a_try_fails_and_the_next_one_works() -> None:
    """W7: SMA-CON-1 to -5: one action and the Marine's die each; 6 turns all three bulkheads over."""
    level = laid(marines={"MAX": "f8"}, turn="MAX")
    events = level.do("con", 5)
    tried = the(events, ConsoleTried)
    assert (tried.total, tried.need, tried.success) == (5, 6, False)
    assert the(events, ActionSpent).left == 3
    assert the(events, DiceRolled).stream == "die/max"
    assert (level.state.console, level.state.exit) == (False, "")
    events = level.do("con", 6, *BULKHEADS)
    assert the(events, ConsoleActivated).marine == "MAX"
    assert [event.item for event in of(events, CardDrawn)] == list(BULKHEADS)
    assert the(events, BulkheadOpened).label == "C"
    assert [event.label for event in of(events, BulkheadStayedSealed)] == ["B", "D"]
    laid_tile = the(events, VesselLaid)
    assert (laid_tile.tile, laid_tile.label, laid_tile.squares) == ("exit", "C", ("X1", "X2", "X3", "X4"))
    assert (level.state.console, level.state.exit, level.state.sealed) == (True, "C", ("B", "D"))
    assert level.left == 2


def test_sma_con_1_only_on_the_objective_square() -> None:
    level = laid(marines={"MAX": "f7", "ADR": "V1"}, turn="MAX")
    assert level.why("con") == "SMA-CON-1"
    level.do("mv f8")
    assert level.why("con") == ""


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5])
def test_sma_con_2_less_than_six_does_nothing(die: int) -> None:
    level = laid(marines={"MAX": "f8"}, turn="MAX")
    events = level.do("con", die)
    assert not of(events, ConsoleActivated)
    assert level.state.sealed == ("B", "C", "D")


def test_sma_con_3_again_with_each_action_and_in_a_later_turn() -> None:
    level = laid(marines={"VOR": "f8"}, turn="VOR")
    for left in (2, 1, 0):
        level.do("con", 1)
        assert level.state.turn is None if left == 0 else level.left == left
    level.turn("VOR")
    assert of(level.do("con", 6, *BULKHEADS), ConsoleActivated)


@pytest.mark.parametrize(("order", "label"), [(("bulkhead-3", "bulkhead-1", "bulkhead-2"), "B"), (BULKHEADS, "C")])
def test_sma_con_4_the_open_bulkhead_is_an_empty_square(order: tuple[str, ...], label: str) -> None:
    level = laid(marines={"MAX": "f8", "ADR": "l10", "RAP": "f12"}, turn="MAX")
    level.do("con", 6, *order)
    level.do("end")
    level.turn("ADR")
    assert (level.why("mv m10") == "") == (label == "B")
    level.do("end")
    level.turn("RAP")
    assert (level.why("mv f13") == "") == (label == "C")
    assert ("SMA-MOVE-2" in {level.why("mv f13")}) == (label != "C")


def test_sma_con_4_a_bulkhead_that_was_looked_under_is_known() -> None:
    """A place seen before is not drawn again; the faces agree with what was seen."""
    level = laid(marines={"MAX": "f8"}, turn="MAX", cards={"MAX": "SP-27"})
    level.do("sp SP-27 B C", "bulkhead-2", "bulkhead-3")
    events = level.do("con", 6, "bulkhead-1")
    assert [event.item for event in of(events, CardDrawn)] == ["bulkhead-1"]
    assert the(events, BulkheadOpened).label == "C"


def test_sma_con_5_the_tile_runs_out_from_the_opened_exit() -> None:
    level = laid(marines={"MAX": "f8", "ADR": "f12"}, turn="MAX")
    level.do("con", 6, *BULKHEADS)
    level.do("end")
    level.turn("ADR")
    for square in ("f13", "X1", "X2", "X3"):
        level.do(f"mv {square}")
    assert level.at("ADR") == "X3"


def test_sma_con_6_an_activated_console_is_inert() -> None:
    level = laid(marines={"MAX": "f8"}, exit="B", turn="MAX")
    assert level.why("con") == "SMA-CON-6"
    assert "con" not in level.legal()


def test_sma_con_8_a_try_is_always_paid() -> None:
    level = laid(marines={"RAP": "f8"}, tyranids={"f7": "termagant"}, turn="RAP", actions=1)
    level.do("at f7", 2)
    assert (level.left, level.why("con")) == (0, "SMA-CON-8")
    order = laid(marines={"MAX": "h2", "ADR": "f8"}, turn="MAX")
    order.do("cmd ADR")
    assert order.why("con") == "SMA-CON-8"


def test_the_ability_of_adrix_is_for_attacks_only() -> None:
    """SMA-ABIL-ADR."""
    level = laid(marines={"ADR": "f8"}, turn="ADR")
    level.do("con", 1)
    assert level.asked == "Turn"
    held = laid(marines={"ADR": "f8"}, turn="ADR", cards={"ADR": "SP-20"})
    held.do("con", 1)
    assert held.why("react ability") == "SMA-ABIL-ADR"


def test_vorne_tries_the_console_with_one_die() -> None:
    """SMA-ABIL-VOR: two dice are for Attacks."""
    level = laid(marines={"VOR": "f8"}, turn="VOR")
    assert the(level.do("con", 5), DiceRolled).count == 1


# Endings


@pytest.mark.parametrize(("on_exit", "grade"), [(4, "major"), (3, "minor"), (2, "draw"), (1, "loss"), (0, "loss")])
def test_w8_the_result_by_marines_on_the_exit_tile(on_exit: int, grade: str) -> None:
    """W8: SMA-END-3, SMA-END-7, SMA-GEN-3: the deck runs out with that many on the tile."""
    squares = dict(
        zip(("MAX", "ADR", "RAP", "LUK"), (*("X1", "X2", "X3", "X4")[:on_exit], "h2", "i2", "j2", "k2"), strict=False)
    )
    level = laid(marines=squares, exit="B", infestation=[LULL])
    events = level.infest(LULL)
    reason = "all_on_exit" if on_exit == 4 else "deck_out"
    assert result(level) == (reason, grade)
    ended = the(events, LevelEnded)
    assert (ended.on_exit, ended.in_play) == (on_exit, 4)
    outcome = level.rules.outcome(level.state)
    assert outcome is not None
    assert outcome.result == grade
    assert outcome.winners == (("team",) if grade in ("major", "minor") else ())


def test_sma_end_1_all_marines_out_ends_at_once() -> None:
    """SMA-END-5: inside the card, its later steps are not carried out."""
    level = laid(marines={"MAX": "f3"}, wounded=["MAX"], out=["ADR", "RAP", "LUK"], tyranids={})
    events = level.infest("INF-1-07", "T01")
    assert result(level) == ("all_out", "loss")
    assert the(events, LevelEnded).rule == "SMA-END-1"
    assert not of(events, InfestationResolved)
    assert level.tyranids == {}


def test_e19_the_last_living_marine_steps_on_the_tile() -> None:
    """E19: SMA-END-2: three on the tile and the fourth out: at once, a minor victory."""
    level = laid(marines={"MAX": "m10", "ADR": "X2", "RAP": "X3"}, out=["LUK"], exit="B", turn="MAX")
    events = level.do("mv X1")
    assert result(level) == ("all_on_exit", "minor")
    assert the(events, LevelEnded).rule == "SMA-END-2"
    assert not of(events, TurnEnded)


def test_sma_end_2_not_before_the_last_one_is_there() -> None:
    level = laid(marines={"MAX": "m10", "ADR": "X2", "RAP": "h2"}, exit="B", turn="MAX")
    level.do("mv X1")
    assert result(level) == ("", "")
    level.do("end")
    level.infest(LULL)
    assert result(level) == ("", "")


def test_e20_a_marine_on_the_entry_tile_is_in_play() -> None:
    """E20: SMA-END-6: three on the exit tile, the fourth still on V2."""
    level = laid(marines={"MAX": "m10", "ADR": "X2", "RAP": "X3", "LUK": "V2"}, exit="B", turn="MAX")
    level.do("mv X1")
    assert result(level) == ("", "")
    over = laid(marines={"MAX": "X1", "LUK": "V2"}, exit="B", infestation=[LULL])
    ended = the(over.infest(LULL), LevelEnded)
    assert (ended.on_exit, ended.in_play, ended.result) == (1, 2, "loss")


def test_e18_the_last_card_of_the_deck() -> None:
    """E18: SMA-END-4, SMA-END-7: three on the tile and one on the board: over as soon as the card is resolved."""
    squares = {"MAX": "X1", "ADR": "X2", "RAP": "X3", "LUK": "h2"}
    level = laid(marines=squares, exit="B", infestation=[LULL, CLAWS])
    level.infest(CLAWS)
    assert result(level) == ("", "")
    events = level.infest(LULL)
    assert names(events).index("InfestationResolved") < names(events).index("LevelEnded")
    assert result(level) == ("deck_out", "minor")
    assert the(events, LevelEnded).rule == "SMA-END-3"


def test_deck_out_draw_needed_lets_the_squad_act_once_more() -> None:
    """Ruling 33, `deck_out = draw_needed`."""
    squares = {"MAX": "X1", "ADR": "X2", "RAP": "X3", "LUK": "h2"}
    options = Options(deck_out="draw_needed")
    level = laid(marines=squares, exit="B", infestation=[LULL], options=options)
    level.infest(LULL)
    assert result(level) == ("", "")
    level.turn("LUK")
    level.do("end")
    level.do("next", level.unused("tyranid"))
    assert result(level) == ("deck_out", "minor")


def test_e54_a_straggler_taken_out_in_mid_card_ends_nothing_before_the_other_steps() -> None:
    """E54: SMA-END-5: the claws of the second step still come; then the level ends and is scored."""
    # Raphael is foremost and walled in: the ambush wounds him a second time, then the claws strike at the tile.
    level = laid(
        marines={"MAX": "X1", "ADR": "X3", "RAP": "f3"},
        wounded=["RAP"],
        out=["LUK"],
        tyranids={"f2": "termagant", "f4": "termagant", "X2": "termagant"},
        exit="B",
    )
    events = level.infest("INF-1-15", 1, 6)
    assert the(events, MarineTakenOut).marine == "RAP"
    assert names(events).index("MarineTakenOut") < names(events).index("DiceRolled")
    assert (level.wounds("MAX"), level.wounds("ADR")) == (1, 0)
    assert result(level) == ("all_on_exit", "draw")


def test_all_on_the_tile_is_tested_after_a_free_action() -> None:
    """SMA-END-5: an order of Maximus takes the last one there."""
    level = laid(marines={"MAX": "X1", "ADR": "m10", "RAP": "X2"}, exit="B", turn="MAX")
    assert level.why("cmd ADR mv X1") == "SMA-MOVE-4"
    over = laid(marines={"MAX": "X2", "ADR": "m10", "RAP": "X3"}, exit="B", turn="MAX")
    events = over.do("cmd ADR mv X1")
    assert result(over) == ("all_on_exit", "minor")
    assert not of(events, TurnEnded)
    assert of(events, LevelEnded)


def test_all_on_the_tile_is_tested_after_a_free_action_between_turns() -> None:
    """SMA-END-5: on Overwatch Raphael destroys what stands on X1, and steps there as the last one."""
    level = laid(
        marines={"RAP": "m10", "ADR": "X2", "MAX": "X3"},
        tyranids={"X1": "termagant"},
        exit="B",
        cards={"RAP": "SP-28"},
    )
    level.do("sp SP-28")
    level.do("free at X1", 6)
    assert result(level) == ("", "")
    events = level.do("free mv X1")
    assert result(level) == ("all_on_exit", "minor")
    assert names(events)[-3:] == ["FreeActionsLapsed", "LevelEnded", "Awaiting"]


def test_a_marine_on_the_exit_tile_may_leave_it() -> None:
    level = laid(marines={"MAX": "X1", "ADR": "h2"}, exit="B", turn="MAX")
    level.do("mv m10")
    assert level.at("MAX") == "m10"
    assert result(level) == ("", "")


def test_sma_gen_3_leaving_by_the_entry_wins_nothing() -> None:
    """Only the briefing's exit counts."""
    level = laid(marines={"MAX": "V1", "ADR": "V2"}, out=["RAP", "LUK"], infestation=[LULL])
    assert level.infest(LULL)
    assert result(level) == ("deck_out", "loss")


def test_a_level_without_an_open_exit_is_lost_when_the_deck_runs_out() -> None:
    level = laid(marines={"MAX": "f8", "ADR": "h2"}, turn="MAX", infestation=[LULL])
    level.do("con", 6, *BULKHEADS)
    level.do("end")
    ended = the(level.infest(LULL), LevelEnded)
    assert (ended.reason, ended.result, ended.on_exit) == ("deck_out", "loss", 0)
