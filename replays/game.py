"""One recorded game: act, undo, redo, rewind, fork; every change is one batch, stored all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..domain.chance import Fate, Salt, Table
from ..domain.errors import Conflict, ImpossibleOutcome, NotAllowed
from ..domain.events import (
    ActionTaken,
    Event,
    GameForked,
    NoteAdded,
    Resalted,
    Rewound,
)
from ..domain.referee import Referee, choose
from ..domain.rules import Decision, Outcome, Refusal
from .codec import batch_digest, with_head
from .salting import Salting
from .shelf import Row, Shelf
from .store import Store
from .takeback import Takebacks
from .tape import EVERY, Tape
from .writing import Desk

BOT = "bot:"
"""Begins the holder of a seat that a bot of the ruleset plays: `bot:sensible`."""


class Played(msgspec.Struct, frozen=True):
    """What one call recorded: `events` with their first `position`; `repeated` when a retry found it recorded already."""

    position: int
    events: tuple[Event, ...]
    repeated: bool = False


class Game(Tape):
    """A recorded game to read and to play on.

    All changes go through the event store; of two writers one gets Conflict, and this game then stands where the other
    left it. Raises IllegalAction, BadNotation, NotAllowed and Conflict; after any error nothing has changed.
    """

    def __init__(self, store: Store, shelf: Shelf, desk: Desk | None = None) -> None:
        super().__init__(store, shelf)
        self.desk = desk or Desk()
        self.fate = Fate({int(at): Salt(*pair) for at, pair in shelf.secrets.items()})
        self._since_snapshot = 0
        self._referee: Referee | None = None
        self.takebacks = Takebacks(self)
        self.salting = Salting(self)

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
    def referee(self) -> Referee:
        """The game in play at its tip; raises NotAllowed for a game of which only one seat's knowledge is here."""
        if self._referee is None:
            if self.seen_as is not None:
                raise NotAllowed(
                    f"Only what {self.seen_as} knew of this game is here: look at any moment of it, but it cannot be "
                    "played on."
                )
            tip = self.tip
            self._referee = Referee(self.ruleset, self.state_at(tip), self.fate, lambda: self.state_at(self.tip))
        return self._referee

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
        """Who holds each seat: `human` or `bot:NAME`."""
        return self.shelf.seats

    @property
    def policy(self) -> str:
        """The undo policy: `free`, `until-revealed` or `consent`."""
        return self.shelf.extra.get("undo", "free")

    @property
    def typed_chance(self) -> bool:
        """Whether people enter what dice and cards gave (`--chance table`) at the tip."""
        return self.chance_at_tip() == "table"

    def chance_at_tip(self) -> str:
        """Return where outcomes come from now: `fate` or `table`."""
        salted = self.kinds({"Resalted"})
        last = self.tree.last_on_line([row.position for row in salted], self.tip)
        if last is None:
            return self.opening.chance
        event = self.event(last)
        assert isinstance(event, Resalted)
        return event.chance

    def refusal(self, action: Any, seat: str | None = None) -> Refusal | None:
        """Return why an action is not legal now; None exactly when it is."""
        return self.referee.refusal(self._seat(seat), action)

    def parse(self, text: str, seat: str | None = None) -> Sequence[Any]:
        """Return the actions a line of notation stands for; raises BadNotation."""
        return self.ruleset.parse(self.state, self._seat(seat), text)

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

        `seat` is who acts (default: the seat that must decide), `key` makes a retry safe: the same key again records
        nothing and returns what was recorded. `expect` is the position the caller believes the game stands at.
        `outcomes` are the results of dice and draws where people enter them. Bots then answer unless `bots` is false.

        Raises IllegalAction, BadNotation, Conflict, NeedsOutcome, ImpossibleOutcome, NotAllowed.
        """
        if key and (repeated := self._recorded(key)) is not None:
            return repeated
        self._expect(expect)
        if bots:
            self.play_bots()
        acting = self._seat(seat)
        start = self.length
        referee = self.referee
        batches: list[list[Event]] = []
        salted = self.salting.needed()
        try:
            if self.typed_chance:
                referee.chance = Table(outcomes)
            for item in self._items(what):
                for action in self.ruleset.parse(referee.state, acting, item) if isinstance(item, str) else [item]:
                    if batches and self.policy != "free" and any(event.reveals for event in batches[-1]):
                        raise NotAllowed(
                            "Only the last action of a line may roll, draw or reveal here: a line that is refused half "
                            "way would be a free look. Type them one at a time."
                        )
                    batch = referee.take(acting, action)
                    batches.append(with_head(batch, person=person, joined=bool(batches)))
            if isinstance(referee.chance, Table) and referee.chance.left:
                raise ImpossibleOutcome(f"Nothing here needs the result '{referee.chance.left[0]}'.")
        except BaseException:
            if batches or salted:
                self._forget()
            raise
        finally:
            referee.chance = self.fate
        keyed = {key: start + (1 if salted else 0)} if key else {}
        self._record(([salted] if salted else []) + batches, keyed)
        events = [event for batch in batches for event in batch]
        if bots:
            events += self.play_bots()
        return Played(start, tuple(events))

    @staticmethod
    def _items(what: Any) -> list[Any]:
        return list(what) if isinstance(what, list | tuple) else [what]

    def play_bots(self, limit: int = 10_000) -> list[Event]:
        """Let the seats that bots hold act until a person must decide or the game is over; returns the events."""
        if not any(not holder.startswith(BOT) for holder in self.seats.values()):
            return []
        return self.run({}, limit)

    def run(self, bots: Mapping[str, str], limit: int = 10_000, flush: int = 200) -> list[Event]:
        """Let bots act, those that hold seats and those given by seat, until nobody of them must decide.

        Decisions are recorded in transactions of `flush` batches.
        """
        holders = {seat: holder[len(BOT) :] for seat, holder in self.seats.items() if holder.startswith(BOT)} | dict(
            bots
        )
        happened: list[Event] = []
        batches: list[list[Event]] = []
        luck = self.opening.commitment
        referee = self.referee
        for _ in range(limit):
            decision = referee.decision
            if decision is None or decision.seat not in holders:
                break
            bot = holders[decision.seat]
            if not happened and (salted := self.salting.needed()):
                batches.append(salted)
            action = choose(self.ruleset, referee.state, decision, bot, luck)
            batches.append(with_head(referee.take(decision.seat, action), person=BOT + bot))
            happened += batches[-1]
            if len(batches) >= flush:
                self._record(batches)
                batches = []
        if batches:
            self._record(batches)
        return happened

    def _recorded(self, key: str) -> Played | None:
        position = self.store.find_key(self.shelf.id, key)
        if position is None:
            return None
        if position >= self.length:
            self.refresh()
        end = self.batch_end(position)
        while end + 1 < self.length and getattr(self.event(end + 1), "joined", False):
            end = self.batch_end(end + 1)
        return Played(position, tuple(event for _, event in self.events(position, end + 1)), True)

    def _expect(self, expect: int | None) -> None:
        if expect is not None and expect != self.length - 1:
            self._lost(expect + 1)

    def _lost(self, expected: int) -> None:
        """Raise Conflict, naming what happened meanwhile; the game then stands where the other writer left it."""
        self.refresh()
        news: list[str] = []
        if 0 <= expected < self.length:
            for position, event in self.events(expected, min(self.length, expected + 50)):
                if isinstance(event, ActionTaken):
                    news.append(f"@{position} {event.seat} took an action")
                elif isinstance(event, Rewound):
                    news.append(f"@{position} {event.by} to @{event.to}")
        meanwhile = f" Meanwhile: {'; '.join(news[:5])}{' …' if len(news) > 5 else ''}." if news else ""
        raise Conflict(
            f"The game stands at @{self.length - 1}, not at @{expected - 1}.{meanwhile} Look at it and try again.",
            expected,
            self.length,
        )

    # Time travel

    def undo(self, seat: str | None = None, *, person: str = "", reason: str = "", reroll: bool = False) -> Played:
        """Take back the last action of the current line, with the bots' answers to it.

        `seat` asks (default: the one whose action it is). `reroll` gives chance a new secret afterwards: without it the
        same action gives the same dice and cards. Raises NotAllowed where the policy forbids it.
        """
        to = self.takebacks.undo_target(seat)
        return self._rewind(to, "undo", seat or "", person, reason, reroll)

    def redo(self, seat: str | None = None, *, person: str = "") -> Played:
        """Go back to the tip that the last undo or rewind left; raises NotAllowed when there is none."""
        return self._rewind(self.takebacks.redo_target(), "redo", seat or "", person, "", False)

    def rewind(self, place: Any, *, seat: str = "", person: str = "", reason: str = "", reroll: bool = False) -> Played:
        """Go to the end of the batch at a position or address, on whatever line it lies.

        Raises BadAddress, and NotAllowed unless the policy is `free`.
        """
        to = self.tree.resolve(self.batch_end(self.locate(place)))
        self.takebacks.check_rewind(to)
        return self._rewind(to, "rewind", seat, person, reason, reroll)

    def consent(self, seat: str, agree: bool = True, *, person: str = "") -> Played:
        """Answer the other seat's open request to take something back; raises NotAllowed when there is none."""
        asked, to, batch = self.takebacks.answer(seat, agree)
        batch = with_head(batch, person=person)
        if not agree:
            return self._note(batch)
        rewound = Rewound(to=to, by="undo", seat=asked, person=person)
        return self._rewind_with([batch, [rewound]], to)

    def ask_undo(self, seat: str, *, person: str = "") -> Played:
        """Ask the other seat to agree to taking back the last action (policy `consent`)."""
        return self._note(with_head(self.takebacks.ask(seat), person=person))

    def note(self, text: str, place: Any = None, *, seat: str = "", person: str = "") -> Played:
        """Write a note on a position (default: now); it leaves the board alone."""
        text = " ".join(text.split())
        if not text:
            raise NotAllowed("A note needs some words.")
        at = self.tip if place is None else self.locate(place)
        return self._note([NoteAdded(at=at, text=text, seat=seat, person=person)])

    def reroll(self, seed: str | None = None, *, reason: str = "", chance: str | None = None) -> Played:
        """Give chance a new secret from here on: what nobody has seen is dealt afresh, and the log says so."""
        start = self.length
        batch = self.salting.renew(start, reason or "asked for", Salt(seed=seed) if seed else None, chance)
        self._record([batch])
        return Played(start, tuple(batch))

    def fork(
        self,
        at: Any = None,
        *,
        name: str = "",
        seats: Mapping[str, str] | None = None,
        undo: str = "",
        reroll: bool = False,
    ) -> Game:
        """Start another game from the end of the batch at a position or address; copies nothing, whatever the length.

        A fork of an unfinished game gets a new secret unless its undo policy is `free`: else it would show what fate
        has in store for its parent.
        """
        place = self.length - 1 if at is None else self.batch_end(self.locate(at))
        state = self.state_at(place)
        ended = None if state.pending else self.ruleset.outcome(state)
        owners = [(game, stop - 1) for game, _, stop in self._owners if stop is not None and stop <= place]
        lineage = [*owners, (self.owner(place), place)]
        policy = undo or self.policy
        held = dict(seats) if seats is not None else dict(self.seats)
        forked = GameForked(lineage=tuple(lineage), seats=held, undo=policy)
        first = place + 1
        prev = batch_digest(row.data for row in self.rows(self.batch_start(place), first))
        stamped = with_head([forked], time=self.desk.now(), prev=prev)
        secrets = {at: pair for at, pair in self.shelf.secrets.items() if int(at) <= place}
        data = self.codec.encode(stamped[0], first, "")
        shelf = Shelf(
            id=self.desk.new_id(),
            name=name or self.desk.fork_name(self.store, self.shelf.name),
            ruleset=self.shelf.ruleset,
            ruleset_version=self.shelf.ruleset_version,
            content=self.shelf.content,
            created=self.desk.now(),
            changed=self.desk.now(),
            length=first + 1,
            head=batch_digest([data]),
            outcome=ended.result if ended else "",
            seats=held,
            lineage=lineage,
            secrets=secrets,
            key_public=self.shelf.key_public,
            extra={**self.shelf.extra, "undo": policy},
        )
        self.store.create(shelf, [Row(first, "GameForked", data)], None)
        branch = type(self)(self.store, self.store.shelf(shelf.id), self.desk)
        if reroll or (policy != "free" and state.pending):
            branch.reroll(reason="a fork deals afresh")
        return branch

    def _note(self, batch: Sequence[Event]) -> Played:
        start = self.length
        self._record([list(batch)])
        return Played(start, tuple(batch))

    def _rewind(self, to: int, by: str, seat: str, person: str, reason: str, reroll: bool) -> Played:
        rewound = Rewound(to=to, by=by, reason=reason, seat=seat, person=person)
        return self._rewind_with([[rewound]], to, reroll)

    def _rewind_with(self, batches: list[list[Event]], to: int, reroll: bool = False) -> Played:
        start = self.length
        self.referee.reset(self.state_at(to))
        self._since_snapshot = 0
        if reroll:
            batches = [*batches, self.salting.renew(start + sum(map(len, batches)), "a re-roll was asked for")]
        self._record(batches)
        return Played(start, tuple(event for batch in batches for event in batch))

    # Writing

    def _record(self, batches: Sequence[Sequence[Event]], keys: Mapping[str, int] | None = None) -> None:
        """Store batches that the referee has played already, in one transaction; on failure play none of them."""
        start = position = self.length
        now = self.desk.now()
        prev = self.shelf.head
        rows: list[Row] = []
        todo = [list(batch) for batch in batches]
        outcome = self.outcome
        key_out = self.salting.reveal() if outcome is not None else None
        if key_out is not None:
            todo.append(key_out)
        epoch = self._epoch_before
        for batch in todo:
            if isinstance(batch[0], Resalted):
                epoch = batch[0].at
            stamped = with_head(batch, time=now, prev=prev)
            first = len(rows)
            key = self.fate.key(epoch) if epoch in self.fate.salts else ""
            for event in stamped:
                rows.append(Row(position, type(event).__name__, self.codec.encode(event, position, key)))
                position += 1
            prev = batch_digest(row.data for row in rows[first:])
        fresh = {
            str(batch[0].at): [self.fate.salts[batch[0].at].nonce, self.fate.salts[batch[0].at].seed]
            for batch in todo
            if isinstance(batch[0], Resalted)
        }
        result = outcome.result if outcome is not None else ""
        try:
            self.store.append(
                self.shelf.id,
                start,
                rows,
                head=prev,
                changed=now,
                keys=keys or {},
                outcome=result,
                key_public=True if key_out is not None else None,
                secrets=fresh or None,
            )
        except Conflict as error:
            self._forget()
            self._lost(error.expected)
        except BaseException:
            self._forget()
            raise
        self.shelf.length = position
        self.shelf.head, self.shelf.changed, self.shelf.outcome = prev, now, result
        self.shelf.key_public = self.shelf.key_public or key_out is not None
        self.shelf.secrets.update(fresh)
        self.tree.length = position
        at = start
        for batch in todo:
            if isinstance(batch[0], Rewound):
                self.tree.rewound(at, batch[0].to)
            at += len(batch)
        self._epoch_before = self.state.chance.epoch
        self._since_snapshot += len(rows)
        if self._since_snapshot >= EVERY:
            self._since_snapshot = 0
            self.keep(self.tip, self.state)

    @property
    def _epoch_before(self) -> int:
        """The epoch in force when the batches about to be recorded began."""
        if self._epoch is None:
            self._epoch = int(self.state_at(self.tip).chance.epoch)
        return self._epoch

    @_epoch_before.setter
    def _epoch_before(self, epoch: int) -> None:
        self._epoch = epoch

    _epoch: int | None = None

    def _forget(self) -> None:
        """Drop what was played but not recorded."""
        self._referee = None
        self._epoch = None

    def refresh(self) -> None:
        """Read again what others have recorded meanwhile."""
        self.shelf = self.store.shelf(self.shelf.id)
        self.__dict__.pop("_owners", None)
        self.fate = Fate({int(at): Salt(*pair) for at, pair in self.shelf.secrets.items()})
        self._load_tree()
        self._forget()
