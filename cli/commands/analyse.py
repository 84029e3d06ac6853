"""analyse: luck and skill in a game."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from ..analyses import analysed, check_open, say_analysis
from ..app import App, pass_app, say_json, warn
from ..group import Command
from ..options import json_option, seat_option, seat_values
from ..trouble import INTERRUPTED

if TYPE_CHECKING:
    from ...replays.luck import Analysis


@click.command(cls=Command)
@click.argument("address", default="last")
@click.option(
    "-n",
    "--playouts",
    type=click.IntRange(2, 100_000),
    help="Playouts of each position (default: 12 to 40, more where they tell most; some minutes in all).",
)
@click.option(
    "--points", type=click.IntRange(2), default=80, show_default=True, help="Positions on the curve, at most."
)
@click.option(
    "--close",
    type=click.IntRange(0),
    default=12,
    show_default=True,
    help="Decisions that are looked at closely, at most.",
)
@click.option(
    "--all", "every", is_flag=True, help="Put every position on the curve and look at every decision closely."
)
@click.option(
    "--tried", type=click.IntRange(0, 50), default=3, show_default=True, help="Other actions to try at a decision."
)
@click.option(
    "--from", "since", type=click.IntRange(1), metavar="DECISION", default=1, help="Begin at this decision of the line."
)
@seat_values("Which bot plays a seat on (default: sensible, or the first there is).", "SEAT=BOT")
@click.option(
    "--minutes", type=click.FloatRange(min=0, min_open=True), help="Stop after so long and print what there is."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that share the work (default: one a core).")
@seat_option("`all`: also analyse an unfinished game with secrets; the figures tell what is still hidden.")
@json_option
@pass_app
def analyse(
    app: App,
    address: str,
    playouts: int | None,
    points: int,
    close: int,
    every: bool,
    tried: int,
    since: int,
    seats: dict[str, str],
    minutes: float | None,
    jobs: int | None,
    seat: str | None,
    as_json: bool,
) -> int:
    """Play a game's positions out with bots: who was winning when, what was luck, and which choices cost most.

    The curve comes first, then the decisions where it moves most: each is split into luck (what chance gave, against all
    that it might have given) and choice (the action, against what bots do, and against others that are tried). What was
    played out is kept in your cache folder (WARPTAPE_CACHE names another), so Ctrl-C loses nothing: it prints what is known,
    and the same command goes on from there.

    warptape analyse last
    warptape analyse last@r3 --playouts 200 --minutes 10
    warptape analyse last --all --json
    """
    game, place = app.find(address)
    check_open(game, seat)
    end = None if minutes is None else time.monotonic() + 60 * minutes
    analysis, interrupted = analysed(
        game,
        place,
        jobs,
        lambda: end is not None and time.monotonic() > end,
        playouts=playouts,
        points=None if every else points,
        close=None if every else close,
        tried=tried,
        since=since,
        bots=seats,
    )
    if as_json:
        say_json(_data(game, analysis))
    else:
        say_analysis(game, analysis)
    for number, reason in list(analysis.skipped.items())[:5]:
        warn(f"Decision {number} is left out: {reason}.")
    if len(analysis.skipped) > 5:
        warn(f"… and {len(analysis.skipped) - 5} more.")
    if not analysis.whole:
        warn("Stopped early: the same command goes on from here.")
    return INTERRUPTED if interrupted else 0


def _data(game: Any, analysis: Analysis) -> dict[str, Any]:
    from ...projections.analysis import curve

    return {"id": game.id, "name": game.name, **curve(game, analysis)}
