"""The bots: what they win, that they repeat themselves, what they see, and that no position is too odd for them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from doom import Play, play, where

from warptape.domain.chance import Fate, Luck
from warptape.domain.doom_of_the_eldar import RULESET, steps
from warptape.domain.doom_of_the_eldar.bot_odds import Beast, Odds, Vessel, again, volley
from warptape.domain.doom_of_the_eldar.bots import sensible
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.state import DoomState, Options
from warptape.domain.events import Question
from warptape.domain.referee import Match

QUESTIONS = {step for step in steps.STEPS if issubclass(step, Question)}


def answer(state: DoomState) -> Any:
    """What the bot does in a position, seeing its seat's view; it must be legal and leave the position alone."""
    decision = RULESET.decision(state)
    assert decision is not None
    seen = RULESET.view(state, decision.seat)
    asked = RULESET.decision(seen)
    assert asked is not None
    before = seen.copy()
    action = sensible(RULESET, seen, asked, Luck("x"))
    assert action in decision.actions
    assert seen == before
    return action


def whole(seed: str, options: Options | None = None, **bots: str) -> Match:
    match = Match(RULESET, Fate(seed), options, luck=seed)
    assert match.play({"eldar": "sensible", "tyranid": "sensible", **bots}) is not None
    return match


# Whole games


