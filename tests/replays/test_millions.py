"""A log of ten million events is read and audited in the memory that a short one needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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
