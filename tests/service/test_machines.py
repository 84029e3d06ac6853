"""Several processes on one PostgreSQL: what is done at one is heard at the others, whichever of them is killed."""

from __future__ import annotations

import os
import random
import signal
import statistics
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from machines import LINE, Crowd, Listener, Machine, Room, listened, machine, until
from own_postgres import mounted

from warptape.replays.store import open_store

LOOK = 2.0
"""The seconds after which a process looks by itself, as the service has it."""


class Two:
    """A process on its own and one that has two workers, on one store."""

    def __init__(self, store: str, database: str, one: Machine, several: Machine) -> None:
        self.store, self.database, self.one, self.several = store, database, one, several

    def room(self) -> Room:
        """Return a new game."""
        return Room(self.one, self.one.host)

    def forget(self) -> None:
        """Throw away what is only a cache."""
        with open_store(self.store) as store:
            store.drop_snapshots()

    def deafen(self) -> int:
        """End the connections on which the processes hear notices; returns how many there were."""
        import psycopg

        with psycopg.connect(self.database, autocommit=True) as connection:
            ended = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            ).fetchall()
        return len(ended)


@pytest.fixture(scope="module")
def two(postgres_database: str, rulesets: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    pytest.importorskip("psycopg")
    folder = tmp_path_factory.mktemp("machines")
    store = f"{postgres_database}{'&' if '?' in postgres_database else '?'}schema=wt_{uuid.uuid4().hex}"
    with (
        machine(store, rulesets, folder / "one") as one,
        machine(store, rulesets, folder / "several", "--workers", "2") as several,
    ):
        until(lambda: len(several.workers()) == 2)
        yield Two(store, postgres_database, one, several)


def _heard(listener: Listener, length: int, begun: float) -> float:
    """Return the seconds until a listener had heard so much."""
    until(lambda: len(listener.positions) >= length, LOOK + 15, 0.005)
    return listener.came[length - 1] - begun


def test_what_is_done_at_one_is_heard_at_the_others_also_when_no_notice_comes(two: Two) -> None:
    room = two.room()
    listeners = [Listener(room, at) for at in (two.one, two.several, two.several)]
    for listener in listeners:
        listener.start()
    listened(listeners, room.length(two.one))
    taken = []
    for turn in range(8):
        at = two.several if turn % 2 else two.one
        begun = time.monotonic()
        done = room.act(at).json()
        heard = {listener: _heard(listener, done["length"], begun) for listener in listeners}
        taken += [seconds for listener, seconds in heard.items() if listener.at is not at]
    assert statistics.median(taken) < LOOK / 2, "notices come before the next look"
    two.forget()
    boards = {at: room.board(at) for at in (two.one, two.several)}
    assert boards[two.one] == boards[two.several]
    for _ in range(3):  # the connections of the notices are ended, and at once something happens
        assert two.deafen() >= 2
        begun = time.monotonic()
        done = room.act(two.several).json()
        assert max(_heard(listener, done["length"], begun) for listener in listeners) < LOOK + 8
    listened(listeners, room.length(two.one))
    assert [one.breaks for one in listeners] == [0, 0, 0], "nobody had to come back for that"
    for listener in listeners:
        listener.over = True
    room.act(two.one)


def _kills(two: Two, times: int, seed: int) -> None:
    """Kill workers, and now and then the process that stands alone, while a crowd plays; see that all of it is there once."""
    chance = random.Random(seed)
    rooms = [two.room() for _ in range(2)]
    listeners = [Listener(rooms[0], at) for at in (two.one, two.several)]
    for listener in listeners:
        listener.start()
    with Crowd(rooms, [two.one, two.several]) as crowd:
        for number in range(times):
            before = crowd.done()
            until(lambda before=before: crowd.done() > before + 5, 60)  # type: ignore[misc]
            time.sleep(chance.random() * 0.3)
            if number % 2:
                two.one.kill()
                time.sleep(chance.random())
                two.one.start()
            else:
                os.kill(chance.choice(two.several.workers()), signal.SIGKILL)
        until(two.one.ready, 60)
        until(lambda: len(two.several.workers()) == 2, 60)
        before = crowd.done()
        until(lambda: crowd.done() > before + 20, 60)
    crowd.check(two.store)
    assert set(crowd.answers()) & {"RemoteProtocolError", "ReadError", "ConnectError"}, "somebody noticed"
    assert 500 not in crowd.answers()
    listened(listeners, rooms[0].length(two.one), 60)
    for listener in listeners:
        listener.over = True
    rooms[0].act(two.one)


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="there is no folder in memory here")
def test_what_workers_share_lies_in_memory(two: Two) -> None:
    """A file that is mapped, on a disk that is full, would kill them: each time that they count something new."""
    for pid in two.several.workers():
        assert b"\0PROMETHEUS_MULTIPROC_DIR=/dev/shm/" in Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.slow
def test_workers_go_on_when_the_disk_of_the_machine_is_full(two: Two, rulesets: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    disk = tmp_path / "disk"
    disk.mkdir()
    env = {**rulesets, "TMPDIR": str(disk)}
    with mounted(disk, 2), machine(two.store, env, log, "--workers", "2") as at:
        with suppress(OSError), (disk / "somebody else's").open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        before = at.workers()
        room = two.room()
        for number in range(20):
            assert room.act(at, f"{number}").status_code == 200
            assert LINE.get(f"{at.url}/{number}").status_code == 404
        assert at.workers() == before
        assert not [line for line in at.logged() if line["level"] == "error"]


def test_killed_processes_lose_nothing_and_do_nothing_twice(two: Two) -> None:
    _kills(two, 2, 8)


@pytest.mark.slow
def test_killed_processes_lose_nothing_and_do_nothing_twice_often(two: Two) -> None:
    _kills(two, 25, 80)
