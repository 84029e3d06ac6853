"""The reading side of a recorded game: its rows across the lineage, its lines, and the position at any event."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from ..domain.content import Content
from ..domain.errors import BadAddress, BadLog, RulesetCrash, UnknownRuleset, WarptapeError
from ..domain.events import HEADINGS, Event, GameOpened, Redrawn
from ..domain.rules import Decision, Outcome, Ruleset, ruleset
from .address import Address, parse_address
from .codec import Codec, head_kinds, kind
from .places import located
from .rows import Rows
from .store import Shelf, Store
from .timeline import Span
from .upcasting import parts

if TYPE_CHECKING:
    from .lines import Line

EVERY = 250
"""Events between two snapshots of a line: keeps any position a few hundred events away."""

HEAD_KINDS = head_kinds()


@contextmanager
def blamed(position: int) -> Iterator[None]:
    """Turn what rules raise on a position into RulesetCrash: a log from elsewhere may hold what they never give."""
    try:
        yield
    except WarptapeError:
        raise
    except Exception as error:
        raise RulesetCrash(
            f"The rules fail on the position @{position} ({type(error).__name__}: {error}). An audit says whether the "
            "log is to blame."
        ) from error


class Position:
    """A game as it stood after one event: `state` (to read, not to change), `decision` and `outcome` of that moment."""

    def __init__(self, tape: Tape, position: int, state: Any) -> None:
        self.tape = tape
        self.position = position
        self.state = state

    @property
    def ruleset(self) -> Ruleset:
        """The rules, bound to the game's own content."""
        return self.tape.ruleset

    @cached_property
    def settled(self) -> bool:
        """Whether nothing was under way: the position is the end of a batch, and what is asked there is asked."""
        return self.tape.batch_end(self.position) == self.position

    @property
    def decision(self) -> Decision | None:
        """What was to be decided; None when the game was over, when only others know what the choice was, and on the way
        from one decision to the next.
        """
        if not self.settled:
            return None
        if self.tape.seen_as is None and self.position >= self.tape.whole_from:
            with blamed(self.position):
                return self.ruleset.decision(self.state)
        try:
            return self.ruleset.decision(self.state)
        except Exception:  # rules may look at what this seat does not know
            return None

    @property
    def outcome(self) -> Outcome | None:
        """How the game had ended; None while it was on."""
        with blamed(self.position):
            return None if self.state.pending else self.ruleset.outcome(self.state)

    def view(self, seat: str | None = None) -> Any:
        """Return the state as one seat may know it; None stands for the owner of the log."""
        return self.state if seat is None else self.ruleset.view(self.state, seat)

    def shown(self, seat: str | None = None) -> Any:
        """Return the view to draw: on the way from one decision to the next nobody is asked anything any more."""
        seen = self.view(seat)
        return seen if self.settled else msgspec.structs.replace(seen, pending=[])

    @property
    def title(self) -> str:
        """The game's name and the position, for headings."""
        return f"{self.tape.shelf.name} @{self.position}"

    def __repr__(self) -> str:
        return f"<Position @{self.position} of {self.tape.shelf.name!r}>"


