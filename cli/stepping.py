"""Stepping through a game on a plain terminal, or printed step by step: decisions and what followed, with the board."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from .app import say, say_scene
from .games import outcome_text

if TYPE_CHECKING:
    from ..replays.game import Game

KEYS = "Enter or → next, ← back, g first, G last, q leave"


class Steps:
    """The decisions of one line as steps: what happened since the step before, and the board then."""

    def __init__(self, game: Game, tip: int, seat: str | None) -> None:
        self.game, self.tip, self.seat = game, tip, seat
        heads = game.on_line({"ActionTaken"}, tip)
        self.ends = [*(game.tree.before(head, tip) for head in heads), tip]

    def __len__(self) -> int:
        return len(self.ends)

    def say(self, number: int, board: bool) -> None:
        """Print a step."""
        from ..projections.boards import draw
        from ..replays.told import tell_line

        end = self.ends[number]
        start = self.ends[number - 1] + 1 if number else 0
        say(f"Step {number} of {len(self) - 1}, @{end}", bold=True)
        if number == 0 or end >= start:
            for told in tell_line(self.game, end, start, self.seat):
                if told.text and (number == 0 or told.position > self.ends[number - 1]):
                    click.echo(f"{told.position:>5}  {told.text}")
        position: Any = self.game.at(end)
        if board:
            say_scene(draw(position.ruleset, position.view(self.seat), position.title))
            if position.outcome is not None:
                say(outcome_text(position.outcome))


def walk(steps: Steps) -> None:
    """Step back and forth by keys until somebody leaves."""
    at = 0
    with _raw_keys() as keys:
        while True:
            click.clear()
            steps.say(at, board=True)
            say(KEYS, dim=True)
            wanted = next((MEANS[key] for key in keys if key in MEANS), "leave")
            if wanted == "leave":
                return
            places = {"next": at + 1, "back": at - 1, "first": 0, "last": len(steps) - 1}
            at = max(0, min(places[wanted], len(steps) - 1))


MEANS = {
    **dict.fromkeys(("c-m", "c-j", " ", "n", "l", "j", "right", "down", "pagedown"), "next"),
    **dict.fromkeys(("p", "h", "k", "c-h", "left", "up", "pageup"), "back"),
    **dict.fromkeys(("g", "home"), "first"),
    **dict.fromkeys(("G", "end"), "last"),
    **dict.fromkeys(("q", "escape", "c-c", "c-d"), "leave"),
}


@contextmanager
def _raw_keys() -> Iterator[Iterator[str]]:
    """Give the keys pressed, by prompt_toolkit's names; none is lost between two of them. Ends with the terminal."""
    from prompt_toolkit.input import create_input

    source = create_input()
    with source.raw_mode():
        yield _pressed(source)


def _pressed(source: Any) -> Iterator[str]:
    import time
    from select import select

    while not source.closed:
        if sys.platform == "win32":
            time.sleep(0.05)
        else:
            select([source.fileno()], [], [])
        presses = source.read_keys()
        for press in presses or source.flush_keys():
            yield str(getattr(press.key, "value", press.key))


def has_keys() -> bool:
    """Whether somebody can press keys: the input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()
