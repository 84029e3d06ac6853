"""What was recorded under an idempotency key: found again, so that a retry gets the first answer."""

from __future__ import annotations

from ..domain.events import ActionTaken, Event, KeyRevealed, Resalted, Rewound, UndoAnswered, VersionChanged
from .takeback import BOT
from .tape import Tape

REROLLED = "a re-roll was asked for"
"""The reason of a new secret that belongs to the take-back before it."""


def answered(tape: Tape, start: int) -> tuple[Event, ...]:
    """Return the events of a line of actions from the position of its first head, and of the answers to it."""
    end, taken = start, False
    while end < tape.length:
        head = tape.event(end)
        if isinstance(head, ActionTaken):
            if taken and not head.joined and not head.person.startswith(BOT):
                break
            taken = True
        elif not (isinstance(head, KeyRevealed) if taken else isinstance(head, Resalted | VersionChanged)):
            break
        end = tape.batch_end(end) + 1
    return tuple(event for _, event in tape.events(start, end))


def settled(tape: Tape, start: int) -> tuple[Event, ...]:
    """Return the events of a change that is no action, from the position of its head: its batch and what belongs to it."""
    end, before = start, None
    while end < tape.length:
        head = tape.event(end)
        if before is not None and not _belongs(before, head):
            break
        before = head
        end = tape.batch_end(end) + 1
    return tuple(event for _, event in tape.events(start, end))


def _belongs(before: Event, head: Event) -> bool:
    if isinstance(before, UndoAnswered):
        return before.granted and isinstance(head, Rewound)
    if isinstance(before, Rewound):
        return isinstance(head, KeyRevealed) or (isinstance(head, Resalted) and head.reason == REROLLED)
    return isinstance(before, KeyRevealed) and isinstance(head, KeyRevealed)
