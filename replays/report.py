"""Bug reports that play: a log file up to a moment, with what was tried there and what came of it in its header.

Such a file is a log like any other: it is imported, audited and shown. Nothing in it names a person or a machine.
"""

from __future__ import annotations

import os
import platform
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from .. import __version__
from ..domain.chance import Chance, Fate, Luck, Salt, Table
from ..domain.errors import BadLog, BadNotation, IllegalAction, ImpossibleOutcome, NotAllowed
from ..domain.events import ActionTaken, GameOpened, Resalted
from ..domain.referee import Referee
from ..domain.rules import Ruleset
from .chain import HEAD_KINDS, Chain
from .failing import Draw, Tried, crash, for_seat, make, nameless, plain, position, refused
from .kept import Kept
from .logfile import LogFile, header_of, write_log
from .reported import Attempt, BugReport, Failure
from .retake import short
from .shelf import Row
from .takeback import BOT, EXEC

if TYPE_CHECKING:
    from .address import Address
    from .recording import Recorder
    from .tape import Tape

PROGRAM = f"{EXEC}program"
"""What a report calls any program that holds a seat."""

ENDING = ".report.tape.jsonl"
LEFT_OUT = "(left out)"


def read_report(path: str | os.PathLike[str]) -> BugReport:
    """Return the report in a file; raises BadLog for a damaged file, and for a log that is no report."""
    report = LogFile(path).header.report
    if isinstance(report, msgspec.UnsetType):
        raise BadLog(
            "This is the log of a game, not a report: `warptape audit` checks it, and `warptape report` makes a report "
            "of a game.",
            line=1,
        )
    kind = report.failure.kind
    needs_attempts = kind in ("refused", "accepted")
    if (kind == "event" and len(report.failure.events) != 1) or (needs_attempts and not report.attempts):
        raise BadLog(f"a report of the kind '{kind}' does not say what it is about.", line=1)
    if kind in ("event", "position") and report.attempts:
        raise BadLog(f"a report of the kind '{kind}' has no attempts.", line=1)
    if report.position < 0 or report.decisions < 0:
        raise BadLog("the report is about a position that no log has.", line=1)
    return report


def check_place(report: BugReport, length: int) -> None:
    """Raise BadLog when a report is about a position that its log of some length does not have."""
    if report.position >= length:
        raise BadLog(f"the report is about @{report.position}, and the log ends at @{length - 1}.", line=1)


def report(
    game: Recorder,
    path: str | os.PathLike[str],
    at: int | str | Address | None = None,
    *,
    message: str = "",
    action: str = "",
    seat: str | None = None,
    outcomes: Sequence[str] = (),
    draw: Draw | None = None,
) -> Path:
    """Write a report on a position of a game, on its event, or on what an action there comes to; returns the path.

    With an `action`, in notation, the report says what the rules of today make of it for `seat` (default: the one that
    must decide): refused or accepted, with what chance gave it, or a failure of theirs; it comes after the batch of the
    event that `at` names, as nothing is decided in the midst of one. An action that somebody took
    there has the same chance again; for another one chance is drawn that tells nothing of what is to come, unless the
    undo policy is `free`. `outcomes` are its results where people enter them. Without an action the report is about the
    position, and where `at` names an event that followed from a decision (`@57`), about that event. A `seat` makes it
    what that seat knows. `draw` draws a state as text.

    Raises BadAddress, NotAllowed for an unknown seat, NeedsOutcome, ImpossibleOutcome, StoreError.
    """
    held = game.seen_as
    if seat is not None and seat not in game.shelf.seats:
        raise NotAllowed(f"This game has no seat '{seat}'. Its seats: {', '.join(game.shelf.seats)}.")
    if held is not None and seat not in (None, held):
        raise NotAllowed(f"Only what {held} knew of this game is here, so {seat} cannot report on it.")
    whole = _is_end(at)
    here = game.tip if whole else game.locate(at)  # type: ignore[arg-type]
    last = game.length - 1 if whole else game.batch_end(here)
    if action and not whole:
        here = last
    if last < game.whole_from and (known := game.known_to(last)) != {seat}:
        raise NotAllowed(
            f"Up to there only what {' and '.join(sorted(known))} knew is here: report it as that seat, or a moment from "
            f"@{game.whole_from} on."
        )
    seen_as = (held or seat) if game.ruleset.secretive else held
    tried: list[Tried] = []
    if action:
        tried = _probe(game, here, action, seat, outcomes)
        failure = tried[-1].failure
    else:
        failure = _about(game, here, _names_event(at), seen_as, draw)
    if seen_as is not None:
        tried = [for_seat(one, seen_as) for one in tried]
        failure = tried[-1].failure if tried else failure
    command = f"act '{action}'" if action else "show"
    return write_report(
        game, path, last, here, message, f"{command} at @{here}", [one.attempt for one in tried], failure, seen_as
    )


