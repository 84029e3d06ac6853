"""One recorded game as rows of the archive's tables: a pure function of its log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from ...domain.errors import BadLog, UnknownGame
from ...domain.events import (
    ActionTaken,
    Awaiting,
    CardDrawn,
    CardRevealed,
    CounterDrawn,
    CounterRevealed,
    DiceRolled,
    Event,
    GameOpened,
    Head,
    NoteAdded,
    Resalted,
    Rewound,
)
from ...domain.happenings import Happening
from ...domain.secrets import Sealed
from ...replays.codec import public
from ...replays.notes import notes
from ...replays.tape import Tape, blamed
from ...replays.told import actor, plain, sentence
from ...replays.upcasting import Several
from .tables import BY_NAME, TABLES

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by table, in the order of its columns."""

BOT = "bot:"
NOBODY = ""
"""The seat of a looker-on: what is archived of a game with secrets that is not over."""


def project(tape: Tape, game: str = "", source: str = "", item: str = "") -> Rows:
    """Return the rows of a game, under its id or another one; of one that is not over, only what everybody may know.

    A fork is not over while a game it came from is not: it holds that game's secrets. `source` and `item` say where the
    game was found. Raises BadLog for a log that cannot be read.
    """
    known_as, rules, forked = game or tape.shelf.id, tape.ruleset, ancestors_are_over(tape)
    seat = None if not rules.secretive or (forked and tape.shelf.outcome) else NOBODY
    found = _Projection(tape, known_as, seat)
    if rules.secretive and seat != (wanted := None if forked and not found.state.pending else NOBODY):
        found = _Projection(tape, known_as, wanted)  # the shelf was wrong about the log
    found.finish(source, item)
    return found.rows


def ancestors_are_over(tape: Tape) -> bool:
    """Say whether all that a game was forked from is over, as far as it is in the store."""
    for ancestor, _ in tape.shelf.lineage:
        try:
            if not tape.store.shelf(ancestor).outcome:
                return False
        except UnknownGame:  # of a fork that was imported
            continue
    return True


class _Place(NamedTuple):
    """Where a line stands after an event: its rounds, turns and decisions so far, and what was seen on it."""

    round: int = 0
    turn: int = 0
    decisions: int = 0
    seen: int = 0


class _Sort(NamedTuple):
    """What is the same for all events of a class: looked up once."""

    kind: str
    opens: str
    reveals: bool
    head: bool
    own: bool
    """It is the ruleset's: told by it, and with happenings."""


