"""What an event of this game tells for counting, and how a position stands in numbers.

- Marines are of the seat `team`, and the code of each is his sort. Tyranids belong to no seat: their `side` is empty, their
  sort is the kind of their counter. `tyranids` plays what comes up against the team, such as infestation cards.
- A fight of a Marine is one roll that has been read: the event that he hit or missed carries it, and `by` says with what:
  `attack`, `grenade` or a special card. A second roll is a fight of its own, `by` the card or the `ability` that gave it; a
  card that hits without a die is a fight too.
- A fight of the Tyranids is one strike that a Marine did not dodge, always a success: what he dodged leaves no event, and a
  card that prevents the wound is a use. Its `who` is the counter that was drawn, or else the card, `by` the card, and the
  sort of the attacker that counter's kind, or else the way (`claws`, `spines`, `ambush`).
- A loss is a wound, a damage counter on the Prime, or a counter destroyed: by the Marine, by the infestation card, or by the
  list of the briefing (`setup`, `damage`). A Marine left behind loses the wounds that he had left to take.
- A use is a special card, an ability, an infestation card, a try at the console, or a challenge that takes effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..events import Event
from ..happenings import Happening
from . import events_action as action
from . import events_advanced as more
from . import events_cards as cards
from . import events_setup as setting
from . import events_turn as turn
from .book import Book
from .state import PRIME, LevelState, bag_size, cards_left

TEAM, TYRANIDS = "team", "tyranids"
HEALTH = 2
"""The wounds that take a Marine out of action."""
SQUARE = re.compile(r"[a-z]+\d+|[VX]\d")

Tell = Callable[[Book, LevelState, Any], Sequence[Happening]]


def happenings(book: Book, state: LevelState, event: Event) -> Sequence[Happening]:
    """Return what an event tells of moves, fights, losses and uses, given the state just before it."""
    tell = TALLY.get(type(event))
    return tell(book, state, event) if tell is not None else ()


# Moves


def _marine(state: LevelState, code: str, to: str, by: str = "") -> Happening:
    there = state.marines.get(code)
    return Happening("move", code, code, TEAM, there.square if there else "", to, by)


def _marine_moved(book: Book, state: LevelState, event: action.MarineMoved) -> Sequence[Happening]:
    return (_marine(state, event.marine, event.to),)


def _redeployed(book: Book, state: LevelState, event: action.MarineRedeployed) -> Sequence[Happening]:
    return (_marine(state, event.marine, event.to, state.means),)


def _deployed(book: Book, state: LevelState, event: setting.MarineDeployed) -> Sequence[Happening]:
    return (_marine(state, event.marine, event.square, "deploy"),)


def _called(book: Book, state: LevelState, event: more.MarineCalled) -> Sequence[Happening]:
    return (_marine(state, event.marine, event.square, "call"),)


def _docked(book: Book, state: LevelState, event: more.VesselDocked) -> Sequence[Happening]:
    """The squares of the tile change their names, or those who stand on it line up anew."""
    return [
        _marine(state, code, event.moved.get(marine.square, ""), "dock")
        for code, marine in state.marines.items()
        if marine.square
    ]


def _cleared(book: Book, state: LevelState, event: more.LevelCleared) -> Sequence[Happening]:
    return [
        Happening("move", creature.counter, creature.kind, origin=square, by="cleared")
        for square, creature in state.tyranids.items()
    ]


def _placed(book: Book, state: LevelState, event: setting.CounterPlaced) -> Sequence[Happening]:
    return (Happening("move", event.counter, event.kind, to=event.square, by=event.cause),)


def _prime_placed(book: Book, state: LevelState, event: setting.ObjectiveLaid) -> Sequence[Happening]:
    return (Happening("move", "P", PRIME, to=event.square, by="setup"),) if event.side == PRIME else ()


def _charged(book: Book, state: LevelState, event: cards.CounterMoved) -> Sequence[Happening]:
    return (Happening("move", event.counter, event.kind, "", event.origin, event.to, event.cause),)


# Fights and losses


def _fight(state: LevelState, code: str, target: str, square: str, success: bool) -> Happening:
    return Happening("fight", code, code, TEAM, to=square, by=state.means, success=success, target=target)


def _missed(book: Book, state: LevelState, event: action.AttackMissed) -> Sequence[Happening]:
    for square, creature in state.tyranids.items():
        if creature.counter == event.counter:
            return (_fight(state, event.marine, creature.kind, square, False),)
    return (_fight(state, event.marine, "", "", False),)


def _destroyed(book: Book, state: LevelState, event: action.CounterDestroyed) -> Sequence[Happening]:
    return (
        _fight(state, event.by, event.kind, event.square, True),
        Happening("loss", event.counter, event.kind, to=event.square, by=event.by, final=True),
    )


def _prime_hurt(book: Book, state: LevelState, event: more.PrimeDamaged) -> Sequence[Happening]:
    square = _lair(state)
    return (
        _fight(state, event.by, PRIME, square, True),
        Happening("loss", "P", PRIME, to=square, by=event.by, amount=event.damage - state.damage),
    )


def _prime_destroyed(book: Book, state: LevelState, event: more.PrimeDestroyed) -> Sequence[Happening]:
    return (
        _fight(state, event.by, PRIME, event.square, True),
        Happening("loss", "P", PRIME, to=event.square, by=event.by, final=True),
    )


def _lair(state: LevelState) -> str:
    return next((square for square, creature in state.tyranids.items() if creature.kind == PRIME), "")


def _struck(book: Book, state: LevelState, event: cards.MarineStruck) -> Sequence[Happening]:
    kind = book.kinds.get(event.counter, event.way)
    who = event.counter or event.cause
    return (Happening("fight", who, kind, to=event.square, by=event.cause, success=True, target=event.marine),)


def _wounded(book: Book, state: LevelState, event: cards.MarineWounded) -> Sequence[Happening]:
    marine = state.marines[event.marine]
    cause = state.card or ("damage" if state.round else "setup")
    lost, final = event.wounds - marine.wounds, event.wounds >= HEALTH
    return (Happening("loss", event.marine, event.marine, TEAM, to=marine.square, by=cause, amount=lost, final=final),)


def _left_behind(book: Book, state: LevelState, event: more.MarineLeftBehind) -> Sequence[Happening]:
    marine, code = state.marines[event.marine], event.marine
    lost = HEALTH - marine.wounds
    return (Happening("loss", code, code, TEAM, to=marine.square, by="left_behind", amount=lost, final=True),)


# Uses


def _played(book: Book, state: LevelState, event: cards.SpecialPlayed) -> Sequence[Happening]:
    to = ""
    for given in event.args[:1]:
        marine = state.marines.get(given)
        to = marine.square if marine else given if SQUARE.fullmatch(given) else ""
    return (Happening("use", event.marine, event.marine, TEAM, to=to, by=event.card),)


def _ability(book: Book, state: LevelState, event: turn.AbilityUsed) -> Sequence[Happening]:
    return (Happening("use", event.marine, event.marine, TEAM, by=event.ability),)


def _console(book: Book, state: LevelState, event: action.ConsoleTried) -> Sequence[Happening]:
    return (Happening("use", event.marine, event.marine, TEAM, to=state.objective, by="console"),)


def _infestation(book: Book, state: LevelState, event: cards.InfestationRevealed) -> Sequence[Happening]:
    return (Happening("use", TYRANIDS, TYRANIDS, by=event.card),)


def _challenge(book: Book, state: LevelState, event: more.ChallengeTriggered) -> Sequence[Happening]:
    return (Happening("use", TYRANIDS, TYRANIDS, by=event.challenge),)


TALLY: Mapping[type[Event], Tell] = {
    action.MarineMoved: _marine_moved,
    action.MarineRedeployed: _redeployed,
    setting.MarineDeployed: _deployed,
    more.MarineCalled: _called,
    more.VesselDocked: _docked,
    more.LevelCleared: _cleared,
    setting.CounterPlaced: _placed,
    setting.ObjectiveLaid: _prime_placed,
    cards.CounterMoved: _charged,
    action.AttackMissed: _missed,
    action.CounterDestroyed: _destroyed,
    more.PrimeDamaged: _prime_hurt,
    more.PrimeDestroyed: _prime_destroyed,
    cards.MarineStruck: _struck,
    cards.MarineWounded: _wounded,
    more.MarineLeftBehind: _left_behind,
    cards.SpecialPlayed: _played,
    turn.AbilityUsed: _ability,
    action.ConsoleTried: _console,
    cards.InfestationRevealed: _infestation,
    more.ChallengeTriggered: _challenge,
}
"""What each kind of event tells; the others tell nothing that is counted."""


def figures(state: LevelState) -> dict[str, int]:
    """Return how a position stands: the squad, the creatures on the board by kind, the decks, the way out."""
    there = [marine for marine in state.marines.values() if marine.square]
    kinds = [creature.kind for creature in state.tyranids.values()]
    return {
        "level": state.level,
        "round": state.round,
        "marines": len(there),
        "marines_lost": sum(marine.wounds >= HEALTH for marine in state.marines.values()) + len(state.gone),
        "wounds": sum(marine.wounds for marine in there),
        "on_exit": sum(marine.square[0] == "X" for marine in there),
        "special_cards": sum(len(marine.cards) for marine in state.marines.values()),
        "tyranids": len(kinds),
        "termagants": kinds.count("termagant"),
        "genestealers": kinds.count("genestealer"),
        "lictors": kinds.count("lictor"),
        "prime_damage": state.damage,
        "kills": sum(state.kills.values()),
        "bag": bag_size(state),
        "infestation_cards": cards_left(state),
        "console": int(state.console),
        "sealed_exits": len(state.sealed),
    }
