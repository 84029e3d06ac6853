"""audit, export, import, transcript: what is handed on, and whether it can be trusted."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app import App, pass_app, say, say_json, warn, write_file
from ..games import decision_text
from ..group import Command
from ..options import check_seat, file_name, json_option, output_option, seat_option
from ..progress import Progress

if TYPE_CHECKING:
    from ...replays.findings import Report
    from ...replays.game import Game

ENDINGS = (".tape.jsonl", ".tape.jsonl.gz")
STORES = (".db", ".sqlite", ".sqlite3")


@click.command(cls=Command)
@click.argument("what", nargs=-1, metavar="GAME|FILE|FOLDER|STORE...")
@click.option("--no-rules", is_flag=True, help="Check chain, secrets and chance only; do not run the rules again.")
@click.option(
    "--drop-snapshots", "drop", is_flag=True, help="First throw away what a store keeps to be fast: it is made anew."
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing where nothing is wrong.")
@json_option
@pass_app
def audit(app: App, what: tuple[str, ...], no_rules: bool, drop: bool, quiet: bool, as_json: bool) -> int:
    """Check games of the shelf (default: the last), log files, folders of them, or all games of a store.

    The chain, the seals, every die and card, and every action by the rules. The first bad event is named with its
    position and why, and the exit code is 1. Nothing is imported, and no log is changed.

    warptape audit last
    warptape audit game.tape.jsonl
    """
    found: list[Any] = []
    with Progress("Auditing") as bar:
        for text in what or ("last",):
            for label, check in _audited(app, text, not no_rules, drop, bar):
                report = check()
                bar.advance()
                found.append(report)
                if not as_json and not (quiet and report.ok):
                    with bar.aside():
                        say_report(label, report)
    if as_json:
        import msgspec

        say_json([{"ok": report.ok, **msgspec.to_builtins(report)} for report in found])
    bad = sum(not report.ok for report in found)
    if len(found) > 1 and not as_json and not quiet:
        say(f"{len(found)} audited, {bad or 'none'} with something wrong.")
    return 1 if bad else 0


def say_report(label: str, report: Report) -> None:
    """Print an audit's report, good in green and bad in red."""
    for line in report.text().rstrip("\n").splitlines():
        if "  BAD  " in f"{line}  " or line.startswith(("  first bad", "  also")):
            say(line, fg="red")
        elif re.match(r"  \w+ +ok\b", line):
            say(line, fg="green")
        else:
            say(line)
    say(
        "Nothing wrong was found." if report.ok else f"{label}: something is wrong.", fg="green" if report.ok else "red"
    )


def _audited(app: App, text: str, rules: bool, drop: bool, bar: Progress) -> Iterator[tuple[str, Callable[[], Report]]]:
    """Yield what a text names as (label, check): a folder's files, a file, a store's games, or a game.

    The bar is told beforehand how many there are.
    """
    from ...replays.audit import audit_file, audit_stored
    from ...replays.paths import typed
    from ...replays.store import open_store

    path = typed(text)
    if "://" in text or (path.is_file() and _is_store(path)):
        with open_store(text) as store:
            shelves = store.shelves()
            bar.expect(len(shelves))
            if drop:
                store.drop_snapshots()
            for shelf in shelves:
                yield shelf.name, lambda shelf=shelf: audit_stored(store, shelf, rules=rules)  # type: ignore[misc]
    elif path.is_dir() and text.strip():
        files = sorted(file for file in path.iterdir() if file.name.endswith(ENDINGS))
        if not files:
            raise click.UsageError(f"The folder {text} holds no log files ({' or '.join(ENDINGS)}).")
        bar.expect(len(files))
        for file in files:
            yield str(file), lambda file=file: audit_file(file, rules=rules)  # type: ignore[misc]
    elif path.is_file() or text.endswith((*ENDINGS, *STORES, ".jsonl", ".gz")):
        if not path.exists():
            raise click.UsageError(f"There is no file {text}.")
        bar.expect(1)
        yield text, lambda: audit_file(path, rules=rules)
    else:
        from ...domain.errors import BadAddress
        from ...replays.address import parse_address

        address = parse_address(text)
        shelf = app.store.store.find(address.game or "last")
        if address.kind != "end":
            raise BadAddress(f"A whole game is audited: type '{shelf.name}', without a position.")
        bar.expect(1)
        for game in [shelf.id, *(ancestor for ancestor, _ in shelf.lineage)] if drop else ():
            app.store.store.drop_snapshots(game)
        yield shelf.name, lambda: audit_stored(app.store.store, shelf, rules=rules)


