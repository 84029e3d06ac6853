"""Events: facts in the past tense that never change, and the ones that all games share.

A batch is the events of one action: a head (who, when, why) and its consequences. Folding `apply` over a log rebuilds
the board without rules, content or chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from .redraw import Redealt, put
from .secrets import Audience, Sealed, Secret, hidden, widen
from .states import LARGEST, Bag, ChanceState, Shuffled, State

Option = TypeVar("Option", bound=msgspec.Struct)
Act = TypeVar("Act", bound=msgspec.Struct)
Todo = TypeVar("Todo", bound=msgspec.Struct)


HEADINGS = ("level", "round", "turn")
"""What an event may open, the widest first."""

# Facts are frozen and hold plain values: no cycles, so the garbage collector need not look at them (`gc=False`).


class Event(
    msgspec.Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """A fact that carries its outcome; `rule` is the register ID that produced it, `seen_by` who may know its secrets."""

    reveals: ClassVar[bool] = False
    """This kind of event makes something unknown known: a barrier for undo under `until-revealed`."""
    secret: ClassVar[tuple[str, ...]] = ()
    """The fields that are sealed to all but `seen_by`."""
    heading: ClassVar[str] = ""
    """What it opens in a story: a `level` (what `@l2` counts), a `round` (what `@r3` counts), a `turn`, or nothing."""
    mark: ClassVar[str] = ""
    """What a viewer can jump to: `fight` where one begins, `loss` where somebody or something is hurt or lost."""

    rule: str = ""
    seen_by: Audience = None

    @property
    def audience(self) -> Audience:
        """Who may know the secrets of structs in this event that name no audience themselves."""
        return self.seen_by

    def apply(self, state: Any) -> None:
        """Change the state by this fact; reads no content and runs no rule."""

    def tell(self, state: Any) -> str:
        """Return one plain English sentence, given the state just before; empty when a story leaves it out."""
        return ""


class Step(
    msgspec.Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """Something still to do: a small struct on the stack `state.pending`, part of the log format."""

    secret: ClassVar[tuple[str, ...]] = ()
    seen_by: Audience = None


class Question(Step, frozen=True, kw_only=True):
    """A step that waits for a seat."""


class Action(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What a seat asks to do; its `secret` fields are sealed to that seat.

    A step or an event that keeps such an action must say in its own `seen_by` who may know them.
    """

    secret: ClassVar[tuple[str, ...]] = ()
    needs_audience: ClassVar[bool] = True


# Heads


class Head(Event, frozen=True, kw_only=True):
    """Opens a batch: which seat and person, when, under which key, and the digest of the batch before (`prev`)."""

    seat: str = ""
    person: str = ""
    time: str = ""
    key: str = ""
    prev: str = ""


class GameOpened(Head, Generic[Option], frozen=True, kw_only=True):
    """The first event: everything a game started from.

    `content` is the digest of the boards and cards, `commitment` that of the secret of chance, `typed_seed` says
    somebody typed the seed and so knows it, `chance` is `fate` or `table`, `undo` the policy for taking back.
    """

    format: int
    ruleset: str
    version: str
    content: str
    options: Option
    seats: dict[str, str] = {}
    commitment: str = ""
    typed_seed: bool = False
    chance: str = "fate"
    undo: str = "free"
    software: str = ""

    def apply(self, state: Any) -> None:
        state.options = self.options


class ActionTaken(Head, Generic[Act], frozen=True, kw_only=True):
    """A seat took a legal action; `joined` when it was typed on one line with the action before it."""

    action: Act
    joined: bool = False

    @property
    def audience(self) -> Audience:
        return (self.seat,)

    def apply(self, state: Any) -> None:
        state.decisions += 1


class Rewound(Head, frozen=True, kw_only=True):
    """The state is again that of position `to`, by `undo`, `redo` or `rewind`; `reason` is what somebody said of it."""

    to: int
    by: str = "rewind"
    reason: str = ""

    def tell(self, state: Any) -> str:
        words = {"undo": "Taken back", "redo": "Played again after all"}.get(self.by, "Rewound")
        return f"{words} to @{self.to}" + (f" ({self.reason})." if self.reason else ".")


class GameForked(Head, frozen=True, kw_only=True):
    """The first event of a fork: `lineage` lists its ancestors, oldest first, each with the last position it lends."""

    lineage: tuple[tuple[str, int], ...]
    seats: dict[str, str] = {}
    undo: str = "free"

    def tell(self, state: Any) -> str:
        return f"A fork of game {self.lineage[-1][0]} after @{self.lineage[-1][1]}."


