"""What is refused of advanced cards, of the campaign and of the Prime: the rule that forbids it, and what to do instead."""

from __future__ import annotations

import pytest
from helpers import Level, chamber, drawn, laid

from warptape.domain.chance import Fate
from warptape.domain.errors import OptionError
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.state import Options


def opened(**options: object) -> Level:
    """A game at its first question."""
    return Level(RULESET, Match(RULESET, Fate("opened"), Options(**options)).state)  # type: ignore[arg-type]


def second(**options: object) -> Level:
    """A campaign at the first question of Level 2: Maximus and Adrix are left, Raphael and Lukas out of action."""
    given = Options(mode="campaign", **options)  # type: ignore[arg-type]
    hulk = RULESET.book.catalogue.hulk("1-up", "A", "C")
    door = hulk.grid.name(hulk.exits["C"])
    level = laid(
        "1-up", exit="C", marines={"MAX": "X2", "ADR": door}, out=("RAP", "LUK"), tyranids={}, options=given, turn="ADR"
    )
    level.do("mv X1")
    assert (level.asked, level.state.level) == ("ChooseBoard", 2)
    return level


def said(level: Level, line: str) -> str:
    return str(level.refusal(line))


def test_sma_adv_2_skull_cards_are_those_of_the_level_and_chosen_when_asked_for() -> None:
    level = opened(level=2, skull_cards="ask")
    assert said(level, "adv none") == "refused SMA-ADV-2: the skull cards are chosen later, once the squad is lined up"
    for line in ("board 1-up", "enter A", "squad MAX ADR RAP LUK", "deploy MAX=V1 ADR=V2 RAP=V3 LUK=V4"):
        level.do(line)
    assert level.legal() == {"adv none", "adv ADV-2-1", "adv ADV-2-2", "adv ADV-2-1 ADV-2-2"}
    assert said(level, "adv ADV-1-1") == "refused SMA-ADV-2: ADV-1-1 is no skull card of Level 2: ADV-2-1, ADV-2-2"
    assert said(level, "equip MAX=SP-01").endswith("`adv` comes next")
    assert level.why("adv ADV-2-2 ADV-2-1") == ""
    plain = laid("1-up", level=2, marines={"MAX": "V1"}, turn="MAX")
    assert "opened with the option skull_cards=ask" in said(plain, "adv ADV-2-1")
    asked = laid("1-up", marines={"MAX": "V1"}, options=Options(skull_cards="ask"))
    assert said(asked, "adv none") == "refused SMA-ADV-2: the skull cards of this level have been chosen"


def test_sma_adv_5_and_sma_adv_7_challenges_are_chosen_once_and_of_levels_that_are_played() -> None:
    level = opened(challenges="ask")
    assert said(level, "challenge CHA-3-1") == (
        "refused SMA-ADV-7: CHA-3-1 is a challenge of Level 3, which is not played: CHA-1-1, CHA-1-2"
    )
    assert said(level, "board 1-up").endswith("`challenge` comes next")
    level.do("challenge CHA-1-2")
    assert said(level, "challenge none") == "refused SMA-ADV-5: the challenges of this game have been chosen"
    assert "option challenges=ask" in said(opened(), "challenge CHA-1-1")
    assert "option challenges=ask" in said(opened(challenges="random"), "challenge CHA-1-1")
    assert opened(mode="campaign", challenges="ask").why("challenge CHA-3-1 CHA-1-2") == ""


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"challenges": "CHA-3-1"}, "'CHA-3-1': of Level 1 there are CHA-1-1, CHA-1-2 .*random, ask; SMA-ADV-7"),
        ({"skull_cards": "ADV-1-1,adv-2-1"}, "'ADV-2-1': of Level 1 there are ADV-1-1, ADV-1-2 .*SMA-ADV-2"),
        ({"skull_cards": "random"}, "'skull_cards' cannot be 'RANDOM'"),
        ({"mode": "campaign", "challenges": "CHA-4-1"}, "of Levels 1, 2 and 3 there are CHA-1-1"),
        ({"mode": "campaign", "level": "2"}, "leave out the option 'level'"),
        ({"mode": "both"}, "it takes single, campaign"),
    ],
)
def test_an_option_that_names_what_is_not_played_says_what_there_is(given: dict[str, str], reason: str) -> None:
    """SMA-ADV-2 and SMA-ADV-7: advanced cards of other levels are no options of a game."""
    with pytest.raises(OptionError, match=reason):
        RULESET.parse_options(given)


