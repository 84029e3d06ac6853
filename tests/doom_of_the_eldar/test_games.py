"""Whole games: what a reader can work out from the log alone, and two games that are kept, one for each winner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from expected_games import KEPT

from warptape.domain.chance import Fate, Luck
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar import actions as act
from warptape.domain.doom_of_the_eldar.events_battle import (
    AreaDevastated,
    MineDetonated,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.events_special import SwarmBarraged, YrielArrived
from warptape.domain.doom_of_the_eldar.events_turn import (
    AssaultEnded,
    GameEnded,
    MarkerMoved,
    PhaseBegan,
    QuietTurnsCounted,
    ReinforcementsLost,
    ReinforcementsRolled,
    SwarmArrived,
    TurnBegan,
)
from warptape.domain.doom_of_the_eldar.state import DoomState, Options
from warptape.domain.events import CounterRevealed, Event
from warptape.domain.referee import Match

SHIPS = ("GHO", "WSH", "SHA", "NWG", "RGH", "RWS")
ANYWHERE = ("FAR", "YRI")
CRAFTWORLD = ("spear", "tears", "redmoon", "souls", "singers", "shrine", "forests", "dreams", "nightmares")
SPACE = tuple(f"{kind}{number}" for kind in "ns" for number in range(1, 7))
QUICK = Options(setup="quickstart")
LONG = Options(setup="quickstart", stall_turns=0)
WILD = Options(
    setup="quickstart", track_layout="rows_of_15", track_advance="drawn", protoids_in_lid=3, stall_turns=4,
    hive_mind_end="counts", repeat_conversion_pool="separate", retreat_together="each_chooses",
)  # fmt: skip
PLANS = [
    *((f"any {n}", QUICK, 0, 0) for n in range(30, 54)),
    *((f"wild {n}", WILD, 0, 0) for n in range(14, 30)),
    *((f"idle {n}", QUICK, 85, 85) for n in range(20)),
    *((f"long {n}", LONG, 95, 95) for n in range(8)),
    *((f"shy {n}", QUICK, 0, 90) for n in range(12)),
]
"""Seeds, options, and of a hundred chances to end or stay how many the Eldar and the Tyranids take."""


def played(seed: str, options: Options, eldar: int, tyranid: int) -> Iterator[Match]:
    """Play a game at random, by seats more or less idle, and give the match at every decision and at the end."""
    match, luck = Match(RULESET, Fate(seed), options), Luck(seed, "actions")
    while (decision := match.decision) is not None:
        yield match
        idle = luck.below(100) < (eldar if decision.seat == "eldar" else tyranid)
        actions = decision.actions
        if idle and act.END in actions:
            match.act(act.END, decision.seat)
        else:
            match.act(luck.choice(actions), decision.seat)
    yield match


@pytest.fixture(scope="module")
def games() -> list[Match]:
    """Games of all kinds, played to their end."""
    return [list(played(*plan))[-1] for plan in PLANS]


def test_the_games_come_to_every_end_and_every_winner(games: list[Match]) -> None:
    ends = Counter(match.state.ended.reason for match in games)
    assert set(ends) == {"tyranids_gone", "areas_lost", "quiet_turns", "turn_bound"}
    assert {match.state.ended.winner for match in games} == {"eldar", "tyranid", ""}


# What can be worked out again from the log


def kinds(events: Sequence[Event], *wanted: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, wanted)]


def turns(match: Match) -> dict[int, list[Event]]:
    """The events of each turn."""
    found: dict[int, list[Event]] = {}
    number = 0
    for event in match.events:
        number = event.turn if isinstance(event, TurnBegan) else number
        found.setdefault(number, []).append(event)
    return found


def test_doe_seq_1_every_turn_has_its_phases_in_order(games: list[Match]) -> None:
    """And no reinforcements once the assault is over (DOE-REINF-6)."""
    order = [
        "tyranid_reinforcement", "tyranid_movement", "tyranid_combat", "eldar_special", "eldar_movement", "eldar_combat",
    ]  # fmt: skip
    for match in games:
        over, last = 0, match.state.turn
        for number, events in turns(match).items():
            phases = [event.phase for event in events if isinstance(event, PhaseBegan)]
            due = order[1:] if over else order
            assert phases == (due if number and number < last else due[: len(phases)])
            over = over or number * bool(kinds(events, AssaultEnded))


def test_doe_end_3_quiet_turns_are_counted_as_a_reader_counts_them(games: list[Match]) -> None:
    """A turn is quiet when no battle, barrage or detonation destroyed anything and no area fell in it."""
    for match in games:
        options, last, over, quiet = match.state.options, match.state.turn, 0, 0
        for number, events in turns(match).items():
            over = over or number * bool(kinds(events, AssaultEnded))
            ended = [event for event in events if isinstance(event, GameEnded)]
            told = [event.count for event in events if isinstance(event, QuietTurnsCounted)]
            if ended and ended[0].reason in ("tyranids_gone", "areas_lost"):
                continue
            before = quiet
            loud = kinds(events, UnitDestroyed, TyranidDestroyed, SwarmBarraged, MineDetonated, AreaDevastated)
            quiet = 0 if loud or not over else quiet + 1
            assert told == ([quiet] if quiet != before else []), (number, over)
            stalled = bool(options.stall_turns and quiet >= options.stall_turns)
            bound = bool(over and number == over + 20)
            assert bool(ended) == (number == last) == (stalled or bound)
            if ended:
                assert ended[0].reason == ("quiet_turns" if stalled else "turn_bound")


def test_doe_vp_1_to_5_the_score_is_that_of_the_map_and_of_the_track_at_the_end(games: list[Match]) -> None:
    for match in games:
        state, (ended,) = match.state, kinds(match.events, GameEnded)
        assert isinstance(ended, GameEnded)
        fallen = [event.area for event in match.events if isinstance(event, AreaDevastated)]
        lost = [event.unit for event in match.events if isinstance(event, UnitDestroyed)]
        rows = 15 if state.options.track_layout == "rows_of_15" else 10
        assert len({*fallen}) == len(fallen)
        assert ended.tyranid == len(fallen) + ("WRG" in lost) + ("AVA" in lost)
        assert ended.eldar == state.marker // rows + (rows == 15)
        difference = ended.eldar - ended.tyranid
        assert ended.winner == ("eldar" if difference > 0 else "tyranid" if difference < 0 else "")


def test_doe_track_1_to_8_the_marker_is_where_the_dice_have_brought_it(games: list[Match]) -> None:
    """Rolled (or drawn, by the option), never beyond 89, and over just when a listed double fell or 89 was reached."""
    for match in games:
        marker, over, rows = 0, "", 15 if match.state.options.track_layout == "rows_of_15" else 10
        for events in turns(match).values():
            rolled = [event for event in events if isinstance(event, ReinforcementsRolled)]
            assert not (over and rolled)
            for roll in rolled:
                one, other = roll.dice
                row = marker // rows
                if one == other and one <= row:
                    over, due = "double", 0
                else:
                    due = min(one + other, 89 - marker)
                come = len(kinds(events, SwarmArrived))
                lost = sum(event.count for event in events if isinstance(event, ReinforcementsLost))
                assert (roll.due, come + lost) == (due, due)
                before = marker
                marker += come if match.state.options.track_advance == "drawn" else due
                over = over or ("track" if marker == 89 else "")
                moved = [event.to for event in events if isinstance(event, MarkerMoved)]
                assert moved == ([marker] if marker != before else [])
            assert [event.reason for event in events if isinstance(event, AssaultEnded)] == (
                [over] if over and rolled else []
            )
        assert match.state.marker == marker


def test_doe_yriel_1_he_comes_just_when_the_shrine_has_fallen(games: list[Match]) -> None:
    """In the E Special Actions of that turn, or of the next if it fell after them; once in a game (DOE-YRIEL-4)."""
    seen = Counter[bool]()
    for match in games:
        story = kinds(match.events, PhaseBegan, AreaDevastated, YrielArrived)
        calls = [number for number, event in enumerate(story) if getattr(event, "area", "") == "shrine"]
        due = []
        for call in calls[:1]:
            later = [n for n, e in enumerate(story) if n > call and getattr(e, "phase", "") == "eldar_special"]
            due = [later[0] + 1] if later else []
        came = [number for number, event in enumerate(story) if isinstance(event, YrielArrived)]
        assert came == due
        seen[bool(came)] += 1
    assert seen[True] > 10
    assert seen[False] > 10


# At every decision


def right_places(state: DoomState) -> None:
    """Nothing is where the rules never let it be (DOE-MOVE-9, -10, -13, DOE-REVEAL-1, DOE-LOSS-4, -7)."""
    for unit, place in state.units.items():
        if place in CRAFTWORLD:
            assert not unit.startswith(SHIPS), unit
        elif place in SPACE:
            assert unit.startswith((*SHIPS, *ANYWHERE)), unit
        elif place.endswith("_spacecraft"):
            assert unit.startswith(SHIPS), unit
        elif place.endswith("_ground"):
            assert not unit.startswith((*SHIPS, *ANYWHERE, "AVA", "WRG")), unit
        elif place == "out":
            assert unit in (*ANYWHERE, "AVA", "WRG")
    for area, stack in state.stacks.items():
        assert stack
        for token in stack:
            if area in CRAFTWORLD:
                assert token in state.face
            elif token in state.face:
                assert state.face[token] == "HM"
    assert sorted([*state.fortified, *state.devastated]) == sorted(CRAFTWORLD)


def limits_kept(state: DoomState) -> None:
    """At most three that count in a Craftworld area, for either side (DOE-STACK-1, -3, -4)."""
    for area in CRAFTWORLD:
        eldar = [unit for unit in state.eldar.get(area, ()) if unit not in ("AVA", "WRG", "FAR")]
        tyranid = [token for token in state.stacks.get(area, ()) if state.face[token] != "HM"]
        assert len(tyranid) <= 3
        assert len(eldar) <= 3 or state.phase in ("eldar_special", "eldar_movement")


@pytest.mark.parametrize("number", range(0, len(PLANS), 9))
def test_at_every_decision_everything_is_where_it_may_be(number: int) -> None:
    for match in played(*PLANS[number]):
        right_places(match.state)
        if match.state.phase != "tyranid_movement":
            limits_kept(match.state)


def test_doe_reveal_4_what_is_face_up_stays_face_up(games: list[Match]) -> None:
    """A token is shown to all once at most, and never again hidden: it leaves the map by its face."""
    for match in games:
        shown = [event.token for event in match.events if isinstance(event, CounterRevealed) and event.seen_by is None]
        assert len({*shown}) == len(shown)


# Two games that are kept


@pytest.mark.parametrize("winner", KEPT.games)
def test_the_kept_games_end_as_their_names_say(winner: str) -> None:
    game = KEPT.play(winner)
    assert game.outcome is not None
    assert game.outcome.result == winner
    assert game.audit().ok


@pytest.mark.parametrize("name", KEPT.stories)
def test_the_kept_games_are_told_as_they_were(name: str) -> None:
    """A change of these files is to be read: `python tests/doom_of_the_eldar/expected_games.py --write`."""
    assert KEPT.told(name).splitlines() == KEPT.was_told(name).splitlines()


def test_the_story_told_to_the_eldar_is_the_whole_one_without_the_tyranids_secrets() -> None:
    """Word for word but for what Swarms are and the mine's order: it adds nothing, and what it leaves out is theirs."""
    game = KEPT.play("eldar")
    whole = game.transcript("txt").split()
    part = game.transcript("txt", seat="eldar").split()
    left = Counter(whole)
    left.subtract(Counter(part))
    names = {word for counter in RULESET.book.counters.values() for word in counter.name.split()}
    secret = {word for word in left if left[word] > 0}
    bare = {word.strip("().:,") for word in secret}
    assert bare <= {*names, "mine", "-", "3", *(word.strip("().:,") for word in part)}


def test_rolls_of_a_turn_come_in_the_order_of_its_tokens(games: list[Match]) -> None:
    """DOE-REINF-4: tokens are numbered in the order in which they were drawn, across the whole game."""
    for match in games:
        tokens = [event.token for event in match.events if isinstance(event, SwarmArrived)]
        assert all(int(one[1:]) + 1 == int(other[1:]) for one, other in pairwise(tokens))
        assert tokens[:1] in (["#01"], [])
