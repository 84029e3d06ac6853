"""Events of turns and attacks: parts, orders, reinforcements, shots, fights, and the end."""

from __future__ import annotations

from typing import ClassVar

from ..words import counted, listed, sentence
from .facts import SIDES, Fact, Names, Point, thrown
from .state import Act, Ending, HiveState, Served, distance

Target = str | Point


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    heading: ClassVar[str] = "round"
    turn: int

    def apply(self, state: HiveState) -> None:
        state.turn = self.turn

    def words(self, state: HiveState, names: Names) -> str:
        return f"Turn {self.turn}."


class PartBegan(Fact, frozen=True):
    """A part of a turn begins; all models of that side are fresh."""

    heading: ClassVar[str] = "turn"
    side: str

    def apply(self, state: HiveState) -> None:
        state.side = self.side
        state.acts, state.active, state.served, state.shots = {}, "", None, []

    def words(self, state: HiveState, names: Names) -> str:
        return f"{sentence(SIDES[self.side])} act."


class ActivationBegan(Fact, frozen=True):
    """A model is taken up."""

    model: str

    def apply(self, state: HiveState) -> None:
        state.active, state.shots = self.model, []


class ActivationEnded(Fact, frozen=True):
    """The model that was taken up is finished."""

    model: str

    def apply(self, state: HiveState) -> None:
        state.active = ""
        if self.model in state.models:
            state.acts[self.model] = _finished(state.act(self.model))


def _finished(act: Act) -> Act:
    # It is used up, but one that made no attack still has one to give up (TA-ART-5).
    return Act(fresh=False, moves=0, attacks=0 if act.attacked else 1, attacked=act.attacked, stepped=act.stepped)


class OrderPlayed(Fact, frozen=True):
    """An order card is played and serves these models; what each of them may do now."""

    key: str
    models: tuple[str, ...]
    act: Act

    def apply(self, state: HiveState) -> None:
        state.orders.remove(self.key)
        state.served = Served(self.key, self.models)
        for model in self.models:
            state.acts[model] = Act(moves=self.act.moves, attacks=self.act.attacks, split=self.act.split)

    def words(self, state: HiveState, names: Names) -> str:
        return f"Order: {names.order(self.key)}, for {listed(self.models) or 'nobody'}."


class ReinforcementRolled(Fact, frozen=True):
    """A die for a reinforcement, with its modifiers and total."""

    roll: int
    modifiers: tuple[tuple[str, int], ...]
    total: int
    granted: bool

    def words(self, state: HiveState, names: Names) -> str:
        sums = "".join(f" {amount:+} ({why})" for why, amount in self.modifiers)
        total = f"{sums} = {self.total}" if sums else ""
        return f"Reinforcement: {self.roll}{total}: {'a model arrives' if self.granted else 'none'}."


class ReinforcementDeclined(Fact, frozen=True):
    """The Tyranid player does not roll."""

    def words(self, state: HiveState, names: Names) -> str:
        return "No roll is made for a reinforcement."


class ReinforcementLost(Fact, frozen=True):
    """A reinforcement is lost: `square` (no way in) or `model` (none left)."""

    reason: str

    def words(self, state: HiveState, names: Names) -> str:
        why = {"square": "no way in is free", "model": "no model is left in the pool"}[self.reason]
        return f"The reinforcement is lost: {why}."


class Shot(Fact, frozen=True):
    """A model has shot at a target: its dice, what was added, what was needed, and whether it hit."""

    model: str
    weapon: str
    target: Target
    rolls: tuple[int, ...]
    bonus: int
    need: int
    hit: bool

    def apply(self, state: HiveState) -> None:
        _line(state, self.model, self.target)

    def words(self, state: HiveState, names: Names) -> str:
        if not self.rolls:
            return f"{self.model} fires its {names.weapon(self.weapon)} at {names.target(state, self.target)}."
        return (
            f"{self.model} fires its {names.weapon(self.weapon)} at {names.target(state, self.target)}: "
            f"{thrown(self.rolls, self.bonus)} against {self.need}: {'hit' if self.hit else 'miss'}."
        )


def _line(state: HiveState, model: str, target: Target) -> None:
    """Remember a shot as a line, for the board: to the nearest square of a template."""
    start = state.models[model].at
    if not isinstance(target, str):
        end = target
    elif target in state.models:
        end = state.models[target].at
    elif target in state.templates:
        end = min(state.templates[target], key=lambda square: distance(start, square))
    else:
        return
    state.shots.append((start, end))


class BlastRolled(Fact, frozen=True):
    """A blast reaches a model beside its target."""

    cause: str
    centre: Target
    model: str
    rolls: tuple[int, ...]
    need: int
    hit: bool

    def words(self, state: HiveState, names: Names) -> str:
        return (
            f"The burst at {names.target(state, self.centre)} reaches {self.model}: {thrown(self.rolls)} "
            f"against {self.need}: {'hit' if self.hit else 'miss'}."
        )


class HellfireFired(Fact, frozen=True):
    """A hellfire shell is fired."""

    model: str
    target: Target
    left: int

    def apply(self, state: HiveState) -> None:
        state.shells = self.left
        _line(state, self.model, self.target)

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} fires hellfire at {names.target(state, self.target)}; {counted(self.left, 'shell')} left."


