"""Endpoints that change a game: act, take back, agree, note, fork. Each change is made once, whatever is sent twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Union

import msgspec
from litestar import Request, delete, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from ..domain.errors import Conflict, NotAllowed, WarptapeError
from ..domain.events import Head
from ..domain.rules import Ruleset
from ..replays.game import Game, Played
from ..replays.problems import BadRequest, NotYours, problem
from ..replays.shelf import Shelf, is_text
from ..replays.wire import (
    KEY_HEADER,
    Act,
    Asked,
    AskUndo,
    Change,
    Consent,
    Created,
    Done,
    Fork,
    Redo,
    RemoveNote,
    Reroll,
    Rewind,
    Undo,
    WriteNote,
)
from .access import ARBITER, SEAT, Caller, check_person
from .guards import PLAYING, caller_of, roles, service_of
from .once import Once
from .service import Service, acts, named, place


def read_action(rules: Ruleset, state: Any, seat: str, action: str | dict[str, Any]) -> Sequence[Any]:
    """Return the actions that notation or JSON stands for; raises BadNotation, BadRequest."""
    return rules.parse(state, seat, action) if isinstance(action, str) else [_from_json(rules, action)]


def _from_json(rules: Ruleset, action: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(action, Union[rules.actions])  # noqa: UP007
    except msgspec.ValidationError as error:
        raise BadRequest(f"That is no action of {rules.id}: {str(error)[:200]}.") from error


def acting(shelf: Shelf, caller: Caller, seat: str | None, question: Callable[[], Asked | None]) -> str:
    """Return the seat a caller acts for: the one named, else the caller's, else the one that must decide.

    Raises NotYours for a seat that is not the caller's.
    """
    mine = acts(shelf, caller)
    if seat is None:
        now = None if caller.role == SEAT else question()
        seat = caller.seat if caller.role == SEAT else now.seat if now is not None and now.seat in mine else None
        if seat is None and mine:
            return mine[0]  # nobody is asked: the rules will say so
    if seat is None or seat not in mine:
        raise NotYours("This token does not act for that seat.")
    return seat


Make = Callable[[Game, str, str, str], Played]


def changed(
    game: str,
    data: Change,
    state: Any,
    request: Request[Any, Any, Any],
    do: Make,
    seat_of: Callable[[Service, Game, Caller], str] | None = None,
) -> Done:
    """Make a change while the game is held: `do(game, seat, person, key)`, and answer with what the caller may see of it."""
    service, caller = service_of(state), caller_of(request)
    key = data.key or request.headers.get(KEY_HEADER, "")
    if not is_text(key) or len(key) > LONGEST_KEY:
        raise BadRequest(f"A key is a text of at most {LONGEST_KEY} characters.")
    check_person(data.person, program=isinstance(data, Act))  # a program on the machine of whoever has the seat
    since = data.since
    try:
        with service.tables.at(game) as table:
            if seat_of is not None:
                seat = seat_of(service, table, caller)
            else:
                seat = acting(table.shelf, caller, data.seat, lambda: service.decision(table))
            played = do(table, seat, data.person or caller.label, key)
            if played.repeated:
                check_own(table, played, acts(table.shelf, caller))
            length, decision = table.length, service.decision(table)
    except Conflict as error:
        service.metrics.conflicts.inc()
        start = error.expected if since is None else since
        error.rows = service.rows(game, caller, max(0, start))  # type: ignore[attr-defined]
        raise
    if played.repeated:
        service.metrics.repeats.inc()
    else:
        service.metrics.events.inc(len(played.events))
        service.hub.wake(game, length)
    start = played.position if since is None else since
    rows = service.rows(game, caller, max(0, start), length)
    return Done(played.position, len(played.events), length, played.repeated, rows, decision)


LONGEST_KEY = 200


def check_own(game: Game, played: Played, seats: Sequence[str]) -> None:
    """Raise NotAllowed where a key was used by a seat that is not the caller's: he would take that for his own."""
    head = game.event(played.position)
    if seats and isinstance(head, Head) and head.seat and head.seat not in seats:
        raise NotAllowed(
            f"This key was used by {head.seat} before, so nothing was done now: take one that is your own."
        )


