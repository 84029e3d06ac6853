"""Victory points of both sides, and who has won."""

from __future__ import annotations

import pytest
from doom import Play, of, play

from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events_battle import AreaDevastated, OddsResult, UnitDestroyed
from warptape.domain.doom_of_the_eldar.events_turn import GameEnded
from warptape.domain.doom_of_the_eldar.state import Options

NINE = ("spear", "tears", "redmoon", "souls", "singers", "shrine", "forests", "dreams", "nightmares")
FIFTEEN = Options(track_layout="rows_of_15")


def end(marker: int = 0, areas: int = 0, out: str = "", options: Options | None = None) -> GameEnded:
    """The end of a game whose last Swarm is barraged: as many areas fell, and these counters are out."""
    eldar = {"n2": "GHO", **({"out": out} if out else {})}
    game = play(
        "eldar_special", turn=12, over=9, marker=marker, devastated=NINE[1 : areas + 1], eldar=eldar,
        tyranid={"s1": "TH1"}, options=options or Options(),
    )  # fmt: skip
    game.do("use spear", 6)
    return over(game)


def over(game: Play) -> GameEnded:
    (found,) = of(game.log, GameEnded)
    outcome = RULESET.outcome(game.state)
    assert outcome is not None
    assert outcome.result == (found.winner or "draw")
    assert outcome.winners == ((found.winner,) if found.winner else ())
    assert (outcome.figures["eldar"], outcome.figures["tyranid"]) == (found.eldar, found.tyranid)
    return found


# The Eldar


@pytest.mark.parametrize("box", range(90))
def test_doe_vp_1_the_eldar_score_what_stands_right_of_the_markers_row(box: int) -> None:
    """Rows of ten boxes, row t worth t (DOE-TRACK-9)."""
    assert end(box).eldar == box // 10


def test_doe_vp_1_an_assault_of_45_gives_four_points() -> None:
    """Case 11."""
    found = end(45)
    assert (found.eldar, found.tyranid, found.winner) == (4, 0, "eldar")


@pytest.mark.parametrize(
    ("box", "points"), [(0, 1), (14, 1), (15, 2), (29, 2), (30, 3), (45, 4), (74, 5), (75, 6), (89, 6)]
)
def test_doe_vp_1_in_rows_of_fifteen(box: int, points: int) -> None:
    """Option track_layout (G-9): box 45 gives 4 there too."""
    assert end(box, options=FIFTEEN).eldar == points


# The Tyranids


@pytest.mark.parametrize("areas", range(9))
def test_doe_vp_2_one_point_for_each_devastated_area(areas: int) -> None:
    found = end(30, areas)
    assert (found.tyranid, found.parts) == (areas, {"areas": areas, "AVA": 0, "WRG": 0})


def test_doe_vp_3_one_point_if_the_wraithguard_are_destroyed() -> None:
    found = end(30, 2, "WRG")
    assert (found.tyranid, found.parts) == (3, {"areas": 2, "AVA": 0, "WRG": 1})


def test_doe_vp_4_one_point_if_the_avatar_is_destroyed() -> None:
    found = end(30, 2, "AVA")
    assert (found.tyranid, found.parts) == (3, {"areas": 2, "AVA": 1, "WRG": 0})


def test_doe_vp_5_the_ghost_warriors_are_the_wraithguard_and_give_no_other_point() -> None:
    """At most nine areas, one and one: eleven."""
    assert end(30, 0, "WRG").tyranid == 1
    assert end(30, 8, "WRG AVA").tyranid == 10
    game = play("eldar_movement", turn=9, eldar={"out": "WRG AVA FAR YRI", "n2": "GHO"}, devastated=NINE, marker=89)
    game.do("end")
    assert over(game).tyranid == 11


def test_doe_vp_3_and_4_no_point_for_them_while_they_stand() -> None:
    game = play("eldar_special", over=9, turn=10, eldar={"tears": "AVA", "souls": "WRG"}, tyranid={"s1": "TH1"})
    game.do("use spear", 6)
    assert over(game).parts == {"areas": 0, "AVA": 0, "WRG": 0}


