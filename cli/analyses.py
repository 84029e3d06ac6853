"""Analyses at the command line: done with a bar, shown as a curve, sums and lists."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .app import is_plain_ascii, say, say_hanging, say_table, warn, width
from .options import ALL, check_seat
from .progress import Progress

if TYPE_CHECKING:
    from ..replays.address import Address
    from ..replays.game import Game
    from ..replays.luck import Analysis
    from ..replays.valuing import Answers


def check_open(game: Game, seat: str | None) -> None:
    """Raise NotAllowed for a game with secrets that people still play, unless `all` was asked for.

    Playouts begin from what really lies there, so their shares give it away.
    """
    if seat == ALL and ALL not in game.seats:
        return
    check_seat(game, seat)
    people = any(not holder.startswith("bot:") for holder in game.seats.values())
    if game.ruleset.secretive and people and game.outcome is None:
        from ..domain.errors import NotAllowed

        raise NotAllowed(
            "The game is not over, and playouts begin from what is really there: they would tell what is still secret. "
            "Analyse it when it is over, or with --as all."
        )


def check_told(game: Game, asked: str | None, seat: str | None) -> None:
    """Raise NotAllowed where the story is one seat's, `seat`, and an analysis would add what that seat does not know."""
    from ..domain.errors import NotAllowed

    check_open(game, asked)
    if seat is not None and game.ruleset.secretive:
        raise NotAllowed("An analysis tells what a seat did not know: leave out --as, or add --hindsight.")


def analysed(
    game: Game, place: Address, jobs: int | None, enough: Callable[[], bool] = lambda: False, **how: Any
) -> tuple[Analysis, bool]:
    """Return the analysis of a line up to an address, and whether Ctrl-C cut it short; a bar shows how far it has come."""
    from ..replays.analysing import Analyst
    from ..replays.processes import cores

    with _answers() as answers, Progress("Playing out") as bar:
        analyst = Analyst(
            game, tip=game.locate(place), answers=answers, jobs=jobs or cores(), expect=bar.expect, done=bar.advance,
            enough=enough, **how,
        )  # fmt: skip
        try:
            analyst.run()
        except KeyboardInterrupt:
            return analyst.result(), True
        return analyst.result(), False


def _answers() -> Answers:
    """Return what is kept of earlier playouts; where it cannot be used, the work is done all the same."""
    from ..domain.errors import StoreError
    from ..replays.valuing import Answers, user_cache

    try:
        return Answers(user_cache())
    except StoreError as error:
        warn(f"{error} Nothing is kept meanwhile.")
        return Answers()


def say_analysis(game: Game, analysis: Analysis) -> None:
    """Print the curve, what the chances came from, the luckiest rolls and the costliest choices."""
    from ..projections.analysis import words
    from ..replays.luck import BARS, DIGITS, sparkline

    bots = ", ".join(f"{seat} {bot}" for seat, bot in analysis.bots.items())
    often = f"{analysis.few} to {analysis.playouts}" if 0 < analysis.few < analysis.playouts else str(analysis.playouts)
    say(f"{game.name}: {analysis.decisions} decisions; {often} playouts a position by {bots}", bold=True)
    if not analysis.points:
        say("Nothing is known yet.")
        return
    wide = max(map(len, analysis.seats.values()))
    marks = DIGITS if is_plain_ascii() else BARS
    for seat, name in analysis.seats.items():
        row = sparkline(analysis.along(seat, min(60, width() - wide - 22)), marks)
        say(f"  {name.ljust(wide)}  {row}  {_share(analysis, 0, seat)} to {_share(analysis, -1, seat)}")
    say()
    rows, alone = [], len(analysis.seats) == 1
    for seat, name in analysis.seats.items():
        totals = analysis.totals(seat)
        if totals is not None:
            others = () if alone else (totals.others,)
            changes = (totals.luck, totals.own, *others, totals.rest)
            rows.append([name, _percent(totals.start), *map(_signed, changes), _percent(totals.end)])
    others_ = [] if alone else ["others' choices"]
    say_table(rows, ["Chances of", "start", "luck", "own choices", *others_, "not looked at", "end"])
    if not analysis.swings:
        say()
        gaps = [after.decision - before.decision for before, after in pairwise(analysis.points)]
        more = " Ask for more --points: it takes those before and after a decision." if gaps and min(gaps) > 1 else ""
        say(f"No decision was looked at closely.{more}")
        return
    lucky, costly = analysis.luckiest(), analysis.costliest()
    say()
    if lucky:
        say("Luck: the rolls and draws that changed most", bold=True)
        for swing, drawn in lucky:
            said = words(game, swing, drawn)
            where = f"  @{drawn.positions[0]:<5} d{swing.number:<4} "
            say_hanging(where, f"{analysis.told(drawn)}  {swing.seat}: {swing.notation}. {said}".rstrip())
    else:
        say("No roll or draw among them changed anything beyond the noise.")
    say()
    if costly:
        say("Choices that gave most away, against the best other one tried", bold=True)
        for swing in costly:
            cost = f"{100 * swing.cost.mean:.0f} % (give or take {100 * swing.cost.error:.0f})"
            where = f"  @{swing.position:<5} d{swing.number:<4} "
            say_hanging(where, f"{cost}  {swing.seat}: {swing.notation}; better: {swing.tried[0].notation}")
    else:
        say(f"Of {len(analysis.swings)} decisions looked at closely, none gave anything away beyond the noise.")


def _share(analysis: Analysis, index: int, seat: str) -> str:
    from ..projections.statistics import wilson

    value = analysis.points[index].value
    share = wilson(value.wins(seat), value.playouts)
    span = "" if value.exact else f" ({100 * share.low:.0f}-{100 * share.high:.0f})"
    return f"{100 * share.share:.0f} %{span}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _signed(change: float) -> str:
    return f"{100 * change:+.0f} %" if round(100 * change) else "0 %"