def test_sma_camp_13_a_call_waits_until_the_survivors_stand_on_the_docked_tile() -> None:
    level = second()
    assert said(level, "call VOR V1") == (
        "refused SMA-CAMP-13: the call is made once the survivors stand on the docked tile; `board` comes next"
    )
    level.do("board 2-up")
    assert said(level, "nocall").endswith("`enter` comes next")
    level.do("enter B")
    assert level.legal() == {"call VOR V1", "call VOR V2", "nocall"}
    assert said(level, "call LUK V1") == "refused SMA-CAMP-13: Brother Lukas has played already; call Brother Vorne"
    assert said(level, "call VOR V3") == "refused SMA-CAMP-13: V3 is no empty square of the tile: V1, V2"
    assert said(level, "deploy MAX=V1") == "refused SMA-CAMP-8: whoever is left keeps his square; `call` comes next"


def test_sma_camp_13_nobody_is_called_in_a_single_level_or_before_the_next_one() -> None:
    assert said(opened(), "nocall") == "refused SMA-CAMP-13: nobody is called in a level that is played by itself"
    first = opened(mode="campaign")
    assert said(first, "call LUK V1") == "refused SMA-CAMP-13: a call can be made when the next level is set up"
    last = laid("1-up", level=3, marines={"MAX": "V1"}, options=Options(mode="campaign"), turn="MAX")
    assert (
        said(last, "nocall") == "refused SMA-CAMP-13: a call is made while a level is set up, and no further one comes"
    )


def test_sma_camp_6_and_sma_setup_17_the_next_board_is_another_and_the_squad_the_same() -> None:
    level = second()
    assert said(level, "board 1-down") == (
        "refused SMA-CAMP-6: the board of 1-down has been played on; left: 2-up, 2-down, 3-up, 3-down"
    )
    assert said(level, "squad MAX ADR RAP LUK").startswith("refused SMA-SETUP-17: ")


def lair(cards: str = "", **units: str) -> Level:
    """An open room with the Prime on e4, in the turn of Adrix; `units` are symbols by square."""
    return drawn(chamber(9, 9, **units), level=3, objective="e4", turn="ADR", cards={"ADR": cards} if cards else {})


def test_sma_prime_5_says_who_guards_the_prime() -> None:
    why = "refused SMA-PRIME-5: the Prime cannot be harmed while another Tyranid is adjacent to it, as on f4 and d4"
    level = lair("SP-01 SP-03 SP-18", e2="A", d4="T", f4="X")
    for line in ("at e4", "sp SP-01 e4", "sp SP-03 e4", "sp SP-18 s"):
        assert said(level, line) == why
    assert said(lair("SP-19", e3="A", d4="T", f4="X"), "sp SP-19 e4") == why


def test_sma_prime_4_three_squares_are_near_enough() -> None:
    level = lair("SP-01", e8="A")
    assert said(level, "at e4") == said(level, "sp SP-01 e4")
    assert said(level, "at e4") == "refused SMA-PRIME-4: the Prime cannot be harmed from more than 3 squares away"
    assert lair("SP-01", e7="A").why("at e4") == lair("SP-01", e7="A").why("sp SP-01 e4") == ""


def test_sma_prime_7_and_sma_con_1_the_prime_bars_the_way_and_there_is_no_console() -> None:
    level = lair(e3="A")
    assert level.why("mv e4") == "SMA-MOVE-3"
    assert said(level, "con") == "refused SMA-CON-1: there is no console to work in this level"
