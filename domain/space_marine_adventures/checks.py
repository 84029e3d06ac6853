"""What must hold in this game's content beyond the types of its fields, so that the rules can be played with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..errors import ContentError
from ..geometry import Grid
from . import records as r
from .hulk import EDGES, misplaced, symbols

if TYPE_CHECKING:
    from .catalogue import Catalogue

DECK_SIZES: Mapping[int, int] = {1: 24, 2: 29, 3: 30}
CREATURES: Mapping[str, int] = {"termagant": 12, "genestealer": 5, "lictor": 5}
EDGE_NAMES: Mapping[str, str] = {"A": "north", "B": "east", "C": "south", "D": "west"}
GRADES = ("major", "minor", "draw", "loss")
CAMPAIGN_GRADES: Mapping[int, tuple[str, ...]] = {
    1: ("completed", "campaign_lost"),
    2: ("completed", "campaign_lost"),
    3: ("epic_victory", "campaign_lost"),
}
"""The results that a level can have: after Level 3 there is nothing to go on to (SMA-CAMP-21, SMA-CAMP-22)."""
PLACES = (*EDGES, "1", "2", "3", "4", "5", "6", "O")
"""The symbols that every face has exactly once."""


def check(catalogue: Catalogue) -> None:
    """Raises ContentError for the first thing that does not hold (SMA-COMP-1 to SMA-COMP-13)."""
    _boards(catalogue)
    _squad(catalogue)
    _creatures(catalogue)
    _cards(catalogue)
    _missions(catalogue)
    _fixtures(catalogue)


def _count(file: str, table: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise ContentError(f"{file}: {table}: there must be {wanted}, not {found}.")


def _boards(catalogue: Catalogue) -> None:
    wrong, name = catalogue.content.wrong, "boards.toml"
    _count(name, "boards", len(catalogue.boards), 3)
    _count(name, "faces", len(catalogue.faces), 6)
    for number, board in enumerate(catalogue.boards.values()):
        for face_id in board.faces:
            if face_id not in catalogue.faces:
                raise wrong(name, "boards", number, f"there is no face '{face_id}'.", "faces")
            if catalogue.faces[face_id].board != board.id:
                raise wrong(name, "boards", number, f"face '{face_id}' names another board.", "faces")
    if {*catalogue.tiles} != {"V", "X"}:
        raise ContentError(f"{name}: vessel_tiles: there must be one with prefix V and one with prefix X.")
    for number, tile in enumerate(catalogue.tiles.values()):
        if sorted(part.square for part in tile.offsets) != [1, 2, 3, 4] or tile.squares != 4:
            raise wrong(name, "vessel_tiles", number, "a tile has the squares 1 to 4, each once.", "offsets")
    for number, face in enumerate(catalogue.faces.values()):
        if not any(face.id in board.faces for board in catalogue.boards.values()):
            raise wrong(name, "faces", number, f"board '{face.board}' does not have this face.", "board")
        reason = next(_faults(face, catalogue), None)
        if reason:
            raise wrong(name, "faces", number, f"{reason}.", "grid")


def _faults(face: r.Face, catalogue: Catalogue) -> Iterator[str]:
    lines = face.lines
    if (face.rows, face.columns) != (13, 13) or len(lines) != 13 or any(len(line) != 13 for line in lines):
        yield "a face has 13 rows of 13 squares"
        return
    found = Counter("".join(lines))
    strange = sorted(found.keys() - {"#", ".", *PLACES})
    if strange:
        yield f"'{strange[0]}' is no symbol of the legend"
    for symbol in PLACES:
        if found[symbol] != 1:
            yield f"'{symbol}' must be there exactly once, not {found[symbol]} times"
            return
    marks = symbols(face)
    edges = {
        "A": {(x, 0) for x in range(1, 12)},
        "B": {(12, y) for y in range(1, 12)},
        "C": {(x, 12) for x in range(1, 12)},
        "D": {(0, y) for y in range(1, 12)},
    }
    for label, places in edges.items():
        if marks[label] not in places:
            yield f"'{label}' must lie on the {EDGE_NAMES[label]} edge, off its corners"
            return
    rim = lines[0] + lines[12] + "".join(line[0] + line[12] for line in lines[1:12])
    if any(symbol not in {"#", *EDGES} for symbol in rim):
        yield "only A to D may be open on the edge"
    if not Grid.from_rows(lines).connected:
        yield "every square that is not wall must be reachable from every other"
    yield from misplaced(face, (catalogue.tiles["V"], catalogue.tiles["X"]))


def _squad(catalogue: Catalogue) -> None:
    wrong, name = catalogue.content.wrong, "marines.toml"
    _count(name, "marines", len(catalogue.marines), 5)
    _count(name, "marines with an id of their own", len(catalogue.codes), 5)
    for number, side in enumerate(catalogue.sides.values()):
        if side.marine not in catalogue.codes:
            raise wrong(name, "marine_sides", number, f"there is no Marine '{side.marine}'.", "marine")
    _count(name, "marine_sides", len(catalogue.sides), 10)
    _count(name, "marine_sides with an id of their own", len({side.id for side in catalogue.sides.values()}), 10)


def _creatures(catalogue: Catalogue) -> None:
    wrong, name = catalogue.content.wrong, "tyranids.toml"
    _count(name, "tyranids", len(catalogue.tyranids), 4)
    have = Counter(counter.kind for counter in catalogue.counters.values())
    for number, card in enumerate(catalogue.tyranids.values()):
        wanted = 1 if card.kind == "prime" else CREATURES[card.kind]
        found = len(catalogue.objectives) if card.kind == "prime" else have[card.kind]
        if card.counters != wanted:
            raise wrong(name, "tyranids", number, f"it has {wanted} counters, not {card.counters}.", "counters")
        _count(name, f"counters of kind '{card.kind}'", found, wanted)
    _count(name, "damage_counters", len(catalogue.damage_counters), 3)
    prime = catalogue.tyranids["prime"]
    _count(name, "damage_counters of the Prime", prime.damage_counters or 0, 3)
    _count(name, "bulkheads", len(catalogue.bulkheads), 3)
    _count(name, "bulkheads that open", sum("open" in bulkhead.faces for bulkhead in catalogue.bulkheads.values()), 1)
    if {*catalogue.counters} & {card.code for card in catalogue.tyranids.values()}:
        raise ContentError(f"{name}: counters: a counter's id must not be the code of a datacard.")


def _cards(catalogue: Catalogue) -> None:
    wrong = catalogue.content.wrong
    name = "activation.toml"
    for number, card in enumerate(catalogue.activation.values()):
        if card.shows != "tyranid" and card.shows not in catalogue.codes:
            raise wrong(name, "activation", number, f"there is no Marine '{card.shows}'.", "shows")
        if card.extra and card.shows != "tyranid":
            raise wrong(name, "activation", number, "only Tyranid cards can be extra ones.", "extra")
    shown = Counter(card.shows for card in catalogue.activation.values())
    for marine in catalogue.codes:
        _count(name, f"activation cards of '{marine}'", shown[marine], 2)
    _count(name, "Tyranid activation cards", shown["tyranid"], 6)
    _count(name, "extra Tyranid activation cards", sum(card.extra for card in catalogue.activation.values()), 2)

    name = "specials.toml"
    _count(name, "specials", len(catalogue.specials), 28)
    copies: dict[str, list[int]] = {}
    for special in catalogue.specials.values():
        copies.setdefault(special.design, []).append(special.copy)
    for number, special in enumerate(catalogue.specials.values()):
        if sorted(copies[special.design]) != list(range(1, special.copies + 1)):
            reason = f"the copies of '{special.design}' must be numbered 1 to {special.copies}, each once."
            raise wrong(name, "specials", number, reason, "copies")

    for level, size in DECK_SIZES.items():
        _count("infestation.toml", f"cards of level {level}", len(catalogue.decks[level]), size)
        _count("advanced.toml", f"infestation cards of level {level}", len(catalogue.skull_cards[level]), 2)
        dared = sum(challenge.level == level for challenge in catalogue.challenges.values())
        _count("advanced.toml", f"challenges of level {level}", dared, 2)
    for table, ids, skull in (
        ("infestation", catalogue.decks, False),
        ("advanced_infestation", catalogue.skull_cards, True),
    ):
        for card_id in (one for level in ids.values() for one in level):
            if catalogue.infestation[card_id].skull is not skull:
                file = "advanced.toml" if skull else "infestation.toml"
                raise ContentError(f"{file}: {table} '{card_id}': skull must be {str(skull).lower()} in this file.")


def _missions(catalogue: Catalogue) -> None:
    wrong, name = catalogue.content.wrong, "missions.toml"
    _count(name, "missions", len(catalogue.missions), 6)
    _count(name, "missions with an id of their own", len({one.id for one in catalogue.missions.values()}), 6)
    for number, mission in enumerate(catalogue.missions.values()):
        if mission.results[-1].test != "always":
            raise wrong(name, "missions", number, "its last row of results must have the test 'always'.", "results")
        grades = GRADES if mission.variant == "single" else CAMPAIGN_GRADES[mission.level]
        if any(row.result not in grades for row in mission.results):
            reason = f"a result of this level is one of {', '.join(grades)}."
            raise wrong(name, "missions", number, reason, "results")
        if mission.prime.enabled and not mission.prime.destroyed_at:
            raise wrong(name, "missions", number, "destroyed_at must say how many damage counters it takes.", "prime")
        if mission.console.enabled and not mission.console.need:
            raise wrong(name, "missions", number, "need must say what a console try must reach.", "console")
        wanted = {"all_out", "deck_out", "prime_destroyed" if mission.prime.enabled else "all_on_exit"}
        if {*mission.ends} != wanted:
            raise wrong(name, "missions", number, f"its ends must be {', '.join(sorted(wanted))}.", "ends")
        if mission.console.enabled and mission.prime.enabled:
            raise wrong(name, "missions", number, "the objective is the console or the Prime, not both.", "console")


def _fixtures(catalogue: Catalogue) -> None:
    wrong, name = catalogue.content.wrong, "fixtures.toml"
    for number, fixture in enumerate(catalogue.fixtures.values()):
        if fixture.id in catalogue.faces:
            raise wrong(name, "fixtures", number, "a face has that id.", "id")
        try:
            board = Grid.from_rows(fixture.grid.split())
        except ValueError as error:
            raise wrong(name, "fixtures", number, str(error), "grid") from error
        named = [(mark.split()[-1:] or [""])[0] for mark in fixture.marks.values()]
        for square in (*named, *fixture.entries.values()):
            if board.index.get(square) not in board.floor:
                raise wrong(name, "fixtures", number, f"'{square}' is no floor square of its grid.", "marks")
