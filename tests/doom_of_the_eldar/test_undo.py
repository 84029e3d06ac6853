"""Taking back with two seats: what bars it comes from what happened, and the audit lists what was seen before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import undo_laws
from undo_laws import refused

import warptape
from warptape.domain.chance import Luck
from warptape.domain.errors import NotAllowed
from warptape.domain.events import ActionTaken, KeyRevealed, Resalted, Rewound

POLICIES = ("until-revealed", "consent")


@pytest.fixture
def store() -> Iterator[Any]:
    with warptape.open(":memory:") as opened:
        yield opened


def start(store: Any, undo: str = "until-revealed", seed: str = "iyanden", **given: Any) -> Any:
    """A game set up by the quick start; the Tyranids have given the mine's order."""
    options = {"setup": "quickstart", **given.pop("options", {})}
    game = store.new("doom-of-the-eldar", seed=seed, undo=undo, options=options, **given)
    game.act("mine 3")
    return game


def until(game: Any, wanted: str, seat: str) -> None:
    """Pass on until a seat is asked a question of that name."""
    for _ in range(200):
        if game.decision.seat == seat and type(game.state.pending[-1]).__name__ == wanted:
            return
        actions = [game.ruleset.notation(game.state, one) for one in game.decision.actions]
        game.act("end" if "end" in actions else "keep" if "keep" in actions else actions[0])
    raise AssertionError(f"{wanted} is not reached")


def swarm(game: Any) -> str:
    """A face-down Swarm on the map."""
    return next(str(token) for token in game.state.swarms if token not in game.state.face)


# What bars it


def test_a_move_in_space_can_be_taken_back(store: Any) -> None:
    """Nothing is learnt by it: the Swarm stands where it stood, and may move otherwise."""
    game = start(store)
    token = swarm(game)
    area = game.state.swarms[token]
    to = next(one for one in game.ruleset.book.near_space[area] if one not in game.state.eldar)
    game.act(f"mv {token} {to}")
    assert game.state.swarms[token] == to
    game.undo("tyranid")
    assert game.state.swarms[token] == area
    assert token not in game.state.moved
    game.redo("tyranid")
    assert game.state.swarms[token] == to


def test_a_landing_cannot_be_taken_back_for_the_swarm_is_revealed(store: Any) -> None:
    """DOE-REVEAL-1: the counter was turned face up, and the Eldar have seen it."""
    game, luck = start(store), Luck("landing")
    while not (landing := [one for one in game.decision.actions if _lands(game, one)]):
        game.act(luck.choice(game.decision.actions))
    game.act(landing[0])
    assert landing[0].id in game.state.face
    assert "Something was revealed since" in refused(game, "tyranid")


def _lands(game: Any, action: Any) -> bool:
    there = getattr(action, "to", "") in game.ruleset.book.craftworld
    return there and action.id in game.state.swarms and action.id not in game.state.face


def test_the_mines_order_can_be_taken_back_and_shows_nothing(store: Any) -> None:
    """DOE-MINE-1: the order is the Tyranids' own secret; that it was given anew is all that the Eldar see."""
    game = start(store)
    game.undo("tyranid")
    game.act("mine 7")
    assert game.state.standing_order() == 7
    told = [one.text for one in game.log("eldar")]
    assert told.count("tyranid: acts in secret") == 2
    assert not [text for text in told if "order is" in text]


def test_a_roll_cannot_be_taken_back(store: Any) -> None:
    """DOE-SPEC-3: torpedoes, whether they hit or not."""
    game = start(store)
    until(game, "Special", "eldar")
    game.act("use spear")
    assert "DiceRolled" in refused(game, "eldar")


def test_a_vision_cannot_be_taken_back(store: Any) -> None:
    """DOE-SPEC-6: the Eldar have seen the stack, and only they."""
    game = start(store)
    until(game, "Special", "eldar")
    target = game.state.swarms[swarm(game)]
    game.act(f"use shrine {target}")
    assert "CounterRevealed" in refused(game, "eldar")


def test_an_end_that_runs_into_a_battle_roll_cannot_be_taken_back(store: Any) -> None:
    """The one battle there is begins by itself: the die is cast in the batch of `end`."""
    game = start(store)
    until(game, "Movement", "eldar")
    token = swarm(game)
    ship = next(one for one in game.decision.actions if getattr(one, "to", "") == game.state.swarms[token])
    game.act(ship)
    game.undo("eldar")
    game.act(ship)
    rolled = [type(event).__name__ for event in game.act("end").events]
    assert "BattleBegan" in rolled
    assert "DiceRolled" in rolled
    assert "DiceRolled" in refused(game, "eldar")


