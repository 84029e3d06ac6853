"""The Eldar Special Actions phase: what each area can do, once a turn while it is intact."""

from __future__ import annotations

import pytest
from doom import BOOK, Play, lid, of, play

from warptape.domain.doom_of_the_eldar.events_special import (
    SpecialActionUsed,
    StackScried,
    SwarmBarraged,
    UnitReturned,
)
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, Options
from warptape.domain.events import CounterRevealed, DiceRolled, Event
from warptape.domain.secrets import SEALED, redact

GUNS = ("spear", "tears", "redmoon")
FORGES = {"souls": ("n2", "n3"), "singers": ("n5", "n6")}
GATES = ("dreams", "nightmares")
CRAFTWORLD = ("spear", "tears", "redmoon", "souls", "singers", "shrine", "forests", "dreams", "nightmares")
GREEN = ("ALA", "KNI", "HAR", "ULT", "SAI", "BIE")


def uses(play: Play) -> list[str]:
    """The special actions that may be made."""
    return [line for line in play.legal() if line.startswith("use ")]


def everything_possible() -> Play:
    """A position in which each of the nine areas could do something."""
    return play(
        "eldar_special",
        eldar={"destroyed_spacecraft": "WSH1 RGH", "destroyed_ground": "GUA1 ASP1 FAL1", "n2": "GHO"},
        tyranid={"s1": "TH1 GH1", "n4": "SM HT"},
    )


# Once a turn, while intact


def test_doe_spec_1_each_of_the_nine_areas_may_make_its_action() -> None:
    """All nine; the Shrine with each space area that holds Swarms (DOE-SPEC-1)."""
    game = everything_possible()
    assert game.seat == ELDAR
    plain = [f"use {area}" for area in CRAFTWORLD if area != "shrine"]
    assert sorted(uses(game)) == sorted([*plain, "use shrine s1", "use shrine n4"])


def test_doe_spec_1_a_second_use_in_the_same_turn_is_refused() -> None:
    """Case 28, second part."""
    game = everything_possible()
    game.do("use spear", 2)
    assert game.why("use spear") == "DOE-SPEC-1"
    assert "use spear" not in uses(game)
    assert {"use tears", "use redmoon"} <= {*uses(game)}
    game.do("use shrine s1")
    assert game.why("use shrine n4") == "DOE-SPEC-1"


def test_doe_spec_1_an_action_is_optional_and_may_be_made_again_in_the_next_turn() -> None:
    game = everything_possible()
    game.do("use tears", 1)
    game.do("end")
    assert not [event for event in game.log if isinstance(event, SpecialActionUsed) and event.area != "tears"]
    game.do("end")
    while game.state.phase != "eldar_special":
        game.do(game.legal()[0])
    assert game.state.turn == 2
    assert "use tears" in uses(game)


@pytest.mark.parametrize("phase", ["tyranid_movement", "eldar_movement"])
def test_doe_spec_1_no_special_action_in_another_phase(phase: str) -> None:
    game = play(phase, eldar={"n2": "GHO"}, tyranid={"s4": "TH1"})
    assert game.why("use spear") == "DOE-SPEC-1"


def test_doe_spec_2_a_devastated_area_has_lost_its_action() -> None:
    """Case 28, third part; the other areas keep theirs."""
    game = play(
        "eldar_special",
        eldar={"tears": "GUA1", "shrine": "GUA2", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA3"},
        tyranid={"s1": "TH1"},
        devastated=("tears", "souls", "shrine", "forests", "dreams"),
    )
    for line in ("use tears", "use souls", "use shrine s1", "use forests", "use dreams"):
        assert game.why(line) == "DOE-SPEC-2", line
    assert uses(game) == ["use spear", "use redmoon", "use singers", "use nightmares"]


# Barrages


@pytest.mark.parametrize("area", GUNS)
@pytest.mark.parametrize("roll", range(1, 7))
def test_doe_spec_3_a_barrage_needs_a_six(area: str, roll: int) -> None:
    game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "TH1 GH1", "n4": "RW1"})
    events = game.do(f"use {area}", roll)
    (used,) = of(events, SpecialActionUsed)
    assert (used.area, used.roll, used.success) == (area, roll, roll == 6)
    assert used.rule == "DOE-SPEC-3"
    assert len(of(events, DiceRolled)) == 1
    assert game.asked == ("Hit" if roll == 6 else "Special")
    assert not of(events, SwarmBarraged)


