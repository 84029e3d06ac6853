"""lines, fork, diff, note: the tape as a whole."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from ...replays.address import parse_address
from ..app import App, pass_app, say, say_json
from ..games import decision_data, decision_text, let_bots_play, line_text
from ..group import Command
from ..options import check_seat, json_option, seat_option, seat_values


@click.command(cls=Command)
@click.argument("game", default="last")
@seat_option("What this seat may know (default: all that the owner of the log knows).")
@json_option
@pass_app
def lines(app: App, game: str, seat: str | None, as_json: bool) -> None:
    """List the lines of a game: how each was played last and where it left the current one, which has a *.

    warptape lines last
    """
    table = app.game(game)
    check_seat(table, seat)
    found = table.lines(seat)
    if as_json:
        say_json(found)
        return
    for line in found:
        say(line_text(line))


@click.command(cls=Command)
@click.argument("address")
@click.option("--name", default="", help="A name for the new game.")
@seat_values("Who holds a seat in the fork: human or bot:NAME (default: as before).")
@click.option("--reroll", is_flag=True, help="Have other dice and cards from the fork on.")
@json_option
@pass_app
def fork(app: App, address: str, name: str, seats: dict[str, str], reroll: bool, as_json: bool) -> None:
    """Start another game from a moment of this one. Nothing is copied, and the parent is left as it is.

    warptape fork last@d12 --name 'what if'
    """
    from ...replays.library import seat_holders
    from .shelf import usable_name

    if name:
        usable_name(name)
    game, place = app.find(address)
    held = seat_holders(game.ruleset, game.options, seats, game.seats) if seats else None
    branch = game.fork(place, name=name, seats=held, reroll=reroll)
    let_bots_play(branch)
    if as_json:
        parent = {"parent": game.id, "forked_at": branch.shelf.first - 1}
        say_json({"id": branch.id, "name": branch.name, **parent, **decision_data(branch)})
        return
    say(f"Game {branch.id} '{branch.name}' is a fork of '{game.name}' after @{branch.shelf.first - 1}.", bold=True)
    say(decision_text(branch))


@click.command(cls=Command)
@click.argument("left")
@click.argument("right")
@seat_option("Compare what this seat may know.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where something differs.")
@json_option
@pass_app
def diff(app: App, left: str, right: str, seat: str | None, exit_code: bool, as_json: bool) -> int:
    """Compare two games, or two moments of one: the first event that differs, and what differs in the positions.

    warptape diff first second
    warptape diff last@d3 @d5
    """
    from ...replays.diff import diff as compare

    one, place = app.find(left)
    other, there = app.find(right) if not right.startswith("@") else (one, parse_address(right))
    for game in (one, other):
        check_seat(game, seat)
    found = compare(one, place, other, there, seat=seat)
    if as_json:
        say_json({"same": found.same, **msgspec.to_builtins(found, enc_hook=str)})
    else:
        say(found.text().rstrip("\n"))
    return 1 if exit_code and not found.same else 0


@click.command(cls=Command)
@click.argument("address")
@click.argument("text", nargs=-1, required=True)
@seat_option("The seat that writes.")
@json_option
@pass_app
def note(app: App, address: str, text: tuple[str, ...], seat: str | None, as_json: bool) -> None:
    """Write a note on a moment of the game; it leaves the board alone and stands in the log and the story.

    warptape note last 'a brave roll'
    warptape note last@57 'here it went wrong'
    """
    game, place = app.find(address)
    check_seat(game, seat)
    played = game.note(" ".join(text), place, seat=seat or "")
    event: Any = played.events[0]
    if as_json:
        say_json({"position": played.position, "at": event.at, "text": event.text})
    else:
        say(f"Noted on @{event.at}.")
