"""A log in words: each event with its sentence, as the owner or one seat knows it, and whether it is on the current line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec

from ..domain.chance import OUTCOMES
from ..domain.errors import WarptapeError
from ..domain.events import (
    ActionTaken,
    Awaiting,
    Event,
    GameOpened,
    Redrawn,
    Resalted,
    Rewound,
    UndoAnswered,
    UndoAsked,
)
from ..domain.secrets import Sealed
from .codec import kind
from .takeback import BOTS
from .tape import Tape, blamed
from .upcasting import Several

OF_A_SEAT = (UndoAsked, UndoAnswered, Redrawn)


class Told(msgspec.Struct, frozen=True):
    """One event of a log: its position, kind and sentence (may be empty); `on_line` unless a take-back left it behind.

    `entered` marks what a die or a draw gave where somebody typed it.
    """

    position: int
    event: Event
    text: str
    on_line: bool = True
    entered: bool = False

    @property
    def kind(self) -> str:
        """The event's name in the log."""
        return kind(self.event)


def tell_log(tape: Tape, start: int = 0, stop: int | None = None, seat: str | None = None) -> Iterator[Told]:
    """Yield the events at positions `start` to `stop` - 1 in log order, abandoned lines included.

    `seat` hides what that seat may not know; None stands for the owner of the log.
    """
    spans = tape.tree.line(tape.tip)
    state, hand = _state(tape, start - 1, seat), _Hand(tape)
    for position, event in tape.events(start, stop, seat):
        on_line = isinstance(event, Rewound) or any(span.first <= position <= span.last for span in spans)
        yield Told(position, event, sentence(tape, state, event), on_line, hand.entered(state, event))
        if isinstance(event, Rewound):
            state = _state(tape, event.to, seat)
        else:
            with blamed(position):
                event.apply(state)


def tell_line(tape: Tape, tip: int, start: int = 0, seat: str | None = None) -> Iterator[Told]:
    """Yield the events of the line that ends at `tip`, from position `start` on, as the owner or one seat knows them."""
    state: Any = None
    hand = _Hand(tape)
    for position, event in tape.line(tip, start, seat):
        if state is None:
            state = _state(tape, tape.tree.before(position, tip), seat)
        yield Told(position, event, sentence(tape, state, event), entered=hand.entered(state, event))
        with blamed(position):
            event.apply(state)


class _Hand:
    """Knows which outcomes of a game somebody entered."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.epochs: dict[int, bool] = {}

    def entered(self, state: Any, event: Event) -> bool:
        """Say whether an event holds what was entered, given the state just before it."""
        if type(event) not in OUTCOMES:
            return False
        epoch = state.chance.epoch
        if epoch not in self.epochs:
            began = self.tape.event(epoch)
            self.epochs[epoch] = isinstance(began, GameOpened | Resalted) and began.chance == "table"
        return self.epochs[epoch]


def plain(text: str) -> str:
    """Return a text on one line, without control characters, bidirectional marks or line breaks."""
    if text.isprintable() and "  " not in text:  # of what is taken out below, nothing is printable
        return text.strip()
    kept = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    return " ".join("".join(c for c in kept if unicodedata.category(c) not in {"Cf", "Cs"} or c == "\u200d").split())


def sentence(tape: Tape, state: Any, event: Event) -> str:
    """Return an event as one sentence, given the state just before it; empty where a story would leave it out.

    A log comes from anywhere: what people wrote in it is made `plain`, or a terminal would obey it.
    """
    try:
        return plain(_sentence(tape, state, event))
    except Exception as error:  # a log that the rules fail on must be read to see why
        return f"{kind(event)}, which the rules cannot tell ({type(error).__name__})."


def _sentence(tape: Tape, state: Any, event: Event) -> str:
    if isinstance(event, GameOpened):
        entered = " What dice and cards give is entered by hand." if event.chance == "table" else ""
        return f"{tape.ruleset.title} is opened.{entered}"
    if isinstance(event, Awaiting):
        return ""
    if isinstance(event, Several):
        told, state = [], state.copy()
        for one in event.events:
            told.append(_sentence(tape, state, one))
            one.apply(state)
        return " ".join(filter(None, told))
    if isinstance(event, OF_A_SEAT):
        return _of_a_seat(tape, event)
    text = tape.ruleset.tell(state, event)
    if text or not isinstance(event, ActionTaken):
        return text
    return f"{actor(tape, event)}: {_notation(tape, state, event.action)}"


def actor(tape: Tape, head: ActionTaken[Any], name: str = "") -> str:
    """Return who took an action: the seat, by its id or a name given, and who of the people that share it.

    Where a game has but one seat, the person is enough.
    """
    name = name or head.seat
    who = plain(head.person)
    if not who or head.seat not in tape.people or who.startswith(BOTS):
        return name
    return who if len(tape.ruleset.seats(tape.options)) == 1 else f"{who} ({amid(name)})"


def _of_a_seat(tape: Tape, event: UndoAsked | UndoAnswered | Redrawn) -> str:
    """Return what a seat says or knows, by its name: in words that fit one seat and several alike."""
    names = {seat.id: seat.name for seat in tape.ruleset.seats(tape.options)}
    who = names.get(event.seat, event.seat)
    if isinstance(event, UndoAnswered):
        return f"{'Agreed to' if event.granted else 'Refused'} by {amid(who)}."
    if isinstance(event, Redrawn):
        return f"What {amid(who)} did not know is drawn anew."
    number = tape.state_at(event.to).decisions
    since = f"decision {number}" if number else "the opening"
    return f"{who} would like to take back all after {since} (@{event.to})."


def amid(name: str) -> str:
    """Return a seat's name as it stands in the middle of a sentence: `the squad`."""
    return "the " + name[4:] if name.startswith("The ") else name


def _notation(tape: Tape, state: Any, action: Any) -> str:
    if any(isinstance(getattr(action, name), Sealed) for name in action.__struct_fields__):
        return "acts in secret"
    try:
        return tape.ruleset.notation(state, action)
    except WarptapeError:
        return type(action).__name__


def _state(tape: Tape, position: int, seat: str | None) -> Any:
    if position < 0:
        return tape.ruleset.state()
    state = tape.state_at(position)
    return state if seat is None else tape.ruleset.view(state, seat).copy()
