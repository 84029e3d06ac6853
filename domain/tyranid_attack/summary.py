"""A position in rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def summary(book: Any, state: Any) -> Sequence[tuple[str, str]]:
    """Return rows of label and text."""
    raise NotImplementedError
