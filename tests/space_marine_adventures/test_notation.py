"""Notation: every form of it, what is refused and why, what is no notation and what was meant."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import chamber, drawn, laid

from warptape.domain.chance import Fate, Luck
from warptape.domain.errors import BadNotation, IllegalAction
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.state import Options

ROOM = chamber(5, 4, b2="M", c2="A", e4="T", b5="L")


def bad(line: str, **given: Any) -> BadNotation:
    """What is wrong with a line in the room."""
    level = drawn(ROOM, **given)
    with pytest.raises(BadNotation) as caught:
        level.rules.parse(level.state, "team", line)
    return caught.value


def parsed(line: str) -> list[Any]:
    """The actions a line stands for in the room, in the turn of Maximus."""
    level = drawn(ROOM, turn="MAX", cards={"MAX": "SP-01 SP-18 SP-05"})
    return list(level.rules.parse(level.state, "team", line))


# Forms


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("mv b3", act.Move("b3")),
        ("MV B3", act.Move("b3")),
        ("  move   b3 ", act.Move("b3")),
        ("MAX: mv b3", act.Move("b3")),
        ("max:mv b3", act.Move("b3")),
        ("mv c2>d2", act.Move("d2")),
        ("mv c2 > d2", act.Move("d2")),
        ("at e4", act.Attack("e4")),
        ("attack E4", act.Attack("e4")),
        ("con", act.TRY_CONSOLE),
        ("cmd ADR", act.Command("ADR")),
        ("cmd adrix", act.Command("ADR")),
        ("gr e4", act.ThrowGrenade("e4")),
        ("sp SP-01 e4", act.Play("SP-01", ("e4",))),
        ("sp 1 e4", act.Play("SP-01", ("e4",))),
        ("sp frag-grenade e4", act.Play("SP-01", ("e4",))),
        ("sp sp-18 SE", act.Play("SP-18", ("se",))),
        ("sp SP-05 adr", act.Play("SP-05", ("ADR",))),
        ("end", act.END),
        ("next", act.NEXT),
        ("pass", act.PASS),
        ("react SP-20", act.React("SP-20")),
        ("react ability", act.ABILITY),
        ("pick d2", act.Pick("d2")),
        ("pick lukas", act.Pick("LUK")),
        ("order 3 1 2", act.Order((3, 1, 2))),
    ],
)
def test_a_line_stands_for_an_action(line: str, action: object) -> None:
    assert parsed(line) == [action]


def test_one_line_may_stand_for_several_actions() -> None:
    assert parsed("mv b3>b4") == [act.Move("b3"), act.Move("b4")]
    assert parsed("mv c2>d2>d3") == [act.Move("d2"), act.Move("d3")]
    assert parsed("cmd LUK mv c5") == [act.Command("LUK"), act.Move("c5")]
    assert parsed("cmd ADR at e4") == [act.Command("ADR"), act.Attack("e4")]


def test_an_order_in_one_line_runs_through_the_comrades_of_the_one_ordered() -> None:
    level = drawn("########\n#M.LA..#\n########", turn="MAX", cards={"MAX": "SP-23"})
    level.do("sp SP-23 LUK")
    level.do("free mv e2>f2")
    assert level.at("LUK") == "f2"


def test_setup_lines() -> None:
    match = Match(RULESET, Fate("notation"))
    match.act("board 2-down")
    match.act("enter c")
    match.act("squad vor RAP adr MAX")
    assert match.state.squad == ("MAX", "ADR", "RAP", "VOR")
    match.act("deploy RAP=V1 MAX=V2 ADR=V3 VOR=V4")
    assert [match.state.marines[code].square for code in match.state.squad] == ["V2", "V3", "V1", "V4"]
    pool = match.state.pool
    match.act(f"equip MAX={pool[7]} ADR={pool[0]} RAP={pool[1]} VOR={pool[2]}")
    assert match.state.marines["MAX"].cards == [pool[7]]
    assert match.decision is not None
    assert act.NEXT in match.decision.actions


def test_exit_labels_in_any_order_name_the_same_bulkheads() -> None:
    level = laid(marines={"VOR": "h2"}, turn="VOR", cards={"VOR": "SP-27"})
    assert level.rules.parse(level.state, "team", "sp SP-27 d b") == [act.Play("SP-27", ("B", "D"))]


def test_a_card_with_one_way_to_play_it_needs_no_argument() -> None:
    level = drawn(chamber(4, 4, b2="M", d2="T"), turn="MAX", cards={"MAX": "SP-01"})
    assert level.rules.parse(level.state, "team", "sp SP-01") == [act.Play("SP-01", ("d2",))]
    several = drawn(chamber(4, 4, b2="M", d2="T", b4="T"), turn="MAX", cards={"MAX": "SP-01"})
    assert several.rules.parse(several.state, "team", "sp SP-01") == [act.Play("SP-01")]
    assert several.why("sp SP-01") == "SMA-SPEC-5"


def test_a_path_is_followed_square_by_square() -> None:
    """SMA-MOVE-1, SMA-MOVE-4: a path through squares that do not follow on one another is refused."""
    level = drawn(ROOM, turn="MAX")
    assert level.why("mv c2>d2") == ""
    assert level.why("mv b5>b3") != ""
    assert level.why("mv c2>b3") != ""
    assert level.why("mv b3>d2") == "SMA-MOVE-1"


# Round trip


@pytest.mark.parametrize("seed", range(6))
def test_every_legal_action_is_read_back_from_its_notation(seed: int) -> None:
    match, luck = Match(RULESET, Fate(f"round trip {seed}")), Luck("round trip", seed)
    verbs = set()
    for _ in range(250):
        decision = match.decision
        if decision is None:
            break
        lines = set()
        for action in decision.actions:
            line = RULESET.notation(match.state, action)
            assert RULESET.parse(match.state, "team", line) == [action], line
            assert RULESET.parse(match.state, "team", f" {line.upper()} ") == [action], line
            assert RULESET.describe(match.state, action)
            lines.add(line)
            verbs.add(line.split()[0])
        assert len(lines) == len(decision.actions)
        match.act(luck.choice(decision.actions))
    assert {"board", "enter", "squad", "deploy", "equip", "next", "mv", "end"} <= verbs


# Refusals


def test_an_action_out_of_turn() -> None:
    """SMA-ROUND-3, SMA-GEN-1: between turns nobody acts, and there is one side only."""
    level = drawn(ROOM)
    for line in ("mv b3", "at e4", "con", "cmd ADR", "gr e4"):
        assert level.why(line) == "SMA-ROUND-3", line
    assert level.why("end") == "SMA-ROUND-2"
    assert level.why("pass") == "SMA-SPEC-1"
    assert drawn(ROOM, turn="MAX").why("pass") == "SMA-ACT-4"
    assert drawn(ROOM, turn="MAX").why("next") == "SMA-ROUND-2"
    assert drawn(ROOM, turn="MAX").why("board 1-up") == "SMA-SETUP-16"


def test_sma_gen_1_the_team_decides_everything_and_nobody_else_anything() -> None:
    level = drawn(ROOM, turn="MAX")
    assert [seat.id for seat in RULESET.seats(Options())] == ["team"]
    for seat in ("", "MAX", "tyranids"):
        refusal = level.referee.refusal(seat, act.END)
        assert refusal is not None
        assert "team" in refusal.reason
        with pytest.raises(IllegalAction):
            level.referee.take(seat, act.END)
    assert level.referee.refusal("team", act.END) is None


def test_a_refused_action_names_its_rule_and_leaves_the_position() -> None:
    level = drawn(ROOM, turn="MAX")
    before = level.state.copy()
    with pytest.raises(IllegalAction, match=r"^refused SMA-MOVE-4: .*pass through a Space Marine") as caught:
        level.do("mv c2")
    assert caught.value.refusal.rule == "SMA-MOVE-4"
    assert level.state == before


def test_the_marine_named_must_be_the_one_who_acts() -> None:
    error = bad("ADR: mv d2", turn="MAX")
    assert "Sergeant Maximus" in str(error)
    assert error.suggestion == "MAX: mv d2"
    cards = bad("MAX: sp SP-28", cards={"ADR": "SP-28"})
    assert cards.suggestion == "ADR: sp SP-28"


# What is no notation


@pytest.mark.parametrize(
    ("line", "column", "suggestion"),
    [
        ("mvv b3", 1, "mv b3"),
        ("atack e4", 1, "attack e4"),
        ("edn", 1, "end"),
        ("mv z9", 4, None),
        ("mv", 3, None),
        ("at e44", 4, "at e4"),
        ("at", 3, None),
        ("end now", 5, None),
        ("cmd ARD", 5, "cmd ADR"),
        ("cmd", 4, None),
        ("cmd ADR jump b3", 9, None),
        ("sp", 3, None),
        ("sp SP-99 e4", 4, "sp SP-01 e4"),
        ("sp frag-grenaed e4", 4, "sp frag-grenade e4"),
        ("sp SP-01 e44", 10, "sp SP-01 e4"),
        ("react", 6, None),
        ("order 1 x", 9, None),
        ("order", 6, None),
        ("free mv b3", 1, "mv b3"),
        ("QQQ: mv b3", 1, None),
        ("squad MAX ADR RAP", 7, None),
        ("squad MAX MAX RAP LUK", 7, None),
        ("deploy MAX", 8, None),
        ("equip", 6, None),
        ("board 4-up", 7, None),
        ("enter E", 7, None),
        ("mode single 1", 1, None),
        ("challenge", 10, None),
        ("challenge CAH-2-2", 11, "challenge CHA-2-2"),
        ("challenge none random", 11, None),
        ("adv", 4, None),
        ("adv INF-1-01", 5, None),
        ("adv ADW-3-1", 5, "adv ADV-3-1"),
        ("call LUK", 9, None),
        ("call LUK V9", 10, None),
        ("nocall LUK", 8, None),
        ("", 1, None),
        ("   ", 4, None),
    ],
)
def test_a_slip_is_pointed_at_and_the_nearest_line_is_offered(line: str, column: int, suggestion: str | None) -> None:
    error = bad(line, turn="MAX", cards={"MAX": "SP-01"})
    assert error.text == line
    assert error.column == column
    if suggestion is not None:
        assert error.suggestion == suggestion
        assert f"Did you mean '{suggestion}'?" in str(error)


def slip(match: Match, line: str) -> BadNotation | None:
    try:
        RULESET.parse(match.state, "team", line)
    except BadNotation as error:
        return error
    return None


@pytest.mark.parametrize("seed", range(3))
def test_a_suggestion_is_notation_itself(seed: int) -> None:
    """Whatever letter is left out of a legal line: it is another line, or the line suggested can be read."""
    match, luck = Match(RULESET, Fate(f"typo {seed}")), Luck("typo", seed)
    suggested = 0
    for _ in range(60):
        decision = match.decision
        if decision is None:
            break
        line = RULESET.notation(match.state, luck.choice(decision.actions))
        at = luck.below(len(line))
        typo = line[:at] + line[at + 1 :]
        error = slip(match, typo)
        if error is not None:
            assert 1 <= error.column <= len(typo) + 1
            if error.suggestion:
                suggested += 1
                assert RULESET.parse(match.state, "team", error.suggestion)
        match.act(luck.choice(decision.actions))
    assert suggested > 5


@pytest.mark.parametrize("line", ["mv l10", "next", "end", "sp SP-01 l10", "at l10", "pass"])
def test_when_the_level_is_over_nothing_is_legal(line: str) -> None:
    level = laid(marines={"MAX": "m10"}, exit="B", out=["ADR"], turn="MAX")
    level.do("mv X1")
    assert level.referee.decision is None
    (action,) = RULESET.parse(level.state, "team", line)
    refusal = level.referee.refusal("team", action)
    assert refusal is not None
    assert "over" in refusal.reason
