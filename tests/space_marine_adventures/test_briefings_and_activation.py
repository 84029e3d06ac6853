"""The 16 activation cards, the six briefings and the six challenges, each seen in play with what its record says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from campaigns import QUIET, revealed, standing
from helpers import CATALOGUE, Level, laid, names, of, the

from warptape.domain.space_marine_adventures.events import (
    ActivationPiled,
    ActivationRevealed,
    ChallengeFailed,
    ChallengeTriggered,
    ConsoleTried,
    LevelEnded,
    PrimeDamaged,
    PrimeDestroyed,
    TurnStarted,
    TyranidActivationAdded,
)
from warptape.domain.space_marine_adventures.state import Options

BULKHEADS = ("bulkhead-3", "bulkhead-2", "bulkhead-1")
EXTRA = ("act-tyranid-5", "act-tyranid-6")
ACTIONS = {"MAX": (4, 3), "ADR": (4, 3), "RAP": (4, 3), "LUK": (4, 3), "VOR": (3, 2)}
"""What the datacards give: healthy and wounded (SMA-COMP-14 for the printed ones)."""
NAMES = {"maximus": "MAX", "adrix": "ADR", "raphael": "RAP", "lukas": "LUK", "vorne": "VOR"}

# Activation cards


def marine_card(code: str) -> Callable[[str], None]:
    """A turn for that Marine with the Actions of the side that is up; nothing if he is out of action."""

    def scene(card: str) -> None:
        mate = "ADR" if code == "MAX" else "MAX"
        for side in (0, 1):
            level = laid(marines={code: "h2", mate: "V1"}, wounded=[code] if side else [])
            started = the(level.do("next", card), TurnStarted)
            assert (started.marine, started.allowance) == (code, ACTIONS[code][side])
            level.do("end")
            assert the(level.log, ActivationPiled).card == card
        level = laid(marines={mate: "V1"}, out=[code])
        assert names(level.do("next", card))[-2:] == ["ActivationRevealed", "ActivationPiled"]
        absent = laid(marines={mate: "V1"})
        assert card not in absent.state.deck

    return scene


def tyranid_card(card: str) -> None:
    """The top infestation card, at every level; in the deck from the first round on."""
    for number, quiet in QUIET.items():
        level = laid(marines={"MAX": "V1"}, options=Options(level=number))
        assert card in level.state.deck
        events = level.do("next", card, quiet)
        assert revealed(events) == [quiet]


def extra_card(card: str) -> None:
    """Not in the deck at first; once Death Throes has called it in, it is a Tyranid card like any other."""
    level = laid(
        marines={"ADR": "f6", "MAX": "V1"},
        turn="ADR",
        activation=[],
        bag=[],
        dares=["CHA-3-2"],
        options=Options(level=3),
    )
    assert card not in level.state.deck
    level.do("at f8", 6)
    level.do("at f8", 6)
    events = level.do("end")
    assert [event.card for event in of(events, TyranidActivationAdded)] == ["act-tyranid-5", "act-tyranid-6"]
    events = level.do("next", card, QUIET[3])
    assert (the(events, ActivationRevealed).card, revealed(events)) == (card, [QUIET[3]])


ACTIVATION: dict[str, Callable[[str], None]] = {
    **{f"act-{name}-{copy}": marine_card(code) for name, code in NAMES.items() for copy in (1, 2)},
    **{f"act-tyranid-{copy}": tyranid_card for copy in (1, 2, 3, 4)},
    **{f"act-tyranid-{copy}": extra_card for copy in (5, 6)},
}


@pytest.mark.parametrize("card", ACTIVATION)
def test_sma_round_3_and_5_what_an_activation_card_does(card: str) -> None:
    """SMA-ROUND-3, SMA-ROUND-4, SMA-ROUND-5, SMA-ADV-9."""
    ACTIVATION[card](card)


def test_the_scenes_are_all_the_activation_cards() -> None:
    """SMA-COMP-12."""
    assert tuple(ACTIVATION) == tuple(CATALOGUE.activation)
    assert len(ACTIVATION) == 16


# Briefings

Case = tuple[str, str, Callable[[], Level]]
"""Why a level ends, its result, and the level that has ended so."""
SQUAD = ("MAX", "ADR", "RAP", "LUK")


def game(mission: str, **given: Any) -> Level:
    """A level with that briefing."""
    variant, number = mission.split("-")
    options = Options(mode="campaign") if variant == "campaign" else Options(level=int(number))
    level = laid(level=int(number), options=options, **given)
    assert level.state.mission == mission
    return level


def deck_out(mission: str, on_exit: int) -> Callable[[], Level]:
    """The last card of the deck with so many on the exit tile and one at least elsewhere."""

    def play() -> Level:
        quiet = QUIET[int(mission[-1])]
        marines = standing(on_exit, 4 - on_exit)
        level = game(mission, marines=marines, exit="B", infestation=[quiet])
        level.infest(quiet)
        return level

    return play


def all_on_exit(mission: str, on_exit: int) -> Callable[[], Level]:
    """The last of those in play steps onto the exit tile."""

    def play() -> Level:
        others = ("ADR", "RAP", "LUK")
        on_tile = dict(zip(others, ("X4", "X3", "X2")[: on_exit - 1], strict=False))
        out = [code for code in others if code not in on_tile]
        level = game(mission, marines={**on_tile, "MAX": "m10"}, out=out, exit="B", turn="MAX")
        level.do("mv X1")
        return level

    return play


def all_out(mission: str, damage: int = 0) -> Callable[[], Level]:
    """The last Marine falls to claws."""

    def play() -> Level:
        number = int(mission[-1])
        level = game(
            mission, marines={"MAX": "h3"}, wounded=["MAX"], out=["ADR"], tyranids={"h2": "termagant"}, damage=damage
        )
        level.infest({1: "INF-1-17", 2: "INF-2-23", 3: "INF-3-23"}[number], 3)
        return level

    return play


def prime_destroyed(mission: str, in_play: int) -> Callable[[], Level]:
    """The third hit, with so many in play."""

    def play() -> Level:
        squares = dict(zip(SQUAD[:in_play], ("f7", "V1", "h2", "h3"), strict=False))
        level = game(mission, marines=squares, out=SQUAD[in_play:], damage=2, turn="MAX")
        level.do("at f8", 6)
        return level

    return play


def lair_deck_out(mission: str, damage: int) -> Callable[[], Level]:
    """The last card of the deck with so many damage counters on the Prime."""

    def play() -> Level:
        level = game(mission, marines={"MAX": "V1", "ADR": "V2"}, damage=damage, infestation=[QUIET[3]])
        level.infest(QUIET[3])
        return level

    return play


def exits(mission: str, results: tuple[str, str, str, str, str]) -> list[Case]:
    """All the endings of a level with an exit; the results of four, three, two, one and none on it."""
    four, three, two, one, none = results
    return [
        ("all_on_exit", four, all_on_exit(mission, 4)),
        ("all_on_exit", three, all_on_exit(mission, 3)),
        ("all_on_exit", two, all_on_exit(mission, 2)),
        ("all_on_exit", one, all_on_exit(mission, 1)),
        ("deck_out", three, deck_out(mission, 3)),
        ("deck_out", two, deck_out(mission, 2)),
        ("deck_out", one, deck_out(mission, 1)),
        ("deck_out", none, deck_out(mission, 0)),
        ("all_out", none, all_out(mission)),
    ]


def prime(mission: str, results: tuple[str, str, str, str, str, str]) -> list[Case]:
    """All the endings with the Prime: destroyed by four to one, one counter short, or two."""
    four, three, two, one, short, far = results
    return [
        *(
            ("prime_destroyed", result, prime_destroyed(mission, 4 - less))
            for less, result in enumerate((four, three, two, one))
        ),
        ("deck_out", short, lair_deck_out(mission, 2)),
        ("deck_out", far, lair_deck_out(mission, 1)),
        ("all_out", far, all_out(mission, 2)),
    ]


GRADES = ("major", "minor", "draw", "loss", "loss")
PASSED = ("completed", "completed", "completed", "campaign_lost", "campaign_lost")
MISSIONS: dict[str, list[Case]] = {
    "mission-1": exits("mission-1", GRADES),
    "mission-2": exits("mission-2", GRADES),
    "mission-3": prime("mission-3", ("major", "major", "minor", "minor", "draw", "loss")),
    "campaign-1": exits("campaign-1", PASSED),
    "campaign-2": exits("campaign-2", PASSED),
    "campaign-3": prime("campaign-3", (*["epic_victory"] * 4, "campaign_lost", "campaign_lost")),
}


@pytest.mark.parametrize("mission", MISSIONS)
def test_sma_gen_3_every_ending_and_every_result_of_a_briefing(mission: str) -> None:
    """SMA-END-7, SMA-END-8, SMA-END-10, SMA-CAMP-4, SMA-CAMP-21: row by row of what the briefing says."""
    for reason, result, play in MISSIONS[mission]:
        ended = the(play().log, LevelEnded)
        assert (ended.reason, ended.result) == (reason, result)


def test_the_cases_are_all_the_briefings_with_all_their_endings_and_results() -> None:
    """SMA-COMP-13."""
    assert tuple(MISSIONS) == tuple(mission.id for mission in CATALOGUE.missions.values())
    assert len(MISSIONS) == 6
    for mission in CATALOGUE.missions.values():
        assert {reason for reason, _, _ in MISSIONS[mission.id]} == set(mission.ends)
        assert {result for _, result, _ in MISSIONS[mission.id]} == {row.result for row in mission.results}


@pytest.mark.parametrize(
    ("mission", "kills", "fails", "works"),
    [
        ("mission-1", 0, 5, 6),
        ("mission-1", 3, 5, 6),
        ("campaign-1", 3, 5, 6),
        ("mission-2", 2, 5, 6),
        ("mission-2", 5, 4, 5),
        ("campaign-2", 2, 5, 6),
        ("campaign-2", 5, 4, 5),
    ],
)
def test_sma_con_2_and_sma_con_7_the_console_of_a_briefing(mission: str, kills: int, fails: int, works: int) -> None:
    """6 on the die at Level 1 whatever was destroyed; at Level 2 8 with 1 for each Lictor, three at most."""
    level = game(mission, marines={"MAX": "f8", "ADR": "V1"}, turn="MAX", kills={"lictor": kills})
    assert not the(level.do("con", fails), ConsoleTried).success
    assert the(level.do("con", works, *BULKHEADS), ConsoleTried).success


@pytest.mark.parametrize("mission", ["mission-3", "campaign-3"])
def test_sma_con_1_the_briefings_of_level_3_have_no_console(mission: str) -> None:
    level = game(mission, marines={"MAX": "f7"}, turn="MAX")
    assert level.why("con") == "SMA-CON-1"
    assert level.tyranids == {"f8": "prime"}


# Challenges


def hive_alarm(card: str) -> None:
    """The console is activated: the round after has one Tyranid card more."""
    level = laid(marines={"MAX": "f8", "ADR": "V1"}, turn="MAX", activation=[], dares=[card], bag=[])
    assert the(level.do("con", 6, *BULKHEADS), ChallengeTriggered).challenge == card
    assert added(level) == 1


def cleanse_and_burn(card: str) -> None:
    """Nine destroyed and four on the exit tile are a draw, ten a major victory."""
    for kills, result in (({"termagant": 8, "lictor": 1}, "draw"), ({"termagant": 8, "genestealer": 2}, "major")):
        assert objective(card, 1, kills) == result


def blood_scent(card: str) -> None:
    """The first wound, whoever has it; the second brings no second card."""
    level = laid(
        marines={"MAX": "h2", "ADR": "h4", "RAP": "V4"},
        tyranids={"h3": "termagant"},
        activation=["act-tyranid-1"],
        dares=[card],
        options=Options(level=2),
    )
    events = level.do("next", "act-tyranid-1", "INF-2-23", 3, 3)
    assert the(events, ChallengeTriggered).challenge == card
    assert level.state.deck.count("act-tyranid-5") == 1
    assert "act-tyranid-6" not in level.state.deck


def trophy_hunt(card: str) -> None:
    """Three Lictors; other kills are no trophies."""
    for kills, result in (({"lictor": 2, "genestealer": 5}, "draw"), ({"lictor": 3}, "major")):
        assert objective(card, 2, kills) == result


def adrenal_glands(card: str) -> None:
    """The third counter is placed, the fourth would be: the Prime dies."""
    level = laid(
        marines={"ADR": "f6", "MAX": "V1"}, damage=2, turn="ADR", dares=[card], bag=[], options=Options(level=3)
    )
    assert the(level.do("at f8", 6), PrimeDamaged).damage == 3
    destroyed = the(level.do("at f8", 6), PrimeDestroyed)
    assert destroyed.rule == "SMA-ADV-11"
    assert level.state.dares == (card,)


def death_throes(card: str) -> None:
    """A Tyranid card for each damage counter."""
    level = laid(
        marines={"ADR": "f6", "MAX": "V1"}, turn="ADR", activation=[], dares=[card], bag=[], options=Options(level=3)
    )
    for count in (1, 2):
        events = level.do("at f8", 6)
        assert (the(events, PrimeDamaged).damage, the(events, ChallengeTriggered).challenge) == (count, card)
    assert added(level) == 2


def added(level: Level) -> int:
    """How many extra Tyranid cards the next round's deck has, once the turn is over."""
    before = len(level.state.deck)
    level.do("end")
    assert set(level.state.deck) & set(EXTRA) == set(EXTRA[: len(level.state.deck) - before])
    return len(level.state.deck) - before


