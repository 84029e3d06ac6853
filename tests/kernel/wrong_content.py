"""Content with one thing wrong in it, and how it is told: with file, line, record and reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from warptape.domain.errors import ContentError


class Change(NamedTuple):
    """One replacement: the first `old` from `anchor` on in a file; then the refusal: record, key of its line, words.

    `told` is the file that the refusal names, if it is another one.
    """

    file: str
    anchor: str
    old: str
    new: str
    record: str
    key: str
    words: str
    told: str = ""


class Faults:
    """The packaged texts of a game, what loads them, and what comes of a change in them."""

    def __init__(self, texts: Mapping[str, str], load: Callable[[dict[str, str]], Any]) -> None:
        self.texts, self.load = dict(texts), load

    def changed(self, file: str, anchor: str, old: str, new: str) -> dict[str, str]:
        """The packaged texts with the first `old` from `anchor` on replaced."""
        text = self.texts[file]
        start = text.index(anchor)
        assert old in text[start:]
        return {**self.texts, file: text[:start] + text[start:].replace(old, new, 1)}

    def refusal(self, texts: dict[str, str]) -> str:
        """What is said of texts that cannot be played with."""
        with pytest.raises(ContentError) as caught:
            self.load(texts)
        return str(caught.value)

    def told(self, change: Change) -> None:
        """A change is told with its file, line, record and words; the line is that of its key, or its record's first."""
        texts = self.changed(change.file, change.anchor, change.old, change.new)
        message = self.refusal(texts)
        told = re.fullmatch(r"(.+?), line (\d+): (.+?): (.+)", message)
        assert told, message
        file, line, record, words = told[1], int(told[2]), told[3], told[4]
        assert (file, record) == (change.told or change.file, change.record)
        assert change.words in words
        lines = texts[file].split("\n")
        head = max(number for number, text in enumerate(lines[:line]) if text.startswith("["))
        table, _, name = record.partition(" ")
        assert lines[head].strip("[]").partition("]")[0] == table
        whole = "\n".join(lines[head:]).split("\n[")[0]
        key = rf"{change.key}\s*=" if re.search(rf"(?m)^{change.key}\s*=", whole) else r"\["  # it lacks the key
        assert re.match(key, lines[line - 1]), lines[line - 1]
        if name.startswith("number"):
            assert lines[: head + 1].count(f"[[{table}]]") == int(name.split()[1])
        elif name:
            assert re.search(rf'(?m)^(id|name) = "{name[1:-1]}"', whole)
