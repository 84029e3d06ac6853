"""Events of the ship: sections laid and removed, the entry area, cards, tiles, templates, cysts."""

from __future__ import annotations

from typing import ClassVar

from ..words import listed, sentence
from .facts import Fact, Names
from .state import FaceDown, HiveState, Laid, Point, Trigger


class SidesRolled(Fact, frozen=True):
    """Both players rolled for sides, again on a tie; the one with the higher die leads the Marines."""

    rolls: tuple[tuple[int, int], ...]

    def words(self, state: HiveState, names: Names) -> str:
        rolls = ", ".join(f"{a} against {b}" for a, b in self.rolls)
        return f"Roll for sides: {rolls}. The higher die leads the Space Marines."


class SectionLaid(Fact, frozen=True):
    """A section is laid at the front; `rolls` are the dice for the way, all but the last of them blocked."""

    laid: Laid
    rolls: tuple[int, ...] = ()

    def apply(self, state: HiveState) -> None:
        state.chain.append(self.laid)
        state.relaid()

    def words(self, state: HiveState, names: Names) -> str:
        way = {0: "left", 1: "ahead", 2: "right"}[(self.rolls[-1] - 1) // 2] if self.rolls else "first"
        rolled = f" (rolled {', '.join(map(str, self.rolls))})" if self.rolls else ""
        turn = ", turned round" if self.laid.rotation else ""
        return f"{sentence(names.section(self.laid.section))} is laid {way}{rolled}{turn}."


class EntryAreaSet(Fact, frozen=True):
    """The entry area fills a cell beside the rear section."""

    cell: Point
    section: int

    def apply(self, state: HiveState) -> None:
        state.entry = self.cell
        state.relaid()

    def words(self, state: HiveState, names: Names) -> str:
        return f"The entry area lies against {names.section(self.section)}."


class SectionRemoved(Fact, frozen=True):
    """The rear section is cut off."""

    section: int

    def apply(self, state: HiveState) -> None:
        state.chain = [laid for laid in state.chain if laid.section != self.section]
        state.cards.pop(self.section, None)
        state.relaid()

    def words(self, state: HiveState, names: Names) -> str:
        return f"{sentence(names.section(self.section))} is cut off behind the Marines."


class DeckMade(Fact, frozen=True):
    """The exploration deck is a new shuffle: of all cards, or of the discards."""

    deck: str
    count: int

    def apply(self, state: HiveState) -> None:
        state.deck, state.drawn, state.discards = self.deck, 0, []

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.count} exploration cards are shuffled."


class TilesMade(Fact, frozen=True):
    """The location tiles are a new stack."""

    stack: str
    count: int

    def apply(self, state: HiveState) -> None:
        state.stack, state.taken, state.aside = self.stack, 0, []

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.count} location tiles are shuffled."


class TileTaken(Fact, frozen=True):
    """The Marine player takes the next tile; what it shows, the draw after this says to him alone."""

    place: int
    left: int

    def apply(self, state: HiveState) -> None:
        state.tile = self.place
        state.taken = self.place + 1

    def words(self, state: HiveState, names: Names) -> str:
        return f"The Marine player takes a location tile; {self.left} {'is' if self.left == 1 else 'are'} left."


class TileShown(Fact, frozen=True):
    """The tile held is shown and discarded."""

    reveals: ClassVar[bool] = True
    tile: str
    section: int
    objective: str

    def apply(self, state: HiveState) -> None:
        state.tile = -1

    def words(self, state: HiveState, names: Names) -> str:
        return f"The tile shows {names.section(self.section)}: {names.objective(self.objective)}."


class TileSetAside(Fact, frozen=True):
    """The tile of an objective that rolled away will come back (option `cut_off_objective`)."""

    tile: str
    objective: str

    def apply(self, state: HiveState) -> None:
        state.aside.append(self.tile)

    def words(self, state: HiveState, names: Names) -> str:
        return f"The tile of {names.objective(self.objective)} is put aside; it will come back."


class CardLaid(Fact, frozen=True):
    """The top card lies face down on a section; no card when the deck is empty."""

    section: int
    card: FaceDown
    left: int

    def apply(self, state: HiveState) -> None:
        state.cards[self.section] = self.card
        if self.card.deck:
            state.drawn = self.card.place + 1

    def words(self, state: HiveState, names: Names) -> str:
        if not self.card.deck:
            return f"No card is left for {names.section(self.section)}."
        return f"A card lies face down on {names.section(self.section)}; {self.left} remain."


