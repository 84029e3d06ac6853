"""Hand-to-hand: rounds, follow-ups, acid, templates, and melta-bombs."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import msgspec

from ..chance import Roll
from ..rules import Decision, Refusal, Script, do
from . import effects as e
from . import harm
from .actions import STOP, Fight, Follow, Melta, Stop
from .book import BLOB, Book
from .events_model import ActSpent, ModelPlaced
from .events_turn import AcidKill, FollowUpDeclined, Fought, MeltaUsed, TemplateStruck
from .ship import AROUND, nearest
from .shooting import is_template, no_attack
from .state import MARINES, TYRANID, Act, HiveState, distance, other
from .steps import FollowUp

# Who can be fought


def beside(book: Book, state: HiveState, name: str) -> list[str]:
    """Return the enemies adjacent to a model, from the north clockwise (TA-HTH-1, TA-BOARD-11)."""
    at, side = state.models[name].at, book.side(name)
    crowd = book.crowd(state)
    if not crowd.plane.beside(crowd.against(side), at):
        return []
    (x, y), standing = at, state.at
    found = (standing.get((x + u, y + v)) for u, v in AROUND)
    return [there for there in found if there is not None and book.side(there) != side]


def templates_beside(book: Book, state: HiveState, name: str) -> list[str]:
    """Return the templates adjacent to a Marine (TA-OBJ-12)."""
    if not state.templates or book.side(name) != MARINES:
        return []
    at = state.models[name].at
    return [id for id, squares in state.templates.items() if nearest(at, squares) == 1]


def can_strike(book: Book, state: HiveState, name: str) -> bool:
    """Say whether a model has an attack that is no shot left (TA-ATT-1, TA-ORDER-10)."""
    act = state.act(name)
    return act.attacks > 0 and not act.attacked


def struck(book: Book, state: HiveState, name: str) -> list[str]:
    """Return what a model can attack hand to hand or with a bomb (TA-HTH-1, -2, TA-OBJ-9)."""
    if not can_strike(book, state, name):
        return []
    return [*beside(book, state, name), *templates_beside(book, state, name)]


def fights(book: Book, state: HiveState, name: str) -> list[Fight]:
    """Return the hand-to-hand attacks of a model (TA-HTH-1, -2, TA-OBJ-9)."""
    return list(map(Fight, struck(book, state, name))) if _fights(book, state.models[name].kind) else []


def _fights(book: Book, kind: str) -> bool:
    return book.profiles[kind].hth > 0 or kind in book.acid


def meltas(book: Book, state: HiveState, name: str) -> list[Melta]:
    """Return the melta-bombs that a Marine can set (TA-WEAP-16, -17)."""
    return list(map(Melta, struck(book, state, name))) if state.bombs and book.side(name) == MARINES else []


# What it does


def used_up(state: HiveState, name: str) -> Act:
    """Return what is left to a model that has used its attack up, for whatever (TA-ATT-1, TA-ART-4)."""
    return msgspec.structs.replace(state.act(name), fresh=False, attacks=0, attacked=True)


def fight(book: Book, state: HiveState, name: str, target: str, follow: bool = False) -> Script:
    """Fight a round: the loser loses a life point, on a tie both do (TA-HTH-3 to -6)."""
    if not follow:
        yield ActSpent(name, used_up(state, name), rule="TA-ATT-1")
    attacker = state.models[name]
    if is_template(target):
        yield from _strike(book, state, name, target)
        return
    defender = state.models[target]
    if attacker.kind in book.acid:
        yield from _dissolve(book, state, name, target)
        return
    if defender.prone and book.side(name) == TYRANID:
        yield Fought(name, target, (), 0, winner="attacker", rule="TA-SPEC-12")
        yield from harm.kill(book, state, target, "helpless", "TA-SPEC-12")
        yield from _won(book, state, name)
        return
    attack, axe = yield from _dice(book, state, name)
    bonus = book.hth_bonus(attacker)
    score = max(attack) + bonus + axe
    if defender.kind in book.acid:
        won = score >= book.armour
        yield Fought(
            name,
            target,
            attack,
            bonus,
            axe=axe,
            need=book.armour,
            winner="attacker" if won else "none",
            rule="TA-BLOB-7",
        )
        if won:
            yield from harm.kill(book, state, target, "fight", "TA-BLOB-7")
            yield from _won(book, state, name)
        return
    dice = book.profiles[defender.kind].hth
    defence: tuple[int, ...] = yield Roll(other(book.side(name)), 6, dice, "defence", target, "TA-HTH-3")
    against = book.hth_bonus(defender)
    if state.options.force_axe_defends and defender.kind in book.psychic:
        (die,) = yield Roll(other(book.side(name)), 6, 1, "force axe", target, "TA-WEAP-7")
        against += die - 1
    theirs = max(defence) + against
    winner = "attacker" if score > theirs else "defender" if theirs > score else "none"
    yield Fought(name, target, attack, bonus, defence, against, axe, 0, winner, rule="TA-HTH-4")
    if winner == "attacker":
        yield from _won(book, state, name)  # on the stack below what the loser's wound asks for (TA-DREAD-6)
    if winner != "defender":
        yield from harm.hurt(book, state, target, "fight", "TA-HTH-5" if winner == "attacker" else "TA-HTH-6")
    if winner != "attacker":
        yield from harm.hurt(book, state, name, "fight", "TA-HTH-5" if winner == "defender" else "TA-HTH-6")


def _dice(book: Book, state: HiveState, name: str) -> Generator[Any, Any, tuple[tuple[int, ...], int]]:
    """Roll a model's hand-to-hand dice, and the force axe's (TA-HTH-3, TA-WEAP-6, TA-ORDER-11)."""
    seat, kind = book.side(name), state.models[name].kind
    dice = book.profiles[kind].hth + sum(
        effect.amount for effect in book.order_effects(state, name) if isinstance(effect, e.OrderHthDice)
    )
    attack: tuple[int, ...] = yield Roll(seat, 6, dice, "attack", name, "TA-HTH-3")
    axe = 0
    if kind in book.psychic:
        (die,) = yield Roll(seat, 6, 1, "force axe", name, "TA-WEAP-6")
        axe = die - 1
    return attack, axe


def _strike(book: Book, state: HiveState, name: str, objective: str) -> Script:
    """Strike at a template: the armour of objectives must be reached (TA-OBJ-9, TA-OBJ-10)."""
    rolls, axe = yield from _dice(book, state, name)
    bonus = book.hth_bonus(state.models[name])
    hit = max(rolls) + bonus + axe >= book.armour
    yield TemplateStruck(name, objective, rolls, bonus, axe, book.armour, hit, rule="TA-OBJ-9")
    if hit:
        yield from harm.wreck(book, state, objective, name, "TA-OBJ-11")


def _dissolve(book: Book, state: HiveState, blob: str, victim: str) -> Script:
    """Let a blob win: its victim dies and a new blob stands in its place (TA-BLOB-2, -3, -4, -8)."""
    at = state.models[victim].at
    yield AcidKill(blob, victim, rule="TA-BLOB-2")
    yield from harm.slay(book, state, victim, "acid", "TA-BLOB-2")
    if state.blobs and at not in state.at:
        new = min(state.blobs, key=lambda name: int(name[2:]))
        yield ModelPlaced(new, BLOB, at, book.profiles[BLOB].life, reason="blob", rule="TA-BLOB-3")
    if state.options.blob_follow_up:
        yield from _won(book, state, blob)


def _won(book: Book, state: HiveState, name: str) -> Script:
    """Offer a follow-up after a won round in the model's own part (TA-FOLLOW-1, -2, -3)."""
    if book.side(name) == state.side and name in state.models and beside(book, state, name):
        yield do(FollowUp(side=state.side, model=name))


