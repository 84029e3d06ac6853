"""Setting a level up: board, entry, squad, creatures, decks and special cards (SMA-SETUP, SMA-SETUP2, SMA-SETUP3)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ..chance import Draw, Roll, Shuffle
from ..chance import Pick as PickCounter
from ..events import BagFilled
from ..rules import Decision, Refusal, Script, do
from . import actions as act
from . import advanced
from .book import Book
from .events_advanced import VesselDocked
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
from .state import BAG, BULKHEADS, INFESTATION, PRIME, SPECIALS, LevelState
from .steps import (
    Begin,
    CallMarine,
    Carry,
    ChooseBoard,
    ChooseChallenges,
    ChooseEntry,
    ChooseSkulls,
    ChooseSquad,
    DeploySquad,
    EquipSquad,
    Populate,
    Ready,
)

SQUAD_SIZE = 4
PER_MARINE = 2
LEVEL_1_KINDS = ("termagant", "genestealer")
"""Lictors are not used at Level 1 (SMA-SETUP-10)."""
SETUP, DAMAGE = "setup", "damage"
"""The sources of a briefing's own effects, those before the first round and those that damage to the Prime calls up."""
FAR_END = {"X4": "V1", "X3": "V2", "X2": "V3", "X1": "V4"}
"""The new names of the exit tile's squares when its far end docks (SMA-CAMP-8)."""


def start(book: Book, state: LevelState) -> Script:
    """Begin the level its options name, or the first of a campaign (SMA-GEN-2, SMA-CAMP-2)."""
    yield from begin_level(book, state, state.options.levels[0])
    if state.options.challenges.strip() != advanced.ASK:
        yield from advanced.choose(book, state)


def begin_level(book: Book, state: LevelState, level: int) -> Script:
    """Read a level's briefing and set it up; survivors of a campaign keep their places (SMA-CAMP-17)."""
    mission = book.briefing(state.options, level)
    first = level == state.options.levels[0]
    yield LevelStarted(level, mission.id, rule="SMA-SETUP-16" if first else "SMA-CAMP-3")
    # What the options have decided is no step, so that logs from before there was a choice stay as they are.
    asked = state.options.challenges.strip() == advanced.ASK and first
    skulls = state.options.skull_cards.strip() == advanced.ASK
    lined_up = first or state.options.dock == "free_order"
    yield do(
        *([ChooseChallenges()] if asked else []),
        ChooseBoard(),
        ChooseEntry(),
        *([ChooseSquad()] if first else []),
        *([DeploySquad()] if lined_up else []),
        *([] if first else [CallMarine()]),
        *([ChooseSkulls()] if skulls else []),
        Populate(),
        EquipSquad(),
        Begin(),
        Ready(),
    )


def open_faces(book: Book, state: LevelState) -> list[str]:
    """Return the faces of the boards that were not played on before (SMA-CAMP-6)."""
    faces = book.catalogue.faces
    used = {faces[face].board for face in state.faces}
    return [face for face, record in faces.items() if record.board not in used]


def ask_board(book: Book, state: LevelState, step: ChooseBoard) -> Decision:
    """Ask for a face."""
    return Decision("team", [act.LayBoard(face) for face in open_faces(book, state)], "Which board?")


def resolve_board(book: Book, state: LevelState, step: ChooseBoard, action: act.LayBoard) -> Script:
    """Lay the board."""
    yield BoardLaid(action.face, rule="SMA-CAMP-6" if state.faces else "SMA-SETUP-1")


def ask_entry(book: Book, state: LevelState, step: ChooseEntry) -> Decision:
    """Ask for an exit to enter by."""
    return Decision("team", [act.Enter(label) for label in EDGES], "By which exit do you enter?")


