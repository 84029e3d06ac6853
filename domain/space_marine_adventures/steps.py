"""What may still be to do in a level: the steps of the stack, and the questions among them."""

from __future__ import annotations

from ..events import Question, Step

# Setting up


class ChooseChallenges(Question, frozen=True):
    """Which challenges the game is played with (SMA-ADV-5)."""


class ChooseSkulls(Question, frozen=True):
    """Which skull cards are added to the level's deck (SMA-ADV-2)."""


class CallMarine(Question, frozen=True):
    """Whether the Marine who has not played yet is sent for, and where he stands (SMA-CAMP-13)."""


class NextLevel(Step, frozen=True):
    """Clear the level that was completed away and begin the next one of the campaign (SMA-CAMP-3, SMA-CAMP-11)."""


class ChooseBoard(Question, frozen=True):
    """Which face to play on (SMA-SETUP-1)."""


class ChooseEntry(Question, frozen=True):
    """By which exit to enter (SMA-SETUP-2)."""


class ChooseSquad(Question, frozen=True):
    """Which four Marines to take (SMA-SETUP-5)."""


class DeploySquad(Question, frozen=True):
    """Who stands on the next square of the entry tile (SMA-SETUP-8)."""


class Populate(Step, frozen=True):
    """Creatures, the bag, the infestation deck and the special cards (SMA-SETUP-9 to SMA-SETUP-13)."""


class EquipSquad(Question, frozen=True):
    """Which special card the next Marine gets (SMA-SETUP-14)."""


class Begin(Step, frozen=True):
    """The activation deck and the briefing (SMA-SETUP-12, SMA-SETUP-16)."""


# Rounds and turns


class Ready(Question, frozen=True):
    """Turn over an activation card, or play a card before that; begins a round when the deck is empty."""


class Turn(Question, frozen=True):
    """The Marine's turn: his next action."""

    marine: str


class Free(Question, frozen=True):
    """The next free action of a Marine outside his turn."""

    marine: str


class RollFailed(Question, frozen=True):
    """An Attack or console die failed: is it rolled again?

    `purpose` is `attack` or `console`; for an Attack the counter, its square and distance. `own_turn` says whether the
    Marine rolled in his own turn, `dice` and `modifier` how.
    """

    marine: str
    purpose: str
    own_turn: bool
    dice: int
    modifier: int
    need: int
    values: tuple[int, ...]
    counter: str = ""
    square: str = ""
    distance: int = 0


class Salvo(Step, frozen=True):
    """One die against each of these counters still on the board, in order; nothing but `plus` touches the dice."""

    marine: str
    counters: tuple[str, ...]
    cause: str
    plus: int = 0


# Infestation cards


class Infest(Step, frozen=True):
    """Turn over the next infestation card."""


class Revealed(Question, frozen=True):
    """An infestation card is face up and not yet begun: is it stopped?"""

    card: str
    bag_empty: bool


class Carry(Step, frozen=True):
    """Carry on with a list of effects at the effect that `path` leads to.

    `source` is a card's id, or `setup` for the briefing's own list. A path is the number of an effect; after a branch,
    0 for `then` or 1 for `else`, and the number in that list.
    """

    source: str
    path: tuple[int, ...] = (0,)
    bag_empty: bool = False


class CardDone(Step, frozen=True):
    """An infestation card has been carried out in full."""

    card: str
    cancelled: bool = False


class Tie(Question, frozen=True):
    """Which of several Marines an effect means (SMA-INF-2)."""

    source: str
    path: tuple[int, ...]
    marines: tuple[str, ...]


class Place(Question, frozen=True):
    """A reinforcement at each of these squares (SMA-REIN-1); asks for their order only when the bag is short."""

    squares: tuple[str, ...]
    cause: str
    kind: str = "bag"


class Spread(Question, frozen=True):
    """Reinforcements from a held square outwards, in the directions left (SMA-REIN-3); asks as `Place` does."""

    square: str
    cause: str
    kind: str = "bag"
    directions: tuple[int, ...] = (0, 1, 2, 3)


class PlaceAtRolls(Step, frozen=True):
    """Roll for a xenos entry and place a reinforcement there, `count` times."""

    count: int
    cause: str
    kind: str = "bag"


class Ambushed(Question, frozen=True):
    """On which square beside the first of these Marines a creature appears; `count` more for him, this one included."""

    marines: tuple[str, ...]
    count: int
    each: int
    cause: str
    kind: str = "bag"


class Strikes(Step, frozen=True):
    """Each of these Marines rolls and is wounded on at most `wound_on`; `way` is `claws` or `spines`."""

    marines: tuple[str, ...]
    wound_on: int
    way: str
    cause: str


class Wound(Question, frozen=True):
    """A Marine is about to be wounded: is it prevented?"""

    marine: str
    cause: str


class OrderCards(Question, frozen=True):
    """In which order the known top of the infestation deck is put back."""

    marine: str


STEPS = (
    ChooseChallenges,
    ChooseSkulls,
    CallMarine,
    NextLevel,
    ChooseBoard,
    ChooseEntry,
    ChooseSquad,
    DeploySquad,
    Populate,
    EquipSquad,
    Begin,
    Ready,
    Turn,
    Free,
    RollFailed,
    Salvo,
    Infest,
    Revealed,
    Carry,
    CardDone,
    Tie,
    Place,
    Spread,
    PlaceAtRolls,
    Ambushed,
    Strikes,
    Wound,
    OrderCards,
)
AnyStep = (
    ChooseChallenges
    | ChooseSkulls
    | CallMarine
    | NextLevel
    | ChooseBoard
    | ChooseEntry
    | ChooseSquad
    | DeploySquad
    | Populate
    | EquipSquad
    | Begin
    | Ready
    | Turn
    | Free
    | RollFailed
    | Salvo
    | Infest
    | Revealed
    | Carry
    | CardDone
    | Tie
    | Place
    | Spread
    | PlaceAtRolls
    | Ambushed
    | Strikes
    | Wound
    | OrderCards
)
