"""The verbs of the notation: every spelling with the short one, and words for what is not there yet."""

from __future__ import annotations

from collections.abc import Mapping

ALIASES: Mapping[str, str] = {
    "board": "board", "face": "board", "enter": "enter", "entry": "enter", "squad": "squad", "deploy": "deploy",
    "equip": "equip", "next": "next", "n": "next", "mv": "mv", "move": "mv", "m": "mv", "at": "at", "attack": "at",
    "shoot": "at", "con": "con", "console": "con", "cmd": "cmd", "command": "cmd", "gr": "gr",
    "grenade": "gr", "throw": "gr", "sp": "sp", "special": "sp", "play": "sp", "use": "use", "free": "free",
    "react": "react", "pass": "pass", "p": "pass", "pick": "pick", "choose": "pick", "order": "order", "end": "end",
    "e": "end",
}  # fmt: skip
LATER: Mapping[str, str] = {
    "mode": "Which level is played is an option of the game, not an action.",
    "adv": "Advanced infestation cards are not there yet.",
    "challenge": "Challenges are not there yet.",
    "call": "The campaign is not there yet.",
    "nocall": "The campaign is not there yet.",
}
