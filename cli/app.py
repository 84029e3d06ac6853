"""What every command works with: the store, games by address, and output fit for a terminal, a pipe or a script."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..api import Store
    from ..replays.address import Address
    from ..replays.game import Game
    from ..replays.outside.desk import ProgramDesk
    from ..served import ServedStore

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All but tabs and line breaks; marks that turn the direction of what follows are among them."""

LONGEST_MESSAGE = 1600

MOST_PLAIN = 100
"""Columns of a board that does not go to a terminal."""


class App:
    """One run of the command: its store, opened when first needed.

    One on a server is opened with a `token`, or with what `warptape join` has kept; `insecure` lets a token go over a
    network in plain text.
    """

    def __init__(self, url: str | None = None, token: str | None = None, insecure: bool = False) -> None:
        self.url = url
        self.token = token
        self.insecure = insecure
        self._store: Store | None = None
        self._served: ServedStore | None = None
        self._desk: ProgramDesk | None = None

    @property
    def desk(self) -> ProgramDesk:
        """The desk that games of this run are played at: it knows the programs that this user has given to seats."""
        if self._desk is None:
            from ..replays.outside.desk import ProgramDesk

            self._desk = ProgramDesk()
        return self._desk

    @property
    def store(self) -> Store:
        """The store that the user named, or the default one; raises StoreError."""
        if self._store is None:
            from ..api import open as open_store

            self._store = self.served if self.on_server else open_store(self.url or private(default_store()))
            self._store.desk = self.desk
        return self._store

    @property
    def on_server(self) -> bool:
        """Whether the store is a game service."""
        return (self.url or "").lower().startswith(("https://", "http://"))

    @property
    def served(self) -> ServedStore:
        """The games of the server that the user named; a usage error where the store is none."""
        if self._served is None:
            if not self.on_server:
                raise click.UsageError("That is for games on a server: name it with --store https://HOST.")
            from ..replays.remote import needs_httpx

            with needs_httpx():
                from ..served import open_served
            self._served = open_served(self.url or "", self.token, _seat_asked_for(), insecure=self.insecure, told=warn)
        return self._served

    def be_patient(self) -> None:
        """Try again for ever where a server does not answer: somebody sits here and can leave."""
        if self._served is not None:
            self._served.http.line.patience = None

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()
        elif self._served is not None:
            self._served.close()
        self._store = self._served = None

    def game(self, text: str) -> Game:
        """Return the game that a text without a position names; raises UnknownGame, BadAddress."""
        game, address = self.find(text)
        if address.kind != "end":
            from ..domain.errors import BadAddress

            raise BadAddress(f"Here a whole game is meant, without a position: type '{game.name}'.")
        return game

    def find(self, text: str) -> tuple[Game, Address]:
        """Return the game that an address names (`@d3` alone: of the last game), with the address."""
        from ..replays.address import parse_address

        address = parse_address(text)
        return self.store.game(address.game or "last"), address


pass_app = click.make_pass_decorator(App)


def _seat_asked_for() -> str | None:
    """Return what `--as` of the command at hand names: whose token to take where there are several."""
    context = click.get_current_context(silent=True)
    seat = None if context is None else context.params.get("seat")
    return seat if isinstance(seat, str) else None


def default_store() -> str:
    """Return the path of the store in the user's data folder."""
    from platformdirs import user_data_path

    return str(user_data_path("warptape", appauthor=False) / "games.db")


def private(path: str) -> str:
    """Make the file of a store, where there is none yet, for its owner alone: the secrets of games will be in it."""
    with suppress(OSError):  # it is there, or whoever opens it says what is wrong
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return path


# Output


def is_terminal() -> bool:
    """Whether the output is read by a person on a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colour() -> bool:
    """Whether the output may be coloured: on a terminal that has colours, unless NO_COLOR is set."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_plain_ascii() -> bool:
    """Whether the output cannot show the characters that boards are drawn with."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
    return not encoding.startswith(("utf", "cp65001"))


def width() -> int:
    """Return the columns there are: the terminal's, or a fixed number for pipes and files (COLUMNS overrides both)."""
    return max(40, shutil.get_terminal_size((MOST_PLAIN, 24)).columns) if is_terminal() else _columns()


def _columns() -> int:
    text = os.environ.get("COLUMNS", "")
    return max(40, min(int(text), 1000)) if text.isascii() and text.isdigit() and len(text) < 6 else MOST_PLAIN


