"""Where games stand: who is asked what, and how it ended. That is for everybody, and is worked out once a batch."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import msgspec

from ..domain.errors import WarptapeError
from ..domain.rules import Outcome
from ..replays.game import Game
from ..replays.tape import Position
from ..replays.wire import Asked
from .seeing import Window

MOST = 10_000
"""The games of which a process remembers where they stand."""


class Standing(msgspec.Struct, frozen=True):
    """Where a game stands after a batch: its `tip`, the question, how it ended, and where chance comes from."""

    tip: int
    decision: Asked | None
    ended: Outcome | None
    chance: str


class Standings:
    """Remembers where games stand, by the digest of their last batch."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], Standing] = OrderedDict()

    def of(self, window: Window) -> Standing | None:
        """Return where a game stands for who sees it through a window; None while nothing is to be seen."""
        record = window.record
        if not window.view.stop:
            return None
        with self._lock:
            found = self._kept.get((record.id, record.head))
        if found is None:
            tape = window.tape()
            position = tape.at()
            if tape.seen_as is not None:  # what had to be folded is kept for the next one
                tape.keep(position.position, position.state)
            found = Standing(position.position, asked(position), _ended(position), _chance(position))
            self._keep(record.id, record.head, found)
        return found

    def held(self, game: Game) -> Standing | None:
        """Return, and remember, where a game stands that is held; None for one of which a seat's knowledge is here."""
        if game.seen_as is not None:
            return None
        question = asked_of(game.ruleset, game.referee.state, game.referee.decision)
        found = Standing(game.tip, question, game.outcome, game.chance_at_tip())
        self._keep(game.id, game.shelf.head, found)
        return found

    def _keep(self, game: str, head: str, standing: Standing) -> None:
        with self._lock:
            self._kept[game, head] = standing
            self._kept.move_to_end((game, head))
            if len(self._kept) > self.most:
                self._kept.popitem(last=False)


def asked(position: Position) -> Asked | None:
    """Return who is asked what at a position."""
    return asked_of(position.ruleset, position.state, position.decision)


def asked_of(rules: Any, state: Any, decision: Any) -> Asked | None:
    """Return a decision as it is sent: the seat, the question, and the people who are to answer."""
    return None if decision is None else Asked(decision.seat, decision.prompt, list(rules.asked(state)))


def _ended(position: Position) -> Outcome | None:
    try:
        return position.outcome
    except WarptapeError:  # rules may look at what this seat does not know
        return None


def _chance(position: Position) -> str:
    return str(getattr(position.tape.event(position.state.chance.epoch), "chance", "fate"))
