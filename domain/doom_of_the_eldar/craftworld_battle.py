"""Craftworld combat: the mine, the odds, the die and what it costs."""

from __future__ import annotations

from ..rules import Decision, Refusal, Script, do
from .actions import HOLD, Detonate, Hold
from .battles import burst, cast, fighting, window
from .book import ALL, Book
from .events_battle import OddsResult, RoundBegan, TotalsSet
from .losses import candidates, fighters
from .state import TYRANID, DoomState, other
from .steps import Lose, Mine, Odds, OddsRead
from .values import craftworld, reroll_holder


def ask_mine(book: Book, state: DoomState, step: Mine) -> Decision | None:
    """Ask whether the face-up mine detonates before the battle (DOE-MINE-2)."""
    if not state.eldar.get(fighting(state).area):
        return None
    return Decision(TYRANID, (Detonate(step.token), HOLD), "Does the Spore Mine detonate?")


def resolve_mine(book: Book, state: DoomState, step: Mine, action: Detonate | Hold) -> Script:
    """Detonate it or hold it (DOE-MINE-2)."""
    if isinstance(action, Detonate):
        yield from burst(book, state, step.token, "DOE-MINE-2")


def explain_mine(book: Book, state: DoomState, step: Mine, action: object) -> Refusal | None:
    """Say why that does not detonate."""
    return Refusal("DOE-MINE-2", f"{action.token} is no Spore Mine here") if isinstance(action, Detonate) else None


def run_odds(book: Book, state: DoomState, step: Odds) -> Script:
    """Set the totals and the column, and roll (DOE-CW-1 to -3), unless the mine has left nothing to fight."""
    battle = fighting(state)
    area, attacker = battle.area, battle.attacker
    if not state.eldar.get(area) or not fighters(book, state, area):
        return
    yield RoundBegan(1, reroll_holder(book, state, area), rule="DOE-CW-5")
    totals = craftworld(book, state, area, attacker)
    column = book.odds(totals.attack, totals.defence, state.options)
    rule = "DOE-CW-9"
    if all(totals):
        rule = "DOE-CW-2" if column == f"{totals.attack // totals.defence}-1" else "DOE-CW-8"
    yield TotalsSet(attacker, totals.attack, column, totals.defence, rule=rule)
    if column in book.catalogue.craftworld.columns:
        yield from cast(state, attacker, "battle", "DOE-CW-3")
        yield do(*window(state), OddsRead())
    else:
        yield do(OddsRead())


def run_read(book: Book, state: DoomState, step: OddsRead) -> Script:
    """Read the result; the defender chooses losses first (DOE-CW-4, DOE-LOSS-5)."""
    battle = fighting(state)
    result = book.result(battle.column, battle.roll)
    yield OddsResult(result.code, result.attacker, result.defender, rule="DOE-CW-4")
    attacker, defender = battle.attacker, other(battle.attacker)
    due = [
        Lose(side=side, count=len(candidates(book, state, side)) if count == ALL else count)
        for side, count in ((defender, result.defender), (attacker, result.attacker))
        if count
    ]
    yield do(*due)
