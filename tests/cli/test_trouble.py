"""Nonsense of any kind gives a sentence and the right exit code, never a traceback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warptape.cli import main
from warptape.cli.group import COMMANDS

CODES = {0, 1, 2, 3, 4}
NONSENSE = [
    "", " ", "@", "@@", "@d", "last@-0", "last@r0", "last@d0", "-1", "--", "0", "999999999999999999999999", "é", "日本語",
    "\u202e", "a\nb", "\x00", "\udcff", "'; DROP TABLE stored_events; --", "%s%n", "../../etc/passwd", "x" * 5000,
    "{}", "null", "=", "a=b", "--json", "--help", "*", "last@2147483648", "𝟛", "first@𝟛", "/dev/null", "/",
]  # fmt: skip
# Commands that read keys or play for long are given no nonsense that could make them do so.
TAKEN: list[str] = []
NAMES = sorted(set(COMMANDS) - {"demo"})


@pytest.fixture(scope="module", autouse=True)
def taken() -> Iterator[None]:
    """A port that somebody listens at, so that `serve` comes to an end whatever else it is told."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        TAKEN[:] = ["--port", str(listening.getsockname()[1])]
        yield


def attempt(words: list[str], stdin: str = "") -> None:
    if words[0] == "serve":
        words = ["serve", *TAKEN, *words[1:]]
    result = CliRunner().invoke(main, words, input=stdin.encode("utf-8", "surrogateescape"))
    assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
    assert result.exit_code in CODES, (words, result.exit_code, result.output)
    assert "Traceback" not in result.output, words
    assert "Something is wrong in warptape" not in result.output, (words, result.output)
    if result.exit_code:
        assert result.output.strip(), words


@pytest.fixture
def stocked(run: Any, pig: Any) -> None:
    """A shelf with a game that has a few events, and a file of it."""
    run("act", "first", "roll", "hold", "roll")
    run("export", "first", "-o", "good.tape.jsonl")


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_in_every_place(stocked: None, name: str) -> None:
    attempt([name])
    for nonsense in NONSENSE:
        attempt([name, nonsense])
        attempt([name, "first", nonsense])
        attempt([name, "first", "roll", nonsense], stdin=nonsense + "\nq\n")
        attempt([name, "--as", nonsense, "first"])
        attempt([name, f"--{nonsense}", "first"])


@pytest.mark.parametrize("name", NAMES)
def test_every_option_takes_nonsense_badly_but_well(stocked: None, name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag and option.name not in ("help", "games"):
            for nonsense in ["", "-1", "\x00", "\udcff", "é=ö", "none/there/x"]:
                words = ["pig"] if name in ("new", "simulate") else ["first", "yes"][: 1 + (name == "consent")]
                attempt([name, *words, option.opts[-1], nonsense])


WORDS = st.one_of(
    st.sampled_from(
        ["first", "last", "@3", "roll", "hold", "--json", "pig", "-o", "--as", "p1", "-n", "1", "yes", "-"]
    ),
    st.text(max_size=12),
)


@given(name=st.sampled_from(NAMES), words=st.lists(WORDS, max_size=4), stdin=st.text(max_size=30))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_words(stocked: None, tmp_path: Path, name: str, words: list[str], stdin: str) -> None:
    attempt([name, *words], stdin)


@given(data=st.binary(max_size=300))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_no_log_file_and_no_store(shelf: Path, tmp_path: Path, data: bytes) -> None:
    for name in ("x.tape.jsonl", "x.tape.jsonl.gz"):
        file = tmp_path / name
        file.write_bytes(data)
        for command in ("audit", "import"):
            result = CliRunner().invoke(main, [command, str(file)])
            assert "Something is wrong in warptape" not in result.output
            if data.startswith(b"SQLite format 3\0") and command == "audit":
                assert result.exit_code == 4
            else:
                assert result.exit_code == 1
                assert "line" in result.output.lower()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.mkdir(), ""),
        (lambda path: path.write_text("this is no database, but it is long enough to look at" * 20), ""),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(1000)), ""),
    ],
)
def test_a_store_that_cannot_be_used(tmp_path: Path, run: Any, make: Any, sentence: str) -> None:
    path = tmp_path / "bad.db"
    make(path)
    assert run("--store", str(path), "games", code=4).stderr.strip()
    assert run("--store", "mysql://x/y", "games", code=4).stderr.strip()


def test_debug_shows_the_traceback_and_keeps_the_code(run: Any, pig: Any) -> None:
    result = CliRunner().invoke(main, ["act", "first", "hold", "--debug"])
    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert "Traceback" in CliRunner().invoke(main, ["--debug", "act", "first", "hold"]).stderr


def test_a_bug_is_told_without_a_traceback(run: Any, pig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from warptape.replays.tape import Tape

    def broken(self: Any, *arguments: Any) -> Any:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(Tape, "at", broken)
    result = CliRunner().invoke(main, ["show", "first"])
    assert result.exit_code == 1
    assert "ZeroDivisionError: oops" in result.stderr
    assert "--debug" in result.stderr
    assert "Traceback" not in result.stderr


def start(*words: str, **more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "warptape", *words], stderr=subprocess.PIPE, **more)


def test_a_closed_pipe_ends_quietly(run: Any, pig: Any) -> None:
    for _ in range(20):
        run("act", "first", "roll")
    reading, writing = os.pipe()
    os.close(reading)
    process = start("log", "first", "--all", stdout=writing)
    os.close(writing)
    _, error = process.communicate(timeout=60)
    assert error == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk(run: Any, pig: Any) -> None:
    with open("/dev/full", "wb") as full:
        process = start("log", "first", stdout=full)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 4
    assert b"no space" in error
    assert b"Traceback" not in error
    assert "no space" in run("show", "first", "-o", "/dev/full", code=4).stderr


