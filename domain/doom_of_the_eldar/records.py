"""The records of this game's content files, as they are written in TOML."""

from __future__ import annotations

from typing import Literal

from ..content import Record, Source
from . import effects as e

# map.toml


class Board(Record, frozen=True):
    """The map as a whole: canvas, the ellipses its wedges are cut from, and a drawing in text."""

    id: str
    name: str
    source: Source
    width: int
    height: int
    cx: int
    cy: int
    rx: int
    ry: int
    sectors_for_die: tuple[str, ...]
    ascii: str
    ascii_note: str = ""
    ascii_legend: str = ""


class Region(Record, frozen=True):
    """An area: a wedge between two rings (of 1) and two angles (degrees, anticlockwise from east), and its neighbours."""

    id: str
    name: str
    kind: Literal["craftworld", "space"]
    source: Source
    adjacent: tuple[str, ...]
    ring: tuple[float, float]
    angle: tuple[float, float]
    label: tuple[float, float]
    action: str = ""
    sector: int = 0
    adjacency_source: Source | None = None


class MapFile(Record, frozen=True):
    """map.toml."""

    board: Board
    area: tuple[Region, ...]


# counters.toml, specials.toml, tyranids.toml


class Ground(Record, frozen=True):
    """A kind of Eldar ground force and how many of it there are."""

    id: str
    code: str
    name: str
    count: int
    attack: int
    defence: int
    origin: Literal["iyanden", "green", "blue"]
    shape: Literal["hexagon"]
    source: Source
    aspect_warrior: bool
    converts_to: str
    origin_source: Source | None = None


class Ship(Record, frozen=True):
    """A kind of Eldar spacecraft and how many of it there are."""

    id: str
    code: str
    name: str
    count: int
    combat: int
    move: int
    origin: Literal["iyanden", "green", "blue"]
    shape: Literal["oblong"]
    source: Source
    converts_to: str
    origin_source: Source | None = None


class CountersFile(Record, frozen=True):
    """counters.toml."""

    printed_totals: dict[str, int | str]
    ground: tuple[Ground, ...]
    ship: tuple[Ship, ...]


class SpecialCounter(Record, frozen=True):
    """A special counter of either side and its effects."""

    id: str
    code: str
    name: str
    side: Literal["eldar", "tyranid"]
    shape: Literal["triangle", "round"]
    attack: int
    defence: int
    move: int | Literal["any"]
    domain: Literal["craftworld", "anywhere", "as_swarm_or_horde"]
    stacking_exempt: bool
    source: Source
    text: str
    printed_effects: tuple[e.CounterEffect, ...]
    house_effects: tuple[e.CounterEffect, ...]
    combat: int = 0
    swarm: int = 0
    move_hidden: int = 0
    vp_to_tyranid_if_destroyed: int = 0
    may_reveal_in_space: bool = False
    values_source: Source | None = None
    move_source: Source | None = None
    move_hidden_source: Source | None = None
    domain_source: Source | None = None


class SpecialsFile(Record, frozen=True):
    """specials.toml."""

    special: tuple[SpecialCounter, ...]


class TyranidCounter(Record, frozen=True):
    """A kind of Tyranid counter and how many of it there are; `in_lid` says whether they start in the lid."""

    id: str
    code: str
    name: str
    count: int
    swarm: int
    attack: int
    defence: int
    special: bool
    in_lid: bool
    move: int | Literal["any"]
    source: Source
    move_hidden: int = 0
    values_source: Source | None = None
    move_hidden_source: Source | None = None


class TyranidsFile(Record, frozen=True):
    """tyranids.toml."""

    tyranid: tuple[TyranidCounter, ...]


def numbered(code: str, count: int) -> list[str]:
    """Return the ids of `count` counters of a code: the bare code of a single one, else with running numbers."""
    return [code] if count == 1 else [f"{code}{number}" for number in range(1, count + 1)]


# tables.toml


class OddsRow(Record, frozen=True):
    """A row of the Craftworld table: the result in each column."""

    d6: int
    results: tuple[Literal["AA", "AD", "BC", "DD", "DA"], ...]
    source: Source
    printed_cells: tuple[str, ...] = ()
    derivation: str = ""


class Result(Record, frozen=True):
    """What a result of the Craftworld table costs either side."""

    name: str
    attacker_losses: int | Literal["all"]
    defender_losses: int | Literal["all"]
    source: Source


