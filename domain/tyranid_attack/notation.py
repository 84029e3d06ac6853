"""Notation in: actions from a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def parse(ruleset: Any, state: Any, seat: str, text: str) -> Sequence[Any]:
    """Return the actions of a line."""
    raise NotImplementedError
