"""When the game ends, which the end of the assault alone does not bring about (DOE-TRACK-10), and who has won."""

from __future__ import annotations

from ..rules import End, Outcome, Script
from .book import Book
from .effects import IgnoredForEnd
from .events_turn import END_REASONS, GameEnded, QuietTurnsCounted
from .state import ELDAR, OUT, TYRANID, DoomState
from .steps import EndTurn


def points(book: Book, state: DoomState) -> tuple[int, dict[str, int]]:
    """Return the Eldar's points and the Tyranids' by what gave them, as they stand (DOE-VP-1 to -5, -7)."""
    parts = {"areas": len(state.devastated)}
    for unit in book.units.values():
        if unit.points:
            parts[unit.id] = unit.points if state.units.get(unit.id) == OUT else 0
    return book.row(state.marker, state.options).eldar_vp, parts


def end(book: Book, state: DoomState, reason: str, rule: str) -> Script:
    """End the game at once, with the points as they stand (DOE-AIM-2, DOE-VP-6)."""
    eldar, parts = points(book, state)
    tyranid = sum(parts.values())
    winner = ELDAR if eldar > tyranid else TYRANID if tyranid > eldar else ""
    yield GameEnded(reason, eldar, tyranid, parts, winner, rule=rule)
    yield End()


def tyranids_left(book: Book, state: DoomState) -> bool:
    """Say whether Tyranids keep the game going: those on the map but for a face-up Hive Mind (DOE-END-1, DOE-HM-4)."""
    if state.options.hive_mind_end != "ignored":
        return bool(state.stacks)
    return any(not ignored(book, state, token) for token in state.swarms)


def ignored(book: Book, state: DoomState, token: str) -> bool:
    """Say whether a token does not keep the game going (DOE-HM-4)."""
    face = state.face.get(token)
    return face is not None and any(isinstance(effect, IgnoredForEnd) for effect in book.counters[face].effects)


def check(book: Book, state: DoomState) -> Script:
    """End the game if the assault is over and no Tyranid is left (DOE-END-1): tested where ruling G-39 says."""
    if state.over and not tyranids_left(book, state):
        yield from end(book, state, "tyranids_gone", "DOE-END-1")


def run_end_turn(book: Book, state: DoomState, step: EndTurn) -> Script:
    """Count quiet turns, and end the game if its time has come (DOE-END-2, DOE-END-3)."""
    if not state.fortified:
        yield from end(book, state, "areas_lost", "DOE-END-2")
    if state.over:
        quiet = 0 if state.loud else state.quiet + 1
        if quiet != state.quiet:
            yield QuietTurnsCounted(quiet, rule="DOE-END-3")
        if state.options.stall_turns and quiet >= state.options.stall_turns:
            yield from end(book, state, "quiet_turns", "DOE-END-3")
        if state.turn - state.over >= book.bound:
            yield from end(book, state, "turn_bound", "DOE-END-3")


def outcome(state: DoomState) -> Outcome | None:
    """Return how the game ended."""
    ended = state.ended
    if ended is None:
        return None
    figures = {
        "eldar": ended.eldar, "tyranid": ended.tyranid, "turns": state.turn, "marker": state.marker,
        "assault_turns": state.over or state.turn,
    }  # fmt: skip
    return Outcome(
        ended.winner or "draw",
        (ended.winner,) if ended.winner else (),
        END_REASONS[ended.reason],
        figures,
        "won" if ended.winner else "a draw",
    )
