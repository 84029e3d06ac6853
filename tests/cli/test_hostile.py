"""Hostile files and folders, given to every command that reads one: refused in a sentence, soon, and in little memory."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("resource", reason="memory is limited by what Unix systems have for it")

ROOM = 400 * 2**20
"""The address space that each command here has to live in, in bytes: Python, warptape and its libraries need half of it."""

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({room}, {room}))
from warptape.cli import main
main()
"""

Limited = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def limited() -> Limited:
    """Runs a command in a process of its own with little memory and little time."""

    def call(*words: str, stdin: Any = subprocess.DEVNULL, **how: Any) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-c", LIMITED.format(room=ROOM), *words],
            stdin=stdin if "input" not in how else None,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **how,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert "not enough memory" not in done.stderr, done.stderr
        assert len(done.stderr) < 2000
        return done

    return call


@pytest.fixture
def log(run: Any, pig: Any, tmp_path: Path) -> bytes:
    """A short log file, as bytes."""
    run("act", "first", "roll", "hold", "roll")
    run("export", "first", "-o", "good.tape.jsonl")
    return (tmp_path / "good.tape.jsonl").read_bytes()


READERS = [("import",), ("audit",), ("reproduce",), ("shrink", "-o", "small.tape.jsonl")]
each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda words: words[0])


def with_file(reader: tuple[str, ...], file: str) -> list[str]:
    return [reader[0], file, *reader[1:]]


