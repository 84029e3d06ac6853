"""Every special card, both copies, at Level 3, where there is the Prime and no console, and the console's card at Level 2.

On face 1-up the Prime stands on f8; north of it are f7 to f3, all floor. Unless said otherwise the bag is empty, so that
a damage counter calls nobody up and only claws whoever stands beside the Prime.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from card_scenes import dice, placed, struck
from helpers import CATALOGUE, Level, chamber, drawn, laid, of, the

from warptape.domain.space_marine_adventures.events import (
    ActionSpent,
    AttackDeclared,
    AttackMissed,
    BulkheadPeeked,
    ConsoleTried,
    CounterDestroyed,
    InfestationCancelled,
    InfestationPeeked,
    InfestationReordered,
    InfestationRevealed,
    MarineHealed,
    MarineRedeployed,
    PrimeDamaged,
    SpecialDiscarded,
    SpecialPlayed,
    WoundPrevented,
)
from warptape.domain.space_marine_adventures.state import Options

SWEEP, CANNON, GUARD = "INF-3-15", "INF-3-16", "INF-3-12"
"""Claws of the Prime on 1 to 5; the Prime's shots on 1 to 3; creatures around it."""
BULKHEADS = ("bulkhead-1", "bulkhead-3", "bulkhead-2")


def lair(**given: Any) -> Level:
    """Level 3 in the middle."""
    return laid(options=Options(level=3), **{"bag": [], **given})


def elite(**given: Any) -> Level:
    """Level 2 in the middle."""
    return laid(options=Options(level=2), **given)


def in_a_corridor(card: str, distance: int) -> Level:
    """A Lictor so many squares away, for what a card reaches when no Prime is about."""
    picture = chamber(9, 1, b2="M", **{f"{'bcdefghij'[distance]}2": "X"})
    return drawn(picture, turn="MAX", cards={"MAX": card}, options=Options(level=3))


def frag(card: str) -> Level:
    """One die at the Prime as at any other; Raphael's +1 does not touch it."""
    level = lair(marines={"RAP": "f4"}, turn="RAP", cards={"RAP": card})
    assert level.why(f"sp {card} f8") == "SMA-PRIME-4", "four squares away the card would reach, but nothing harms it"
    level.do("mv f5")
    missed = Level(level.rules, level.state.copy())
    assert of(missed.do(f"sp {card} f8", 5), AttackMissed)
    events = level.do(f"sp {card} f8", 6)
    assert (the(events, AttackDeclared).modifier, the(events, PrimeDamaged).damage) == (0, 1)
    assert in_a_corridor(card, 4).legal("sp") == {f"sp {card} f2"}
    assert in_a_corridor(card, 5).legal("sp") == set()
    return level


def krak(card: str) -> Level:
    """4 and 2 are the 6 that the Prime needs, from three squares away; 3 is too little."""
    level = lair(marines={"MAX": "f5"}, turn="MAX", cards={"MAX": card})
    missed = Level(level.rules, level.state.copy())
    missed.do(f"sp {card} f8", 3)
    assert missed.state.damage == 0
    events = level.do(f"sp {card} f8", 4)
    declared = the(events, AttackDeclared)
    assert (declared.distance, declared.modifier, declared.need, level.state.damage) == (3, 2, 6, 1)
    assert in_a_corridor(card, 4).legal("sp") == set()
    return level


def narthecium(card: str) -> Level:
    """Wounded by the answer to his own hit, and healed in the same turn: four actions again, one of them spent."""
    level = lair(marines={"MAX": "f7", "ADR": "V1"}, turn="MAX", cards={"MAX": card})
    level.do("at f8", 6, 4)
    assert (level.wounds("MAX"), level.left) == (1, 2)
    assert the(level.do(f"sp {card} MAX"), MarineHealed).marine == "MAX"
    assert (level.wounds("MAX"), level.left) == (0, 3)
    return level


