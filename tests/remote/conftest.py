"""A live service, and the command with a shelf and profiles of the test's own."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "remote"))
pytest.importorskip("litestar", reason="the service needs Litestar: install 'warptape[server]'")


def _module(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rulesets = _module("replays_conftest", TESTS / "replays" / "conftest.py").rulesets
"""Pig and the other test rulesets, installed as a package of their own would be."""
_commands = _module("cli_conftest", TESTS / "cli" / "conftest.py")
run, data, terminals = _commands.run, _commands.data, _commands.terminals


@pytest.fixture(autouse=True)
def shelf(rulesets: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of this test's own store; games can be played here and in processes that inherit the environment."""
    monkeypatch.setenv("PYTHONPATH", rulesets["PYTHONPATH"])
    monkeypatch.setenv("WARPTAPE_STORE", str(tmp_path / "shelf.db"))
    monkeypatch.setenv("WARPTAPE_PROFILES", str(tmp_path / "profiles.json"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("WARPTAPE_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "shelf.db"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Starts a service over a store file of its own (or of that name), with settings."""
    from live_server import Live

    running: list[Any] = []

    def start(name: str = "served.db", **settings: Any) -> Any:
        running.append(Live(str(tmp_path / name), **settings))
        return running[-1]

    yield start
    for one in running:
        if one.thread.is_alive():
            one.stop()


@pytest.fixture
def live(serve: Callable[..., Any]) -> Any:
    """A service that lets anybody start games."""
    return serve(open=True)
