"""Exploration cards: each one's effect, who places what where, the artifacts they bring, and cysts."""

from __future__ import annotations

from typing import Any

import pytest
from hive import BOOK, Play, at, of, play
from hull import FIXED, NEAR, choosing, gap, hull, names, squares, standing

from warptape.domain.events import Event
from warptape.domain.tyranid_attack.actions import EnterModel, PutCyst, PutModel, UseModel
from warptape.domain.tyranid_attack.events_model import ArtifactFound, LifeLost, ModelKilled, ModelPlaced
from warptape.domain.tyranid_attack.events_ship import CardPutAway, CystPlaced
from warptape.domain.tyranid_attack.events_turn import CardAttacked, CardDiceRolled
from warptape.domain.tyranid_attack.state import Options


def turned(card: str, *dice: int, models: dict[str, str] | None = None, options: Options = FIXED, **facts: Any
           ) -> tuple[Play, list[Event]]:  # fmt: skip
    """SC1 steps onto section 6 at e10 and that card is turned; section 1 is laid ahead."""
    p = play(models=models or NEAR, active="SC1", card=card, options=options, **facts)
    return p, p.do("move SC1 6:e10", 3, *dice)


def away(events: list[Event]) -> list[tuple[str, str]]:
    return [(put.card, put.to) for put in of(events, CardPutAway)]


def far(p: Play, section: int, apart: int) -> set[str]:
    """The empty floor of a section that is so far from every Marine."""
    ship = hull(p)
    there = [model.at for name, model in p.state.models.items() if BOOK.side(name) == "marines"]
    taken = {model.at for model in p.state.models.values()}
    return {
        ship.name(square)
        for square in ship.of(section) - taken
        if all(gap(square, marine) >= apart for marine in there)
    }


def test_ex_01_nothing() -> None:
    p, events = turned("EX-01")
    assert p.asked == "Free"
    assert away(events) == [("EX-01", "discard")]
    assert not of(events, ModelPlaced)


# Encounters


@pytest.mark.parametrize(("card", "die", "count"), [
    ("EX-02", 1, 1), ("EX-02", 4, 2), ("EX-02", 6, 3), ("EX-03", 2, 2), ("EX-03", 3, 3), ("EX-03", 5, 4),
    ("EX-05", 1, 1), ("EX-05", 6, 6),
])  # fmt: skip
def test_ex_02_03_and_05_models_on_the_explored_section(card: str, die: int, count: int) -> None:
    """TA-CARD-1, TA-CARD-2, TA-COMP-5: D3, D3+1 and D6; on empty floor, none next to a Marine."""
    p, events = turned(card, die)
    assert [rolled.value for rolled in of(events, CardDiceRolled)] == [count]
    assert (p.seat, p.asked) == ("tyranid", "Put")
    assert standing(p) == far(p, 6, 2)
    assert {name[:2] for name in choosing(p)} == {"GE", "BO", "DS", "HB", "HP"}
    assert p.why("place GE1 6:f9") == "TA-CARD-2"  # beside SC1
    assert p.why("place GE1 1:b6") == "TA-CARD-2"  # another section
    assert p.why("place AB1 6:n6") == "TA-BLOB-1"
    for number in range(count):
        assert p.asked == "Put"
        last = p.do(f"place GE{number + 1} {min(standing(p))}")
    assert p.asked == "Free"
    assert away(last) == [(card, "discard")]


def test_ex_06_two_models_on_the_newest_section() -> None:
    p, _ = turned("EX-06")
    assert standing(p) == far(p, 1, 2)
    p.do("place GE1 1:b6")
    p.do("place GE2 1:n6")
    assert (at(p.state, "GE1"), at(p.state, "GE2"), p.asked) == ("1:b6", "1:n6", "Free")


def test_ta_card_2_shared_squares_belong_to_both_sections() -> None:
    p, _ = turned("EX-06")
    assert {"6:e1", "6:k1"} <= standing(p)
    p, _ = turned("EX-02", 1)
    assert {"6:e1", "6:k1", "5:k1"} <= standing(p)


def test_ta_card_2_those_that_find_no_square_are_not_placed() -> None:
    """TA-CARD-2, TA-RECYC-3."""
    crowd = {f"SC{n}": square for n, square in enumerate(("6:c6", "6:k9", "6:k3", "6:d3"), 3)}
    p, _ = turned("EX-05", 6, models={**NEAR, **crowd, "SG1": "6:m6", "SG2": "6:i9", "HV1": "6:g3", "HV2": "6:i5"})
    left = far(p, 6, 2)
    assert 0 < len(left) < 40
    pool = {name[:2] for name in p.state.pool}
    assert pool
    p = Play(p.state.copy())
    placed = 0
    while p.asked == "Put":
        p.do(f"place {sorted(choosing(p))[0]} {sorted(standing(p))[0]}")
        placed += 1
    assert placed == min(6, len(left))


