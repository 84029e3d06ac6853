"""Processes of `warptape serve` that tests start, kill and start again, and clients that play through all of that."""

from __future__ import annotations

import json
import random
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.store import open_store

UNLIMITED = ("--rate", "0", "--address-rate", "0")
LINE = httpx.Client(limits=httpx.Limits(max_keepalive_connections=0), verify=False, timeout=40)
"""For single requests, each on a connection of its own."""

FULL = "The disk of the service is full. Who runs it must make room; with the same key nothing is done twice."


def until(done: Callable[[], Any], seconds: float = 30, pause: float = 0.02) -> None:
    """Wait for something to come."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "this did not come"
        time.sleep(pause)


class Machine:
    """A process that serves a store, with what it logs in a file; it keeps its port when it is started again."""

    def __init__(self, store: str, env: dict[str, str], log: Path, *words: str, **how: Any) -> None:
        self.store, self.env, self.log, self.words, self.how = store, env, log, words, how
        self.url, self.host, self.port = "", "", 0
        self.process: subprocess.Popen[str]
        self.start()

    def start(self) -> None:
        """Start, and read the address; the host's token too when it is said."""
        command = [sys.executable, "-m", "warptape", "--store", self.store, "serve", "--port", str(self.port)]
        command += ["--log", "json", "--grace", "3", *UNLIMITED, *self.words]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.env, **self.how
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("wt_"):
                self.host = line.strip()
            if found := re.search(r"(http://\S+:(\d+))", line):
                self.url, self.port = found[1], int(found[2])
                return
        raise AssertionError(self.log.read_text()[-2000:])

    def ready(self) -> bool:
        """Say whether it takes work."""
        try:
            return LINE.get(f"{self.url}/health/ready").status_code == 200
        except httpx.HTTPError:
            return False

    def workers(self) -> list[int]:
        """Return the processes below it that serve."""
        tasks = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in tasks if b"spawn_main" in _command(pid)]

    def kill(self) -> None:
        """End it as a power cut would, and wait until it is gone."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End it as its owner would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def memory(self) -> int:
        """Return the bytes that the process has in memory."""
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
        assert found is not None
        return int(found[1]) * 1024

    def logged(self) -> list[dict[str, Any]]:
        """Return what it logged."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def machine(store: str, env: dict[str, str], log: Path, *words: str, **how: Any) -> Iterator[Machine]:
    """A machine that is ready, and is gone after the context."""
    one = Machine(store, env, log, *words, **how)
    try:
        until(one.ready, 60)
        yield one
    finally:
        one.stop()


