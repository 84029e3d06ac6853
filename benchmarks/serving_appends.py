"""How many appends a second a store takes from several processes, each on a game of its own; on PostgreSQL with and without
what the eventsourcing library does around each insert.

Around an insert the library locks its table of events against other inserts until the transaction is on disk, and sends
a NOTIFY, for which PostgreSQL holds a lock of its own while it commits. Both serve those who follow: numbers of the
notification log become visible in their order. The library's own insert function, which this store does not use, sends
the NOTIFY and takes no lock.
"""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.connection import Connection
from statistics import median
from typing import Any

from measure import TESTED, Row

WRITERS = (1, 2, 4, 8)
ROUNDS = 3
BATCH = 3
"""Events of one append: as many as an action has, about."""
DATA = b'{"type":"ActionTaken","seat":"one","action":{"type":"Step","to":"d12"},"time":"2026-01-01T00:00:00Z"}' * 3
WAYS = {
    "as it is": "",
    "no lock": "lock",
    "no lock, no NOTIFY": "lock notify",
    "the library's insert function": "function",
}


def _opened(url: str, way: str) -> Any:
    """A store that leaves out some of what it does around an insert."""
    from warptape.replays.store import open_store

    store: Any = open_store(url)
    if "lock" in way:
        store.recorder.lock_table_statements = []
    if "notify" in way:
        store.recorder._notify_channel = lambda _: None
    if way == "function":
        from eventsourcing.persistence import StoredEvent

        recorder = store.recorder

        def insert(cursor: Any, game: str, rows: Any) -> None:
            events = [
                recorder.construct_pg_stored_event(one.originator_id, one.originator_version, one.topic, one.state)
                for one in (StoredEvent(game, *row) for row in rows)
            ]
            cursor.raw.execute(recorder.sql_invoke_pg_function_insert_events, (events,), prepare=True)
            cursor.sync()

        store._insert = insert
    return store


def write(pipe: Connection, url: str) -> None:
    """Append to a game of one's own in each way that the pipe brings, for so many seconds from a moment on; say how often."""
    from warptape.domain.rules import installed
    from warptape.replays.game import Game
    from warptape.replays.library import Library
    from warptape.replays.shelf import Row as Event

    stores = {way: _opened(url, way) for way in WAYS.values() if not way or url.startswith("postgres")}
    game = Library[Game](stores[""]).new(next(name for name in installed() if name not in TESTED))
    length, count = game.length, 0
    pipe.send(0)
    while (told := pipe.recv()) is not None:
        way, begin, seconds = told
        store, first = stores[way], count
        time.sleep(max(0.0, begin - time.monotonic()))
        while time.monotonic() < begin + seconds:
            events = [Event(length + number, "ActionTaken", DATA) for number in range(BATCH)]
            store.append(game.id, length, events, head="head", changed="2026", keys={f"key {count}": length})
            length, count = length + BATCH, count + 1
        pipe.send(count - first)
    for store in stores.values():
        store.close()


def rows(name: str, url: str, seconds: float) -> list[Row]:
    """A row for each way to insert: appends a second by the number of writers, the median of rounds in turns."""
    from warptape.replays.store import open_store

    with open_store(url) as store:
        if name == "postgresql":
            recorder: Any = getattr(store, "recorder")  # noqa: B009
            with recorder.datastore.get_connection() as connection:
                connection.execute(recorder.sql_create_pg_function_insert_events)
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for _ in range(max(WRITERS)):
        mine, theirs = context.Pipe()
        process = context.Process(target=write, args=(theirs, url), daemon=True)
        process.start()
        theirs.close()
        pipes.append(mine)
        processes.append(process)
    for pipe in pipes:
        pipe.recv()
    ways = WAYS if name == "postgresql" else {"as it is": ""}
    found: dict[tuple[str, int], list[float]] = {(title, writers): [] for title in ways for writers in WRITERS}
    for _ in range(ROUNDS):
        for title, writers in found:
            told = (ways[title], time.monotonic() + 0.1, seconds)
            for pipe in pipes[:writers]:
                pipe.send(told)
            found[title, writers].append(sum(pipe.recv() for pipe in pipes[:writers]) / seconds)
    for pipe, process in zip(pipes, processes, strict=True):
        pipe.send(None)
        process.join(10)
        process.kill()
    result = []
    for title in ways:
        figures = {f"writers_{writers}": median(found[title, writers]) for writers in WRITERS}
        said = ", ".join(f"{value:.0f}" for value in figures.values())
        result.append(
            Row(f"append, {name}, {title}", "(none)", f"{said} a second with 1, 2, 4, 8 writers", None, figures)
        )
    return result
