"""All of this game's content, typed, checked and looked up: boards, cards, datacards, counters, briefings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Protocol, TypeVar

from ..content import Content, by_key
from ..errors import ContentError
from . import records as r
from .checks import check
from .hulk import Hulk, lay, lay_fixture

FILES = (
    "activation.toml",
    "advanced.toml",
    "boards.toml",
    "infestation.toml",
    "marines.toml",
    "missions.toml",
    "specials.toml",
    "tyranids.toml",
)
"""The files a catalogue is made of."""
OTHER_FILES = ("fixtures.toml",)
"""Files that may lie beside them: layouts of the worked examples."""


class _WithId(Protocol):
    @property
    def id(self) -> str: ...


A = TypeVar("A", bound=_WithId)


class Catalogue:
    """The content of one game, immutable and equal only to itself; every mapping keeps the order of the files.

    Raises ContentError, naming file, line, record and reason, for content that the rules could not be played with.
    """

    def __init__(self, content: Content) -> None:
        unknown = sorted(content.files.keys() - {*FILES, *OTHER_FILES})
        if unknown:
            raise ContentError(f"{unknown[0]} is no file of this game. Its files are {', '.join(FILES)}.")
        self.content = content

        boards = content.load("boards.toml", r.BoardsFile)
        self.boards: Mapping[str, r.Board] = _by_id(content, "boards.toml", "boards", boards.boards)
        self.faces: Mapping[str, r.Face] = _by_id(content, "boards.toml", "faces", boards.faces)
        self.legend: tuple[r.Legend, ...] = boards.legend
        tiles = by_key(content, "boards.toml", "vessel_tiles", boards.vessel_tiles, lambda tile: tile.prefix)
        self.tiles: Mapping[str, r.VesselTile] = tiles
        """By prefix: V the entry tile, X the exit tile."""

        marines = content.load("marines.toml", r.MarinesFile)
        self.marines: Mapping[str, r.Marine] = by_key(
            content, "marines.toml", "marines", marines.marines, lambda marine: marine.code
        )
        """By code: MAX, ADR, RAP, LUK, VOR, the order in which groups of Marines are handled."""
        self.codes: Mapping[str, str] = {marine.id: code for code, marine in self.marines.items()}
        """Code of a Marine by his id, as cards use it."""
        self.sides: Mapping[tuple[str, str], r.MarineSide] = by_key(
            content, "marines.toml", "marine_sides", marines.marine_sides, lambda side: (side.marine, side.side)
        )
        """By Marine's id and `healthy` or `wounded`."""

        tyranids = content.load("tyranids.toml", r.TyranidsFile)
        self.tyranids: Mapping[str, r.TyranidCard] = by_key(
            content, "tyranids.toml", "tyranids", tyranids.tyranids, lambda card: card.kind
        )
        """By kind."""
        self.counters: Mapping[str, r.Counter] = _by_id(content, "tyranids.toml", "counters", tyranids.counters)
        self.bulkheads: Mapping[str, r.Bulkhead] = _by_id(content, "tyranids.toml", "bulkheads", tyranids.bulkheads)
        self.objectives: Mapping[str, r.Objective] = _by_id(content, "tyranids.toml", "objective", tyranids.objective)
        self.damage_counters: Mapping[str, r.DamageCounter] = _by_id(
            content, "tyranids.toml", "damage_counters", tyranids.damage_counters
        )

        self.activation: Mapping[str, r.ActivationCard] = _by_id(
            content, "activation.toml", "activation", content.load("activation.toml", r.ActivationFile).activation
        )
        self.specials: Mapping[str, r.SpecialCard] = _by_id(
            content, "specials.toml", "specials", content.load("specials.toml", r.SpecialsFile).specials
        )

        advanced = content.load("advanced.toml", r.AdvancedFile)
        normal = content.load("infestation.toml", r.InfestationFile).infestation
        self.decks: Mapping[int, tuple[str, ...]] = _by_level(normal)
        """Ids of the cards of each level's infestation deck, the skull cards not among them."""
        self.skull_cards: Mapping[int, tuple[str, ...]] = _by_level(advanced.advanced_infestation)
        """Ids of the advanced infestation cards of each level."""
        cards = dict(_by_id(content, "infestation.toml", "infestation", normal))
        for number, card in enumerate(advanced.advanced_infestation):
            if card.id in cards:
                raise content.wrong(
                    "advanced.toml", "advanced_infestation", number, "a card with that id exists.", "id"
                )
            cards[card.id] = card
        self.infestation: Mapping[str, r.InfestationCard] = cards
        """Every infestation card, the skull cards included."""
        self.challenges: Mapping[str, r.Challenge] = _by_id(content, "advanced.toml", "challenges", advanced.challenges)

        self.missions: Mapping[tuple[int, str], r.Mission] = by_key(
            content,
            "missions.toml",
            "missions",
            content.load("missions.toml", r.MissionsFile).missions,
            lambda mission: (mission.level, mission.variant),
        )
        """By level and `single` or `campaign`."""
        fixtures = content.load("fixtures.toml", r.FixturesFile).fixtures if "fixtures.toml" in content.files else ()
        self.fixtures: Mapping[str, r.Fixture] = _by_id(content, "fixtures.toml", "fixtures", fixtures)
        self._hulks: dict[tuple[str, str, str | None], Hulk] = {}
        check(self)

    def side(self, code: str, wounded: bool) -> r.MarineSide:
        """The datacard side of a Marine, by his code."""
        return self.sides[self.marines[code].id, "wounded" if wounded else "healthy"]

    def hulk(self, face: str, entry: str, exit_label: str | None = None) -> Hulk:
        """The ground of a level: that face, entered at label `entry`, the exit tile at `exit_label` once it is laid.

        Always the same object for the same three. The id of a fixture gives its layout, without tiles. Raises
        KeyError for a face or label that does not exist.
        """
        key = (face, entry, exit_label)
        found = self._hulks.get(key)
        if found is None:
            if face in self.fixtures:
                found = lay_fixture(self.fixtures[face])
            else:
                found = lay(self.faces[face], (self.tiles["V"], self.tiles["X"]), entry, exit_label)
            self._hulks[key] = found
        return found


def load(files: Mapping[str, str] | None = None) -> Catalogue:
    """The catalogue of these texts by file name, or of the packaged content, which is read once.

    Raises ContentError as `Catalogue` does.
    """
    return _packaged() if files is None else Catalogue(Content(files))


@cache
def _packaged() -> Catalogue:
    return Catalogue(Content.packaged(__package__))


def _by_id(content: Content, name: str, table: str, rows: tuple[A, ...]) -> dict[str, A]:
    return by_key(content, name, table, rows, lambda row: row.id)


def _by_level(cards: tuple[r.InfestationCard, ...]) -> dict[int, tuple[str, ...]]:
    return {level: tuple(card.id for card in cards if card.level == level) for level in (1, 2, 3)}
