"""The bots: what they win, that they repeat themselves, what they see, and that no position is too odd for them."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hive import play

from warptape.domain.chance import Fate, Luck
from warptape.domain.events import Question
from warptape.domain.referee import Match
from warptape.domain.secrets import Sealed, bare
from warptape.domain.tyranid_attack import RULESET, bot_odds, steps
from warptape.domain.tyranid_attack.bots import sensible
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import Act, HiveState, Options
from warptape.domain.tyranid_attack.steps import (
    Aim,
    Arm,
    DeployOn,
    Drop,
    Enter,
    FollowUp,
    Found,
    LayCyst,
    PlaceTemplate,
    Put,
    PutOn,
    Return,
)

QUESTIONS = {step for step in steps.STEPS if issubclass(step, Question)}


def answer(state: HiveState) -> Any:
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


def said(state: HiveState) -> str:
    """What the bot does in a position, in notation."""
    return RULESET.notation(state, answer(state))


def whole(seed: str, marines: str = "sensible", tyranid: str = "sensible") -> Match:
    match = Match(RULESET, Fate(seed), luck=seed)
    assert match.play({"marines": marines, "tyranid": tyranid}) is not None
    return match


# Whole games


@pytest.mark.parametrize("games", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_it_beats_chance(games: int) -> None:
    marines = Counter(whole(f"chance {n}", tyranid="random").state.ended.winner for n in range(games))
    hive = Counter(whole(f"chance {n}", marines="random").state.ended.winner for n in range(games))
    assert (marines, hive) == ({"marines": games}, {"tyranid": games})


@pytest.mark.parametrize("games", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_both_seats_win_and_no_game_comes_to_the_turn_limit(games: int) -> None:
    """TA-WIN-4 is for games that bog down: none of these does."""
    ends = [whole(f"sample {n}").state.ended for n in range(games)]
    assert {end.winner for end in ends} == {"marines", "tyranid"}
    assert {end.reason for end in ends} == {"templates", "no_marines"}


def test_a_game_repeats_itself_for_its_seed() -> None:
    one, again, other = whole("twice"), whole("twice"), Match(RULESET, Fate("thrice"), luck="thrice")
    other.play({"marines": "sensible", "tyranid": "sensible"}, 100)
    assert one.events == again.events
    assert one.events[: len(other.events)] != other.events


EXTRA = (
    "android=1,chaos_marine=2,chaos_commander=1,chaos_heavy_marine=1,brute_thrall=2,bulwark_beast=1,needle_stalker=1"
)
VARIANTS = [
    Options(),
    Options(party="points", extra_tyranids="dreadnought=2"),
    Options(extra_tyranids=EXTRA, corners="sealed", cut_off_objective="returns", deck_empty="no_card"),
    Options(party="points", points=60, found_marines_act=True, hellfire_vs_template="no_effect", cyst_distance=8),
    Options(cloud_hides_template=True, force_axe_defends=True, shared_square_survives=False, blast_needs_hit=True),
    Options(kill_means="one_life", blob_follow_up=False, warrior_boneswords=0, turn_limit=12, synapse="six_only"),
]


@pytest.mark.parametrize("games", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_it_has_an_answer_to_every_question_anywhere(games: int) -> None:
    """From the positions of games that run wild, under all options: at each of them its action is legal."""
    met: Counter[type] = Counter()
    for n in range(games):
        luck = Luck("wild", n)
        match = Match(RULESET, Fate(f"wild {n}"), VARIANTS[n % len(VARIANTS)], keep=False)
        for _ in range(900):
            if match.decision is None:
                break
            step = match.state.pending[-1]
            met[type(step)] += 1
            action = answer(match.state)
            if isinstance(step, steps.Deploy):
                wild = luck.below(3) == 0 and bool(match.state.party)
            else:
                wild = luck.below(4 if n % 2 else 12) == 0
            match.act(luck.choice(match.decision.actions) if wild else action)
    assert QUESTIONS - met.keys() <= {Drop, Aim, Return}, "those are asked below"


def test_what_it_does_follows_from_what_its_seat_sees() -> None:
    """Another world that looks the same to its seat, and other luck, give the same action; the hive sees no tile."""
    asked, differed = Counter[str](), Counter[str]()
    for n in range(2):
        match = Match(RULESET, Fate(f"worlds {n}"), keep=False)
        while match.decision is not None:
            seat, state = match.decision.seat, match.state
            action = answer(state)
            if state.decisions % 3 == 0:
                world = RULESET.determinize(RULESET.view(state, seat), seat, Luck("world", state.decisions))
                asked[seat] += 1
                differed[seat] += held(world) != held(state)
                decision = RULESET.decision(RULESET.view(world, seat))
                assert decision is not None
                assert sensible(RULESET, RULESET.view(world, seat), decision, Luck("y")) == action
            match.act(action)
    assert differed["tyranid"] > 10
    assert differed["marines"] == 0
    assert min(asked["marines"], asked["tyranid"]) > 50


def held(state: HiveState) -> str:
    """The tile that the Marine player holds."""
    tile = state.chance.decks[state.stack].seen.get(state.tile)
    assert not isinstance(tile, Sealed)
    return str(bare(tile))


# Odds, counted out


@pytest.mark.parametrize(("dice", "bonus", "need"), [(1, 0, 4), (2, 0, 5), (3, 1, 6), (4, 0, 6), (2, 2, 9), (2, 4, 5)])
def test_how_likely_a_volley_hits(dice: int, bonus: int, need: int) -> None:
    """TA-SHOOT-4: one die that reaches the armour is enough."""
    faces = list(product(range(1, 7), repeat=dice))
    hits = sum(max(roll) + bonus >= need for roll in faces)
    assert bot_odds.hit(dice, bonus, need) == pytest.approx(hits / len(faces))
    assert bot_odds.reach(dice, bonus, need) == pytest.approx(hits / len(faces))


@pytest.mark.parametrize(("mine", "yours"), [((4, 0), (2, 0)), ((2, 1), (4, 1)), ((2, 2), (3, 0)), ((1, 1), (2, 0))])
def test_how_a_round_ends(mine: tuple[int, int], yours: tuple[int, int]) -> None:
    """TA-HTH-3 to TA-HTH-6: best dice and bonuses; equal scores are a draw."""
    results = Counter[int]()
    for one in product(range(1, 7), repeat=mine[0]):
        for other in product(range(1, 7), repeat=yours[0]):
            mark = max(one) + mine[1] - max(other) - yours[1]
            results[(mark > 0) - (mark < 0)] += 1
    total = sum(results.values())
    expected = [results[sign] / total for sign in (1, 0, -1)]
    assert list(bot_odds.duel(*mine, *yours)) == pytest.approx(expected)


def test_the_force_axe_adds_a_die_less_one() -> None:
    """TA-WEAP-6."""
    assert bot_odds.reach(1, 0, 6, axe=True) == pytest.approx(21 / 36)
    assert bot_odds.duel(1, 0, 1, 0, axe=True).win > bot_odds.duel(1, 2, 1, 0).win


# Positions with one right answer: the Marines


def test_a_template_in_sight_is_shot_at_with_hellfire() -> None:
    """TA-WEAP-14: one shell destroys it; with no shell left it is worth a volley."""
    facts: dict[str, Any] = {"models": {"HV1": "5:e6", "SC1": "5:a6"}, "templates": {"OBJ-5": "5:h6"}}
    assert said(position(active="HV1", **facts)) == "hellfire HV1 OBJ-5"
    assert said(position(active="HV1", shells=0, bombs=0, **facts)) == "shoot HV1 OBJ-5"
    free = position(orders=(), **facts)
    assert said(free) == "use HV1"


def test_a_bomb_is_set_beside_a_template() -> None:
    """TA-WEAP-16: with bombs and no shells, a Scout walks up to it."""
    game = play(models={"SC1": "5:d6", "SC2": "5:a6"}, templates={"OBJ-5": "5:h6"}, active="SC1", shells=0)
    assert said(game.state).startswith("move SC1 5:g")
    game.do(said(game.state))
    assert said(game.state) == "melta SC1 OBJ-5"


def test_the_enemy_that_threatens_is_shot_before_one_that_does_not() -> None:
    for near, far in (("GE1", "GE2"), ("GE2", "GE1")):
        models = {"SC1": "5:c6", near: "5:f5", far: "5:n6"}
        state = position(models=models, active="SC1", acts={"SC1": Act(fresh=False, moves=0)}, orders=())
        assert said(state) == f"shoot SC1 {near}"


def test_dice_are_shared_out_over_weak_enemies() -> None:
    """TA-WEAP-1: four dice against two Hybrids of armour 2 are worth most as two and two."""
    state = position(models={"HV1": "5:a6", "HB1": "5:k5", "HP1": "5:k7"}, active="HV1", shells=0)
    assert said(state) == "shoot HV1 HB1*2 HP1*2"


def test_a_scout_opens_a_section_when_all_have_gathered() -> None:
    """TA-EXPL-2: with the party close behind, one of the six steps in; scattered over the ship nobody does."""
    close = {f"SC{n}": f"5:{column}6" for n, column in enumerate("efghij", 1)} | {"SG1": "5:e5", "HV1": "5:h5"}
    lay = "1N 2N 3N 4N 5N 6E"
    state = position(models=close, layout=lay, orders=())
    chosen = said(state)
    assert chosen.startswith("use SC")
    game = play(models=close, layout=lay, active=chosen.split()[1])
    game.do(said(game.state))
    assert game.state.trigger is not None
    far = {f"SC{n}": f"{n % 3 + 1}:e6" if n > 1 else "5:j6" for n in (1, 2, 3)} | {"HV1": "3:i6", "SG1": "2:i6"}
    for name in far:
        action = answer(position(models=far, layout=lay, active=name, orders=()))
        game = play(models=far, layout=lay, active=name, orders=())
        game.do(RULESET.notation(game.state, action))
        assert game.state.trigger is None


def test_the_rear_section_is_left_before_it_is_cut_off() -> None:
    """TA-EXPL-5: nobody opens a section while three Scouts stand on the rear one."""
    models = {"SC1": "5:k6", "SC2": "5:j6", "SC3": "5:i6", "SG1": "5:h6", "SC4": "1:e6", "SC5": "1:f6", "SC6": "1:d6"}
    for name in ("SC1", "SC4"):
        game = play(models=models, layout="1N 2N 3N 4N 5N 6E", active=name, orders=())
        game.do(said(game.state))
        assert game.state.trigger is None


def test_a_marine_moves_to_where_he_can_shoot_and_acts_before_one_who_cannot() -> None:
    """TA-TURN-2: nothing is in sight from where SC2 stands, round the corner a Hybrid is."""
    game = play(models={"SC1": "1:e6", "SC2": "5:c4", "HB1": "5:d8"}, layout="1N 2N 3N 4N 5N 6E", orders=())
    assert said(game.state) == "use SC2"
    game.do("use SC2")
    game.do(said(game.state))
    assert said(game.state) == "shoot SC2 HB1"


def test_the_way_to_a_template_does_not_lead_through_the_unexplored_section() -> None:
    """TA-EXPL-2: where the ship curls, the short way there would open a section; nobody waits for ever at its door."""
    models, templates = {"SC1": "1:n6"}, {"OBJ-3": "3:m8"}
    state = position(models=models, templates=templates, layout="4N 2E 1E 5N 3E 6S", active="SC1", shells=0)
    assert said(state).startswith("move SC1 5:"), "the way through 6, which is unexplored, is shorter"


# Positions with one right answer: the hive


def test_a_bonesword_warrior_is_placed_near_and_a_genestealer_far() -> None:
    """TA-CARD-2: model and square are chosen together, and the slow are good for something only near."""
    acted = {name: Act(fresh=False) for name in ("SC1", "SC2")}
    for squares, placed in ((("6:e10", "6:f10"), "BO1"), (("1:e6", "1:f6"), "GE1")):
        models = dict(zip(acted, squares, strict=True))
        state = position(models=models, acts=acted, layout="1N 2N 3N 4N 5N 6N", pending=[Put(section=6, slots=1)])
        assert said(state) == f"place {placed}"


def test_those_who_have_acted_are_not_feared() -> None:
    """TA-TURN-4: a Genestealer may be placed in sight of guns that have fired, and not of guns that have not."""
    models = {"HV1": "5:a6", "HV2": "5:b6"}
    seen = {}
    for fresh in (True, False):
        acts = {} if fresh else {name: Act(fresh=False) for name in models}
        state = position(models=models, acts=acts, pending=[PutOn(model="GE1", section=5, apart=2, rule="TA-CARD-2")])
        ship = RULESET.book.ship(state)
        at = answer(state).at
        seen[fresh] = any(ship.sees(state.models[name].at, at, state.at) for name in models)
    assert seen == {True: False, False: True}


def test_a_genestealer_in_reach_strikes() -> None:
    game = play("tyranid", models={"SC1": "5:d6", "SC2": "5:o6", "GE1": "5:k6"})
    assert said(game.state) == "use GE1"
    game.do("use GE1")
    game.do(said(game.state))
    assert said(game.state) == "fight GE1 SC1"


def test_it_does_not_run_into_a_commander_it_cannot_beat() -> None:
    """A Hybrid in front of a Terminator with the Power Blade keeps away."""
    state = position("tyranid", models={"TE1": "5:d6", "HB1": "5:f6"}, artifacts={"TE1": [1]}, active="HB1")
    assert not said(state).startswith("fight")


def test_guns_fire_before_claws_strike() -> None:
    game = play("tyranid", models={"SC1": "5:d6", "SC2": "5:h6", "GE1": "5:m6", "DS1": "5:a6"})
    assert said(game.state) == "use DS1"
    game.do("use DS1")
    assert said(game.state).startswith("shoot DS1 SC1")


def test_who_can_do_nothing_hides() -> None:
    """A Genestealer in sight of heavy bolters that it cannot reach leaves their line."""
    models = {"HV1": "5:a6", "HV2": "4:k2", "GE1": "5:m6"}
    game = play("tyranid", models=models, layout="1N 2N 3N 4N 5E 6E", active="GE1")
    ship = RULESET.book.ship(game.state)
    guns = [game.state.models[name].at for name in ("HV1", "HV2")]
    assert any(ship.sees(gun, game.state.models["GE1"].at, ()) for gun in guns)
    line = said(game.state)
    if line.startswith("move"):
        game.do(line)
        assert not any(ship.sees(gun, game.state.models["GE1"].at, ()) for gun in guns)
    else:
        assert line.startswith("fight")


def test_the_die_is_always_rolled_and_genestealers_come_first() -> None:
    """TA-REINF-1, TA-REINF-2."""
    game = play("reinforce", models={"SC1": "1:e6", "SC2": "1:f6"})
    assert said(game.state) == "roll"
    game.do("roll", 6)
    assert said(game.state).startswith("enter GE1 ")


def test_a_sure_follow_up_is_made_and_a_bad_one_is_not() -> None:
    """TA-FOLLOW-3."""
    good = position("tyranid", models={"GE1": "5:d6", "SC1": "5:e6"}, pending=[FollowUp(side="tyranid", model="GE1")])
    assert said(good) == "follow GE1 SC1"
    bad = position(models={"SC1": "5:d6", "BO1": "5:e6"}, pending=[FollowUp(side="marines", model="SC1")])
    assert said(bad) == "stop SC1"


# Every other question


PARTY = {"SC1": "5:b6", "SC2": "5:c6", "GE1": "5:n6"}


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (PlaceTemplate(objective="OBJ-6"), "template OBJ-6 6:"),
        (Put(section=6, slots=3), "place "),
        (Put(section=6, slots=2, kinds=("acid_blob",), rule="TA-BLOB-1"), "place AB1"),
        (PutOn(model="AB1", section=6, rule="TA-BLOB-1"), "place AB1 "),
        (LayCyst(section=5, count=1), "cyst 5:"),
        (Enter(), "enter "),
        (Found(kinds=("terminator", "librarian"), near=(5, -35)), "place "),
        (Aim(side="marines", model="SC1", weapon="hellfire"), ""),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_it_answers_when_something_is_placed(step: Any, line: str) -> None:
    models = {"HV1": "5:b6", **PARTY, "SC1": "5:d4"} if isinstance(step, Aim) else PARTY
    if isinstance(step, Aim):
        step = Aim(side="marines", model="HV1", weapon="hellfire")
        line = "aim "
    assert said(position(models=models, pending=[step])).startswith(line)


def test_hellfire_at_the_floor_bursts_beside_enemies() -> None:
    """TA-WEAP-10, TA-WEAP-11: between two Genestealers, and not beside friends."""
    models = {"HV1": "5:a6", "GE1": "5:i5", "GE2": "5:k5", "SC1": "5:e5"}
    step = Aim(side="marines", model="HV1", weapon="hellfire")
    state = position(models=models, pending=[step])
    ship = RULESET.book.ship(state)
    x, y = answer(state).at
    near = {name for name, model in state.models.items() if max(abs(model.at[0] - x), abs(model.at[1] - y)) == 1}
    assert near == {"GE1", "GE2"}, ship.name((x, y))


def test_the_dreadnought_is_armed_and_loses_its_weaker_weapon() -> None:
    """TA-DREAD-4, TA-DREAD-6."""
    options = Options(extra_tyranids="dreadnought=1")
    arm = Arm(model="DN1", at=(7, -45))
    strong = answer(position(models=PARTY, options=options, pending=[arm])).weapon
    arms = ("dn_flame_cannon", strong)
    state = position(models={**PARTY, "DN1": "6:g6"}, arms={"DN1": arms}, options=options, pending=[Drop(model="DN1")])
    assert said(state) == "drop DN1 1"
    state = position(
        models={**PARTY, "DN1": "6:g6"}, arms={"DN1": arms[::-1]}, options=options, pending=[Drop(model="DN1")]
    )
    assert said(state) == "drop DN1 2"


def test_a_sergeant_comes_back_first() -> None:
    """TA-SPEC-1."""
    where = ((7, -36), (8, -36))
    state = position(models=PARTY, lost=["SC3", "HV1", "SG1"], pending=[Return(squares=where, count=2)])
    assert said(state).startswith("return SG1 ")


def test_he_who_is_deployed_by_hand_stands_near_the_front() -> None:
    state = position(models={"SC1": "5:b6"}, pending=[DeployOn(model="SC2")])
    assert said(state).split(" ")[-1].startswith(("5:", "4:"))


def test_thirty_points_buy_a_party_with_a_commander() -> None:
    """TA-BUY-1."""
    match = Match(RULESET, Fate("party"), Options(party="points"))
    while isinstance(match.state.pending[-1], steps.Buy):
        match.act(answer(match.state))
    assert match.state.points_left <= 1
    assert "CO1" in match.state.party
