"""The catalogue as the rules use it: areas, units, counters, tables and the track, looked up by what a state holds."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from .actions import GiveOrder, Move, SetUnit
from .catalogue import Catalogue, Counter, Unit
from .effects import Detonate, RevealTo
from .facts import Names
from .records import Conversion, SpecialAction, TrackRow
from .state import ASIDE, BOXES, WARP_GATE, DoomState, Options

ALL = -1
"""As a number of losses: everything there is."""


class Outcome(NamedTuple):
    """A result of the Craftworld table: what either side loses (`ALL`: everything)."""

    code: str
    attacker: int
    defender: int


class Book:
    """What the rules look up, bound to one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        regions = catalogue.areas
        self.areas: tuple[str, ...] = tuple(regions)
        self.craftworld: tuple[str, ...] = tuple(id for id, area in regions.items() if area.kind == "craftworld")
        self.space: tuple[str, ...] = tuple(id for id, area in regions.items() if area.kind == "space")
        self.deep: frozenset[str] = frozenset(self.space)
        """The space areas, for membership."""
        self.adjacent: dict[str, tuple[str, ...]] = {
            id: tuple(other for other in self.areas if other in area.adjacent) for id, area in regions.items()
        }
        """The neighbours of each area, in the order of the map."""
        self.near_space: dict[str, tuple[str, ...]] = {
            id: tuple(other for other in self.adjacent[id] if other in self.deep) for id in self.areas
        }
        self.near_craftworld: dict[str, tuple[str, ...]] = {
            id: tuple(other for other in self.adjacent[id] if other not in self.deep) for id in self.areas
        }
        self.steps: dict[tuple[str, str], tuple[str, ...]] = {
            (id, domain): allowed[id]
            for domain, allowed in (
                ("anywhere", self.adjacent),
                ("space", self.near_space),
                ("craftworld", self.near_craftworld),
            )
            for id in self.areas
        }
        """The neighbours that a counter of a domain may enter, by area and domain."""
        self.reached: dict[tuple[str, int, str, frozenset[str]], tuple[str, ...]] = {}
        """Kept results of searches for where a counter can move."""
        self.kept_moves: dict[tuple[str, str, str | None, frozenset[str] | None], tuple[Move, ...]] = {}
        """Kept moves by who moves, from where, what it is, and (for those that move far) where enemies are."""
        self.kept_sets: dict[tuple[str, str, frozenset[str]], tuple[SetUnit, ...]] = {}
        """Kept places to set a unit up, by where it is and which areas are full."""
        self._required: dict[str, list[Unit]] = {}
        self._quickstarts: dict[str, dict[str, str]] = {}
        self.sectors: tuple[str, ...] = catalogue.board.sectors_for_die
        """The sector of each face of the die, 1 first."""
        self.units: dict[str, Unit] = dict(catalogue.units)
        self.exempt: frozenset[str] = frozenset(unit.id for unit in self.units.values() if not unit.counts)
        """The units that do not count for stacking (DOE-STACK-3); Yriel is none of them (DOE-STACK-8)."""
        self.far: frozenset[str | None] = frozenset(unit.id for unit in self.units.values() if unit.move != 1)
        """The units and counters that may move more than one area: where enemies are matters to them."""
        self._counters: dict[int, dict[str, Counter]] = {n: catalogue.counters(n) for n in (1, 3)}
        self.counters: dict[str, Counter] = {**self._counters[1], **self._counters[3]}
        """Every counter that may be in the lid, whatever the options."""
        self.far |= frozenset(id for id, counter in self.counters.items() if counter.move != 1)
        self.shown: frozenset[str] = frozenset(
            id
            for id, counter in self.counters.items()
            if counter.shown and not any(isinstance(effect, Detonate) for effect in counter.effects)
        )
        """The counters that may be turned face up in space; a mine there only as it detonates."""
        self.mines: dict[str, dict[str, Detonate]] = {
            id: {effect.where: effect for effect in counter.effects if isinstance(effect, Detonate)}
            for id, counter in self.counters.items()
            if any(isinstance(effect, Detonate) for effect in counter.effects)
        }
        """How each counter that detonates does it, by `space` and `craftworld`."""
        self.first_order: int = next(
            effect.default_order
            for ways in self.mines.values()
            for effect in ways.values()
            if effect.by == "standing_order"
        )
        """The standing order of the mine until one is given (DOE-MINE-1)."""
        self.orders: tuple[GiveOrder, ...] = tuple(
            GiveOrder(n) for n in range(sum(unit.domain != "craftworld" for unit in self.units.values()) + 1)
        )
        """The standing orders that can be given: up to all the Eldar that can meet in space."""
        self.actions: dict[str, SpecialAction] = {
            area: action for action in catalogue.actions.values() for area in action.areas
        }
        """The special action of each Craftworld area."""
        self.calls_yriel: frozenset[str] = frozenset(
            area for area, action in self.actions.items() if any(isinstance(e, RevealTo) for e in action.effect)
        )
        """The Shrine: its devastation calls Yriel (DOE-YRIEL-1)."""
        self.conversions: dict[str, Conversion] = {
            unit.kind: found
            for unit in self.units.values()
            for found in catalogue.conversions
            if found.unit in (unit.kind, self._converting(unit))
        }
        """The conversion that each kind of unit can make (DOE-CONV-4)."""
        self.limit = catalogue.limits.craftworld_stack
        self.bound = catalogue.limits.turns_after_assault
        table = catalogue.deep_space
        self._bands = table.band_low
        self._fire = {row.d6: row.destroyed for row in table.row}
        odds = catalogue.craftworld
        self._odds = {row.d6: dict(zip(odds.columns, row.results, strict=True)) for row in odds.row}
        self._ratios = tuple(zip(odds.columns, odds.ratio_num, odds.ratio_den, strict=True))
        self.names: Names = BookNames(catalogue)

    def _converting(self, unit: Unit) -> str:
        """The word by which conversions call the ships that turn into Guardians, and those that turn into Raiders."""
        ship = self.catalogue.ships.get(unit.kind)
        return {"guardian": "iyanden_ship", "raider": "raider_ship"}.get(ship.converts_to, "") if ship else ""

    # Set-up

    def lid(self, options: Options) -> tuple[str, ...]:
        """Return the counters that the lid holds at the start, in ASCII order (DOE-LIST-2, DOE-SETUP-13)."""
        return tuple(sorted(self._counters[options.protoids_in_lid]))

    def start(self, unit: Unit, options: Options) -> str:
        """Return the box that a unit starts in, empty if it is set up on the map (DOE-SETUP-2 to DOE-SETUP-5)."""
        if unit.origin == "blue":
            return ASIDE
        green = unit.origin == "green" and not (unit.late and options.knights_origin == "iyanden")
        return WARP_GATE if green else ""

    def required(self, options: Options) -> list[Unit]:
        """Return the units that must be set up on the map (DOE-SETUP-5); not to be changed."""
        found = self._required.get(options.knights_origin)
        if found is None:
            found = [unit for unit in self.units.values() if not self.start(unit, options)]
            self._required[options.knights_origin] = found
        return found

    def quickstart(self, options: Options) -> dict[str, str]:
        """Return where the quick start puts each unit (ruling G-2); not to be changed."""
        found = self._quickstarts.get(options.knights_origin)
        if found is None:
            quick = self.catalogue.quickstart
            groups = [quick.ground, quick.ships]
            if options.knights_origin == "iyanden":
                groups.append(quick.if_knights_iyanden)
            where = {unit: area for group in groups for area, units in group.items() for unit in units}
            where.update(quick.specials)
            found = {unit: where[unit] for unit in self.units if unit in where}
            self._quickstarts[options.knights_origin] = found
        return found

    # Tables and track

    def fire_column(self, total: int) -> int:
        """Return the number (from 0) of the Deep Space column of a total (DOE-SPACE-8, DOE-SPACE-10)."""
        return bisect_right(self._bands, total) - 1

    def fire_name(self, column: int) -> str:
        """Return what a Deep Space column is called: `15-19`, `60+`."""
        last = column == len(self._bands) - 1
        return f"{self._bands[column]}+" if last else f"{self._bands[column]}-{self._bands[column + 1] - 1}"

    def fire(self, total: int, roll: int) -> int:
        """Return how many enemies that roll destroys (DOE-SPACE-8, DOE-SPACE-9)."""
        return self._fire[roll][self.fire_column(total)]

    def odds(self, attack: int, defence: int, options: Options) -> str:
        """Return the Craftworld column; `AA` or `DA` where no die is asked for (DOE-CW-2, -8, -9, ruling G-6)."""
        table = self.catalogue.craftworld
        if not defence:
            return table.defence_zero_column
        if not attack:
            return table.attack_zero_column
        first, num, den = self._ratios[0]
        if attack * den < num * defence:
            return "AA" if options.odds_below_table == "annihilate" else first
        _, num, den = self._ratios[-1]
        if attack * den >= (num + den) * defence and options.odds_above_table == "annihilate":
            return "DA"
        return next(name for name, num, den in reversed(self._ratios) if attack * den >= num * defence)

    def result(self, column: str, roll: int) -> Outcome:
        """Return what a roll in a column means; a column that is a result itself needs no roll (DOE-CW-4, -6, -7)."""
        code = column if not roll else self._odds[roll][column]
        found = self.catalogue.craftworld.result[code]  # type: ignore[index]
        return Outcome(
            code,
            ALL if found.attacker_losses == "all" else found.attacker_losses,
            ALL if found.defender_losses == "all" else found.defender_losses,
        )

    def row(self, box: int, options: Options) -> TrackRow:
        """Return the row of the track that a box is in (DOE-TRACK-9)."""
        return next(row for row in self.catalogue.layouts[options.track_layout] if box <= row.boxes[1])

    # Counters in play

    def kind(self, state: DoomState, token: str) -> str:
        """Return the kind of a face-up token."""
        return self.counters[state.face[token]].kind

    def counts(self, state: DoomState, token: str) -> bool:
        """Say whether a token counts for stacking: the face-up Hive Mind does not (DOE-STACK-3)."""
        return token not in state.face or self.counters[state.face[token]].counts


