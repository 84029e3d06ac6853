"""Records games of all rulesets into a store, archives and audits them, and watches the memory of all processes.

python benchmarks/scale.py 5000 --different 400           every ruleset in turn, by random bots
python benchmarks/scale.py 100000 --different 5000 --only pig --goal 5

Of the games `--different` are played; the others have the same logs under other ids and names. With `--folder` the store
and the archive stay there, and a run that was stopped goes on where it was. Prints games and events a second and the most
memory at any time (resident, of this process and its children together; pages that they share count in each). Works where
there is /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from measure import TESTED, install_rulesets

MEGA = 2**20
TOGETHER = 20
"""Games that one process records before it takes others."""


class Watch:
    """Looks at the memory of this process and its children again and again, while it is on."""

    def __init__(self) -> None:
        self.most = 0
        self.mine = 0
        self._stop = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.2):
            own = resident(os.getpid())
            self.mine = max(self.mine, own)
            self.most = max(self.most, own + sum(map(resident, children(os.getpid()))))


def resident(process: int) -> int:
    """Bytes that a process has in memory; 0 for one that has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def children(process: int) -> Iterator[int]:
    """The ids of all processes that a process has begun, and those of theirs."""
    for task in Path(f"/proc/{process}/task").iterdir():
        try:
            found = (task / "children").read_text().split()
        except OSError:
            continue
        for child in map(int, found):
            yield child
            yield from children(child)


@contextmanager
def timed(what: str, games: int, events: int, told: list[dict[str, object]]) -> Iterator[None]:
    """Measure a part of the work and say what came of it."""
    start, before = time.perf_counter(), sum(os.times()[:4])
    with Watch() as watch:
        yield
    took, used = time.perf_counter() - start, sum(os.times()[:4]) - before
    row = {
        "work": what,
        "games": games,
        "events": events,
        "seconds": round(took, 1),
        "processor_seconds": round(used, 1),
        "games_a_second": round(games / took),
        "events_a_second": round(events / took),
        "peak_mb": round(watch.most / MEGA),
        "peak_mb_of_the_first_process": round(watch.mine / MEGA),
    }
    told.append(row)
    print(
        f"{what:28} {took:8.1f} s ({used:.1f} s of processors)  {games / took:7.0f} games/s  {events / took:8.0f} events/s"
        f"  {watch.most / MEGA:6.0f} MB in all, {watch.mine / MEGA:.0f} MB in the first process",
        flush=True,
    )


def record(part: tuple[str, list[int], list[str], int]) -> int:
    """Have random bots play the games of some numbers, of each ruleset in turn, and record them in a store."""
    from warptape.replays.game import Game
    from warptape.replays.library import Library

    url, numbers, rulesets, goal = part
    with Library[Game](url) as library:
        for number in numbers:
            name = rulesets[number % len(rulesets)]
            options = {"goal": goal} if name == "pig" else {}
            game = library.new(name, seed=f"scale {number}", name=f"game {number}", undo="free", options=options)
            game.run(dict.fromkeys(game.seats, "random"), flush=1000)
    return len(numbers)


def counted(url: str) -> tuple[int, int, set[str], list[str]]:
    """How many games and events a store has, the names of its games, and the ids of those that are not over."""
    base = sqlite3.connect(url)
    names = {name for (name,) in base.execute("SELECT name FROM warptape_games WHERE name NOT LIKE '%-%'")}
    open_ = [id for (id,) in base.execute("SELECT id FROM warptape_games WHERE outcome = ''")]
    (games,) = base.execute("SELECT count(*) FROM warptape_games").fetchone()
    (events,) = base.execute("SELECT count(*) FROM stored_events").fetchone()
    base.close()
    return games, events, names, open_


