"""What an event tells, as rows: what chance gave, and what happened on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ...domain.events import CardDrawn, CardRevealed, CounterDrawn, CounterRevealed, DiceRolled, Event
from ...domain.happenings import Happening
from ...domain.rules import Ruleset
from ...domain.secrets import Sealed

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by table, in the order of its columns."""

Start = tuple[str, int, int, int, int, int, int]
"""What the row of an event begins with: game, position, current, inherited, round, level, round within the level."""


class Telling:
    """Adds what a game's events tell to its rows. `typed` says from which epoch of chance on people enter results."""

    def __init__(self, rules: Ruleset, rows: Rows) -> None:
        self.rules = rules
        self.add = {name: own.append for name, own in rows.items()}
        self.typed: dict[int, bool] = {}
        self.entered = 0

    def several(self, start: Start, event: Event, state: Any) -> None:
        """Add what one of several events tells that were one event of an older form."""
        tell = CHANCE.get(type(event))
        if tell is not None:
            self.entered = int(self.typed.get(state.chance.epoch, False))
            tell(self, start, event)
            return
        with suppress(Exception):  # what a looker-on may not know, rules may not be able to work out
            self.happened(start, self.rules.happenings(state, event), state)

    def happened(self, start: Start, happenings: Sequence[Happening], state: Any) -> None:
        """Add what happened on the board by an event."""
        add, numbers = self.add, {"move": 0, "fight": 0, "loss": 0, "use": 0}
        for one in happenings:
            kind, to = one.kind, one.to
            number = numbers[kind] = numbers[kind] + 1
            if kind == "use":
                add["uses"]((*start, number, one.who, one.unit, one.side, one.by, to))
                continue
            spot = ""
            if to:
                try:
                    spot = self.rules.spot(state, to)
                except Exception:  # nor where that is on a board that is not known
                    spot = ""
            if kind == "move":
                add["moves"]((*start, number, one.who, one.unit, one.side, one.origin, to, spot, one.by))
            elif kind == "fight":
                success = None if one.success is None else int(one.success)
                add["fights"]((*start, number, one.who, one.unit, one.side, one.target, to, spot, one.by, success))
            else:
                add["losses"](
                    (*start, number, one.who, one.unit, one.side, to, spot, one.by, one.amount, int(one.final))
                )

    def roll(self, start: Start, event: DiceRolled) -> None:
        """Add a roll and its dice."""
        known = event.values if isinstance(event.values, tuple) else ()
        total, best = (sum(known), max(known)) if known else (None, None)
        sides, purpose, entered = event.sides, event.purpose, self.entered
        self.add["rolls"]((*start, event.stream, sides, event.count, total, best, purpose, event.subject, entered))
        add = self.add["dice"]
        for number, value in enumerate(known, 1):
            add((*start, number, value, sides, purpose, entered))

    def card(self, start: Start, event: CardDrawn) -> None:
        """Add a card that was drawn or shown."""
        self._draw(start, "card", event.deck.partition("/")[0], event)

    def counter(self, start: Start, event: CounterDrawn) -> None:
        """Add a counter that was drawn or shown."""
        self._draw(start, "counter", event.bag, event)

    def _draw(self, start: Start, sort: str, source: str, event: CardDrawn | CounterDrawn) -> None:
        item = None if isinstance(event.item, Sealed) else event.item
        first = int(not isinstance(event, CardRevealed | CounterRevealed))
        self.add["draws"]((*start, sort, source, item, first, event.purpose, event.subject, self.entered))


CHANCE: Mapping[type[Event], Callable[[Telling, Start, Any], None]] = {
    DiceRolled: Telling.roll,
    CardDrawn: Telling.card,
    CardRevealed: Telling.card,
    CounterDrawn: Telling.counter,
    CounterRevealed: Telling.counter,
}
"""What tells of each kind of event of chance."""