class NoteAdded(Head, frozen=True, kw_only=True):
    """Somebody wrote a note on position `at`, under some tags; `seen_by` is the seat that alone may read it, if any."""

    secret: ClassVar[tuple[str, ...]] = ("text", "tags")

    at: int
    text: str | Sealed
    tags: tuple[str, ...] | Sealed = ()

    def tell(self, state: Any) -> str:
        if isinstance(self.text, Sealed) or isinstance(self.tags, Sealed):
            return f"Note on @{self.at}, which only {' and '.join(self.seen_by or ())} may read."
        tags = f" [{', '.join(self.tags)}]" if self.tags else ""
        return f"Note on @{self.at}: {self.text}{tags}"


class NoteRemoved(Head, frozen=True, kw_only=True):
    """The note that was written at position `note` is taken back: it stays in the log, and is shown nowhere else."""

    note: int

    def tell(self, state: Any) -> str:
        return f"The note @{self.note} is taken back."


class UndoAsked(Head, frozen=True, kw_only=True):
    """A seat asks the others to agree to going back to position `to`."""

    to: int

    def tell(self, state: Any) -> str:
        return f"{self.seat} asks to take back to @{self.to}."


class UndoAnswered(Head, frozen=True, kw_only=True):
    """A seat agreed, or not, to what was asked at position `asked`."""

    asked: int
    granted: bool

    def tell(self, state: Any) -> str:
        return f"{self.seat} {'agrees' if self.granted else 'does not agree'}."


class Resalted(Head, frozen=True, kw_only=True):
    """Chance has a new secret from position `at` (this event's own): unseen places are dealt afresh.

    `fixed` lists by shuffle the places that were fixed (never what is left); `chance` is where outcomes come from now.
    """

    at: int
    commitment: str
    typed_seed: bool = False
    chance: str = "fate"
    fixed: dict[str, tuple[int, ...]] = {}
    reason: str = ""

    def apply(self, state: Any) -> None:
        # From the state, not from `fixed`, which an audit compares: a wrong list would put a card in two places.
        chance: ChanceState = state.chance
        places = chance.fixed()
        chance.epoch = self.at
        for name, deck in chance.decks.items():
            deck.fixed = places.get(name, ())

    def tell(self, state: Any) -> str:
        if self.chance == "table":
            return "From here on people enter what dice and cards give; what nobody has seen is dealt afresh."
        return "Fate has a new salt: what nobody has seen is dealt afresh."


class Redrawn(Head, frozen=True, kw_only=True):
    """All that `seat` did not know here was drawn anew: `values` has each, sealed to the seats that may know it now.

    What stands before it in the log is what that seat knew of it. Follows a `GameForked` and the new secret of chance.
    """

    values: tuple[Redealt, ...] = ()

    def apply(self, state: Any) -> None:
        for one in self.values:
            put(state, one.path, one.value)

    def tell(self, state: Any) -> str:
        return f"What {self.seat} did not know is drawn anew."


class KeyRevealed(Head, frozen=True, kw_only=True):
    """The secret that was committed to at position `since` is out, so that anybody can check what chance gave."""

    since: int
    nonce: str
    seed: str

    def tell(self, state: Any) -> str:
        return "The secret of chance is revealed."


class VersionChanged(Head, frozen=True, kw_only=True):
    """From here on the log has the form of this format and of this version of the ruleset; what is before it stays.

    Stands before the first action that another version than before records, whatever line it is on.
    """

    format: int
    version: str
    software: str = ""

    def tell(self, state: Any) -> str:
        return f"From here on version {self.version} of the rules."


# Consequences


class Awaiting(Event, Generic[Todo], frozen=True, kw_only=True):
    """The stack has changed: its lowest `keep` steps stay and `push` lies on top; always the last of a batch."""

    keep: int = 0
    push: tuple[Todo, ...] = ()

    def apply(self, state: Any) -> None:
        pending = state.pending
        del pending[self.keep :]
        pending.extend(self.push)


class DiceRolled(Event, frozen=True):
    """Dice of a stream fell: `values` in order, each from 1 to `sides`."""

    reveals: ClassVar[bool] = True
    secret: ClassVar[tuple[str, ...]] = ("values",)

    stream: str
    sides: int
    values: tuple[int, ...] | Sealed
    count: int = 1
    purpose: str = ""
    subject: str = ""

    def apply(self, state: Any) -> None:
        counters = state.chance.counters
        counters[self.stream] = counters.get(self.stream, 0) + self.count

    def tell(self, state: Any) -> str:
        what = f" for {self.purpose}" if self.purpose else ""
        if isinstance(self.values, Sealed):
            return f"Dice were rolled{what}, unseen."
        return f"Rolled {', '.join(map(str, self.values))}{what}."