def _is_store(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


@click.command(cls=Command)
@click.argument("game", default="last")
@seat_option("Only what this seat knows; everything else stays sealed.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    callback=file_name,
    help="Where to (default: the game's name; .gz compresses; - is the standard output).",
)
@click.option(
    "--with-secret", is_flag=True, help="Put the secret of chance into the file: whoever has it knows what is to come."
)
@pass_app
def export(app: App, game: str, seat: str | None, output: str | None, with_secret: bool) -> None:
    """Write a game to a log file, one event a line, a fork with its past. `warptape import` reads it.

    warptape export last -o friday.tape.jsonl
    warptape export last --as p1 -o for-p1.tape.jsonl.gz
    """
    from ...replays.logfile import export as write

    table = app.game(game)
    check_seat(table, seat)
    if output == "-":
        with tempfile.TemporaryDirectory() as folder:
            file = write(table, Path(folder) / "game.tape.jsonl", seat, with_secret=with_secret)
            out = sys.stdout
            with file.open(encoding="utf-8") as lines:
                for line in lines:
                    out.write(line)
        return
    target = write(table, output or _file_name(table), seat, with_secret=with_secret)
    say(f"'{table.name}' is written to {target}: {table.length} events.")


def _file_name(game: Game) -> str:
    name = re.sub(r"[^\w-]+", "-", game.name).strip("-") or game.id
    return name.encode()[:160].decode(errors="ignore") + ENDINGS[0]  # file systems count bytes


@click.command(cls=Command, name="import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@json_option
@pass_app
def import_(app: App, files: tuple[str, ...], as_json: bool) -> int:
    """Put games from log files on the shelf, each under a new id. A file that is damaged is refused whole, with its first bad line.

    warptape import friday.tape.jsonl
    """
    from ...domain.errors import WarptapeError
    from ...replays.importing import load
    from ..trouble import explained

    code, loaded = 0, []
    with Progress("Importing", len(files)) as bar:
        for file in files:
            try:
                game = app.store.game(load(app.store.store, app.store.desk, file).id)
            except (WarptapeError, OSError) as error:
                wrong, sentence = explained(error)
                code = max(code, wrong)
                with bar.aside():
                    warn(f"{file}: {sentence} Nothing of it was imported.")
                continue
            finally:
                bar.advance()
            loaded.append({"file": file, "id": game.id, "name": game.name, "length": game.length})
            if not as_json:
                with bar.aside():
                    say(f"{file} is game {game.id} '{game.name}', {game.length} events.")
                    try:
                        say(decision_text(game))
                    except WarptapeError as error:  # the rules fail on it: it is here all the same, to find out why
                        warn(explained(error)[1])
    if as_json:
        say_json(loaded)
    return code


@click.command(cls=Command)
@click.argument("address", default="last")
@seat_option("What this seat may know (default: all that the owner of the log knows).")
@click.option(
    "--format", "form", type=click.Choice(["md", "txt", "html"]), help="md, txt or html (default: txt, or by the file)."
)
@click.option("--variations", is_flag=True, help="Tell the lines that were left as well.")
@output_option
@pass_app
def transcript(app: App, address: str, seat: str | None, form: str | None, variations: bool, output: str) -> None:
    """Tell the game up to an address as a story, under headings of rounds and turns; what was taken back as footnotes.

    warptape transcript last
    warptape transcript last --format html --variations -o story.html
    """
    from ...replays.transcript import transcript_lines

    game, place = app.find(address)
    check_seat(game, seat)
    ending = {".md": "md", ".html": "html", ".htm": "html"}.get(Path(output).suffix.lower(), "txt")
    write_file(output, transcript_lines(game, form or ending, at=place, seat=seat, variations=variations))
