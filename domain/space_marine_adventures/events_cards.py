"""Events of infestation and special cards: reinforcements, wounds, and what cards change."""

from __future__ import annotations

from typing import ClassVar

from ..words import sentence
from .facts import Fact, Names
from .state import LevelState


class InfestationRevealed(Fact, frozen=True):
    """An infestation card is turned over, by a `draw` or from the `known_top`."""

    card: str
    source: str

    def apply(self, state: LevelState) -> None:
        state.card = self.card
        state.ambushed = []
        if state.more:
            state.more -= 1
        if self.source == "known_top":
            state.known.remove(self.card)

    def words(self, state: LevelState, names: Names) -> str:
        return f"Infestation: {names.card(self.card)}."


class InfestationCancelled(Fact, frozen=True):
    """The card is discarded with all its steps, by a special card."""

    card: str
    by: str
    cards_left: int

    def apply(self, state: LevelState) -> None:
        state.card = ""

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.card(self.card)} is warded off."


class InfestationResolved(Fact, frozen=True):
    """The card is done with and out for the level; so many are left in the deck."""

    card: str
    cards_left: int

    def apply(self, state: LevelState) -> None:
        state.card = ""

    def words(self, state: LevelState, names: Names) -> str:
        return f"({self.cards_left} card{'' if self.cards_left == 1 else 's'} left.)"


class InfestationPeeked(Fact, frozen=True):
    """The cards in `drawn` are now known; `top` is the whole known top of the deck, topmost first."""

    drawn: tuple[str, ...]
    top: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.known = list(self.top)

    def words(self, state: LevelState, names: Names) -> str:
        if len(self.top) == 1:
            return f"The auspex shows the next card: {names.card(self.top[0])}."
        return f"The auspex shows the next {len(self.top)} cards: {names.cards(self.top)}."


class InfestationReordered(Fact, frozen=True):
    """The known top lies in another order, topmost first."""

    top: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.known = list(self.top)

    def words(self, state: LevelState, names: Names) -> str:
        return f"They are put back in a new order: {names.cards(self.top)}."


class MoreInfestation(Fact, frozen=True):
    """When this card is done, so many further ones are turned over."""

    count: int

    def apply(self, state: LevelState) -> None:
        state.more += self.count


class CounterTaken(Fact, frozen=True):
    """A counter of a kind that a card asks for is taken from the bag."""

    bag: str
    counter: str
    kind: str
    cause: str

    def apply(self, state: LevelState) -> None:
        state.chance.bags[self.bag].out[self.counter] = self.counter

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.kind(self.kind)} taken from the bag."


class ReinforcementBlocked(Fact, frozen=True):
    """Nothing comes to a square: `bag_empty`, `wall`, `bulkhead`, or a `marine` far down the line is spared."""

    square: str
    reason: str

    def words(self, state: LevelState, names: Names) -> str:
        return f"Nothing comes to {self.square} ({BLOCKED.get(self.reason, self.reason)})."


BLOCKED = {
    "bag_empty": "the bag is empty",
    "wall": "the line ends at a wall",
    "bulkhead": "behind a bulkhead",
    "marine": "the line stops",
}


class CounterMoved(Fact, frozen=True):
    """A creature charges."""

    counter: str
    kind: str
    origin: str
    to: str
    cause: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.tyranids[self.to] = state.tyranids.pop(self.origin)

    def words(self, state: LevelState, names: Names) -> str:
        return f"The {names.kind(self.kind)} charges from {self.origin} to {self.to}."


class MarineStruck(Fact, frozen=True):
    """A Marine is about to be wounded where he stands.

    `way` is `counter` (drawn for his square), `ambush`, `claws` or `spines`; `cause` the card, `counter` who strikes.
    """

    mark: ClassVar[str] = "fight"
    marine: str
    square: str
    way: str
    cause: str
    counter: str = ""

    def apply(self, state: LevelState) -> None:
        if self.way == "ambush":
            state.ambushed.append(self.marine)

    def words(self, state: LevelState, names: Names) -> str:
        if self.way == "ambush":
            return f"{names.marine(self.marine)} is ambushed on {self.square}."
        by = f" by a {names.counter(self.counter)}" if self.counter else ""
        return f"{names.marine(self.marine)} is struck on {self.square}{by}."


class WoundPrevented(Fact, frozen=True):
    """A card keeps a Marine from being wounded."""

    marine: str
    by: str

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.card(self.by)} saves {names.marine(self.marine)}."


class MarineWounded(Fact, frozen=True):
    """A Marine has that many wounds; with 2 he is taken out of action next."""

    mark: ClassVar[str] = "loss"
    marine: str
    wounds: int

    def apply(self, state: LevelState) -> None:
        state.marines[self.marine].wounds = self.wounds

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} is wounded ({self.wounds} of 2)."


class MarineTakenOut(Fact, frozen=True):
    """A Marine leaves the board for the rest of the level."""

    mark: ClassVar[str] = "loss"
    marine: str
    square: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        marine = state.marines[self.marine]
        marine.square = ""
        marine.spores = 0

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} is out of action."


class MarineHealed(Fact, frozen=True):
    """A Marine's datacard is back on its healthy side."""

    marine: str

    def apply(self, state: LevelState) -> None:
        state.marines[self.marine].wounds = 0

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} is restored."


class SpecialPlayed(Fact, frozen=True):
    """A Marine uses a special card."""

    marine: str
    card: str
    args: tuple[str, ...] = ()

    def apply(self, state: LevelState) -> None:
        state.means = self.card

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} uses {names.card(self.card)}."


class SpecialDiscarded(Fact, frozen=True):
    """A special card is out for the level."""

    marine: str
    card: str

    def apply(self, state: LevelState) -> None:
        state.marines[self.marine].cards.remove(self.card)
        state.used.append(self.card)


class ActionsReduced(Fact, frozen=True):
    """A Marine has fewer actions in his next turn."""

    marine: str
    minus: int

    def apply(self, state: LevelState) -> None:
        state.marines[self.marine].spores += self.minus

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} will have {self.minus} action{'s' if self.minus > 1 else ''} fewer."


class ResilienceRaised(Fact, frozen=True):
    """These kinds are harder to destroy until the round ends."""

    kinds: tuple[str, ...]
    plus: int

    def apply(self, state: LevelState) -> None:
        for kind in self.kinds:
            state.hardened[kind] = state.hardened.get(kind, 0) + self.plus

    def words(self, state: LevelState, names: Names) -> str:
        return sentence(f"{names.kinds(self.kinds)}: resilience +{self.plus} this round.")


CARD_EVENTS = (
    InfestationRevealed,
    InfestationCancelled,
    InfestationResolved,
    InfestationPeeked,
    InfestationReordered,
    MoreInfestation,
    CounterTaken,
    ReinforcementBlocked,
    CounterMoved,
    MarineStruck,
    WoundPrevented,
    MarineWounded,
    MarineTakenOut,
    MarineHealed,
    SpecialPlayed,
    SpecialDiscarded,
    ActionsReduced,
    ResilienceRaised,
)
