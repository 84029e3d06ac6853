"""Events of battles: totals, results, losses, retreats, growth and fallen areas."""

from __future__ import annotations

from typing import ClassVar

from ..words import listed, sentence
from .events_turn import remove
from .facts import SIDES, Fact, Names, agree, hits
from .state import Battle, DoomState


class BattleBegan(Fact, frozen=True):
    """A battle begins: everything of both sides in the area takes part."""

    mark: ClassVar[str] = "fight"
    area: str
    kind: str
    attacker: str
    eldar: tuple[str, ...]
    tyranid: tuple[str, ...]

    def apply(self, state: DoomState) -> None:
        state.battle = Battle(self.area, self.kind, self.attacker)
        state.fought.append(self.area)

    def words(self, state: DoomState, names: Names) -> str:
        hordes = [names.piece(state, id) for id in self.tyranid if id in state.face]
        down = [id for id in self.tyranid if id not in state.face]
        hidden = [f"{'Swarm' if len(down) == 1 else 'Swarms'} {listed(down)}"] if down else []
        return f"Battle at {names.area(self.area)}: {names.units(self.eldar)} against {listed(hordes + hidden)}."


class RoundBegan(Fact, frozen=True):
    """A round of the battle begins; `holder` is the seat with a re-roll in it, empty when none has one."""

    number: int
    holder: str = ""

    def apply(self, state: DoomState) -> None:
        assert state.battle is not None
        state.battle.round, state.battle.holder = self.number, self.holder

    def words(self, state: DoomState, names: Names) -> str:
        # A mine may change the holder; it bursts in the first round, which is not told, or never.
        return f"Round {self.number}." if self.number > 1 else ""


class TotalsSet(Fact, frozen=True):
    """One side's total and its column; on the Craftworld the attack, with the defence against it."""

    side: str
    total: int
    column: str
    defence: int = 0

    def apply(self, state: DoomState) -> None:
        battle = state.battle
        assert battle is not None
        battle.side, battle.total, battle.defence, battle.column = self.side, self.total, self.defence, self.column
        battle.roll, battle.rerolled = 0, False

    def words(self, state: DoomState, names: Names) -> str:
        assert state.battle is not None
        side = sentence(SIDES[self.side])
        if state.battle.kind == "space":
            return f"{side} bring {self.total}: column {self.column}."
        return f"{side} attack with {self.total} against {self.defence}: column {self.column}."


class DieCast(Fact, frozen=True):
    """The die of the battle shows that value; `again` when it is the second roll, which stands."""

    side: str
    value: int
    again: bool = False

    def apply(self, state: DoomState) -> None:
        assert state.battle is not None
        state.battle.roll, state.battle.rerolled = self.value, self.again

    # The roll itself is told by the event of the dice.


class RerollDeclined(Fact, frozen=True):
    """The holder of the re-roll lets the die stand."""

    side: str

    def words(self, state: DoomState, names: Names) -> str:
        return f"{sentence(SIDES[self.side])} let the roll stand."


class FireRead(Fact, frozen=True):
    """What one side's fire destroys."""

    side: str
    destroyed: int

    def words(self, state: DoomState, names: Names) -> str:
        return f"{hits(self.destroyed).capitalize()}."


class OddsResult(Fact, frozen=True):
    """The result of a Craftworld battle, and how many each side loses (-1: all)."""

    code: str
    attacker_losses: int
    defender_losses: int

    def words(self, state: DoomState, names: Names) -> str:
        return f"{self.code}: {names.result(self.code)}."


class UnitDestroyed(Fact, frozen=True):
    """An Eldar unit is lost and goes to a box."""

    mark: ClassVar[str] = "loss"
    unit: str
    area: str
    to: str

    def apply(self, state: DoomState) -> None:
        remove(state, self.unit, self.area, self.to)
        state.loud = True
        if state.battle is not None:
            state.battle.killed = True

    def words(self, state: DoomState, names: Names) -> str:
        unit = names.unit(self.unit)
        return sentence(f"{unit} {agree(unit, 'is', 'are')} lost at {names.area(self.area)}.")


