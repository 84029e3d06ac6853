"""The application: all endpoints, their guard, and how errors are answered."""

from __future__ import annotations

import re
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import copy
from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.serialization import decode_json

from ..domain.errors import BadLog, WarptapeError
from ..replays.problems import BadRequest, Problem, TooLarge, problem, status
from ..replays.reader import NoRoom
from . import bots, health, pages, playing, reading, shelving, streaming
from .bodies import StrictRequest
from .document import PREFIX, PROBLEM, document
from .guards import EVERYBODY, guard, roles
from .logs import LOGGER, fault
from .service import FULL, Service, guarded, is_full
from .starts import Starts

IMPORT = "/games/import"
TOKEN = re.compile(rb"\bw[ti]_[A-Za-z0-9_-]{20,}")


def application(service: Service) -> Litestar:
    """Return the application of a service."""
    settings = service.settings
    sizes = (settings.content, settings.log_file)
    games = Router(
        PREFIX,
        route_handlers=[
            *shelving.HANDLERS,
            *(_taking(one, most) for one, most in zip(shelving.LARGE, sizes, strict=True)),
            *reading.HANDLERS,
            *playing.HANDLERS,
            *bots.HANDLERS,
            *streaming.HANDLERS,
            *pages.GAME_HANDLERS,
        ],
        request_max_body_size=settings.body,
        security=[{"token": []}],
    )

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        service.start()
        try:
            yield
        finally:
            await service.stop()

    return Litestar(
        [games, *health.HANDLERS, *pages.HANDLERS, described],
        guards=[guard],
        request_class=StrictRequest,
        state=State({"service": service, "starts": Starts()}),
        lifespan=[lifespan],
        exception_handlers={WarptapeError: refused, HTTPException: refused_by_form, Exception: failed},
        request_max_body_size=settings.body,
        openapi_config=None,
        logging_config=None,
        debug=False,
        pdb_on_exception=False,
    )


@cache
def schema() -> bytes:
    """Return the OpenAPI document."""
    reading_and_playing = [*reading.HANDLERS, *playing.HANDLERS, *streaming.HANDLERS, *bots.HANDLERS]
    handlers = [*shelving.HANDLERS, *shelving.LARGE, *reading_and_playing, *pages.GAME_HANDLERS]
    return document(handlers, health.HANDLERS)


@get("/openapi.json", opt=roles(*EVERYBODY), include_in_schema=False, sync_to_thread=True)
def described() -> Response[bytes]:
    """Describe every endpoint as OpenAPI."""
    return Response(schema(), media_type="application/json")


def _taking(handler: Any, most: int) -> Any:
    """Return a handler that takes bodies of so many bytes."""
    handler = copy(handler)
    handler.request_max_body_size = most
    return handler


def refused(request: Request[Any, Any, Any], error: WarptapeError) -> Response[bytes]:
    """Answer with an error that a caller can act on, or say that the service is at fault."""
    told = error if isinstance(error, BadLog) and request.url.path.endswith(IMPORT) else guarded(error)
    if told is not error:
        LOGGER.warning("trouble", extra={"fields": fault(error)})
    return _answered(status(told), problem(told, getattr(error, "rows", None)))


def refused_by_form(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer a request that is not of the form the service reads."""
    code = error.status_code
    if code == 413:
        return _answered(code, problem(TooLarge("This is more than the service takes in one request.")))
    if code >= 500:
        return failed(request, error)
    found = problem(BadRequest(_form(error) if code == 400 else FORMS.get(code, "The service does not read that.")))
    answer = _answered(code, found)
    if code == 405 and error.headers:
        answer.headers.update({name: value for name, value in error.headers.items() if name.lower() == "allow"})
    return answer


FORMS = {
    404: "There is no such endpoint.",
    405: "This endpoint does not take that method.",
    415: "The service reads JSON.",
}


def _form(error: HTTPException) -> str:
    """Return what is wrong with a request: which field, and why, and none of the values."""
    found = error.extra if isinstance(error.extra, list) else []
    fields = [f"{one.get('key') or 'the body'}: {one.get('message')}" for one in found if isinstance(one, dict)]
    return f"The request is not of the form that is read here. {'; '.join(fields)}".strip()


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer a fault of the service, without a word of what it was; a body that is nested too deeply is none of its own."""
    if isinstance(error, RecursionError) and traceback.extract_tb(error.__traceback__)[-1].name == decode_json.__name__:
        return _answered(400, problem(BadRequest("That is nested more deeply than the service reads.")))
    if is_full(error):
        return refused(request, NoRoom(FULL))
    LOGGER.error("fault", extra={"fields": fault(error)})
    return _answered(500, Problem(code="warptape-error", message="The service failed on this request."))


def _answered(code: int, found: Problem) -> Response[bytes]:
    headers = {} if found.retry_after is None else {"Retry-After": str(found.retry_after)}
    if code == 401:
        headers["WWW-Authenticate"] = "Bearer"
    body = TOKEN.sub(b"(a token)", msgspec.json.encode(found))  # also one that was typed where it does not belong
    return Response(body, status_code=code, media_type=PROBLEM, headers=headers)
