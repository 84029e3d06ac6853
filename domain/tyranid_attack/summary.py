"""A position in rows of words, for where no board is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..secrets import bare
from ..words import counted, sentence
from .book import Book
from .facts import SIDES
from .state import MARINES, HiveState

WAYS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def summary(book: Book, state: HiveState) -> list[tuple[str, str]]:
    """Return label and text of each thing on the table, as far as the holder of the state (or view) may know it."""
    rows = []
    if state.turn:
        words = f"{state.turn}: {SIDES.get(state.side, '')}".removesuffix(": ")
        rows.append(("Turn", f"{words}, {state.active} is taken up" if state.active else words))
    if state.chain:
        rows.append(("Sections, the rear first", ", ".join(_section(laid) for laid in state.chain)))
        rows.append(("Unexplored", _unexplored(book, state)))
    rows += _forces(book, state)
    for objective, squares in state.templates.items():
        where = " ".join(book.names.square(state, square) for square in squares)
        rows.append((f"{sentence(book.names.objective(objective))} ({objective})", where))
    rows.append(("Objectives", _objectives(book, state)))
    if state.artifacts:
        lying = (f"A{number} on {book.names.square(state, at)}" for number, at in sorted(state.artifacts.items()))
        rows.append(("Artifacts that lie", ", ".join(lying)))
    if state.cysts:
        closed = "closed: " if state.cysts_closed else ""
        rows.append(("Cysts", closed + " ".join(book.names.square(state, at) for at in state.cysts)))
    rows += _supplies(book, state)
    return rows


def _section(laid: object) -> str:
    turned = ", turned" if getattr(laid, "rotation", 0) else ""
    return f"{getattr(laid, 'section', 0)} (to the {WAYS[getattr(laid, 'heading', 'N')]}{turned})"


def _unexplored(book: Book, state: HiveState) -> str:
    """Say which sections are unexplored, and what lies there as far as it is known."""
    words = []
    for section, hidden in state.cards.items():
        card = state.seen_card(hidden)
        what = book.names.card(card) if card else "a card" if hidden.deck else "no card"
        words.append(f"section {section}, {what} lies there" if hidden.deck else f"section {section}, {what}")
    return "; ".join(words) or "none"


def _forces(book: Book, state: HiveState) -> list[tuple[str, str]]:
    rows = []
    for label, seat in (("Marines", MARINES), ("Tyranids", "tyranid")):
        names = sorted(
            (name for name in state.models if book.side(name) == seat), key=lambda name: (name[:2], int(name[2:]))
        )
        if names:
            rows.append((label, ", ".join(_model(book, state, name) for name in names)))
    if state.party:
        rows.append(("To be deployed", " ".join(state.party)))
    if state.lost:
        rows.append(("Scouts lost", " ".join(state.lost)))
    if state.pool:
        rows.append(("In the pool", _counted(book, state.pool)))
    return rows


def condition(book: Book, state: HiveState, name: str) -> list[str]:
    """Return what there is to say of a model on the board besides its kind and square."""
    model = state.models[name]
    notes = []
    if book.profiles[model.kind].life > 1:
        notes.append(f"life {model.life}")
    if model.prone:
        notes.append("prone")
    if model.ready > state.turn:
        notes.append(f"its gun recharges until turn {model.ready}")
    for mount, weapon in sorted(model.arms.items()):
        turn = model.ready_arms.get(mount, 0)
        notes.append(book.names.weapon(weapon) + (f" (recharges until turn {turn})" if turn > state.turn else ""))
    notes += [f"A{number}" for number in model.artifacts]
    return notes


def _model(book: Book, state: HiveState, name: str) -> str:
    notes = condition(book, state, name)
    where = book.names.square(state, state.models[name].at)
    return f"{name} {where}" + (f" ({', '.join(notes)})" if notes else "")


def _counted(book: Book, names: Iterable[str]) -> str:
    """Return names by kind: those of a kind are the same to the rules."""
    counts = Counter(book.kind(name) for name in names)
    return ", ".join(counted(count, book.names.kind(kind)) for kind, count in counts.items())


def _objectives(book: Book, state: HiveState) -> str:
    words = [f"{len(state.destroyed)} of {book.needed} destroyed"]
    if state.destroyed:
        words[0] += f" ({' '.join(state.destroyed)})"
    if state.gone:
        words.append(f"{' '.join(state.gone)} lost")
    return ", ".join(words)


def _supplies(book: Book, state: HiveState) -> list[tuple[str, str]]:
    rows = []
    if state.orders or state.served:
        words = [", ".join(book.names.order(key) for key in state.orders)] if state.orders else []
        if state.served:
            words.append(f"{book.names.order(state.served.key)} is in force for {' '.join(state.served.models)}")
        rows.append(("Orders", "; ".join(words)))
    if state.points_left:
        rows.append(("Points left", str(state.points_left)))
    rows.append(("Hellfire shells, melta-bombs", f"{state.shells}, {state.bombs}"))
    deck = state.chance.decks.get(state.stack)
    tile = bare(deck.seen.get(state.tile)) if deck is not None and state.tile >= 0 else None
    if isinstance(tile, str):
        section = book.catalogue.tiles[tile].section
        rows.append(("The tile held", f"section {section}: {book.names.objective(book.objectives[section])}"))
    elif state.tile >= 0:
        rows.append(("The tile held", "face down"))
    left = len(state.chance.decks[state.deck].items) - state.drawn if state.deck in state.chance.decks else 0
    if state.deck:
        rows.append(("Cards in the deck", str(left)))
    return rows
