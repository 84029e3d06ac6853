"""How much one caller may ask for: requests a second, by token and by address, and streams at once."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..replays.problems import TooMany

BURST = 4.0
"""The seconds' worth of requests that may come at once."""

MOST = 10_000
"""The callers that are remembered; those who were quiet longest are forgotten, and had their buckets full again."""


class Rate:
    """A token bucket a caller: `rate` requests a second, and some of them at once; 0 is no limit."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """Count one request; raises TooMany, with the seconds to wait."""
        if self.rate <= 0:
            return
        most = max(1.0, self.rate * BURST)
        with self._lock:
            now = self.clock()
            left, since = self._left.pop(who, (most, now))
            left = min(most, left + (now - since) * self.rate)
            taken = left >= 1
            self._left[who] = (left - 1 if taken else left, now)
            if len(self._left) > MOST:
                self._left.popitem(last=False)
        if not taken:
            raise _too_many("These are too many requests at once", math.ceil((1 - left) / self.rate))


class Streams:
    """Streams at once: `each` a caller, `most` in all."""

    def __init__(self, most: int, each: int) -> None:
        self.most = most
        self.each = each
        self._lock = threading.Lock()
        self._open: dict[str, int] = {}

    def __len__(self) -> int:
        return sum(self._open.values())

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count a stream while it is open; raises TooMany."""
        with self._lock:
            if self._open.get(who, 0) >= self.each:
                raise _too_many(f"There are {self.each} streams of this token already; close one", 5)
            if len(self) >= self.most:
                raise _too_many("The service has as many streams as it can serve", 30)
            self._open[who] = self._open.get(who, 0) + 1
        try:
            yield
        finally:
            with self._lock:
                self._open[who] -= 1
                if not self._open[who]:
                    del self._open[who]


def _too_many(text: str, seconds: int) -> TooMany:
    error = TooMany(f"{text}. Try again in {seconds} second{'s' * (seconds != 1)}.")
    error.retry_after = seconds
    return error
