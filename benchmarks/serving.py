"""The game service under load: 200 games and 400 clients on this machine, on PostgreSQL with two processes and on SQLite.

python benchmarks/serving.py                      both stores, five minutes each, then the ceiling of PostgreSQL's lock
python benchmarks/serving.py --quick              20 games, 15 seconds
python benchmarks/serving.py --store sqlite --games 50 --seconds 60 --rate 40

First the clients act as fast as they can, for a moment: what that gives is the ceiling of server and clients together.
Then they act at a rate (default: 60 in a hundred of the ceiling), which is what latencies are measured at. Every game is
audited afterwards. PostgreSQL is that of WARPTAPE_BENCH_POSTGRES (default: the database `test` of this machine); a schema
is made and dropped. Works where there is /proc.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import serving_appends
from measure import TESTED, Row, skipped, table
from scale import MEGA, children, resident
from serving_clients import Tally, play

POSTGRES = os.environ.get("WARPTAPE_BENCH_POSTGRES", "postgresql://127.0.0.1:5432/test")
TICK = os.sysconf("SC_CLK_TCK")
SHARE = 0.6
CLEAN = "no error, every acknowledged action once, clean audits"


@dataclass(frozen=True)
class Load:
    """What is asked of a service; `rate` is actions a second of all games together (None: a share of the ceiling)."""

    games: int = 200
    seconds: float = 300.0
    burst: float = 20.0
    rate: float | None = None
    clients: int = 2


QUICK = Load(games=20, seconds=15.0, burst=4.0, clients=1)


def used(process: int) -> float:
    """Seconds of processor that a process has used; 0 for one that has ended."""
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / TICK


class Meter:
    """Looks at processes again and again, while it is on: their memory, and the seconds of processor they use."""

    def __init__(self, server: int, backends: Any) -> None:
        self.server, self.backends = server, backends
        self.memory: dict[int, int] = {}
        self.spent: dict[str, dict[int, list[float]]] = {"server": {}, "database": {}}
        self._stop = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Meter:
        self._look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._look()

    def _run(self) -> None:
        while not self._stop.wait(1.0):
            self._look()

    def _look(self) -> None:
        for name, found in (("server", [self.server, *children(self.server)]), ("database", self.backends())):
            for process in found:
                if name == "server":
                    self.memory[process] = max(self.memory.get(process, 0), resident(process))
                now = used(process)
                span = self.spent[name].setdefault(process, [now, now])
                span[1] = max(now, span[1])

    def seconds(self, name: str) -> float:
        """Seconds of processor that the server, or the processes of the database for it, have used meanwhile."""
        return sum(last - first for first, last in self.spent[name].values())

    def resident(self) -> list[float]:
        """The most megabytes of each process that serves, the largest first."""
        return sorted((size / MEGA for size in self.memory.values()), reverse=True)


@contextmanager
def database(name: str, folder: Path) -> Iterator[tuple[str, Any]]:
    """Give the URL of an empty store, and a function that lists the database's own processes for it."""
    if name == "sqlite":
        yield str(folder / f"{secrets.token_hex(4)}.db"), list
        return
    import psycopg

    mark = f"serving_{secrets.token_hex(4)}"
    with psycopg.connect(POSTGRES, autocommit=True) as connection:

        def backends() -> list[int]:
            rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE application_name = %s", (mark,))
            return [pid for (pid,) in rows.fetchall()]

        try:
            yield f"{POSTGRES}{'&' if '?' in POSTGRES else '?'}schema={mark}&application_name={mark}", backends
        finally:
            connection.execute(f"DROP SCHEMA IF EXISTS {mark} CASCADE")


@contextmanager
def served(url: str, workers: int, folder: Path) -> Iterator[tuple[int, str, int, str]]:
    """Run `warptape serve` with no limit of rates: gives its process, host, port and the host's token."""
    token = folder / f"{secrets.token_hex(4)}.token"
    words = ["--port", "0", "--workers", str(workers), "--host-token-file", str(token), "--rate", "0"]
    command = [sys.executable, "-m", "warptape", "--store", url, "serve", *words, "--address-rate", "0"]
    with (folder / "serve.log").open("ab") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        address = next((word for line in process.stdout for word in line.split() if word.startswith("http://")), "")
        if not address:
            raise RuntimeError(f"The service did not start: {(folder / 'serve.log').read_text()[-500:]}")
        where = urlsplit(address)
        yield process.pid, where.hostname or "", where.port or 0, token.read_text().strip()
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(60)
        process.kill()
        process.stdout.close()


