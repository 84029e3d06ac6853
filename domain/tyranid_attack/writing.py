"""Notation out: the canonical line for an action, and the action in words for a menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..words import counted
from . import actions as act
from . import effects as e
from .book import Book
from .reach import AVOID, ENTER, flood
from .shooting import guns, is_template
from .state import HiveState, Model, Point


def write(book: Book, state: HiveState, action: Any) -> str:
    """Return the canonical notation of an action at the question of a state; it names the model that acts."""
    return WRITERS[type(action)](book, state, action)


def actor(state: HiveState) -> str:
    """Return the model that is asked about; empty if none is."""
    step = state.pending[-1] if state.pending else None
    return str(getattr(step, "model", "")) or state.active


def _line(verb: str, *words: str) -> str:
    return " ".join((verb, *filter(None, words)))


def _square(book: Book, state: HiveState, square: Point) -> str:
    return book.ship(state).name(square)


def _target(book: Book, state: HiveState, target: act.Target) -> str:
    return target if isinstance(target, str) else _square(book, state, target)


def _shoot(book: Book, state: HiveState, action: act.Shoot) -> str:
    name = actor(state)
    alone = len(action.volleys) == 1
    targets = [_target(book, state, target) + ("" if alone else f"*{dice}") for target, dice in action.volleys]
    return _line("shoot", f"{name}/{action.weapon}" if action.weapon else name, *targets)


def _template(book: Book, state: HiveState, action: act.StandTemplate) -> str:
    objective = str(getattr(state.pending[-1], "objective", "")) if state.pending else ""
    return _line("template", objective, _square(book, state, action.corner), "tall" if action.tall else "wide")


def _placing(verb: str) -> Callable[[Book, HiveState, Any], str]:
    return lambda book, state, action: f"{verb} {action.model} {_square(book, state, action.at)}"


def _of(verb: str, word: Callable[[Any], str] = lambda action: "") -> Callable[[Book, HiveState, Any], str]:
    return lambda book, state, action: _line(verb, actor(state), word(action))


WRITERS: Mapping[type, Callable[[Book, HiveState, Any], str]] = {
    act.BuyKind: lambda book, state, action: f"buy {action.kind} {action.count}",
    act.Ready: lambda book, state, action: "ready",
    act.DeployModel: lambda book, state, action: f"deploy {action.model}",
    act.StandOn: lambda book, state, action: f"at {_square(book, state, action.at)}",
    act.AutoDeploy: lambda book, state, action: "deploy auto",
    act.UseModel: lambda book, state, action: f"use {action.model}",
    act.PlayOrder: lambda book, state, action: _line("order", action.key, action.scout),
    act.EndPartNow: lambda book, state, action: "end",
    act.Move: lambda book, state, action: _line("move", actor(state), _square(book, state, action.to), action.way),
    act.Shoot: _shoot,
    act.Hellfire: lambda book, state, action: _line("hellfire", actor(state), _target(book, state, action.target)),
    act.AimAt: lambda book, state, action: _line("aim", actor(state), _square(book, state, action.at)),
    act.Fight: _of("fight", lambda action: action.target),
    act.Follow: _of("follow", lambda action: action.target),
    act.Stop: _of("stop"),
    act.Melta: _of("melta", lambda action: action.target),
    act.Take: _of("take", lambda action: f"A{action.artifact}"),
    act.Give: _of("give", lambda action: f"{action.model} A{action.artifact}"),
    act.Done: _of("done"),
    act.RollDie: lambda book, state, action: "roll",
    act.Skip: lambda book, state, action: "skip",
    act.EnterModel: _placing("enter"),
    act.StandTemplate: _template,
    act.PickModel: lambda book, state, action: f"place {action.model}",
    act.PutModel: _placing("place"),
    act.PutCyst: lambda book, state, action: f"cyst {_square(book, state, action.at)}",
    act.ReturnScout: _placing("return"),
    act.DropWeapon: _of("drop", lambda action: str(action.mount)),
    act.ArmWith: _of("arm", lambda action: action.weapon),
}

# In words


def describe(book: Book, state: HiveState, action: Any) -> str:
    """Return an action in words, with what there is to weigh: squares to go, dice, and what they need."""
    return WORDS[type(action)](book, state, action)


def _spot(book: Book, state: HiveState, square: Point) -> str:
    return book.names.spot(state, square)


def _who(book: Book, name: str) -> str:
    return f"{name} ({book.names.kind(book.kind(name))})"


def _whom(book: Book, state: HiveState, target: act.Target) -> str:
    """Return what a target is called, with the square of a model."""
    if not isinstance(target, str):
        return _spot(book, state, target)
    if target == act.FLOOR:
        return "an empty square"
    if is_template(target):
        return f"{book.names.objective(target)} ({target})"
    model = state.models.get(target)
    return f"{target} at {_spot(book, state, model.at)}" if model is not None else target


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def _use(book: Book, state: HiveState, action: act.UseModel) -> str:
    model = state.models.get(action.model)
    if model is None:
        return _who(book, action.model)
    where = f"{_who(book, action.model)} at {_spot(book, state, model.at)}"
    return where if model.life >= book.profiles[model.kind].life else f"{where}, {model.life} life left"


def _order(book: Book, state: HiveState, action: act.PlayOrder) -> str:
    name = book.names.order(action.key)
    return f"{name}, for {action.scout} and all who are no Scouts" if action.scout else name


def _move(book: Book, state: HiveState, action: act.Move) -> str:
    name, where = actor(state), f"To {_spot(book, state, action.to)}"
    if name not in state.models:
        return where
    found = flood(book, state, name)
    entering = action.way == ENTER or (not action.way and action.to not in found.avoid)
    squares = (found.enter if entering else found.avoid).get(action.to, 0)
    notes = [f"{squares} {'square' if squares == 1 else 'squares'}"]
    if entering:
        notes.append("steps into the unexplored section")
    elif action.way == AVOID:
        notes.append("keeps out of the unexplored section")
    return f"{where} ({', '.join(notes)})"


def _shot(book: Book, state: HiveState, action: act.Shoot) -> str:
    name = actor(state)
    gun = guns(book, state, name).get(action.weapon) if name in state.models else None
    if gun is None:
        return ", ".join(_whom(book, state, target) for target, _ in action.volleys)
    bonus = gun.bonus + sum(
        effect.amount for effect in book.order_effects(state, name) if isinstance(effect, e.OrderShotBonus)
    )
    words = []
    for target, dice in action.volleys:
        whom = _whom(book, state, target)
        if is_template(target) or target in state.models:
            need = book.armour if is_template(target) else book.armour_of(state.models[str(target)])
            whom += f" ({_dice(dice)}, needs {max(1, need - bonus)})"
        words.append(whom)
    weapon = f" with the {book.names.weapon(gun.weapon)}" if action.weapon else ""
    burst = ", and a burst around it" if gun.blast else ""
    return f"Shoot at {' and '.join(words)}{weapon}{burst}"


def _force(book: Book, state: HiveState, name: str, more: int = 0) -> str:
    """Return what a model fights with: its dice and what is added to the best."""
    model: Model = state.models[name]
    bonus = book.hth_bonus(model)
    return _dice(book.profiles[model.kind].hth + more) + (f"+{bonus}" if bonus else "")


def _against(book: Book, state: HiveState, target: str) -> str:
    """Return whom a model fights, and how its chances stand."""
    name, whom = actor(state), _whom(book, state, target)
    mine = state.models.get(name)
    theirs = state.models.get(target)
    if mine is None or (theirs is None and not is_template(target)):
        return whom
    if mine.kind in book.acid or (theirs is not None and theirs.prone):
        return f"{whom} (wins without a die)"
    more = sum(effect.amount for effect in book.order_effects(state, name) if isinstance(effect, e.OrderHthDice))
    force = _force(book, state, name, more) + (" and the force axe" if mine.kind in book.psychic else "")
    if theirs is None or theirs.kind in book.acid:
        return f"{whom} ({force}, needs {book.armour})"
    return f"{whom} ({force} against {_force(book, state, target)})"


def _template_words(book: Book, state: HiveState, action: act.StandTemplate) -> str:
    objective = str(getattr(state.pending[-1], "objective", "")) if state.pending else ""
    record = book.catalogue.objectives.get(objective)
    lies = "its long side from north to south" if action.tall else "its long side from west to east"
    corner = f"North-west corner on {_spot(book, state, action.corner)}"
    return corner if record is not None and record.size[0] == record.size[1] else f"{corner}, {lies}"


def _put_words(verb: str) -> Callable[[Book, HiveState, Any], str]:
    return lambda book, state, action: f"{_who(book, action.model)} {verb} {_spot(book, state, action.at)}"


def _buy(book: Book, state: HiveState, action: act.BuyKind) -> str:
    points = action.count * book.profiles[action.kind].cost
    return f"{counted(action.count, book.names.kind(action.kind))}, {counted(points, 'point')}"


def _ready(book: Book, state: HiveState, action: act.Ready) -> str:
    return "No more Scouts come back" if state.turn else "All is done: go on"


def _drop(book: Book, state: HiveState, action: act.DropWeapon) -> str:
    model = state.models.get(actor(state))
    weapon = book.names.weapon(model.arms[action.mount]) if model and action.mount in model.arms else "weapon"
    return f"Lose the {weapon} (weapon {action.mount})"


WORDS: Mapping[type, Callable[[Book, HiveState, Any], str]] = {
    act.BuyKind: _buy,
    act.Ready: _ready,
    act.DeployModel: lambda book, state, action: (
        _who(book, action.model) + (" again" if action.model in state.models else "")
    ),
    act.StandOn: lambda book, state, action: f"On {_spot(book, state, action.at)}",
    act.AutoDeploy: lambda book, state, action: "Have the program deploy all who are left",
    act.UseModel: _use,
    act.PlayOrder: _order,
    act.EndPartNow: lambda book, state, action: "End the part: no other model acts",
    act.Move: _move,
    act.Shoot: _shot,
    act.Hellfire: lambda book, state, action: f"Hellfire at {_whom(book, state, action.target)}",
    act.AimAt: lambda book, state, action: f"Aim at {_spot(book, state, action.at)}",
    act.Fight: lambda book, state, action: f"Fight {_against(book, state, action.target)}",
    act.Follow: lambda book, state, action: f"Press on against {_against(book, state, action.target)}",
    act.Stop: lambda book, state, action: "Do not press on",
    act.Melta: lambda book, state, action: f"Melta-bomb on {_whom(book, state, action.target)}",
    act.Take: lambda book, state, action: f"Take {book.names.artifact(action.artifact)} instead of attacking",
    act.Give: lambda book, state, action: f"Give {book.names.artifact(action.artifact)} to {action.model}",
    act.Done: lambda book, state, action: f"Finish with {actor(state) or 'the model'}",
    act.RollDie: lambda book, state, action: "Roll for a reinforcement",
    act.Skip: lambda book, state, action: "Do not roll",
    act.EnterModel: _put_words("enters on"),
    act.StandTemplate: _template_words,
    act.PickModel: lambda book, state, action: _who(book, action.model),
    act.PutModel: _put_words("on"),
    act.PutCyst: lambda book, state, action: f"A cyst on {_spot(book, state, action.at)}",
    act.ReturnScout: _put_words("comes back on"),
    act.DropWeapon: _drop,
    act.ArmWith: lambda book, state, action: f"Carry the {book.names.weapon(action.weapon)}",
}
