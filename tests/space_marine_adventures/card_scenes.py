"""Scenes of infestation cards: what one does on a board drawn for it, in figures worked out from the card's text.

A scene is given a card's id and plays it at the card's own level; those that several cards share are made here. At Level
3 the Prime stands on the objective square of a scene, if it has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from helpers import CATALOGUE, Level, chamber, drawn, laid, of, the

from warptape.domain.errors import NeedsOutcome
from warptape.domain.events import DiceRolled, Event
from warptape.domain.space_marine_adventures.effects import Branch
from warptape.domain.space_marine_adventures.events import (
    ActionsReduced,
    AttackDeclared,
    CounterMoved,
    CounterPlaced,
    MarineStruck,
    ReinforcementBlocked,
    ResilienceRaised,
    TurnStarted,
)
from warptape.domain.space_marine_adventures.state import Options

Scene = Callable[[str], None]
ENTRIES = {1: "f3", 2: "l4", 3: "d6", 4: "h6", 5: "c10", 6: "h10"}
"""The xenos entries of face 1-up; its objective is f8, with floor on f7, g8 and f9 beside it."""
ON_THE_TILE = {"MAX": "V1", "ADR": "V2", "RAP": "V3", "LUK": "V4"}
ONE_LINE = {"picture": chamber(9, 1, b2="M", i2="T"), "objective": "j2", "entries": dict.fromkeys("123456", "j2")}
"""A Termagant that has six squares to charge; all entries are the objective square behind it."""


def placed(events: Iterable[Event]) -> dict[str, str]:
    """Counter by square, in the order in which they came."""
    return {event.square: event.counter for event in of(events, CounterPlaced)}


def charges(events: Iterable[Event]) -> list[tuple[str, str]]:
    """Who charges from where to where, in order."""
    return [(event.origin, event.to) for event in of(events, CounterMoved)]


def dice(events: Iterable[Event]) -> list[tuple[str, object]]:
    """The dice thrown: stream and values."""
    return [(event.stream, event.values) for event in of(events, DiceRolled)]


def struck(events: Iterable[Event]) -> list[tuple[str, str]]:
    """Who was struck, and how."""
    return [(event.marine, event.way) for event in of(events, MarineStruck)]


@contextmanager
def watched() -> Iterator[list[Event]]:
    """Everything that happens in the levels played meanwhile."""
    seen: list[Event] = []
    plain = Level.do

    def do(level: Level, line: str, *chance: object) -> list[Event]:
        happened = plain(level, line, *chance)
        seen.extend(happened)
        return happened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Level, "do", do)
        yield seen


def at_level_of(card: str) -> Options:
    """The options of a game of the level a card belongs to."""
    return Options(level=CATALOGUE.infestation[card].level)


def scene_of(card: str, picture: str, **given: Any) -> Level:
    """A drawn level of that card's own number."""
    return drawn(picture, options=at_level_of(card), **given)


def board_of(card: str, **given: Any) -> Level:
    """Face 1-up, at the level of that card."""
    return laid(options=at_level_of(card), **given)


# Creatures that come


def entries(*numbers: int) -> Scene:
    """A card that places at these entries, in this order."""

    def scene(card: str) -> None:
        level = board_of(card, marines=ON_THE_TILE)
        counters = [f"G0{n}" for n in range(1, len(numbers) + 1)]
        events = level.infest(card, *counters)
        assert list(placed(events).items()) == list(zip((ENTRIES[n] for n in numbers), counters, strict=True))
        assert {event.cause for event in of(events, CounterPlaced)} == {card}
        assert (charges(events), struck(events)) == ([], [])

    return scene


def erratic_spoor(card: str) -> None:
    """Three dice, each reinforcement finished before the next: the second 5 finds c10 held and spreads east and west."""
    level = board_of(card, marines=ON_THE_TILE)
    events = level.infest(card, 5, "G01", 5, "G02", "G03", 2, "G04")
    assert list(placed(events).items()) == [("c10", "G01"), ("d10", "G02"), ("b10", "G03"), ("l4", "G04")]
    assert dice(events) == [("die/team", (5,)), ("die/team", (5,)), ("die/team", (2,))]


