"""An archive in the browser: Datasette over the file, read-only, with the dictionary's texts and questions to click."""

from __future__ import annotations

import socket
import time
import webbrowser
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

from .app import say
from .trouble import TROUBLE, USAGE, Failed

SETTINGS = {"sql_time_limit_ms": 20_000, "max_returned_rows": 10_000, "default_page_size": 50}


def serve(path: Path, host: str, port: int, browser: bool) -> None:
    """Serve an archive until Ctrl-C; raises Failed without Datasette, or where the port is taken."""
    try:
        uvicorn, datasette = import_module("uvicorn"), import_module("datasette.app")
    except ImportError as error:
        raise Failed(
            f"Archives are shown by the package datasette ({error}): pip install 'warptape[datasette]'.", USAGE
        ) from error
    from ..projections.archive.dictionary import metadata

    sock = listening(host, port)
    site: Any = datasette.Datasette([str(path)], metadata=metadata(path.stem), settings=SETTINGS)
    server = uvicorn.Server(uvicorn.Config(site.app(), log_level="warning", lifespan="on"))
    url = f"{address(host, sock)}/{path.stem}"
    say(f"{path} is at {url} until Ctrl-C.", bold=True)
    if browser:
        Thread(target=_browse, args=(server, url), daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[sock])


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens (port 0: a free one); raises Failed where nothing can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(128)  # who is fast waits a moment, rather than being refused
    except (OSError, OverflowError) as error:
        sock.close()
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise Failed(f"Nothing can listen at {host}:{port}: {reason}. Name another --port.", TROUBLE) from error
    return sock


def address(host: str, sock: socket.socket) -> str:
    """Return the URL at which a socket listens."""
    return f"http://{f'[{host}]' if ':' in host else host}:{sock.getsockname()[1]}"


def openable(url: str) -> str:
    """Return the URL under which this machine itself opens what listens at one: no browser opens "all addresses"."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def _browse(server: Any, url: str) -> None:
    while not server.started:
        time.sleep(0.05)
    webbrowser.open(url)
