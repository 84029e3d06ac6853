"""The board of Tyranid Attack: a state, or a view of one, as a Scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ...domain.rules import Decision, Ruleset
from ...domain.tyranid_attack import actions as act
from ...domain.tyranid_attack import fighting, moves, placing, reach, shooting, steps
from ...domain.tyranid_attack.book import Book
from ...domain.tyranid_attack.catalogue import Catalogue
from ...domain.tyranid_attack.events_turn import END_REASONS
from ...domain.tyranid_attack.facts import SIDES
from ...domain.tyranid_attack.ship import Ship, ground
from ...domain.tyranid_attack.state import MARINES, TYRANID, HiveState, Laid, Point
from ...domain.tyranid_attack.summary import condition, summary
from ...domain.words import sentence
from ..scene import Cell, Frame, Key, Link, Mark, Panel, Piece, Row, Scene, Shape, Side

ROLES = {MARINES: "unit.blue", TYRANID: "foe"}
LOOKS: Mapping[str, tuple[str, Shape]] = {
    "scout": ("unit.blue", "round"), "heavy_scout": ("unit.green", "round"), "scout_sergeant": ("unit.red", "round"),
    "terminator": ("unit.white", "square"), "terminator_flamer": ("unit.yellow", "square"),
    "librarian": ("unit.purple", "square"), "marine": ("unit.blue", "square"), "heavy_marine": ("unit.green", "square"),
    "commander": ("unit.red", "square"), "genestealer": ("foe.2", "diamond"), "warrior_boneswords": ("foe.4", "hex"),
    "warrior_deathspitter": ("foe.1", "hex"), "acid_blob": ("foe.3", "hex"), "dreadnought": ("unit.black", "oblong"),
}  # fmt: skip
"""Colour and shape of a kind of model: Marines are round or square, their enemies have corners."""
PLAIN = ("passage", "dark", "spawn")
"""Kinds of squares that are told without a letter."""
MOST = 200
"""More squares than that are not marked one by one: nearly the whole ship is open then."""


def board(ruleset: Ruleset, state: HiveState, title: str = "") -> Scene:
    """Return the scene of a position: the hive ship as it lies with all that stands on it, and what lies beside it.

    The tile held and a card that was looked at are named only where the state, or the seat's view of it, knows them.
    """
    book: Book = ruleset.book  # type: ignore[attr-defined]
    return draw(book, state, title or ruleset.title, ruleset.decision(state))


def draw(book: Book, state: HiveState, title: str, decision: Decision | None = None) -> Scene:
    """Return the scene of a position; squares that a decision offers to choose are marked."""
    offer = _offer(book, state, decision)
    cells: tuple[Cell, ...] = ()
    frames: tuple[Frame, ...] = ()
    pieces: tuple[Piece, ...] = ()
    if state.chain:
        ship = book.ship(state)
        hull = _hull(book.catalogue, ship, state.entry, frozenset(state.cards))
        cells = tuple({**hull.cells, **_laid_out(state, ship)}.values())
        frames = (*hull.frames, *_templates(book, state))
        pieces = (*_cards(book, state, hull), *(_model(book, state, name) for name in state.models))
    marks = tuple(_marks(book, state, offer))
    return Scene(
        title=title,
        subtitle=". ".join(_subtitle(state, decision)),
        cells=cells,
        frames=frames,
        pieces=pieces,
        marks=marks,
        links=tuple(Link(start=start, end=end, role="line", name="shot", arrow=True) for start, end in state.shots),
        panels=tuple(_panels(book, state, decision, offer)),
        legend=tuple(_legend(book, state, cells, pieces, marks)),
    )


def _subtitle(state: HiveState, decision: Decision | None) -> Iterator[str]:
    if state.turn:
        yield f"Turn {state.turn}"
    if state.ended:
        yield f"{sentence(SIDES[state.ended.winner])} win"
    elif decision:
        yield f"{sentence(SIDES[decision.seat])}: {decision.prompt}"


# ----------------------------------------------------------------------------------------------- the ship


class Hull(NamedTuple):
    """What of the picture hangs on the layout alone: squares, outlines of sections, where a card lies on each."""

    cells: dict[Point, Cell]
    frames: tuple[Frame, ...]
    rests: dict[int, Point]


@lru_cache(maxsize=16)
def _hull(catalogue: Catalogue, ship: Ship, entry: Point, dark: frozenset[int]) -> Hull:
    """Return the bare ship, the sections `dark` unexplored; kept, since a layout lasts for many positions."""
    geometry = catalogue.geometry
    wide, high = geometry.columns - 1, geometry.rows - 1
    cells: dict[Point, Cell] = {}
    rests: dict[int, Point] = {}
    for laid in ship.chain:
        left, top = ship.origins[laid.section]
        doors = {*ground(catalogue, laid.section, laid.rotation)[1]}
        walls = []
        for row in range(geometry.rows):
            for column in range(geometry.columns):
                at = (left + column, top + row)
                if at not in ship.bare:
                    label = ""
                    if (column in (0, wide)) != (row in (0, high)):
                        label = str(row + 1) if column in (0, wide) else chr(ord("a") + column)
                    elif 0 < column < wide:
                        walls.append(at)
                    cells[at] = Cell(x=at[0], y=at[1], kind="wall", glyph=label)
                elif at not in cells:
                    half = _half(column, row, wide, high) if (column, row) in doors else ""
                    cells[at] = _floor(ship, at, half, dark)
        # A card lies on the wall nearest to the middle of its section, where it covers no square of the game.
        middle = (left + wide // 2, top + high // 2)
        rests[laid.section] = min(
            walls, key=lambda at: (max(abs(at[0] - middle[0]), abs(at[1] - middle[1])), at[1], at[0]), default=middle
        )
    for at in _entry_area(ship, entry, wide, high):
        cells[at] = Cell(x=at[0], y=at[1], kind="exit", glyph="E", name="Entry area: nobody goes there")
    return Hull(cells, tuple(_outline(catalogue, ship, laid, dark) for laid in ship.chain), rests)


def _outline(catalogue: Catalogue, ship: Ship, laid: Laid, dark: Iterable[int]) -> Frame:
    """The outline of a section, through the middle of its outermost squares: they are halves."""
    (left, top), size = ship.origins[laid.section], catalogue.geometry
    name = f"Section {laid.section}, {catalogue.sections[laid.section].name}"
    name += (", turned round" if laid.rotation else "") + (", unexplored" if laid.section in dark else "")
    return Frame(
        x=left + 0.5, y=top + 0.5, columns=size.columns - 1, rows=size.rows - 1, label=f"{laid.section}:", name=name,
        role="cell.wall",
    )  # fmt: skip


def _half(column: int, row: int, wide: int, high: int) -> Side:
    """The side of an entrance's square on which its own half lies."""
    return {0: "e", wide: "w"}.get(column) or {0: "s", high: "n"}[row]  # type: ignore[return-value]


