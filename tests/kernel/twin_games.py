"""Recorded games that differ only in what one seat must not know: the same moves, with another outcome here and there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import laws

from warptape.api import Store
from warptape.domain.chance import Fate, Luck, Salt, Table
from warptape.domain.events import CardDrawn, CardRevealed, CounterDrawn, CounterRevealed, DiceRolled, Event
from warptape.domain.referee import Match
from warptape.domain.rules import Ruleset
from warptape.replays.writing import Desk

NONCE = "5ec2e7" * 5 + "00"


class Same(Desk):
    """A desk at which every game gets the same time, secret and ids: what differs is not its doing."""

    def __init__(self, nonce: str = NONCE) -> None:
        self.games = 0
        self.nonce = nonce

    def now(self) -> str:
        return "2026-01-01T00:00:00.000Z"

    def salt(self) -> Salt:
        return Salt(nonce=self.nonce)

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
        elif isinstance(event, CounterDrawn | CardDrawn) and not isinstance(event, CounterRevealed | CardRevealed):
            found.append(str(event.item))
    return found


def story(
    ruleset: Ruleset, seed: str, options: Any, decisions: int, choose: laws.Chooser = laws.anything
) -> tuple[list[Turn], list[Event]]:
    """A random game up to some decision, or to just before its end."""
    match, luck = Match(ruleset, Fate(seed), options), Luck(seed, "actions")
    turns = [Turn("", None, outcomes(match.events))]
    events = list(match.events)
    for _ in range(decisions):
        decision = match.decision
        assert decision is not None
        action = choose(match, luck)
        batch = match.act(action, decision.seat)
        if match.decision is None:
            break
        turns.append(Turn(decision.seat, action, outcomes(batch)))
        events += batch
    return turns, events


def replayed(ruleset: Ruleset, turns: list[Turn], options: Any) -> list[Event]:
    """The events of a game whose chance is entered; raises what the rules raise."""
    match = Match(ruleset, Table(turns[0].outcomes), options)
    for turn in turns[1:]:
        match.referee.chance = Table(turn.outcomes)
        match.act(turn.action, turn.seat)
    return match.events


def recorded(ruleset: Ruleset, turns: list[Turn], options: Any, url: str | Path) -> Any:
    """A recorded game of people at a table, with some actions taken back and played again."""
    store = Store(url, Same())
    given = {name: str(getattr(options, name)) for name in options.__struct_fields__}
    game = store.new(ruleset.id, name="twin", chance="table", undo="free", options=given, outcomes=turns[0].outcomes)
    for number, turn in enumerate(turns[1:]):
        game.act(turn.action, turn.seat, outcomes=turn.outcomes)
        if number % 23 == 5:
            game.undo()
            game.redo()
        if number % 37 == 9:
            game.undo(reason="again")
            game.act(turn.action, turn.seat, outcomes=turn.outcomes)
    return game
