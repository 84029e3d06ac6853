"""An analysis as plain data: what `warptape analyse --json` prints and a page draws its curve from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..replays.luck import Analysis, Drawn, Swing
from ..replays.playouts import Estimate, Value
from ..replays.tape import Tape
from ..replays.told import tell_log
from .statistics import wilson

FOLLOWING = 5
"""Events after a roll or draw that may say what came of it."""


def curve(tape: Tape, analysis: Analysis, count: int = 10) -> dict[str, Any]:
    """Return an analysis as JSON data; the lists of luck and cost hold at most `count` decisions each.

    - `seats`: names by id; `bots`: who played on, by seat; `playouts`: how often each position, `few` times at least;
      `decisions`: on the line;
      `whole`: False where the work was stopped early
    - `points`: the curve, in order: `decision` (0 at the start), `position` in the log, `over` (the value is exact), and by
      seat under `shares` the share of playouts won (`share`, 0 to 1) with its 95 % interval (`low`, `high`)
    - `totals`: by seat `start`, `luck`, `own`, `others`, `rest` and `end`: the first five add up to the last
    - `luck`: the rolls and draws that changed most: `decision`, `position` of the decision, `positions` of the rolls, `seat`
      that acted, `action`, `text` (the rolls in words), `changes` by seat as `mean` and standard `error`
    - `choices`: the decisions that gave most away, beyond noise: `decision`, `position`, `seat`, `action`, `better` (another
      action), `cost` and its standard `error`
    - `swings`: every decision looked at closely, in order: `before`, `after`, `luck` and `choice` by seat as `mean` and
      `error`, and the actions `tried` with the acting seat's share
    - `skipped`: why decisions were left out, by number

    Shares and changes are fractions of 1; a draw is nobody's.
    """
    totals = {seat: analysis.totals(seat) for seat in analysis.seats}
    return {
        "seats": analysis.seats,
        "bots": analysis.bots,
        "playouts": analysis.playouts,
        "few": analysis.few,
        "decisions": analysis.decisions,
        "whole": analysis.whole,
        "points": [
            {
                "decision": point.decision,
                "position": point.position,
                "over": point.value.exact,
                "shares": _shares(point.value),
            }
            for point in analysis.points
        ],
        "totals": totals,
        "luck": [
            {
                **_of(swing),
                "positions": drawn.positions,
                "text": words(tape, swing, drawn),
                "changes": _estimates(drawn.luck),
            }
            for swing, drawn in analysis.luckiest(count)
        ],
        "choices": [
            {**_of(swing), "better": swing.tried[0].notation, "cost": swing.cost.mean, "error": swing.cost.error}
            for swing in analysis.costliest(count)
        ],
        "swings": [
            {
                **_of(swing),
                "before": _shares(swing.before),
                "after": _shares(swing.after),
                "luck": _estimates({seat: swing.luck(seat) for seat in analysis.seats}),
                "choice": _estimates({seat: swing.choice(seat) for seat in analysis.seats}),
                "tried": [{"action": one.notation, "share": one.value.share(swing.seat)} for one in swing.tried],
            }
            for swing in analysis.swings
        ],
        "skipped": {str(number): reason for number, reason in analysis.skipped.items()},
    }


def words(tape: Tape, swing: Swing, drawn: Drawn) -> str:
    """Return what rolls and draws of a decision say, or what came of them first where they say nothing themselves."""
    told = [one.text for at in drawn.positions for one in tell_log(tape, at, at + 1)]
    if not any(told):
        first = drawn.positions[-1] + 1
        after = (one.text for one in tell_log(tape, first, min(first + FOLLOWING, swing.end + 1)))
        told = [next(filter(None, after), "")]
    return " ".join(filter(None, told))


def _of(swing: Swing) -> dict[str, Any]:
    return {"decision": swing.number, "position": swing.position, "seat": swing.seat, "action": swing.notation}


def _estimates(found: Mapping[str, Estimate]) -> dict[str, dict[str, float]]:
    return {seat: {"mean": one.mean, "error": one.error} for seat, one in found.items()}


def _shares(value: Value) -> dict[str, dict[str, float]]:
    found = {}
    for seat in value.seats:
        share = wilson(value.wins(seat), value.playouts)
        low, high = (share.share, share.share) if value.exact else (share.low, share.high)
        found[seat] = {"share": share.share, "low": low, "high": high}
    return found