def resolve_entry(book: Book, state: LevelState, step: ChooseEntry, action: act.Enter) -> Script:
    """Lay the entry tile, or dock the tile the squad stands on; then the bulkheads at the other exits, the objective."""
    hulk = book.catalogue.hulk(state.face, action.label)
    tile = tuple(hulk.grid.name(square) for square in hulk.entry_tile)
    if state.faces:
        moved = FAR_END if state.options.dock == "far_end" else {}
        yield VesselDocked(action.label, tile, moved, rule="SMA-CAMP-8" if moved else "SMA-CAMP-7")
    else:
        yield VesselLaid("entry", action.label, tile, rule="SMA-SETUP-2")
    laid = "SMA-CAMP-9" if state.faces else "SMA-SETUP3-2" if state.level == 3 else "SMA-SETUP-3"
    yield Shuffle(BULKHEADS, tuple(book.catalogue.bulkheads), rule=laid)
    yield BulkheadsLaid(tuple(label for label in EDGES if label != action.label), rule=laid)
    prime = book.mission(state).prime.enabled
    up = "SMA-CAMP-10" if state.faces else "SMA-SETUP3-1" if prime else "SMA-SETUP-4"
    yield ObjectiveLaid(hulk.grid.name(hulk.objective), PRIME if prime else "console", rule=up)


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
    return free_squares(book, state)[0]


def free_squares(book: Book, state: LevelState) -> list[str]:
    """Return the squares of the entry tile where nobody stands, from square 1 on."""
    hulk = book.ground(state).hulk
    taken = {marine.square for marine in state.marines.values()}
    return [name for square in hulk.entry_tile if (name := hulk.grid.name(square)) not in taken]


def resolve_deploy(book: Book, state: LevelState, step: DeploySquad, action: act.Deploy) -> Script:
    """Put a Marine on the entry tile; the others follow."""
    yield MarineDeployed(action.marine, action.square, rule="SMA-SETUP-8")
    yield do(step)


def run_populate(book: Book, state: LevelState, step: Populate) -> Script:
    """Lay the creatures, fill the bag, shuffle the infestation deck and draw the special cards."""
    yield from LAY[state.level](book, state)
    if state.options.skull_cards.strip() != advanced.ASK:
        yield from advanced.add_skulls(book, state)
    cards = yield from advanced.infestation_deck(book, state)
    yield Shuffle(INFESTATION, cards, rule=DECK_RULES[state.level])
    held = {card for marine in state.marines.values() for card in marine.cards}
    pool = tuple(card for card in book.catalogue.specials if card not in held and card not in state.spent)
    rule = "SMA-CAMP-18" if state.faces else "SMA-SETUP-13"
    deck = yield Shuffle(SPECIALS, pool, rule="SMA-CAMP-19" if state.faces else rule)
    drawn = []
    for place in range(min(PER_MARINE * len(state.squad), len(pool))):
        drawn.append((yield Draw(deck, place, purpose="equipment", rule=rule)))
    yield SpecialsDrawn(tuple(drawn), rule=rule)


def _lay_level_1(book: Book, state: LevelState) -> Script:
    ground = book.ground(state)
    used = sorted(counter for counter, kind in book.kinds.items() if kind in LEVEL_1_KINDS)
    laid = _of_kind(book, used, "termagant")[: len(ground.hulk.xenos)]
    for counter, square in zip(laid, ground.hulk.xenos, strict=True):
        yield CounterPlaced(counter, book.kinds[counter], ground.names[square], "box", "setup", rule="SMA-SETUP-9")
    yield BagFilled(BAG, tuple(used), tuple(laid), rule="SMA-SETUP-10")


def _lay_level_2(book: Book, state: LevelState) -> Script:
    ground = book.ground(state)
    (value,) = yield Roll("die/team", purpose="xenos entry", subject="team", rule="SMA-SETUP2-2")
    used = sorted(book.kinds)
    termagants = _of_kind(book, used, "termagant")
    laid = termagants[: len(ground.hulk.xenos)]
    laid[value - 1 :] = [_of_kind(book, used, "lictor")[0], *termagants[value - 1 : len(ground.hulk.xenos) - 1]]
    for counter, square in zip(laid, ground.hulk.xenos, strict=True):
        yield CounterPlaced(counter, book.kinds[counter], ground.names[square], "box", "setup", rule="SMA-SETUP2-2")
    yield BagFilled(BAG, tuple(used), tuple(laid), rule="SMA-SETUP2-3")


