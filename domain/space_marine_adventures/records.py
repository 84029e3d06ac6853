"""The records of this game's content files, one struct for each sort, and one for each file."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ..content import Record, Source
from .effects import (
    ChallengeEffect,
    Creature,
    DatacardEffect,
    InfestationEffect,
    Kind,
    Positive,
    SpecialEffect,
    Whole,
)

Label = Literal["A", "B", "C", "D"]
"""An entry/exit square: A on the north edge, B east, C south, D west."""
Level = Annotated[int, msgspec.Meta(ge=1, le=3)]
Variant = Literal["single", "campaign"]
Window = Literal["own_turn", "own_roll_failed", "wound_self", "wound_near", "infestation_revealed", "between"]
Ending = Literal["all_out", "all_on_exit", "prime_destroyed", "deck_out"]
Result = Literal["major", "minor", "draw", "loss", "completed", "campaign_lost", "epic_victory"]
Test = Literal["on_exit", "prime_destroyed_and_in_play", "prime_one_short_and_in_play", "always"]
Text = Annotated[str, msgspec.Meta(min_length=1)]
Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$")]


class Board(Record, frozen=True):
    """One board with its two faces."""

    id: Id
    name: Text
    faces: Annotated[tuple[Id, ...], msgspec.Meta(min_length=2, max_length=2)]
    source: Source


class Face(Record, frozen=True):
    """One side of a board: `grid` has a line a row, north first; symbols as in the legend."""

    id: Id
    board: Id
    name: Text
    rows: Positive
    columns: Positive
    source: Source
    grid: Text

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows of the grid, north first."""
        return tuple(self.grid.split())


class Legend(Record, frozen=True):
    """What a symbol of the grids means."""

    symbol: Text
    meaning: Text
    source: Source


class Offset(Record, frozen=True):
    """Where one square of a vessel tile lies, seen by someone who leaves the board through the exit square."""

    square: Positive
    ahead: int
    right: int


class VesselTile(Record, frozen=True):
    """A vessel tile; its squares are named `prefix` and number."""

    id: Id
    prefix: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]$")]
    squares: Positive
    shape: Text
    source: Source
    text: Text
    offsets: Annotated[tuple[Offset, ...], msgspec.Meta(min_length=1)]
    basis: str = ""


class Marine(Record, frozen=True):
    """A Space Marine of the squad; `code` (MAX) names him in notation and in events."""

    id: Id
    code: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$")]
    name: Text
    chapter: Text
    colour: Text
    name_source: Source


class MarineSide(Record, frozen=True):
    """One side of a Marine's datacard: range in squares, Actions a turn, and his wargear ability."""

    id: Id
    marine: Id
    side: Literal["healthy", "wounded"]
    range: Positive
    actions: Positive
    range_source: Source
    actions_source: Source
    ability: Text
    text: Text
    source: Source
    effects: tuple[DatacardEffect, ...]


class TyranidCard(Record, frozen=True):
    """A Tyranid datacard; `counters` is how many of that kind there are."""

    kind: Kind
    code: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]$")]
    name: Text
    counters: Positive
    resilience: Positive
    resilience_source: Source
    count_source: Source
    damage_counters: Positive | None = None


class Counter(Record, frozen=True):
    """One creature counter."""

    id: Id
    kind: Creature
    source: Source


class Bulkhead(Record, frozen=True):
    """A bulkhead counter: the side laid upwards, then the hidden one."""

    id: Id
    faces: tuple[Literal["sealed"], Literal["sealed", "open"]]
    source: Source


class Objective(Record, frozen=True):
    """The objective counter and its two sides."""

    id: Id
    faces: tuple[Literal["console"], Literal["prime"]]
    source: Source


class DamageCounter(Record, frozen=True):
    """A counter that marks damage to the Prime."""

    id: Id
    source: Source


class ActivationCard(Record, frozen=True):
    """An activation card: `shows` is a Marine's id or `tyranid`; `extra` ones join only by a challenge."""

    id: Id
    shows: Id
    source: Source
    extra: bool = False


