"""What a level asks of the squad beside staying alive: which kills are wanted, and how much a Tyranid is worth for it."""

from __future__ import annotations

from . import effects as e
from .advanced import in_use
from .book import Book
from .bot_outlook import Outlook
from .console import bonus
from .state import LevelState

KEY = 0.6
"""What the kill of a Lictor is worth, in wounds, without which the console cannot be worked."""
HELP = 0.35
"""The same of one that makes the console easier."""
TROPHY = 0.3
"""What a kill is worth that a challenge asks for."""


def console_short(book: Book, state: LevelState, plus: int = 0) -> int:
    """Return how many more kills it takes until a 6 works the console, 0 when it can be worked or there is none."""
    console = book.mission(state).console
    if not console.enabled or state.console or not console.bonus_per_kill:
        return 0
    return max(0, console.need - 6 - plus - _kills(book, state))


def _kills(book: Book, state: LevelState) -> int:
    console = book.mission(state).console
    return min(console.bonus_max, console.bonus_per_kill * state.kills.get(console.bonus_kind, 0))


def override(book: Book, state: LevelState, code: str) -> int:
    """Return what the cards of a Marine add to his tries at the console, where kills are the key to it."""
    if not book.mission(state).console.bonus_per_kill:
        return 0
    cards = [book.catalogue.specials[card].effects[0] for card in state.marines[code].cards]
    return sum(effect.console_plus for effect in cards if isinstance(effect, e.TurnBonus))


def console_chance(outlook: Outlook, plus: int = 0) -> float:
    """Return the chance that a try at the console succeeds in the turn that is going on, with `plus` more on the die."""
    book, state = outlook.book, outlook.state
    modifier = bonus(book, state, state.turn) if state.turn is not None else _kills(book, state)
    return min(1.0, max(0.0, (7 - book.mission(state).console.need + modifier + plus) / 6))


def bounty(outlook: Outlook, target: int) -> float:
    """Return what the kill of a Tyranid is worth for the mission and the challenges, in wounds."""
    book, state = outlook.book, outlook.state
    kind = outlook.tyranids[target].kind
    worth = 0.0
    console = book.mission(state).console
    if console.enabled and not state.console and kind == console.bonus_kind:
        short = console_short(book, state)
        if short:
            worth = KEY
        elif _kills(book, state) < console.bonus_max:
            worth = HELP
    for effect, short in required(book, state):
        if short and effect.kind in ("any", kind):
            worth += TROPHY
    return worth


def required(book: Book, state: LevelState) -> list[tuple[e.Require, int]]:
    """Return what challenges ask for, each with how much is still short."""
    found = []
    if state.dares:
        for challenge in in_use(book, state):
            for effect in challenge.effects:
                if isinstance(effect, e.Require):
                    kinds = state.kills if effect.kind == "any" else (effect.kind,)
                    done = sum(state.kills.get(kind, 0) for kind in kinds)
                    found.append((effect, max(0, effect.at_least - done)))
    return found


def hunted(outlook: Outlook) -> frozenset[int]:
    """Return the squares of the Tyranids whose kind the mission or a challenge asks for by name."""
    book, state = outlook.book, outlook.state
    kinds: set[str] = {effect.kind for effect, short in required(book, state) if short}
    console = book.mission(state).console
    if console.enabled and not state.console and console.bonus_per_kill and _kills(book, state) < console.bonus_max:
        kinds.add(console.bonus_kind)
    kinds.discard("any")
    if not kinds:
        return frozenset()
    return frozenset(square for square, creature in outlook.tyranids.items() if creature.kind in kinds)
