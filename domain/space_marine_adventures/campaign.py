"""The campaign: what one level leaves to the next, docking, and the one call for help (SMA-CAMP-1 to SMA-CAMP-22)."""

from __future__ import annotations

from typing import Any

from ..rules import Decision, Refusal, Script
from ..words import listed
from . import setup
from .actions import NO_CALL, Call, NoCall
from .book import Book
from .events_advanced import LevelCleared, MarineCalled, MarineLeftBehind
from .state import LevelState
from .steps import CallMarine, NextLevel


def run_next(book: Book, state: LevelState, step: NextLevel) -> Script:
    """Leave behind who is not on the exit tile, clear the level away and begin the next one (SMA-CAMP-11, -12, -16)."""
    survivors = tuple(code for code in state.squad if state.marines[code].square[:1] == "X")
    for code in state.squad:
        if state.marines[code].square and code not in survivors:
            yield MarineLeftBehind(code, rule="SMA-CAMP-16")
    keep = (*state.spent, *state.used) if state.options.used_cards == "out_for_campaign" else ()
    level = state.level
    yield LevelCleared(level, survivors, keep, rule="SMA-CAMP-11")
    yield from setup.begin_level(book, state, level + 1)


def unused(book: Book, state: LevelState) -> list[str]:
    """Return the Marines who have not played in this campaign."""
    return [code for code in book.roster if code not in state.squad and code not in state.gone]


def may_call(state: LevelState) -> bool:
    """Say whether a call is open: none was made yet, and somebody was lost in the level just played (SMA-CAMP-13, -14)."""
    lost = state.fallen or (state.strays and state.options.left_behind_calls)
    return bool(lost) and not state.called


def ask_call(book: Book, state: LevelState, step: CallMarine) -> Decision | None:
    """Ask whether the fifth Marine is called, and on which empty square of the tile he stands."""
    if not may_call(state):
        return None
    calls = [Call(code, square) for code in unused(book, state) for square in setup.free_squares(book, state)]
    if not calls:
        return None
    return Decision("team", [*calls, NO_CALL], "Send for the Space Marine who has not played yet?")


def resolve_call(book: Book, state: LevelState, step: CallMarine, action: Call | NoCall) -> Script:
    """Bring the Marine called onto the tile, healthy (SMA-CAMP-15)."""
    if isinstance(action, Call):
        squad = tuple(code for code in book.roster if code in state.squad or code == action.marine)
        yield MarineCalled(action.marine, action.square, squad, rule="SMA-CAMP-13")


def explain(book: Book, state: LevelState, step: Any, action: Any) -> Refusal | None:
    """Return why nobody can be called so, None for another action."""
    if not isinstance(action, Call | NoCall):
        return None
    if state.options.mode != "campaign":
        return Refusal("SMA-CAMP-13", "nobody is called in a level that is played by itself")
    if state.called:
        return Refusal("SMA-CAMP-14", "one call can be made in a campaign, and it has been made")
    if state.level == 1 or type(step) not in setup.WORDS:
        if state.level == 3:
            return Refusal("SMA-CAMP-13", "a call is made while a level is set up, and no further one comes")
        return Refusal("SMA-CAMP-13", "a call can be made when the next level is set up")
    if not may_call(state):
        if state.strays:
            return Refusal("SMA-CAMP-16", "a Space Marine left behind does not count as taken out of action")
        return Refusal("SMA-CAMP-13", "nobody was taken out of action in the level just played")
    if type(step) is not CallMarine:
        if any(type(other) is CallMarine for other in state.pending):
            word = setup.WORDS[type(step)]
            return Refusal(
                "SMA-CAMP-13", f"the call is made once the survivors stand on the docked tile; `{word}` comes next"
            )
        return Refusal("SMA-CAMP-13", "the squad has gone on without help")
    assert isinstance(action, Call)
    if action.marine not in unused(book, state):
        who = listed((book.names.marine(code) for code in unused(book, state)), "or")
        return Refusal("SMA-CAMP-13", f"{book.names.marine(action.marine)} has played already; call {who}")
    squares = ", ".join(setup.free_squares(book, state))
    return Refusal("SMA-CAMP-13", f"{action.square} is no empty square of the tile: {squares}")
