"""Following a game on a server: a thread that hears of what is new, and takes the line up again where it dropped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import httpx

from ...domain.errors import StoreError, WarptapeError
from .line import FIRST, LONGEST, Later
from .mirror import HttpStore

SILENCE = 40.0
"""Seconds without a byte after which the line is held to have dropped: the server gives a sign every fifteen."""


class Told(NamedTuple):
    """One server-sent event: its id, kind and data."""

    id: str
    event: str
    data: str


def read_events(lines: Iterable[str]) -> Iterator[Told]:
    """Yield the events in the lines of a stream; one that is cut short, and comments, are passed over."""
    last, kind, data = "", "message", list[str]()
    for line in lines:
        if not line:
            if data:
                yield Told(last, kind, "\n".join(data))
            kind, data = "message", []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "event":
            kind = value
        elif name == "id":
            last = value


class Follower(threading.Thread):
    """Calls `wake` whenever the server tells that a game has more rows, or that it or what is seen of it is another.

    The stream says from which position on it is to tell, so that nothing that was recorded while the line was down is
    missed. What is new is then read by whoever was woken: this thread touches no game.
    """

    def __init__(self, store: HttpStore, game: str, known: Callable[[], int], wake: Callable[[], None]) -> None:
        super().__init__(name=f"follow {game}", daemon=True)
        self.store = store
        self.game = game
        self.known = known
        self.after = str(known() - 1)
        self.wake = wake
        self._over = threading.Event()

    def run(self) -> None:
        """Follow until stopped, or until the server says that there is nothing more to follow."""
        pause, failed = FIRST, 0
        while not self._over.is_set():
            try:
                for told in self._listen():
                    pause, failed = FIRST, 0
                    if self._over.is_set():
                        return
                    if told.event == "rows":
                        self.after = told.id or self.after
                    if told.event != "rows" or int(self.after) >= self.known():
                        self.wake()
                    if told.event == "deleted":
                        return
            except (httpx.HTTPError, httpx.StreamError, Later, StoreError):
                failed += 1
                if failed == 2:  # whoever is woken finds that the line is down, and says so
                    self.wake()
            except WarptapeError:  # the token opens it no more
                self.wake()
                return
            except (RuntimeError, ValueError):  # the store was closed, or this is no stream of ours
                return
            self._over.wait(pause)
            pause = min(2 * pause, LONGEST)

    def _listen(self) -> Iterator[Told]:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": self.after}
        path = f"games/{self.game}/events"
        token = self.store.token_for(self.game)
        with self.store.line.stream(
            path, token=token, params={"after": self.after}, headers=headers, timeout=SILENCE
        ) as answer:
            yield from read_events(answer.iter_lines())

    def stop(self) -> None:
        """End following; the thread ends at its next sign of life, and keeps nothing waiting."""
        self._over.set()
