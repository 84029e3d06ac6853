"""What is in the box: boards, tiles, counters and cards of the packaged content, counted and looked at."""

from __future__ import annotations

from collections import Counter

import pytest
from helpers import CATALOGUE, laid

from warptape.domain.geometry import EAST, NORTH, SOUTH, WEST

FACES = tuple(CATALOGUE.faces)


def test_sma_comp_1_three_boards_of_two_faces() -> None:
    assert [len(board.faces) for board in CATALOGUE.boards.values()] == [2, 2, 2]
    assert sorted(face for board in CATALOGUE.boards.values() for face in board.faces) == sorted(FACES)
    assert len({CATALOGUE.faces[face].lines for face in FACES}) == 6


@pytest.mark.parametrize("face", FACES)
def test_sma_comp_1_every_face_is_a_maze_of_corridors(face: str) -> None:
    """All floor hangs together, and nothing but the objective's chamber is wider than a corridor."""
    lines = CATALOGUE.faces[face].lines
    grid = CATALOGUE.hulk(face, "A").grid
    assert grid.connected
    objective = grid.point(CATALOGUE.hulk(face, "A").objective)
    corners = [(x, y) for y in range(12) for x in range(12) if "#" not in lines[y][x : x + 2] + lines[y + 1][x : x + 2]]
    assert all(objective in {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)} for x, y in corners)


@pytest.mark.parametrize("face", FACES)
def test_sma_comp_2_and_sma_comp_3_the_marked_squares_of_a_face(face: str) -> None:
    """Four entry/exit squares, the only ones open on the edge; six numbered xenos entries; one objective."""
    lines = CATALOGUE.faces[face].lines
    rim = lines[0] + lines[12] + "".join(line[0] + line[12] for line in lines[1:12])
    assert sorted(rim.replace("#", "")) == ["A", "B", "C", "D"]
    found = Counter("".join(lines))
    assert [found[symbol] for symbol in "123456O"] == [1] * 7
    hulk = CATALOGUE.hulk(face, "A")
    assert len(set(hulk.xenos)) == 6
    assert hulk.objective not in hulk.xenos


@pytest.mark.parametrize(("label", "outwards"), [("A", NORTH), ("B", EAST), ("C", SOUTH), ("D", WEST)])
def test_sma_comp_4_and_sma_comp_5_two_strips_of_four(label: str, outwards: int) -> None:
    """The entry tile and the exit tile, either at any exit, straight out, joined by square 1 alone."""
    assert [(tile.prefix, tile.squares) for tile in CATALOGUE.tiles.values()] == [("V", 4), ("X", 4)]
    other = "C" if label != "C" else "A"
    for entry, exit_label, prefix in ((label, other, "V"), (other, label, "X")):
        hulk = CATALOGUE.hulk("1-up", entry, exit_label)
        grid = hulk.grid
        strip = [grid.square(f"{prefix}{number}") for number in (1, 2, 3, 4)]
        assert list(grid.ray(hulk.exits[label], outwards)) == strip
        touched = [square for square in grid.floor if set(grid.around[square]) & {*strip} and square not in strip]
        assert touched == [hulk.exits[label]]
        assert set(grid.around[hulk.exits[label]]) & {*strip} == {strip[0]}


def test_sma_comp_6_one_of_three_bulkheads_opens() -> None:
    faces = sorted(bulkhead.faces for bulkhead in CATALOGUE.bulkheads.values())
    assert faces == [("sealed", "open"), ("sealed", "sealed"), ("sealed", "sealed")]


def test_sma_comp_7_one_objective_counter() -> None:
    assert [objective.faces for objective in CATALOGUE.objectives.values()] == [("console", "prime")]


def test_sma_comp_9_the_creature_counters() -> None:
    assert Counter(counter.kind for counter in CATALOGUE.counters.values()) == {
        "termagant": 12,
        "genestealer": 5,
        "lictor": 5,
    }


@pytest.mark.parametrize("code", CATALOGUE.marines)
def test_sma_comp_10_a_datacard_has_two_sides_with_range_actions_and_ability(code: str) -> None:
    healthy, wounded = CATALOGUE.side(code, False), CATALOGUE.side(code, True)
    for side in (healthy, wounded):
        assert side.range >= 1
        assert side.actions >= 1
        assert side.ability
        assert side.effects
    assert healthy.ability == wounded.ability
    assert healthy != wounded


def test_sma_comp_11_the_resilience_of_a_datacard_is_that_of_its_counters() -> None:
    """A roll against a counter needs what the datacard of its kind says."""
    assert {kind: card.resilience for kind, card in CATALOGUE.tyranids.items()} == {
        "termagant": 3,
        "genestealer": 4,
        "lictor": 5,
        "prime": 6,
    }
    for counter in CATALOGUE.counters.values():
        level = laid(marines={"VOR": "h2"}, tyranids={"g2": counter.id}, turn="VOR")
        (action,) = [a for a in level.referee.decision.actions if type(a).__name__ == "Attack"]  # type: ignore[union-attr]
        assert f"needs {CATALOGUE.tyranids[counter.kind].resilience}" in level.rules.describe(level.state, action)


def test_sma_comp_12_the_activation_cards() -> None:
    shows = Counter(card.shows for card in CATALOGUE.activation.values())
    assert shows == {"maximus": 2, "adrix": 2, "raphael": 2, "lukas": 2, "vorne": 2, "tyranid": 6}
    assert sum(card.extra for card in CATALOGUE.activation.values()) == 2


def test_sma_comp_13_special_cards_infestation_decks_and_briefings() -> None:
    assert len(CATALOGUE.specials) == 28
    assert {level: len(set(deck)) for level, deck in CATALOGUE.decks.items()} == {1: 24, 2: 29, 3: 30}
    assert {*CATALOGUE.missions} == {(level, variant) for level in (1, 2, 3) for variant in ("single", "campaign")}


def test_sma_comp_14_the_printed_figures_and_what_is_house() -> None:
    printed = {
        (code, wounded)
        for code in CATALOGUE.marines
        for wounded in (False, True)
        if CATALOGUE.side(code, wounded).actions_source == "printed"
    }
    assert {(code, CATALOGUE.side(code, wounded).actions) for code, wounded in printed} == {
        ("MAX", 4),
        ("RAP", 4),
        ("VOR", 3),
    }
    assert {side.range_source for side in CATALOGUE.sides.values()} == {"house"}
    assert {side.source for side in CATALOGUE.sides.values()} == {"house"}
    assert {kind for kind, card in CATALOGUE.tyranids.items() if card.resilience_source == "printed"} == {"termagant"}
