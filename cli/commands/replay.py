"""replay: stepping through a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ..app import App, is_terminal, pass_app, say, say_scene
from ..games import outcome_text
from ..group import Command
from ..options import check_seat, seat_option

if TYPE_CHECKING:
    from ...replays.game import Game

KEYS = "Enter or → next, ← back, g first, G last, q leave"


@click.command(cls=Command)
@click.argument("address", default="last")
@seat_option("What this seat may know (default: all that the owner of the log knows).")
@click.option("--boards", is_flag=True, help="Where it is printed, draw the board after every step.")
@pass_app
def replay(app: App, address: str, seat: str | None, boards: bool) -> None:
    """Step through a game, decision by decision, up to an address; arrow keys go back and forth, q leaves.

    Away from a terminal it prints every step, and the board at the end.

    warptape replay last
    warptape replay last@r3 --boards
    """
    game, place = app.find(address)
    check_seat(game, seat)
    tip = game.tree.resolve(game.locate(place))
    steps = Steps(game, tip, seat)
    if is_terminal() and sys.stdin is not None and sys.stdin.isatty():
        _walk(steps)
        return
    for number in range(len(steps)):
        steps.say(number, board=boards or number == len(steps) - 1)


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
        from ...projections.boards import draw
        from ...replays.told import tell_line

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


def _walk(steps: Steps) -> None:
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
