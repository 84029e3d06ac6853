"""Skull cards and challenges, in single levels and in campaigns."""

from __future__ import annotations

import pytest
from campaigns import campaign, into, last_step, revealed
from helpers import CATALOGUE, LULL, laid, of, the

from warptape.domain.chance import Fate, Table
from warptape.domain.errors import OptionError
from warptape.domain.events import CardDrawn, DeckShuffled
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.events import (
    ChallengesChosen,
    InfestationResolved,
    LevelEnded,
    SkullCardsChosen,
    SkullCardsReplace,
)
from warptape.domain.space_marine_adventures.state import Options, cards_left

ALL = ("CHA-1-1", "CHA-1-2", "CHA-2-1", "CHA-2-2", "CHA-3-1", "CHA-3-2")
SIZES = {1: (24, 26), 2: (29, 31), 3: (30, 32)}
EXTRA = ("act-tyranid-5", "act-tyranid-6")
BULKHEADS = ("bulkhead-3", "bulkhead-2", "bulkhead-1")


def options(**given: str) -> Options:
    """Options as they are typed."""
    found: Options = RULESET.parse_options(given)
    return found


def set_up(seed: str = "advanced", lines: tuple[str, ...] = (), **given: str) -> Match:
    """A game set up with those options: the board, the entry, the squad, and anything for the rest."""
    match = Match(RULESET, Fate(seed), options(**given))
    for line in lines:
        match.act(line)
    while match.decision is not None and not match.state.round:
        match.act(match.decision.actions[0])
    return match


def why(match: Match, line: str) -> str:
    """The rule that refuses a line, empty if it is legal."""
    (action,) = RULESET.parse(match.state, "team", line)
    refusal = RULESET.refusal(match.state, "team", action)
    return refusal.rule if refusal is not None else ""


def deck(match: Match) -> tuple[str, ...]:
    """The cards of the infestation deck."""
    items: tuple[str, ...] = match.state.chance.decks["infestation/1"].items
    return items


# Skull cards


@pytest.mark.parametrize("level", [1, 2, 3])
def test_sma_adv_3_skull_cards_come_on_top_of_the_deck(level: int) -> None:
    """SMA-ADV-1, SMA-ADV-2: none, one or both, by option: 24 to 26, 29 to 31 and 30 to 32 cards."""
    first, second = f"ADV-{level}-1", f"ADV-{level}-2"
    for asked, added in (("none", ()), (first, (first,)), (second, (second,)), ("all", (first, second))):
        match = set_up(level=str(level), skull_cards=asked)
        assert deck(match) == (*CATALOGUE.decks[level], *added)
        assert len(deck(match)) == SIZES[level][0] + len(added)
        assert cards_left(match.state) == len(deck(match))
        chosen = [event.cards for event in of(match.events, SkullCardsChosen)]
        assert chosen == ([added] if added else [])
        assert not of(match.events, SkullCardsReplace)
    assert len(deck(set_up(level=str(level), skull_cards="all"))) == SIZES[level][1]
    assert {card.id for card in CATALOGUE.infestation.values() if card.skull and card.level == level} == {first, second}


def test_sma_adv_2_skull_cards_are_asked_for_before_the_deck_is_built() -> None:
    """SMA-ADV-2: `ask` offers none, either and both; a card of another level is refused, and so is asking later."""
    match = Match(RULESET, Fate("ask"), options(level="2", skull_cards="ask"))
    assert why(match, "adv ADV-2-1") == "SMA-ADV-2"
    while type(match.state.pending[-1]).__name__ != "ChooseSkulls":
        assert match.decision is not None
        match.act(match.decision.actions[0])
    assert "infestation" not in match.state.chance.ordinals
    assert match.decision is not None
    assert {RULESET.notation(match.state, action) for action in match.decision.actions} == {
        "adv none",
        "adv ADV-2-1",
        "adv ADV-2-2",
        "adv ADV-2-1 ADV-2-2",
    }
    assert why(match, "adv ADV-1-1") == "SMA-ADV-2"
    match.act("adv ADV-2-2 ADV-2-1")
    assert match.state.skulls == ("ADV-2-1", "ADV-2-2")
    assert len(deck(match)) == 31
    assert why(match, "adv none") == "SMA-ADV-2"


