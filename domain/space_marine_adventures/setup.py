"""Setting Level 1 up: board, entry, squad, creatures, decks and special cards (SMA-SETUP-1 to SMA-SETUP-17)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ..chance import Draw, Shuffle
from ..events import BagFilled
from ..rules import Decision, Refusal, Script, do
from . import actions as act
from .book import Book
from .events_setup import (
    ActivationDeckBuilt,
    BoardLaid,
    BulkheadsLaid,
    CounterPlaced,
    LevelStarted,
    MarineDeployed,
    ObjectiveLaid,
    SpecialEquipped,
    SpecialsDrawn,
    SpecialsSetAside,
    SquadChosen,
    VesselLaid,
)
from .hulk import EDGES
from .state import BAG, BULKHEADS, INFESTATION, SPECIALS, LevelState
from .steps import Begin, Carry, ChooseBoard, ChooseEntry, ChooseSquad, DeploySquad, EquipSquad, Populate, Ready

SQUAD_SIZE = 4
PER_MARINE = 2
LEVEL_1_KINDS = ("termagant", "genestealer")
"""Lictors are not used at Level 1 (SMA-SETUP-10)."""


def start(book: Book, state: LevelState) -> Script:
    """Begin the level its options name; raises OptionError for a level that is not there yet."""
    mission = book.briefing(state.options.level)
    yield LevelStarted(mission.level, mission.id, rule="SMA-SETUP-16")
    yield do(ChooseBoard(), ChooseEntry(), ChooseSquad(), DeploySquad(), Populate(), EquipSquad(), Begin(), Ready())


def ask_board(book: Book, state: LevelState, step: ChooseBoard) -> Decision:
    """Ask for a face."""
    return Decision("team", [act.LayBoard(face) for face in book.catalogue.faces], "Which board?")


def resolve_board(book: Book, state: LevelState, step: ChooseBoard, action: act.LayBoard) -> Script:
    """Lay the board."""
    yield BoardLaid(action.face, rule="SMA-SETUP-1")


def ask_entry(book: Book, state: LevelState, step: ChooseEntry) -> Decision:
    """Ask for an exit to enter by."""
    return Decision("team", [act.Enter(label) for label in EDGES], "By which exit do you enter?")


def resolve_entry(book: Book, state: LevelState, step: ChooseEntry, action: act.Enter) -> Script:
    """Lay the entry tile, the bulkheads at the other exits, and the objective."""
    hulk = book.catalogue.hulk(state.face, action.label)
    tile = tuple(hulk.grid.name(square) for square in hulk.entry_tile)
    yield VesselLaid("entry", action.label, tile, rule="SMA-SETUP-2")
    yield Shuffle(BULKHEADS, tuple(book.catalogue.bulkheads), rule="SMA-SETUP-3")
    yield BulkheadsLaid(tuple(label for label in EDGES if label != action.label), rule="SMA-SETUP-3")
    yield ObjectiveLaid(hulk.grid.name(hulk.objective), "console", rule="SMA-SETUP-4")


def ask_squad(book: Book, state: LevelState, step: ChooseSquad) -> Decision:
    """Ask for four Marines."""
    squads = [act.Squad(squad) for squad in combinations(book.roster, SQUAD_SIZE)]
    return Decision("team", squads, "Which four Space Marines go?")


def resolve_squad(book: Book, state: LevelState, step: ChooseSquad, action: act.Squad) -> Script:
    """Take the Marines chosen, healthy (SMA-SETUP-7)."""
    yield SquadChosen(action.marines, rule="SMA-SETUP-5")


def ask_deploy(book: Book, state: LevelState, step: DeploySquad) -> Decision | None:
    """Ask who takes the next square of the entry tile, from square 1 on."""
    waiting = [code for code in state.squad if not state.marines[code].square]
    if not waiting:
        return None
    square = next_square(book, state)
    return Decision("team", [act.Deploy(code, square) for code in waiting], f"Who stands on {square}?")


def next_square(book: Book, state: LevelState) -> str:
    """Return the first square of the entry tile where nobody stands."""
    hulk = book.ground(state).hulk
    taken = {marine.square for marine in state.marines.values()}
    return next(name for square in hulk.entry_tile if (name := hulk.grid.name(square)) not in taken)


def resolve_deploy(book: Book, state: LevelState, step: DeploySquad, action: act.Deploy) -> Script:
    """Put a Marine on the entry tile; the others follow."""
    yield MarineDeployed(action.marine, action.square, rule="SMA-SETUP-8")
    yield do(step)


def nothing(book: Book, state: LevelState, step: Any) -> Script:
    """Carry on with what comes next."""
    yield from ()


def run_populate(book: Book, state: LevelState, step: Populate) -> Script:
    """Lay the creatures, fill the bag, shuffle the infestation deck and draw the special cards."""
    ground = book.ground(state)
    used = sorted(counter for counter, kind in book.kinds.items() if kind in LEVEL_1_KINDS)
    laid = [counter for counter in used if book.kinds[counter] == "termagant"][: len(ground.hulk.xenos)]
    for counter, square in zip(laid, ground.hulk.xenos, strict=True):
        yield CounterPlaced(counter, book.kinds[counter], ground.names[square], "box", "setup", rule="SMA-SETUP-9")
    yield BagFilled(BAG, tuple(used), tuple(laid), rule="SMA-SETUP-10")
    yield Shuffle(INFESTATION, book.catalogue.decks[state.level], rule="SMA-SETUP-11")
    deck = yield Shuffle(SPECIALS, tuple(book.catalogue.specials), rule="SMA-SETUP-13")
    drawn = []
    for place in range(PER_MARINE * len(state.squad)):
        drawn.append((yield Draw(deck, place, purpose="equipment", rule="SMA-SETUP-13")))
    yield SpecialsDrawn(tuple(drawn), rule="SMA-SETUP-13")


def ask_equip(book: Book, state: LevelState, step: EquipSquad) -> Decision | None:
    """Ask which card the next Marine gets: any of those drawn, or one of his own two (`special_pick`)."""
    waiting = next((code for code in state.squad if not state.marines[code].cards), "")
    if not waiting or not state.pool:
        return None
    cards = [act.Equip(waiting, card) for card in open_cards(state, waiting)]
    return Decision("team", cards, f"Which special card does {book.names.marine(waiting)} take?")


def open_cards(state: LevelState, code: str) -> list[str]:
    """Return the drawn cards that a Marine may get (SMA-SETUP-14, SMA-SETUP-15)."""
    pool = state.pool
    if state.options.special_pick == "own_pair":
        first = PER_MARINE * state.squad.index(code)
        pool = pool[first : first + PER_MARINE]
    taken = {card for marine in state.marines.values() for card in marine.cards}
    return [card for card in pool if card not in taken]


def resolve_equip(book: Book, state: LevelState, step: EquipSquad, action: act.Equip) -> Script:
    """Give a Marine his card; the others follow."""
    yield SpecialEquipped(action.marine, action.card, rule="SMA-SETUP-14")
    yield do(step)


def run_equip(book: Book, state: LevelState, step: EquipSquad) -> Script:
    """Set aside what nobody took."""
    taken = {card for marine in state.marines.values() for card in marine.cards}
    yield SpecialsSetAside(tuple(card for card in state.pool if card not in taken), rule="SMA-SETUP-14")


def run_begin(book: Book, state: LevelState, step: Begin) -> Script:
    """Build the activation deck and carry out the briefing's own effects; then play begins."""
    cards = tuple(
        card.id
        for card in book.catalogue.activation.values()
        if not card.extra and (book.shows[card.id] == "tyranid" or book.shows[card.id] in state.squad)
    )
    yield ActivationDeckBuilt(cards, rule="SMA-SETUP-12")
    if book.mission(state).setup:
        yield do(Carry(source="setup"))


