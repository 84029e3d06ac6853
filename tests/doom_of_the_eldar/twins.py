"""Recorded games that differ only in what the Eldar must not know: which Swarm is which, and the mine's orders."""

from __future__ import annotations

from twin_games import Turn, replayed, story

from warptape.domain.chance import Luck
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.actions import GiveOrder
from warptape.domain.doom_of_the_eldar.state import ELDAR, Options
from warptape.domain.events import CounterDrawn, CounterRevealed
from warptape.domain.secrets import redact


def swapped(turns: list[Turn], one: str, other: str, orders: int) -> list[Turn]:
    """The same game with two counters in each other's place, and other orders for the mine."""
    names = {one: other, other: one}
    found = []
    for seat, action, given in turns:
        if isinstance(action, GiveOrder):
            assert isinstance(action.order, int)
            action = GiveOrder((action.order + orders) % 19)
        found.append(Turn(seat, action, [names.get(item, item) for item in given]))
    return found


def twins(seed: str, options: Options, decisions: int) -> tuple[list[Turn], list[Turn], tuple[str, str]]:
    """Two games that look alike to the Eldar, and the counters that have changed places in the second."""
    turns, events = story(RULESET, seed, options, decisions)
    drawn = {str(e.item) for e in events if isinstance(e, CounterDrawn) and not isinstance(e, CounterRevealed)}
    shown = {
        str(e.item)
        for e in events
        if isinstance(e, CounterRevealed) and (e.seen_by is None or ELDAR in e.seen_by)
    }  # fmt: skip
    luck = Luck(seed, "twins")
    seen = [redact(event, ELDAR) for event in events]
    for one in luck.shuffled(sorted(drawn - shown)):
        for other in luck.shuffled(sorted({*RULESET.book.lid(options)} - shown - {one})):
            if RULESET.book.counters[one].kind == RULESET.book.counters[other].kind:
                continue
            for orders in (1, 0):
                second = swapped(turns, one, other, orders)
                try:
                    again = replayed(RULESET, second, options)
                except Exception:  # it could not have gone so: the Hive Mind was shown, a mine burst
                    continue
                if [redact(event, ELDAR) for event in again] == seen:
                    return turns, second, (one, other)
    raise LookupError("every counter of this game has been seen")
