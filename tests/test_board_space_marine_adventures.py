"""Space Marine Adventures drawn: what the board shows of a state, and that it shows nothing that nobody has seen."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from warptape.domain.rules import Decision
from warptape.domain.space_marine_adventures.actions import END, Attack, Move
from warptape.domain.space_marine_adventures.catalogue import Catalogue, load
from warptape.domain.space_marine_adventures.state import Creature, Ending, LevelState, Marine, TurnRecord
from warptape.domain.states import Bag, Shuffled
from warptape.projections.boards.space_marine_adventures import draw
from warptape.projections.scene import Scene


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load()


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


def test_the_board_in_text(catalogue: Catalogue) -> None:
    text = draw(catalogue, level(), "Boarding").text()
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


def test_the_panels(catalogue: Catalogue) -> None:
    state = level()
    state.activation = next(card.id for card in catalogue.activation.values() if card.shows == "maximus")
    state.known = [catalogue.decks[1][0]]
    inside = [item for item, counter in catalogue.counters.items() if counter.kind != "lictor"]
    state.chance.bags["creatures"] = Bag(tuple(sorted(inside)), {item: item for item in inside[:4]})
    scene = draw(catalogue, state, "Boarding")
    assert scene.subtitle == "Level 1: Enter the Space Hulk. Gantry Lattice. Round 3. Maximus acts"
    squad = rows(scene, "Squad")
    healthy, hurt = catalogue.side("MAX", False), catalogue.side("RAP", True)
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
        ("Known on top", catalogue.infestation[catalogue.decks[1][0]].name),
        ("Bag", rows(scene, "Hulk")[5][1]),
        ("Destroyed", "2 Termagants"),
        ("Console", "f8, needs 6"),
        ("Sealed", "B, C (can open), D"),
    ]
    assert sum(int(part.split()[0]) for part in rows(scene, "Hulk")[5][1].split(", ")) == len(inside) - 4


def test_legal_moves_and_targets_are_marked(catalogue: Catalogue) -> None:
    decision = Decision("team", (Move("h3"), Move("g2"), Attack("f3"), Attack("f3"), END), "Maximus: what next?")
    scene = draw(catalogue, level(), "Boarding", decision)
    assert [(mark.at, mark.role) for mark in scene.marks] == [
        ((7, 2), "mark"),
        ((6, 1), "mark"),
        ((5, 2), "mark.danger"),
    ]
    assert " 3 ███ · █████████‹T1███ * ███" in scene.text()


def test_an_opened_bulkhead_has_its_tile(catalogue: Catalogue) -> None:
    state = level()
    state.console, state.exit, state.sealed = True, "C", ("B", "D")
    state.marines["LUK"].square = "X2"
    del state.tyranids["f8"]
    scene = draw(catalogue, state, "Boarding")
    cells = {cell.name: cell for cell in scene.cells if cell.name}
    assert {"X1, exit tile", "X4, exit tile", "f13, exit C", "f8, console, activated"} <= cells.keys()
    assert cells["f13, exit C"].kind == "exit"
    assert cells["a8, exit D, sealed bulkhead"].kind == "bulkhead"
    assert next(piece for piece in scene.pieces if piece.name.startswith("Lukas")).at == (5, 14)
    assert ("Way out", "C: X1 to X4") in rows(scene, "Hulk")


def test_before_anything_is_laid(catalogue: Catalogue) -> None:
    empty = draw(catalogue, LevelState(), "Boarding", Decision("team", (), "Which board?"))
    assert (empty.cells, empty.pieces, empty.legend) == ((), (), ())
    assert "Which board?" in empty.text()
    laid = draw(catalogue, LevelState(face="2-down"), "Boarding")
    assert len(laid.cells) == 13 * 13
    assert {cell.glyph for cell in laid.cells if cell.kind == "exit"} == set("ABCD")


def test_the_end(catalogue: Catalogue) -> None:
    state = level()
    state.turn, state.ended = None, Ending("all_on_exit", "minor", 3, 3)
    scene = draw(catalogue, state, "Boarding")
    assert scene.subtitle.endswith("Minor victory")
    assert rows(scene, "The level is over")[:2] == [
        ("Result", "minor victory"),
        ("Because", "all Marines in play stand on the exit tile"),
    ]


def test_every_face_and_layout_is_drawn(catalogue: Catalogue) -> None:
    for face in [*catalogue.faces, *catalogue.fixtures]:
        for entry in "ABCD" if face in catalogue.faces else "A":
            state = LevelState(face=face, entry=entry)
            scene = draw(catalogue, state, face)
            assert scene.cells
            assert all(len(line) <= 100 for line in scene.text().splitlines())
            ET.fromstring(scene.svg())
            if face in catalogue.faces:
                assert len(scene.cells) == 13 * 13 + 4


def test_every_piece_and_sign_is_in_the_legend(catalogue: Catalogue) -> None:
    scene = draw(catalogue, level(), "Boarding")
    assert [key.text for key in scene.legend] == [
        "Maximus", "Raphael", "Lukas", "wounded", "Termagant", "Genestealer", "Lictor",
        "xenos entry", "exit", "sealed bulkhead", "console", "vessel",
    ]  # fmt: skip
    assert {(piece.glyph, piece.role) for piece in scene.pieces} <= {(key.glyph, key.role) for key in scene.legend}
