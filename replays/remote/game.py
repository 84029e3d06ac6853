"""A game on a server: what changes it is asked of the server, what is there is read from the mirror."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Self, cast

import msgspec

from ...domain.errors import Conflict, NotAllowed, WarptapeError
from ...domain.events import Event, GameOpened, Resalted
from ...domain.rules import Decision, Outcome, Refusal
from ..game import Game
from ..recording import Played
from ..shelf import Shelf
from ..store import Store
from ..tape import Position
from ..wire import (
    PUBLIC,
    Act,
    Answer,
    AskUndo,
    Change,
    Consent,
    Created,
    Done,
    Fork,
    GameInfo,
    Redo,
    RemoveNote,
    Reroll,
    Rewind,
    Undo,
    Why,
    WriteNote,
)
from ..writing import Desk
from .following import Follower
from .line import LineDown
from .mirror import HttpStore
from .passes import Pass


class _Here(NamedTuple):
    """Where the game stands, worked out once."""

    length: int
    position: Position
    decision: Decision | None


class RemoteGame(Game):
    """A recorded game on a server, as one pass sees it; the same methods, errors and messages as of one in a file.

    Each change carries a key, so that it is tried again until it is answered and is done once all the same, and how far
    the log was known here: where somebody else was first it raises Conflict. Bots play on the server, by themselves.
    """

    def __init__(self, store: Store, shelf: Shelf, desk: Desk | None = None) -> None:
        super().__init__(store, shelf, desk)
        self.http = cast("HttpStore", store)
        self.invitations: Mapping[str, str] = {}
        """Of a game that was made just now: by seat, the one-time code that gives its token."""
        self._is: _Here | None = None
        self._unsure = False

    # What is there

    @property
    def info(self) -> GameInfo:
        """What the server last said of the game."""
        return self.http.infos[self.id]

    @property
    def own_seat(self) -> str | None:
        """The seat that the pass is for, `everybody` for who only looks on; None for an arbiter who sees everything."""
        info = self.info
        return info.seat or (None if info.acts else PUBLIC)

    @property
    def reachable(self) -> bool:
        """Whether the server answered last."""
        return self.http.line.up

    @property
    def unsure(self) -> bool:
        """Whether the last change was given up before its answer came: it may be recorded. `refresh` finds out."""
        return self._unsure

    @property
    def _here(self) -> _Here:
        if self._is is None or self._is.length != self.length:
            position = self.at()
            self._is = _Here(self.length, position, self._decision(position))
        return self._is

    def _decision(self, position: Position) -> Decision | None:
        """Return the decision: what it is between only to the seat that takes it, where there are secrets."""
        asked = self.info.decision
        if asked is None:
            return None
        if self.seen_as in (None, asked.seat):
            found = position.decision
            if found is not None and found.seat == asked.seat:
                return found
        return Decision(asked.seat, (), asked.prompt)

    @property
    def state(self) -> Any:
        """The state now, as the pass may know it; to read, not to change."""
        return self._here.position.state

    @property
    def decision(self) -> Decision | None:
        """Which seat must choose, and between what; None when the game is over."""
        return self._here.decision

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is on."""
        here = self._here
        return None if here.decision is not None else self.info.ended or here.position.outcome

    def chance_at_tip(self) -> str:
        """Return where outcomes come from now: `fate` or `table`."""
        event = self.event(self.state.chance.epoch)
        return event.chance if isinstance(event, GameOpened | Resalted) else self.info.chance

    def refusal(self, action: Any, seat: str | None = None) -> Refusal | None:
        """Return why an action is not legal now, as the server says; None exactly when it is."""
        answer, _ = self.http.ask("POST", "why", Answer, game=self.id, body=Why(_sent(action), seat))
        return None if answer.legal else Refusal(answer.rule, answer.reason)

    def refresh(self) -> None:
        """Read again what others have recorded meanwhile."""
        super().refresh()
        self._stand()
        self._unsure = False

    def follow(self, wake: Callable[[], None]) -> Callable[[], None] | None:
        """Have `wake` called, in a thread, when the server tells of something new; returns what ends that."""
        follower = Follower(self.http, self.id, lambda: self.length, wake)
        follower.start()
        return follower.stop

    def _stand(self, shelf: Shelf | None = None) -> None:
        """Forget what was worked out of the log as it was, and with a record stand where that says."""
        if shelf is not None:
            self.shelf = shelf
            self.codec.eras.forget()
            self.__dict__.pop("_owners", None)
            self.tree = self._tree()
            self._forget()
        self.__dict__.pop("opening", None)
        self._is = None

    # Changes

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
        """Take an action, as `Game.act` does; bots that are due act on the server, whatever `bots` says.

        Raises also LineDown when no answer comes: the action may be recorded then, and the same `key` finds it.
        """
        actions = [_sent(one) for one in (what if isinstance(what, list | tuple) else [what])]
        change = Act(seat=seat, person=person, expect=expect, actions=actions, outcomes=list(outcomes))
        played = self._acted(change, key)
        answers = self._answers(bots)
        return msgspec.structs.replace(played, events=played.events + answers) if answers else played

    def _acted(self, change: Act, key: str = "") -> Played:
        return self._recorded_by("act", change, key)

    def play_bots(self, limit: int = 10_000) -> tuple[Event, ...]:
        """Let a program of whoever sits here act for the seat of the pass, while it must decide; returns the events.

        Bots that hold seats are played by the server, by itself. Raises BotFailed when a program gives no answer.
        """
        happened: tuple[Event, ...] = ()
        for _ in range(limit):
            decision = self.decision
            if decision is None or decision.seat not in self.info.acts or self.typed_chance:
                break
            player = self.player(decision.seat)
            if player is None:
                break
            action = player.choose(self)
            happened += self._acted(Act(seat=decision.seat, person=player.holder, actions=[_sent(action)])).events
        return happened

    def run(self, bots: Mapping[str, str], limit: int = 10_000, flush: int = 200) -> tuple[Event, ...]:
        """Return what `play_bots` does; raises NotAllowed for bots of the ruleset, which play on the server."""
        if bots:
            raise NotAllowed("On a server bots play the seats that they hold, and no others.")
        return self.play_bots(limit)

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
        """Take back the last action of the current line, as `Game.undo` does."""
        return self._recorded_by(
            "undo", Undo(seat=seat, person=person, reason=reason, reroll=reroll, expect=expect), key
        )

    def redo(self, seat: str | None = None, *, person: str = "", key: str = "", expect: int | None = None) -> Played:
        """Go back to the tip that the last undo or rewind left, as `Game.redo` does."""
        return self._recorded_by("redo", Redo(seat=seat, person=person, expect=expect), key)

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
        """Go to the end of the batch at a position or address, as `Game.rewind` does."""
        at = self.locate(place)
        change = Rewind(seat=seat or None, person=person, at=at, reason=reason, reroll=reroll, expect=expect)
        return self._recorded_by("rewind", change, key)

    def consent(
        self, seat: str, agree: bool = True, *, person: str = "", key: str = "", expect: int | None = None
    ) -> Played:
        """Answer the other seat's open request to take something back, as `Game.consent` does."""
        return self._recorded_by("consent", Consent(seat=seat, person=person, agree=agree, expect=expect), key)

    def ask_undo(self, seat: str, *, person: str = "", key: str = "", expect: int | None = None) -> Played:
        """Ask the other seat to agree to taking something back, as `Game.ask_undo` does."""
        return self._recorded_by("ask-undo", AskUndo(seat=seat, person=person, expect=expect), key)

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
        """Write a note on a position (default: now), as `Game.note` does."""
        at = None if place is None else self.locate(place)
        change = WriteNote(
            seat=seat or None, person=person, text=text, at=at, tags=list(tags), private=private, expect=expect
        )
        return self._recorded_by("notes", change, key)

    def remove_note(
        self, place: Any, *, seat: str = "", person: str = "", key: str = "", expect: int | None = None
    ) -> Played:
        """Take back the note that was written at a position of the log, as `Game.remove_note` does."""
        change = RemoveNote(seat=seat or None, person=person, expect=expect)
        return self._recorded_by(f"notes/{self.locate(place)}", change, key, "DELETE")

    def reroll(
        self,
        seed: str | None = None,
        *,
        reason: str = "",
        chance: str | None = None,
        key: str = "",
        expect: int | None = None,
    ) -> Played:
        """Give chance a new secret from here on, as `Game.reroll` does."""
        return self._recorded_by("reroll", Reroll(seed=seed or "", reason=reason, chance=chance, expect=expect), key)

    def _recorded_by(self, path: str, change: Change, key: str, method: str = "POST") -> Played:
        """Have the server change the game, and take up what it recorded."""
        before = self.length
        change.key = key or new_key()
        change.since = before
        if change.expect is None:
            change.expect = before - 1
        self._unsure = True
        try:
            done, tries = self.http.ask(method, path, Done, game=self.id, body=change, key=change.key)
        except Conflict:
            self.refresh()
            raise
        except WarptapeError as error:
            self._unsure = isinstance(error, LineDown)
            raise
        self._unsure = False
        shelf = self.http.took(self.id, done)
        if shelf is None:
            self.refresh()
        else:
            self._stand(shelf)
        events = tuple(event for _, event in self.events(done.position, done.position + done.count))
        again = done.repeated and bool(key) and (tries == 1 or done.position < before)
        return Played(done.position, events, again)

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
        """Start another game from the end of the batch at a position or address, on the server: see `Game.fork`.

        Whoever forks is the arbiter of the fork; `invitations` has the codes for its seats.
        """
        place = None if at is None else self.locate(at)
        held = None if seats is None else dict(seats)
        asked = Fork(at=place, name=name, seats=held, undo=undo, reroll=reroll, as_of=as_of, key=new_key())
        made, _ = self.http.ask("POST", "fork", Created, game=self.id, body=asked, key=asked.key)
        return type(self).made(self.http, made, self.desk)

    @classmethod
    def made(cls, store: HttpStore, made: Created, desk: Desk) -> Self:
        """Return the game that the server has just made; its arbiter's token is kept."""
        store.keep(Pass(token=made.arbiter, role="arbiter", game=made.game.id, name=made.game.name))
        game = cls(store, store.shelf(made.game.id), desk)
        game.invitations = dict(made.invitations)
        return game


def new_key() -> str:
    """Return a word for a change that nobody else has: the same change with it again is done once."""
    return secrets.token_urlsafe(24)


def _sent(action: Any) -> str | dict[str, Any]:
    """Return an action as it is sent: notation, or the JSON of its type."""
    if isinstance(action, str):
        return action
    plain: dict[str, Any] = msgspec.to_builtins(action)
    return plain
