"""Every infestation card of Level 3 carried out on a board that shows what it does, both halves of those that have two."""

from __future__ import annotations

import pytest
from card_scenes import (
    ENTRIES,
    ON_THE_TILE,
    Scene,
    all_claw,
    ambush_then_claws,
    board_of,
    branching,
    chameleon_killer,
    charge_of,
    charges,
    choking_spores,
    claws_on,
    counter_in_the_bag,
    dice,
    dropped_from_above,
    empty_bag,
    empty_lairs_fill,
    entries,
    erratic_spoor,
    hardened_chitin,
    placed,
    scene_of,
    struck,
    volley,
)
from helpers import CATALOGUE, chamber, of

from warptape.domain.events import CounterReturned
from warptape.domain.space_marine_adventures.events import ReinforcementBlocked

AROUND = ["f7", "g8", "f9"]
"""The floor beside the Prime on face 1-up, north, east, south; west of it is wall."""


def summons(first: int, second: int) -> Scene:
    """Two entries named, then all charge six squares: the one that comes six squares away does, at seven it stays."""

    def scene(card: str) -> None:
        others = [number for number in "123456" if number not in (str(first), str(second))]
        numbers = {str(first): "i2", str(second): "j4", **dict(zip(others, ("e3", "f3", "g3", "h3"), strict=True))}
        picture = chamber(9, 5, b2="M", b4="A", b6="R", f5="T")
        level = scene_of(card, picture, entries=numbers, objective="e6")
        events = level.infest(card, "G01", "L01")
        assert list(placed(events).items()) == [("i2", "G01"), ("j4", "L01")]
        # Raphael stands in plain sight of the Prime, and the Termagant sees nobody along its row or column.
        assert charges(events) == [("i2", "c2")]
        assert (dice(events), struck(events)) == ([], [])
        # With an empty bag nobody comes, and those that are there charge; there is no other half.
        level = scene_of(card, chamber(9, 5, b2="M", g2="T", b4="A", g4="X"), entries=numbers, objective="e6", bag=[])
        events = level.infest(card)
        assert [event.reason for event in of(events, ReinforcementBlocked)] == ["bag_empty", "bag_empty"]
        assert (placed(events), charges(events), dice(events)) == ({}, [("g2", "c2"), ("g4", "c4")], [])

    return scene


def brood_guard(card: str) -> None:
    """Around the Prime; past a guard along its line; whoever stands beside the Prime is struck."""
    level = board_of(card, marines=ON_THE_TILE)
    assert placed(level.infest(card, "G01", "G02", "G03")) == dict(zip(AROUND, ("G01", "G02", "G03"), strict=True))
    level = board_of(card, marines={"MAX": "g8", "ADR": "V1"}, tyranids={"f7": "T01"})
    events = level.infest(card, "G01", "G02", "G02")
    assert list(placed(events).items()) == [("f6", "G01"), ("f9", "G02")]
    assert (struck(events), level.wounds("MAX")) == ([("MAX", "counter")], 1)
    assert [event.token for event in of(events, CounterReturned)] == ["G02"]


def to_its_side(card: str) -> None:
    """As Brood Guard, and then one more on the entry rolled."""
    level = board_of(card, marines=ON_THE_TILE)
    events = level.infest(card, "G01", "G02", "G03", 6, "L01")
    assert list(placed(events).items()) == [("f7", "G01"), ("g8", "G02"), ("f9", "G03"), (ENTRIES[6], "L01")]
    assert dice(events) == [("die/team", (6,))]


def living_shield(card: str) -> None:
    """Around the Prime, then all claw on 1 to 3; with an empty bag the claws come all the same."""
    level = board_of(card, marines={"MAX": "f6", "ADR": "g8", "RAP": "V1"})
    events = level.infest(card, "T01", "G01", "L01", 3, 4)
    assert list(placed(events).items()) == [("f7", "T01"), ("f9", "L01")]
    assert dice(events) == [("die/max", (3,)), ("die/adr", (4,))]
    assert struck(events) == [("ADR", "counter"), ("MAX", "claws")]
    level = board_of(card, marines={"MAX": "f6", "ADR": "g8"}, bag=[])
    events = level.infest(card, 3)
    assert (placed(events), struck(events), charges(events)) == ({}, [("ADR", "claws")], [])
    all_claw(card, 3)


def bonesword_sweep(card: str) -> None:
    """Who stands beside the Prime rolls and is wounded on 1 to 5; who stands beside others, or at its corner, does not."""
    for die, wounds in ((5, 1), (6, 0)):
        level = scene_of(card, chamber(5, 4, d3="M", f2="A", g2="X", e4="R", b2="T", b3="L", b4="G"), objective="d4")
        events = level.infest(card, die, die)
        assert dice(events) == [("die/max", (die,)), ("die/rap", (die,))]
        assert [level.wounds(code) for code in ("MAX", "ADR", "RAP")] == [wounds, 0, wounds]
    corner = scene_of(card, chamber(5, 4, e3="M"), objective="d4")
    assert dice(corner.infest(card)) == []


