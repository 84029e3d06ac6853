"""Pig, installed from outside, with every command in fresh processes; two at a time; killed at any moment."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warptape.cli.group import COMMANDS

EVERY = [
    ["rulesets"], ["new", "pig", "--name", "g", "--seed", "lucky", "--undo", "free", "--option", "goal=20"],
    ["games"], ["rename", "g", "game"], ["legal", "game"], ["act", "game", "roll", "roll", "hold"],
    ["show", "game"], ["log", "game"], ["undo", "game"], ["redo", "game"], ["rewind", "game@6"], ["lines", "game"],
    ["fork", "game@3", "--name", "branch"], ["diff", "game", "branch"], ["note", "game", "well"], ["notes", "game"],
    ["play", "game"], ["replay", "game"], ["transcript", "game"], ["audit", "game"],
    ["export", "game", "-o", "g.tape.jsonl"],
    ["import", "g.tape.jsonl"], ["audit", "g.tape.jsonl"], ["simulate", "pig", "-n", "5", "--record"],
    ["demo", "pig"], ["report", "game", "-o", "g.report.tape.jsonl"], ["shrink", "g.report.tape.jsonl"],
    ["delete", "game", "--with-forks", "--yes"],
    ["content", "new", "own", "--ruleset", "space-marine-adventures"], ["content", "check", "own"],
    ["new", "pig", "--name", "h", "--seed", "lucky", "--option", "goal=8"], ["act", "h", "roll"],
    ["archive", "build", "a.db"], ["stats", "a.db", "--only", "length"], ["page", "h", "-o", "h.html"],
    ["analyse", "h", "--playouts", "10", "--points", "2", "--close", "0"],
    ["invite", "h", "--spectator"], ["tokens", "h"], ["profiles"],
    ["doctor", "--archive", "a.db"], ["backup", "copy.db"], ["restore", "copy.db", "--store", "again.db"],
]  # fmt: skip


def every_command(fresh: Callable[[list[str]], bool], process: Any, run: Any) -> None:
    """Runs every command in its turn, in a process of its own where `fresh` says so, else in this one."""

    def call(*words: str, code: int = 0) -> None:
        done = process(*words, stdin="roll\nq\n") if fresh([*words]) else run(*words, stdin="roll\nq\n", code=None)
        assert (done.returncode if hasattr(done, "returncode") else done.exit_code) == code, (words, done)
        assert code or done.stderr == "", (words, done.stderr)

    for words in EVERY:
        call(*words)
    call("why", "last", "hodl", code=2)
    call("new", "pig", "--undo", "consent", "--name", "fair")
    call("act", "fair", "roll")
    call("undo", "fair")
    call("consent", "fair", "yes")
    call("why", "fair", "hold", code=3)
    call("reproduce", "g.report.tape.jsonl", code=1)
    # tests/service and tests/remote use `serve` and `join`.
    assert {words[0] for words in EVERY} | {"why", "consent", "reproduce", "serve", "join"} == set(COMMANDS)


def test_pig_is_played_recorded_replayed_and_audited_with_every_command(process: Any, run: Any) -> None:
    """A process of its own for each module of commands: nothing leans on what another has imported."""
    met = set()

    def first(words: list[str]) -> bool:
        before = len(met)
        met.add(COMMANDS[words[0]][0])
        return len(met) > before

    every_command(first, process, run)
    assert len(met) > 20


@pytest.mark.slow
def test_every_command_in_a_process_of_its_own(process: Any, run: Any) -> None:
    every_command(lambda words: True, process, run)


def payloads(process: Any, data: Any, name: str, **environment: str) -> list[dict[str, Any]]:
    assert process("new", "pig", "--name", name, "--seed", "bytes", **environment).returncode == 0
    assert process("act", name, *["roll"] * 5, "hold", **environment).returncode in (0, 3)
    events = data("log", name)
    return [{k: v for k, v in event["event"].items() if k not in ("time", "prev")} for event in events]


def test_the_same_events_with_any_hash_seed(process: Any, data: Any) -> None:
    one = payloads(process, data, "one", PYTHONHASHSEED="1")
    assert len(one) > 15
    assert payloads(process, data, "two", PYTHONHASHSEED="2") == one
    assert payloads(process, data, "three", PYTHONHASHSEED="random") == one


def test_of_two_processes_that_act_one_wins_each_time(data: Any, pig: Any) -> None:
    for _ in range(3):
        at = data("legal", "first")["position"]
        both = [
            subprocess.Popen(
                [sys.executable, "-m", "warptape", "act", "first", "roll", "--expect", str(at)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for _ in range(2)
        ]  # fmt: skip
        results = [(*process.communicate(timeout=60), process.returncode) for process in both]
        assert sorted(code for _, _, code in results) == [0, 4], results
        (loser,) = [error for _, error, code in results if code == 4]
        assert "Meanwhile: @" in loser
    assert data("audit", "first")[0]["ok"]


def test_killed_at_any_moment_nothing_acknowledged_is_lost(data: Any, pig: Any) -> None:
    luck = random.Random(5)
    for _ in range(3):
        before = actions(data)
        player = subprocess.Popen(
            [sys.executable, "-m", "warptape", "play", "first"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert player.stdin is not None
        assert player.stdout is not None
        player.stdin.write("roll\n" * 500)
        player.stdin.flush()
        acknowledged, enough = 0, luck.randint(1, 12)
        for line in player.stdout:
            acknowledged += ": roll" in line and ">" not in line
            if acknowledged >= enough:
                break
        player.send_signal(signal.SIGKILL)
        player.communicate(timeout=60)
        assert actions(data) - before >= acknowledged
        assert data("audit", "first")[0]["ok"]


def actions(data: Any) -> int:
    events = data("log", "first")
    return sum(event["kind"] == "ActionTaken" for event in events)


def test_a_retry_after_a_kill_acts_once(data: Any, pig: Any) -> None:
    """Killed somewhere between start and end, then sent again with the same key: recorded exactly once."""
    luck = random.Random(7)
    for number in range(5):
        words = [sys.executable, "-m", "warptape", "act", "first", "roll", "--key", f"k{number}"]
        killed = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            killed.wait(timeout=luck.uniform(0.05, 0.6))
        except subprocess.TimeoutExpired:
            killed.kill()
            killed.wait()
        assert subprocess.run(words, capture_output=True, check=False).returncode == 0
        assert actions(data) == number + 1


def test_the_package_is_found_by_its_entry_point(outside: Path) -> None:
    assert (outside / "pig.py").is_file()
    assert list(outside.glob("*.dist-info/entry_points.txt"))
