"""The line is cut at every byte of request and answer, held up, and down for a while: nothing is lost or done twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cutting import Cutter, Way

from warptape.domain.errors import WarptapeError
from warptape.replays.remote import line as line_module
from warptape.replays.remote.line import LineDown
from warptape.replays.remote.passes import Wallet
from warptape.served import ServedStore, open_served

STRIDE = 61
"""Bytes between two cuts, but in the long run, where every one is tried."""


@pytest.fixture
def cutter(live: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cutter]:
    monkeypatch.setattr(line_module, "FIRST", 0.002)
    made = Cutter(live.port)
    yield made
    made.close()


@pytest.fixture
def store(cutter: Cutter, tmp_path: Path) -> Iterator[ServedStore]:
    with open_served(cutter.url, wallet=Wallet(tmp_path / "mine.json")) as opened:
        yield opened


def at_every_byte(cutter: Cutter, store: ServedStore, way: Way, stride: int) -> None:
    """Roll once for each place at which the line is cut, and see that each roll is there once."""
    game = store.new("pig", seed="cut", name=f"cut {way}", undo="free", options={"goal": 1000})
    before = dict(cutter.passed)
    game.act("roll")
    size = cutter.passed[way] - before[way]
    taken = 1
    for number, after in enumerate([*range(12), *range(12, size + 2, stride)]):
        cutter.cut(way, after, hard=number % 2 == 1)
        played = game.act("roll", expect=game.tip)
        taken += 1
        assert not played.repeated
        assert [type(event).__name__ for event in played.events].count("ActionTaken") == 1
        assert [row.kind for row in game.rows()].count("ActionTaken") == taken
        if number % 7 == 0:
            cutter.cut(way, after)
            game.undo()
            cutter.cut(way, after)
            game.redo()
    assert cutter.cuts > 12
    shelf = store.http.shelf(game.id)
    assert [row.kind for row in game.rows()].count("ActionTaken") == taken
    assert shelf.length == game.length
    assert game.audit().ok


@pytest.mark.parametrize("way", ["request", "answer"])
def test_each_action_is_done_once_wherever_the_line_is_cut(cutter: Cutter, store: ServedStore, way: Way) -> None:
    at_every_byte(cutter, store, way, STRIDE)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["request", "answer"])
def test_each_action_is_done_once_at_every_byte(cutter: Cutter, store: ServedStore, way: Way) -> None:
    at_every_byte(cutter, store, way, 1)


def test_an_answer_that_comes_too_late_is_asked_for_again(
    cutter: Cutter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "READ", 0.4)
    with open_served(cutter.url, wallet=Wallet(tmp_path / "mine.json")) as store:
        game = store.new("pig", seed="late", name="late")
        for _ in range(3):
            cutter.hold(0.9)
            assert not game.act("roll").repeated
        assert [row.kind for row in game.rows()].count("ActionTaken") == 3


@pytest.mark.parametrize("after", [0, 1, 40, 200, 400, 700])
def test_a_game_is_made_forked_and_joined_once(cutter: Cutter, store: ServedStore, tmp_path: Path, after: int) -> None:
    cutter.cut("answer", after)
    game = store.new("pig", seed="once", name="once")
    cutter.cut("answer", after)
    branch = game.fork(name="branch")
    assert sorted(shelf.name for shelf in store.games()) == ["branch", "once"]
    cutter.cut("answer", after)
    link = store.invite(game.id, "p2")
    with open_served(cutter.url, wallet=Wallet(tmp_path / "other.json")) as other:
        cutter.cut("answer", after)
        other.join(link.secret, "Ben")
        assert other.game("once").own_seat == "p2"
    good = [one for one in store.tokens(game.id) if one.seat == "p2" and not one.revoked and not one.used]
    assert [one.role for one in good] == ["seat"]
    cutter.cut("answer", after)
    assert store.delete("branch") == [branch.id]
    assert [shelf.name for shelf in store.games()] == ["once"]


def test_a_long_log_is_read_on_where_the_line_broke(cutter: Cutter, store: ServedStore, tmp_path: Path) -> None:
    game = store.new("pig", seed="long", name="long", options={"goal": 1000})
    for _ in range(40):
        game.act("roll")
    with open_served(cutter.url, wallet=Wallet(tmp_path / "mine.json")) as again:
        for after in (900, 2500, 5000):
            cutter.cut("answer", after)
            assert list(again.game("long").rows()) == list(game.rows())


def test_who_waits_is_told_once_that_it_is_down_and_once_that_it_is_back(cutter: Cutter, tmp_path: Path) -> None:
    said: list[str] = []
    with open_served(cutter.url, wallet=Wallet(tmp_path / "mine.json"), told=said.append, patience=30) as store:
        game = store.new("pig", seed="down", name="down")
        cutter.drop()
        threading.Timer(1.0, cutter.restore).start()
        game.act("roll")
        assert len(said) == 2
        assert "is down" in said[0]
        assert "is back" in said[1]
        assert [row.kind for row in game.rows()].count("ActionTaken") == 1


def test_patience_ends_with_a_sentence_and_the_key_finds_what_was_done(cutter: Cutter, tmp_path: Path) -> None:
    with open_served(cutter.url, wallet=Wallet(tmp_path / "mine.json"), patience=0.3) as store:
        game = store.new("pig", seed="gone", name="gone")
        cutter.cut("answer", 10)
        store.http.line.patience = 0.0
        with pytest.raises(LineDown, match="cannot be reached: the answer broke off"):
            game.act("roll", key="mine")
        assert game.unsure
        store.http.line.patience = 5.0
        again = game.act("roll", key="mine")
        assert type(again.events[0]).__name__ == "ActionTaken"
        assert not game.unsure
        assert [row.kind for row in game.rows()].count("ActionTaken") == 1


def test_following_goes_on_after_a_break(cutter: Cutter, store: ServedStore, live: Any, tmp_path: Path) -> None:
    game = store.new("pig", seed="follow", name="follow")
    woken = threading.Event()
    stop = game.follow(woken.set)
    assert stop is not None
    with open_served(live.url, wallet=Wallet(tmp_path / "other.json")) as straight:
        straight.join(game.invitations["p1"])
        other = straight.game("follow")
        for number in range(3):
            if number == 1:  # while nobody listens
                cutter.drop()
            other.note(f"number {number}")
            if number == 1:
                cutter.restore()
            assert woken.wait(20), number
            woken.clear()
            game.refresh()
            assert game.length == other.length
    stop()


def test_a_wrong_server_is_said_at_once(tmp_path: Path) -> None:
    began = time.monotonic()
    with (
        open_served("http://127.0.0.1:1", wallet=Wallet(tmp_path / "mine.json"), patience=0.2) as store,
        pytest.raises(WarptapeError, match="nobody listens there"),
    ):
        store.new("pig")
    with (
        open_served("https://no-such-host.invalid", wallet=Wallet(tmp_path / "mine.json")) as store,
        pytest.raises(LineDown, match="no host of that name"),
    ):
        store.new("pig")
    assert time.monotonic() - began < 10
