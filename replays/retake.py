"""Takes the decisions of a recorded line once more by the rules of today, with the chance that was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from ..domain.chance import Luck
from ..domain.errors import BadNotation, IllegalAction
from ..domain.events import ActionTaken, Event, GameOpened, Head
from ..domain.referee import Referee
from ..domain.rules import Ruleset
from .failing import crash, refused
from .kept import Kept
from .reported import Failure
from .tape import Tape

SPARE = "warptape reproduce"
"""The luck that gives what the rules of today ask for and nobody recorded."""

_encode = msgspec.json.Encoder().encode


class Batch(NamedTuple):
    """The events of one batch, the head first, and the position of that head."""

    first: int
    events: list[Event]

    @property
    def acts(self) -> bool:
        """Whether the rules gave what follows the head."""
        return isinstance(self.events[0], ActionTaken | GameOpened)


class Parting(NamedTuple):
    """Where today's rules part from a batch: the place in it of the first event that differs, and what each side has.

    `due` is the batch that today's rules give; empty where they refuse the action or fail, as `failure` says then.
    """

    place: int
    recorded: str
    found: str
    due: tuple[Event, ...] = ()
    failure: Failure | None = None


def batches(tape: Tape, tip: int) -> Iterator[Batch]:
    """Yield the batches of the line that ends at `tip`."""
    batch: Batch | None = None
    for position, event in tape.line(tip):
        if isinstance(event, Head):
            if batch is not None:
                yield batch
            batch = Batch(position, [])
        if batch is not None:
            batch.events.append(event)
    if batch is not None:
        yield batch


class Retake:
    """A referee of today that takes what a log took; `restore` gives back the state before the batch at hand.

    What stands before `whole_from` is only what one seat knew, and is taken as it stands: no rules could decide it.
    """

    def __init__(self, rules: Ruleset, restore: Callable[[], Any], whole_from: int = 0) -> None:
        self.rules = rules
        self.whole_from = whole_from
        self.referee = Referee(rules, rules.state(), Kept(), restore)

    def follow(self, batch: Batch) -> Parting | None:
        """Take a batch and return where today's rules part from it, None where they give the same.

        After a parting the referee stands where today's rules lead, or before the batch if they lead nowhere.
        """
        head, referee = batch.events[0], self.referee
        if batch.first < self.whole_from:
            for event in batch.events:
                event.apply(referee.state)
            return None
        referee.chance = Kept(batch.events, Luck(SPARE, f"@{batch.first}"))
        try:
            if not batch.acts:
                head.apply(referee.state)
                referee.reset(referee.state)
                return None
            if isinstance(head, GameOpened):
                due = referee.open(head)
            else:
                assert isinstance(head, ActionTaken)
                due = referee.take(head.seat, head.action)
        except Exception as error:
            known = refused(error) if isinstance(error, IllegalAction | BadNotation) else crash(error)
            return Parting(0, short(head), known.text(), (), known)
        return _compared(batch, due)


def _compared(batch: Batch, due: list[Event]) -> Parting | None:
    for place, recorded in enumerate(batch.events[1:], 1):
        if place >= len(due):
            return Parting(place, short(recorded), "nothing more", tuple(due))
        if due[place] != recorded and _encode(due[place]) != _encode(recorded):
            return Parting(place, short(recorded), short(due[place]), tuple(due))
    if len(due) > len(batch.events):
        return Parting(len(batch.events), "nothing more", short(due[len(batch.events)]), tuple(due))
    return None


def short(event: Event) -> str:
    """Return an event as the text that stands in a log, cut where it is long."""
    text = _encode(event).decode()
    return text if len(text) <= 160 else f"{text[:157]}..."
