"""Notation in: what a model does, which may take it up first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import BadNotation, IllegalAction
from ..lines import Word
from . import actions as act
from . import steps
from .book import DREADNOUGHT, Gun
from .reach import AVOID, ENTER, ends, flood, limit, refuse_path, unexplored
from .reading import Line
from .shooting import BODY, HELLFIRE, guns, model_targets
from .state import Point

SHOOT = "at whom: shoot SC1 GE3, or with the dice of each target: shoot HV1 GE3*3 BO1*1"


def actor(line: Line, rest: Sequence[Word], length: int, form: str) -> tuple[str, Sequence[Word]]:
    """Return the model that acts and the words behind its name, which may be left out of the one taken up.

    `length` is how many words there are with the name. Raises IllegalAction if another model is taken up.
    """
    if line.taken:
        return line.taken, line.named(rest, length)
    if not rest:
        raise line.bad(f"Say {form}.", line.end)
    name = line.find_model(rest[0].text)
    if not name or (len(rest) == 1 and not line.own(name)):
        fresh = [own for own in line.state.models if line.own(own)]
        unknown = line.no_model(rest[0], fresh)
        if unknown is not None:
            raise unknown
        raise line.bad(f"Name the model that acts first. Say {form}.", rest[0].column, rest[0].text, fresh)
    return name, rest[1:]


def done_by(line: Line, name: str, action: Any, *aim: act.AimAt) -> list[Any]:
    """Return an action, with the taking up of its model before it where none is taken up (TA-TURN-3).

    `aim` is the square that a shot at the floor asks for next. Raises IllegalAction for what the model could not do
    then: it must not be taken up, nor a shot begun, on the way to a refusal.
    """
    free = isinstance(line.step, steps.Free)
    if (free or aim) and may_act(line, name):
        side = line.step.side
        weapon = action.weapon if isinstance(action, act.Shoot) else HELLFIRE
        asked = (steps.Acting(side=side, model=name), steps.Aim(side=side, model=name, weapon=weapon))
        for step, answer in zip(asked, (action, *aim), strict=False):
            refusal = line.ruleset.explain(line.state, step, answer)
            if refusal is not None:
                raise IllegalAction(refusal)
    return [*([act.UseModel(name)] if free else ()), action, *aim]


def may_act(line: Line, name: str) -> bool:
    """Say whether a model is taken up or may be."""
    if isinstance(line.step, steps.Free):
        return line.decision is not None and act.UseModel(name) in line.decision.actions
    return isinstance(line.step, steps.Acting) and name == line.taken and name in line.state.models


# Moves


def move(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read a move: its end with or without `enter` or `avoid`, or its whole path (TA-MOVE-2, TA-EXPL-2)."""
    form = "who and where to: move SC1 4:e3"
    name, left = actor(line, rest, 1, form)
    word = left[-1] if left and left[-1].text.lower() in (ENTER, AVOID) else None
    squares = [line.square(hop) for hop in (left[:-1] if word else left)]
    if not squares:
        raise line.bad(f"Say {form}.", line.end)
    kind = word.text.lower() if word else ""
    if may_act(line, name) and limit(line.book, line.state, name):
        if len(squares) > 1:
            kind = _path(line, name, squares, word)
        kind = _way(line, name, squares[-1], kind)
    return done_by(line, name, act.Move(squares[-1], kind))


def _path(line: Line, name: str, path: list[Point], word: Word | None) -> str:
    """Return the kind of a path, which is refused if the model may not take it."""
    book, state = line.book, line.state
    if path[0] == state.models[name].at:
        path = path[1:]
    refusal = refuse_path(book, state, name, path)
    if refusal is not None:
        raise IllegalAction(refusal)
    if not flood(book, state, name).enter:
        return word.text.lower() if word else ""
    kind = ENTER if unexplored(book, state).intersection(path) else AVOID
    if word and word.text.lower() != kind:
        does = "steps" if kind == ENTER else "does not step"
        end = word.column - 1 + len(word.text)
        suggestion = f"{line.text[: word.column - 1]}{kind}{line.text[end:]}".strip() if line.suggests else ""
        message = f"That path {does} into the unexplored section."
        raise BadNotation(message, line.text, word.column, suggestion)
    return kind


def _way(line: Line, name: str, to: Point, kind: str) -> str:
    """Return the kind that the action names: none where one kind of way alone leads there, `avoid` where it is open."""
    moves = ends(line.book, line.state, name)
    ways = [way for way in ("", ENTER, AVOID) if act.Move(to, way) in moves]
    if not kind:
        return AVOID if AVOID in ways else ""
    found = flood(line.book, line.state, name)
    return "" if "" in ways and to in (found.enter if kind == ENTER else found.avoid) else kind


# Attacks


