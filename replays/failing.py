"""What comes of an attempt under the rules of today: they fail, they refuse it, or they take it and events follow."""

from __future__ import annotations

import hashlib
import linecache
import traceback
from collections.abc import Callable
from typing import Any, Union

import msgspec

from ..domain.chance import Chance
from ..domain.errors import BadNotation, IllegalAction, ImpossibleOutcome, NeedsOutcome, RulesetCrash
from ..domain.events import Awaiting, Event
from ..domain.referee import Referee, choose
from ..domain.rules import Ruleset
from ..domain.secrets import redact
from .kept import Noted
from .reported import Attempt, Failure, OutcomeEvent
from .scrub import alike, scrubbed

FRAMES = 16
"""The innermost frames of a traceback that a report holds."""

Draw = Callable[[Ruleset, Any], str]
"""Draws a state as text; raises whatever it likes for one that it cannot draw."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Tried(msgspec.Struct, frozen=True):
    """An attempt that was made: `attempt` as it can be made again, and what came of it.

    `events` is the batch that it gave, empty where it was not taken.
    """

    attempt: Attempt
    failure: Failure
    events: tuple[Event, ...] = ()


def plain(struct: msgspec.Struct) -> dict[str, Any]:
    """Return a struct as the data that JSON holds of it."""
    data: dict[str, Any] = _decode(_ordered(struct))
    return data


def _ordered(value: Any) -> bytes:
    """Return a value as JSON that does not depend on the order of its sets and mappings."""
    return _encode(msgspec.to_builtins(value, str_keys=True, order="deterministic"))


def action_of(rules: Ruleset, data: dict[str, Any]) -> Any:
    """Return the action that plain data stands for; raises msgspec.ValidationError where it is none of the ruleset."""
    return msgspec.json.decode(_encode(data), type=Union[rules.actions])  # noqa: UP007


def notation(rules: Ruleset, state: Any, action: Any) -> str:
    """Return an action's notation; its name where the rules cannot say."""
    try:
        return str(rules.notation(state, action))
    except Exception:
        return type(action).__name__


def make(
    referee: Referee, attempt: Attempt, source: Chance, luck: str = "", *, action: Any = None, told: bool = True
) -> Tried:
    """Make an attempt where the referee stands, and return what came of it; `luck` is that of bots.

    `action` is the attempt's, where it has been read already. With `told` false a failure that is no crash has its kind
    alone: for who takes thousands of decisions and looks at the last. After a crash the referee stands where its `restore`
    puts it. Raises NeedsOutcome and ImpossibleOutcome as the source of chance does.
    """
    rules, noted = referee.ruleset, Noted(source)
    text = attempt.text
    referee.chance = noted

    def done(failure: Failure, events: tuple[Event, ...] = ()) -> Tried:
        if not told and failure.kind != "crash":
            return Tried(attempt, failure, events)
        data = None if action is None else plain(action)
        again = msgspec.structs.replace(attempt, text=text, action=data, outcomes=tuple(noted.drawn))
        return Tried(again, failure, events)

    try:
        if action is not None:
            pass
        elif attempt.action is not None:
            action = action_of(rules, attempt.action)
        elif attempt.bot:
            decision = referee.decision
            if decision is None:
                return done(Failure(kind="refused", type="IllegalAction", message="refused: the game is over"))
            action = choose(rules, referee.state, decision, attempt.bot, luck)
        else:
            action = rules.parse(referee.state, attempt.seat, text)[0]
        if told and not text:
            text = notation(rules, referee.state, action)
        events = tuple(referee.take(attempt.seat, action))
    except (ImpossibleOutcome, NeedsOutcome):
        raise
    except (IllegalAction, BadNotation) as error:
        if attempt.bot:  # what the rules refuse is no fault of theirs, but one of the bot, which is to choose again
            action, text = None, attempt.text
            return done(crash(error))
        return done(refused(error) if told else Failure(kind="refused"))
    except Exception as error:
        text = text or ("" if action is None else notation(rules, referee.state, action))
        return done(crash(error))
    if not told:
        return done(Failure(kind="accepted"), events)
    return done(Failure(kind="accepted", events=tuple(plain(event) for event in events)), events)


