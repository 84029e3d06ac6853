"""The command as the tests run it: Pig is installed from a package outside, each test has a shelf of its own."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from warptape.cli import main

Run = Callable[..., Result]


def _packaging() -> Any:
    spec = importlib.util.spec_from_file_location("packaging_of_tests", Path(__file__).with_name("packaging.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the package with Pig."""
    folder = tmp_path_factory.mktemp("outside")
    wheel = _packaging().build_wheel(folder)
    target = folder / "site"
    subprocess.run(
        [
            sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
            "--target", str(target), str(wheel),
        ],
        check=True,
    )  # fmt: skip
    return target


@pytest.fixture(autouse=True)
def shelf(outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of this test's own store; Pig can be played here and in processes that inherit the environment."""
    monkeypatch.syspath_prepend(str(outside))
    importlib.invalidate_caches()
    monkeypatch.setenv("PYTHONPATH", str(outside))
    monkeypatch.setenv("WARPTAPE_STORE", str(tmp_path / "shelf.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "shelf.db"


@pytest.fixture
def run() -> Run:
    """Runs a command in this process and returns what click's runner says; checks the exit code and for tracebacks."""

    def call(*words: str, code: int | None = 0, stdin: str | None = None) -> Result:
        result = CliRunner().invoke(main, list(words), input=stdin)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.output
        assert code is None or result.exit_code == code, f"{words} exits with {result.exit_code}:\n{result.output}"
        return result

    return call


@pytest.fixture
def data(run: Run) -> Callable[..., Any]:
    """Runs a command with --json and returns what it printed, decoded."""

    def call(*words: str, code: int = 0, stdin: str | None = None) -> Any:
        return json.loads(run(*words, "--json", code=code, stdin=stdin).stdout)

    return call


@pytest.fixture
def pig(data: Callable[..., Any]) -> dict[str, Any]:
    """A game of Pig named `first`, from a fixed seed, to 30 points."""
    found: dict[str, Any] = data("new", "pig", "--name", "first", "--seed", "lucky", "--option", "goal=30")
    return found


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command in a process of its own."""

    def call(*words: str, stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "warptape", *words],
            input=stdin if stdin is not None else "",
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=120,
            check=False,
        )

    return call


TOGETHER = """
import json, sys
from click.testing import CliRunner
from warptape.cli import main
room, commands = json.loads(sys.argv[1])
if room:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
for words in commands:
    done = CliRunner().invoke(main, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    print(json.dumps([done.exit_code, done.stdout, done.stderr]), flush=True)
"""


@pytest.fixture
def together() -> Callable[..., list[subprocess.CompletedProcess[str]]]:
    """Runs commands, one after another, in one process of their own, with at most `room` bytes of memory for it."""

    def call(*commands: Sequence[str], room: int = 0, **environment: str) -> list[subprocess.CompletedProcess[str]]:
        ran = subprocess.run(
            [sys.executable, "-c", TOGETHER, json.dumps([room, commands])],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=120,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        told = [json.loads(line) for line in ran.stdout.splitlines()]
        return [
            subprocess.CompletedProcess(words, code, stdout, stderr)
            for words, (code, stdout, stderr) in zip(commands, told, strict=True)
        ]

    return call


class Terminal:
    """A `warptape` command on a pseudo-terminal."""

    def __init__(self, *words: str, **environment: str) -> None:
        pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
        self.parent, child = pty.openpty()
        import fcntl
        import struct
        import termios

        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "warptape", *words],
            stdin=child, stdout=child, stderr=child, start_new_session=True,
            env={**inherited, "TERM": "xterm-256color", **environment},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(child)
        self.seen = ""
        self.at = 0

    def until(self, *texts: str) -> str:
        """Read until one of the texts comes after the last one waited for, and return that one.

        Answers the terminal's questions for the place of the cursor.
        """
        deadline = time.monotonic() + 30
        while not any(text in self.seen[self.at :] for text in texts):
            assert time.monotonic() < deadline, f"waited for {texts} in vain:\n{self.seen[self.at :]}"
            if select.select([self.parent], [], [], 0.2)[0]:
                got = os.read(self.parent, 65536).decode("utf-8", "replace")
                if "\x1b[6n" in got:
                    os.write(self.parent, b"\x1b[1;1R")
                self.seen += got
        found = min(
            (text for text in texts if text in self.seen[self.at :]), key=lambda text: self.seen.index(text, self.at)
        )
        self.at = self.seen.index(found, self.at) + len(found)
        return found

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.parent, keys.encode())

    def ended(self) -> int:
        """Return the exit code, once it has ended."""
        deadline = time.monotonic() + 60
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.seen
            if select.select([self.parent], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.parent, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        return self.process.wait(timeout=30)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.parent)


@pytest.fixture
def terminals() -> Iterator[Any]:
    opened: list[Terminal] = []

    def start(*words: str, **environment: str) -> Terminal:
        opened.append(Terminal(*words, **environment))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()
