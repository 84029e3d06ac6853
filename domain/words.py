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


def counted(count: int, name: str) -> str:
    """Return a number of things that are named, with an `s` on the noun unless it is one.

    >>> counted(1, "Scout"), counted(2, "Scout"), counted(3, "Hybrid with Bolter")
    ('1 Scout', '2 Scouts', '3 Hybrids with Bolter')
    """
    head, given, tail = name.partition(" with ")
    return f"{count} {head if count == 1 else f'{head}s'}{given}{tail}"
