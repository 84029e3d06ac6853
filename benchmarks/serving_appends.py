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
from typing import Any

from measure import Row

WRITERS = (1, 2, 4, 8)
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


def write(url: str, way: str, start: Any, seconds: float, found: Any) -> None:
    """Append to a game of one's own, for so many seconds, and say how many times."""
    from warptape.replays.game import Game
    from warptape.replays.library import Library
    from warptape.replays.shelf import Row as Event

    with _opened(url, way) as store:
        game = Library[Game](store).new("space-marine-adventures", seed="append")
        length, count = game.length, 0
        start.wait()
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            events = [Event(length + number, "ActionTaken", DATA) for number in range(BATCH)]
            store.append(game.id, length, events, head="head", changed="2026", keys={f"key {count}": length})
            length, count = length + BATCH, count + 1
        found.put(count)


def rate(url: str, way: str, writers: int, seconds: float) -> float:
    """Appends a second of so many writers together."""
    context = multiprocessing.get_context("spawn")
    start, found = context.Barrier(writers), context.Queue()
    processes = [context.Process(target=write, args=(url, way, start, seconds, found)) for _ in range(writers)]
    for process in processes:
        process.start()
    counts = [found.get(timeout=120 + seconds) for _ in processes]
    for process in processes:
        process.join()
    return float(sum(counts)) / seconds


def rows(name: str, url: str, seconds: float) -> list[Row]:
    """A row for each way to insert."""
    from warptape.replays.store import open_store

    result = []
    with open_store(url) as store:
        if name == "postgresql":
            recorder: Any = getattr(store, "recorder")  # noqa: B009
            with recorder.datastore.get_connection() as connection:
                connection.execute(recorder.sql_create_pg_function_insert_events)
    for title, way in WAYS.items() if name == "postgresql" else [("as it is", "")]:
        figures = {f"writers_{writers}": rate(url, way, writers, seconds) for writers in WRITERS}
        told = ", ".join(f"{value:.0f}" for value in figures.values())
        result.append(
            Row(f"append, {name}, {title}", "(none)", f"{told} a second with 1, 2, 4, 8 writers", None, figures)
        )
    return result