def refractor(card: str) -> Level:
    level = lair(marines={"MAX": "f4", "ADR": "V1"}, cards={"MAX": card})
    level.infest(CANNON, 3)
    assert level.legal() == {f"react {card}", "pass"}
    assert the(level.do(f"react {card}"), WoundPrevented).marine == "MAX"
    assert level.wounds("MAX") == 0
    return level


def shield(card: str) -> Level:
    level = lair(marines={"MAX": "f7", "ADR": "f6"}, cards={"ADR": card})
    level.infest(SWEEP, 5)
    assert the(level.do(f"react {card}"), WoundPrevented).marine == "MAX"
    assert level.wounds("MAX") == 0
    return level


def advance(card: str) -> Level:
    """Up to the Prime and no further."""
    level = lair(marines={"MAX": "f4"}, turn="MAX", cards={"MAX": card}, actions=0)
    level.do(f"sp {card}")
    for square in ("f5", "f6", "f7"):
        level.do(f"mv {square}")
    assert (level.at("MAX"), level.asked) == ("f7", "Ready")
    short = lair(marines={"MAX": "f7"}, turn="MAX", cards={"MAX": card}, actions=0)
    short.do(f"sp {card}")
    assert short.why("mv f8") == "SMA-MOVE-3"
    return level


def drill(card: str) -> Level:
    """Two free Attacks are two damage counters, no action spent."""
    level = lair(marines={"MAX": "f6", "ADR": "V1"}, turn="MAX", cards={"MAX": card}, actions=1)
    level.do(f"sp {card}")
    level.do("at f8", 6)
    level.do("at f8", 6)
    assert (level.state.damage, level.left) == (2, 1)
    third = Level(level.rules, level.state.copy())
    assert the(third.do("at f8", 5), ActionSpent).left == 0
    guarded = lair(marines={"MAX": "f6"}, tyranids={"g8": "T01"}, turn="MAX", cards={"MAX": card})
    assert guarded.why(f"sp {card}") == "SMA-SPEC-5", "nothing else is in sight"
    return level


def auspex(card: str) -> Level:
    """Three cards of the Level 3 deck in a new order; they come up in it."""
    level = lair(marines={"MAX": "V1"}, cards={"MAX": card})
    shown = (SWEEP, GUARD, CANNON)
    events = level.do(f"sp {card}", *shown)
    assert the(events, InfestationPeeked).top == shown
    assert len(level.legal()) == len([*permutations(shown)])
    assert the(level.do("order 2 3 1"), InfestationReordered).top == (GUARD, CANNON, SWEEP)
    revealed = the(level.do("next", level.unused("tyranid")), InfestationRevealed)
    assert (revealed.card, revealed.source, level.state.known) == (GUARD, "known_top", [CANNON, SWEEP])
    return level


def canticle(card: str) -> Level:
    level = lair(marines={"MAX": "f7"}, cards={"MAX": card})
    level.infest(SWEEP)
    events = level.do(f"react {card}")
    assert (the(events, InfestationCancelled).card, dice(events)) == (SWEEP, [])
    return level


def hellfire(card: str) -> Level:
    """5 and 1 are the 6 that the Prime needs, and with Raphael's own +1 a 4 is enough."""
    level = lair(marines={"MAX": "f6"}, turn="MAX", cards={"MAX": card})
    level.do(f"sp {card}")
    events = level.do("at f8", 5)
    assert (the(events, AttackDeclared).modifier, level.state.damage) == (1, 1)
    raphael = lair(marines={"RAP": "f7"}, turn="RAP", cards={"RAP": card})
    raphael.do(f"sp {card}")
    raphael.do("at f8", 4, 6)
    assert raphael.state.damage == 1
    return level


