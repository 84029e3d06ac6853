"""One process on a file of SQLite: it is killed and started again, its disk is full, it may write no more."""

from __future__ import annotations

import random
import resource
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from machines import FULL, Crowd, Listener, Machine, Room, listened, machine, until
from own_postgres import mounted
from service_house import house


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("file")


@pytest.fixture(scope="module")
def at(rulesets: dict[str, str], folder: Path) -> Iterator[Machine]:
    with machine(str(folder / "games.db"), rulesets, folder / "log") as one:
        yield one


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


def test_a_killed_process_goes_on_where_it_was(at: Machine) -> None:
    _kills(at, 2, 18)


@pytest.mark.slow
def test_a_killed_process_goes_on_where_it_was_each_time(at: Machine) -> None:
    _kills(at, 40, 180)


def test_who_acts_for_all_seats_may_ask_again_when_another_is_to_act(at: Machine) -> None:
    room = Room(at, at.host)
    first = room.act(at, "first").json()
    while room.act(at).json()["decision"]["seat"] == "p1":
        pass
    again = room.act(at, "first").json()
    assert (again["repeated"], again["position"]) == (True, first["position"])


def test_the_disk_is_full_and_room_is_made(rulesets: dict[str, str], tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with mounted(disk, 4), machine(str(disk / "games.db"), rulesets, tmp_path / "log") as at:
        room = Room(at, at.host)
        assert room.act(at, "before").status_code == 200
        room.fills_up(at, disk)
        assert not [line for line in at.logged() if line["level"] == "error"]


def test_the_disk_of_what_is_made_on_the_way_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files for an export or an import are written where the machine keeps such files, which may be another disk."""
    with mounted(tmp_path, 1), house() as opened:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        table = opened.new("hidden", undo="free")
        for _ in range(60):
            table.game.note(secrets.token_hex(20_000))
        for answer in (
            table.ask("GET", "/export", "sees"),
            opened.ask("POST", "/v1/games/import", opened.host, content=b"x" * 2 * 2**20),
        ):
            assert (answer.status_code, answer.json()["code"]) == (507, "no-room"), answer.text
            assert answer.json()["message"] == FULL
        assert not list(tmp_path.iterdir()), "what was begun is gone"


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of a process is set from outside")
def test_a_file_that_may_not_grow_is_told_and_what_was_refused_is_not_there(at: Machine, folder: Path) -> None:
    """As root or not: the limit of the process is on the size of a file, and it is lifted again."""
    room = Room(at, at.host)
    assert room.act(at, "before").status_code == 200
    _, most = resource.prlimit(at.process.pid, resource.RLIMIT_FSIZE)
    size = max(file.stat().st_size for file in folder.iterdir())
    resource.prlimit(at.process.pid, resource.RLIMIT_FSIZE, (size + 100_000, most))
    while (answer := room.note(at)).status_code == 201:
        room.noted.append(answer.json()["position"])
    length = room.length(at)
    for _ in range(3):
        answer = room.note(at, "held up")
        assert (answer.status_code, answer.json()["code"]) in ((503, "unavailable"), (507, "no-room")), answer.text
    assert room.length(at) == length
    resource.prlimit(at.process.pid, resource.RLIMIT_FSIZE, (most, most))
    until(lambda: room.note(at, "held up").status_code == 201)
    room.noted.append(length)
    assert room.act(at, "after").status_code == 200
    room.check(at.store)
