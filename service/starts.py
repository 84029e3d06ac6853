"""What pages are opened with: drawn once for all who see the same of a game, and what is new since is told to each.

To draw all of a long game takes seconds, to tell what is new milliseconds. So a page may get what was drawn some time ago:
it asks for the rest. This is a cache that a process can lose.
"""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict

import msgspec

from ..projections.page import content
from ..replays.tape import Tape

KEPT = 32 * 2**20
"""The bytes, compressed, that a process keeps."""

BEHIND = 300
"""Events after which a game is drawn anew."""


class Start(msgspec.Struct, frozen=True):
    """All that a page holds of a game up to a position, as compressed JSON."""

    upto: int
    packed: bytes


class Starts:
    """The starts of games that were drawn last, by game and by whose knowledge they are."""

    def __init__(self, most: int = KEPT) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], Start] = OrderedDict()
        self._drawing: dict[tuple[str, str], threading.Lock] = {}

    def of(self, tape: Tape) -> msgspec.Raw:
        """Return what a page holds of a game as whoever has this tape may see it, now or not long ago, as JSON."""
        key = (tape.shelf.id, tape.seen_as or "")
        with self._lock:
            drawing = self._drawing.setdefault(key, threading.Lock())
        try:
            with drawing:  # of many who come at once, one draws
                found = self._find(key, tape)
                if found is not None:
                    return msgspec.Raw(gzip.decompress(found.packed))
                drawn = msgspec.json.encode(content(tape, tape.tip)[0])
                self._keep(key, Start(tape.length - 1, gzip.compress(drawn, 1, mtime=0)))
        finally:
            with self._lock:
                self._drawing.pop(key, None)
        return msgspec.Raw(drawn)

    def _find(self, key: tuple[str, str], tape: Tape) -> Start | None:
        """Return what is kept for a tape: no more than it may show, and told by the rules of the same version."""
        with self._lock:
            found = self._kept.get(key)
            if found is None or not 0 <= tape.length - 1 - found.upto <= BEHIND:
                return None
            self._kept.move_to_end(key)
        return None if tape.kinds({"VersionChanged"}, found.upto + 1) else found

    def _keep(self, key: tuple[str, str], start: Start) -> None:
        with self._lock:
            self._kept[key] = start
            self._kept.move_to_end(key)
            while sum(len(one.packed) for one in self._kept.values()) > self.most:
                self._kept.popitem(last=False)
