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
from ...replays.takeback import BOTS
from ...replays.tape import Tape, blamed
from ...replays.told import actor, plain, sentence
from ...replays.upcasting import Several
from .tables import BY_NAME, TABLES

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by table, in the order of its columns."""

Start = tuple[str, int, int, int, int]
"""What the row of an event begins with: game, position, current, inherited, round."""
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
    steps: bool
    """It opens a part, makes something known, or is a decision."""
    reveals: bool
    head: bool
    own: bool
    """It is the ruleset's: told by it, and with happenings."""
    chance: Callable[[_Projection, Start, Any], None] | None
    """What tells what chance gave by it."""


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
        self.actors: dict[tuple[str, str], str] = {}
        self.acts: dict[type, tuple[str, tuple[str, ...]]] = {}
        self.add = {name: rows.append for name, rows in self.rows.items()}
        self.typed: dict[int, bool] = {}
        self.entered = self.batch = 0
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
        self._figures((self.game, tip, self.on_line[tip], int(tip < self.own), here.round), self.state)
        if self.noted:
            self._notes()
        self._names()

    def _figures(self, start: Start, state: Any) -> None:
        if start[1] in self.counted:
            return
        self.counted.add(start[1])
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

    def _read(self) -> Iterator[tuple[Sequence[tuple[int, bytes]], Sequence[Any]]]:
        """Yield the log in order, some (position, bytes) with their events at a time; raises BadLog where one is missing."""
        codec, due = self.tape.codec, 0
        for chunk in self.tape.chunks():
            if self.seat is None:
                events: Sequence[Event] = codec.decode_all(chunk)
            else:
                events = [codec.decode(data, position, self.seat) for position, data in chunk]
            for position, _ in chunk:
                if position != due:
                    raise BadLog("the event is missing from the store", position=due)
                due += 1
            yield chunk, events
        if due != self.tape.length:
            self.tape.store.shelf(self.tape.shelf.id)  # raises UnknownGame for one that was deleted meanwhile
            raise BadLog("the event is missing from the store", position=due)

    def _events(self) -> Any:
        """Add the rows of all events; returns the state after the last one."""
        state: Any = self.rules.state()
        for chunk, events in self._read():
            state = self._some(chunk, events, state)
        return state

    def _some(self, chunk: Sequence[tuple[int, bytes]], events: Sequence[Any], state: Any) -> Any:
        """Add the rows of some events, given the state before them; returns the state after them."""
        tape, rules, game, sorts = self.tape, self.rules, self.game, self.sorts
        on_line, own, batch, place = self.on_line, self.own, self.batch, self.place
        tell, happenings, add_place = rules.tell, rules.happenings, self.places.append
        add_event, add_sentence = self.add["events"], self.add["story"]
        for (position, data), event in zip(chunk, events, strict=True):
            cls = type(event)
            kind, opens, steps, reveals, head, told, chance = sorts.get(cls) or self._sorted(event)
            current, inherited = on_line[position], 1 if position < own else 0
            if head:
                batch, seat, person, time = position, event.seat, self._plain(event.person), event.time
                start = (game, position, current, inherited, place.round)
                notation = self._head(start, event, state)
            else:
                seat = person = time = notation = ""
            if told or notation:
                try:
                    text = tell(state, event) or (notation and f"{self._actor(event)}: {notation}")
                    if text:
                        text = plain(text)
                except Exception:
                    text = sentence(tape, state, event)  # says what is wrong
            else:
                text = "" if cls is Awaiting else sentence(tape, state, event)
            if steps:
                place = self.place = _Place(
                    place.round + (opens == "round"),
                    place.turn + (opens == "turn"),
                    place.decisions + (cls is ActionTaken),
                    place.seen + reveals,
                )
            elif cls is Rewound:
                place = self._rewound(position, inherited, event)
            add_place(place)
            round, turn, _, _ = place
            start = (game, position, current, inherited, round)
            shown = public(data) if b"\n" in data else data
            add_event(
                (
                    game, position, current, inherited, round, kind, turn, batch, seat, person, time, event.rule,
                    shown.decode(),
                )
            )  # fmt: skip
            if text:
                add_sentence((None, game, position, current, inherited, round, text))
            if told:
                try:
                    found = happenings(state, event)
                except Exception:  # what a looker-on may not know, rules may not be able to work out
                    found = ()
                if found:
                    self._happened(start, found, state)
            elif chance is not None:
                self.entered = int(self.typed.get(state.chance.epoch, False))
                chance(self, start, event)
            elif cls is Rewound:
                state = tape.state_at(event.to)
                if self.seat is not None:
                    state = rules.view(state, self.seat).copy()
                continue
            elif cls is Several:
                for one in event.events:
                    self._tells(start, one, state)
                    _apply(position, one, state)
                continue
            try:
                event.apply(state)
            except Exception as error:
                raise _misfit(position, error) from error
            if opens == "round":
                self._figures(start, state)
        self.batch = batch
        return state

    def _sorted(self, event: Event) -> _Sort:
        cls, opens, reveals = type(event), self.tape.opens(event), event.reveals
        if cls is Several:  # another one may hold others
            return _Sort("Several", opens, True, reveals, False, False, None)
        steps = bool(opens) or reveals or cls is ActionTaken
        found = self.sorts[cls] = _Sort(
            str(cls.__struct_config__.tag),
            opens,
            steps and cls is not Rewound,
            reveals,
            issubclass(cls, Head),
            cls in self.rules.events,
            CHANCE.get(cls),
        )
        return found

    def _plain(self, text: str) -> str:
        """Return a text that comes again and again, on one line."""
        found = self.plain.get(text)
        if found is None:
            found = self.plain[text] = plain(text)
        return found

    def _actor(self, event: Any) -> str:
        key = event.seat, event.person
        found = self.actors.get(key)
        if found is None:
            found = self.actors[key] = actor(self.tape, event)
        return found

    def _head(self, start: Start, event: Any, state: Any) -> str:
        """Take note of a head, and return the notation of its action, if it may be known."""
        before = self.last
        if (time := _time(event.time)) is not None:
            self.last, self.changed = time, event.time
        self.began = self.began or self.last
        if isinstance(event, ActionTaken):
            seconds = None
            if before is not None and self.last is not None and event.time and not event.person.startswith(BOTS):
                seconds = max(0.0, self.last.timestamp() - before.timestamp())
            return self._decision(start, event, state, seconds)
        if isinstance(event, GameOpened | Resalted):
            self.typed[event.at if isinstance(event, Resalted) else 0] = event.chance == "table"
        self.noted = self.noted or isinstance(event, NoteAdded)
        return ""

    def _decision(self, start: Start, event: ActionTaken[Any], state: Any, seconds: float | None) -> str:
        question, choices, notation, rules, action = "", None, "", self.rules, event.action
        try:
            decision = rules.decision(state)
            if decision is not None:
                question = self._plain(decision.prompt)
                if self.seat is None:  # how many there are may tell what only the seat knows
                    choices = len(decision.actions)
        except Exception:  # what a looker-on may not know, rules may not be able to work out
            pass
        cls = type(action)
        known = self.acts.get(cls)
        if known is None:
            known = self.acts[cls] = str(cls.__struct_config__.tag), cls.secret
        kind, secret = known
        if not secret or not any(isinstance(getattr(action, name), Sealed) for name in secret):
            try:
                notation = plain(rules.notation(state, action))
            except Exception:  # as with the question
                notation = ""
        number = self.place.decisions + 1
        self.add["decisions"](
            (*start, number, event.seat, self._plain(event.person), question, choices, kind, notation, seconds)
        )
        return notation

    def _rewound(self, position: int, inherited: int, event: Any) -> _Place:
        """Return where the line stands that an event went back to."""
        left = self.place
        self.place = self.places[event.to]
        if event.by != "redo":
            tree = self.tape.tree
            origin = tree.resolve(position - 1)
            shared = tree.meet(tree.line(event.to), origin)  # it may go to a line that was left before
            seen = left.seen - self.places[shared].seen
            self.rows["takebacks"].append(
                (
                    self.game, position, inherited, event.by, event.seat, plain(event.person), origin,
                    tree.resolve(event.to), seen, plain(event.reason),
                )
            )  # fmt: skip
        return self.place

    # What an event tells

    def _tells(self, start: Start, event: Event, state: Any) -> None:
        """Add what one of several events tells that were one event of an older form."""
        tell = CHANCE.get(type(event))
        if tell is not None:
            self.entered = int(self.typed.get(state.chance.epoch, False))
            tell(self, start, event)
            return
        with suppress(Exception):  # as with decisions
            self._happened(start, self.rules.happenings(state, event), state)

    def _happened(self, start: Start, happenings: Sequence[Happening], state: Any) -> None:
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
                except Exception:  # as with decisions
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

    def _roll(self, start: Start, event: DiceRolled) -> None:
        known = event.values if isinstance(event.values, tuple) else ()
        total, best = (sum(known), max(known)) if known else (None, None)
        sides, purpose, entered = event.sides, event.purpose, self.entered
        self.add["rolls"]((*start, event.stream, sides, event.count, total, best, purpose, event.subject, entered))
        add = self.add["dice"]
        for number, value in enumerate(known, 1):
            add((*start, number, value, sides, purpose, entered))

    def _card(self, start: Start, event: CardDrawn) -> None:
        self._draw(start, "card", event.deck.partition("/")[0], event)

    def _counter(self, start: Start, event: CounterDrawn) -> None:
        self._draw(start, "counter", event.bag, event)

    def _draw(self, start: Start, sort: str, source: str, event: CardDrawn | CounterDrawn) -> None:
        item = None if isinstance(event.item, Sealed) else event.item
        first = int(not isinstance(event, CardRevealed | CounterRevealed))
        self.add["draws"]((*start, sort, source, item, first, event.purpose, event.subject, self.entered))


def _at(table: str, *columns: str) -> tuple[str, tuple[int, ...]]:
    return table, tuple(BY_NAME[table].names.index(column) for column in columns)


NAMED = (
    _at("moves", "unit", "cause"), _at("fights", "unit", "target", "cause"), _at("losses", "unit", "cause"),
    _at("uses", "unit", "item"), _at("draws", "item"),
)  # fmt: skip
"""The tables and columns that have ids with names."""
SPOTS = tuple((table, BY_NAME[table].names.index("spot")) for table in ("moves", "fights", "losses"))

CHANCE: Mapping[type[Event], Callable[[_Projection, Start, Any], None]] = {
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
