"""Events as they come: every row once and in order, whatever breaks off; nothing that is not for the listener."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from service_house import FREELY, House, Table, house

from warptape.domain.chance import Luck

SHORT = msgspec.structs.replace(FREELY, heartbeat=0.2, slow=1.0, streams_each=3)


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house(SHORT) as one:
        yield one


class Listener:
    """A client that keeps all rows it is sent, and comes back where it was when its stream breaks off."""

    def __init__(self, table: Table, who: str, after: int = -1) -> None:
        self.table, self.who, self.after = table, who, after
        self.rows: list[list[Any]] = []
        self.events: list[tuple[str, Any]] = []
        self.lines: list[str] = []

    def listen(self, until: int, chunks: int = 10**9, header: bool = True) -> None:
        """Listen until a position, or break off after so many lines."""
        headers = {"Authorization": f"Bearer {self.table.tokens[self.who]}"}
        params = {}
        if header:
            headers["Last-Event-ID"] = str(self.after) if self.after >= 0 else ""
        if not header or self.after < 0:
            params["after"] = str(self.after)
        url = f"{self.table.house.url}{self.table.path}/events"
        kind, identifier = "", -1
        with self.table.house.client.stream("GET", url, headers=headers, params=params, timeout=20) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            for number, line in enumerate(answer.iter_lines()):
                self.lines.append(line)
                name, _, value = line.partition(": ")
                if name == "id":
                    identifier = int(value)
                elif name == "event":
                    kind = value
                elif name == "data":
                    data = json.loads(value)
                    self.events.append((kind, data))
                    if kind == "rows":
                        assert identifier == data["rows"][-1][0] == data["length"] - 1
                        self.rows += data["rows"]
                        self.after = identifier
                if self.after >= until or number >= chunks:
                    return


def rows_of(table: Table, who: str) -> list[list[Any]]:
    return [json.loads(line) for line in table.ask("GET", "/rows", who).text.splitlines()]


def test_every_row_comes_once_over_random_disconnects(opened: House) -> None:
    # It does not end meanwhile: then rows have secrets in them that they had not when they were sent.
    table = opened.new("hidden", options={"rounds": "90", "goal": "50"}, undo="free")
    luck, chance = Luck("streams", "service"), random.Random(4)
    listeners = [Listener(table, who) for who in (*table.seats, "public", "late", "sees")]
    for _ in range(8):
        table.play(4, luck.below)
        for one in listeners:
            for _ in range(chance.randrange(3)):
                one.listen(10**9, chunks=chance.randrange(1, 9), header=chance.random() < 0.5)
    for one in listeners:
        one.listen(table.get("", one.who)["length"] - 1)
        assert one.rows == rows_of(table, one.who), one.who
        assert [row[0] for row in one.rows] == list(range(len(one.rows)))
    seats = {one.who: one.rows for one in listeners}
    assert seats["raider"] != seats["warden"]
    assert not [row for row in seats["public"] if row[3]]


def test_news_come_while_one_listens_and_a_pause_has_a_sign_of_life(opened: House) -> None:
    table = opened.new("hidden", options={"rounds": "9"}, undo="free")
    before = table.game.length
    listener = Listener(table, "public", after=before - 1)
    thread = threading.Thread(target=listener.listen, args=(table.game.length + 4,))
    thread.start()
    _until(lambda: ": still here" in listener.lines)
    luck = Luck("news", "service")
    while thread.is_alive():
        table.play(1, luck.below)
        time.sleep(0.02)
    assert [row[0] for row in listener.rows] == list(range(before, before + len(listener.rows)))
    assert listener.events[-1][1]["decision"] is not None


def test_a_stream_tells_of_another_name_ends_with_the_token_and_with_the_game(opened: House) -> None:
    table = opened.new("hidden")
    public, seat, end = Listener(table, "public"), Listener(table, "warden"), Listener(table, "end")
    threads = [threading.Thread(target=one.listen, args=(10**9,)) for one in (public, seat, end)]
    for thread in threads:
        thread.start()
    _until(lambda: all(": still here" in one.lines for one in (public, seat, end)))
    table.ask("PATCH", "", "sees", json={"name": "Another name"})
    _until(lambda: ("changed", {"name": "Another name", "sees": "warden"}) in seat.events)
    listed = table.get("/tokens", "sees")
    warden = next(one["fingerprint"] for one in listed if one["seat"] == "warden")
    table.ask("DELETE", f"/tokens/{warden}", "sees")
    threads[1].join(5)
    assert not threads[1].is_alive()
    assert table.ask("GET", "/rows", "warden").status_code == 401
    assert threads[0].is_alive()
    assert not end.rows
    table.ask("DELETE", "", "sees")
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()
    assert public.events[-1] == ("deleted", {"game": table.id})


def test_a_bot_whose_answer_was_cut_off_acts_when_somebody_listens(opened: House) -> None:
    """As after a process was killed between an action and the answer to it, and its client with it."""
    table = opened.new("pig", options={"goal": "500"}, seats={"p2": "bot:random"})
    while table.game.decision is not None and table.game.decision.seat == "p1":
        table.game.act(table.legal(-1), bots=False)
    assert table.game.decision is not None
    cut = table.game.length
    listener = Listener(table, "p1", after=cut - 1)
    listener.listen(cut, chunks=80)
    assert listener.rows, "the bot did not act"
    assert (listener.rows[0][2]["seat"], listener.rows[0][2]["person"]) == ("p2", "bot:random")
    _until(lambda: table.get("", "p1")["decision"]["seat"] == "p1")
    length = table.get("", "p1")["length"]
    Listener(table, "p1", after=length - 1).listen(10**9, chunks=12)
    assert table.get("", "p1")["length"] == length, "nobody acts for who is asked"


def test_streams_are_counted_and_let_go(opened: House) -> None:
    table = opened.new("hidden")
    url, headers = f"{opened.url}{table.path}/events", {"Authorization": f"Bearer {table.tokens['late']}"}
    held = []
    for _ in range(3):
        stream = opened.client.stream("GET", url, headers=headers)
        assert stream.__enter__().status_code == 200
        held.append(stream)
    refused = opened.ask("GET", table.path + "/events", table.tokens["late"])
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
    for stream in held:
        stream.__exit__(None, None, None)
    _until(lambda: len(opened.service.streams) == 0)
    with opened.client.stream("GET", url, headers=headers) as again:
        assert again.status_code == 200


def test_a_client_that_does_not_read_is_let_go_and_finds_everything_again(opened: House) -> None:
    """What waits for it is in the store; its connection does not hold memory or a place for ever."""
    table = opened.new("hidden", options={"rounds": "90", "goal": "50"}, undo="free")
    for number in range(1500):
        table.game.note(f"{number} " + "word " * 400, private=False)
    before = opened.service.metrics.slow._value.get()
    host, port = opened.url.removeprefix("http://").split(":")
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect((host, int(port)))
        head = f"GET {table.path}/events?after=-1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {table.tokens['public']}"
        line.sendall(f"{head}\r\n\r\n".encode())
        _until(lambda: opened.service.metrics.slow._value.get() > before)
        _until(lambda: len(opened.service.streams) == 0)
    listener = Listener(table, "public")
    listener.listen(table.game.length - 1)
    assert len(listener.rows) == table.game.length


def _until(done: Any, seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "this did not come"
        time.sleep(0.02)
