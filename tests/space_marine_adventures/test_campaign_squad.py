"""Who goes on in a campaign and with what: the call, those left behind, special cards, and the options of both."""

from __future__ import annotations

from typing import Any

import pytest
from campaigns import (
    CAMPAIGN,
    CARDS,
    FACES,
    campaign,
    creatures_and_cards,
    entered,
    equipped,
    into,
    last_card,
    last_step,
    standing,
)
from helpers import LULL, Level, laid, names, of, the

from warptape.domain.errors import ImpossibleOutcome
from warptape.domain.events import DeckShuffled
from warptape.domain.space_marine_adventures.events import (
    LevelCleared,
    MarineCalled,
    MarineDeployed,
    MarineLeftBehind,
    SpecialEquipped,
    SpecialsDrawn,
    VesselDocked,
)
from warptape.domain.space_marine_adventures.state import Marine

ALL_CALLS = {"call VOR V1", "nocall"}


def next_board(level: Level) -> Level:
    """Take the last step, lay the next board and dock at A; the call is asked for then, if there is one."""
    level.do("mv X1")
    entered(level)
    return level


def pool_of(events: list[Any]) -> tuple[str, ...]:
    """The special cards that the draw of a level is made from."""
    (items,) = (event.items for event in of(events, DeckShuffled) if event.deck == "specials")
    return items


# The call


def test_sma_camp_13_the_marine_who_has_not_played_may_be_called() -> None:
    """Lukas was taken out of action: Vorne may come, on any empty square of the tile, or nobody."""
    level = next_board(last_step(1))
    assert level.asked == "CallMarine"
    assert level.legal() == {"call VOR V1", "nocall"}
    assert level.why("call VOR V2") == "SMA-CAMP-13"  # Raphael stands there
    assert level.why("call LUK V1") == level.why("call MAX V1") == "SMA-CAMP-13"
    assert level.why("call VOR h2") == "SMA-CAMP-13"
    assert level.why("equip MAX=SP-01") == "SMA-SETUP-16"
    two = last_card(1, {"MAX": "X2", "ADR": "X4"}, out=["RAP", "LUK"])
    two.infest(LULL)
    entered(two)
    assert two.legal() == {"call VOR V2", "call VOR V4", "nocall"}
    events = two.do("call VOR V4", *creatures_and_cards(two, extra=1))
    called = the(events, MarineCalled)
    assert (called.marine, called.square, called.squad) == ("VOR", "V4", ("MAX", "ADR", "VOR"))
    assert two.state.called


def test_sma_camp_15_the_called_marine_is_healthy_and_one_of_the_squad() -> None:
    """He takes his place in the order of the roster, has his turns and one new card like everybody."""
    level = last_step(1, out=["VOR"])
    next_board(level)
    assert level.legal("call") == {"call LUK V1"}
    events = level.do("call LUK V1", *creatures_and_cards(level, extra=1))
    assert level.state.squad == ("MAX", "ADR", "RAP", "LUK")
    assert level.state.marines["LUK"] == Marine("V1")
    assert len(the(events, SpecialsDrawn).cards) == 8
    equipped(level)
    assert len(level.state.deck) == 12
    assert [len(level.state.marines[code].cards) for code in level.state.squad] == [1, 1, 1, 1]
    level.turn("LUK")
    assert level.left == 4


def test_sma_camp_13_a_call_may_be_declined_and_made_at_level_3() -> None:
    """SMA-CAMP-14: at Level 3 only if not made before, and only if somebody was lost in Level 2."""
    level = next_board(last_step(1))
    level.do("nocall", *creatures_and_cards(level))
    equipped(level)
    assert not level.state.called
    level = next_board(_second(out=("RAP",), gone=("LUK",)))
    assert level.asked == "CallMarine"
    assert level.legal("call") == {"call VOR V2", "call VOR V3"}
    # Who was lost at Level 1 is never called.
    assert level.why("call LUK V2") == level.why("call RAP V2") == "SMA-CAMP-13"


def test_those_lost_add_up_over_the_levels() -> None:
    """SMA-CAMP-13: out of action or left behind, in the level just played or in one before."""
    level = _second(out=("RAP",), gone=("LUK",))
    level.do("mv X1")
    assert (level.state.gone, level.state.fallen, level.state.strays) == (("LUK", "RAP"), ("RAP",), ())


