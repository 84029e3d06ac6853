"""Special cards: every design played in its window, and refused outside it, without effect and a second time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers import CATALOGUE, LULL, Level, chamber, drawn, laid, names, of, the

from warptape.domain.events import CardDrawn, DiceRolled
from warptape.domain.space_marine_adventures.events import (
    ActionSpent,
    AllowanceChanged,
    AttackDeclared,
    BulkheadPeeked,
    ConsoleActivated,
    ConsoleTried,
    CounterDestroyed,
    FreeActionGranted,
    InfestationCancelled,
    InfestationPeeked,
    InfestationReordered,
    InfestationResolved,
    InfestationRevealed,
    MarineHealed,
    MarineRedeployed,
    MarineTakenOut,
    MarineWounded,
    RolledAgain,
    SpecialDiscarded,
    SpecialPlayed,
    TurnBonusGained,
    WoundPrevented,
)
from warptape.domain.space_marine_adventures.state import Options

FRAG_1, FRAG_2, KRAK_1, KRAK_2, NARTHECIUM_1, NARTHECIUM_2 = "SP-01", "SP-02", "SP-03", "SP-04", "SP-05", "SP-06"
REFRACTOR_1, REFRACTOR_2, SHIELD, ADVANCE_1, ADVANCE_2 = "SP-07", "SP-08", "SP-09", "SP-10", "SP-11"
DRILL_1, DRILL_2, AUSPEX_1, AUSPEX_2, CANTICLE = "SP-12", "SP-13", "SP-14", "SP-15", "SP-16"
HELLFIRE, PROMETHIUM, MELTA, LITANY_1, LITANY_2 = "SP-17", "SP-18", "SP-19", "SP-20", "SP-21"
OVERRIDE, ASSAULT, STIMULANTS_1, STIMULANTS_2 = "SP-22", "SP-23", "SP-24", "SP-25"
BEACON, SCOUT, OVERWATCH = "SP-26", "SP-27", "SP-28"
CLAWS = "INF-1-17"
ALONE = chamber(5, 5, b2="M", d2="T", b5="G")


# One scene for each design: a position in the card's window, its holder's line, what chance gives, and its effect


def frag(card: str) -> Level:
    level = drawn(ALONE, turn="MAX", cards={"MAX": card})
    events = level.do(f"sp {card} d2", 3)
    assert the(events, CounterDestroyed).square == "d2"
    return level


def krak(card: str) -> Level:
    level = drawn(ALONE, turn="MAX", cards={"MAX": card})
    events = level.do(f"sp {card} b5", 2)
    assert the(events, AttackDeclared).modifier == 2
    assert level.tyranids == {"d2": "termagant"}
    return level


def narthecium(card: str) -> Level:
    level = drawn(chamber(5, 5, b2="M", b3="v"), turn="MAX", cards={"MAX": card})
    assert the(level.do(f"sp {card} VOR"), MarineHealed).marine == "VOR"
    assert level.wounds("VOR") == 0
    return level


def refractor(card: str) -> Level:
    level = drawn(chamber(3, 3, b2="M", b3="T"), cards={"MAX": card})
    level.infest(CLAWS, 1)
    assert level.legal() == {f"react {card}", "pass"}
    assert the(level.do(f"react {card}"), WoundPrevented).marine == "MAX"
    assert level.wounds("MAX") == 0
    return level


def shield(card: str) -> Level:
    level = drawn(chamber(3, 3, b2="M", b3="T", c2="A"), cards={"ADR": card})
    level.infest(CLAWS, 1)
    assert the(level.do(f"react {card}"), WoundPrevented).marine == "MAX"
    assert level.wounds("MAX") == 0
    return level


def advance(card: str) -> Level:
    level = drawn(ALONE, turn="MAX", cards={"MAX": card}, actions=0)
    assert the(level.do(f"sp {card}"), FreeActionGranted).count == 3
    for square in ("c2", "c3", "d3"):
        level.do(f"mv {square}")
    assert level.at("MAX") == "d3"
    return level


def drill(card: str) -> Level:
    level = drawn(ALONE, turn="MAX", cards={"MAX": card}, actions=1)
    level.do(f"sp {card}")
    level.do("at d2", 3)
    level.do("at b5", 4)
    assert level.tyranids == {}
    assert level.left == 1
    return level


def auspex(card: str) -> Level:
    level = drawn(ALONE, cards={"MAX": card})
    events = level.do(f"sp {card}", "INF-1-01", "INF-1-02", LULL)
    assert the(events, InfestationPeeked).top == ("INF-1-01", "INF-1-02", LULL)
    assert the(level.do("order 3 1 2"), InfestationReordered).top == (LULL, "INF-1-01", "INF-1-02")
    revealed = the(level.do("next", level.unused("tyranid")), InfestationRevealed)
    assert (revealed.card, revealed.source) == (LULL, "known_top")
    return level


def canticle(card: str) -> Level:
    level = drawn(chamber(3, 3, b2="M", b3="T"), cards={"MAX": card})
    level.infest(CLAWS)
    assert level.legal() == {f"react {card}", "pass"}
    assert the(level.do(f"react {card}"), InfestationCancelled).card == CLAWS
    assert level.wounds("MAX") == 0
    return level


def hellfire(card: str) -> Level:
    level = drawn(ALONE, turn="MAX", cards={"MAX": card})
    assert the(level.do(f"sp {card}"), TurnBonusGained).attack_plus == 1
    level.do("at d2", 2)
    level.do("at b5", 3)
    assert level.tyranids == {}
    return level


def promethium(card: str) -> Level:
    level = drawn(chamber(5, 5, b2="M", c3="T", d4="G"), turn="MAX", cards={"MAX": card})
    events = level.do(f"sp {card} se", 2, 4)
    assert [event.square for event in of(events, AttackDeclared)] == ["c3", "d4"]
    assert level.tyranids == {"c3": "termagant"}
    return level


def melta(card: str) -> Level:
    level = drawn(chamber(5, 5, b2="M", c2="X"), turn="MAX", cards={"MAX": card})
    events = level.do(f"sp {card} c2")
    assert not of(events, DiceRolled)
    assert the(events, CounterDestroyed).kind == "lictor"
    return level


def litany(card: str) -> Level:
    level = drawn(ALONE, turn="MAX", cards={"MAX": card})
    level.do("at b5", 1)
    assert the(level.do(f"react {card}", 4), RolledAgain).cause == card
    assert level.tyranids == {"d2": "termagant"}
    return level


def override(card: str) -> Level:
    level = laid(marines={"MAX": "f8"}, turn="MAX", cards={"MAX": card})
    assert the(level.do(f"sp {card}"), TurnBonusGained).console_plus == 2
    tried = the(level.do("con", 3), ConsoleTried)
    assert (tried.total, tried.success) == (5, False)
    return level


def assault(card: str) -> Level:
    level = drawn(chamber(5, 5, b2="M", e5="A", e2="T"), turn="MAX", cards={"MAX": card})
    level.do(f"sp {card} ADR")
    level.do("free at e2", 6)
    level.do("free mv e4")
    assert (level.asked, level.at("ADR"), level.tyranids) == ("Turn", "e4", {})
    return level


def stimulants(card: str) -> Level:
    level = drawn(ALONE, turn="MAX", cards={"MAX": card}, actions=1)
    assert the(level.do(f"sp {card}"), AllowanceChanged).allowance == 6
    assert level.left == 3
    return level


def beacon(card: str) -> Level:
    level = drawn(chamber(6, 6, b2="M", f6="A", f5="T"), turn="MAX", cards={"MAX": card})
    assert level.legal("sp") == {f"sp {card} g6", f"sp {card} f7", f"sp {card} e6"}
    assert the(level.do(f"sp {card} e6"), MarineRedeployed).to == "e6"
    assert (level.at("MAX"), level.left) == ("e6", 4)
    return level


def scout(card: str) -> Level:
    level = laid(marines={"MAX": "h2"}, turn="MAX", cards={"MAX": card})
    events = level.do(f"sp {card} B D", "bulkhead-1", "bulkhead-3")
    assert [(event.label, event.face) for event in of(events, BulkheadPeeked)] == [("B", "sealed"), ("D", "open")]
    assert level.state.sealed == ("B", "C", "D")
    return level


def overwatch(card: str) -> Level:
    level = drawn(ALONE, cards={"MAX": card})
    level.do(f"sp {card}")
    assert level.asked == "Free"
    level.do("free at d2", 3)
    level.do("free at b5", 4)
    assert (level.asked, level.tyranids) == ("Ready", {})
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
def test_every_card_does_what_it_says_and_goes_to_the_box(card: str) -> None:
    """SMA-SPEC-2, SMA-SPEC-3, SMA-SPEC-7: no action, its own effect, and it cannot be used again."""
    level = SCENES[CATALOGUE.specials[card].design](card)
    played = the(level.log, SpecialPlayed)
    assert played.card == card
    assert the(level.log, SpecialDiscarded).card == card
    after = level.log[level.log.index(played) : level.log.index(played) + 3]
    assert not of(after, ActionSpent)
    assert level.state.used == [card]
    assert all(not marine.cards for marine in level.state.marines.values())
    assert level.why(f"sp {card}") == "SMA-SPEC-3"


def test_there_is_a_scene_for_each_design() -> None:
    assert {card.design for card in CATALOGUE.specials.values()} == SCENES.keys()
    assert len(SCENES) == 19


WINDOWS: dict[str, Callable[[str], Level]] = {
    "own_turn": lambda card: drawn(ALONE, turn="MAX", cards={"MAX": f"{LITANY_1} {card}"}),
    "own_roll_failed": lambda card: failed(drawn(ALONE, turn="MAX", cards={"MAX": f"{LITANY_2} {card}"})),
    "wound_self": lambda card: struck(drawn(chamber(3, 3, b2="M", b3="T"), cards={"MAX": f"{REFRACTOR_2} {card}"})),
    "wound_near": lambda card: struck(
        drawn(
            chamber(3, 3, b2="M", b3="T", c2="A"),
            cards={"MAX": REFRACTOR_2 if card == REFRACTOR_1 else REFRACTOR_1, "ADR": card},
        )
    ),
    "infestation_revealed": lambda card: shown(drawn(ALONE, cards={"MAX": f"{CANTICLE} {card}"})),
    "between": lambda card: drawn(ALONE, cards={"MAX": card}),
}


def failed(level: Level) -> Level:
    level.do("at d2", 1)
    return level


def struck(level: Level) -> Level:
    if any(CANTICLE in marine.cards for marine in level.state.marines.values()):
        level.infest(CLAWS)
        level.do("pass", 1)
    else:
        level.infest(CLAWS, 1)
    assert level.asked == "Wound"
    return level


def shown(level: Level) -> Level:
    level.infest(LULL)
    return level


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("card", CATALOGUE.specials)
def test_sma_spec_1_a_card_is_used_in_its_window_only(card: str, window: str) -> None:
    """Every card in every window, by `sp` and by `react` (SMA-SPEC-7)."""
    if window in CATALOGUE.specials[card].windows:
        return
    level = WINDOWS[window](card)
    before = level.state.copy()
    for verb in ("sp", "react"):
        assert level.why(f"{verb} {card}") == "SMA-SPEC-1", verb
    assert level.state == before
    assert not any(card in line for line in level.legal())


def test_sma_spec_1_by_the_marine_who_has_it() -> None:
    level = drawn(chamber(5, 5, b2="M", d2="T", d4="A"), turn="MAX", cards={"ADR": FRAG_1})
    assert level.why(f"sp {FRAG_1} d2") == "SMA-SPEC-1"
    assert level.why(f"sp {FRAG_2} d2") == "SMA-SPEC-1"
    assert level.legal("sp") == set()
    level.do("end")
    level.turn("ADR")
    assert level.legal("sp") == {f"sp {FRAG_1} d2"}


def test_sma_spec_2_using_a_card_costs_no_action() -> None:
    level = drawn(ALONE, turn="MAX", cards={"MAX": f"{FRAG_1} {HELLFIRE} {ADVANCE_1}"})
    level.do(f"sp {FRAG_1} d2", 1)
    level.do(f"sp {HELLFIRE}")
    level.do(f"sp {ADVANCE_1}")
    assert level.left == 4
    assert not of(level.log, ActionSpent)


def test_e17_the_cards_of_a_marine_taken_out_are_in_the_box() -> None:
    """E17: SMA-SPEC-4, SMA-ROUND-4, SMA-WND-5: his activation cards come up and do nothing."""
    level = drawn(chamber(5, 3, b2="m", b3="T", f2="A"), cards={"MAX": f"{FRAG_1} {LITANY_1}"})
    events = level.infest(CLAWS, 2)
    assert the(events, MarineTakenOut).square == "b2"
    assert [event.card for event in of(events, SpecialDiscarded)] == [FRAG_1, LITANY_1]
    assert {event.rule for event in of(events, SpecialDiscarded)} == {"SMA-SPEC-4"}
    assert level.state.used == [FRAG_1, LITANY_1]
    for _ in range(2):
        assert names(level.turn("MAX"))[-2:] == ["ActivationRevealed", "ActivationPiled"]
    assert level.asked == "Ready"
    assert level.why(f"sp {FRAG_1} b3") == "SMA-SPEC-3"


@pytest.mark.parametrize(
    ("card", "picture"),
    [
        (FRAG_1, chamber(5, 1, b2="M")),
        (FRAG_2, chamber(6, 1, b2="M", g2="T")),
        (KRAK_1, chamber(6, 1, b2="M", f2="T")),
        (NARTHECIUM_1, chamber(5, 3, b2="M", b4="v")),
        (NARTHECIUM_1, chamber(5, 3, b2="M", c3="v")),
        (NARTHECIUM_2, chamber(5, 3, b2="M", b3="V")),
        (ADVANCE_1, "####\n#MT#\n####"),
        (DRILL_1, chamber(6, 1, b2="M", g2="T")),
        (PROMETHIUM, chamber(6, 1, b2="M", f2="T")),
        (MELTA, chamber(3, 3, b2="M", c3="T")),
        (OVERRIDE, chamber(3, 3, b2="M")),
        (ASSAULT, "#####\n#M#A#\n#####"),
        (ASSAULT, chamber(3, 3, b2="M")),
        (BEACON, "#####\n#M#A#\n#####"),
        (BEACON, chamber(3, 3, b2="M")),
        (HELLFIRE, chamber(3, 3, b2="M")),
    ],
)
def test_sma_spec_5_a_card_is_not_played_without_effect(card: str, picture: str) -> None:
    """No target in reach, nobody wounded beside him, no way to go, nobody to help."""
    actions = 0 if card in (OVERRIDE, HELLFIRE) else 4
    level = drawn(picture, turn="MAX", cards={"MAX": card}, actions=actions)
    assert level.legal("sp") == set()
    assert level.why(f"sp {card}") == "SMA-SPEC-5"


def test_sma_spec_5_cards_between_turns_need_something_to_do() -> None:
    level = drawn(
        chamber(6, 1, b2="M", g2="T"), cards={"MAX": f"{OVERWATCH} {AUSPEX_1}"}, infestation=[LULL], known=[LULL]
    )
    assert level.legal() == {"next"}
    assert level.why(f"sp {OVERWATCH}") == "SMA-SPEC-5"
    assert level.why(f"sp {AUSPEX_1}") == "SMA-SPEC-5"


def test_sma_spec_5_what_cannot_be_chosen_for_a_card() -> None:
    level = drawn(chamber(6, 3, b2="M", b3="v", c2="T", f4="A"), turn="MAX", cards={"MAX": "SP-05 SP-19 SP-18 SP-26"})
    assert level.why("sp SP-05 MAX") == "SMA-SPEC-5"
    assert level.why("sp SP-05 ADR") == "SMA-SPEC-5"
    assert level.why("sp SP-19 c3") == "SMA-SPEC-5"
    assert level.why("sp SP-18 w") == "SMA-SPEC-5"
    assert level.why("sp SP-26 d3") == "SMA-SPEC-5"
    assert level.legal("sp") == {
        "sp SP-05 VOR",
        "sp SP-19 c2",
        "sp SP-18 e",
        *(f"sp SP-26 {square}" for square in ("e4", "f3", "g4", "b4", "c3")),
    }


def test_sma_spec_5_auspex_sweep_may_put_cards_in_order_that_are_known_already() -> None:
    level = drawn(ALONE, cards={"MAX": AUSPEX_1}, infestation=[], known=["INF-1-17", LULL])
    assert the(level.do(f"sp {AUSPEX_1}"), InfestationPeeked).drawn == ()
    level.do("order 2 1")
    assert level.state.known == [LULL, "INF-1-17"]


def test_sma_spec_6_several_cards_in_one_window() -> None:
    level = drawn(chamber(5, 5, b2="M", d2="T", b4="G"), turn="MAX", cards={"MAX": f"{FRAG_1} {KRAK_1} {DRILL_1}"})
    level.do(f"sp {DRILL_1}")
    level.do(f"sp {KRAK_1} d2", 1)
    level.do(f"sp {FRAG_1} b4", 4)
    assert level.state.used == [DRILL_1, KRAK_1, FRAG_1]
    assert level.left == 4
    between = drawn(ALONE, cards={"MAX": f"{AUSPEX_1} {OVERWATCH}"})
    between.do(f"sp {AUSPEX_1}", "INF-1-01", "INF-1-02", LULL)
    between.do("order 1 2 3")
    between.do(f"sp {OVERWATCH}")
    assert between.state.used == [AUSPEX_1, OVERWATCH]


# Frag Grenade


def test_w9_the_frag_grenade() -> None:
    """W9: SMA-FRAG-1, SMA-FRAG-3, SMA-FRAG-5: the neighbour by an edge is rolled for, the one at a corner is not."""
    level = drawn(chamber(6, 3, b2="M", f2="T", f3="X", g3="G"), turn="MAX", cards={"MAX": FRAG_1})
    events = level.do(f"sp {FRAG_1} f2", 2, 5)
    assert [(event.kind, event.need) for event in of(events, AttackDeclared)] == [("termagant", 3), ("lictor", 5)]
    assert level.tyranids == {"f2": "termagant", "g3": "genestealer"}


@pytest.mark.parametrize(
    ("square", "why"), [("f2", ""), ("g2", "SMA-FRAG-1"), ("d3", "SMA-FRAG-1"), ("c4", "SMA-FRAG-1")]
)
def test_sma_frag_1_four_squares_on_a_straight_line(square: str, why: str) -> None:
    units = {} if square == "c4" else {square: "T"}
    level = drawn(chamber(6, 3, b2="R", b4="T", **units), turn="RAP", cards={"RAP": FRAG_1})
    assert level.why(f"sp {FRAG_1} {square}") == why


def test_sma_frag_2_he_has_to_see_it() -> None:
    wall = drawn("########\n#M#T...#\n#......#\n########", turn="MAX", cards={"MAX": FRAG_1})
    assert wall.why(f"sp {FRAG_1} d2") == "SMA-FRAG-2"
    behind = drawn("########\n#M.TG..#\n########", turn="MAX", cards={"MAX": FRAG_1})
    assert behind.why(f"sp {FRAG_1} e2") == "SMA-FRAG-2"
    assert behind.why(f"sp {FRAG_1} d2") == ""
    farthest = drawn("########\n#M..GT.#\n########", turn="MAX", cards={"MAX": FRAG_1})
    assert farthest.why(f"sp {FRAG_1} f2") == "SMA-FRAG-2"


def test_frag_needs_sight_false_needs_a_straight_line_alone() -> None:
    """Ruling 21, `frag_needs_sight = false`."""
    options = Options(frag_needs_sight=False)
    level = drawn("########\n#M#TG..#\n#......#\n########", turn="MAX", cards={"MAX": FRAG_1}, options=options)
    assert level.legal("sp") == {f"sp {FRAG_1} d2", f"sp {FRAG_1} e2"}
    events = level.do(f"sp {FRAG_1} e2", 4, 3)
    assert [event.square for event in of(events, AttackDeclared)] == ["e2", "d2"]
    assert level.tyranids == {}
    crooked = drawn(chamber(6, 3, b2="M", d3="T", g2="T"), turn="MAX", cards={"MAX": FRAG_1}, options=options)
    assert crooked.why(f"sp {FRAG_1} d3") == crooked.why(f"sp {FRAG_1} g2") == "SMA-FRAG-1"


def test_sma_frag_4_no_bonus_and_no_second_roll() -> None:
    """Neither Raphael's +1, Hellfire Shells, Vorne's second die, Adrix's aim nor a Litany touches the dice."""
    raphael = drawn(chamber(6, 1, b2="R", e2="T"), turn="RAP", cards={"RAP": f"{FRAG_1} {HELLFIRE} {LITANY_1}"})
    raphael.do(f"sp {HELLFIRE}")
    events = raphael.do(f"sp {FRAG_1} e2", 2)
    assert the(events, AttackDeclared).modifier == 0
    assert (raphael.asked, raphael.tyranids) == ("Turn", {"e2": "termagant"})
    for symbol, code in (("V", "VOR"), ("A", "ADR")):
        level = drawn(chamber(6, 1, b2=symbol, e2="T"), turn=code, cards={code: FRAG_1})
        assert the(level.do(f"sp {FRAG_1} e2", 2), DiceRolled).count == 1
        assert level.asked == "Turn"
        assert level.tyranids == {"e2": "termagant"}


