"""The six challenges: when each takes effect, the extra Tyranid activation cards, and what a failed one costs."""

from __future__ import annotations

from typing import Any

import pytest
from campaigns import CAMPAIGN, QUIET, campaign, into, last_card, last_step, standing
from helpers import LULL, Level, chamber, drawn, laid, names, of, the

from warptape.domain.events import DeckShuffled, Event
from warptape.domain.space_marine_adventures.events import (
    ChallengeFailed,
    ChallengeTriggered,
    LevelEnded,
    MarineTakenOut,
    PrimeDamaged,
    PrimeDestroyed,
    TyranidActivationAdded,
)
from warptape.domain.space_marine_adventures.state import Options

EXTRA = ("act-tyranid-5", "act-tyranid-6")
BULKHEADS = ("bulkhead-3", "bulkhead-2", "bulkhead-1")
HIVE_ALARM, CLEANSE, BLOOD_SCENT, TROPHY_HUNT, ADRENAL, DEATH_THROES = (
    f"CHA-{level}-{number}" for level in (1, 2, 3) for number in (1, 2)
)
OPEN = {"MAX": "h2", "ADR": "i2"}
"""Where two Marines stand on 1-up, apart from what happens."""


def console(dares: tuple[str, ...], level: int = 1, **given: Any) -> Level:
    """Maximus on the console of 1-up, in the last turn of a round."""
    marines = {"MAX": "f8", "ADR": "h2"}
    return laid(level=level, marines=marines, turn="MAX", activation=[], dares=dares, **given)


# Extra activation cards


def test_sma_adv_12_hive_alarm_at_the_console() -> None:
    """CHA-1-1: SMA-ADV-8, SMA-ADV-10: the extra card joins at the start of the next round, and stays."""
    level = console((HIVE_ALARM,), bag=[])
    assert not of(level.do("con", 5), ChallengeTriggered)
    events = level.do("con", 6, *BULKHEADS)
    assert names(events).index("ConsoleActivated") < names(events).index("ChallengeTriggered")
    assert not {*EXTRA} & {*level.state.deck}
    before = level.state.deck
    events = level.do("end")
    added = the(events, TyranidActivationAdded)
    assert (added.card, added.challenge, added.rule) == ("act-tyranid-5", HIVE_ALARM, "SMA-ADV-10")
    assert names(events).index("TyranidActivationAdded") < names(events).index("RoundStarted")
    shuffled = the(events, DeckShuffled)
    assert shuffled.items == level.state.deck == (*before, "act-tyranid-5")
    assert len(shuffled.items) == 9
    # It is one of the deck's cards from now on, in every round.
    for card in level.state.deck:
        level.do("next", card, *([QUIET[1] if card == EXTRA[0] else f"INF-1-1{card[-1]}"] if "tyranid" in card else []))
        while level.asked != "Ready":
            level.do("end" if level.asked == "Turn" else next(iter(level.legal())))
    assert level.state.round == 3
    assert level.state.chance.decks["activation/3"].items == level.state.deck
    assert level.state.deck.count("act-tyranid-5") == 1
    assert level.state.due == []


def test_sma_adv_12_blood_scent_at_the_first_wound_only() -> None:
    """CHA-2-1: SMA-ADV-8: once in the level."""
    level = drawn(
        chamber(5, 3, b2="M", b3="T", d2="A", d3="T"), level=2, options=Options(level=2), dares=(BLOOD_SCENT,)
    )
    events = level.infest("INF-2-23", 1, 1)
    assert len(of(events, ChallengeTriggered)) == 1
    assert names(events).index("MarineWounded") < names(events).index("ChallengeTriggered")
    assert level.state.due == [BLOOD_SCENT]
    again = level.infest("INF-2-24", 1, 6)
    assert of(again, MarineTakenOut)
    assert not of(again, ChallengeTriggered)
    assert level.state.triggered == {BLOOD_SCENT: 1}


def test_a_wound_that_is_prevented_has_no_scent() -> None:
    """CHA-2-1: the challenge waits for a wound, not for a strike."""
    level = drawn(
        chamber(3, 3, b2="M", b3="T"),
        level=2,
        options=Options(level=2),
        dares=(BLOOD_SCENT,),
        cards={"MAX": "SP-07"},
    )
    level.infest("INF-2-23", 1)
    assert not of(level.do("react SP-07"), ChallengeTriggered)
    assert level.state.due == []


def test_e62_the_second_wound_of_a_marine_hurt_before_is_the_first_of_the_level() -> None:
    """E62: CHA-2-1: a Marine wounded in an earlier level goes out: the extra card joins."""
    level = drawn(
        chamber(5, 3, b2="m", b3="T", d2="A"),
        level=2,
        options=CAMPAIGN,
        dares=(BLOOD_SCENT,),
        activation=["act-tyranid-1"],
    )
    events = level.infest("INF-2-23", 1)
    assert names(events).index("ChallengeTriggered") < names(events).index("MarineTakenOut")
    assert [event.card for event in of(events, TyranidActivationAdded)] == ["act-tyranid-5"]
    assert len(level.state.deck) == 9


