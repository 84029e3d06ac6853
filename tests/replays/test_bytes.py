"""The same seed and actions give the same bytes: in fresh processes, with any hash seed, and for ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXPECTED = sorted((HERE / "expected").glob("*.jsonl"))


def test_there_is_something_to_expect() -> None:
    assert [file.stem for file in EXPECTED if file.stem == "pig"]


@pytest.mark.parametrize("file", EXPECTED, ids=lambda file: file.stem)
@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_bytes_are_as_expected(file: Path, hash_seed: str, rulesets: dict[str, str]) -> None:
    played = subprocess.run(
        [sys.executable, str(HERE / "playing.py"), str(file)],
        env={**rulesets, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        timeout=120,
    ).stdout
    # A difference here is a change of the log format or of chance: recorded games would read or play otherwise.
    assert played.splitlines() == file.read_bytes().splitlines()
