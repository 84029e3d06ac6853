"""How a level ends, and what its result is (SMA-END-1 to SMA-END-7)."""

from __future__ import annotations

from ..rules import End, Outcome, Script
from .book import Book
from .events_action import REASONS, RESULTS, LevelEnded
from .state import LevelState, cards_left

RULES = {"all_out": "SMA-END-1", "all_on_exit": "SMA-END-2", "deck_out": "SMA-END-3"}


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
    """End the level: nothing that was still to do is done any more."""
    squares = [marine.square for marine in state.marines.values() if marine.square]
    on_exit = sum(square[0] == "X" for square in squares)
    result = "loss"
    for row in book.mission(state).results:
        if row.test == "always" or (row.test == "on_exit" and on_exit >= row.at_least):
            result = row.result
            break
    yield LevelEnded(reason, result, on_exit, len(squares), rule=RULES[reason])
    yield End()


def after_card(book: Book, state: LevelState) -> str:
    """Return why the level ends now that a card has been carried out in full, empty if it goes on (SMA-END-5)."""
    if all_on_exit(state):
        return "all_on_exit"
    if state.options.deck_out == "last_resolved" and not cards_left(state):
        return "deck_out"
    return ""


def outcome(state: LevelState) -> Outcome | None:
    """Return how the level ended, None while it is on."""
    ended = state.ended
    if ended is None:
        return None
    won = ended.result in ("major", "minor")
    figures = {
        "on_exit": ended.on_exit,
        "in_play": ended.in_play,
        "rounds": state.round,
        "cards_left": cards_left(state),
        "kills": sum(state.kills.values()),
    }
    reason = REASONS.get(ended.reason, ended.reason)
    return Outcome(ended.result, ("team",) if won else (), reason, figures, RESULTS.get(ended.result, ""))