@pytest.mark.parametrize("games", [8, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("seat", "other"), [("eldar", "tyranid"), ("tyranid", "eldar")])
def test_it_beats_chance(seat: str, other: str, games: int) -> None:
    results = Counter(whole(f"chance {n}", **{other: "random"}).outcome.result for n in range(games))  # type: ignore[union-attr]
    assert results[seat] >= games * 0.87


VARIANTS = [
    Options(),
    Options(track_advance="drawn", odds_below_table="annihilate", odds_above_table="annihilate"),
    Options(avatar_and_fort="add", hive_mind_end="counts", protoids_in_lid=3, retreat_together="each_chooses"),
    Options(
        hive_mind_end="dies_alone", knights_origin="iyanden", repeat_conversion_pool="separate", setup="quickstart"
    ),
    Options(stall_turns=0, track_layout="rows_of_15", eldar_sees_losses=True, retreat_together="each_chooses"),
]


@pytest.mark.parametrize("games", [15, pytest.param(100, marks=pytest.mark.slow)])
def test_it_has_an_answer_to_every_question_anywhere(games: int) -> None:
    """From the positions of games that run wild, under all options: at each of them its action is legal."""
    met: Counter[type] = Counter()
    for n in range(games):
        luck = Luck("wild", n)
        match = Match(RULESET, Fate(f"wild {n}"), VARIANTS[n % len(VARIANTS)], keep=False)
        for _ in range(1500):
            if match.decision is None:
                break
            met[type(match.state.pending[-1])] += 1
            action = answer(match.state)
            wild = luck.below(3) == 0 and not isinstance(match.state.pending[-1], steps.SetUp)
            match.act(luck.choice(match.decision.actions) if wild else action)
        assert match.decision is None
    assert QUESTIONS - met.keys() == set()


def test_what_it_does_follows_from_what_its_seat_sees() -> None:
    """Another world that looks the same to its seat, and other luck, give the same action; the Eldar see no Swarm."""
    differed = 0
    for n in range(3):
        match = Match(RULESET, Fate(f"worlds {n}"), keep=False)
        while match.decision is not None:
            seat, state = match.decision.seat, match.state
            seen = RULESET.view(state, seat)
            world = RULESET.determinize(seen, seat, Luck("world", state.decisions))
            differed += any(world.counter(token) != state.counter(token) for token in state.swarms)
            action = answer(state)
            decision = RULESET.decision(RULESET.view(world, seat))
            assert decision is not None
            assert sensible(RULESET, RULESET.view(world, seat), decision, Luck("y")) == action
            match.act(action)
    assert differed > 200


def test_a_game_repeats_itself_for_its_seed() -> None:
    assert whole("twice").events == whole("twice").events
    assert whole("twice").events != whole("thrice").events


# Odds, worked out by hand


ODDS = Odds(RULESET.book, Options())
HORDE = Beast(0.2, 12, 12)


def test_a_lone_avatar_is_lost_to_a_horde_and_may_take_it_along() -> None:
    """DOE-CW-9: defence 0 is 3-1, of which 1 and 2 cost both sides one and the rest leave the area to the Horde."""
    company = ODDS.company(["AVA"])
    found = ODDS.assault(company, (HORDE,), 1.0, True, "tyranid")
    assert found == pytest.approx(ODDS.worth["AVA"] + 4 / 6 * 1.0 - 2 / 6 * 0.2)
    assert ODDS.siege(company, (HORDE,), 1.0, False, "eldar") == 0, "nothing keeps him in an area that has fallen"


def test_a_side_leaves_a_siege_when_that_is_better() -> None:
    """A Guardian of attack 4 against 36: at 1-3 he is lost whatever is rolled, and the area with him."""
    company, pack = ODDS.company(["GUA1"]), (HORDE,) * 3
    forced = ODDS.assault(company, pack, 1.0, True, "eldar")
    assert forced == pytest.approx(ODDS.worth["GUA1"] + 1.0 - 2 / 6 * 0.2)
    assert ODDS.siege(company, pack, 1.0, True, "eldar") == 1.0
    assert ODDS.siege((), pack, 1.0, True, "tyranid") == 1.0
    assert ODDS.siege(company, (), 1.0, True, "tyranid") == 0.0
    weak = (Beast(0.5, 1, 1),)
    titan = ODDS.company(["TIT"])
    assert ODDS.assault(titan, weak, 1.0, True, "tyranid") < 0 == ODDS.siege(titan, weak, 1.0, True, "tyranid")


def test_a_reroll_is_worth_the_better_of_each_face_and_the_mean() -> None:
    """DOE-REROLL-2: who holds it rolls again what is worse than the mean."""
    assert again([0, 0, 0, 3, 3, 6], None) == 2
    assert again([0, 0, 0, 3, 3, 6], max) == pytest.approx((3 * 2 + 3 + 3 + 6) / 6)
    assert again([0, 0, 0, 3, 3, 6], min) == pytest.approx((0 + 3 * 2) / 6)
    company, pack = ODDS.company(["ASP1", "ASP2", "FAR"]), (HORDE, HORDE)
    with_eldar, plain, with_mind = (
        ODDS.assault(company, pack, 1.0, True, "tyranid", holder) for holder in ("eldar", "", "tyranid")
    )
    assert with_eldar < plain < with_mind
    assert dict(volley((0, 0, 1, 1, 1, 2), "")) == pytest.approx({0: 2 / 6, 1: 3 / 6, 2: 1 / 6})
    assert dict(volley((0, 0, 1, 1, 1, 2), "many")) == pytest.approx({0: 4 / 36, 1: 24 / 36, 2: 8 / 36})
    assert dict(volley((0, 0, 1, 1, 1, 2), "few")) == pytest.approx({0: 20 / 36, 1: 12 / 36, 2: 4 / 36})


def test_a_battle_in_space_goes_on_to_its_end_or_to_the_retreat() -> None:
    """Forty against one Swarm: every roll destroys it (DOE-SPACE-8). A Nightwing alone against ten had better flee."""
    fleet = (Vessel(0.1, 10),) * 4
    assert ODDS.clash(fleet, 1, 0.2, "", True) == pytest.approx(0.2)
    one = (Vessel(0.08, 4),)
    flee, stay = ODDS.clash(one, 10, 0.2, "", True), ODDS.clash(one, 10, 0.2, "", False)
    assert stay <= flee < 0
    # Column 60+ for the Swarms costs it at once, whatever is rolled; it may hit first, on a 6.
    assert flee == pytest.approx(0.2 / 6 - 0.08)
    # Against one Swarm without a way out: 1/6 to hit, else 1/2 to be hit, else again; the first round is one of these.
    duel = ODDS.clash(one, 1, 0.2, "", False)
    assert duel == pytest.approx((0.2 / 6 - 0.08 * 5 / 6 / 2) / (1 - 5 / 12))


# Positions with one right answer


def said(state: DoomState) -> str:
    """What the bot does in a position, in notation."""
    return RULESET.notation(state, answer(state))


def test_the_fleet_sails_to_a_swarm_that_it_can_beat_and_from_one_that_it_cannot() -> None:
    fleet = "GHO WSH1 WSH2 WSH3 WSH4 SHA1 SHA2"
    assert said(position("eldar_movement", eldar={"n4": fleet}, tyranid={"n3": "TH1"})).endswith(" n3")
    swarms = "TH1 TH2 TH3 TH4 GH1 GH2 GH3 GH4 HS1 HS2"
    assert said(position("eldar_movement", eldar={"n3": "NWG1"}, tyranid={"n2": swarms})) != "mv NWG1 n2"
    assert said(position("eldar_movement", eldar={"n2": "NWG1"}, tyranid={"n2": swarms})).startswith("mv NWG1")


def test_swarms_close_in_and_land_where_nobody_is() -> None:
    held = {"tears": "ASP1 ASP2 ASP3 AVA", "dreams": "TIT EXA TEM"}
    assert said(position("tyranid_movement", eldar=held, tyranid={"n2": "TH1"})) == "mv #01 souls"
    assert said(position("tyranid_movement", eldar=held, tyranid={"s2": "TH1"})) in ("mv #01 n2", "mv #01 n3")
    assert said(position("tyranid_movement", eldar=held, tyranid={"tears": "RW1"})) != "end", "it leaves a lost battle"


def test_the_hive_mind_shows_itself_for_an_attack_and_goes_where_it_is() -> None:
    eldar = {"tears": "GUA1 GUA2"}
    before = position("tyranid_movement", eldar=eldar, tyranid={"n1": "TH1 TH2 TH3", "n4": "HM"})
    assert said(before) == "reveal #04"
    after = position(
        "tyranid_movement", eldar=eldar, tyranid={"tears": "TH1 TH2 TH3", "n4": "HM"}, shown=["HM"],
        moved=["#01", "#02", "#03"],
    )  # fmt: skip
    assert said(after) == "mv HM tears"
    alone = position("tyranid_movement", eldar=eldar, tyranid={"s4": "HM"})
    assert not said(alone).startswith("reveal")


def test_reinforcements_go_where_they_save_an_area() -> None:
    eldar = {"forests": "ASP1 ASP2", "souls": "GUA1", "dreams": "AVA"}
    state = position("eldar_movement", eldar=eldar, tyranid={"souls": "RW1"})
    assert said(state) in ("mv ASP1 souls", "mv ASP2 souls")


@pytest.mark.parametrize(("roll", "answer"), [(1, "rr"), (2, "rr"), (5, "keep"), (6, "keep")])
def test_the_farseer_rolls_again_what_is_worse_than_the_mean(roll: int, answer: str) -> None:
    """DOE-REROLL-4: 18 against two Swarms, a 1 or 2 destroys none, a 6 both."""
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 WSH3 FAR"}, tyranid={"n2": "TH1 TH2"})
    game.do("fight n2", roll)
    assert game.asked == "Reroll"
    assert said(game.state) == answer


@pytest.mark.parametrize(("roll", "answer"), [(6, "rr"), (5, "rr"), (1, "keep"), (2, "keep")])
def test_he_has_the_enemys_die_rolled_again_if_it_is_good(roll: int, answer: str) -> None:
    """DOE-REROLL-4: 20 against three ships: 1 destroys none, 5 and 6 destroy two."""
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 WSH3 FAR"}, tyranid={"n2": "TH1 TH2"})
    game.do("fight n2", 1)
    game.do("keep", roll)
    assert game.asked == "Reroll"
    assert said(game.state) == answer


@pytest.mark.parametrize(("roll", "answer"), [(1, "rr"), (6, "keep")])
def test_the_hive_mind_rolls_again_what_is_worse_than_the_mean(roll: int, answer: str) -> None:
    """DOE-REROLL-5: 36 against 16 is 2-1, where a 1 costs an attacker and a 6 destroys the defenders."""
    game = play("tyranid_combat", eldar={"tears": "GUA1 GUA2"}, tyranid={"tears": "TH1 TH2 TH3 HM"})
    game.do("fight tears", roll)
    assert game.asked == "Reroll"
    assert said(game.state) == answer


def test_it_loses_what_is_worth_least() -> None:
    """DOE-LOSS-1: one Swarm left of two destroys a ship with a 6; the Avatar is kept while others can go."""
    space = play("eldar_combat", eldar={"n2": "WSH1 WSH2 NWG1"}, tyranid={"n2": "TH1 TH2"})
    space.do("fight n2", 4, 6)
    assert said(space.state) == "lose NWG1"
    ground = play("tyranid_combat", eldar={"tears": "GUA1 ASP1 AVA"}, tyranid={"tears": "TH1 RW1"})
    ground.do("fight tears", 4)
    assert ground.asked == "Lose"
    assert said(ground.state) == "lose GUA1"


def test_it_breaks_off_a_battle_that_it_cannot_win_and_stays_in_one_that_it_can() -> None:
    """DOE-SPACE-4."""
    bad = play("eldar_combat", eldar={"n2": "NWG1 NWG2 NWG3"}, tyranid={"n2": "TH1 TH2 TH3 TH4"})
    bad.do("fight n2", 1, 1)
    bad.do(said(bad.state))
    assert said(bad.state).startswith("retreat ")
    good = play("eldar_combat", eldar={"n2": "GHO WSH1 WSH2 WSH3 WSH4"}, tyranid={"n2": "TH1 TH2"})
    good.do("fight n2", 1, 1)
    assert good.asked == "Retreat"
    assert said(good.state) == "stay"


def test_the_special_actions_are_made_and_the_best_comes_back() -> None:
    """DOE-SPEC-3 to -8: a vision of the Swarms beside the Craftworld, then all dice that may bring something."""
    state = position(
        "eldar_special",
        eldar={"n2": "WSH1", "destroyed_spacecraft": "GHO NWG1", "destroyed_ground": "ASP1", "tears": "GUA1"},
        tyranid={"n3": "TH1 TH2", "s6": "GH1 GH2 GH3"},
    )
    game = Play(state)
    assert said(state) == "use shrine n3"
    used = set()
    for _ in range(20):
        line = said(game.state)
        if line == "end":
            break
        used.add(line.split()[1] if line.startswith("use") else line.split()[0])
        game.do(line, *([5] if line.startswith("use") and line.split()[1] != "shrine" else []))
    assert used >= {"shrine", "spear", "tears", "redmoon", "souls", "singers", "forests", "place"}
    assert where(game.state, "GHO") in RULESET.book.space
    assert where(game.state, "ASP1") in RULESET.book.craftworld


def test_torpedoes_hit_what_may_land_next_and_is_strongest() -> None:
    """DOE-SPEC-3: of what a vision has shown, the Hive Tyrant rather than a Razorwing; not a Swarm in a sector."""
    state = position(
        "eldar_special", tyranid={"n3": "RW1 HT", "s6": "TH1"}, scried=["RW1", "HT"], pending=[steps.Hit(area="spear")]
    )
    assert said(state) == "hit #02"


def test_a_mine_aboard_bursts() -> None:
    """DOE-MINE-2."""
    game = play("tyranid_combat", eldar={"tears": "GUA1 GUA2"}, tyranid={"tears": "TH1 SM"})
    game.do("fight tears")
    assert said(game.state) == "det SM"


def test_it_sets_up_by_the_quick_start_from_any_half_done_set_up() -> None:
    """DOE-SETUP-5."""
    match = Match(RULESET, Fate("half"))
    match.act("set tears ASP1 ASP2")
    assert said(match.state) == "quickstart"
    match.act("quickstart")
    assert said(match.state) == "end"
