"""Shooting: who can be shot at, how dice are shared out, blasts and hellfire."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import msgspec

from ..chance import Roll
from ..choices import Product, Shares
from ..rules import Decision, Refusal, Script
from . import effects as e
from . import harm
from .actions import FLOOR, AimAt, Hellfire, Shoot
from .book import DREADNOUGHT, Book, Gun
from .events_model import ActSpent, WeaponSpent
from .events_turn import BlastRolled, HellfireFired, Shot
from .objectives import cloud, shielded
from .ship import READING, nearest
from .state import MARINES, Act, HiveState, Point, distance
from .steps import Aim

Target = str | Point
BODY, HELLFIRE = "body", "hellfire"
FAR = 1_000
"""A range that reaches everywhere."""


# Guns


def guns(book: Book, state: HiveState, name: str) -> dict[str, Gun]:
    """Return the guns that a model may fire now, by the word that names a Dreadnought's (TA-SHOOT, TA-WEAP-19)."""
    model, act = state.models[name], state.act(name)
    if act.attacks <= 0:
        return {}
    found: dict[str, Gun] = {}
    own = book.guns.get(model.kind)
    if model.kind != DREADNOUGHT:
        if own is not None and not (own.recharge and state.turn < model.ready):
            found[""] = own._replace(fire=book.fire_of(model)) if model.artifacts else own
        return found
    if own is not None and BODY not in act.fired:
        found[BODY] = own
    for mount, weapon in sorted(model.arms.items()):
        gun = book.heavies[weapon]
        charged = not (gun.recharge and state.turn < model.ready_arms.get(mount, 0))
        if str(mount) not in act.fired and charged:
            found[str(mount)] = gun
    return found


# Targets


def stops(book: Book, state: HiveState) -> int:
    """Return what stops a line: walls, templates, and models but prone Marines, as bits (TA-LOS-2, -6, -7)."""
    return book.ship(state).opaque | book.crowd(state).blocking


def sees(book: Book, state: HiveState, at: Point, squares: Collection[Point], reach: int = FAR) -> list[Point]:
    """Return which squares of a target, none of which stops the line to another, can be seen within a range (TA-LOS-8)."""
    ship = book.ship(state)
    return ship.seen(at, squares, reach, stops(book, state) & ~ship.plane.mask(squares))


def model_targets(book: Book, state: HiveState, name: str, reach: int) -> list[Target]:
    """Return the enemies and templates that a model can shoot at within a range, in order (TA-SHOOT-1 to -8)."""
    side, at = book.side(name), state.models[name].at
    foes = book.crowd(state).enemies(side)
    squares = book.ship(state).seen(at, foes, reach, stops(book, state)) if foes else []
    found: list[Target] = [state.at[square] for square in squares if not shielded(book, state, square, at)]
    if side == MARINES:
        found += [id for id in state.templates if aim(book, state, at, id, reach) is not None]
    return found


def aim(book: Book, state: HiveState, at: Point, objective: str, reach: int) -> Point | None:
    """Return a square of a template that can be shot at, the nearest first; None if none can (TA-LOS-8)."""
    squares = state.templates[objective]
    if state.options.cloud_hides_template and nearest(at, squares) > 1 and set(squares) & cloud(book, state)[0]:
        return None
    return min(sees(book, state, at, squares, reach), key=lambda square: distance(at, square), default=None)


def floor_targets(book: Book, state: HiveState, name: str, reach: int) -> list[Point]:
    """Return the empty squares that a model can aim at (TA-WEAP-21)."""
    found, taken = book.ship(state).clear(state.models[name].at, reach, stops(book, state)), state.at
    return [square for square in found if square not in taken]  # a prone Marine stops no line, and his square is taken


def at_floor(action: Shoot | Hellfire) -> bool:
    """Say whether a shot is aimed at an empty square that is still to be named."""
    return action.target == FLOOR if isinstance(action, Hellfire) else action.volleys[0][0] == FLOOR


def sees_floor(book: Book, state: HiveState, name: str, reach: int) -> bool:
    """Say whether there is an empty square to aim at; the next one nearly always is."""
    crowd, at = book.crowd(state), state.models[name].at
    if crowd.plane.around(crowd.plane.bit(at)) & ~crowd.taken:
        return True
    return bool(floor_targets(book, state, name, reach))


# What may be done


def shots(book: Book, state: HiveState, name: str) -> Iterator[Sequence[Shoot]]:
    """Yield the shots of a model, gun by gun; dice of a bolter are shared out (TA-WEAP-1, TA-WEAP-2)."""
    for word, gun in guns(book, state, name).items():
        targets = model_targets(book, state, name, gun.range)
        if gun.split and gun.fire > 1 and len(targets) > 1:
            yield Shares(_make(word), _split(word), targets, gun.fire)
        else:
            yield [Shoot(((target, gun.fire),), word) for target in targets]
        if gun.at_floor and sees_floor(book, state, name, gun.range):
            yield [Shoot(((FLOOR, gun.fire),), word)]


