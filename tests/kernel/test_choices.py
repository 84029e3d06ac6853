"""Lazy sequences of actions are sequences like any other, and compute only what is touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptape.domain.chance import Fate
from warptape.domain.choices import Choices, Product, sole
from warptape.domain.events import Action, Question
from warptape.domain.referee import Match
from warptape.domain.rules import Decision, Outcome, Ruleset, Script, Seat, do
from warptape.domain.states import State


class Move(Action, frozen=True):
    x: int
    y: int


class Wait(Action, frozen=True):
    pass


def split(action: Any) -> tuple[int, int] | None:
    return (action.x, action.y) if isinstance(action, Move) else None


pools = st.lists(st.integers(-5, 5), max_size=5, unique=True)


@given(xs=pools, ys=pools, more=st.lists(pools, max_size=3))
def test_they_equal_the_lists_they_stand_for(xs: list[int], ys: list[int], more: list[list[int]]) -> None:
    moves = [Move(x, y) for x in xs for y in ys]
    product = Product(Move, split, xs, ys)
    plain: list[Any] = [*moves, Wait(), *(Move(n, 9 + k) for k, pool in enumerate(more) for n in pool)]
    row: Choices[Any] = Choices(
        product,
        (Wait(),),
        *(lambda k=k, pool=pool: Product(lambda n: Move(n, 9 + k), lambda a: _only(a, 9 + k), pool)
          for k, pool in enumerate(more)),
    )  # fmt: skip
    for lazy, full in ((product, moves), (row, plain)):
        assert len(lazy) == len(full)
        assert list(lazy) == full
        assert lazy == full
        assert [lazy[index] for index in range(-len(full), len(full))] == full + full
        assert lazy[1:-1] == tuple(full[1:-1])
        assert bool(lazy) == bool(full)
        assert sole(lazy) == (len(full) == 1)
        for wrong in (len(full), -len(full) - 1):
            with pytest.raises(IndexError):
                lazy[wrong]
        for action in (*(Move(x, y) for x in range(-6, 7) for y in range(-6, 13)), Wait(), None, "mv", 3):
            assert (action in lazy) == (action in full), action
        for index, action in enumerate(full):
            assert lazy.index(action) == index


def _only(action: Any, y: int) -> tuple[int] | None:
    return (action.x,) if isinstance(action, Move) and action.y == y else None


def test_a_part_is_computed_once_and_only_when_it_is_touched() -> None:
    calls: list[str] = []

    def part(name: str, size: int) -> Any:
        def compute() -> Sequence[Any]:
            calls.append(name)
            return [Move(number, size) for number in range(size)]

        return compute

    row: Choices[Any] = Choices(part("a", 2), part("b", 3))
    assert calls == []
    assert row
    assert not row.sole()
    assert row[1] == Move(1, 2)
    assert Move(0, 2) in row
    assert calls == ["a"]
    assert len(row) == 5
    assert list(row)[-1] == Move(2, 3)
    assert calls == ["a", "b"]


def test_a_big_product_is_never_listed() -> None:
    made = 0

    def make(*_numbers: int) -> Move:
        nonlocal made
        made += 1
        return Move(0, 0)

    big = Product(make, split, range(10**6), range(10**6))
    assert len(big) == 10**12
    assert Move(999_999, 5) in big
    assert Move(10**6, 5) not in big
    assert made == 0
    assert repr(big) == f"<Product of {10**12} actions>"


class Ask(Question, frozen=True):
    width: int


class Field(Ruleset):
    """Asks for a place on a field of a million squares, then on one of a single square, which nobody needs to name."""

    id = "field"
    version = "1"
    title = "Field"
    state = State
    options = type("NoOptions", (msgspec.Struct,), {"__module__": __name__}, frozen=True)
    events = ()
    actions = (Move, Wait)
    steps = (Ask,)

    def seats(self, options: Any) -> list[Seat]:
        return [Seat("one", "One")]

    def setup(self, state: Any) -> Script:
        yield do(Ask(width=1000))

    def ask(self, state: Any, step: Any) -> Decision:
        return Decision("one", Choices(Product(Move, split, range(step.width), range(step.width))))

    def resolve(self, state: Any, step: Any, action: Any) -> Script:
        if step.width > 1:
            yield do(Ask(width=1))

    def outcome(self, state: Any) -> Outcome:
        return Outcome("done")


def test_the_referee_lists_nothing() -> None:
    match = Match(Field(), Fate("s"))
    assert match.decision is not None
    assert len(match.decision.actions) == 10**6
    assert match.ruleset.refusal(match.state, "one", Move(999, 999)) is None
    match.act(Move(999, 999))
    assert match.outcome == Outcome("done")
    assert match.state.decisions == 1
