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

ALONE = """
import resource
resource.setrlimit(resource.RLIMIT_AS, ({room}, {room}))
from warptape.cli import main
main()
"""

Done = subprocess.CompletedProcess[str]
Limited = Callable[..., list[Done]]


def _sober(done: Done) -> Done:
    assert "Traceback" not in done.stderr, done.stderr
    assert "not enough memory" not in done.stderr, done.stderr
    assert len(done.stderr) < 2000
    return done


@pytest.fixture
def limited(together: Callable[..., list[Done]]) -> Limited:
    """Runs commands, one after another, in a process with little memory and little time for all of them."""
    return lambda *commands: [_sober(done) for done in together(*commands, room=ROOM)]


@pytest.fixture
def alone() -> Callable[..., Done]:
    """Runs a command as a process of its own with little memory and little time."""

    def call(*words: str, stdin: Any = subprocess.DEVNULL) -> Done:
        return _sober(
            subprocess.run(
                [sys.executable, "-c", ALONE.format(room=ROOM), *words],
                stdin=stdin,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        )

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
    (tmp_path / "loop.tape.jsonl").symlink_to("loop.tape.jsonl")
    (tmp_path / "folder.tape.jsonl").mkdir()
    (tmp_path / "closed.tape.jsonl").touch(0)
    pipes = ("pipe.tape.jsonl", "pipe.tape.jsonl.gz", "link.tape.jsonl", "plug.tape.jsonl")
    others = ("loop.tape.jsonl", "folder.tape.jsonl", "closed.tape.jsonl")
    *piped, loop, folder, closed = limited(*(with_file(reader, name) for name in (*pipes, *others)))
    for name, done in zip(pipes, piped, strict=True):
        assert done.returncode == 1, name
        assert f"{name} is a pipe or a device" in done.stderr
    assert loop.returncode == 1
    assert "symbolic links" in loop.stderr
    assert folder.returncode in (1, 2)
    assert "folder" in folder.stderr
    if os.geteuid():
        assert closed.returncode in (1, 4)
        assert "ermission denied" in closed.stderr


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
    readers = READERS[:2] if what in ("2 GB", "lists") else READERS[:1]
    *read, games = limited(*(with_file(reader, file.name) for reader in readers), ["games", "--json"])
    for done in read:
        assert done.returncode == 1
        assert "line 3" in (done.stdout + done.stderr).lower()
        assert reason in done.stdout + done.stderr
    assert games.stdout.count('"id"') == 1


def test_the_first_line_may_be_as_bad(limited: Limited, log: bytes, tmp_path: Path) -> None:
    with (tmp_path / "x.tape.jsonl").open("wb") as file:
        file.truncate(2 * 2**30)
    (tmp_path / "y.tape.jsonl").write_bytes(b'{"warptape":"tape","format":9,"a":[' + b"[]," * 5_000_000 + b"1]}\n")
    *empty, full = limited(*(with_file(reader, "x.tape.jsonl") for reader in READERS), ["import", "y.tape.jsonl"])
    for done in empty:
        assert done.returncode == 1
        assert "no warptape log" in done.stdout + done.stderr
    assert "more than 1,000,000 values" in full.stderr


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


def test_hostile_content(limited: Limited, tmp_path: Path) -> None:
    for what, (text, _) in CONTENT.items():
        (tmp_path / what).mkdir()
        with (tmp_path / what / "boards.toml").open("wb") as file:
            if text is None:
                file.truncate(2 * 2**30)
            else:
                file.write(text)
    ran = limited(*(["new", "space-marine-adventures", "--content", what] for what in CONTENT))
    for done, (what, (_, reason)) in zip(ran, CONTENT.items(), strict=True):
        assert done.returncode == 2, what
        assert reason in done.stderr, what


def test_content_that_is_no_file(limited: Limited, tmp_path: Path) -> None:
    made: dict[str, tuple[Callable[[Path], None], str]] = {
        "a pipe": (os.mkfifo, "a pipe, a socket or a device"),
        "a loop": (lambda path: path.symlink_to(path.name), "symbolic links"),
        "a folder": (lambda path: path.mkdir(), "is a directory"),
        "a device": (lambda path: path.symlink_to("/dev/zero"), "a pipe, a socket or a device"),
    }
    for name, (make, _) in made.items():
        (tmp_path / name).mkdir()
        make(tmp_path / name / "boards.toml")
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "..secret.toml").write_text("a = 1")
    none = ("file", "pipe", "loop", "none")
    ran = limited(*(["new", "space-marine-adventures", "--content", name] for name in (*made, *none, "own")))
    for done, (name, (_, reason)) in zip(ran, made.items(), strict=False):
        assert done.returncode == 2, name
        assert "boards.toml cannot be read" in done.stderr
        assert reason in done.stderr
    for done in ran[len(made) : -1]:
        assert done.returncode == 2
        assert "The content folder" in done.stderr
    assert "no content file ..secret.toml" in ran[-1].stderr


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
    stores = {
        "pipe.db": "a pipe or a device",
        "/dev/zero": "a pipe or a device",
        "loop.db": "cannot be opened",
        "folder.db": "is a folder",
        "zeros.db": "no SQLite file",
        "short.db": "store",
        "../../../../../proc/nothing/x.db": "cannot be opened",
    }
    ran = limited(*(["--store", name, "games"] for name in stores))
    for done, (name, reason) in zip(ran, stores.items(), strict=True):
        assert done.returncode == 4, (name, done)
        assert reason in done.stderr


def test_an_endless_line_of_standard_input(alone: Callable[..., Done], run: Any, pig: Any) -> None:
    for words in (("act", "first", "-"), ("play", "first")):
        with Path("/dev/zero").open("rb") as zeros:
            done = alone(*words, stdin=zeros)
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
