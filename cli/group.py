"""The command itself: finds its subcommands lazily, so that `--help` imports click alone, and turns errors into words."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

FAMILIES: dict[str, dict[str, tuple[str, str]]] = {
    "Games": {
        "demo": ("demo", "A short game played by bots: what to run first."),
        "rulesets": ("shelf", "The games that can be played, their seats, bots and options."),
        "new": ("opening", "Start a game."),
        "content": ("content", "Own boards and cards: begin a folder of them, check it."),
        "games": ("shelf", "The recorded games, the last played first."),
        "rename": ("shelf", "Give a game another name."),
        "delete": ("shelf", "Delete a game."),
    },
    "Playing": {
        "play": ("play", "Play at a prompt: board, numbered actions, undo."),
        "act": ("acting", "Take actions."),
        "legal": ("acting", "What may be done now."),
        "why": ("acting", "Why an action is refused, with the rule."),
        "simulate": ("simulate", "Let bots play many games; outcomes with confidence intervals."),
    },
    "Questions": {
        "archive": ("archive", "Games as tables for SQL: build and follow, export, serve."),
    },
    "Looking": {
        "show": ("looking", "The board at any moment, as text, SVG, HTML or JSON."),
        "log": ("looking", "The events of a game."),
        "replay": ("replay", "Watch a game: step, jump, search, play, or record it."),
        "transcript": ("files", "The game as a story."),
        "stats": ("stats", "Dice, outcomes, length, losses, cards, units and places of many games, or of one."),
        "page": ("page", "The game as one HTML file that anybody can open."),
        "analyse": ("analyse", "Luck and skill: who was winning when, and why."),
    },
    "Time": {
        "undo": ("travel", "Take back the last action."),
        "redo": ("travel", "Play again what was taken back."),
        "consent": ("travel", "Answer a request to take something back."),
        "rewind": ("travel", "Go to any moment of the game."),
        "lines": ("tape", "The lines of a game: the current one and those that were left."),
        "fork": ("tape", "Start another game from any moment of this one."),
        "diff": ("tape", "Where two games, or two moments, first differ."),
        "note": ("noting", "Write a note on a moment of the game, or tag it."),
        "notes": ("noting", "The notes on a game."),
    },
    "Trust": {
        "audit": ("audit", "Check the chain, the chance and the rules of games and files."),
        "export": ("files", "Write a game to a file."),
        "import": ("files", "Put games from files on the shelf."),
    },
    "Keeping": {
        "doctor": ("doctor", "Look a store through, and set right what is only a cache."),
        "backup": ("doctor", "Write the whole store to one file, while others play."),
        "restore": ("doctor", "Put a backup back as a store."),
    },
    "On a server": {
        "serve": ("serve", "Play across machines: the games of this store over HTTP."),
        "join": ("remote", "Take up an invitation to a game on a server."),
        "invite": ("remote", "Invite somebody to a seat, or to look on."),
        "tokens": ("remote", "Who has a token of a game; revoke one."),
        "profiles": ("remote", "The servers and games that you have tokens of."),
    },
    "Bugs": {
        "report": ("reporting", "Write a bug report that plays."),
        "reproduce": ("reporting", "Run a bug report: reproduced, gone, or something else."),
        "shrink": ("reporting", "Make a bug report smaller while it fails."),
    },
}
COMMANDS = {name: found for family in FAMILIES.values() for name, found in family.items()}

CODES = "Exit codes: 0 done, 1 found something wrong, 2 wrong usage, 3 refused by the rules, 4 conflict, store or bot trouble."


class Main(click.Group):
    """The group of all commands; an error becomes one or two sentences on stderr and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, by family."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module now."""
        if cmd_name not in COMMANDS:
            return None
        module, summary = COMMANDS[cmd_name]
        attribute = f"{cmd_name}_" if cmd_name == "import" else cmd_name
        command: click.Command = getattr(import_module(f".commands.{module}", __package__), attribute)
        command.short_help = summary
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names; an unknown one gets the nearest names."""
        name = str(args[0]) if args else ""
        if name in COMMANDS or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        near = get_close_matches(name, COMMANDS, n=3, cutoff=0.5)
        hint = f" Did you mean {' or '.join(near)}?" if near else " `warptape --help` lists them."
        raise click.UsageError(f"There is no command '{name}'.{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by family, from the table alone."""
        for family, commands in FAMILIES.items():
            with formatter.section(family):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()], col_max=14)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and exit with its code."""
        _make_streams_forgiving()
        arguments = list(sys.argv[1:] if args is None else args)
        main = super().main

        def run() -> Any:
            for argument in arguments:
                if not _is_text(argument):
                    raise click.UsageError(f"{argument!r} is not text: what is typed must be Unicode, without NUL.")
            return main(arguments, prog_name or "warptape", complete_var, standalone_mode=False, **extra)

        if not standalone_mode:
            return run()
        sys.exit(guarded(run, debug="--debug" in arguments))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed pipe is kept from click, which would exit with the code for something wrong."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosed from error


class PipeClosed(Exception):
    """Whoever read our output has gone."""


def _is_text(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def guarded(run: Callable[[], Any], debug: bool) -> int:
    """Run a command and return its exit code; whatever goes wrong is told in words."""
    try:
        result = run()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        return result if isinstance(result, int) else 0
    except BaseException as error:  # an exit code for everything, SystemExit and Ctrl-C included
        if isinstance(error, SystemExit):
            return error.code if isinstance(error.code, int) else int(error.code is not None)
        from .trouble import report

        return report(error, debug)


def _make_streams_forgiving() -> None:
    """Let no character that a terminal lacks, and no bytes that are no text, end a command."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from .. import __version__

        click.echo(f"warptape {__version__}")
        ctx.exit()


