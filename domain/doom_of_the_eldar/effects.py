"""The vocabulary of effects: what a counter's or an action's content can say that it does."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from ..content import Record

Stat = Literal["attack", "defence", "combat"]
When = Literal["always", "face_up"]
Pool = Literal["destroyed_spacecraft", "destroyed_ground", "warp_gate"]


class MultiplyValues(Record, frozen=True, tag_field="do", tag="multiply_values"):
    """While the bearer is in the area, each stat of each target kind there is multiplied."""

    targets: tuple[str, ...]
    factor: int
    stats: tuple[Stat, ...]
    scope: Literal["same_area"]


class GrantReroll(Record, frozen=True, tag_field="do", tag="grant_reroll"):
    """That side holds the re-roll in battles in the area, unless an enemy of a listed kind is active there."""

    side: Literal["eldar", "tyranid"]
    scope: Literal["same_area"]
    when: When = "always"
    needs_other_fighter: bool = False
    cancelled_by: tuple[str, ...] = ()


class Invulnerable(Record, frozen=True, tag_field="do", tag="invulnerable"):
    """Never a target, a loss, or part of a total."""

    when: When = "always"


class NoDevastation(Record, frozen=True, tag_field="do", tag="no_devastation"):
    """Does not wreck an area by being there alone."""


class IgnoredForEnd(Record, frozen=True, tag_field="do", tag="ignored_for_end"):
    """Does not keep the game going."""

    when: When = "always"


class CopyBestEnemy(Record, frozen=True, tag_field="do", tag="copy_best_enemy"):
    """Each stat is the best printed one among the enemies in the area, at least `minimum`."""

    stats: tuple[Stat, ...]
    minimum: int
    of: Literal["printed_values"]


class Grow(Record, frozen=True, tag_field="do", tag="grow"):
    """The values go through stages, `step` at a time, up to the last; destruction sets them back."""

    stages: tuple[tuple[int, int], ...]
    when: Literal["craftworld_battle_here_destroyed_eldar"]
    step: int
    reset_on: Literal["destroyed"]


class Detonate(Record, frozen=True, tag_field="do", tag="detonate"):
    """The bearer goes back to the lid and the enemy there loses counters: by a standing order, or if the owner chooses."""

    where: Literal["space", "craftworld"]
    window: Literal["round_start", "tyranid_battle_start"]
    by: Literal["standing_order", "choice"]
    owner: Literal["tyranid"]
    losses: int
    pick: Literal["eldar"]
    self_to: Literal["lid"]
    default_order: int = 0


class DestroySwarm(Record, frozen=True, tag_field="do", tag="destroy_swarm"):
    """Picked face-down counters go to the lid."""

    pick: Literal["eldar"]
    where: Literal["any_space"]
    count: int


class ReturnUnit(Record, frozen=True, tag_field="do", tag="return_unit"):
    """One picked unit of those kinds moves from a box to an area; `any` and `any_ship` stand for kinds."""

    pick: Literal["eldar"]
    box: Pool = msgspec.field(name="from")
    types: tuple[str, ...]
    to: Literal["adjacent_space", "any_craftworld"]


class RevealTo(Record, frozen=True, tag_field="do", tag="reveal_to"):
    """The viewer alone learns what the counters of one picked area are."""

    pick: Literal["eldar"]
    where: Literal["one_space_area"]
    viewer: Literal["eldar"]


class Deploy(Record, frozen=True, tag_field="do", tag="deploy"):
    """All these units enter in the sector that one die gives."""

    units: tuple[str, ...]
    to: Literal["sector_d6"]
    rolls: Literal[1]


class EnablePool(Record, frozen=True, tag_field="do", tag="enable_pool"):
    """Units become available to a kind of conversion."""

    units: tuple[str, ...]
    pool: Literal["raider_conversion"]


CounterEffect: TypeAlias = (
    MultiplyValues | GrantReroll | Invulnerable | NoDevastation | IgnoredForEnd | CopyBestEnemy | Grow | Detonate
)
ActionEffect: TypeAlias = DestroySwarm | ReturnUnit | RevealTo
TriggerEffect: TypeAlias = Deploy | EnablePool
