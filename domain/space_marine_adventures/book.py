"""The catalogue as the rules use it: datacard sides, windows, effects and grounds, looked up by what a state holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from . import effects as e
from .catalogue import Catalogue
from .facts import Names
from .field import Field, Ground
from .records import Mission, Window
from .state import Creature, LevelState, Options


class Side:
    """One side of a Marine's datacard, its ability taken apart; `rule` is the register ID of the ability."""

    __slots__ = (
        "ability", "actions", "attack_plus", "command", "dice", "dice_uses", "free_moves", "grenade", "name", "range",
        "rule", "second_roll",
    )  # fmt: skip

    def __init__(self, catalogue: Catalogue, code: str, wounded: bool) -> None:
        record = catalogue.side(code, wounded)
        self.name = record.side
        self.range = record.range
        self.actions = record.actions
        self.ability = record.ability
        self.rule = f"SMA-ABIL-{code}"
        self.attack_plus = sum(effect.plus for effect in record.effects if isinstance(effect, e.AttackPlus))
        self.free_moves = sum(effect.count for effect in record.effects if isinstance(effect, e.FreeMoveOnKill))
        self.command = next((effect for effect in record.effects if isinstance(effect, e.Command)), None)
        self.grenade = next((effect for effect in record.effects if isinstance(effect, e.Grenade)), None)
        self.second_roll = next((effect for effect in record.effects if isinstance(effect, e.RerollFailedAttack)), None)
        dice = next((effect for effect in record.effects if isinstance(effect, e.AttackDice)), None)
        self.dice = dice.dice if dice else 1
        self.dice_uses = dice.uses if dice else None


class Book:
    """What the rules look up, bound to one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.roster: tuple[str, ...] = tuple(catalogue.marines)
        self.sides: dict[str, tuple[Side, Side]] = {
            code: (Side(catalogue, code, False), Side(catalogue, code, True)) for code in self.roster
        }
        self.resiliences: dict[str, int] = {kind: card.resilience for kind, card in catalogue.tyranids.items()}
        self.kinds: dict[str, str] = {counter.id: counter.kind for counter in catalogue.counters.values()}
        _check_windows(catalogue)
        self.windows: dict[str, tuple[str, ...]] = {card.id: card.windows for card in catalogue.specials.values()}
        self.usable: dict[str, frozenset[str]] = {
            window: frozenset(card.id for card in catalogue.specials.values() if window in card.windows)
            for window in get_args(Window)
        }
        """Special cards by the window they may be played in."""
        self.dice_rules: dict[str, str] = {
            card.id: "SMA-FRAG-3" if isinstance(card.effects[0], e.Blast) else "SMA-SPEC-7"
            for card in catalogue.specials.values()
        }
        """The register ID that an attack by a special card goes by."""
        self.shows: dict[str, str] = {
            card.id: catalogue.codes.get(card.shows, card.shows) for card in catalogue.activation.values()
        }
        self.names = CatalogueNames(catalogue)
        self.streams: dict[str, str] = {code: f"die/{code.lower()}" for code in self.roster}
        self.prompts: dict[str, str] = {code: f"{self.names.marine(code)}'s next action?" for code in self.roster}
        self._grounds: dict[Any, Ground] = {}

    def ground(self, state: LevelState) -> Ground:
        """Return the ground a state is played on: the same object until a tile is laid or a bulkhead opens."""
        options = state.options
        key = (state.face, state.entry, state.exit, state.sealed, options.sight, options.corner, options.range_count)
        found = self._grounds.get(key)
        if found is None:
            hulk = self.catalogue.hulk(state.face, state.entry, state.exit or None)
            found = self._grounds[key] = Ground(hulk, hulk.sealed(state.sealed), state)
        return found

    def field(self, state: LevelState) -> Field:
        """Return who stands where in a state, as it is now; not to be changed."""
        kept = state.__dict__.get("field")
        if kept is not None and kept[0] is self:
            found: Field = kept[1]
            return found
        found = Field(self.ground(state), state)
        state.__dict__["field"] = (self, found)
        return found

    def side(self, state: LevelState, code: str) -> Side:
        """Return the side of a Marine's datacard that is up (SMA-ABIL-0)."""
        return self.sides[code][1 if state.marines[code].wounds else 0]

    def resilience(self, state: LevelState, kind: str) -> int:
        """Return what a roll against that kind needs now."""
        return self.resiliences[kind] + state.hardened.get(kind, 0)

    def mission(self, state: LevelState) -> Mission:
        """Return the briefing of the level."""
        return self.briefing(state.options, state.level)

    def briefing(self, options: Options, level: int) -> Mission:
        """Return the briefing of a level, that of the campaign in one (SMA-CAMP-1)."""
        return self.catalogue.missions[level, options.mode]

    def effects(self, state: LevelState, source: str) -> tuple[e.InfestationEffect, ...]:
        """Return the list of effects a `Carry` step means: of the card of that id, or the briefing's `setup` or `damage`."""
        if source == "setup":
            return self.mission(state).setup
        return self.mission(state).prime.on_damage if source == "damage" else self.catalogue.infestation[source].effects

    def targets(self, state: LevelState, field: Field, here: int, reach: int) -> list[tuple[int, int]]:
        """Return the Tyranids that can be attacked from a square within `reach`, each with its count of squares."""
        seen = field.seen(here, reach)
        if field.prime < 0 or not self.shield(state, field, here):
            return seen
        return [pair for pair in seen if pair[0] != field.prime]

    def shield(self, state: LevelState, field: Field, here: int) -> str:
        """Return the register ID that keeps the Prime from harm from a square, empty when it can be harmed."""
        prime, ground = self.mission(state).prime, field.ground
        if ground.distance(here, field.prime) > prime.max_distance:
            return "SMA-PRIME-4"
        guards = prime.guarded_by_adjacent and any(s in field.tyranids for s in ground.neighbours[field.prime])
        return "SMA-PRIME-5" if guards else ""

    def kind(self, counter: str) -> str:
        """Return the kind of a counter."""
        return self.kinds[counter]

    def creature(self, counter: str) -> Creature:
        """Return a counter as it lies on the board."""
        return Creature(counter, self.kinds[counter])


