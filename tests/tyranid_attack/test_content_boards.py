"""The boards, cards and objectives of Tyranid Attack: shape, floor, room for templates, and what each card does."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from warptape.domain.tyranid_attack import effects as e
from warptape.domain.tyranid_attack.catalogue import load
from warptape.domain.tyranid_attack.checks_boards import floor, named, places, reached
from warptape.domain.tyranid_attack.records import Section

CATALOGUE = load()
CARDS = CATALOGUE.cards
SECTIONS = list(CATALOGUE.sections.values())

# The boards


def ids(section: Section) -> str:
    return section.id


def test_ta_board_1_and_5_sections_have_one_shape_and_six_passages() -> None:
    shape = CATALOGUE.geometry
    assert (shape.columns, shape.rows, shape.pitch_x, shape.pitch_y) == (15, 11, 14, 10)
    assert shape.rotations == (0, 180)
    for section in SECTIONS:
        rows = section.rows
        assert [len(row) for row in rows] == [15] * 11
        doors = {named((x, y)) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "+"}
        assert doors == {"e1", "k1", "e11", "k11", "a6", "o6"}
        edge = rows[0] + rows[-1] + "".join(row[0] + row[-1] for row in rows)
        assert Counter(edge) == {"#": 2 * 15 + 2 * 11 - 6, "+": 6}  # the corners are there twice
        assert {mark for row in rows[1:-1] for mark in row[1:-1]} == {"#", "."}


def test_ta_board_4_sections_are_numbered_1_to_6() -> None:
    assert [*CATALOGUE.sections] == [1, 2, 3, 4, 5, 6]
    assert [section.number for section in SECTIONS] == [1, 2, 3, 4, 5, 6]


def test_entrances_meet_in_either_turn() -> None:
    for section in SECTIONS:
        there = {square for square in floor(section) if section.rows[square[1]][square[0]] == "+"}
        assert there == {(14 - x, 10 - y) for x, y in there}


def turned(squares: set[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(14 - x, 10 - y) for x, y in squares}


@pytest.mark.parametrize("section", SECTIONS, ids=ids)
@pytest.mark.parametrize("sealed", [False, True])
def test_all_floor_hangs_together_in_both_turns(section: Section, sealed: bool) -> None:
    ground = floor(section)
    assert 67 <= len(ground) <= 97
    assert reached(ground, sealed) == ground
    assert reached(turned(ground), sealed) == turned(ground)


def test_a_gap_between_two_walls_is_open_or_sealed() -> None:
    diagonal = {(0, 0), (1, 1)}
    assert reached(diagonal, sealed=False) == diagonal
    assert reached(diagonal, sealed=True) == {(0, 0)}
    assert reached(diagonal | {(1, 0)}, sealed=True) == diagonal | {(1, 0)}


@pytest.mark.parametrize("section", SECTIONS, ids=ids)
def test_entrances_are_5_to_14_steps_apart(section: Section) -> None:
    ground = floor(section)
    doors = sorted(square for square in ground if section.rows[square[1]][square[0]] == "+")
    apart = set()
    for start, end in combinations(doors, 2):
        found, edge, steps = {start}, {start}, 0
        while end not in found:
            edge = {(x + dx, y + dy) for x, y in edge for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & ground - found
            found |= edge
            steps += 1
        apart.add(steps)
    assert min(apart) >= 5
    assert max(apart) <= 14


def test_room_for_templates() -> None:
    """At least 28 places for a 2x2 template and 32 for a 3x2 one, both ways round together, in each section."""
    assert [len(places(section, 2, 2)) for section in SECTIONS] == [52, 44, 41, 28, 28, 38]
    assert [len(places(section, 3, 2)) + len(places(section, 2, 3)) for section in SECTIONS] == [82, 42, 46, 32, 38, 40]


@pytest.mark.parametrize("section", SECTIONS, ids=ids)
def test_a_template_lies_on_floor_and_not_on_half_squares(section: Section) -> None:
    for wide, high in ((2, 2), (3, 2), (2, 3)):
        for x, y in places(section, wide, high):
            covered = [row[x : x + wide] for row in section.rows[y : y + high]]
            assert covered == ["." * wide] * high


# The cards


def test_the_deck_holds_one_nothing_four_encounters_two_events_one_blobs_two_cysts_four_artifacts_two_allies() -> None:
    assert Counter(card.category for card in CARDS.values()) == {
        "nothing": 1, "encounter": 4, "event": 2, "acid_blobs": 1, "cysts": 2, "artifact": 4, "allies": 2,
    }  # fmt: skip
    assert Counter(card.after for card in CARDS.values()) == {"discard": 10, "keep": 4, "remove": 2}
    assert [id for id, card in CARDS.items() if card.after == "remove"] == ["EX-14", "EX-15"]


def test_what_the_cards_do() -> None:
    def near(count: str, zone: e.Zone = "explored") -> e.PlaceTyranids:
        return e.PlaceTyranids(count=count, zone=zone, min_distance=2, kinds="any")

    assert {id: card.effects for id, card in CARDS.items()} == {
        "EX-01": (e.Nothing(),),
        "EX-02": (near("D3"),),
        "EX-03": (near("D3+1"),),
        "EX-04": (e.FreeReinforcements(count="2"),),
        "EX-05": (near("D6"),),
        "EX-06": (near("2", "front"),),
        "EX-07": (e.PlaceBlobs(count="2", zone="explored", min_distance=4),),
        "EX-08": (e.PlaceCysts(count="1", zone="explored", min_distance=0),),
        "EX-09": (e.PlaceCysts(count="2", zone="explored", min_distance=0),),
        "EX-10": (e.FindArtifact(number=1),),
        "EX-11": (e.FindArtifact(number=2), near("1")),
        "EX-12": (e.FindArtifact(number=3),),
        "EX-13": (e.FindArtifact(number=4), near("1")),
        "EX-14": (e.PlaceMarines(kinds=("terminator",) * 3 + ("terminator_flamer",), may_act=False),),
        "EX-15": (e.PlaceMarines(kinds=("librarian",), may_act=False),),
        "EX-16": (e.AttackMarines(dice=1, zone="explored"),),
    }


def test_numbers_and_powers_of_artifacts() -> None:
    assert {number: (artifact.card, artifact.name) for number, artifact in CATALOGUE.artifacts.items()} == {
        1: ("EX-10", "Power Blade"), 2: ("EX-11", "Warding Field"), 3: ("EX-12", "Grav Harness"),
        4: ("EX-13", "Combi-Weapon"),
    }  # fmt: skip
    assert [artifact.effect for artifact in CATALOGUE.artifacts.values()] == [
        e.BearerHthBonus(amount=2), e.BearerArmour(amount=1, maximum=6), e.BearerMove(amount=3),
        e.BearerFireDice(amount=2),
    ]  # fmt: skip
    assert {card.artifact: id for id, card in CARDS.items() if card.artifact} == {
        1: "EX-10", 2: "EX-11", 3: "EX-12", 4: "EX-13",
    }  # fmt: skip


ORDERS = {
    "TA-ORDER-9": ("double", "At the Double", (e.OrderMoves(count=2),), "two moves"),
    "TA-ORDER-10": ("sustained", "Sustained Fire", (e.OrderShots(count=2, only_if_unmoved=True),), "two shooting"),
    "TA-ORDER-11": ("blades", "Cold Steel", (e.OrderHthDice(amount=2),), "two extra dice"),
    "TA-ORDER-12": ("mark", "Mark Your Targets", (e.OrderShotBonus(amount=1), e.OrderSplitMove()), "adds 1"),
}


@pytest.mark.parametrize("rule", ORDERS)
def test_ta_order_9_to_12_orders(rule: str) -> None:
    key, name, effects, says = ORDERS[rule]
    order = CATALOGUE.orders[key]
    assert (order.name, order.effects) == (name, effects)
    assert says in order.text


def test_ta_order_9_to_12_are_all_the_orders() -> None:
    assert [*CATALOGUE.orders] == [key for key, *_ in ORDERS.values()]


# The objectives


def test_ta_obj_1_numbers_of_sections_tiles_and_objectives_agree() -> None:
    for section in SECTIONS:
        assert CATALOGUE.objectives[section.objective].number == section.number
    assert {tile.section: tile.objective for tile in CATALOGUE.tiles.values()} == {
        number: f"OBJ-{number}" for number in range(1, 7)
    }


def test_ta_obj_4_sizes() -> None:
    assert [objective.size for objective in CATALOGUE.objectives.values()] == [
        (3, 2), (2, 2), (2, 2), (2, 2), (3, 2), (3, 2),
    ]  # fmt: skip


def test_defenders_armour_and_the_fourth_template() -> None:
    assert (CATALOGUE.defenders, CATALOGUE.objective_armour, CATALOGUE.needed) == ("D6", 6, 4)


def test_what_objectives_do() -> None:
    assert [objective.effect for objective in CATALOGUE.objectives.values()] == [
        (e.OnDestroyReturnScouts(need=4, count="D6"),), (e.AfterDestroyPeekCards(need=4),),
        (e.WhileStandingAttackAdjacentOnly(),), (e.AfterDestroyCloseCysts(),),
        (e.AfterDestroyReinforcementModifier(amount=-1),), (e.WhileStandingPassOut(within=6, on=1),),
    ]  # fmt: skip


def test_every_effect_is_called_what_the_content_calls_it() -> None:
    used = {
        e.word(effect)
        for part in (
            *(card.effects for card in CARDS.values()), *(order.effects for order in CATALOGUE.orders.values()),
            *(objective.effect for objective in CATALOGUE.objectives.values()),
            [artifact.effect for artifact in CATALOGUE.artifacts.values()],
        )
        for effect in part
    }  # fmt: skip
    assert used == {
        "nothing", "place_tyranids", "place_blobs", "place_cysts", "free_reinforcements", "find_artifact",
        "place_marines", "attack_marines", "bearer_hth_bonus", "bearer_armour", "bearer_move", "bearer_fire_dice",
        "order_moves", "order_shots", "order_hth_dice", "order_shot_bonus", "order_split_move",
        "on_destroy_return_scouts", "after_destroy_peek_cards", "while_standing_attack_adjacent_only",
        "after_destroy_close_cysts", "after_destroy_reinforcement_modifier", "while_standing_pass_out",
    }  # fmt: skip