class MeltaUsed(Fact, frozen=True):
    """A melta-bomb is set."""

    model: str
    target: str
    left: int

    def apply(self, state: HiveState) -> None:
        state.bombs = self.left

    def words(self, state: HiveState, names: Names) -> str:
        target = names.target(state, self.target)
        return f"{self.model} sets a melta-bomb on {target}; {counted(self.left, 'bomb')} left."


class Fought(Fact, frozen=True):
    """A round of hand-to-hand; `axe` is the force axe's die less 1, `need` what a blob asks for (else 0).

    `winner` is `attacker`, `defender` or `none`.
    """

    mark: ClassVar[str] = "fight"
    attacker: str
    defender: str
    attack: tuple[int, ...]
    attack_bonus: int
    defence: tuple[int, ...] = ()
    defence_bonus: int = 0
    axe: int = 0
    need: int = 0
    winner: str = "none"

    def words(self, state: HiveState, names: Names) -> str:
        if not self.attack:
            return f"{self.attacker} falls upon {self.defender}, who lies helpless."
        bonus = self.attack_bonus + self.axe
        mine = thrown(self.attack, bonus)
        if self.need:
            return f"{self.attacker} attacks {self.defender}: {mine}, needs {self.need}."
        theirs = thrown(self.defence, self.defence_bonus)
        score, against = max(self.attack) + bonus, max(self.defence) + self.defence_bonus
        who = {"attacker": f"{self.attacker} wins", "defender": f"{self.defender} wins", "none": "a draw"}[self.winner]
        return f"{self.attacker} attacks {self.defender}: {mine} against {theirs}, {score} to {against}: {who}."


class TemplateStruck(Fact, frozen=True):
    """A Marine strikes at a template."""

    mark: ClassVar[str] = "fight"
    model: str
    objective: str
    rolls: tuple[int, ...]
    bonus: int
    axe: int
    need: int
    destroyed: bool

    def words(self, state: HiveState, names: Names) -> str:
        mine = thrown(self.rolls, self.bonus + self.axe)
        return f"{self.model} strikes at {names.objective(self.objective)}: {mine}, needs {self.need}."


class AcidKill(Fact, frozen=True):
    """A blob dissolves its victim."""

    mark: ClassVar[str] = "fight"
    blob: str
    victim: str

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.blob} dissolves {self.victim}."


class FollowUpDeclined(Fact, frozen=True):
    """A model that may press on does not."""

    model: str

    def words(self, state: HiveState, names: Names) -> str:
        return f"{self.model} stops."


class CortexRolled(Fact, frozen=True):
    """The Cortex throbs at a Marine (TA-SPEC-10)."""

    model: str
    roll: int
    out: bool

    def words(self, state: HiveState, names: Names) -> str:
        return f"The Cortex throbs at {self.model}: {self.roll}."


class SphincterRolled(Fact, frozen=True):
    """The die for the Sphincter, and how many Scouts may return (TA-SPEC-1)."""

    roll: int
    count: int

    def words(self, state: HiveState, names: Names) -> str:
        may = f"up to {counted(self.count, 'Scout')} may return" if self.count else "nobody returns"
        return f"The last spasm of the valve: {self.roll}; {may}."


class DefendersRolled(Fact, frozen=True):
    """The die for the defenders (TA-OBJ-6)."""

    roll: int

    def words(self, state: HiveState, names: Names) -> str:
        return f"Defenders: {self.roll}."


class CardDiceRolled(Fact, frozen=True):
    """A card asks for a number, and this is it."""

    card: str
    value: int

    def words(self, state: HiveState, names: Names) -> str:
        return f"Rolled for {names.card(self.card)}: {self.value}."


class CardAttacked(Fact, frozen=True):
    """A card attacks a Marine."""

    card: str
    model: str
    rolls: tuple[int, ...]
    need: int
    hit: bool

    def words(self, state: HiveState, names: Names) -> str:
        rolls = thrown(self.rolls)
        return f"{names.card(self.card)} at {self.model}: {rolls} against {self.need}: {'hit' if self.hit else 'miss'}."


class GameEnded(Fact, frozen=True):
    """The game is over."""

    winner: str
    reason: str
    destroyed: int
    marines: int

    def apply(self, state: HiveState) -> None:
        state.ended = Ending(self.winner, self.reason, state.turn, self.destroyed, self.marines)

    def words(self, state: HiveState, names: Names) -> str:
        return f"{sentence(SIDES[self.winner])} win in turn {state.turn}: {END_REASONS[self.reason]}."


END_REASONS = {
    "templates": "the fourth objective is destroyed",
    "no_marines": "no Space Marine is left on board",
    "templates_lost": "four objectives can no longer be had",
    "turn_limit": "the assault has bogged down",
}

TURN_EVENTS: tuple[type[Fact], ...] = (
    TurnBegan, PartBegan, ActivationBegan, ActivationEnded, OrderPlayed, ReinforcementRolled, ReinforcementDeclined,
    ReinforcementLost, Shot, BlastRolled, HellfireFired, MeltaUsed, Fought, TemplateStruck, AcidKill, FollowUpDeclined,
    CortexRolled, SphincterRolled, DefendersRolled, CardDiceRolled, CardAttacked, GameEnded,
)  # fmt: skip
