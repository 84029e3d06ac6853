"""When the game ends, and who has won."""

from __future__ import annotations

from ..rules import End, Outcome, Script
from .book import Book
from .events_turn import END_REASONS, GameEnded
from .state import MARINES, TYRANID, HiveState


def marines(book: Book, state: HiveState) -> list[str]:
    """Return the Marines on the board, prone ones too (TA-WIN-3); not to be changed."""
    return book.sides(state)[MARINES]


def tyranids(book: Book, state: HiveState) -> list[str]:
    """Return the Tyranids on the board, blobs too (TA-REINF-11); not to be changed."""
    return book.sides(state)[TYRANID]


def end(book: Book, state: HiveState, winner: str, reason: str, rule: str) -> Script:
    """End the game at once."""
    yield GameEnded(winner, reason, len(state.destroyed), len(marines(book, state)), rule=rule)
    yield End()


def check_marines(book: Book, state: HiveState) -> Script:
    """End the game when a part ends with no Marine on board (TA-WIN-2, TA-WIN-3)."""
    if not marines(book, state):
        yield from end(book, state, TYRANID, "no_marines", "TA-WIN-2")


def check_limit(book: Book, state: HiveState) -> Script:
    """End the game when the last turn has ended (TA-WIN-4)."""
    if state.options.turn_limit and state.turn >= state.options.turn_limit:
        yield from end(book, state, TYRANID, "turn_limit", "TA-WIN-4")


def check_templates(book: Book, state: HiveState) -> Script:
    """End the game with the fourth template destroyed (TA-WIN-1), or when four can no longer be had (TA-WIN-5)."""
    if len(state.destroyed) >= book.needed:
        yield from end(book, state, MARINES, "templates", "TA-WIN-1")
    elif len(book.catalogue.objectives) - len(state.gone) < book.needed:
        yield from end(book, state, TYRANID, "templates_lost", "TA-WIN-5")


def outcome(state: HiveState) -> Outcome | None:
    """Return how the game ended."""
    ended = state.ended
    if ended is None:
        return None
    figures = {"turns": ended.turn, "destroyed": ended.destroyed, "marines_left": ended.marines}
    return Outcome(ended.winner, (ended.winner,), END_REASONS[ended.reason], figures, "won")
