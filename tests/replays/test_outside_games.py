"""The examples of bots from outside play every ruleset, in Python and in JavaScript, and their games replay without them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import warptape
from warptape.domain.rules import ruleset
from warptape.replays.outside.commands import command
from warptape.replays.outside.desk import ProgramDesk
from warptape.replays.outside.process import Command

BOTS = Path(__file__).parents[2] / "docs" / "examples" / "bots"
SHORT = ["pig", "hidden", "nested", "space-marine-adventures"]
LONG = ["doom-of-the-eldar", "tyranid-attack"]
OPTIONS = {"pig": {"goal": 15}}


@pytest.fixture(params=["greedy.py", "greedy.mjs"])
def example(request: pytest.FixtureRequest) -> Command:
    if request.param.endswith(".mjs") and shutil.which("node") is None:
        pytest.skip("node, which runs the example in JavaScript, is not installed")
    text = (BOTS / request.param).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert not any(name in text for name in SHORT + LONG), "it plays any game"
    return command(f"./{request.param}", str(BOTS))


def play(name: str, example: Command, path: Path, limit: int) -> int:
    """Have a program play all seats of a game; returns how many decisions it took. The log is checked without it."""
    rules = ruleset(name)
    seats = {seat.id: f"exec:{example.name}" for seat in rules.seats(rules.parse_options({}))}
    desk = ProgramDesk(dict.fromkeys(seats, example))
    with warptape.Store(path, desk) as store:
        game = store.new(name, seed="an example", seats=seats, options=OPTIONS.get(name))
        game.run({}, limit)
        decisions, state, story = game.state.decisions, game.state, game.transcript()
        if limit > 1000:
            assert game.outcome is not None
    with warptape.open(path) as store:  # here nobody plays
        again = store.game("last")
        assert again.state == state
        assert again.transcript() == story
        assert f"exec:{example.name}" in story
        assert again.audit().ok
        again.fork(at=again.length - 1 if again.decision else again.batch_start(again.length - 1) - 1)
        loaded = store.load(again.export(path.with_suffix(".tape.jsonl")))
        assert loaded.state == state
        assert set(loaded.seats.values()) == {"human"}
    return int(decisions)


@pytest.mark.parametrize("name", SHORT)
def test_an_example_plays_a_whole_game(name: str, example: Command, tmp_path: Path) -> None:
    assert play(name, example, tmp_path / "games.db", 20_000) > 5


@pytest.mark.parametrize("name", LONG)
def test_an_example_plays_a_long_game_for_a_while(name: str, example: Command, tmp_path: Path) -> None:
    assert play(name, example, tmp_path / "games.db", 60) == 60


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_an_example_plays_a_long_game_to_its_end(name: str, example: Command, tmp_path: Path) -> None:
    assert play(name, example, tmp_path / "games.db", 20_000) > 100


def test_the_same_game_again_gets_the_same_answers(example: Command, tmp_path: Path) -> None:
    moves = []
    for number in range(2):
        desk = ProgramDesk({"p1": example, "p2": example})
        with warptape.Store(tmp_path / f"{number}.db", desk) as store:
            game = store.new("pig", seed="again", options={"goal": 15}, seats={"p1": "exec:a", "p2": "exec:b"})
            game.run({})
            moves.append([type(event).__name__ for _, event in game.events()])
    assert moves[0] == moves[1]
