"""export, import, transcript: what is handed on."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..app import App, pass_app, say, say_json, warn, write_file
from ..games import decision_text
from ..group import Command
from ..options import file_name, hindsight_option, json_option, knowing, looking_option, output_option, seat_option
from ..progress import Progress
from .remote import say_invitations

if TYPE_CHECKING:
    from ...replays.game import Game

ENDINGS = (".tape.jsonl", ".tape.jsonl.gz")


@click.command(cls=Command)
@click.argument("game", default="last")
@seat_option("Only what this seat knows; everything else stays sealed.")
@hindsight_option
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
def export(app: App, game: str, seat: str | None, hindsight: bool, output: str | None, with_secret: bool) -> None:
    """Write a game to a log file, one event a line, a fork with its past. `warptape import` reads it.

    warptape export last -o friday.tape.jsonl
    warptape export last --as SEAT -o for-SEAT.tape.jsonl.gz
    """
    from ...replays.logfile import export as write

    table = app.game(game)
    seat = knowing(table, seat, hindsight)
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
    from ..trouble import explained

    code, loaded = 0, []
    with Progress("Importing", len(files)) as bar:
        for file in files:
            try:
                game = app.store.load(file)
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
                    say_invitations(app, game)
                    try:
                        say(decision_text(game))
                    except WarptapeError as error:  # the rules fail on it: it is here all the same, to find out why
                        warn(explained(error)[1])
    if as_json:
        say_json(loaded)
    return code


@click.command(cls=Command)
@click.argument("address", default="last")
@looking_option
@hindsight_option
@click.option(
    "--format", "form", type=click.Choice(["md", "txt", "html"]), help="md, txt or html (default: txt, or by the file)."
)
@click.option("--variations", is_flag=True, help="Tell the lines that were left as well.")
@click.option(
    "--analysis",
    "analysing",
    is_flag=True,
    help="Put who was winning at the head, and the luckiest rolls and costliest choices into the margin; what "
    "`warptape analyse` has not played out yet is played out first.",
)
@output_option
@pass_app
def transcript(
    app: App,
    address: str,
    seat: str | None,
    hindsight: bool,
    form: str | None,
    variations: bool,
    analysing: bool,
    output: str,
) -> None:
    """Tell the game up to an address as a story, under headings of rounds and turns; what was taken back as footnotes.

    warptape transcript last
    warptape transcript last --format html --variations -o story.html
    warptape transcript last --analysis
    """
    from ...replays.transcript import transcript_lines

    game, place = app.find(address)
    asked, seat = seat, knowing(game, seat, hindsight)
    analysis = None
    if analysing:
        from ..analyses import analysed, check_told

        check_told(game, asked, seat)
        analysis, interrupted = analysed(game, place, None)
        if interrupted:
            raise KeyboardInterrupt
    ending = {".md": "md", ".html": "html", ".htm": "html"}.get(Path(output).suffix.lower(), "txt")
    write_file(
        output, transcript_lines(game, form or ending, at=place, seat=seat, variations=variations, analysis=analysis)
    )