# Events


def test_ex_04_two_reinforcements_without_a_die() -> None:
    """By the usual ways in, cysts among them; they act in the Tyranid part."""
    p, _ = turned("EX-04", cysts=["5:h6"])
    assert p.asked == "Enter"
    assert "5:h6" in squares(p, EnterModel)
    assert p.why("enter GE1 6:a6") == "TA-REINF-6"
    p.do("enter GE1 5:h6")
    assert p.why("enter GE2 5:h6") == "TA-REINF-10"
    events = p.do("enter GE2 1:e1")
    assert away(events) == [("EX-04", "discard")]
    assert p.asked == "Free"
    assert names(p, UseModel) == {"SC2"}


def test_ex_04_is_skipped_where_no_way_in_is_left() -> None:
    crowd = {f"SC{n}": f"{n - 1}:h6" for n in range(3, 7)} | {"SG1": "6:g6", "SG2": "6:k1", "HV1": "6:e1"}
    p, _ = turned("EX-04", models={**NEAR, **crowd})
    assert squares(p, EnterModel) == {"1:a6", "1:o6", "1:e1", "1:k1"} - {"1:a6", "1:o6"}  # of the new front, 10 away
    p, events = turned("EX-04", models={**NEAR, **crowd}, spent=p.state.pool)
    assert away(events) == [("EX-04", "discard")]
    assert p.asked == "Free"


def test_ex_16_every_marine_on_the_section_is_attacked_with_one_die() -> None:
    """TA-CARD-1: in the order of their names; each against his armour, one life point at most."""
    models = {**NEAR, "SG1": "6:k2", "SC3": "6:c6", "TE1": "6:n6", "SC4": "6:o6", "GE1": "6:k9"}
    p = play(models=models, active="SC1", card="EX-16", options=FIXED, prone=["SC4"])
    events = p.do("move SC1 6:e10", 3, 5, 4, 3, 4, 5)
    attacks = of(events, CardAttacked)
    assert [(one.model, one.rolls, one.need, one.hit) for one in attacks] == [
        ("SG1", (5,), 4, True), ("SC1", (4,), 4, True), ("SC3", (3,), 4, False), ("SC4", (4,), 4, True),
        ("TE1", (5,), 6, False),
    ]  # fmt: skip
    assert [killed.model for killed in of(events, ModelKilled)] == ["SC1", "SC4"]
    assert [(hurt.model, hurt.left) for hurt in of(events, LifeLost)] == [("SG1", 1)]
    assert at(p.state, "SC2") == "4:b6"  # elsewhere


def test_ex_16_the_vent_does_not_shield() -> None:
    """TA-SPEC-5: it is no attack by a model."""
    p = play(layout="1N 2N 4N 5N 6N 3N", models={"SC1": "6:e2", "SC2": "4:b6", "SC3": "3:b6"}, active="SC1",
             card="EX-16", templates={"OBJ-3": "3:j4"}, options=FIXED)  # fmt: skip
    events = p.do("move SC1 3:e10", 3, 1, 6)
    assert [one.model for one in of(events, CardAttacked)] == ["SC1", "SC3"]
    assert [killed.model for killed in of(events, ModelKilled)] == ["SC3"]


# Blobs and cysts


def test_ex_07_two_acid_blobs_at_least_4_squares_away() -> None:
    p, _ = turned("EX-07")
    assert choosing(p) == {"AB1"}
    assert standing(p) == far(p, 6, 4)
    assert min(gap(hull(p).at(square), p.state.models["SC1"].at) for square in standing(p)) == 4
    assert p.why("place GE1 6:n6") == "TA-BLOB-8"
    p.do("place AB1 6:n6")
    p.do("place AB2 6:m6")
    assert p.asked == "Free"
    assert p.state.blobs == ["AB3", "AB4"]


def test_ta_comp_9_blobs_as_far_as_the_counters_go() -> None:
    p, events = turned("EX-07", models={**NEAR, "AB1": "3:b6", "AB2": "3:n6", "AB3": "2:b6"})
    (placed,) = of([*events, *(p.do("place AB4 6:n6") if p.asked.startswith("Put") else [])], ModelPlaced)
    assert placed.model == "AB4"
    assert p.asked == "Free"
    p, events = turned("EX-07", models={**NEAR, "AB1": "3:b6", "AB2": "3:n6", "AB3": "2:b6", "AB4": "2:n6"})
    assert not of(events, ModelPlaced)
    assert p.asked == "Free"


