"""stats: what many games say, or one: dice, outcomes, length, losses, cards, units, places."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from ..app import App, has_colour, inert, is_plain_ascii, is_terminal, pass_app, say, width, write_file
from ..group import Command
from ..options import file_name, json_option, option_values, seat_values
from ..progress import Progress
from ..trouble import WRONG
from .archive import is_sqlite, named_sources
from .files import ENDINGS

if TYPE_CHECKING:
    from ...projections.archive import Archive, Followed
    from ...projections.stats import Statistics
    from ...projections.stats.grounds import Rules
    from ...projections.stats.tables import Table

MOST_NAMED = 10
STYLES = {"fair": "green", "doubtful": "yellow", "unfair": "red", "too few": "dim"}


def _sections(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if value else ()


@click.command(cls=Command)
@click.argument("what", required=False, metavar="[ADDRESS|ARCHIVE]")
@click.option(
    "--only",
    metavar="PART,…",
    callback=_sections,
    help="Only these parts: dice, outcomes, length, losses, cards, units, heat.",
)
@click.option("--ruleset", metavar="RULESET", help="Only games of this ruleset.")
@option_values
@seat_values("Only games in which a seat was held so: human, or bot:NAME.")
@click.option(
    "--rows", type=click.IntRange(0), default=10, show_default=True, help="Rows of a table for each side; 0: all."
)
@click.option("--csv", "comma", metavar="FOLDER", callback=file_name, help="Write every table as a CSV file, whole.")
@click.option(
    "--svg",
    "folder",
    metavar="FOLDER",
    callback=file_name,
    help="Draw everything, with heat maps over the boards (extra 'plots'; --only heat needs none).",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that read a store (default: one a core).")
@json_option
@pass_app
def stats(
    app: App,
    what: str | None,
    only: tuple[str, ...],
    ruleset: str | None,
    options: dict[str, str],
    seats: dict[str, str],
    rows: int,
    comma: str | None,
    folder: str | None,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Say what games say: whether the dice are fair, how games end and how long they take, what is lost, what cards and
    units are used for and how games go in which they are, and where on the board it happens.

    Of all games of the store in use, of an archive (`warptape archive build`: faster, for many games), of another store,
    of log files, or of one game, up to a position. Shares have 95 % intervals (Wilson). What was taken back does not
    count, and what a fork has from its parent counts once. Of a game with secrets that is not over only that counts which
    everybody may know.

    warptape stats
    warptape stats games-archive.db --ruleset RULESET --only dice,outcomes
    warptape stats last --svg pictures
    """
    from ...projections.stats import SECTIONS, statistics

    for part in only:
        if part not in SECTIONS:
            raise click.UsageError(f"There is no part '{part}'. The parts: {', '.join(SECTIONS)}.")
    if folder is not None and {*(only or SECTIONS)} != {"heat"}:
        from ...projections.stats.theming import check_extra

        check_extra()
    with _archive(app, what, jobs) as (made, rules, followed):
        found = statistics(made.connection, ruleset=ruleset, options=options, seats=seats, only=only)
        written = _written(found, made, rules, comma, folder)
    if as_json:
        write_file("-", found.to_json())
    else:
        _say(found, rows)
        for line in written:
            say(line)
    for line in followed.failed[:MOST_NAMED] if followed else ():
        click.echo(inert(f"Not counted: {line}"), err=True)
    if followed and len(followed.failed) > MOST_NAMED:
        click.echo(f"… and {len(followed.failed) - MOST_NAMED} more that cannot be read.", err=True)
    return WRONG if followed and followed.failed else 0


@contextmanager
def _archive(app: App, what: str | None, jobs: int | None) -> Iterator[tuple[Archive, Rules | None, Followed | None]]:
    """Give the archive that a text names or that is made of it, and where the rules of its games come from."""
    from ...projections.archive import Archive, StoreSource
    from ...projections.stats.sources import archived, archived_game, rules_in
    from ...replays.paths import typed
    from ...replays.processes import cores

    path = typed(what) if what else None
    if path is not None and path.is_file() and is_sqlite(path) and _is_archive(str(path)):
        with Archive(path, readonly=True) as made:
            yield made, None, None
    elif what is None or path is None or "://" in what or path.exists() or what.endswith((*ENDINGS, ".db")):
        with ExitStack() as opened:
            sources = named_sources(app, (what,) if what else (), opened)
            store = next((source.store for source in sources if isinstance(source, StoreSource)), None)
            bar = opened.enter_context(Progress("Reading"))
            made, followed = opened.enter_context(
                archived(*sources, jobs=jobs or cores(), expect=bar.expect, done=bar.advance)
            )
            yield made, rules_in(store) if store else None, followed
    else:
        game, address = app.find(what)
        with archived_game(game, None if address.kind == "end" else game.locate(address)) as made:
            yield made, lambda _: game.ruleset, None


def _is_archive(path: str) -> bool:
    """Whether an SQLite file calls itself an archive: then it is opened as one, whatever its version."""
    import sqlite3
    from pathlib import Path

    try:
        connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)
        try:
            return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'archive'").fetchone())
        finally:
            connection.close()
    except sqlite3.Error:
        return False


def _written(found: Statistics, made: Archive, rules: Rules | None, comma: str | None, folder: str | None) -> list[str]:
    """Write tables and pictures into their folders; returns what to say of it."""
    said = []
    if comma is not None:
        from ...projections.stats.tables import as_csv, tables

        files = [(f"{table.id}.csv", as_csv(table)) for table in tables(found)]
        _put(comma, iter(files))
        said.append(f"{_are(len(files), 'table')} in {comma}.")
    if folder is not None:
        from ...projections.stats.pictures import pictures

        count = _put(folder, pictures(found, made.connection, rules))
        said.append(f"{_are(count, 'picture')} in {folder}.")
    return said


def _are(count: int, what: str) -> str:
    return f"{count} {what} is" if count == 1 else f"{count} {what}s are"


def _put(folder: str, files: Iterator[tuple[str, str]]) -> int:
    from ...replays.paths import typed
    from ..trouble import TROUBLE, Failed, reason

    target, count = typed(folder), 0
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failed(f"The folder {folder} cannot be made: {reason(error)}.", TROUBLE) from error
    for name, text in files:
        write_file(str(target / name), text)
        count += 1
    return count


def _say(found: Statistics, rows: int) -> None:
    from ...projections.stats.tables import lines, shortened, tables

    for one in found.games:
        going_on = one.games - one.finished
        say(
            f"{one.ruleset}: {one.games:,} game{'s' * (one.games != 1)}"
            + (f", {going_on:,} of them not over" if going_on and one.games > 1 else ", not over" if going_on else ""),
            bold=True,
        )
    if not found.whole:
        say("A game with secrets is not over: of it only that counts which everybody may know.")
    say()
    for table in tables(found):
        short = shortened(table, rows)
        if is_terminal() and not is_plain_ascii():
            _draw(short)
        else:
            for line in lines(short):
                say(line)
        say()


def _draw(table: Table) -> None:
    """A table on a terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    say(table.title, bold=True)
    drawn = Drawn(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, name in enumerate(table.head):
        drawn.add_column(Text(inert(name)), justify="right" if at in table.right else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(inert(str(cell)), style=STYLES.get(str(cell), "")) for cell in row))
    Console(width=width(), no_color=not has_colour(), highlight=False).print(drawn)
    for note in table.notes:
        say(f"  {note}")
