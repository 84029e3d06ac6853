"""Every option of the game with each of its values: what is different, at Levels 2 and 3 too where there is a difference.

Each function sets up the same positions whatever the value, and says what the value makes of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from campaigns import QUIET, calls, campaign, creatures_and_cards, entered, last_card, last_step, standing
from card_scenes import charges, placed, struck
from helpers import CATALOGUE, chamber, drawn, laid, of, the

from warptape.domain.chance import Fate
from warptape.domain.events import DeckShuffled
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.events import (
    AttackDeclared,
    ChallengesChosen,
    LevelEnded,
    LevelStarted,
    SkullCardsChosen,
    SkullCardsReplace,
    VesselDocked,
)
from warptape.domain.space_marine_adventures.state import Options, bag_size, cards_left
from warptape.domain.space_marine_adventures.steps import ChooseSkulls

LEVELS = (1, 2, 3)
DECKS = {1: 24, 2: 29, 3: 30}


def with_(option: str, value: Any, number: int = 1, **more: Any) -> Options:
    """The options of a level, one of them with that value."""
    return Options(level=number, **{option: value, **more})


def to(match: Match, step: str) -> Match:
    """A game set up by the first choice each time, as far as that question."""
    while type(match.state.pending[-1]).__name__ != step:
        assert match.decision is not None
        match.act(match.decision.actions[0])
    return match


# Readings of the rules


def special_pick(value: str) -> None:
    """Ruling 3: one of all the cards drawn, or of his own two: at each level."""
    for number in LEVELS:
        match = to(Match(RULESET, Fate("pick"), with_("special_pick", value, number)), "EquipSquad")
        assert match.decision is not None
        cards = [action.card for action in match.decision.actions]  # type: ignore[attr-defined]
        assert cards == [*match.state.pool[: {"pooled": 8, "own_pair": 2}[value]]]


def sight(value: str) -> None:
    """Ruling 13: a knight's jump: for an Attack, a Lictor's hooks and the Prime in both directions."""
    any_angle = value == "any_angle"
    jump = chamber(4, 4, b2="M", d3="T")
    assert drawn(jump, turn="MAX", options=with_("sight", value)).legal("at") == ({"at d3"} if any_angle else set())
    hooks = drawn(jump.replace("T", "X"), options=with_("sight", value, 2))
    assert struck(hooks.infest("INF-2-22", *([3] if any_angle else []))) == ([("MAX", "spines")] if any_angle else [])
    for card in ("INF-3-16", "ADV-3-2"):
        cannon = drawn(chamber(4, 4, b2="M"), objective="d3", options=with_("sight", value, 3), skulls=["ADV-3-2"])
        die = [3] if any_angle and card == "INF-3-16" else []
        events = cannon.infest(card, *die, *([QUIET[3]] if card == "ADV-3-2" else []))
        assert struck(events) == ([("MAX", "spines")] if any_angle else [])
    level = drawn(chamber(4, 4, b2="M"), objective="d3", turn="MAX", options=with_("sight", value, 3), bag=[])
    assert level.why("at d3") == ("" if any_angle else "SMA-SEE-2")
    if any_angle:
        assert the(level.do("at d3", 6), AttackDeclared).distance == 2


def corner(value: str) -> None:
    """Ruling 14: a diagonal with one solid flank: for an Attack, hooks, the Prime, and a line of fire."""
    seen = value == "both_flanks"
    place = "#####\n#M.##\n##{}.#\n#####"
    attack = drawn(place.format("T"), turn="MAX", options=with_("corner", value), cards={"MAX": "SP-18"})
    assert attack.legal("at") == ({"at c3"} if seen else set())
    assert attack.legal("sp") == ({"sp SP-18 se"} if seen else set())
    hooks = drawn(place.format("X"), options=with_("corner", value, 2))
    assert struck(hooks.infest("INF-2-22", *([3] if seen else []))) == ([("MAX", "spines")] if seen else [])
    given = {"objective": "c3", "options": with_("corner", value, 3)}
    assert drawn(place.format("."), turn="MAX", **given).legal("at") == ({"at c3"} if seen else set())
    cannon = drawn(place.format("."), **given)
    assert struck(cannon.infest("INF-3-16", *([3] if seen else []))) == ([("MAX", "spines")] if seen else [])


def range_count(value: str) -> None:
    """Ruling 15: whether the target's own square counts: for a chainsword, hooks, the Prime's reach and its cannon."""
    further = value == "exclusive"
    sword = drawn(chamber(4, 1, b2="R", d2="T"), turn="RAP", options=with_("range_count", value))
    assert sword.why("at d2") == ("" if further else "SMA-RNG-1")
    hooks = drawn(chamber(8, 1, b2="X", i2="M"), options=with_("range_count", value, 2))
    assert len(struck(hooks.infest("INF-2-22", *([3] if further else [])))) == further
    prime = laid(marines={"VOR": "f4"}, turn="VOR", options=with_("range_count", value, 3))
    assert prime.why("at f8") == ("" if further else "SMA-PRIME-4")
    cannon = drawn(chamber(10, 1, k2="M"), objective="b2", options=with_("range_count", value, 3))
    assert len(struck(cannon.infest("INF-3-16", *([3] if further else [])))) == further


def frag_needs_sight(value: bool) -> None:
    """Ruling 21: over a creature in front, at the one behind, at Level 3 the Prime; a straight line is needed anyway."""
    frag = {"turn": "MAX", "cards": {"MAX": "SP-01"}}
    level = drawn(chamber(5, 3, b2="M", c2="T", e2="G", d3="T"), **frag, options=with_("frag_needs_sight", value))
    assert level.legal("sp") == ({"sp SP-01 c2"} if value else {"sp SP-01 c2", "sp SP-01 e2"})
    level = laid(
        marines={"MAX": "f5"}, tyranids={"f6": "T01"}, **frag, options=with_("frag_needs_sight", value, 3), bag=[]
    )
    assert level.legal("sp") == ({"sp SP-01 f6"} if value else {"sp SP-01 f6", "sp SP-01 f8"})
    if not value:
        level.do("sp SP-01 f8", 6, 5)  # 5: the claws of the Termagant beside him, which answer the hit
        assert (level.state.damage, level.wounds("MAX")) == (1, 0)
    # Of Lukas's own grenade the option says nothing.
    lukas = drawn(chamber(5, 1, b2="L", c2="T", e2="G"), turn="LUK", options=with_("frag_needs_sight", value))
    assert lukas.legal("gr") == {"gr c2"}


def blast_adjacent(value: str) -> None:
    """Ruling 22: whom a blast reaches beside its target; at Level 3 a Termagant at the Prime's corner is next to it."""
    corners = value == "eight"
    frag = {"turn": "LUK", "cards": {"LUK": "SP-02"}}
    for line in ("sp SP-02 d2", "gr d2"):
        level = drawn(chamber(5, 3, b2="L", d2="T", e3="G"), **frag, options=with_("blast_adjacent", value))
        events = level.do(line, 1, *([1] if corners else []))
        assert [event.square for event in of(events, AttackDeclared)] == ["d2", "e3"][: 1 + corners]
        level = laid(
            "1-down",
            marines={"LUK": "d6", "MAX": "V1"},
            tyranids={"f6": "T01"},
            **frag,
            options=with_("blast_adjacent", value, 3),
            bag=[],
        )
        level.do(line.replace("d2", "f6"), 1, *([6] if corners else []))
        assert level.state.damage == corners


