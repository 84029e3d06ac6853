"""When the engine fails: the error in words, and a report that writes itself. The player loses nothing."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..domain.errors import IllegalAction, RulesetCrash, WarptapeError
from ..domain.events import ActionTaken, Event
from .writing import Desk

if TYPE_CHECKING:
    from .automatic import Automatic

VARIABLE = "WARPTAPE_REPORTS"
"""The environment variable that names the folder for reports; `off` writes none."""


class UserDesk(Desk):
    """The desk of a person: reports of what fails go to the user's data folder, or where `WARPTAPE_REPORTS` says."""

    @property
    def reports(self) -> Path | None:
        """The folder for reports of what fails here; None when they are switched off."""
        wanted = os.environ.get(VARIABLE, "")
        if wanted.lower() in ("off", "no", "0"):
            return None
        if wanted:
            return Path(wanted)
        from platformdirs import user_data_path

        return user_data_path("warptape", appauthor=False) / "reports"


def crashed(
    game: Automatic,
    error: BaseException,
    batches: Sequence[Sequence[Event]],
    seat: str,
    doing: Any,
    outcomes: Iterable[str],
) -> RulesetCrash | None:
    """Return the error to raise for a failure of the rules on an action or a line of notation, its report written.

    `batches` were taken before it and are not recorded. None for an error that is no failure of the rules.
    """
    if isinstance(error, RulesetCrash):
        return _reported(game, RulesetCrash(str(error)), error, batches, seat, doing, "", outcomes)
    if isinstance(error, WarptapeError) or not isinstance(error, Exception):
        return None
    what = f"to read '{doing}'" if isinstance(doing, str) else "on this action"
    told = RulesetCrash(
        f"The ruleset '{game.ruleset.id}' failed {what} ({type(error).__name__}: {error}); nothing was recorded."
    )
    return _reported(game, told, error, batches, seat, doing, "", outcomes)


def crashed_bot(
    game: Automatic, error: BaseException, batches: Sequence[Sequence[Event]], bot: str
) -> RulesetCrash | None:
    """Return the error to raise for a bot that failed or did what the rules refuse, its report written; None for others."""
    if not isinstance(error, Exception):
        return None
    if isinstance(error, WarptapeError) and not isinstance(error, IllegalAction | RulesetCrash):
        return None
    told = RulesetCrash(f"The bot '{bot}' failed ({type(error).__name__}: {error}); it has not acted.")
    return _reported(game, told, error, batches, "", None, bot, ())


def _reported(
    game: Automatic,
    told: RulesetCrash,
    error: BaseException,
    batches: Sequence[Sequence[Event]],
    seat: str,
    doing: Any,
    bot: str,
    outcomes: Iterable[str],
) -> RulesetCrash:
    folder = game.desk.reports
    if folder is None or game.seen_as is not None:
        return told
    try:
        path = _write(game, folder, error, batches, seat, doing, bot, list(outcomes))
    except Exception as trouble:  # the failure itself is what must be told
        return RulesetCrash(f"{told} No report of it could be written ({type(trouble).__name__}: {trouble}).")
    said = RulesetCrash(f"{told} A report is in {path}: `warptape reproduce` runs it.")
    said.report = str(path)
    return said


def _write(
    game: Automatic,
    folder: Path,
    error: BaseException,
    batches: Sequence[Sequence[Event]],
    seat: str,
    doing: Any,
    bot: str,
    outcomes: list[str],
) -> Path:
    """Try again what failed, on a state of its own, to learn the chance it drew, and write the report."""
    from ..domain.chance import OUTCOMES, Table
    from ..domain.referee import Referee
    from .failing import crash, make, notation, plain
    from .kept import Kept
    from .report import ENDING, write_report
    from .reported import Attempt

    rules, state = game.ruleset, game.state_at(game.tip)
    attempts: list[Attempt] = []
    spent = 0
    for batch in batches:
        head = batch[0]
        drawn: Any = tuple(event for event in batch if type(event) in OUTCOMES)
        if isinstance(head, ActionTaken):
            text = notation(rules, state, head.action)
            attempts.append(Attempt(seat=head.seat, text=text, action=plain(head.action), outcomes=drawn))
        spent += sum(len(event.values) if hasattr(event, "values") else 1 for event in drawn)
        for event in batch:
            event.apply(state)
    failed = crash(error)
    try:
        referee = Referee(rules, state, Kept())
    except Exception as trouble:
        last, failed = Attempt(seat=seat, bot=bot), crash(trouble)
    else:
        if not seat and referee.decision is not None:
            seat = referee.decision.seat
        if bot:
            last = Attempt(seat=seat, bot=bot)
        elif isinstance(doing, str):
            last = Attempt(seat=seat, text=doing)
        else:
            last = Attempt(seat=seat, action=plain(doing))
        source = Table(outcomes[spent:]) if game.typed_chance else game.fate
        tried = make(referee, last, source, game.opening.commitment)
        last = tried.attempt
        if tried.failure.kind == "crash":
            failed = tried.failure
    attempts.append(last)
    what = f"bot:{bot}" if bot else f"act '{last.text}'"
    about = f"{game.shelf.id}|{game.tip}|{[plain(attempt) for attempt in attempts]}|{failed.type}|{failed.message}"
    name = f"{rules.id}-{failed.type}-{hashlib.sha256(about.encode()).hexdigest()[:8]}{ENDING}"
    folder.mkdir(parents=True, exist_ok=True)
    return write_report(
        game, folder / name, game.length - 1, game.tip, "", f"{what} at @{game.tip}", attempts, failed, None
    )
