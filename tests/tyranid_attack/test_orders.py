"""Orders: when they are played, whom they serve, and what each model may do then, against a table of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from drill import dice, words
from hive import BOOK, RULESET, Play, at, of, play

from warptape.domain.tyranid_attack.actions import (
    FLOOR,
    AimAt,
    Fight,
    Give,
    Hellfire,
    Melta,
    Move,
    PlayOrder,
    Shoot,
    Take,
)
from warptape.domain.tyranid_attack.events_turn import Fought, OrderPlayed, Shot, TemplateStruck
from warptape.domain.tyranid_attack.state import Served

LED = {"SG1": "1:h6"}
"""A Sergeant far off, so that orders serve all."""


def serves(p: Play, line: str) -> list[str]:
    """Play an order and return whom it serves."""
    return sorted(of(p.do(line), OrderPlayed)[0].models)


# Playing them


def test_ta_order_1_e_44_one_order_a_turn() -> None:
    p = play(models={"SC1": "2:e5", **LED})
    p.do("order mark")
    assert p.why("order double") == "TA-ORDER-1"


def test_ta_order_2_it_is_discarded_for_good() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "5:h6", **LED})
    p.do("order mark")
    assert p.state.orders == ["double", "sustained", "blades"]
    p.do("end")
    p.do("skip")
    p.do("end")
    assert p.seat == "marines"
    assert p.state.served is None
    assert p.why("order mark") == "TA-ORDER-2"
    assert p.why("order double") == ""


def test_ta_order_2_only_in_the_marine_part() -> None:
    p = play("tyranid", models={"SC1": "2:e5", "GE1": "5:h6", **LED})
    refusal = RULESET.refusal(p.state, "tyranid", PlayOrder("mark"))
    assert refusal is not None
    assert refusal.rule == "TA-ORDER-2"


def test_ta_order_3_e_44_a_model_that_has_moved_is_not_served() -> None:
    p = play(models={"SC1": "2:e5", "SC2": "2:e7", **LED})
    p.do("move SC1 2:f5")
    assert p.why("use SC1") == "TA-TURN-4"  # nobody to shoot at: he is finished
    assert serves(p, "order mark") == ["SC2", "SG1"]


def test_ta_order_3_nor_one_that_has_attacked() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:m5", "SC2": "2:c3", **LED})
    p.do("shoot SC1 GE1", 1, 1)
    p.do("done SC1")
    assert serves(p, "order double") == ["SC2", "SG1"]


def test_ta_order_3_who_is_finished_or_has_only_come_stays_finished() -> None:
    """TA-TURN-4, TA-SPEC-2: an order gives nothing back to one that was done, nor to a Scout who has returned."""
    p = play(models={"SC1": "2:b5", "SC2": "2:c9", **LED}, templates={"OBJ-1": "2:f5"}, lost=["SC3"])
    p.do("use SC2")
    p.do("done SC2")
    p.do("shoot SC1 OBJ-1", 6, 1, 6, 1)
    p.do("return SC3 2:f5")
    p.do("done SC1")
    p.do("order double")
    for name in ("SC1", "SC2", "SC3"):
        assert p.why(f"use {name}") == "TA-TURN-4"
    assert p.why("use SG1") == ""


def test_ta_order_4_with_a_sergeant_it_serves_all_marines() -> None:
    models = {"SC1": "2:e5", "HV1": "2:e7", "TE1": "2:g5", "LI1": "2:g7", "MA1": "2:i5", **LED}
    p = play(models=models)
    assert p.why("order mark SC1") == "TA-ORDER-4"
    assert serves(p, "order mark") == sorted(models)


def test_ta_order_4_a_prone_sergeant_counts() -> None:
    """Ruling G-24: he is on the board."""
    p = play(models={"SC1": "2:e5", "SC2": "2:e7", **LED}, prone=["SG1"])
    assert {"SC1", "SC2"} <= {*serves(p, "order mark")}


def test_ta_order_5_ta_order_6_w_25_without_a_sergeant_one_scout_and_all_who_are_none() -> None:
    p = play(models={"SC1": "2:e5", "SC2": "2:e7", "TE1": "2:g5"})
    assert p.why("order double") == "TA-ORDER-5"
    assert p.why("order double TE1") == "TA-ORDER-5"
    assert serves(p, "order double SC1") == ["SC1", "TE1"]


def test_ta_order_5_the_scout_named_must_be_untouched() -> None:
    """TA-ORDER-3, TA-ORDER-5."""
    p = play(models={"SC1": "2:e5", "SC2": "2:e7", "TE1": "2:g5"})
    p.do("move SC1 2:f6")
    assert p.why("order double SC1") == "TA-ORDER-3"
    assert serves(p, "order double SC2") == ["SC2", "TE1"]


def test_ta_order_6_without_untouched_scouts_the_others_still_use_it() -> None:
    p = play(models={"SC1": "2:e5", "TE1": "2:g5", "MA1": "2:i5", "LI1": "2:i7"})
    p.do("move SC1 2:f6")
    assert serves(p, "order double") == ["LI1", "MA1", "TE1"]


def test_ta_order_7_a_party_that_never_had_a_sergeant() -> None:
    p = play(models={"SC1": "2:e5", "SC2": "2:e7"})
    assert not p.state.lost
    assert p.why("order mark") == "TA-ORDER-5"
    assert serves(p, "order mark SC2") == ["SC2"]


def test_ta_order_8_not_while_a_model_is_taken_up() -> None:
    p = play(models={"SC1": "2:e5", "SC2": "2:e7", **LED})
    p.do("use SC1")
    assert p.why("order mark") == "TA-ORDER-8"
    p.do("done SC1")
    assert p.why("order mark") == ""


def test_ta_order_8_not_while_a_choice_is_pending() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "GE2": "2:d5", **LED})
    p.do("fight SC1 GE1", 6, 1, 1, 1, 1, 1)
    assert p.asked == "FollowUp"
    assert p.why("order mark") == "TA-ORDER-8"


def test_ta_order_8_the_served_are_fixed_when_it_is_played() -> None:
    """The Sergeant's death afterwards changes nothing."""
    p = play(models={"SG1": "2:e5", "GE1": "2:f5", "SC1": "2:m9", "SC2": "1:h6"}, life={"SG1": 1})
    p.do("order double")
    p.do("fight SG1 GE1", 1, 1, 6, 1, 1, 1)
    assert "SG1" in p.state.lost
    p.do("move SC1 2:l9")
    assert p.why("move SC1 2:m9") == ""