def empty_bag_strikes(value: bool) -> None:
    """Ruling 27: a Marine on the square that is named, and no counter left: at each level, and around the Prime."""
    for number, card, dice in ((1, "INF-1-01", []), (2, "INF-2-17", [1]), (3, "INF-3-01", [])):
        given = {"marines": {"MAX": "f3", "ADR": "V1"}, "bag": [], "options": with_("empty_bag_strikes", value, number)}
        level = laid(**given)
        events = level.infest(card, *dice)
        assert struck(events) == ([("MAX", "counter")] if value else [])
        assert level.wounds("MAX") == value
    level = laid(marines={"MAX": "f7", "ADR": "V1"}, bag=[], options=with_("empty_bag_strikes", value, 3))
    assert struck(level.infest("INF-3-14", 4)) == ([("MAX", "counter")] if value else [])
    # A card with a half of its own for an empty bag does that instead, whatever the option.
    level = laid(marines={"MAX": "f3", "ADR": "V1"}, bag=[], options=with_("empty_bag_strikes", value, 2))
    assert struck(level.infest("INF-2-01")) == []
    # An ambush, too, comes to nothing (section 6.3 of the card texts).
    level = drawn("#######\n#M#.AR#\n#######", bag=[], options=with_("empty_bag_strikes", value, 3))
    assert struck(level.infest("INF-3-22")) == []