class SpecialCard(Record, frozen=True):
    """A special card, with the windows it may be played in; `rulings` are those its printed text follows."""

    id: Id
    design: Id
    name: Text
    copy: Positive
    copies: Positive
    copies_source: Source
    windows: Annotated[tuple[Window, ...], msgspec.Meta(min_length=1)]
    text: Text
    source: Source
    effects: Annotated[tuple[SpecialEffect, ...], msgspec.Meta(min_length=1)]
    rulings: tuple[int, ...] = ()


class InfestationCard(Record, frozen=True):
    """An infestation card of one level's deck; `skull` marks the advanced ones."""

    id: Id
    level: Level
    name: Text
    skull: bool
    text: Text
    source: Source
    effects: Annotated[tuple[InfestationEffect, ...], msgspec.Meta(min_length=1)]
    name_source: Source | None = None
    level_source: Source | None = None


class Challenge(Record, frozen=True):
    """A challenge card, which applies in the level it names."""

    id: Id
    level: Level
    name: Text
    text: Text
    source: Source
    effects: Annotated[tuple[ChallengeEffect, ...], msgspec.Meta(min_length=1)]


class Console(Record, frozen=True):
    """Whether the console can be tried, the total a try must reach, and what kills add to it."""

    enabled: bool
    need: Whole = 0
    bonus_per_kill: Whole = 0
    bonus_kind: Literal["none", "termagant", "genestealer", "lictor"] = "none"
    bonus_max: Whole = 0


class Prime(Record, frozen=True):
    """Whether the Prime is there, from how far it can be harmed, what guards it and what its wounds call up."""

    enabled: bool
    max_distance: Whole = 0
    guarded_by_adjacent: bool = False
    destroyed_at: Whole = 0
    on_damage: tuple[InfestationEffect, ...] = ()


class ResultRow(Record, frozen=True):
    """A result and the test for it; rows are read from the top and the first that holds counts."""

    result: Result
    test: Test
    at_least: Whole


class Mission(Record, frozen=True):
    """A mission briefing, for a level played by itself or in a campaign."""

    id: Id
    level: Level
    variant: Variant
    name: Text
    source: Source
    text: Text
    setup: tuple[InfestationEffect, ...]
    console: Console
    prime: Prime
    ends: Annotated[tuple[Ending, ...], msgspec.Meta(min_length=1)]
    results: Annotated[tuple[ResultRow, ...], msgspec.Meta(min_length=1)]
    epic_victory_source: Source | None = None


class Fixture(Record, frozen=True):
    """A small layout for a worked example: `marks` says what stands on a symbol, as `termagant d2`."""

    id: Id
    source: Source
    grid: Text
    marks: dict[str, str]
    entries: dict[str, str] = {}


class _File(Record, frozen=True):
    game: Literal["space_marine_adventures"]
    format: Literal[1]


class BoardsFile(_File, frozen=True):
    """The file `boards.toml`."""

    boards: tuple[Board, ...]
    faces: tuple[Face, ...]
    legend: tuple[Legend, ...]
    vessel_tiles: tuple[VesselTile, ...]


class MarinesFile(_File, frozen=True):
    """The file `marines.toml`."""

    marines: tuple[Marine, ...]
    marine_sides: tuple[MarineSide, ...]


class TyranidsFile(_File, frozen=True):
    """The file `tyranids.toml`."""

    tyranids: tuple[TyranidCard, ...]
    counters: tuple[Counter, ...]
    bulkheads: tuple[Bulkhead, ...]
    objective: tuple[Objective, ...]
    damage_counters: tuple[DamageCounter, ...]


class ActivationFile(_File, frozen=True):
    """The file `activation.toml`."""

    activation: tuple[ActivationCard, ...]


class SpecialsFile(_File, frozen=True):
    """The file `specials.toml`."""

    specials: tuple[SpecialCard, ...]


class InfestationFile(_File, frozen=True):
    """The file `infestation.toml`."""

    infestation: tuple[InfestationCard, ...]


class AdvancedFile(_File, frozen=True):
    """The file `advanced.toml`."""

    advanced_infestation: tuple[InfestationCard, ...]
    challenges: tuple[Challenge, ...]


class MissionsFile(_File, frozen=True):
    """The file `missions.toml`."""

    missions: tuple[Mission, ...]


class FixturesFile(_File, frozen=True):
    """The file `fixtures.toml`."""

    fixtures: tuple[Fixture, ...]