def test_sma_frag_4_a_blast_is_no_attack_of_raphaels() -> None:
    """SMA-ABIL-RAP: no free Move for what a grenade destroys."""
    level = drawn(chamber(6, 1, b2="R", c2="T"), turn="RAP", cards={"RAP": f"{FRAG_1} {MELTA}"})
    assert not of(level.do(f"sp {FRAG_1} c2", 3), FreeActionGranted)


def test_sma_frag_5_north_east_south_west_even_when_the_target_stands() -> None:
    level = drawn(chamber(6, 6, b4="M", e4="X", e3="T", f4="T", e5="T", d4="."), turn="MAX", cards={"MAX": FRAG_1})
    events = level.do(f"sp {FRAG_1} e4", 1, 3, 2, 3)
    assert [event.square for event in of(events, AttackDeclared)] == ["e4", "e3", "f4", "e5"]
    assert level.tyranids == {"e4": "lictor", "f4": "termagant"}


def test_blast_adjacent_eight_reaches_the_corners() -> None:
    """Ruling 22, `blast_adjacent = eight`, for a grenade of Lukas too."""
    options = Options(blast_adjacent="eight")
    picture = chamber(6, 4, b3="L", d3="T", e2="G", e4="X", d4="T")
    level = drawn(picture, turn="LUK", cards={"LUK": FRAG_1}, options=options)
    events = level.do(f"sp {FRAG_1} d3", 1, 1, 4, 5)
    assert sorted(event.square for event in of(events, AttackDeclared)) == ["d3", "d4", "e2", "e4"]
    assert level.tyranids == {"d3": "termagant", "d4": "termagant"}
    assert len(of(level.do("gr d3", 1, 1), AttackDeclared)) == 2
    edges = drawn(picture, turn="LUK", cards={"LUK": FRAG_1})
    assert len(of(edges.do(f"sp {FRAG_1} d3", 1, 1), AttackDeclared)) == 2


