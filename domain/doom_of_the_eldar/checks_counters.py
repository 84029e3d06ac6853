"""What the counters must be like: figures, names that can be told apart, and effects that fit their bearers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from ..faults import Fault
from . import effects as e
from . import records as r
from .checks_map import ID

if TYPE_CHECKING:
    from .catalogue import Catalogue

FILE = "specials.toml"
LEAST = {
    "count": 1, "move": 1, "attack": 0, "defence": 0, "combat": 0, "swarm": 0, "move_hidden": 0,
    "vp_to_tyranid_if_destroyed": 0,
}  # fmt: skip
"""The least that each figure of a counter may be."""
LARGEST_LID = 256
"""A draw from the lid is one die, which has no more sides than this."""
LARGEST, LARGEST_FACTOR = 9_999, 99
"""The most that a figure and a factor may be: totals must be numbers that a log can hold."""
MOST = {"count": 999}
"""The most that a figure may be where that is not `LARGEST`."""
EFFECTS: dict[str, tuple[type[e.CounterEffect], ...]] = {
    "eldar": (e.MultiplyValues, e.GrantReroll),
    "tyranid": (
        e.GrantReroll, e.Invulnerable, e.NoDevastation, e.IgnoredForEnd, e.CopyBestEnemy, e.Grow, e.Detonate,
    ),
}  # fmt: skip
"""Which effects the rules know on the counters of either side."""
RESERVED = ("any", "any_ship", "none", "iyanden_ship", "raider_ship")
"""Words that stand for kinds, and so are no kind's id."""

Record: TypeAlias = r.Ground | r.Ship | r.SpecialCounter | r.TyranidCounter
Row: TypeAlias = tuple[str, str, int, Record]


def _rows(catalogue: Catalogue) -> Iterator[Row]:
    """Yield every record of counters, a Tyranid special one twice, with its file, table and number."""
    tables: tuple[tuple[str, str, Mapping[str, Record]], ...] = (
        ("counters.toml", "ground", catalogue.ground), ("counters.toml", "ship", catalogue.ships),
        (FILE, "special", catalogue.specials), ("tyranids.toml", "tyranid", catalogue.tyranids),
    )  # fmt: skip
    for file, table, records in tables:
        for number, record in enumerate(records.values()):
            yield file, table, number, record


def _effects(special: r.SpecialCounter) -> Iterator[tuple[str, e.CounterEffect]]:
    yield from (("printed_effects", effect) for effect in special.printed_effects)
    yield from (("house_effects", effect) for effect in special.house_effects)


def _grows(catalogue: Catalogue, id: str) -> bool:
    special = catalogue.specials.get(id)
    return special is not None and any(isinstance(effect, e.Grow) for _, effect in _effects(special))


