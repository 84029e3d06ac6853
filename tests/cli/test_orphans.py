"""simulate ends when nobody is there any more: its workers with it, and it with whoever reads what it prints."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
ENDLESS = [sys.executable, "-m", "warptape", "simulate", "pig", "-n", "10000000", "--option", "goal=1000"]


def workers(parent: int) -> list[int]:
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            number, _, rest = file.read_text().partition(" (")
            if int(rest.rpartition(")")[2].split()[1]) == parent:
                found.append(int(number))
    return found


def running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(what: object, patience: float = 30) -> bool:
    assert callable(what)
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def simulation() -> Iterator[tuple[subprocess.Popen[bytes], list[int]]]:
    """A simulation of very many games with two workers, and the workers' process ids."""
    with subprocess.Popen([*ENDLESS, "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as parent:
        assert until(lambda: len(workers(parent.pid)) == 2)
        hands = workers(parent.pid)
        try:
            yield parent, hands
        finally:
            for process in [parent.pid, *filter(running, hands)]:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_workers_end_with_their_parent(simulation: tuple[subprocess.Popen[bytes], list[int]], name: str) -> None:
    parent, hands = simulation
    parent.send_signal(getattr(signal, name))
    assert parent.wait(30) != 0
    assert until(lambda: not any(map(running, hands)))


def test_a_simulation_ends_when_nobody_reads(simulation: tuple[subprocess.Popen[bytes], list[int]]) -> None:
    parent, hands = simulation
    assert parent.stdout is not None
    parent.stdout.close()
    assert parent.wait(30) == 141
    assert until(lambda: not any(map(running, hands)))
    assert parent.stderr is not None
    assert parent.stderr.read() == b""


def test_so_does_one_without_workers() -> None:
    with subprocess.Popen([*ENDLESS, "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as alone:
        assert alone.stdout is not None
        alone.stdout.close()
        assert alone.wait(30) == 141
