"""The options and the position of one level, as plain data: squares by name, Marines by code, counters by id."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ..states import State
from .steps import AnyStep


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game may be played with; the first value of each is the default reading of a gap in the rulebook.

    `special_pick` who may get which special card, `sight` what a straight line is, `corner` what stops a diagonal,
    `range_count` whether the target's square counts, `frag_needs_sight` and `blast_adjacent` how blasts work,
    `empty_bag_strikes`, `line_marine` and `short_bag` how reinforcements work, `deck_out` when the deck has run out.

    `mode` is one level by itself (`level`) or the campaign of all three. `skull_cards` and `challenges` name what is added
    to them (`none`, `all`, ids, or `ask` to be asked in the game; a challenge may be `random`), `skull` whether skull
    cards replace others. `campaign_pass`, `dock`, `left_behind_calls` and `used_cards` are readings of the campaign.
    `players` says who controls which Marine.
    """

    level: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    special_pick: Literal["pooled", "own_pair"] = "pooled"
    sight: Literal["eight", "any_angle"] = "eight"
    corner: Literal["both_flanks", "either_flank"] = "both_flanks"
    range_count: Literal["inclusive", "exclusive"] = "inclusive"
    frag_needs_sight: bool = True
    blast_adjacent: Literal["edges", "eight"] = "edges"
    empty_bag_strikes: bool = False
    line_marine: Literal["hit", "skip"] = "hit"
    short_bag: Literal["nesw", "team"] = "nesw"
    deck_out: Literal["last_resolved", "draw_needed"] = "last_resolved"
    mode: Literal["single", "campaign"] = "single"
    skull_cards: str = "none"
    challenges: str = "none"
    skull: Literal["add", "replace_random"] = "add"
    campaign_pass: Annotated[int, msgspec.Meta(ge=1, le=3)] = 2
    dock: Literal["far_end", "free_order"] = "far_end"
    left_behind_calls: bool = False
    used_cards: Literal["back_each_level", "out_for_campaign"] = "back_each_level"
    players: str = ""

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that are played."""
        return (1, 2, 3) if self.mode == "campaign" else (self.level,)


class Marine(msgspec.Struct):
    """A Marine of the squad: where he stands (empty: nowhere), his wounds (2: out of action) and his special cards.

    `spores` is how many actions fewer his next turn has.
    """

    square: str = ""
    wounds: int = 0
    cards: list[str] = []
    spores: int = 0


class Creature(msgspec.Struct, frozen=True):
    """A creature counter on the board."""

    counter: str
    kind: str


class TurnRecord(msgspec.Struct):
    """The turn that is going on: actions allowed and spent, free Moves and Attacks left, bonuses, and what was used.

    `extra` and `spores` are what the allowance holds beside the datacard's Actions (SMA-ACT-8). `attacks_made` counts
    Attack actions; `second_roll` says that the last die was a second roll (SMA-ATK-6).
    """

    marine: str
    allowance: int = 0
    spent: int = 0
    extra: int = 0
    spores: int = 0
    free_moves: int = 0
    free_attacks: int = 0
    attack_plus: int = 0
    console_plus: int = 0
    attacks_made: int = 0
    commands: int = 0
    grenades: int = 0
    second_rolls: int = 0
    second_roll: bool = False

    @property
    def left(self) -> int:
        """Paid actions left."""
        return self.allowance - self.spent if self.allowance > self.spent else 0


class FreeRecord(msgspec.Struct):
    """Free actions of a Marine outside his turn: Moves, Attacks, and those that may be either (SMA-ACT-9)."""

    marine: str
    moves: int = 0
    attacks: int = 0
    either: int = 0
    second_roll: bool = False


class Ending(msgspec.Struct, frozen=True):
    """How a level ended; `damage` is how many damage counters lay on the Prime."""

    reason: str
    result: str
    on_exit: int
    in_play: int
    damage: int = 0


class LevelState(State):
    """A level's position; `chance` in it remembers what has been seen of the decks and what is out of the bag.

    `face` and `entry` name the ground, `exit` the label of the exit tile once it is laid. `bulkheads` are the labels
    they were laid at, in the order of their places in the shuffle; `sealed` those still solid, `peeked` the hidden
    sides known. `objective` is its square, `console` whether it has been activated. `known` is the known top of the
    infestation deck, `card` the infestation card being carried out, `more` how many further ones it asks for,
    `ambushed` whom it wounded in an ambush. `means` is what the last attack was made with (`attack`, `grenade` or a card),
    or what gave its second roll. `deck` is what the activation deck is made of, `activation` its card turned
    over last.

    `damage` are the damage counters on the Prime, which is in `tyranids` as any other. `skulls` are the advanced cards of
    this level's deck, `dares` the challenges of the game, `triggered` how often each took effect in this level and `due`
    which extra activation cards it owes the next round. In a campaign `faces` are those played on before, `called` says
    that the fifth Marine was sent for, `gone` are the Marines lost in earlier levels (of the last one, `fallen` were taken
    out of action and `strays` left behind), `spent` the special cards that are out for good. `equipped` are those who have this level's special card; `over`
    is the campaign's result, `cleared` the decks that the levels before used up, `rounds_before` and `kills_before` what
    was played and destroyed in them.
    """

    options: Options = Options()
    pending: list[AnyStep] = []
    level: int = 0
    mission: str = ""
    face: str = ""
    entry: str = ""
    exit: str = ""
    bulkheads: tuple[str, ...] = ()
    sealed: tuple[str, ...] = ()
    peeked: dict[str, str] = {}
    objective: str = ""
    console: bool = False
    squad: tuple[str, ...] = ()
    marines: dict[str, Marine] = {}
    tyranids: dict[str, Creature] = {}
    kills: dict[str, int] = {}
    hardened: dict[str, int] = {}
    pool: tuple[str, ...] = ()
    used: list[str] = []
    deck: tuple[str, ...] = ()
    round: int = 0
    activation: str = ""
    known: list[str] = []
    card: str = ""
    more: int = 0
    ambushed: list[str] = []
    means: str = ""
    turn: TurnRecord | None = None
    free: FreeRecord | None = None
    ended: Ending | None = None
    damage: int = 0
    skulls: tuple[str, ...] = ()
    dares: tuple[str, ...] = ()
    triggered: dict[str, int] = {}
    due: list[str] = []
    faces: tuple[str, ...] = ()
    called: bool = False
    gone: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    strays: tuple[str, ...] = ()
    spent: list[str] = []
    equipped: list[str] = []
    over: str = ""
    cleared: dict[str, int] = {}
    rounds_before: int = 0
    kills_before: int = 0

    def moved(self) -> None:
        """Forget what was derived from the ground and the units on it: events that change these call it."""
        self.__dict__.pop("field", None)


BAG = "creatures"
"""The name of the bag of creature counters."""
INFESTATION, ACTIVATION, BULKHEADS, SPECIALS = "infestation", "activation", "bulkheads", "specials"
CHALLENGES, SKULLS = "challenges", "skulls"
"""The names of the decks; the last two are shuffled only to pick from them at random."""
PRIME = "prime"
"""The kind of the Tyranid Prime; its counter is the objective's other side."""


def pile(state: LevelState, deck: str) -> str:
    """Return the key of a deck's latest shuffle, empty if it was not shuffled in this level."""
    ordinal = state.chance.ordinals.get(deck, 0)
    return f"{deck}/{ordinal}" if ordinal > state.cleared.get(deck, 0) else ""


def top(state: LevelState, deck: str) -> int:
    """Return the place of the next card of a deck that has not been seen, -1 when all have."""
    key = pile(state, deck)
    if not key:
        return -1
    shuffled = state.chance.decks[key]
    seen = len(shuffled.seen)
    return seen if seen < len(shuffled.items) else -1


def cards_left(state: LevelState) -> int:
    """Return how many infestation cards have not been turned over."""
    key = pile(state, INFESTATION)
    if not key:
        return 0
    shuffled = state.chance.decks[key]
    return len(shuffled.items) - len(shuffled.seen) + len(state.known)


def bag_size(state: LevelState) -> int:
    """Return how many counters the bag holds."""
    bag = state.chance.bags.get(BAG)
    return bag.size() if bag is not None else 0