def refused(error: IllegalAction | BadNotation) -> Failure:
    """Return what a refusal is in a report."""
    rule = error.refusal.rule if isinstance(error, IllegalAction) else ""
    return Failure(kind="refused", type=type(error).__name__, message=scrubbed(str(error)), rule=rule)


def crash(error: BaseException) -> Failure:
    """Return what an exception is in a report: the first cause, without anything personal."""
    while isinstance(error, RulesetCrash) and error.__cause__ is not None:
        error = error.__cause__
    frames = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__", ""))
        if not module.startswith(("warptape.replays", "warptape.cli", "warptape.api")):
            source = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).strip()
            frames.append(scrubbed(f"{module}:{line} in {frame.f_code.co_name}: {source}"))
    return Failure(
        kind="crash", type=type(error).__name__, message=scrubbed(str(error)), traceback=tuple(frames[-FRAMES:])
    )


def position(rules: Ruleset, state: Any, seat: str | None, draw: Draw | None) -> Failure:
    """Return what a position is in a report, as the owner or one seat knows it."""
    seen = _unnamed(rules, state if seat is None else rules.view(state, seat))
    board = ""
    if draw is not None:
        try:
            board = draw(rules, seen)
        except Exception as error:
            board = f"The board cannot be drawn: {type(error).__name__}."
    return Failure(kind="position", digest=digest(seen), board=board)


def nameless(rules: Ruleset) -> dict[str, Any]:
    """Return the options that name people, each with the value that names nobody: its default."""
    return {
        field.name: field.default for field in msgspec.structs.fields(rules.options) if field.name in rules.personal
    }


def _unnamed(rules: Ruleset, state: Any) -> Any:
    """Return a state whose options name nobody."""
    names = nameless(rules)
    if all(getattr(state.options, name) == value for name, value in names.items()):
        return state
    return msgspec.structs.replace(state, options=msgspec.structs.replace(state.options, **names))


def digest(state: Any) -> str:
    """Return the digest of what a state holds, apart from what chance remembers and how many decisions were taken."""
    names = (name for name in state.__struct_fields__ if name not in ("chance", "decisions"))
    return hashlib.sha256(_ordered({name: getattr(state, name) for name in names})).hexdigest()


def same(wanted: Failure, found: Failure, *, exactly: bool = True) -> bool:
    """Say whether something of today is the failure that was reported.

    A crash is known by its type and a refusal by its rule, both by the kind of their message, in which numbers stand
    for any; what was accepted by its events. With `exactly` false what waits afterwards does not count: so it is known
    again in a shorter game.
    """
    if wanted.kind != found.kind or wanted.type != found.type or wanted.rule != found.rule:
        return False
    if wanted.kind in ("crash", "refused"):
        return alike(wanted.message, found.message)
    if wanted.kind == "accepted":
        return wanted.events == found.events if exactly else _following(wanted) == _following(found)
    return (wanted.digest, wanted.board) == (found.digest, found.board)


def _following(failure: Failure) -> list[dict[str, Any]]:
    return [event for event in failure.events[1:] if event.get("type") != Awaiting.__name__]


def for_seat(tried: Tried, seat: str) -> Tried:
    """Return an attempt as one seat may know it: outcomes and events of others' secrets are sealed."""
    outcomes: list[OutcomeEvent] = [redact(event, seat) for event in tried.attempt.outcomes]
    attempt = msgspec.structs.replace(tried.attempt, outcomes=tuple(outcomes))
    events = tuple(redact(event, seat) for event in tried.events)
    failure = tried.failure
    if failure.kind == "accepted":
        failure = msgspec.structs.replace(failure, events=tuple(plain(event) for event in events))
    return Tried(attempt, failure, events)
