"""play: the game at a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..app import App, pass_app
from ..group import Command
from ..options import by_option, check_seat, seat_option, seat_values
from ..programs import bot_time_option, read_holders, take_seats

if TYPE_CHECKING:
    from ...replays.game import Game


@click.command(cls=Command)
@click.argument("game", default="last")
@seat_option("Sit at this seat only, and see what it sees (default: whoever must decide).")
@seat_values(
    "Give a seat to a program of yours from now on: exec:'COMMAND'; human takes it away. A new game takes bot:NAME, too."
)
@bot_time_option
@by_option
@pass_app
def play(app: App, game: str, seat: str | None, seats: dict[str, str], person: str) -> None:
    """Play at a prompt: the board, the question, numbered actions; `help` there says what can be typed.

    Where two people share a game with secrets, the screen is emptied whenever the other one must decide, and shows
    nothing before that one has pressed Enter; each sees what its seat may know.

    The id of a ruleset offers a new game of it. Every action is recorded at once, so Ctrl-C and Ctrl-D lose nothing.
    Away from a terminal it reads lines from standard input.

    warptape play last
    warptape play RULESET
    warptape play last --seat SEAT=exec:./bot
    """
    from ..prompt import Prompt, on_terminal, plain
    from ..session import Session

    terminal = on_terminal()
    table = _table(app, game, terminal, seats)
    check_seat(table, seat)
    session = Session(table, plain, seat or table.own_seat, person, curtain=terminal)
    app.be_patient()
    stop = None
    if terminal:
        session.read = prompt = Prompt(session.completions, session.history)
        stop = table.follow(prompt.wake)
    try:
        session.run()
    finally:
        if stop is not None:
            stop()


def _table(app: App, text: str, terminal: bool, seats: dict[str, str]) -> Game:
    """Return the game to play: the one named, or on a terminal a new one of the ruleset named."""
    from ...domain.errors import UnknownGame
    from ...domain.rules import installed

    try:
        table = app.game(text)
    except UnknownGame as error:
        if text not in installed():
            raise
        if not terminal:
            raise UnknownGame(f"There is no game '{text}'. `warptape new {text}` starts one.") from error
        if not click.confirm(f"There is no game '{text}'. Start a new game of {text}?", default=True):
            raise click.Abort from error
        holders, commands = read_holders(seats)
        table = app.store.new(text, seats=holders)
        if commands:
            app.desk.seat(table.id, commands)
    else:
        take_seats(app, table, seats)
    return table