class DeckShuffled(Event, frozen=True):
    """A deck was shuffled for the `ordinal`-th time: `items` lie on places 0 to n-1 in an order that nobody knows."""

    deck: str
    ordinal: int
    items: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.items) > LARGEST:
            raise ValueError(f"a deck holds at most {LARGEST} cards")

    def apply(self, state: Any) -> None:
        chance: ChanceState = state.chance
        for name in [name for name in chance.decks if name.rpartition("/")[0] == self.deck]:
            # A shuffle that everybody has seen through is forgotten, so a state does not grow with the rounds: what
            # a game still needs of it are items, no places.
            old = chance.decks[name]
            if len(old.seen) == len(old.items) and not any(isinstance(v, Secret) for v in old.seen.values()):
                del chance.decks[name]
        chance.decks[f"{self.deck}/{self.ordinal}"] = Shuffled(self.items)
        chance.ordinals[self.deck] = self.ordinal

    def tell(self, state: Any) -> str:
        return f"Shuffled: {self.deck} ({len(self.items)})."


class CardDrawn(Event, frozen=True):
    """A place of a shuffle was seen for the first time, and so fixed: drawn, turned over or looked at."""

    reveals: ClassVar[bool] = True
    secret: ClassVar[tuple[str, ...]] = ("item",)

    deck: str
    place: int
    item: str | Sealed
    purpose: str = ""
    subject: str = ""

    def apply(self, state: Any) -> None:
        state.chance.decks[self.deck].seen[self.place] = hidden(self.item, self.seen_by)

    def tell(self, state: Any) -> str:
        name = "a card" if isinstance(self.item, Sealed) else self.item
        return f"{name} comes from {self.deck.partition('/')[0]}."


class CardRevealed(CardDrawn, frozen=True):
    """A place that was fixed before is shown to more seats."""

    def apply(self, state: Any) -> None:
        seen = state.chance.decks[self.deck].seen
        seen[self.place] = widen(seen[self.place], self.item, self.seen_by)


class BagFilled(Event, frozen=True):
    """A bag holds `items` (unique, sorted) but for `out`, which start outside, each its own token."""

    bag: str
    items: tuple[str, ...]
    out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # Two counters of one name would leave the bag together, and the order decides what a number picks.
        if list(self.items) != sorted({*self.items}) or len(self.items) > LARGEST:
            raise ValueError(f"a bag holds at most {LARGEST} counters, each named once, in ASCII order")
        if not {*self.out} <= {*self.items}:
            raise ValueError("a counter starts outside a bag that it does not belong to")

    def apply(self, state: Any) -> None:
        state.chance.bags[self.bag] = Bag(self.items, {item: item for item in self.out})


class CounterDrawn(Event, frozen=True):
    """A counter was drawn from a bag; from now on its public `token` stands for it."""

    reveals: ClassVar[bool] = True
    secret: ClassVar[tuple[str, ...]] = ("item",)

    bag: str
    token: str
    item: str | Sealed
    purpose: str = ""
    subject: str = ""

    def apply(self, state: Any) -> None:
        stream = "bag/" + self.bag
        counters = state.chance.counters
        counters[stream] = counters.get(stream, 0) + 1
        state.chance.bags[self.bag].out[self.token] = hidden(self.item, self.seen_by)

    def tell(self, state: Any) -> str:
        return f"{'A counter' if isinstance(self.item, Sealed) else self.item} is drawn from the bag."


class CounterRevealed(CounterDrawn, frozen=True):
    """A counter outside the bag is shown to more seats."""

    def apply(self, state: Any) -> None:
        out = state.chance.bags[self.bag].out
        out[self.token] = widen(out[self.token], self.item, self.seen_by)

    def tell(self, state: Any) -> str:
        return "" if isinstance(self.item, Sealed) else f"{self.token} is {self.item}."


class CounterReturned(Event, frozen=True):
    """A counter went back into its bag; a later draw cannot be told from any other."""

    bag: str
    token: str

    def apply(self, state: Any) -> None:
        del state.chance.bags[self.bag].out[self.token]


HEADS: tuple[type[Head], ...] = (
    GameOpened,
    ActionTaken,
    Rewound,
    GameForked,
    NoteAdded,
    NoteRemoved,
    UndoAsked,
    UndoAnswered,
    Resalted,
    Redrawn,
    KeyRevealed,
    VersionChanged,
)
COMMON: tuple[type[Event], ...] = (
    Rewound,
    GameForked,
    NoteAdded,
    NoteRemoved,
    UndoAsked,
    UndoAnswered,
    Resalted,
    Redrawn,
    KeyRevealed,
    VersionChanged,
    DiceRolled,
    DeckShuffled,
    CardDrawn,
    CardRevealed,
    BagFilled,
    CounterDrawn,
    CounterRevealed,
    CounterReturned,
)
CHANCE: tuple[type[Event], ...] = (DiceRolled, CardDrawn, CardRevealed, CounterDrawn, CounterRevealed, DeckShuffled)
"""The events that only the referee creates, in answer to a request."""
PLAIN: tuple[type[Event], ...] = (BagFilled, CounterReturned)
"""The common events that a script yields itself."""


def fold(events: Iterable[Event], state: State) -> State:
    """Apply events to a state in order and return it; rewinds are the caller's to resolve."""
    for event in events:
        event.apply(state)
    return state
