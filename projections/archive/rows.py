"""One recorded game as rows of the archive's tables: a pure function of its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec

from ...domain.events import (
    ActionTaken,
    CardDrawn,
    CardRevealed,
    CounterDrawn,
    CounterRevealed,
    DiceRolled,
    Event,
    GameOpened,
    Head,
    Resalted,
    Rewound,
)
from ...domain.happenings import Happening
from ...domain.secrets import Sealed
from ...replays.codec import kind, public
from ...replays.notes import notes
from ...replays.tape import Tape
from ...replays.told import plain, sentence
from ...replays.upcasting import Several
from .tables import TABLES

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by table, in the order of its columns."""

BOT = "bot:"
NOBODY = ""
"""The seat of a looker-on: what is archived of a game with secrets that is not over."""


def project(tape: Tape, game: str = "") -> Rows:
    """Return the rows of a game, under its id or another one; of one that is not over, only what everybody may know.

    Raises BadLog for a log that cannot be read.
    """
    return _Projection(tape, game or tape.shelf.id).rows


class _Place(msgspec.Struct, frozen=True):
    """Where a line stands after an event: its rounds, turns and decisions so far, and what was seen on it."""

    round: int = 0
    turn: int = 0
    decisions: int = 0
    seen: int = 0


class _Projection:
    def __init__(self, tape: Tape, game: str) -> None:
        self.tape = tape
        self.game = game
        self.rules = tape.ruleset
        self.rows: Rows = {table.name: [] for table in TABLES}
        self.finished = not tape.at().state.pending
        self.seat = None if self.finished or not self.rules.secretive else NOBODY
        self.on_line = bytearray(tape.length)
        for span in tape.tree.line(tape.tip):
            self.on_line[span.first : span.last + 1] = b"\1" * (span.last + 1 - span.first)
        self.own = tape.shelf.first
        self.place = _Place()
        self.places: list[_Place] = []
        self.current = self.inherited = 0
        self.typed: dict[int, bool] = {}
        self.entered = 0
        self.counted: set[int] = set()
        self.batch = 0
        self.began: datetime | None = None
        self.last: datetime | None = None
        self._events()
        self._notes()
        self._game()

    # The game as a whole

    def _game(self) -> None:
        tape, shelf, opening = self.tape, self.tape.shelf, self.tape.opening
        outcome = tape.at().outcome
        here = self.places[tape.tree.resolve(tape.tip)] if self.places else _Place()
        parent = shelf.lineage[-1] if shelf.lineage else (None, None)
        seconds = (self.last - self.began).total_seconds() if self.began and self.last else None
        self.rows["games"].append(
            (
                self.game,
                shelf.name,
                shelf.ruleset,
                shelf.ruleset_version,
                shelf.content,
                opening.chance,
                shelf.extra.get("undo", opening.undo),
                shelf.created,
                shelf.changed,
                *parent,
                tape.length,
                here.decisions,
                here.round,
                int(outcome is not None),
                outcome.result if outcome else None,
                (outcome.words or outcome.result) if outcome else None,
                outcome.reason if outcome else None,
                seconds,
            )
        )
        for name, value in sorted(msgspec.to_builtins(opening.options).items()):
            self.rows["options"].append((self.game, name, _text(value)))
        for seat in self.rules.seats(opening.options):
            won = int(seat.id in outcome.winners) if outcome else None
            self.rows["seats"].append((self.game, seat.id, seat.name, shelf.seats.get(seat.id, "human"), won))
        for name, value in sorted(outcome.figures.items()) if outcome else ():
            self.rows["outcomes"].append((self.game, name, value))
        if self.places:
            self._figures(tape.tree.resolve(tape.tip), tape.at().state)

    def _figures(self, position: int, state: Any) -> None:
        if position in self.counted:
            return
        self.counted.add(position)
        start = (self.game, position, self.on_line[position], int(position < self.own), self.places[position].round)
        with suppress(Exception):  # of a state that hides something the rules may not be able to count
            self.rows["figures"] += [(*start, name, value) for name, value in self.rules.figures(state).items()]

    def _notes(self) -> None:
        for note in notes(self.tape, self.seat):
            tags = ",".join(note.tags)
            self.rows["notes"].append((self.game, note.position, note.at, note.seat, note.person, tags, note.text))

    # Its events

    def _events(self) -> None:
        tape, decode = self.tape, self.tape.codec.decode
        state: Any = self.rules.state()
        for row in tape.rows(0):
            position = row.position
            event = decode(row.data, position, self.seat)
            self.inherited = int(position < self.own)
            self.current = self.on_line[position]
            if isinstance(event, Head):
                self._head(position, event, state)
            text = sentence(tape, state, event)
            if isinstance(event, Rewound):
                self._rewound(position, event)
                self._event(position, event, row.data, text)
                state = tape.state_at(event.to)
                if self.seat is not None:
                    state = self.rules.view(state, self.seat).copy()
                continue
            self._count(event)
            self._event(position, event, row.data, text)
            for one in event.events if isinstance(event, Several) else (event,):
                if type(one) in CHANCE:
                    self.entered = int(self.typed.get(state.chance.epoch, False))
                self._tells(position, one, state)
                one.apply(state)
            if tape.opens(event) == "round":
                self._figures(position, state)

    def _head(self, position: int, event: Head, state: Any) -> None:
        before, self.last = self.last, _time(event.time) or self.last
        self.began = self.began or self.last
        self.batch = position
        if isinstance(event, GameOpened | Resalted):
            self.typed[event.at if isinstance(event, Resalted) else 0] = event.chance == "table"
        if isinstance(event, ActionTaken):
            seconds = None
            if before is not None and event.time and not event.person.startswith(BOT):
                seconds = max(0.0, (_time(event.time) or before).timestamp() - before.timestamp())
            self._decision(position, event, state, seconds)

    def _decision(self, position: int, event: ActionTaken[Any], state: Any, seconds: float | None) -> None:
        question, choices = "", None
        with suppress(Exception):  # what a looker-on may not know, rules may not be able to work out
            decision = self.rules.decision(state)
            if decision is not None:
                question, choices = decision.prompt, len(decision.actions)
        notation = ""
        with suppress(Exception):
            notation = plain(self.rules.notation(state, event.action))
        self._add(
            "decisions",
            position,
            self.place.decisions + 1,
            event.seat,
            plain(event.person),
            plain(question),
            choices,
            type(event.action).__struct_config__.tag,
            notation,
            seconds,
        )

    def _count(self, event: Event) -> None:
        """Take note of what an event begins and makes known on its line."""
        opens, place = self.tape.opens(event), self.place
        self.place = _Place(
            place.round + (opens == "round"),
            place.turn + (opens == "turn"),
            place.decisions + isinstance(event, ActionTaken),
            place.seen + event.reveals,
        )

    def _rewound(self, position: int, event: Rewound) -> None:
        left = self.place
        self.place = self.places[event.to]
        if event.by != "redo":
            seen = max(0, left.seen - self.place.seen)
            origin = self.tape.tree.resolve(position - 1)
            self.rows["takebacks"].append(
                (
                    self.game, position, self.inherited, event.by, event.seat, plain(event.person), origin,
                    self.tape.tree.resolve(event.to), seen, plain(event.reason),
                )
            )  # fmt: skip

    def _event(self, position: int, event: Event, data: bytes, text: str) -> None:
        self.places.append(self.place)
        head = event if isinstance(event, Head) else None
        seat, person, time = (head.seat, plain(head.person), head.time) if head is not None else ("", "", "")
        self._add(
            "events", position, kind(event), self.place.turn, self.batch, seat, person, time, event.rule,
            public(data).decode(),
        )  # fmt: skip
        if text:
            self._add("story", position, text)

    def _add(self, table: str, position: int, *values: Any) -> None:
        self.rows[table].append((self.game, position, self.current, self.inherited, self.place.round, *values))

    # What an event tells

    def _tells(self, position: int, event: Event, state: Any) -> None:
        tell = CHANCE.get(type(event))
        if tell is not None:
            tell(self, position, event)
        elif not isinstance(event, Head):
            happenings: Iterable[Happening] = ()
            with suppress(Exception):
                happenings = self.rules.happenings(state, event)
            numbers: dict[str, int] = {}
            for one in happenings:
                numbers[one.kind] = numbers.get(one.kind, 0) + 1
                self._happening(position, numbers[one.kind], one)

    def _happening(self, position: int, number: int, one: Happening) -> None:
        who = (number, one.who, one.unit, one.side)
        if one.kind == "move":
            self._add("moves", position, *who, one.origin, one.to, one.by)
        elif one.kind == "fight":
            success = None if one.success is None else int(one.success)
            self._add("fights", position, *who, one.target, one.to, one.by, success)
        elif one.kind == "loss":
            self._add("losses", position, *who, one.to, one.by, one.amount, int(one.final))
        else:
            self._add("uses", position, *who, one.by, one.to)

    def _roll(self, position: int, event: DiceRolled) -> None:
        known = event.values if isinstance(event.values, tuple) else ()
        self._add(
            "rolls", position, event.stream, event.sides, event.count, sum(known) if known else None,
            max(known) if known else None, event.purpose, event.subject, self.entered,
        )  # fmt: skip
        for number, value in enumerate(known, 1):
            self._add("dice", position, number, value, event.sides, event.purpose, self.entered)

    def _card(self, position: int, event: CardDrawn) -> None:
        self._draw(position, "card", event.deck.partition("/")[0], event)

    def _counter(self, position: int, event: CounterDrawn) -> None:
        self._draw(position, "counter", event.bag, event)

    def _draw(self, position: int, sort: str, source: str, event: CardDrawn | CounterDrawn) -> None:
        item = None if isinstance(event.item, Sealed) else event.item
        first = int(not isinstance(event, CardRevealed | CounterRevealed))
        self._add("draws", position, sort, source, item, first, event.purpose, event.subject, self.entered)


CHANCE: Mapping[type[Event], Callable[[_Projection, int, Any], None]] = {
    DiceRolled: _Projection._roll,
    CardDrawn: _Projection._card,
    CardRevealed: _Projection._card,
    CounterDrawn: _Projection._counter,
    CounterRevealed: _Projection._counter,
}


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
