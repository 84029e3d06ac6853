"""The library of a server: its games are started, imported and joined there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from ...domain.content import Content
from ...domain.errors import BadLog, UnknownGame
from ...domain.rules import Ruleset
from ..game import Game
from ..library import Library
from ..logfile import LogFile
from ..paths import typed
from ..wire import LOG_TYPE, Created, CreateGame, Games, Issued, IssueToken, Join, Joined, Revoked, TokenInfo
from ..writing import Desk
from .game import RemoteGame, new_key
from .line import Line
from .mirror import HttpStore
from .passes import Pass, Wallet, link

R = TypeVar("R", bound=Game)


class RemoteLibrary(Library[R]):
    """The games of a server that some passes open; the same methods, errors and messages as of any store.

    `sees` makes a new game one whose arbiter sees everything and acts for any seat, or not; None leaves that to the
    server, which has it so exactly for rulesets without secrets.
    """

    def __init__(
        self, line: Line, wallet: Wallet, desk: Desk | None = None, *, token: str = "", sees: str = ""
    ) -> None:
        self.http = HttpStore(line, wallet, token=token, sees=sees)
        self.all_seeing: bool | None = None
        """Whether the arbiter of a game that is started here sees everything; None: where the ruleset has no secrets."""
        super().__init__(self.http, desk)

    @property
    def server(self) -> str:
        """The server's URL."""
        return self.http.name

    def load(self, path: str | os.PathLike[str], name: str = "") -> R:
        """Have the server put the game in a log file on its shelf, and return it; the file is checked here first.

        Raises BadLog naming the line and the reason, UnknownRuleset, StoreError, NameTaken; nothing is imported then.
        """
        log = LogFile(path)
        for _ in log.rows():  # every check that needs no rules, before the bytes are sent
            pass
        data = _bytes(typed(path))
        key = new_key()
        made, _ = self.http.line.ask(
            "POST", "games/import", Created, token=self._host(), params={"name": name} if name else None, body=data,
            key=key, content_type=LOG_TYPE,
        )  # fmt: skip
        return self._made(made)

    def new(
        self,
        rules: str | Ruleset,
        *,
        seed: str | None = None,
        options: Mapping[str, Any] | None = None,
        seats: Mapping[str, str] | None = None,
        name: str = "",
        chance: str = "fate",
        undo: str = "",
        content: Content | None = None,
        outcomes: Sequence[str] = (),
        person: str = "",
    ) -> R:
        """Start a game on the server, as `Library.new` does; `invitations` of the game has a code for each human seat.

        Raises what `Library.new` raises, and NoAccess where the server lets only its host start games.
        """
        asked = CreateGame(
            ruleset=rules if isinstance(rules, str) else rules.id,
            name=name,
            options={key: str(value) for key, value in (options or {}).items()},
            seats=dict(seats or {}),
            undo=undo,
            chance=chance,
            seed=seed or "",
            content=None if content is None else dict(content.files),
            outcomes=list(outcomes),
            person=person,
            sees=self.all_seeing,
            key=new_key(),
        )
        made, _ = self.http.line.ask("POST", "games", Created, token=self._host(), body=asked, key=asked.key)
        return self._made(made)

    def _host(self) -> str:
        """Return the token with which games are started: none where the server lets anybody."""
        found = self.http.passes()
        return found[0].token if found else ""

    def _made(self, made: Created) -> R:
        return cast("R", cast("type[RemoteGame]", self.game_type).made(self.http, made, self.desk))

    # Seats and tokens

    def join(self, code: str, name: str = "") -> Joined:
        """Exchange an invitation for a token, which is kept in the wallet; `name` is the person's, for the log.

        Raises NotAllowed for one that was used or revoked.
        """
        asked = Join(code, name, new_key())
        joined, _ = self.http.line.ask("POST", "join", Joined, body=asked, key=asked.key)
        kept = Pass(token=joined.token, role=joined.role, game=joined.game, seat=joined.seat)
        self.http.keep(kept)  # before anything else is asked: it is given once
        self.http.keep(msgspec.structs.replace(kept, name=self.http.info(joined.game).name))
        return joined

    def keep_token(self) -> Pass:
        """Keep the token that this was opened with in the wallet, and return what it opens; raises NoAccess."""
        found, _ = self.http.line.ask("GET", "games", Games, token=self.http.token, params={"limit": 1})
        info = found.games[0] if found.games else None
        if info is None or info.role == "host":  # all others open exactly one game
            kept = Pass(token=self.http.token, role="host")
        else:
            kept = Pass(token=self.http.token, role=info.role, game=info.id, seat=info.seat, name=info.name)
        self.http.keep(kept)
        return kept

    def invite(
        self, game: str, seat: str = "", *, delay: int = 0, label: str = "", role: str = "", direct: bool = False
    ) -> Issued:
        """Have the arbiter's token make an invitation, for a seat or (none) for a spectator `delay` events late.

        `direct` gives a token at once instead of an invitation, as another arbiter always gets; a seat's token before it is
        revoked.
        """
        kind: Any = role or ("seat" if seat else "spectator")
        return self.give(
            game, IssueToken(role=kind, seat=seat, label=label, delay=delay, invite=not direct and kind != "arbiter")
        )

    def give(self, game: str, asked: IssueToken) -> Issued:
        """Have the arbiter's token make a token of a game, or an invitation to one."""
        asked = msgspec.structs.replace(asked, key=asked.key or new_key())
        issued, _ = self.http.ask("POST", "tokens", Issued, game=game, role="arbiter", body=asked, key=asked.key)
        return issued

    def link(self, code: str) -> str:
        """Return an invitation to this server as a link."""
        return link(self.server, code)

    def tokens(self, game: str) -> list[TokenInfo]:
        """Return the tokens of a game, as its arbiter may list them."""
        found, _ = self.http.ask("GET", "tokens", list[TokenInfo], game=game, role="arbiter")
        return found

    def revoke(self, game: str, fingerprint: str) -> list[str]:
        """Revoke the tokens of a game that a fingerprint names; returns their fingerprints; raises UnknownGame for none."""
        gone, _ = self.http.ask("DELETE", f"tokens/{fingerprint}", Revoked, game=game, role="arbiter")
        if not gone.fingerprints:
            raise UnknownGame(f"This game has no token with the fingerprint '{fingerprint}'.")
        return gone.fingerprints


def _bytes(path: Path) -> bytes:
    """Return a log file as it is sent, not compressed."""
    import gzip

    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.name.lower().endswith(".gz") else data
    except (OSError, EOFError) as error:
        raise BadLog(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
