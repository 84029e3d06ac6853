"""Advanced cards: skull cards in the infestation deck, challenges and what they set off (SMA-ADV-1 to SMA-ADV-13)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import combinations
from typing import Any

from ..chance import Draw, Request, Shuffle
from ..errors import OptionError
from ..events import Event
from ..rules import Decision, Refusal, Script
from ..words import listed
from . import effects as e
from .actions import Advance, Dare
from .book import Book
from .events_advanced import (
    ChallengeFailed,
    ChallengesChosen,
    ChallengeTriggered,
    SkullCardsChosen,
    SkullCardsReplace,
    TyranidActivationAdded,
)
from .state import CHALLENGES, SKULLS, LevelState, Options, pile
from .steps import ChooseChallenges, ChooseSkulls

NONE, ALL, ASK, RANDOM = "none", "all", "ask", "random"
CAPS = ("major", "minor", "draw", "loss")
"""Results from the best to the worst, for what a failed challenge leaves of one (SMA-ADV-13)."""


def check_options(book: Book, options: Options) -> None:
    """Raise OptionError for advanced cards that do not exist or belong to a level that is not played (SMA-ADV-7)."""
    named(book, options, "skull_cards")
    named(book, options, "challenges")


def named(book: Book, options: Options, option: str) -> tuple[str, ...]:
    """Return the cards that an option adds, in the order of the content; none while they are to be asked for."""
    cards = offered_cards(book, options, option)
    text = getattr(options, option).strip()
    if text in (NONE, "", ASK) or (text == RANDOM and option == "challenges"):
        return ()
    if text == ALL:
        return cards
    asked = text.upper().replace(",", " ").split()
    levels = f"Level{'s' * (len(options.levels) > 1)} {listed(map(str, options.levels))}"
    for one in asked:
        if one not in cards:
            rule = "SMA-ADV-7" if option == "challenges" else "SMA-ADV-2"
            raise OptionError(
                f"Option '{option}' cannot be '{one}': of {levels} there are {', '.join(cards)} (or none, all"
                f"{', random' if option == 'challenges' else ''}, ask; {rule})."
            )
    return tuple(card for card in cards if card in asked)


def offered_cards(book: Book, options: Options, option: str) -> tuple[str, ...]:
    """Return the skull cards or challenges of the levels that are played."""
    catalogue = book.catalogue
    if option == "skull_cards":
        return tuple(card for level in options.levels for card in catalogue.skull_cards[level])
    return tuple(card.id for card in catalogue.challenges.values() if card.level in options.levels)


def subsets(cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Return every choice among some cards, the smallest first."""
    for size in range(len(cards) + 1):
        yield from combinations(cards, size)


# Challenges


def choose(book: Book, state: LevelState) -> Script:
    """Lay out the challenges that the options name, or draw one at random (SMA-ADV-5, SMA-ADV-6)."""
    options = state.options
    text = options.challenges.strip()
    if text == RANDOM:
        yield from draw_challenge(book, state)
    elif cards := named(book, options, "challenges"):
        yield ChallengesChosen(cards, rule="SMA-ADV-5")


def draw_challenge(book: Book, state: LevelState) -> Script:
    """Draw one challenge at random among those of the levels that are played (SMA-ADV-5, SMA-ADV-7)."""
    deck = yield Shuffle(CHALLENGES, offered_cards(book, state.options, "challenges"), rule="SMA-ADV-5")
    card = yield Draw(deck, 0, purpose="challenge", rule="SMA-ADV-7")
    yield ChallengesChosen((card,), rule="SMA-ADV-5")


def ask_challenges(book: Book, state: LevelState, step: ChooseChallenges) -> Decision | None:
    """Ask which challenges are in use."""
    if state.options.challenges.strip() != ASK:
        return None
    ways = [Dare(cards) for cards in subsets(offered_cards(book, state.options, "challenges"))]
    return Decision("team", [*ways, Dare(random=True)], "Which challenges?")


def resolve_challenges(book: Book, state: LevelState, step: ChooseChallenges, action: Dare) -> Script:
    """Lay the challenges chosen beside the briefing, or draw one."""
    if action.random:
        yield from draw_challenge(book, state)
    elif action.challenges:
        yield ChallengesChosen(action.challenges, rule="SMA-ADV-5")


def in_use(book: Book, state: LevelState) -> list[Any]:
    """Return the challenges that apply in this level (SMA-ADV-7)."""
    challenges = book.catalogue.challenges
    return [challenges[card] for card in state.dares if challenges[card].level == state.level]


def after(book: Book, state: LevelState, event: str) -> Script:
    """Let the challenges take effect that wait for an event which was recorded just now (SMA-ADV-8, SMA-ADV-12)."""
    if not state.dares:
        return
    for challenge in in_use(book, state):
        for effect in challenge.effects:
            if not isinstance(effect, e.OnEvent) or effect.event != event:
                continue
            most = 1 if effect.once else effect.max
            if most is not None and state.triggered.get(challenge.id, 0) >= most:
                continue
            yield ChallengeTriggered(challenge.id, sum(do.count for do in effect.do), rule="SMA-ADV-12")