def mix(games: int) -> list[tuple[int, str]]:
    """The rulesets that are installed to be played, in turn."""
    from warptape.domain.rules import installed

    found = [name for name in installed() if name not in TESTED]
    return [(number, found[number % len(found)]) for number in range(games)]


class Crowd:
    """The processes of the clients."""

    def __init__(self, load: Load, host: str, port: int, token: str) -> None:
        context = multiprocessing.get_context("spawn")
        everything = mix(load.games)
        self.pipes, self.processes = [], []
        for number in range(load.clients):
            mine, theirs = context.Pipe()
            plan = {"host": host, "port": port, "token": token, "tables": everything[number :: load.clients]}
            process = context.Process(target=play, args=(theirs, plan), daemon=True)
            process.start()
            theirs.close()
            self.pipes.append(mine)
            self.processes.append(process)
        self.opened = _together(self._answers())

    def _answers(self) -> list[Any]:
        found = [pipe.recv() for pipe in self.pipes]
        for one in found:
            if isinstance(one, str):
                raise RuntimeError(f"A client failed: {one}")
        return found

    def stage(self, rate: float, seconds: float) -> Tally:
        """Have all clients act at a rate in all (0: as fast as they can)."""
        for pipe in self.pipes:
            pipe.send((rate / len(self.pipes), seconds))
        return _together(self._answers())

    def end(self) -> dict[str, int]:
        """End, and return how many actions of each game were acknowledged."""
        for pipe in self.pipes:
            pipe.send(None)
        found = {game: count for one in self._answers() for game, count in one.items()}
        for process in self.processes:
            process.join(30)
            process.kill()
        return found


def _together(found: list[dict[str, Any]]) -> Tally:
    whole = Tally()
    for one in found:
        for each in fields(Tally):
            setattr(whole, each.name, getattr(whole, each.name) + one[each.name])
    return whole


def checked(url: str, done: dict[str, int]) -> tuple[list[str], int]:
    """Audit every game, and count its keys: returns what is wrong, and the number of events."""
    from warptape.replays import audits
    from warptape.replays.processes import cores
    from warptape.replays.store import open_store

    with open_store(url) as store:
        with store.transaction(write=False) as cursor:
            cursor.execute("SELECT game, COUNT(*) FROM warptape_keys GROUP BY game")
            keys = {str(game): count for game, count in cursor.fetchall()}
        events = sum(store.lengths(list(done)).values())
        tasks = [audits.Task(label, store=url, game=game) for game, label in store.listed()]
    wrong = [
        f"{game}: {count} actions acknowledged, {keys.get(game, 0)} recorded"
        for game, count in done.items()
        if keys.get(game, 0) != count
    ]
    if len(tasks) != len(done):
        wrong.append(f"{len(tasks)} games where {len(done)} were begun")
    wrong += [str(one) for one in audits.run(tasks, cores()) if not one.ok]
    return wrong, events


def measure(name: str, workers: int, load: Load, folder: Path) -> Row:
    """Play on one kind of store and return what was measured."""
    what = f"serve {load.games} games to {2 * load.games} clients, {name}, {workers} process{'es' * (workers > 1)}"
    try:
        opened = database(name, folder)
        url, backends = opened.__enter__()
    except Exception as error:
        return skipped(what, CLEAN, f"no {name} here ({type(error).__name__})")
    try:
        with served(url, workers, folder) as (server, host, port, token):
            crowd = Crowd(load, host, port, token)
            with Meter(server, backends) as hurry:
                burst = crowd.stage(0, load.burst)
            ceiling = len(burst.acts) / load.burst
            rate = load.rate or SHARE * ceiling
            busy = os.getloadavg()[0]
            began = time.perf_counter()
            with Meter(server, backends) as meter:
                tally = crowd.stage(rate, load.seconds)
            took = time.perf_counter() - began
            done = crowd.end()
        wrong, events = checked(url, done)
    finally:
        opened.__exit__(None, None, None)
    errors = [*crowd.opened.errors, *burst.errors, *tally.errors]
    acts = len(tally.acts)
    act, look, heard = (_spread(found) for found in (tally.acts, tally.looks, tally.heard))
    memory = [size for size in meter.resident() if size > 1][: workers + (workers > 1)]
    figures: dict[str, float] = {
        "actions_a_second": acts / took,
        "asked_for_a_second": rate,
        "ceiling_actions_a_second": ceiling,
        **{f"{what}_{part}_ms": value for what, found in (("act", act), ("look", look), ("heard", heard)) for part, value in found.items()},
        "ceiling_act_p50_ms": _spread(burst.acts)["p50"],
        "games": len(done),
        "finished": burst.finished + tally.finished,
        "events": events,
        "conflicts": burst.conflicts + tally.conflicts,
        "sent_again": burst.again + tally.again,
        "errors": len(errors),
        "unsound": len(wrong),
        "server_ms_an_action": 1000 * meter.seconds("server") / max(1, acts),
        "database_ms_an_action": 1000 * meter.seconds("database") / max(1, acts),
        "client_ms_an_action": 1000 * tally.processor / max(1, acts),
        "ceiling_server_ms_an_action": 1000 * hurry.seconds("server") / max(1, len(burst.acts)),
        "client_share": tally.processor / max(0.001, tally.processor + meter.seconds("server") + meter.seconds("database")),
        "load_average": busy,
        **{f"process_{number}_mb": size for number, size in enumerate(memory)},
    }  # fmt: skip
    for one in [*errors[:5], *wrong[:5]]:
        print(f"  {one}", file=sys.stderr)
    told = (
        f"{acts / took:.0f} actions/s (ceiling {ceiling:.0f}); an action p50 {act['p50']:.0f} ms, p99 {act['p99']:.0f} ms;"
        f" heard after p50 {heard['p50']:.0f} ms, p99 {heard['p99']:.0f} ms; {' + '.join(f'{size:.0f}' for size in memory)} MB;"
        f" processor an action: server {figures['server_ms_an_action']:.1f} ms, database {figures['database_ms_an_action']:.1f} ms,"
        f" clients {figures['client_ms_an_action']:.1f} ms ({figures['client_share']:.0%} of all); {len(errors)} errors,"
        f" {figures['conflicts']:.0f} conflicts, {len(done)} games audited, {len(wrong)} unsound; load {busy:.1f}"
    )
    return Row(what, CLEAN, told, not errors and not wrong and acts > 0, figures)


