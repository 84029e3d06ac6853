"""report, reproduce, shrink: bug reports that play."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..app import App, pass_app, say, say_hanging, say_json
from ..group import Command
from ..options import check_seat, file_name, json_option, seat_option
from ..progress import Progress
from .opening import split_outcomes

if TYPE_CHECKING:
    from ...replays.reported import BugReport

ENDING = ".report.tape.jsonl"


@click.command(cls=Command)
@click.argument("address", default="last")
@click.option("-m", "--message", default="", metavar="TEXT", help="What you expected, or what looks wrong.")
@click.option(
    "--action",
    default="",
    metavar="'ACTION'",
    help="An action that is refused, or accepted, wrongly there: it is tried.",
)
@click.option("--rolled", metavar="A,B,…", help="What dice and draws gave, where people enter it.")
@seat_option("What this seat knows, and nothing else; it also takes the action.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    callback=file_name,
    help="Where to (default: by ruleset and position; .gz compresses; - is the standard output).",
)
@json_option
@pass_app
def report(
    app: App,
    address: str,
    message: str,
    action: str,
    rolled: str | None,
    seat: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Write a bug report: one file with the log up to an address, what is wrong there, and the versions in use.

    With --action it says what the rules make of the action there. Without it, it is about the position, or about the
    event where the address names one, as last@57. The file is a log as well: it can be imported, audited and shown. It
    names no person, no machine and no folder. Nothing is recorded in the game.

    warptape report last -m 'the score should be 12'
    warptape report last@d7 --action 'hold' -m 'this should be allowed'
    """
    from ...projections.boards import picture
    from ...replays.report import read_report
    from ...replays.report import report as write

    game, place = app.find(address)
    check_seat(game, seat)
    outcomes = split_outcomes(rolled)

    def written(path: str | Path) -> Path:
        return write(game, path, place, message=message, action=action, seat=seat, outcomes=outcomes, draw=picture)

    if output == "-":
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(written(Path(folder) / f"log{ENDING}").read_text(encoding="utf-8"))
        return
    here = game.locate(place)
    target = written(output or f"{game.ruleset.id}-{here}{ENDING}")
    made = read_report(target)
    if as_json:
        say_json({"file": str(target), "report": made})
        return
    say(f"The report is written to {target}: up to @{here}, {_about(made)}.")
    if made.left_out:
        say(f"Left out of the log, because people wrote it: {', '.join(made.left_out)}.")
    if game.ruleset.secretive and game.seen_as is None and seat is None:
        say("It holds what every seat knows; --as SEAT leaves out the secrets of the others.")
    say(f"`warptape reproduce {shlex.quote(str(target))}` runs it.")


def _about(made: BugReport) -> str:
    failure = made.failure
    what = f"'{made.attempts[-1].text}': " if made.attempts else ""
    words = {"position": "on the position there", "event": "on that event"}
    return words.get(failure.kind) or f"{what}{failure.text()}"


@click.command(cls=Command)
@click.argument("file")
@click.option(
    "--as-test",
    "folder",
    metavar="DIR",
    callback=file_name,
    help="Also write a pytest file with its log into this folder: it fails while the bug lives.",
)
@json_option
@pass_app
def reproduce(app: App, file: str, folder: str | None, as_json: bool) -> int:
    """Run a bug report with what is installed here, and say whether the failure is reproduced, gone, or another one.

    The decisions of the log are taken again with the chance it recorded, then what failed. Exit code 1 when the failure
    is reproduced and when something else goes wrong, 0 when it is gone. Nothing is imported.

    warptape reproduce crash.report.tape.jsonl
    warptape reproduce crash.report.tape.jsonl --as-test tests
    """
    from ...api import read_report
    from ...api import reproduce as run

    found = run(file)
    test = None
    if folder is not None:
        from ...replays.regression import write_test

        test = write_test(file, folder)
    if as_json:
        say_json({"file": file, "report": read_report(file), "found": found, "test": str(test) if test else None})
        return 0 if found.gone else 1
    if message := read_report(file).message:
        say_hanging("The reporter says: ", message)
    say(found.text, fg="green" if found.gone else "red")
    for line in (*found.details, *found.remarks):
        say_hanging("  ", line)
    if test is not None:
        say(f"{test} is a test of it: it {'passes now' if found.gone else 'fails while this lasts'}.")
    return 0 if found.gone else 1


@click.command(cls=Command)
@click.argument("file")
@click.option(
    "--predicate",
    metavar="'COMMAND {}'",
    help="A command that says of the file of a smaller report, in place of {}, whether it still fails: exit code 0.",
)
@click.option(
    "-o", "--output", metavar="FILE", callback=file_name, help="Where to (default: beside the report, named small)."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=120.0,
    metavar="N",
    help="Stop after so long and keep what was reached (default: 120).",
)
@json_option
@pass_app
def shrink(app: App, file: str, predicate: str | None, output: str | None, seconds: float, as_json: bool) -> None:
    """Make a bug report smaller: leave out decisions while the failure stays.

    Nothing is dealt again: each decision keeps the dice, cards and counters it had. What comes out is a report of its
    own, of a game whose chance was entered by hand. Ctrl-C keeps what was reached, and so does the end of its time.

    warptape shrink crash.report.tape.jsonl
    warptape shrink crash.report.tape.jsonl --predicate 'python check.py {}' -o small.report.tape.jsonl
    """
    from ...api import read_report
    from ...projections.boards import picture
    from ...replays.shrink import shrink as run

    target = output or _smaller(file)
    with Progress("Shrinking") as bar:
        found = run(
            file,
            target,
            predicate=_predicate(predicate) if predicate else None,
            draw=picture,
            progress=lambda left, tries: bar.advance(),
            seconds=seconds,
        )
    if as_json:
        data = {"before": found.before, "after": found.after, "tries": found.tries, "stopped": found.stopped}
        say_json({"file": str(found.path), **data})
        return
    say(str(found), bold=True)
    made = read_report(found.path)
    say(f"{found.path}: {_about(made)}.")


def _smaller(file: str) -> str:
    path = Path(file)
    if not path.name:
        return f"small{ENDING}"  # there is no such report, and that is said when it is read
    stem, dot, rest = path.name.partition(".report.")
    if not dot:
        stem, dot, rest = path.name.partition(".")
    return str(path.with_name(f"{stem}.small{dot}{rest}"))


def _predicate(command: str) -> Callable[[Path], bool]:
    """Return what runs a command on a file; its exit code 0 says that the failure is still there."""
    if not command.strip():
        raise click.UsageError("The predicate is empty: give a command, with {} where the file stands.")

    def holds(path: Path) -> bool:
        quoted = shlex.quote(str(path))
        line = command.replace("{}", quoted) if "{}" in command else f"{command} {quoted}"
        done = subprocess.run(line, shell=True, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return done.returncode == 0

    return holds