def test_doe_vp_3_and_4_no_other_loss_gives_a_point() -> None:
    assert end(30, 0, "FAR YRI").tyranid == 0
    game = play(
        "eldar_special", over=9, turn=10, eldar={"n2": "GHO", "destroyed_ground": "EXA TIT", "destroyed_spacecraft": "WSH1"},
        tyranid={"s1": "TH1"},
    )  # fmt: skip
    game.do("use spear", 6)
    assert over(game).tyranid == 0


def test_doe_vp_4_the_avatar_alone_takes_a_horde_along() -> None:
    """Case 20: defence 0 is 3-1 (DOE-CW-9); roll 1 there is BC, both die, one point."""
    game = play(
        "tyranid_movement", turn=9, over=8, marker=30, eldar={"tears": "AVA"}, tyranid={"tears": "TH1"},
        devastated=("tears",),
    )  # fmt: skip
    game.do("end", 1)
    (result,) = of(game.log, OddsResult)
    assert result.code == "BC"
    assert game.state.units["AVA"] == "out"
    assert game.state.stacks == {}
    assert over(game).parts == {"areas": 1, "AVA": 1, "WRG": 0}


def test_doe_vp_3_the_wraithguard_lost_alone_cost_their_area_too() -> None:
    """Case 19: fortified 48 against 36 is 1-2; on a 6 (DD) they die, and the area falls with nobody to hold it."""
    game = play(
        "tyranid_movement", turn=9, marker=30, eldar={"shrine": "WRG", "n2": "GHO"}, tyranid={"shrine": "TH1 TH2 TH3"}
    )
    game.do("end", 6)
    assert [event.unit for event in of(game.log, UnitDestroyed)] == ["WRG"]
    assert [event.area for event in of(game.log, AreaDevastated)] == ["shrine"]
    parts = {"areas": len(game.state.devastated), "WRG": int(game.state.units["WRG"] == "out")}
    assert parts == {"areas": 1, "WRG": 1}


# Who wins


@pytest.mark.parametrize(
    ("marker", "areas", "out", "winner"),
    [
        (60, 5, "", "eldar"),
        (60, 5, "AVA", ""),
        (60, 5, "AVA WRG", "tyranid"),
        (59, 5, "", ""),
        (9, 0, "", ""),
        (9, 1, "", "tyranid"),
        (10, 0, "", "eldar"),
        (89, 8, "", ""),
    ],
)
def test_doe_vp_6_more_points_win_and_equal_points_are_a_draw(marker: int, areas: int, out: str, winner: str) -> None:
    """Case 41: Eldar 6; five areas and the Avatar make 6 as well: a draw."""
    assert end(marker, areas, out).winner == winner


def test_doe_vp_6_whatever_ended_the_game() -> None:
    """By the bound of DOE-END-3: marker in row 3, four areas fallen."""
    game = play(
        "eldar_movement", turn=29, over=9, marker=33, eldar={"n2": "GHO"}, tyranid={"s4": "TH1"}, devastated=NINE[:4]
    )
    game.do("end")
    found = over(game)
    assert (found.reason, found.eldar, found.tyranid, found.winner) == ("turn_bound", 3, 4, "tyranid")


@pytest.mark.parametrize("marker", [0, 17, 45, 88])
def test_doe_vp_7_all_areas_lost_before_the_assault_is_over_scores_the_row_as_it_stands(marker: int) -> None:
    game = play(
        "eldar_movement", turn=9, marker=marker, eldar={"n2": "GHO"}, tyranid={"spear": "TH1"}, devastated=NINE[1:]
    )
    game.do("end")
    assert game.state.over == 0
    found = over(game)
    assert (found.reason, found.eldar, found.tyranid) == ("areas_lost", marker // 10, 9)


def test_doe_aim_2_the_higher_total_wins_and_both_are_told() -> None:
    game = play(
        "eldar_special", turn=12, over=9, marker=60, devastated=NINE[1:6], eldar={"n2": "GHO", "out": "AVA WRG"},
        tyranid={"s1": "TH1"},
    )  # fmt: skip
    game.do("use spear", 6)
    outcome = RULESET.outcome(game.state)
    assert outcome is not None
    assert (outcome.winners, outcome.words, outcome.reason) == (("tyranid",), "won", "no Tyranids are left")
