"""What cards, artifacts, orders and the effects of all content must be like, so that they can be carried out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..faults import Fault, repeated
from . import effects as e
from . import records as r
from .counts import is_count

if TYPE_CHECKING:
    from .catalogue import Catalogue

FILE, ORDERS, OBJECTIVES = "exploration.toml", "orders.toml", "objectives.toml"
DECK, CARDS_OF_ORDERS = 16, 4
"""How many cards there are (TA-COMP-2)."""
EFFECTS: dict[str, tuple[type[e.CardEffect], ...]] = {
    "nothing": (e.Nothing,),
    "encounter": (e.PlaceTyranids,),
    "event": (e.FreeReinforcements, e.AttackMarines),
    "acid_blobs": (e.PlaceBlobs,),
    "cysts": (e.PlaceCysts,),
    "artifact": (e.FindArtifact, e.PlaceTyranids),
    "allies": (e.PlaceMarines,),
}
"""What cards of a category do."""
AFTER = {"artifact": "keep", "allies": "remove"}
"""Where cards go that are not discarded."""
COMES_BACK = 2
"""How many cards must be discarded, for one of them lies face down when the deck runs out (TA-EXPL-17)."""


def deck(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with the exploration deck: its size, and cards that are not as their category (TA-COMP-2)."""
    if len(catalogue.cards) != DECK or catalogue.deck_size != DECK:
        reason = f"there must be {DECK} cards; deck_size says {catalogue.deck_size}, they are {len(catalogue.cards)}."
        yield Fault(reason, FILE)
    for number, card in enumerate(catalogue.cards.values()):
        if not card.effects or any(not isinstance(effect, EFFECTS[card.category]) for effect in card.effects):
            reason = f"a card of the category '{card.category}' must do that and nothing else."
            yield Fault(reason, FILE, "card", number, "effects")
        if card.after != AFTER.get(card.category, "discard"):
            reason = f"a card of the category '{card.category}' must be '{AFTER.get(card.category, 'discard')}'."
            yield Fault(reason, FILE, "card", number, "after")
    if sum(card.after == "discard" for card in catalogue.cards.values()) < COMES_BACK:
        yield Fault(f"at least {COMES_BACK} cards must be discarded, or the deck could not be made anew.", FILE)


