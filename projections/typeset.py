"""Text measured in terminal columns: cleaning, cutting, wrapping."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# Control, format (direction marks, joiners), surrogate, private and unassigned characters have no width to
# rely on, may steer a terminal, and are partly not allowed in XML.
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def clean(text: str) -> str:
    """The text on one line, with white space as single blanks and without characters that print nothing."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    blanks = "".join(" " if c.isspace() else c for c in text)
    kept = "".join(c for c in blanks if unicodedata.category(c) not in _DROPPED and not 0xFE00 <= ord(c) <= 0xFE0F)
    return " ".join(kept.split())


def width(text: str) -> int:
    """Columns a clean text takes: none for a combining mark, two for a wide character."""
    return len(text) if text.isascii() else _wide(text)


@lru_cache(maxsize=8192)
def _wide(text: str) -> int:
    """The columns of a text that is not ASCII alone; a board measures the same few signs over and over."""
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, columns: int) -> str:
    """As much of a clean text as fits."""
    if width(text) <= columns:
        return text
    taken, used = [], 0
    for char in text:
        used += _char_width(char)
        if used > columns:
            break
        taken.append(char)
    return "".join(taken)


def pad(text: str, columns: int) -> str:
    """A clean text cut or filled with blanks to exactly that width."""
    cut = clip(text, columns)
    return cut + " " * (columns - width(cut))


def wrap(text: str, columns: int) -> list[str]:
    """A clean text in lines of at most that many columns (1 or more); a longer word is broken. Never empty."""
    lines, line = [], ""
    for word in _pieces(text, columns):
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns:
            line = joined
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def _pieces(text: str, columns: int) -> Iterator[str]:
    for word in text.split():
        while width(word) > columns:
            # A wide character may not fit a single column: it still has to go somewhere.
            head = clip(word, columns) or word[0]
            yield head
            word = word[len(head) :]
        if word:
            yield word
