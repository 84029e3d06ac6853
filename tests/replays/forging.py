"""Log files made by somebody who knows the format: edited, and every sum, chain and digest made to fit again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from warptape.replays.chain import HEAD_KINDS

Plain = dict[str, Any]
Edit = Callable[[list[Plain]], None]
encode, decode = msgspec.json.encode, msgspec.json.decode


def summed(line: bytes) -> bytes:
    """Return a line, with or without its line break, with the checksum that fits."""
    rest = line.rstrip(b"\n")[26:]
    return b'{"sum":"' + hashlib.sha256(rest).hexdigest()[:16].encode() + b'",' + rest + b"\n"


def footed(lines: list[bytes]) -> bytes:
    """Return a file with the footer's digest and checksum made to fit; its other figures stay."""
    footer = decode(lines[-1])
    footer["sha256"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    return b"".join([*lines[:-1], summed(encode(footer) + b"\n")])


def headed(lines: list[bytes]) -> list[bytes]:
    """Return a file's lines with the footer's digest of the last batch made to fit the bytes of its events."""
    batch = hashlib.sha256()
    for line in lines[2:-1]:
        event = line[line.index(b'"event":') + 8 :].rstrip(b"\n")[:-1].partition(b',"beside":[')[0]
        if b'"type":"ActionTaken"' in event:
            batch = hashlib.sha256()
        batch.update(event + b"\n")
    return [*lines[:-1], encode({**decode(lines[-1]), "head": batch.hexdigest()}) + b"\n"]


def forged(data: bytes, edit: Edit) -> bytes:
    """Return a file whose events were edited, with positions, chain, footer and checksums made to fit."""
    lines = data.splitlines(keepends=True)
    events = [decode(line) for line in lines[2:-1]]
    edit(events)
    batch = hashlib.sha256()
    made = []
    for position, line in enumerate(events):
        event = line["event"]
        if event["type"] in HEAD_KINDS:
            if position:
                # `prev` stands before the fields of a head's own kind.
                event["prev"] = batch.hexdigest()
            batch = hashlib.sha256()
        batch.update(encode(event) + b"\n")
        made.append(summed(encode({**line, "at": position}) + b"\n"))
    footer = decode(lines[-1])
    footer.update(events=len(events), head=batch.hexdigest())
    return footed([*lines[:2], *made, encode(footer) + b"\n"])


def write(path: Path, data: bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(data)
    return path
