"""Programs from outside at seats: what `--seat` and `--bot-time` take, and what is said where a program is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .options import check_seat

if TYPE_CHECKING:
    from ..replays.game import Game
    from ..replays.outside.players import Pace
    from ..replays.outside.process import Command
    from .app import App

EXEC = "exec:"
LONGEST = 86400

F = TypeVar("F", bound=Callable[..., Any])


def bot_time_option(command: F) -> F:
    """Add `--bot-time`, and set how long programs of this run may think."""
    return click.option(
        "--bot-time",
        metavar="SECONDS[/GAME]",
        expose_value=False,
        callback=_bot_time,
        help="Seconds a program has for an answer (default: 10), and for all its answers in a game (default: no limit).",
    )(command)


def _bot_time(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    try:
        times = [float(part) for part in value.split("/")]
    except ValueError:
        times = []
    if not 0 < len(times) < 3 or not all(0 < one <= LONGEST for one in times):
        raise click.UsageError(f"'{value}' is no time for bots: write seconds, as in 10, 0.5 or 10/300.", ctx)
    from ..replays.outside.players import Pace

    app: App = ctx.find_root().obj
    app.desk.pace = Pace(*times)


def pace_of(app: App) -> Pace:
    """Return how long programs of this run may think."""
    from ..replays.outside.players import Pace

    return app.desk.pace or Pace()


def read_holders(seats: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Command]]:
    """Return who holds each seat, as a game may know it, and the commands of the programs among them.

    Raises OptionError for a command that cannot be run here.
    """
    holders, commands = dict(seats), {}
    for seat, holder in seats.items():
        if holder.startswith(EXEC):
            from ..replays.outside.commands import command

            commands[seat] = command(holder.removeprefix(EXEC))
            holders[seat] = EXEC + commands[seat].name
    return holders, commands


def take_seats(app: App, game: Game, seats: Mapping[str, str]) -> None:
    """Give programs to seats of a game that is there, or (`human`) take them away; raises a usage error for other holders."""
    if not seats:
        return
    given: dict[str, Command | None] = dict.fromkeys(seats)
    for seat, holder in seats.items():
        check_seat(game, seat)
        held = game.seats.get(seat, "")
        if held.startswith("bot:"):
            raise click.UsageError(f"{held} holds the seat {seat} of this game; a fork can have another holder.")
        if holder != "human" and not holder.startswith(EXEC):
            raise click.UsageError(
                f"Who holds a seat is settled when a game begins. Here {seat} can be given a program, as in "
                f"{seat}=exec:'./bot', or {seat}=human takes it away."
            )
        if game.typed_chance and holder != "human":
            raise click.UsageError("At a table people roll and draw for every seat, so no bot can play.")
    given.update(read_holders(seats)[1])
    app.desk.seat(game.id, given)


def absent(game: Game) -> str:
    """Return a sentence for the seat that must decide where its program is not here; empty where it is, or none is meant."""
    decision = game.decision
    if decision is None:
        return ""
    seat = decision.seat
    holder = game.seats.get(seat, "")
    if not holder.startswith(EXEC) or game.player(seat) is not None:
        return ""
    name = holder.removeprefix(EXEC)
    return (
        f"The program '{name}' that plays {seat} is not here: name it with `--seat {seat}=exec:'COMMAND'`, as in "
        f"`warptape play '{game.name}' --seat {seat}=exec:'./bot'`, or play the seat yourself (`--as {seat}`)."
    )


def go_on(game: Game) -> None:
    """Let bots act that are due when somebody sits down; a game that programs play alone goes on to its end."""
    if all(map(game.automatic, game.seats)) and any(map(game.player, game.seats)):
        game.run({})
    else:
        game.play_bots()
