"""What infestation cards do: one small function for each primitive of their vocabulary, found by its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..rules import Decision, Script, do
from . import effects as e
from .actions import Pick
from .book import Book
from .events_advanced import PrimeHealed
from .events_cards import (
    ActionsReduced,
    CounterMoved,
    MarineStruck,
    MoreInfestation,
    ResilienceRaised,
)
from .field import Field
from .reinforcements import place, reinforce
from .state import LevelState, bag_size
from .steps import Ambushed, Carry, Place, PlaceAtRolls, Strikes, Tie, Wound

Run = Callable[[Book, LevelState, Any, Carry], Script]
FAR = 10_000


def place_entries(book: Book, state: LevelState, effect: e.PlaceEntries, step: Carry) -> Script:
    """A reinforcement at each xenos entry named."""
    ground = book.ground(state)
    squares = tuple(ground.names[ground.hulk.xenos[number - 1]] for number in effect.entries)
    yield do(Place(squares=squares, cause=step.source, kind=effect.kind))


def place_rolled(book: Book, state: LevelState, effect: e.PlaceRolled, step: Carry) -> Script:
    """Reinforcements at xenos entries rolled for."""
    yield do(PlaceAtRolls(count=effect.count, cause=step.source, kind=effect.kind))


def place_empty_entries(book: Book, state: LevelState, effect: e.PlaceEmptyEntries, step: Carry) -> Script:
    """Counters on empty xenos entries, in their order."""
    field, placed = book.field(state), 0
    for square in field.ground.hulk.xenos:
        if placed == effect.max or not bag_size(state):
            return
        if square >= 0 and field.empty(square):
            yield from place(book, state, field.names[square], "bag", step.source)
            placed += 1


def place_objective(book: Book, state: LevelState, effect: e.PlaceObjective, step: Carry) -> Script:
    """A reinforcement at the objective square (SMA-REIN-8)."""
    yield from reinforce(book, state, state.objective, "bag", step.source)


def claws(book: Book, state: LevelState, effect: e.Claws, step: Carry) -> Script:
    """Each Marine adjacent to a Tyranid of these kinds rolls."""
    field = book.field(state)
    struck = tuple(code for code in state.squad if _beside(field, state, code, effect.kinds))
    if struck:
        yield do(Strikes(marines=struck, wound_on=effect.wound_on, way="claws", cause=step.source))


def spines(book: Book, state: LevelState, effect: e.Spines, step: Carry) -> Script:
    """Each Marine seen by a Tyranid of these kinds within range rolls."""
    field = book.field(state)
    struck = []
    for code in state.squad:
        square = state.marines[code].square
        if square:
            seen = field.seen(field.index[square], effect.range)
            if any(field.tyranids[there].kind in effect.kinds for there, _ in seen):
                struck.append(code)
    if struck:
        yield do(Strikes(marines=tuple(struck), wound_on=effect.wound_on, way="spines", cause=step.source))


def charge(book: Book, state: LevelState, effect: e.Charge, step: Carry) -> Script:
    """Creatures run along a clear straight line to the nearest Marine."""
    field = book.field(state)
    marines, tyranids, neighbours = field.marines, dict(field.tyranids), field.ground.neighbours
    near = {square for marine in marines for square in neighbours[marine]}
    steps, names = field.ground.grid.steps, field.names
    for start in sorted(tyranids):
        creature = tyranids[start]
        if start in near or creature.kind not in effect.kinds:
            continue
        best, goal = FAR, -1
        for direction in range(4):
            here, far = start, 0
            while (there := steps[here][direction]) >= 0 and there not in tyranids:
                if there in marines:
                    if far < best:
                        best, goal = far, here
                    break
                here, far = there, far + 1
        if best <= effect.range:
            yield CounterMoved(
                creature.counter, creature.kind, names[start], names[goal], step.source, rule="SMA-INF-1"
            )
            tyranids[goal] = tyranids.pop(start)


def harden(book: Book, state: LevelState, effect: e.Harden, step: Carry) -> Script:
    """Resilience rises until the round ends."""
    yield ResilienceRaised(tuple(effect.kinds), effect.plus, rule="SMA-INF-1")


def more_infestation(book: Book, state: LevelState, effect: e.ExtraInfestation, step: Carry) -> Script:
    """Further cards are turned over when this one is done."""
    yield MoreInfestation(effect.count, rule="SMA-INF-1")


def prime_heal(book: Book, state: LevelState, effect: e.PrimeHeal, step: Carry) -> Script:
    """Damage counters are taken off the Prime."""
    healed = min(effect.count, state.damage)
    if healed:
        yield PrimeHealed(state.damage - healed, rule="SMA-INF-1")


def lull(book: Book, state: LevelState, effect: e.Lull, step: Carry) -> Script:
    """Nothing happens."""
    yield from ()


def branch(book: Book, state: LevelState, effect: e.Branch, step: Carry) -> Script:
    """Carry on with one list or the other."""
    if effect.if_bag_empty:
        holds = step.bag_empty
    elif effect.if_kind_on_board is not None:
        holds = any(creature.kind == effect.if_kind_on_board for creature in state.tyranids.values())
    else:
        holds = state.damage > 0
    if effect.then if holds else effect.otherwise:
        path = (*step.path, 0 if holds else 1, 0)
        yield do(Carry(source=step.source, path=path, bag_empty=step.bag_empty))


# Effects on Marines that are picked out by where they stand


def group(book: Book, state: LevelState, who: str) -> list[str]:
    """Return the Marines an effect means, in roster order; several of a `who` that means one are tied."""
    field = book.field(state)
    here = {code: field.index[m.square] for code in state.squad if (m := state.marines[code]).square}
    if who == "each" or len(here) < 2:
        return list(here)
    grid = field.ground.grid

    def far(one: int, other: int) -> int:
        walk = grid.walk(one, other) if other >= 0 else -1
        return FAR if walk < 0 else walk

    if who == "isolated":
        ranks = {
            code: min(far(square, other) for mate, other in here.items() if mate != code)
            for code, square in here.items()
        }
    else:
        goal = field.index.get(state.objective, -1)
        ranks = {code: far(square, goal) for code, square in here.items()}
    best = min(ranks.values()) if who == "foremost" else max(ranks.values())
    return [code for code, rank in ranks.items() if rank == best]


def on_group(book: Book, state: LevelState, effect: Any, step: Carry) -> Script:
    """Carry out an effect on the Marines it means; the team breaks a tie (SMA-INF-2)."""
    if isinstance(effect, e.Ambush) and not bag_size(state):
        return
    marines = tuple(group(book, state, effect.who))
    if len(marines) > 1 and effect.who != "each":
        yield do(Tie(source=step.source, path=step.path, marines=marines))
    elif marines:
        yield from ON_MARINES[type(effect)](book, state, effect, step.source, marines)


def ambush(book: Book, state: LevelState, effect: e.Ambush, source: str, marines: tuple[str, ...]) -> Script:
    """Creatures appear beside these Marines."""
    yield do(Ambushed(marines=marines, count=effect.count, each=effect.count, cause=source, kind=effect.kind))


def spores(book: Book, state: LevelState, effect: e.Spores, source: str, marines: tuple[str, ...]) -> Script:
    """These Marines have fewer actions in their next turn."""
    for code in marines:
        yield ActionsReduced(code, effect.minus, rule="SMA-INF-1")


def ask_tie(book: Book, state: LevelState, step: Tie) -> Decision:
    """Ask which of the tied Marines is meant."""
    return Decision("team", [Pick(code) for code in step.marines], "Which Marine is meant?")


def resolve_tie(book: Book, state: LevelState, step: Tie, action: Pick) -> Script:
    """Carry out the effect on the Marine picked."""
    effect = effect_at(book.effects(state, step.source), step.path)
    yield from ON_MARINES[type(effect)](book, state, effect, step.source, (action.choice,))


def ask_ambushed(book: Book, state: LevelState, step: Ambushed) -> Decision | None:
    """Ask on which square beside the first Marine the creature appears; nothing to ask without one, or a counter."""
    square = state.marines[step.marines[0]].square
    if not square or not bag_size(state):
        return None
    field = book.field(state)
    squares = field.empty_beside(field.index[square])
    if not squares:
        return None
    name = book.names.marine(step.marines[0])
    return Decision("team", [field.ground.picks[s] for s in squares], f"Where beside {name} does it appear?")


def resolve_ambushed(book: Book, state: LevelState, step: Ambushed, action: Pick) -> Script:
    """Place the creature on the square picked."""
    yield from _ambush_on(step)
    yield from place(book, state, action.choice, step.kind, step.cause)


def run_ambushed(book: Book, state: LevelState, step: Ambushed) -> Script:
    """With no empty square beside him the Marine is wounded, once a card, but never on an entry tile."""
    yield from _ambush_on(step)
    code = step.marines[0]
    square = state.marines[code].square
    if not square or not bag_size(state) or square[0] == "V" or code in state.ambushed:
        return
    yield MarineStruck(code, square, "ambush", step.cause, rule="SMA-INF-1")
    yield do(Wound(marine=code, cause=step.cause))


def _ambush_on(step: Ambushed) -> Script:
    if step.count > 1:
        yield do(_ambushed(step, step.marines, step.count - 1))
    elif len(step.marines) > 1:
        yield do(_ambushed(step, step.marines[1:], step.each))


def _ambushed(step: Ambushed, marines: tuple[str, ...], count: int) -> Ambushed:
    return Ambushed(marines=marines, count=count, each=step.each, cause=step.cause, kind=step.kind)


def _beside(field: Field, state: LevelState, code: str, kinds: Sequence[str]) -> bool:
    square = state.marines[code].square
    if not square:
        return False
    tyranids = field.tyranids
    return any(
        there in tyranids and tyranids[there].kind in kinds for there in field.ground.neighbours[field.index[square]]
    )


def effect_at(effects: Sequence[Any], path: tuple[int, ...]) -> Any:
    """Return the effect that a path leads to."""
    return list_at(effects, path)[path[-1]]


def list_at(effects: Sequence[Any], path: tuple[int, ...]) -> Sequence[Any]:
    """Return the list that holds the effect a path leads to."""
    for number, side in zip(path[:-1:2], path[1::2], strict=True):
        found = effects[number]
        effects = found.otherwise if side else found.then
    return effects


EFFECTS: Mapping[type, Run] = {
    e.PlaceEntries: place_entries,
    e.PlaceRolled: place_rolled,
    e.PlaceEmptyEntries: place_empty_entries,
    e.PlaceObjective: place_objective,
    e.Ambush: on_group,
    e.Claws: claws,
    e.Spines: spines,
    e.Charge: charge,
    e.Spores: on_group,
    e.Harden: harden,
    e.Branch: branch,
    e.PrimeHeal: prime_heal,
    e.ExtraInfestation: more_infestation,
    e.Lull: lull,
}
ON_MARINES: Mapping[type, Callable[[Book, LevelState, Any, str, tuple[str, ...]], Script]] = {
    e.Ambush: ambush,
    e.Spores: spores,
}
