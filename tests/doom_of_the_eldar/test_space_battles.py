"""Deep Space combat: fire, return fire, rounds and the retreat."""

from __future__ import annotations

import pytest
from doom import lid, of, play

from warptape.domain.doom_of_the_eldar.events_battle import (
    BattleEnded,
    DieCast,
    FireRead,
    RoundBegan,
    TotalsSet,
    TyranidDestroyed,
    UnitDestroyed,
    UnitRetreated,
)
from warptape.domain.doom_of_the_eldar.state import Options

COLUMNS = ("0-4", "5-9", "10-14", "15-19", "20-29", "30-39", "40-49", "50-59", "60+")
PRINTED = {1: (0, 0, 0, 0, 0, 1, 1, 1, 2), 2: (0, 0, 0, 0, 1, 1, 1, 2, 2)}


def hits(column: str, roll: int) -> int:
    """What a cell must be: printed in rows 1 and 2, by the formula of ruling G-8 in the others."""
    number = COLUMNS.index(column)
    return PRINTED[roll][number] if roll in PRINTED else max(0, (number + roll - 3) // 3)


FLEETS = [
    ("FAR", 0, "0-4"),
    ("NWG1", 4, "0-4"),
    ("SHA1", 5, "5-9"),
    ("SHA1 NWG1", 9, "5-9"),
    ("WSH1 NWG1", 10, "10-14"),
    ("GHO WSH1", 14, "10-14"),
    ("SHA1 SHA2 SHA3", 15, "15-19"),
    ("WSH1 WSH2 NWG1", 16, "15-19"),
    ("WSH1 WSH2 SHA1", 17, "15-19"),  # example 7
    ("GHO WSH1 SHA1", 19, "15-19"),
    ("SHA1 SHA2 SHA3 SHA4", 20, "20-29"),
    ("GHO WSH1 WSH2 SHA1 NWG1", 29, "20-29"),
    ("GHO WSH1 WSH2 WSH3 NWG1", 30, "30-39"),
    ("WSH1 WSH2 WSH3 WSH4 SHA1 SHA2 SHA3", 39, "30-39"),
    ("YRI RGH RWS1 RWS2", 40, "40-49"),  # example 34
    ("WSH1 WSH2 WSH3 WSH4 GHO SHA1 NWG1 NWG2 NWG3", 49, "40-49"),
    ("WSH1 WSH2 WSH3 WSH4 GHO SHA1 SHA2 NWG1 NWG2", 50, "50-59"),
    ("WSH1 WSH2 WSH3 WSH4 GHO SHA1 SHA2 SHA3 NWG1 NWG2 NWG3", 59, "50-59"),
    ("WSH1 WSH2 WSH3 WSH4 SHA1 SHA2 SHA3 SHA4 NWG1 NWG2 NWG3 NWG4", 60, "60+"),
    ("WSH1 WSH2 WSH3 WSH4 SHA1 SHA2 SHA3 SHA4 NWG1 NWG2 NWG3 NWG4 GHO RGH RWS1 RWS2", 88, "60+"),
]


@pytest.mark.parametrize("roll", range(1, 7))
@pytest.mark.parametrize(("fleet", "total", "column"), FLEETS)
def test_doe_space_8_9_every_cell_of_the_table_in_battle(fleet: str, total: int, column: str, roll: int) -> None:
    """DOE-SPACE-1, DOE-SPACE-2, DOE-SPACE-8, DOE-SPACE-9, DOE-SPACE-10, examples 7 and 34: both ends of each column."""
    game = play("tyranid_combat", eldar={"n2": fleet}, tyranid={"n2": "TH1 TH2 TH3 TH4"})
    happened = game.do("fight n2", roll)
    if game.asked == "Reroll":
        happened += game.do("keep")
    totals, fired = of(happened, TotalsSet)[0], of(happened, FireRead)[0]
    assert (totals.side, totals.total, totals.column) == ("eldar", total, column)
    assert totals.rule == ("DOE-SPACE-8" if total else "DOE-SPACE-10")
    assert fired.destroyed == hits(column, roll)
    top_down = ["#04", "#03", "#02", "#01"]
    assert [lost.token for lost in of(happened, TyranidDestroyed)] == top_down[: fired.destroyed]


@pytest.mark.parametrize("roll", range(1, 7))
@pytest.mark.parametrize("swarms", range(1, 8))
def test_doe_space_3_survivors_fire_back_at_ten_each(swarms: int, roll: int) -> None:
    """DOE-SPACE-3: what the Swarms are makes no difference, a hidden Hive Mind and a silent Spore Mine included."""
    stack = " ".join(["HM", "SM", "HT", "RW1", "PR", "FS", "GH1"][:swarms])
    game = play(
        "eldar_combat", eldar={"n2": "WSH1 WSH2 SHA1 NWG1"}, tyranid={"n2": stack}, order=0
    )  # 21 at a 1: nothing
    happened = game.do("fight n2", 1, roll)
    totals, fired = of(happened, TotalsSet)[1], of(happened, FireRead)[1]
    column = {1: "10-14", 2: "20-29", 3: "30-39", 4: "40-49", 5: "50-59"}.get(swarms, "60+")
    assert (totals.side, totals.total, totals.column) == ("tyranid", 10 * swarms, column)
    assert fired.destroyed == hits(column, roll)
    lost = 0
    while game.asked == "Lose":
        assert set(game.legal()) == {f"lose {unit}" for unit in game.state.eldar["n2"]}
        lost += len(of(game.do(game.legal()[0]), UnitDestroyed))
    assert (lost, game.asked) == (fired.destroyed, "Retreat")


@pytest.mark.parametrize("phase", ["tyranid_combat", "eldar_combat"])
def test_doe_space_1_the_eldar_fire_first_whoever_attacks(phase: str) -> None:
    game = play(phase, eldar={"n2": "GHO"}, tyranid={"n2": "TH1"})
    happened = game.do("fight n2", 4, 1)
    assert [(die.side, die.value) for die in of(happened, DieCast)] == [("eldar", 4), ("tyranid", 1)]
    assert [totals.side for totals in of(happened, TotalsSet)] == ["eldar", "tyranid"]


def test_example_9_three_ships_against_two_swarms() -> None:
    """DOE-SPACE-1 to -6, DOE-LOSS-1, -2, -4: 16 at a 4, 10 at a 6, 12 at a 4."""
    game = play("tyranid_combat", eldar={"n2": "WSH1 WSH2 NWG1"}, tyranid={"n2": "TH1 GH1"})
    first = game.do("fight n2", 4, 6)
    assert [(one.total, one.column) for one in of(first, TotalsSet)] == [(16, "15-19"), (10, "10-14")]
    assert [one.destroyed for one in of(first, FireRead)] == [1, 1]
    assert [one.token for one in of(first, TyranidDestroyed)] == ["#02"]
    assert (game.seat, game.legal()) == ("eldar", ["lose WSH1", "lose WSH2", "lose NWG1"])
    game.do("lose NWG1")
    assert (game.seat, game.asked) == ("eldar", "Retreat")
    last = game.do("stay", 4)
    assert [(one.total, one.column) for one in of(last, TotalsSet)] == [(12, "10-14")]
    assert [one.destroyed for one in of(last, FireRead)] == [1]
    assert of(last, BattleEnded)[0].outcome == "eldar"
    assert game.state.units["NWG1"] == "destroyed_spacecraft"
    assert [one.token for one in of(game.log, TyranidDestroyed)] == ["#02", "#01"]
    assert {"TH1", "GH1"} <= lid(game.state)
    assert len(lid(game.state)) == 22
    assert not game.state.swarms


def test_doe_space_4_all_eldar_go_one_area_and_the_battle_ends() -> None:
    """DOE-SPACE-4, DOE-SPACE-11: characters too, in one event, to one area; they may move in their next phase."""
    game = play("tyranid_combat", eldar={"n2": "WSH1 NWG1 FAR"}, tyranid={"n2": "TH1"})
    game.do("fight n2", 1)
    game.do("keep", 1)
    game.do("keep")
    assert (game.seat, game.asked) == ("eldar", "Retreat")
    happened = game.do("retreat s1")
    went = of(happened, UnitRetreated)
    assert [(one.units, one.start, one.to) for one in went] == [(("WSH1", "NWG1", "FAR"), "n2", "s1")]
    assert of(happened, BattleEnded)[0].outcome == "retreat"
    assert game.state.stacks == {"n2": ["#01"]}
    while game.state.phase != "eldar_movement":
        game.do("end")
    assert "mv WSH1 s4" in game.legal(), "three areas, as if it had not moved"


def test_doe_space_5_where_no_retreat_goes() -> None:
    game = play(
        "tyranid_combat",
        eldar={"n2": "WSH1"},
        tyranid={"n2": "TH1", "n1": "TH2", "s2": "HM"},
        shown=["HM"],
    )
    game.do("fight n2", 1, 1)
    assert game.legal() == ["stay", "retreat n3", "retreat s1"]
    assert game.why("retreat tears") == "DOE-SPACE-5"
    assert game.why("retreat souls") == "DOE-SPACE-5"
    assert game.why("retreat n1") == "DOE-SPACE-5"
    assert game.why("retreat s2") == "DOE-SPACE-5", "example 27: a lone Hive Mind face up holds the area too"
    assert game.why("retreat s4") == "DOE-SPACE-4"
    assert game.why("retreat n3") == ""
    assert game.why("retreat n3", "tyranid") != ""


def test_doe_space_5_without_a_free_area_the_next_round_begins_unasked() -> None:
    """Example 27: all neighbours held, so `retreat` is not offered."""
    game = play(
        "tyranid_combat",
        eldar={"s1": "WSH1 WSH2"},
        tyranid={"s1": "TH1", "s6": "TH2", "s2": "TH3", "n1": "TH4", "n2": "GH1"},
    )
    happened = game.do("fight s1", 1, 1, 2, 3, 3, 2, 6)  # 12 and 10 against each other, until a 6
    assert [one.number for one in of(happened, RoundBegan)] == [1, 2, 3, 4]
    assert of(happened, BattleEnded)[0].outcome == "eldar"
    assert not of(happened, UnitRetreated)


def test_doe_space_6_rounds_go_on_until_a_side_is_gone() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1"})
    game.do("fight n2", 1, 1)
    for number in (2, 3, 4):
        happened = game.do("stay", 2, 3)
        assert [one.number for one in of(happened, RoundBegan)] == [number]
        assert game.asked == "Retreat"
    happened = game.do("stay", 3, 4)  # 10 at a 4: the last ship, with nothing to choose
    assert [one.unit for one in of(happened, UnitDestroyed)] == ["WSH1"]
    assert of(happened, BattleEnded)[0].outcome == "tyranid"
    assert game.state.battle is None


def test_doe_space_6_no_fire_from_a_side_that_is_gone() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1 HM"}, shown=["HM"])
    game.do("fight n2", 6)
    happened = game.do("keep")
    assert [one.side for one in of(happened, FireRead)] == ["eldar"]
    assert of(happened, BattleEnded)[0].outcome == "eldar"
    assert game.state.stacks["n2"] == ["#02"], "a face-up Hive Mind stays, and is no side"


def test_doe_space_7_tyranids_never_retreat() -> None:
    game = play("tyranid_combat", eldar={"n2": "WSH1"}, tyranid={"n2": "TH1"})
    game.do("fight n2", 1, 1)
    assert game.seat == "eldar"
    assert game.why("retreat n1", "tyranid") != ""
    game.do("stay", 3, 1)
    assert (game.seat, game.state.swarms["#01"]) == ("eldar", "n2")


def test_doe_space_10_example_45_the_farseer_alone() -> None:
    game = play("eldar_combat", eldar={"n2": "FAR"}, tyranid={"n2": "TH1"})
    happened = game.do("fight n2", 5)
    totals = of(happened, TotalsSet)[0]
    assert (totals.total, totals.column, totals.rule) == (0, "0-4", "DOE-SPACE-10")
    assert (game.seat, game.asked) == ("eldar", "Reroll")
    happened = game.do("rr", 6)
    assert [one.token for one in of(happened, TyranidDestroyed)] == ["#01"]
    assert of(happened, BattleEnded)[0].outcome == "eldar"


def test_doe_space_11_together_or_not_at_all() -> None:
    game = play("eldar_combat", eldar={"n2": "WSH1 NWG1"}, tyranid={"n2": "TH1"})
    game.do("fight n2", 1, 1)
    assert sorted(game.legal()) == ["retreat n1", "retreat n3", "retreat s1", "retreat s2", "stay"]
    game.do("retreat n3")
    assert game.state.eldar["n3"] == ["WSH1", "NWG1"]


def test_doe_space_11_each_chooses() -> None:
    """Option `retreat_together` (G-19): every counter there names a legal area, and none stays."""
    game = play(
        "eldar_combat",
        eldar={"n2": "WSH1 NWG1 FAR"},
        tyranid={"n2": "TH1", "s1": "TH2"},
        options=Options(retreat_together="each_chooses"),
    )
    game.do("fight n2", 1)
    game.do("keep", 1)
    game.do("keep")
    assert game.why("retreat WSH1 tears") == "DOE-SPACE-5"
    assert game.why("retreat WSH1 s1") == "DOE-SPACE-5"
    assert game.why("retreat WSH1 n1, NWG1 s2, FAR tears") == "DOE-SPACE-5"
    assert game.why("retreat FAR n1") == "DOE-SPACE-4"
    game.do("retreat WSH1 n1")
    assert game.why("stay") == "DOE-SPACE-4"
    happened = game.do("retreat NWG1 s2, FAR n3")
    assert of(happened, BattleEnded)[0].outcome == "retreat"
    assert [game.state.units[unit] for unit in ("WSH1", "NWG1", "FAR")] == ["n1", "s2", "n3"]
    assert [(one.units, one.to) for one in of(game.log, UnitRetreated)] == [
        (("WSH1",), "n1"),
        (("NWG1",), "s2"),
        (("FAR",), "n3"),
    ]


def test_doe_space_11_each_chooses_in_one_line_or_all_together() -> None:
    """Option `retreat_together`: a bare area sends everybody there."""
    for line, there in (("retreat FAR n1, WSH1 n3", ["n3", "n1"]), ("retreat s2", ["s2", "s2"])):
        game = play(
            "eldar_combat",
            eldar={"n2": "WSH1 FAR"},
            tyranid={"n2": "TH1"},
            options=Options(retreat_together="each_chooses"),
        )
        game.do("fight n2", 1)
        game.do("keep", 1)
        game.do("keep")
        happened = game.do(line)
        assert [game.state.units[unit] for unit in ("WSH1", "FAR")] == there
        assert of(happened, BattleEnded)[0].outcome == "retreat"
