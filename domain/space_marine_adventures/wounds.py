"""Wounds, the cards that prevent them, and Marines taken out of action (SMA-WND-1 to SMA-WND-5)."""

from __future__ import annotations

from ..rules import Decision, Refusal, Script
from .actions import PASS, React
from .advanced import after
from .book import Book
from .endings import end
from .events_cards import (
    MarineHealed,
    MarineTakenOut,
    MarineWounded,
    SpecialDiscarded,
    SpecialPlayed,
    WoundPrevented,
)
from .events_turn import AllowanceChanged
from .state import LevelState
from .steps import Wound


def holder(state: LevelState, card: str) -> str:
    """Return the code of the Marine in play who has a special card, empty if nobody does."""
    for code, marine in state.marines.items():
        if card in marine.cards and marine.square:
            return code
    return ""


def play_card(state: LevelState, code: str, card: str, args: tuple[str, ...] = ()) -> Script:
    """Use a special card up: it costs no action and goes to the box (SMA-SPEC-2, SMA-SPEC-3)."""
    yield SpecialPlayed(code, card, args, rule="SMA-SPEC-1")
    yield SpecialDiscarded(code, card, rule="SMA-SPEC-3")


def shields(book: Book, state: LevelState, code: str) -> list[React]:
    """Return the cards that can prevent a Marine's wound: his own, and those of Marines adjacent to him."""
    found: list[React] = []
    for other in state.squad:
        marine = state.marines[other]
        if not marine.square or not marine.cards:
            continue
        usable = book.usable["wound_self" if other == code else "wound_near"]
        fitting = [card for card in marine.cards if card in usable]
        if fitting and other != code:
            ground = book.ground(state)
            here, there = ground.index[state.marines[code].square], ground.index[marine.square]
            if there not in ground.neighbours[here]:
                continue
        found.extend(React(card) for card in fitting)
    return found


def ask_wound(book: Book, state: LevelState, step: Wound) -> Decision | None:
    """Ask whether a wound is prevented; nobody is asked when nothing can do so."""
    if not state.marines[step.marine].square:
        return None
    ways = shields(book, state, step.marine)
    if not ways:
        return None
    return Decision("team", [*ways, PASS], f"{book.names.marine(step.marine)} is about to be wounded: prevent it?")


def resolve_wound(book: Book, state: LevelState, step: Wound, action: object) -> Script:
    """Prevent the wound by a card, or let it happen."""
    if isinstance(action, React):
        yield from play_card(state, holder(state, action.card), action.card)
        yield WoundPrevented(step.marine, action.card, rule="SMA-SPEC-7")
    else:
        yield from run_wound(book, state, step)


def run_wound(book: Book, state: LevelState, step: Wound) -> Script:
    """Wound a Marine in play; the second wound takes him out of action, the last Marine's ends the level."""
    code, marine = step.marine, state.marines[step.marine]
    if not marine.square:
        return
    wounds = marine.wounds + 1
    yield MarineWounded(code, wounds, rule="SMA-WND-1" if wounds == 1 else "SMA-WND-2")
    yield from after(book, state, "MarineWounded")
    if wounds < 2:
        yield from change_allowance(book, state, code, "wounded")
        return
    yield MarineTakenOut(code, marine.square, rule="SMA-WND-2")
    for card in tuple(marine.cards):
        yield SpecialDiscarded(code, card, rule="SMA-SPEC-4")
    if not any(other.square for other in state.marines.values()):
        yield from end(book, state, "all_out")


def heal(book: Book, state: LevelState, code: str) -> Script:
    """Turn a wounded Marine's datacard back to its healthy side (SMA-WND-4)."""
    yield MarineHealed(code, rule="SMA-WND-4")
    yield from change_allowance(book, state, code, "healed")


def change_allowance(book: Book, state: LevelState, code: str, cause: str, extra: int = 0) -> Script:
    """Work out the allowance anew, if it is that Marine's turn (SMA-ACT-8)."""
    turn = state.turn
    if turn is None or turn.marine != code:
        return
    allowance = max(0, book.side(state, code).actions + turn.extra + extra - turn.spores)
    left = max(0, allowance - turn.spent)
    yield AllowanceChanged(code, allowance, left, cause, extra, rule="SMA-ACT-8")


def explain_wound(book: Book, state: LevelState, step: Wound, card: str) -> Refusal:
    """Return why a card does not prevent this wound."""
    windows = book.windows[card]
    if "wound_near" in windows and holder(state, card) == step.marine:
        return Refusal("SMA-SPEC-1", f"{book.names.card(card)} shields a neighbour, not the Marine who has it")
    if "wound_near" in windows:
        return Refusal("SMA-SPEC-1", f"the holder of {book.names.card(card)} is not adjacent to him")
    if "wound_self" in windows:
        return Refusal("SMA-SPEC-1", f"{book.names.card(card)} helps only the Marine who has it")
    return Refusal("SMA-SPEC-1", f"{book.names.card(card)} cannot be used when a Marine is about to be wounded")