def write_report(
    tape: Tape,
    path: str | os.PathLike[str],
    last: int,
    here: int,
    message: str,
    command: str,
    attempts: Sequence[Attempt],
    failure: Failure,
    seat: str | None,
) -> Path:
    """Write the log up to an event, the last of its batch, as the log of a report; returns the path."""
    names = nameless(tape.ruleset)
    left_out = _personal(tape, last + 1, names)
    made = BugReport(
        message=message,
        command=command,
        position=here,
        decisions=len(tape.on_line({"ActionTaken"}, tape.tree.resolve(here))),
        attempts=tuple(attempts),
        failure=failure,
        left_out=left_out,
        **where(tape.ruleset),  # type: ignore[arg-type]
    )
    header = header_of(tape, seat, stop=last + 1)
    seats = {each: PROGRAM if holder.startswith(EXEC) else holder for each, holder in header.seats.items()}
    header = msgspec.structs.replace(header, name=f"report on {tape.shelf.ruleset}", seats=seats, report=made)
    rows = tape.rows(0, last + 1)
    return write_log(
        path, header, tape.store.content(tape.shelf.content), impersonal(rows, names) if left_out else rows
    )


def where(rules: Ruleset) -> dict[str, str]:
    """Return what is installed here: the versions of a ruleset, of warptape and of Python, and the platform."""
    return {
        "rules": rules.version,
        "warptape": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }


# What the report is about


def _is_end(at: int | str | Address | None) -> bool:
    return at is None or getattr(_address(at), "kind", "") == "end"


def _names_event(at: int | str | Address | None) -> bool:
    return isinstance(at, int) or getattr(_address(at), "kind", "") == "event"


def _address(at: Any) -> Any:
    from .address import parse_address

    return parse_address(at) if isinstance(at, str) else at


def _about(game: Recorder, here: int, names_event: bool, seat: str | None, draw: Draw | None) -> Failure:
    """Return what a report without an action is about: an event, a position, or that the rules fail on it."""
    state = game.state_at(here)
    try:
        if seat is None:
            game.ruleset.decision(state)
    except Exception as error:
        return crash(error)
    event = game.event(here, seat)
    if names_event and game.batch_start(here) != here:
        head = game.event(game.batch_start(here), seat)
        if isinstance(head, ActionTaken | GameOpened):
            return Failure(kind="event", message=short(event), events=(plain(event),))
    return position(game.ruleset, state, seat, draw)


