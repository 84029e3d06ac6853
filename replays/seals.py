"""Checks the secrets of a log: does each fit its seal, is each where it belongs, and may this log hold it?"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..domain.events import Event
from ..domain.rules import Ruleset
from ..domain.secrets import Disclosure, Sealed, sealable, unseal
from .codec import SEAL
from .ledger import Ledger
from .logline import said
from .upcasting import Older, parts

_encode = msgspec.json.Encoder().encode
_disclosures = msgspec.json.Decoder(list[Disclosure])


class SealCheck:
    """Opens the secrets beside events, and says what is wrong with them; `seat` is empty for a whole log.

    `redrawn` says up to where a log holds only what a seat knew, with that seat: see `Redrawn`.
    """

    def __init__(
        self, ledger: Ledger, rules: Ruleset | None, seat: str, redrawn: Sequence[tuple[int, str]] = ()
    ) -> None:
        self.ledger = ledger
        self.rules = rules
        self.seat = seat
        self.redrawn = redrawn

    def opened(
        self, event: Event, public: bytes, beside: bytes, position: int, older: Older | None
    ) -> tuple[Event, list[Disclosure] | None] | str:
        """Return the event with the secrets put back that this log holds, and those secrets (None: nothing is sealed).

        A text instead says why they do not fit.
        """
        if not beside and SEAL not in public:
            if event.seen_by is not None or (self.rules is not None and self.rules.secretive):
                self._check(event, [], position, older is not None)
            return event, None
        try:
            given = _disclosures.decode(beside) if beside else []
            if beside and _encode(given) != beside:
                raise ValueError("they are not written in their one form: they were edited")
            if self.rules is None:
                opened = event
            else:
                opened = unseal(event, given) if older is None else older.decode(public, given)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            return f"the secrets beside the event do not fit it: {said(error)}"
        if self.rules is not None:
            self._check(event, given, position, older is not None)
        return opened, given

    def _check(self, event: Event, given: list[Disclosure], position: int, upcast: bool) -> None:
        ledger = self.ledger
        readers = {seat for until, seat in self.redrawn if until > position} | ({self.seat} if self.seat else set())
        for item in given:
            for seat in sorted(readers.difference(item.seen_by)):
                reason = f"a secret of field '{item.field}' is here that {seat} may not know"
                ledger.bad("secrets", reason, position)
        fields = [field for part in parts(event) for field in sealable(part)]
        if upcast:  # the fields have other names in the bytes: as many must be there as this log may hold
            due = [
                seen_by for _, value, seen_by in fields if isinstance(value, Sealed) and readers <= {*(seen_by or ())}
            ]
            known = {path for path, _, _ in fields}
            if len(due) > len(given):
                ledger.bad("secrets", f"{len(due) - len(given)} secrets of the event are missing", position)
            ledger.count("withheld", max(0, sum(isinstance(value, Sealed) for _, value, _ in fields) - len(given)))
        else:
            known = {item.field for item in given}
        for path, value, seen_by in fields:
            sealed = isinstance(value, Sealed)
            if sealed:
                ledger.count("seals")
                if path not in known:
                    ledger.count("withheld")
            if sealed and seen_by is None:
                ledger.bad("secrets", f"the field '{path}' is sealed, but no seat is named that may know it", position)
            elif not sealed and seen_by is not None:
                ledger.bad("secrets", f"the field '{path}' is secret, but stands open in the log", position)
            elif sealed and path not in known and readers <= {*(seen_by or ())}:
                ledger.bad("secrets", f"the secret of the field '{path}' is missing", position)