def test_an_end_that_runs_into_reinforcements_cannot_be_taken_back(store: Any) -> None:
    game = start(store)
    until(game, "Movement", "eldar")
    assert "CounterDrawn" in [type(event).__name__ for event in game.act("end").events]
    assert "DiceRolled" in refused(game, "eldar")


def test_an_end_that_shows_nothing_can_be_taken_back_until_the_other_seat_has_acted(store: Any) -> None:
    game = start(store)
    game.act("end")
    assert game.decision.seat == "eldar"
    game.undo("tyranid")
    assert game.decision.seat == "tyranid"
    game.act("end")
    until(game, "Movement", "eldar")
    assert "tyranid may not take back an action of eldar" in refused(game, "tyranid")


def test_what_came_before_a_decision_of_the_other_seat_in_ones_battle_is_past(store: Any) -> None:
    """The Eldar chose a loss in it: the last action is theirs."""
    game, luck = start(store, seed="battle"), Luck("battle")
    while not (game.state.phase == "tyranid_combat" and type(game.state.pending[-1]).__name__ == "Lose"):
        game.act(luck.choice(game.decision.actions))
    assert game.decision.seat == "eldar"
    game.act(game.decision.actions[0])
    assert "tyranid may not take back an action of eldar" in refused(game, "tyranid")


@pytest.mark.parametrize("policy", POLICIES)
def test_the_end_of_the_game_cannot_be_taken_back_for_its_secret_is_out(store: Any, policy: str) -> None:
    """Everything hidden is known then: not even an action that itself showed nothing."""
    found = 0
    for number in range(40):
        game, luck = start(store, policy, f"over {number}", options={"stall_turns": "4"}), Luck(f"over {number}")
        for _ in range(3000):
            if game.decision is None:
                break
            game.act(luck.choice(game.decision.actions))
        last = [position for position, event in game.events() if isinstance(event, ActionTaken)][-1]
        after = [event for _, event in game.events(last)]
        assert isinstance(after[-1], KeyRevealed)
        if not any(event.reveals for event in after):
            seat = after[0].seat  # type: ignore[attr-defined]
            assert "The secret of chance is out" in refused(game, seat)
            found += 1
        if found == 2:
            return
    raise AssertionError("no game ended without a roll or a reveal in its last action")


@pytest.mark.parametrize("policy", POLICIES)
def test_barriers_hold_over_random_games(store: Any, policy: str) -> None:
    counts = Counter[str]()
    for number in range(4):
        game = start(store, policy, f"random {number}")
        allowed, barred = undo_laws.barriers_hold(game, Luck(f"random {number}", policy), 150)
        counts += Counter(allowed=allowed, barred=barred)
    assert min(counts["allowed"], counts["barred"]) > 60


# Policies


def test_under_consent_the_other_seat_agrees_or_not(store: Any) -> None:
    game = start(store, "consent")
    until(game, "Special", "eldar")
    before = game.tip
    game.act("use spear")
    assert "`consent` answers it" in refused(game, "eldar")
    game.ask_undo("eldar")
    with pytest.raises(NotAllowed, match="The other seat must answer"):
        game.consent("eldar")
    game.consent("tyranid", False)
    assert game.tip != before
    game.ask_undo("eldar")
    game.consent("tyranid")
    assert game.tip == before


def test_consent_to_one_undo_is_none_to_the_one_before_it(store: Any) -> None:
    """The Eldar move, end, and are let to take the end back: with what was rolled seen they may not move anew unasked."""
    game = start(store, "consent")
    until(game, "Movement", "eldar")
    moved = next(one for one in game.decision.actions if getattr(one, "id", "") == "AVA")
    game.act(moved)
    before = game.tip
    game.act("end")  # it rolls for reinforcements
    game.ask_undo("eldar")
    game.consent("tyranid")
    assert game.tip == before
    assert "taken back" in refused(game, "eldar")
    game.act(next(one for one in game.decision.actions if getattr(one, "id", "") == "EXA"))
    game.undo("eldar")  # nothing was revealed since that one
    assert game.tip == before


def test_under_consent_undo_in_the_other_seats_turn_needs_consent(store: Any) -> None:
    """The Tyranids ask in the Eldar's turn, after the Eldar have acted: all since is taken back with it."""
    game = start(store, "consent")
    before = game.tip
    game.act("end")
    until(game, "Special", "eldar")
    game.act("end")
    assert "may not take back" in refused(game, "tyranid")
    game.ask_undo("tyranid")
    game.consent("eldar")
    assert game.tip == before
    assert game.decision.seat == "tyranid"


def test_under_free_anything_may_be_taken_back_and_comes_again_as_it_was(store: Any) -> None:
    game = start(store, "free")
    until(game, "Special", "eldar")
    first = [event for event in game.act("use spear").events if type(event).__name__ == "DiceRolled"]
    game.undo("tyranid")
    again = [event for event in game.act("use spear").events if type(event).__name__ == "DiceRolled"]
    assert first == again


def test_a_reroll_after_an_undo_is_told_to_both(store: Any) -> None:
    game = start(store, "free")
    until(game, "Special", "eldar")
    game.act("use spear")
    played = game.undo(reroll=True)
    assert [type(event) for event in played.events] == [Rewound, Resalted]
    for seat in ("eldar", "tyranid"):
        assert any("Fate has a new salt" in one.text for one in game.log(seat))


# The audit


@pytest.mark.parametrize("line", ["use spear", "use shrine"])
def test_the_audit_lists_what_was_taken_back_after_it_was_seen(store: Any, line: str, tmp_path: Any) -> None:
    """By whom, where, and how many outcomes had been seen: in the store, in the owner's file and in either seat's."""
    game = start(store, "free")
    until(game, "Special", "eldar")
    target = game.state.swarms[swarm(game)]
    before = game.tip
    batch = game.act(f"{line} {target}" if "shrine" in line else line).events
    at = game.undo("eldar").position
    report = game.audit()
    assert report.ok
    (found,) = report.takebacks
    assert (found.position, found.to, found.by, found.seat) == (at, before, "undo", "eldar")
    assert found.count == sum(event.reveals for event in batch) > 0
    assert "already seen" in report.text()
    for seat in (None, "eldar", "tyranid"):
        file = game.export(tmp_path / f"{seat}.tape.jsonl", seat)
        with warptape.open(":memory:") as other:
            assert other.load(file).audit().takebacks == report.takebacks


def test_the_audit_does_not_tell_the_tyranids_hand_by_what_was_taken_back(store: Any) -> None:
    """What was for one seat alone is not told by an audit that anybody may read."""
    game = start(store, "free")
    until(game, "Movement", "eldar")
    game.act("end")
    game.undo("eldar")
    text = game.audit().text()
    assert "already seen" in text
    drawn = [str(event.item) for _, event in game.events() if type(event).__name__ == "CounterDrawn"]
    assert drawn
    assert not [item for item in drawn if f"'{item}'" in text or f" {item} " in text]


def test_the_audit_lists_nothing_where_nothing_was_seen(store: Any) -> None:
    game = start(store, "free")
    game.act("end")
    game.undo("tyranid")
    game.redo("tyranid")
    report = game.audit()
    assert report.ok
    assert report.takebacks == []


def test_the_audit_lists_a_consented_undo_of_a_reveal_and_who_agreed(store: Any) -> None:
    game = start(store, "consent")
    until(game, "Special", "eldar")
    game.act("use spear")
    game.ask_undo("eldar")
    game.consent("tyranid")
    (found,) = game.audit().takebacks
    assert (found.seat, found.consent, found.count) == ("eldar", "tyranid", 1)


def test_the_audit_lists_an_undo_of_the_end_after_which_everything_was_out(store: Any) -> None:
    for number in range(40):
        game, luck = start(store, "free", f"over {number}", options={"stall_turns": "4"}), Luck(f"over {number}")
        while game.decision is not None:
            game.act(luck.choice(game.decision.actions))
        last = [position for position, event in game.events() if isinstance(event, ActionTaken)][-1]
        if not any(event.reveals for _, event in game.events(last)):
            game.undo()
            (found,) = game.audit().takebacks
            assert [one.what for one in found.seen] == ["the secret of chance, and what was hidden"]
            return
    raise AssertionError("no game ended without a roll or a reveal in its last action")
