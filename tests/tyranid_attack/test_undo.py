"""Taking back with two seats: what bars it comes from what happened, and the audit lists what was seen before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import undo_laws
from eager import eager
from undo_laws import refused

import warptape
from warptape.domain.chance import Luck
from warptape.domain.events import CardDrawn, DiceRolled
from warptape.domain.tyranid_attack.events_turn import Shot
from warptape.domain.tyranid_attack.state import MARINES, TYRANID
from warptape.domain.tyranid_attack.steps import Aim

POLICIES = ("until-revealed", "consent")


@pytest.fixture
def store() -> Iterator[Any]:
    with warptape.open(":memory:") as opened:
        yield opened


def start(store: Any, undo: str = "until-revealed", seed: str = "hive") -> Any:
    """A game in which everyone is deployed."""
    game = store.new("tyranid-attack", seed=seed, undo=undo)
    game.act("deploy auto")
    game.act("ready")
    return game


def until(game: Any, wanted: Callable[[list[Any]], bool], seed: str = "hive") -> list[Any]:
    """Play on until something happened, and give it; a seed plays alike in every run."""
    luck = Luck(seed, "until")
    for _ in range(900):
        events: list[Any] = game.act(eager(game, luck)).events
        if wanted(events):
            return events
    raise AssertionError("it never came to that")


# What bars it


def test_a_move_over_known_ground_can_be_taken_back_and_made_otherwise(store: Any) -> None:
    game = start(store)
    at = game.state.models["SC1"].at
    game.act("use SC1")
    moves = [action for action in game.decision.actions if type(action).__name__ == "Move" and action.way != "enter"]
    game.act(moves[0])
    assert game.state.models["SC1"].at == moves[0].to
    game.undo(MARINES)
    assert game.state.models["SC1"].at == at
    assert game.state.active == "SC1"
    game.undo(MARINES)
    assert not game.state.active
    game.redo(MARINES)
    assert game.state.active == "SC1"


def test_a_deployment_can_be_taken_back(store: Any) -> None:
    """Nothing is seen by it; but of the set-up, in which tiles were seen, there is nothing to take back."""
    game = store.new("tyranid-attack", seed="hive")
    assert "nothing to take back" in refused(game, MARINES).lower()
    game.act("deploy auto")
    game.undo(MARINES)
    assert not game.state.models


def test_an_exploration_cannot_be_taken_back(store: Any) -> None:
    """TA-EXPL-7: dice were rolled for the way, and more was turned."""
    game = start(store)
    until(game, lambda events: any(type(event).__name__ == "SectionLaid" for event in events))
    assert "revealed since" in refused(game, MARINES)


@pytest.mark.parametrize("seed", range(3))
def test_a_shot_for_which_dice_were_rolled_cannot_be_taken_back(store: Any, seed: int) -> None:
    game = start(store)
    events = until(game, lambda events: any(isinstance(event, Shot) and event.rolls for event in events), str(seed))
    assert "DiceRolled" in refused(game, events[0].seat)


def test_a_shot_at_bare_floor_that_reaches_nobody_can_be_taken_back(store: Any) -> None:
    """TA-WEAP-21: no die is rolled for it, so nothing has been seen."""
    game = start(store)
    events = until(game, bare, "bare 2")
    shot = next(event for event in events if isinstance(event, Shot))
    assert not isinstance(shot.target, str)
    before = game.state_at(game.tip)
    game.undo(events[0].seat)
    assert isinstance(game.state.pending[-1], Aim)
    game.redo(events[0].seat)
    assert game.state_at(game.tip) == before


def bare(events: list[Any]) -> bool:
    """Whether a shot was fired for which no die was rolled."""
    shot = any(isinstance(event, Shot) for event in events)
    return shot and not any(isinstance(event, DiceRolled) for event in events)


def test_a_tile_that_one_seat_alone_has_seen_bars_it_too(store: Any) -> None:
    """TA-EXPL-10: the Tyranids placed the last defender, and the Marine player looked at his next tile."""
    game = start(store)
    events = until(
        game, lambda events: any(isinstance(event, CardDrawn) and event.seen_by == (MARINES,) for event in events)
    )
    said = refused(game, events[0].seat)
    assert "CardDrawn" in said
    drawn = next(event for event in events if isinstance(event, CardDrawn) and event.seen_by)
    assert str(drawn.item) not in said


def test_what_the_other_seat_has_answered_is_past(store: Any) -> None:
    game = start(store)
    game.act("end")
    assert game.decision.seat == TYRANID
    game.undo(MARINES)
    assert game.decision.seat == MARINES
    game.act("end")
    game.act("skip")
    assert f"{MARINES} may not take back an action of {TYRANID}" in refused(game, MARINES)


@pytest.mark.parametrize("policy", POLICIES)
def test_barriers_hold_over_random_games(store: Any, policy: str) -> None:
    counts = Counter[str]()
    for number in range(3):
        game = start(store, policy, f"random {number}")
        allowed, barred = undo_laws.barriers_hold(game, Luck(f"random {number}", policy), 150, eager)
        counts += Counter(allowed=allowed, barred=barred)
    assert counts["allowed"] > 100
    assert counts["barred"] > 40


# Policies and the audit


def test_under_consent_the_other_seat_agrees_or_not(store: Any) -> None:
    game = start(store, "consent")
    game.act("end")
    before = game.tip
    game.act("roll")
    assert "`consent` answers it" in refused(game, TYRANID)
    game.ask_undo(TYRANID)
    game.consent(MARINES, False)
    assert game.tip != before
    game.ask_undo(TYRANID)
    game.consent(MARINES)
    assert game.tip == before
    (found,) = game.audit().takebacks
    assert (found.seat, found.consent, found.count) == (TYRANID, MARINES, 1)


def test_under_free_anything_may_be_taken_back_and_comes_again_as_it_was(store: Any) -> None:
    game = start(store, "free")
    game.act("end")
    first = [event for event in game.act("roll").events if isinstance(event, DiceRolled)]
    game.undo(TYRANID)
    again = [event for event in game.act("roll").events if isinstance(event, DiceRolled)]
    assert first == again
    assert first


def test_the_audit_lists_a_tile_that_was_taken_back_and_does_not_say_which(store: Any) -> None:
    game = start(store, "free")
    until(game, lambda events: any(isinstance(event, CardDrawn) and event.purpose == "tile" for event in events))
    game.undo()
    text = game.audit().text()
    assert "already seen" in text
    (found,) = game.audit().takebacks
    assert found.count > 0
    tiles = {str(e.item) for _, e in game.events() if isinstance(e, CardDrawn) and e.seen_by == (MARINES,)}
    shown = {str(e.item) for _, e in game.events() if isinstance(e, CardDrawn) and e.seen_by is None}
    assert tiles - shown
    assert not [tile for tile in tiles - shown if tile in text]
