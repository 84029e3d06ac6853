"""Events of the advanced cards and of the Prime, and of what happens between the levels of a campaign."""

from __future__ import annotations

from typing import ClassVar

from .facts import Fact, Names
from .state import PRIME, LevelState, Marine


class ChallengesChosen(Fact, frozen=True):
    """These challenges are in use in the levels they name."""

    challenges: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.dares = self.challenges

    def words(self, state: LevelState, names: Names) -> str:
        several = "s" if len(self.challenges) > 1 else ""
        return f"Challenge{several}: {names.cards(self.challenges)}."


class SkullCardsChosen(Fact, frozen=True):
    """These skull cards are shuffled into the level's infestation deck."""

    cards: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.skulls = self.cards

    def words(self, state: LevelState, names: Names) -> str:
        return f"Skull card{'s' if len(self.cards) > 1 else ''}: {names.cards(self.cards)}."


class SkullCardsReplace(Fact, frozen=True):
    """These cards make room for the skull cards and are out for the level."""

    cards: tuple[str, ...]

    def words(self, state: LevelState, names: Names) -> str:
        return f"They take the place of {names.cards(self.cards)}."


class ChallengeTriggered(Fact, frozen=True):
    """A challenge takes effect: so many extra Tyranid activation cards join at the start of the next round."""

    challenge: str
    cards: int

    def apply(self, state: LevelState) -> None:
        state.triggered[self.challenge] = state.triggered.get(self.challenge, 0) + 1
        state.due += [self.challenge] * self.cards

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.card(self.challenge)} takes effect."


class ChallengeFailed(Fact, frozen=True):
    """The level ends without what a challenge asks for."""

    challenge: str

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.card(self.challenge)} was not met."


class TyranidActivationAdded(Fact, frozen=True):
    """An extra Tyranid card joins the activation deck for the rest of the level."""

    card: str
    challenge: str

    def apply(self, state: LevelState) -> None:
        state.deck = (*state.deck, self.card)
        state.due.remove(self.challenge)

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.card(self.challenge)}: one more Tyranid card joins the deck."


# The Prime


class PrimeDamaged(Fact, frozen=True):
    """A damage counter is put on the Prime, which now bears that many."""

    mark: ClassVar[str] = "loss"
    damage: int
    by: str

    def apply(self, state: LevelState) -> None:
        state.damage = self.damage

    def words(self, state: LevelState, names: Names) -> str:
        return f"The {names.kind(PRIME)} is hurt ({self.damage})."


class PrimeHealed(Fact, frozen=True):
    """Damage counters are taken off the Prime; that many stay."""

    damage: int

    def apply(self, state: LevelState) -> None:
        state.damage = self.damage

    def words(self, state: LevelState, names: Names) -> str:
        return f"The {names.kind(PRIME)}'s wounds close ({self.damage} left)."


class PrimeDestroyed(Fact, frozen=True):
    """The Prime is destroyed."""

    mark: ClassVar[str] = "loss"
    square: str
    by: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        del state.tyranids[self.square]

    def words(self, state: LevelState, names: Names) -> str:
        return f"The {names.kind(PRIME)} is destroyed!"


# Between the levels of a campaign


class MarineLeftBehind(Fact, frozen=True):
    """A Marine in play who is not on the exit tile is out of the campaign; his special cards go to the box."""

    mark: ClassVar[str] = "loss"
    marine: str

    def apply(self, state: LevelState) -> None:
        state.moved()
        marine = state.marines[self.marine]
        state.used += marine.cards
        marine.cards = []
        marine.square = ""

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} is left behind."


class LevelCleared(Fact, frozen=True):
    """Board, creatures, cards and the old entry tile are removed; `survivors` wait on the exit tile, `keep` what is out."""

    level: int
    survivors: tuple[str, ...]
    keep: tuple[str, ...] = ()

    def apply(self, state: LevelState) -> None:
        state.moved()
        lost = tuple(code for code in state.squad if code not in self.survivors)
        state.fallen = tuple(code for code in lost if state.marines[code].wounds >= 2)
        state.strays = tuple(code for code in lost if code not in state.fallen)
        state.gone = (*state.gone, *lost)
        state.faces = (*state.faces, state.face)
        state.rounds_before += state.round
        state.kills_before += sum(state.kills.values())
        state.squad = self.survivors
        state.marines = {code: state.marines[code] for code in self.survivors}
        for marine in state.marines.values():
            marine.spores = 0
        state.face = state.entry = state.exit = state.objective = ""
        state.bulkheads = state.sealed = ()
        state.peeked, state.tyranids, state.kills, state.hardened = {}, {}, {}, {}
        state.console = False
        state.pool, state.used, state.spent = (), [], list(self.keep)
        state.deck, state.round, state.activation = (), 0, ""
        state.known, state.card, state.more, state.ambushed, state.means = [], "", 0, [], ""
        state.turn = state.free = None
        state.damage, state.skulls, state.triggered, state.due = 0, (), {}, []
        state.equipped = []
        state.cleared = dict(state.chance.ordinals)
        state.chance.bags.clear()

    def words(self, state: LevelState, names: Names) -> str:
        return f"Level {self.level} is behind them: {names.marines(self.survivors)} go on."


class VesselDocked(Fact, frozen=True):
    """The tile the squad stands on docks at an exit of the new board and is its entry tile now.

    `moved` gives the new name of each of its squares; it is empty when the squad lines up anew (option `dock`).
    """

    label: str
    squares: tuple[str, ...]
    moved: dict[str, str] = {}

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.entry = self.label
        for marine in state.marines.values():
            marine.square = self.moved.get(marine.square, "")

    def words(self, state: LevelState, names: Names) -> str:
        how = f": {', '.join(f'{old} is now {new}' for old, new in self.moved.items())}" if self.moved else ""
        return f"The tile docks at {self.label}{how}."


class MarineCalled(Fact, frozen=True):
    """The Marine who has not played yet joins the squad, healthy; `squad` is the whole of it, in roster order."""

    marine: str
    square: str
    squad: tuple[str, ...]

    def apply(self, state: LevelState) -> None:
        state.moved()
        state.called = True
        state.marines = {code: state.marines.get(code) or Marine() for code in self.squad}
        state.marines[self.marine] = Marine(self.square)
        state.squad = self.squad

    def words(self, state: LevelState, names: Names) -> str:
        return f"{names.marine(self.marine)} joins the squad on {self.square}."


class CampaignEnded(Fact, frozen=True):
    """The campaign is over: `epic_victory` or `campaign_lost`."""

    result: str

    def apply(self, state: LevelState) -> None:
        state.over = self.result

    def words(self, state: LevelState, names: Names) -> str:
        return f"Campaign: {CAMPAIGN_RESULTS.get(self.result, self.result)}."


CAMPAIGN_RESULTS = {"epic_victory": "epic victory", "campaign_lost": "lost", "completed": "completed"}


ADVANCED_EVENTS = (
    ChallengesChosen,
    SkullCardsChosen,
    SkullCardsReplace,
    ChallengeTriggered,
    ChallengeFailed,
    TyranidActivationAdded,
    PrimeDamaged,
    PrimeHealed,
    PrimeDestroyed,
)
CAMPAIGN_EVENTS = (MarineLeftBehind, LevelCleared, VesselDocked, MarineCalled, CampaignEnded)
