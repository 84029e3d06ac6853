"""How a ruleset reads what its own older versions recorded: small functions from the older form to the next one.

A log is never rewritten. What an older version recorded is changed on the way from the bytes to the event, so that the
chain, the checksums and the seals stay those of the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

Plain = dict[str, Any]
"""An event, action, step or options as JSON has it: its `type`, and the fields that have not their default."""

Upcaster = Callable[[Plain], Plain]
"""Takes the older form and returns the next one; it may change what it is given."""

Splitter = Callable[[Plain], Plain | Sequence[Plain]]
"""An upcaster of events: it may return several, which happen one after the other, or none where nothing is left."""


class Upcasts(msgspec.Struct, frozen=True):
    """What changed in the form of a log after one version: upcasters by the older `type`.

    `actions` are what `ActionTaken` holds, `steps` what `Awaiting` pushes: each stays one, for the stack is counted.
    `options` changes the options in the opening. A value that is secret reads `{"sealed": …}` where it is not known:
    it is moved or renamed with its field, and not looked at.
    """

    events: Mapping[str, Splitter] = {}
    actions: Mapping[str, Upcaster] = {}
    steps: Mapping[str, Upcaster] = {}
    options: Upcaster | None = None

    def event(self, plain: Plain) -> Sequence[Plain]:
        """Return the events of the next form that one event of the older form is."""
        kind = plain.get("type")
        if kind == "ActionTaken" and "action" in plain:
            plain["action"] = _one(self.actions, plain["action"])
        elif kind == "Awaiting" and isinstance(plain.get("push"), list):
            plain["push"] = [_one(self.steps, step) for step in plain["push"]]
        elif kind == "GameOpened" and self.options is not None:
            plain["options"] = self.options(plain.get("options", {}))
        change = self.events.get(str(kind))
        if change is None:
            return (plain,)
        changed = change(plain)
        return (changed,) if isinstance(changed, dict) else changed


def _one(upcasters: Mapping[str, Upcaster], plain: Any) -> Any:
    change = upcasters.get(plain.get("type", "")) if isinstance(plain, dict) else None
    return plain if change is None else change(plain)


def later(version: str, other: str) -> bool:
    """Say whether a version is later than another: their numbers are compared, `1.10` is later than `1.9`, `1.0` is `1`."""
    return _numbers(version) > _numbers(other)


def _numbers(version: str) -> list[int]:
    numbers = [int(part) for part in re.findall(r"[0-9]{1,18}", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers
