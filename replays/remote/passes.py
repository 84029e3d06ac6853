"""What opens games on servers: tokens by server and game, kept in a file that only its owner may read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from ...domain.errors import OptionError, StoreError

FORMAT = 1
LOOPBACK = ("localhost", "127.0.0.1", "::1")
ROLES = ("seat", "arbiter", "spectator", "host")
"""Whose token is taken where several open the same game, the first one first."""


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """A token and what it opens: the game with an id, or for a `host` the server; `name` is the game's when it was kept."""

    token: str
    role: str = ""
    game: str = ""
    seat: str = ""
    name: str = ""

    def __repr__(self) -> str:  # a token belongs into no traceback and no log
        return f"<Pass of {self.role or 'a token'} for {self.game or 'a server'}>"


class _File(msgspec.Struct):
    format: int = FORMAT
    servers: dict[str, list[Pass]] = {}


class Wallet:
    """The passes of one user: in the file at `path`, or with None in memory alone.

    Raises StoreError for a file that cannot be read or written, or that is no file of passes.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._kept = _File()

    def of(self, server: str) -> list[Pass]:
        """Return the passes for a server."""
        return list(self._read().servers.get(server, ()))

    def servers(self) -> dict[str, list[Pass]]:
        """Return all passes by server."""
        return {server: list(passes) for server, passes in sorted(self._read().servers.items())}

    def add(self, server: str, *passes: Pass) -> None:
        """Keep passes; one for the same part in the same game takes the place of the one before."""
        with self._changing() as kept:
            mine = kept.servers.setdefault(server, [])
            for one in passes:
                mine[:] = [old for old in mine if _part(old) != _part(one) and old.token != one.token]
                mine.append(one)

    def remove(self, server: str, game: str | None = None) -> list[Pass]:
        """Forget the passes for a game of a server, known by id or name, or for all of it; returns those forgotten."""
        with self._changing() as kept:
            mine = kept.servers.get(server, [])
            gone = [one for one in mine if game is None or game in (one.game, one.name)]
            left = [one for one in mine if one not in gone]
            if left:
                kept.servers[server] = left
            else:
                kept.servers.pop(server, None)
        return gone

    def _read(self) -> _File:
        if self.path is None:
            return self._kept
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return _File()
        except OSError as error:
            raise StoreError(f"The profiles in {self.path} cannot be read: {_reason(error)}.") from error
        try:
            kept = msgspec.json.decode(data, type=_File)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise StoreError(
                f"{self.path} holds no profiles that this version reads: mend it, or move it away and join again."
            ) from error
        if kept.format != FORMAT:
            raise StoreError(f"The profiles in {self.path} are of a newer version of warptape.")
        return kept

    @contextmanager
    def _changing(self) -> Iterator[_File]:
        """Give what is kept, to change; two processes that change it do so one after the other."""
        if self.path is None:
            yield self._kept
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _alone(self.path.with_name(f".{self.path.name}.lock")):
                kept = self._read()
                yield kept
                self._write(kept)
        except OSError as error:
            raise StoreError(f"The profiles in {self.path} cannot be written: {_reason(error)}.") from error

    def _write(self, kept: _File) -> None:
        assert self.path is not None
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        text = json.dumps(msgspec.to_builtins(kept), indent=2) + "\n"
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold a lock file, where the system has such locks."""
    with open(os.open(lock, os.O_RDWR | os.O_CREAT, 0o600), "w") as file:
        try:
            import fcntl
        except ImportError:  # Windows: the last one to write wins
            yield
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _part(one: Pass) -> tuple[str, ...]:
    return (one.game, one.role, one.seat)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def user_wallet() -> Wallet:
    """Return the passes in the user's config folder, or in the file that WARPTAPE_PROFILES names."""
    named = os.environ.get("WARPTAPE_PROFILES")
    if named:
        return Wallet(Path(named))
    from platformdirs import user_config_path

    return Wallet(user_config_path("warptape", appauthor=False) / "profiles.json")


def is_server(url: str) -> bool:
    """Say whether a text is the URL of a game service, not of a database."""
    return re.match(r"https?://", url, re.IGNORECASE) is not None


def server_of(url: str, *, insecure: bool = False) -> str:
    """Return the URL of a server as profiles know it: without a last slash, name and password, query or fragment.

    Raises StoreError for a URL that names no host, that holds a password, or whose tokens would go over a network in
    plain text: `http://` is for this machine alone unless `insecure`.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise StoreError("That is not the URL of a server: https://HOST or https://HOST:PORT.") from error
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https") or not host:
        raise StoreError("That is not the URL of a server: https://HOST or https://HOST:PORT.")
    if parts.username is not None or parts.password is not None:
        raise StoreError("The URL of a server holds no name and no password: give the token with --token.")
    if scheme == "http" and host not in LOOPBACK and not insecure:
        raise StoreError(
            f"http:// would send the token to {host} for everybody on the way to read: use https://, or --insecure where "
            "the network is yours."
        )
    shown = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[scheme]
    at = "" if port in (None, usual) else f":{port}"
    return f"{scheme}://{shown}{at}{parts.path.rstrip('/')}"


def invitation_of(text: str) -> tuple[str, str]:
    """Return the server and the code in an invitation: a link `https://HOST/join#CODE`, or a code alone (server empty).

    Raises OptionError for what is neither.
    """
    text = text.strip()
    if is_server(text):
        url, _, code = text.partition("#")
        base = url.rstrip("/").removesuffix("/join")
        if not code:
            raise OptionError("The link holds no invitation: it ends in #CODE.")
    else:
        base, code = "", text
    if not re.fullmatch(r"[\w-]{8,200}", code, re.ASCII):
        raise OptionError("That is no invitation: it is a code, or a link that ends in #CODE.")
    return base, code


def link(server: str, code: str) -> str:
    """Return an invitation as a link; what stands behind the `#` is never sent to a server by a browser."""
    return f"{server}/join#{code}"
