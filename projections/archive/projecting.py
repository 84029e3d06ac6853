"""Games made into rows, one after the other or by several processes; a bad log is an answer too, and stops no other."""

from __future__ import annotations

import gc
import marshal
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice

import msgspec

from ...domain.errors import UnknownGame, WarptapeError
from ...replays.game import Game
from ...replays.library import Library
from ...replays.processes import in_order
from ...replays.shelf import Shelf
from ...replays.store import Store, open_store
from ...replays.tape import Tape
from .rows import project
from .sources import file_mark
from .telling import Rows

TOGETHER = 4_000
"""Events, about, that are one task: fewer, and the sending to and fro would weigh; more, and too much is in memory."""
MOST = 64
"""Games that are one task."""


class Task(msgspec.Struct, frozen=True):
    """A game to project: the item of a source, as it is marked there; `known` is the mark that the archive has.

    A `url` says in which store it is, else the item is the path of a log file.
    """

    source: str
    item: str
    mark: str
    known: str = ""
    url: str = ""
    size: int = 1


class Projected(msgspec.Struct, frozen=True):
    """What came of a task: the game with its rows, or that it is unchanged, gone, or why it could not be read."""

    task: Task
    mark: str
    game: str = ""
    length: int = 0
    seen_as: str | None = None
    rows: Rows | bytes = {}
    unchanged: bool = False
    gone: bool = False
    error: str = ""

    def opened(self) -> Rows:
        """Return the rows; from another process they come as bytes, which is faster than pickling them."""
        rows: Rows = marshal.loads(self.rows) if isinstance(self.rows, bytes) else self.rows
        return rows


def projected(tasks: Iterable[Task], jobs: int, store: Store | None) -> Generator[Projected, None, None]:
    """Yield what comes of each task, in order; `jobs` processes share them, each with a connection of its own.

    `store` is the one of the tasks that have a `url`, for when this process does the work alone.
    """
    if jobs > 1:
        parts = _parts(tasks)
        first = list(islice(parts, 2))
        if len(first) > 1:
            work = in_order(_packed, chain(first, parts), jobs)
            try:
                for part in work:
                    yield from part
            finally:
                work.close()
            return
        tasks = chain.from_iterable(first)
    stores = {} if store is None else {"": store}
    for task in tasks:
        yield _projected(task, stores)


def _parts(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Yield the tasks by lists that are worth sending."""
    part: list[Task] = []
    size = 0
    for task in tasks:
        part.append(task)
        size += task.size
        if size >= TOGETHER or len(part) == MOST:
            yield part
            part, size = [], 0
    if part:
        yield part


_opened: dict[str, Store] = {}
"""The stores that this process has opened, where it is one of several: they last as long as it does."""


def _packed(tasks: list[Task]) -> list[Projected]:
    """Project games in a process that shares the work, and does nothing else."""
    found = []
    with seldom_collected():
        for task in tasks:
            one = _projected(task, _opened)
            found.append(msgspec.structs.replace(one, rows=marshal.dumps(one.rows)) if one.rows else one)
    return found


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage less often: rows are many, short-lived, and never in a ring."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _projected(task: Task, stores: dict[str, Store]) -> Projected:
    try:
        return _stored(task, stores) if task.url else _from_file(task)
    except UnknownGame:
        return Projected(task, task.mark, gone=True)
    except OSError as error:
        return Projected(task, task.mark, error=f"it cannot be read: {(error.strerror or str(error)).lower()}.")
    except (WarptapeError, MemoryError) as error:
        return Projected(task, task.mark, error=str(error) or "there is not enough memory for this.")
    except Exception as error:  # rules may fail on what a log from elsewhere holds
        return Projected(task, task.mark, error=f"the rules fail on it ({type(error).__name__}: {error}).")


def _stored(task: Task, stores: dict[str, Store]) -> Projected:
    store = stores.get("") or stores.get(task.url)
    if store is None:
        store = stores[task.url] = open_store(task.url)
    return _whole(task, task.mark, Tape(store, store.shelf(task.item)), task.item)


def _from_file(task: Task) -> Projected:
    mark = file_mark(task.item)
    if mark == task.known:
        return Projected(task, mark, unchanged=True)
    library: Library[Game]
    with Library(":memory:") as library:
        shelf: Shelf = library.load(task.item).shelf
        # A file is the game that was exported, wherever it lies; a store where it was imported has another one.
        known_as = shelf.extra.get("imported") or shelf.head[:16]
        del shelf.extra["imported"]
        return _whole(task, mark, Tape(library.store, shelf), known_as)


def _whole(task: Task, mark: str, tape: Tape, game: str) -> Projected:
    rows = project(tape, game, task.source, task.item)
    return Projected(task, mark, game, tape.length, tape.seen_as, rows)
