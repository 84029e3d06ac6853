"""A game service of a test's own: the real application under uvicorn, in a thread, over a store of the test's."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn

from warptape.replays.remote.passes import Wallet
from warptape.replays.store import open_store
from warptape.service.access import HOST
from warptape.service.app import application
from warptape.service.service import Service
from warptape.service.settings import Settings

UNLIMITED: dict[str, Any] = {"token_rate": 0, "address_rate": 0, "create_rate": 0}


class Live:
    """A service at `url` over the store at a path or URL; `host` is the token that starts games."""

    def __init__(self, store: str, port: int = 0, **settings: Any) -> None:
        self.path = store
        self.store = open_store(store)
        self.service = Service(self.store, Settings(**{**UNLIMITED, "heartbeat": 2.0, "grace": 2.0, **settings}))
        self.host, _ = self.service.access.issue("", HOST)
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", port))
        self.port: int = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            application(self.service), log_level="critical", access_log=False, timeout_graceful_shutdown=2
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        deadline = time.monotonic() + 20
        while not self.server.started:
            assert self.thread.is_alive(), "the service did not start"
            assert time.monotonic() < deadline, "the service did not start in time"
            time.sleep(0.01)

    def stop(self) -> None:
        """End it, and close the store."""
        self.service.hub.close()
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive(), "the service did not end"
        self.socket.close()
        self.store.close()


def wallet(folder: Path) -> Wallet:
    """Passes in a file of the test's own."""
    return Wallet(folder / "profiles.json")