def line_marine(value: str) -> None:
    """Ruling 28: a Marine behind the first creature of a line; at Level 3 behind the Prime's guard."""
    hit = value == "hit"
    level = drawn(
        chamber(6, 1, c2="M", d2="T", e2="T", f2="T"), entries={"1": "f2"}, options=with_("line_marine", value)
    )
    assert len(struck(level.infest("INF-1-01", "T07", *(["T08"] if hit else [])))) == hit
    for card, claws in (("INF-3-12", []), ("INF-3-14", [4])):
        level = laid(marines={"MAX": "f6", "ADR": "V1"}, tyranids={"f7": "T01"}, options=with_("line_marine", value, 3))
        events = level.infest(card, *(["L01"] if hit else []), "T02", "T03", *claws)
        assert struck(events) == ([("MAX", "counter")] if hit else [])
        assert list(placed(events)) == ["g8", "f9"]


def short_bag(value: str) -> None:
    """Ruling 29: fewer counters than squares: the card's order, or the team's choice: at each level."""
    for number, card in ((1, "INF-1-07"), (2, "INF-2-03"), (3, "INF-3-03")):
        level = laid(marines={"MAX": "V1"}, bag=["T07"], options=with_("short_bag", value, number))
        first, second = {1: ("f3", "d6"), 2: ("d6", "c10"), 3: ("d6", "h10")}[number]
        if value == "nesw":
            assert list(placed(level.infest(card, "T07"))) == [first]
        else:
            level.infest(card)
            assert level.legal() == {f"pick {first}", f"pick {second}"}
            assert list(placed(level.do(f"pick {second}", "T07"))) == [second]
    level = laid(marines={"MAX": "V1"}, bag=["T07"], options=with_("short_bag", value, 3))
    if value == "nesw":
        assert list(placed(level.infest("INF-3-12", "T07"))) == ["f7"]
    else:
        level.infest("INF-3-12")
        assert level.legal() == {"pick f7", "pick g8", "pick f9"}
    # "Lowest numbers first" is what a card of two levels says: there is nothing to choose.
    for number, card in ((2, "INF-2-13"), (3, "INF-3-11")):
        level = laid(marines={"MAX": "V1"}, bag=["T07"], options=with_("short_bag", value, number))
        assert list(placed(level.infest(card, "T07"))) == ["f3"]


def deck_out(value: str) -> None:
    """Ruling 33: the level ends with the last card, or when one more is wanted: at each level, and after a skull card."""
    for number in LEVELS:
        options = with_("deck_out", value, number)
        level = laid(marines={"MAX": "V1"}, infestation=[QUIET[number]], options=options)
        events = level.infest(QUIET[number])
        if value == "draw_needed":
            assert (of(events, LevelEnded), level.asked) == ([], "Ready")
            events = level.do("next", level.unused("tyranid"))
        assert (the(events, LevelEnded).reason, level.asked) == ("deck_out", "")
        skull = f"ADV-{number}-{1 if number > 1 else 2}"
        level = laid(marines={"MAX": "V1"}, infestation=[skull], skulls=[skull], bag=[], damage=1, options=options)
        assert the(level.infest(skull), LevelEnded).reason == "deck_out"


# What is played


def level(value: int) -> None:
    """SMA-GEN-2: its briefing, its deck, its creatures."""
    match = to(Match(RULESET, Fate("level"), Options(level=value)), "Ready")
    state = match.state
    assert (the(match.events, LevelStarted).mission, cards_left(state)) == (f"mission-{value}", DECKS[value])
    kinds = sorted(creature.kind for creature in state.tyranids.values())
    if value == 1:
        assert (kinds, bag_size(state)) == (["termagant"] * 6, 11)
    elif value == 2:
        assert (kinds, bag_size(state)) == (["lictor"] + ["termagant"] * 5, 16)
    else:
        assert kinds.count("prime") == 1
        assert bag_size(state) + len(kinds) - 1 == 22
    assert RULESET.parse_options({"level": str(value)}) == Options(level=value)


def mode(value: str) -> None:
    """SMA-CAMP-1: one level with its grades, or the first of three, whose end is the beginning of the next."""
    marines = {"MAX": "m10", "ADR": "X2", "RAP": "X3"}
    level = laid(marines=marines, out=["LUK"], exit="B", turn="MAX", options=Options(mode=value))  # type: ignore[arg-type]
    assert level.state.mission == {"single": "mission-1", "campaign": "campaign-1"}[value]
    ended = the(level.do("mv X1"), LevelEnded)
    assert ended.result == {"single": "minor", "campaign": "completed"}[value]
    assert (level.asked, level.state.level) == {"single": ("", 1), "campaign": ("ChooseBoard", 2)}[value]


