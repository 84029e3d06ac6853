"""What all tests share: the long ones run only when asked for."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips the tests marked slow, with a word, unless WARPTAPE_SLOW=1."""
    if os.environ.get("WARPTAPE_SLOW") == "1":
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="a long run: set WARPTAPE_SLOW=1"))