# What they do


def test_ta_order_9_two_moves_and_one_attack_before_between_or_after() -> None:
    for order in (["move", "move", "shoot"], ["move", "shoot", "move"], ["shoot", "move", "move"]):
        p = play(models={"SC1": "2:e5", "GE1": "2:m5", **LED})
        p.do("order double")
        ends = iter(("2:g5", "2:i5"))
        for word in order:
            if word == "move":
                p.do(f"move SC1 {next(ends)}")
            else:
                p.do("shoot SC1 GE1", 1, 1)
        assert p.asked == "Free", order


def test_ta_order_9_e_19_no_second_attack_under_at_the_double() -> None:
    """E-19: one move and his attack made, he wants to attack again."""
    p = play(models={"SC1": "2:e5", "GE1": "2:k5", **LED})
    p.do("order double")
    p.do("move SC1 2:f5")
    p.do("shoot SC1 GE1", 1, 1)
    assert p.why("shoot SC1 GE1") == "TA-ATT-1"
    assert p.why("melta SC1 GE1") == "TA-ATT-1"


def test_e_19_without_an_order_he_is_closed_by_himself() -> None:
    """TA-TURN-4, E-19."""
    p = play(models={"SC1": "2:e5", "GE1": "2:k5", **LED})
    p.do("move SC1 2:f5")
    p.do("shoot SC1 GE1", 1, 1)
    assert p.asked == "Free"
    assert p.why("use SC1") == "TA-TURN-4"


def test_ta_order_10_two_shots_for_a_model_that_does_not_move() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:k5", **LED})
    p.do("order sustained")
    p.do("shoot SC1 GE1", 1, 1)
    assert len(of(p.do("shoot SC1 GE1", 1, 1), Shot)) == 1
    assert p.why("shoot SC1 GE1") == "TA-ATT-1"