class TyranidDestroyed(Fact, frozen=True):
    """A Tyranid counter is destroyed; what a face-down one was is not said."""

    mark: ClassVar[str] = "loss"
    token: str
    area: str

    def apply(self, state: DoomState) -> None:
        remove(state, self.token, self.area, "")
        state.loud = True

    def words(self, state: DoomState, names: Names) -> str:
        token = names.known(state, self.token)
        return sentence(f"{token} {agree(token, 'is', 'are')} destroyed at {names.area(self.area)}.")


class MineDetonated(Fact, frozen=True):
    """A Spore Mine bursts and is gone."""

    mark: ClassVar[str] = "loss"
    token: str
    area: str

    def apply(self, state: DoomState) -> None:
        remove(state, self.token, self.area, "")
        state.loud = True

    def words(self, state: DoomState, names: Names) -> str:
        return f"A Spore Mine ({self.token}) bursts at {names.area(self.area)}."


class UnitRetreated(Fact, frozen=True):
    """Units break off from a space battle to an area."""

    units: tuple[str, ...]
    start: str
    to: str

    def apply(self, state: DoomState) -> None:
        state.units.update(dict.fromkeys(self.units, self.to))
        if state.battle is not None:
            state.battle.fled = True
        state.units_changed()

    def words(self, state: DoomState, names: Names) -> str:
        who = names.units(self.units)
        return sentence(f"{who} {agree(who, 'breaks', 'break')} off to {names.area(self.to)}.")


class BattleEnded(Fact, frozen=True):
    """The battle is over: `eldar` or `tyranid` holds the area, `retreat`, `both` stand, or `none`."""

    area: str
    outcome: str

    def apply(self, state: DoomState) -> None:
        state.battle = None

    def words(self, state: DoomState, names: Names) -> str:
        if self.outcome == "retreat":
            return ""  # told by the event before
        how = {
            "eldar": "the Eldar hold it",
            "tyranid": "the Tyranids hold it",
            "both": "neither side gives way",
            "none": "nobody is left to fight",
        }[self.outcome]
        return f"{sentence(names.area(self.area))}: {how}."


class ProtoidGrew(Fact, frozen=True):
    """A Protoid grows to that stage (1 or more) and those figures."""

    token: str
    stage: int
    attack: int
    defence: int

    def apply(self, state: DoomState) -> None:
        state.stages[self.token] = self.stage

    def words(self, state: DoomState, names: Names) -> str:
        return f"{sentence(names.piece(state, self.token))} feeds and grows to {self.attack}-{self.defence}."


class AreaDevastated(Fact, frozen=True):
    """The fortification of an area is wrecked for good (DOE-FORT-4); `yriel` says that this calls Yriel."""

    mark: ClassVar[str] = "loss"
    area: str
    yriel: bool = False

    def apply(self, state: DoomState) -> None:
        state.fortified.remove(self.area)
        state.devastated.append(self.area)
        state.loud = True
        state.fallen = state.fallen or self.yriel

    def words(self, state: DoomState, names: Names) -> str:
        return f"{sentence(names.area(self.area))} is devastated."


class HiveMindLost(Fact, frozen=True):
    """A Hive Mind alone among Eldar goes back to the lid (option `hive_mind_end`)."""

    mark: ClassVar[str] = "loss"
    token: str
    area: str

    def apply(self, state: DoomState) -> None:
        remove(state, self.token, self.area, "")

    def words(self, state: DoomState, names: Names) -> str:
        return (
            f"{sentence(names.piece(state, self.token))} is alone at {names.area(self.area)} and goes back to the lid."
        )


BATTLE_EVENTS: tuple[type[Fact], ...] = (
    BattleBegan, RoundBegan, TotalsSet, DieCast, RerollDeclined, FireRead, OddsResult, UnitDestroyed, TyranidDestroyed,
    MineDetonated, UnitRetreated, BattleEnded, ProtoidGrew, AreaDevastated, HiveMindLost,
)  # fmt: skip