def _lay_level_3(book: Book, state: LevelState) -> Script:
    ground = book.ground(state)
    yield BagFilled(BAG, tuple(sorted(book.kinds)), rule="SMA-SETUP3-3")
    for square in ground.hulk.xenos:
        counter = yield PickCounter(BAG, purpose="setup", subject=ground.names[square], rule="SMA-SETUP3-3")
        yield CounterPlaced(counter, book.kinds[counter], ground.names[square], "bag", "setup", rule="SMA-SETUP3-4")


def _of_kind(book: Book, counters: list[str], kind: str) -> list[str]:
    return [counter for counter in counters if book.kinds[counter] == kind]


LAY = {1: _lay_level_1, 2: _lay_level_2, 3: _lay_level_3}
"""How the creatures of each level are laid."""
DECK_RULES = {1: "SMA-SETUP-11", 2: "SMA-SETUP2-4", 3: "SMA-SETUP3-5"}


def ask_equip(book: Book, state: LevelState, step: EquipSquad) -> Decision | None:
    """Ask which card the next Marine gets: any of those drawn, or one of his own two (`special_pick`)."""
    waiting = next((code for code in state.squad if code not in state.equipped), "")
    if not waiting or not state.pool:
        return None
    cards = [act.Equip(waiting, card) for card in open_cards(state, waiting)]
    if not cards:
        return None
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
    yield ActivationDeckBuilt(cards, rule="SMA-CAMP-20" if state.faces else "SMA-SETUP-12")
    if book.mission(state).setup:
        yield do(Carry(source=SETUP))


# Refusals

WORDS = {
    ChooseChallenges: "challenge",
    ChooseBoard: "board",
    ChooseEntry: "enter",
    ChooseSquad: "squad",
    DeploySquad: "deploy",
    CallMarine: "call",
    ChooseSkulls: "adv",
    EquipSquad: "equip",
}
"""The word that answers each question."""


def explain_setup(book: Book, state: LevelState, step: Any, action: Any) -> Refusal | None:
    """Return why an action does not answer the set-up's question, None when it does."""
    if type(step) is ChooseBoard and type(action) is act.LayBoard:
        if action.face in book.catalogue.faces:
            return Refusal(
                "SMA-CAMP-6",
                f"the board of {action.face} has been played on; left: {', '.join(open_faces(book, state))}",
            )
        return Refusal("SMA-SETUP-1", f"there is no face {action.face}: {', '.join(book.catalogue.faces)}")
    if type(step) is ChooseEntry and type(action) is act.Enter:
        return Refusal("SMA-SETUP-2", f"there is no exit {action.label}: {', '.join(EDGES)}")
    if type(step) is ChooseSquad and type(action) is act.Squad:
        return Refusal("SMA-SETUP-5", "a squad is four different Space Marines")
    if type(step) is DeploySquad and type(action) is act.Deploy:
        return _explain_deploy(book, state, action)
    if type(step) is EquipSquad and type(action) is act.Equip:
        return _explain_equip(book, state, action)
    word = WORDS[type(step)]
    if state.faces and type(action) is act.Squad:
        return Refusal("SMA-SETUP-17", f"in a campaign those who are left go on; `{word}` comes next")
    if state.faces and type(action) is act.Deploy and state.options.dock == "far_end":
        return Refusal("SMA-CAMP-8", f"whoever is left keeps his square; `{word}` comes next")
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
    if action.marine in state.equipped:
        return Refusal("SMA-SETUP-14", f"{name} has his card already")
    if action.card not in state.pool:
        return Refusal("SMA-SETUP-14", f"{card} ({action.card}) is not among the cards drawn")
    if any(action.card in marine.cards for marine in state.marines.values()):
        return Refusal("SMA-SETUP-14", f"somebody else has taken {card} ({action.card})")
    if action.card not in open_cards(state, action.marine):
        return Refusal("SMA-SETUP-15", f"{card} was not drawn for {name}")
    return Refusal("SMA-SETUP-14", "the cards are given out in the order of the squad")
