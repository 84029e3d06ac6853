"""What positions are worth, asked by many questions: shared among processes, kept by position, taken up where it stopped."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any, Self, Union

import msgspec

from ..domain.content import Content
from ..domain.errors import StoreError
from ..domain.rules import Ruleset, ruleset
from .playouts import Outcomes, Value, playout, won
from .processes import in_order

CHUNK = 5
"""Playouts of one question that are played at once: what an interruption can lose of each process."""

VARIABLE = "WARPTAPE_CACHE"
"""The environment variable that names the folder for what was played out; `off` keeps nothing."""

METHOD = "2"
"""Changes whenever the same question may come to another answer than before, so that old answers are not taken."""


class Question(msgspec.Struct, frozen=True):
    """What is a position worth, or an action in it, or an action to which chance gave so much?

    `state` is the position as `playouts.position` gives it, `action` the action in JSON (empty for none). `spread` lists all
    that chance may give after `outcomes`: each gets the same number of playouts, so that the answer is an expectation over
    all of it. `over` says that the game is over there.
    """

    state: bytes
    action: bytes = b""
    outcomes: Outcomes = ()
    spread: Outcomes = ()
    over: bool = False

    def playouts(self, wanted: int) -> int:
        """Return how many playouts answer this, at least those wanted."""
        if self.over:
            return 1
        return -(-wanted // len(self.spread)) * len(self.spread) if self.spread else wanted

    def given(self, number: int) -> Outcomes:
        """Return what chance gives first in a playout."""
        return (*self.outcomes, self.spread[number % len(self.spread)]) if self.spread else self.outcomes


class Panel(msgspec.Struct, frozen=True):
    """Who answers: the bots that play on, by seat, and from which seed the playouts come.

    `version` is that of the ruleset and of this package: both say how bots play.
    """

    rules: str
    version: str
    content: str
    bots: dict[str, str]
    seed: str = "playout"

    def key(self, question: Question) -> bytes:
        """Return what an answer is kept under: all that it depends on."""
        given = msgspec.json.encode((METHOD, self, question.outcomes, question.spread))
        return hashlib.blake2b(
            b"\n".join((given, question.action, question.state)), digest_size=16, usedforsecurity=False
        ).digest()


def panel_of(rules: Ruleset, bots: Mapping[str, str], seed: str = "playout") -> Panel:
    """Return who answers for a ruleset over its content."""
    from .. import __version__

    return Panel(rules.id, f"{rules.version}/{__version__}", rules.content.digest, dict(sorted(bots.items())), seed)


def user_cache() -> str:
    """Return the file of playouts in the user's cache folder, or in the folder that `WARPTAPE_CACHE` names.

    `:memory:` where it says `off`.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted.lower() in ("off", "no", "0"):
        return ":memory:"
    if wanted:
        return str(Path(wanted) / "playouts.db")
    from platformdirs import user_cache_path

    return str(user_cache_path("warptape", appauthor=False) / "playouts.db")


