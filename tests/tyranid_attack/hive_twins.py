"""Recorded games that differ only in what the Tyranids must not know: the location tile held, and cards looked at."""

from __future__ import annotations

from eager import eager
from twin_games import Turn, replayed, story

from warptape.domain.events import CardDrawn, CardRevealed, Event
from warptape.domain.secrets import redact
from warptape.domain.tyranid_attack import RULESET
from warptape.domain.tyranid_attack.state import MARINES, TILES, TYRANID, Options


def unseen(events: list[Event]) -> list[CardDrawn]:
    """The tiles and cards that the Marine player has seen, and the Tyranids have not."""
    hidden: dict[tuple[str, int], CardDrawn] = {}
    for event in events:
        if isinstance(event, CardRevealed):
            hidden.pop((event.deck, event.place), None)
        elif isinstance(event, CardDrawn) and event.seen_by == (MARINES,):
            hidden[event.deck, event.place] = event
    return [*hidden.values()]


def exchanged(turns: list[Turn], one: str, other: str) -> list[Turn]:
    """The same game with another item where `one` came last; where the other came after it, `one` comes instead."""
    last = max(number for number, turn in enumerate(turns) if one in turn.outcomes)
    found = list(turns[:last])
    for turn in turns[last:]:
        names = {one: other, other: one}
        found.append(Turn(turn.seat, turn.action, [names.get(item, item) for item in turn.outcomes]))
    return found


def twins(seed: str, options: Options, decisions: int) -> tuple[list[Turn], list[Turn], list[str]]:
    """Two games that look alike to the Tyranids, and the items that are others in the second.

    Raises LookupError when there is nothing that could be another.
    """
    turns, events = story(RULESET, seed, options, decisions, eager)
    seen = [redact(event, TYRANID) for event in events]
    second, changed = turns, list[str]()
    for draw in unseen(events):
        every = RULESET.book.catalogue.tiles if draw.deck.startswith(TILES) else RULESET.book.catalogue.cards
        one = str(draw.item)
        for other in every:
            if other == one:
                continue
            tried = exchanged(second, one, other)
            try:
                again = replayed(RULESET, tried, options)
            except Exception:  # it could not have gone so: the other was shown before
                continue
            if [redact(event, TYRANID) for event in again] == seen:
                second, changed = tried, [*changed, one, other]
                break
    if not changed:
        raise LookupError("everything that the Marine player has seen could be nothing else")
    return turns, second, changed
