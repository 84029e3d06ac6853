"""Words put together: what the sentences of all games have in common."""

from __future__ import annotations

from collections.abc import Iterable


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a phrase, with `last` before the last of them.

    >>> listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"], "or")
    ('A', 'A and B', 'A, B or C')
    """
    found = list(words)
    return f"{', '.join(found[:-1])} {last} {found[-1]}" if len(found) > 1 else "".join(found)


def sentence(words: str) -> str:
    """Return words with their first letter large.

    >>> sentence("the Eldar hold it.")
    'The Eldar hold it.'
    """
    return words[:1].upper() + words[1:]
