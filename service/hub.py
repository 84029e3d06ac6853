"""Who waits for news of which game, in one process; news say that there are some, and each reads them from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Hub:
    """Wakes the streams of a game; `wake` may be called from any thread."""

    def __init__(self) -> None:
        self.closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[str, set[asyncio.Event]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def start(self) -> None:
        """Remember the event loop in which the streams wait."""
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def watch(self, game: str) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever there may be news of a game."""
        news = asyncio.Event()
        waiting = self._waiting.setdefault(game, set())
        waiting.add(news)
        try:
            yield news
        finally:
            waiting.discard(news)
            if not waiting and self._waiting.get(game) is waiting:
                del self._waiting[game]

    def wake(self, game: str | None = None) -> None:
        """Wake those who wait for a game, or all of them."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, game)

    def close(self) -> None:
        """End all streams."""
        self.closing = True
        self.wake()

    def _wake(self, game: str | None) -> None:
        for waiting in list(self._waiting.values()) if game is None else [self._waiting.get(game, set())]:
            for news in waiting:
                news.set()
