"""How far long work has come: a bar on stderr, for people only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, Timer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 0.5
"""Seconds of work before there is a bar: what is done sooner needs none."""


class Progress:
    """A bar that counts items; there is none where stderr is no terminal, nor while the work is short.

    Leaving the context removes it, also by an error or Ctrl-C.
    """

    def __init__(self, doing: str, total: int = 0) -> None:
        self.doing = doing
        self.total = total
        self.done = 0
        self._bar: Bar | None = None
        self._task: Any = None
        self._lock = RLock()
        self._timer = Timer(PATIENCE, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        with self._lock:
            if self._bar is not None:
                self._bar.stop()

    def expect(self, count: int) -> None:
        """So many more items are to come."""
        with self._lock:
            self.total += count
            self._draw()

    def advance(self, count: int = 1) -> None:
        """So many more items are done."""
        with self._lock:
            self.done += count
            self._draw()

    def set(self, done: int, total: int) -> None:
        """So many items are done, of so many."""
        with self._lock:
            self.done, self.total = done, total
            self._draw()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bar away while results are printed."""
        with self._lock:
            if self._bar is not None:
                self._bar.stop()
            try:
                yield
            finally:
                if self._bar is not None:
                    self._bar.start()

    def _draw(self) -> None:
        if self._bar is not None:  # of a single item nobody knows how far it is: the bar only moves
            self._bar.update(self._task, completed=self.done, total=self.total if self.total > 1 else None)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        with self._lock:
            if self._timer.finished.is_set():
                return
            self._bar = Progress(
                *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
            )
            self._task = self._bar.add_task(self.doing, total=None)
            self._draw()
            self._bar.start()
