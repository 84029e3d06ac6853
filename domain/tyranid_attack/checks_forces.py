"""What model profiles must be like: figures that agree with weapons, groups and the box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..faults import Fault
from . import records as r
from .checks_weapons import AXE

if TYPE_CHECKING:
    from .catalogue import Catalogue

FILE = "models.toml"
LEAST = {
    "move": 1, "armour": 2, "range": 0, "fire": 0, "fire_bonus": 0, "hth": 0, "hth_bonus": 0, "life": 1, "cost": 0,
    "slots": 1, "heavy_mounts": 0,
}  # fmt: skip
"""The least that each figure of a profile may be."""
GROUPS: dict[str, tuple[str, ...]] = {
    "marine": ("scout", "terminator", "power_armour"),
    "tyranid": ("standard", "blob", "mind_slave", "bio_construct"),
}
"""Which groups there are on either side."""
ONCE = ("mind_slave", "bio_construct")
"""The groups of the additional list: owned models, each used once a game (TA-SLAVE-2)."""
BOX: dict[tuple[str, ...], int] = {
    ("warrior_boneswords", "warrior_deathspitter"): 6,
    ("hybrid_bolter", "hybrid_plasma", "hybrid_chainsword"): 2,
    ("terminator", "terminator_flamer"): 4,
}
"""How many figures of the box share these profiles, whose arms the options divide (TA-COMP-1, TA-COMP-8)."""
DREADNOUGHT, MOUNTS = "dreadnought", 2
PARTY, POINTS = 10, 30
"""The boarding party of the normal game: so many Scouts, of that cost (TA-SETUP-4, TA-BUY-3)."""


def _fault(catalogue: Catalogue, id: str, key: str, reason: str) -> Fault:
    return Fault(reason, FILE, "model", [*catalogue.profiles].index(id), key)


def figures(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield profiles that the rules do not know, or lack, and figures out of bounds (TA-CHAR)."""
    for id, profile in catalogue.profiles.items():
        if id not in catalogue.codes:
            yield _fault(catalogue, id, "id", f"the rules know no model '{id}'.")
        for key, least in LEAST.items():
            if getattr(profile, key) < least:
                yield _fault(catalogue, id, key, f"{key} must be at least {least}, not {getattr(profile, key)}.")
        if profile.armour > 6:
            yield _fault(catalogue, id, "armour", f"armour must be at most 6, not {profile.armour}.")
        for field in profile.house_fields:
            if field != "all" and field not in r.Profile.__struct_fields__:
                yield _fault(catalogue, id, "house_fields", f"there is no field '{field}'.")
        for key, reason in _limit(profile):
            yield _fault(catalogue, id, key, reason)
    for id in catalogue.codes:
        if id not in catalogue.profiles:
            yield Fault(f"there is no model '{id}'.", FILE)


def _limit(profile: r.Profile) -> Iterator[tuple[str, str]]:
    if isinstance(profile.limit, int):
        if profile.limit < 0:
            yield "limit", f"limit must be at least 0, not {profile.limit}."
        if profile.default_limit:
            yield "default_limit", "it is for models of a collection alone."
    elif profile.default_limit < 1:
        yield "default_limit", "models of a collection need a default_limit of at least 1."
    if isinstance(profile.limit, str) != (profile.group in ("power_armour", *ONCE)):
        yield "limit", "models of the additional list, and no others, have the limit 'collection'."


