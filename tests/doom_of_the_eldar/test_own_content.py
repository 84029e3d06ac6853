"""What counters and areas do is read from the content: another figure there is another game."""

from __future__ import annotations

from typing import Any

import pytest
from doom import Play, of

from warptape.domain.chance import Table
from warptape.domain.content import Content
from warptape.domain.doom_of_the_eldar import RULESET, DoomOfTheEldar
from warptape.domain.doom_of_the_eldar.events_battle import (
    AreaDevastated,
    MineDetonated,
    ProtoidGrew,
    TotalsSet,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.events_special import RaiderPoolOpened, UnitConverted, YrielArrived
from warptape.domain.doom_of_the_eldar.events_turn import AssaultEnded, GameEnded, SwarmRevealed
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, Options
from warptape.domain.doom_of_the_eldar.steps import Order
from warptape.domain.doom_of_the_eldar.values import reroll_holder
from warptape.domain.events import CounterRevealed
from warptape.domain.referee import Match

TEXTS = RULESET.content.files
SPECIALS, ACTIONS, TYRANIDS, COUNTERS = "specials.toml", "actions.toml", "tyranids.toml", "counters.toml"
HIVE = '{ do = "grant_reroll", side = "tyranid", scope = "same_area", when = "face_up", needs_other_fighter = true, '
INVULNERABLE = """
                   { do = "invulnerable", when = "face_up" },"""
IGNORED = '{ do = "ignored_for_end", when = "face_up" }'
ABOARD = '{ do = "detonate", where = "craftworld"'
DOUBLES = (
    '{ do = "multiply_values", targets = ["aspect"], factor = 2, stats = ["attack", "defence"], scope = "same_area" }'
)


def own(*changes: tuple[str, str, str], among: str = "") -> DoomOfTheEldar:
    """The game with content in which each `old` of a file, there once, is `new`; `among` is the record to look in."""
    texts = dict(TEXTS)
    for file, old, new in changes:
        start = texts[file].index(f'id = "{among}"') if among else 0
        assert among or texts[file].count(old) == 1, old
        at = texts[file].index(old, start)
        texts[file] = texts[file][:at] + new + texts[file][at + len(old) :]
    return DoomOfTheEldar(Content(texts))


def both(rules: DoomOfTheEldar, phase: str, **facts: Any) -> tuple[Play, Play]:
    """The same position by the shipped content and by other rules."""
    return Play(position(phase, **facts)), Play(position(phase, ruleset=rules, **facts), rules)


def totals(play: Play, line: str = "fight tears") -> tuple[int, int]:
    found = of(play.do(line), TotalsSet)[0]
    return found.total, found.defence


# Counters: values, re-rolls, what may be lost


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("factor = 2", "factor = 3", 40),
        ('["aspect"]', '["guardian"]', 20),
        ('["aspect"]', '["aspect", "guardian"]', 32),
        ('"attack", "defence"', '"defence"', 16),
    ],
)
def test_multiply_values_says_how_often_whom_and_in_what(old: str, new: str, expected: int) -> None:
    """DOE-AVA-1: shipped, two Aspect Warriors count twelve each; the Guardian counts four."""
    rules = own((SPECIALS, DOUBLES, DOUBLES.replace(old, new)))
    facts = {"eldar": {"tears": "ASP1 ASP2 GUA1 AVA"}, "tyranid": {"tears": "HS1"}, "devastated": ("tears",)}
    plain, other = both(rules, "eldar_combat", **facts)
    assert (totals(plain), totals(other)) == ((28, 6), (expected, 6))


def test_multiply_values_in_space_goes_by_its_stats() -> None:
    """DOE-YRIEL-5: without `combat` among them Yriel doubles no ship."""
    rules = own((SPECIALS, ', "combat"]', "]"))
    facts = {"eldar": {"n1": "YRI RGH RWS1 RWS2"}, "tyranid": {"n1": "HS1"}}
    assert [totals(play, "fight n1") for play in both(rules, "eldar_combat", **facts)] == [(40, 0), (20, 0)]