def test_sma_adv_2_none_may_be_chosen_when_asked() -> None:
    match = Match(RULESET, Fate("ask none"), options(skull_cards="ask"))
    while type(match.state.pending[-1]).__name__ != "ChooseSkulls":
        assert match.decision is not None
        match.act(match.decision.actions[0])
    match.act("adv none")
    assert (match.state.skulls, len(deck(match))) == ((), 24)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_ruling_37_skull_cards_may_replace_others_at_random(level: int) -> None:
    """SMA-ADV-3, `skull = replace_random`: as many normal cards are out, whichever chance says, known to all."""
    out = set()
    for seed in range(12):
        match = set_up(f"replace {seed}", level=str(level), skull_cards="all", skull="replace_random")
        gone = the(match.events, SkullCardsReplace).cards
        assert len({*gone}) == 2
        assert {*gone} <= {*CATALOGUE.decks[level]}
        kept = [card for card in CATALOGUE.decks[level] if card not in gone]
        assert deck(match) == (*kept, f"ADV-{level}-1", f"ADV-{level}-2")
        assert len(deck(match)) == SIZES[level][0]
        out |= {*gone}
    assert len(out) > 8
    one = set_up(level=str(level), skull_cards=f"ADV-{level}-2", skull="replace_random")
    assert len(the(one.events, SkullCardsReplace).cards) == 1
    plain = set_up(level=str(level), skull="replace_random")
    assert deck(plain) == CATALOGUE.decks[level]
    assert not of(plain.events, SkullCardsReplace)


def test_each_level_of_a_campaign_has_its_own_skull_cards() -> None:
    """SMA-ADV-1, SMA-ADV-3: all six in a campaign, two a level; the replaced cards are drawn anew in each level."""
    both = campaign(skull_cards="all")
    level = last_step(1, options=both)
    into(level)
    assert level.state.skulls == ("ADV-2-1", "ADV-2-2")
    assert len(level.state.chance.decks["infestation/2"].items) == 31
    one = last_step(1, options=campaign(skull_cards="ADV-1-1,ADV-3-2"))
    into(one)
    assert (one.state.skulls, len(one.state.chance.decks["infestation/2"].items)) == ((), 29)
    later = last_step(2, options=campaign(skull_cards="ADV-1-1,ADV-3-2"))
    into(later)
    assert later.state.skulls == ("ADV-3-2",)
    assert len(later.state.chance.decks["infestation/2"].items) == 31


def test_sma_adv_2_a_campaign_asks_at_every_level() -> None:
    level = last_step(1, options=campaign(skull_cards="ask"))
    level.do("mv X1")
    level.do("board 2-up")
    level.do("enter A")
    level.do("nocall")
    assert level.asked == "ChooseSkulls"
    assert level.legal() == {"adv none", "adv ADV-2-1", "adv ADV-2-2", "adv ADV-2-1 ADV-2-2"}
    level.do("adv ADV-2-1", 3, "SP-01", "SP-02", "SP-03", "SP-04", "SP-05", "SP-06")
    assert level.state.skulls == ("ADV-2-1",)


def test_e45_the_canticle_on_a_skull_card_stops_its_extra_card_too() -> None:
    """E45: none of its steps; it counts as turned over."""
    level = laid(
        marines={"MAX": "h2"},
        cards={"MAX": "SP-16"},
        infestation=["ADV-1-2", LULL, "INF-1-23"],
        skulls=["ADV-1-2"],
        options=options(skull_cards="ADV-1-2"),
    )
    level.infest("ADV-1-2")
    events = level.do("react SP-16")
    assert (revealed(events), level.tyranids, level.asked) == ([], {}, "Ready")
    assert cards_left(level.state) == 2
    assert level.state.more == 0


def test_e46_the_extra_card_of_a_skull_card_has_its_own_window() -> None:
    """E46: the Canticle may stop it alone."""
    level = laid(
        marines={"MAX": "h2", "ADR": "j2"},
        tyranids={"h3": "termagant"},
        cards={"MAX": "SP-16"},
        infestation=["ADV-1-1", "INF-1-18", LULL],
    )
    level.infest("ADV-1-1")
    events = level.do("pass", 5, "INF-1-18")
    assert revealed(events) == ["INF-1-18"]
    assert level.asked == "Revealed"
    assert not of(level.do("react SP-16"), InfestationResolved)
    assert (level.wounds("MAX"), level.asked, cards_left(level.state)) == (0, "Ready", 1)


def test_a_skull_card_may_turn_over_the_other_one() -> None:
    """SMA-ADV-3: three cards for one activation card, each with what it says."""
    level = laid(marines={"MAX": "h2"}, infestation=["ADV-1-1", "ADV-1-2", LULL, "INF-1-23"], bag=[])
    events = level.infest("ADV-1-1", "ADV-1-2", LULL)
    assert revealed(events) == ["ADV-1-1", "ADV-1-2", LULL]
    assert (level.asked, level.state.more) == ("Ready", 0)


@pytest.mark.parametrize("way", ["last_resolved", "draw_needed"])
def test_a_skull_card_that_is_the_last_of_the_deck(way: str) -> None:
    """Ruling 33: there is no extra card to turn over: the deck has run out."""
    level = laid(
        marines={"MAX": "h2"},
        bag=[],
        infestation=["ADV-1-2"],
        options=options(deck_out=way, skull_cards="ADV-1-2"),
    )
    events = level.infest("ADV-1-2")
    assert (the(events, LevelEnded).reason, level.asked) == ("deck_out", "")