REACTIONS: Mapping[type, tuple[str, ...]] = {
    e.Reroll: ("own_roll_failed",),
    e.PreventWound: ("wound_self", "wound_near"),
    e.CancelInfestation: ("infestation_revealed",),
}
ACTIVE = ("own_turn", "between")


def _check_windows(catalogue: Catalogue) -> None:
    """Raise ContentError for a special card that can be played when its effects mean nothing (SMA-SPEC-7)."""
    for number, card in enumerate(catalogue.specials.values()):
        for effect in card.effects:
            fitting = REACTIONS.get(type(effect), ACTIVE)
            wrong = [window for window in card.windows if window not in fitting]
            if wrong or (type(effect) in REACTIONS and len(card.effects) > 1):
                reason = f"an effect of this card belongs alone in the windows {' and '.join(fitting)}."
                raise catalogue.content.wrong("specials.toml", "specials", number, reason, "windows")


class CatalogueNames(Names):
    """Names as they stand in the content; an id that the content lacks is its own name."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._marines = {code: marine.name for code, marine in catalogue.marines.items()}
        self._cards: Mapping[str, str] = {
            **{card.id: card.name for card in catalogue.specials.values()},
            **{card.id: card.name for card in catalogue.infestation.values()},
            **{card.id: card.name for card in catalogue.challenges.values()},
        }
        self._kinds = {kind: card.name for kind, card in catalogue.tyranids.items()}
        self._counters = {counter.id: self._kinds[counter.kind] for counter in catalogue.counters.values()}
        self._faces = {face.id: face.name for face in catalogue.faces.values()}
        # A campaign's briefing goes by the name of its level, which only the other one has.
        titles = {mission.level: mission.name for mission in catalogue.missions.values() if mission.variant == "single"}
        shown = {id: self._marines[code] for id, code in catalogue.codes.items()}
        turns = {id: shown.get(card.shows, "Tyranids") for id, card in catalogue.activation.items()}
        self._labels = {**turns, **self._marines, **self._cards, **self._kinds, **self._counters, **self._faces}
        self._missions = {
            mission.id: titles.get(mission.level, mission.name) for mission in catalogue.missions.values()
        }

    def marine(self, code: str) -> str:
        return self._marines.get(code, code)

    def card(self, card: str) -> str:
        return self._cards.get(card, card)

    def kind(self, kind: str) -> str:
        return self._kinds.get(kind, kind)

    def counter(self, counter: str) -> str:
        return self._counters.get(counter, counter)

    def face(self, face: str) -> str:
        return self._faces.get(face, face)

    def called(self, id: str) -> str:
        return self._labels.get(id, id)

    def mission(self, mission: str) -> str:
        return self._missions.get(mission, mission)
