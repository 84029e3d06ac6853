"""Stacking: three counters of each player in an area of the Craftworld, checked when the movement ends."""

from __future__ import annotations

from collections import Counter

import pytest
from doom import Play, lid, of, play, where
from laws import played

from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events import CounterTrimmed, GameEnded, PhaseBegan
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, Options
from warptape.domain.events import CounterReturned

EXEMPT = {"AVA", "WRG", "FAR"}
FOUR = {"shrine": "GUA1 GUA2 GUA3", "spear": "GUA4", "forests": "ASP1"}


def kept(game: Play) -> bool:
    """End the movement, and say whether the next phase began at once: nobody had too many counters."""
    events = game.do("end")
    return bool(of(events, PhaseBegan)) and not of(events, CounterTrimmed)


def test_doe_stack_1_three_counters_may_stand_in_an_area() -> None:
    game = play("eldar_movement", eldar={"shrine": "GUA1 GUA2", "spear": "GUA4"}, tyranid={"s1": "TH1"})
    game.do("mv GUA4 shrine")
    events = game.do("end")
    assert not of(events, CounterTrimmed)
    assert len(game.state.eldar["shrine"]) == 3


def test_doe_stack_1_the_fourth_is_too_many() -> None:
    """DOE-STACK-1, DOE-STACK-6, worked example 6: four at the end of the phase, so one is given up."""
    game = play("eldar_movement", eldar=FOUR, tyranid={"s1": "TH1"})
    assert game.why("mv GUA4 shrine") == ""
    game.do("mv GUA4 shrine")
    game.do("end")
    assert (game.seat, game.asked) == (ELDAR, "Trim")
    assert len(game.legal()) == 4
    assert all(game.why(f"trim shrine GUA{number}") == "" for number in range(1, 5))
    events = game.do("trim shrine GUA2")
    (trimmed,) = of(events, CounterTrimmed)
    assert (trimmed.id, trimmed.area, trimmed.to, trimmed.rule) == ("GUA2", "shrine", "destroyed_ground", "DOE-STACK-7")
    assert where(game.state, "GUA2") == "destroyed_ground"
    assert game.state.eldar["shrine"] == ["GUA1", "GUA3", "GUA4"]
    assert game.asked != "Trim"


def test_doe_stack_2_there_is_no_limit_in_space() -> None:
    """DOE-STACK-2: all sixteen ships, Raiders and all, and all Swarms of a lid, in one area each."""
    ships = "GHO WSH1 WSH2 WSH3 WSH4 SHA1 SHA2 SHA3 SHA4 NWG1 NWG2 NWG3 NWG4 RGH RWS1 RWS2 YRI"
    swarms = "HT SK GP FS SM PR TH1 TH2 TH3 TH4 GH1 GH2 GH3 GH4 HS1 HS2 HS3 HS4 RW1 RW2 RW3 HM"
    game = play(eldar={"s4": ships, "shrine": "GUA1"}, tyranid={"n1": swarms})
    for number in range(1, 20):
        game.do(f"mv #{number:02} s1")
    assert kept(game)
    game.do("end")
    game.do("mv GHO s3")
    assert kept(game)
    assert len(game.state.eldar["s4"]) == 16


@pytest.mark.parametrize("exempt", ["AVA", "WRG", "FAR", "AVA WRG FAR"])
def test_doe_stack_3_avatar_wraithguard_and_farseer_do_not_count(exempt: str) -> None:
    game = play("eldar_movement", eldar={"shrine": f"GUA1 GUA2 {exempt}", "spear": "GUA4"}, tyranid={"s1": "TH1"})
    game.do("mv GUA4 shrine")
    assert kept(game)


def test_doe_stack_3_the_hive_mind_does_not_count() -> None:
    game = play(eldar={"shrine": "GUA1"}, tyranid={"souls": "TH1 TH2 HM", "n2": "TH3", "s5": "TH4"})
    game.do("mv #04 souls")
    assert kept(game)
    assert len(game.state.stacks["souls"]) == 4


def test_doe_stack_3_the_squares_do_not_count() -> None:
    """DOE-STACK-3: neither a Fortified nor a Devastated square takes up room for either player."""
    for devastated in ((), ("souls",)):
        eldar = play(
            "eldar_movement", eldar={"souls": "GUA1 GUA2", "tears": "GUA3"}, tyranid={"s5": "TH4"},
            devastated=devastated,
        )  # fmt: skip
        eldar.do("mv GUA3 souls")
        assert kept(eldar)
        tyranid = play(
            eldar={"shrine": "GUA1"}, tyranid={"souls": "TH1 TH2", "n2": "TH3", "s5": "TH4"}, devastated=devastated
        )
        tyranid.do("mv #03 souls")
        assert kept(tyranid)


