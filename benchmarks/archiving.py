"""The archive's rate: games made into rows and put in, against executemany of the same rows into the same tables."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import Any

from measure import TESTED, Row, in_turns

from warptape.domain.rules import installed
from warptape.projections.archive import TABLES, Archive, StoreSource
from warptape.projections.archive.build import ROWS_A_TRANSACTION
from warptape.projections.archive.tables import BY_NAME
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.processes import cores

_numbers = count()


def recorded(library: Library[Game], games: int) -> None:
    """Games of every ruleset by its random bots, of Pig twice as many."""
    for name in installed():
        if name not in TESTED - {"pig"}:
            for number in range(games * (2 if name == "pig" else 1)):
                game = library.new(name, seed=f"{name} {number}", undo="free")
                game.run(dict.fromkeys(game.seats, "random"), flush=1000)


def batches(path: Path) -> list[dict[str, list[tuple[Any, ...]]]]:
    """The rows of an archive, as many at a time as it puts in."""
    connection = sqlite3.connect(path)
    found: list[dict[str, list[tuple[Any, ...]]]] = []
    games = (game for (game,) in connection.execute("SELECT id FROM games ORDER BY rowid").fetchall())
    while some := list(islice(games, 20)):
        places = ", ".join("?" * len(some))
        rows = {}
        for table in TABLES:
            key = "id" if table.name == "games" else "game"
            sql = f"SELECT * FROM [{table.name}] WHERE [{key}] IN ({places}) ORDER BY rowid"
            rows[table.name] = connection.execute(sql, some).fetchall()
        found.append(rows)
    connection.close()
    return found


def raw(path: Path, parts: list[dict[str, list[tuple[Any, ...]]]]) -> float:
    """Seconds to put rows into the archive's own tables, indexes and full-text search, and nothing else."""
    archive = Archive(path)
    run, many = archive.connection.execute, archive.connection.executemany
    start = time.perf_counter()
    run("BEGIN")
    open_rows = 0
    for rows in parts:
        last = run("SELECT ifnull(max(id), 0) FROM story").fetchone()
        for name, some in rows.items():
            many(BY_NAME[name].insert(), some)
            open_rows += len(some)
        run("INSERT INTO story_fts (rowid, text) SELECT id, text FROM story WHERE id > ?", last)
        if open_rows >= ROWS_A_TRANSACTION:
            run("COMMIT")
            run("BEGIN")
            open_rows = 0
    run("COMMIT")
    archive.close()
    return time.perf_counter() - start


def built(path: Path, library: Library[Game], url: str, jobs: int) -> float:
    """Seconds to build an archive of a store."""
    start = time.perf_counter()
    with Archive(path) as archive:
        followed = archive.follow(StoreSource(library.store, url), jobs=jobs)
    took = time.perf_counter() - start  # as with the other, with what closing the file takes
    assert not followed.failed, followed.failed
    return took


def processor() -> float:
    """Seconds of processor time of this process and of those that it began and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def rows(folder: Path, quick: bool) -> list[Row]:
    """All rows about archives."""
    url = str(folder / "archived.db")
    library = Library[Game](url)
    recorded(library, 10 if quick else 40)

    def new() -> Path:
        for old in folder.glob("archive-*"):
            os.unlink(old)
        return folder / f"archive-{next(_numbers)}.db"

    path = new()
    built(path, library, url, 1)
    parts = batches(path)
    total = sum(len(some) for rows in parts for some in rows.values())
    jobs = cores()
    used: dict[str, list[float]] = {"ours": [], "alone": [], "raw": []}

    def timed(name: str, work: Callable[[], float]) -> Callable[[], float]:
        def call() -> float:
            before = processor()
            took = work()
            used[name].append(processor() - before)
            return took

        return call

    figures = in_turns(
        3 if quick else 5,
        ours=timed("ours", lambda: built(new(), library, url, jobs)),
        alone=timed("alone", lambda: built(new(), library, url, 1)),
        raw=timed("raw", lambda: raw(new(), parts)),
    )
    library.close()
    each = {name: seconds / total for name, seconds in figures.items()}
    each |= {f"processor_{name}": median(seconds) / total for name, seconds in used.items()}
    speed, alone = each["raw"] / each["ours"], each["raw"] / each["alone"]
    # What waited for other work on the machine is not in this. Each round's own ratio: a slow minute hits both alike.
    work = median(theirs / mine for theirs, mine in zip(used["raw"], used["alone"], strict=True))
    return [
        Row(
            f"archive of {total:,} rows, {jobs} processes, against executemany of the same rows",
            "at least 0.4 of the raw speed",
            f"{speed:.2f} ({each['ours'] * 1e6:.1f} µs against {each['raw'] * 1e6:.1f} µs a row); one process {alone:.2f}, "
            f"by processor time {work:.2f} ({each['processor_alone'] * 1e6:.1f} and {each['processor_raw'] * 1e6:.1f} µs)",
            max(speed, work) >= 0.4,
            {
                "ratio": speed, "ratio_alone": alone, "ratio_of_processor_time": work, "rows": total, "jobs": jobs, **each,
            },
        )
    ]  # fmt: skip
