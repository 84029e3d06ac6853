"""Movement: how far and through what, and the ends and ways of moves against a search of our own."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from hive import BOOK, Play, at, of, play
from hull import FIXED, STEPS, Hull, Point, ends, gap, hull, moves

from warptape.domain.tyranid_attack.actions import Move
from warptape.domain.tyranid_attack.events_model import ModelMoved
from warptape.domain.tyranid_attack.events_ship import ExplorationTriggered
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.ship import HEADINGS
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, Options, Trigger

# How far, which way


def test_w_9_ta_move_1_eight_squares_and_no_ninth() -> None:
    p = play("tyranid", models={"GE1": "5:b6", "SC1": "1:b6"}, active="GE1")
    assert p.why("move GE1 5:j6") == ""
    assert p.why("move GE1 5:k6") == "TA-MOVE-1"
    straight = ">".join(f"5:{column}6" for column in "cdefghij")
    assert p.why(f"move GE1 {straight}") == ""
    assert p.why(f"move GE1 {straight}>5:k6") == "TA-MOVE-1"
    (moved,) = of(p.do("move GE1 5:j6"), ModelMoved)
    assert len(moved.path) == 8


@pytest.mark.parametrize(("name", "reach"), [("SC1", 8), ("HV1", 6), ("TE1", 4), ("GE1", 8), ("BO1", 4), ("HB1", 6),
                                             ("AB1", 2)])  # fmt: skip
def test_ta_move_1_ta_char_1_each_kind_moves_its_own_number_of_squares(name: str, reach: int) -> None:
    side = BOOK.side(name)
    p = play(side, models={name: "5:a6", "GE8" if side == MARINES else "SC6": "1:b6"}, active=name)
    row = {square for square in ends(p) if square.endswith("6") and square.startswith("5:")}
    assert row == {f"5:{column}6" for column in "abcdefghijklmno"[1 : reach + 1]}
    assert max(gap(hull(p).at("5:a6"), hull(p).at(square)) for square in ends(p)) == reach


def test_ta_move_1_one_cannot_move_to_where_one_stands() -> None:
    p = play("tyranid", models={"GE1": "5:b6", "SC1": "1:b6"}, active="GE1")
    assert p.why("move GE1 5:b6") == "TA-MOVE-1"


def test_ta_move_2_each_step_to_an_adjacent_square_in_eight_directions() -> None:
    p = play("tyranid", models={"AB1": "2:h6", "SC1": "1:b6"}, active="AB1")
    around = {f"2:{column}{row}" for column in "fghij" for row in range(4, 9)}
    assert ends(p) == around - {"2:h6", "2:h4", "2:h8"}  # but for two pillars
    for column, row in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)):
        square = f"2:{'efghijk'[3 + column]}{6 + row}"
        assert p.why(f"move AB1 {square}>{square[:2]}h6") in ("", "TA-MOVE-1")  # there, and back is no end
        assert p.why(f"move AB1 {square}") == ""
    assert p.why("move AB1 2:h5>2:f5") == "TA-MOVE-2"
    assert p.why("move AB1 2:i5>2:g6") == "TA-MOVE-2"


def test_ta_move_3_friends_are_crossed_and_not_ended_on() -> None:
    p = play(models={"SC1": "5:e3", "SC2": "5:e2", "GE1": "1:b6"}, active="SC1", card="EX-01", options=FIXED)
    assert p.why("move SC1 5:e2") == "TA-MOVE-3"
    assert p.why("move SC1 5:e2>5:e1") == ""
    assert p.why("move SC1 5:e1") == ""
    p = play("tyranid", models={"GE1": "5:e3", "GE2": "5:e2", "SC1": "1:b6"}, active="GE1")
    assert p.why("move GE1 5:e2") == "TA-MOVE-3"
    (moved,) = of(p.do("move GE1 5:e1"), ModelMoved)
    assert moved.path == (hull(p).at("5:e2"), hull(p).at("5:e1"))


def test_ta_move_4_squares_of_enemies_are_not_entered() -> None:
    p = play(models={"SC1": "5:e3", "GE1": "5:e2"}, active="SC1", options=FIXED)
    assert p.why("move SC1 5:e2") == "TA-MOVE-4"
    assert p.why("move SC1 5:e2>5:e1") == "TA-MOVE-4"
    assert p.why("move SC1 5:e1") == "TA-MOVE-1"  # there is no way round within 8 squares
    p = play("tyranid", models={"SC1": "5:e2", "GE1": "5:e3"}, active="GE1")
    assert p.why("move GE1 5:e2") == "TA-MOVE-4"


def test_ta_move_5_and_6_walls_and_templates_are_impassable_half_squares_are_floor() -> None:
    """TA-MOVE-5, TA-MOVE-6, TA-OBJ-5."""
    p = play(models={"SC1": "2:f5", "GE1": "1:b6"}, templates={"OBJ-2": "2:g5"}, active="SC1")
    for square in ("2:g5", "2:h5", "2:g6", "2:h6"):
        assert p.why(f"move SC1 {square}") == "TA-MOVE-5"
    assert p.why("move SC1 2:g5>2:i5") == "TA-MOVE-5"
    assert p.why("move SC1 2:e4") == "TA-MOVE-6"
    (moved,) = of(p.do("move SC1 2:i5"), ModelMoved)
    assert len(moved.path) == 4  # by g4, h3 and i4
    p = play(models={"SC1": "2:f2", "GE1": "1:b6"}, active="SC1")
    assert p.why("move SC1 2:e1") == ""


def test_ta_move_7_the_entry_area_cannot_be_entered_by_either_side() -> None:
    for side, name, other in ((MARINES, "SC1", "GE1"), (TYRANID, "GE1", "SC1")):
        p = play(side, models={name: "1:e10", other: "5:b6"}, active=name)
        assert "1:e11" in ends(p)
        x, y = hull(p).at("1:e11")
        assert y == 10
        decision = p.referee.decision
        assert decision is not None
        assert max(action.to[1] for action in decision.actions if isinstance(action, Move)) == y
        for beyond in ((x, y + 1), (x + 1, y + 1), (x + 3, y + 5)):
            refusal = p.referee.refusal(side, Move(beyond))
            assert refusal is not None
            assert refusal.rule == "TA-MOVE-7"


def test_ta_move_8_a_step_between_two_walls_that_touch() -> None:
    """TA-MOVE-8, ruling G-21, option `corners`: also between a wall and a template, and two templates."""
    for options, rule in ((Options(), ""), (Options(corners="sealed"), "TA-MOVE-8")):
        p = play(layout="3N 2N 1N 4N 5N 6N", models={"SC1": "3:f7", "GE1": "6:b6"}, active="SC1", options=options)
        assert p.why("move SC1 3:g6>3:h6") == rule
        # From 2:f4 to 2:e5 it goes between the pillar 2:e4 and the template's corner 2:f5.
        p = play(models={"SC1": "2:f4", "GE1": "6:b6"}, templates={"OBJ-2": "2:f5"}, active="SC1", options=options)
        assert p.why("move SC1 2:e5>2:d5") == rule
        p = play(models={"SC1": "2:d5", "GE1": "6:b6"}, active="SC1", options=options)
        assert p.why("move SC1 2:d4>2:e3") == ""  # one of the two beside it is floor


def test_ta_move_9_nothing_stops_a_model_that_passes_an_enemy() -> None:
    p = play(models={"SC1": "2:b5", "GE1": "2:e6", "GE2": "2:g4"}, active="SC1")
    (moved,) = of(p.do("move SC1 2:j5"), ModelMoved)
    assert len(moved.path) == 8
    assert at(p.state, "SC1") == "2:j5"
    p = play(models={"SC1": "2:d5", "GE1": "2:e5"}, active="SC1")  # and one may leave contact
    assert p.why("move SC1 2:b7") == ""


def test_ta_move_10_cysts_and_artifacts_do_not_hinder_movement() -> None:
    p = play(models={"SC1": "5:e4", "GE1": "1:b6"}, cysts=["5:e3"], lying={1: "5:e2"}, active="SC1", options=FIXED)
    assert p.why("move SC1 5:e3") == ""
    assert p.why("move SC1 5:e2") == ""
    (moved,) = of(p.do("move SC1 5:e1"), ModelMoved)
    assert len(moved.path) == 3


def test_ta_move_11_an_outer_half_square_is_an_ordinary_square() -> None:
    p = play(models={"SC1": "1:b6", "GE1": "5:b6"}, active="SC1")
    for square in ("1:a6", "1:e11", "1:k11"):
        q = play(models={"SC1": "1:b6" if square == "1:a6" else f"1:{square[2]}10", "GE1": "5:b6"}, active="SC1")
        q.do(f"move SC1 {square}")
        assert at(q.state, "SC1") == square
    assert "1:a6" in ends(p)
    assert {gap(hull(p).at(square), hull(p).at("1:b6")) for square in ends(p)} <= set(range(1, 9))


def test_a_path_is_refused_by_the_rule_its_first_bad_step_breaks() -> None:
    """E-57: a path that is typed must be legal step by step."""
    p = play(models={"SC1": "5:e3", "SC2": "5:d3", "GE1": "5:k2"}, active="SC1")
    for path, rule in {
        "5:e4>5:d5": "TA-MOVE-6", "5:e2>5:d1": "TA-MOVE-6", "5:d4>5:f4": "TA-MOVE-2", "5:d3>5:c3": "TA-MOVE-6",
        "5:f4>5:e3": "TA-MOVE-1", "5:d4>5:d3": "TA-MOVE-3", "5:f4>5:g5>5:h6": "",
    }.items():  # fmt: skip
        assert p.why(f"move SC1 {path}") == rule, path


# Enter or avoid


def test_e_57_two_ways_across_the_unexplored_section_and_round_it() -> None:
    """TA-EXPL-2: without a word he goes round; 7 squares and no trigger, 5 squares and a trigger."""
    layout = "1N 4N 3N 5N 2N 6N"
    models = {"SC1": "2:d2", "GE1": "2:e2", "GE2": "2:e3"}
    p = play(layout=layout, models=models, active="SC1", options=FIXED)
    assert {("2:i3", "enter"), ("2:i3", "avoid")} <= moves(p)
    events = p.do("move SC1 2:i3")
    assert len(of(events, ModelMoved)[0].path) == 7
    assert not of(events, ExplorationTriggered)
    p = play(layout=layout, models=models, active="SC1", options=FIXED)
    events = p.do("move SC1 2:i3 enter")
    assert len(of(events, ModelMoved)[0].path) == 5
    (trigger,) = of(events, ExplorationTriggered)
    assert (trigger.model, trigger.section, trigger.at) == ("SC1", 6, hull(p).at("2:e1"))


def test_the_engine_goes_north_first_then_clockwise_where_ways_are_equally_short() -> None:
    p = play("tyranid", models={"GE1": "2:g5", "SC1": "1:b6"}, active="GE1")
    (moved,) = of(p.do("move GE1 2:j5"), ModelMoved)
    assert [hull(p).name(square) for square in moved.path] == ["2:h5", "2:i4", "2:j5"]  # 2:h4 is wall
    p = play("tyranid", models={"GE1": "2:g7", "SC1": "1:b6"}, active="GE1")
    (moved,) = of(p.do("move GE1 2:i6"), ModelMoved)
    assert [hull(p).name(square) for square in moved.path] == ["2:h6", "2:i6"]  # north-east before east


# Against a search of our own


def search(
    floor: set[Point], start: Point, reach: int, closed: set[Point], enemies: set[Point], sealed: bool
) -> dict[tuple[Point, bool], tuple[int, ...]]:
    """The first of the shortest ways to every square, as numbers of directions, by whether it has entered `closed`."""
    best: dict[tuple[Point, bool], tuple[int, ...]] = {(start, False): ()}
    edge = {(start, False): ()}
    for _ in range(reach):
        beyond: dict[tuple[Point, bool], tuple[int, ...]] = {}
        for ((x, y), inside), way in edge.items():
            for number, (u, v) in enumerate(STEPS):
                there = (x + u, y + v)
                if there not in floor or there in enemies:
                    continue
                if sealed and u and v and (x + u, y) not in floor and (x, y + v) not in floor:
                    continue
                place = (there, inside or there in closed)
                longer = (*way, number)
                if place not in best and (place not in beyond or longer < beyond[place]):
                    beyond[place] = longer
        best.update(beyond)
        edge = beyond
    return best


def anywhere(seed: int) -> tuple[Play, str, set[Point], bool]:
    """A position at random: the model taken up, the unexplored squares that matter to it, and whether it has triggered."""
    luck = random.Random(f"way {seed}")
    while True:
        numbers, layout, cell, heading = luck.sample(range(1, 7), 6), "", (0, 0), "N"
        cells = [cell]
        for number in numbers:
            if layout:
                heading = luck.choice(
                    [way for way in "NESW" if way != {"N": "S", "S": "N", "E": "W", "W": "E"}[heading]]
                )
                cell = (cell[0] + HEADINGS[heading][0], cell[1] + HEADINGS[heading][1])
                cells.append(cell)
            layout += f"{number}{heading}{luck.choice(['', '+'])} "
        if len({*cells[1:], (0, 0), (0, 1)}) == 7:
            break
    options = Options(corners=luck.choice(("open", "sealed")))
    bare = Play(position(layout=layout.strip(), models={}))
    ship = hull(bare)
    front = ship.of(numbers[5])
    # The model near the front, the others about it: there enemies, friends and the unexplored section matter.
    side = luck.choice((MARINES, MARINES, MARINES, TYRANID))
    name = luck.choice(("SC1", "SC1", "HV1", "TE1") if side == MARINES else ("GE1", "BO1", "AB1"))
    near = [square for square in ship.floor if min(gap(square, one) for one in front) <= luck.choice((0, 3, 6))]
    start = luck.choice(near)
    around = [square for square in ship.floor if square != start and gap(square, start) <= 6]
    others = luck.sample(around, min(len(around), luck.randrange(3, 14)))
    codes = ["SC2", "SC3", "SC4", "SG1", "HV2", "GE2", "GE3", "GE4", "DS1", "HB1", "AB2", "BO2", "GE5"]
    luck.shuffle(codes)
    models = {name: ship.name(start)} | {
        code: ship.name(square) for code, square in zip(codes, others, strict=False) if code != name
    }
    triggered = side == MARINES and luck.random() < 0.2
    trigger = Trigger(name, numbers[5], start) if triggered else None
    facts: dict[str, Any] = {"layout": layout.strip(), "active": name, "options": options, "trigger": trigger}
    p = play(side, models=models, templates=template(luck, ship.of(numbers[4]), ship, numbers[4], {*others, start}),
             **facts)  # fmt: skip
    closed = front if side == MARINES and not triggered else set()
    return p, name, closed, options.corners == "sealed"


def template(luck: random.Random, squares: set[Point], ship: Hull, number: int, taken: set[Point]) -> dict[str, str]:
    """A template of two by two somewhere on a section, or none."""
    if number not in (2, 3, 4):
        return {}
    spots = [
        (x, y) for x, y in sorted(squares) if all((x + u, y + v) in squares - taken for u in (0, 1) for v in (0, 1))
    ]
    return {f"OBJ-{number}": ship.name(luck.choice(spots))} if spots else {}


def floor_of(p: Play) -> set[Point]:
    return {*hull(p).floor} - {square for squares in p.state.templates.values() for square in squares}


def enemies_of(p: Play, name: str) -> set[Point]:
    side = BOOK.side(name)
    return {model.at for other, model in p.state.models.items() if BOOK.side(other) != side}


@pytest.mark.parametrize("batch", range(10))
def test_ends_of_moves_are_those_of_an_exhaustive_search(batch: int) -> None:
    """TA-MOVE-1 to TA-MOVE-9, TA-EXPL-2, TA-EXPL-20: every end there is, with `enter` and `avoid` where both exist."""
    for seed in range(batch * 12, batch * 12 + 12):
        p, name, closed, sealed = anywhere(seed)
        start = p.state.models[name].at
        taken = {model.at for model in p.state.models.values()}
        best = search(floor_of(p), start, BOOK.profiles[BOOK.kind(name)].move, closed, enemies_of(p, name), sealed)
        expected = set()
        for square in {square for square, _ in best}:
            if square in taken and square != start:
                continue
            kinds = [
                inside for inside in (False, True) if (square, inside) in best and (square, inside) != (start, False)
            ]
            if square == start:
                expected |= {(square, "enter")} if kinds else set()
            elif len(kinds) == 2:
                expected |= {(square, "enter"), (square, "avoid")}
            else:
                expected.add((square, ""))
        decision = p.referee.decision
        assert decision is not None
        found = [(action.to, action.way) for action in decision.actions if isinstance(action, Move)]
        assert len(found) == len({*found})
        assert {*found} == expected, seed


@pytest.mark.parametrize("batch", range(10))
def test_the_way_of_a_move_is_the_first_of_the_shortest(batch: int) -> None:
    """The event records it: of equally short ways the one that is first by N, NE, E, SE, S, SW, W, NW."""
    for seed in range(batch * 8, batch * 8 + 8):
        p, name, closed, sealed = anywhere(seed)
        start = p.state.models[name].at
        best = search(floor_of(p), start, BOOK.profiles[BOOK.kind(name)].move, closed, enemies_of(p, name), sealed)
        decision = p.referee.decision
        assert decision is not None
        found = [action for action in decision.actions if isinstance(action, Move)]
        for action in random.Random(seed).sample(found, min(len(found), 12)):
            entering = action.way == "enter" or (not action.way and (action.to, False) not in best)
            q = Play(p.state.copy())
            (moved,) = [event for event in q.referee.take(q.seat, action) if isinstance(event, ModelMoved)]
            path = [start]
            for number in best[action.to, entering]:
                path.append((path[-1][0] + STEPS[number][0], path[-1][1] + STEPS[number][1]))
            assert list(moved.path) == path[1:], (seed, action)
            assert entered(path[1:], closed) is entering


def entered(path: Iterable[Point], closed: set[Point]) -> bool:
    return any(square in closed for square in path)


def test_positions_at_random_have_both_kinds_of_ways() -> None:
    """What the two tests above are about does come up."""
    both = there_and_back = only = 0
    for seed in range(120):
        p, name, _, _ = anywhere(seed)
        ways = moves(p)
        both += any(way == "avoid" for _, way in ways)
        there_and_back += (at(p.state, name), "enter") in ways
        only += all(not way for _, way in ways)
    assert min(both, there_and_back, only) >= 5
