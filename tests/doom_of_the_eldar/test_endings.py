"""When the game ends: no Tyranids left, all areas lost, quiet turns, and the bound after the assault."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from doom import Play, lid, of, play

from warptape.domain.doom_of_the_eldar.events_battle import (
    AreaDevastated,
    BattleBegan,
    HiveMindLost,
    MineDetonated,
    TyranidDestroyed,
    UnitDestroyed,
)
from warptape.domain.doom_of_the_eldar.events_special import SwarmBarraged, UnitConverted
from warptape.domain.doom_of_the_eldar.events_turn import (
    AssaultEnded,
    CounterTrimmed,
    GameEnded,
    PhaseBegan,
    QuietTurnsCounted,
)
from warptape.domain.doom_of_the_eldar.state import Options

COUNTS = Options(hive_mind_end="counts")
DIES = Options(hive_mind_end="dies_alone")
NINE = ("spear", "tears", "redmoon", "souls", "singers", "shrine", "forests", "dreams", "nightmares")


def ended(game: Play) -> GameEnded | None:
    """The end of the game, if it has come; then nobody is asked any more, and nothing happens after it."""
    found = of(game.log, GameEnded)
    assert len(found) < 2
    assert bool(found) == (game.state.ended is not None) == (game.seat == "")
    if not found:
        return None
    after = game.log[game.log.index(found[0]) + 1 :]
    assert {type(event).__name__ for event in after} <= {"Awaiting"}
    return found[0]


def reason(game: Play) -> str:
    found = ended(game)
    return found.reason if found else ""


Special = Callable[[Play], None]


def turn(game: Play, special: Special | None = None) -> int:
    """Play the rest of a turn, nobody doing anything but `special` in the Eldar Special Actions phase."""
    now = game.state.turn
    while not ended(game) and game.state.turn == now:
        if game.asked == "Special" and special is not None:
            special(game)
            special = None
        elif game.asked in ("Order", "Movement", "Special"):
            game.do("end")
        else:
            raise AssertionError(game.asked)
    return now


def last_turn(game: Play, special: Special | None = None) -> int:
    """Play on to the end of the game and return the turn in which it came."""
    number = turn(game, special)
    while not ended(game):
        number = turn(game, special)
    return number


# No Tyranids left


def test_doe_end_1_the_last_swarm_barraged_ends_the_game_in_the_special_actions_phase() -> None:
    """Case 39: no Eldar Movement follows."""
    game = play("eldar_special", turn=7, over=5, eldar={"n2": "GHO"}, tyranid={"s1": "TH1"}, marker=30)
    game.do("use spear", 6)
    assert len(of(game.log, SwarmBarraged)) == 1
    found = ended(game)
    assert found
    assert (found.reason, found.rule) == ("tyranids_gone", "DOE-END-1")
    assert game.state.phase == "eldar_special"
    assert not of(game.log, PhaseBegan)


def test_doe_end_1_not_while_the_assault_goes_on() -> None:
    game = play("eldar_special", turn=7, eldar={"n2": "GHO"}, tyranid={"s1": "TH1"}, marker=30)
    game.do("use spear", 6)
    assert game.state.stacks == {}
    assert reason(game) == ""
    game.do("end")
    assert reason(game) == ""


def test_doe_end_1_not_while_another_tyranid_is_on_the_map_face_up_or_down() -> None:
    for tyranid in ({"s1": "TH1", "n4": "RW1"}, {"s1": "TH1", "tears": "RW1"}):
        game = play("eldar_special", turn=7, over=5, eldar={"n2": "GHO"}, tyranid=tyranid, marker=30)
        game.do("use spear", 6)
        if game.asked == "Hit":
            game.do("hit #01")
        assert "#01" not in game.state.swarms
        assert reason(game) == ""


def test_doe_end_1_after_the_last_battle_in_space() -> None:
    game = play("eldar_movement", turn=7, over=5, eldar={"s1": "GHO WSH1 WSH2 WSH3"}, tyranid={"s1": "TH1"})
    game.do("end", 6)
    assert len(of(game.log, TyranidDestroyed)) == 1
    assert reason(game) == "tyranids_gone"
    assert game.state.phase == "eldar_combat"


def test_doe_end_1_after_the_last_battle_on_the_craftworld() -> None:
    game = play("eldar_movement", turn=7, over=5, eldar={"tears": "EXA TIT"}, tyranid={"tears": "RW1"})
    game.do("end", 5)
    assert reason(game) == "tyranids_gone"


def test_doe_end_1_in_tyranid_combat_too() -> None:
    """No phase of the Eldar follows: 36 attack is not theirs, they defend 48 against 7 and all attackers die."""
    game = play("tyranid_movement", turn=7, over=5, eldar={"tears": "WRG"}, tyranid={"tears": "RW1"})
    game.do("end", 1)
    assert reason(game) == "tyranids_gone"
    assert game.state.phase == "tyranid_combat"


def test_doe_end_1_when_the_assault_ends_and_nothing_is_on_the_map() -> None:
    """Marker 17, double 1: over at once, in the Tyranid Reinforcement phase; one point for row 1."""
    game = play("eldar_movement", turn=3, marker=17, eldar={"n2": "GHO"})
    game.do("end", 1, 1)
    assert len(of(game.log, AssaultEnded)) == 1
    found = ended(game)
    assert found
    assert (found.reason, found.eldar, found.tyranid) == ("tyranids_gone", 1, 0)
    assert (game.state.turn, game.state.phase) == (4, "tyranid_reinforcement")


def test_doe_end_1_the_losses_of_a_battle_fall_together() -> None:
    """Case 44's point: the Avatar lost with the last Horde counts (G-39, DOE-VP-4)."""
    game = play("eldar_movement", turn=7, over=5, eldar={"tears": "AVA", "n2": "GHO"}, tyranid={"tears": "TH1"})
    game.do("end", 4)
    # 0 against 12 is 1-3, where a 4 is AD: the Avatar falls alone and the Horde keeps the game going.
    assert reason(game) == ""
    both = play("eldar_movement", turn=7, over=5, eldar={"tears": "AVA", "n2": "GHO"}, tyranid={"tears": "TH1"})
    events = both.do("end", 5)
    code = next(event.code for event in events if hasattr(event, "code"))
    assert code == "BC"
    found = ended(both)
    assert found
    assert (found.reason, found.tyranid, found.parts["AVA"]) == ("tyranids_gone", 1, 1)


# The Hive Mind


def test_doe_hm_4_a_face_up_hive_mind_does_not_keep_the_game_going() -> None:
    """Case 40, first part, in space and on the Craftworld."""
    for area in ("s4", "tears"):
        game = play(
            "eldar_special", turn=7, over=5, eldar={"n2": "GHO"}, tyranid={area: "HM", "s1": "TH1"}, shown=("HM",)
        )
        game.do("use spear", 6)
        assert reason(game) == "tyranids_gone"


def test_doe_end_1_a_hidden_hive_mind_keeps_the_game_going_until_it_is_revealed() -> None:
    """Case 40, second part: only a hidden one in space goes on; if it is then revealed, the game ends at once."""
    game = play("eldar_special", turn=7, over=5, eldar={"n2": "GHO"}, tyranid={"s4": "HM", "s1": "TH1"})
    game.do("use spear", 6)
    game.do("hit #02")
    assert reason(game) == ""
    turn(game)
    assert (game.state.turn, game.asked) == (8, "Order")
    game.do("reveal #01")
    assert reason(game) == "tyranids_gone"
    assert game.state.phase == "tyranid_movement"


def test_doe_end_1_a_hive_mind_that_lands_is_revealed_and_ends_the_game_before_any_battle() -> None:
    game = play("tyranid_movement", turn=7, over=5, eldar={"tears": "GUA1"}, tyranid={"n2": "HM"})
    game.do("mv #01 tears")
    assert reason(game) == "tyranids_gone"
    assert not of(game.log, BattleBegan)
    assert game.state.units["GUA1"] == "tears"


