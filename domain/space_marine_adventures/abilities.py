"""Abilities that are actions of their own: the order to a comrade and the grenade (SMA-ABIL-MAX, SMA-ABIL-LUK)."""

from __future__ import annotations

from ..rules import Refusal, Script, do
from .actions import Command, ThrowGrenade
from .attacks import can_attack, explain_sight
from .book import Book
from .events_turn import AbilityUsed, ActionSpent, FreeActionGranted
from .field import Field
from .moves import can_move
from .prime import explain_shield
from .state import LevelState, TurnRecord
from .steps import Free, Salvo


def can_act(book: Book, state: LevelState, field: Field, code: str, count: int) -> bool:
    """Say whether a Marine could use `count` free actions for a legal Move or Attack."""
    square = state.marines[code].square
    return bool(square) and (can_move(field, field.index[square], count) or can_attack(book, state, field, code))


def comrades(book: Book, state: LevelState, field: Field, code: str, count: int) -> list[str]:
    """Return the other Marines who could use `count` free actions."""
    return [other for other in state.squad if other != code and can_act(book, state, field, other, count)]


def open_free(code: str, kind: str, count: int, cause: str, rule: str) -> Script:
    """Give a Marine free actions outside his turn; they are to be used at once (SMA-ACT-9)."""
    yield FreeActionGranted(code, kind, count, cause, rule=rule)
    yield do(Free(marine=code))


def command(book: Book, state: LevelState, turn: TurnRecord, action: Command) -> Script:
    """Give another Marine a free Move or Attack at once."""
    side = book.side(state, turn.marine)
    assert side.command is not None
    if side.command.cost:
        yield ActionSpent(turn.marine, side.command.cost, turn.left - side.command.cost, rule="SMA-ACT-1")
    yield AbilityUsed(turn.marine, "command", rule=side.rule)
    yield from open_free(action.marine, "any", 1, "command", side.rule)


def grenade(book: Book, state: LevelState, field: Field, turn: TurnRecord, action: ThrowGrenade) -> Script:
    """Throw a grenade: a die against the target, then one against each Tyranid adjacent to it."""
    side = book.side(state, turn.marine)
    assert side.grenade is not None
    if side.grenade.cost:
        yield ActionSpent(turn.marine, side.grenade.cost, turn.left - side.grenade.cost, rule="SMA-ACT-1")
    yield AbilityUsed(turn.marine, "grenade", rule=side.rule)
    yield do(Salvo(marine=turn.marine, counters=blast_list(state, field, action.square), cause="grenade"))


def blast_list(state: LevelState, field: Field, square: str) -> tuple[str, ...]:
    """Return the counters a blast rolls for: its target, then its neighbours as they are now (SMA-FRAG-5)."""
    there = field.index[square]
    tyranids, grid = field.tyranids, field.ground.grid
    beside = grid.neighbours[there] if state.options.blast_adjacent == "edges" else grid.around[there]
    return tuple(tyranids[s].counter for s in (there, *beside) if s in tyranids)


def explain_command(book: Book, state: LevelState, field: Field, turn: TurnRecord, action: Command) -> Refusal | None:
    """Return why an order cannot be given, None when it can."""
    side, other = book.side(state, turn.marine), action.marine
    if side.command is None:
        return Refusal("SMA-ABIL-MAX", f"{book.names.marine(turn.marine)} has no such ability")
    if other == turn.marine:
        return Refusal(side.rule, "the order goes to another Space Marine")
    if other not in state.marines:
        return Refusal("SMA-SETUP-5", f"{book.names.marine(other)} does not take part")
    if not state.marines[other].square:
        return Refusal("SMA-WND-5", f"{book.names.marine(other)} is out of action")
    if turn.commands >= side.command.uses:
        return Refusal(side.rule, "he has given his order in this turn")
    if turn.left < side.command.cost:
        return Refusal(side.rule, "giving the order takes an action, and he has none left")
    if not can_act(book, state, field, other, 1):
        return Refusal(side.rule, f"{book.names.marine(other)} has no legal Move or Attack")
    return None


def explain_grenade(
    book: Book, state: LevelState, field: Field, turn: TurnRecord, action: ThrowGrenade
) -> Refusal | None:
    """Return why a grenade cannot be thrown, None when it can."""
    side = book.side(state, turn.marine)
    if side.grenade is None:
        return Refusal("SMA-ABIL-LUK", f"{book.names.marine(turn.marine)} has no such ability")
    if turn.grenades >= side.grenade.uses:
        return Refusal(side.rule, "he has thrown his grenade in this turn")
    refusal = explain_reach(book, field, state, turn.marine, action.square, side.grenade.range, side.rule)
    if refusal is None and turn.left < side.grenade.cost:
        return Refusal(side.rule, f"the throw takes {side.grenade.cost} of his actions, and he has {turn.left} left")
    return refusal


def explain_reach(
    book: Book, field: Field, state: LevelState, code: str, square: str, reach: int, rule: str
) -> Refusal | None:
    """Return why a Tyranid on a square is no target within `reach`, None when it is; `rule` sets that reach."""
    here = field.index[state.marines[code].square]
    refusal = explain_sight(field, here, square)
    if refusal is None and (distance := field.ground.distance(here, field.index[square])) > reach:
        return Refusal(rule, f"{square} is {distance} squares away, and {reach} is the most")
    return refusal or explain_shield(book, state, field, here, square)


def turn_actions(book: Book, state: LevelState, field: Field, turn: TurnRecord, found: list[object]) -> None:
    """Add the orders and grenades that are legal to a list of actions."""
    code = turn.marine
    side = book.side(state, code)
    if side.command is not None and turn.commands < side.command.uses and turn.left >= side.command.cost:
        found.extend(Command(other) for other in comrades(book, state, field, code, 1))
    if side.grenade is not None and turn.grenades < side.grenade.uses and turn.left >= side.grenade.cost:
        here = field.index[state.marines[code].square]
        found.extend(ThrowGrenade(field.names[s]) for s, _ in book.targets(state, field, here, side.grenade.range))
