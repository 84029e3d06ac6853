"""The catalogue as the rules use it: who there is, what they can do, and the ship as a state has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..errors import OptionError
from . import effects as e
from .catalogue import Catalogue
from .crowd import Crowd
from .facts import Names
from .records import Profile
from .ship import Ship, Yard
from .state import MARINES, TYRANID, HiveState, Model, Options, Point

BLOB = "acid_blob"
DREADNOUGHT = "dreadnought"
LOST, POOL, SPENT, BLOBS = "lost", "pool", "spent", "blobs"
"""Where a model goes that leaves the board: the fields of the state that list it."""


class Gun(NamedTuple):
    """What a model shoots with: its figures and traits (TA-CHAR-3, TA-CHAR-4, TA-WEAP)."""

    weapon: str
    range: int
    fire: int
    bonus: int
    split: bool
    blast: int
    at_floor: bool
    recharge: bool
    hellfire: bool


class Book:
    """What the rules look up, bound to one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.profiles: dict[str, Profile] = dict(catalogue.profiles)
        self.kinds: dict[str, str] = {catalogue.codes[kind]: kind for kind in self.profiles}
        """The kind of a model by the letters its name begins with."""
        self._sides = {
            code: "marines" if self.profiles[kind].side == "marine" else "tyranid" for code, kind in self.kinds.items()
        }
        self.guns: dict[str, Gun] = dict(self._guns())
        """What each kind shoots with; kinds that do not shoot are absent."""
        self.heavies: dict[str, Gun] = {
            weapon.id: Gun(
                weapon.id, weapon.range, weapon.fire, weapon.die_bonus, "split" in weapon.traits, weapon.blast_dice,
                weapon.may_target_empty, "recharge" in weapon.traits, False,
            )
            for weapon in catalogue.heavies.values()
        }  # fmt: skip
        self.psychic: frozenset[str] = self._with("psychic")
        """Kinds whose weapon adds a die less 1 (TA-WEAP-6)."""
        self.acid: frozenset[str] = self._with("acid")
        """Kinds that always win (TA-BLOB-2)."""
        self.sergeants: frozenset[str] = frozenset(kind for kind, one in self.profiles.items() if one.sergeant)
        self.scouts: frozenset[str] = frozenset(kind for kind, one in self.profiles.items() if one.group == "scout")
        self.armour = catalogue.objective_armour
        self.needed = catalogue.needed
        self.yard = Yard(catalogue)
        self.names: Names = BookNames(self)
        self.tiles: dict[int, str] = {tile.section: tile.id for tile in catalogue.tiles.values()}
        self.objectives: dict[int, str] = {one.number: one.id for one in catalogue.objectives.values()}
        """The objective of each section (TA-OBJ-1)."""
        self._objective_effects = {one.id: one.effect for one in catalogue.objectives.values()}

    def _guns(self) -> Iterator[tuple[str, Gun]]:
        for kind, profile in self.profiles.items():
            arms = [self.catalogue.weapons[weapon] for weapon in profile.weapons]
            shooting = next((weapon for weapon in arms if weapon.kind == "shoot"), None)
            if shooting is not None and profile.fire:
                traits = shooting.traits
                yield kind, Gun(
                    shooting.id, profile.range, profile.fire, profile.fire_bonus, "split" in traits,
                    shooting.blast_dice, shooting.may_target_empty, "recharge" in traits,
                    "hellfire" in traits and profile.group == "scout",
                )  # fmt: skip

    def _with(self, trait: str) -> frozenset[str]:
        weapons = self.catalogue.weapons
        return frozenset(
            kind
            for kind, profile in self.profiles.items()
            if any(trait in weapons[weapon].traits for weapon in profile.weapons)
        )

    # Who there is

    def kind(self, name: str) -> str:
        """Return the kind of a model by its name."""
        return self.kinds[name[:2]]

    def roster(self, options: Options) -> dict[str, int]:
        """Return how many models there are of each kind (TA-COMP-1, TA-COMP-8, TA-SLAVE-1, ruling G-3).

        Raises OptionError for models of the extra lists that do not exist.
        """
        counts = {
            kind: profile.count
            for kind, profile in self.profiles.items()
            if profile.group not in ("mind_slave", "bio_construct")
        }
        warriors = counts["warrior_boneswords"] + counts["warrior_deathspitter"]
        counts["warrior_boneswords"] = options.warrior_boneswords
        counts["warrior_deathspitter"] = warriors - options.warrior_boneswords
        terminators = counts["terminator"] + counts["terminator_flamer"]
        counts["terminator_flamer"] = options.terminator_flamers
        counts["terminator"] = terminators - options.terminator_flamers
        arms = options.hybrid_arms.split(",")
        for arm in ("bolter", "plasma", "chainsword"):
            counts[f"hybrid_{arm}"] = arms.count(arm)
        counts.update(self.extra(options))
        return counts

    def extra(self, options: Options) -> dict[str, int]:
        """Return how many models of the extra lists the Tyranids have (TA-SLAVE-1); raises OptionError."""
        found: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in options.extra_tyranids.split(","))):
            kind, _, count = part.partition("=")
            kind = kind.strip().lower().replace("-", "_").replace(" ", "_")
            profile = self.profiles.get(kind)
            owned = [k for k, one in self.profiles.items() if one.group in ("mind_slave", "bio_construct")]
            if profile is None or kind not in owned:
                raise OptionError(
                    f"Option 'extra_tyranids' knows no '{part}': name models as android=2,dreadnought=1. There are "
                    f"{', '.join(owned)}."
                )
            if not count.strip().isdecimal() or not 1 <= int(count) <= 20:
                raise OptionError(f"Option 'extra_tyranids' cannot be '{part}': give 1 to 20 of a model, as {kind}=2.")
            found[kind] = int(count)
        return found

    def members(self, kind: str, count: int) -> list[str]:
        """Return the names of so many models of a kind."""
        return [f"{self.catalogue.codes[kind]}{number}" for number in range(1, count + 1)]

    # What they can do

    def profile(self, model: Model) -> Profile:
        """Return the profile of a model on the board."""
        return self.profiles[model.kind]

    def side(self, name: str) -> str:
        """Return the seat that a model belongs to (TA-SETUP-3)."""
        return self._sides[name[:2]]

    def move(self, model: Model) -> int:
        """Return how many squares a model moves, its artifacts included."""
        if not model.artifacts:
            return self.profiles[model.kind].move
        return self.profiles[model.kind].move + sum(
            effect.amount for effect in self._carried(model) if isinstance(effect, e.BearerMove)
        )

    def armour_of(self, model: Model) -> int:
        """Return what a die must reach to hit a model, its artifacts included (TA-CHAR-2)."""
        armour = self.profiles[model.kind].armour
        for effect in self._carried(model):
            if isinstance(effect, e.BearerArmour):
                armour = max(armour, min(armour + effect.amount, effect.maximum))
        return armour

    def fire_of(self, model: Model) -> int:
        """Return the dice of a model's normal shot, its artifacts included (TA-CHAR-4, TA-ART-3, TA-ART-11)."""
        gun = self.guns.get(model.kind)
        if gun is None:
            return 0
        if not model.artifacts:
            return gun.fire
        return gun.fire + sum(effect.amount for effect in self._carried(model) if isinstance(effect, e.BearerFireDice))

    def hth_bonus(self, model: Model) -> int:
        """Return what is added to a model's best die hand to hand, its artifacts included (TA-CHAR-5)."""
        return self.profiles[model.kind].hth_bonus + sum(
            effect.amount for effect in self._carried(model) if isinstance(effect, e.BearerHthBonus)
        )

    def _carried(self, model: Model) -> list[e.ArtifactEffect]:
        return [self.catalogue.artifacts[number].effect for number in model.artifacts]

    # The ship

    def ship(self, state: HiveState) -> Ship:
        """Return the ship as it lies in a state, its templates included."""
        found: Ship | None = state.__dict__.get("ship")
        if found is None:
            solid = (square for squares in state.templates.values() for square in squares)
            found = self.yard.ship(state.chain, state.entry, solid, state.options.corners == "sealed")
            state.__dict__["ship"] = found
        return found

    def sides(self, state: HiveState) -> dict[str, list[str]]:
        """Return the models on the board by the seat they belong to, in the order they came; not to be changed."""
        found: dict[str, list[str]] | None = state.__dict__.get("sides")
        if found is None:
            found = {MARINES: [], TYRANID: []}
            for name in state.models:
                found[self.side(name)].append(name)
            state.__dict__["sides"] = found
        return found

    def crowd(self, state: HiveState) -> Crowd:
        """Return where the models on the board stand, as bits of the ship's plane."""
        found: Crowd | None = state.__dict__.get("crowd")
        if found is None:
            models, sides = state.models, self.sides(state)
            found = Crowd(
                self.ship(state).plane, *([models[name] for name in sides[seat]] for seat in (MARINES, TYRANID))
            )
            state.__dict__["crowd"] = found
        return found

    def standing(self, state: HiveState, kind: type[e.ObjectiveEffect]) -> tuple[str, e.ObjectiveEffect] | None:
        """Return the objective that stands and has an effect of that kind, with the effect."""
        return next(
            ((id, effect) for id in state.templates for effect in self._objective_effects[id] if type(effect) is kind),
            None,
        )

    def after(self, state: HiveState, kind: type[e.ObjectiveEffect]) -> e.ObjectiveEffect | None:
        """Return the effect of that kind of an objective that has been destroyed."""
        return next(
            (effect for id in state.destroyed for effect in self._objective_effects[id] if type(effect) is kind), None
        )

    def effects_of(self, objective: str) -> tuple[e.ObjectiveEffect, ...]:
        """Return what an objective does."""
        return self._objective_effects[objective]

    def order_effects(self, state: HiveState, model: str) -> tuple[e.OrderEffect, ...]:
        """Return what the order played in this turn does for a model that it serves (TA-ORDER-4, -5)."""
        served = state.served
        if served is None or model not in served.models:
            return ()
        return self.catalogue.orders[served.key].effects


