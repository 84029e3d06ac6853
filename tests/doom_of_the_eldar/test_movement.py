"""Movement: who moves how far, where nobody of a kind may go, and what ends a move."""

from __future__ import annotations

import pytest
from doom import of, play, where
from doom_moves import COUNTERS, CRAFTWORLD, GROUND, NEIGHBOURS, SHIPS, SPACE, SPECIALS, targets

from warptape.domain.doom_of_the_eldar.events import BattleBegan, CounterMoved, FireRead, TyranidDestroyed

# Who may move, how far


def test_doe_move_1_all_some_or_none_may_move() -> None:
    facts = {"eldar": {"shrine": "GUA1", "n2": "WSH1"}, "tyranid": {"s4": "TH1 TH2", "souls": "GH1"}}
    for phase, ids in (("tyranid_movement", ["#01", "#02", "#03"]), ("eldar_movement", ["GUA1", "WSH1"])):
        game = play(phase, **facts)
        assert "end" in game.legal()
        for id in ids:
            assert targets(game, id)
        game.do(f"mv {ids[0]} {min(targets(game, ids[0]))}")
        assert "end" in game.legal()
        assert not targets(game, ids[0])
        assert all(targets(game, id) for id in ids[1:])


def test_doe_move_1_new_arrivals_move_too() -> None:
    game = play("eldar_movement", eldar={"shrine": "GUA1"}, tyranid={"s1": "TH1"})
    game.do("end", 1, 2, "HT", 3, "SK", 3, "GP", 5)
    game.do("mine 3")
    assert targets(game, "#02") == {"s2", "s4", "n3", "n4"}
    game.do("mv #02 n3")
    assert game.state.stacks == {"s1": ["#01"], "s3": ["#03"], "s5": ["#04"], "n3": ["#02"]}


def test_doe_move_1_nobody_moves_what_is_not_his_or_not_on_the_map() -> None:
    game = play("eldar_movement", eldar={"shrine": "GUA1", "destroyed_ground": "GUA2"}, tyranid={"s1": "TH1"})
    for line in ("mv #01 s2", "mv GUA2 shrine", "mv YRI s2", "mv HAR shrine"):
        assert game.why(line) == "DOE-MOVE-1"
    game = play(eldar={"shrine": "GUA1 GUA2"}, tyranid={"s1": "TH1"})
    assert game.why("mv GUA1 spear") == "DOE-MOVE-1"


@pytest.mark.parametrize("unit", ["AVA", "WRG"])
def test_doe_move_2_avatar_and_wraithguard_cross_the_craftworld(unit: str) -> None:
    game = play("eldar_movement", eldar={"spear": unit}, tyranid={"s1": "TH1"})
    assert targets(game, unit) == CRAFTWORLD - {"spear"}
    game.do(f"mv {unit} nightmares")
    assert where(game.state, unit) == "nightmares"


def test_doe_move_2_farseer_yriel_and_hive_mind_go_any_number_of_areas() -> None:
    """DOE-MOVE-2, DOE-MOVE-11, DOE-MOVE-14: anywhere from anywhere."""
    game = play("eldar_movement", eldar={"s1": "FAR", "s6": "YRI"}, tyranid={"s3": "TH1"})
    assert targets(game, "FAR") == NEIGHBOURS.keys() - {"s1"}
    assert targets(game, "YRI") == NEIGHBOURS.keys() - {"s6"}
    game = play(eldar={"shrine": "GUA1"}, tyranid={"s3": "HM TH1"}, shown=("HM",))
    assert targets(game, "#01") == NEIGHBOURS.keys() - {"s3"}


def test_doe_move_3_spacecraft_move_up_to_three_areas() -> None:
    game = play("eldar_movement", eldar={"s1": "WSH1", "shrine": "GUA1"}, tyranid={"souls": "TH1"})
    assert targets(game, "WSH1") == SPACE - {"s1"}
    game.do("mv WSH1 n1>n6>n5")
    assert where(game.state, "WSH1") == "n5"
    far = play("eldar_movement", eldar={"s1": "WSH1", "shrine": "GUA1"}, tyranid={"souls": "TH1"})
    assert far.why("mv WSH1 n2>n3>n4>s4") == "DOE-MOVE-3"
    assert far.why("mv WSH1 n2>n3>n4") == ""


