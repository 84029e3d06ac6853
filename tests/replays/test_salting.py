"""The secret of chance: committed at the opening, shown at the end, and never good for playing on once it is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from replay_model import SeededDesk

from warptape.domain.chance import Fate, Salt
from warptape.domain.errors import NotAllowed
from warptape.domain.events import DiceRolled, KeyRevealed, Resalted
from warptape.replays.game import Game
from warptape.replays.library import Library

WHOLE = {"p1": "bot:sensible", "p2": "bot:sensible"}


def play_out(game: Game) -> None:
    game.run({"p1": "sensible", "p2": "sensible"})
    assert game.outcome is not None


def kinds(game: Game, kind: type[Any]) -> list[Any]:
    return [event for _, event in game.events() if isinstance(event, kind)]


def test_the_opening_commits_and_the_end_reveals(store_url: str) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", undo="until-revealed")
    assert kinds(game, KeyRevealed) == []
    play_out(game)
    (revealed,) = kinds(game, KeyRevealed)
    salt = Salt(revealed.nonce, revealed.seed)
    assert revealed.since == 0
    assert salt.commitment == game.opening.commitment
    # Anybody can check every die with it.
    fate, state = Fate(salt), game.ruleset.state()
    for _, event in game.events():
        if isinstance(event, DiceRolled):
            counter = state.chance.counters.get(event.stream, 0)
            one = type("One", (), {"stream": event.stream, "sides": event.sides, "count": event.count})
            assert fate.roll(state.chance, one) == event.values, counter  # type: ignore[arg-type]
        event.apply(state)
    game.note("what a game")
    assert len(kinds(game, KeyRevealed)) == 1
    assert library.game(game.id).shelf.key_public


def test_nothing_gives_the_secret_away_before_the_end(tmp_path: Path) -> None:
    library = Library[Game](tmp_path / "games.db", SeededDesk(3))
    game = library.new("hidden", undo="until-revealed")
    game.run({"raider": "random", "warden": "random"}, limit=12)
    (nonce, _), key = game.shelf.secrets["0"], game.fate.key(0)
    rows = b"\n".join(row.data for row in game.rows())
    everything = rows + json.dumps([str(game.state), str(game.at().view("raider"))]).encode()
    assert nonce.encode() not in everything
    assert key.encode() not in everything
    for row in game.rows():
        assert library.store.snapshot(game.id, row.position, game.schema) is None
    for position, event in game.events(seat="raider"):
        assert nonce not in str(event), position


def test_every_epoch_is_revealed_once(store_url: str) -> None:
    game = Library[Game](store_url, SeededDesk(3)).new("pig", seed="first", undo="free")
    game.act("roll")
    game.reroll("second")
    play_out(game)
    (resalted,) = kinds(game, Resalted)
    assert [(event.since, event.seed) for event in kinds(game, KeyRevealed)] == [(0, "first"), (resalted.at, "second")]
    game.undo()
    play_out(game)
    assert len(kinds(game, KeyRevealed)) == 2


def test_playing_on_after_the_end_takes_a_new_secret(store_url: str) -> None:
    game = Library[Game](store_url, SeededDesk(3)).new("pig", seed="over", undo="consent")
    play_out(game)
    length = game.length
    game.undo("p1" if game.takebacks.last_action()[1].seat == "p1" else "p2")  # a hold shows nothing
    assert game.decision is not None
    played = game.act("roll")
    assert isinstance(played.events[0], Resalted)
    assert played.events[0].reason == "the secret was known"
    assert played.position == length + 1 == played.events[0].at
    again = game.act("roll") if game.decision else None
    assert again is None or not isinstance(again.events[0], Resalted)
    # Bots that play on take one as well.
    other = Library[Game](store_url, SeededDesk(4)).new("pig", seed="over", undo="consent")
    play_out(other)
    other.undo(other.takebacks.last_action()[1].seat)
    before = other.length
    other.run({"p1": "random", "p2": "random"}, limit=1)
    assert isinstance(other.event(before), Resalted)


def test_under_free_fate_may_be_known(store_url: str) -> None:
    game = Library[Game](store_url, SeededDesk(3)).new("pig", seed="over", undo="free")
    play_out(game)
    game.rewind("@d3")
    play_out(game)
    assert kinds(game, Resalted) == []
    assert len(kinds(game, KeyRevealed)) == 1


@pytest.mark.parametrize(
    ("parent", "child", "kept"),
    [
        ("free", "free", True),
        ("free", "until-revealed", False),
        ("until-revealed", "free", False),
        ("consent", "", False),
    ],
)
def test_a_fork_of_an_unfinished_game_is_dealt_afresh(store_url: str, parent: str, child: str, kept: bool) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", undo=parent, options={"goal": 1000})
    game.act("roll")
    fork = game.fork(undo=child)
    assert bool(kinds(fork, Resalted)) is not kept
    assert bool(fork.shelf.secrets.get("0")) is kept
    same = []
    for table in (fork, game):
        rolls = []
        for _ in range(20):
            rolls += [event.values for event in table.act("roll").events if isinstance(event, DiceRolled)]
        same.append(rolls)
    assert (same[0] == same[1]) is kept
    play_out(fork)
    since = {event.since for event in kinds(fork, KeyRevealed)}
    assert (0 in since) is kept  # the end of a fork does not tell its parent's fate
    assert kinds(game, KeyRevealed) == []


def test_a_fork_taken_back_below_its_fork_point_does_not_play_its_parents_fate(store_url: str) -> None:
    game = Library[Game](store_url, SeededDesk(3)).new(
        "pig", undo="until-revealed", seed="deep", options={"goal": 1000}
    )
    while game.state.turn_total == 0:
        game.act("roll")
    game.act("hold")
    fork = game.fork()
    with pytest.raises(NotAllowed, match=r"Chance has had a new secret since \(@\d+\)"):
        fork.undo()  # the parent's hold showed nothing, but the fork has a secret of its own
    fork = game.fork(undo="free")
    fork.undo()
    assert fork.tip < fork.shelf.first
    played = fork.act("roll")
    assert isinstance(played.events[0], Resalted)


def test_a_fork_of_a_finished_game_stays_finished(store_url: str) -> None:
    library = Library[Game](store_url, SeededDesk(3))
    game = library.new("pig", seed="over", undo="until-revealed")
    play_out(game)
    fork = game.fork()
    assert fork.outcome == game.outcome
    assert kinds(fork, Resalted) == []
    early = game.fork("@d2")
    assert early.decision is not None
    assert len(kinds(early, Resalted)) == 1


def test_nothing_is_left_to_reroll_at_the_end(store_url: str) -> None:
    game = Library[Game](store_url, SeededDesk(3)).new("pig", seed="over", undo="free")
    play_out(game)
    length, tip = game.length, game.tip
    with pytest.raises(NotAllowed, match="over"):
        game.reroll()
    with pytest.raises(NotAllowed, match="over"):
        game.rewind(tip, reroll=True)
    assert (game.length, game.tip) == (length, tip)
    assert game.outcome is not None