def prime(damage: int = 0, dares: tuple[str, ...] = (), **given: Any) -> Level:
    """Level 3 on 1-down: Vorne before the Prime on g7, Maximus far off; the bag is empty."""
    return laid(
        "1-down",
        level=3,
        marines={"VOR": "g6", "MAX": "b2"},
        turn="VOR",
        actions=6,
        damage=damage,
        dares=dares,
        bag=[],
        **{"options": Options(level=3), **given},
    )


def hit(level: Level) -> list[Event]:
    """Vorne hits the Prime; its claws miss him."""
    more = [] if level.state.damage + 1 >= 3 + (ADRENAL in level.state.dares) else [6]
    return level.do("at g7", 6, 6, *more)


def test_sma_adv_12_death_throes_at_each_damage_counter_two_at_most() -> None:
    """CHA-3-2: SMA-ADV-9: there are two extra cards, so the third and fourth counter bring none."""
    level = prime(dares=(DEATH_THROES, ADRENAL))
    for count, owed in ((1, 1), (2, 2), (3, 2)):
        events = level.do("at g7", 6, 6, 6)
        assert the(events, PrimeDamaged).damage == count
        assert level.state.due == [DEATH_THROES] * owed
        assert len(of(events, ChallengeTriggered)) == (1 if count < 3 else 0)


def test_sma_adv_9_two_extra_cards_join_together_and_no_third_ever_does() -> None:
    level = prime(damage=0, dares=(DEATH_THROES,), activation=[])
    hit(level)
    hit(level)
    events = level.do("end")
    assert [event.card for event in of(events, TyranidActivationAdded)] == list(EXTRA)
    assert level.state.deck[-2:] == EXTRA
    assert len(level.state.deck) == 10
    assert (level.state.due, level.state.triggered) == ([], {DEATH_THROES: 2})


def test_sma_adv_9_the_second_extra_card_joins_in_a_later_round() -> None:
    """SMA-ADV-10: the first one stays, so it is the other that joins."""
    level = prime(damage=1, dares=(DEATH_THROES,), activation=[])
    level.state.deck, level.state.triggered = (*level.state.deck, EXTRA[0]), {DEATH_THROES: 1}
    hit(level)
    assert [event.card for event in of(level.do("end"), TyranidActivationAdded)] == [EXTRA[1]]
    assert level.state.deck[-2:] == EXTRA


def test_death_throes_counts_a_wound_that_closed_and_opened_again() -> None:
    """CHA-3-2 and the skull card Hyper-regeneration: each counter placed counts, though one was taken off between."""
    level = prime(dares=(DEATH_THROES,), activation=["act-tyranid-1"], infestation=["ADV-3-1", QUIET[3], "INF-3-29"])
    hit(level)
    level.do("end")
    events = level.do("next", "act-tyranid-1", "ADV-3-1", QUIET[3])
    assert level.state.damage == 0
    assert [event.card for event in of(events, TyranidActivationAdded)] == ["act-tyranid-5"]
    level.turn("VOR")
    assert the(level.do("at g7", 6, 6, 6), PrimeDamaged).damage == 1
    assert (level.state.due, level.state.triggered) == ([DEATH_THROES], {DEATH_THROES: 2})


def test_e38_each_challenge_only_at_its_level() -> None:
    """E38: SMA-ADV-7: Hive Alarm and Death Throes in one campaign; the extra card is gone with its level."""
    both = (HIVE_ALARM, DEATH_THROES)
    second = console(both, level=2, kills={"lictor": 2}, options=CAMPAIGN)
    assert not of(second.do("con", 6, *BULKHEADS), ChallengeTriggered)
    first = console(both, options=CAMPAIGN)
    assert of(first.do("con", 6, *BULKHEADS), ChallengeTriggered)
    third = prime(dares=both, options=CAMPAIGN)
    assert the(third.do("at g7", 6, 6, 6), ChallengeTriggered).challenge == DEATH_THROES

    level = last_step(1, dares=both)
    level.state.deck = (*level.state.deck, "act-tyranid-5")
    level.state.triggered, level.state.due = {HIVE_ALARM: 1}, [HIVE_ALARM]
    into(level)
    assert (level.state.triggered, level.state.due) == ({}, [])
    assert not {*EXTRA} & {*level.state.deck}
    assert level.state.dares == both


def test_hive_alarm_and_blood_scent_do_nothing_where_they_are_not_in_use() -> None:
    level = console(())
    assert not of(level.do("con", 6, *BULKHEADS), ChallengeTriggered)
    level.do("end")
    assert not {*EXTRA} & {*level.state.deck}


# Extra objectives