class Answers:
    """The playouts that were played, in a file or in memory: deleting it costs time and nothing else.

    Raises StoreError when the file cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str] = ":memory:") -> None:
        self.path = path
        try:
            if path != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(path, isolation_level=None, timeout=60)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self.connection.execute(
                "CREATE TABLE IF NOT EXISTS playouts "
                "(key BLOB, number INTEGER, won INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID"
            )
        except (sqlite3.Error, OSError) as error:
            raise self._trouble(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def get(self, key: bytes, first: int, stop: int) -> dict[int, int]:
        """Return the results of the playouts `first` to `stop` - 1 that were played, by number."""
        try:
            return dict(
                self.connection.execute(
                    "SELECT number, won FROM playouts WHERE key = ? AND number >= ? AND number < ?", (key, first, stop)
                ).fetchall()
            )
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def put(self, key: bytes, results: Mapping[int, int]) -> None:
        """Keep the results of playouts, all or none."""
        rows = ", ".join("(?, ?, ?)" for _ in results)
        values = [part for number, result in results.items() for part in (key, number, result)]
        try:
            self.connection.execute(f"INSERT OR REPLACE INTO playouts VALUES {rows}", values)
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def _trouble(self, error: Exception) -> StoreError:
        return StoreError(
            f"The file of playouts {self.path} cannot be used ({error}). It may be deleted: that costs time only."
        )


class Work(msgspec.Struct, frozen=True):
    """Some playouts of one question to play."""

    panel: Panel
    question: Question
    numbers: tuple[int, ...]
    content: bytes


class _Gathered:
    """The results of one question so far, and who asked it."""

    def __init__(self, over: bool, first: int, stop: int, results: dict[int, int]) -> None:
        self.over = over
        self.first = first
        self.stop = stop
        self.results = results
        self.labels: list[Any] = []
        self.failure = ""

    @property
    def missing(self) -> list[int]:
        return [number for number in range(self.first, self.stop) if number not in self.results]

    @property
    def full(self) -> bool:
        return len(self.results) == self.stop - self.first


class Asker:
    """Puts questions to a panel: `found` fills with answers by label, `failed` with why a question has none.

    `done` hears of playouts as they are there, played or kept; `enough` is asked between them whether to stop. Each chunk is
    kept as soon as it is played, so a run that was interrupted goes on where it was. With `jobs` processes the answers are
    the same.
    """

    def __init__(
        self,
        rules: Ruleset,
        panel: Panel,
        seats: tuple[str, ...],
        answers: Answers,
        jobs: int = 1,
        done: Callable[[int], None] = lambda playouts: None,
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        self.rules = rules
        self.panel = panel
        self.seats = seats
        self.answers = answers
        self.jobs = jobs
        self.done = done
        self.enough = enough
        self.found: dict[Any, Value] = {}
        self.failed: dict[Any, str] = {}

    @cached_property
    def _content(self) -> bytes:
        return self.rules.content.encode()

    def ask(self, asked: Iterable[tuple[Any, Question]], playouts: int, first: int = 0) -> bool:
        """Find what each labelled question comes to over at least so many playouts from number `first` on.

        Questions are taken from the iterable as there is somebody to play them. Returns False where `enough` said to stop:
        then what is not answered is not among `found`.
        """
        sent: deque[tuple[bytes, tuple[int, ...]]] = deque()
        open_: dict[bytes, _Gathered] = {}
        with closing(self._played(self._works(asked, playouts, first, sent, open_))) as results:
            for result in results:
                key, numbers = sent.popleft()
                gathered = open_[key]
                if isinstance(result, str):
                    gathered.failure = result
                    self._answer(gathered)
                else:
                    self.answers.put(key, dict(zip(numbers, result, strict=True)))
                    gathered.results.update(zip(numbers, result, strict=True))
                    self._answer(gathered)
                self.done(len(numbers))
                if self.enough():
                    return False
        return True

    def _works(
        self,
        asked: Iterable[tuple[Any, Question]],
        playouts: int,
        first: int,
        sent: deque[tuple[bytes, tuple[int, ...]]],
        open_: dict[bytes, _Gathered],
    ) -> Iterator[Work]:
        for label, question in asked:
            key = self.panel.key(question)
            if key in open_:  # the same position twice
                open_[key].labels.append(label)
                self._answer(open_[key])
                self.done(question.playouts(playouts))
                continue
            start = 0 if question.over else first
            stop = start + question.playouts(playouts)
            kept = self.answers.get(key, start, stop)
            fit = {number: won for number, won in kept.items() if type(won) is int and 0 <= won < 1 << len(self.seats)}
            gathered = open_[key] = _Gathered(question.over, start, stop, fit)
            gathered.labels.append(label)
            missing = gathered.missing
            if gathered.results:
                self.done(len(gathered.results))
            self._answer(gathered)
            for at in range(0, len(missing), CHUNK):
                numbers = tuple(missing[at : at + CHUNK])
                sent.append((key, numbers))
                yield Work(self.panel, question, numbers, self._content)

    def _answer(self, gathered: _Gathered) -> None:
        """Hand on what is known of a question, if that is all: its answer, or why there is none."""
        if gathered.failure:
            self.failed.update(dict.fromkeys(gathered.labels, gathered.failure))
        if gathered.failure or not gathered.full:
            return
        results = tuple(gathered.results[number] for number in range(gathered.first, gathered.stop))
        self.found.update(dict.fromkeys(gathered.labels, Value(self.seats, results, gathered.over)))

    def _played(self, works: Iterator[Work]) -> Any:
        if self.jobs > 1:
            return in_order(_play, works, self.jobs)
        return (_play_with(self.rules, work) for work in works)


_bound: dict[tuple[str, str], Ruleset] = {}


def _play(work: Work) -> tuple[int, ...] | str:
    """Play some playouts in a process of its own, which keeps the rules it has bound."""
    key = (work.panel.rules, work.panel.content)
    rules = _bound.get(key)
    if rules is None:
        rules = _bound[key] = ruleset(work.panel.rules).bound(Content.decode(work.content))
    return _play_with(rules, work)


def _play_with(rules: Ruleset, work: Work) -> tuple[int, ...] | str:
    """Return the results of some playouts, or why there are none: a log from elsewhere may hold what today's rules refuse."""
    question, panel = work.question, work.panel
    try:
        state = msgspec.json.decode(question.state, type=rules.state)
        seats = [seat.id for seat in rules.seats(state.options)]
        action: Any = None
        if question.action:
            action = msgspec.json.decode(question.action, type=Union[rules.actions])  # noqa: UP007
        return tuple(
            won(seats, playout(rules, state, panel.bots, f"{panel.seed}/{number}", action, question.given(number)))
            for number in work.numbers
        )
    except Exception as error:
        return f"{type(error).__name__}: {error}"
