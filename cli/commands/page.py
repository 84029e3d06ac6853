"""page: a game as one HTML file that anybody can open."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..app import App, pass_app, say, write_file
from ..group import Command
from ..options import file_name, hindsight_option, knowing, looking_option
from ..progress import Progress

if TYPE_CHECKING:
    from ...replays.game import Game


@click.command(cls=Command)
@click.argument("address", default="last")
@click.option(
    "-o", "--output", metavar="FILE", required=True, callback=file_name, help="The file to write; - prints it."
)
@looking_option
@hindsight_option
@click.option("--title", metavar="TEXT", default="", help="What stands above it (default: the game's name).")
@click.option("--no-lines", is_flag=True, help="Only the line that the game is on: nothing that was taken back.")
@click.option(
    "--analysis",
    "analysing",
    is_flag=True,
    help="Draw who was winning when; what `warptape analyse` has not played out yet is played out first.",
)
@click.option(
    "--analysis-from",
    "analysis",
    metavar="FILE",
    callback=file_name,
    help="Draw who was winning when, from what `analyse --json` printed.",
)
@pass_app
def page(
    app: App,
    address: str,
    output: str,
    seat: str | None,
    hindsight: bool,
    title: str,
    no_lines: bool,
    analysing: bool,
    analysis: str | None,
) -> None:
    """Write a game as one HTML file that shows itself: board, story, timeline, lines, seats, and a check of the dice.

    The file needs no network and no server: send it, put it on a site, open it from a disk. It opens at the address, or at the
    start of the game. With --as it holds what that seat knew and nothing else.

    warptape page last -o game.html
    warptape page last@r3 --as SEAT -o for-SEAT.html
    warptape page last --analysis -o game.html
    """
    from ...projections.page import page as build
    from ...projections.page.views import moments
    from ...replays.address import parse_address
    from ..analyses import analysed, check_told

    if analysing and analysis is not None:
        raise click.UsageError("--analysis and --analysis-from exclude each other.")
    game, place = app.find(address)
    asked, seat = seat, knowing(game, seat, hindsight)
    data = None if analysis is None else _read(analysis)
    if analysing or data is not None:
        check_told(game, asked, seat)
    if analysing:
        data, interrupted = analysed(game, parse_address("@end"), None)
        if interrupted:
            raise KeyboardInterrupt
    views = 1 if seat is not None or not game.ruleset.secretive else 1 + len(game.seats)
    with Progress("Drawing", moments(game, not no_lines) * views) as bar:
        text = build(
            game, at=None if place.kind == "end" else place, seat=seat, title=title, lines=not no_lines, analysis=data,
            done=bar.advance,
        )  # fmt: skip
    write_file(output, text)
    if output != "-":
        say(f"Written to {output}: {_known(game, seat)}, {max(1, len(text.encode()) // 1000)} kB.")


def _known(game: Game, seat: str | None) -> str:
    seen_as = seat or game.seen_as
    return "all of the game" if seen_as is None else f"what {seen_as} knew of the game"


def _read(file: str) -> Any:
    from ...domain.errors import BadLog
    from ...replays.paths import typed

    try:
        return json.loads(typed(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadLog(f"{file} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    except (ValueError, RecursionError) as error:
        raise BadLog(
            f"{file} holds no JSON: it is what `warptape analyse --json` prints that is wanted here."
        ) from error