def join(book: Book, state: LevelState) -> Script:
    """Put the extra Tyranid cards that are due into the activation deck (SMA-ADV-9, SMA-ADV-10)."""
    spare = [card.id for card in book.catalogue.activation.values() if card.extra and card.id not in state.deck]
    for challenge, card in zip(tuple(state.due), spare, strict=False):
        yield TyranidActivationAdded(card, challenge, rule="SMA-ADV-10")


def destroyed_at(book: Book, state: LevelState) -> int:
    """Return how many damage counters destroy the Prime (SMA-PRIME-3, SMA-ADV-11)."""
    needed = book.mission(state).prime.destroyed_at
    for challenge in in_use(book, state):
        for effect in challenge.effects:
            if isinstance(effect, e.PrimeDestroyedAt):
                needed = effect.count
    return needed


def capped(book: Book, state: LevelState, result: str) -> Generator[Request | Event, Any, str]:
    """Return what the challenges leave of a result (SMA-ADV-13): a draw at best, or a campaign lost, if one failed."""
    for challenge in in_use(book, state):
        for effect in challenge.effects:
            if not isinstance(effect, e.Require):
                continue
            kinds = state.kills if effect.kind == "any" else (effect.kind,)
            if sum(state.kills.get(kind, 0) for kind in kinds) >= effect.at_least:
                continue
            yield ChallengeFailed(challenge.id, rule="SMA-ADV-13")
            if result not in CAPS:
                result = "campaign_lost"
            elif CAPS.index(result) < CAPS.index(effect.otherwise_cap):
                result = effect.otherwise_cap
    return result


# Skull cards


def ask_skulls(book: Book, state: LevelState, step: ChooseSkulls) -> Decision | None:
    """Ask which skull cards of the level are added."""
    if state.options.skull_cards.strip() != ASK:
        return None
    cards = book.catalogue.skull_cards[state.level]
    return Decision("team", [Advance(some) for some in subsets(cards)], "Which skull cards are added?")


def resolve_skulls(book: Book, state: LevelState, step: ChooseSkulls, action: Advance) -> Script:
    """Add the skull cards chosen."""
    if action.cards:
        yield SkullCardsChosen(action.cards, rule="SMA-ADV-2")


def add_skulls(book: Book, state: LevelState) -> Script:
    """Add what the options say of this level's skull cards."""
    of_level = book.catalogue.skull_cards[state.level]
    if cards := tuple(card for card in named(book, state.options, "skull_cards") if card in of_level):
        yield SkullCardsChosen(cards, rule="SMA-ADV-2")


def infestation_deck(book: Book, state: LevelState) -> Generator[Any, Any, tuple[str, ...]]:
    """Return the cards of the level's deck: skull cards come on top of the normal ones, or replace some (SMA-ADV-3)."""
    cards: tuple[str, ...] = book.catalogue.decks[state.level]
    if state.skulls and state.options.skull == "replace_random":
        yield Shuffle(SKULLS, cards, rule="SMA-ADV-3")
        gone = []
        for place in range(len(state.skulls)):
            gone.append((yield Draw(pile(state, SKULLS), place, purpose="replaced", rule="SMA-ADV-3")))
        yield SkullCardsReplace(tuple(gone), rule="SMA-ADV-3")
        cards = tuple(card for card in cards if card not in gone)
    return (*cards, *state.skulls)


# Refusals


def explain(book: Book, state: LevelState, step: Any, action: Any) -> Refusal | None:
    """Return why advanced cards cannot be chosen so, None for another action."""
    if type(action) is Advance:
        return _explain_skulls(book, state, step, action)
    return _explain_challenges(book, state, step, action) if type(action) is Dare else None


def _explain_skulls(book: Book, state: LevelState, step: Any, action: Advance) -> Refusal:
    if state.options.skull_cards.strip() != ASK:
        return Refusal("SMA-ADV-2", "skull cards are chosen only in a game opened with the option skull_cards=ask")
    if type(step) is not ChooseSkulls:
        later = any(type(other) is ChooseSkulls for other in state.pending)
        when = "are chosen later, once the squad is lined up" if later else "of this level have been chosen"
        return Refusal("SMA-ADV-2", f"the skull cards {when}")
    cards = book.catalogue.skull_cards[state.level]
    wrong = next((card for card in action.cards if card not in cards), "")
    if not wrong:
        return Refusal("SMA-ADV-2", f"each skull card is named once, in this order: {', '.join(cards)}")
    return Refusal("SMA-ADV-2", f"{wrong} is no skull card of Level {state.level}: {', '.join(cards)}")


def _explain_challenges(book: Book, state: LevelState, step: Any, action: Dare) -> Refusal:
    if state.options.challenges.strip() != ASK:
        return Refusal("SMA-ADV-5", "challenges are chosen only in a game opened with the option challenges=ask")
    if type(step) is not ChooseChallenges:
        return Refusal("SMA-ADV-5", "the challenges of this game have been chosen")
    cards = offered_cards(book, state.options, "challenges")
    wrong = next((card for card in action.challenges if card not in cards), "")
    if not wrong:
        return Refusal("SMA-ADV-5", f"each challenge is named once, in this order: {', '.join(cards)}, or random alone")
    known = book.catalogue.challenges.get(wrong)
    what = f"a challenge of Level {known.level}, which is not played" if known else "no challenge"
    return Refusal("SMA-ADV-7", f"{wrong} is {what}: {', '.join(cards)}")
