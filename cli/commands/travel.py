"""undo, redo, consent, rewind: going back and forth on the tape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..app import App, pass_app, say, say_json
from ..games import decision_data, decision_text, say_told, told_data, viewer
from ..group import Command
from ..options import by_option, check_seat, json_option, seat_option

if TYPE_CHECKING:
    from ...replays.game import Game


def report(game: Game, played: Any, seat: str | None, as_json: bool) -> None:
    """Print what a step in time recorded, as the one who took it may know it, and where the game stands now."""
    if as_json:
        say_json({"events": told_data(game, played.position, seat=viewer(game, seat)), **decision_data(game)})
        return
    say_told(game, played.position, seat=viewer(game, seat))
    say(decision_text(game))


@click.command(cls=Command)
@click.argument("game", default="last")
@seat_option("The seat that takes back (default: the one whose action it is).")
@by_option
@click.option("--reroll", is_flag=True, help="Have other dice and cards afterwards; the log says so.")
@click.option("--reason", default="", help="What you say about it, for the log.")
@json_option
@pass_app
def undo(app: App, game: str, seat: str | None, person: str, reroll: bool, reason: str, as_json: bool) -> None:
    """Take back the last action, with the bots' answers to it; the same action again gives the same dice and cards.

    Where the game's undo policy is `consent` and forbids it, the other seat is asked: `warptape consent` answers.

    warptape undo last
    warptape undo last --reroll --reason 'the cat moved the board'
    """
    table = app.game(game)
    check_seat(table, seat)
    played, asked = take_back(table, seat, reroll, reason, person)
    if asked and not as_json:
        say_told(table, played.position, seat=viewer(table, seat))
        say("This needs consent: the other seat answers with `warptape consent`.")
        if reason:
            say("The reason is not recorded, for a request has none; `warptape note` leaves a word with it.")
        return
    report(table, played, seat, as_json)


def take_back(
    game: Game, seat: str | None, reroll: bool = False, reason: str = "", person: str = ""
) -> tuple[Any, bool]:
    """Undo, or ask for consent where the policy says so; returns what was recorded and whether it is a request.

    Raises NotAllowed.
    """
    from ...domain.errors import NotAllowed

    try:
        return game.undo(seat, person=person, reroll=reroll, reason=reason), False
    except NotAllowed:
        if game.policy != "consent":
            raise
        if (request := game.takebacks.open_request()) is not None:
            position, open_one = request
            raise NotAllowed(
                f"{open_one.seat} has asked to take back to @{open_one.to} already (@{position}): the other seat answers "
                "with `consent`."
            ) from None
        _, head = game.takebacks.last_action()
        return game.ask_undo(seat or head.seat, person=person), True


@click.command(cls=Command)
@click.argument("game", default="last")
@seat_option("The seat that does it.")
@by_option
@json_option
@pass_app
def redo(app: App, game: str, seat: str | None, person: str, as_json: bool) -> None:
    """Play again what the last undo or rewind took back; after a new action there is nothing to redo.

    warptape redo last
    """
    table = app.game(game)
    check_seat(table, seat)
    report(table, table.redo(seat, person=person), seat, as_json)


@click.command(cls=Command)
@click.argument("game")
@click.argument("answer", type=click.Choice(["yes", "no"], case_sensitive=False))
@seat_option("The seat that answers (default: the only one that did not ask).")
@by_option
@json_option
@pass_app
def consent(app: App, game: str, answer: str, seat: str | None, person: str, as_json: bool) -> None:
    """Answer another seat that asks to take something back.

    warptape consent last yes --as SEAT
    """
    table = app.game(game)
    check_seat(table, seat)
    report(
        table,
        table.consent(seat or table.own_seat or _other(table), answer.lower() == "yes", person=person),
        seat,
        as_json,
    )


def _other(game: Game) -> str:
    """Return the one seat that may answer the open request; raises a usage error where several may."""
    request = game.takebacks.open_request()
    asking = request[1].seat if request else ""
    others = [name for name in game.seats if name != asking]
    if request is None or len(others) == 1:
        return others[0]
    raise click.UsageError(f"Say who answers: --as {' or --as '.join(others)}.")


@click.command(cls=Command)
@click.argument("address")
@seat_option("The seat that does it.")
@by_option
@click.option("--reroll", is_flag=True, help="Have other dice and cards afterwards; the log says so.")
@click.option("--reason", default="", help="What you say about it, for the log.")
@json_option
@pass_app
def rewind(app: App, address: str, seat: str | None, person: str, reroll: bool, reason: str, as_json: bool) -> None:
    """Go to a moment of the game, on the line it is on or on one that was left; nothing is lost.

    warptape rewind last@d7
    warptape rewind last@57
    """
    game, place = app.find(address)
    check_seat(game, seat)
    if place.kind == "end":
        raise click.UsageError("Say where to go, as in last@d7 or last@57; `warptape lines` shows what there is.")
    report(game, game.rewind(place, seat=seat or "", person=person, reason=reason, reroll=reroll), seat, as_json)