def _probe(game: Recorder, here: int, text: str, seat: str | None, outcomes: Sequence[str]) -> list[Tried]:
    """Try a line of notation at a position, action by action, up to one that is not taken; nothing is recorded."""
    if game.seen_as is not None:
        raise NotAllowed(
            f"Only what {game.seen_as} knew of this game is here, so nothing can be tried in it: leave the action out, "
            "and say in the message what should happen."
        )
    rules, state = game.ruleset, game.state_at(here)
    try:
        referee = Referee(rules, state, Kept(), lambda: game.state_at(here))
    except Exception as error:
        return [Tried(Attempt(seat=seat or "", text=text), crash(error))]
    acting = seat or (referee.decision.seat if referee.decision is not None else "")
    try:
        actions = rules.parse(state, acting, text)
    except (IllegalAction, BadNotation) as error:
        return [Tried(Attempt(seat=acting, text=text), refused(error))]
    except Exception as error:
        return [Tried(Attempt(seat=acting, text=text), crash(error))]
    tried: list[Tried] = []
    table = Table(outcomes) if outcomes or _entered(game, state) else None
    for number, action in enumerate(actions):
        source = table or _chance(game, here, state, acting, action, first=number == 0)
        typed = text if len(actions) == 1 else ""
        tried.append(make(referee, Attempt(seat=acting, text=typed, action=plain(action)), source))
        if tried[-1].failure.kind != "accepted":
            break
    if table is not None and table.left and tried[-1].failure.kind == "accepted":
        raise ImpossibleOutcome(f"Nothing here needs the result '{table.left[0]}'.")
    return tried


def _entered(game: Recorder, state: Any) -> bool:
    """Say whether people enter what dice and cards give at a position."""
    event = game.event(state.chance.epoch)
    return isinstance(event, GameOpened | Resalted) and event.chance == "table"


def _chance(game: Recorder, here: int, state: Any, seat: str, action: Any, *, first: bool) -> Chance:
    """Return the chance for an action that is only tried: as it was, as it will be, or one that tells nothing."""
    if first and here + 1 < game.length:
        head = game.event(here + 1)
        if isinstance(head, ActionTaken) and (head.seat, head.action) == (seat, action):
            batch = (event for _, event in game.events(here + 1, game.batch_end(here + 1) + 1))
            return Kept(batch, Luck(secrets.token_hex(16)))
    if game.policy == "free" and state.chance.epoch in game.fate.salts:
        return Fate({at: Salt(salt.nonce, salt.seed) for at, salt in game.fate.salts.items()})
    return Kept((), Luck(secrets.token_hex(16)))


# Nothing personal


def _personal(tape: Tape, stop: int, names: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the fields in which the heads of a log hold something personal."""
    found: set[str] = set()
    for row in tape.kinds(HEAD_KINDS, 0, stop):
        found |= _blanked(msgspec.json.decode(row.data.partition(b"\n")[0]), names)
    return tuple(sorted(found))


def _blanked(head: dict[str, Any], names: Mapping[str, Any]) -> set[str]:
    """Take what people wrote into a head out of it, and return the fields that held something: who, keys, remarks.

    `names` has the options that name people, with what stands in their place.
    A note that only one seat may read is left out as well, and is then no secret any more.
    """
    found = set()
    for name in ("person", "key", "reason", "text", "tags"):
        value = head.get(name, "")
        if value in ("", LEFT_OUT) or (name == "person" and str(value).startswith(BOT)):
            continue
        if name == "text":
            head[name] = LEFT_OUT
            head.pop("seen_by", None)
        else:
            del head[name]
        found.add(name)
    for seat, holder in head.get("seats", {}).items():
        if holder.startswith(EXEC) and holder != PROGRAM:  # what somebody calls a file
            head["seats"][seat] = PROGRAM
            found.add("seats")
    options = head.get("options", {})
    for name in names:
        if name in options and options[name] != names[name]:
            options[name] = names[name]
            found.add(name)
    return found


def impersonal(rows: Iterator[Row], names: Mapping[str, Any]) -> Iterator[Row]:
    """Yield rows with nothing personal in the heads, and with the chain made anew; `names` as of `nameless`."""
    chain = Chain()
    for row in rows:
        public, line, beside = row.data.partition(b"\n")
        if row.kind in HEAD_KINDS:
            head: dict[str, Any] = msgspec.json.decode(public)
            if "text" in _blanked(head, names):
                line = beside = b""
            if "prev" in head:
                head["prev"] = chain.head
            public = msgspec.json.encode(head)
        chain.feed(row.position, row.kind, "", public)
        yield Row(row.position, row.kind, public + line + beside)