def test_hive_mind_end_counts_keeps_the_game_going_to_the_quiet_turns() -> None:
    """G-15: a face-up Hive Mind alone counts as a Tyranid; six quiet turns end the game (DOE-END-3)."""
    game = play(
        "eldar_movement", turn=6, over=6, eldar={"n2": "GHO"}, tyranid={"s4": "HM"}, shown=("HM",), options=COUNTS
    )
    assert last_turn(game) == 11
    assert reason(game) == "quiet_turns"


def test_hive_mind_end_counts_still_ends_when_all_areas_are_lost() -> None:
    game = play(
        "eldar_movement", turn=6, over=6, eldar={"n2": "GHO"}, tyranid={"s4": "HM"}, shown=("HM",), options=COUNTS,
        devastated=NINE,
    )  # fmt: skip
    game.do("end")
    assert reason(game) == "areas_lost"


def dies(eldar: dict[str, str], tyranid: dict[str, str], phase: str = "eldar_movement", over: int = 0) -> Play:
    game = play(phase, turn=6, over=over, eldar=eldar, tyranid=tyranid, shown=("HM",), options=DIES)
    game.do("end")
    return game


@pytest.mark.parametrize("phase", ["eldar_movement", "tyranid_movement"])
@pytest.mark.parametrize("area", ["s4", "tears"])
def test_hive_mind_end_dies_alone_beside_eldar_at_the_end_of_a_combat_phase(phase: str, area: str) -> None:
    """G-15: it goes back to the lid; the assault over and nothing else there, the game ends (DOE-END-1)."""
    unit = "GHO" if area == "s4" else "GUA1"
    game = dies({area: unit, "n2": "WSH1"}, {area: "HM", "s6": "TH1"}, phase, over=5)
    (gone,) = of(game.log, HiveMindLost)
    assert (gone.token, gone.area) == ("#01", area)
    assert "HM" in lid(game.state)
    assert reason(game) == ""
    last = dies({area: unit}, {area: "HM"}, phase, over=5)
    assert reason(last) == "tyranids_gone"
    assert last.state.phase == phase.replace("movement", "combat")


def test_hive_mind_end_dies_alone_not_without_eldar_nor_beside_another_tyranid() -> None:
    apart = dies({"n2": "GHO"}, {"tears": "HM"}, over=5)
    assert not of(apart.log, HiveMindLost)
    assert apart.state.stacks == {"tears": ["#01"]}
    assert reason(apart) == ""
    held = play(
        "eldar_movement", turn=6, eldar={"tears": "WRG"}, tyranid={"tears": "HM HT SK"}, options=DIES, shown=("HM",)
    )
    held.do("end", 2)
    while held.asked in ("Reroll", "Lose"):
        held.do(held.legal()[-1])
    assert not of(held.log, HiveMindLost)


def test_hive_mind_end_ignored_leaves_a_lone_hive_mind_where_it_stands() -> None:
    game = play("eldar_movement", turn=6, eldar={"tears": "GUA1"}, tyranid={"tears": "HM"}, shown=("HM",))
    game.do("end")
    assert not of(game.log, HiveMindLost)
    assert game.state.swarms["#01"] == "tears"


# All areas lost


def test_doe_end_2_the_game_ends_at_the_end_of_the_turn_in_which_the_ninth_area_falls() -> None:
    """Case 12: it falls in Tyranid Combat; the Eldar phases of that turn are still played."""
    game = play(
        "tyranid_movement", turn=9, eldar={"n5": "GHO"}, tyranid={"n1": "TH1 TH2"}, devastated=NINE[1:], marker=44
    )
    game.do("mv #02 spear")
    game.do("end")
    assert [event.area for event in of(game.log, AreaDevastated)] == ["spear"]
    assert reason(game) == ""
    assert game.state.phase == "eldar_movement"
    game.do("end")
    found = ended(game)
    assert found
    assert (found.reason, found.rule, game.state.turn) == ("areas_lost", "DOE-END-2", 9)
    assert found.parts["areas"] == 9


