"""What an event of this game tells for counting, and how a position stands in numbers.

- The sort of a model is its kind (`scout`, `genestealer`). Templates are of the sort `objective` and the hive's: one that comes
  up moves onto the board, one that is destroyed is lost, one that rolls away leaves. Exploration cards belong to nobody.
- A square goes by the name that the notation gives it as the ship lies just then: `4:e1`, the section, and the column and row
  from its north-west corner, whichever way round it lies; `spot` turns it back. A template goes by its square that is nearest
  to who attacks it.
- A fight is told by the event that holds its dice: a shot (one for each target), each model that a burst reaches, a round of
  hand-to-hand (`hand_to_hand`), a blow at a template, acid, a melta-bomb, a hellfire shell, and each Marine that a card
  attacks. It came off if it hit, or, hand to hand, if the attacker won; a shot at an empty square stays open. `by` is the weapon
  or the card, `who` the attacker, of a card the card itself.
- A loss is so many life points, by the weapon or card that took them, of a dead model all that it had left; models that go
  with their section are lost by `cut_off`.
- A use is an order, an exploration card that is turned, a hellfire shell, a melta-bomb, or a cyst that opens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..events import Event
from ..happenings import Happening
from . import events_model as models
from . import events_ship as ship
from . import events_turn as turn
from .book import Book
from .state import MARINES, TYRANID, HiveState, Point, distance

OBJECTIVE, CARD = "objective", "card"

Tell = Callable[[Book, HiveState, Any], Sequence[Happening]]


def happenings(book: Book, state: HiveState, event: Event) -> Sequence[Happening]:
    """Return what an event tells of moves, fights, losses and uses, given the state (or view) just before it."""
    tell = TALLY.get(type(event))
    return tell(book, state, event) if tell is not None else ()


def _square(book: Book, state: HiveState, square: Point) -> str:
    return book.names.square(state, square)


def spot(book: Book, state: HiveState, place: str) -> str:
    """Return a square by its name in the section as it is printed: one that lies turned round is turned back."""
    number, _, square = place.partition(":")
    if square and any(str(laid.section) == number and laid.rotation for laid in state.chain):
        size = book.catalogue.geometry
        column, row = size.columns - 1 - (ord(square[0]) - ord("a")), size.rows + 1 - int(square[1:])
        return f"{number}:{chr(ord('a') + column)}{row}"
    return place


def _place(book: Book, state: HiveState, target: str | Point, by: str = "") -> str:
    """Where a target is: of a template the square nearest to the attacker, if he is on the board."""
    if not isinstance(target, str):
        return _square(book, state, target)
    if target in state.models:
        return _square(book, state, state.models[target].at)
    squares = state.templates.get(target, ())
    attacker = state.models.get(by)
    if attacker is None or not squares:
        return _square(book, state, squares[0]) if squares else ""
    return _square(book, state, min(squares, key=lambda square: distance(attacker.at, square)))


def _sort(book: Book, target: str | Point) -> str:
    """What sort of thing a target is; empty for a square."""
    if not isinstance(target, str):
        return ""
    return OBJECTIVE if target.startswith("OBJ-") else book.kind(target)


# Moves


def _move(book: Book, state: HiveState, model: str, kind: str, to: Point, by: str = "") -> Happening:
    there = state.models.get(model)
    origin = _square(book, state, there.at) if there is not None else ""
    return Happening("move", model, kind, book.side(model), origin, _square(book, state, to), by)


def _placed(book: Book, state: HiveState, event: models.ModelPlaced) -> Sequence[Happening]:
    return (_move(book, state, event.model, event.kind, event.at, event.reason),)


def _deployed(book: Book, state: HiveState, event: models.ModelsDeployed) -> Sequence[Happening]:
    return [_move(book, state, name, kind, at, "deploy") for name, kind, at, _ in event.models]


def _shifted(book: Book, state: HiveState, event: models.ModelShifted) -> Sequence[Happening]:
    return (_move(book, state, event.model, book.kind(event.model), event.at, "deploy"),)


def _moved(book: Book, state: HiveState, event: models.ModelMoved) -> Sequence[Happening]:
    return (_move(book, state, event.model, book.kind(event.model), event.path[-1]),)


def _came_up(book: Book, state: HiveState, event: ship.TemplatePlaced) -> Sequence[Happening]:
    where = _square(book, state, event.squares[0])
    return (Happening("move", event.objective, OBJECTIVE, TYRANID, to=where, by="tile"),)


def _rolled_away(book: Book, state: HiveState, event: ship.TemplateGone) -> Sequence[Happening]:
    where = _place(book, state, event.objective)
    return (Happening("move", event.objective, OBJECTIVE, TYRANID, origin=where, by="cut_off"),)


# Fights


def _fight(book: Book, state: HiveState, who: str, target: str | Point, by: str, success: bool | None) -> Happening:
    where = _place(book, state, target, who)
    return Happening(
        "fight", who, book.kind(who), book.side(who), to=where, by=by, success=success, target=_sort(book, target)
    )  # fmt: skip


def _shot(book: Book, state: HiveState, event: turn.Shot) -> Sequence[Happening]:
    success = event.hit if event.rolls else None
    return (_fight(book, state, event.model, event.target, event.weapon, success),)


def _burst(book: Book, state: HiveState, event: turn.BlastRolled) -> Sequence[Happening]:
    return (_fight(book, state, state.active, event.model, event.cause, event.hit),)


def _hellfire(book: Book, state: HiveState, event: turn.HellfireFired) -> Sequence[Happening]:
    success = None
    if isinstance(event.target, str):
        success = event.target in state.models or state.options.hellfire_vs_template == "destroys"
    fight = _fight(book, state, event.model, event.target, HELLFIRE, success)
    return (fight, _use(book, event.model, HELLFIRE, fight.to))


def _melta(book: Book, state: HiveState, event: turn.MeltaUsed) -> Sequence[Happening]:
    fight = _fight(book, state, event.model, event.target, MELTA, True)
    return (fight, _use(book, event.model, MELTA, fight.to))


def _fought(book: Book, state: HiveState, event: turn.Fought) -> Sequence[Happening]:
    return (_fight(book, state, event.attacker, event.defender, HAND_TO_HAND, event.winner == "attacker"),)


def _struck(book: Book, state: HiveState, event: turn.TemplateStruck) -> Sequence[Happening]:
    return (_fight(book, state, event.model, event.objective, HAND_TO_HAND, event.destroyed),)


def _dissolved(book: Book, state: HiveState, event: turn.AcidKill) -> Sequence[Happening]:
    return (_fight(book, state, event.blob, event.victim, "acid", True),)


def _card_attacked(book: Book, state: HiveState, event: turn.CardAttacked) -> Sequence[Happening]:
    where, target = _place(book, state, event.model), book.kind(event.model)
    return (Happening("fight", event.card, CARD, to=where, by=event.card, success=event.hit, target=target),)


HELLFIRE, MELTA, HAND_TO_HAND = "hellfire_shell", "melta_bomb", "hand_to_hand"


# Losses


def _hurt(book: Book, state: HiveState, event: models.LifeLost) -> Sequence[Happening]:
    lost = state.models[event.model].life - event.left
    return (_loss(book, state, event.model, event.cause, lost, False),)


def _killed(book: Book, state: HiveState, event: models.ModelKilled) -> Sequence[Happening]:
    return (_loss(book, state, event.model, event.cause, state.models[event.model].life, True),)


def _cut_off(book: Book, state: HiveState, event: models.ModelsLost) -> Sequence[Happening]:
    return [_loss(book, state, name, "cut_off", state.models[name].life, True) for name, _ in event.models]


def _loss(book: Book, state: HiveState, name: str, by: str, amount: int, final: bool) -> Happening:
    where = _place(book, state, name)
    return Happening("loss", name, book.kind(name), book.side(name), to=where, by=by, amount=amount, final=final)


def _destroyed(book: Book, state: HiveState, event: ship.TemplateDestroyed) -> Sequence[Happening]:
    where = _place(book, state, event.objective, event.by)
    return (Happening("loss", event.objective, OBJECTIVE, TYRANID, to=where, by=event.by, final=True),)


# Uses


def _use(book: Book, who: str, by: str, to: str) -> Happening:
    return Happening("use", who, book.kind(who), book.side(who), to=to, by=by)


def _order(book: Book, state: HiveState, event: turn.OrderPlayed) -> Sequence[Happening]:
    return (Happening("use", MARINES, MARINES, MARINES, by=event.key),)


def _turned(book: Book, state: HiveState, event: ship.CardTurned) -> Sequence[Happening]:
    where = _square(book, state, state.trigger.first) if state.trigger is not None else ""
    return (Happening("use", CARD, CARD, to=where, by=event.card),)


def _opened(book: Book, state: HiveState, event: ship.CystPlaced) -> Sequence[Happening]:
    return (Happening("use", TYRANID, TYRANID, TYRANID, to=_square(book, state, event.at), by="teleporter_cyst"),)


TALLY: Mapping[type[Event], Tell] = {
    models.ModelPlaced: _placed,
    models.ModelsDeployed: _deployed,
    models.ModelShifted: _shifted,
    models.ModelMoved: _moved,
    models.LifeLost: _hurt,
    models.ModelKilled: _killed,
    models.ModelsLost: _cut_off,
    ship.TemplatePlaced: _came_up,
    ship.TemplateDestroyed: _destroyed,
    ship.TemplateGone: _rolled_away,
    ship.CardTurned: _turned,
    ship.CystPlaced: _opened,
    turn.Shot: _shot,
    turn.BlastRolled: _burst,
    turn.HellfireFired: _hellfire,
    turn.MeltaUsed: _melta,
    turn.Fought: _fought,
    turn.TemplateStruck: _struck,
    turn.AcidKill: _dissolved,
    turn.CardAttacked: _card_attacked,
    turn.OrderPlayed: _order,
}
"""What each kind of event tells; the others tell nothing that is counted."""


def figures(book: Book, state: HiveState) -> dict[str, int]:
    """Return how a position stands: turn, models and life on the board, objectives, and what both sides have left."""
    sides = book.sides(state)
    deck = state.chance.decks.get(state.deck)
    tiles = state.chance.decks.get(state.stack)
    return {
        "turn": state.turn,
        "marines": len(sides[MARINES]),
        "marine_life": _life(state, sides[MARINES]),
        "prone": sum(model.prone for model in state.models.values()),
        "scouts_lost": len(state.lost),
        "tyranids": len(sides[TYRANID]),
        "tyranid_life": _life(state, sides[TYRANID]),
        "pool": len(state.pool),
        "cysts": 0 if state.cysts_closed else len(state.cysts),
        "objectives_standing": len(state.templates),
        "objectives_destroyed": len(state.destroyed),
        "objectives_lost": len(state.gone),
        "tiles_left": len(tiles.items) - state.taken if tiles is not None else 0,
        "cards_left": len(deck.items) - state.drawn if deck is not None else 0,
        "artifacts_carried": sum(len(model.artifacts) for model in state.models.values()),
        "orders": len(state.orders),
        "hellfire_shells": state.shells,
        "melta_bombs": state.bombs,
    }


def _life(state: HiveState, names: Iterable[str]) -> int:
    return sum(state.models[name].life for name in names)
