"""Life points, death, and what a model leaves behind."""

from __future__ import annotations

from ..rules import Decision, Refusal, Script, do
from . import endings, objectives
from .actions import DropWeapon
from .book import BLOB, BLOBS, DREADNOUGHT, LOST, POOL, SPENT, Book
from .events_model import ArtifactDropped, LifeLost, ModelKilled, WeaponDropped
from .events_ship import TemplateDestroyed
from .state import TYRANID, HiveState
from .steps import Drop


def home(book: Book, name: str) -> str:
    """Return where a model goes that leaves the board (TA-RECYC-1, TA-SLAVE-2, TA-SPEC-1, TA-BLOB-8)."""
    profile = book.profiles[book.kind(name)]
    if profile.id == BLOB:
        return BLOBS
    if profile.side == "marine":
        return LOST if profile.group == "scout" else SPENT
    return POOL if profile.group == "standard" else SPENT


def hurt(book: Book, state: HiveState, name: str, cause: str, rule: str) -> Script:
    """Take a life point of a model; at none it dies (TA-LIFE-1, TA-DREAD-6)."""
    model = state.models[name]
    if model.life <= 1:
        yield from kill(book, state, name, cause, rule)
        return
    yield LifeLost(name, model.life - 1, cause, rule=rule)
    if model.kind == DREADNOUGHT and model.arms:
        if len(model.arms) > 1:
            yield do(Drop(model=name))
        else:
            (mount,) = model.arms
            yield WeaponDropped(name, mount, model.arms[mount], rule="TA-DREAD-6")


def slay(book: Book, state: HiveState, name: str, cause: str, rule: str) -> Script:
    """Kill a model outright, whatever its life points (TA-WEAP-13, option `kill_means`)."""
    if state.options.kill_means == "one_life":
        yield from hurt(book, state, name, cause, rule)
    else:
        yield from kill(book, state, name, cause, rule)


def kill(book: Book, state: HiveState, name: str, cause: str, rule: str) -> Script:
    """Remove a dead model; its artifacts stay on its square (TA-LIFE-1, TA-ART-6)."""
    model = state.models[name]
    yield ModelKilled(name, model.at, cause, home(book, name), rule=rule)
    for number in model.artifacts:
        yield ArtifactDropped(number, name, model.at, rule="TA-ART-6")


def wreck(book: Book, state: HiveState, objective: str, by: str, rule: str) -> Script:
    """Destroy a template, and do what follows (TA-OBJ-11, TA-WIN-1)."""
    squares = state.templates[objective]
    yield TemplateDestroyed(objective, by, len(state.destroyed) + 1, rule=rule)
    yield from endings.check_templates(book, state)
    yield from objectives.after(book, state, objective, squares)


# A hurt Dreadnought


def ask_drop(book: Book, state: HiveState, step: Drop) -> Decision | None:
    """Ask which heavy weapon goes (TA-DREAD-6)."""
    model = state.models.get(step.model)
    if model is None or not model.arms:
        return None
    return Decision(TYRANID, tuple(map(DropWeapon, sorted(model.arms))), f"Which weapon does {step.model} lose?")


def resolve_drop(book: Book, state: HiveState, step: Drop, action: DropWeapon) -> Script:
    """Lose it (TA-DREAD-6)."""
    yield WeaponDropped(step.model, action.mount, state.models[step.model].arms[action.mount], rule="TA-DREAD-6")


def explain_drop(book: Book, state: HiveState, step: Drop, action: object) -> Refusal | None:
    """Say why that weapon cannot be dropped."""
    return Refusal("TA-DREAD-6", f"{step.model} has no weapon there") if isinstance(action, DropWeapon) else None