@pytest.mark.parametrize("unit", [*GROUND[:4], "TIT", "FAL1", "RAI2", "HAR"])
def test_doe_move_4_ground_forces_move_one_area(unit: str) -> None:
    for start in sorted(CRAFTWORLD):
        game = play("eldar_movement", eldar={start: unit, "n2": "WSH1"}, tyranid={"s4": "TH1"})
        assert targets(game, unit) == NEIGHBOURS[start] & CRAFTWORLD
        for area in CRAFTWORLD - NEIGHBOURS[start] - {start}:
            assert game.why(f"mv {unit} {area}") == "DOE-MOVE-4"


@pytest.mark.parametrize("counter", COUNTERS)
def test_doe_move_4_swarms_and_hordes_move_one_area(counter: str) -> None:
    """DOE-MOVE-4, DOE-MOVE-12, DOE-MOVE-13, DOE-HM-2: a Swarm, the Hive Mind's too, anywhere; a Horde aboard."""
    swarm = play(eldar={"shrine": "GUA1"}, tyranid={"n2": counter, "s4": "TH1" if counter != "TH1" else "TH2"})
    assert targets(swarm, "#01") == NEIGHBOURS["n2"] == {"n1", "n3", "s1", "s2", "tears", "souls"}
    assert swarm.why("mv #01 n4") == swarm.why("mv #01 forests") == "DOE-MOVE-4"
    if counter != "HM":
        horde = play(eldar={"shrine": "GUA1"}, tyranid={"souls": counter, "s4": "TH1" if counter != "TH1" else "TH2"})
        assert targets(horde, "#01") == {"tears", "dreams", "shrine", "forests"}
        assert horde.why("mv #01 spear") == "DOE-MOVE-4"


def test_doe_move_5_a_counter_moves_once() -> None:
    """DOE-MOVE-5, worked example 42: twice, or after another was begun; not even the rest of its allowance."""
    game = play("eldar_movement", eldar={"n2": "WSH1 WSH2", "shrine": "GUA1 GUA2"}, tyranid={"s4": "TH1"})
    game.do("mv WSH1 n1")
    assert game.why("mv WSH1 s1") == "DOE-MOVE-5"
    game.do("mv WSH2 n3")
    assert game.why("mv WSH1 s1") == "DOE-MOVE-5"
    refusal = game.refusal("mv WSH1 s1")
    assert refusal is not None
    assert "another" in refusal.reason
    game.do("mv GUA1 spear")
    assert game.why("mv GUA1 tears") == "DOE-MOVE-5"
    assert game.why("mv GUA2 tears") == ""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"souls": "TH1", "s1": "TH2"})
    game.do("mv #01 tears")
    assert game.why("mv #01 spear") == "DOE-MOVE-5"


def test_doe_move_6_a_path_goes_from_area_to_adjacent_area() -> None:
    """DOE-MOVE-6: in any mix of directions, there and back again; no hopping, and no standing still."""
    game = play("eldar_movement", eldar={"n2": "WSH1", "shrine": "GUA1"}, tyranid={"souls": "TH1"})
    for line in ("mv WSH1 n1>s6>n6", "mv WSH1 s1>n1>s6", "mv WSH1 n3>n2>n1", "mv WSH1 n2>n3>s3"):
        assert game.why(line) == "", line
    for line in ("mv WSH1 n1>n3>s3", "mv WSH1 n1>n5", "mv WSH1 n3>s5"):
        assert game.why(line) == "DOE-MOVE-6", line
    assert game.why("mv WSH1 n2") == "DOE-MOVE-6"
    game.do("mv WSH1 s1>n1>s6")
    assert where(game.state, "WSH1") == "s6"


