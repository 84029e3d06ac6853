"""The Tyranid Prime of Level 3: what can harm it and from where, its guard, its answer to each wound."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from helpers import TEXTS, Level, laid, names, of, the

from warptape.domain.content import Content
from warptape.domain.events import CounterReturned, DiceRolled, Event
from warptape.domain.space_marine_adventures import SpaceMarineAdventures
from warptape.domain.space_marine_adventures.events import (
    AllowanceChanged,
    AttackDeclared,
    AttackMissed,
    CounterDestroyed,
    CounterMoved,
    CounterPlaced,
    FreeActionGranted,
    LevelEnded,
    MarineStruck,
    MarineTakenOut,
    MarineWounded,
    PrimeDamaged,
    PrimeDestroyed,
    ReinforcementBlocked,
    TurnEnded,
)
from warptape.domain.space_marine_adventures.state import Options

LAIR = Options(level=3)
SHORT = Options(level=3, range_count="exclusive")
FRAG, KRAK, BURST, MELTA, OVERWATCH = "SP-01", "SP-03", "SP-18", "SP-19", "SP-28"
AROUND = {"1-up": ("f7", "g8", "f9"), "1-down": ("g6", "h7", "g8", "f7")}
"""The floor squares adjacent to the Prime, north, east, south, west; it stands on f8, and on g7."""


def lair(ground: str = "1-up", options: Options = LAIR, **given: object) -> Level:
    """A Level 3 in the middle, the Prime alone unless creatures are named."""
    return laid(ground, options=options, **given)  # type: ignore[arg-type]


def placed(events: Iterable[Event]) -> dict[str, str]:
    """Counter by square, in the order in which they came."""
    return {event.square: event.counter for event in of(events, CounterPlaced)}


def shots(events: Iterable[Event]) -> list[tuple[str, int]]:
    """What was rolled against, and how far off it was counted."""
    return [(event.square, event.distance) for event in of(events, AttackDeclared)]


# Damage counters


def test_sma_prime_2_a_success_is_a_damage_counter_and_6_calls_up_the_brood() -> None:
    """SMA-PRIME-2 and -6: a counter on the Prime, creatures N, E, S of it, then claws at whoever is adjacent to one."""
    level = lair(marines={"MAX": "f6", "ADR": "V1"}, turn="MAX")
    events = level.do("at f8", 6, "L01", "G01", "T01", 4)
    hurt = the(events, PrimeDamaged)
    assert (hurt.damage, hurt.by, level.state.damage) == (1, "MAX", 1)
    assert list(placed(events).items()) == [("f7", "L01"), ("g8", "G01"), ("f9", "T01")]
    struck = the(events, MarineStruck)
    assert (struck.marine, struck.way, struck.rule) == ("MAX", "claws", "SMA-PRIME-6")
    assert [name for name in names(events) if name in ("PrimeDamaged", "CounterPlaced", "MarineWounded")] == [
        "PrimeDamaged",
        *["CounterPlaced"] * 3,
        "MarineWounded",
    ]
    assert level.tyranids["f8"] == "prime"
    assert (level.wounds("MAX"), level.state.kills) == (1, {})


@pytest.mark.parametrize(("die", "wounded"), [(1, True), (4, True), (5, False), (6, False)])
def test_sma_prime_6_wounds_on_1_to_4(die: int, wounded: bool) -> None:
    level = lair(marines={"MAX": "f6"}, bag=["T01"], turn="MAX")
    assert bool(of(level.do("at f8", 6, "T01", die), MarineWounded)) is wounded


def test_sma_prime_6_every_marine_adjacent_to_any_tyranid_rolls_wherever_he_stands() -> None:
    """The Prime itself and a Termagant far off claw as the brood does; one beside nothing rolls nothing."""
    level = lair(
        marines={"MAX": "f7", "ADR": "V1", "LUK": "b2", "VOR": "b12"},
        tyranids={"h1": "termagant", "b3": "genestealer"},
        bag=[],
        turn="MAX",
    )
    events = level.do("at f8", 6, 5, 4, 5)
    assert [(die.stream, die.purpose) for die in of(events, DiceRolled)[1:]] == [
        ("die/max", "claws"),
        ("die/adr", "claws"),
        ("die/luk", "claws"),
    ]
    assert [event.marine for event in of(events, MarineWounded)] == ["ADR"]


def test_sma_prime_6_with_an_empty_bag_nothing_comes_and_the_claws_follow() -> None:
    level = lair(marines={"MAX": "f7", "ADR": "g8"}, bag=[], turn="MAX")
    events = level.do("at f8", 6, 4, 5)
    blocked = [(event.square, event.reason) for event in of(events, ReinforcementBlocked)]
    assert blocked == [("f7", "bag_empty"), ("g8", "bag_empty"), ("f9", "bag_empty")]
    assert level.wounds("MAX") == 1


def test_sma_atk_2_the_prime_needs_6_and_a_failure_calls_up_nothing() -> None:
    """SMA-PRIME-6 answers a damage counter only."""
    level = lair(marines={"MAX": "f6"}, turn="MAX")
    events = level.do("at f8", 5)
    assert the(events, AttackDeclared).need == 6
    assert of(events, AttackMissed)
    assert not of(events, CounterPlaced)
    assert level.state.damage == 0


def test_sma_prime_3_the_third_counter_is_never_placed() -> None:
    """SMA-PRIME-3: from none to destroyed in three hits; the last calls up nothing and ends the level."""
    level = lair(marines={"ADR": "f7"}, bag=[], turn="ADR")
    for damage in (1, 2):
        assert the(level.do("at f8", 6, 6), PrimeDamaged).damage == damage
    events = level.do("at f8", 6)
    assert the(events, PrimeDestroyed).square == "f8"
    assert not of(events, PrimeDamaged)
    assert not of(events, CounterPlaced)
    ended = the(events, LevelEnded)
    assert (ended.reason, ended.damage, ended.rule) == ("prime_destroyed", 2, "SMA-END-9")


def test_w11_adrenal_glands() -> None:
    """W11: SMA-ADV-11, two counters and two hits, the guard cleared in between: the third is placed, then it dies."""
    level = lair(marines={"ADR": "f6"}, damage=2, dares=["CHA-3-1"], bag=["T01"], turn="ADR")
    events = level.do("at f8", 6, "T01", 5)
    assert the(events, PrimeDamaged).damage == 3
    assert level.state.ended is None
    assert level.why("at f8") == "SMA-SEE-4"
    level.do("at f7", 3)
    events = level.do("at f8", 6)
    assert (the(events, PrimeDestroyed).by, level.state.ended is None) == ("ADR", False)


def test_e25_raphael_strikes_from_the_square_where_the_first_creature_comes() -> None:
    """E25: 1-down, 2nd counter from g6: a free Move, then N strikes him, E, S and W are filled, then he rolls."""
    for die, out in ((4, True), (5, False)):
        level = lair("1-down", marines={"RAP": "g6", "MAX": "V1"}, damage=1, turn="RAP")
        events = level.do("at g7", 5, "L01", "T01", "T02", "L01", die)
        assert the(events, PrimeDamaged).damage == 2
        assert the(events, FreeActionGranted).kind == "move"
        assert [(event.marine, event.way) for event in of(events, MarineStruck)] == [
            ("RAP", "counter"),
            *([("RAP", "claws")] if out else []),
        ]
        assert the(events, CounterReturned).token == "L01"
        assert list(placed(events).items()) == [("h7", "T01"), ("g8", "T02"), ("f7", "L01")]
        changed = the(events, AllowanceChanged)
        assert (changed.allowance, changed.left) == (3, 2)
        told = names(events)
        assert told.index("FreeActionGranted") < told.index("MarineStruck")
        if out:
            assert level.at("RAP") == ""
            assert the(events, TurnEnded).reason == "out"
            assert told.index("MarineTakenOut") < told.index("TurnEnded")
        else:
            assert level.state.turn is not None
            assert (level.left, level.state.turn.free_moves) == (2, 1)
            assert not of(events, TurnEnded)


def test_e53_raphael_destroys_it_with_his_second_action() -> None:
    """E53: the level is over: no action, no free Move, no card; nothing waits for an answer."""
    level = lair(marines={"RAP": "f7", "MAX": "V1"}, damage=2, turn="RAP", actions=3)
    events = level.do("at f8", 5)
    assert names(events)[-3:] == ["PrimeDestroyed", "LevelEnded", "Awaiting"]
    assert (level.asked, level.referee.decision) == ("", None)
    assert level.why("next") != ""


# Reach


@pytest.mark.parametrize(
    ("options", "square", "rule"),
    [(LAIR, "f5", ""), (LAIR, "f4", "SMA-PRIME-4"), (SHORT, "f4", ""), (SHORT, "f3", "SMA-PRIME-4")],
)
def test_sma_prime_4_nothing_harms_it_from_more_than_3_squares(options: Options, square: str, rule: str) -> None:
    """SMA-PRIME-4: counted as every distance is, so `range_count = exclusive` reaches one square further."""
    level = lair(marines={"VOR": square}, turn="VOR", options=options, cards={"VOR": f"{FRAG} {BURST}"})
    assert level.why("at f8") == rule
    assert level.why(f"sp {BURST} s") == (rule and "SMA-SPEC-5")
    assert ("at f8" in level.legal("at")) is (rule == "")
    assert level.why(f"sp {FRAG} f8") == rule
    if not rule:
        events = level.do("at f8", 6, 1, "T01", "T02", "T03")
        assert shots(events) == [("f8", 3)]


def test_sma_prime_4_the_range_of_a_card_ends_before_or_after_the_reach() -> None:
    """At 4 the blast could go so far but the Prime may not be harmed; Krak and Burst end at 3 themselves."""
    level = lair(marines={"MAX": "f4"}, turn="MAX", cards={"MAX": f"{FRAG} {KRAK} {BURST}"})
    assert level.why(f"sp {FRAG} f8") == "SMA-PRIME-4"
    assert level.why(f"sp {KRAK} f8") == "SMA-SPEC-5"
    assert level.why(f"sp {BURST} s") == "SMA-SPEC-5"
    assert level.legal("sp") == set()
    level.do("mv f5")
    assert level.legal("sp") == {f"sp {FRAG} f8", f"sp {KRAK} f8", f"sp {BURST} s"}


@pytest.mark.parametrize(
    ("square", "options", "harmed"),
    [("d6", LAIR, True), ("c6", LAIR, False), ("c6", SHORT, True), ("b6", SHORT, False)],
)
def test_sma_prime_4_a_neighbour_of_a_blast_off_the_line_counts_the_larger_difference(
    square: str, options: Options, harmed: bool
) -> None:
    """The blast falls on the guard on g6; from d6 the Prime on g7 is 3 columns and 1 row away."""
    level = lair(
        "1-down",
        marines={"VOR": square},
        tyranids={"g6": "termagant"},
        turn="VOR",
        cards={"VOR": FRAG},
        options=options,
    )
    events = level.do(f"sp {FRAG} g6", 3, *([5] if harmed else []))
    far = ord("g") - ord(square[0]) - (options is SHORT)
    assert shots(events) == [("g6", far), *([("g7", 3)] if harmed else [])]


@pytest.mark.parametrize(("square", "harmed"), [("h4", True), ("h3", False)])
def test_sma_prime_4_the_rows_may_be_the_larger_difference(square: str, harmed: bool) -> None:
    """3-down: the blast comes down column h to the guard on h7, one column beside the Prime."""
    level = lair("3-down", marines={"MAX": square}, tyranids={"h7": "termagant"}, turn="MAX", cards={"MAX": FRAG})
    events = level.do(f"sp {FRAG} h7", 3, *([5] if harmed else []))
    assert shots(events)[1:] == ([("g7", 3)] if harmed else [])


def test_sma_prime_4_a_diagonal_neighbour_under_blast_adjacent_eight() -> None:
    """Face 1-down: f6 touches the Prime by a corner, so it is no guard; the blast on it reaches the Prime."""
    for square, dice in (("d6", (3, 5)), ("c6", (3,))):
        level = lair(
            "1-down",
            marines={"MAX": square},
            tyranids={"f6": "termagant"},
            turn="MAX",
            cards={"MAX": FRAG},
            options=Options(level=3, blast_adjacent="eight"),
        )
        assert len(shots(level.do(f"sp {FRAG} f6", *dice))) == len(dice)


# The guard


def test_the_reason_says_which_shield_it_is() -> None:
    """SMA-PRIME-4 before SMA-PRIME-5, each with its own words; SMA-RNG-1 before both."""
    for square, code, creatures, rule, words in (
        ("f4", "ADR", ["g8"], "SMA-PRIME-4", "more than 3 squares"),
        ("f5", "ADR", ["g8"], "SMA-PRIME-5", "adjacent to it, as on g8"),
        ("f6", "RAP", ["g8"], "SMA-RNG-1", "his range is 1"),
    ):
        level = lair(marines={code: square}, tyranids=dict.fromkeys(creatures, "termagant"), turn=code)
        refusal = level.refusal("at f8")
        assert refusal is not None
        assert (refusal.rule, words in refusal.reason) == (rule, True)


def test_its_shield_is_no_other_creatures() -> None:
    """The guard itself may be attacked, blasted unseen, or hit by a Melta Charge; without actions SMA-ACT-1 says so."""
    level = lair(marines={"MAX": "h8"}, tyranids={"g8": "T01"}, turn="MAX", cards={"MAX": MELTA}, actions=0)
    assert level.why("at g8") == "SMA-ACT-1"
    assert level.legal("sp") == {f"sp {MELTA} g8"}
    level.do(f"sp {MELTA} g8")
    assert level.tyranids == {"f8": "prime"}
    options = Options(level=3, frag_needs_sight=False)
    level = lair(marines={"MAX": "f5"}, tyranids={"f7": "T01"}, turn="MAX", cards={"MAX": FRAG}, options=options)
    assert level.legal("sp") == {f"sp {FRAG} f7"}


def test_content_may_say_how_the_prime_is_shielded() -> None:
    """`max_distance` and `guarded_by_adjacent` of a briefing of one's own."""
    missions = TEXTS["missions.toml"].replace(
        "max_distance = 3, guarded_by_adjacent = true", "max_distance = 5, guarded_by_adjacent = false"
    )
    rules = SpaceMarineAdventures(Content({**TEXTS, "missions.toml": missions}))
    given = {"marines": {"VOR": "f3"}, "tyranids": {"g8": "T01"}, "turn": "VOR"}
    assert lair(**given).why("at f8") == "SMA-PRIME-4"
    assert lair(**given, ruleset=rules).why("at f8") == ""