def empty_lairs_fill(card: str) -> None:
    """Three at most, the lowest numbers first, on empty entries only: not where a creature or a Marine stands."""
    level = board_of(card, marines={"MAX": "l4", "ADR": "V1"}, tyranids={"f3": "termagant"})
    events = level.infest(card, "G01", "G02", "G03")
    assert list(placed(events).items()) == [("d6", "G01"), ("h6", "G02"), ("c10", "G03")]
    assert struck(events) == []
    held = {ENTRIES[n]: "termagant" for n in (1, 2, 3, 5)}
    events = board_of(card, marines=ON_THE_TILE, tyranids=held).infest(card, "G01", "G02")
    assert list(placed(events)) == ["h6", "h10"]
    events = board_of(card, marines=ON_THE_TILE, bag=["T12"]).infest(card, "T12")
    assert list(placed(events)) == ["f3"]


# Ambushes


def dropped_from_above(card: str) -> None:
    """One beside each: Maximus has two empty squares, Adrix and Raphael none, Lukas one."""
    level = scene_of(
        card,
        """
        #########
        #M.A#R#L#
        #.#####.#
        #########
        """,
    )
    level.infest(card)
    assert level.legal() == {"pick c2", "pick b3"}
    events = level.do("pick c2", "T01", "T02")
    assert placed(events) == {"c2": "T01", "h3": "T02"}
    assert struck(events) == [("ADR", "ambush"), ("RAP", "ambush")]
    assert [level.wounds(code) for code in ("MAX", "ADR", "RAP", "LUK")] == [0, 1, 1, 0]


def ambush_then_claws(nearest: bool, count: int) -> Scene:
    """`count` creatures beside the Marine nearest to or farthest from the objective, then claws on 1 to 3.

    In a corridor Adrix is two squares from the objective and Maximus five; each has two empty squares beside him.
    """

    def scene(card: str) -> None:
        picture, goal = chamber(8, 1, c2="M", f2="A"), "h2"
        code, squares = ("ADR", ("e2", "g2")) if nearest else ("MAX", ("b2", "d2"))
        for die, way in ((3, [(code, "claws")]), (4, [])):
            level = scene_of(card, picture, objective=goal)
            level.infest(card)
            assert level.legal() == {f"pick {square}" for square in squares}
            # With one square left for the second creature nothing is asked.
            events = level.do(f"pick {squares[1]}", *["T01", "T02"][:count], die)
            assert list(placed(events).items()) == list(zip(squares[::-1], ["T01", "T02"][:count], strict=False))
            assert dice(events) == [(f"die/{code.lower()}", (die,))]
            assert struck(events) == way
        # No room: Maximus walled in, Adrix between a wall and what stands on the objective square.
        if nearest:
            blocks = {} if CATALOGUE.infestation[card].level == 3 else {"f2": "T"}
            events = scene_of(card, chamber(6, 1, b2="M", g2="A", **blocks), objective="f2").infest(card, 4)
        else:
            events = scene_of(card, "########\n#M#.A..#\n########", objective="g2").infest(card)
        assert struck(events) == [(code, "ambush")]
        all_claw(card, 3)

    return scene


def chameleon_killer(card: str) -> None:
    """A Lictor beside the most lonely Marine, then Lictors claw on 1 to 4; a Marine beside any other rolls nothing."""
    picture = chamber(9, 1, b2="M", f2="A", g2="T", h2="R", i2="G")
    for die, wounds in ((4, 1), (5, 0)):
        # At Level 3 Raphael stands beside the Prime.
        level = scene_of(card, picture.replace("G", "."), objective="i2")
        events = level.infest(card, die)
        assert placed(events) == {"c2": "L01"}
        assert dice(events) == [("die/max", (die,))]
        assert level.wounds("MAX") == wounds
    # No Lictor in the bag: any counter comes, and a Termagant's claws are not the card's.
    events = scene_of(card, picture, bag=["T05"]).infest(card, "T05")
    assert (placed(events), dice(events)) == ({"c2": "T05"}, [])
    # An empty bag: nobody comes, and the claws of a Lictor that is there follow.
    events = scene_of(card, chamber(9, 1, b2="M", f2="A", g2="X", h2="R"), bag=[]).infest(card, 4, 5)
    assert (placed(events), struck(events)) == ({}, [("ADR", "claws")])
    # No room beside him: a wound; on the entry tile none.
    events = scene_of(card, "#######\n#M#.AR#\n#######").infest(card)
    assert struck(events) == [("MAX", "ambush")]
    level = board_of(card, marines={"MAX": "V4", "ADR": "b2", "RAP": "c2"}, tyranids={"V3": "termagant"})
    events = level.infest(card)
    assert (struck(events), placed(events), dice(events)) == ([], {}, [])


