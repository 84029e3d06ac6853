"""The page of a game on squares that begins without a board: its start, its signs and its panels in wide and narrow windows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page_files import finished

from warptape.projections.page import page

Open = Callable[..., Any]
WINDOWS = [(1280, 900, "light"), (1280, 900, "dark"), (390, 844, "light")]


@pytest.fixture(scope="module")
def hulk_page(library: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The owner's page of a game of the last level."""
    game = finished(library, "space-marine-adventures", "hulk", options={"level": 3})
    file: Path = tmp_path_factory.mktemp("page") / "hulk.html"
    file.write_text(page(game), encoding="utf-8")
    return file


@pytest.mark.parametrize(("width", "height", "scheme"), WINDOWS)
def test_before_the_board_is_laid_the_page_says_so(
    opened: Open, hulk_page: Path, width: int, height: int, scheme: str
) -> None:
    window = opened(hulk_page, width=width, height=height, color_scheme=scheme)
    assert window.locator("#where").inner_text() == "Nothing lies on the table yet"
    assert not window.locator("#board-box").is_visible()
    window.keyboard.press("r")
    assert window.locator("#board-box").is_visible()
    assert "Nothing lies" not in window.locator("#where").inner_text()


@pytest.mark.parametrize(("width", "height", "scheme"), WINDOWS)
def test_the_signs_are_legible_and_nothing_is_wider_than_the_window(
    opened: Open, hulk_page: Path, width: int, height: int, scheme: str
) -> None:
    window = opened(hulk_page, width=width, height=height, color_scheme=scheme)
    for key in ("r", "r", "End"):
        window.keyboard.press(key)
        window.evaluate("document.getElementById('legend-box').open = true")
        tall, right, names = window.evaluate(
            """() => {
              const legend = document.getElementById("legend"), texts = [...legend.querySelectorAll("text")];
              const scale = legend.getBoundingClientRect().width / legend.viewBox.baseVal.width;
              const words = texts.filter((text) => text.textContent.length > 3);
              return [Math.min(...words.map((text) => scale * parseFloat(getComputedStyle(text).fontSize))),
                Math.max(...words.map((text) => text.getBoundingClientRect().right)),
                words.map((text) => text.textContent)];
            }"""
        )
        assert tall >= 10
        assert right <= width
        assert {"xenos entry", "vessel"} <= {*names}
        assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert "Prime" in window.locator("#panels").inner_text()
