"""Checks what a fork as of one seat says was drawn anew: it must fill in what was hidden, all of it, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..domain.events import Redrawn
from ..domain.redraw import found, said, sealed
from ..domain.secrets import Sealed, bare
from .findings import Check


def wrong(before: Any, after: Any, event: Redrawn, *, whole: bool) -> Iterator[tuple[Check, str]]:
    """Yield what is wrong with values drawn anew, given the state before and after: which check, and why.

    `whole` says that nothing may be hidden afterwards: it is not the log of one seat.
    """
    for one in event.values:
        value, seen_by = found(before, one.path)
        if not isinstance(bare(value), Sealed):
            yield "structure", f"{said(one.path)} is drawn anew, but it was known"
        elif tuple(sorted({*(seen_by or ())})) != one.seen_by:
            yield "secrets", f"{said(one.path)} is drawn anew for other seats than may know it"
        elif event.seat in one.seen_by:
            yield "secrets", f"{said(one.path)} is drawn anew, but {event.seat} may know it"
    if whole:
        for path, _ in sealed(after):
            yield "structure", f"{said(path)} stays hidden, and was to be drawn anew"
    yield from (("chance", reason) for reason in _impossible(after.chance))


def _impossible(chance: Any) -> Iterator[str]:
    for name, bag in chance.bags.items():
        out = Counter(item for item in map(bare, bag.out.values()) if not isinstance(item, Sealed))
        if over := out - Counter(bag.initial):
            yield f"the bag '{name}' does not hold {' and '.join(sorted(over))} so often"
    for name, deck in chance.decks.items():
        seen = Counter(item for item in map(bare, deck.seen.values()) if not isinstance(item, Sealed))
        if over := seen - Counter(deck.items):
            yield f"the deck '{name}' does not hold {' and '.join(sorted(over))} so often"
