"""The connections of the service: requests must begin in time, and answers must be read; there may be many of them."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 65536
"""Open files, which connections are."""

LEAST = 1024
"""Bytes a second."""


class Connection(H11Protocol):
    """uvicorn's connection, closed when the head of a request is not there `head` seconds after it was begun, or when
    somebody reads less than `LEAST` bytes a second of what waits for him, for `slow` seconds.

    Without that whoever sends a header every few seconds, or reads nothing, holds connections and memory for as long as
    he likes.
    """

    head = 10.0
    slow = 20.0
    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for the first request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # to be told of all that waits
        line: socket.socket = transport.get_extra_info("socket")
        if line.family in (socket.AF_INET, socket.AF_INET6):
            # asyncio does so only where a socket was made for TCP by name. Without it the second part of each answer waits
            # for the first to be acknowledged, which the other side does after 40 ms.
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
        self._read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait until what was written has been taken."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """Go on: all that was written has been taken."""
        self._read()
        super().resume_writing()

    def _wait(self) -> None:
        self._read()
        waits = self.transport.get_write_buffer_size() - LEAST * self.slow
        self._unread = self.loop.call_later(self.slow + 1, self._look, waits)

    def _look(self, enough: float) -> None:
        if self.transport.get_write_buffer_size() > max(0, enough):
            self.transport.abort()  # to close it would be to wait until all was read
        else:
            self._wait()

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _watch(self) -> None:
        busy = self.cycle is not None and not self.cycle.response_complete
        if busy or self.transport.is_closing() or self.timeout_keep_alive_task is not None:
            self._forget()
        elif self._late is None:
            self._late = self.loop.call_later(self.head, self.transport.abort)

    def _forget(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def connections(head: float, slow: float) -> Any:
    """Return the class of connections with these times in seconds."""
    return type("Connection", (Connection,), {"head": head, "slow": slow})


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
