"""How a level ends, and what its result is (SMA-END-1 to SMA-END-10, SMA-CAMP-4, SMA-CAMP-5, SMA-CAMP-21)."""

from __future__ import annotations

from ..rules import Drop, End, Outcome, Script, do
from .advanced import capped, destroyed_at
from .book import Book
from .events_action import REASONS, RESULTS, LevelEnded
from .events_advanced import CampaignEnded
from .state import LevelState, cards_left
from .steps import NextLevel

RULES = {"all_out": "SMA-END-1", "all_on_exit": "SMA-END-2", "deck_out": "SMA-END-3"}
LEVEL_RULES = {2: "SMA-END-8", 3: "SMA-END-9"}
WON = ("major", "minor", "epic_victory")


def all_on_exit(state: LevelState) -> bool:
    """Say whether all Marines in play stand on the exit tile, and there are some (SMA-END-2, SMA-END-6)."""
    if not state.exit:
        return False
    some = False
    for marine in state.marines.values():
        if marine.square:
            if marine.square[0] != "X":
                return False
            some = True
    return some


def end(book: Book, state: LevelState, reason: str) -> Script:
    """End the level: nothing that was still to do is done any more; a campaign may go on with the next one."""
    squares = [marine.square for marine in state.marines.values() if marine.square]
    on_exit = sum(square[0] == "X" for square in squares)
    result = yield from capped(book, state, _result(book, state, reason, on_exit, len(squares)))
    rule = LEVEL_RULES.get(state.level) or RULES[reason]
    yield LevelEnded(reason, result, on_exit, len(squares), state.damage, rule=rule)
    if result == "completed":
        yield Drop()
        yield do(NextLevel())
        return
    if state.options.mode == "campaign":
        yield CampaignEnded(result, rule="SMA-CAMP-21" if result in WON else "SMA-CAMP-5")
    yield End()


def _result(book: Book, state: LevelState, reason: str, on_exit: int, in_play: int) -> str:
    """Return the first row of the briefing's results that holds (SMA-END-7, SMA-END-10)."""
    one_short = state.damage == destroyed_at(book, state) - 1
    holds = {
        "on_exit": on_exit,
        "prime_destroyed_and_in_play": in_play if reason == "prime_destroyed" else -1,
        "prime_one_short_and_in_play": in_play if one_short else -1,
    }
    for row in book.mission(state).results:
        least = state.options.campaign_pass if row.result == "completed" else row.at_least
        if row.test == "always" or holds[row.test] >= least:
            return row.result
    return "loss"


def after_card(book: Book, state: LevelState) -> str:
    """Return why the level ends now that a card has been carried out in full, empty if it goes on (SMA-END-5)."""
    if all_on_exit(state):
        return "all_on_exit"
    if state.options.deck_out == "last_resolved" and not cards_left(state):
        return "deck_out"
    return ""


def outcome(state: LevelState) -> Outcome | None:
    """Return how the level ended, None while it is on; of a campaign, rounds and kills are those of all its levels."""
    ended = state.ended
    if ended is None or ended.result == "completed":
        return None
    won = ended.result in WON
    figures = {"on_exit": ended.on_exit} if state.level < 3 else {}
    figures |= {
        "in_play": ended.in_play,
        "rounds": state.rounds_before + state.round,
        "cards_left": cards_left(state),
        "kills": state.kills_before + sum(state.kills.values()),
    }
    if state.level == 3:
        figures["damage"] = ended.damage
    if state.options.mode == "campaign":
        figures["level"] = state.level
    reason = REASONS.get(ended.reason, ended.reason)
    return Outcome(ended.result, ("team",) if won else (), reason, figures, RESULTS.get(ended.result, ""))