def _second(out: tuple[str, ...], called: bool = False, gone: tuple[str, ...] = ()) -> Level:
    """The last step of Level 2: Maximus and Adrix go on."""
    level = laid(
        "1-up",
        level=2,
        marines={"MAX": "m10", "ADR": "X4"},
        out=out,
        exit="B",
        turn="MAX",
        options=CAMPAIGN,
    )
    level.state.faces, level.state.called, level.state.gone = ("2-up",), called, gone
    return level


def test_sma_camp_14_nobody_was_lost_in_the_level_just_played() -> None:
    """A Marine lost at Level 1, and nobody at Level 2: no call at Level 3."""
    level = _second(out=(), gone=("RAP", "LUK"))
    level.do("mv X1")
    entered(level)
    assert level.asked == "EquipSquad"
    assert level.why("call VOR V1") == "SMA-CAMP-13"


def test_e35_one_call_in_a_campaign() -> None:
    """E35: SMA-CAMP-14: a call at Level 3 after one at Level 2 is refused."""
    level = _second(out=("RAP",), called=True, gone=("LUK",))
    level.do("mv X1")
    entered(level)
    assert level.asked == "EquipSquad"
    assert level.why("call VOR V1") == "SMA-CAMP-14"
    assert level.why("nocall") == "SMA-CAMP-14"


def test_the_call_remembered_over_the_levels() -> None:
    """SMA-CAMP-14: from Level 2, where Vorne was called, to Level 3, though another Marine was lost since."""
    level = next_board(last_step(1))
    level.do("call VOR V1", *creatures_and_cards(level, extra=1))
    equipped(level)
    state = level.state
    state.exit, state.sealed, state.console = "B", tuple(x for x in state.sealed if x != "B"), True
    hulk = level.rules.book.ground(state).hulk
    for code, square in zip(state.squad, (hulk.grid.name(hulk.exits["B"]), "X2", "X3", ""), strict=True):
        state.marines[code].square = square
    state.marines["VOR"].wounds = 2
    state.tyranids.clear()
    state.moved()
    level.referee.reset(state)
    level.turn("MAX")
    level.do("mv X1")
    assert level.state.fallen == ("VOR",)
    entered(level)
    assert level.asked == "EquipSquad"


def test_the_called_marine_takes_his_place_in_the_order_of_the_roster() -> None:
    """Groups are handled in that order, whoever came first."""
    level = laid(marines={"MAX": "m10", "RAP": "X2", "VOR": "X3"}, out=["LUK"], exit="B", turn="MAX", options=CAMPAIGN)
    next_board(level)
    level.do("call ADR V1", *creatures_and_cards(level, extra=1))
    assert level.state.squad == tuple(level.state.marines) == ("MAX", "ADR", "RAP", "VOR")


@pytest.mark.parametrize("line", ["call VOR V1", "nocall"])
def test_sma_camp_13_no_call_at_other_times(line: str) -> None:
    assert laid(marines={"MAX": "h2"}, options=CAMPAIGN).why(line) == "SMA-CAMP-13"
    assert laid(marines={"MAX": "h2"}).why(line) == "SMA-CAMP-13"
    level = next_board(last_step(1))
    level.do("nocall", *creatures_and_cards(level))
    assert level.why(line) == "SMA-CAMP-13"


# Left behind


def test_e34_a_living_marine_off_the_tile_is_left_behind() -> None:
    """E34: SMA-CAMP-16: he is out of the campaign with his cards, and nobody may be called for him."""
    assert not of(last_step(1).do("mv X1"), MarineLeftBehind)  # Lukas is out of action there
    level = last_card(1, standing(3, 1), cards={"LUK": "SP-28"})
    events = level.infest(LULL)
    left = the(events, MarineLeftBehind)
    assert (left.marine, left.rule) == ("LUK", "SMA-CAMP-16")
    assert names(events).index("LevelEnded") < names(events).index("MarineLeftBehind")
    assert level.state.squad == ("MAX", "ADR", "RAP")
    assert (level.state.gone, level.state.strays, level.state.fallen) == (("LUK",), ("LUK",), ())
    assert "LUK" not in level.state.marines
    entered(level)
    assert level.asked == "EquipSquad"
    assert level.why("call VOR V1") == "SMA-CAMP-16"


def test_e34_left_behind_calls() -> None:
    """E34, `left_behind_calls = true`: he counts as taken out of action, for one call."""
    level = last_card(1, standing(3, 1), options=campaign(left_behind_calls=True))
    level.infest(LULL)
    entered(level)
    assert level.legal() == {"call VOR V1", "nocall"}
    level.do("call VOR V1", *creatures_and_cards(level, extra=1))
    assert level.state.squad == ("MAX", "ADR", "RAP", "VOR")


