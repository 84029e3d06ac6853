"""What statistics are of: a game, a store or log files, put into an archive that lasts as long as they are worked out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...domain.rules import Ruleset
from ...replays.store import Store
from ...replays.tape import Tape
from ..archive import TABLES, Archive, Followed, Source, project
from .grounds import Rules


@contextmanager
def archived_game(tape: Tape, position: int | None = None) -> Iterator[Archive]:
    """Give an archive in memory of one game, on the line that ends at a position: of one that is not over, only what
    everybody may know.

    What a fork has from its parent counts as its own here.
    """
    rows = project(tape)
    with Archive(":memory:") as made:
        for table in TABLES:
            if rows[table.name]:
                made.connection.executemany(table.insert(), rows[table.name])
            if "inherited" in table.names:
                made.connection.execute(f"UPDATE [{table.name}] SET inherited = 0")
        if position is not None and tape.tree.resolve(position) != tape.tree.resolve(tape.tip):
            _end_at(made, tape, position)
        yield made


def _end_at(made: Archive, tape: Tape, position: int) -> None:
    """Have an archived game end at a position: its line is the current one, and how it went on is forgotten."""
    run = made.connection.execute
    for table in TABLES:
        if "position" in table.names:
            run(f"DELETE FROM [{table.name}] WHERE position > ?", (position,))
        if "current" in table.names:
            run(f"UPDATE [{table.name}] SET current = 0")
            for span in tape.tree.line(position):
                run(f"UPDATE [{table.name}] SET current = 1 WHERE position BETWEEN ? AND ?", (span.first, span.last))
    run("DELETE FROM outcomes")
    run("UPDATE seats SET won = NULL")
    run(
        "UPDATE games SET finished = 0, result = NULL, result_words = NULL, reason = NULL, seconds = NULL, events = ?, "
        "decisions = (SELECT count(*) FROM decisions WHERE current), "
        "rounds = (SELECT ifnull(max(round), 0) FROM events WHERE current), "
        "levels = (SELECT ifnull(max(level), 0) FROM events WHERE current)",
        (position + 1,),
    )


@contextmanager
def archived(
    *sources: Source,
    jobs: int = 1,
    expect: Callable[[int], None] = lambda count: None,
    done: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Archive, Followed]]:
    """Give a temporary archive of all games of some sources, and what came of reading them."""
    with tempfile.TemporaryDirectory(prefix="warptape-") as folder, Archive(Path(folder, "archive.db")) as made:
        yield made, made.follow(*sources, jobs=jobs, expect=expect, done=done)


def rules_in(store: Store) -> Rules:
    """Return how the rules of a game are found over the boards that its store keeps."""

    def found(game: str) -> Ruleset:
        return Tape(store, store.shelf(game)).ruleset

    return found
