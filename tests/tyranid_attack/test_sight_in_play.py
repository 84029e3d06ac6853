"""Sight in play: what a line crosses, what blocks it, corners, templates; checked against exact clipping."""

from __future__ import annotations

import random
from itertools import product

import pytest
from drill import dead, words
from hive import RULESET, of, play
from hull import Hull, crossed

from warptape.domain.chance import Fate
from warptape.domain.referee import Referee
from warptape.domain.tyranid_attack.events_turn import AcidKill, Fought, HellfireFired, Shot
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.state import HiveState, Options, Point

AWAY = {"SC6": "1:h6"}


# Worked examples


@pytest.mark.parametrize(
    ("shooter", "target", "rule"),
    [
        ("2:b5", "2:n5", ""),  # E-1
        ("2:b6", "2:n6", "TA-LOS-2"),  # E-2: d6 is wall
        ("2:b5", "2:e6", "TA-LOS-2"),  # E-3: d6 is crossed
        ("2:f5", "2:i6", ""),  # E-4
        ("3:f7", "3:g6", ""),  # E-5: a corner alone
    ],
)
def test_ta_los_1_e_1_to_e_5_lines_of_the_brief(shooter: str, target: str, rule: str) -> None:
    """TA-LOS-1, TA-LOS-2, TA-LOS-4, E-1 to E-5; each is the same the other way round."""
    for one, to in ((shooter, target), (target, shooter)):
        p = play(models={"SC1": one, "GE1": to, **AWAY})
        assert p.why("shoot SC1 GE1") == rule


def test_e_5_with_open_corners_all_is_legal() -> None:
    """E-5: shot, fight and step between two walls that touch at a corner; TA-LOS-4, TA-MOVE-8."""
    p = play(models={"SC1": "3:f7", "GE1": "3:g6", **AWAY})
    assert [p.why(line) for line in ("shoot SC1 GE1", "fight SC1 GE1")] == ["", ""]
    q = play(models={"SC1": "3:f7", "GE1": "3:n9", **AWAY})
    assert q.why("move SC1 3:g6") == ""


def test_e_5_with_sealed_corners_only_the_fight_is_left() -> None:
    """E-5, option `corners`."""
    sealed = Options(corners="sealed")
    p = play(models={"SC1": "3:f7", "GE1": "3:g6", **AWAY}, options=sealed)
    assert p.why("shoot SC1 GE1") == "TA-LOS-4"
    assert p.why("fight SC1 GE1") == ""
    q = play(models={"SC1": "3:f7", "GE1": "3:n9", **AWAY}, options=sealed)
    assert q.why("move SC1 3:f7>3:g6") == "TA-MOVE-8" or q.why("move SC1 3:g6>3:h6") == "TA-MOVE-8"


def test_corners_sealed_does_not_touch_blasts() -> None:
    """Option `corners`: adjacency for fights and blasts stays as it is (ruling G-21)."""
    p = play(models={"HV1": "3:i6", "GE1": "3:f7", **AWAY}, options=Options(corners="sealed"))
    assert dead(p.do("hellfire HV1 3:g6", 4)) == ["GE1"]


# What blocks


@pytest.mark.parametrize("name", ["SC2", "GE2", "AB1", "DS1"])
def test_ta_los_2_ta_los_6_a_model_blocks_friend_or_enemy(name: str) -> None:
    """TA-LOS-2, TA-LOS-6: acid-blobs too."""
    p = play(models={"SC1": "2:c5", name: "2:h5", "GE1": "2:m5", **AWAY})
    assert p.why("shoot SC1 GE1") == "TA-LOS-2"


def test_ta_los_6_artifact_counters_do_not_block() -> None:
    p = play(models={"SC1": "2:c5", "GE1": "2:m5", **AWAY}, lying={1: "2:h5"})
    assert p.why("shoot SC1 GE1") == ""


def test_ta_los_3_w_16_a_cyst_on_the_line_does_not_block() -> None:
    p = play(models={"SC1": "2:c5", "GE1": "2:m5", **AWAY}, cysts=["2:h5"])
    assert p.why("shoot SC1 GE1") == ""


