"""States and events of a line for going back and forth: what lies a step away costs a step, in either direction."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from ..domain.errors import BadLog
from ..domain.events import Event
from .course import Course
from .tape import Tape

WINDOW = 128
"""The events that are read at once."""

STRIDE = 16
"""The events between two states that are kept to fold from."""

KEPT = 64
"""The windows and states of each kind that are kept."""

T = TypeVar("T")


class Windows:
    """The events and the owner's states of one line by their place in it, kept while they are near."""

    def __init__(self, tape: Tape, course: Course) -> None:
        self.tape = tape
        self.course = course
        self._events: OrderedDict[int, list[Event]] = OrderedDict()
        self._marks: OrderedDict[int, Any] = OrderedDict()
        self._states: OrderedDict[int, Any] = OrderedDict()

    def event(self, index: int) -> Event:
        """Return the event at a place of the line, as the owner knows it."""
        number = index // WINDOW
        return _kept(self._events, number, lambda: self._read(number))[index - number * WINDOW]

    def _read(self, number: int) -> list[Event]:
        first, last = number * WINDOW, min(len(self.course), (number + 1) * WINDOW) - 1
        return [event for _, event in self.tape.line(self.course[last], self.course[first])]

    def state(self, index: int) -> Any:
        """Return the owner's state at a place of the line; to read, not to change."""
        return _kept(self._states, index, lambda: self._fold(index))

    def _fold(self, index: int) -> Any:
        start = index - index % STRIDE
        mark = _kept(self._marks, start, lambda: self.tape.state_at(self.course[start]))
        state = mark.copy()
        for place in range(start + 1, index + 1):
            event = self.event(place)
            try:
                event.apply(state)
            except Exception as error:
                raise BadLog(
                    f"the event does not fit the position before it ({type(error).__name__}: {error})",
                    position=self.course[place],
                ) from error
        return state


def _kept(kept: OrderedDict[int, T], key: int, make: Callable[[], T]) -> T:
    """Return what is kept under a key, made now if it is not; what was not wanted for longest is dropped."""
    if key not in kept:
        kept[key] = make()
        if len(kept) > KEPT:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]
