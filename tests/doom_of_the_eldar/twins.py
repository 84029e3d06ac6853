"""Recorded games that differ only in what the Eldar must not know: which Swarm is which, and the mine's orders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from warptape.api import Store
from warptape.domain.chance import Fate, Luck, Salt, Table
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.actions import GiveOrder
from warptape.domain.doom_of_the_eldar.state import ELDAR, Options
from warptape.domain.events import CounterDrawn, CounterRevealed, DiceRolled, Event
from warptape.domain.referee import Match
from warptape.domain.secrets import redact
from warptape.replays.writing import Desk

NONCE = "5ec2e7" * 5 + "00"


class Same(Desk):
    """A desk at which every game gets the same time, secret and ids: what differs is not its doing."""

    def __init__(self) -> None:
        self.games = 0

    def now(self) -> str:
        return "2026-01-01T00:00:00.000Z"

    def salt(self) -> Salt:
        return Salt(nonce=NONCE)

    def new_id(self) -> str:
        self.games += 1
        return f"game{self.games}"


class Turn(NamedTuple):
    """One action of a game with what chance gave for it, as people enter it; the first is the opening, without action."""

    seat: str
    action: Any
    outcomes: list[str]


def outcomes(batch: Sequence[Event]) -> list[str]:
    """What chance gave in a batch, as people would enter it."""
    found: list[str] = []
    for event in batch:
        if isinstance(event, DiceRolled):
            found += map(str, event.values)  # type: ignore[arg-type]
        elif isinstance(event, CounterDrawn) and not isinstance(event, CounterRevealed):
            found.append(str(event.item))
    return found


def story(seed: str, options: Options, decisions: int) -> tuple[list[Turn], list[Event]]:
    """A random game up to some decision, or to just before its end."""
    match, luck = Match(RULESET, Fate(seed), options), Luck(seed, "actions")
    turns = [Turn("", None, outcomes(match.events))]
    events = list(match.events)
    for _ in range(decisions):
        decision = match.decision
        assert decision is not None
        action = luck.choice(decision.actions)
        batch = match.act(action, decision.seat)
        if match.decision is None:
            break
        turns.append(Turn(decision.seat, action, outcomes(batch)))
        events += batch
    return turns, events


def swapped(turns: list[Turn], one: str, other: str, orders: int) -> list[Turn]:
    """The same game with two counters in each other's place, and other orders for the mine."""
    names = {one: other, other: one}
    found = []
    for seat, action, given in turns:
        if isinstance(action, GiveOrder):
            assert isinstance(action.order, int)
            action = GiveOrder((action.order + orders) % 19)
        found.append(Turn(seat, action, [names.get(item, item) for item in given]))
    return found


def played(turns: list[Turn], options: Options) -> list[Event]:
    """The events of a game whose chance is entered; raises what the rules raise."""
    match = Match(RULESET, Table(turns[0].outcomes), options)
    for turn in turns[1:]:
        match.referee.chance = Table(turn.outcomes)
        match.act(turn.action, turn.seat)
    return match.events


def twins(seed: str, options: Options, decisions: int) -> tuple[list[Turn], list[Turn], tuple[str, str]]:
    """Two games that look alike to the Eldar, and the counters that have changed places in the second."""
    turns, events = story(seed, options, decisions)
    drawn = {str(e.item) for e in events if isinstance(e, CounterDrawn) and not isinstance(e, CounterRevealed)}
    shown = {
        str(e.item)
        for e in events
        if isinstance(e, CounterRevealed) and (e.seen_by is None or ELDAR in e.seen_by)
    }  # fmt: skip
    luck = Luck(seed, "twins")
    seen = [redact(event, ELDAR) for event in events]
    for one in luck.shuffled(sorted(drawn - shown)):
        for other in luck.shuffled(sorted({*RULESET.book.lid(options)} - shown - {one})):
            if RULESET.book.counters[one].kind == RULESET.book.counters[other].kind:
                continue
            for orders in (1, 0):
                second = swapped(turns, one, other, orders)
                try:
                    again = played(second, options)
                except Exception:  # it could not have gone so: the Hive Mind was shown, a mine burst
                    continue
                if [redact(event, ELDAR) for event in again] == seen:
                    return turns, second, (one, other)
    raise LookupError("every counter of this game has been seen")


def recorded(turns: list[Turn], options: Options, url: str | Path) -> Any:
    """A recorded game of people at a table, with some actions taken back and played again."""
    store = Store(url, Same())
    given = {name: str(getattr(options, name)) for name in options.__struct_fields__}
    game = store.new(
        "doom-of-the-eldar", name="twin", chance="table", undo="free", options=given, outcomes=turns[0].outcomes
    )
    for number, turn in enumerate(turns[1:]):
        game.act(turn.action, turn.seat, outcomes=turn.outcomes)
        if number % 23 == 5:
            game.undo()
            game.redo()
        if number % 37 == 9:
            game.undo(reason="again")
            game.act(turn.action, turn.seat, outcomes=turn.outcomes)
    return game


__all__ = ["NONCE", "recorded", "twins"]