@pytest.mark.parametrize(
    ("number", "challenge", "kills", "met"),
    [
        (1, CLEANSE, {"termagant": 9}, False),
        (1, CLEANSE, {"termagant": 6, "genestealer": 4}, True),
        (1, CLEANSE, {"termagant": 11}, True),
        (1, CLEANSE, {}, False),
        (2, TROPHY_HUNT, {"lictor": 2, "termagant": 9}, False),
        (2, TROPHY_HUNT, {"lictor": 3}, True),
        (2, TROPHY_HUNT, {}, False),
    ],
)
def test_e42_a_challenge_that_is_not_met_caps_the_result(
    number: int, challenge: str, kills: dict[str, int], met: bool
) -> None:
    """E42: SMA-ADV-13, SMA-ADV-4: four on the tile and nine kills are a draw, ten are a major victory."""
    for on_exit, grade in ((4, "major"), (3, "minor"), (2, "draw"), (1, "loss")):
        level = laid(
            level=number,
            marines=standing(on_exit, 4 - on_exit),
            exit="B",
            infestation=[LULL if number == 1 else "INF-2-29"],
            dares=(challenge,),
            kills=kills,
            options=Options(level=number),
        )
        events = level.infest(LULL if number == 1 else "INF-2-29")
        expected = grade if met or grade == "loss" else "draw"
        assert the(events, LevelEnded).result == expected
        failed = [event.challenge for event in of(events, ChallengeFailed)]
        assert failed == ([] if met else [challenge])
        assert [event.rule for event in of(events, ChallengeFailed)] == ["SMA-ADV-13"] * len(failed)


@pytest.mark.parametrize(("kills", "result"), [(9, "campaign_lost"), (10, "completed")])
def test_e63_a_challenge_that_is_not_met_loses_the_campaign(kills: int, result: str) -> None:
    """E63: SMA-ADV-13: four on the tile at Level 1 of a campaign, Cleanse and Burn, nine kills."""
    level = last_card(1, standing(4), dares=(CLEANSE,), kills={"termagant": kills})
    events = level.infest(LULL)
    assert the(events, LevelEnded).result == result
    assert level.state.over == ("campaign_lost" if kills < 10 else "")
    assert level.asked == ("" if kills < 10 else "ChooseBoard")


def test_sma_adv_7_objectives_of_other_levels_are_dormant() -> None:
    """Cleanse and Burn asks for nothing at Level 2, Trophy Hunt for nothing at Level 1."""
    for number, challenge in ((2, CLEANSE), (1, TROPHY_HUNT)):
        level = last_step(number, dares=(challenge,))
        events = level.do("mv X1")
        assert the(events, LevelEnded).result == "completed"
        assert not of(events, ChallengeFailed)


def test_kills_of_an_earlier_level_do_not_count() -> None:
    """Trophy Hunt: three Lictors in this level; what fell at Level 1 is forgotten with it."""
    level = last_step(1, kills={"termagant": 9, "genestealer": 4}, dares=(CLEANSE, TROPHY_HUNT))
    events = into(level)
    assert not of(events, ChallengeFailed)
    assert level.state.kills == {}


def test_two_failed_challenges_are_both_named() -> None:
    level = last_card(1, standing(4), dares=(CLEANSE, HIVE_ALARM, TROPHY_HUNT), kills={})
    assert [event.challenge for event in of(level.infest(LULL), ChallengeFailed)] == [CLEANSE]


# Adrenal Glands


def test_w11_adrenal_glands_take_a_fourth_counter() -> None:
    """W11: SMA-ADV-11: with two counters the third is placed, the next success destroys the Prime."""
    level = prime(damage=2, dares=(ADRENAL,))
    events = level.do("at g7", 6, 6, 6)
    assert the(events, PrimeDamaged).damage == 3
    assert level.state.ended is None
    events = level.do("at g7", 6, 6)
    assert the(events, PrimeDestroyed)
    assert the(events, LevelEnded).reason == "prime_destroyed"


def test_without_adrenal_glands_the_third_counter_destroys() -> None:
    for dares in ((), (DEATH_THROES,)):
        level = prime(damage=2, dares=dares)
        assert of(level.do("at g7", 6, 6), PrimeDestroyed)


@pytest.mark.parametrize(
    ("dares", "damage", "result"),
    [((), 2, "draw"), ((), 1, "loss"), ((ADRENAL,), 2, "loss"), ((ADRENAL,), 3, "draw")],
)
def test_one_counter_short_is_one_short_of_four_with_adrenal_glands(
    dares: tuple[str, ...], damage: int, result: str
) -> None:
    """SMA-ADV-11, SMA-END-10: the draw of Level 3 goes by the figure in force."""
    level = laid(level=3, marines=OPEN, infestation=["INF-3-30"], damage=damage, dares=dares, options=Options(level=3))
    events = level.infest("INF-3-30")
    assert (the(events, LevelEnded).result, the(events, LevelEnded).damage) == (result, damage)


def test_adrenal_glands_in_a_campaign() -> None:
    level = prime(damage=2, dares=(ADRENAL,), options=campaign(challenges=ADRENAL))
    assert of(level.do("at g7", 6, 6, 6), PrimeDamaged)
    assert the(level.do("at g7", 6, 6), LevelEnded).result == "epic_victory"
