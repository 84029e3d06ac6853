"""What a bot from outside is told at the Eldar's seat is the same in two games that look alike to them, byte for byte."""

from __future__ import annotations

import msgspec
import pytest
from option_sets import OPTIONS
from twin_games import Same, Turn
from twins import twins

import warptape
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.replays.outside.messages import Answer, Clock, encode
from warptape.replays.outside.questions import Question, Unfit, hello

LINES = ("mine 3", "det", "reveal #01", "hit #02", "hit #03", "mv #02 n1", "lose #03", "conv", "end")


def told(turns: list[Turn], options: msgspec.Struct, seat: str) -> list[bytes]:
    """Every line that a bot at a seat could be told in a game of these turns, refusals included."""
    lines: list[bytes] = []
    given = {name: str(getattr(options, name)) for name in options.__struct_fields__}
    with warptape.Store(":memory:", Same()) as store:
        game = store.new(
            RULESET.id, name="twin", chance="table", undo="free", options=given, outcomes=turns[0].outcomes
        )
        since = 0
        for turn in turns[1:]:
            if game.decision is not None and game.decision.seat == seat:
                question = Question(game, seat)
                lines += [encode(hello(game, seat)), encode(question.ask(Clock(1000), since))]
                since = question.id
                for line in LINES:
                    try:
                        lines.append(str(question.chosen(Answer(action=line))).encode())
                    except Unfit as error:
                        lines.append(f"{error.rule} {error}".encode())
            game.act(turn.action, turn.seat, outcomes=turn.outcomes)
    return lines


@pytest.mark.parametrize(("seed", "options", "decisions"), [("one", "quick", 60), ("three", "other", 110)])
def test_two_worlds_that_look_alike_are_told_alike(seed: str, options: str, decisions: int) -> None:
    one, other, _ = twins(seed, OPTIONS[options], decisions)
    mine, theirs = told(one, OPTIONS[options], "eldar"), told(other, OPTIONS[options], "eldar")
    assert len(mine) > 50
    assert mine == theirs
    assert told(one, OPTIONS[options], "tyranid") != told(other, OPTIONS[options], "tyranid")
