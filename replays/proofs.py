"""Checks the chance of a log, epoch by epoch: commitments, new secrets, revealed keys, and every outcome."""

from __future__ import annotations

from typing import Any

from ..domain.chance import Fate, Salt
from ..domain.events import Event, KeyRevealed, Resalted
from ..domain.secrets import Disclosure, salt
from .ledger import Ledger, moment
from .odds import Wrong, examine


class ChanceCheck:
    """Holds the secrets of chance that are known, and compares outcomes with them.

    `owned` are those that whoever holds the log has, by position; `revealed` those that the log itself reveals.
    """

    def __init__(self, ledger: Ledger, revealed: dict[int, Salt], owned: dict[int, Salt]) -> None:
        self.ledger = ledger
        self.fate = Fate({**revealed, **owned})
        self._owned = owned
        self._modes: dict[int, str] = {}
        self._commitments: dict[int, str] = {}

    @property
    def epochs(self) -> set[int]:
        """The positions from which a secret of chance was in force."""
        return set(self._modes)

    def commit(self, epoch: int, commitment: str, mode: str, position: int) -> None:
        """Take note of the secret that an event commits to, and of where outcomes come from then."""
        self._modes[epoch] = mode
        self._commitments[epoch] = commitment
        known = self.fate.salts.get(epoch)
        if known is not None and known.commitment != commitment:
            del self.fate.salts[epoch]
            if epoch in self._owned:  # a revealed one is named where it is revealed
                self.ledger.bad("chance", "the secret of chance does not fit the commitment made here", position)

    def check(self, chance: Any, event: Event, position: int) -> None:
        """Compare an outcome with what chance remembers just before it, and with the key where that is known."""
        by_hand = self._modes.get(chance.epoch) == "table"
        fate = self.fate if chance.epoch in self.fate.salts and not by_hand else None
        try:
            proof = examine(chance, event, fate)
        except Wrong as error:
            self.ledger.count("outcomes")
            self.ledger.bad("chance", str(error), position)
            return
        if proof is None or proof == "told":
            return
        self.ledger.count("outcomes")
        if by_hand:
            self.ledger.by_hand(moment(position, event))
        else:
            self.ledger.count(proof)

    def resalt(self, state: Any, event: Resalted, position: int) -> None:
        """Check a new secret: it must leave alone what was seen."""
        fixed = {name: tuple(sorted(deck.seen)) for name, deck in state.chance.decks.items() if deck.seen}
        if event.fixed != fixed:
            self.ledger.bad("chance", "the new secret does not leave alone exactly the places that were seen", position)
        self.commit(position, event.commitment, event.chance, position)
        why = f" ({event.reason})" if event.reason else ""
        self.ledger.remark(f"@{position}: chance has a new secret from here on{why}")

    def reveal(self, event: KeyRevealed, position: int) -> None:
        """Check a revealed secret against what was committed to."""
        commitment = self._commitments.get(event.since)
        if commitment is None:
            reason = f"a secret is revealed that no event committed to at @{event.since}"
            self.ledger.bad("chance", reason, position)
        elif Salt(nonce=event.nonce, seed=event.seed).commitment != commitment:
            self.ledger.bad("chance", "the revealed secret of chance does not fit what was committed to", position)

    def check_salts(self, chance: Any, given: list[Disclosure], position: int) -> None:
        """Check that the secrets beside an event have the salts that the key gives, where it is known."""
        key = self.fate.salts.get(chance.epoch)
        for item in given if key is not None else ():
            assert key is not None
            if item.salt != salt(key.key, position, item.field):
                reason = f"the salt of the field '{item.field}' is not the one of the key"
                self.ledger.bad("secrets", reason, position)
