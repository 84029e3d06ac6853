"""The events of a recorded game as rows, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ...domain.errors import BadLog
from ...domain.events import ActionTaken, Awaiting, Event, GameOpened, Head, NoteAdded, Resalted, Rewound
from ...domain.secrets import Sealed
from ...replays.codec import public
from ...replays.takeback import BOTS
from ...replays.tape import Tape
from ...replays.told import actor, plain, sentence
from ...replays.upcasting import Several
from .tables import TABLES
from .telling import CHANCE, Rows, Start, Telling


class _Place(NamedTuple):
    """Where a line stands after an event: its rounds, levels, turns and decisions so far, and what was seen on it."""

    round: int = 0
    level: int = 0
    level_round: int = 0
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
    chance: Callable[[Telling, Start, Any], None] | None
    """What tells what chance gave by it."""


class Reading:
    """The rows of a game's events as a seat may know them (None: all of it), and the game's last state."""

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
        self.telling = Telling(self.rules, self.rows)
        self.add = self.telling.add
        self.batch = 0
        self.counted: set[int] = set()
        self.began: datetime | None = None
        self.last: datetime | None = None
        self.changed = tape.shelf.created
        self.noted = False
        self.state = self._events()

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
        tape, rules, game, sorts, telling = self.tape, self.rules, self.game, self.sorts, self.telling
        on_line, own, batch, place = self.on_line, self.own, self.batch, self.place
        tell, happenings, add_place = rules.tell, rules.happenings, self.places.append
        add_event, add_sentence = self.add["events"], self.add["story"]
        for (position, data), event in zip(chunk, events, strict=True):
            cls = type(event)
            kind, opens, steps, reveals, head, told, chance = sorts.get(cls) or self._sorted(event)
            current, inherited = on_line[position], 1 if position < own else 0
            if head:
                batch, seat, person, time = position, event.seat, self._plain(event.person), event.time
                start = (game, position, current, inherited, place.round, place.level, place.level_round)
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
                    place.level + (opens == "level"),
                    0 if opens == "level" else place.level_round + (opens == "round"),
                    place.turn + (opens == "turn"),
                    place.decisions + (cls is ActionTaken),
                    place.seen + reveals,
                )
            elif cls is Rewound:
                place = self._rewound(position, inherited, event)
            add_place(place)
            round, level, level_round, turn, _, _ = place
            start = (game, position, current, inherited, round, level, level_round)
            shown = public(data) if b"\n" in data else data
            add_event(
                (
                    game, position, current, inherited, round, level, level_round, kind, turn, batch, seat, person, time,
                    event.rule, shown.decode(),
                )
            )  # fmt: skip
            if text:
                add_sentence((None, game, position, current, inherited, round, level, level_round, text))
            if told:
                try:
                    found = happenings(state, event)
                except Exception:  # what a looker-on may not know, rules may not be able to work out
                    found = ()
                if found:
                    telling.happened(start, found, state)
            elif chance is not None:
                telling.entered = int(telling.typed.get(state.chance.epoch, False))
                chance(telling, start, event)
            elif cls is Rewound:
                state = tape.state_at(event.to)
                if self.seat is not None:
                    state = rules.view(state, self.seat).copy()
                continue
            elif cls is Several:
                for one in event.events:
                    telling.several(start, one, state)
                    _apply(position, one, state)
                continue
            try:
                event.apply(state)
            except Exception as error:
                raise _misfit(position, error) from error
            if opens == "round":
                self.figures(start, state)
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
            self.telling.typed[event.at if isinstance(event, Resalted) else 0] = event.chance == "table"
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

    def figures(self, start: Start, state: Any) -> None:
        """Add how a position stands in numbers, once."""
        if start[1] in self.counted:
            return
        self.counted.add(start[1])
        try:
            figures = self.rules.figures(state)
        except Exception:  # of a state that hides something the rules may not be able to count
            return
        self.rows["figures"] += [(*start, name, value) for name, value in figures.items()]


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
