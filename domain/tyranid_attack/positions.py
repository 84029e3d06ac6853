"""Positions set up by hand, for worked examples, puzzles and tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..secrets import hidden
from ..states import ChanceState, Shuffled
from .book import BLOB
from .effects import AfterDestroyCloseCysts
from .ruleset import RULESET, TyranidAttack
from .ship import HEADINGS
from .state import (
    CARDS,
    MARINES,
    TILES,
    TYRANID,
    Act,
    FaceDown,
    HiveState,
    Laid,
    Model,
    Options,
    Point,
    Served,
    Trigger,
)
from .steps import Acting, AnyStep, EndPart, Free, MarinePart, Reinforce, TyranidPart

STRAIGHT = "1N 2N 3N 4N 5N 6N"
"""Six sections in a straight line to the north, none of them turned."""


def chain(layout: str) -> list[Laid]:
    """Return the sections of a layout such as `1N 2E 3N+`: number, way in, and `+` for one that is turned round."""
    laid: list[Laid] = []
    cell: Point = (0, 0)
    for word in layout.split():
        number, heading, turn = int(word[0]), word[1], word.endswith("+")
        if laid:
            step = HEADINGS[heading]
            cell = (laid[-1].cell[0] + step[0], laid[-1].cell[1] + step[1])
        laid.append(Laid(number, cell, 180 if turn else 0, heading))
    return laid


def position(
    side: str = MARINES,
    *,
    layout: str = STRAIGHT,
    entry: Point = (0, 1),
    models: Mapping[str, str] | None = None,
    active: str = "",
    turn: int = 1,
    life: Mapping[str, int] | None = None,
    artifacts: Mapping[str, Sequence[int]] | None = None,
    lying: Mapping[int, str] | None = None,
    prone: Iterable[str] = (),
    arms: Mapping[str, Sequence[str]] | None = None,
    ready: Mapping[str, int] | None = None,
    acts: Mapping[str, Act] | None = None,
    templates: Mapping[str, str] | None = None,
    destroyed: Sequence[str] = (),
    gone: Sequence[str] = (),
    cysts: Sequence[str] = (),
    card: str = "",
    known: bool = False,
    tile: str = "",
    tiles: Sequence[str] | None = None,
    orders: Sequence[str] | None = None,
    served: Served | None = None,
    lost: Sequence[str] = (),
    spent: Sequence[str] = (),
    shells: int = 3,
    bombs: int = 2,
    trigger: Trigger | None = None,
    options: Options | None = None,
    pending: Sequence[AnyStep] = (),
    ruleset: TyranidAttack = RULESET,
) -> HiveState:
    """Return a position to give to `Referee(RULESET, state, chance)`.

    >>> state = position(models={"SC1": "2:b5", "GE1": "2:n5"}, active="SC1")
    >>> state.models["SC1"].at, state.chain[1].cell, type(state.pending[-1]).__name__
    ((1, -6), (0, -1), 'Acting')

    - `side` is the seat whose part it is; with `active` that model is taken up, else one is about to be. For
      `reinforce` the die of a Tyranid part is about to be rolled.
    - `layout` are the sections from the rear to the front, as `chain` reads them; `entry` the cell of the entry area.
    - `models` maps names to squares. Tyranids that are not named are in the pool, Scouts `lost` may return, Terminators
      and the Librarian not named wait to be found; `spent` are gone for good. `life`, `artifacts`, `prone`, `arms`
      (heavy weapons by mount) and `ready` (the turn in which a gun is charged) go with the model.
    - `acts` is what models may still do; without an entry a model is fresh.
    - `templates` maps objectives to the north-west square of their template, with ` tall` behind it where it is turned.
    - `card` is the card that lies on the front section (the first of the deck without it); the Marine player has seen it
      if it is `known`, else nobody has, and no picture names it. `tile` is the tile held, `tiles` those left in the stack (without it, all others).
    - `lying` maps artifacts to squares, `cysts` lists squares.

    Raises KeyError for names, squares and ids that do not exist, ValueError for two models on a square.
    """
    book, options = ruleset.book, options or Options()
    state = HiveState(options=options, turn=turn, side=TYRANID if side == "reinforce" else side)
    state.chain, state.entry = chain(layout), entry
    ship = book.ship(state)

    def square(name: str) -> Point:
        found = re.fullmatch(r"([1-6]):([a-o])(\d+)", name)
        place = ship.square(int(found[1]), ord(found[2]) - ord("a"), int(found[3]) - 1) if found else None
        if place is None or place not in ship.bare:
            raise KeyError(name)
        return place

    for name, at in (models or {}).items():
        kind = book.kind(name)
        model = Model(kind, square(at), (life or {}).get(name, book.profiles[kind].life))
        model.artifacts = list((artifacts or {}).get(name, ()))
        model.prone = name in {*prone}
        model.arms = dict(enumerate((arms or {}).get(name, ()), 1))
        model.ready = (ready or {}).get(name, 0)
        state.models[name] = model
    if len(state.at) != len(state.models):
        raise ValueError("two models stand on one square")
    for objective, text in (templates or {}).items():
        corner, _, tall = text.partition(" ")
        size = book.catalogue.objectives[objective].size
        columns, rows = (size[1], size[0]) if tall else (size[0], size[1])
        x, y = square(corner)
        state.templates[objective] = tuple((x + u, y + v) for v in range(rows) for u in range(columns))
    state.relaid()
    state.destroyed, state.gone = list(destroyed), list(gone)
    state.cysts_closed = book.after(state, AfterDestroyCloseCysts) is not None
    state.cysts = [square(name) for name in cysts]
    state.cysts_left = book.catalogue.supplies["teleporter_cyst"] - len(state.cysts)
    state.artifacts = {number: square(name) for number, name in (lying or {}).items()}
    state.orders = list(orders) if orders is not None else list(book.catalogue.orders)
    state.served, state.shells, state.bombs = served, shells, bombs
    state.lost, state.spent, state.trigger = list(lost), list(spent), trigger
    state.acts = dict(acts or {})
    out = {*state.models, *lost, *spent}
    for kind, count in book.roster(options).items():
        profile = book.profiles[kind]
        names = [name for name in book.members(kind, count) if name not in out]
        if kind == BLOB:
            state.blobs = names
        elif profile.side == "tyranid":
            state.pool += names
        elif profile.group == "terminator":
            state.reserve += names
    _chance(ruleset, state, card, known, tile, tiles)
    state.pending = _pending(state, side, active, turn)
    state.active = active
    state.pending.extend(pending)
    return state


def _chance(
    ruleset: TyranidAttack, state: HiveState, card: str, known: bool, tile: str, tiles: Sequence[str] | None
) -> None:
    """Lay the decks: what is known of them is fixed, so that a seeded source deals only the rest."""
    catalogue = ruleset.book.catalogue
    cards = tuple(catalogue.cards)
    state.chance = ChanceState(ordinals={CARDS: 1, TILES: 1})
    seen = {0: hidden(card, (MARINES,) if known else ())} if card else {}
    if card:
        cards = (card, *(other for other in cards if other != card))
    state.chance.decks[f"{CARDS}/1"] = Shuffled(cards, seen, tuple(seen))
    state.deck, state.drawn = f"{CARDS}/1", 1
    state.cards = {state.chain[-1].section: FaceDown(state.deck, 0)}
    rest = tuple(other for other in catalogue.tiles if other != tile) if tiles is None else tuple(tiles)
    items = (tile, *rest) if tile else rest
    held = {0: hidden(tile, (MARINES,))} if tile else {}
    state.chance.decks[f"{TILES}/1"] = Shuffled(items, held, tuple(held))
    state.stack, state.tile, state.taken = f"{TILES}/1", 0 if tile else -1, 1 if tile else 0


def _pending(state: HiveState, side: str, active: str, turn: int) -> list[AnyStep]:
    stack: list[AnyStep]
    if side == MARINES:
        stack = [TyranidPart(), EndPart(side=MARINES), Free(side=MARINES)]
    else:
        stack = [MarinePart(number=turn + 1), EndPart(side=TYRANID), Free(side=TYRANID)]
        if side == "reinforce":
            stack.append(Reinforce())
    if active:
        stack.append(Acting(side=state.side, model=active))
    return stack
