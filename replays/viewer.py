"""A cursor over a recorded game for whoever watches it: steps, jumps, search, lines and seats; it changes nothing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

import msgspec

from ..domain.errors import BadAddress, NotAllowed
from ..domain.events import HEADINGS, CardDrawn, CardRevealed, CounterDrawn, CounterRevealed, Head, KeyRevealed
from ..domain.rules import Decision, Outcome
from .address import Address, parse_address
from .beats import CHUNK, Beat, Beats, Margins
from .course import Course
from .lines import Way, ways
from .tape import Tape
from .told import plain
from .windows import Windows

TARGETS = ("decision", "level", "round", "turn", "fight", "loss", "reveal", "take-back", "note")
"""What `Viewer.jump` can go to."""


class Where(msgspec.Struct, frozen=True):
    """Where a viewer stands: position, decisions taken, level, round and turn (empty before the first), and what is due.

    Levels and rounds are counted along the line; a game that has one level has no text of it.
    `decision` and `outcome` are those of a moment between two actions; None while one is being carried out.
    """

    position: int
    last: int
    decisions: int
    level: int
    level_text: str
    round: int
    round_text: str
    turn_text: str
    decision: Decision | None
    outcome: Outcome | None
    between: bool


class Viewer:
    """A place on a line of a game, seen as one seat or as the owner of the log.

    All that is shown is made from the position alone: however one came there, it is what was known there. Methods that
    move say whether they did; going where nothing is leaves the viewer as it was. With `since`, what can be jumped to,
    notes and take-backs are only those of the log from that position on, which then do not cost more in a longer game.
    """

    def __init__(
        self, tape: Tape, place: int | str | Address | None = None, seat: str | None = None, since: int = 0
    ) -> None:
        self.tape = tape
        self.since = since
        self.seat: str | None = None
        self.tip = tape.tip
        self.index = 0
        self._beats: dict[tuple[int, str | None], Beats] = {}
        self._targets: dict[tuple[int, str], list[int]] = {}
        self._margins: dict[str | None, Margins] = {}
        self.course = Course(tape.tree.line(self.tip))
        self.windows = Windows(tape, self.course)
        self.see(seat)
        self.go("@start" if place is None else place)

    # Where it stands

    @property
    def position(self) -> int:
        """The position of the log that is shown."""
        return self.course[self.index]

    @property
    def state(self) -> Any:
        """The state at the position as the seat may know it; to read, not to change."""
        state = self.windows.state(self.index)
        return state if self.seat is None else self.tape.ruleset.view(state, self.seat)

    @property
    def shown(self) -> Any:
        """The state to draw: on the way from one decision to the next nobody is asked anything any more."""
        return self.state if self._settled else msgspec.structs.replace(self.state, pending=[])

    @property
    def _settled(self) -> bool:
        if self.index + 1 == len(self.course):
            # A line that is watched up to an address may end in the midst of an action.
            return self.tape.batch_end(self.position) == self.position
        return isinstance(self.windows.event(self.index + 1), Head)

    def where(self) -> Where:
        """Return where the viewer stands, for a status line."""
        position, between = self.position, self._settled
        decision, outcome = self.due()
        levels, rounds, turns = (self.targets(what) for what in ("level", "round", "turn"))
        level, number, turn = (bisect_right(places, position) for places in (levels, rounds, turns))
        began = levels[level - 1] if level else -1
        round_at = rounds[number - 1] if number and rounds[number - 1] > began else began
        return Where(
            position,
            self.course[len(self.course) - 1],
            bisect_left(self.targets("decision")[:-1], position),
            level,
            self._said(began) if level and "level" in self.tape.divisions else "",
            number,
            self._said(round_at) if round_at > began else "",
            self._said(turns[turn - 1]) if turn and turns[turn - 1] > round_at else "",
            decision,
            outcome,
            between,
        )

    def due(self) -> tuple[Decision | None, Outcome | None]:
        """Return what is to be decided, or how the game ended; neither while an action is being carried out."""
        if not self._settled:
            return None, None
        here = self.tape.position_type(self.tape, self.position, self.windows.state(self.index))
        decision = here.decision
        return decision, here.outcome if decision is None else None

    def _said(self, position: int) -> str:
        beat = next(self.beats.after(self.course.floor(position) - 1), None)
        return beat.text.rstrip(".") if beat is not None and beat.position == position else ""

    # The story

    @property
    def beats(self) -> Beats:
        """The story of the line as the seat knows it, told when it is looked at."""
        key = (self.tip, self.seat)
        if key not in self._beats:
            margins = self._margins.setdefault(self.seat, Margins(self.tape, self.seat, self.since))
            self._beats[key] = Beats(self.tape, self.course, self.seat, margins)
        return self._beats[key]

    def story(self, before: int, after: int) -> list[Beat]:
        """Return up to so many moments of the story up to here, the last of them current, and up to so many to come."""
        past = list(islice(self.beats.before(self.index + 1), before))[::-1]
        return [*past, *islice(self.beats.after(self.index), after)]

    # Steps

    def step(self, by: int = 1) -> bool:
        """Go so many events on, or back where negative."""
        return self._to(max(0, min(self.index + by, len(self.course) - 1)))

    def forward(self) -> bool:
        """Go on to the end of a moment of the story: to just before the next thing that it tells, or the end of the line."""
        beat = next(self.beats.after(self.index + 1), None)
        return self._to(len(self.course) - 1 if beat is None else self.course.floor(beat.position) - 1)

    def back(self) -> bool:
        """Go back to the end of a moment of the story: to just before what it tells here, or the opening."""
        beat = next(self.beats.before(self.index + 1), None)
        return self._to(0 if beat is None else max(0, self.course.floor(beat.position) - 1))

    def first(self) -> bool:
        """Go to the opening."""
        return self._to(0)

    def last(self) -> bool:
        """Go to the end of the line."""
        return self._to(len(self.course) - 1)

    def _to(self, index: int) -> bool:
        moved, self.index = index != self.index, index
        return moved

    # Jumps

    def targets(self, what: str) -> list[int]:
        """Return the positions on the line where something of a kind is, in order; `what` is one of `TARGETS`."""
        key = (self.tip, f"{what}/{self.seat}" if what in ("take-back", "note") else what)
        if key not in self._targets:
            self._targets[key] = self._find(what)
        return self._targets[key]

    def _find(self, what: str) -> list[int]:
        if what == "decision":
            heads = self.tape.on_line({"ActionTaken"}, self.tip, self.since)
            return [*(self.course[self.course.floor(head) - 1] for head in heads), self.course[len(self.course) - 1]]
        if what in ("take-back", "note"):
            margins = self.beats.margins
            found = margins.notes if what == "note" else margins.returns
            return sorted(position for position in found if position in self.course)
        if what in HEADINGS:
            return self.tape.headings(what, self.tip, self.since)
        return self.tape.places(self._kinds[what], self.tip, self.since)

    @cached_property
    def _kinds(self) -> dict[str, set[str]]:
        """The names of events by what makes them a target."""
        own = self.tape.ruleset.events
        # A die hides nothing: only what lay covered is revealed.
        covered = (CardDrawn, CardRevealed, CounterDrawn, CounterRevealed, KeyRevealed)
        return {
            "fight": {cls.__name__ for cls in own if cls.mark == "fight"},
            "loss": {cls.__name__ for cls in own if cls.mark == "loss"},
            "reveal": {cls.__name__ for cls in covered} | {cls.__name__ for cls in own if cls.reveals},
        }

    def jump(self, what: str, forward: bool = True) -> bool:
        """Go to the next place where something of a kind is, or to the one before."""
        positions = self.targets(what)
        if forward:
            number = bisect_right(positions, self.position)
            found = positions[number : number + 1]
        else:
            number = bisect_left(positions, self.position)
            found = positions[max(number - 1, 0) : number]
        return bool(found) and self._to(self.course.floor(found[0]))

    def go(self, place: int | str | Address) -> bool:
        """Go to a place: a position, or an address such as `@57`, `@d12`, `@r3`, `@l2`, `@-5` or `57`.

        Decisions, rounds and levels count along the line that is watched; an event on another line takes the viewer there.
        Raises BadAddress for what is not in the game.
        """
        if isinstance(place, str):
            text = place.strip()
            place = parse_address(text if "@" in text else f"@{text}")
        if isinstance(place, Address) and place.game not in ("", "last", self.tape.shelf.name, self.tape.shelf.id):
            raise BadAddress(f"Another game cannot be gone to from here: leave, and open '{place}'.")
        position = self.tape.tree.resolve(self.tape.locate(place, self.tip))
        if position in self.course:
            return self._to(self.course.floor(position))
        tips = self.tape.tree.tips()
        self._take(next(tip for tip in tips[bisect_left(tips, position) :] if self.tape.tree.on_line(position, tip)))
        self._to(self.course.floor(position))
        return True

    # Search

    def finding(self, text: str, forward: bool = True) -> Iterator[bool]:
        """Look for the next moment that says a text, upper and lower case alike; goes round at the end of the story.

        Yields False after each piece that lacks it, for whoever wants to do something else meanwhile, and True at the
        end if it was found: the viewer is there then.
        """
        wanted = plain(text).casefold()
        beats, start, count = self.beats, self.index, self.beats.pieces
        for turn in range(count + 1 if wanted else 0):
            piece = beats.piece((start // CHUNK + (turn if forward else -turn)) % count)
            for beat in piece if forward else reversed(piece):
                index = self.course.floor(beat.position)
                ahead = index > start if forward else index < start
                # Of the piece one stands in, first what lies ahead, and the rest after going round.
                if (turn == 0 and not ahead) or (turn == count and ahead):
                    continue
                if any(wanted in line.casefold() for line in beat.lines()):
                    self._to(index)
                    yield True
                    return
            yield False

    def search(self, text: str, forward: bool = True) -> bool:
        """Go to the next moment that says a text, or to the one before; False where no other does."""
        return any(self.finding(text, forward))

    # Lines and seats

    def ways(self) -> list[Way]:
        """Return the lines of the game as a tree, each below the one it parts from last; the game's own line first."""
        return ways(self.tape, self.seat)

    def switch(self, tip: int) -> None:
        """Watch the line that ends at a position; goes back to the last moment both lines share where need be.

        Raises BadAddress for a position that is not in the game.
        """
        self._take(self.tape.tree.resolve(self.tape.inside(tip)))

    def grow(self, refresh: Callable[[], None]) -> int:
        """Take up what others have recorded, which `refresh` reads, and return how many events that are.

        Whoever watches the line that the game is on goes on watching that, and who stood at its end stands at the new one.
        """
        before, ended = self.tape.length, self.index + 1 == len(self.course)
        current = self.tip == self.tape.tip
        refresh()
        more = self.tape.length - before
        if more > 0:
            for kept in (self._beats, self._targets, self._margins):
                kept.clear()
            if current:
                self._take(self.tape.tip)
                if ended:
                    self.index = len(self.course) - 1
        return max(0, more)

    def _take(self, tip: int) -> None:
        shared = self.tape.tree.meet(self.tape.tree.line(self.position), tip)
        self.tip = tip
        self.course = Course(self.tape.tree.line(tip))
        self.windows = Windows(self.tape, self.course)
        self.index = self.course.floor(shared)

    def see(self, seat: str | None) -> None:
        """Show what a seat knew, or for None all that this log holds; raises NotAllowed for an unknown seat."""
        seats = self.seats
        if seat is not None and seat not in seats:
            raise NotAllowed(f"This game has no seat '{seat}'. Its seats: {', '.join(seats)}.")
        self.seat = seat

    @property
    def seats(self) -> dict[str, str]:
        """The names of the seats whose knowledge can be shown, by id: all, or the one that a seat's log is of."""
        names = {seat.id: seat.name for seat in self.tape.ruleset.seats(self.tape.options)}
        seen_as = self.tape.seen_as
        return names if seen_as is None else {id: name for id, name in names.items() if id == seen_as}

    @property
    def delicate(self) -> bool:
        """Whether showing another seat's knowledge could spoil a game that several people are still playing."""
        people = [seat for seat, holder in self.tape.shelf.seats.items() if holder == "human"]
        return self.tape.ruleset.secretive and len(people) > 1 and self.tape.at().outcome is None