def players(value: str) -> None:
    """SMA-SETUP-6: whom a question is for; a Marine of nobody's is everybody's; nothing else is different."""
    for number in LEVELS:
        for code, symbol, name in (("MAX", "M", "Anna"), ("VOR", "V", "Ben"), ("LUK", "L", "")):
            level = drawn(chamber(5, 3, b2=symbol, e3="T"), turn=code, options=with_("players", value, number))
            assert level.rules.asked(level.state) == ((name,) if value and name else ())
            plain = drawn(chamber(5, 3, b2=symbol, e3="T"), turn=code, options=Options(level=number))
            assert level.legal() == plain.legal()


# Advanced rules


def skull_cards(value: str) -> None:
    """SMA-ADV-2, SMA-ADV-3: how many cards the deck of each level has."""
    for number in LEVELS:
        text = value.replace("N", str(number))
        match = Match(RULESET, Fate("skulls"), Options(level=number, skull_cards=text))
        if value == "ask":
            to(match, ChooseSkulls.__name__).act(f"adv ADV-{number}-2")
        to(match, "Ready")
        more = {"none": 0, "all": 2, "ask": 1, "ADV-N-1": 1}[value]
        assert cards_left(match.state) == DECKS[number] + more
        assert len(match.state.skulls) == more
        assert len(of(match.events, SkullCardsChosen)) == (more > 0)


def challenges(value: str) -> None:
    """SMA-ADV-5, SMA-ADV-7: none, both of the level, the one named, one at random, or what the team answers."""
    for number in LEVELS:
        text = value.replace("N", str(number))
        match = Match(RULESET, Fate("dares"), Options(level=number, challenges=text))
        both = (f"CHA-{number}-1", f"CHA-{number}-2")
        if value == "ask":
            assert type(match.state.pending[-1]).__name__ == "ChooseChallenges"
            match.act(f"challenge {both[1]}")
        dares = match.state.dares
        if value == "random":
            assert len(dares) == 1
            assert {*dares} < {*both}
        else:
            assert dares == {"none": (), "all": both, "ask": both[1:], "CHA-N-1": both[:1]}[value]
        assert [event.challenges for event in of(match.events, ChallengesChosen)] == ([dares] if dares else [])


def skull(value: str) -> None:
    """Ruling 37: on top of the deck of each level, or in place of two of its cards."""
    replaced = value == "replace_random"
    for number in LEVELS:
        match = to(Match(RULESET, Fate("add"), with_("skull", value, number, skull_cards="all")), "Ready")
        assert cards_left(match.state) == DECKS[number] + (0 if replaced else 2)
        assert [len(event.cards) for event in of(match.events, SkullCardsReplace)] == ([2] if replaced else [])
        (deck,) = (event.items for event in of(match.events, DeckShuffled) if event.deck == "infestation")
        assert {*CATALOGUE.skull_cards[number]} <= {*deck}


# The campaign


def campaign_pass(value: int) -> None:
    """Ruling 40: how many on the exit tile complete Level 1 or 2; Level 3 knows no exit."""
    for number in (1, 2):
        for on_exit in range(5):
            level = last_card(number, standing(on_exit, 4 - on_exit), options=campaign(campaign_pass=value))
            result = the(level.infest(QUIET[number]), LevelEnded).result
            assert result == ("completed" if on_exit >= value else "campaign_lost")
    level = laid(level=3, marines={"MAX": "f7"}, damage=2, turn="MAX", options=campaign(campaign_pass=value))
    assert the(level.do("at f8", 6), LevelEnded).result == "epic_victory"


def dock(value: str) -> None:
    """Ruling 41: the survivors keep their squares on the tile, or line up anew: on the way to Level 2 and to Level 3."""
    for number in (1, 2):
        level = last_step(number, options=campaign(dock=value))
        level.do("mv X1")
        if value == "far_end":
            docked = the(entered(level), VesselDocked)
            assert docked.moved == {"X4": "V1", "X3": "V2", "X2": "V3", "X1": "V4"}
            assert [level.at(code) for code in ("MAX", "ADR", "RAP")] == ["V4", "V3", "V2"]
            assert level.asked == "CallMarine"
        else:
            level.do(min(level.legal("board")))
            assert the(level.do("enter A"), VesselDocked).moved == {}
            assert level.asked == "DeploySquad"
            level.do("deploy ADR=V1")
            level.do("deploy RAP=V2")
            assert [level.at(code) for code in ("MAX", "ADR", "RAP")] == ["V3", "V1", "V2"]


