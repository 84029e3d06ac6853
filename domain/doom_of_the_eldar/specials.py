"""The Eldar Special Actions phase: what areas do, what comes back, and conversions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..chance import Reveal, Roll
from ..choices import Choices, Keyed, Product
from ..events import CounterReturned
from ..rules import Decision, Refusal, Script, do
from . import endings
from .actions import END, Convert, End, HitSwarm, PlaceUnit, Use
from .book import Book
from .effects import DestroySwarm, ReturnUnit, RevealTo
from .events_special import SpecialActionUsed, StackScried, SwarmBarraged, UnitConverted, UnitReturned
from .losses import show
from .records import Conversion, SpecialAction
from .state import (
    CONVERTED_GROUND,
    CONVERTED_SPACECRAFT,
    DESTROYED_GROUND,
    DESTROYED_SPACECRAFT,
    ELDAR,
    LID,
    DoomState,
    face_down,
)
from .steps import Hit, Return, Special

_RULES = {
    "barrage": "DOE-SPEC-3", "repair": "DOE-SPEC-5", "scry": "DOE-SPEC-6", "muster": "DOE-SPEC-7",
    "warp_gate": "DOE-SPEC-8",
}  # fmt: skip
_PARKED = {DESTROYED_SPACECRAFT: CONVERTED_SPACECRAFT, DESTROYED_GROUND: CONVERTED_GROUND}
"""Where converted counters go under the option `repeat_conversion_pool` (ruling G-27)."""


def rule(action: SpecialAction) -> str:
    """Return the ID of the rule of a special action."""
    return _RULES.get(action.id, "DOE-SPEC-1")


# What an action could do


def targets(book: Book, state: DoomState) -> tuple[str, ...]:
    """Return the Swarms in space, by area and from bottom to top (DOE-SPEC-3, DOE-SPEC-4, DOE-HM-3)."""
    return tuple(token for area in book.space if area in state.stacks for token in face_down(state, area))


def visions(book: Book, state: DoomState) -> tuple[str, ...]:
    """Return the space areas that the Shrine can look upon: those with Swarms (DOE-SPEC-6, DOE-SPEC-10)."""
    return tuple(area for area in book.space if any(face_down(state, area)))


def returning(book: Book, state: DoomState, effect: ReturnUnit) -> tuple[str, ...]:
    """Return the units in the box that an action can bring back (DOE-SPEC-5, -7, -8)."""
    return tuple(id for id in state.eldar.get(effect.box, ()) if _fits(book, id, effect.types))


def _fits(book: Book, id: str, types: Sequence[str]) -> bool:
    unit = book.units[id]
    return unit.kind in types or "any" in types or (unit.group == "ship" and "any_ship" in types)


def useful(book: Book, state: DoomState, action: SpecialAction) -> bool:
    """Say whether a special action could have an effect now (DOE-SPEC-10)."""
    for effect in action.effect:
        if isinstance(effect, ReturnUnit):
            if returning(book, state, effect):
                return True
        elif any(any(face_down(state, area)) for area in state.stacks if area in book.deep):
            return True
    return False


def uses(book: Book, state: DoomState) -> Iterator[Use]:
    """Yield the special actions that may be made now (DOE-SPEC-1, -2, -9, -10)."""
    for area in state.fortified:
        action = book.actions.get(area)
        if action is None or area in state.used or not useful(book, state, action):
            continue
        if any(isinstance(effect, RevealTo) for effect in action.effect):
            yield from (Use(area, target) for target in visions(book, state))
        else:
            yield Use(area)


def ask_special(book: Book, state: DoomState, step: Special) -> Decision:
    """Ask for the next special action or conversion, in any order (DOE-SPEC-1, DOE-SPEC-9, DOE-CONV-3)."""
    made = Keyed(dict(conversions(book, state)), _converting)
    return Decision(ELDAR, Choices((END, *uses(book, state)), made), "Which special action or conversion?")


def _converting(action: object) -> str | None:
    return action.unit if isinstance(action, Convert) else None


def resolve_special(book: Book, state: DoomState, step: Special, action: Use | Convert | End) -> Script:
    """Roll for a special action and carry it out, or convert."""
    if isinstance(action, End):
        return
    yield do(step)
    if isinstance(action, Convert):
        yield from _convert(book, state, action)
        return
    special = book.actions[action.area]
    roll = 0
    if special.roll != "none":
        (roll,) = yield Roll(ELDAR, 6, 1, special.id, action.area, rule(special))
    success = not roll or roll in special.success
    yield SpecialActionUsed(action.area, special.id, roll, success, rule=rule(special))
    if not success:
        return
    for effect in special.effect:
        if isinstance(effect, DestroySwarm):
            yield do(*(Hit(area=action.area) for _ in range(effect.count)))
        elif isinstance(effect, ReturnUnit):
            yield do(Return(area=action.area))
        else:
            tokens = tuple(face_down(state, action.target))
            for token in tokens:
                yield Reveal(LID, token, "vision", action.target, rule(special), (effect.viewer,))
            yield StackScried(action.target, tokens, rule=rule(special))


def explain_special(book: Book, state: DoomState, step: Special, action: object) -> Refusal | None:
    """Say why that action or conversion may not be made."""
    if isinstance(action, Convert):
        return _explain_convert(book, state, action)
    if not isinstance(action, Use):
        return None
    if action.area not in book.adjacent:
        return Refusal("DOE-MAP-1", f"there is no area {action.area}")
    special = book.actions.get(action.area)
    where = book.names.area(action.area)
    if special is None:
        return Refusal("DOE-SPEC-1", f"{where} has no special action")
    if action.area in state.devastated:
        return Refusal("DOE-SPEC-2", f"{where} is devastated")
    if action.area in state.used:
        return Refusal("DOE-SPEC-1", f"{where} has made its special action in this turn")
    looks = any(isinstance(effect, RevealTo) for effect in special.effect)
    if not useful(book, state, special):
        return Refusal("DOE-SPEC-10", f"{where} could not do anything now")
    if looks and action.target not in book.deep:
        return Refusal("DOE-SPEC-6", "name a space area for the Shrine to look upon")
    if looks:
        return Refusal("DOE-SPEC-10", f"no Swarm lies in {action.target}")
    return Refusal(rule(special), f"{where} takes no target before it has succeeded")


# Barrages


def ask_hit(book: Book, state: DoomState, step: Hit) -> Decision | None:
    """Ask which Swarm the barrage destroys (DOE-SPEC-3)."""
    found = targets(book, state)
    return Decision(ELDAR, tuple(map(HitSwarm, found)), "Which Swarm do the torpedoes destroy?") if found else None


def resolve_hit(book: Book, state: DoomState, step: Hit, action: HitSwarm) -> Script:
    """Destroy that Swarm; it goes to the lid unseen (DOE-SPEC-3, DOE-LOSS-3, DOE-LOSS-8)."""
    yield from show(state, action.token)
    yield SwarmBarraged(step.area, action.token, state.swarms[action.token], rule="DOE-SPEC-3")
    yield CounterReturned(LID, action.token, rule="DOE-LOSS-3")
    yield from endings.check(book, state)


def explain_hit(book: Book, state: DoomState, step: Hit, action: object) -> Refusal | None:
    """Say why torpedoes cannot hit that."""
    if not isinstance(action, HitSwarm):
        return _under_way(book, step.area, action)
    at = state.swarms.get(action.token)
    if at is None:
        return Refusal("DOE-SPEC-3", f"no Swarm {action.token} is on the map")
    if at not in book.deep:
        return Refusal("DOE-SPEC-4", f"{action.token} is aboard the Craftworld")
    return Refusal("DOE-HM-3", f"{action.token} is the Hive Mind, face up: no barrage touches it")


def _under_way(book: Book, area: str, action: object) -> Refusal | None:
    """Say that one special action is finished before the next, or before a conversion."""
    reason = f"the special action of {book.names.area(area)} is finished first"
    if isinstance(action, Use):
        return Refusal("DOE-SPEC-1", reason)
    return Refusal("DOE-CONV-1", reason) if isinstance(action, Convert) else None


# What comes back


def _effect(book: Book, area: str) -> ReturnUnit:
    return next(effect for effect in book.actions[area].effect if isinstance(effect, ReturnUnit))


def landing(book: Book, area: str) -> tuple[str, ...]:
    """Return the areas to which an area's action brings a unit back (DOE-SPEC-5, -7, -8)."""
    return book.near_space[area] if _effect(book, area).to == "adjacent_space" else book.craftworld