class Room:
    """A game of Pig without an end, whose arbiter acts for both seats: everybody who rolls may."""

    def __init__(self, at: Machine, host: str) -> None:
        answer = LINE.post(
            f"{at.url}/v1/games",
            headers={"Authorization": f"Bearer {host}"},
            json={"ruleset": "pig", "options": {"goal": "1000"}, "undo": "free", "sees": True},
        )
        assert answer.status_code == 201, answer.text
        made = answer.json()
        self.id: str = made["game"]["id"]
        self.noted: list[int] = []
        self.headers = {"Authorization": f"Bearer {made['arbiter']}"}

    def act(self, at: Machine, key: str = "") -> httpx.Response:
        """Roll at a machine."""
        body = {"actions": ["roll"], "key": key}
        return LINE.post(f"{at.url}/v1/games/{self.id}/act", headers=self.headers, json=body)

    def fills_up(self, at: Machine, disk: Path) -> None:
        """Fill the disk of the store and act until it is full; then make room. See what is answered, and what is there."""
        with self.filled(disk):
            length = self._until_full(at)
            for number in range(3):
                answer = self.act(at, "while it is full" if number else "")
                assert answer.status_code in (200, 507), answer.text  # a small one may still go in
            held = self.note(at, "held up")
            assert (held.status_code, held.json()["code"]) == (507, "no-room"), held.text
            assert held.json()["message"] == FULL
            before = self.length(at)  # who only looks is served
            assert before >= length
        until(lambda: self.note(at, "held up").status_code == 201)
        again = self.note(at, "held up").json()
        assert (again["repeated"], again["position"]) == (True, before)
        assert self.act(at, "after").status_code == 200
        self.noted.append(before)
        self.check(at.store)

    def check(self, store: str) -> None:
        """See that the notes that were acknowledged are there, and none that was refused."""
        with open_store(store) as kept:
            assert self.noted == [row.position for row in kept.rows(self.id) if row.kind == "NoteAdded"]
            assert Library[Game](kept).audit(self.id).ok

    def _until_full(self, at: Machine) -> int:
        while True:
            answer = self.note(at)
            if answer.status_code != 201:
                assert answer.status_code == 507, answer.text
                return self.length(at)
            self.noted.append(answer.json()["position"])

    def note(self, at: Machine, key: str = "") -> httpx.Response:
        """Write a long note that no database makes shorter."""
        text = secrets.token_hex(20_000)
        body = {"text": text, "key": key, "since": 10**9}
        return LINE.post(f"{at.url}/v1/games/{self.id}/notes", headers=self.headers, json=body)

    @contextmanager
    def filled(self, disk: Path) -> Iterator[None]:
        """Leave little room on a disk while the context lasts."""
        file = disk / "somebody else's"
        free = shutil.disk_usage(disk).free
        file.write_bytes(b"x" * max(0, free - 200_000))
        try:
            yield
        finally:
            file.unlink()

    def board(self, at: Machine) -> str:
        """Return what a machine shows of it."""
        answer = LINE.get(f"{at.url}/v1/games/{self.id}/view", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer.text

    def length(self, at: Machine) -> int:
        """Return the number of events there are."""
        answer = LINE.get(f"{at.url}/v1/games/{self.id}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["length"])


class Listener(threading.Thread):
    """A stream of a game at one machine that comes back where it was whenever it breaks off."""

    def __init__(self, room: Room, at: Machine) -> None:
        super().__init__(daemon=True)
        self.room, self.at = room, at
        self.positions: list[int] = []
        self.came: dict[int, float] = {}
        self.breaks = 0
        self.over = False

    def run(self) -> None:
        """Listen until it is over."""
        while not self.over:
            with suppress(httpx.HTTPError):
                self._listen()
            self.breaks += 1
            time.sleep(0.1)

    def _listen(self) -> None:
        url = f"{self.at.url}/v1/games/{self.room.id}/events"
        after = self.positions[-1] if self.positions else -1
        with LINE.stream("GET", url, params={"after": after}, headers=self.room.headers, timeout=30) as answer:
            if answer.status_code != 200:
                return
            for line in answer.iter_lines():
                if line.startswith("data: ") and "rows" in (data := json.loads(line[6:])):
                    now = time.monotonic()
                    for row in data["rows"]:
                        self.positions.append(row[0])
                        self.came[row[0]] = now
                if self.over:
                    return


class Client(threading.Thread):
    """Rolls again and again, each time with a key of its own that it sends, to whichever machine, until it hears that it is done."""

    def __init__(self, name: str, room: Room, machines: Sequence[Machine], stopped: threading.Event) -> None:
        super().__init__(daemon=True)
        self.label, self.room, self.machines, self.stopped = name, room, machines, stopped
        self.chance = random.Random(name)
        self.acknowledged: dict[str, int] = {}
        self.answers: Counter[int | str] = Counter()
        self.texts: set[str] = set()
        self.wrong: list[str] = []

    def run(self) -> None:
        """Play until told to stop; what was begun is seen through."""
        with httpx.Client(headers=self.room.headers, verify=False, timeout=40) as line:
            number = 0
            while not self.stopped.is_set():
                number += 1
                if not self._roll(line, f"{self.label} {number}"):
                    return
                time.sleep(self.chance.random() * 0.1)  # the processor is for those who start, too

    def _roll(self, line: httpx.Client, key: str) -> bool:
        end = time.monotonic() + 90
        at = self.chance.choice(self.machines)
        while time.monotonic() < end:
            try:
                answer = line.post(
                    f"{at.url}/v1/games/{self.room.id}/act", json={"actions": ["roll"], "key": key, "since": 10**9}
                )
            except httpx.TransportError as error:
                self.answers[type(error).__name__] += 1
                at = self.chance.choice(self.machines)
                time.sleep(0.1)
                continue
            self.answers[answer.status_code] += 1
            if answer.status_code == 200:
                self.acknowledged[key] = answer.json()["position"]
                return True
            if answer.status_code not in (409, 503, 504, 507):
                break
            if answer.status_code >= 500:
                self.texts.add(answer.json()["message"])
                at = self.chance.choice(self.machines)
                time.sleep(0.1)
        self.wrong.append(f"{key}: {answer.status_code} {answer.text}" if "answer" in locals() else key)
        return False


class Crowd:
    """Clients that play in rooms at once, two in each, on all of the machines."""

    def __init__(self, rooms: Sequence[Room], machines: Sequence[Machine], each: int = 2) -> None:
        self.rooms = rooms
        self.stopped = threading.Event()
        self.clients = [
            Client(f"{room.id} {number}", room, machines, self.stopped) for room in rooms for number in range(each)
        ]

    def __enter__(self) -> Crowd:
        for client in self.clients:
            client.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        for client in self.clients:
            client.join(100)

    def done(self) -> int:
        """Return how many actions were acknowledged so far."""
        return sum(len(client.acknowledged) for client in self.clients)

    def answers(self) -> Counter[int | str]:
        """Return what the clients were answered, by status or by how the line broke."""
        return sum((client.answers for client in self.clients), Counter())

    def check(self, store: str) -> None:
        """See that the store has what was acknowledged, once each, and nothing else, and that every game is sound."""
        assert not any(client.is_alive() for client in self.clients)
        wrong = [text for client in self.clients for text in client.wrong]
        assert not wrong, wrong
        with open_store(store) as kept:
            library = Library[Game](kept)
            for room in self.rooms:
                game = library.game(room.id)
                told = {
                    key: at for client in self.clients if client.room is room for key, at in client.acknowledged.items()
                }
                recorded = [(event.key, at) for at, event in game.events() if getattr(event, "key", "")]
                assert len(recorded) == len(dict(recorded)), "an action is there twice"
                assert dict(recorded).keys() == told.keys(), "an action is missing, or nobody asked for it"
                rolls = sum(type(event).__name__ == "ActionTaken" for _, event in game.events())
                assert rolls == len(told)
                for key, at in recorded:
                    assert told[key] <= at
                    assert kept.find_key(room.id, key) == at
                assert library.audit(room.id).ok


def listened(listeners: Sequence[Listener], length: int, seconds: float = 20) -> None:
    """Wait until all have heard everything, each event once and in order."""
    until(lambda: all(len(one.positions) >= length for one in listeners), seconds)
    for one in listeners:
        assert one.positions == list(range(length))