# Other cards


@pytest.mark.parametrize("line", [f"sp {FRAG_1} d2", f"sp {KRAK_1} d2", f"sp {PROMETHIUM} e", "gr d2", "at d2"])
def test_hardened_creatures_are_harder_for_cards_and_grenades_too(line: str) -> None:
    """SMA-ATK-2, E40: `harden` raises the resilience, whatever is rolled against it."""
    level = drawn(
        ALONE.replace("M", "L"),
        turn="LUK",
        cards={"LUK": f"{FRAG_1} {KRAK_1} {PROMETHIUM}"},
        hardened={"termagant": 1},
    )
    assert the(level.do(line, 1), AttackDeclared).need == 4


def test_e59_hellfire_shells_do_not_touch_a_krak_grenade() -> None:
    """E59."""
    level = drawn(ALONE, turn="MAX", cards={"MAX": f"{HELLFIRE} {KRAK_1}"})
    level.do(f"sp {HELLFIRE}")
    assert the(level.do("at d2", 1), AttackDeclared).modifier == 1
    krak = the(level.do(f"sp {KRAK_1} b5", 1), AttackDeclared)
    assert (krak.modifier, krak.cause) == (2, KRAK_1)
    assert level.tyranids == {"b5": "genestealer", "d2": "termagant"}


