"""The bot plays for the mission: Lictors at Level 2, the Prime at Level 3, challenges, the campaign."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from helpers import Level, drawn

from warptape.domain.chance import Fate, Luck
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures import RULESET, steps
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.bot_aims import bounty, console_chance, console_short, hunted, required
from warptape.domain.space_marine_adventures.bot_cards import PREFERENCE, preference
from warptape.domain.space_marine_adventures.bot_outlook import a_round
from warptape.domain.space_marine_adventures.bot_plan import Plan
from warptape.domain.space_marine_adventures.bot_prime import FINAL, GUARD, HIT, LAST_GUARD
from warptape.domain.space_marine_adventures.bot_raid import best_raid
from warptape.domain.space_marine_adventures.bot_routes import Goal, worker
from warptape.domain.space_marine_adventures.bot_turn import Acting
from warptape.domain.space_marine_adventures.bots import sensible
from warptape.domain.space_marine_adventures.positions import position
from warptape.domain.space_marine_adventures.state import LevelState, Options

GAMES = 40
WON = {"major", "minor", "epic_victory"}


def said(where: LevelState | Level) -> str:
    """What the bot does in a position, in notation; it is legal, and the position is left alone."""
    rules, state = (where.rules, where.state) if isinstance(where, Level) else (RULESET, where)
    decision, before = rules.decision(state), state.copy()
    assert decision is not None
    action = sensible(rules, state, decision, Luck("x"))
    assert action in decision.actions
    assert state == before
    return rules.notation(state, action)


def plan(where: LevelState | Level) -> Plan:
    rules, state = (where.rules, where.state) if isinstance(where, Level) else (RULESET, where)
    return Plan(rules.book, state)


def acting(state: LevelState) -> Acting:
    decision = RULESET.decision(state)
    assert decision is not None
    assert state.turn is not None
    return Acting(Plan(RULESET.book, state), state.turn, decision.actions)


def hall(**given: Any) -> LevelState:
    """Level 2 on the face 1-up; its console is on f8."""
    return position("1-up", level=2, **given)


def lair(**given: Any) -> LevelState:
    """Level 3 on the face 1-up; the Prime is on f8, between f7, g8 and f9."""
    return position("1-up", level=3, **given)


# Whole games


@pytest.mark.parametrize(
    ("options", "least", "most"),
    [(Options(level=2), 0.35, 0.75), (Options(level=3), 0.4, 0.8), (Options(mode="campaign"), 0.06, 0.45)],
    ids=["level 2", "level 3", "campaign"],
)
def test_it_wins_at_least_as_often_as_a_squad_that_plays_by_rule_of_thumb(
    options: Options, least: float, most: float
) -> None:
    """The bounds lie wide around what 1,000 games gave; see the page on the bots."""
    results: Counter[str] = Counter()
    for n in range(GAMES):
        match = Match(RULESET, Fate(f"sample {n}"), options, keep=False, luck=f"sample {n}")
        match.play({"team": "sensible"})
        assert match.outcome is not None
        results[match.outcome.result] += 1
    assert least <= sum(results[result] for result in WON) / GAMES <= most


@pytest.mark.parametrize(
    "options",
    [
        Options(level=2, sight="any_angle", corner="either_flank", range_count="exclusive", challenges="all"),
        Options(level=3, sight="any_angle", corner="either_flank", range_count="exclusive", challenges="all"),
        Options(level=3, skull_cards="all", blast_adjacent="eight", frag_needs_sight=False),
        Options(mode="campaign", challenges="ask", skull_cards="ask", dock="free_order", left_behind_calls=True),
        Options(mode="campaign", challenges="all", skull_cards="all", used_cards="out_for_campaign", short_bag="team"),
    ],
    ids=["level 2", "level 3", "skulls", "asked", "all"],
)
def test_it_has_a_legal_answer_everywhere_and_plays_alike_in_two_worlds(options: Options) -> None:
    """In games that run wild: legal at every decision, the position untouched, and blind to what nobody has seen."""
    met = 0
    for n in range(4):
        luck = Luck("wild", n)
        match = Match(RULESET, Fate(f"wild {n}"), options, keep=False)
        while (decision := match.decision) is not None:
            state, before = match.state, match.state.copy()
            action = sensible(RULESET, state, decision, Luck("x"))
            assert action in decision.actions
            assert state == before
            if not met % 7:
                world = RULESET.determinize(state.copy(), "team", Luck(str(met)))
                assert sensible(RULESET, world, decision, Luck("x")) == action
            match.act(action if luck.below(4) else luck.choice(decision.actions))
            met += 1
    assert met > 400


# Level 2: Lictors are the key


def test_a_lictor_is_hunted_while_its_kill_is_the_key_to_the_console() -> None:
    """SMA-CON-7: eight are needed, one for each Lictor, three at most."""
    tyranids = {"f3": "lictor", "l4": "termagant"}
    first = hall(marines={"ADR": "f6", "MAX": "V1"}, tyranids=tyranids)
    square = plan(first).ground.index["f3"]
    assert console_short(RULESET.book, first) == 2
    assert hunted(plan(first)) == {square}
    third = hall(marines={"ADR": "f6", "MAX": "V1"}, tyranids=tyranids, kills={"lictor": 2})
    assert console_short(RULESET.book, third) == 0
    assert bounty(plan(first), square) > bounty(plan(third), square) > 0
    done = hall(marines={"ADR": "f6", "MAX": "V1"}, tyranids=tyranids, kills={"lictor": 3})
    assert hunted(plan(done)) == frozenset()
    assert bounty(plan(done), square) == 0


def test_it_goes_where_it_sees_the_lictor_and_shoots() -> None:
    """Entry 1 of this face is f3; from f6 it is three squares off."""
    tyranids = {"f3": "lictor"}
    assert said(hall(marines={"ADR": "f6", "MAX": "V1"}, tyranids=tyranids, turn="ADR")) == "at f3"
    state = hall(marines={"LUK": "e6", "MAX": "V1"}, tyranids=tyranids, turn="LUK")
    goal = Goal(plan(state), "LUK")
    assert (goal.fighting, goal.working, goal.distance) == (True, False, 1)
    assert said(state) == "mv f6"


def test_the_console_is_left_alone_while_no_roll_can_work_it() -> None:
    """SMA-CON-3, SMA-CON-7."""
    for lictors, tried in ((0, False), (1, False), (2, True), (3, True)):
        state = hall(marines={"ADR": "f8", "MAX": "V1"}, kills={"lictor": lictors}, turn="ADR")
        assert (said(state) == "con") is tried
        assert console_chance(plan(state)) == pytest.approx(max(0, lictors - 1) / 6)


def test_the_rite_of_override_is_used_at_the_console_and_whoever_holds_it_works_there() -> None:
    given: dict[str, Any] = {"marines": {"MAX": "f8", "ADR": "V1"}, "cards": {"MAX": ["SP-22"]}, "turn": "MAX"}
    assert said(hall(kills={"lictor": 1}, **given)) == "sp SP-22"
    assert said(hall(kills={"lictor": 1}, actions=1, **given)) != "sp SP-22"
    apart = {"MAX": "f6", "ADR": "f5"}
    assert worker(plan(hall(marines=apart))) == "MAX"
    assert worker(plan(hall(marines=apart, cards={"ADR": ["SP-22"]}))) == "ADR"


# Level 3: the Prime


def test_guards_are_shared_out_and_the_last_one_is_worth_most() -> None:
    """SMA-PRIME-5: the Prime cannot be harmed while another Tyranid is adjacent to it."""
    marines = {"ADR": "f4", "LUK": "f12", "VOR": "j8"}
    guards = {"f7": "termagant", "g8": "termagant", "f9": "termagant"}
    three = plan(lair(marines=marines, tyranids=guards)).assault
    assert three is not None
    index = three.outlook.ground.index
    assert set(three.guards) == {index[name] for name in guards}
    assert index["f6"] in three.posts("ADR")
    assert index["f10"] in three.posts("LUK")
    assert index["h8"] in three.posts("VOR")
    assert not three.posts("ADR") & three.posts("LUK")
    assert three.value(index["f7"]) == GUARD
    one = plan(lair(marines=marines, tyranids={"f7": "termagant"})).assault
    assert one is not None
    assert one.value(index["f7"]) == LAST_GUARD


def test_an_open_prime_is_shot_at() -> None:
    state = lair(marines={"ADR": "f5", "LUK": "V1"}, turn="ADR", damage=2)
    assert said(state) == "at f8"
    assault = plan(state).assault
    assert assault is not None
    assert (assault.left, assault.value(assault.prime)) == (1, FINAL)
    fresh = plan(lair(marines={"ADR": "f5", "LUK": "V1"})).assault
    assert fresh is not None
    assert fresh.value(fresh.prime) == HIT


def test_adrenal_glands_are_counted() -> None:
    """SMA-ADV-11: only a fourth damage counter destroys the Prime."""
    assault = plan(lair(marines={"ADR": "f5", "LUK": "V1"}, damage=2, dares=["CHA-3-1"])).assault
    assert assault is not None
    assert assault.left == 2


def test_nobody_walks_past_the_prime() -> None:
    """From f10 the way to the guard on f7 leads round the board, not through f8 (SMA-PRIME-7)."""
    state = lair(marines={"RAP": "f10", "LUK": "V1"}, tyranids={"f7": "termagant"})
    assault = plan(state).assault
    assert assault is not None
    index = assault.outlook.ground.index
    assert index["f8"] not in assault.grid.neighbours[index["f9"]]
    assert Goal(assault_plan := plan(state), "RAP").way(assault_plan, index["f10"]) != index["f8"]


def test_it_keeps_clear_of_the_brood_unless_the_next_hit_is_the_last() -> None:
    """SMA-PRIME-6: on f9 a counter would strike him, on f10 he would be beside one; on g10 nothing is near."""
    assault = plan(lair(marines={"MAX": "g10", "LUK": "V1"})).assault
    assert assault is not None
    index = assault.outlook.ground.index
    close, beside, clear = (assault.reprisal(index[name]) for name in ("f9", "f10", "g10"))
    assert close > beside > clear == 0
    last = plan(lair(marines={"MAX": "g10", "LUK": "V1"}, damage=2)).assault
    assert last is not None
    assert last.reprisal(index["f9"]) == 0


def test_it_steps_up_to_shoot_and_steps_back_with_its_last_action() -> None:
    """A guard on f9 is seen from h11 and f10; beside the brood nobody stays if he can help it."""
    guards = {"f9": "genestealer", "f7": "genestealer", "g8": "genestealer"}
    up = lair(marines={"ADR": "h12", "LUK": "V1"}, turn="ADR", tyranids=guards)
    gain, post = best_raid(acting(up))
    assert gain > 0
    assert RULESET.book.field(up).ground.names[post] == "h11"
    assert said(up) == "mv h11"
    near: dict[str, Any] = {"marines": {"ADR": "f10", "LUK": "V1"}, "turn": "ADR", "tyranids": guards}
    assert said(lair(actions=2, **near)) == "at f9"
    assert said(lair(actions=1, **near)) == "mv g10"


def test_cards_that_hurt_the_prime_come_first_where_it_is_and_the_rite_where_lictors_count() -> None:
    for level, first in ((2, "rite-of-override"), (3, "melta-charge")):
        order = preference(RULESET.book, position("1-up", level=level, marines={"MAX": "V1"}))
        assert sorted(order) == sorted(PREFERENCE)
        assert order.index(first) < PREFERENCE.index(first)
    assert preference(RULESET.book, position("1-up", marines={"MAX": "V1"})) == PREFERENCE


def test_a_melta_charge_and_hellfire_shells_are_used_on_the_open_prime() -> None:
    beside = lair(marines={"ADR": "f9", "LUK": "V1"}, cards={"ADR": ["SP-19"]}, turn="ADR", damage=2)
    assert said(beside) == "sp SP-19 f8"
    shells = lair(marines={"ADR": "f5", "LUK": "V1"}, cards={"ADR": ["SP-17"]}, turn="ADR")
    assert said(shells) == "sp SP-17"
    guarded = lair(marines={"ADR": "f5", "LUK": "V1"}, cards={"ADR": ["SP-17"]}, turn="ADR", tyranids={"g8": "lictor"})
    assert said(guarded) != "sp SP-17"


def test_an_order_is_not_given_for_a_shot_at_a_guarded_prime() -> None:
    """Adrix sees the Prime, but g8 is held: what he could gain is a Move or nothing (SMA-PRIME-5)."""
    marines = {"MAX": "f3", "ADR": "f5"}
    state = lair(marines=marines, tyranids={"g8": "lictor"}, turn="MAX", actions=0)
    decision = RULESET.decision(state)
    assert decision is not None
    order = act.Command("ADR")
    assert order in decision.actions
    level = Level(RULESET, state)
    if said(state) == "cmd ADR":
        level.do("cmd ADR")
        assert said(level) != "pass"


# Challenges


def test_kills_that_a_challenge_asks_for_are_worth_something_until_there_are_enough() -> None:
    """SMA-ADV-12: ten Tyranids at Level 1, three Lictors at Level 2."""
    tyranids = {"l4": "termagant"}
    for kills, worth in (({}, True), ({"termagant": 9}, True), ({"termagant": 6, "genestealer": 4}, False)):
        state = position("1-up", marines={"MAX": "V1"}, tyranids=tyranids, dares=["CHA-1-2"], kills=kills)
        assert bool(bounty(plan(state), plan(state).ground.index["l4"])) is worth
    trophy = hall(exit="C", marines={"MAX": "f12"}, tyranids={"f13": "lictor"}, dares=["CHA-2-2"], kills={"lictor": 1})
    assert [(effect.kind, short) for effect, short in required(RULESET.book, trophy)] == [("lictor", 2)]
    assert hunted(plan(trophy)) == {plan(trophy).ground.index["f13"]}


def test_the_last_one_keeps_off_the_exit_tile_while_a_challenge_is_not_met() -> None:
    """SMA-ADV-13: with nine kills the level would end as a draw; when the deck is nearly out it makes no odds."""
    marines = {"LUK": "f13", "ADR": "X1", "RAP": "X2", "VOR": "X3"}
    given: dict[str, Any] = {"exit": "C", "marines": marines, "turn": "LUK", "dares": ["CHA-1-2"]}
    assert said(position("1-up", kills={"termagant": 9}, **given)) == "end"
    assert said(position("1-up", kills={"termagant": 10}, **given)) == "mv X4"
    late = position("1-up", kills={"termagant": 9}, infestation=["INF-1-24"], **given)
    assert said(late) == "mv X4"


def test_extra_tyranid_cards_are_counted() -> None:
    """SMA-ADV-10: those that are due join the next round."""
    state = position("1-up", marines={"MAX": "V1"})
    assert a_round(RULESET.book, state) == 4
    state.due = ["CHA-1-1"]
    assert a_round(RULESET.book, state) == 5
    state.deck = (*state.deck, "act-tyranid-5")
    assert a_round(RULESET.book, state) == 6


# The campaign


def test_help_is_called_as_soon_as_it_may_be() -> None:
    """SMA-CAMP-13: in every campaign of these in which the question comes up."""
    asked = 0
    for n in range(8):
        match = Match(RULESET, Fate(f"call {n}"), Options(mode="campaign"), keep=False, luck=f"call {n}")
        while match.decision is not None:
            if type(match.state.pending[-1]) is steps.CallMarine:
                asked += 1
                action = sensible(RULESET, match.state, match.decision, Luck("x"))
                assert type(action) is act.Call
                match.act(action)
                continue
            match.act(sensible(RULESET, match.state, match.decision, Luck(str(n), match.state.decisions)))
    assert asked


def test_level_1_by_itself_is_played_as_it_always_was() -> None:
    """What the levels after it need changes nothing in it: no prey, no assault, the same order of cards."""
    state = drawn("#########\n#M..T...#\n#########", turn="MAX", objective="h2")
    assert plan(state).assault is None
    assert plan(state).prey == frozenset()
    assert console_short(RULESET.book, position("1-up", marines={"MAX": "V1"})) == 0