@pytest.mark.parametrize(("card", "count"), [("EX-08", 1), ("EX-09", 2)])
def test_ex_08_and_09_cysts_on_the_explored_section(card: str, count: int) -> None:
    """TA-CYST-1: on empty floor without a cyst, at any distance."""
    p, _ = turned(card, cysts=["6:m6"])
    assert (p.seat, p.asked) == ("tyranid", "LayCyst")
    assert squares(p, PutCyst) == far(p, 6, 1) - {"6:m6"}
    assert p.why("cyst 6:m6") == "TA-CYST-1"
    assert p.why("cyst 6:e10") == "TA-CYST-1"  # SC1 stands there
    assert p.why("cyst 5:b6") == "TA-CYST-1"
    p.do("cyst 6:f9")
    if count == 2:
        p.do("cyst 6:n6")
    assert p.asked == "Free"
    assert (len(p.state.cysts), p.state.cysts_left) == (1 + count, 2 - count)


def test_ta_comp_9_cysts_as_far_as_the_counters_go() -> None:
    p, events = turned("EX-09", cysts=["5:b6", "4:b2"])
    assert len(of(p.do("cyst 6:n6"), CystPlaced)) == 1
    assert (p.asked, p.state.cysts_left) == ("Free", 0)
    p, events = turned("EX-08", cysts=["5:b6", "4:b2", "4:n2"])
    assert not of(events, CystPlaced)
    assert p.asked == "Free"


def test_ta_cyst_1_cysts_cannot_be_attacked() -> None:
    p = play(models={"SC1": "2:b5", "HV1": "1:b6", "GE1": "5:b6"}, cysts=["2:c5"], active="SC1")
    assert p.why("shoot SC1 2:c5") == "TA-SHOOT-8"
    assert p.why("fight SC1 GE1") == "TA-HTH-1"


# Artifacts


@pytest.mark.parametrize(
    ("card", "number", "guard"), [("EX-10", 1, 0), ("EX-11", 2, 1), ("EX-12", 3, 0), ("EX-13", 4, 1)]
)
def test_ex_10_to_13_the_counter_goes_to_the_trigger_and_the_card_is_kept(card: str, number: int, guard: int) -> None:
    """TA-ART-1, TA-ART-2: two of them have a keeper."""
    p, events = turned(card)
    (found,) = of(events, ArtifactFound)
    assert (found.number, found.model, found.rule) == (number, "SC1", "TA-ART-2")
    assert p.state.models["SC1"].artifacts == [number]
    if guard:
        assert standing(p) == far(p, 6, 2)
        events = p.do("place GE1 6:n6")
    assert p.asked == "Free"
    assert away(events) == [(card, "keep")]
    assert p.state.kept == [card]
    assert card not in p.state.discards


def test_what_each_artifact_does() -> None:
    """TA-ART-1, TA-ART-3: +2 to the score, +1 armour but no more than 6, +3 squares, +2 fire dice."""
    models = {"SC1": "2:b5", "SG1": "2:b7", "TE1": "1:b6"}
    p = play(models={**models, "GE1": "2:h5"}, artifacts={"SC1": [1, 2, 3, 4], "TE1": [2]})
    scout, terminator = p.state.models["SC1"], p.state.models["TE1"]
    assert (BOOK.hth_bonus(scout), BOOK.armour_of(scout), BOOK.move(scout), BOOK.fire_of(scout)) == (2, 5, 11, 4)
    assert BOOK.armour_of(terminator) == 6
    p.do("use SC1")
    assert p.why("move SC1 2:m5") == ""  # 11 squares, past the Genestealer
    assert p.why("shoot SC1 GE1*4") == ""


# Allies


def test_ex_14_every_terminator_not_yet_in_the_game_joins() -> None:
    """TA-CARD-3, TA-TURN-9: as near as possible by path, and not fresh before the next turn."""
    p, _ = turned("EX-14")
    assert (p.seat, p.asked) == ("marines", "Found")
    assert names(p, PutModel) == {"TE1", "TF1"}
    assert squares(p, PutModel) == {"6:d9", "6:e9", "6:f9", "6:d10", "6:f10", "5:e1"}
    assert p.why("place TE1 6:g9") == "TA-CARD-3"
    assert p.why("place LI1 6:e9") == "TA-CARD-3"
    for name, square in (("TE1", "6:e9"), ("TF1", "6:d9"), ("TE2", "6:f9")):
        (placed,) = of(p.do(f"place {name} {square}"), ModelPlaced)
        assert (placed.reason, placed.fresh) == ("found", False)
    events = p.do("place TE3 6:d10")
    assert away(events) == [("EX-14", "remove")]
    assert p.state.reserve == ["LI1"]
    assert names(p, UseModel) == {"SC2"}
    assert p.why("use TE1") == "TA-TURN-4"