def test_grant_reroll_goes_by_who_cancels_it_and_whether_it_needs_a_fighter() -> None:
    """DOE-REROLL-3, -6."""
    facts = {"eldar": {"tears": "FAR GUA1"}, "tyranid": {"tears": "HM HS1"}}

    def holder(rules: DoomOfTheEldar, **other: Any) -> str:
        return reroll_holder(rules.book, position("eldar_combat", ruleset=rules, **{**facts, **other}), "tears")

    alone = {"tyranid": {"tears": "HM"}}
    assert (holder(RULESET), holder(RULESET, **alone)) == ("", ELDAR)
    uncancelled = own((SPECIALS, 'cancelled_by = ["hive_mind"]', "cancelled_by = []"))
    assert holder(uncancelled) == ELDAR
    assert holder(own((SPECIALS, 'cancelled_by = ["farseer"]', "cancelled_by = []"))) == TYRANID
    assert holder(own((SPECIALS, HIVE, HIVE.replace("= true", "= false"))), **alone) == ""
    by_another = own((SPECIALS, 'cancelled_by = ["farseer"]', 'cancelled_by = ["avatar"]'))
    assert holder(by_another) == TYRANID
    assert holder(by_another, eldar={"tears": "AVA GUA1"}) == ""


def test_invulnerable_is_what_keeps_the_hive_mind_out_of_battles() -> None:
    """DOE-HM-1, DOE-COMBAT-5: without it a lone one is attacked, at defence 0, and lost."""
    rules = own((SPECIALS, INVULNERABLE, ""))
    plain, other = both(rules, "eldar_movement", eldar={"tears": "GUA1"}, tyranid={"tears": "HM"})
    assert not of(plain.do("end"), TyranidDestroyed)
    assert of(other.do("end", 6), TyranidDestroyed)


def test_no_devastation_is_what_keeps_it_from_wrecking() -> None:
    """DOE-FORT-3."""
    rules = own((SPECIALS, ',\n                   { do = "no_devastation" }', ""))
    plain, other = both(rules, "eldar_movement", eldar={"n2": "GHO"}, tyranid={"tears": "HM"})
    assert not of(plain.do("end"), AreaDevastated)
    assert [event.area for event in of(other.do("end"), AreaDevastated)] == ["tears"]


def test_ignored_for_end_is_what_lets_the_game_end_beside_it() -> None:
    """DOE-HM-4."""
    rules = own((SPECIALS, IGNORED, ""))
    facts = {"eldar": {"n2": "GHO"}, "tyranid": {"tears": "HM", "s1": "HS1"}, "over": 3, "turn": 4}
    plain, other = both(rules, "eldar_special", **facts)
    assert of(plain.do("use spear", 6), GameEnded)
    assert not of(other.do("use spear", 6), GameEnded)


def test_copy_best_enemy_goes_by_its_minimum_and_stats() -> None:
    """DOE-FLESH-1: beside a Guardian and the Exarch, 12-8; above them a minimum of 13."""
    facts = {"eldar": {"tears": "GUA1 EXA"}, "tyranid": {"tears": "FS"}}
    least = own((SPECIALS, "minimum = 8", "minimum = 13"))
    for rules, phase, expected in (
        (RULESET, "tyranid_combat", (12, 24)),
        (least, "tyranid_combat", (13, 24)),
        (RULESET, "eldar_combat", (16, 8)),
        (least, "eldar_combat", (16, 13)),
        (own((SPECIALS, 'stats = ["attack", "defence"], min', 'stats = ["defence"], min')), "tyranid_combat", (8, 24)),
    ):
        assert totals(Play(position(phase, ruleset=rules, **facts), rules)) == expected


def test_grow_goes_through_its_stages_by_its_step() -> None:
    """DOE-PROT-1, -2."""
    facts = {"eldar": {"tears": "GUA1 GUA2 GUA3"}, "tyranid": {"tears": "PR HT"}, "devastated": ("tears",)}
    shipped = "stages = [[6, 6], [12, 12], [24, 24]]"
    for rules, grown in (
        (RULESET, (1, 12, 12)),
        (own((SPECIALS, shipped, "stages = [[6, 6], [13, 11], [24, 24]]")), (1, 13, 11)),
        (own((SPECIALS, "step = 1", "step = 2")), (2, 24, 24)),
        (own((SPECIALS, "step = 1", "step = 9")), (2, 24, 24)),
    ):
        play = Play(position("tyranid_combat", ruleset=rules, **facts), rules)
        play.do("fight tears", 4)
        (event,) = of(play.do("lose GUA1"), ProtoidGrew)
        assert (event.stage, event.attack, event.defence) == grown