def test_a_krak_grenade_is_one_die_that_nothing_touches() -> None:
    level = drawn(chamber(5, 1, b2="V", d2="X"), turn="VOR", cards={"VOR": f"{KRAK_1} {LITANY_1}"})
    assert the(level.do(f"sp {KRAK_1} d2", 2), DiceRolled).count == 1
    assert level.asked == "Turn"
    raphael = drawn(chamber(5, 1, b2="R", d2="X"), turn="RAP", cards={"RAP": KRAK_2})
    assert the(raphael.do(f"sp {KRAK_2} d2", 3), AttackDeclared).modifier == 2
    assert raphael.tyranids == {}
    assert raphael.state.turn is not None
    assert raphael.state.turn.free_moves == 0


def test_sma_wnd_4_a_healed_marine_stands_two_wounds_again() -> None:
    level = drawn(chamber(3, 3, b2="m", b3="T"), turn="MAX", cards={"MAX": NARTHECIUM_2})
    level.do(f"sp {NARTHECIUM_2} MAX")
    level.do("end")
    assert the(level.infest(CLAWS, 1), MarineWounded).wounds == 1
    assert level.at("MAX") == "b2"
    assert the(level.infest("INF-1-18", 1), MarineWounded).wounds == 2


def test_e30_the_refractor_field_against_the_second_wound() -> None:
    """E30: he stays, the card is gone."""
    level = drawn(chamber(3, 3, b2="m", b3="T"), cards={"MAX": REFRACTOR_1})
    level.infest(CLAWS, 1)
    level.do(f"react {REFRACTOR_1}")
    assert (level.at("MAX"), level.wounds("MAX")) == ("b2", 1)
    assert level.state.used == [REFRACTOR_1]
    assert level.state.ended is None