class Tape(Rows):
    """A recorded game to read; raises UnknownRuleset when its ruleset is not installed."""

    position_type: ClassVar[type[Position]] = Position

    def __init__(self, store: Store, shelf: Shelf) -> None:
        super().__init__(store, shelf)
        try:
            rules = ruleset(shelf.ruleset)
        except UnknownRuleset as error:
            raise UnknownRuleset(
                f"{error} Without it `warptape audit` can still check the chain of this game."
            ) from error
        if shelf.content != rules.content.digest:
            rules = rules.bound(Content.decode(store.content(shelf.content)))
        self.ruleset = rules
        self.codec = Codec(rules, self.eras)

    @property
    def seen_as(self) -> str | None:
        """The seat whose knowledge this is, when no more of the game is here; None for a whole game."""
        return self.shelf.extra.get("seat")

    @property
    def whole_from(self) -> int:
        """The first position of which all is here; before it stands what one seat knew: see `Redrawn`. 0 as a rule."""
        return int(self.shelf.extra.get("redrawn", 0))

    def known_to(self, position: int) -> set[str]:
        """Return the seats whose knowledge is all that is here of a position; none where the whole game is."""
        seats = {self.seen_as} if self.seen_as is not None else set()
        if position < self.whole_from:
            for row in self.kinds({"Redrawn"}, position + 1):
                event = self.codec.decode(row.data, row.position)
                seats |= {event.seat} if isinstance(event, Redrawn) else set()
        return seats

    # Events

    def events(self, start: int = 0, stop: int | None = None, seat: str | None = None) -> Iterator[tuple[int, Event]]:
        """Yield (position, event) in log order, abandoned lines included, as the owner or one seat knows them."""
        decode = self.codec.decode
        for row in self.rows(start, stop):
            yield row.position, decode(row.data, row.position, seat)

    def line(self, tip: int | None = None, start: int = 0, seat: str | None = None) -> Iterator[tuple[int, Event]]:
        """Yield (position, event) along the line that ends at `tip`, as the owner or one seat knows them."""
        decode = self.codec.decode
        for row in self.line_rows(tip, start):
            yield row.position, decode(row.data, row.position, seat)

    def event(self, position: int, seat: str | None = None) -> Event:
        """Return the event at a position; raises BadAddress beyond the end, UnknownGame after the game was deleted."""
        for _, event in self.events(self.inside(position), position + 1, seat):
            return event
        self.store.shelf(self.shelf.id)  # raises UnknownGame for one that was deleted meanwhile
        raise BadLog("the event is missing from the store", position=position)

    @cached_property
    def opening(self) -> GameOpened[Any]:
        """The first event."""
        event = self.event(0)
        if not isinstance(event, GameOpened):
            raise BadLog("the log does not begin with GameOpened", position=0)
        return event

    @property
    def options(self) -> Any:
        """The game's options."""
        return self.opening.options

    def inside(self, position: int) -> int:
        """Return a position that is in the log; raises BadAddress for others."""
        if not self.length:
            raise BadAddress("Nothing of this game is to be seen yet.")
        if not 0 <= position < self.length:
            raise BadAddress(f"There is no event @{position}: this game has @0 to @{self.length - 1}.")
        return position

    # Positions

    @property
    def schema(self) -> str:
        """What a snapshot must agree with: the ruleset, its version and the exact shape of its states."""
        return schema_of(self.ruleset)

    @cached_property
    def _state_decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.ruleset.state)

    def state_at(self, position: int) -> Any:
        """Return the owner's state after an event: a fresh object, folded from the nearest snapshot of its line."""
        position = self.tree.resolve(self.inside(position))
        base, state = self._nearest(position)
        since = 0
        for chunk in self.line_chunks(position, base + 1):
            for first in range(0, len(chunk), EVERY):
                part = chunk[first : first + EVERY]
                events = self.codec.decode_all(part)
                event = None
                try:
                    for event in events:
                        event.apply(state)
                except Exception as error:
                    at = next(at for (at, _), one in zip(part, events, strict=True) if one is event)
                    raise BadLog(
                        f"the event does not fit the position before it ({type(error).__name__}: {error})", position=at
                    ) from error
                since += len(part)
                if since >= EVERY:
                    since = 0
                    self.keep(part[-1][0], state)
        return state

    def _nearest(self, position: int) -> tuple[int, Any]:
        """Return the last usable snapshot on the line that ends at a position, or -1 and the state before the opening."""
        back = self.tree.back(position)
        span: Span | None = next(back)
        while span is not None:
            found = self._snapshot(span.last)
            while found is not None and span is not None and span.first <= found[0]:
                state = self._opened(found[1])
                if state is not None:
                    return found[0], state
                found = self._snapshot(found[0] - 1)
            if found is None:
                break
            while span is not None and found[0] < span.first:
                span = next(back, None)
        return -1, self.ruleset.state()

    def _snapshot(self, position: int) -> tuple[int, bytes] | None:
        """Return the last snapshot at or below a position, on whatever line."""
        for game, first, stop in reversed(self._owners):
            if first <= position:
                found = self.store.snapshot(game, position if stop is None else min(position, stop - 1), self.schema)
                if found is not None and found[0] >= first:
                    return found
        return None

    def _opened(self, data: bytes) -> Any:
        return opened(data, self._state_decoder)

    def keep(self, position: int, state: Any) -> None:
        """Keep a snapshot of the state at a position; failing to do so costs time later and nothing else."""
        data = msgspec.json.encode(state)
        self.store.put_snapshot(self.owner(position), position, self.schema, _checksum(data) + b"\n" + data)

    def at(self, position: int | str | Address | None = None) -> Position:
        """Return the game as it stood at a position (a number, an address or its text; default: now)."""
        number = self.tip if position is None else self.locate(position)
        return self.position_type(self, number, self.state_at(number))

    def lines(self, seat: str | None = None) -> list[Line]:
        """Return every way the game was played: see `Line`."""
        from .lines import lines  # it looks at tapes

        return lines(self, seat)

    # Addresses

    def locate(self, place: int | str | Address, tip: int | None = None) -> int:
        """Return the position an address names; raises BadAddress when this game has no such place.

        Decisions, rounds and levels count along the line that ends at `tip` (default: the current one).
        """
        if isinstance(place, int):
            return self.inside(place)
        return located(
            self, parse_address(place) if isinstance(place, str) else place, self.tip if tip is None else tip
        )

    @cached_property
    def people(self) -> Mapping[str, Sequence[str]]:
        """By seat the people who share it, where the options name them."""
        return self.ruleset.people(self.options)

    @cached_property
    def divisions(self) -> tuple[str, ...]:
        """What the story of this game is divided into, the widest first: levels only where it has several."""
        return HEADINGS if self.ruleset.levels(self.options) > 1 else HEADINGS[1:]

    def opens(self, event: Event) -> str:
        """Return which of the story's parts an event opens, empty where none."""
        return event.heading if event.heading in self.divisions else ""

    def heading_kinds(self, heading: str) -> set[str]:
        """Return the names of the ruleset's events that open a `level`, a `round` or a `turn`."""
        return {cls.__name__ for cls in self.ruleset.events if cls.heading == heading}

    def headings(self, heading: str, tip: int | None = None, start: int = 0) -> list[int]:
        """Return where levels, rounds or turns open on a line (default: the current one), from a position on."""
        return self.places(self.heading_kinds(heading), tip, start)

    def places(self, kinds: Collection[str], tip: int | None = None, start: int = 0) -> list[int]:
        """Return the positions of events of some kinds of today on a line (default: the current one), in order.

        Those of an older form, which the store keeps under other names, are among them. None is before `start`.
        """
        found = self.on_line(kinds, tip, start)
        eras = self.codec.eras
        if eras.since <= start:
            return found
        older = [reader for one in eras.all if (reader := eras.older(one.first)) is not None]
        maybe = {*found, *self.on_line(set().union(*(reader.kinds for reader in older)), tip, start)}
        before = [at for at in maybe if at < eras.since and any(kind(part) in kinds for part in parts(self.event(at)))]
        return sorted([*before, *(at for at in found if at >= eras.since)])

    def on_line(self, kinds: Collection[str], tip: int | None = None, start: int = 0) -> list[int]:
        """Return the positions of events of some kinds on a line (default: the current one), in order, from one on."""
        positions = self.positions(kinds, start)
        found: list[int] = []
        for span in self.tree.line(self.tip if tip is None else tip):
            found += positions[bisect_left(positions, span.first) : bisect_left(positions, span.last + 1)]
        return found

    def batch_start(self, position: int) -> int:
        """Return the position of the head of the batch that an event belongs to."""
        head = next(self.newest(HEAD_KINDS, position + 1), None)
        if head is None:
            raise BadLog("no event opens this batch", position=position)
        return head.position

    def batch_end(self, position: int) -> int:
        """Return the last position of the batch that an event belongs to."""
        start, stride = position + 1, 64
        while start < self.length:
            heads = self.kinds(HEAD_KINDS, start, start + stride)
            if heads:
                return heads[0].position - 1
            start, stride = start + stride, stride * 2
        return self.length - 1


def opened(data: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    """Return the state a snapshot holds; None for a damaged one, which is worth nothing and is passed over."""
    check, _, state = data.partition(b"\n")
    if check != _checksum(state):
        return None
    try:
        return decoder.decode(state)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def schema_of(rules: Ruleset) -> str:
    """Return what a snapshot must agree with: the ruleset, its version and the exact shape of its states."""
    return _schema(rules.id, rules.version, rules.state)


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=8).hexdigest().encode()


@cache
def _schema(name: str, version: str, state: type) -> str:
    shape = repr(_shape(state, set()))
    return hashlib.sha256(f"{name}|{version}|{shape}".encode()).hexdigest()[:16]


def _shape(kind: Any, seen: set[Any]) -> Any:
    """Describe a struct type by the names and types of its fields, structs within included."""
    args = getattr(kind, "__args__", None)
    if args:
        return (str(getattr(kind, "__origin__", kind)), *[_shape(arg, seen) for arg in args])
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if kind in seen:
            return kind.__name__
        seen.add(kind)
        return (kind.__name__, *[(f.encode_name, _shape(f.type, seen)) for f in msgspec.structs.fields(kind)])
    return str(kind)
