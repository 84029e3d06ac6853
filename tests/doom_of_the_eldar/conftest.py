"""The tests of this game import `doom`, and the laws that every ruleset obeys, as plain modules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "kernel"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

pytest.register_assert_rewrite(
    "doom", "laws", "leak_laws", "recorded_games", "secret_laws", "two_worlds", "undo_laws", "wrong_content"
)