def left_behind_calls(value: bool) -> None:
    """Ruling 43: whether a living Marine off the tile lets the team call the fifth, after Level 1 and after Level 2."""
    for number in (1, 2):
        level = last_card(number, standing(3, 1), options=campaign(left_behind_calls=value))
        level.infest(QUIET[number])
        assert level.state.strays == ("LUK",)
        assert calls(level) is value
        entered(level)
        assert level.asked == ("CallMarine" if value else "EquipSquad")
        if value:
            assert {line.split()[1] for line in level.legal("call")} == {"VOR"}


def used_cards(value: str) -> None:
    """Ruling 19: whether a card used in a level is drawn from again at the next one; held ones never are."""
    for number in (1, 2):
        level = last_step(number, cards={"ADR": "SP-20"}, used=["SP-01", "SP-02"], options=campaign(used_cards=value))
        level.do("mv X1")
        entered(level)
        events = level.do("nocall", *creatures_and_cards(level))
        (pool,) = (event.items for event in of(events, DeckShuffled) if event.deck == "specials")
        assert len(pool) == {"back_each_level": 27, "out_for_campaign": 25}[value]
        assert ("SP-01" in pool, "SP-20" in pool) == (value == "back_each_level", False)


DIFFERENCES: dict[str, Callable[[Any], None]] = {
    "level": level,
    "special_pick": special_pick,
    "sight": sight,
    "corner": corner,
    "range_count": range_count,
    "frag_needs_sight": frag_needs_sight,
    "blast_adjacent": blast_adjacent,
    "empty_bag_strikes": empty_bag_strikes,
    "line_marine": line_marine,
    "short_bag": short_bag,
    "deck_out": deck_out,
    "mode": mode,
    "skull_cards": skull_cards,
    "challenges": challenges,
    "skull": skull,
    "campaign_pass": campaign_pass,
    "dock": dock,
    "left_behind_calls": left_behind_calls,
    "used_cards": used_cards,
    "players": players,
}
TEXTS: dict[str, tuple[str, ...]] = {
    "skull_cards": ("none", "all", "ask", "ADV-N-1"),
    "challenges": ("none", "all", "ask", "random", "CHA-N-1"),
    "players": ("", "MAX=Anna,VOR=Ben"),
}
"""Values of the options that are words of one's own; N is the level."""


def values(option: str) -> tuple[Any, ...]:
    """Every value an option may have, the default first."""
    if option in TEXTS:
        return TEXTS[option]
    kind = get_type_hints(Options)[option]
    found: tuple[Any, ...] = (
        get_args(kind) if get_origin(kind) is Literal else (False, True) if kind is bool else (1, 2, 3)
    )
    default = getattr(Options(), option)
    return (default, *(value for value in found if value != default))


def test_there_is_a_difference_for_each_option() -> None:
    assert [*DIFFERENCES] == [*Options.__struct_fields__]


@pytest.mark.parametrize(("option", "value"), [(option, value) for option in DIFFERENCES for value in values(option)])
def test_what_an_option_makes_different(option: str, value: Any) -> None:
    """Rulings of section 5 with each of their readings."""
    DIFFERENCES[option](value)


@pytest.mark.parametrize("option", [option for option in DIFFERENCES if option not in TEXTS])
def test_a_value_that_there_is_not_is_refused(option: str) -> None:
    """And each that there is can be typed, in a game of the kind that has it."""
    with pytest.raises(Exception, match=option):
        RULESET.parse_options({option: "no such"})
    for value in values(option):
        found = RULESET.parse_options({option: str(value).lower()})
        assert getattr(found, option) == value


def test_charges_do_not_mind_the_readings_of_sight() -> None:
    """SMA-INF-1: along rows and columns, whatever a straight line is and wherever a range ends."""
    for options in (
        Options(level=2),
        Options(level=2, sight="any_angle"),
        Options(level=2, corner="either_flank"),
        Options(level=2, range_count="exclusive"),
    ):
        level = drawn(chamber(9, 3, b2="M", i2="X", g4="X"), options=options)
        assert charges(level.infest("INF-2-26", 6)) == [("i2", "c2")]
        far = drawn(chamber(9, 1, b2="M", j2="X"), options=options)
        assert charges(far.infest("INF-2-26")) == []
