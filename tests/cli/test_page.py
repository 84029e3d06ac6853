"""page: the file is written whole, opens where one says, and gives no secret away by accident."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest


def held(text: str) -> dict[str, Any]:
    """The game that a page holds."""
    packed = re.search(r'octet-stream">([^<]*)<', text)
    assert packed is not None
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return data


@pytest.fixture
def played(run: Any) -> None:
    """A few actions, one of them taken back."""
    run("new", "pig", "--name", "first", "--seed", "a", "--undo", "free")
    run("act", "first", "roll", "roll", "hold", "roll")
    run("undo", "first")


def test_page_writes_one_file(run: Any, played: None, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    assert re.fullmatch(rf"Written to {file}: all of the game, \d+ kB.\n", run("page", "first", "-o", str(file)).output)
    text = file.read_text(encoding="utf-8")
    assert text == run("page", "first", "-o", "-").stdout
    assert "<title>first · Pig</title>" in text
    assert held(text)["start"] == 0
    assert len(held(text)["lines"]) == 2
    run("page", "first@3", "-o", str(file), "--title", "Friday", "--no-lines")
    data = held(file.read_text(encoding="utf-8"))
    assert (data["title"], data["start"], len(data["lines"])) == ("Friday", 3, 1)
    assert [path.name for path in tmp_path.glob("*.html")] == ["game.html"]


def test_page_says_what_is_wrong(run: Any, played: None, tmp_path: Path) -> None:
    run("page", "first", code=2)
    run("page", "first@99", "-o", "x.html", code=2)
    run("page", "first", "--as", "nobody", "-o", "x.html", code=2)
    assert "cannot be written" in run("page", "first", "-o", str(tmp_path), code=4).output
    assert "cannot be read" in run("page", "first", "-o", "x.html", "--analysis-from", "missing.json", code=1).output
    (tmp_path / "wrong.json").write_text("[")
    assert "no JSON" in run("page", "first", "-o", "x.html", "--analysis-from", "wrong.json", code=1).output
    (tmp_path / "other.json").write_text("[1]")
    assert "no analysis" in run("page", "first", "-o", "x.html", "--analysis-from", "other.json", code=1).output
    run("page", "first", "-o", "x.html", "--analysis", "--analysis-from", "wrong.json", code=2)
    assert not (tmp_path / "x.html").exists()


def test_page_against_bots_holds_what_the_person_may_know(run: Any) -> None:
    run("new", "doom-of-the-eldar", "--name", "duel", "--seed", "beta", "--option", "setup=quickstart",
        "--seat", "tyranid=bot:sensible")  # fmt: skip
    run("act", "duel", "use spear")
    usual = run("page", "duel", "-o", "-").stdout
    assert usual == run("page", "duel", "-o", "-", "--as", "eldar").stdout
    assert [view["seat"] for view in held(usual)["views"]] == ["eldar"]
    assert held(usual)["log"] is None
    whole = held(run("page", "duel", "-o", "-", "--as", "all").stdout)
    assert [view["seat"] for view in whole["views"]] == ["", "eldar", "tyranid"]
    assert "not over" in run("page", "duel", "-o", "x.html", "--analysis", code=3).output
    assert "not over" in run("page", "duel", "-o", "x.html", "--hindsight", code=3).output
    run("page", "duel", "-o", "duel.html")
    assert "what eldar knew" in run("page", "duel", "-o", "duel.html").output


def test_page_with_the_chances(run: Any, pig: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WARPTAPE_CACHE", str(tmp_path / "cache"))
    for _ in range(3):
        run("act", "first", "roll")
    printed = run("analyse", "first", "-n", "4", "--close", "0", "--jobs", "1", "--json").stdout
    (tmp_path / "curve.json").write_text(printed)
    curve = held(run("page", "first", "-o", "-", "--analysis-from", "curve.json").stdout)["curve"]
    assert [at for at, _ in curve["points"]] == [point["position"] for point in json.loads(printed)["points"]]
    assert curve["playouts"] == 4
    assert held(run("page", "first", "-o", "-", "--analysis").stdout)["curve"]["playouts"] == 40
    assert held(run("page", "first", "-o", "-").stdout)["curve"] is None