def shoot(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read a shot: targets in any order, with their dice where they are shared out (TA-WEAP-2, TA-DREAD-5)."""
    if not rest:
        raise line.bad(f"Say {SHOOT}.", line.end)
    head, slash, weapon = rest[0].text.partition("/")
    first = Word(head, rest[0].column)
    if slash and not head and line.taken:
        name, left = line.taken, rest[1:]
    elif line.taken and not slash and not _shooter(line, line.find_model(head), len(rest)):
        name, left = line.taken, rest
    else:
        name, left = actor(line, (first, *rest[1:]), 1, SHOOT)
    model = line.state.models.get(name)
    if not slash and model is not None and model.kind == DREADNOUGHT and left and left[0].text.lower() in _MOUNTS:
        weapon, left = left[0].text, left[1:]
    found = guns(line.book, line.state, name) if model is not None else {}
    if not weapon and model is not None and model.kind == DREADNOUGHT and len(found) == 1:
        (weapon,) = found
    gun = found.get(weapon.lower())
    volleys = _volleys(line, left, name, gun)
    target, dice = volleys[0]
    if gun is not None and gun.at_floor and len(volleys) == 1 and not isinstance(target, str):
        return _aimed(line, name, act.Shoot(((act.FLOOR, dice),), weapon.lower()), target)
    return done_by(line, name, act.Shoot(volleys, weapon.lower()))


def _shooter(line: Line, name: str, words: int) -> bool:
    """Say whether a model that comes first is the one that shoots, not a target: its own side's, or the one taken up."""
    return bool(name) and (name == line.taken or (line.own(name) and words > 1))


def _aimed(line: Line, name: str, shot: act.Shoot | act.Hellfire, square: Point) -> list[Any]:
    """Return a shot at the floor with its square, or the square alone where it is that shot's that is asked for."""
    if isinstance(line.step, steps.Aim):
        weapon = shot.weapon if isinstance(shot, act.Shoot) else HELLFIRE
        if weapon == line.step.weapon:
            return [act.AimAt(square)]
    return done_by(line, name, shot, act.AimAt(square))


_MOUNTS = (BODY, "1", "2")


def _volleys(line: Line, rest: Sequence[Word], name: str, gun: Gun | None) -> tuple[tuple[act.Target, int], ...]:
    """Return targets with their dice, in the order in which the rules list them."""
    if not rest:
        raise line.bad(f"Say {SHOOT}.", line.end)
    found: dict[act.Target, int] = {}
    open_ = []
    for word in rest:
        text, star, number = word.text.partition("*")
        if not text:
            raise line.bad("Write the dice right behind the target: GE3*3.", word.column)
        target = line.target(Word(text, word.column))
        if target in found:
            raise line.bad(f"{text} is named twice.", word.column)
        if star and not (number.isdecimal() and len(number) < 4):
            raise line.bad(f"'{number}' is no number of dice.", word.column + len(text) + 1)
        found[target] = int(number) if star else 0
        if not star:
            open_.append(word)
    fire = gun.fire if gun is not None else len(found)
    left = fire - sum(found.values())
    for word in open_:
        # Dice that are not named: all that are left for one target, one for each if that comes out even.
        if len(open_) > 1 and left != len(open_) and (gun is None or gun.split):
            raise _uneven(line, rest, fire, open_[0].column)
        found[line.target(word)] = max(1, left if len(open_) == 1 else 1)
    order: list[act.Target] = []
    if gun is not None and len(found) > 1:
        order = model_targets(line.book, line.state, name, gun.range)
    return tuple(sorted(found.items(), key=lambda share: order.index(share[0]) if share[0] in order else len(order)))


def _uneven(line: Line, rest: Sequence[Word], fire: int, column: int) -> BadNotation:
    """Return the error for targets without their dice, with dice as even as can be suggested."""
    targets = [word.text.partition("*")[0] for word in rest[:fire]]
    each, over = divmod(fire, len(targets))
    shares = " ".join(f"{text}*{each + (number < over)}" for number, text in enumerate(targets))
    suggestion = f"{line.text[: rest[0].column - 1]}{shares}".strip() if line.suggests else ""
    return BadNotation(f"Say how many of the {fire} dice each target gets.", line.text, column, suggestion)


def hellfire(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read a hellfire shot (TA-WEAP-8)."""
    form = "who and at what: hellfire HV1 GE3"
    name, left = actor(line, rest, 2, form)
    target = line.target(line.one(left, form))
    if not isinstance(target, str):
        return _aimed(line, name, act.Hellfire(act.FLOOR), target)
    return done_by(line, name, act.Hellfire(target))


def aim(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read the square that a shot at the floor is aimed at (TA-WEAP-21)."""
    return [act.AimAt(line.square(line.one(line.named(rest, 2), "which empty square: aim DS1 4:f6")))]


def fight(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read an attack hand to hand (TA-HTH-1)."""
    form = "who and against whom: fight SG1 GE2"
    name, left = actor(line, rest, 2, form)
    return done_by(line, name, act.Fight(line.enemy(line.one(left, form))))


def melta(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read the setting of a melta-bomb (TA-WEAP-16)."""
    form = "who and at what: melta SC4 OBJ-6"
    name, left = actor(line, rest, 2, form)
    return done_by(line, name, act.Melta(line.enemy(line.one(left, form))))


# Artifacts


def take(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read the taking of an artifact, which need not be named where one alone lies (TA-ART-7)."""
    form = "who and what: take SC1 A4"
    name, left = actor(line, rest, 1, form)
    lying = [action.artifact for action in line.legal(act.Take)]
    if not left and line.acting() and len(lying) == 1:
        return [act.Take(lying[0])]
    return done_by(line, name, act.Take(line.artifact(line.one(left, form))))


def give(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read the handing over of an artifact (TA-ART-4)."""
    form = "who, to whom and what: give SC1 SC2 A4"
    name, left = actor(line, rest, 3, form)
    to, artifact = line.exactly(left, 2, form)
    return done_by(line, name, act.Give(line.model(to), line.artifact(artifact)))


def done(line: Line, rest: Sequence[Word]) -> list[Any]:
    """Read that a model is finished (TA-TURN-3)."""
    name, left = actor(line, rest, 1, "who: done SC1")
    line.none(left)
    return done_by(line, name, act.DONE)
