"""A log of ten million events is read and audited in the memory that a short one needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from warptape.replays.timeline import Span, Tree

pytest.importorskip("resource", reason="memory is limited by what Unix systems have for it")

PROGRAM = Path(__file__).with_name("millions.py")
ROOM = 300
"""Megabytes of address space; Python and the libraries take half of it."""


def audited(events: int, rules: str, environment: dict[str, str], timeout: float) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(events), str(ROOM), rules],
        env=environment, capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["ok"], found
    return found


def test_memory_is_the_same_for_ten_times_the_events(rulesets: dict[str, str]) -> None:
    few, many = (audited(events, "rules", rulesets, 300) for events in (2_000, 20_000))
    assert many["counts"]["structure"] == 20_000 - 20_000 % 5 + 4
    assert many["counts"]["rules"] == 10 * few["counts"]["rules"]
    assert many["megabytes"] < few["megabytes"] + 8


@pytest.mark.slow
def test_ten_million_events(rulesets: dict[str, str]) -> None:
    found = audited(10_000_000, "none", rulesets, 3 * 3600)
    assert found["counts"]["file"] >= 10_000_000
    assert found["megabytes"] < ROOM


@pytest.mark.parametrize("to", ["the rewind before", "the start"])
def test_thousands_of_take_backs_of_take_backs_are_followed_in_few_steps(
    to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log in which each rewind goes to the one before it took minutes to read: every one was walked back to the first."""
    steps, last = 0, Tree._last

    def counted(tree: Tree, position: int) -> Any:
        nonlocal steps
        steps += 1
        return last(tree, position)

    monkeypatch.setattr(Tree, "_last", counted)
    tree = Tree()
    for position in range(5, 5_005):
        tree.rewound(position, position - 1 if to == "the rewind before" else 3)
        assert tree.resolve(position) == (4 if to == "the rewind before" else 3)
        assert tree.line(position) == [Span(0, tree.resolve(position))]
    assert steps < 50_000
