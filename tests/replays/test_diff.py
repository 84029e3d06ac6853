"""The difference of two positions: the first event that differs, and the states value by value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warptape
from warptape.domain.errors import BadAddress
from warptape.domain.secrets import SEALED, Secret
from warptape.replays.diff import Change, Diff, compare, diff


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


def test_the_same_position(store: warptape.Store) -> None:
    game = store.new("pig", seed="a")
    game.act("roll")
    found = game.diff(5, game, 5)
    assert found.same
    assert found.state == ()
    assert found.text() == "Pig @5 and Pig @5: no difference.\n"


def test_two_moments_of_one_line(store: warptape.Store) -> None:
    game = store.new("pig", seed="a")
    game.act("roll")
    value = game.state.turn_total
    found = game.diff("@start", game, "@end")
    assert (found.left.differs, found.right.differs) == (None, 4)
    assert found.common == 4
    assert (found.right.event, found.right.text) == ("ActionTaken", "p1: roll")
    assert Change("turn_total", 0, value) in found.state
    assert "(the line ends here)" in found.text()
    assert f"turn_total: 0 -> {value}" in found.text()
    back = diff(game, "@end", game, "@start")
    assert {(c.path, c.right, c.left) for c in back.state} == {(c.path, c.left, c.right) for c in found.state}


def test_a_fork_that_goes_its_own_way(store: warptape.Store) -> None:
    """The fork's own head, notes and stamps are no difference; the first other decision is."""
    game = store.new("pig", seed="a", undo="free")
    game.act("roll", person="Ann")
    fork = game.fork()
    assert game.diff(None, fork).same
    game.note("here")
    game.act("roll")
    fork.act("roll", person="Ben")
    assert game.diff(None, fork).same
    fork.act("hold")
    game.act("roll")
    found = game.diff(None, fork)
    assert (found.left.text, found.right.text) == ("p1: roll", "p1: hold")
    assert game.event(found.left.differs).action != fork.event(found.right.differs).action  # type: ignore[arg-type,attr-defined]
    assert any(change.path == "scores[0]" for change in found.state)


def test_lines_that_part_in_one_game(store: warptape.Store) -> None:
    game = store.new("pig", seed="a", undo="free")
    game.act("roll")
    game.act("roll")
    left = game.tip
    game.undo()
    game.act("hold")
    found = diff(game, left, game, None)
    assert (found.left.text, found.right.text) == ("p1: roll", "p1: hold")


def test_two_games(store: warptape.Store) -> None:
    """Other seeds, other options, another game altogether."""
    first, second = store.new("pig", seed="a"), store.new("pig", seed="b")
    assert first.diff(None, second).left.event == "GameOpened"
    assert first.diff(None, second).state == ()
    longer = store.new("pig", seed="a", options={"goal": 50})
    assert Change("options.goal", 100, 50) in first.diff(None, longer).state
    assert first.diff(None, store.new("nested")).state == (Change("ruleset", "pig", "nested"),)


def test_what_a_seat_may_not_know_is_hidden(store: warptape.Store) -> None:
    game = store.new("hidden", seed="s")
    game.run({"raider": "bold", "warden": "random"}, 12)
    out = game.state.chance.bags["crew"].out.values()
    tokens = [str(item.value) for item in out if isinstance(item, Secret) and "warden" not in item.seen_by]
    assert tokens
    shown = game.diff("@start", game, seat="warden").text() + repr(game.diff(1, game, seat="warden"))
    assert "(hidden)" in shown
    owner = game.diff(1, game).text()
    assert all(f'"{token}"' in owner for token in tokens)
    assert not any(token in shown for token in tokens)


def test_places_that_are_not_there(store: warptape.Store) -> None:
    game = store.new("pig")
    with pytest.raises(BadAddress):
        game.diff(99, game)
    with pytest.raises(BadAddress):
        game.diff(0, game, "@d77")


def test_for_machines(store: warptape.Store) -> None:
    game = store.new("pig", seed="a")
    game.act("roll")
    found = game.diff(1, game)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Diff) == found
    assert b'"left":' not in msgspec.json.encode(Change("x", right=1))


class Inner(msgspec.Struct, frozen=True):
    n: int = 0


class Outer(msgspec.Struct):
    inner: Inner = Inner()
    table: dict[str, Any] = {}
    row: list[Any] = []


@pytest.mark.parametrize(
    ("left", "right", "changes"),
    [
        (Outer(), Outer(), []),
        (Outer(Inner(1)), Outer(Inner(2)), [Change("inner.n", 1, 2)]),
        (Outer(table={"a": 1}), Outer(table={"b": 2}), [Change("table.a", 1), Change("table.b", right=2)]),
        (Outer(row=[1, 2]), Outer(row=[1, 3, 4]), [Change("row[1]", 2, 3), Change("row[2]", right=4)]),
        (Outer(row=[Inner(1)]), Outer(row=[5]), [Change("row[0]", {"n": 1}, 5)]),
        (Outer(row=[None]), Outer(row=[0]), [Change("row[0]", None, 0)]),
        (Outer(row=[True]), Outer(row=[1]), [Change("row[0]", True, 1)]),
        (Outer(row=[Secret("x", ("p",))]), Outer(row=["x"]), []),
        (Outer(row=[Secret(SEALED, ("p",))]), Outer(row=["x"]), [Change("row[0]", "(hidden)", "x")]),
        (Outer(row=[{1, 2}]), Outer(row=[{2, 3}]), [Change("row[0]", [1, 2], [2, 3])]),
    ],
)
def test_compare(left: Any, right: Any, changes: list[Change]) -> None:
    assert list(compare(left, right)) == changes


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_compare_finds_something_exactly_where_two_values_differ(left: Any, right: Any) -> None:
    changes = list(compare(left, right))
    assert bool(changes) == (msgspec.json.encode(left, order="sorted") != msgspec.json.encode(right, order="sorted"))
    assert len({change.path for change in changes}) == len(changes) or "" in str(changes)
