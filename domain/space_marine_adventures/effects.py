"""What cards, datacards, briefings and challenges do, as data: a closed vocabulary, told apart by `op`.

One struct for each primitive; a text that names another `op`, or another field, is refused on load.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

Creature = Literal["termagant", "genestealer", "lictor"]
Kind = Literal["termagant", "genestealer", "lictor", "prime"]
FromBag = Literal["bag", "termagant", "genestealer", "lictor"]
"""Which counter is taken: any at random, or one of that kind while the bag has one."""
Who = Literal["foremost", "rearmost", "isolated", "each"]
Positive = Annotated[int, msgspec.Meta(ge=1, le=99)]
Whole = Annotated[int, msgspec.Meta(ge=0, le=99)]
Die = Annotated[int, msgspec.Meta(ge=1, le=6)]
Kinds = Annotated[tuple[Kind, ...], msgspec.Meta(min_length=1)]


def _op(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class Effect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag=_op):
    """The base of all primitives; `op` is the name of the class in small letters: `PlaceEntries` is `place_entries`."""


# Infestation cards, and the briefings' own lists


class PlaceEntries(Effect, frozen=True):
    """A reinforcement at each xenos entry named, in that order."""

    entries: Annotated[tuple[Die, ...], msgspec.Meta(min_length=1)]
    kind: FromBag = "bag"


class PlaceRolled(Effect, frozen=True):
    """`count` times: roll a die, then a reinforcement at the xenos entry of that number."""

    count: Positive
    kind: FromBag = "bag"


class PlaceEmptyEntries(Effect, frozen=True):
    """A counter on each empty xenos entry, 1 to 6, until `max` have been placed."""

    max: Positive


class PlaceObjective(Effect, frozen=True):
    """A reinforcement at the objective square."""


class Ambush(Effect, frozen=True):
    """`count` counters on empty squares adjacent to each Marine picked; no such square wounds him, once a card."""

    who: Who
    count: Positive
    kind: FromBag = "bag"


class Claws(Effect, frozen=True):
    """Each Marine adjacent to a Tyranid of these kinds rolls his die; at most `wound_on` wounds him."""

    kinds: Kinds
    wound_on: Die


class Spines(Effect, frozen=True):
    """As claws, for each Marine whom a Tyranid of these kinds sees within `range`; 6 wounds without a roll."""

    kinds: Kinds
    range: Positive
    wound_on: Die


class Charge(Effect, frozen=True):
    """Creatures of these kinds that see a Marine along a clear straight line move up to him, `range` squares at most."""

    kinds: Annotated[tuple[Creature, ...], msgspec.Meta(min_length=1)]
    range: Positive


class Spores(Effect, frozen=True):
    """Those Marines have `minus` actions fewer in their next turn."""

    who: Who
    minus: Positive


class Harden(Effect, frozen=True):
    """Resilience of these kinds is `plus` higher until the round ends."""

    kinds: Kinds
    plus: Positive


class Branch(Effect, frozen=True, rename={"otherwise": "else"}):
    """Runs `then` if its one condition holds, the list called `else` in the files if it does not."""

    then: tuple[InfestationEffect, ...]
    otherwise: tuple[InfestationEffect, ...]
    if_kind_on_board: Kind | None = None
    if_prime_damaged: Literal[True] | None = None
    if_bag_empty: Literal[True] | None = None

    def __post_init__(self) -> None:
        given = (self.if_kind_on_board, self.if_prime_damaged, self.if_bag_empty)
        if sum(condition is not None for condition in given) != 1:
            raise ValueError("a branch needs exactly one of if_kind_on_board, if_prime_damaged and if_bag_empty")


class PrimeHeal(Effect, frozen=True):
    """Removes that many damage counters from the Prime."""

    count: Positive


class ExtraInfestation(Effect, frozen=True):
    """Once this card is done, that many further infestation cards are turned over."""

    count: Positive


class Lull(Effect, frozen=True):
    """Nothing."""


# Special cards


class Blast(Effect, frozen=True):
    """A roll against a Tyranid in sight within `range`, then against each adjacent to it."""

    range: Positive
    bonuses: Literal[False] = False


class SpecialAttack(Effect, frozen=True):
    """One free roll, `plus` added, against a Tyranid in sight within `range`."""

    range: Positive
    plus: Whole


class LineBlast(Effect, frozen=True):
    """A roll against every Tyranid along one of the eight directions up to `range`."""

    range: Positive


class AutoHit(Effect, frozen=True):
    """One Tyranid adjacent to the user is hit without a die."""

    where: Literal["adjacent"]


class FreeMoves(Effect, frozen=True):
    """That many free Moves."""

    who: Literal["self"]
    count: Positive


class FreeAttacks(Effect, frozen=True):
    """That many free Attacks."""

    who: Literal["self"]
    count: Positive


class FreeActions(Effect, frozen=True):
    """Another Marine takes up to `count` free Moves or Attacks at once."""

    who: Literal["other"]
    count: Positive


class ExtraActions(Effect, frozen=True):
    """The allowance of this turn rises by `count`."""

    count: Positive


class TurnBonus(Effect, frozen=True):
    """Added to the holder's Attack rolls, or console tries, until his turn ends."""

    attack_plus: Whole = 0
    console_plus: Whole = 0


