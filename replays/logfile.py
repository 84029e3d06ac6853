"""The log file `*.tape.jsonl`, or `.gz` by name: written from a recorded game, and read line by line.

Both ways stream: memory does not grow with the game. The format is written down in `docs/format.md`.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from .. import __version__
from ..domain.content import Content
from ..domain.errors import BadLog, ContentError, NotAllowed, StoreError
from ..domain.secrets import Disclosure, visible
from .chain import BrokenChain, Chain
from .heading import Told, wrong_header
from .logline import (
    LONGEST,
    MARK,
    ContentLine,
    CutShort,
    EventLine,
    Footer,
    Header,
    bare,
    check,
    crowded,
    newer,
    read,
    said,
    write,
)
from .paths import NoFile, opened, typed
from .shelf import Row
from .tape import Tape
from .upcasting import FORMAT

ABOVE = 3
"""The line of event @0: lines count from 1, and the header and the content stand above it."""

_disclosures = msgspec.json.Decoder(list[Disclosure])
_encode = msgspec.json.Encoder().encode


def export(tape: Tape, path: str | os.PathLike[str], seat: str | None = None, *, with_secret: bool = False) -> Path:
    """Write a recorded game to a log file and return its path; a name that ends in `.gz` is compressed.

    With a `seat` the file holds what that seat knows. The secret of chance is in the file only when the log reveals
    it, or the owner asks with `with_secret`: whoever has it knows what is still to come. A fork is written with its
    past. The file is there whole or not at all.

    Raises NotAllowed for an unknown seat or a seat's export with the secret, StoreError when the file cannot be
    written, BadLog when the stored game is damaged where it must be read.
    """
    held = tape.shelf.extra.get("seat")
    if seat is not None and seat not in tape.shelf.seats:
        raise NotAllowed(f"This game has no seat '{seat}'. Its seats: {', '.join(tape.shelf.seats)}.")
    if held is not None and seat not in (None, held):
        raise NotAllowed(f"Only what {held} knew of this game is here, so it cannot be exported for {seat}.")
    seat = held if seat is None else seat
    if seat is not None and with_secret:
        raise NotAllowed("What one seat knows does not include the secret of chance: export it without.")
    header = header_of(tape, seat, with_secret)
    if seat is not None:
        header = msgspec.structs.replace(header, redacted=_redacted(tape, seat))
    return write_log(path, header, tape.store.content(tape.shelf.content), tape.rows())


def write_log(path: str | os.PathLike[str], header: Header, content: bytes, rows: Iterable[Row]) -> Path:
    """Write a log file of these rows and return its path; a header for one seat leaves out the secrets of others.

    The file is there whole or not at all. Raises StoreError when it cannot be written, BadLog for damaged rows.
    """
    target = typed(path)
    special = target.exists() and not target.is_file() and not target.is_dir()  # a pipe or a device: to be kept
    partial = target if special else target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            if _compressed(target):
                with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
                    _write(packed, header, content, rows)
            else:
                _write(file, header, content, rows)
        if not special:
            partial.replace(target)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {(error.strerror or str(error)).lower()}.") from error
    finally:
        if not special:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
    return target


def _compressed(path: Path) -> bool:
    return path.name.lower().endswith(".gz")


def header_of(tape: Tape, seat: str | None, with_secret: bool = False, stop: int | None = None) -> Header:
    """Return the header of a file with the rows before `stop` (None: all) as the owner or one seat knows them."""
    shelf = tape.shelf
    seats, lineage = _begun(tape, stop)
    return Header(
        warptape=MARK,
        format=FORMAT,
        ruleset=shelf.ruleset,
        version=shelf.ruleset_version,
        software=f"warptape {__version__}",
        game=shelf.id,
        name=shelf.name,
        content=shelf.content,
        seats=seats,
        lineage=lineage,
        seat=seat or "",
        secrets={at: (pair[0], pair[1]) for at, pair in shelf.secrets.items()} if with_secret else {},
    )


def _write(file: IO[bytes] | gzip.GzipFile, header: Header, content: bytes, rows: Iterable[Row]) -> None:
    whole = hashlib.sha256()
    seat = header.seat or None

    def put(line: bytes) -> None:
        whole.update(line)
        file.write(line)

    put(write(header))
    put(write(ContentLine(content=msgspec.Raw(content))))
    chain = Chain()
    withheld = count = 0
    for row in rows:
        public, _, beside = row.data.partition(b"\n")
        chain.feed(row.position, row.kind, "", public)
        given = _given(beside, seat, row.position) if beside else []
        if b'{"sealed":' in public:
            withheld += seals(_plain(public, row.position)) - len(given)
        line = EventLine(at=row.position, event=msgspec.Raw(public), beside=given or msgspec.UNSET)
        put(write(line))
        count += 1
    file.write(write(Footer(events=count, head=chain.head, withheld=withheld, sha256=whole.hexdigest())))


def _redacted(tape: Tape, seat: str) -> dict[str, int]:
    """Return how many values a file for a seat leaves out, by the kind of event; which kinds these are is public."""
    found: dict[str, int] = {}
    for row in tape.rows():
        public, _, beside = row.data.partition(b"\n")
        if b'{"sealed":' in public:
            given = len(_given(beside, seat, row.position)) if beside else 0
            if missing := seals(_plain(public, row.position)) - given:
                found[row.kind] = found.get(row.kind, 0) + missing
    return dict(sorted(found.items()))


def _begun(tape: Tape, stop: int | None) -> tuple[dict[str, str], list[tuple[str, int]]]:
    """Return seats and ancestors as the log itself has them; those of the shelf differ in a game that was imported."""
    shelf = tape.shelf
    try:
        row = tape.kinds({"GameOpened", "GameForked"}, 0, stop)[-1]
        begun = msgspec.json.decode(row.data, type=_Begun)
    except (IndexError, msgspec.MsgspecError, ValueError, RecursionError):
        return shelf.seats, shelf.lineage  # damaged: an import of the file will say so
    return begun.seats, begun.lineage


class _Begun(msgspec.Struct):
    seats: dict[str, str] = {}
    lineage: list[tuple[str, int]] = []


def redacted(row: Row, seat: str) -> Row:
    """Return a stored row as a seat may have it: its bytes, and beside them the secrets that are for this seat."""
    public, _, beside = row.data.partition(b"\n")
    if not beside:
        return row
    given = _given(beside, seat, row.position)
    return Row(row.position, row.kind, public + b"\n" + _encode(given) if given else public)


def _given(beside: bytes, seat: str | None, position: int) -> list[Disclosure]:
    try:
        return visible(_disclosures.decode(beside), seat)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadLog(f"the secrets beside the event are damaged: {said(error)}.", position=position) from error


def _plain(public: bytes, position: int) -> Any:
    try:
        return msgspec.json.decode(public)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadLog(f"the event is damaged: {said(error)}.", position=position) from error


def seals(plain: Any) -> int:
    """Return how many sealed values plain data holds."""
    if isinstance(plain, dict):
        if plain.keys() == {"sealed"}:
            return 1
        return sum(map(seals, plain.values()))
    return sum(map(seals, plain)) if isinstance(plain, list) else 0


class LogFile:
    """A log file to read, as often as needed, always with every check that needs no ruleset.

    Opening it reads and checks header and content: raises BadLog, naming the line and the reason.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = typed(path)
        self.footer: Footer | None = None
        with self._lines() as lines:
            self._top = self._read_top(lines)
        self.header, self.content = self._top

    def rows(self) -> Iterator[tuple[Row, int]]:
        """Yield each event as a store keeps it, with the number of its line, streaming.

        Raises BadLog at the first line that is not as it was written: a checksum that does not fit, a position out of
        order, a broken chain, a footer that lies, or anything after it. Only when all rows were yielded is the file
        known to be whole. A second reading fails if the file has changed since the first.
        """
        chain = Chain()
        told = Told(self.header)
        withheld = 0
        with self._lines() as lines:
            if self._read_top(lines) != self._top:
                raise BadLog("the file was changed while it was read.", line=1)
            position = 0
            for number, data, before in lines:
                plain = check(data, number)
                if "at" not in plain:
                    self._finish(read(data, Footer, number), number, chain, (position, withheld, before), told)
                    if next(lines, None) is not None:
                        raise BadLog("there is something after the footer.", line=number + 1)
                    return
                line = read(data, EventLine, number)
                if line.at != position:
                    raise BadLog(_out_of_order(line.at, position), line=number)
                public = bytes(line.event)
                basic = bare(public, position, number)
                if wrong := chain.feed(position, basic.type, basic.prev, public):
                    raise BrokenChain(f"{wrong}.", line=chain.prev_first + ABOVE if position else number)
                told.hear(basic.type, plain["event"], number)
                given = [] if line.beside is msgspec.UNSET else line.beside
                if line.beside == []:
                    raise BadLog("the list of secrets beside the event is empty.", line=number)
                left_out = (seals(plain["event"]) if b'{"sealed":' in public else 0) - len(given)
                if left_out < 0:
                    raise BadLog("there are more secrets beside the event than it has sealed fields.", line=number)
                withheld += left_out
                told.left_out(basic.type, left_out)
                data = public + b"\n" + _encode(given) if given else public
                yield Row(position, basic.type, data), number
                position += 1
        raise CutShort("the file is cut short: it has no footer.", line=position + ABOVE)

    def _finish(self, footer: Footer, number: int, chain: Chain, counted: tuple[int, int, str], told: Told) -> None:
        events, withheld, digest = counted
        if events == 0:
            raise BadLog("the log has no events.", line=number)
        if footer.events != events:
            raise BadLog(f"the footer counts {footer.events} events, and there are {events}.", line=number)
        if footer.head != chain.head:
            raise BrokenChain(f"{chain.broken()}.", line=chain.first + ABOVE)
        if footer.withheld != withheld:
            raise BadLog(
                f"the footer says that {footer.withheld} secrets were left out, and {withheld} were.", line=number
            )
        if footer.sha256 != digest:
            raise BadLog("the footer's digest of the file does not fit: something before it was changed.", line=number)
        if wrong := told.differs():
            raise BadLog(wrong, line=1)
        if self.footer is not None and self.footer != footer:
            raise BadLog("the file was changed while it was read.", line=number)
        self.footer = footer

    def _read_top(self, lines: Iterator[tuple[int, bytes, str]]) -> tuple[Header, bytes]:
        number, data, _ = next(lines, (1, b"", ""))
        if not data:
            raise BadLog("the file is empty.", line=1)
        if data.startswith(b"\x1f\x8b"):
            raise BadLog("the file is compressed: give it a name that ends in .gz.", line=1)
        with suppress(msgspec.MsgspecError, ValueError, RecursionError):
            guess = None if crowded(data) else msgspec.json.decode(data)
            if isinstance(guess, dict) and (advice := newer(guess)):
                raise BadLog(advice, line=1)
        if not data.startswith(b'{"sum":"') and b'"warptape"' not in data[:200]:
            raise BadLog("this is no warptape log: it does not begin with a header.", line=1)
        check(data, number)
        header = read(data, Header, number)
        if wrong := wrong_header(header):
            raise BadLog(wrong, line=1)
        number, data, _ = next(lines, (2, b"", ""))
        if not data:
            raise CutShort("the file is cut short: the line of content is missing.", line=2)
        check(data, number)
        content = bytes(read(data, ContentLine, number).content)
        try:
            digest = Content.decode(content).digest
        except ContentError as error:
            raise BadLog(f"{str(error).rstrip('.')}.", line=2) from error
        if digest != header.content:
            raise BadLog("the content is not the one that the header names: its digest is another.", line=2)
        return header, content

    @contextmanager
    def _lines(self) -> Iterator[Iterator[tuple[int, bytes, str]]]:
        """The lines with their numbers, each with the digest of all bytes before it, as an iterator."""
        with ExitStack() as stack:
            try:
                file: Any = stack.enter_context(opened(self.path))
                if _compressed(self.path):
                    file = stack.enter_context(gzip.GzipFile(fileobj=file, mode="rb"))
            except FileNotFoundError as error:
                raise BadLog(f"There is no file {self.path}.") from error
            except IsADirectoryError as error:
                raise BadLog(f"{self.path} is a folder; a log is a file.") from error
            except NoFile as error:
                raise BadLog(
                    f"{self.path} is a pipe or a device; a log is read more than once: write it into a file first."
                ) from error
            except (OSError, ValueError) as error:
                raise BadLog(f"{self.path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
            yield _numbered(file)


def _numbered(file: Any) -> Iterator[tuple[int, bytes, str]]:
    whole = hashlib.sha256()
    number = 1
    while True:
        try:
            data = file.readline(LONGEST + 2)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            kind = CutShort if isinstance(error, EOFError) else BadLog
            raise kind(f"the compressed file is damaged or cut short: {said(error)}.", line=number) from error
        except OSError as error:
            raise BadLog(f"the file cannot be read: {error.strerror or error}.", line=number) from error
        if not data:
            return
        yield number, data, whole.hexdigest()
        whole.update(data)
        number += 1


def _out_of_order(found: int, expected: int) -> str:
    if found > expected:
        return f"event @{expected} is missing: this line holds @{found}."
    return f"event @{expected} belongs here, and this line holds @{found}: lines were moved, repeated or put in."
