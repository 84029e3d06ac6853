"""What the checks of one log write down while they run: counts, findings, remarks, and what is worth a look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..domain.events import CardDrawn, CounterDrawn, DiceRolled, Event, KeyRevealed
from .findings import MOST, Check, Difference, Finding, Moment, TakeBack


class Ledger:
    """Keeps the first of everything and counts the rest, so that memory does not grow with the log.

    `tell` is given each finding. With `listing`, every difference of the rules is kept: that was asked for.
    """

    def __init__(self, tell: Callable[[Finding], None], *, listing: bool = False) -> None:
        self.tell = tell
        self.listing = listing
        self.counts: dict[str, int] = {}
        self.remarks: list[str] = []
        self.takebacks: list[TakeBack] = []
        self.entered: list[Moment] = []
        self.differences: list[Difference] = []

    def count(self, what: str, more: int = 1) -> None:
        """Add to one of the counts."""
        self.counts[what] = self.counts.get(what, 0) + more

    def remark(self, text: str) -> None:
        """Note something that is no fault; beyond a number of them they are only counted."""
        self._keep("remarks", self.remarks, text)

    def crossed(self, takeback: TakeBack) -> None:
        """Note a take-back of what somebody had seen."""
        self._keep("crossed", self.takebacks, takeback)

    def by_hand(self, outcome: Moment) -> None:
        """Note an outcome that people entered."""
        self._keep("by hand", self.entered, outcome)

    def differs(self, difference: Difference) -> None:
        """Note a decision that today's rules decide otherwise."""
        self._keep("differ", self.differences, difference, 2**62 if self.listing else 1)

    def bad(self, check: Check, reason: str, position: int | None, until: int | None = None, cause: str = "") -> None:
        """Report something wrong."""
        self.tell(Finding(check, reason, position, None, until, cause))

    def _keep(self, what: str, kept: list[Any], item: Any, most: int = MOST) -> None:
        self.count(what)
        if len(kept) < most:
            kept.append(item)


def moment(position: int, event: Event) -> Moment:
    """Return an event that makes something known, in a few words; what is not for everybody stays untold."""
    if event.seen_by is not None:
        who = " and ".join(event.seen_by) or "nobody"
        return Moment(position, f"something for {who} alone ({type(event).__name__})")
    match event:
        case DiceRolled():
            values = event.values if isinstance(event.values, tuple) else ()
            return Moment(position, f"{event.stream} {', '.join(map(str, values))}")
        case CardDrawn():
            return Moment(position, f"'{event.item}' of {event.deck.partition('/')[0]}")
        case CounterDrawn():
            return Moment(position, f"'{event.item}' of {event.bag}")
        case KeyRevealed():
            return Moment(position, "the secret of chance, and what was hidden")
    return Moment(position, type(event).__name__)