def promethium(card: str) -> Level:
    """Down the corridor: the guard burns first, so the Prime behind it may be hurt; nobody comes to take its place."""
    level = lair(marines={"MAX": "f5"}, tyranids={"f7": "G01"}, turn="MAX", cards={"MAX": card}, bag=["T01"])
    unhurt = Level(level.rules, level.state.copy())
    assert len(of(unhurt.do(f"sp {card} s", 3), AttackDeclared)) == 1, (
        "the guard stands, so no die is due (SMA-PRIME-5)"
    )
    # What comes to f7 after that may be the very Genestealer that was burned there: it went back into the bag.
    events = level.do(f"sp {card} s", 4, 6, "G01", "T01")
    assert [(event.square, event.distance) for event in of(events, AttackDeclared)] == [("f7", 2), ("f8", 3)]
    assert (level.state.damage, placed(events)) == (1, {"f7": "G01", "g8": "T01"})
    assert in_a_corridor(card, 4).legal("sp") == set()
    return level


def melta(card: str) -> Level:
    """A damage counter without a die; the claws that answer it need one."""
    level = lair(marines={"MAX": "f7", "ADR": "V1"}, turn="MAX", cards={"MAX": card})
    events = level.do(f"sp {card} f8", 4)
    assert the(events, PrimeDamaged).damage == 1
    assert (dice(events), struck(events)) == ([("die/max", (4,))], [("MAX", "claws")])
    return level


def litany(card: str) -> Level:
    """The roll against the Prime again, once."""
    level = lair(marines={"MAX": "f6"}, turn="MAX", cards={"MAX": card})
    level.do("at f8", 5)
    assert level.legal() == {f"react {card}", "pass"}
    assert the(level.do(f"react {card}", 6), PrimeDamaged).damage == 1
    return level


def override(card: str) -> Level:
    """At Level 2, two Lictors killed: 4 and 2 and the card's 2 are the 8 that is needed; at Level 3 there is no console."""
    level = elite(marines={"MAX": "f8"}, turn="MAX", cards={"MAX": card}, kills={"lictor": 2})
    level.do(f"sp {card}")
    tried = the(level.do("con", 3), ConsoleTried)
    assert (tried.total, tried.need, tried.success) == (7, 8, False)
    tried = the(level.do("con", 4, *BULKHEADS), ConsoleTried)
    assert (tried.total, tried.success) == (8, True)
    nothing = lair(marines={"MAX": "f7"}, turn="MAX", cards={"MAX": card})
    assert nothing.why(f"sp {card}") == "SMA-SPEC-5"
    return level


def assault(card: str) -> Level:
    """A comrade clears the guard and hits the Prime, in another's turn."""
    level = lair(marines={"MAX": "V1", "ADR": "f5"}, tyranids={"f7": "T01"}, turn="MAX", cards={"MAX": card})
    level.do(f"sp {card} ADR")
    assert level.why("free at f8") == "SMA-SEE-4"
    level.do("free at f7", 3)
    # The Termagant is back in the bag, and comes again to f7 when the Prime is hurt.
    events = level.do("free at f8", 6, "T01")
    assert (the(events, PrimeDamaged).by, placed(events)) == ("ADR", {"f7": "T01"})
    assert (level.asked, level.left) == ("Turn", 4)
    return level


def stimulants(card: str) -> Level:
    """Two more actions are two more Attacks on it."""
    level = lair(marines={"MAX": "f6", "ADR": "V1"}, turn="MAX", cards={"MAX": card}, actions=0)
    level.do(f"sp {card}")
    level.do("at f8", 6)
    level.do("at f8", 6)
    assert (level.state.damage, level.asked) == (2, "Turn"), "he may still give his order"
    return level


def beacon(card: str) -> Level:
    """Straight to the Prime's side, if a comrade stands near it; never onto its square."""
    level = lair(marines={"MAX": "V4", "ADR": "f6"}, turn="MAX", cards={"MAX": card})
    assert level.legal("sp") == {f"sp {card} {square}" for square in ("f5", "e6", "f7")}
    assert the(level.do(f"sp {card} f7"), MarineRedeployed).to == "f7"
    assert level.legal("at") == {"at f8"}
    return level


