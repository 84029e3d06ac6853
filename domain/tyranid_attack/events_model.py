"""Events of models: placed, moved, hurt, killed, armed; what they carry and what lies about."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from ..words import counted, listed, sentence
from .facts import Fact, Names
from .state import Act, HiveState, Model, Point


class PartyBought(Fact, frozen=True):
    """Models are bought for the boarding party (TA-BUY-1)."""

    kind: str
    models: tuple[str, ...]
    points: int

    def apply(self, state: HiveState) -> None:
        state.party += self.models
        state.reserve = [name for name in state.reserve if name not in self.models]
        state.points_left -= self.points

    def words(self, state: HiveState, names: Names) -> str:
        count = len(self.models)
        who, join = counted(count, names.kind(self.kind)), "joins" if count == 1 else "join"
        return f"{who} {join} for {counted(self.points, 'point')}: {listed(self.models)}."


class Supplied(Fact, frozen=True):
    """What the players have at the start: the Tyranid pool, Marines to come, counters and order cards."""

    pool: tuple[str, ...]
    party: tuple[str, ...]
    reserve: tuple[str, ...]
    blobs: tuple[str, ...]
    cysts: int
    shells: int
    bombs: int
    orders: tuple[str, ...]
    points: int = 0

    def apply(self, state: HiveState) -> None:
        state.pool, state.party = list(self.pool), list(self.party)
        state.reserve, state.blobs = list(self.reserve), list(self.blobs)
        state.cysts_left, state.shells, state.bombs = self.cysts, self.shells, self.bombs
        state.orders, state.points_left = list(self.orders), self.points


class ModelPlaced(Fact, frozen=True):
    """A model comes onto the board; it may act in this part if it is `fresh`."""

    model: str
    kind: str
    at: Point
    life: int
    fresh: bool = False
    reason: str = "deploy"
    arms: tuple[str, ...] = ()

    def apply(self, state: HiveState) -> None:
        arms = dict(enumerate(self.arms, 1))
        state.models[self.model] = Model(self.kind, self.at, self.life, arms=arms)
        for names in (state.pool, state.party, state.reserve, state.lost, state.blobs):
            if self.model in names:
                names.remove(self.model)
        if not self.fresh:
            state.acts[self.model] = Act(fresh=False, moves=0, attacks=0)
        else:
            state.acts.pop(self.model, None)
        state.changed()

    def words(self, state: HiveState, names: Names) -> str:
        why = {
            "deploy": "", "defender": " as a defender", "reinforcement": " as a reinforcement", "blob": " where he stood",
            "return": " out of the Sphincter", "found": ", found here", "card": "",
        }[self.reason]  # fmt: skip
        arms = f", armed with {listed(map(names.weapon, self.arms))}" if self.arms else ""
        return f"{self.model} ({names.kind(self.kind)}) appears at {names.square(state, self.at)}{why}{arms}."


class ModelsDeployed(Fact, frozen=True):
    """Everyone is deployed at once: model, kind, square and life."""

    models: tuple[tuple[str, str, Point, int], ...]

    def apply(self, state: HiveState) -> None:
        for name, kind, at, life in self.models:
            if name in state.party:
                state.party.remove(name)
            state.models[name] = Model(kind, at, life)
        state.changed()

    def words(self, state: HiveState, names: Names) -> str:
        return f"Deployed: {listed(f'{name} at {names.square(state, at)}' for name, _, at, _ in self.models)}."


class ModelShifted(Fact, frozen=True):
    """A model is deployed elsewhere."""

    model: str
    at: Point

    def apply(self, state: HiveState) -> None:
        state.moved(self.model, self.at)

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} is put at {names.square(state, self.at)} instead."


class ModelMoved(Fact, frozen=True):
    """A model moves along a path, which does not hold its start; what it has left of moves, squares and attacks."""

    model: str
    path: tuple[Point, ...]
    act: Act

    def apply(self, state: HiveState) -> None:
        state.moved(self.model, self.path[-1])
        state.acts[self.model] = msgspec.structs.replace(self.act)

    def words(self, state: HiveState, names: Names) -> str:
        count = len(self.path)
        return f"{self.model} moves to {names.square(state, self.path[-1])} ({count} square{'s' if count > 1 else ''})."


class ActSpent(Fact, frozen=True):
    """What a model may still do in this part after it has done something."""

    model: str
    act: Act

    def apply(self, state: HiveState) -> None:
        state.acts[self.model] = msgspec.structs.replace(self.act)


class LifeLost(Fact, frozen=True):
    """A model loses a life point and lives."""

    mark: ClassVar[str] = "loss"
    model: str
    left: int
    cause: str

    def apply(self, state: HiveState) -> None:
        state.models[self.model].life = self.left

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} is hurt; {counted(self.left, 'life point')} left."


class ModelKilled(Fact, frozen=True):
    """A model dies and is removed; `to` is where it goes: `pool`, `lost`, `blobs`, `spent`."""

    mark: ClassVar[str] = "loss"
    model: str
    at: Point
    cause: str
    to: str

    def apply(self, state: HiveState) -> None:
        gone(state, self.model, self.to)
        if state.trigger is not None and state.trigger.model == self.model:
            state.death = self.at

    def words(self, state: HiveState, names: Names) -> str:
        back = " and goes back to the pool" if self.to == "pool" else ""
        return f"{self.model} dies at {names.square(state, self.at)}{back}."


class ModelsLost(Fact, frozen=True):
    """Models go with the section that closes on them; each with where it goes."""

    mark: ClassVar[str] = "loss"
    section: int
    models: tuple[tuple[str, str], ...]

    def apply(self, state: HiveState) -> None:
        for model, to in self.models:
            gone(state, model, to)

    def words(self, state: HiveState, names: Names) -> str:
        return f"{names.section(self.section).capitalize()} closes on {listed(name for name, _ in self.models)}."


def gone(state: HiveState, model: str, to: str) -> None:
    """Take a model off the board."""
    del state.models[model]
    state.acts.pop(model, None)
    getattr(state, to).append(model)
    state.changed()


class ModelWentProne(Fact, frozen=True):
    """A Marine passes out (TA-SPEC-10)."""

    model: str

    def apply(self, state: HiveState) -> None:
        state.models[self.model].prone = True
        state.changed()

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} passes out."


class ModelsCameRound(Fact, frozen=True):
    """Prone Marines come round (TA-SPEC-11)."""

    models: tuple[str, ...]

    def apply(self, state: HiveState) -> None:
        for model in self.models:
            state.models[model].prone = False
        state.changed()

    def words(self, state: HiveState, names: Names) -> str:
        return f"{listed(self.models)} {'come' if len(self.models) > 1 else 'comes'} round."


class WeaponSpent(Fact, frozen=True):
    """A gun that recharges has fired; `mount` is a Dreadnought's (0: the model's own)."""

    model: str
    weapon: str
    ready: int
    mount: int = 0

    def apply(self, state: HiveState) -> None:
        model = state.models[self.model]
        if self.mount:
            model.ready_arms[self.mount] = self.ready
        else:
            model.ready = self.ready

    def words(self, state: HiveState, names: Names) -> str:
        return f"The {names.weapon(self.weapon)} of {self.model} recharges until turn {self.ready}."


class WeaponDropped(Fact, frozen=True):
    """A hurt Dreadnought loses a heavy weapon (TA-DREAD-6)."""

    model: str
    mount: int
    weapon: str

    def apply(self, state: HiveState) -> None:
        del state.models[self.model].arms[self.mount]

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} loses its {names.weapon(self.weapon)}."


class ArtifactFound(Fact, frozen=True):
    """An artifact is found: by a model, or (no model) it lies on a square."""

    number: int
    model: str = ""
    at: Point | None = None

    def apply(self, state: HiveState) -> None:
        if self.model:
            state.models[self.model].artifacts.append(self.number)
        elif self.at is not None:
            state.artifacts[self.number] = self.at

    def words(self, state: HiveState, names: Names) -> str:
        if self.model:
            return f"{self.model} finds {names.artifact(self.number)}."
        assert self.at is not None
        return f"{sentence(names.artifact(self.number))} lies at {names.square(state, self.at)}."


class ArtifactDropped(Fact, frozen=True):
    """An artifact stays where its bearer died (TA-ART-6)."""

    number: int
    model: str
    at: Point

    def apply(self, state: HiveState) -> None:
        state.artifacts[self.number] = self.at

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} leaves {names.artifact(self.number)} at {names.square(state, self.at)}."


class ArtifactTaken(Fact, frozen=True):
    """A Marine takes an artifact that lies on its square (TA-ART-7)."""

    number: int
    model: str

    def apply(self, state: HiveState) -> None:
        del state.artifacts[self.number]
        state.models[self.model].artifacts.append(self.number)

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} takes {names.artifact(self.number)}."


class ArtifactGiven(Fact, frozen=True):
    """A Marine hands an artifact over (TA-ART-4)."""

    number: int
    giver: str
    model: str

    def apply(self, state: HiveState) -> None:
        state.models[self.giver].artifacts.remove(self.number)
        state.models[self.model].artifacts.append(self.number)

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.giver} hands {names.artifact(self.number)} over to {self.model}."


class ArtifactsGone(Fact, frozen=True):
    """Artifacts leave the game with a section (TA-EXPL-16)."""

    numbers: tuple[int, ...]

    def apply(self, state: HiveState) -> None:
        for number in self.numbers:
            state.artifacts.pop(number, None)

    def words(self, state: HiveState, names: Names) -> str:
        return f"{sentence(listed(map(names.artifact, self.numbers)))} {'are' if len(self.numbers) > 1 else 'is'} lost for good."


MODEL_EVENTS: tuple[type[Fact], ...] = (
    PartyBought, Supplied, ModelPlaced, ModelsDeployed, ModelShifted, ModelMoved, ActSpent, LifeLost, ModelKilled,
    ModelsLost, ModelWentProne, ModelsCameRound, WeaponSpent, WeaponDropped, ArtifactFound, ArtifactDropped,
    ArtifactTaken, ArtifactGiven, ArtifactsGone,
)  # fmt: skip
