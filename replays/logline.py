"""The lines of a log file: their types, their checksums, and the one way in which each may be written."""

from __future__ import annotations

import hashlib
import re
from typing import Any, TypeVar

import msgspec

from ..domain.errors import BadLog
from ..domain.secrets import Disclosure
from .reported import BugReport
from .upcasting import FORMAT

LONGEST = 16 * 2**20
"""The most bytes a line may have, its line break not counted."""
DEEPEST = 64
"""The most objects and lists a line may nest."""
MOST = 1_000_000
"""The most values a line may hold: a number or a list needs many times more memory than its two or three bytes."""

_PREFIX = b'{"sum":"'
_REST = len(_PREFIX) + 16 + len(b'",')
_LONG_NUMBER = re.compile(rb"[0-9]{19}")
_STRING_OR_VALUE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[,\[{]')  # linear, whatever stands there


class CutShort(BadLog):
    """A file ends before its log does."""


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every line begins with: `sum`, the first 16 hex digits of the SHA-256 of what follows `"sum":"…",`."""

    sum: str = ""


class Header(Line, frozen=True, kw_only=True):
    """The first line: what is recorded here, by what, and for whom.

    `game` and `name` are those of the shelf it was exported from, `content` the digest of the second line's files,
    `lineage` the ancestors of a fork, whose events are written out here. `seat` is empty for a whole log; a log for one
    seat lacks the secrets of the others, and says in `redacted` how many values were left out, by the kind of event that
    they belong to. `secrets` holds, by the position from which each was in force, the nonce and
    the seed of chance, where the owner gave them away. `report` is there in a bug report.
    """

    warptape: str
    format: int
    ruleset: str
    version: str
    software: str
    game: str
    name: str
    content: str
    seats: dict[str, str]
    lineage: list[tuple[str, int]]
    seat: str
    secrets: dict[str, tuple[str, str]]
    redacted: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    report: BugReport | msgspec.UnsetType = msgspec.UNSET


class ContentLine(Line, frozen=True, kw_only=True):
    """The second line: the content files by name, exactly as the digest covers them."""

    content: msgspec.Raw


class EventLine(Line, frozen=True, kw_only=True):
    """One event at position `at`: exactly the bytes that the chain covers; `beside` are the secrets of its sealed fields."""

    at: int
    event: msgspec.Raw
    beside: list[Disclosure] | msgspec.UnsetType = msgspec.UNSET


class Footer(Line, frozen=True, kw_only=True):
    """The last line: how many events, the digest of the last batch, how many secrets were left out, and the SHA-256 of
    every byte before this line.
    """

    events: int
    head: str
    withheld: int
    sha256: str


class Bare(msgspec.Struct, frozen=True):
    """What a log's structure needs of an event, whatever the ruleset: `prev` is of any type in a ruleset's own event."""

    type: str
    prev: Any = ""


MARK = "tape"
"""What the header's field `warptape` says: this is one recorded game."""

L = TypeVar("L", bound=Line)
_encode = msgspec.json.Encoder().encode
_bare = msgspec.json.Decoder(Bare)
_DECODERS: dict[type[Line], Any] = {
    kind: msgspec.json.Decoder(kind) for kind in (Header, ContentLine, EventLine, Footer)
}


def checksum(rest: bytes) -> str:
    """Return the checksum of a line, from what follows its `"sum":"…",`."""
    return hashlib.sha256(rest).hexdigest()[:16]


def write(line: Line) -> bytes:
    """Return a line with its checksum and line break, as a log file has it."""
    rest = _encode(line)[len(_PREFIX) + len(b'",') :]  # the sum is empty as yet
    return _PREFIX + checksum(rest).encode() + b'",' + rest + b"\n"


def read(data: bytes, kind: type[L], number: int) -> L:
    """Return the line of a kind that the bytes are, the line break included; raises BadLog naming line and reason."""
    line = data[:-1]
    try:
        found: L = _DECODERS[kind].decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadLog(f"this is no {WORDS[kind]}: {said(error)}.", line=number) from error
    again = _encode(found)
    if again != line:
        raise BadLog(f"this is not how a {WORDS[kind]} is written: it was edited or added to.", line=number)
    return found


WORDS: dict[type[Line], str] = {
    Header: "header of a warptape log",
    ContentLine: "line of content",
    EventLine: "line of an event",
    Footer: "footer",
}


def check(data: bytes, number: int) -> Any:
    """Return a line's plain data after what holds for any line; raises BadLog naming the line and the reason.

    It ends with a line break, is not too long, is UTF-8 and JSON, fits its checksum, and is exactly what encoding its
    decoded form gives: no key twice, no space, no number beyond 64 bits, no deep nesting.
    """
    if not data.endswith(b"\n"):
        if len(data) > LONGEST:
            raise BadLog(f"the line is longer than {LONGEST // 2**20} MB.", line=number)
        raise CutShort("the file is cut short: it ends in the middle of this line.", line=number)
    line = data[:-1]
    if len(line) > LONGEST:
        raise BadLog(f"the line is longer than {LONGEST // 2**20} MB.", line=number)
    if number == 1 and line.startswith(b"\xef\xbb\xbf"):
        raise BadLog("the file begins with a byte order mark: an editor has changed it.", line=number)
    if line.endswith(b"\r"):
        raise BadLog("the line ends with a carriage return: the line breaks were converted on the way.", line=number)
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise BadLog(f"this is not UTF-8 (byte {error.start + 1} of the line).", line=number) from error
    if crowded(line):
        raise BadLog(f"the line holds more than {MOST:,} values.", line=number)
    plain = _plain(line, number)
    if not line.startswith(_PREFIX):
        raise BadLog("the line does not begin with its checksum.", line=number)
    if line[_REST - 2 : _REST] != b'",' or line[len(_PREFIX) : _REST - 2].decode() != checksum(line[_REST:]):
        raise BadLog("the checksum does not fit: this line was changed.", line=number)
    return plain


def _plain(line: bytes, number: int) -> Any:
    try:
        plain = msgspec.json.decode(line)
        again = _encode(plain)
    except RecursionError as error:
        raise BadLog("the line nests too deeply.", line=number) from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadLog(f"this is not JSON: {said(error)}.", line=number) from error
    if not isinstance(plain, dict):
        raise BadLog("this is not a JSON object.", line=number)
    if again != line:
        raise BadLog("the line is not written as warptape writes: a key twice, a space, or another edit.", line=number)
    if line.count(b"{") + line.count(b"[") > DEEPEST and deeper(plain, DEEPEST):
        raise BadLog("the line nests too deeply.", line=number)
    if _LONG_NUMBER.search(line) and not small(plain):
        raise BadLog("a number in this line is too large: integers have 64 bits.", line=number)
    return plain


def crowded(line: bytes) -> bool:
    """Say whether a line of JSON holds too many values to be decoded; what stands in its strings does not count."""
    if line.count(b",") + line.count(b"[") + line.count(b"{") <= MOST:
        return False
    count = 0
    for found in _STRING_OR_VALUE.finditer(line):
        count += found[0][0] != ord('"')
        if count > MOST:
            return True
    return False


def deeper(value: Any, levels: int) -> bool:
    """Say whether plain data nests more than some levels of objects and lists."""
    if not isinstance(value, dict | list):
        return False
    if levels == 0:
        return True
    return any(deeper(item, levels - 1) for item in (value.values() if isinstance(value, dict) else value))


def small(value: Any) -> bool:
    """Say whether all integers in plain data fit 64 bits."""
    if isinstance(value, dict | list):
        return all(map(small, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def bare(event: bytes, position: int, line: int | None = None) -> Bare:
    """Return what a log's structure needs of an event's public bytes; raises BadLog when they are no event at all."""
    try:
        return _bare.decode(event)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadLog(f"this is no event: {said(error)}.", line=line, position=position) from error


def said(error: Exception) -> str:
    """Return what an error of a decoder says, as the end of a sentence."""
    if isinstance(error, RecursionError):
        return "it nests too deeply"
    text = str(error).removeprefix("JSON is malformed: ").rstrip(".")
    return (text if text[1:2].isupper() else text[:1].lower() + text[1:])[:200]


def newer(plain: dict[str, Any]) -> str | None:
    """Return what to do about a header of a format that this release does not know; None for one it knows."""
    version = plain.get("format")
    if plain.get("warptape") != MARK or not isinstance(version, int) or version <= FORMAT:
        return None
    by = plain.get("software")
    maker = by if isinstance(by, str) and by else "a newer warptape"
    return (
        f"the file was made by {maker}, format {version}, and this warptape reads formats up to {FORMAT}: install "
        f"{maker} or newer, for example with `pip install --upgrade warptape`."
    )
