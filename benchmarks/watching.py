"""Watching a long game: stepping forward against stepping back, and what opening the viewer costs."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from measure import Row, in_turns

from warptape.projections.frames import board, status, story
from warptape.replays.game import Game
from warptape.replays.viewer import Viewer

ROUNDS = 9
STEPS = 60


def screen(viewer: Viewer) -> None:
    """Make all that is on the screen."""
    board(viewer, 100)
    story(viewer, 98, 9)
    status(viewer, 98)


def steps(game: Game) -> Row:
    """A step of the story with its whole screen, forward and back over the same fresh stretch in the middle of the game."""

    def walking(way: Callable[[Viewer], bool]) -> float:
        viewer = Viewer(game, game.length // 2)
        for _ in range(STEPS if way is Viewer.back else 0):
            viewer.forward()
        fresh = Viewer(game, viewer.position)
        took = []
        for _ in range(STEPS):
            start = time.process_time()
            way(fresh)
            screen(fresh)
            took.append(time.process_time() - start)
        return median(took)

    figures = in_turns(ROUNDS, forward=lambda: walking(Viewer.forward), back=lambda: walking(Viewer.back))
    times = figures["back"] / figures["forward"]
    return Row(
        f"watch a game of {game.length:,} events: a step back, against a step forward",
        "at most 1.2 times",
        f"{times:.2f} ({figures['back'] * 1e3:.2f} ms against {figures['forward'] * 1e3:.2f} ms, with the screen)",
        times <= 1.2,
        {"ratio": times, **figures},
    )


def opening(games: list[Game]) -> Row:
    """From nothing to the first screen, of a short and of a long game."""

    def open_it(game: Game) -> float:
        start = time.process_time()
        viewer = Viewer(game)
        screen(viewer)
        return time.process_time() - start

    short, long = games
    figures = in_turns(ROUNDS, short=lambda: open_it(short), long=lambda: open_it(long))
    times = figures["long"] / figures["short"]
    return Row(
        f"open the viewer on a game of {short.length:,} and of {long.length:,} events",
        "",
        f"{figures['long'] * 1e3:.1f} ms against {figures['short'] * 1e3:.1f} ms ({times:.2f})",
        None,
        {"ratio": times, **figures},
    )


def rows(games: list[Game]) -> list[Row]:
    """All rows about watching; the games are a short and a long one."""
    return [steps(games[1]), opening(games)]
