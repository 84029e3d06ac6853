"""Notation out: the shortest line for an action, and the action in words for a menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import actions as act
from . import effects as e
from .book import Book
from .console import bonus as console_bonus
from .moves import route
from .state import LevelState
from .steps import Ambushed, Free, Tie


def write(state: LevelState, action: Any) -> str:
    """Return the shortest notation of an action; in free actions it says so."""
    out = "free " if state.pending and type(state.pending[-1]) is Free else ""
    return WRITERS[type(action)](action, out)


WRITERS: Mapping[type, Callable[[Any, str], str]] = {
    act.LayBoard: lambda action, out: f"board {action.face}",
    act.Enter: lambda action, out: f"enter {action.label}",
    act.Advance: lambda action, out: f"adv {' '.join(action.cards) or 'none'}",
    act.Dare: lambda action, out: f"challenge {'random' if action.random else ' '.join(action.challenges) or 'none'}",
    act.Call: lambda action, out: f"call {action.marine} {action.square}",
    act.NoCall: lambda action, out: "nocall",
    act.Squad: lambda action, out: f"squad {' '.join(action.marines)}",
    act.Deploy: lambda action, out: f"deploy {action.marine}={action.square}",
    act.Equip: lambda action, out: f"equip {action.marine}={action.card}",
    act.Next: lambda action, out: "next",
    act.Move: lambda action, out: f"{out}mv {action.to}",
    act.Attack: lambda action, out: f"{out}at {action.square}",
    act.TryConsole: lambda action, out: "con",
    act.Command: lambda action, out: f"cmd {action.marine}",
    act.ThrowGrenade: lambda action, out: f"gr {action.square}",
    act.Play: lambda action, out: " ".join(("sp", action.card, *action.args)),
    act.End: lambda action, out: "end",
    act.Pass: lambda action, out: "pass",
    act.React: lambda action, out: f"react {action.card}",
    act.Pick: lambda action, out: f"pick {action.choice}",
    act.Order: lambda action, out: f"order {' '.join(map(str, action.numbers))}",
}


def describe(book: Book, state: LevelState, action: Any) -> str:
    """Return an action in words: what it does, to whom, and what the die needs."""
    return WORDS[type(action)](book, state, action)


def _board(book: Book, state: LevelState, action: act.LayBoard) -> str:
    return f"Play on {book.names.face(action.face)}"


def _advance(book: Book, state: LevelState, action: act.Advance) -> str:
    return f"Add {book.names.cards(action.cards)}" if action.cards else "Add no skull card"


def _dare(book: Book, state: LevelState, action: act.Dare) -> str:
    if action.random:
        return "Draw a challenge at random"
    return f"Play with {book.names.cards(action.challenges)}" if action.challenges else "Play without a challenge"


def _call(book: Book, state: LevelState, action: act.Call) -> str:
    return f"Send for {book.names.marine(action.marine)}, to stand on {action.square}"


def _squad(book: Book, state: LevelState, action: act.Squad) -> str:
    left = [code for code in book.roster if code not in action.marines]
    return f"{book.names.marines(action.marines)} go; {book.names.marines(tuple(left))} stays"


def _deploy(book: Book, state: LevelState, action: act.Deploy) -> str:
    return f"{book.names.marine(action.marine)} stands on {action.square}"


def _equip(book: Book, state: LevelState, action: act.Equip) -> str:
    card = book.catalogue.specials[action.card]
    return f"{book.names.marine(action.marine)} takes {card.name}: {card.text}"


def _move(book: Book, state: LevelState, action: act.Move) -> str:
    code = state.pending[-1].marine if state.pending and hasattr(state.pending[-1], "marine") else ""
    if code in state.marines and state.marines[code].square:
        field = book.field(state)
        path = route(field, field.index[state.marines[code].square], field.index[action.to])
        if len(path) > 1:
            mates = tuple(field.marines[square] for square in path[:-1])
            return f"Run through {book.names.marines(mates)} to {action.to} ({len(path)} Moves)"
    return f"Move to {action.to}"


def target(book: Book, state: LevelState, square: str, bonus: int) -> str:
    """Return a Tyranid as a target: `the Termagant on h6 (needs 3)`."""
    creature = state.tyranids.get(square)
    if creature is None:
        return f"whatever is on {square}"
    plus = f", {bonus:+d}" if bonus else ""
    return f"the {book.names.kind(creature.kind)} on {square} (needs {book.resilience(state, creature.kind)}{plus})"


def _attack(book: Book, state: LevelState, action: act.Attack) -> str:
    code = getattr(state.pending[-1], "marine", "") if state.pending else ""
    bonus = book.side(state, code).attack_plus if code in state.marines else 0
    if state.turn is not None and state.turn.marine == code:
        bonus += state.turn.attack_plus
    return f"Attack {target(book, state, action.square, bonus)}"


def _console(book: Book, state: LevelState, action: act.TryConsole) -> str:
    bonus = console_bonus(book, state, state.turn) if state.turn is not None else 0
    return f"Try the console (needs {book.mission(state).console.need}{f', {bonus:+d}' if bonus else ''})"


def _command(book: Book, state: LevelState, action: act.Command) -> str:
    return f"Order {book.names.marine(action.marine)} to take a free Move or Attack"


def _grenade(book: Book, state: LevelState, action: act.ThrowGrenade) -> str:
    return f"Throw a grenade at {target(book, state, action.square, 0)}"


def _play(book: Book, state: LevelState, action: act.Play) -> str:
    card = book.catalogue.specials[action.card]
    if not action.args:
        return f"Use {card.name}: {card.text}"
    effect = card.effects[0]
    if isinstance(effect, e.Blast | e.SpecialAttack | e.AutoHit):
        plus = effect.plus if isinstance(effect, e.SpecialAttack) else 0
        return f"Use {card.name} on {target(book, state, action.args[0], plus)}"
    if action.args[0] in book.roster:
        return f"Use {card.name} for {book.names.marine(action.args[0])}"
    way = "to" if isinstance(effect, e.Redeploy) else "towards" if isinstance(effect, e.LineBlast) else "at"
    return f"Use {card.name} {way} {' and '.join(action.args)}"


def _react(book: Book, state: LevelState, action: act.React) -> str:
    if action == act.ABILITY:
        step = state.pending[-1] if state.pending else None
        code = getattr(step, "marine", "")
        return f"Roll again ({book.side(state, code).ability})" if code in state.marines else "Roll again"
    card = book.catalogue.specials[action.card]
    return f"Use {card.name}: {card.text}"


def _pick(book: Book, state: LevelState, action: act.Pick) -> str:
    step = state.pending[-1] if state.pending else None
    if isinstance(step, Tie):
        return book.names.marine(action.choice)
    return f"It appears on {action.choice}" if isinstance(step, Ambushed) else f"First {action.choice}"


def _order(book: Book, state: LevelState, action: act.Order) -> str:
    if max(action.numbers, default=0) > len(state.known):
        return write(state, action)
    return ", then ".join(book.names.card(state.known[number - 1]) for number in action.numbers)


WORDS: Mapping[type, Callable[[Book, LevelState, Any], str]] = {
    act.LayBoard: _board,
    act.Enter: lambda book, state, action: f"Enter at {action.label}",
    act.Advance: _advance,
    act.Dare: _dare,
    act.Call: _call,
    act.NoCall: lambda book, state, action: "Go on without help",
    act.Squad: _squad,
    act.Deploy: _deploy,
    act.Equip: _equip,
    act.Next: lambda book, state, action: "Turn over the next activation card",
    act.Move: _move,
    act.Attack: _attack,
    act.TryConsole: _console,
    act.Command: _command,
    act.ThrowGrenade: _grenade,
    act.Play: _play,
    act.End: lambda book, state, action: "End the turn",
    act.Pass: lambda book, state, action: (
        "Give up the free actions left" if state.pending and type(state.pending[-1]) is Free else "Let it happen"
    ),
    act.React: _react,
    act.Pick: _pick,
    act.Order: _order,
}
