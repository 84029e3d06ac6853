"""Follows what other processes record in the same store, and wakes the streams of those games.

The numbers of the notification log are followed, so nothing is missed: a notice of the database (PostgreSQL's NOTIFY) only
makes it faster, and a lost one costs no more than the time until the next look.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..domain.errors import StoreError
from ..replays.shelf import DELETED
from ..replays.store import Store
from .hub import Hub

GONE = f"{DELETED}:"
PAGE = 1000
TROUBLE = 1.0
"""Seconds to wait after the store failed before it is asked again."""


SLICE = 0.5
"""Seconds after which a thread that waits for a notice looks whether it is to end."""


class Follower:
    """One thread of a process that follows its store from now on.

    `poll` are the seconds between two looks where the database gives no notices, `look` where it does. `lost` counts how
    often the store did not answer, `failed` how often in a row.
    """

    def __init__(self, store: Store, hub: Hub, poll: float, look: float) -> None:
        self.store = store
        self.hub = hub
        self.poll = poll
        self.look = look
        self.lost = 0
        self.failed = 0
        self.seen = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warptape-follower", daemon=True)

    @property
    def down(self) -> bool:
        """Whether the database is known not to answer, so that nobody needs to wait for a connection to it."""
        return self.failed > 1 and not self.store.at_hand()

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for the thread."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=SLICE + TROUBLE + 5)

    def _run(self) -> None:
        known = False
        while not self._stopped.is_set():
            try:
                if not known:
                    self.seen = self.store.latest()
                    known = True
                with _notices(self.store) as wait:
                    self.failed = 0
                    self.hub.wake()  # what came before, or while the store did not answer
                    while not self._stopped.is_set():
                        named = self._waited(wait)
                        self._take()
                        for game in named:  # something that is no event: another name
                            self.hub.wake(game)
            except StoreError:
                self.lost += 1
                self.failed += 1
                if self.failed > 1:  # the first time it may be this connection alone
                    self._stopped.wait(TROUBLE)

    def _waited(self, wait: Callable[[float], set[str]] | None) -> set[str]:
        """Wait for a notice until the next look is due, or this ends; returns the games that notices named."""
        if wait is None:
            self._stopped.wait(self.poll)
            return set()
        until = time.monotonic() + self.look
        while not self._stopped.is_set() and (left := until - time.monotonic()) > 0:
            if told := wait(min(left, SLICE)):
                return told - {""}
        return set()

    def _take(self) -> None:
        """Wake the games in which something was recorded since the last look."""
        while True:
            found = self.store.changed_since(self.seen, PAGE)
            for game, position in {game: position for _, game, position in found}.items():
                if game.startswith(GONE):
                    self.hub.wake(game.removeprefix(GONE))
                else:
                    self.hub.wake(game, position + 1)
            if found:
                self.seen = found[-1][0]
            if len(found) < PAGE:
                return


@contextmanager
def _notices(store: Store) -> Iterator[Callable[[float], set[str]] | None]:
    """Give a function that waits for notices of the database, so many seconds at most, and returns what they name (a game,
    or nothing for events); None where it gives none.

    Raises StoreError when the connection fails.
    """
    try:
        import psycopg
        from psycopg.sql import SQL, Identifier

        from ..replays.postgres import PostgresStore
    except ImportError:
        yield None
        return
    if not isinstance(store, PostgresStore):
        yield None
        return
    try:
        how: Any = store.datastore.pool.kwargs  # as the store itself connects
        with psycopg.connect(**how, autocommit=True) as connection:
            connection.execute(SQL("LISTEN {}").format(Identifier(store.recorder.channel_name)))

            def wait(seconds: float) -> set[str]:
                return {one.payload for one in connection.notifies(timeout=seconds, stop_after=1)}

            yield wait
    except psycopg.Error as error:
        raise StoreError("The database's notices cannot be heard.") from error
