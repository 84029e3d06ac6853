"""audit: whether games and files can be trusted, one or many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..app import App, default_store, pass_app, say, stop_without_reader, warn
from ..audits import say_report
from ..group import Command
from ..options import json_option
from ..progress import Progress
from ..trouble import INTERRUPTED, TROUBLE, WRONG
from .files import ENDINGS

if TYPE_CHECKING:
    from ...replays.audits import Audited, Summary, Task

STORES = (".db", ".sqlite", ".sqlite3")
MOST_NAMED = 100
"""Logs with something wrong that are named once more at the end."""


@click.command(cls=Command)
@click.argument("what", nargs=-1, metavar="GAME|FILE|FOLDER|STORE...")
@click.option(
    "--rules/--no-rules",
    "rules",
    default=None,
    help="List every decision that today's rules decide otherwise, and exit with 1 where there is one; or do not run the "
    "rules again at all. (Default: they are run, and the first difference is named.)",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that share many logs (default: one a core).")
@click.option(
    "--drop-snapshots", "drop", is_flag=True, help="First throw away what a store keeps to be fast: it is made anew."
)
@click.option("-q", "--quiet", is_flag=True, help="Print nothing where nothing is wrong.")
@json_option
@pass_app
def audit(
    app: App, what: tuple[str, ...], rules: bool | None, jobs: int | None, drop: bool, quiet: bool, as_json: bool
) -> int:
    """Check games of the shelf (default: the last), log files, folders of them, or all games of a store.

    The chain, the seals, every die and card, and every action by the rules. The first bad event is named with its
    position and why, and the exit code is 1. What was taken back after it was seen and what was entered by hand is
    listed and is no fault. Of many logs a line each is printed, and a summary by cause. Nothing is imported, and no log
    is changed.

    warptape audit last
    warptape audit games.db --jobs 4
    warptape audit --rules old-games/
    """
    from ...replays import audits

    named = [_named(app, text, rules, drop) for text in what or ("last",)]
    total = sum(one.logs for one in named)
    single = len(named) == 1 and not named[0].many
    summary, out = audits.Summary(), _Output(as_json, quiet, single)
    interrupted = False
    with Progress("Auditing", total) as bar:
        done = _audited(app, named, jobs, bar, single)
        try:
            for one in done:
                summary.add(one)
                with bar.aside():
                    out.say(one)
                stop_without_reader()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            done.close()  # type: ignore[attr-defined]
    out.end(summary)
    if interrupted:
        warn(f"Interrupted after {summary.total} of {total} logs.")
        return INTERRUPTED
    if summary.wrong or (rules and summary.differing):
        return WRONG
    return TROUBLE if summary.trouble else 0


class _Named(NamedTuple):
    """The logs that a text names: how many, each as a task when its turn comes, whether it may name many, which store."""

    logs: int
    tasks: Iterable[Task]
    many: bool = False
    store: str = ""


def _audited(app: App, named: list[_Named], jobs: int | None, bar: Progress, single: bool) -> Iterator[Audited]:
    from ...replays import audits
    from ...replays.processes import cores

    url = app.url or default_store()
    mine = {url: app.store.store} if any(one.store == url for one in named) else {}
    tasks = chain.from_iterable(one.tasks for one in named)
    if single:  # its errors are the command's
        stores = dict(mine)
        (task,) = tasks
        yield audits.Audited(task.label, audits.audit_one(task, stores))
        bar.advance()
        for url in stores.keys() - mine.keys():
            stores[url].close()
        return
    # No other process sees a store in memory, nor has the tokens that opened a server here.
    in_memory = any(one.store == ":memory:" or (app.on_server and one.store == app.url) for one in named)
    yield from audits.run(tasks, 1 if in_memory else jobs or cores(), bar.advance, mine)


def _is_game(app: App, text: str) -> bool:
    """Return whether a game answers to a text that a folder without logs has for its name too."""
    from ...domain.errors import UnknownGame

    try:
        app.store.store.find(text)
    except UnknownGame:
        return False
    return True


def _named(app: App, text: str, rules: bool | None, drop: bool) -> _Named:
    """Return the logs that a text names: a folder's files, a file, a store's games, or a game."""
    from ...replays.audits import Task
    from ...replays.paths import typed
    from ...replays.store import open_store

    how: dict[str, Any] = {"rules": rules is not False, "listing": bool(rules)}
    path = typed(text)
    if "://" in text or (path.is_file() and _is_store(path)):
        with nullcontext(app.store.store) if app.on_server and text == app.url else open_store(text) as store:
            if drop:
                store.drop_snapshots()
            return _Named(store.count(), _stored(text, how), True, text)
    if path.is_dir() and text.strip():
        files = sorted(file for file in path.iterdir() if file.name.endswith(ENDINGS))
        if files:
            return _Named(len(files), (Task(str(file), path=str(file), **how) for file in files), True)
        if not _is_game(app, text):
            raise click.UsageError(f"The folder {text} holds no log files ({' or '.join(ENDINGS)}).")
    if path.is_file() or text.endswith((*ENDINGS, *STORES, ".jsonl", ".gz")):
        if not path.exists() and not path.is_symlink():  # one that leads nowhere has its own reason
            raise click.UsageError(f"There is no file {text}.")
        return _Named(1, [Task(text, path=str(path), **how)])
    from ...domain.errors import BadAddress
    from ...replays.address import parse_address

    address = parse_address(text)
    shelf = app.store.store.find(address.game or "last")
    if address.kind != "end":
        raise BadAddress(f"A whole game is audited: type '{shelf.name}', without a position.")
    for game in [shelf.id, *(ancestor for ancestor, _ in shelf.lineage)] if drop else ():
        app.store.store.drop_snapshots(game)
    url = app.url or default_store()
    return _Named(1, [Task(shelf.name, store=url, game=shelf.id, **how)], store=url)


def _stored(url: str, how: dict[str, Any]) -> Iterator[Task]:
    """Yield all games of a store."""
    from ...replays.audits import Task
    from ...replays.store import open_store

    with open_store(url) as store:
        for game, name in store.listed():
            yield Task(name, store=url, game=game, **how)


def _is_store(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


class _Output:
    """Prints what comes of each log as it comes, so that nothing is kept but the summary."""

    def __init__(self, as_json: bool, quiet: bool, single: bool) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.single = single
        self.first = True

    def say(self, one: Audited) -> None:
        """Print one: a report where it stands alone or something is wrong, else a line."""
        if self.as_json:
            self._json(one)
        elif self.quiet and one.ok and not (one.report and one.report.listed and one.report.differences):
            return
        elif one.report is None:
            say(f"{one.label}: {one.error}", fg="red")
        elif self.single or not one.ok or (one.report.listed and one.report.differences):
            say_report(one.label, one.report)
        else:
            events = one.report.row("structure")
            say(f"ok  {one.report.title.removeprefix('Audit of ')}, {events.count if events else 0} events", fg="green")

    def _json(self, one: Audited) -> None:
        import msgspec

        plain: dict[str, Any] = {"ok": one.ok, "label": one.label, "cause": one.cause}
        if one.report is None:
            plain["error"] = one.error
        else:
            plain |= msgspec.to_builtins(one.report)
        text = msgspec.json.format(msgspec.json.encode(plain), indent=2).decode()
        click.echo(("[\n" if self.first else ",\n") + text, nl=False)
        self.first = False

    def end(self, summary: Summary) -> None:
        """Print what came of all."""
        if self.as_json:
            click.echo("[]" if self.first else "\n]")
            return
        if self.single or (self.quiet and not summary.failed):
            return
        for line in summary.failed[:MOST_NAMED]:
            say(f"  {line}", fg="red")
        if len(summary.failed) > MOST_NAMED:
            say(f"  … and {len(summary.failed) - MOST_NAMED} more")
        say(summary.text(), fg="red" if summary.failed else "green")
