"""A process of its own that audits a log of as many events as one likes, none of which is ever on a disk.

Usage: millions.py EVENTS MEGABYTES RULES. The log is made while it is read: two players of Pig who roll a 1 in turn, for ever.
Prints one line of JSON: whether all was well, how many lines were read, and the most memory that was taken.
"""

from __future__ import annotations

import hashlib
import io
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from warptape.replays import logfile
from warptape.replays.audit import audit_file
from warptape.replays.library import Library
from warptape.replays.logline import checksum


def lines(top: list[bytes], turns: list[list[bytes]], events: int) -> Iterator[bytes]:
    """The lines of a whole log file: the top as it is, then the turns again and again, each chained to the one before."""
    whole, batch, position = hashlib.sha256(), hashlib.sha256(), 0

    def line(rest: bytes) -> bytes:
        made = b'{"sum":"' + checksum(rest).encode() + b'",' + rest + b"\n"
        whole.update(made)
        return made

    for data in top:
        whole.update(data)
        yield data
        if b'"at":' in data:
            batch.update(event_of(data) + b"\n")
            position += 1
    number = 0
    while position < events:
        head, *others = turns[number % len(turns)]
        number += 1
        before, _, after = head.partition(b'"prev":"')
        head = before + b'"prev":"' + batch.hexdigest().encode() + after[64:]
        batch = hashlib.sha256()
        for event in (head, *others):
            batch.update(event + b"\n")
            yield line(b'"at":%d,"event":%s}' % (position, event))
            position += 1
    digest = whole.hexdigest()
    yield line(
        b'"events":%d,"head":"%s","withheld":0,"sha256":"%s"}' % (position, batch.hexdigest().encode(), digest.encode())
    )


def event_of(line: bytes) -> bytes:
    """The event in a line of a log file, as its bytes."""
    return line[line.index(b'"event":') + 8 :].rstrip(b"\n")[:-1]


class Stream(io.RawIOBase):
    """A file of lines that are made as they are read."""

    def __init__(self, made: Iterator[bytes]) -> None:
        self.made = made
        self.rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while len(self.rest) < len(buffer):
            parts = [self.rest]
            parts += islice(self.made, 500)
            if len(parts) == 1:
                break
            self.rest = b"".join(parts)
        size = min(len(buffer), len(self.rest))
        buffer[:size] = self.rest[:size]
        self.rest = self.rest[size:]
        return size


def recorded() -> tuple[list[bytes], list[list[bytes]]]:
    """The top of a log, up to its first action, and the events of two turns."""
    with Library[Any](":memory:") as library, tempfile.TemporaryDirectory() as folder:
        game = library.new("pig", chance="table", options={"goal": 1000})
        for _ in range(2):
            game.act("roll", outcomes=["1"])
        data = game.export(Path(folder) / "g.tape.jsonl").read_bytes().splitlines(keepends=True)
    heads = [number for number, line in enumerate(data) if b'"ActionTaken"' in line]
    ends = [*heads[1:], len(data) - 1]
    return data[: heads[0]], [[event_of(line) for line in data[a:b]] for a, b in zip(heads, ends, strict=True)]


def main(events: int, megabytes: int, rules: bool) -> None:
    top, turns = recorded()

    def opened(path: Path) -> BinaryIO:
        return io.BufferedReader(Stream(lines(top, turns, events)), 2**16)  # type: ignore[return-value]

    logfile.opened = opened
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20,) * 2)
    began = time.monotonic()
    report = audit_file("millions.tape.jsonl", rules=rules)
    found = {
        "ok": report.ok,
        "first": str(report.first or ""),
        "counts": {row.check: row.count for row in report.rows},
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "rules")
