"""Luck and skill: what each decision of a game was worth, what chance made of it, and what the best other one was worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ..domain.chance import OUTCOMES, Luck
from ..domain.errors import NotAllowed, WarptapeError
from ..domain.events import ActionTaken, Event
from ..domain.referee import choose
from .playouts import Outcomes, Value
from .tape import Tape
from .valuing import Answers, Panel, Question, answer, panel_of

TRIED = 4
"""Other actions that are tried at a decision: the bot's own choice, and some at random."""


class Drawn(msgspec.Struct, frozen=True):
    """A roll or draw of a decision: its position, and by how much it changed what the game was worth for each seat."""

    position: int
    luck: dict[str, float]


class Tried(msgspec.Struct, frozen=True):
    """An action that might have been taken, and what it was worth."""

    notation: str
    value: Value


class Swing(msgspec.Struct, frozen=True):
    """A decision: who took it where, what the game was worth before and after, and what chance and choice made of that.

    `position` is that of its head, `end` the last of its batch. `chosen` is what the action was worth before chance spoke,
    `tried` what others would have been worth, the best first.
    """

    number: int
    position: int
    end: int
    seat: str
    notation: str
    before: Value
    after: Value
    chosen: Value
    draws: tuple[Drawn, ...] = ()
    tried: tuple[Tried, ...] = ()

    def luck(self, seat: str) -> float:
        """Return what chance gave a seat: what came out against what was to be expected of the action."""
        return self.after.share(seat) - self.chosen.share(seat)

    @property
    def cost(self) -> float:
        """What the action gave away of its seat's chances, against the best other one that was tried; 0 if none was better."""
        best = max((one.value.share(self.seat) for one in self.tried), default=0.0)
        return max(0.0, best - self.chosen.share(self.seat))


class Analysis(msgspec.Struct, frozen=True):
    """A game's curve: what it was worth at the start and after each decision."""

    seats: tuple[str, ...]
    playouts: int
    start: Value
    swings: tuple[Swing, ...]

    def luckiest(self, seat: str, count: int = 5) -> list[Swing]:
        """Return the decisions in which chance was kindest to a seat, the kindest first."""
        return sorted((one for one in self.swings if one.draws), key=lambda one: -one.luck(seat))[:count]

    def costliest(self, count: int = 5) -> list[Swing]:
        """Return the decisions that gave most away, the worst first."""
        return sorted((one for one in self.swings if one.cost > 0), key=lambda one: -one.cost)[:count]


class _Batch(msgspec.Struct, frozen=True):
    number: int
    head: int
    end: int
    seat: str
    action: Any
    notation: str
    before: bytes
    after: bytes
    drawn: tuple[tuple[int, Any], ...]
    others: tuple[Any, ...]
    names: tuple[str, ...]


def analyse(
    tape: Tape,
    *,
    tip: int | None = None,
    playouts: int = 40,
    tried: int = TRIED,
    bots: dict[str, str] | None = None,
    answers: Answers | None = None,
    jobs: int = 1,
    done: Callable[[int, int], None] = lambda played, whole: None,
) -> Analysis:
    """Return what each decision on a line of a game was worth, for every seat, by playing positions out with bots.

    `done` hears how many playouts of how many there are. Raises NotAllowed where not all of the game is here, or no bot can
    play it.
    """
    rules = tape.ruleset
    if tape.seen_as is not None or tape.whole_from:
        raise NotAllowed("This log holds what one seat knew: only a whole game can be played out.")
    if not rules.bots:
        raise NotAllowed(f"{rules.id} has no bots, so nobody can play it out.")
    usual = "sensible" if "sensible" in rules.bots else next(iter(rules.bots))
    seats = tuple(seat.id for seat in rules.seats(tape.options))
    panel = panel_of(rules, dict.fromkeys(seats, usual) | (bots or {}))
    batches = _batches(tape, tape.tip if tip is None else tip, panel, tried)
    start = Question(batches[0].before if batches else msgspec.json.encode(tape.at(tape.batch_end(0)).state))
    asked = [start]
    for batch in batches:
        asked += _questions(batch)
    whole, played = len(dict.fromkeys(asked)) * playouts, 0

    def hear(count: int) -> None:
        nonlocal played
        played += count
        done(min(played, whole), whole)

    with Answers() if answers is None else _left_open(answers) as kept:
        found = answer(rules, panel, asked, playouts, kept, jobs, hear)
    return Analysis(seats, playouts, found[start], tuple(_swing(batch, found, seats) for batch in batches))


