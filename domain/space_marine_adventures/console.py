"""The console, the bulkheads and the exit tile (SMA-CON-1 to SMA-CON-8)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ..chance import Draw, Request, Roll
from ..rules import Refusal, Script, do
from .advanced import after
from .attacks import second_rolls, with_values
from .book import Book
from .events_action import BulkheadOpened, BulkheadPeeked, BulkheadStayedSealed, ConsoleActivated, ConsoleTried
from .events_setup import VesselLaid
from .events_turn import ActionSpent
from .state import BULKHEADS, LevelState, TurnRecord, pile
from .steps import RollFailed


def can_try(book: Book, state: LevelState, turn: TurnRecord) -> bool:
    """Say whether the Marine whose turn it is may try the console."""
    return (
        state.marines[turn.marine].square == state.objective
        and not state.console
        and turn.left > 0
        and book.mission(state).console.enabled
    )


def bonus(book: Book, state: LevelState, turn: TurnRecord) -> int:
    """Return what is added to a try: of cards, and of the kills that the briefing counts (SMA-CON-7)."""
    return turn.console_plus + counted_kills(book, state)


def counted_kills(book: Book, state: LevelState) -> int:
    """Return what is added to every try for the kills that the briefing counts (SMA-CON-7)."""
    console = book.mission(state).console
    return min(console.bonus_max, console.bonus_per_kill * state.kills.get(console.bonus_kind, 0))


def try_console(book: Book, state: LevelState, turn: TurnRecord) -> Script:
    """Spend an action and roll for the console (SMA-CON-1)."""
    console, modifier = book.mission(state).console, bonus(book, state, turn)
    yield ActionSpent(turn.marine, 1, turn.left - 1, rule="SMA-CON-8")
    throw = RollFailed(
        marine=turn.marine, purpose="console", own_turn=True, dice=1, modifier=modifier, need=console.need, values=()
    )
    yield from roll(book, state, throw)


def roll(book: Book, state: LevelState, throw: RollFailed, again: bool = False) -> Script:
    """Roll for the console, and ask about a second roll if it fails and this was none."""
    code = throw.marine
    rule = "SMA-ATK-6" if again else "SMA-CON-1"
    values = yield Roll(book.streams[code], purpose="console", subject=code, rule=rule)
    total = max(values) + throw.modifier
    success = total >= throw.need
    needed = "SMA-CON-7" if state.level == 2 else "SMA-CON-2"
    yield ConsoleTried(code, total, throw.need, success, rule=needed)
    if success:
        yield ConsoleActivated(code, rule=needed)
        yield from after(book, state, "ConsoleActivated")
        yield from turn_over(book, state)
    elif not again and second_rolls(book, state, throw):
        yield do(with_values(throw, values))


def turn_over(book: Book, state: LevelState) -> Script:
    """Turn all three bulkheads over; the one that opens gets the exit tile (SMA-CON-4, SMA-CON-5)."""
    hulk = book.ground(state).hulk
    opened = ""
    for place, label in enumerate(state.bulkheads):
        if (yield from _face(book, state, place)) == "open":
            opened = label
            yield BulkheadOpened(label, hulk.grid.name(hulk.exits[label]), rule="SMA-CON-4")
        else:
            yield BulkheadStayedSealed(label, rule="SMA-CON-4")
    if opened:
        laid = book.catalogue.hulk(state.face, state.entry, opened)
        squares = tuple(laid.grid.name(square) for square in laid.exit_tile)
        yield VesselLaid("exit", opened, squares, rule="SMA-CON-5")


def unseen(state: LevelState) -> list[str]:
    """Return the exits whose bulkhead nobody has looked under."""
    return [label for label in state.bulkheads if label not in state.peeked]


def peek(book: Book, state: LevelState, labels: tuple[str, ...]) -> Script:
    """Look under the bulkheads at these exits."""
    for label in labels:
        face = yield from _face(book, state, state.bulkheads.index(label))
        yield BulkheadPeeked(label, face, rule="SMA-SPEC-7")


def _face(book: Book, state: LevelState, place: int) -> Generator[Request, Any, str]:
    item = yield Draw(pile(state, BULKHEADS), place, purpose="bulkhead", rule="SMA-CON-4")
    return book.catalogue.bulkheads[item].faces[1]


def explain_console(book: Book, state: LevelState, turn: TurnRecord) -> Refusal | None:
    """Return why the console cannot be tried, None when it can."""
    if not book.mission(state).console.enabled:
        return Refusal("SMA-CON-1", "there is no console to work in this level")
    if state.console:
        return Refusal("SMA-CON-6", "the console has been activated already")
    if state.marines[turn.marine].square != state.objective:
        return Refusal("SMA-CON-1", f"he has to stand on the console, which is on {state.objective or 'no square'}")
    if turn.left <= 0:
        return Refusal("SMA-CON-8", "a try costs a paid action, and he has none left")
    return None
