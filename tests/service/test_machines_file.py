"""One process on a file of SQLite: it is killed and started again, its disk is full, it may write no more."""

from __future__ import annotations

import random
import resource
import signal
import sys
import time
from pathlib import Path

import pytest
from machines import Crowd, Listener, Machine, Room, listened, machine, until
from own_postgres import mounted


def _kills(at: Machine, times: int, seed: int) -> None:
    chance = random.Random(seed)
    rooms = [Room(at, at.host) for _ in range(2)]
    listener = Listener(rooms[0], at)
    listener.start()
    with Crowd(rooms, [at]) as crowd:
        for _ in range(times):
            before = crowd.done()
            until(lambda before=before: crowd.done() > before + 5, 60)  # type: ignore[misc]
            time.sleep(chance.random() * 0.3)
            at.kill()
            assert at.process.returncode == -signal.SIGKILL
            at.start()
        before = crowd.done()
        until(lambda: crowd.done() > before + 20, 60)
    crowd.check(at.store)
    assert 500 not in crowd.answers()
    assert listener.breaks >= times
    listened([listener], rooms[0].length(at), 60)
    listener.over = True
    rooms[0].act(at)


def test_a_killed_process_goes_on_where_it_was(rulesets: dict[str, str], tmp_path: Path) -> None:
    with machine(str(tmp_path / "games.db"), rulesets, tmp_path / "log") as at:
        _kills(at, 2, 18)


@pytest.mark.slow
def test_a_killed_process_goes_on_where_it_was_each_time(rulesets: dict[str, str], tmp_path: Path) -> None:
    with machine(str(tmp_path / "games.db"), rulesets, tmp_path / "log") as at:
        _kills(at, 40, 180)


def test_the_disk_is_full_and_room_is_made(rulesets: dict[str, str], tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with mounted(disk, 4), machine(str(disk / "games.db"), rulesets, tmp_path / "log") as at:
        room = Room(at, at.host)
        assert room.act(at, "before").status_code == 200
        room.fills_up(at, disk)
        assert not [line for line in at.logged() if line["level"] == "error"]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of a process is set from outside")
def test_a_file_that_may_not_grow_is_told_and_what_was_refused_is_not_there(
    rulesets: dict[str, str], tmp_path: Path
) -> None:
    """As root or not: the limit of the process is on the size of a file, and it is lifted again."""
    store = tmp_path / "games.db"
    with machine(str(store), rulesets, tmp_path / "log") as at:
        room = Room(at, at.host)
        assert room.act(at, "before").status_code == 200
        _, most = resource.prlimit(at.process.pid, resource.RLIMIT_FSIZE)
        size = max(file.stat().st_size for file in tmp_path.iterdir() if file.is_file())
        resource.prlimit(at.process.pid, resource.RLIMIT_FSIZE, (size + 100_000, most))
        refused = None
        while refused is None:
            answer = room.note(at)
            refused = answer if answer.status_code != 201 else None
            room.noted += [] if refused else [answer.json()["position"]]
        length = room.length(at)
        for _ in range(3):
            answer = room.note(at, "held up")
            assert answer.status_code in (503, 507), answer.text
            assert answer.headers["retry-after"] or answer.status_code == 507
            assert "Traceback" not in answer.text
        assert room.length(at) == length
        resource.prlimit(at.process.pid, resource.RLIMIT_FSIZE, (most, most))
        until(lambda: room.note(at, "held up").status_code == 201)
        room.noted.append(length)
        assert room.act(at, "after").status_code == 200
    room.check(at.store)
