"""A position in rows of words, for where no board is drawn."""

from __future__ import annotations

from collections import Counter

from ..words import counted, listed
from .facts import Names
from .players import shared
from .state import PRIME, LevelState, bag_size, cards_left

HEALTH = ("healthy", "wounded", "out of action")


def summary(names: Names, state: LevelState) -> list[tuple[str, str]]:
    """Return label and text of each thing on the table: the round, the Marines, the Tyranids, the decks, the exits."""
    rows = [("Board", names.face(state.face) or "not laid yet"), ("Round", str(state.round))]
    players = shared(state.options.players)
    for code, marine in state.marines.items():
        held = ", ".join(names.card(card) for card in marine.cards)
        words = [HEALTH[min(marine.wounds, 2)], f"on {marine.square}" if marine.square else "", held]
        words.append(f"played by {players[code]}" if code in players else "")
        rows.append((names.marine(code), ", ".join(word for word in words if word)))
    if state.turn is not None:
        rows.append(("Actions left", str(state.turn.left)))
    squares: dict[str, list[str]] = {}
    for square, creature in sorted(state.tyranids.items()):
        squares.setdefault(creature.kind, []).append(square)
    prime = squares.pop(PRIME, [])
    rows += [(names.kind(kind) + "s", ", ".join(places)) for kind, places in sorted(squares.items())]
    if prime:
        rows.append((names.kind(PRIME), f"on {prime[0]}, {counted(state.damage, 'damage counter')}"))
    rows.append(("In the bag", str(bag_size(state))))
    rows.append(("Infestation cards left", str(cards_left(state))))
    if state.known:
        rows.append(("Next infestation cards", listed([names.card(card) for card in state.known])))
    if state.objective and not (prime or state.damage):
        rows.append(("Console", f"on {state.objective}, {'activated' if state.console else 'not activated'}"))
    rows.append(("Sealed exits", ", ".join(state.sealed) or "none"))
    if state.exit:
        rows.append(("Exit tile", f"at {state.exit}"))
    if state.kills:
        killed = Counter(state.kills)
        rows.append(("Destroyed", listed([f"{killed[kind]} {names.kind(kind)}" for kind in sorted(killed)])))
    return rows + _advanced(names, state) + _campaign(names, state)


def _advanced(names: Names, state: LevelState) -> list[tuple[str, str]]:
    rows = []
    if state.dares:
        rows.append(("Challenges", names.cards(state.dares)))
    if state.triggered:
        rows.append(("Challenges that took effect", names.cards(tuple(state.triggered))))
    if state.due:
        rows.append(("Tyranid cards to join", str(len(state.due))))
    if state.skulls:
        rows.append(("Skull cards", names.cards(state.skulls)))
    return rows


def _campaign(names: Names, state: LevelState) -> list[tuple[str, str]]:
    if state.options.mode != "campaign":
        return []
    rows = [("Level of the campaign", f"{state.level} of {len(state.options.levels)}")]
    if state.faces:
        rows.append(("Boards played", listed(names.face(face) for face in state.faces)))
    rows += [(label, names.marines(codes)) for label, codes in lost(state)]
    if state.called:
        rows.append(("Call for help", "made"))
    return rows


def lost(state: LevelState) -> list[tuple[str, tuple[str, ...]]]:
    """Return who was lost in a campaign's earlier levels: out of action or left behind in the last one, or before it."""
    before = tuple(code for code in state.gone if code not in (*state.fallen, *state.strays))
    groups = (("Out of action", state.fallen), ("Left behind", state.strays), ("Lost before", before))
    return [(label, codes) for label, codes in groups if codes]