# Claws, spines and charges


def all_claw(card: str, most: int) -> None:
    """Every kind of Tyranid claws on 1 to `most`, the Prime at Level 3 too; with an empty bag the card does only that."""
    lair = CATALOGUE.infestation[card].level == 3
    picture = chamber(9, 3, b2="M", c2="T", e2="A", f2="G", h2="R", i2="X", **({"b4": "L"} if lair else {}))
    codes = ["MAX", "ADR", "RAP", *(["LUK"] if lair else [])]
    for value, hit in ((most, codes), (most + 1, [])):
        events = scene_of(card, picture, objective="c4", bag=[]).infest(card, *[value] * len(codes))
        assert dice(events) == [(f"die/{code.lower()}", (value,)) for code in codes]
        assert struck(events) == [(code, "claws") for code in hit]


def claws_on(most: int) -> Scene:
    """A card that wounds every Marine beside a Tyranid of any kind on `most` or less."""

    def scene(card: str) -> None:
        level = CATALOGUE.infestation[card].level
        last = "G" if level == 1 else "X"
        game = scene_of(
            card,
            chamber(6, 3, b2="M", c2="T", b3="G", d2="A", d3="R", f2="V", f4="L", g4=last),
            objective="g2",
        )
        # Vorne stands beside the objective square: at Level 3 that is the Prime's.
        outcomes = [most, most + 1, most, most + 1][: 4 if level == 3 else 3]
        events = game.infest(card, *outcomes)
        # One die for Maximus although two stand beside him, none for Raphael whom they touch by a corner.
        names = ("max", "adr", "luk", "vor")[: len(outcomes)]
        assert dice(events) == [(f"die/{name}", (value,)) for name, value in zip(names, outcomes, strict=True)]
        assert struck(events) == [("MAX", "claws"), ("LUK", "claws")]
        all_claw(card, most)

    return scene


def charge_of(reach: int, most: int = 3) -> Scene:
    """A card that lets Tyranids charge `reach` squares, then claws on 1 to `most`; no claws with 0."""

    def scene(card: str) -> None:
        level = CATALOGUE.infestation[card].level
        for symbol in "TG" if level == 1 else "TGX":
            for far, die in ((reach + 1, most), (reach + 1, most + 1), (reach + 2, 0)):
                start, comes = f"{chr(ord('b') + far)}2", far == reach + 1
                game = scene_of(card, chamber(reach + 3, 1, b2="M", **{start: symbol}))
                events = game.infest(card, *([die] if comes and most else []))
                assert charges(events) == ([(start, "c2")] if comes else [])
                assert struck(events) == ([("MAX", "claws")] if 0 < die <= most else [])
        if most:
            all_claw(card, most)
        if level == 3:
            events = scene_of(card, chamber(5, 1, b2="M"), objective="e2").infest(card)
            assert charges(events) == [], "the Prime never moves"

    return scene


