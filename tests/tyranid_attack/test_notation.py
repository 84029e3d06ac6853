"""Notation: every form of it, what is refused and why, what is no notation, and that it betrays no secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hive import BOOK, Play, play

from warptape.domain.chance import Fate, Luck
from warptape.domain.errors import BadNotation, IllegalAction
from warptape.domain.referee import Match
from warptape.domain.tyranid_attack import RULESET, steps
from warptape.domain.tyranid_attack import actions as act
from warptape.domain.tyranid_attack.notation import VERBS
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, Act, HiveState, Options, Trigger
from warptape.domain.tyranid_attack.verbs import ALIASES
from warptape.domain.tyranid_attack.writing import WORDS, WRITERS

HALL = {
    "SC1": "5:g5", "SC2": "5:f8", "HV1": "5:h7", "SG1": "5:d6", "GE3": "5:g8", "GE4": "5:i8", "BO1": "5:h6",
    "DS1": "5:m6",
}  # fmt: skip
"""Section 5 is one hall, narrow at its ends: here everybody sees nearly everybody."""
DUEL = {"SC1": "5:g6", "SC2": "5:g7", "DN1": "5:k6"}
DEEP = Options(extra_tyranids="dreadnought=1,android=2")
ARMS = {"DN1": ("dn_heavy_bolter", "dn_missile_launcher")}


def hall(side: str = MARINES, **facts: Any) -> HiveState:
    """A position in the hall."""
    return position(side, **{"models": HALL, "options": DEEP, **facts})


def duel(**facts: Any) -> HiveState:
    """A Dreadnought taken up, with two Scouts before it."""
    return hall(TYRANID, **{"models": DUEL, "arms": ARMS, "active": "DN1", **facts})


def at(name: str, state: HiveState | None = None) -> tuple[int, int]:
    """A square by its name."""
    found = BOOK.ship(state or hall()).square(int(name[0]), ord(name[2]) - ord("a"), int(name[3:]) - 1)
    assert found is not None
    return found


def asked(step: steps.AnyStep, side: str = MARINES, **facts: Any) -> HiveState:
    """A position in the hall at another question."""
    return hall(side, **{"pending": (step,), **facts})


def seat_of(state: HiveState) -> str:
    decision = RULESET.decision(state)
    assert decision is not None
    return decision.seat


def read(line: str, state: HiveState, seat: str | None = None) -> list[Any]:
    """The actions of a line, typed by the seat that is asked."""
    return list(RULESET.parse(state, seat or seat_of(state), line))


def bad(line: str, state: HiveState, seat: str | None = None) -> BadNotation:
    """What is wrong with a line."""
    with pytest.raises(BadNotation) as caught:
        read(line, state, seat)
    return caught.value


def refused(line: str, state: HiveState, seat: str | None = None) -> str:
    """The rule by which reading a line refuses it."""
    with pytest.raises(IllegalAction) as caught:
        read(line, state, seat)
    return caught.value.refusal.rule


def why(line: str, state: HiveState) -> str:
    """The rule that refuses a line, in reading or by its first action; empty when it is legal."""
    return Play(state.copy()).why(line)


# Of the model taken up


SC1, HV1 = hall(active="SC1"), hall(active="HV1")


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("move SC1 5:e3", act.Move(at("5:e3"), "avoid")),
        ("  MOVE   sc1  5:E3 ", act.Move(at("5:e3"), "avoid")),
        ("mv 5:e3", act.Move(at("5:e3"), "avoid")),
        ("m 5:e3 avoid", act.Move(at("5:e3"), "avoid")),
        ("move SC1 5:e3 ENTER", act.Move(at("5:e3"), "enter")),
        ("move 5:g5 enter", act.Move(at("5:g5"), "enter")),
        ("move SC1 5:e1", act.Move(at("5:e1"))),
        ("move SC1 6:e11", act.Move(at("5:e1"))),
        ("move SC1 6:e11 enter", act.Move(at("5:e1"))),
        ("move SC1 5:e7 avoid", act.Move(at("5:e7"))),
        ("move SC1 5:f4>5:e3", act.Move(at("5:e3"), "avoid")),
        ("move 5:f4 > 5:e3", act.Move(at("5:e3"), "avoid")),
        ("move 5:f4,5:e3 avoid", act.Move(at("5:e3"), "avoid")),
        ("move 5:g5>5:f4>5:e3", act.Move(at("5:e3"), "avoid")),
        ("move 5:f4>5:e3>5:e2>5:e1", act.Move(at("5:e1"))),
        ("move 5:f4>5:e3>5:e2>6:e11>5:e2 enter", act.Move(at("5:e2"), "enter")),
        ("move 5:f4>5:e3>5:e2>5:e1>5:e2>5:e3>5:f4>5:g5", act.Move(at("5:g5"), "enter")),
        ("shoot SC1 GE3", act.Shoot((("GE3", 2),))),
        ("shoot ge3", act.Shoot((("GE3", 2),))),
        ("s GE3*2", act.Shoot((("GE3", 2),))),
        ("fire SC1 GE3*2", act.Shoot((("GE3", 2),))),
        ("fight SC1 BO1", act.Fight("BO1")),
        ("f bo1", act.Fight("BO1")),
        ("fight obj-5", act.Fight("OBJ-5")),
        ("melta SC1 BO1", act.Melta("BO1")),
        ("melta OBJ5", act.Melta("OBJ-5")),
        ("take SC1 A4", act.Take(4)),
        ("take a4", act.Take(4)),
        ("take 4", act.Take(4)),
        ("give SC1 SC2 A3", act.Give("SC2", 3)),
        ("give SC2 A3", act.Give("SC2", 3)),
        ("done SC1", act.DONE),
        ("done", act.DONE),
        ("pass", act.DONE),
        ("p", act.DONE),
        ("end", act.END),
    ],
)
def test_what_a_model_does_when_it_is_taken_up(line: str, action: Any) -> None:
    """The name of the model may be left out; a path stands for its end and its kind (TA-EXPL-2)."""
    assert read(line, SC1) == [action]


@pytest.mark.parametrize(
    ("line", "volleys"),
    [
        ("shoot HV1 GE3", (("GE3", 4),)),
        ("shoot HV1 BO1*1 GE3*3", (("BO1", 1), ("GE3", 3))),
        ("shoot HV1 GE3*3 BO1*1", (("BO1", 1), ("GE3", 3))),
        ("shoot GE4*1, GE3*2, BO1*1", (("BO1", 1), ("GE3", 2), ("GE4", 1))),
        ("shoot GE3*3 BO1", (("BO1", 1), ("GE3", 3))),
        ("shoot GE4 GE3 BO1 DS1", (("BO1", 1), ("DS1", 1), ("GE3", 1), ("GE4", 1))),
    ],
)
def test_dice_are_shared_out_in_any_order_of_targets(line: str, volleys: Any) -> None:
    """TA-WEAP-2: the targets come in the order of the board, whatever the order they are typed in."""
    assert read(line, HV1) == [act.Shoot(volleys)]
    assert act.Shoot(volleys) in RULESET.decision(HV1).actions  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("hellfire HV1 GE3", [act.Hellfire("GE3")]),
        ("hf GE3", [act.Hellfire("GE3")]),
        ("hellfire HV1 5:i6", [act.Hellfire("floor"), act.AimAt(at("5:i6"))]),
        ("hellfire 5:i6", [act.Hellfire("floor"), act.AimAt(at("5:i6"))]),
        ("hellfire floor", [act.Hellfire("floor")]),
        ("hellfire HV1 OBJ-5", [act.Hellfire("OBJ-5")]),
    ],
)
def test_hellfire_is_aimed_at_models_templates_and_floor(line: str, actions: Any) -> None:
    """TA-WEAP-8, TA-WEAP-11: an empty square is asked for next, and may be named at once."""
    assert read(line, HV1) == actions


@pytest.mark.parametrize("line", ["aim HV1 5:i6", "aim 5:i6", "hellfire HV1 5:i6", "hellfire 5:i6"])
def test_the_square_of_a_shot_that_is_aimed_at_the_floor(line: str) -> None:
    aiming = asked(steps.Aim(side=MARINES, model="HV1", weapon="hellfire"), active="HV1")
    assert read(line, aiming) == [act.AimAt(at("5:i6"))]


def test_a_deathspitter_is_aimed_at_the_floor() -> None:
    """TA-BIO-3 by way of TA-WEAP-21."""
    state = hall(TYRANID, active="DS1")
    assert read("shoot DS1 5:j6", state) == [act.Shoot((("floor", 2),)), act.AimAt(at("5:j6"))]
    assert read("shoot DS1 floor", state) == [act.Shoot((("floor", 2),))]
    aiming = asked(steps.Aim(side=TYRANID, model="DS1", weapon=""), TYRANID, active="DS1")
    assert read("shoot 5:j6", aiming) == [act.AimAt(at("5:j6"))]
    assert refused("shoot DS1 5:a1", state) == "TA-WEAP-21"
    assert refused("shoot DS1 5:g5", state) == "TA-WEAP-21"
    assert why("shoot HV1 5:i6", HV1) == "TA-SHOOT-8"


@pytest.mark.parametrize(
    ("line", "weapon", "volleys"),
    [
        ("shoot DN1/body SC1*1 SC2*1", "body", (("SC1", 1), ("SC2", 1))),
        ("shoot DN1/BODY SC1", "body", (("SC1", 2),)),
        ("shoot DN1/1 SC1*4", "1", (("SC1", 4),)),
        ("shoot /2 SC1", "2", (("SC1", 2),)),
        ("shoot 2 SC1", "2", (("SC1", 2),)),
        ("shoot DN1 body SC1", "body", (("SC1", 2),)),
    ],
)
def test_a_dreadnought_names_the_weapon(line: str, weapon: str, volleys: Any) -> None:
    """TA-DREAD-5: each weapon is named."""
    assert read(line, duel()) == [act.Shoot(volleys, weapon)]


def test_the_only_weapon_that_a_dreadnought_can_fire_need_not_be_named() -> None:
    fired = {"DN1": Act(fresh=False, attacked=True, shots=2, fired=["body", "1"])}
    state = duel(acts=fired)
    assert read("shoot SC1", state) == [act.Shoot((("SC1", 2),), "2")]
    assert why("shoot DN1 SC1", duel()) == "TA-DREAD-4"
    assert why("shoot DN1/body SC1", state) == "TA-DREAD-9"
    assert why("shoot SC1/body GE3", SC1) == "TA-DREAD-5"


def test_an_artifact_that_lies_alone_need_not_be_named() -> None:
    """TA-ART-7."""
    lying = hall(active="SC1", lying={4: "5:g5"})
    assert read("take", lying) == read("take SC1", lying) == [act.Take(4)]
    assert bad("take", SC1).column == 5


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("move SC2 5:g5", "TA-TURN-3"),
        ("shoot SC2 GE3", "TA-TURN-3"),
        ("shoot SC2/1 GE3", "TA-TURN-3"),
        ("hellfire HV1 GE3", "TA-TURN-3"),
        ("fight SG1 BO1", "TA-TURN-3"),
        ("melta SG1 BO1", "TA-TURN-3"),
        ("take SC2 A1", "TA-TURN-3"),
        ("give SC2 SC1 A1", "TA-TURN-3"),
        ("done SC2", "TA-TURN-3"),
        ("fight GE1 BO1", "TA-TURN-3"),
        ("move 5:f6>5:h5", "TA-MOVE-2"),
        ("move 5:h6>5:i6", "TA-MOVE-4"),
        ("move 5:g5>5:g4>5:g3", "TA-MOVE-6"),
        ("move 5:f6>5:g6>5:f6>5:g6>5:f6>5:g6>5:f6>5:g6>5:f6", "TA-MOVE-1"),
    ],
)
def test_reading_refuses_what_no_action_can_say(line: str, rule: str) -> None:
    """TA-TURN-3: another model than the one taken up; paths against the rules of moving."""
    assert refused(line, SC1) == rule


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("use SC2", "TA-TURN-3"),
        ("end", "TA-TURN-3"),
        ("order mark", "TA-ORDER-8"),
        ("move 5:h6", "TA-MOVE-4"),
        ("move 5:h7", "TA-MOVE-3"),
        ("move 5:a1", "TA-MOVE-6"),
        ("move 5:g5", "TA-MOVE-1"),
        ("move 5:e7 enter", "TA-EXPL-2"),
        ("move 5:e1 avoid", "TA-EXPL-2"),
        ("shoot SC2", "TA-SHOOT-8"),
        ("shoot 5:f5", "TA-SHOOT-8"),
        ("shoot GE3*1", "TA-WEAP-2"),
        ("shoot GE7", "TA-SHOOT-8"),
        ("hellfire GE3", "TA-WEAP-8"),
        ("fight GE3", "TA-HTH-1"),
        ("fight OBJ-2", "TA-HTH-1"),
        ("take A1", "TA-ART-7"),
        ("give SC2 A1", "TA-ART-4"),
        ("enter GE1 5:e1", "TA-REINF-1"),
        ("roll", "TA-REINF-1"),
        ("stop", "TA-TURN-3"),
    ],
)
def test_what_the_rules_refuse_is_read_and_left_to_them(line: str, rule: str) -> None:
    assert why(line, SC1) == rule


def test_a_way_that_is_the_only_one_may_still_be_named() -> None:
    """TA-EXPL-2: with nothing to choose, the kind is not part of the action, and the wrong kind is refused."""
    far = position(models={"SC1": "2:g6"}, active="SC1")
    assert read("move 2:g5 avoid", far) == read("move 2:g5", far)
    assert why("move 2:g5 enter", far) == "TA-EXPL-2"
    opened = hall(active="SC1", trigger=Trigger("SC1", 6, at("5:e1")))
    assert read("move 5:f4>5:e3>5:e2>5:e1", opened) == [act.Move(at("5:e1"))]


def test_a_path_and_a_word_that_do_not_agree() -> None:
    found = bad("move SC1 5:f4>5:e3 enter", SC1)
    assert (found.column, found.suggestion) == (20, "move SC1 5:f4>5:e3 avoid")
    assert "does not step" in str(found)
    assert "That path steps" in str(bad("move 5:f4>5:e3>5:e2>5:e1 avoid", SC1))


# Taking up on the way


FREE = hall()


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("use SC1", [act.UseModel("SC1")]),
        ("u sc1", [act.UseModel("SC1")]),
        ("move SC1 5:e3", [act.UseModel("SC1"), act.Move(at("5:e3"), "avoid")]),
        ("move SC1 5:f5>5:e6", [act.UseModel("SC1"), act.Move(at("5:e6"))]),
        ("shoot SC1 GE3", [act.UseModel("SC1"), act.Shoot((("GE3", 2),))]),
        ("shoot HV1 GE3*3 BO1*1", [act.UseModel("HV1"), act.Shoot((("BO1", 1), ("GE3", 3)))]),
        ("hellfire HV1 5:i6", [act.UseModel("HV1"), act.Hellfire("floor"), act.AimAt(at("5:i6"))]),
        ("fight SC1 BO1", [act.UseModel("SC1"), act.Fight("BO1")]),
        ("melta SC1 BO1", [act.UseModel("SC1"), act.Melta("BO1")]),
        ("done SC1", [act.UseModel("SC1"), act.DONE]),
        ("end", [act.END]),
        ("pass", [act.END]),
        ("order mark", [act.PlayOrder("mark")]),
        ("order MARK YOUR TARGETS", [act.PlayOrder("mark")]),
        ("o ORD-4", [act.PlayOrder("mark")]),
        ("order double SC1", [act.PlayOrder("double", "SC1")]),
        ("order At the Double sc1", [act.PlayOrder("double", "SC1")]),
    ],
)
def test_a_model_that_is_named_is_taken_up(line: str, actions: Any) -> None:
    """TA-TURN-3: while none is taken up, a model action stands for `use` and that action."""
    assert read(line, FREE) == actions


def test_a_line_that_takes_up_and_acts_can_be_played() -> None:
    game = play(models=HALL, options=DEEP)
    game.do("move SC1 5:f6")
    assert game.asked == "Acting"
    game.do("done")
    game.do("hellfire HV1 5:i6")
    assert game.state.shells == 2
    game = play(models=HALL, artifacts={"HV1": [3]}, lying={4: "5:f8"}, arms=ARMS, options=DEEP)
    game.do("move SC1 5:g6")
    game.do("done SC1")
    game.do("give HV1 SC1 A3")
    game.do("done")
    assert game.state.models["SC1"].artifacts == [3]
    game.do("take SC2 A4")
    assert game.state.models["SC2"].artifacts == [4]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("move SC1 5:a1", "TA-MOVE-6"),
        ("move SC1 5:f6>5:h5", "TA-MOVE-2"),
        ("shoot SC1 SC2", "TA-SHOOT-8"),
        ("hellfire SC1 GE3", "TA-WEAP-8"),
        ("hellfire HV1 5:a1", "TA-WEAP-21"),
        ("fight SC1 GE3", "TA-HTH-1"),
        ("give SC1 SC2 A3", "TA-ART-4"),
        ("take SC1 A4", "TA-ART-7"),
    ],
)
def test_nothing_is_taken_up_on_the_way_to_a_refusal(line: str, rule: str) -> None:
    """TA-TURN-3: there is no putting down, so the whole line is refused."""
    assert refused(line, FREE) == rule


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("use SC6", "TA-TURN-2"),
        ("move SC6 5:g5", "TA-TURN-2"),
        ("shoot SC6 GE3", "TA-TURN-2"),
        ("shoot GE3 SC1", "TA-TURN-2"),
        ("fight GE3 SC2", "TA-TURN-2"),
        ("order mark SC1", "TA-ORDER-4"),
        ("follow SC1 GE3", "TA-FOLLOW-1"),
    ],
)
def test_a_model_that_cannot_be_taken_up_is_refused_by_the_rules(line: str, rule: str) -> None:
    assert why(line, FREE) == rule
    spent = hall(acts={"SC1": Act(fresh=False)})
    assert why("move SC1 5:a1", spent) == why("shoot SC1 GE3", spent) == "TA-TURN-4"


# Follow-ups, set-up, placing


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("follow SC2 GE3", act.Follow("GE3")),
        ("follow ge3", act.Follow("GE3")),
        ("stop SC2", act.STOP),
        ("stop", act.STOP),
        ("pass", act.STOP),
    ],
)
def test_follow_ups(line: str, action: Any) -> None:
    """TA-FOLLOW-1, TA-FOLLOW-3."""
    state = asked(steps.FollowUp(side=MARINES, model="SC2"), active="SC2")
    assert read(line, state) == [action]
    assert refused("follow SC1 BO1", state) == refused("stop SC1", state) == "TA-TURN-3"
    assert why("follow OBJ-5", state) == "TA-FOLLOW-6"
    assert why("follow GE4", state) == "TA-FOLLOW-5"


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("deploy auto", [act.AUTO]),
        ("auto", [act.AUTO]),
        ("deploy SC1", [act.DeployModel("SC1")]),
        ("d sc1 3:g6", [act.DeployModel("SC1"), act.StandOn(at("3:g6"))]),
        (
            "deploy SC1 3:g6, SG1 3:g7",
            [act.DeployModel("SC1"), act.StandOn(at("3:g6")), act.DeployModel("SG1"), act.StandOn(at("3:g7"))],
        ),
        ("deploy SC1 3:g6 SG1", [act.DeployModel("SC1"), act.StandOn(at("3:g6")), act.DeployModel("SG1")]),
        ("ready", [act.READY]),
    ],
)
def test_deployment(line: str, actions: Any) -> None:
    """TA-SETUP-16."""
    state = position(models={}, pending=(steps.Deploy(),))
    state.party = ["SC1", "SG1"]
    assert read(line, state) == actions


@pytest.mark.parametrize("line", ["at 3:g6", "deploy SC1 3:g6", "deploy 3:g6"])
def test_where_the_marine_that_is_deployed_starts(line: str) -> None:
    state = position(models={"SC1": "3:c6"}, pending=(steps.Deploy(), steps.DeployOn(model="SC1")))
    assert read(line, state) == [act.StandOn(at("3:g6"))]
    more = [act.StandOn(at("3:g6")), act.DeployModel("SC2"), act.StandOn(at("3:g7"))]
    assert read(f"{line} SC2 3:g7", state) == more if line != "at 3:g6" else bad(f"{line} SC2 3:g7", state)
    assert refused("deploy SC2 3:g6", state) == "TA-SETUP-16"
    assert why("at 6:g6", state) == "TA-SETUP-17"
    assert why("at 3:a1", state) == "TA-SETUP-18"


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("buy marine 4", act.BuyKind("marine", 4)),
        ("buy MA 4", act.BuyKind("marine", 4)),
        ("buy Space Marine 4", act.BuyKind("marine", 4)),
        ("buy heavy_scout", act.BuyKind("heavy_scout", 1)),
        ("buy genestealer 2", act.BuyKind("genestealer", 2)),
        ("ready", act.READY),
    ],
)
def test_buying(line: str, action: Any) -> None:
    """TA-BUY-1, TA-BUY-2."""
    state = position(models={}, pending=(steps.Buy(),), options=Options(party="points"))
    state.points_left = 30
    assert read(line, state) == [action]
    assert why("buy genestealer 2", state) == "TA-BUY-2"
    assert why("buy commander 9", state) == "TA-BUY-3"


REINFORCE = hall("reinforce")
ENTER = asked(steps.Enter(), TYRANID)
PUT = asked(steps.Put(section=4, slots=3), TYRANID)
BLOBS = asked(steps.Put(section=4, slots=2, kinds=("acid_blob",)), TYRANID)
FOUND = asked(steps.Found(kinds=("terminator", "librarian"), near=at("5:g5")))
RETURN = asked(steps.Return(squares=(at("5:d8"), at("5:e8")), count=2), lost=["SC5", "SC4", "HV2"])


@pytest.mark.parametrize(
    ("line", "state", "action"),
    [
        ("roll", REINFORCE, act.ROLL),
        ("r", REINFORCE, act.ROLL),
        ("skip", REINFORCE, act.SKIP),
        ("pass", REINFORCE, act.SKIP),
        ("enter GE1 1:e11", ENTER, act.EnterModel("GE1", at("1:e11"))),
        ("enter GE7 1:e11", ENTER, act.EnterModel("GE1", at("1:e11"))),
        ("enter ge 1:e11", ENTER, act.EnterModel("GE1", at("1:e11"))),
        ("enter Genestealer 1:e11", ENTER, act.EnterModel("GE1", at("1:e11"))),
        ("enter BO3 2:a6", ENTER, act.EnterModel("BO2", at("2:a6"))),
        ("enter GE3 1:e11", ENTER, act.EnterModel("GE3", at("1:e11"))),
        ("place GE2 4:h6", PUT, act.PutModel("GE1", at("4:h6"))),
        ("place AN2 4:h6", PUT, act.PutModel("AN1", at("4:h6"))),
        ("place AB3 4:h6", BLOBS, act.PutModel("AB1", at("4:h6"))),
        ("place AB 4:h6", BLOBS, act.PutModel("AB1", at("4:h6"))),
        ("place TE2 5:g5", FOUND, act.PutModel("TE1", at("5:g5"))),
        ("place LI 5:g5", FOUND, act.PutModel("LI1", at("5:g5"))),
        ("return SC5 5:d8", RETURN, act.ReturnScout("SC4", at("5:d8"))),
        ("return HV 5:d8", RETURN, act.ReturnScout("HV2", at("5:d8"))),
        ("return SC1 5:d8", RETURN, act.ReturnScout("SC1", at("5:d8"))),
        ("ready", RETURN, act.READY),
        ("pass", RETURN, act.READY),
        ("cyst 4:h6", asked(steps.LayCyst(section=4, count=1), TYRANID), act.PutCyst(at("4:h6"))),
    ],
)
def test_models_and_cysts_are_placed(line: str, state: HiveState, action: Any) -> None:
    """TA-REINF-2, TA-CARD-2, TA-SPEC-1: of one kind the first of the supply is meant, as all are the same."""
    assert read(line, state) == [action]


@pytest.mark.parametrize(
    ("line", "state", "rule"),
    [
        ("enter GE3 1:e11", ENTER, "TA-REINF-2"),
        ("enter AB1 1:e11", ENTER, "TA-BLOB-1"),
        ("enter DN1 1:e11", ENTER, "TA-DREAD-2"),
        ("enter DN 1:e11", ENTER, "TA-DREAD-2"),
        ("enter DS1 1:e11", ENTER, "TA-REINF-2"),
        ("enter SC1 1:e11", ENTER, "TA-REINF-2"),
        ("enter GE1 5:e6", ENTER, "TA-REINF-7"),
        ("place GE3 4:h6", PUT, "TA-REINF-2"),
        ("place AB1 4:h6", PUT, "TA-BLOB-1"),
        ("place GE1 4:h6", BLOBS, "TA-BLOB-8"),
        ("place GE1 3:h6", PUT, "TA-CARD-2"),
        ("place TF1 5:g5", FOUND, "TA-CARD-3"),
        ("return SC1 5:d8", RETURN, "TA-SPEC-1"),
        ("return SC4 5:e7", RETURN, "TA-SPEC-2"),
    ],
)
def test_a_name_that_is_not_in_the_supply_stays_as_it_is_and_is_refused(line: str, state: HiveState, rule: str) -> None:
    assert why(line, state) == rule


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("template OBJ-5 5:d4 wide", act.StandTemplate(at("5:d4"))),
        ("template obj5 5:D4 TALL", act.StandTemplate(at("5:d4"), True)),
        ("template 5:d4 tall", act.StandTemplate(at("5:d4"), True)),
    ],
)
def test_templates(line: str, action: Any) -> None:
    """TA-OBJ-2."""
    state = asked(steps.PlaceTemplate(objective="OBJ-5"), TYRANID)
    assert read(line, state) == [action]
    assert refused("template OBJ-1 5:d4 wide", state) == "TA-OBJ-2"
    assert why("template OBJ-5 5:a1 wide", state) == "TA-OBJ-2"
    assert why("template OBJ-5 5:a6 wide", state) == "TA-OBJ-3"
    assert "wide or tall" in str(
        bad("template OBJ-5 5:e5", asked(steps.PlaceTemplate(objective="OBJ-5"), TYRANID, models={}))
    )
    found = bad("template OBJ-5 5:d4 tal", state)
    assert (found.column, found.suggestion) == (21, "template OBJ-5 5:d4 tall")


def test_a_square_template_lies_one_way_only() -> None:
    state = position(TYRANID, models={"SC1": "5:g6"}, pending=(steps.PlaceTemplate(objective="OBJ-2"),))
    for line in ("template OBJ-2 2:g6", "template OBJ-2 2:g6 wide", "template OBJ-2 2:g6 tall"):
        assert read(line, state) == [act.StandTemplate(at("2:g6"))]


def test_a_dreadnought_is_armed_and_loses_its_weapons() -> None:
    """TA-DREAD-4, TA-DREAD-6."""
    arm = asked(steps.Arm(model="DN1", at=at("4:h6")), TYRANID, models={"SC1": "5:g6"})
    for line in ("arm DN1 dn_plasma_cannon", "arm dn_plasma_cannon", "arm Plasma Cannon", "arm DN1 plasma-cannon"):
        assert read(line, arm) == [act.ArmWith("dn_plasma_cannon")]
    found = bad("arm DN1 dn_plasma_canon", arm)
    assert (found.column, found.suggestion) == (9, "arm DN1 dn_plasma_cannon")
    drop = duel(active="", pending=(steps.Drop(model="DN1"),))
    assert read("drop DN1 2", drop) == read("drop 2", drop) == [act.DropWeapon(2)]
    assert bad("drop DN1 3", drop).column == 10
    assert bad("drop DN1", drop).column == 9


# What is no notation


@pytest.mark.parametrize(
    ("line", "column", "suggestion"),
    [
        ("", 1, ""),
        ("  ", 3, ""),
        ("mov SC1 5:g6", 1, "move SC1 5:g6"),
        ("xyzzy", 1, ""),
        ("use", 4, "use SG1"),
        ("use SC11", 5, "use SC1"),
        ("use XX1", 5, None),
        ("use SC1 SC2", 9, None),
        ("move", 5, None),
        ("move SC1", 9, None),
        ("move SC1 5:p5", 10, None),
        ("move SC1 5:g12", 10, None),
        ("move SC1 7:g5", 10, None),
        ("move SC1 there", 10, None),
        ("move SC1 5:f6>x", 15, None),
        ("move 5:g5", 6, None),
        ("shoot", 6, None),
        ("shoot SC1", 10, None),
        ("shoot GE3", 7, None),
        ("shoot SC1 GE33", 11, "shoot SC1 GE3"),
        ("shoot SC1 GE3*x", 15, None),
        ("shoot SC1 *2", 11, None),
        ("shoot HV1 GE3 GE3", 15, None),
        ("shoot HV1 GE3 BO1", 11, "shoot HV1 GE3*2 BO1*2"),
        ("shoot HV1 GE3 BO1 GE4", 11, "shoot HV1 GE3*2 BO1*1 GE4*1"),
        ("shoot HV1 OBJ-9", 11, None),
        ("hellfire HV1", 13, None),
        ("fight SC1", 10, None),
        ("fight SC1 5:g8", 11, None),
        ("fight SC1 BO1 GE3", 15, None),
        ("take SC1 A9", 10, None),
        ("give SC1 SC2", 13, None),
        ("give SC1 SC2 A3 A4", 17, None),
        ("done", 5, None),
        ("done SC1 now", 10, None),
        ("order", 6, None),
        ("order marks", 7, "order mark"),
        ("order mark XX9", 12, None),
        ("end now", 5, None),
        ("deploy", 7, None),
        ("deploy SC1 SC2", 12, None),
        ("enter GE1", 10, None),
        ("enter GE1 1:e11 now", 17, None),
        ("enter XX1 1:e11", 7, None),
        ("cyst", 5, None),
        ("cyst h6", 6, None),
        ("template OBJ-5", 15, None),
        ("template OBJ-9 5:d4", 10, None),
        ("buy", 4, None),
        ("buy 4", 5, None),
        ("buy marines 4", 5, None),
        ("buy marine 0", 12, None),
        ("arm", 4, None),
        ("follow", 7, None),
    ],
)
def test_errors_point_at_the_word_and_suggest(line: str, column: int, suggestion: str | None) -> None:
    """A column is that of the word at fault, or the one behind the line where a word is missing."""
    found = bad(line, FREE)
    assert (found.column, found.text) == (column, line)
    if suggestion is not None:
        assert (found.suggestion or "") == suggestion
    if found.suggestion:
        assert read(found.suggestion, FREE)


def test_passing_where_there_is_nothing_to_pass() -> None:
    assert "nothing to pass" in str(bad("pass", PUT))


def test_every_verb_is_read_and_every_action_written_and_told() -> None:
    assert {*ALIASES.values()} == {*VERBS}
    assert all(ALIASES[verb] == verb for verb in VERBS)
    assert {*WRITERS} == {*WORDS} == {*RULESET.actions}


# Round trips


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        ("round", Options(turn_limit=10)),
        ("trip", Options(turn_limit=10, party="points", points=60, found_marines_act=True)),
        ("deep", Options(turn_limit=10, extra_tyranids="dreadnought=2,android=2,needle_stalker=2", corners="sealed")),
    ],
)
def test_what_is_written_is_read_again(seed: str, options: Options) -> None:
    """Legal actions of random play: their notation stands for them alone, and their words are no two the same."""
    match, luck, kinds = Match(RULESET, Fate(seed), options, keep=False), Luck(seed), set()
    for _ in range(700):
        decision, state = match.decision, match.state
        if decision is None:
            break
        actions = decision.actions
        some = [actions[luck.below(len(actions))] for _ in range(4)]
        for action in some:
            line = RULESET.notation(state, action)
            assert read(line, state) == [action], line
            assert read(line.upper(), state) == [action], line
            assert RULESET.describe(state, action)
            kinds.add(type(action))
        if len(actions) < 60:
            lines = [RULESET.notation(state, action) for action in actions]
            assert len({*lines}) == len(lines)
            words = [RULESET.describe(state, action) for action in actions]
            assert len({*words}) == len(words)
        choice: Any = some[0]
        if isinstance(state.pending[-1], steps.Deploy):
            choice = act.AUTO if state.party else act.READY
        match.act(choice, decision.seat)
    assert len(kinds) >= 9


# Words


@pytest.mark.parametrize(
    ("line", "state", "words"),
    [
        ("use SC1", FREE, "SC1 (Scout) at 5:g5"),
        ("use SG1", hall(life={"SG1": 1}), "SG1 (Scout Sergeant) at 5:d6, 1 life left"),
        ("move 5:e3", SC1, "To 5:e3 (2 squares, keeps out of the unexplored section)"),
        ("move 5:e3 enter", SC1, "To 5:e3 (6 squares, steps into the unexplored section)"),
        ("move 5:h4", SC1, "To 5:h4 (1 square)"),
        ("move 5:e1", SC1, "To 5:e1 (4 squares, steps into the unexplored section)"),
        ("shoot GE3", SC1, "Shoot at GE3 at 5:g8 (2 dice, needs 5)"),
        ("shoot GE3*3 BO1*1", HV1, "Shoot at BO1 at 5:h6 (1 die, needs 6) and GE3 at 5:g8 (3 dice, needs 5)"),
        ("hellfire floor", HV1, "Hellfire at an empty square"),
        ("fight BO1", SC1, "Fight BO1 at 5:h6 (2 dice against 4 dice+1)"),
        ("shoot DN1/2 SC1", duel(),
         "Shoot at SC1 at 5:g6 (2 dice, needs 4) with the missile launcher, and a burst around it"),
        ("drop 2", duel(active="", pending=(steps.Drop(model="DN1"),)), "Lose the missile launcher (weapon 2)"),
        ("enter GE1 1:e11", ENTER, "GE1 (Genestealer) enters on 1:e11"),
        ("order mark", FREE, "Mark Your Targets"),
    ],
)  # fmt: skip
def test_actions_in_words(line: str, state: HiveState, words: str) -> None:
    """What a menu says: squares to go, dice, and what they need."""
    (action,) = read(line, state)[-1:]
    assert RULESET.describe(state, action) == words


# Secrets


LINES: Sequence[str] = (
    "use SC1", "move SC1 6:e10", "shoot SC1 GE3", "place GE1 6:g6", "template OBJ-3 5:d4 wide", "cyst 6:g6", "xyzzy",
    "enter GE2 5:e1", "order marks", "use GE44",
)  # fmt: skip


def said(line: str, state: HiveState, seat: str) -> str:
    """What a line comes to for a seat: its actions, or what it is told."""
    try:
        return repr(read(line, state, seat))
    except (BadNotation, IllegalAction) as error:
        return f"{error} {getattr(error, 'suggestion', '')}"


def test_notation_and_summary_betray_no_secret() -> None:
    """The tile held and the card that lies face down: the Tyranid player reads the same, whatever they are."""
    cards = list(BOOK.catalogue.cards)
    one = hall(card=cards[2], known=True, tile="LOC-3")
    two = hall(card=cards[9], known=True, tile="LOC-5")
    for line in LINES:
        assert said(line, one, TYRANID) == said(line, two, TYRANID)
    theirs = [RULESET.summarize(RULESET.view(state, TYRANID)) for state in (one, two)]
    assert theirs[0] == theirs[1]
    assert ("The tile held", "face down") in theirs[0]
    mine = dict(RULESET.summarize(RULESET.view(one, MARINES)))
    assert mine["The tile held"] == "section 3: the Respiratory Vent"
    assert BOOK.names.card(cards[2]) in mine["Unexplored"]


def test_a_seat_that_is_not_asked_is_shown_no_lines_of_the_other() -> None:
    assert bad("use", FREE).suggestion == "use SG1"
    assert not bad("use", FREE, TYRANID).suggestion
    assert read("shoot GE3 SC1", FREE, TYRANID) == [act.Shoot((("SC1", 1),))]


def test_the_summary_says_what_is_on_the_table() -> None:
    state = hall(
        active="SC1", turn=4, life={"SG1": 1}, artifacts={"SC2": [3]}, lying={4: "5:e7"}, cysts=["5:d8"],
        templates={"OBJ-1": "1:e5"}, destroyed=["OBJ-2"], gone=["OBJ-3"], lost=["SC6"], prone=["SC2"],
        ready={"DS1": 5}, orders=["mark"],
    )  # fmt: skip
    rows = dict(RULESET.summarize(state))
    assert rows["Turn"] == "4: the Space Marines, SC1 is taken up"
    assert "SC2 5:f8 (prone, A3)" in rows["Marines"]
    assert "SG1 5:d6 (life 1)" in rows["Marines"]
    assert "its gun recharges until turn 5" in rows["Tyranids"]
    assert "heavy bolter, missile launcher" in dict(RULESET.summarize(duel()))["Tyranids"]
    assert rows["Objectives"] == "1 of 4 destroyed (OBJ-2), OBJ-3 lost"
    assert rows["The Dermal Sphincter (OBJ-1)"] == "1:e5 1:f5 1:g5 1:e6 1:f6 1:g6"
    assert rows["Artifacts that lie"] == "A4 on 5:e7"
    assert rows["Cysts"] == "5:d8"
    assert rows["Scouts lost"] == "SC6"
    assert rows["Orders"] == "Mark Your Targets"
    assert rows["Hellfire shells, melta-bombs"] == "3, 2"
    assert rows["Sections, the rear first"].startswith("1 (to the north), 2 (to the north)")
