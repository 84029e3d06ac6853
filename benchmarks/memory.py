"""The budgets of memory: a game in play, and replay, export and import of logs of growing length."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import TESTED, Row
from recording import long_game

from warptape.domain.rules import installed
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.logfile import export

MEGA = 2**20


def measured(work: Callable[[], Any]) -> tuple[float, float]:
    """Megabytes that a piece of work kept, and the most it held, beyond what was there before."""
    gc.collect()
    tracemalloc.start()
    result = work()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return kept / MEGA, peak / MEGA


def in_play(library: Library[Game], game: Game) -> Row:
    """A game that was opened and is being played."""

    def work() -> Game:
        table = library.game(game.id)
        for _ in range(30):
            decision = table.decision
            if decision is None:
                break
            table.act(decision.actions[0])
        return table

    work()  # what is loaded once and shared by all games does not count
    kept, peak = measured(work)
    return Row(
        f"memory of a game in play, {game.shelf.ruleset}",
        "under 5 MB",
        f"{kept:.2f} MB, {peak:.2f} MB at most",
        peak < 5,
        {"kept_mb": kept, "peak_mb": peak},
    )


def growing(name: str, short: tuple[int, Callable[[], Any]], long: tuple[int, Callable[[], Any]]) -> Row:
    """One kind of work on a short and on a long log."""
    _, first = measured(short[1])
    _, second = measured(long[1])
    times = second / first
    return Row(
        f"memory of {name}, {short[0]:,} and {long[0]:,} events",
        "constant",
        f"{second:.2f} MB against {first:.2f} MB ({times:.2f})",
        times < 1.25 or second - first < 0.25,
        {"short_mb": first, "long_mb": second},
    )


def rows(folder: Path, quick: bool) -> list[Row]:
    """All rows about memory."""
    library = Library[Game](folder / "memory.db")
    short, long = (long_game(library, f"of {size}", size) for size in ((2_000, 6_000) if quick else (4_000, 20_000)))
    found = [in_play(library, long)]
    for name in installed():
        if name not in TESTED:
            found.append(in_play(library, library.new(name, seed="memory", undo="free")))

    def replayed(game: Game) -> Callable[[], Any]:
        library.store.drop_snapshots(game.id)
        return lambda: library.game(game.id).state_at(game.tip)

    found.append(growing("replay", (short.length, replayed(short)), (long.length, replayed(long))))
    files = [folder / f"{game.length}.tape.jsonl" for game in (short, long)]
    found.append(
        growing(
            "export",
            (short.length, lambda: export(short, files[0])),
            (long.length, lambda: export(long, files[1])),
        )
    )

    def imported(file: Path) -> Callable[[], Any]:
        return lambda: Library[Game](folder / f"{file.name}.db").load(file)

    imported(files[0])()
    (folder / f"{files[0].name}.db").unlink()
    found.append(growing("import", (short.length, imported(files[0])), (long.length, imported(files[1]))))
    library.close()
    return found
