"""One recorded game: act, undo, redo, rewind, fork; every change is one batch, stored all or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..domain.chance import Salt, Table
from ..domain.errors import (
    Conflict,
    ImpossibleOutcome,
    NotAllowed,
    OptionError,
    WarptapeError,
)
from ..domain.events import Event, Rewound
from ..domain.rules import Decision, Outcome, Refusal
from .automatic import Automatic
from .codec import SOURCES, with_head
from .crashes import crashed
from .forking import forked
from .luck import CLOSE, POINTS, TRIED, Analysis
from .notes import Note, notes, removed, written
from .recording import Played
from .redrawing import forked_as_of
from .repeats import REROLLED, answered
from .shelf import Shelf
from .store import Store
from .takeback import BOT, Takebacks
from .writing import Desk

if TYPE_CHECKING:
    from .diff import Diff
    from .findings import Report
    from .told import Told
    from .valuing import Answers

__all__ = ["BOT", "Game", "Played"]


class Game(Automatic):
    """A recorded game to read and to play on.

    All changes go through the event store; of two writers one gets Conflict, and this game then stands where the other
    left it. Raises IllegalAction, BadNotation, NotAllowed and Conflict; after any error nothing has changed.
    """

    def __init__(self, store: Store, shelf: Shelf, desk: Desk | None = None) -> None:
        super().__init__(store, shelf, desk)
        self.takebacks = Takebacks(self)

    # What is there

    @property
    def id(self) -> str:
        """The game's id."""
        return self.shelf.id

    @property
    def name(self) -> str:
        """The game's name on the shelf."""
        return self.shelf.name

    @property
    def state(self) -> Any:
        """The state now, as the owner knows it; to read, not to change."""
        return self.referee.state if self.seen_as is None else self.state_at(self.tip)

    @property
    def decision(self) -> Decision | None:
        """Which seat must choose, and between what; None when the game is over."""
        return self.referee.decision if self.seen_as is None else self.at().decision

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is on."""
        return self.referee.outcome if self.seen_as is None else self.at().outcome

    @property
    def seats(self) -> dict[str, str]:
        """Who holds each seat: `human`, `bot:NAME` or `exec:NAME`, a program from outside."""
        return self.shelf.seats

    @property
    def own_seat(self) -> str | None:
        """The seat for which alone the game is open here, as a seat's token opens one on a server; None elsewhere."""
        return None

    @property
    def reachable(self) -> bool:
        """Whether the store answered last; one on another machine may be out of reach."""
        return True

    @property
    def unsure(self) -> bool:
        """Whether the last change was given up before its answer came, so that it may be recorded: `refresh` finds out."""
        return False

    def follow(self, wake: Callable[[], None]) -> Callable[[], None] | None:
        """Have `wake` called, in a thread, when somebody else changes the game, and return what ends that.

        None where the store tells of nothing by itself: look with `refresh`.
        """
        return None

    def refusal(self, action: Any, seat: str | None = None) -> Refusal | None:
        """Return why an action is not legal now; None exactly when it is."""
        return self.referee.refusal(self._seat(seat), action)

    def parse(self, text: str, seat: str | None = None) -> Sequence[Any]:
        """Return the actions a line of notation stands for; raises BadNotation, and IllegalAction as the ruleset says."""
        return self.ruleset.parse(self.state, self._seat(seat), text)

    # What can be made of it; loaded when first asked for, so that acting starts fast

    def log(self, seat: str | None = None) -> Iterator[Told]:
        """Yield the whole log in words, abandoned lines included, as the owner or one seat knows it."""
        from .told import tell_log

        return tell_log(self, seat=seat)

    def audit(self, *, rules: bool = True, listing: bool = False) -> Report:
        """Check chain, form, secrets, chance and rules of the whole log.

        `rules=False` leaves the rules out; `listing` keeps every decision that today's rules decide otherwise.
        """
        from .audit import audit

        return audit(self, rules=rules, listing=listing)

    def diff(self, at: Any = None, other: Game | None = None, other_at: Any = None, *, seat: str | None = None) -> Diff:
        """Return what differs between two positions or addresses of this game, or of this one and another."""
        from .diff import diff

        return diff(self, at, other, other_at, seat=seat)

    def transcript(
        self,
        format: str = "md",
        *,
        at: Any = None,
        seat: str | None = None,
        variations: bool = False,
        analysis: Analysis | None = None,
    ) -> str:
        """Return the story of the line that ends at a position or address (default: now), as `md`, `txt` or `html`.

        An `analysis`, as `analyse` gives it, stands in the margin.
        """
        from .transcript import transcript

        return transcript(self, format, at=at, seat=seat, variations=variations, analysis=analysis)

    def analyse(
        self,
        at: Any = None,
        *,
        playouts: int | None = None,
        points: int | None = POINTS,
        close: int | None = CLOSE,
        tried: int = TRIED,
        since: int = 1,
        bots: Mapping[str, str] | None = None,
        jobs: int = 1,
        answers: Answers | None = None,
    ) -> Analysis:
        """Return who was winning when, and what luck and choice made of it, by playing positions out with bots.

        The line that ends at a position or address (default: now) is analysed from decision `since` on: `points` positions,
        each played out `playouts` times (default: as some minutes allow, 12 to 40), and the `close` decisions where most
        changes, with so many other actions `tried` (None: all). `bots` by seat play on (default: sensible ones). What was played out before is found in the user's cache,
        or in `answers`. In an unfinished game with secrets the figures tell what is hidden.

        Raises BadAddress, NotAllowed, OptionError, StoreError.
        """
        from .analysing import analyse

        return analyse(
            self, at=at, since=since, playouts=playouts, points=points, close=close, tried=tried, bots=bots, jobs=jobs,
            answers=answers,
        )  # fmt: skip

    def export(self, path: str | os.PathLike[str], seat: str | None = None, *, with_secret: bool = False) -> Path:
        """Write the game to a log file (`.gz` by name), as the owner or one seat knows it; see `logfile.export`."""
        from .logfile import export

        return export(self, path, seat, with_secret=with_secret)

    def _seat(self, seat: str | None) -> str:
        if seat is not None:
            return seat
        return self.decision.seat if self.decision else ""

    # Playing

    def act(
        self,
        what: Any,
        seat: str | None = None,
        *,
        person: str = "",
        key: str = "",
        expect: int | None = None,
        outcomes: Sequence[str] = (),
        bots: bool = True,
    ) -> Played:
        """Take an action, given as such, as notation, or as a list of either, which is then all or nothing.

        `seat` is who acts (default: the seat that must decide), `person` who of those that share it (default: the one
        whom the action is for, where the options name people), `key` makes a retry safe: the same key again takes no
        action and returns what was recorded. `expect` is a position at which the board is as the caller knows it.
        `outcomes` are the results of dice and draws where people enter them. Bots that are due act before, and bots
        answer, unless `bots` is false.

        Raises IllegalAction, BadNotation, Conflict, NeedsOutcome, ImpossibleOutcome, NotAllowed.
        """
        if key and (repeated := self._recorded(key, bots)) is not None:
            return repeated
        self._check_expected(expect)
        if bots:
            self.play_bots()
        start = self.length
        batches = self._take(what, self._seat(seat), person, key, outcomes)
        try:
            events = self._record(batches, {key: start} if key else None)
        except Conflict:
            if key and (repeated := self._recorded(key, bots)) is not None:
                return repeated
            raise
        return Played(start, events + self._answers(bots))

    def _take(self, what: Any, acting: str, person: str, key: str, outcomes: Sequence[str]) -> list[list[Event]]:
        """Have the referee take all actions of a line and return their batches, or take none and raise."""
        referee = self.referee
        batches: list[list[Event]] = []
        doing: Any = what
        try:
            if referee.decision is not None:
                batches += self.going_on()
            if self.typed_chance:
                referee.chance = Table(outcomes)
            elif outcomes:
                raise ImpossibleOutcome("Here dice and cards come from fate: no results are entered.")
            taken = 0
            for doing in what if isinstance(what, list | tuple) else [what]:
                item = doing
                for doing in self.ruleset.parse(referee.state, acting, item) if isinstance(item, str) else [item]:
                    if taken and self.policy != "free" and any(event.reveals for event in batches[-1]):
                        raise NotAllowed(
                            "Only the last action of a line may roll, draw or reveal here: a line that is refused half "
                            "way would be a free look. Type them one at a time."
                        )
                    who = person or self.ruleset.person(referee.state, doing)
                    batches.append(with_head(referee.take(acting, doing), person=who, joined=taken > 0))
                    taken += 1
            if isinstance(referee.chance, Table) and referee.chance.left:
                raise ImpossibleOutcome(f"Nothing here needs the result '{referee.chance.left[0]}'.")
            if not taken:
                raise NotAllowed("There is no action in that.")
        except BaseException as error:
            crash = crashed(self, error, batches, acting, doing, outcomes)
            if batches or not isinstance(error, WarptapeError):
                self._forget()
            if crash is not None:
                raise crash from (error.__cause__ or error)
            raise
        finally:
            referee.chance = self.fate
        if key:
            batches[0] = with_head(batches[0], key=key)
        return batches

    def _recorded(self, key: str, bots: bool) -> Played | None:
        """Return what was recorded under a key, with the answers to it, which bots now give if they were cut off."""
        start = self.store.find_key(self.shelf.id, key)
        if start is None:
            return None
        if start >= self.length:
            self.refresh()
        events = answered(self, start)
        if bots and start + len(events) == self.length:
            events += self._answers(bots)
        return Played(start, events, True)

    # Time travel. Each change takes a `key`, which makes a retry safe, and `expect`, as `act` does

    def undo(
        self,
        seat: str | None = None,
        *,
        person: str = "",
        reason: str = "",
        reroll: bool = False,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Take back the last action of the current line, with the bots' answers to it.

        `seat` asks (default: the one whose action it is). `reroll` gives chance a new secret afterwards: without it the
        same action gives the same dice and cards. Raises NotAllowed where the policy forbids it.
        """
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        to, asking = self.takebacks.undo_target(seat)
        return self._rewind(Rewound(to=to, by="undo", reason=reason, seat=asking, person=person), reroll, key)

    def redo(self, seat: str | None = None, *, person: str = "", key: str = "", expect: int | None = None) -> Played:
        """Go back to the tip that the last undo or rewind left; raises NotAllowed when there is none."""
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        to, seat = self.takebacks.redo_target(seat)
        return self._rewind(Rewound(to=to, by="redo", seat=seat, person=person), False, key)

    def rewind(
        self,
        place: Any,
        *,
        seat: str = "",
        person: str = "",
        reason: str = "",
        reroll: bool = False,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Go to the end of the batch at a position or address, on whatever line it lies.

        Raises BadAddress, and NotAllowed unless the policy is `free`.
        """
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        to = self.tree.resolve(self.batch_end(self.locate(place)))
        self.takebacks.check_rewind(seat)
        return self._rewind(Rewound(to=to, by="rewind", reason=reason, seat=seat, person=person), reroll, key)

    def consent(
        self, seat: str, agree: bool = True, *, person: str = "", key: str = "", expect: int | None = None
    ) -> Played:
        """Answer the other seat's open request to take something back; raises NotAllowed when there is none."""
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        asked, batch = self.takebacks.answer(seat, agree)
        batch = with_head(batch, person=person)
        if not agree:
            return self._note(batch, key)
        self._play_from(asked.to)
        rewound = Rewound(to=asked.to, by="undo", seat=asked.seat, person=asked.person)
        return self._change(self.codec.eras.upgrade(acting=False), batch, [[rewound]], key)

    def ask_undo(self, seat: str, *, person: str = "", key: str = "", expect: int | None = None) -> Played:
        """Ask the other seat to agree to taking back this seat's last action and all since (policy `consent`)."""
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        return self._note(with_head(self.takebacks.ask(seat), person=person), key)

    def note(
        self,
        text: str,
        place: Any = None,
        *,
        tags: Sequence[str] = (),
        seat: str = "",
        person: str = "",
        private: bool | None = None,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Write a note on a position (default: now); it leaves the board alone.

        A `private` one is sealed to the `seat` that writes; by default what a seat writes in an unfinished game with
        secrets is. Raises NotAllowed for no words and no tags, and for a private note where nothing can be sealed.
        """
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        self.takebacks.check_seat(seat)
        event = written(self, self.tip if place is None else self.locate(place), text, tags, seat, person, private)
        if event.seen_by is None:
            return self._note([event], key)
        # A seal rests on the secret of chance: one that is not here, or is known, is renewed first.
        before = self.going_on()
        played = self._change(before, [event], (), key)
        renewed = 0 if played.repeated else sum(map(len, before))
        return Played(played.position + renewed, played.events[renewed:], played.repeated)

    def remove_note(
        self, place: Any, *, seat: str = "", person: str = "", key: str = "", expect: int | None = None
    ) -> Played:
        """Take back the note that was written at a position of the log; a `seat` can take back its own.

        Raises BadAddress where no note was written, NotAllowed for one that was taken back or is another seat's.
        """
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        self.takebacks.check_seat(seat)
        return self._note([removed(self, self.locate(place), seat, person)], key)

    def notes(self, seat: str | None = None, *, tags: Sequence[str] = ()) -> list[Note]:
        """Return the notes that stand, in the order of the positions they are on, as the owner or one seat may read."""
        return notes(self, seat, tags=tags)

    def reroll(
        self,
        seed: str | None = None,
        *,
        reason: str = "",
        chance: str | None = None,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Give chance a new secret from here on: what nobody has seen is dealt afresh, and the log says so.

        `chance` says where outcomes come from then: `fate` or `table` (default: as before). Raises NotAllowed when the
        game is over, and for a table while bots hold seats.
        """
        if (repeated := self._before(key, expect)) is not None:
            return repeated
        self._check_on(self.referee.decision)
        if chance not in (None, *SOURCES):
            raise OptionError(f"'{chance}' is no source of chance: use {' or '.join(SOURCES)}.")
        if chance == "table" and any(holder.startswith(BOT) for holder in self.seats.values()):
            raise NotAllowed("At a table people roll and draw for every seat: fork the game with people on all seats.")
        at = self.length + len(self.codec.eras.upgrade(acting=False))
        return self._note(self.salting.renew(at, reason or "asked for", Salt(seed=seed) if seed else None, chance), key)

    def fork(
        self,
        at: Any = None,
        *,
        name: str = "",
        seats: Mapping[str, str] | None = None,
        undo: str = "",
        reroll: bool = False,
        as_of: str | None = None,
    ) -> Self:
        """Start another game from the end of the batch at a position or address; copies nothing, whatever the length.

        Playing on in it takes a new secret of chance unless the undo policy of both games is `free`: else it would show
        what fate has in store for its parent. With `as_of` a seat, everything that this seat does not know there is
        drawn anew, and the fork has a log of its own, with the past as that seat knows it. Raises NotAllowed.
        """
        if as_of is not None:
            holders = self.seats if seats is None else seats
            drawn = forked_as_of(self, at, as_of, name, holders, undo or self.policy)
            return type(self)(self.store, self.store.shelf(drawn.id), self.desk)
        shelf = forked(self, at, name, self.seats if seats is None else seats, undo or self.policy)
        branch = type(self)(self.store, self.store.shelf(shelf.id), self.desk)
        if branch.seen_as is None and branch.decision is not None and (reroll or not shelf.secrets):
            branch.reroll(reason="a fork deals afresh")
        return branch

    @staticmethod
    def _check_on(decision: Decision | None) -> None:
        if decision is None:
            raise NotAllowed("The game is over there: nothing is left to chance.")

    def _note(self, batch: Sequence[Event], key: str) -> Played:
        return self._change(self.codec.eras.upgrade(acting=False), batch, (), key)

    def _rewind(self, rewound: Rewound, reroll: bool, key: str) -> Played:
        start = self.length
        self._play_from(rewound.to)
        before = self.codec.eras.upgrade(acting=False)
        after: list[Sequence[Event]] = []
        if reroll:
            try:
                self._check_on(self.referee.decision)
            except NotAllowed:
                self._forget()
                raise
            after.append(self.salting.renew(start + sum(map(len, before)) + 1, REROLLED))
        return self._change(before, [rewound], after, key)
