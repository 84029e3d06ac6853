"""The header of a log file: what it may say by itself, and what of it the events must bear out."""

from __future__ import annotations

from typing import Any

import msgspec

from ..domain.errors import BadLog, StoreError
from ..domain.secrets import PUBLIC
from .logline import MARK, Header
from .shelf import check_name
from .upcasting import FORMAT


def wrong_header(header: Header) -> str | None:
    """Return what is wrong with a header, whatever follows it, as a sentence; None when nothing is."""
    if header.warptape != MARK:
        return f"this is no log of a game: the header says '{header.warptape}'."
    if not 1 <= header.format <= FORMAT:
        return f"there is no format {header.format}."
    if header.seat and header.seat not in (*header.seats, PUBLIC):
        return f"the log is said to be for '{header.seat}', which is no seat of the game."
    if header.seat and header.secrets:
        return "a log for one seat cannot hold the secret of chance."
    if not all(at.isascii() and at.isdigit() and len(at) < 16 for at in header.secrets):
        return "a secret of chance stands under something that is no position."
    try:
        check_name(header.name)
    except StoreError as error:
        return str(error)
    return None


class Told:
    """What the events say that the header repeats."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.seats: Any = None
        self.lineage: Any = []
        self.redacted: dict[str, int] = {}

    def hear(self, kind: str, event: dict[str, Any], line: int) -> None:
        """Take note of an opening or a fork; raises BadLog when the opening is another than the header's."""
        if kind == "GameOpened":
            for name in ("ruleset", "version", "content"):
                if event.get(name) != getattr(self.header, name):
                    raise BadLog(f"the opening has another {name} than the header says.", line=line)
            self._hear_format(event, line)
            self.seats = event.get("seats", {})
        elif kind == "VersionChanged":
            self._hear_format(event, line)
        elif kind == "GameForked":
            self.seats, self.lineage = event.get("seats", {}), event.get("lineage")

    def left_out(self, kind: str, count: int) -> None:
        """Take note of how many secrets of an event are not in the file."""
        if count:
            self.redacted[kind] = self.redacted.get(kind, 0) + count

    def _hear_format(self, event: dict[str, Any], line: int) -> None:
        found = event.get("format")
        if not isinstance(found, int) or not 1 <= found <= self.header.format:
            raise BadLog("the event is of another format than the header says.", line=line)

    def differs(self) -> str | None:
        """Return what the header says otherwise than the events, None when nothing."""
        if self.header.seats != self.seats:
            return "the header names other seats than the events."
        if [list(pair) for pair in self.header.lineage] != self.lineage:
            return "the header names other ancestors than the events."
        if self.header.redacted not in (msgspec.UNSET, self.redacted):
            return "the header says of other values than are missing that they were left out."
        return None