def test_ta_order_10_e_60_after_the_first_shot() -> None:
    """E-60: no fight; a move, and no second shot then; a second shot."""
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", **LED}, lying={1: "2:e5"}, artifacts={"SC1": [4]})
    p.do("order sustained")
    p.do("shoot SC1 GE1", 1, 1, 1, 1)
    for line in ("fight SC1 GE1", "melta SC1 GE1", "take SC1 A1"):
        assert p.why(line) == "TA-ORDER-10", line
    assert p.why("shoot SC1 GE1") == ""
    assert p.why("move SC1 2:e7") == ""
    p.do("move SC1 2:e7")
    assert p.why("use SC1") == "TA-TURN-4"


def test_ta_order_10_one_shot_only_after_a_move() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:k5", **LED})
    p.do("order sustained")
    p.do("move SC1 2:f5")
    p.do("shoot SC1 GE1", 1, 1)
    assert p.why("use SC1") == "TA-TURN-4"


def test_ta_order_10_each_shot_may_be_hellfire_and_spends_a_shell() -> None:
    p = play(models={"HV1": "2:b5", "GE1": "2:e5", "GE2": "2:k5", **LED})
    p.do("order sustained")
    p.do("hellfire HV1 GE1")
    p.do("hellfire HV1 GE2")
    assert p.state.shells == 1
    assert p.why("hellfire HV1 2:e5") == "TA-ATT-1"


def test_ta_order_11_two_more_dice_in_each_round_that_he_starts() -> None:
    """TA-ORDER-11: follow-ups, templates and blobs too."""
    p = play(models={"SC1": "2:e5", "GE1": "2:f5", "AB1": "2:d5", **LED})
    p.do("order blades")
    first = of(p.do("fight SC1 GE1", 1, 1, 1, 6, 1, 1, 1, 1), Fought)[0]
    assert first.attack == (1, 1, 1, 6)
    second = of(p.do("follow SC1 AB1", 1, 2, 3, 4), Fought)[0]
    assert (second.attack, second.defence, second.need) == ((1, 2, 3, 4), (), 6)
    q = play(models={"SC1": "2:e5", **LED}, templates={"OBJ-2": "2:f5"})
    q.do("order blades")
    assert of(q.do("fight SC1 OBJ-2", 1, 2, 3, 4), TemplateStruck)[0].rolls == (1, 2, 3, 4)


def test_ta_order_11_not_for_those_who_are_not_served_nor_in_defence() -> None:
    p = play(models={"SC1": "2:e5", "SC2": "2:m9", "GE1": "2:f5"}, served=Served("blades", ("SC2",)))
    assert of(p.do("fight SC1 GE1", 1, 6, 1, 1, 1, 1), Fought)[0].attack == (1, 6)
    q = play(models={"SC1": "2:e5", "GE1": "2:f5", **LED})
    q.do("order blades")
    q.do("end")
    q.do("skip")
    assert of(q.do("fight GE1 SC1", 6, 1, 1, 1, 1, 1), Fought)[0].defence == (1, 1)


def test_ta_order_12_one_more_on_each_shooting_die() -> None:
    p = play(models={"SC1": "2:e5", "GE1": "2:k5", **LED})
    p.do("order mark")
    shot = of(p.do("shoot SC1 GE1", 4, 1), Shot)[0]
    assert (shot.bonus, shot.need, shot.hit) == (1, 5, True)


def test_ta_order_12_not_on_hellfire_splinters_nor_on_blasts() -> None:
    models = {"HV1": "2:b5", "TF1": "2:b7", "BO1": "2:h5", "GE1": "2:i5", "SC1": "2:m9", **LED}
    p = play(models=models)
    p.do("order mark")
    p.do("hellfire HV1 BO1", 3)
    assert "GE1" in p.state.models
    p.do("done HV1")
    q = play(models={"TF1": "2:b5", "BO1": "2:h5", "GE1": "2:i5", "SC1": "2:m9", **LED})
    q.do("order mark")
    happened = q.do("shoot TF1 BO1", 5, 1, 4, 4)
    assert of(happened, Shot)[0].hit
    assert dice(happened) == [(5, 1), (4, 4)]
    assert "GE1" in q.state.models