def test_detonate_takes_what_it_says_in_space_and_on_the_craftworld() -> None:
    """DOE-MINE-1, -2."""
    space = own((SPECIALS, 'default_order = 3, owner = "tyranid", losses = 1',
                 'default_order = 3, owner = "tyranid", losses = 2'))  # fmt: skip
    plain, other = both(space, "eldar_combat", eldar={"n1": "GHO WSH1 WSH2"}, tyranid={"n1": "SM"})
    for play, prompt in ((plain, "Which counter is lost?"), (other, "Which counter is lost? (2 to lose)")):
        play.do("fight n1")
        assert play.referee.decision is not None
        assert play.referee.decision.prompt == prompt
    assert len(of(other.do("lose WSH1 WSH2"), UnitDestroyed)) == 2
    aboard = own((SPECIALS, ABOARD + ', window = "tyranid_battle_start", by = "choice", owner = "tyranid", losses = 1',
                  ABOARD + ', window = "tyranid_battle_start", by = "choice", owner = "tyranid", losses = 3'))  # fmt: skip
    plain, other = both(aboard, "tyranid_combat", eldar={"tears": "GUA1 GUA2 GUA3"}, tyranid={"tears": "SM"})
    for play, lost in ((plain, 0), (other, 3)):
        play.do("fight tears")
        assert len(of(play.do("det"), UnitDestroyed)) == lost


def test_a_mine_that_detonates_in_space_alone_does_nothing_on_the_craftworld() -> None:
    start = TEXTS[SPECIALS].index(ABOARD)
    end = TEXTS[SPECIALS].index("}", start) + 1
    rules = own((SPECIALS, TEXTS[SPECIALS][start:end], ""))
    facts = {"eldar": {"tears": "GUA1 GUA2", "n1": "GHO WSH1 WSH2"}, "tyranid": {"tears": "SM", "n1": "HS1"}}
    plain, other = both(rules, "tyranid_combat", **facts)
    plain.do("fight tears")
    other.do("fight tears", 6)
    assert (plain.asked, other.asked) == ("Mine", "Lose")
    assert of(both(rules, "eldar_combat", eldar={"n1": "GHO WSH1 WSH2"}, tyranid={"n1": "SM"})[1].do("fight n1"),
              MineDetonated)  # fmt: skip


@pytest.mark.parametrize("order", [0, 2, 3])
def test_the_order_stands_as_the_content_says_until_one_is_given(order: int) -> None:
    """DOE-MINE-1: in a new game and in a position; whoever ends the movement unasked leaves it so."""
    rules = own((SPECIALS, "default_order = 3", f"default_order = {order}"))
    match = Match(rules, Table(["1", "2", *(["HS1", "1", "HS2", "1", "HS3", "1"])]), Options(setup="quickstart"))
    assert match.state.standing_order() == order
    facts = {"eldar": {"n1": "GHO WSH1"}, "tyranid": {"n1": "SM"}}
    game = Play(position("tyranid_movement", ruleset=rules, pending=[Order()], **facts), rules)
    assert [line for line, said in zip(game.legal(), _said(game), strict=True) if "(as now)" in said] == [
        f"mine {order}"
    ]
    game.do("end")
    assert bool(of(game.log, MineDetonated)) == (order == 2)


def _said(game: Play) -> list[str]:
    assert game.referee.decision is not None
    return [game.rules.describe(game.state, action) for action in game.referee.decision.actions]


def test_figures_names_points_and_stacking_are_those_of_the_content() -> None:
    """DOE-LIST-1, DOE-VP-4, DOE-STACK-3, DOE-MOVE-3, DOE-SPACE-3."""
    dear = own((SPECIALS, "vp_to_tyranid_if_destroyed = 1", "vp_to_tyranid_if_destroyed = 4"), among="avatar")
    facts = {"eldar": {"n2": "GHO", "out": "AVA"}, "tyranid": {"s1": "HS1"}, "over": 3, "turn": 4}
    assert [of(play.do("use spear", 6), GameEnded)[0].tyranid for play in both(dear, "eldar_special", **facts)] == [
        1,
        4,
    ]
    counted = own((SPECIALS, "stacking_exempt = true", "stacking_exempt = false"), among="farseer")
    crowd = {"eldar": {"souls": "GUA1 GUA2 GUA3 FAR"}, "tyranid": {"s1": "HS1"}}
    plain, other = both(counted, "eldar_movement", **crowd)
    plain.do("end")
    other.do("end")
    assert (plain.asked == "Trim", other.asked == "Trim") == (False, True)
    slow = own((COUNTERS, "move = 3", "move = 2"), among="ghostdragon")
    plain, other = both(slow, "eldar_movement", eldar={"s1": "GHO"}, tyranid={"n4": "HS1"})
    assert (plain.why("mv GHO s4"), other.why("mv GHO s4")) == ("", "DOE-MOVE-3")
    fierce = own((TYRANIDS, "attack = 9", "attack = 11"))
    plain, other = both(fierce, "tyranid_combat", eldar={"tears": "GUA1"}, tyranid={"tears": "HS1"})
    assert (totals(plain)[0], totals(other)[0]) == (9, 11)
    rules = DoomOfTheEldar(Content({name: text.replace("swarm = 10", "swarm = 7") for name, text in TEXTS.items()}))
    plain, other = both(rules, "eldar_combat", eldar={"n1": "NWG1"}, tyranid={"n1": "HS1 HS2"})
    assert [of(play.do("fight n1", 1), TotalsSet)[1].total for play in (plain, other)] == [20, 14]