@pytest.mark.parametrize(("guard", "place"), [("f7", "h8"), ("g8", "f6"), ("f9", "f6")])
@pytest.mark.parametrize(
    ("line", "card"), [("at f8", ""), (f"sp {FRAG} f8", FRAG), (f"sp {KRAK} f8", KRAK), ("gr f8", "")]
)
def test_e23_sma_prime_5_no_target_while_a_tyranid_is_adjacent(line: str, card: str, guard: str, place: str) -> None:
    """E23: Attack, blast, special attack and grenade, from 2 squares away, whichever side the guard is on."""
    for creature, rule in ((guard, "SMA-PRIME-5"), ("b2", "")):
        level = lair(marines={"LUK": place}, tyranids={creature: "termagant"}, turn="LUK", cards={"LUK": card})
        assert level.why(line) == rule
        assert (line in level.legal()) is (not rule)


def test_sma_prime_5_a_blast_without_sight_obeys_the_guard() -> None:
    """SMA-FRAG-2 under `frag_needs_sight = false`: over a Termagant on f6, but not while one is on f7 or g8."""
    for creatures, sight, rule in (
        (["f6"], True, "SMA-FRAG-2"),
        (["f6"], False, ""),
        (["f6", "g8"], False, "SMA-PRIME-5"),
        (["f7"], False, "SMA-PRIME-5"),
    ):
        options = Options(level=3, frag_needs_sight=sight)
        tyranids = dict.fromkeys(creatures, "termagant")
        level = lair(marines={"MAX": "f5"}, tyranids=tyranids, turn="MAX", cards={"MAX": FRAG}, options=options)
        assert level.why(f"sp {FRAG} f8") == rule
        assert (f"sp {FRAG} f8" in level.legal("sp")) is (not rule)