def seen_by_the_prime(reach: int, most: int) -> Scene:
    """Whom the Prime sees within its reach is wounded on `most` or less."""

    def scene(card: str) -> None:
        columns = "bcdefghijklm"
        units = {f"{columns[reach]}2": "M", f"{columns[reach + 1]}2": "A", "c2": "R", "d3": "L"}
        for die, hit in ((most, ["MAX"]), (most + 1, [])):
            level = scene_of(card, chamber(reach + 2, 2, **units), objective="b2")
            # Adrix is one square too far, Lukas a knight's jump away; Raphael, in front, hides nobody.
            events = level.infest(card, die, 6)
            assert dice(events) == [("die/max", (die,)), ("die/rap", (6,))]
            assert struck(events) == [(code, "spines") for code in hit]
        shielded = scene_of(card, chamber(reach + 2, 2, d2="T", f2="M"), objective="b2")
        assert dice(shielded.infest(card)) == [], "a creature stands between them"
        for other in "TGX":
            blind = scene_of(card, chamber(reach + 2, 4, f2=other, f4="M"), objective="b5")
            assert dice(blind.infest(card)) == [], "what others see is no matter"
        diagonal = scene_of(card, chamber(4, 4, d4="M"), objective="b2")
        assert dice(diagonal.infest(card, 6)) == [("die/max", (6,))]

    return scene


def they_are_everywhere(card: str) -> None:
    """One beside each; who has no room is wounded; then claws on 1 or 2, which may wound him a second time."""
    for die, wounds in ((2, [1, 2, 0]), (3, [0, 1, 0])):
        level = scene_of(card, "#########\n#M.#AT#.#\n#######R#\n#########")
        events = level.infest(card, "T02", "T03", die, die, 3)
        assert list(placed(events).items()) == [("c2", "T02"), ("h2", "T03")]
        assert dice(events) == [("die/max", (die,)), ("die/adr", (die,)), ("die/rap", (3,))]
        assert [level.wounds(code) for code in ("MAX", "ADR", "RAP")] == wounds
    # An empty bag: nobody comes, nobody is wounded for want of room, and the claws follow.
    level = scene_of(card, "#########\n#M.#AT#.#\n#######R#\n#########", bag=[])
    events = level.infest(card, 2)
    assert (placed(events), struck(events)) == ({}, [("ADR", "claws")])
    all_claw(card, 2)
    # On the entry tile want of room harms nobody.
    events = board_of(card, marines=ON_THE_TILE).infest(card, "T01", 3)
    assert (placed(events), struck(events)) == ({"h1": "T01"}, [])


def drawn_to_the_mind(card: str) -> None:
    """Twelve squares, and no claws at the end of it."""
    charge_of(12, 0)(card)


SCENES: dict[str, Scene] = {
    "INF-3-01": summons(1, 4),
    "INF-3-02": summons(2, 5),
    "INF-3-03": summons(3, 6),
    "INF-3-04": summons(1, 5),
    "INF-3-05": summons(2, 6),
    "INF-3-06": summons(3, 4),
    "INF-3-07": entries(1, 3, 5),
    "INF-3-08": entries(2, 4, 6),
    "INF-3-09": entries(1, 2, 5, 6),
    "INF-3-10": erratic_spoor,
    "INF-3-11": empty_lairs_fill,
    "INF-3-12": brood_guard,
    "INF-3-13": to_its_side,
    "INF-3-14": living_shield,
    "INF-3-15": bonesword_sweep,
    "INF-3-16": seen_by_the_prime(8, 3),
    "INF-3-17": seen_by_the_prime(4, 4),
    "INF-3-18": dropped_from_above,
    "INF-3-19": they_are_everywhere,
    "INF-3-20": ambush_then_claws(nearest=False, count=2),
    "INF-3-21": ambush_then_claws(nearest=True, count=2),
    "INF-3-22": chameleon_killer,
    "INF-3-23": claws_on(3),
    "INF-3-24": claws_on(4),
    "INF-3-25": charge_of(6),
    "INF-3-26": charge_of(8),
    "INF-3-27": drawn_to_the_mind,
    "INF-3-28": volley("T", 5, 3),
    "INF-3-29": choking_spores,
    "INF-3-30": hardened_chitin,
}


@pytest.mark.parametrize("card", SCENES)
def test_sma_inf_1_a_card_of_level_3_does_what_its_text_says(card: str) -> None:
    SCENES[card](card)


def test_the_scenes_are_the_whole_deck_of_level_3() -> None:
    assert tuple(SCENES) == CATALOGUE.decks[3]
    assert len(SCENES) == 30


# The second half for an empty bag

BRANCHING = branching(3)


def test_the_cards_of_level_3_that_only_place_have_a_second_half() -> None:
    """Ruling 49: all that do nothing but place; what else a card does is done with an empty bag too."""
    assert [f"INF-3-{n:02}" for n in (*range(7, 14), 18)] == BRANCHING


@pytest.mark.parametrize("card", BRANCHING)
def test_with_an_empty_bag_tyranids_charge_and_claw_instead_at_level_3(card: str) -> None:
    """E9, SMA-REIN-7, SMA-INF-1."""
    empty_bag(card)


@pytest.mark.parametrize("card", BRANCHING)
def test_with_a_counter_in_the_bag_nothing_charges_at_level_3(card: str) -> None:
    """SMA-INF-1."""
    counter_in_the_bag(card)


@pytest.mark.parametrize("card", ["INF-3-15", "INF-3-16", "INF-3-17", "INF-3-23", "INF-3-24"])
def test_the_primes_claws_and_sight_need_the_prime(card: str) -> None:
    """SMA-PRIME-1: it strikes from its own square, wherever that is on the six faces."""
    for face in CATALOGUE.faces:
        level = board_of(card, ground=face, marines={"MAX": beside_the_prime(card, face)})
        events = level.infest(card, 6)
        assert dice(events) == [("die/max", (6,))]


def beside_the_prime(card: str, face: str) -> str:
    """A floor square beside the Prime of a face."""
    level = board_of(card, ground=face, marines={"MAX": "V1"})
    ground = level.rules.book.ground(level.state)
    return ground.names[ground.neighbours[ground.index[level.state.objective]][0]]
