"""Work shared among processes: on all cores, in order, ended by Ctrl-C, and never outliving the parent."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, parent_process
from threading import Thread
from typing import TypeVar

from ..domain.errors import WarptapeError

AHEAD = 4
"""Tasks a process that are under way, or done and waiting for their turn: so much is held in memory."""

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def serve_the_parent() -> None:
    """Leave Ctrl-C to the parent process, and end with it, however it ends: what a new process does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # a killed process, too, leaves no half game in a store


def in_order(
    work: Callable[[T], R], tasks: Iterable[T], jobs: int, done: Callable[[], None] = lambda: None
) -> Generator[R, None, None]:
    """Yield what `work` makes of each task, in the order of the tasks; `done` is called as each is finished.

    `jobs` processes share the work, which must only read: closing the iterator, or an error, ends them at once. A few
    tasks a process are taken ahead, so memory does not grow with their number. Raises WarptapeError when a process is
    ended from outside, and what `work` raises.
    """
    todo = iter(tasks)
    before = {*active_children()}
    pool = ProcessPoolExecutor(jobs, initializer=serve_the_parent)
    ahead: deque[Future[R]] = deque()
    running: set[Future[R]] = set()
    try:
        while True:
            for task in islice(todo, AHEAD * jobs - len(ahead)):
                future = pool.submit(work, task)
                ahead.append(future)
                running.add(future)
            if not ahead:
                return
            if running:
                wait(running, return_when=FIRST_COMPLETED)
            finished = {future for future in running if future.done()}
            running -= finished
            for _ in finished:
                done()
            while ahead and ahead[0] not in running:
                yield ahead.popleft().result()
    except BrokenProcessPool as error:
        raise WarptapeError(
            "A process was ended from outside, perhaps because there was too little memory: try again with --jobs 1."
        ) from error
    finally:
        if ahead:  # stopped early: nobody waits for what is under way
            for child in {*active_children()} - before:
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