def test_ta_order_12_e_20_the_rest_of_the_move_may_follow_the_attack() -> None:
    """E-20: three squares, the attack, five squares."""
    p = play(models={"SC1": "2:b5", "GE1": "2:m5", **LED})
    p.do("move SC1 2:e5")
    p.do("shoot SC1 GE1", 1, 1)
    assert p.why("use SC1") == "TA-TURN-4"
    q = play(models={"SC1": "2:b5", "GE1": "2:m5", **LED})
    q.do("order mark")
    q.do("move SC1 2:e5")
    q.do("shoot SC1 GE1", 1, 1)
    assert q.why("move SC1 2:j5") == ""
    assert q.why("move SC1 2:k5") == "TA-MOVE-1"
    q.do("move SC1 2:f5")
    assert q.why("use SC1") == "TA-TURN-4"  # once only


def test_ta_turn_7_e_20_without_the_order_a_move_is_in_one_piece() -> None:
    """E-20: an attack left keeps the Scout taken up; his move is over all the same."""
    p = play(models={"SC1": "2:b5", "GE1": "2:m5", **LED})
    p.do("move SC1 2:e5")
    assert p.why("move SC1 2:f5") == "TA-TURN-6"


def test_ta_order_12_a_move_begun_after_the_attack_is_in_one_piece() -> None:
    """TA-TURN-7, TA-ORDER-12: what may follow the attack is the rest of a move that was begun before it."""
    p = play(models={"SC1": "2:b5", "GE1": "2:m5", **LED})
    p.do("order mark")
    p.do("shoot SC1 GE1", 1, 1)
    p.do("move SC1 2:e5")
    assert p.why("use SC1") == "TA-TURN-4"


def test_ta_order_12_a_move_is_not_resumed_without_an_attack() -> None:
    p = play(models={"SC1": "2:b5", "GE1": "2:m5", **LED})
    p.do("order mark")
    p.do("move SC1 2:e5")
    assert p.why("move SC1 2:f5") == "TA-TURN-6"


def test_ta_order_3_e_61_who_has_given_his_attack_up_is_not_served() -> None:
    """TA-ART-5, E-61: fresh SC1 receives A4; then the order is played."""
    p = play(models={"SC1": "2:e5", "SC2": "2:f5", "GE1": "2:m5", **LED}, artifacts={"SC2": [4]})
    p.do("give SC2 SC1 A4")
    p.do("done SC2")
    assert serves(p, "order double") == ["SG1"]
    p.do("use SC1")
    assert words(p) == {"done", "move"}
    p.do("move SC1 2:e7")
    assert p.why("use SC1") == "TA-TURN-4"


def test_w_25_the_orders_are_the_four_of_the_content() -> None:
    assert list(BOOK.catalogue.orders) == ["double", "sustained", "blades", "mark"]
    assert play(models={"SC1": "2:e5", **LED}, orders=["mark"]).why("order double") == "TA-ORDER-2"


# Activation flags, against a small table


class Flags:
    """What the brief says a model may still do: `moves_left`, `move_left`, `attacks_left` under each order."""

    def __init__(self, order: str) -> None:
        self.order = order
        self.moves = 2 if order == "double" else 1
        self.attacks = 2 if order == "sustained" else 1
        self.made = 0  # attacks of whatever kind
        self.rest = 0  # squares of a move begun before the attack
        self.stepped = False

    def may(self) -> set[str]:
        found = set()
        if self.moves or (self.order == "mark" and self.made and self.rest):
            found.add("move")
        if self.attacks:
            found |= {"shoot", "hellfire"}
            if not self.made:
                found |= {"fight", "melta", "take", "give"}
        return found

    def take(self, word: str) -> None:
        if word == "move":
            if self.moves:
                self.moves -= 1
                self.rest = 6 - 1 if self.order == "mark" and not self.made else 0
            else:
                self.rest = 0
            if self.order == "sustained":
                self.attacks = 0 if self.made else 1
            self.stepped = True
        elif word in ("shoot", "hellfire"):
            self.made += 1
            self.attacks -= 1
        else:
            self.made += 1
            self.attacks = 0


