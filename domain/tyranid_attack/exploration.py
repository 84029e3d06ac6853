"""The exploration sequence: the ship rolls on, an objective may come up, and the card is turned."""

from __future__ import annotations

from collections.abc import Container, Generator
from typing import Any

from ..chance import Draw, Roll, Shuffle
from ..choices import Choices
from ..rules import Decision, Refusal, Script, do
from ..secrets import bare
from . import effects as e
from . import endings, harm, objectives
from .actions import StandTemplate
from .book import Book
from .counts import amount
from .events_model import ArtifactsGone, ModelsLost
from .events_ship import (
    CardLaid,
    CardTurned,
    CystGone,
    DeckMade,
    EntryAreaSet,
    ExplorationEnded,
    PeekRolled,
    SectionEntered,
    SectionLaid,
    SectionRemoved,
    TemplateGone,
    TemplatePlaced,
    TileSetAside,
    TileShown,
    TilesMade,
    TileTaken,
)
from .events_turn import DefendersRolled
from .ship import HEADINGS, turned
from .state import CARDS, MARINES, TILES, TYRANID, FaceDown, HiveState, Laid, Point
from .steps import CardDone, Defend, Effects, Explore, NextTile, PlaceTemplate, Put, TurnCard

SHIP = "ship"
"""The stream of dice with which sections are laid."""


def run_explore(book: Book, state: HiveState, step: Explore) -> Script:
    """Carry out steps 1 to 3, and compare the tile (TA-EXPL-4 to -9)."""
    trigger = state.trigger
    assert trigger is not None
    rear, explored = state.chain[0], next(laid for laid in state.chain if laid.section == trigger.section)
    yield from _remove(book, state, rear)
    yield EntryAreaSet(rear.cell, state.chain[0].section, rule="TA-EXPL-6")
    yield from lay(book, state, rear.section, explored)
    yield from lay_card(book, state, rear.section)
    tile = _held(state)
    if tile == book.tiles.get(rear.section):
        yield Draw(state.stack, state.tile, "shown", rule="TA-EXPL-9")
        objective = book.objectives[rear.section]
        yield TileShown(tile, rear.section, objective, rule="TA-EXPL-9")
        yield do(PlaceTemplate(objective=objective), Defend(section=rear.section), NextTile(), TurnCard())
    else:
        yield do(TurnCard())


def _held(state: HiveState) -> str:
    """What the tile held shows; empty if there is none."""
    if state.tile < 0:
        return ""
    shown = bare(state.chance.decks[state.stack].seen[state.tile])
    return shown if isinstance(shown, str) else ""


# Step 1: the rear section


def _remove(book: Book, state: HiveState, rear: Laid) -> Script:
    """Cut the rear section off, with everything wholly on it (TA-EXPL-4, -5, -15, -16, -18)."""
    ship = book.ship(state)

    def lost(square: Point) -> bool:
        numbers = ship.sections.get(square, ())
        return rear.section in numbers and (len(numbers) == 1 or not state.options.shared_square_survives)

    def wholly(square: Point) -> bool:
        return ship.sections.get(square, ()) == (rear.section,)

    models = [name for name, model in state.models.items() if lost(model.at)]
    artifacts = [number for name in models for number in state.models[name].artifacts]
    artifacts += [number for number, square in state.artifacts.items() if wholly(square)]
    if models:
        gone = tuple((name, harm.home(book, name)) for name in models)
        yield ModelsLost(rear.section, gone, rule="TA-EXPL-5")
    if artifacts:
        yield ArtifactsGone(tuple(sorted(artifacts)), rule="TA-EXPL-16")
    for square in [square for square in state.cysts if wholly(square)]:
        yield CystGone(square, rule="TA-EXPL-16")
    for objective in [id for id, squares in state.templates.items() if rear.section in ship.sections[squares[0]]]:
        back = state.options.cut_off_objective == "returns"
        yield TemplateGone(objective, back, rule="TA-EXPL-18")
        if back:
            yield TileSetAside(book.tiles[rear.section], objective, rule="TA-EXPL-18")
        if any(isinstance(effect, e.WhileStandingPassOut) for effect in book.effects_of(objective)):
            yield from objectives.come_round(state, "TA-SPEC-11")
        yield from endings.check_templates(book, state)
    yield SectionRemoved(rear.section, rule="TA-EXPL-4")


