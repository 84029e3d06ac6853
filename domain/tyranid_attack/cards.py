"""What exploration cards do: their effects, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from ..chance import Roll
from ..rules import Script, do
from . import effects as e
from . import harm
from .book import BLOB, Book
from .counts import amount, is_rolled
from .endings import marines
from .events_model import ArtifactFound
from .events_ship import CardPutAway, ExplorationEnded
from .events_turn import CardAttacked, CardDiceRolled
from .state import TYRANID, HiveState, Point
from .steps import CardDone, Effects, Enter, Found, LayCyst, Put


def run_effects(book: Book, state: HiveState, step: Effects) -> Script:
    """Carry out the effects of a card in their order (TA-CARD-1)."""
    effects = book.catalogue.cards[step.card].effects
    if step.first >= len(effects):
        return
    yield do(Effects(card=step.card, first=step.first + 1))
    effect = effects[step.first]
    yield from EFFECTS[type(effect)](book, state, step.card, effect)


def run_done(book: Book, state: HiveState, step: CardDone) -> Script:
    """Put the card where it says, and go on with the part (TA-EXPL-12, TA-ART-2)."""
    yield CardPutAway(step.card, book.catalogue.cards[step.card].after, rule="TA-EXPL-12")
    yield ExplorationEnded(rule="TA-EXPL-12")


def trigger_square(book: Book, state: HiveState) -> Point:
    """Return the square of the model that opened the section (TA-CARD-4)."""
    trigger = state.trigger
    assert trigger is not None
    model = state.models.get(trigger.model)
    at = model.at if model is not None else state.death
    return at if at is not None and at in book.ship(state).bare else trigger.first


def zone(state: HiveState, effect: Any) -> int:
    """Return the section that an effect is about."""
    assert state.trigger is not None
    return state.trigger.section if effect.zone == "explored" else state.chain[-1].section


def _count(book: Book, state: HiveState, card: str, count: str) -> Generator[Any, Any, int]:
    if not is_rolled(count):
        return amount(count, 0)
    (die,) = yield Roll(TYRANID, 6, 1, "card", card, "TA-CARD-1")
    value = amount(count, die)
    yield CardDiceRolled(card, value, rule="TA-CARD-1")
    return value


def _nothing(book: Book, state: HiveState, card: str, effect: e.Nothing) -> Script:
    yield from ()


def _place(book: Book, state: HiveState, card: str, effect: e.PlaceTyranids) -> Script:
    slots = yield from _count(book, state, card, effect.count)
    kinds = () if effect.kinds == "any" else tuple(effect.kinds)
    yield do(Put(section=zone(state, effect), slots=slots, apart=effect.min_distance, kinds=kinds))


def _blobs(book: Book, state: HiveState, card: str, effect: e.PlaceBlobs) -> Script:
    slots = yield from _count(book, state, card, effect.count)
    section, apart = zone(state, effect), effect.min_distance
    yield do(Put(section=section, slots=slots, apart=apart, kinds=(BLOB,), rule="TA-BLOB-1"))


def _cysts(book: Book, state: HiveState, card: str, effect: e.PlaceCysts) -> Script:
    count = yield from _count(book, state, card, effect.count)
    yield do(LayCyst(section=zone(state, effect), count=count, apart=effect.min_distance))


def _reinforce(book: Book, state: HiveState, card: str, effect: e.FreeReinforcements) -> Script:
    count = yield from _count(book, state, card, effect.count)
    yield do(*(Enter() for _ in range(count)))


def _artifact(book: Book, state: HiveState, card: str, effect: e.FindArtifact) -> Script:
    assert state.trigger is not None
    if state.trigger.model in state.models:
        yield ArtifactFound(effect.number, state.trigger.model, rule="TA-ART-2")
    else:
        yield ArtifactFound(effect.number, at=trigger_square(book, state), rule="TA-ART-10")


def _allies(book: Book, state: HiveState, card: str, effect: e.PlaceMarines) -> Script:
    there = book.roster(state.options)
    kinds = tuple(kind if there.get(kind) else "terminator" for kind in effect.kinds)
    fresh = effect.may_act or state.options.found_marines_act
    yield do(Found(kinds=kinds, near=trigger_square(book, state), fresh=fresh))


def _attack(book: Book, state: HiveState, card: str, effect: e.AttackMarines) -> Script:
    ship = book.ship(state)
    order = list(book.kinds)
    there = [
        name for name in marines(book, state) if zone(state, effect) in ship.sections.get(state.models[name].at, ())
    ]
    for name in sorted(there, key=lambda name: (order.index(name[:2]), int(name[2:]))):
        rolls: tuple[int, ...] = yield Roll(TYRANID, 6, effect.dice, "card", name, "TA-CARD-1")
        need = book.armour_of(state.models[name])
        yield CardAttacked(card, name, rolls, need, max(rolls) >= need, rule="TA-CARD-1")
        if max(rolls) >= need:
            yield from harm.hurt(book, state, name, card, "TA-LIFE-1")


EFFECTS: dict[type, Callable[[Book, HiveState, str, Any], Script]] = {
    e.Nothing: _nothing,
    e.PlaceTyranids: _place,
    e.PlaceBlobs: _blobs,
    e.PlaceCysts: _cysts,
    e.FreeReinforcements: _reinforce,
    e.FindArtifact: _artifact,
    e.PlaceMarines: _allies,
    e.AttackMarines: _attack,
}
"""What carries out each effect of the vocabulary."""
