"""What is typed and does not fit: at another question, about models that are not there, paths, squares of two names."""

from __future__ import annotations

import pytest
from hive import Play
from phrasebook import FREE, HALL, PUT, SC1, asked, bad, hall, read

from warptape.domain import register
from warptape.domain.events import Question
from warptape.domain.rules import Refusal
from warptape.domain.tyranid_attack import RULESET, steps
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import TYRANID, HiveState

CYST = asked(steps.LayCyst(section=4, count=1), TYRANID)


@pytest.mark.parametrize(
    ("state", "lines", "rule", "prompt"),
    [
        (hall("reinforce"), ("stop", "ready", "aim 5:e3"), "TA-REINF-1", "Is a reinforcement rolled for?"),
        (PUT, ("stop", "skip", "ready"), "TA-RECYC-2", "Which Tyranid is placed?"),
        (CYST, ("stop", "skip"), "TA-CYST-1", "Where does a cyst open?"),
        (FREE, ("stop", "skip", "ready"), "TA-TURN-5", "Which model acts?"),
        (SC1, ("stop", "skip", "aim 5:e3"), "TA-TURN-2", "What does SC1 do?"),
    ],
    ids=["Reinforce", "Put", "LayCyst", "Free", "Acting"],
)
def test_what_answers_another_question_is_refused_by_the_rule_of_the_one_that_is_asked(
    state: HiveState, lines: tuple[str, ...], rule: str, prompt: str
) -> None:
    """TA-TURN-5, TA-REINF-1, TA-RECYC-2: and the refusal says what is asked."""
    for line in lines:
        refusal = Play(state.copy()).refusal(line)
        assert refusal == Refusal(rule, f"that does not answer what is asked now: {prompt}")


def test_a_model_taken_up_is_not_taken_up_again_and_nothing_is_placed_now() -> None:
    """TA-TURN-3, TA-CARD-2."""
    assert Play(SC1.copy()).refusal("use SC1") == Refusal("TA-TURN-3", "SC1 is taken up already: say what it does")
    for line in ("place GE1", "place GE1 5:e3"):
        assert Play(FREE.copy()).refusal(line) == Refusal("TA-CARD-2", "nothing is placed now")


def test_every_question_says_by_what_rule_it_is_asked() -> None:
    questions = {step for step in steps.STEPS if issubclass(step, Question)}
    assert questions == {*RULESET.about}
    known = {rule.id for rule in register.load("warptape.domain.tyranid_attack").rules}
    assert {*RULESET.about.values()} <= known


@pytest.mark.parametrize(
    ("line", "column"), [("shoot DN1/body SC1", 7), ("shoot SC1 DN1", 11), ("use DN1", 5), ("fight SC1 AN7", 11)]
)
def test_a_model_that_is_not_in_this_game_is_said_not_to_be(line: str, column: int) -> None:
    found = bad(line, position(models={"SC1": "5:g5"}))
    assert str(found).startswith(f"There is no model {'AN7' if 'AN7' in line else 'DN1'} in this game.")
    assert found.column == column


@pytest.mark.parametrize(
    ("line", "column", "suggestion"),
    [
        ("move SC1 5:f4>5:e3>", 19, "move SC1 5:f4>5:e3"),
        ("move SC1 5:f4>5:e3> avoid", 19, "move SC1 5:f4>5:e3 avoid"),
        ("move SC1 >5:f4", 10, "move SC1 5:f4"),
        ("move SC1>5:f4", 9, "move SC1 5:f4"),
        ("move SC1 5:f4>>5:e3", 14, "move SC1 5:f4>5:e3"),
        ("use SC1>", 8, "use SC1"),
    ],
)
def test_an_arrow_stands_between_two_squares(line: str, column: int, suggestion: str) -> None:
    """TA-MOVE-2."""
    found = bad(line, FREE)
    assert (found.column, found.suggestion) == (column, suggestion)
    assert read("move SC1 5:f4 > 5:e3", FREE) == read("move SC1 5:f4>5:e3", FREE)


def test_a_shared_square_has_a_name_in_each_section_and_is_written_by_the_one_nearer_the_rear() -> None:
    """TA-BOARD-7: both are read; a menu and a refusal give both, whichever was typed."""
    for shown in ("5:e1", "6:e11"):
        (action,) = read(f"move {shown}", SC1)
        assert RULESET.notation(SC1, action) == "move SC1 5:e1"
        assert RULESET.describe(SC1, action).startswith("To 5:e1 = 6:e11 (")
    taken = hall(active="SC1", models={**HALL, "SC6": "5:e1"})
    for shown in ("5:e1", "6:e11"):
        refusal = Play(taken.copy()).refusal(f"move {shown}")
        assert refusal is not None
        assert "5:e1 = 6:e11" in refusal.reason