def test_sma_prime_5_a_diagonal_neighbour_is_no_guard() -> None:
    """SMA-PRIME-5: adjacent means by an edge."""
    level = lair(
        "1-down", marines={"MAX": "g6"}, tyranids=dict.fromkeys(("f6", "h6", "f8", "h8"), "termagant"), turn="MAX"
    )
    assert level.why("at g7") == ""


def test_e27_a_melta_charge_on_the_guarded_prime() -> None:
    """E27: SMA-PRIME-5 by name, SMA-SPEC-5 without one; unguarded it is hit without a die."""
    level = lair(marines={"MAX": "f7"}, tyranids={"g8": "termagant"}, turn="MAX", cards={"MAX": MELTA})
    assert level.why(f"sp {MELTA} f8") == "SMA-PRIME-5"
    assert level.why(f"sp {MELTA}") == "SMA-SPEC-5"
    assert level.legal("sp") == set()
    level = lair(marines={"MAX": "f7"}, turn="MAX", cards={"MAX": MELTA}, bag=[])
    events = level.do(f"sp {MELTA} f8", 5)
    assert the(events, PrimeDamaged).damage == 1
    assert [die.purpose for die in of(events, DiceRolled)] == ["claws"]


def test_sma_prime_3_an_automatic_hit_destroys_it_too() -> None:
    level = lair(marines={"MAX": "f7"}, damage=2, turn="MAX", cards={"MAX": MELTA})
    assert the(level.do(f"sp {MELTA} f8"), LevelEnded).reason == "prime_destroyed"


