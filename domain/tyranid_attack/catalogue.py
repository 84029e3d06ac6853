"""All of this game's content, typed and looked up: sections, models, weapons, cards, orders, objectives, counters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ..content import Content, by_key
from ..errors import ContentError
from . import records as r
from .checks import check

FILES = (
    "counters.toml", "exploration.toml", "models.toml", "objectives.toml", "orders.toml", "sections.toml",
    "weapons.toml",
)  # fmt: skip
"""The files a catalogue is made of."""

CODES: Mapping[str, str] = MappingProxyType({
    "scout": "SC", "heavy_scout": "HV", "scout_sergeant": "SG", "terminator": "TE", "terminator_flamer": "TF",
    "librarian": "LI", "marine": "MA", "heavy_marine": "HM", "commander": "CO", "genestealer": "GE",
    "warrior_boneswords": "BO", "warrior_deathspitter": "DS", "hybrid_bolter": "HB", "hybrid_plasma": "HP",
    "hybrid_chainsword": "HC", "acid_blob": "AB", "android": "AN", "chaos_marine": "CM", "chaos_heavy_marine": "CH",
    "chaos_commander": "CC", "brute_thrall": "BT", "bulwark_beast": "BB", "needle_stalker": "NS", "dreadnought": "DN",
})  # fmt: skip
"""What the names of a profile's models begin with; they are numbered from 1."""


class Catalogue:
    """The content of one game, immutable and equal only to itself; every mapping keeps the order of the files.

    Raises ContentError, naming file, line, record and reason, for content that the rules could not be played with.
    """

    def __init__(self, content: Content) -> None:
        unknown = sorted(content.files.keys() - {*FILES})
        if unknown:
            raise ContentError(f"{unknown[0]} is no file of this game. Its files are {', '.join(FILES)}.")
        self.content = content
        boards = content.load("sections.toml", r.SectionsFile)
        self.geometry, self.legend = boards.geometry, boards.legend
        self.sections: Mapping[int, r.Section] = by_key(
            content, "sections.toml", "section", boards.section, lambda section: section.number
        )
        models = content.load("models.toml", r.ModelsFile)
        self.profiles: Mapping[str, r.Profile] = by_key(
            content, "models.toml", "model", models.model, lambda profile: profile.id
        )
        self.codes = CODES
        weapons = content.load("weapons.toml", r.WeaponsFile)
        self.weapons: Mapping[str, r.Weapon] = by_key(
            content, "weapons.toml", "weapon", weapons.weapon, lambda weapon: weapon.id
        )
        self.heavies: Mapping[str, r.DreadnoughtHeavy] = by_key(
            content, "weapons.toml", "dreadnought_heavy", weapons.dreadnought_heavy, lambda weapon: weapon.id
        )
        exploration = content.load("exploration.toml", r.ExplorationFile)
        self.deck_size = exploration.deck_size
        self.cards: Mapping[str, r.Card] = by_key(
            content, "exploration.toml", "card", exploration.card, lambda card: card.id
        )
        self.artifacts: Mapping[int, r.Artifact] = by_key(
            content, "exploration.toml", "artifact", exploration.artifact, lambda artifact: artifact.number
        )
        orders = content.load("orders.toml", r.OrdersFile)
        self.orders: Mapping[str, r.Order] = by_key(content, "orders.toml", "order", orders.order, lambda o: o.key)
        objectives = content.load("objectives.toml", r.ObjectivesFile)
        self.objective_armour, self.needed = objectives.armour, objectives.needed_to_win
        self.defenders = objectives.defenders
        self.objectives: Mapping[str, r.Objective] = by_key(
            content, "objectives.toml", "objective", objectives.objective, lambda objective: objective.id
        )
        self.tiles: Mapping[str, r.LocationTile] = by_key(
            content, "objectives.toml", "location_tile", objectives.location_tile, lambda tile: tile.id
        )
        counters = content.load("counters.toml", r.CountersFile)
        self.counters: Mapping[str, r.Counter] = by_key(
            content, "counters.toml", "counter", counters.counter, lambda counter: counter.kind
        )
        self.counters_total = counters.total
        self.supplies: Mapping[str, int] = {kind: counter.count for kind, counter in self.counters.items()}
        """How many counters there are of each kind."""
        check(self)


def load(files: Mapping[str, str] | None = None) -> Catalogue:
    """The catalogue of these texts by file name, or of the packaged content, which is read once.

    Raises ContentError as `Catalogue` does.
    """
    return _packaged() if files is None else Catalogue(Content(files))


@cache
def _packaged() -> Catalogue:
    return Catalogue(Content.packaged(__package__))
