"""Games at a table: whoever enters what real dice and cards gave is asked whose they are, and what for."""

from __future__ import annotations

import ast
from pathlib import Path

import laws
import pytest
from eager import eager
from hive_options import OPTIONS
from played import Entered

import warptape
from warptape.domain import tyranid_attack
from warptape.domain.chance import Draw, Request, Roll, Table
from warptape.domain.errors import ImpossibleOutcome, NeedsOutcome
from warptape.domain.referee import Referee
from warptape.domain.states import ChanceState
from warptape.domain.tyranid_attack import RULESET, asking
from warptape.domain.tyranid_attack.positions import position

PURPOSES = {"Roll": 3, "Draw": 2}
"""Where the purpose stands among what a request is made of."""


def sources() -> dict[str, set[str]]:
    """The purposes that stand in the source of this game, by kind of request."""
    found: dict[str, set[str]] = {name: set() for name in PURPOSES}
    for path in Path(str(tyranid_attack.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PURPOSES:
                purpose = node.args[PURPOSES[node.func.id]]
                assert isinstance(purpose, ast.Constant), ast.dump(node)
                found[node.func.id].add(str(purpose.value))
    return found


def test_every_purpose_of_dice_and_cards_is_put_in_words() -> None:
    assert sources() == {"Roll": {*asking.ROLLS}, "Draw": {*asking.DRAWS}}


class Listening(Entered):
    """Chance of a fixed seed that keeps what it was asked for in the words that people would be asked in."""

    def __init__(self) -> None:
        super().__init__()
        self.referee: Referee | None = None
        self.heard: dict[str, str] = {}

    def hear(self, request: Request) -> None:
        if self.referee is not None:
            said = RULESET.wanted(self.referee.state, request)
            assert said, request
            self.heard.setdefault(request.purpose, said)

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        self.hear(request)
        return super().roll(chance, request)

    def card(self, chance: ChanceState, request: Draw) -> str:
        self.hear(request)
        return super().card(chance, request)


def test_all_that_is_asked_in_random_games_is_said_whose_and_what_for() -> None:
    heard: dict[str, str] = {}
    for name in ("returns", "beasts", "points"):
        for match in laws.played(RULESET, "table", OPTIONS[name], 500, eager):
            if isinstance(match.referee.chance, Listening):
                continue
            listening = Listening()
            listening.fate = match.referee.chance  # type: ignore[assignment]
            listening.referee = match.referee
            listening.heard = heard
            match.referee.chance = listening
    assert {*heard} >= {"shot", "attack", "defence", "reinforcement", "way", "turned", "defenders", "card", "burst"}
    for purpose, said in heard.items():
        assert said.startswith(("the ", "The ")), purpose
        assert "{" not in said
        assert "_" not in said


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (Roll("tyranid", 6, 1, "reinforcement"), "the Tyranid player's die for a reinforcement"),
        (Roll("marines", 6, 2, "shot", "GE1"), "the Marine player's dice for the shot of SC1 at GE1"),
        (Roll("marines", 6, 1, "peek"), "the Marine player's die for a look at the new card"),
        (
            Roll("ship", 6, 1, "way", "3"),
            "the die for where section 3 is laid: 1-2 left, 3-4 ahead, 5-6 right",
        ),
        (Draw("sections/1", 0, "laid"), "the shuffled sections: which is laid first, at the rear"),
        (Draw("cards/1", 0, "turned", "6"), "the card that is turned on section 6"),
    ],
)
def test_whose_and_what_for(request_: Request, said: str) -> None:
    state = position(models={"SC1": "1:b6", "GE1": "1:n6"}, active="SC1")
    assert RULESET.wanted(state, request_) == said


def test_one_is_asked_for_a_die_of_several_by_its_number() -> None:
    """TA-SHOOT-4: and nothing has happened while a result is lacking."""
    state = position(models={"SC1": "2:b5", "GE1": "2:f5"}, active="SC1")
    referee = Referee(RULESET, state.copy(), Table(["5"]), state.copy)
    (action,) = RULESET.parse(state, "marines", "shoot SC1 GE1")
    with pytest.raises(NeedsOutcome) as caught:
        referee.take("marines", action)
    assert str(caught.value) == (
        "What came out of the Marine player's dice for the shot of SC1 at GE1, die 2 of 2? One of: 1, 2, 3, 4, 5, 6."
    )
    assert referee.state == state


def test_a_result_that_cannot_be_is_refused_in_the_same_words() -> None:
    state = position(models={"SC1": "2:b5", "GE1": "2:f5"}, active="SC1")
    referee = Referee(RULESET, state.copy(), Table(["5", "7"]), state.copy)
    (action,) = RULESET.parse(state, "marines", "shoot SC1 GE1")
    with pytest.raises(ImpossibleOutcome) as caught:
        referee.take("marines", action)
    assert str(caught.value) == "'7' cannot come out of the Marine player's dice for the shot of SC1 at GE1 now."
    assert referee.state == state


def test_the_first_thing_asked_of_a_table() -> None:
    """TA-SETUP-1."""
    with warptape.open(":memory:") as store, pytest.raises(NeedsOutcome) as caught:
        store.new("tyranid-attack", chance="table")
    assert "the die for the sides, thrown by the first of two players" in str(caught.value)


def test_what_one_seat_alone_may_see_is_not_said() -> None:
    """TA-SETUP-15: the tiles that are left are named to nobody."""
    entered = ["3", "2", "SEC-1", "1"]
    for section in range(2, 7):
        entered += [f"SEC-{section}", "3", "1"]
    with warptape.open(":memory:") as store, pytest.raises(NeedsOutcome) as caught:
        store.new("tyranid-attack", chance="table", outcomes=entered)
    assert str(caught.value) == (
        "What came out of the location tile that the Marine player takes, for him alone? It is for marines alone to see."
    )
