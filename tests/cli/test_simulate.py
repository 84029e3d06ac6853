"""simulate, demo."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from warptape.projections.statistics import mean, shares, wilson
from warptape.replays import simulate as work


def without_speed(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in ("seconds", "decisions_per_second", "jobs")}


def test_the_same_seed_gives_the_same_games_whatever_the_jobs(data: Any) -> None:
    words = ("simulate", "pig", "-n", "60", "--seed", "a", "--seat", "p2=random", "--option", "goal=40")
    one = data(*words, "--jobs", "1")
    assert without_speed(one) == without_speed(data(*words, "--jobs", "3"))
    assert one["games"] == 60
    assert one["seats"] == {"p1": "sensible", "p2": "random"}
    assert without_speed(one) != without_speed(data(*words[:5], "b", *words[6:]))


def test_recorded_games_are_the_same_games(data: Any, run: Any) -> None:
    words = ("simulate", "pig", "-n", "6", "--seed", "a", "--seat", "p2=random", "--option", "goal=20")
    played, recorded = data(*words), data(*words, "--record")
    assert {**without_speed(played), "recorded": True} == without_speed(recorded)
    games = data("games")
    assert len(games) == 6
    assert all(game["outcome"] == "won" for game in games)
    assert all(report["ok"] for report in data("audit", *[game["id"] for game in games]))
    assert "choose another --seed" in run(*words, "--record", code=2).stderr


def test_it_is_told_with_intervals(run: Any) -> None:
    out = run("simulate", "pig", "-n", "20", "--seed", "a", "--seat", "p1=bot:random").output
    assert "pig: 20 games, p1 random, p2 sensible, seed 'a'" in out
    assert "won by p2" in out
    assert "decisions/s" in out
    assert "% (" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "Installed:"),
        (["pig", "-n", "0"], "0"),
        (["pig", "--seat", "p1=genius"], "Its bots: random, sensible"),
        (["pig", "--seat", "p9=random"], "Its seats: p1, p2"),
        (["pig", "--jobs", "0"], "0"),
        (["pig", "--option", "goal=0"], "from 1 to 1000"),
        (["pig", "--record", "--store", ":memory:"], "memory"),
    ],
)
def test_what_cannot_be_simulated(run: Any, words: list[str], sentence: str) -> None:
    assert sentence in run("simulate", *words, code=2).stderr


def test_a_game_that_fails_is_named_with_its_seed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from warptape.domain.rules import ruleset

    rules = ruleset("pig")
    resolve = type(rules).resolve

    def sometimes(self: Any, state: Any, step: Any, action: Any) -> Any:
        if state.scores[0] > 60:
            raise ValueError("sixty is too much")
        return resolve(self, state, step, action)

    monkeypatch.setattr(type(rules), "resolve", sometimes)
    result = run("simulate", "pig", "-n", "8", "--seed", "a", "--jobs", "1", code=1)
    assert "Game " in result.stderr
    assert "(seed 'a/" in result.stderr
    assert "sixty is too much" in result.stderr


def test_a_game_without_an_end_fails() -> None:
    totals = work.play(work.Plan("pig", "a", {"p1": "random", "p2": "random"}, longest=3), 1, 2)
    assert totals.games == 0
    assert [failure.seed for failure in totals.failures] == ["a/1", "a/2"]
    assert "no end after 3 decisions" in totals.failures[0].reason


@pytest.mark.skipif(os.name == "nt", reason="signals as on Unix")
def test_ctrl_c_prints_what_is_done() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "warptape", "simulate", "pig", "-n", "1000000", "--seed", "a", "--jobs", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    time.sleep(3)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of it
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "won by p1" in out
    assert "Interrupted after " in error
    assert "Traceback" not in error


def test_wilson_intervals_are_those_of_the_textbook() -> None:
    """Figures of Brown, Cai and DasGupta (2001), and the closed form at the ends."""
    found = wilson(5, 50)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0435, 0.2136)
    assert wilson(0, 10).low == 0.0
    assert round(wilson(0, 10).high, 4) == 0.2775
    assert wilson(10, 10).high == 1.0
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)
    assert list(shares({"b": 1, "a": 3})) == ["a", "b"]
    assert mean(3, 0) == 0.0


def test_the_demo_shows_all_it_promises(process: Any) -> None:
    began = time.monotonic()
    done = process("demo")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for shown in (
        "refused ",
        "Taken back to",
        "Event for event the same.",
        "other luck: ",
        "Nothing wrong was found.",
        "Now you:",
    ):
        assert shown in done.stdout, shown
    assert "They differ" not in done.stdout
    assert time.monotonic() - began < 30  # five seconds on a machine with nothing else to do

    def lasting(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith("Audit of ")]

    assert lasting(process("demo", PYTHONHASHSEED="7").stdout) == lasting(done.stdout)


def test_the_demo_of_another_ruleset_and_without_the_users_store(run: Any, data: Any) -> None:
    out = run("demo", "pig").output
    assert "Event for event the same." in out
    assert "warptape play pig" in out
    assert data("games") == []
    assert "Installed:" in run("demo", "chess", code=2).stderr
