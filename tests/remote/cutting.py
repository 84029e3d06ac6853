"""A line that can be cut: a TCP proxy before a server, which breaks a connection after so many bytes, or holds them up."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from typing import Literal

Way = Literal["request", "answer"]


class Cutter:
    """Passes bytes on between `port` and the server's; `cut` and `hold` say what is to happen to the next ones.

    With `keep`, `kept` is all that was answered, one connection after the other.
    """

    def __init__(self, target: int, *, keep: bool = False) -> None:
        self.target = target
        self.keep = keep
        self._kept: list[bytearray] = []
        self.down = False
        self.cuts = 0
        self.passed = {"request": 0, "answer": 0}
        self._left: dict[Way, int | None] = {"request": None, "answer": None}
        self._hard = False
        self._pause = 0.0
        self._words = b""
        self._silent = False
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def kept(self) -> bytes:
        """All that was answered so far, as it came over the line."""
        return b"\n".join(map(bytes, self._kept))

    def cut(self, way: Way, after: int, *, hard: bool = False) -> None:
        """Break the connection once, after so many more bytes one way; `hard` throws away what is still under way."""
        with self._lock:
            self._left[way], self._hard = after, hard

    def hold(self, seconds: float) -> None:
        """Hold the next answer up for so long."""
        with self._lock:
            self._pause = seconds

    def swallow(self, words: bytes) -> None:
        """Let the next request with these words through, and give no answer any more before `drop`."""
        with self._lock:
            self._words = words

    def drop(self) -> None:
        """Break all connections, and take no others until `restore`."""
        with self._lock:
            self.down, self._words, self._silent = True, b"", False
            for one in self._open:
                _close(one, True)
            self._open.clear()

    def restore(self) -> None:
        """Take connections again."""
        self.down = False

    def close(self) -> None:
        """End it."""
        self.drop()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.down:
                _close(client, True)
                continue
            server = socket.create_connection(("127.0.0.1", self.target))
            with self._lock:
                self._open += [client, server]
            kept = bytearray()
            self._kept.append(kept)
            for way, source, sink in (("request", client, server), ("answer", server, client)):
                threading.Thread(target=self._pump, args=(way, source, sink, kept), daemon=True).start()

    def _pump(self, way: Way, source: socket.socket, sink: socket.socket, kept: bytearray) -> None:
        try:
            while data := source.recv(65536):
                with self._lock:
                    if way == "request" and self._words and self._words in data:
                        self._words, self._silent = b"", True
                    if way == "answer" and self._silent:
                        continue
                    pause, left = self._pause if way == "answer" else 0.0, self._left[way]
                    if way == "answer":
                        self._pause = 0.0
                    if left is not None:
                        self._left[way] = None if len(data) >= left else left - len(data)
                    cut = left is not None and len(data) >= left
                if pause:
                    time.sleep(pause)
                sink.sendall(data[:left] if cut else data)
                self.passed[way] += len(data)
                if self.keep and way == "answer":
                    kept += data
                if cut:
                    self.cuts += 1
                    break
        except OSError:
            pass
        for one in (source, sink):
            _close(one, self._hard)


def _close(one: socket.socket, hard: bool) -> None:
    with contextlib.suppress(OSError):
        if hard:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        one.close()