class BookNames(Names):
    """Names from the content."""

    def __init__(self, catalogue: Catalogue) -> None:
        # Within a sentence: the printed name may begin with an article.
        self._areas = {id: re.sub("^The ", "the ", area.name) for id, area in catalogue.areas.items()}
        self._units = {
            id: unit.name if id == unit.code else f"{unit.name} {id.removeprefix(unit.code)}"
            for id, unit in catalogue.units.items()
        }
        self._counters = {
            id: counter.name for n in (1, 3) for id, counter in catalogue.counters(n).items()
        }  # a Horde goes by its token besides
        self._labels = {
            **FORCES,
            **{id: area.name for id, area in catalogue.areas.items()},
            **{unit.kind: unit.name for unit in catalogue.units.values()},
            **{counter.kind: counter.name for n in (1, 3) for counter in catalogue.counters(n).values()},
            **self._units,
            **self._counters,
        }
        self._results = {code: result.name for code, result in catalogue.craftworld.result.items()}

    def area(self, area: str) -> str:
        return self._areas.get(area, area)

    def unit(self, unit: str) -> str:
        return self._units.get(unit, unit)

    def counter(self, counter: str) -> str:
        return self._counters.get(counter, counter)

    def called(self, id: str) -> str:
        return self._labels.get(id, id)

    def action(self, action: str) -> str:
        return {"barrage": "torpedoes", "scry": "a vision", "warp_gate": "a call through the gate"}.get(action, action)

    def box(self, box: str) -> str:
        return BOX_NAMES.get(box, box)

    def result(self, code: str) -> str:
        return self._results.get(code, code)  # type: ignore[call-overload,no-any-return]


FORCES = {
    "eldar": "Eldar in battle",
    "tyranid": "Tyranids in battle",
    "craftworld": "battle on the Craftworld",
    "space": "battle in space",
    "fortification": "Fortification",
}
"""What fights as a whole, and in what, as it is counted."""

BOX_NAMES = dict(
    zip(
        BOXES,
        (
            "destroyed spacecraft", "destroyed ground forces", "converted spacecraft", "converted ground forces",
            "out of the game", "the Warp Gate", "aside", "the Raiders' reserve",
        ),
        strict=True,
    )
)  # fmt: skip