def _make(word: str) -> Callable[[tuple[tuple[Any, int], ...]], Shoot]:
    return lambda shares: Shoot(shares, word)


def _split(word: str) -> Any:
    def split(action: object) -> Sequence[tuple[Any, int]] | None:
        return action.volleys if isinstance(action, Shoot) and action.weapon == word else None

    return split


def hellfires(book: Book, state: HiveState, name: str) -> list[Hellfire]:
    """Return the hellfire shots of a model (TA-WEAP-8, -11, -12)."""
    gun = book.guns.get(state.models[name].kind)
    if gun is None or not gun.hellfire or not state.shells or state.act(name).attacks <= 0:
        return []
    targets = model_targets(book, state, name, gun.range)
    floor = [FLOOR] if sees_floor(book, state, name, gun.range) else []
    return [Hellfire(target) for target in (*targets, *floor)]


def is_template(target: Target) -> bool:
    """Say whether a target is an objective's template."""
    return isinstance(target, str) and target.startswith("OBJ-")


# What it does


def spent(book: Book, state: HiveState, name: str, word: str = "") -> Act:
    """Return what is left to a model that has shot (TA-ORDER-10, TA-DREAD-5, TA-DREAD-9)."""
    act = state.act(name)
    fired = [*act.fired, word] if word else []
    attacks = act.attacks - 1
    if word:
        model = state.models[name]
        there = {BODY, *map(str, model.arms)} - {*fired}
        attacks = act.attacks if there else 0
    return msgspec.structs.replace(act, fresh=False, attacks=attacks, shots=act.shots + 1, attacked=True, fired=fired)


def shoot(book: Book, state: HiveState, name: str, action: Shoot) -> Script:
    """Roll all dice, then settle target by target, then the blast (TA-SHOOT-4, -5, TA-WEAP-18, -20)."""
    model = state.models[name]
    gun = guns(book, state, name)[action.weapon]
    seat = book.side(name)
    bonus = gun.bonus + sum(
        effect.amount for effect in book.order_effects(state, name) if isinstance(effect, e.OrderShotBonus)
    )
    yield ActSpent(name, spent(book, state, name, action.weapon), rule="TA-ATT-1")
    if gun.recharge:
        mount = int(action.weapon) if action.weapon else 0
        yield WeaponSpent(name, gun.weapon, state.turn + 2, mount, rule="TA-WEAP-19")
    rolled: list[tuple[Target, bool]] = []
    for target, dice in action.volleys:
        if not isinstance(target, str):
            yield Shot(name, gun.weapon, target, (), 0, 0, False, rule="TA-WEAP-21")
            rolled.append((target, False))
            continue
        rolls: tuple[int, ...] = yield Roll(seat, 6, dice, "shot", target, "TA-SHOOT-4")
        need = book.armour if is_template(target) else book.armour_of(state.models[target])
        hit = max(rolls) + bonus >= need
        yield Shot(name, gun.weapon, target, rolls, bonus, need, hit, rule="TA-SHOOT-4")
        rolled.append((target, hit))
    by, at = model.at, [_where(state, target) for target, _ in rolled]
    for target, hit in rolled:
        if hit and isinstance(target, str) and target in state.models:
            yield from harm.hurt(book, state, target, gun.weapon, "TA-LIFE-1")
    if gun.blast and not (state.options.blast_needs_hit and not rolled[0][1] and isinstance(rolled[0][0], str)):
        yield from _blast(book, state, seat, by, rolled[0][0], at[0], gun)
    for target, hit in rolled:  # after the blast, which the Vent's cloud still stops
        if hit and isinstance(target, str) and is_template(target):
            yield from harm.wreck(book, state, target, name, "TA-OBJ-8")


def _where(state: HiveState, target: Target) -> tuple[Point, ...]:
    if not isinstance(target, str):
        return (target,)
    return state.templates[target] if is_template(target) else (state.models[target].at,)


def neighbours(state: HiveState, squares: tuple[Point, ...]) -> list[str]:
    """Return the models next to a target, from the top row, left to right (TA-WEAP-20)."""
    around = {(x + u, y + v) for x, y in squares for u, v in READING} - {*squares}
    standing = state.at
    return [standing[square] for square in sorted(around, key=lambda s: (s[1], s[0])) if square in standing]


