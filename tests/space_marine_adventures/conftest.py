"""The tests of this game import `helpers` as a plain module."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

pytest.register_assert_rewrite("helpers")
