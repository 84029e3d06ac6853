"""What the tallies of every game must obey: nothing moves, is hurt or leaves without being told, and nothing is told that did not.

Each raises AssertionError where the law is broken. A game says of a position where everything on its board is (`spots`), how
such a place is called, and how much each thing can still lose (`health`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from warptape.domain.events import Event, Head
from warptape.domain.happenings import Happening
from warptape.domain.rules import Ruleset
from warptape.domain.secrets import redact
from warptape.projections.boards import draw

Spots = Callable[[Any], Mapping[str, Any]]
Names = Callable[[Any, Any], Sequence[str]]
"""By a position and what `spots` says of a thing in it: the names that its place may be given."""
Tallied = tuple[Any, Event, Sequence[Happening]]
NAME = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")


def tallied(ruleset: Ruleset, events: Iterable[Event], seat: str | None = None) -> Iterator[Tallied]:
    """Give each event with the state just before it, and what it tells; `seat` is whose view that is (None: all is known).

    The state is the same object throughout: it goes on when the next is asked for.
    """
    state: Any = ruleset.state()
    for event in events:
        seen = event if seat is None else redact(event, seat)
        yield state, seen, () if isinstance(seen, Head) else ruleset.happenings(state, seen)
        seen.apply(state)


def everything_told(
    ruleset: Ruleset, events: Sequence[Event], spots: Spots, names: Names, health: Spots, apart: Sequence[str] = ()
) -> Counter[str]:
    """Moves and losses say just how places and health changed by each event; what entered has left or is there.

    Units of the sorts `apart` are losses that never stood anywhere. Returns how often each kind of happening was told.
    """
    state: Any = ruleset.state()
    counts: Counter[str] = Counter()
    entered = left = 0
    for event in events:
        told = () if isinstance(event, Head) else ruleset.happenings(state, event)
        counts.update(one.kind for one in told)
        before, well = dict(spots(state)), dict(health(state))
        called = {one.who: names(state, before[one.who]) for one in told if one.who in before}
        event.apply(state)
        after, now = dict(spots(state)), dict(health(state))
        went: set[str] = set()
        for one in told:
            if one.kind == "move":
                assert one.who not in went, f"{one.who} moves twice by {event}"
                assert one.origin in called.get(one.who, ("",)), f"{one} by {event}"
                assert one.to in (names(state, after[one.who]) if one.who in after else ("",)), f"{one} by {event}"
                assert one.origin or one.to, f"from nowhere to nowhere: {one}"
                went.add(one.who)
                entered, left = entered + (not one.origin), left + (not one.to)
            elif one.kind == "loss" and one.unit not in apart:
                assert one.to in called[one.who], f"{one} by {event}"
                assert one.amount == well[one.who] - now.get(one.who, 0) > 0, f"{one} by {event}"
                assert one.final == (one.who not in after), f"{one} by {event}"
                went |= {one.who} if one.final else set()
                left += one.final
            else:
                assert one.by, f"{one} by {event}"
        changed = {who for who in {*before, *after} if before.get(who) != after.get(who)}
        assert changed <= went, f"not told of {event}: {changed - went}"
        assert {one.who for one in told if one.who in went and one.origin != one.to} - changed == set(), event
        hurt = {who for who in {*well} & {*now} if now[who] < well[who]}
        assert hurt <= {one.who for one in told if one.kind == "loss"}, f"not told of {event}: {hurt}"
    assert entered == left + len(spots(state))
    return counts


def figures_keep_their_names(ruleset: Ruleset, events: Iterable[Event], seats: Iterable[str] = ()) -> set[str]:
    """A position has figures under the same names at any time, before it is set up and in any seat's view.

    Returns the names.
    """
    state: Any = ruleset.state()
    names = list(ruleset.figures(state))
    assert 1 <= len(names) <= 20
    assert all(NAME.fullmatch(name) for name in names)
    for event in events:
        event.apply(state)
        found = ruleset.figures(state)
        assert list(found) == names
        assert all(type(value) is int for value in found.values()), found
        for seat in seats:
            assert list(ruleset.figures(ruleset.view(state, seat))) == names
    return {*names}


def seen_by(
    ruleset: Ruleset, events: Sequence[Event], seat: str, unknown: str = ""
) -> Iterator[tuple[Happening, Happening]]:
    """Give what is told to one who knows everything and to a seat, side by side, where it differs.

    The seat is told as much, but that a unit whose sort it does not know is of the sort `unknown`.
    """
    views = tallied(ruleset, events, seat)
    for (_, event, told), (_, _, seen) in zip(tallied(ruleset, events), views, strict=True):
        assert len(told) == len(seen), event
        for one, other in zip(told, seen, strict=True):
            if one != other:
                assert other == msgspec.structs.replace(one, unit=unknown), event
                yield one, other


def places_are_on_the_board(ruleset: Ruleset, events: Sequence[Event], every: int = 1) -> int:
    """The board's picture knows the places that are named, each `every`th time; returns how many were looked for."""
    state: Any = ruleset.state()
    looked = number = 0
    for event in events:
        told = () if isinstance(event, Head) else ruleset.happenings(state, event)
        places = {place for one in told for place in (one.origin, one.to) if place}
        number += bool(places)
        look = bool(places) and number % every == 0
        known = board_places(ruleset, state) if look else set()
        event.apply(state)
        if look:
            looked += len(places)
            assert places <= known | board_places(ruleset, state), f"{places} by {event}"
    return looked


def board_places(ruleset: Ruleset, state: Any) -> set[str]:
    """Return the names of the squares and areas of a board's picture."""
    shown = state.copy()
    shown.pending = []  # in the midst of a batch what is asked does not fit what stands on the board
    scene = draw(ruleset, shown)
    squares = {cell.name.partition(",")[0] for cell in scene.cells if cell.name}
    return squares | {area.id for area in scene.areas}
