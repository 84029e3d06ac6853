"""analyse: the curve, luck and choice at the command line; what it may not tell; Ctrl-C; what is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FEW = ("--playouts", "6", "--jobs", "1")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what was played out."""
    monkeypatch.setenv("WARPTAPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def played(run: Any) -> None:
    """A game of Pig to its end, by bots that play at random."""
    run(
        "new", "pig", "--name", "done", "--seed", "random", "--option", "goal=20",
        "--seat", "p1=bot:random", "--seat", "p2=bot:random",
    )  # fmt: skip


def kept(cache: Path) -> int:
    with sqlite3.connect(cache / "playouts.db") as connection:
        return int(connection.execute("SELECT count(*) FROM playouts").fetchone()[0])


@pytest.mark.usefixtures("played")
def test_the_curve_luck_and_choice_are_printed(run: Any) -> None:
    out = run("analyse", "done", "--all", "--playouts", "80", "--jobs", "1").stdout
    lines = out.splitlines()
    assert lines[0].startswith("done: ")
    assert lines[0].endswith("decisions; 80 playouts a position by p1 sensible, p2 sensible")
    assert lines[1].startswith("  Player 1  ")
    assert set(lines[1]) & set("▁▂▃▄▅▆▇█")
    assert lines[4].split("  ")[0] == "Chances of"
    assert "Luck: the rolls and draws that changed most" in lines
    assert "(give or take " in out
    assert run("analyse", "done", "--all", "--playouts", "80", "--jobs", "1").stdout == out


@pytest.mark.usefixtures("played")
def test_without_a_number_of_playouts_each_point_says_what_is_known(run: Any, data: Any) -> None:
    assert "; 12 to 40 playouts a position by " in run("analyse", "done", "--close", "0", "--jobs", "1").stdout
    found = data("analyse", "done", "--close", "0", "--jobs", "1")
    assert (found["few"], found["playouts"]) == (12, 40)
    start = found["points"][0]["shares"]["p1"]
    assert 0 < start["low"] < start["share"] < start["high"] < 1


@pytest.mark.usefixtures("played")
def test_figures_add_up_and_name_their_positions(data: Any) -> None:
    found = data("analyse", "done", "--all", *FEW)
    log = {event["position"]: event for event in data("log", "done")}
    assert [point["decision"] for point in found["points"]] == list(range(found["decisions"] + 1))
    assert found["points"][-1]["over"] is True
    for seat, sums in found["totals"].items():
        assert sum(sums[part] for part in ("start", "luck", "own", "others", "rest")) == pytest.approx(sums["end"])
        assert found["points"][-1]["shares"][seat]["share"] == sums["end"]
    for swing in found["swings"]:
        event = log[swing["position"]]
        assert event["kind"] == "ActionTaken"
        assert event["event"]["seat"] == swing["seat"]
        assert event["text"] == f"{swing['seat']}: {swing['action']}"


@pytest.mark.usefixtures("pig")
def test_a_curve_alone_says_so(run: Any) -> None:
    lines = run("analyse", "first", *FEW, "--close", "0").stdout.splitlines()
    assert lines[-1] == "No decision was looked at closely."


@pytest.mark.usefixtures("played")
def test_a_curve_too_rough_for_a_closer_look_says_what_would_help(run: Any) -> None:
    lines = run("analyse", "done", *FEW, "--points", "2").stdout
    assert "Ask for more --points" in lines
    assert "Ask for more" not in run("analyse", "done", *FEW, "--close", "0").stdout


@pytest.mark.usefixtures("pig")
def test_a_part_of_a_game_is_analysed_by_its_address(run: Any, data: Any) -> None:
    for _ in range(3):
        run("act", "first", "roll")
    found = data("analyse", "first@d3", *FEW, "--from", "2")
    assert [point["decision"] for point in found["points"]] == [1, 2]
    assert "no decision 9" in run("analyse", "first", "--from", "9", code=None).stderr


@pytest.mark.usefixtures("played")
def test_bots_and_processes(run: Any, data: Any) -> None:
    one = data("analyse", "done", *FEW, "--close", "2", "--seat", "p1=bot:random")
    assert one["bots"] == {"p1": "random", "p2": "sensible"}
    two = data("analyse", "done", "--playouts", "6", "--jobs", "2", "--close", "2", "--seat", "p1=random")
    assert one == two
    assert "no bot 'clever'" in run("analyse", "done", "--seat", "p1=clever", code=2).stderr


@pytest.mark.usefixtures("played")
def test_playouts_are_kept_and_switched_off(run: Any, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("analyse", "done", *FEW).stdout
    count = kept(cache)
    assert count > 50
    assert run("analyse", "done", *FEW).stdout == first
    assert kept(cache) == count
    monkeypatch.setenv("WARPTAPE_CACHE", "off")
    assert run("analyse", "done", *FEW).stdout == first
    assert kept(cache) == count


@pytest.mark.usefixtures("played")
def test_a_damaged_file_of_playouts_is_told_and_done_without(run: Any, cache: Path) -> None:
    cache.mkdir()
    (cache / "playouts.db").write_bytes(b"no database" * 500)
    result = run("analyse", "done", *FEW)
    assert "It may be deleted: that costs time only. Nothing is kept meanwhile." in result.stderr
    assert result.stdout.startswith("done: ")


@pytest.mark.usefixtures("played")
def test_a_limit_of_time_prints_what_there_is(run: Any) -> None:
    result = run("analyse", "done", *FEW, "--minutes", "0.000001")
    assert "Stopped early" in result.stderr
    assert result.stdout.startswith("done: ")


@pytest.mark.usefixtures("played")
def test_ctrl_c_prints_what_there_is_and_keeps_it(terminals: Callable[..., Any], data: Any, cache: Path) -> None:
    screen = terminals("analyse", "done", "--playouts", "20000", "--jobs", "1")
    screen.until("Playing out")
    screen.until("/")
    screen.type("\x03")
    screen.until("done: ")
    screen.until("Stopped early")
    assert screen.ended() == 130
    assert "Traceback" not in screen.seen
    assert kept(cache) > 0


def test_an_open_game_with_secrets_is_not_told(run: Any, data: Any) -> None:
    run("new", "doom-of-the-eldar", "--name", "secret", "--seed", "x", "--seat", "tyranid=bot:sensible")
    for words in ((), ("--as", "eldar")):
        refused = run("analyse", "secret", *FEW, *words, code=None)
        assert refused.exit_code != 0
        assert "would tell what is still secret" in refused.stderr
    assert "would tell" in run("transcript", "secret", "--analysis", code=None).stderr
    assert "no seat 'nobody'" in run("analyse", "secret", "--as", "nobody", code=2).stderr
    found = data("analyse", "secret", "--as", "all", "--playouts", "2", "--points", "2", "--close", "0", "--jobs", "1")
    assert found["points"]


@pytest.mark.usefixtures("played")
def test_the_story_has_the_curve_at_its_head(run: Any, tmp_path: Path) -> None:
    told = run("transcript", "done", "--analysis").stdout
    assert "Chances of Player 1: " in told
    assert "Chances of" not in run("transcript", "done").stdout
    run("transcript", "done", "--analysis", "-o", "story.html")
    assert "<polyline" in (tmp_path / "story.html").read_text()
