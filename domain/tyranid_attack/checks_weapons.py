"""What counters and weapons must be like: supplies that agree, and traits that the rules know together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from ..faults import Fault
from . import records as r

if TYPE_CHECKING:
    from .catalogue import Catalogue

FILE, COUNTERS = "weapons.toml", "counters.toml"
TOTAL = 19
"""The counters in the box (TA-COMP-2)."""
TRAITS: dict[str, tuple[str, ...]] = {
    "shoot": ("split", "hellfire", "blast", "recharge"),
    "melee": ("psychic", "acid"),
    "placed": ("auto_destroy",),
    "ammunition": ("auto_kill_target", "neighbours_killed_on_4"),
}
"""Which traits the rules know on which kind of weapon."""
SUPPLIES = {"melta_bomb": "placed", "hellfire_shell": "ammunition"}
"""The weapons that are spent, with their kinds; each shares its id with its counters."""
AXE = "D6-1"
"""The bonus of a weapon that rolls a die for it (TA-WEAP-6)."""


def counters(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield counters that do not add up, or do not limit what they should (TA-COMP-3, TA-COMP-9)."""
    for kind in get_args(r.CounterKind):
        if kind not in catalogue.counters:
            yield Fault(f"there are no counters of the kind '{kind}'.", COUNTERS)
    ids: set[str] = set()
    for number, counter in enumerate(catalogue.counters.values()):
        if counter.id in ids:
            yield Fault(f"'{counter.id}' is there twice; each must be unique.", COUNTERS, "counter", number, "id")
        ids.add(counter.id)
        if counter.count < 1:
            yield Fault(f"count must be at least 1, not {counter.count}.", COUNTERS, "counter", number, "count")
        wanted = tuple(range(1, counter.count + 1)) if counter.kind == "artifact" else ()
        if counter.numbers != wanted:
            yield Fault(f"its numbers must be {list(wanted)}.", COUNTERS, "counter", number, "numbers")
        if counter.limits_play != (counter.kind != "wounded"):
            yield Fault("all but wounds are a real supply.", COUNTERS, "counter", number, "limits_play")
    total = sum(catalogue.supplies.values())
    if total != TOTAL or catalogue.counters_total != TOTAL:
        yield Fault(
            f"there must be {TOTAL} counters; total says {catalogue.counters_total}, they are {total}.", COUNTERS
        )


def weapons(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield weapons whose traits and figures do not go together (TA-WEAP)."""
    for id in SUPPLIES:
        if id not in catalogue.weapons:
            yield Fault(f"there is no weapon '{id}'.", FILE)
    for number, weapon in enumerate(catalogue.weapons.values()):
        for key, reason in _weapon(weapon, catalogue):
            yield Fault(reason, FILE, "weapon", number, key)


def _weapon(weapon: r.Weapon, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    for trait in weapon.traits:
        if trait not in TRAITS[weapon.kind]:
            yield "traits", f"a weapon of the kind '{weapon.kind}' cannot have the trait '{trait}'."
    if (weapon.die_bonus == AXE) != ("psychic" in weapon.traits):
        yield "die_bonus", f"the bonus '{AXE}' and the trait 'psychic' go together."
    if isinstance(weapon.die_bonus, int) and weapon.die_bonus < 0:
        yield "die_bonus", f"die_bonus must be at least 0, not {weapon.die_bonus}."
    if weapon.die_bonus and weapon.kind not in ("shoot", "melee"):
        yield "die_bonus", "it has no dice that a bonus could be added to."
    kind = SUPPLIES.get(weapon.id)
    if (kind or "") != (weapon.kind if weapon.kind in SUPPLIES.values() else ""):
        yield "kind", "melta_bomb alone is placed, hellfire_shell alone is ammunition."
    if kind and {*weapon.traits} != {*TRAITS[kind]}:
        yield "traits", f"it must have the traits {', '.join(TRAITS[kind])}."
    supply = catalogue.supplies[weapon.id] if kind else 0
    if weapon.supply != supply:
        yield "supply", f"there are {supply} counters of it, not {weapon.supply}."
    yield from _blast(weapon, weapon.kind == "ammunition")


def _blast(weapon: r.Weapon | r.DreadnoughtHeavy, shell: bool) -> Iterator[tuple[str, str]]:
    blast = "blast" in weapon.traits
    if blast and "split" in weapon.traits:
        yield "traits", "the dice of a blast cannot be split."
    if weapon.blast_dice < 0 or blast != (weapon.blast_dice > 0):
        yield "blast_dice", "a weapon has dice for its neighbours if, and only if, it has the trait 'blast'."
    if weapon.may_target_empty and not blast and not shell:
        yield "may_target_empty", "an empty square is a target only for what reaches the neighbours."


def heavies(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield heavy weapons of the Dreadnought that it could not be armed with (TA-DREAD-4, TA-DREAD-8)."""
    if not catalogue.heavies:
        yield Fault("there is no heavy weapon for the Dreadnought.", FILE)
    for number, weapon in enumerate(catalogue.heavies.values()):
        for key, reason in _heavy(weapon, catalogue):
            yield Fault(reason, FILE, "dreadnought_heavy", number, key)


def _heavy(weapon: r.DreadnoughtHeavy, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    if weapon.id in catalogue.weapons or weapon.id != "".join(weapon.id.casefold().split()):
        yield "id", f"'{weapon.id}' cannot be typed: a name of its own, in small letters, without blanks."
    for key, least in (("range", 1), ("fire", 1), ("die_bonus", 0)):
        if getattr(weapon, key) < least:
            yield key, f"{key} must be at least {least}, not {getattr(weapon, key)}."
    for trait in weapon.traits:
        if trait not in TRAITS["shoot"] or trait == "hellfire":
            yield "traits", f"a heavy weapon cannot have the trait '{trait}'."
    yield from _blast(weapon, False)
