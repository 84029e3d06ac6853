"""Notation: what models do, what is refused and why, what is no notation, and that all that is written is read."""

from __future__ import annotations

from typing import Any

import pytest
from hive import play
from phrasebook import DEEP, FREE, HALL, HV1, PUT, SC1, asked, at, bad, duel, hall, read, refused, why

from warptape.domain.chance import Fate, Luck
from warptape.domain.referee import Match
from warptape.domain.tyranid_attack import RULESET, steps
from warptape.domain.tyranid_attack import actions as act
from warptape.domain.tyranid_attack.notation import VERBS
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, Act, Options, Trigger
from warptape.domain.tyranid_attack.verbs import ALIASES
from warptape.domain.tyranid_attack.writing import WORDS, WRITERS

# Of the model taken up


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
        ("stop", "TA-TURN-2"),
        ("skip", "TA-TURN-2"),
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
    game = play(models=HALL, artifacts={"HV1": [3]}, lying={4: "5:f8"}, options=DEEP)
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
        ("deploy SC1 there", 12, None),
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


def test_a_marine_is_deployed_on_a_square_and_on_nothing_else() -> None:
    assert str(bad("deploy SC1 there", FREE)).startswith("'there' is no square")


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