def ask_return(book: Book, state: DoomState, step: Return) -> Decision | None:
    """Ask which unit comes back, and where to: occupied and full areas too (DOE-SPEC-9)."""
    units, areas = returning(book, state, _effect(book, step.area)), landing(book, step.area)
    if not units:
        return None
    return Decision(ELDAR, Product(PlaceUnit, _split_place, units, areas), "Which counter comes back, and where to?")


def _split_place(action: object) -> tuple[str, str] | None:
    return (action.unit, action.area) if isinstance(action, PlaceUnit) else None


def resolve_return(book: Book, state: DoomState, step: Return, action: PlaceUnit) -> Script:
    """Bring the unit back (DOE-SPEC-5, -7, -8)."""
    box = _effect(book, step.area).box
    yield UnitReturned(action.unit, box, action.area, rule=rule(book.actions[step.area]))


def explain_return(book: Book, state: DoomState, step: Return, action: object) -> Refusal | None:
    """Say why that unit does not come back there."""
    if not isinstance(action, PlaceUnit):
        return _under_way(book, step.area, action)
    id, names = rule(book.actions[step.area]), book.names
    if action.area not in book.adjacent:
        return Refusal("DOE-MAP-1", f"there is no area {action.area}")
    effect = _effect(book, step.area)
    if action.unit not in book.units or action.unit not in state.eldar.get(effect.box, ()):
        return Refusal(id, f"{action.unit} is not in the box: {names.box(effect.box)}")
    if not _fits(book, action.unit, effect.types):
        return Refusal(id, f"{names.area(step.area)} does not bring back {names.unit(action.unit)}")
    if effect.to == "adjacent_space":
        return Refusal(id, f"{action.area} is no space area beside {names.area(step.area)}")
    return Refusal(id, f"{action.area} is no area of the Craftworld")