# What ends a move


def test_doe_move_7_a_move_ends_where_enemies_are() -> None:
    """DOE-MOVE-7, worked example 5: after two of three steps; a path through them is refused."""
    game = play("eldar_movement", eldar={"s1": "WSH1 WSH2", "shrine": "GUA1"}, tyranid={"n3": "TH1", "s3": "TH2"})
    assert game.why("mv WSH1 n2>n3>n4") == "DOE-MOVE-7"
    assert game.why("mv WSH1 s2>n3>s3") == "DOE-MOVE-7"
    assert game.why("mv WSH1 n2>n3") == ""
    assert game.why("mv WSH1 n4") == "DOE-MOVE-7"
    game.do("mv WSH1 n3")
    events = game.do("end")
    assert [event.area for event in of(events, BattleBegan)] == ["n3"]


def test_doe_move_7_nor_do_tyranids_pass() -> None:
    """DOE-MOVE-7, DOE-MOVE-14, ruling G-37: the Hive Mind stops on meeting Eldar, in space and aboard."""
    game = play(
        eldar={"souls": "GUA1", "n3": "WSH1", "forests": "FAR"}, tyranid={"n2": "HM", "s5": "TH1"}, shown=("HM",)
    )
    assert game.why("mv #01 souls>dreams") == "DOE-MOVE-7"
    assert game.why("mv #01 n3>dreams") == "DOE-MOVE-7"
    assert game.why("mv #01 tears>shrine>forests>nightmares") == "DOE-MOVE-7"
    assert game.why("mv #01 tears>shrine>forests") == ""
    assert game.why("mv #01 tears>shrine>singers>nightmares>dreams") == ""


@pytest.mark.parametrize("enemy", ["TH1", "SM", "HM"])
def test_doe_move_7_any_enemy_counter_will_do(enemy: str) -> None:
    """DOE-MOVE-7: a lone face-up Hive Mind too, worked example 22, though it is no battle (DOE-COMBAT-5)."""
    game = play(
        "eldar_movement", eldar={"spear": "AVA GUA1"}, tyranid={"shrine": enemy, "tears": "TH2", "redmoon": "GH1"}
    )
    assert targets(game, "AVA") == {"shrine", "tears", "redmoon"}
    for path in ("shrine>forests", "tears>souls", "redmoon>singers"):
        assert game.why(f"mv AVA {path}") == "DOE-MOVE-7"
    assert game.why("mv AVA dreams") == "DOE-MOVE-7"


def test_doe_move_8_whoever_starts_with_enemies_may_leave() -> None:
    """DOE-MOVE-8: and stops again on meeting enemies, among them those he left."""
    game = play(
        "eldar_movement", eldar={"n2": "WSH1 WSH2", "souls": "GUA1"}, tyranid={"n2": "TH1", "n3": "TH2", "souls": "GH1"}
    )
    assert game.why("mv WSH1 n1>n6>n5") == ""
    assert game.why("mv WSH1 n3") == ""
    assert game.why("mv WSH1 n3>n4") == "DOE-MOVE-7"
    assert game.why("mv WSH1 n1>n2>s2") == "DOE-MOVE-7"
    assert game.why("mv GUA1 forests") == ""
    game.do("mv WSH1 n1>s6")
    assert game.why("mv WSH2 s6") == ""
    game = play(
        eldar={"n2": "WSH1", "souls": "GUA1", "tears": "GUA2"}, tyranid={"n2": "TH1 HM", "souls": "GH1"}, shown=("HM",)
    )
    assert game.why("mv #01 n3") == game.why("mv #03 dreams") == game.why("mv #03 tears") == ""
    assert game.why("mv #02 n3>dreams") == ""
    assert game.why("mv #02 tears>spear") == "DOE-MOVE-7"


# Where nobody of a kind goes


