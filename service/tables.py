"""The open games of a process: one lock a game, the least used ones closed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from ..replays.game import Game
from ..replays.problems import TooLong
from ..replays.store import Store
from ..replays.writing import Desk


class _Table:
    """A game and who may touch it: one thread at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.game: Game | None = None


class Tables:
    """The games that are open for acting; reading does not need them."""

    def __init__(self, store: Store, desk: Desk, most: int, patience: float) -> None:
        self.store = store
        self.desk = desk
        self.most = most
        self.patience = patience
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, _Table] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    @contextmanager
    def at(self, game: str, *, wait: bool = True) -> Iterator[Game]:
        """Hold a game, as the store has it now; raises UnknownGame, and TooLong where others hold it (too long)."""
        table = self._table(game)
        if not table.lock.acquire(timeout=self.patience if wait else 0):
            raise TooLong("Others are acting in this game just now, and it takes them long. Try again.")
        try:
            shelf = self.store.shelf(game)
            if table.game is None:
                table.game = Game(self.store, shelf, self.desk)
            elif (shelf.length, shelf.head) != (table.game.shelf.length, table.game.shelf.head):
                table.game.refresh()  # another process was here
            yield table.game
        finally:
            table.lock.release()

    def forget(self, game: str) -> None:
        """Close a game, such as one that was deleted."""
        with self._lock:
            self._tables.pop(game, None)

    def _table(self, game: str) -> _Table:
        with self._lock:
            table = self._tables.setdefault(game, _Table())
            self._tables.move_to_end(game)
            for one in list(self._tables):
                if len(self._tables) <= self.most:
                    break
                if one != game and not self._tables[one].lock.locked():
                    del self._tables[one]
            return table
