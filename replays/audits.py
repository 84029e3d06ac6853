"""Audits of many logs, on all cores: files and games of stores, in order, and what came of them by cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice

import msgspec

from ..domain.errors import StoreError, WarptapeError
from .audit import audit_file, audit_stored
from .findings import Report
from .processes import in_order
from .store import Store, open_store

UNREAD = "could not be read"


class Task(msgspec.Struct, frozen=True):
    """One log to audit: the file at `path`, or the game with the id `game` of the store at a path or URL.

    `label` is what the user knows it by, `rules` and `listing` are as `audit` takes them.
    """

    label: str
    path: str = ""
    store: str = ""
    game: str = ""
    rules: bool = True
    listing: bool = False


class Audited(msgspec.Struct, frozen=True):
    """What came of a task: its report, or the error that kept it from being read, of the store (`trouble`) or not."""

    label: str
    report: Report | None = None
    error: str = ""
    trouble: bool = False

    @property
    def ok(self) -> bool:
        """Whether the log was audited and nothing wrong was found."""
        return self.report is not None and self.report.ok

    @property
    def cause(self) -> str:
        """What it counts as in a summary; empty when it is sound."""
        return UNREAD if self.report is None else self.report.cause

    def __str__(self) -> str:
        """Return which log it is, with the name of its game, and what is wrong first."""
        name = self.report.name if self.report is not None else ""
        which = f"{self.label} ('{name}')" if name and name != self.label else self.label
        return f"{which}: {self.error if self.report is None else self.report.first or 'sound'}"


class Summary(msgspec.Struct):
    """How many logs were audited, the causes of what is wrong, the most frequent first, and which logs those are."""

    total: int = 0
    causes: Counter[str] = msgspec.field(default_factory=Counter)
    failed: list[str] = []
    trouble: int = 0
    differing: int = 0

    def add(self, one: Audited) -> None:
        """Count a log in."""
        self.total += 1
        self.trouble += one.trouble
        self.differing += bool(one.report and one.report.listed and one.report.differences)
        if not one.ok:
            self.causes[one.cause] += 1
            self.failed.append(str(one))

    @property
    def wrong(self) -> int:
        """How many were audited and are not sound."""
        return len(self.failed) - self.trouble

    def text(self) -> str:
        """Return it as one sentence: `197 of 200 are sound; 2 chain broken, 1 file cut short.`"""
        if not self.failed:
            return f"All {self.total} are sound."
        ordered = sorted(self.causes.items(), key=lambda pair: (-pair[1], pair[0]))
        causes = ", ".join(f"{count} {cause}" for cause, count in ordered)
        return f"{self.total - len(self.failed)} of {self.total} are sound; {causes}."


def run(
    tasks: Iterable[Task],
    jobs: int,
    done: Callable[[], None] = lambda: None,
    stores: Mapping[str, Store] | None = None,
) -> Iterator[Audited]:
    """Audit all logs and yield what came of each, in order; `done` hears of each that is finished.

    `jobs` processes share them, each with a connection of its own; one process uses the `stores` that are open here.
    Tasks are taken a few ahead, so that memory does not grow with their number.
    """
    rest = iter(tasks)
    first = list(islice(rest, 2))
    tasks = chain(first, rest)
    if jobs > 1 and len(first) > 1:
        yield from in_order(_audited, tasks, jobs, done)
        return
    opened = dict(stores or {})
    try:
        for task in tasks:
            one = _audited(task, opened)
            done()
            yield one
    finally:
        for url, store in opened.items():
            if url not in (stores or {}):
                store.close()


def audit_one(task: Task, stores: dict[str, Store]) -> Report:
    """Audit the log of a task; a store that is not open yet is opened, and kept in `stores`.

    Raises what `audit_file` and `audit_stored` raise.
    """
    if task.path:
        return audit_file(task.path, rules=task.rules, listing=task.listing)
    store = stores.get(task.store)
    if store is None:
        store = stores[task.store] = open_store(task.store)
    return audit_stored(store, store.shelf(task.game), rules=task.rules, listing=task.listing)


_mine: dict[str, Store] = {}
"""The stores that this process has opened, where it is one of several: they last as long as it does."""


def _audited(task: Task, stores: dict[str, Store] | None = None) -> Audited:
    try:
        return Audited(task.label, audit_one(task, _mine if stores is None else stores))
    except (WarptapeError, OSError, MemoryError) as error:
        text = str(error) or "there is not enough memory for this"
        return Audited(task.label, None, text, isinstance(error, StoreError | OSError))
