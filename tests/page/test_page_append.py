"""The page takes in what happened since, in a browser: the reader keeps their place, or goes along at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from warptape.projections.page import page
from warptape.projections.page.news import news
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.viewer import Viewer

Open = Callable[..., Any]

PLACE = """() => ({ moment: Number(document.getElementById("slider").value), max: Number(document.getElementById("slider").max),
  top: document.querySelector('#story li.now').getBoundingClientRect().top,
  scroll: document.getElementById("story").scrollTop, rows: document.querySelectorAll("#story li").length,
  now: document.querySelector("#story li.now a span:last-child").textContent, board: document.getElementById("board").innerHTML,
  past: document.querySelectorAll("#story li.past").length, aside: document.getElementById("aside").hidden ? "" :
  document.getElementById("aside").textContent, unread: document.getElementById("unread").hidden ? "" :
  document.getElementById("unread").textContent, said: document.getElementById("now").textContent,
  focus: document.activeElement.textContent })"""


@pytest.fixture
def game(library: Library[Game]) -> Game:
    """A game that has begun."""
    game = library.new("doom-of-the-eldar", undo="free", options={"setup": "quickstart"})
    game.run(dict.fromkeys(game.seats, "sensible"), limit=6)
    return game


@pytest.fixture
def window(opened: Open, game: Game, tmp_path: Path) -> Any:
    """Its page."""
    file = tmp_path / "growing.html"
    file.write_text(page(game), encoding="utf-8")
    return opened(file, reduced_motion="reduce")


def add(window: Any, game: Game, since: int) -> bool:
    """Let the page take in what is new; says whether it did."""
    data = msgspec.to_builtins(news(game, since))
    taken: bool = window.evaluate("async (data) => (await opened).append(data)", data)
    return taken


def told(game: Game) -> list[Any]:
    """The moments of the game's own line."""
    return list(Viewer(game).beats.after(-1))


def test_a_reader_in_the_middle_stays_there_whatever_comes(game: Game, window: Any) -> None:
    beats = told(game)
    window.evaluate(f"location.hash = '#@{beats[9].position}'")
    window.wait_for_timeout(200)
    window.locator("#story li.now a").focus()
    window.evaluate("() => { document.getElementById('story').scrollTop += 37; }")
    before = window.evaluate(PLACE)
    assert (before["moment"], before["unread"]) == (9, "")
    since = game.length - 1
    game.run(dict.fromkeys(game.seats, "sensible"), limit=2)
    assert add(window, game, since)
    since = game.length - 1
    game.run(dict.fromkeys(game.seats, "sensible"), limit=3)
    game.note("Before all that", beats[4].position)  # a moment above the reader gets longer
    assert add(window, game, since)
    after = window.evaluate(PLACE)
    came = len(told(game)) - len(beats)
    assert (after["max"], after["rows"]) == (before["max"] + came, before["rows"] + came)
    for same in ("moment", "now", "board", "past", "aside", "focus"):
        assert after[same] == before[same], same
    assert window.locator("#story .note").count() == 1
    assert abs(after["top"] - before["top"]) < 2
    assert after["scroll"] > before["scroll"]
    assert after["unread"] == f"{came} new moments: go there"
    window.locator("#unread").click()
    at_end = window.evaluate(PLACE)
    assert (at_end["moment"], at_end["unread"]) == (len(told(game)) - 1, "")
    assert at_end["now"] == told(game)[-1].text


def test_a_reader_at_the_end_goes_along_and_hears_what_came(
    game: Game, window: Any, opened: Open, tmp_path: Path
) -> None:
    window.keyboard.press("End")
    for limit in (1, 4):
        since, before = game.length - 1, len(told(game))
        game.run(dict.fromkeys(game.seats, "sensible"), limit=limit)
        assert add(window, game, since)
        here = window.evaluate(PLACE)
        fresh = [" ".join(beat.lines()) for beat in told(game)[before:]]
        assert (here["moment"], here["said"]) == (len(told(game)) - 1, " ".join(fresh))
        assert here["past"] == here["moment"]
    file = tmp_path / "whole.html"
    file.write_text(page(game), encoding="utf-8")
    whole = opened(file, reduced_motion="reduce")
    whole.keyboard.press("End")
    assert whole.evaluate(PLACE)["board"] == here["board"]


def test_a_reader_of_what_is_taken_back_is_told_so(game: Game, window: Any) -> None:
    window.keyboard.press("End")
    for _ in range(5):
        window.keyboard.press("ArrowLeft")
    before = window.evaluate(PLACE)
    since = game.length - 1
    for _ in range(4):
        game.undo(reason="all wrong")
    assert add(window, game, since)
    here = window.evaluate(PLACE)
    assert (here["now"], here["board"]) == (before["now"], before["board"])
    assert "This line was left: taken back" in here["aside"]
    assert window.locator("#lines-count").inner_text() == "2"
    window.locator("#back-to-game").click()
    window.keyboard.press("End")
    since = game.length - 1
    game.redo()
    assert add(window, game, since)
    here = window.evaluate(PLACE)
    assert (here["aside"], here["moment"], here["rows"]) == ("", len(told(game)) - 1, len(told(game)))
    window.keyboard.press("Home")
    window.keyboard.press("k")
    assert "all wrong" in window.locator("#story li.now .return").last.inner_text()


def test_what_is_known_changes_nothing_and_a_gap_is_refused(game: Game, window: Any) -> None:
    first = game.length - 1
    game.run(dict.fromkeys(game.seats, "sensible"), limit=1)
    second = game.length - 1
    game.run(dict.fromkeys(game.seats, "sensible"), limit=1)
    before = window.evaluate(PLACE)
    assert not add(window, game, second)
    assert window.evaluate(PLACE) == before
    assert window.evaluate("async () => (await opened).tape.upto") == first
    assert add(window, game, first)
    here = window.evaluate(PLACE)
    assert add(window, game, first)
    assert window.evaluate(PLACE) == here