def objective(card: str, number: int, kills: dict[str, int]) -> str:
    """The result of four Marines on the exit tile with that challenge and those kills."""
    on_tile = {"ADR": "X4", "RAP": "X3", "LUK": "X2"}
    level = laid(
        marines={**on_tile, "MAX": "m10"},
        exit="B",
        turn="MAX",
        dares=[card],
        kills=kills,
        options=Options(level=number),
    )
    events = level.do("mv X1")
    ended = the(events, LevelEnded)
    assert [event.challenge for event in of(events, ChallengeFailed)] == [card] * (ended.result == "draw")
    return ended.result


CHALLENGES: dict[str, Callable[[str], None]] = {
    "CHA-1-1": hive_alarm,
    "CHA-1-2": cleanse_and_burn,
    "CHA-2-1": blood_scent,
    "CHA-2-2": trophy_hunt,
    "CHA-3-1": adrenal_glands,
    "CHA-3-2": death_throes,
}


@pytest.mark.parametrize("card", CHALLENGES)
def test_sma_adv_12_a_challenge_does_what_its_text_says(card: str) -> None:
    """SMA-ADV-11, SMA-ADV-12, SMA-ADV-13."""
    CHALLENGES[card](card)


def test_the_scenes_are_all_the_challenges() -> None:
    assert tuple(CHALLENGES) == tuple(CATALOGUE.challenges)
    assert len(CHALLENGES) == 6
