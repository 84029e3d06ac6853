"""What a Marine does next: in his turn, and with free actions outside it."""

from __future__ import annotations

from typing import Any

from . import actions as act
from .bot_aims import console_chance
from .bot_raid import best_raid, withdraws
from .bot_turn import GAIN, THREAT, Acting


def outside(acting: Acting) -> Any:
    """Return the free action of a Marine outside his turn."""
    gain, shot = acting.best_shot((act.Attack,))
    moves = acting.moves()
    progress, move = acting.best_move(acting.steps, moves) if moves else (0.0, None)
    if shot is not None and gain >= THREAT and gain >= progress:
        return shot
    if move is not None and progress >= GAIN:
        return move
    return acting.any_shot() or act.PASS


def in_turn(acting: Acting) -> Any:
    """Return the next action of a Marine's turn, special cards aside; None when nothing is worth doing any more."""
    moves = acting.moves()
    if moves and acting.arrives():
        _, move = acting.best_move(acting.steps, moves)
        if move is not None:
            return move
    gain, shot = acting.best_shot((act.Attack, act.ThrowGrenade, act.Play))
    raiding = acting.goal.fighting
    if shot is not None and gain >= THREAT and not (raiding and moves and withdraws(acting, gain)):
        return shot
    if act.TRY_CONSOLE in acting.actions and console_chance(acting.outlook):
        return act.TRY_CONSOLE
    if moves:
        progress, move = acting.best_move(acting.steps, moves)
        if raiding:
            worth, post = best_raid(acting)
            if post >= 0 and worth > max(progress, GAIN):
                return acting.towards(post, moves)
        if move is not None and progress >= GAIN:
            return move
    return acting.any_shot()
