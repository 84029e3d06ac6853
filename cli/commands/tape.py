"""lines, fork, diff: the tape as a whole."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from ...replays.address import parse_address
from ..app import App, is_terminal, pass_app, say, say_json
from ..games import decision_data, decision_text, let_bots_play
from ..group import Command
from ..options import check_seat, hindsight_option, json_option, knowing, looking_option, seat_values
from ..programs import bot_time_option, read_holders
from .remote import invitations, say_invitations


@click.command(cls=Command)
@click.argument("game", default="last")
@looking_option
@json_option
@pass_app
def lines(app: App, game: str, seat: str | None, as_json: bool) -> None:
    """Draw the lines of a game as a tree: where each leaves another, how long it is, how it was left, its last action and
    its end. The line that the game is on stands first, with a star.

    warptape lines last
    """
    from ...replays.lines import ways
    from ..branches import say_tree, tree_data

    table = app.game(game)
    found = ways(table, knowing(table, seat))
    if as_json:
        say_json(tree_data(found))
    else:
        say_tree(found)


@click.command(cls=Command)
@click.argument("address")
@click.option("--name", default="", help="A name for the new game.")
@seat_values("Who holds a seat in the fork: human, bot:NAME or exec:'COMMAND' (default: as before).")
@bot_time_option
@click.option("--reroll", is_flag=True, help="Have other dice and cards from the fork on.")
@click.option(
    "--as-of",
    "as_of",
    metavar="SEAT",
    help="Draw anew everything that this seat does not know there: cards, counters and orders of others.",
)
@json_option
@pass_app
def fork(
    app: App, address: str, name: str, seats: dict[str, str], reroll: bool, as_of: str | None, as_json: bool
) -> None:
    """Start another game from a moment of this one. Nothing is copied, and the parent is left as it is.

    With --as-of the fork is a world as it could be for all that the seat knows: what it knows stays, the rest is dealt at
    random, and dice and cards to come are new. It tells nothing that the seat does not know, and each such fork is another.

    warptape fork last@d12 --name 'what if'
    warptape fork last@d12 --reroll
    warptape fork last@d12 --as-of SEAT
    """
    from ...replays.library import seat_holders
    from .shelf import usable_name

    if name:
        usable_name(name)
    game, place = app.find(address)
    check_seat(game, as_of)
    holders, commands = read_holders(seats)
    held = seat_holders(game.ruleset, game.options, holders, game.seats) if seats else None
    at = game.batch_end(game.locate(place)) if place.kind != "end" else game.length - 1
    branch = game.fork(place, name=name, seats=held, reroll=reroll, as_of=as_of)
    app.desk.inherit(game.id, branch.id, {**branch.seats, **dict.fromkeys(seats, "")})
    if commands:
        app.desk.seat(branch.id, commands)
    let_bots_play(branch)
    if as_json:
        parent: dict[str, Any] = {"parent": game.id, "forked_at": at, "as_of": as_of}
        if app.on_server:
            parent["invitations"] = invitations(app, branch)
        say_json({"id": branch.id, "name": branch.name, **parent, **decision_data(branch)})
        return
    as_told = "" if as_of is None else f" as of {as_of}"
    say(f"Game {branch.id} '{branch.name}' is a fork of '{game.name}' after @{at}{as_told}.", bold=True)
    say(decision_text(branch))
    say_invitations(app, branch)


@click.command(cls=Command)
@click.argument("left")
@click.argument("right")
@looking_option
@hindsight_option
@click.option(
    "--boards/--no-boards",
    "drawn",
    default=None,
    help="Draw both boards, side by side where there is room (default: on a terminal).",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 where something differs.")
@json_option
@pass_app
def diff(
    app: App,
    left: str,
    right: str,
    seat: str | None,
    hindsight: bool,
    drawn: bool | None,
    exit_code: bool,
    as_json: bool,
) -> int:
    """Compare two games, or two moments of one: the first event that differs, and what differs in the positions.

    The boards stand side by side on a terminal that is wide enough, else one below the other; what changed is marked.

    warptape diff first second
    warptape diff last@d3 @d5 --boards
    """
    from ...replays.diff import diff as compare
    from ..comparing import places, say_boards

    one, place = app.find(left)
    other, there = app.find(right) if not right.startswith("@") else (one, parse_address(right))
    shown, known = knowing(one, seat, hindsight), knowing(other, seat, hindsight)
    seats = {each for each in (shown, known) if each is not None}
    if len(seats) > 1 or not all(each in game.seats for each in seats for game in (one, other)):
        raise click.UsageError("You hold different seats in these games: say whose knowledge to compare, with --as.")
    shown = next(iter(seats), None)
    found = compare(one, place, other, there, seat=shown)
    sides = ((one, found.left.position), (other, found.right.position))
    if as_json:
        data = {"same": found.same, **msgspec.to_builtins(found, enc_hook=str), "places": places(*sides, shown)}
        say_json(data)
    else:
        if (is_terminal() if drawn is None else drawn) and not found.same:
            say_boards(*sides, shown)
        say(found.text().rstrip("\n"))
    return 1 if exit_code and not found.same else 0
