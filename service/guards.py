"""Who may call what: every handler names the roles that may, and one that names none is for nobody."""

from __future__ import annotations

from typing import Any

from litestar.concurrency import sync_to_thread
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from ..replays.problems import BadRequest, NoAccess, NotYours, Unavailable
from .access import ANYBODY, ARBITER, HOST, SEAT, SPECTATOR, Caller
from .service import TROUBLE, Service

ROLES = "roles"
PLAYING = (ARBITER, SEAT)
LOOKING = (ARBITER, SEAT, SPECTATOR)
GAME = (HOST, ARBITER, SEAT, SPECTATOR)
EVERYBODY = ("anybody", HOST, ARBITER, SEAT, SPECTATOR)
NOT_YOURS = "This token does not open that."
MISSING = "This needs a token: send it as 'Authorization: Bearer TOKEN'."


def roles(*which: str) -> dict[str, Any]:
    """Return what a handler says of who may call it."""
    return {ROLES: which}


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Find out who calls, and whether that role may, in the game that the path names; raises NoAccess, NotYours.

    Whether a game exists is not told: one that a token does not open looks like one that is not there.
    """
    service: Service = connection.app.state.service
    allowed: tuple[str, ...] = handler.opt.get(ROLES, ())
    if service.settings.open and handler.opt.get("open"):
        allowed = EVERYBODY
    client = connection.client.host if connection.client else ""
    if not handler.opt.get("free"):
        service.address_rate.take(client)
        if twice := [name for name, values in connection.query_params.dict().items() if len(values) > 1]:
            raise BadRequest(f"Give {twice[0]!r} once.")
        if service.follower.down:
            raise Unavailable(TROUBLE)  # at once: those who wait for a connection would hold all threads
    kind, _, secret = connection.headers.get("authorization", "").partition(" ")
    if secret.strip() and kind.lower() == "bearer":
        caller = await sync_to_thread(service.access.caller, secret.strip())
        service.token_rate.take(caller.digest)
    elif ANYBODY.role in allowed:
        caller = ANYBODY
    else:
        raise NoAccess(MISSING)
    game = connection.path_params.get("game")
    if caller.role not in allowed:
        raise NotYours(NOT_YOURS)
    if game is not None and caller.role != HOST and caller.game != game:
        raise NotYours(NOT_YOURS)
    connection.scope["state"]["caller"] = caller


def caller_of(request: Any) -> Caller:
    """Return who calls, as the guard found out."""
    found: Caller = request.scope["state"]["caller"]
    return found


def service_of(state: Any) -> Service:
    """Return the service of the application."""
    found: Service = state.service
    return found