def test_doe_stack_4_three_of_each_player_are_legal() -> None:
    """DOE-STACK-4, worked example 6: three Eldar and three Hordes together."""
    game = play(eldar={"souls": "GUA1 GUA2 GUA3"}, tyranid={"souls": "TH1 TH2", "n2": "TH3", "s5": "TH4"})
    game.do("mv #03 souls")
    assert kept(game)
    game = play("eldar_movement", eldar={"souls": "GUA1 GUA2", "tears": "GUA3 GUA4"}, tyranid={"souls": "TH1 TH2 TH3"})
    game.do("mv GUA3 souls")
    assert kept(game)


def test_doe_stack_4_each_player_gives_up_his_own() -> None:
    """DOE-STACK-4, DOE-STACK-6: only the player over the limit is asked, and only for his own counters."""
    game = play(eldar={"souls": "GUA1 GUA2 GUA3"}, tyranid={"souls": "TH1 TH2 TH3", "n2": "TH4", "s5": "HT"})
    game.do("mv #04 souls")
    game.do("end")
    assert (game.seat, game.asked) == (TYRANID, "Trim")
    assert game.why("trim souls GUA1") == "DOE-STACK-6"
    assert len(game.legal()) == 4
    game.do("trim #02")
    assert set(game.state.stacks["souls"]) == {"#01", "#03", "#04"}
    assert len(game.state.eldar["souls"]) == 3


def test_doe_stack_5_only_the_end_of_the_movement_is_checked() -> None:
    """DOE-STACK-5, worked example 6: a fourth enters while another leaves, and Yriel passes through a full area."""
    game = play("eldar_movement", eldar={**FOUR, "tears": "YRI"}, tyranid={"s1": "TH1"})
    game.do("mv YRI shrine>forests>nightmares")
    game.do("mv GUA4 shrine")
    assert len(game.state.eldar["shrine"]) == 4
    game.do("mv GUA1 tears")
    assert kept(game)
    assert where(game.state, "YRI") == "nightmares"


def test_doe_stack_5_what_the_special_actions_bring_is_no_excess_before_the_end_of_the_movement() -> None:
    """DOE-STACK-5, DOE-SPEC-9: a Guardian returns to a full area; he may leave it, or one is given up."""
    facts = {"eldar": {"shrine": "GUA1 GUA2 GUA3", "destroyed_ground": "GUA4"}, "tyranid": {"s1": "TH1"}}
    for leaves in (True, False):
        game = play("eldar_special", **facts)
        game.do("use forests", 5)
        game.do("place GUA4 shrine")
        assert len(game.state.eldar["shrine"]) == 4
        game.do("end")
        assert game.asked == "Movement"
        if leaves:
            game.do("mv GUA4 spear")
        events = game.do("end")
        assert (game.asked == "Trim") == (not leaves)
        assert [event.phase for event in of(events, PhaseBegan)][:1] == (["eldar_combat"] if leaves else [])


def test_doe_stack_6_until_the_limit_is_kept_and_in_every_area() -> None:
    """DOE-STACK-6: of six in one area three go, of four in another one; then the phase is over."""
    game = play(
        "eldar_movement",
        eldar={"shrine": "GUA1 GUA2 GUA3 GUA4 GUA5 GUA6", "forests": "ASP1 ASP2 ASP3 ASP4", "spear": "EXA"},
        tyranid={"s1": "TH1"},
    )
    game.do("end")
    for unit in ("GUA1", "GUA6", "GUA3"):
        assert game.asked == "Trim"
        assert game.why("trim ASP1") == "DOE-STACK-6"
        game.do(f"trim shrine {unit}")
    assert game.asked == "Trim"
    assert game.why("trim GUA2") == "DOE-STACK-6"
    assert not of(game.log, PhaseBegan)
    events = game.do("trim forests ASP4")
    assert next(event.phase for event in of(events, PhaseBegan)) == "eldar_combat"
    assert game.state.eldar["destroyed_ground"] == ["ASP4", "GUA1", "GUA3", "GUA6"]
    assert game.state.eldar["shrine"] == ["GUA2", "GUA4", "GUA5"]