@pytest.mark.parametrize(("line", "card"), [(f"sp {FRAG} g6", FRAG), ("gr g6", "")])
def test_e24_a_blast_on_the_only_guard(line: str, card: str) -> None:
    """E24: the guard's die succeeds: the Prime's is rolled; it fails: the Prime's is not (SMA-PRIME-5)."""
    given = {"marines": {"LUK": "j6", "MAX": "V1"}, "tyranids": {"g6": "genestealer"}, "turn": "LUK"}
    level = lair("1-down", **given, cards={"LUK": card})
    events = level.do(line, 4, 6, "T01", "T02", "T03", "T04")
    assert shots(events) == [("g6", 3), ("g7", 3)]
    assert list(placed(events)) == list(AROUND["1-down"])
    assert level.state.damage == 1
    level = lair("1-down", **given, cards={"LUK": card})
    events = level.do(line, 3)
    assert shots(events) == [("g6", 3)]
    assert level.state.damage == 0


def test_e24_with_a_second_guard_the_prime_is_spared() -> None:
    """The guard that was not aimed at still stands when the Prime's die is due."""
    level = lair("1-down", marines={"LUK": "j6"}, tyranids={"g6": "termagant", "g8": "termagant"}, turn="LUK")
    assert shots(level.do("gr g6", 3)) == [("g6", 3)]


