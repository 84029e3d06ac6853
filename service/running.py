"""Runs a service: one process or several on the same socket, and ends so that what was begun is finished."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import uvicorn

from ..replays.store import Store, open_store
from ..replays.writing import Desk
from .app import application
from .connections import connections, many
from .logs import LOGGER, set_up
from .metrics import SHARED
from .service import Service
from .settings import Settings
from .watch import Watch

AGAIN = 1.0
"""Seconds before a process that died is replaced."""

MEMORY = "/dev/shm"


def asgi(service: Service) -> Watch:
    """Return a service as an ASGI application, with its times, counts and log."""
    return Watch(application(service), service)


class Server(uvicorn.Server):
    """uvicorn, which ends the streams of its service before it waits for what is under way."""

    def __init__(self, service: Service) -> None:
        self.service = service
        config = uvicorn.Config(
            asgi(service),
            log_config=None,
            access_log=False,
            lifespan="on",
            server_header=False,
            http=connections(service.settings.head, service.settings.slow),
            timeout_graceful_shutdown=max(1, int(service.settings.grace)),
        )
        super().__init__(config)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: no new work, and streams end."""
        self.service.hub.close()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: finish what was begun, then stop following."""
        self.service.hub.close()
        await super().shutdown(sockets)

    def install(self) -> None:
        """Let the signals that uvicorn raises once more when it is done end nothing: the exit code is ours."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, lambda *_: None)


def run(service: Service, sockets: Sequence[socket.socket]) -> None:
    """Serve in this process until SIGTERM or Ctrl-C."""
    set_up(service.settings.log)
    many()
    server = Server(service)
    server.install()
    with suppress(KeyboardInterrupt):
        server.run(sockets=list(sockets))
    LOGGER.info("ended", extra={"fields": {"pid": os.getpid()}})


@contextmanager
def running(store: Store, settings: Settings | None = None, desk: Desk | None = None) -> Iterator[tuple[str, Service]]:
    """Serve a store in a thread, at a free port of this machine: gives its URL and the service; ends with the context."""
    service = Service(store, settings, desk)
    listening = socket.create_server(("127.0.0.1", 0))
    server = Server(service)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", service
    finally:
        server.should_exit = True
        thread.join(timeout=service.settings.grace + 10)


def run_several(url: str, settings: Settings, listening: socket.socket, workers: int) -> int:
    """Serve in several processes that share a socket until SIGTERM or Ctrl-C; one that dies is replaced.

    Each opens the store by itself. Returns how many had to be killed at the end.
    """
    set_up(settings.log)
    context = multiprocessing.get_context("spawn")
    stopped = threading.Event()
    for sig in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sig, lambda *_: stopped.set())
    with tempfile.TemporaryDirectory(prefix="warptape-metrics-", dir=_in_memory()) as folder:
        os.environ[SHARED] = folder

        def begin() -> Any:
            process = context.Process(target=_worker, args=(url, settings, listening))
            process.start()
            return process

        processes = [begin() for _ in range(workers)]
        while not stopped.wait(0.2):
            for number, process in enumerate(processes):
                if not process.is_alive():
                    LOGGER.error("worker died", extra={"fields": {"pid": process.pid, "code": process.exitcode}})
                    stopped.wait(AGAIN)
                    processes[number] = begin()
        listening.close()
        for process in processes:
            if process.is_alive():
                process.terminate()
        until = time.monotonic() + settings.grace + 10
        for process in processes:
            process.join(timeout=max(0.1, until - time.monotonic()))
        late = [process for process in processes if process.is_alive()]
        for process in late:
            process.kill()
        return len(late)


def _in_memory() -> str | None:
    """Return a folder in memory, None where there is none: what processes share by mapping a file kills them on a full disk."""
    return MEMORY if os.path.isdir(MEMORY) and os.access(MEMORY, os.W_OK) else None


def _worker(url: str, settings: Settings, listening: socket.socket) -> None:
    """Serve in a process of its own; Ctrl-C in the terminal reaches all of them, and the first one ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from ..replays.crashes import UserDesk

    with open_store(url) as store:
        run(Service(store, settings, UserDesk()), [listening])
