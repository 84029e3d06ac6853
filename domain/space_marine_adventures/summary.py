"""A position in rows of words, for where no board is drawn."""

from __future__ import annotations

from collections import Counter

from ..words import listed
from .facts import Names
from .state import LevelState, bag_size, cards_left

HEALTH = ("healthy", "wounded", "out of action")


def summary(names: Names, state: LevelState) -> list[tuple[str, str]]:
    """Return label and text of each thing on the table: the round, the Marines, the Tyranids, the decks, the exits."""
    rows = [("Board", names.face(state.face) or "not laid yet"), ("Round", str(state.round))]
    for code, marine in state.marines.items():
        held = ", ".join(names.card(card) for card in marine.cards)
        words = [HEALTH[min(marine.wounds, 2)], f"on {marine.square}" if marine.square else "", held]
        rows.append((names.marine(code), ", ".join(word for word in words if word)))
    if state.turn is not None:
        rows.append(("Actions left", str(state.turn.left)))
    squares: dict[str, list[str]] = {}
    for square, creature in sorted(state.tyranids.items()):
        squares.setdefault(creature.kind, []).append(square)
    rows += [(names.kind(kind) + "s", ", ".join(places)) for kind, places in sorted(squares.items())]
    rows.append(("In the bag", str(bag_size(state))))
    rows.append(("Infestation cards left", str(cards_left(state))))
    if state.known:
        rows.append(("Next infestation cards", listed([names.card(card) for card in state.known])))
    rows.append(("Console", f"on {state.objective}, {'activated' if state.console else 'not activated'}"))
    rows.append(("Sealed exits", ", ".join(state.sealed) or "none"))
    if state.exit:
        rows.append(("Exit tile", f"at {state.exit}"))
    if state.kills:
        killed = Counter(state.kills)
        rows.append(("Destroyed", listed([f"{killed[kind]} {names.kind(kind)}" for kind in sorted(killed)])))
    return rows