def test_e58_creatures_called_up_in_mid_blast_are_not_rolled_for() -> None:
    """E58: SMA-FRAG-5, not even one on the guard's square; what is left on the list goes on."""
    level = lair(
        "1-down",
        marines={"MAX": "j6", "ADR": "V1"},
        tyranids={"g6": "T01", "f6": "G01"},
        turn="MAX",
        cards={"MAX": FRAG},
    )
    events = level.do(f"sp {FRAG} g6", 3, 6, "T01", "T02", "T03", "T04", 4)
    assert shots(events) == [("g6", 3), ("g7", 3), ("f6", 4)]
    assert placed(events)["g6"] == "T01"
    assert [event.square for event in of(events, CounterDestroyed)] == ["g6", "f6"]
    assert level.tyranids == {"g7": "prime", **dict.fromkeys(AROUND["1-down"], "termagant")}


def test_sma_prime_5_a_line_blast_clears_the_guard_first_and_then_harms_it() -> None:
    """Promethium Burst, nearest first: the guard on f7, then the Prime; a guard beyond it still shields it."""
    given = {"turn": "MAX", "cards": {"MAX": BURST}, "bag": []}
    level = lair(marines={"MAX": "f6"}, tyranids={"f7": "T01"}, **given)
    events = level.do(f"sp {BURST} s", 3, 6, "T01", 5)
    assert (shots(events), level.state.damage) == ([("f7", 1), ("f8", 2)], 1)
    level = lair(marines={"MAX": "f6"}, tyranids={"f7": "T01"}, **given)
    events = level.do(f"sp {BURST} s", 2)
    assert (shots(events), level.state.damage) == ([("f7", 1)], 0)
    level = lair(marines={"MAX": "f6"}, tyranids={"f9": "T01"}, **given)
    events = level.do(f"sp {BURST} s", 3)
    assert (shots(events), level.state.damage) == ([("f9", 3)], 0)