def test_a_wounded_marine_left_behind_is_no_marine_taken_out() -> None:
    """SMA-CAMP-16, ruling 43: leaving a wounded Marine behind buys no healthy one."""
    level = last_card(1, standing(3, 1), wounded=["LUK"])
    level.infest(LULL)
    assert (level.state.strays, level.state.fallen) == (("LUK",), ())


def test_one_left_behind_and_one_taken_out() -> None:
    """SMA-CAMP-13: the one who was taken out allows the call; neither of them is ever called."""
    level = last_card(1, {"MAX": "X1", "ADR": "X2", "RAP": "h2"}, out=["LUK"])
    level.infest(LULL)
    assert (level.state.fallen, level.state.strays, level.state.gone) == (("LUK",), ("RAP",), ("RAP", "LUK"))
    entered(level)
    assert level.legal("call") == {"call VOR V1", "call VOR V2"}
    assert level.why("call RAP V1") == "SMA-CAMP-13"


def test_a_marine_on_the_entry_tile_is_left_behind_too() -> None:
    """SMA-END-6, SMA-CAMP-16."""
    level = last_card(1, {"MAX": "X1", "ADR": "X2", "RAP": "V1"})
    assert the(level.infest(LULL), MarineLeftBehind).marine == "RAP"


# Special cards


def test_e36_one_new_card_each_whatever_he_holds() -> None:
    """E36: SMA-CAMP-18, SMA-CAMP-19: from all 28 less those still held, those used at Level 1 among them."""
    level = last_step(1, cards={"ADR": "SP-20"}, used=["SP-01", "SP-05"])
    level.do("mv X1")
    entered(level)
    events = level.do("nocall", *creatures_and_cards(level, first=["SP-01", "SP-05"]))
    assert pool_of(events) == tuple(card for card in CARDS if card != "SP-20")
    drawn = the(events, SpecialsDrawn)
    assert (drawn.cards[:2], len(drawn.cards), drawn.rule) == (("SP-01", "SP-05"), 6, "SMA-CAMP-18")
    level.do("equip MAX=SP-01")
    level.do("equip ADR=SP-05")
    assert level.state.marines["ADR"].cards == ["SP-20", "SP-05"]
    assert level.why("equip ADR=SP-02") == "SMA-SETUP-14"
    happened = equipped(level)
    assert len(of(happened, SpecialEquipped)) == 1
    assert level.state.pool == ()


def test_a_card_that_is_held_cannot_be_drawn_again() -> None:
    """SMA-CAMP-19."""
    level = last_step(1, cards={"ADR": "SP-20"})
    level.do("mv X1")
    entered(level)
    with pytest.raises(ImpossibleOutcome):
        level.do("nocall", 1, "SP-20", "SP-02", "SP-03", "SP-04", "SP-05", "SP-06")


@pytest.mark.parametrize("used_cards", ["back_each_level", "out_for_campaign"])
def test_e50_cards_of_those_lost_count_as_used(used_cards: str) -> None:
    """E50: drawn from again at the next level; out with `used_cards = out_for_campaign`, as those that were used."""
    level = last_card(
        1,
        {"MAX": "X1", "ADR": "X2", "RAP": "h2"},
        out=["LUK"],
        cards={"RAP": "SP-28 SP-27", "MAX": "SP-07"},
        used=["SP-01", "SP-20"],  # one used, one of Lukas
        options=campaign(used_cards=used_cards),
    )
    events = level.infest(LULL)
    out = ("SP-01", "SP-20", "SP-28", "SP-27") if used_cards == "out_for_campaign" else ()
    assert the(events, LevelCleared).keep == out
    entered(level)
    events = level.do("nocall", *creatures_and_cards(level))
    assert pool_of(events) == tuple(card for card in CARDS if card not in (*out, "SP-07"))
    assert {*level.state.spent} == {*out}


def test_out_for_campaign_adds_up_over_the_levels() -> None:
    """`used_cards = out_for_campaign`: what was used at Level 1 is out at Level 3 as well; cards set aside are not."""
    level = _second(out=())
    level.state.options = campaign(used_cards="out_for_campaign")
    level.state.spent, level.state.used = ["SP-01"], ["SP-02"]
    events = level.do("mv X1")
    assert the(events, LevelCleared).keep == ("SP-01", "SP-02")
    assert (level.state.spent, level.state.used) == (["SP-01", "SP-02"], [])
    assert pool_of(entered(level)) == tuple(card for card in CARDS if card not in ("SP-01", "SP-02"))