@each_reader
def test_what_is_no_file_is_not_waited_for(limited: Limited, reader: tuple[str, ...], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tape.jsonl")
    os.mkfifo(tmp_path / "pipe.tape.jsonl.gz")
    (tmp_path / "link.tape.jsonl").symlink_to("pipe.tape.jsonl")
    with socket.socket(socket.AF_UNIX) as plug:
        plug.bind("plug.tape.jsonl")
    for name in ("pipe.tape.jsonl", "pipe.tape.jsonl.gz", "link.tape.jsonl", "plug.tape.jsonl"):
        done = limited(*with_file(reader, name))
        assert done.returncode == 1, name
        assert f"{name} is a pipe or a device" in done.stderr
    (tmp_path / "loop.tape.jsonl").symlink_to("loop.tape.jsonl")
    done = limited(*with_file(reader, "loop.tape.jsonl"))
    assert done.returncode == 1
    assert "symbolic links" in done.stderr
    (tmp_path / "folder.tape.jsonl").mkdir()
    done = limited(*with_file(reader, "folder.tape.jsonl"))
    assert done.returncode in (1, 2)
    assert "folder" in done.stderr
    if os.geteuid():
        (tmp_path / "closed.tape.jsonl").touch(0)
        done = limited(*with_file(reader, "closed.tape.jsonl"))
        assert done.returncode in (1, 4)
        assert "ermission denied" in done.stderr


def a_long_line(good: bytes, path: Path) -> None:
    """A third line of 2 GB; the file is sparse, so that it takes no room."""
    with path.open("wb") as file:
        file.write(b"".join(good.splitlines(keepends=True)[:2]))
        file.truncate(2 * 2**30)


def a_packed_line(good: bytes, path: Path) -> None:
    """A third line of 300 MB, compressed to a thousandth."""
    with gzip.GzipFile(path, "wb") as file:
        file.write(b"".join(good.splitlines(keepends=True)[:2]))
        for _ in range(300):
            file.write(b"[" * 2**20)


def many_values(form: bytes, begin: bytes = b"", end: bytes = b"1]}}") -> Callable[[bytes, Path], None]:
    """A third line of 16 MB, all of it values of a few bytes."""

    def write(good: bytes, path: Path) -> None:
        from warptape.replays.logline import LONGEST, checksum

        head = b'"at":0,"event":{"type":"X","a":[' + begin
        rest = head + form * ((LONGEST - 200) // len(form)) + end
        line = b'{"sum":"' + checksum(rest).encode() + b'",' + rest + b"\n"
        path.write_bytes(b"".join([*good.splitlines(keepends=True)[:2], line]))

    return write


LINES: dict[str, tuple[Callable[[bytes, Path], None], str]] = {
    "2 GB": (a_long_line, "longer than 16 MB"),
    "a bomb.gz": (a_packed_line, "longer than 16 MB"),
    "lists": (many_values(b"[],"), "more than 1,000,000 values"),
    "objects": (many_values(b"{},"), "more than 1,000,000 values"),
    "texts": (many_values(b'"a",'), "more than 1,000,000 values"),
    "numbers": (many_values(b"12345,"), "more than 1,000,000 values"),
    "an open text": (many_values(b'\\",', begin=b'"', end=b""), "not JSON"),
}


@pytest.mark.parametrize("what", LINES)
def test_a_line_that_would_fill_the_memory(limited: Limited, log: bytes, tmp_path: Path, what: str) -> None:
    make, reason = LINES[what]
    file = tmp_path / ("x.tape.jsonl.gz" if what.endswith("gz") else "x.tape.jsonl")
    make(log, file)
    for reader in READERS[:2] if what in ("2 GB", "lists") else READERS[:1]:
        done = limited(*with_file(reader, file.name))
        assert done.returncode == 1
        assert "line 3" in (done.stdout + done.stderr).lower()
        assert reason in done.stdout + done.stderr
    assert limited("games", "--json").stdout.count('"id"') == 1


def test_the_first_line_may_be_as_bad(limited: Limited, log: bytes, tmp_path: Path) -> None:
    with (tmp_path / "x.tape.jsonl").open("wb") as file:
        file.truncate(2 * 2**30)
    for reader in READERS:
        done = limited(*with_file(reader, "x.tape.jsonl"))
        assert done.returncode == 1
        assert "no warptape log" in done.stdout + done.stderr
    (tmp_path / "x.tape.jsonl").write_bytes(b'{"warptape":"tape","format":9,"a":[' + b"[]," * 5_000_000 + b"1]}\n")
    assert "more than 1,000,000 values" in limited("import", "x.tape.jsonl").stderr


CONTENT: dict[str, tuple[bytes | None, str]] = {
    "no UTF-8": (b"a = '\xff'", "not text in UTF-8"),
    "NUL": (b"a = '\0'", "not valid TOML"),
    "deep": (b"a = " + b"[" * 100_000, "nests its values too deeply"),
    "a key twice": (b"a = 1\na = 2", "not valid TOML"),
    "a huge number": (b"a = " + b"9" * 5_000, "not valid TOML"),
    "no number": (b"[[board]]\nid = nan", "boards.toml"),
    "infinite": (b"[[board]]\nid = inf", "boards.toml"),
    "carriage returns": (b"a = 1\r\rb = 2", "not valid TOML"),
    "2 GB": (None, "more than 4 MB"),
}


@pytest.mark.parametrize("what", CONTENT)
def test_hostile_content(limited: Limited, tmp_path: Path, what: str) -> None:
    text, reason = CONTENT[what]
    (tmp_path / "own").mkdir()
    with (tmp_path / "own" / "boards.toml").open("wb") as file:
        if text is None:
            file.truncate(2 * 2**30)
        else:
            file.write(text)
    done = limited("new", "space-marine-adventures", "--content", "own")
    assert done.returncode == 2
    assert reason in done.stderr


def test_content_that_is_no_file(limited: Limited, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for make, reason in (
        (os.mkfifo, "a pipe, a socket or a device"),
        (lambda path: path.symlink_to(path.name), "symbolic links"),
        (lambda path: path.mkdir(), "is a directory"),
        (lambda path: path.symlink_to("/dev/zero"), "a pipe, a socket or a device"),
    ):
        make(own / "boards.toml")  # type: ignore[operator]
        done = limited("new", "space-marine-adventures", "--content", "own")
        assert done.returncode == 2
        assert "boards.toml cannot be read" in done.stderr
        assert reason in done.stderr
        if (own / "boards.toml").is_dir():
            (own / "boards.toml").rmdir()
        else:
            (own / "boards.toml").unlink()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("file", "pipe", "loop", "none"):
        done = limited("new", "space-marine-adventures", "--content", name)
        assert done.returncode == 2
        assert "The content folder" in done.stderr
    (own / "..secret.toml").write_text("a = 1")
    assert "no content file ..secret.toml" in limited("new", "space-marine-adventures", "--content", "own").stderr


def test_content_with_the_marks_that_editors_leave(run: Any, data: Any, tmp_path: Path) -> None:
    """A byte order mark and line breaks of another system make no other content."""
    from warptape.domain.rules import ruleset

    own = tmp_path / "own"
    own.mkdir()
    text = ruleset("space-marine-adventures").content.files["boards.toml"]
    (own / "boards.toml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    run("new", "space-marine-adventures", "--name", "own", "--content", "own")
    run("new", "space-marine-adventures", "--name", "plain")
    contents = {data("log", name)[0]["event"]["content"] for name in ("own", "plain")}
    assert len(contents) == 1


def test_hostile_stores(limited: Limited, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "loop.db").symlink_to("loop.db")
    (tmp_path / "folder.db").mkdir()
    with (tmp_path / "zeros.db").open("wb") as file:
        file.truncate(2 * 2**30)
    (tmp_path / "short.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    for name, reason in (
        ("pipe.db", "a pipe or a device"),
        ("/dev/zero", "a pipe or a device"),
        ("loop.db", "cannot be opened"),
        ("folder.db", "is a folder"),
        ("zeros.db", "no SQLite file"),
        ("short.db", "store"),
        ("../../../../../proc/nothing/x.db", "cannot be opened"),
    ):
        done = limited("--store", name, "games")
        assert done.returncode == 4, (name, done)
        assert reason in done.stderr


def test_an_endless_line_of_standard_input(limited: Limited, run: Any, pig: Any) -> None:
    for words in (("act", "first", "-"), ("play", "first")):
        with Path("/dev/zero").open("rb") as zeros:
            done = limited(*words, stdin=zeros)
        assert done.returncode == 2
        assert "at most 65536 bytes" in done.stderr or "more than 65,536 characters" in done.stderr
    assert "roll" not in run("log", "first").output


def test_names_that_lead_elsewhere(run: Any, data: Any, tmp_path: Path) -> None:
    """A name is a title; a file that takes its name from it lies in this folder all the same."""
    name = "../../up and / over"
    run("new", "pig", "--name", name)
    run("export", name)
    (file,) = tmp_path.glob("*.tape.jsonl")
    assert not list(tmp_path.parent.glob("*.tape.jsonl"))
    run("import", file.name)
    assert {game["name"] for game in data("games")} == {name, f"{name} 2"}
    report = run("report", name, "-m", "x").output
    assert len(list(tmp_path.glob("*.report.tape.jsonl"))) == 1, report
    (tmp_path / "deep").mkdir()
    found = next(tmp_path.glob("*.report.tape.jsonl"))
    odd = found.rename(tmp_path / "..x..report.tape.jsonl")
    run("reproduce", odd.name, "--as-test", "deep", code=None)
    assert {path.parent.name for path in tmp_path.rglob("test_*.py")} == {"deep"}
