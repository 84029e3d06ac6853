"""Notation out: actions as lines and in words."""

from __future__ import annotations

from typing import Any


def write(book: Any, state: Any, action: Any) -> str:
    """Return the notation of an action."""
    raise NotImplementedError


def describe(book: Any, state: Any, action: Any) -> str:
    """Return an action in words."""
    raise NotImplementedError