def test_ta_los_2_w_15_the_cluster_between_them_blocks() -> None:
    p = play(models={"SC1": "2:c5", "GE1": "2:m5", **AWAY}, templates={"OBJ-2": "2:g5"})
    assert p.why("shoot SC1 GE1") == "TA-LOS-2"
    q = play("tyranid", models={"SC1": "2:m5", "HB1": "2:c5", "GE8": "2:m9"}, templates={"OBJ-2": "2:g5"})
    assert q.why("shoot HB1 SC1") == "TA-LOS-2"


def test_ta_los_7_e_35_a_prone_marine_does_not_block() -> None:
    models = {"SC1": "2:c5", "SC2": "2:h5", "GE1": "2:m5", **AWAY}
    assert play(models=models).why("shoot SC1 GE1") == "TA-LOS-2"
    assert play(models=models, prone=["SC2"]).why("shoot SC1 GE1") == ""


def test_ta_los_5_off_the_board_is_wall_and_the_ends_never_block() -> None:
    """TA-LOS-5: between two half squares of an outer edge there is nothing to see through."""
    p = play(models={"SC1": "1:e11", "GE1": "1:k11", "SC6": "5:h6"})
    assert p.why("shoot SC1 GE1") == "TA-LOS-2"
    q = play(models={"SC1": "1:e11", "GE1": "1:e9", "SC6": "5:h6"})
    assert q.why("shoot SC1 GE1") == ""


def test_ta_los_8_any_square_of_a_template_may_be_aimed_at() -> None:
    """TA-LOS-8: one square in sight is enough; another objective's template is a wall; range counts to the square used."""
    p = play(models={"SC1": "2:b5", "GE1": "2:f5", "GE2": "2:f6", **AWAY}, templates={"OBJ-2": "2:g5"})
    assert p.why("shoot SC1 GE1") == ""
    assert p.why("shoot SC1 OBJ-2") == "TA-LOS-2"  # one Genestealer hides row 5, the other row 6
    q = play(models={"SC1": "2:b5", **AWAY}, templates={"OBJ-2": "2:g5"})
    assert q.why("shoot SC1 OBJ-2") == ""
    row = "1N 2E 3E 4E 5E 6E"
    for at, rule in (("1:d6", ""), ("1:c6", "TA-SHOOT-3")):  # its near column is 12 or 13 squares away
        far = play(layout=row, models={"SC1": at, "SC6": "5:h6"}, templates={"OBJ-2": "2:b6"})
        assert far.why("shoot SC1 OBJ-2") == rule


def test_ta_los_8_its_own_squares_do_not_hide_a_template() -> None:
    """TA-LOS-8: of the Sphincter only k7 is in sight, through its own k6."""
    p = play(models={"SC1": "2:l2", **AWAY}, templates={"OBJ-1": "2:i6"})
    squares = p.state.templates["OBJ-1"]
    at = p.state.models["SC1"].at
    assert [square for square in squares if clear(p.state, at, square, squares)] == [squares[5]]
    assert not any(clear(p.state, at, square) for square in squares)
    assert p.why("shoot SC1 OBJ-1") == ""


# Exact sight, checked against clipping with fractions


def test_ta_los_4_the_rule_of_whole_numbers_is_exact_clipping() -> None:
    """TA-LOS-4: `2 * |dx*uy - dy*ux| < |dx| + |dy|` for every offset up to 9 squares."""
    for dx, dy in product(range(-9, 10), repeat=2):
        rule = {
            (u, v)
            for u, v in product(range(min(0, dx), max(0, dx) + 1), range(min(0, dy), max(0, dy) + 1))
            if 2 * abs(dx * v - dy * u) < abs(dx) + abs(dy) and (u, v) not in ((0, 0), (dx, dy))
        }
        assert rule == crossed((dx, dy))


def clear(state: HiveState, one: Point, to: Point, own: tuple[Point, ...] = ()) -> bool:
    """Whether a line is clear, worked out from the grids, the templates and the models, corners open."""
    solid = {square for squares in state.templates.values() for square in squares} - {*own}
    open_floor = Hull(state.chain).floor.keys() - solid
    models = {model.at for model in state.models.values() if not model.prone}
    return all(
        (one[0] + u, one[1] + v) in open_floor and (one[0] + u, one[1] + v) not in models
        for u, v in crossed((to[0] - one[0], to[1] - one[1]))
    )


