"""The lines of a game: each way it was played, where it parts from the one it is on now, and how it ended."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import msgspec

from ..domain.events import Rewound
from .tape import Tape
from .timeline import Span
from .told import plain, sentence


class Line(msgspec.Struct, frozen=True):
    """One line of a game.

    `tip` is its last position, `parts` the last one it shares with the current line (of that line itself: `tip`),
    `decisions` how many were taken on it from the opening, `own` how many of them after it parts. `outcome` is its
    result, empty while it is open, `last` its last action in words, empty when there is none. `left` says how it was
    left (`undo`, `redo` or `rewind`; empty for a line that nobody has left), `left_at` by which event, `left_by` the
    seat that did it, `person` who, and `reason` what was said of it.
    """

    tip: int
    parts: int
    decisions: int
    own: int
    current: bool
    outcome: str
    last: str
    left: str = ""
    left_at: int | None = None
    left_by: str = ""
    person: str = ""
    reason: str = ""


class Way(msgspec.Struct, frozen=True):
    """A line in the tree of lines: how deep it hangs there, and the last position it shares with what it hangs on.

    `parent` is the tip of the line that it hangs on, None for the one at the top; `own` counts the decisions after `parts`,
    of the one at the top all.
    """

    line: Line
    depth: int
    parts: int
    parent: int | None = None
    own: int = 0


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
    leaving = departures(tape)
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
        line = Line(end, parts, shared + own, own, end == tip, outcome, last)
        at, rewound = leaving.get(end, (None, None))
        if rewound is not None and end != tip:
            line = msgspec.structs.replace(
                line,
                left=rewound.by,
                left_at=at,
                left_by=rewound.seat,
                person=plain(rewound.person),
                reason=plain(rewound.reason),
            )
        found.append(line)
    return found


def trunk(tape: Tape, seat: str | None = None) -> Way:
    """Return the line that the game is on as `ways` has it, by itself: at a cost that does not grow with the game."""
    tip = tape.tip
    head = next(tape.newest_on_line({"ActionTaken"}, tip), None)
    outcome, last = _told(tape, tip, None if head is None else head.position, seat)
    decisions = tape.state_at(tip).decisions
    return Way(Line(tip, tip, decisions, 0, True, outcome, last), 0, tip, None, decisions)


def departures(tape: Tape) -> dict[int, tuple[int, Rewound]]:
    """Return by the end of each line that was left the first event that left it, with its position."""
    found: dict[int, tuple[int, Rewound]] = {}
    for row in tape.kinds({"Rewound"}):
        event = tape.codec.decode(row.data, row.position)
        assert isinstance(event, Rewound)
        found.setdefault(tape.tree.resolve(row.position - 1), (row.position, event))
    return found


def ways(tape: Tape, seat: str | None = None) -> list[Way]:
    """Return the lines of a game as a tree, each below the one it parts from last; the game's own line first."""
    tree = tape.tree
    ordered = sorted(lines(tape, seat), key=lambda line: (not line.current, line.tip))
    spans = {line.tip: tree.line(line.tip) for line in ordered}
    below: dict[int | None, list[tuple[Line, int]]] = {None: [(line, line.tip) for line in ordered[:1]]}
    for number, line in enumerate(ordered[1:], 1):
        parts, parent = max(
            ((tree.meet(spans[other.tip], line.tip), other.tip) for other in ordered[:number]), key=lambda it: it[0]
        )
        below.setdefault(parent, []).append((line, parts))
    decided = tape.positions({"ActionTaken"})
    found: list[Way] = []
    stack: list[tuple[Line, int, int, int | None]] = [(line, parts, 0, None) for line, parts in below[None]]
    while stack:
        line, parts, depth, parent_tip = stack.pop()
        own = line.decisions if parent_tip is None else _after(decided, spans[line.tip], parts)
        found.append(Way(line, depth, parts, parent_tip, own))
        branches = sorted(below.get(line.tip, ()), key=lambda it: (it[1], it[0].tip), reverse=True)
        stack += [(branch, at, depth + 1, line.tip) for branch, at in branches]
    return found


def _after(decided: list[int], spans: list[Span], parts: int) -> int:
    return sum(
        bisect_right(decided, span.last) - bisect_left(decided, max(span.first, parts + 1))
        for span in spans
        if span.last > parts
    )


def _told(tape: Tape, tip: int, head: int | None, seat: str | None) -> tuple[str, str]:
    """Return the result at a tip, and the last action of its line in words."""
    if head is None:
        return "", ""
    rules = tape.ruleset
    state = tape.state_at(tape.tree.before(head, tip))
    last = sentence(tape, state if seat is None else rules.view(state, seat), tape.event(head, seat))
    for _, event in tape.line(tip, head):
        event.apply(state)
    try:
        outcome = None if state.pending else rules.outcome(state)
    except Exception:  # rules may look at what is not in the log of one seat
        outcome = None
    return (outcome.result if outcome else ""), last
