"""The tests of the service play with the test rulesets, which are installed as a package of their own would be."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs Litestar: install 'warptape[server]'")
pytest.importorskip("httpx", reason="its tests need httpx: install 'warptape[remote]'")

TESTS = Path(__file__).parent.parent
for name in ("service", "page", "remote", "kernel", "doom_of_the_eldar", "tyranid_attack"):
    if str(TESTS / name) not in sys.path:
        sys.path.append(str(TESTS / name))


def _rulesets() -> Any:
    spec = importlib.util.spec_from_file_location("replays_conftest", TESTS / "replays" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.rulesets


rulesets = _rulesets()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium, for one module: where it is open, nothing else runs an event loop in this thread."""
    from page_chromium import browser

    with browser() as opened:
        yield opened