@pytest.mark.parametrize("token", ["#01", "#02", "#03"])
def test_doe_spec_3_a_hit_destroys_one_swarm_of_the_eldars_choice_anywhere_in_space(token: str) -> None:
    """Not only the top of a stack, and however far away; it goes back to the lid (DOE-LOSS-3)."""
    game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "TH1 GH1", "n4": "RW1"})
    before = lid(game.state)
    game.do("use spear", 6)
    assert sorted(game.legal()) == ["hit #01", "hit #02", "hit #03"]
    counter = game.state.counter(token)
    (hit,) = of(game.do(f"hit {token}"), SwarmBarraged)
    assert (hit.area, hit.token, hit.rule) == ("spear", token, "DOE-SPEC-3")
    assert set(game.state.swarms) == {"#01", "#02", "#03"} - {token}
    assert lid(game.state) == before | {counter}
    assert game.asked == "Special"


def test_doe_spec_3_each_gun_fires_for_itself() -> None:
    game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "TH1 GH1 RW1 RW2"})
    for area, left in zip(GUNS, (3, 2, 1), strict=True):
        game.do(f"use {area}", 6)
        game.do(game.legal()[0])
        assert len(game.state.swarms) == left


def test_one_special_action_is_finished_before_the_next_or_a_conversion() -> None:
    """DOE-SPEC-1, DOE-CONV-1: the refusal names the action that is under way, not the phase, which is the right one."""
    eldar = {"n2": "GHO", "souls": "GUA1", "destroyed_spacecraft": "WSH1"}
    tyranid = {"s1": "TH1 TH2"}
    for line, question in (("use spear", "Hit"), ("use souls", "Return")):
        game = play("eldar_special", eldar=eldar, tyranid=tyranid)
        game.do(line, 6)
        assert game.asked == question
        for other, rule in (("use tears", "DOE-SPEC-1"), ("conv GUA1 WSH1 n2", "DOE-CONV-1")):
            assert game.why(other) == rule
            refusal = game.refusal(other)
            assert refusal is not None
            assert "is finished first" in refusal.reason


def test_doe_spec_4_a_barrage_at_a_horde_is_refused() -> None:
    """Case 28, first part: Tyranids aboard the Craftworld are never hit."""
    game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "TH1", "n4": "RW1", "tears": "HT"})
    game.do("use tears", 6)
    assert sorted(game.legal()) == ["hit #01", "hit #02"]
    assert game.why("hit HT") == "DOE-SPEC-4"
    assert game.why("hit #03") == "DOE-SPEC-4"


def test_doe_spec_4_hordes_alone_are_no_target_so_nothing_may_be_fired() -> None:
    game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"tears": "HT", "spear": "TH1"})
    for area in GUNS:
        assert game.why(f"use {area}") == "DOE-SPEC-10"


def test_doe_spec_3_a_face_up_hive_mind_is_no_target() -> None:
    """It is no Swarm, and nothing done to it can destroy it (DOE-HM-3); a hidden one is a Swarm like any (DOE-HM-2)."""
    up = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "HM TH1 TH2"}, shown=("HM",))
    up.do("use spear", 6)
    assert sorted(up.legal()) == ["hit #02", "hit #03"]
    assert up.why("hit #01") == "DOE-HM-3"
    alone = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "HM"}, shown=("HM",))
    assert alone.why("use spear") == "DOE-SPEC-10"
    down = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "HM TH1 TH2"})
    down.do("use spear", 6)
    down.do("hit #01")
    assert "HM" in lid(down.state)


def test_doe_spec_3_what_a_barraged_swarm_was_is_not_shown_to_the_eldar() -> None:
    """DOE-LOSS-8 holds here too; with the option `eldar_sees_losses` it is shown (G-13)."""

    def told(options: Options) -> str:
        game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "TH1 GH1 RW1"}, options=options)
        events = game.do("use spear", 6) + game.do("hit #02")
        return " ".join(str(redact(event, ELDAR)) for event in events)

    assert "GH1" not in told(Options())
    assert "GH1" in told(Options(eldar_sees_losses=True))


