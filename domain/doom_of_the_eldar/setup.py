"""The set-up: the Eldar place their counters, then the lid is filled."""

from __future__ import annotations

from ..choices import Choices, Keyed
from ..events import BagFilled
from ..rules import Decision, Refusal, Script, do
from .actions import END, QUICKSTART, End, QuickStart, SetUnit
from .book import Book
from .catalogue import Unit
from .events_turn import SetupFinished, UnitPlaced, UnitsBoxed, UnitsPlaced
from .state import ASIDE, ELDAR, LID, WARP_GATE, DoomState
from .steps import FinishSetUp, SetUp, Turn

_RULES = {WARP_GATE: "DOE-SETUP-2", ASIDE: "DOE-SETUP-4", "": "DOE-SETUP-5"}
_NOWHERE: frozenset[str] = frozenset()
_PLACES = {"ground": "DOE-SETUP-7", "ship": "DOE-SETUP-6", "special": "DOE-SETUP-7"}


def start(book: Book, state: DoomState) -> Script:
    """Sort the Eldar counters, and let the Eldar set up (DOE-SETUP-1 to DOE-SETUP-5)."""
    for box, rule in _RULES.items():
        units = tuple(unit.id for unit in book.units.values() if book.start(unit, state.options) == box)
        yield UnitsBoxed(units, box, rule=rule)
    if state.options.setup == "quickstart":
        yield from _quickstart(book, state)
        yield do(FinishSetUp(), Turn(number=1))
    else:
        yield do(SetUp(), FinishSetUp(), Turn(number=1))


def run_finish(book: Book, state: DoomState, step: FinishSetUp) -> Script:
    """Fortify the Craftworld and fill the lid (DOE-SETUP-10 to DOE-SETUP-13, DOE-LIST-2); set the order (DOE-MINE-1)."""
    lid = book.lid(state.options)
    yield BagFilled(LID, lid, rule="DOE-SETUP-13")
    yield SetupFinished(book.craftworld, len(lid), book.first_order, rule="DOE-SETUP-10")


def _quickstart(book: Book, state: DoomState) -> Script:
    found: dict[str, list[str]] = {}
    for unit, area in book.quickstart(state.options).items():
        if state.units[unit] != area:
            found.setdefault(area, []).append(unit)
    for area in book.areas:
        if area in found:
            yield UnitsPlaced(tuple(found[area]), area, rule="DOE-SETUP-5")


def required(book: Book, state: DoomState) -> list[Unit]:
    """Return the units that must be set up on the map (DOE-SETUP-5)."""
    return book.required(state.options)


def grounds(book: Book, unit: Unit) -> tuple[str, ...]:
    """Return the areas that a unit may be set up in (DOE-SETUP-6, -7, -8, -14)."""
    return {"craftworld": book.craftworld, "space": book.space, "anywhere": book.areas}[unit.domain]


def full(book: Book, state: DoomState, unit: Unit, area: str) -> bool:
    """Say whether one more unit that counts would be too many for an area (DOE-SETUP-9)."""
    return unit.counts and area not in book.deep and _counting(book, state, area) >= book.limit


def _counting(book: Book, state: DoomState, area: str) -> int:
    there = state.eldar.get(area, ())
    return len(there) - len(book.exempt.intersection(there))


def ask_setup(book: Book, state: DoomState, step: SetUp) -> Decision:
    """Ask where the next counter goes; anything may be moved again until the end (DOE-SETUP-5 to -9)."""
    needed = required(book, state)
    units, kept = state.units, book.kept_sets
    crowded = frozenset(area for area in book.craftworld if _counting(book, state, area) >= book.limit)
    sets: dict[str, tuple[SetUnit, ...]] = {}
    for unit in needed:
        key = (unit.id, units[unit.id], crowded if unit.counts else _NOWHERE)
        found = kept.get(key)
        if found is None:
            if len(kept) > 50_000:
                kept.clear()
            areas = (area for area in grounds(book, unit) if area != key[1] and area not in key[2])
            found = kept[key] = tuple(SetUnit(unit.id, area) for area in areas)
        sets[unit.id] = found
    words: list[SetUnit | QuickStart | End] = []
    if not book.quickstart(state.options).items() <= units.items():
        words.append(QUICKSTART)
    left = list(units.values()).count("")
    if not left:
        words.append(END)
    prompt = f"Where are the Eldar set up? {left} to place." if left else "The Eldar are set up: change, or end."
    return Decision(ELDAR, Choices(words, Keyed(sets, _unit_of)), prompt)


def _unit_of(action: object) -> str | None:
    return action.unit if isinstance(action, SetUnit) else None


def resolve_setup(book: Book, state: DoomState, step: SetUp, action: SetUnit | QuickStart | End) -> Script:
    """Place a counter, or all; the end leaves the set-up as it is."""
    if isinstance(action, SetUnit):
        rule = "DOE-SETUP-8" if book.units[action.unit].domain == "anywhere" else _PLACES[book.units[action.unit].group]
        yield UnitPlaced(action.unit, action.area, rule=rule)
    elif isinstance(action, QuickStart):
        yield from _quickstart(book, state)
    else:
        return
    yield do(SetUp())


def explain_setup(book: Book, state: DoomState, step: SetUp, action: object) -> Refusal | None:
    """Say why something cannot be set up so."""
    if isinstance(action, End):
        left = [unit.id for unit in required(book, state) if not state.units[unit.id]]
        return Refusal("DOE-SETUP-5", f"still to be placed: {', '.join(left)}") if left else None
    if isinstance(action, QuickStart):
        return Refusal("DOE-SETUP-5", "everything stands so already")
    if not isinstance(action, SetUnit):
        return None
    unit = book.units.get(action.unit)
    if unit is None:
        return Refusal("DOE-SETUP-5", f"there is no Eldar counter {action.unit}")
    box = book.start(unit, state.options)
    if box:
        why = "starts on the Warp Gate template" if box == WARP_GATE else "starts aside"
        return Refusal(_RULES[box], f"{unit.id} {why}")
    if action.area not in book.areas:
        return Refusal("DOE-MAP-1", f"there is no area {action.area}")
    if action.area not in grounds(book, unit):
        place = "in space" if unit.domain == "space" else "on the Craftworld"
        return Refusal(_PLACES[unit.group], f"{unit.id} is set up {place}")
    if state.units[unit.id] == action.area:
        return Refusal("DOE-SETUP-5", f"{unit.id} stands there already")
    if full(book, state, unit, action.area):
        return Refusal("DOE-SETUP-9", f"{book.names.area(action.area)} holds {book.limit} counters already")
    return None