class PeekRolled(Fact, frozen=True):
    """A die for looking at a card before it is laid (TA-SPEC-4)."""

    roll: int
    seen: bool

    def words(self, state: HiveState, names: Names) -> str:
        seen = "the Marine player looks at the card" if self.seen else "nothing is learnt"
        return f"The tapped Cluster: {self.roll}; {seen}."


class CardTurned(Fact, frozen=True):
    """The card of a section is turned."""

    section: int
    card: str

    def apply(self, state: HiveState) -> None:
        state.cards.pop(self.section, None)

    def words(self, state: HiveState, names: Names) -> str:
        said = names.card_text(self.card)
        told = f"On {names.section(self.section)} the card is turned: {names.card(self.card)}."
        return f"{told} {said}" if said else told


class SectionEntered(Fact, frozen=True):
    """A section without a card is explored."""

    section: int

    def apply(self, state: HiveState) -> None:
        state.cards.pop(self.section, None)


class CardPutAway(Fact, frozen=True):
    """A card that was carried out is discarded, kept, or out of the game (`discard`, `keep`, `remove`)."""

    card: str
    to: str

    def apply(self, state: HiveState) -> None:
        if self.to == "discard":
            state.discards.append(self.card)
        elif self.to == "keep":
            state.kept.append(self.card)

    def words(self, state: HiveState, names: Names) -> str:
        return {
            "discard": "The card is discarded.", "keep": "The card is kept.", "remove": "The card is out of the game.",
        }[self.to]  # fmt: skip


class ExplorationTriggered(Fact, frozen=True):
    """A Marine has stepped onto the unexplored section; what follows waits until it is finished."""

    model: str
    section: int
    at: Point

    def apply(self, state: HiveState) -> None:
        state.trigger = Trigger(self.model, self.section, self.at)
        state.death = None

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} enters unexplored {names.section(self.section)}."


class ExplorationEnded(Fact, frozen=True):
    """The exploration is over; the part goes on."""

    def apply(self, state: HiveState) -> None:
        state.trigger, state.death = None, None


class TemplatePlaced(Fact, frozen=True):
    """The template of an objective stands on these squares."""

    objective: str
    squares: tuple[Point, ...]

    def apply(self, state: HiveState) -> None:
        state.templates[self.objective] = self.squares
        state.relaid()

    def words(self, state: HiveState, names: Names) -> str:
        where = listed(names.square(state, square) for square in self.squares)
        return f"{sentence(names.objective(self.objective))} stands at {where}."


class TemplateDestroyed(Fact, frozen=True):
    """A template is destroyed and goes to the Marine player; `total` are destroyed now."""

    mark: ClassVar[str] = "loss"
    objective: str
    by: str
    total: int

    def apply(self, state: HiveState) -> None:
        del state.templates[self.objective]
        state.destroyed.append(self.objective)
        state.relaid()

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.by} destroys {names.objective(self.objective)}: {self.total} of 4."


class TemplateGone(Fact, frozen=True):
    """A template rolls away undestroyed."""

    objective: str
    back: bool = False

    def apply(self, state: HiveState) -> None:
        del state.templates[self.objective]
        if not self.back:
            state.gone.append(self.objective)
        state.relaid()

    def words(self, state: HiveState, names: Names) -> str:
        return f"{sentence(names.objective(self.objective))} is lost to sight undestroyed."


class CystPlaced(Fact, frozen=True):
    """A cyst opens."""

    at: Point

    def apply(self, state: HiveState) -> None:
        state.cysts.append(self.at)
        state.cysts_left -= 1

    def words(self, state: HiveState, names: Names) -> str:
        return f"A cyst opens at {names.square(state, self.at)}."


class CystGone(Fact, frozen=True):
    """A cyst is gone with its section; its counter goes back to the supply."""

    at: Point

    def apply(self, state: HiveState) -> None:
        state.cysts.remove(self.at)
        state.cysts_left += 1

    def words(self, state: HiveState, names: Names) -> str:
        return f"The cyst at {names.square(state, self.at)} is gone."


class CystsClosed(Fact, frozen=True):
    """No reinforcement comes through cysts any more (TA-SPEC-8)."""

    def apply(self, state: HiveState) -> None:
        state.cysts_closed = True

    def words(self, state: HiveState, names: Names) -> str:
        return "All cysts close."


SHIP_EVENTS: tuple[type[Fact], ...] = (
    SidesRolled, SectionLaid, EntryAreaSet, SectionRemoved, DeckMade, TilesMade, TileTaken, TileShown, TileSetAside,
    CardLaid, PeekRolled, CardTurned, SectionEntered, CardPutAway, ExplorationTriggered, ExplorationEnded,
    TemplatePlaced, TemplateDestroyed, TemplateGone, CystPlaced, CystGone, CystsClosed,
)  # fmt: skip
