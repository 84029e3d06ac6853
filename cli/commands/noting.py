"""note, notes: what people write on a game."""

from __future__ import annotations

from typing import Any

import click

from ..app import App, pass_app, say, say_hanging, say_json
from ..group import Command
from ..options import by_option, check_seat, hindsight_option, json_option, knowing, looking_option, seat_option


@click.command(cls=Command)
@click.argument("address")
@click.argument("text", nargs=-1)
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="A tag, such as blunder. Repeat it for more.")
@seat_option("The seat that writes.")
@by_option
@click.option(
    "--private/--public",
    default=None,
    help="Only the seat that writes may read it, or everybody (default: private for a seat in an open game with secrets).",
)
@click.option("--remove", is_flag=True, help="Take back the note that was written at the address, as `notes` lists it.")
@json_option
@pass_app
def note(
    app: App,
    address: str,
    text: tuple[str, ...],
    tags: tuple[str, ...],
    seat: str | None,
    person: str,
    private: bool | None,
    remove: bool,
    as_json: bool,
) -> None:
    """Write a note on a moment of the game, or tag it; it leaves the board alone and stands in the log and the story.

    A private note is sealed like any secret: nobody else's views, exports and forks hold it. With --remove a note is taken
    back: the log keeps it, and nothing else shows it any more.

    warptape note last 'a brave roll'
    warptape note last@57 'here it went wrong' --tag blunder
    warptape note last@91 --remove
    """
    game, place = app.find(address)
    check_seat(game, seat)
    if remove:
        if text or tags or private is not None:
            raise click.UsageError("--remove takes a note back as it is: leave out text and tags.")
        if place.kind != "event":
            raise click.UsageError("Say which note, by its own position: `warptape notes` lists them, as in last@91.")
        taken = game.remove_note(place, seat=seat or "", person=person)
        if as_json:
            say_json({"position": taken.position, "removed": place.number})
        else:
            say(f"The note @{place.number} is taken back.")
        return
    if not text and not tags:
        raise click.UsageError("Say what to write, or give a --tag.")
    played = game.note(" ".join(text), place, tags=tags, seat=seat or "", person=person, private=private)
    event: Any = played.events[-1]
    if as_json:
        at = played.position + len(played.events) - 1
        shown = {"at": event.at, "text": event.text, "tags": event.tags, "private": event.seen_by is not None}
        say_json({"position": at, **shown})
    else:
        say(f"Noted on @{event.at}{f', for {seat} alone' if event.seen_by is not None else ''}.")


@click.command(cls=Command)
@click.argument("game", default="last")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Only notes with this tag, or with all of these.")
@looking_option
@hindsight_option
@click.option("--all", "every", is_flag=True, help="Those that were taken back as well.")
@json_option
@pass_app
def notes(
    app: App, game: str, tags: tuple[str, ...], seat: str | None, hindsight: bool, every: bool, as_json: bool
) -> None:
    """List the notes on a game, in the order of the moments they are on: where they are, what they say, their tags.

    warptape notes last
    warptape notes last --tag blunder --json
    """
    from ...replays.notes import notes as found

    table = app.game(game)
    listed = found(table, knowing(table, seat, hindsight), tags=tags, removed=every)
    if as_json:
        say_json(listed)
        return
    for one in listed:
        by = one.person or one.seat
        marks = [f"note @{one.position}", by, f"for {one.private} alone" if one.private else ""]
        marks.append("" if one.removed is None else f"taken back at @{one.removed}")
        text = " ".join(filter(None, (one.text, one.label)))
        say_hanging(f"@{one.at:<5} ", f"{text} ({', '.join(filter(None, marks))})")
    if not listed:
        say("There are no such notes." if tags else "There are no notes.")
