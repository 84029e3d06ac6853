"""Positions and questions for tests of the notation, and what lines come to there."""

from __future__ import annotations

from typing import Any

import pytest
from hive import BOOK, Play

from warptape.domain.errors import BadNotation, IllegalAction
from warptape.domain.tyranid_attack import RULESET, steps
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, HiveState, Options

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


SC1, HV1 = hall(active="SC1"), hall(active="HV1")
FREE = hall()
ENTER = asked(steps.Enter(), TYRANID)
PUT = asked(steps.Put(section=4, slots=3), TYRANID)