def _blast(
    book: Book, state: HiveState, seat: str, by: Point, target: Target, squares: tuple[Point, ...], gun: Gun
) -> Script:
    """Attack every model next to the target, friend or foe, the shooter included (TA-WEAP-15, -20, TA-BIO-2)."""
    for victim in neighbours(state, squares):
        model = state.models.get(victim)
        if model is None or shielded(book, state, model.at, by):
            continue
        rolls: tuple[int, ...] = yield Roll(seat, 6, gun.blast, "burst", victim, "TA-WEAP-20")
        need = book.armour_of(model)
        hit = max(rolls) >= need
        yield BlastRolled(gun.weapon, target, victim, rolls, need, hit, rule="TA-WEAP-20")
        if hit:
            yield from harm.hurt(book, state, victim, gun.weapon, "TA-LIFE-1")


def hellfire(book: Book, state: HiveState, name: str, action: Hellfire) -> Script:
    """Kill the target without a roll, and each model next to it on 4 or more (TA-WEAP-9 to -14)."""
    seat, target, by = book.side(name), action.target, state.models[name].at
    squares = _where(state, target)
    yield ActSpent(name, spent(book, state, name), rule="TA-ATT-1")
    yield HellfireFired(name, target, state.shells - 1, rule="TA-WEAP-12")
    if isinstance(target, str) and not is_template(target):
        yield from harm.slay(book, state, target, "hellfire", "TA-WEAP-9")
    for victim in neighbours(state, squares):
        model = state.models.get(victim)
        if model is None or shielded(book, state, model.at, by):
            continue
        (roll,) = yield Roll(seat, 6, 1, "splinters", victim, "TA-WEAP-10")
        yield BlastRolled("hellfire_shell", target, victim, (roll,), 4, roll >= 4, rule="TA-WEAP-10")
        if roll >= 4:
            yield from harm.slay(book, state, victim, "hellfire", "TA-WEAP-10")
    if isinstance(target, str) and is_template(target) and state.options.hellfire_vs_template == "destroys":
        yield from harm.wreck(book, state, target, name, "TA-WEAP-14")


# Aiming at the floor


def floor_range(book: Book, state: HiveState, step: Aim) -> int:
    """Return the range of the weapon that is being aimed."""
    word = "" if step.weapon == HELLFIRE else step.weapon
    model = state.models[step.model]
    return book.heavies[model.arms[int(word)]].range if word.isdecimal() else book.guns[model.kind].range


def ask_aim(book: Book, state: HiveState, step: Aim) -> Decision:
    """Ask at which empty square the shot is aimed (TA-WEAP-11, TA-WEAP-21, TA-BIO-3)."""
    squares = floor_targets(book, state, step.model, floor_range(book, state, step))
    return Decision(step.side, Product(AimAt, _aimed, squares), "Which empty square is aimed at?")


def _aimed(action: object) -> tuple[Point] | None:
    return (action.at,) if isinstance(action, AimAt) else None


def resolve_aim(book: Book, state: HiveState, step: Aim, action: AimAt) -> Script:
    """Fire at that square."""
    if step.weapon == HELLFIRE:
        return hellfire(book, state, step.model, Hellfire(action.at))
    fire = guns(book, state, step.model)[step.weapon].fire
    return shoot(book, state, step.model, Shoot(((action.at, fire),), step.weapon))


def explain_aim(book: Book, state: HiveState, step: Aim, action: object) -> Refusal | None:
    """Say why that square is not aimed at."""
    if not isinstance(action, AimAt):
        return None
    return _explain_target(book, state, step.model, action.at, floor_range(book, state, step), True)


# Why not


def explain_shot(book: Book, state: HiveState, name: str, action: Shoot) -> Refusal | None:
    """Say why a model may not shoot so."""
    model, act = state.models[name], state.act(name)
    if model.kind not in book.guns:
        return Refusal("TA-CHAR-4", f"{name} has nothing to shoot with")
    if act.attacks <= 0:
        return no_attack(book, state, name)
    gun = guns(book, state, name).get(action.weapon)
    if gun is None:
        return _no_gun(book, state, name, action.weapon)
    total = sum(dice for _, dice in action.volleys)
    if len(action.volleys) > 1 and not gun.split:
        return Refusal("TA-WEAP-1", f"the dice of the {book.names.weapon(gun.weapon)} go to one target")
    if total != gun.fire or any(dice < 1 for _, dice in action.volleys):
        return Refusal("TA-WEAP-2", f"{gun.fire} dice are shared out, at least one to each target")
    if len({target for target, _ in action.volleys}) < len(action.volleys):
        return Refusal("TA-WEAP-2", "each target is named once, with all its dice")
    for target, _ in action.volleys:
        refusal = _explain_target(book, state, name, target, gun.range, gun.at_floor)
        if refusal is not None:
            return refusal
    return Refusal("TA-WEAP-2", "targets are named in the order of the board, templates last")