def _floor(ship: Ship, at: Point, half: Side, dark: frozenset[int]) -> Cell:
    """A floor square: an ordinary one, one shared by sections, or a half square on the rim of the ship."""
    there, name = ship.sections[at], ship.name(at)
    kind, glyph = "floor", ""
    if len(there) > 1:
        kind, half = "passage", ""
        name += f", shared by sections {' and '.join(map(str, there))}"
    elif half:
        outer = at in ship.outer
        kind = "spawn" if outer else "exit"
        name += ", half square " + ("on the outer edge" if outer else "at the entry area")
    if not dark.isdisjoint(there):
        glyph = "+" if kind == "passage" else ""
        kind = "dark" if kind in ("floor", "passage") else kind
        name += ", unexplored"
    return Cell(x=at[0], y=at[1], kind=kind, glyph=glyph, name=name, half=half, ref=ship.name(at))


def _entry_area(ship: Ship, entry: Point, wide: int, high: int) -> Iterator[Point]:
    """The strip of the entry area that lies against the rear section, its corners left out."""
    rear = ship.chain[0]
    (left, top), (east, south) = ship.origins[rear.section], (entry[0] - rear.cell[0], entry[1] - rear.cell[1])
    if abs(east) + abs(south) != 1:
        return  # the rear section is being removed, and the entry area not yet put against the next
    if south:
        yield from ((left + column, top + (high + 1 if south > 0 else -1)) for column in range(1, wide))
    else:
        yield from ((left + (wide + 1 if east > 0 else -1), top + row) for row in range(1, high))


def _laid_out(state: HiveState, ship: Ship) -> dict[Point, Cell]:
    """The squares on which templates, cysts and artifacts lie."""
    found = {}
    for objective, squares in state.templates.items():
        for x, y in squares:
            at = ship.name((x, y))
            found[x, y] = Cell(x=x, y=y, kind="objective", glyph=_short(objective), name=at, ref=f"{at} {objective}")
    for x, y in state.cysts:
        at = ship.name((x, y))
        found[x, y] = Cell(x=x, y=y, kind="hazard", glyph="Cy", name=f"{at}, teleporter cyst", ref=at)
    for number, (x, y) in state.artifacts.items():
        glyph, at = f"A{number}", ship.name((x, y))
        name = f"{at}, artifact {glyph} lies here"
        found[x, y] = Cell(x=x, y=y, kind="vessel", glyph=glyph, name=name, ref=f"{at} {glyph}")
    return found


def _short(objective: str) -> str:
    return "O" + objective.rpartition("-")[2]


