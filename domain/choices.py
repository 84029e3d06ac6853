"""Legal actions that are not listed: sequences computed where they are touched, for decisions with thousands of answers.

`Product` is one part (all moves of a model, say), `Choices` a row of parts, `Keyed` a row of parts of which an action
says to which it can belong, `Shares` the ways to share something out. All have length, index, membership and iteration like a tuple; a part of `Choices` may be
given as a function, called when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import comb
from typing import Any, Generic, TypeVar, overload

Item = TypeVar("Item", covariant=True)


class Lazy(Sequence[Item], Generic[Item]):
    """What the two kinds share: indices from the end, slices, and equality with any sequence of the same items."""

    def _at(self, index: int) -> Item:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        if isinstance(index, slice):
            return tuple(self._at(number) for number in range(*index.indices(len(self))))
        place = index if index >= 0 else index + len(self)
        if place < 0:
            raise IndexError(f"no action has the index {index}")
        return self._at(place)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} actions>"


class Product(Lazy[Item]):
    """The actions `make(*combination)` for every combination of one item of each pool, the last pool fastest.

    `split` gives the combination of an action that `make` may have made, None for any other: membership asks it, and
    so needs no list. The pools hold no item twice.

    >>> moves = Product(lambda x, y: (x, y), lambda m: m if isinstance(m, tuple) else None, "ab", range(3))
    >>> len(moves), moves[4], ("b", 7) in moves
    (6, ('b', 1), False)
    """

    def __init__(
        self, make: Callable[..., Item], split: Callable[[Any], Sequence[Any] | None], *pools: Sequence[Any]
    ) -> None:
        self._make = make
        self._split = split
        self._pools = pools

    def __len__(self) -> int:
        size = 1
        for pool in self._pools:
            size *= len(pool)
        return size

    def _at(self, index: int) -> Item:
        found, left = [], index
        for pool in reversed(self._pools):
            left, number = divmod(left, len(pool) or 1)
            found.append(pool[number])
        if left:
            raise IndexError(f"no action has the index {index}")
        return self._make(*reversed(found))

    def __iter__(self) -> Iterator[Item]:
        return (self._make(*found) for found in product(*self._pools))

    def __contains__(self, action: object) -> bool:
        found = self._split(action)
        return (
            found is not None
            and len(found) == len(self._pools)
            and all(item in pool for item, pool in zip(found, self._pools, strict=True))
        )


class Choices(Lazy[Item]):
    """The actions of several parts, one part after the other; no action is in two parts.

    A part is a sequence or a function that returns one: it is called once, when it is first needed.

    >>> actions = Choices(["end"], lambda: ["mv a", "mv b"])
    >>> len(actions), actions[2], "mv b" in actions, list(actions)
    (3, 'mv b', True, ['end', 'mv a', 'mv b'])
    """

    def __init__(self, *parts: Sequence[Item] | Callable[[], Sequence[Item]]) -> None:
        self._parts: list[Any] = list(parts)
        self._waiting = any(map(callable, parts))

    def _part(self, number: int) -> Sequence[Item]:
        part = self._parts[number]
        if callable(part):
            part = self._parts[number] = part()
        return part  # type: ignore[no-any-return]

    def _all(self) -> Iterable[Sequence[Item]]:
        return (self._part(number) for number in range(len(self._parts))) if self._waiting else self._parts

    def __len__(self) -> int:
        return sum([len(part) for part in self._all()])

    def __bool__(self) -> bool:
        for part in self._all():  # noqa: SIM110 - asked for at every decision: a generator costs more than the look
            if part:
                return True
        return False

    def sole(self) -> bool:
        """Say whether there is exactly one action; parts after the second action found are not computed."""
        size = 0
        for part in self._all():
            size += len(part)
            if size > 1:
                return False
        return size == 1

    def _at(self, index: int) -> Item:
        left = index
        for part in self._all():
            size = len(part)
            if left < size:
                return part[left]
            left -= size
        raise IndexError(f"no action has the index {index}")

    def __iter__(self) -> Iterator[Item]:
        return chain.from_iterable(self._all())

    def __contains__(self, action: object) -> bool:
        for part in self._all():  # noqa: SIM110 - as above
            if action in part:
                return True
        return False


class Keyed(Lazy[Item]):
    """The actions of the parts of a mapping, one part after the other; `key` gives the part that an action can be in.

    Membership looks into that part alone; for what cannot be in any, `key` returns None.

    >>> moves = Keyed({"a": ("a1", "a2"), "b": ("b1",)}, lambda move: move[:1])
    >>> len(moves), moves[2], "a2" in moves, "a3" in moves, "c1" in moves
    (3, 'b1', True, False, False)
    """

    def __init__(self, parts: Mapping[Any, Sequence[Item]], key: Callable[[Any], Hashable | None]) -> None:
        self._parts = parts
        self._key = key

    def __len__(self) -> int:
        return sum(map(len, self._parts.values()))

    def _at(self, index: int) -> Item:
        left = index
        for part in self._parts.values():
            if left < len(part):
                return part[left]
            left -= len(part)
        raise IndexError(f"no action has the index {index}")

    def __iter__(self) -> Iterator[Item]:
        return chain.from_iterable(self._parts.values())

    def __contains__(self, action: object) -> bool:
        return action in self._parts.get(self._key(action), ())


class Shares(Lazy[Item]):
    """The actions `make(shares)` for every way to share `count` equal things out over `places`; some may get none.

    `shares` is a tuple of (place, number) with numbers of at least 1, in the order of the places. `split` gives the
    shares of an action that `make` may have made, None for any other.

    >>> ways = Shares(lambda shares: shares, lambda way: way if isinstance(way, tuple) else None, "ab", 2)
    >>> list(ways), len(ways), (("a", 2),) in ways, (("b", 1), ("a", 1)) in ways
    ([(('a', 2),), (('a', 1), ('b', 1)), (('b', 2),)], 3, True, False)
    """

    def __init__(
        self,
        make: Callable[[tuple[tuple[Any, int], ...]], Item],
        split: Callable[[Any], Sequence[tuple[Any, int]] | None],
        places: Sequence[Any],
        count: int,
    ) -> None:
        self._make = make
        self._split = split
        self._places = places
        self._count = count

    def __len__(self) -> int:
        return _ways(self._count, len(self._places))

    def _at(self, index: int) -> Item:
        if index >= len(self):
            raise IndexError(f"no action has the index {index}")
        shares, left = [], self._count
        for number, place in enumerate(self._places):
            rest = len(self._places) - number - 1
            for share in range(left, -1, -1):
                ways = _ways(left - share, rest)
                if index < ways:
                    break
                index -= ways
            if share:
                shares.append((place, share))
            left -= share
            if not left:
                break
        return self._make(tuple(shares))

    def __iter__(self) -> Iterator[Item]:
        return (self._at(index) for index in range(len(self)))

    def __contains__(self, action: object) -> bool:
        shares = self._split(action)
        if shares is None:
            return False
        order = [place for place, _ in shares]
        return (
            all(share > 0 for _, share in shares)
            and sum(share for _, share in shares) == self._count
            and order == [place for place in self._places if place in order]
        )


def _ways(count: int, places: int) -> int:
    """How many ways there are to share equal things out over places."""
    return comb(count + places - 1, count) if places else int(not count)


def sole(actions: Sequence[Any]) -> bool:
    """Say whether there is exactly one action, by the sequence's own `sole` where it has one."""
    quick: Callable[[], bool] | None = getattr(actions, "sole", None)
    return len(actions) == 1 if quick is None else quick()
