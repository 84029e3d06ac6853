"""The libraries that the contract is for: over an SQLite file, over PostgreSQL, and over HTTP at a live service."""

from __future__ import annotations

import importlib.util
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warptape.api import Game
from warptape.replays.library import Library

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "remote"))  # the live service that these tests share with those of the client


def _rulesets() -> Any:
    spec = importlib.util.spec_from_file_location("replays_conftest", TESTS / "replays" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.rulesets


rulesets = _rulesets()
"""Pig and the other test rulesets, installed as a package of their own would be."""

Opened = Callable[[], Library[Game]]


@pytest.fixture(params=["sqlite", "postgres", "http"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Opens the same store once more, each time with a connection of its own."""
    from warptape.api import open as open_store

    libraries: list[Library[Game]] = []
    live = None
    if request.param == "postgres":
        database: str = request.getfixturevalue("postgres_database")
        url = f"{database}{'&' if '?' in database else '?'}schema=wt_{uuid.uuid4().hex}"
    else:
        url = str(tmp_path / "games.db")
    if request.param == "http":
        pytest.importorskip("litestar", reason="the service needs Litestar: install 'warptape[server]'")
        from live_server import Live, wallet

        from warptape.replays.remote.passes import Pass

        live = Live(url)
        wallet(tmp_path).add(live.url, Pass(token=live.host, role="host"))

        def again() -> Library[Game]:
            from warptape.served import open_served

            library: Library[Game] = open_served(live.url, wallet=wallet(tmp_path))
            libraries.append(library)
            return library

    else:

        def again() -> Library[Game]:
            libraries.append(open_store(url))
            return libraries[-1]

    yield again
    for one in libraries:
        one.close()
    if live is not None:
        live.stop()


@pytest.fixture
def library(opened: Opened) -> Library[Game]:
    """The games of an empty store."""
    return opened()
