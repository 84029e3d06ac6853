"""Makes the messages for a bot from a recorded game and a seat, and reads its answers: nothing of others is in them.

Everything is made of the seat's view and of the seat's own log, so two games that look alike to a seat give the same bytes.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Union

import msgspec

from ...domain.errors import BadNotation, IllegalAction, NotAllowed, WarptapeError
from ...domain.events import Event, Head
from ...domain.rules import Decision
from ...domain.secrets import SEALED
from ..told import tell_log
from .messages import (
    LISTED,
    PROTOCOL,
    TOLD,
    Answer,
    Ask,
    Choice,
    Clock,
    Ending,
    Happened,
    Hello,
    Limits,
    Listing,
    Named,
    Over,
    Rules,
)

if TYPE_CHECKING:
    from ..game import Game

_HEAD = frozenset(Head.__struct_fields__) - {"seat"}
"""What recording puts into an event: who typed it when, under which key, and the digest of the chain."""

_answer = msgspec.json.Decoder(Answer)


class Unfit(WarptapeError):
    """An answer of a bot does not do: `rule` is the ID of the rule that forbids it, empty where it is no action."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule


class Question:
    """What a seat must decide in a game now, as that seat may know it; raises NotAllowed where it is not asked.

    `id` is the length of the log: it changes with everything that is recorded.
    """

    def __init__(self, game: Game, seat: str) -> None:
        self.game, self.seat, self.id = game, seat, game.length
        rules = game.ruleset
        self.view: Any = rules.view(game.state, seat) if rules.secretive else game.state
        decision = game.decision
        if decision is None or decision.seat != seat:
            raise NotAllowed(f"{seat} has nothing to decide now.")
        # A list of actions may hold on to the state it came from: so it is made from the view.
        self.decision: Decision = (rules.decision(self.view) or decision) if rules.secretive else decision

    def choices(self, first: int = 0) -> tuple[Choice, ...]:
        """Return the legal actions from a number on, as many as one message lists."""
        rules, actions = self.game.ruleset, self.decision.actions
        return tuple(
            Choice(
                number,
                rules.notation(self.view, actions[number]),
                rules.describe(self.view, actions[number]),
                plain(actions[number]),
            )
            for number in range(first, min(first + LISTED, len(actions)))
        )

    def ask(self, clock: Clock, since: int = 0) -> Ask:
        """Return the question; `since` is the id of the one before, from which on is told what happened."""
        listed, count = self.choices(), len(self.decision.actions)
        told, missed = happened(self.game, self.seat, since)
        return Ask(
            id=self.id,
            position=self.game.tip,
            seat=self.seat,
            prompt=self.decision.prompt,
            view=plain(self.view),
            count=count,
            actions=listed,
            more=len(listed) < count,
            since=told,
            missed=missed,
            clock=clock,
        )

    def listing(self, first: int, clock: Clock) -> Listing:
        """Return more of the legal actions, from a number on; raises Unfit for a number that none has."""
        count = len(self.decision.actions)
        if not 0 <= first < count:
            raise Unfit(f"there are {count} actions, from number 0 on")
        listed = self.choices(first)
        return Listing(self.id, first, count, listed, first + len(listed) < count, clock)

    def chosen(self, answer: Answer) -> Any:
        """Return the legal action that an answer names; raises Unfit, saying why it names none."""
        if (answer.action is None) == (answer.index is None):
            raise Unfit('an answer has one of "action", "index" and "list"')
        actions = self.decision.actions
        if answer.index is not None:
            if not 0 <= answer.index < len(actions):
                raise Unfit(f"there is no action number {answer.index}: they are numbered 0 to {len(actions) - 1}")
            return actions[answer.index]
        rules = self.game.ruleset
        try:
            action = self._read(answer.action)
        except IllegalAction as error:
            raise Unfit(error.refusal.reason, error.refusal.rule) from error
        except (BadNotation, msgspec.ValidationError) as error:
            raise Unfit(str(error)) from error
        if action in actions:
            return action
        refusal = rules.refusal(self.view, self.seat, action)
        raise Unfit(refusal.reason, refusal.rule) if refusal else Unfit("that is not possible now")

    def _read(self, given: Any) -> Any:
        rules = self.game.ruleset
        if not isinstance(given, str):
            return msgspec.convert(given, Union[rules.actions])  # noqa: UP007
        found = rules.parse(self.view, self.seat, given)
        if len(found) != 1:
            raise Unfit(f"'{given}' stands for {len(found)} actions: answer with one at a time")
        return found[0]


def read(line: bytes) -> Answer:
    """Return what a line of a bot says; raises Unfit for one that is no answer."""
    try:
        return _answer.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Unfit(f"that is no answer ({error})") from error


def hello(game: Game, seat: str) -> Hello:
    """Return what a bot is told first of a game."""
    rules = game.ruleset
    names = {one.id: one.name for one in rules.seats(game.options)}
    luck = hashlib.sha256(f"{game.opening.commitment}|{seat}|bot".encode()).hexdigest()[:16]
    return Hello(
        protocol=PROTOCOL,
        game=Named(game.id, game.name),
        ruleset=Rules(rules.id, rules.version, rules.title, rules.content.digest),
        seat=Named(seat, names.get(seat, seat)),
        seats=tuple(Named(each, name) for each, name in names.items()),
        options=plain(game.options),
        luck=luck,
        hidden=plain(SEALED),
        limits=Limits(),
    )


def over(game: Game, seat: str, since: int = 0) -> Over:
    """Return what a bot is told at the end of a game."""
    told, missed = happened(game, seat, since)
    end = game.outcome
    outcome = Ending(end.result, end.winners, end.reason, end.figures) if end is not None else None
    return Over(game.tip, outcome, told, missed)


def happened(game: Game, seat: str, since: int) -> tuple[tuple[Happened, ...], int]:
    """Return what happened from a position on, as the seat may know it, and how many of the oldest events are left out."""
    first = max(since, game.length - TOLD, 0)
    told = tuple(
        Happened(one.position, one.kind, one.text, one.on_line, _bare(one.event))
        for one in tell_log(game, first, seat=seat)
    )
    return told, max(0, first - since)


def plain(value: Any) -> Any:
    """Return a struct as plain data, its sets and mappings in an order of their own."""
    return msgspec.to_builtins(value, str_keys=True, order="deterministic")


def _bare(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = plain(event)
    return {name: value for name, value in found.items() if name not in _HEAD} if isinstance(event, Head) else found