@pytest.mark.parametrize("layout", ["1N 2N 3N 4N 5N 6N", "5N 3E+ 6N 1W+ 4W 2N+", "6N+ 4W 2W+ 3N 5E+ 1E"])
def test_ta_los_2_every_shot_offered_is_clear_and_every_clear_one_is_offered(layout: str) -> None:
    """TA-LOS-1 to -7, TA-SHOOT-3: a heavy bolter's targets on crowded ships, against exact clipping."""
    luck = random.Random(layout)
    ship = Hull(position(layout=layout).chain)
    names = sorted(map(ship.name, ship.floor))
    for _ in range(12):
        places = luck.sample(names, 30)
        tyranids = [f"GE{number}" for number in range(1, 9)] + ["BO1", "BO2", "AB1", "AB2"]
        marines = ["HV1", "SC1", "SC2", "SC3", "SC4", "SC5", "SC6", "SG1"]
        p = play(
            layout=layout,
            models=dict(zip(marines + tyranids, places, strict=False)),
            active="HV1",
            prone=["SC3", "SC4"],
        )
        state = p.state
        at = state.models["HV1"].at
        for enemy in tyranids:
            to = state.models[enemy].at
            far = max(abs(at[0] - to[0]), abs(at[1] - to[1]))
            expected = far <= 48 and clear(state, at, to)
            assert (p.why(f"shoot HV1 {enemy}") == "") == expected, (enemy, places)


def test_nothing_is_attacked_through_walls_or_from_afar_in_games_at_random() -> None:
    """TA-SHOOT-1, TA-LOS-2, TA-HTH-1, TA-BLOB-2: every attack of games played at random, with its own look at the grids."""
    shots = fights = 0
    for seed in range(14):
        luck = random.Random(seed)
        ship = Hull(position().chain)
        floor = sorted(ship.name(square) for square in ship.floor if square[1] > -30)
        marines = ["HV1", "HV2", "SC1", "SC2", "SC3", "SG1", "TE1", "TF1", "LI1"]
        names = [*marines, "GE1", "GE2", "GE3", "DS1", "DS2", "HB1", "HP1", "BO1", "AB1"]
        state = position(models=dict(zip(names, luck.sample(floor, len(names)), strict=True)), tile="LOC-2")
        referee = Referee(RULESET, state, Fate(f"walls {seed}"))
        for _ in range(220):
            decision = referee.decision
            if decision is None:
                break
            before = state.copy()
            for event in referee.take(decision.seat, _eager(luck, decision.actions)):
                if isinstance(event, Shot | HellfireFired):
                    shots += 1
                    by = before.models[event.model].at
                    assert _seen(before, by, event.target), event
                elif isinstance(event, Fought | AcidKill):
                    one, to = (
                        (event.attacker, event.defender) if isinstance(event, Fought) else (event.blob, event.victim)
                    )
                    a, b = before.models[one].at, before.models[to].at
                    assert max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1
                    fights += 1
    assert shots > 10
    assert fights > 10


def _eager(luck: random.Random, actions: object) -> object:
    """An action at random, attacks before all others."""
    listed = list(actions)  # type: ignore[call-overload]
    attacks = [
        action for action in listed if type(action).__name__ in ("Shoot", "Hellfire", "AimAt", "Fight", "Follow")
    ]
    return luck.choice(attacks or listed)


def _seen(state: HiveState, by: Point, target: object) -> bool:
    if isinstance(target, tuple):
        return clear(state, by, target)
    if str(target).startswith("OBJ-"):
        squares = state.templates[str(target)]
        return any(clear(state, by, square, squares) for square in squares)
    return clear(state, by, state.models[str(target)].at)


def test_without_a_line_no_shot_is_on_the_list() -> None:
    """TA-SHOOT-1: a Scout who sees nobody has a move and nothing else."""
    p = play(models={"SC1": "5:e2", "GE1": "5:k2", **AWAY}, active="SC1")
    assert words(p) == {"done", "move"}
    assert of(p.do("done SC1"), Shot) == []
