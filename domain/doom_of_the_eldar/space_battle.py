"""Deep Space combat: rounds of fire and return fire, the mine, and the retreat."""

from __future__ import annotations

from ..choices import Choices
from ..rules import Decision, Refusal, Script, do
from .actions import STAY, RetreatTo, Stay
from .battles import burst, cast, fighting, window
from .book import Book
from .events_battle import FireRead, RoundBegan, TotalsSet, UnitRetreated
from .losses import fighters, lose_token
from .state import ELDAR, TYRANID, DoomState, other
from .steps import Fire, Hits, Lose, Retreat, Scatter, SpaceRound
from .values import fleet, reroll_holder, swarms


def run_round(book: Book, state: DoomState, step: SpaceRound) -> Script:
    """Begin a round; a hidden mine detonates if its standing order says so (DOE-SPACE-6, DOE-MINE-1)."""
    area = fighting(state).area
    yield RoundBegan(fighting(state).round + 1, reroll_holder(book, state, area), rule="DOE-SPACE-6")
    order = state.standing_order() or 0
    mines = [
        token for token in fighters(book, state, area) if "space" in book.mines.get(state.counter(token) or "", ())
    ]
    yield do(Fire(side=ELDAR))
    if mines and 0 < order <= len(state.eldar.get(area, ())):
        yield from burst(book, state, mines[0], "DOE-MINE-1")


def run_fire(book: Book, state: DoomState, step: Fire) -> Script:
    """Fire, unless a side is gone: the Eldar first, then what is left of the Swarms (DOE-SPACE-1, DOE-SPACE-3)."""
    battle = fighting(state)
    area = battle.area
    if not state.eldar.get(area) or not fighters(book, state, area):
        return
    holder = reroll_holder(book, state, area)
    if holder != battle.holder:
        yield RoundBegan(battle.round, holder, rule="DOE-REROLL-1")
    total = (fleet if step.side == ELDAR else swarms)(book, state, area)
    column = book.fire_name(book.fire_column(total))
    yield TotalsSet(step.side, total, column, rule="DOE-SPACE-8" if total else "DOE-SPACE-10")
    yield from cast(state, step.side, "fire", "DOE-SPACE-1" if step.side == ELDAR else "DOE-SPACE-3")
    yield do(*window(state), Hits(side=step.side))


def run_hits(book: Book, state: DoomState, step: Hits) -> Script:
    """Destroy what was hit: Swarms from the top of the stack, Eldar by choice (DOE-SPACE-2, DOE-LOSS-1, -2)."""
    battle = fighting(state)
    destroyed = book.fire(battle.total, battle.roll)
    yield FireRead(step.side, destroyed, rule="DOE-SPACE-2")
    if step.side == TYRANID:
        yield do(Lose(side=ELDAR, count=destroyed), Retreat())
        return
    for token in fighters(book, state, battle.area)[: -destroyed - 1 : -1]:
        yield from lose_token(state, token, "DOE-LOSS-2")
    yield do(Fire(side=other(step.side)))


# The retreat


def refuges(book: Book, state: DoomState, area: str) -> tuple[str, ...]:
    """Return the areas that the Eldar may break off to (DOE-SPACE-5)."""
    return tuple(next for next in book.near_space[area] if next not in state.stacks)


def ask_retreat(book: Book, state: DoomState, step: Retreat) -> Decision | None:
    """Ask whether the Eldar, and they alone, break off after a round (DOE-SPACE-4, -7), where they can."""
    area = fighting(state).area
    units, ways = state.eldar.get(area, []), refuges(book, state, area)
    if not units or not ways:
        return None
    first = units[0] if state.options.retreat_together == "each_chooses" else ""
    retreats = tuple(RetreatTo(way, first) for way in ways)
    return Decision(ELDAR, Choices((STAY,), retreats), "Another round, or break off?")


def resolve_retreat(book: Book, state: DoomState, step: Retreat, action: RetreatTo | Stay) -> Script:
    """Break off, all to one area (DOE-SPACE-11) or each to its own, or fight on (DOE-SPACE-6)."""
    if isinstance(action, Stay):
        yield do(SpaceRound())
        return
    area = fighting(state).area
    units = tuple(state.eldar[area])
    leaving = (action.unit,) if action.unit else units
    yield UnitRetreated(leaving, area, action.area, rule="DOE-SPACE-4" if action.unit else "DOE-SPACE-11")
    left = units[len(leaving) :]
    if left:
        yield do(Scatter(units=left))


def run_retreat(book: Book, state: DoomState, step: Retreat) -> Script:
    """Fight on where there is no way out (DOE-SPACE-5, DOE-SPACE-6)."""
    if state.eldar.get(fighting(state).area):
        yield do(SpaceRound())


def ask_scatter(book: Book, state: DoomState, step: Scatter) -> Decision:
    """Ask where the next unit goes (option `retreat_together`)."""
    unit = step.units[0]
    ways = refuges(book, state, fighting(state).area)
    return Decision(ELDAR, tuple(RetreatTo(way, unit) for way in ways), f"Where does {book.names.unit(unit)} go?")


def resolve_scatter(book: Book, state: DoomState, step: Scatter, action: RetreatTo) -> Script:
    """Let it go there, and ask for the next: none stays behind (DOE-SPACE-4)."""
    yield UnitRetreated((action.unit,), fighting(state).area, action.area, rule="DOE-SPACE-4")
    if len(step.units) > 1:
        yield do(Scatter(units=step.units[1:]))


def explain_retreat(book: Book, state: DoomState, step: Retreat | Scatter, action: object) -> Refusal | None:
    """Say why the Eldar may not break off so."""
    if isinstance(action, Stay):
        return Refusal("DOE-SPACE-4", "all Eldar counters there break off, or none")
    if not isinstance(action, RetreatTo):
        return None
    area = fighting(state).area
    if action.area not in book.adjacent:
        return Refusal("DOE-MAP-1", f"there is no area {action.area}")
    if action.area not in book.adjacent[area]:
        return Refusal("DOE-SPACE-4", f"{action.area} is not adjacent to {area}")
    if action.area not in book.deep:
        return Refusal("DOE-SPACE-5", f"{action.area} is an area of the Craftworld")
    if action.area in state.stacks:
        return Refusal("DOE-SPACE-5", f"{action.area} holds Tyranids")
    if state.options.retreat_together == "one_area":
        return Refusal("DOE-SPACE-11", "all counters break off to one area together")
    return Refusal("DOE-SPACE-4", "each counter there names its area, in order")
