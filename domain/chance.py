"""Where outcomes come from: `Fate` (a secret and a hash), `Table` (entered by people), `Recorded` (a log's own).

A script yields a request (`Roll`, `Draw`, `Pick`, `Shuffle`, `Reveal`); the referee asks its source of chance and
records the answer as an event. The algorithm is written down in `docs/chance.md`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from .errors import ImpossibleOutcome, NeedsOutcome
from .events import CardDrawn, CounterDrawn, DiceRolled, Event
from .secrets import Audience, Secret, bare
from .states import Bag, ChanceState, Shuffled

STREAM = re.compile(r"[a-z0-9][a-z0-9._/-]*\Z")
"""What a stream, a deck and a bag may be called."""


class Roll(msgspec.Struct, frozen=True):
    """Ask for `count` dice of a stream, each from 1 to `sides` (2 to 256); the answer is a tuple of values.

    No dice (`count` 0) are no event. A stream may not begin with `bag/` or `shuffle/`: those have numbers of their own.
    """

    stream: str
    sides: int = 6
    count: int = 1
    purpose: str = ""
    subject: str = ""
    rule: str = ""
    seen_by: Audience = None


class Shuffle(msgspec.Struct, frozen=True):
    """Ask for a shuffle of `items`; the answer is the deck's key, `NAME/ORDINAL`, and its places are 0 to n-1.

    The items are public, in the order given: list only what everybody may know to be there, in an order that tells
    nothing. Every unseen card of an older shuffle stays where it is and belongs to that one.
    """

    deck: str
    items: tuple[str, ...]
    rule: str = ""


class Draw(msgspec.Struct, frozen=True):
    """Ask what lies on a place of a shuffle; the answer is the item, now fixed and known to `seen_by`.

    A place seen before is shown to more seats (`CardRevealed`), and is no event when they all know it: so a script may
    read a card that is known anyway.
    """

    deck: str
    place: int
    purpose: str = ""
    subject: str = ""
    rule: str = ""
    seen_by: Audience = None


class Pick(msgspec.Struct, frozen=True):
    """Ask for a counter from a bag; the answer is the item.

    `token` is the public name under which it is out; without one the item itself is (only where everybody sees it).
    """

    bag: str
    token: str = ""
    purpose: str = ""
    subject: str = ""
    rule: str = ""
    seen_by: Audience = None


class Reveal(msgspec.Struct, frozen=True):
    """Show a counter that is out of its bag to more seats; the answer is the item. No event when they all know it."""

    bag: str
    token: str
    purpose: str = ""
    subject: str = ""
    rule: str = ""
    seen_by: Audience = None


Request = Roll | Shuffle | Draw | Pick | Reveal


class Salt(msgspec.Struct, frozen=True):
    """The secret of chance: either a random `nonce` (nobody knows the outcomes) or a typed `seed` (reproducible)."""

    nonce: str = ""
    seed: str = ""

    @property
    def key(self) -> str:
        """The key K of every number and seal."""
        return hash_text(f"warptape/1|key|{self.nonce}|{self.seed}")

    @property
    def commitment(self) -> str:
        """What the opening event publishes, so that the secret cannot be swapped afterwards."""
        return hash_text(f"warptape/1|commit|{self.nonce}|{self.seed}")


def hash_text(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes in lowercase hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def number(key: str, stream: str, counter: int) -> int:
    """Return the 128-bit number of a stream at a counter."""
    return int.from_bytes(hashlib.sha256(f"{key}|{stream}|{counter}".encode()).digest()[:16], "big")


def permutation(key: str, stream: str, n: int) -> list[int]:
    """Return the permutation of 0..n-1 that a key and a stream give (Fisher-Yates from the end)."""
    order = list(range(n))
    for i in range(n - 1, -1, -1):
        j = number(key, stream, i) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def deal(key: str, name: str, deck: Shuffled) -> tuple[str, ...]:
    """Return what lies on every place of a shuffle under a key; fixed places hold what was seen there."""
    left = list(deck.items)
    lying: dict[int, str] = {}
    for place in deck.fixed:
        item = str(bare(deck.seen[place]))
        lying[place] = item
        left.remove(item)
    free = [place for place in range(len(deck.items)) if place not in lying]
    order = permutation(key, f"shuffle/{name}", len(free))
    for k, place in enumerate(free):
        lying[place] = left[order[k]]
    return tuple(lying[place] for place in range(len(deck.items)))


class Chance(Protocol):
    """A source of outcomes; it reads what chance has to remember and never changes it."""

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        """Return the values of the dice asked for."""

    def card(self, chance: ChanceState, request: Draw) -> str:
        """Return what lies on a place that nobody has seen."""

    def counter(self, chance: ChanceState, request: Pick) -> str:
        """Return a counter out of the bag."""


class Fate:
    """The seeded source: every outcome is a keyed hash of its stream's name and counter.

    `salts` maps the log position at which each secret came into force (0: the opening) to the secret.
    """

    def __init__(self, salts: Mapping[int, Salt] | Salt | str) -> None:
        if isinstance(salts, str):
            salts = Salt(seed=salts)
        self.salts: dict[int, Salt] = {0: salts} if isinstance(salts, Salt) else dict(salts)
        self._keys = {epoch: salt.key for epoch, salt in self.salts.items()}
        self._dealt: dict[Any, tuple[str, ...]] = {}

    def key(self, epoch: int) -> str:
        """Return the key in force in an epoch; raises KeyError when its secret is not known."""
        return self._keys[epoch]

    def add(self, epoch: int, salt: Salt) -> None:
        """Know the secret that came into force at log position `epoch`."""
        self.salts[epoch] = salt
        self._keys[epoch] = salt.key
        self._dealt.clear()

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        key, stream, sides = self._keys[chance.epoch], request.stream, request.sides
        c = chance.counters.get(stream, 0)
        if request.count == 1:
            return (number(key, stream, c) % sides + 1,)
        return tuple(number(key, stream, c + i) % sides + 1 for i in range(request.count))

    def card(self, chance: ChanceState, request: Draw) -> str:
        name, deck = request.deck, chance.decks[request.deck]
        known = (chance.epoch, name, deck.items, deck.fixed, tuple(bare(deck.seen[p]) for p in deck.fixed))
        dealt = self._dealt.get(known)
        if dealt is None:
            if len(self._dealt) > 64:
                self._dealt.clear()
            dealt = self._dealt[known] = deal(self._keys[chance.epoch], name, deck)
        return dealt[request.place]

    def counter(self, chance: ChanceState, request: Pick) -> str:
        inside = chance.bags[request.bag].inside()
        stream = "bag/" + request.bag
        return inside[number(self._keys[chance.epoch], stream, chance.counters.get(stream, 0)) % len(inside)]


class Table:
    """People roll and draw for real and enter what came out, in order; only possible outcomes are taken.

    Raises NeedsOutcome when a request finds nothing entered, ImpossibleOutcome when the entry cannot be. What is named
    as possible is so as far as those who see the outcome know; the sentence names it only where everybody sees it. An action is taken again, from the start, with the
    outcomes so far and one more; entries that nothing asked for stay in `left`.
    """

    def __init__(self, outcomes: Iterable[str] = ()) -> None:
        self.left = [str(outcome) for outcome in outcomes]

    def _next(
        self,
        request: Roll | Draw | Pick,
        what: str,
        possible: Sequence[str],
        true: Sequence[str] | None = None,
        number: int = 1,
    ) -> str:
        if not self.left:
            shown = ", ".join(dict.fromkeys(possible)) if len(possible) <= 30 else f"{len(possible)} possibilities"
            words = f"One of: {shown}."
            if request.seen_by is not None:  # what it may be tells what it is not, and somebody else may read this
                words = f"It is for {' and '.join(request.seen_by) or 'nobody'} alone to see."
            count = request.count if isinstance(request, Roll) else 1
            raise NeedsOutcome(what, request, tuple(possible), words, number, count)
        entered = self.left.pop(0)
        for item in possible if true is None else true:
            if item.lower() == entered.lower():
                return item
        raise ImpossibleOutcome("", request, entered).put(what)

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        faces = [str(face) for face in range(1, request.sides + 1)]
        what = f"a die ({request.stream}{', ' + request.purpose if request.purpose else ''})"
        return tuple(int(self._next(request, what, faces, number=i + 1)) for i in range(request.count))

    def card(self, chance: ChanceState, request: Draw) -> str:
        deck = chance.decks[request.deck]
        what = f"the deck '{request.deck.rpartition('/')[0]}'"
        return self._next(request, what, deck.possible(request.seen_by), deck.left())

    def counter(self, chance: ChanceState, request: Pick) -> str:
        bag = chance.bags[request.bag]
        return self._next(request, f"the bag '{request.bag}'", bag.possible(request.seen_by), bag.inside())


class Recorded:
    """A log's own outcomes, in its order: what an audit re-runs recorded actions with.

    `left` holds the events of chance among `events` that nothing has asked for yet. Raises ImpossibleOutcome when the
    log recorded another request at this point, an outcome that cannot be, or none.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self.left: list[Any] = [event for event in events if type(event) in OUTCOMES]

    def _next(self, kind: type[Event], **expected: object) -> Any:
        asked = f"the rules ask for {kind.__name__} {expected}"
        if not self.left:
            raise ImpossibleOutcome(f"{asked}, but the log records no more chance")
        event = self.left.pop(0)
        found = {name: getattr(event, name, None) for name in expected}
        if type(event) is not kind or found != expected:
            raise ImpossibleOutcome(f"{asked}, but the log has {type(event).__name__} {found}")
        return event

    def roll(self, chance: ChanceState, request: Roll) -> tuple[int, ...]:
        event = self._next(DiceRolled, stream=request.stream, sides=request.sides, count=request.count)
        values: Any = event.values
        if (
            not isinstance(values, tuple)
            or len(values) != request.count
            or not all(isinstance(value, int) and 1 <= value <= request.sides for value in values)
        ):
            raise ImpossibleOutcome(f"{request.count} dice of {request.sides} sides cannot show {values}")
        return values

    def card(self, chance: ChanceState, request: Draw) -> str:
        item: str = self._next(CardDrawn, deck=request.deck, place=request.place).item
        if item not in chance.decks[request.deck].left():
            raise ImpossibleOutcome(f"the card '{item}' was not in the deck '{request.deck}' any more")
        return item

    def counter(self, chance: ChanceState, request: Pick) -> str:
        item: str = self._next(CounterDrawn, bag=request.bag).item
        if item not in chance.bags[request.bag].inside():
            raise ImpossibleOutcome(f"the counter '{item}' was not in the bag '{request.bag}'")
        return item