class Reroll(Effect, frozen=True):
    """The failed die is rolled again."""


class Heal(Effect, frozen=True):
    """A wounded Marine turns healthy."""

    who: Literal["self", "self_or_adjacent"]


class PreventWound(Effect, frozen=True):
    """The wound does not happen."""


class CancelInfestation(Effect, frozen=True):
    """The revealed infestation card is discarded with all its steps."""


class PeekInfestation(Effect, frozen=True):
    """The next `count` infestation cards become known; with `reorder` they are put back in any order."""

    count: Positive
    reorder: bool


class PeekBulkhead(Effect, frozen=True):
    """The hidden side of that many bulkheads becomes known."""

    count: Positive


class Redeploy(Effect, frozen=True):
    """The holder moves to an empty square adjacent to another Marine in play."""

    where: Literal["adjacent_to_marine"]


# Datacards


class Command(Effect, frozen=True):
    """Another Marine takes a free Move or Attack at once; the giver spends `cost` actions; `uses` times a turn."""

    uses: Positive
    cost: Whole


class RerollFailedAttack(Effect, frozen=True):
    """A failed Attack die of his own turn is rolled again, at targets `min_distance` or more away."""

    uses: Positive
    min_distance: Whole = 0


class AttackPlus(Effect, frozen=True):
    """Added to Attack rolls."""

    plus: Whole


class AttackDice(Effect, frozen=True):
    """That many dice for an Attack, the highest kept; with `uses`, only his first so many Attacks of each own turn."""

    dice: Positive
    uses: Positive | None = None


class FreeMoveOnKill(Effect, frozen=True):
    """Each successful Attack gives that many free Moves."""

    count: Positive


class Grenade(Effect, frozen=True):
    """As a blast of that range, for `cost` actions, `uses` times a turn."""

    uses: Positive
    cost: Whole
    range: Positive


# Challenges


class AddTyranidActivation(Effect, frozen=True):
    """That many extra Tyranid activation cards join at the start of the next round."""

    count: Positive


class OnEvent(Effect, frozen=True):
    """Runs `do` when the event of that name is recorded: the first time only, or at most `max` times."""

    event: Literal["ConsoleActivated", "MarineWounded", "PrimeDamaged"]
    do: tuple[AddTyranidActivation, ...]
    once: bool = False
    max: Positive | None = None


class Require(Effect, frozen=True):
    """Fewer than `at_least` destroyed counters of the kind at the end cap the result."""

    counter: Literal["tyranids_destroyed"]
    kind: Literal["any", "termagant", "genestealer", "lictor"]
    at_least: Positive
    otherwise_cap: Literal["draw"]


class PrimeDestroyedAt(Effect, frozen=True):
    """How many damage counters destroy the Prime, in place of the briefing's figure."""

    count: Positive


InfestationEffect = (
    PlaceEntries
    | PlaceRolled
    | PlaceEmptyEntries
    | PlaceObjective
    | Ambush
    | Claws
    | Spines
    | Charge
    | Spores
    | Harden
    | Branch
    | PrimeHeal
    | ExtraInfestation
    | Lull
)
SpecialEffect = (
    Blast
    | SpecialAttack
    | LineBlast
    | AutoHit
    | FreeMoves
    | FreeAttacks
    | FreeActions
    | ExtraActions
    | TurnBonus
    | Reroll
    | Heal
    | PreventWound
    | CancelInfestation
    | PeekInfestation
    | PeekBulkhead
    | Redeploy
)
DatacardEffect = Command | RerollFailedAttack | AttackPlus | AttackDice | FreeMoveOnKill | Grenade
ChallengeEffect = OnEvent | Require | PrimeDestroyedAt
