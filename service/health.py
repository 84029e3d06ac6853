"""Endpoints for those who run the service: whether it lives, whether it is ready, and its counts."""

from __future__ import annotations

import ipaddress
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State

from ..domain.errors import StoreError
from ..replays.problems import NotYours
from ..replays.wire import Health
from .access import HOST
from .guards import EVERYBODY, NOT_YOURS, caller_of, roles, service_of


@get("/health/live", opt={**roles(*EVERYBODY), "free": True}, sync_to_thread=False)
def live() -> Health:
    """Say that the process answers."""
    return Health("ok")


@get("/health/ready", opt={**roles(*EVERYBODY), "free": True}, sync_to_thread=True)
def ready(state: State) -> Response[Health]:
    """Say whether new work is taken: the store answers, and the service does not end."""
    service = service_of(state)
    if service.closing:
        return Response(Health("ending"), status_code=503, headers={"Retry-After": "2"})
    trouble = Response(Health("trouble", "does not answer"), status_code=503, headers={"Retry-After": "2"})
    if service.follower.down:
        return trouble
    try:
        version = service.version()
    except StoreError:
        return trouble
    return Response(Health("ok", "answers", version))


@get("/metrics", opt=roles(*EVERYBODY), sync_to_thread=True)
def metrics(state: State, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Send the counts for Prometheus: to this machine, or with the host's token."""
    service = service_of(state)
    if not service.settings.open_metrics and caller_of(request).role != HOST and not _loopback(request):
        raise NotYours(NOT_YOURS)
    data, media = service.metrics.text()
    return Response(data, media_type=media)


def _loopback(request: Request[Any, Any, Any]) -> bool:
    """Whether a request comes from this machine, and not by way of a proxy on it, or of a page in a browser on it.

    A web site can have its own name stand for this machine; the browser then asks for that name.
    """
    if any(name in request.headers for name in ("forwarded", "x-forwarded-for", "via")):
        return False
    asked = (request.url.hostname or "").strip("[]")
    here = request.client is not None and _is_loopback(request.client.host)
    return here and (asked == "localhost" or _is_loopback(asked))


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


HANDLERS = [live, ready, metrics]
