"""Order cards: whom they serve, and what they allow."""

from __future__ import annotations

from collections.abc import Iterator

from ..rules import Refusal, Script
from . import effects as e
from .actions import PlayOrder
from .book import Book
from .endings import marines
from .events_turn import OrderPlayed
from .state import Act, HiveState


def untouched(state: HiveState, name: str) -> bool:
    """Say whether a model has neither moved nor attacked in this turn (TA-ORDER-3)."""
    act = state.act(name)
    return act.fresh and not act.attacked and not act.stepped


def led(book: Book, state: HiveState) -> bool:
    """Say whether a Sergeant is on the board (TA-ORDER-4, TA-ORDER-7)."""
    return any(state.models[name].kind in book.sergeants for name in marines(book, state))


def served(book: Book, state: HiveState, scout: str) -> tuple[str, ...]:
    """Return the models that an order serves now (TA-ORDER-3 to -6)."""
    all_serve = led(book, state)
    return tuple(
        name
        for name in marines(book, state)
        if untouched(state, name) and (all_serve or name == scout or book.kind(name) not in book.scouts)
    )


def orders(book: Book, state: HiveState) -> Iterator[PlayOrder]:
    """Yield the orders that may be played (TA-ORDER-1, -2, -4, -5)."""
    if state.served is not None:
        return
    scouts = [""]
    if not led(book, state):
        scouts += [name for name in marines(book, state) if book.kind(name) in book.scouts and untouched(state, name)]
        if len(scouts) > 1:
            scouts = scouts[1:]
    for key in state.orders:
        for scout in scouts:
            yield PlayOrder(key, scout)


def play(book: Book, state: HiveState, action: PlayOrder) -> Script:
    """Play an order: the models that it serves are fixed now (TA-ORDER-8 to -12)."""
    act = Act()
    for effect in book.catalogue.orders[action.key].effects:
        if isinstance(effect, e.OrderMoves):
            act.moves = effect.count
        elif isinstance(effect, e.OrderShots):
            act.attacks = effect.count
        elif isinstance(effect, e.OrderSplitMove):
            act.split = True
    yield OrderPlayed(action.key, served(book, state, action.scout), act, rule="TA-ORDER-2")


def explain(book: Book, state: HiveState, action: PlayOrder) -> Refusal | None:
    """Say why an order may not be played."""
    if action.key not in book.catalogue.orders:
        return Refusal("TA-ORDER-2", f"there is no order {action.key}: {', '.join(book.catalogue.orders)}")
    if state.served is not None:
        return Refusal("TA-ORDER-1", "an order has been played in this turn")
    if action.key not in state.orders:
        return Refusal("TA-ORDER-2", f"{book.names.order(action.key)} was played before")
    if led(book, state):
        return Refusal("TA-ORDER-4", "with a Sergeant on the board it serves all Marines: name none")
    if not action.scout:
        return Refusal("TA-ORDER-5", "without a Sergeant it serves one Scout: name him")
    if action.scout not in state.models or book.kind(action.scout) not in book.scouts:
        return Refusal("TA-ORDER-5", f"{action.scout} is no Scout on the board")
    return Refusal("TA-ORDER-3", f"{action.scout} has moved or attacked in this turn")
