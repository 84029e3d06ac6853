"""show, log, replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest


@pytest.fixture
def played(run: Any, pig: Any) -> None:
    """A few actions, one of them taken back."""
    run("act", "first", "roll", "roll", "hold", "roll")


def test_show_draws_any_moment(run: Any, played: None) -> None:
    assert "turn total" in run("show", "first").output
    assert "to decide" in run("show", "first").output
    assert run("show", "first@3").output != run("show", "first@d3").output
    assert "first @3" in run("show", "@start").output


def test_show_says_who_decides_in_the_same_words_at_any_moment(run: Any, played: None) -> None:
    last = run("show", "first").stdout.splitlines()[-1]
    place, words = last.split("  ", 1)
    assert words == "Player 2 (p2) to decide: Roll or hold?"
    assert run("show", f"first{place}").stdout.splitlines()[-1] == last
    assert run("show", "first@3").stdout.splitlines()[-1] == "@3  Player 1 (p1) to decide: Roll or hold?"
    assert run("show", "first@4").stdout.splitlines()[-1] == "@4  An action is being carried out: nothing is asked."


def test_against_bots_a_look_gives_no_secret_away(run: Any, data: Any) -> None:
    """While the game is on, and unless all is asked for; the Swarm that the bot has drawn is known to it alone."""
    run("new", "doom-of-the-eldar", "--name", "duel", "--seed", "beta", "--option", "setup=quickstart",
        "--seat", "tyranid=bot:sensible")  # fmt: skip
    run("act", "duel", "use spear")
    for command in (["show"], ["log"], ["transcript"], ["replay"], ["lines"], ["log", "--json"], ["show", "--json"]):
        usual = run(command[0], "duel", *command[1:]).stdout
        assert usual == run(command[0], "duel", *command[1:], "--as", "eldar").stdout
        whole = run(command[0], "duel", *command[1:], "--as", "all").stdout
        assert (whole != usual) == (command[0] != "lines")
    assert data("diff", "duel@20", "@end") == data("diff", "duel@20", "@end", "--as", "eldar")
    assert data("diff", "duel@20", "@end") != data("diff", "duel@20", "@end", "--as", "all")
    run("fork", "duel", "--name", "bots", "--seat", "eldar=bot:random")
    for game in ("bots",):
        assert run("transcript", game).stdout == run("transcript", game, "--as", "all").stdout
        assert run("transcript", game).stdout != run("transcript", game, "--as", "eldar").stdout


def test_show_in_every_format(run: Any, data: Any, played: None, tmp_path: Path) -> None:
    svg = run("show", "first", "--format", "svg").output
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "<html" in run("show", "first", "--format", "html").output
    scene = json.loads(run("show", "first", "--format", "json").output)
    assert data("show", "first") == scene
    file = tmp_path / "board.txt"
    assert run("show", "first", "-o", str(file)).output == ""
    assert "turn total" in file.read_text()
    assert [name.name for name in tmp_path.iterdir() if "part" in name.name] == []


def test_show_writes_no_colours_to_a_pipe(run: Any, played: None) -> None:
    assert "\x1b" not in run("show", "first").output


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("first@999", "There is no event @999"),
        ("first@d99", "There is no decision 99"),
        ("first@r99", "There is no round 99"),
        ("first@-99", "decisions were taken"),
        ("first@x", "is no place in a game"),
        ("frist@3", "Did you mean 'first'?"),
        ("@@", "is no place"),
        ("first@99999999999999999999", "too large"),
    ],
)
def test_addresses_that_lead_nowhere(run: Any, played: None, address: str, sentence: str) -> None:
    for command in ("show", "log", "replay"):
        assert sentence in run(command, address, code=2).stderr


def test_a_whole_game_is_wanted(run: Any, pig: Any) -> None:
    assert "without a position" in run("legal", "first@2", code=2).stderr


def test_log_lists_events_with_positions(run: Any, data: Any, played: None) -> None:
    lines = run("log", "first").output.splitlines()
    assert lines[0].split() == ["0", "Pig", "is", "opened."]
    events = data("log", "first")
    assert [event["position"] for event in events] == list(range(len(events)))
    assert events[4]["event"]["action"] == {"type": "roll"}
    assert [event["position"] for event in data("log", "first", "-n", "2")] == [len(events) - 2, len(events) - 1]
    assert [event["position"] for event in data("log", "first@5", "--from", "4")] == [4, 5]
    for number in (1, 2, 5, 99):  # of those that have a sentence
        assert run("log", "first", "-n", str(number)).output.splitlines() == lines[-number:]
    assert run("log", "first", "-n", "99", "--from", "4").output == run("log", "first", "--from", "4").output
    assert "GameSet [PIG-1]" in run("log", "first", "--all").output


def test_log_marks_what_was_taken_back(run: Any, data: Any) -> None:
    run("new", "pig", "--undo", "free", "--name", "free", "--seed", "s")
    run("act", "free", "roll")
    run("undo", "free")
    out = run("log", "free").output
    assert "    4 x p1: roll" in out
    assert "Taken back to @3." in out
    assert "p1: roll" not in run("log", "free", "--line").output
    assert [event["on_line"] for event in data("log", "free")] == [True] * 4 + [False] * 3 + [True]


def test_replay_away_from_a_terminal_prints_every_step(run: Any, played: None) -> None:
    out = run("replay", "first").output
    assert [line for line in out.splitlines() if line.startswith("Step ")] == [
        "Step 0 of 4, @3",
        "Step 1 of 4, @6",
        "Step 2 of 4, @9",
        "Step 3 of 4, @13",
        "Step 4 of 4, @16",
    ]
    assert out.count("turn total") == 1
    assert run("replay", "first", "--boards").output.count("turn total") == 5
    assert "Step 1 of 1" in run("replay", "first@d2").output


def test_each_event_is_told_once_in_a_replay(run: Any) -> None:
    run("new", "pig", "--undo", "free", "--name", "free", "--seed", "s")
    run("act", "free", "roll", "roll")
    run("undo", "free")
    run("act", "free", "hold")
    out = run("replay", "free").output
    assert out.count("p1: roll") == 1
    assert out.count("p1: hold") == 1
    assert out.count("Pig is opened.") == 1