OUTCOMES: tuple[type[Event], ...] = (DiceRolled, CardDrawn, CounterDrawn)
"""The events that hold what a source of chance gave."""


class Luck:
    """Numbers for bots and for imagined games, from a key of their own: never those of a game's fate.

    Deterministic: the same key and label give the same sequence.
    """

    def __init__(self, key: str, label: str | int = "") -> None:
        self._prefix = f"{key}|luck|{label}"
        self._counter = 0

    def below(self, n: int) -> int:
        """Return a number from 0 to n-1; n is at least 1."""
        value = number(self._prefix, "n", self._counter) % n
        self._counter += 1
        return value

    def choice(self, items: Sequence[Any]) -> Any:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[Any]) -> list[Any]:
        """Return the items in another order."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


May = Callable[[str, str], bool]


def imagine(chance: ChanceState, luck: Luck, may: May | None = None) -> ChanceState:
    """Return what chance remembers with every sealed place and counter filled in, consistently and at random.

    For `determinize`: `chance` is that of a view. What the view knows stays; unseen places stay unseen. `may(at, item)`
    says whether a hidden item may be there, `at` being `DECK/ORDINAL/PLACE` or a token; raises ValueError when nothing
    fits it.
    """
    decks = {}
    for name, deck in chance.decks.items():
        at = {place: f"{name}/{place}" for place in deck.seen}
        decks[name] = Shuffled(deck.items, _imagined(deck.seen, at, deck.left(), luck, may), deck.fixed)
    bags = {}
    for name, bag in chance.bags.items():
        tokens = {token: token for token in bag.out}
        bags[name] = Bag(bag.initial, _imagined(bag.out, tokens, bag.inside(), luck, may))
    return ChanceState(chance.epoch, dict(chance.counters), dict(chance.ordinals), decks, bags)


Key = TypeVar("Key", int, str)


def _imagined(
    kept: Mapping[Key, str | Secret], at: Mapping[Key, str], left: Sequence[str], luck: Luck, may: May | None
) -> dict[Key, str | Secret]:
    """Fill what is hidden with items that are left: a random matching, mended along augmenting paths."""
    full = dict(kept)
    hidden = [key for key, item in kept.items() if not isinstance(bare(item), str)]
    if not hidden:
        return full
    items = luck.shuffled(left)
    holder: dict[int, Key] = {}

    def place(key: Key, tried: set[int]) -> bool:
        for number, item in enumerate(items):
            if number not in tried and (may is None or may(at[key], item)):
                tried.add(number)
                if number not in holder or place(holder[number], tried):
                    holder[number] = key
                    return True
        return False

    for key in luck.shuffled(hidden):
        if not place(key, set()):
            raise ValueError(f"no item that is left may be at '{at[key]}'")
    for number, key in holder.items():
        full[key] = Secret(items[number], kept[key].seen_by)  # type: ignore[union-attr]
    return full