ACT = {"shoot": Shoot, "hellfire": Hellfire, "fight": Fight, "melta": Melta, "take": Take, "give": Give, "move": Move}
HERE, THERE = "2:e5", "2:e6"
"""Two squares beside the enemy and beside the friend, with an artifact on each."""


def scene(order: str) -> Play:
    """A heavy Scout who could do everything from either of two squares, under an order or none."""
    p = play(
        models={"HV1": HERE, "AB1": "2:f5", "AB2": "2:f6", "SC1": "2:d5", **LED},
        artifacts={"HV1": [1]},
        lying={2: HERE, 3: THERE},
    )
    if order:
        p.do(f"order {order}")
    p.do("use HV1")
    return p


def do(p: Play, word: str) -> None:
    """Do something of that kind, to no effect: misses, and a shell into the floor far off."""
    state = p.state
    here = at(state, "HV1")
    if word == "move":
        p.do(f"move HV1 {THERE if here == HERE else HERE}")
    elif word == "shoot":
        p.do("shoot HV1 AB1", 1, 1, 1, 1)
    elif word == "hellfire":
        p.do("hellfire HV1 2:f8")
    elif word == "fight":
        p.do("fight HV1 AB1", *[1] * (4 if state.served and state.served.key == "blades" else 2))
    elif word == "melta":
        p.do("melta HV1 AB2")
    elif word == "take":
        p.do(f"take HV1 A{2 if here == HERE else 3}")
    else:
        p.do("give HV1 SC1 A1")


def walks(order: str, depth: int = 4) -> Iterator[list[str]]:
    """Every row of things a model may do by the table, up to a length."""
    edge: list[list[str]] = [[]]
    for _ in range(depth):
        beyond = []
        for row in edge:
            flags = Flags(order)
            for word in row:
                flags.take(word)
            beyond += [[*row, word] for word in sorted(flags.may())]
        yield from beyond
        edge = beyond


@pytest.mark.parametrize("order", ["", "double", "sustained", "blades", "mark"])
def test_the_activation_flags_are_those_of_the_table(order: str) -> None:
    """TA-TURN-6, TA-TURN-7, TA-ATT-1, TA-ORDER-9 to -12, section 2 of the brief: every row of up to four doings."""
    start = scene(order)
    rows = list(walks(order))
    assert len(rows) >= 19
    for row in rows:
        p = Play(start.state.copy())
        flags = Flags(order)
        for word in row:
            assert p.asked == "Acting"
            assert words(p) - {"done"} <= {*ACT}
            do(p, word)
            flags.take(word)
        may = flags.may()
        if "give" in row:
            may -= {"give"}
        offered = words(p) - {"done"} if p.asked == "Acting" and p.state.active == "HV1" else set()
        assert offered == may, row


def test_the_table_knows_as_many_rows_as_it_should() -> None:
    """The table itself: without an order a move and an attack in either order, and no more."""
    assert ["move", "shoot"] in list(walks(""))
    assert ["shoot", "shoot"] not in list(walks(""))
    assert ["shoot", "hellfire"] in list(walks("sustained"))
    assert ["move", "shoot", "move"] in list(walks("mark"))
    assert ["move", "shoot", "move"] not in list(walks(""))
    assert ["move", "move", "fight"] in list(walks("double"))


def test_aiming_at_the_floor_is_not_done_by_halves() -> None:
    """TA-WEAP-11: between the shell and its square nothing else is asked."""
    p = play(models={"HV1": "2:e5", "GE1": "2:k5", **LED}, active="HV1")
    p.referee.take("marines", Hellfire(FLOOR))
    assert words(p) == {"aim"}
    assert p.state.shells == 3
    refusal = RULESET.refusal(p.state, "marines", AimAt(p.state.models["GE1"].at))
    assert refusal is not None
    assert refusal.rule == "TA-WEAP-21"
