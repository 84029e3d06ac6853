"""Space Marine Adventures drawn: what the board shows of a state, and that it shows nothing that nobody has seen."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from warptape.domain.rules import Decision
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.actions import END, Attack, Call, Enter, LayBoard, Move, NoCall
from warptape.domain.space_marine_adventures.book import Book
from warptape.domain.space_marine_adventures.catalogue import load
from warptape.domain.space_marine_adventures.positions import position
from warptape.domain.space_marine_adventures.state import Creature, Ending, LevelState, Marine, Options, TurnRecord
from warptape.domain.space_marine_adventures.steps import CallMarine
from warptape.domain.states import Bag, Shuffled
from warptape.projections.boards.space_marine_adventures import board, draw
from warptape.projections.scene import Scene

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def book() -> Book:
    return Book(load())


def level() -> LevelState:
    """A level in the middle: two Marines out, one wounded, one gone, a bulkhead known, cards in hand."""
    state = LevelState(
        level=1,
        mission="mission-1",
        face="1-up",
        entry="A",
        bulkheads=("B", "C", "D"),
        sealed=("B", "C", "D"),
        peeked={"C": "open"},
        objective="f8",
        squad=("MAX", "RAP", "LUK", "VOR"),
        marines={
            "MAX": Marine(square="h2", cards=["SP-01"]),
            "RAP": Marine(square="V1", wounds=1, spores=1),
            "LUK": Marine(square="h4"),
            "VOR": Marine(wounds=2),
        },
        tyranids={
            "f3": Creature("T1", "termagant"),
            "h5": Creature("G1", "genestealer"),
            "f8": Creature("L1", "lictor"),
        },
        kills={"termagant": 2},
        round=3,
        activation="ACT-MAX-1",
        known=["INF-1-02"],
        turn=TurnRecord(marine="MAX", allowance=4, spent=1, free_moves=1),
    )
    state.chance.ordinals = {"activation": 3, "infestation": 1}
    state.chance.decks = {
        "activation/3": Shuffled(("a",) * 12, {0: "a", 1: "a"}),
        "infestation/1": Shuffled(("i",) * 24, {0: "i", 1: "i", 2: "i"}),
    }
    return state


def rows(scene: Scene, title: str) -> list[tuple[str, str]]:
    return [(row.label, row.text) for panel in scene.panels if panel.title == title for row in panel.rows]


def test_the_board_in_text(book: Book) -> None:
    text = draw(book, level(), "Boarding").text()
    assert [line[:42].rstrip() for line in text.splitlines()[:20]] == [
        "Boarding",
        "Level 1: Enter the Space Hulk. Gantry Latt",
        "",
        "                        ░·░",
        "                        ░·░",
        "                        ░·░",
        "    a  b  c  d  e  f  g (R! i  j  k  l  m",
        " 1 █████████████████████ A ███████████████",
        " 2 ███ ·  ·  ·  ·  ·  · (M) ·  ·  ·  · ███",
        " 3 ███ · █████████‹T1███ · █████████ · ███",
        " 4 ███ ·  ·  · ███ · ███(L) ·  ·  ·  2 ███",
        " 5 ███ · ███ · ███ · ███‹G›█████████ · ███",
        " 6 ███ · ███ 3  ·  · ███ 4  ·  ·  ·  · ███",
        " 7 ███ · ███ · ███ · ███ · █████████ · ███",
        " 8 ▒D▒ ·  ·  · ███‹L› ·  ·  ·  · ███ · ███",
        " 9 ███ · █████████ · █████████ · ███ · ███",
        "10 ███ ·  5  ·  ·  ·  ·  6  ·  · ███ · ▒B▒",
        "11 ███ · ███████████████ · ███ · ███ · ███",
        "12 ███ ·  ·  ·  ·  ·  ·  · ███ ·  ·  · ███",
        "13 ███████████████▒C▒█████████████████████",
    ]
    assert all(len(line) <= 100 for line in text.splitlines())


def test_the_panels(book: Book) -> None:
    state = level()
    state.activation = next(card.id for card in book.catalogue.activation.values() if card.shows == "maximus")
    state.known = [book.catalogue.decks[1][0]]
    inside = [item for item, counter in book.catalogue.counters.items() if counter.kind != "lictor"]
    state.chance.bags["creatures"] = Bag(tuple(sorted(inside)), {item: item for item in inside[:4]})
    scene = draw(book, state, "Boarding")
    assert scene.subtitle == "Level 1: Enter the Space Hulk. Gantry Lattice. Round 3. Maximus acts"
    squad = rows(scene, "Squad")
    healthy, hurt = book.catalogue.side("MAX", False), book.catalogue.side("RAP", True)
    assert squad == [
        ("MAX Maximus", f"at h2, 4 actions, range {healthy.range}, {healthy.ability}"),
        ("", "his turn: 3 of 4 actions left, 1 free Move"),
        ("", "SP-01 Frag Grenade"),
        (
            "RAP Raphael",
            f"at V1, wounded, {hurt.actions} actions, range {hurt.range}, {hurt.ability}, 1 fewer next turn (spores)",
        ),
        ("LUK Lukas", squad[4][1]),
        ("VOR Vorne", "out of action"),
    ]
    assert rows(scene, "Hulk") == [
        ("Round", "3"),
        ("Activation card", "Maximus"),
        ("Activation deck", "10 of 12 left"),
        ("Infestation deck", "22 left"),
        ("Known on top", book.catalogue.infestation[book.catalogue.decks[1][0]].name),
        ("Bag", rows(scene, "Hulk")[5][1]),
        ("Destroyed", "2 Termagants"),
        ("Console", "f8, needs 6"),
        ("Sealed", "B, C (can open), D"),
    ]
    assert sum(int(part.split()[0]) for part in rows(scene, "Hulk")[5][1].split(", ")) == len(inside) - 4


def test_legal_moves_and_targets_are_marked(book: Book) -> None:
    decision = Decision("team", (Move("h3"), Move("g2"), Attack("f3"), Attack("f3"), END), "Maximus: what next?")
    scene = draw(book, level(), "Boarding", decision)
    assert [(mark.at, mark.role) for mark in scene.marks] == [
        ((7, 2), "mark"),
        ((6, 1), "mark"),
        ((5, 2), "mark.danger"),
    ]
    assert " 3 ███ · █████████‹T1███ * ███" in scene.text()


def test_an_opened_bulkhead_has_its_tile(book: Book) -> None:
    state = level()
    state.console, state.exit, state.sealed = True, "C", ("B", "D")
    state.marines["LUK"].square = "X2"
    del state.tyranids["f8"]
    scene = draw(book, state, "Boarding")
    cells = {cell.name: cell for cell in scene.cells if cell.name}
    assert {"X1, exit tile", "X4, exit tile", "f13, exit C", "f8, console, activated"} <= cells.keys()
    assert cells["f13, exit C"].kind == "exit"
    assert cells["a8, exit D, sealed bulkhead"].kind == "bulkhead"
    assert next(piece for piece in scene.pieces if piece.name.startswith("Lukas")).at == (5, 14)
    assert ("Way out", "C: X1 to X4") in rows(scene, "Hulk")


def test_before_anything_is_laid(book: Book) -> None:
    empty = draw(book, LevelState(), "Boarding", Decision("team", (), "Which board?"))
    assert (empty.cells, empty.pieces, empty.legend) == ((), (), ())
    assert "Which board?" in empty.text()
    laid = draw(book, LevelState(face="2-down"), "Boarding")
    assert len(laid.cells) == 13 * 13
    assert {cell.glyph for cell in laid.cells if cell.kind == "exit"} == set("ABCD")


def test_the_end(book: Book) -> None:
    state = level()
    state.turn, state.ended = None, Ending("all_on_exit", "minor", 3, 3)
    scene = draw(book, state, "Boarding")
    assert scene.subtitle.endswith("Minor victory")
    assert rows(scene, "The level is over")[:2] == [
        ("Result", "minor victory"),
        ("Because", "all who are left stand on the exit tile"),
    ]


def test_every_face_and_layout_is_drawn(book: Book) -> None:
    for face in [*book.catalogue.faces, *book.catalogue.fixtures]:
        for entry in "ABCD" if face in book.catalogue.faces else "A":
            state = LevelState(face=face, entry=entry)
            scene = draw(book, state, face)
            assert scene.cells
            assert all(len(line) <= 100 for line in scene.text().splitlines())
            ET.fromstring(scene.svg())
            if face in book.catalogue.faces:
                assert len(scene.cells) == 13 * 13 + 4


def test_every_piece_and_sign_is_in_the_legend(book: Book) -> None:
    scene = draw(book, level(), "Boarding")
    assert [key.text for key in scene.legend] == [
        "Maximus", "Raphael", "Lukas", "wounded", "Termagant", "Genestealer", "Lictor",
        "xenos entry", "exit", "sealed bulkhead", "console", "vessel",
    ]  # fmt: skip
    assert {(piece.glyph, piece.role) for piece in scene.pieces} <= {(key.glyph, key.role) for key in scene.legend}


# Levels 2 and 3, advanced cards, the campaign


def lair() -> LevelState:
    """Level 3 in the middle: the Prime hurt twice and guarded, both challenges in use and one from another level."""
    state = position(
        "1-up",
        level=3,
        marines={"MAX": "f3", "RAP": "f7", "VOR": "V1"},
        wounded=["RAP"],
        out=["ADR"],
        turn="MAX",
        tyranids={"f9": "lictor", "h8": "genestealer", "d6": "termagant"},
        damage=2,
        skulls=["ADV-3-1"],
        dares=["CHA-1-2", "CHA-3-1", "CHA-3-2"],
        kills={"lictor": 2},
        hardened={"termagant": 1},
        round=4,
        options=Options(level=3, players="MAX=Anna,RAP=Ben"),
    )
    state.triggered, state.due = {"CHA-3-2": 2}, ["CHA-3-2"]
    return state


def between(face: str = "") -> LevelState:
    """A campaign after Level 1: three wait on the tile, one wounded, the fourth was taken out of action."""
    state = LevelState(
        level=2,
        mission="campaign-2",
        face=face,
        squad=("ADR", "RAP", "VOR"),
        marines={"ADR": Marine("X1", cards=["SP-06"]), "RAP": Marine("X4", wounds=1), "VOR": Marine("X2")},
        faces=("3-up",),
        gone=("MAX",),
        fallen=("MAX",),
        dares=("CHA-1-1", "CHA-2-2"),
        pending=[CallMarine()],
        options=Options(mode="campaign", challenges="CHA-1-1,CHA-2-2"),
    )
    state.chance.ordinals = {"infestation": 1}
    state.cleared = {"infestation": 1}
    return state


BOARDS = {
    "level_3": lambda: (lair(), None),
    "campaign_waiting": lambda: (between(), Decision("team", (LayBoard("1-up"),), "Which board?")),
    "campaign_docking": lambda: (
        between("1-up"),
        Decision("team", (Enter("A"), Enter("B"), Enter("C"), Enter("D")), "By which exit do you enter?"),
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_level_3_board_and_a_campaign_between_levels(book: Book, name: str) -> None:
    """Written anew with WARPTAPE_GOLDEN=1, to be read before it is committed."""
    state, decision = BOARDS[name]()
    scene = draw(book, state, name.replace("_", " ").capitalize(), decision)
    for kind, drawn in (("txt", scene.text() + "\n"), ("svg", scene.svg())):
        golden = GOLDEN / f"space_marine_adventures_{name}.{kind}"
        if os.environ.get("WARPTAPE_GOLDEN") == "1":
            golden.write_text(drawn, encoding="utf-8")
        assert drawn == golden.read_text(encoding="utf-8")
        assert all(len(line) <= 100 for line in drawn.splitlines()) or kind == "svg"
    ET.fromstring(scene.svg())


def test_the_prime_and_what_keeps_it_from_harm(book: Book) -> None:
    state = lair()
    assert ("Prime", "f8, 2 of 4 damage counters, guarded from f9") in rows(draw(book, state, "x"), "Hulk")
    state.dares = ()
    del state.tyranids["f9"]
    state.moved()
    scene = draw(book, state, "x")
    assert ("Prime", "f8, 2 of 3 damage counters, can be harmed within 3") in rows(scene, "Hulk")
    prime = next(piece for piece in scene.pieces if piece.name.startswith("Tyranid Prime"))
    assert (prime.name, prime.badge) == ("Tyranid Prime at f8, 2 of 3 damage counters", "2")
    assert "Console" not in dict(rows(scene, "Hulk"))
    state.damage = 0
    assert "damaged" not in [key.text for key in draw(book, state, "x").legend]


def test_what_the_console_needs_counts_the_lictors(book: Book) -> None:
    for killed, plus in ((0, 0), (2, 2), (4, 3)):
        state = position("1-up", level=2, marines={"MAX": "h2"}, kills={"lictor": killed})
        facts = dict(rows(draw(book, state, "x"), "Hulk"))
        assert facts["Console"] == f"f8, needs 8, +{plus} for Lictors destroyed (at most +3)"


def test_challenges_say_how_far_they_are(book: Book) -> None:
    state = position("1-up", level=2, marines={"MAX": "h2"}, kills={"lictor": 1, "termagant": 5}, skulls=["ADV-2-1"])
    state.dares = ("CHA-2-1", "CHA-2-2", "CHA-3-1")
    named = {card: book.catalogue.challenges[card].name for card in state.dares}
    skull = book.catalogue.infestation["ADV-2-1"].name
    assert rows(draw(book, state, "x"), "Advanced cards") == [
        (named["CHA-2-1"], "has not taken effect"),
        (named["CHA-2-2"], "1 of 3 Lictors destroyed"),
        (named["CHA-3-1"], "of Level 3"),
        (skull, "skull card, in the deck"),
    ]
    state.triggered, state.due = {"CHA-2-1": 1}, ["CHA-2-1"]
    text = dict(rows(draw(book, state, "x"), "Advanced cards"))
    assert text[named["CHA-2-1"]] == "took effect 1 time, 1 extra Tyranid card from the next round on"
    state.due = []
    state.deck = (*state.deck, next(card.id for card in book.catalogue.activation.values() if card.extra))
    assert dict(rows(draw(book, state, "x"), "Advanced cards"))["Extra Tyranid cards"] == "1 in the activation deck"
    state.chance.decks[f"infestation/{state.chance.ordinals['infestation']}"].seen[0] = "ADV-2-1"
    assert dict(rows(draw(book, state, "x"), "Advanced cards"))[skull] == "skull card, turned over"


def test_what_a_campaign_has_come_to(book: Book) -> None:
    state = between()
    assert rows(draw(book, state, "x"), "Campaign") == [
        ("Level", "2 of 3"),
        ("Boards played", "Plasma Conduits"),
        ("Out of action", "Maximus"),
        ("Call for help", "can be made"),
    ]
    state.gone, state.strays, state.fallen = ("MAX", "LUK"), ("LUK",), ()
    state.called, state.faces = True, ("3-up", "1-down")
    assert rows(draw(book, state, "x"), "Campaign")[1:] == [
        ("Boards played", "Plasma Conduits and Cargo Heart"),
        ("Left behind", "Lukas"),
        ("Lost before", "Maximus"),
        ("Call for help", "made"),
    ]
    state.called, state.pending = False, []
    assert ("Call for help", "not made") in rows(draw(book, state, "x"), "Campaign")
    state.over, state.ended = "epic_victory", Ending("prime_destroyed", "epic_victory", 0, 2, 2)
    scene = draw(book, state, "x")
    assert scene.subtitle.endswith("Epic victory")
    assert rows(scene, "The campaign is over")[:2] == [
        ("Result", "epic victory"),
        ("Because", "the Prime is destroyed"),
    ]
    assert rows(scene, "Campaign")[0] == ("Result", "epic victory")


def test_who_may_be_sent_for_is_marked(book: Book) -> None:
    state = between("1-up")
    state.entry = "A"
    for code, square in (("ADR", "V4"), ("RAP", "V1"), ("VOR", "V3")):
        state.marines[code].square = square
    decision = Decision("team", (Call("LUK", "V2"), NoCall()), "Send for the Space Marine who has not played yet?")
    scene = draw(book, state, "x", decision)
    (mark,) = scene.marks
    assert mark.name == "Lukas may be sent for to V2"
    assert mark.at == next((cell.x, cell.y) for cell in scene.cells if cell.name.startswith("V2,"))


def test_nothing_that_is_not_on_the_table_is_drawn(book: Book) -> None:
    """Before the tile docks nobody stands on a square of the tile that lies there in other games."""
    state = between("1-up")
    scene = draw(book, state, "x")
    assert len({piece.at for piece in scene.pieces}) == len(scene.pieces) == 3
    assert {piece.at for piece in scene.pieces} <= {(cell.x, cell.y) for cell in scene.cells if cell.kind == "vessel"}
    assert sum(cell.kind == "vessel" for cell in scene.cells) == 4


def test_the_rows_of_words_say_what_the_board_says() -> None:
    state = lair()
    said = dict(RULESET.summarize(state))
    assert said["Tyranid Prime"] == "on f8, 2 damage counters"
    assert said["Challenges"] == "Cleanse and Burn, Adrenal Glands and Death Throes"
    assert said["Challenges that took effect"] == "Death Throes"
    assert (said["Tyranid cards to join"], said["Skull cards"]) == ("1", "Hyper-regeneration")
    assert said["Sergeant Maximus"].endswith("played by Anna")
    assert "Console" not in said
    campaign = dict(RULESET.summarize(between()))
    assert campaign["Level of the campaign"] == "2 of 3"
    assert (campaign["Boards played"], campaign["Out of action"]) == ("Plasma Conduits", "Sergeant Maximus")
    assert "Call for help" not in campaign
    assert board(RULESET, lair()).title == RULESET.title
