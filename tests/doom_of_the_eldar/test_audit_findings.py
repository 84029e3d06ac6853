"""What an audit against a second reading of the rules found, and keeps found."""

from __future__ import annotations

import pytest
from doom import BOOK, Play, of, play

from warptape.domain.chance import Fate
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events_turn import CounterMoved, SwarmRevealed
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.state import Options
from warptape.domain.events import DiceRolled
from warptape.domain.referee import Match


@pytest.mark.parametrize("line", ["retreat WSH1 n1, RGH n3, FAR s2", "retreat RGH n3, FAR s2, WSH1 n1"])
def test_doe_space_11_units_that_break_off_apart_are_named_in_any_order(line: str) -> None:
    """In a game that was set up the Raiders' ships, which start aside, come before the others (option, ruling G-19)."""
    options = Options(setup="quickstart", retreat_together="each_chooses")
    order = Match(RULESET, Fate("order"), options).state.units
    state = position("eldar_combat", eldar={"n2": "WSH1 FAR RGH"}, tyranid={"n2": "TH1"}, options=options)
    state.units = {unit: state.units[unit] for unit in order}
    game = Play(state)
    game.do("fight n2", 1)
    game.do("keep", 1)
    game.do("keep")
    assert game.state.eldar["n2"][0] == "RGH"
    game.do(line)
    assert [game.state.units[unit] for unit in ("WSH1", "RGH", "FAR")] == ["n1", "n3", "s2"]


def test_doe_move_2_doe_move_3_doe_move_4_a_move_cites_the_rule_that_lets_it_go_so_far() -> None:
    eldar = play("eldar_movement", eldar={"n2": "WSH1 FAR", "souls": "AVA WRG GUA1", "n5": "YRI"})
    for line in ("mv WSH1 n3", "mv FAR shrine", "mv AVA tears", "mv WRG tears", "mv YRI n4", "mv GUA1 tears"):
        eldar.do(line)
    rules = {event.id: event.rule for event in of(eldar.log, CounterMoved)}
    assert rules == {
        "WSH1": "DOE-MOVE-3",
        **dict.fromkeys(("FAR", "AVA", "WRG", "YRI"), "DOE-MOVE-2"),
        "GUA1": "DOE-MOVE-4",
    }
    tyranid = play(tyranid={"n2": "HM TH1", "n5": "SK", "dreams": "HT"}, shown=["HM"])
    for number, to in (("#01", "s5"), ("#02", "souls"), ("#03", "n4"), ("#04", "forests")):
        tyranid.do(f"mv {number} {to}")
    rules = {event.id: event.rule for event in of(tyranid.log, CounterMoved)}
    assert rules == {"#01": "DOE-MOVE-2", "#02": "DOE-MOVE-4", "#03": "DOE-MOVE-4", "#04": "DOE-MOVE-4"}


def test_doe_reveal_1_doe_reveal_4_a_swarm_is_revealed_once_as_it_lands() -> None:
    """A Horde that moves on is not turned again, nor is a Hive Mind that was shown in space and lands."""
    game = play(tyranid={"n2": "TH1 HM", "dreams": "HT"}, shown=["HM"])
    assert [event.counter for event in of(game.do("mv TH1 tears"), SwarmRevealed)] == ["TH1"]
    assert not of(game.do("mv HT souls"), SwarmRevealed)
    assert not of(game.do("mv HM shrine"), SwarmRevealed)


def test_doe_end_1_is_tested_when_a_trim_is_done() -> None:
    """Ruling G-39; after the last of those due in an area, not between two."""
    game = play("eldar_movement", eldar={"tears": "GUA1 GUA2 GUA3 GUA4 GUA5"}, over=1, turn=2)
    game.do("end")
    assert (game.asked, game.state.ended) == ("Trim", None)
    game.do("trim tears GUA1")
    assert (game.asked, game.state.ended) == ("Trim", None)
    game.do("trim tears GUA2")
    assert game.state.ended is not None
    assert game.state.ended.reason == "tyranids_gone"


def test_doe_reroll_4_doe_reroll_5_the_die_that_is_rolled_again_is_that_of_its_side() -> None:
    """The holder has it rolled again; it stays the die of the side that rolled it, and so a die of its stream."""
    space = play("eldar_combat", eldar={"n2": "WSH1 FAR"}, tyranid={"n2": "TH1"})
    space.do("fight n2", 1)
    assert [die.stream for die in of(space.do("rr", 2, 5), DiceRolled)] == ["eldar", "tyranid"]
    assert [die.stream for die in of(space.do("rr", 2), DiceRolled)] == ["tyranid"]
    aboard = play("tyranid_combat", eldar={"tears": "GUA1 FAR"}, tyranid={"tears": "TH1"})
    aboard.do("fight tears", 1)
    assert of(aboard.do("rr", 2), DiceRolled)[0].stream == "tyranid"


def test_doe_yriel_1_the_shrine_falls_in_one_phase_with_areas_that_come_after_it() -> None:
    for others in ("", "spear", "dreams", "spear dreams nightmares"):
        fallen = {area: f"TH{number}" for number, area in enumerate(others.split(), 1)}
        game = play("tyranid_movement", eldar={"n2": "WSH1"}, tyranid={"shrine": "HT", **fallen})
        game.do("end", 3)
        assert game.state.devastated == [area for area in BOOK.craftworld if area in {"shrine", *fallen}]
        assert [game.state.units[unit] for unit in ("YRI", "RGH", "RWS1", "RWS2")] == ["s3"] * 4


@pytest.mark.parametrize(("back", "quiet"), [(4, 0), (1, 3)], ids=["a ship is lost", "nothing is lost"])
def test_doe_end_3_a_lost_eldar_counter_alone_makes_a_turn_loud(back: int, quiet: int) -> None:
    """Where the Swarms all stand."""
    game = play(
        "eldar_movement", turn=12, over=10, quiet=2, eldar={"s1": "NWG1 NWG2"}, tyranid={"s1": "TH1 TH2", "s4": "SK"}
    )
    game.do("end", 1, back)  # 8 against two Swarms: a 1 misses, and the Swarms' 20 hit with a 4
    if game.asked == "Lose":
        game.do("lose NWG1")
    game.do("retreat n1")
    assert (game.state.quiet, len(game.state.swarms)) == (quiet, 3)
