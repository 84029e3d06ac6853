"""What happens in a game, as server-sent events: each stream reads the store by position, so none is lost or doubled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from litestar import Request, get
from litestar.concurrency import sync_to_thread
from litestar.datastructures import State
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream

from ..domain.errors import StoreError, UnknownGame
from ..replays.chain import HEAD_KINDS
from ..replays.rows import Rows
from ..replays.wire import ChangedEvent, DeletedEvent, RowsEvent, WireRow, to_wire
from .access import Caller
from .guards import LOOKING, caller_of, roles, service_of
from .service import TROUBLE, Service, by_few

PAGE = 500
"""About so many rows go into one event."""

BYTES = 256 * 2**10
"""An event with more than these ends with the batch: it is in memory until the client has read it."""

QUIET = 2
"""After so many pauses with nothing new it is looked whether a bot ought to have acted: no request goes on for so long."""

RETRY = 1000
"""Milliseconds after which a client whose stream ended comes back."""


class Look(msgspec.Struct):
    """What a stream finds when it looks: events to send, where it stands then, and whether it is done."""

    parts: list[bytes]
    after: int
    known: tuple[str, str]
    more: bool = False
    done: bool = False


def event(kind: str, data: Any, identifier: int | None = None) -> bytes:
    """Return one server-sent event."""
    head = b"" if identifier is None else f"id: {identifier}\n".encode()
    return head + f"event: {kind}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"


def look(service: Service, game: str, caller: Caller, after: int, known: tuple[str, str] | None) -> Look:
    """Return what there is for a stream that has everything up to a position; raises StoreError."""
    if service.follower.down:
        raise StoreError(TROUBLE)
    standing = known or ("", "")
    try:
        if not service.access.alive(caller.digest):
            service.store.shelf(game)  # raises UnknownGame: the token went with the game
            return Look([], after, standing, done=True)
        window = service.window(game, caller)
    except UnknownGame:
        return Look([event("deleted", DeletedEvent(game))], after, standing, done=True)
    record, stop = window.record, window.view.stop
    now = (record.name, window.view.seat or "")
    parts = [event("changed", ChangedEvent(*now))] if known is not None and known != now else []
    if after + 1 >= stop:
        return Look(parts, after, now)
    log = Rows(window, record)
    end = stop
    if stop - after - 1 > PAGE:
        heads = log.positions(HEAD_KINDS, after + 1 + PAGE, stop)
        end = heads[0] if heads else stop
    rows, size = list[WireRow](), 0
    for row in by_few(window, after + 1, end):
        if size > BYTES and row.kind in HEAD_KINDS:
            end = row.position
            break
        rows.append(to_wire(row))
        size += len(row.data)
    stands = service.standings.of(window) if end == stop else None
    decision = None if stands is None else stands.decision
    parts.append(event("rows", RowsEvent(rows, end, decision), end - 1))
    return Look(parts, end - 1, now, more=end < stop)


@get("/games/{game:str}/events", opt=roles(*LOOKING), media_type="text/event-stream")
async def events(
    game: FromPath[str],
    state: State,
    request: Request[Any, Any, Any],
    after: Annotated[int | None, QueryParameter(ge=-1, le=2**40)] = None,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=20)] = None,
) -> Stream:
    """Stream what happens from a position on (`after`, or Last-Event-ID; default: from now on)."""
    service, caller = service_of(state), caller_of(request)
    if last is not None and last.strip().isascii() and last.strip().isdigit():
        after = int(last)
    if after is None:
        window = await sync_to_thread(service.window, game, caller)
        after = window.view.stop - 1
    stream = _stream(service, game, caller, after)
    begun = await anext(
        stream
    )  # refused before the answer begins; and what has begun ends, whatever becomes of the answer
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Stream(_going_on(begun, stream), media_type="text/event-stream", headers=headers)


async def _going_on(begun: bytes, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield begun
    async for part in stream:
        yield part


async def _stream(service: Service, game: str, caller: Caller, after: int) -> AsyncIterator[bytes]:
    known: tuple[str, str] | None = None
    quiet = 0
    with service.streams.one(caller.digest), service.hub.watch(game) as news:
        yield f"retry: {RETRY}\n: {game}\n\n".encode()
        while True:
            news.look()
            if service.closing:
                yield b": the service is being restarted\n\n"
                return
            try:
                found = await sync_to_thread(look, service, game, caller, after, known)
            except StoreError:
                return  # the client comes back, and the store may have too
            for part in found.parts:
                yield part
            after, known = found.after, found.known
            news.saw(after + 1)
            if found.done:
                return
            if found.more:
                continue
            try:
                await asyncio.wait_for(news.wait(), service.settings.heartbeat)
                quiet = 0
            except TimeoutError:
                yield b": still here\n\n"
                quiet += 1
                if quiet == QUIET:
                    await sync_to_thread(service.go_on, game)


HANDLERS = [events]
