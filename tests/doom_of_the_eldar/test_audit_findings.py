"""What an audit against a second reading of the rules found, and keeps found."""

from __future__ import annotations

import pytest
from doom import Play, of, play

from warptape.domain.chance import Fate
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events_turn import CounterMoved
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.state import Options
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