def melta(book: Book, state: HiveState, name: str, action: Melta) -> Script:
    """Set a melta-bomb: it destroys the target, and nothing else (TA-WEAP-16, -17, TA-FOLLOW-6)."""
    yield ActSpent(name, used_up(state, name), rule="TA-ATT-1")
    yield MeltaUsed(name, action.target, state.bombs - 1, rule="TA-WEAP-17")
    if is_template(action.target):
        yield from harm.wreck(book, state, action.target, name, "TA-WEAP-16")
    else:
        yield from harm.slay(book, state, action.target, "melta", "TA-WEAP-16")


# Follow-ups


def ask_follow(book: Book, state: HiveState, step: FollowUp) -> Decision | None:
    """Ask whether a model presses on (TA-FOLLOW-3, TA-FOLLOW-5)."""
    enemies = beside(book, state, step.model) if step.model in state.models else []
    if not enemies:
        return None
    return Decision(step.side, (*map(Follow, enemies), STOP), f"Does {step.model} press on?")


def resolve_follow(book: Book, state: HiveState, step: FollowUp, action: Follow | Stop) -> Script:
    """Fight on, or stop (TA-FOLLOW-1, TA-FOLLOW-3)."""
    if isinstance(action, Stop):
        yield FollowUpDeclined(step.model, rule="TA-FOLLOW-3")
    else:
        yield from fight(book, state, step.model, action.target, follow=True)


def explain_follow(book: Book, state: HiveState, step: FollowUp, action: object) -> Refusal | None:
    """Say why a model may not press on so."""
    if isinstance(action, Melta):
        return Refusal("TA-FOLLOW-6", "a melta-bomb is no follow-up")
    if not isinstance(action, Follow | Fight):
        return None
    if is_template(action.target):
        return Refusal("TA-FOLLOW-6", "a template cannot be the target of a follow-up")
    return Refusal("TA-FOLLOW-5", f"{action.target} is no enemy adjacent to {step.model}")


# Why not


def explain_fight(book: Book, state: HiveState, name: str, action: Fight) -> Refusal | None:
    """Say why a model may not attack that hand to hand."""
    if not _fights(book, state.models[name].kind):
        return Refusal("TA-CHAR-5", f"{name} does not fight hand to hand")
    if not can_strike(book, state, name):
        return no_attack(book, state, name)
    return _explain_target(book, state, name, action.target, "TA-HTH-1")


def explain_melta(book: Book, state: HiveState, name: str, action: Melta) -> Refusal | None:
    """Say why a melta-bomb may not be set there."""
    if book.side(name) != MARINES:
        return Refusal("TA-WEAP-16", "only Marines have melta-bombs")
    if not state.bombs:
        return Refusal("TA-WEAP-17", "no melta-bomb is left")
    if not can_strike(book, state, name):
        return no_attack(book, state, name)
    return _explain_target(book, state, name, action.target, "TA-WEAP-16")


def _explain_target(book: Book, state: HiveState, name: str, target: str, rule: str) -> Refusal | None:
    shown = book.names.target(state, target)
    if is_template(target):
        if book.side(name) != MARINES:
            return Refusal("TA-OBJ-12", "only Marines attack templates")
        if target not in state.templates:
            return Refusal(rule, f"{shown} does not stand")
        return Refusal(rule, f"{name} is not adjacent to {shown}")
    model = state.models.get(target)
    if model is None:
        return Refusal(rule, f"{target} is not on the board")
    if book.side(target) == book.side(name):
        return Refusal(rule, f"{target} is no enemy")
    if distance(model.at, state.models[name].at) > 1:
        return Refusal(rule, f"{name} is not adjacent to {target}")
    return None
