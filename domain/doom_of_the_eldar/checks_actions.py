"""What special actions, Yriel's arrival, conversions and the ready set-up must be like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..content import by_key
from ..faults import Fault
from . import effects as e
from . import records as r

if TYPE_CHECKING:
    from .catalogue import Catalogue, Unit

FILE, SETUP = "actions.toml", "setup.toml"


def _kinds(catalogue: Catalogue) -> dict[str, Unit]:
    """A unit of each kind of Eldar counter."""
    return {unit.kind: unit for unit in catalogue.units.values()}


def _fits(unit: Unit, place: str) -> bool:
    """Say whether a unit may be in a place: `craftworld`, `space`, or what an effect calls either."""
    return unit.domain in ("anywhere", place.rpartition("_")[2])


def actions(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with special actions: one for each Craftworld area, and one that can be made (DOE-SPEC-1)."""
    listed: dict[str, str] = {}
    for number, action in enumerate(catalogue.actions.values()):
        for area in action.areas:
            if area not in catalogue.areas or catalogue.areas[area].kind != "craftworld":
                yield Fault(f"there is no Craftworld area '{area}'.", FILE, "action", number, "areas")
            if area in listed:
                yield Fault(f"'{area}' already has '{listed[area]}'.", FILE, "action", number, "areas")
            listed[area] = action.id
        faces = action.success
        if bool(faces) != (action.roll == "d6"):
            yield Fault("a die needs faces that succeed, and none without a die.", FILE, "action", number, "success")
        if len({*faces}) != len(faces) or not {*faces} <= {*range(1, 7)}:
            yield Fault("faces are 1 to 6, each once.", FILE, "action", number, "success")
        if len(action.effect) != 1:
            yield Fault(f"an action has one effect, not {len(action.effect)}.", FILE, "action", number, "effect")
        for reason in _effect(action, catalogue):
            yield Fault(reason, FILE, "action", number, "effect")
    for number, region in enumerate(catalogue.areas.values()):
        if region.kind == "craftworld" and region.id not in listed:
            yield Fault("no special action lists it.", "map.toml", "area", number, "action")
        if region.action != listed.get(region.id, ""):
            yield Fault(f"{FILE} does not give it the action '{region.action}'.", "map.toml", "area", number, "action")


def _effect(action: r.SpecialAction, catalogue: Catalogue) -> Iterator[str]:
    (effect,) = action.effect
    if isinstance(effect, e.DestroySwarm) and effect.count < 1:
        yield f"count must be at least 1, not {effect.count}."
    if not isinstance(effect, e.ReturnUnit):
        return
    if effect.to == "adjacent_space":
        for area in action.areas:
            if all(catalogue.areas[other].kind != "space" for other in catalogue.areas[area].adjacent):
                yield f"no space is next to '{area}'."
    boxed = {kind: unit for kind, unit in _kinds(catalogue).items() if _goes(unit, effect.box)}
    if not effect.types:
        yield "it returns no kind of unit."
    for type in effect.types:
        if type == "any":
            found = list(boxed.values())
        elif type == "any_ship":
            found = [unit for unit in boxed.values() if unit.group == "ship"]
        else:
            found = [boxed[type]] if type in boxed else []
        if not found:
            yield f"no '{type}' is ever in the box '{effect.box}'."
        yield from (f"'{unit.kind}' may not be there: {effect.to}." for unit in found if not _fits(unit, effect.to))


def _goes(unit: Unit, box: str) -> bool:
    """Say whether a unit may ever lie in a box that special actions or conversions take from."""
    if box == "warp_gate":
        return unit.origin == "green"
    return unit.group == ("ship" if box == "destroyed_spacecraft" else "ground")


