"""The clients of `serving.py`: they play games over HTTP and measure, in a process of their own.

Plain asyncio streams and msgspec, so that the clients take little of the machine: httpx needs 0.4 ms of processor time for a
request of which nothing goes over a line.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import msgspec

PATIENCE = 60.0
"""Seconds after which an answer that does not come is an error."""
PAGE = 100


@dataclass
class Tally:
    """What happened in one stage; times are in seconds. `processor` is this process's."""

    acts: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    conflicts: int = 0
    again: int = 0
    finished: int = 0
    processor: float = 0.0


class Offer(msgspec.Struct):
    notation: str


class Offers(msgspec.Struct):
    position: int
    all: int
    actions: list[Offer]


class Turn(msgspec.Struct):
    seat: str


class Answered(msgspec.Struct):
    length: int
    decision: Turn | None = None


class Told(msgspec.Struct):
    rows: list[msgspec.Raw]
    length: int
    decision: Turn | None = None


_offers = msgspec.json.Decoder(Offers).decode
_answered = msgspec.json.Decoder(Answered).decode
_told = msgspec.json.Decoder(Told).decode
_place = msgspec.json.Decoder(tuple[int, str, msgspec.Raw, msgspec.Raw]).decode


class Line:
    """A connection that is kept: one request after another."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self.host, self.port = host, port
        self.head = f"Host: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.again = 0

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, bytes]:
        """Return status and body of an answer; sent once more where the server had closed the kept connection."""
        for attempt in (0, 1):
            fresh = self.writer is None or self.writer.is_closing() or self.reader is None or self.reader.at_eof()
            try:
                async with asyncio.timeout(PATIENCE):
                    if fresh:
                        await self.close()
                        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=2**22)
                    await self.send(method, path, body)
                    return await self._answer()
            except (ConnectionError, asyncio.IncompleteReadError):
                await self.close()
                if fresh or attempt:
                    raise
                self.again += 1
        raise AssertionError

    async def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> None:
        """Send a request."""
        assert self.writer is not None
        data = b"" if body is None else msgspec.json.encode(body)
        kind = "" if body is None else f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}{kind}\r\n".encode() + data)
        await self.writer.drain()

    async def head_of(self) -> tuple[int, dict[str, str]]:
        """Return the status and the headers of an answer."""
        assert self.reader is not None
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        return int(first.split(" ", 2)[1]), headers

    async def _answer(self) -> tuple[int, bytes]:
        assert self.reader is not None
        status, headers = await self.head_of()
        if "content-length" in headers:
            return status, await self.reader.readexactly(int(headers["content-length"]))
        parts = []
        while part := await self.chunk():
            parts.append(part)
        return status, b"".join(parts)

    async def chunk(self) -> bytes:
        """Return the next piece of an answer that is sent in pieces; empty at its end."""
        assert self.reader is not None
        size = int(await self.reader.readuntil(b"\r\n"), 16)
        data = await self.reader.readexactly(size)
        await self.reader.readexactly(2)
        return data

    async def close(self) -> None:
        """Close the connection."""
        if self.writer is not None:
            self.writer.close()
            with contextlib.suppress(ConnectionError):
                await self.writer.wait_closed()
        self.reader = self.writer = None


class Player:
    """One client: a token, a line to act on, and a stream of what happens."""

    def __init__(self, table: Table, number: int, seat: str, token: str) -> None:
        self.table, self.number, self.seat = table, number, seat
        plan = table.plan
        self.line, self.stream = (Line(plan["host"], plan["port"], token) for _ in range(2))
        self.next = 0
        self.turn = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Open the stream and wait until it has told of the game so far."""
        stream = self.stream
        stream.reader, stream.writer = await asyncio.open_connection(stream.host, stream.port, limit=2**24)
        await stream.send("GET", f"{self.table.path}/events?after=-1")
        status, _ = await stream.head_of()
        if status != 200:
            raise RuntimeError(f"events: {status}")
        ready = asyncio.Event()
        self.tasks.append(asyncio.create_task(self._listen(ready)))
        async with asyncio.timeout(PATIENCE):
            await ready.wait()
        self.tasks.append(asyncio.create_task(self._play()))

    async def close(self) -> None:
        """End both."""
        mine = asyncio.current_task()
        for task in self.tasks:
            if task is not mine:
                task.cancel()
        await self.line.close()
        await self.stream.close()

    async def _listen(self, ready: asyncio.Event) -> None:
        kept = b""
        try:
            while part := await self.stream.chunk():
                kept += part
                while (end := kept.find(b"\n\n")) >= 0:
                    event, kept = kept[:end], kept[end + 2 :]
                    if b"event: rows\n" in event:
                        self._hear(_told(event.partition(b"\ndata: ")[2]))
                        ready.set()
            raise ConnectionError("the stream ended")
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self.table.fault(f"stream: {error!r}")

    def _hear(self, told: Told) -> None:
        table = self.table
        first = _place(told.rows[0])[0]
        if first != self.next or first + len(told.rows) != told.length:
            table.fault(f"stream: rows {first} to {told.length} where {self.next} was due")
        self.next = told.length
        if table.sent and table.actor is not self and told.length > table.before:
            table.tally.heard.append(time.perf_counter() - table.sent)
            table.sent = 0.0
        table.stands(told.length, told.decision)

    async def _play(self) -> None:
        table = self.table
        while True:
            await self.turn.wait()
            stage = await table.plan["stages"].due(table)
            if not self.turn.is_set() or stage is None:
                continue
            self.turn.clear()
            table.busy = True
            try:
                await self._act()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                table.fault(f"act: {error!r}")
            finally:
                table.busy = False
            if table.over:
                await table.again()
                return

    async def _act(self) -> None:
        table, tally = self.table, self.table.tally
        began = time.perf_counter()
        status, data = await self.line.ask("GET", f"{table.path}/actions?limit={PAGE}")
        tally.looks.append(time.perf_counter() - began)
        if status != 200:
            raise RuntimeError(f"actions: {status} {data[:200]!r}")
        offers = _offers(data)
        if not offers.all:
            table.stands(table.length, table.decision)  # somebody was quicker
            return
        number = table.dice.randrange(offers.all)
        if number >= PAGE:
            _, data = await self.line.ask("GET", f"{table.path}/actions?limit=1&offset={number}")
            number = 0
            offers.actions = _offers(data).actions
        before = table.length
        body = {
            "actions": [offers.actions[number].notation],
            "key": f"{table.game} {before} {self.number}",
            "expect": offers.position,
        }
        table.before, table.actor, table.sent = before, self, time.perf_counter()
        began = table.sent
        status, data = await self.line.ask("POST", f"{table.path}/act", body)
        took = time.perf_counter() - began
        tally.again += self.line.again
        self.line.again = 0
        if status == 200:
            tally.acts.append(took)
            table.done[table.game] = table.done.get(table.game, 0) + 1
            found = _answered(data)
            table.stands(found.length, found.decision)
        elif status == 409:
            tally.conflicts += 1
            table.stands(table.length, table.decision)
        else:
            raise RuntimeError(f"act: {status} {data[:300]!r}")


