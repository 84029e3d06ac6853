"""The sample of 200 recorded games that ships with warptape: log files packed into one, whole again byte by byte.

A packed log lacks what its other bytes tell: the checksums of its lines and the links of its chain. They take a good half
of the room, since nothing compresses a digest.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from pathlib import Path

from ...domain.errors import StoreError
from ...replays.logline import EventLine, Header, read
from ...replays.paths import typed
from .build import Archive, Followed
from .sources import FolderSource

FILE = "sample.jsonl.xz"
NAME = "sample"
"""The source that an archive names, where the logs themselves are not kept."""
ENDING = ".tape.jsonl"

_SUM = re.compile(rb'\{"sum":"[0-9a-f]{16}",')
_PREV = re.compile(rb'"prev":"[0-9a-f]{64}"')
_LINK = b'"prev":"="'
_OPENS = b'"warptape":'
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 25}]


def pack(logs: Iterable[bytes]) -> bytes:
    """Return log files packed into one; raises ValueError for one that would not come out as it went in."""
    packer = lzma.LZMACompressor(format=lzma.FORMAT_XZ, filters=FILTERS)
    parts = []
    for log in logs:
        lines = [_PREV.sub(_LINK, _SUM.sub(b"", line, count=1), count=1) for line in log.splitlines(keepends=True)]
        if b"".join(_whole(lines)) != log:
            raise ValueError("This log cannot be packed: its checksums or its chain are not what they should be.")
        parts.append(packer.compress(b"".join(lines)))
    return b"".join([*parts, packer.flush()])


def logs() -> Iterator[tuple[str, bytes]]:
    """Yield the log files of the sample with their names, such as `017-RULESET.tape.jsonl`, one at a time.

    Raises StoreError where the package has been installed without it.
    """
    try:
        with resources.files(__package__).joinpath(FILE).open("rb") as packed, lzma.open(packed) as lines:
            for number, log in enumerate(unpack(lines), 1):
                header = read(log[: log.index(b"\n") + 1], Header, 1)
                yield f"{number:03}-{header.ruleset}{ENDING}", log
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise StoreError(f"The sample cannot be read ({error}). Install warptape again.") from error


def unpack(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the log files that were packed, whole again."""
    own: list[bytes] = []
    for line in lines:
        if line.startswith(_OPENS) and own:
            yield b"".join(_whole(own))
            own = []
        own.append(line)
    if own:
        yield b"".join(_whole(own))


def _whole(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of one log with their checksums and the links of the chain."""
    batch = hashlib.sha256()
    for number, line in enumerate(lines, 1):
        if _LINK in line:
            line = line.replace(_LINK, b'"prev":"%s"' % batch.hexdigest().encode(), 1)
            batch = hashlib.sha256()
        checksum = hashlib.sha256(line.rstrip(b"\n")).hexdigest()[:16].encode()
        whole = b'{"sum":"%s",%s' % (checksum, line)
        if line.startswith(b'"at":'):
            batch.update(bytes(read(whole, EventLine, number).event) + b"\n")
        yield whole


def write(folder: str | os.PathLike[str], *, passing: bool = False) -> list[Path]:
    """Write the log files of the sample into a folder, compressed (quickly, if they are only `passing`), and return their paths.

    Raises StoreError.
    """
    target = typed(folder)
    written = []
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, log in logs():
            path = target / f"{name}.gz"
            path.write_bytes(gzip.compress(log, 1 if passing else 6, mtime=0))
            written.append(path)
    except OSError as error:
        raise StoreError(f"The folder {target} cannot be written: {(error.strerror or str(error)).lower()}.") from error
    return written


def follow(
    archive: Archive,
    folder: str | os.PathLike[str] | None = None,
    *,
    jobs: int = 1,
    expect: Callable[[int], None] = lambda count: None,
    done: Callable[[], None] = lambda: None,
) -> Followed:
    """Put the games of the sample into an archive; with a `folder` their log files are kept there. Raises StoreError."""
    if folder is not None:
        write(folder)
        return archive.follow(FolderSource(folder), jobs=jobs, expect=expect, done=done)
    with tempfile.TemporaryDirectory(prefix="warptape-") as passing:
        write(passing, passing=True)
        source = FolderSource(passing)
        followed = archive.follow(source, jobs=jobs, expect=expect, done=done)
    run, ours = archive.connection.execute, (NAME, len(source.name) + 2, source.name)
    run("BEGIN IMMEDIATE")
    run("UPDATE games SET found_in = ?, found_as = substr(found_as, ?) WHERE found_in = ?", ours)
    run("UPDATE OR REPLACE tracking SET source = ?, item = substr(item, ?) WHERE source = ?", ours)
    run("COMMIT")
    return followed
