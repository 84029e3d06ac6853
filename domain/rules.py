"""What a ruleset is: the contract between a game's rules and the kernel, and the registry that finds rulesets."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import entry_points
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from . import register
from .chance import Luck, Request, imagine
from .content import Content
from .errors import OptionError, UnknownRuleset
from .events import CHANCE, COMMON, Action, ActionTaken, Awaiting, Event, GameOpened, Head, Step
from .happenings import Happening
from .secrets import can_hide, view
from .states import State
from .upcasts import Upcasts


class Seat(msgspec.Struct, frozen=True):
    """Who decides: an id such as `team` and a name to show."""

    id: str
    name: str


class Refusal(msgspec.Struct, frozen=True):
    """Why an action is not legal: the ID of the rule and one sentence."""

    rule: str
    reason: str

    def __str__(self) -> str:
        return f"refused {self.rule}: {self.reason}" if self.rule else f"refused: {self.reason}"


class Decision(msgspec.Struct, frozen=True):
    """The point where a seat must choose: exactly the legal actions, and the question in words.

    `actions` has length, index, membership and iteration, and need not be a list (see `choices`). A decision with one action is answered by the referee
    unless `always`: not asking would betray a secret, or the game wants the pause.
    """

    seat: str
    actions: Sequence[Any]
    prompt: str = ""
    always: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the result in the game's own word, the seats that won, the reason, and figures by name.

    `result` is for scripts and statistics; `words` says it to people where it is not plain English.
    """

    result: str
    winners: tuple[str, ...] = ()
    reason: str = ""
    figures: dict[str, int] = {}
    words: str = ""


class Do(msgspec.Struct, frozen=True):
    """Put steps on the stack; the first is done first."""

    steps: tuple[Any, ...]


class Drop(msgspec.Struct, frozen=True):
    """Empty the stack: nothing that was pending is done any more; the script goes on."""


class End(msgspec.Struct, frozen=True):
    """Empty the stack and close the script, however deep in it this is yielded: the game is over."""


class Demo(msgspec.Struct, frozen=True):
    """A short game to show to newcomers: its seed and options, and who plays it.

    `lines` are typed first, `refused` is an action typed after them that the rules refuse, `moves` decisions a bot then
    takes before the game is shown.
    """

    seed: str
    options: dict[str, str] = {}
    lines: tuple[str, ...] = ()
    refused: str = ""
    moves: int = 12
    bot: str = "sensible"


def do(*steps: Step) -> Do:
    """Return the request that puts steps on the stack, the first on top."""
    return Do(steps)


Script = Generator[Event | Request | Do | Drop | End, Any, None]
Bot = Callable[["Ruleset", Any, Decision, Luck], Any]
"""Chooses an action: given the ruleset, the view of its seat, the decision, and numbers of its own."""


