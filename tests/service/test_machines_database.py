"""PostgreSQL goes away while people play, and comes back; its disk is full, and room is made."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from machines import LINE, Crowd, Listener, Machine, Room, listened, machine, until
from own_postgres import Cluster, cluster, mounted

TROUBLE = "The service's store does not answer just now. Try again soon: with the same key nothing is done twice."


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster]:
    pytest.importorskip("psycopg")
    with cluster() as one:
        yield one


def _refused(at: Machine, room: Room) -> None:
    begun = time.monotonic()
    answer = room.act(at, "while it is away")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), answer.text
    assert (answer.json()["message"], answer.headers["retry-after"]) == (TROUBLE, "2")
    assert time.monotonic() - begun < 5, "nobody waits for a connection that cannot come"
    assert not at.ready()
    assert LINE.get(f"{at.url}/health/live").status_code == 200


def _restarts(database: Cluster, at: Machine, times: int) -> None:
    """Stop the database in the middle of acting and start it again, and see that all of it is there once."""
    rooms = [Room(at, at.host) for _ in range(2)]
    listener = Listener(rooms[0], at)
    listener.start()
    with Crowd(rooms, [at]) as crowd:
        for number in range(times):
            before = crowd.done()
            until(lambda before=before: crowd.done() > before + 10, 60)  # type: ignore[misc]
            database.stop()
            until(lambda: not at.ready(), 30)
            if number == 0:
                until(lambda: LINE.get(f"{at.url}/health/ready").elapsed.total_seconds() < 2)
                _refused(at, rooms[1])
            database.start()
            until(at.ready, 60)
        before = crowd.done()
        until(lambda: crowd.done() > before + 10, 60)
    crowd.check(at.store)
    assert set(crowd.answers()) <= {200, 409, 503}
    assert {text for client in crowd.clients for text in client.texts} == {TROUBLE}
    listened([listener], rooms[0].length(at), 60)
    listener.over = True
    rooms[0].act(at)


def test_the_database_is_stopped_and_started_again(database: Cluster, rulesets: dict[str, str], tmp_path: Path) -> None:
    with machine(f"{database.url}?schema=stopped", rulesets, tmp_path / "log") as at:
        _restarts(database, at, 2)
        assert not [line for line in at.logged() if line["level"] == "error"]


@pytest.mark.slow
def test_the_database_is_stopped_and_started_often(database: Cluster, rulesets: dict[str, str], tmp_path: Path) -> None:
    with machine(f"{database.url}?schema=often", rulesets, tmp_path / "log") as at:
        _restarts(database, at, 30)


@contextmanager
def _small(database: Cluster) -> Iterator[tuple[str, Path]]:
    """Give the URL of a database on a disk of 14 MB, and the disk."""
    import psycopg

    disk = database.folder / "disk"
    disk.mkdir()
    with mounted(disk, 14), psycopg.connect(database.url, autocommit=True) as connection:
        place = disk / "tables"
        place.mkdir()
        database.give(place)
        connection.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        connection.execute("CREATE DATABASE small TABLESPACE small TEMPLATE template0")
        try:
            yield database.url.rpartition("/")[0] + "/small", disk
        finally:
            connection.execute("DROP DATABASE small WITH (FORCE)")
            connection.execute("DROP TABLESPACE small")


@pytest.mark.slow
def test_the_disk_of_the_database_is_full(database: Cluster, rulesets: dict[str, str], tmp_path: Path) -> None:
    with _small(database) as (url, disk), machine(url, rulesets, tmp_path / "log") as at:
        room = Room(at, at.host)
        assert room.act(at, "before").status_code == 200
        room.fills_up(at, disk)
