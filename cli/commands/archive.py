"""archive: recorded games as tables fit for SQL, in a file that follows stores and log files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app import App, default_store, pass_app, say, say_json, say_table, warn
from ..group import Command, Family
from ..options import file_name, json_option, pairs
from ..progress import Progress
from ..trouble import WRONG

if TYPE_CHECKING:
    from ...projections.archive import Followed, Source
    from ...projections.archive.questions import Answer
    from ...projections.stats.tables import Table

MOST_NAMED = 100
"""Games that could not be read which are named."""


@click.group(cls=Family)
def archive() -> None:
    """Recorded games as tables fit for SQL: games, decisions, dice, moves, fights, losses and more, in one SQLite file.

    warptape archive build games-archive.db
    warptape archive serve games-archive.db
    """


@archive.command(cls=Command, name="build", short_help="Put games into an archive, and what is new later on.")
@click.argument("out", metavar="OUT.db", callback=file_name)
@click.option(
    "--from",
    "sources",
    metavar="STORE|FILE|FOLDER",
    multiple=True,
    help="Where the games are: a store, a log file, a folder of log files (default: the store in use). Repeat it for more.",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that share the work (default: one a core).")
@json_option
@pass_app
def build(app: App, out: str, sources: tuple[str, ...], jobs: int | None, as_json: bool) -> int:
    """Put the games of a store, or of log files, into an archive: a file that is made where it is missing.

    Run it again for what is new: games that were played on are put in anew, those that were deleted are taken out, and all
    others are left as they are. It may be interrupted at any moment, and the file may be deleted: nothing is lost, all
    of it comes from your games. Of a game with secrets that is not over the archive holds what a looker-on may know.

    A game that cannot be read is named, stops no other, and makes the exit code 1.

    warptape archive build games-archive.db
    warptape archive build games-archive.db --from games.db --from old-games/
    """
    from contextlib import ExitStack

    from ...projections.archive import Archive
    from ...replays.processes import cores

    with ExitStack() as opened:
        found = named_sources(app, sources, opened)
        made = opened.enter_context(Archive(out))
        with Progress("Archiving") as bar:
            followed = made.follow(*found, jobs=jobs or cores(), expect=bar.expect, done=bar.advance)
    return _said(out, followed, as_json)


def _said(out: str, followed: Followed, as_json: bool) -> int:
    """Say what came of following, and return the exit code."""
    if as_json:
        say_json(followed)
    else:
        say(f"{out}: {followed.text()}")
        for line in followed.failed[:MOST_NAMED]:
            warn(f"  {line}")
        if len(followed.failed) > MOST_NAMED:
            warn(f"  … and {len(followed.failed) - MOST_NAMED} more")
    return WRONG if followed.failed else 0


@archive.command(cls=Command, name="sample", short_help="Make an archive of 200 recorded games to try questions on.")
@click.argument("out", metavar="OUT.db", callback=file_name)
@click.option("--games", "folder", metavar="FOLDER", callback=file_name, help="Keep the log files of the games there.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that share the work (default: one a core).")
@json_option
def sample(out: str, folder: str | None, jobs: int | None, as_json: bool) -> int:
    """Put the 200 recorded games that come with warptape into an archive, to try questions on.

    They are of all games that come with it, played by bots with several options; some were entered at a table, and some have
    take-backs and notes. With `--games` their log files are kept, for
    `warptape import` and whatever else reads log files.

    warptape archive sample sample.db
    warptape archive sample sample.db --games sample-games
    """
    from ...projections.archive import Archive
    from ...projections.archive.sample import follow
    from ...replays.processes import cores

    with Archive(out) as made, Progress("Archiving") as bar:
        followed = follow(made, folder, jobs=jobs or cores(), expect=bar.expect, done=bar.advance)
    return _said(out, followed, as_json)


def named_sources(app: App, texts: tuple[str, ...], opened: Any) -> list[Source]:
    """Return what the texts name; files named one by one are one source."""
    from ...projections.archive import FileSource, FolderSource, StoreSource
    from ...replays.paths import typed
    from ...replays.store import open_store

    if not texts:
        return [StoreSource(app.store.store, app.url or default_store())]
    found: list[Source] = []
    files: list[str] = []
    for text in dict.fromkeys(texts):
        path = typed(text)
        if "://" in text or (path.is_file() and is_sqlite(path)):
            found.append(StoreSource(opened.enter_context(open_store(text)), text))
        elif path.is_dir() and text.strip():
            found.append(FolderSource(path))
        elif text.strip() and (path.exists() or path.is_symlink()):
            files.append(text)
        else:
            raise click.UsageError(f"There is no store, file or folder {text}.")
    return [*found, FileSource(files)] if files else found


def is_sqlite(path: Path) -> bool:
    """Say whether a file is an SQLite database."""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


@archive.command(cls=Command, name="ask", short_help="Ask an archive one of the questions that come with warptape.")
@click.argument("path", metavar="ARCHIVE", callback=file_name)
@click.argument("name", required=False, metavar="[QUESTION]")
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]…", callback=pairs("NAME=VALUE"))
@click.option("--sql", is_flag=True, help="Print the question in SQL instead, to be changed.")
@json_option
def ask(path: str, name: str | None, values: dict[str, str], sql: bool, as_json: bool) -> None:
    """Ask an archive a question, or list the questions there are.

    A question may have values to choose: `warptape archive ask` lists them with those that are taken if you give none.
    For questions of your own ask the file itself: any program that reads SQLite will do.

    warptape archive ask games-archive.db
    warptape archive ask games-archive.db cards_and_winning least=20
    warptape archive ask games-archive.db fair_dice --sql
    """
    from ...projections.archive import Archive
    from ...projections.archive.questions import QUESTIONS, answer, question
    from ...projections.stats.tables import lines

    with Archive(path, readonly=True) as made:
        if name is None and as_json:
            say_json([{**one._asdict(), "params": dict(one.params)} for one in QUESTIONS])
        elif name is None:
            rows = [(one.name, " ".join(f"{key}={value}" for key, value in one.params), one.title) for one in QUESTIONS]
            say_table(rows, ("question", "values", ""))
        elif sql:
            say(question(name).sql)
        else:
            found = answer(made, name, values)
            if as_json:
                say_json([dict(zip(found.head, row, strict=True)) for row in found.rows])
            else:
                for line in lines(_table(found)):
                    say(line)


def _table(found: Answer) -> Table:
    """An answer as a table: numbers on the right, NULL as a dash."""
    from ...projections.stats.tables import Table

    columns = range(len(found.head))
    right = tuple(at for at in columns if all(isinstance(row[at], int | float | None) for row in found.rows))
    rows = tuple(tuple("-" if cell is None else cell for cell in row) for row in found.rows)
    return Table(found.question.name, "", found.question.title, found.head, rows, (), right)


@archive.command(cls=Command, name="export", short_help="Write the tables as Parquet or CSV files.")
@click.argument("path", metavar="ARCHIVE", callback=file_name)
@click.option("--parquet", metavar="FOLDER", callback=file_name, help="Write TABLE.parquet, typed (extra 'parquet').")
@click.option("--csv", "comma", metavar="FOLDER", callback=file_name, help="Write TABLE.csv.")
@json_option
def export(path: str, parquet: str | None, comma: str | None, as_json: bool) -> None:
    """Write every table of an archive as a file of its own, for DuckDB, Polars, pandas or a spreadsheet.

    warptape archive export games-archive.db --parquet tables
    warptape archive export games-archive.db --csv tables
    """
    from ...projections.archive import TABLES, Archive
    from ...projections.archive.exporting import export_csv, export_parquet

    if parquet is None and comma is None:
        raise click.UsageError("Say what to write: --parquet FOLDER, --csv FOLDER, or both.")
    written: list[Path] = []
    wanted = [(export_parquet, parquet), (export_csv, comma)]
    with Archive(path, readonly=True) as made, Progress("Writing", len(TABLES)) as bar:
        for write, folder in wanted:
            if folder is not None:
                written += write(made, folder, bar.advance)
    if as_json:
        say_json([str(file) for file in written])
    else:
        for folder in dict.fromkeys(str(file.parent) for file in written):
            names = [file.name for file in written if str(file.parent) == folder]
            say(f"{folder}: {', '.join(names)}")


@archive.command(cls=Command, name="serve", short_help="Show an archive in the browser, with questions to click.")
@click.argument("path", metavar="ARCHIVE", callback=file_name)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="The port to listen at; 0: any."
)
@click.option("--open/--no-open", "browser", default=True, help="Open the browser, or only say where it is.")
def serve(path: str, host: str, port: int, browser: bool) -> None:
    """Show an archive in the browser: Datasette (extra 'datasette'), with texts for all columns and questions to click.

    Nothing can be written through it. `warptape archive build` may go on following meanwhile.

    warptape archive serve games-archive.db
    warptape archive serve games-archive.db --no-open --port 8080
    """
    from ...projections.archive import Archive
    from ..serving import serve as run

    with Archive(path, readonly=True):  # whatever is wrong with the file is said before anything is opened
        pass
    run(Path(path), host, port, browser)


@archive.command(cls=Command, name="tables", short_help="What the tables, columns and views of an archive hold.")
@click.argument("name", required=False, metavar="[TABLE]")
@json_option
def tables(name: str | None, as_json: bool) -> None:
    """Print the tables and views of every archive, or one of them with its columns.

    warptape archive tables
    warptape archive tables decisions
    """
    from ...projections.archive.dictionary import described
    from ...projections.archive.views import VIEWS

    known = described()
    found = [one for one in known if name in (None, one["name"])]
    if not found:
        raise click.UsageError(f"There is no table '{name}'. There are: {', '.join(one['name'] for one in known)}.")
    if as_json:
        say_json(found)
    elif name is None:
        for kind in ("table", "view"):
            say_table(
                [(one["name"], one["text"]) for one in known if one["kind"] == kind],
                (kind, "a row is" if kind == "table" else ""),
            )
            say()
        say("`warptape archive tables TABLE` lists the columns.", dim=True)
    else:
        (one,) = found
        say(f"{name}: {one['text']}", bold=True)
        if one["kind"] == "table":
            say_table([(c["name"], c["type"], c["text"]) for c in one["columns"]], ("column", "type", ""))
            say(f"Key: {', '.join(one['key'])}.")
        else:
            say(VIEWS[name or ""].strip("\n"))