# Forges


@pytest.mark.parametrize("area", FORGES)
@pytest.mark.parametrize("roll", range(1, 7))
def test_doe_spec_5_a_forge_needs_four_to_six(area: str, roll: int) -> None:
    game = play("eldar_special", eldar={"n4": "GHO", "destroyed_spacecraft": "WSH1 NWG2"})
    (used,) = of(game.do(f"use {area}", roll), SpecialActionUsed)
    assert (used.roll, used.success, used.rule) == (roll, roll >= 4, "DOE-SPEC-5")
    assert game.asked == ("Return" if roll >= 4 else "Special")
    if roll >= 4:
        expected = [f"place {ship} {to}" for ship in ("WSH1", "NWG2") for to in FORGES[area]]
        assert sorted(game.legal()) == sorted(expected)


def test_doe_spec_5_a_repair_at_the_singers_goes_to_n5_or_n6_even_onto_swarms() -> None:
    """Case 29: n2 is refused, not adjacent; n5 and n6 are legal though Swarms lie there (DOE-SPEC-9)."""
    game = play(
        "eldar_special", eldar={"n4": "GHO", "destroyed_spacecraft": "WSH1"}, tyranid={"n5": "TH1", "n6": "GH1"}
    )
    game.do("use singers", 4)
    for wrong in ("n2", "s5", "singers", "shrine"):
        assert game.why(f"place WSH1 {wrong}") == "DOE-SPEC-5", wrong
    assert game.why("place WSH1 n5") == game.why("place WSH1 n6") == ""
    (back,) = of(game.do("place WSH1 n5"), UnitReturned)
    assert (back.unit, back.box, back.area) == ("WSH1", "destroyed_spacecraft", "n5")
    assert game.state.units["WSH1"] == "n5"


def test_doe_spec_5_a_forge_returns_one_ship_of_any_kind_and_nothing_else() -> None:
    """Raider ships too (G-28); ground forces never."""
    game = play(
        "eldar_special",
        eldar={"n4": "GHO", "destroyed_spacecraft": "RGH RWS1 SHA1", "destroyed_ground": "GUA1 EXA", "out": "YRI AVA"},
    )
    game.do("use souls", 6)
    assert {line.split()[1] for line in game.legal()} == {"RGH", "RWS1", "SHA1"}
    assert game.why("place GUA1 n2") == game.why("place YRI n2") == "DOE-SPEC-5"
    game.do("place RGH n3")
    assert game.state.units["RGH"] == "n3"
    assert game.state.eldar["destroyed_spacecraft"] == ["SHA1", "RWS1"]
    assert game.asked == "Special"


# The Shrine


def scrying() -> tuple[Play, list[Event]]:
    game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"n4": "SM HT RW1", "s1": "TH1"})
    return game, game.do("use shrine n4")


def test_doe_spec_6_the_shrine_shows_one_stack_to_the_eldar_without_a_die() -> None:
    game, events = scrying()
    (used,) = of(events, SpecialActionUsed)
    assert (used.roll, used.success, used.rule) == (0, True, "DOE-SPEC-6")
    assert not of(events, DiceRolled)
    (scried,) = of(events, StackScried)
    assert (scried.area, scried.tokens) == ("n4", ("#01", "#02", "#03"))
    view = game.rules.view(game.state, ELDAR)
    assert [view.counter(token) for token in ("#01", "#02", "#03", "#04")] == ["SM", "HT", "RW1", None]


def test_doe_spec_6_the_stack_is_put_back_as_it_was() -> None:
    """The order stays and nothing is turned face up: it still fights and dies as Swarms."""
    game, _ = scrying()
    assert game.state.stacks == {"n4": ["#01", "#02", "#03"], "s1": ["#04"]}
    assert game.state.face == {}


def test_doe_spec_6_the_public_and_the_tyranids_learn_only_that_the_area_was_looked_upon() -> None:
    """What was seen is for the Eldar alone; the Tyranid knew it, and a spectator learns nothing."""
    _, events = scrying()
    shown = of(events, CounterRevealed)
    assert [event.item for event in shown] == ["SM", "HT", "RW1"]
    assert {event.seen_by for event in shown} == {(ELDAR, TYRANID)}
    assert {redact(event, "").item for event in shown} == {SEALED}
    (scried,) = of(events, StackScried)
    assert scried == redact(scried, TYRANID)
    assert not {"SM", "HT", "RW1"} & {*str(scried).split("'")}