class Ruleset:
    """The rules of one game, bound to its content (boards, cards, tables).

    Subclasses give the class variables and the methods that raise NotImplementedError here.
    """

    id: ClassVar[str]
    version: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    state: ClassVar[type[State]]
    options: ClassVar[type[msgspec.Struct]]
    events: ClassVar[tuple[type[Event], ...]]
    actions: ClassVar[tuple[type[Action], ...]]
    steps: ClassVar[tuple[type[Step], ...]]
    bots: ClassVar[Mapping[str, Bot]] = {}
    personal: ClassVar[tuple[str, ...]] = ()
    """The options that name people: a report leaves them out."""
    private: ClassVar[bool] = False
    """Chance is asked with `seen_by`: some dice, cards or counters are not for everybody."""
    upcasters: ClassVar[Mapping[str, Upcasts]] = {}
    """By the last version that recorded in an older form, oldest first: how that form becomes the next one."""
    demo: ClassVar[Demo | None] = None
    """What `warptape demo` may show; None where the game is not meant for that."""

    def __init__(self, content: Content | None = None) -> None:
        for cls in self.events:
            if issubclass(cls, (*CHANCE, Head, Awaiting)):
                raise TypeError(f"{cls.__name__} cannot be an event of '{self.id}': only the referee makes its kind")
        self.content = content if content is not None else self.packaged()

    @classmethod
    def packaged(cls) -> Content:
        """Return the content that ships with the ruleset."""
        return Content({})

    def check_content(self) -> None:
        """Read all of the content; raises ContentError for what the rules could not be played with."""

    def bound(self, content: Content) -> Ruleset:
        """Return the same rules over other content, such as a recorded game's own; raises ContentError."""
        return self if content.digest == self.content.digest else type(self)(content)

    # What a game must say

    def seats(self, options: Any) -> Sequence[Seat]:
        """Return who plays."""
        raise NotImplementedError

    def levels(self, options: Any) -> int:
        """Return how many levels a game with these options has; where there are several, a story has chapters."""
        return 1

    def setup(self, state: Any) -> Script:
        """Set the board up; `state` is fresh but for its options."""
        raise NotImplementedError

    def ask(self, state: Any, step: Any) -> Decision | None:
        """Return what a question on top of the stack asks, a function of state and step alone (not of `state.pending`).

        Seat and question must come out of any seat's view; whether there is a choice too, or the decision is `always`.
        None means that it asks nothing any more: then `run` carries on with it.
        """
        raise NotImplementedError

    def explain(self, state: Any, step: Any, action: Any) -> Refusal | None:
        """Return why an action does not answer the question; None when it does (the seat has been checked)."""
        raise NotImplementedError

    def resolve(self, state: Any, step: Any, action: Any) -> Script:
        """Carry out the legal answer to a question, which has left the stack."""
        raise NotImplementedError

    def run(self, state: Any, step: Any) -> Script:
        """Carry on with a step, which has left the stack."""
        raise NotImplementedError

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended, None while it is on; the referee asks when the stack is empty."""
        raise NotImplementedError

    def parse(self, state: Any, seat: str, text: str) -> Sequence[Any]:
        """Return the actions that a line of notation stands for; raises BadNotation with the column.

        Raises IllegalAction for what the rules refuse and no action can say, such as one of two ways to the same place.
        """
        raise NotImplementedError

    def notation(self, state: Any, action: Any) -> str:
        """Return the shortest notation of an action: `parse` gives the action back."""
        raise NotImplementedError

    # What a game may say better

    def describe(self, state: Any, action: Any) -> str:
        """Return an action in words, for a menu."""
        return self.notation(state, action)

    def tell(self, state: Any, event: Event) -> str:
        """Return an event as a sentence, given the state just before it; names come from the content."""
        return event.tell(state)

    def happenings(self, state: Any, event: Event) -> Sequence[Happening]:
        """Return what an event tells of moves, fights, losses and cards, given the state just before it."""
        return ()

    def figures(self, state: Any) -> Mapping[str, int]:
        """Return how a position stands in numbers, by name: units in play, cards left; the same names at any time."""
        return {}

    def spot(self, state: Any, place: str) -> str:
        """Return a place of a happening by the name that it has in all games, given the state just before the event.

        Where boards differ from game to game it is `BOARD:SQUARE`, so that the same spot of the same board is the same in all.
        """
        return place

    def bare(self, state: Any) -> Any:
        """Return a state whose drawing shows the boards as they are printed: a copy without what was laid on their squares.

        Pieces may stay: whoever draws a bare board leaves them out.
        """
        return state

    def called(self, id: str) -> str:
        """Return the common name of what happenings, spots and draws have by id, such as a card, a sort of unit, a board or
        an area; the id itself where it has no other name."""
        return id

    def people(self, options: Any) -> Mapping[str, Sequence[str]]:
        """Return by seat the people who share it, where the options name them."""
        return {}

    def person(self, state: Any, action: Any) -> str:
        """Return which of the people who share a seat an action is for; empty where it is for all of them together."""
        return ""

    def asked(self, state: Any) -> Sequence[str]:
        """Return which of the people who share a seat are to answer now; none where all of them are."""
        return ()

    def determinize(self, seen: Any, seat: str, luck: Luck) -> Any:
        """Return a full state that agrees with a seat's view, its sealed cards and counters dealt at random.

        It shares nothing with the view, so a bot may play on in it. A game with secrets of its own fills them in here.
        """
        full = seen.copy()
        full.chance = imagine(full.chance, luck)
        return full

    def wanted(self, state: Any, request: Request) -> str:
        """Return whose die or card a request is for, and what for, where people enter it; it follows "What came out of".

        `state` is that of the moment, in the midst of what an action brings. Only what every seat may know is said. Empty:
        the stream and purpose, or the deck, have to do.
        """
        return ""

    def summarize(self, state: Any) -> Sequence[tuple[str, str]]:
        """Return rows of label and text about a position, for a ruleset without a board."""
        skip = {"pending", "chance", "options", "decisions"}
        return [(name, str(getattr(state, name))) for name in state.__struct_fields__ if name not in skip]

    # What follows

    @cached_property
    def event_type(self) -> Any:
        """The union of all events in this game's logs, for a decoder."""
        acts: Any = Union[self.actions]  # noqa: UP007
        todo: Any = Union[self.steps]  # noqa: UP007
        mine: tuple[Any, ...] = (GameOpened[self.options], ActionTaken[acts], Awaiting[todo])  # type: ignore[name-defined]
        return Union[(*mine, *COMMON, *self.events)]

    @cached_property
    def secretive(self) -> bool:
        """Whether this game can have secrets: in its actions, steps, events or state, or because it is `private`."""
        facts = (field.type for field in msgspec.structs.fields(self.state) if field.name != "chance")
        return self.private or any(map(can_hide, (*self.actions, *self.steps, *self.events, *facts)))

    def decision(self, state: Any) -> Decision | None:
        """Return the decision that a state waits for, a function of the state alone; None when the game is over."""
        return self.ask(state, state.pending[-1]) if state.pending else None

    def refusal(self, state: Any, seat: str, action: Any) -> Refusal | None:
        """Return why a seat may not take an action now; None exactly when the decision offers it to that seat."""
        decision = self.decision(state)
        if decision is None:
            return Refusal("", "the game is over")
        if not isinstance(action, self.actions):
            return Refusal("", "that is no action of this game")
        if seat != decision.seat:
            return Refusal("", f"it is for {decision.seat} to decide now, not for {seat or 'nobody'}")
        if action in decision.actions:
            return None
        return self.explain(state, state.pending[-1], action) or Refusal("", "that is not possible now")

    def view(self, state: Any, seat: str) -> Any:
        """Return the state as one seat may know it; do not change it."""
        return view(state, seat)

    def parse_options(self, given: Mapping[str, str]) -> Any:
        """Return the typed options of a game from text values; raises OptionError naming the option and its range."""
        fields = {field.name: field for field in msgspec.structs.fields(self.options)}
        for name in given:
            if name not in fields:
                known = ", ".join(fields) or "it has none"
                raise OptionError(f"{self.id} has no option '{name}'. Its options: {known}.")
        values: dict[str, Any] = dict(given)
        for name, text in given.items():
            if fields[name].type is bool:
                values[name] = {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)
        try:
            return msgspec.convert(values, self.options, strict=False)
        except msgspec.ValidationError as error:
            name = str(error).rpartition("`$.")[2].partition("`")[0]
            choice = self.takes(name) if name in fields else "another value"
            raise OptionError(f"Option '{name}' cannot be '{given.get(name, '')}': it takes {choice}.") from None

    def takes(self, option: str) -> str:
        """Return what an option takes, in words: `yes or no`, `normal, hard`, `a whole number from 1 to 6`.

        How a text reads, the game's register says.
        """
        hint = get_type_hints(self.options, include_extras=True)[option]
        metas = [meta for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, msgspec.Meta)]
        kind = hint.__origin__ if metas else hint
        if get_origin(kind) is Literal:
            values = list(map(str, get_args(kind)))
            return ("; " if any("," in value for value in values) else ", ").join(values)
        if kind is bool:
            return "yes or no"
        if kind is int:
            low = next((meta.ge for meta in metas if meta.ge is not None), None)
            high = next((meta.le for meta in metas if meta.le is not None), None)
            span = (f" from {low}" if low is not None else "") + (f" to {high}" if high is not None else "")
            return f"a whole number{span}"
        return self._text(option) if kind is str else str(getattr(kind, "__name__", kind))

    def _text(self, option: str) -> str:
        found = register.of(type(self))
        return next((one.takes for one in found.options if one.name == option), "text") if found else "text"


GROUP = "warptape.rulesets"


def installed() -> dict[str, Any]:
    """Return the installed rulesets' entry points by id."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


_loaded: dict[str, Ruleset] = {}


def ruleset(name: str) -> Ruleset:
    """Return an installed ruleset by id, over its own content; raises UnknownRuleset, naming what is installed."""
    if name not in _loaded:
        points = installed()
        if name not in points:
            raise UnknownRuleset(f"No ruleset '{name}' is installed. Installed: {', '.join(points) or 'none'}.")
        try:
            _loaded[name] = points[name].load()
        except (ImportError, AttributeError) as error:
            raise UnknownRuleset(f"The ruleset '{name}' is installed but cannot be loaded ({error}).") from error
    return _loaded[name]