def test_output_to_a_folder_that_is_not_there(run: Any, pig: Any) -> None:
    assert "cannot be written" in run("show", "first", "-o", "no/such/folder/x.svg", code=4).stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(pig: Any, closed: str) -> None:
    for words in ("play first", "act first -", "delete first"):
        line = f'"{sys.executable}" -m warptape {words} {closed}'
        done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, check=False)
        assert done.returncode in CODES, (line, done)
        assert b"Traceback" not in done.stderr + done.stdout, (line, done)
        assert b"Exception ignored" not in done.stderr, (line, done)


@pytest.mark.parametrize("encoding", ["ascii", "cp437"])
def test_odd_terminals(run: Any, pig: Any, process: Any, encoding: str) -> None:
    run("rename", "first", "Schüttelfrost 日本 𝟛")
    run("note", "last", "größer als ‘zuvor’ …")
    for words in (["log", "last"], ["show", "last"], ["act", "last", "hold"]):
        done = subprocess.run(
            [sys.executable, "-m", "warptape", *words],
            capture_output=True, timeout=60, check=False, env={**os.environ, "PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert done.returncode in (0, 3), done
        assert b"Traceback" not in done.stderr


def test_arguments_that_are_no_text(run: Any, pig: Any) -> None:
    for words in ([b"show", b"\xff"], [b"note", b"first", b"\xff\xfe"], [b"new", b"pig", b"--name", b"\xff"]):
        done = subprocess.run(
            [sys.executable.encode(), b"-m", b"warptape", *words], capture_output=True, timeout=60, check=False
        )
        assert done.returncode in (2, 3, 4), done
        assert b"Traceback" not in done.stderr
        assert done.stderr.strip()


@pytest.mark.skipif(os.name == "nt", reason="signals as on Unix")
def test_ctrl_c_while_working(pig: Any) -> None:
    process = start("act", "first", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"roll\n")
    process.stdin.flush()
    while True:  # until it waits for the next line
        done = subprocess.run(
            [sys.executable, "-m", "warptape", "legal", "first", "--json"], capture_output=True, check=True
        )
        if b'"length": 7' in done.stdout:
            break
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Interrupted" in error
    assert b"Traceback" not in error


@pytest.mark.parametrize(
    "words", [["act", "", "roll"], ["undo", ""], ["export", ""], ["audit", ""], ["diff", "first", ""]]
)
def test_an_empty_name_is_not_the_last_game(stocked: None, run: Any, words: list[str]) -> None:
    assert "name of the game is empty" in run(*words, code=2).output


def test_a_home_that_nobody_has(stocked: None, run: Any) -> None:
    place = "~no-such-user/x"
    for words, code in [
        (["games", "--store", place], 4),
        (["audit", place], 4),
        (["import", place], 4),
        (["show", "-o", place], 4),
        (["export", "-o", place], 4),
    ]:
        assert "no such home" in run(*words, code=code).output
    assert not Path("~no-such-user").exists()


def test_an_export_does_not_replace_a_device_or_a_pipe(stocked: None, tmp_path: Path, process: Any) -> None:
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    assert process("export", "first", "-o", str(pipe)).returncode == 0
    reader.join(30)
    assert heard == [Path("good.tape.jsonl").read_bytes()]
    assert pipe.is_fifo()
    full = Path("/dev/full")
    if full.exists():
        failed = process("export", "first", "-o", str(full))
        assert (failed.returncode, full.is_char_device()) == (4, True)
        assert "no space" in failed.stderr


def test_a_terminal_is_not_told_what_to_do(run: Any, tmp_path: Path) -> None:
    from warptape.cli.app import inert

    assert inert("a\x1b[31mb\x07\x9b\u202e\tc\nd") == "a\ufffd[31mb\ufffd\ufffd\ufffd\tc\nd"
    output = run("audit", "\x1b[31m.tape.jsonl", code=2).output + run("show", "\x1b]0;x\x07", code=2).output
    assert "\x1b" not in output


def test_a_book_for_an_action_is_not_printed_back(stocked: None, run: Any) -> None:
    output = run("act", "first", "-", stdin="x" * 200_000 + "\n", code=2).output
    output += run("act", "first", "x" * 200_000, code=2).output
    assert len(output) < 10_000
    output = run("play", "first", stdin="x" * 60_000 + "\n").output
    assert len(output) < 70_000  # what was typed, once
    assert "type roll or hold" in output


def test_a_name_in_many_bytes_is_still_the_name_of_a_file(run: Any, pig: Any, tmp_path: Path) -> None:
    run("rename", "first", "遊" * 80)
    assert "遊遊.tape.jsonl" in run("export", "last").output
    run("audit", str(next(tmp_path.glob("*.tape.jsonl"))))


def test_snapshots_are_thrown_away_on_request(stocked: None, run: Any, shelf: Path) -> None:
    import sqlite3

    with sqlite3.connect(shelf) as other:
        for words in (["audit", "first"], ["audit", str(shelf)]):
            other.execute("INSERT INTO warptape_snapshots SELECT id, 'old', 3, x'00' FROM warptape_games")
            other.commit()
            run(*words)
            assert other.execute("SELECT COUNT(*) FROM warptape_snapshots").fetchone() == (1,)
            run(*words, "--drop-snapshots")
            assert other.execute("SELECT COUNT(*) FROM warptape_snapshots").fetchone() == (0,)
    other.close()