@pytest.mark.parametrize(
    ("line", "rule"),
    [("use shrine tears", "DOE-SPEC-6"), ("use shrine n6", "DOE-SPEC-10"), ("use shrine s2", "DOE-SPEC-10")],
)
def test_doe_spec_6_the_shrine_looks_upon_a_space_area_with_swarms(line: str, rule: str) -> None:
    """Not upon the Craftworld, nor where nothing is hidden: s2 holds a face-up Hive Mind alone."""
    game = play("eldar_special", eldar={"n2": "GHO"}, tyranid={"n4": "SM", "s2": "HM", "tears": "HT"}, shown=("HM",))
    assert game.why(line) == rule
    assert uses(game) == ["use spear", "use tears", "use redmoon", "use shrine n4", "use dreams", "use nightmares"]


# The Forests


@pytest.mark.parametrize("roll", range(1, 7))
def test_doe_spec_7_the_forests_need_four_to_six_and_return_a_guardian_or_an_aspect_warrior(roll: int) -> None:
    """To any of the nine areas of the Craftworld; case 30: a Falcon is refused."""
    game = play(
        "eldar_special",
        eldar={"n4": "GHO", "destroyed_ground": "GUA3 ASP2 FAL1 EXA RAI1 TIT TEM DST", "destroyed_spacecraft": "WSH1"},
        devastated=("spear",),
    )
    (used,) = of(game.do("use forests", roll), SpecialActionUsed)
    assert (used.roll, used.success, used.rule) == (roll, roll >= 4, "DOE-SPEC-7")
    if roll < 4:
        assert game.asked == "Special"
        return
    assert sorted(game.legal()) == sorted(f"place {unit} {area}" for unit in ("GUA3", "ASP2") for area in CRAFTWORLD)
    for line in ("place FAL1 tears", "place EXA tears", "place RAI1 tears", "place WSH1 n2", "place GUA3 n2"):
        assert game.why(line) == "DOE-SPEC-7", line
    game.do("place ASP2 nightmares")
    assert game.state.units["ASP2"] == "nightmares"
    assert game.state.units["GUA3"] == "destroyed_ground"


def test_doe_spec_7_without_a_guardian_or_an_aspect_warrior_in_the_box_the_forests_do_nothing() -> None:
    """Case 30: a box of Falcons is as good as an empty one (DOE-SPEC-10)."""
    game = play("eldar_special", eldar={"n4": "GHO", "destroyed_ground": "FAL1 EXA"})
    assert game.why("use forests") == "DOE-SPEC-10"


# The gates


@pytest.mark.parametrize("area", GATES)
@pytest.mark.parametrize("roll", range(1, 7))
def test_doe_spec_8_a_gate_needs_a_six_and_brings_a_green_counter_to_any_craftworld_area(area: str, roll: int) -> None:
    game = play("eldar_special", eldar={"n4": "GHO", "tears": "GUA1"})
    (used,) = of(game.do(f"use {area}", roll), SpecialActionUsed)
    assert (used.roll, used.success, used.rule) == (roll, roll == 6, "DOE-SPEC-8")
    if roll < 6:
        assert game.asked == "Special"
        return
    assert sorted(game.legal()) == sorted(f"place {unit} {to}" for unit in GREEN for to in CRAFTWORLD)
    assert game.why("place HAR n3") == game.why("place GUA2 tears") == "DOE-SPEC-8"
    (back,) = of(game.do("place HAR forests"), UnitReturned)
    assert (back.unit, back.box, back.area, back.rule) == ("HAR", "warp_gate", "forests", "DOE-SPEC-8")
    assert game.state.units["HAR"] == "forests"


def test_doe_spec_8_both_gates_may_open_until_the_template_is_empty() -> None:
    game = play("eldar_special", eldar={"n4": "GHO", "spear": "ALA KNI HAR", "tears": "ULT SAI"}, tyranid={"s1": "TH1"})
    assert game.state.eldar["warp_gate"] == ["BIE"]
    game.do("use dreams", 6)
    game.do("place BIE dreams")
    assert game.why("use nightmares") == "DOE-SPEC-10"