class Table:
    """A game and its two clients; when it is over, another one begins in its place."""

    def __init__(self, plan: dict[str, Any], number: int, ruleset: str) -> None:
        self.plan, self.number, self.ruleset = plan, number, ruleset
        self.dice = random.Random(f"serving {number}")
        self.host = Line(plan["host"], plan["port"], plan["token"])
        self.done: dict[str, int] = plan["done"]
        self.next_at = 0.0
        self.round = 0
        self.busy = False
        self.players: list[Player] = []

    @property
    def tally(self) -> Tally:
        """The counts of the stage that runs."""
        found: Tally = self.plan["stages"].tally
        return found

    def fault(self, what: str) -> None:
        """Count an error."""
        self.tally.errors.append(f"{self.ruleset}, game {self.game}: {what}")

    async def open(self) -> None:
        """Start the game: two seats with a token each, or one seat that its token and a seeing arbiter's share."""
        self.round += 1
        self.length, self.before, self.sent, self.over = 0, 0, 0.0, False
        self.actor: Player | None = None
        self.decision: Turn | None = None
        self.game = "(none)"
        made = await self._post("/v1/games", {"ruleset": self.ruleset, "seed": f"serving {self.number} {self.round}"})
        self.game = made["game"]["id"]
        self.path = f"/v1/games/{self.game}"
        self.done.setdefault(self.game, 0)
        tokens = []
        for seat, code in made["invitations"].items():
            joined = await self._post("/v1/join", {"invitation": code, "name": f"client {self.number} {seat}"})
            tokens.append((seat, joined["token"]))
        self.alone = len(tokens) == 1
        if self.alone:
            tokens.append((tokens[0][0], made["arbiter"]))
        self.players = [Player(self, number, seat, token) for number, (seat, token) in enumerate(tokens)]
        for player in self.players:
            await player.open()

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        status, data = await self.host.ask("POST", path, body)
        if status not in (200, 201):
            raise RuntimeError(f"{path}: {status} {data[:300]!r}")
        return msgspec.json.decode(data)

    def stands(self, length: int, decision: Turn | None) -> None:
        """Take up where the game stands; whose turn it is acts."""
        if length < self.length:
            return
        self.length, self.decision, self.over = length, decision, decision is None
        for player in self.players:
            mine = decision is not None and decision.seat == player.seat
            if mine and (not self.alone or length % 2 == player.number):
                player.turn.set()
            else:
                player.turn.clear()

    async def again(self) -> None:
        """Begin another game in the place of one that is over."""
        self.tally.finished += 1
        for player in self.players:
            await player.close()
        try:
            await self.open()
        except Exception as error:
            self.fault(f"start: {error!r}")