class BookNames(Names):
    """Names from the content."""

    def __init__(self, book: Book) -> None:
        self._book = book
        content = book.catalogue
        named = (book.profiles, content.weapons, content.heavies, content.cards, content.orders, content.objectives)
        self._labels = {"fight": "hand to hand", "objective": "Objective"} | {
            id: one.name for part in named for id, one in part.items()
        }
        sections = {number: f"{one.name} ({number})" for number, one in content.sections.items()}
        self._labels |= {
            id: name for number, name in sections.items() for id in (str(number), content.sections[number].id)
        }
        self._labels |= {id: sections[tile.section] for id, tile in content.tiles.items() if tile.section in sections}

    def square(self, state: HiveState, square: Point) -> str:
        return self._book.ship(state).name(square) if state.chain else super().square(state, square)

    def spot(self, state: HiveState, square: Point) -> str:
        return " = ".join(self._book.ship(state).all_names(square)) if state.chain else super().spot(state, square)

    def kind(self, kind: str) -> str:
        profile = self._book.profiles.get(kind)
        return profile.name if profile else super().kind(kind)

    def objective(self, objective: str) -> str:
        found = self._book.catalogue.objectives.get(objective)
        return f"the {found.name}" if found else objective

    def card(self, card: str) -> str:
        found = self._book.catalogue.cards.get(card)
        return found.name if found else card

    def tile(self, tile: str) -> str:
        found = self._book.catalogue.tiles.get(tile)
        return self.section(found.section) if found else tile

    def card_text(self, card: str) -> str:
        found = self._book.catalogue.cards.get(card)
        return found.text if found else ""

    def order(self, key: str) -> str:
        found = self._book.catalogue.orders.get(key)
        return found.name if found else key

    def weapon(self, weapon: str) -> str:
        found = self._book.catalogue.weapons.get(weapon) or self._book.catalogue.heavies.get(weapon)
        return found.name.lower() if found else super().weapon(weapon)

    def called(self, id: str) -> str:
        if id in self._labels:
            return self._labels[id]
        model = id[2:].isdigit() and id[:2] in self._book.kinds
        return f"{self.kind(self._book.kind(id))} {id}" if model else id

    def artifact(self, number: int) -> str:
        found = self._book.catalogue.artifacts.get(number)
        return f"the {found.name} (A{number})" if found else super().artifact(number)
