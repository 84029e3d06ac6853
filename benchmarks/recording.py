"""The budgets of recorded games: recording, replay, any position, forks; each beside sqlite3 and msgspec alone."""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path
from statistics import median, quantiles

import msgspec
import watching
from measure import TESTED, Row, in_turns, plans, ratio

from warptape.domain.rules import installed, ruleset
from warptape.domain.secrets import Disclosure
from warptape.replays.game import Game
from warptape.replays.library import Library

ROUNDS = 9
OPTIONS = {"goal": 1000}


def long_game(library: Library[Game], name: str, length: int) -> Game:
    """A game of Pig of some length in events, on one line that a few rewinds have kept from ending."""
    game = library.new("pig", seed=name, name=name, undo="free", options=OPTIONS)
    while game.length < length:
        game.run({"p1": "sensible", "p2": "sensible"}, limit=75)
        if game.decision is None:
            game.rewind("@-100")
            game.reroll(f"{name} {game.length}")
    return game


def record(folder: Path, actions: int) -> Row:
    """Acting on a game, against transactions that write the same bytes with the same pragmas."""
    library = Library[Game](folder / "record.db")
    game = library.new("pig", seed="record", undo="free", options=OPTIONS)
    raw = sqlite3.connect(folder / "raw.db", isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("PRAGMA synchronous=FULL")
    raw.execute("CREATE TABLE e (id TEXT, version INTEGER, kind TEXT, state BLOB, PRIMARY KEY (id, version))")
    batches: list[list[tuple[str, int, str, bytes]]] = []
    processor: dict[str, list[float]] = {"ours": [], "raw": []}

    def ours() -> float:
        first = game.length
        start, used = time.perf_counter(), time.process_time()
        for _ in range(actions):
            game.act("roll")
        took = time.perf_counter() - start
        processor["ours"].append((time.process_time() - used) / actions)
        batches.clear()
        for row in game.rows(first):
            if row.kind == "ActionTaken":
                batches.append([])
            batches[-1].append((game.id, *row))
        return took / actions

    def theirs() -> float:
        start, used = time.perf_counter(), time.process_time()
        for batch in batches:
            raw.execute("BEGIN IMMEDIATE")
            raw.executemany("INSERT INTO e VALUES (?, ?, ?, ?)", batch)
            raw.execute("COMMIT")
        took = time.perf_counter() - start
        processor["raw"].append((time.process_time() - used) / actions)
        return took / actions

    figures = in_turns(ROUNDS, ours=ours, raw=theirs)
    raw.close()
    library.close()
    found = ratio("record an action (SQLite, on this disk)", 0.5, figures, "ours", "raw", "an action")
    found.figures.update({f"processor_{name}": median(values) for name, values in processor.items()})
    return found


def replay(folder: Path, game: Game, name: str = "") -> Row:
    """Folding a whole line from the store, against reading and decoding the same rows; `name` says of which game."""
    database = sqlite3.connect(folder / "long.db")
    decode = msgspec.json.Decoder(game.ruleset.event_type).decode
    secrets = msgspec.json.Decoder(list[Disclosure]).decode
    spans = game.tree.line(game.tip)
    events = sum(span.last - span.first + 1 for span in spans)
    keep, nearest = game.keep, game._nearest

    def ours() -> float:
        start = time.process_time()
        game.state_at(game.tip)
        return (time.process_time() - start) / events

    def theirs() -> float:
        start = time.process_time()
        for span in spans:
            for (data,) in database.execute(
                "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version BETWEEN ? AND ?"
                " ORDER BY originator_version",
                (game.id, span.first, span.last),
            ):
                # Secrets lie on a line of their own beside the event.
                event, _, beside = data.partition(b"\n")
                decode(event)
                if beside:
                    secrets(beside)
        return (time.process_time() - start) / events

    # From the opening: without the snapshots that would make it short.
    game.keep = lambda *_: None  # type: ignore[method-assign]
    game._nearest = lambda _: (-1, game.ruleset.state())  # type: ignore[method-assign]
    try:
        return ratio(
            f"replay from SQLite, {name or 'Pig'} (read, decode, apply)",
            0.5,
            in_turns(ROUNDS, ours=ours, raw=theirs),
            "ours",
            "raw",
            "an event",
        )
    finally:
        game.keep, game._nearest = keep, nearest  # type: ignore[method-assign]
        database.close()


def shelf(library: Library[Game]) -> list[tuple[str, Game]]:
    """A whole game of every installed ruleset but the small ones of the tests, by its random bots.

    Of several levels, each by itself; and all of them in a row, the longest of some by the bot that comes farthest.
    """
    found = []
    for name in installed():
        if name in TESTED:
            continue
        rules = ruleset(name)
        for plan, given in plans(rules).items():
            row = rules.levels(rules.parse_options(given)) > 1
            games = []
            for number in range(12 if row else 1):
                label = f"{name}{plan} {number}"
                game = library.new(name, seed="replayed" + str(number or ""), name=label, undo="free", options=given)
                game.run(dict.fromkeys(game.seats, "sensible" if row else "random"))
                games.append(game)
            found.append((f"{name}{plan}", max(games, key=lambda one: one.length)))
    return found


def position(game: Game) -> Row:
    """The state at random events, near and far from the end."""
    luck = random.Random(1)
    places = [luck.randrange(game.length) for _ in range(300)]
    took: dict[int, float] = {}
    for place in places:
        start = time.process_time()
        game.state_at(place)
        took[place] = (time.process_time() - start) * 1e3
    third = game.length // 3
    near = median(value for place, value in took.items() if place >= 2 * third)
    far = median(value for place, value in took.items() if place < third)
    worst = quantiles(took.values(), n=100)[98]
    return Row(
        f"position at any event of {game.length:,}",
        "under 10 ms, near or far from the end",
        f"median {median(took.values()):.2f} ms, 99 % under {worst:.2f} ms; first third {far:.2f}, last {near:.2f} ms",
        worst < 10,
        {"median_ms": median(took.values()), "p99_ms": worst, "first_third_ms": far, "last_third_ms": near},
    )


def forks(library: Library[Game], games: list[Game]) -> Row:
    """A fork at the end of a short and of a long game."""

    def forking(game: Game) -> float:
        start = time.process_time()
        for _ in range(5):
            game.fork()
        return (time.process_time() - start) / 5

    short, long = games
    figures = in_turns(ROUNDS, short=lambda: forking(short), long=lambda: forking(long))
    times = figures["long"] / figures["short"]
    rows = sum(1 for _ in library.store.rows(long.fork().id))
    return Row(
        f"fork, after {short.length:,} and after {long.length:,} events",
        "constant",
        f"{figures['long'] * 1e3:.2f} ms against {figures['short'] * 1e3:.2f} ms ({times:.2f}); {rows} event stored",
        times < 1.5,
        {"ratio": times, "events_stored": rows, **figures},
    )


def opening(library: Library[Game], games: list[Game]) -> Row:
    """Opening a short and a long game and asking what is to be decided."""

    def open_it(game: Game) -> float:
        start = time.process_time()
        for _ in range(5):
            assert library.game(game.id).decision is not None
        return (time.process_time() - start) / 5

    short, long = games
    figures = in_turns(ROUNDS, short=lambda: open_it(short), long=lambda: open_it(long))
    times = figures["long"] / figures["short"]
    return Row(
        f"open a game of {short.length:,} and of {long.length:,} events",
        "",
        f"{figures['long'] * 1e3:.2f} ms against {figures['short'] * 1e3:.2f} ms ({times:.2f})",
        None,
        {"ratio": times, **figures},
    )


def rows(folder: Path, quick: bool) -> list[Row]:
    """All rows about recorded games."""
    library = Library[Game](folder / "long.db")
    long = long_game(library, "long", 10_000)
    # Both stand between two snapshots as far from the last one.
    short = long_game(library, "short", 500)
    found = [
        replay(folder, long),
        *(replay(folder, game, name) for name, game in shelf(library)),
        record(folder, 50 if quick else 200),
        position(long),
        forks(library, [short, long]),
        opening(library, [short, long]),
        *watching.rows([short, long]),
    ]
    library.close()
    return found