def armed(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield profiles whose figures disagree with their weapons: their bonuses are in them already (TA-CHAR-4, -5)."""
    for id, profile in catalogue.profiles.items():
        for weapon in profile.weapons:
            if weapon not in catalogue.weapons or catalogue.weapons[weapon].kind not in ("shoot", "melee"):
                yield _fault(catalogue, id, "weapons", f"there is no weapon '{weapon}' to shoot or fight with.")
        for key, reason in _armed(profile, [catalogue.weapons[weapon] for weapon in profile.weapons]):
            yield _fault(catalogue, id, key, reason)


def _armed(profile: r.Profile, weapons: list[r.Weapon]) -> Iterator[tuple[str, str]]:
    guns = [weapon for weapon in weapons if weapon.kind == "shoot"]
    blades = [weapon for weapon in weapons if weapon.kind == "melee"]
    if len(guns) > 1:
        yield "weapons", "its figures are those of one gun, not of several."
    for key in ("fire", "range"):
        if (getattr(profile, key) > 0) != bool(guns):
            yield key, f"{key} must be above 0 for a model with a gun, and 0 for one without."
    bonus = sum(weapon.die_bonus for weapon in guns if isinstance(weapon.die_bonus, int))
    if profile.fire_bonus != bonus:
        yield "fire_bonus", f"its gun gives {bonus}, not {profile.fire_bonus}."
    best = max((weapon.die_bonus for weapon in blades if isinstance(weapon.die_bonus, int)), default=0)
    if blades and profile.hth_bonus != best:
        yield "hth_bonus", f"its weapons give {best}, not {profile.hth_bonus}."
    acid = any("acid" in weapon.traits for weapon in blades)
    if acid != (profile.group == "blob"):
        yield "weapons", "acid is the weapon of blobs and of nothing else."
    if (profile.hth > 0) == acid:
        yield "hth", "hth must be 0 for a blob, and above 0 for all others."
    if profile.side == "tyranid" and any(weapon.die_bonus == AXE for weapon in blades):
        yield "weapons", "the rules know the force axe on Marines alone."


def lists(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield profiles that do not fit their side and group, and a party that is not the printed one (TA-BUY-2)."""
    for id, profile in catalogue.profiles.items():
        for key, reason in _fits(profile):
            yield _fault(catalogue, id, key, reason)
    blob, supply = catalogue.profiles["acid_blob"], catalogue.supplies["acid_blob"]
    if blob.limit != supply:
        yield _fault(catalogue, blob.id, "limit", f"there are {supply} counters of blobs.")
    party = [profile for profile in catalogue.profiles.values() if profile.group == "scout"]
    if sum(profile.count for profile in party) != PARTY:
        yield Fault(f"there must be {PARTY} Scouts, not {sum(profile.count for profile in party)}.", FILE)
    if sum(profile.cost * profile.count for profile in party) != POINTS:
        cost = sum(profile.cost * profile.count for profile in party)
        yield Fault(f"the {PARTY} Scouts must cost {POINTS} points, not {cost}.", FILE)


def _fits(profile: r.Profile) -> Iterator[tuple[str, str]]:
    marine = profile.side == "marine"
    if profile.group not in GROUPS[profile.side]:
        yield "group", f"the side '{profile.side}' has no group '{profile.group}'."
    if profile.sergeant and not marine:
        yield "sergeant", "Sergeants are Marines."
    if marine != (profile.cost > 0):
        yield "cost", "cost must be above 0 for a Marine, and 0 for a Tyranid."
    if marine and profile.slots != 1:
        yield "slots", "a Marine counts as one model."
    if profile.recycles != (profile.group in ("standard", "blob")):
        yield "recycles", "standard Tyranids and blobs return to the pool, and nothing else."
    if profile.card_only != (profile.group == "blob"):
        yield "card_only", "blobs alone come only by cards."
    if (profile.id == "acid_blob") != (profile.group == "blob"):
        yield "group", "acid_blob is the only blob."
    mounts = MOUNTS if profile.id == DREADNOUGHT else 0
    if profile.heavy_mounts != mounts:
        yield "heavy_mounts", f"it has {mounts} heavy weapons, not {profile.heavy_mounts}."
    if profile.id == DREADNOUGHT and profile.group not in ONCE:
        yield "group", "the Dreadnought is of the additional list."
    if mounts and profile.life != mounts + 1:
        yield "life", f"it loses a heavy weapon with each life but the last, so life must be {mounts + 1}."


def box(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield figures of the box that are not as many as the options divide (TA-COMP-1, TA-COMP-8)."""
    for ids, count in BOX.items():
        found = sum(catalogue.profiles[id].count for id in ids)
        if found != count:
            yield _fault(catalogue, ids[0], "limit", f"{', '.join(ids)} must be {count} together, not {found}.")
