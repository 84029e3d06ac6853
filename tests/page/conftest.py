"""What the tests of the replay page share: small rulesets, games that were played to their end, and a browser."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS / "page"), str(TESTS / "replays")]

spec = importlib.util.spec_from_file_location("conftest_of_replays", TESTS / "replays" / "conftest.py")
assert spec is not None
assert spec.loader is not None
_replays = importlib.util.module_from_spec(spec)
spec.loader.exec_module(_replays)
rulesets = _replays.rulesets

Open = Callable[..., Any]


@pytest.fixture(scope="session")
def library(rulesets: dict[str, str]) -> Iterator[Any]:
    from replay_model import SeededDesk

    from warptape.replays.game import Game
    from warptape.replays.library import Library

    with Library[Game](":memory:", SeededDesk(7)) as library:
        yield library


@pytest.fixture(scope="session")
def eldar(library: Any) -> Any:
    """A short game of hidden counters, over."""
    from page_files import finished

    return finished(library, "doom-of-the-eldar", "s7")


@pytest.fixture(scope="session")
def eldar_page(eldar: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The owner's page of it, with a curve."""
    from page_files import curve_of

    from warptape.projections.page import page

    file: Path = tmp_path_factory.mktemp("page") / "eldar.html"
    file.write_text(page(eldar, analysis=curve_of(eldar)), encoding="utf-8")
    return file


# The browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium, for one module: Playwright keeps a loop running meanwhile, which other tests start themselves."""
    from page_chromium import browser

    with browser() as opened:
        yield opened


@pytest.fixture
def opened(chromium: Any) -> Iterator[Open]:
    """Opens a file in a new window; afterwards nothing may have gone wrong in it, or been asked of a network."""
    contexts, troubles, asked = [], [], []

    def open_(file: Path, hash: str = "", width: int = 1280, height: int = 800, **context: Any) -> Any:
        window = chromium.new_context(viewport={"width": width, "height": height}, **context)
        contexts.append(window)
        page = window.new_page()
        page.set_default_timeout(20_000)
        page.on(
            "console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri() + hash)
        page.wait_for_selector("body:not(.waiting)")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not troubles
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]
    assert len([url for url in asked if url.startswith("file:")]) == len(contexts)