# Step 2: the new front


def lay(book: Book, state: HiveState, section: int, before: Laid) -> Script:
    """Lay a section left, ahead or right of another, rolled again while blocked (TA-SETUP-7 to -11, TA-EXPL-7, -19)."""
    blocked: Container[Point] = {laid.cell for laid in state.chain} | {state.entry}
    rolls: list[int] = []
    while True:
        (roll,) = yield Roll(SHIP, 6, 1, "way", str(section), "TA-SETUP-7")
        rolls.append(roll)
        heading = turned(before.heading, (roll - 1) // 2 - 1)
        step = HEADINGS[heading]
        cell = (before.cell[0] + step[0], before.cell[1] + step[1])
        if cell not in blocked:
            break
    rotation = yield from turn(state)
    yield SectionLaid(Laid(section, cell, rotation, heading), tuple(rolls), rule="TA-SETUP-8")


def turn(state: HiveState) -> Generator[Any, Any, int]:
    """Roll for which way round a section lies (TA-BOARD-9, option `rotation`)."""
    if state.options.rotation == "fixed":
        return 0
    (roll,) = yield Roll(SHIP, 2, 1, "turn", rule="TA-BOARD-9")
    return 180 if roll == 2 else 0


# Step 3: its card


def lay_card(book: Book, state: HiveState, section: int, peek: bool = True) -> Script:
    """Lay the top card face down on a section; the discards make a new deck when it is empty (TA-EXPL-8, -17)."""
    left = _left(state)
    if not left and state.options.deck_empty == "reshuffle" and state.discards:
        items = tuple(card for card in book.catalogue.cards if card in state.discards)
        deck = yield Shuffle(CARDS, items, rule="TA-EXPL-17")
        yield DeckMade(deck, len(items), rule="TA-EXPL-17")
        left = len(items)
    if not left:
        yield CardLaid(section, FaceDown(), 0, rule="TA-EXPL-17")
        return
    place = state.drawn
    tapped = book.after(state, e.AfterDestroyPeekCards) if peek else None
    if isinstance(tapped, e.AfterDestroyPeekCards):
        (roll,) = yield Roll(MARINES, 6, 1, "peek", rule="TA-SPEC-4")
        yield PeekRolled(roll, roll >= tapped.need, rule="TA-SPEC-4")
        if roll >= tapped.need:
            yield Draw(state.deck, place, "peek", str(section), "TA-SPEC-4", (MARINES,))
    yield CardLaid(section, FaceDown(state.deck, place), left - 1, rule="TA-EXPL-8")


def _left(state: HiveState) -> int:
    return len(state.chance.decks[state.deck].items) - state.drawn if state.deck in state.chance.decks else 0


# Step 4: the objective


def spots(book: Book, state: HiveState, objective: str) -> list[tuple[Point, bool, tuple[Point, ...]]]:
    """Return where a template may stand: its corner, whether it is turned, its squares (TA-OBJ-2, TA-OBJ-3)."""
    record = book.catalogue.objectives[objective]
    ship = book.ship(state)
    section = record.number
    inside = {
        square
        for square in ship.squares[section]
        if square in ship.floor
        and square not in state.at
        and square not in state.cysts
        and square not in state.artifacts.values()
        and not _half(book, ship.origins[section], square)
    }
    wide = (record.size[0], record.size[1])
    found = []
    for columns, rows in dict.fromkeys((wide, wide[::-1])):
        for x, y in sorted(inside, key=lambda square: (square[1], square[0])):
            squares = tuple((x + u, y + v) for v in range(rows) for u in range(columns))
            if all(square in inside for square in squares):
                found.append(((x, y), (columns, rows) != wide, squares))
    return found


def _half(book: Book, origin: Point, square: Point) -> bool:
    geometry = book.catalogue.geometry
    column, row = square[0] - origin[0], square[1] - origin[1]
    return column in (0, geometry.columns - 1) or row in (0, geometry.rows - 1)


def ask_template(book: Book, state: HiveState, step: PlaceTemplate) -> Decision | None:
    """Ask where a template stands (TA-OBJ-2)."""
    places = tuple(StandTemplate(corner, tall) for corner, tall, _ in spots(book, state, step.objective))
    name = book.catalogue.objectives[step.objective].name
    return Decision(TYRANID, Choices(places), f"Where does the {name} stand?") if places else None


def resolve_template(book: Book, state: HiveState, step: PlaceTemplate, action: StandTemplate) -> Script:
    """Let it stand there (TA-OBJ-2)."""
    for corner, tall, squares in spots(book, state, step.objective):
        if (corner, tall) == (action.corner, action.tall):
            yield TemplatePlaced(step.objective, squares, rule="TA-OBJ-2")
            return


def explain_template(book: Book, state: HiveState, step: PlaceTemplate, action: object) -> Refusal | None:
    """Say why it cannot stand there."""
    if not isinstance(action, StandTemplate):
        return None
    shown = book.names.spot(state, action.corner)
    section = book.catalogue.objectives[step.objective].number
    if section not in book.ship(state).sections.get(action.corner, ()):
        return Refusal("TA-OBJ-2", f"{shown} is not on {book.names.section(section)}")
    return Refusal("TA-OBJ-3", f"it does not fit there: it needs empty floor wholly inside the section from {shown} on")


def run_defend(book: Book, state: HiveState, step: Defend) -> Script:
    """Roll for the defenders, who are placed anywhere on the section (TA-OBJ-6, TA-OBJ-7)."""
    (die,) = yield Roll(TYRANID, 6, 1, "defenders", rule="TA-OBJ-6")
    count = amount(book.catalogue.defenders, die)
    yield DefendersRolled(count, rule="TA-OBJ-6")
    yield do(Put(section=step.section, slots=count, reason="defender", rule="TA-OBJ-7"))


def run_next_tile(book: Book, state: HiveState, step: NextTile) -> Script:
    """Let the Marine player take the next tile, if there is one (TA-EXPL-10)."""
    yield from take_tile(state)


def take_tile(state: HiveState) -> Script:
    """Draw the next tile for the Marine player's eyes alone (TA-SETUP-15, TA-EXPL-10)."""
    left = len(state.chance.decks[state.stack].items) - state.taken
    if left:
        place = state.taken
        yield TileTaken(place, left - 1, rule="TA-EXPL-10")
        yield Draw(state.stack, place, "tile", rule="TA-EXPL-10", seen_by=(MARINES,))


# Step 5: the card


def run_turn(book: Book, state: HiveState, step: TurnCard) -> Script:
    """Turn the card of the explored section and carry it out (TA-EXPL-11)."""
    trigger = state.trigger
    assert trigger is not None
    if state.tile < 0 and state.aside and state.taken >= len(state.chance.decks[state.stack].items):
        items = tuple(tile for tile in book.catalogue.tiles if tile in state.aside)
        stack = yield Shuffle(TILES, items, rule="TA-EXPL-18")
        yield TilesMade(stack, len(items), rule="TA-EXPL-18")
        yield from take_tile(state)
    hidden = state.cards[trigger.section]
    if not hidden.deck:
        yield SectionEntered(trigger.section, rule="TA-EXPL-17")
        yield ExplorationEnded(rule="TA-EXPL-12")
        return
    card = yield Draw(hidden.deck, hidden.place, "turned", str(trigger.section), "TA-EXPL-11")
    yield CardTurned(trigger.section, card, rule="TA-EXPL-11")
    yield do(Effects(card=card), CardDone(card=card))
