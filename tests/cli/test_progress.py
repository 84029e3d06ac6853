"""The bar of long work: on stderr, for people, and out of the way of results."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import Any

import pytest

from warptape.cli import main, progress


class Screen(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


class AtOnce:
    """Stands for a timer whose time is up when it is started."""

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self.finished = threading.Event()
        self.start = call
        self.daemon = False

    def cancel(self) -> None:
        self.finished.set()


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A terminal on which all work counts as long."""
    monkeypatch.setattr(progress, "Timer", AtOnce)
    monkeypatch.setenv("TERM", "xterm")
    return Screen()


@pytest.fixture
def files(run: Any, data: Any, pig: Any) -> list[str]:
    """Three log files; the middle one is cut short."""
    names = ["a.tape.jsonl", "b.tape.jsonl", "c.tape.jsonl"]
    for name in names:
        run("export", "first", "-o", name)
    with open("b.tape.jsonl", "r+", encoding="utf-8") as file:
        file.truncate(1000)
    return names


def typed(*words: str, stderr: Any) -> int:
    with redirect_stderr(stderr):
        return int(main.main(list(words), standalone_mode=False) or 0)


@pytest.mark.parametrize(
    ("words", "doing"),
    [
        (["audit"], "Auditing"),
        (["import"], "Importing"),
    ],
)
def test_many_files_are_counted_on_stderr_and_results_stay_whole(
    screen: Screen, capsys: pytest.CaptureFixture[str], files: list[str], words: list[str], doing: str
) -> None:
    assert typed(*words, *files, stderr=screen) == 1
    seen, out = screen.getvalue(), capsys.readouterr().out
    assert doing in seen
    assert "3/3" in seen
    assert seen.rindex("\x1b[?25h") > seen.rindex("\x1b[?25l"), "the cursor is shown again"
    assert "\x1b" not in out
    assert doing not in out
    assert "a.tape.jsonl" in out
    assert "c.tape.jsonl" in out


def test_a_folder_a_store_and_many_games_have_a_bar(
    screen: Screen, capsys: pytest.CaptureFixture[str], files: list[str], shelf: Any
) -> None:
    assert typed("audit", "-q", ".", stderr=screen) == 1
    assert typed("simulate", "pig", "-n", "4", "--seed", "a", "--jobs", "1", "--record", stderr=screen) == 0
    assert typed("audit", "-q", str(shelf), stderr=screen) == 0
    seen = screen.getvalue()
    assert [count for count in ("3/3", "4/4", "5/5") if count not in seen] == []
    capsys.readouterr()
    assert typed("audit", "--json", "first", stderr=screen) == 0
    assert json.loads(capsys.readouterr().out)[0]["ok"]


def test_nobody_looks_at_a_pipe(screen: Screen, files: list[str]) -> None:
    pipe = io.StringIO()
    assert typed("audit", "a.tape.jsonl", "c.tape.jsonl", stderr=pipe) == 0
    assert pipe.getvalue() == ""


def test_short_work_has_no_bar() -> None:
    screen = Screen()
    with redirect_stderr(screen), progress.Progress("Working", 2) as bar:
        bar.advance(2)
    assert screen.getvalue() == ""


def test_the_bar_comes_with_time_and_goes_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()

    def work() -> None:
        with redirect_stderr(screen), progress.Progress("Working", 2) as bar:
            deadline = time.monotonic() + 20
            while "Working" not in screen.getvalue():
                assert time.monotonic() < deadline
                time.sleep(0.01)
            bar.advance()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    seen = screen.getvalue()
    assert "1/2" in seen
    assert seen.rindex("\x1b[?25h") > seen.rindex("\x1b[?25l"), "the cursor is shown again"
    time.sleep(0.3)
    assert screen.getvalue() == seen, "nothing is drawn any more"
