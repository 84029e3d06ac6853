"""Own boards and cards in a folder: read, checked file by file, and compared with those that ship with a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..domain.content import LARGEST, Content
from ..domain.errors import ContentError, WarptapeError
from ..domain.rules import Ruleset, installed, ruleset
from .paths import opened

_FILE = re.compile(r"[\w-]+\.toml")


class Change(msgspec.Struct, frozen=True):
    """What a folder changes in one table of one file: `own` are its records by name, `of` how many the table has."""

    file: str
    table: str
    own: tuple[str, ...]
    of: int


def read_folder(folder: str) -> dict[str, str]:
    """Return the texts of a folder's `.toml` files by name; raises ContentError, naming the folder or the file."""
    files: dict[str, str] = {}
    file = Path(folder)
    try:
        for file in sorted(Path(folder).iterdir()):
            if file.suffix == ".toml":
                with opened(file) as data:
                    text = data.read(LARGEST + 1)
                if len(text) > LARGEST:
                    raise ContentError(f"The content file {file} has more than {LARGEST // 2**20} MB.")
                files[file.name] = text.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeError):
            raise ContentError(f"{file} is not text in UTF-8.") from error
        wrong = getattr(error, "strerror", None) or str(error)
        what = "The content folder" if file == Path(folder) else "The content file"
        raise ContentError(f"{what} {file} cannot be read: {wrong.lower()}.") from error
    if not files:
        raise ContentError(f"The folder {folder} holds no .toml files.")
    return files


def replaced(rules: Ruleset, files: Mapping[str, str]) -> Content:
    """Return a ruleset's content with these files in place of its own; raises ContentError for one it has not."""
    unknown = [name for name in files if name not in rules.content.files]
    if unknown:
        known = ", ".join(rules.content.files) or "none"
        raise ContentError(f"{rules.id} has no content file {unknown[0]}. Its files: {known}.")
    return rules.content.replacing(files)


def with_content() -> list[Ruleset]:
    """Return the installed rulesets that have content; one that cannot be loaded is left out."""
    found = []
    for name in installed():
        try:
            rules = ruleset(name)
        except WarptapeError:
            continue
        if rules.content.files:
            found.append(rules)
    return found


def whose(files: Mapping[str, str]) -> list[Ruleset]:
    """Return the rulesets that files of these names belong to: by their `game`, if one can be read, else by name."""
    some = [rules for rules in with_content() if files.keys() & rules.content.files.keys()]
    fitting = [rules for rules in some if files.keys() <= rules.content.files.keys()] or some
    games = {_game(text) for text in files.values()} - {""}
    named = [rules for rules in fitting if games & {_game(text) for text in rules.content.files.values()}]
    return named or fitting


def _game(text: str) -> str:
    # Read by hand: the file may be no TOML.
    match = re.search(r"^\s*game\s*=\s*[\"']([\w-]+)[\"']", text, re.MULTILINE)
    return match[1] if match else ""


def faults(rules: Ruleset, files: Mapping[str, str]) -> list[str]:
    """Return what is wrong with these files, one fault a file: with its line where it has one, and the reason.

    A file with a fault is set aside, so that the others are checked too, beside the game's own file of that name.
    """
    left = dict(files)
    found: list[str] = []
    while left:
        try:
            rules.bound(replaced(rules, left)).check_content()
            return found
        except ContentError as error:
            found.append(str(error))
            match = _FILE.search(str(error))
            if match is None or left.pop(match[0], None) is None:
                # It shows in a file that was not changed: what it lacks is in one that was.
                return found
    return found


def changes(rules: Ruleset, files: Mapping[str, str]) -> Iterator[Change]:
    """Return what files change: the records of each table that are not those of the game."""
    own, packaged = replaced(rules, files), rules.content
    for name in files:
        theirs = packaged.parsed(name)
        for table, value in own.parsed(name).items():
            records = value if isinstance(value, list) else [value]
            old = theirs.get(table, [])
            known = old if isinstance(old, list) else [old]
            new = [record for record in records if record not in known]
            if new:
                yield Change(name, table, tuple(_name(record, table) for record in new), len(records))


def _name(record: Any, table: str) -> str:
    if not isinstance(record, dict):
        return table
    words = [str(record[key]) for key in ("id", "code", "kind", "symbol", "prefix") if isinstance(record.get(key), str)]
    name = [record["name"]] if isinstance(record.get("name"), str) else []
    return " ".join([*words[:1], *name]) or table