def test_own_pairs_in_a_campaign() -> None:
    """Ruling 3, `special_pick = own_pair`: each of the survivors has one of his own two new cards."""
    level = last_step(1, cards={"ADR": "SP-20"}, options=campaign(special_pick="own_pair"))
    level.do("mv X1")
    entered(level)
    level.do("nocall", *creatures_and_cards(level))
    assert level.legal() == {"equip MAX=SP-01", "equip MAX=SP-02"}
    assert level.why("equip MAX=SP-03") == "SMA-SETUP-15"
    level.do("equip MAX=SP-02")
    assert level.legal() == {"equip ADR=SP-03", "equip ADR=SP-04"}


# The tile in a free order


def test_dock_free_order_lets_the_survivors_line_up_anew() -> None:
    """Ruling 41, `dock = free_order`: V1, V2, V3 are filled in any order; the call takes a square that is left."""
    level = last_step(1, options=campaign(dock="free_order"))
    level.do("mv X1")
    level.do("board 2-up")
    events = level.do("enter A")
    docked = the(events, VesselDocked)
    assert (docked.moved, docked.rule) == ({}, "SMA-CAMP-7")
    assert level.asked == "DeploySquad"
    assert level.legal() == {"deploy MAX=V1", "deploy ADR=V1", "deploy RAP=V1"}
    assert level.why("deploy MAX=V3") == "SMA-SETUP-8"
    assert level.why("deploy VOR=V1") == "SMA-SETUP-5"
    level.do("deploy RAP=V1")
    events = level.do("deploy MAX=V2")
    assert [event.marine for event in of(events, MarineDeployed)] == ["MAX", "ADR"]
    assert {code: level.at(code) for code in level.state.squad} == {"MAX": "V2", "ADR": "V3", "RAP": "V1"}
    assert level.legal() == {"call VOR V4", "nocall"}


@pytest.mark.parametrize("on_exit", [2, 3, 4])
def test_the_survivors_line_up_in_one_line_of_notation(on_exit: int) -> None:
    """`deploy` names all of them, as at Level 1, though the tile has more squares than they need."""
    level = last_card(1, standing(on_exit, 4 - on_exit), options=campaign(dock="free_order"))
    level.infest(LULL)
    level.do("board 2-up")
    level.do("enter A")
    order = ("LUK", "RAP", "ADR", "MAX")[4 - on_exit :]
    line = "deploy " + " ".join(f"{code}=V{number}" for number, code in enumerate(order, 1))
    actions = level.rules.parse(level.state, "team", line)
    assert len(actions) == on_exit - 1  # the last one takes his square by himself
    for action in actions[:-1]:
        level.referee.take("team", action)
    level.table.left = [str(one) for one in creatures_and_cards(level)]
    level.referee.take("team", actions[-1])
    assert [level.at(code) for code in order] == [f"V{number}" for number in range(1, on_exit + 1)]


def test_with_dock_far_end_nobody_lines_up() -> None:
    """SMA-CAMP-8."""
    level = next_board(last_step(1))
    assert level.asked == "CallMarine"
    assert level.why("deploy MAX=V1") == "SMA-CAMP-8"


def test_a_campaign_by_three_docks() -> None:
    """From Level 1 to Level 3 by the same steps: two tiles change places each time (SMA-CAMP-11)."""
    level = last_step(1)
    into(level, face=FACES[2], label="D")
    assert (level.state.entry, level.state.exit, level.state.faces) == ("D", "", ("1-up",))
    assert {code: level.at(code) for code in level.state.squad} == {"MAX": "V4", "ADR": "V3", "RAP": "V2"}
    hulk = level.rules.book.ground(level.state).hulk
    state = level.state
    state.exit, state.sealed, state.console = "B", ("A", "C"), True
    for code, square in zip(state.squad, (hulk.grid.name(hulk.exits["B"]), "X4", "X2"), strict=True):
        state.marines[code].square = square
    state.tyranids.clear()
    state.moved()
    level.referee.reset(state)
    level.turn("MAX")
    level.do("mv X1")
    assert level.legal() == {"board 3-up", "board 3-down"}
    into(level, face=FACES[3], label="B")
    assert (level.state.entry, level.state.level) == ("B", 3)
    assert {code: level.at(code) for code in level.state.squad} == {"MAX": "V4", "ADR": "V1", "RAP": "V3"}