def test_who_may_be_shown_in_space_is_said_by_the_content() -> None:
    """DOE-REVEAL-2."""
    rules = own((SPECIALS, "may_reveal_in_space = false", "may_reveal_in_space = true"), among="protoid")
    plain, other = both(rules, "tyranid_movement", eldar={"n4": "GHO"}, tyranid={"s1": "PR"})
    assert plain.why("reveal #01") == "DOE-REVEAL-2"
    (shown,) = of(other.do("reveal #01"), SwarmRevealed)
    assert (shown.counter, shown.area) == ("PR", "s1")


# Special actions, conversions, Yriel


def test_destroy_swarm_says_how_many_and_success_on_what() -> None:
    """DOE-SPEC-3."""
    rules = own((ACTIONS, 'where = "any_space", count = 1', 'where = "any_space", count = 2'),
                (ACTIONS, "success = [6]", "success = [2, 6]"), among="barrage")  # fmt: skip
    plain, other = both(rules, "eldar_special", eldar={"n2": "GHO"}, tyranid={"s1": "HS1 HS2 HS3"})
    plain.do("use spear", 2)
    other.do("use spear", 2)
    assert (plain.asked, other.asked) == ("Special", "Hit")
    other.do("hit #01")
    assert other.asked == "Hit"
    other.do("hit #03")
    assert (other.asked, other.state.stacks) == ("Special", {"s1": ["#02"]})


@pytest.mark.parametrize(
    ("action", "old", "new", "area", "places"),
    [
        ("muster", '["guardian", "aspect"]', '["falcon"]', "forests", {("FAL1", 9)}),
        ("muster", "any_craftworld", "any_craftworld", "forests", {("GUA1", 9)}),
        ("repair", '["any_ship"]', '["nightwing"]', "souls", {("NWG1", 2)}),
        ("repair", '["any_ship"]', '["any_ship"]', "souls", {("NWG1", 2), ("WSH1", 2)}),
        ("warp_gate", '"warp_gate", types = ["any"]', '"destroyed_ground", types = ["any"]', "dreams",
         {("GUA1", 9), ("FAL1", 9)}),
        ("warp_gate", '["any"]', '["knights"]', "dreams", {("KNI", 9)}),
    ],
)  # fmt: skip
def test_return_unit_says_what_comes_from_where(
    action: str, old: str, new: str, area: str, places: set[tuple[str, int]]
) -> None:
    """DOE-SPEC-5, -7, -8."""
    rules = own((ACTIONS, old, new), among=action)
    eldar = {"n4": "GHO", "destroyed_ground": "GUA1 FAL1", "destroyed_spacecraft": "NWG1 WSH1"}
    game = Play(position("eldar_special", eldar=eldar, tyranid={"s1": "HS1"}, ruleset=rules), rules)
    game.do(f"use {area}", 6)
    units = [line.split()[1] for line in game.legal()]
    assert {(unit, units.count(unit)) for unit in units} == places


def test_reveal_to_belongs_to_the_area_that_has_it_and_so_does_yriels_call() -> None:
    """DOE-SPEC-6, DOE-YRIEL-1: with the Forests' and the Shrine's actions exchanged, the Forests see and call."""
    rules = own(
        (ACTIONS, 'areas = ["shrine"]', 'areas = ["woods"]'), (ACTIONS, 'areas = ["forests"]', 'areas = ["shrine"]'),
        (ACTIONS, 'areas = ["woods"]', 'areas = ["forests"]'), ("map.toml", 'action = "scry"', 'action = "look"'),
        ("map.toml", 'action = "muster"', 'action = "scry"'), ("map.toml", 'action = "look"', 'action = "muster"'),
    )  # fmt: skip
    game = Play(position("eldar_special", eldar={"n4": "GHO"}, tyranid={"s1": "HS1"}, ruleset=rules), rules)
    assert {line for line in game.legal() if line.startswith("use ")} >= {"use forests s1"}
    (shown,) = of(game.do("use forests s1"), CounterRevealed)
    assert shown.seen_by == (ELDAR, TYRANID)
    plain, other = both(rules, "eldar_movement", eldar={"n4": "GHO"}, tyranid={"forests": "HS1"})
    for play, calls in ((plain, False), (other, True)):
        assert [event.yriel for event in of(play.do("end"), AreaDevastated)] == [calls]


