"""Around the whole service: how long a request may take, what is counted and logged of it, and how it all ends."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.enums import ScopeType

from ..replays.problems import Problem, TooLong, Unavailable, problem
from .logs import LOGGER, fault

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from .service import Service

STREAM = "/events"
LONG = ("/rows", "/export", "/games/import", "/audit", "/transcript", "/page")


class SlowClient(Exception):
    """What was sent to a client was left unread for too long."""


class Watch:
    """An ASGI application around another: times, counts, logs, and refuses new work while the service ends."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app = app
        self.service = service
        self.begun = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status, left = 0, False

        async def watched(message: Message) -> None:
            nonlocal status, left
            if message["type"] == "http.response.start":
                status = message["status"]
            if stream:
                try:
                    await asyncio.wait_for(send(message), self.service.settings.slow)
                except TimeoutError as error:
                    left = True
                    self.service.metrics.slow.inc()
                    raise SlowClient from error
            else:
                await send(message)

        path = scope["path"].rstrip("/")
        stream = path.endswith(STREAM)
        settings = self.service.settings
        seconds = None if stream else settings.long_seconds if path.endswith(LONG) else settings.seconds
        self.begun += 1
        try:
            if self.service.closing and not path.startswith("/health"):
                await _answer(watched, 503, problem(Unavailable("The service is being restarted. Try again soon.")))
                return
            async with asyncio.timeout(seconds):
                await self.app(scope, receive, watched)
        except TimeoutError:
            if not status:
                text = "This took too long. It may have been done all the same: the same key again says so."
                await _answer(watched, 504, problem(TooLong(text)))
        except Exception as error:  # the application answers its own; this is the last resort
            if left:
                return
            LOGGER.error("fault", extra={"fields": {**_fields(scope), **fault(error)}})
            if not status:
                await _answer(
                    watched, 500, Problem(code="warptape-error", message="The service failed on this request.")
                )
        finally:
            self.begun -= 1
            self._count(scope, status, time.perf_counter() - started, stream)

    def _count(self, scope: Scope, status: int, seconds: float, stream: bool) -> None:
        fields = _fields(scope)
        metrics = self.service.metrics
        metrics.requests.labels(fields["method"], fields["route"], str(status)).inc()
        if not stream:
            metrics.seconds.labels(fields["route"]).observe(seconds)
        if not fields["route"].startswith("/health"):
            LOGGER.info("request", extra={"fields": {**fields, "status": status, "ms": round(seconds * 1000, 1)}})


def _fields(scope: Scope) -> dict[str, Any]:
    """Return what may be said of a request; the game only where a token opened it."""
    caller = scope.get("state", {}).get("caller")
    known = {"game": caller.game, "role": caller.role} if caller is not None else {}
    asked = str(scope.get("method", ""))
    method = asked if asked in METHODS else "OTHER"
    return {"method": method, "route": str(scope.get("path_template", "(none)")), **known}


METHODS = frozenset(("GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"))


async def _answer(send: Any, status: int, found: Problem) -> None:
    body = msgspec.json.encode(found)
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if found.retry_after is not None:
        headers.append((b"retry-after", str(found.retry_after).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