class Stages:
    """When the clients act: in a stage, each game once in `games / rate` seconds on average, or as fast as it goes."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.tally = Tally()
        self.running = asyncio.Event()
        self.rate = 0.0

    async def due(self, table: Table) -> Tally | None:
        """Wait until a game may go on; None where the stage has ended meanwhile."""
        await self.running.wait()
        if self.rate > 0:
            every = self.games / self.rate
            now = time.monotonic()
            table.next_at = max(now, table.next_at + every * table.dice.uniform(0.5, 1.5))
            await asyncio.sleep(table.next_at - now)
        return self.tally if self.running.is_set() else None

    async def run(self, tables: list[Table], rate: float, seconds: float) -> Tally:
        """Play for so many seconds; what was begun is finished."""
        self.tally, self.rate = Tally(), rate
        for table in tables:
            table.next_at = time.monotonic() - (table.dice.random() * self.games / rate if rate > 0 else 0)
        used = time.process_time()
        self.running.set()
        await asyncio.sleep(seconds)
        self.running.clear()
        until = time.monotonic() + PATIENCE
        while any(table.busy for table in tables) and time.monotonic() < until:
            await asyncio.sleep(0.02)
        self.tally.processor = time.process_time() - used
        return self.tally


async def _serve(pipe: Connection, plan: dict[str, Any]) -> None:
    plan["done"] = {}
    stages = plan["stages"] = Stages(len(plan["tables"]))
    tables = [Table(plan, number, ruleset) for number, ruleset in plan["tables"]]
    for at in range(0, len(tables), 5):
        await asyncio.gather(*(table.open() for table in tables[at : at + 5]))
    pipe.send(asdict(stages.tally))
    while (told := await asyncio.to_thread(pipe.recv)) is not None:
        pipe.send(asdict(await stages.run(tables, *told)))
    for table in tables:
        for player in table.players:
            await player.close()
    pipe.send(plan["done"])


def play(pipe: Connection, plan: dict[str, Any]) -> None:
    """Open the games of a plan, then run each stage `(rate, seconds)` that the pipe brings, until it brings None."""
    try:
        asyncio.run(_serve(pipe, plan))
    except Exception as error:
        pipe.send(repr(error))
        raise