def say(text: str = "", **style: Any) -> None:
    """Print a line, in a style where colours may be used; a terminal gets long ones broken between words."""
    text = fitted(text)
    click.echo(click.style(text, **style) if style and has_colour() else text)


def say_hanging(first: str, text: str, **style: Any) -> None:
    """Print a text after its number or name; on a terminal what is too long goes on below the text."""
    text = fitted(first + text, len(first))
    click.echo(click.style(text, **style) if style and has_colour() else text)


def inert(text: str) -> str:
    """Return a text without the control characters that a terminal would obey: logs and stores come from anywhere."""
    return CONTROLS.sub("\ufffd", text)


def brief(text: str) -> str:
    """Return a message with its middle left out where somebody has typed a book into it."""
    return (
        text if len(text) <= LONGEST_MESSAGE else f"{text[: LONGEST_MESSAGE // 2]} […] {text[-LONGEST_MESSAGE // 2 :]}"
    )


def fitted(text: str, indent: int | None = None) -> str:
    """Return lines that fit a terminal, broken between words; what is broken off is indented as its line, and by two."""
    text = inert(text)
    columns = width()
    if not is_terminal() or all(len(line) <= columns for line in text.split("\n")):
        return text
    import textwrap

    lines = []
    for line in text.split("\n"):
        deep = len(line) - len(line.lstrip()) + 2 if indent is None else indent
        later = " " * min(deep, columns // 2)
        lines += textwrap.wrap(line, columns, subsequent_indent=later, break_on_hyphens=False) or [""]
    return "\n".join(lines)


def blank() -> None:
    """Empty the terminal, what can be scrolled back to included: another person is to sit down at it."""
    click.clear()
    if is_terminal() and sys.platform != "win32":  # there `cls` has thrown that away as well
        click.echo("\x1b[3J\x1b[H", nl=False)


def stop_without_reader() -> None:
    """Raise BrokenPipeError where the output goes into a pipe that nobody reads any more: for long silent work."""
    try:
        from select import POLLERR, poll

        output = poll()
        output.register(sys.stdout.fileno(), POLLERR)
        gone = bool(output.poll(0))
    except (ImportError, OSError, ValueError, AttributeError):  # no such thing on this system, or no stream at all
        return
    if gone:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def warn(text: str) -> None:
    """Print a line on stderr: a remark that is no result."""
    click.echo(inert(text), err=True)


def say_json(data: Any) -> None:
    """Print data as indented JSON, structs included."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(data, enc_hook=str), indent=2).decode())


def say_scene(scene: Any) -> None:
    """Print a drawing: in colour where that is fit, else as plain text."""
    if has_colour():
        from rich.console import Console

        text = scene.to_rich(width(), ascii_only=is_plain_ascii())
        text.rstrip()
        Console(width=width()).print(text)
    else:
        click.echo(scene.text(width(), ascii_only=is_plain_ascii()).rstrip("\n"))


def say_table(rows: Iterable[Sequence[str]], head: Sequence[str]) -> None:
    """Print rows in columns under a head; the last column takes what is left."""
    lines = [list(head), *[list(row) for row in rows]]
    sizes = [max(len(line[column]) for line in lines) for column in range(len(head) - 1)]
    for number, line in enumerate(lines):
        cells = [cell.ljust(size) for cell, size in zip(line, sizes, strict=False)]
        text = "  ".join([*cells, line[-1]]).rstrip()
        if number == 0:
            say(text, bold=True)
        else:
            say(text)


def write_file(path: str, text: str | Iterable[str]) -> None:
    """Write a text, whole or in pieces, to a file that is then there whole or not at all; `-` is the standard output."""
    pieces = [text] if isinstance(text, str) else text
    if path == "-":
        last = "\n"
        for last in filter(None, pieces):
            click.echo(last, nl=False)
        if not last.endswith("\n"):
            click.echo()
        return
    from ..replays.paths import typed

    target = typed(path)
    special = target.exists() and not target.is_file() and not target.is_dir()  # a pipe or a device
    draft = target if special else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.writelines(pieces)
        if not special:
            draft.replace(target)
    except OSError as error:
        from .trouble import TROUBLE, Failed, reason

        raise Failed(f"{path} cannot be written: {reason(error)}.", TROUBLE) from error
    finally:
        if not special:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