def triggers(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with Yriel's arrival: all that starts aside comes, and only that (DOE-YRIEL-1, -3)."""
    by_key(catalogue.content, FILE, "trigger", catalogue.triggers, lambda trigger: trigger.id)
    shrines = [
        area
        for action in catalogue.actions.values()
        for effect in action.effect
        if isinstance(effect, e.RevealTo)
        for area in action.areas
    ]
    if catalogue.triggers and len(shrines) != 1:
        reason = f"one area must look upon Swarms, for it is the fall of that one; there are {len(shrines)}."
        yield Fault(reason, FILE, "trigger", 0, "when")
    pooled = {
        kind for conversion in catalogue.conversions if "raider_conversion" in conversion.take_from
        for kind in conversion.take_types
    }  # fmt: skip
    come: set[str] = set()
    for number, trigger in enumerate(catalogue.triggers):
        for effect in trigger.effect:
            for id in effect.units:
                reason = ""
                unit = catalogue.units.get(id)
                if unit is None:
                    reason = f"there is no unit '{id}'."
                elif id in come:
                    reason = f"'{id}' comes twice."
                elif unit.origin != "blue":
                    reason = f"'{id}' does not start aside."
                elif isinstance(effect, e.Deploy) and not _fits(unit, "space"):
                    reason = f"'{id}' may not be in space."
                elif isinstance(effect, e.EnablePool) and unit.kind not in pooled:
                    reason = f"no conversion takes '{id}' from the pool."
                if reason:
                    yield Fault(reason, FILE, "trigger", number, "effect")
                come.add(id)
    for id, unit in catalogue.units.items():
        if unit.origin == "blue" and id not in come:
            yield Fault(f"'{id}' starts aside, and nothing brings it.", FILE)


def conversions(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with conversions: kinds, boxes, and what counters.toml says of them (DOE-CONV-4)."""
    by_key(catalogue.content, FILE, "conversion", catalogue.conversions, lambda conversion: conversion.id)
    kinds = _kinds(catalogue)
    into: dict[str, set[str]] = {kind: set() for kind in kinds}
    for number, conversion in enumerate(catalogue.conversions):
        for kind in conversion.take_types:
            if kind not in kinds:
                yield Fault(f"there is no Eldar kind '{kind}'.", FILE, "conversion", number, "take_types")
            if not _fits(kinds[kind], conversion.place):
                yield Fault(f"'{kind}' may not be there: {conversion.place}.", FILE, "conversion", number, "place")
            for box in conversion.take_from:
                if not _goes(kinds[kind], box):
                    yield Fault(f"'{kind}' is never in '{box}'.", FILE, "conversion", number, "take_from")
        if not conversion.take_types or not conversion.take_from:
            yield Fault("it takes nothing.", FILE, "conversion", number, "take_types")
        leaving = turning(catalogue, conversion)
        if not leaving:
            yield Fault(f"there is no Eldar kind '{conversion.unit}'.", FILE, "conversion", number, "unit")
        for kind in leaving:
            if into[kind]:
                yield Fault(f"'{kind}' converts in another way already.", FILE, "conversion", number, "unit")
            if not _goes(kinds[kind], conversion.unit_to):
                yield Fault(f"'{kind}' does not go to that box.", FILE, "conversion", number, "unit_to")
            into[kind].update(conversion.take_types)
    convertible: tuple[tuple[str, Mapping[str, r.Ground | r.Ship]], ...] = (
        ("ground", catalogue.ground), ("ship", catalogue.ships),
    )  # fmt: skip
    for table, records in convertible:
        for number, record in enumerate(records.values()):
            target = record.converts_to
            named = {target} & kinds.keys() or {
                kind for conversion in catalogue.conversions if conversion.unit == target
                for kind in turning(catalogue, conversion)
            }  # fmt: skip
            if named != into[record.id] or bool(named) == (target == "none"):
                yield Fault(f"{FILE} does not convert it to '{target}'.", "counters.toml", table, number, "converts_to")


def turning(catalogue: Catalogue, conversion: r.Conversion) -> tuple[str, ...]:
    """Return the kinds that a conversion takes off the map, in the order of the content; empty if there are none."""
    kinds = _kinds(catalogue)
    if conversion.unit in kinds:
        return (conversion.unit,)
    if conversion.unit not in ("iyanden_ship", "raider_ship"):
        return ()
    back = {
        kind for other in catalogue.conversions if other.unit in conversion.take_types for kind in other.take_types
    }  # fmt: skip
    return tuple(kind for kind in kinds if kind in back)


def quickstart(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what makes the ready set-up illegal, with the Knights at the gate or not (DOE-SETUP-5 to DOE-SETUP-9)."""
    limits, quick = catalogue.limits, catalogue.quickstart
    for key, least in (("craftworld_stack", 1), ("turns_after_assault", 1)):
        if getattr(limits, key) < least:
            yield Fault(f"{key} must be at least {least}, not {getattr(limits, key)}.", SETUP, "limits", 0, key)
    if limits.space_stack:
        yield Fault("the rules know no limit in space; it must be 0.", SETUP, "limits", 0, "space_stack")
    groups = {"ground": quick.ground, "if_knights_iyanden": quick.if_knights_iyanden, "ships": quick.ships}
    entries = [
        (f"quickstart.{name}", area, area, unit) for name, group in groups.items() for area, units in group.items()
        for unit in units
    ]  # fmt: skip
    entries += [("quickstart.specials", unit, area, unit) for unit, area in quick.specials.items()]
    placed: set[str] = set()
    stack: Counter[str] = Counter()
    for table, key, area, id in entries:
        reason = ""
        unit, region = catalogue.units.get(id), catalogue.areas.get(area)
        if region is None:
            reason = f"there is no area '{area}'."
        elif unit is None:
            reason = f"there is no unit '{id}'."
        elif id in placed:
            reason = f"'{id}' is placed twice."
        elif not (unit.late if table == "quickstart.if_knights_iyanden" else unit.origin == "iyanden"):
            reason = f"'{id}' does not start on the map."
        elif not _fits(unit, region.kind):
            reason = f"'{id}' may not be in '{area}'."
        elif region.kind == "craftworld" and unit.counts:
            stack[area] += 1
            if stack[area] > limits.craftworld_stack:
                reason = f"'{area}' holds more than {limits.craftworld_stack} counters."
        if reason:
            yield Fault(reason, SETUP, table, 0, key)
        placed.add(id)
    for id, unit in catalogue.units.items():
        if id not in placed and (unit.origin == "iyanden" or unit.late):
            yield Fault(f"'{id}' is not placed.", SETUP, "quickstart")