@pytest.mark.parametrize("ship", SHIPS)
def test_doe_move_9_spacecraft_never_enter_the_craftworld(ship: str) -> None:
    """DOE-MOVE-9, worked example 26."""
    game = play("eldar_movement", eldar={"n2": ship, "shrine": "GUA1"}, tyranid={"s5": "TH1"})
    for area in CRAFTWORLD:
        assert game.why(f"mv {ship} {area}") == "DOE-MOVE-9"
    assert game.why(f"mv {ship} souls>n3") == "DOE-MOVE-9"


@pytest.mark.parametrize("unit", [*GROUND, "AVA", "WRG"])
def test_doe_move_10_ground_forces_avatar_and_wraithguard_never_enter_space(unit: str) -> None:
    """DOE-MOVE-10, worked example 26."""
    game = play("eldar_movement", eldar={"souls": unit, "n5": "WSH1"}, tyranid={"s5": "TH1"})
    for area in SPACE:
        assert game.why(f"mv {unit} {area}") == "DOE-MOVE-10"
    assert game.why(f"mv {unit} n2>tears") == "DOE-MOVE-10"


def test_doe_move_11_the_farseer_enters_any_area() -> None:
    game = play("eldar_movement", eldar={"shrine": "FAR GUA1"}, tyranid={"s5": "TH1"})
    assert targets(game, "FAR") == NEIGHBOURS.keys() - {"shrine"}
    assert game.why("mv FAR souls>n3>dreams>n4>s3") == ""
    assert game.why("mv FAR spear>n1>s6>s5") == ""


def test_doe_move_12_swarms_enter_any_area() -> None:
    """DOE-MOVE-12: sector, near space and Craftworld, every neighbour of where they are."""
    for start in sorted(SPACE):
        game = play(eldar={"shrine": "GUA1"}, tyranid={start: "TH1 SM HM"})
        for id in ("#01", "#02", "#03"):
            assert targets(game, id) == NEIGHBOURS[start]


@pytest.mark.parametrize("counter", [counter for counter in COUNTERS if counter != "HM"])
def test_doe_move_13_hordes_never_enter_space(counter: str) -> None:
    """DOE-MOVE-13, worked example 26."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"dreams": counter, "s1": "HM"})
    for area in SPACE:
        assert game.why(f"mv #01 {area}") == "DOE-MOVE-13"
    assert targets(game, "#01") == NEIGHBOURS["dreams"] & CRAFTWORLD


def test_doe_move_14_a_face_up_hive_mind_and_yriel_enter_any_area() -> None:
    """DOE-MOVE-14, rulings G-23 and G-37: the Hive Mind goes back to space, face up."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"dreams": "HM", "s1": "TH1"})
    assert targets(game, "#01") == NEIGHBOURS.keys() - {"dreams"}
    game.do("mv HM n4>s4>s5")
    assert game.state.swarms["#01"] == "s5"
    assert game.state.face == {"#01": "HM"}
    game = play("eldar_movement", eldar={"forests": "YRI", "n5": "WSH1"}, tyranid={"s1": "TH1"})
    assert targets(game, "YRI") == NEIGHBOURS.keys() - {"forests"}
    game.do("mv YRI dreams>n4>s3")
    assert where(game.state, "YRI") == "s3"


