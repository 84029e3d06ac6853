"""Endpoints of the shelf: rulesets, games, who may see and play them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from litestar import Request, Response, delete, get, patch, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from ..domain.errors import NameTaken, NotAllowed, OptionError, UnknownGame, UnknownRuleset, WarptapeError
from ..domain.rules import Ruleset, installed, ruleset
from ..replays.contents import replaced
from ..replays.importing import load
from ..replays.library import Library, seat_holders
from ..replays.problems import BadRequest
from ..replays.shelf import Shelf, is_text
from ..replays.takeback import EXEC
from ..replays.wire import (
    KEY_HEADER,
    Created,
    CreateGame,
    Deleted,
    GameInfo,
    Games,
    Issued,
    IssueToken,
    Join,
    Joined,
    Rename,
    Revoked,
    RulesetInfo,
    TokenInfo,
)
from .access import ALL, ARBITER, FRESH, HOST, SEAT, Caller, check_person
from .following import GONE
from .guards import EVERYBODY, GAME, caller_of, roles, service_of
from .issuing import is_free, issued, revoked, whole
from .once import Once
from .service import Service, named

PAGE = 100
IMMUTABLE = "private, max-age=31536000, immutable"


@get("/rulesets", opt=roles(*EVERYBODY), sync_to_thread=True)
def rulesets() -> list[RulesetInfo]:
    """List the rulesets that the service has."""
    found = []
    for name in installed():
        try:
            found.append(_described(ruleset(name)))
        except UnknownRuleset:
            continue
    return found


def _described(rules: Ruleset) -> RulesetInfo:
    options = rules.parse_options({})
    return RulesetInfo(
        rules.id,
        rules.version,
        rules.title,
        rules.summary,
        rules.content.digest,
        rules.secretive,
        {seat.id: seat.name for seat in rules.seats(options)},
        {name: rules.takes(name) for name in options.__struct_fields__},
        {name: getattr(options, name) for name in options.__struct_fields__},
        list(rules.bots),
    )


@post("/games", opt={**roles(HOST), "open": True}, sync_to_thread=True)
def create(data: JSONBody[CreateGame], state: State, request: Request[Any, Any, Any]) -> Created:
    """Start a game; the answer has its arbiter's token and an invitation for each seat that a person holds."""
    service, caller = service_of(state), caller_of(request)
    if caller.role != HOST:
        service.create_rate.take(request.client.host if request.client else "")
    rules = ruleset(data.ruleset)
    check_holders(data.seats)
    check_person(data.person)
    if (held := seat_holders(rules, rules.parse_options(data.options), data.seats)) and not any(
        map(is_free, held.values())
    ):
        raise OptionError("Give at least one seat to a person: games of bots alone are for `warptape simulate`.")
    content = None if data.content is None else replaced(rules, data.content)
    if content is not None:
        rules.bound(content).check_content()
    once = Once(data.key, "create", caller.digest)
    if (made := begun(service, once)) is not None:
        return opened(service, made, data.sees, once)
    library: Library[Any] = Library(service.store, once.desk(service.desk))
    try:
        game = library.new(
            rules,
            seed=data.seed or None,
            options=data.options,
            seats=data.seats,
            name=named(data.name) if data.name else "",
            chance=data.chance,
            undo=data.undo,
            content=content,
            outcomes=data.outcomes,
            person=data.person,
        )
    except NameTaken:
        if (made := begun(service, once)) is None:  # else the first of two requests with the same key has made it
            raise
        return opened(service, made, data.sees, once)
    return opened(service, game.shelf, data.sees, once)


def begun(service: Service, once: Once) -> Shelf | None:
    """Return the game that was made with the same key before, None where there is none.

    Raises NotAllowed where it was deleted: another one of that id would be shown with what is remembered of the first.
    """
    if not once.key:
        return None
    try:
        return service.store.shelf(once.id())
    except UnknownGame:
        if any(True for _ in service.store.rows(f"{GONE}{once.id()}")):
            raise NotAllowed("The game that was made with this key was deleted. Take another key.") from None
        return None


def check_holders(seats: Mapping[str, str]) -> None:
    """Raise OptionError for a program as the holder of a seat: here one plays with the token of its seat, as people do."""
    for seat, holder in seats.items():
        if holder.startswith(EXEC):
            raise OptionError(f"A program plays here with the token of its seat: give the seat {seat} to 'human'.")


def opened(service: Service, shelf: Shelf, sees: bool | None = None, once: Once = FRESH) -> Created:
    """Return a new game with the token of its arbiter and its invitations."""
    eyes = whole(shelf) if sees is None else ALL if sees else ""
    secret, token = service.access.issue(shelf.id, ARBITER, eyes, once=once)
    invitations = {
        seat: service.access.issue(shelf.id, SEAT, seat, invite=True, once=once)[0]
        for seat, holder in shelf.seats.items()
        if is_free(holder)
    }
    caller = Caller(ARBITER, shelf.id, token.seat, digest=token.digest)
    return Created(service.info(shelf.id, caller), secret, invitations)


@post("/games/import", opt=roles(HOST))
async def import_(
    state: State,
    request: Request[Any, Any, Any],
    name: FromQuery[str] = "",
    sees: FromQuery[bool | None] = None,
) -> Created:
    """Put the game in a log file, which is the body, on the shelf under a new id."""
    service = service_of(state)
    if name:
        named(name)
    with tempfile.TemporaryDirectory(prefix="warptape-") as folder:
        path = Path(folder) / "import.jsonl"
        with path.open("wb") as file:
            async for chunk in request.stream():
                file.write(chunk)
        once = Once(request.headers.get(KEY_HEADER, ""), "import", caller_of(request).digest)
        return await sync_to_thread(_imported, service, path, name, sees, once)