class _left_open:
    def __init__(self, answers: Answers) -> None:
        self.answers = answers

    def __enter__(self) -> Answers:
        return self.answers

    def __exit__(self, *_: object) -> None:
        pass


def _batches(tape: Tape, tip: int, panel: Panel, tried: int) -> list[_Batch]:
    """Return the decisions of a line, each with the positions before and after it and what chance gave in it."""
    rules, state = tape.ruleset, tape.ruleset.state()
    found: list[_Batch] = []
    luck = Luck(panel.seed, "tried")
    head: ActionTaken[Any] | None = None
    opened: dict[str, Any] = {}
    drawn: list[tuple[int, Any]] = []
    last = -1

    def close() -> None:
        if head is not None:
            found.append(
                _Batch(
                    len(found) + 1, opened["position"], last, head.seat, head.action, opened["notation"],
                    opened["before"], msgspec.json.encode(state), tuple(drawn), *opened["others"],
                )
            )  # fmt: skip

    for position, event in tape.line(tip):
        if isinstance(event, ActionTaken):
            close()
            head, drawn = event, []
            opened = {
                "position": position,
                "before": msgspec.json.encode(state),
                "notation": _notation(rules, state, event.action),
                "others": _others(rules, state, event, panel, luck, tried),
            }
        if head is not None and type(event) in OUTCOMES:
            drawn.append((position, _outcome(event)))
        event.apply(state)
        last = position
    close()
    return found


def _outcome(event: Event) -> Any:
    values = getattr(event, "values", None)
    return values if values is not None else getattr(event, "item", "")


def _notation(rules: Any, state: Any, action: Any) -> str:
    try:
        return str(rules.notation(state, action))
    except WarptapeError:
        return type(action).__name__


def _others(
    rules: Any, state: Any, head: ActionTaken[Any], panel: Panel, luck: Luck, tried: int
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return the other actions that are tried, with their notation: the bot's, and some at random."""
    decision = rules.decision(state)
    if decision is None or tried <= 0 or len(decision.actions) < 2:
        return (), ()
    chosen: list[Any] = [choose(rules, state, decision, panel.bots[decision.seat], panel.seed)]
    for _ in range(4 * tried):
        if len(chosen) >= tried:
            break
        other = decision.actions[luck.below(len(decision.actions))]
        if other not in chosen and other != head.action:
            chosen.append(other)
    others = [action for action in chosen if action != head.action][:tried]
    return tuple(others), tuple(_notation(rules, state, action) for action in others)


def _forced(batch: _Batch, count: int) -> Outcomes:
    return tuple(outcome for _, outcome in batch.drawn[:count])


def _questions(batch: _Batch) -> list[Question]:
    """Return what has to be known of a decision: the position after it, the action, its draws one by one, other actions."""
    action = msgspec.json.encode(batch.action)
    asked = [Question(batch.after)]
    if batch.drawn:
        asked += [Question(batch.before, action, _forced(batch, count)) for count in range(len(batch.drawn))]
    return asked + [Question(batch.before, msgspec.json.encode(other)) for other in batch.others]


def _swing(batch: _Batch, found: dict[Question, Value], seats: Sequence[str]) -> Swing:
    action = msgspec.json.encode(batch.action)
    after = found[Question(batch.after)]
    steps = [found[Question(batch.before, action, _forced(batch, count))] for count in range(len(batch.drawn))] + [
        after
    ]
    draws = tuple(
        Drawn(position, {seat: steps[n + 1].share(seat) - steps[n].share(seat) for seat in seats})
        for n, (position, _) in enumerate(batch.drawn)
    )
    tried = [
        Tried(name, found[Question(batch.before, msgspec.json.encode(other))])
        for name, other in zip(batch.names, batch.others, strict=True)
    ]
    tried.sort(key=lambda one: -one.value.share(batch.seat))
    return Swing(
        batch.number, batch.head, batch.end, batch.seat, batch.notation, found.get(Question(batch.before), steps[0]),
        after, steps[0], draws, tuple(tried),
    )  # fmt: skip