def test_ex_15_the_librarian_joins() -> None:
    p, _ = turned("EX-15")
    assert names(p, PutModel) == {"LI1"}
    events = p.do("place LI1 6:e9")
    assert away(events) == [("EX-15", "remove")]
    assert (p.state.models["LI1"].life, p.state.discards, p.state.kept) == (3, [], [])
    p.do("end")
    while p.seat == "tyranid":
        p.do({"Reinforce": "skip", "Free": "end"}[p.asked])
    assert "LI1" in names(p, UseModel)


def test_option_found_marines_act() -> None:
    """TA-TURN-9, ruling G-14: with `true` they act at once."""
    p, _ = turned("EX-15", options=Options(rotation="fixed", found_marines_act=True))
    (placed,) = of(p.do("place LI1 6:e9"), ModelPlaced)
    assert placed.fresh
    assert names(p, UseModel) == {"SC2", "LI1"}


def test_ta_setup_5_nobody_is_found_twice() -> None:
    _, events = turned("EX-15", models={**NEAR, "LI1": "5:b6"})
    assert not of(events, ModelPlaced)
    assert away(events) == [("EX-15", "remove")]
    _, events = turned("EX-15", spent=["LI1"])
    assert not of(events, ModelPlaced)


@pytest.mark.parametrize(("flamers", "found"), [(0, ["TE1", "TE2", "TE3", "TE4"]), (1, ["TE1", "TE2", "TE3", "TF1"])])
def test_a_kind_that_the_box_lacks_becomes_a_plain_terminator(flamers: int, found: list[str]) -> None:
    """TA-COMP-8: four of them are found in any case."""
    p, _ = turned("EX-14", options=Options(rotation="fixed", terminator_flamers=flamers))
    while p.asked == "Found":
        p.do(f"place {sorted(names(p, PutModel))[0]} {sorted(squares(p, PutModel))[0]}")
    assert sorted(name for name in p.state.models if name[:2] in ("TE", "TF")) == found


def test_ta_card_3_nearest_by_path_past_models_and_round_walls() -> None:
    crowd = {"SC3": "6:d9", "SC4": "6:e9", "SC5": "6:f9", "SC6": "6:d10", "SG1": "6:f10", "SG2": "5:e1"}
    p, _ = turned("EX-15", models={**NEAR, "SC1": "5:e3", **{k: v for k, v in crowd.items() if k != "SG2"}})
    assert at(p.state, "LI1") == "5:e1"  # the only one there is
    p, _ = turned("EX-15", models={**NEAR, "SC1": "5:e3", **crowd})
    near = squares(p, PutModel)
    ship, start = hull(p), p.state.models["SC1"].at
    assert {gap(ship.at(square), start) for square in near} == {2}
    assert "5:e2" in near
    assert "6:c9" in near


def test_ta_card_4_the_square_where_it_died_serves() -> None:
    """TA-CARD-3, TA-CARD-4: and being empty it is the nearest itself."""
    p = play(models={**NEAR, "GE1": "6:e9"}, active="SC1", card="EX-15", options=FIXED)
    p.do("move SC1 6:e10")
    events = p.do("fight SC1 GE1", 1, 2, 6, 1, 1, 1, 3)
    assert [killed.model for killed in of(events, ModelKilled)] == ["SC1"]
    (placed,) = of(events, ModelPlaced)  # the only choice there is
    assert (placed.model, at(p.state, "LI1")) == ("LI1", "6:e10")


def test_ta_card_1_effects_come_in_the_order_written() -> None:
    """TA-CARD-1, ruling G-35: first the artifact, then its keeper."""
    p, events = turned("EX-13")
    kinds = [type(event).__name__ for event in events]
    assert kinds.index("ArtifactFound") > kinds.index("CardTurned")
    assert p.asked == "Put"
    assert p.state.models["SC1"].artifacts == [4]


def test_w_18_the_combi_weapon() -> None:
    """TA-ART-2, TA-ART-3: its bearer shoots with 4 dice."""
    p, _ = turned("EX-13")
    p.do("place GE1 6:n6")
    assert BOOK.fire_of(p.state.models["SC1"]) == 4
