"""What an event of this game tells for counting, and how a position stands in numbers.

- The sort of an Eldar unit is its kind (`wraithship`); of a Tyranid token the kind of its counter, as far as the holder of
  the state knows it, else `swarm`. The holder of all secrets knows it always, a seat what it has seen.
- A fight is a battle, told when it is over: `who` is the seat whose Combat phase it is, as an army (its sort is the seat's id
  too), the `target` the other army, `by` the kind of battle (`space`, `craftworld`); it came off if the attacker alone is
  left in the area, Eldar who break off included.
- A loss is a counter that leaves the map, however often it comes back: by the enemy (the seat's id), by a special action
  (`barrage`), by itself (a mine), or by a rule (`stacking`, `alone`). A lost fortification is one of the sort `fortification`,
  its `who` the area.
- A move begins or ends at nothing where a counter comes from or goes to a box or the lid without being lost: `by` says why
  (`setup`, `assault`, `conversion`, `yriel`, `retreat`, a special action).
- A use is a special action, whether its die succeeded or not, a conversion, a mine that bursts, or Yriel's coming. What
  order the mine has is not among them: it is given every turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..events import Event
from ..happenings import Happening
from . import events_battle as battle
from . import events_special as special
from . import events_turn as turn
from .book import Book
from .endings import points
from .state import (
    DESTROYED_GROUND,
    DESTROYED_SPACECRAFT,
    ELDAR,
    OUT,
    TYRANID,
    DoomState,
    lid_size,
    other,
)

SWARM, FORTIFICATION = "swarm", "fortification"

Tell = Callable[[Book, DoomState, Any], Sequence[Happening]]


def happenings(book: Book, state: DoomState, event: Event) -> Sequence[Happening]:
    """Return what an event tells of moves, fights, losses and uses, given the state (or view) just before it."""
    tell = TALLY.get(type(event))
    return tell(book, state, event) if tell is not None else ()


def sort(book: Book, state: DoomState, id: str) -> str:
    """Return what sort of thing a unit or token is, as far as the holder of the state knows it."""
    unit = book.units.get(id)
    if unit is not None:
        return unit.kind
    counter = book.counters.get(state.counter(id) or "")
    return counter.kind if counter is not None else SWARM


def _owner(state: DoomState, id: str) -> str:
    return ELDAR if id in state.units else TYRANID


def _area(book: Book, place: str | None) -> str:
    """The area that a place is; a box is none."""
    return place if place is not None and place in book.adjacent else ""


# Moves


def _moves(book: Book, state: DoomState, ids: Iterable[str], to: str, by: str) -> list[Happening]:
    found = []
    for id in ids:
        origin = _area(book, state.units.get(id, state.swarms.get(id)))
        if origin or to:
            found.append(Happening("move", id, sort(book, state, id), _owner(state, id), origin, to, by))
    return found


def _set_up(book: Book, state: DoomState, event: turn.UnitPlaced) -> Sequence[Happening]:
    return _moves(book, state, (event.unit,), event.area, "setup")


def _all_set_up(book: Book, state: DoomState, event: turn.UnitsPlaced) -> Sequence[Happening]:
    return _moves(book, state, event.units, event.area, "setup")


def _arrived(book: Book, state: DoomState, event: turn.SwarmArrived) -> Sequence[Happening]:
    return _moves(book, state, (event.token,), event.area, "assault")


def _moved(book: Book, state: DoomState, event: turn.CounterMoved) -> Sequence[Happening]:
    return _moves(book, state, (event.id,), event.to, "")


def _retreated(book: Book, state: DoomState, event: battle.UnitRetreated) -> Sequence[Happening]:
    return _moves(book, state, event.units, event.to, "retreat")


def _returned(book: Book, state: DoomState, event: special.UnitReturned) -> Sequence[Happening]:
    action = book.actions.get(state.used[-1]) if state.used else None
    return _moves(book, state, (event.unit,), event.area, action.id if action is not None else "")


def _converted(book: Book, state: DoomState, event: special.UnitConverted) -> Sequence[Happening]:
    use = Happening("use", event.unit, sort(book, state, event.unit), ELDAR, to=event.area, by="conversion")
    gone = _moves(book, state, (event.unit,), _area(book, event.to), "conversion")
    return [use, *gone, *_moves(book, state, (event.taken,), event.area, "conversion")]


def _yriel(book: Book, state: DoomState, event: special.YrielArrived) -> Sequence[Happening]:
    return [
        Happening("use", ELDAR, ELDAR, ELDAR, to=event.area, by="yriel"),
        *_moves(book, state, event.units, event.area, "yriel"),
    ]


# Fights and losses


def _fought(book: Book, state: DoomState, event: battle.BattleEnded) -> Sequence[Happening]:
    there = state.battle
    if there is None:
        return ()
    side, target = there.attacker, other(there.attacker)
    won = side == TYRANID if event.outcome == "retreat" else side == event.outcome
    return (Happening("fight", side, side, side, to=event.area, by=there.kind, success=won, target=target),)


def _loss(book: Book, state: DoomState, id: str, area: str, by: str) -> Happening:
    return Happening("loss", id, sort(book, state, id), _owner(state, id), to=area, by=by, final=True)


def _unit_lost(book: Book, state: DoomState, event: battle.UnitDestroyed) -> Sequence[Happening]:
    return (_loss(book, state, event.unit, event.area, TYRANID),)


def _token_lost(book: Book, state: DoomState, event: battle.TyranidDestroyed) -> Sequence[Happening]:
    return (_loss(book, state, event.token, event.area, ELDAR),)


def _barraged(book: Book, state: DoomState, event: special.SwarmBarraged) -> Sequence[Happening]:
    return (_loss(book, state, event.token, event.at, _action(book, event.area)),)


def _trimmed(book: Book, state: DoomState, event: turn.CounterTrimmed) -> Sequence[Happening]:
    return (_loss(book, state, event.id, event.area, "stacking"),)


def _alone(book: Book, state: DoomState, event: battle.HiveMindLost) -> Sequence[Happening]:
    return (_loss(book, state, event.token, event.area, "alone"),)


def _burst(book: Book, state: DoomState, event: battle.MineDetonated) -> Sequence[Happening]:
    kind = sort(book, state, event.token)
    return (
        Happening("use", event.token, kind, TYRANID, to=event.area, by=kind),
        _loss(book, state, event.token, event.area, kind),
    )


def _devastated(book: Book, state: DoomState, event: battle.AreaDevastated) -> Sequence[Happening]:
    return (Happening("loss", event.area, FORTIFICATION, ELDAR, to=event.area, by=TYRANID, final=True),)


# Uses


def _action(book: Book, area: str) -> str:
    action = book.actions.get(area)
    return action.id if action is not None else ""


def _used(book: Book, state: DoomState, event: special.SpecialActionUsed) -> Sequence[Happening]:
    return (Happening("use", ELDAR, ELDAR, ELDAR, to=event.area, by=event.action),)


TALLY: Mapping[type[Event], Tell] = {
    turn.UnitPlaced: _set_up,
    turn.UnitsPlaced: _all_set_up,
    turn.SwarmArrived: _arrived,
    turn.CounterMoved: _moved,
    turn.CounterTrimmed: _trimmed,
    battle.BattleEnded: _fought,
    battle.UnitDestroyed: _unit_lost,
    battle.TyranidDestroyed: _token_lost,
    battle.MineDetonated: _burst,
    battle.UnitRetreated: _retreated,
    battle.AreaDevastated: _devastated,
    battle.HiveMindLost: _alone,
    special.SpecialActionUsed: _used,
    special.SwarmBarraged: _barraged,
    special.UnitReturned: _returned,
    special.UnitConverted: _converted,
    special.YrielArrived: _yriel,
}
"""What each kind of event tells; the others tell nothing that is counted."""


def figures(book: Book, state: DoomState) -> dict[str, int]:
    """Return how a position stands: turn and track, both sides' counters on the map, areas and points; all of it public."""
    eldar, parts = points(book, state)
    groups = [book.units[unit].group for unit, place in state.units.items() if place in book.adjacent]
    places = [book.units[unit].group for unit, place in state.units.items() if place in LOST]
    aboard = [area for area in book.craftworld if area in state.stacks]
    up = sum(token in state.face for token in state.swarms)
    return {
        "turn": state.turn,
        "marker": state.marker,
        "assault": int(not state.over),
        "quiet_turns": state.quiet,
        "eldar_ships": groups.count("ship"),
        "eldar_ground": groups.count("ground"),
        "eldar_specials": groups.count("special"),
        "eldar_lost": len(places),
        "swarms": len(state.swarms) - up,
        "hordes": up,
        "lid": lid_size(state),
        "fortified": len(state.fortified),
        "devastated": len(state.devastated),
        "eldar_areas": sum(area in state.eldar and area not in state.stacks for area in book.craftworld),
        "tyranid_areas": sum(area not in state.eldar for area in aboard),
        "contested_areas": sum(area in state.eldar for area in aboard),
        "eldar_points": eldar,
        "tyranid_points": sum(parts.values()),
    }


LOST = (DESTROYED_SPACECRAFT, DESTROYED_GROUND, OUT)
"""The boxes of units that were destroyed."""
