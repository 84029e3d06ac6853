"""show, log: a game as it stood, and its events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from ..app import App, inert, pass_app, say, say_hanging, say_json, say_scene, write_file
from ..games import decision_text, marked, told_data
from ..group import Command
from ..options import ALL, hindsight_option, json_option, knowing, looking_option, output_option

if TYPE_CHECKING:
    from ...replays.told import Told


@click.command(cls=Command)
@click.argument("address", default="last")
@looking_option
@hindsight_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "svg", "html", "json"]),
    default="text",
    help="text (the default), svg, html (a page of its own) or json (the drawing as data).",
)
@json_option
@output_option
@pass_app
def show(app: App, address: str, seat: str | None, hindsight: bool, form: str, as_json: bool, output: str) -> None:
    """Draw the board at any moment.

    warptape show last
    warptape show last@d12 --format svg -o board.svg
    """
    from ...projections.boards import draw

    game, place = app.find(address)
    seat = knowing(game, seat, hindsight)
    position = game.at(place)
    scene = draw(position.ruleset, position.shown(seat), position.title)
    if as_json or form == "json":
        import msgspec

        write_file(output, msgspec.json.format(scene.to_json(), indent=2))
    elif form == "svg":
        write_file(output, scene.svg())
    elif form == "html":
        write_file(output, scene.html())
    elif output != "-":
        write_file(output, scene.text())
    else:
        say_scene(scene)
        say(decision_text(game) if place.kind == "end" else decision_text(game, position))


@click.command(cls=Command)
@click.argument("address", default="last")
@looking_option
@hindsight_option
@click.option("--from", "start", type=click.IntRange(0), metavar="POSITION", default=0, help="Begin at this event.")
@click.option("-n", "newest", type=click.IntRange(1), metavar="N", help="Only the last N that are listed.")
@click.option("--line", is_flag=True, help="Only the line that the game is on: nothing that was taken back.")
@click.option("--all", "every", is_flag=True, help="Events without a sentence as well, with their kinds and rules.")
@click.option("--moves", is_flag=True, help="The moves of the line up to there, as `warptape act GAME -` reads them.")
@click.option("--no-results", is_flag=True, help="With --moves: without what dice and draws gave.")
@json_option
@pass_app
def log(
    app: App,
    address: str,
    seat: str | None,
    hindsight: bool,
    start: int,
    newest: int | None,
    line: bool,
    every: bool,
    moves: bool,
    no_results: bool,
    as_json: bool,
) -> None:
    """List the events up to an address, each with its position; what was taken back is marked with an x.

    With --moves only the actions of the line are listed, as a file that can be typed into another game.

    warptape log last
    warptape log last@57 -n 10 --json
    warptape log last --moves > moves.txt
    """
    from ...replays.told import tell_log

    if no_results and not moves:
        raise click.UsageError("--no-results belongs to --moves.")
    game, place = app.find(address)
    whole = moves and seat is None  # a game is typed from all of its moves
    seat = knowing(game, ALL if whole else seat, hindsight)
    if moves:
        if start or newest is not None or every or as_json:
            raise click.UsageError("--moves lists the whole line up to the address, and nothing else goes with it.")
        from ...replays.moves import moves as lines_of

        tip = game.tree.resolve(game.batch_end(game.locate(place)))
        for text in lines_of(game, tip, seat, results=not no_results):
            click.echo(inert(text), nl=False)
        return
    stop = game.length if place.kind == "end" else game.locate(place) + 1
    if as_json:
        start = start if newest is None else max(start, stop - newest)
        events = told_data(game, start, stop, seat)
        say_json([event for event in events if event["on_line"] or not line])
        return

    def listed(first: int) -> Iterator[Told]:
        return (one for one in tell_log(game, first, stop, seat) if (one.on_line or not line) and (one.text or every))

    for told in listed(start) if newest is None else _newest(listed, newest, start, stop):
        mark = " " if told.on_line else "x"
        detail = f"{told.kind}{f' [{told.event.rule}]' if told.event.rule else ''}: " if every else ""
        style = {} if told.on_line else {"dim": True}
        say_hanging(f"{told.position:>5} {mark} ", f"{detail}{marked(told)}".rstrip(), **style)


def _newest(listed: Callable[[int], Iterator[Told]], number: int, start: int, stop: int) -> deque[Told]:
    """Return the last events that are listed; reads no more of a long log than holds so many."""
    width = number
    while True:
        first = max(start, stop - width)
        found = deque(listed(first), maxlen=number)
        if len(found) == number or first == start:
            return found
        width *= 4
