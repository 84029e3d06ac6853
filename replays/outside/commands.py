"""The commands that start programs: read from what a user types, and kept for that user alone.

A command is never in a game: neither in its log nor in its store, which others may write. It is kept on this machine, in a
folder of the user's own, under the id of the game. So nothing is ever started but what this user has typed here, whatever
the seats of a log are called. A game knows its bot by a name only, `exec:NAME`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from ...domain.errors import OptionError, StoreError
from ..takeback import LONGEST_NAME
from .process import Command

VARIABLE = "WARPTAPE_BOTS"
"""The environment variable that names the folder in which commands are kept."""

_RUNNERS = re.compile(r"(python|pypy|node|deno|bun|ruby|perl|lua|php|bash|dash|zsh|sh|java|env)[\d.]*(\.exe)?")
_STRANGE = re.compile(r"[^A-Za-z0-9._+-]+")
_kept = msgspec.json.Decoder(dict[str, Command])


def command(text: str, folder: str = "") -> Command:
    """Return the command in a text such as `./bot --fast`, split as a shell does, and run without one.

    It runs in `folder` (default: the one this process is in). Raises OptionError where there is no such program.
    """
    folder = folder or os.getcwd()
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise OptionError(f"The command '{text}' cannot be read: {str(error).lower()}.") from error
    if not words or any("\0" in word for word in words):
        raise OptionError("The command of a bot is empty: write exec:'./bot', or exec:'python3 bot.py'.")
    if os.name != "posix":
        raise OptionError("Bots from outside need a system with process groups, such as Linux or macOS.")
    program = words[0]
    found = str(Path(folder, program)) if "/" in program else shutil.which(program)
    if found is None or not Path(found).is_file():
        raise OptionError(f"There is no program '{program}' to play a seat.")
    if not os.access(found, os.X_OK):
        raise OptionError(
            f"'{program}' cannot be run: name what runs it, as in exec:'python3 {program}', or chmod +x it."
        )
    return Command(tuple(words), folder, name_of(words))


def name_of(words: list[str]) -> str:
    """Return the name by which a game knows a program: its file's or script's, without folder, at most 40 letters.

    >>> name_of(["./my bot"]), name_of(["/usr/bin/python3", "-u", "bots/greedy.py", "--deep"])
    ('my-bot', 'greedy.py')
    """
    names = [os.path.basename(words[0].rstrip("/"))]
    if _RUNNERS.fullmatch(names[0]):
        names = [os.path.basename(word) for word in words[1:] if not word.startswith("-")][:1] or names
    return _STRANGE.sub("-", names[0]).strip("-.")[:LONGEST_NAME] or "program"


def user_folder() -> Path:
    """Return the folder in which this user's commands are kept."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted:
        return Path(wanted)
    from platformdirs import user_data_path

    return user_data_path("warptape", appauthor=False) / "bots"


class Kept:
    """The commands that a user has given on this machine, by game and seat; one small file a game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _file(self, game: str) -> Path:
        return self.folder / f"{game}.json"

    def of(self, game: str) -> dict[str, Command]:
        """Return the commands for a game by seat; none where none were given, or where others may write them."""
        try:
            with self._file(game).open("rb") as file:
                about = os.fstat(file.fileno())
                if about.st_mode & 0o022 or about.st_uid != os.getuid():
                    return {}
                return _kept.decode(file.read(2**20))
        except (OSError, msgspec.MsgspecError):
            return {}

    def put(self, game: str, commands: dict[str, Command]) -> None:
        """Keep the commands for a game, in place of others; raises StoreError where they cannot be written."""
        file = self._file(game)
        if not commands:
            with suppress(OSError):
                file.unlink(missing_ok=True)
            return
        new = file.with_suffix(f".{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
                out.write(msgspec.json.encode(commands))
            new.replace(file)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise StoreError(f"The command of a bot cannot be kept in {self.folder}: {why}.") from error
