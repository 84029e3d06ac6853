"""Finds the take-backs of what somebody had seen already."""

from __future__ import annotations

from collections import deque

from ..domain.events import Event, Head, Rewound, UndoAnswered
from .findings import Moment, TakeBack
from .ledger import Ledger, moment
from .timeline import Tree

FEW = 3
"""Outcomes of which a take-back says what they were."""
RECENT = 2000
"""Outcomes that are remembered in words; of those further back only the number is known."""


class Crossing:
    """Follows what a log makes known, and where its rewinds go back behind it."""

    def __init__(self, ledger: Ledger, tree: Tree) -> None:
        self.ledger = ledger
        self.tree = tree
        self.shown = 0
        """How many outcomes the line at hand has shown."""
        self._recent: deque[Moment] = deque(maxlen=RECENT)
        self._granted = ""

    def see(self, position: int, event: Event) -> None:
        """Take note of an event that makes something known."""
        self.shown += 1
        self._recent.append(moment(position, event))

    def head(self, head: Event) -> None:
        """Take note of a head: a seat may just have agreed to the take-back that comes next."""
        if isinstance(head, UndoAnswered):
            self._granted = head.seat if head.granted else ""
        elif isinstance(head, Head) and not isinstance(head, Rewound):
            self._granted = ""

    def rewound(self, head: Rewound, position: int, target: int, was: int, shown: int, *, counted: bool) -> None:
        """Take note of a rewind from `was` to `target`, up to which the line had shown so many outcomes.

        `counted` is false where that is not known.
        """
        granted, self._granted = self._granted, ""
        left, self.shown = self.shown, shown
        self.ledger.count("takebacks", head.by != "redo")
        if not counted or left <= shown or not self.tree.on_line(target, was):
            return
        spans = []
        for span in self.tree.back(was):
            spans.append(span)
            if span.first <= target:
                break
        seen: list[Moment] = []
        for one in reversed(self._recent):
            if one.position <= target or len(seen) == min(FEW, left - shown):
                break
            if any(span.first <= one.position <= span.last for span in spans):
                seen.insert(0, one)
        self.ledger.crossed(
            TakeBack(
                position,
                head.to,
                head.by,
                head.seat,
                head.person,
                head.reason,
                granted,
                left - shown,
                seen,
            )
        )
