"""simulate: many games by bots."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any

import click

from ..app import App, default_store, pass_app, private, say, say_json, stop_without_reader, warn
from ..group import Command
from ..options import json_option, option_values, seat_values
from ..programs import bot_time_option, pace_of, read_holders
from ..progress import Progress

if TYPE_CHECKING:
    from ...replays.simulate import Plan, Totals


@click.command(cls=Command)
@click.argument("ruleset")
@click.option("-n", "--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@seat_values("Which bot plays a seat, or exec:'COMMAND' (default: sensible, or the first there is).", "SEAT=BOT")
@bot_time_option
@option_values
@click.option("--seed", help="Any text: the same seed gives the same games, whatever --jobs is.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that share the work (default: one a core).")
@click.option("--record", is_flag=True, help="Keep the games in the store.")
@json_option
@pass_app
def simulate(
    app: App,
    ruleset: str,
    games: int,
    seats: dict[str, str],
    options: dict[str, str],
    seed: str | None,
    jobs: int | None,
    record: bool,
    as_json: bool,
) -> int:
    """Let bots play many games and count what came of them, with 95 % confidence intervals (Wilson).

    Ctrl-C stops early and prints what is done. Games that fail are named with their seeds, and the exit code is 1. A program
    of yours is started once a process and plays one game after another.

    warptape simulate RULESET -n 1000 --jobs 2
    warptape simulate RULESET -n 20 --seed league --record
    warptape simulate RULESET -n 1 --seat SEAT=exec:./bot
    """
    from ...replays import simulate as work
    from ...replays.processes import cores

    base = seed or secrets.token_hex(3)
    store = (app.url or private(default_store())) if record else ""
    commands = read_holders(seats)[1]
    others = {seat: bot for seat, bot in seats.items() if seat not in commands}
    plan = work.plan(ruleset, base, others, options, store, commands, pace_of(app))
    if record and app.on_server:
        raise click.UsageError(
            "Games of bots are recorded in a store of your own; `warptape import` puts them on a server."
        )
    if record:
        taken = {shelf.name for shelf in app.store.games(ruleset)}
        if any(plan.name(number) in taken for number in range(1, games + 1)):
            raise click.UsageError(f"Games with the seed '{base}' are recorded already: choose another --seed.")
        if store == ":memory:":
            raise click.UsageError("A store in memory is gone when the command ends: name another with --store.")
    processes = min(jobs or cores(), games)
    totals = work.Totals()
    began = time.monotonic()
    interrupted = False
    with Progress("Playing", games) as bar:
        parts = work.run(plan, games, processes, bar.advance)
        try:
            for part in parts:
                totals.add(part)
                stop_without_reader()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            parts.close()
    seconds = time.monotonic() - began
    if as_json:
        say_json(_data(plan, totals, seconds, processes, interrupted))
    else:
        _say(plan, totals, seconds, processes)
    for failure in totals.failures[:10]:
        warn(f"Game {failure.number} failed (seed '{failure.seed}'): {failure.reason}")
    if len(totals.failures) > 10:
        warn(f"… and {len(totals.failures) - 10} more.")
    if interrupted:
        warn(f"Interrupted after {totals.games + len(totals.failures)} of {games} games.")
        return 130
    return 1 if totals.failures else 0


def _data(plan: Plan, totals: Totals, seconds: float, jobs: int, interrupted: bool) -> dict[str, Any]:
    from ...projections.statistics import mean, shares

    return {
        "ruleset": plan.ruleset,
        "seed": plan.base,
        "seats": plan.bots,
        "options": plan.options,
        "recorded": bool(plan.record),
        "games": totals.games,
        "outcomes": shares(totals.results),
        "wins": shares(totals.wins, totals.games),
        "mean": {
            "decisions": mean(totals.decisions, totals.games),
            "events": mean(totals.events, totals.games),
            "rounds": mean(totals.rounds, totals.games),
        },
        "figures": {name: mean(total, totals.having[name]) for name, total in sorted(totals.figures.items())},
        "failures": totals.failures,
        "interrupted": interrupted,
        "jobs": jobs,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(totals.decisions / seconds) if seconds else 0,
    }


def _say(plan: Plan, totals: Totals, seconds: float, jobs: int) -> None:
    from ...projections.statistics import mean, shares

    games = totals.games
    bots = ", ".join(f"{seat} {bot}" for seat, bot in plan.bots.items())
    say(f"{plan.ruleset}: {games} game{'s' * (games != 1)}, {bots}, seed '{plan.base}'", bold=True)
    tables = [shares(totals.results)]
    if len(plan.bots) > 1:
        tables.append({f"won by {seat}": share for seat, share in shares(totals.wins, games).items()})
    wide = max((len(name) for table in tables for name in table), default=0)
    for table in tables:
        for name, share in table.items():
            say(f"  {name.ljust(wide)}  {share.count:>6}  {share}")
    if games:
        say(
            f"A game: {mean(totals.decisions, games):.1f} decisions, {mean(totals.events, games):.1f} events, "
            f"{mean(totals.rounds, games):.1f} rounds on average."
        )
        if totals.figures:
            figures = (
                f"{name.replace('_', ' ')} {mean(total, totals.having[name]):.2f}"
                for name, total in sorted(totals.figures.items())
            )
            say(f"Figures on average: {', '.join(figures)}.")
        rate = totals.decisions / seconds if seconds else 0
        say(f"{rate:,.0f} decisions/s, {seconds:.1f} s with {jobs} process{'es' if jobs > 1 else ''}.")
