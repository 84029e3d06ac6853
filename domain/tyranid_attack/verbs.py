"""The verbs of the notation: every spelling with the short one."""

from __future__ import annotations

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "buy": "buy", "ready": "ready", "deploy": "deploy", "d": "deploy", "at": "at", "auto": "auto", "use": "use",
    "u": "use", "order": "order", "o": "order", "end": "end", "e": "end", "move": "move", "mv": "move", "m": "move",
    "shoot": "shoot", "s": "shoot", "fire": "shoot", "hellfire": "hellfire", "hf": "hellfire", "aim": "aim", "fight": "fight",
    "f": "fight", "attack": "fight", "follow": "follow", "stop": "stop", "melta": "melta", "take": "take",
    "give": "give", "done": "done", "roll": "roll", "r": "roll", "skip": "skip", "pass": "pass", "p": "pass",
    "enter": "enter", "template": "template", "place": "place", "cyst": "cyst", "return": "return", "drop": "drop",
    "arm": "arm",
}  # fmt: skip