def test_two_cards_meet_in_one_window() -> None:
    """SMA-SPEC-7: the Marine's own field and his neighbour's shield; one is enough."""
    level = drawn(chamber(3, 3, b2="M", b3="T", c2="A"), cards={"MAX": REFRACTOR_1, "ADR": SHIELD})
    level.infest(CLAWS, 1)
    assert level.legal() == {f"react {REFRACTOR_1}", f"react {SHIELD}", "pass"}
    level.do(f"react {SHIELD}")
    assert level.asked == "Ready"
    assert level.state.marines["MAX"].cards == [REFRACTOR_1]


def test_e61_the_shield_is_for_a_neighbour_only() -> None:
    """E61: its holder struck, or a Marine not adjacent to him: no prompt."""
    level = drawn(chamber(3, 3, b2="M", b3="T", d2="A"), cards={"MAX": SHIELD})
    level.infest(CLAWS, 1)
    assert (level.asked, level.wounds("MAX")) == ("Ready", 1)
    far = drawn(chamber(3, 3, b2="M", b3="T", d2="A"), cards={"ADR": SHIELD})
    far.infest(CLAWS, 1)
    assert (far.asked, far.wounds("MAX")) == ("Ready", 1)
    corner = drawn(chamber(3, 3, b2="M", b3="T", c3="A"), cards={"ADR": SHIELD})
    corner.infest(CLAWS, 1, 6)
    assert corner.wounds("MAX") == 1


