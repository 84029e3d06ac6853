"""What is turned face up and when, and what the Eldar know until then."""

from __future__ import annotations

from typing import Any

import pytest
from doom import BOOK, Play, of, play
from laws import played

from warptape.domain.doom_of_the_eldar import RULESET, steps
from warptape.domain.doom_of_the_eldar.events import (
    BattleBegan,
    CounterMoved,
    MineDetonated,
    MineOrderSet,
    SwarmRevealed,
)
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, Options
from warptape.domain.events import CounterDrawn, CounterRevealed
from warptape.domain.secrets import SEALED, Secret, knows, view

COUNTERS = BOOK.lid(Options())
FIGURES = {
    "HM": (0, 0), "HT": (18, 18), "SK": (16, 16), "GP": (14, 14), "FS": (8, 8), "SM": (0, 0), "PR": (6, 6),
    "TH": (12, 12), "GH": (12, 8), "HS": (9, 6), "RW": (7, 7),
}  # fmt: skip
"""The figures that the counter list gives for the Horde sides."""


def seen_by_eldar(game: Play) -> Any:
    return view(game.state, ELDAR)


# Landing


@pytest.mark.parametrize("counter", COUNTERS)
def test_doe_reveal_1_a_swarm_that_lands_is_turned_up_at_once(counter: str) -> None:
    """DOE-REVEAL-1: with its printed figures (the Fleshstealer 8-8, DOE-PROT-1: the Protoid 6-6), for all to see."""
    other = "TH1" if counter != "TH1" else "TH2"
    game = play(eldar={"tears": "EXA WRG"}, tyranid={"n2": counter, "s1": other})
    events = game.do("mv #01 tears")
    kinds = [type(event) for event in events]
    assert kinds.index(CounterMoved) < kinds.index(SwarmRevealed)
    (revealed,) = of(events, SwarmRevealed)
    assert (revealed.token, revealed.counter, revealed.area) == ("#01", counter, "tears")
    assert (revealed.attack, revealed.defence) == FIGURES[counter[:2]]
    assert revealed.rule == "DOE-REVEAL-1"
    assert game.state.face == {"#01": counter}
    assert seen_by_eldar(game).counter("#01") == counter
    assert seen_by_eldar(game).counter("#02") is None


def test_doe_reveal_1_every_area_of_the_craftworld_and_no_area_of_space() -> None:
    """DOE-REVEAL-1, DOE-REVEAL-2: each landing reveals, no flight in space does; lone squares too (DOE-MOVE-15)."""
    reached = set()
    for start in BOOK.space:
        for area in BOOK.adjacent[start]:
            game = play(eldar={"shrine": "GUA1"}, tyranid={start: "GH2", "s3" if start != "s3" else "s6": "TH1"})
            events = game.do(f"mv GH2 {area}")
            assert bool(of(events, SwarmRevealed)) == (area in BOOK.craftworld)
            reached.add(area)
    assert reached == {*BOOK.areas} - {"shrine", "forests"}


def test_doe_reveal_1_only_the_one_that_lands() -> None:
    game = play(eldar={"tears": "EXA"}, tyranid={"n2": "TH1 TH2 TH3"})
    game.do("mv #02 tears")
    assert game.state.face == {"#02": "TH2"}
    assert game.state.stacks["n2"] == ["#01", "#03"]


# In space


