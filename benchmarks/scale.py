"""Records many small games into a store, archives and audits all of them, and watches the memory of all processes.

python benchmarks/scale.py 5000                         of Pig; --also RULESET makes one in fifty a game of another ruleset
python benchmarks/scale.py 100000 --different 5000      of so many different games: the others have the same log, as other games

Prints games a second and the most memory at any time (resident, of this process and its children together; pages that
they share count in each). Works where there is /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from measure import install_rulesets

MEGA = 2**20
ONE_IN = 50


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
def timed(what: str, games: int, told: list[dict[str, object]]) -> Iterator[None]:
    """Measure a part of the work and say what came of it."""
    start = time.perf_counter()
    with Watch() as watch:
        yield
    took = time.perf_counter() - start
    row = {
        "work": what,
        "games": games,
        "seconds": round(took, 1),
        "games_a_second": round(games / took),
        "peak_mb": round(watch.most / MEGA),
        "peak_mb_of_the_first_process": round(watch.mine / MEGA),
    }
    told.append(row)
    print(
        f"{what:28} {took:8.1f} s  {games / took:8.0f} games/s  {watch.most / MEGA:6.0f} MB in all, "
        f"{watch.mine / MEGA:.0f} MB in the first process",
        flush=True,
    )


def record(part: tuple[str, int, int, str, int]) -> int:
    """Have random bots play games, from one number up to before another, and record them in a store."""
    from warptape.replays.game import Game
    from warptape.replays.library import Library

    url, first, stop, also, goal = part
    with Library[Game](url) as library:
        for number in range(first, stop):
            other = also if number % ONE_IN == 0 else ""
            game = library.new(
                other or "pig",
                seed=f"scale {number}",
                name=f"game {number}",
                undo="free",
                options={} if other else {"goal": goal},
            )
            game.run(dict.fromkeys(game.seats, "random"), flush=1000)
    return stop - first


def multiply(url: str, there: int, games: int) -> None:
    """Put the games of a store on its shelf again and again, under other ids and names, until there are so many."""
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=5_000)
    parser.add_argument(
        "--folder", type=Path, help="where the store and the archive are made (default: temporary files)"
    )
    parser.add_argument("--different", type=int, help="how many of them are played (default: all)")
    parser.add_argument(
        "--also", metavar="RULESET", default="", help="one in fifty is a game of this ruleset, not of Pig"
    )
    parser.add_argument("--goal", type=int, default=20, help="how many points a game of Pig goes to (default: 20)")
    parser.add_argument("--jobs", type=int, help="processes (default: one a core)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures to a file as well")
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [install_rulesets(), os.environ.get("PYTHONPATH")]))

    from warptape.projections.archive import Archive, StoreSource
    from warptape.replays import audits
    from warptape.replays.processes import cores, in_order
    from warptape.replays.store import open_store

    jobs = given.jobs or cores()
    told: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="warptape-scale-", dir=given.folder) as name:
        folder = Path(name)
        url, out = str(folder / "games.db"), folder / "archive.db"
        open_store(url).close()
        different = min(given.different or given.games, given.games)
        parts = ((url, first, min(first + 50, different), given.also, given.goal) for first in range(0, different, 50))
        with timed("recorded by bots", different, told):
            assert sum(in_order(record, parts, jobs)) == different
        multiply(url, different, given.games)

        def follow() -> Callable[[], None]:
            with open_store(url) as store, Archive(out) as archive:
                followed = archive.follow(StoreSource(store, url), jobs=jobs)
            assert not followed.failed, followed.failed[:3]
            return lambda: print(f"  {followed.text()} Store {size(url)} MB, archive {size(out)} MB.", flush=True)

        for what in ("archive build", "archive build, nothing new"):
            with timed(what, given.games, told):
                say = follow()
            say()

        def tasks() -> Iterator[audits.Task]:
            with open_store(url) as store:
                for game, label in store.listed():
                    yield audits.Task(label, store=url, game=game)

        summary = audits.Summary()
        with timed("audit", given.games, told):
            for one in audits.run(tasks(), jobs):
                summary.add(one)
        print(f"  {summary.text()}")
    if given.json:
        given.json.write_text(json.dumps({"jobs": jobs, "rows": told}, indent=1) + "\n", encoding="utf-8")
    return 1 if summary.failed or summary.total != given.games else 0


def size(path: str | Path) -> int:
    """Megabytes of a file."""
    return round(os.path.getsize(path) / MEGA)


if __name__ == "__main__":
    sys.exit(main())
