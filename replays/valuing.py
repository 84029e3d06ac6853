"""What positions are worth, asked by many questions: shared among processes, kept by position, taken up where it stopped."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from ..domain.content import Content
from ..domain.errors import StoreError
from ..domain.rules import Ruleset, ruleset
from .playouts import Outcomes, Value, worth
from .processes import in_order

CHUNK = 10
"""Playouts that are asked for at once: what an interruption can lose."""


class Question(msgspec.Struct, frozen=True):
    """What is a position worth, or an action in it, or an action of which chance gave so much?

    `state` is the position in JSON, `action` the action in JSON (empty for none).
    """

    state: bytes
    action: bytes = b""
    outcomes: Outcomes = ()


class Panel(msgspec.Struct, frozen=True):
    """Who answers: the bots that play on, by seat, and from which seed the playouts come."""

    rules: str
    version: str
    content: str
    bots: dict[str, str]
    seed: str = "playout"

    def seeds(self, chunk: int) -> list[str]:
        """Return the seeds of a chunk of playouts, the same at every position."""
        return [f"{self.seed}/{number}" for number in range(chunk * CHUNK, (chunk + 1) * CHUNK)]

    def key(self, question: Question) -> str:
        """Return what an answer is kept under: all that it depends on."""
        parts = (msgspec.json.encode(self), question.state, question.action, msgspec.json.encode(question.outcomes))
        return hashlib.blake2b(b"\n".join(parts), digest_size=16).hexdigest()


class Answers:
    """The answers that were found, in a file of the user's cache, or in memory: deleting it costs time and nothing else.

    Raises StoreError when the file cannot be opened.
    """

    def __init__(self, path: str | os.PathLike[str] = ":memory:") -> None:
        try:
            if path != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(path, isolation_level=None, timeout=60)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self.connection.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT, chunk INTEGER, wins TEXT, PRIMARY KEY (key, chunk)) "
                "WITHOUT ROWID"
            )
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"The file of playouts {path} cannot be opened: {error}. Delete it.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def get(self, key: str, chunk: int) -> Value | None:
        """Return what a chunk of playouts gave, None if it was not played."""
        row = self.connection.execute("SELECT wins FROM answers WHERE key = ? AND chunk = ?", (key, chunk)).fetchone()
        return None if row is None else Value(CHUNK, msgspec.json.decode(row[0], type=dict[str, int]))

    def put(self, key: str, chunk: int, value: Value) -> None:
        """Keep what a chunk of playouts gave."""
        wins = msgspec.json.encode(value.wins).decode()
        self.connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (key, chunk, wins))


class Work(msgspec.Struct, frozen=True):
    """A chunk of playouts to play."""

    panel: Panel
    question: Question
    chunk: int
    content: bytes


def panel_of(rules: Ruleset, bots: Mapping[str, str], seed: str = "playout") -> Panel:
    """Return who answers for a ruleset over its content."""
    return Panel(rules.id, rules.version, rules.content.digest, dict(bots), seed)


def answer(
    rules: Ruleset,
    panel: Panel,
    questions: Iterable[Question],
    playouts: int,
    answers: Answers,
    jobs: int = 1,
    done: Callable[[int], None] = lambda playouts: None,
) -> dict[Question, Value]:
    """Return what each question comes to over so many playouts (in chunks of `CHUNK`); `done` hears of those played.

    Each chunk is kept as soon as it is played, so a run that was interrupted goes on where it was.
    """
    found: dict[Question, Value] = {}
    chunks = -(-playouts // CHUNK)
    todo: list[Work] = []
    content = rules.content.encode()
    for question in dict.fromkeys(questions):
        key = panel.key(question)
        found[question] = Value(0)
        for chunk in range(chunks):
            kept = answers.get(key, chunk)
            if kept is None:
                todo.append(Work(panel, question, chunk, content))
            else:
                found[question] = found[question].plus(kept)
                done(CHUNK)
    for work, value in zip(todo, _played(rules, todo, jobs), strict=True):
        answers.put(panel.key(work.question), work.chunk, value)
        found[work.question] = found[work.question].plus(value)
        done(CHUNK)
    return found


def _played(rules: Ruleset, todo: Sequence[Work], jobs: int) -> Iterator[Value]:
    if jobs > 1 and len(todo) > 1:
        yield from in_order(_play, todo, min(jobs, len(todo)))
        return
    for work in todo:
        yield _play_with(rules, work)


_bound: dict[str, Ruleset] = {}


def _play(work: Work) -> Value:
    """Play a chunk in a process of its own, which keeps the rules it has bound."""
    rules = _bound.get(work.panel.content)
    if rules is None or rules.id != work.panel.rules:
        rules = _bound[work.panel.content] = ruleset(work.panel.rules).bound(Content.decode(work.content))
    return _play_with(rules, work)


def _play_with(rules: Ruleset, work: Work) -> Value:
    question = work.question
    state = msgspec.json.decode(question.state, type=rules.state)
    action: Any = None
    if question.action:
        action = msgspec.json.decode(question.action, type=_actions(rules))
    return worth(rules, state, work.panel.bots, work.panel.seeds(work.chunk), action, question.outcomes)


def _actions(rules: Ruleset) -> Any:
    from typing import Union

    return Union[rules.actions]  # noqa: UP007
