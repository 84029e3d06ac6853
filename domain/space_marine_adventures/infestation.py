"""Infestation cards: turned over, perhaps stopped, carried out step by step, done with (SMA-ROUND-5, SMA-INF-1)."""

from __future__ import annotations

from ..chance import Draw, Roll
from ..rules import Decision, Script, do
from .actions import PASS, React
from .book import Book
from .endings import after_card, end
from .events_cards import InfestationCancelled, InfestationResolved, InfestationRevealed, MarineStruck
from .events_turn import ActivationPiled
from .setup import DAMAGE
from .state import INFESTATION, LevelState, bag_size, cards_left, pile, top
from .steps import CardDone, Carry, Infest, Revealed, Strikes, Wound
from .tyranid_effects import EFFECTS, list_at
from .wounds import holder, play_card


def run_infest(book: Book, state: LevelState, step: Infest) -> Script:
    """Turn over the next infestation card, of the known top first; the level ends if there is none left."""
    if state.known:
        card = state.known[0]
        yield InfestationRevealed(card, "known_top", rule="SMA-ROUND-5")
    else:
        place = top(state, INFESTATION)
        if place < 0:
            yield from end(book, state, "deck_out")
            return
        card = yield Draw(pile(state, INFESTATION), place, purpose="infestation", rule="SMA-ROUND-5")
        yield InfestationRevealed(card, "draw", rule="SMA-ROUND-5")
    yield do(Revealed(card=card, bag_empty=not bag_size(state)))


def stoppers(book: Book, state: LevelState) -> list[React]:
    """Return the cards that can be played now that an infestation card is face up."""
    return [
        React(card)
        for code in state.squad
        if state.marines[code].square
        for card in state.marines[code].cards
        if card in book.usable["infestation_revealed"]
    ]


def ask_revealed(book: Book, state: LevelState, step: Revealed) -> Decision | None:
    """Ask whether the card is stopped; nobody is asked when nothing can do so."""
    ways = stoppers(book, state)
    return Decision("team", [*ways, PASS], f"{book.names.card(step.card)} is revealed: stop it?") if ways else None


def resolve_revealed(book: Book, state: LevelState, step: Revealed, action: object) -> Script:
    """Stop the card, or let it begin."""
    if isinstance(action, React):
        yield from play_card(state, holder(state, action.card), action.card)
        yield InfestationCancelled(step.card, action.card, cards_left(state), rule="SMA-SPEC-7")
        yield do(CardDone(card=step.card, cancelled=True))
    else:
        yield from run_revealed(book, state, step)


def run_revealed(book: Book, state: LevelState, step: Revealed) -> Script:
    """Begin with the card's effects."""
    yield do(Carry(source=step.card, bag_empty=step.bag_empty), CardDone(card=step.card))


def run_carry(book: Book, state: LevelState, step: Carry) -> Script:
    """Carry out one effect, and then those after it."""
    effects = list_at(book.effects(state, step.source), step.path)
    number = step.path[-1]
    if number >= len(effects):
        return
    if number + 1 < len(effects):
        yield do(Carry(source=step.source, path=(*step.path[:-1], number + 1), bag_empty=step.bag_empty))
    effect = effects[number]
    yield from EFFECTS[type(effect)](book, state, effect, step)


def run_done(book: Book, state: LevelState, step: CardDone) -> Script:
    """Put the card away; then the endings are tested, and further cards turned over (SMA-ROUND-8, SMA-END-5)."""
    if not step.cancelled:
        yield InfestationResolved(step.card, cards_left(state), rule="SMA-ROUND-8")
    reason = after_card(book, state)
    if reason:
        yield from end(book, state, reason)
    elif state.more and (cards_left(state) or state.options.deck_out == "draw_needed"):
        yield do(Infest())
    elif state.activation:
        yield ActivationPiled(state.activation, rule="SMA-ROUND-2")


def run_strikes(book: Book, state: LevelState, step: Strikes) -> Script:
    """Roll for the first of the Marines who is still in play, and wound him on a low result."""
    code = step.marines[0]
    if len(step.marines) > 1:
        yield do(Strikes(marines=step.marines[1:], wound_on=step.wound_on, way=step.way, cause=step.cause))
    square = state.marines[code].square
    if not square:
        return
    if not (step.way == "spines" and step.wound_on >= 6):
        (value,) = yield Roll(book.streams[code], purpose=step.way, subject=code, rule="SMA-GEN-4")
        if value > step.wound_on:
            return
    rule = "SMA-PRIME-6" if step.cause == DAMAGE else "SMA-INF-1"
    yield MarineStruck(code, square, step.way, step.cause, rule=rule)
    yield do(Wound(marine=code, cause=step.cause))