# Refusals


def explain_setup(book: Book, state: LevelState, step: Any, action: Any) -> Refusal | None:
    """Return why an action does not answer the set-up's question, None when it does."""
    if type(step) is ChooseBoard and type(action) is act.LayBoard:
        return Refusal("SMA-SETUP-1", f"there is no face {action.face}: {', '.join(book.catalogue.faces)}")
    if type(step) is ChooseEntry and type(action) is act.Enter:
        return Refusal("SMA-SETUP-2", f"there is no exit {action.label}: {', '.join(EDGES)}")
    if type(step) is ChooseSquad and type(action) is act.Squad:
        return Refusal("SMA-SETUP-5", "a squad is four different Space Marines")
    if type(step) is DeploySquad and type(action) is act.Deploy:
        return _explain_deploy(book, state, action)
    if type(step) is EquipSquad and type(action) is act.Equip:
        return _explain_equip(book, state, action)
    asked = {ChooseBoard: "board", ChooseEntry: "enter", ChooseSquad: "squad", DeploySquad: "deploy"}
    word = asked.get(type(step), "equip")
    return Refusal("SMA-SETUP-16", f"play begins when the set-up is done; `{word}` comes next")


def _explain_deploy(book: Book, state: LevelState, action: act.Deploy) -> Refusal:
    name = book.names.marine(action.marine)
    if action.marine not in state.squad:
        return Refusal("SMA-SETUP-5", f"{name} does not take part")
    if state.marines[action.marine].square:
        return Refusal("SMA-SETUP-8", f"{name} stands on {state.marines[action.marine].square} already")
    return Refusal("SMA-SETUP-8", f"{next_square(book, state)} is filled next")


def _explain_equip(book: Book, state: LevelState, action: act.Equip) -> Refusal:
    name, card = book.names.marine(action.marine), book.names.card(action.card)
    if action.marine not in state.squad:
        return Refusal("SMA-SETUP-5", f"{name} does not take part")
    if state.marines[action.marine].cards:
        return Refusal("SMA-SETUP-14", f"{name} has his card already")
    if action.card not in state.pool:
        return Refusal("SMA-SETUP-14", f"{card} ({action.card}) is not among the cards drawn")
    if any(action.card in marine.cards for marine in state.marines.values()):
        return Refusal("SMA-SETUP-14", f"somebody else has taken {card} ({action.card})")
    if action.card not in open_cards(state, action.marine):
        return Refusal("SMA-SETUP-15", f"{card} was not drawn for {name}")
    return Refusal("SMA-SETUP-14", "the cards are given out in the order of the squad")
