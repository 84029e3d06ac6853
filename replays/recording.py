"""The writing side of a recorded game: batches go into the store all or nothing, and memory follows the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from ..domain.chance import Fate, Salt
from ..domain.errors import Conflict, NotAllowed, StoreError
from ..domain.events import ActionTaken, Event, GameOpened, Resalted, Rewound, VersionChanged
from ..domain.referee import Referee
from .codec import batch_digest, with_head
from .repeats import settled
from .salting import Salting
from .shelf import Row, Shelf
from .store import Store
from .tape import EVERY, Tape, blamed
from .writing import Desk


class Played(msgspec.Struct, frozen=True):
    """What one call recorded: `events` with their first `position`; `repeated` when a retry found it recorded already."""

    position: int
    events: tuple[Event, ...]
    repeated: bool = False


class Recorder(Tape):
    """A recorded game with a referee at its tip, and the one way in which batches are recorded."""

    def __init__(self, store: Store, shelf: Shelf, desk: Desk | None = None) -> None:
        super().__init__(store, shelf)
        self.desk = desk or Desk()
        self.fate = self._fate()
        self.salting = Salting(self)
        self._referee: Referee | None = None
        self._epoch = 0
        self._since_snapshot = 0
        self._source = (-1, "")

    def _fate(self) -> Fate:
        return Fate({int(at): Salt(*pair) for at, pair in self.shelf.secrets.items()})

    @property
    def referee(self) -> Referee:
        """The game in play at its tip; raises NotAllowed for a game of which only one seat's knowledge is here."""
        if self._referee is None:
            self._play_from(self.tip)
        assert self._referee is not None
        return self._referee

    def _play_from(self, position: int) -> None:
        """Put the game in play at a position."""
        if self.seen_as is not None:
            raise NotAllowed(
                f"Only what {self.seen_as} knew of this game is here: look at any moment of it, but it cannot be "
                "played on."
            )
        if position < self.whole_from:
            raise NotAllowed(
                f"Before @{self.whole_from} only what one seat knew is here: look at any moment of it, but the game cannot "
                "go back there."
            )
        state = self.state_at(position)
        with blamed(position):
            self._referee = Referee(self.ruleset, state, self.fate, lambda: self.state_at(self.tip))
        self._epoch = state.chance.epoch
        self._since_snapshot = 0

    @property
    def policy(self) -> str:
        """The undo policy: `free`, `until-revealed` or `consent`."""
        return self.shelf.extra.get("undo", "free")

    def chance_at_tip(self) -> str:
        """Return where outcomes come from now: `fate` or `table`."""
        epoch = self.referee.state.chance.epoch
        if self._source[0] != epoch:
            event = self.event(epoch)
            assert isinstance(event, GameOpened | Resalted)
            self._source = (epoch, event.chance)
        return self._source[1]

    def take_from(self, source: str, epoch: int) -> None:
        """Take outcomes from `fate` or `table` under the secret of an epoch, which may still be to be recorded."""
        self._source = (epoch, source)

    def going_on(self) -> list[list[Event]]:
        """Return the batches that stand before an action: the version of the rules from here on, and a new secret of
        chance, each where it is due.

        Raises NotAllowed where a newer version of the rules recorded the game.
        """
        batches = self.codec.eras.upgrade(acting=True)
        return batches + self.salting.needed(self.length + len(batches))

    def _record(self, batches: Sequence[Sequence[Event]], keys: Mapping[str, int] | None = None) -> tuple[Event, ...]:
        """Store batches that the referee has played already, in one transaction, and return their events.

        When the game is over with them, batches that reveal its secrets follow. On failure none of them were played.
        """
        start = position = self.length
        now = self.desk.now()
        prev = self.shelf.head
        rows: list[Row] = []
        recorded: list[Event] = []
        epoch = self._epoch
        rewinds: list[tuple[int, int]] = []
        fresh: dict[str, list[str]] = {}
        changed = False
        outcome = self.referee.outcome
        for batch in batches if outcome is None else [*batches, *self.salting.reveal()]:
            head = batch[0]
            if isinstance(head, VersionChanged):
                changed = True
            elif isinstance(head, Resalted):
                epoch = head.at
                salt = self.fate.salts[epoch]
                fresh[str(epoch)] = [salt.nonce, salt.seed]
            elif isinstance(head, Rewound):
                rewinds.append((position, head.to))
            first = len(rows)
            key = self.fate.key(epoch) if epoch in self.fate.salts else ""
            for event in with_head(batch, time=now, prev=prev):
                rows.append(Row(position, type(event).__name__, self.codec.encode(event, position, key)))
                recorded.append(event)
                position += 1
            prev = batch_digest(row.data for row in rows[first:])
        result = outcome.result if outcome is not None else ""
        public = self.shelf.key_public or any(row.kind == "KeyRevealed" for row in rows)
        try:
            self.store.append(
                self.shelf.id,
                start,
                rows,
                head=prev,
                changed=now,
                keys=keys,
                outcome=result,
                key_public=public,
                secrets=fresh,
            )
        except Conflict as error:
            self._lost(error.expected, error)
        except StoreError:
            self._forget()
            with suppress(StoreError):  # it may have been recorded all the same: a connection lost while it committed
                self.refresh()
            raise
        except BaseException:
            self._forget()
            raise
        shelf = self.shelf
        shelf.length, shelf.head, shelf.changed, shelf.outcome, shelf.key_public = position, prev, now, result, public
        shelf.secrets.update(fresh)
        self.tree.length = position
        for at, to in rewinds:
            self.tree.rewound(at, to)
        if changed:
            self.codec.eras.forget()
        self._epoch = self.referee.state.chance.epoch
        self._since_snapshot += len(rows)
        if self._since_snapshot >= EVERY:
            self._since_snapshot = 0
            self.keep(self.tip, self.referee.state)
        return tuple(recorded)

    def _check_expected(self, expect: int | None) -> None:
        """Raise Conflict unless the board is as it was at a position."""
        if expect is not None and not (0 <= expect < self.length and self.tree.resolve(expect) == self.tip):
            self._lost(max(0, expect) + 1)

    def _before(self, key: str, expect: int | None) -> Played | None:
        """Return what was recorded under a key; raises Conflict where the board is not as expected."""
        start = self.store.find_key(self.shelf.id, key) if key else None
        if start is None:
            self._check_expected(expect)
            return None
        if start >= self.length:
            self.refresh()
        return Played(start, settled(self, start), True)

    def _change(
        self, before: Sequence[Sequence[Event]], main: Sequence[Event], after: Sequence[Sequence[Event]], key: str
    ) -> Played:
        """Record a change with what must stand before and after it; its own head carries the key."""
        start = self.length
        at = start + sum(map(len, before))
        batches = [*before, with_head(main, key=key) if key else main, *after]
        try:
            return Played(start, self._record(batches, {key: at} if key else None))
        except Conflict:
            if (repeated := self._before(key, None)) is not None:
                return repeated
            raise

    def _forget(self) -> None:
        """Drop what was played but not recorded."""
        self._referee = None
        self.fate = self._fate()
        self.salting.forget()
        self._source = (-1, "")

    def refresh(self) -> None:
        """Read again what others have recorded meanwhile."""
        self.shelf = self.store.shelf(self.shelf.id)
        self.codec.eras.forget()
        self.__dict__.pop("_owners", None)
        self.tree = self._tree()
        self._forget()

    def _lost(self, expected: int, cause: Conflict | None = None) -> None:
        """Raise Conflict, naming what happened meanwhile; the game then stands where the other writer left it."""
        self.refresh()
        if cause is not None and self.length == expected:
            raise cause  # a key that was used before
        news: list[str] = []
        for position, event in self.events(max(0, expected), min(self.length, expected + 50)):
            if isinstance(event, ActionTaken):
                news.append(f"@{position} {event.seat} took an action")
            elif isinstance(event, Rewound):
                news.append(f"@{position} {event.by} to @{event.to}")
        meanwhile = f" Meanwhile: {'; '.join(news[:5])}{' …' if len(news) > 5 else ''}." if news else ""
        raise Conflict(
            f"The game stands at @{self.length - 1}, not at @{expected - 1}.{meanwhile} Look at it and try again.",
            expected,
            self.length,
        ) from cause
