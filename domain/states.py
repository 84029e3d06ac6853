"""States: a game's position as plain data, and what chance has to remember in it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Self

import msgspec

from .secrets import PLAIN, Audience, Secret, all_know, bare

LARGEST = 256
"""The most outcomes that one number of chance chooses between: keeps its bias under 2^-120."""


class Shuffled(msgspec.Struct):
    """One shuffle of a deck: its items in the order of its event, what was seen where, the places fixed by a re-salt."""

    items: tuple[str, ...]
    seen: dict[int, str | Secret] = {}
    fixed: tuple[int, ...] = ()

    def unseen(self) -> list[int]:
        """Return the places nobody has seen, in order."""
        return [place for place in range(len(self.items)) if place not in self.seen]

    def left(self) -> list[str]:
        """Return the items on no seen place, in the order of the event: what an unseen place may hold."""
        return _without(self.items, [bare(item) for item in self.seen.values()])

    def possible(self, asked: Audience) -> list[str]:
        """Return what an unseen place may hold as far as the seats `asked` know (None: as everybody knows)."""
        return _without(self.items, [bare(item) for item in self.seen.values() if all_know(item, asked)])


def _without(items: Iterable[str], gone: Iterable[Any]) -> list[str]:
    left = list(items)
    for item in gone:
        if item in left:
            left.remove(item)
    return left


class Bag(msgspec.Struct):
    """A bag: its items, sorted, and what is out, by public token."""

    initial: tuple[str, ...]
    out: dict[str, str | Secret] = {}

    def inside(self) -> list[str]:
        """Return what the bag holds now, sorted (in a view: what it may hold)."""
        out = {bare(item) for item in self.out.values()}
        return [item for item in self.initial if item not in out]

    def possible(self, asked: Audience) -> list[str]:
        """Return what the bag may hold as far as the seats `asked` know (None: as everybody knows), sorted."""
        out = {bare(item) for item in self.out.values() if all_know(item, asked)}
        return [item for item in self.initial if item not in out]

    def size(self) -> int:
        """Return how many items the bag holds now; public even where the items are not."""
        return len(self.initial) - len(self.out)


class ChanceState(msgspec.Struct):
    """What chance has to remember: the epoch of its key, the counter of each stream, the shuffles and the bags."""

    epoch: int = 0
    counters: dict[str, int] = {}
    ordinals: dict[str, int] = {}
    decks: dict[str, Shuffled] = {}
    bags: dict[str, Bag] = {}

    def fixed(self) -> dict[str, tuple[int, ...]]:
        """Return by shuffle the places that somebody has seen, sorted: what a new salt leaves alone."""
        return {name: tuple(sorted(deck.seen)) for name, deck in self.decks.items() if deck.seen}


class State(msgspec.Struct, dict=True):
    """A game's position: what is pending, what chance remembers, how many decisions were taken, and the game's facts.

    A subclass narrows `pending` and `options` to its own types and gives every field a default. Attributes that are
    not fields are caches: they are neither stored nor compared.
    """

    options: Any = None
    pending: list[Any] = []
    chance: ChanceState = msgspec.field(default_factory=ChanceState)
    decisions: int = 0

    def copy(self) -> Self:
        """Return an independent state for looking ahead: changing one leaves the other alone; caches stay behind."""
        return _copied(self)  # type: ignore[no-any-return]


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [item if type(item) in PLAIN else _copied(item) for item in value]
    if isinstance(value, dict):
        return {key: item if type(item) in PLAIN else _copied(item) for key, item in value.items()}
    if isinstance(value, set):
        return set(value)
    if isinstance(value, msgspec.Struct) and (names := _changeable(type(value))) is not None:
        fields: dict[str, Any] = {}
        for name in names:
            item = getattr(value, name)
            fields[name] = item if type(item) in PLAIN else _copied(item)
        return type(value)(**fields)
    return value


@cache
def _changeable(cls: Any) -> tuple[str, ...] | None:
    """The names of a struct's fields; None where it is frozen, so that it need not be copied."""
    names: tuple[str, ...] = cls.__struct_fields__
    return None if cls.__struct_config__.frozen else names
