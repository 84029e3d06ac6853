"""The secrets of chance of one game: when a new one is due, and when one is shown to everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..domain.chance import Salt
from ..domain.events import Event, KeyRevealed, Resalted

if TYPE_CHECKING:
    from .game import Game


class Salting:
    """Renews and reveals the secret of chance of one game; what it returns is still to be recorded."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def needed(self) -> list[Event] | None:
        """Return the batch of a new secret where playing on takes one, None where it does not.

        It does where the secret is not here (the game came in a log file without it), and where everybody knows it,
        unless the undo policy is `free`, which lets fate be known.
        """
        game = self.game
        epoch = game.state.chance.epoch
        if epoch not in game.fate.salts:
            return self.renew(game.length, "the secret of chance is not here")
        if not game.shelf.key_public or game.policy == "free":
            return None
        if not any(event.since == epoch for event in self._revealed()):
            return None
        return self.renew(game.length, "the secret was known")

    def renew(self, at: int, reason: str, salt: Salt | None = None, chance: str | None = None) -> list[Event]:
        """Give chance a new secret in memory, from position `at` on, and return the batch that records it."""
        game = self.game
        salt = salt or game.desk.salt()
        state = game.referee.state
        game.fate.add(at, salt)
        fixed = {name: tuple(sorted(deck.seen)) for name, deck in state.chance.decks.items() if deck.seen}
        event = Resalted(
            at=at,
            commitment=salt.commitment,
            typed_seed=bool(salt.seed),
            chance=chance or game.chance_at_tip(),
            fixed=fixed,
            reason=reason,
        )
        event.apply(state)
        return [event]

    def reveal(self) -> list[Event] | None:
        """Return the batch that shows the secret in force to everybody; None when it is out, or not here."""
        game = self.game
        epoch = game.state.chance.epoch
        if epoch not in game.fate.salts or any(event.since == epoch for event in self._revealed()):
            return None
        salt = game.fate.salts[epoch]
        return [KeyRevealed(since=epoch, nonce=salt.nonce, seed=salt.seed)]

    def _revealed(self) -> list[KeyRevealed]:
        game = self.game
        events = [game.codec.decode(row.data, row.position) for row in game.kinds({"KeyRevealed"})]
        return [event for event in events if isinstance(event, KeyRevealed)]