def _no_gun(book: Book, state: HiveState, name: str, word: str) -> Refusal:
    model = state.models[name]
    if model.kind != DREADNOUGHT:
        if word:
            return Refusal("TA-DREAD-5", f"{name} has one weapon only")
        return Refusal("TA-WEAP-19", f"the gun of {name} recharges until turn {model.ready}")
    if word in state.act(name).fired:
        return Refusal("TA-DREAD-9", f"{name} has fired that weapon")
    if word.isdecimal() and int(word) in model.arms:
        return Refusal("TA-WEAP-19", f"that weapon recharges until turn {model.ready_arms[int(word)]}")
    return Refusal("TA-DREAD-4", f"{name} has no such weapon: name body, {', '.join(map(str, sorted(model.arms)))}")


def no_attack(book: Book, state: HiveState, name: str) -> Refusal:
    """Return why a model may not attack any more, or not in that way (TA-ATT-1, TA-ORDER-10, TA-DREAD-9)."""
    act = state.act(name)
    if act.shots and any(isinstance(effect, e.OrderShots) for effect in book.order_effects(state, name)):
        if act.attacks > 0:
            return Refusal("TA-ORDER-10", f"{name} has shot: under this order it makes no other attack")
        if act.stepped:
            return Refusal("TA-ORDER-10", f"{name} has moved, so there is no second shot")
    if act.attacks > 0:
        return Refusal("TA-DREAD-9", f"{name} is shooting: its weapons are one attack, and it makes no other")
    return Refusal("TA-ATT-1", f"{name} has made its attack in this turn")


def _explain_target(
    book: Book, state: HiveState, name: str, target: Target, reach: int, at_floor: bool
) -> Refusal | None:
    names, at, ship = book.names, state.models[name].at, book.ship(state)
    if target == FLOOR:
        if not at_floor:
            return Refusal("TA-SHOOT-8", "that weapon is not aimed at an empty square")
        return Refusal("TA-WEAP-21", f"{name} sees no empty square")
    shown = names.target(state, target) if isinstance(target, str) else names.spot(state, target)
    if isinstance(target, str) and not is_template(target):
        model = state.models.get(target)
        if model is None:
            return Refusal("TA-SHOOT-8", f"{target} is not on the board")
        if book.side(target) == book.side(name):
            return Refusal("TA-SHOOT-8", f"{target} is no enemy")
        squares: tuple[Point, ...] = (model.at,)
    elif isinstance(target, str):
        if target not in state.templates:
            return Refusal("TA-SHOOT-8", f"{shown} does not stand")
        if book.side(name) != MARINES:
            return Refusal("TA-OBJ-12", "only Marines attack templates")
        squares = state.templates[target]
    else:
        if not at_floor:
            return Refusal("TA-SHOOT-8", "that weapon is not aimed at an empty square")
        if target in state.at or target not in ship.floor:
            return Refusal("TA-WEAP-21", f"{shown} is no empty floor")
        squares = (target,)
    seen = sees(book, state, at, squares)
    if not seen:
        return Refusal(
            "TA-LOS-4" if _only_corner(book, state, at, squares) else "TA-LOS-2", f"{name} does not see {shown}"
        )
    if min(distance(at, square) for square in seen) > reach:
        return Refusal("TA-SHOOT-3", f"{shown} is {nearest(at, seen)} squares away, and the range is {reach}")
    if is_template(target):
        assert isinstance(target, str)
        hidden = aim(book, state, at, target, reach) is None
    else:
        hidden = isinstance(target, str) and shielded(book, state, squares[0], at)
    return Refusal("TA-SPEC-5", f"the Vent's cloud hides {shown} from all that are not adjacent") if hidden else None


def _only_corner(book: Book, state: HiveState, at: Point, squares: tuple[Point, ...]) -> bool:
    """Whether a line is closed by a sealed corner alone (option `corners`)."""
    ship = book.ship(state)
    if not ship.sealed:
        return False
    plain = book.yard.ship(state.chain, state.entry, ship.solid, False)
    stop = stops(book, state) & ~ship.plane.mask(squares)
    return bool(plain.seen(at, squares, FAR, stop))


def explain_hellfire(book: Book, state: HiveState, name: str, action: Hellfire) -> Refusal | None:
    """Say why a model may not fire hellfire so."""
    gun = book.guns.get(state.models[name].kind)
    if gun is None or not gun.hellfire:
        return Refusal("TA-WEAP-8", f"{name} is no Scout with a heavy bolter")
    if not state.shells:
        return Refusal("TA-WEAP-12", "no hellfire shell is left")
    if state.act(name).attacks <= 0:
        return no_attack(book, state, name)
    return _explain_target(book, state, name, action.target, gun.range, True)