def figures(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield figures below their least, and a lid that is empty or too large (DOE-LIST-1, DOE-LIST-2)."""
    for file, table, number, record in _rows(catalogue):
        for key, least in LEAST.items():
            value = getattr(record, key, None)
            if isinstance(value, int) and value < least:
                yield Fault(f"{key} must be at least {least}, not {value}.", file, table, number, key)
            most = MOST.get(key, LARGEST)
            if isinstance(value, int) and value > most:
                yield Fault(f"{key} may be {most} at most, not {value}.", file, table, number, key)
    size = back = 0
    for number, counter in enumerate(catalogue.tyranids.values()):
        if not counter.in_lid:
            continue
        back = back or counter.swarm
        if counter.swarm != back:
            reason = f"every back is alike, so swarm must be {back}, not {counter.swarm}."
            yield Fault(reason, "tyranids.toml", "tyranid", number, "swarm")
        if counter.move_hidden > 1:
            reason = f"every Swarm moves one area, so move_hidden must be 1, not {counter.move_hidden}."
            yield Fault(reason, "tyranids.toml", "tyranid", number, "move_hidden")
        grows = _grows(catalogue, counter.id)
        if grows and counter.count != 1:
            yield Fault("the option protoids_in_lid says how many there are; count must be 1.", "tyranids.toml",
                        "tyranid", number, "count")  # fmt: skip
        size += 3 if grows else counter.count
        if size > LARGEST_LID:
            yield Fault(f"the lid may hold {LARGEST_LID} counters, not {size}.", "tyranids.toml", "tyranid", number,
                        "count")  # fmt: skip
    if not size:
        yield Fault("no counter is in the lid.", "tyranids.toml")


def names(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield codes that cannot be typed, ids that are not one thing's alone, whatever their case, and empty names."""
    owners: dict[str, str] = {}
    for number, id in enumerate(catalogue.areas):
        if id.casefold() in owners:
            yield Fault(f"'{id}' means {owners[id.casefold()]} as well.", "map.toml", "area", number, "id")
        owners[id.casefold()] = f"the area '{id}'"
    kinds: dict[str, str] = {}
    for file, table, number, record in _rows(catalogue):
        if isinstance(record, r.SpecialCounter) and record.side == "tyranid":
            continue  # tyranids.toml has it too
        if not ID.fullmatch(record.code):
            yield Fault(f"'{record.code}' cannot be typed; use letters and digits.", file, table, number, "code")
        if not record.name.strip():
            yield Fault("a counter needs a name.", file, table, number, "name")
        if record.id in RESERVED:
            yield Fault(f"'{record.id}' stands for several kinds.", file, table, number, "id")
        if record.id in kinds:
            yield Fault(f"it shares its id with {kinds[record.id]}.", file, table, number, "id")
        kinds[record.id] = f"'{record.name}'"
        count = 1 if isinstance(record, r.SpecialCounter) else record.count
        ids = {record.code, *r.numbered(record.code, count)}
        if _grows(catalogue, record.id):
            ids.update(r.numbered(record.code, 3))
        for id in sorted(ids):
            if id.casefold() in owners:
                yield Fault(f"'{id}' means {owners[id.casefold()]} as well.", file, table, number, "code")
            owners[id.casefold()] = f"'{record.name}'"


def specials(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield special counters that disagree with tyranids.toml, or whose effects name what is not there."""
    for number, counter in enumerate(catalogue.tyranids.values()):
        if (counter.special and counter.in_lid) != (counter.id in catalogue.specials):
            yield Fault(f"{FILE} disagrees on whether it is special.", "tyranids.toml", "tyranid", number, "special")
    for number, special in enumerate(catalogue.specials.values()):
        for key, reason in _bearer(special, catalogue):
            yield Fault(reason, FILE, "special", number, key)
        for key, effect in _effects(special):
            if not isinstance(effect, EFFECTS[special.side]):
                yield Fault(
                    f"the rules know no such effect on the side '{special.side}'.", FILE, "special", number, key
                )
            for reason in _misfits(effect, special, catalogue):
                yield Fault(reason, FILE, "special", number, key)


def _bearer(special: r.SpecialCounter, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    eldar = special.side == "eldar"
    if (special.shape == "triangle") != eldar:
        yield "shape", "the Eldar's are triangles, the Tyranids' round."
    if special.domain not in (("craftworld", "anywhere") if eldar else ("as_swarm_or_horde", "anywhere")):
        yield "domain", f"no counter of the side '{special.side}' has that domain."
    if eldar:
        return
    counter = catalogue.tyranids.get(special.id)
    if counter is None:
        yield "id", "tyranids.toml has no such counter."
        return
    for key in ("code", "name", "attack", "defence", "swarm", "move", "move_hidden"):
        mine, theirs = getattr(special, key), getattr(counter, key)
        if mine != theirs:
            yield key, f"{key} is '{mine}' here and '{theirs}' in tyranids.toml."


def _misfits(effect: e.CounterEffect, special: r.SpecialCounter, catalogue: Catalogue) -> Iterator[str]:
    if special.side == "tyranid" and getattr(effect, "when", "") == "always":
        yield "a Swarm may not show by its effects what it is; when must be 'face_up'."
    match effect:
        case e.MultiplyValues():
            kinds = {unit.kind for unit in catalogue.units.values()}
            yield from (f"there is no Eldar kind '{kind}'." for kind in effect.targets if kind not in kinds)
            if effect.factor < 1:
                yield f"factor must be at least 1, not {effect.factor}."
            if effect.factor > LARGEST_FACTOR:
                yield f"factor may be {LARGEST_FACTOR} at most, not {effect.factor}."
        case e.GrantReroll():
            if effect.side != special.side:
                yield "the re-roll must be its own side's."
            enemies = {other.id for other in catalogue.specials.values() if other.side != special.side}
            yield from (
                f"no enemy special counter is called '{id}'." for id in effect.cancelled_by if id not in enemies
            )
        case e.CopyBestEnemy():
            if effect.minimum < 0 or "combat" in effect.stats:
                yield "it copies attack and defence, from a minimum of 0 or more."
            if effect.minimum > LARGEST:
                yield f"minimum may be {LARGEST} at most, not {effect.minimum}."
        case e.Grow():
            if not effect.stages or effect.stages[0] != (special.attack, special.defence):
                yield "the first stage must be the counter's own figures."
            if effect.step < 1 or any(min(stage) < 0 for stage in effect.stages):
                yield "it grows by 1 stage or more, and no stage is below 0."
            if any(max(stage) > LARGEST for stage in effect.stages):
                yield f"the figures of a stage may be {LARGEST} at most."
        case e.Detonate():
            if effect.losses < 1:
                yield f"losses must be at least 1, not {effect.losses}."
            if (effect.where, effect.window, effect.by) not in {
                ("space", "round_start", "standing_order"), ("craftworld", "tyranid_battle_start", "choice"),
            }:  # fmt: skip
                yield "in space it goes by standing order at the start of a round, on the Craftworld by choice."


def mine(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with the standing order: there is one, and enough Eldar to obey it (DOE-MINE-1)."""
    most = sum(unit.domain != "craftworld" for unit in catalogue.units.values())
    orders = [
        (number, key, effect.default_order)
        for number, special in enumerate(catalogue.specials.values())
        for key, effect in _effects(special)
        if isinstance(effect, e.Detonate) and effect.by == "standing_order"
    ]
    if not orders:
        yield Fault("no counter goes by a standing order.", FILE)
    for number, key, default in orders:
        if len(orders) > 1:
            yield Fault("only one effect may go by a standing order.", FILE, "special", number, key)
        if not 0 <= default <= most:
            yield Fault(f"default_order must be 0 to {most}, not {default}.", FILE, "special", number, key)
