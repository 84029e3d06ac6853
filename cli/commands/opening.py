"""new: start a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..app import App, is_terminal, pass_app, say, say_json
from ..games import decision_data, decision_text, let_bots_play
from ..group import Command
from ..options import json_option, option_values, seat_values
from ..programs import bot_time_option, read_holders
from .remote import invitations, say_invitations
from .shelf import usable_name

if TYPE_CHECKING:
    from ...domain.content import Content


@click.command(cls=Command)
@click.argument("ruleset")
@click.option("--name", default="", help="A name for the game.")
@click.option("--seed", help="Any text: the same seed and the same actions give the same game.")
@option_values
@seat_values("Who holds a seat: human (the default), bot:NAME, or exec:'COMMAND', a program of yours.")
@bot_time_option
@click.option(
    "--chance",
    type=click.Choice(["fate", "table"]),
    default="fate",
    help="Where dice and cards come from: fate (drawn here) or table (you roll for real and type what came out).",
)
@click.option(
    "--undo",
    type=click.Choice(["free", "until-revealed", "consent"]),
    help="What may be taken back (default: free for one person and at a table, else until-revealed).",
)
@click.option(
    "--content", "folder", metavar="FOLDER", help="Own boards and cards: *.toml files that replace the game's."
)
@click.option("--rolled", metavar="A,B,…", help="The results the set-up needs, where chance is a table.")
@json_option
@pass_app
def new(
    app: App,
    ruleset: str,
    name: str,
    seed: str | None,
    options: dict[str, str],
    seats: dict[str, str],
    chance: str,
    undo: str | None,
    folder: str | None,
    rolled: str | None,
    as_json: bool,
) -> None:
    """Start a game; `warptape rulesets` lists what can be played.

    warptape new RULESET --name first --seed lucky
    warptape new RULESET --chance table
    warptape new RULESET --seat SEAT=exec:'python3 bot.py'
    """
    if name:
        usable_name(name)
    if seed is not None and not seed:
        raise click.UsageError("The seed is empty: give it some text, or leave --seed out.")
    holders, commands = read_holders(seats)
    game = app.store.new(
        ruleset,
        seed=seed,
        options=options,
        seats=holders,
        name=name,
        chance=chance,
        undo=undo or "",
        content=content_of(ruleset, folder) if folder else None,
        outcomes=split_outcomes(rolled),
    )
    if commands:
        app.desk.seat(game.id, commands)
    let_bots_play(game)
    if as_json:
        links = {"invitations": invitations(app, game)} if app.on_server else {}
        say_json({"id": game.id, "name": game.name, "ruleset": ruleset, **decision_data(game), **links})
        return
    say(f"Game {game.id} '{game.name}'", bold=True)
    say(decision_text(game))
    say_invitations(app, game)
    if is_terminal() and game.decision is not None:
        say(f"`warptape play '{game.name}'` plays it, `warptape legal '{game.name}'` lists what may be done.", dim=True)


def split_outcomes(text: str | None) -> list[str]:
    """Return the results in a text such as `4,5`; none in None. Raises BadNotation."""
    from ...replays.moves import read_results

    return read_results(text) if text else []


def content_of(ruleset: str, folder: str) -> Content:
    """Return a ruleset's content with the `.toml` files of a folder in place of its own.

    Raises ContentError, naming the folder or the file.
    """
    from ...domain.rules import ruleset as load
    from ...replays.contents import read_folder, replaced

    return replaced(load(ruleset), read_folder(folder))
