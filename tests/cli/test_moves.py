"""act GAME - < moves.txt, and log --moves: whole games typed from a file, and the line that fails."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from warptape.domain.rules import installed, ruleset

SHIPPED = [name for name, point in installed().items() if point.value.startswith("warptape.")]


@pytest.fixture
def table(run: Any) -> str:
    """The name of a table game of Pig."""
    run("new", "pig", "--chance", "table", "--name", "table", "--option", "goal=1000")
    return "table"


@pytest.mark.parametrize("rules", [*SHIPPED, "pig"])
def test_a_recorded_game_is_typed_from_its_file_of_moves(run: Any, data: Any, rules: str) -> None:
    words = [
        word for seat in ruleset(rules).seats(ruleset(rules).options()) for word in ("--seat", f"{seat.id}=bot:random")
    ]
    run("new", rules, "--name", "one", "--seed", "typed", *words)
    written = run("log", "one", "--moves").stdout
    opening = shlex.split(written.splitlines()[1].removeprefix("# "))
    run(*opening[1:], "--name", "two")
    told = data("act", "two", "-", stdin=written)
    assert told["outcome"] == data("legal", "one")["outcome"]
    assert "The states are the same." in run("diff", "one", "two").output
    assert run("log", "two", "--moves").stdout.splitlines()[2:] == written.splitlines()[2:]
    assert "Nothing wrong was found." in run("audit", "two").output
    # without results, the same seed gives the same dice
    run("new", rules, "--name", "three", "--seed", "typed", "--undo", "free")
    bare = run("log", "one", "--moves", "--no-results").stdout
    assert data("act", "three", "-", stdin=bare)["outcome"] == told["outcome"]


def test_the_log_marks_what_was_entered(run: Any, data: Any, table: str, pig: Any) -> None:
    run("act", table, "roll", "--rolled", "4")
    run("act", "first", "roll")
    assert "What dice and cards give is entered by hand." in run("log", table).output
    for line in run("log", table, "--all").output.splitlines():
        assert ("(entered)" in line) == ("DiceRolled" in line)
    rows = data("log", table)
    assert [row["kind"] for row in rows if row["entered"]] == ["DiceRolled"]
    assert not any(row["entered"] for row in data("log", "first"))
    assert "(entered)" not in run("log", "first", "--all").output


def test_a_file_of_moves_that_cannot_be_written_is_not_begun(run: Any) -> None:
    words = ["--seat", "eldar=bot:random", "--seat", "tyranid=bot:random", "--option", "setup=quickstart"]
    run("new", "doom-of-the-eldar", "--name", "one", "--seed", "typed", *words)
    refused = run("log", "one", "--moves", "--as", "eldar", code=3)
    assert "is not known here" in refused.stderr
    assert refused.stdout == ""


MOVES = """\
# Friday, at the kitchen table
p1: roll = 4

p1 roll = 6   # twice in a row
p1: hold\r
roll = 2
"""


def test_seats_comments_and_empty_lines(run: Any, data: Any, table: str) -> None:
    told = data("act", table, "-", stdin=f"\ufeff{MOVES}")
    assert [event["event"]["values"] for event in told["events"] if event["kind"] == "DiceRolled"] == [[4], [6], [2]]
    assert told["seat"] == "p2"
    length = data("legal", table)["length"]
    done = run("act", table, "-", "--as", "p2", stdin="p2: roll = 3\np1: roll = 3\n", code=2)
    assert "Line 2: The action is one of p1, and --as says p2." in done.stderr
    assert data("legal", table)["length"] > length


FAILING = {
    "p2: roll = 4": (3, "it is for p1 to decide now, not for p2", "roll"),
    "roll = 7": (2, "'7' cannot come out", "roll"),
    "roll = 4, 5": (2, "Nothing here needs the result '5'", "roll"),
    "roll": (2, "Write results behind the action, in order: roll = 4, 5.", "roll"),
    "jump": (2, "", "jump"),
    "#roll": (2, "", "#roll"),
    'roll = "4': (2, "do not end", 'roll = "4'),
    "x" * 70_000: (2, "at most 65536 bytes", ""),
}


@pytest.mark.parametrize("line", FAILING, ids=lambda line: line[:20])
def test_the_line_that_fails_is_named_and_what_stands_before_it_recorded(
    run: Any, data: Any, table: str, line: str
) -> None:
    code, why, shown = FAILING[line]
    done = run("act", table, "-", stdin=f"# two good lines\nroll = 4\nroll = 3\n{line}\nroll = 2\n", code=code)
    assert f"Line 4: '{shown}' failed; 2 before it are recorded." in done.stderr
    assert why in done.stderr
    assert len(done.stderr) < 1000
    assert run("log", table, "--moves").stdout.splitlines()[2:] == ["p1: roll = 4", "p1: roll = 3"]


def test_a_mended_file_is_sent_again_with_its_key(run: Any, data: Any, table: str) -> None:
    wrong = "roll = 4\nroll = 9\nhold\nroll = 2\n"
    run("act", table, "-", "--key", "friday", stdin=wrong, code=2)
    run("act", table, "-", "--key", "friday", stdin=wrong.replace("9", "5"))
    assert [line.partition(": ")[2] for line in run("log", table, "--moves").stdout.splitlines()[2:]] == [
        "roll = 4", "roll = 5", "hold", "roll = 2",
    ]  # fmt: skip
    assert "nothing was done again" in run("act", table, "-", "--key", "friday", stdin=wrong.replace("9", "5")).output
    run("undo", table)
    run("act", table, "roll = 3", code=2)  # an argument has its results in --rolled


def test_results_where_fate_draws_are_refused_with_what_to_do(run: Any, pig: Any) -> None:
    done = run("act", "first", "-", stdin="roll = 4\n", code=2)
    assert "Here dice and cards come from fate" in done.stderr
    assert "--no-results" in done.stderr


def test_options_that_do_not_go_together(run: Any, table: str) -> None:
    assert "stand behind its action" in run("act", table, "-", "--rolled", "4", stdin="roll", code=2).stderr
    assert "nothing else goes with it" in run("log", table, "--moves", "-n", "3", code=2).stderr
    assert "belongs to --moves" in run("log", table, "--no-results", code=2).stderr
    assert "No actions were given." in run("act", table, "-", stdin="# nothing\n\n").output


def test_a_file_of_bytes_through_a_pipe(process: Any, run: Any, data: Any, table: str, tmp_path: Path) -> None:
    done = process("act", table, "-", stdin="p1: roll = 4\np1: hold\n")
    assert done.returncode == 0, done.stderr
    assert data("legal", table)["seat"] == "p2"