def test_deploy_and_enable_pool_say_who_comes_and_who_waits() -> None:
    """DOE-YRIEL-1, -3: with a third Raider Wraithship and two Raiders in the content, just they."""
    rules = own(
        (ACTIONS, '"RWS1", "RWS2"]', '"RWS1", "RWS2", "RWS3"]'), (ACTIONS, '"RAI1", "RAI2", "RAI3"', '"RAI1", "RAI2"'),
        (COUNTERS, _count("rwraithship", 2), _count("rwraithship", 3)), (COUNTERS, _count("raider", 3), _count("raider", 2)),
    )  # fmt: skip
    game = Play(
        position("eldar_movement", eldar={"n4": "GHO"}, tyranid={"shrine": "HS1"}, over=1, ruleset=rules), rules
    )
    game.do("end")
    while not of(game.log, YrielArrived):
        game.do("end")
    assert of(game.log, YrielArrived)[0].units == ("YRI", "RGH", "RWS1", "RWS2", "RWS3")
    assert of(game.log, RaiderPoolOpened)[0].units == ("RAI1", "RAI2")


def _count(kind: str, number: int) -> str:
    """The lines of counters.toml from a kind's id to how many there are."""
    start = TEXTS[COUNTERS].index(f'id = "{kind}"')
    end = TEXTS[COUNTERS].index("count = ", start)
    return f"{TEXTS[COUNTERS][start:end]}count = {number}\n"


def test_conversions_are_those_of_the_content() -> None:
    """DOE-CONV-1, -4: Guardians may be made to take Nightwings alone."""
    texts = dict(TEXTS)
    texts[ACTIONS] = texts[ACTIONS].replace(
        '["ghostdragon", "wraithship", "shadowhunter", "nightwing"]', '["nightwing"]'
    )
    for kind in ("ghostdragon", "wraithship", "shadowhunter"):
        start = texts[COUNTERS].index(f'\nid = "{kind}"')
        head, tail = texts[COUNTERS][:start], texts[COUNTERS][start:]
        texts[COUNTERS] = head + tail.replace('converts_to = "guardian"', 'converts_to = "none"', 1)
    rules = DoomOfTheEldar(Content(texts))
    eldar = {"tears": "GUA1", "destroyed_spacecraft": "NWG1 WSH1", "n4": "GHO"}
    plain, other = both(rules, "eldar_special", eldar=eldar, tyranid={"s1": "HS1"})
    assert (plain.why("conv GUA1 WSH1 n2"), other.why("conv GUA1 WSH1 n2")) == ("", "DOE-CONV-4")
    assert of(other.do("conv GUA1 NWG1 n2"), UnitConverted)


# Limits, track, tables


def test_limits_are_those_of_the_content() -> None:
    """DOE-STACK-1, DOE-END-3."""
    wide = own(("setup.toml", "craftworld_stack = 3", "craftworld_stack = 4"))
    plain, other = both(wide, "eldar_movement", eldar={"souls": "GUA1 GUA2 GUA3 GUA4"}, tyranid={"s1": "HS1"})
    plain.do("end")
    other.do("end")
    assert (plain.asked == "Trim", other.asked == "Trim") == (True, False)
    short = own(("setup.toml", "turns_after_assault = 20", "turns_after_assault = 5"))
    facts = {"eldar": {"n2": "GHO"}, "tyranid": {"s5": "HS1"}, "over": 4, "turn": 9}
    plain, other = both(short, "eldar_movement", **facts)
    assert not of(plain.do("end"), GameEnded)
    assert of(other.do("end"), GameEnded)[0].reason == "turn_bound"


def test_the_track_ends_where_the_content_says() -> None:
    """DOE-TRACK-7."""
    soon = own(("track.toml", "auto_end_box = 89", "auto_end_box = 40"))
    facts = {"eldar": {"n2": "GHO"}, "tyranid": {"s5": "HS1"}, "marker": 38, "turn": 3}
    plain, other = both(soon, "eldar_movement", **facts)
    plain.do("end", 2, 3)
    other.do("end", 2, 3)
    assert (plain.state.marker, plain.state.over) == (43, 0)
    assert (other.state.marker, of(other.log, AssaultEnded)[0].box) == (40, 40)
