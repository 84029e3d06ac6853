"""rulesets, games, rename, delete: what can be played and what was."""

from __future__ import annotations

import sys
from typing import Any

import click

from ..app import App, pass_app, say, say_json, say_table
from ..group import Command
from ..options import json_option


@click.command(cls=Command)
@click.argument("ruleset", required=False)
@click.option(
    "--content", is_flag=True, help="Show how much of the content is printed in the rulebook and how much house."
)
@json_option
def rulesets(ruleset: str | None, content: bool, as_json: bool) -> None:
    """List the games that can be played; with an id, tell all about one: seats, bots, options.

    warptape rulesets
    warptape rulesets --content
    """
    from ...domain.errors import WarptapeError
    from ...domain.rules import installed
    from ...domain.rules import ruleset as load

    found: list[dict[str, Any]] = []
    for name in [ruleset] if ruleset else installed():
        try:
            found.append(_about(load(name), content))
        except WarptapeError as error:
            if ruleset:
                raise
            found.append({"id": name, "error": str(error)})
    if as_json:
        say_json(found)
        return
    if not found:
        say("No rulesets are installed.")
    for about in found:
        if "error" in about:
            say(f"{about['id']}: {about['error']}", fg="red")
            continue
        say(f"{about['id']}  {about['title']}, version {about['version']}", bold=True)
        if about["summary"]:
            say(f"  {about['summary']}")
        say(f"  Seats: {', '.join(about['seats'])}. Bots: {', '.join(about['bots']) or 'none'}.")
        for option in about["options"]:
            say(f"  --option {option['name']}={option['default']}  takes {option['takes']}")
        for row in about.get("content", ()):
            house = f"{row['printed']} printed, {row['house']} house"
            figures = f"; single figures: {row['printed_figures']} printed, {row['house_figures']} house"
            say(f"  {row['file']} {row['table']}: {house}" + (figures if row["house_figures"] else ""))


def _about(rules: Any, content: bool) -> dict[str, Any]:
    import msgspec

    about: dict[str, Any] = {
        "id": rules.id,
        "version": rules.version,
        "title": rules.title,
        "summary": rules.summary,
        "seats": [seat.id for seat in rules.seats(rules.options())],
        "bots": list(rules.bots),
        "options": [
            {"name": field.name, "default": _plain(field.default), "takes": rules.takes(field.name)}
            for field in msgspec.structs.fields(rules.options)
        ],
        "digest": rules.content.digest,
    }
    if content:
        about["content"] = [msgspec.to_builtins(tally) for tally in rules.content.tallies()]
    return about


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str | int) else ""


@click.command(cls=Command)
@click.option("--ruleset", metavar="ID", help="Only games of this ruleset.")
@json_option
@pass_app
def games(app: App, ruleset: str | None, as_json: bool) -> None:
    """List the recorded games, the last played first.

    warptape games
    warptape games --json
    """
    shelves = app.store.games(ruleset)
    if as_json:
        say_json([_shelf(shelf) for shelf in shelves])
        return
    if not shelves:
        say("There are no games yet. `warptape new RULESET` starts one; `warptape rulesets` lists what can be played.")
        return
    rows = []
    for shelf in shelves:
        what = shelf.outcome or "in play"
        fork = f"fork of {shelf.parent}@{shelf.first - 1}" if shelf.parent else ""
        rows.append((shelf.id, shelf.name, shelf.ruleset, str(shelf.length), shelf.changed[:16], what, fork))
    say_table(rows, ("id", "name", "ruleset", "events", "changed", "outcome", ""))


def _shelf(shelf: Any) -> dict[str, Any]:
    return {
        "id": shelf.id,
        "name": shelf.name,
        "ruleset": shelf.ruleset,
        "ruleset_version": shelf.ruleset_version,
        "length": shelf.length,
        "created": shelf.created,
        "changed": shelf.changed,
        "outcome": shelf.outcome or None,
        "seats": shelf.seats,
        "undo": shelf.extra.get("undo", "free"),
        "parent": shelf.parent,
        "forked_at": shelf.first - 1 if shelf.parent else None,
    }


@click.command(cls=Command)
@click.argument("game")
@click.argument("name")
@pass_app
def rename(app: App, game: str, name: str) -> None:
    """Give a game another name. A name holds no @ and does not begin with a hyphen.

    warptape rename last 'Friday night'
    """
    usable_name(name)
    shelf = app.store.rename(game, name)
    say(f"Game {shelf.id} is now '{name}'.")


def usable_name(name: str) -> None:
    """Raise a usage error, saying what is wrong, unless the text may name a game."""
    from ...domain.errors import StoreError
    from ...replays.shelf import check_name

    try:
        check_name(name)
    except StoreError as error:
        raise click.UsageError(str(error)) from error


@click.command(cls=Command)
@click.argument("game")
@click.option("--with-forks", is_flag=True, help="Delete its forks as well; without this a game with forks is kept.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def delete(app: App, game: str, with_forks: bool, yes: bool) -> None:
    """Delete a game for good. On a terminal it asks first.

    warptape delete 'Friday night'
    warptape delete last --with-forks --yes
    """
    shelf = app.store.store.find(game)
    if not yes and sys.stdin is not None and sys.stdin.isatty():
        click.confirm(f"Delete game {shelf.id} '{shelf.name}' with its {shelf.length} events?", abort=True)
    elif not yes:
        raise click.UsageError(f"Deleting '{shelf.name}' cannot be undone: add --yes.")
    gone = app.store.delete(shelf.id, with_forks)
    for one in gone:
        app.desk.forget(one)
    forks = f" and {len(gone) - 1} fork{'s' if len(gone) > 2 else ''}" if len(gone) > 1 else ""
    say(f"Game {shelf.id} '{shelf.name}'{forks} deleted.")
