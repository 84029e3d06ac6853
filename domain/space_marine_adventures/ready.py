"""Between turns: rounds, activation cards, and the cards played before one is turned over (SMA-ROUND-1 to -7)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from ..chance import Draw, Shuffle
from ..rules import Decision, Refusal, Script, do
from . import actions as act
from .advanced import join
from .book import Book
from .events_cards import InfestationReordered
from .events_turn import ActivationPiled, ActivationRevealed, RoundEnded, RoundStarted
from .specials import explain_play, play, plays
from .state import ACTIVATION, LevelState, pile, top
from .steps import Infest, OrderCards, Ready
from .turn import begin
from .wounds import holder

PROMPT = "Turn over the next activation card?"
JUST_NEXT = Decision("team", (act.NEXT,), PROMPT, True)


def ask_ready(book: Book, state: LevelState, step: Ready) -> Decision | None:
    """Ask for the next card, always: it paces the game; with no activation card left a round begins first."""
    if top(state, ACTIVATION) < 0:
        return None
    usable = book.usable["between"]
    actions: list[object] = []
    for code, marine in state.marines.items():
        if marine.square and not usable.isdisjoint(marine.cards):
            plays(book, state, book.field(state), code, "between", actions)
    return Decision("team", [act.NEXT, *actions], PROMPT, True) if actions else JUST_NEXT


def run_ready(book: Book, state: LevelState, step: Ready) -> Script:
    """End the round and shuffle the activation deck for the next (SMA-ROUND-1, SMA-ROUND-6)."""
    if state.round:
        yield RoundEnded(state.round, rule="SMA-ROUND-6")
        if state.due:
            yield from join(book, state)
    yield RoundStarted(state.round + 1, rule="SMA-ROUND-1")
    yield Shuffle(ACTIVATION, state.deck, rule="SMA-ROUND-1")
    yield do(step)


def resolve_ready(book: Book, state: LevelState, step: Ready, action: Any) -> Script:
    """Turn over an activation card, or play a special card."""
    yield do(step)
    if type(action) is act.Play:
        yield from play(book, state, holder(state, action.card), action)
        return
    place = top(state, ACTIVATION)
    card = yield Draw(pile(state, ACTIVATION), place, purpose="activation", rule="SMA-ROUND-2")
    shows = book.shows[card]
    yield ActivationRevealed(card, shows, rule="SMA-ROUND-2")
    if shows == "tyranid":
        yield do(Infest())
    elif state.marines[shows].square:
        yield from begin(book, state, shows)
    else:
        yield ActivationPiled(card, rule="SMA-ROUND-4")


def explain_ready(book: Book, state: LevelState, step: Ready, action: Any) -> Refusal | None:
    """Return why an action cannot be taken between turns, None when it can."""
    kind = type(action)
    if kind is act.Play:
        return explain_play(book, state, "between", "", action)
    if kind in (act.Move, act.Attack, act.TryConsole, act.Command, act.ThrowGrenade):
        return Refusal("SMA-ROUND-3", "a Space Marine acts when his activation card comes; `next` turns one over")
    if kind is act.End:
        return Refusal("SMA-ROUND-2", "nobody's turn is going on; `next` turns an activation card over")
    if kind is act.React:
        return Refusal("SMA-SPEC-1", "there is nothing to react to now")
    return None


def ask_order(book: Book, state: LevelState, step: OrderCards) -> Decision:
    """Ask for the order of the known cards, topmost first."""
    numbers = range(1, len(state.known) + 1)
    shown = ", ".join(f"{n} {book.names.card(card)}" for n, card in zip(numbers, state.known, strict=True))
    return Decision("team", [act.Order(order) for order in permutations(numbers)], f"In which order? {shown}")


def resolve_order(book: Book, state: LevelState, step: OrderCards, action: act.Order) -> Script:
    """Put the known cards back in the order chosen."""
    known = tuple(state.known[number - 1] for number in action.numbers)
    if known != tuple(state.known):
        yield InfestationReordered(known, rule="SMA-SPEC-7")


def explain_order(book: Book, state: LevelState, step: OrderCards, action: Any) -> Refusal | None:
    """Return why an order is not one of the known cards, None when it is."""
    count = len(state.known)
    if type(action) is act.Order and sorted(action.numbers) != list(range(1, count + 1)):
        return Refusal("SMA-SPEC-7", f"each number from 1 to {count} is named once")
    return None