def _templates(book: Book, state: HiveState) -> Iterator[Frame]:
    for objective, squares in state.templates.items():
        (x, y), (last, bottom) = min(squares), max(squares)
        name = f"{book.catalogue.objectives[objective].name} {objective}"
        yield Frame(
            x=x, y=y, columns=last - x + 1, rows=bottom - y + 1, name=name, role="cell.objective", solid=True
        )  # fmt: skip


def _cards(book: Book, state: HiveState, hull: Hull) -> Iterator[Piece]:
    """The cards that lie face down; named if the state knows them."""
    for section, hidden in state.cards.items():
        if section not in hull.rests or hidden.deck not in state.chance.decks:
            continue
        card = state.seen_card(hidden)
        known = book.names.card(card) if card else ""
        yield Piece(
            at=hull.rests[section],
            glyph="!" if known else "?",
            role="hidden",
            shape="square",
            name=f"Card face down on section {section}" + (f": {known}" if known else ""),
        )


def _model(book: Book, state: HiveState, name: str) -> Piece:
    model = state.models[name]
    role, shape = _look(book, model.kind)
    lost = book.profiles[model.kind].life - model.life
    words = [f"{name} {book.names.kind(model.kind)} at {book.names.square(state, model.at)}"]
    return Piece(
        at=model.at,
        glyph=_glyph(name),
        role=role,
        shape=shape,
        name=", ".join(words + condition(book, state, name)),
        badge=f"-{lost}" if lost > 0 else "",
        faded=model.prone,
        value="".join(f"A{number}" for number in model.artifacts)[:5],
        ref=name,
    )


def _glyph(name: str) -> str:
    """A model's name; of the tenth of a kind and those after it without the second letter."""
    return name if len(name) <= 3 else name[0] + name[2:]


def _look(book: Book, kind: str) -> tuple[str, Shape]:
    marine = book.profiles[kind].side == "marine"
    return LOOKS.get(kind, ("unit", "round") if marine else ("foe", "diamond"))


# -------------------------------------------------------------------------------------- what may be chosen


class Offer(NamedTuple):
    """What may be chosen now: squares with words for them, enemies and templates that may be attacked."""

    squares: dict[Point, str]
    targets: dict[str, None]
    danger: bool = False


def _offer(book: Book, state: HiveState, decision: Decision | None) -> Offer:
    step: Any = state.pending[-1] if state.pending and decision else None
    if isinstance(step, steps.Acting):
        return _acting(book, state, step.model)
    if isinstance(step, steps.Reinforce):
        return Offer(dict.fromkeys(placing.doors(book, state), "a reinforcement may enter here"), {})
    squares: dict[Point, str] = {}
    targets: dict[str, None] = {}
    for action in decision.actions if decision else ():
        match action:
            case act.StandTemplate(corner=at):
                squares[at] = "its north-west corner may be here"
            case act.Follow(target=target):
                targets[target] = None
            case act.AimAt(at=at) | act.StandOn(at=at) | act.PutCyst(at=at):
                squares[at] = "can be chosen"
            case act.EnterModel(at=at) | act.PutModel(at=at) | act.ReturnScout(at=at):
                squares[at] = "can be chosen"
    return Offer(squares, targets, isinstance(step, steps.Aim))


def _acting(book: Book, state: HiveState, name: str) -> Offer:
    """What the model that is taken up may do: each target once, not once for every way to share dice out."""
    squares = {}
    for move in moves.moves(book, state, name):
        squares[move.to] = f"{name} may move here" + (", exploring" if move.way == "enter" else "")
    targets: dict[Any, None] = {}
    for gun in shooting.guns(book, state, name).values():
        targets |= dict.fromkeys(shooting.model_targets(book, state, name, gun.range))
    targets |= dict.fromkeys(fight.target for fight in fighting.fights(book, state, name))
    targets |= dict.fromkeys(melta.target for melta in fighting.meltas(book, state, name))
    return Offer(squares, targets)


def _marks(book: Book, state: HiveState, offer: Offer) -> Iterator[Mark]:
    if state.active in state.models:
        yield Mark(at=state.models[state.active].at, role="mark.last", name=f"{state.active} is taken up")
    for target in offer.targets:
        at = state.models[target].at if target in state.models else state.templates[target][0]
        yield Mark(at=at, role="mark.danger", glyph="x", name=f"{target} may be attacked")
    if len(offer.squares) > MOST:
        return
    role, glyph = ("mark.danger", "x") if offer.danger else ("mark", "*")
    for at, words in offer.squares.items():
        if at not in state.at:
            yield Mark(at=at, role=role, glyph=glyph, name=f"{book.names.square(state, at)}: {words}")


# ------------------------------------------------------------------------------------------------- panels


