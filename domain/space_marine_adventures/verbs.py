"""The verbs of the notation: every spelling with the short one, and words for what is none."""

from __future__ import annotations

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "board": "board", "face": "board", "enter": "enter", "entry": "enter", "squad": "squad", "deploy": "deploy",
    "equip": "equip", "next": "next", "n": "next", "mv": "mv", "move": "mv", "m": "mv", "at": "at", "attack": "at",
    "shoot": "at", "con": "con", "console": "con", "cmd": "cmd", "command": "cmd", "gr": "gr",
    "grenade": "gr", "throw": "gr", "sp": "sp", "special": "sp", "play": "sp", "use": "use", "free": "free",
    "react": "react", "pass": "pass", "p": "pass", "pick": "pick", "choose": "pick", "order": "order", "end": "end",
    "e": "end", "adv": "adv", "skull": "adv", "challenge": "challenge", "call": "call", "nocall": "nocall",
}  # fmt: skip
ELSEWHERE: Mapping[str, str] = {
    "mode": "What is played is said by options of a new game: `level`, or `mode=campaign`.",
}