def test_doe_move_15_a_square_is_no_enemy() -> None:
    """DOE-MOVE-15, worked example 22: Fortified areas do not stop the Hive Mind, nor Devastated ones the Avatar."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n1": "HM", "s5": "TH1"}, shown=("HM",))
    assert len(game.state.fortified) == 9
    assert game.why("mv #01 spear>tears>souls>dreams>nightmares") == ""
    assert game.why("mv #01 spear>shrine>forests") == "DOE-MOVE-7"
    game.do("mv #01 spear")
    events = game.do("end")
    assert not of(events, BattleBegan)
    game = play("eldar_movement", eldar={"spear": "AVA"}, tyranid={"s5": "TH1"}, devastated=CRAFTWORLD - {"spear"})
    assert targets(game, "AVA") == CRAFTWORLD - {"spear"}


def test_doe_move_16_every_eldar_counter_on_the_map_may_move() -> None:
    """DOE-MOVE-16, ruling G-34: all fifty of them here, whatever happened to them in the phases before."""
    places = {"forests": " ".join((*GROUND, "AVA", "WRG")), "n3": " ".join((*SHIPS, "FAR", "YRI"))}
    game = play("eldar_movement", eldar=places, tyranid={"s5": "TH1"})
    assert len(GROUND) + len(SHIPS) + len(SPECIALS) == 50
    assert all(targets(game, unit) for unit in (*GROUND, *SHIPS, *SPECIALS))
    game = play("eldar_special", eldar={"destroyed_ground": "GUA1", "shrine": "GUA2"}, tyranid={"s5": "TH1"})
    game.do("use forests", 4)
    game.do("place GUA1 dreams")
    game.do("end")
    assert targets(game, "GUA1") == NEIGHBOURS["dreams"] & CRAFTWORLD


@pytest.mark.parametrize("counter", ["HM", "TH1", "SM"])
def test_doe_move_17_landing_is_the_whole_move(counter: str) -> None:
    """DOE-MOVE-17, ruling G-38: not even the Hive Mind, which moves freely once it is face up, goes on."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": counter, "s5": "TH2"})
    assert game.why("mv #01 souls>forests") == "DOE-MOVE-17"
    assert game.why("mv #01 tears>n1") == "DOE-MOVE-17"
    game.do("mv #01 souls")
    assert game.state.face == {"#01": counter}
    assert not targets(game, "#01")
    assert game.why("mv #01 forests") == "DOE-MOVE-5"


def test_doe_move_17_a_lone_square_falls_to_what_landed() -> None:
    """Ruling G-38: landing in a lone Fortified area wrecks it that same turn."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1", "s5": "TH2"})
    game.do("mv #01 souls")
    game.do("end")
    assert game.state.devastated == ["souls"]


# The order of a stack


def test_doe_loss_6_the_last_to_enter_lies_on_top() -> None:
    """DOE-LOSS-6, ruling G-12: the order of the moves is that of the stack; the others keep theirs."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1 TH2 TH3", "s2": "HT", "s1": "SK", "n1": "GP"})
    game.do("mv #05 n2")
    game.do("mv #02 n1")
    game.do("mv #04 n2")
    assert game.state.stacks == {"n2": ["#01", "#03", "#05", "#04"], "n1": ["#06", "#02"]}


def test_doe_loss_2_the_top_of_the_stack_dies_first() -> None:
    """DOE-LOSS-2, DOE-LOSS-6, worked example 35: bottom to top #01 #02 #03, result 2: #03 and #02 die."""
    game = play("eldar_movement", eldar={"n1": "WSH1 WSH2 NWG1", "spear": "GUA1"}, tyranid={"n2": "TH1 TH2 TH3"})
    for unit in ("WSH1", "WSH2", "NWG1"):
        game.do(f"mv {unit} n2")
    events = game.do("end", 6, 1)
    assert of(events, FireRead)[0].destroyed == 2
    assert [event.token for event in of(events, TyranidDestroyed)] == ["#03", "#02"]
    assert game.state.stacks == {"n2": ["#01"]}


def test_doe_loss_6_a_moved_swarm_dies_before_those_it_joined() -> None:
    game = play(eldar={"n2": "WSH1 WSH2 NWG1"}, tyranid={"n2": "TH1 TH2", "s2": "HT"})
    game.do("mv #03 n2")
    events = game.do("end", 6, 1)
    assert [event.token for event in of(events, TyranidDestroyed)] == ["#03", "#02"]


# The events


def test_doe_move_1_a_move_is_told_with_where_it_began_and_ended() -> None:
    game = play("eldar_movement", eldar={"n2": "WSH1", "shrine": "GUA1"}, tyranid={"s5": "TH1"})
    (moved,) = of(game.do("mv WSH1 n3>s3"), CounterMoved)
    assert (moved.id, moved.start, moved.to) == ("WSH1", "n2", "s3")