def scout(card: str) -> Level:
    """The bulkheads stay sealed at Level 3, but they lie there and may be looked under."""
    level = lair(marines={"MAX": "V1"}, turn="MAX", cards={"MAX": card})
    assert level.legal("sp") == {f"sp {card} {pair}" for pair in ("B C", "B D", "C D")}
    events = level.do(f"sp {card} B C", "bulkhead-3", "bulkhead-2")
    assert [(event.label, event.face) for event in of(events, BulkheadPeeked)] == [("B", "open"), ("C", "sealed")]
    assert (level.state.sealed, level.state.exit) == (("B", "C", "D"), "")
    return level


def overwatch(card: str) -> Level:
    """Two Attacks between turns: the guard and then the Prime."""
    level = lair(marines={"MAX": "f5", "ADR": "V1"}, tyranids={"f7": "T01"}, cards={"MAX": card})
    level.do(f"sp {card}")
    the(level.do("free at f7", 3), CounterDestroyed)
    assert the(level.do("free at f8", 6, "T01"), PrimeDamaged).damage == 1
    assert level.asked == "Ready"
    return level


SCENES: dict[str, Callable[[str], Level]] = {
    "frag-grenade": frag,
    "krak-grenade": krak,
    "field-narthecium": narthecium,
    "refractor-field": refractor,
    "shield-of-a-brother": shield,
    "headlong-advance": advance,
    "bolter-drill": drill,
    "auspex-sweep": auspex,
    "warding-canticle": canticle,
    "hellfire-shells": hellfire,
    "promethium-burst": promethium,
    "melta-charge": melta,
    "litany-of-wrath": litany,
    "rite-of-override": override,
    "combined-assault": assault,
    "combat-stimulants": stimulants,
    "teleport-beacon": beacon,
    "servo-skull-scout": scout,
    "overwatch": overwatch,
}


@pytest.mark.parametrize("card", CATALOGUE.specials)
def test_sma_spec_1_every_special_card_does_what_it_says_at_level_3_too(card: str) -> None:
    """SMA-SPEC-2, SMA-SPEC-3, SMA-PRIME-2: its effect, and then it is in the box."""
    level = SCENES[CATALOGUE.specials[card].design](card)
    assert the(level.log, SpecialPlayed).card == card
    assert the(level.log, SpecialDiscarded).card == card
    assert level.state.used == [card]


def test_there_is_a_scene_in_the_lair_for_each_design() -> None:
    assert {card.design for card in CATALOGUE.specials.values()} == SCENES.keys()


@pytest.mark.parametrize("card", ["SP-14", "SP-15"])
def test_auspex_sweep_shows_skull_cards_and_what_they_turn_over_comes_from_the_known_top(card: str) -> None:
    """SMA-SPEC-7, SMA-ADV-3: at Level 2, a skull card put first turns over the second of the three."""
    level = elite(marines={"MAX": "V1"}, cards={"MAX": card}, bag=[], skulls=["ADV-2-1"])
    level.do(f"sp {card}", "INF-2-29", "INF-2-24", "ADV-2-1")
    level.do("order 3 1 2")
    events = level.do("next", level.unused("tyranid"))
    revealed = [(event.card, event.source) for event in of(events, InfestationRevealed)]
    assert revealed == [("ADV-2-1", "known_top"), ("INF-2-29", "known_top")]
    assert level.state.known == ["INF-2-24"]


@pytest.mark.parametrize("card", ["SP-01", "SP-02"])
def test_a_frag_grenade_among_lictors_at_level_2_counts_for_the_console(card: str) -> None:
    """SMA-FRAG-3, SMA-CON-7: two Lictors of one blast, then 6 on the die is the 8 that is needed."""
    level = elite(
        marines={"MAX": "f8", "ADR": "V1"}, tyranids={"f5": "L01", "f4": "L02"}, turn="MAX", cards={"MAX": card}
    )
    events = level.do(f"sp {card} f5", 5, 5)
    assert [event.kind for event in of(events, CounterDestroyed)] == ["lictor", "lictor"]
    assert the(level.do("con", 6, *BULKHEADS), ConsoleTried).success
