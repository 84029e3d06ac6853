"""Two positions drawn for comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .app import has_colour, is_plain_ascii, say, width

if TYPE_CHECKING:
    from ..replays.game import Game

Side = tuple["Game", int]


def scenes(left: Side, right: Side, seat: str | None) -> list[Any]:
    """Return the drawings of two positions as a seat may know them; raises RulesetCrash where one cannot be drawn."""
    from ..projections.boards import draw

    found = []
    for game, at in (left, right):
        position = game.at(at)
        found.append(draw(position.ruleset, position.shown(seat), position.title))
    return found


def say_boards(left: Side, right: Side, seat: str | None) -> None:
    """Print both boards, then the names of the places that changed; nothing for two different games."""
    if left[0].ruleset.id != right[0].ruleset.id:
        return
    from ..projections.sides import boards

    one, other = scenes(left, right, seat)
    found = boards(one, other, width(), ascii_only=is_plain_ascii())
    if has_colour():
        from rich.console import Console

        Console(width=width()).print(found.to_rich())
    else:
        click.echo(found.text())
    say()
    if found.places:
        say(f"Changed on the board: {', '.join(found.places)}.")


def places(left: Side, right: Side, seat: str | None) -> list[str]:
    """Return the names of the places that changed, for scripts; none for two different games, or what cannot be drawn."""
    from ..domain.errors import WarptapeError
    from ..projections.sides import changed

    if left[0].ruleset.id != right[0].ruleset.id:
        return []
    try:
        one, other = scenes(left, right, seat)
    except WarptapeError:
        return []
    return changed(one, other)
