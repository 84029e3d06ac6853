"""The page in a browser: its markup, which is the same for everybody, and what it shows of a game to whoever has a token."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from ..domain.errors import BadAddress
from ..projections.page import Content, News, frame, news, script
from ..projections.page.build import LIVE
from ..replays.takeback import open_request
from ..replays.tape import Tape
from ..replays.wire import GameInfo
from .guards import EVERYBODY, LOOKING, caller_of, roles, service_of
from .reading import streamed

JSON = "application/json"
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the rest stands in the page itself
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Requested(msgspec.Struct, frozen=True):
    """A request to take something back that nobody has answered: who asks, at which position, and back to which."""

    seat: str
    position: int
    to: int


class PageStart(msgspec.Struct, frozen=True, kw_only=True):
    """What a page shows when it is opened; `sees` is whose knowledge that is, as in GameInfo.

    `content` may be that of some time ago: what is new since its `upto`, `news` tells.
    """

    sees: str
    info: GameInfo
    requested: Requested | None
    content: Annotated[msgspec.Raw, Content]


class PageNews(msgspec.Struct, frozen=True, kw_only=True):
    """What is new for a page; without `news` it must start over, since it may see another part of the game now."""

    sees: str
    info: GameInfo
    requested: Requested | None
    news: News | None


def _answers(kind: type) -> dict[int, ResponseSpec]:
    return {
        200: ResponseSpec(
            data_container=kind, generate_examples=False, media_type=JSON, description="Request fulfilled"
        )
    }


@get("/games/{game:str}/page", opt=roles(*LOOKING), responses=_answers(PageStart), sync_to_thread=True)
def start(game: FromPath[str], state: State, request: Request[Any, Any, Any]) -> Stream:
    """Send all that a page shows of a game to the caller: boards, story and lines."""
    service, caller = service_of(state), caller_of(request)
    tape = service.tape(game, caller)
    found = PageStart(
        sees=_sees(tape),
        info=service.info(game, caller),
        requested=_requested(tape),
        content=state.starts.of(tape),
    )
    return streamed([msgspec.json.encode(found)], JSON, request, **{"Cache-Control": "no-store"})


@get("/games/{game:str}/news", opt=roles(*LOOKING), responses=_answers(PageNews), sync_to_thread=True)
def fresh(
    game: FromPath[str],
    state: State,
    request: Request[Any, Any, Any],
    since: Annotated[int, QueryParameter(ge=-1, le=2**40)] = -1,
    sees: Annotated[str, QueryParameter(max_length=80)] = "",
) -> Stream:
    """Send what is new for a page that knows the game up to the position `since`, as `sees` saw it."""
    service, caller = service_of(state), caller_of(request)
    tape = service.tape(game, caller)
    found = PageNews(
        sees=_sees(tape), info=service.info(game, caller), requested=_requested(tape), news=_news(tape, since, sees)
    )
    return streamed([msgspec.json.encode(found)], JSON, request, **{"Cache-Control": "no-store"})


def _sees(tape: Tape) -> str:
    return tape.seen_as or ""


def _news(tape: Tape, since: int, sees: str) -> News | None:
    if since < 0 or sees != _sees(tape):
        return None
    try:
        found = news(tape, since)
    except BadAddress:  # what it knew is not an end of an action for whoever asks now
        return None
    return found if found.since == since else None


def _requested(tape: Tape) -> Requested | None:
    found = open_request(tape)
    return None if found is None else Requested(found[1].seat, found[0], found[1].to)


@get("/play/{one:str}", opt=roles(*EVERYBODY), include_in_schema=False, sync_to_thread=True)
def play(one: FromPath[str], request: Request[Any, Any, Any]) -> Response[bytes]:
    """Send the page on which a game is watched and played; it says nothing of the game, nor whether there is one."""
    del one
    return _shell(request)


@get("/join", opt=roles(*EVERYBODY), include_in_schema=False, sync_to_thread=True)
def join(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Send the page on which an invitation is taken up; the code is in the fragment, which no server gets."""
    return _shell(request)


@get("/", opt=roles(*EVERYBODY), include_in_schema=False, sync_to_thread=True)
def front(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Send the page on which a token is shown, or an invitation taken up, by whoever opens the bare address."""
    return _shell(request)


def _shell(request: Request[Any, Any, Any]) -> Response[bytes]:
    body, tag = shell()
    headers = {**HEADERS, "ETag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    return Response(body, media_type="text/html", headers=headers)


@cache
def shell() -> tuple[bytes, str]:
    """Return the page without a game, and its ETag."""
    body = frame("warptape", script(*LIVE), connect="'self'", live=True).encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


GAME_HANDLERS = [start, fresh]
HANDLERS = [play, join, front]