def _panels(book: Book, state: HiveState, decision: Decision | None, offer: Offer) -> Iterator[Panel]:
    if state.ended:
        yield Panel(title="The game is over", rows=tuple(_ending(state)))
    yield Panel(title="The assault", rows=tuple(_assault(book, state, decision, offer)))
    for title, seat in (("Space Marines", MARINES), ("Tyranids", TYRANID)):
        names = sorted((name for name in state.models if book.side(name) == seat), key=lambda n: (n[:2], int(n[2:])))
        if names:
            yield Panel(title=title, rows=tuple(_row(book, state, name) for name in names))


def _ending(state: HiveState) -> Iterator[Row]:
    ended = state.ended
    if ended is None:
        return
    yield Row(label="Result", text=f"{SIDES[ended.winner]} win", role="accent")
    yield Row(label="Because", text=END_REASONS.get(ended.reason, ended.reason))
    yield Row(label="In turn", text=str(ended.turn))
    yield Row(label="Destroyed", text=f"{ended.destroyed} objectives")
    yield Row(label="Marines left", text=str(ended.marines))


def _assault(book: Book, state: HiveState, decision: Decision | None, offer: Offer) -> Iterator[Row]:
    if decision:
        yield Row(label="To decide", text=f"{SIDES[decision.seat]}: {decision.prompt}", role=ROLES[decision.seat])
    if state.active in state.models:
        yield Row(label=f"{state.active} may", text=_may(book, state), role="accent")
    if offer.targets:
        yield Row(label="Can attack", text=" ".join(offer.targets), role="bad")
    for label, text in summary(book, state):
        if label not in ("Marines", "Tyranids"):
            yield Row(label=label, text=text)
    if state.discards:
        yield Row(label="Discarded", text=", ".join(map(book.names.card, state.discards)))
    for label, names in (
        ("Still to be found", state.reserve),
        ("Blobs left", state.blobs),
        ("Dead for good", state.spent),
    ):
        if names:
            yield Row(label=label, text=" ".join(names))
    if state.cysts_left:
        yield Row(label="Cysts left", text=str(state.cysts_left))
    if state.turn and not state.ended:
        squares = " ".join(book.names.square(state, at) for at in placing.doors(book, state))
        yield Row(label="Tyranids can enter at", text=squares or "no square")


def _may(book: Book, state: HiveState) -> str:
    """What is left to the model that is taken up."""
    left = state.act(state.active)
    squares = reach.limit(book, state, state.active)
    words = [f"move {squares}" if squares else "not move"]
    words.append(f"attack{f' {left.attacks} times' if left.attacks > 1 else ''}" if left.attacks else "not attack")
    return ", ".join(words)


def _row(book: Book, state: HiveState, name: str) -> Row:
    model = state.models[name]
    words = [book.names.square(state, model.at), book.names.kind(model.kind), *condition(book, state, name)]
    if state.active == name:
        words.append("taken up")
    elif state.turn and state.side == book.side(name) and not state.act(name).fresh:
        words.append("done")
    return Row(label=name, text=f"{words[0]} {', '.join(words[1:])}", role=_look(book, model.kind)[0])


def _legend(
    book: Book, state: HiveState, cells: Iterable[Cell], pieces: Iterable[Piece], marks: Iterable[Mark]
) -> Iterator[Key]:
    """What the signs on this board mean; those that are not on it are left out."""
    kinds = {state.models[name].kind: name for name in reversed(state.models)}
    for kind in book.profiles:
        if kind in kinds:
            role, shape = _look(book, kind)
            yield Key(text=book.names.kind(kind), glyph=_glyph(kinds[kind]), role=role, shape=shape)
    if prone := next((piece for piece in pieces if piece.faded), None):
        yield Key(text="prone", glyph=prone.glyph, role=prone.role, shape=prone.shape, faded=True)
    for glyph, text in (("?", "card face down"), ("!", "card face down, but known here")):
        if any(piece.role == "hidden" and piece.glyph == glyph for piece in pieces):
            yield Key(text=text, glyph=glyph, role="hidden", shape="square")
    for objective in state.templates:
        name = f"{book.catalogue.objectives[objective].name} ({objective})"
        yield Key(text=name, glyph=_short(objective), kind="objective")
    shown = {cell.kind: cell.glyph for cell in cells if cell.glyph or cell.kind in PLAIN}
    words = {
        "passage": "square of two sections", "dark": "unexplored", "exit": "entry area", "hazard": "cyst",
        "vessel": "artifact",
    }  # fmt: skip
    for kind, text in words.items():
        if kind in shown:
            yield Key(text=text, glyph="" if kind in PLAIN else shown[kind], kind=kind)
    if "spawn" in shown:
        yield Key(text="half square on the outer edge", glyph="- |", role="cell.spawn")
    roles = {mark.role: mark.glyph for mark in marks}
    for role, text in (("mark", "can be chosen"), ("mark.danger", "can be attacked")):
        if role in roles:
            yield Key(text=text, glyph=f" {roles[role]} ", role=role)