# Conversions


def conversion(book: Book, unit: str) -> Conversion | None:
    """Return the conversion that a unit can make (DOE-CONV-1, DOE-CONV-2, DOE-CONV-4)."""
    return book.conversions.get(book.units[unit].kind)


def places(book: Book, found: Conversion, area: str) -> tuple[str, ...]:
    """Return where the taken unit may appear, beside where the other stood (DOE-CONV-1, DOE-CONV-2)."""
    return book.near_space[area] if found.place == "adjacent_space" else book.near_craftworld[area]


def takes(book: Book, state: DoomState, found: Conversion) -> tuple[str, ...]:
    """Return the units in the boxes that a conversion may take, none that came or converted now (DOE-CONV-3)."""
    boxes = [*found.take_from, *(_PARKED[box] for box in found.take_from if box in _PARKED)]
    kinds = found.take_types
    return tuple(
        id
        for box in boxes
        for id in state.eldar.get(box, ())
        if book.units[id].kind in kinds and id not in state.placed
    )


def conversions(book: Book, state: DoomState) -> Iterator[tuple[str, Sequence[Convert]]]:
    """Yield each unit that can convert with its conversions (DOE-CONV-1 to DOE-CONV-4)."""
    taken: dict[str, tuple[str, ...]] = {}
    for unit, area in state.units.items():
        if area not in book.adjacent or unit in state.placed:
            continue
        found = conversion(book, unit)
        if found is None:
            continue
        if found.id not in taken:
            taken[found.id] = takes(book, state, found)
        if taken[found.id]:
            near = places(book, found, area)
            if near:
                yield unit, Product(Convert, _split_convert, (unit,), taken[found.id], near)


def _split_convert(action: object) -> Any:
    return (action.unit, action.taken, action.area) if isinstance(action, Convert) else None


def _convert(book: Book, state: DoomState, action: Convert) -> Script:
    """Exchange the two counters (DOE-CONV-1, DOE-CONV-2, DOE-CONV-4)."""
    found = conversion(book, action.unit)
    assert found is not None
    box = state.units[action.taken]
    to: str = found.unit_to
    if state.options.repeat_conversion_pool == "separate":
        to = _PARKED[to]
    id = "DOE-CONV-1" if found.place == "adjacent_space" else "DOE-CONV-2"
    yield UnitConverted(action.unit, to, action.taken, box, action.area, rule=id)


def _explain_convert(book: Book, state: DoomState, action: Convert) -> Refusal | None:
    names = book.names
    if action.unit not in book.units or state.units[action.unit] not in book.adjacent:
        return Refusal("DOE-CONV-1", f"{action.unit} is no Eldar counter on the map")
    found = conversion(book, action.unit)
    if found is None:
        return Refusal("DOE-CONV-4", f"{names.unit(action.unit)} does not convert")
    id = "DOE-CONV-1" if found.place == "adjacent_space" else "DOE-CONV-2"
    if action.unit in state.placed:
        return Refusal("DOE-CONV-3", f"{action.unit} came or was converted in this phase")
    near = places(book, found, state.units[action.unit])
    kind = "space area" if found.place == "adjacent_space" else "area of the Craftworld"
    if action.area not in near:
        at = names.area(state.units[action.unit])
        return Refusal(id, f"{action.area} is no {kind} beside {at}" if near else f"no {kind} is beside {at}")
    if action.taken not in book.units or book.units[action.taken].kind not in found.take_types:
        return Refusal("DOE-CONV-4", f"{action.unit} does not convert into {action.taken}")
    if action.taken in state.placed:
        return Refusal("DOE-CONV-3", f"{action.taken} came or was converted in this phase")
    boxes = " or ".join(map(names.box, found.take_from))
    return Refusal(id, f"{action.taken} is not among the {boxes}")