@post("/games/{game:str}/act", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def act(game: FromPath[str], data: JSONBody[Act], state: State, request: Request[Any, Any, Any]) -> Done:
    """Take one action or several, all or none; bots that are due answer."""

    def do(table: Game, seat: str, person: str, key: str) -> Played:
        what = [one if isinstance(one, str) else _from_json(table.ruleset, one) for one in data.actions]
        person = data.person or ("" if seat in table.people else person)
        return table.act(what, seat, person=person, key=key, expect=data.expect, outcomes=data.outcomes)

    return changed(game, data, state, request, do)


@post("/games/{game:str}/undo", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def undo(game: FromPath[str], data: JSONBody[Undo], state: State, request: Request[Any, Any, Any]) -> Done:
    """Take back the last action of the current line, with the bots' answers to it."""

    def do(table: Game, seat: str, person: str, key: str) -> Played:
        return table.undo(
            seat or None, person=person, reason=data.reason, reroll=data.reroll, key=key, expect=data.expect
        )

    return changed(game, data, state, request, do, _taking_back(data))


@post("/games/{game:str}/redo", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def redo(game: FromPath[str], data: JSONBody[Redo], state: State, request: Request[Any, Any, Any]) -> Done:
    """Go back to the tip that the last undo or rewind left."""

    def do(table: Game, seat: str, person: str, key: str) -> Played:
        return table.redo(seat or None, person=person, key=key, expect=data.expect)

    return changed(game, data, state, request, do, _taking_back(data))


def _taking_back(data: Change) -> Callable[[Service, Game, Caller], str]:
    """Return who finds the seat that takes back: the arbiter who sees all does so for whoever acted last."""

    def seat_of(service: Service, table: Game, caller: Caller) -> str:
        if caller.sees_all and data.seat is None:
            return ""
        return acting(table.shelf, caller, data.seat, lambda: service.decision(table))

    return seat_of


@post("/games/{game:str}/rewind", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def rewind(game: FromPath[str], data: JSONBody[Rewind], state: State, request: Request[Any, Any, Any]) -> Done:
    """Go to the end of the batch at a position or address, on whatever line; where the undo policy is `free`."""

    def do(table: Game, seat: str, person: str, key: str) -> Played:
        at = place(data.at)
        played = table.rewind(
            at, seat=seat, person=person, reason=data.reason, reroll=data.reroll, key=key, expect=data.expect
        )
        table.play_bots()  # a bot may be asked there, and nobody else can move it
        return played

    return changed(game, data, state, request, do, _arranging(data))


@post("/games/{game:str}/reroll", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def reroll(game: FromPath[str], data: JSONBody[Reroll], state: State, request: Request[Any, Any, Any]) -> Done:
    """Give chance a new secret from here on; a seat may where the undo policy is `free`, and not say which."""
    caller = caller_of(request)

    def do(table: Game, seat: str, person: str, key: str) -> Played:
        if caller.role == SEAT and (data.seed or data.chance):
            raise NotYours("Only the arbiter says where chance comes from.")
        return table.reroll(data.seed or None, reason=data.reason, chance=data.chance, key=key, expect=data.expect)

    return changed(game, data, state, request, do, _arranging(data))


def _arranging(data: Change) -> Callable[[Service, Game, Caller], str]:
    """Return who finds the seat of a change that is the arbiter's, and everybody's where the undo policy is `free`."""

    def seat_of(service: Service, table: Game, caller: Caller) -> str:
        if caller.role == ARBITER and data.seat is None:
            return ""
        if caller.role == SEAT and table.policy != "free":
            raise NotYours("Only the arbiter may do that in this game.")
        return acting(table.shelf, caller, data.seat, lambda: None)

    return seat_of


@post("/games/{game:str}/consent", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def consent(game: FromPath[str], data: JSONBody[Consent], state: State, request: Request[Any, Any, Any]) -> Done:
    """Answer the other seat's request to take something back."""

    def do(table: Game, seat: str, person: str, key: str) -> Played:
        return table.consent(seat, data.agree, person=person, key=key, expect=data.expect)

    return changed(game, data, state, request, do)


@post("/games/{game:str}/ask-undo", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def ask_undo(game: FromPath[str], data: JSONBody[AskUndo], state: State, request: Request[Any, Any, Any]) -> Done:
    """Ask the other seat to agree to taking back this seat's last action and all since."""

    def do(table: Game, seat: str, person: str, key: str) -> Played:
        return table.ask_undo(seat, person=person, key=key, expect=data.expect)

    return changed(game, data, state, request, do)


TRIES = 5


def _whatever_came_before(expect: int | None) -> Callable[[Make], Make]:
    """Try a change again that another process was quicker than: a note leaves the board alone, so it may come after."""

    def tried(do: Make) -> Make:
        def again(table: Game, seat: str, person: str, key: str) -> Played:
            for left in reversed(range(TRIES if expect is None else 1)):
                try:
                    return do(table, seat, person, key)
                except Conflict:  # the game stands where the other left it
                    if not left:
                        raise
            raise AssertionError

        return again

    return tried


@post("/games/{game:str}/notes", opt=roles(*PLAYING), sync_to_thread=True)
def write_note(game: FromPath[str], data: JSONBody[WriteNote], state: State, request: Request[Any, Any, Any]) -> Done:
    """Write a note on a position or address (default: now); what a seat writes while there are secrets is its own."""

    @_whatever_came_before(data.expect)
    def do(table: Game, seat: str, person: str, key: str) -> Played:
        return table.note(
            data.text, place(data.at), tags=data.tags, seat=seat, person=person, private=data.private, key=key,
            expect=data.expect,
        )  # fmt: skip

    return changed(game, data, state, request, do, _noting(data))


@delete("/games/{game:str}/notes/{position:int}", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def remove_note(
    game: FromPath[str],
    position: FromPath[int],
    state: State,
    request: Request[Any, Any, Any],
    key: Annotated[str, QueryParameter(max_length=200)] = "",
    person: Annotated[str, QueryParameter(max_length=80)] = "",
    seat: FromQuery[str | None] = None,
    expect: FromQuery[int | None] = None,
    since: FromQuery[int | None] = None,
) -> Done:
    """Take back the note that was written at a position; a seat can take back its own."""
    data = RemoveNote(key=key, person=person, seat=seat, expect=expect, since=since)

    @_whatever_came_before(expect)
    def do(table: Game, seat: str, person: str, key: str) -> Played:
        return table.remove_note(position, seat=seat, person=person, key=key, expect=expect)

    return changed(game, data, state, request, do, _noting(data))


def _noting(data: Change) -> Callable[[Service, Game, Caller], str]:
    """Return who finds the seat that writes a note: the arbiter's are nobody's, unless one is named."""

    def seat_of(service: Service, table: Game, caller: Caller) -> str:
        if caller.role == ARBITER and data.seat is None:
            return ""
        return acting(table.shelf, caller, data.seat, lambda: None)

    return seat_of


@post("/games/{game:str}/fork", opt=roles(*PLAYING), sync_to_thread=True)
def fork(game: FromPath[str], data: JSONBody[Fork], state: State, request: Request[Any, Any, Any]) -> Created:
    """Start another game from a moment of this one; whoever does so is its arbiter.

    While something is secret a seat may fork the game as of itself only, and an arbiter who does not see it not at all.
    """
    from .shelving import begun, check_holders, opened

    check_holders(data.seats or {})
    service, caller = service_of(state), caller_of(request)
    once = Once(data.key, "fork", caller.digest, game)
    with service.tables.at(game) as table:
        if (made := begun(service, once)) is not None:
            return opened(service, made, once=once)
        secret = table.ruleset.secretive and not table.shelf.outcome
        own = caller.role == SEAT and data.as_of == caller.seat
        if secret and not own and not caller.sees_all:
            raise NotAllowed(
                f"While this game has secrets it can be forked as of your own seat only: as of {caller.seat}."
                if caller.role == SEAT
                else "This game has secrets that you do not see: it can be forked when it is over."
            )
        table.desk = once.desk(service.desk)
        try:
            branch = table.fork(
                place(data.at),
                name=named(data.name) if data.name else "",
                seats=data.seats,
                undo=data.undo,
                reroll=data.reroll,
                as_of=data.as_of,
            )
        finally:
            table.desk = service.desk
        branch.play_bots()
    return opened(service, branch.shelf, once=once)


def with_rows(error: WarptapeError) -> Any:
    """Return an error as it is sent, a conflict with what happened meanwhile."""
    return problem(error, getattr(error, "rows", None))


HANDLERS = [act, undo, redo, rewind, reroll, consent, ask_undo, write_note, remove_note, fork]