def test_doe_end_2_eight_areas_are_not_enough() -> None:
    game = play("eldar_movement", turn=9, eldar={"n5": "GHO"}, tyranid={"n1": "TH1"}, devastated=NINE[1:])
    game.do("end")
    assert reason(game) == ""
    assert game.state.turn == 10


def test_doe_end_2_it_does_not_matter_whether_the_assault_is_over_or_the_eldar_retake_an_area() -> None:
    for over in (0, 5):
        game = play(
            "eldar_movement", turn=9, over=over, eldar={"tears": "GUA1"}, tyranid={"s4": "TH1"}, devastated=NINE
        )
        game.do("end")
        assert reason(game) == "areas_lost"


# Quiet turns, and the bound


def assault_over_in_turn_9(options: Options | None = None, **more: object) -> Play:
    """Turn 9 has begun with a double that ended the assault; Tyranids far from any Eldar, in s4."""
    facts: dict[str, object] = {
        "eldar": {"n1": "SHA1", "destroyed_ground": "GUA1"},
        "tyranid": {"s4": "TH1 TH2 TH3 TH4 GH1 GH2 GH3"},
        **more,
    }
    game = play("eldar_movement", turn=8, marker=17, options=options or Options(), **facts)
    game.do("end", 1, 1)
    (over,) = of(game.log, AssaultEnded)
    assert (over.reason, game.state.turn, game.state.over) == ("double", 9, 9)
    return game


def convert(game: Play) -> None:
    """Convert a counter: back and forth, a turn each."""
    game.do(next(line for line in game.legal() if line.startswith("conv ")))


def barrage(*turns: int) -> Special:
    """Destroy a Swarm by torpedoes in these turns."""

    def special(game: Play) -> None:
        if game.state.turn in turns:
            game.do("use spear", 6)
            game.do(game.legal()[0])
        else:
            game.do("end")

    return special


def test_doe_end_3_six_quiet_turns_from_the_turn_in_which_the_assault_ends() -> None:
    """Case 46: over in turn 9, nothing destroyed in turns 9 to 14, a ship converting in each: the end of turn 14."""
    game = assault_over_in_turn_9()
    assert last_turn(game, convert) == 14
    found = ended(game)
    assert found
    assert (found.reason, found.rule) == ("quiet_turns", "DOE-END-3")
    assert len(of(game.log, UnitConverted)) == 6
    assert [event.count for event in of(game.log, QuietTurnsCounted)] == [1, 2, 3, 4, 5, 6]


def test_doe_end_3_with_a_loss_every_fourth_turn_it_ends_20_turns_after_the_assault() -> None:
    """Case 46, second part: over at the end of turn 29."""
    game = assault_over_in_turn_9()
    assert last_turn(game, barrage(12, 16, 20, 24, 28)) == 29
    found = ended(game)
    assert found
    assert (found.reason, found.rule) == ("turn_bound", "DOE-END-3")
    assert len(of(game.log, SwarmBarraged)) == 5
    assert max(event.count for event in of(game.log, QuietTurnsCounted)) == 3


def test_doe_end_3_a_loss_in_the_turn_in_which_the_assault_ends_makes_it_a_loud_one() -> None:
    game = assault_over_in_turn_9()
    assert last_turn(game, barrage(9)) == 15


def test_doe_end_3_a_loss_in_the_sixth_turn_starts_the_count_again() -> None:
    game = assault_over_in_turn_9()
    assert last_turn(game, barrage(14)) == 20
    assert [event.count for event in of(game.log, QuietTurnsCounted)] == [1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6]


