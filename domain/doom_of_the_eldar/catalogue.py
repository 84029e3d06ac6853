"""All of this game's content, typed and looked up: the map, the counters, the tables, the track, the special actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

import msgspec

from ..content import Content, by_key
from ..errors import ContentError
from . import records as r
from .checks import check
from .effects import CounterEffect

FILES = (
    "actions.toml", "counters.toml", "map.toml", "options.toml", "setup.toml", "specials.toml", "tables.toml",
    "track.toml", "tyranids.toml",
)  # fmt: skip
"""The files a catalogue is made of."""


class Unit(msgspec.Struct, frozen=True):
    """One Eldar counter; `kind` is the id of its record, `move` how many areas it moves (0: any number).

    `counts` says whether it counts for stacking; `effects` are those of a special counter.
    """

    id: str
    kind: str
    code: str
    name: str
    group: Literal["ground", "ship", "special"]
    attack: int
    defence: int
    combat: int
    move: int
    domain: Literal["craftworld", "space", "anywhere"]
    counts: bool
    origin: str
    points: int = 0
    effects: tuple[CounterEffect, ...] = ()

    @property
    def late(self) -> bool:
        """Whether it starts on the map only under the option `knights_origin` (ruling G-5)."""
        return self.kind == "knights" and self.origin == "green"


class Counter(msgspec.Struct, frozen=True):
    """One Tyranid counter; its values are those of the Horde side, `swarm` the one of the Swarm side.

    `move` is how many areas it moves face up (0: any number), `shown` whether it may be turned face up in space.
    """

    id: str
    kind: str
    code: str
    name: str
    swarm: int
    attack: int
    defence: int
    move: int
    domain: Literal["craftworld", "anywhere"]
    counts: bool
    shown: bool = False
    effects: tuple[CounterEffect, ...] = ()


class Catalogue:
    """The content of one game, immutable and equal only to itself; every mapping keeps the order of the files.

    Raises ContentError, naming file, line, record and reason, for content that the rules could not be played with.
    """

    def __init__(self, content: Content) -> None:
        unknown = sorted(content.files.keys() - {*FILES})
        if unknown:
            raise ContentError(f"{unknown[0]} is no file of this game. Its files are {', '.join(FILES)}.")
        self.content = content
        board = content.load("map.toml", r.MapFile)
        self.board = board.board
        self.areas: Mapping[str, r.Region] = by_key(content, "map.toml", "area", board.area, lambda area: area.id)
        counters = content.load("counters.toml", r.CountersFile)
        specials = content.load("specials.toml", r.SpecialsFile)
        self.specials: Mapping[str, r.SpecialCounter] = by_key(
            content, "specials.toml", "special", specials.special, lambda special: special.id
        )
        tyranids = content.load("tyranids.toml", r.TyranidsFile)
        self.tyranids: Mapping[str, r.TyranidCounter] = by_key(
            content, "tyranids.toml", "tyranid", tyranids.tyranid, lambda counter: counter.id
        )
        self.ground: Mapping[str, r.Ground] = by_key(
            content, "counters.toml", "ground", counters.ground, lambda record: record.id
        )
        self.ships: Mapping[str, r.Ship] = by_key(
            content, "counters.toml", "ship", counters.ship, lambda record: record.id
        )
        self.units: Mapping[str, Unit] = {unit.id: unit for unit in self._units()}
        """By id: the code, with a running number where there are several."""
        tables = content.load("tables.toml", r.TablesFile)
        self.craftworld, self.deep_space = tables.craftworld, tables.deep_space
        track = content.load("track.toml", r.TrackFile)
        self.track = track.track
        options = content.load("options.toml", r.OptionsFile)
        other = options.rows_of_15
        self.layouts: Mapping[str, tuple[r.TrackRow, ...]] = {
            "rows_of_10": track.row,
            "rows_of_15": tuple(
                r.TrackRow(id=number, boxes=boxes, ending_doubles=doubles, eldar_vp=points, source=other.source)
                for number, (boxes, doubles, points) in enumerate(
                    zip(other.boxes, other.ending_doubles, other.eldar_vp, strict=False)  # checks compare the lengths
                )
            ),
        }
        """The rows of the track by the option `track_layout`."""
        self.options: Mapping[str, r.OptionRecord] = by_key(
            content, "options.toml", "option", options.option, lambda option: option.id
        )
        setup = content.load("setup.toml", r.SetupFile)
        self.quickstart, self.limits = setup.quickstart, setup.limits
        actions = content.load("actions.toml", r.ActionsFile)
        self.actions: Mapping[str, r.SpecialAction] = by_key(
            content, "actions.toml", "action", actions.action, lambda action: action.id
        )
        self.triggers, self.conversions = actions.trigger, actions.conversion
        check(self)

    def _units(self) -> Iterator[Unit]:
        for ground in self.ground.values():
            for id in r.numbered(ground.code, ground.count):
                yield Unit(
                    id, ground.id, ground.code, ground.name, "ground", ground.attack, ground.defence, 0, 1,
                    "craftworld", True, ground.origin,
                )  # fmt: skip
        for ship in self.ships.values():
            for id in r.numbered(ship.code, ship.count):
                yield Unit(
                    id, ship.id, ship.code, ship.name, "ship", 0, 0, ship.combat, ship.move, "space", True, ship.origin
                )
        for special in self.specials.values():
            if special.side == "eldar":
                yield Unit(
                    special.code, special.id, special.code, special.name, "special", special.attack, special.defence,
                    special.combat, 0 if special.move == "any" else special.move,
                    "craftworld" if special.domain == "craftworld" else "anywhere", not special.stacking_exempt,
                    "blue" if any(special.code in getattr(effect, "units", ()) for effect in self._deployed()) else
                    "iyanden", special.vp_to_tyranid_if_destroyed, special.printed_effects + special.house_effects,
                )  # fmt: skip

    def _deployed(self) -> Iterator[object]:
        """The effects of what happens by itself: a special counter that one of them deploys starts aside."""
        for trigger in self.content.load("actions.toml", r.ActionsFile).trigger:
            yield from trigger.effect

    def counters(self, protoids: int = 1) -> dict[str, Counter]:
        """The counters of the lid by id, with so many small ones of the kinds that grow (option `protoids_in_lid`)."""
        found: dict[str, Counter] = {}
        for record in self.tyranids.values():
            if not record.in_lid:
                continue
            special = self.specials.get(record.id)
            effects = special.printed_effects + special.house_effects if special else ()
            grows = any(getattr(effect, "stages", None) for effect in effects)
            for id in r.numbered(record.code, protoids if grows else record.count):
                found[id] = Counter(
                    id, record.id, record.code, record.name, record.swarm, record.attack, record.defence,
                    0 if record.move == "any" else record.move,
                    "anywhere" if special and special.domain == "anywhere" else "craftworld",
                    not (special and special.stacking_exempt),
                    bool(special and special.may_reveal_in_space), effects,
                )  # fmt: skip
        return found


def load(files: Mapping[str, str] | None = None) -> Catalogue:
    """The catalogue of these texts by file name, or of the packaged content, which is read once.

    Raises ContentError as `Catalogue` does.
    """
    return _packaged() if files is None else Catalogue(Content(files))


@cache
def _packaged() -> Catalogue:
    return Catalogue(Content.packaged(__package__))
