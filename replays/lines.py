"""The lines of a game: each way it was played, where it parts from the one it is on now, and how it ended."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import msgspec

from .tape import Tape
from .told import sentence


class Line(msgspec.Struct, frozen=True):
    """One line of a game.

    `tip` is its last position, `parts` the last one it shares with the current line (of that line itself: `tip`),
    `decisions` how many were taken on it from the opening, `own` how many of them after it parts. `outcome` is its
    result, empty while it is open, `last` its last action in words, empty when there is none.
    """

    tip: int
    parts: int
    decisions: int
    own: int
    current: bool
    outcome: str
    last: str


def lines(tape: Tape, seat: str | None = None) -> list[Line]:
    """Return all lines on which somebody decided something, and the current one, in the order of their tips.

    `seat` tells the last action as one seat may know it; None as the owner does.
    """
    tree, tip = tape.tree, tape.tip
    decided = tape.positions({"ActionTaken"})
    current = tree.line(tip)
    before = [0]  # decisions on the current line before each of its spans
    for span in current:
        before.append(before[-1] + bisect_right(decided, span.last) - bisect_left(decided, span.first))
    found: list[Line] = []
    for end in tree.tips():
        parts = tree.meet(current, end)
        own = 0
        for span in tree.back(end):
            own += bisect_right(decided, span.last) - bisect_left(decided, max(span.first, parts + 1))
            if span.first <= parts + 1:
                break
        if not own and end != tip:
            continue
        number = bisect_right([span.first for span in current], parts) - 1
        shared = before[number] + bisect_right(decided, parts) - bisect_left(decided, current[number].first)
        outcome, last = _told(tape, end, tree.last_on_line(decided, end), seat)
        found.append(Line(end, parts, shared + own, own, end == tip, outcome, last))
    return found


def _told(tape: Tape, tip: int, head: int | None, seat: str | None) -> tuple[str, str]:
    """Return the result at a tip, and the last action of its line in words."""
    if head is None:
        return "", ""
    rules = tape.ruleset
    state = tape.state_at(tape.tree.before(head, tip))
    last = sentence(tape, state if seat is None else rules.view(state, seat), tape.event(head, seat))
    for _, event in tape.line(tip, head):
        event.apply(state)
    outcome = None if state.pending else rules.outcome(state)
    return (outcome.result if outcome else ""), last
