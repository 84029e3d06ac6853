"""The Python surface of games on a server; loaded when a URL of one is opened, and never before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from .api import Game, Store
from .replays.crashes import UserDesk
from .replays.game import Game as RecordedGame
from .replays.remote.game import RemoteGame
from .replays.remote.library import RemoteLibrary
from .replays.remote.line import PATIENCE, Line
from .replays.remote.passes import Wallet, server_of, user_wallet

__all__ = ["ServedGame", "ServedStore", "open_served"]


class ServedGame(RemoteGame, Game):
    """A recorded game on a server, to read and to play on; see the methods."""


class ServedStore(RemoteLibrary[Game], Store):
    """The games of a server that some tokens open: `new`, `game`, `games`, `load`, `join`, `invite`; closes the line."""

    game_type: ClassVar[type[RecordedGame]] = ServedGame


def open_served(
    url: str,
    token: str | None = None,
    sees: str | None = None,
    *,
    insecure: bool = False,
    wallet: Wallet | None = None,
    patience: float | None = PATIENCE,
    told: Callable[[str], None] = lambda text: None,
) -> ServedStore:
    """Open the games of a server: see `warptape.open`. `told` hears that the line is down, and that it is back.

    `wallet` are the passes to use and to keep new ones in (default: the user's own). Raises StoreError.
    """
    server = server_of(url, insecure=insecure)
    line = Line(server, patience=patience, told=told)
    return ServedStore(line, wallet or user_wallet(), UserDesk(), token=token or "", sees=sees or "")


if TYPE_CHECKING:  # a type checker compares what each of them is with what all of them promise
    from .replays.library import Library
    from .replays.protocols import Tables

    def _keep_their_promises(
        local: Library[RecordedGame], mine: Store, served: ServedStore
    ) -> list[Tables[RecordedGame]]:
        return [local, mine, served]