def test_doe_stack_6_several_are_given_up_in_one_line() -> None:
    game = play("eldar_movement", eldar={"shrine": "GUA1 GUA2 GUA3 GUA4 GUA5"}, tyranid={"s1": "TH1"})
    game.do("end")
    events = game.do("trim shrine GUA5 GUA4")
    assert [event.id for event in of(events, CounterTrimmed)] == ["GUA5", "GUA4"]


def test_doe_stack_7_only_those_that_count_are_given_up() -> None:
    """DOE-STACK-7, ruling G-30: the exempt would cure nothing."""
    game = play("eldar_movement", eldar={"shrine": "GUA1 GUA2 GUA3 GUA4 AVA WRG FAR"}, tyranid={"s1": "TH1"})
    game.do("end")
    for unit in EXEMPT:
        assert game.why(f"trim shrine {unit}") == "DOE-STACK-7"
    assert len(game.legal()) == 4
    game = play(eldar={"shrine": "GUA1"}, tyranid={"souls": "TH1 TH2 HM TH3", "n2": "TH4"})
    game.do("mv #05 souls")
    game.do("end")
    assert game.why("trim souls #03") == "DOE-STACK-7"
    assert len(game.legal()) == 4


def test_doe_stack_7_tyranids_go_to_the_lid() -> None:
    game = play(eldar={"shrine": "GUA1"}, tyranid={"souls": "TH1 GH2 HT", "n2": "RW1", "s1": "TH2"})
    game.do("mv RW1 souls")
    game.do("end")
    assert "HT" not in lid(game.state)
    events = game.do("trim souls HT")
    (trimmed,) = of(events, CounterTrimmed)
    assert (trimmed.id, trimmed.to) == ("#03", "lid")
    assert [event.token for event in of(events, CounterReturned)] == ["#03"]
    assert "HT" in lid(game.state)
    assert "#03" not in game.state.swarms
    assert "#03" not in game.state.face


def test_doe_stack_7_a_grown_protoid_goes_to_the_lid_as_a_small_one() -> None:
    """DOE-STACK-7, DOE-PROT-3."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"souls": "TH1 PR HT TH3", "s1": "TH2"}, stages={"PR": 2})
    game.do("end")
    game.do("trim souls PR")
    assert "PR" in lid(game.state)
    assert game.state.stages == {}


def test_doe_stack_8_yriel_counts_and_leaves_the_game() -> None:
    """DOE-STACK-8, DOE-STACK-7, ruling G-23: he is one of the three; given up, he is out for good."""
    game = play("eldar_movement", eldar={"shrine": "GUA1 GUA2 GUA3", "n2": "YRI"}, tyranid={"s1": "TH1"})
    game.do("mv YRI shrine")
    game.do("end")
    assert game.asked == "Trim"
    assert len(game.legal()) == 4
    (trimmed,) = of(game.do("trim shrine YRI"), CounterTrimmed)
    assert trimmed.to == "out"
    assert where(game.state, "YRI") == "out"


def test_doe_stack_6_a_trim_leaves_the_game_going() -> None:
    """DOE-STACK-6, ruling G-39: tested after a trim, the end does not come, for three remain."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"souls": "TH1 TH2 TH3 TH4"}, over=1, turn=2)
    game.do("end")
    assert not of(game.do("trim souls TH1"), GameEnded)


@pytest.mark.parametrize("seed", range(6))
def test_doe_stack_1_whole_games_keep_the_limit(seed: int) -> None:
    """DOE-STACK-1, -3, -4, -5, -8: whoever's movement has ended has three at most in any area of the Craftworld.

    An independent count, at every decision of either Combat phase.
    """
    seen = set()
    for match in played(RULESET, f"stacks {seed}", Options(setup="quickstart")):
        state = match.state
        if state.phase == "tyranid_combat":
            hordes = Counter(state.swarms[token] for token, face in state.face.items() if face != "HM")
            assert all(count <= 3 for area, count in hordes.items() if area not in RULESET.book.deep)
            seen.add(state.phase)
        elif state.phase == "eldar_combat":
            units = Counter(place for unit, place in state.units.items() if unit not in EXEMPT)
            assert all(units[area] <= 3 for area in RULESET.book.craftworld)
            seen.add(state.phase)
    assert seen == {"tyranid_combat", "eldar_combat"}