def test_doe_end_3_turns_before_the_assault_ends_are_not_counted() -> None:
    game = play("eldar_movement", turn=8, marker=17, eldar={"n1": "SHA1"}, tyranid={"s4": "TH1"})
    game.do("end", 2, 3)
    assert (game.state.turn, game.state.over, game.state.quiet) == (9, 0, 0)
    assert not of(game.log, QuietTurnsCounted)


@pytest.mark.parametrize(("turns", "last", "why"), [
    (6, 14, "quiet_turns"), (4, 12, "quiet_turns"), (10, 18, "quiet_turns"), (0, 29, "turn_bound"),
])  # fmt: skip
def test_stall_turns_says_how_many_quiet_turns_end_the_game(turns: int, last: int, why: str) -> None:
    """G-16: with 0 there is no quiet count, and the bound of 20 turns stays."""
    game = assault_over_in_turn_9(Options(stall_turns=turns))  # type: ignore[arg-type]
    assert last_turn(game, convert) == last
    assert reason(game) == why


def quiet_after(game: Play, line: str = "end", *chance: object) -> int:
    """Play a turn from its Tyranid or Eldar Movement on and return the quiet turns counted at its end."""
    assert game.state.quiet == 2
    game.do(line, *chance)
    if not ended(game):
        while game.state.turn == 12:
            game.do("end" if "end" in game.legal() else game.legal()[-1])
    return game.state.quiet


def test_doe_end_3_a_counter_destroyed_in_battle_is_not_quiet() -> None:
    game = play(
        "eldar_movement", turn=12, over=10, quiet=2, eldar={"s1": "GHO WSH1"}, tyranid={"s1": "TH1", "s4": "TH2"}
    )
    assert quiet_after(game, "end", 6) == 0
    assert of(game.log, TyranidDestroyed)


def test_doe_end_3_a_battle_that_destroys_nothing_is_quiet() -> None:
    """Nightwings miss with a 1 and are missed with a 1; then they break off."""
    game = play("eldar_movement", turn=12, over=10, quiet=2, eldar={"s1": "NWG1"}, tyranid={"s1": "TH1", "s4": "TH2"})
    game.do("end", 1, 1)
    assert game.asked == "Retreat"
    game.do("retreat n1")
    assert of(game.log, BattleBegan)
    assert not of(game.log, UnitDestroyed)
    assert game.state.quiet == 3


def test_doe_end_3_a_detonation_is_not_quiet() -> None:
    game = play(
        "eldar_movement", turn=12, over=10, quiet=2, order=1, eldar={"s1": "GHO", "n2": "WSH1"},
        tyranid={"s1": "SM", "s4": "TH2"},
    )  # fmt: skip
    assert quiet_after(game) == 0
    assert of(game.log, MineDetonated)


def test_doe_end_3_a_fallen_area_is_not_quiet() -> None:
    game = play("eldar_movement", turn=12, over=10, quiet=2, eldar={"n2": "GHO"}, tyranid={"tears": "TH1"})
    assert quiet_after(game) == 0
    assert of(game.log, AreaDevastated)


def test_doe_end_3_a_trim_is_quiet_on_either_side() -> None:
    """A trim lies in one player's hand and would restart the count at will (G-16)."""
    tyranid = play(
        "tyranid_movement", turn=12, over=10, quiet=2, eldar={"n5": "GHO"}, tyranid={"tears": "TH1 TH2 TH3 TH4"},
        devastated=("tears",),
    )  # fmt: skip
    assert quiet_after(tyranid) == 3
    eldar = play(
        "eldar_movement", turn=12, over=10, quiet=2, eldar={"tears": "GUA1 GUA2 GUA3 GUA4"}, tyranid={"s4": "TH1"}
    )
    assert quiet_after(eldar) == 3
    assert len(of(tyranid.log, CounterTrimmed)) == len(of(eldar.log, CounterTrimmed)) == 1