class Command(click.Command):
    """A command that takes `--store` and `--debug` after its name as well, and shows its examples as they are typed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [
            click.Option(
                ["--store"],
                metavar="PATH|URL",
                help="Another store than the default.",
                expose_value=False,
                callback=_set_store,
                hidden=True,
            ),
            click.Option(
                ["--token"],
                metavar="TOKEN",
                help="What opens games on a server.",
                expose_value=False,
                callback=_set_token,
                hidden=True,
            ),
            click.Option(
                ["--debug"],
                is_flag=True,
                help="Show the traceback of an error.",
                expose_value=False,
                hidden=True,
            ),
        ]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: paragraphs wrapped, lines that begin with a command kept as examples."""
        _write_help(self.help or "", formatter)


class Family(click.Group):
    """A command with commands of its own, whose help shows examples as they are typed."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: paragraphs wrapped, lines that begin with a command kept as examples."""
        _write_help(self.help or "", formatter)


def _write_help(text: str, formatter: click.HelpFormatter) -> None:
    for block in text.strip().split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line.strip() not in {"", "\b"}]
        formatter.write_paragraph()
        if lines and lines[0].startswith("warptape "):
            formatter.write("  Examples:\n" if len(lines) > 1 else "  Example:\n")
            formatter.write("".join(f"    {_as_typed(line)}\n" for line in lines))
        else:
            with formatter.indentation():
                formatter.write_text(" ".join(lines))


def _as_typed(example: str) -> str:
    """Return an example with the id of an installed ruleset and its last seat, so that it can be typed as it is."""
    if "RULESET" not in example and "SEAT" not in example:
        return example
    from ..domain.errors import WarptapeError
    from ..domain.rules import installed, ruleset

    name = next(iter(installed()), "")
    if not name:
        return example
    example = example.replace("RULESET", name)
    if "SEAT" in example:
        with suppress(WarptapeError):  # a package that is broken: whoever wants to play it is told
            rules = ruleset(name)
            example = example.replace("SEAT", rules.seats(rules.options())[-1].id)
    return example


def _set_store(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.obj.url = value


def _set_token(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.obj.token = value


@click.group(
    cls=Main,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=CODES,
)
@click.option(
    "--store",
    metavar="PATH|URL",
    envvar="WARPTAPE_STORE",
    help="Where games are kept: an SQLite file, postgresql://…, or https://… of a server (default: your user's data folder).",
)
@click.option(
    "--token",
    metavar="TOKEN",
    envvar="WARPTAPE_TOKEN",
    help="What opens games on a server (default: what `warptape join` has kept).",
)
@click.option("--insecure", is_flag=True, help="Send tokens to a server at http://, for everybody on the way to read.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
@click.pass_context
def main(ctx: click.Context, store: str | None, token: str | None, insecure: bool, debug: bool) -> None:
    """A tape deck for board games: plays, records, rewinds, forks, audits and tells them.

    A game is named by its id, the beginning of its id, its name, or `last`. A position follows an @: last@57 (event),
    @d12 (decision), @r3 (round), @l2 (level), @-5 (decisions back), @start, @end. `warptape COMMAND --help` shows
    examples; new here? Run `warptape demo`.
    """
    from .app import App

    if os.environ.get("NO_COLOR"):
        ctx.color = False
    ctx.obj = App(store, token, insecure)
    ctx.call_on_close(ctx.obj.close)