def test_sma_prime_5_a_line_with_nothing_but_the_guarded_prime_is_no_choice() -> None:
    level = lair(marines={"MAX": "f6"}, tyranids={"g8": "T01"}, turn="MAX", cards={"MAX": BURST})
    assert (level.why(f"sp {BURST} s"), level.why(f"sp {BURST} n")) == ("SMA-PRIME-5", "SMA-SPEC-5")
    assert level.legal("sp") == set()
    level = lair(marines={"MAX": "f6"}, turn="MAX", cards={"MAX": BURST})
    assert level.legal("sp") == {f"sp {BURST} s"}


def test_sma_prime_6_a_thrower_taken_out_still_rolls_for_what_is_left_of_the_list() -> None:
    """What the blast has left is rolled for although its thrower is out (SMA-FRAG-5)."""
    level = lair(
        "1-down",
        marines={"MAX": "h6", "ADR": "V1"},
        wounded=["MAX"],
        tyranids={"g6": "T01", "f6": "G01"},
        turn="MAX",
        cards={"MAX": FRAG},
    )
    events = level.do(f"sp {FRAG} g6", 3, 6, "T01", "T02", "T03", "T04", 4, 4)
    assert the(events, MarineTakenOut).marine == "MAX"
    assert [event.square for event in of(events, CounterDestroyed)] == ["g6", "f6"]
    assert the(events, TurnEnded).reason == "out"


# Free Attacks, and reactions


def test_sma_prime_5_free_attacks_obey_the_guard() -> None:
    """Overwatch between turns: the guard first, then the Prime; SMA-PRIME-6 comes at once."""
    level = lair(marines={"ADR": "f6", "MAX": "V1"}, tyranids={"f7": "T01"}, cards={"ADR": OVERWATCH}, bag=[])
    level.do(f"sp {OVERWATCH}")
    assert level.legal() == {"free at f7", "pass"}
    level.do("free at f7", 3)
    events = level.do("free at f8", 6, "T01", 3)
    assert (the(events, PrimeDamaged).damage, level.wounds("ADR")) == (1, 1)
    assert level.asked == "Ready"


def test_sma_spec_5_overwatch_with_nothing_but_the_guarded_prime_in_sight() -> None:
    level = lair(marines={"ADR": "f6"}, tyranids={"g8": "T01"}, cards={"ADR": OVERWATCH})
    assert level.why(f"sp {OVERWATCH}") == "SMA-SPEC-5"
    level = lair(marines={"ADR": "f6"}, cards={"ADR": OVERWATCH})
    assert level.why(f"sp {OVERWATCH}") == ""


def test_sma_prime_6_wounds_may_be_prevented() -> None:
    """Refractor Field against the claws that answer a damage counter."""
    level = lair(marines={"MAX": "f7", "ADR": "V1"}, turn="MAX", cards={"MAX": "SP-07"}, bag=[])
    level.do("at f8", 6, 2)
    assert level.asked == "Wound"
    level.do("react SP-07")
    assert (level.wounds("MAX"), level.asked) == (0, "Turn")


# A Tyranid like any other


def test_sma_prime_7_it_blocks_lines_and_the_way() -> None:
    """SMA-PRIME-7: SMA-SEE-4 for what stands behind it, SMA-MOVE-3 for who would pass."""
    level = lair(marines={"VOR": "f6"}, tyranids={"f10": "termagant"}, turn="VOR")
    assert level.why("at f10") == "SMA-SEE-4"
    level.do("mv f7")
    assert level.why("mv f8") == "SMA-MOVE-3"
    assert level.why("mv f8>f9") == "SMA-MOVE-3"
    assert level.legal("mv") == {"mv f6"}


def test_sma_prime_1_and_7_it_never_moves_and_a_line_goes_on_behind_it() -> None:
    """INF-3-27: all charge 12 squares, the Prime with a Marine in plain sight does not."""
    level = lair(marines={"MAX": "f5"}, tyranids={"b2": "termagant"})
    assert not of(level.infest("INF-3-27"), CounterMoved)
    assert level.tyranids["f8"] == "prime"


def test_sma_prime_7_it_never_enters_the_bag_and_is_no_kill() -> None:
    level = lair(marines={"MAX": "f7"}, damage=2, turn="MAX")
    assert (len(level.bag), "P" in level.bag) == (22, False)
    level.do("at f8", 6)
    assert (len(level.bag), "P" in level.bag, level.state.kills) == (22, False, {})
    assert level.tyranids == {}
