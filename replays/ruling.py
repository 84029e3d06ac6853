"""Runs the rules again on what a log says was decided, and compares what follows, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Literal

import msgspec

from ..domain.chance import OUTCOMES, Recorded
from ..domain.errors import IllegalAction, ImpossibleOutcome, WarptapeError
from ..domain.events import ActionTaken, Event, GameOpened, Redrawn
from ..domain.redraw import said as spelt
from ..domain.referee import Referee
from ..domain.rules import Ruleset
from ..domain.secrets import SEALED, Sealed, sealable
from .findings import Difference
from .ledger import Ledger
from .logline import said
from .redrawing import drawn
from .survey import Vault

_encode = msgspec.json.Encoder().encode

Happened = Sequence[tuple[int, Event]]
"""The events of a batch with their positions, the head first."""


class RuleCheck:
    """A referee that stands where the log stands, for the rules to decide once more.

    What differs is wrong where this version of the rules recorded it, and a remark where another one did: rules change.
    `public` says that the secrets of chance are out, and with them everything that was hidden.
    """

    def __init__(self, ledger: Ledger, rules: Ruleset | None, vault: Vault | None, *, public: bool) -> None:
        self.ledger = ledger
        self.rules = rules
        self.stopped = ""
        """Why the rules are not asked any more."""
        self._vault = vault
        self._public = public
        self._referee: Referee | None = None
        self._seat = ""
        self._action = ""
        self._version = ""

    def forget(self) -> None:
        """The log goes on elsewhere than the rules have come to."""
        self._referee = None

    def copy(self, state: Any) -> Any:
        """Return another object of the same state."""
        return state.copy() if self._vault is None else self._vault.copy(state)

    def redraw(self, before: Any, event: Redrawn, position: int, key: str, version: str) -> None:
        """Draw once more what a fork as of one seat drew anew, where this version of the rules did so."""
        if self.rules is None or version != self.rules.version:
            return
        try:
            due = drawn(self.rules, self.rules.view(before, event.seat), event.seat, key)
        except Exception as error:
            self.ledger.bad("rules", f"the rules fail on what was drawn anew ({said(error)})", position)
            return
        for mine, one in zip_longest(due, event.values):
            if mine is None or one is None or mine.path != one.path:
                self.ledger.bad("rules", "by the rules other values are drawn anew here", position)
                return
            if not isinstance(one.value, Sealed) and mine.value != one.value:
                reason = f"by the rules and the secret of chance {spelt(one.path)} is {mine.value!r}, not {one.value!r}"
                self.ledger.bad("rules", reason, position)
                return

    def follow(self, state: Any) -> Referee | None:
        """Return the referee that stands where the log stands, for the next action; None where the rules are not asked."""
        if self.rules is None or self._vault is None or self.stopped:
            return None
        if self._referee is None:
            try:
                self._referee = Referee(self.rules, self._vault.copy(state), Recorded(()))
            except Exception as error:
                self.stopped = f"the rules fail on a position of this log ({said(error)})"
        return self._referee

    def run(self, batch: Happened, referee: Referee | None, version: str) -> None:
        """Run the rules on a recorded action or the opening; `version` of the rules recorded it."""
        position, head = batch[0]
        self.ledger.count("actions", isinstance(head, ActionTaken))
        if self.rules is None or self.stopped:
            return
        source = Recorded([event for _, event in batch])
        self._referee, self._version = None, version
        self._seat = self._action = ""
        try:
            if isinstance(head, GameOpened):
                referee = Referee(self.rules, self.rules.state(), source)
                due = referee.open(head)
            elif isinstance(head, ActionTaken) and referee is not None:
                self._seat = head.seat
                if self.ledger.listing:
                    self._action = self._notation(referee.state, head)
                referee.chance = source
                due = referee.take(head.seat, head.action)
            else:
                return
        except ImpossibleOutcome as error:
            drawn = [at for at, event in batch if type(event) in OUTCOMES]
            asked = len(drawn) - len(source.left)  # the last of these did not fit, or was the last there was
            at = drawn[asked - 1] if asked > 0 else position
            self._differs(position, "other chance", "", at, str(error))
            return
        except IllegalAction as error:
            text = f"by the rules this cannot have happened: {error}"
            self._differs(position, "refused", error.refusal.rule, position, text)
            return
        except WarptapeError as error:
            self._differs(position, "failed", "", position, f"by the rules this cannot have happened: {error}")
            return
        except Exception as error:
            text = f"the rules fail on this ({type(error).__name__}: {error})"
            self._differs(position, "failed", "", position, text)
            return
        self.ledger.count("rerun", isinstance(head, ActionTaken))
        if self._compare(batch, due):
            self._referee = referee

    def _compare(self, batch: Happened, due: Sequence[Event]) -> bool:
        """Say whether the rules give what the log has."""
        position = batch[0][0]
        for number, (at, event) in enumerate(batch[1:], 1):
            if number >= len(due):
                text = f"by the rules nothing more happens here, but the log has {_short(event)}"
                self._differs(position, "other events", event.rule, at, text)
                return False
            if due[number] != event and _encode(due[number]) != _encode(event):
                text = f"the rules give {_short(due[number])}, and the log has {_short(event)}"
                self._differs(position, "other events", due[number].rule, at, text)
                return False
        if len(due) > len(batch):
            text = f"by the rules {_short(due[len(batch)])} follows, and the log lacks it"
            self._differs(position, "other events", due[len(batch)].rule, batch[-1][0], text)
            return False
        return True

    def _differs(
        self,
        position: int,
        kind: Literal["refused", "other events", "other chance", "failed"],
        rule: str,
        at: int,
        text: str,
    ) -> None:
        self.ledger.differs(Difference(position, self._seat, self._action, kind, rule, at, text, self._version))
        if self.rules is not None and self._version == self.rules.version:
            self.ledger.bad("rules", text, at)

    def _notation(self, state: Any, head: ActionTaken[Any]) -> str:
        assert self.rules is not None
        if not self._public and any(seen_by is not None for _, _, seen_by in sealable(head)):
            return "acts in secret"
        try:
            return self.rules.notation(state, head.action)
        except Exception:  # an action that today's rules do not know how to write
            return type(head.action).__name__


def veiled(event: Event) -> bool:
    """Say whether the event holds secrets that this log does not: the rules cannot be run on it."""
    return any(value == SEALED for _, value, _ in sealable(event))


def _short(event: Event) -> str:
    text = _encode(event).decode()
    return text if len(text) <= 160 else f"{text[:157]}..."
