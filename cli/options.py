"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def pairs(what: str) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], dict[str, str]]:
    """Return a callback that turns repeated `key=value` texts into a mapping; `what` names the form in the error."""

    def read(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
        found: dict[str, str] = {}
        for text in values:
            key, sign, value = text.partition("=")
            if not sign or not key or not value:
                raise click.UsageError(f"'{text}' is not of the form {what}.", ctx)
            if key in found:
                raise click.UsageError(f"'{key}' is given twice.", ctx)
            found[key] = value
        return found

    return read


def json_option(command: F) -> F:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")(command)


def seat_option(text: str) -> Callable[[F], F]:
    """Add `--as SEAT`."""
    return click.option("--as", "seat", metavar="SEAT", help=text)


def by_option(command: F) -> F:
    """Add `--by NAME`."""
    return click.option(
        "--by",
        "person",
        metavar="NAME",
        default="",
        callback=_person,
        help="Who does it, for the log (default: whose part it is, where people share a seat by name).",
    )(command)


def _person(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    name = value.strip()
    if value and (not name or not name.isprintable() or len(name) > 80):
        raise click.UsageError("A name of somebody is plain text on one line, with at most 80 letters.", ctx)
    if name.startswith(("bot:", "exec:")):
        raise click.UsageError("'bot:' and 'exec:' begin the name of a bot, and it is a person who does it.", ctx)
    return name


def output_option(command: F) -> F:
    """Add `-o FILE`."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        callback=file_name,
        help="Write to a file instead of the standard output.",
    )(command)


def file_name(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty text where a file is to be named."""
    if value is not None and not value.strip():
        raise click.UsageError("The name of the file is empty.", ctx)
    return value


def option_values(command: F) -> F:
    """Add `--option name=value`."""
    return click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        callback=pairs("NAME=VALUE"),
        help="An option of the game; `warptape rulesets ID` lists them. Repeat it for more.",
    )(command)


def seat_values(text: str, form: str = "SEAT=HOLDER") -> Callable[[F], F]:
    """Add `--seat seat=holder`."""
    return click.option("--seat", "seats", metavar=form, multiple=True, callback=pairs(form), help=text)


def hindsight_option(command: F) -> F:
    """Add `--hindsight`."""
    return click.option(
        "--hindsight",
        is_flag=True,
        help="Once the game is over: show everything, also what that seat did not know then.",
    )(command)


ALL = "all"
"""What `--as` takes in place of a seat: show everything that is here, whoever knows it."""
KNOWS = (
    "What this seat may know; `all`: everything here (default: all, but against bots what you may know till the end)."
)


def looking_option(command: F) -> F:
    """Add `--as SEAT` of a command that looks; `knowing` says what its value means."""
    return seat_option(KNOWS)(command)


def knowing(game: Any, seat: str | None, hindsight: bool = False) -> str | None:
    """Return whose knowledge is shown, None for all; with hindsight all there is.

    Without a seat it is that of the only person who plays against bots while secrets matter, so that a look gives
    nothing away by accident; `all` stands for everything.

    Raises a usage error for an unknown seat, NotAllowed for hindsight in a game that is not over or not all here.
    """
    if seat == ALL and ALL not in game.seats:
        seat = None
    elif seat is None and not hindsight:
        return against_bots(game)
    check_seat(game, seat)
    if not hindsight:
        return seat
    from ..domain.errors import NotAllowed

    if game.seen_as is not None:
        raise NotAllowed(f"Only what {game.seen_as} knew of this game is here: import the whole log for hindsight.")
    if game.outcome is None:
        raise NotAllowed("The game is not over: hindsight would tell what is still secret.")
    return None


def against_bots(game: Any) -> str | None:
    """Return the seat of the only person in an unfinished game with secrets against bots; None in any other."""
    from ..domain.errors import WarptapeError

    people: list[str] = [seat for seat, holder in game.seats.items() if holder == "human"]
    if not game.ruleset.secretive or len(people) != 1 or len(game.seats) == 1 or game.seen_as is not None:
        return None
    try:
        return people[0] if game.outcome is None else None
    except WarptapeError:  # the rules fail on it: it is not over
        return people[0]


def check_seat(game: Any, seat: str | None) -> None:
    """Raise a usage error unless the game has that seat."""
    if seat is None:
        return
    known = [each.id for each in game.ruleset.seats(game.options)]
    if seat not in known:
        raise click.UsageError(f"There is no seat '{seat}' in this game. Its seats: {', '.join(known)}.")