class _Projection:
    """The rows of a game as a seat may know it (None: all of it), and its last state."""

    def __init__(self, tape: Tape, game: str, seat: str | None) -> None:
        self.tape = tape
        self.game = game
        self.rules = tape.ruleset
        self.rows: Rows = {table.name: [] for table in TABLES}
        self.seat = seat
        self.on_line = bytearray(tape.length)
        for span in tape.tree.line(tape.tip):
            self.on_line[span.first : span.last + 1] = b"\1" * (span.last + 1 - span.first)
        self.own = tape.shelf.first
        self.place = _Place()
        self.places: list[_Place] = []
        self.sorts: dict[type[Event], _Sort] = {}
        self.plain: dict[str, str] = {}
        self.current = self.inherited = 0
        self.typed: dict[int, bool] = {}
        self.entered = 0
        self.counted: set[int] = set()
        self.began: datetime | None = None
        self.last: datetime | None = None
        self.changed = tape.shelf.created
        self.noted = False
        self.state = self._events()

    # The game as a whole

    def finish(self, source: str, item: str) -> None:
        """Add what is known of the game at its end."""
        tape, shelf, opening = self.tape, self.tape.shelf, self.tape.opening
        outcome = None
        if not self.state.pending:
            with blamed(tape.tip):
                outcome = self.rules.outcome(self.state if self.seat is None else tape.at().state)
        tip = tape.tree.resolve(tape.tip)
        here = self.places[tip]
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
                self.changed,
                *parent,
                tape.length,
                here.decisions,
                here.round,
                int(outcome is not None),
                outcome.result if outcome else None,
                (outcome.words or outcome.result) if outcome else None,
                outcome.reason if outcome else None,
                seconds,
                tape.seen_as,
                int(self.seat is None),
                shelf.extra.get("imported"),
                source,
                item,
            )
        )
        for name, value in sorted(msgspec.to_builtins(opening.options).items()):
            self.rows["options"].append((self.game, name, _text(value)))
        for seat in self.rules.seats(opening.options):
            won = int(seat.id in outcome.winners) if outcome else None
            self.rows["seats"].append((self.game, seat.id, seat.name, shelf.seats.get(seat.id, "human"), won))
        for name, value in sorted(outcome.figures.items()) if outcome else ():
            self.rows["outcomes"].append((self.game, name, value))
        self.current, self.inherited = self.on_line[tip], int(tip < self.own)
        self._figures(tip, self.state)
        if self.noted:
            self._notes()
        self._names()

    def _figures(self, position: int, state: Any) -> None:
        if position in self.counted:
            return
        self.counted.add(position)
        start = (self.game, position, self.current, self.inherited, self.places[position].round)
        try:
            figures = self.rules.figures(state)
        except Exception:  # of a state that hides something the rules may not be able to count
            return
        self.rows["figures"] += [(*start, name, value) for name, value in figures.items()]

    def _notes(self) -> None:
        for note in notes(self.tape, self.seat):
            tags = ",".join(note.tags)
            self.rows["notes"].append((self.game, note.position, note.at, note.seat, note.person, tags, note.text))

    def _names(self) -> None:
        ids = {row[at] for table, columns in NAMED for row in self.rows[table] for at in columns}
        boards = {row[at].partition(":")[0] for table, at in SPOTS for row in self.rows[table]}
        for id in sorted((ids | boards) - {None, ""}):
            with suppress(Exception):  # an id that a damaged log has, rules may not be able to look up
                if (name := plain(self.rules.called(id))) != id:
                    self.rows["names"].append((self.game, id, name))

    # Its events

    def _read(self) -> Iterator[tuple[int, bytes, Any]]:
        """Yield position, bytes and event, in log order; raises BadLog where one is missing."""
        codec, due = self.tape.codec, 0
        for chunk in self.tape.chunks():
            if self.seat is None:
                events: Sequence[Event] = codec.decode_all(chunk)
            else:
                events = [codec.decode(data, position, self.seat) for position, data in chunk]
            for (position, data), event in zip(chunk, events, strict=True):
                if position != due:
                    raise BadLog("the event is missing from the store", position=due)
                due += 1
                yield position, data, event
        if due != self.tape.length:
            self.tape.store.shelf(self.tape.shelf.id)  # raises UnknownGame for one that was deleted meanwhile
            raise BadLog("the event is missing from the store", position=due)

    def _events(self) -> Any:
        """Add the rows of all events; returns the state after the last one."""
        tape, rules, game, sorts, places = self.tape, self.rules, self.game, self.sorts, self.places
        on_line, own = self.on_line, self.own
        add_event, add_sentence = self.rows["events"].append, self.rows["story"].append
        state: Any = rules.state()
        batch = 0
        for position, data, event in self._read():
            cls = type(event)
            sort = sorts.get(cls) or self._sorted(event)
            current, inherited = self.current, self.inherited = on_line[position], int(position < own)
            seat = person = time = notation = ""
            if sort.head:
                batch, seat, person, time = position, event.seat, self._plain(event.person), event.time
                notation = self._head(position, event, state)
            if sort.own or notation:
                try:
                    text = rules.tell(state, event) or (notation and f"{actor(tape, event)}: {notation}")
                    if text:
                        text = plain(text)
                except Exception:
                    text = sentence(tape, state, event)  # says what is wrong
            else:
                text = "" if cls is Awaiting else sentence(tape, state, event)
            opens = sort.opens
            if cls is Rewound:
                self._rewound(position, event)
            elif cls is Several:
                opens = self._step(event, tape.opens(event), event.reveals)
            elif opens or sort.reveals or cls is ActionTaken:
                self._step(event, opens, sort.reveals)
            place = self.place
            places.append(place)
            public_part = public(data) if b"\n" in data else data
            add_event(
                (
                    game, position, current, inherited, place.round, sort.kind, place.turn, batch, seat, person, time,
                    event.rule, public_part.decode(),
                )
            )  # fmt: skip
            if text:
                add_sentence((None, game, position, current, inherited, place.round, text))
            if cls is Rewound:
                state = tape.state_at(event.to)
                if self.seat is not None:
                    state = rules.view(state, self.seat).copy()
                continue
            if cls is Several:
                for one in event.events:
                    self._tells(position, one, state, True)
                    _apply(position, one, state)
            else:
                if sort.own or cls in CHANCE:
                    self._tells(position, event, state, sort.own)
                try:
                    event.apply(state)
                except Exception as error:
                    raise _misfit(position, error) from error
            if opens == "round":
                self._figures(position, state)
        return state

    def _sorted(self, event: Event) -> _Sort:
        cls = type(event)
        own = cls in self.rules.events
        if cls is Several:
            return _Sort("Several", "", False, False, False)
        found = _Sort(str(cls.__struct_config__.tag), self.tape.opens(event), event.reveals, issubclass(cls, Head), own)
        self.sorts[cls] = found
        return found

    def _plain(self, text: str) -> str:
        """Return a text that comes again and again, on one line."""
        found = self.plain.get(text)
        if found is None:
            found = self.plain[text] = plain(text)
        return found

    def _step(self, event: Event, opens: str, reveals: bool) -> str:
        """Take note of what an event begins and makes known on its line."""
        place = self.place
        self.place = _Place(
            place.round + (opens == "round"),
            place.turn + (opens == "turn"),
            place.decisions + isinstance(event, ActionTaken),
            place.seen + reveals,
        )
        return opens

    def _head(self, position: int, event: Any, state: Any) -> str:
        """Take note of a head, and return the notation of its action, if it may be known."""
        before = self.last
        if (time := _time(event.time)) is not None:
            self.last, self.changed = time, event.time
        self.began = self.began or self.last
        if isinstance(event, ActionTaken):
            seconds = None
            if before is not None and self.last is not None and event.time and not event.person.startswith(BOT):
                seconds = max(0.0, self.last.timestamp() - before.timestamp())
            return self._decision(position, event, state, seconds)
        if isinstance(event, GameOpened | Resalted):
            self.typed[event.at if isinstance(event, Resalted) else 0] = event.chance == "table"
        self.noted = self.noted or isinstance(event, NoteAdded)
        return ""

    def _decision(self, position: int, event: ActionTaken[Any], state: Any, seconds: float | None) -> str:
        question, choices, notation, rules = "", None, "", self.rules
        try:
            decision = rules.decision(state)
            if decision is not None:
                question = self._plain(decision.prompt)
                if self.seat is None:  # how many there are may tell what only the seat knows
                    choices = len(decision.actions)
        except Exception:  # what a looker-on may not know, rules may not be able to work out
            pass
        action = event.action
        if not any(isinstance(getattr(action, name), Sealed) for name in type(action).secret):
            with suppress(Exception):
                notation = plain(rules.notation(state, action))
        self._add(
            "decisions", position, self.place.decisions + 1, event.seat, self._plain(event.person), question, choices,
            type(action).__struct_config__.tag, notation, seconds,
        )  # fmt: skip
        return notation

    def _rewound(self, position: int, event: Any) -> None:
        left = self.place
        self.place = self.places[event.to]
        if event.by != "redo":
            tree = self.tape.tree
            origin = tree.resolve(position - 1)
            shared = tree.meet(tree.line(event.to), origin)  # it may go to a line that was left before
            seen = left.seen - self.places[shared].seen
            self.rows["takebacks"].append(
                (
                    self.game, position, self.inherited, event.by, event.seat, plain(event.person), origin,
                    tree.resolve(event.to), seen, plain(event.reason),
                )
            )  # fmt: skip

    def _add(self, table: str, position: int, *values: Any) -> None:
        self.rows[table].append((self.game, position, self.current, self.inherited, self.place.round, *values))

    # What an event tells

    def _tells(self, position: int, event: Event, state: Any, own: bool) -> None:
        tell = CHANCE.get(type(event))
        if tell is not None:
            self.entered = int(self.typed.get(state.chance.epoch, False))
            tell(self, position, event)
        elif own:
            try:
                happenings = self.rules.happenings(state, event)
            except Exception:  # as with decisions
                return
            numbers: dict[str, int] = {}
            for one in happenings:
                number = numbers[one.kind] = numbers.get(one.kind, 0) + 1
                spot = ""
                if one.to:
                    with suppress(Exception):
                        spot = self.rules.spot(state, one.to)
                self._happening(position, number, one, spot)

    def _happening(self, position: int, number: int, one: Happening, spot: str) -> None:
        who = (number, one.who, one.unit, one.side)
        if one.kind == "move":
            self._add("moves", position, *who, one.origin, one.to, spot, one.by)
        elif one.kind == "fight":
            success = None if one.success is None else int(one.success)
            self._add("fights", position, *who, one.target, one.to, spot, one.by, success)
        elif one.kind == "loss":
            self._add("losses", position, *who, one.to, spot, one.by, one.amount, int(one.final))
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


def _at(table: str, *columns: str) -> tuple[str, tuple[int, ...]]:
    return table, tuple(BY_NAME[table].names.index(column) for column in columns)


NAMED = (
    _at("moves", "unit", "cause"), _at("fights", "unit", "target", "cause"), _at("losses", "unit", "cause"),
    _at("uses", "unit", "item"), _at("draws", "item"),
)  # fmt: skip
"""The tables and columns that have ids with names."""
SPOTS = tuple((table, BY_NAME[table].names.index("spot")) for table in ("moves", "fights", "losses"))

CHANCE: Mapping[type[Event], Callable[[_Projection, int, Any], None]] = {
    DiceRolled: _Projection._roll,
    CardDrawn: _Projection._card,
    CardRevealed: _Projection._card,
    CounterDrawn: _Projection._counter,
    CounterRevealed: _Projection._counter,
}


def _apply(position: int, event: Event, state: Any) -> None:
    try:
        event.apply(state)
    except Exception as error:
        raise _misfit(position, error) from error


def _misfit(position: int, error: Exception) -> BadLog:
    return BadLog(f"the event does not fit the position before it ({type(error).__name__}: {error})", position=position)


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