def test_why_a_card_does_not_prevent_this_wound() -> None:
    """SMA-SPEC-1: each in its own words."""
    level = drawn(
        chamber(4, 4, b2="M", b3="T", e5="A", e2="R", e3="V"),
        cards={"MAX": f"{REFRACTOR_1} {SHIELD}", "ADR": REFRACTOR_2, "RAP": FRAG_1},
    )
    level.infest(CLAWS, 1)
    reasons = {}
    for card in (SHIELD, REFRACTOR_2, FRAG_1, FRAG_2):
        refusal = level.refusal(f"react {card}")
        assert refusal is not None
        assert refusal.rule == "SMA-SPEC-1"
        reasons[card] = refusal.reason
    assert reasons == {
        SHIELD: "Shield of a Brother shields a neighbour, not the Marine who has it",
        REFRACTOR_2: "Refractor Field helps only the Marine who has it",
        FRAG_1: "Frag Grenade cannot be used when a Marine is about to be wounded",
        FRAG_2: "nobody has SP-02 (Frag Grenade)",
    }
    far = drawn(chamber(4, 4, b2="M", b3="T", e5="A"), cards={"MAX": REFRACTOR_1, "ADR": SHIELD})
    far.infest(CLAWS, 1)
    refusal = far.refusal(f"react {SHIELD}")
    assert refusal is not None
    assert refusal.reason == "the holder of Shield of a Brother is not adjacent to him"


def test_a_wound_may_be_let_happen() -> None:
    level = drawn(chamber(3, 3, b2="M", b3="T"), cards={"MAX": REFRACTOR_1})
    level.infest(CLAWS, 1)
    level.do("pass")
    assert level.wounds("MAX") == 1
    assert level.state.marines["MAX"].cards == [REFRACTOR_1]


def test_bolter_drill_and_hellfire_shells_go_together() -> None:
    """SMA-ATK-4: free Attacks are Attack actions, and have the bonus."""
    level = drawn(ALONE, turn="MAX", actions=1, cards={"MAX": f"{DRILL_2} {HELLFIRE}"})
    level.do(f"sp {DRILL_2}")
    level.do(f"sp {HELLFIRE}")
    assert the(level.do("at d2", 2), AttackDeclared).modifier == 1
    assert (level.tyranids, level.left) == ({"b5": "genestealer"}, 1)


def test_hellfire_shells_last_until_the_turn_ends() -> None:
    level = drawn(ALONE, turn="MAX", cards={"MAX": HELLFIRE})
    level.do(f"sp {HELLFIRE}")
    level.do("end")
    level.turn("MAX")
    assert the(level.do("at d2", 2), AttackDeclared).modifier == 0


