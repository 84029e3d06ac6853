"""The secrets of chance of one game: when a new one is due, and when they are shown to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..domain.chance import Salt
from ..domain.events import Event, KeyRevealed, Resalted

if TYPE_CHECKING:
    from .recording import Recorder


class Salting:
    """Renews and reveals the secrets of chance of one game; what it returns is still to be recorded."""

    def __init__(self, game: Recorder) -> None:
        self.game = game
        self._known: set[int] | None = None

    def needed(self, at: int) -> list[list[Event]]:
        """Return the batch of a new secret from position `at` on where playing on takes one, nothing where it does not.

        It does where the secret is not here (it belongs to the game that this one was forked from, or did not come with
        a log file), and where everybody knows it, unless the undo policy is `free`, which lets fate be known.
        """
        game = self.game
        epoch = game.referee.state.chance.epoch
        if epoch not in game.fate.salts:
            return [self.renew(at, "the secret of chance is not here")]
        if not game.shelf.key_public or game.policy == "free" or epoch not in self._revealed():
            return []
        return [self.renew(at, "the secret was known")]

    def renew(self, at: int, reason: str, salt: Salt | None = None, chance: str | None = None) -> list[Event]:
        """Give chance a new secret in memory, from position `at` on, and return the batch that records it."""
        game = self.game
        salt = salt or game.desk.salt()
        state = game.referee.state
        fixed = {name: tuple(sorted(deck.seen)) for name, deck in state.chance.decks.items() if deck.seen}
        event = Resalted(
            at=at,
            commitment=salt.commitment,
            typed_seed=bool(salt.seed),
            chance=chance or game.chance_at_tip(),
            fixed=fixed,
            reason=reason,
        )
        game.fate.add(at, salt)
        game.take_from(event.chance, at)
        event.apply(state)
        return [event]

    def reveal(self) -> Sequence[Sequence[Event]]:
        """Return the batches that show to everybody the secrets that are here and not out yet."""
        salts = self.game.fate.salts
        due = [(epoch, salts[epoch]) for epoch in sorted({*salts} - self._revealed())]
        self._revealed().update(salts)
        return [[KeyRevealed(since=epoch, nonce=salt.nonce, seed=salt.seed)] for epoch, salt in due]

    def forget(self) -> None:
        """Read the log again before the next answer."""
        self._known = None

    def _revealed(self) -> set[int]:
        if self._known is None:
            game = self.game
            events = [game.codec.decode(row.data, row.position) for row in game.kinds({"KeyRevealed"})]
            self._known = {event.since for event in events if isinstance(event, KeyRevealed)}
        return self._known
