"""The connections of the service: a request must begin within a time, and there may be many of them."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 65536


class Connection(H11Protocol):
    """uvicorn's connection, closed when the head of a request is not there so many seconds after it was begun.

    Without that whoever sends a header every few seconds holds connections for as long as he likes.
    """

    seconds = 10.0
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take what came; between two requests the first byte begins the next one."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """End a request; the next one may have begun already."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        busy = self.cycle is not None and not self.cycle.response_complete
        if busy or self.transport.is_closing() or self.timeout_keep_alive_task is not None:
            self._forget()
        elif self._late is None:
            self._late = self.loop.call_later(self.seconds, self.transport.close)

    def _forget(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def connections(seconds: float) -> Any:
    """Return the class of connections whose requests begin within so many seconds."""
    return type("Connection", (Connection,), {"seconds": seconds})


def many() -> None:
    """Let the process have as many connections as its owner may: the first limit is often below that of streams."""
    if sys.platform == "win32":
        return
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if most == resource.RLIM_INFINITY else min(MOST, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
