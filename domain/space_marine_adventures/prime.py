"""The Tyranid Prime: what shields it, damage to it, and what that calls up (SMA-PRIME-1 to SMA-PRIME-8)."""

from __future__ import annotations

from ..rules import Refusal, Script, do
from ..words import listed
from .advanced import after, destroyed_at
from .book import Book
from .endings import end
from .events_advanced import PrimeDamaged, PrimeDestroyed
from .field import Field
from .setup import DAMAGE
from .state import LevelState
from .steps import Carry


def explain_shield(book: Book, state: LevelState, field: Field, here: int, square: str) -> Refusal | None:
    """Return why the Prime on a square cannot be harmed from `here`, None when it can or something else is there."""
    if field.prime < 0 or field.index.get(square, -1) != field.prime:
        return None
    rule = book.shield(state, field, here)
    if rule == "SMA-PRIME-4":
        most = book.mission(state).prime.max_distance
        return Refusal(rule, f"the Prime cannot be harmed from more than {most} squares away")
    if rule:
        guards = [other for other in field.ground.neighbours[field.prime] if other in field.tyranids]
        where = listed(field.names[other] for other in guards)
        return Refusal(rule, f"the Prime cannot be harmed while another Tyranid is adjacent to it, as on {where}")
    return None


def damage(book: Book, state: LevelState, code: str, square: str) -> Script:
    """Put a damage counter on the Prime, or destroy it; then its brood closes in (SMA-PRIME-2, -3, -6)."""
    count, needed = state.damage + 1, destroyed_at(book, state)
    if count >= needed:
        usual = needed == book.mission(state).prime.destroyed_at
        yield PrimeDestroyed(square, code, rule="SMA-PRIME-3" if usual else "SMA-ADV-11")
        yield from end(book, state, "prime_destroyed")
        return
    yield PrimeDamaged(count, code, rule="SMA-PRIME-2")
    yield from after(book, state, "PrimeDamaged")
    if book.mission(state).prime.on_damage:
        yield do(Carry(source=DAMAGE))
