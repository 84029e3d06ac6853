"""Who waits for news of which game, in one process; news say that there are some, and each reads them from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class News:
    """Whether there may be news for one who waits, in the event loop; who knows as much as was told is not woken again."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._known = 0
        self._told: int | None = 0  # None: something that is no event

    def tell(self, length: int | None) -> None:
        """Wake who waits, unless the log is known up to this length."""
        if length is None:
            self._told = None
        elif length <= self._known:
            return
        elif self._told is not None:
            self._told = max(self._told, length)
        self._event.set()

    def look(self) -> None:
        """Say that who waits looks now: what is told from here on counts."""
        self._told = 0
        self._event.clear()

    def saw(self, length: int) -> None:
        """Say up to which length the log is known after that look."""
        self._known = length
        if self._told is not None and self._told <= length:
            self._event.clear()

    async def wait(self) -> None:
        """Wait for news."""
        await self._event.wait()


class Hub:
    """Wakes the streams of a game; `wake` may be called from any thread."""

    def __init__(self) -> None:
        self.closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[str, set[News]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def start(self) -> None:
        """Remember the event loop in which the streams wait."""
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def watch(self, game: str) -> Iterator[News]:
        """Give what tells whenever there may be news of a game."""
        news = News()
        waiting = self._waiting.setdefault(game, set())
        waiting.add(news)
        try:
            yield news
        finally:
            waiting.discard(news)
            if not waiting and self._waiting.get(game) is waiting:
                del self._waiting[game]

    def wake(self, game: str | None = None, length: int | None = None) -> None:
        """Wake those who wait for a game, or all of them; with the length of its log, those who do not know as much."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, game, length)

    def close(self) -> None:
        """End all streams."""
        self.closing = True
        self.wake()

    def _wake(self, game: str | None, length: int | None) -> None:
        for waiting in list(self._waiting.values()) if game is None else [self._waiting.get(game, set())]:
            for news in waiting:
                news.tell(length)
