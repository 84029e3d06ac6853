"""content: own boards and cards in a folder, begun from a game's own and checked before they are played with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..app import say, say_json
from ..group import Command, Family
from ..options import json_option

if TYPE_CHECKING:
    from ...domain.rules import Ruleset


@click.group(cls=Family)
def content() -> None:
    """Own boards and cards: begin a folder of them, and check it.

    warptape content new my-cards --ruleset RULESET
    warptape content check my-cards
    """


@content.command(cls=Command, name="new", short_help="Begin a folder of own boards and cards.")
@click.argument("folder")
@click.option("--ruleset", metavar="ID", help="The game whose boards and cards they replace.")
@click.option("--file", "names", metavar="NAME", multiple=True, help="Only this file, such as boards.toml; repeatable.")
def new(folder: str, ruleset: str | None, names: tuple[str, ...]) -> None:
    """Write a game's boards and cards into a folder, to be changed there.

    What is not to be changed can be deleted again: `new --content` and `content check` take only the files that are there
    and the rest from the game.

    warptape content new my-cards --ruleset RULESET
    """
    from ...domain.errors import ContentError
    from ...replays.contents import with_content

    rules = _named(ruleset, with_content(), f"warptape content new {folder}")
    files = dict(rules.content.files)
    for name in names:
        if name not in files:
            raise ContentError(f"{rules.id} has no content file {name}. Its files: {', '.join(files)}.")
    chosen = {name: text for name, text in files.items() if not names or name in names}
    place = Path(folder)
    try:
        there = sorted(file.name for file in place.iterdir()) if place.exists() else []
        if taken := [name for name in there if name in chosen]:
            raise ContentError(f"{place / taken[0]} is there already, and nothing was written. Name another folder.")
        place.mkdir(parents=True, exist_ok=True)
        for name, text in chosen.items():
            (place / name).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        wrong = getattr(error, "strerror", None) or str(error)
        raise ContentError(f"The folder {folder} cannot be written: {wrong.lower()}.") from error
    say(f"{folder}: {', '.join(chosen)}", bold=True)
    say(f"Change what you like, delete the files that you leave as they are, then `warptape content check {folder}`.")


@content.command(cls=Command, name="check", short_help="Check a folder of own boards and cards.")
@click.argument("folder")
@click.option("--ruleset", metavar="ID", help="The game they are for (default: the one that the files name).")
@json_option
@click.pass_context
def check(context: click.Context, folder: str, ruleset: str | None, as_json: bool) -> None:
    """Say whether a game can be played with the boards and cards of a folder; each fault with file, line and reason.

    warptape content check my-cards
    """
    from ...replays.contents import changes, faults, read_folder, replaced, whose

    files = read_folder(folder)
    rules = _named(ruleset, whose(files), f"warptape content check {folder}")
    found = faults(rules, files)
    changed = [] if found else list(changes(rules, files))
    if as_json:
        digest = "" if found else replaced(rules, files).digest
        say_json(
            {
                "ruleset": rules.id,
                "files": sorted(files),
                "faults": found,
                "changes": [
                    {"file": one.file, "table": one.table, "own": list(one.own), "of": one.of} for one in changed
                ],
                "digest": digest,
            }
        )
    elif found:
        for fault in found:
            say(fault, fg="red")
    else:
        say(f"{rules.id} can be played with {folder}.", bold=True)
        for one in changed:
            say(f"  {one.file} {one.table}: {len(one.own)} of {one.of} are your own ({_few(one.own)})")
        if not changed:
            say("  Nothing in it differs from the game's own boards and cards.")
        say(f"`warptape new {rules.id} --content {folder}` plays with it.", dim=True)
    context.exit(1 if found else 0)


def _few(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:6])
    return shown if len(names) <= 6 else f"{shown} and {len(names) - 6} more"


def _named(ruleset: str | None, fitting: list[Ruleset], command: str) -> Ruleset:
    """Return the ruleset named, else the only fitting one; raises UsageError with what may be named."""
    from ...domain.rules import ruleset as load
    from ...replays.contents import with_content

    if ruleset is not None:
        return load(ruleset)
    if len(fitting) == 1:
        return fitting[0]
    names = [rules.id for rules in fitting or with_content()]
    raise click.UsageError(f"Say for which game: `{command} --ruleset {names[0]}` (or {', '.join(names[1:])}).")