@pytest.mark.parametrize("counter", [counter for counter in COUNTERS if counter != "HM"])
def test_doe_reveal_2_no_other_swarm_is_turned_up_in_space(counter: str) -> None:
    """DOE-REVEAL-2: the Spore Mine not by an action either, for showing and bursting are one act (DOE-MINE-1)."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": counter, "s1": "HM"})
    assert game.why("reveal #01") == "DOE-REVEAL-2"
    assert [line for line in game.legal() if line.startswith("reveal")] == ["reveal #02"]


def test_doe_reveal_2_the_hive_mind_is_turned_up_in_space() -> None:
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1 HM TH2"})
    assert seen_by_eldar(game).counter("#02") is None
    (revealed,) = of(game.do("reveal HM"), SwarmRevealed)
    assert (revealed.token, revealed.counter, revealed.area, revealed.rule) == ("#02", "HM", "n2", "DOE-REVEAL-5")
    assert game.state.stacks == {"n2": ["#01", "#02", "#03"]}
    assert seen_by_eldar(game).face == {"#02": "HM"}
    assert game.asked == "Movement"


def test_doe_reveal_2_the_spore_mine_is_shown_as_it_bursts() -> None:
    """DOE-REVEAL-2, DOE-MINE-1: in a battle in space, by its order, and so that the Eldar learn what it was."""
    game = play("eldar_movement", eldar={"n1": "WSH1 WSH2 NWG1", "spear": "GUA1"}, tyranid={"n2": "SM TH1"}, order=3)
    for unit in ("WSH1", "WSH2", "NWG1"):
        game.do(f"mv {unit} n2")
    events = game.do("end")
    assert of(events, BattleBegan)
    assert [event.token for event in of(events, MineDetonated)] == ["#01"]
    shown = [event for event in events if isinstance(event, CounterDrawn) and event.token == "#01"]
    assert [(event.item, event.seen_by) for event in shown] == [("SM", None)]
    assert seen_by_eldar(game).counter("#02") is None
    two = play("eldar_movement", eldar={"n1": "WSH1 WSH2", "spear": "GUA1"}, tyranid={"n2": "SM TH1"}, order=3)
    for unit in ("WSH1", "WSH2"):
        two.do(f"mv {unit} n2")
    assert not of(two.do("end", 1), CounterRevealed)


def test_doe_reveal_5_the_hive_mind_is_turned_up_before_it_moves() -> None:
    """DOE-REVEAL-5, DOE-MOVE-5: not after it; but then it moves, any number of areas."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"s4": "HM TH1"})
    game.do("mv #02 n4")
    assert game.why("reveal #01") == ""
    assert game.why("mv #01 n3") == "DOE-MOVE-4"
    game.do("reveal #01")
    assert game.why("mv #01 n4>n3>n2>n1") == ""
    game.do("mv #01 n1")
    assert game.state.swarms["#01"] == "n1"
    late = play(eldar={"shrine": "GUA1"}, tyranid={"s4": "HM TH1"})
    late.do("mv #01 n4")
    assert late.why("reveal #01") == "DOE-REVEAL-5"
    assert not any(line.startswith("reveal") for line in late.legal())


@pytest.mark.parametrize("phase", ["tyranid_combat", "eldar_special", "eldar_movement", "eldar_combat"])
def test_doe_reveal_5_in_no_other_phase(phase: str) -> None:
    """DOE-REVEAL-5: only in the Tyranids' movement."""
    eldar = {"n2": "WSH1", "n3": "WSH2", "shrine": "GUA1"}
    game = play(phase, eldar=eldar, tyranid={"s4": "HM", "n2": "TH1", "n3": "TH2"})
    assert game.why("reveal #01") == "DOE-REVEAL-5"
    assert not any(line.startswith("reveal") for line in game.legal())


# For good


