"""A game's content: TOML texts by file name, decoded into typed records, with errors that say where to look.

The texts themselves are the content: a store keeps their canonical bytes, a game records their digest, and a game
is drawn and told from its own texts, whatever files are installed later.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import msgspec

from .errors import ContentError

Source = Literal["printed", "house"]
"""Where a record or a figure comes from: it stands in the rulebook, or it was designed because that lacks it."""

T = TypeVar("T")
R = TypeVar("R")
K = TypeVar("K", bound=Hashable)

LARGEST = 4 * 2**20
"""The most characters that the content of a game may have: far more than boards and cards need, and soon read."""

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\.toml")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of content records: immutable, hashable, and refusing fields it does not know."""


class Tally(msgspec.Struct, frozen=True):
    """How much of one table of one file is printed and how much is house.

    `printed` and `house` count records by `source`; the two `figures` count single values by `*_source`.
    """

    file: str
    table: str
    printed: int
    house: int
    printed_figures: int
    house_figures: int


class Content:
    """The content files of one game, immutable; equal when their texts are.

    `files` maps file names (`boards.toml`) to texts; line ends are made uniform, so that a digest does not depend on
    how a file was checked out. Raises ContentError for a name that is no plain `.toml` name, and for too much text.

    >>> Content({"a.toml": "n = 1"}).digest == Content({"a.toml": "n = 1"}).digest
    True
    """

    __slots__ = ("_digest", "_parsed", "files")

    def __init__(self, files: Mapping[str, str]) -> None:
        texts = {}
        for name in sorted(files):
            if not _FILE_NAME.fullmatch(name):
                raise ContentError(f"'{name}' is no name for a content file. Use letters, digits and '.toml'.")
            texts[name] = files[name].replace("\r\n", "\n")
        if sum(map(len, texts.values())) > LARGEST:
            raise ContentError(f"The content files have more than {LARGEST // 2**20} MB in all, which no game needs.")
        self.files: Mapping[str, str] = MappingProxyType(texts)
        self._parsed: dict[str, dict[str, Any]] = {}
        self._digest = ""

    @classmethod
    def packaged(cls, package: str, folder: str = "content") -> Content:
        """The `.toml` files installed in that package's folder; raises ContentError if there are none."""
        here = resources.files(package).joinpath(folder)
        files = {
            entry.name: entry.read_text(encoding="utf-8")
            for entry in (here.iterdir() if here.is_dir() else ())
            if entry.name.endswith(".toml")
        }
        if not files:
            raise ContentError(f"The package {package} has no content files. Install warptape again.")
        return cls(files)

    @classmethod
    def decode(cls, data: bytes) -> Content:
        """What `encode` wrote; raises ContentError for anything that is not exactly such bytes."""
        try:
            content = cls(msgspec.json.decode(data, type=dict[str, str]))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise ContentError(f"The recorded content cannot be read: {error}") from error
        if content.encode() != data:
            raise ContentError("The recorded content is not in canonical form; it was changed after it was recorded.")
        return content

    def encode(self) -> bytes:
        """Canonical bytes: a JSON object of file names, sorted, and texts, without spaces, in UTF-8."""
        return msgspec.json.encode(dict(self.files))

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical bytes, 64 hexadecimal digits."""
        if not self._digest:
            self._digest = hashlib.sha256(self.encode()).hexdigest()
        return self._digest

    def replacing(self, files: Mapping[str, str]) -> Content:
        """This content with `files` added or put in place of those of the same names; what is as it was is not read again."""
        content = Content({**self.files, **files})
        content._parsed.update(
            (name, found) for name, found in self._parsed.items() if content.files[name] == self.files[name]
        )
        return content

    def parsed(self, name: str) -> dict[str, Any]:
        """The TOML of one file as plain data, not to be changed; raises ContentError if it is missing or no TOML."""
        found = self._parsed.get(name)
        if found is not None:
            return found
        if name not in self.files:
            raise ContentError(f"The content lacks the file {name}.")
        try:
            found = tomllib.loads(self.files[name])
        except RecursionError:
            raise ContentError(f"{name} nests its values too deeply.") from None
        except ValueError as error:
            raise ContentError(f"{name} is not valid TOML: {error}.") from error
        self._parsed[name] = found
        return found

    def load(self, name: str, kind: type[T]) -> T:
        """One file as a typed struct; raises ContentError naming the file, the line, the record and the reason."""
        data = self.parsed(name)
        try:
            return msgspec.convert(data, kind)
        except (msgspec.ValidationError, RecursionError) as error:
            raise ContentError(self._explain(name, data, str(error))) from error

    def line(self, name: str, table: str, number: int, key: str = "") -> int | None:
        """The line (from 1) of a file where record `number` (from 0) of `[[table]]` starts, or that has its `key`.

        A plain `[table]` counts as a record of its own; names of tables within others are dotted, as in TOML.
        """
        lines = self.files.get(name, "").split("\n")
        head = re.compile(rf"\s*(\[\[?)\s*\"?{re.escape(table)}\"?\s*(\]\]?)")
        found = ((n, head.match(text)) for n, text in enumerate(lines, 1))
        heads = [n for n, match in found if match and len(match[1]) == len(match[2])]
        if number >= len(heads):
            return None
        start = heads[number]
        if key:
            for n, text in enumerate(lines[start:], start + 1):
                if text.lstrip().startswith("["):
                    break
                if re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", text):
                    return n
        return start

    def wrong(self, name: str, table: str, number: int, reason: str, key: str = "") -> ContentError:
        """A ContentError about record `number` (from 0) of a table, for checks that go beyond types."""
        records: Any = self.parsed(name)
        for part in table.split("."):
            records = records.get(part) if isinstance(records, dict) else None
        record = records[number] if isinstance(records, list) and number < len(records) else None
        title = table if isinstance(records, dict) else _title(table, number, record)
        line = self.line(name, table, number, key)
        where = f"{name}, line {line}" if line else name
        return ContentError(f"{where}: {title}: {reason}")

    def _explain(self, name: str, data: dict[str, Any], message: str) -> str:
        reason, _, path = message.partition(" - at `")
        reason = reason.replace("Object missing required field", "it lacks the field", 1)
        reason = reason.replace("Object contains unknown field", "it has an unknown field", 1)
        place = re.match(r"\$\.(\w+)\[(\d+)\](.*)`", path)
        if not place:
            spot = f" at {path[2:-1]}" if path.startswith("$.") else ""
            return f"{name}: {reason}{spot}."
        table, number, rest = place[1], int(place[2]), place[3].lstrip(".")
        named = re.search(r"field `(\w+)`", reason)
        key = re.match(r"\w*", rest)
        at = f" at {rest}" if rest else ""
        return str(
            self.wrong(name, table, number, f"{reason}{at}.", key[0] if key and key[0] else named[1] if named else "")
        )

    def tallies(self) -> Iterator[Tally]:
        """What is printed and what is house, for each table of records, in the order of the files."""
        for name in self.files:
            for table, records in self.parsed(name).items():
                marked = [record for record in _records(records) if any(_is_source(key) for key in record)]
                if not marked:
                    continue
                whole = [record.get("source") for record in marked]
                figures = [v for record in marked for key, v in record.items() if key != "source" and _is_source(key)]
                yield Tally(
                    name, table, whole.count("printed"), whole.count("house"), figures.count("printed"),
                    figures.count("house"),
                )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Content) and self.files == other.files

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Content of {len(self.files)} files, {self.digest[:12]}>"


def by_key(content: Content, name: str, table: str, records: Iterable[R], key: Callable[[R], K]) -> dict[K, R]:
    """The records of one table by their key; raises ContentError, naming the second record, if two share one."""
    found: dict[K, R] = {}
    for number, record in enumerate(records):
        mark = key(record)
        if mark in found:
            shown = mark if not isinstance(mark, tuple) else " ".join(map(str, mark))
            raise content.wrong(name, table, number, f"'{shown}' is there twice; each must be unique.", "id")
        found[mark] = record
    return found


def _title(table: str, number: int, record: object) -> str:
    if isinstance(record, dict):
        for field in ("id", "kind", "symbol", "name"):
            if isinstance(record.get(field), str):
                return f"{table} '{record[field]}'"
    return f"{table} number {number + 1}"


def _records(value: object) -> list[dict[str, Any]]:
    rows = value if isinstance(value, list) else [value]
    return [row for row in rows if isinstance(row, dict)]


def _is_source(key: str) -> bool:
    return key == "source" or key.endswith("_source")
