"""The force lists in play, parties bought for points, extra Tyranids, and how models are armed."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from drill import dead
from hive import BOOK, RULESET, Play, of, play

from warptape.domain.chance import Fate
from warptape.domain.errors import OptionError
from warptape.domain.referee import Match
from warptape.domain.tyranid_attack.actions import BuyKind
from warptape.domain.tyranid_attack.events_model import ModelKilled, ModelPlaced, PartyBought
from warptape.domain.tyranid_attack.events_turn import Fought, OrderPlayed, Shot
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import Options
from warptape.domain.tyranid_attack.steps import Put

AWAY = {"SC6": "1:h6"}
BOUGHT = Options(party="points")


def begun(options: Options, seed: str = "points") -> Play:
    """A game that has just been set up."""
    return Play(Match(RULESET, Fate(seed), options).state)


# The lists in play: code, side, move, armour, range, fire, bonus of a shot, hand-to-hand dice, bonus, life

LISTS = (
    ("TA-LIST-1", "SG1", 8, 4, 12, 2, 0, 2, 1, 2),
    ("TA-LIST-2", "SC1", 8, 4, 12, 2, 0, 2, 0, 1),
    ("TA-LIST-3", "HV1", 6, 4, 48, 4, 0, 2, 0, 1),
    ("TA-LIST-4", "TE1", 4, 6, 24, 3, 0, 2, 2, 1),
    ("TA-LIST-5", "TF1", 4, 6, 12, 2, 0, 2, 2, 1),
    ("TA-LIST-6", "LI1", 4, 6, 24, 3, 0, 2, 0, 3),
    ("TA-LIST-7", "GE1", 8, 5, 0, 0, 0, 4, 0, 1),
    ("TA-LIST-8", "BO1", 4, 6, 0, 0, 0, 4, 1, 1),
    ("TA-LIST-9", "DS1", 4, 5, 24, 2, 0, 2, 0, 1),
    ("TA-LIST-10", "HB1", 6, 2, 12, 2, 0, 2, 0, 1),
    ("TA-LIST-10", "HP1", 6, 2, 12, 1, 2, 2, 0, 1),
    ("TA-LIST-10", "HC1", 6, 2, 0, 0, 0, 2, 1, 1),
    ("TA-LIST-11", "AB1", 2, 6, 0, 0, 0, 0, 0, 1),
    ("TA-LIST-12", "CO1", 6, 5, 12, 2, 0, 2, 2, 6),
    ("TA-LIST-13", "MA1", 6, 5, 24, 2, 0, 2, 0, 1),
    ("TA-LIST-14", "HM1", 4, 5, 72, 2, 0, 2, 0, 1),
    ("TA-LIST-15", "AN1", 4, 5, 24, 1, 1, 1, 1, 1),
    ("TA-LIST-16", "CM1", 6, 5, 24, 2, 0, 2, 0, 1),
    ("TA-LIST-17", "CC1", 6, 5, 24, 3, 0, 3, 0, 3),
    ("TA-LIST-18", "CH1", 4, 5, 48, 4, 0, 2, 0, 1),
    ("TA-LIST-18", "BT1", 6, 4, 12, 1, 0, 3, 0, 1),
    ("TA-LIST-18", "BB1", 4, 6, 0, 0, 0, 4, 1, 2),
    ("TA-LIST-18", "NS1", 8, 4, 12, 2, 0, 3, 0, 1),
)
MARINES = ("SG", "SC", "HV", "TE", "TF", "LI", "CO", "MA", "HM")


@pytest.mark.parametrize(("rule", "name", "move", "armour", "reach", "fire", "plus", "hth", "bonus", "life"), LISTS)
def test_ta_list_1_to_18_every_model_plays_by_its_figures(
    rule: str, name: str, move: int, armour: int, reach: int, fire: int, plus: int, hth: int, bonus: int, life: int
) -> None:
    """TA-LIST-1 to TA-LIST-18, W-1: move, armour, range, dice and life points as the rules use them."""
    marine = name[:2] in MARINES
    side, foe, other = ("marines", "GE8", "SC6") if marine else ("tyranid", "SC1", "GE7")
    foe = "SC2" if name == "SC1" and not marine else foe
    models = {name: "5:b6", foe: "5:h6", other: "1:h6"}
    p = play(side, models=models)
    assert p.state.models[name].life == life
    ways = [f"5:{letter}6" for letter in "cdefg"]
    reached = [square for square in ways if p.why(f"move {name} {square}") == ""]
    assert reached == ways[: min(move, 5)]
    if fire:
        shot = of(p.do(f"shoot {name} {foe}", *[1] * fire), Shot)[0]
        assert (len(shot.rolls), shot.bonus) == (fire, plus)
    else:
        assert p.why(f"shoot {name} {foe}") == "TA-CHAR-4"
    assert (BOOK.guns[BOOK.kind(name)].range if fire else 0) == reach
    against = "HB1" if marine else "SC2"
    shooter = play(
        "tyranid" if marine else "marines", models={name: "5:h6", against: "5:b6", other: "1:h6", "GE6": "1:c6"}
    )
    assert of(shooter.do(f"shoot {against} {name}", 1, 1), Shot)[0].need == armour
    if hth:
        foe_dice = 4 if marine else 2
        q = play(side, models={name: "2:e5", foe: "2:f5", other: "1:h6"})
        axe = [1] if name == "LI1" else []
        fought = of(q.do(f"fight {name} {foe}", *[6] * hth, *axe, *[1] * foe_dice), Fought)[0]
        assert (len(fought.attack), fought.attack_bonus) == (hth, bonus)


# Bought parties


def test_ta_buy_1_ta_buy_3_thirty_points_are_spent_before_deployment() -> None:
    p = begun(BOUGHT)
    assert p.asked == "Buy"
    assert p.seat == "marines"
    assert p.state.points_left == 30
    assert p.why("ready") == "TA-BUY-3"  # at least one model
    bought = of(p.do("buy marine 4"), PartyBought)[0]
    assert (bought.kind, bought.points, bought.models) == ("marine", 12, ("MA1", "MA2", "MA3", "MA4"))
    assert p.state.points_left == 18
    p.do("ready")
    assert p.asked == "Deploy"
    assert p.state.party == ["MA1", "MA2", "MA3", "MA4"]


@pytest.mark.parametrize(
    ("kind", "cost"),
    [
        ("scout", 2), ("heavy_scout", 4), ("scout_sergeant", 5), ("marine", 3), ("heavy_marine", 5), ("commander", 10),
        ("terminator", 5), ("terminator_flamer", 5), ("librarian", 10),
    ],
)  # fmt: skip
def test_ta_buy_2_what_each_costs(kind: str, cost: int) -> None:
    p = begun(BOUGHT)
    p.do(f"buy {kind} 1")
    assert p.state.points_left == 30 - cost


def test_ta_buy_2_the_enemys_models_are_not_for_sale() -> None:
    p = begun(BOUGHT)
    for kind in ("genestealer", "chaos_marine", "nobody"):
        refusal = RULESET.refusal(p.state, "marines", BuyKind(kind, 1))
        assert refusal is not None
        assert refusal.rule == "TA-BUY-2"


def test_ta_buy_3_the_normal_party_costs_just_thirty() -> None:
    p = begun(BOUGHT)
    for line in ("buy scout 6", "buy heavy_scout 2", "buy scout_sergeant 2"):
        p.do(line)
    assert p.state.points_left == 0
    assert p.why("buy scout 1") == "TA-BUY-3"
    assert len(p.state.party) == 10


@pytest.mark.parametrize("line", ["buy scout 7", "buy commander 2", "buy librarian 2", "buy heavy_marine 3"])
def test_ta_buy_3_not_more_of_a_kind_than_there_are(line: str) -> None:
    p = begun(Options(party="points", points=60))
    assert p.why(line) == "TA-BUY-3"
    assert p.why(line[:-1] + str(int(line[-1]) - 1)) == ""


def test_ta_buy_3_option_points_is_the_ceiling() -> None:
    p = begun(Options(party="points", points=9))
    assert p.why("buy commander 1") == "TA-BUY-3"
    assert p.why("buy marine 3") == ""


def test_ta_buy_3_e_47_thirty_one_points_are_too_many() -> None:
    """E-47: Commander, Librarian and three Marines cost 29; a Scout more would be 31; one point is lost."""
    p = begun(BOUGHT)
    for line in ("buy commander 1", "buy librarian 1", "buy marine 3"):
        p.do(line)
    assert p.state.points_left == 1
    assert p.why("buy scout 1") == "TA-BUY-3"
    p.do("ready")
    assert p.state.party == ["CO1", "LI1", "MA1", "MA2", "MA3"]


def test_ta_order_7_e_47_without_scouts_an_order_serves_all_five() -> None:
    """TA-ORDER-6, TA-ORDER-7, E-47."""
    models = {"CO1": "2:e5", "LI1": "2:e7", "MA1": "2:g5", "MA2": "2:g7", "MA3": "2:i5"}
    p = play(models=models, options=BOUGHT)
    assert sorted(of(p.do("order double"), OrderPlayed)[0].models) == sorted(models)


def test_ta_buy_4_e_47_what_was_bought_is_not_found_again() -> None:
    """TA-BUY-4: the Librarian is in play, so his card finds nobody; unbought, he would be found."""
    facts = {"card": "EX-15", "tile": "LOC-2"}
    p = play(models={"SC2": "5:e2", "LI1": "3:b9", **AWAY}, options=BOUGHT, **facts)  # type: ignore[arg-type]
    happened = p.do("move SC2 6:e11")
    assert not of(happened, ModelPlaced)
    assert p.asked == "Free"
    q = play(models={"SC2": "5:e2", "MA1": "3:b9", **AWAY}, options=BOUGHT, **facts)  # type: ignore[arg-type]
    q.do("move SC2 6:e11")
    assert q.asked == "Found"


def test_ta_buy_4_buying_takes_him_out_of_those_to_be_found() -> None:
    p = begun(BOUGHT)
    assert {"LI1", "TE1", "TE2", "TE3", "TF1"} == {*p.state.reserve}
    p.do("buy terminator 2")
    assert {"LI1", "TE3", "TF1"} == {*p.state.reserve}


def test_ta_buy_5_bombs_shells_and_orders_are_as_ever() -> None:
    p, normal = begun(BOUGHT), begun(Options())
    for game in (p, normal):
        assert (game.state.shells, game.state.bombs, len(game.state.orders)) == (3, 2, 4)


def test_ta_buy_1_by_default_there_is_nothing_to_buy() -> None:
    p = begun(Options())
    assert p.asked == "Deploy"
    assert Counter(name[:2] for name in p.state.party) == {"SC": 6, "HV": 2, "SG": 2}
    assert p.why("buy scout 1") == "TA-BUY-1"


# Mind slaves and bio-constructs


def test_ta_slave_1_they_join_the_pool() -> None:
    """TA-SLAVE-1, option `extra_tyranids`: for reinforcements, defenders and cards."""
    options = Options(extra_tyranids="android=2,needle_stalker=1")
    p = begun(options)
    assert {"AN1", "AN2", "NS1"} <= {*p.state.pool}
    assert not {"AN1"} & {*begun(Options()).state.pool}
    entered = play("reinforce", models={"SC1": "1:h6", "GE1": "2:m9"}, options=options)
    entered.do("roll", 6)
    assert entered.why("enter AN1 6:e1") == ""
    for reason in ("card", "defender"):
        step = Put(section=5, slots=1, reason=reason)
        put = play("tyranid", models={"SC1": "1:h6", "GE1": "2:m9"}, options=options, pending=[step])
        assert put.why("place NS1 5:h6") == ""


def test_ta_slave_2_each_is_used_once() -> None:
    """TA-SLAVE-2: it does not come back, while a Genestealer does."""
    options = Options(extra_tyranids="android=1,bulwark_beast=1")
    p = play(models={"SC1": "2:b5", "AN1": "2:e5", "GE1": "2:e7", **AWAY}, options=options)
    assert of(p.do("shoot SC1 AN1", 6, 6), ModelKilled)[0].to == "spent"
    assert p.state.spent == ["AN1"]
    assert "AN1" not in p.state.pool
    q = play("reinforce", models={"SC1": "1:h6", "GE1": "2:m9"}, options=options, spent=["AN1"])
    q.do("roll", 6)
    assert q.why("enter AN1 6:e1") == "TA-SLAVE-2"
    assert q.why("enter BB1 6:e1") == ""


@pytest.mark.parametrize("text", ["genestealer=1", "android", "android=0", "android=21", "acid_blob=1", "nobody=1"])
def test_extra_tyranids_must_be_models_of_the_extra_lists(text: str) -> None:
    """Option `extra_tyranids`."""
    with pytest.raises(OptionError):
        RULESET.parse_options({"extra_tyranids": text})


def test_extra_tyranids_as_typed() -> None:
    options = RULESET.parse_options({"extra_tyranids": "android=2, dreadnought=1"})
    assert "android=2,dreadnought=1" in RULESET.takes("extra_tyranids")
    assert RULESET.takes("hybrid_arms").startswith("bolter,plasma; bolter,chainsword; ")
    assert BOOK.extra(options) == {"android": 2, "dreadnought": 1}
    assert BOOK.extra(Options()) == {}


# How models are armed


@pytest.mark.parametrize("swords", range(7))
def test_warrior_boneswords_shares_six_warriors_out(swords: int) -> None:
    """Option `warrior_boneswords`, TA-COMP-8, ruling G-3."""
    pool = Counter(name[:2] for name in begun(Options(warrior_boneswords=swords)).state.pool)
    assert (pool["BO"], pool["DS"], pool["GE"]) == (swords, 6 - swords, 8)


@pytest.mark.parametrize(
    ("arms", "expected"),
    [
        ("bolter,plasma", {"HB": 1, "HP": 1}),
        ("bolter,chainsword", {"HB": 1, "HC": 1}),
        ("plasma,chainsword", {"HP": 1, "HC": 1}),
        ("bolter,bolter", {"HB": 2}),
        ("plasma,plasma", {"HP": 2}),
        ("chainsword,chainsword", {"HC": 2}),
    ],
)
def test_hybrid_arms_two_hybrids(arms: str, expected: dict[str, int]) -> None:
    """Option `hybrid_arms`, TA-COMP-7, TA-COMP-8, TA-LIST-10."""
    pool = Counter(name[:2] for name in begun(RULESET.parse_options({"hybrid_arms": arms})).state.pool)
    assert {code: count for code, count in pool.items() if code.startswith("H")} == expected


@pytest.mark.parametrize(("flamers", "expected"), [(0, {"TE": 4, "LI": 1}), (1, {"TE": 3, "TF": 1, "LI": 1})])
def test_terminator_flamers_four_terminators(flamers: int, expected: dict[str, int]) -> None:
    """Option `terminator_flamers`: card EX-14 then finds a fourth storm bolter instead."""
    p = begun(Options(terminator_flamers=flamers))
    assert Counter(name[:2] for name in p.state.reserve) == expected
    q = play(models={"SC2": "5:e2", **AWAY}, card="EX-14", tile="LOC-2", options=Options(terminator_flamers=flamers))
    q.do("move SC2 6:e11")
    while q.asked == "Found":
        q.referee.take("marines", q.referee.decision.actions[0])  # type: ignore[union-attr]
    assert Counter(name[:2] for name in q.state.models) == {"SC": 1, **{k: v for k, v in expected.items() if k != "LI"}}
    assert q.state.reserve == ["LI1"]


def test_a_chainsword_hybrid_fights_with_one_more() -> None:
    """TA-LIST-10, TA-WEAP-4."""
    p = play("tyranid", models={"HC1": "2:e5", "SC1": "2:f5", "GE8": "2:m9"})
    happened = p.do("fight HC1 SC1", 3, 1, 3, 1)
    assert of(happened, Fought)[0].attack_bonus == 1
    assert dead(happened) == ["SC1"]


# Options in general


def test_ta_expand_1_rules_of_ones_own_are_options_fixed_at_the_start() -> None:
    """TA-EXPAND-1: they stand in the opening and no action or event changes them."""
    options = Options(corners="sealed", party="points", points=40)
    p = begun(options)
    assert p.state.options == options
    with pytest.raises(AttributeError):
        p.state.options.points = 50  # type: ignore[misc]
    p.do("buy commander 1")
    p.do("ready")
    p.do("deploy auto")
    p.do("ready")
    assert p.state.options == options


def test_ta_expand_1_every_option_is_named_in_its_text() -> None:
    text = Options.__doc__ or ""
    assert all(f"`{field.name}`" in text for field in msgspec.structs.fields(Options))
    assert position().options == Options()
