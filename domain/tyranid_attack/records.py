"""The records of this game's content files, as they are written in TOML."""

from __future__ import annotations

from typing import Literal

from ..content import Record, Source
from . import effects as e


class File(Record, frozen=True):
    """What every file of this game begins with."""

    schema: Literal[1]
    game: Literal["tyranid-attack"]


# sections.toml


class Geometry(Record, frozen=True):
    """The shape that all sections share (TA-BOARD-1, TA-BOARD-5).

    The entrances are local x on the first and last row, and local y on the first and last column; sections joined by
    their short sides lie `pitch_x` columns apart, those joined by their long sides `pitch_y` rows.
    """

    source: Source
    columns: int
    rows: int
    pitch_x: int
    pitch_y: int
    long_side_entrances: tuple[int, ...]
    short_side_entrances: tuple[int, ...]
    rotations: tuple[int, ...]


class Section(Record, frozen=True):
    """A board section; in its grid `#` is wall, `.` floor and `+` the half square of an entrance (TA-BOARD-4)."""

    id: str
    number: int
    name: str
    source: Source
    objective: str
    grid: str

    @property
    def rows(self) -> tuple[str, ...]:
        """The grid from north to south, each row from west to east."""
        return tuple(self.grid.split())


class SectionsFile(File, frozen=True):
    """sections.toml."""

    geometry: Geometry
    legend: dict[str, str]
    section: tuple[Section, ...]


# models.toml

Side = Literal["marine", "tyranid"]
Group = Literal["scout", "terminator", "power_armour", "standard", "blob", "mind_slave", "bio_construct"]


class Profile(Record, frozen=True):
    """A kind of model (TA-CHAR); `limit` is how many there are, `collection` what the owners have, if not stated
    `default_limit`.

    `fire` and `hth` are dice; the two bonuses hold the weapons' printed ones already. `slots` is what one counts for
    when models are placed, `card_only` that nothing else brings it.
    """

    id: str
    name: str
    side: Side
    group: Group
    move: int
    armour: int
    weapons: tuple[str, ...]
    range: int
    fire: int
    fire_bonus: int
    hth: int
    hth_bonus: int
    life: int
    limit: int | Literal["collection"]
    source: Source
    house_fields: tuple[str, ...]
    sergeant: bool = False
    cost: int = 0
    slots: int = 1
    default_limit: int = 0
    recycles: bool = False
    card_only: bool = False
    heavy_mounts: int = 0
    note: str = ""

    @property
    def count(self) -> int:
        """How many there are by default."""
        return self.default_limit if isinstance(self.limit, str) else self.limit


class ModelsFile(File, frozen=True):
    """models.toml."""

    model: tuple[Profile, ...]


# weapons.toml

Trait = Literal[
    "split", "hellfire", "blast", "recharge", "psychic", "acid", "auto_destroy", "auto_kill_target",
    "neighbours_killed_on_4",
]  # fmt: skip


class Weapon(Record, frozen=True):
    """A weapon and its traits; `supply` is how many counters it has, if it is spent."""

    id: str
    name: str
    kind: Literal["shoot", "melee", "placed", "ammunition"]
    source: Source
    traits: tuple[Trait, ...] = ()
    die_bonus: int | Literal["D6-1"] = 0
    blast_dice: int = 0
    may_target_empty: bool = False
    supply: int = 0
    note: str = ""


class DreadnoughtHeavy(Record, frozen=True):
    """A heavy weapon that the Dreadnought can carry, with figures of its own (TA-DREAD-8)."""

    id: str
    name: str
    range: int
    fire: int
    die_bonus: int
    traits: tuple[Trait, ...]
    source: Source
    blast_dice: int = 0
    may_target_empty: bool = False
    note: str = ""


class WeaponsFile(File, frozen=True):
    """weapons.toml."""

    weapon: tuple[Weapon, ...]
    dreadnought_heavy: tuple[DreadnoughtHeavy, ...]


# exploration.toml


class Card(Record, frozen=True):
    """An exploration card; `after` says where it goes once it is carried out, `artifact` which one it brings."""

    id: str
    name: str
    category: Literal["nothing", "encounter", "event", "acid_blobs", "cysts", "artifact", "allies"]
    source: Source
    text: str
    after: Literal["discard", "keep", "remove"]
    effects: tuple[e.CardEffect, ...]
    artifact: int = 0
    house_fields: tuple[str, ...] = ()


class Artifact(Record, frozen=True):
    """An artifact, by the number on its counter (TA-ART-2)."""

    number: int
    card: str
    name: str
    source: Source
    effect: e.ArtifactEffect


class ExplorationFile(File, frozen=True):
    """exploration.toml."""

    deck_size: int
    card: tuple[Card, ...]
    artifact: tuple[Artifact, ...]


# orders.toml


class Order(Record, frozen=True):
    """An order card; `key` is what a player types."""

    id: str
    key: str
    name: str
    source: Source
    text: str
    effects: tuple[e.OrderEffect, ...]


class OrdersFile(File, frozen=True):
    """orders.toml."""

    order: tuple[Order, ...]


# objectives.toml


class Objective(Record, frozen=True):
    """An objective; its template covers `size` squares, or as many turned by 90 degrees (TA-OBJ-3, TA-OBJ-4)."""

    id: str
    number: int
    name: str
    source: Source
    size: tuple[int, int]
    size_source: Source
    text: str
    effect: tuple[e.ObjectiveEffect, ...]


class LocationTile(Record, frozen=True):
    """A location tile: the section where an objective is found."""

    id: str
    section: int
    objective: str
    source: Source


class ObjectivesFile(File, frozen=True):
    """objectives.toml."""

    armour: int
    armour_source: Source
    needed_to_win: int
    defenders: str
    objective: tuple[Objective, ...]
    location_tile: tuple[LocationTile, ...]


# counters.toml

CounterKind = Literal["hellfire_shell", "melta_bomb", "teleporter_cyst", "acid_blob", "wounded", "artifact"]


class Counter(Record, frozen=True):
    """A kind of counter; `limits_play` says whether running out of it changes anything (TA-COMP-9)."""

    id: str
    kind: CounterKind
    count: int
    source: Source
    limits_play: bool = True
    numbers: tuple[int, ...] = ()


class CountersFile(File, frozen=True):
    """counters.toml."""

    total: int
    counter: tuple[Counter, ...]
