"""Notation of follow-ups, the set-up, and of all that is placed."""

from __future__ import annotations

from typing import Any

import pytest
from hive import Play
from phrasebook import ENTER, PUT, asked, at, bad, duel, hall, read, refused, why

from warptape.domain.tyranid_attack import actions as act
from warptape.domain.tyranid_attack import steps
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, HiveState, Options

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
BLOBS = asked(steps.Put(section=4, slots=2, kinds=("acid_blob",)), TYRANID)
EVERYBODY = Options(
    extra_tyranids="android=1,chaos_marine=1,chaos_heavy_marine=1,chaos_commander=1,brute_thrall=1,bulwark_beast=1,"
    "needle_stalker=1,dreadnought=1"
)
STANDING = asked(steps.PutOn(model="AN1", section=4), TYRANID)
BLOBBING = asked(steps.PutOn(model="AB1", section=4), TYRANID)
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
        ("place GE2", PUT, act.PickModel("GE1")),
        ("place Genestealer", PUT, act.PickModel("GE1")),
        ("place AB", BLOBS, act.PickModel("AB1")),
        ("place AN2 4:h6", STANDING, act.PutModel("AN1", at("4:h6"))),
        ("place 4:h6", STANDING, act.PutModel("AN1", at("4:h6"))),
        ("at 4:h6", STANDING, act.PutModel("AN1", at("4:h6"))),
        ("place AB2 4:h6", BLOBBING, act.PutModel("AB1", at("4:h6"))),
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
    ("line", "state", "name"),
    [
        ("place GE2 4:h6", PUT, "GE1"),
        ("place ge 4:h6", PUT, "GE1"),
        ("place AN2 4:h6", PUT, "AN1"),
        ("place AB3 4:h6", BLOBS, "AB1"),
    ],
)
def test_a_line_may_name_the_square_with_the_model_that_is_placed(line: str, state: HiveState, name: str) -> None:
    """TA-CARD-2: two questions, the model and its square, and one line that answers both."""
    assert read(line, state) == [act.PickModel(name), act.PutModel(name, at("4:h6"))]


def test_a_square_that_is_the_only_one_is_not_asked_for_and_may_be_named() -> None:
    """TA-CARD-2: and any other is refused before anybody is chosen."""
    far = Play(position(TYRANID, models={"SC1": "6:a6"}, pending=(steps.Put(section=6, slots=1, apart=14),)))
    assert read("place GE1 6:o6", far.state) == [act.PickModel("GE1")]
    assert refused("place GE1 6:n6", far.state) == "TA-CARD-2"
    far.do("place GE1 6:o6")
    assert far.state.models["GE1"].at == at("6:o6", far.state)
    assert far.asked == "Free"


def test_what_is_offered_when_much_is_placed_can_be_read_on_a_page() -> None:
    """TA-CARD-2: models first, a kind once, then squares; not each model on each square."""
    play = Play(asked(steps.Put(section=5, slots=6), TYRANID, options=EVERYBODY))
    assert len(play.legal()) == len({line[6:8] for line in play.legal()}) == 13
    play.do("place NS1")
    assert play.asked == "PutOn"
    assert 50 < len(play.legal()) < 100
    assert all(line.startswith("place NS1 ") for line in play.legal())


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
        ("place GE3", PUT, "TA-REINF-2"),
        ("place GE1 3:h6", PUT, "TA-CARD-2"),
        ("place GE1 4:h6", STANDING, "TA-CARD-2"),
        ("place GE3 4:h6", STANDING, "TA-REINF-2"),
        ("place AN1 3:h6", STANDING, "TA-CARD-2"),
        ("place GE1 4:h6", BLOBBING, "TA-BLOB-8"),
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