def test_e47_auspex_sweep_with_two_cards_left_and_a_second_one_after_a_card() -> None:
    """E47."""
    short = drawn(ALONE, cards={"MAX": AUSPEX_1}, infestation=["INF-1-17", LULL])
    events = short.do(f"sp {AUSPEX_1}", "INF-1-17", LULL)
    assert len(the(events, InfestationPeeked).drawn) == 2
    for wrong in ("order 2 1 3", "order 1", "order 1 1"):
        assert short.why(wrong) == "SMA-SPEC-7", wrong
    short.do("order 2 1")
    assert short.state.known == [LULL, "INF-1-17"]
    level = drawn(ALONE, cards={"MAX": f"{AUSPEX_1} {AUSPEX_2}"})
    level.do(f"sp {AUSPEX_1}", LULL, "INF-1-01", "INF-1-23")
    level.do("order 1 2 3")
    level.do("next", level.unused("tyranid"))
    events = level.do(f"sp {AUSPEX_2}", "INF-1-12")
    assert [event.item for event in of(events, CardDrawn)] == ["INF-1-12"]
    assert the(events, InfestationPeeked).top == ("INF-1-01", "INF-1-23", "INF-1-12")
    assert level.legal() == {f"order {a} {b} {c}" for a in "123" for b in "123" for c in "123" if len({a, b, c}) == 3}
    level.do("order 3 1 2")
    assert level.state.known == ["INF-1-12", "INF-1-01", "INF-1-23"]


def test_e31_the_canticle_on_the_last_card() -> None:
    """E31: nothing happens, and the level is over for want of cards."""
    level = drawn(chamber(3, 3, b2="m", b3="T"), cards={"MAX": CANTICLE}, infestation=[CLAWS])
    level.infest(CLAWS)
    level.do(f"react {CANTICLE}")
    assert level.wounds("MAX") == 1
    assert level.state.ended is not None
    assert level.state.ended.reason == "deck_out"
    assert the(level.log, InfestationCancelled).cards_left == 0
    assert not of(level.log, InfestationResolved)
    assert level.state.card == ""


def test_promethium_burns_through_tyranids_and_is_stopped_by_walls_and_pinched_corners() -> None:
    line = drawn("##########\n#M.TG.TX.#\n##########", turn="MAX", cards={"MAX": PROMETHIUM})
    assert [e.square for e in of(line.do(f"sp {PROMETHIUM} e", 1, 1), AttackDeclared)] == ["d2", "e2"]
    wall = drawn("#######\n#M#T..#\n#..T..#\n#######", turn="MAX", cards={"MAX": PROMETHIUM})
    assert wall.legal("sp") == set()
    pinched = drawn("#####\n#M###\n##T##\n#####", turn="MAX", cards={"MAX": PROMETHIUM})
    assert pinched.why(f"sp {PROMETHIUM} se") == "SMA-SPEC-5"
    crowd = drawn("########\n#MART..#\n########", turn="MAX", cards={"MAX": f"{PROMETHIUM} {HELLFIRE} {LITANY_1}"})
    crowd.do(f"sp {HELLFIRE}")
    events = crowd.do(f"sp {PROMETHIUM} e", 2)
    assert the(events, AttackDeclared).modifier == 0
    assert (crowd.asked, crowd.tyranids) == ("Turn", {"e2": "termagant"})


def test_promethium_counts_squares_as_the_option_says() -> None:
    """SMA-RNG-2, and ruling 15 the other way: `range_count = exclusive` lets it reach the fourth square."""
    picture = chamber(6, 1, b2="M", e2="T", f2="G", g2="T")
    for count, squares in (("inclusive", ["e2"]), ("exclusive", ["e2", "f2"])):
        options = Options(range_count=count)  # type: ignore[arg-type]
        level = drawn(picture, turn="MAX", cards={"MAX": PROMETHIUM}, options=options)
        events = level.do(f"sp {PROMETHIUM} e", *[1] * len(squares))
        assert [event.square for event in of(events, AttackDeclared)] == squares


def test_litany_of_wrath_after_a_console_try_but_not_after_a_blast() -> None:
    level = laid(marines={"LUK": "f8"}, tyranids={"f6": "termagant"}, turn="LUK", cards={"LUK": LITANY_1})
    level.do("gr f6", 1)
    assert level.asked == "Turn"
    level.do("con", 2)
    assert level.legal() == {f"react {LITANY_1}", "pass"}
    events = level.do(f"react {LITANY_1}", 6, "bulkhead-1", "bulkhead-2", "bulkhead-3")
    assert the(events, ConsoleActivated).marine == "LUK"


def test_litany_of_wrath_is_for_its_holders_dice_only() -> None:
    level = drawn(chamber(5, 3, b2="M", d2="G", b4="A"), turn="MAX", cards={"ADR": LITANY_1})
    level.do("at d2", 1)
    assert level.asked == "Turn"


def test_e21_the_rite_of_override_at_level_1() -> None:
    """E21: 5 and 2 are 7: activated."""
    level = laid(marines={"MAX": "f8"}, turn="MAX", cards={"MAX": OVERRIDE})
    level.do(f"sp {OVERRIDE}")
    tried = the(level.do("con", 5, "bulkhead-3", "bulkhead-1", "bulkhead-2"), ConsoleTried)
    assert (tried.total, tried.need, tried.success) == (7, 6, True)
    assert level.state.exit == "B"


