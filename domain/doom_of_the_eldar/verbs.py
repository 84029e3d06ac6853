"""The verbs of the notation: every spelling with the short one."""

from __future__ import annotations

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "set": "set", "setup": "set", "quickstart": "quickstart", "quick": "quickstart", "mine": "mine", "order": "mine",
    "mv": "mv", "move": "mv", "m": "mv", "reveal": "reveal", "show": "reveal", "trim": "trim", "fight": "fight",
    "f": "fight", "attack": "fight", "battle": "fight", "det": "det", "detonate": "det", "hold": "hold", "rr": "rr",
    "reroll": "rr", "keep": "keep", "lose": "lose", "retreat": "retreat", "stay": "stay", "use": "use", "hit": "hit",
    "place": "place", "conv": "conv", "convert": "conv", "pass": "pass", "p": "pass", "end": "end", "e": "end",
}  # fmt: skip
