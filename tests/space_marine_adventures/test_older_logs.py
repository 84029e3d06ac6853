"""A log that version 1 of the rules recorded, which had Level 1 alone: it reads as it did, and is played on today."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import warptape
from warptape.domain.events import ActionTaken, VersionChanged
from warptape.domain.space_marine_adventures.state import Options

LOG = Path(__file__).resolve().parent.parent / "logs" / "older" / "space-marine-adventures-1.tape.jsonl"


@pytest.fixture
def old() -> Iterator[Any]:
    with warptape.open(":memory:") as store:
        yield store.load(LOG)


def test_it_reads_and_is_told_as_it_was(old: Any) -> None:
    assert old.transcript("txt", variations=True) == Path(f"{LOG}.txt").read_text(encoding="utf-8")
    report = old.audit()
    assert report.ok, report.text()
    assert report.title.endswith("space-marine-adventures 1")
    assert report.differences == []


def test_the_options_that_were_not_there_are_those_of_a_plain_level_1(old: Any) -> None:
    """Advanced cards and the campaign change nothing in a game that was begun without them."""
    assert old.opening.version == "1"
    assert old.state.options == Options()
    assert (old.outcome.result, old.outcome.reason) == ("major", "all who are left stand on the exit tile")
    assert [*old.outcome.figures] == ["on_exit", "in_play", "rounds", "cards_left", "kills"]


def test_what_was_typed_then_comes_to_the_same_today(old: Any) -> None:
    """A fork near the end goes on by the rules of today, with the same lines, dice and cards."""
    heads = [at for at, event in old.line() if isinstance(event, ActionTaken)]
    start = heads[-40]
    fork = old.fork(at=start - 1)
    for at in heads[-40:]:
        head = old.event(at)
        then = [old.event(place) for place in range(at + 1, old.batch_end(at) + 1)]
        now = fork.act(fork.ruleset.notation(fork.state, head.action)).events
        assert [
            event for event in now if type(event).__name__ not in ("ActionTaken", "VersionChanged", "KeyRevealed")
        ] == [event for event in then if type(event).__name__ != "KeyRevealed"], at
    assert fork.outcome == old.outcome
    assert any(isinstance(event, VersionChanged) for _, event in fork.events())
    report = fork.audit()
    assert report.ok, report.text()
