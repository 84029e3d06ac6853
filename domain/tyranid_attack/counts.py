"""Counts as the content writes them: a number in quotes, `D3`, `D3+1` or `D6` (TA-COMP-5)."""

from __future__ import annotations

import re

_COUNT = re.compile(r"[1-9][0-9]?|D3(\+1)?|D6")


def is_count(text: str) -> bool:
    """Say whether a text is a count that the rules can work out."""
    return _COUNT.fullmatch(text) is not None


def is_rolled(count: str) -> bool:
    """Say whether a count needs a die."""
    return count.startswith("D")


def amount(count: str, face: int = 0) -> int:
    """Return what a count comes to, `face` being that of the die if it needs one: a D3 is half of it, rounded up.

    >>> [amount("D3+1", face) for face in range(1, 7)]
    [2, 2, 3, 3, 4, 4]
    """
    if not is_rolled(count):
        return int(count)
    return face if count == "D6" else (face + 1) // 2 + count.endswith("+1")
