"""A process of its own that acts on a recorded game: it races another one, or is killed.

Usage: acting.py URL GAME race|keys|loop|die ARGUMENT. Prints one line of JSON for everything that was acknowledged.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from warptape.domain.errors import Conflict
from warptape.replays.game import Game
from warptape.replays.library import Library


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def meet() -> None:
    """Waits until the other process is as far."""
    say(ready=True)
    sys.stdin.readline()


def race(game: Game, count: int) -> None:
    """Acts until `count` actions are recorded, whoever else acts meanwhile."""
    meet()
    won = 0
    while won < count:
        try:
            played = game.act("roll")
        except Conflict as error:
            say(lost=str(error), expected=error.expected, actual=error.actual)
        else:
            won += 1
            say(won=played.position)


def keys(game: Game, count: int) -> None:
    """Takes `count` actions under keys that the other process uses as well."""
    meet()
    for number in range(count):
        while True:
            try:
                played = game.act("roll", key=f"action {number}")
            except Conflict:
                continue
            say(number=number, position=played.position, repeated=played.repeated)
            break


def loop(game: Game, first: int) -> None:
    """Acts for ever, with a key for each action, and says so after each."""
    number = first
    while True:
        say(trying=number)
        played = game.act("roll", key=f"action {number}")
        say(number=number, position=played.position)
        number += 1


def die(game: Game, after: int) -> None:
    """Acts, and is killed when `after` transactions of it have been committed."""
    append, left = game.store.append, after

    def last(*given: Any, **named: Any) -> None:
        nonlocal left
        append(*given, **named)
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    game.store.append = last  # type: ignore[method-assign]
    game.act("roll hold" if game.policy == "free" else "roll", key="the one")
    say(answered=True)


if __name__ == "__main__":
    url, name, what, argument = sys.argv[1:]
    with Library[Game](url) as library:
        {"race": race, "keys": keys, "loop": loop, "die": die}[what](library.game(name), int(argument))
