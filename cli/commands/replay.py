"""replay: watching a game, step by step, or recording it for others to watch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ..app import App, is_plain_ascii, is_terminal, pass_app, say, write_file
from ..group import Command
from ..options import file_name, hindsight_option, knowing, looking_option
from ..stepping import Steps, has_keys, walk

if TYPE_CHECKING:
    from ...replays.viewer import Viewer

NARROWEST, WIDEST = 40, 400


def _size(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d{2,3})x(\d{2,3})", value.strip().lower())
    columns, rows = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (NARROWEST <= columns <= WIDEST and 16 <= rows <= WIDEST):
        raise click.UsageError(
            f"'{value}' is no size of a screen: type columns x rows, such as 100x40, 40x16 or more.", ctx
        )
    return columns, rows


@click.command(cls=Command)
@click.argument("address", default="last")
@looking_option
@hindsight_option
@click.option("--plain", is_flag=True, help="Step by decisions without the viewer: needs nothing but a terminal.")
@click.option("--boards", is_flag=True, help="Where it is printed, draw the board after every step.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 100),
    default=1.0,
    metavar="N",
    help="Steps a second when it plays (default: 1).",
)
@click.option("--cast", metavar="FILE", callback=file_name, help="Write a recording that asciinema plays; - prints it.")
@click.option(
    "--size", metavar="COLUMNSxROWS", callback=_size, help="The screen of a recording (default: what it needs)."
)
@pass_app
def replay(
    app: App,
    address: str,
    seat: str | None,
    hindsight: bool,
    plain: bool,
    boards: bool,
    speed: float,
    cast: str | None,
    size: tuple[int, int] | None,
) -> None:
    """Watch a game on the terminal: step, jump, search, play, change lines and seats; ? shows the keys.

    It opens at the address, or at the start of the game. --plain steps decision by decision up to the address. Away from
    a terminal it prints every step, and the board at the end.

    warptape replay last
    warptape replay last@r3 --plain
    warptape replay last --cast game.cast --speed 2
    """
    game, place = app.find(address)
    seat = knowing(game, seat, hindsight)
    if size is not None and cast is None:
        raise click.UsageError("--size is the screen of a recording: it goes with --cast.")
    if cast is not None:
        from ...replays.viewer import Viewer

        viewer = Viewer(game, None, seat)
        viewer.switch(game.locate(place))
        write_file(cast, _recording(viewer, size, 1 / speed))
        if cast != "-":
            say(f"Written to {cast}; play it with `asciinema play {cast}`.")
        return
    steps = Steps(game, game.tree.resolve(game.locate(place)), seat)
    if not (is_terminal() and has_keys()):
        for number in range(len(steps)):
            steps.say(number, board=boards or number == len(steps) - 1)
    elif plain or is_plain_ascii():
        walk(steps)
    else:
        from ...replays.viewer import Viewer

        try:
            from ..watching import watch
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "textual":
                raise
            from ..trouble import Failed

            raise Failed("The viewer needs Textual: pip install 'warptape[tui]', or step with --plain.") from error
        watch(Viewer(game, None if place.kind == "end" else place, seat), speed)


def _recording(viewer: Viewer, size: tuple[int, int] | None, seconds: float) -> Iterator[str]:
    """Yield a recording of the line that a viewer is on: a screen for every moment of its story."""
    from ...projections.casting import Screen, cast
    from ...projections.frames import fitting, frame

    columns, rows = size or fitting(viewer)

    def screens() -> Iterator[Screen]:
        viewer.first()
        level = number = 0
        while True:
            where = viewer.where()
            mark = where.level_text if where.level != level else ""
            mark = mark or (where.round_text if where.round != number else "")
            yield Screen(frame(viewer, columns, rows), seconds, mark)
            level, number = where.level, where.round
            if not viewer.forward():
                return

    return cast(screens(), columns, rows, viewer.tape.shelf.name)