def multiply(url: str, there: int, games: int) -> None:
    """Put the games of a store on its shelf again and again, under other ids and names, until there are so many.

    What a step puts in is there whole or not at all, so a run that was stopped goes on with the next.
    """
    base = sqlite3.connect(url)
    columns = [name for _, name, *_ in base.execute("PRAGMA table_info(warptape_games)") if name != "number"]
    chosen = ", ".join({"id": "id || ?1", "name": "name || ?1"}.get(name, name) for name in columns)
    while there < games:
        more, mark = min(there, games - there), f"-{there}"
        least = base.execute("SELECT id FROM warptape_games ORDER BY number LIMIT ?", (more,)).fetchall()
        base.execute("CREATE TEMP TABLE again AS SELECT id FROM warptape_games LIMIT 0")
        base.executemany("INSERT INTO again VALUES (?)", least)
        base.execute(
            f"INSERT INTO warptape_games ({', '.join(columns)}) SELECT {chosen} FROM warptape_games WHERE id IN again",
            (mark,),
        )
        base.execute(
            "INSERT INTO stored_events SELECT originator_id || ?, originator_version, topic, state FROM stored_events "
            "WHERE originator_id IN again",
            (mark,),
        )
        base.execute("DROP TABLE again")
        base.commit()
        there += more
    base.close()


@contextmanager
def folder_of(given: Path | None) -> Iterator[Path]:
    """The folder that was given, which stays, or one for this run alone."""
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="warptape-scale-") as name:
        yield Path(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=2_000)
    parser.add_argument("--folder", type=Path, help="where the store and the archive stay (default: temporary files)")
    parser.add_argument("--different", type=int, help="how many of them are played (default: all)")
    parser.add_argument(
        "--only", metavar="RULESET", action="append", help="games of this ruleset (default: all, Pig too)"
    )
    parser.add_argument("--goal", type=int, default=20, help="how many points a game of Pig goes to (default: 20)")
    parser.add_argument("--jobs", type=int, help="processes (default: one a core)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures to a file as well")
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [install_rulesets(), os.environ.get("PYTHONPATH")]))

    from warptape.domain.rules import installed
    from warptape.projections.archive import Archive, StoreSource
    from warptape.replays import audits
    from warptape.replays.processes import cores, in_order
    from warptape.replays.store import open_store

    jobs = given.jobs or cores()
    rulesets = given.only or [name for name in installed() if name not in TESTED - {"pig"}]
    told: list[dict[str, object]] = []
    with folder_of(given.folder) as folder:
        url, out = str(folder / "games.db"), folder / "archive.db"
        open_store(url).close()
        different = min(given.different or given.games, given.games)
        _, _, names, half = counted(url)
        if half:  # where a run was stopped
            with open_store(url) as store:
                for game in half:
                    names.discard(store.shelf(game).name)
                    store.delete(game)
        todo = [number for number in range(different) if f"game {number}" not in names]
        parts = [(url, todo[at : at + TOGETHER], rulesets, given.goal) for at in range(0, len(todo), TOGETHER)]
        if todo:
            with timed("recorded by bots", len(todo), 0, told):
                assert sum(in_order(record, parts, jobs)) == len(todo)
        there, events, *_ = counted(url)
        print(f"  {different:,} different games of {', '.join(rulesets)}; {events:,} events.", flush=True)
        multiply(url, there, given.games)
        games, events, *_ = counted(url)
        print(f"  {games:,} games, {events:,} events, a store of {size(url):,} MB; {jobs} processes.", flush=True)

        for what in ("archive build", "archive build, nothing new"):
            with timed(what, games, events, told), open_store(url) as store, Archive(out) as archive:
                followed = archive.follow(StoreSource(store, url), jobs=jobs)
            assert not followed.failed, followed.failed[:3]
            print(f"  {followed.text()} An archive of {size(out):,} MB.", flush=True)

        def tasks() -> Iterator[audits.Task]:
            with open_store(url) as store:
                for game, label in store.listed():
                    yield audits.Task(label, store=url, game=game)

        summary = audits.Summary()
        with timed("audit", games, events, told):
            for one in audits.run(tasks(), jobs):
                summary.add(one)
        print(f"  {summary.text()}")
    if given.json:
        given.json.write_text(json.dumps({"jobs": jobs, "rows": told}, indent=1) + "\n", encoding="utf-8")
    return 1 if summary.failed or summary.total != games else 0


def size(path: str | Path) -> int:
    """Megabytes of a file."""
    return round(os.path.getsize(path) / MEGA)


if __name__ == "__main__":
    sys.exit(main())
