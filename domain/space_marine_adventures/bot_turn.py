"""How a bot plays a Marine's turn and free actions: kill what threatens or stands in the way, work, walk, shoot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..geometry import DIRECTION_NAMES
from . import actions as act
from . import effects as e
from .abilities import blast_list
from .bot_outlook import DOUBLED
from .bot_plan import Plan
from .bot_routes import Goal
from .state import FreeRecord, TurnRecord

THREAT = 0.04
"""From how much threat on, in wounds, a Tyranid is shot at before anything else."""
GAIN = 0.02
"""From how much gain on, in wounds, a Marine moves."""
DEEPER = 0.5
"""What a step further into the exit tile is worth, in steps."""
FACES = 6

Record = TurnRecord | FreeRecord


class Acting:
    """One Marine who acts: his goal, what he may do, and what that would be worth."""

    def __init__(self, outlook: Plan, record: Record, actions: Sequence[Any]) -> None:
        code = record.marine
        self.outlook = outlook
        self.code = code
        self.record = record
        self.actions = actions
        self.here = outlook.standing[code]
        self.side = outlook.book.side(outlook.state, code)
        if isinstance(record, TurnRecord):
            self.left = record.left
            self.steps = record.left + record.free_moves
        else:
            self.left = 0
            self.steps = record.moves + record.either
        self.goal = Goal(outlook, code, self.steps)
        self.holds = self.goal.leaving and not self.goal.safe and outlook.holds(code)
        self.blocker = self.goal.way(outlook, self.here)

    # What a square is worth

    def worth(self, square: int, steps: int) -> float:
        """Return what it costs, in wounds, to end on a square that is `steps` away; less is better."""
        outlook, goal = self.outlook, self.goal
        blocker = self.blocker
        if (
            blocker >= 0
            and steps < self.steps
            and outlook.field.sees(square, blocker)
            and self.reaches(square, blocker)
        ):
            # There is an action left to destroy what stands in the way.
            danger = outlook.danger_without(square, blocker)
        else:
            danger = outlook.danger(square)
        cost = goal.costs[square] * goal.step
        if goal.leaving and square in outlook.ground.hulk.on_exit_tile:
            cost -= DEEPER * goal.step * outlook.ground.hulk.exit_tile.index(square)
        if outlook.assault is not None:
            cost += outlook.assault.reprisal(square) * (DOUBLED if outlook.state.marines[self.code].wounds else 1.0)
        return cost + danger * outlook.weight(self.code)

    def reaches(self, square: int, target: int) -> bool:
        """Say whether a target is in range from a square."""
        return self.outlook.ground.distance(square, target) <= self.side.range

    def best_move(self, steps: int, moves: Iterable[act.Move] | None = None) -> tuple[float, act.Move | None]:
        """Return what the best square within so many steps gains, and the Move that leads there (None: stay)."""
        outlook, goal = self.outlook, self.goal
        field, grid = outlook.field, outlook.ground.grid
        reach = grid.within_walk(self.here, steps, outlook.tyranids)
        tile = outlook.ground.hulk.on_exit_tile
        here = self.worth(self.here, 0)
        best, goal_square = here, -1
        for square, far in reach.items():
            if square in field.marines or (goal.safe and square not in tile) or (self.holds and square in tile):
                continue
            worth = self.worth(square, far)
            if worth < best:
                best, goal_square = worth, square
        if goal_square < 0 or moves is None:
            return here - best, None
        return here - best, self.towards(goal_square, moves, steps)

    def towards(self, square: int, moves: Iterable[act.Move], steps: int | None = None) -> act.Move | None:
        """Return the Move on a shortest way to a square that can be reached in so many steps."""
        outlook = self.outlook
        index, grid = outlook.ground.index, outlook.ground.grid
        steps = self.steps if steps is None else steps
        reach = grid.within_walk(self.here, steps, outlook.tyranids)
        back = grid.within_walk(square, steps, outlook.tyranids)
        chosen, shortest = None, steps + 1
        for move in moves:
            there = index[move.to]
            length = reach.get(there, steps + 1) + back.get(there, steps + 1)
            if length < shortest:
                chosen, shortest = move, length
        return chosen

    def targets(self) -> list[tuple[int, int]]:
        """Return the Tyranids he can attack from where he stands, each with its count of squares."""
        outlook = self.outlook
        return outlook.book.targets(outlook.state, outlook.field, self.here, self.side.range)

    # What a shot is worth

    def value(self, target: int) -> float:
        """Return what the destruction of a Tyranid is worth, in wounds."""
        way = 3 * self.goal.step if target == self.blocker else 0.0
        return self.outlook.value(target) + way

    def chance(self, target: int, plus: int, dice: int = 1, again: bool = False) -> float:
        """Return the chance to hit a Tyranid with `plus` on the die, the best of `dice`, once more if `again`."""
        kind = self.outlook.tyranids[target].kind
        need = self.outlook.book.resilience(self.outlook.state, kind) - plus
        miss = min(1.0, max(0.0, (need - 1) / FACES)) ** dice
        return 1 - (miss * miss if again else miss)

    def attack_chance(self, target: int) -> float:
        """Return the chance that an Attack of his succeeds."""
        record, side = self.record, self.side
        plus, dice, again = side.attack_plus, side.dice, False
        if isinstance(record, TurnRecord):
            plus += record.attack_plus
            if side.dice_uses is not None and record.attacks_made >= side.dice_uses:
                dice = 1
            again = side.second_roll is not None and record.second_rolls < side.second_roll.uses
        elif side.dice_uses is not None:
            dice = 1
        return self.chance(target, plus, dice, again)

    def shot(self, action: Any) -> float:
        """Return what an Attack, a grenade or a card that hits something gains on average; 0 for any other action."""
        index = self.outlook.ground.index
        kind = type(action)
        if kind is act.Attack:
            target = index[action.square]
            return self.attack_chance(target) * self.value(target)
        if kind is act.ThrowGrenade:
            return self.salvo(blast_list(self.outlook.state, self.outlook.field, action.square))
        if kind is act.Play:
            effect = self.outlook.book.catalogue.specials[action.card].effects[0]
            if isinstance(effect, e.Blast):
                return self.salvo(blast_list(self.outlook.state, self.outlook.field, action.args[0]))
            if isinstance(effect, e.SpecialAttack):
                target = index[action.args[0]]
                return self.chance(target, effect.plus) * self.value(target)
            if isinstance(effect, e.AutoHit):
                return self.value(index[action.args[0]])
            if isinstance(effect, e.LineBlast):
                return self.salvo(self.line(action.args[0], effect.range))
        return 0.0

    def line(self, direction: str, reach: int) -> tuple[str, ...]:
        """Return the counters on a line from where he stands."""
        ground, tyranids = self.outlook.ground, self.outlook.tyranids
        ray = ground.grid.ray(self.here, DIRECTION_NAMES.index(direction), ground.corner)[: reach + ground.uncounted]
        return tuple(tyranids[square].counter for square in ray if square in tyranids)

    def salvo(self, counters: Sequence[str]) -> float:
        """Return what one plain die against each of these counters gains."""
        squares = [square for square, creature in self.outlook.tyranids.items() if creature.counter in counters]
        return sum(self.chance(square, 0) * self.value(square) for square in squares)

    def best_shot(self, kinds: tuple[type, ...]) -> tuple[float, Any]:
        """Return the shot among these kinds of actions that gains most, and what it gains."""
        best, chosen = 0.0, None
        for action in self.actions:
            if type(action) in kinds:
                gain = self.shot(action)
                if gain > best:
                    best, chosen = gain, action
        return best, chosen

    def any_shot(self) -> Any:
        """Return the Attack most likely to hit, whatever it gains; None without a target."""
        best, chosen = 0.0, None
        for action in self.actions:
            if type(action) is act.Attack:
                target = self.outlook.ground.index[action.square]
                chance = self.attack_chance(target) + self.value(target)
                if chance > best:
                    best, chosen = chance, action
        return chosen

    def moves(self) -> list[act.Move]:
        """Return the legal Moves."""
        return [action for action in self.actions if type(action) is act.Move]

    def arrives(self) -> bool:
        """Say whether he can reach the exit tile in this turn without a fight."""
        return (
            self.goal.leaving
            and not (self.goal.safe or self.holds)
            and self.blocker < 0
            and self.goal.distance <= self.steps
        )
