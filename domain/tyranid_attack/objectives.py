"""What objectives do while they stand and once they are destroyed."""

from __future__ import annotations

from collections.abc import Iterable

from ..chance import Roll
from ..choices import Choices, Product
from ..rules import Decision, Refusal, Script, do
from . import effects as e
from .actions import READY, Ready, ReturnScout
from .book import Book
from .counts import amount
from .events_model import ModelPlaced, ModelsCameRound, ModelWentProne
from .events_ship import CystsClosed
from .events_turn import CortexRolled, SphincterRolled
from .ship import nearest
from .state import MARINES, HiveState, Point, distance
from .steps import Return

# While they stand


def cloud(book: Book, state: HiveState) -> tuple[frozenset[Point], frozenset[Point]]:
    """Return the squares that the Vent shields, and those of its own template (TA-SPEC-5, TA-SPEC-6)."""
    found = book.standing(state, e.WhileStandingAttackAdjacentOnly)
    if found is None:
        return _NOWHERE, _NOWHERE
    ship = book.ship(state)
    squares = state.templates[found[0]]
    section = ship.sections[squares[0]][0]
    return frozenset(ship.squares[section]), frozenset(squares)


_NOWHERE: frozenset[Point] = frozenset()


def shielded(book: Book, state: HiveState, at: Point, by: Point) -> bool:
    """Say whether a model on `at` cannot be attacked from `by`, as the Vent's cloud hides it (TA-SPEC-5)."""
    return bool(state.templates) and distance(at, by) > 1 and at in cloud(book, state)[0]


def throb(book: Book, state: HiveState, models: Iterable[str]) -> Script:
    """Roll for Marines near the Cortex at the start of their part (TA-SPEC-10)."""
    found = book.standing(state, e.WhileStandingPassOut)
    if found is None:
        return
    effect = found[1]
    assert isinstance(effect, e.WhileStandingPassOut)
    for name in sorted(models, key=lambda name: (list(book.kinds).index(name[:2]), int(name[2:]))):
        model = state.models[name]
        if not model.prone and nearest(model.at, state.templates[found[0]]) <= effect.within:
            (roll,) = yield Roll(MARINES, 6, 1, "cortex", name, "TA-SPEC-10")
            yield CortexRolled(name, roll, roll == effect.on, rule="TA-SPEC-10")
            if roll == effect.on:
                yield ModelWentProne(name, rule="TA-SPEC-10")


# Once they are destroyed


def after(book: Book, state: HiveState, objective: str, squares: tuple[Point, ...]) -> Script:
    """Do what follows from the destruction of a template (TA-SPEC-1 to TA-SPEC-11)."""
    for effect in book.effects_of(objective):
        if isinstance(effect, e.OnDestroyReturnScouts):
            yield from _sphincter(book, state, effect, squares)
        elif isinstance(effect, e.AfterDestroyCloseCysts):
            yield CystsClosed(rule="TA-SPEC-8")
        elif isinstance(effect, e.WhileStandingPassOut):
            yield from come_round(state, "TA-SPEC-11")


def come_round(state: HiveState, rule: str) -> Script:
    """Let prone Marines come round (TA-SPEC-11)."""
    prone = tuple(name for name, model in state.models.items() if model.prone)
    if prone:
        yield ModelsCameRound(prone, rule=rule)


def _sphincter(book: Book, state: HiveState, effect: e.OnDestroyReturnScouts, squares: tuple[Point, ...]) -> Script:
    (roll,) = yield Roll(MARINES, 6, 1, "valve", rule="TA-SPEC-1")
    count = 0
    if roll >= effect.need:
        (die,) = yield Roll(MARINES, 6, 1, "scouts", rule="TA-SPEC-1")
        count = amount(effect.count, die)
    yield SphincterRolled(roll, count, rule="TA-SPEC-1")
    if count:
        yield do(Return(squares=squares, count=count))


def _returning(state: HiveState, step: Return) -> tuple[list[str], list[Point]]:
    return first_of_kind(state.lost), [square for square in step.squares if square not in state.at]


def first_of_kind(names: Iterable[str]) -> list[str]:
    """Return the first model of each kind: others of a kind are the same to the rules."""
    found: dict[str, str] = {}
    for name in sorted(names, key=lambda name: int(name[2:])):
        found.setdefault(name[:2], name)
    return list(found.values())


def ask_return(book: Book, state: HiveState, step: Return) -> Decision | None:
    """Ask which lost Scout returns, and where to (TA-SPEC-1, TA-SPEC-2)."""
    names, squares = _returning(state, step)
    if step.count <= 0 or not names or not squares:
        return None
    returns = Product(ReturnScout, _split, names, squares)
    return Decision(MARINES, Choices((READY,), returns), f"Which Scout returns, and where? {step.count} may.")


def _split(action: object) -> tuple[str, Point] | None:
    return (action.model, action.at) if isinstance(action, ReturnScout) else None


def resolve_return(book: Book, state: HiveState, step: Return, action: ReturnScout | Ready) -> Script:
    """Bring a Scout back with full life (TA-SPEC-2, TA-SPEC-3), and ask for the next."""
    if isinstance(action, Ready):
        return
    kind = book.kind(action.model)
    yield ModelPlaced(action.model, kind, action.at, book.profiles[kind].life, reason="return", rule="TA-SPEC-2")
    yield do(Return(squares=step.squares, count=step.count - 1))


def explain_return(book: Book, state: HiveState, step: Return, action: object) -> Refusal | None:
    """Say why that Scout does not return there."""
    if not isinstance(action, ReturnScout):
        return None
    if action.model not in state.lost:
        return Refusal("TA-SPEC-1", f"{action.model} is no lost Scout")
    if action.at not in step.squares:
        return Refusal("TA-SPEC-2", f"{book.names.spot(state, action.at)} was not under the template")
    return Refusal("TA-SPEC-2", f"{book.names.spot(state, action.at)} is not empty")