def test_doe_reveal_4_a_revealed_counter_is_never_turned_back() -> None:
    """DOE-REVEAL-4: neither by moving, nor by going back to space (the Hive Mind), nor by a turn going by."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "HM", "souls": "TH1", "s5": "TH2"}, shown=("HM",))
    assert game.why("reveal #01") == game.why("reveal #02") == "DOE-REVEAL-4"
    for where in ("tears", "n1", "s6"):
        game.do(f"mv #01 {where}")
        game.do("mv #02 " + ("dreams" if where != "n1" else "souls"))
        assert game.state.face == {"#01": "HM", "#02": "TH1"}
        game.do("end")
        while (game.seat, game.asked) != (TYRANID, "Order"):
            game.do("end", *(() if game.asked == "Special" else (1, 1)) if not game.state.over else ())
        game.do("mine 3")
    assert game.state.face["#01"] == "HM"
    assert game.state.face["#02"] == "TH1"


@pytest.mark.parametrize("seed", range(4))
def test_doe_reveal_4_in_whole_games(seed: int) -> None:
    """DOE-REVEAL-1, -2, -4, -5: what is face up stays so while it is on the map; all on the Craftworld are, and in
    space nobody but the Hive Mind."""
    before: dict[str, str] = {}
    met = 0
    for match in played(RULESET, f"faces {seed}", Options(setup="quickstart")):
        state = match.state
        for token, area in state.swarms.items():
            if token in before:
                assert state.face.get(token) == before[token]
            if area in BOOK.craftworld:
                assert token in state.face
                met += 1
            else:
                assert state.face.get(token, "HM") == "HM"
        before = dict(state.face)
    assert met > 20


# What nobody else knows


def test_doe_reveal_3_only_the_tyranids_know_what_lies_face_down() -> None:
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1 HM", "s1": "SM"})
    mine, theirs = view(game.state, TYRANID), seen_by_eldar(game)
    assert [mine.counter(token) for token in game.state.swarms] == ["TH1", "HM", "SM"]
    assert [theirs.counter(token) for token in game.state.swarms] == [None, None, None]
    assert theirs.stacks == game.state.stacks


@pytest.mark.parametrize("phase", ["tyranid_movement", "eldar_special", "eldar_movement", "eldar_combat"])
def test_doe_reveal_3_the_eldar_see_the_same_whatever_lies_there(phase: str) -> None:
    """DOE-REVEAL-3: two positions that differ in what is face down are one for the Eldar, their menus too."""
    eldar = {"n3": "WSH1 WSH2", "n4": "SHA1", "shrine": "GUA1"}
    seen = []
    for one, two, three in (("HM", "TH1", "SM"), ("SM", "HM", "TH1"), ("TH1", "SM", "HM")):
        tyranid = {"n3": f"{one} {two}", "n4": three, "souls": "GH1"}
        # The lid is short of the same counters, in whatever order they are out.
        game = play(phase, eldar=eldar, tyranid=tyranid)
        decision = RULESET.decision(seen_by_eldar(game))
        assert decision is not None
        lines = [RULESET.notation(game.state, action) for action in decision.actions] if game.seat == ELDAR else []
        seen.append((seen_by_eldar(game), game.seat, lines, RULESET.summarize(seen_by_eldar(game))))
    assert seen[0] == seen[1] == seen[2]


def test_doe_reveal_3_whether_the_hive_mind_is_there_is_asked_of_the_tyranids_alone() -> None:
    """DOE-REVEAL-3, DOE-REVEAL-2: the Eldar read no refusal of a reveal, and may not ask for one."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "HM", "s1": "TH1"})
    refusals = [game.refusal(f"reveal {token}", seat=ELDAR) for token in ("#01", "#02")]
    assert refusals[0] == refusals[1]
    assert refusals[0] is not None
    assert "for tyranid to decide" in refusals[0].reason


def test_doe_reveal_3_a_landing_tells_of_nobody_else() -> None:
    """DOE-REVEAL-3: what stays in the stack stays unknown; that the others are fewer by one is public."""
    game = play(eldar={"tears": "EXA"}, tyranid={"n2": "TH1 HM SM"})
    game.do("mv #01 tears")
    assert [knows(game.state.chance.bags["lid"].out[token], ELDAR) for token in ("#01", "#02", "#03")] == [
        True, False, False,
    ]  # fmt: skip


# The mine's order


def test_doe_mine_1_an_order_may_be_given_with_the_mine_in_the_lid() -> None:
    """DOE-MINE-1, DOE-REVEAL-3, worked example 47: accepted, and the Eldar see nothing of it."""
    seen = []
    for order in (2, 5):
        game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1"}, pending=(steps.Order(),))
        assert "SM" in game.state.chance.bags["lid"].inside()
        assert game.why(f"mine {order}") == ""
        (given,) = of(game.do(f"mine {order}"), MineOrderSet)
        assert (given.order, given.seen_by) == (order, (TYRANID,))
        assert game.state.order == Secret(order, (TYRANID,))
        assert view(game.state, TYRANID).standing_order() == order
        assert seen_by_eldar(game).standing_order() is None
        seen.append(seen_by_eldar(game))
    assert seen[0] == seen[1]
    assert seen[0].order == Secret(SEALED, (TYRANID,))


def test_doe_mine_1_nineteen_is_more_than_can_meet_in_space() -> None:
    """DOE-MINE-1, worked example 47: refused; nothing is recorded, and to the Eldar nothing is said."""
    game = play(eldar={"shrine": "GUA1"}, tyranid={"n2": "TH1"}, pending=(steps.Order(),))
    before = seen_by_eldar(game)
    assert game.why("mine 19") == "DOE-MINE-1"
    assert game.why("mine 18") == game.why("mine 0") == ""
    assert seen_by_eldar(game) == before
    refusal = game.refusal("mine 19", seat=ELDAR)
    assert refusal is not None
    assert "for tyranid to decide" in refusal.reason