class Craftworld(Record, frozen=True):
    """The Craftworld Combat Results Table."""

    id: str
    columns: tuple[str, ...]
    ratio_num: tuple[int, ...]
    ratio_den: tuple[int, ...]
    column_rule: str
    column_rule_source: Source
    defence_zero_column: str
    attack_zero_column: str
    zero_source: Source
    row: tuple[OddsRow, ...]
    result: dict[Literal["AA", "AD", "BC", "DD", "DA"], Result]


class FireRow(Record, frozen=True):
    """A row of the Deep Space table: how many enemies die in each column."""

    d6: int
    destroyed: tuple[int, ...]
    source: Source
    printed_cells: tuple[str, ...] = ()
    printed_minimum_cells: tuple[str, ...] = ()
    derivation: str = ""


class DeepSpace(Record, frozen=True):
    """The Deep Space Combat Results Table."""

    id: str
    band_low: tuple[int, ...]
    band_high: tuple[int, ...]
    zero_total: str
    zero_total_source: Source
    row: tuple[FireRow, ...]


class TablesFile(Record, frozen=True):
    """tables.toml."""

    craftworld: Craftworld
    deep_space: DeepSpace


# track.toml, options.toml, setup.toml


class TrackRecord(Record, frozen=True):
    """The Wave Assault Track as a whole."""

    id: str
    first_box: int
    last_box: int
    source: Source
    auto_end_box: int
    layout_source: Source
    destroyed_boxes: tuple[str, ...]


class TrackRow(Record, frozen=True):
    """A row of the track: its first and last box, the doubles that end the assault, and the Eldar's points."""

    id: int
    boxes: tuple[int, int]
    ending_doubles: tuple[int, ...]
    eldar_vp: int
    source: Source
    printed: tuple[str, ...] = ()


class TrackFile(Record, frozen=True):
    """track.toml."""

    track: TrackRecord
    row: tuple[TrackRow, ...]


class OptionRecord(Record, frozen=True):
    """A way to play by another ruling."""

    id: str
    values: tuple[str | int | bool, ...]
    default: str | int | bool
    ruling: str


class RowsOf15(Record, frozen=True):
    """The other layout of the track."""

    source: Source
    boxes: tuple[tuple[int, int], ...]
    ending_doubles: tuple[tuple[int, ...], ...]
    eldar_vp: tuple[int, ...]


class OptionsFile(Record, frozen=True):
    """options.toml."""

    source: Source
    option: tuple[OptionRecord, ...]
    rows_of_15: RowsOf15


class Quickstart(Record, frozen=True):
    """A ready-made legal set-up of the Eldar."""

    id: str
    source: Source
    ground: dict[str, tuple[str, ...]]
    if_knights_iyanden: dict[str, tuple[str, ...]]
    specials: dict[str, str]
    ships: dict[str, tuple[str, ...]]


class Limits(Record, frozen=True):
    """Stacking limits (0: none) and the bound of a game's length after the assault."""

    craftworld_stack: int
    stack_source: Source
    space_stack: int
    turns_after_assault: int
    turns_after_assault_source: Source


class SetupFile(Record, frozen=True):
    """setup.toml."""

    quickstart: Quickstart
    limits: Limits


# actions.toml


class SpecialAction(Record, frozen=True):
    """A special action of some areas: the die it needs, if any, and its effects."""

    id: str
    areas: tuple[str, ...]
    source: Source
    roll: Literal["d6", "none"]
    text: str
    effect: tuple[e.ActionEffect, ...]
    success: tuple[int, ...] = ()


class Trigger(Record, frozen=True):
    """Something that happens by itself."""

    id: str
    source: Source
    when: Literal["eldar_special_phase_after_shrine_devastated"]
    text: str
    effect: tuple[e.TriggerEffect, ...]


class Conversion(Record, frozen=True):
    """A unit of one kind leaves the map, and one of other kinds comes from a box in its stead.

    `unit` is a kind, or `iyanden_ship` or `raider_ship` for the kinds that `take_types` of the way back lists.
    """

    id: str
    source: Source
    unit: str
    unit_to: Literal["destroyed_spacecraft", "destroyed_ground"]
    take_from: tuple[Literal["destroyed_spacecraft", "destroyed_ground", "raider_conversion"], ...]
    take_types: tuple[str, ...]
    place: Literal["adjacent_space", "adjacent_craftworld"]
    unit_source: Source | None = None
    take_types_source: Source | None = None


class ActionsFile(Record, frozen=True):
    """actions.toml."""

    action: tuple[SpecialAction, ...]
    trigger: tuple[Trigger, ...]
    conversion: tuple[Conversion, ...]
