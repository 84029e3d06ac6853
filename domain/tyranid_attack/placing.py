"""Models that come onto the board: reinforcements, defenders, those of cards, and found Marines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ..chance import Roll
from ..choices import Product
from ..rules import Decision, Refusal, Script, do
from . import effects as e
from .actions import ROLL, SKIP, ArmWith, EnterModel, PickModel, PutCyst, PutModel, RollDie, Skip
from .book import BLOB, DREADNOUGHT, Book
from .endings import marines, tyranids
from .events_model import ModelPlaced
from .events_ship import CystPlaced
from .events_turn import ReinforcementDeclined, ReinforcementLost, ReinforcementRolled
from .objectives import first_of_kind
from .state import MARINES, TYRANID, HiveState, Point
from .steps import Arm, Enter, Found, LayCyst, Put, PutOn, Reinforce

FAR = 8
"""How many squares from every Marine an entry area must be more than (TA-REINF-6)."""


def far_from_marines(book: Book, state: HiveState, squares: Iterable[Point], least: int) -> list[Point]:
    """Return the squares that are at least so far from every Marine (TA-BOARD-10)."""
    if least <= 0:
        return list(squares)
    there = [state.models[name].at for name in marines(book, state)]
    found = []
    for square in squares:
        x, y = square
        for u, v in there:
            if -least < x - u < least and -least < y - v < least:
                break
        else:
            found.append(square)
    return found


# Reinforcements


def doors(book: Book, state: HiveState) -> list[Point]:
    """Return the squares on which a reinforcement may enter (TA-REINF-6 to -10, TA-SPEC-8)."""
    ship, taken = book.ship(state), state.at
    edge = [square for square in ship.outer if square not in taken and square in ship.floor]
    found = far_from_marines(book, state, edge, FAR + 1)
    if not state.cysts_closed:
        least = state.options.cyst_distance + 1 if state.options.cyst_distance else 0
        cysts = [square for square in state.cysts if square not in taken and square in ship.floor]
        found += [square for square in far_from_marines(book, state, cysts, least) if square not in found]
    return found


def entering(book: Book, state: HiveState) -> list[str]:
    """Return the first model of each kind in the pool that may enter (TA-REINF-2, TA-DREAD-2)."""
    return first_of_kind(name for name in state.pool if book.profiles[book.kind(name)].slots <= 2)


def ask_reinforce(book: Book, state: HiveState, step: Reinforce) -> Decision:
    """Ask whether the die is rolled (TA-REINF-1)."""
    return Decision(TYRANID, (ROLL, SKIP), "Is a reinforcement rolled for?")


def resolve_reinforce(book: Book, state: HiveState, step: Reinforce, action: RollDie | Skip) -> Script:
    """Roll, with what helps and hinders (TA-REINF-1, -3, -4, -5, -9)."""
    if isinstance(action, Skip):
        yield ReinforcementDeclined(rule="TA-REINF-1")
        return
    (roll,) = yield Roll(TYRANID, 6, 1, "reinforcement", rule="TA-REINF-1")
    modifiers: list[tuple[str, int]] = []
    if not tyranids(book, state):
        modifiers.append(("no Tyranid on board", 2))
    weaker = book.after(state, e.AfterDestroyReinforcementModifier)
    only_six = weaker is not None and state.options.synapse == "six_only"
    if isinstance(weaker, e.AfterDestroyReinforcementModifier) and not only_six:
        modifiers.append(("the Synapse is gone", weaker.amount))
    total = roll + sum(amount for _, amount in modifiers)
    granted = roll == 6 if only_six else total >= 5
    yield ReinforcementRolled(roll, tuple(modifiers), total, granted, rule="TA-REINF-1")
    if granted:
        yield from enter_or_lose(book, state, fresh=True)


def enter_or_lose(book: Book, state: HiveState, fresh: bool) -> Script:
    """Let a reinforcement enter, if there is one and a way in (TA-REINF-9)."""
    if not entering(book, state):
        yield ReinforcementLost("model", rule="TA-RECYC-3")
    elif not doors(book, state):
        yield ReinforcementLost("square", rule="TA-REINF-9")
    else:
        yield do(Enter(fresh=fresh))


def ask_enter(book: Book, state: HiveState, step: Enter) -> Decision | None:
    """Ask which model enters, and where (TA-REINF-2, TA-REINF-6)."""
    names, squares = entering(book, state), doors(book, state)
    if not names or not squares:
        return None
    return Decision(TYRANID, Product(EnterModel, _split_enter, names, squares), "Which model enters, and where?")


def _split_enter(action: object) -> tuple[str, Point] | None:
    return (action.model, action.at) if isinstance(action, EnterModel) else None


def resolve_enter(book: Book, state: HiveState, step: Enter, action: EnterModel) -> Script:
    """Bring it in; by the roll it may act at once (TA-TURN-9)."""
    kind = book.kind(action.model)
    life = book.profiles[kind].life
    yield ModelPlaced(action.model, kind, action.at, life, step.fresh, "reinforcement", rule="TA-REINF-6")


def explain_enter(book: Book, state: HiveState, step: Enter, action: object) -> Refusal | None:
    """Say why that model does not enter there."""
    if not isinstance(action, EnterModel):
        return None
    refusal = _explain_pool(book, state, action.model)
    if refusal is not None:
        return refusal
    if book.kind(action.model) == DREADNOUGHT:
        return Refusal("TA-DREAD-2", "the Dreadnought does not come by a reinforcement roll")
    ship, shown = book.ship(state), book.names.spot(state, action.at)
    if action.at in state.cysts:
        if state.cysts_closed:
            return Refusal("TA-SPEC-8", "the Nexus is destroyed: nothing comes through cysts")
        if action.at in state.at:
            return Refusal("TA-REINF-10", f"{state.at[action.at]} stands on the cyst at {shown}")
        if action.at not in ship.outer:
            return Refusal(
                "TA-REINF-10",
                f"the cyst at {shown} is not more than {state.options.cyst_distance} squares from every Marine",
            )
    if action.at not in ship.outer:
        return Refusal("TA-REINF-7", f"{shown} is no half square on the outer edge")
    if action.at in state.at or action.at in ship.solid:
        return Refusal("TA-REINF-8", f"{shown} is not empty")
    return Refusal("TA-REINF-6", f"{shown} is not more than {FAR} squares from every Marine")


def _explain_pool(book: Book, state: HiveState, name: str) -> Refusal | None:
    if name[:2] == book.catalogue.codes[BLOB]:
        return Refusal("TA-BLOB-1", "acid-blobs come by exploration cards alone")
    if name in state.spent:
        return Refusal("TA-SLAVE-2", f"{name} was used in this game")
    if name not in state.pool:
        return Refusal("TA-REINF-2", f"{name} is not in the pool")
    return None


# Placing on a section


def free_squares(book: Book, state: HiveState, section: int, apart: int) -> list[Point]:
    """Return the empty floor squares of a section at a distance from every Marine (TA-CARD-2, TA-OBJ-7)."""
    ship, taken = book.ship(state), state.at
    empty = [square for square in ship.squares[section] if square in ship.floor and square not in taken]
    return far_from_marines(book, state, empty, apart)


def placeable(book: Book, state: HiveState, step: Put) -> list[str]:
    """Return the first model of each kind that may be placed with the slots left (TA-RECYC-2, TA-DREAD-1, -2)."""
    names: Sequence[str] = state.blobs if step.kinds == (BLOB,) else state.pool
    return [
        name
        for name in first_of_kind(names)
        if (not step.kinds or book.kind(name) in step.kinds) and book.profiles[book.kind(name)].slots <= step.slots
    ]


def ask_put(book: Book, state: HiveState, step: Put) -> Decision | None:
    """Ask which model is placed next, as far as there are models and squares (TA-CARD-2, TA-RECYC-3)."""
    if step.slots <= 0:
        return None
    names = placeable(book, state, step)
    if not names or not free_squares(book, state, step.section, step.apart):
        return None
    left = f"{step.slots} to place" if step.slots > 1 else "One to place"
    return Decision(TYRANID, tuple(map(PickModel, names)), f"Which Tyranid is placed? {left}.")


def resolve_put(book: Book, state: HiveState, step: Put, action: PickModel) -> Script:
    """Go on to its square, and to those who are placed after it (TA-DREAD-1)."""
    slots = step.slots - book.profiles[book.kind(action.model)].slots
    square = PutOn(model=action.model, section=step.section, apart=step.apart, reason=step.reason, rule=step.rule)
    yield do(square, msgspec.structs.replace(step, slots=slots))


def explain_put(book: Book, state: HiveState, step: Put, action: object) -> Refusal | None:
    """Say why that model is not placed."""
    if not isinstance(action, PickModel | PutModel):
        return None
    refusal = _explain_supply(book, state, action.model, step.kinds == (BLOB,))
    if refusal is not None:
        return refusal
    if book.profiles[book.kind(action.model)].slots > step.slots:
        return Refusal("TA-DREAD-2", f"{action.model} counts as three, and {step.slots} may be placed")
    if isinstance(action, PutModel):
        return Refusal(step.rule, "the model is named first, then its square")
    return Refusal(step.rule, f"{action.model} is not placed now")


def _explain_supply(book: Book, state: HiveState, name: str, blob: bool) -> Refusal | None:
    """Say why a model is not in the supply from which those are placed: the blob counters, or the pool."""
    if not blob:
        return _explain_pool(book, state, name)
    return None if name in state.blobs else Refusal("TA-BLOB-8", f"{name} is no blob counter in the supply")


def ask_put_on(book: Book, state: HiveState, step: PutOn) -> Decision | None:
    """Ask for the square of the model that was chosen (TA-CARD-2, TA-OBJ-7)."""
    squares = free_squares(book, state, step.section, step.apart)
    actions = tuple(PutModel(step.model, square) for square in squares)
    return Decision(TYRANID, actions, f"Where does {step.model} stand?") if actions else None


def resolve_put_on(book: Book, state: HiveState, step: PutOn, action: PutModel) -> Script:
    """Place it, a Dreadnought once it is armed (TA-DREAD-4)."""
    kind = book.kind(step.model)
    profile = book.profiles[kind]
    if profile.heavy_mounts:
        yield do(Arm(model=step.model, at=action.at, reason=step.reason, rule=step.rule))
    else:
        # Placed in the Marine part, it acts in the Tyranid part, when all are fresh again.
        yield ModelPlaced(step.model, kind, action.at, profile.life, False, step.reason, rule=step.rule)


def explain_put_on(book: Book, state: HiveState, step: PutOn, action: object) -> Refusal | None:
    """Say why it does not stand there."""
    if not isinstance(action, PickModel | PutModel):
        return None
    if isinstance(action, PickModel) or action.model != step.model:
        refusal = _explain_supply(book, state, action.model, step.model in state.blobs)
        return refusal or Refusal(step.rule, f"{step.model} is being placed: say where it stands")
    shown = book.names.spot(state, action.at)
    ship = book.ship(state)
    if step.section not in ship.sections.get(action.at, ()):
        return Refusal(step.rule, f"{shown} is not on {book.names.section(step.section)}")
    if action.at in state.at or action.at in ship.solid:
        return Refusal(step.rule, f"{shown} is not empty")
    return Refusal(step.rule, f"{shown} is less than {step.apart} squares from a Marine")


def ask_arm(book: Book, state: HiveState, step: Arm) -> Decision:
    """Ask for the next heavy weapon of a Dreadnought (TA-DREAD-4); twice the same is allowed (TA-DREAD-8)."""
    which = "other" if step.arms else "first"
    return Decision(TYRANID, tuple(map(ArmWith, book.heavies)), f"Which is the {which} heavy weapon of {step.model}?")


def resolve_arm(book: Book, state: HiveState, step: Arm, action: ArmWith) -> Script:
    """Arm it, and place it once it has both weapons (TA-DREAD-4)."""
    arms = (*step.arms, action.weapon)
    kind = book.kind(step.model)
    profile = book.profiles[kind]
    if len(arms) < profile.heavy_mounts:
        yield do(Arm(model=step.model, at=step.at, arms=arms, reason=step.reason, rule=step.rule))
    else:
        yield ModelPlaced(step.model, kind, step.at, profile.life, False, step.reason, arms, rule="TA-DREAD-4")


def explain_arm(book: Book, state: HiveState, step: Arm, action: object) -> Refusal | None:
    """Say why it does not carry that."""
    if not isinstance(action, ArmWith):
        return None
    return Refusal("TA-DREAD-4", f"there is no heavy weapon {action.weapon}: {', '.join(book.heavies)}")


# Cysts


def cyst_squares(book: Book, state: HiveState, step: LayCyst) -> list[Point]:
    """Return where a cyst may open: empty floor without cyst or template (TA-CYST-1)."""
    return [square for square in free_squares(book, state, step.section, step.apart) if square not in state.cysts]


def ask_cyst(book: Book, state: HiveState, step: LayCyst) -> Decision | None:
    """Ask where the next cyst opens, as far as counters reach (TA-COMP-9)."""
    squares = cyst_squares(book, state, step)
    if step.count <= 0 or not state.cysts_left or not squares:
        return None
    return Decision(TYRANID, tuple(map(PutCyst, squares)), "Where does a cyst open?")


def resolve_cyst(book: Book, state: HiveState, step: LayCyst, action: PutCyst) -> Script:
    """Open a cyst, and ask for the next."""
    yield CystPlaced(action.at, rule="TA-CYST-1")
    yield do(LayCyst(section=step.section, count=step.count - 1, apart=step.apart))


def explain_cyst(book: Book, state: HiveState, step: LayCyst, action: object) -> Refusal | None:
    """Say why no cyst opens there."""
    if not isinstance(action, PutCyst):
        return None
    shown = book.names.spot(state, action.at)
    if step.section not in book.ship(state).sections.get(action.at, ()):
        return Refusal("TA-CYST-1", f"{shown} is not on {book.names.section(step.section)}")
    return Refusal("TA-CYST-1", f"{shown} is no empty floor without a cyst")


# Found Marines


def near_squares(book: Book, state: HiveState, near: Point) -> list[Point]:
    """Return the free squares nearest by path to a square (TA-CARD-3)."""
    ship, taken = book.ship(state), state.at
    met, edge = {near}, [near] if near in ship.around else []
    if edge and near not in taken:
        return [near]
    while edge:
        beyond = []
        for here in edge:
            for there in ship.around[here]:
                if there not in met:
                    met.add(there)
                    beyond.append(there)
        free = sorted((square for square in beyond if square not in taken), key=lambda s: (s[1], s[0]))
        if free:
            return free
        edge = beyond
    return []


def ask_found(book: Book, state: HiveState, step: Found) -> Decision | None:
    """Ask where the next found Marine stands (TA-CARD-3)."""
    names, squares = finding(book, state, step), near_squares(book, state, step.near)
    if not names or not squares:
        return None
    return Decision(MARINES, Product(PutModel, _split_put, names, squares), "Where does he stand?")


def _split_put(action: object) -> tuple[str, Point] | None:
    return (action.model, action.at) if isinstance(action, PutModel) else None


def finding(book: Book, state: HiveState, step: Found) -> list[str]:
    """Return the first model of each listed kind that has never been in play."""
    return first_of_kind(name for name in state.reserve if book.kind(name) in step.kinds)


def resolve_found(book: Book, state: HiveState, step: Found, action: PutModel) -> Script:
    """Place him, and ask for the next (TA-CARD-3, TA-TURN-9)."""
    kind = book.kind(action.model)
    left = list(step.kinds)
    left.remove(kind)
    yield ModelPlaced(action.model, kind, action.at, book.profiles[kind].life, step.fresh, "found", rule="TA-CARD-3")
    yield do(Found(kinds=tuple(left), near=step.near, fresh=step.fresh))


def explain_found(book: Book, state: HiveState, step: Found, action: object) -> Refusal | None:
    """Say why he does not stand there."""
    if not isinstance(action, PutModel):
        return None
    if action.model not in finding(book, state, step):
        return Refusal("TA-CARD-3", f"{action.model} is not among those found")
    shown = book.names.spot(state, action.at)
    return Refusal("TA-CARD-3", f"{shown} is not among the free squares nearest to the model that opened this section")
