"""The stored rows of a recorded game, across the ancestors of a fork, in log order or along a line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from operator import itemgetter

import msgspec

from ..domain.errors import BadLog
from .store import Row, Shelf, Store
from .timeline import Span, Tree
from .upcasting import Era, era

GAP = 250
"""Abandoned events between two spans of a line that are read and dropped rather than skipped by another query."""


class _Rewound(msgspec.Struct):
    to: int


_rewound = msgspec.json.Decoder(_Rewound)


class Rows:
    """The rows of one game in its store, and the tree of its lines."""

    def __init__(self, store: Store, shelf: Shelf) -> None:
        self.store = store
        self.shelf = shelf
        self.tree = self._tree()

    def _tree(self) -> Tree:
        return Tree(length=self.length, older=self._rewinds)

    def _rewinds(self, below: int, most: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for game, start, stop in reversed(list(self._parts(0, below))):
            for position, data in self.store.rewinds(game, start, stop, most - len(found)):
                try:
                    to = _rewound.decode(data).to
                except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                    raise BadLog(f"no rewind: {error}", position=position) from error
                if not 0 <= to < position:
                    raise BadLog(f"the game cannot go back to @{to} from here", position=position)
                found.append((position, to))
        return found

    def eras(self) -> list[Era]:
        """Return the forms that the log was recorded in, each with its first position."""
        found = [era(*row) for part in self._parts(0, None) for row in self.store.versions(*part)]
        return [one for one in found if one is not None]

    @property
    def length(self) -> int:
        """The number of events in the log, ancestors' included: the next free position."""
        return self.shelf.length

    @property
    def tip(self) -> int:
        """The position the game stands at: the last event, or what the last rewind went to."""
        return self.tree.resolve(self.length - 1)

    @cached_property
    def _owners(self) -> list[tuple[str, int, int | None]]:
        owners: list[tuple[str, int, int | None]] = []
        first = 0
        for game, last in self.shelf.lineage:
            owners.append((game, first, last + 1))
            first = last + 1
        owners.append((self.shelf.id, first, None))
        return owners

    def owner(self, position: int) -> str:
        """Return the id of the game whose own log holds a position."""
        return next(game for game, _, stop in self._owners if stop is None or position < stop)

    def lineage(self, place: int) -> tuple[tuple[str, int], ...]:
        """Return the ancestors of a fork after a position, oldest first, each with the last position it lends."""
        below = [(game, stop - 1) for game, _, stop in self._owners if stop is not None and stop <= place]
        return (*below, (self.owner(place), place))

    def _parts(self, start: int, stop: int | None) -> Iterator[tuple[str, int, int]]:
        """Yield which games hold the positions `start` to `stop` - 1: (game, from, before)."""
        stop = self.length if stop is None else min(stop, self.length)
        for game, first, end in self._owners:
            low, high = max(start, first), stop if end is None else min(stop, end)
            if low < high:
                yield game, low, high

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[Row]:
        """Yield the stored rows at positions `start` to `stop` - 1, streaming."""
        for part in self._parts(start, stop):
            yield from self.store.rows(*part)

    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[Sequence[tuple[int, bytes]]]:
        """Yield what `rows` yields, as lists of bare (position, data); one that is missing is left out."""
        for part in self._parts(start, stop):
            yield from self.store.chunks(*part)

    def kinds(self, kinds: Collection[str], start: int = 0, stop: int | None = None) -> list[Row]:
        """Return the rows of some kinds at positions `start` to `stop` - 1."""
        return [row for part in self._parts(start, stop) for row in self.store.kinds(part[0], kinds, *part[1:])]

    def positions(self, kinds: Collection[str], start: int = 0, stop: int | None = None) -> list[int]:
        """Return the positions of the rows of some kinds, from `start` to `stop` - 1."""
        return [at for part in self._parts(start, stop) for at in self.store.positions(part[0], kinds, *part[1:])]

    def newest(self, kinds: Collection[str], below: int | None = None) -> Iterator[Row]:
        """Yield the rows of some kinds, the latest first, below a position; reads no further than it is asked."""
        stop, stride = self.length if below is None else below, 64
        while stop > 0:
            start = max(0, stop - stride)
            yield from reversed(self.kinds(kinds, start, stop))
            stop, stride = start, stride * 2

    def newest_on_line(self, kinds: Collection[str], tip: int) -> Iterator[Row]:
        """Yield the rows of some kinds on the line that ends at `tip`, the latest first."""
        back = self.tree.back(tip)
        span = next(back)
        for row in self.newest(kinds, tip + 1):
            while row.position < span.first:
                span = next(back)
            if row.position <= span.last:
                yield row

    def line_rows(self, tip: int | None = None, start: int = 0) -> Iterator[Row]:
        """Yield the rows of the line that ends at `tip` (default: the current one), from a position on."""
        for spans in self._reads(self.tip if tip is None else tip, start):
            number = 0
            for row in self.rows(spans[0].first, spans[-1].last + 1):
                if row.position > spans[number].last:
                    number += 1
                if row.position >= spans[number].first:
                    yield row

    def line_chunks(self, tip: int, start: int = 0) -> Iterator[Sequence[tuple[int, bytes]]]:
        """Yield what `line_rows` yields, as lists of bare (position, data); raises BadLog when an event is missing."""
        at = start - 1
        for spans in self._reads(tip, start):
            left = sum(span.last + 1 - span.first for span in spans)
            for part in self._parts(spans[0].first, spans[-1].last + 1):
                for chunk in self.store.chunks(*part):
                    if len(spans) > 1:
                        chunk = _within(chunk, spans)
                    left -= len(chunk)
                    if chunk:
                        at = chunk[-1][0]
                        yield chunk
            if left:
                self.store.shelf(self.shelf.id)  # raises UnknownGame for one that was deleted meanwhile
                raise BadLog("an event after this one is missing from the store", position=max(at, 0))

    def _reads(self, tip: int, start: int) -> Iterator[list[Span]]:
        """Yield the spans of a line in order, those together that one query reads: what lies between is dropped."""
        spans: list[Span] = []
        for span in self.tree.back(tip):
            if span.last < start:
                break
            spans.append(Span(max(span.first, start), span.last))
        group: list[Span] = []
        for span in reversed(spans):
            if group and span.first - group[-1].last > GAP:
                yield group
                group = []
            group.append(span)
        if group:
            yield group


def _within(chunk: Sequence[tuple[int, bytes]], spans: Sequence[Span]) -> list[tuple[int, bytes]]:
    """Return the (position, data) of a chunk that lie in one of some spans, both in order."""
    place = itemgetter(0)
    kept: list[tuple[int, bytes]] = []
    for span in spans[bisect_left(spans, chunk[0][0], key=lambda span: span.last) :]:
        low = bisect_left(chunk, span.first, key=place)
        if low == len(chunk):
            break
        kept += chunk[low : bisect_right(chunk, span.last, low, key=place)]
    return kept