def _spread(seconds: list[float]) -> dict[str, float]:
    if len(seconds) < 2:
        return {"p50": 0.0, "p99": 0.0, "most": 0.0}
    cut = quantiles(seconds, n=100)
    return {"p50": 1000 * cut[49], "p99": 1000 * cut[98], "most": 1000 * max(seconds)}


STORES = {"postgresql": 2, "sqlite": 1}


def rows(folder: Path, quick: bool, load: Load | None = None, stores: dict[str, int] = STORES) -> list[Row]:
    """Every row: the service on each kind of store, and how many appends a second each gives to several writers."""
    found = [measure(name, workers, load or (QUICK if quick else Load()), folder) for name, workers in stores.items()]
    for name in stores:
        with suppress_missing(name, found), database(name, folder) as (url, _):
            found += serving_appends.rows(name, url, 0.3 if quick else 3.0)
    return found


@contextmanager
def suppress_missing(name: str, found: list[Row]) -> Iterator[None]:
    """Put a row that says so where a database is not there."""
    try:
        yield
    except Exception as error:
        if any(row.met is not None and name in row.work for row in found):
            raise
        found.append(skipped(f"append, {name}", "(none)", f"no {name} here ({type(error).__name__})"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="20 games, 15 seconds")
    parser.add_argument("--store", choices=[*STORES], help="this kind only (default: both)")
    parser.add_argument("--workers", type=int, help="processes that serve (default: 2 on PostgreSQL, 1 on SQLite)")
    parser.add_argument("--games", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--burst", type=float, help="seconds as fast as they can")
    parser.add_argument("--rate", type=float, help="actions a second (default: 60 in a hundred of the ceiling)")
    parser.add_argument("--clients", type=int, help="processes of clients")
    parser.add_argument("--appends", action="store_true", help="only the appends to the store")
    parser.add_argument("--folder", type=Path, help="where the stores are made")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures to a file as well")
    given = parser.parse_args()
    usual = QUICK if given.quick else Load()
    load = Load(*(default if (value := getattr(given, one.name)) is None else value for one in fields(Load) for default in [getattr(usual, one.name)]))  # fmt: skip
    stores = {name: given.workers or workers for name, workers in STORES.items() if given.store in (None, name)}
    with tempfile.TemporaryDirectory(prefix="warptape-serving-", dir=given.folder) as name:
        if given.appends:
            found = []
            for kind in stores:
                with database(kind, Path(name)) as (url, _):
                    found += serving_appends.rows(kind, url, 0.3 if given.quick else 3.0)
        else:
            found = [measure(kind, workers, load, Path(name)) for kind, workers in stores.items()]
    print(table(found))
    if given.json:
        given.json.write_text(json.dumps({"rows": [row.told() for row in found]}, indent=1) + "\n", encoding="utf-8")
    return 1 if any(row.met is False for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