def test_the_rite_of_override_counts_for_a_second_roll_too() -> None:
    """SMA-ATK-4, SMA-ATK-6: Litany of Wrath rolls the die again, and the bonus is added again."""
    level = laid(marines={"MAX": "f8"}, turn="MAX", cards={"MAX": f"{OVERRIDE} {LITANY_1}"})
    level.do(f"sp {OVERRIDE}")
    level.do("con", 3)
    tried = the(level.do(f"react {LITANY_1}", 4, "bulkhead-3", "bulkhead-1", "bulkhead-2"), ConsoleTried)
    assert (tried.total, tried.success) == (6, True)


@pytest.mark.parametrize(("picture", "actions"), [("#####\n#VA.#\n#####", 0), ("#######\n#VARL.#\n#######", 1)])
def test_headlong_advance_is_of_use_for_a_run_through_marines(picture: str, actions: int) -> None:
    """SMA-SPEC-5, SMA-MOVE-6: its three Moves and the actions left are what a run may take."""
    level = drawn(picture, turn="VOR", cards={"VOR": ADVANCE_1}, actions=actions)
    assert level.legal() == {f"sp {ADVANCE_1}", "end"}
    level.do(f"sp {ADVANCE_1}")
    (line,) = level.legal("mv")
    level.do(line)
    assert level.at("VOR") == line.split()[1]
    short = drawn("#######\n#VARL.#\n#######", turn="VOR", cards={"VOR": ADVANCE_1}, actions=0)
    assert short.why(f"sp {ADVANCE_1}") == "SMA-SPEC-5"


def test_sma_spec_5_no_override_once_the_console_works() -> None:
    level = laid(marines={"MAX": "f8"}, exit="B", turn="MAX", cards={"MAX": OVERRIDE})
    assert level.why(f"sp {OVERRIDE}") == "SMA-SPEC-5"


def test_e57_combined_assault_takes_a_comrade_past_a_marine() -> None:
    """E57: SMA-MOVE-4; with Voice of Command, one action, SMA-MOVE-5."""
    corridor = "#########\n#M.T#LA.#\n#########"
    level = drawn(corridor, turn="MAX", cards={"MAX": ASSAULT})
    level.do(f"sp {ASSAULT} LUK")
    level.do("free mv g2>h2")
    assert level.at("LUK") == "h2"
    assert level.asked == "Turn"
    shot = "##########\n#M.#TLA..#\n##########"
    voice = drawn(shot, turn="MAX")
    voice.do("cmd LUK")
    assert voice.why("free mv g2>h2") == "SMA-MOVE-5"
    assert voice.legal() == {"free at e2", "pass"}


def test_combined_assault_outside_the_turn_has_no_second_roll_of_adrix() -> None:
    """SMA-ACT-9."""
    level = drawn(chamber(5, 5, b2="M", e5="A", e2="T"), turn="MAX", cards={"MAX": ASSAULT})
    level.do(f"sp {ASSAULT} ADR")
    level.do("free at e2", 1)
    assert level.asked == "Free"
    level.do("free at e2", 3)
    assert level.tyranids == {}


def test_teleport_beacon_goes_anywhere_beside_another_marine_the_exit_tile_too() -> None:
    level = laid(marines={"MAX": "V4", "ADR": "X1"}, exit="B", turn="MAX", cards={"MAX": BEACON})
    assert level.legal("sp") == {f"sp {BEACON} m10", f"sp {BEACON} X2"}
    level.do(f"sp {BEACON} X2")
    assert level.state.ended is not None
    assert (level.state.ended.reason, level.state.ended.on_exit) == ("all_on_exit", 2)


def test_servo_skull_scout_with_fewer_left_to_look_under() -> None:
    level = laid(marines={"MAX": "h2"}, turn="MAX", cards={"MAX": SCOUT}, peeked={"B": "sealed", "C": "sealed"})
    assert level.legal("sp") == {f"sp {SCOUT} D"}
    level.do(f"sp {SCOUT} D", "bulkhead-3")
    assert level.state.peeked == {"B": "sealed", "C": "sealed", "D": "open"}
    done = laid(marines={"MAX": "h2"}, exit="B", turn="MAX", cards={"MAX": SCOUT})
    assert done.why(f"sp {SCOUT} C") == "SMA-SPEC-5"


def test_overwatch_is_between_activation_cards_and_lapses_with_pass() -> None:
    level = drawn(ALONE, cards={"MAX": OVERWATCH})
    level.do(f"sp {OVERWATCH}")
    assert level.why("mv c2") == "SMA-ACT-7"
    assert level.why("next") == "SMA-ROUND-2"
    assert level.why("end") == "SMA-ACT-7"
    level.do("pass")
    assert level.asked == "Ready"
    assert level.tyranids == {"b5": "genestealer", "d2": "termagant"}
    vorne = drawn(chamber(6, 1, b2="v", e2="X"), cards={"VOR": OVERWATCH})
    vorne.do(f"sp {OVERWATCH}")
    assert the(vorne.do("free at e2", 1), DiceRolled).count == 1


def test_a_card_with_several_ways_asks_which() -> None:
    """SMA-SPEC-5: the refusal lists them."""
    level = drawn(ALONE, turn="MAX", cards={"MAX": FRAG_1})
    refusal = level.refusal(f"sp {FRAG_1}")
    assert refusal is not None
    assert refusal.rule == "SMA-SPEC-5"
    assert "d2" in refusal.reason
    assert "b5" in refusal.reason
