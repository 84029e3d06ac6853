"""The vocabulary of effects: what the content of a card, an artifact, an order or an objective can say that it does."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..content import Record

Zone = Literal["explored", "front"]
"""The section whose card is turned, or the newest one; shared squares belong to both."""


class Nothing(Record, frozen=True, tag_field="do", tag="nothing"):
    """No effect."""


class PlaceTyranids(Record, frozen=True, tag_field="do", tag="place_tyranids"):
    """The Tyranid player places `count` slots of models of those kinds; `any` is every kind but blobs (TA-CARD-2)."""

    count: str
    zone: Zone
    min_distance: int
    kinds: Literal["any"] | tuple[str, ...]


class PlaceBlobs(Record, frozen=True, tag_field="do", tag="place_blobs"):
    """The Tyranid player places `count` acid-blobs, as far as counters reach (TA-BLOB-1)."""

    count: str
    zone: Zone
    min_distance: int


class PlaceCysts(Record, frozen=True, tag_field="do", tag="place_cysts"):
    """The Tyranid player lays `count` cysts, as far as counters reach (TA-CYST-1)."""

    count: str
    zone: Zone
    min_distance: int


class FreeReinforcements(Record, frozen=True, tag_field="do", tag="free_reinforcements"):
    """So many times one model enters as a reinforcement without a die (TA-REINF-2, TA-REINF-6)."""

    count: str


class FindArtifact(Record, frozen=True, tag_field="do", tag="find_artifact"):
    """The counter with that number goes to the trigger, or to its square (TA-ART-2, TA-ART-10)."""

    number: int


class PlaceMarines(Record, frozen=True, tag_field="do", tag="place_marines"):
    """The Marine player places each listed model that has never been in play (TA-CARD-3)."""

    kinds: tuple[str, ...]
    may_act: bool


class AttackMarines(Record, frozen=True, tag_field="do", tag="attack_marines"):
    """Each Marine on the zone is attacked with so many dice against his armour."""

    dice: int
    zone: Zone


class BearerHthBonus(Record, frozen=True, tag_field="do", tag="bearer_hth_bonus"):
    """The bearer adds that to his score, attacking and defending."""

    amount: int


class BearerArmour(Record, frozen=True, tag_field="do", tag="bearer_armour"):
    """The bearer's armour is that much higher, but not above `maximum`."""

    amount: int
    maximum: int


class BearerMove(Record, frozen=True, tag_field="do", tag="bearer_move"):
    """The bearer's move is that much higher, from his next move on."""

    amount: int


class BearerFireDice(Record, frozen=True, tag_field="do", tag="bearer_fire_dice"):
    """The bearer shoots with that many more dice (TA-ART-3, TA-ART-11)."""

    amount: int


class OrderMoves(Record, frozen=True, tag_field="do", tag="order_moves"):
    """A model that is served has that many moves (TA-ORDER-9)."""

    count: int


class OrderShots(Record, frozen=True, tag_field="do", tag="order_shots"):
    """A model that is served has that many shooting attacks and no other, if it does not move (TA-ORDER-10)."""

    count: int
    only_if_unmoved: bool


class OrderHthDice(Record, frozen=True, tag_field="do", tag="order_hth_dice"):
    """A model that is served rolls that many more dice in each round that it starts (TA-ORDER-11)."""

    amount: int


class OrderShotBonus(Record, frozen=True, tag_field="do", tag="order_shot_bonus"):
    """A model that is served adds that to each of its shooting dice (TA-ORDER-12)."""

    amount: int


class OrderSplitMove(Record, frozen=True, tag_field="do", tag="order_split_move"):
    """A model that is served may use the squares left of its move after its attack (TA-ORDER-12)."""


class OnDestroyReturnScouts(Record, frozen=True, tag_field="do", tag="on_destroy_return_scouts"):
    """On a die of `need` or more, up to `count` lost Scouts return (TA-SPEC-1)."""

    need: int
    count: str


class AfterDestroyPeekCards(Record, frozen=True, tag_field="do", tag="after_destroy_peek_cards"):
    """On a die of `need` or more the Marine player sees a card before it is laid (TA-SPEC-4)."""

    need: int


class WhileStandingAttackAdjacentOnly(Record, frozen=True, tag_field="do", tag="while_standing_attack_adjacent_only"):
    """Models on its section can be attacked only from adjacent squares (TA-SPEC-5)."""


class AfterDestroyCloseCysts(Record, frozen=True, tag_field="do", tag="after_destroy_close_cysts"):
    """No reinforcement enters through cysts any more (TA-SPEC-8)."""


class AfterDestroyReinforcementModifier(
    Record, frozen=True, tag_field="do", tag="after_destroy_reinforcement_modifier"
):
    """That is added to every reinforcement roll (TA-REINF-4)."""

    amount: int


class WhileStandingPassOut(Record, frozen=True, tag_field="do", tag="while_standing_pass_out"):
    """Each Marine within so many squares passes out on a die of `on` as his part starts (TA-SPEC-10)."""

    within: int
    on: int


CardEffect: TypeAlias = (
    Nothing | PlaceTyranids | PlaceBlobs | PlaceCysts | FreeReinforcements | FindArtifact | PlaceMarines | AttackMarines
)
ArtifactEffect: TypeAlias = BearerHthBonus | BearerArmour | BearerMove | BearerFireDice
OrderEffect: TypeAlias = OrderMoves | OrderShots | OrderHthDice | OrderShotBonus | OrderSplitMove
ObjectiveEffect: TypeAlias = (
    OnDestroyReturnScouts
    | AfterDestroyPeekCards
    | WhileStandingAttackAdjacentOnly
    | AfterDestroyCloseCysts
    | AfterDestroyReinforcementModifier
    | WhileStandingPassOut
)
Effect: TypeAlias = CardEffect | ArtifactEffect | OrderEffect | ObjectiveEffect


def word(effect: Effect) -> str:
    """Return the effect's `do` word, as the content writes it."""
    return str(type(effect).__struct_config__.tag)
