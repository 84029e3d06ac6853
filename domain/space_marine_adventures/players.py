"""Who plays which Marine: one to four people share the squad (SMA-SETUP-6, SMA-CAMP-15)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..errors import OptionError
from ..rules import Decision
from .actions import ABILITY, Play, React
from .book import Book
from .state import LevelState, Options
from .steps import Free, OrderCards, RollFailed, Turn
from .wounds import holder

MOST = 4
"""How many people can share the squad."""
LONGEST = 40
"""The most letters that a name may have here."""
HIS = (Turn, Free, RollFailed, OrderCards)
"""The questions that are for the one Marine they name."""


@lru_cache(maxsize=256)
def shared(text: str) -> Mapping[str, str]:
    """Return by code who plays each Marine, from the text of the option `players`; the others are everybody's.

    A log comes from anywhere: what a terminal would obey is no part of a name.
    """
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {code.strip().upper(): "".join(filter(str.isprintable, name)).strip() for code, _, name in pairs}


def people(options: Options) -> tuple[str, ...]:
    """Return the people whom the option `players` names, each once, in its order."""
    return tuple(dict.fromkeys(filter(None, shared(options.players).values())))


def check_players(book: Book, options: Options) -> None:
    """Raise OptionError unless `players` gives Marines to people, each to one, at most four people in all."""
    codes: list[str] = []
    for part in filter(None, (part.strip() for part in options.players.split(","))):
        code, sign, name = (word.strip() for word in part.partition("="))
        if not sign or not name:
            raise _wrong(book, f"'{part}' does not say who plays whom")
        if code.upper() not in book.roster:
            raise _wrong(book, f"there is no Space Marine {code}")
        if code.upper() in codes:
            raise _wrong(book, f"{code.upper()} is given to somebody twice")
        if not name.isprintable() or "=" in name or ":" in name or len(name) > LONGEST:
            raise _wrong(book, f"a name has at most {LONGEST} letters, no colon and no equals sign")
        codes.append(code.upper())
    names = people(options)
    if len(names) > MOST:
        raise _wrong(book, f"{len(names)} people are named, and at most {MOST} share the squad")


def _wrong(book: Book, why: str) -> OptionError:
    return OptionError(
        f"Option 'players' is wrong: {why}. It says who plays which Space Marine ({', '.join(book.roster)}), as in "
        "MAX=Anna,ADR=Anna,RAP=Ben,VOR=Cleo; those it leaves out are played by all together."
    )


def person(state: LevelState, action: Any) -> str:
    """Return who plays the Marine that an action is for; empty for a choice of the team (SMA-SETUP-6).

    A special card is for the Marine who holds it; all else in a Marine's turn, and his free actions, is for him.
    """
    text = state.options.players
    if not text:
        return ""
    step = state.pending[-1] if state.pending else None
    if isinstance(action, Play | React) and action != ABILITY:
        return shared(text).get(holder(state, action.card), "")
    return shared(text).get(step.marine, "") if isinstance(step, HIS) else ""


def asked(state: LevelState, decision: Decision | None) -> tuple[str, ...]:
    """Return who is to answer now: who plays the Marine whose turn it is, or the holders of the cards that may be played.

    Empty where it is for the team: a joint choice, or a Marine or a card that is everybody's.
    """
    if decision is None:
        return ()
    if isinstance(state.pending[-1], HIS):
        one = person(state, decision.actions[0])
        return (one,) if one else ()
    names = [person(state, action) for action in decision.actions if isinstance(action, React)]
    return tuple(dict.fromkeys(names)) if all(names) else ()