# Order, enemies, full areas, pointless actions


def test_doe_spec_9_actions_and_conversions_go_in_any_order() -> None:
    game = play(
        "eldar_special",
        eldar={"souls": "GUA1", "destroyed_spacecraft": "WSH1", "n6": "SHA1"},
        tyranid={"s1": "TH1 GH1"},
    )
    game.do("use spear", 1)
    game.do("conv GUA1 WSH1 n2")
    game.do("use forests", 4)
    game.do("place GUA1 souls")
    game.do("use tears", 2)
    assert game.state.units["WSH1"] == "n2"
    assert game.state.units["GUA1"] == "souls"
    assert game.state.phase == "eldar_special"


def test_doe_spec_9_enemies_in_the_area_do_not_prevent_its_action() -> None:
    """With an Eldar counter in the same area, and without: only devastation silences it."""
    game = play(
        "eldar_special",
        eldar={"spear": "GUA1", "destroyed_spacecraft": "WSH1"},
        tyranid={"s1": "TH1", "spear": "TH2", "souls": "TH3"},
    )
    assert {"use spear", "use souls"} <= {*uses(game)}


def test_doe_spec_9_a_unit_may_be_placed_into_a_full_or_an_occupied_area() -> None:
    """The limit is checked at the end of movement alone (DOE-STACK-5): the fourth is given up then, not before."""
    game = play(
        "eldar_special",
        eldar={"tears": "ASP1 ASP2 ASP3", "destroyed_ground": "GUA1", "n6": "SHA1"},
        tyranid={"souls": "TH1"},
    )
    game.do("use forests", 5)
    assert game.why("place GUA1 souls") == ""
    game.do("place GUA1 tears")
    assert game.state.eldar["tears"] == ["ASP1", "ASP2", "ASP3", "GUA1"]
    game.do("end")
    assert game.state.phase == "eldar_movement"
    game.do("end")
    assert game.asked == "Trim"


@pytest.mark.parametrize("area", [area for area in CRAFTWORLD if area not in GATES])
def test_doe_spec_10_an_action_that_could_have_no_effect_is_refused(area: str) -> None:
    """Case 30: nothing in the boxes, nothing in space; only the gates have something to bring."""
    game = play("eldar_special", eldar={"tears": "GUA1", "n2": "GHO"}, tyranid={"tears": "TH1"})
    target = " n2" if area == "shrine" else ""
    assert game.why(f"use {area}{target}") == "DOE-SPEC-10"
    assert uses(game) == ["use dreams", "use nightmares"]


def test_doe_spec_10_an_empty_template_makes_the_gates_pointless() -> None:
    game = play("eldar_special", eldar={"tears": "GUA1", "out": " ".join(GREEN)})
    assert [game.why(f"use {area}") for area in GATES] == ["DOE-SPEC-10", "DOE-SPEC-10"]


# The option repeat_conversion_pool


def test_repeat_conversion_pool_separate_keeps_converted_counters_from_forges_and_forests() -> None:
    """G-27: as printed they lie in the Destroyed boxes, where DOE-SPEC-5 and -7 reach them; apart they do not."""
    facts = {"eldar": {"souls": "GUA1", "n6": "SHA1", "destroyed_spacecraft": "WSH1", "destroyed_ground": "GUA2"}}
    printed = play("eldar_special", **facts)
    printed.do("conv GUA1 WSH1 n2")
    printed.do("conv SHA1 GUA2 singers")
    assert {"use souls", "use forests"} <= {*uses(printed)}
    printed.do("use souls", 6)
    printed.do("place SHA1 n2")
    assert printed.state.units["SHA1"] == "n2"

    apart = play("eldar_special", options=Options(repeat_conversion_pool="separate"), **facts)
    apart.do("conv GUA1 WSH1 n2")
    apart.do("conv SHA1 GUA2 singers")
    assert apart.why("use souls") == apart.why("use forests") == "DOE-SPEC-10"


def test_the_areas_named_here_are_those_of_the_map() -> None:
    assert {*CRAFTWORLD} == {*BOOK.craftworld}
