"""Logs that version 1 of the rules recorded: a Tyranid and the square for it were named in one action then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import warptape
from warptape.domain.events import ActionTaken, VersionChanged
from warptape.domain.tyranid_attack.actions import PutModel
from warptape.domain.tyranid_attack.steps import Found, Put, PutOn

OLDER = sorted((Path(__file__).resolve().parent.parent / "logs" / "older").glob("tyranid-attack-*-1.tape.jsonl"))


@pytest.fixture(params=OLDER, ids=lambda path: path.name)
def old(request: pytest.FixtureRequest) -> Iterator[tuple[Path, Any]]:
    with warptape.open(":memory:") as store:
        yield request.param, store.load(request.param)


def test_there_are_some() -> None:
    assert len(OLDER) == 2


def test_they_read_and_are_told_as_they_were(old: tuple[Path, Any]) -> None:
    path, game = old
    assert game.transcript("txt", variations=True) == Path(f"{path}.txt").read_text(encoding="utf-8")
    report = game.audit()
    assert report.ok, report.text()
    assert "recorded by version 1 of the rules" in report.text()


def placings(game: Any) -> list[int]:
    """The positions of actions that placed a Tyranid."""
    return [
        at
        for at, event in game.events()
        if isinstance(event, ActionTaken)
        and isinstance(event.action, PutModel)
        and not isinstance(game.at(at - 1).state.pending[-1], Found)
    ]


def test_what_was_typed_then_can_be_typed_today_and_comes_to_the_same(old: tuple[Path, Any]) -> None:
    """TA-CARD-2, TA-OBJ-7: a fork just before it goes on by the rules of today."""
    _, game = old
    found = placings(game)
    assert found
    for at in found[:6]:
        event: Any = dict(game.events())[at]
        fork = game.fork(at=at - 1)
        asked = fork.state.pending[-1]
        assert isinstance(asked, Put)
        line = fork.ruleset.notation(fork.state, event.action)
        happened = fork.act(line, seat=event.seat).events
        assert any(type(one).__name__ == "ModelPlaced" and one.at == event.action.at for one in happened)
        assert any(isinstance(one, VersionChanged) for _, one in fork.events())
        report = fork.audit()
        assert report.ok, report.text()


def test_a_new_game_asks_for_the_square_after_the_model() -> None:
    with warptape.open(":memory:") as store:
        game = store.new("tyranid-attack", seed="gold 17")
        folder = Path(__file__).parent / "expected"
        for line in (folder / "templates.moves").read_text(encoding="utf-8").splitlines()[:40]:
            seat, _, text = line.partition(" ")
            if text.startswith("place "):
                before = game.length
                game.act(text, seat=seat)
                pushed = [type(step) for _, one in game.events() for step in getattr(one, "push", ())]
                assert PutOn in pushed
                game.undo()  # one line, one undo
                assert isinstance(game.state.pending[-1], Put)
                assert game.length > before
                return
            game.act(text, seat=seat)
    raise AssertionError("nobody was placed")
