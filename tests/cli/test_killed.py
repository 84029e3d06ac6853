"""A recorder that is killed: in other programs nothing was left of the evening, or half a file that nothing could read.

Here a file is there whole or not at all, and a store holds whole batches, wherever the kill comes. The commands run in
processes of their own, which kill themselves at the nth call of a function that does a part of the work.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in another way")

DYING = """
import importlib, os, signal, sys
place, calls, after = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "after"
module, _, path = place.partition(":")
holder = importlib.import_module(module)
*outer, name = path.split(".")
for part in outer:
    holder = getattr(holder, part)
real = getattr(holder, name)

def dying(*given, **named):
    global calls
    calls -= 1
    if calls == 0 and not after:
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(*given, **named)
    if calls == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

setattr(holder, name, dying)
sys.argv[1:] = sys.argv[4:]
from warptape.cli import main
main()
"""

Die = Callable[..., bool]

LINE, FILE = "warptape.replays.logfile:write", "pathlib:Path.replace"
ROWS, APPEND, CREATE = (f"warptape.replays.sqlite:SQLiteStore.{name}" for name in ("_insert", "append", "create"))


@pytest.fixture
def die() -> Die:
    """Runs a command that is killed at a call of a function, before or after it; says whether it was."""

    def call(place: str, calls: int, when: str, *words: str) -> bool:
        done = subprocess.run(
            [sys.executable, "-c", DYING, place, str(calls), when, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        return done.returncode != 0

    return call


@pytest.fixture
def played(run: Any) -> str:
    """A game of Pig to its end, by bots."""
    run(
        "new",
        "pig",
        "--name",
        "whole",
        "--seed",
        "w",
        "--option",
        "goal=30",
        "--seat",
        "p1=bot:sensible",
        "--seat",
        "p2=bot:random",
    )
    return "whole"


def sound(run: Any, shelf: Path) -> int:
    """Check a store as a whole and return how many games it holds."""
    with sqlite3.connect(shelf) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    games: list[Any] = json.loads(run("games", "--json").stdout)
    for game in games:
        assert "Nothing wrong was found." in run("audit", game["id"]).output
    return len(games)


@pytest.mark.parametrize(
    ("place", "calls", "when"), [(LINE, 1, "before"), (LINE, 3, "after"), (LINE, 25, "before"), (FILE, 1, "before")]
)
def test_of_an_export_there_is_no_half(
    die: Die, run: Any, played: str, tmp_path: Path, place: str, calls: int, when: str
) -> None:
    target = tmp_path / "friday.tape.jsonl"
    assert die(place, calls, when, "export", played, "-o", target.name)
    assert not target.exists()
    run("export", played, "-o", target.name)
    before = target.read_bytes()
    run("note", played, "one more line")
    assert die(place, calls, when, "export", played, "-o", target.name)
    assert target.read_bytes() == before  # what was there is there still
    assert "Nothing wrong was found." in run("audit", target.name).output
    assert die(FILE, 1, "after", "export", played, "-o", target.name)  # killed when all was done
    assert target.read_bytes() != before
    assert "Nothing wrong was found." in run("audit", target.name).output


@pytest.mark.parametrize(
    "words", [("transcript", "--format", "md"), ("show", "--format", "svg"), ("report", "-m", "why?")]
)
def test_of_other_files_there_is_no_half_either(
    die: Die, run: Any, played: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    target = tmp_path / "out.report.tape.jsonl"
    assert die(FILE, 1, "before", words[0], played, *words[1:], "-o", target.name)
    assert not target.exists()
    run(words[0], played, *words[1:], "-o", target.name)
    assert target.stat().st_size > 200


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("place", [ROWS, APPEND])
def test_an_action_is_recorded_whole_or_not_at_all(
    die: Die, run: Any, data: Any, pig: Any, shelf: Path, place: str, when: str
) -> None:
    kept = (place, when) == (APPEND, "after")
    before = data("legal", "first")["length"]
    for number in range(3):
        assert die(place, 1, when, "act", "first", "roll", "--key", f"k{number}")
    found = [row for row in data("log", "first", "--line") if row["kind"] == "ActionTaken"]
    assert len(found) == (3 if kept else 0)
    assert (data("legal", "first")["length"] > before) is kept
    sound(run, shelf)
    for number in range(3):  # sent again, each is there once
        run("act", "first", "roll", "--key", f"k{number}")
    assert len([row for row in data("log", "first", "--line") if row["kind"] == "ActionTaken"]) == 3
    sound(run, shelf)


def test_a_file_of_moves_is_taken_up_where_the_kill_came(
    die: Die, run: Any, data: Any, tmp_path: Path, shelf: Path
) -> None:
    run("new", "pig", "--chance", "table", "--name", "typed", "--option", "goal=1000")
    actions = [f"roll = {2 + number % 5}" for number in range(12)]
    (tmp_path / "moves.txt").write_text("\n".join(actions))
    code = DYING.replace(
        "from warptape.cli import main", "sys.stdin = open('moves.txt')\nfrom warptape.cli import main"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, APPEND, "7", "after", "act", "typed", "-", "--key", "k"], check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert len(run("log", "typed", "--moves").stdout.splitlines()) == 2 + 7
    run("act", "typed", "-", "--key", "k", stdin="\n".join(actions))
    assert [line.removeprefix("p1: ") for line in run("log", "typed", "--moves").stdout.splitlines()[2:]] == actions
    sound(run, shelf)


@pytest.mark.parametrize(("place", "calls", "when"), [(ROWS, 1, "before"), (ROWS, 1, "after"), (CREATE, 1, "after")])
def test_an_import_puts_a_game_on_the_shelf_whole_or_not_at_all(
    die: Die, run: Any, played: str, shelf: Path, place: str, calls: int, when: str
) -> None:
    run("export", played, "-o", "g.tape.jsonl")
    assert die(place, calls, when, "import", "g.tape.jsonl")
    assert sound(run, shelf) == (2 if place == CREATE else 1)
    run("import", "g.tape.jsonl")
    assert sound(run, shelf) == (3 if place == CREATE else 2)


@pytest.mark.parametrize(
    ("place", "calls", "when"), [(ROWS, 5, "before"), (ROWS, 6, "after"), (APPEND, 3, "after"), (CREATE, 3, "before")]
)
def test_a_simulation_leaves_whole_games(
    die: Die, run: Any, data: Any, shelf: Path, place: str, calls: int, when: str
) -> None:
    words = ("simulate", "pig", "-n", "6", "--jobs", "1", "--record", "--option", "goal=20", "--seat", "p1=random")
    assert die(place, calls, when, *words, "--seed", "s")
    count = sound(run, shelf)
    assert 1 <= count <= 5
    over = [bool(game["outcome"]) for game in data("games")]
    assert over.count(False) <= 1  # only the one that was being played
    run(*words, "--seed", "t")
    assert sound(run, shelf) == count + 6


def test_a_simulation_on_all_cores_ends_with_its_parent_and_leaves_a_sound_store(
    run: Any, data: Any, shelf: Path
) -> None:
    words = ("simulate", "pig", "-n", "4000", "--jobs", "2", "--record", "--seed", "many")
    parent = subprocess.Popen(
        [sys.executable, "-m", "warptape", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            time.sleep(0.05)
            if shelf.exists() and len(data("games")) > 4:
                break
            if parent.poll() is not None:
                pytest.fail("the simulation ended by itself")
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    first = len(data("games"))
    assert sound(run, shelf) >= first > 4
