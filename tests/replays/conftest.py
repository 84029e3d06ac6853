"""What the tests of recorded games share: the test rulesets, installed as a package of their own would be."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from warptape.projections.archive.sources import stamp

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "replays"))  # the model and the programs that these tests share


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots every few events, so that short games have many."""
    for module in ("tape", "recording"):
        monkeypatch.setattr(f"warptape.replays.{module}.EVERY", 7)
    monkeypatch.setattr("warptape.replays.rows.GAP", 5)


@pytest.fixture(scope="session", autouse=True)
def rulesets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Makes the entry points of tests/rulesets known here, and in processes started with this environment."""
    project = tomllib.loads((TESTS / "rulesets" / "pyproject.toml").read_text())["project"]
    folder = tmp_path_factory.mktemp("site")
    info = folder / "warptape_test_rulesets-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in names.items())
        for group, names in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))
    added = [str(folder), str(TESTS / "rulesets")]
    sys.path[:0] = added
    stamp.cache_clear()  # an archive asked before knows other packages of rulesets
    path = os.pathsep.join([*added, str(TESTS / "replays"), *filter(None, [os.environ.get("PYTHONPATH")])])
    yield {**os.environ, "PYTHONPATH": path}
    for one in added:
        sys.path.remove(one)
    stamp.cache_clear()
