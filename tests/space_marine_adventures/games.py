"""Whole levels at random, by a squad that wants to win: so that games reach the console, the exit tile and every ending."""

from __future__ import annotations

from collections.abc import Iterator

from warptape.domain.chance import Chance, Fate, Luck
from warptape.domain.events import Action
from warptape.domain.referee import Match
from warptape.domain.rules import Decision
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.state import LevelState, Options

ZEAL = 85
"""Of a hundred choices, how many are meant; the others are anything legal."""


def eager(state: LevelState, decision: Decision, luck: Luck) -> Action:
    """An action of a squad that works the console, attacks what it can and walks to the exit; sometimes another."""
    actions: list[Action] = list(decision.actions)
    if luck.below(100) >= ZEAL:
        return actions[luck.below(len(actions))]
    for kind in (act.TryConsole, act.React, act.Attack, act.Play, act.ThrowGrenade, act.Command):
        fitting = [action for action in actions if type(action) is kind]
        if fitting:
            return fitting[luck.below(len(fitting))]
    moves = [action for action in actions if isinstance(action, act.Move)]
    if moves:
        code = state.pending[-1].marine  # type: ignore[union-attr]
        ground = RULESET.book.ground(state)
        goals = ground.hulk.exit_tile[::-1] or (ground.hulk.objective,)
        taken = {marine.square for other, marine in state.marines.items() if other != code}
        goal = next((square for square in goals if ground.names[square] not in taken), goals[-1])
        here = ground.grid.walk(ground.index[state.marines[code].square], goal)
        best = min(moves, key=lambda move: (ground.grid.walk(ground.index[move.to], goal), move.to))
        if ground.grid.walk(ground.index[best.to], goal) < here:
            return best
        if act.END in actions:
            return act.END
    return actions[luck.below(len(actions))]


def played(seed: str, options: Options | None = None, chance: Chance | None = None) -> Iterator[Match]:
    """Play a level and give the match at every decision, and once more when it is over."""
    match, luck = Match(RULESET, chance or Fate(seed), options), Luck(seed, "squad")
    while (decision := match.decision) is not None:
        yield match
        match.act(eager(match.state, decision, luck))
    yield match


def whole(seed: str, options: Options | None = None) -> Match:
    """A level played to its end."""
    *_, match = played(seed, options)
    return match