def artifacts(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield artifacts, their counters and their cards that do not belong to each other (TA-ART-2)."""
    numbers = catalogue.counters["artifact"].numbers
    if sorted(catalogue.artifacts) != list(numbers):
        yield Fault(f"there must be artifacts with the numbers {list(numbers)}.", FILE)
    for number, artifact in enumerate(catalogue.artifacts.values()):
        card = catalogue.cards.get(artifact.card)
        if card is None or card.artifact != artifact.number:
            reason = f"there is no card '{artifact.card}' of artifact {artifact.number}."
            yield Fault(reason, FILE, "artifact", number, "card")
        elif card.name != artifact.name:
            yield Fault(f"its card calls it '{card.name}'.", FILE, "artifact", number, "name")
    for number, card in enumerate(catalogue.cards.values()):
        owner = catalogue.artifacts.get(card.artifact)
        if (card.category == "artifact") != (owner is not None and owner.card == card.id):
            yield Fault(f"artifact {card.artifact} does not name this card.", FILE, "card", number, "artifact")
        found = [effect.number for effect in card.effects if isinstance(effect, e.FindArtifact)]
        if found != ([card.artifact] if owner else []):
            yield Fault("it must find its own artifact, once.", FILE, "card", number, "effects")


def orders(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield orders that are not four, or cannot be told apart by what is typed (TA-COMP-2)."""
    if len(catalogue.orders) != CARDS_OF_ORDERS:
        yield Fault(f"there must be {CARDS_OF_ORDERS} order cards, not {len(catalogue.orders)}.", ORDERS)
    ids: set[str] = set()
    for number, order in enumerate(catalogue.orders.values()):
        if not (order.key.isalpha() and order.key.islower() and order.key.isascii()):
            yield Fault(f"'{order.key}' cannot be typed; use small letters.", ORDERS, "order", number, "key")
        if order.id in ids:
            yield Fault(f"'{order.id}' is there twice; each must be unique.", ORDERS, "order", number, "id")
        ids.add(order.id)
        if not order.effects or repeated(e.word(effect) for effect in order.effects):
            yield Fault("it must do something, each thing once.", ORDERS, "order", number, "effects")


def effects(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield effects whose figures the rules could not work with, and figures of objectives out of bounds."""
    for number, card in enumerate(catalogue.cards.values()):
        for effect in card.effects:
            for reason in _of_card(effect, catalogue):
                yield Fault(reason, FILE, "card", number, "effects")
    for number, artifact in enumerate(catalogue.artifacts.values()):
        for reason in _of_artifact(artifact.effect):
            yield Fault(reason, FILE, "artifact", number, "effect")
    for number, order in enumerate(catalogue.orders.values()):
        for done in order.effects:
            for reason in _of_order(done):
                yield Fault(reason, ORDERS, "order", number, "effects")
    for number, objective in enumerate(catalogue.objectives.values()):
        if not objective.effect or repeated(e.word(effect) for effect in objective.effect):
            yield Fault("it must do something, each thing once.", OBJECTIVES, "objective", number, "effect")
        for special in objective.effect:
            for reason in _of_objective(special):
                yield Fault(reason, OBJECTIVES, "objective", number, "effect")
    if not 2 <= catalogue.objective_armour <= 6:
        yield Fault(f"armour must be 2 to 6, not {catalogue.objective_armour}.", OBJECTIVES)
    if not 1 <= catalogue.needed <= len(catalogue.objectives):
        reason = f"needed_to_win must be 1 to {len(catalogue.objectives)}, not {catalogue.needed}."
        yield Fault(reason, OBJECTIVES)
    if catalogue.defenders != "D6":
        yield Fault(f"defenders must be 'D6', the face of one die, not '{catalogue.defenders}'.", OBJECTIVES)


def _least(effect: e.Effect, **least: int) -> Iterator[str]:
    for key, smallest in least.items():
        if getattr(effect, key) < smallest:
            yield f"{key} must be at least {smallest}, not {getattr(effect, key)}."


def _of_card(effect: e.CardEffect, catalogue: Catalogue) -> Iterator[str]:
    count = getattr(effect, "count", "1")
    if not is_count(count):
        yield f"'{count}' is no count: a number from 1, D3, D3+1 or D6."
    match effect:
        case e.PlaceTyranids():
            yield from _least(effect, min_distance=0)
            if effect.kinds != "any":
                yield from _kinds(effect.kinds, catalogue, "tyranid")
        case e.PlaceBlobs() | e.PlaceCysts():
            yield from _least(effect, min_distance=0)
        case e.PlaceMarines():
            yield from _kinds(effect.kinds, catalogue, "marine")
            yield from _found(effect.kinds, catalogue)
        case e.AttackMarines():
            yield from _least(effect, dice=1)


def _kinds(kinds: tuple[str, ...], catalogue: Catalogue, side: str) -> Iterator[str]:
    if not kinds:
        yield "it names no kind of model."
    for kind in kinds:
        profile: r.Profile | None = catalogue.profiles.get(kind)
        if profile is None or profile.side != side or profile.card_only:
            yield f"there is no model '{kind}' of the side '{side}' to place."


def _found(kinds: tuple[str, ...], catalogue: Catalogue) -> Iterator[str]:
    """Found Marines are those that only a card brings; a kind the box lacks is a plain Terminator (TA-SETUP-5)."""
    there = {id: profile.count for id, profile in catalogue.profiles.items() if profile.group == "terminator"}
    for kind in kinds:
        if kind in catalogue.profiles and kind not in there:
            yield f"'{kind}' is no Terminator, and so is not found."
    plain = {"terminator", "terminator_flamer"}
    for ids in [plain, *({id} for id in there if id not in plain)]:
        wanted, most = sum(kind in ids for kind in kinds), sum(there[id] for id in ids)
        if wanted > most:
            yield f"there are only {most} models of {', '.join(sorted(ids))}, not {wanted}."


def _of_artifact(effect: e.ArtifactEffect) -> Iterator[str]:
    yield from _least(effect, amount=1)
    if isinstance(effect, e.BearerArmour) and not 2 <= effect.maximum <= 6:
        yield f"maximum must be 2 to 6, not {effect.maximum}."


def _of_order(effect: e.OrderEffect) -> Iterator[str]:
    match effect:
        case e.OrderMoves() | e.OrderShots():
            yield from _least(effect, count=2)
            if isinstance(effect, e.OrderShots) and not effect.only_if_unmoved:
                yield "more shots are known only for a model that does not move; only_if_unmoved must be true."
        case e.OrderHthDice() | e.OrderShotBonus():
            yield from _least(effect, amount=1)


def _of_objective(effect: e.ObjectiveEffect) -> Iterator[str]:
    for key in ("need", "on"):
        face = getattr(effect, key, 1)
        if not 1 <= face <= 6:
            yield f"{key} must be a face of a die, not {face}."
    match effect:
        case e.OnDestroyReturnScouts() if effect.count != "D6":
            yield f"count must be 'D6', the face of one die, not '{effect.count}'."
        case e.AfterDestroyReinforcementModifier() if not -6 <= effect.amount <= -1:
            yield f"amount must be -6 to -1, not {effect.amount}."
        case e.WhileStandingPassOut():
            yield from _least(effect, within=1)
