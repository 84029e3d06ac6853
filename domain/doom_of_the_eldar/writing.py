"""Notation out: the shortest line for an action, and the action in words for a menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..secrets import Sealed, knows
from ..words import sentence
from . import actions as act
from . import steps
from .book import Book
from .effects import RevealTo
from .facts import agree, hits
from .losses import fighters
from .state import ELDAR, LID, TYRANID, DoomState, face_down


def piece(state: DoomState, id: str) -> str:
    """Return the name of a unit or a token in notation: a Horde goes by its counter, a Swarm by its token."""
    return state.face.get(id, id)


def place(state: DoomState, id: str) -> str:
    """Return where a unit or a token is: an area or a box, empty if it is nowhere."""
    return state.units.get(id) or state.swarms.get(id, "")


def write(state: DoomState, action: Any) -> str:
    """Return the shortest notation of an action; it names no counter that lies face down."""
    return WRITERS[type(action)](state, action)


def _retreat(state: DoomState, action: act.RetreatTo) -> str:
    return f"retreat {action.unit} {action.area}" if action.unit else f"retreat {action.area}"


WRITERS: Mapping[type, Callable[[DoomState, Any], str]] = {
    act.SetUnit: lambda state, action: f"set {action.area} {action.unit}",
    act.QuickStart: lambda state, action: "quickstart",
    act.End: lambda state, action: "end",
    act.GiveOrder: lambda state, action: f"mine {'?' if isinstance(action.order, Sealed) else action.order}",
    act.Move: lambda state, action: f"mv {piece(state, action.id)} {action.to}",
    act.ShowSwarm: lambda state, action: f"reveal {piece(state, action.token)}",
    act.Give: lambda state, action: f"trim {place(state, action.id)} {piece(state, action.id)}",
    act.Fight: lambda state, action: f"fight {action.area}",
    act.Detonate: lambda state, action: f"det {piece(state, action.token)}",
    act.Hold: lambda state, action: "hold",
    act.RollAgain: lambda state, action: "rr",
    act.Keep: lambda state, action: "keep",
    act.LoseCounter: lambda state, action: f"lose {piece(state, action.id)}",
    act.RetreatTo: _retreat,
    act.Stay: lambda state, action: "stay",
    act.Use: lambda state, action: f"use {action.area} {action.target}".rstrip(),
    act.HitSwarm: lambda state, action: f"hit {piece(state, action.token)}",
    act.PlaceUnit: lambda state, action: f"place {action.unit} {action.area}",
    act.Convert: lambda state, action: f"conv {action.unit} {action.taken} {action.area}",
}


def describe(book: Book, state: DoomState, action: Any) -> str:
    """Return an action in words, by what the seat that is asked may know (and the given state still says)."""
    return WORDS[type(action)](book, state, action)


def asked(state: DoomState) -> str:
    """Return the seat that is asked, empty when the game is over."""
    step = state.pending[-1] if state.pending else None
    if isinstance(step, steps.Order | steps.Mine):
        return TYRANID
    return str(getattr(step, "side", ELDAR)) if step is not None else ""


def named(book: Book, state: DoomState, id: str) -> str:
    """Return the name of a unit or a token; of a Swarm also what it is, if the seat that is asked knows that."""
    name = book.names.piece(state, id)
    if id in state.swarms and id not in state.face and knows(state.chance.bags[LID].out.get(id), asked(state)):
        counter = state.counter(id)
        return f"{name} ({book.names.counter(counter)})" if counter else name
    return name


def _at(book: Book, state: DoomState, id: str) -> str:
    where = place(state, id)
    return f" at {book.names.area(where)}" if where in book.adjacent else ""


def _end(book: Book, state: DoomState, action: act.End) -> str:
    step = state.pending[-1] if state.pending else None
    what = "set-up" if isinstance(step, steps.SetUp) else "movement"
    return f"End the {'special actions' if isinstance(step, steps.Special) else what}"


def _order(book: Book, state: DoomState, action: act.GiveOrder) -> str:
    if isinstance(action.order, Sealed):
        return "Give the Spore Mine its order"
    now = " (as now)" if action.order == state.standing_order() else ""
    if not action.order:
        return f"In space the Spore Mine never bursts{now}"
    many = "any Eldar are" if action.order == 1 else f"{action.order} or more Eldar counters are"
    return f"In space the Spore Mine bursts where {many}{now}"


def _move(book: Book, state: DoomState, action: act.Move) -> str:
    notes = []
    if action.id in state.units:
        battle = bool(fighters(book, state, action.to))
    else:
        if action.id not in state.face and action.to in book.adjacent and action.to not in book.deep:
            notes.append("lands")
        battle = action.to in state.eldar
    if battle:
        notes.append("battle")
    note = f" ({', '.join(notes)})" if notes else ""
    return f"{named(book, state, action.id)} to {book.names.area(action.to)}{note}"


def _fight(book: Book, state: DoomState, action: act.Fight) -> str:
    eldar, tyranid = len(state.eldar.get(action.area, ())), len(fighters(book, state, action.area))
    where = book.names.area(action.area)
    return f"Fight at {where}: {eldar} Eldar against {tyranid} Tyranid {'counter' if tyranid == 1 else 'counters'}"


def _die(state: DoomState) -> str:
    return f"the {state.battle.roll}" if state.battle is not None and state.battle.roll else "the die"


def _reading(book: Book, state: DoomState) -> str:
    """Return what the die on the table gives as it lies, after a colon (DOE-SPACE-2, DOE-CW-4)."""
    battle = state.battle
    if battle is None or not battle.roll:
        return ""
    if battle.kind == "space":
        return f": {hits(book.fire(battle.total, battle.roll))}"
    return f": {book.names.result(book.result(battle.column, battle.roll).code)}"


def _retreat_words(book: Book, state: DoomState, action: act.RetreatTo) -> str:
    who = book.names.unit(action.unit) if action.unit else "Break off"
    return f"{who} to {book.names.area(action.area)}"


def _use(book: Book, state: DoomState, action: act.Use) -> str:
    where, special = sentence(book.names.area(action.area)), book.actions.get(action.area)
    if special is None:
        return where
    what = book.names.action(special.id)
    if any(isinstance(effect, RevealTo) for effect in special.effect):
        count = sum(1 for _ in face_down(state, action.target))
        return f"{where}: {what} of {book.names.area(action.target)} ({count} {'Swarm' if count == 1 else 'Swarms'})"
    low, high = min(special.success, default=0), max(special.success, default=0)
    need = "" if not low else f" (needs {low})" if low == high else f" (needs {low} to {high})"
    return f"{where}: {what}{need}"


def _convert(book: Book, state: DoomState, action: act.Convert) -> str:
    names = book.names
    unit = names.unit(action.unit)
    stands = agree(unit, "stands", "stand")
    return f"{unit} {stands} down for {names.unit(action.taken)} at {names.area(action.area)}"


WORDS: Mapping[type, Callable[[Book, DoomState, Any], str]] = {
    act.SetUnit: lambda book, state, action: f"{book.names.unit(action.unit)} at {book.names.area(action.area)}",
    act.QuickStart: lambda book, state, action: "Set everything up as the quick start says",
    act.End: _end,
    act.GiveOrder: _order,
    act.Move: _move,
    act.ShowSwarm: lambda book, state, action: (
        f"Reveal {named(book, state, action.token)}{_at(book, state, action.token)}"
    ),
    act.Give: lambda book, state, action: f"Give up {named(book, state, action.id)}{_at(book, state, action.id)}",
    act.Fight: _fight,
    act.Detonate: lambda book, state, action: (
        f"Detonate {named(book, state, action.token)}: the Eldar lose a counter there"
    ),
    act.Hold: lambda book, state, action: "Do not detonate it",
    act.RollAgain: lambda book, state, action: f"Have {_die(state)} rolled again",
    act.Keep: lambda book, state, action: f"Let {_die(state)} stand{_reading(book, state)}",
    act.LoseCounter: lambda book, state, action: f"Lose {named(book, state, action.id)}",
    act.RetreatTo: _retreat_words,
    act.Stay: lambda book, state, action: "Fight another round",
    act.Use: _use,
    act.HitSwarm: lambda book, state, action: (
        f"Destroy {named(book, state, action.token)}{_at(book, state, action.token)}"
    ),
    act.PlaceUnit: lambda book, state, action: f"{book.names.unit(action.unit)} to {book.names.area(action.area)}",
    act.Convert: _convert,
}