def volley(symbol: str, reach: int, most: int) -> Scene:
    """A card that wounds whom creatures of one kind see within `reach` squares, on `most` or less."""

    def scene(card: str) -> None:
        row = f"#{symbol}{'.' * (reach - 1)}MV#"
        other = "G" if symbol != "G" else "T"
        walls = "#" * len(row)
        below = f"#{other}A{symbol}..LR".ljust(len(row) - 1, ".") + "#"
        level = scene_of(card, "\n".join((walls, row, walls, below, walls)))
        # Maximus is seen at the end of its reach, Vorne behind him is too far; a Marine hides nobody.
        events = level.infest(card, most, most + 1, most, 1)
        assert dice(events) == [
            ("die/max", (most,)),
            ("die/adr", (most + 1,)),
            ("die/rap", (most,)),
            ("die/luk", (1,)),
        ]
        assert struck(events) == [("MAX", "spines"), ("RAP", "spines"), ("LUK", "spines")]
        # Creatures of other kinds see as well, and the Prime, but it is not their card.
        for other in {*"TGX"} - {symbol}:
            assert dice(scene_of(card, chamber(4, 1, b2=other, d2="M")).infest(card)) == []
        assert dice(scene_of(card, chamber(4, 1, d2="M"), objective="b2").infest(card)) == []

    return scene


# Spores and chitin


def choking_spores(card: str) -> None:
    level = board_of(card, marines={"MAX": "V1", "VOR": "V2"}, wounded=["VOR"])
    events = level.infest(card)
    assert [(e.marine, e.minus) for e in of(events, ActionsReduced)] == [("MAX", 1), ("VOR", 1)]
    assert the(level.turn("MAX"), TurnStarted).allowance == 3
    level.do("end")
    assert the(level.turn("VOR"), TurnStarted).allowance == 1
    level.do("end")
    assert the(level.turn("MAX"), TurnStarted).allowance == 4


def hardened_chitin(card: str) -> None:
    level = board_of(card, marines={"ADR": "b2"}, tyranids={"e2": "lictor", "b4": "termagant"})
    raised = the(level.infest(card), ResilienceRaised)
    assert (raised.kinds, raised.plus) == (("termagant", "genestealer", "lictor"), 1)
    level.turn("ADR")
    assert the(level.do("at b4", 3), AttackDeclared).need == 4
    level.do("pass")
    assert the(level.do("at e2", 5), AttackDeclared).need == 6
    standing = {square: kind for square, kind in level.tyranids.items() if kind != "prime"}
    assert standing == {"b4": "termagant", "e2": "lictor"}


# The second half for an empty bag


def branching(deck: int) -> list[str]:
    """The cards of a level's deck that do something else when the bag is empty."""
    found = []
    for card in CATALOGUE.decks[deck]:
        (first, *rest) = CATALOGUE.infestation[card].effects
        if isinstance(first, Branch) and first.if_bag_empty:
            assert not rest
            found.append(card)
    return found


def empty_bag(card: str) -> None:
    """E9, SMA-REIN-7, SMA-INF-1: charge up to 6 squares, then claws on 1 or 2; nothing else of the card."""
    for symbol in "TGX":
        for die, wounds in ((2, 1), (3, 0)):
            line = {**ONE_LINE, "picture": chamber(9, 1, b2="M", i2=symbol)}
            level = scene_of(card, **line, bag=[])
            events = level.infest(card, die)
            assert charges(events) == [("i2", "c2")]
            assert dice(events) == [("die/max", (die,))]
            assert level.wounds("MAX") == wounds
            assert (placed(events), of(events, ReinforcementBlocked)) == ({}, [])
            assert level.asked == "Ready"
    far = {**ONE_LINE, "picture": chamber(10, 1, b2="M", j2="T"), "objective": "k2"}
    assert charges(scene_of(card, **far, bag=[]).infest(card)) == [], "seven squares to go"
    all_claw(card, 2)


def counter_in_the_bag(card: str) -> None:
    """SMA-INF-1: the first half alone, also when the bag runs out before the card is done."""
    events = first_outcomes(card, bag=["T12"])
    assert charges(events) == []
    assert struck(events) == []


def first_outcomes(card: str, **given: Any) -> list[Event]:
    """What a card does when chance gives the first of the possible outcomes each time, up to the first question."""
    chance = [card]
    while True:
        level = scene_of(card, **{**ONE_LINE, **given})
        try:
            return level.infest(*chance)
        except NeedsOutcome as needs:
            chance.append(needs.possible[0])
