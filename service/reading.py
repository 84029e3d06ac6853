"""Endpoints that read a game: its rows, boards, story and log, as the caller may see them."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import Stream

from ..domain.errors import NotAllowed
from ..projections.boards import draw
from ..replays.audit import audit as audited
from ..replays.diff import Diff, diff
from ..replays.findings import Report
from ..replays.lines import Line
from ..replays.logfile import export as written
from ..replays.rows import Rows
from ..replays.tape import Tape
from ..replays.told import tell_log
from ..replays.transcript import transcript_lines
from ..replays.wire import LOG_TYPE, ROWS_TYPE, Answer, Choices, Note, Sentence, Why, write_rows
from .guards import LOOKING, PLAYING, caller_of, roles, service_of
from .offering import offered
from .playing import acting, read_action
from .service import place
from .standing import asked

MOST = 1000
"""The most actions, and the most sentences, of one answer."""

PIECE = 64 * 2**10
Position = Annotated[int | None, QueryParameter(ge=0, le=2**40)]


@get("/games/{game:str}/rows", opt=roles(*LOOKING), sync_to_thread=True)
def rows(
    game: FromPath[str], state: State, request: Request[Any, Any, Any], start: Position = None, stop: Position = None
) -> Stream:
    """Stream the rows that the caller may see, a line of JSON each: `[position, kind, event, secrets or null]`."""
    window = service_of(state).window(game, caller_of(request))
    found = Rows(window, window.record).rows(start or 0, stop) if window.view.stop else ()
    return streamed(write_rows(found), ROWS_TYPE, request)


def streamed(parts: Iterable[bytes], media: str, request: Request[Any, Any, Any], **headers: str) -> Stream:
    """Return a stream in pieces of some size, packed where the client takes that; what fails at once fails before it."""
    pieces = _pieces(parts)
    headers["Vary"] = "Accept-Encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        pieces = _packed(pieces)
        headers["Content-Encoding"] = "gzip"
    first = list(islice(pieces, 1))
    return Stream(chain(first, pieces), media_type=media, headers=headers)


def _pieces(parts: Iterable[bytes]) -> Iterator[bytes]:
    piece = bytearray()
    for part in parts:
        piece += part
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def _packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(6, wbits=31)
    for piece in pieces:
        if data := packer.compress(piece):
            yield data
    yield packer.flush()


@get("/games/{game:str}/view", opt=roles(*LOOKING), sync_to_thread=True)
def view(
    game: FromPath[str],
    state: State,
    request: Request[Any, Any, Any],
    at: FromQuery[str | None] = None,
    form: Annotated[Literal["json", "text", "svg", "html"], QueryParameter(name="format")] = "json",
    width: Annotated[int, QueryParameter(ge=40, le=300)] = 100,
    ascii: FromQuery[bool] = False,
) -> Response[bytes]:
    """Draw the board at a position or address (default: now) as the caller may see it."""
    tape = service_of(state).tape(game, caller_of(request))
    position = tape.at(place(at))
    scene = draw(position.ruleset, position.shown(), position.title)
    if form == "text":
        return _text(scene.text(width, ascii_only=ascii), "text/plain")
    if form == "svg":
        return _text(scene.svg(), "image/svg+xml")
    if form == "html":
        return _text(scene.html(), "text/html")
    return _text(scene.to_json(), "application/json")


def _text(text: str, media: str) -> Response[bytes]:
    return Response(text.encode(), media_type=media)  # Litestar names the charset of texts


@get("/games/{game:str}/actions", opt=roles(*PLAYING), sync_to_thread=True)
def actions(
    game: FromPath[str],
    state: State,
    request: Request[Any, Any, Any],
    q: Annotated[str, QueryParameter(max_length=80)] = "",
    verb: Annotated[str, QueryParameter(max_length=80)] = "",
    names: Annotated[str, QueryParameter(max_length=2000)] = "",
    offset: Annotated[int, QueryParameter(ge=0, le=2**40)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST)] = 100,
) -> Choices:
    """List what the caller may do now; none while another seat must decide.

    `verb` keeps those that begin with this word, `q` those whose notation or words hold a text, `names` those that name
    something: `SC1,SC2 4:k1` are those with one of the first two and the third.
    """
    service, caller = service_of(state), caller_of(request)
    return offered(service.tape(game, caller), caller, q, verb, names, offset, limit)


@post("/games/{game:str}/why", opt=roles(*PLAYING), status_code=200, sync_to_thread=True)
def why(game: FromPath[str], data: JSONBody[Why], state: State, request: Request[Any, Any, Any]) -> Answer:
    """Say whether an action is legal now, and if not, by which rule."""
    service, caller = service_of(state), caller_of(request)
    tape = service.tape(game, caller)
    seat = acting(tape.shelf, caller, data.seat, lambda: asked(tape.at()))
    position = tape.at()
    found: Any = None
    for action in read_action(tape.ruleset, position.state, seat, data.action):
        found = tape.ruleset.refusal(position.state, seat, action)
        break  # those that follow are played on another board
    else:
        raise NotAllowed("There is no action in that.")
    return Answer(True) if found is None else Answer(False, found.rule, found.reason)


@get("/games/{game:str}/log", opt=roles(*LOOKING), sync_to_thread=True)
def log(
    game: FromPath[str], state: State, request: Request[Any, Any, Any], start: Position = None, stop: Position = None
) -> list[Sentence]:
    """Tell the events from `start` to `stop` - 1 in words, what was taken back included; at most 1000 of them."""
    tape = service_of(state).tape(game, caller_of(request))
    first = min(start or 0, tape.length)
    last = min(tape.length if stop is None else stop, first + MOST, tape.length)
    return [
        Sentence(told.position, told.kind, told.text, told.on_line, told.event.rule, told.entered)
        for told in tell_log(tape, first, last)
    ]


@get("/games/{game:str}/lines", opt=roles(*LOOKING), sync_to_thread=True)
def lines(game: FromPath[str], state: State, request: Request[Any, Any, Any]) -> list[Line]:
    """List every way the game was played."""
    return service_of(state).tape(game, caller_of(request)).lines()


@get("/games/{game:str}/notes", opt=roles(*LOOKING), sync_to_thread=True)
def notes(game: FromPath[str], state: State, request: Request[Any, Any, Any]) -> list[Note]:
    """List the notes that stand and that the caller may read."""
    from ..replays.notes import notes as found

    return found(service_of(state).tape(game, caller_of(request)))


@get("/games/{game:str}/transcript", opt=roles(*LOOKING), sync_to_thread=True)
def transcript(
    game: FromPath[str],
    state: State,
    request: Request[Any, Any, Any],
    form: Annotated[Literal["md", "txt", "html"], QueryParameter(name="format")] = "md",
    at: FromQuery[str | None] = None,
    variations: FromQuery[bool] = False,
) -> Stream:
    """Tell the game as a story, along the line that ends at a position or address (default: now)."""
    tape = service_of(state).tape(game, caller_of(request))
    told = transcript_lines(tape, form, at=place(at), variations=variations)
    media = {"md": "text/markdown", "txt": "text/plain", "html": "text/html"}[form]
    return streamed((part.encode() for part in told), media, request)


@get("/games/{game:str}/export", opt=roles(*LOOKING), sync_to_thread=True)
def export(game: FromPath[str], state: State, request: Request[Any, Any, Any]) -> Stream:
    """Send the log file of the game as the caller knows it."""
    tape = service_of(state).tape(game, caller_of(request))
    return streamed(
        _file_of(tape),
        LOG_TYPE,
        request,
        **{"Content-Disposition": f'attachment; filename="{tape.shelf.id}.tape.jsonl"'},
    )


def _file_of(tape: Tape) -> Iterator[bytes]:
    with tempfile.TemporaryDirectory(prefix="warptape-") as folder:
        path = written(tape, Path(folder) / "export.jsonl")
        with path.open("rb") as file:
            while data := file.read(PIECE):
                yield data


@get("/games/{game:str}/audit", opt=roles(*LOOKING), sync_to_thread=True)
def audit(game: FromPath[str], state: State, request: Request[Any, Any, Any], rules: FromQuery[bool] = True) -> Report:
    """Audit the game as the caller may see it; `rules=false` leaves out whether the rules give what was recorded."""
    return audited(service_of(state).tape(game, caller_of(request)), rules=rules)


@get("/games/{game:str}/diff", opt=roles(*LOOKING), sync_to_thread=True)
def difference(
    game: FromPath[str],
    state: State,
    request: Request[Any, Any, Any],
    left: Annotated[str | None, QueryParameter(name="from")] = None,
    right: Annotated[str | None, QueryParameter(name="to")] = None,
) -> Diff:
    """Say what differs between two positions or addresses of the game."""
    tape = service_of(state).tape(game, caller_of(request))
    return diff(tape, place(left), None, place(right))


HANDLERS = [rows, view, actions, why, log, lines, notes, transcript, export, audit, difference]
