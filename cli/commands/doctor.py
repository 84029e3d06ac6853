"""doctor, backup, restore: a store that is sound, and stays so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ..app import App, default_store, pass_app, say, stop_without_reader
from ..group import Command
from ..options import file_name, json_option
from ..progress import Progress
from ..trouble import WRONG

if TYPE_CHECKING:
    from ...replays.complaints import Complaint

COLOURS = {"note": "cyan", "risk": "yellow", "cache": "yellow", "damage": "red"}


@click.command(cls=Command)
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option(
    "--repair", is_flag=True, help="Set right what is only a cache: snapshots, indexes, leftovers of deleted games."
)
@click.option(
    "--archive",
    "archives",
    metavar="FILE",
    multiple=True,
    callback=lambda ctx, parameter, value: tuple(file_name(ctx, parameter, one) for one in value),
    help="Look at an archive of this store as well. Repeat it for more.",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that share many games (default: one a core).")
@json_option
@pass_app
def doctor(
    app: App, games: tuple[str, ...], repair: bool, archives: tuple[str, ...], jobs: int | None, as_json: bool
) -> int:
    """Look a store through: the database and its place, every game, and the caches; or only some games.

    One line says what was found and what to do about it: `damage` is what only a backup brings back, `cache` what --repair
    makes anew, `risk` what may go wrong next, `note` what is good to know. The exit code is 1 while something is wrong.
    Events are never changed. `warptape audit` looks closer at a game: it runs the rules again as well.

    warptape doctor
    warptape doctor --repair
    warptape doctor --archive games-archive.db --json
    """
    url = _kept_here(app)
    found = _complaints(app, url, games, repair, archives, jobs)
    out = _Output(as_json)
    try:
        for one in found:
            out.say(one)
            stop_without_reader()
    finally:
        found.close()  # type: ignore[attr-defined]
    out.end(url, repair)
    return WRONG if out.wrong else 0


def _kept_here(app: App) -> str:
    """Return where the store is; raises UsageError for that of a game service."""
    url = app.url or default_store()
    if url.lower().startswith(("https://", "http://")):
        raise click.UsageError("A store is looked after where it is kept: run this where the game service runs.")
    return url


def _complaints(
    app: App, url: str, games: tuple[str, ...], repair: bool, archives: tuple[str, ...], jobs: int | None
) -> Iterator[Complaint]:
    from ...domain.errors import StoreError
    from ...replays.checkup import FROM_BACKUP
    from ...replays.complaints import Complaint, damage
    from ...replays.doctor import Doctor
    from ...replays.paths import typed
    from ...replays.processes import cores
    from ...replays.reader import Busy
    from ...replays.store import file_of, open_store
    from ...replays.surroundings import extras, playouts

    path = file_of(url)
    if path and path != ":memory:" and not os.path.lexists(typed(path)):
        yield Complaint("note", "store", f"there is none at {url} yet", "The first game makes it.")
        return
    try:
        store = open_store(url)
    except Busy:
        raise
    except StoreError as error:
        if "damaged" not in str(error):
            raise
        yield damage("store", f"{error}", FROM_BACKUP)
        return
    with store:
        named = [store.find(text) for text in games]
        many = jobs or cores()
        with Progress("Looking", len(named) or store.count()) as bar:
            visit = Doctor(
                store,
                url,
                [(shelf.id, shelf.name) for shelf in named],
                repair=repair,
                jobs=1 if url == ":memory:" or len(named) == 1 else many,
                done=bar.advance,
            )
            yield from _aside(bar, visit.run())
        if not games:
            yield from playouts(repair)
            yield from extras()
        for archive in archives:
            from ...projections.archive.checking import check

            yield from check(archive, store, repair)


def _aside(bar: Progress, found: Iterator[Complaint]) -> Iterator[Complaint]:
    """Yield what is found while the bar is away."""
    for one in found:
        with bar.aside():
            yield one


class _Output:
    """Prints what is found as it is found, so that nothing is kept but the counts."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.told = self.wrong = self.repaired = self.caches = 0

    def say(self, one: Complaint) -> None:
        """Print a finding on one line."""
        import msgspec

        if self.as_json:
            text = msgspec.json.format(msgspec.json.encode(one), indent=2).decode()
            click.echo((",\n" if self.told else "[\n") + text, nl=False)
        elif one.done:
            say(f"repaired  {one}", fg="green")
        else:
            say(f"{one.grade:<8}  {one}", fg=COLOURS[one.grade])
        self.told += 1
        self.wrong += one.wrong
        self.repaired += bool(one.done)
        self.caches += one.wrong and one.grade == "cache"

    def end(self, url: str, repair: bool) -> None:
        """Print what it comes to."""
        if self.as_json:
            click.echo("\n]" if self.told else "[]")
            return
        set_right = f"{self.repaired} set right." if self.repaired else ""
        if not self.wrong:
            say(f"{set_right} Nothing {'else ' if self.repaired else ''}wrong was found.".strip(), fg="green")
            return
        hint = f" {self.caches} of them --repair may set right." if self.caches and not repair else ""
        say(f"{set_right} {self.wrong} thing{'s are' if self.wrong > 1 else ' is'} wrong.{hint}".strip(), fg="red")


@click.command(cls=Command)
@click.argument("out", required=False, metavar="[OUT]", callback=file_name)
@pass_app
def backup(app: App, out: str | None) -> None:
    """Write the whole store to one file, while others go on playing (default: named after the store and the time).

    It is there whole or not at all, and nobody else may read it: the secrets of games are in it. Of a PostgreSQL store it
    is a dump, which needs pg_dump.

    warptape backup
    warptape backup /media/stick/games.db
    """
    from ...replays.backups import backup as write

    _kept_here(app)
    store = app.store.store
    with Progress("Copying") as bar:
        path = write(store, out, bar.set)
    say(f"The store is in {path} ({path.stat().st_size / 2**20:,.1f} MB).")


@click.command(cls=Command)
@click.argument("file", metavar="BACKUP", callback=file_name)
@pass_app
def restore(app: App, file: str) -> None:
    """Put a backup back as the store that is in use, or as the one that --store names; nothing may be there yet.

    warptape restore games-2026-05-01-093000.db
    warptape --store old.db restore games-2026-05-01-093000.db
    """
    from ...replays.backups import restore as put

    url = _kept_here(app)
    with Progress("Copying") as bar, put(file, url, bar.set) as store:
        games = store.count()
    say(f"{games} game{'s are' if games != 1 else ' is'} in {store.name}. `warptape doctor` looks them through.")