def _imported(service: Service, path: Path, name: str, sees: bool | None, once: Once) -> Created:
    shelf = begun(service, once) or load(service.store, once.desk(service.desk), path, name)
    return opened(service, shelf, sees, once)


@get("/games", opt=roles(*GAME), sync_to_thread=True)
def games(
    state: State,
    request: Request[Any, Any, Any],
    ruleset: FromQuery[str | None] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=PAGE)] = PAGE,
    after: Annotated[int, QueryParameter(ge=0, le=2**40)] = 0,
) -> Games:
    """List the games that the token opens, the last changed first; `after` is what the page before gave as `next`."""
    service, caller = service_of(state), caller_of(request)
    if ruleset is not None and not is_text(ruleset):
        raise BadRequest("That is no id of a ruleset.")
    if caller.role != HOST:
        mine = service.info(caller.game, caller)
        return Games([mine] if ruleset in (None, mine.ruleset) and not after else [])
    found = service.store.shelves(ruleset=ruleset, limit=limit + 1, offset=after)
    more = str(after + limit) if len(found) > limit else ""
    return Games([info for shelf in found[:limit] if (info := _listed(service, shelf, caller)) is not None], more)


def _listed(service: Service, shelf: Shelf, caller: Caller) -> GameInfo | None:
    try:
        return service.info(shelf.id, caller)
    except WarptapeError:  # deleted meanwhile, or of a ruleset that is not installed here
        return None


@get("/games/{game:str}", opt=roles(*GAME), sync_to_thread=True)
def info(game: FromPath[str], state: State, request: Request[Any, Any, Any]) -> GameInfo:
    """Say what the caller may know of a game."""
    return service_of(state).info(game, caller_of(request))


@patch("/games/{game:str}", opt=roles(ARBITER), sync_to_thread=True)
def rename(game: FromPath[str], data: JSONBody[Rename], state: State, request: Request[Any, Any, Any]) -> GameInfo:
    """Give a game another name."""
    service = service_of(state)
    service.store.rename(game, named(data.name))
    service.tables.forget(game)
    service.hub.wake(game)
    return service.info(game, caller_of(request))


@delete("/games/{game:str}", opt=roles(ARBITER), status_code=200, sync_to_thread=True)
def delete_(game: FromPath[str], state: State, forks: FromQuery[bool] = False) -> Deleted:
    """Delete a game with its events and tokens, and with `forks` all games that were forked from it."""
    service = service_of(state)
    gone = service.store.delete(game, forks)
    for one in gone:
        service.tables.forget(one)
        service.hub.wake(one)
    return Deleted(gone)


@get("/games/{game:str}/content", opt=roles(*GAME), sync_to_thread=True)
def content(game: FromPath[str], state: State, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Send the content of a game: its boards, cards and tables. The same digest is the same bytes for ever."""
    service = service_of(state)
    shelf = service.store.shelf(game)
    tag = f'"{shelf.content}"'
    headers = {"ETag": tag, "Cache-Control": IMMUTABLE}
    if tag in [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]:
        return Response(b"", status_code=304, headers=headers)
    return Response(service.store.content(shelf.content), media_type="application/json", headers=headers)


@post("/join", opt=roles(*EVERYBODY), status_code=200, sync_to_thread=True)
def join(data: JSONBody[Join], state: State) -> Joined:
    """Exchange an invitation for a token, once; the token that the seat had before is revoked."""
    service = service_of(state)
    secret, token = service.access.join(data.invitation, data.name, data.key)
    service.hub.wake(token.game)
    return Joined(token.game, "seat" if token.role == SEAT else "spectator", token.seat, secret, token.label)


@get("/games/{game:str}/tokens", opt=roles(ARBITER), sync_to_thread=True)
def tokens(game: FromPath[str], state: State) -> list[TokenInfo]:
    """List the tokens and invitations of a game, also those that were revoked or used."""
    return [token.info for token in service_of(state).access.listed(game)]


@post("/games/{game:str}/tokens", opt=roles(ARBITER), sync_to_thread=True)
def issue(game: FromPath[str], data: JSONBody[IssueToken], state: State, request: Request[Any, Any, Any]) -> Issued:
    """Make a token, or an invitation to one; the token or invitation that a seat had before is revoked."""
    service, caller = service_of(state), caller_of(request)
    once = Once(data.key, "issue", caller.digest, game)
    made = issued(service.access, service.store.shelf(game), data, caller.seat, once)  # it sees what its giver sees
    service.hub.wake(game)
    return made


@delete("/games/{game:str}/tokens/{fingerprint:str}", opt=roles(ARBITER), status_code=200, sync_to_thread=True)
def revoke(game: FromPath[str], fingerprint: FromPath[str], state: State) -> Revoked:
    """Revoke a token or an invitation by its fingerprint; streams that it had open end."""
    service = service_of(state)
    found = revoked(service.access, game, fingerprint)
    service.hub.wake(game)
    return Revoked([one.info.fingerprint for one in found])


HANDLERS = [rulesets, games, info, rename, delete_, content, join, tokens, issue, revoke]
LARGE = [create, import_]
"""Those that take more than the others: own content, and a log file."""
