"""Clients that read nothing or send nothing: they hold no memory and no connection for long, and nobody else notices."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from machines import LINE, Listener, Machine, Room, machine, until

MB = 2**20


@pytest.fixture(scope="module")
def server(rulesets: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    folder = tmp_path_factory.mktemp("slow")
    times = ("--slow", "2", "--head-time", "2", "--streams-each", "100")
    with machine(str(folder / "games.db"), rulesets, folder / "log", *times) as one:
        yield one


@pytest.fixture(scope="module")
def room(server: Machine) -> Room:
    """A game with 6 MB of notes, as much as nobody writes."""
    room = Room(server, server.host)
    with httpx.Client(base_url=server.url, headers=room.headers, verify=False, timeout=30) as line:
        for number in range(120):
            answer = line.post(
                f"/v1/games/{room.id}/notes", json={"text": f"{number} " + "many words " * 4800, "since": 10**9}
            )
            assert answer.status_code == 201, answer.text
    return room


def _connected(server: Machine, head: str, receive: int = 4096) -> socket.socket:
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    where = urlsplit(server.url)
    line.connect((where.hostname, where.port))
    line.sendall(head.encode())
    return line


def _connections(server: Machine) -> int:
    """How many connections the process holds."""
    held = Path(f"/proc/{server.process.pid}/fd")
    inodes = {link[8:-1] for fd in held.iterdir() if (link := _link(fd)).startswith("socket:[")}
    port = f":{server.port:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(line[1].endswith(port) and line[3] != "0A" and line[9] in inodes for line in lines)


def _link(fd: Path) -> str:
    try:
        return str(fd.readlink())
    except OSError:
        return ""


def _median(server: Machine, room: Room, times: int = 9) -> float:
    taken = []
    for _ in range(times):
        begun = time.monotonic()
        assert room.act(server).status_code == 200
        taken.append(time.monotonic() - begun)
    return sorted(taken)[times // 2]


def test_who_reads_nothing_of_a_stream_is_let_go_and_costs_little(server: Machine, room: Room) -> None:
    before, alone = server.memory(), _median(server, room)
    ask = f"GET /v1/games/{room.id}/events?after=-1 HTTP/1.1\r\nHost: x\r\nAuthorization: {room.headers['Authorization']}\r\n\r\n"
    most = []
    for _ in range(2):
        with ExitStack() as stack:
            for _ in range(25):
                stack.enter_context(_connected(server, ask))
            until(lambda: _connections(server) >= 25)
            beside = _median(server, room)
            most.append(server.memory())
            until(lambda: not _connections(server))  # while they still do not read
        assert beside < 20 * alone + 1
    assert most[0] - before < 75 * MB, "they have 25 times 6 MB to read"
    assert most[1] - most[0] < 30 * MB, "those before them left something"
    listener = Listener(room, server)  # one of them comes back, and reads now
    listener.start()
    length = room.length(server)
    until(lambda: len(listener.positions) >= length)
    assert listener.positions == list(range(length))
    listener.over = True
    room.act(server)
    listener.join(10)


def test_who_leaves_an_answer_unread_is_let_go(server: Machine, room: Room) -> None:
    ask = f"GET /v1/games/{room.id}/rows HTTP/1.1\r\nHost: x\r\nAuthorization: {room.headers['Authorization']}\r\n\r\n"
    until(lambda: not _connections(server))
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(_connected(server, ask))
        until(lambda: _connections(server) == 5)
        assert room.act(server).status_code == 200
        until(lambda: not _connections(server))


def test_who_never_ends_his_request_is_let_go(server: Machine, room: Room) -> None:
    """Headers that come one by one, a body that does not come, a connection on which nothing is said."""
    until(lambda: not _connections(server))
    with ExitStack() as stack:
        held = [stack.enter_context(_connected(server, head)) for head in ("", "GET /health/live HTTP/1.1\r\n") * 150]
        begun = time.monotonic()
        until(lambda: _connections(server) == len(held))
        while time.monotonic() - begun < 1.5:
            for line in held[1::2]:
                line.sendall(b"X-More: words\r\n")
            assert LINE.get(f"{server.url}/health/live").status_code == 200
            time.sleep(0.2)
        until(lambda: not _connections(server), 20)
    assert room.act(server).status_code == 200
    with httpx.Client(
        base_url=server.url, verify=False
    ) as line:  # who is quiet between two requests for a moment may go on
        assert line.get("/health/live").status_code == 200
        time.sleep(2.5)
        assert line.get("/health/live").status_code == 200
