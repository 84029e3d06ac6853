"""The line to one server: requests that are tried again until they are answered, and errors that are those of a local store.

A change carries a key, so that trying it again after a lost answer cannot do it twice.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec

from ... import __version__
from ...domain.errors import StoreError, WarptapeError
from ..problems import NoAccess, raised, read_problem
from ..wire import KEY_HEADER
from .passes import LOOPBACK

A = TypeVar("A")
CONNECT, READ = 5.0, 60.0
"""Seconds to wait for a connection, and for the next bytes of an answer."""
FIRST, LONGEST = 0.1, 5.0
"""Seconds before the second try, and the most between two."""
PATIENCE = 15.0
"""Seconds for which a request is tried again."""
LATER = (429, 502, 503, 504)
"""What a server, or what stands before it, answers when it cannot do it now."""


class LineDown(StoreError):
    """The server cannot be reached, or its answers do not arrive."""


class Line:
    """The line to the server at a URL as `server_of` gives it.

    `patience` are the seconds for which a request is tried again, None for ever; `told` hears once that the line is down,
    with a sentence, and once that it is back. Safe for several threads.
    """

    def __init__(
        self, server: str, *, patience: float | None = PATIENCE, told: Callable[[str], None] = lambda text: None
    ) -> None:
        self.server = server
        self.host = urlsplit(server).netloc
        self.patience = patience
        self.told = told
        self.up = True
        self.reached = False
        """Whether it has ever answered."""
        self.tries = 0
        """How many times the last request was sent."""
        local = urlsplit(server).hostname in LOOPBACK
        # A plain line needs no certificates, which take longer to read than a request takes; this one trusts nobody.
        plain = urlsplit(server).scheme == "http"
        self._client = httpx.Client(
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else True,
            base_url=f"{server}/v1/",
            timeout=httpx.Timeout(READ, connect=CONNECT),
            follow_redirects=False,  # the token is for this host
            trust_env=not local,
            headers={"User-Agent": f"warptape/{__version__}"},
        )

    def close(self) -> None:
        """Hang up."""
        self._client.close()

    def ask(
        self,
        method: str,
        path: str,
        kind: type[A],
        *,
        token: str = "",
        params: Mapping[str, Any] | None = None,
        body: msgspec.Struct | bytes | None = None,
        key: str = "",
        content_type: str = "application/json",
    ) -> tuple[A, int]:
        """Return the answer to a request, decoded (`bytes`: as it is), and how many times it was sent.

        Raises the error that the server answers, LineDown when no answer comes in time.
        """
        headers = _headers(token, key)
        content: bytes | None = None
        if body is not None:
            content = body if isinstance(body, bytes) else msgspec.json.encode(body)
            headers["Content-Type"] = content_type
        clock = _Clock(self)
        while True:
            clock.tries += 1
            self.tries = clock.tries
            try:
                answer = self._client.request(method, path, params=params, content=content, headers=headers)
                found = self._decoded(answer, kind)
            except (httpx.TransportError, Later) as error:
                clock.wait(error)
                continue
            self._is_up()
            return found, clock.tries

    def _decoded(self, answer: httpx.Response, kind: type[A]) -> A:
        self._check(answer, answer.content)
        if kind is bytes:
            return answer.content  # type: ignore[return-value]
        try:
            return msgspec.json.decode(answer.content or b"null", type=kind)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise StoreError(
                f"The answer of {self.host} is not one that this version reads ({error}): is it a warptape server, and of "
                "this version?"
            ) from error

    def _check(self, answer: httpx.Response, data: bytes) -> None:
        """Raise what an answer that is none says."""
        code = answer.status_code
        if code < 300:
            return
        problem = read_problem(data)
        wrong: WarptapeError
        if problem is not None:
            wrong = raised(problem)
            # An invitation is taken up without a token: there the server says what is wrong with it.
            joining = answer.request.url.path.endswith("/join")
            if isinstance(wrong, NoAccess) and not joining and "Authorization" not in answer.request.headers:
                wrong = self.no_token()
        elif code < 400:
            there = urlsplit(answer.headers.get("Location", "")).netloc or "another place"
            wrong = StoreError(f"{self.host} sends us to {there}: name that server, if it is the one you mean.")
        else:
            wrong = StoreError(f"{self.host} answers with HTTP {code}: is it a warptape server?")
        if code in LATER:
            raise Later(wrong, answer.headers.get("Retry-After", ""))
        self._is_up()
        raise wrong

    @contextmanager
    def stream(
        self,
        path: str,
        *,
        token: str = "",
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = READ,
    ) -> Iterator[httpx.Response]:
        """Give an answer to read piece by piece, not tried again; raises httpx.TransportError when the line drops."""
        with self._client.stream(
            "GET", path, params=params, headers={**_headers(token), **(headers or {})},
            timeout=httpx.Timeout(timeout, connect=CONNECT),
        ) as answer:  # fmt: skip
            if answer.status_code >= 300:
                self._check(answer, answer.read())
            yield answer

    def no_token(self) -> NoAccess:
        """Return what to say where nothing was shown that opens it."""
        return NoAccess(
            f"Nothing here opens that at {self.host}: `warptape join LINK` takes an invitation up, or name a token with "
            "--token."
        )

    def trying(self) -> _Clock:
        """Return a clock for something that is to be tried again: `wait` sleeps, or raises when it took too long."""
        return _Clock(self)

    def _is_up(self) -> None:
        self.reached = True
        if not self.up:
            self.up = True
            self.told(f"The line to {self.host} is back.")

    def _is_down(self, why: str) -> None:
        if self.up:
            self.up = False
            self.told(f"The line to {self.host} is down ({why}); trying again…")


class Later(Exception):
    """The server says that it cannot do it now, and perhaps when it can."""

    def __init__(self, error: WarptapeError, after: str) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = min(float(after), 30.0) if after.isascii() and after.isdigit() else 0.0


class _Clock:
    """How long one request has been tried."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.began = time.monotonic()
        self.tries = 0
        self.pause = FIRST

    def wait(self, error: Exception) -> None:
        """Sleep before the next try; raises when it makes no sense, or has taken longer than the line's patience."""
        line = self.line
        why = _why(error)
        if _hopeless(error) or (not line.reached and _unknown_host(error)):
            raise LineDown(f"{line.server} cannot be reached: {why}.") from error
        pause = max(self.pause, error.after if isinstance(error, Later) else 0.0)
        if line.patience is not None and time.monotonic() + pause - self.began > line.patience:
            if isinstance(error, Later):
                raise error.error from error
            raise LineDown(
                f"{line.server} cannot be reached: {why}. What was recorded stays recorded; try again later."
            ) from error
        line._is_down(why)
        self.pause = min(2 * self.pause, LONGEST)
        time.sleep(pause)


def _headers(token: str, key: str = "") -> dict[str, str]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if key:
        headers[KEY_HEADER] = key
    return headers


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _hopeless(error: Exception) -> bool:
    return isinstance(error, httpx.UnsupportedProtocol) or any(
        isinstance(one, ssl.SSLCertVerificationError) for one in _causes(error)
    )


def _unknown_host(error: Exception) -> bool:
    return any(isinstance(one, socket.gaierror) for one in _causes(error))


def _why(error: Exception) -> str:
    for one in _causes(error):
        if isinstance(one, ssl.SSLCertVerificationError):
            return f"its certificate is not to be trusted ({one.verify_message or 'it does not fit the host'})"
        if isinstance(one, socket.gaierror):
            return "there is no host of that name"
        if isinstance(one, ConnectionRefusedError):
            return "nobody listens there"
    if isinstance(error, Later):
        return str(error).rstrip(".") or "it is busy"
    if isinstance(error, httpx.TimeoutException):
        return "it does not answer"
    if isinstance(error, httpx.RemoteProtocolError):
        return "the answer broke off"
    return (str(error) or type(error).__name__).rstrip(".").lower()