# Which challenges


def test_sma_adv_5_challenges_by_name_all_or_none() -> None:
    """SMA-ADV-1, SMA-ADV-4, SMA-ADV-6: six exist, two a level; all six in a campaign; what is in use is on record."""
    assert tuple(CATALOGUE.challenges) == ALL
    assert [card.level for card in CATALOGUE.challenges.values()] == [1, 1, 2, 2, 3, 3]
    for given, dares in (
        ({}, ()),
        ({"challenges": "none"}, ()),
        ({"challenges": "CHA-1-2"}, ("CHA-1-2",)),
        ({"challenges": "cha-1-2, cha-1-1"}, ALL[:2]),
        ({"challenges": "all"}, ALL[:2]),
        ({"challenges": "all", "level": "3"}, ALL[4:]),
        ({"challenges": "all", "mode": "campaign"}, ALL),
        ({"challenges": "CHA-3-1,CHA-1-1", "mode": "campaign"}, ("CHA-1-1", "CHA-3-1")),
    ):
        match = Match(RULESET, Fate("dare"), options(**given))
        assert match.state.dares == dares
        assert [event.challenges for event in of(match.events, ChallengesChosen)] == ([dares] if dares else [])


@pytest.mark.parametrize("value", ["CHA-2-1", "CHA-9-9", "both", "CHA-1-1 none", "ask all"])
def test_sma_adv_7_a_challenge_of_a_level_that_is_not_played_is_no_option(value: str) -> None:
    with pytest.raises(OptionError, match="CHA-1-1, CHA-1-2"):
        options(challenges=value)
    with pytest.raises(OptionError, match="ADV-1-1, ADV-1-2"):
        options(skull_cards=value)
    with pytest.raises(OptionError, match="skull_cards"):
        options(skull_cards="random")


@pytest.mark.parametrize(("given", "deck"), [({}, ALL[:2]), ({"level": "2"}, ALL[2:4]), ({"mode": "campaign"}, ALL)])
def test_sma_adv_7_a_random_challenge_is_one_of_the_levels_played(given: dict[str, str], deck: tuple[str, ...]) -> None:
    """SMA-ADV-5: the cards of the levels to be played are shuffled, and one is drawn."""
    found = set()
    for seed in range(60):
        match = Match(RULESET, Fate(f"random {seed}"), options(challenges="random", **given))
        shuffled = next(event for event in of(match.events, DeckShuffled) if event.deck == "challenges")
        assert shuffled.items == deck
        drawn_card = next(event for event in of(match.events, CardDrawn) if event.purpose == "challenge")
        assert drawn_card.place == 0
        assert match.state.dares == (drawn_card.item,)
        found |= {*match.state.dares}
    assert found == {*deck}


def test_sma_adv_5_challenges_are_asked_for_before_the_first_level() -> None:
    """SMA-ADV-7: any of those of the levels played, or one at random; then never again."""
    match = Match(RULESET, Table(["CHA-3-2"]), options(mode="campaign", challenges="ask"))
    assert match.decision is not None
    assert len(match.decision.actions) == 2**6 + 1
    assert why(match, "challenge CHA-2-2 CHA-1-1") == ""
    assert why(match, "board 1-up") == "SMA-SETUP-16"
    match.act("challenge random")
    assert match.state.dares == ("CHA-3-2",)
    assert why(match, "challenge none") == "SMA-ADV-5"

    single = Match(RULESET, Fate("ask"), options(challenges="ask"))
    assert single.decision is not None
    assert {RULESET.notation(single.state, action) for action in single.decision.actions} == {
        "challenge none",
        "challenge CHA-1-1",
        "challenge CHA-1-2",
        "challenge CHA-1-1 CHA-1-2",
        "challenge random",
    }
    assert why(single, "challenge CHA-2-1") == "SMA-ADV-7"
    single.act("challenge CHA-1-2")
    assert single.state.dares == ("CHA-1-2",)
    none = Match(RULESET, Fate("ask"), options(challenges="ask"))
    none.act(act.Dare())
    assert (none.state.dares, of(none.events, ChallengesChosen)) == ((), [])


def test_challenges_are_not_asked_for_again_at_the_next_level() -> None:
    """SMA-ADV-5: they are chosen once, for the whole campaign, and stay in use."""
    level = last_step(1, options=campaign(challenges="ask"), dares=("CHA-2-1",))
    events = into(level)
    assert not of(events, ChallengesChosen)
    assert level.state.dares == ("CHA-2-1",)
