"""Craftworld combat: odds, the table, and what each result costs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from doom import BOOK, of, play

from warptape.domain.doom_of_the_eldar.events_battle import (
    BattleEnded,
    DieCast,
    OddsResult,
    RoundBegan,
    TotalsSet,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.state import Options

TABLE = {
    "1-3": ("AA", "AA", "AD", "AD", "BC", "BC"),
    "1-2": ("AA", "AD", "AD", "BC", "BC", "DD"),
    "1-1": ("AA", "AD", "BC", "BC", "DD", "DA"),
    "2-1": ("AD", "BC", "BC", "DD", "DD", "DA"),
    "3-1": ("BC", "BC", "DD", "DD", "DA", "DA"),
}
"""The results of each column, rolls 1 to 6."""
LOSSES = {"AA": (9, 0), "AD": (1, 0), "BC": (1, 1), "DD": (0, 1), "DA": (0, 9)}
"""What attacker and defender lose; 9 is all."""
BATTLES = {
    "tyranid": {
        "1-3": ("EXA WRG", "RW1 RW2", 14, 32),
        "1-2": ("GUA1 WRG", "RW1 RW2", 14, 28),
        "1-1": ("EXA GUA1", "RW1 RW2", 14, 12),
        "2-1": ("EXA GUA1", "TH1 TH2", 24, 12),
        "3-1": ("GUA1 GUA2", "TH1 TH2", 24, 8),
    },
    "eldar": {
        "1-3": ("GUA1 GUA2", "TH1 TH2", 8, 24),
        "1-2": ("GUA1 GUA2 GUA3", "TH1 TH2", 12, 24),
        "1-1": ("GUA1 WRG", "TH1 TH2", 28, 24),
        "2-1": ("GUA1 WRG", "RW1 RW2", 28, 14),
        "3-1": ("EXA TIT WRG", "RW1 RW2", 48, 14),
    },
}


@pytest.mark.parametrize("roll", range(1, 7))
@pytest.mark.parametrize("column", TABLE)
@pytest.mark.parametrize("attacker", BATTLES)
def test_doe_cw_4_6_7_every_cell_of_the_table_in_battle(attacker: str, column: str, roll: int) -> None:
    """DOE-CW-1, DOE-CW-3, DOE-CW-4, DOE-CW-6, DOE-CW-7: totals, column, result and losses, attacked from either side."""
    eldar, tyranid, attack, defence = BATTLES[attacker][column]
    game = play(f"{attacker}_combat", eldar={"tears": eldar}, tyranid={"tears": tyranid}, devastated=["tears"])
    game.do("fight tears", roll)
    asked = []
    while not of(game.log, BattleEnded):
        asked.append(game.seat)
        game.do(game.legal()[0])
    totals, result = of(game.log, TotalsSet)[0], of(game.log, OddsResult)[0]
    assert (totals.side, totals.total, totals.defence, totals.column) == (attacker, attack, defence, column)
    assert result.code == TABLE[column][roll - 1]
    mine, theirs = LOSSES[result.code]
    sides = {"eldar": len(eldar.split()), "tyranid": len(tyranid.split())}
    defender = "tyranid" if attacker == "eldar" else "eldar"
    assert len(of(game.log, UnitDestroyed)) == min(sides["eldar"], mine if attacker == "eldar" else theirs)
    assert len(of(game.log, TyranidDestroyed)) == min(sides["tyranid"], mine if attacker == "tyranid" else theirs)
    due = {"AA": [], "DA": [], "AD": [attacker], "DD": [defender], "BC": [defender, attacker]}
    assert asked == due[result.code], "the defender chooses first; who loses everything has no choice"


def test_doe_cw_7_the_table_is_its_own_mirror() -> None:
    """Ruling G-7: other odds, 7 minus the roll, and A for D."""
    swapped = {"AA": "DA", "AD": "DD", "BC": "BC", "DD": "AD", "DA": "AA"}
    for column, results in TABLE.items():
        mirror = TABLE["-".join(reversed(column.split("-")))]
        for roll in range(1, 7):
            assert results[roll - 1] == swapped[mirror[6 - roll]]
            assert BOOK.result(column, roll).code == results[roll - 1]


RATIOS = {"1-3": Fraction(1, 3), "1-2": Fraction(1, 2), "1-1": Fraction(1), "2-1": Fraction(2), "3-1": Fraction(3)}


def right_column(attack: int, defence: int, below: str = "clamp", above: str = "clamp") -> str:
    """The column by the words of the rules, in fractions."""
    if not defence:
        return "3-1"
    if not attack:
        return "1-3"
    odds = Fraction(attack, defence)
    if odds < Fraction(1, 3):
        return "AA" if below == "annihilate" else "1-3"
    if odds >= 4 and above == "annihilate":
        return "DA"
    return [name for name, ratio in RATIOS.items() if ratio <= odds][-1]


@pytest.mark.parametrize(
    ("below", "above"), [("clamp", "clamp"), ("annihilate", "annihilate"), ("clamp", "annihilate")]
)
def test_doe_cw_2_8_9_columns_of_all_odds(below: str, above: str) -> None:
    """DOE-CW-2, DOE-CW-8, DOE-CW-9, with the options `odds_below_table` and `odds_above_table` (G-6)."""
    options = Options(odds_below_table=below, odds_above_table=above)  # type: ignore[arg-type]
    for attack in range(130):
        for defence in range(130):
            assert BOOK.odds(attack, defence, options) == right_column(attack, defence, below, above)


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (10, 5, "2-1"),  # example 8
        (9, 5, "1-1"),
        (36, 20, "1-1"),  # example 10
        (10, 12, "1-2"),  # example 16
        (4, 20, "1-3"),
        (60, 10, "3-1"),
        (36, 48, "1-2"),  # example 19
    ],
)
def test_doe_cw_2_8_the_figures_of_the_examples(attack: int, defence: int, column: str) -> None:
    """DOE-CW-2, DOE-CW-8, examples 8, 10, 16, 19."""
    assert BOOK.odds(attack, defence, Options()) == column


@pytest.mark.parametrize(
    ("eldar", "tyranid", "figures", "column", "rule"),
    [
        ("FAL1 FAL2", "HS1", (10, 6), "1-1", "DOE-CW-2"),
        ("EXA", "HS1", (12, 6), "2-1", "DOE-CW-2"),
        ("EXA TIT", "HS1", (24, 6), "3-1", "DOE-CW-8"),
        ("EXA", "HT", (12, 18), "1-2", "DOE-CW-8"),
        ("GUA1", "TH1 GH1", (4, 20), "1-3", "DOE-CW-8"),
        ("GUA1", "SM", (4, 0), "3-1", "DOE-CW-9"),
        ("AVA", "TH1", (0, 12), "1-3", "DOE-CW-9"),
        ("AVA", "SM", (0, 0), "3-1", "DOE-CW-9"),
    ],
)
def test_doe_cw_8_9_odds_off_the_table_and_totals_of_nothing(
    eldar: str, tyranid: str, figures: tuple[int, int], column: str, rule: str
) -> None:
    """DOE-CW-2, DOE-CW-8, DOE-CW-9: each column with the rule that gives it."""
    game = play("eldar_combat", eldar={"tears": eldar}, tyranid={"tears": tyranid})
    totals = of(game.do("fight tears", 1), TotalsSet)[0]
    assert ((totals.total, totals.defence), totals.column, totals.rule) == (figures, column, rule)


def test_doe_cw_3_the_attacker_rolls_one_die() -> None:
    for attacker in ("eldar", "tyranid"):
        game = play(f"{attacker}_combat", eldar={"tears": "WRG"}, tyranid={"tears": "TH1 TH2"})
        assert [(die.side, die.value) for die in of(game.do("fight tears", 3), DieCast)] == [(attacker, 3)]


def test_doe_cw_5_one_round_in_a_phase() -> None:
    game = play("tyranid_combat", eldar={"tears": "WRG"}, tyranid={"tears": "TH1 TH2 TH3"})
    game.do("fight tears", 3)
    happened = game.do("lose TH2")
    assert of(happened, BattleEnded)[0].outcome == "both"
    assert [one.number for one in of(game.log, RoundBegan)] == [1]
    assert game.state.phase == "eldar_special"


@pytest.mark.parametrize("option", ["clamp", "annihilate"])
def test_odds_below_the_table(option: str) -> None:
    """DOE-CW-8, option `odds_below_table`: 4 against 24 is 1-3, or all attackers die without a die."""
    game = play(
        "eldar_combat",
        eldar={"tears": "GUA1"},
        tyranid={"tears": "TH1 TH2"},
        options=Options(odds_below_table=option),  # type: ignore[arg-type]
    )
    if option == "clamp":
        happened = game.do("fight tears", 5)
        assert of(happened, OddsResult)[0].code == "BC"
        return
    happened = game.do("fight tears")
    battle = happened[: happened.index(of(happened, BattleEnded)[0])]
    assert not of(battle, DieCast)
    assert [of(battle, TotalsSet)[0].column, of(battle, OddsResult)[0].code] == ["AA", "AA"]
    assert [one.unit for one in of(battle, UnitDestroyed)] == ["GUA1"]
    assert not of(battle, TyranidDestroyed)


@pytest.mark.parametrize("option", ["clamp", "annihilate"])
def test_odds_above_the_table(option: str) -> None:
    """DOE-CW-8, option `odds_above_table`: 24 against 6 is 3-1, or all defenders die without a die."""
    options = Options(odds_above_table=option)  # type: ignore[arg-type]
    game = play("eldar_combat", eldar={"tears": "EXA TIT"}, tyranid={"tears": "HS1"}, options=options)
    if option == "clamp":
        assert of(game.do("fight tears", 1), OddsResult)[0].code == "BC"
        return
    happened = game.do("fight tears")
    battle = happened[: happened.index(of(happened, BattleEnded)[0])]
    assert not of(battle, DieCast)
    assert [of(battle, TotalsSet)[0].column, of(battle, OddsResult)[0].code] == ["DA", "DA"]
    assert [one.token for one in of(battle, TyranidDestroyed)] == ["#01"]
    # Just below 4-1 the die falls: 18 against 6.
    less = play("eldar_combat", eldar={"tears": "EXA DST"}, tyranid={"tears": "HS1"}, options=options)
    assert of(less.do("fight tears", 3), OddsResult)[0].code == "DD"


def test_doe_cw_9_totals_of_nothing_keep_their_column_under_either_option() -> None:
    """DOE-CW-9, options `odds_below_table` and `odds_above_table`."""
    options = Options(odds_below_table="annihilate", odds_above_table="annihilate")
    game = play("eldar_combat", eldar={"tears": "AVA"}, tyranid={"tears": "TH1"}, options=options)
    assert of(game.do("fight tears", 3), OddsResult)[0].code == "AD"
    game = play("tyranid_combat", eldar={"tears": "AVA"}, tyranid={"tears": "TH1"}, options=options)
    assert of(game.do("fight tears", 1), OddsResult)[0].code == "BC"


def test_annihilation_asks_for_no_reroll() -> None:
    """DOE-REROLL-5, option `odds_below_table`: without a die there is nothing to roll again."""
    game = play(
        "eldar_combat",
        eldar={"tears": "GUA1 FAR"},
        tyranid={"tears": "TH1 TH2"},
        options=Options(odds_below_table="annihilate"),
    )
    happened = game.do("fight tears")
    assert {one.unit for one in of(happened, UnitDestroyed)} == {"GUA1", "FAR"}
