"""What the seats see of battles: hidden Swarms, the mine and its order (example 43)."""

from __future__ import annotations

import msgspec
import pytest
from doom import Play, of, play

from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events_battle import TyranidDestroyed
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.state import DoomState
from warptape.domain.events import Event
from warptape.domain.secrets import redact, view


def battle(stack: str, order: int, lines: list[tuple[str, tuple[int, ...]]]) -> tuple[DoomState, Play]:
    """A battle of two ships in n2 against a stack, from a position with another Swarm elsewhere."""
    facts = {"eldar": {"n2": "WSH1 WSH2"}, "tyranid": {"n2": stack, "s4": "GP"}, "order": order}
    game = play("tyranid_combat", **facts)
    for line, dice in lines:
        game.do(line, *dice)
    return position("tyranid_combat", **facts), game  # type: ignore[arg-type]


ROUNDS: list[tuple[str, tuple[int, ...]]] = [
    ("fight n2", (4, 2)),
    ("lose WSH2", ()),
    ("stay", (1, 1)),
    ("retreat n1", ()),
]


@pytest.mark.parametrize("seat", ["eldar", "tyranid", "a spectator"])
def test_example_43_a_view_is_what_the_events_of_that_seat_build(seat: str) -> None:
    """DOE-REVEAL-3: public events and the seat's own private ones rebuild its view, through every round."""
    start, game = battle("SM HM TH1", 3, ROUNDS)
    seen = view(start.copy(), seat)
    truth = start
    for event in game.log:
        event.apply(truth)
        redact(event, seat).apply(seen)
        assert view(truth, seat) == seen
    assert truth == game.state


def test_example_43_the_eldar_view_names_no_hidden_counter_and_no_order() -> None:
    """DOE-LOSS-8, DOE-MINE-1: in the view and in what is told."""
    _, game = battle("SM HM TH1", 7, ROUNDS)
    seen = RULESET.view(game.state, "eldar")
    assert seen.standing_order() is None
    assert [seen.counter(token) for token in seen.swarms] == [None] * len(seen.swarms)
    assert b'"sealed"' in msgspec.json.encode(seen.order)
    out = msgspec.json.encode(seen.chance.bags["lid"].out)
    for counter in ("SM", "HM", "TH1", "GP"):
        assert f'"{counter}"'.encode() not in out
        for event in game.log:
            assert f'"{counter}"'.encode() not in msgspec.json.encode(redact(event, "eldar"))
    mine = RULESET.view(game.state, "tyranid")
    assert mine.standing_order() == 7
    assert {mine.counter(token) for token in mine.swarms} >= {"GP"}


def told(events: list[Event]) -> list[Event]:
    return [redact(event, "eldar") for event in events]


@pytest.mark.parametrize(
    ("stack", "order"), [("TH1 GH1 RW1", 3), ("SM GH1 RW1", 3), ("TH1 SM RW1", 0), ("RW1 GH1 SM", 18), ("HM HT PR", 5)]
)
def test_doe_mine_1_a_mine_that_does_not_burst_changes_nothing_that_the_eldar_see(stack: str, order: int) -> None:
    """DOE-MINE-1, DOE-HM-2: same dice, same questions, same events, whatever lies there and whatever the order."""
    _, plain = battle("TH2 TH3 TH4", 3, ROUNDS)
    _, game = battle(stack, order, ROUNDS)
    end = [type(event).__name__ for event in plain.log].index("BattleEnded")
    assert told(game.log[:end]) == told(plain.log[:end])
    assert of(game.log, TyranidDestroyed)


def test_the_same_is_asked_in_every_view_of_a_battle() -> None:
    """DOE-MINE-1: whose choice it is and how it is put depends on nothing hidden."""
    game = play("eldar_combat", eldar={"n2": "WSH1 WSH2 FAR"}, tyranid={"n2": "HM TH1 SM"}, order=3)
    for line, dice in (("fight n2", ()), ("lose WSH2", (2,)), ("rr", (1, 6)), ("rr", (4,)), ("lose FAR", ())):
        game.do(line, *dice)
        step = game.state.pending[-1]
        asked = RULESET.ask(game.state, step)
        assert asked is not None
        for seat in ("eldar", "tyranid", "a spectator"):
            mine = RULESET.ask(RULESET.view(game.state, seat), step)
            assert mine is not None
            assert (mine.seat, mine.prompt, list(mine.actions)) == (asked.seat, asked.prompt, list(asked.actions))
