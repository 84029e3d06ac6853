"""Endpoints for bots: the protocol of programs at seats, over HTTP. A bot waits for its turn and answers the question.

The messages are those that a program is told through a pipe, byte for byte, but for the clock: over HTTP nobody waits for
the answer, so it has no limit.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from ..domain.errors import Conflict
from ..replays.game import Game
from ..replays.outside.messages import Answer, Ask, Clock, Hello, Listing, Message, Over, Refused, encode
from ..replays.outside.questions import Question, Unfit, hello, over
from ..replays.problems import BadRequest, NoAccess, Unavailable
from .access import SEAT, Caller
from .guards import caller_of, roles, service_of
from .playing import acting
from .service import Service

JSON = "application/json"
LONGEST_WAIT = 25.0
"""Seconds that a bot may wait in one request: a little less than requests may take."""

UNLIMITED = Clock(None)

Wait = Annotated[float, QueryParameter(ge=0, le=LONGEST_WAIT, description="Seconds to wait until the seat is asked.")]
Since = Annotated[int, QueryParameter(ge=0, le=2**40, description="The `id` that was answered last; 0: none.")]
NOT_YET = {204: ResponseSpec(data_container=None, description="The seat is not asked yet: ask again.")}


def _answers(*kinds: Any) -> dict[int, ResponseSpec]:
    union = kinds[0]
    for kind in kinds[1:]:
        union |= kind
    return {
        200: ResponseSpec(
            data_container=union, generate_examples=False, media_type=JSON, description="Request fulfilled"
        )
    }


def message(service: Service, game: str, caller: Caller, since: int) -> Message | None:
    """Return what a bot is told now: the question, or that the game is over; None while its seat is not asked.

    Raises NoAccess when its token was revoked meanwhile, NotYours where a bot of the service holds the seat.
    """
    if not service.access.alive(caller.digest):
        raise NoAccess("This token opens nothing here: it was revoked.")
    standing = service.standings.of(service.window(game, caller))
    if standing is None or (standing.decision is not None and standing.decision.seat != caller.seat):
        return None
    with service.tables.at(game) as table:
        return told(table, acting(table.shelf, caller, None, lambda: None), since)


def told(game: Game, seat: str, since: int) -> Message | None:
    """Return what a seat is told of a game that is held; None while it is not asked."""
    if game.decision is None:
        return over(game, seat, since)
    return Question(game, seat).ask(UNLIMITED, since) if game.decision.seat == seat else None


def _sent(found: Message | None) -> Response[bytes]:
    if found is None:
        return Response(b"", status_code=204, headers={"Cache-Control": "no-store"})
    return Response(encode(found), status_code=200, media_type=JSON, headers={"Cache-Control": "no-store"})


async def _waited(service: Service, game: str, caller: Caller, since: int, seconds: float) -> Message | None:
    """Wait until there is something to tell, woken as streams are, so many seconds at most."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    with service.streams.one(caller.digest), service.hub.watch(game) as news:
        while True:
            news.look()
            if service.closing:
                raise Unavailable("The service is being restarted. Try again soon.")
            found = await sync_to_thread(message, service, game, caller, since)
            left = until - loop.time()
            if found is not None or left <= 0:
                return found
            try:
                await asyncio.wait_for(news.wait(), left)
            except TimeoutError:
                return None


@get("/games/{game:str}/turn/hello", opt=roles(SEAT), responses=_answers(Hello), sync_to_thread=True)
def greet(game: FromPath[str], state: State, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Tell a bot what it plays: the first message of the protocol for bots."""
    service, caller = service_of(state), caller_of(request)
    with service.tables.at(game) as table:
        return _sent(hello(table, acting(table.shelf, caller, None, lambda: None)))


@get("/games/{game:str}/turn", opt=roles(SEAT), responses=_answers(Ask, Over) | NOT_YET)
async def turn(
    game: FromPath[str], state: State, request: Request[Any, Any, Any], wait: Wait = 0.0, since: Since = 0
) -> Response[bytes]:
    """Wait until the seat is asked, and tell a bot the question (`ask`), or that the game is over (`over`)."""
    return _sent(await _waited(service_of(state), game, caller_of(request), since, wait))


@post(
    "/games/{game:str}/turn",
    opt=roles(SEAT),
    status_code=200,
    responses=_answers(Ask, Listing, Refused, Over) | NOT_YET,
)
async def answer(
    game: FromPath[str], data: JSONBody[Answer], state: State, request: Request[Any, Any, Any], wait: Wait = 0.0
) -> Response[bytes]:
    """Take a bot's answer to the question `id`, and tell what follows, as `GET …/turn` does.

    An answer that does not do gets `refused`, `list` gets `actions`: the question stays open. One to a question that is not
    open any more gets 409, and does nothing.
    """
    service, caller = service_of(state), caller_of(request)
    found = await sync_to_thread(_answered, service, game, caller, data)
    if found is None and wait and data.id is not None:
        found = await _waited(service, game, caller, data.id, wait)
    return _sent(found)


def _answered(service: Service, game: str, caller: Caller, data: Answer) -> Message | None:
    """Return what follows an answer at once: it was taken, refused, or asked for more of the legal actions."""
    if data.id is None:
        raise BadRequest("Say which question is answered: its id.")
    with service.tables.at(game) as table:
        seat = acting(table.shelf, caller, None, lambda: None)
        if data.id != table.length:
            service.metrics.conflicts.inc()
            now = f"the log has {table.length} events now"
            raise Conflict(f"The question {data.id} is not open any more: {now}. Ask again.", data.id, table.length)
        question = Question(table, seat)
        try:
            if data.list is not None:
                return question.listing(data.list.first, UNLIMITED)
            action = question.chosen(data)
        except Unfit as error:
            return Refused(question.id, error.rule, error.reason, None, UNLIMITED)
        played = table.act(action, seat, person="" if seat in table.people else caller.label)
        length, found = table.length, told(table, seat, data.id)
    service.metrics.events.inc(len(played.events))
    service.hub.wake(game, length)
    return found


HANDLERS = [greet, turn, answer]
